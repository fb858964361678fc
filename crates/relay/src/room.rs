//! The room of one game: what it holds, and what its sockets are told.

mod by_terms;

pub use by_terms::ShownGame;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::body::Bytes;
use codec::{Decode, Encode};
use connect4_protocol::fast::wire::{FromRelay, Offer, Refusal, presence};
use connect4_protocol::fast::{
    Crypto, Ending, Evidence, FastGame, GameNumber, Native, Rematch, Signature, SignedTerms,
};
use connect4_protocol::{Address, Error};
use connect4_rules::{ByPlayer, Player};
use tokio::sync::watch;

use crate::places::{Place, Places, SocketId};
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

/// Whether a player is in a room, from the one who has least of it to the one who has most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Attendance {
    /// The player has never joined.
    Never,
    /// The player has joined and is not there now.
    Left,
    Present,
}

/// The room of a game: it takes what is signed by the game's session keys, and shows the latest of it.
///
/// The time is told by who calls it, and signatures are checked by `C`, so that the model of fast play
/// runs the same room.
pub struct Room<C = Native> {
    number: GameNumber,
    /// How the game began; none if it began on the chain.
    began: Option<Began>,
    /// The game at its start: positions hold all its moves.
    start: Found,
    crypto: C,
    /// What the room holds, watched by its sockets. It changes under the lock of this channel alone.
    state: watch::Sender<State>,
    /// Whether somebody has brought a signature by another key: a fork may have another game in its place.
    is_doubtful: AtomicBool,
}

/// How a game by signed terms began here.
struct Began {
    terms: SignedTerms,
    /// When the room was opened, in seconds since 1970.
    since: u64,
    by: Visitor,
}

/// What a room holds. Nothing is ever queued for a socket: each looks here for what is newer than
/// what it has sent.
struct State {
    shown: Shown,
    /// The rematch that is proposed, of a game by signed terms.
    rematch: Option<Rematch>,
    places: Places,
    /// From where each player has joined last.
    players_from: ByPlayer<Option<Visitor>>,
    is_closed: bool,
    /// Number of changes.
    version: u64,
    told: Told,
}

/// Messages to all sockets of the room.
struct Told {
    position: Frame,
    offers: ByPlayer<Frame>,
    present: Frame,
    terms: Frame,
    rematch: Frame,
}

/// A message, encoded once for all sockets.
#[derive(Default)]
struct Frame {
    /// The room's change that made it; 0 if there is nothing to tell.
    version: u64,
    bytes: Bytes,
}

impl State {
    fn frame(&mut self, message: FromRelay) -> Frame {
        self.version += 1;
        Frame {
            version: self.version,
            bytes: message.encode().into(),
        }
    }

    fn show(&mut self, shown: Shown) {
        self.shown = shown;
        self.told.position = self.frame(FromRelay::Position(shown.position));
        self.told.offers = shown.offers.map(|offer| {
            offer.map_or_else(Frame::default, |offer| self.frame(FromRelay::Offer(offer)))
        });
    }

    /// Tells who is there, if that has changed. Returns true for the watchers of the channel: somebody
    /// may have lost its place even so.
    fn set_places(&mut self, change: impl FnOnce(&mut Places)) -> bool {
        let before = self.places.present();
        change(&mut self.places);
        let present = self.places.present();
        if present != before || self.told.present.version == 0 {
            self.told.present = self.frame(FromRelay::Present(present));
        }
        true
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
        let mut state = State {
            shown,
            rematch: None,
            places: Places::default(),
            players_from: ByPlayer::default(),
            is_closed: false,
            version: 0,
            told: Told {
                position: Frame::default(),
                offers: ByPlayer::default(),
                present: Frame::default(),
                terms: Frame::default(),
                rematch: Frame::default(),
            },
        };
        state.show(shown);
        Self {
            number: found.game.number(number),
            began: None,
            start: at_start(found),
            crypto,
            state: watch::Sender::new(state),
            is_doubtful: AtomicBool::new(false),
        }
    }

    #[must_use]
    pub const fn number(&self) -> GameNumber {
        self.number
    }

    /// The terms by which the game began; none if it began on the chain.
    #[must_use]
    pub fn terms(&self) -> Option<&SignedTerms> {
        self.began.as_ref().map(|began| &began.terms)
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
        self.state.borrow().shown
    }

    /// Addresses of the session keys.
    #[must_use]
    pub const fn keys(&self) -> &ByPlayer<Address> {
        &self.start.game.keys
    }

    /// Whether the player with this session key is there, or was. Who is not a player never was.
    #[must_use]
    pub fn attendance(&self, key: &Address) -> Attendance {
        let state = self.state.borrow();
        let present = state.places.present().players;
        let attendance =
            |player: Player| match (present.get(player), state.players_from.get(player)) {
                (true, _) => Attendance::Present,
                (false, Some(_)) => Attendance::Left,
                (false, None) => Attendance::Never,
            };
        let is_of_key = |player: &Player| *self.keys().get(*player) == *key;
        let attendances = Player::ALL.into_iter().filter(is_of_key).map(attendance);
        attendances.max().unwrap_or(Attendance::Never)
    }

    /// Whether what the chain has now is the game that this room is for. Of a game by signed terms its number
    /// tells that.
    #[must_use]
    pub fn is_for(&self, found: &Found) -> bool {
        self.number.on_chain().is_none() || self.start == at_start(found)
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

    /// Has all sockets leave, as another game is in the place of this one.
    pub fn close(&self) {
        self.state.send_modify(|state| state.is_closed = true);
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
        Ok(self.state.send_if_modified(|state| {
            let replaces = replaces(position, &state.shown.position, now);
            if replaces {
                state.show(Shown {
                    position: *position,
                    ..Shown::start()
                });
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
        Ok(self.state.send_if_modified(|state| {
            let is_new = fits(&state.shown) && *state.shown.offers.get(offer.by) != Some(*offer);
            if is_new {
                state.shown.offers[offer.by] = Some(*offer);
                state.told.offers[offer.by] = state.frame(FromRelay::Offer(*offer));
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
    socket: SocketId,
    place: Place,
    visitor: Visitor,
    state: watch::Receiver<State>,
    /// Version of what was sent of each message of [`Told`], the position first.
    sent: [u64; 6],
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
        let mut place = Place::Newcomer;
        room.state.send_if_modified(|state| {
            state.set_places(|places| place = places.enter(socket, visitor, most_watchers))
        });
        Self {
            state: room.state.subscribe(),
            room,
            socket,
            place,
            visitor,
            sent: [0; 6],
        }
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
        let (socket, place, visitor) = (self.socket, self.place, self.visitor);
        self.room.state.send_if_modified(|state| {
            state.players_from[player] = Some(visitor);
            state.set_places(|places| self.place = places.join(socket, place, player))
        });
        Ok(())
    }

    /// Has the position that is held told again.
    pub const fn tell_position(&mut self) {
        let [position, ..] = &mut self.sent;
        *position = 0;
    }

    /// Has the rematch that is proposed told again.
    pub const fn tell_rematch(&mut self) {
        let [.., rematch] = &mut self.sent;
        *rematch = 0;
    }

    /// Why the socket has to leave; none while it may stay.
    #[must_use]
    pub fn is_out(&self) -> Option<Refusal> {
        let state = self.state.borrow();
        if state.is_closed {
            return Some(Refusal::NoSuchGame);
        }
        match state.places.has(self.socket, self.place) {
            true => None,
            false => Some(match self.place {
                Place::Player(_) => Refusal::Replaced,
                Place::Newcomer | Place::Watcher => Refusal::Full,
            }),
        }
    }

    /// Whether it may stay only as a player.
    #[must_use]
    pub fn has_to_join(&self) -> bool {
        self.place == Place::Newcomer
    }

    /// The next frame to send; none if the socket has everything.
    pub fn next_frame(&mut self) -> Option<Bytes> {
        let state = self.state.borrow_and_update();
        let Told {
            position,
            offers: ByPlayer { one, two },
            present,
            terms,
            rematch,
        } = &state.told;
        let [
            of_position,
            of_one,
            of_two,
            of_present,
            of_terms,
            of_rematch,
        ] = &mut self.sent;
        // A watcher needs the terms for all that follows.
        let all = [
            (of_terms, terms),
            (of_position, position),
            (of_one, one),
            (of_two, two),
            (of_present, present),
            (of_rematch, rematch),
        ];
        all.into_iter()
            .find(|(sent, frame)| frame.version > **sent)
            .map(|(sent, frame)| {
                *sent = frame.version;
                frame.bytes.clone()
            })
    }

    /// Waits until the room has changed.
    pub async fn changed(&mut self) {
        // The room is held, so its channel is open.
        let _ = self.state.changed().await;
    }
}

impl<C> Drop for Visit<C> {
    fn drop(&mut self) {
        let (socket, place) = (self.socket, self.place);
        self.room
            .state
            .send_if_modified(|state| state.set_places(|places| places.leave(socket, place)));
    }
}
