//! Rematches: offers, seats and the score of a series.

use connect4_protocol::{Error, Score};
use connect4_testing::Account::{Alice, Bob, Eve};
use connect4_testing::local::TOKEN;

use super::{BLUE_WINS, RED_WINS, STAKE};
use crate::call::Call::*;
use crate::world::World;

#[test]
fn the_loser_moves_first_in_the_rematch() {
    let world = World::new();
    for (moves, seats) in [
        (&RED_WINS[..], [Bob, Alice]),
        (&BLUE_WINS[..], [Alice, Bob]),
    ] {
        let game = world.a_match();
        world.play(game, moves);
        world.does(Alice, OfferRematch(game, STAKE));
        let next = world.does(Bob, AcceptRematch(game, STAKE)).number();
        assert_eq!(world.seats(next), seats);
        assert_eq!(world.match_of(next).unwrap().previous, Some(game));
        assert_eq!(world.match_of(game).unwrap().next, Some(next));
        assert_eq!(world.match_of(next).unwrap().stake, STAKE);
        assert_eq!(
            world.game(next).unwrap().deadline(),
            Some(world.now() + 300),
            "with the same clock"
        );
    }
}

#[test]
fn after_a_draw_the_seats_are_swapped() {
    let world = World::new();
    let game = world.a_match();
    world.does(Alice, OfferDraw(game));
    world.does(Bob, AcceptDraw(game));
    world.does(Bob, OfferRematch(game, STAKE));
    // A second offer accepts the first.
    let next: Option<u32> = world.does(Alice, OfferRematch(game, STAKE)).returned();
    assert_eq!(world.seats(next.unwrap()), [Bob, Alice]);
}

#[test]
fn after_an_abort_the_seats_stay() {
    let world = World::new();
    let game = world.a_match();
    world.wait(301);
    world.does(Bob, ClaimTimeout(game));
    world.does(Alice, OfferRematch(game, STAKE));
    let next = world.does(Bob, AcceptRematch(game, STAKE)).number();
    assert_eq!(world.seats(next), [Alice, Bob]);
    assert_eq!(
        world.score(next),
        Score::default(),
        "an aborted game does not count"
    );
}

#[test]
fn a_series_keeps_its_score() {
    let world = World::new();
    let again = |game| {
        world.does(Alice, OfferRematch(game, STAKE));
        world.does(Bob, AcceptRematch(game, STAKE)).number()
    };
    let score = |one, two, draws| Score { one, two, draws };
    let first = world.a_match();
    assert_eq!(world.score(first), score(0, 0, 0));
    world.play(first, &RED_WINS);

    let second = again(first);
    assert_eq!(world.seats(second), [Bob, Alice]);
    assert_eq!(world.score(second), score(0, 1, 0), "Alice leads");
    world.play(second, &BLUE_WINS);

    let third = again(second);
    assert_eq!(world.seats(third), [Bob, Alice]);
    assert_eq!(world.score(third), score(0, 2, 0));
    world.does(Bob, OfferDraw(third));
    world.does(Alice, AcceptDraw(third));

    let fourth = again(third);
    assert_eq!(world.seats(fourth), [Alice, Bob]);
    assert_eq!(world.score(fourth), score(2, 0, 1));
    world.does(Alice, Resign(fourth));
    assert_eq!(world.score(again(fourth)), score(2, 1, 1));
}

#[test]
fn a_rematch_is_offered_after_the_end_by_a_player_for_the_stake() {
    let world = World::new();
    let game = world.a_match();
    assert_eq!(
        world.refuses(Alice, OfferRematch(game, STAKE)),
        Error::GameNotOver
    );
    assert_eq!(
        world.refuses(Alice, OfferRematch(9, STAKE)),
        Error::NoSuchGame
    );
    world.play(game, &RED_WINS);
    assert_eq!(
        world.refuses(Eve, OfferRematch(game, STAKE)),
        Error::NotAPlayer
    );
    for paid in [0, STAKE + TOKEN] {
        assert_eq!(
            world.refuses(Alice, OfferRematch(game, paid)),
            Error::WrongStake
        );
    }
    world.does(Alice, OfferRematch(game, STAKE));
    assert_eq!(
        world.refuses(Alice, OfferRematch(game, STAKE)),
        Error::AlreadyOffered
    );
    assert_eq!(
        world.refuses(Alice, AcceptRematch(game, STAKE)),
        Error::NoOffer,
        "of the opponent"
    );
    assert_eq!(
        world.refuses(Eve, AcceptRematch(game, STAKE)),
        Error::NotAPlayer
    );
    assert_eq!(world.refuses(Eve, DeclineRematch(game)), Error::NotAPlayer);
    assert_eq!(
        world.refuses(Bob, AcceptRematch(game, 2 * STAKE)),
        Error::WrongStake
    );
    world.does(Bob, DeclineRematch(game));
    assert_eq!(
        world.refuses(Bob, AcceptRematch(game, STAKE)),
        Error::NoOffer
    );
    assert_eq!(world.refuses(Bob, DeclineRematch(game)), Error::NoOffer);
    world.does(Bob, OfferRematch(game, STAKE));
    world.does(Alice, AcceptRematch(game, STAKE));
    for call in [
        OfferRematch(game, STAKE),
        AcceptRematch(game, STAKE),
        DeclineRematch(game),
    ] {
        assert_eq!(world.refuses(Alice, call), Error::RematchStarted);
    }
}
