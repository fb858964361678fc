//! Random walks through games with a stake, from the offer to the payment: far beyond what the searches reach.

use std::collections::HashSet;

use connect4_protocol::End;
use connect4_protocol::signed::StakedGame;
use connect4_rules::Player as Side;
use connect4_seat::{Call, Refund};
use connect4_testing::dice::Dice;

use super::NONE;
use super::key::ModelKey;
use super::search::Searched as _;
use super::staked::{State, World};
use super::state::Left;
use super::steps::Steps;
use crate::counts::{Counts, play_all};

/// Walks in each run of the tests.
const USUAL: u64 = 2_000;
/// Steps of a walk, at most.
const STEPS: usize = 120;

const LEFT: Left = Left {
    statements: 12,
    restarts: 4,
    forks: 4,
    lies: 6,
    jumps: 12,
    offers: 2,
    accepts: 2,
    resigns: 1,
    tricks: 0,
    late: 6,
};

fn count(counts: &mut Counts, what: &'static str) {
    *counts.entry(what).or_default() += 1;
}

/// What has come with a step.
fn count_step(counts: &mut Counts, was: &State, is: &State) {
    let turns = |state: &State| state.known.record.journal.position.moves.turns();
    let on_chain = |state: &State| state.begun().map(|game| game.game.game.turns());
    let refund = |state: &State| state.known.record.refund;
    let happened = [
        (
            was.known.record.terms != is.known.record.terms,
            "terms are kept",
        ),
        (
            was.begun().is_none() && is.begun().is_some(),
            "a game begins",
        ),
        (
            was.begun().is_some() && is.begun().is_none(),
            "a beginning is replaced",
        ),
        (
            refund(was) != Refund::Seen && refund(is) == Refund::Seen,
            "a refund is seen",
        ),
        (
            is.was_refunded && is.begun().is_some(),
            "a step in a game after a refund",
        ),
        (was.left.forks != is.left.forks, "blocks are replaced"),
        (was.left.restarts != is.left.restarts, "a restart"),
        (was.left.lies != is.left.lies, "a lie of the node"),
        (was.left.jumps != is.left.jumps, "time passes"),
        (was.left.late != is.left.late, "a transaction is late"),
        (
            was.late.len() > is.late.len(),
            "a late transaction gets into a block",
        ),
        (turns(is) > turns(was), "a longer position is held"),
        (
            on_chain(is) > on_chain(was),
            "a longer position is on the chain",
        ),
        (
            is.positions.len() > was.positions.len(),
            "the honest player signs a move",
        ),
        (is.offers.len() > was.offers.len(), "it offers a draw"),
        (is.endings.len() > was.endings.len(), "it signs an end"),
    ];
    for (has, what) in happened {
        if has {
            count(counts, what);
        }
    }
    let contest = |state: &State| state.begun().and_then(|game| game.game.contest);
    if contest(was).is_some() && contest(is).is_none() {
        let is_over = is.game().is_some_and(|game| game.game.is_final());
        count(
            counts,
            if is_over {
                "a line is final"
            } else {
                "a line is contested"
            },
        );
    }
}

fn count_end(counts: &mut Counts, state: &State) {
    let Some(StakedGame { game, .. }) = state.game() else {
        return count(counts, "end: nobody has paid");
    };
    let what = match game.game.end() {
        _ if !game.is_final() => "end: it goes on",
        Some(End::Line) => "end: a line",
        Some(End::FullBoard) => "end: a full board",
        Some(End::Resignation) => "end: a resignation",
        Some(End::Timeout) => "end: a timeout",
        Some(End::Abort) => "end: an abort",
        Some(End::Agreement) => "end: a draw",
        _ => "end: another one",
    };
    count(counts, what);
}

/// One walk; it says how it came there if the honest player suffers anything.
fn walk(seed: u64) -> Counts {
    let mut dice = Dice(seed);
    let mut counts = Counts::new();
    let honest = if dice.below(2) == 0 {
        Side::One
    } else {
        Side::Two
    };
    let world = World {
        has_no_relay: dice.below(4) == 0,
        has_moves: true,
        // In every other walk both have paid.
        ..match dice.below(2) {
            0 => World::funding(honest),
            _ => World::new(honest, &[]),
        }
    };
    let mut state = world.state(LEFT);
    let mut path = Vec::new();
    for _ in 0..STEPS {
        if world.is_over(&state) {
            break;
        }
        let mut steps = Steps::new(true);
        let ticks = world.steps(&state, &mut steps);
        // As many blocks as all else, or few games would begin.
        let number = match dice.below(4) {
            0 => 0,
            1 => dice.below(ticks as u64),
            _ => dice.below(steps.list.len() as u64),
        };
        let (says, next) = steps.list.swap_remove(number as usize);
        path.push(says);
        match next {
            Ok(next) => {
                count_step(&mut counts, &state, &next);
                state = next;
            }
            Err(violation) => panic!("{violation}, seed {seed}\n{}", path.join("\n")),
        }
    }
    let mut rest = Vec::new();
    let ended = match world.is_over(&state) {
        true => world.check_end(&state),
        false => world.outlast(&state, &mut HashSet::new(), Some(&mut rest)),
    };
    if let Err(violation) = ended {
        path.extend(rest);
        panic!("{violation}, seed {seed}\n{}", path.join("\n"));
    }
    count_end(&mut counts, &state);
    counts
}

#[test]
fn walks_through_games_with_a_stake() {
    let wanted = [
        "terms are kept",
        "a game begins",
        "a beginning is replaced",
        "a refund is seen",
        "blocks are replaced",
        "a restart",
        "a lie of the node",
        "time passes",
        "a transaction is late",
        "a late transaction gets into a block",
        "a longer position is held",
        "a longer position is on the chain",
        "the honest player signs a move",
        "it offers a draw",
        "it signs an end",
        "a line is contested",
        "a line is final",
        "end: a draw",
        "end: a line",
        "end: a resignation",
        "end: a timeout",
        "end: an abort",
    ];
    play_all(USUAL, &wanted, walk);
}

/// The state after the steps that are told so.
fn follow(world: &World, mut state: State, path: &[&str]) -> State {
    for wanted in path {
        let mut steps = Steps::new(true);
        world.steps(&state, &mut steps);
        let told: Vec<_> = steps.list.iter().map(|(says, _)| says.clone()).collect();
        let place = told.iter().position(|says| says == wanted);
        let place = place.unwrap_or_else(|| panic!("no {wanted}, but\n{}", told.join("\n")));
        let (_, next) = steps.list.swap_remove(place);
        state = next.unwrap_or_else(|violation| panic!("{violation}, by {wanted}"));
    }
    state
}

/// The opponent resigns when the honest player's time is over, and can claim that at any second. The resignation has to
/// win where nothing is lost. Where a block with it is replaced, the opponent may be the first to claim, until the player,
/// which has sent it a moment ago, sends it again.
#[test]
fn a_resignation_that_comes_when_time_is_over_may_be_too_late_once_it_is_lost() {
    let world = World::new(Side::Two, &[]);
    let left = Left {
        statements: 1,
        forks: 1,
        ..NONE
    };
    let mut pressed = world.state(left);
    let evidence = world.evidence(None, &[4]);
    let press = true;
    let brought = Call::Advance { evidence, press };
    let key = ModelKey(world.cheat);
    let chain = &mut pressed.chain;
    let called = chain.call(world.cheat, world.number, &brought, pressed.now, &key);
    assert_eq!(called, Ok(()));
    pressed.now += 301;
    pressed.blocks = vec![pressed.chain.clone()];
    let late = [
        "a block; honest: waits",
        "cheat: sends the resignation of red at ''",
        "a block; honest: waits",
    ];
    let landed = follow(&world, pressed, &late);
    let winner = |state: &State| state.game().and_then(|game| game.game.game.winner());
    assert_eq!(winner(&landed), Some(Side::Two));
    let lost = [
        "the last 1 blocks are replaced",
        "a block; honest: waits",
        "a block; honest: waits",
    ];
    let lost = follow(&world, landed, &lost);
    let claimed = follow(&world, lost.clone(), &["cheat: Claim"]);
    assert!(claimed.is_final() && !claimed.held.must_win);
    assert_eq!(world.check_end(&claimed), Ok(()));
    let again = [
        "time passes until +313 s",
        "a block; honest: waits [brings '', Some(Resignation(One)), press false]",
        "a block",
    ];
    let again = follow(&world, lost, &again);
    assert!(again.is_final() && again.held.must_win);
    assert_eq!(winner(&again), Some(Side::Two));
}
