//! The connection to the lobby of signed games of a relay.

use std::collections::{BTreeMap, VecDeque};

use codec::{DecodeAll as _, Encode as _};
use connect4_protocol::signed::lobby::{
    self, Counts, FromLobby, Invite, Letter, NotPaired, Offer, OfferId, TakeId, ToLobby, WitnessAt,
};
use connect4_seat::{GameOffer, Message, WrongClock};

use super::clocks::machine;
use super::messages::{LobbyError, Messages};
use super::relay::rooms_at;

/// Offers of a relay's list that are kept at most, as in the page.
const MOST_OFFERS: usize = 500;

/// What has happened in the lobby.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LobbyNews {
    /// The list of offers has changed, or how many wait and play.
    Changed,
    /// All offers were listed.
    Complete,
    /// The offer by whose invite this program looks is there.
    Invited(OfferId),
    /// Somebody takes the own offer, which another one may have replaced meanwhile.
    Taken {
        /// The offer.
        offer: OfferId,
        /// What the taking is called.
        take: TakeId,
        /// By the taker's program; none if it is junk.
        message: Option<Message>,
    },
    /// The player who offers has accepted.
    Accepted {
        /// The offer.
        offer: OfferId,
        /// By the program of the player who offers; none if it is junk.
        message: Option<Message>,
    },
    /// Nothing comes of this offer.
    NotPaired(OfferId, NotPaired),
    /// The lobby takes no more of what was sent last.
    Busy,
    /// The relay is another witness now, or none.
    OtherWitness,
}

/// A place in the lobby of a relay. It ends when this is dropped, and so does what is offered there.
#[derive(Debug)]
pub struct Lobby {
    messages: Messages,
    witness: Option<WitnessAt>,
    /// By how many seconds the relay's clock is ahead of this machine's.
    ahead: i64,
    offers: BTreeMap<OfferId, GameOffer>,
    counts: Option<Counts>,
    /// What this program offers, and what it is called once it is listed.
    own: Option<(Offer, Option<OfferId>)>,
    /// What is to be sent.
    outbox: VecDeque<ToLobby>,
}

impl Lobby {
    /// Enters the lobby of the relay with this URL.
    ///
    /// # Errors
    ///
    /// [`LobbyError`].
    pub async fn enter(url: &str) -> Result<Self, LobbyError> {
        let mut messages = Messages::connect(&rooms_at(url), lobby::PATH, lobby::MAX_LEN).await?;
        match messages.first().await? {
            FromLobby::Welcome { time, witness } => {
                let (time, machine) = (time / 1_000, machine());
                if let Some(wrong) = WrongClock::shown_by(time, machine) {
                    return Err(LobbyError::WrongClock(wrong));
                }
                let time = i64::try_from(time).unwrap_or(i64::MAX);
                Ok(Self {
                    messages,
                    witness,
                    ahead: time.saturating_sub_unsigned(machine),
                    offers: BTreeMap::new(),
                    counts: None,
                    own: None,
                    outbox: VecDeque::new(),
                })
            }
            FromLobby::Refused(refusal) => Err(LobbyError::Refused(refusal)),
            _ => Err(LobbyError::lost("it does not welcome")),
        }
    }

    /// The witness that the relay is; none if it is none.
    #[must_use]
    pub const fn witness(&self) -> Option<WitnessAt> {
        self.witness
    }

    /// By how many seconds the relay's clock is ahead of this machine's.
    #[must_use]
    pub const fn ahead(&self) -> i64 {
        self.ahead
    }

    /// The time by which terms are dated here, in seconds since 1970.
    #[must_use]
    pub fn now(&self) -> u64 {
        machine().saturating_add_signed(self.ahead)
    }

    /// All offers of others that were listed, the oldest first. Nobody has signed them.
    pub fn offers(&self) -> impl Iterator<Item = (OfferId, &GameOffer)> {
        self.offers.iter().map(|(id, offer)| (*id, offer))
    }

    /// How many wait and play here, by the relay's word; none before it has said so.
    #[must_use]
    pub const fn counts(&self) -> Option<Counts> {
        self.counts
    }

    /// The own offer is called so: somebody has taken it.
    pub(super) const fn call_own(&mut self, id: OfferId) {
        if let Some((_, called)) = &mut self.own {
            *called = Some(id);
        }
    }

    /// What the own offer is called, once it is listed.
    #[must_use]
    pub fn own(&self) -> Option<OfferId> {
        self.own.as_ref().and_then(|(_, id)| *id)
    }

    /// Offers a game, in place of what was offered before.
    ///
    /// # Errors
    ///
    /// [`LobbyError::Lost`] if it has more bytes than a lobby takes.
    pub fn offer(&mut self, offer: &GameOffer, invite: Option<Invite>) -> Result<(), LobbyError> {
        let offer = Offer::new(offer.encode()).ok_or_else(too_long)?;
        self.own = Some((offer.clone(), None));
        self.outbox.push_back(ToLobby::Offer { offer, invite });
        Ok(())
    }

    /// Offers nothing any more, and takes no offer, if its taking still waits.
    pub fn withdraw(&mut self) {
        self.own = None;
        self.outbox.push_back(ToLobby::Withdraw);
    }

    /// Has all offers listed, and follows them from then on.
    pub fn list(&mut self) {
        self.offers.clear();
        self.outbox.push_back(ToLobby::List { live: true });
    }

    /// Has the offer with this invite listed, too, as soon as there is one.
    pub fn look(&mut self, invite: Invite) {
        self.outbox.push_back(ToLobby::Look(invite));
    }

    /// Takes an offer, with what the player who offers is told.
    ///
    /// # Errors
    ///
    /// As [`Self::offer`].
    pub fn take(&mut self, offer: OfferId, message: &Message) -> Result<(), LobbyError> {
        let letter = letter(Some(message))?;
        self.outbox.push_back(ToLobby::Take { offer, letter });
        Ok(())
    }

    /// Accepts the taker of the own offer, which has ended then, or is listed again if it stays.
    ///
    /// # Errors
    ///
    /// As [`Self::offer`].
    pub fn accept(
        &mut self,
        offer: OfferId,
        take: TakeId,
        message: Option<&Message>,
        stays: bool,
    ) -> Result<(), LobbyError> {
        let letter = letter(message)?;
        self.outbox.push_back(ToLobby::Accept {
            offer,
            take,
            letter,
            stays,
        });
        Ok(())
    }

    /// Does not play with this taker.
    pub fn decline(&mut self, offer: OfferId, take: TakeId) {
        self.outbox.push_back(ToLobby::Decline { offer, take });
    }

    /// Sends what is to be sent, before the lobby is left.
    ///
    /// # Errors
    ///
    /// [`LobbyError`].
    pub async fn send(&mut self) -> Result<(), LobbyError> {
        self.messages.send_all(&mut self.outbox).await
    }

    /// What happens next, once all is sent. If the wait is given up, nothing is lost.
    ///
    /// # Errors
    ///
    /// [`LobbyError`].
    pub async fn next(&mut self) -> Result<LobbyNews, LobbyError> {
        loop {
            self.send().await?;
            let message = self.messages.receive().await?;
            if let Some(news) = self.heard(message)? {
                return Ok(news);
            }
        }
    }

    fn heard(&mut self, message: FromLobby) -> Result<Option<LobbyNews>, LobbyError> {
        Ok(Some(match message {
            FromLobby::Welcome { witness, .. } => {
                if self.witness == witness {
                    return Ok(None);
                }
                self.witness = witness;
                LobbyNews::OtherWitness
            }
            FromLobby::Listed { id, invited, offer } => match self.listed(id, invited, &offer) {
                Some(news) => news,
                None => return Ok(None),
            },
            FromLobby::Gone { id } => {
                self.offers.remove(&id);
                LobbyNews::Changed
            }
            FromLobby::Taken { offer, id, letter } => LobbyNews::Taken {
                offer,
                take: id,
                message: read(&letter),
            },
            FromLobby::Accepted { offer, letter } => LobbyNews::Accepted {
                offer,
                message: read(&letter),
            },
            FromLobby::NotPaired { offer, why } => {
                if matches!(why, NotPaired::Taken | NotPaired::Gone) {
                    // If it is there again it is listed again.
                    self.offers.remove(&offer);
                }
                LobbyNews::NotPaired(offer, why)
            }
            FromLobby::Cleared => {
                self.offers.clear();
                LobbyNews::Changed
            }
            FromLobby::Complete => LobbyNews::Complete,
            FromLobby::Counts(counts) => {
                self.counts = Some(counts);
                LobbyNews::Changed
            }
            FromLobby::Refused(refusal) if refusal.closes() => {
                return Err(LobbyError::Refused(refusal));
            }
            FromLobby::Refused(_) => LobbyNews::Busy,
        }))
    }

    fn listed(&mut self, id: OfferId, invited: bool, offer: &Offer) -> Option<LobbyNews> {
        if let Some((own, called)) = &mut self.own
            && own == offer
        {
            // Anybody can list a copy of it, but not before.
            called.get_or_insert(id);
            return Some(LobbyNews::Changed);
        }
        // The player who offers may have written anything.
        let offer = GameOffer::decode_all(&mut offer.as_bytes()).ok()?;
        // A relay could fill the memory.
        if self.offers.len() >= MOST_OFFERS && !self.offers.contains_key(&id) && !invited {
            return None;
        }
        self.offers.insert(id, offer);
        Some(match invited {
            true => LobbyNews::Invited(id),
            false => LobbyNews::Changed,
        })
    }
}

fn letter(message: Option<&Message>) -> Result<Letter, LobbyError> {
    let bytes = message.map(Message::encode).unwrap_or_default();
    Letter::new(bytes).ok_or_else(too_long)
}

fn read(letter: &Letter) -> Option<Message> {
    Message::decode_all(&mut letter.as_bytes()).ok()
}

fn too_long() -> LobbyError {
    LobbyError::lost("no lobby takes as many bytes")
}
