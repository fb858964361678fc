//! Ends of signed games without a stake, as the records of such games tell of them, and what of them counts.
//!
//! A game counts by its first record, in the order of the chain. All that follows from the chain is here; whose witnesses
//! are counted is the choice of a host, see [`Options::witnesses`](crate::Options::witnesses).

use std::str::FromStr;

use connect4_client::{Address, H256};
use connect4_protocol::GameName;
use connect4_protocol::fast::{GameTerms, Pool};
use connect4_protocol::signed::event::GameRecorded;
use connect4_protocol::signed::{GameNumber, RecordsEvent, Terms};
use connect4_rules::notation;

use crate::error::Error;
use crate::game::{ByTerms, Ended, Folded, Told};
use crate::slot::Slot;
use crate::standings::Finished;

/// How much later than the block of its record a game can have ended, in seconds: the clocks of witness and chain differ.
pub const MOST_AHEAD: u64 = 10 * 60;
/// How much earlier than that block it can have ended, in seconds: as long as a witness keeps its end.
pub const MOST_BEHIND: u64 = connect4_protocol::signed::wire::KEPT;

/// Why a game whose end was recorded counts for nothing: the first of these that applies, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uncounted {
    /// It has no witness: both players have told its end, and nobody else.
    NoWitness,
    /// Its witness has contradicted itself: about this game, or in an earlier place of the chain about any.
    Contradicted,
    /// Its end is far from the time of the block of its record, or that time is not known.
    OtherTime,
}

impl Uncounted {
    const ALL: [Self; 3] = [Self::NoWitness, Self::Contradicted, Self::OtherTime];

    /// Its name, as the index and its readers write it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NoWitness => "no witness",
            Self::Contradicted => "contradicted",
            Self::OtherTime => "other time",
        }
    }
}

impl FromStr for Uncounted {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let named = Self::ALL.into_iter().find(|why| why.name() == text);
        named.ok_or(())
    }
}

/// That a witness has contradicted itself, as the chain tells first of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contradiction {
    pub witness: Address,
    pub game: GameNumber,
    /// Number of the block, and place among its events.
    pub at: (u32, u32),
}

/// Whether a game counts, as it was recorded at a place of the chain and at a time of it, in seconds since 1970; none if
/// it does.
pub fn uncounted(
    record: &GameRecorded,
    place: (u32, u32),
    time: Option<u64>,
    contradictions: &[Contradiction],
) -> Option<Uncounted> {
    let Some((witness, at)) = record.terms.witness.zip(record.at) else {
        return Some(Uncounted::NoWitness);
    };
    let mut of_witness = contradictions.iter().filter(|it| it.witness == witness);
    if of_witness.any(|it| it.game == record.game || it.at < place) {
        return Some(Uncounted::Contradicted);
    }
    let in_milliseconds = |seconds: u64| seconds.saturating_mul(1000);
    let is_near = time.is_some_and(|time| {
        let earliest = in_milliseconds(time.saturating_sub(MOST_BEHIND));
        let latest = in_milliseconds(time.saturating_add(MOST_AHEAD));
        (earliest..=latest).contains(&at)
    });
    (!is_near).then_some(Uncounted::OtherTime)
}

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
        Pool::counted(&as_sought(&self.record.terms))
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
            Finished::classic(players, terms.shape, moves.turns().into(), winner, end)?;
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
            dispute: None,
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

/// The terms as a pool looks at them.
const fn as_sought(terms: &Terms) -> GameTerms {
    GameTerms {
        players: terms.players,
        shape: terms.shape,
        pie_rule: terms.pie_rule,
        pool: terms.pool,
        programs: terms.programs,
        clock: terms.clock,
        time: terms.time,
        nonce: terms.nonce,
    }
}

/// Reads what [`Uncounted::name`] writes.
pub fn read_uncounted(text: Option<String>) -> Result<Option<Uncounted>, Error> {
    let read = |text: String| {
        let named = text.parse::<Uncounted>();
        named.map_err(|()| Error::Row(format!("{text:?} is no reason")))
    };
    text.map(read).transpose()
}
