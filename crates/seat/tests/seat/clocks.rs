//! What a player's program finds out about a witness that is unfair with its clock, in virtual time.

use connect4_protocol::ClockSpec;
use connect4_rules::Player as Side;
use connect4_seat::{Came, ClockCheck};
use connect4_testing::dice::Dice;

const CLOCK: ClockSpec = ClockSpec {
    bank: 180,
    increment: 2,
};
/// What is taken more than this is reported, in milliseconds.
const VARIES: u64 = 100;
/// The first moves, one of each player, cost nothing.
const FREE: usize = 2;
/// By how much the trips of a line vary at most, there and back, in milliseconds.
const JITTER: u64 = 50;

/// A game over two lines with a witness, in virtual time.
struct Game {
    dice: Dice,
    /// The lowest time that a message takes between a player and the witness.
    line: [u64; 2],
    now: u64,
    left: Vec<Option<u64>>,
    banks: [u64; 2],
    /// When the newest receipt came to each player.
    heard: [u64; 2],
    checks: [ClockCheck; 2],
}

impl Game {
    fn new(seed: u64) -> Self {
        let mut dice = Dice(seed);
        Self {
            line: [0, 1].map(|_| dice.below(400)),
            dice,
            now: 1_000_000,
            left: Vec::new(),
            banks: [u64::from(CLOCK.bank) * 1_000; 2],
            heard: [1_000_000; 2],
            checks: [ClockCheck::default(), ClockCheck::default()],
        }
    }

    fn trip(&mut self, player: usize) -> u64 {
        self.line[player] + self.dice.below(JITTER / 2)
    }

    /// A move for which the witness takes so much more than it measures, and that it tells so much later. What each
    /// player's program reports of it.
    fn makes(&mut self, lie: u64, late: u64) -> [Option<u64>; 2] {
        let turn = self.left.len();
        let player = turn % 2;
        let said = self.heard[player] + self.dice.below(5_000);
        let taken = said + self.trip(player);
        let measured = taken - self.now;
        // An honest witness gives the time of the line back.
        let given = (2 * self.line[player]).min(500).min(measured);
        self.now = taken;
        if turn >= FREE {
            let spent = if lie > 0 {
                measured + lie
            } else {
                measured - given
            };
            let gained = u64::from(CLOCK.increment) * 1_000;
            self.banks[player] = (self.banks[player] + gained).saturating_sub(spent);
        }
        self.left.push(Some(self.banks[player]));
        let mut reported = [None; 2];
        for side in [0, 1] {
            let at = taken + late + self.trip(side);
            self.heard[side] = at;
            reported[side] = self.checks[side].hear(
                Side::ALL[side],
                CLOCK,
                &self.left,
                Came {
                    at,
                    said: Some(said).filter(|_| side == player),
                },
            );
        }
        reported
    }
}

/// Ten thousand games of twenty moves.
#[test]
fn a_witness_that_lies_about_time_is_reported_in_that_move_and_an_honest_one_never() {
    let mut lies = 0;
    for seed in 0..10_000 {
        let mut game = Game::new(seed);
        for turn in 0..20 {
            let lie = match seed % 2 == 1 && turn >= FREE && game.dice.once_in(4) {
                true => VARIES + JITTER + game.dice.below(20_000),
                false => 0,
            };
            let reported = game.makes(lie, 0);
            let mover = turn % 2;
            assert_eq!(
                reported[1 - mover],
                None,
                "it is not the clock of the other player"
            );
            match lie {
                0 => assert_eq!(reported[mover], None, "seed {seed}, move {turn}"),
                _ => {
                    let more = reported[mover].expect("the lie is reported");
                    assert!(more.abs_diff(lie) <= JITTER, "{more} of {lie}");
                    lies += 1;
                }
            }
        }
    }
    assert!(lies > 10_000, "{lies}");
}

/// A witness that hides a lie by bringing the receipt as much later: the trips of the moves before show it.
#[test]
fn a_receipt_that_comes_late_hides_no_lie() {
    let mut game = Game::new(3);
    for turn in 0..20 {
        let lie = if turn >= 6 && turn % 4 == 2 { 3_000 } else { 0 };
        let reported = game.makes(lie, lie);
        // The opponent hears of the move later, too, and is robbed of that time with the next one.
        if lie > 0 {
            assert!(reported[turn % 2].expect("the lie is reported") > 2_900);
        }
    }
}

/// Nobody knows how long the receipt has waited with which a player comes back: what has passed counts, too.
#[test]
fn nothing_is_said_of_the_time_in_which_a_player_was_away() {
    let mut game = Game::new(5);
    for turn in 0..20 {
        if turn % 6 == 5 {
            game.checks[1 - turn % 2].lost();
            // The clock of the one who is away runs.
            game.makes(0, 0);
            game.heard[1 - turn % 2] += 60_000;
            continue;
        }
        assert_eq!(game.makes(0, 0), [None; 2], "move {turn}");
    }
}

/// A program that was held up has measured nothing for so long: it does not blame the witness for that.
#[test]
fn a_program_that_is_held_up_allows_for_that() {
    let left = [180_000, 180_000, 181_000].map(Some);
    // The opponent's receipt came half a second late. The witness takes a second for the third move.
    let reported = |held_up| {
        let mut check = ClockCheck::default();
        let mut hear = |turns: usize, at, said, held_up| {
            check.hold_up(held_up);
            check.hear(Side::One, CLOCK, &left[..turns], Came { at, said })
        };
        hear(1, 10_000, Some(9_990), 0);
        hear(2, 12_500, None, held_up);
        hear(3, 13_010, Some(13_000), 0)
    };
    assert_eq!(reported(0), Some(490));
    assert_eq!(reported(480), None);
}
