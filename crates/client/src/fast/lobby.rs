//! The connection to the lobby of a relay, and how two players become a game there.

use std::collections::BTreeMap;

use connect4_protocol::Address;
use connect4_protocol::fast::lobby::{
    self, FromLobby, Invite, NotPaired, SeekId, SignedSeek, ToLobby,
};
use connect4_protocol::fast::{Domain, SignedSession, SignedTerms};
use connect4_seat::{FromVisit, Identity, LobbyEvent, LobbyVisit, Wish};
use tokio::time::Instant;

use super::allowance::Allowance;
use super::clocks::machine;
use super::messages::{LobbyError, Messages};

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
    identity: Identity,
    seeks: BTreeMap<SeekId, SignedSeek>,
}

impl Lobby {
    /// Enters the lobby of the relay with this URL.
    ///
    /// # Errors
    ///
    /// [`LobbyError`].
    pub async fn enter(url: &str, identity: Identity) -> Result<Self, LobbyError> {
        let mut messages = Messages::connect(url, lobby::PATH, lobby::MAX_LEN).await?;
        let visit = match messages.first().await? {
            FromLobby::Refused(refusal) => return Err(LobbyError::Refused(refusal)),
            message => LobbyVisit::begin(&message),
        };
        Ok(Self {
            messages,
            allowance: Allowance::new(Instant::now()),
            visit: visit.ok_or_else(|| LobbyError::lost("it does not welcome"))?,
            identity,
            sought: None,
            seeks: BTreeMap::new(),
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

    /// Seeks a game, in place of what was sought before.
    ///
    /// # Errors
    ///
    /// [`LobbyError::Lost`].
    pub async fn seek(&mut self, wish: &Wish, invite: Option<Invite>) -> Result<(), LobbyError> {
        self.sought = Some((*wish, invite));
        let seek = self
            .visit
            .seek(&self.identity, wish, invite, machine(), rand::random());
        self.messages.send(&seek).await
    }

    /// Has all seeks listed, and follows them from then on if they are to be `live`.
    ///
    /// # Errors
    ///
    /// [`LobbyError::Lost`].
    pub async fn list(&mut self, live: bool) -> Result<(), LobbyError> {
        self.seeks.clear();
        self.messages.send(&ToLobby::List { live }).await
    }

    /// Seeks no more.
    ///
    /// # Errors
    ///
    /// [`LobbyError::Lost`].
    pub async fn withdraw(&mut self) -> Result<(), LobbyError> {
        let withdrawn = self.visit.withdraw();
        self.messages.send(&withdrawn).await
    }

    /// Has the seek with this invite listed, too.
    ///
    /// # Errors
    ///
    /// [`LobbyError::Lost`].
    pub async fn look(&mut self, invite: Invite) -> Result<(), LobbyError> {
        self.messages.send(&ToLobby::Look(invite)).await
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
        if let Some(answer) = self.visit.answer(&self.identity, id, &signed, now, nonce) {
            self.messages.send(&answer).await?;
        }
        Ok(true)
    }

    /// What happens next. A wait that is given up can lose what was just answered, so that the other one waits
    /// in vain.
    ///
    /// # Errors
    ///
    /// [`LobbyError`].
    pub async fn next(&mut self) -> Result<LobbyNews, LobbyError> {
        loop {
            let message = self.receive().await?;
            if let Some(news) = self.take(message).await? {
                return Ok(news);
            }
        }
    }

    async fn take(&mut self, message: FromLobby) -> Result<Option<LobbyNews>, LobbyError> {
        let (was_seeking, own) = (self.visit.is_seeking(), self.visit.own());
        let taken = self.visit.take(&self.identity, message, machine());
        let FromVisit { event, send } = taken.map_err(LobbyError::Refused)?;
        if let Some(message) = send {
            self.messages.send(&message).await?;
        }
        let has_lost_seek = was_seeking && !self.visit.is_seeking();
        if has_lost_seek && matches!(event, Some(LobbyEvent::Gone(_))) {
            return Ok(Some(LobbyNews::Elsewhere));
        }
        // A program that was silent itself stays so.
        if let Some(LobbyEvent::NotPaired(id, why)) = &event
            && (own, *why) != (Some(*id), NotPaired::Silent)
            && has_lost_seek
            && let Some((wish, invite)) = self.sought
        {
            self.seek(&wish, invite).await?;
        }
        Ok(event.and_then(|event| self.list_of(event)))
    }

    /// What an event does to the list of seeks, and means to the player.
    fn list_of(&mut self, event: LobbyEvent) -> Option<LobbyNews> {
        Some(match event {
            LobbyEvent::Listed { id, invited, seek } => {
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
    async fn receive(&mut self) -> Result<FromLobby, LobbyError> {
        let message = self.messages.receive().await?;
        if !self.allowance.take(Instant::now()) && self.seeks.len() > 1000 {
            return Err(LobbyError::lost("it sends more than a lobby has to say"));
        }
        Ok(message)
    }
}
