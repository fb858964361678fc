//! Performing an action of a player.

use connect4_protocol::message::{
    AcceptDraw, AcceptRematch, ClaimTimeout, DeclineDraw, DeclineRematch, DropDisc, Free,
    OfferDraw, OfferRematch, Resign, Withdraw,
};

use connect4_rules::Bin;

use crate::account::Signer;
use crate::action::{Action, Performed, Played};
use crate::client::Receipt;
use crate::contract::Contract;
use crate::error::Error;

impl Contract {
    /// Performs an action of the signer in a game, and returns what it did.
    ///
    /// A rematch takes the stake of the game as its payment, in the same transaction.
    ///
    /// # Errors
    ///
    /// Before anything is sent, the first of these that applies:
    ///
    /// 1. [`Error::NoMatches`] if the action is not a drop and the contract has games alone,
    /// 2. [`Error::BrokenStake`] or [`Error::UnknownCode`] if a rematch has a stake that cannot be
    ///    paid from here, or not to code that is not known,
    /// 3. [`Error::Refused`] with the contract's reason.
    ///
    /// Else if the account cannot pay, or the chain cannot be reached.
    pub async fn perform(
        &self,
        signer: &Signer,
        game: u32,
        action: Action,
    ) -> Result<Receipt<Performed>, Error> {
        let what = what(action, signer, game);
        let what = what.as_str();
        let receipt = match action {
            Action::Drop(bin) => {
                let bin = bin.index();
                self.transact(what, signer, &DropDisc { game, bin }, 0)
                    .await?
            }
            Action::Resign => self.transact(what, signer, &Resign { game }, 0).await?,
            Action::ClaimTimeout => {
                self.transact(what, signer, &ClaimTimeout { game }, 0)
                    .await?
            }
            Action::OfferDraw => self.transact(what, signer, &OfferDraw { game }, 0).await?,
            Action::AcceptDraw => self.transact(what, signer, &AcceptDraw { game }, 0).await?,
            Action::DeclineDraw => {
                self.transact(what, signer, &DeclineDraw { game }, 0)
                    .await?
            }
            Action::OfferRematch => {
                let stake = self.payment(what, self.match_of(game).await?.stake)?;
                self.transact(what, signer, &OfferRematch { game }, stake)
                    .await?
            }
            Action::AcceptRematch => {
                let stake = self.payment(what, self.match_of(game).await?.stake)?;
                self.transact(what, signer, &AcceptRematch { game }, stake)
                    .await?
            }
            Action::DeclineRematch => {
                self.transact(what, signer, &DeclineRematch { game }, 0)
                    .await?
            }
            Action::Withdraw => {
                let games = vec![game];
                self.transact(what, signer, &Withdraw { games }, 0).await?
            }
            Action::Free => self.transact(what, signer, &Free { game }, 0).await?,
        };
        let told = receipt.value.iter().any(|event| action.is_told_by(event));
        self.found(what, receipt, |events| told.then_some(Performed { events }))
    }
}

impl Contract {
    /// Drops a disc of the signer into a bin: [`Action::Drop`] with the move that it made.
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
        let what = what(action, signer, game);
        self.found(&what, receipt.map(|done| done.events), |events| {
            Performed { events }.played()
        })
    }
}

/// The action in words, for errors.
fn what(action: Action, signer: &Signer, game: u32) -> String {
    match action {
        Action::Drop(bin) => format!("dropping a disc of {signer} into bin {bin} of game {game}"),
        Action::Resign => format!("resigning game {game}"),
        Action::ClaimTimeout => format!("claiming the timeout of game {game}"),
        Action::OfferDraw => format!("offering a draw in game {game}"),
        Action::AcceptDraw => format!("accepting a draw in game {game}"),
        Action::DeclineDraw => format!("declining a draw in game {game}"),
        Action::OfferRematch => format!("offering a rematch of game {game}"),
        Action::AcceptRematch => format!("accepting a rematch of game {game}"),
        Action::DeclineRematch => format!("declining a rematch of game {game}"),
        Action::Withdraw => format!("withdrawing what {signer} is owed"),
        Action::Free => format!("freeing the storage of game {game}"),
    }
}
