//! A socket in the room of a signed game.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use connect4_protocol::signed::Native;
use connect4_protocol::signed::relay::Refusal;
use connect4_protocol::signed::wire::{Spoken, ToWitness, read};
use connect4_rules::Player;

use super::checked::Checked;
use super::core::Heard;
use super::keeper::Keeper;
use super::line::RoundTrips;
use super::room::{END, RECEIPT, RoomSeat, SignedRoom};
use crate::counters::Counters;
use crate::hall::Hosted as _;
use crate::places::SocketId;
use crate::rooms::Stay;
use crate::talk::Talk;
use crate::visitor::Visitor;

/// A socket in the room of a signed game, until it is dropped.
pub struct SignedVisit {
    stay: Stay<SignedRoom>,
    seat: RoomSeat,
    keeper: Arc<Keeper>,
    nonce: [u8; 32],
    round_trips: RoundTrips,
}

impl SignedVisit {
    pub fn new(
        stay: Stay<SignedRoom>,
        keeper: Arc<Keeper>,
        nonce: [u8; 32],
        from: Visitor,
        socket: SocketId,
        most_watchers: u16,
    ) -> Self {
        Self {
            seat: stay.room().enter(from, socket, most_watchers),
            stay,
            keeper,
            nonce,
            round_trips: RoundTrips::default(),
        }
    }

    fn tell_newest(&mut self) {
        self.seat.tell_again(RECEIPT);
        self.seat.tell_again(END);
    }

    fn hear_spoken(&mut self, spoken: &Spoken, counters: &Counters) -> Result<(), Refusal> {
        let room = self.stay.room();
        // The cheapest comes first: nothing is said about what was played before.
        if room.is_behind(spoken.moves.len()) {
            self.tell_newest();
            return Err(Refusal::OtherPosition);
        }
        if room.has_heard(spoken) {
            counters.repeated.add();
            self.tell_newest();
            return Ok(());
        }
        let game = room.number();
        let checked = Checked::spoken(*spoken, game, room.keys(), room.domain(), &Native);
        let checked = checked.ok_or(Refusal::Unsupported)?;
        match self.keeper.take(game, &checked, self.round_trips.least()) {
            Ok(Heard::New) => counters.positions.add(),
            Ok(Heard::Offer) => counters.offers.add(),
            Ok(Heard::Repeated) => {
                counters.repeated.add();
                self.tell_newest();
            }
            Err(refusal) => {
                if refusal == Refusal::OtherPosition {
                    self.tell_newest();
                }
                return Err(refusal);
            }
        }
        Ok(())
    }
}

impl Talk for SignedVisit {
    fn next_frame(&mut self) -> Option<Bytes> {
        self.seat.next_frame()
    }

    fn is_out(&self) -> Option<Refusal> {
        self.seat.is_out(Refusal::OtherWitness)
    }

    fn has_to_join(&self) -> bool {
        self.seat.has_to_join()
    }

    async fn changed(&mut self) {
        self.seat.changed().await;
    }

    fn is_timed(&self) -> bool {
        let has_clock = self.stay.room().terms().terms.clock.is_some();
        has_clock
            && Player::ALL
                .into_iter()
                .any(|player| self.seat.has_joined(player))
    }

    fn round_trip(&mut self, time: Duration) {
        self.round_trips.add(time);
    }

    fn hear(&mut self, frame: &[u8], _: u64, counters: &Counters) -> Result<(), Refusal> {
        let room = self.stay.room();
        match read(frame).ok_or(Refusal::BadMessage)? {
            // The room is open already.
            ToWitness::Terms(_) => Ok(()),
            ToWitness::Join { player, .. } if self.seat.has_joined(player) => Ok(()),
            ToWitness::Join { player, signature } => {
                if !room.is_player(player, &signature, self.nonce) {
                    return Err(Refusal::Unsupported);
                }
                self.keeper.back(room.number(), player);
                self.seat.join(player);
                Ok(())
            }
            ToWitness::Spoken(spoken) => self.hear_spoken(&spoken, counters),
            ToWitness::Held(told) if room.has_told(&told) => Ok(()),
            ToWitness::Held(told) => self.keeper.held(room.number(), &told),
        }
    }
}
