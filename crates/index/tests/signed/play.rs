//! Games by signed terms as the contracts would tell of them, and an index to which such events are added.

use std::collections::BTreeMap;

use codec::Encode;
use connect4_client::{Address, BlockRef, Blocks, Emitted, H256, ReadBlock};
use connect4_index::Index;
use connect4_protocol::End;
use connect4_protocol::event::{
    Advanced, GameEnded, GameRecorded, GameStarted, MatchStarted, SessionKeysNamed, StartedByTerms,
};
use connect4_protocol::fast::{GameNumber, GameTerms, Moves, PackedTerms, Party};
use connect4_protocol::message::ContractKind;
use connect4_rules::{ByPlayer, Cells, Player, Shape};

use crate::common::World;

pub const DAY: u64 = 24 * 60 * 60;
/// Time of the first block.
pub const BORN: u64 = 1_700_000_000;
pub const RECORDS: Address = Address([0xee; 20]);

/// What a transaction emits.
pub type Emissions = Vec<([u8; 32], Vec<u8>, bool)>;

pub fn of<E: Encode>(declaration: &str, event: &E, by_records: bool) -> ([u8; 32], Vec<u8>, bool) {
    (
        connect4_protocol::topic(declaration),
        event.encode(),
        by_records,
    )
}

/// A game by signed terms, and what the contracts would emit of it.
#[derive(Clone, Copy)]
pub struct Play {
    pub number: GameNumber,
    pub terms: GameTerms,
    pub fast: Address,
}

impl Play {
    pub fn new(fast: Address, nonce: u8, [one, two]: [Address; 2], time: u64) -> Self {
        Self {
            number: GameNumber([nonce; 32]),
            terms: GameTerms {
                players: ByPlayer {
                    one: Party::Guest(one),
                    two: Party::Guest(two),
                },
                shape: Shape::STANDARD.into(),
                pie_rule: true,
                pool: 4,
                programs: ByPlayer {
                    one: false,
                    two: true,
                },
                clock: None,
                time,
                nonce: nonce.into(),
            },
            fast,
        }
    }

    pub fn account(&self, player: Player) -> Address {
        self.terms.players.get(player).account()
    }

    pub fn record(&self, moves: &[u8], end: Option<End>, winner: Option<Player>) -> Emissions {
        let event = GameRecorded {
            number: self.number,
            player_one: self.account(Player::One),
            player_two: self.account(Player::Two),
            fast: self.fast,
            terms: PackedTerms::from(&self.terms),
            moves: Moves::from_bins(moves).unwrap(),
            end,
            winner: winner.map(|winner| self.account(winner)),
        };
        vec![of(GameRecorded::DECLARATION, &event, true)]
    }

    pub fn start(&self, game: u32) -> Emissions {
        let started = GameStarted {
            game,
            player_one: self.account(Player::One),
            player_two: self.account(Player::Two),
            shape: self.terms.shape,
        };
        let keys = SessionKeysNamed {
            game,
            one: self.account(Player::One),
            two: self.account(Player::Two),
            pie_rule: self.terms.pie_rule,
        };
        let matched = MatchStarted {
            game,
            challenge: None,
            previous: None,
            clock: None,
            stake: 0,
        };
        let by_terms = StartedByTerms {
            game,
            number: self.number,
            fast: self.fast,
            terms: PackedTerms::from(&self.terms),
        };
        vec![
            of(GameStarted::DECLARATION, &started, false),
            of(SessionKeysNamed::DECLARATION, &keys, false),
            of(MatchStarted::DECLARATION, &matched, false),
            of(StartedByTerms::DECLARATION, &by_terms, true),
        ]
    }

    pub fn advance(&self, game: u32, moves: &[u8]) -> Emissions {
        let moves = Moves::from_bins(moves).unwrap();
        vec![of(Advanced::DECLARATION, &Advanced { game, moves }, false)]
    }

    pub fn end(&self, game: u32, end: End, winner: Player) -> Emissions {
        let event = GameEnded {
            game,
            winner: Some(self.account(winner)),
            end,
            winning_cells: Cells::EMPTY,
        };
        vec![of(GameEnded::DECLARATION, &event, false)]
    }
}

/// An index, and the blocks that are added to it.
pub struct Chain {
    pub index: Index,
    pub fast: Address,
    pub next: u32,
    pub fork: u8,
}

pub fn hash(number: u32, fork: u8) -> H256 {
    let mut bytes = [fork; 32];
    bytes[..4].copy_from_slice(&number.to_be_bytes());
    H256(bytes)
}

impl Chain {
    pub fn new(index: Index, fast: Address) -> Self {
        Self {
            index,
            fast,
            next: 1,
            fork: 0,
        }
    }

    pub fn block(&self, number: u32, time: u64, emissions: Emissions) -> ReadBlock {
        let events = (0..).zip(emissions);
        ReadBlock {
            block: BlockRef {
                number,
                hash: hash(number, self.fork),
            },
            time: Some(time),
            events: events
                .map(|(place, (topic, data, by_records))| Emitted {
                    contract: if by_records { RECORDS } else { self.fast },
                    index: 0,
                    place,
                    topic,
                    data,
                })
                .collect(),
            fees: BTreeMap::from([(0, 7)]),
            payers: BTreeMap::from([(0, Address([number as u8; 20]))]),
        }
    }

    /// Adds blocks at once, each with a time and what it emits.
    pub async fn add(&mut self, blocks: Vec<(u64, Emissions)>) {
        if blocks.is_empty() {
            return;
        }
        let first = self.next;
        self.next += blocks.len() as u32;
        let last = BlockRef {
            number: self.next - 1,
            hash: hash(self.next - 1, self.fork),
        };
        let blocks = (first..).zip(blocks);
        let blocks = blocks.map(|(number, (time, emissions))| self.block(number, time, emissions));
        let read = Blocks {
            blocks: blocks.collect(),
            gaps: Vec::new(),
            last: Some(last),
            best: last,
            finalized: 0,
        };
        self.index.add(&read).await.unwrap();
    }

    pub async fn retract(&mut self, last: u32) {
        self.index.retract(last).await.unwrap();
        self.next = last + 1;
    }
}

pub fn fast(world: &World) -> Address {
    world.contract.address_of(ContractKind::Fast).unwrap()
}

pub async fn at(world: &World, folder: &tempfile::TempDir, name: &str) -> (Chain, String) {
    let url = format!("sqlite:{}", folder.path().join(name).display());
    (Chain::new(world.open(&url).await, fast(world)), url)
}
