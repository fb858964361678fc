//! A game without a stake from the offer to the rematch, case by case, with real keys and the relay's witness.

use connect4_protocol::End;
use connect4_protocol::signed::relay::Refusal;
use connect4_protocol::signed::wire::{Act, FromWitness, Spoken, Telling, Told};
use connect4_protocol::signed::{
    Contradiction, Ending, Finished, Moves, Native, Refused, Signature, SignedTerms, Signing as _,
    WitnessedEnd,
};
use connect4_rules::{Bin, ByPlayer, Player as Side};
use connect4_seat::{
    Command, Input, Message, Output, Player, PlayerError, Room, SeatError, Stage, What, Who,
};

use crate::player::disk;
use crate::witness_world::{CHAIN, DOMAIN, START, World, offer, taker, witness};
use crate::world::key;

pub fn end(world: &mut World, side: Side) -> Option<(Option<Side>, End)> {
    let game = world.program(side).latest()?;
    Some((game.winner(), game.end()?))
}

pub fn room(world: &mut World, side: Side) -> Room {
    let room = world.program(side).record().room.clone();
    room.expect("the terms are signed")
}

pub fn moves(bins: &[u8]) -> Moves {
    Moves::from_bins(bins).expect("few moves")
}

fn spoken(world: &World, by: Side, act: Act, bins: &[u8]) -> Spoken {
    let unsigned = Spoken {
        by,
        act,
        moves: moves(bins),
        signature: Signature::NONE,
    };
    let statement = unsigned.statement(world.number());
    Spoken {
        signature: key(by).sign(&statement.digest(&DOMAIN, &Native)),
        ..unsigned
    }
}

/// What the witness says if it does as somebody likes. `signers` sign the moves of each player.
pub fn told(world: &World, bins: &[u8], what: Telling, at: u64, signers: ByPlayer<Side>) -> Told {
    let mut told = Told {
        moves: moves(bins),
        signatures: ByPlayer::default(),
        at,
        what,
        witness: Signature::NONE,
    };
    for side in Side::ALL {
        let is_mover = (bins.len() % 2 == 1) == (side == Side::One);
        let own = if is_mover {
            bins
        } else {
            told.moves.before_last()
        };
        let (act, own) = match what {
            Telling::Ended(WitnessedEnd::Resignation(by)) if by == side => (Act::Resign, bins),
            Telling::Ended(WitnessedEnd::Draw) => (Act::Draw, bins),
            _ => (Act::Move, own),
        };
        let signed = Spoken {
            by: side,
            act,
            moves: moves(own),
            signature: Signature::NONE,
        };
        let digest = signed.statement(world.number()).digest(&DOMAIN, &Native);
        told.signatures[side] = key(*signers.get(side)).sign(&digest);
    }
    let digest = told.digest(world.number(), &DOMAIN, &Native);
    Told {
        witness: witness().sign(&digest),
        ..told
    }
}

pub const HONEST: ByPlayer<Side> = ByPlayer {
    one: Side::One,
    two: Side::Two,
};

pub fn hears(
    world: &mut World,
    side: Side,
    told: Told,
) -> Result<Vec<Output>, PlayerError<crate::player::Full>> {
    world
        .program(side)
        .step(Input::Room(FromWitness::Told(told)))
}

fn judged(world: &mut World, side: Side) -> Result<(End, Option<Side>), Refused> {
    let room = room(world, side);
    let finished = room.end.and_then(|end| end.finished(&room.agreed));
    let outcome = finished.expect("it has ended").judge(CHAIN, &Native)?;
    Ok((outcome.end, outcome.winner))
}

/// Line of player one in a board of lines of three.
pub const LINE: [u8; 5] = [0, 1, 0, 1, 0];

#[test]
fn a_game_is_sought_agreed_played_and_played_again() {
    let mut world = World::begun();
    world.play(&LINE);
    for side in Side::ALL {
        assert_eq!(end(&mut world, side), Some((Some(Side::One), End::Line)));
        assert_eq!(judged(&mut world, side), Ok((End::Line, Some(Side::One))));
        assert_eq!(world.program(side).shown().stage, Stage::Over);
    }
    assert_eq!((world.left, world.refused), ([true, true], 0));

    let next = world.players[1]
        .rematch(START + 300, 10)
        .expect("it is over");
    assert!(world.players[0].is_rematch(&next) && !world.players[1].is_rematch(&next));
    assert_eq!(next.terms.previous, Some(world.number()));
    let mut taker = taker();
    taker.party = crate::witness_world::party(Side::One);
    let two = Player::offer(DOMAIN, key(Side::Two), disk(Side::Two), next.clone(), START);
    let one = Player::take(
        DOMAIN,
        key(Side::One),
        disk(Side::One),
        (next, &taker),
        START,
    );
    let (one, Output::Send(message)) = one.expect("it is taken") else {
        panic!("it tells of it");
    };
    let mut two = two.expect("it is offered");
    let agreed = two.step(Input::Message(message)).expect("its offer");
    assert!(matches!(
        agreed[..],
        [Output::Send(Message::Terms(_)), Output::Enter]
    ));
    assert_eq!((one.side(), two.side()), (Some(Side::Two), Some(Side::One)));
}

#[test]
fn who_takes_an_offer_waits_for_the_signature_of_the_player_who_offers() {
    let mut world = World::new(false);
    let Some((Side::One, Message::Terms(half))) = world.mail.first().cloned() else {
        panic!("it tells of its signature");
    };
    let agreeing = Some((Who::Opponent, What::Agreement));
    let awaited = |world: &mut World, side| {
        let awaited = world.program(side).shown().awaited;
        awaited.map(|awaited| (awaited.of, awaited.what))
    };
    assert_eq!(awaited(&mut world, Side::Two), agreeing);
    let refused = world.command(Side::Two, Command::Move(Bin::new(0)));
    assert_eq!(refused, Err(PlayerError::NotBegun));
    let mut other = half;
    other.terms.time += 1;
    let refused = world.message(Side::One, Message::Terms(other));
    assert_eq!(
        refused,
        Err(PlayerError::Refused(Refused::BadSignature(Side::Two)))
    );
    let mut other = half;
    other.terms.pie_rule = true;
    let refused = world.message(Side::One, Message::Terms(other));
    assert_eq!(refused, Err(PlayerError::OtherTerms));
    // Its answer is lost, and the taker hears of the signature in the room.
    let answered = world
        .message(Side::One, Message::Terms(half))
        .expect("its offer");
    world.act(Side::One, answered);
    world.settle();
    world.pass(12_000);
    world.settle();
    assert_eq!(
        awaited(&mut world, Side::Two),
        Some((Who::Opponent, What::Move))
    );
    world.play(&LINE);
    assert_eq!(
        end(&mut world, Side::Two),
        Some((Some(Side::One), End::Line))
    );
}

/// Neither player chooses the colours.
#[test]
fn a_coin_decides_the_colours() {
    let mut sides = [0, 0];
    for nonce in 0..32 {
        let coin = offer().with_coin(&key(Side::One));
        let taker = connect4_seat::Taker { nonce, ..taker() };
        let one = Player::offer(DOMAIN, key(Side::One), disk(Side::One), coin.clone(), START);
        let mut one = one.expect("it is offered");
        let own_disk = disk(Side::Two);
        let taken = Player::take(
            DOMAIN,
            key(Side::Two),
            own_disk.clone(),
            (coin, &taker),
            START,
        );
        let Ok((mut two, Output::Send(Message::Tossed(halves)))) = taken else {
            panic!("it signs both");
        };
        let awaited = two.shown().awaited.map(|awaited| awaited.what);
        assert_eq!(awaited, Some(What::Agreement));
        // One colour alone is not signed.
        let refused = one.step(Input::Message(Message::Terms(halves[0])));
        assert_eq!(refused, Err(PlayerError::OtherTerms));
        let mut other = halves.clone();
        other[1].terms.time += 1;
        assert!(one.step(Input::Message(Message::Tossed(other))).is_err());
        let answered = one
            .step(Input::Message(Message::Tossed(halves.clone())))
            .expect("its offer");
        let [
            Output::Send(Message::Decided { terms, secret }),
            Output::Enter,
        ] = answered[..]
        else {
            panic!("it signs one of them: {answered:?}");
        };
        // The player who offers can't take the other colour.
        let mut other = halves[0];
        if other.terms == terms.terms {
            other = halves[1];
        }
        let offering = match other.terms.players.one == crate::witness_world::party(Side::One) {
            true => Side::One,
            false => Side::Two,
        };
        let number = other.terms.number(&DOMAIN, &Native);
        other.signatures[offering] = key(Side::One).sign(&number.0);
        for message in [
            Message::Decided {
                terms: other,
                secret,
            },
            Message::Decided {
                terms,
                secret: [1; 32],
            },
            Message::Terms(other),
            Message::Terms(terms),
        ] {
            let refused = two.step(Input::Message(message));
            assert_eq!(refused, Err(PlayerError::OtherTerms));
        }
        // The program was ended meanwhile.
        let mut two = Player::resume(DOMAIN, key(Side::Two), own_disk.clone(), own_disk.record())
            .expect("its record");
        let decided = two.step(Input::Message(Message::Decided { terms, secret }));
        assert_eq!(decided, Ok(vec![Output::Enter]));
        assert_eq!(one.side().map(Side::opponent), two.side());
        sides[one.side().expect("a side") as usize] += 1;
        // The answer was lost.
        let again = one.step(Input::Message(Message::Tossed(halves)));
        assert_eq!(
            again,
            Ok(vec![Output::Send(Message::Decided { terms, secret })])
        );
    }
    assert!(sides[0] > 4 && sides[1] > 4, "{sides:?}");
}

#[test]
fn no_move_is_answered_before_its_receipt() {
    let mut world = World::begun();
    world
        .command(Side::One, Command::Move(Bin::new(0)))
        .expect("its turn");
    let waits = world
        .program(Side::One)
        .shown()
        .awaited
        .map(|awaited| awaited.what);
    assert_eq!(waits, Some(What::Receipt));
    // The opponent has heard of the move otherwise: without the witness it is none.
    let early = spoken(&world, Side::One, Act::Move, &[0]);
    assert!(
        world
            .program(Side::Two)
            .step(Input::Room(FromWitness::Offer(early)))
            .is_err()
    );
    let refused = world.command(Side::Two, Command::Move(Bin::new(1)));
    let not_yours = connect4_protocol::Error::NotYourTurn;
    assert_eq!(
        refused,
        Err(PlayerError::Seat(SeatError::Refused(not_yours)))
    );
    world.settle();
    assert_eq!(world.command(Side::Two, Command::Move(Bin::new(1))), Ok(()));
}

#[test]
fn a_turn_is_signed_once_whatever_is_lost() {
    let mut world = World::begun();
    world.play(&[0, 1]);
    world
        .command(Side::One, Command::Move(Bin::new(0)))
        .expect("its turn");
    world.restart(Side::One);
    let bound = world.command(Side::One, Command::Move(Bin::new(3)));
    assert_eq!(bound, Err(PlayerError::Seat(SeatError::Bound(0))));
    // It says it again by itself.
    world.settle();
    world.play(&[1, 0]);
    assert_eq!(
        end(&mut world, Side::Two),
        Some((Some(Side::One), End::Line))
    );
}

#[test]
fn a_disk_that_is_full_signs_nothing() {
    let mut world = World::begun();
    world.program(Side::One).shelf().fill(true);
    let refused = world.command(Side::One, Command::Move(Bin::new(0)));
    assert!(matches!(refused, Err(PlayerError::Keep(_))));
    world.settle();
    assert!(world.told.is_empty());
    world.program(Side::One).shelf().fill(false);
    world.play(&[3]);
    assert_eq!(world.told.len(), 1);
}

/// The witness takes a resignation at the newest position alone.
#[test]
fn a_refused_resignation_is_signed_again_at_the_newest_position() {
    let mut world = World::begun();
    world.play(&[0, 1]);
    // The player who waits gives up while a move of the opponent is on its way to the witness.
    world
        .command(Side::Two, Command::Resign)
        .expect("it goes on");
    world
        .command(Side::One, Command::Move(Bin::new(2)))
        .expect("its turn");
    assert!(world.witness_hears(Side::One));
    world.settle();
    assert_eq!(
        end(&mut world, Side::One),
        Some((Some(Side::One), End::Resignation))
    );
    assert_eq!(room(&mut world, Side::Two).moves(), moves(&[0, 1, 2]));
    assert_eq!(
        judged(&mut world, Side::Two),
        Ok((End::Resignation, Some(Side::One)))
    );
}

#[test]
fn nothing_but_the_witness_ends_the_game() {
    let mut world = World::begun();
    world.play(&[0, 1]);
    world
        .command(Side::One, Command::Resign)
        .expect("it goes on");
    let shown = world.program(Side::One).shown();
    assert_eq!(
        shown.stage,
        Stage::Ending,
        "it says that it waits for the witness"
    );
    assert_eq!(shown.game.and_then(|game| game.end()), None);
    assert_eq!(world.left, [false, false]);
    world.settle();
    assert_eq!(world.left, [true, true]);
}

#[test]
fn the_end_is_asked_for_until_it_is_there() {
    let mut world = World::begun();
    world.play(&LINE[..4]);
    world
        .command(Side::One, Command::Move(Bin::new(0)))
        .expect("its turn");
    world.witness_hears(Side::One);
    world.disconnect(Side::Two);
    world.settle();
    assert_eq!(world.left, [true, false]);
    world.restart(Side::Two);
    for _ in 0..3 {
        // The room can't be reached.
        world.pass(12_000);
        world.disconnect(Side::Two);
    }
    assert_eq!(end(&mut world, Side::Two), None);
    world.pass(12_000);
    world.settle();
    assert_eq!(
        end(&mut world, Side::Two),
        Some((Some(Side::One), End::Line))
    );
    assert_eq!(world.left, [true, true]);
}

/// A record that is older than what the witness has of the player.
#[test]
fn a_receipt_later_than_what_a_returning_player_has_is_taken() {
    let mut world = World::begun();
    world.play(&[0]);
    let old = world.program(Side::One).record().clone();
    world.play(&[1, 0]);
    world.disconnect(Side::One);
    let again = Player::resume(DOMAIN, key(Side::One), disk(Side::One), old);
    world.players[0] = again.expect("its record");
    world.settle();
    assert_eq!(room(&mut world, Side::One).moves(), moves(&[0, 1, 0]));
    world.play(&[1, 0]);
    assert_eq!(
        end(&mut world, Side::One),
        Some((Some(Side::One), End::Line))
    );
}

#[test]
fn a_record_with_what_nobody_has_signed_is_not_resumed() {
    let mut world = World::begun();
    world.play(&[0, 1]);
    let good = world.program(Side::One).record().clone();
    let resume = |spoil: fn(&mut Told)| {
        let mut record = good.clone();
        let room = record.room.as_mut().expect("its terms are signed");
        spoil(room.receipt.as_mut().expect("a receipt"));
        let again = Player::resume(DOMAIN, key(Side::One), disk(Side::One), record);
        again.map(|_| ())
    };
    assert_eq!(resume(|_| {}), Ok(()));
    let not_signed = Err(PlayerError::NotSigned);
    assert_eq!(resume(|told| told.witness = Signature::NONE), not_signed);
    assert_eq!(resume(|told| told.at += 1), not_signed);
}

#[test]
fn a_game_without_a_stake_needs_a_witness() {
    let mut alone = offer();
    alone.terms.witness = None;
    let offered = Player::offer(DOMAIN, key(Side::One), disk(Side::One), alone, START);
    assert_eq!(offered.map(|_| ()), Err(PlayerError::NoWitness));
}

#[test]
fn who_is_silent_loses_on_time() {
    let mut world = World::begun();
    world.play(&[0, 1]);
    let awaited = world.program(Side::Two).shown().awaited.expect("a move");
    assert_eq!((awaited.of, awaited.what), (Who::Opponent, What::Move));
    assert!(awaited.until.is_some());
    world.pass(61_000);
    world.settle();
    assert_eq!(
        end(&mut world, Side::One),
        Some((Some(Side::Two), End::Timeout))
    );
    assert_eq!(
        judged(&mut world, Side::Two),
        Ok((End::Timeout, Some(Side::Two)))
    );
}

#[test]
fn both_agree_on_a_draw() {
    let mut world = World::begun();
    world.play(&[0, 1, 3]);
    world
        .command(Side::One, Command::OfferDraw)
        .expect("it has moved");
    world.settle();
    assert!(world.program(Side::Two).shown().draw.is_some());
    world
        .command(Side::Two, Command::AcceptDraw)
        .expect("it is offered");
    world.settle();
    assert_eq!(end(&mut world, Side::One), Some((None, End::Agreement)));
    assert_eq!(judged(&mut world, Side::One), Ok((End::Agreement, None)));
}

// What an audit found in games by signed terms, each of which can't be done here.

/// A player who had lost resigned at its first move, and took the winner's game away.
#[test]
fn a_resignation_at_the_first_moves_takes_no_game_away() {
    let mut world = World::begun();
    world.play(&LINE);
    let signed = spoken(&world, Side::Two, Act::Resign, &[0, 1]);
    let mut finished = Finished {
        terms: world.agreed().terms,
        sessions: ByPlayer::default(),
        moves: moves(&[0, 1]),
        ending: Ending::Resignation(Side::Two),
        signatures: ByPlayer {
            one: spoken(&world, Side::One, Act::Move, &[0]).signature,
            two: signed.signature,
        },
        witnessed: None,
    };
    assert_eq!(finished.judge(CHAIN, &Native), Err(Refused::Unwitnessed));
    // In league with the witness: what the winner holds proves it.
    let resigned = Telling::Ended(WitnessedEnd::Resignation(Side::Two));
    let early = told(&world, &[0, 1], resigned, START * 1_000, HONEST);
    finished = early.finished(&world.agreed()).expect("an end");
    assert!(finished.judge(CHAIN, &Native).is_ok());
    let refused = hears(&mut world, Side::One, early);
    assert!(
        matches!(refused, Err(PlayerError::Contradicted(_))),
        "{refused:?}"
    );
    assert!(room(&mut world, Side::One).contradiction.is_some());
    assert_eq!(
        judged(&mut world, Side::One),
        Ok((End::Line, Some(Side::One)))
    );
}

/// A player who had missed a win went back to it weeks later.
#[test]
fn a_missed_win_is_not_taken_back_later() {
    let mut world = World::begun();
    world.play(&[0, 1, 0, 1, 3, 4]);
    let missed = told(
        &world,
        &LINE,
        Telling::Ended(WitnessedEnd::Board),
        START * 1_000 + 5_000,
        HONEST,
    );
    let mut alone = missed.finished(&world.agreed()).expect("an end");
    alone.witnessed = None;
    assert_eq!(alone.judge(CHAIN, &Native), Err(Refused::Unwitnessed));
    let refused = hears(&mut world, Side::Two, missed);
    assert_eq!(
        refused,
        Err(PlayerError::Contradicted(Contradiction::Forked))
    );
    assert_eq!(world.program(Side::Two).shown().stage, Stage::Playing);
}

/// Anybody started and pressed a dispute at no moves, which aborted the game for good.
#[test]
fn nobody_aborts_a_game_that_both_play() {
    let mut world = World::begun();
    world.play(&[0, 1]);
    for bins in [&[][..], &[0], &[0, 1]] {
        let void = told(
            &world,
            bins,
            Telling::Ended(WitnessedEnd::Void),
            START * 1_000 + 9_000,
            HONEST,
        );
        assert!(hears(&mut world, Side::One, void).is_err());
        assert_eq!(end(&mut world, Side::One), None);
    }
    assert_eq!(
        world.command(Side::One, Command::Press),
        Err(PlayerError::NoStake)
    );
    world.play(&[0, 1, 0]);
    assert_eq!(
        end(&mut world, Side::One),
        Some((Some(Side::One), End::Line))
    );
}

/// A line had to be contested within five minutes, and the terminal did not say so.
#[test]
fn what_is_awaited_is_shown_until_the_end() {
    let mut world = World::begun();
    for bin in LINE {
        for side in Side::ALL {
            let shown = world.program(side).shown();
            let awaited = shown.awaited.expect("the game goes on");
            assert!(awaited.what == What::Move, "{awaited:?}");
            let has_clock = shown.game.is_some_and(|game| game.turns() > 1);
            assert_eq!(awaited.until.is_some(), has_clock, "{awaited:?}");
        }
        world.play(&[bin]);
    }
    for side in Side::ALL {
        // There is nothing to contest.
        assert_eq!(world.program(side).shown().awaited, None);
    }
}

/// 146 games against an accomplice were dated back, so that all counted.
#[test]
fn terms_that_are_dated_back_make_no_game() {
    let mut early = taker();
    early.time = START - 86_400;
    let terms = offer().complete(&early);
    let number = terms.number(&DOMAIN, &Native);
    let signed = SignedTerms {
        terms,
        sessions: ByPlayer::default(),
        signatures: ByPlayer::from_fn(|side| key(side).sign(&number.0)),
    };
    let one = Player::offer(DOMAIN, key(Side::One), disk(Side::One), offer(), START);
    let refused = one
        .expect("it is offered")
        .step(Input::Message(Message::Terms(signed)));
    assert_eq!(refused, Err(PlayerError::OtherTerms));
    // Accomplices sign what they like: the witness opens no room for that.
    let mut world = World::new(true);
    world.to_witness[0].push_back(connect4_protocol::signed::wire::ToWitness::Terms(signed));
    world.witness_hears(Side::One);
    let refused = FromWitness::Refused(Refusal::OtherTime);
    assert!(
        world.to_player[0].contains(&refused),
        "{:?}",
        world.to_player[0]
    );
    // And what counts is when the witness says that a game has ended.
    let mut world = World::begun();
    world.play(&LINE);
    let finished = room(&mut world, Side::One)
        .end
        .and_then(|end| end.finished(&world.agreed()));
    let outcome = finished
        .expect("an end")
        .judge(CHAIN, &Native)
        .expect("valid");
    assert!(outcome.at.is_some_and(|at| at >= START * 1_000));
}

/// A press in the last second of 29 days could not be answered.
#[test]
fn nothing_comes_after_an_end() {
    let mut world = World::begun();
    world.play(&[0, 1]);
    world.pass(61_000);
    world.settle();
    assert_eq!(
        end(&mut world, Side::One),
        Some((Some(Side::Two), End::Timeout))
    );
    let ended = room(&mut world, Side::One);
    let lapse = Telling::Ended(WitnessedEnd::Lapse(Side::One));
    let much_later = START * 1_000 + 29 * 86_400_000;
    let later = told(&world, &[0, 1], lapse, much_later, HONEST);
    let refused = hears(&mut world, Side::One, later);
    assert_eq!(
        refused,
        Err(PlayerError::Contradicted(Contradiction::TwoEnds))
    );
    assert_eq!(room(&mut world, Side::One).end, ended.end);
}

/// An offer of a draw stood for eleven minutes in place of one.
#[test]
fn an_offer_of_a_draw_ends_with_the_next_move() {
    let mut world = World::begun();
    world.play(&[0]);
    world
        .command(Side::One, Command::OfferDraw)
        .expect("it has moved");
    world.settle();
    assert!(world.program(Side::Two).shown().draw.is_some());
    world.play(&[1]);
    assert_eq!(world.program(Side::Two).shown().draw, None);
    world.play(&[0]);
    let no_offer = connect4_protocol::Error::NoOffer;
    let refused = world.command(Side::Two, Command::AcceptDraw);
    assert_eq!(
        refused,
        Err(PlayerError::Seat(SeatError::Refused(no_offer)))
    );
    // The opponent and a witness in league can't use it any more.
    let draw = told(
        &world,
        &[0],
        Telling::Ended(WitnessedEnd::Draw),
        START * 1_000 + 9_000,
        HONEST,
    );
    let refused = hears(&mut world, Side::One, draw);
    assert_eq!(
        refused,
        Err(PlayerError::Contradicted(Contradiction::EndBehindReceipt))
    );
}

/// A host made up a dispute with a disc of the opponent's, and the guest's turn was spent on top of it.
#[test]
fn a_made_up_position_spends_no_turn() {
    let mut world = World::begun();
    world.play(&[0]);
    let left = ByPlayer {
        one: 60_000,
        two: 60_000,
    };
    let by_nobody = ByPlayer {
        one: Side::One,
        two: Side::One,
    };
    let mut made_up = told(
        &world,
        &[0, 4],
        Telling::Receipt { left },
        START * 1_000 + 5_000,
        by_nobody,
    );
    // By the witness, without a signature of the opponent.
    assert_eq!(
        hears(&mut world, Side::One, made_up),
        Err(PlayerError::NotSigned)
    );
    // With one, and not by the witness.
    made_up = told(
        &world,
        &[0, 4],
        Telling::Receipt { left },
        START * 1_000 + 5_000,
        HONEST,
    );
    made_up.witness = Signature::NONE;
    assert_eq!(
        hears(&mut world, Side::One, made_up),
        Err(PlayerError::NotSigned)
    );
    let refused = world.command(Side::One, Command::Move(Bin::new(2)));
    assert!(refused.is_err(), "it is not its turn");
    world.play(&[1, 0, 1, 0]);
    assert_eq!(
        end(&mut world, Side::One),
        Some((Some(Side::One), End::Line))
    );
}

/// A wrong number of a dispute was never looked up again.
#[test]
fn a_wrong_answer_of_a_relay_is_forgotten() {
    let mut world = World::begun();
    world.play(&[0, 1]);
    let wrong = [
        FromWitness::Refused(Refusal::NoSuchGame),
        FromWitness::Refused(Refusal::OtherWitness),
        FromWitness::Refused(Refusal::ChainUnreachable),
    ];
    for refusal in wrong {
        world.tell(Side::One, Input::Room(refusal));
        world.disconnect(Side::One);
        world.pass(12_000);
        world.settle();
        assert!(world.is_in_room[0], "it asks again");
    }
    // A relay of another chain.
    let welcome = FromWitness::Welcome {
        nonce: [1; 32],
        chain_id: CHAIN.id,
        genesis: [8; 32],
        time: 0,
    };
    let refused = world.program(Side::One).step(Input::Room(welcome));
    assert_eq!(refused, Err(PlayerError::OtherPlace));
    world.play(&[0, 1, 0]);
    assert_eq!(
        end(&mut world, Side::One),
        Some((Some(Side::One), End::Line))
    );
}
