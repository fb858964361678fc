//! Match state: offers of a draw, rematches, settling, and which error comes first.

use connect4_protocol::{Address, DrawOffer, End, Error, Game, Match, Score, payout};
use connect4_rules::{ByPlayer, Outcome, Player, Shape};

use crate::common::{ALICE, BOB, CHARLIE, CLOCK, aborted, drawn, drop, start, won};

/// When the offers below are made, in games without a clock.
const NOW: u64 = 1_700_000_000;

/// A match for a stake of 100 each.
fn staked() -> Match {
    Match {
        stake: 100,
        clock: Some(CLOCK),
        ..Match::default()
    }
}

/// A call that has to be refused, and leave match state and game as they were.
fn refused<T: std::fmt::Debug>(
    state: &mut Match,
    game: &mut Game,
    call: impl FnOnce(&mut Match, &mut Game) -> Result<T, Error>,
) -> Error {
    let before = (*state, *game);
    let error = call(state, game).expect_err("a refusal");
    assert_eq!((*state, *game), before);
    error
}

#[test]
fn a_draw_is_offered_and_accepted() {
    let (mut state, mut game) = (Match::default(), start(Shape::STANDARD));
    assert_eq!(state.draw_offer(&game, NOW), None);
    drop(&mut game, ALICE, 3);
    // In turn or not.
    assert_eq!(state.offer_draw(&mut game, ALICE, NOW), Ok(false));
    assert_eq!(state.draw_offer(&game, NOW), Some(Player::One));
    let offer = DrawOffer {
        by: Player::One,
        turns: 0,
    };
    assert_eq!(state.draw, Some(offer));
    assert_eq!(state.accept_draw(&mut game, BOB, NOW), Ok(()));
    assert_eq!(game.end(), Some(End::Agreement));
    assert_eq!(state, Match::default());
}

#[test]
fn two_offers_of_a_draw_are_an_agreement() {
    let (mut state, mut game) = (Match::default(), start(Shape::STANDARD));
    assert_eq!(state.offer_draw(&mut game, BOB, NOW), Ok(false));
    assert!(!game.is_over());
    assert_eq!(state.offer_draw(&mut game, ALICE, NOW), Ok(true));
    assert_eq!(game.end(), Some(End::Agreement));
    assert_eq!((state.draw, state.draw_offer(&game, NOW)), (None, None));
}

#[test]
fn a_draw_is_declined() {
    let (mut state, mut game) = (Match::default(), start(Shape::STANDARD));
    state.offer_draw(&mut game, ALICE, NOW).unwrap();
    assert_eq!(state.decline_draw(&game, BOB, NOW), Ok(()));
    assert_eq!(state.draw_offer(&game, NOW), None);
    assert!(!game.is_over());
    assert_eq!(
        state.offer_draw(&mut game, ALICE, NOW),
        Ok(false),
        "once more"
    );
}

#[test]
fn who_offers_a_draw_takes_it_back() {
    let (mut state, mut game) = (Match::default(), start(Shape::STANDARD));
    state.offer_draw(&mut game, ALICE, NOW).unwrap();
    assert_eq!(state.decline_draw(&game, ALICE, NOW), Ok(()));
    assert_eq!(state.accept_draw(&mut game, BOB, NOW), Err(Error::NoOffer));
    assert_eq!(state.decline_draw(&game, ALICE, NOW), Err(Error::NoOffer));
}

/// Else a late player would get half of what a claim gives to the other.
#[test]
fn an_offer_of_a_draw_lapses_at_the_deadline_of_who_could_accept_it() {
    let mut state = Match::default();
    let mut game = start(Shape::STANDARD).timed(CLOCK, NOW);
    state.offer_draw(&mut game, BOB, NOW).unwrap();
    let deadline = game.deadline().unwrap();
    assert_eq!(state.draw_offer(&game, deadline), Some(Player::Two));
    let late = deadline + 1;
    assert_eq!(state.draw_offer(&game, late), None);
    assert_eq!(
        state.accept_draw(&mut game, ALICE, late),
        Err(Error::NoOffer)
    );
    assert_eq!(
        state.offer_draw(&mut game, BOB, late),
        Err(Error::OutOfTime)
    );
    // The late player may ask for a draw, and who waits may agree.
    assert_eq!(state.offer_draw(&mut game, ALICE, late), Ok(false));
    assert_eq!(state.accept_draw(&mut game, BOB, late), Ok(()));
}

#[test]
fn an_offer_of_a_draw_lapses_with_the_opponents_next_turn() {
    let (mut state, mut game) = (Match::default(), start(Shape::STANDARD));
    drop(&mut game, ALICE, 3);
    drop(&mut game, BOB, 3);
    state.offer_draw(&mut game, ALICE, NOW).unwrap();
    drop(&mut game, ALICE, 3);
    assert_eq!(
        state.draw_offer(&game, NOW),
        Some(Player::One),
        "her own turn"
    );
    drop(&mut game, BOB, 3);
    assert_eq!(state.draw_offer(&game, NOW), None);
    let accept = |state: &mut Match, game: &mut Game| state.accept_draw(game, BOB, NOW);
    assert_eq!(refused(&mut state, &mut game, accept), Error::NoOffer);
    // Either may offer anew.
    assert_eq!(state.offer_draw(&mut game, BOB, NOW), Ok(false));
    assert_eq!(state.draw_offer(&game, NOW), Some(Player::Two));
    drop(&mut game, ALICE, 4);
    assert_eq!(state.offer_draw(&mut game, ALICE, NOW), Ok(false));
    assert_eq!(state.draw_offer(&game, NOW), Some(Player::One));
}

#[test]
fn an_offer_of_a_draw_does_not_stand_after_the_end() {
    let (mut state, mut game) = (Match::default(), start(Shape::STANDARD));
    state.offer_draw(&mut game, ALICE, NOW).unwrap();
    game.resign(ALICE).unwrap();
    assert_eq!(state.draw_offer(&game, NOW), None);
}

#[test]
fn refuses_offers_of_a_draw_and_answers_to_them() {
    type Call = fn(&mut Match, &mut Game, Address) -> Result<(), Error>;
    let offer: Call = |state, game, caller| state.offer_draw(game, caller, NOW).map(|_| ());
    let accept: Call = |state, game, caller| state.accept_draw(game, caller, NOW);
    let decline: Call = |state, game, caller| state.decline_draw(game, caller, NOW);

    for call in [offer, accept, decline] {
        let (mut state, mut game) = (Match::default(), won());
        for caller in [ALICE, CHARLIE] {
            let error = refused(&mut state, &mut game, |state, game| {
                call(state, game, caller)
            });
            assert_eq!(error, Error::GameOver, "first");
        }
        let mut game = start(Shape::STANDARD);
        state.offer_draw(&mut game, ALICE, NOW).unwrap();
        let error = refused(&mut state, &mut game, |state, game| {
            call(state, game, CHARLIE)
        });
        assert_eq!(error, Error::NotAPlayer);
    }
    let (mut state, mut game) = (Match::default(), start(Shape::STANDARD));
    for call in [accept, decline] {
        let error = refused(&mut state, &mut game, |state, game| call(state, game, BOB));
        assert_eq!(error, Error::NoOffer);
    }
    state.offer_draw(&mut game, ALICE, NOW).unwrap();
    let error = refused(&mut state, &mut game, |state, game| {
        accept(state, game, ALICE)
    });
    assert_eq!(error, Error::NoOffer, "her own");
    let error = refused(&mut state, &mut game, |state, game| {
        offer(state, game, ALICE)
    });
    assert_eq!(error, Error::AlreadyOffered);
}

#[test]
fn a_rematch_is_offered_and_accepted() {
    let (mut state, game) = (staked(), won());
    assert_eq!(state.offer_rematch(&game, BOB, 100), Ok(false));
    assert_eq!(state.rematch, Some(Player::Two));
    assert_eq!(state.accept_rematch(&game, ALICE, 100), Ok(()));
    assert_eq!(state, staked());
}

#[test]
fn two_offers_of_a_rematch_are_an_agreement() {
    let (mut state, game) = (staked(), won());
    assert_eq!(state.offer_rematch(&game, ALICE, 100), Ok(false));
    assert_eq!(state.rematch, Some(Player::One));
    assert_eq!(state.offer_rematch(&game, BOB, 100), Ok(true));
    assert_eq!(state, staked());
}

#[test]
fn a_rematch_is_declined_or_taken_back() {
    for caller in [ALICE, BOB] {
        let (mut state, game) = (staked(), won());
        state.offer_rematch(&game, ALICE, 100).unwrap();
        // Alice gets her stake back, whoever calls.
        assert_eq!(state.decline_rematch(&game, caller), Ok(Player::One));
        assert_eq!(state, staked());
    }
}

#[test]
fn refuses_offers_of_a_rematch_and_answers_to_them() {
    type Call = fn(&mut Match, &Game, Address, u128) -> Result<(), Error>;
    let offer: Call = |state, game, caller, paid| state.offer_rematch(game, caller, paid).map(drop);
    let accept: Call = |state, game, caller, paid| state.accept_rematch(game, caller, paid);
    let decline: Call = |state, game, caller, _| state.decline_rematch(game, caller).map(drop);
    fn drop<T>(_: T) {}

    // All wrong at once: no end, no player, a rematch that has started, no offer, no stake.
    for call in [offer, accept, decline] {
        let mut state = Match {
            next: Some(8),
            ..staked()
        };
        let mut open = start(Shape::STANDARD);
        let error = refused(&mut state, &mut open, |state, game| {
            call(state, game, CHARLIE, 1)
        });
        assert_eq!(error, Error::GameNotOver);
        let mut game = won();
        let error = refused(&mut state, &mut game, |state, game| {
            call(state, game, CHARLIE, 1)
        });
        assert_eq!(error, Error::NotAPlayer);
        let error = refused(&mut state, &mut game, |state, game| {
            call(state, game, ALICE, 1)
        });
        assert_eq!(error, Error::RematchStarted);
    }

    let (mut state, mut game) = (staked(), won());
    for call in [accept, decline] {
        let error = refused(&mut state, &mut game, |state, game| {
            call(state, game, ALICE, 1)
        });
        assert_eq!(error, Error::NoOffer);
    }
    for paid in [0, 99, 101] {
        let error = refused(&mut state, &mut game, |state, game| {
            offer(state, game, ALICE, paid)
        });
        assert_eq!(error, Error::WrongStake);
    }
    state.offer_rematch(&game, ALICE, 100).unwrap();
    let error = refused(&mut state, &mut game, |state, game| {
        offer(state, game, ALICE, 1)
    });
    assert_eq!(error, Error::AlreadyOffered, "before the stake");
    let error = refused(&mut state, &mut game, |state, game| {
        accept(state, game, ALICE, 1)
    });
    assert_eq!(error, Error::NoOffer, "her own");
    for call in [offer, accept] {
        let error = refused(&mut state, &mut game, |state, game| {
            call(state, game, BOB, 99)
        });
        assert_eq!(error, Error::WrongStake);
    }
}

/// Alice has won 3 of the games before, Bob 1, and 2 were drawn.
fn in_a_series() -> Match {
    Match {
        settled: true,
        previous: Some(4),
        score: Score {
            one: 3,
            two: 1,
            draws: 2,
        },
        draw: Some(DrawOffer {
            by: Player::One,
            turns: 3,
        }),
        ..staked()
    }
}

fn rematch(game: &Game) -> (Match, ByPlayer<Address>) {
    let (started, players) = in_a_series().rematch_of(game, 5);
    // The terms are those before; nothing is settled or offered yet.
    let expected = Match {
        previous: Some(5),
        score: started.score,
        ..staked()
    };
    assert_eq!(started, expected);
    (started, players)
}

#[test]
fn the_loser_begins_the_rematch() {
    let (started, players) = rematch(&won());
    let (one, two) = (BOB, ALICE);
    assert_eq!(players, ByPlayer { one, two });
    // By the new seats: Bob is player one.
    let score = Score {
        one: 1,
        two: 4,
        draws: 2,
    };
    assert_eq!(started.score, score);

    let mut resigned = start(Shape::STANDARD);
    resigned.resign(ALICE).unwrap();
    let (started, players) = rematch(&resigned);
    let (one, two) = (ALICE, BOB);
    assert_eq!(players, ByPlayer { one, two });
    let score = Score {
        one: 3,
        two: 2,
        draws: 2,
    };
    assert_eq!(started.score, score);
}

#[test]
fn the_second_player_begins_the_rematch_of_a_draw() {
    let (started, players) = rematch(&drawn());
    let (one, two) = (BOB, ALICE);
    assert_eq!(players, ByPlayer { one, two });
    let score = Score {
        one: 1,
        two: 3,
        draws: 3,
    };
    assert_eq!(started.score, score);
}

#[test]
fn the_seats_stay_after_an_abort_which_does_not_count() {
    let (started, players) = rematch(&aborted());
    let (one, two) = (ALICE, BOB);
    assert_eq!(players, ByPlayer { one, two });
    assert_eq!(started.score, in_a_series().score);
}

#[test]
fn a_score_counts_outcomes() {
    let score = Score::default()
        .and(Some(Outcome::Won(Player::One)))
        .and(Some(Outcome::Won(Player::One)))
        .and(Some(Outcome::Won(Player::Two)))
        .and(Some(Outcome::Draw))
        .and(Some(Outcome::Draw))
        .and(Some(Outcome::Draw))
        .and(None);
    let (one, two, draws) = (2, 1, 3);
    assert_eq!(score, Score { one, two, draws });
    let swapped = Score {
        one: two,
        two: one,
        draws,
    };
    assert_eq!(score.swapped(), swapped);

    let full = Score {
        one: u16::MAX,
        two: u16::MAX,
        draws: u16::MAX,
    };
    for outcome in [
        Outcome::Won(Player::One),
        Outcome::Won(Player::Two),
        Outcome::Draw,
    ] {
        assert_eq!(full.and(Some(outcome)), full);
    }
}

#[test]
fn stakes_are_settled_once() {
    for (game, one, two) in [(won(), 200, 0), (drawn(), 100, 100), (aborted(), 100, 100)] {
        let mut state = staked();
        assert_eq!(state.pot(), 200);
        assert_eq!(state.settle(&game), Ok(ByPlayer { one, two }));
        assert!(state.settled);
        assert_eq!(state.pot(), 0);
        assert_eq!(state.settle(&game), Err(Error::NothingToSettle));
    }
    let mut resigned = start(Shape::STANDARD);
    resigned.resign(ALICE).unwrap();
    let (one, two) = (0, 200);
    assert_eq!(staked().settle(&resigned), Ok(ByPlayer { one, two }));
}

#[test]
fn refuses_to_settle() {
    let mut open = start(Shape::STANDARD);
    let settle = |state: &mut Match, game: &mut Game| state.settle(game);
    // The end comes first, with stakes and without.
    for mut state in [staked(), Match::default()] {
        let error = refused(&mut state, &mut open, settle);
        assert_eq!(error, Error::GameNotOver);
    }
    let error = refused(&mut Match::default(), &mut won(), settle);
    assert_eq!(error, Error::NothingToSettle);
}

#[test]
fn an_odd_unit_of_a_pot_is_player_twos() {
    let shares = |pot, winner| {
        let ByPlayer { one, two } = payout(pot, winner);
        (one, two)
    };
    assert_eq!(shares(7, None), (3, 4));
    assert_eq!(shares(8, None), (4, 4));
    assert_eq!(shares(u128::MAX, None), (u128::MAX / 2, 1 << 127));
    assert_eq!(shares(7, Some(Player::One)), (7, 0));
    assert_eq!(shares(7, Some(Player::Two)), (0, 7));
}
