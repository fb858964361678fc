//! A socket in the lobby.

use std::sync::Arc;

use axum::body::Bytes;
use connect4_protocol::signed::lobby::{ToLobby, read};
use connect4_protocol::signed::relay::Refusal;

use crate::counters::Counters;
use crate::lobby::Lobby;
use crate::lobby_place::LobbyPlace;
use crate::talk::Talk;
use crate::visitor::Visitor;

/// A socket in the lobby, until it is dropped. The welcome is sent by who has the socket.
pub struct LobbyVisit(LobbyPlace);

impl LobbyVisit {
    #[must_use]
    pub fn new(lobby: &Arc<Lobby>, from: Visitor) -> Self {
        Self(LobbyPlace::new(lobby, from))
    }

    /// The next frame to send; none if the socket has everything.
    pub fn next_frame(&mut self) -> Option<Bytes> {
        self.0.next_frame()
    }

    /// Takes a frame.
    ///
    /// # Errors
    ///
    /// What is refused, and why.
    pub fn hear(&mut self, frame: &[u8], counters: &Counters) -> Result<(), Refusal> {
        match read(frame).ok_or(Refusal::BadMessage)? {
            ToLobby::Offer { offer, invite } => {
                self.0.offer(offer, invite)?;
                counters.seeks.add();
            }
            ToLobby::Withdraw => self.0.withdraw(),
            ToLobby::Look(invite) => self.0.look(invite),
            ToLobby::List { live } => self.0.list(live)?,
            ToLobby::Take { offer, letter } => {
                if self.0.take(offer, letter)? {
                    counters.answers.add();
                }
            }
            ToLobby::Accept {
                offer,
                take,
                letter,
                stays,
            } => {
                if self.0.accept(offer, take, letter, stays) {
                    counters.pairs.add();
                }
            }
            ToLobby::Decline { offer, take } => self.0.decline(offer, take),
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
        self.0.changed().await;
    }

    fn hear(&mut self, frame: &[u8], _: u64, counters: &Counters) -> Result<(), Refusal> {
        self.hear(frame, counters)
    }
}
