//! Performing an action of a player.

use connect4_protocol::message::{
    AcceptDraw, AcceptRematch, ClaimFastTimeout, ClaimTimeout, DeclineDraw, DeclineFastRematch,
    DeclineRematch, DropDisc, DropFast, Free, FreeFast, OfferDraw, OfferRematch, Press, Resign,
    ResignFast, Withdraw, WithdrawFast,
};
use connect4_protocol::{Event, GameId};
use connect4_rules::Bin;

use crate::account::Signer;
use crate::action::{Action, Performed, Played};
use crate::contract::Contract;
use crate::error::Error;
use crate::receipt::Receipt;
use crate::task::Task;
use crate::transact::untold;

impl Contract {
    /// Performs an action of the signer in a game, and returns what it did.
    ///
    /// [`Action::OfferRematch`] and [`Action::AcceptRematch`] pay the stake of the game in the same
    /// transaction. In a fast game they need a session key:
    /// [`offer_fast_rematch`](Self::offer_fast_rematch) and
    /// [`accept_fast_rematch`](Self::accept_fast_rematch).
    ///
    /// # Errors
    ///
    /// Before anything is sent, the first of these that applies:
    ///
    /// 1. [`Error::Lacks`] if the action is not a drop and the contract has games alone, or if it is
    ///    one of fast games, which the contract has not,
    /// 2. [`Error::FastGame`] if the action is about a draw or a rematch of a fast game,
    /// 3. [`Error::BrokenStake`], then [`Error::UnknownCode`], if a rematch has a stake that no
    ///    payment is exactly, or that would be paid to unknown code,
    /// 4. [`Error::Refused`] with the contract's reason; see the message of the action's
    ///    [name](Action::name).
    ///
    /// Else if the account cannot pay, or the chain cannot be reached.
    pub async fn perform(
        &self,
        signer: &Signer,
        game: u32,
        action: Action,
    ) -> Result<Receipt<Performed>, Error> {
        let task = &task(signer, game, action);
        let receipt = self.send_action(task, signer, game, action).await?;
        if !receipt.value.iter().any(|event| action.is_told_by(event)) {
            return Err(untold(task, &receipt));
        }
        Ok(receipt.map(|events| Performed { events }))
    }

    /// Drops a disc of the signer into a bin: [`Action::Drop`], with the move that it made.
    ///
    /// # Errors
    ///
    /// As [`Contract::perform`].
    pub async fn drop_disc(
        &self,
        signer: &Signer,
        game: u32,
        bin: Bin,
    ) -> Result<Receipt<Played>, Error> {
        let action = Action::Drop(bin);
        let receipt = self.perform(signer, game, action).await?;
        match receipt.value.played() {
            Some(played) => Ok(receipt.map(|_| played)),
            None => Err(untold(&task(signer, game, action), &receipt)),
        }
    }

    async fn send_action(
        &self,
        task: &Task,
        signer: &Signer,
        game: u32,
        action: Action,
    ) -> Result<Receipt<Vec<Event>>, Error> {
        if GameId::of_two(game).is_fast() {
            return self.send_fast_action(task, signer, game, action).await;
        }
        match action {
            Action::Drop(bin) => {
                let bin = bin.index();
                self.transact(task, signer, &DropDisc { game, bin }, 0)
                    .await
            }
            Action::Press => self.transact(task, signer, &Press { game }, 0).await,
            Action::Resign => self.transact(task, signer, &Resign { game }, 0).await,
            Action::ClaimTimeout => self.transact(task, signer, &ClaimTimeout { game }, 0).await,
            Action::OfferDraw => self.transact(task, signer, &OfferDraw { game }, 0).await,
            Action::AcceptDraw => self.transact(task, signer, &AcceptDraw { game }, 0).await,
            Action::DeclineDraw => self.transact(task, signer, &DeclineDraw { game }, 0).await,
            Action::OfferRematch => {
                let stake = self.rematch_payment(task, game).await?;
                self.transact(task, signer, &OfferRematch { game }, stake)
                    .await
            }
            Action::AcceptRematch => {
                let stake = self.rematch_payment(task, game).await?;
                self.transact(task, signer, &AcceptRematch { game }, stake)
                    .await
            }
            Action::DeclineRematch => {
                self.transact(task, signer, &DeclineRematch { game }, 0)
                    .await
            }
            Action::Withdraw => {
                let games = vec![game];
                self.transact(task, signer, &Withdraw { games }, 0).await
            }
            Action::Free => self.transact(task, signer, &Free { game }, 0).await,
        }
    }

    async fn send_fast_action(
        &self,
        task: &Task,
        signer: &Signer,
        game: u32,
        action: Action,
    ) -> Result<Receipt<Vec<Event>>, Error> {
        match action {
            Action::Drop(bin) => {
                let bin = bin.index();
                self.transact(task, signer, &DropFast { game, bin }, 0)
                    .await
            }
            Action::Resign => self.transact(task, signer, &ResignFast { game }, 0).await,
            Action::ClaimTimeout => {
                self.transact(task, signer, &ClaimFastTimeout { game }, 0)
                    .await
            }
            Action::Press => self.transact(task, signer, &Press { game }, 0).await,
            Action::DeclineRematch => {
                self.transact(task, signer, &DeclineFastRematch { game }, 0)
                    .await
            }
            Action::Withdraw => self.transact(task, signer, &WithdrawFast {}, 0).await,
            Action::Free => self.transact(task, signer, &FreeFast { game }, 0).await,
            Action::OfferDraw
            | Action::AcceptDraw
            | Action::DeclineDraw
            | Action::OfferRematch
            | Action::AcceptRematch => Err(Error::FastGame { task: task.clone() }),
        }
    }

    /// The payment for the stake of a rematch, in the token's smallest unit.
    async fn rematch_payment(&self, task: &Task, game: u32) -> Result<u128, Error> {
        self.payment(task, self.match_of(game).await?.stake)
    }
}

fn task(signer: &Signer, game: u32, action: Action) -> Task {
    Task::Perform {
        action,
        game,
        signer: signer.named(),
    }
}
