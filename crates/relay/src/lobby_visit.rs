//! A socket in the lobby.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use connect4_protocol::Error;
use connect4_protocol::fast::lobby::{
    Answer, AnswerId, FromLobby, Invite, NotPaired, SeekId, SignedSeek, ToLobby, read,
};
use connect4_protocol::fast::wire::Refusal;
use connect4_protocol::fast::{Domain, Native};
use tokio::sync::broadcast::error::{RecvError, TryRecvError};
use tokio::sync::{broadcast, mpsc};
use tokio::time::sleep_until;

use crate::counters::Counters;
use crate::lobby::{Lobby, News, frame};
use crate::talk::Talk;
use crate::visitor::Visitor;

/// Messages to one socket alone that wait for it. A socket that has not read so many has gone.
const LETTERS: usize = 8;
/// After how long a socket may have all seeks listed again.
const LIST_AGAIN: Duration = Duration::from_millis(900);
/// For how long nothing of the list is sent to a socket whose network has had its share of such messages.
const REST: Duration = Duration::from_millis(500);

/// A socket in the lobby, until it is dropped.
pub struct LobbyVisit {
    lobby: Arc<Lobby>,
    domain: Domain,
    nonce: [u8; 32],
    from: Visitor,
    letters: (mpsc::Sender<Bytes>, mpsc::Receiver<Bytes>),
    /// The changes of the list; none if they are not followed.
    news: Option<broadcast::Receiver<News>>,
    /// The first change, or how many were missed, if it has come and is not told yet.
    arrived: Option<Result<News, u64>>,
    /// Until when nothing of the list is sent. What changes meanwhile is not queued: the socket has the list anew if
    /// that is shorter.
    rests_until: Option<Instant>,
    /// Whether changes of seeks that everybody sees are told, and not only of the one that it is invited to.
    is_live: bool,
    next_list: Instant,
    /// What is to be sent next.
    ready: VecDeque<Bytes>,
    /// The seeks that are to be listed: from a number on, up to another one.
    listing: Option<(SeekId, SeekId)>,
    /// The invite by which a seek is seen.
    looks: Option<Invite>,
    seeks: Option<SeekId>,
    /// What it has answered, and until when it waits.
    asks: Option<(SeekId, AnswerId, Instant)>,
}

impl LobbyVisit {
    /// Enters the lobby, where terms are signed for this contract and chain. The nonce is in the welcome, which is
    /// sent by who has the socket.
    #[must_use]
    pub fn new(lobby: &Arc<Lobby>, domain: Domain, nonce: [u8; 32], from: Visitor) -> Self {
        Self {
            lobby: Arc::clone(lobby),
            domain,
            nonce,
            from,
            letters: mpsc::channel(LETTERS),
            news: None,
            arrived: None,
            rests_until: None,
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
        let (news, last) = self.lobby.follow();
        let follows = self.is_live || self.looks.is_some();
        self.news = follows.then_some(news);
        self.arrived = None;
        self.listing = Some((0, last));
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
            Err(_) => self.follow_anew(),
        }
    }

    fn follow_anew(&mut self) {
        self.follow();
        self.ready.push_back(frame(&FromLobby::Cleared));
    }

    /// How many changes of the list are not told yet.
    fn behind(&self) -> usize {
        let waiting = self.news.as_ref().map_or(0, broadcast::Receiver::len);
        waiting.saturating_add(self.arrived.iter().len())
    }

    /// Whether one more message about the list may be sent now.
    fn may_be_told(&mut self) -> bool {
        let now = Instant::now();
        if self.rests_until.is_some_and(|until| now < until) {
            return false;
        }
        if !self.lobby.may_tell(self.from, now) {
            self.rests_until = Some(now + REST);
            return false;
        }
        let has_rested = self.rests_until.take().is_some();
        // A list that has begun comes to its end first. Else a socket with a small share would get no more of it than
        // the beginning.
        if has_rested && self.listing.is_none() && self.behind() > self.lobby.count() {
            self.follow_anew();
        }
        true
    }

    /// Whether its answer still waits for the seeker.
    fn is_asking(&self) -> bool {
        self.asks
            .is_some_and(|(seek, answer, _)| self.lobby.is_waiting(seek, answer))
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
        signed.check(now, &self.domain, &Native)?;
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
                let guest = self.lobby.answerer(self.from)?;
                self.lobby.answer(id, answer, &self.letters.0, guest)
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

    /// The next frame to send; none if the socket has everything.
    pub fn next_frame(&mut self) -> Option<Bytes> {
        loop {
            if let Some(frame) = self.ready.pop_front() {
                return Some(frame);
            }
            if let Ok(letter) = self.letters.1.try_recv() {
                return Some(letter);
            }
            if self.listing.is_none() && self.behind() == 0 {
                self.rests_until = None;
                return None;
            }
            if !self.may_be_told() {
                return None;
            }
            if let Some((from, to)) = self.listing {
                let found = self.lobby.listed(from, to, self.looks);
                let next = found.as_ref().map(|(id, _)| (id + 1, to));
                self.listing = next.filter(|(from, to)| from <= to);
                let listed = found.map(|(_, frame)| frame);
                self.ready.extend(listed);
                if self.listing.is_none() {
                    self.say(&FromLobby::Complete);
                }
                continue;
            }
            let news = match self.arrived.take() {
                Some(news) => news,
                None => match self.news.as_mut()?.try_recv() {
                    Ok(news) => Ok(news),
                    Err(TryRecvError::Lagged(missed)) => Err(missed),
                    Err(TryRecvError::Empty | TryRecvError::Closed) => return None,
                },
            };
            self.hear_news(news);
        }
    }

    /// Ends its seek, and takes back its answer.
    fn withdraw(&mut self) {
        if let Some((seek, answer, _)) = self.asks.take() {
            self.lobby.list_again(seek, answer, NotPaired::Gone, true);
        }
        if let Some(seek) = self.seeks.take() {
            self.lobby.withdraw(seek);
        }
    }

    /// The seeker of what this socket has answered has not said anything in time.
    pub fn give_up(&mut self) {
        if let Some((seek, answer, _)) = self.asks.take() {
            self.lobby.give_up(seek, answer);
        }
    }

    /// Takes a frame, at this time in seconds since 1970.
    ///
    /// # Errors
    ///
    /// What is refused, and why.
    pub fn hear(&mut self, frame: &[u8], now: u64, counters: &Counters) -> Result<(), Refusal> {
        match read(frame).ok_or(Refusal::BadMessage)? {
            ToLobby::Seek { seek, invite } => self.seek(seek, invite, now, counters)?,
            ToLobby::Withdraw => self.withdraw(),
            ToLobby::Look(invite) => {
                self.looks = Some(invite);
                if self.news.is_none() {
                    self.news = Some(self.lobby.follow().0);
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

impl Talk for LobbyVisit {
    fn next_frame(&mut self) -> Option<Bytes> {
        self.next_frame()
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
        let rests_until = self.rests_until;
        let rested = async {
            match rests_until {
                Some(until) => sleep_until(until.into()).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            // What is told to this socket alone comes before what it makes of the list.
            biased;
            letter = self.letters.1.recv() => self.ready.extend(letter),
            () = rested => {}
            // A socket that rests is not woken by changes.
            news = next_of(&mut self.news), if rests_until.is_none() => match news {
                Ok(news) => self.arrived = Some(Ok(news)),
                Err(RecvError::Lagged(missed)) => self.arrived = Some(Err(missed)),
                // The lobby is held, so it is open.
                Err(RecvError::Closed) => {}
            },
            () = late => self.give_up(),
        }
    }

    fn hear(&mut self, frame: &[u8], now: u64, counters: &Counters) -> Result<(), Refusal> {
        self.hear(frame, now, counters)
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
        self.withdraw();
    }
}
