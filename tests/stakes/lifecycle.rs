//! Whole games by examples, with what everybody has after each call.

use connect4_protocol::signed::event::{
    Advanced, Credited, DeadlineSet, DiscDropped, Funded, GameEnded, GameFreed, Refunded, Withdrawn,
};
use connect4_protocol::signed::message::{ReadDomain, Withdraw, WithdrawTo};
use connect4_protocol::signed::{Moves, SignedEnd, StakesError, StakesEvent};
use connect4_protocol::{ClockSpec, End, Error};
use connect4_rules::{Bin, ByPlayer, Outcome, Player, Position, Shape};
use connect4_testing::Account::{Alice, Bob, Charlie, Dave, Eve};
use connect4_testing::local::RATIO;
use connect4_testing::{address, games};

use crate::world::{CLOCK, Play, STAKE, World, common};

const DAY: u64 = 24 * 60 * 60;

/// Seven drops, the last of which completes a column of player one.
fn line() -> Vec<u8> {
    games::bins(games::SHORT).collect()
}

#[test]
fn a_whole_game_is_two_payments_an_end_and_a_withdrawal() {
    let world = World::new();
    let play = world.play(1);
    let (game, terms) = (play.number(), play.terms);
    assert_eq!(world.query(ReadDomain {}), Ok(world.domain()));
    let [player_one, player_two] = [Alice, Bob].map(address);
    let funded = |by, begins| Funded {
        game,
        player_one,
        player_two,
        by,
        begins,
        paid: STAKE,
        terms,
    };
    let report = world.fund(Bob, STAKE, &play).expect("Bob pays");
    assert!(report.deposit > 0, "who pays first pays the deposit");
    assert_eq!(world.events(&report), [funded(Player::Two, false).into()]);
    world.holds(1, 0, 0);
    let report = world.fund(Alice, STAKE, &play).expect("Alice pays");
    assert_eq!(report.deposit, 0);
    assert_eq!(world.events(&report), [funded(Player::One, true).into()]);
    world.holds(2, 0, 0);
    let stored = world.stored(&play).expect("it is there");
    assert_eq!(stored.game.keys, play.keys.clone().map(|key| key.address()));
    assert_eq!(
        (stored.paid_by, stored.game.game.payer()),
        (None, player_two)
    );

    let report = world.advance(Eve, &play, play.agreed(&line()));
    let report = report.expect("both have signed, and the loser agrees");
    let moves = Moves::from_bins(&line()).expect("few moves");
    let events = world.events(&report);
    let [advanced, credited, ended] = &events[..] else {
        panic!("{events:?}");
    };
    assert_eq!(*advanced, Advanced { game, moves }.into());
    let amount = 2 * STAKE;
    let account = player_one;
    assert_eq!(*credited, Credited { account, amount }.into());
    assert!(matches!(
        ended,
        StakesEvent::GameEnded(GameEnded { game: of, winner: Some(winner), end: End::Line, winning_cells })
            if *of == game && *winner == player_one && winning_cells.len() == 4
    ));
    world.holds(2, 2, 0);

    let receiver = address(Charlie);
    let before = world.balance(receiver);
    let (paid, report) = world
        .tries(Alice, 0, WithdrawTo { receiver })
        .expect("she is owed");
    assert_eq!(paid, amount);
    assert!(report.deposit < 0);
    let withdrawn = Withdrawn {
        account,
        receiver,
        amount,
    };
    assert_eq!(world.events(&report), [withdrawn.into()]);
    assert_eq!(world.balance(receiver), before + amount);
    world.holds(0, 0, 0);
    let again = world.does_it(Alice, 0, Withdraw {}).err();
    assert_eq!(again, Some(common(Error::NothingToWithdraw)));

    world.wait(DAY + 1);
    let report = world.free(Bob, &play).expect("the terms are old");
    assert!(report.deposit < 0);
    let payer = player_two;
    assert_eq!(world.events(&report), [GameFreed { game, payer }.into()]);
    assert_eq!(world.stored(&play), Err(common(Error::NoSuchGame)));
}

#[test]
fn the_next_game_is_paid_by_what_is_owed() {
    let world = World::new();
    let [first, second, third] = [1, 2, 3].map(|nonce| world.play(nonce));
    world.fund(Alice, STAKE, &first).expect("Alice pays");
    world.fund(Bob, STAKE, &first).expect("Bob pays");
    world.resign(Bob, &first).expect("Bob plays it");
    world.holds(2, 2, 0);
    // Nothing of it is paid anew.
    let report = world.fund(Alice, 0, &second).expect("it is owed");
    let [StakesEvent::Funded(Funded { paid: 0, .. })] = world.events(&report)[..] else {
        panic!("{:?}", world.events(&report));
    };
    world.holds(2, 1, 0);
    // Half of it.
    world
        .fund(Bob, STAKE / 2, &second)
        .expect_err("it is too little");
    world.fund(Bob, 3 * STAKE, &second).expect("it is too much");
    world.holds(5, 1, 2);
    let report = world.fund(Alice, 0, &third).expect("the last of it");
    assert!(report.deposit > 0);
    world.holds(5, 0, 2);
    world.resign(Alice, &second).expect("Alice plays it");
    world.holds(5, 0, 4);
    world.fund(Bob, STAKE / 2, &third).expect("and a half");
    assert_eq!(world.owed(Bob), 3 * STAKE + STAKE / 2);
    assert_eq!(world.balance(world.stakes), 5 * STAKE + STAKE / 2);
}

#[test]
fn a_stake_comes_back_while_the_other_has_not_paid_and_the_same_terms_again() {
    let world = World::new();
    let play = world.play(1);
    let report = world.fund(Alice, 2 * STAKE, &play).expect("Alice pays");
    let deposit = report.deposit;
    world.holds(2, 1, 0);
    let before = world.balance(address(Alice));
    let game = play.number();
    let refund = connect4_protocol::signed::message::Refund { game };
    let (amount, report) = world.tries(Alice, 0, refund).expect("she has paid");
    assert_eq!(amount, STAKE);
    let account = address(Alice);
    let refunded = Refunded {
        game,
        account,
        amount,
    };
    assert_eq!(world.events(&report), [refunded.into()]);
    assert!(
        report.deposit < 0 && report.deposit >= -deposit,
        "{report:?}"
    );
    let costs = (i128::try_from(report.fee).expect("small") + report.deposit) * RATIO as i128;
    let gained = world.balance(account) as i128 - before as i128;
    assert_eq!(gained, STAKE as i128 - costs);
    world.holds(1, 1, 0);
    assert_eq!(world.refund(Alice, &play), Err(common(Error::NoSuchGame)));
    // The other one first, then both.
    world.fund(Bob, STAKE, &play).expect("Bob pays");
    assert_eq!(world.refund(Bob, &play), Ok(STAKE));
    world.fund(Bob, STAKE, &play).expect("Bob pays again");
    world.fund(Alice, 0, &play).expect("by what is owed");
    world.holds(2, 0, 0);
    assert_eq!(world.refund(Bob, &play), Err(StakesError::Begun));
    world.resign(Alice, &play).expect("Alice plays it");
    assert_eq!(world.refund(Bob, &play), Err(StakesError::Begun));
    world.holds(2, 0, 2);
}

#[test]
fn terms_are_paid_for_until_a_day_later_and_then_freed() {
    let world = World::new();
    let [mut play, refunded, late] = [1, 2, 3].map(|nonce| world.play(nonce));
    play.terms.time += 600;
    world.fund(Bob, STAKE, &play).expect("ten minutes ahead");
    world.fund(Alice, STAKE, &refunded).expect("Alice pays");
    world.wait(DAY);
    world
        .fund(Bob, STAKE, &late)
        .expect("it is the last second");
    world.wait(1);
    assert_eq!(
        world.fund(Alice, STAKE, &late).err(),
        Some(common(Error::TermsExpired))
    );
    world.wait(599);
    world.fund(Alice, STAKE, &play).expect("the last second");
    world.resign(Alice, &play).expect("Alice plays it");
    assert_eq!(
        world.free(Bob, &play).err(),
        Some(common(Error::TermsStand))
    );
    world.wait(1);
    world.free(Bob, &play).expect("nobody can pay again");
    let again = world.fund(Alice, STAKE, &play).err();
    assert_eq!(again, Some(common(Error::TermsExpired)));
    // However late.
    assert_eq!(world.refund(Alice, &refunded), Ok(STAKE));
    assert_eq!(world.refund(Bob, &late), Ok(STAKE));
    world.holds(2, 0, 2);
}

#[test]
fn a_silent_opponent_loses_on_the_clock() {
    let world = World::new();
    let play = world.begun(1);
    world.wait(1_000_000);
    assert_eq!(world.claim(Eve, &play).err(), Some(common(Error::NoClock)));
    let report = world.brings(Alice, &play, true, play.position(&[3, 4, 3]));
    let report = report.expect("Alice waits");
    let deadline = world.now() + u64::from(CLOCK.bank);
    let (game, by) = (play.number(), address(Alice));
    let events = world.events(&report);
    assert_eq!(events[1..], [DeadlineSet { game, by, deadline }.into()]);
    world.wait(u64::from(CLOCK.bank));
    assert_eq!(world.claim(Eve, &play).err(), Some(common(Error::TimeLeft)));
    world.wait(1);
    let report = world.claim(Eve, &play).expect("Bob is late");
    assert!(report.deposit > 0, "who ends it pays for what is owed");
    world.holds(2, 2, 0);
    let ended = world.stored(&play).expect("it is there");
    assert_eq!(ended.game.game.end(), Some(End::Timeout));
}

#[test]
fn a_game_goes_on_on_the_chain_and_off_it_again() {
    let world = World::new();
    let play = world.begun(1);
    world
        .advance(Alice, &play, play.position(&[3]))
        .expect("news");
    assert_eq!(world.press(Alice, &play), Ok(world.now() + 300));
    world.wait(100);
    let (dropped, report) = world
        .tries(
            Bob,
            0,
            connect4_protocol::signed::message::Drop {
                game: play.number(),
                board: world.board(&play),
                bin: 4,
            },
        )
        .expect("in time");
    assert_eq!((dropped.row, dropped.outcome), (0, None));
    let expected = DiscDropped {
        game: play.number(),
        player: address(Bob),
        bin: 4,
        row: 0,
        turn: 1,
        deadline: Some(world.now() + 300),
    };
    assert_eq!(world.events(&report), [expected.into()]);
    world.wait(20);
    let later = play.position(&[3, 4, 3, 4]);
    world.advance(Eve, &play, later).expect("news");
    let stored = world.stored(&play).expect("it is there").game;
    let left = stored.stopped.expect("it stands").left;
    assert_eq!(left, ByPlayer { one: 290, two: 210 });
    world.wait(1_000_000);
    world
        .advance(Eve, &play, play.agreed(&line()))
        .expect("news");
    world.holds(2, 2, 0);
}

#[test]
fn a_line_is_final_when_the_loser_agrees_or_has_had_time() {
    let world = World::new();
    let play = world.begun(1);
    let report = world.advance(Alice, &play, play.position(&line()));
    let until = world.now() + u64::from(CLOCK.bank);
    let events = world.events(&report.expect("both have signed"));
    let (game, by) = (play.number(), address(Alice));
    let deadline = until;
    assert_eq!(events[1..], [DeadlineSet { game, by, deadline }.into()]);
    world.holds(2, 0, 0);
    world.wait(300);
    assert_eq!(world.claim(Eve, &play).err(), Some(common(Error::TimeLeft)));
    world.wait(1);
    world.claim(Eve, &play).expect("Bob has had time");
    world.holds(2, 2, 0);

    // By a disc on the chain, to which the loser agrees.
    let play = world.begun(2);
    let before = play.position(&line()[..6]);
    world.advance(Bob, &play, before).expect("news");
    world.drop(Alice, &play, 3).expect("Alice is to move");
    world.holds(4, 2, 0);
    world.resign(Bob, &play).expect("Bob agrees");
    let ended = world.stored(&play).expect("it is there").game.game;
    assert_eq!(ended.end(), Some(End::Line));
    world.holds(4, 4, 0);

    // Contested by a position in which the game has gone on.
    let play = world.begun(3);
    let other = [3, 4, 3, 4, 3, 4, 2, 2];
    let signed = play.position(&line());
    world
        .advance(Alice, &play, signed)
        .expect("both have signed");
    let later = play.position(&other);
    world.advance(Bob, &play, later).expect("it goes on");
    let stored = world.stored(&play).expect("it is there").game;
    assert_eq!((stored.contest, stored.game.end()), (None, None));
    world.holds(6, 4, 0);
}

/// What was offered until a second is not accepted after it.
#[test]
fn a_draw_is_taken_until_its_last_second() {
    let world = World::new();
    let play = world.begun(1);
    let until = world.now() + 60;
    let draw = |until| play.evidence(&[3, 4, 3], Some(SignedEnd::Draw { until }));
    world.wait(61);
    let late = world.advance(Bob, &play, draw(until)).err();
    assert_eq!(late, Some(common(Error::NoOffer)));
    let endless = world.advance(Bob, &play, draw(u64::MAX)).err();
    assert_eq!(
        endless,
        Some(common(Error::NoOffer)),
        "it has no last second"
    );
    let until = world.now() + 60;
    world.wait(60);
    let report = world.advance(Eve, &play, draw(until)).expect("in time");
    let credited = world.events(&report);
    let shares = [Alice, Bob].map(|who| {
        let (account, amount) = (address(who), STAKE);
        StakesEvent::from(Credited { account, amount })
    });
    assert_eq!(credited[1..3], shares);
    let ended = world.stored(&play).expect("it is there").game.game;
    assert_eq!((ended.end(), ended.turns()), (Some(End::Agreement), 3));
    world.holds(2, 1, 1);
    assert_eq!(world.sends(Bob, 0, Withdraw {}), STAKE);
    world.holds(1, 1, 0);
}

#[test]
fn player_two_takes_the_first_disc_over() {
    let world = World::new();
    for by_signature in [true, false] {
        let mut play = world.play(u32::from(by_signature));
        play.terms.pie_rule = true;
        world.fund(Alice, STAKE, &play).expect("Alice pays");
        world.fund(Bob, STAKE, &play).expect("Bob pays");
        if by_signature {
            let swapped = play.position(&[3, Moves::SWAP, 3]);
            world
                .advance(Bob, &play, swapped)
                .expect("both have signed");
        } else {
            world.drop(Alice, &play, 3).expect("Alice is to move");
            world.drop(Bob, &play, Moves::SWAP).expect("Bob takes it");
            world.drop(Alice, &play, 3).expect("Alice moves again");
        }
        let game = world.stored(&play).expect("it is there").game;
        assert!(game.pie_rule);
        assert_eq!(game.game.turns(), 2);
        assert_eq!(game.game.to_move(), Some(Player::Two));
    }
}

#[test]
fn the_longest_game_is_one_transaction_as_well() {
    let world = World::new();
    let shape = Shape::new(8, 15, 6).expect("the largest board");
    let mut play = world.play(1);
    play.terms.shape = shape.into();
    world.fund(Alice, STAKE, &play).expect("Alice pays");
    world.fund(Bob, STAKE, &play).expect("Bob pays");
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
    assert_eq!(moves.len(), 120);
    let full = play.position(&moves);
    world.advance(Eve, &play, full).expect("both have signed");
    let ended = world.stored(&play).expect("it is there").game.game;
    assert_eq!((ended.end(), ended.turns()), (Some(End::FullBoard), 120));
    world.holds(2, 1, 1);
}

/// The first move of each player has a day at most, however long the bank: then both get their stakes back.
#[test]
fn a_game_that_nobody_begins_is_aborted_after_a_day() {
    let world = World::new();
    let mut play = world.play(1);
    play.terms.clock = Some(ClockSpec {
        bank: 30 * 86_400,
        increment: 0,
    });
    world.fund(Alice, STAKE, &play).expect("Alice pays");
    world.fund(Bob, STAKE, &play).expect("Bob pays");
    world.press(Bob, &play).expect("Bob waits");
    world.wait(DAY);
    assert_eq!(world.claim(Bob, &play).err(), Some(common(Error::TimeLeft)));
    world.wait(1);
    world.claim(Dave, &play).expect("Alice has not begun");
    world.holds(2, 1, 1);
}

/// Stakes are counted by contracts in units that the chain's smallest amount has a hundred million of.
#[test]
fn a_stake_of_less_than_the_smallest_amount_of_the_chain_is_counted() {
    let world = World::new();
    let mut play = world.play(1);
    play.terms.stake = 7;
    let fund = |who| world.fund(who, RATIO, &play).expect("it is more");
    fund(Alice);
    assert_eq!(world.owed(Alice), RATIO - 7);
    fund(Bob);
    world.resign(Alice, &play).expect("Alice plays it");
    assert_eq!(world.owed(Alice), RATIO - 7);
    assert_eq!(world.owed(Bob), RATIO + 7);
    assert_eq!(world.sends(Bob, 0, Withdraw {}), RATIO + 7);
    assert_eq!(world.sends(Alice, 0, Withdraw {}), RATIO - 7);
    assert_eq!(world.balance(world.stakes), 0);
}

/// Terms with the same players and other numbers are other games, also on one contract.
#[test]
fn each_game_is_known_by_all_of_its_terms() {
    let world = World::new();
    let play = world.begun(1);
    let mut other: Play = play.clone();
    other.terms.nonce = 2;
    world.fund(Alice, STAKE, &other).expect("another game");
    world.fund(Bob, STAKE, &other).expect("another game");
    let foreign = world.advance(Eve, &other, play.agreed(&line())).err();
    assert_eq!(foreign, Some(common(Error::BadSignature)));
    world
        .advance(Eve, &play, play.agreed(&line()))
        .expect("its own");
    world.holds(4, 2, 0);
}
