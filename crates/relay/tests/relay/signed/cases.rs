//! Single cases of the witness without input and output.

use std::net::{IpAddr, Ipv4Addr};

use connect4_protocol::ClockSpec;
use connect4_protocol::signed::relay::Refusal;
use connect4_protocol::signed::wire::{Act, Telling};
use connect4_protocol::signed::{Moves, SignedTerms};
use connect4_relay::Visitor;
use connect4_relay::witness::{Bounds, Checked, Entry, Heard, Opening, Output};
use connect4_rules::{ByPlayer, Player};

use super::plays::*;
use super::world::{World, resume};

/// A game in which both have moved, with a bank of one second, of a witness that takes its turns.
fn begun() -> (World, Play) {
    begun_with(0)
}

/// The same, with so many seconds for each move.
fn begun_with(increment: u32) -> (World, Play) {
    let mut world = World::new(1);
    let clock = ClockSpec { bank: 1, increment };
    while world.plays.is_empty() || world.plays[0].signed.terms.clock != Some(clock) {
        world = World::new(world.dice.below(u64::MAX));
        world.open();
    }
    let play = world.plays.remove(0);
    (world, play)
}

fn make(world: &mut World, play: &mut Play, bins: &[u8]) -> Result<Heard, Refusal> {
    make_over(world, play, bins, 0)
}

/// The same over a line with this round trip, in milliseconds.
fn make_over(
    world: &mut World,
    play: &mut Play,
    bins: &[u8],
    round_trip: u64,
) -> Result<Heard, Refusal> {
    let moves = Moves::from_bins(bins).expect("few moves");
    let by = mover_of(bins).expect("a move");
    let spoken = play.say(by, Act::Move, moves);
    let keys = play.signed.terms.players.map(|party| party.key());
    let checked = Checked::spoken(spoken, play.number, &keys, &DOMAIN, &Cheap);
    let checked = checked.expect("it is signed");
    world
        .core
        .take(play.number, &checked, round_trip, world.now)
}

/// The witness takes its turns for so long.
fn turns(world: &mut World, time: u64) {
    for _ in 0..time / TURN {
        world.now += TURN;
        world.core.tick(world.now, world.wall);
    }
}

#[test]
fn a_move_that_waits_while_the_witness_is_busy_is_in_time() {
    let (mut world, mut play) = begun();
    for bins in [&[0][..], &[0, 1]] {
        assert_eq!(make(&mut world, &mut play, bins), Ok(Heard::New));
    }
    turns(&mut world, 900);
    for _ in 0..5_000 {
        world.now += 1;
        world.core.look(world.now);
    }
    let taken = make(&mut world, &mut play, &[0, 1, 2]);
    assert_eq!(taken, Ok(Heard::New), "it came in before");
    // The other one is out of time in a turn that is on time.
    turns(&mut world, 1_500);
    let late = make(&mut world, &mut play, &[0, 1, 2, 3]);
    assert_eq!(late, Err(Refusal::OtherPosition));
}

#[test]
fn a_turn_that_is_late_ends_no_game() {
    let (mut world, mut play) = begun();
    for bins in [&[0][..], &[0, 1]] {
        assert_eq!(make(&mut world, &mut play, bins), Ok(Heard::New));
    }
    turns(&mut world, 900);
    for _ in 0..1_000 {
        world.now += 1;
        world.core.look(world.now);
    }
    world.core.tick(world.now, world.wall);
    assert_eq!(make(&mut world, &mut play, &[0, 1, 2]), Ok(Heard::New));
}

#[test]
fn after_a_restart_the_clock_of_each_player_stands_until_it_is_back() {
    for is_back in [true, false] {
        let (mut world, mut play) = begun();
        for bins in [&[0][..], &[0, 1]] {
            assert_eq!(make(&mut world, &mut play, bins), Ok(Heard::New));
        }
        while let Some((entries, count)) = world.core.to_write() {
            world.log.extend(entries);
            let _told = world.core.written(count, world.now);
        }
        world.core = resume(&world.log, world.wall, world.now);
        world.core.back(play.number, Player::One, world.now);
        if is_back {
            world.core.back(play.number, Player::Two, world.now);
        }
        assert_eq!(make(&mut world, &mut play, &[0, 1, 2]), Ok(Heard::New));
        turns(&mut world, BACK - 1_000);
        let answer = make(&mut world, &mut play, &[0, 1, 2, 3]);
        let expected = match is_back {
            true => Err(Refusal::OtherPosition),
            false => Ok(Heard::New),
        };
        assert_eq!(answer, expected);
    }
}

/// What is left to each player by the receipt for these moves.
fn left(world: &mut World, bins: &[u8]) -> ByPlayer<u64> {
    let mut outputs = Vec::new();
    while let Some((_, count)) = world.core.to_write() {
        outputs.extend(world.core.written(count, world.now));
    }
    let told = outputs.iter().find_map(|output| match output {
        Output::Told(_, told) if *told.moves == *bins => Some(told.what),
        _ => None,
    });
    match told {
        Some(Telling::Receipt { left }) => left,
        _ => panic!("no receipt for {bins:?}"),
    }
}

#[test]
fn each_move_costs_its_time_without_that_of_the_line() {
    let (mut world, mut play) = begun();
    let mut bins = vec![0, 1];
    for bins in [&[0][..], &[0, 1]] {
        assert_eq!(make(&mut world, &mut play, bins), Ok(Heard::New));
    }
    // Of 300 ms that a move takes, 120 are those of the line; the other player has none.
    let (mut one, two) = (1_000, 1_000);
    for (bin, round_trip) in [(2, 120), (3, 0), (4, 9_000)] {
        turns(&mut world, if round_trip == 0 { 0 } else { 300 });
        bins.push(bin);
        let made = make_over(&mut world, &mut play, &bins, round_trip);
        assert_eq!(made, Ok(Heard::New));
        if round_trip > 0 {
            one -= 300 - round_trip.min(300);
        }
        assert_eq!(left(&mut world, &bins), ByPlayer { one, two });
    }
}

#[test]
fn time_is_over_when_that_of_the_line_is_over_too() {
    for (round_trip, time, is_late) in [
        (0, 900, false),
        (0, 1_000, true),
        (200, 1_100, false),
        (200, 1_200, true),
    ] {
        let (mut world, mut play) = begun();
        for bins in [&[0][..], &[0, 1]] {
            assert_eq!(
                make_over(&mut world, &mut play, bins, round_trip),
                Ok(Heard::New)
            );
        }
        turns(&mut world, time);
        let made = make_over(&mut world, &mut play, &[0, 1, 2], round_trip);
        assert_eq!(
            made == Err(Refusal::OtherPosition),
            is_late,
            "{round_trip} {time}"
        );
    }
}

/// Moves on the small board that make no line.
const WITHOUT_LINE: [u8; 15] = [0, 0, 0, 0, 1, 1, 1, 1, 3, 2, 3, 3, 3, 4, 4];

/// A player who answers pings late at one move, and at once at the next, was given half a second of each second move that did
/// not count.
#[test]
fn the_time_that_the_end_is_waited_for_counts_as_given() {
    let (mut world, mut play) = begun_with(1);
    let mut bins = Vec::new();
    let mut bank = 1_000;
    for (turn, bin) in WITHOUT_LINE.into_iter().enumerate() {
        bins.push(bin);
        let is_slow = turn % 4 == 0;
        if turn % 4 == 2 {
            turns(&mut world, bank + 400);
        }
        let round_trip = if is_slow { 9_000 } else { 0 };
        let made = make_over(&mut world, &mut play, &bins, round_trip);
        // Of a second 399 ms are left.
        let expected = match turn {
            14 => Err(Refusal::OtherPosition),
            _ => Ok(Heard::New),
        };
        assert_eq!(made, expected, "{turn}");
        if turn < 14 {
            bank = left(&mut world, &bins).one;
        }
    }
}

/// The terms of a game without a clock that can begin now.
fn terms(world: &World, number: u8) -> SignedTerms {
    world.terms(number, None, world.wall / 1_000)
}

#[test]
fn a_network_has_its_share_again_once_its_games_have_ended() {
    let mut world = World::new(1);
    world.core.set_bounds(Bounds {
        games: 16,
        of_key: 10,
    });
    let network = |last| Visitor::from(IpAddr::from(Ipv4Addr::new(192, 0, 2, last)));
    let open = |world: &mut World, number: u8, from: Visitor| {
        let terms = terms(world, number);
        let checked = Checked::terms(terms, CHAIN, &Cheap).expect("both have signed");
        world.core.open(&checked, from, world.now)
    };
    assert_eq!(open(&mut world, 0, network(1)), Ok(()));
    assert_eq!(open(&mut world, 1, network(1)), Ok(()));
    assert_eq!(open(&mut world, 2, network(1)), Err(Refusal::Full));
    assert_eq!(open(&mut world, 2, network(2)), Ok(()));
    // One that is known is not counted.
    let again = terms(&world, 0);
    let known = world.core.may_open(&again, network(1), world.now);
    assert_eq!(known, Ok(Opening::Known));
    for number in 0..2 {
        let mut play = Play::of(terms(&world, number));
        let resigned = play.say(Player::One, Act::Resign, Moves::new());
        let keys = play.signed.terms.players.map(|party| party.key());
        let checked = Checked::spoken(resigned, play.number, &keys, &DOMAIN, &Cheap);
        let checked = checked.expect("it is signed");
        let heard = world.core.take(play.number, &checked, 0, world.now);
        assert_eq!(heard, Ok(Heard::New));
    }
    assert_eq!(
        open(&mut world, 3, network(1)),
        Err(Refusal::Full),
        "not yet"
    );
    while let Some((entries, count)) = world.core.to_write() {
        world.log.extend(entries);
        let _told = world.core.written(count, world.now);
    }
    assert_eq!(open(&mut world, 3, network(1)), Ok(()));
    assert_eq!(open(&mut world, 4, network(1)), Ok(()));
    assert_eq!(open(&mut world, 5, network(1)), Err(Refusal::Full));
    assert_eq!(world.core.count(), (3, 2));
}

/// A game without a clock is void after 14 days without a move, also if the witness is killed meanwhile.
#[test]
fn the_time_of_games_without_a_clock_is_in_the_log_each_hour() {
    let mut world = World::new(1);
    let checked = Checked::terms(terms(&world, 0), CHAIN, &Cheap).expect("both have signed");
    let opened = world.core.open(&checked, Visitor::Uncounted, world.now);
    assert_eq!(opened, Ok(()));
    let mut written = Vec::new();
    for _ in 1..5 * 60 * 60 * 1_000 / TURN {
        turns(&mut world, TURN);
        if let Some((entries, count)) = world.core.to_write() {
            written.extend(entries);
            let _told = world.core.written(count, world.now);
        }
    }
    let hours = written
        .iter()
        .filter(|entry| matches!(entry, Entry::Alive(_)));
    assert_eq!(hours.count(), 4, "the fifth is not over");
}

#[test]
fn the_time_in_which_a_log_is_written_anew_is_nobodys() {
    let (mut world, mut play) = begun();
    for bins in [&[0][..], &[0, 1]] {
        assert_eq!(make(&mut world, &mut play, bins), Ok(Heard::New));
    }
    while let Some((_, count)) = world.core.to_write() {
        let _told = world.core.written(count, world.now);
    }
    world.core.rewrites(world.now);
    turns(&mut world, 10_000);
    world.core.rewritten(world.now);
    turns(&mut world, 700);
    assert_eq!(make(&mut world, &mut play, &[0, 1, 2]), Ok(Heard::New));
    // Then it runs again.
    while let Some((_, count)) = world.core.to_write() {
        let _told = world.core.written(count, world.now);
    }
    world.core.rewrites(world.now);
    world.core.rewritten(world.now);
    turns(&mut world, 1_100);
    let late = make(&mut world, &mut play, &[0, 1, 2, 3]);
    assert_eq!(late, Err(Refusal::OtherPosition));
}
