//! Replaying a game from its events.

use connect4_protocol::event::{DiscDropped, GameEnded, GameStarted};
use connect4_protocol::variants::event::{MoveMade, PlayerLeft, VariantEnded, VariantStarted};
use connect4_protocol::{Address, Error, Event, Game, variants};
use connect4_rules::Bin;
use connect4_rules::variant::{Colour, Move};

use crate::contracts::occurrence::Occurrence;

/// Returned if events make no game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// Returned if no event is the start of the game.
    #[error("the events of the game have no start")]
    NoStart,
    /// Returned if the rules refuse an event.
    #[error("the events of the game are not a valid game: {0}")]
    Refused(#[from] connect4_protocol::Error),
}

/// The game that these events, in the chain's order, lead to.
///
/// # Errors
///
/// [`ReplayError::Refused`] for the first event that the rules refuse, else
/// [`ReplayError::NoStart`] if there is no game.
pub fn replay(history: &[Occurrence]) -> Result<Game, ReplayError> {
    let mut game = None;
    for at in history {
        match (&at.event, &mut game) {
            (
                Event::GameStarted(GameStarted {
                    player_one,
                    player_two,
                    shape,
                    ..
                }),
                None,
            ) => game = Some(Game::start(*player_one, *player_two, *shape)?),
            (Event::DiscDropped(DiscDropped { player, bin, .. }), Some(game)) => {
                game.drop(*player, Bin::new(*bin))?;
            }
            (Event::GameEnded(GameEnded { winner, end, .. }), Some(game)) => {
                let winner = winner.and_then(|winner| game.player_of(&winner));
                // A line or a full board has ended it already.
                game.reopen();
                game.finish(*end, winner)?;
            }
            _ => {}
        }
    }
    game.ok_or(ReplayError::NoStart)
}

/// The moves of a game of two, in order, as these events tell them.
#[must_use]
pub fn moves(history: &[Occurrence]) -> Vec<Move> {
    let dropped = history.iter().filter_map(|at| match &at.event {
        Event::DiscDropped(DiscDropped { bin, .. }) => Some(Move::Drop(Bin::new(*bin))),
        _ => None,
    });
    dropped.collect()
}

/// The bins of the drops among these moves: as a swap moves no disc, the position by colours is that after them.
#[must_use]
pub fn drops(moves: &[Move]) -> Vec<Bin> {
    let drops = moves.iter().filter_map(|made| match made {
        Move::Drop(bin) => Some(*bin),
        _ => None,
    });
    drops.collect()
}

/// A step of a game of a variant: a move, or a player who left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VariantStep {
    /// Place of its event in the history, from 0.
    pub event: usize,
    /// Colour that moved or left. After a swap its player has the other one.
    pub colour: Colour,
    /// What the player did.
    pub kind: StepKind,
    /// The game after it.
    pub game: variants::Game,
}

/// What a player of a variant did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// Made a move.
    Move(Move),
    /// Left the game.
    Leave {
        /// Whether the player was removed for being late.
        late: bool,
    },
}

/// The game of a variant that these events, in the chain's order, lead to, and its steps. The events
/// do not tell who paid for the storage: the payer is the zero address.
///
/// # Errors
///
/// [`ReplayError::Refused`] for the first event that the rules refuse, else
/// [`ReplayError::NoStart`] if there is no game.
pub fn replay_variant(
    history: &[Occurrence],
) -> Result<(variants::Game, Vec<VariantStep>), ReplayError> {
    let mut replayed: Option<variants::Game> = None;
    let mut steps = Vec::new();
    for (event, at) in history.iter().enumerate() {
        let Some(game) = &mut replayed else {
            if let Event::VariantStarted(started) = &at.event {
                replayed = Some(start_variant(started)?);
            }
            continue;
        };
        let (player, kind, deadline) = match &at.event {
            Event::MoveMade(MoveMade {
                player,
                action,
                deadline,
                ..
            }) => (*player, StepKind::Move(*action), *deadline),
            Event::PlayerLeft(PlayerLeft {
                player,
                late,
                deadline,
                ..
            }) => (*player, StepKind::Leave { late: *late }, *deadline),
            Event::VariantEnded(VariantEnded {
                end: variants::End::Abandoned,
                ..
            }) => {
                game.abandon();
                continue;
            }
            _ => continue,
        };
        let colour = game.colour_of(player).ok_or(Error::NotAPlayer)?;
        let now = turn_began(game.limit(), deadline).unwrap_or_else(|| game.since());
        match kind {
            StepKind::Move(action) => {
                game.play(player, action, now)?;
            }
            StepKind::Leave { .. } => {
                game.leave(player, now)?;
            }
        }
        steps.push(VariantStep {
            event,
            colour,
            kind,
            game: *game,
        });
    }
    Ok((replayed.ok_or(ReplayError::NoStart)?, steps))
}

fn start_variant(started: &VariantStarted) -> Result<variants::Game, Error> {
    let VariantStarted {
        players,
        variant,
        limit,
        deadline,
        ..
    } = started;
    let now = turn_began(*limit, *deadline).unwrap_or(0);
    let game = variants::Game::start(players, *variant, Address::ZERO, now)?;
    Ok(game.limited(*limit))
}

/// When a turn with this time limit and this deadline began, in seconds since 1970.
fn turn_began(limit: Option<u32>, deadline: Option<u64>) -> Option<u64> {
    deadline?.checked_sub(limit?.into())
}
