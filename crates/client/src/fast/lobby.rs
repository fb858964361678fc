//! The connection to the lobby of a relay, and how two players become a game there.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use connect4_protocol::Address;
use connect4_protocol::fast::lobby::{
    self, FromLobby, Invite, NotPaired, SeekId, SignedSeek, ToLobby,
};
use connect4_protocol::fast::{Domain, SignedSession, SignedTerms};
use connect4_seat::{FromVisit, Identity, LobbyEvent, LobbyVisit, Wish, WrongClock};
use tokio::time::{Instant, sleep_until};

use super::allowance::Allowance;
use super::clocks::machine;
use super::messages::{LobbyError, Messages};

/// Seeks of a relay's list that are kept at most, as in the page.
const MOST_SEEKS: usize = 500;
/// After how long a game is sought anew: nobody who comes later takes a seek that is older than
/// [`FRESH`](lobby::FRESH).
const RENEWAL: Duration = Duration::from_secs(lobby::FRESH / 2);

/// What has happened in the lobby.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LobbyNews {
    /// The list of seeks has changed.
    Changed,
    /// What this player seeks is listed.
    Seeking(SeekId),
    /// All seeks were listed.
    Complete,
    /// The seek by whose invite this player looks is there.
    Invited(SeekId),
    /// The invite for which this player looks is of its own account, which seeks by another key.
    OwnInvite,
    /// Two have become a game: this player is one of them.
    Paired(Box<SignedTerms>),
    /// The answer to this seek makes no game.
    NotPaired(SeekId, NotPaired),
    /// The same key seeks in another place now, and no more here.
    Elsewhere,
    /// The lobby takes no more of this at the moment.
    Busy,
}

/// A place in the lobby of a relay. It ends when this is dropped, and so does what is sought there.
#[derive(Debug)]
pub struct Lobby {
    messages: Messages,
    allowance: Allowance,
    visit: LobbyVisit,
    /// What is sought, to seek it anew.
    sought: Option<(Wish, Option<Invite>)>,
    /// When it is sought anew, so that it does not get too old for those who come later.
    renewal: Option<Instant>,
    renew_after: Duration,
    identity: Identity,
    seeks: BTreeMap<SeekId, SignedSeek>,
    /// What is to be sent.
    outbox: VecDeque<ToLobby>,
    /// What has happened and was not told.
    news: Option<LobbyNews>,
}

impl Lobby {
    /// Enters the lobby of the relay with this URL.
    ///
    /// # Errors
    ///
    /// [`LobbyError`].
    pub async fn enter(url: &str, identity: Identity) -> Result<Self, LobbyError> {
        let mut messages = Messages::connect(url, lobby::PATH, lobby::MAX_LEN).await?;
        let first = messages.first().await?;
        if let FromLobby::Refused(refusal) = first {
            return Err(LobbyError::Refused(refusal));
        }
        if let Some(wrong) = WrongClock::shown_by(&first, machine()) {
            return Err(LobbyError::WrongClock(wrong));
        }
        let visit = LobbyVisit::begin(&first);
        Ok(Self {
            messages,
            allowance: Allowance::new(Instant::now()),
            visit: visit.ok_or_else(|| LobbyError::lost("it does not welcome"))?,
            identity,
            sought: None,
            renewal: None,
            renew_after: RENEWAL,
            seeks: BTreeMap::new(),
            outbox: VecDeque::new(),
            news: None,
        })
    }

    /// Contract and chain for which terms are signed here, as the relay says.
    #[must_use]
    pub const fn domain(&self) -> Domain {
        self.visit.domain()
    }

    /// Plays for an account, which has named the session key for the contract and chain of this lobby.
    pub const fn name_account(&mut self, account: Address, session: SignedSession) {
        self.identity.account = Some((account, session));
    }

    /// Has what is sought from now on be sought anew after so long, in place of five minutes.
    pub const fn renew_after(&mut self, renewal: Duration) {
        self.renew_after = renewal;
    }

    /// All seeks of others that were listed, the oldest first, each of which its seeker has signed.
    pub fn seeks(&self) -> impl Iterator<Item = (SeekId, &SignedSeek)> {
        self.seeks.iter().map(|(id, seek)| (*id, seek))
    }

    /// The oldest seek that was there before the own one, and that is what this player wants. Two who seek the
    /// same do not answer each other at the same time this way.
    #[must_use]
    pub fn fitting(&self, wish: &Wish) -> Option<SeekId> {
        let suits =
            |(id, signed): &(SeekId, &SignedSeek)| self.visit.suits(wish, *id, &signed.seek);
        self.seeks().find(suits).map(|(id, _)| id)
    }

    /// All seeks that are what this player wants, whenever they came, the oldest first. Somebody who answers one that
    /// came after the [own](Self::own) waits a while before that, as its seeker may answer the own one meanwhile.
    pub fn all_fitting(&self, wish: &Wish) -> impl Iterator<Item = (SeekId, &SignedSeek)> {
        let wish = *wish;
        let is_it = move |(id, signed): &(SeekId, &SignedSeek)| {
            self.visit.would_answer(&wish, *id, &signed.seek)
        };
        self.seeks().filter(is_it)
    }

    /// What this player's own seek is called, once it is listed.
    #[must_use]
    pub fn own(&self) -> Option<SeekId> {
        self.visit.own()
    }

    /// Whether what this player has signed here can become a game, so that it waits for the other one.
    #[must_use]
    pub fn is_bound(&self) -> bool {
        self.visit.is_bound()
    }

    /// Seeks a game, in place of what was sought before. As long as nobody answers, it is sought anew before the seek
    /// gets too old.
    ///
    /// # Errors
    ///
    /// [`LobbyError::Lost`].
    pub async fn seek(&mut self, wish: &Wish, invite: Option<Invite>) -> Result<(), LobbyError> {
        self.sought = Some((*wish, invite));
        self.seek_anew();
        self.send().await
    }

    fn seek_anew(&mut self) {
        let Some((wish, invite)) = &self.sought else {
            return;
        };
        let (secret, identity) = (rand::random(), &self.identity);
        let seek = self.visit.seek(identity, wish, *invite, machine(), secret);
        self.outbox.push_back(seek);
        self.renewal = Some(Instant::now() + self.renew_after);
    }

    /// Has all seeks listed, and follows them from then on if they are to be `live`.
    ///
    /// # Errors
    ///
    /// [`LobbyError::Lost`].
    pub async fn list(&mut self, live: bool) -> Result<(), LobbyError> {
        self.seeks.clear();
        self.outbox.push_back(ToLobby::List { live });
        self.send().await
    }

    /// Seeks no more.
    ///
    /// # Errors
    ///
    /// [`LobbyError::Lost`].
    pub async fn withdraw(&mut self) -> Result<(), LobbyError> {
        self.renewal = None;
        let withdrawn = self.visit.withdraw();
        self.outbox.push_back(withdrawn);
        self.send().await
    }

    /// Has the seek with this invite listed, too.
    ///
    /// # Errors
    ///
    /// [`LobbyError::Lost`].
    pub async fn look(&mut self, invite: Invite) -> Result<(), LobbyError> {
        self.outbox.push_back(ToLobby::Look(invite));
        self.send().await
    }

    /// Answers a seek that is listed, unless another answer, or an agreement to one, waits. Returns whether it is
    /// listed.
    ///
    /// # Errors
    ///
    /// [`LobbyError::Lost`].
    pub async fn answer(&mut self, id: SeekId) -> Result<bool, LobbyError> {
        let Some(signed) = self.seeks.get(&id).copied() else {
            return Ok(false);
        };
        let (now, nonce) = (machine(), rand::random());
        let answer = self.visit.answer(&self.identity, id, &signed, now, nonce);
        self.outbox.extend(answer);
        self.send().await?;
        Ok(true)
    }

    /// Sends what is to be sent. If the wait is given up, the rest is sent later.
    async fn send(&mut self) -> Result<(), LobbyError> {
        self.messages.send_all(&mut self.outbox).await
    }

    /// What happens next. If the wait is given up, nothing is lost.
    ///
    /// # Errors
    ///
    /// [`LobbyError`].
    pub async fn next(&mut self) -> Result<LobbyNews, LobbyError> {
        loop {
            self.send().await?;
            if let Some(news) = self.news.take() {
                return Ok(news);
            }
            let renewal = self.renewal.filter(|_| !self.is_bound());
            tokio::select! {
                message = self.messages.receive() => {
                    let message = message?;
                    if !self.allowance.take(Instant::now()) && self.seeks.len() > 1000 {
                        return Err(LobbyError::lost("it sends more than a lobby has to say"));
                    }
                    self.news = self.take(message)?;
                }
                () = sleep_until(renewal.unwrap_or_else(Instant::now)), if renewal.is_some() => {
                    self.seek_anew();
                }
            }
        }
    }

    fn take(&mut self, message: FromLobby) -> Result<Option<LobbyNews>, LobbyError> {
        let (was_seeking, own) = (self.visit.is_seeking(), self.visit.own());
        let taken = self.visit.take(&self.identity, message, machine());
        let FromVisit { event, send } = taken.map_err(LobbyError::Refused)?;
        self.outbox.extend(send);
        let has_lost_seek = was_seeking && !self.visit.is_seeking();
        if has_lost_seek {
            self.renewal = None;
        }
        if has_lost_seek && matches!(event, Some(LobbyEvent::Gone(_))) {
            return Ok(Some(LobbyNews::Elsewhere));
        }
        // A program that was silent itself stays so.
        if let Some(LobbyEvent::NotPaired(id, why)) = &event
            && (own, *why) != (Some(*id), NotPaired::Silent)
            && has_lost_seek
        {
            self.seek_anew();
        }
        Ok(event.and_then(|event| self.list_of(event)))
    }

    /// What an event does to the list of seeks, and means to the player.
    fn list_of(&mut self, event: LobbyEvent) -> Option<LobbyNews> {
        Some(match event {
            LobbyEvent::Listed { id, invited, seek } => {
                // Nobody plays with itself.
                if seek.seek.party.account() == self.identity.party().account() {
                    return invited.then_some(LobbyNews::OwnInvite);
                }
                // A relay could fill the memory.
                if self.seeks.len() >= MOST_SEEKS && !self.seeks.contains_key(&id) && !invited {
                    return None;
                }
                self.seeks.insert(id, *seek);
                match invited {
                    true => LobbyNews::Invited(id),
                    false => LobbyNews::Changed,
                }
            }
            LobbyEvent::Gone(id) => {
                self.seeks.remove(&id)?;
                LobbyNews::Changed
            }
            LobbyEvent::Cleared => {
                self.seeks.clear();
                LobbyNews::Changed
            }
            LobbyEvent::Complete => LobbyNews::Complete,
            LobbyEvent::Seeking(id) => LobbyNews::Seeking(id),
            LobbyEvent::Paired(terms) => LobbyNews::Paired(terms),
            LobbyEvent::NotPaired(id, why) => {
                if matches!(why, NotPaired::Taken | NotPaired::Gone) {
                    // If it is there again it is listed again.
                    self.seeks.remove(&id);
                }
                LobbyNews::NotPaired(id, why)
            }
            LobbyEvent::Busy => LobbyNews::Busy,
        })
    }
}
