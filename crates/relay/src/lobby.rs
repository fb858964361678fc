//! The lobby: who seeks a game, and who answers.
//!
//! Games by signed terms are [`SignedSeek`]s, which it checks; signed games are [`Offer`]s, which it does not read. Of each
//! kind a relay has a list of its own.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use codec::Encode;
use connect4_protocol::Address;
use connect4_protocol::fast::lobby::{
    Answer, AnswerId, FromLobby, Invite, NotPaired, SeekId, SignedSeek,
};
use connect4_protocol::fast::wire::Refusal;
use connect4_protocol::signed::lobby::{self as signed, Letter, Offer};
use tokio::sync::{broadcast, mpsc};

use crate::addresses::{Addresses, Guest};
use crate::limits::Limits;
use crate::shares::{Shares, may_use_more};
use crate::visitor::Visitor;

/// Changes of the list that are kept for sockets that read slowly, or wait for their share of messages. One that has
/// missed more has all seeks listed anew.
const NEWS: usize = 256;

/// What the lobby lists: a seek or an offer.
pub trait Listable: Sized {
    type Answer;

    /// How often a seeker may decline before its seek ends, as each time it is listed once more. None if anybody can
    /// answer with junk: then that counts for who answers alone.
    const DECLINES: Option<u8>;

    /// By which it is the only one of its seeker; none if each socket has one.
    fn key(&self) -> Option<Address>;

    /// The message by which it is listed.
    fn listed(&self, id: SeekId, invited: bool) -> Bytes;

    /// The message by which the seeker is told of an answer to its seek.
    fn answered(seek: SeekId, id: AnswerId, answer: &Self::Answer) -> Bytes;
}

impl Listable for SignedSeek {
    type Answer = Answer;

    const DECLINES: Option<u8> = Some(3);

    fn key(&self) -> Option<Address> {
        Some(self.seek.party.key())
    }

    fn listed(&self, id: SeekId, invited: bool) -> Bytes {
        frame(&FromLobby::Listed {
            id,
            invited,
            seek: *self,
        })
    }

    fn answered(_: SeekId, id: AnswerId, answer: &Answer) -> Bytes {
        frame(&FromLobby::Answered {
            id,
            answer: *answer,
        })
    }
}

impl Listable for Offer {
    type Answer = Letter;

    const DECLINES: Option<u8> = None;

    fn key(&self) -> Option<Address> {
        None
    }

    fn listed(&self, id: SeekId, invited: bool) -> Bytes {
        frame(&signed::FromLobby::Listed {
            id,
            invited,
            offer: self.clone(),
        })
    }

    fn answered(offer: SeekId, id: AnswerId, letter: &Letter) -> Bytes {
        frame(&signed::FromLobby::Taken {
            offer,
            id,
            letter: letter.clone(),
        })
    }
}

/// All seeks of a relay, or all offers.
///
/// The list of seeks is kept once, and so are its latest changes: nothing of it is queued for a socket.
pub struct Lobby<L: Listable = SignedSeek> {
    most: usize,
    /// Time in which a seeker has to accept an answer.
    pub(crate) acceptance: Duration,
    /// What each address has of the seeks.
    addresses: Addresses,
    /// What each address has of the answers that wait: each takes a seek off the list, and most bring it back.
    answerers: Addresses,
    news: broadcast::Sender<News>,
    /// How many messages about the list there may be, for which networks.
    listings: Mutex<Shares>,
    all: Mutex<All<L>>,
}

struct All<L: Listable> {
    seeks: BTreeMap<SeekId, Sought<L>>,
    /// The seek of each session key.
    of_key: HashMap<Address, SeekId>,
    /// The last number of a seek or an answer.
    last: u64,
}

/// A change of the list.
#[derive(Clone)]
pub(crate) struct News {
    pub id: SeekId,
    /// By what alone it is seen; none if everybody sees it.
    pub invite: Option<Invite>,
    pub frame: Bytes,
}

/// A seek, with its seeker's socket.
struct Sought<L: Listable> {
    what: L,
    from: Visitor,
    invite: Option<Invite>,
    /// The message by which it is listed.
    frame: Bytes,
    letters: mpsc::Sender<Bytes>,
    /// The answer that the seeker has to accept or decline. The seek is not on the list meanwhile.
    taken: Option<Taken<L::Answer>>,
    declined: u8,
    /// Counts the seek for the address of the seeker.
    guest: Guest,
}

struct Taken<A> {
    id: AnswerId,
    answer: A,
    letters: mpsc::Sender<Bytes>,
    /// Counts the answer for the address of who has answered.
    _guest: Guest,
}

impl<L: Listable + Clone> Lobby<L> {
    /// No seeks, with these bounds.
    #[must_use]
    pub fn new(limits: &Limits) -> Self {
        Self {
            most: limits.seeks,
            acceptance: limits.acceptance,
            addresses: Addresses::new(limits.seeks_of_address()),
            answerers: Addresses::new(limits.seeks_of_address()),
            news: broadcast::Sender::new(NEWS),
            listings: Mutex::new(Shares::new(limits.listings, Instant::now())),
            all: Mutex::new(All {
                seeks: BTreeMap::new(),
                of_key: HashMap::new(),
                last: 0,
            }),
        }
    }

    #[must_use]
    pub fn count(&self) -> usize {
        self.lock().seeks.len()
    }

    /// Lists a seek that is valid, in the place of others by this socket and this key. Returns its number.
    ///
    /// # Errors
    ///
    /// [`Refusal::Busy`] if there is no place for it. Then the others are as they were.
    pub(crate) fn list(
        &self,
        what: L,
        invite: Option<Invite>,
        before: Option<SeekId>,
        from: Visitor,
        letters: &mpsc::Sender<Bytes>,
    ) -> Result<SeekId, Refusal> {
        let all = &mut *self.lock();
        let key = what.key();
        let of_key = key.and_then(|key| all.of_key.get(&key).copied());
        let of_key = of_key.filter(|other| Some(*other) != before);
        let replaced = [before, of_key];
        // One that goes leaves its place to the new one: it counts for the same address.
        let is_heir = |id: &SeekId| {
            let sought = all.seeks.get(id);
            sought.is_some_and(|sought| sought.from.networks().eq(from.networks()))
        };
        let heir = replaced.into_iter().flatten().find(is_heir);
        let guest = match heir {
            Some(_) => {
                let may_come = self.addresses.spend(from, 1, Instant::now());
                may_come.then_some(None)
            }
            None if all.has_place(from, self.most, &replaced) => {
                self.addresses.enter(from, Instant::now()).map(Some)
            }
            None => None,
        };
        let mut guest = guest.ok_or(Refusal::Busy)?;
        // Its own socket passes over what the list says of its seek.
        if let Some(other) = of_key
            && let Some(sought) = all.seeks.get(&other)
        {
            let gone = frame(&FromLobby::Gone { id: other });
            let _ = sought.letters.try_send(gone);
        }
        for id in replaced.into_iter().flatten() {
            let place = self.end(all, id);
            if heir == Some(id) {
                guest = place;
            }
        }
        let guest = guest.ok_or(Refusal::Busy)?;
        let id = all.next();
        let frame = what.listed(id, invite.is_some());
        self.tell(id, invite, &frame);
        if let Some(key) = key {
            all.of_key.insert(key, id);
        }
        all.seeks.insert(
            id,
            Sought {
                what,
                from,
                invite,
                frame,
                letters: letters.clone(),
                taken: None,
                declined: 0,
                guest,
            },
        );
        Ok(id)
    }

    /// Ends a seek, whoever has answered it.
    pub(crate) fn withdraw(&self, id: SeekId) {
        let all = &mut *self.lock();
        drop(self.end(all, id));
    }

    /// Ends a seek, if it is there. Returns its place.
    fn end(&self, all: &mut All<L>, id: SeekId) -> Option<Guest> {
        let sought = all.remove(id)?;
        match &sought.taken {
            Some(taken) => not_paired(&taken.letters, id, NotPaired::Gone),
            None => self.tell(id, sought.invite, &frame(&FromLobby::Gone { id })),
        }
        Some(sought.guest)
    }

    /// The seek that an answer is for, if this socket sees it.
    pub(crate) fn sought(&self, id: SeekId, looks: Option<Invite>) -> Result<L, NotPaired> {
        let all = self.lock();
        let sought = all.seeks.get(&id).ok_or(NotPaired::Gone)?;
        match sought.taken {
            _ if !is_seen(sought.invite, looks) => Err(NotPaired::Gone),
            Some(_) => Err(NotPaired::Taken),
            None => Ok(sought.what.clone()),
        }
    }

    /// Counts one more message about the list to this visitor. Returns whether its network may have it: who follows the
    /// list pays for what is told there, and not who seeks, however many follow it.
    pub(crate) fn may_tell(&self, from: Visitor, now: Instant) -> bool {
        let listings = self.listings.lock();
        let mut listings = listings.unwrap_or_else(PoisonError::into_inner);
        listings.spend(from, 1, now)
    }

    /// Counts one more answer of this visitor. It takes a seek off the list, which may come back: that counts for who
    /// has answered, as the seeker can do nothing about it.
    pub(crate) fn answerer(&self, from: Visitor) -> Result<Guest, Refusal> {
        let guest = self.answerers.enter(from, Instant::now());
        guest.ok_or(Refusal::Busy)
    }

    /// Passes an answer that is valid on to the seeker, and takes the seek off the list. It stays there if the seeker has
    /// not read so many before: others may have sent them all at once.
    pub(crate) fn answer(
        &self,
        id: SeekId,
        answer: L::Answer,
        letters: &mpsc::Sender<Bytes>,
        guest: Guest,
    ) -> Result<AnswerId, NotPaired> {
        let all = &mut *self.lock();
        let number = all.next();
        let sought = all.seeks.get_mut(&id).ok_or(NotPaired::Gone)?;
        if sought.taken.is_some() {
            return Err(NotPaired::Taken);
        }
        let answered = L::answered(id, number, &answer);
        let is_told = sought.letters.try_send(answered).is_ok();
        let invite = sought.invite;
        if !is_told {
            return Err(NotPaired::Taken);
        }
        sought.taken = Some(Taken {
            id: number,
            answer,
            letters: letters.clone(),
            _guest: guest,
        });
        self.tell(id, invite, &frame(&FromLobby::Gone { id }));
        Ok(number)
    }

    /// Ends the wait for a seeker that has not said anything in time.
    pub(crate) fn give_up(&self, id: SeekId, answer: AnswerId) {
        let all = &mut *self.lock();
        let Some(taken) = all.take_back(id, answer) else {
            return;
        };
        not_paired(&taken.letters, id, NotPaired::Silent);
        if let Some(sought) = all.remove(id) {
            not_paired(&sought.letters, id, NotPaired::Silent);
        }
    }

    /// Lists a seek again, whose answer is not valid any more: the other one is told why.
    pub(crate) fn list_again(
        &self,
        id: SeekId,
        answer: AnswerId,
        why: NotPaired,
        tell_seeker: bool,
    ) {
        let all = &mut *self.lock();
        let Some(taken) = all.take_back(id, answer) else {
            return;
        };
        if let Some(sought) = all.seeks.get_mut(&id) {
            match tell_seeker {
                true => not_paired(&sought.letters, id, why),
                false => {
                    sought.declined = sought.declined.saturating_add(1);
                    not_paired(&taken.letters, id, why);
                }
            }
            let (invite, listed, letters) =
                (sought.invite, sought.frame.clone(), sought.letters.clone());
            if L::DECLINES.is_none_or(|most| sought.declined < most) {
                self.tell(id, invite, &listed);
            } else {
                drop(letters.try_send(frame(&FromLobby::Gone { id })));
                drop(self.end(all, id));
            }
        }
    }

    /// Tells both that the seeker has accepted an answer, by the message that is made of the seek and the answer. Returns
    /// whether that is so.
    ///
    /// # Errors
    ///
    /// As `accepted`. Then the answer waits on.
    pub(crate) fn accept<E>(
        &self,
        id: SeekId,
        answer: AnswerId,
        accepted: impl FnOnce(&L, &L::Answer) -> Result<Bytes, E>,
    ) -> Result<bool, E> {
        let all = &mut *self.lock();
        let Some((sought, taken)) = all.seeks.get(&id).and_then(|sought| {
            let taken = sought.taken.as_ref().filter(|taken| taken.id == answer)?;
            Some((sought, taken))
        }) else {
            return Ok(false);
        };
        let accepted = accepted(&sought.what, &taken.answer)?;
        let is_told = taken.letters.try_send(accepted.clone()).is_ok();
        if is_told {
            // The seeker's own is the receipt.
            let _ = sought.letters.try_send(accepted);
            all.remove(id);
        }
        Ok(is_told)
    }

    /// The first seek from a number on, up to another one, that a socket sees.
    pub(crate) fn listed(
        &self,
        from: SeekId,
        to: SeekId,
        looks: Option<Invite>,
    ) -> Option<(SeekId, Bytes)> {
        let all = self.lock();
        let mut seeks = all.seeks.range(from..=to);
        let found =
            seeks.find(|(_, sought)| sought.taken.is_none() && is_seen(sought.invite, looks));
        found.map(|(id, sought)| (*id, sought.frame.clone()))
    }

    pub(crate) fn invited(&self, invite: Invite) -> Option<Bytes> {
        let all = self.lock();
        let is_it = |sought: &&Sought<L>| sought.taken.is_none() && sought.invite == Some(invite);
        all.seeks
            .values()
            .find(is_it)
            .map(|sought| sought.frame.clone())
    }

    fn tell(&self, id: SeekId, invite: Option<Invite>, frame: &Bytes) {
        // Without anybody in the lobby nobody has to know.
        let _ = self.news.send(News {
            id,
            invite,
            frame: frame.clone(),
        });
    }

    /// The changes of the list from now on, and the last number up to now.
    pub(crate) fn follow(&self) -> (broadcast::Receiver<News>, SeekId) {
        let all = self.lock();
        (self.news.subscribe(), all.last)
    }

    pub(crate) fn is_waiting(&self, id: SeekId, answer: AnswerId) -> bool {
        let all = self.lock();
        let taken = all.seeks.get(&id).and_then(|sought| sought.taken.as_ref());
        taken.is_some_and(|taken| taken.id == answer)
    }

    fn lock(&self) -> MutexGuard<'_, All<L>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<L: Listable> All<L> {
    fn remove(&mut self, id: SeekId) -> Option<Sought<L>> {
        let sought = self.seeks.remove(&id)?;
        if let Some(key) = sought.what.key() {
            self.of_key.remove(&key);
        }
        Some(sought)
    }

    const fn next(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    /// Whether there is a place for one more seek of this visitor, of so many, once these are gone.
    fn has_place(&self, from: Visitor, most: usize, gone: &[Option<SeekId>]) -> bool {
        let stay = self
            .seeks
            .iter()
            .filter(|(id, _)| !gone.contains(&Some(**id)));
        let left = most.saturating_sub(stay.clone().count());
        let of_network = match from.widest() {
            None => 0,
            network => {
                let seekers = stay.map(|(_, sought)| sought.from.widest());
                seekers.filter(|other| *other == network).count()
            }
        };
        left > 0 && may_use_more(of_network as f64, left as f64)
    }

    /// Takes an answer back, if it still waits.
    fn take_back(&mut self, id: SeekId, answer: AnswerId) -> Option<Taken<L::Answer>> {
        let sought = self.seeks.get_mut(&id)?;
        sought.taken.take_if(|taken| taken.id == answer)
    }
}

pub fn frame(message: &impl Encode) -> Bytes {
    message.encode().into()
}

fn not_paired(letters: &mpsc::Sender<Bytes>, seek: SeekId, why: NotPaired) {
    // A socket that does not read learns it by the silence.
    let _ = letters.try_send(frame(&FromLobby::NotPaired { seek, why }));
}

fn is_seen(invite: Option<Invite>, looks: Option<Invite>) -> bool {
    invite.is_none() || invite == looks
}
