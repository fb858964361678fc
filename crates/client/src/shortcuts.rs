//! Shortcuts that callers still use.

use crate::{Action, Contract, Error, Receipt, Signer};

#[allow(missing_docs, reason = "until callers perform actions")]
impl Contract {
    pub async fn resign(&self, signer: &Signer, game: u32) -> Result<Receipt<()>, Error> {
        Ok(self.perform(signer, game, Action::Resign).await?.bare())
    }
    pub async fn claim_timeout(&self, signer: &Signer, game: u32) -> Result<Receipt<()>, Error> {
        Ok(self
            .perform(signer, game, Action::ClaimTimeout)
            .await?
            .bare())
    }
    pub async fn offer_draw(&self, signer: &Signer, game: u32) -> Result<Receipt<bool>, Error> {
        let receipt = self.perform(signer, game, Action::OfferDraw).await?;
        Ok(receipt.map(|done| done.ended().is_some()))
    }
    pub async fn accept_draw(&self, signer: &Signer, game: u32) -> Result<Receipt<()>, Error> {
        Ok(self.perform(signer, game, Action::AcceptDraw).await?.bare())
    }
    pub async fn decline_draw(&self, signer: &Signer, game: u32) -> Result<Receipt<()>, Error> {
        Ok(self
            .perform(signer, game, Action::DeclineDraw)
            .await?
            .bare())
    }
    pub async fn offer_rematch(
        &self,
        signer: &Signer,
        game: u32,
    ) -> Result<Receipt<Option<u32>>, Error> {
        let receipt = self.perform(signer, game, Action::OfferRematch).await?;
        Ok(receipt.map(|done| done.rematch()))
    }
    pub async fn accept_rematch(&self, signer: &Signer, game: u32) -> Result<Receipt<u32>, Error> {
        let receipt = self.perform(signer, game, Action::AcceptRematch).await?;
        Ok(receipt.map(|done| done.rematch().unwrap_or_default()))
    }
    pub async fn decline_rematch(&self, signer: &Signer, game: u32) -> Result<Receipt<()>, Error> {
        Ok(self
            .perform(signer, game, Action::DeclineRematch)
            .await?
            .bare())
    }
    pub async fn free(&self, signer: &Signer, game: u32) -> Result<Receipt<()>, Error> {
        Ok(self.perform(signer, game, Action::Free).await?.bare())
    }
    pub fn in_token(&self, amount: u128) -> u128 {
        self.client().token().in_smallest_unit(amount)
    }
    pub fn amount(&self, amount: u128) -> String {
        self.client().token().contract_amount(amount)
    }
}

impl crate::Client {
    #[allow(missing_docs, reason = "until callers perform actions")]
    pub fn ratio(&self) -> u128 {
        self.token().ratio
    }
}
