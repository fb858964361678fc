//! Sending messages to the contracts.

use connect4_protocol::message::StartGame;
use connect4_protocol::{Address, GameId};
use connect4_rules::variant::Move;
use connect4_rules::{Bin, ShapeSpec};

use crate::accounts::account::Signer;
use crate::chain::dry_run;
use crate::contracts::abi::Packed;
use crate::contracts::action::Action;
use crate::contracts::calls::Call;
use crate::contracts::deployed::Contracts;
use crate::contracts::performed::{Performed, Played};
use crate::contracts::receipt::Receipt;
use crate::error::Error;
use crate::failure::unexpected;
use crate::task::Task;

impl Contracts {
    /// Sends a message of the signer, and returns what the chain tells of it.
    ///
    /// # Errors
    ///
    /// Before anything is sent, the first of these that applies:
    ///
    /// 1. [`Error::Lacks`] if the contract of the message is not there,
    /// 2. [`Error::Refused`] with the contract's reason: see the contract's message.
    ///
    /// Else if the account cannot pay, or the chain cannot be reached.
    pub async fn send<M: Call>(
        &self,
        signer: &Signer,
        message: M,
    ) -> Result<Receipt<M::Told>, Error> {
        self.send_packed(signer, &Packed::of(signer, &message))
            .await
    }

    async fn send_packed<T>(
        &self,
        signer: &Signer,
        message: &Packed<T>,
    ) -> Result<Receipt<T>, Error> {
        let task = &message.task;
        let call = dry_run::Call {
            contract: self.need(task, message.kind)?,
            payment: 0,
            input: &message.input,
        };
        let receipt = self.transact(task, signer, call).await?;
        match (message.told)(&receipt.value) {
            Some(told) => Ok(receipt.map(|_| told)),
            None => Err(untold(task, &receipt)),
        }
    }

    /// Performs an action of the signer in a game or at its table, and returns what it did.
    ///
    /// # Errors
    ///
    /// [`Error::Lacks`] if games of this kind have no such action, then as [`Contracts::send`].
    pub async fn perform(
        &self,
        signer: &Signer,
        game: GameId,
        action: Action,
    ) -> Result<Receipt<Performed>, Error> {
        match action.message(game, signer) {
            Ok(message) => self.send_packed(signer, &message).await,
            Err((task, kind)) => Err(Error::Lacks {
                task,
                address: self.address(),
                kind,
            }),
        }
    }

    /// Drops a disc of the signer into a bin, and returns the move that it made in a game between two
    /// accounts.
    ///
    /// # Errors
    ///
    /// As [`Contracts::perform`].
    pub async fn drop_disc(
        &self,
        signer: &Signer,
        game: GameId,
        bin: Bin,
    ) -> Result<Receipt<Played>, Error> {
        let action = Action::Move(Move::Drop(bin));
        let receipt = self.perform(signer, game, action).await?;
        match receipt.value.played() {
            Some(played) => Ok(receipt.map(|_| played)),
            None => Err(untold(&Task::ReadEvents, &receipt)),
        }
    }

    /// Starts a game and returns it. Player `one` is red and moves first. The signer need not play.
    ///
    /// If the game stops for ever, the signer's deposit comes back only after a player
    /// has resigned, see [`Action::Free`].
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] with `SamePlayer`, then `BadShape`, before anything is sent; else if the
    /// account cannot pay or the chain cannot be reached.
    pub async fn start_game(
        &self,
        signer: &Signer,
        one: Address,
        two: Address,
        shape: ShapeSpec,
    ) -> Result<Receipt<GameId>, Error> {
        let message = StartGame {
            player_one: one,
            player_two: two,
            shape,
        };
        self.send(signer, message).await
    }
}

/// The error for a transaction without the event that tells what it did.
fn untold<T>(task: &Task, receipt: &Receipt<T>) -> Error {
    unexpected(
        task,
        format_args!(
            "transaction {:?} emitted no event that tells what it did",
            receipt.transaction.hash
        ),
    )
}
