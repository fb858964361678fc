//! Records as they are stored: each of one length, whose parts lie at fixed places.
//!
//! SCALE gives an `Option` one length or another, and derived code a branch for each: the contract of
//! the matches reads and writes its two records by it with 2 kB of code more, which every call would
//! pay for. What is stored is read by the contract that stored it alone; messages and events are in
//! SCALE.

use codec::{Decode, Encode, EncodeLike, Error, Input};
use connect4_protocol::{ClockSpec, DrawOffer, Match, Score};
use connect4_rules::Player;

/// Bytes of a record. The alignment makes the parts aligned too: on the contract's machine an
/// unaligned number is moved byte by byte. `inline(never)` below keeps the alignment known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(16))]
pub struct Record<const LEN: usize>(
    /// The bytes.
    pub [u8; LEN],
);

/// Value that is stored as a record of `LEN` bytes.
pub trait Stored<const LEN: usize>: Sized {
    /// The record of the value.
    fn record(&self) -> Record<LEN>;

    /// The value of a record that [`Self::record`] made. None for no other reason than that the
    /// compiler does not see that its parts add up to the length.
    fn value(record: &Record<LEN>) -> Option<Self>;
}

/// Storage item with the record of a `T`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item<T, const LEN: usize>(
    /// The value.
    pub T,
);

impl<T: Stored<LEN>, const LEN: usize> Encode for Item<T, LEN> {
    fn using_encoded<R, F: FnOnce(&[u8]) -> R>(&self, f: F) -> R {
        f(&self.0.record().0)
    }
}

impl<T: Stored<LEN>, const LEN: usize> EncodeLike for Item<T, LEN> {}

impl<T: Stored<LEN>, const LEN: usize> Decode for Item<T, LEN> {
    fn decode<I: Input>(input: &mut I) -> Result<Self, Error> {
        let mut record = Record([0; LEN]);
        input.read(&mut record.0)?;
        T::value(&record)
            .map(Self)
            .ok_or_else(|| "no record".into())
    }
}

#[cfg(feature = "std")]
impl<T: 'static, const LEN: usize> scale_info::TypeInfo for Item<T, LEN> {
    type Identity = [u8; LEN];

    fn type_info() -> scale_info::Type {
        <[u8; LEN]>::type_info()
    }
}

#[cfg(feature = "std")]
impl<T, const LEN: usize> ink::storage::traits::StorageLayout for Item<T, LEN> {
    fn layout(key: &ink::primitives::Key) -> ink::metadata::layout::Layout {
        use ink::metadata::layout::{Layout, LayoutKey, LeafLayout};
        Layout::Leaf(LeafLayout::from_key::<[u8; LEN]>(LayoutKey::from(*key)))
    }
}

/// The number that no game and no challenge has.
pub const NONE: u32 = u32::MAX;

impl Stored<42> for Match {
    #[inline(never)]
    fn record(&self) -> Record<42> {
        let (by, turns) = self
            .draw
            .map_or((None, 0), |draw| (Some(draw.by), draw.turns));
        let Score { one, two, draws } = self.score;
        let mut record = Record([0; 42]);
        let bytes = &mut record.0;
        bytes[..16].copy_from_slice(&self.stake.to_le_bytes());
        bytes[16..24].copy_from_slice(&of_clock(self.clock));
        bytes[24..28].copy_from_slice(&self.previous.unwrap_or(NONE).to_le_bytes());
        bytes[28..32].copy_from_slice(&self.next.unwrap_or(NONE).to_le_bytes());
        bytes[32..34].copy_from_slice(&one.to_le_bytes());
        bytes[34..36].copy_from_slice(&two.to_le_bytes());
        bytes[36..38].copy_from_slice(&draws.to_le_bytes());
        let flags = [u8::from(self.settled), seat(by), turns, seat(self.rematch)];
        bytes[38..].copy_from_slice(&flags);
        record
    }

    #[inline(never)]
    fn value(Record(bytes): &Record<42>) -> Option<Self> {
        let (stake, bytes) = bytes.split_first_chunk()?;
        let (clock, bytes) = bytes.split_first_chunk()?;
        let (previous, bytes) = bytes.split_first_chunk()?;
        let (next, bytes) = bytes.split_first_chunk()?;
        let (one, bytes) = bytes.split_first_chunk()?;
        let (two, bytes) = bytes.split_first_chunk()?;
        let (draws, bytes) = bytes.split_first_chunk()?;
        let ([settled, by, turns, rematch], _) = bytes.split_first_chunk()?;
        Some(Self {
            stake: u128::from_le_bytes(*stake),
            settled: *settled != 0,
            clock: clock_of(*clock),
            previous: number_of(*previous),
            next: number_of(*next),
            score: Score {
                one: u16::from_le_bytes(*one),
                two: u16::from_le_bytes(*two),
                draws: u16::from_le_bytes(*draws),
            },
            draw: player(*by).map(|by| DrawOffer { by, turns: *turns }),
            rematch: player(*rematch),
        })
    }
}

/// A clock, or zeros, which are none: a bank has a second at least.
#[must_use]
pub fn of_clock(clock: Option<ClockSpec>) -> [u8; 8] {
    let (bank, increment) = clock.map_or((0, 0), |clock| (clock.bank, clock.increment));
    (u64::from(increment) << 32 | u64::from(bank)).to_le_bytes()
}

/// The clock of these bytes.
#[must_use]
pub fn clock_of(bytes: [u8; 8]) -> Option<ClockSpec> {
    let both = u64::from_le_bytes(bytes);
    let (bank, increment) = (both as u32, (both >> 32) as u32);
    (bank != 0).then_some(ClockSpec { bank, increment })
}

/// The number of these bytes.
#[must_use]
pub fn number_of(bytes: [u8; 4]) -> Option<u32> {
    let number = u32::from_le_bytes(bytes);
    (number != NONE).then_some(number)
}

/// A player or nobody in one byte.
fn seat(player: Option<Player>) -> u8 {
    match player {
        None => 0,
        Some(Player::One) => 1,
        Some(Player::Two) => 2,
    }
}

fn player(seat: u8) -> Option<Player> {
    match seat {
        1 => Some(Player::One),
        2 => Some(Player::Two),
        _ => None,
    }
}
