//! What a player does.

use connect4_protocol::fast::{Evidence, Moves};
use connect4_protocol::message::Advance;
use connect4_rules::Bin;
use connect4_seat::{Moved, Press, SeatError};

use super::FastPlayer;
use crate::contracts::action::Action;
use crate::contracts::deployed::Contracts;
use crate::contracts::performed::Performed;
use crate::contracts::receipt::Receipt;
use crate::fast::player_event::{Made, PlayError};

impl FastPlayer {
    /// Drops a disc of the player: signs it, or makes the move on the chain if the game goes on there.
    ///
    /// # Errors
    ///
    /// As [`Seat::drop`](connect4_seat::Seat::drop); on the chain, as [`Contracts::perform`].
    pub async fn drop(&mut self, bin: Bin) -> Result<Made, PlayError> {
        match self.seat.drop(bin)? {
            Moved::Signed(_) => {
                self.tell();
                Ok(Made::Signed)
            }
            // The seat's duty brings it.
            Moved::ForChain(_) => Ok(Made::Signed),
            Moved::OnChain(bin) => {
                let action = Action::Move(Moves::as_move(bin));
                let contracts = self.based_on();
                let dropped = contracts.perform(&self.signer, self.id(), action);
                let receipt = dropped.await?;
                self.refresh().await?;
                Ok(Made::OnChain(Box::new(receipt)))
            }
        }
    }

    /// Takes player one's disc over in place of a move, by the pie rule.
    ///
    /// # Errors
    ///
    /// As [`Seat::swap`](connect4_seat::Seat::swap); on the chain, as [`Contracts::perform`].
    pub async fn swap(&mut self) -> Result<Made, PlayError> {
        self.drop(Bin::new(Moves::SWAP)).await
    }

    /// Gives the game up by a signature. The opponent sends it to the chain.
    ///
    /// # Errors
    ///
    /// As [`Seat::resign`](connect4_seat::Seat::resign).
    pub fn resign(&mut self) -> Result<(), PlayError> {
        self.seat.resign()?;
        self.tell();
        Ok(())
    }

    /// Offers a draw for a minute of the chain's time. It may be accepted until then even if the game goes
    /// on.
    ///
    /// # Errors
    ///
    /// As [`Seat::offer_draw_now`](connect4_seat::Seat::offer_draw_now).
    pub fn offer_draw(&mut self) -> Result<(), PlayError> {
        let offer = self.seat.offer_draw_now(self.clocks.ahead())?;
        if let Some(link) = &self.link {
            link.offer(&offer);
        }
        Ok(())
    }

    /// Accepts the opponent's offer of a draw.
    ///
    /// # Errors
    ///
    /// As [`Seat::accept_draw`](connect4_seat::Seat::accept_draw).
    pub fn accept_draw(&mut self) -> Result<(), PlayError> {
        self.seat.accept_draw()?;
        self.tell();
        Ok(())
    }

    /// Declines the opponent's offer of a draw. Returns whether there was one.
    pub fn decline_draw(&mut self) -> bool {
        self.seat.decline_draw()
    }

    /// Starts the opponent's clock on the chain, with the latest position if that is not known there.
    ///
    /// # Errors
    ///
    /// As [`Seat::press`](connect4_seat::Seat::press); as [`Contracts::send`] of [`Advance`].
    pub async fn press(&mut self) -> Result<Receipt<Performed>, PlayError> {
        let press = self.seat.press().map_err(SeatError::Refused)?;
        match press {
            Press::With(evidence) => self.advance(&evidence, true).await,
            Press::Alone => {
                let pressed = self
                    .contract
                    .perform(&self.signer, self.id(), Action::Press);
                let receipt = pressed.await?;
                self.refresh().await?;
                Ok(receipt)
            }
        }
    }

    /// Brings the latest position to the chain, and presses nobody.
    ///
    /// # Errors
    ///
    /// As [`Contracts::send`] of [`Advance`].
    pub async fn show(&mut self) -> Result<Receipt<Performed>, PlayError> {
        let position = self.seat.journal().position;
        self.advance(&position, false).await
    }

    /// Brings the latest position to the chain, and starts the opponent's clock there if the game has
    /// one: so the opponent has the move without a relay.
    ///
    /// # Errors
    ///
    /// As [`Contracts::send`] of [`Advance`].
    pub async fn bring(&mut self) -> Result<Receipt<Performed>, PlayError> {
        let chain = self.seat.chain();
        let has_clock = chain.stopped.is_some() || chain.game.clock().is_some();
        let position = self.seat.journal().position;
        self.advance(&position, has_clock).await
    }

    /// Sends to the chain how the game has ended, though that is the opponent's duty. If this player has lost by a
    /// line there that can be contested, and has nothing to contest it with, that is to agree to it by the
    /// account. None if the end is on the chain, or the game goes on.
    ///
    /// # Errors
    ///
    /// As [`Contracts::send`] of [`Advance`].
    pub async fn settle(&mut self) -> Result<Option<Receipt<Performed>>, PlayError> {
        if let Some(evidence) = self.seat.settlement() {
            return self.advance(&evidence, false).await.map(Some);
        }
        if !self.may_agree() {
            return Ok(None);
        }
        let contracts = self.based_on();
        let agreed = contracts.perform(&self.signer, self.id(), Action::Resign);
        let receipt = agreed.await?;
        self.refresh().await?;
        Ok(Some(receipt))
    }

    /// Whether this player has lost by a line on the chain that could be contested, though not by
    /// anything that it holds.
    #[must_use]
    pub fn may_agree(&self) -> bool {
        let is_contested = self.seat.chain().contest.is_some();
        is_contested && self.seat.is_lost() && self.seat.settlement().is_none()
    }

    async fn advance(
        &mut self,
        evidence: &Evidence,
        press: bool,
    ) -> Result<Receipt<Performed>, PlayError> {
        let message = Advance {
            game: self.id().number(),
            press,
            evidence: *evidence,
        };
        let receipt = self.contract.send(&self.signer, message).await?;
        self.refresh().await?;
        Ok(receipt)
    }

    /// The contract, whose transactions are based on the game as it was seen. For a stake that is a final
    /// block: whether there is one was agreed on, and is not asked of the node again.
    fn based_on(&self) -> Contracts {
        let at_stake = self.of_match.stake > 0;
        self.contract.based_on(self.id(), &self.block, at_stake)
    }
}
