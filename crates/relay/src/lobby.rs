//! The lobby: who seeks a game by signed terms, and who answers.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use codec::Encode as _;
use connect4_protocol::fast::lobby::{
    Answer, AnswerId, FromLobby, Invite, NotPaired, SeekId, SignedSeek, ToLobby, read,
};
use connect4_protocol::fast::wire::Refusal;
use connect4_protocol::fast::{Crypto as _, Domain, Native, Signature};
use connect4_protocol::{Address, Error};
use tokio::sync::broadcast::error::{RecvError, TryRecvError};
use tokio::sync::{broadcast, mpsc};
use tokio::time::sleep_until;

use crate::addresses::{Addresses, Guest};
use crate::connection::Talk;
use crate::counters::Counters;
use crate::limits::Limits;
use crate::rate::Bucket;
use crate::visitor::Visitor;

/// Changes of the list that are kept for sockets that read slowly. One that has missed more has all seeks
/// listed anew.
const NEWS: usize = 256;
/// Messages to one socket alone that wait for it. A socket that has not read so many has gone.
const LETTERS: usize = 8;
/// After how long a socket may have all seeks listed again.
const LIST_AGAIN: Duration = Duration::from_millis(900);

/// All seeks of a relay.
///
/// The list of seeks is kept once, and so are its latest changes: nothing of it is queued for a socket.
pub struct Lobby {
    most: usize,
    acceptance: Duration,
    /// What each address has of the seeks.
    addresses: Addresses,
    news: broadcast::Sender<News>,
    all: Mutex<All>,
}

struct All {
    seeks: BTreeMap<SeekId, Sought>,
    /// The seek of each session key.
    of_key: HashMap<Address, SeekId>,
    /// The last number of a seek or an answer.
    last: u64,
    /// How often a seek may be listed.
    listings: Bucket,
}

/// A change of the list.
#[derive(Clone)]
struct News {
    id: SeekId,
    /// By what alone it is seen; none if everybody sees it.
    invite: Option<Invite>,
    frame: Bytes,
}

/// A seek, with its seeker's socket.
struct Sought {
    signed: SignedSeek,
    invite: Option<Invite>,
    /// The message by which it is listed.
    frame: Bytes,
    letters: mpsc::Sender<Bytes>,
    /// The answer that the seeker has to accept or decline. The seek is not on the list meanwhile.
    taken: Option<Taken>,
    /// Counts the seek for the address of the seeker.
    _guest: Guest,
}

struct Taken {
    id: AnswerId,
    answer: Answer,
    letters: mpsc::Sender<Bytes>,
}

impl Lobby {
    pub fn new(limits: &Limits) -> Self {
        Self {
            most: limits.seeks,
            acceptance: limits.acceptance,
            addresses: Addresses::new(limits.seeks_of_address()),
            news: broadcast::Sender::new(NEWS),
            all: Mutex::new(All {
                seeks: BTreeMap::new(),
                of_key: HashMap::new(),
                last: 0,
                listings: Bucket::full(limits.listings, Instant::now()),
            }),
        }
    }

    /// How many seeks there are.
    pub fn count(&self) -> usize {
        self.lock().seeks.len()
    }

    /// Lists a seek that is valid, in the place of others by this socket and this key. Returns its number.
    fn list(
        &self,
        signed: SignedSeek,
        invite: Option<Invite>,
        before: Option<SeekId>,
        from: Visitor,
        letters: &mpsc::Sender<Bytes>,
    ) -> Result<SeekId, Refusal> {
        let all = &mut *self.lock();
        let key = signed.seek.party.key();
        for other in before.into_iter().chain(all.of_key.get(&key).copied()) {
            self.end(all, other);
        }
        let now = Instant::now();
        // Each listing is told to everybody who follows the list.
        let tellings = self.news.receiver_count().saturating_add(1) as u64;
        if all.seeks.len() >= self.most || !all.listings.take_many(tellings, now) {
            return Err(Refusal::Busy);
        }
        let guest = self.addresses.enter(from, now).ok_or(Refusal::Busy)?;
        let id = all.next();
        let frame = frame(&FromLobby::Listed {
            id,
            invited: invite.is_some(),
            seek: signed,
        });
        self.tell(id, invite, &frame);
        all.of_key.insert(key, id);
        all.seeks.insert(
            id,
            Sought {
                signed,
                invite,
                frame,
                letters: letters.clone(),
                taken: None,
                _guest: guest,
            },
        );
        Ok(id)
    }

    /// Ends a seek, whoever has answered it.
    fn end(&self, all: &mut All, id: SeekId) {
        let Some(sought) = all.seeks.remove(&id) else {
            return;
        };
        all.of_key.remove(&sought.signed.seek.party.key());
        match &sought.taken {
            Some(taken) => not_paired(&taken.letters, id, NotPaired::Gone),
            None => self.tell(id, sought.invite, &frame(&FromLobby::Gone { id })),
        }
    }

    /// The seek that an answer is for, if this socket sees it.
    fn sought(&self, id: SeekId, looks: Option<Invite>) -> Result<SignedSeek, NotPaired> {
        let all = self.lock();
        let sought = all.seeks.get(&id).ok_or(NotPaired::Gone)?;
        match sought.taken {
            _ if !is_seen(sought.invite, looks) => Err(NotPaired::Gone),
            Some(_) => Err(NotPaired::Taken),
            None => Ok(sought.signed),
        }
    }

    /// Passes an answer that is valid on to the seeker, and takes the seek off the list.
    fn answer(
        &self,
        id: SeekId,
        answer: &Answer,
        letters: &mpsc::Sender<Bytes>,
    ) -> Result<AnswerId, NotPaired> {
        let all = &mut *self.lock();
        let number = all.next();
        let sought = all.seeks.get_mut(&id).ok_or(NotPaired::Gone)?;
        if sought.taken.is_some() {
            return Err(NotPaired::Taken);
        }
        let answered = frame(&FromLobby::Answered {
            id: number,
            answer: *answer,
        });
        let is_told = sought.letters.try_send(answered).is_ok();
        let invite = sought.invite;
        if !is_told {
            self.end(all, id);
            return Err(NotPaired::Gone);
        }
        sought.taken = Some(Taken {
            id: number,
            answer: *answer,
            letters: letters.clone(),
        });
        self.tell(id, invite, &frame(&FromLobby::Gone { id }));
        Ok(number)
    }

    /// Ends the wait for a seeker that has not said anything in time.
    fn give_up(&self, id: SeekId, answer: AnswerId) {
        let all = &mut *self.lock();
        let Some(taken) = all.take_back(id, answer) else {
            return;
        };
        not_paired(&taken.letters, id, NotPaired::Silent);
        if let Some(sought) = all.seeks.remove(&id) {
            all.of_key.remove(&sought.signed.seek.party.key());
            not_paired(&sought.letters, id, NotPaired::Silent);
        }
    }

    /// Lists a seek again, whose answer is not valid any more: the other one is told why.
    fn list_again(&self, id: SeekId, answer: AnswerId, why: NotPaired, tell_seeker: bool) {
        let all = &mut *self.lock();
        let Some(taken) = all.take_back(id, answer) else {
            return;
        };
        if let Some(sought) = all.seeks.get(&id) {
            match tell_seeker {
                true => not_paired(&sought.letters, id, why),
                false => not_paired(&taken.letters, id, why),
            }
            self.tell(id, sought.invite, &sought.frame);
        }
    }

    /// Tells both that the seeker has accepted an answer.
    fn accept(
        &self,
        id: SeekId,
        answer: AnswerId,
        secret: [u8; 32],
        signature: Signature,
        domain: &Domain,
    ) -> Result<bool, Error> {
        let all = &mut *self.lock();
        let Some((sought, taken)) = all.seeks.get(&id).and_then(|sought| {
            let taken = sought.taken.as_ref().filter(|taken| taken.id == answer)?;
            Some((sought, taken))
        }) else {
            return Ok(false);
        };
        let seek = &sought.signed.seek;
        let decided = taken.answer.decided(seek, &secret, &Native);
        let (terms, _) = decided.ok_or(Error::OtherTerms)?;
        let digest = terms.digest(domain, &Native);
        if Native.recover(&digest, &signature) != Some(seek.party.key()) {
            return Err(Error::BadSignature);
        }
        let accepted = frame(&FromLobby::Accepted {
            seek: id,
            secret,
            signature,
        });
        let is_told = taken.letters.try_send(accepted.clone()).is_ok();
        if is_told {
            // The seeker's own is the receipt.
            let _ = sought.letters.try_send(accepted);
            all.of_key.remove(&seek.party.key());
            all.seeks.remove(&id);
        }
        Ok(is_told)
    }

    /// The first seek from a number on, up to another one, that a socket sees.
    fn listed(&self, from: SeekId, to: SeekId, looks: Option<Invite>) -> Option<(SeekId, Bytes)> {
        let all = self.lock();
        let mut seeks = all.seeks.range(from..=to);
        let found =
            seeks.find(|(_, sought)| sought.taken.is_none() && is_seen(sought.invite, looks));
        found.map(|(id, sought)| (*id, sought.frame.clone()))
    }

    /// The seek with an invite, if there is one.
    fn invited(&self, invite: Invite) -> Option<Bytes> {
        let all = self.lock();
        let is_it = |sought: &&Sought| sought.taken.is_none() && sought.invite == Some(invite);
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

    fn lock(&self) -> MutexGuard<'_, All> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl All {
    const fn next(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    /// Takes an answer back, if it still waits.
    fn take_back(&mut self, id: SeekId, answer: AnswerId) -> Option<Taken> {
        let sought = self.seeks.get_mut(&id)?;
        sought.taken.take_if(|taken| taken.id == answer)
    }
}

fn frame(message: &FromLobby) -> Bytes {
    message.encode().into()
}

fn not_paired(letters: &mpsc::Sender<Bytes>, seek: SeekId, why: NotPaired) {
    // A socket that does not read learns it by the silence.
    let _ = letters.try_send(frame(&FromLobby::NotPaired { seek, why }));
}

fn is_seen(invite: Option<Invite>, looks: Option<Invite>) -> bool {
    invite.is_none() || invite == looks
}

/// A socket in the lobby, until it is dropped.
pub struct LobbyVisit {
    lobby: Arc<Lobby>,
    domain: Domain,
    nonce: [u8; 32],
    from: Visitor,
    letters: (mpsc::Sender<Bytes>, mpsc::Receiver<Bytes>),
    /// The changes of the list; none if they are not followed.
    news: Option<broadcast::Receiver<News>>,
    /// Whether changes of seeks that everybody sees are told, and not only of the one that it is invited to.
    is_live: bool,
    /// When it may have all seeks listed again.
    next_list: Instant,
    /// What is to be sent next.
    ready: VecDeque<Bytes>,
    /// The seeks that are to be listed: from a number on, up to another one.
    listing: Option<(SeekId, SeekId)>,
    /// The invite by which a seek is seen.
    looks: Option<Invite>,
    /// What it seeks.
    seeks: Option<SeekId>,
    /// What it has answered, and until when it waits.
    asks: Option<(SeekId, AnswerId, Instant)>,
}

impl LobbyVisit {
    pub fn new(lobby: &Arc<Lobby>, domain: Domain, nonce: [u8; 32], from: Visitor) -> Self {
        Self {
            lobby: Arc::clone(lobby),
            domain,
            nonce,
            from,
            letters: mpsc::channel(LETTERS),
            news: None,
            is_live: false,
            next_list: Instant::now(),
            ready: VecDeque::new(),
            listing: None,
            looks: None,
            seeks: None,
            asks: None,
        }
    }

    /// Has all seeks listed that there are now.
    fn list(&mut self, is_live: bool) -> Result<(), Refusal> {
        let now = Instant::now();
        if now < self.next_list {
            return Err(Refusal::Busy);
        }
        self.next_list = now + LIST_AGAIN;
        self.is_live = is_live;
        self.follow();
        Ok(())
    }

    /// Lists from the beginning, and follows the changes from there if that is wanted.
    fn follow(&mut self) {
        let all = self.lobby.lock();
        let follows = self.is_live || self.looks.is_some();
        self.news = follows.then(|| self.lobby.news.subscribe());
        self.listing = Some((0, all.last));
    }

    /// What a change of the list is for this socket.
    fn hear_news(&mut self, news: Result<News, u64>) {
        match news {
            // Of its own seek it is told by itself.
            Ok(news) if self.seeks == Some(news.id) => {}
            Ok(news) => {
                let is_for = match news.invite {
                    None => self.is_live,
                    invite => invite == self.looks,
                };
                if is_for {
                    self.ready.push_back(news.frame);
                }
            }
            Err(_) => {
                self.follow();
                self.ready.push_back(frame(&FromLobby::Cleared));
            }
        }
    }

    /// Whether its answer still waits for the seeker.
    fn is_asking(&self) -> bool {
        let Some((seek, answer, _)) = self.asks else {
            return false;
        };
        let all = self.lobby.lock();
        let taken = all
            .seeks
            .get(&seek)
            .and_then(|sought| sought.taken.as_ref());
        taken.is_some_and(|taken| taken.id == answer)
    }

    fn say(&mut self, message: &FromLobby) {
        self.ready.push_back(frame(message));
    }

    fn seek(
        &mut self,
        signed: SignedSeek,
        invite: Option<Invite>,
        now: u64,
        counters: &Counters,
    ) -> Result<(), Refusal> {
        if signed.nonce != self.nonce {
            return Err(Refusal::Invalid(Error::BadSignature));
        }
        let checked = signed.check(now, &self.domain, &Native);
        checked.map_err(Refusal::Invalid)?;
        let before = self.seeks.take();
        let id = self
            .lobby
            .list(signed, invite, before, self.from, &self.letters.0)?;
        self.seeks = Some(id);
        counters.seeks.add();
        // Its own seek is told as the receipt, also if it does not follow the list.
        self.say(&FromLobby::Listed {
            id,
            invited: invite.is_some(),
            seek: signed,
        });
        Ok(())
    }

    fn answer(
        &mut self,
        id: SeekId,
        answer: &Answer,
        now: u64,
        counters: &Counters,
    ) -> Result<(), Refusal> {
        if self.is_asking() {
            return Err(Refusal::Busy);
        }
        let passed = match self.lobby.sought(id, self.looks) {
            Ok(signed) => {
                // Outside of the lock, as it takes some tenths of a millisecond.
                let checked = answer.check(&signed.seek, now, &self.domain, &Native);
                checked.map_err(Refusal::Invalid)?;
                self.lobby.answer(id, answer, &self.letters.0)
            }
            Err(why) => Err(why),
        };
        match passed {
            Ok(number) => {
                counters.answers.add();
                let until = Instant::now() + self.lobby.acceptance;
                self.asks = Some((id, number, until));
            }
            Err(why) => self.say(&FromLobby::NotPaired { seek: id, why }),
        }
        Ok(())
    }
}

impl Talk for LobbyVisit {
    fn next_frame(&mut self) -> Option<Bytes> {
        loop {
            if let Some(frame) = self.ready.pop_front() {
                return Some(frame);
            }
            if let Ok(letter) = self.letters.1.try_recv() {
                return Some(letter);
            }
            if let Some((from, to)) = self.listing {
                let found = self.lobby.listed(from, to, self.looks);
                let next = found.as_ref().map(|(id, _)| (id + 1, to));
                self.listing = next.filter(|(from, to)| from <= to);
                if self.listing.is_none() {
                    self.say(&FromLobby::Complete);
                }
                if let Some((_, frame)) = found {
                    return Some(frame);
                }
                continue;
            }
            match self.news.as_mut()?.try_recv() {
                Ok(news) => self.hear_news(Ok(news)),
                Err(TryRecvError::Lagged(missed)) => self.hear_news(Err(missed)),
                Err(TryRecvError::Empty | TryRecvError::Closed) => return None,
            }
        }
    }

    fn is_out(&self) -> Option<Refusal> {
        None
    }

    fn has_to_join(&self) -> bool {
        false
    }

    async fn changed(&mut self) {
        let until = self.asks.map(|(.., until)| until);
        let late = async {
            match until {
                Some(until) => sleep_until(until.into()).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            // What is told to this socket alone comes before what it makes of the list.
            biased;
            letter = self.letters.1.recv() => self.ready.extend(letter),
            news = next_of(&mut self.news) => match news {
                Ok(news) => self.hear_news(Ok(news)),
                Err(RecvError::Lagged(missed)) => self.hear_news(Err(missed)),
                // The lobby is held, so it is open.
                Err(RecvError::Closed) => {}
            },
            () = late => {
                if let Some((seek, answer, _)) = self.asks.take() {
                    self.lobby.give_up(seek, answer);
                }
            }
        }
    }

    fn hear(&mut self, frame: &[u8], now: u64, counters: &Counters) -> Result<(), Refusal> {
        match read(frame).ok_or(Refusal::BadMessage)? {
            ToLobby::Seek { seek, invite } => self.seek(seek, invite, now, counters)?,
            ToLobby::Withdraw => {
                if let Some(id) = self.seeks.take() {
                    let all = &mut *self.lobby.lock();
                    self.lobby.end(all, id);
                }
            }
            ToLobby::Look(invite) => {
                self.looks = Some(invite);
                if self.news.is_none() {
                    self.news = Some(self.lobby.news.subscribe());
                }
                self.ready.extend(self.lobby.invited(invite));
            }
            ToLobby::List { live } => self.list(live)?,
            ToLobby::Answer { seek, answer } => self.answer(seek, &answer, now, counters)?,
            ToLobby::Accept {
                answer,
                secret,
                signature,
            } => {
                let Some(seek) = self.seeks else {
                    return Ok(());
                };
                let accepted = self
                    .lobby
                    .accept(seek, answer, secret, signature, &self.domain);
                match accepted.map_err(Refusal::Invalid)? {
                    true => {
                        self.seeks = None;
                        counters.pairs.add();
                    }
                    false => self.say(&FromLobby::NotPaired {
                        seek,
                        why: NotPaired::Gone,
                    }),
                }
            }
            ToLobby::Decline { answer } => {
                if let Some(seek) = self.seeks {
                    let why = NotPaired::Declined;
                    self.lobby.list_again(seek, answer, why, false);
                }
            }
        }
        Ok(())
    }
}

async fn next_of(news: &mut Option<broadcast::Receiver<News>>) -> Result<News, RecvError> {
    match news {
        Some(news) => news.recv().await,
        None => std::future::pending().await,
    }
}

impl Drop for LobbyVisit {
    fn drop(&mut self) {
        if let Some((seek, answer, _)) = self.asks {
            self.lobby.list_again(seek, answer, NotPaired::Gone, true);
        }
        if let Some(seek) = self.seeks {
            let all = &mut *self.lobby.lock();
            self.lobby.end(all, seek);
        }
    }
}
