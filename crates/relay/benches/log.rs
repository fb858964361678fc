//! How long it takes to write a group of entries to the log of a witness, with and without the disk's word for it; what an
//! end takes of its memory; and how long a log with many games is read, and written anew.
//!
//! `cargo bench --package connect4-relay --bench log [FOLDER]` prints medians and 99th percentiles. It asserts nothing, as
//! times differ between machines and disks.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use connect4_protocol::Address;
use connect4_protocol::signed::{Chain, GameNumber, Moves, Native, Signature, WitnessedEnd};
use connect4_relay::witness::{Core, Disk, Entry, Folder, Key, Moment};
use connect4_rules::{ByPlayer, Player};

const GROUPS: usize = 2_000;
const ENDS: u64 = 50_000;
const CHAIN: Chain = Chain {
    id: 1,
    genesis: [0; 32],
};

/// A disk whose word is not waited for.
struct Unsynced(Box<dyn Disk>);

impl Disk for Unsynced {
    fn write_at(&mut self, at: u64, bytes: &[u8]) -> io::Result<()> {
        self.0.write_at(at, bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn measure(path: &Path, moves: usize, is_synced: bool) -> io::Result<Vec<Duration>> {
    let failed = |error| io::Error::other(format!("{error}"));
    let folder = Folder::lock(path).map_err(failed)?;
    let mut log = folder.begin(key())?.log;
    if !is_synced {
        log = log.on(|disk| Box::new(Unsynced(disk)));
    }
    let moved = Entry::Moved {
        game: GameNumber([9; 32]),
        bin: 3,
        signature: Signature([1; 65]),
        left: ByPlayer {
            one: 180_000,
            two: 180_000,
        },
        time: Moment::default(),
    };
    let entries = vec![moved; moves];
    let mut times = Vec::new();
    for _ in 0..GROUPS {
        let start = Instant::now();
        log.add(&entries)?;
        times.push(start.elapsed());
    }
    times.sort_unstable();
    Ok(times)
}

/// Bytes of memory that this process has; none where the system does not tell.
fn memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS"))?;
    let kibibytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes * 1_024)
}

/// So many games that have ended after 30 moves, one after the other.
fn measure_ends(path: &Path) -> io::Result<()> {
    let failed = |error| io::Error::other(format!("{error}"));
    let folder = Folder::lock(path).map_err(failed)?;
    let key = key();
    let mut log = folder.begin(key.clone())?.log;
    let bins: Vec<u8> = (0..30).map(|turn| turn % 7).collect();
    let moves = Moves::from_bins(&bins).ok_or(io::ErrorKind::InvalidInput)?;
    let time = Moment {
        at: 1_800_000_000_000,
        fair: 1,
    };
    let mut last = time;
    let mut entries = Vec::new();
    for number in 0..ENDS {
        let mut game = GameNumber([9; 32]);
        game.0[..8].copy_from_slice(&number.to_le_bytes());
        for bin in &bins {
            last.fair += 1_000;
            entries.push(Entry::Moved {
                game,
                bin: *bin,
                signature: Signature([1; 65]),
                left: ByPlayer::default(),
                time: last,
            });
        }
        entries.push(Entry::Ended {
            game,
            moves,
            end: WitnessedEnd::Resignation(Player::One),
            signatures: ByPlayer::default(),
            time: last,
        });
        if number % 100 == 99 {
            log.add(&entries)?;
            entries.clear();
        }
    }
    let len = log.bytes();
    drop(log);
    let before = memory();
    let start = Instant::now();
    // What is read is an end: a game that goes on would need its terms.
    let begin = |key: &Key| Some(Core::new(Address([1; 20]), key.chain(), Native, key.made));
    let step = |core: &mut Core<Native>, entry: Entry| match entry {
        Entry::Moved { .. } => Some(()),
        entry => core.replay(&entry).ok(),
    };
    let read = folder.read(CHAIN, begin, step).map_err(failed)?;
    let (old, core) = read.ok_or(io::ErrorKind::NotFound)?;
    let reading = start.elapsed();
    let after = memory();
    let start = Instant::now();
    let kept = core.kept();
    let log = folder.go_on(old, |entry| kept.keeps(entry))?;
    let writing = start.elapsed();
    let used = before.zip(after).map(|(before, after)| after - before);
    println!(
        "{ENDS} ends: {} bytes each in memory; a log of {} MB is read in {} ms, and in {} ms written anew into {} MB",
        used.unwrap_or_default() / ENDS,
        len / 1_000_000,
        reading.as_millis(),
        writing.as_millis(),
        log.bytes() / 1_000_000,
    );
    std::fs::remove_dir_all(path)
}

fn key() -> Key {
    Key {
        secret: [7; 32],
        chain_id: CHAIN.id,
        genesis: CHAIN.genesis,
        made: Moment::default(),
    }
}

fn main() -> io::Result<()> {
    let named = std::env::args().skip(1).find(|arg| !arg.starts_with('-'));
    let path = named.map_or_else(std::env::temp_dir, PathBuf::from);
    let path = path.join(format!("connect4-log-{}", std::process::id()));
    println!("{GROUPS} groups each: median, 99th percentile, longest, in ms");
    for moves in [1, 16] {
        for (name, is_synced) in [("synced", true), ("not synced", false)] {
            let times = measure(&path, moves, is_synced)?;
            let at = |part: usize| times.get(times.len() * part / 100).copied();
            let ms = |time: Option<Duration>| time.unwrap_or_default().as_secs_f64() * 1e3;
            let longest = times.last().copied();
            println!(
                "{moves:>2} moves, {name:<10}: {:.3} {:.3} {:.3}",
                ms(at(50)),
                ms(at(99)),
                ms(longest)
            );
        }
    }
    std::fs::remove_dir_all(&path)?;
    measure_ends(&path)
}
