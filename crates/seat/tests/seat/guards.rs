//! What a guard takes, tells and does, case by case.

use connect4_protocol::signed::{Evidence, Kind, SignedEnd};
use connect4_protocol::{End, Error};
use connect4_rules::{Player, Shape};
use connect4_seat::{Duty, Guard, Journal, Received};

use crate::world::{BANK, Chain, forge, number, signed};

/// Red drops 5, 4, 3, and then 1, where 2 had won.
const MISSED: [u8; 8] = [5, 0, 4, 0, 3, 0, 1, 1];
const WON: [u8; 7] = [5, 0, 4, 0, 3, 0, 2];

fn position(moves: &[u8]) -> Evidence {
    signed(Player::One, moves, None)
}

fn resigned(by: Player, moves: &[u8]) -> Evidence {
    let mut evidence = position(moves);
    evidence.end = Some(SignedEnd::Resignation(by));
    let kind = Kind::Resignation;
    evidence.signatures[by] = forge(by, kind, moves);
    let before = evidence;
    let other = by.opponent();
    if let Some(statement) = before.statement_of(other, number()) {
        evidence.signatures[other] = forge(other, statement.kind, statement.moves);
    }
    evidence
}

fn drawn(moves: &[u8], until: u64) -> Evidence {
    let mut evidence = position(moves);
    evidence.end = Some(SignedEnd::Draw { until });
    for player in Player::ALL {
        let kind = Kind::Draw { until };
        evidence.signatures[player] = forge(player, kind, moves);
    }
    evidence
}

fn guard(chain: &Chain) -> Guard {
    Guard::new(chain.subject(), chain.game, chain.now)
}

#[test]
fn it_holds_what_is_signed_and_says_what_was_new() {
    let chain = Chain::new(Shape::CLASSROOM);
    let mut guard = guard(&chain);
    assert_eq!(guard.subject(), &chain.subject());
    assert_eq!(guard.chain(), &chain.game);
    assert_eq!(guard.evidence(), &Evidence::start());
    assert_eq!(guard.receive(&position(&MISSED[..3])), Ok(Received::News));
    assert_eq!(guard.receive(&position(&MISSED[..3])), Ok(Received::Known));
    assert_eq!(guard.receive(&position(&MISSED[..2])), Ok(Received::Behind));
    let mut forged = position(&MISSED[..5]);
    forged.signatures.two = forged.signatures.one;
    assert_eq!(guard.receive(&forged), Err(Error::BadSignature));
    assert_eq!(guard.evidence(), &position(&MISSED[..3]));
    assert_eq!(guard.latest().turns(), 3);
    assert_eq!(guard.journal().position, position(&MISSED[..3]));

    // What a player on its machine has kept.
    let mut kept = Journal {
        position: position(&MISSED[..5]),
        ..Journal::default()
    };
    assert!(guard.read(&kept));
    assert!(!guard.read(&kept), "it is known");
    kept.draws = vec![drawn(&MISSED[..5], chain.now + 60)];
    assert!(guard.read(&kept), "of two pieces one is new");
    assert_eq!(guard.latest().end(), Some(End::Agreement));
    let other = self::guard(&chain).with_journal(guard.journal().clone());
    assert_eq!(other.evidence(), guard.evidence());
}

#[test]
fn several_pieces_that_are_new_are_news() {
    let chain = Chain::new(Shape::CLASSROOM);
    let mut guard = guard(&chain);
    let kept = Journal {
        position: position(&MISSED[..5]),
        draws: vec![drawn(&MISSED[..5], chain.now + 60)],
        ..Journal::default()
    };
    assert!(guard.read(&kept));
    assert_eq!(*guard.journal(), kept);
}

#[test]
fn a_position_that_the_players_have_left_is_answered_when_a_clock_runs_there() {
    let mut chain = Chain::new(Shape::CLASSROOM);
    let mut guard = guard(&chain);
    guard.receive(&position(&MISSED[..6])).expect("signed");
    let old = position(&MISSED[..4]);
    chain.advance(&old, None).expect("signed");
    guard.see(chain.game, chain.now);
    assert_eq!(guard.duty(), None, "no clock runs");
    chain.press(Player::Two).expect("one is to move there");
    guard.see(chain.game, chain.now);
    assert_eq!(guard.chain(), &chain.game);
    let duty = guard.duty().expect("a clock runs");
    assert_eq!(duty, Duty::Advance(position(&MISSED[..6])));
    chain.perform(&duty).expect("in time");
    guard.see(chain.game, chain.now);
    assert_eq!(guard.duty(), None);
    // Where the player has to move a guard can do nothing.
    chain.press(Player::Two).expect("one is to move");
    guard.see(chain.game, chain.now);
    assert_eq!(guard.duty(), None);
    chain.now += u64::from(BANK) + 100;
    guard.see(chain.game, chain.now);
    assert_eq!(guard.duty(), None, "and it claims no timeout");
}

#[test]
fn a_line_is_contested_or_else_claimed_after_its_time() {
    let mut chain = Chain::new(Shape::CLASSROOM);
    chain.advance(&position(&WON), None).expect("signed");
    let last = chain.game.contest.expect("a line");
    let mut guard = guard(&chain);
    guard.see(chain.game, last);
    assert_eq!(guard.duty(), None, "somebody may contest it");
    guard.see(chain.game, last + 1);
    assert_eq!(guard.duty(), Some(Duty::Claim));
    // A machine's clock is enough to try it.
    guard.see(chain.game, last - 10);
    guard.pass_time(last - 5);
    assert_eq!(guard.duty(), None);
    guard.pass_time(last + 1);
    assert_eq!(guard.duty(), Some(Duty::Claim));
    // One that is slow does not count.
    guard.pass_time(0);
    assert_eq!(guard.duty(), None);
    guard.see(chain.game, last + 1);
    guard.pass_time(0);
    assert_eq!(guard.duty(), Some(Duty::Claim));

    guard.see(chain.game, last);
    guard.receive(&position(&MISSED)).expect("signed");
    let duty = guard.duty().expect("it has more moves");
    chain.now = last;
    chain.perform(&duty).expect("in the last second");
    assert_eq!(chain.game.contest, None);
    chain
        .advance(&resigned(Player::One, &[5]), None)
        .expect("signed");
    guard.see(chain.game, chain.now);
    assert_eq!(guard.duty(), None, "it is final");
    assert_eq!(guard.latest(), chain.game.game);
}

#[test]
fn an_end_that_both_have_signed_is_brought_at_once() {
    let chain = Chain::new(Shape::CLASSROOM);
    let ends = [
        position(&WON),
        resigned(Player::One, &MISSED[..3]),
        resigned(Player::Two, &MISSED[..3]),
        drawn(&MISSED[..3], chain.now + 60),
    ];
    for end in ends {
        let mut guard = guard(&chain);
        guard.receive(&position(&MISSED[..3])).expect("signed");
        assert_eq!(guard.duty(), None);
        guard.receive(&end).expect("signed");
        assert_eq!(guard.duty(), Some(Duty::Advance(end)));
        assert_eq!(guard.evidence(), &end, "and it is told");
    }
    let mut late = guard(&chain);
    late.receive(&drawn(&MISSED[..3], chain.now))
        .expect("signed");
    late.see(chain.game, chain.now + 1);
    assert_eq!(late.duty(), None, "the chain takes it no more");
    assert_eq!(late.evidence(), &Evidence::start());
}
