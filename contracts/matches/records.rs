//! Records as they are stored: each of one length, whose parts lie at fixed places.
//!
//! SCALE gives an `Option` one length or another, and derived code a branch for each: reading and
//! writing both records by it takes 2 kB of code more, which every call would pay for. What is stored
//! is read by this contract alone; messages and events are in SCALE.

use codec::{Decode, Encode, EncodeLike, Error, Input};
use connect4_protocol::{Address, Challenge, ClockSpec, DrawOffer, Match, Score, Terms};
use connect4_rules::{Player, ShapeSpec};

/// Bytes of a record. The alignment makes the parts aligned too: on the contract's machine an
/// unaligned number is moved byte by byte. `inline(never)` below keeps the alignment known.
#[derive(Clone, Copy)]
#[repr(align(16))]
pub struct Record<const LEN: usize>([u8; LEN]);

/// Value that is stored as a record of `LEN` bytes.
pub trait Stored<const LEN: usize>: Sized {
    /// The record of the value.
    fn record(&self) -> Record<LEN>;

    /// The value of a record that [`Self::record`] made. None for no other reason than that the
    /// compiler does not see that its parts add up to the length.
    fn value(record: &Record<LEN>) -> Option<Self>;
}

/// Storage item with the record of a `T`.
pub struct Item<T, const LEN: usize>(pub T);

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

/// The part of the storage that every call reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode)]
#[cfg_attr(
    feature = "std",
    derive(scale_info::TypeInfo, ink::storage::traits::StorageLayout)
)]
pub struct Root {
    /// Number of challenges made, and the number of the next one.
    pub made: u32,
    /// Newest open challenge; none if none is open.
    pub newest: Option<u32>,
    /// Contract of the games.
    pub games: Address,
}

/// As derived code reads it, but a function of its own: else the compiler moves the address by
/// `memmove`, whose 900 bytes nothing else needs.
impl Decode for Root {
    #[inline(never)]
    fn decode<I: Input>(input: &mut I) -> Result<Self, Error> {
        Ok(Self {
            made: Decode::decode(input)?,
            newest: Decode::decode(input)?,
            games: Decode::decode(input)?,
        })
    }
}

/// Open challenge, with the numbers of its neighbours in the list of open challenges. The links make
/// a page of the list cost the same however many challenges between them were closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Open {
    pub challenge: Challenge,
    pub older: Option<u32>,
    pub newer: Option<u32>,
}

/// The number that no game and no challenge has.
const NONE: u32 = u32::MAX;

/// The flags of a challenge.
const CHALLENGER_FIRST: u8 = 1;
const HAS_OPPONENT: u8 = 2;

impl Stored<84> for Open {
    #[inline(never)]
    fn record(&self) -> Record<84> {
        let Challenge {
            challenger,
            opponent,
            challenger_first,
            expires,
            terms,
        } = self.challenge;
        let mut flags = 0;
        if challenger_first {
            flags |= CHALLENGER_FIRST;
        }
        if opponent.is_some() {
            flags |= HAS_OPPONENT;
        }
        let shape = terms.shape;
        let mut record = Record([0; 84]);
        let bytes = &mut record.0;
        bytes[..16].copy_from_slice(&terms.stake.to_le_bytes());
        bytes[16..24].copy_from_slice(&expires.unwrap_or(u64::MAX).to_le_bytes());
        bytes[24..32].copy_from_slice(&of_clock(terms.clock));
        bytes[32..36].copy_from_slice(&self.older.unwrap_or(NONE).to_le_bytes());
        bytes[36..40].copy_from_slice(&self.newer.unwrap_or(NONE).to_le_bytes());
        bytes[40..60].copy_from_slice(&challenger.0);
        bytes[60..80].copy_from_slice(&opponent.unwrap_or_default().0);
        bytes[80..].copy_from_slice(&[shape.bins, shape.capacity, shape.line, flags]);
        record
    }

    #[inline(never)]
    fn value(Record(bytes): &Record<84>) -> Option<Self> {
        let (stake, bytes) = bytes.split_first_chunk()?;
        let (expires, bytes) = bytes.split_first_chunk()?;
        let (clock, bytes) = bytes.split_first_chunk()?;
        let (older, bytes) = bytes.split_first_chunk()?;
        let (newer, bytes) = bytes.split_first_chunk()?;
        let (challenger, bytes) = bytes.split_first_chunk()?;
        let (opponent, bytes) = bytes.split_first_chunk()?;
        let ([bins, capacity, line, flags], _) = bytes.split_first_chunk()?;
        let expires = u64::from_le_bytes(*expires);
        let challenge = Challenge {
            challenger: Address(*challenger),
            opponent: (flags & HAS_OPPONENT != 0).then_some(Address(*opponent)),
            challenger_first: flags & CHALLENGER_FIRST != 0,
            expires: (expires != u64::MAX).then_some(expires),
            terms: Terms {
                shape: ShapeSpec {
                    bins: *bins,
                    capacity: *capacity,
                    line: *line,
                },
                clock: clock_of(*clock),
                stake: u128::from_le_bytes(*stake),
            },
        };
        Some(Self {
            challenge,
            older: number_of(*older),
            newer: number_of(*newer),
        })
    }
}

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
fn of_clock(clock: Option<ClockSpec>) -> [u8; 8] {
    let (bank, increment) = clock.map_or((0, 0), |clock| (clock.bank, clock.increment));
    (u64::from(increment) << 32 | u64::from(bank)).to_le_bytes()
}

fn clock_of(bytes: [u8; 8]) -> Option<ClockSpec> {
    let both = u64::from_le_bytes(bytes);
    let (bank, increment) = (both as u32, (both >> 32) as u32);
    (bank != 0).then_some(ClockSpec { bank, increment })
}

fn number_of(bytes: [u8; 4]) -> Option<u32> {
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

#[cfg(test)]
#[allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test that panics fails"
)]
mod tests {
    use super::*;

    const CLOCKS: [Option<ClockSpec>; 2] = [
        None,
        Some(ClockSpec {
            bank: 300,
            increment: 0,
        }),
    ];
    const NUMBERS: [Option<u32>; 3] = [None, Some(0), Some(NONE - 1)];
    const PLAYERS: [Option<Player>; 3] = [None, Some(Player::One), Some(Player::Two)];

    /// What is stored, read back.
    fn kept<T: Stored<LEN>, const LEN: usize>(value: T) -> T {
        let item = Item(value).encode();
        assert_eq!(item.len(), LEN);
        let Item(read) = Decode::decode(&mut item.as_slice()).unwrap();
        assert!(
            Item::<T, LEN>::decode(&mut &item[1..]).is_err(),
            "too short"
        );
        read
    }

    #[test]
    fn a_challenge_is_read_as_it_was_stored() {
        // A challenge to the zero address is not one to anybody.
        let opponents = [None, Some(Address::default()), Some(Address([7; 20]))];
        for opponent in opponents {
            for clock in CLOCKS {
                for number in NUMBERS {
                    let open = Open {
                        challenge: Challenge {
                            challenger: Address([3; 20]),
                            opponent,
                            challenger_first: number.is_some(),
                            expires: number.map(u64::from),
                            terms: Terms {
                                shape: ShapeSpec {
                                    bins: 8,
                                    capacity: 7,
                                    line: 5,
                                },
                                clock,
                                stake: u128::MAX / 3,
                            },
                        },
                        older: number,
                        newer: NUMBERS[1],
                    };
                    assert_eq!(kept(open), open);
                }
            }
        }
    }

    #[test]
    fn a_match_is_read_as_it_was_stored() {
        for clock in CLOCKS {
            for next in NUMBERS {
                for rematch in PLAYERS {
                    for by in PLAYERS {
                        let state = Match {
                            stake: u128::MAX / 5,
                            settled: next.is_none(),
                            clock,
                            previous: Some(258),
                            next,
                            score: Score {
                                one: 1,
                                two: 515,
                                draws: u16::MAX,
                            },
                            draw: by.map(|by| DrawOffer { by, turns: 21 }),
                            rematch,
                        };
                        assert_eq!(kept(state), state);
                    }
                }
            }
        }
        assert_eq!(kept(Match::default()), Match::default());
    }
}
