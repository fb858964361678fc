//! Two honest players finish each game behind the relay's real room, whatever the network and the relay do,
//! and agree on how it ended.

use std::sync::Arc;

use connect4_protocol::fast::Evidence;
use connect4_protocol::fast::wire::{FromRelay, Offer, Refusal, read};
use connect4_protocol::{End, Error};
use connect4_relay::{Room, SocketId, Visit};
use connect4_rules::{Player, Shape};
use connect4_seat::SeatError;
use connect4_testing::dice::Dice;

use crate::counts::{Counts, play_all};
use crate::world::{Audit, Chain, Disk, TestSeat, drop, enter, press, room, seat};

/// Sequences in every run.
const USUAL: u64 = 1_000;
/// Seconds of the chain until a game has to have ended.
const LIMIT: u32 = 3_000;
/// Seconds without an answer after which a player presses.
const PATIENCE: u32 = 12;

#[derive(Clone, Copy)]
enum Message {
    Position(Evidence),
    Offer(Offer),
}

/// A player whose program may be killed, and its socket at the relay.
struct Honest {
    disk: Disk,
    seat: TestSeat,
    visit: Visit,
    waits: u32,
}

struct World {
    dice: Dice,
    chain: Chain,
    players: [Honest; 2],
    room: Arc<Room>,
    last_socket: SocketId,
    /// Messages on their way to the room, and all that there ever were.
    sent: Vec<Message>,
    kept: Vec<Message>,
    audit: Audit,
    counts: Counts,
    /// Of so many messages one arrives in a second, and of so many one is lost.
    pace: u64,
    loss: u64,
    /// Whether nothing arrives any more.
    is_silent: bool,
}

impl World {
    fn new(seed: u64) -> Self {
        let mut dice = Dice(seed);
        let shape = dice.one_of(&[Shape::CLASSROOM, Shape::STANDARD]);
        let chain = Chain::new(shape);
        let room = room(chain.game);
        let mut last_socket = 0;
        let players = Player::ALL.map(|player| {
            let disk = Disk::default();
            last_socket += 1;
            Honest {
                seat: seat(player, &disk, &chain),
                disk,
                visit: enter(&room, last_socket, player),
                waits: 0,
            }
        });
        Self {
            pace: 1 + dice.below(4),
            loss: 2 + dice.below(8),
            dice,
            chain,
            players,
            room,
            last_socket,
            sent: Vec::new(),
            kept: Vec::new(),
            audit: Audit::default(),
            counts: Counts::new(),
            is_silent: false,
        }
    }

    fn count(&mut self, what: &'static str) {
        *self.counts.entry(what).or_default() += 1;
    }

    fn send(&mut self, message: Message) {
        if let Message::Position(evidence) = &message {
            self.audit.see(evidence, &Player::ALL);
        }
        self.kept.push(message);
        let times = match self.dice.below(self.loss) {
            0 => 0,
            1 => 2,
            _ => 1,
        };
        for _ in 0..times {
            self.sent.push(message);
        }
    }

    /// A message comes to the room, not necessarily the oldest. At times the relay begins anew.
    fn pass_on(&mut self) {
        if self.dice.once_in(300) {
            self.count("new room");
            self.room = room(self.chain.game);
            for of in 0..2 {
                self.connect(of);
            }
        }
        if self.sent.is_empty() || !self.dice.once_in(self.pace) {
            return;
        }
        let place = self.dice.below(self.sent.len() as u64) as usize;
        match self.sent.swap_remove(place) {
            Message::Position(evidence) => {
                let taken = self.room.take(&evidence, self.chain.now);
                taken.expect("an honest player has signed it");
            }
            Message::Offer(offer) => {
                let taken = self.room.offer(&offer, self.chain.now);
                assert!(
                    matches!(taken, Ok(_) | Err(Refusal::OtherPosition)),
                    "{taken:?}"
                );
            }
        }
    }

    /// A program opens another socket.
    fn connect(&mut self, of: usize) {
        self.last_socket += 1;
        self.players[of].visit = enter(&self.room, self.last_socket, Player::ALL[of]);
    }

    /// A program receives what the room shows next, or what the relay has kept.
    fn deliver(&mut self, to: usize) {
        if self.is_silent || !self.dice.once_in(self.pace) {
            return;
        }
        let message = if self.dice.once_in(20) && !self.kept.is_empty() {
            self.count("kept");
            self.dice.one_of(&self.kept)
        } else {
            let frame = self.players[to].visit.next_frame();
            match frame.and_then(|frame| read(&frame)) {
                Some(FromRelay::Position(evidence)) => Message::Position(evidence),
                Some(FromRelay::Offer(offer)) => Message::Offer(offer),
                _ => return,
            }
        };
        let before = *self.players[to].seat.evidence();
        match message {
            Message::Position(evidence) => {
                let received = self.players[to].seat.receive(&evidence);
                received.expect("an honest player has signed it");
                if *self.players[to].seat.evidence() != before {
                    self.players[to].waits = 0;
                }
                // An end that this seat has agreed to has to be told, and so has what the room does not
                // have.
                let now = *self.players[to].seat.evidence();
                if now != evidence {
                    self.send(Message::Position(now));
                }
            }
            Message::Offer(offer) => {
                let received = self.players[to].seat.receive_offer(&offer);
                assert!(
                    matches!(received, Ok(_) | Err(SeatError::Refused(Error::NoOffer))),
                    "{received:?}"
                );
            }
        }
    }

    /// The program is killed, and started again.
    fn crash(&mut self, of: usize) {
        self.count("crash");
        self.connect(of);
        let player = &mut self.players[of];
        player.seat = seat(Player::ALL[of], &player.disk, &self.chain);
        player.waits = PATIENCE;
    }

    fn act(&mut self, who: usize) {
        let (game, now) = (self.chain.game, self.chain.now);
        self.players[who].seat.see(game, now);
        self.deliver(who);
        if let Some(duty) = self.players[who].seat.duty() {
            self.count("duty");
            self.chain.perform(&duty).expect("nobody was faster");
            self.players[who].seat.see(self.chain.game, now);
        }
        if self.chain.game.is_final() {
            return;
        }
        let is_killed = self.dice.once_in(60);
        let player = &mut self.players[who];
        let latest = player.seat.latest();
        let mut sent = None;
        if self.dice.once_in(150) && !latest.is_over() {
            sent = player.seat.resign().ok().map(Message::Position);
            self.count("resign");
        } else if self.dice.once_in(40)
            && let Ok(offer) = player.seat.offer_draw(now + 60)
        {
            sent = Some(Message::Offer(offer));
            self.count("offer");
        } else if player.seat.offer().is_some() && self.dice.once_in(6) {
            let draw = player.seat.accept_draw().expect("there is an offer");
            sent = Some(Message::Position(draw));
            self.count("draw");
        } else if latest.to_move() == Some(player.seat.player()) && self.dice.once_in(2) {
            let bins: Vec<u8> = latest
                .shape()
                .iter_bins()
                .filter(|bin| latest.position().drop(*bin).is_ok())
                .map(connect4_rules::Bin::index)
                .collect();
            let bin = self.dice.one_of(&bins);
            match drop(&mut player.seat, &mut self.chain, bin) {
                Ok(evidence) => {
                    sent = evidence.map(Message::Position);
                    player.waits = 0;
                    self.count(match evidence {
                        Some(_) => "signed",
                        None => "dropped",
                    });
                }
                // Its move was made on the chain before the opponent's position came.
                Err(SeatError::Bound(bin)) => {
                    let again = drop(&mut player.seat, &mut self.chain, bin);
                    sent = again.expect("the same").map(Message::Position);
                    self.count("bound");
                }
                Err(error) => panic!("{error}"),
            }
        } else {
            player.waits += 1;
            if player.waits.is_multiple_of(4) {
                sent = Some(Message::Position(*player.seat.evidence()));
            }
            if player.waits > PATIENCE
                && let Ok(pressed) = player.seat.press()
            {
                press(&mut self.chain, Player::ALL[who], &pressed).expect("it may");
                self.count("press");
            } else if player.waits > PATIENCE
                && let Some(end) = player.seat.settlement()
            {
                // Both have resigned, and neither has heard of it.
                self.chain.advance(&end, None).expect("signed");
                self.count("settle");
            }
        }
        if is_killed {
            // What was signed may be lost, or sent just before.
            if self.dice.once_in(2)
                && let Some(sent) = sent
            {
                self.send(sent);
            }
            self.crash(who);
        } else if let Some(sent) = sent {
            self.send(sent);
        }
    }

    fn play(mut self) -> Counts {
        for second in 0..LIMIT {
            self.chain.now += 1;
            if self.dice.once_in(400) {
                self.is_silent = true;
                self.count("silence");
            }
            self.pass_on();
            let first = self.dice.below(2) as usize;
            for who in [first, 1 - first] {
                self.act(who);
                if self.chain.game.is_final() {
                    let end = self.chain.game.game.end().expect("it is over");
                    self.check_end(end);
                    return self.counts;
                }
            }
            assert!(
                second + 1 < LIMIT,
                "the game does not end: {:?}\n{:?}",
                self.chain.game,
                self.players.each_ref().map(|player| player.seat.journal())
            );
        }
        self.counts
    }

    fn check_end(&mut self, end: End) {
        self.count(match end {
            End::Line => "by a line",
            End::FullBoard => "by a full board",
            End::Resignation => "by resignation",
            End::Agreement => "by agreement",
            end => panic!("both have answered in time: {end:?}"),
        });
        let game = self.chain.game.game;
        for player in &mut self.players {
            player.seat.see(self.chain.game, self.chain.now);
            assert_eq!(player.seat.latest(), game);
            assert_eq!(player.seat.duty(), None);
        }
    }
}

#[test]
fn two_honest_players_finish_each_game() {
    let wanted = [
        "crash",
        "duty",
        "resign",
        "offer",
        "draw",
        "signed",
        "dropped",
        "press",
        "silence",
        "kept",
        "new room",
        "by a line",
        "by resignation",
        "by agreement",
    ];
    play_all(USUAL, &wanted, |seed| World::new(seed).play());
}
