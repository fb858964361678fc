//! The room of one game: what it holds, and what its sockets are told.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::body::Bytes;
use codec::{Decode, Encode};
use connect4_protocol::fast::wire::{FromRelay, Offer, Refusal, presence};
use connect4_protocol::fast::{Crypto, Ending, Evidence, FastGame, GameNumber, Native, Signature};
use connect4_protocol::{Address, Error};
use connect4_rules::{ByPlayer, Player};

use crate::hall::{Hall, Hosted, Seat, State};
use crate::places::SocketId;
use crate::remembering::Remembering;
use crate::source::Found;
use crate::visitor::Visitor;

/// What a room shows to everybody in it, besides who is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Shown {
    /// The latest position, or the end that both players have signed.
    pub position: Evidence,
    /// The offer of a draw at it, by each player.
    pub offers: ByPlayer<Option<Offer>>,
}

impl Shown {
    #[must_use]
    pub const fn start() -> Self {
        Self {
            position: Evidence::start(),
            offers: ByPlayer {
                one: None,
                two: None,
            },
        }
    }
}

/// The room of a game: it takes what is signed by the game's session keys, and shows the latest of it.
///
/// The time is told by who calls it, and signatures are checked by `C`, so that the model of fast play
/// runs the same room.
pub struct Room<C = Native> {
    number: GameNumber,
    /// The game at its start: positions hold all its moves.
    start: Found,
    crypto: C,
    /// What the room holds, and its sockets.
    hall: Hall<Shown, MESSAGES>,
    /// Whether somebody has brought a signature by another key: a fork may have another game in its place.
    is_doubtful: AtomicBool,
}

/// The messages of a room, in the order in which they are told.
const POSITION: usize = 0;
const OFFERS: ByPlayer<usize> = ByPlayer { one: 1, two: 2 };
const PRESENT: usize = 3;
const MESSAGES: usize = 4;

fn show(state: &mut State<Shown, MESSAGES>, shown: Shown) {
    state.held = shown;
    state.tell(POSITION, &FromRelay::Position(shown.position));
    for player in Player::ALL {
        match shown.offers.get(player) {
            Some(offer) => state.tell(*OFFERS.get(player), &FromRelay::Offer(*offer)),
            None => state.hush(*OFFERS.get(player)),
        }
    }
}

impl Room {
    /// A room that holds the start of the game.
    #[must_use]
    pub fn new(number: u32, found: Found) -> Self {
        Self::showing(Shown::start(), number, &found, Native)
    }
}

impl<C: Crypto + Copy> Room<C> {
    /// A room that shows what another one of this game has shown, and with other cryptography than that
    /// of programs.
    #[must_use]
    pub fn showing(shown: Shown, number: u32, found: &Found, crypto: C) -> Self {
        let hall = Hall::new(
            shown,
            (PRESENT, |present| FromRelay::Present(present).encode()),
        );
        hall.change(|state| {
            show(state, shown);
            true
        });
        Self {
            number: found.game.number(number),
            start: at_start(found),
            crypto,
            hall,
            is_doubtful: AtomicBool::new(false),
        }
    }

    #[must_use]
    pub const fn number(&self) -> GameNumber {
        self.number
    }

    /// Whether the game has ended by what the room shows. `now` is in seconds since 1970.
    #[must_use]
    pub fn has_ended(&self, now: u64) -> bool {
        let position = as_it_stands(&self.shown().position, now);
        let game = self.start.game.made_by(&position);
        game.is_ok_and(|game| game.is_over())
    }

    #[must_use]
    pub fn shown(&self) -> Shown {
        self.hall.read(|shown| *shown)
    }

    /// Addresses of the session keys.
    #[must_use]
    pub const fn keys(&self) -> &ByPlayer<Address> {
        &self.start.game.keys
    }

    /// Whether what the chain has now is the game that this room is for.
    #[must_use]
    pub fn is_for(&self, found: &Found) -> bool {
        self.start == at_start(found)
    }

    /// Whether the chain has to be asked if this is still its game.
    #[must_use]
    pub fn is_doubtful(&self) -> bool {
        self.is_doubtful.load(Ordering::Relaxed)
    }

    fn set_doubtful(&self, is_doubtful: bool) {
        self.is_doubtful.store(is_doubtful, Ordering::Relaxed);
    }

    /// The chain has this game: there are no doubts any more.
    pub fn confirm(&self) {
        self.set_doubtful(false);
    }

    /// Takes a position, if the room shows it in place of the one that is held. Returns whether it does.
    /// `now` is in seconds since 1970.
    ///
    /// # Errors
    ///
    /// As [`FastGame::judge`], for a position that would be shown.
    pub fn take(&self, position: &Evidence, now: u64) -> Result<bool, Error> {
        let held = self.shown().position;
        if !replaces(position, &held, now) {
            return Ok(false);
        }
        // Outside of the lock: it takes a fifth of a millisecond.
        let Found { game, domain } = &self.start;
        let crypto = Remembering::new(&held, self.number, &game.keys, domain, self.crypto);
        game.judge(self.number, position, domain, &crypto)?;
        Ok(self.hall.change(|state| {
            let replaces = replaces(position, &state.held.position, now);
            if replaces {
                let shown = Shown {
                    position: *position,
                    ..Shown::start()
                };
                show(state, shown);
            }
            replaces
        }))
    }

    /// Takes an offer of a draw. Returns whether it is another one than is held. `now` is in seconds since
    /// 1970.
    ///
    /// # Errors
    ///
    /// [`Refusal::OtherPosition`] if the offer is not at the position that is held, then
    /// [`Refusal::Invalid`] if the signature is not by the session key.
    pub fn offer(&self, offer: &Offer, now: u64) -> Result<bool, Refusal> {
        let fits = |shown: &Shown| {
            let held = as_it_stands(&shown.position, now);
            held.ending.is_none() && held.moves == offer.moves
        };
        if !fits(&self.shown()) {
            return Err(Refusal::OtherPosition);
        }
        let Found { game, domain } = &self.start;
        offer
            .check(self.number, &game.keys, domain, &self.crypto)
            .map_err(Refusal::Invalid)?;
        Ok(self.hall.change(|state| {
            let shown = &mut state.held;
            let is_new = fits(shown) && *shown.offers.get(offer.by) != Some(*offer);
            if is_new {
                shown.offers[offer.by] = Some(*offer);
                state.tell(*OFFERS.get(offer.by), &FromRelay::Offer(*offer));
            }
            is_new
        }))
    }

    /// Whether a signature shows that somebody is this player.
    fn is_player(&self, player: Player, signature: &Signature, nonce: [u8; 32]) -> bool {
        let Found { game, domain } = &self.start;
        let digest = presence(self.number, nonce, domain, &self.crypto);
        self.crypto.recover(&digest, signature) == Some(*game.keys.get(player))
    }
}

impl Hosted for Room {
    fn number(&self) -> GameNumber {
        self.number()
    }

    fn has_ended(&self, now: u64) -> bool {
        self.has_ended(now)
    }

    fn close(&self) {
        self.hall.close();
    }
}

/// A position without a draw that the chain takes no more: the room shows that the game goes on from there.
/// If the clock here is wrong nobody loses by it, as both players hold the draw.
fn as_it_stands(position: &Evidence, now: u64) -> Evidence {
    let ending = position
        .ending
        .filter(|ending| !matches!(ending, Ending::Draw { until } if *until < now));
    Evidence {
        ending,
        ..*position
    }
}

/// Whether a position is shown in the place of the one that is held, if it is valid. A draw that has lapsed
/// is told to all as any other, but keeps none out.
fn replaces(position: &Evidence, held: &Evidence, now: u64) -> bool {
    position.replaces(held)
        || (as_it_stands(position, now) == *position && position.replaces(&as_it_stands(held, now)))
}

/// A game before its first move, without a clock: the chain's clock is no concern of a relay.
fn at_start(found: &Found) -> Found {
    Found {
        game: FastGame {
            // No move cannot be illegal.
            game: found.game.replay([]).unwrap_or(found.game.game),
            stopped: None,
            contest: None,
            ..found.game
        },
        domain: found.domain,
    }
}

/// A socket in a room, until it is dropped.
pub struct Visit<C = Native> {
    room: Arc<Room<C>>,
    seat: Seat<Shown, MESSAGES>,
}

impl<C: Crypto + Copy> Visit<C> {
    /// Enters a room, as somebody whom no limit by address counts.
    #[must_use]
    pub fn of(room: Arc<Room<C>>, socket: SocketId, most_watchers: u16) -> Self {
        Self::from(Visitor::Uncounted, room, socket, most_watchers)
    }

    #[must_use]
    pub fn from(
        visitor: Visitor,
        room: Arc<Room<C>>,
        socket: SocketId,
        most_watchers: u16,
    ) -> Self {
        let seat = room.hall.enter(visitor, socket, most_watchers);
        Self { room, seat }
    }

    #[must_use]
    pub const fn room(&self) -> &Arc<Room<C>> {
        &self.room
    }

    /// Joins as a player.
    ///
    /// # Errors
    ///
    /// [`Error::BadSignature`] if the signature is not by the player's session key on the nonce.
    pub fn join(
        &mut self,
        player: Player,
        signature: &Signature,
        nonce: [u8; 32],
    ) -> Result<(), Error> {
        if !self.room.is_player(player, signature, nonce) {
            self.room.set_doubtful(true);
            return Err(Error::BadSignature);
        }
        self.seat.join(player);
        Ok(())
    }

    /// Has the position that is held told again.
    pub fn tell_position(&mut self) {
        self.seat.tell_again(POSITION);
    }

    /// Why the socket has to leave; none while it may stay.
    #[must_use]
    pub fn is_out(&self) -> Option<Refusal> {
        self.seat.is_out(Refusal::NoSuchGame)
    }

    /// Whether it may stay only as a player.
    #[must_use]
    pub fn has_to_join(&self) -> bool {
        self.seat.has_to_join()
    }

    /// The next frame to send; none if the socket has everything.
    pub fn next_frame(&mut self) -> Option<Bytes> {
        self.seat.next_frame()
    }

    /// Waits until the room has changed.
    pub async fn changed(&mut self) {
        self.seat.changed().await;
    }
}
