//! Games as their events tell them.

use std::collections::BTreeSet;
use std::fmt::Display;

use connect4_client::{
    Address, BlockRef, Emitted, Event, GameId, H256, Occurrence, replay_variant,
};
use connect4_protocol::signed::GameNumber;
use connect4_protocol::variants::event::{MoveMade, PlayerLeft, VariantEnded, VariantStarted};
use connect4_protocol::{End, GameName, event};
use connect4_rules::variant::Move;
use connect4_rules::{Bin, ShapeSpec, notation};
use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use crate::error::Error;
use crate::finished::{Finished, GameResult};
use crate::league::{Kind, League};
use crate::slot::Slot;
use crate::sql::{self, Row, row};
use crate::uncounted::Uncounted;

/// An event as the index has it.
#[derive(Clone, Debug)]
pub struct Told {
    pub block: u32,
    /// Hash of the block.
    pub hash: H256,
    /// Time of the block in seconds since 1970; none if it is not known.
    pub time: Option<u64>,
    /// Who has paid for the transaction; none if that is not known.
    pub payer: Option<Address>,
    pub event: Emitted,
}

impl Told {
    pub const fn in_block(&self) -> BlockRef {
        BlockRef {
            number: self.block,
            hash: self.hash,
        }
    }
}

pub struct Ended {
    pub block: u32,
    pub place: u32,
    pub time: Option<u64>,
    pub how: String,
    pub winner: Option<Address>,
    /// None: it ended without a result.
    pub finished: Option<Finished>,
}

/// What signed games have besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByTerms {
    /// Number of the pool whose ratings the game counts for; 0 for none in particular.
    pub pool: u16,
    /// Whether player two's first move could be a swap.
    pub pie_rule: bool,
    /// Whether a program plays, by seat, as each player says of itself.
    pub programs: [bool; 2],
    /// Account that has paid for the first record; none if that is not known.
    pub recorded_by: Option<Address>,
    /// Key of the witness that has ended it; none if it has none.
    pub witness: Option<Address>,
    /// Digest of the rules of the tournament to which it belongs; none if it belongs to none.
    pub event: Option<H256>,
    /// Number of the game before it in a series, as its terms say; none if there is none.
    pub previous: Option<GameNumber>,
    /// When it ended by the word of its witness, in milliseconds since 1970; none if it has none.
    pub at: Option<u64>,
    /// Why it counts for nothing; none if it does.
    pub uncounted: Option<Uncounted>,
}

impl ByTerms {
    /// Whether the game counts where the games of these witnesses do.
    #[must_use]
    pub fn is_counted(&self, witnesses: &BTreeSet<Address>) -> bool {
        self.uncounted.is_none() && self.witness.is_some_and(|key| witnesses.contains(&key))
    }
}

/// A game that has ended and belongs to a league, and where it ended.
#[derive(Clone, Debug)]
pub struct Ending {
    pub slot: Slot,
    pub league: League,
    /// Block and place of its end; none if that is not known.
    pub at: Option<(u32, u32)>,
    pub time: Option<u64>,
    /// The witness that has ended it; none of variants, and of games without one.
    pub witness: Option<Address>,
    /// None: it ended without a result.
    pub finished: Option<Finished>,
}

impl Ending {
    /// Whether it belongs to its league where the games of these witnesses do.
    pub fn is_counted(&self, witnesses: &BTreeSet<Address>) -> bool {
        match self.league {
            League::Witnessed(_) => self.witness.is_some_and(|key| witnesses.contains(&key)),
            League::Two | League::More => true,
        }
    }
}

/// A game that has started, as its events tell it.
pub struct Folded {
    slot: Slot,
    name: GameName,
    contract: Address,
    shape: ShapeSpec,
    variant: Option<String>,
    players: Vec<Address>,
    pub clock: Option<(u32, u32)>,
    limit: Option<u32>,
    started: (u32, Option<u64>),
    pub moved: Option<u64>,
    pub plies: u32,
    pub moves: String,
    deadline: Option<u64>,
    to_move: Option<usize>,
    pub ended: Option<Ended>,
    freed: bool,
    pub by_terms: Option<ByTerms>,
}

impl Folded {
    /// The game on the chain that these events of it, in the chain's order, tell; none if its start is not among
    /// them.
    pub fn of(slot: Slot, events: &[Told]) -> Option<Self> {
        match slot.on_chain() {
            None => None,
            Some(game @ GameId::Classic(_)) => classic(slot, game, events),
            Some(game @ GameId::Variant(_)) => variant(slot, game, events),
        }
    }

    fn start(
        (slot, game): (Slot, GameId),
        told: &Told,
        shape: ShapeSpec,
        players: Vec<Address>,
    ) -> Self {
        let at = (told.block, told.time);
        Self::new(slot, game.into(), told.event.contract, at, shape, players)
    }

    /// A game at its start, in this block and at this time.
    pub fn new(
        slot: Slot,
        name: GameName,
        contract: Address,
        started: (u32, Option<u64>),
        shape: ShapeSpec,
        players: Vec<Address>,
    ) -> Self {
        Self {
            slot,
            name,
            contract,
            shape,
            variant: None,
            players,
            clock: None,
            limit: None,
            started,
            moved: started.1,
            plies: 0,
            moves: String::new(),
            deadline: None,
            to_move: Some(0),
            ended: None,
            freed: false,
            by_terms: None,
        }
    }

    /// Its end, if it has ended and belongs to a league.
    pub fn ending(&self) -> Option<Ending> {
        let ended = self.ended.as_ref()?;
        let by_terms = self.by_terms.as_ref();
        let league = match self.slot.on_chain() {
            Some(GameId::Classic(_)) => return None,
            Some(GameId::Variant(_)) => League::of_variant(self.players.len()),
            None => League::Witnessed(by_terms?.pool),
        };
        Some(Ending {
            slot: self.slot,
            league,
            at: Some((ended.block, ended.place)),
            time: ended.time,
            witness: by_terms.and_then(|of| of.witness),
            finished: ended.finished.clone(),
        })
    }

    /// Its row among the games.
    fn row(&self) -> Row {
        let players: Vec<String> = self.players.iter().map(Address::to_string).collect();
        let ended = self.ended.as_ref();
        let by_terms = self.by_terms.as_ref();
        let to_move = self.to_move.filter(|_| self.is_open());
        row! {
            line: self.slot.line,
            number: self.slot.number,
            shown: self.name.to_string(),
            kind: Kind::of(self.name).name(),
            contract: self.contract,
            board: self.shape.to_string(),
            variant: self.variant.clone(),
            players: players.join(","),
            clock_bank: self.clock.map(|(bank, _)| bank),
            clock_increment: self.clock.map(|(_, increment)| increment),
            move_limit: self.limit,
            started_block: self.started.0,
            started_time: self.started.1,
            moved_time: self.moved,
            plies: self.plies,
            moves: self.moves.clone(),
            deadline: self.deadline.filter(|_| self.is_open()),
            to_move: to_move.and_then(|seat| u32::try_from(seat).ok()),
            ended_block: ended.map(|ended| ended.block),
            ended_time: ended.and_then(|ended| ended.time),
            ended_how: ended.map(|ended| ended.how.clone()),
            winner: ended.and_then(|ended| ended.winner),
            freed: self.freed,
            digest: self.number(),
            pool: by_terms.map(|of| u32::from(of.pool)),
            pie_rule: by_terms.map(|of| u32::from(of.pie_rule)),
            programs: by_terms.map(|of| programs(of.programs)),
            recorded_by: by_terms.and_then(|of| of.recorded_by),
            witness: by_terms.and_then(|of| of.witness),
            event: by_terms.and_then(|of| of.event).map(|event| format!("{event:?}")),
            follows: by_terms.and_then(|of| of.previous),
            at: by_terms.and_then(|of| of.at),
            uncounted: by_terms.and_then(|of| of.uncounted).map(|why| why.name().to_owned()),
        }
    }

    /// Whether it goes on.
    const fn is_open(&self) -> bool {
        self.ended.is_none()
    }

    /// Its number, which is the digest of its terms; none of a game that began on the chain.
    pub const fn number(&self) -> Option<GameNumber> {
        match self.name {
            GameName::Terms(number) => Some(number),
            GameName::Chain(_) => None,
        }
    }

    /// Its rows among the seats.
    fn seats(&self) -> Vec<Row> {
        let row = |(seat, account): (u32, &Address)| {
            let (result, counts) = self.result_of(seat);
            row! {
                line: self.slot.line,
                number: self.slot.number,
                seat: seat,
                account: *account,
                kind: Kind::of(self.name).name(),
                board: self.shape.to_string(),
                started_block: self.started.0,
                is_open: self.is_open(),
                result: result.map(str::to_owned),
                counts: counts,
            }
        };
        (0..).zip(&self.players).map(row).collect()
    }

    /// Adds the rows of games, which are not there.
    pub async fn insert(connection: &mut AnyConnection, games: &[Self]) -> Result<(), Error> {
        let rows = games.iter().map(Self::row).collect();
        sql::insert(connection, "games", rows).await?;
        let seats = games.iter().flat_map(Self::seats).collect();
        sql::insert(connection, "seats", seats).await
    }

    /// The result of a player, and whether it counts.
    fn result_of(&self, seat: u32) -> (Option<&'static str>, bool) {
        let Some(ended) = &self.ended else {
            return (None, false);
        };
        let Some(finished) = &ended.finished else {
            return (Some("aborted"), false);
        };
        match finished
            .players
            .get(seat as usize)
            .map(|(_, result)| result)
        {
            Some(GameResult::Won) => (Some("won"), !finished.is_short),
            Some(GameResult::Drawn) => (Some("drawn"), !finished.is_short),
            Some(GameResult::Lost) => (Some("lost"), true),
            None => (None, false),
        }
    }

    fn end(
        &mut self,
        told: &Told,
        how: impl Display,
        winner: Option<Address>,
        finished: Option<Finished>,
    ) {
        self.ended = Some(Ended {
            block: told.block,
            place: told.event.place,
            time: told.time,
            how: how.to_string(),
            winner,
            finished,
        });
    }
}

/// Whether programs play, a bit for each seat.
pub fn programs(programs: [bool; 2]) -> u32 {
    let [one, two] = programs.map(u32::from);
    one | two << 1
}

/// Whether programs play, of a row with [these bits](programs).
pub fn read_programs(row: &AnyRow) -> Result<[bool; 2], Error> {
    let programs = sql::number(row, "programs")?;
    Ok([programs & 1 != 0, programs & 2 != 0])
}

fn classic(slot: Slot, game: GameId, events: &[Told]) -> Option<Folded> {
    let mut folded: Option<Folded> = None;
    let mut moves: Vec<Move> = Vec::new();
    for told in events {
        let Ok(Some(event)) = told.event.decode() else {
            continue;
        };
        if let (Event::GameStarted(started), None) = (&event, &folded) {
            let players = vec![started.player_one, started.player_two];
            folded = Some(Folded::start((slot, game), told, started.shape, players));
            continue;
        }
        let Some(folded) = &mut folded else {
            continue;
        };
        match event {
            Event::DiscDropped(event::DiscDropped { bin, .. }) => {
                moves.push(Move::Drop(Bin::new(bin)));
                folded.moved = told.time;
            }
            Event::GameEnded(event::GameEnded { winner, end, .. }) => {
                let turns = u32::try_from(moves.len()).unwrap_or(u32::MAX);
                let &[one, two] = folded.players.as_slice() else {
                    continue;
                };
                let shape = folded.shape;
                let finished = Finished::of_two([one, two], shape, turns, winner, end);
                folded.end(told, end, winner, finished);
            }
            Event::GameFreed(_) => folded.freed = true,
            _ => {}
        }
    }
    let mut folded = folded?;
    folded.plies = u32::try_from(moves.len()).unwrap_or(u32::MAX);
    folded.to_move = Some(moves.len() % 2);
    folded.moves = notation::write(moves).to_string();
    Some(folded)
}

/// The events of a game, as they can be replayed.
pub fn occurrences(events: &[Told]) -> Vec<Occurrence> {
    let known = events.iter().filter_map(|told| {
        let event = told.event.decode().ok().flatten()?;
        Some(Occurrence {
            event,
            block: told.block,
            block_hash: told.hash,
            index: told.event.index,
        })
    });
    known.collect()
}

fn variant(slot: Slot, game: GameId, events: &[Told]) -> Option<Folded> {
    let mut folded: Option<(Folded, VariantStarted)> = None;
    let mut has_left: Vec<Address> = Vec::new();
    let mut moves: Vec<Move> = Vec::new();
    for told in events {
        let Ok(Some(event)) = told.event.decode() else {
            continue;
        };
        let Some((folded, started)) = &mut folded else {
            if let Event::VariantStarted(started) = event {
                let players = started.players.clone();
                let mut begun = Folded::start((slot, game), told, started.variant.shape, players);
                begun.variant = Some(started.variant.to_string());
                begun.limit = started.limit;
                begun.deadline = started.deadline;
                folded = Some((begun, started));
            }
            continue;
        };
        match event {
            Event::MoveMade(MoveMade {
                action, deadline, ..
            }) => {
                moves.push(action);
                folded.deadline = deadline;
                folded.moved = told.time;
            }
            Event::PlayerLeft(PlayerLeft {
                player, deadline, ..
            }) => {
                has_left.push(player);
                folded.deadline = deadline;
                folded.moved = told.time;
            }
            Event::VariantEnded(VariantEnded { winner, end, .. }) => {
                let end = End::from(end);
                let turns = u32::try_from(moves.len()).unwrap_or(u32::MAX);
                let finished = Finished::variant(
                    &started.players,
                    &has_left,
                    &started.variant,
                    turns,
                    winner,
                    end,
                );
                folded.end(told, end, winner, finished);
            }
            Event::VariantFreed(_) => folded.freed = true,
            _ => {}
        }
    }
    let (mut folded, _) = folded?;
    folded.plies = u32::try_from(moves.len()).unwrap_or(u32::MAX);
    folded.moves = notation::write(moves).to_string();
    // Whose turn it is follows from the rules: players leave, and colours are exchanged.
    folded.to_move = replay_variant(&occurrences(events))
        .ok()
        .and_then(|(game, _)| {
            let account = game.account_of(game.to_move()?);
            folded.players.iter().position(|player| *player == account)
        });
    Some(folded)
}
