//! Each refusal by its name, and which comes first.

use codec::Encode as _;
use connect4_protocol::ClockSpec;
use connect4_protocol::signed::message::Record;
use connect4_protocol::signed::{
    Chain, Ending, Finished, Group, RecordsError, Refused, Signature, Terms, Witnessed,
};
use connect4_rules::{ByPlayer, Player};
use connect4_testing::Account::Charlie;
use connect4_testing::keys::{Wallet, session_key};
use connect4_testing::local::RATIO;
use connect4_testing::signed::{SignedPlay, list_of};
use connect4_testing::{ContractCall, Refusal, data};

use crate::world::{World, line, packed, witness};

fn game(place: u32, refused: Refused) -> RecordsError {
    RecordsError::Game { place, refused }
}

/// From the game for which all reasons apply to the one for which none does.
#[test]
fn the_first_reason_of_a_game_is_told() {
    let world = World::new();
    let play = world.wallets(1);
    let good = world.ended(&play, &line()[..4], Ending::Lapse(Player::One));
    let mut bad = good;
    let told = |bad: &Finished| world.record(&[*bad]).expect_err("it is no end");
    bad.terms.shape.line = 9;
    bad.terms.clock = Some(ClockSpec {
        bank: 365 * 24 * 60 * 60,
        increment: 0,
    });
    bad.moves = connect4_protocol::signed::Moves::from_bins(&[3]).expect("few moves");
    bad.ending = Ending::Lapse(Player::Two);
    bad.signatures = ByPlayer::default();
    bad.sessions.two = good.sessions.one;
    bad.witnessed = None;
    assert_eq!(told(&bad), game(0, Refused::BadShape));
    bad.terms.shape = good.terms.shape;
    assert_eq!(told(&bad), game(0, Refused::BadClock));
    bad.terms.clock = good.terms.clock;
    assert_eq!(told(&bad), game(0, Refused::TooShort));
    bad.moves = connect4_protocol::signed::Moves::from_bins(&[3, 7, 3, 7]).expect("few moves");
    assert_eq!(told(&bad), game(0, Refused::IllegalMove));
    bad.moves = good.moves;
    bad.ending = Ending::Board;
    assert_eq!(told(&bad), game(0, Refused::NotOver));
    bad.ending = Ending::Lapse(Player::Two);
    assert_eq!(told(&bad), game(0, Refused::Unwitnessed));
    bad.witnessed = Some(Witnessed {
        at: 1,
        signature: Signature::NONE,
    });
    assert_eq!(told(&bad), game(0, Refused::NotToMove));
    bad.ending = good.ending;
    assert_eq!(told(&bad), game(0, Refused::BadSignature(Player::One)));
    bad.signatures = good.signatures;
    assert_eq!(told(&bad), game(0, Refused::BadSession(Player::Two)));
    bad.sessions = good.sessions;
    assert_eq!(
        told(&bad),
        game(0, Refused::BadWitness),
        "long before the terms"
    );
    bad.witnessed = good.witnessed;
    assert_eq!(world.record(&[bad]).expect("it is mended").len(), 1);
}

#[test]
fn a_session_has_to_be_signed_by_the_account_for_the_time_of_the_terms() {
    let world = World::new();
    let good = world.ended(&world.wallets(1), &line(), Ending::Board);
    for player in Player::ALL {
        let mut bad = good;
        let session = bad.sessions[player].as_mut().expect("it is an account");
        session.until -= 1;
        let refused = game(0, Refused::BadSession(player));
        assert_eq!(world.record(&[bad]), Err(refused));
    }
    // Of the account of Ethereum with the key of another.
    let other = world.wallets(2).signed.sessions;
    let mut bad = good;
    bad.sessions.one = other.one;
    let refused = game(0, Refused::BadSession(Player::One));
    assert_eq!(world.record(&[bad]), Err(refused));
}

/// A game for a chain is none of another one with the same number.
#[test]
fn what_is_signed_for_another_first_block_is_a_record_of_that_chain() {
    let world = World::new();
    let there = Chain {
        genesis: [7; 32],
        ..world.chain()
    };
    let guests = ByPlayer::from_fn(|_| Wallet::Guest);
    let play = SignedPlay::by_wallets(there, world.terms(), 1, &guests);
    let ended = world.ended(&play, &line(), Ending::Board);
    let here = world.group(&ended.terms);
    let games = vec![packed(&ended, false)];
    let refused = game(0, Refused::BadSignature(Player::One));
    assert_eq!(world.send(here, games.clone()), Err(refused));
    let group = Group {
        genesis: there.genesis,
        ..here
    };
    let recorded = world.send(group, games).expect("it says of which chain");
    assert_eq!(recorded[0].genesis, there.genesis);
    // With another number it can't be recorded here at all.
    let elsewhere = Chain {
        id: there.id + 1,
        ..world.chain()
    };
    let play = SignedPlay::by_wallets(elsewhere, world.terms(), 1, &guests);
    let ended = world.ended(&play, &line(), Ending::Board);
    assert_eq!(world.record(&[ended]), Err(refused));
}

#[test]
fn one_bad_game_refuses_the_call_and_is_named() {
    let world = World::new();
    let good = [1, 2].map(|number| world.ended(&world.guests(number), &line(), Ending::Board));
    let mut bad = world.ended(&world.guests(3), &line(), Ending::Board);
    bad.signatures.two = Signature::NONE;
    let refused = game(2, Refused::BadSignature(Player::Two));
    assert_eq!(world.record(&[good[0], good[1], bad]), Err(refused));
}

#[test]
fn the_witness_of_the_call_has_to_be_that_of_the_terms() {
    let world = World::new();
    let ended = world.ended(&world.guests(1), &line(), Ending::Board);
    let games = vec![packed(&ended, false)];
    let group = world.group(&ended.terms);
    for witness in [None, Some(session_key(6).address())] {
        let group = Group { witness, ..group };
        let refused = match witness {
            None => Refused::NoWitness,
            Some(_) => Refused::BadSignature(Player::One),
        };
        assert_eq!(world.send(group, games.clone()), Err(game(0, refused)));
    }
    let event = Some([1; 32]);
    let group = Group { event, ..group };
    let refused = game(0, Refused::BadSignature(Player::One));
    assert_eq!(world.send(group, games), Err(refused));
}

/// A signature of the witness on another list, in another order, or where nothing is to be listed.
#[test]
fn the_list_of_a_witness_is_that_of_the_call() {
    let world = World::new();
    let games = [1, 2, 3].map(|number| world.ended(&world.guests(number), &line(), Ending::Board));
    let of = |games: &[Finished]| Some(list_of(games, world.chain(), &witness()).1);
    let listed = |games: &[Finished]| games.iter().map(|game| packed(game, true)).collect();
    let group = |list| Group {
        list,
        ..world.group(&games[0].terms)
    };
    let send = |list, games: &[Finished]| world.send(group(list), listed(games));
    let bad = Err(RecordsError::BadList);
    assert_eq!(send(None, &games), bad, "none");
    assert_eq!(send(of(&games[..2]), &games), bad, "of fewer");
    assert_eq!(send(of(&games), &games[..2]), bad, "of more");
    let turned = [games[1], games[0], games[2]];
    assert_eq!(send(of(&turned), &games), bad, "in another order");
    let by_other = list_of(&games, world.chain(), &session_key(6)).1;
    assert_eq!(send(Some(by_other), &games), bad, "by another");
    assert_eq!(send(Some(Signature::NONE), &games), bad, "no signature");
    let mut later = games;
    later[1].witnessed.as_mut().expect("it has a witness").at += 1;
    assert_eq!(send(of(&games), &later), bad, "at another time");
    // No end needs one.
    let signed = games.iter().map(|game| packed(game, false)).collect();
    assert_eq!(world.send(group(of(&games)), signed), bad);
    assert_eq!(world.send(group(of(&[])), Vec::new()), bad);
    assert_eq!(send(of(&games), &games).expect("it is theirs").len(), 3);
}

/// No signature of a witness is taken for one of games without a witness.
#[test]
fn games_without_a_witness_have_no_list() {
    let world = World::new();
    let terms = Terms {
        witness: None,
        ..world.terms()
    };
    let play = world.of_guests(terms, 1);
    let ended = world.ended(&play, &line()[..4], Ending::Draw);
    let mut packed = packed(&ended, false);
    let group = world.group(&terms);
    packed.at = Some(world.at());
    let refused = game(0, Refused::NoWitness);
    assert_eq!(world.send(group, vec![packed]), Err(refused));
    packed.at = None;
    packed.witness = Some(Signature::NONE);
    assert_eq!(
        world
            .send(group, vec![packed])
            .expect("it is left out")
            .len(),
        1
    );
    let group = Group {
        list: Some(Signature::NONE),
        ..group
    };
    assert_eq!(world.send(group, vec![packed]), Err(RecordsError::BadList));
}

#[test]
fn terms_in_another_form_are_refused() {
    let world = World::new();
    let ended = world.ended(&world.guests(1), &line(), Ending::Board);
    let group = world.group(&ended.terms);
    let refuses = |change: &dyn Fn(&mut [u8])| {
        let mut packed = packed(&ended, false);
        change(&mut packed.terms);
        let refused = game(0, Refused::OtherForm);
        assert_eq!(world.send(group, vec![packed]), Err(refused));
    };
    refuses(&|terms| terms[3] = 2);
    refuses(&|terms| terms[4..8].fill(0));
    refuses(&|terms| terms[14] = 7);
}

/// The bytes of a call that are no games; and what comes after the last one means nothing.
#[test]
fn bytes_that_are_no_games_are_refused() {
    let world = World::new();
    let ended = world.ended(&world.guests(1), &line(), Ending::Board);
    let message = Record {
        group: world.group(&ended.terms),
        games: vec![packed(&ended, false)],
    };
    let call = |data: Vec<u8>| ContractCall {
        caller: Charlie,
        contract: world.records,
        value: 0,
        data,
    };
    let send = |data| world.local.dry_run(&call(data)).output_or::<RecordsError>();
    let all = data("record", message.clone());
    assert!(send(all.clone()).is_ok());
    assert!(send([&all[..], &[1, 2, 3]].concat()).is_ok());
    let because = |place| Err(Refusal::Because(RecordsError::Unreadable { place }));
    // Of a player there are three kinds.
    let group = message.group.encode().len();
    let mut bad = all.clone();
    bad[4 + group + 1] = 3;
    assert_eq!(send(bad).map(drop), because(0));
    let mut more = all.clone();
    more[4 + group] = 8;
    more.push(3);
    assert_eq!(send(more).map(drop), because(1));
    // Behind the end there are zeros, by which nobody has played.
    let short = send(all[..all.len() - 80].to_vec()).map(drop);
    assert!(matches!(short, Err(Refusal::Because(_))), "{short:?}");
}

#[test]
fn a_payment_is_refused() {
    let world = World::new();
    let ended = world.ended(&world.guests(1), &line(), Ending::Board);
    let message = Record {
        group: world.group(&ended.terms),
        games: vec![packed(&ended, false)],
    };
    let call = ContractCall::new(Charlie, world.records, message).paying(RATIO);
    assert!(
        world
            .local
            .dry_run(&call)
            .output_or::<RecordsError>()
            .is_err()
    );
    assert_eq!(world.balance(world.records), 0);
}

/// The records are of terms without a stake.
#[test]
fn a_stake_is_never_recorded() {
    let world = World::new();
    let terms = Terms {
        witness: None,
        stake: 1_000,
        clock: Some(ClockSpec {
            bank: 300,
            increment: 0,
        }),
        ..world.terms()
    };
    let ended = world.ended(&world.of_guests(terms, 1), &line()[..4], Ending::Draw);
    // There is no place for it, so that what both have signed is of another game.
    let refused = game(0, Refused::BadSignature(Player::One));
    assert_eq!(world.record(&[ended]), Err(refused));
}

/// A witness says that time has lapsed before the bank of the terms can be over.
#[test]
fn a_lapse_of_before_the_bank_can_be_over() {
    let world = World::new();
    let play = world.guests(1);
    // Ten minutes before the terms their game can have begun, as clocks differ.
    let earliest = (play.signed.terms.time - 600 + 180) * 1_000;
    let lapse = |at| play.finished(&[3, 4], Ending::Lapse(Player::One), &witness(), at);
    let place = 0;
    let refused = Refused::BadWitness;
    let told = world.record(&[lapse(earliest - 1)]).unwrap_err();
    assert_eq!(told, RecordsError::Game { place, refused });
    assert_eq!(world.record(&[lapse(earliest)]).expect("just").len(), 1);
}
