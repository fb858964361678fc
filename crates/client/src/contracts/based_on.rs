//! What transactions to the contracts rely on: a game or a challenge, as it was seen.

use connect4_protocol::message::OpenChallenge;
use connect4_protocol::{AnyGame, Challenge, GameId};
use subxt::utils::H256;

use crate::chain::block_ref::BlockRef;
use crate::chain::seen::{Basis, Seen};
use crate::contracts::deployed::{BasedOn, Contracts, Subject};
use crate::error::Error;
use crate::task::Task;

impl Contracts {
    /// The same contracts, whose transactions are based on a game or table as it was seen: each is void on
    /// a branch of the chain on which the game has other players, another position or another end. How deep
    /// the block has to lie in which it is found first, the [client](crate::Client::confirming) says, by
    /// whether something is at stake.
    #[must_use]
    pub fn based_on<G>(&self, game: GameId, seen: &Seen<G>, at_stake: bool) -> Self
    where
        G: Into<AnyGame> + Copy,
    {
        self.on(Subject::Game(game, seen.value.into()), seen.block, at_stake)
    }

    /// The same contracts, whose transactions are based on a challenge as it was seen: each is void on a
    /// branch of the chain on which another challenge has its number.
    #[must_use]
    pub fn based_on_challenge(&self, number: u32, seen: &Seen<Challenge>) -> Self {
        let at_stake = seen.terms.stake > 0;
        self.on(Subject::Challenge(number, seen.value), seen.block, at_stake)
    }

    fn on(&self, subject: Subject, block: BlockRef, at_stake: bool) -> Self {
        let mut on = self.clone();
        on.basis = Some(BasedOn {
            subject,
            block,
            depth: self.client().depth(at_stake),
        });
        on
    }

    /// The challenge that transactions rely on, if it has this number.
    pub(crate) fn basis_challenge(&self, number: u32) -> Option<Challenge> {
        match self.basis?.subject {
            Subject::Challenge(seen, challenge) if seen == number => Some(challenge),
            _ => None,
        }
    }
}

/// What transactions to contracts rely on, and the contracts.
pub(crate) struct InContracts<'a>(pub(crate) &'a Contracts, pub(crate) BasedOn);

impl Basis for InContracts<'_> {
    fn block(&self) -> BlockRef {
        self.1.block
    }

    fn depth(&self) -> u32 {
        self.1.depth
    }

    async fn stands(&self, task: &Task, block: H256) -> Result<bool, Error> {
        let Self(contracts, based_on) = self;
        match based_on.subject {
            Subject::Game(game, seen) => {
                let now = contracts.game_at::<AnyGame>(game, block).await?;
                Ok(now.is_some_and(|now| is_same(&now, &seen)))
            }
            Subject::Challenge(challenge, seen) => {
                let message = OpenChallenge { challenge };
                let now = contracts.query(task, &message, Some(block)).await?;
                Ok(now == Ok(seen))
            }
        }
    }
}

/// Whether a player who has seen a game on one branch sees the same on another one. The times of moves may
/// differ there, and the clocks with them.
fn is_same(now: &AnyGame, seen: &AnyGame) -> bool {
    match (now, seen) {
        (AnyGame::Two(now), AnyGame::Two(seen)) => {
            now.player_one() == seen.player_one()
                && now.player_two() == seen.player_two()
                && now.payer() == seen.payer()
                && now.clock().is_some() == seen.clock().is_some()
                // By colours a swap leaves the position as it is.
                && now.moves() == seen.moves()
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
