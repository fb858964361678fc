//! A socket in the lobby of signed games.

use std::convert::Infallible;
use std::sync::Arc;

use axum::body::Bytes;
use connect4_protocol::fast::wire::Refusal;
use connect4_protocol::signed::lobby::{FromLobby, Offer, ToLobby, read};

use crate::counters::Counters;
use crate::lobby::{Lobby, frame};
use crate::lobby_place::LobbyPlace;
use crate::talk::Talk;
use crate::visitor::Visitor;

/// A socket in the lobby of signed games, until it is dropped.
pub struct OfferVisit(LobbyPlace<Offer>);

impl OfferVisit {
    pub fn new(lobby: &Arc<Lobby<Offer>>, from: Visitor) -> Self {
        Self(LobbyPlace::new(lobby, from))
    }
}

impl Talk for OfferVisit {
    fn next_frame(&mut self) -> Option<Bytes> {
        self.0.next_frame()
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
        match read(frame).ok_or(Refusal::BadMessage)? {
            ToLobby::Offer { offer, invite } => {
                self.0.seek(offer, invite)?;
                counters.seeks.add();
            }
            ToLobby::Withdraw => self.0.withdraw(),
            ToLobby::Look(invite) => self.0.look(invite),
            ToLobby::List { live } => self.0.list(live)?,
            ToLobby::Take { offer, letter } => {
                if self.0.answer(offer, |_| Ok(letter))? {
                    counters.answers.add();
                }
            }
            ToLobby::Accept {
                offer,
                take,
                letter,
            } => {
                let accepted = self.0.accept(offer, take, |_, _| {
                    let accepted = FromLobby::Accepted { offer, letter };
                    Ok::<_, Infallible>(self::frame(&accepted))
                });
                let Ok(is_accepted) = accepted;
                if is_accepted {
                    counters.pairs.add();
                }
            }
            ToLobby::Decline { offer, take } => self.0.decline(offer, take),
        }
        Ok(())
    }
}
