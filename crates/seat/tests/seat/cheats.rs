//! One honest player against an opponent who does all that its signatures allow, and who decides which
//! messages arrive. The honest player never ends worse than by the latest position that it held.

use connect4_protocol::fast::wire::Offer;
use connect4_protocol::fast::{Ending, Evidence, Kind};
use connect4_protocol::{End, Error, Game};
use connect4_rules::{Bin, Player, Shape};
use connect4_testing::dice::Dice;

use crate::counts::{Counts, play_all};
use crate::world::{Audit, Chain, Disk, TestSeat, drop, forge, press, seat};

/// Sequences in every run.
const USUAL: u64 = 1_000;
/// Seconds of the chain until a game has to have ended: the honest player presses.
const LIMIT: u32 = 4_000;
const PATIENCE: u32 = 8;

struct World {
    dice: Dice,
    chain: Chain,
    disk: Disk,
    seat: TestSeat,
    waits: u32,
    /// All that the cheat has: what the honest player sent, and what it has made of it.
    known: Vec<Evidence>,
    /// Offers of the honest player.
    offers: Vec<Offer>,
    cheat: Player,
    audit: Audit,
    counts: Counts,
}

impl World {
    fn new(seed: u64) -> Self {
        let mut dice = Dice(seed);
        let shape = dice.one_of(&[Shape::CLASSROOM, Shape::STANDARD]);
        let chain = Chain::new(shape);
        let cheat = dice.one_of(&Player::ALL);
        let disk = Disk::default();
        Self {
            seat: seat(cheat.opponent(), &disk, &chain),
            dice,
            chain,
            disk,
            waits: 0,
            known: vec![Evidence::start()],
            offers: Vec::new(),
            cheat,
            audit: Audit::default(),
            counts: Counts::new(),
        }
    }

    fn count(&mut self, what: &'static str) {
        *self.counts.entry(what).or_default() += 1;
    }

    fn learn(&mut self, evidence: Evidence) {
        let honest = self.cheat.opponent();
        self.audit.see(&evidence, &[honest]);
        self.known.push(evidence);
    }

    fn legal(game: &Game) -> Vec<Bin> {
        game.shape()
            .iter_bins()
            .filter(|bin| game.position().drop(*bin).is_ok())
            .collect()
    }

    /// A position that the cheat has signed, on top of any that the honest player has: also a second
    /// one for the same turn.
    fn sign(&mut self) -> Option<Evidence> {
        let mut base = self.dice.one_of(&self.known);
        let game = self.chain.subject().game_of(&base).expect("legal");
        if base.ending.is_some() || game.to_move() != Some(self.cheat) {
            return None;
        }
        let bin = self.dice.one_of(&Self::legal(&game));
        base.moves.push(bin);
        base.signatures[self.cheat] = forge(self.cheat, Kind::Position, &base.moves);
        self.known.push(base);
        Some(base)
    }

    fn cheat(&mut self) {
        match self.dice.below(12) {
            0..=2 => {
                if let Some(evidence) = self.sign() {
                    let _ = self.seat.hear(&evidence);
                }
            }
            3 => {
                let evidence = self.dice.one_of(&self.known);
                let _ = self.seat.hear(&evidence);
            }
            4 => {
                self.sign();
            }
            5 | 6 => {
                let press = self.dice.once_in(2).then_some(self.cheat);
                let evidence = self.dice.one_of(&self.known);
                if self.chain.advance(&evidence, press).is_ok() {
                    self.count("advance");
                }
            }
            7 => {
                let pressed = self.chain.press(self.cheat);
                self.count(pressed.map_or("no press", |_| "press"));
            }
            8 => {
                let bin = Bin::new(self.dice.below(7) as u8);
                if self.chain.drop(self.cheat, bin).is_ok() {
                    self.count("drop");
                }
            }
            9 => {
                let claimed = self.chain.claim();
                self.count(claimed.map_or("no claim", |()| "claim"));
            }
            10 if !self.offers.is_empty() => {
                let offer = self.dice.one_of(&self.offers);
                let kind = Kind::Draw { until: offer.until };
                let draw = offer.accepted(forge(self.cheat, kind, &offer.moves));
                if self.chain.advance(&draw, None).is_ok() {
                    self.count("draw");
                }
            }
            _ => {}
        }
    }

    fn be_honest(&mut self) {
        self.seat.see(self.chain.game, self.chain.now);
        if self.dice.once_in(50) {
            self.count("crash");
            self.seat = seat(self.cheat.opponent(), &self.disk, &self.chain);
        }
        if let Some(duty) = self.seat.duty() {
            self.chain.perform(&duty).expect("it is right");
            self.count("duty");
            return;
        }
        let latest = self.seat.latest();
        if latest.to_move() == Some(self.seat.player()) {
            let bin = self.dice.one_of(&Self::legal(&latest)).index();
            let made = drop(&mut self.seat, &mut self.chain, bin).expect("legal");
            self.waits = 0;
            if let Some(evidence) = made {
                self.learn(evidence);
            }
        } else {
            self.waits += 1;
            if self.waits > PATIENCE
                && let Ok(pressed) = self.seat.press()
            {
                press(&mut self.chain, self.seat.player(), &pressed).expect("it may");
                self.count("pressed");
            }
            if self.dice.once_in(100)
                && let Ok(offer) = self.seat.offer_draw(self.chain.now + 60)
            {
                self.offers.push(offer);
            }
        }
    }

    fn play(mut self) -> Counts {
        for _ in 0..LIMIT {
            self.chain.now += 1;
            self.be_honest();
            for _ in 0..self.dice.below(5) {
                if !self.chain.game.is_final() {
                    self.cheat();
                }
            }
            if self.chain.game.is_final() {
                self.check_end();
                return self.counts;
            }
        }
        panic!("the game does not end: {:?}", self.chain.game);
    }

    fn check_end(&mut self) {
        let game = self.chain.game.game;
        let honest = self.seat.player();
        let held = self.disk.book.borrow().held;
        if game.winner() == Some(honest) {
            self.count("won");
            return;
        }
        if held.ending == Some(Ending::Resignation(honest)) {
            // It has agreed to a line. The chain may have another one of the same turn.
            self.count("lost");
            return;
        }
        match game.end().expect("it is over") {
            // The last position that it held is a part of how it ended.
            End::Line | End::FullBoard => {
                let held_game = self.chain.subject().replay(&held.moves).expect("legal");
                for bin in game.shape().iter_bins() {
                    for row in 0..held_game.board().height(bin) {
                        let cell = connect4_rules::Cell { bin, row };
                        assert_eq!(
                            game.position().disc(cell),
                            held_game.position().disc(cell),
                            "held {:?}, ended as\n{}",
                            held.moves,
                            game.position()
                        );
                    }
                }
                self.count("lost");
            }
            End::Agreement => {
                let now = self.chain.now;
                assert!(self.offers.iter().any(|offer| offer.until >= now));
                self.count("agreed");
            }
            End::Abort => assert!(held.moves.turns() < 2),
            End::Resignation => panic!("it has not resigned"),
            End::Timeout => panic!("it has always answered in time"),
        }
    }
}

/// Red misses a win, and goes back to it three moves later, by another signature for its fourth move. The
/// line is not final, as blue has not agreed, and blue holds more moves.
#[test]
fn a_player_can_not_go_back_to_a_win_that_it_missed() {
    let mut chain = Chain::new(Shape::CLASSROOM);
    let disk = Disk::default();
    let mut blue = seat(Player::Two, &disk, &chain);
    let mut sent = Vec::new();
    let mut red = Evidence::start();
    // Red drops 5, 4, 3, and then 1 instead of 2.
    for (bin, answer) in [(5, 0), (4, 0), (3, 0), (1, 1)] {
        red.moves.push(Bin::new(bin));
        red.signatures[Player::One] = forge(Player::One, Kind::Position, &red.moves);
        blue.hear(&red).expect("signed");
        let answered = drop(&mut blue, &mut chain, answer).expect("legal");
        red = answered.expect("it is signed");
        sent.push(red);
    }
    let mut back = sent[2];
    back.moves.push(Bin::new(2));
    back.signatures[Player::One] = forge(Player::One, Kind::Position, &back.moves);
    chain.advance(&back, None).expect("both have signed");
    assert_eq!(chain.game.game.winner(), Some(Player::One));
    let held = *blue.evidence();
    assert_eq!(held.moves.turns(), 8);
    chain.advance(&held, None).expect("it has more moves");
    assert!(!chain.game.game.is_over());
    assert_eq!(chain.advance(&back, None), Err(Error::NotNewer));
}

#[test]
fn an_honest_player_never_ends_worse_than_by_the_latest_position_it_held() {
    let wanted = [
        "advance", "press", "drop", "draw", "crash", "duty", "pressed", "won", "lost",
    ];
    play_all(USUAL, &wanted, |seed| World::new(seed).play());
}
