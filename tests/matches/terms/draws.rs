//! Resignation, and draws by agreement.

use connect4_protocol::{End, Error};
use connect4_testing::Account::{Alice, Bob, Eve};

use super::STAKE;
use crate::call::Call::*;
use crate::world::World;

#[test]
fn a_player_who_resigns_loses_whoever_is_to_move() {
    let world = World::new();
    for (resigns, wins) in [(Alice, Bob), (Bob, Alice)] {
        let game = world.a_match();
        let before = world.owed(wins);
        assert_eq!(world.refuses(Eve, Resign(game)), Error::NotAPlayer);
        world.does(resigns, Resign(game));
        assert_eq!(world.ended(game), (Some(End::Resignation), Some(wins)));
        assert_eq!(world.owed(wins) - before, 2 * STAKE);
        assert_eq!(world.refuses(wins, Resign(game)), Error::GameOver);
    }
    assert_eq!(world.refuses(Alice, Resign(2)), Error::NoSuchGame);
}

#[test]
fn an_offer_of_a_draw_outlives_a_move_of_its_maker_only() {
    let world = World::new();
    let game = world.a_match();
    world.does(Alice, OfferDraw(game));
    world.play(game, &[0]);
    assert_eq!(world.refuses(Alice, OfferDraw(game)), Error::AlreadyOffered);
    // A move of Bob declines the offer.
    world.play(game, &[1]);
    assert_eq!(world.refuses(Bob, AcceptDraw(game)), Error::NoOffer);
    assert_eq!(world.refuses(Bob, DeclineDraw(game)), Error::NoOffer);
    world.does(Alice, OfferDraw(game));
    world.play(game, &[0]);
    world.does(Bob, AcceptDraw(game));
    assert_eq!(world.ended(game), (Some(End::Agreement), None));
}

#[test]
fn a_draw_is_declined_or_agreed_by_two_offers() {
    let world = World::new();
    let game = world.a_match();
    assert_eq!(world.refuses(Bob, AcceptDraw(game)), Error::NoOffer);
    world.does(Alice, OfferDraw(game));
    assert_eq!(world.refuses(Eve, AcceptDraw(game)), Error::NotAPlayer);
    // Only the opponent accepts an offer; both end it.
    assert_eq!(world.refuses(Alice, AcceptDraw(game)), Error::NoOffer);
    world.does(Bob, DeclineDraw(game));
    assert_eq!(world.refuses(Bob, AcceptDraw(game)), Error::NoOffer);
    world.does(Alice, OfferDraw(game));
    world.does(Alice, DeclineDraw(game));
    assert_eq!(world.refuses(Bob, AcceptDraw(game)), Error::NoOffer);
    assert_eq!(world.refuses(Alice, DeclineDraw(game)), Error::NoOffer);
    world.does(Bob, OfferDraw(game));
    world.does(Alice, OfferDraw(game));
    assert_eq!(world.ended(game), (Some(End::Agreement), None));
    assert_eq!(world.refuses(Alice, OfferDraw(game)), Error::GameOver);
    assert_eq!(world.refuses(Alice, OfferDraw(9)), Error::NoSuchGame);
}

#[test]
fn an_offer_of_a_draw_stops_no_clock() {
    let world = World::new();
    let game = world.a_match();
    world.play(game, &[0, 1]);
    world.does(Alice, OfferDraw(game));
    world.wait(306);
    world.does(Bob, ClaimTimeout(game));
    assert_eq!(world.ended(game), (Some(End::Timeout), Some(Bob)));
    assert_eq!(world.refuses(Bob, AcceptDraw(game)), Error::GameOver);
}

/// Else the late player would save half of the stakes that a claim gives to the other.
#[test]
fn an_offer_of_a_draw_lapses_at_the_deadline_of_who_could_accept_it() {
    let world = World::new();
    let game = world.a_match();
    world.play(game, &[0, 1]);
    world.does(Alice, OfferDraw(game));
    world.play(game, &[0]);
    let deadline = world.game(game).unwrap().deadline().unwrap();
    world.wait_until(deadline + 1);
    assert_eq!(world.refuses(Bob, AcceptDraw(game)), Error::NoOffer);
    assert_eq!(world.refuses(Bob, DeclineDraw(game)), Error::NoOffer);
    assert_eq!(world.refuses(Alice, OfferDraw(game)), Error::OutOfTime);
    world.does(Alice, ClaimTimeout(game));
    assert_eq!(world.ended(game), (Some(End::Timeout), Some(Alice)));
    assert_eq!((world.owed(Alice), world.owed(Bob)), (2 * STAKE, 0));
}

#[test]
fn an_offer_of_a_draw_can_be_accepted_at_the_deadline() {
    let world = World::new();
    let game = world.a_match();
    world.does(Bob, OfferDraw(game));
    let deadline = world.game(game).unwrap().deadline().unwrap();
    world.wait_until(deadline);
    world.does(Alice, AcceptDraw(game));
    assert_eq!(world.ended(game), (Some(End::Agreement), None));
}

#[test]
fn who_waits_can_give_a_late_player_a_draw() {
    let world = World::new();
    let game = world.a_match();
    world.play(game, &[0, 1]);
    world.wait(1_000);
    world.does(Alice, OfferDraw(game));
    world.does(Bob, AcceptDraw(game));
    assert_eq!(world.ended(game), (Some(End::Agreement), None));
}

#[test]
fn a_bare_game_can_be_resigned_and_drawn() {
    let world = World::new();
    let game = world.a_bare_game();
    world.does(Bob, Resign(game));
    assert_eq!(world.ended(game), (Some(End::Resignation), Some(Alice)));
    let game = world.a_bare_game();
    world.does(Bob, OfferDraw(game));
    world.does(Alice, AcceptDraw(game));
    assert_eq!(world.ended(game), (Some(End::Agreement), None));
    assert_eq!(world.refuses(Bob, Settle(game)), Error::NothingToSettle);
}
