//! What transactions to the contracts rely on: a game, as it was seen.

use connect4_protocol::{AnyGame, GameId};
use subxt::utils::H256;

use crate::chain::block_ref::BlockRef;
use crate::chain::seen::{Basis, Seen};
use crate::contracts::deployed::{BasedOn, Contracts};
use crate::error::Error;

impl Contracts {
    /// The same contracts, whose transactions are based on a game or table as it was seen: each is void on
    /// a branch of the chain on which the game has other players, another position or another end. How deep
    /// the block has to lie in which it is found first, the [client](crate::Client::confirming) says.
    #[must_use]
    pub fn based_on<G>(&self, game: GameId, seen: &Seen<G>) -> Self
    where
        G: Into<AnyGame> + Copy,
    {
        let mut on = self.clone();
        on.basis = Some(BasedOn {
            id: game,
            game: seen.value.into(),
            block: seen.block,
        });
        on
    }
}

/// What transactions to contracts rely on, and the contracts.
pub(crate) struct InContracts<'a>(pub(crate) &'a Contracts, pub(crate) BasedOn);

impl Basis for InContracts<'_> {
    fn block(&self) -> BlockRef {
        self.1.block
    }

    fn depth(&self) -> u32 {
        self.0.client().depth()
    }

    async fn stands(&self, block: H256) -> Result<bool, Error> {
        let Self(contracts, based_on) = self;
        let now = contracts.game_at::<AnyGame>(based_on.id, block).await?;
        Ok(now.is_some_and(|now| is_same(&now, &based_on.game)))
    }
}

/// Whether a player who has seen a game on one branch sees the same on another one. The times of moves may
/// differ there.
fn is_same(now: &AnyGame, seen: &AnyGame) -> bool {
    match (now, seen) {
        (AnyGame::Two(now), AnyGame::Two(seen)) => {
            now.player_one() == seen.player_one()
                && now.player_two() == seen.player_two()
                && now.payer() == seen.payer()
                && now.position() == seen.position()
                && now.end() == seen.end()
        }
        (AnyGame::Variant(now), AnyGame::Variant(seen)) => {
            now.variant() == seen.variant()
                && now.accounts() == seen.accounts()
                && now.payer() == seen.payer()
                && now.limit() == seen.limit()
                && now.has_started() == seen.has_started()
                && now.is_swapped() == seen.is_swapped()
                && now.position() == seen.position()
                && now.end() == seen.end()
        }
        _ => false,
    }
}
