//! Who is in a room.

use connect4_protocol::fast::wire::Present;
use connect4_rules::{ByPlayer, Player};

/// Sockets of one player in one room, as of several programs that guard the game. One more takes the
/// place of the oldest.
const OF_PLAYER: usize = 4;
/// Sockets that may join as players while the room has no place for watchers.
const NEWCOMERS: usize = 8;

/// Number of a socket, never 0.
pub type SocketId = u64;

/// What a socket is in its room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Somebody who watches, or a player who has not joined yet.
    Watcher,
    /// Somebody for whom there is no place, unless it joins as a player.
    Newcomer,
    /// A player.
    Player(Player),
}

/// The places of a room. Watchers cannot keep a player out: there is always a place for another
/// newcomer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Places {
    players: ByPlayer<Ring<OF_PLAYER>>,
    newcomers: Ring<NEWCOMERS>,
    watchers: u16,
}

impl Places {
    /// Gives a socket a place, among so many watchers.
    pub fn enter(&mut self, socket: SocketId, most_watchers: u16) -> Place {
        if self.watchers < most_watchers {
            self.watchers += 1;
            Place::Watcher
        } else {
            self.newcomers.push(socket);
            Place::Newcomer
        }
    }

    /// Makes a socket a player's.
    pub fn join(&mut self, socket: SocketId, place: Place, player: Player) -> Place {
        let joined = Place::Player(player);
        if place != joined {
            self.leave(socket, place);
            self.players[player].push(socket);
        }
        joined
    }

    /// Frees the place of a socket.
    pub fn leave(&mut self, socket: SocketId, place: Place) {
        match place {
            Place::Watcher => self.watchers = self.watchers.saturating_sub(1),
            Place::Newcomer => self.newcomers.remove(socket),
            Place::Player(player) => self.players[player].remove(socket),
        }
    }

    /// Whether a socket still has its place, or others have taken it.
    pub fn has(&self, socket: SocketId, place: Place) -> bool {
        match place {
            Place::Watcher => true,
            Place::Newcomer => self.newcomers.has(socket),
            Place::Player(player) => self.players.get(player).has(socket),
        }
    }

    /// What is told of it.
    pub fn present(&self) -> Present {
        Present {
            players: self.players.map(|sockets| !sockets.is_empty()),
            watchers: self.watchers,
        }
    }
}

/// The newest few sockets, oldest first; 0 where there is none.
#[derive(Clone, Copy, Debug)]
struct Ring<const N: usize>([SocketId; N]);

impl<const N: usize> Default for Ring<N> {
    fn default() -> Self {
        Self([0; N])
    }
}

impl<const N: usize> Ring<N> {
    fn push(&mut self, socket: SocketId) {
        if !self.has(0) {
            self.0.rotate_left(1);
            if let Some(last) = self.0.last_mut() {
                *last = 0;
            }
        }
        if let Some(place) = self.0.iter_mut().find(|place| **place == 0) {
            *place = socket;
        }
    }

    fn remove(&mut self, socket: SocketId) {
        if let Some(at) = self.0.iter().position(|&other| other == socket) {
            // The free places stay behind the others.
            if let Some(tail) = self.0.get_mut(at..) {
                tail.rotate_left(1);
            }
            if let Some(last) = self.0.last_mut() {
                *last = 0;
            }
        }
    }

    fn has(&self, socket: SocketId) -> bool {
        self.0.contains(&socket)
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(|&socket| socket == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_finds_a_place_in_a_room_full_of_watchers() {
        let mut places = Places::default();
        assert_eq!(places.enter(1, 2), Place::Watcher);
        assert_eq!(places.enter(2, 2), Place::Watcher);
        assert_eq!(places.enter(3, 2), Place::Newcomer);
        let joined = places.join(3, Place::Newcomer, Player::One);
        assert_eq!(joined, Place::Player(Player::One));
        assert!(places.has(3, joined));
        assert!(!places.has(3, Place::Newcomer), "that place is free again");
        let present = places.present();
        assert_eq!(present.watchers, 2);
        assert!(present.players.one && !present.players.two);
    }

    #[test]
    fn newcomers_make_place_for_newcomers() {
        let mut places = Places::default();
        for socket in 1..=9 {
            assert_eq!(places.enter(socket, 0), Place::Newcomer);
        }
        assert!(!places.has(1, Place::Newcomer), "the oldest");
        for socket in 2..=9 {
            assert!(places.has(socket, Place::Newcomer), "{socket}");
        }
        assert_eq!(places.present(), Present::default());
    }

    #[test]
    fn a_player_has_a_few_sockets_of_which_the_newest_stay() {
        let mut places = Places::default();
        for socket in 1..=6 {
            let place = places.enter(socket, 1);
            places.join(socket, place, Player::Two);
            places.join(socket, Place::Player(Player::Two), Player::Two);
        }
        let place = Place::Player(Player::Two);
        let still: Vec<_> = (1..=6)
            .filter(|&socket| places.has(socket, place))
            .collect();
        assert_eq!(still, [3, 4, 5, 6]);
        for socket in [4, 3, 6] {
            places.leave(socket, place);
        }
        assert!(places.present().players.two);
        // Somebody whose place was taken leaves.
        places.leave(1, place);
        assert!(places.present().players.two);
        places.leave(5, place);
        assert_eq!(places.present(), Present::default());
    }
}
