//! The room of a game with a stake: what its players have told last.

use axum::body::Bytes;
use codec::Encode as _;
use connect4_protocol::signed::relay::Refusal;
use connect4_protocol::signed::staked_room::{FromStakedRoom, ToStakedRoom, read};
use connect4_protocol::signed::{Domain, GameNumber, Native, Signature, Terms};
use connect4_rules::{ByPlayer, Player};

use crate::counters::Counters;
use crate::hall::{Hall, Hosted, Seat};
use crate::places::SocketId;
use crate::players::Players;
use crate::rooms::Stay;
use crate::talk::Talk;
use crate::visitor::Visitor;

/// The messages of a room, in the order in which they are told.
const POSITIONS: ByPlayer<usize> = ByPlayer { one: 0, two: 1 };
const OFFERS: ByPlayer<usize> = ByPlayer { one: 2, two: 3 };
const PRESENT: usize = 4;
const MESSAGES: usize = 5;

/// The room of a game with a stake. It judges nothing: the keys of the terms alone can say something in it.
pub struct StakedRoom {
    players: Players,
    hall: Hall<(), MESSAGES>,
}

impl StakedRoom {
    /// A room of the game with this number, in which nothing is told yet.
    ///
    /// # Errors
    ///
    /// [`Refusal::NoSuchGame`] if the terms have another number, then [`Refusal::Unsupported`] if no game with a stake can
    /// be played by them.
    pub fn new(number: GameNumber, domain: Domain, terms: &Terms) -> Result<Self, Refusal> {
        if terms.number(&domain, &Native) != number {
            return Err(Refusal::NoSuchGame);
        }
        if terms.stake == 0 || domain.stakes.is_none() || terms.check().is_err() {
            return Err(Refusal::Unsupported);
        }
        let present = |present| FromStakedRoom::Present(present).encode();
        Ok(Self {
            players: Players::of(number, terms, domain),
            hall: Hall::new((), (PRESENT, present)),
        })
    }
}

impl Hosted for StakedRoom {
    fn number(&self) -> GameNumber {
        self.players.number
    }

    /// The chain alone knows.
    fn has_ended(&self, _: u64) -> bool {
        false
    }

    fn close(&self) {
        self.hall.close();
    }
}

/// A socket in the room of a game with a stake, until it is dropped.
pub struct StakedVisit {
    stay: Stay<StakedRoom>,
    seat: Seat<(), MESSAGES>,
    player: Option<Player>,
}

impl StakedVisit {
    /// A place in a room, of a player or a watcher.
    ///
    /// # Errors
    ///
    /// [`Refusal::Unsupported`] if the signature is not by the key of that player on the nonce.
    pub fn enter(
        stay: Stay<StakedRoom>,
        player: Option<(Player, Signature)>,
        nonce: [u8; 32],
        from: Visitor,
        socket: SocketId,
        most_watchers: u16,
    ) -> Result<Self, Refusal> {
        let room = stay.room();
        if let Some((player, signature)) = &player
            && !room.players.has(*player, signature, nonce)
        {
            return Err(Refusal::Unsupported);
        }
        let mut seat = room.hall.enter(from, socket, most_watchers);
        let player = player.map(|(player, _)| player);
        if let Some(player) = player {
            seat.join(player);
        }
        Ok(Self { stay, seat, player })
    }
}

impl Talk for StakedVisit {
    fn next_frame(&mut self) -> Option<Bytes> {
        self.seat.next_frame()
    }

    fn is_out(&self) -> Option<Refusal> {
        self.seat.is_out(Refusal::Full)
    }

    fn has_to_join(&self) -> bool {
        self.seat.has_to_join()
    }

    async fn changed(&mut self) {
        self.seat.changed().await;
    }

    fn hear(&mut self, frame: &[u8], _: u64, counters: &Counters) -> Result<(), Refusal> {
        let message = read(frame).ok_or(Refusal::BadMessage)?;
        let by = self.player.ok_or(Refusal::BadMessage)?;
        let (at, told) = match message {
            ToStakedRoom::Position(evidence) => {
                counters.positions.add();
                let told = FromStakedRoom::Position { by, evidence };
                (*POSITIONS.get(by), told)
            }
            ToStakedRoom::Offer(offer) => {
                counters.offers.add();
                (*OFFERS.get(by), FromStakedRoom::Offer { by, offer })
            }
            // It has entered.
            ToStakedRoom::Enter { .. } => return Err(Refusal::BadMessage),
        };
        self.stay.room().hall.change(|state| {
            state.tell(at, &told);
            true
        });
        Ok(())
    }
}
