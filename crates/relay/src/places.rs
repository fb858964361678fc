//! Who is in a room.

use std::collections::HashMap;

use connect4_protocol::signed::relay::Present;
use connect4_rules::{ByPlayer, Player};
use ipnet::IpNet;

use crate::visitor::Visitor;

/// Sockets of one player in one room, as of several programs that guard the game. One more takes the
/// place of the oldest.
const OF_PLAYER: usize = 4;
/// Sockets that may join as players while the room has no place for watchers.
const NEWCOMERS: usize = 32;

/// Number of a socket, never 0.
pub type SocketId = u64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Somebody who watches, or a player who has not joined yet.
    Watcher,
    /// Somebody for whom there is no place, unless it joins as a player.
    Newcomer,
    Player(Player),
}

/// The places of a room. Watchers cannot keep a player out: there is always a place for another
/// newcomer, and an address that takes many of these places loses its own. Nor can a few addresses keep other watchers
/// out, of whom one may guard the game.
#[derive(Clone, Debug, Default)]
pub struct Places {
    players: ByPlayer<Ring<OF_PLAYER>>,
    newcomers: Crowd,
    watchers: Crowd,
}

impl Places {
    /// Gives a visitor's socket a place, among so many watchers.
    pub fn enter(&mut self, socket: SocketId, visitor: Visitor, most_watchers: u16) -> Place {
        let has_place = self.watchers.0.len() < usize::from(most_watchers);
        if has_place || self.watchers.make_place(visitor) {
            self.watchers.0.push((socket, visitor));
            Place::Watcher
        } else {
            self.newcomers.push(socket, visitor, NEWCOMERS);
            Place::Newcomer
        }
    }

    pub fn join(&mut self, socket: SocketId, place: Place, player: Player) -> Place {
        let joined = Place::Player(player);
        if place != joined {
            self.leave(socket, place);
            self.players[player].push(socket);
        }
        joined
    }

    pub fn leave(&mut self, socket: SocketId, place: Place) {
        match place {
            Place::Watcher => self.watchers.remove(socket),
            Place::Newcomer => self.newcomers.remove(socket),
            Place::Player(player) => self.players[player].remove(socket),
        }
    }

    /// Whether a socket still has its place, or others have taken it.
    pub fn has(&self, socket: SocketId, place: Place) -> bool {
        match place {
            Place::Watcher => self.watchers.has(socket),
            Place::Newcomer => self.newcomers.has(socket),
            Place::Player(player) => self.players.get(player).has(socket),
        }
    }

    pub fn present(&self) -> Present {
        Present {
            players: self.players.map(|sockets| !sockets.is_empty()),
            // No more than were let in.
            watchers: u16::try_from(self.watchers.0.len()).unwrap_or(u16::MAX),
        }
    }
}

/// A few sockets with their visitors, oldest first.
#[derive(Clone, Debug, Default)]
struct Crowd(Vec<(SocketId, Visitor)>);

impl Crowd {
    /// Adds a socket. One more than so many takes the place of the oldest of the address that has most.
    fn push(&mut self, socket: SocketId, visitor: Visitor, most: usize) {
        self.0.push((socket, visitor));
        if self.0.len() > most {
            let taken = Taken::by(&self.0);
            // The last one of several that are equal is taken, so the newest come first.
            let newest_first = self.0.iter().rev();
            let most = newest_first.max_by_key(|(_, visitor)| taken.of(*visitor));
            if let Some(&(socket, _)) = most {
                self.remove(socket);
            }
        }
    }

    /// Removes the newest socket of the address that has most, if that has more than this visitor's with one more. Returns
    /// whether it has.
    fn make_place(&mut self, visitor: Visitor) -> bool {
        let mut taken = Taken::by(&self.0);
        let oldest_first = self.0.iter();
        let most = oldest_first.max_by_key(|(_, visitor)| taken.of(*visitor));
        let Some(&(socket, crowded)) = most else {
            return false;
        };
        let has = taken.of(crowded);
        taken.add(visitor);
        let has_more = has > taken.of(visitor);
        if has_more {
            self.remove(socket);
        }
        has_more
    }

    fn remove(&mut self, socket: SocketId) {
        self.0.retain(|(other, _)| *other != socket);
    }

    fn has(&self, socket: SocketId) -> bool {
        self.0.iter().any(|(other, _)| *other == socket)
    }
}

/// How many places the networks of visitors have.
struct Taken(HashMap<IpNet, u32>);

impl Taken {
    fn by(visitors: &[(SocketId, Visitor)]) -> Self {
        let mut taken = Self(HashMap::new());
        for (_, visitor) in visitors {
            taken.add(*visitor);
        }
        taken
    }

    fn add(&mut self, visitor: Visitor) {
        for (network, _) in visitor.networks() {
            let count = self.0.entry(network).or_default();
            *count = count.saturating_add(1);
        }
    }

    /// How much of the places the visitor's address has, or one of its networks for its share. A visitor who is not counted
    /// is one address more.
    fn of(&self, visitor: Visitor) -> u32 {
        let taken = visitor.networks().map(|(network, share)| {
            let count = self.0.get(&network).copied().unwrap_or(0);
            count.saturating_mul(Visitor::WIDEST_SHARE / share)
        });
        taken.max().unwrap_or(Visitor::WIDEST_SHARE)
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
    use std::net::IpAddr;

    use super::*;

    const HERE: Visitor = Visitor::Uncounted;

    fn at(text: &str) -> Visitor {
        text.parse::<IpAddr>().unwrap().into()
    }

    #[test]
    fn a_player_finds_a_place_in_a_room_full_of_watchers() {
        let mut places = Places::default();
        assert_eq!(places.enter(1, HERE, 2), Place::Watcher);
        assert_eq!(places.enter(2, HERE, 2), Place::Watcher);
        assert_eq!(places.enter(3, HERE, 2), Place::Newcomer);
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
        let most = NEWCOMERS as SocketId;
        for socket in 1..=most + 1 {
            assert_eq!(places.enter(socket, HERE, 0), Place::Newcomer);
        }
        assert!(!places.has(1, Place::Newcomer), "the oldest");
        for socket in 2..=most + 1 {
            assert!(places.has(socket, Place::Newcomer), "{socket}");
        }
        assert_eq!(places.present(), Present::default());
    }

    #[test]
    fn an_address_with_many_newcomers_takes_no_place_of_another() {
        let strangers = |attackers: &[String]| {
            let mut places = Places::default();
            places.enter(1, at("198.51.100.1"), 0);
            places.enter(2, at("2001:db8:ffff::1"), 0);
            places.enter(3, HERE, 0);
            let all = attackers.iter().cycle().zip(4..200);
            for (attacker, socket) in all {
                places.enter(socket, at(attacker), 0);
                assert!(places.has(socket, Place::Newcomer), "{attacker}");
            }
            [1, 2, 3].map(|socket| places.has(socket, Place::Newcomer))
        };
        let of_ipv4 = |count| (0..count).map(|last| format!("192.0.2.{last}"));
        for count in [1, 3, 16] {
            let attackers: Vec<_> = of_ipv4(count).collect();
            assert_eq!(strangers(&attackers), [true; 3], "{count}");
        }
        // As many addresses as places are not told from as many players.
        let attackers: Vec<_> = of_ipv4(NEWCOMERS).collect();
        assert_eq!(strangers(&attackers), [false; 3]);
        let networks = |step: u32| (0..64).map(move |at| format!("2001:db8:0:{:x}::1", at * step));
        for step in [1, 0x100] {
            let attackers: Vec<_> = networks(step).collect();
            assert_eq!(
                strangers(&attackers),
                [true; 3],
                "networks of one of 48 bits"
            );
        }
    }

    /// One address with as many watchers as a room takes kept all others out, of whom one may guard the game.
    #[test]
    fn an_address_with_many_watchers_keeps_no_other_one_out() {
        for attackers in [&["192.0.2.1"][..], &["192.0.2.1", "192.0.2.2", "192.0.2.3"]] {
            let mut places = Places::default();
            let all = attackers.iter().cycle().zip(1..=8);
            for (attacker, socket) in all {
                assert_eq!(places.enter(socket, at(attacker), 8), Place::Watcher);
            }
            assert_eq!(places.enter(9, at(attackers[0]), 8), Place::Newcomer);
            assert_eq!(places.enter(10, at("198.51.100.1"), 8), Place::Watcher);
            assert_eq!(places.present().watchers, 8);
            let out = (1..=8).filter(|&socket| !places.has(socket, Place::Watcher));
            assert_eq!(out.count(), 1);
            assert!(places.has(1, Place::Watcher), "the oldest stays");
            // It stays whatever they do.
            for (attacker, socket) in attackers.iter().cycle().zip(11..100) {
                places.enter(socket, at(attacker), 8);
                assert!(places.has(10, Place::Watcher), "{socket}");
            }
        }
        // Of addresses that have one place each nobody loses it.
        let mut places = Places::default();
        for (socket, visitor) in [(1, "192.0.2.1"), (2, "192.0.2.2")] {
            places.enter(socket, at(visitor), 2);
        }
        assert_eq!(places.enter(3, at("192.0.2.3"), 2), Place::Newcomer);
        assert_eq!(places.enter(4, HERE, 2), Place::Newcomer);
        assert!(places.has(1, Place::Watcher) && places.has(2, Place::Watcher));
    }

    #[test]
    fn a_player_has_a_few_sockets_of_which_the_newest_stay() {
        let mut places = Places::default();
        for socket in 1..=6 {
            let place = places.enter(socket, HERE, 1);
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
