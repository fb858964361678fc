//! Games by signed terms, by all that is on the chain about them.
//!
//! There can be any number of records of such a game, and one dispute, in any order. What is kept of them is
//! as much as the result depends on, so that one more record costs the same however many there were.

use codec::{Decode, Encode};
use connect4_client::{Address, Event, GameId};
use connect4_protocol::event::{Advanced, ClockPressed, GameEnded, GameRecorded, StartedByTerms};
use connect4_protocol::fast::{GameNumber, GameTerms, Moves, PackedTerms, Piece, Pool, Results};
use connect4_protocol::signed::Terms;
use connect4_protocol::{End, GameName};
use connect4_rules::{Player, notation};
use sqlx::any::AnyRow;

use crate::error::Error;
use crate::finished::{Finished, GameResult};
use crate::game::{self, ByTerms, Ended, Folded, Told};
use crate::slot::Slot;
use crate::sql::{self, Value};

/// For how long a timeout changes no rating, in seconds: a day, in which the later moves that both have
/// signed can be recorded.
pub const DAY: u64 = 24 * 60 * 60;

/// Columns of the table of games by signed terms.
pub const COLUMNS: [&str; 13] = [
    "line",
    "number",
    "digest",
    "pool",
    "time",
    "one",
    "two",
    "result",
    "is_standard",
    "is_short",
    "programs",
    "counts_from",
    "state",
];

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
struct Dispute {
    /// Number of the game on the chain.
    number: u32,
    moves: Moves,
    end: Option<(End, Option<Player>)>,
    deadline: Option<u64>,
    freed: bool,
}

/// Where something is on the chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
struct At {
    block: u32,
    place: u32,
    time: Option<u64>,
}

impl At {
    const fn of(told: &Told) -> Self {
        Self {
            block: told.block,
            place: told.event.place,
            time: told.time,
        }
    }
}

/// What is known of a game besides its terms.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
struct State {
    /// Contract of the fast games for which all was signed.
    contract: Address,
    terms: PackedTerms,
    started: At,
    /// Time of the last event that has changed anything.
    moved: Option<u64>,
    /// Who has paid for the first record, if there is one and that is known.
    recorded: Option<Option<Address>>,
    /// Those of the pieces that were recorded on which the result depends.
    pieces: Vec<(Moves, Option<End>, Option<Player>)>,
    dispute: Option<Dispute>,
    /// Where the result was told first; none before the end.
    ended: Option<At>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signed {
    pub slot: Slot,
    number: GameNumber,
    terms: GameTerms,
    state: State,
}

/// When and for whom a game counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    pub slot: Slot,
    pub pool: u16,
    /// Time of the terms, by which the games of a pool are in order; then by the digest.
    pub time: u64,
    pub digest: String,
    pub finished: Finished,
    /// Time of the chain from which it counts.
    pub from: u64,
}

impl Counted {
    /// The game of a row of the table; none without a result.
    pub fn read(row: &AnyRow) -> Result<Option<Self>, Error> {
        let Some(result) = sql::maybe_text(row, "result")? else {
            return Ok(None);
        };
        let [one, two] = match result.as_str() {
            "one" => [GameResult::Won, GameResult::Lost],
            "two" => [GameResult::Lost, GameResult::Won],
            _ => [GameResult::Drawn, GameResult::Drawn],
        };
        let [one, two] = [
            (sql::parsed(row, "one")?, one),
            (sql::parsed(row, "two")?, two),
        ];
        let mut finished = Finished {
            players: vec![one, two],
            is_standard: sql::flag(row, "is_standard")?,
            is_short: sql::flag(row, "is_short")?,
            programs: Vec::new(),
        };
        finished.mark_programs(game::read_programs(row)?);
        Ok(Some(Self {
            slot: Slot::read(row)?,
            pool: sql::small(row, "pool")?,
            time: sql::small(row, "time")?,
            digest: sql::text(row, "digest")?,
            finished,
            from: sql::small(row, "counts_from")?,
        }))
    }
}

/// The terms as they are read. The contract takes a flag that is not 1 for one that is not set.
fn read_terms(packed: &PackedTerms) -> Option<GameTerms> {
    const FLAGS: [usize; 3] = [84, 87, 88];
    let mut packed = *packed;
    for flag in FLAGS {
        packed.0[flag] = u8::from(packed.0[flag] == 1);
    }
    packed.terms()
}

/// The terms of an event of the records, with the number of the game; none of other events.
pub fn terms_of(event: &Event) -> Option<(GameNumber, PackedTerms)> {
    let (number, terms) = match event {
        Event::GameRecorded(GameRecorded { number, terms, .. })
        | Event::StartedByTerms(StartedByTerms { number, terms, .. }) => (*number, *terms),
        _ => return None,
    };
    read_terms(&terms).map(|_| (number, terms))
}

/// The terms of a signed game as a pool looks at them.
pub const fn as_sought(terms: &Terms) -> GameTerms {
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

impl Signed {
    /// A game of which an event tells first.
    pub fn new(
        slot: Slot,
        number: GameNumber,
        contract: Address,
        terms: PackedTerms,
        told: &Told,
    ) -> Option<Self> {
        Some(Self {
            slot,
            number,
            terms: read_terms(&terms)?,
            state: State {
                contract,
                terms,
                started: At::of(told),
                moved: told.time,
                recorded: None,
                pieces: Vec::new(),
                dispute: None,
                ended: None,
            },
        })
    }

    /// The game that these events of it, in the chain's order, tell; none if none of them has the terms.
    pub fn of(slot: Slot, events: &[Told]) -> Option<Self> {
        let decoded = |told: &Told| told.event.decode().ok().flatten();
        let contract = events.iter().find_map(|told| told.event.fast())?;
        let (number, terms) = events.iter().find_map(|told| terms_of(&decoded(told)?))?;
        let mut signed = Self::new(slot, number, contract, terms, events.first()?)?;
        for told in events {
            signed.add(told);
        }
        Some(signed)
    }

    /// The game of a row with [`COLUMNS`].
    pub fn read(row: &AnyRow) -> Result<Self, Error> {
        let state = sql::bytes(row, "state")?;
        let unread = || Error::Row("the state of a game is not one".into());
        let state = State::decode(&mut &state[..]).map_err(|_| unread())?;
        Ok(Self {
            slot: Slot::read(row)?,
            number: sql::parsed(row, "digest")?,
            terms: read_terms(&state.terms).ok_or_else(unread)?,
            state,
        })
    }

    /// Adds an event of the game, behind all others. Returns whether it matters for anything: a record that
    /// says no more than the others does not.
    pub fn add(&mut self, told: &Told) -> bool {
        let Ok(Some(event)) = told.event.decode() else {
            return false;
        };
        let before = self.state.clone();
        let result = self.result();
        match event {
            Event::GameRecorded(event) => {
                self.state.recorded.get_or_insert(told.payer);
                let winner = event.winner.and_then(|winner| self.player_of(winner));
                self.add_piece((event.moves, event.end, winner));
            }
            Event::StartedByTerms(event) => {
                self.state.dispute = Some(Dispute {
                    number: event.game,
                    moves: Moves::new(),
                    end: None,
                    deadline: None,
                    freed: false,
                });
            }
            event => self.dispute(&event),
        }
        if self.state == before {
            return false;
        }
        self.state.moved = told.time;
        let now = self.result();
        if (now.end, now.winner) != (result.end, result.winner) {
            self.state.ended = now.end.map(|_| At::of(told));
        }
        true
    }

    fn dispute(&mut self, event: &Event) {
        let player_of = |winner| self.player_of(winner);
        let end = match event {
            Event::GameEnded(GameEnded { winner, end, .. }) => {
                Some((*end, winner.and_then(player_of)))
            }
            _ => None,
        };
        let Some(dispute) = &mut self.state.dispute else {
            return;
        };
        match event {
            Event::Advanced(Advanced { moves, .. }) => {
                dispute.moves = *moves;
                dispute.deadline = None;
            }
            Event::ClockPressed(ClockPressed { deadline, .. }) => {
                dispute.deadline = Some(*deadline);
            }
            Event::GameEnded(_) => dispute.end = end,
            Event::GameFreed(_) => dispute.freed = true,
            _ => {}
        }
    }

    fn add_piece(&mut self, piece: (Moves, Option<End>, Option<Player>)) {
        let pieces = &mut self.state.pieces;
        let known = results(pieces);
        let mut all = known;
        all.add(&as_piece(&piece));
        if all == known {
            return;
        }
        pieces.push(piece);
        for place in (0..pieces.len()).rev() {
            let mut without = pieces.clone();
            without.remove(place);
            if results(&without) == all {
                *pieces = without;
            }
        }
    }

    fn player_of(&self, account: Address) -> Option<Player> {
        let players = &self.terms.players;
        Player::ALL
            .into_iter()
            .find(|player| players.get(*player).account() == account)
    }

    /// The result by all that is known.
    fn result(&self) -> Piece {
        let mut results = results(&self.state.pieces);
        if let Some(dispute) = &self.state.dispute {
            let (end, winner) = dispute.end.unzip();
            results.add(&as_piece(&(dispute.moves, end, winner.flatten())));
        }
        results.result()
    }

    fn players(&self) -> [Address; 2] {
        let players = &self.terms.players;
        [players.one.account(), players.two.account()]
    }

    const fn programs(&self) -> [bool; 2] {
        [self.terms.programs.one, self.terms.programs.two]
    }

    fn finished(&self, result: &Piece) -> Option<Finished> {
        let [one, two] = self.players();
        let winner = result.winner.map(|winner| match winner {
            Player::One => one,
            Player::Two => two,
        });
        let turns = result.moves.turns().into();
        let mut finished =
            Finished::classic([one, two], self.terms.shape, turns, winner, result.end?)?;
        // Who has a pool of larger boards is rated there on these.
        let pool = Pool::of(Pool::counted(&self.terms));
        finished.is_standard |= pool.is_some_and(|pool| pool.shapes().is_some());
        finished.mark_programs(self.programs());
        Some(finished)
    }

    /// When and for whom it counts; none without a result.
    pub fn counted(&self) -> Option<Counted> {
        let result = self.result();
        let ended = self.state.ended?;
        // One whose time is not known, which a pruned node may not have, is not near.
        let from = match result.end {
            Some(End::Timeout) => ended.time.unwrap_or(0).saturating_add(DAY),
            _ => 0,
        };
        Some(Counted {
            slot: self.slot,
            pool: Pool::counted(&self.terms),
            time: self.terms.time,
            digest: self.number.to_string(),
            finished: self.finished(&result)?,
            from,
        })
    }

    /// Its row, by [`COLUMNS`].
    pub fn row(&self) -> Vec<Value> {
        let [one, two] = self.players();
        let counted = self.counted();
        let finished = counted.as_ref().map(|counted| &counted.finished);
        let result = finished.map(|finished| match finished.players.first() {
            Some((_, GameResult::Won)) => "one".to_owned(),
            Some((_, GameResult::Lost)) => "two".to_owned(),
            _ => "draw".to_owned(),
        });
        vec![
            self.slot.line.into(),
            self.slot.number.into(),
            self.number.to_string().into(),
            u32::from(Pool::counted(&self.terms)).into(),
            Some(self.terms.time).into(),
            one.to_string().into(),
            two.to_string().into(),
            result.into(),
            finished.is_some_and(|finished| finished.is_standard).into(),
            finished.is_some_and(|finished| finished.is_short).into(),
            game::programs(self.programs()).into(),
            counted.map(|counted| counted.from).into(),
            self.state.encode().into(),
        ]
    }

    /// The game with its result, as other games are written.
    pub fn folded(&self) -> Folded {
        let result = self.result();
        let State {
            started, dispute, ..
        } = &self.state;
        let at = (started.block, Some(self.terms.time));
        let [one, two] = self.players();
        let mut folded = Folded::new(
            self.slot,
            GameName::Terms(self.number),
            self.state.contract,
            at,
            self.terms.shape,
            vec![one, two],
        );
        let clock = self.terms.clock;
        folded.clock = clock.map(|clock| (clock.bank, clock.increment));
        folded.moved = self.state.moved;
        folded.plies = result.moves.turns().into();
        folded.moves = notation::write(result.moves.iter_moves().collect::<Vec<_>>()).to_string();
        folded.to_move = Some(usize::from(result.moves.turns() % 2));
        folded.deadline = dispute.as_ref().and_then(|dispute| dispute.deadline);
        folded.freed = dispute.as_ref().is_some_and(|dispute| dispute.freed);
        if let (Some(end), Some(at)) = (result.end, self.state.ended) {
            let winner = result.winner.map(|winner| match winner {
                Player::One => one,
                Player::Two => two,
            });
            folded.ended = Some(Ended {
                block: at.block,
                place: at.place,
                time: at.time,
                how: end.to_string(),
                winner,
                finished: self.finished(&result),
            });
        }
        folded.by_terms = Some(ByTerms {
            dispute: dispute
                .as_ref()
                .map(|dispute| GameId::of_two(dispute.number)),
            recorded_by: self.state.recorded.flatten(),
            ..ByTerms::new(&self.terms)
        });
        folded
    }
}

const fn as_piece((moves, end, winner): &(Moves, Option<End>, Option<Player>)) -> Piece {
    Piece {
        moves: *moves,
        end: *end,
        winner: *winner,
    }
}

fn results(pieces: &[(Moves, Option<End>, Option<Player>)]) -> Results {
    let mut results = Results::default();
    for piece in pieces {
        results.add(&as_piece(piece));
    }
    results
}
