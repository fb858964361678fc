//! What a seat signs and takes, case by case.

use connect4_protocol::signed::staked_room::Offer;
use connect4_protocol::signed::{Evidence, Kind, Moves, Native, Party, Signature, SignedEnd};
use connect4_protocol::{Address, End, Error};
use connect4_rules::{Bin, Player, Shape};
use connect4_seat::{Duty, Guard, Moved, OFFER_STANDS, Press, Received, Seat, SeatError, Subject};

use crate::staked_world::DOMAIN;
use crate::world::{Chain, Disk, TestSeat, account, drop, forge, key, press, seat, terms};

/// Both seats, their disks, and the chain.
struct Table {
    chain: Chain,
    disks: [Disk; 2],
    one: TestSeat,
    two: TestSeat,
}

impl Table {
    fn new(shape: Shape) -> Self {
        let chain = Chain::new(shape);
        let disks = [Disk::default(), Disk::default()];
        Self {
            one: seat(Player::One, &disks[0], &chain),
            two: seat(Player::Two, &disks[1], &chain),
            chain,
            disks,
        }
    }

    fn see(&mut self) {
        self.one.see(self.chain.game, self.chain.now);
        self.two.see(self.chain.game, self.chain.now);
    }

    /// Plays these bins, each of which arrives.
    fn play(&mut self, bins: &[u8]) {
        for bin in bins {
            let (mover, other) = match self.one.latest().to_move() {
                Some(Player::One) => (&mut self.one, &mut self.two),
                _ => (&mut self.two, &mut self.one),
            };
            let sent = drop(mover, &mut self.chain, *bin).expect("legal");
            other.receive(&sent.expect("it is signed")).expect("right");
        }
    }
}

const COLUMN: [u8; 7] = [3, 4, 3, 4, 3, 4, 3];

#[test]
fn a_game_needs_the_chain_at_its_end_only() {
    let mut table = Table::new(Shape::STANDARD);
    table.play(&COLUMN[..6]);
    for seat in [&table.one, &table.two] {
        assert_eq!(seat.settlement(), None, "it goes on");
    }
    table.play(&COLUMN[6..]);
    assert_eq!(table.two.latest().winner(), Some(Player::One));
    // The loser has agreed, and does not pay.
    assert_eq!(table.two.duty(), None);
    let agreed = *table.two.evidence();
    assert_eq!(table.two.settlement(), Some(agreed), "though it may");
    assert_eq!(agreed.end, Some(SignedEnd::Resignation(Player::Two)));
    assert_eq!(table.one.receive(&agreed), Ok(Received::News));
    let duty = table.one.duty().expect("the winner settles");
    assert_eq!(duty, Duty::Advance(agreed));
    table.chain.perform(&duty).expect("signed by both");
    let game = table.chain.game.game;
    assert_eq!(
        (game.end(), game.winner()),
        (Some(End::Line), Some(Player::One))
    );
    table.see();
    assert_eq!((table.one.duty(), table.two.duty()), (None, None));
}

#[test]
fn a_move_is_signed_once_whatever_the_program_forgets() {
    let mut table = Table::new(Shape::STANDARD);
    let lost = drop(&mut table.one, &mut table.chain, 3).expect("legal");
    // The program is killed before it has sent its move.
    table.one = seat(Player::One, &table.disks[0], &table.chain);
    let again = drop(&mut table.one, &mut table.chain, 4);
    assert_eq!(again, Err(SeatError::Refused(Error::NotYourTurn)));
    assert_eq!(Some(*table.one.evidence()), lost, "it is sent now");
}

/// Terms with another session key of the opponent could else have the player begin the game anew, and
/// sign its turns twice.
#[test]
fn nothing_is_signed_in_a_game_by_other_terms_than_it_began() {
    let mut table = Table::new(Shape::STANDARD);
    table.play(&[3, 4, 3]);
    let [disk, _] = table.disks.clone();
    let kept = disk.journal.borrow().clone();
    let mut other_key = table.chain.game;
    other_key.keys.two = Address([9; 20]);
    let mut others = terms();
    others.players.two = Party::new(account(Player::Two), Address([9; 20]));
    let subject = Subject::staked(&others, DOMAIN, &Native).expect("terms");
    let (key, now) = (key(Player::One), table.chain.now);
    let seat = Seat::new(subject, key, kept.clone(), disk.clone(), other_key, now);
    assert_eq!(seat.err(), Some(Error::BadSignature));
    assert_eq!(*disk.journal.borrow(), kept);
}

#[test]
fn nothing_is_signed_that_is_not_kept() {
    let mut table = Table::new(Shape::STANDARD);
    table.disks[0].is_full.replace(true);
    let full = Err(SeatError::Keep("the disk is full"));
    assert_eq!(drop(&mut table.one, &mut table.chain, 3), full);
    assert_eq!(table.one.resign().map(Some), full);
    assert_eq!(table.one.evidence(), &Evidence::start());
    table.disks[0].is_full.replace(false);
    table.play(&[2]);
    assert_eq!(*table.two.evidence().moves, [2]);
}

/// A guard on the same machine reads the disk, and passes on what it finds.
#[test]
fn a_move_that_may_be_on_the_disk_is_the_only_one_of_its_turn() {
    let mut table = Table::new(Shape::STANDARD);
    let mut guard = Guard::new(table.chain.subject(), table.chain.game, table.chain.now);
    table.disks[0].is_failing.replace(true);
    let failed = Err(SeatError::Keep("the disk fails"));
    assert_eq!(drop(&mut table.one, &mut table.chain, 3), failed);
    assert!(guard.read(&table.disks[0].journal.borrow()), "it is out");
    table.disks[0].is_failing.replace(false);
    let other = drop(&mut table.one, &mut table.chain, 4);
    assert_eq!(other, Err(SeatError::Bound(3)));
    // People count bins from 1.
    let words = SeatError::<&str>::Bound(3).to_string();
    assert!(words.contains("into bin 4 from the left"), "{words}");
    let same = drop(&mut table.one, &mut table.chain, 3).expect("the same");
    let same = same.expect("it is signed");
    assert_eq!(same, *guard.evidence());
    table.two.receive(&same).expect("right");

    // So it is if something else is kept first, and the program is started again.
    table.play(&[3]);
    table.disks[0].is_failing.replace(true);
    assert_eq!(drop(&mut table.one, &mut table.chain, 2), failed);
    table.disks[0].is_failing.replace(false);
    let resigned = table.two.resign().expect("the game goes on");
    table.one.receive(&resigned).expect("right");
    let disk = &table.disks[0];
    let kept = disk.journal.borrow().dropped.map(|dropped| dropped.bin);
    assert_eq!(kept, Some(2));
}

#[test]
fn what_is_not_signed_by_both_is_not_taken() {
    let mut table = Table::new(Shape::STANDARD);
    table.play(&[3, 4]);
    let good = {
        let mut two = seat(Player::One, &Disk::default(), &table.chain);
        two.receive(table.one.evidence()).expect("right");
        let Ok(Moved::Signed(good)) = two.drop(Bin::new(3)) else {
            panic!("it is its turn");
        };
        good
    };
    for player in Player::ALL {
        let mut bad = good;
        bad.signatures[player] = Signature::NONE;
        let refused = table.two.receive(&bad);
        assert_eq!(refused, Err(SeatError::Refused(Error::BadSignature)));
    }
    let mut resigned = good;
    resigned.end = Some(SignedEnd::Resignation(Player::Two));
    assert_eq!(
        table.two.receive(&resigned),
        Err(SeatError::Refused(Error::BadSignature))
    );
    assert_eq!(table.two.receive(&good), Ok(Received::News));
    assert_eq!(table.two.receive(&good), Ok(Received::Known));
    let old = *table.one.evidence();
    assert_eq!(table.two.receive(&old), Ok(Received::Behind));
}

#[test]
fn moves_that_are_not_legal_are_not_taken_though_both_have_signed() {
    let mut table = Table::new(Shape::STANDARD);
    table.play(&[3]);
    let mut illegal = *table.one.evidence();
    illegal.moves.push(Bin::new(7));
    illegal.signatures[Player::Two] = forge(Player::Two, Kind::Position, &illegal.moves);
    assert_eq!(
        table.one.receive(&illegal),
        Err(SeatError::Refused(Error::NoSuchBin))
    );
}

#[test]
fn a_stale_position_is_answered_as_soon_as_its_clock_runs() {
    let mut table = Table::new(Shape::STANDARD);
    table.play(&[3, 4, 3]);
    let stale = *table.one.evidence();
    table.play(&[4, 0, 0]);
    // Without a clock it does no harm.
    table.chain.advance(&stale, None).expect("signed");
    table.see();
    assert_eq!((table.one.duty(), table.two.duty()), (None, None));
    table
        .chain
        .press(Player::One)
        .expect("two is to move there");
    table.see();
    let duty = table.two.duty().expect("its clock runs");
    assert_eq!(table.one.duty(), Some(duty), "anyone may answer");
    table.chain.perform(&duty).expect("signed");
    assert_eq!(table.chain.game.game.turns(), 6);
    assert_eq!(table.chain.game.clock, None, "it stands again");
    table.see();
    assert_eq!((table.one.duty(), table.two.duty()), (None, None));
    // The game goes on off the chain.
    table.play(&[1]);
    assert_eq!(*table.two.evidence().moves, [3, 4, 3, 4, 0, 0, 1]);
}

#[test]
fn who_is_silent_is_pressed_and_may_answer_off_the_chain_or_on_it() {
    let mut table = Table::new(Shape::STANDARD);
    table.play(&[3, 4]);
    assert_eq!(table.two.latest().to_move(), Some(Player::One));
    assert_eq!(table.one.press(), Err(Error::YourTurn));
    let with = table.two.press().expect("one is to move");
    assert_eq!(with, Press::With(*table.two.evidence()));
    press(&mut table.chain, Player::Two, &with).expect("signed");
    table.see();
    assert_eq!(table.two.press(), Err(Error::ClockRuns));
    assert_eq!(table.one.duty(), None, "it has to move");
    // The answer is signed, and brought to the chain as the clock runs there.
    table.play(&[5]);
    let duty = table.one.duty().expect("its clock runs");
    table.chain.perform(&duty).expect("signed");
    table.see();
    assert_eq!(table.chain.game.clock, None);
    assert_eq!(table.one.press(), Ok(Press::Alone));
}

#[test]
fn without_a_relay_the_game_goes_on_on_the_chain() {
    let mut table = Table::new(Shape::STANDARD);
    table.play(&[3, 4]);
    // This one does not arrive.
    drop(&mut table.one, &mut table.chain, 3).expect("legal");
    let with = table.one.press().expect("two is to move");
    press(&mut table.chain, Player::One, &with).expect("signed");
    for bin in [4, 3, 4, 3] {
        table.see();
        let to_move = table.chain.game.game.to_move();
        let mover = match to_move {
            Some(Player::One) => &mut table.one,
            _ => &mut table.two,
        };
        assert!(mover.is_on_chain());
        assert_eq!(drop(mover, &mut table.chain, bin), Ok(None));
    }
    let game = table.chain.game.game;
    assert_eq!(
        (game.end(), game.winner()),
        (Some(End::Line), Some(Player::One))
    );
}

#[test]
fn a_silent_opponent_loses_on_the_clock() {
    let mut table = Table::new(Shape::STANDARD);
    table.play(&[3, 4, 3]);
    let with = table.one.press().expect("two is to move");
    press(&mut table.chain, Player::One, &with).expect("signed");
    table.see();
    assert_eq!(table.one.duty(), None);
    table.chain.now += 1_000;
    table.see();
    assert_eq!(table.two.duty(), None);
    assert_eq!(table.one.duty(), Some(Duty::Claim));
    table.chain.claim().expect("late");
    assert_eq!(table.chain.game.game.end(), Some(End::Timeout));
    assert_eq!(table.chain.game.game.winner(), Some(Player::One));
}

#[test]
fn after_a_second_signature_for_a_turn_the_answered_one_counts() {
    let mut table = Table::new(Shape::STANDARD);
    table.play(&[3, 4]);
    let before = *table.two.evidence();
    table.play(&[0, 1]);
    // Player one signs another third move, and brings it to the chain.
    let mut other = before;
    other.moves.push(Bin::new(6));
    other.signatures[Player::One] = forge(Player::One, Kind::Position, &other.moves);
    assert_eq!(table.two.receive(&other), Ok(Received::Behind));
    table
        .chain
        .advance(&other, Some(Player::One))
        .expect("signed by both");
    table.see();
    let duty = table.two.duty().expect("its clock runs");
    table.chain.perform(&duty).expect("more moves");
    assert_eq!(table.chain.game.game.turns(), 4);
    table.see();
    table.play(&[2]);
    assert_eq!(*table.two.evidence().moves, [3, 4, 0, 1, 2]);
}

#[test]
fn a_resignation_stands_and_the_winner_brings_it() {
    let mut table = Table::new(Shape::STANDARD);
    table.play(&[3, 4]);
    let resigned = table.two.resign().expect("the game goes on");
    let over = Err(SeatError::Refused(Error::GameOver));
    assert_eq!(drop(&mut table.two, &mut table.chain, 0), over);
    assert_eq!(table.two.duty(), None);
    assert_eq!(table.one.receive(&resigned), Ok(Received::News));
    assert_eq!(drop(&mut table.one, &mut table.chain, 0), over);
    let duty = table.one.duty().expect("the winner settles");
    table.chain.perform(&duty).expect("signed");
    assert_eq!(table.chain.game.game.end(), Some(End::Resignation));
    assert_eq!(table.chain.game.game.winner(), Some(Player::One));
}

#[test]
fn of_two_resignations_the_chain_takes_the_one_that_comes_first() {
    let mut table = Table::new(Shape::STANDARD);
    table.play(&[3, 4]);
    let one = table.one.resign().expect("the game goes on");
    let two = table.two.resign().expect("the game goes on");
    assert_eq!(table.one.receive(&two), Ok(Received::News));
    assert_eq!(table.two.receive(&one), Ok(Received::News));
    assert_eq!(table.one.duty(), Some(Duty::Advance(two)));
    assert_eq!(table.two.duty(), Some(Duty::Advance(one)));
    table.chain.advance(&one, None).expect("signed");
    table.see();
    assert_eq!((table.one.duty(), table.two.duty()), (None, None));
    assert_eq!(table.one.latest().winner(), Some(Player::Two));
}

#[test]
fn a_draw_is_offered_at_a_position_for_a_time() {
    let mut table = Table::new(Shape::STANDARD);
    table.play(&[3, 4]);
    let until = table.chain.now + 60;
    let own_turn = table.one.offer_draw(until);
    assert_eq!(own_turn, Err(SeatError::Refused(Error::YourTurn)));
    let offer = table.two.offer_draw(until).expect("the game goes on");
    let again = table.two.offer_draw(until);
    assert_eq!(again, Err(SeatError::Refused(Error::AlreadyOffered)));
    // It is an option of the opponent, so the program knows of it after a crash.
    table.two = seat(Player::Two, &table.disks[1], &table.chain);
    assert_eq!(table.two.offered(), Some(&offer));
    let mut forged = offer;
    forged.until += 1;
    let refused = table.one.receive_offer(&forged);
    assert_eq!(refused, Err(SeatError::Refused(Error::BadSignature)));
    let none = Err(SeatError::Refused(Error::NoOffer));
    assert_eq!(table.one.accept_draw(), none);
    assert_eq!(table.one.receive_offer(&offer), Ok(Received::News));

    // It lapses with the next move, and with its time.
    let mut later = Table::new(Shape::STANDARD);
    later.play(&[3, 4]);
    later.one.receive_offer(&offer).expect("right");
    later.play(&[3]);
    assert_eq!(later.one.accept_draw(), none);
    let mut late = Table::new(Shape::STANDARD);
    late.play(&[3, 4]);
    late.one.receive_offer(&offer).expect("right");
    late.chain.now = until + 1;
    late.see();
    assert_eq!(late.one.accept_draw(), none);

    let draw = table.one.accept_draw().expect("there is an offer");
    assert_eq!(table.one.latest().end(), Some(End::Agreement));
    assert_eq!(table.two.receive(&draw), Ok(Received::News));
    // The player who has accepted brings it at once, the other one if it does not.
    for (seat, patience) in [(&table.one, 0), (&table.two, 10)] {
        let duty = seat.duty().expect("the chain does not know it");
        assert_eq!(duty, Duty::Advance(draw));
        assert_eq!(seat.patience(&duty), patience);
    }
    table.chain.advance(&draw, None).expect("in time");
    assert_eq!(table.chain.game.game.end(), Some(End::Agreement));
}

#[test]
fn a_draw_that_came_too_late_does_not_hold_the_game_up() {
    let mut table = Table::new(Shape::STANDARD);
    table.play(&[3, 4]);
    let until = table.chain.now + 60;
    let offer = table.two.offer_draw(until).expect("the game goes on");
    table.one.receive_offer(&offer).expect("right");
    let draw = table.one.accept_draw().expect("there is an offer");
    table.two.receive(&draw).expect("right");
    // Near the end of its time nobody waits.
    table.chain.now = until - 5;
    table.see();
    assert_eq!(table.two.duty(), Some(Duty::Advance(draw)));
    assert_eq!(table.two.patience(&Duty::Advance(draw)), 0);
    table.chain.now = until + 1;
    table.see();
    assert_eq!((table.one.duty(), table.two.duty()), (None, None));
    table.play(&[3]);
    assert_eq!(*table.two.evidence().moves, [3, 4, 3]);
}

#[test]
fn an_offer_that_stands_too_long_is_none() {
    let mut table = Table::new(Shape::STANDARD);
    table.play(&[3, 4]);
    let offer = table.two.offer_draw(u64::MAX).expect("the game goes on");
    let none = Err(SeatError::Refused(Error::NoOffer));
    assert_eq!(table.one.receive_offer(&offer), none);
    assert_eq!(table.one.accept_draw().map(|_| Received::News), none);
}

#[test]
fn an_offer_is_told_once_in_a_turn() {
    let mut table = Table::new(Shape::STANDARD);
    table.play(&[3, 4]);
    let now = table.chain.now;
    let offer = |moves: &[u8], stands| {
        let until = now + stands;
        Offer {
            by: Player::Two,
            until,
            moves: Moves::from_bins(moves).expect("few moves"),
            signature: forge(Player::Two, Kind::Draw { until }, moves),
        }
    };
    let again = [40, 50, 60].map(|stands| offer(&[3, 4], stands));
    let later = offer(&[3, 4, 3, 4], 60);
    assert_eq!(table.one.receive_offer(&again[0]), Ok(Received::News));
    assert_eq!(table.one.receive_offer(&again[1]), Ok(Received::Known));
    assert_eq!(table.one.offer(), Some(&again[1]), "it stands for longer");
    assert!(!table.one.has_declined());
    assert!(table.one.decline_draw());
    assert!(table.one.has_declined());
    assert_eq!(table.one.receive_offer(&again[2]), Ok(Received::Known));
    assert_eq!(table.one.offer(), None, "it is declined");
    assert_eq!(table.one.latest_offer(), Some(&again[2]));
    table.one.see(table.chain.game, now + 61);
    let repeated = table.one.receive_offer(&again[2]);
    assert_eq!(repeated, Ok(Received::Known), "though it is over");
    table.see();
    table.one.pass_time(now);
    table.play(&[3, 4]);
    assert_eq!(table.one.latest_offer(), None, "it was answered by a move");
    assert_eq!(table.one.receive_offer(&later), Ok(Received::News));
    assert_eq!(table.one.offer(), Some(&later));

    // Another seat of this player takes it up.
    let again = seat(Player::One, &table.disks[0], &table.chain).with_offer(Some(later));
    assert_eq!(again.offer(), Some(&later));
    let declined = again.with_declined(true);
    assert_eq!(declined.offer(), None);
}

#[test]
fn a_draw_is_offered_by_the_time_of_the_chain() {
    let mut table = Table::new(Shape::STANDARD);
    table.play(&[3, 4]);
    let now = table.chain.now;
    // A day ahead, and a day behind.
    for machine in [86_400, -86_400] {
        table.two.pass_time(now.saturating_add_signed(machine));
        let refused = table.two.offer_draw_now(machine);
        assert_eq!(refused, Err(SeatError::ClocksDiffer(machine)));
        let said = refused.expect_err("it is refused").to_string();
        assert!(said.contains("86400 s"), "{said}");
    }
    // Half a minute is little enough.
    for machine in [30, -30] {
        let mut apart = Table::new(Shape::STANDARD);
        apart.play(&[3, 4]);
        apart.two.pass_time(now.saturating_add_signed(machine));
        let refused = apart.two.offer_draw_now(machine + machine.signum());
        assert!(matches!(refused, Err(SeatError::ClocksDiffer(_))));
        let offer = apart.two.offer_draw_now(machine);
        assert_eq!(offer.map(|offer| offer.until), Ok(now + OFFER_STANDS));
    }
    // Twenty seconds ahead, and the newest block is five seconds old.
    table.two.pass_time(now + 25);
    let offer = table.two.offer_draw_now(20).expect("the game goes on");
    assert_eq!(offer.until, now + 5 + OFFER_STANDS);

    // Twenty seconds behind, and as old.
    let mut behind = Table::new(Shape::STANDARD);
    behind.play(&[3, 4]);
    behind.two.pass_time(now - 15);
    let offer = behind.two.offer_draw_now(-20).expect("the game goes on");
    assert_eq!(offer.until, now + 5 + OFFER_STANDS);

    // Five seconds behind, and the next block is new: the offer stands from then.
    let mut late = Table::new(Shape::STANDARD);
    late.play(&[3, 4]);
    late.two.see(late.chain.game, now + 30);
    late.two.pass_time(now - 5);
    let offer = late.two.offer_draw_now(-5).expect("the game goes on");
    assert_eq!(offer.until, now + 30 + OFFER_STANDS);
}

/// The opponent answers through the relay alone: its own time runs on the chain, not this player's.
#[test]
fn the_answer_to_a_press_is_paid_for_by_who_was_pressed() {
    let mut table = Table::new(Shape::STANDARD);
    table.play(&[3, 4]);
    press(
        &mut table.chain,
        Player::Two,
        &table.two.press().expect("one is to move"),
    )
    .expect("signed");
    table.see();
    table.play(&[5]);
    let duty = table.two.duty().expect("a clock runs");
    assert_eq!(table.one.duty(), Some(duty));
    assert_eq!(table.one.patience(&duty), 0, "its own clock");
    assert_eq!(table.two.patience(&duty), u32::MAX);
    // Nobody loses on time after an answer.
    table.chain.now = table.chain.game.deadline().expect("runs") - 30;
    table.see();
    assert_eq!(table.two.patience(&duty), 0);
    table.chain.perform(&duty).expect("in time");
    assert_eq!(table.chain.game.clock, None);
}

/// The opponent answers a press at its first move through the relay alone, loses from there on, and hopes
/// that nobody reaches the chain before its time there is over: the game would be aborted.
#[test]
fn an_answer_to_a_press_is_not_waited_for_where_a_late_opponent_loses_nothing() {
    let mut table = Table::new(Shape::STANDARD);
    table.play(&[3]);
    let pressed = table.one.press().expect("two is to move");
    press(&mut table.chain, Player::One, &pressed).expect("signed");
    table.see();
    table.play(&[4, 3, 4, 3, 0]);
    let duty = table.one.duty().expect("a clock runs");
    assert_eq!(table.one.patience(&duty), 0);

    let last = table.chain.game.deadline().expect("it runs");
    table.chain.now = last + 1;
    table.chain.claim().expect("nobody has brought the moves");
    assert_eq!(table.chain.game.game.end(), Some(End::Abort));
}

/// The last mover is to bring a full board, but could press an older position instead.
#[test]
fn a_full_board_is_brought_by_either_player() {
    let mut table = Table::new(Shape::CLASSROOM);
    table.play(&[
        0, 1, 0, 2, 0, 0, 3, 1, 2, 1, 1, 2, 3, 3, 5, 3, 5, 5, 4, 4, 4, 5, 4, 2,
    ]);
    assert_eq!(table.one.latest().end(), Some(End::FullBoard));
    let duty = table.two.duty().expect("it made the last move");
    assert_eq!(table.two.patience(&duty), 0);
    assert_eq!(table.one.duty(), Some(duty));
    assert_eq!(table.one.patience(&duty), 10);
    // As soon as a clock runs nobody waits.
    let mut old = *table.two.evidence();
    old.moves = Moves::from_bins(&old.moves[..22]).expect("few moves");
    old.signatures.two = forge(Player::Two, Kind::Position, &old.moves);
    old.signatures.one = forge(Player::One, Kind::Position, &old.moves[..21]);
    table
        .chain
        .advance(&old, Some(Player::Two))
        .expect("signed");
    table.see();
    assert_eq!(table.one.patience(&duty), 0);
    table
        .chain
        .perform(&table.one.duty().expect("its clock runs"))
        .expect("signed");
    assert_eq!(table.chain.game.game.end(), Some(End::FullBoard));
}
