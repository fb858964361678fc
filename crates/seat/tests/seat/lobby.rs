//! Players in the real lobby of a relay, and in the rooms of their games, at random.
//!
//! Each has a program (a real [`LobbyVisit`], and later a real seat); what they and the relay send each other is on
//! its way for any time, and is lost with the socket. Players seek, look for an invite, answer what they like,
//! withdraw, vanish and come back; one has two tabs with the same key. A stranger sends what others have sent.
//! Then those who have found each other play, propose rematches, and record their games, more than once.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use codec::{DecodeAll as _, Encode as _};
use connect4_protocol::ClockSpec;
use connect4_protocol::fast::lobby::{
    FromLobby, Invite, NotPaired, SeekId, Side, SignedSeek, ToLobby,
};
use connect4_protocol::fast::{GameNumber, Native, SignedTerms};
use connect4_relay::{Counters, Limits, Lobby, LobbyVisit as Socket, Visitor};
use connect4_rules::{ByPlayer, Player, Shape};
use connect4_seat::{FromVisit, Identity, LobbyEvent, LobbyVisit, Wish};
use connect4_testing::dice::Dice;
use connect4_testing::fast::session_key;
use connect4_testing::terms::DOMAIN;

use crate::counts::{Counts, play_all};
use crate::rooms::{alone, play_out};

/// Walks in every run.
const USUAL: u64 = 300;
const STEPS: usize = 250;
pub const NOW: u64 = 1_800_000_000;
const INVITE: Invite = [7; 16];
/// The first byte of an answer.
const ANSWER: u8 = 3;
const TABS: [usize; 2] = [0, 4];

/// What a player is in the lobby for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    /// The first that fits.
    Play,
    /// Whoever answers, if it is named to them.
    Invites,
    /// The one who invites.
    Joins,
    /// One of the list.
    Chooses,
}

struct Line {
    relay: Socket,
    visit: Option<LobbyVisit>,
    up: VecDeque<Vec<u8>>,
    down: VecDeque<Vec<u8>>,
}

struct Person {
    who: Identity,
    how: How,
    wish: Wish,
    wants: bool,
    line: Option<Line>,
    listed: BTreeMap<SeekId, (SignedSeek, bool)>,
    games: Vec<SignedTerms>,
    /// Whether a socket of this player was lost, or it seeks no more.
    has_vanished: bool,
    /// Whether it has begun to seek on this socket.
    has_said: bool,
}

struct Walk {
    dice: Dice,
    lobby: Arc<Lobby>,
    counters: Counters,
    people: Vec<Person>,
    sockets: u8,
    nonce: u32,
    sent: Vec<Vec<u8>>,
    stranger: Socket,
    counts: Counts,
    log: Vec<String>,
}

fn wish(side: Side, clock: Option<ClockSpec>) -> Wish {
    Wish {
        shape: Shape::STANDARD.into(),
        pie_rule: false,
        pool: 0,
        clock,
        side,
    }
}

impl Walk {
    fn new(seed: u64) -> Self {
        let mut dice = Dice(seed);
        let lobby = Arc::new(Lobby::new(&Limits::default()));
        let sides = [
            Side::Random,
            Side::Random,
            Side::Random,
            Side::First,
            Side::Second,
        ];
        let person = |number: usize| {
            // The last one is another tab of the first.
            let key = if number == TABS[1] { TABS[0] } else { number };
            let how = match number {
                0 | 4 => How::Play,
                _ => dice.one_of(&[How::Play, How::Play, How::Invites, How::Joins, How::Chooses]),
            };
            Person {
                who: Identity::guest(session_key(key as u64)),
                how,
                wish: wish(dice.one_of(&sides), None),
                wants: !TABS.contains(&number) || dice.once_in(2),
                line: None,
                listed: BTreeMap::new(),
                games: Vec::new(),
                has_vanished: false,
                has_said: false,
            }
        };
        let people = (0..5).map(person).collect();
        Self {
            stranger: Socket::new(&lobby, DOMAIN, [0xff; 32], Visitor::Uncounted),
            dice,
            lobby,
            counters: Counters::default(),
            people,
            sockets: 0,
            nonce: 0,
            sent: Vec::new(),
            counts: Counts::new(),
            log: vec![format!("seed {seed}")],
        }
    }

    fn note(&mut self, what: &'static str, detail: &impl core::fmt::Debug) {
        *self.counts.entry(what).or_default() += 1;
        self.log.push(format!("{what} {detail:?}"));
    }

    fn connect(&mut self, at: usize) {
        self.sockets = self.sockets.wrapping_add(1);
        let nonce = [self.sockets; 32];
        let welcome = FromLobby::Welcome {
            nonce,
            chain_id: DOMAIN.chain_id,
            contract: DOMAIN.contract,
            time: NOW,
        };
        let person = &mut self.people[at];
        person.listed.clear();
        person.has_said = false;
        person.line = Some(Line {
            relay: Socket::new(&self.lobby, DOMAIN, nonce, Visitor::Uncounted),
            visit: None,
            up: VecDeque::new(),
            down: VecDeque::from([welcome.encode()]),
        });
        self.note("somebody comes", &at);
    }

    fn send(&mut self, at: usize, message: &impl codec::Encode) {
        let frame = message.encode();
        self.sent.push(frame.clone());
        if let Some(line) = &mut self.people[at].line {
            line.up.push_back(frame);
        }
    }

    /// The relay takes a frame of a player's.
    fn relay_hears(&mut self, at: usize) {
        let Some(line) = &mut self.people[at].line else {
            return;
        };
        let Some(frame) = line.up.pop_front() else {
            return;
        };
        if let Err(refusal) = line.relay.hear(&frame, NOW, &self.counters) {
            let refused = FromLobby::Refused(refusal).encode();
            line.down.push_back(refused);
            assert!(!refusal.closes(), "{refusal:?}\n{}", self.log.join("\n"));
            self.note("the relay refuses", &refusal);
        }
    }

    /// The relay sends a player what there is.
    fn relay_tells(&mut self, at: usize) {
        if let Some(line) = &mut self.people[at].line
            && let Some(frame) = line.relay.next_frame()
        {
            line.down.push_back(frame.to_vec());
        }
    }

    /// A player's program takes a frame, and does what it does by itself.
    fn person_hears(&mut self, at: usize) {
        let person = &mut self.people[at];
        let Some(line) = &mut person.line else {
            return;
        };
        let Some(frame) = line.down.pop_front() else {
            return;
        };
        let message = FromLobby::decode_all(&mut &*frame).expect("a message");
        let Some(visit) = &mut line.visit else {
            line.visit = LobbyVisit::begin(&message);
            let list = ToLobby::List { live: true };
            self.send(at, &list);
            self.act(at);
            return;
        };
        let taken = visit.take(&person.who, message, NOW);
        let FromVisit { event, send } =
            taken.unwrap_or_else(|refusal| panic!("{refusal:?}\n{}", self.log.join("\n")));
        if let Some(sent) = send {
            self.send(at, &sent);
        }
        if let Some(event) = event {
            self.happens(at, event);
        }
        self.act(at);
    }

    fn happens(&mut self, at: usize, event: LobbyEvent) {
        let person = &mut self.people[at];
        match event {
            LobbyEvent::Listed { id, invited, seek } => {
                assert!(
                    !invited || matches!(person.how, How::Joins | How::Invites),
                    "a third sees an invite\n{}",
                    self.log.join("\n")
                );
                if seek.seek.party.key() == person.who.key.address() {
                    assert!(invited, "nobody plays with itself");
                    return;
                }
                person.listed.insert(id, (*seek, invited));
            }
            LobbyEvent::Gone(id) => {
                person.listed.remove(&id);
                let seeks = person.line.as_ref().and_then(|line| line.visit.as_ref());
                let is_seeking = seeks.is_some_and(LobbyVisit::is_seeking);
                if person.has_said && !is_seeking && TABS.contains(&at) && person.wants {
                    // The other tab seeks.
                    person.wants = false;
                    person.has_vanished = true;
                    self.note("a tab gives way", &at);
                }
            }
            LobbyEvent::Cleared => person.listed.clear(),
            LobbyEvent::Complete | LobbyEvent::Busy => {}
            LobbyEvent::Seeking(id) => self.note("a seek is listed", &(at, id)),
            LobbyEvent::Paired(terms) => {
                let is_free = std::mem::take(&mut person.wants);
                person.games.push(*terms);
                let number = terms.terms.number(&DOMAIN, &Native);
                let party = person.who.party();
                let is_own = Player::ALL.map(|player| *terms.terms.players.get(player) == party);
                assert!(is_own.contains(&true), "{}", self.log.join("\n"));
                self.note("paired", &(at, number.to_string()));
                assert!(is_free, "two games by one wish\n{}", self.log.join("\n"));
            }
            LobbyEvent::NotPaired(id, why) => {
                if matches!(why, NotPaired::Taken | NotPaired::Gone) {
                    person.listed.remove(&id);
                }
                let what = match why {
                    NotPaired::Taken => "an answer is taken",
                    NotPaired::Gone => "an answer is gone",
                    NotPaired::Declined => "an answer is declined",
                    NotPaired::Silent => "an answer is silent",
                };
                self.note(what, &(at, id));
            }
        }
    }

    /// What a program does by itself.
    fn act(&mut self, at: usize) {
        self.nonce += 1;
        let nonce = self.nonce;
        let person = &mut self.people[at];
        let Some(visit) = person.line.as_mut().and_then(|line| line.visit.as_mut()) else {
            return;
        };
        if !person.wants {
            return;
        }
        if person.how == How::Joins {
            if !person.has_said {
                person.has_said = true;
                let look = ToLobby::Look(INVITE);
                return self.send(at, &look);
            }
            let found = person.listed.iter().find(|(_, (_, invited))| *invited);
            let found = found.map(|(id, (seek, _))| (*id, *seek));
            if let Some((id, seek)) = found {
                person.listed.remove(&id);
                if let Some(answer) = visit.answer(&person.who, id, &seek, NOW, nonce) {
                    self.send(at, &answer);
                }
            }
            return;
        }
        if person.how == How::Chooses {
            return;
        }
        if !visit.is_seeking() && !visit.is_asking() {
            person.has_said = true;
            let invite = (person.how == How::Invites).then_some(INVITE);
            let mut secret = [0x55; 32];
            secret[..4].copy_from_slice(&nonce.to_le_bytes());
            let seek = visit.seek(&person.who, &person.wish, invite, NOW, secret);
            return self.send(at, &seek);
        }
        if person.how == How::Play {
            let suits = |(id, (seek, _)): &(&SeekId, &(SignedSeek, bool))| {
                visit.suits_own(**id, &seek.seek)
            };
            let found = person.listed.iter().find(suits);
            if let Some((id, seek)) = found.map(|(id, (seek, _))| (*id, *seek))
                && let Some(answer) = visit.answer(&person.who, id, &seek, NOW, nonce)
            {
                self.send(at, &answer);
            }
        }
    }

    /// A player answers something of the list, or a number that it has heard of.
    fn choose(&mut self, at: usize) {
        self.nonce += 1;
        let person = &mut self.people[at];
        let Some(visit) = person.line.as_mut().and_then(|line| line.visit.as_mut()) else {
            return;
        };
        let listed: Vec<_> = person.listed.iter().collect();
        if person.how != How::Chooses || !person.wants || listed.is_empty() {
            return;
        }
        let (id, (seek, _)) = self.dice.one_of(&listed);
        let answer = visit.answer(&person.who, *id, seek, NOW, self.nonce);
        if let Some(answer) = answer {
            self.note("somebody chooses", &at);
            self.send(at, &answer);
        }
    }

    fn vanish(&mut self, at: usize) {
        let person = &mut self.people[at];
        if person.line.take().is_some() {
            person.has_vanished = true;
            self.note("somebody vanishes", &at);
        }
    }

    fn step(&mut self) {
        let at = self.dice.below(self.people.len() as u64) as usize;
        match self.dice.below(40) {
            0 => self.vanish(at),
            1..6 if self.people[at].line.is_none() => self.connect(at),
            6 if self.dice.once_in(3) => {
                let person = &mut self.people[at];
                let line = person.line.as_mut();
                if let Some(visit) = line.and_then(|line| line.visit.as_mut())
                    && visit.is_seeking()
                {
                    person.wants = false;
                    person.has_vanished = true;
                    let withdrawn = visit.withdraw();
                    self.note("somebody withdraws", &at);
                    self.send(at, &withdrawn);
                }
            }
            7 => {
                // Who waits for a seeker loses patience.
                if let Some(line) = &mut self.people[at].line
                    && self.dice.once_in(4)
                {
                    line.relay.give_up();
                }
            }
            8 | 9 => self.choose(at),
            10 if !self.sent.is_empty() => {
                let frame = self.dice.one_of(&self.sent);
                // Answers are shown to the seeker alone.
                if frame.first() != Some(&ANSWER) {
                    let _ = self.stranger.hear(&frame, NOW, &self.counters);
                    while self.stranger.next_frame().is_some() {}
                }
            }
            11..20 => self.relay_hears(at),
            20..30 => self.relay_tells(at),
            _ => self.person_hears(at),
        }
    }

    /// Everything arrives that is on its way, and nobody answers any more who has vanished.
    fn settle(&mut self) {
        self.log.push("everything arrives".into());
        for _ in 0..400 {
            for at in 0..self.people.len() {
                self.relay_hears(at);
                self.relay_tells(at);
                self.person_hears(at);
            }
        }
        for person in &mut self.people {
            if let Some(line) = &mut person.line {
                line.relay.give_up();
            }
        }
        for _ in 0..400 {
            for at in 0..self.people.len() {
                self.relay_hears(at);
                self.relay_tells(at);
                self.person_hears(at);
            }
        }
    }

    fn check(&self) {
        let log = || self.log.join("\n");
        let visits = || {
            let lines = self.people.iter().enumerate();
            lines.filter_map(|(at, person)| {
                Some((at, person, person.line.as_ref()?.visit.as_ref()?))
            })
        };
        let seeking: BTreeSet<_> = visits()
            .filter(|(_, _, visit)| visit.is_seeking())
            .map(|(_, person, _)| person.who.key.address())
            .collect();
        assert_eq!(self.lobby.count(), seeking.len(), "{}", log());
        for (at, person, visit) in visits() {
            assert!(!visit.is_bound(), "{at} waits for nothing\n{}", log());
            let is_idle = person.wants && person.how == How::Play;
            assert!(
                !is_idle || visit.is_seeking(),
                "{at} does not seek\n{}",
                log()
            );
            for (other_at, other, _) in visits() {
                let waits = |person: &Person| person.wants && person.how == How::Play;
                let (Some(own), Some(its)) = (self.seek_of(at), self.seek_of(other_at)) else {
                    continue;
                };
                let is_same = person.who.key.address() == other.who.key.address();
                let (later, seek) = if own.0 > its.0 {
                    (person, its.1)
                } else {
                    (other, own.1)
                };
                let fits = later.wish.fits(&seek.seek, false);
                assert!(
                    is_same || !waits(person) || !waits(other) || !fits,
                    "{at} and {other_at} wait for each other\n{}",
                    log()
                );
            }
        }
        // Nobody sits alone, but whose opponent has lost its socket.
        for person in &self.people {
            for game in &person.games {
                let opponents = self.people.iter().filter(|other| {
                    let party = other.who.party();
                    party != person.who.party()
                        && Player::ALL
                            .iter()
                            .any(|seat| *game.terms.players.get(*seat) == party)
                });
                let mut is_there = false;
                for other in opponents {
                    is_there |= other.has_vanished || other.games.contains(game);
                }
                assert!(is_there, "somebody sits alone\n{}", log());
            }
        }
    }

    /// What a player seeks, and under which number.
    fn seek_of(&self, at: usize) -> Option<(SeekId, SignedSeek)> {
        let visit = self.people[at].line.as_ref()?.visit.as_ref()?;
        let id = visit.own()?;
        let listed = self.people.iter().find_map(|other| other.listed.get(&id));
        listed.map(|(seek, _)| (id, *seek))
    }

    /// Plays the games, and records them.
    fn play(mut self) -> Counts {
        let mut games: BTreeMap<GameNumber, (SignedTerms, BTreeSet<usize>)> = BTreeMap::new();
        for (at, person) in self.people.iter().enumerate() {
            for game in &person.games {
                let number = game.terms.number(&DOMAIN, &Native);
                let entry = games.entry(number).or_insert((*game, BTreeSet::new()));
                entry.1.insert(at);
            }
        }
        for (terms, who) in games.into_values() {
            let keys = terms.terms.players.map(|party| {
                let found = who.iter().map(|at| &self.people[*at].who.key);
                let mut found = found.filter(|key| key.address() == party.key());
                found.next().cloned()
            });
            match keys {
                ByPlayer {
                    one: Some(one),
                    two: Some(two),
                } => {
                    self.note("a game is played", &());
                    let keys = ByPlayer { one, two };
                    let next = play_out(&mut self.dice, &terms, &keys, &self.log);
                    if let Some(next) = next {
                        self.note("a rematch is played", &());
                        let ByPlayer { one, two } = keys;
                        let exchanged = ByPlayer { one: two, two: one };
                        play_out(&mut self.dice, &next, &exchanged, &self.log);
                    }
                }
                keys => {
                    self.note("somebody sits alone", &());
                    alone(&terms, &keys);
                }
            }
        }
        self.counts
    }
}

#[test]
fn whoever_seeks_finds_one_game_and_plays_it() {
    let wanted = [
        "paired",
        "a game is played",
        "a rematch is played",
        "somebody sits alone",
        "somebody vanishes",
        "somebody chooses",
        "somebody withdraws",
        "a tab gives way",
        "an answer is taken",
        "an answer is gone",
        "an answer is declined",
        "an answer is silent",
    ];
    play_all(USUAL, &wanted, |seed| {
        let mut walk = Walk::new(seed);
        for _ in 0..STEPS {
            walk.step();
        }
        walk.settle();
        walk.check();
        for person in &mut walk.people {
            person.line = None;
        }
        assert_eq!(walk.lobby.count(), 0, "{}", walk.log.join("\n"));
        walk.play()
    });
}
