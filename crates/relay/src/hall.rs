//! Who is in a room, and what all in it are told.

use axum::body::Bytes;
use codec::Encode;
use connect4_protocol::signed::GameNumber;
use connect4_protocol::signed::relay::{Present, Refusal};
use connect4_rules::{ByPlayer, Player};
use tokio::sync::watch;

use crate::places::{Place, Places, SocketId};
use crate::visitor::Visitor;

/// The sockets of a room, and `N` messages to them, of which each is told in its newest form. Nothing is ever queued for
/// a socket: each looks here for what is newer than what it has sent.
pub struct Hall<T, const N: usize>(watch::Sender<State<T, N>>);

/// What a hall holds. It changes under the lock of its channel alone.
pub struct State<T, const N: usize> {
    pub held: T,
    places: Places,
    /// From where each player has joined last.
    players_from: ByPlayer<Option<Visitor>>,
    is_closed: bool,
    /// Number of changes.
    version: u64,
    /// The messages, in the order in which they are told.
    frames: [Frame; N],
    /// Which of them says who is there, and how it is written.
    present: (usize, fn(Present) -> Vec<u8>),
}

/// A message, encoded once for all sockets.
#[derive(Default)]
struct Frame {
    /// The change that made it; 0 if there is nothing to tell.
    version: u64,
    bytes: Bytes,
}

/// A room among others.
pub trait Hosted {
    fn number(&self) -> GameNumber;

    /// Whether its game has ended. `now` is in seconds since 1970.
    fn has_ended(&self, now: u64) -> bool;

    /// Has all sockets leave.
    fn close(&self);
}

impl<T, const N: usize> State<T, N> {
    /// Tells all a message, in the place of the one that was told there before.
    pub fn tell(&mut self, at: usize, message: &impl Encode) {
        self.set(at, message.encode());
    }

    /// Tells it no more.
    pub fn hush(&mut self, at: usize) {
        if let Some(frame) = self.frames.get_mut(at) {
            *frame = Frame::default();
        }
    }

    /// Whether there is such a message.
    pub fn tells(&self, at: usize) -> bool {
        self.frames.get(at).is_some_and(|frame| frame.version > 0)
    }

    /// Tells all the same again. Returns whether there is such a message.
    pub fn tell_again(&mut self, at: usize) -> bool {
        let is_told = self.tells(at);
        if let Some(frame) = self.frames.get_mut(at).filter(|_| is_told) {
            self.version += 1;
            frame.version = self.version;
        }
        is_told
    }

    fn set(&mut self, at: usize, bytes: Vec<u8>) {
        self.version += 1;
        if let Some(frame) = self.frames.get_mut(at) {
            frame.version = self.version;
            frame.bytes = bytes.into();
        }
    }

    /// Tells who is there, if that has changed. Returns true for the watchers of the channel: somebody
    /// may have lost its place even so.
    fn set_places(&mut self, change: impl FnOnce(&mut Places)) -> bool {
        let before = self.places.present();
        change(&mut self.places);
        let present = self.places.present();
        let (at, write) = self.present;
        let is_told = self.tells(at);
        if present != before || !is_told {
            self.set(at, write(present));
        }
        true
    }
}

impl<T, const N: usize> Hall<T, N> {
    /// A hall in which nobody is. Who is there is told as the message of this number.
    pub fn new(held: T, present: (usize, fn(Present) -> Vec<u8>)) -> Self {
        Self(watch::Sender::new(State {
            held,
            places: Places::default(),
            players_from: ByPlayer::default(),
            is_closed: false,
            version: 0,
            frames: std::array::from_fn(|_| Frame::default()),
            present,
        }))
    }

    /// Reads what is held.
    pub fn read<R>(&self, read: impl FnOnce(&T) -> R) -> R {
        read(&self.0.borrow().held)
    }

    /// Changes what is held or told. Returns whether it has changed, as `change` says.
    pub fn change(&self, change: impl FnOnce(&mut State<T, N>) -> bool) -> bool {
        self.0.send_if_modified(change)
    }

    /// Has all sockets leave, as another game is in the place of this one.
    pub fn close(&self) {
        self.0.send_modify(|state| state.is_closed = true);
    }

    /// Whether each player is there now.
    pub fn present(&self) -> ByPlayer<bool> {
        self.0.borrow().places.present().players
    }

    /// From where each player has joined last; none of one who has not.
    pub fn players_from(&self) -> ByPlayer<Option<Visitor>> {
        self.0.borrow().players_from
    }

    /// A place for a socket, among so many watchers.
    pub fn enter(&self, visitor: Visitor, socket: SocketId, most_watchers: u16) -> Seat<T, N> {
        let mut place = Place::Newcomer;
        self.0.send_if_modified(|state| {
            state.set_places(|places| place = places.enter(socket, visitor, most_watchers))
        });
        Seat {
            hall: self.0.clone(),
            state: self.0.subscribe(),
            socket,
            place,
            visitor,
            sent: [0; N],
        }
    }
}

/// A socket in a hall, until it is dropped.
pub struct Seat<T, const N: usize> {
    hall: watch::Sender<State<T, N>>,
    state: watch::Receiver<State<T, N>>,
    socket: SocketId,
    place: Place,
    visitor: Visitor,
    /// Version of what was sent of each message.
    sent: [u64; N],
}

impl<T, const N: usize> Seat<T, N> {
    /// Takes the place of a player.
    pub fn join(&mut self, player: Player) {
        let (socket, place, visitor) = (self.socket, self.place, self.visitor);
        self.hall.send_if_modified(|state| {
            state.players_from[player] = Some(visitor);
            state.set_places(|places| self.place = places.join(socket, place, player))
        });
    }

    /// Whether it has the place of this player.
    pub fn has_joined(&self, player: Player) -> bool {
        self.place == Place::Player(player)
    }

    /// Has a message told to this socket again.
    pub fn tell_again(&mut self, at: usize) {
        if let Some(sent) = self.sent.get_mut(at) {
            *sent = 0;
        }
    }

    /// Why the socket has to leave; none while it may stay. `closed` is the reason if the hall is closed.
    pub fn is_out(&self, closed: Refusal) -> Option<Refusal> {
        let state = self.state.borrow();
        if state.is_closed {
            return Some(closed);
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
    pub fn has_to_join(&self) -> bool {
        self.place == Place::Newcomer
    }

    /// The next frame to send; none if the socket has everything.
    pub fn next_frame(&mut self) -> Option<Bytes> {
        let state = self.state.borrow_and_update();
        let mut all = self.sent.iter_mut().zip(&state.frames);
        let (sent, frame) = all.find(|(sent, frame)| frame.version > **sent)?;
        *sent = frame.version;
        Some(frame.bytes.clone())
    }

    /// Waits until the hall has changed.
    pub async fn changed(&mut self) {
        // The hall is held, so its channel is open.
        let _ = self.state.changed().await;
    }
}

impl<T, const N: usize> Drop for Seat<T, N> {
    fn drop(&mut self) {
        let (socket, place) = (self.socket, self.place);
        self.hall
            .send_if_modified(|state| state.set_places(|places| places.leave(socket, place)));
    }
}
