//! The keys of a witness, and a relay that becomes one later.

use std::fs;

use connect4_protocol::signed::Native;
use connect4_protocol::signed::relay::Refusal;
use connect4_protocol::signed::wire::{Act, ToWitness};
use connect4_relay::Limits;
use connect4_rules::Player;
use connect4_testing::room::Seat;
use connect4_testing::signed::DOMAIN;

use super::table::{Folder, both, play, play_on, shared};
use crate::server::{Server, wide};

/// The folder keeps the keys of logs that are lost, the newest first: games that were recorded by them go on counting.
#[test]
fn a_folder_keeps_the_keys_of_logs_that_are_lost() {
    let folder = Folder::new();
    let keys_of = |folder: &Folder| {
        let witness = folder.open();
        (witness.key(), witness.past().to_vec())
    };
    let (first, past) = keys_of(&folder);
    assert_eq!(past, []);
    assert_eq!(keys_of(&folder), (first, vec![]));
    fs::remove_file(folder.log()).expect("a log");
    let (second, past) = keys_of(&folder);
    assert_ne!(second, first);
    assert_eq!(past, [first]);
    // What is no key is passed over, also a line that was cut off.
    let keys = folder.path().join("keys");
    let text = fs::read_to_string(&keys).expect("keys");
    fs::write(&keys, format!("junk\n{text}0xabcd")).expect("a file");
    let bytes = fs::read(folder.log()).expect("a log");
    fs::write(folder.log(), &bytes[..20]).expect("a file");
    let (third, past) = keys_of(&folder);
    assert_eq!(past, [second, first]);
    assert_eq!(keys_of(&folder), (third, past));
    fs::remove_file(&keys).expect("keys");
    assert_eq!(keys_of(&folder), (third, vec![]));
    let text = fs::read_to_string(keys).expect("keys");
    assert_eq!(text, format!("{third}\n"));
}

/// It lacks what its key may have signed elsewhere, and the folder knows that the key was given up.
#[test]
fn a_log_that_was_put_aside_and_is_put_back_is_not_used() {
    let folder = Folder::new();
    let first = folder.open().key();
    let image = fs::read(folder.log()).expect("a log");
    fs::remove_file(folder.log()).expect("a log");
    let second = folder.open().key();
    fs::write(folder.log(), &image).expect("a file");
    let opened = folder.open();
    assert_ne!(opened.key(), first);
    assert_eq!(opened.past(), [second, first]);
    let aside = opened.aside().expect("it was put aside");
    assert_eq!(fs::read(aside).expect("a file"), image);
    let third = opened.key();
    drop(opened);
    assert_eq!(folder.open().key(), third);
}

/// What is said after the log was deleted is in no log that a later start reads. So that start has another key, and the
/// one before can't contradict what it has said.
#[tokio::test]
async fn a_log_that_is_deleted_while_it_is_used_has_no_other_game_of_its_key() {
    let folder = Folder::new();
    let (server, witness) = shared(&folder);
    let first = play(1, witness);
    let mut seats = both(server.addr, &first).await;
    play_on(&mut seats, &first, &[], &[3, 4]).await;
    fs::remove_file(folder.log()).expect("a log");
    play_on(&mut seats, &first, &[3, 4], &[3]).await;
    let resigns = first.spoken(Player::Two, Act::Resign, &[3, 4, 3]);
    seats[1].say(resigns).await;
    let end = seats[0].end().await;
    assert!(end.is_by(witness, first.number, &DOMAIN, &Native));
    drop((seats, server));
    let (server, other) = shared(&folder);
    assert_ne!(other, witness);
    assert_eq!(server.witnesses(), [other, witness]);
    let refusal = Seat::refused(server.addr, witness, first.number).await;
    assert_eq!(refusal, Refusal::OtherWitness);
}

/// A player shows a receipt that the log does not have: the key that goes is kept, also by the relay that runs.
#[tokio::test]
async fn a_relay_names_the_key_that_it_has_put_aside() {
    let folder = Folder::new();
    let (server, witness) = shared(&folder);
    let empty = fs::read(folder.log()).expect("a log");
    assert_eq!(server.witnesses(), [witness]);
    let first = play(1, witness);
    let mut seats = both(server.addr, &first).await;
    let receipt = play_on(&mut seats, &first, &[], &[3]).await;
    let receipt = receipt.expect("a receipt");
    drop((seats, server));
    drop(folder.open());
    fs::write(folder.log(), empty).expect("a file");
    let (server, _) = shared(&folder);
    let mut alice = Seat::open(server.addr, witness, first.number).await;
    alice.send(ToWitness::Held(receipt)).await;
    assert_eq!(alice.refusal().await, Refusal::OtherWitness);
    let new = server.witness_after(witness).await;
    assert_eq!(server.witnesses(), [new, witness]);
    drop(server);
    assert_eq!(folder.open().past(), [witness]);
}

/// A host serves its rooms before its chain answers, and it signs for a chain.
#[tokio::test]
async fn a_relay_becomes_a_witness_once() {
    let (folder, second) = (Folder::new(), Folder::new());
    let witness = folder.open();
    let key = witness.key();
    let play = play(1, key);
    let server = Server::awaiting_witness(wide());
    let refusal = Seat::refused(server.addr, key, play.number).await;
    assert_eq!(refusal, Refusal::ChainUnreachable, "not for good");
    assert!(server.witnesses().is_empty());
    server.begin_witness(witness);
    let mut seats = both(server.addr, &play).await;
    play_on(&mut seats, &play, &[], &[3, 4]).await;
    server.begin_witness(second.open());
    assert_eq!(server.witnesses(), [key]);
    play_on(&mut seats, &play, &[3, 4], &[3]).await;
    // A relay that is to be none says so.
    let server = Server::start(Limits::default());
    let refusal = Seat::refused(server.addr, key, play.number).await;
    assert_eq!(refusal, Refusal::OtherWitness);
}
