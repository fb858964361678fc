//! Games by signed terms as records.

use alloc::vec;

use connect4_protocol::GameName;
use connect4_protocol::fast::{
    AccountCrypto, Domain, Ending, GameNumber, GameTerms, PlayedGame, RecordedGame,
};
use connect4_rules::variant::{Variant, VariantSpec};
use connect4_rules::{ByPlayer, Shape};

use crate::error::Fault;
use crate::record::{Record, Signed, Step};
use crate::time::Time;

impl Record {
    /// The record of a game by signed terms.
    ///
    /// # Errors
    ///
    /// [`Fault::Refused`] if what is signed makes no game, and [`Fault::NotWritable`] if it cannot be written.
    pub fn of_played(
        played: &PlayedGame,
        domain: &Domain,
        crypto: &impl AccountCrypto,
    ) -> Result<Self, Fault> {
        let (number, made) = played.check(domain, crypto)?;
        let PlayedGame {
            terms,
            sessions,
            evidence,
        } = played;
        if matches!(evidence.ending, Some(Ending::Press { .. })) {
            return Err(Fault::NotWritable);
        }
        let ByPlayer { one, two } = terms.players;
        Ok(Self {
            signed: Some(Signed {
                keys: ByPlayer {
                    one: one.key(),
                    two: two.key(),
                },
                sessions: *sessions,
                version: domain.version,
                ending: evidence.ending,
                signatures: evidence.signatures,
            }),
            steps: evidence.moves.iter_moves().map(Step::Move).collect(),
            end: made.end(),
            winner: made.winner().map(|player| player as u8),
            ..Self::of_terms(terms, number, domain)?
        })
    }

    /// The start of a game by signed terms, without what is signed.
    ///
    /// # Errors
    ///
    /// [`Fault::Refused`] if the board is out of bounds, and [`Fault::NotWritable`] if the time is too late.
    pub fn of_terms(terms: &GameTerms, number: GameNumber, domain: &Domain) -> Result<Self, Fault> {
        Ok(Self {
            contract: Some(domain.contract),
            ..Self::at_start(terms, number, domain.chain_id)?
        })
    }

    /// What the terms of both kinds of games that players have signed say alike.
    pub(crate) fn at_start(
        terms: &GameTerms,
        number: GameNumber,
        chain: u64,
    ) -> Result<Self, Fault> {
        let shape = Shape::try_from(terms.shape).map_err(connect4_protocol::Error::from)?;
        let rules = Variant::try_from(VariantSpec {
            pie_rule: terms.pie_rule,
            ..VariantSpec::classic(shape)
        });
        if Time::new(terms.time).is_none() {
            return Err(Fault::NotWritable);
        }
        let ByPlayer { one, two } = terms.players;
        Ok(Self {
            game: Some(GameName::Terms(number)),
            chain: Some(chain),
            players: vec![one.account(), two.account()],
            clock: terms.clock,
            time: Some(terms.time),
            pool: terms.pool,
            programs: terms.programs,
            nonce: Some(terms.nonce),
            ..Self::new(rules.map_err(|_| Fault::NotWritable)?)
        })
    }

    /// The record of a game as the contract of the records takes it.
    ///
    /// # Errors
    ///
    /// As [`Record::of_played`].
    pub fn of_recorded(
        recorded: &RecordedGame,
        domain: &Domain,
        crypto: &impl AccountCrypto,
    ) -> Result<Self, Fault> {
        // By the terms' own time: how long ago they were made is for the contract to judge.
        let (terms, ..) = recorded.check(domain, crypto, recorded.time())?;
        let played = PlayedGame {
            terms: terms.terms().ok_or(Fault::NotWritable)?,
            sessions: recorded.players.map(|player| player.signed_session()),
            evidence: recorded.evidence,
        };
        Self::of_played(&played, domain, crypto)
    }
}
