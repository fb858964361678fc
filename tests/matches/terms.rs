//! The terms of a match, told by examples.

use std::iter::zip;

use connect4_protocol::{ClockSpec, End, Error, Score, Terms, payout};
use connect4_rules::{ByPlayer, Player, ShapeSpec};
use sp_core::H160;
use sp_keyring::Sr25519Keyring::{Alice, Bob, Charlie, Eve, Ferdie};

use crate::{
    model::Call::{self, *},
    world::*,
};

/// Three in a row win: short games.
const QUICK: ShapeSpec = ShapeSpec {
    bins: 5,
    capacity: 4,
    line: 3,
};
/// Only a row of all five bins wins.
const DULL: ShapeSpec = ShapeSpec { line: 5, ..QUICK };
const CLOCK: ClockSpec = ClockSpec {
    bank: 60,
    increment: 5,
};
const STAKE: u128 = 5 * TOKEN;

/// Red stacks three, on the quick board.
const RED_WINS: [u8; 5] = [0, 1, 0, 1, 0];
/// Blue does.
const BLUE_WINS: [u8; 6] = [0, 1, 0, 1, 3, 1];

/// A challenge to play for a stake, which its maker begins.
fn challenge(to: Option<Account>) -> Call {
    Challenge {
        to,
        first: true,
        shape: QUICK,
        clock: Some(CLOCK),
        paid: STAKE,
    }
}

impl World {
    /// Alice, who begins, and Bob play for a stake each; Bob has accepted.
    fn a_match(&self) -> u32 {
        self.a_match_on(QUICK, CLOCK)
    }

    fn a_match_on(&self, shape: ShapeSpec, clock: ClockSpec) -> u32 {
        let made = self.does(
            Alice,
            Challenge {
                to: Some(Bob),
                first: true,
                shape,
                clock: Some(clock),
                paid: STAKE,
            },
        );
        self.does(Bob, Accept(made.number(), STAKE)).number()
    }

    /// Alice, who begins, and Bob play without stakes, clocks or a challenge.
    fn a_bare_game(&self) -> u32 {
        self.does(Alice, StartGame(Alice, Bob, QUICK)).number()
    }

    /// The two drop in turns.
    fn play(&self, game: u32, bins: &[u8]) {
        for &bin in bins {
            let stored = self.game(game).unwrap();
            let to_move = stored.to_move().expect("it goes on");
            self.does(who(stored.account_of(to_move)), Drop(game, bin));
            println!("{}", self.game(game).unwrap().position());
        }
    }

    fn ended(&self, game: u32) -> (Option<End>, Option<Account>) {
        let game = self.game(game).unwrap();
        (
            game.end(),
            game.winner().map(|won| who(game.account_of(won))),
        )
    }

    fn owed(&self, to: Account) -> u128 {
        self.credit_of(address(to))
    }

    /// Who begins, and who does not.
    fn seats(&self, game: u32) -> [Account; 2] {
        let game = self.game(game).unwrap();
        [who(game.player_one()), who(game.player_two())]
    }

    fn score(&self, game: u32) -> Score {
        self.match_of(game).unwrap().score
    }
}

fn who(has: connect4_protocol::Address) -> Account {
    Account::iter().find(|&who| key(who) == has).unwrap()
}

// The money.

#[test]
fn the_winner_of_a_match_takes_both_stakes() {
    let world = World::new();
    let game = world.a_match();
    world.play(game, &RED_WINS);
    assert_eq!(world.ended(game), (Some(End::Line), Some(Alice)));
    // A move does not know of stakes.
    assert_eq!((world.owed(Alice), world.owed(Bob)), (0, 0));
    let paid: u128 = world.does(Alice, Withdraw(vec![game])).returned();
    assert_eq!(paid, 2 * STAKE);
    assert_eq!(world.balance(world.matches), 0);
    assert_eq!(
        world.refuses(Alice, Withdraw(vec![game])),
        Error::NothingToWithdraw,
        "once is all"
    );
    assert_eq!(world.refuses(Bob, Settle(game)), Error::NothingToSettle);
}

#[test]
fn one_withdrawal_settles_several_games() {
    let world = World::new();
    let games: Vec<u32> = (0..3).map(|_| world.a_match()).collect();
    world.play(games[0], &RED_WINS);
    world.play(games[1], &BLUE_WINS);
    world.does(Bob, Resign(games[2]));
    let both_ways = vec![games[0], games[1], games[2], games[0]];
    let paid: u128 = world.does(Alice, Withdraw(both_ways)).returned();
    assert_eq!(paid, 4 * STAKE);
    // What Alice has settled for him.
    let paid: u128 = world.does(Bob, Withdraw(vec![])).returned();
    assert_eq!(paid, 2 * STAKE);
    assert_eq!(world.balance(world.matches), 0);
}

#[test]
fn anybody_settles_for_anybody() {
    let world = World::new();
    let game = world.a_match();
    world.play(game, &BLUE_WINS);
    world.does(Eve, Settle(game));
    assert_eq!((world.owed(Alice), world.owed(Bob)), (0, 2 * STAKE));
    assert_eq!(
        world.refuses(Eve, Withdraw(vec![game])),
        Error::NothingToWithdraw
    );
}

#[test]
fn a_stake_comes_back_in_full_when_there_is_no_match() {
    let world = World::new();
    let declined = world.does(Alice, challenge(Some(Bob))).number();
    world.does(Bob, Decline(declined));
    assert_eq!(world.owed(Alice), STAKE);
    let cancelled = world.does(Alice, challenge(None)).number();
    world.does(Alice, Cancel(cancelled));
    assert_eq!(world.owed(Alice), 2 * STAKE);

    let game = world.a_match();
    world.does(Bob, Resign(game));
    assert_eq!(world.owed(Alice), 4 * STAKE);
    world.does(Alice, OfferRematch(game, STAKE));
    world.does(Bob, DeclineRematch(game));
    assert_eq!(world.owed(Alice), 5 * STAKE);
    world.does(Bob, OfferRematch(game, STAKE));
    world.does(Bob, DeclineRematch(game));
    assert_eq!(world.owed(Bob), STAKE, "taken back");

    world.does(Alice, Withdraw(vec![]));
    world.does(Bob, Withdraw(vec![]));
    assert_eq!(world.balance(world.matches), 0);
}

#[test]
fn a_draw_locks_no_funds() {
    let world = World::new();
    let agreed = world.a_match();
    world.does(Bob, OfferDraw(agreed));
    world.does(Alice, AcceptDraw(agreed));
    assert_eq!(world.ended(agreed), (Some(End::Agreement), None));
    assert_eq!((world.owed(Alice), world.owed(Bob)), (STAKE, STAKE));

    let full = world.a_match_on(DULL, CLOCK);
    for bin in 0..3 {
        world.play(full, &[bin; 4]);
    }
    world.play(full, &[3, 4].repeat(4));
    assert_eq!(world.ended(full), (Some(End::FullBoard), None));
    world.does(Eve, Settle(full));
    assert_eq!((world.owed(Alice), world.owed(Bob)), (2 * STAKE, 2 * STAKE));
    world.does(Alice, Withdraw(vec![]));
    world.does(Bob, Withdraw(vec![]));
    assert_eq!(world.balance(world.matches), 0);
}

#[test]
fn an_odd_unit_goes_to_player_two() {
    assert_eq!(payout(7, None), ByPlayer { one: 3, two: 4 });
    assert_eq!(payout(u128::MAX, None).two, 1 << 127);
    assert_eq!(payout(7, Some(Player::One)), ByPlayer { one: 7, two: 0 });
}

#[test]
fn money_that_nobody_asked_for_comes_back() {
    let world = World::new();
    let game = world.a_match();
    let calls = [
        (world.matches, message("resign", game)),
        (world.matches, message("withdraw", vec![game])),
        (world.games, message("drop_disc", (game, 0_u8))),
        // No message at all, as when a wallet pays.
        (world.matches, vec![]),
        (world.games, vec![]),
    ];
    for (contract, data) in calls {
        let before = world.balance(address(Alice)) as i128;
        assert_eq!(
            world.ask(Alice, contract, STAKE, data.clone()),
            Err(Refusal::Trapped)
        );
        let report = world.send(Alice, contract, STAKE, data);
        assert!(report.outcome.is_err());
        let fee = report.fee * RATIO;
        assert_eq!(world.balance(address(Alice)) as i128, before - fee as i128);
    }
    assert_eq!(world.balance(world.matches), 2 * STAKE);
    assert!(!world.game(game).unwrap().is_over());
}

// Challenges.

#[test]
fn a_challenge_is_listed_until_it_is_taken_or_withdrawn() {
    let world = World::new();
    let anyone: Vec<u32> = (0..5)
        .map(|_| world.does(Alice, challenge(None)).number())
        .collect();
    assert_eq!(anyone, [0, 1, 2, 3, 4]);
    let listed = |from, limit| {
        let page = world.open_challenges(from, limit)?;
        let numbers: Vec<u32> = page.challenges.iter().map(|(number, _)| *number).collect();
        Ok::<_, Error>((numbers, page.next))
    };
    assert_eq!(listed(None, 2), Ok((vec![4, 3], Some(2))));
    assert_eq!(listed(Some(2), 2), Ok((vec![2, 1], Some(0))));
    assert_eq!(listed(Some(0), 2), Ok((vec![0], None)));
    assert_eq!(listed(None, 0), Ok((vec![4], Some(3))), "at least one");
    world.does(Alice, Cancel(2));
    world.does(Bob, Accept(4, STAKE));
    assert_eq!(listed(None, 255), Ok((vec![3, 1, 0], None)));
    assert_eq!(listed(Some(2), 2), Err(Error::NoSuchChallenge));
    assert_eq!(world.open_challenge(2), Err(Error::NoSuchChallenge));
    world.does(Bob, Accept(0, STAKE));
    world.does(Alice, Cancel(3));
    world.does(Alice, Cancel(1));
    assert_eq!(listed(None, 50), Ok((vec![], None)));
}

#[test]
fn nobody_plays_themself() {
    let world = World::new();
    assert_eq!(
        world.refuses(Alice, challenge(Some(Alice))),
        Error::SamePlayer
    );
    let open = world.does(Alice, challenge(None)).number();
    assert_eq!(world.refuses(Alice, Accept(open, STAKE)), Error::SamePlayer);
    assert_eq!(
        world.refuses(Bob, StartGame(Alice, Alice, QUICK)),
        Error::SamePlayer
    );
}

#[test]
fn a_challenge_is_on_terms_that_can_be_played() {
    let world = World::new();
    let on = |shape, clock, paid| Challenge {
        to: None,
        first: false,
        shape,
        clock,
        paid,
    };
    let clock = |bank, increment| Some(ClockSpec { bank, increment });
    let low = ShapeSpec {
        capacity: 3,
        ..QUICK
    };
    assert_eq!(world.refuses(Eve, on(low, None, 0)), Error::BadShape);
    assert_eq!(
        world.refuses(Eve, on(QUICK, clock(0, 1), 0)),
        Error::BadClock
    );
    let days = |days: u32| days * 24 * 60 * 60;
    assert_eq!(
        world.refuses(Eve, on(QUICK, clock(days(30) + 1, 0), 0)),
        Error::BadClock
    );
    assert_eq!(
        world.refuses(Eve, on(QUICK, clock(60, days(1) + 1), 0)),
        Error::BadClock
    );
    assert_eq!(
        world.refuses(Eve, on(QUICK, None, STAKE)),
        Error::StakeNeedsClock
    );
    // The bounds themselves are within them.
    for clock in [clock(1, 0), clock(days(30), days(1)), None] {
        world.does(Eve, on(QUICK, clock, 0));
    }
}

/// Nobody has as much.
#[test]
fn a_stake_can_be_counted_twice() {
    let terms = |stake, clock| Terms {
        shape: QUICK,
        clock,
        stake,
    };
    let most = u128::MAX / 2;
    assert_eq!(terms(most, Some(CLOCK)).check(), Ok(()));
    assert_eq!(
        terms(most + 1, Some(CLOCK)).check(),
        Err(Error::StakeTooLarge)
    );
    let no_time = ClockSpec { bank: 0, ..CLOCK };
    assert_eq!(terms(most + 1, Some(no_time)).check(), Err(Error::BadClock));
    assert_eq!(terms(most + 1, None).check(), Err(Error::StakeTooLarge));
    assert_eq!(terms(most, None).check(), Err(Error::StakeNeedsClock));
}

#[test]
fn a_challenge_is_accepted_once_by_who_is_meant_for_what_was_asked() {
    let world = World::new();
    let made = world.does(Alice, challenge(Some(Bob))).number();
    assert_eq!(
        world.refuses(Charlie, Accept(made, STAKE)),
        Error::NotChallenged
    );
    for paid in [0, STAKE - TOKEN, STAKE + TOKEN, 2 * STAKE] {
        assert_eq!(world.refuses(Bob, Accept(made, paid)), Error::WrongStake);
    }
    assert_eq!(
        world.refuses(Bob, Accept(made + 1, STAKE)),
        Error::NoSuchChallenge
    );
    world.does(Bob, Accept(made, STAKE));
    assert_eq!(
        world.refuses(Bob, Accept(made, STAKE)),
        Error::NoSuchChallenge
    );
    assert_eq!(world.refuses(Bob, Decline(made)), Error::NoSuchChallenge);
    assert_eq!(world.refuses(Alice, Cancel(made)), Error::NoSuchChallenge);
}

#[test]
fn a_challenge_is_declined_by_the_challenged_and_cancelled_by_the_challenger() {
    let world = World::new();
    let to_bob = world.does(Alice, challenge(Some(Bob))).number();
    let to_anyone = world.does(Alice, challenge(None)).number();
    assert_eq!(world.refuses(Alice, Decline(to_bob)), Error::NotChallenged);
    assert_eq!(world.refuses(Eve, Decline(to_bob)), Error::NotChallenged);
    // Else one could take it away from all the others.
    assert_eq!(world.refuses(Eve, Decline(to_anyone)), Error::NotChallenged);
    assert_eq!(world.refuses(Bob, Cancel(to_bob)), Error::NotChallenger);
    assert_eq!(world.refuses(Eve, Cancel(to_anyone)), Error::NotChallenger);
    world.does(Bob, Decline(to_bob));
    world.does(Alice, Cancel(to_anyone));
}

#[test]
fn the_challenger_says_who_begins() {
    let world = World::new();
    for (first, seats) in [(true, [Alice, Bob]), (false, [Bob, Alice])] {
        let made = world.does(
            Alice,
            Challenge {
                to: None,
                first,
                shape: QUICK,
                clock: None,
                paid: 0,
            },
        );
        let game = world.does(Bob, Accept(made.number(), 0)).number();
        assert_eq!(world.seats(game), seats);
    }
}

// The clock.

#[test]
fn at_the_deadline_there_is_time_and_a_second_later_there_is_none() {
    let world = World::new();
    let game = world.a_match();
    let deadline = world.now() + 60;
    assert_eq!(world.game(game).unwrap().deadline(), Some(deadline));
    world.wait_until(deadline);
    assert_eq!(world.refuses(Bob, ClaimTimeout(game)), Error::TimeLeft);
    world.play(game, &[0]);
    // Alice has used up all of hers, and gets five seconds for the move.
    world.play(game, &[1]);
    let deadline = world.now() + 5;
    assert_eq!(world.game(game).unwrap().deadline(), Some(deadline));
    world.wait_until(deadline + 1);
    assert_eq!(world.refuses(Alice, Drop(game, 0)), Error::OutOfTime);
    world.does(Bob, ClaimTimeout(game));
    assert_eq!(world.ended(game), (Some(End::Timeout), Some(Bob)));
    assert_eq!((world.owed(Alice), world.owed(Bob)), (0, 2 * STAKE));
}

#[test]
fn a_late_move_is_refused_though_nobody_claims() {
    let world = World::new();
    let game = world.a_match();
    world.play(game, &RED_WINS[..4]);
    world.wait(71);
    // It would win.
    assert_eq!(world.refuses(Alice, Drop(game, 0)), Error::OutOfTime);
    world.wait(1_000_000);
    assert_eq!(world.refuses(Alice, Drop(game, 0)), Error::OutOfTime);
    world.does(Eve, ClaimTimeout(game));
    assert_eq!(world.ended(game), (Some(End::Timeout), Some(Bob)));
}

#[test]
fn a_match_that_was_not_begun_is_aborted_and_not_won() {
    let world = World::new();
    for moves in [&[][..], &[0]] {
        let game = world.a_match();
        world.play(game, moves);
        world.wait(61);
        world.does(Bob, ClaimTimeout(game));
        assert_eq!(world.ended(game), (Some(End::Abort), None));
        for player in [Alice, Bob] {
            let paid: u128 = world.does(player, Withdraw(vec![])).returned();
            assert_eq!(paid, STAKE);
        }
    }
    let game = world.a_match();
    world.play(game, &[0, 1]);
    world.wait(66);
    world.does(Alice, ClaimTimeout(game));
    assert_eq!(
        world.ended(game),
        (Some(End::Timeout), Some(Bob)),
        "also if the late one claims"
    );
}

#[test]
fn nobody_claims_without_a_clock_or_after_the_end() {
    let world = World::new();
    let bare = world.a_bare_game();
    world.wait(1_000_000);
    assert_eq!(world.refuses(Bob, ClaimTimeout(bare)), Error::NoClock);
    assert_eq!(world.refuses(Bob, ClaimTimeout(9)), Error::NoSuchGame);
    let ended = world.a_match();
    world.play(ended, &RED_WINS);
    world.wait(1_000_000);
    assert_eq!(world.refuses(Bob, ClaimTimeout(ended)), Error::GameOver);
    assert_eq!(world.ended(ended), (Some(End::Line), Some(Alice)));
}

// Resignation and draws.

#[test]
fn who_resigns_loses_whoever_is_to_move() {
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
fn an_offer_of_a_draw_outlives_ones_own_move_and_not_the_others() {
    let world = World::new();
    let game = world.a_match();
    world.does(Alice, OfferDraw(game));
    world.play(game, &[0]);
    assert_eq!(world.refuses(Alice, OfferDraw(game)), Error::AlreadyOffered);
    // Bob plays on: that is an answer, too.
    world.play(game, &[1]);
    assert_eq!(world.refuses(Bob, AcceptDraw(game)), Error::NoOffer);
    assert_eq!(world.refuses(Bob, DeclineDraw(game)), Error::NoOffer);
    world.does(Alice, OfferDraw(game));
    world.play(game, &[0]);
    world.does(Bob, AcceptDraw(game));
    assert_eq!(world.ended(game), (Some(End::Agreement), None));
}

#[test]
fn a_draw_is_declined_or_agreed_on_by_two_offers() {
    let world = World::new();
    let game = world.a_match();
    assert_eq!(world.refuses(Bob, AcceptDraw(game)), Error::NoOffer);
    world.does(Alice, OfferDraw(game));
    assert_eq!(world.refuses(Eve, AcceptDraw(game)), Error::NotAPlayer);
    // One's own offer is the other's to answer.
    assert_eq!(world.refuses(Alice, AcceptDraw(game)), Error::NoOffer);
    assert_eq!(world.refuses(Alice, DeclineDraw(game)), Error::NoOffer);
    world.does(Bob, DeclineDraw(game));
    assert_eq!(world.refuses(Bob, AcceptDraw(game)), Error::NoOffer);
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
    world.wait(66);
    world.does(Bob, ClaimTimeout(game));
    assert_eq!(world.ended(game), (Some(End::Timeout), Some(Bob)));
    assert_eq!(world.refuses(Bob, AcceptDraw(game)), Error::GameOver);
}

#[test]
fn a_draw_can_be_agreed_on_after_the_deadline_until_somebody_claims() {
    let world = World::new();
    let game = world.a_match();
    world.play(game, &[0, 1]);
    world.wait(1_000);
    world.does(Bob, OfferDraw(game));
    world.does(Alice, AcceptDraw(game));
    assert_eq!(world.ended(game), (Some(End::Agreement), None));
}

#[test]
fn a_bare_game_is_resigned_and_drawn_too() {
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

// Rematches.

#[test]
fn the_loser_begins_the_rematch() {
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
            Some(world.now() + 60),
            "on the same clock"
        );
    }
}

#[test]
fn after_a_draw_who_moved_second_begins_the_rematch() {
    let world = World::new();
    let game = world.a_match();
    world.does(Alice, OfferDraw(game));
    world.does(Bob, AcceptDraw(game));
    world.does(Bob, OfferRematch(game, STAKE));
    // Two offers are an agreement.
    let next: Option<u32> = world.does(Alice, OfferRematch(game, STAKE)).returned();
    assert_eq!(world.seats(next.unwrap()), [Bob, Alice]);
}

#[test]
fn after_an_abort_the_seats_stay() {
    let world = World::new();
    let game = world.a_match();
    world.wait(61);
    world.does(Bob, ClaimTimeout(game));
    world.does(Alice, OfferRematch(game, STAKE));
    let next = world.does(Bob, AcceptRematch(game, STAKE)).number();
    assert_eq!(world.seats(next), [Alice, Bob]);
    assert_eq!(world.score(next), Score::default(), "it does not count");
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
fn a_rematch_is_offered_after_the_end_by_its_players_for_the_stake() {
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
        "of the other"
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

// What nobody else may do, and what nobody may do.

/// When two refusals apply, it is the first of those on the message that is told: what nobody can
/// change comes before what the caller can.
#[test]
fn the_first_refusal_is_told() {
    let world = World::new();
    let month = ClockSpec {
        bank: ClockSpec::MAX_BANK,
        ..CLOCK
    };
    // Alice is to move in all of them, and bin 0 is full.
    let full = [0; 4];
    let running = world.a_match_on(QUICK, month);
    world.play(running, &full);
    let late = world.a_match();
    world.play(late, &full);
    let over = world.a_match();
    world.play(over, &full);
    world.does(Alice, OfferDraw(over));
    world.does(Bob, Resign(over));
    world.wait(3_600);
    let over_in_time = world.a_match_on(QUICK, month);
    world.does(Bob, Resign(over_in_time));
    let bare = world.a_bare_game();
    let bare_over = world.a_bare_game();
    world.does(Bob, Resign(bare_over));
    let offered = world.a_match();
    world.does(Bob, Resign(offered));
    world.does(Alice, OfferRematch(offered, STAKE));
    let again = world.a_match();
    world.does(Bob, Resign(again));
    world.does(Alice, OfferRematch(again, STAKE));
    world.does(Bob, AcceptRematch(again, STAKE));
    let to_bob = world.does(Alice, challenge(Some(Bob))).number();
    let none = 99;
    let beyond = 9;
    let bad_shape = ShapeSpec { bins: 4, ..QUICK };
    let no_time = ClockSpec { bank: 0, ..CLOCK };
    let on = |to, shape, clock| Challenge {
        to,
        first: true,
        shape,
        clock,
        paid: STAKE,
    };

    use Error::*;
    let cases = [
        // Not the shape: StartGame's own.
        (Eve, StartGame(Alice, Alice, bad_shape), SamePlayer),
        // Not the shape, the missing clock, the bad one.
        (Alice, on(Some(Alice), bad_shape, None), SamePlayer),
        (Alice, on(Some(Alice), QUICK, Some(no_time)), SamePlayer),
        (Alice, on(Some(Bob), bad_shape, None), BadShape),
        (Alice, on(Some(Bob), bad_shape, Some(no_time)), BadShape),
        // Not that it is to Bob, not the stake.
        (Alice, Accept(to_bob, 0), SamePlayer),
        (Eve, Accept(to_bob, 0), NotChallenged),
        (Eve, Accept(none, 0), NoSuchChallenge),
        (Eve, Decline(none), NoSuchChallenge),
        (Eve, Cancel(none), NoSuchChallenge),
        // Not the stranger, whose turn it is, the time, the bin.
        (Eve, Drop(none, beyond), NoSuchGame),
        (Eve, Drop(over, beyond), GameOver),
        (Bob, Drop(over, 0), GameOver),
        (Alice, Drop(over, beyond), GameOver),
        (Alice, Drop(over, 0), GameOver),
        (Eve, Drop(late, beyond), NotAPlayer),
        (Eve, Drop(running, beyond), NotAPlayer),
        (Eve, Drop(running, 0), NotAPlayer),
        (Bob, Drop(late, 1), NotYourTurn),
        (Bob, Drop(running, beyond), NotYourTurn),
        (Bob, Drop(running, 0), NotYourTurn),
        (Alice, Drop(late, beyond), OutOfTime),
        (Alice, Drop(late, 0), OutOfTime),
        (Alice, Drop(running, beyond), NoSuchBin),
        (Alice, Drop(running, 0), BinFull),
        (Eve, Resign(none), NoSuchGame),
        (Eve, Resign(over), GameOver),
        // Not that there is no clock, or time left on it.
        (Eve, ClaimTimeout(none), NoSuchGame),
        (Eve, ClaimTimeout(bare_over), GameOver),
        (Eve, ClaimTimeout(over_in_time), GameOver),
        (Eve, ClaimTimeout(over), GameOver),
        (Eve, ClaimTimeout(bare), NoClock),
        (Eve, ClaimTimeout(running), TimeLeft),
        // Not the stranger, not the offer.
        (Eve, OfferDraw(over), GameOver),
        (Alice, OfferDraw(over), GameOver),
        (Eve, AcceptDraw(none), NoSuchGame),
        (Eve, AcceptDraw(over), GameOver),
        (Alice, AcceptDraw(over), GameOver),
        (Eve, AcceptDraw(running), NotAPlayer),
        (Eve, DeclineDraw(none), NoSuchGame),
        (Eve, DeclineDraw(over), GameOver),
        (Alice, DeclineDraw(over), GameOver),
        (Eve, DeclineDraw(running), NotAPlayer),
        // Not the stranger, not the stake.
        (Eve, OfferRematch(none, 0), NoSuchGame),
        (Eve, OfferRematch(running, 0), GameNotOver),
        (Eve, OfferRematch(again, 0), NotAPlayer),
        (Eve, OfferRematch(offered, 0), NotAPlayer),
        (Alice, OfferRematch(again, 0), RematchStarted),
        (Alice, OfferRematch(offered, 0), AlreadyOffered),
        (Eve, AcceptRematch(none, 0), NoSuchGame),
        (Eve, AcceptRematch(running, 0), GameNotOver),
        (Alice, AcceptRematch(running, 0), GameNotOver),
        (Eve, AcceptRematch(again, 0), NotAPlayer),
        (Eve, AcceptRematch(over, 0), NotAPlayer),
        (Alice, AcceptRematch(again, 0), RematchStarted),
        (Alice, AcceptRematch(over, 0), NoOffer),
        (Eve, DeclineRematch(none), NoSuchGame),
        (Eve, DeclineRematch(running), GameNotOver),
        (Alice, DeclineRematch(running), GameNotOver),
        (Eve, DeclineRematch(again), NotAPlayer),
        (Eve, DeclineRematch(over), NotAPlayer),
        (Alice, DeclineRematch(again), RematchStarted),
        // Not that there are no stakes.
        (Eve, Settle(none), NoSuchGame),
        (Eve, Settle(bare), GameNotOver),
        (Eve, Settle(bare_over), NothingToSettle),
        (Eve, Settle(over), NothingToSettle),
        // The first game that has one; not that nothing is owed.
        (Eve, Withdraw(vec![over, none, running]), NoSuchGame),
        (Eve, Withdraw(vec![over, running, none]), GameNotOver),
        (Alice, Withdraw(vec![running]), GameNotOver),
        (Eve, Withdraw(vec![over]), NothingToWithdraw),
        // Not who has paid.
        (Eve, Free(none), NoSuchGame),
        (Eve, Free(running), GameNotOver),
        (Eve, Free(over), NotPayer),
    ];
    for (who, call, error) in cases {
        let told = call.to_string();
        assert_eq!(world.refuses(who, call), error, "{who} {told}");
    }
}

#[test]
fn only_the_referee_can_harm_a_game() {
    let world = World::new();
    let game = world.a_match();
    world.play(game, &[0, 1]);
    let referee: H160 = world.query(world.games, "referee", ()).unwrap();
    assert_eq!(referee, world.matches);
    let (stored, beside) = (world.game(game), world.match_of(game));
    // Ferdie has deployed them, Alice and Bob play.
    for who in [Alice, Bob, Eve, Ferdie] {
        for call in [StartMatch, EndMatch(game), Remove(game)] {
            assert_eq!(world.refuses(who, call), Error::NotReferee);
        }
        assert_ne!(world.refuses(who, Free(game)), Error::NotReferee);
    }
    assert_eq!((world.game(game), world.match_of(game)), (stored, beside));
    assert_eq!(world.game(game + 1), Err(Error::NoSuchGame));

    // Somebody else's referee is none here.
    let mut theirs = World::new();
    let ours = theirs.games;
    let game = theirs.a_bare_game();
    theirs.deploy_anew();
    assert_eq!(theirs.refuses(Bob, Resign(game)), Error::NoSuchGame);
    theirs.games = ours;
    assert!(!theirs.game(game).unwrap().is_over());
}

// The deposit.

#[test]
fn who_has_paid_for_a_game_frees_it_and_gets_all_of_that_back() {
    let world = World::new();
    let started = world.does(Alice, StartGame(Alice, Bob, QUICK));
    let game = started.number();
    let deposit = started.report.deposit;
    assert!(deposit > 0);
    assert_eq!(world.refuses(Alice, Free(game)), Error::GameNotOver);
    world.play(game, &RED_WINS);
    assert_eq!(world.refuses(Bob, Free(game)), Error::NotPayer);
    let freed = world.does(Alice, Free(game));
    // The pallet rounds, by as much as one of the smallest unit.
    assert!((freed.report.deposit + deposit).abs() <= 1);
    assert_eq!(world.game(game), Err(Error::NoSuchGame));
    assert_eq!(world.match_of(game), Err(Error::NoSuchGame));
    assert_eq!(world.refuses(Alice, Free(game)), Error::NoSuchGame);
    assert_eq!(world.refuses(Bob, Drop(game, 0)), Error::NoSuchGame);
    assert_eq!(world.a_bare_game(), game + 1, "no number is used twice");
}

#[test]
fn a_freed_game_is_settled_first() {
    let world = World::new();
    let game = world.a_match();
    world.play(game, &RED_WINS);
    world.does(Alice, OfferRematch(game, STAKE));
    assert_eq!(world.refuses(Alice, Free(game)), Error::NotPayer);
    // Bob has accepted the challenge, and paid for the storage.
    let deposit = world.does(Bob, Free(game)).report.deposit;
    assert!(deposit < 0, "{deposit}");
    assert_eq!(world.owed(Bob), 0);
    assert_eq!(world.owed(Alice), 3 * STAKE, "with what she had offered");
    assert_eq!(world.match_of(game), Err(Error::NoSuchGame));
    let paid: u128 = world.does(Alice, Withdraw(vec![])).returned();
    assert_eq!(paid, 3 * STAKE);
    assert_eq!(world.balance(world.matches), 0);
}

#[test]
fn a_rematch_goes_on_though_the_game_before_it_is_freed() {
    let world = World::new();
    let game = world.a_match();
    world.does(Alice, Resign(game));
    world.does(Alice, OfferRematch(game, STAKE));
    let next = world.does(Bob, AcceptRematch(game, STAKE)).number();
    world.does(Bob, Free(game));
    world.play(next, &RED_WINS);
    world.does(Alice, OfferRematch(next, STAKE));
    let last = world.does(Bob, AcceptRematch(next, STAKE)).number();
    let score = Score {
        one: 1,
        two: 1,
        draws: 0,
    };
    assert_eq!(world.score(last), score);
}

#[test]
fn nothing_stays_locked_in_the_contracts() {
    let world = World::new();
    let mut deposits = 0;
    let mut does = |who, call| {
        let done = world.does(who, call);
        deposits += done.report.deposit;
        done
    };
    let made = does(Alice, challenge(None)).number();
    let game = does(Bob, Accept(made, STAKE)).number();
    does(Alice, OfferDraw(game));
    for (bin, turn) in zip(RED_WINS, 0..) {
        does([Alice, Bob][turn % 2], Drop(game, bin));
    }
    does(Alice, Withdraw(vec![game]));
    does(Bob, OfferRematch(game, STAKE));
    does(Alice, DeclineRematch(game));
    does(Bob, Withdraw(vec![]));
    does(Bob, Free(game));
    // But for what the pallet has rounded off.
    assert!((0..10).contains(&deposits), "{deposits}");
}
