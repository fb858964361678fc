//! Fast games by examples.

use codec::Encode;
use connect4_protocol::event::{Advanced, ClockPressed, Credited, GameEnded, Settled};
use connect4_protocol::fast::{Agreed, Ending, FIRST};
use connect4_protocol::message::{
    Accept, AcceptFastRematch, FreeFast, MakeChallenge, OfferFastRematch, OpenChallenge,
    ResignFast, StartFast, WithdrawFast, WithdrawFastTo,
};
use connect4_protocol::{Address, End, Error, Event, Pace};
use connect4_rules::{Bin, ByPlayer, Outcome, Player, Position, Shape};
use connect4_testing::Account::{Alice, Bob, Charlie, Eve};
use connect4_testing::{address, games};

use crate::world::{CLOCK, STAKE, World, session_key};

/// Seven drops, the last of which completes a column of player one.
fn short() -> Vec<u8> {
    games::bins(games::SHORT).collect()
}

#[test]
fn a_whole_game_is_one_transaction_by_anyone() {
    let world = World::new();
    let table = world.start(STAKE, Some(CLOCK));
    assert_eq!(table.game, FIRST);
    let report = world
        .advance(Eve, table.game, table.agreed(&short()))
        .expect("both have signed, and the loser agrees");
    let [advanced, ended, credited, settled] = &world.events(&report)[..] else {
        panic!("{:?}", world.events(&report));
    };
    assert!(matches!(advanced, Event::Advanced(Advanced { moves, .. }) if **moves == *short()));
    assert!(matches!(
        ended,
        Event::GameEnded(GameEnded { end: End::Line, winner: Some(winner), winning_cells, .. })
            if *winner == address(Alice) && winning_cells.len() == 4
    ));
    assert!(matches!(
        credited,
        Event::Credited(Credited { account, amount })
            if *account == address(Alice) && *amount == 2 * STAKE
    ));
    assert!(matches!(settled, Event::Settled(Settled { two: 0, .. })));

    let before = world.local.balance(address(Charlie));
    let receiver = address(Charlie);
    let paid = world.sends(Alice, 0, WithdrawFastTo { receiver });
    assert_eq!(paid, 2 * STAKE);
    assert_eq!(world.local.balance(address(Charlie)), before + 2 * STAKE);
    assert_eq!(world.local.balance(world.fast), 0);
    let again = world.tries(Alice, 0, WithdrawFast {});
    assert_eq!(again.err(), Some(Error::NothingToWithdraw));
}

#[test]
fn a_draw_of_forty_two_drops_is_one_transaction_too() {
    let world = World::new();
    let table = world.start(STAKE, Some(CLOCK));
    let drops: Vec<u8> = games::bins(games::DRAW).collect();
    world
        .advance(Bob, table.game, table.position(&drops))
        .expect("both have signed");
    assert_eq!(world.fast_game(table.game).game.end(), Some(End::FullBoard));
    assert_eq!(world.credit_of(Alice), STAKE);
    assert_eq!(world.credit_of(Bob), STAKE);
}

#[test]
fn a_challenge_and_its_acceptance_name_the_session_keys() {
    let world = World::new();
    let table = world.start(0, None);
    let fast = world.fast_game(table.game);
    assert_eq!(fast.keys, table.keys.map(|key| key.address()));
    assert_eq!(fast.game.payer(), address(Bob));

    let challenge = |key: Option<Address>| MakeChallenge {
        opponent: None,
        challenger_first: false,
        shape: Shape::STANDARD.into(),
        clock: None,
        expires: None,
        pace: key.map_or(Pace::Classic, Pace::Fast),
    };
    let ours = session_key(77).address();
    for (theirs, mine) in [
        (Some(ours), None),
        (None, Some(ours)),
        (Some(ours), Some(ours)),
        (Some(ours), Some(Address::ZERO)),
    ] {
        let number = world.sends(Alice, 0, challenge(theirs));
        let seen = world
            .query(OpenChallenge { challenge: number })
            .expect("open");
        let accept = Accept {
            challenge: number,
            key: mine,
            seen,
        };
        let refused = world.tries(Bob, 0, accept).err();
        assert_eq!(refused, Some(Error::BadKey), "{theirs:?} {mine:?}");
    }
}

#[test]
fn only_the_matches_start_games_with_stakes() {
    let world = World::new();
    let agreed = Agreed {
        players: ByPlayer {
            one: address(Alice),
            two: address(Bob),
        },
        keys: ByPlayer {
            one: session_key(1).address(),
            two: session_key(2).address(),
        },
        payer: address(Alice),
        shape: Shape::STANDARD.into(),
        clock: None,
        pie_rule: false,
    };
    let refused = world.tries(Alice, 0, StartFast { agreed }).err();
    assert_eq!(refused, Some(Error::NotReferee));
}

#[test]
fn a_silent_opponent_loses_on_the_clock() {
    let world = World::new();
    let table = world.start(STAKE, Some(CLOCK));
    // Alice's third move is signed; Bob is silent.
    let held = table.position(&[3, 4, 3]);
    let report = world
        .advance_and_press(Alice, table.game, held)
        .expect("Alice waits");
    let deadline = world.now() + u64::from(CLOCK.bank);
    assert!(world.events(&report).iter().any(|event| matches!(
        event,
        Event::ClockPressed(ClockPressed { deadline: told, .. }) if *told == deadline
    )));
    world.wait(u64::from(CLOCK.bank));
    assert_eq!(world.claim(Eve, table.game), Err(Error::TimeLeft));
    world.wait(1);
    assert_eq!(world.claim(Eve, table.game), Ok(()));
    assert_eq!(world.fast_game(table.game).game.end(), Some(End::Timeout));
    assert_eq!(world.credit_of(Alice), 2 * STAKE);
}

#[test]
fn a_game_goes_on_on_the_chain_and_off_it_again() {
    let world = World::new();
    let table = world.start(STAKE, Some(CLOCK));
    assert_eq!(world.claim(Alice, table.game), Err(Error::NoClock));
    world
        .advance(Alice, table.game, table.position(&[3]))
        .expect("news");
    assert_eq!(world.press(Bob, table.game), Err(Error::YourTurn));
    world.press(Alice, table.game).expect("Alice waits");
    world.wait(100);
    world.drop(Bob, table.game, 4).expect("in time");
    let fast = world.fast_game(table.game);
    let deadline = world.now() + u64::from(CLOCK.bank);
    assert_eq!(fast.game.deadline(), Some(deadline));
    // Alice answers off the chain, Bob there as well; then somebody brings it to the chain.
    world.wait(20);
    let later = table.position(&[3, 4, 3, 4]);
    world.advance(Eve, table.game, later).expect("news");
    let fast = world.fast_game(table.game);
    assert_eq!(fast.game.deadline(), None);
    let left = fast.stopped.expect("it stands").left;
    assert_eq!(left, ByPlayer { one: 290, two: 210 });
    // Nobody is late, however long it takes.
    world.wait(1_000_000);
    assert_eq!(world.claim(Eve, table.game), Err(Error::NoClock));
    world
        .advance(Eve, table.game, table.agreed(&short()))
        .expect("news");
    assert_eq!(world.credit_of(Alice), 2 * STAKE);
}

#[test]
fn a_game_ends_on_the_chain_by_a_disc_and_by_giving_up() {
    let world = World::new();
    let table = world.start(STAKE, Some(CLOCK));
    world
        .advance(Bob, table.game, table.position(&short()[..6]))
        .expect("news");
    let dropped = world.drop(Alice, table.game, 3).expect("Alice is to move");
    assert!(dropped.outcome.is_some());
    assert_eq!(world.drop(Bob, table.game, 0), Err(Error::GameOver));
    // Bob agrees that he has lost; else the line is final when his time is over.
    assert_eq!(world.credit_of(Alice), 0);
    world.sends(Bob, 0, ResignFast { game: table.game });
    assert_eq!(world.fast_game(table.game).game.end(), Some(End::Line));
    assert_eq!(world.credit_of(Alice), 2 * STAKE);

    let table = world.start(STAKE, Some(CLOCK));
    world.sends(Alice, 0, ResignFast { game: table.game });
    assert_eq!(world.credit_of(Bob), 2 * STAKE);
    assert_eq!(world.local.balance(world.fast), 4 * STAKE);
}

#[test]
fn a_line_is_final_when_the_loser_agrees_or_has_had_time_to_contest_it() {
    let world = World::new();
    let table = world.start(STAKE, Some(CLOCK));
    let game = table.game;
    let report = world
        .advance(Alice, game, table.position(&short()))
        .expect("both have signed");
    let until = world.now() + u64::from(CLOCK.bank);
    assert!(matches!(
        &world.events(&report)[..],
        [Event::Advanced(_), Event::ClockPressed(ClockPressed { deadline, .. })] if *deadline == until
    ));
    assert_eq!(world.fast_game(game).contest, Some(until));
    assert_eq!(
        world.tries(Bob, 0, FreeFast { game }).err(),
        Some(Error::GameNotOver)
    );
    let key = session_key(5).address();
    let offer = OfferFastRematch { game, key };
    assert_eq!(
        world.tries(Alice, STAKE, offer).err(),
        Some(Error::GameNotOver)
    );
    world.wait(u64::from(CLOCK.bank));
    assert_eq!(world.claim(Eve, game), Err(Error::TimeLeft));
    world.wait(1);
    assert_eq!(world.claim(Eve, game), Ok(()));
    assert_eq!(world.fast_game(game).game.end(), Some(End::Line));
    assert_eq!(world.credit_of(Alice), 2 * STAKE);

    // By the loser's signature, which comes later.
    let table = world.start(STAKE, Some(CLOCK));
    world
        .advance(Alice, table.game, table.position(&short()))
        .expect("both have signed");
    world
        .advance(Alice, table.game, table.agreed(&short()))
        .expect("Bob agrees");
    assert_eq!(world.fast_game(table.game).game.end(), Some(End::Line));
    assert_eq!(world.credit_of(Alice), 4 * STAKE);
}

#[test]
fn a_draw_is_agreed_by_two_signatures_in_its_time() {
    let world = World::new();
    let table = world.start(STAKE, Some(CLOCK));
    let until = world.now() + 60;
    let draw = table.signed(&[3, 4, 3], Some(Ending::Draw { until }));
    world.wait(61);
    assert_eq!(
        world.advance(Bob, table.game, draw).err(),
        Some(Error::NoOffer)
    );
    let until = world.now() + 60;
    let draw = table.signed(&[3, 4, 3], Some(Ending::Draw { until }));
    world.advance(Bob, table.game, draw).expect("in its time");
    let ended = world.fast_game(table.game).game;
    assert_eq!((ended.end(), ended.turns()), (Some(End::Agreement), 3));
    assert_eq!(world.credit_of(Alice), STAKE);
}

#[test]
fn a_rematch_has_new_session_keys() {
    let world = World::new();
    let table = world.start(STAKE, Some(CLOCK));
    let game = table.game;
    world
        .advance(Bob, game, table.agreed(&short()))
        .expect("news");
    let (alice, bob) = (session_key(50).address(), session_key(51).address());
    let offer = OfferFastRematch { game, key: alice };
    assert_eq!(world.sends(Alice, STAKE, offer), None);
    let same = AcceptFastRematch { game, key: alice };
    assert_eq!(world.tries(Bob, STAKE, same).err(), Some(Error::BadKey));
    let next = world.sends(Bob, STAKE, AcceptFastRematch { game, key: bob });
    assert_eq!(next, game + 1);
    let rematch = world.fast_game(next);
    assert_eq!(rematch.game.player_one(), address(Bob), "the loser begins");
    assert_eq!(
        rematch.keys,
        ByPlayer {
            one: bob,
            two: alice
        }
    );
    assert_eq!(world.match_of(next).previous, Some(game));
    assert_eq!(world.match_of(game).next, Some(next));
    assert_eq!(world.match_of(next).score.one, 0);
    assert_eq!(world.match_of(next).score.two, 1);
}

#[test]
fn who_accepted_gets_the_deposit_back() {
    let world = World::new();
    let table = world.start(STAKE, Some(CLOCK));
    let game = table.game;
    assert_eq!(
        world.tries(Bob, 0, FreeFast { game }).err(),
        Some(Error::GameNotOver)
    );
    world
        .advance(Bob, game, table.agreed(&short()))
        .expect("news");
    assert_eq!(
        world.tries(Alice, 0, FreeFast { game }).err(),
        Some(Error::NotPayer)
    );
    let ((), report) = world.tries(Bob, 0, FreeFast { game }).expect("Bob paid it");
    assert!(report.deposit < 0, "{}", report.deposit);
    assert_eq!(
        world.advance(Bob, game, table.agreed(&short())).err(),
        Some(Error::NoSuchGame)
    );
    // The winner's credit stays.
    assert_eq!(world.credit_of(Alice), 2 * STAKE);
}

#[test]
fn the_longest_game_is_one_transaction_as_well() {
    let world = World::new();
    let shape = Shape::new(8, 15, 6).expect("the largest board");
    let keys = ByPlayer {
        one: session_key(1),
        two: session_key(2),
    };
    let table = world.start_on(shape, STAKE, Some(CLOCK), keys);
    let mut position = Position::new(shape);
    let mut moves = Vec::new();
    // The first bin, from the middle, in which a disc makes no line.
    while let Some((bin, after)) = [3, 4, 2, 5, 1, 6, 0, 7].into_iter().find_map(|bin| {
        let mut after = position;
        after.drop(Bin::new(bin)).ok()?;
        let goes_on = !matches!(after.outcome(), Some(Outcome::Won(_)));
        goes_on.then_some((bin, after))
    }) {
        moves.push(bin);
        position = after;
    }
    assert_eq!(position.outcome(), Some(Outcome::Draw));
    assert_eq!(moves.len(), 120);
    world
        .advance(Eve, table.game, table.position(&moves))
        .expect("both have signed");
    let ended = world.fast_game(table.game).game;
    assert_eq!((ended.end(), ended.turns()), (Some(End::FullBoard), 120));
    assert_eq!(world.credit_of(Bob), STAKE);
}

#[test]
fn longest_evidence_fits_the_contract() {
    let world = World::new();
    let table = world.start(0, None);
    let drops: Vec<u8> = games::bins(games::DRAW).collect();
    let until = u64::MAX;
    let evidence = table.signed(&drops[..41], Some(Ending::Draw { until }));
    assert!(evidence.encoded_size() > 170);
    world
        .advance(Bob, table.game, evidence)
        .expect("both have signed");
    let resigned = Player::One;
    let table = world.start(0, None);
    let evidence = table.signed(&drops[..41], Some(Ending::Resignation(resigned)));
    world
        .advance(Eve, table.game, evidence)
        .expect("both have signed");
    assert_eq!(
        world.fast_game(table.game).game.winner(),
        Some(resigned.opponent())
    );
}
