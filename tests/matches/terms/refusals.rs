//! Which error comes first, what only the referee may do, and the version.

use connect4_protocol::message::{Referee, Version};
use connect4_protocol::{Challenge as Shown, ClockSpec, Error, VERSION};
use connect4_rules::ShapeSpec;
use connect4_testing::Account::{Alice, Bob, Eve, Ferdie};

use super::{CLOCK, QUICK, STAKE};
use crate::call::Call::*;
use crate::world::World;

/// When several errors apply, a message returns the one that its documentation lists first: those
/// that nobody can change come before those that the caller can avoid.
#[test]
fn the_error_documented_first_is_returned() {
    let world = World::new();
    let month = ClockSpec {
        bank: ClockSpec::MAX_BANK,
        ..CLOCK
    };
    // Alice is to move in each of these games, and bin 0 is full.
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
    let until = |clock, expires| Challenge {
        to: Some(Bob),
        first: true,
        shape: QUICK,
        clock,
        expires: Some(expires),
        paid: STAKE,
    };
    let to_bob = world.does(Alice, until(Some(CLOCK), world.now())).number();
    let other = Shown {
        challenger_first: false,
        ..world.open_challenge(to_bob).unwrap()
    };
    world.wait(1);
    let expired = |clock| until(clock, world.now() - 1);
    let none = 99;
    let beyond = 9;
    let bad_shape = ShapeSpec { bins: 4, ..QUICK };
    let no_time = ClockSpec { bank: 0, ..CLOCK };
    let short = ClockSpec { bank: 299, ..CLOCK };
    let on = |to, shape, clock| Challenge {
        to,
        first: true,
        shape,
        clock,
        expires: None,
        paid: STAKE,
    };

    use Error::*;
    let cases = [
        // Before the shape.
        (Eve, StartGame(Alice, Alice, bad_shape), SamePlayer),
        // Before the shape, a missing clock and a bad one.
        (Alice, on(Some(Alice), bad_shape, None), SamePlayer),
        (Alice, on(Some(Alice), QUICK, Some(no_time)), SamePlayer),
        (Alice, on(Some(Bob), bad_shape, None), BadShape),
        (Alice, on(Some(Bob), bad_shape, Some(no_time)), BadShape),
        // Before a bank too short for the stake, which comes before the last second.
        (Alice, on(Some(Bob), QUICK, Some(no_time)), BadClock),
        (Alice, expired(None), StakeNeedsClock),
        (Alice, expired(Some(short)), ShortClock),
        (Alice, expired(Some(CLOCK)), ChallengeExpired),
        // Before the challenged account, the last second and the stake.
        (Alice, Accept(to_bob, 0), SamePlayer),
        (Eve, Accept(to_bob, 0), NotChallenged),
        (Bob, Accept(to_bob, 0), ChallengeExpired),
        // Before all of those. An open challenge comes first.
        (Alice, AcceptSeen(to_bob, 0, other), OtherTerms),
        (Eve, AcceptSeen(to_bob, 0, other), OtherTerms),
        (Bob, AcceptSeen(to_bob, 0, other), OtherTerms),
        (Eve, AcceptSeen(none, 0, other), NoSuchChallenge),
        (Eve, Accept(none, 0), NoSuchChallenge),
        (Eve, Decline(none), NoSuchChallenge),
        (Eve, Cancel(none), NoSuchChallenge),
        // In this order: the end, a stranger, the turn, the time, the bin.
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
        // Before a missing clock and time left.
        (Eve, ClaimTimeout(none), NoSuchGame),
        (Eve, ClaimTimeout(bare_over), GameOver),
        (Eve, ClaimTimeout(over_in_time), GameOver),
        (Eve, ClaimTimeout(over), GameOver),
        (Eve, ClaimTimeout(bare), NoClock),
        (Eve, ClaimTimeout(running), TimeLeft),
        // Before a stranger and a missing offer.
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
        // Before a stranger, a started rematch and the stake.
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
        // Before missing stakes.
        (Eve, Settle(none), NoSuchGame),
        (Eve, Settle(bare), GameNotOver),
        (Eve, Settle(bare_over), NothingToSettle),
        (Eve, Settle(over), NothingToSettle),
        // Before a missing credit. Games that are not there are skipped.
        (Eve, Withdraw(vec![over, none, running]), GameNotOver),
        (Eve, Withdraw(vec![over, none]), NothingToWithdraw),
        (Alice, Withdraw(vec![running]), GameNotOver),
        (Eve, Withdraw(vec![over]), NothingToWithdraw),
        // Before the payer.
        (Eve, Free(none), NoSuchGame),
        (Eve, Free(running), GameNotOver),
        (Eve, Free(over), NotPayer),
    ];
    for (who, call, error) in cases {
        let text = call.to_string();
        assert_eq!(world.refuses(who, call), error, "{who} {text}");
    }
}

#[test]
fn the_contract_tells_its_version() {
    assert_eq!(World::new().query(Version {}), Ok(VERSION));
}

#[test]
fn only_the_referee_can_store_end_or_remove_games() {
    let world = World::new();
    let game = world.a_match();
    world.play(game, &[0, 1]);
    assert_eq!(world.query(Referee {}), Ok(world.matches));
    let before = (world.game(game), world.match_of(game));
    // Ferdie has deployed the contracts; Alice and Bob play.
    for who in [Alice, Bob, Eve, Ferdie] {
        for call in [StartMatch, EndMatch(game), Remove(game)] {
            assert_eq!(world.refuses(who, call), Error::NotReferee);
        }
        assert_ne!(world.refuses(who, Free(game)), Error::NotReferee);
    }
    assert_eq!((world.game(game), world.match_of(game)), before);
    assert_eq!(world.game(game + 1), Err(Error::NoSuchGame));

    // The referee of other contracts has no say over this one.
    let mut theirs = World::new();
    let ours = theirs.games;
    let game = theirs.a_bare_game();
    theirs.deploy_anew();
    assert_eq!(theirs.refuses(Bob, Resign(game)), Error::NoSuchGame);
    theirs.contracts.games = ours;
    assert!(!theirs.game(game).unwrap().is_over());
}
