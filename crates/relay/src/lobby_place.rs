//! What a socket in a lobby has of its list, and what waits to be sent to it.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use connect4_protocol::signed::lobby::{
    Counts, FromLobby, Invite, Letter, NotPaired, Offer, OfferId, TakeId,
};
use connect4_protocol::signed::relay::Refusal;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};
use tokio::sync::{broadcast, mpsc};
use tokio::time::sleep_until;

use crate::lobby::{Lobby, News, frame};
use crate::visitor::Visitor;

/// Messages to one socket alone that wait for it.
const LETTERS: usize = 8;
/// After how long a socket may have all offers listed again.
const LIST_AGAIN: Duration = Duration::from_millis(900);
/// For how long nothing of the list is sent to a socket whose network has had its share of such messages.
const REST: Duration = Duration::from_millis(500);

/// The place of a socket in the lobby, until it is dropped.
pub struct LobbyPlace {
    lobby: Arc<Lobby>,
    from: Visitor,
    letters: (mpsc::Sender<Bytes>, mpsc::Receiver<Bytes>),
    /// The changes of the list; none if they are not followed.
    news: Option<broadcast::Receiver<News>>,
    /// The first change, or how many were missed, if it has come and is not told yet.
    arrived: Option<Result<News, u64>>,
    /// Until when nothing of the list is sent. What changes meanwhile is not queued: the socket has the list anew if
    /// that is shorter.
    rests_until: Option<Instant>,
    /// Whether changes of offers that everybody sees are told, and not only of the one that it is invited to.
    is_live: bool,
    next_list: Instant,
    /// How many wait and play, as it was told last; and when it is looked at next, if changes are told.
    counted: Option<Counts>,
    next_count: Option<Instant>,
    /// What is to be sent next.
    ready: VecDeque<Bytes>,
    /// The offers that are to be listed: from a number on, up to another one.
    listing: Option<(OfferId, OfferId)>,
    /// The invite by which an offer is seen.
    looks: Option<Invite>,
    /// What it offers.
    offers: Option<OfferId>,
    /// What it has taken, and until when it waits.
    asks: Option<(OfferId, TakeId, Instant)>,
}

impl LobbyPlace {
    pub fn new(lobby: &Arc<Lobby>, from: Visitor) -> Self {
        Self {
            lobby: Arc::clone(lobby),
            from,
            letters: mpsc::channel(LETTERS),
            news: None,
            arrived: None,
            rests_until: None,
            is_live: false,
            next_list: Instant::now(),
            counted: None,
            next_count: None,
            ready: VecDeque::new(),
            listing: None,
            looks: None,
            offers: None,
            asks: None,
        }
    }

    /// Has all offers listed that there are now.
    pub fn list(&mut self, is_live: bool) -> Result<(), Refusal> {
        let now = Instant::now();
        if now < self.next_list {
            return Err(Refusal::Busy);
        }
        self.next_list = now + LIST_AGAIN;
        self.is_live = is_live;
        self.counted = None;
        self.next_count = is_live.then_some(now);
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
            // Of its own offer it is told by itself.
            Ok(news) if self.offers == Some(news.id) => {}
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

    /// How many wait and play, if it is time to look, and it is not as it was told last.
    fn new_counts(&mut self) -> Option<Counts> {
        let now = Instant::now();
        self.next_count.take_if(|next| *next <= now)?;
        self.next_count = Some(now + self.lobby.counting);
        let counts = self.lobby.counts();
        (self.counted != Some(counts)).then_some(counts)
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

    /// Whether its taking still waits for the player who offers.
    fn is_asking(&self) -> bool {
        self.asks
            .is_some_and(|(offer, take, _)| self.lobby.is_waiting(offer, take))
    }

    fn say(&mut self, message: &FromLobby) {
        self.ready.push_back(frame(message));
    }

    fn not_paired(&mut self, offer: OfferId, why: NotPaired) {
        self.say(&FromLobby::NotPaired { offer, why });
    }

    /// Lists what the socket offers, in the place of what it has offered before. It is told of it as the receipt, also if
    /// it does not follow the list.
    ///
    /// # Errors
    ///
    /// [`Refusal::Busy`] if there is no place for it. Then what it has offered before stands.
    pub fn offer(&mut self, offer: Offer, invite: Option<Invite>) -> Result<(), Refusal> {
        let (before, letters) = (self.offers, &self.letters.0);
        let listed = self.lobby.list(offer, invite, before, self.from, letters);
        let (id, frame) = listed?;
        self.offers = Some(id);
        self.ready.push_back(frame);
        Ok(())
    }

    /// Takes an offer that the socket sees. Returns whether the letter was passed on; the socket is told why if there is
    /// no game.
    ///
    /// # Errors
    ///
    /// [`Refusal::Busy`] if another taking waits, or its address has as many as it may have.
    pub fn take(&mut self, id: OfferId, letter: Letter) -> Result<bool, Refusal> {
        if self.is_asking() {
            return Err(Refusal::Busy);
        }
        let letters = &self.letters.0;
        let passed = self
            .lobby
            .take(id, self.looks, letter, self.from, letters)?;
        match passed {
            Ok(number) => {
                let until = Instant::now() + self.lobby.acceptance;
                self.asks = Some((id, number, until));
                Ok(true)
            }
            Err(why) => {
                self.not_paired(id, why);
                Ok(false)
            }
        }
    }

    /// Accepts the taker of this offer, as [`Lobby::accept`], if the socket still offers it. Returns whether both were
    /// told.
    pub fn accept(&mut self, offer: OfferId, take: TakeId, letter: Letter, stays: bool) -> bool {
        let is_own = self.offers == Some(offer);
        let is_accepted = is_own && self.lobby.accept(offer, take, letter, stays);
        match is_accepted {
            true => self.offers = self.offers.filter(|_| stays),
            false => self.not_paired(offer, NotPaired::Gone),
        }
        is_accepted
    }

    /// Declines the taker of this offer, which is listed again if the socket still offers it.
    pub fn decline(&self, offer: OfferId, take: TakeId) {
        if self.offers == Some(offer) {
            self.lobby.list_again(offer, take, NotPaired::Declined);
        }
    }

    /// Has the socket see the offer with this invite as well.
    pub fn look(&mut self, invite: Invite) {
        self.looks = Some(invite);
        if self.news.is_none() {
            self.news = Some(self.lobby.follow().0);
        }
        self.ready.extend(self.lobby.invited(invite));
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
            let has_list = self.listing.is_none() && self.behind() == 0;
            let counts = has_list.then(|| self.new_counts()).flatten();
            if has_list && counts.is_none() {
                self.rests_until = None;
                return None;
            }
            if !self.may_be_told() {
                return None;
            }
            if let Some(counts) = counts {
                self.counted = Some(counts);
                self.say(&FromLobby::Counts(counts));
                continue;
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

    /// Ends its offer, and its taking if that still waits.
    pub fn withdraw(&mut self) {
        if let Some((offer, take, _)) = self.asks.take() {
            self.lobby.list_again(offer, take, NotPaired::Gone);
        }
        if let Some(offer) = self.offers.take() {
            self.lobby.withdraw(offer);
        }
    }

    /// The player whose offer this socket has taken has not said anything in time.
    fn give_up(&mut self) {
        if let Some((offer, take, _)) = self.asks.take() {
            self.lobby.give_up(offer, take);
        }
    }

    /// Waits until there may be something to send.
    pub async fn changed(&mut self) {
        let until = self.asks.map(|(.., until)| until);
        let late = async {
            match until {
                Some(until) => sleep_until(until.into()).await,
                None => std::future::pending().await,
            }
        };
        let (rests_until, next_count) = (self.rests_until, self.next_count);
        let rested = async {
            match rests_until {
                Some(until) => sleep_until(until.into()).await,
                None => std::future::pending().await,
            }
        };
        let counted = async {
            match next_count {
                Some(next) => sleep_until(next.into()).await,
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
            () = counted, if rests_until.is_none() => {}
        }
    }
}

async fn next_of(news: &mut Option<broadcast::Receiver<News>>) -> Result<News, RecvError> {
    match news {
        Some(news) => news.recv().await,
        None => std::future::pending().await,
    }
}

impl Drop for LobbyPlace {
    fn drop(&mut self) {
        self.withdraw();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;

    /// What is taken and given back is told to the player who offers each time, who may not have read any of it yet.
    #[test]
    fn who_takes_an_offer_again_and_again_at_once_does_not_end_it() {
        let lobby = Arc::new(Lobby::new(&Limits::default()));
        let mut alice = LobbyPlace::new(&lobby, Visitor::Uncounted);
        let offer = Offer::new(vec![1; 300]).expect("few bytes");
        alice.offer(offer, None).expect("a place");
        let id = alice.offers.expect("it is listed");
        let mut mallory = LobbyPlace::new(&lobby, Visitor::Uncounted);
        let take = |place: &mut LobbyPlace| {
            let letter = Letter::new(vec![2]).expect("few bytes");
            place.take(id, letter).expect("not busy")
        };
        for _ in 0..2 * LETTERS {
            take(&mut mallory);
            mallory.withdraw();
        }
        let mut letters = 0;
        while alice.next_frame().is_some() {
            letters += 1;
        }
        assert!(letters >= LETTERS, "she has read {letters}");
        let mut bob = LobbyPlace::new(&lobby, Visitor::Uncounted);
        assert!(take(&mut bob), "the offer stands");
    }
}
