//! The lobby: who offers a signed game, and who takes the offer. It reads neither offers nor letters.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use codec::Encode;
use connect4_protocol::signed::lobby::{
    Counts, FromLobby, Invite, Letter, NotPaired, Offer, OfferId, TakeId,
};
use connect4_protocol::signed::relay::Refusal;
use tokio::sync::{broadcast, mpsc};

use crate::addresses::{Addresses, Guest};
use crate::feed::Feed;
use crate::limits::Limits;
use crate::shares::{Shares, may_use_more};
use crate::visitor::Visitor;

/// Changes of the list that are kept for sockets that read slowly, or wait for their share of messages. One that has
/// missed more has all offers listed anew.
const NEWS: usize = 256;

/// All offers of a relay.
///
/// The list is kept once, and so are its latest changes: nothing of it is queued for a socket.
pub struct Lobby {
    most: usize,
    /// Time in which a taker has to be accepted.
    pub(crate) acceptance: Duration,
    /// How often those who follow the list are told how many wait and play.
    pub(crate) counting: Duration,
    /// What knows the games that are played.
    feed: Arc<Feed>,
    /// What each address has of the offers.
    addresses: Addresses,
    /// What each address has of the takings that wait: each takes an offer off the list, and most bring it back.
    takers: Addresses,
    news: broadcast::Sender<News>,
    /// How many messages about the list there may be, for which networks.
    listings: Mutex<Shares>,
    all: Mutex<All>,
}

struct All {
    offers: BTreeMap<OfferId, Offered>,
    /// How many of them everybody sees.
    open: usize,
    /// The last number of an offer or a taking.
    last: u64,
}

/// A change of the list.
#[derive(Clone)]
pub(crate) struct News {
    pub id: OfferId,
    /// By what alone it is seen; none if everybody sees it.
    pub invite: Option<Invite>,
    pub frame: Bytes,
}

/// An offer, with the socket of its player.
struct Offered {
    from: Visitor,
    invite: Option<Invite>,
    /// The message by which it is listed.
    frame: Bytes,
    letters: mpsc::Sender<Bytes>,
    /// The taking that the player has to accept or decline. The offer is not on the list meanwhile.
    taken: Option<Taken>,
    /// Counts the offer for the address of the player.
    guest: Guest,
}

struct Taken {
    id: TakeId,
    letters: mpsc::Sender<Bytes>,
    /// Counts the taking for the address of the taker.
    _guest: Guest,
}

impl Lobby {
    /// No offers, with these bounds, where no games are played.
    #[must_use]
    pub fn new(limits: &Limits) -> Self {
        Self::beside(limits, &Arc::new(Feed::new(limits)))
    }

    /// No offers, beside the games that a feed has.
    pub(crate) fn beside(limits: &Limits, feed: &Arc<Feed>) -> Self {
        Self {
            most: limits.seeks,
            acceptance: limits.acceptance,
            counting: limits.counts,
            feed: Arc::clone(feed),
            addresses: Addresses::new(limits.seeks_of_address()),
            takers: Addresses::new(limits.seeks_of_address()),
            news: broadcast::Sender::new(NEWS),
            listings: Mutex::new(Shares::new(limits.listings, Instant::now())),
            all: Mutex::new(All {
                offers: BTreeMap::new(),
                open: 0,
                last: 0,
            }),
        }
    }

    #[must_use]
    pub fn count(&self) -> usize {
        self.lock().offers.len()
    }

    /// How many wait and play.
    pub(crate) fn counts(&self) -> Counts {
        let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let open = self.lock().open;
        Counts {
            waiting: count(open),
            playing: count(self.feed.playing()),
        }
    }

    /// Lists an offer, in the place of the one of this socket before. Returns its number.
    ///
    /// # Errors
    ///
    /// [`Refusal::Busy`] if there is no place for it. Then the one before is as it was.
    pub(crate) fn list(
        &self,
        offer: Offer,
        invite: Option<Invite>,
        before: Option<OfferId>,
        from: Visitor,
        letters: &mpsc::Sender<Bytes>,
    ) -> Result<(OfferId, Bytes), Refusal> {
        let all = &mut *self.lock();
        // The one that goes leaves its place to the new one.
        let replaced = before.filter(|id| all.offers.contains_key(id));
        let guest = match replaced {
            Some(_) => {
                let may_come = self.addresses.spend(from, 1, Instant::now());
                may_come.then_some(None)
            }
            None if all.has_place(from, self.most) => {
                self.addresses.enter(from, Instant::now()).map(Some)
            }
            None => None,
        };
        let new = guest.ok_or(Refusal::Busy)?;
        let place = replaced.and_then(|id| self.end(all, id));
        let guest = new.or(place).ok_or(Refusal::Busy)?;
        let id = all.next();
        let frame = frame(&FromLobby::Listed {
            id,
            invited: invite.is_some(),
            offer,
        });
        self.tell(id, invite, &frame);
        all.open += usize::from(invite.is_none());
        all.offers.insert(
            id,
            Offered {
                from,
                invite,
                frame: frame.clone(),
                letters: letters.clone(),
                taken: None,
                guest,
            },
        );
        Ok((id, frame))
    }

    /// Ends an offer, although somebody may have taken it.
    pub(crate) fn withdraw(&self, id: OfferId) {
        let all = &mut *self.lock();
        drop(self.end(all, id));
    }

    /// Ends an offer, if it is there. Returns its place.
    fn end(&self, all: &mut All, id: OfferId) -> Option<Guest> {
        let offered = all.remove(id)?;
        match &offered.taken {
            Some(taken) => not_paired(&taken.letters, id, NotPaired::Gone),
            None => self.tell(id, offered.invite, &frame(&FromLobby::Gone { id })),
        }
        Some(offered.guest)
    }

    /// Counts one more message about the list to this visitor. Returns whether its network may have it: who follows the
    /// list pays for what is told there, and not who seeks, however many follow it.
    pub(crate) fn may_tell(&self, from: Visitor, now: Instant) -> bool {
        let listings = self.listings.lock();
        let mut listings = listings.unwrap_or_else(PoisonError::into_inner);
        listings.spend(from, 1, now)
    }

    /// Passes the letter of a taker on to the player who offers, and takes the offer off the list. It stays there if the
    /// player has not read so many letters before: others may have sent them all at once. The taking counts for the
    /// taker, also where the offer comes back, as its player can do nothing about it. Returns why there is no game, if
    /// there is none.
    ///
    /// # Errors
    ///
    /// [`Refusal::Busy`] if the taker's address has as many as it may have.
    pub(crate) fn take(
        &self,
        id: OfferId,
        looks: Option<Invite>,
        letter: Letter,
        from: Visitor,
        letters: &mpsc::Sender<Bytes>,
    ) -> Result<Result<TakeId, NotPaired>, Refusal> {
        let all = &mut *self.lock();
        let number = all.next();
        let Some(offered) = all.offers.get_mut(&id) else {
            return Ok(Err(NotPaired::Gone));
        };
        if !is_seen(offered.invite, looks) {
            return Ok(Err(NotPaired::Gone));
        }
        if offered.taken.is_some() {
            return Ok(Err(NotPaired::Taken));
        }
        let guest = self.takers.enter(from, Instant::now());
        let guest = guest.ok_or(Refusal::Busy)?;
        let taken = frame(&FromLobby::Taken {
            offer: id,
            id: number,
            letter,
        });
        if offered.letters.try_send(taken).is_err() {
            return Ok(Err(NotPaired::Taken));
        }
        offered.taken = Some(Taken {
            id: number,
            letters: letters.clone(),
            _guest: guest,
        });
        let invite = offered.invite;
        self.tell(id, invite, &frame(&FromLobby::Gone { id }));
        Ok(Ok(number))
    }

    /// Ends the wait for a player who has not said anything in time.
    pub(crate) fn give_up(&self, id: OfferId, take: TakeId) {
        let all = &mut *self.lock();
        let Some(taken) = all.give_back(id, take) else {
            return;
        };
        not_paired(&taken.letters, id, NotPaired::Silent);
        if let Some(offered) = all.remove(id) {
            not_paired(&offered.letters, id, NotPaired::Silent);
        }
    }

    /// Lists an offer again, whose taker has gone or is declined: the other one is told.
    pub(crate) fn list_again(&self, id: OfferId, take: TakeId, why: NotPaired) {
        let all = &mut *self.lock();
        let Some(taken) = all.give_back(id, take) else {
            return;
        };
        if let Some(offered) = all.offers.get(&id) {
            let told = match why {
                NotPaired::Declined => &taken.letters,
                _ => &offered.letters,
            };
            not_paired(told, id, why);
            self.tell(id, offered.invite, &offered.frame);
        }
    }

    /// Tells both that the player who offers has accepted a taker. The offer is listed again if it stays, else it has
    /// ended. Returns whether both were told.
    pub(crate) fn accept(&self, id: OfferId, take: TakeId, letter: Letter, stays: bool) -> bool {
        let all = &mut *self.lock();
        let Some(offered) = all.offers.get_mut(&id) else {
            return false;
        };
        let accepted = frame(&FromLobby::Accepted { offer: id, letter });
        let is_told = |taken: &mut Taken| {
            taken.id == take && taken.letters.try_send(accepted.clone()).is_ok()
        };
        if offered.taken.take_if(is_told).is_none() {
            return false;
        }
        // The own one is the receipt.
        let _ = offered.letters.try_send(accepted);
        match stays {
            true => self.tell(id, offered.invite, &offered.frame),
            false => drop(all.remove(id)),
        }
        true
    }

    /// The first offer from a number on, up to another one, that a socket sees.
    pub(crate) fn listed(
        &self,
        from: OfferId,
        to: OfferId,
        looks: Option<Invite>,
    ) -> Option<(OfferId, Bytes)> {
        let all = self.lock();
        let mut offers = all.offers.range(from..=to);
        let found =
            offers.find(|(_, offered)| offered.taken.is_none() && is_seen(offered.invite, looks));
        found.map(|(id, offered)| (*id, offered.frame.clone()))
    }

    pub(crate) fn invited(&self, invite: Invite) -> Option<Bytes> {
        let all = self.lock();
        let is_it = |offered: &&Offered| offered.taken.is_none() && offered.invite == Some(invite);
        let found = all.offers.values().find(is_it);
        found.map(|offered| offered.frame.clone())
    }

    fn tell(&self, id: OfferId, invite: Option<Invite>, frame: &Bytes) {
        // Without anybody in the lobby nobody has to know.
        let _ = self.news.send(News {
            id,
            invite,
            frame: frame.clone(),
        });
    }

    /// The changes of the list from now on, and the last number up to now.
    pub(crate) fn follow(&self) -> (broadcast::Receiver<News>, OfferId) {
        let all = self.lock();
        (self.news.subscribe(), all.last)
    }

    pub(crate) fn is_waiting(&self, id: OfferId, take: TakeId) -> bool {
        let all = self.lock();
        let taken = all.offers.get(&id);
        let taken = taken.and_then(|offered| offered.taken.as_ref());
        taken.is_some_and(|taken| taken.id == take)
    }

    fn lock(&self) -> MutexGuard<'_, All> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl All {
    const fn next(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    /// Whether there is a place for one more offer of this visitor, of so many.
    fn has_place(&self, from: Visitor, most: usize) -> bool {
        let left = most.saturating_sub(self.offers.len());
        let of_network = match from.widest() {
            None => 0,
            network => {
                let others = self.offers.values().map(|offered| offered.from.widest());
                others.filter(|other| *other == network).count()
            }
        };
        left > 0 && may_use_more(of_network as f64, left as f64)
    }

    fn remove(&mut self, id: OfferId) -> Option<Offered> {
        let offered = self.offers.remove(&id)?;
        self.open -= usize::from(offered.invite.is_none());
        Some(offered)
    }

    /// Takes a taking off its offer, if it still waits.
    fn give_back(&mut self, id: OfferId, take: TakeId) -> Option<Taken> {
        let offered = self.offers.get_mut(&id)?;
        offered.taken.take_if(|taken| taken.id == take)
    }
}

pub fn frame(message: &impl Encode) -> Bytes {
    message.encode().into()
}

fn not_paired(letters: &mpsc::Sender<Bytes>, offer: OfferId, why: NotPaired) {
    // A socket that does not read learns it by the silence.
    let _ = letters.try_send(frame(&FromLobby::NotPaired { offer, why }));
}

fn is_seen(invite: Option<Invite>, looks: Option<Invite>) -> bool {
    invite.is_none() || invite == looks
}
