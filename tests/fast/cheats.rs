//! Attacks, each by an example. Bob is honest, and Alice is not.

use connect4_protocol::fast::Ending;
use connect4_protocol::message::{AcceptDraw, OfferDraw, Resign};
use connect4_protocol::{End, Error, Message};
use connect4_rules::{ByPlayer, Player};
use connect4_testing::Account::{self, Alice, Bob, Charlie, Eve};
use connect4_testing::{ContractCall, Refusal};

use crate::world::{CLOCK, STAKE, World};

const BANK: u64 = CLOCK.bank as u64;

/// Why the contract of the matches refuses a call about a fast game.
fn refusal_of_matches<M: Message>(world: &World, who: Account, message: M) -> Refusal {
    let call = ContractCall::new(who, world.matches, message);
    world.local.dry_run(&call).output().expect_err("refused")
}

/// Alice is losing, and posts a position that was good for her. Bob is away for a while, and his
/// friend Charlie, who plays no part in the game, answers for him.
#[test]
fn a_stale_position_is_answered_by_anyone() {
    let world = World::new();
    let table = world.start(STAKE, Some(CLOCK));
    let held = table.agreed(&[0, 3, 0, 3, 1, 3, 6, 3]);
    let stale = table.position(&[0, 3, 0]);
    world
        .advance_and_press(Alice, table.game, stale)
        .expect("she has Bob's signature on it");
    world.wait(BANK);
    world
        .advance(Charlie, table.game, held)
        .expect("in the time of the clock");
    let ended = world.fast_game(table.game).game;
    assert_eq!(
        (ended.end(), ended.winner()),
        (Some(End::Line), Some(Player::Two))
    );
    assert_eq!(world.credit_of(Bob), 2 * STAKE);
}

/// What was answered can't be posted again.
#[test]
fn pressing_again_and_again_is_never_worse_than_playing_on_the_chain() {
    let world = World::new();
    let table = world.start(STAKE, Some(CLOCK));
    let bins = [3, 4, 3, 4, 0, 4, 0, 1];
    let mut left = BANK;
    for n in (1..bins.len()).step_by(2) {
        world
            .advance_and_press(Alice, table.game, table.position(&bins[..n]))
            .expect("Bob is to move");
        let again = world.advance(Alice, table.game, table.position(&bins[..n]));
        assert_eq!(again.err(), Some(Error::NotNewer));
        assert_eq!(world.press(Alice, table.game), Err(Error::ClockRuns));
        world.wait(12);
        world
            .advance(Bob, table.game, table.position(&bins[..=n]))
            .expect("news");
        // As for a disc dropped on the chain in two blocks of six seconds.
        left = left - 12 + u64::from(CLOCK.increment);
        let banks = world.fast_game(table.game).stopped.expect("it stands");
        assert_eq!(
            banks.left,
            ByPlayer {
                one: CLOCK.bank,
                two: left as u32
            }
        );
    }
}

/// Alice signs two moves for one turn. Bob answers the one that he likes.
#[test]
fn who_signs_twice_gives_the_other_the_choice() {
    let world = World::new();
    let table = world.start(STAKE, Some(CLOCK));
    world
        .advance_and_press(Alice, table.game, table.position(&[3, 0, 4, 0, 5]))
        .expect("her better move");
    world
        .advance(Bob, table.game, table.position(&[3, 0, 4, 0, 6, 0]))
        .expect("Bob answers her worse one");
    assert_eq!(world.fast_game(table.game).game.turns(), 6);
}

/// Alice has missed a win, and goes back to it, by signing another move for that turn.
#[test]
fn who_missed_a_win_can_not_go_back_to_it() {
    let world = World::new();
    let table = world.start(STAKE, Some(CLOCK));
    // Alice has three in a row after her third disc, and Bob has not seen it.
    let held = table.position(&[0, 0, 1, 1, 2, 2, 6, 5]);
    let back = table.position(&[0, 0, 1, 1, 2, 2, 3]);
    world
        .advance(Alice, table.game, back)
        .expect("Bob had signed so far");
    assert_eq!(world.credit_of(Alice), 0, "it is not final");
    world.wait(BANK);
    world
        .advance(Charlie, table.game, held)
        .expect("it has more moves");
    let fast = world.fast_game(table.game);
    assert_eq!((fast.game.turns(), fast.contest), (8, None));
    assert!(!fast.game.is_over());
    // Nobody has lost time by it.
    let banks = fast.stopped.expect("it stands");
    assert_eq!(
        banks.left,
        ByPlayer {
            one: CLOCK.bank,
            two: CLOCK.bank
        }
    );
    let again = table.position(&[0, 0, 1, 1, 2, 2, 3]);
    let refused = world.advance(Alice, table.game, again).err();
    assert_eq!(refused, Some(Error::NotNewer));
}

/// The same by a disc on the chain, which knows an old position.
#[test]
fn who_missed_a_win_can_not_drop_it_on_the_chain() {
    let world = World::new();
    let table = world.start(STAKE, Some(CLOCK));
    world
        .advance(Alice, table.game, table.position(&[0, 0, 1, 1, 2, 2]))
        .expect("news");
    world.drop(Alice, table.game, 3).expect("a line");
    assert_eq!(world.claim(Alice, table.game), Err(Error::TimeLeft));
    // Bob holds her other move, and answers that.
    let held = table.position(&[0, 0, 1, 1, 2, 2, 6, 5]);
    world.advance(Bob, table.game, held).expect("in time");
    assert!(!world.fast_game(table.game).game.is_over());
}

/// Nor does a resignation of her own make her line final.
#[test]
fn who_resigns_does_not_win_by_it() {
    let world = World::new();
    let table = world.start(STAKE, Some(CLOCK));
    let bins = [0, 0, 1, 1, 2, 2, 3];
    let odd = table.signed(&bins, Some(Ending::Resignation(Player::One)));
    let refused = world.advance(Alice, table.game, odd).err();
    assert_eq!(refused, Some(Error::GameOver));
    // One from before stands, whatever she makes of the game since.
    let resigned = table.signed(&bins[..4], Some(Ending::Resignation(Player::One)));
    world
        .advance(Alice, table.game, table.position(&bins))
        .expect("a line");
    world.advance(Bob, table.game, resigned).expect("for good");
    let ended = world.fast_game(table.game).game;
    assert_eq!(
        (ended.end(), ended.winner()),
        (Some(End::Resignation), Some(Player::Two))
    );
}

/// Alice signs one move, and drops her disc into another bin on the chain.
#[test]
fn a_disc_on_the_chain_that_differs_from_the_signed_move_is_the_same() {
    let world = World::new();
    let table = world.start(STAKE, Some(CLOCK));
    world
        .advance(Bob, table.game, table.position(&[3, 0, 4, 0]))
        .expect("news");
    world.drop(Alice, table.game, 5).expect("her turn");
    let answer = table.position(&[3, 0, 4, 0, 6, 0]);
    world
        .advance(Bob, table.game, answer)
        .expect("Bob holds her signature");
    let fast = world.fast_game(table.game);
    assert_eq!(fast.game.turns(), 6);
    assert_eq!(fast.game.to_move(), Some(Player::One));
}

#[test]
fn a_claim_is_too_early_until_a_clock_has_run_out() {
    let world = World::new();
    let table = world.start(STAKE, Some(CLOCK));
    world
        .advance(Alice, table.game, table.position(&[3, 4, 3]))
        .expect("news");
    world.wait(100 * BANK);
    assert_eq!(world.claim(Alice, table.game), Err(Error::NoClock));
    world.press(Alice, table.game).expect("Bob is to move");
    assert_eq!(world.claim(Alice, table.game), Err(Error::TimeLeft));
    world.wait(BANK);
    assert_eq!(world.claim(Alice, table.game), Err(Error::TimeLeft));
    world
        .advance(Eve, table.game, table.position(&[3, 4, 3, 4]))
        .expect("the last second");
    assert_eq!(world.claim(Alice, table.game), Err(Error::NoClock));
}

/// Alice signed an offer of a draw. Twenty moves later she is winning; here Bob is the cheat.
#[test]
fn an_offer_that_nobody_answered_is_worth_nothing_later() {
    let world = World::new();
    let table = world.start(STAKE, Some(CLOCK));
    let until = world.now() + 60;
    let draw = table.signed(&[3, 0], Some(Ending::Draw { until }));
    world.wait(61);
    assert_eq!(
        world.advance(Bob, table.game, draw).err(),
        Some(Error::NoOffer)
    );

    // In its time it is refused once the chain knows of a later move, which Alice can bring there.
    let until = world.now() + 60;
    let draw = table.signed(&[3, 0], Some(Ending::Draw { until }));
    world
        .advance(Alice, table.game, table.position(&[3, 0, 3]))
        .expect("news");
    assert_eq!(
        world.advance(Bob, table.game, draw).err(),
        Some(Error::NotNewer)
    );
}

/// An offer by a transaction would stand until the chain knows of the opponent's next move, and so
/// could be accepted long after: there is none in fast games.
#[test]
fn the_contract_of_the_matches_ends_no_fast_game() {
    let world = World::new();
    let game = world.start(STAKE, Some(CLOCK)).game;
    let unknown = Refusal::Because(Error::NoSuchGame);
    assert_eq!(
        refusal_of_matches(&world, Alice, OfferDraw { game }),
        unknown
    );
    assert_eq!(
        refusal_of_matches(&world, Alice, AcceptDraw { game }),
        unknown
    );
    assert_eq!(refusal_of_matches(&world, Bob, Resign { game }), unknown);
}

/// Whoever resigned can't play on, on the chain or off it.
#[test]
fn a_resignation_can_not_be_taken_back() {
    let world = World::new();
    let table = world.start(STAKE, Some(CLOCK));
    let resigned = table.signed(&[3, 4], Some(Ending::Resignation(Player::One)));
    // Alice resigned off the chain, and plays on there.
    world
        .advance_and_press(Alice, table.game, table.position(&[3, 4, 3]))
        .expect("news");
    world.wait(BANK + 1);
    // Even when Bob's time is over, his proof counts, if it comes before a claim.
    world.advance(Bob, table.game, resigned).expect("for good");
    assert_eq!(world.credit_of(Bob), 2 * STAKE);
    assert_eq!(world.claim(Alice, table.game), Err(Error::GameOver));
}

/// Before both have moved, a game that stops gives both their stakes back, and counts for nobody.
#[test]
fn who_never_begins_gets_no_stake() {
    let world = World::new();
    let table = world.start(STAKE, Some(CLOCK));
    world.press(Bob, table.game).expect("Alice is to move");
    world.wait(BANK + 1);
    world.claim(Eve, table.game).expect("late");
    assert_eq!(world.fast_game(table.game).game.end(), Some(End::Abort));
    assert_eq!(
        (world.credit_of(Alice), world.credit_of(Bob)),
        (STAKE, STAKE)
    );
}
