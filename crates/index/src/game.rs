//! Games as their events tell them.

use std::fmt::Display;

use connect4_client::{
    Address, BlockRef, Emitted, Event, GameId, H256, Occurrence, replay_variant,
};
use connect4_protocol::variants::event::{MoveMade, PlayerLeft, VariantEnded, VariantStarted};
use connect4_protocol::{End, event, payout};
use connect4_rules::variant::Move;
use connect4_rules::{Bin, Player, ShapeSpec, notation};
use sqlx::any::AnyRow;

use crate::error::Error;
use crate::league::{Kind, League};
use crate::sql::{self, Value};
use crate::standings::{Finished, GameResult};

/// An event as the index has it.
#[derive(Clone, Debug)]
pub struct Told {
    pub block: u32,
    /// Hash of the block.
    pub hash: H256,
    /// Time of the block in seconds since 1970; none if it is not known.
    pub time: Option<u64>,
    pub event: Emitted,
}

impl Told {
    /// The block.
    pub const fn in_block(&self) -> BlockRef {
        BlockRef {
            number: self.block,
            hash: self.hash,
        }
    }
}

/// A game among those of all versions of the contracts: each version counts its games from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GameKey {
    /// Version of the contracts, as [`Contracts::version`](connect4_client::Contracts::version); 0 if it is
    /// not known.
    pub version: u32,
    /// The game, by its number in these contracts.
    pub game: GameId,
}

impl GameKey {
    /// The number by which the tables tell the contracts' numberings apart: two of each version.
    pub(crate) fn line(self) -> i64 {
        let of_version = match self.game {
            GameId::Classic(_) | GameId::Fast(_) => 0,
            GameId::Variant(_) => 1,
        };
        2 * i64::from(self.version) + of_version
    }

    /// Number of the game in its numbering.
    pub(crate) const fn number(self) -> u32 {
        self.game.number()
    }

    /// The game with a number of a numbering.
    pub(crate) fn at(line: i64, number: u32) -> Self {
        Self {
            version: u32::try_from(line / 2).unwrap_or_default(),
            game: match line % 2 {
                0 => GameId::of_two(number),
                _ => GameId::Variant(number),
            },
        }
    }

    /// The game of a row with `line` and `number`.
    pub(crate) fn read(row: &AnyRow) -> Result<Self, Error> {
        Ok(Self::at(
            sql::number(row, "line")?,
            sql::small(row, "number")?,
        ))
    }

    /// The same number in the same numbering, of another game.
    pub(crate) fn with(self, number: u32) -> Self {
        Self::at(self.line(), number)
    }
}

/// The end of a game.
struct Ended {
    block: u32,
    place: u32,
    time: Option<u64>,
    how: String,
    winner: Option<Address>,
    /// None: it ended without a result.
    finished: Option<Finished>,
}

/// A game that has ended, and where.
#[derive(Clone, Debug)]
pub struct Ending {
    pub game: GameKey,
    /// Number of its players.
    pub players: usize,
    /// Block and place of its end; none if that is not known.
    pub at: Option<(u32, u32)>,
    pub time: Option<u64>,
    /// None: it ended without a result.
    pub finished: Option<Finished>,
}

impl Ending {
    /// The league in which it counts.
    pub const fn league(&self) -> League {
        League::of(self.game.game, self.players)
    }
}

/// A game that has started, as its events tell it.
pub struct Folded {
    game: GameKey,
    contract: Address,
    shape: ShapeSpec,
    variant: Option<String>,
    players: Vec<Address>,
    stake: Option<u128>,
    clock: Option<(u32, u32)>,
    limit: Option<u32>,
    challenge: Option<u32>,
    previous: Option<u32>,
    started: (u32, Option<u64>),
    moved: Option<u64>,
    plies: u32,
    moves: String,
    deadline: Option<u64>,
    to_move: Option<usize>,
    ended: Option<Ended>,
    settled: bool,
    freed: bool,
}

/// Columns of the table of games.
pub const GAME_COLUMNS: [&str; 27] = [
    "line",
    "number",
    "shown",
    "kind",
    "contract",
    "board",
    "variant",
    "players",
    "stake",
    "clock_bank",
    "clock_increment",
    "move_limit",
    "challenge",
    "previous",
    "started_block",
    "started_time",
    "moved_time",
    "plies",
    "moves",
    "deadline",
    "to_move",
    "ended_block",
    "ended_time",
    "ended_how",
    "winner",
    "settled",
    "freed",
];

/// Columns of the table of seats.
pub const SEAT_COLUMNS: [&str; 11] = [
    "line",
    "number",
    "seat",
    "account",
    "kind",
    "board",
    "started_block",
    "is_open",
    "result",
    "counts",
    "unsettled",
];

impl Folded {
    /// The game that these events of it, in the chain's order, tell; none if its start is not among
    /// them.
    pub fn of(game: GameKey, events: &[Told]) -> Option<Self> {
        match game.game {
            GameId::Classic(_) | GameId::Fast(_) => classic(game, events),
            GameId::Variant(_) => variant(game, events),
        }
    }

    fn start(game: GameKey, told: &Told, shape: ShapeSpec, players: Vec<Address>) -> Self {
        Self {
            game,
            contract: told.event.contract,
            shape,
            variant: None,
            players,
            stake: None,
            clock: None,
            limit: None,
            challenge: None,
            previous: None,
            started: (told.block, told.time),
            moved: told.time,
            plies: 0,
            moves: String::new(),
            deadline: None,
            to_move: Some(0),
            ended: None,
            settled: false,
            freed: false,
        }
    }

    /// The end, if it has ended.
    pub fn ending(&self) -> Option<Ending> {
        let ended = self.ended.as_ref()?;
        Some(Ending {
            game: self.game,
            players: self.players.len(),
            at: Some((ended.block, ended.place)),
            time: ended.time,
            finished: ended.finished.clone(),
        })
    }

    /// Its row among the games, by [`GAME_COLUMNS`].
    pub fn row(&self) -> Vec<Value> {
        let players: Vec<String> = self.players.iter().map(Address::to_string).collect();
        let ended = self.ended.as_ref();
        let to_move = self.to_move.filter(|_| ended.is_none());
        let deadline = self.deadline.filter(|_| ended.is_none());
        vec![
            self.game.line().into(),
            self.game.number().into(),
            self.game.game.to_string().into(),
            Kind::of(self.game.game).name().into(),
            self.contract.to_string().into(),
            self.shape.to_string().into(),
            self.variant.clone().into(),
            players.join(",").into(),
            self.stake.into(),
            self.clock.map(|(bank, _)| bank).into(),
            self.clock.map(|(_, increment)| increment).into(),
            self.limit.into(),
            self.challenge.into(),
            self.previous.into(),
            self.started.0.into(),
            self.started.1.into(),
            self.moved.into(),
            self.plies.into(),
            self.moves.clone().into(),
            deadline.into(),
            to_move.and_then(|seat| u32::try_from(seat).ok()).into(),
            ended.map(|ended| ended.block).into(),
            ended.and_then(|ended| ended.time).into(),
            ended.map(|ended| ended.how.clone()).into(),
            ended
                .and_then(|ended| ended.winner)
                .map(|winner| winner.to_string())
                .into(),
            self.settled.into(),
            self.freed.into(),
        ]
    }

    /// Its rows among the seats, by [`SEAT_COLUMNS`].
    pub fn seats(&self) -> Vec<Vec<Value>> {
        let row = |(seat, account): (u32, &Address)| {
            let (result, counts) = self.result_of(seat);
            vec![
                self.game.line().into(),
                self.game.number().into(),
                seat.into(),
                account.to_string().into(),
                Kind::of(self.game.game).name().into(),
                self.shape.to_string().into(),
                self.started.0.into(),
                self.ended.is_none().into(),
                result.map(str::to_owned).into(),
                counts.into(),
                self.unsettled(seat).into(),
            ]
        };
        (0..).zip(&self.players).map(row).collect()
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

    /// What a player gets once the stakes of a game that has ended are settled; none if that is
    /// nothing.
    fn unsettled(&self, seat: u32) -> Option<u128> {
        let (ended, stake) = (self.ended.as_ref()?, self.stake?);
        if self.settled {
            return None;
        }
        let winner = ended.winner.and_then(|winner| {
            let seat = self.players.iter().position(|player| *player == winner)?;
            Some(if seat == 0 { Player::One } else { Player::Two })
        });
        let shares = payout(stake.checked_mul(2)?, winner);
        let share = if seat == 0 { shares.one } else { shares.two };
        Some(share).filter(|share| *share > 0)
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

fn classic(game: GameKey, events: &[Told]) -> Option<Folded> {
    let mut folded: Option<Folded> = None;
    let mut moves: Vec<Bin> = Vec::new();
    for told in events {
        let Ok(Some(event)) = told.event.decode() else {
            continue;
        };
        if let (Event::GameStarted(started), None) = (&event, &folded) {
            let players = vec![started.player_one, started.player_two];
            folded = Some(Folded::start(game, told, started.shape, players));
            continue;
        }
        let Some(folded) = &mut folded else {
            continue;
        };
        match event {
            Event::MatchStarted(event::MatchStarted {
                challenge,
                previous,
                clock,
                stake,
                ..
            }) => {
                folded.challenge = challenge;
                folded.previous = previous;
                folded.clock = clock.map(|clock| (clock.bank, clock.increment));
                folded.stake = Some(stake).filter(|stake| *stake > 0);
            }
            Event::DiscDropped(event::DiscDropped { bin, deadline, .. }) => {
                moves.push(Bin::new(bin));
                folded.deadline = deadline;
                folded.moved = told.time;
            }
            Event::Advanced(event::Advanced { moves: all, .. }) => {
                moves = all.iter_bins().collect();
                folded.deadline = None;
                folded.moved = told.time;
            }
            Event::ClockPressed(event::ClockPressed { deadline, .. }) => {
                folded.deadline = Some(deadline);
            }
            Event::GameEnded(event::GameEnded { winner, end, .. }) => {
                let turns = u32::try_from(moves.len()).unwrap_or(u32::MAX);
                let &[one, two] = folded.players.as_slice() else {
                    continue;
                };
                let shape = folded.shape;
                let finished = Finished::classic([one, two], shape, turns, winner, end);
                folded.end(told, end, winner, finished);
            }
            Event::Settled(_) => folded.settled = true,
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

/// The events of a game of a variant, as they can be replayed.
pub fn variant_history(events: &[Told]) -> Vec<Occurrence> {
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

fn variant(game: GameKey, events: &[Told]) -> Option<Folded> {
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
                let mut begun = Folded::start(game, told, started.variant.shape, players);
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
    folded.to_move = replay_variant(&variant_history(events))
        .ok()
        .and_then(|(game, _)| {
            let account = game.account_of(game.to_move()?);
            folded.players.iter().position(|player| *player == account)
        });
    Some(folded)
}
