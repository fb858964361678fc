//! Records as they are stored: each of one length, whose parts lie at fixed places.

use codec::{Decode, Encode, Input};
use connect4_contract::records::{NONE, Record, Stored, clock_of, number_of, of_clock};
use connect4_protocol::{Address, Challenge, Terms};
use connect4_rules::ShapeSpec;

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
    fn decode<I: Input>(input: &mut I) -> Result<Self, codec::Error> {
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

#[cfg(test)]
#[allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test that panics fails"
)]
mod tests {
    use connect4_contract::records::Item;
    use connect4_protocol::{ClockSpec, DrawOffer, Match, Score};
    use connect4_rules::Player;

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
