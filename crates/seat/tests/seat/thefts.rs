//! Thefts, each by an example: what an opponent signs, sends and brings to take what the honest player has.

use connect4_protocol::signed::{Evidence, SignedEnd};
use connect4_protocol::{ClockSpec, End, Error};
use connect4_rules::{Bin, Player, Shape};
use connect4_seat::{Duty, Journal, Seat, SeatError};

use crate::world::{Chain, Disk, TestSeat, account, drop, key, play, press, seat, signed, started};

/// One honest player against evidence that is made by hand, on a board of 6x4.
struct Cheated {
    chain: Chain,
    disk: Disk,
    honest: TestSeat,
}

impl Cheated {
    fn new(honest: Player) -> Self {
        let chain = Chain::new(Shape::CLASSROOM);
        let disk = Disk::default();
        Self {
            honest: seat(honest, &disk, &chain),
            chain,
            disk,
        }
    }

    /// What both have signed after these moves, with an end of the cheat.
    fn evidence(&self, moves: &[u8], end: Option<SignedEnd>) -> Evidence {
        signed(self.honest.player().opponent(), moves, end)
    }

    /// Both have signed these moves.
    fn play(&mut self, moves: &[u8]) {
        play(&mut self.honest, &mut self.chain, moves);
    }

    fn see(&mut self) {
        self.honest.see(self.chain.game, self.chain.now);
    }

    /// Does what the honest player has to do until nothing is left, and returns who has won.
    fn finish(&mut self) -> Option<Player> {
        self.see();
        while let Some(duty) = self.honest.duty() {
            self.chain.perform(&duty).expect("it is right");
            self.see();
        }
        assert!(self.chain.game.is_final(), "{:?}", self.chain.game);
        self.chain.game.game.winner()
    }
}

/// Red drops 5, 4, 3, and then 1, where 2 had won.
const MISSED: [u8; 8] = [5, 0, 4, 0, 3, 0, 1, 1];
/// The same with the win.
const WON: [u8; 7] = [5, 0, 4, 0, 3, 0, 2];

/// Red misses a win, and goes back to it later, by another signature for its fourth move. The line is not
/// final, as blue has not agreed, and blue holds more moves.
#[test]
fn a_player_can_not_go_back_to_a_win_that_it_missed() {
    let mut table = Cheated::new(Player::Two);
    table.play(&MISSED);
    let back = table.evidence(&WON, None);
    table.chain.advance(&back, None).expect("both have signed");
    assert_eq!(table.chain.game.game.winner(), Some(Player::One));
    table.see();
    let duty = table.honest.duty().expect("it is contested");
    assert_eq!(table.honest.patience(&duty), 0);
    table.chain.perform(&duty).expect("it has more moves");
    assert!(!table.chain.game.game.is_over());
    assert!(table.chain.advance(&back, None).is_err());
    assert!(table.disk.journal.borrow().resignations[Player::Two].is_none());
}

/// A player who makes a line has not lost, so it can't resign at it: the contract refuses that, and so does
/// the journal, which would else lose the moves that contest the line.
#[test]
fn a_resignation_at_the_own_line_is_none() {
    let mut table = Cheated::new(Player::Two);
    table.play(&MISSED);
    let resigned = SignedEnd::Resignation(Player::One);
    let poison = table.evidence(&WON, Some(resigned));
    let refused = table.honest.receive(&poison);
    assert_eq!(refused, Err(SeatError::Refused(Error::GameOver)));
    assert_eq!(*table.honest.evidence().moves, MISSED);

    // What a program that took it has left on the disk does no harm.
    let mut journal = table.disk.journal.borrow().clone();
    journal.resignations[Player::One] = Some(poison);
    table.disk.journal.replace(journal);
    table.honest = seat(Player::Two, &table.disk, &table.chain);
    assert_eq!(table.honest.latest().turns(), 8);
    table
        .chain
        .advance(&table.evidence(&WON, None), None)
        .expect("both have signed");
    table.see();
    let duty = table.honest.duty();
    assert_eq!(duty, Some(Duty::Advance(table.honest.journal().position)));
}

/// Red goes back to the win that it missed, and resigns at the start of the game, so that blue's program
/// believes the game to be over.
#[test]
fn the_resignation_of_the_opponent_is_no_own_one() {
    for resigned_first in [false, true] {
        let mut table = Cheated::new(Player::Two);
        table.play(&MISSED);
        let resigned = table.evidence(&[], Some(SignedEnd::Resignation(Player::One)));
        let back = table.evidence(&WON, None);
        if resigned_first {
            table.honest.receive(&resigned).expect("signed");
        }
        table.chain.advance(&back, None).expect("both have signed");
        table.see();
        table.honest.receive(&resigned).expect("signed");
        assert_eq!(table.honest.latest().winner(), Some(Player::Two));
        assert_eq!(table.finish(), Some(Player::Two));
    }
}

/// After the time to contest a line, and before somebody has claimed it, a resignation still counts.
#[test]
fn a_resignation_counts_until_the_line_is_claimed() {
    let mut table = Cheated::new(Player::Two);
    table.play(&MISSED);
    let resigned = table.evidence(&[5], Some(SignedEnd::Resignation(Player::One)));
    table
        .chain
        .advance(&table.evidence(&WON, None), None)
        .expect("both have signed");
    table.chain.now = table.chain.game.contest.expect("a line") + 1;
    table.honest.receive(&resigned).expect("signed");
    assert_eq!(table.finish(), Some(Player::Two));
}

/// A node or host shows a line on the chain that the opponent's key has not signed.
#[test]
fn nobody_agrees_to_a_line_on_the_word_of_a_node() {
    let mut table = Cheated::new(Player::Two);
    table.play(&MISSED[..6]);
    let mut shown = table.chain.game;
    shown.game = table.honest.latest();
    shown
        .drop(account(Player::One), Bin::new(2), table.chain.now)
        .expect("its turn");
    assert_eq!(shown.game.winner(), Some(Player::One));
    table.honest.see(shown, table.chain.now);
    assert_eq!(table.honest.concede(), Ok(false));
    assert!(table.disk.journal.borrow().resignations[Player::Two].is_none());
    // The truth is another one, and the game goes on.
    table.see();
    assert_eq!(table.honest.latest().turns(), 6);
}

/// Red signs two moves for one turn: first one that goes on, then one that wins. A move of blue on top of
/// the first contests the second.
#[test]
fn a_line_that_a_move_can_contest_is_not_agreed_to() {
    let mut table = Cheated::new(Player::Two);
    table.play(&MISSED[..7]);
    let won = table.evidence(&WON, None);
    table.honest.receive(&won).expect("signed");
    table.chain.advance(&won, None).expect("both have signed");
    table.see();
    assert_eq!(table.honest.concede(), Ok(false));
    assert_eq!(table.honest.deadline(), table.chain.game.contest);
    assert_eq!(
        table.honest.latest().to_move(),
        Some(Player::Two),
        "by the first"
    );
    drop(&mut table.honest, &mut table.chain, 1).expect("legal");
    let duty = table.honest.duty().expect("it contests the line");
    table.chain.perform(&duty).expect("it has more moves");
    assert_eq!(table.chain.game.game.turns(), 8);
}

/// A loser who resigns at the start of the game does not keep its moves from the chain.
#[test]
fn a_loser_can_not_deny_the_moves_of_the_game() {
    let mut table = Cheated::new(Player::Two);
    table.play(&[0, 1, 0, 1, 0, 1, 3, 1]);
    let resigned = table.evidence(&[], Some(SignedEnd::Resignation(Player::One)));
    table.honest.receive(&resigned).expect("signed");
    assert_eq!(table.finish(), Some(Player::Two));
    assert_eq!(
        (table.chain.game.game.turns(), table.chain.game.game.end()),
        (8, Some(End::Line))
    );

    let mut short = Cheated::new(Player::Two);
    short.play(&MISSED);
    short.honest.receive(&resigned).expect("signed");
    assert_eq!(short.finish(), Some(Player::Two));
    assert_eq!(
        (short.chain.game.game.turns(), short.chain.game.game.end()),
        (8, Some(End::Resignation))
    );
}

/// The opponent never moves: after a day anybody may end the game, however long its bank is.
#[test]
fn a_first_move_has_a_day() {
    let clock = ClockSpec {
        bank: 30 * 86_400,
        increment: 0,
    };
    let mut table = Cheated::new(Player::One);
    table.chain.game = started(Shape::CLASSROOM, Some(clock));
    let subject = table.chain.subject();
    let key = key(Player::One);
    let journal = Journal::default();
    let (game, now) = (table.chain.game, table.chain.now);
    table.honest =
        Seat::new(subject, key, journal, table.disk.clone(), game, now).expect("its key");
    drop(&mut table.honest, &mut table.chain, 3).expect("legal");
    press(
        &mut table.chain,
        Player::One,
        &table.honest.press().expect("two is to move"),
    )
    .expect("signed");
    table.see();
    assert_eq!(table.honest.deadline(), Some(now + 86_400));
    table.honest.see(table.chain.game, now + 86_400);
    assert_eq!(table.honest.duty(), None);
    table.honest.see(table.chain.game, now + 86_401);
    assert_eq!(table.honest.duty(), Some(Duty::Claim));
}

/// A machine whose clock is an hour fast or slow answers all the same.
#[test]
fn the_clock_of_the_machine_keeps_nothing_back() {
    for machine in [-3_600, 3_600] {
        let mut table = Cheated::new(Player::Two);
        table.play(&MISSED[..6]);
        let old = table.evidence(&MISSED[..4], None);
        table.chain.advance(&old, None).expect("signed");
        table
            .chain
            .press(Player::Two)
            .expect("one is to move there");
        table.see();
        table
            .honest
            .pass_time(table.chain.now.saturating_add_signed(machine));
        let duty = table.honest.duty().expect("a clock runs");
        assert_eq!(duty, Duty::Advance(table.honest.journal().position));
        table.chain.perform(&duty).expect("in time");
    }
}
