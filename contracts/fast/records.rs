//! Records as they are stored: each of one length, whose parts lie at fixed places.

use codec::{Decode, Encode, Input};
use connect4_contract::records::{Record, Stored};
use connect4_protocol::{
    Address, Game, Match,
    fast::{Banks, ByTerms, FastGame, GameNumber},
};
use connect4_rules::ByPlayer;

/// The part of the storage that every call reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode)]
#[cfg_attr(
    feature = "std",
    derive(scale_info::TypeInfo, ink::storage::traits::StorageLayout)
)]
pub struct Root {
    /// Number of games started.
    pub started: u32,
    /// Contract of the matches.
    pub referee: Address,
}

/// As derived code reads it, but a function of its own: else the compiler moves the address by
/// `memmove`, whose 900 bytes nothing else needs.
impl Decode for Root {
    #[inline(never)]
    fn decode<I: Input>(input: &mut I) -> Result<Self, codec::Error> {
        Ok(Self {
            started: Decode::decode(input)?,
            referee: Decode::decode(input)?,
        })
    }
}

/// A game with its match state, in one item: most calls read and write both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    pub fast: FastGame,
    pub state: Match,
    /// Session key that was named with the offer of a rematch.
    pub rematch_key: Address,
}

/// What is stored of a clock that does not stand still.
const RUNNING: Banks = Banks {
    left: ByPlayer { one: 0, two: 0 },
    increment: 0,
};

/// The flags of a game.
const BY_TERMS: u8 = 1;
const PIE_RULE: u8 = 2;

impl Stored<239> for Played {
    #[inline(never)]
    fn record(&self) -> Record<239> {
        let FastGame {
            game,
            keys,
            stopped,
            contest,
            by_terms,
            pie_rule,
        } = &self.fast;
        let Banks { left, increment } = stopped.unwrap_or(RUNNING);
        let mut record = Record([0; 239]);
        let bytes = &mut record.0;
        let mut kind = 0;
        bytes[..42].copy_from_slice(&self.state.record().0);
        bytes[42] = u8::from(stopped.is_some());
        bytes[44..48].copy_from_slice(&left.one.to_le_bytes());
        bytes[48..52].copy_from_slice(&left.two.to_le_bytes());
        bytes[52..56].copy_from_slice(&increment.to_le_bytes());
        bytes[56..64].copy_from_slice(&contest.unwrap_or(0).to_le_bytes());
        bytes[64..84].copy_from_slice(&keys.one.0);
        bytes[84..104].copy_from_slice(&keys.two.0);
        bytes[104..124].copy_from_slice(&self.rematch_key.0);
        game.using_encoded(|game| bytes[124..].copy_from_slice(game));
        // In the place of the stake, the other games of a series and the key of a rematch, none of which
        // such a game has.
        if let Some(ByTerms {
            number: GameNumber(number),
            time,
        }) = by_terms
        {
            kind = BY_TERMS;
            bytes[..16].copy_from_slice(&number[..16]);
            bytes[108..124].copy_from_slice(&number[16..]);
            bytes[24..32].copy_from_slice(&time.to_le_bytes());
        }
        if *pie_rule {
            kind |= PIE_RULE;
        }
        bytes[43] = kind;
        record
    }

    #[inline(never)]
    fn value(Record(bytes): &Record<239>) -> Option<Self> {
        let (state, bytes) = bytes.split_first_chunk()?;
        let ([stands, kind], bytes) = bytes.split_first_chunk()?;
        let (one, bytes) = bytes.split_first_chunk()?;
        let (two, bytes) = bytes.split_first_chunk()?;
        let (increment, bytes) = bytes.split_first_chunk()?;
        let (contest, bytes) = bytes.split_first_chunk()?;
        let (key_one, bytes) = bytes.split_first_chunk()?;
        let (key_two, bytes) = bytes.split_first_chunk()?;
        let (rematch_key, mut bytes) = bytes.split_first_chunk()?;
        let contest = u64::from_le_bytes(*contest);
        let banks = Banks {
            left: ByPlayer {
                one: u32::from_le_bytes(*one),
                two: u32::from_le_bytes(*two),
            },
            increment: u32::from_le_bytes(*increment),
        };
        let mut state = Record(*state);
        let mut by_terms = None;
        if kind & BY_TERMS != 0 {
            let (low, rest) = state.0.split_first_chunk::<16>()?;
            let (_, rest) = rest.split_first_chunk::<8>()?;
            let (time, _) = rest.split_first_chunk::<8>()?;
            let mut number = GameNumber::default();
            number.0[..16].copy_from_slice(low);
            number.0[16..].copy_from_slice(&rematch_key[4..]);
            by_terms = Some(ByTerms {
                number,
                time: u64::from_le_bytes(*time),
            });
            state.0[..16].fill(0);
            state.0[24..32].fill(u8::MAX);
        }
        Some(Self {
            fast: FastGame {
                game: Game::decode(&mut bytes).ok()?,
                keys: ByPlayer {
                    one: Address(*key_one),
                    two: Address(*key_two),
                },
                stopped: (*stands != 0).then_some(banks),
                // No block is of the second 0.
                contest: (contest != 0).then_some(contest),
                by_terms,
                pie_rule: kind & PIE_RULE != 0,
            },
            state: Match::value(&state)?,
            rematch_key: match kind & BY_TERMS {
                0 => Address(*rematch_key),
                _ => Address::ZERO,
            },
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics fails")]
mod tests {
    use connect4_contract::records::Item;
    use connect4_protocol::{ClockSpec, fast::Agreed};
    use connect4_rules::{Bin, Shape};

    use super::*;

    #[test]
    fn a_game_is_read_as_it_was_stored() {
        let [alice, bob, key, other] = [1, 2, 3, 4].map(|byte| Address([byte; 20]));
        let bank = ClockSpec {
            bank: 300,
            increment: 7,
        };
        for (clock, pie_rule) in [(None, true), (Some(bank), false), (Some(bank), true)] {
            let agreed = Agreed {
                players: ByPlayer {
                    one: alice,
                    two: bob,
                },
                keys: ByPlayer {
                    one: key,
                    two: other,
                },
                payer: bob,
                shape: Shape::STANDARD.into(),
                clock,
                pie_rule,
            };
            let started = FastGame::start(&agreed).unwrap();
            let mut moved = started;
            moved.drop(alice, Bin::new(3), 1_000).unwrap();
            let mut won = moved;
            won.contest = Some(77);
            let by_terms = FastGame {
                by_terms: Some(ByTerms {
                    number: GameNumber(core::array::from_fn(|place| place as u8 + 1)),
                    time: 0x0102_0304_0506_0708,
                }),
                ..won
            };
            for fast in [started, moved, won, by_terms] {
                let is_chains = fast.by_terms.is_none();
                let stored = Played {
                    fast,
                    state: Match {
                        stake: if is_chains { 7 } else { 0 },
                        clock,
                        ..Match::default()
                    },
                    rematch_key: if is_chains { other } else { Address::ZERO },
                };
                let item = Item(stored).encode();
                assert_eq!(item.len(), 239);
                assert_eq!(Item::decode(&mut item.as_slice()), Ok(Item(stored)));
            }
        }
    }
}
