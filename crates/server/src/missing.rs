//! That there is no such game, in words.

use std::sync::Arc;

use connect4_client::GameId;

use crate::wire::Live;

/// There is none, for this reason.
pub fn because(error: String) -> Arc<Live> {
    Arc::new(Live::Missing { error })
}

/// There is none, as its contract is not deployed.
pub fn nowhere(game: GameId) -> Arc<Live> {
    because(format!(
        "there is no game {game}: no game of its kind has been started on this chain yet"
    ))
}

/// There is none, as only so many have been started. `id` names the one with a number.
pub fn beyond(game: GameId, count: u32, id: impl Fn(u32) -> GameId) -> Arc<Live> {
    let which = match count {
        0 => "no game has been started yet".into(),
        1 => format!("the only one is game {}", id(0)),
        count => format!("there are games {} to {}", id(0), id(count - 1)),
    };
    because(format!("there is no game {game}: {which}"))
}
