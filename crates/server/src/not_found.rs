//! Games that are not in the contract: why there is none, and those whose storage was freed.

use std::sync::Arc;

use connect4_client::{Error, GameId};
use connect4_wire::Live;

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

/// There is none, as only so many of its kind have been started.
pub fn out_of(game: GameId, count: u32) -> Arc<Live> {
    let which = match count {
        0 => "no game has been started yet".into(),
        1 => format!("the only one is game {}", game.sibling(0)),
        count => format!(
            "there are games {} to {}",
            game.sibling(0),
            game.sibling(count - 1)
        ),
    };
    because(format!("there is no game {game}: {which}"))
}

/// There is none any more, and its moves cannot be shown for this reason.
pub fn freed(game: GameId, why: Option<&Error>) -> Arc<Live> {
    let freed = format!("game {game} has ended and its storage was freed");
    because(match why {
        Some(why) => format!("{freed}; {why}"),
        None => freed,
    })
}

/// What there is to see of a game once its storage was freed, which changes no more.
#[derive(Default)]
pub struct Freed(Option<Arc<Live>>);

impl Freed {
    /// What `read` finds of the game, which is read only once; that it is missing is not kept.
    pub async fn or_read(
        &mut self,
        read: impl Future<Output = Result<Arc<Live>, Error>>,
    ) -> Result<Arc<Live>, Error> {
        if let Some(seen) = &self.0 {
            return Ok(Arc::clone(seen));
        }
        let seen = read.await?;
        if !matches!(*seen, Live::Missing { .. }) {
            self.0 = Some(Arc::clone(&seen));
        }
        Ok(seen)
    }
}
