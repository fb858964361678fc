//! What a room of a signed game takes, and what it tells.

use connect4_protocol::End;
use connect4_protocol::signed::Native;
use connect4_protocol::signed::relay::Refusal;
use connect4_protocol::signed::wire::{Act, FRESH, FromWitness, Telling, ToWitness};
use connect4_protocol::signed::{Party, Refused, Signature, WitnessedEnd};
use connect4_protocol::{Address, ClockSpec};
use connect4_relay::Limits;
use connect4_rules::Player;
use connect4_testing::games;
use connect4_testing::keys::session_key;
use connect4_testing::room::Seat;
use connect4_testing::signed::{DOMAIN, SignedPlay};

use super::table::{Folder, both, now, play, play_on, shared, start};
use crate::server::{Server, wide};

/// Moves of which the last completes a line.
const LINE: [u8; 7] = [3, 4, 3, 4, 3, 4, 3];

#[tokio::test]
async fn two_guests_play_to_an_end_that_all_can_judge() {
    let folder = Folder::new();
    let (server, witness) = shared(&folder);
    let play = play(1, witness);
    let mut seats = both(server.addr, &play).await;
    let mut before = 0;
    for turns in 1..=LINE.len() {
        let (made, last) = LINE.split_at(turns - 1);
        let told = play_on(&mut seats, &play, made, &last[..1]).await;
        let told = told.expect("a receipt");
        assert!(told.is_by(witness, play.number, &DOMAIN, &Native));
        assert!(told.at >= before, "it never goes back");
        before = told.at;
    }
    for seat in &mut seats {
        let told = seat.end().await;
        let outcome = play.judge(&told).expect("an end");
        assert_eq!(
            (outcome.end, outcome.winner),
            (End::Line, Some(Player::One))
        );
        assert_eq!(outcome.at, Some(told.at));
    }
    let counts = server.counts();
    assert_eq!((counts.signed_games, counts.signed_ended), (0, 1));
}

#[tokio::test]
async fn a_resignation_ends_the_game_at_the_newest_position_alone() {
    let folder = Folder::new();
    let (server, witness) = shared(&folder);
    let play = play(1, witness);
    let mut seats = both(server.addr, &play).await;
    play_on(&mut seats, &play, &[], &[3, 4, 3]).await;
    seats[1]
        .say(play.spoken(Player::Two, Act::Resign, &[3, 4]))
        .await;
    assert_eq!(seats[1].refusal().await, Refusal::OtherPosition);
    // The one that is refused is followed by the newest position, at which it is signed again.
    seats[1].receipt(&[3, 4, 3]).await;
    seats[1]
        .say(play.spoken(Player::Two, Act::Resign, &[3, 4, 3]))
        .await;
    for seat in &mut seats {
        let outcome = play.judge(&seat.end().await).expect("an end");
        assert_eq!(
            (outcome.end, outcome.winner),
            (End::Resignation, Some(Player::One))
        );
    }
    // It ends once.
    seats[0]
        .say(play.spoken(Player::One, Act::Resign, &[3, 4, 3]))
        .await;
    assert_eq!(seats[0].refusal().await, Refusal::OtherPosition);
    let told = seats[0].end().await;
    assert_eq!(
        told.what,
        Telling::Ended(WitnessedEnd::Resignation(Player::Two))
    );
}

#[tokio::test]
async fn a_draw_ends_the_game_once_both_have_agreed() {
    let folder = Folder::new();
    let (server, witness) = shared(&folder);
    let play = play(1, witness);
    let mut seats = both(server.addr, &play).await;
    play_on(&mut seats, &play, &[], &[3, 4]).await;
    seats[0]
        .say(play.spoken(Player::One, Act::Draw, &[3, 4]))
        .await;
    assert_eq!(seats[1].offer().await.by, Player::One);
    // The offer lapses with the next move.
    play_on(&mut seats, &play, &[3, 4], &[3]).await;
    seats[1]
        .say(play.spoken(Player::Two, Act::Draw, &[3, 4]))
        .await;
    assert_eq!(seats[1].refusal().await, Refusal::OtherPosition);
    for player in [Player::Two, Player::One] {
        let seat = &mut seats[usize::from(player == Player::Two)];
        seat.say(play.spoken(player, Act::Draw, &[3, 4, 3])).await;
    }
    for seat in &mut seats {
        let outcome = play.judge(&seat.end().await).expect("an end");
        assert_eq!((outcome.end, outcome.winner), (End::Agreement, None));
    }
}

#[tokio::test]
async fn before_both_have_moved_a_game_becomes_void_alone() {
    let folder = Folder::new();
    let (server, witness) = shared(&folder);
    let play = play(1, witness);
    let mut seats = both(server.addr, &play).await;
    play_on(&mut seats, &play, &[], &[3]).await;
    seats[1]
        .say(play.spoken(Player::Two, Act::Resign, &[3]))
        .await;
    for seat in &mut seats {
        let told = seat.end().await;
        assert_eq!(told.what, Telling::Ended(WitnessedEnd::Void));
        assert_eq!(play.judge(&told), Err(Refused::TooShort));
    }
}

#[tokio::test]
async fn a_player_who_says_nothing_loses_on_time() {
    let folder = Folder::new();
    let (server, witness) = shared(&folder);
    let clock = ClockSpec {
        bank: 1,
        increment: 0,
    };
    let play = SignedPlay::new(1, witness, Some(clock), now());
    let mut seats = both(server.addr, &play).await;
    let told = play_on(&mut seats, &play, &[], &[3, 4])
        .await
        .expect("told");
    for seat in &mut seats {
        let end = seat.end().await;
        assert_eq!(
            end.contradicts(&told, &play.signed.terms, play.number),
            None
        );
        let outcome = play.judge(&end).expect("an end");
        assert_eq!(
            (outcome.end, outcome.winner),
            (End::Timeout, Some(Player::Two))
        );
    }
}

/// The pings follow what is told, so that they take as long as a move.
#[tokio::test]
async fn the_lines_of_players_with_a_clock_are_measured() {
    let folder = Folder::new();
    let (server, witness) = shared(&folder);
    let clock = ClockSpec {
        bank: 180,
        increment: 2,
    };
    for (number, clock) in [(1, Some(clock)), (2, None)] {
        let play = SignedPlay::new(number, witness, clock, now());
        let mut seats = both(server.addr, &play).await;
        let mut watcher = Seat::open(server.addr, witness, play.number).await;
        play_on(&mut seats, &play, &[], &[3, 4, 3]).await;
        watcher.receipt(&[3, 4, 3]).await;
        for seat in &seats {
            assert_eq!(seat.pings() > 0, clock.is_some(), "{}", seat.pings());
        }
        assert_eq!(watcher.pings(), 0);
    }
}

/// Each answer to a ping is a frame, too.
#[tokio::test]
async fn players_who_think_for_no_time_send_no_flood() {
    let folder = Folder::new();
    let witness = folder.open();
    let key = witness.key();
    let server = start(witness, Limits::default());
    let clock = ClockSpec {
        bank: 180,
        increment: 2,
    };
    let play = SignedPlay::new(1, key, Some(clock), now());
    let mut seats = both(server.addr, &play).await;
    let bins: Vec<u8> = games::bins(games::DRAW).collect();
    play_on(&mut seats, &play, &[], &bins).await;
    for seat in &mut seats {
        let outcome = play.judge(&seat.end().await).expect("an end");
        assert_eq!((outcome.end, outcome.winner), (End::FullBoard, None));
    }
}

/// Nobody can come back to a relay that is stopping.
#[tokio::test]
async fn no_clock_runs_in_a_relay_that_is_stopping() {
    let folders = [Folder::new(), Folder::new()];
    let [stopping, other] = folders.each_ref().map(shared);
    let begun = async |(server, witness): &(Server, Address), bank| {
        let clock = ClockSpec { bank, increment: 0 };
        let play = SignedPlay::new(1, *witness, Some(clock), now());
        let mut seats = both(server.addr, &play).await;
        play_on(&mut seats, &play, &[], &[3, 4]).await;
        (play, seats)
    };
    let (play, mut seats) = begun(&stopping, 1).await;
    stopping.0.stop();
    for seat in &mut seats {
        seat.closed().await;
    }
    // Time is over in another game that was begun later, and has more of it.
    let (_, mut seats) = begun(&other, 2).await;
    for seat in &mut seats {
        seat.end().await;
    }
    assert_eq!(stopping.0.counts().signed_games, 1);
    drop(stopping);
    let (server, witness) = shared(&folders[0]);
    assert_eq!(server.counts().signed_games, 1);
    let mut alice = Seat::open(server.addr, witness, play.number).await;
    alice.receipt(&[3, 4]).await;
}

/// A second joining of a socket, of which the signature is not even checked, changes nothing.
#[tokio::test]
async fn a_socket_joins_once() {
    let folder = Folder::new();
    let (server, witness) = shared(&folder);
    let play = play(1, witness);
    let mut seats = both(server.addr, &play).await;
    for (seat, player) in seats.iter_mut().zip(Player::ALL) {
        for _ in 0..3 {
            let signature = Signature::NONE;
            seat.send(ToWitness::Join { player, signature }).await;
        }
    }
    play_on(&mut seats, &play, &[], &[3, 4]).await;
    assert_eq!(server.counts().sockets, 2);
    // As the other player it has to sign.
    let player = Player::Two;
    let signature = Signature::NONE;
    seats[0].send(ToWitness::Join { player, signature }).await;
    assert_eq!(seats[0].refusal().await, Refusal::Unsupported);
}

#[tokio::test]
async fn what_is_not_signed_or_not_legal_is_refused() {
    let folder = Folder::new();
    let (server, witness) = shared(&folder);
    let play = play(1, witness);
    let mut seats = both(server.addr, &play).await;
    play_on(&mut seats, &play, &[], &[3, 3, 3, 3, 3, 3]).await;
    let full = play.made(&[3, 3, 3, 3, 3, 3, 3]);
    let mut unsigned = play.made(&[3, 3, 3, 3, 3, 3, 4]);
    unsigned.signature = Signature::NONE;
    let other = play.spoken(Player::Two, Act::Move, &[3, 3, 3, 3, 3, 3, 4]);
    for wrong in [full, unsigned, other] {
        let mut seat = Seat::join(server.addr, &play, Player::One).await;
        seat.say(wrong).await;
        assert_eq!(seat.refusal().await, Refusal::Unsupported, "{wrong:?}");
    }
    // One that leaves a move out, and one that was made before.
    let one = &mut seats[0];
    one.say(play.made(&[3, 3, 3, 3, 3, 3, 4, 4, 4])).await;
    assert_eq!(one.refusal().await, Refusal::OtherPosition);
    one.say(play.made(&[3])).await;
    assert_eq!(one.refusal().await, Refusal::OtherPosition);
    play_on(&mut seats, &play, &[3; 6], &[4]).await;
}

#[tokio::test]
async fn a_room_is_opened_by_terms_of_this_time_and_this_witness() {
    let folder = Folder::new();
    let (server, witness) = shared(&folder);
    let open = async |play: &SignedPlay| {
        let mut seat = Seat::open(server.addr, witness, play.number).await;
        seat.send(ToWitness::Terms(play.signed)).await;
        match seat.next().await {
            Some(FromWitness::Refused(refusal)) => Some(refusal),
            _ => None,
        }
    };
    let at = |time| SignedPlay::new(1, witness, None, time);
    assert_eq!(open(&at(now() - FRESH - 5)).await, Some(Refusal::OtherTime));
    assert_eq!(open(&at(now() + FRESH + 5)).await, Some(Refusal::OtherTime));
    let other = play(2, Address([7; 20]));
    assert_eq!(open(&other).await, Some(Refusal::OtherWitness));
    let mut unsigned = play(3, witness);
    unsigned.signed.signatures.two = Signature::NONE;
    assert_eq!(open(&unsigned).await, Some(Refusal::Unsupported));
    let mut staked = play(4, witness);
    staked.signed.terms.stake = 1;
    let staked = SignedPlay::of(staked.signed.terms, staked.keys);
    assert_eq!(open(&staked).await, Some(Refusal::Unsupported));
    assert_eq!(open(&at(now() - FRESH + 20)).await, None);
    let refused = Seat::refused(server.addr, Address([7; 20]), other.number).await;
    assert_eq!(refused, Refusal::OtherWitness);
    assert_eq!(server.counts().signed_games, 1);
}

#[tokio::test]
async fn an_end_is_fetched_by_the_number_of_its_game() {
    let folder = Folder::new();
    let (server, witness) = shared(&folder);
    let play = play(1, witness);
    let mut seats = both(server.addr, &play).await;
    play_on(&mut seats, &play, &[], &LINE).await;
    let end = seats[0].end().await;
    drop((seats, server));
    // The relay is another one by now, and its log is the same.
    let (server, again) = shared(&folder);
    assert_eq!(again, witness);
    let mut fetching = Seat::open(server.addr, witness, play.number).await;
    assert_eq!(fetching.end().await, end);
    fetching.closed().await;
    assert_eq!(server.counts().signed_rooms, 0);
}

/// A game of the same player two as in [`play`], against another player one, by terms that differ by the nonce alone.
fn against(play: &SignedPlay, number: u64, nonce: u32) -> SignedPlay {
    let mut keys = play.keys.clone();
    keys.one = session_key(number);
    let mut terms = play.signed.terms;
    terms.players.one = Party::Guest(keys.one.address());
    terms.nonce = nonce;
    SignedPlay::of(terms, keys)
}

/// An opponent in one game opens rooms of the player's key with an accomplice, while the player's line is down.
#[tokio::test]
async fn a_player_is_kept_out_of_no_game_by_other_rooms_of_the_same_key() {
    let folder = Folder::new();
    let witness = folder.open();
    let key = witness.key();
    let limits = wide();
    let server = start(witness, limits);
    let play = play(1, key);
    let mut seats = both(server.addr, &play).await;
    play_on(&mut seats, &play, &[], &[3]).await;
    let [mut alice, bob] = seats;
    drop(bob);
    alice.present(true, false).await;
    let mut accomplice = Vec::new();
    for nonce in 0..4 {
        let other = against(&play, 77, nonce);
        let mut seat = Seat::join(server.addr, &other, Player::One).await;
        seat.present(true, false).await;
        accomplice.push(seat);
    }
    let mut bob = Seat::join(server.addr, &play, Player::Two).await;
    bob.receipt(&[3]).await;
    // The opponent was not put out of the room either.
    alice.present(true, true).await;
    play_on(&mut [alice, bob], &play, &[3], &[4, 3]).await;
    for (nonce, seat) in accomplice.iter_mut().enumerate() {
        let other = against(&play, 77, u32::try_from(nonce).expect("a few"));
        seat.say(other.made(&[3])).await;
        seat.receipt(&[3]).await;
    }
}

#[tokio::test]
async fn a_player_is_kept_out_of_no_game_however_many_rooms_there_are() {
    let folder = Folder::new();
    let witness = folder.open();
    let key = witness.key();
    let limits = Limits {
        rooms_by_terms: 2,
        ..wide()
    };
    let server = start(witness, limits);
    let play = play(1, key);
    let mut seats = both(server.addr, &play).await;
    play_on(&mut seats, &play, &[], &[3]).await;
    drop(seats);
    while server.counts().sockets > 0 {
        tokio::task::yield_now().await;
    }
    let mut others = Vec::new();
    for number in 2..6 {
        let other = self::play(number, key);
        let mut seat = Seat::join(server.addr, &other, Player::One).await;
        seat.present(true, false).await;
        others.push(seat);
    }
    assert_eq!(server.counts().signed_rooms, 4, "an empty one made place");
    let mut bob = Seat::join(server.addr, &play, Player::Two).await;
    bob.receipt(&[3]).await;
    drop(others);
    let mut alice = Seat::join(server.addr, &play, Player::One).await;
    alice.present(true, true).await;
    play_on(&mut [alice, bob], &play, &[3], &[4]).await;
    while server.counts().sockets > 0 {
        tokio::task::yield_now().await;
    }
    let last = self::play(6, key);
    let mut seat = Seat::join(server.addr, &last, Player::One).await;
    seat.present(true, false).await;
    assert_eq!(server.counts().signed_rooms, 2, "the other one is empty");
}
