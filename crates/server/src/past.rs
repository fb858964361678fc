//! What is shown of the past of a game: its moves, and who left it.

use connect4_client::{
    Event, Occurrence, ReplayError, StepKind, Transaction, VariantStep, replay_variant,
};
use connect4_protocol::event::DiscDropped;
use connect4_protocol::{AnyGame, variants};
use connect4_rules::variant::{self, Variant};
use connect4_rules::{Bin, Player, Position};
use connect4_wire::host::AnsweredBlock;
use connect4_wire::{Departure, Move, Played, Sent};

/// An event of play, and its transaction.
pub struct Told {
    pub at: Occurrence,
    pub sent: Transaction,
}

/// The past of a game, or of a line of moves on no chain.
#[derive(Clone, Debug, Default)]
pub struct Past {
    pub moves: Vec<Move>,
    pub departures: Vec<Departure>,
    /// The block of the last move; none if that is on no chain.
    pub last_block: Option<AnsweredBlock>,
}

impl Past {
    pub fn of(game: &AnyGame, told: &[Told]) -> Self {
        match game {
            AnyGame::Two(_) => Self::of_two(told),
            AnyGame::Variant(game) => Self::of_variant(game.variant(), told),
        }
    }

    pub fn of_two(told: &[Told]) -> Self {
        let mut past = Self::default();
        for Told { at, sent } in told {
            if let Event::DiscDropped(DiscDropped { bin, row, turn, .. }) = &at.event {
                let player = Player::ALL[usize::from(turn % 2)];
                past.push(Played::dropped(player, *bin, *row), Some(sent));
            }
        }
        past
    }

    /// The past of a game of a variant. Nothing is told of a table, which is not played yet.
    fn of_variant(variant: Variant, told: &[Told]) -> Self {
        let mut past = Self::default();
        let Ok((_, steps)) = replay(told) else {
            return past;
        };
        let mut before = variant::Position::new(variant);
        for step in steps {
            let Some(Told { sent, .. }) = told.get(step.event) else {
                continue;
            };
            match step.kind {
                StepKind::Move(action) => {
                    if let Ok(played) = Played::new(&before, action) {
                        past.push(played, Some(sent));
                    }
                }
                StepKind::Leave { late } => past.departures.push(Departure {
                    player: step.colour,
                    late,
                    turns: step.game.position().turns(),
                    transaction: sent.into(),
                }),
            }
            before = *step.game.position();
        }
        past
    }

    /// Adds a move, which is on no chain if there is no transaction.
    pub fn push(&mut self, played: Played, sent: Option<&Transaction>) {
        self.moves.push(Move {
            played,
            transaction: sent.map(Sent::from),
        });
        self.last_block = sent.map(|sent| AnsweredBlock {
            block: sent.block,
            hash: sent.block_hash.into(),
        });
    }
}

pub fn leads_to(told: &[Told], game: &AnyGame) -> bool {
    let game = match game {
        AnyGame::Two(game) => game,
        AnyGame::Variant(game) => {
            return replay(told).is_ok_and(|(replayed, _)| {
                replayed.position() == game.position()
                    && replayed.is_swapped() == game.is_swapped()
                    && replayed.is_over() == game.is_over()
            });
        }
    };
    let mut bins = told.iter().filter_map(|told| match &told.at.event {
        Event::DiscDropped(dropped) => Some(dropped.bin),
        _ => None,
    });
    let mut position = Position::new(game.shape());
    let is_legal = bins.all(|bin| position.drop(Bin::new(bin)).is_ok());
    is_legal && position == game.position()
}

/// The game of a variant that these events lead to, and its steps.
fn replay(told: &[Told]) -> Result<(variants::Game, Vec<VariantStep>), ReplayError> {
    let history: Vec<_> = told.iter().map(|told| told.at.clone()).collect();
    replay_variant(&history)
}
