//! How long it takes to write a group of entries to the log of a witness, with and without the disk's word for it.
//!
//! `cargo bench --package connect4-relay --bench log [FOLDER]` prints medians and 99th percentiles. It asserts nothing, as
//! times differ between machines and disks.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use connect4_protocol::signed::{Chain, GameNumber, Signature};
use connect4_relay::witness::{Disk, Entry, Folder, Key, Moment};
use connect4_rules::ByPlayer;

const GROUPS: usize = 2_000;
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
    let key = Key {
        secret: [7; 32],
        chain_id: CHAIN.id,
        genesis: CHAIN.genesis,
        made: Moment::default(),
    };
    let mut log = folder.begin(key)?.log;
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
    std::fs::remove_dir_all(&path)
}
