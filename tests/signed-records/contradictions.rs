//! Witnesses that say two things of one game.

use connect4_protocol::signed::event::WitnessContradicted;
use connect4_protocol::signed::wire::{Telling, Told};
use connect4_protocol::signed::{
    Contradiction, Ending, RecordsError, RecordsEvent, Refused, Signature, Terms, Testimony,
    WitnessedEnd,
};
use connect4_rules::{ByPlayer, Player};
use connect4_testing::keys::session_key;
use connect4_testing::signed::{SignedPlay, list_of, told};

use crate::world::{World, line, witness};

fn by_itself(told: Told) -> Testimony {
    Testimony {
        told,
        list: Vec::new(),
    }
}

/// A receipt after these moves: so many milliseconds after the games end, with this left.
fn receipt(world: &World, play: &SignedPlay, bins: &[u8], after: u64, left: [u64; 2]) -> Testimony {
    let [one, two] = left;
    let what = Telling::Receipt {
        left: ByPlayer { one, two },
    };
    by_itself(told(play, bins, world.at() + after, what, &witness()))
}

fn ended(
    world: &World,
    play: &SignedPlay,
    bins: &[u8],
    after: u64,
    end: WitnessedEnd,
) -> Testimony {
    let what = Telling::Ended(end);
    by_itself(told(play, bins, world.at() + after, what, &witness()))
}

#[test]
fn each_contradiction_is_told_by_its_name() {
    let world = World::new();
    let play = world.guests(1);
    let receipt = |bins: &[u8], after, left| receipt(&world, &play, bins, after, left);
    let ended = |bins: &[u8], after, end| ended(&world, &play, bins, after, end);
    let first = receipt(&[3, 4], 0, [180_000, 180_000]);
    let draw = WitnessedEnd::Draw;
    let cases = [
        (
            receipt(&[3, 5, 3], 0, [182_000, 180_000]),
            Contradiction::Forked,
        ),
        (
            receipt(&[3, 4], 1, [180_000, 180_000]),
            Contradiction::TwoReceipts,
        ),
        (
            receipt(&[3], 1, [180_000, 180_000]),
            Contradiction::TimeWentBack,
        ),
        (
            receipt(&[3, 4, 3], 5, [182_000, 179_994]),
            Contradiction::TimeTaken,
        ),
        (
            receipt(&[3, 4, 3], 5, [182_001, 180_000]),
            Contradiction::TimeGiven,
        ),
        (ended(&[3], 0, draw), Contradiction::EndBehindReceipt),
        (
            ended(&[3, 4], 179_999, WitnessedEnd::Lapse(Player::One)),
            Contradiction::EarlyLapse,
        ),
    ];
    for (other, how) in cases {
        for (one, other) in [(&first, &other), (&other, &first)] {
            let contradicted = world.contradict(&play, one.clone(), other.clone());
            let (told, report) = contradicted.expect("it is one");
            assert_eq!(told, how);
            let event = WitnessContradicted {
                game: play.number,
                witness: witness().address(),
                genesis: world.chain().genesis,
                how,
            };
            assert_eq!(
                world.events(&report),
                [RecordsEvent::WitnessContradicted(event)]
            );
        }
    }
    let two = world.contradict(
        &play,
        ended(&[3, 4], 0, draw),
        ended(&[3, 4], 0, WitnessedEnd::Resignation(Player::One)),
    );
    assert_eq!(two.map(|(how, _)| how), Ok(Contradiction::TwoEnds));
    // One is enough where the terms refute it.
    for alone in [
        ended(&[3, 4], 0, WitnessedEnd::Void),
        ended(&[3, 4], 0, WitnessedEnd::Board),
        ended(&[3], 0, draw),
        receipt(&[3, 9], 0, [180_000, 180_000]),
        receipt(&[3, 4], 0, [180_000, 179_000]),
    ] {
        let contradicted = world.contradict(&play, alone.clone(), alone);
        let how = contradicted.map(|(how, _)| how);
        assert_eq!(how, Ok(Contradiction::Impossible));
    }
}

/// The end that a witness has signed in a list counts as one that it has signed by itself.
#[test]
fn a_list_is_evidence_too() {
    let world = World::new();
    let plays = [1, 2, 3].map(|number| world.guests(number));
    let games = plays
        .each_ref()
        .map(|play| world.ended(play, &line()[..4], Ending::Draw));
    let (list, signature) = list_of(&games, world.chain(), &witness());
    let play = &plays[1];
    let mut in_list = ended(&world, play, &line()[..4], 0, WitnessedEnd::Draw);
    in_list.told.witness = signature;
    in_list.list = list;
    let kept = receipt(&world, play, &line()[..5], 0, [180_000, 180_000]);
    let contradicted = world.contradict(play, in_list.clone(), kept.clone());
    let how = contradicted.map(|(how, _)| how);
    assert_eq!(how, Ok(Contradiction::EndBehindReceipt));
    // It stands in no list of which it is not.
    let mut elsewhere = in_list.clone();
    elsewhere.list.remove(1);
    let said = world.contradict(play, elsewhere, kept.clone());
    assert_eq!(said.err(), Some(RecordsError::NotSaid));
    let mut longer = in_list;
    longer.list.push([0; 32]);
    let said = world.contradict(play, longer, kept.clone());
    assert_eq!(said.err(), Some(RecordsError::NotSaid));
    // A receipt stands in none.
    let mut receipt = kept.clone();
    receipt.list = vec![[0; 32]];
    let said = world.contradict(play, receipt, kept);
    assert_eq!(said.err(), Some(RecordsError::NotSaid));
}

/// An honest witness is accused of nothing.
#[test]
fn what_is_not_said_or_can_both_be_true_is_refused() {
    let world = World::new();
    let play = world.guests(1);
    let first = receipt(&world, &play, &[3, 4], 0, [180_000, 180_000]);
    let next = receipt(&world, &play, &[3, 4, 3], 5_000, [177_000, 180_000]);
    let refused = |one: &Testimony, other: &Testimony| {
        world
            .contradict(&play, one.clone(), other.clone())
            .expect_err("it is none")
    };
    assert_eq!(refused(&first, &next), RecordsError::NoContradiction);
    assert_eq!(refused(&first, &first), RecordsError::NoContradiction);
    // By another key, of another game, changed.
    let what = next.told.what;
    let by_other = by_itself(told(&play, &[3, 5], world.at(), what, &session_key(6)));
    assert_eq!(refused(&first, &by_other), RecordsError::NotSaid);
    let of_other = receipt(&world, &world.guests(2), &[3, 5], 0, [0, 0]);
    assert_eq!(refused(&of_other, &first), RecordsError::NotSaid);
    let mut changed = next;
    changed.told.at += 1;
    assert_eq!(refused(&first, &changed), RecordsError::NotSaid);
    changed.told.witness = Signature::NONE;
    assert_eq!(refused(&first, &changed), RecordsError::NotSaid);
    // The terms name nobody.
    let terms = Terms {
        witness: None,
        ..world.terms()
    };
    let alone = world.of_guests(terms, 1);
    let one = receipt(&world, &alone, &[3, 4], 0, [0, 0]);
    let other = receipt(&world, &alone, &[3, 5], 0, [0, 0]);
    let refused = world
        .contradict(&alone, one, other)
        .expect_err("nobody has said it");
    assert_eq!(refused, RecordsError::Terms(Refused::NoWitness));
}

/// A list of 64 ends, twice, is the longest message.
#[test]
fn the_longest_lists_are_read() {
    let world = World::new();
    let play = world.guests(1);
    let long: Vec<u8> = (0..42).map(|at| at % 6).collect();
    let at = |end| {
        let mut said = ended(&world, &play, &long, 0, end);
        let of_this = connect4_protocol::signed::Ended {
            game: play.number,
            moves: &long,
            end,
            at: said.told.at,
        };
        let native = &connect4_protocol::signed::Native;
        said.list = vec![[9; 32]; 63];
        said.list.push(of_this.hash(native));
        let ends = connect4_protocol::signed::Ends { hashes: &said.list };
        said.told.witness = witness().sign(&ends.digest(&play.domain(), native));
        said
    };
    let draw = at(WitnessedEnd::Draw);
    let contradicted = world.contradict(&play, draw.clone(), at(WitnessedEnd::Board));
    assert_eq!(contradicted.map(|(how, _)| how), Ok(Contradiction::TwoEnds));
    let mut longer = draw.clone();
    longer.list.extend([[9; 32]; 3]);
    let refused = world.contradict(&play, draw, longer).expect_err("too long");
    assert!(matches!(
        refused,
        RecordsError::NotSaid | RecordsError::LongList
    ));
}
