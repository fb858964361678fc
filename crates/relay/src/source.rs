//! Which games there are.

use std::future::Future;

use connect4_protocol::fast::{Domain, FastGame};

/// A game as the chain has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The game, with the session keys of its players.
    pub game: FastGame,
    /// Contract and chain for which its statements are made.
    pub domain: Domain,
}

/// The chain cannot be asked at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreachable;

/// Where a relay learns of games: a chain. Of games by signed terms it learns from the players, who bring the
/// terms; the chain only tells for which contract they are signed.
///
/// A room asks when somebody enters while nobody is in it. So a game that another one has replaced,
/// after the chain took blocks back, is found out.
pub trait Source: Send + Sync + 'static {
    /// The game with this number; none if the chain has none.
    fn game(&self, number: u32) -> impl Future<Output = Result<Option<Found>, Unreachable>> + Send;

    /// Contract and chain for which games by signed terms are played here; none if there are no such games.
    fn domain(&self) -> impl Future<Output = Result<Option<Domain>, Unreachable>> + Send {
        std::future::ready(Ok(None))
    }
}

impl<S: Source> Source for std::sync::Arc<S> {
    fn game(&self, number: u32) -> impl Future<Output = Result<Option<Found>, Unreachable>> + Send {
        S::game(self, number)
    }

    fn domain(&self) -> impl Future<Output = Result<Option<Domain>, Unreachable>> + Send {
        S::domain(self)
    }
}
