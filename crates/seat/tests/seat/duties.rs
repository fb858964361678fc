//! What a seat has to do on the chain, for whom it waits, and what it says of the game, case by case.

use connect4_protocol::signed::staked_room::Offer;
use connect4_protocol::signed::{Evidence, Kind, Moves, SignedEnd, Signing as _};
use connect4_protocol::{ClockSpec, End, Error};
use connect4_rules::{Bin, Player, Shape};
use connect4_seat::{Duty, Journal, Moved, OFFER_STANDS, Press, Received, Seat, SeatError};

use crate::world::{
    BANK, Chain, Disk, TestSeat, drop, forge, key, play, press, seat, signed, started,
};

/// A full board of 6x4 without a line.
const FULL: [u8; 24] = [
    0, 1, 0, 2, 0, 0, 3, 1, 2, 1, 1, 2, 3, 3, 5, 3, 5, 5, 4, 4, 4, 5, 4, 2,
];
/// Red drops 5, 4, 3, and then 1, where 2 had won.
pub const MISSED: [u8; 8] = [5, 0, 4, 0, 3, 0, 1, 1];
pub const WON: [u8; 7] = [5, 0, 4, 0, 3, 0, 2];

pub fn new(honest: Player) -> (Chain, Disk, TestSeat) {
    let chain = Chain::new(Shape::CLASSROOM);
    let disk = Disk::default();
    let seat = seat(honest, &disk, &chain);
    (chain, disk, seat)
}

pub fn resigned(by: Player, moves: &[u8]) -> Evidence {
    signed(by, moves, Some(SignedEnd::Resignation(by)))
}

/// A draw that the honest player has offered after its move, and the opponent has accepted.
pub fn accept(offer: &Offer) -> Evidence {
    let until = offer.until;
    let kind = Kind::Draw { until };
    offer.accepted(forge(offer.by.opponent(), kind, &offer.moves))
}

fn offer(by: Player, until: u64, moves: &[u8]) -> Offer {
    Offer {
        by,
        until,
        moves: Moves::from_bins(moves).expect("few moves"),
        signature: forge(by, Kind::Draw { until }, moves),
    }
}

/// A page without a node does not know the time of the newest block. A draw that has lapsed by the machine's
/// clock, which no block takes, would keep it from answering a press.
#[test]
fn a_draw_that_has_lapsed_is_not_brought_for_want_of_a_blocks_time() {
    let (mut chain, _, mut honest) = new(Player::Two);
    play(&mut honest, &mut chain, &MISSED[..5]);
    let until = chain.now + OFFER_STANDS;
    honest.see(chain.game, 0);
    honest.pass_time(chain.now);
    let offered = offer(Player::One, until, &MISSED[..5]);
    honest.receive_offer(&offered).expect("it stands");
    let draw = honest.accept_draw().expect("it stands");
    assert_eq!(honest.duty(), Some(Duty::Advance(draw)));
    // Nobody brings it, and later the opponent presses in an older position.
    chain.now = until + 1;
    let stale = signed(Player::One, &MISSED[..1], None);
    chain.advance(&stale, Some(Player::One)).expect("signed");
    honest.see(chain.game, 0);
    honest.pass_time(chain.now);
    let position = honest.journal().position;
    assert_eq!(honest.duty(), Some(Duty::Advance(position)));
    assert_eq!(honest.settlement(), None, "the game goes on");
    chain.advance(&position, None).expect("in time");
    assert!(chain.advance(&draw, None).is_err());
    honest.see(chain.game, 0);
    assert_eq!(honest.duty(), None);
    assert_eq!(honest.settlement(), None);
}

/// The clock that runs is that of the position that both hold.
#[test]
fn a_position_that_the_chain_knows_is_shown_with_its_clock() {
    let (mut chain, _, mut honest) = new(Player::Two);
    play(&mut honest, &mut chain, &MISSED[..3]);
    let position = honest.journal().position;
    chain.advance(&position, Some(Player::One)).expect("signed");
    honest.see(chain.game, chain.now);
    assert!(chain.game.clock.is_some());
    assert!(honest.deadline().is_some());
    assert_eq!(honest.latest(), chain.game.game);
}

/// A draw could still be overtaken by a move.
#[test]
fn a_resignation_is_told_rather_than_a_draw() {
    let (mut chain, _, mut honest) = new(Player::Two);
    play(&mut honest, &mut chain, &MISSED[..4]);
    let offered = honest.offer_draw(chain.now + OFFER_STANDS).expect("moved");
    let draw = accept(&offered);
    honest.receive(&draw).expect("signed by both");
    assert_eq!(*honest.evidence(), draw);
    let theirs = resigned(Player::One, &MISSED[..3]);
    honest.receive(&theirs).expect("signed");
    assert_eq!(*honest.evidence(), theirs);
}

/// Either resignation could be brought first.
#[test]
fn of_two_who_have_resigned_the_opponent_has_lost() {
    for player in Player::ALL {
        let (mut chain, _, mut honest) = new(player);
        play(&mut honest, &mut chain, &MISSED[..2]);
        honest.resign().expect("it goes on");
        assert_eq!(honest.latest().winner(), Some(player.opponent()));
        let theirs = resigned(player.opponent(), &MISSED[..1]);
        honest.receive(&theirs).expect("signed");
        assert_eq!(honest.latest().winner(), Some(player));
        let own = honest.journal().resignations.get(player).as_ref();
        assert_eq!(Some(honest.evidence()), own, "what it stands by is told");
    }
}

/// The moves of a game that is resigned go to the chain first, unless the next one would fill the board.
#[test]
fn the_moves_come_before_a_resignation_as_long_as_nothing_else_can_end_the_game() {
    for (len, is_first) in [(2, true), (22, true), (23, false)] {
        let (mut chain, _, mut honest) = new(Player::Two);
        play(&mut honest, &mut chain, &FULL[..len]);
        let position = honest.journal().position;
        let early = resigned(Player::One, &FULL[..1]);
        honest.receive(&early).expect("signed");
        let first = if is_first { position } else { early };
        assert_eq!(honest.duty(), Some(Duty::Advance(first)), "{len} moves");
        assert_eq!(honest.patience(&Duty::Advance(first)), 0);
        if !is_first {
            continue;
        }
        chain.advance(&position, None).expect("signed");
        honest.see(chain.game, chain.now);
        assert_eq!(honest.duty(), Some(Duty::Advance(early)));
    }
    // At as many moves as are held nothing comes before it.
    let (mut chain, _, mut honest) = new(Player::Two);
    play(&mut honest, &mut chain, &FULL[..2]);
    let same = resigned(Player::One, &FULL[..2]);
    honest.receive(&same).expect("signed");
    assert_eq!(honest.duty(), Some(Duty::Advance(same)));
}

#[test]
fn a_resignation_comes_first_where_the_opponent_could_end_the_game_by_a_draw() {
    let (mut chain, _, mut honest) = new(Player::Two);
    play(&mut honest, &mut chain, &FULL[..2]);
    let until = chain.now + OFFER_STANDS;
    honest.offer_draw(until).expect("after its move");
    let position = honest.journal().position;
    let early = resigned(Player::One, &FULL[..1]);
    honest.receive(&early).expect("signed");
    // The opponent has the offer until its last second.
    for now in [chain.now, until] {
        honest.see(chain.game, now);
        assert_eq!(honest.duty(), Some(Duty::Advance(early)));
    }
    honest.see(chain.game, until + 1);
    assert_eq!(honest.duty(), Some(Duty::Advance(position)));

    // The same with a draw that both have signed, whoever offered it.
    let (mut chain, _, mut honest) = new(Player::Two);
    play(&mut honest, &mut chain, &FULL[..3]);
    let offer = self::offer(Player::One, until, &FULL[..3]);
    honest.receive_offer(&offer).expect("after its move");
    let draw = honest.accept_draw().expect("it stands");
    assert_eq!(honest.duty(), Some(Duty::Advance(draw)));
    honest.receive(&early).expect("signed");
    let position = honest.journal().position;
    assert_eq!(honest.duty(), Some(Duty::Advance(early)));
    honest.see(chain.game, until + 1);
    assert_eq!(honest.duty(), Some(Duty::Advance(position)));
}

#[test]
fn a_resignation_comes_first_where_a_time_runs_or_the_moves_are_a_line_of_the_opponent() {
    // A clock runs.
    let (mut chain, _, mut honest) = new(Player::Two);
    play(&mut honest, &mut chain, &FULL[..4]);
    let early = resigned(Player::One, &FULL[..1]);
    let old = signed(Player::One, &FULL[..2], None);
    chain.advance(&old, Some(Player::Two)).expect("signed");
    honest.see(chain.game, chain.now);
    honest.receive(&early).expect("signed");
    assert_eq!(honest.duty(), Some(Duty::Advance(early)));

    // A line can be contested.
    let (mut chain, _, mut honest) = new(Player::Two);
    play(&mut honest, &mut chain, &MISSED);
    let back = signed(Player::One, &WON, None);
    chain.advance(&back, None).expect("signed");
    honest.see(chain.game, chain.now);
    let early = resigned(Player::One, &MISSED[..1]);
    honest.receive(&early).expect("signed");
    assert_eq!(honest.duty(), Some(Duty::Advance(early)));

    // The longest position is lost.
    let (mut chain, _, mut honest) = new(Player::Two);
    play(&mut honest, &mut chain, &WON[..6]);
    let early = resigned(Player::One, &WON[..1]);
    honest.receive(&early).expect("signed");
    honest
        .receive(&signed(Player::One, &WON, None))
        .expect("signed");
    assert_eq!(honest.journal().resignations.two, None, "it has won");
    assert_eq!(honest.duty(), Some(Duty::Advance(early)));
    assert_eq!(honest.latest().winner(), Some(Player::Two));
}

/// What both know ends as it was signed, with the moves of the longest position.
#[test]
fn a_game_that_was_resigned_is_shown_with_all_its_moves() {
    let (mut chain, _, mut honest) = new(Player::Two);
    play(&mut honest, &mut chain, &FULL[..4]);
    honest
        .receive(&resigned(Player::One, &FULL[..1]))
        .expect("signed");
    let latest = honest.latest();
    assert_eq!((latest.turns(), latest.end()), (4, Some(End::Resignation)));
    assert_eq!(latest.winner(), Some(Player::Two));
    assert_eq!(honest.evidence(), &resigned(Player::One, &FULL[..1]));

    // By an own line it was won before.
    let moves = [0, 1, 0, 1, 0, 1, 3, 1];
    let (mut chain, _, mut honest) = new(Player::Two);
    play(&mut honest, &mut chain, &moves);
    honest
        .receive(&resigned(Player::One, &moves[..1]))
        .expect("signed");
    let latest = honest.latest();
    assert_eq!((latest.turns(), latest.end()), (8, Some(End::Line)));
    assert_eq!(
        honest.receive(&resigned(Player::One, &[])),
        Ok(Received::Known)
    );

    // A draw is shown at its own moves.
    let (mut chain, _, mut honest) = new(Player::Two);
    play(&mut honest, &mut chain, &FULL[..2]);
    let offered = honest
        .offer_draw(chain.now + OFFER_STANDS)
        .expect("after its move");
    let draw = accept(&offered);
    play(&mut honest, &mut chain, &FULL[..3]);
    honest.receive(&draw).expect("signed");
    let latest = honest.latest();
    assert_eq!((latest.turns(), latest.end()), (2, Some(End::Agreement)));
}

#[test]
fn a_draw_is_waited_for_until_half_a_minute_before_it_lapses() {
    let (mut chain, _, mut honest) = new(Player::Two);
    play(&mut honest, &mut chain, &FULL[..2]);
    let until = chain.now + OFFER_STANDS;
    let draw = accept(&honest.offer_draw(until).expect("after its move"));
    honest.receive(&draw).expect("signed");
    let duty = honest.duty().expect("the chain does not know it");
    for (left, patience) in [(60, 10), (31, 10), (30, 0), (29, 0)] {
        honest.see(chain.game, until - left);
        honest.pass_time(0);
        assert_eq!(honest.patience(&duty), patience, "{left} s");
    }
    // By a machine's clock that is fast, too, as nothing is lost by it.
    honest.see(chain.game, chain.now);
    honest.pass_time(until - 30);
    assert_eq!(honest.patience(&duty), 0);
    // What was offered at other moves, or for another time, is the opponent's.
    let (mut chain, _, mut other) = new(Player::Two);
    play(&mut other, &mut chain, &FULL[..2]);
    other.offer_draw(until - 1).expect("after its move");
    assert_eq!(other.patience(&duty), 0);
    let (mut chain, _, mut other) = new(Player::Two);
    play(&mut other, &mut chain, &FULL[..4]);
    other.offer_draw(until).expect("after its move");
    assert_eq!(other.patience(&duty), 0);
}

/// Where nothing has to be brought a seat claims, at the first second at which the chain takes it.
#[test]
fn a_timeout_is_claimed_after_the_last_second() {
    let (mut chain, _, mut honest) = new(Player::Two);
    play(&mut honest, &mut chain, &FULL[..2]);
    press(&mut chain, Player::Two, &honest.press().expect("it waits")).expect("signed");
    let last = chain.now + u64::from(BANK);
    honest.see(chain.game, last);
    assert_eq!(honest.deadline(), Some(last));
    assert_eq!(honest.duty(), None);
    // A machine's clock is enough to try it.
    honest.pass_time(last + 1);
    assert_eq!((honest.now(), honest.duty()), (last + 1, Some(Duty::Claim)));
    honest.pass_time(last - 1);
    assert_eq!((honest.now(), honest.duty()), (last, None));
    honest.see(chain.game, last + 1);
    assert_eq!((honest.now(), honest.duty()), (last + 1, Some(Duty::Claim)));
    honest.see(chain.game, last);
    assert_eq!(honest.now(), last + 1, "the guess only grows by a block");
}

/// The own time: whoever is late itself claims nothing.
#[test]
fn a_player_who_is_late_claims_nothing() {
    let (mut chain, _, mut honest) = new(Player::One);
    play(&mut honest, &mut chain, &FULL[..2]);
    chain
        .advance(&honest.journal().position, Some(Player::Two))
        .expect("signed");
    chain.now = chain.game.deadline().expect("it runs") + 1;
    honest.see(chain.game, chain.now);
    assert_eq!(honest.duty(), None);
    assert!(!honest.is_lost(), "nobody has claimed it");
}

/// A game would be aborted for a late first move, which still counts as long as nobody claims.
#[test]
fn a_player_who_is_late_with_its_first_move_does_not_abort_the_game() {
    let (mut chain, _, mut honest) = new(Player::One);
    chain.press(Player::Two).expect("one is to move");
    chain.now = chain.game.deadline().expect("it runs") + 1;
    honest.see(chain.game, chain.now);
    assert_eq!(honest.duty(), None);

    let (mut chain, _, mut honest) = new(Player::Two);
    chain.drop(Player::One, Bin::new(0)).expect("its turn");
    chain.now = chain.game.deadline().expect("it runs") + 1;
    honest.see(chain.game, chain.now);
    assert_eq!(honest.duty(), None);
    honest.pass_time(chain.now + 1);
    assert_eq!(honest.duty(), None);
}

/// A player that never begins keeps no stake.
#[test]
fn an_opponent_that_never_begins_is_late() {
    let (mut chain, _, mut honest) = new(Player::Two);
    chain.press(Player::Two).expect("one is to move");
    chain.now = chain.game.deadline().expect("it runs") + 1;
    honest.see(chain.game, chain.now);
    assert_eq!(honest.duty(), Some(Duty::Claim));
    chain.perform(&Duty::Claim).expect("it is late");
    assert_eq!(chain.game.game.end(), Some(End::Abort));
}

/// The opponent can still move, after a day in which its first move was not brought to the chain.
#[test]
fn a_position_is_brought_rather_than_the_game_aborted() {
    let clock = ClockSpec {
        bank: 30 * 86_400,
        increment: 0,
    };
    let mut chain = Chain::new(Shape::CLASSROOM);
    chain.game = started(Shape::CLASSROOM, Some(clock));
    let subject = chain.subject();
    let (journal, key) = (Journal::default(), key(Player::Two));
    let disk = Disk::default();
    let mut honest =
        Seat::new(subject, key, journal, disk, chain.game, chain.now).expect("its key");
    chain.press(Player::Two).expect("one is to move");
    play(&mut honest, &mut chain, &FULL[..4]);
    honest.see(chain.game, chain.now + 86_401);
    let position = honest.journal().position;
    assert_eq!(honest.duty(), Some(Duty::Advance(position)));
}

/// A resignation at another move of the last turn is shown with that move, which the chain will have.
#[test]
fn a_resignation_at_as_many_moves_is_shown_as_it_is() {
    let (mut chain, _, mut honest) = new(Player::Two);
    play(&mut honest, &mut chain, &FULL[..3]);
    let other = [FULL[0], FULL[1], 5];
    honest
        .receive(&resigned(Player::One, &other))
        .expect("signed");
    let shown = chain.subject().replay(&other).expect("legal");
    assert_eq!(honest.latest().board(), shown.board());
}

/// Of what ends the game alike, evidence comes before a claim.
#[test]
fn a_resignation_comes_before_a_claim() {
    let (mut chain, _, mut honest) = new(Player::Two);
    play(&mut honest, &mut chain, &FULL[..2]);
    press(&mut chain, Player::Two, &honest.press().expect("it waits")).expect("signed");
    honest.see(chain.game, chain.now + u64::from(BANK) + 1);
    assert_eq!(honest.duty(), Some(Duty::Claim));
    let resigned = resigned(Player::One, &FULL[..2]);
    honest.receive(&resigned).expect("signed");
    assert_eq!(honest.duty(), Some(Duty::Advance(resigned)));
}

/// A player who has resigned ends the game as it has said, as soon as a clock runs for it.
#[test]
fn the_own_resignation_is_brought_when_a_clock_runs() {
    let (mut chain, _, mut honest) = new(Player::Two);
    play(&mut honest, &mut chain, &FULL[..3]);
    let own = honest.resign().expect("the game goes on");
    assert_eq!(honest.resign(), Err(SeatError::Refused(Error::GameOver)));
    assert_eq!((honest.duty(), honest.settlement()), (None, Some(own)));
    assert!(honest.is_lost() && honest.has_lost());
    assert_eq!(honest.evidence(), &own);
    let old = signed(Player::One, &FULL[..1], None);
    chain.advance(&old, Some(Player::One)).expect("signed");
    honest.see(chain.game, chain.now);
    assert_eq!(honest.duty(), Some(Duty::Advance(own)));
    assert!(!honest.is_lost() && !honest.has_lost(), "it has to stay");
    // Whoever has resigned offers and accepts nothing.
    let none = Err(SeatError::Refused(Error::GameOver));
    assert_eq!(honest.offer_draw(chain.now + 9), none);
}

/// It would else take by a clock what it has given up.
#[test]
fn a_player_who_has_resigned_claims_no_timeout() {
    let (mut chain, _, mut honest) = new(Player::Two);
    play(&mut honest, &mut chain, &FULL[..2]);
    press(&mut chain, Player::Two, &honest.press().expect("it waits")).expect("signed");
    let own = honest.resign().expect("the game goes on");
    for late in [0, 1] {
        honest.see(chain.game, chain.now + u64::from(BANK) + late);
        assert_eq!(honest.duty(), Some(Duty::Advance(own)));
    }

    // A line on the chain, which a block that is gone had hidden, ends the game all the same.
    let moves = [0, 1, 0, 1, 0, 1, 3];
    let (mut chain, _, mut honest) = new(Player::Two);
    play(&mut honest, &mut chain, &moves);
    honest.resign().expect("the game goes on");
    let position = honest.journal().position;
    chain.advance(&position, None).expect("signed");
    chain.drop(Player::Two, Bin::new(1)).expect("its turn");
    let last = chain.game.contest.expect("a line");
    honest.see(chain.game, last + 1);
    assert_eq!(honest.duty(), Some(Duty::Claim));
}

#[test]
fn an_offer_stands_for_two_minutes_at_most_and_in_its_last_second() {
    let (mut chain, _, mut honest) = new(Player::Two);
    play(&mut honest, &mut chain, &FULL[..3]);
    let none = Err(SeatError::Refused(Error::NoOffer));
    let at = |until| offer(Player::One, until, &FULL[..3]);
    assert_eq!(honest.receive_offer(&at(chain.now - 1)), none);
    assert_eq!(
        honest.receive_offer(&at(chain.now + 2 * OFFER_STANDS + 1)),
        none
    );
    for until in [chain.now, chain.now + 2 * OFFER_STANDS] {
        let (mut chain, _, mut honest) = new(Player::Two);
        play(&mut honest, &mut chain, &FULL[..3]);
        assert_eq!(honest.receive_offer(&at(until)), Ok(Received::News));
        assert_eq!(honest.receive_offer(&at(until)), Ok(Received::Known));
        assert_eq!(honest.offer(), Some(&at(until)));
    }
    assert_eq!(honest.receive_offer(&at(chain.now)), Ok(Received::News));
    // Its own comes back from the relay, and one at another position or turn is none.
    let own = offer(Player::Two, chain.now, &FULL[..3]);
    assert_eq!(honest.receive_offer(&own), Ok(Received::Known));
    let before = offer(Player::One, chain.now, &FULL[..1]);
    assert_eq!(honest.receive_offer(&before), none);
    assert!(honest.decline_draw());
    assert!(!honest.decline_draw());
    assert_eq!(honest.offer(), None);
    drop(&mut honest, &mut chain, FULL[3]).expect("legal");
    let its_turn = offer(Player::One, chain.now, &FULL[..4]);
    assert_eq!(honest.receive_offer(&its_turn), none);

    // The own offer is over with its time, and another one can be made.
    let until = chain.now + OFFER_STANDS;
    honest.offer_draw(until).expect("after its move");
    honest.see(chain.game, until + 1);
    assert_eq!(honest.offered(), None);
    assert!(honest.offer_draw(until + OFFER_STANDS).is_ok());
}

/// The chain takes no draw at fewer moves than it knows.
#[test]
fn no_offer_stands_where_the_game_has_gone_on_on_the_chain() {
    let (mut chain, _, mut honest) = new(Player::Two);
    play(&mut honest, &mut chain, &FULL[..3]);
    let offer = offer(Player::One, chain.now + OFFER_STANDS, &FULL[..3]);
    honest.receive_offer(&offer).expect("after its move");
    let position = honest.journal().position;
    chain.advance(&position, None).expect("signed");
    chain.drop(Player::Two, Bin::new(5)).expect("its turn");
    chain.drop(Player::One, Bin::new(5)).expect("its turn");
    honest.see(chain.game, chain.now);
    assert_eq!(honest.latest().to_move(), Some(Player::Two));
    assert_eq!(honest.offer(), None);
}

/// Until the opponent signs what is on the chain, draws can't be offered, and moves are made there.
#[test]
fn a_game_on_the_chain_goes_on_there_until_it_is_signed() {
    let (mut chain, _, mut honest) = new(Player::One);
    play(&mut honest, &mut chain, &FULL[..2]);
    let position = honest.journal().position;
    chain.advance(&position, None).expect("signed");
    honest.see(chain.game, chain.now);
    assert!(!honest.is_on_chain());
    chain.drop(Player::One, Bin::new(5)).expect("its turn");
    honest.see(chain.game, chain.now);
    assert!(honest.is_on_chain());
    assert_eq!(honest.latest().turns(), 3);
    let none = Err(SeatError::Refused(Error::NoOffer));
    assert_eq!(honest.offer_draw(chain.now + 9), none);
    assert_eq!(honest.press(), Err(Error::ClockRuns));
    chain.drop(Player::Two, Bin::new(5)).expect("its turn");
    honest.see(chain.game, chain.now);
    assert_eq!(honest.drop(Bin::new(4)), Ok(Moved::OnChain(Bin::new(4))));
    assert_eq!(honest.player(), Player::One);
    assert_eq!(honest.key().address(), key(Player::One).address());
    assert_eq!(honest.chain(), &chain.game);
}

#[test]
fn a_clock_is_pressed_with_news_or_alone() {
    let (mut chain, _, mut honest) = new(Player::Two);
    honest.see(started(Shape::CLASSROOM, None), chain.now);
    assert_eq!(honest.press(), Err(Error::NoClock));
    honest.see(chain.game, chain.now);
    assert_eq!(honest.press(), Ok(Press::Alone), "one never begins");
    play(&mut honest, &mut chain, &FULL[..2]);
    assert_eq!(honest.press(), Ok(Press::With(honest.journal().position)));
    chain
        .advance(&honest.journal().position, None)
        .expect("signed");
    honest.see(chain.game, chain.now);
    assert_eq!(honest.press(), Ok(Press::Alone));
    chain.press(Player::Two).expect("one is to move");
    honest.see(chain.game, chain.now);
    assert_eq!(honest.press(), Err(Error::ClockRuns));
    // News on top of a clock that runs.
    play(&mut honest, &mut chain, &FULL[..4]);
    assert_eq!(honest.press(), Ok(Press::With(honest.journal().position)));
}
