//! Fast games with the pie rule: Bob, player two, may take the first disc over.

use connect4_protocol::event::{ChallengeMade, DiscDropped, GameEnded, SessionKeysNamed, Settled};
use connect4_protocol::fast::{Ending, Moves};
use connect4_protocol::message::{
    Accept, AcceptFastRematch, DropFast, MakeChallenge, OfferFastRematch, OpenChallenge,
    OpenChallenges, ResignFast,
};
use connect4_protocol::{Challenge, End, Error, Event, Pace};
use connect4_rules::{Dropped, Player, Shape};
use connect4_testing::Account::{Alice, Bob, Charlie, Eve};
use connect4_testing::address;
use connect4_testing::fast::Table;

use crate::world::{CLOCK, STAKE, World, session_key};

const SWAP: u8 = Moves::SWAP;
const BANK: u64 = CLOCK.bank as u64;
/// What Alice has left after a disc on the chain.
const LEFT: u64 = BANK + CLOCK.increment as u64;

/// After the swap the first disc is Bob's, and the last one completes his column.
const COLUMN: [u8; 8] = [3, SWAP, 4, 3, 4, 3, 4, 3];

fn fair(key: u64) -> MakeChallenge {
    MakeChallenge {
        opponent: None,
        challenger_first: true,
        shape: Shape::STANDARD.into(),
        clock: Some(CLOCK),
        expires: None,
        pace: Pace::FastPieRule(session_key(key).address()),
    }
}

/// Alice has dropped a disc on the chain.
fn begun(world: &World) -> Table {
    let table = world.start_fair();
    world.drop(Alice, table.game, 3).expect("her turn");
    table
}

/// The winner and how the game ended, and what each is owed.
fn end(world: &World, table: &Table) -> (Option<Player>, Option<End>, [u128; 2]) {
    let game = world.fast_game(table.game).game;
    let owed = [Alice, Bob].map(|account| world.credit_of(account));
    (game.winner(), game.end(), owed)
}

#[test]
fn a_challenge_says_it_and_the_game_has_it() {
    let world = World::new();
    let ((challenge, report), keys) = (world.tries(Alice, 0, fair(77)).unwrap(), world.new_keys());
    let pace = fair(77).pace;
    let [Event::ChallengeMade(ChallengeMade { pace: told, .. })] = &world.events(&report)[..]
    else {
        panic!("{:?}", world.events(&report));
    };
    assert_eq!(*told, pace);
    let seen = world.query(OpenChallenge { challenge }).unwrap();
    assert_eq!(seen.pace, pace);
    let page = world
        .query(OpenChallenges {
            from: None,
            limit: 1,
        })
        .unwrap();
    assert_eq!(page.challenges, [(challenge, seen)]);

    let accept = Accept {
        challenge,
        key: Some(keys.two.address()),
        seen,
    };
    let (game, report) = world.tries(Bob, 0, accept).unwrap();
    assert!(world.fast_game(game).pie_rule);
    let named = world
        .events(&report)
        .into_iter()
        .find_map(|event| match event {
            Event::SessionKeysNamed(SessionKeysNamed { pie_rule, .. }) => Some(pie_rule),
            _ => None,
        });
    assert_eq!(named, Some(true));
    let plain = world.start(0, None);
    assert!(!world.fast_game(plain.game).pie_rule);
}

/// Who shows a challenge without its pie rule, or with one that it has not, has nobody accept it.
#[test]
fn what_was_seen_has_the_pie_rule_or_has_not() {
    let world = World::new();
    let key = session_key(77).address();
    for (made, shown) in [
        (Pace::FastPieRule(key), Pace::Fast(key)),
        (Pace::Fast(key), Pace::FastPieRule(key)),
    ] {
        let challenge = world.challenge(
            MakeChallenge {
                pace: made,
                ..fair(77)
            },
            0,
        );
        let open = world.query(OpenChallenge { challenge }).unwrap();
        let accept = |pace| Accept {
            challenge,
            key: Some(session_key(78).address()),
            seen: Challenge { pace, ..open },
        };
        let refused = world.tries(Bob, 0, accept(shown)).err();
        assert_eq!(refused, Some(Error::OtherTerms));
        world.tries(Bob, 0, accept(made)).expect("as it is");
    }
    let challenge = world.challenge(fair(79), 0);
    let seen = world.query(OpenChallenge { challenge }).unwrap();
    let key = None;
    let without_key = world.tries(
        Bob,
        0,
        Accept {
            challenge,
            key,
            seen,
        },
    );
    assert_eq!(without_key.err(), Some(Error::BadKey));
}

#[test]
fn player_two_swaps_by_a_signature_and_wins_the_stakes() {
    let world = World::new();
    let table = world.start_fair();
    let report = world
        .advance(Eve, table.game, table.agreed(&COLUMN))
        .expect("both have signed, and the loser agrees");
    let winner = world
        .events(&report)
        .into_iter()
        .find_map(|event| match event {
            Event::GameEnded(GameEnded { winner, .. }) => winner,
            _ => None,
        });
    assert_eq!(winner, Some(address(Bob)));
    let settled = world
        .events(&report)
        .into_iter()
        .find_map(|event| match event {
            Event::Settled(Settled { one, two, .. }) => Some((one, two)),
            _ => None,
        });
    assert_eq!(settled, Some((0, 2 * STAKE)));
    let expected = (Some(Player::Two), Some(End::Line), [0, 2 * STAKE]);
    assert_eq!(end(&world, &table), expected);
}

#[test]
fn player_two_swaps_on_the_chain_and_the_clock_of_player_one_runs() {
    let world = World::new();
    let table = begun(&world);
    let swap = DropFast {
        game: table.game,
        bin: SWAP,
    };
    assert_eq!(
        world.tries(Alice, 0, swap.clone()).err(),
        Some(Error::NotYourTurn)
    );
    assert_eq!(
        world.tries(Eve, 0, swap.clone()).err(),
        Some(Error::NotAPlayer)
    );
    let (dropped, report) = world.tries(Bob, 0, swap).expect("his first move");
    let (row, outcome) = (0, None);
    assert_eq!(dropped, Dropped { row, outcome });
    let [Event::DiscDropped(told)] = &world.events(&report)[..] else {
        panic!("{:?}", world.events(&report));
    };
    let fast = world.fast_game(table.game);
    let expected = DiscDropped {
        game: table.game,
        player: address(Bob),
        bin: SWAP,
        row: 0,
        turn: 1,
        deadline: fast.game.deadline(),
    };
    assert_eq!(*told, expected);
    assert!(fast.game.is_swapped());
    assert_eq!(fast.game.to_move(), Some(Player::One));
    assert_eq!(fast.game.deadline(), Some(world.now() + LEFT));
    // The game goes on there: the disc in bin 3 is Bob's.
    for (who, bin) in [(Alice, 4), (Bob, 3), (Alice, 4), (Bob, 3), (Alice, 4)] {
        world.drop(who, table.game, bin).expect("in turn");
    }
    let dropped = world.drop(Bob, table.game, 3).expect("in turn");
    assert!(
        dropped.outcome.is_some(),
        "his line, with Alice's first disc"
    );
    world
        .tries(Alice, 0, ResignFast { game: table.game })
        .expect("she agrees");
    let expected = (Some(Player::Two), Some(End::Line), [0, 2 * STAKE]);
    assert_eq!(end(&world, &table), expected);
}

/// Who is late after the swap has lost, as both have moved.
#[test]
fn player_one_who_does_not_answer_the_swap_loses() {
    let world = World::new();
    let table = begun(&world);
    world.drop(Bob, table.game, SWAP).expect("his first move");
    world.wait(LEFT);
    assert_eq!(world.claim(Charlie, table.game), Err(Error::TimeLeft));
    world.wait(1);
    world.claim(Charlie, table.game).expect("she is late");
    let expected = (Some(Player::Two), Some(End::Timeout), [0, 2 * STAKE]);
    assert_eq!(end(&world, &table), expected);
}

#[test]
fn ends_after_a_swap_are_paid_by_account() {
    for (ending, winner, how, owed) in [
        (
            Ending::Resignation(Player::One),
            Some(Player::Two),
            End::Resignation,
            [0, 2],
        ),
        (
            Ending::Resignation(Player::Two),
            Some(Player::One),
            End::Resignation,
            [2, 0],
        ),
        (
            Ending::Draw {
                until: u64::MAX - 1,
            },
            None,
            End::Agreement,
            [1, 1],
        ),
    ] {
        let world = World::new();
        let table = world.start_fair();
        let evidence = table.signed(&COLUMN[..4], Some(ending));
        world.advance(Eve, table.game, evidence).expect("signed");
        let expected = (winner, Some(how), owed.map(|shares| shares * STAKE));
        assert_eq!(end(&world, &table), expected);
    }
    // By the account, on the chain.
    let world = World::new();
    let table = begun(&world);
    world.drop(Bob, table.game, SWAP).expect("his first move");
    world
        .tries(Bob, 0, ResignFast { game: table.game })
        .expect("he plays it");
    let expected = (Some(Player::One), Some(End::Resignation), [2 * STAKE, 0]);
    assert_eq!(end(&world, &table), expected);
}

#[test]
fn there_is_one_swap_and_it_is_the_second_move() {
    let world = World::new();
    for (table, moves) in [
        (world.start_fair(), &[SWAP][..]),
        (world.start_fair(), &[3, SWAP, SWAP]),
        (world.start_fair(), &[3, 4, SWAP]),
        (world.start_fair(), &[3, 4, 3, SWAP]),
        (world.start_fair(), &[3, SWAP, 4, SWAP]),
        // A game without the pie rule.
        (world.start(STAKE, Some(CLOCK)), &[3, SWAP]),
    ] {
        let refused = world.advance(Eve, table.game, table.position(moves)).err();
        assert_eq!(refused, Some(Error::NoSuchBin), "{moves:?}");
    }
    // On the chain, too.
    let table = world.start_fair();
    assert_eq!(world.drop(Alice, table.game, SWAP), Err(Error::NoSuchBin));
    world.drop(Alice, table.game, 3).expect("her turn");
    world.drop(Bob, table.game, SWAP).expect("his first move");
    assert_eq!(world.drop(Alice, table.game, SWAP), Err(Error::NoSuchBin));
    world.drop(Alice, table.game, 4).expect("her turn");
    assert_eq!(world.drop(Bob, table.game, SWAP), Err(Error::NoSuchBin));
    let plain = world.start(STAKE, Some(CLOCK));
    world.drop(Alice, plain.game, 3).expect("her turn");
    assert_eq!(world.drop(Bob, plain.game, SWAP), Err(Error::NoSuchBin));
}

/// Alice, whose first disc was taken over, goes back to it.
#[test]
fn a_position_before_the_swap_is_answered_by_it() {
    let world = World::new();
    let table = world.start_fair();
    world
        .advance_and_press(Alice, table.game, table.position(&COLUMN[..1]))
        .expect("her own signature");
    // He has her answer to the swap, or no signature at all.
    let held = table.position(&COLUMN[..3]);
    world.advance(Charlie, table.game, held).expect("newer");
    assert!(world.fast_game(table.game).game.is_swapped());
    let again = world.advance_and_press(Alice, table.game, table.position(&COLUMN[..1]));
    assert_eq!(again.err(), Some(Error::NotNewer));
    // Another answer than the swap is as old.
    let other = table.position(&[3, 4, 3]);
    let refused = world.advance(Alice, table.game, other);
    assert_eq!(refused.err(), Some(Error::NotNewer));

    let table = world.start_fair();
    world
        .advance_and_press(Alice, table.game, table.position(&COLUMN[..1]))
        .expect("her own signature");
    world.drop(Bob, table.game, SWAP).expect("in time");
    world.wait(BANK + 1);
    world.claim(Bob, table.game).expect("she is late");
    assert_eq!(end(&world, &table).0, Some(Player::Two));
}

/// A swap that Alice alone has signed is none of Bob's.
#[test]
fn nobody_else_swaps() {
    let world = World::new();
    let table = world.start_fair();
    let mut forged = table.position(&COLUMN[..2]);
    forged.signatures.two = forged.signatures.one;
    let refused = world.advance(Alice, table.game, forged);
    assert_eq!(refused.err(), Some(Error::BadSignature));
}

#[test]
fn a_rematch_has_the_pie_rule_too() {
    let world = World::new();
    let table = world.start_fair();
    let game = table.game;
    world
        .advance(Eve, game, table.agreed(&COLUMN))
        .expect("both have signed");
    let [ours, theirs] = [91, 92].map(|number| session_key(number).address());
    world.sends(Alice, STAKE, OfferFastRematch { game, key: ours });
    let next = world.sends(Bob, STAKE, AcceptFastRematch { game, key: theirs });
    let fast = world.fast_game(next);
    assert!(fast.pie_rule);
    // The loser begins.
    assert_eq!(fast.game.player_one(), address(Alice));
}
