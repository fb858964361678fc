//! Performing an action of a player.

use connect4_protocol::GameId;
use connect4_rules::Bin;

use crate::accounts::account::Signer;
use crate::contracts::action::{Action, Performed, Played};
use crate::contracts::contract::Contract;
use crate::contracts::receipt::Receipt;
use crate::contracts::transact::untold;
use crate::error::Error;
use crate::task::Task;

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
        let Some(message) = action.message(GameId::of_two(game)) else {
            return Err(Error::FastGame { task: task.clone() });
        };
        let payment = match action.pays_stake() {
            true => self.payment(task, self.match_of(game).await?.stake)?,
            false => 0,
        };
        let receipt = self.send(task, signer, &message, payment).await?;
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
}

fn task(signer: &Signer, game: u32, action: Action) -> Task {
    Task::Perform {
        action,
        game,
        signer: signer.named(),
    }
}
