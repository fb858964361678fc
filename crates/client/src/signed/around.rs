//! What is around a player in a signed game.

use connect4_protocol::Address;
use connect4_protocol::signed::Domain;
use connect4_seat::GameOffer;

use super::carrier::Carrier;
use super::clocks::machine;
use super::error::SignedError;
use super::records::SignedGames;
use super::rooms_at;
use crate::accounts::account::Signer;
use crate::contracts::stakes::Stakes;

/// What is around a player.
#[derive(Debug)]
pub struct Around {
    /// Where its record and its key are.
    pub games: SignedGames,
    /// The contract of the stakes, and the account that plays there; none in a game without a stake.
    pub stakes: Option<(Stakes, Signer)>,
    /// The relay of the room, in place of the one that the offer names; none for that one.
    pub relay: Option<String>,
    /// The way to the opponent's program; none if there is none, so that the opponent is heard by the chain or by the
    /// witness alone.
    pub carrier: Option<Carrier>,
    /// By how many seconds the clock of the witness is ahead of this machine's, as far as is known: offers are dated and
    /// judged by it. In its room the witness says it anew.
    pub ahead: i64,
}

impl Around {
    /// Where a game by this offer is signed, as it is known without it.
    pub(super) fn domain(&self, offer: &GameOffer) -> Result<Domain, SignedError> {
        if offer.terms.stake == 0 {
            // The room says for which chain its games are signed.
            return Ok(Domain::without_stake(offer.domain.chain));
        }
        let (stakes, _) = self.stakes.as_ref().ok_or(SignedError::NoContract)?;
        Ok(stakes.domain())
    }

    /// The time by which offers are dated.
    pub(super) fn now(&self) -> u64 {
        machine().saturating_add_signed(self.ahead)
    }

    /// Whether this account can play the game of the offer.
    pub(super) fn check(&self, named: Address, offer: &GameOffer) -> Result<(), SignedError> {
        match &self.stakes {
            _ if offer.terms.stake == 0 => {
                let relay = self.relay(offer);
                relay.map(|_| ()).ok_or(SignedError::NoRelay)
            }
            Some((_, signer)) if signer.address() != named => Err(SignedError::OtherAccount {
                named,
                given: signer.address(),
            }),
            Some(_) => Ok(()),
            None => Err(SignedError::NoContract),
        }
    }

    /// URL of the relay in whose room a game by this offer is played.
    pub(super) fn relay(&self, offer: &GameOffer) -> Option<String> {
        let named = self.relay.as_ref().or(offer.relay.as_ref());
        named.map(|named| rooms_at(named))
    }
}
