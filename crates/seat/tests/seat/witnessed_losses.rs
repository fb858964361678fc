//! What is refused by a full disk, comes too late, or is for somebody else, in a game without a stake.

use connect4_protocol::signed::relay::Refusal;
use connect4_protocol::signed::wire::{FromWitness, Telling, ToWitness};
use connect4_protocol::signed::{Native, SignedTerms, Signing as _, WitnessedEnd};
use connect4_protocol::{End, Error};
use connect4_rules::{Bin, ByPlayer, Player as Side};
use connect4_seat::{
    Awaited, Command, GameOffer, Input, Message, Output, Player, PlayerError, SeatError, Stage,
    Taker, What, Who,
};

use crate::player::{Full, disk};
use crate::witness_world::{DOMAIN, START, World, offer, party, taker};
use crate::witnessed::{HONEST, LINE, end, hears, moves, room, told};
use crate::world::key;

/// The witness refuses a move and a resignation while its log takes no more. Later it tells the newest position again,
/// or the terms.
#[test]
fn what_a_full_log_has_refused_is_said_again() {
    for bins in [&[][..], &[0, 1]] {
        let mut world = World::begun();
        world.play(bins);
        world.fill(true);
        let moved = world.command(Side::One, Command::Move(Bin::new(0)));
        assert_eq!(moved, Ok(()));
        world.settle();
        assert_eq!(room(&mut world, Side::One).moves(), moves(bins));
        world.fill(false);
        world.settle();
        assert_eq!(room(&mut world, Side::Two).moves().len(), bins.len() + 1);
    }
    let mut world = World::begun();
    world.play(&[0, 1]);
    world.fill(true);
    let resigned = world.command(Side::One, Command::Resign);
    resigned.expect("it goes on");
    world.settle();
    world.fill(false);
    // The word that it takes more is lost.
    world.to_player[0].clear();
    world.pass(12_000);
    world.settle();
    let resigned = Some((Some(Side::Two), End::Resignation));
    assert_eq!(end(&mut world, Side::Two), resigned);
}

/// What the room tells comes once.
#[test]
fn what_a_disk_refuses_once_is_heard_again() {
    // A receipt, and the end after it.
    for bins in [&LINE[..3], &LINE[..]] {
        let mut world = World::begun();
        world.play(&bins[..bins.len() - 1]);
        let last = Bin::new(bins[bins.len() - 1]);
        world.program(Side::Two).shelf().fill(true);
        let moved = world.command(Side::One, Command::Move(last));
        assert_eq!(moved, Ok(()));
        world.settle();
        assert_eq!(room(&mut world, Side::Two).moves().len(), bins.len() - 1);
        assert!(!world.left[1]);
        // It is still full with the next step.
        world.pass(1_000);
        world.program(Side::Two).shelf().fill(false);
        world.pass(1_000);
        assert_eq!(room(&mut world, Side::Two).moves(), moves(bins));
        assert_eq!(world.left[1], bins.len() == LINE.len());
    }
    // The signature of the player who offers.
    let mut world = World::new(false);
    let (to, half) = world.mail.remove(0);
    world.tell(to, Input::Message(half));
    world.pass(0);
    world.witness_hears(Side::One);
    world.program(Side::Two).shelf().fill(true);
    world.settle();
    assert!(!room(&mut world, Side::Two).is_agreed());
    world.program(Side::Two).shelf().fill(false);
    for _ in 0..2 {
        world.pass(12_000);
        world.settle();
    }
    assert!(room(&mut world, Side::Two).is_agreed());
}

#[test]
fn a_clock_that_is_set_back_keeps_nobody_out_of_the_room() {
    let mut world = World::begun();
    world.play(&[0]);
    world.tell(Side::One, Input::Time(START + 3_600));
    world.disconnect(Side::One);
    assert!(world.is_in_room[0], "it asks at once");
    world.disconnect(Side::One);
    assert!(!world.is_in_room[0], "it has asked a moment ago");
    world.pass(1_000);
    world.settle();
    assert!(world.is_in_room[0]);
}

/// After 14 days the witness gives up a game without a clock.
#[test]
fn a_game_without_a_clock_is_given_up_by_its_witness() {
    let mut unlimited = offer();
    unlimited.terms.clock = None;
    let mut world = World::of(&unlimited, true);
    world.settle();
    world.play(&[0, 1, 0]);
    world.pass(14 * 86_400 * 1_000 + 1_000);
    world.settle();
    for side in Side::ALL {
        assert_eq!(end(&mut world, side), Some((None, End::Abort)));
        assert_eq!(world.program(side).shown().stage, Stage::Over);
    }
    assert_eq!((world.left, world.refused), ([true, true], 0));

    // Not a game that has ended on the board, nor one whose moves are not signed.
    let mut world = World::of(&unlimited, true);
    world.settle();
    world.play(&LINE[..4]);
    let void = Telling::Ended(WitnessedEnd::Void);
    let at = START * 1_000 + 9_000;
    let over = told(&world, &LINE, void, at, HONEST);
    assert!(hears(&mut world, Side::Two, over).is_err());
    let by_two = ByPlayer::from_fn(|_| Side::Two);
    let unsigned = told(&world, &[0, 1, 0, 1, 3], void, at, by_two);
    let refused = hears(&mut world, Side::Two, unsigned);
    assert_eq!(refused, Err(PlayerError::NotSigned));
}

#[test]
fn a_room_that_is_not_opened_any_more_is_shown() {
    for refusal in [Refusal::OtherTime, Refusal::OtherWitness] {
        let mut world = World::begun();
        let stage = |world: &mut World| world.program(Side::One).shown().stage;
        world.tell(Side::One, Input::Room(FromWitness::Refused(refusal)));
        assert_eq!(stage(&mut world), Stage::NoGame);
        assert_eq!(world.program(Side::One).shown().awaited, None);
        // It asks all the same, and the room is there.
        world.disconnect(Side::One);
        world.pass(12_000);
        world.settle();
        assert_eq!(stage(&mut world), Stage::Playing);
        world.play(&[0, 1]);
        world.tell(Side::One, Input::Room(FromWitness::Refused(refusal)));
        assert_eq!(stage(&mut world), Stage::NoResult);
        world.settle();
        world.play(&[]);
    }
}

/// The player who offers signs while the taker is away.
#[test]
fn a_taker_who_comes_back_late_finds_the_game_or_that_there_is_none() {
    for is_signed in [true, false] {
        let mut world = World::new(false);
        let (to, half) = world.mail.remove(0);
        world.is_away[1] = true;
        if is_signed {
            world.tell(to, Input::Message(half));
        }
        world.pass(50_000);
        world.settle();
        if is_signed {
            // It stays there, and the first move is waited for.
            let moved = world.command(Side::One, Command::Move(Bin::new(0)));
            assert_eq!(moved, Ok(()));
            world.settle();
        }
        world.pass(75_000);
        world.settle();
        world.restart(Side::Two);
        world.is_away[1] = false;
        world.pass(1_000);
        world.settle();
        let shown = world.program(Side::Two).shown();
        match is_signed {
            true => assert_ne!(shown.stage, Stage::Agreeing),
            false => assert_eq!((shown.stage, shown.awaited), (Stage::NoGame, None)),
        }
        let entered = world.entered;
        world.pass(60_000);
        world.settle();
        assert_eq!(world.entered, entered, "it asks no more");
    }
}

#[test]
fn what_is_held_is_said_first() {
    let mut world = World::begun();
    world.play(&[0, 1]);
    world.disconnect(Side::One);
    world.pass(12_000);
    assert!(world.player_hears(Side::One));
    let said = world.to_witness[0].front();
    assert!(matches!(said, Some(ToWitness::Held(_))), "{said:?}");
}

/// An accomplice of a witness chose between the draw and the move.
#[test]
fn no_draw_is_offered_before_the_own_move_nor_a_move_made_after_an_agreement() {
    let seat = |error| Err(PlayerError::Seat(SeatError::Refused(error)));
    let mut world = World::begun();
    world.play(&[0, 1]);
    let offered = world.command(Side::One, Command::OfferDraw);
    assert_eq!(offered, seat(Error::YourTurn));
    let offered = world.command(Side::Two, Command::OfferDraw);
    offered.expect("it has moved");
    world.settle();
    let accepted = world.command(Side::One, Command::AcceptDraw);
    accepted.expect("it is offered");
    // Nobody is asked for a move any more.
    let awaited = Awaited {
        of: Who::Witness,
        what: What::End,
        until: None,
    };
    let shown = world.players[0].shown();
    assert_eq!((shown.stage, shown.awaited), (Stage::Ending, Some(awaited)));
    let moved = world.command(Side::One, Command::Move(Bin::new(2)));
    assert_eq!(moved, seat(Error::AlreadyOffered));
    // The witness has lost the offer, so that the game goes on.
    world.disconnect(Side::One);
    world.pass(12_000);
    assert!(world.player_hears(Side::One));
    let moved = world.command(Side::One, Command::Move(Bin::new(2)));
    assert_eq!(moved, Ok(()));
}

/// Anybody took a rematch, and the rematch of a tournament's game counted there.
#[test]
fn a_rematch_is_for_the_opponent_and_for_no_tournament() {
    let mut of_event = offer();
    of_event.terms.event = Some([5; 32]);
    of_event.relay = Some("wss://one.example".into());
    let mut world = World::of(&of_event, true);
    world.settle();
    world.play(&LINE);
    let next = world.players[1].rematch(START + 300, 10);
    let next = next.expect("it is over");
    assert_eq!(next.terms.event, None);
    assert!(world.players[0].is_rematch(&next));
    // Who meets the opponent at a relay need not name it, and does not lead it to another one.
    for (relay, is_one) in [(None, true), (Some("wss://two.example".into()), false)] {
        let elsewhere = GameOffer {
            relay,
            ..next.clone()
        };
        assert_eq!(world.players[0].is_rematch(&elsewhere), is_one);
    }
    let takes = |party| {
        let by = Taker { party, ..taker() };
        let taken = Player::take(
            DOMAIN,
            key(Side::One),
            disk(Side::One),
            (next.clone(), &by),
            START,
        );
        taken.map(|_| ())
    };
    assert_eq!(takes(party(Side::One)), Ok(()));
    // With the key that is on the disk, for another account.
    let other = connect4_protocol::Address([9; 20]);
    let stranger = connect4_protocol::signed::Party::new(other, party(Side::One).key());
    assert_eq!(takes(stranger), Err(PlayerError::OtherTerms));
    // The player who offers signs for no other taker.
    let terms = next.complete(&Taker {
        party: stranger,
        ..taker()
    });
    let number = terms.number(&DOMAIN, &Native);
    let signed = SignedTerms {
        terms,
        sessions: ByPlayer::default(),
        signatures: ByPlayer::from_fn(|_| key(Side::One).sign(&number.0)),
    };
    let two = Player::offer(DOMAIN, key(Side::Two), disk(Side::Two), next.clone(), START);
    let mut two = two.expect("it is offered");
    let refused = two.step(Input::Message(Message::Terms(signed)));
    assert_eq!(refused, Err(PlayerError::<Full>::OtherTerms));
}

/// A game with a clock was said to be void once both had moved, and had lapsed later: the first word was thrown away. And
/// the first receipt left less than the bank.
#[test]
fn what_the_terms_alone_refute_is_kept() {
    let left = |one| Telling::Receipt {
        left: ByPlayer { one, two: 60_000 },
    };
    let void = Telling::Ended(WitnessedEnd::Void);
    for (bins, what) in [
        (&[0, 1][..], void),
        (&[0], left(59_000)),
        (&[0], left(61_000)),
    ] {
        let mut world = World::begun();
        let said = told(&world, bins, what, START * 1_000 + 5_000, HONEST);
        let refused = hears(&mut world, Side::One, said);
        assert!(
            matches!(refused, Err(PlayerError::Contradicted(_))),
            "{refused:?}"
        );
        let room = room(&mut world, Side::One);
        assert_eq!(room.contradiction, Some((said, said)));
        assert_eq!((room.end, room.receipt), (None, None));
        assert!(world.program(Side::One).shown().is_contradicted);
    }
}

#[test]
fn an_offer_is_taken_once_by_a_key() {
    let own = disk(Side::Two);
    own.has_another(&offer(), key(Side::Two).address());
    let taken = Player::take(DOMAIN, key(Side::Two), own, (offer(), &taker()), START);
    assert_eq!(taken.map(|_| ()), Err(PlayerError::OtherRecord));
    let own = disk(Side::One);
    own.has_another(&offer(), key(Side::One).address());
    let offered = Player::offer(DOMAIN, key(Side::One), own, offer(), START);
    assert_eq!(offered.map(|_| ()), Err(PlayerError::OtherRecord));
}

/// Two programs with one record could sign a turn twice.
#[test]
fn a_program_whose_record_another_one_has_does_nothing() {
    let mut world = World::begun();
    world.play(&[0, 1]);
    let stolen = world.program(Side::One).shelf().clone();
    stolen.steal();
    let moved = world.command(Side::One, Command::Move(Bin::new(0)));
    assert_eq!(moved, Err(PlayerError::OtherRecord));
    let record = stolen.record();
    let again = Player::resume(DOMAIN, key(Side::One), stolen, record);
    assert_eq!(again.map(|_| ()), Err(PlayerError::OtherRecord));
}

#[test]
fn a_room_is_entered_by_the_terms_that_both_have_signed() {
    let mut world = World::begun();
    let outputs = world.players[0].step(Input::Closed);
    assert_eq!(outputs, Ok(Vec::<Output>::new()));
}
