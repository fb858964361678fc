//! Games that two players signed with version 0.2 of this program, which none plays any more.

use alloc::string::ToString as _;
use alloc::vec;

use codec::Decode;
use connect4_protocol::signed::{GameNumber, Moves};
use connect4_protocol::{Address, ClockSpec};
use connect4_rules::variant::{Variant, VariantSpec};
use connect4_rules::{ByPlayer, ShapeSpec};

use crate::board::Board;
use crate::error::Fault;
use crate::record::{Record, Step};

/// The terms of a game that was signed with version 0.2 of this program. Their bytes are those that were signed: each
/// number is big-endian, and a bank of 0 is no clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EarlierTerms {
    accounts: [Address; 2],
    rules: VariantSpec,
    pool: u16,
    programs: ByPlayer<bool>,
    clock: Option<ClockSpec>,
    time: u64,
    nonce: u32,
}

impl Decode for EarlierTerms {
    fn decode<I: codec::Input>(input: &mut I) -> Result<Self, codec::Error> {
        if u8::decode(input)? != 1 {
            return Err("terms of another version".into());
        }
        let accounts = Decode::decode(input)?;
        // Whose keys signed is not looked at.
        <[Address; 2]>::decode(input)?;
        let [bins, capacity, line, may_swap] = Decode::decode(input)?;
        let shape = ShapeSpec {
            bins,
            capacity,
            line,
        };
        let pool = u16::from_be_bytes(Decode::decode(input)?);
        let [one, two] = <[bool; 2]>::decode(input)?;
        let bank = u32::from_be_bytes(Decode::decode(input)?);
        let increment = u32::from_be_bytes(Decode::decode(input)?);
        Ok(Self {
            accounts,
            rules: VariantSpec::of_two(shape, may_swap == 1),
            pool,
            programs: ByPlayer { one, two },
            clock: (bank > 0).then_some(ClockSpec { bank, increment }),
            time: u64::from_be_bytes(Decode::decode(input)?),
            nonce: u32::from_be_bytes(Decode::decode(input)?),
        })
    }
}

impl Record {
    /// A game of such terms, as far as both players had signed it. Nothing that they signed is checked.
    ///
    /// # Errors
    ///
    /// [`Fault::NotWritable`] if no game has such terms, then [`Fault::BadMove`].
    pub fn of_earlier(
        game: GameNumber,
        chain: u64,
        contract: Address,
        terms: &EarlierTerms,
        moves: &Moves,
    ) -> Result<Self, Fault> {
        let rules = Variant::try_from(terms.rules);
        let mut record = Self {
            earlier: Some(game.to_string()),
            chain: Some(chain),
            contract: Some(contract),
            players: vec![terms.accounts[0], terms.accounts[1]],
            clock: terms.clock,
            time: Some(terms.time),
            pool: terms.pool,
            programs: terms.programs,
            nonce: Some(terms.nonce),
            steps: moves.iter_moves().map(Step::Move).collect(),
            ..Self::new(rules.map_err(|_| Fault::NotWritable)?)
        };
        if let Some((end, winner)) = Board::after(&record)?.outcome() {
            record.end = Some(end);
            record.winner = winner;
        }
        Ok(record)
    }
}
