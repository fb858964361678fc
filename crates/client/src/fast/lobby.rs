//! The connection to the lobby of a relay, and how two players become a game there.

use std::collections::{BTreeMap, BTreeSet};

use connect4_protocol::fast::lobby::{
    self, Answer, AnswerId, FromLobby, Invite, NotPaired, Seek, SeekId, Side, SignedSeek, ToLobby,
    commitment,
};
use connect4_protocol::fast::wire::Refusal;
use connect4_protocol::fast::{
    Domain, GameTerms, Native, Party, SessionKey, Signature, SignedSession, SignedTerms,
};
use connect4_protocol::{Address, ClockSpec};
use connect4_rules::ShapeSpec;
use tokio::time::Instant;

use super::allowance::Allowance;
use super::clocks::machine;
use super::messages::{LobbyError, Messages};

/// Who plays: a guest, or an account with its session.
#[derive(Clone, Debug)]
pub struct Identity {
    /// The key that signs.
    pub key: SessionKey,
    /// The account, and what it has signed about the key; none for a guest.
    pub account: Option<(Address, SignedSession)>,
    /// Whether it is a program that plays.
    pub program: bool,
}

impl Identity {
    /// A person who plays as a guest.
    #[must_use]
    pub const fn guest(key: SessionKey) -> Self {
        Self {
            key,
            account: None,
            program: false,
        }
    }

    /// The player of terms.
    #[must_use]
    pub fn party(&self) -> Party {
        let key = self.key.address();
        match self.account {
            Some((account, _)) => Party::Account { account, key },
            None => Party::Guest(key),
        }
    }

    fn session(&self) -> Option<SignedSession> {
        self.account.map(|(_, session)| session)
    }
}

/// What game a player wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wish {
    /// Shape of the board.
    pub shape: ShapeSpec,
    /// Whether the player who moves second may swap.
    pub pie_rule: bool,
    /// Number of the pool.
    pub pool: u16,
    /// Clock; none for a game without one.
    pub clock: Option<ClockSpec>,
    /// Which player to be.
    pub side: Side,
}

impl Wish {
    /// Whether a game that somebody seeks is one that is wanted.
    #[must_use]
    pub fn fits(&self, seek: &Seek) -> bool {
        let sides = match (self.side, seek.side) {
            (Side::Random, Side::Random) => true,
            (Side::First, Side::Second) | (Side::Second, Side::First) => true,
            // Somebody who leaves it to chance takes any.
            (Side::Random, _) => true,
            _ => false,
        };
        sides
            && (seek.shape, seek.pie_rule, seek.pool, seek.clock)
                == (self.shape, self.pie_rule, self.pool, self.clock)
    }
}

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
    /// The lobby takes no more of this at the moment.
    Busy,
}

/// A place in the lobby of a relay. It ends when this is dropped, and so does what is sought there.
#[derive(Debug)]
pub struct Lobby {
    messages: Messages,
    allowance: Allowance,
    nonce: [u8; 32],
    domain: Domain,
    identity: Identity,
    seeks: BTreeMap<SeekId, SignedSeek>,
    own: Option<Own>,
    asked: Option<(SignedSeek, SeekId, Answer)>,
    /// Seeks whose seekers do not want this player.
    unwilling: BTreeSet<SeekId>,
}

/// What is sought here.
#[derive(Debug)]
struct Own {
    signed: SignedSeek,
    secret: [u8; 32],
    id: Option<SeekId>,
    /// What was asked for, to seek it anew.
    wish: Wish,
    invite: Option<Invite>,
    /// The answer that was accepted. It has shown the secret, so that no other one is.
    accepted: Option<SignedTerms>,
}

impl Lobby {
    /// Enters the lobby of the relay with this URL.
    ///
    /// # Errors
    ///
    /// [`LobbyError`].
    pub async fn enter(url: &str, identity: Identity) -> Result<Self, LobbyError> {
        let messages = Messages::connect(url, lobby::PATH, lobby::MAX_LEN).await?;
        let mut entered = Self {
            messages,
            allowance: Allowance::new(Instant::now()),
            nonce: [0; 32],
            domain: Domain::new(0, Address::ZERO),
            identity,
            seeks: BTreeMap::new(),
            own: None,
            asked: None,
            unwilling: BTreeSet::new(),
        };
        match entered.messages.first().await? {
            FromLobby::Welcome {
                nonce,
                chain_id,
                contract,
                ..
            } => {
                entered.nonce = nonce;
                entered.domain = Domain::new(chain_id, contract);
                Ok(entered)
            }
            FromLobby::Refused(refusal) => Err(LobbyError::Refused(refusal)),
            _ => Err(LobbyError::lost("it does not welcome")),
        }
    }

    /// Contract and chain for which terms are signed here, as the relay says.
    #[must_use]
    pub const fn domain(&self) -> Domain {
        self.domain
    }

    /// Plays for an account, which has named the session key for the contract and chain of this lobby.
    pub const fn name_account(&mut self, account: Address, session: SignedSession) {
        self.identity.account = Some((account, session));
    }

    /// All seeks of others that were listed, the oldest first, each of which its seeker has signed.
    pub fn seeks(&self) -> impl Iterator<Item = (SeekId, &SignedSeek)> {
        let own = self.identity.key.address();
        let seeks = self.seeks.iter().map(|(id, seek)| (*id, seek));
        seeks.filter(move |(_, seek)| seek.seek.party.key() != own)
    }

    /// The oldest seek that was there before the own one, and that is what this player wants. Two who seek the
    /// same do not answer each other at the same time this way.
    #[must_use]
    pub fn fitting(&self, wish: &Wish) -> Option<SeekId> {
        let own = self.own.as_ref()?.id?;
        let fits = |(id, seek): &(SeekId, &SignedSeek)| {
            *id < own && wish.fits(&seek.seek) && !self.unwilling.contains(id)
        };
        let found = self.seeks().find(fits).map(|(id, _)| id);
        found.filter(|_| self.asked.is_none())
    }

    /// Seeks a game, in place of what was sought before.
    ///
    /// # Errors
    ///
    /// [`LobbyError::Lost`].
    pub async fn seek(&mut self, wish: &Wish, invite: Option<Invite>) -> Result<(), LobbyError> {
        let secret = match wish.side {
            Side::Random => rand::random(),
            Side::First | Side::Second => [0; 32],
        };
        let seek = Seek {
            party: self.identity.party(),
            shape: wish.shape,
            pie_rule: wish.pie_rule,
            pool: wish.pool,
            program: self.identity.program,
            clock: wish.clock,
            side: wish.side,
            commitment: match wish.side {
                Side::Random => commitment(&secret, &Native),
                Side::First | Side::Second => [0; 32],
            },
            time: machine(),
        };
        let digest = seek.digest(self.nonce, &self.domain, &Native);
        let signed = SignedSeek {
            seek,
            nonce: self.nonce,
            session: self.identity.session(),
            signature: self.identity.key.sign(&digest),
        };
        self.own = Some(Own {
            signed,
            secret,
            id: None,
            wish: *wish,
            invite,
            accepted: None,
        });
        self.send(&ToLobby::Seek {
            seek: signed,
            invite,
        })
        .await
    }

    /// Has all seeks listed, and follows them from then on if they are to be `live`.
    ///
    /// # Errors
    ///
    /// [`LobbyError::Lost`].
    pub async fn list(&mut self, live: bool) -> Result<(), LobbyError> {
        self.seeks.clear();
        self.send(&ToLobby::List { live }).await
    }

    /// Seeks no more.
    ///
    /// # Errors
    ///
    /// [`LobbyError::Lost`].
    pub async fn withdraw(&mut self) -> Result<(), LobbyError> {
        self.own = None;
        self.send(&ToLobby::Withdraw).await
    }

    /// Has the seek with this invite listed, too.
    ///
    /// # Errors
    ///
    /// [`LobbyError::Lost`].
    pub async fn look(&mut self, invite: Invite) -> Result<(), LobbyError> {
        self.send(&ToLobby::Look(invite)).await
    }

    /// Answers a seek that is listed. Returns whether it is.
    ///
    /// # Errors
    ///
    /// [`LobbyError::Lost`].
    pub async fn answer(&mut self, id: SeekId) -> Result<bool, LobbyError> {
        let Some(signed) = self.seeks.get(&id).copied() else {
            return Ok(false);
        };
        let identity = &self.identity;
        let terms = signed.seek.answered_by(
            identity.party(),
            identity.program,
            machine(),
            rand::random(),
        );
        let sign = |terms: &GameTerms| identity.key.sign(&terms.digest(&self.domain, &Native));
        let answer = Answer {
            terms,
            session: identity.session(),
            signature: sign(&terms),
            swapped: (signed.seek.side == Side::Random).then(|| sign(&terms.swapped())),
        };
        self.asked = Some((signed, id, answer));
        self.send(&ToLobby::Answer { seek: id, answer }).await?;
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
        Ok(match message {
            FromLobby::Welcome { .. } => None,
            FromLobby::Listed { id, invited, seek } => {
                if let Some(own) = self.own.as_mut().filter(|own| own.signed == seek) {
                    let is_first = own.id.replace(id).is_none();
                    return Ok(is_first.then_some(LobbyNews::Seeking(id)));
                }
                // The relay cannot make one up.
                if seek.check(machine(), &self.domain, &Native).is_err() {
                    return Ok(None);
                }
                self.seeks.insert(id, seek);
                Some(match invited {
                    true => LobbyNews::Invited(id),
                    false => LobbyNews::Changed,
                })
            }
            FromLobby::Gone { id } => self.seeks.remove(&id).map(|_| LobbyNews::Changed),
            FromLobby::Complete => Some(LobbyNews::Complete),
            FromLobby::Cleared => {
                self.seeks.clear();
                Some(LobbyNews::Changed)
            }
            FromLobby::Answered { id, answer } => {
                self.accept(id, &answer).await?;
                None
            }
            FromLobby::Accepted {
                seek,
                secret,
                signature,
            } => self.accepted(seek, &secret, signature),
            FromLobby::NotPaired { seek, why } => {
                if self.asked.take_if(|(_, id, _)| *id == seek).is_some()
                    && matches!(why, NotPaired::Declined | NotPaired::Silent)
                {
                    self.unwilling.insert(seek);
                }
                if let Some(own) = &mut self.own
                    && own.id == Some(seek)
                {
                    let (wish, invite) = (own.wish, own.invite);
                    let has_shown_secret = own.accepted.is_some();
                    if why == NotPaired::Silent {
                        self.own = None;
                    } else if has_shown_secret {
                        // With a secret that is known, the next one who answers could choose the colour.
                        self.seek(&wish, invite).await?;
                    }
                }
                Some(LobbyNews::NotPaired(seek, why))
            }
            FromLobby::Refused(Refusal::Busy) => {
                self.asked = None;
                Some(LobbyNews::Busy)
            }
            FromLobby::Refused(refusal) => return Err(LobbyError::Refused(refusal)),
        })
    }

    /// Signs the terms of an answer, if they are what is sought.
    async fn accept(&mut self, id: AnswerId, answer: &Answer) -> Result<(), LobbyError> {
        let is_waiting = self.asked.is_some();
        let own = self.own.as_mut();
        let is_free = |own: &&mut Own| !is_waiting && own.accepted.is_none();
        let Some(own) = own.filter(is_free) else {
            return self.send(&ToLobby::Decline { answer: id }).await;
        };
        let (signed, secret) = (own.signed, own.secret);
        let fits = answer.check(&signed.seek, machine(), &self.domain, &Native);
        let decided = answer.decided(&signed.seek, &secret, &Native);
        let Some((terms, _)) = decided.filter(|_| fits.is_ok()) else {
            return self.send(&ToLobby::Decline { answer: id }).await;
        };
        let signature = self.identity.key.sign(&terms.digest(&self.domain, &Native));
        own.accepted = answer.accepted(&signed, &secret, signature, &Native);
        self.send(&ToLobby::Accept {
            answer: id,
            secret,
            signature,
        })
        .await
    }

    /// The game of an answer that was accepted, here or by the seeker. None if it is not what was agreed on.
    fn accepted(
        &mut self,
        seek: SeekId,
        secret: &[u8; 32],
        signature: Signature,
    ) -> Option<LobbyNews> {
        if let Some(own) = &self.own
            && own.id == Some(seek)
        {
            let terms = own.accepted?;
            self.own = None;
            return Some(LobbyNews::Paired(Box::new(terms)));
        }
        let (signed, id, answer) = self.asked.take_if(|(_, id, _)| *id == seek)?;
        let terms = answer.accepted(&signed, secret, signature, &Native);
        let terms = terms.filter(|terms| {
            let start = terms.start(Address::ZERO, &self.domain, &Native);
            start.is_ok()
        });
        Some(match terms {
            Some(terms) => LobbyNews::Paired(Box::new(terms)),
            // The seeker has shown another secret, or not signed.
            None => {
                self.unwilling.insert(id);
                LobbyNews::NotPaired(id, NotPaired::Declined)
            }
        })
    }

    async fn send(&mut self, message: &ToLobby) -> Result<(), LobbyError> {
        self.messages.send(message).await
    }

    async fn receive(&mut self) -> Result<FromLobby, LobbyError> {
        let message = self.messages.receive().await?;
        if !self.allowance.take(Instant::now()) && self.seeks.len() > 1000 {
            return Err(LobbyError::lost("it sends more than a lobby has to say"));
        }
        Ok(message)
    }
}
