//! Ends of signed games without a stake, as the records of such games tell of them.
//!
//! A game counts by its first record, in the order of the chain, [if it counts](crate::uncounted). Whose witnesses are
//! counted is the choice of a host, see [`Options::witnesses`](crate::Options::witnesses).

use connect4_client::{Address, H256};
use connect4_protocol::GameName;
use connect4_protocol::signed::event::GameRecorded;
use connect4_protocol::signed::{Pool, RecordsEvent};
use connect4_rules::notation;

use crate::finished::Finished;
use crate::game::{ByTerms, Ended, Folded, Told};
use crate::slot::Slot;
use crate::uncounted::{Contradiction, uncounted};

/// The event of the records of signed games on the chain with this first block; none of others.
pub fn event_of(told: &Told, genesis: H256) -> Option<RecordsEvent> {
    let event = told.event.of_signed_records()?;
    let of = match &event {
        RecordsEvent::GameRecorded(event) => event.genesis,
        RecordsEvent::WitnessContradicted(event) => event.genesis,
    };
    (of == genesis.0).then_some(event)
}

/// What a further event says of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard {
    Nothing,
    News,
    /// That its witness has contradicted itself, for the first time in this game.
    Contradiction,
}

/// A game whose end was recorded.
pub struct Ends {
    slot: Slot,
    /// The contract that has told of it first, in which block, and who has paid for it.
    contract: Address,
    started: u32,
    payer: Option<Address>,
    /// The end that is shown: the first one, or of a game without a witness the one with most moves.
    record: GameRecorded,
    /// Block and place of that record, and the time of the block.
    at: (u32, u32),
    time: Option<u64>,
    is_contradicted: bool,
}

impl Ends {
    pub fn new(slot: Slot, told: &Told, record: GameRecorded) -> Self {
        Self {
            slot,
            contract: told.event.contract,
            started: told.block,
            payer: told.payer,
            record,
            at: (told.block, told.event.place),
            time: told.time,
            is_contradicted: false,
        }
    }

    /// The game that these events of it, in the chain's order, tell; none if its first record is not among them.
    pub fn of(slot: Slot, events: &[Told]) -> Option<Self> {
        let mut ends: Option<Self> = None;
        for told in events {
            match (&mut ends, told.event.of_signed_records()?) {
                (Some(ends), event) => _ = ends.add(told, event),
                (None, RecordsEvent::GameRecorded(record)) => {
                    ends = Some(Self::new(slot, told, record));
                }
                (None, RecordsEvent::WitnessContradicted(_)) => {}
            }
        }
        ends
    }

    /// Adds an event of the game, behind all others.
    pub fn add(&mut self, told: &Told, event: RecordsEvent) -> Heard {
        let contradicts = match event {
            RecordsEvent::WitnessContradicted(_) => true,
            RecordsEvent::GameRecorded(record) if record.terms.witness.is_none() => {
                if record.moves.turns() <= self.record.moves.turns() {
                    return Heard::Nothing;
                }
                self.record = record;
                self.at = (told.block, told.event.place);
                self.time = told.time;
                return Heard::News;
            }
            // Two records that differ are two ends, and each has the signature of the witness.
            RecordsEvent::GameRecorded(record) => record != self.record,
        };
        if !contradicts || self.is_contradicted {
            return Heard::Nothing;
        }
        self.is_contradicted = true;
        Heard::Contradiction
    }

    pub const fn slot(&self) -> Slot {
        self.slot
    }

    pub const fn record(&self) -> &GameRecorded {
        &self.record
    }

    /// Block and place of the record that is shown.
    pub const fn at(&self) -> (u32, u32) {
        self.at
    }

    /// Number of the pool for whose ratings it counts.
    pub fn pool(&self) -> u16 {
        Pool::counted(&self.record.terms)
    }

    fn finished(&self) -> Option<Finished> {
        let GameRecorded {
            player_one,
            player_two,
            terms,
            moves,
            end,
            winner,
            ..
        } = self.record;
        let players = [player_one, player_two];
        let mut finished =
            Finished::of_two(players, terms.shape, moves.turns().into(), winner, end)?;
        // Players of a pool of larger boards are rated there on these.
        let pool = Pool::of(self.pool());
        finished.is_standard |= pool.is_some_and(|pool| pool.shapes().is_some());
        let programs = [terms.programs.one, terms.programs.two];
        finished.mark_programs(programs);
        Some(finished)
    }

    /// The game as other games are written.
    pub fn folded(&self, contradictions: &[Contradiction]) -> Folded {
        let record = &self.record;
        let terms = &record.terms;
        let uncounted = uncounted(record, self.at, self.time, contradictions);
        let mut folded = Folded::new(
            self.slot,
            GameName::Terms(record.game),
            self.contract,
            (self.started, Some(terms.time)),
            terms.shape,
            vec![record.player_one, record.player_two],
        );
        folded.clock = terms.clock.map(|clock| (clock.bank, clock.increment));
        let ended = record.at.map(|at| at / 1000).or(self.time);
        folded.moved = ended;
        folded.plies = record.moves.turns().into();
        folded.moves = notation::write(record.moves.iter_moves().collect::<Vec<_>>()).to_string();
        let (block, place) = self.at;
        folded.ended = Some(Ended {
            block,
            place,
            time: ended,
            how: record.end.to_string(),
            winner: record.winner,
            finished: match uncounted {
                None => self.finished(),
                Some(_) => None,
            },
        });
        folded.by_terms = Some(ByTerms {
            pool: self.pool(),
            pie_rule: terms.pie_rule,
            programs: [terms.programs.one, terms.programs.two],
            recorded_by: self.payer,
            witness: terms.witness,
            event: terms.event.map(H256),
            previous: terms.previous,
            at: record.at,
            uncounted,
        });
        folded
    }
}
/// The game that its events, in the chain's order, tell; none if its start is not among them. Whether a signed game
/// counts depends on the contradictions about it and of its witness.
pub fn folded(slot: Slot, events: &[Told], contradictions: &[Contradiction]) -> Option<Folded> {
    match slot.is_of_ends() {
        true => Some(Ends::of(slot, events)?.folded(contradictions)),
        false => Folded::of(slot, events),
    }
}
