//! A socket in the lobby of games by signed terms.

use std::sync::Arc;

use axum::body::Bytes;
use connect4_protocol::Error;
use connect4_protocol::fast::lobby::{
    Answer, AnswerId, FromLobby, Invite, SeekId, SignedSeek, ToLobby, read,
};
use connect4_protocol::fast::wire::Refusal;
use connect4_protocol::fast::{Crypto as _, Domain, Native, Signature};

use crate::counters::Counters;
use crate::lobby::{Lobby, frame};
use crate::lobby_place::LobbyPlace;
use crate::talk::Talk;
use crate::visitor::Visitor;

/// A socket in the lobby, until it is dropped.
pub struct LobbyVisit {
    place: LobbyPlace<SignedSeek>,
    domain: Domain,
    nonce: [u8; 32],
}

impl LobbyVisit {
    /// Enters the lobby, where terms are signed for this contract and chain. The nonce is in the welcome, which is
    /// sent by who has the socket.
    #[must_use]
    pub fn new(lobby: &Arc<Lobby>, domain: Domain, nonce: [u8; 32], from: Visitor) -> Self {
        Self {
            place: LobbyPlace::new(lobby, from),
            domain,
            nonce,
        }
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
        self.place.seek(signed, invite)?;
        counters.seeks.add();
        Ok(())
    }

    fn answer(
        &mut self,
        id: SeekId,
        answer: &Answer,
        now: u64,
        counters: &Counters,
    ) -> Result<(), Refusal> {
        let domain = &self.domain;
        let is_passed = self.place.answer(id, |signed| {
            let checked = answer.check(&signed.seek, now, domain, &Native);
            checked.map_err(Refusal::Invalid)?;
            Ok(*answer)
        })?;
        if is_passed {
            counters.answers.add();
        }
        Ok(())
    }

    fn accept(
        &mut self,
        answer: AnswerId,
        secret: &[u8; 32],
        signature: Signature,
        counters: &Counters,
    ) -> Result<(), Refusal> {
        let Some(id) = self.place.seeks else {
            return Ok(());
        };
        let domain = &self.domain;
        let accepted = self.place.accept(id, answer, |signed, answer| {
            let seek = &signed.seek;
            let decided = answer.decided(seek, secret, &Native);
            let (terms, _) = decided.ok_or(Error::OtherTerms)?;
            let digest = terms.digest(domain, &Native);
            if Native.recover(&digest, &signature) != Some(seek.party.key()) {
                return Err(Error::BadSignature);
            }
            Ok(frame(&FromLobby::Accepted {
                seek: id,
                secret: *secret,
                signature,
            }))
        });
        if accepted.map_err(Refusal::Invalid)? {
            counters.pairs.add();
        }
        Ok(())
    }

    /// The next frame to send; none if the socket has everything.
    pub fn next_frame(&mut self) -> Option<Bytes> {
        self.place.next_frame()
    }

    /// The seeker of what this socket has answered has not said anything in time.
    pub fn give_up(&mut self) {
        self.place.give_up();
    }

    /// Takes a frame, at this time in seconds since 1970.
    ///
    /// # Errors
    ///
    /// What is refused, and why.
    pub fn hear(&mut self, frame: &[u8], now: u64, counters: &Counters) -> Result<(), Refusal> {
        match read(frame).ok_or(Refusal::BadMessage)? {
            ToLobby::Seek { seek, invite } => self.seek(seek, invite, now, counters)?,
            ToLobby::Withdraw => self.place.withdraw(),
            ToLobby::Look(invite) => self.place.look(invite),
            ToLobby::List { live } => self.place.list(live)?,
            ToLobby::Answer { seek, answer } => self.answer(seek, &answer, now, counters)?,
            ToLobby::Accept {
                answer,
                secret,
                signature,
            } => self.accept(answer, &secret, signature, counters)?,
            ToLobby::Decline { answer } => {
                if let Some(seek) = self.place.seeks {
                    self.place.decline(seek, answer);
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
        self.place.changed().await;
    }

    fn hear(&mut self, frame: &[u8], now: u64, counters: &Counters) -> Result<(), Refusal> {
        self.hear(frame, now, counters)
    }
}
