//! What the page shows: values of the wire format, made of games and positions.

use connect4_client::{Address, StepKind};
use connect4_protocol::variants::Game;
use connect4_rules::notation::{self, NotationError};
use connect4_rules::variant::{Move, MoveError, Position, Variant};
use connect4_wire::words;
use connect4_wire::{
    self as wire, BoardChange, Computer, Departure, FreedVariant, ListedVariant, ShownVariant,
    StoredVariant, VariantGame, VariantId, VariantPosition, ViewedMove, ViewedVariant,
    ViewedVariantLine,
};

use super::options::options;
use super::record::{Told, replay};

/// A game or a table as it was found on the chain.
pub struct Found<'a> {
    pub number: u32,
    /// The contract through which it is played.
    pub contract: Address,
    pub game: &'a Game,
    /// The events of play, or why they are not known.
    pub told: Result<&'a [Told], &'a str>,
    /// Whether its storage was freed.
    pub freed: bool,
}

impl Found<'_> {
    /// The game with the computers that play it, by colours.
    pub fn view(&self, computers: Vec<Option<Computer>>) -> ViewedVariant {
        let game = self.game;
        let (moves, departures) = past(game.variant(), self.told.unwrap_or_default());
        let halted = match (game.has_started(), game.to_move()) {
            (_, Some(_)) => None,
            (true, None) => Some(MoveError::GameOver.to_string()),
            (false, None) => Some("the game has not started: it waits for players".into()),
        };
        let deadline = game.deadline();
        ViewedVariant {
            game: VariantGame::new(self.number, self.contract, game),
            shown: shown(
                game.position(),
                halted,
                words::variant_standing(game),
                moves,
                self.told.err(),
            ),
            departures,
            computers,
            left: deadline.map(|deadline| deadline.saturating_sub(words::now())),
            freed: self.freed,
        }
    }
}

/// The moves that were made, and the players who left.
fn past(variant: Variant, told: &[Told]) -> (Vec<ViewedMove>, Vec<Departure>) {
    let (mut moves, mut departures) = (Vec::new(), Vec::new());
    // Nothing was told of a table, which is not played yet.
    let Ok((_, steps)) = replay(told) else {
        return (moves, departures);
    };
    let mut before = Position::new(variant);
    for step in steps {
        let Some(told) = told.get(step.event) else {
            continue;
        };
        let after = *step.game.position();
        match step.kind {
            StepKind::Move(action) => {
                moves.extend(viewed(&before, action, &after, Some(told.sent)));
            }
            StepKind::Leave { late } => departures.push(Departure {
                player: step.colour.into(),
                late,
                turns: after.turns(),
                transaction: told.sent,
            }),
        }
        before = after;
    }
    (moves, departures)
}

/// A move between two positions; none if the rules refuse it.
fn viewed(
    before: &Position,
    action: Move,
    after: &Position,
    transaction: Option<wire::Transaction>,
) -> Option<ViewedMove> {
    let colours = after.variant().colours();
    Some(ViewedMove {
        player: before.to_move()?.into(),
        r#move: action.into(),
        text: action.to_string(),
        change: BoardChange::new(before, action).ok()?,
        powers: colours.map(|colour| after.powers(colour).into()).collect(),
        transaction,
    })
}

/// The position that moves as text lead to, on no chain.
///
/// # Errors
///
/// The first move that is none, or that the rules refuse.
pub fn line(variant: Variant, text: &str) -> Result<ViewedVariantLine, NotationError<Move>> {
    let position = Position::from_moves(variant, text)?;
    let actions = notation::parse(text).collect::<Result<Vec<_>, _>>()?;
    let mut before = Position::new(variant);
    let mut moves = Vec::new();
    for &action in &actions {
        let mut after = before;
        if after.play(action).is_ok() {
            moves.extend(viewed(&before, action, &after, None));
        }
        before = after;
    }
    let halted = position.outcome().map(|_| MoveError::GameOver.to_string());
    let standing = words::position_standing(&position);
    Ok(ViewedVariantLine {
        game: (),
        position: VariantPosition::new(&position, actions.contains(&Move::Swap)),
        shown: shown(&position, halted, standing, moves, None),
    })
}

/// A game of the lobby; none if its storage was freed or its table closed.
pub fn listed(number: u32, contract: Address, game: Option<&Game>) -> ListedVariant {
    match game {
        Some(game) => ListedVariant::Stored(Box::new(stored(number, contract, game))),
        None => ListedVariant::Freed(FreedVariant {
            game: VariantId::new(number),
            standing: "its storage was freed, or its table closed".into(),
            freed: true,
        }),
    }
}

/// A game or a table of the lobby.
pub fn stored(number: u32, contract: Address, game: &Game) -> StoredVariant {
    StoredVariant {
        game: VariantGame::new(number, contract, game),
        standing: words::variant_standing(game),
        terms_words: game.variant().to_string(),
        freed: false,
    }
}

fn shown(
    position: &Position,
    halted: Option<String>,
    standing: String,
    moves: Vec<ViewedMove>,
    missing: Option<&str>,
) -> ShownVariant {
    let (targets, obstacles) = options(position, halted);
    let written = moves.iter().map(|at| Move::from(at.r#move));
    ShownVariant {
        targets,
        obstacles,
        standing,
        terms_words: position.variant().to_string(),
        notation: notation::write(written).to_string(),
        moves,
        moves_missing: missing.map(str::to_owned),
    }
}
