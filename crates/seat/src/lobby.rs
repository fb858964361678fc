//! A visit to the lobby of a relay, without the socket: what is signed there, and which game two players make.

use alloc::boxed::Box;
use alloc::collections::BTreeSet;

use codec::{Decode, Encode};
use connect4_protocol::fast::lobby::{
    Answer, AnswerId, FromLobby, Invite, NotPaired, Seek, SeekId, Side, SignedSeek, ToLobby,
    commitment,
};
use connect4_protocol::fast::wire::Refusal;
use connect4_protocol::fast::{
    Domain, GameTerms, Native, Party, Pool, SessionKey, Signature, SignedSession, SignedTerms,
};
use connect4_protocol::{Address, ClockSpec};
use connect4_rules::{ByPlayer, ShapeSpec};

/// Who plays: a guest, or an account with its session.
#[derive(Clone, Debug)]
pub struct Identity {
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
    /// What somebody wants who has made this seek.
    #[must_use]
    pub const fn of(seek: &Seek) -> Self {
        Self {
            shape: seek.shape,
            pie_rule: seek.pie_rule,
            pool: seek.pool,
            clock: seek.clock,
            side: seek.side,
        }
    }

    /// Whether a game that somebody seeks is one that is wanted by a player who is a program, or is none.
    #[must_use]
    pub fn fits(&self, seek: &Seek, program: bool) -> bool {
        let sides = match (self.side, seek.side) {
            (Side::Random, Side::Random) => true,
            (Side::First, Side::Second) | (Side::Second, Side::First) => true,
            // Somebody who leaves it to chance takes any.
            (Side::Random, _) => true,
            _ => false,
        };
        let programs = ByPlayer {
            one: seek.program,
            two: program,
        };
        sides
            && Pool::of(self.pool).is_none_or(|pool| pool.takes(programs))
            && (seek.shape, seek.pie_rule, seek.pool, seek.clock)
                == (self.shape, self.pie_rule, self.pool, self.clock)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LobbyEvent {
    /// Somebody else seeks a game, and has signed that.
    Listed {
        id: SeekId,
        /// Whether it is the one for whose invite this player looks.
        invited: bool,
        seek: Box<SignedSeek>,
    },
    /// A seek is not listed any more.
    Gone(SeekId),
    /// All seeks are listed anew.
    Cleared,
    /// All seeks were listed.
    Complete,
    /// What this player seeks is listed.
    Seeking(SeekId),
    /// Two have become a game: this player is one of them.
    Paired(Box<SignedTerms>),
    /// The answer to this seek makes no game.
    NotPaired(SeekId, NotPaired),
    /// The lobby takes no more of this at the moment.
    Busy,
}

/// What has come of a message of the lobby.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FromVisit {
    /// What has happened, if the player has to know of it.
    pub event: Option<LobbyEvent>,
    pub send: Option<ToLobby>,
}

impl From<LobbyEvent> for FromVisit {
    fn from(event: LobbyEvent) -> Self {
        Self {
            event: Some(event),
            send: None,
        }
    }
}

/// One socket's visit to the lobby of a relay. Its owner keeps the list of others' seeks.
#[derive(Clone, Debug, Encode, Decode)]
pub struct LobbyVisit {
    nonce: [u8; 32],
    chain_id: u64,
    contract: Address,
    own: Option<Own>,
    /// The time of the last seek, so that each differs from the one before: those of a side that is not random
    /// would be the same within a second, and what is still told of the first would be taken for the second.
    sought_at: u64,
    asked: Option<(SignedSeek, SeekId, Answer)>,
    /// Seeks whose seekers do not want this player.
    unwilling: BTreeSet<SeekId>,
}

/// What is sought here.
#[derive(Clone, Debug, Encode, Decode)]
struct Own {
    signed: SignedSeek,
    secret: [u8; 32],
    id: Option<SeekId>,
    /// The answer that was accepted. It has shown the secret, so that no other one is.
    accepted: Option<SignedTerms>,
    /// Whether an answer was declined while this player had answered somebody itself.
    has_declined: bool,
}

impl LobbyVisit {
    /// A visit that begins with this message; none if it is not a [`FromLobby::Welcome`].
    #[must_use]
    pub const fn begin(message: &FromLobby) -> Option<Self> {
        match *message {
            FromLobby::Welcome {
                nonce,
                chain_id,
                contract,
                ..
            } => Some(Self {
                nonce,
                chain_id,
                contract,
                own: None,
                sought_at: 0,
                asked: None,
                unwilling: BTreeSet::new(),
            }),
            _ => None,
        }
    }

    /// Contract and chain for which terms are signed here, as the relay says.
    #[must_use]
    pub const fn domain(&self) -> Domain {
        Domain::new(self.chain_id, self.contract)
    }

    /// What this player's own seek is called, once it is listed.
    #[must_use]
    pub fn own(&self) -> Option<SeekId> {
        self.own.as_ref()?.id
    }

    #[must_use]
    pub const fn is_seeking(&self) -> bool {
        self.own.is_some()
    }

    /// Whether an answer of this player waits for the seeker.
    #[must_use]
    pub const fn is_asking(&self) -> bool {
        self.asked.is_some()
    }

    /// Whether what this player has signed here can become a game: its answer to a seek, or its agreement to the
    /// answer to its own. Nothing else is signed meanwhile, or one wish could lead to two games.
    #[must_use]
    pub fn is_bound(&self) -> bool {
        let has_accepted = |own: &Own| own.accepted.is_some();
        self.is_asking() || self.own.as_ref().is_some_and(has_accepted)
    }

    /// Whether this player, who wants this, answers the seek by itself: it was there before the own one and
    /// fits. Two who seek the same do not answer each other at the same time this way.
    #[must_use]
    pub fn suits(&self, wish: &Wish, id: SeekId, seek: &Seek) -> bool {
        let is_before = self.own().is_some_and(|own| id < own);
        is_before && self.would_answer(wish, id, seek)
    }

    /// Whether this player, who wants this, can answer the seek, whenever it came: it fits, its seeker has not declined
    /// this player, and nothing else is signed. Who is a program says so in the own seek.
    #[must_use]
    pub fn would_answer(&self, wish: &Wish, id: SeekId, seek: &Seek) -> bool {
        let program = self.own.as_ref().is_some_and(|own| own.signed.seek.program);
        wish.fits(seek, program) && !self.is_bound() && !self.unwilling.contains(&id)
    }

    /// As [`Self::suits`], for a player who wants what it seeks.
    #[must_use]
    pub fn suits_own(&self, id: SeekId, seek: &Seek) -> bool {
        let own = self.own.as_ref().map(|own| Wish::of(&own.signed.seek));
        own.is_some_and(|wish| self.suits(&wish, id, seek))
    }

    /// Seeks a game, in place of what was sought before. `secret` is random.
    #[must_use]
    pub fn seek(
        &mut self,
        who: &Identity,
        wish: &Wish,
        invite: Option<Invite>,
        now: u64,
        secret: [u8; 32],
    ) -> ToLobby {
        let is_random = wish.side == Side::Random;
        let secret = if is_random { secret } else { [0; 32] };
        self.sought_at = now.max(self.sought_at.saturating_add(1));
        let seek = Seek {
            party: who.party(),
            shape: wish.shape,
            pie_rule: wish.pie_rule,
            pool: wish.pool,
            program: who.program,
            clock: wish.clock,
            side: wish.side,
            commitment: match is_random {
                true => commitment(&secret, &Native),
                false => [0; 32],
            },
            time: self.sought_at,
        };
        let digest = seek.digest(self.nonce, &self.domain(), &Native);
        let signed = SignedSeek {
            seek,
            nonce: self.nonce,
            session: who.session(),
            signature: who.key.sign(&digest),
        };
        self.own = Some(Own {
            signed,
            secret,
            id: None,
            accepted: None,
            has_declined: false,
        });
        ToLobby::Seek {
            seek: signed,
            invite,
        }
    }

    /// Seeks no more, and takes back an answer: if its seeker has just signed it, that one waits in vain.
    #[must_use]
    pub fn withdraw(&mut self) -> ToLobby {
        self.own = None;
        self.asked = None;
        ToLobby::Withdraw
    }

    /// Answers a seek that is listed, by terms with this random nonce. None if it is [bound](Self::is_bound).
    #[must_use]
    pub fn answer(
        &mut self,
        who: &Identity,
        id: SeekId,
        signed: &SignedSeek,
        now: u64,
        nonce: u32,
    ) -> Option<ToLobby> {
        if self.is_bound() {
            return None;
        }
        let terms = signed
            .seek
            .answered_by(who.party(), who.program, now, nonce);
        let domain = self.domain();
        let sign = |terms: &GameTerms| who.key.sign(&terms.digest(&domain, &Native));
        let answer = Answer {
            terms,
            session: who.session(),
            signature: sign(&terms),
            swapped: (signed.seek.side == Side::Random).then(|| sign(&terms.swapped())),
        };
        self.asked = Some((*signed, id, answer));
        Some(ToLobby::Answer { seek: id, answer })
    }

    /// Takes a message of the lobby, at this time in seconds since 1970. After [`LobbyEvent::NotPaired`] this player
    /// may [seek](Self::is_seeking) no more, as its secret is known.
    ///
    /// # Errors
    ///
    /// The relay's refusal, if it closes the socket after it.
    pub fn take(
        &mut self,
        who: &Identity,
        message: FromLobby,
        now: u64,
    ) -> Result<FromVisit, Refusal> {
        Ok(match message {
            FromLobby::Welcome { .. } => FromVisit::default(),
            FromLobby::Listed { id, invited, seek } => self.listed(who, id, invited, seek, now),
            FromLobby::Gone { id } => FromVisit {
                event: Some(LobbyEvent::Gone(id)),
                // With the same key a game is sought in another place now, in which there will be one alone.
                send: (self.own() == Some(id)).then(|| self.withdraw()),
            },
            FromLobby::Complete => LobbyEvent::Complete.into(),
            FromLobby::Cleared => LobbyEvent::Cleared.into(),
            FromLobby::Answered { id, answer } => FromVisit {
                event: None,
                send: Some(self.accept(who, id, &answer, now)),
            },
            FromLobby::Accepted {
                seek,
                secret,
                signature,
            } => self.accepted(seek, &secret, signature),
            FromLobby::NotPaired { seek, why } => {
                self.not_paired(seek, why);
                LobbyEvent::NotPaired(seek, why).into()
            }
            FromLobby::Refused(Refusal::Busy) => {
                self.asked = None;
                LobbyEvent::Busy.into()
            }
            FromLobby::Refused(refusal) => return Err(refusal),
        })
    }

    fn listed(
        &mut self,
        who: &Identity,
        id: SeekId,
        invited: bool,
        seek: SignedSeek,
        now: u64,
    ) -> FromVisit {
        if let Some(own) = self.own.as_mut().filter(|own| own.signed == seek) {
            let is_first = own.id.replace(id).is_none();
            return match is_first {
                true => LobbyEvent::Seeking(id).into(),
                false => FromVisit::default(),
            };
        }
        // The relay cannot make one up. Nobody plays with itself: who looks for the own invite, as in another tab, is
        // to be told.
        let is_own = seek.seek.party.key() == who.key.address();
        if (is_own && !invited) || seek.check(now, &self.domain(), &Native).is_err() {
            return FromVisit::default();
        }
        let seek = Box::new(seek);
        LobbyEvent::Listed { id, invited, seek }.into()
    }

    fn not_paired(&mut self, seek: SeekId, why: NotPaired) {
        let was_asked = self.asked.take_if(|(_, id, _)| *id == seek).is_some();
        if was_asked && matches!(why, NotPaired::Declined | NotPaired::Silent) {
            self.unwilling.insert(seek);
        }
        // With a secret that is known, the next one who answers could choose the colour: its owner seeks anew. So
        // does who has declined somebody meanwhile, who does not answer the same seek again.
        let is_over = |own: &mut Own| {
            let is_own = own.id == Some(seek);
            (is_own && (own.accepted.is_some() || why == NotPaired::Silent))
                || (was_asked && own.has_declined)
        };
        self.own.take_if(is_over);
    }

    /// Signs the terms of an answer, if they are what is sought.
    fn accept(&mut self, who: &Identity, id: AnswerId, answer: &Answer, now: u64) -> ToLobby {
        let declined = ToLobby::Decline { answer: id };
        let domain = self.domain();
        let is_bound = self.is_bound();
        let Some(own) = &mut self.own else {
            return declined;
        };
        if is_bound {
            own.has_declined = true;
            return declined;
        }
        let (signed, secret) = (own.signed, own.secret);
        let fits = answer.check(&signed.seek, now, &domain, &Native);
        let decided = answer.decided(&signed.seek, &secret, &Native);
        let Some((terms, _)) = decided.filter(|_| fits.is_ok()) else {
            return declined;
        };
        let signature = who.key.sign(&terms.digest(&domain, &Native));
        own.accepted = answer.accepted(&signed, &secret, signature, &Native);
        ToLobby::Accept {
            answer: id,
            secret,
            signature,
        }
    }

    /// The game of an answer that was accepted, here or by the seeker; nothing if it is not what was agreed on.
    fn accepted(&mut self, seek: SeekId, secret: &[u8; 32], signature: Signature) -> FromVisit {
        if let Some(own) = &self.own
            && own.id == Some(seek)
        {
            let Some(terms) = own.accepted else {
                return FromVisit::default();
            };
            self.own = None;
            return LobbyEvent::Paired(Box::new(terms)).into();
        }
        let Some((signed, id, answer)) = self.asked.take_if(|(_, id, _)| *id == seek) else {
            return FromVisit::default();
        };
        let terms = answer.accepted(&signed, secret, signature, &Native);
        let terms = terms.filter(|terms| {
            let start = terms.start(Address::ZERO, &self.domain(), &Native);
            start.is_ok()
        });
        match terms {
            // It seeks no more, or somebody could answer that as well.
            Some(terms) => FromVisit {
                event: Some(LobbyEvent::Paired(Box::new(terms))),
                send: self.own.take().map(|_| ToLobby::Withdraw),
            },
            // The seeker has shown another secret, or not signed.
            None => {
                self.unwilling.insert(id);
                LobbyEvent::NotPaired(id, NotPaired::Declined).into()
            }
        }
    }
}
