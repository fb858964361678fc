//! A log that is damaged, old, in use, or takes no more.

use std::fs;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use connect4_protocol::ClockSpec;
use connect4_protocol::signed::relay::Refusal;
use connect4_protocol::signed::wire::{Act, FromWitness, Telling, ToWitness, Told};
use connect4_protocol::signed::{Chain, Moves, Native, SessionKey, Signature};
use connect4_relay::witness::{Disk, Key, LogError, Moment};
use connect4_relay::{Limits, Witness};
use connect4_rules::{ByPlayer, Player};
use connect4_testing::room::Seat;
use connect4_testing::signed::{CHAIN, DOMAIN, SignedPlay};

use super::table::{Folder, both, now, play, play_on, shared, start};
use crate::server::wide;

const MOVES: [u8; 5] = [3, 4, 3, 4, 0];
const CLOCK: ClockSpec = ClockSpec {
    bank: 180,
    increment: 2,
};

/// Where a log ends, as far as it is not zeros.
fn end_of(log: &[u8]) -> usize {
    let last = log.iter().rposition(|byte| *byte != 0);
    last.map_or(0, |last| last + 1)
}

/// The relay is killed after each entry of a game, and in the middle of it. Then it begins with what the disk has, and
/// the game takes another turn.
#[tokio::test]
async fn a_witness_that_is_killed_at_any_entry_contradicts_itself_in_nothing() {
    let folder = Folder::new();
    let (server, witness) = shared(&folder);
    let play = play(1, witness);
    let mut ends = vec![end_of(&fs::read(folder.log()).expect("a log"))];
    let mut seats = both(server.addr, &play).await;
    // The log has the game once its terms are told.
    let mut watcher = Seat::open(server.addr, witness, play.number).await;
    let has_terms = |message| matches!(message, FromWitness::Terms(_)).then_some(());
    watcher.until(has_terms).await;
    let mut images = vec![(Vec::new(), fs::read(folder.log()).expect("a log"))];
    let mut told = Vec::new();
    for turns in 1..=MOVES.len() {
        let (made, last) = MOVES.split_at(turns - 1);
        told.extend(play_on(&mut seats, &play, made, &last[..1]).await);
        images.push((told.clone(), fs::read(folder.log()).expect("a log")));
    }
    drop((seats, watcher, server));
    for (turns, (told, image)) in images.iter().enumerate() {
        // The next group is cut off in the middle, with all that may have come after it.
        let torn = ends[turns] + 30;
        ends.push(end_of(image));
        assert!(torn < ends[turns + 1], "{turns}");
        let lens = [(image.len(), turns), (torn, turns.saturating_sub(1))];
        // What is torn was not said.
        for (len, kept) in lens {
            let folder = Folder::new();
            fs::create_dir_all(folder.path()).expect("a folder");
            fs::write(folder.log(), &image[..len]).expect("a file");
            let (server, again) = shared(&folder);
            assert_eq!(again, witness, "its log is whole");
            let mut all = told[..kept].to_vec();
            let mut seats = both(server.addr, &play).await;
            let made = &MOVES[..kept];
            let other = play_on(&mut seats, &play, made, &[6, 5]).await;
            all.extend(other);
            seats[0]
                .say(play.spoken(Player::One, Act::Resign, &[made, &[6, 5]].concat()))
                .await;
            all.push(seats[1].end().await);
            assert!(!play.contradicts(&all), "after {turns}");
            assert!(play.judge(all.last().expect("an end")).is_ok());
        }
    }
}

/// What nobody does: the log is restored from a backup.
#[tokio::test]
async fn an_older_log_is_put_aside_when_a_player_shows_a_receipt() {
    let before = Folder::new();
    let (server, witness) = shared(&before);
    let empty = fs::read(before.log()).expect("a log");
    let first = play(1, witness);
    let mut seats = both(server.addr, &first).await;
    play_on(&mut seats, &first, &[], &MOVES[..2]).await;
    let backup = fs::read(before.log()).expect("a log");
    let newest = play_on(&mut seats, &first, &MOVES[..2], &MOVES[2..]).await;
    let newest = newest.expect("a receipt");
    drop((seats, server));
    // The game is shorter there, or not known.
    for image in [backup, empty] {
        let folder = Folder::new();
        fs::create_dir_all(folder.path()).expect("a folder");
        fs::write(folder.log(), image).expect("a file");
        let (server, again) = shared(&folder);
        assert_eq!(again, witness);
        // A receipt that it has not signed shows nothing.
        let mut forged = newest;
        forged.witness = Signature::NONE;
        let mut mallory = Seat::open(server.addr, witness, first.number).await;
        mallory.send(ToWitness::Held(forged)).await;
        assert_eq!(mallory.refusal().await, Refusal::Unsupported);
        let mut alice = Seat::open(server.addr, witness, first.number).await;
        alice.send(ToWitness::Held(newest)).await;
        assert_eq!(alice.refusal().await, Refusal::OtherWitness);
        let new = server.witness_after(witness).await;
        assert_eq!(
            Seat::refused(server.addr, witness, first.number).await,
            Refusal::OtherWitness
        );
        assert!(folder.path().join("log.aside.1").exists());
        let second = play(2, new);
        let mut seats = both(server.addr, &second).await;
        let told = play_on(&mut seats, &second, &[], &MOVES)
            .await
            .expect("a receipt");
        assert!(told.is_by(new, second.number, &DOMAIN, &Native));
        drop((seats, server));
        assert_eq!(folder.open().key(), new);
    }
}

/// What is held can be shown before the terms on one socket, also if it says nothing about the log.
#[tokio::test]
async fn what_is_held_is_shown_first_and_then_the_terms() {
    let folder = Folder::new();
    let (server, witness) = shared(&folder);
    let log = fs::read(folder.log()).expect("a log");
    // Behind the head of the first group and the number of the entry.
    let secret = log[21..].first_chunk().expect("a secret");
    let secret = SessionKey::from_secret(secret).expect("a key");
    let play = play(1, witness);
    let mut told = Told {
        moves: Moves::from_bins(&[3, 4]).expect("few moves"),
        signatures: ByPlayer::default(),
        at: 1_000,
        what: Telling::Receipt {
            left: ByPlayer::default(),
        },
        witness: Signature::NONE,
    };
    told.witness = secret.sign(&told.digest(play.number, &DOMAIN, &Native));
    let mut alice = Seat::open(server.addr, witness, play.number).await;
    alice.send(ToWitness::Held(told)).await;
    alice.send(ToWitness::Terms(play.signed)).await;
    alice.send(play.join(Player::One, alice.nonce)).await;
    alice.present(true, false).await;
    // A log that should have it is put aside before the game begins anew.
    let other = self::play(2, witness);
    told.at = now() * 1_000;
    told.witness = secret.sign(&told.digest(other.number, &DOMAIN, &Native));
    let mut bob = Seat::open(server.addr, witness, other.number).await;
    bob.send(ToWitness::Held(told)).await;
    bob.send(ToWitness::Terms(other.signed)).await;
    assert_eq!(bob.refusal().await, Refusal::OtherWitness);
    server.witness_after(witness).await;
    assert_eq!(server.counts().signed_games, 0);
}

/// A clock that was wrong once would have no new game fit the time of the witness.
#[tokio::test]
async fn a_log_of_a_later_time_is_left_as_it_is() {
    let folder = Folder::new();
    drop(folder.open());
    let later = Moment {
        at: (now() + 3_600) * 1_000,
        fair: 0,
    };
    let files = connect4_relay::witness::Folder::lock(folder.path()).expect("a folder");
    let key = Key {
        secret: [7; 32],
        chain_id: CHAIN.id,
        genesis: CHAIN.genesis,
        made: later,
    };
    drop(files.begin(key).expect("a disk"));
    drop(files);
    let before = fs::read(folder.log()).expect("a log");
    let opened = Witness::open(folder.path(), CHAIN);
    let error = opened.err().expect("it is ahead");
    assert!(matches!(error, LogError::Ahead(3_500..=3_601)), "{error:?}");
    assert!(error.to_string().contains("set the clock right"), "{error}");
    assert_eq!(fs::read(folder.log()).expect("a log"), before);
}

#[tokio::test]
async fn a_log_that_is_damaged_before_its_end_is_put_aside() {
    let folder = Folder::new();
    let (server, witness) = shared(&folder);
    let play = play(1, witness);
    let mut seats = both(server.addr, &play).await;
    play_on(&mut seats, &play, &[], &MOVES).await;
    drop((seats, server));
    drop(folder.open());
    let mut bytes = fs::read(folder.log()).expect("a log");
    bytes[200] ^= 1;
    fs::write(folder.log(), &bytes).expect("a file");
    let opened = folder.open();
    assert_ne!(opened.key(), witness);
    let aside = opened.aside().expect("it was put aside");
    assert_eq!(fs::read(aside).expect("a file"), bytes);
}

#[tokio::test]
async fn one_process_has_a_log_and_it_is_of_one_chain() {
    let folder = Folder::new();
    let (server, _) = shared(&folder);
    let opened = Witness::open(folder.path(), CHAIN);
    assert!(matches!(opened, Err(LogError::InUse)));
    // Also if somebody removes the lock beside it.
    fs::remove_file(folder.path().join("lock")).expect("a file");
    let opened = Witness::open(folder.path(), CHAIN);
    assert!(matches!(opened, Err(LogError::InUse)));
    drop(server);
    drop(folder.open());
    let other = Chain {
        genesis: [7; 32],
        ..CHAIN
    };
    let opened = Witness::open(folder.path(), other);
    assert!(matches!(opened, Err(LogError::OtherChain)));
}

#[cfg(unix)]
#[test]
fn nobody_else_reads_a_log() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::new();
    drop(folder.open());
    let mode = fs::metadata(folder.log())
        .expect("a log")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
}

/// A disk that is full while it is told so.
struct Full {
    disk: Box<dyn Disk>,
    is_full: Arc<AtomicBool>,
}

impl Disk for Full {
    fn write_at(&mut self, at: u64, bytes: &[u8]) -> io::Result<()> {
        match self.is_full.load(Ordering::SeqCst) {
            // A part of it has place.
            true => {
                let (first, _) = bytes.split_at(bytes.len() / 2);
                self.disk.write_at(at, first)?;
                Err(io::ErrorKind::StorageFull.into())
            }
            false => self.disk.write_at(at, bytes),
        }
    }

    fn sync(&mut self) -> io::Result<()> {
        self.disk.sync()
    }
}

#[tokio::test]
async fn while_the_log_takes_no_more_nothing_is_said_and_no_time_runs() {
    let folder = Folder::new();
    let is_full = Arc::new(AtomicBool::new(false));
    let of_disk = Arc::clone(&is_full);
    let witness = folder.open().on(|disk| {
        Box::new(Full {
            disk,
            is_full: of_disk,
        })
    });
    let key = witness.key();
    let server = start(witness, wide());
    let play = SignedPlay::new(1, key, Some(CLOCK), now());
    let mut seats = both(server.addr, &play).await;
    play_on(&mut seats, &play, &[], &MOVES[..2]).await;
    let third = self::play(3, key);
    let mut elsewhere = both(server.addr, &third).await;
    play_on(&mut elsewhere, &third, &[], &MOVES[..2]).await;
    is_full.store(true, Ordering::SeqCst);
    seats[0].say(play.made(&MOVES[..3])).await;
    while !server.counts().log_full {
        tokio::task::yield_now().await;
    }
    seats[1]
        .say(play.spoken(Player::Two, Act::Resign, &MOVES[..2]))
        .await;
    assert_eq!(seats[1].refusal().await, Refusal::LogFull);
    let mut late = Seat::open(server.addr, key, play.number).await;
    late.receipt(&MOVES[..2]).await;
    let other = self::play(2, key);
    let mut other = Seat::join(server.addr, &other, Player::One).await;
    assert_eq!(other.refusal().await, Refusal::LogFull);
    // What was told before is told again, and not refused.
    seats[1].say(play.made(&MOVES[..2])).await;
    seats[1].receipt(&MOVES[..2]).await;
    elsewhere[1]
        .say(third.spoken(Player::Two, Act::Resign, &MOVES[..2]))
        .await;
    assert_eq!(elsewhere[1].refusal().await, Refusal::LogFull);
    is_full.store(false, Ordering::SeqCst);
    // Where nothing waits for the log, all hear that it takes more.
    for seat in &mut elsewhere {
        seat.receipt(&MOVES[..2]).await;
    }
    elsewhere[1]
        .say(third.spoken(Player::Two, Act::Resign, &MOVES[..2]))
        .await;
    elsewhere[0].end().await;
    // It was taken before, and is told now.
    let told = seats[1].receipt(&MOVES[..3]).await;
    let answer = play_on(&mut seats, &play, &MOVES[..3], &MOVES[3..4]).await;
    let answer = answer.expect("a receipt");
    let (Telling::Receipt { left: was }, Telling::Receipt { left }) = (told.what, answer.what)
    else {
        panic!("{told:?} {answer:?}");
    };
    let spent = was.two + 2_000 - left.two;
    assert!(
        spent + 800 <= answer.at - told.at,
        "the second in which it could not write is nobody's"
    );
    drop((seats, elsewhere, late, server));
    assert_eq!(
        folder.open().key(),
        key,
        "what was written in part is cut off"
    );
}

/// A disk that ends the thread that writes to it.
struct Broken(Arc<AtomicBool>);

impl Disk for Broken {
    fn write_at(&mut self, _: u64, _: &[u8]) -> io::Result<()> {
        assert!(!self.0.load(Ordering::SeqCst), "as the test wants it");
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn a_witness_whose_thread_is_gone_says_that_it_takes_nothing() {
    let folder = Folder::new();
    let is_broken = Arc::new(AtomicBool::new(false));
    let of_disk = Arc::clone(&is_broken);
    let witness = folder.open().on(|_| Box::new(Broken(of_disk)));
    let key = witness.key();
    let server = start(witness, wide());
    let play = play(1, key);
    let mut seats = both(server.addr, &play).await;
    play_on(&mut seats, &play, &[], &MOVES[..2]).await;
    is_broken.store(true, Ordering::SeqCst);
    seats[0].say(play.made(&MOVES[..3])).await;
    while !server.counts().log_full {
        tokio::task::yield_now().await;
    }
    seats[1]
        .say(play.spoken(Player::Two, Act::Resign, &MOVES[..2]))
        .await;
    assert_eq!(seats[1].refusal().await, Refusal::LogFull);
}

/// Many games are played without a restart, and some go on.
#[tokio::test]
async fn a_log_that_grows_is_written_anew_while_games_are_played() {
    let folder = Folder::new();
    let witness = folder.open();
    let key = witness.key();
    let limits = Limits {
        signed_log_growth: 4_096,
        ..wide()
    };
    let server = start(witness, limits);
    let first = play(1, key);
    let mut seats = both(server.addr, &first).await;
    play_on(&mut seats, &first, &[], &MOVES[..2]).await;
    let mut ends = Vec::new();
    for number in 2..32 {
        let play = play(number, key);
        let mut others = both(server.addr, &play).await;
        play_on(&mut others, &play, &[], &MOVES).await;
        others[0]
            .say(play.spoken(Player::One, Act::Resign, &MOVES))
            .await;
        ends.push((play.number, others[1].end().await));
    }
    play_on(&mut seats, &first, &MOVES[..2], &MOVES[2..4]).await;
    let image = fs::read(folder.log()).expect("a log");
    let mut entries = 0;
    for (number, _) in &ends {
        let is_of = |bytes: &&[u8]| *bytes == number.0;
        entries += image.windows(32).filter(is_of).count();
    }
    let all = ends.len() * (MOVES.len() + 1);
    assert!(entries < all / 2, "{entries} of {all}");
    drop((seats, server));
    let (server, again) = shared(&folder);
    assert_eq!(again, key);
    for (number, end) in &ends {
        let mut fetching = Seat::open(server.addr, key, *number).await;
        assert_eq!(fetching.end().await, *end);
    }
    let mut seats = both(server.addr, &first).await;
    play_on(&mut seats, &first, &MOVES[..4], &MOVES[4..]).await;
}
