//! Offers of draws, and what becomes of them.

use connect4_protocol::Error;
use connect4_protocol::signed::staked_room::Offer;
use connect4_protocol::signed::{Evidence, Kind, Signing};

use super::{OFFER_STANDS, Seat};
use crate::keep::{Keep, SeatError};

/// How far the clocks of machine and chain may be apart when a draw is offered, in seconds.
const CLOCKS_APART: u64 = 30;

impl<K: Keep, S: Signing> Seat<K, S> {
    /// Offers a draw at the latest position, which the opponent may accept until this second of the
    /// chain's time. The offer is kept, and is to be sent.
    ///
    /// # Errors
    ///
    /// [`SeatError::Refused`]: [`Error::GameOver`]; [`Error::YourTurn`] if this player is to move, as a
    /// draw is offered after the own move; [`Error::AlreadyOffered`] if one stands; [`Error::NoOffer`] if
    /// the game is on the chain, where draws can't be offered. [`SeatError::Keep`].
    pub fn offer_draw(&mut self, until: u64) -> Result<Offer, SeatError<K::Error>> {
        let to_move = self.latest().to_move().ok_or(Error::GameOver)?;
        if to_move == self.player {
            return Err(Error::YourTurn.into());
        }
        if self.offered().is_some() {
            return Err(Error::AlreadyOffered.into());
        }
        if self.is_on_chain() {
            return Err(Error::NoOffer.into());
        }
        let mut journal = self.journal.clone();
        let moves = journal.position.moves;
        let signature = self.subject.sign(&self.key, Kind::Draw { until }, &moves);
        let offer = Offer {
            by: self.player,
            until,
            moves,
            signature,
        };
        journal.offered = Some(offer);
        self.keep(journal)?;
        Ok(offer)
    }

    /// As [`Self::offer_draw`] for [`OFFER_STANDS`] seconds of the chain's time. `ahead` is by how many
    /// seconds the machine's clock was ahead of the newest block when that was seen first: the opponent
    /// could accept for longer if the time of the chain were taken from a clock that is wrong.
    ///
    /// # Errors
    ///
    /// [`SeatError::ClocksDiffer`] if the two are more than half a minute apart, then as
    /// [`Self::offer_draw`].
    pub fn offer_draw_now(&mut self, ahead: i64) -> Result<Offer, SeatError<K::Error>> {
        if ahead.unsigned_abs() > CLOCKS_APART {
            return Err(SeatError::ClocksDiffer(ahead));
        }
        let now = self.machine.saturating_sub_signed(ahead);
        let now = now.max(self.times.chain);
        self.offer_draw(now.saturating_add(OFFER_STANDS))
    }

    /// Accepts the opponent's offer of a draw. The draw is to be sent.
    ///
    /// # Errors
    ///
    /// [`SeatError::Refused`]: [`Error::NoOffer`] if there is none; [`SeatError::Keep`].
    pub fn accept_draw(&mut self) -> Result<Evidence, SeatError<K::Error>> {
        let offer = *self.offer().ok_or(Error::NoOffer)?;
        let kind = Kind::Draw { until: offer.until };
        let draw = offer.accepted(self.subject.sign(&self.key, kind, &offer.moves));
        let mut journal = self.journal.clone();
        if !journal.covers(&draw) {
            journal.put(draw);
        }
        self.keep(journal)?;
        Ok(draw)
    }

    pub fn decline_draw(&mut self) -> bool {
        let stood = self.offer().is_some();
        self.has_declined = true;
        stood
    }
}
