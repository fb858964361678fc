//! The file of an index: what is in it, and how several programs share it.
//!
//! The database lets one process in at a time, so a program holds it only while it reads or writes a
//! batch. A file beside it is locked for that long: the lock is given up by the system if the
//! program is killed, and it is held when an unreadable database is put aside, too.

use std::fs::{File, OpenOptions, TryLockError};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use codec::{DecodeAll, Encode};
use connect4_protocol::Address;
use redb::{Database, ReadableDatabase, ReadableTable, TableDefinition};
use subxt::utils::H256;

use super::ranges::Ranges;
use crate::events::Emitted;

/// The version of the tables' layout. A file with another one is put aside.
const FORMAT: u32 = 1;
const FORMAT_KEY: &str = "format";
/// How much of the file is kept in memory, in bytes.
const CACHE_BYTES: usize = 16 << 20;
/// How long a program waits for others that have the file. They hold it for a batch, which takes
/// milliseconds.
const PATIENCE: Duration = Duration::from_secs(5);
const RETRY: Duration = Duration::from_millis(5);
/// The hashes of so many of the newest blocks are all kept, so that a fork undoes no more than it
/// has to.
const DENSE: u32 = 4096;
/// Of older blocks without events, the hash of every so many-th one is kept.
const SPARSE: u32 = 1024;

/// [`FORMAT_KEY`] to [`FORMAT`].
const META: TableDefinition<&str, u32> = TableDefinition::new("meta");
/// Contract to the SCALE-encoded [`Ranges`] of blocks whose events of this contract are here.
const RANGES: TableDefinition<&[u8; 20], &[u8]> = TableDefinition::new("ranges");
/// Block number to the block's hash, and whether the block has events.
const HASHES: TableDefinition<u32, (&[u8; 32], bool)> = TableDefinition::new("hashes");
/// Contract, game, block, and place among the block's events, to the event: index of its
/// transaction, first topic, data. The game is its number and 1; 0 if the event is of no game.
type EventKey = (&'static [u8; 20], u64, u32, u32);
type EventValue = (u32, &'static [u8; 32], &'static [u8]);
const EVENTS: TableDefinition<EventKey, EventValue> = TableDefinition::new("events");
/// Block, and index of a transaction with events, to its fee in the token's smallest unit.
const FEES: TableDefinition<(u32, u32), u128> = TableDefinition::new("fees");

/// A block by number and hash.
pub(super) type Block = (u32, H256);

/// Why the file was not of use.
#[derive(Debug)]
pub(super) enum Trouble {
    /// Another program has it for too long, or the system refuses.
    Refused,
    /// It is no index of this version.
    Unreadable(String),
}

impl<E: Into<redb::Error>> From<E> for Trouble {
    fn from(error: E) -> Self {
        match error.into() {
            redb::Error::Io(error) if error.kind() != std::io::ErrorKind::InvalidData => {
                Self::Refused
            }
            redb::Error::DatabaseAlreadyOpen => Self::Refused,
            error => Self::Unreadable(error.to_string()),
        }
    }
}

fn malformed(error: impl std::fmt::Display) -> Trouble {
    Trouble::Unreadable(error.to_string())
}

/// The events that are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Want {
    /// All.
    All,
    /// Those of the game with this number.
    Game(u32),
    /// None: the file is to be kept up.
    Nothing,
}

impl Want {
    pub(super) fn has(self, game: Option<u32>) -> bool {
        match self {
            Self::All => true,
            Self::Game(number) => game == Some(number),
            Self::Nothing => false,
        }
    }
}

/// An event, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Placed {
    pub(super) block: u32,
    pub(super) block_hash: H256,
    pub(super) game: Option<u32>,
    pub(super) event: Emitted,
}

/// What the file has.
#[derive(Debug, Default)]
pub(super) struct Loaded {
    /// The highest block of which a hash is kept.
    pub(super) top: Option<Block>,
    /// The same among the blocks that were asked about.
    pub(super) top_asked: Option<Block>,
    /// The blocks whose events are here, by contract in the order in which they were asked about.
    pub(super) ranges: Vec<Ranges>,
    pub(super) events: Vec<Placed>,
}

/// What is added to the file at once.
#[derive(Clone, Debug, Default)]
pub(super) struct Batch {
    pub(super) covered: Vec<(Address, Ranges)>,
    pub(super) hashes: Vec<Block>,
    pub(super) events: Vec<Placed>,
    /// Block, index of the transaction, and its fee.
    pub(super) fees: Vec<(u32, u32, u128)>,
}

impl Batch {
    pub(super) const fn is_empty(&self) -> bool {
        self.covered.is_empty()
    }
}

/// The file of a chain.
#[derive(Clone, Debug)]
pub(super) struct Store {
    file: PathBuf,
    lock: PathBuf,
}

impl Store {
    /// The file of the chain with this genesis hash, in a folder.
    pub(super) fn new(folder: &Path, genesis: H256) -> Self {
        let name = hex::encode(genesis);
        Self {
            file: folder.join(format!("{name}.redb")),
            lock: folder.join(format!("{name}.lock")),
        }
    }

    /// Does some work on the database, which no other program has meanwhile. If it is unreadable, it
    /// is put aside and the work done on a new one; `notice` is told.
    pub(super) fn with<T>(
        &self,
        notice: impl Fn(String),
        work: impl Fn(&Database) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        let _lock = self.locked()?;
        match self.attempt(&work) {
            Err(Trouble::Unreadable(why)) => {
                let aside = self.file.with_extension("unreadable");
                std::fs::rename(&self.file, &aside).map_err(|_| Trouble::Refused)?;
                notice(format!(
                    "the index of the chain's events could not be read ({why}): it was renamed to \
                     {} and is built anew",
                    aside.display()
                ));
                self.attempt(&work)
            }
            result => result,
        }
    }

    fn attempt<T>(&self, work: impl Fn(&Database) -> Result<T, Trouble>) -> Result<T, Trouble> {
        // The database panics on some damages.
        let done = catch_unwind(AssertUnwindSafe(|| {
            if !self.file.exists() {
                self.create()?;
            }
            let database = builder().open(&self.file)?;
            check_format(&database)?;
            work(&database)
        }));
        done.unwrap_or_else(|_| Err(malformed("its database is damaged")))
    }

    /// Makes an empty database. It gets its name when it is whole: a program that is killed meanwhile
    /// leaves nothing that looks like a damaged one.
    fn create(&self) -> Result<(), Trouble> {
        let new = self.file.with_extension("new");
        match std::fs::remove_file(&new) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(Trouble::Refused);
            }
            _ => {}
        }
        let database = builder().create(&new)?;
        let write = database.begin_write()?;
        write.open_table(META)?.insert(FORMAT_KEY, FORMAT)?;
        write.open_table(RANGES)?;
        write.open_table(HASHES)?;
        write.open_table(EVENTS)?;
        write.open_table(FEES)?;
        write.commit()?;
        drop(database);
        std::fs::rename(&new, &self.file).map_err(|_| Trouble::Refused)
    }

    /// Waits until no other program has the file, and keeps others out until this is dropped.
    fn locked(&self) -> Result<File, Trouble> {
        if let Some(folder) = self.lock.parent() {
            std::fs::create_dir_all(folder).map_err(|_| Trouble::Refused)?;
        }
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&self.lock)
            .map_err(|_| Trouble::Refused)?;
        let deadline = Instant::now() + PATIENCE;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(file),
                Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                    std::thread::sleep(RETRY);
                }
                Err(_) => return Err(Trouble::Refused),
            }
        }
    }
}

fn builder() -> redb::Builder {
    let mut builder = Database::builder();
    builder.set_cache_size(CACHE_BYTES);
    builder
}

fn check_format(database: &Database) -> Result<(), Trouble> {
    let meta = database.begin_read()?.open_table(META)?;
    match meta.get(FORMAT_KEY)?.map(|format| format.value()) {
        Some(FORMAT) => Ok(()),
        Some(other) => Err(malformed(format_args!(
            "its format is {other}, this program's is {FORMAT}"
        ))),
        None => Err(malformed("it is not an index")),
    }
}

/// Reads what the file has of these contracts, up to a block.
pub(super) fn load(
    database: &Database,
    contracts: &[Address],
    last: u32,
    want: Want,
) -> Result<Loaded, Trouble> {
    let read = database.begin_read()?;
    let hashes = read.open_table(HASHES)?;
    let top = top_of(&hashes, u32::MAX)?;
    let top_asked = top_of(&hashes, last)?;
    let ranges = read.open_table(RANGES)?;
    let events = read.open_table(EVENTS)?;
    let mut loaded = Loaded {
        top,
        top_asked,
        ..Loaded::default()
    };
    for contract in contracts {
        loaded.ranges.push(ranges_of(&ranges, contract)?);
        let keys = match want {
            Want::All => (0, u64::MAX),
            Want::Game(number) => (u64::from(number) + 1, u64::from(number) + 1),
            Want::Nothing => continue,
        };
        let keys = (&contract.0, keys.0, 0, 0)..=(&contract.0, keys.1, u32::MAX, u32::MAX);
        for entry in events.range(keys)? {
            let (key, value) = entry?;
            let (_, game, block, place) = key.value();
            let (index, topic, data) = value.value();
            let block_hash = hashes
                .get(block)?
                .map(|hash| H256(*hash.value().0))
                .ok_or_else(|| malformed(format_args!("the hash of block {block} is missing")))?;
            loaded.events.push(Placed {
                block,
                block_hash,
                game: game
                    .checked_sub(1)
                    .and_then(|game| u32::try_from(game).ok()),
                event: Emitted {
                    contract: *contract,
                    index,
                    place,
                    topic: *topic,
                    data: data.to_vec(),
                },
            });
        }
    }
    Ok(loaded)
}

/// The fees of transactions, by block, its hash, and index; none of those that are not known.
pub(super) fn fees(
    database: &Database,
    of: &[(u32, H256, u32)],
) -> Result<Vec<Option<u128>>, Trouble> {
    let read = database.begin_read()?;
    let hashes = read.open_table(HASHES)?;
    let fees = read.open_table(FEES)?;
    of.iter()
        .map(|(block, hash, index)| {
            let is_same = hashes
                .get(*block)?
                .is_some_and(|found| found.value().0 == &hash.0);
            let fee = fees.get((*block, *index))?;
            Ok(fee.filter(|_| is_same).map(|fee| fee.value()))
        })
        .collect()
}

/// The blocks of which a hash is kept, up to one, ascending.
pub(super) fn checkpoints(database: &Database, last: u32) -> Result<Vec<Block>, Trouble> {
    let hashes = database.begin_read()?.open_table(HASHES)?;
    hashes
        .range(..=last)?
        .map(|entry| {
            let (number, value) = entry?;
            Ok((number.value(), H256(*value.value().0)))
        })
        .collect()
}

/// Removes all that was read of blocks behind `last`: a fork has retracted them. Nothing is done if
/// the highest block is not `top` any more, as another program has changed the file.
pub(super) fn undo(database: &Database, top: Block, last: Option<u32>) -> Result<(), Trouble> {
    let write = database.begin_write()?;
    {
        let mut hashes = write.open_table(HASHES)?;
        if top_of(&hashes, u32::MAX)? != Some(top) {
            return Ok(());
        }
        let stays = |block: u32| last.is_some_and(|last| block <= last);
        hashes.retain(|number, _| stays(number))?;
        write
            .open_table(EVENTS)?
            .retain(|(_, _, block, _), _| stays(block))?;
        write
            .open_table(FEES)?
            .retain(|(block, _), _| stays(block))?;
        let mut ranges = write.open_table(RANGES)?;
        let contracts: Vec<[u8; 20]> = ranges
            .iter()?
            .map(|entry| Ok(*entry?.0.value()))
            .collect::<Result<_, redb::StorageError>>()?;
        for contract in contracts {
            let mut left = ranges_of(&ranges, &Address(contract))?;
            match last {
                Some(last) => left.truncate(last),
                None => left = Ranges::default(),
            }
            ranges.insert(&contract, left.encode().as_slice())?;
        }
    }
    write.commit()?;
    Ok(())
}

/// Adds what was read. Returns the highest block then; none, with nothing done, if the highest block
/// is not `top` any more, as another program has changed the file.
pub(super) fn append(
    database: &Database,
    top: Option<Block>,
    batch: &Batch,
) -> Result<Option<Option<Block>>, Trouble> {
    let mut write = database.begin_write()?;
    // A program that was killed leaves a file that the next one opens at once.
    write.set_quick_repair(true);
    let new_top;
    {
        let mut hashes = write.open_table(HASHES)?;
        if top_of(&hashes, u32::MAX)? != top {
            return Ok(None);
        }
        let highest = batch.hashes.iter().map(|(number, _)| *number).max();
        let highest = highest.max(top.map(|(number, _)| number)).unwrap_or(0);
        let dense = highest.saturating_sub(DENSE);
        let is_kept = |number: u32| number >= dense || number.is_multiple_of(SPARSE);
        let with_events: std::collections::BTreeSet<u32> =
            batch.events.iter().map(|placed| placed.block).collect();
        for (number, hash) in &batch.hashes {
            let has_events = with_events.contains(number)
                || hashes.get(*number)?.is_some_and(|kept| kept.value().1);
            if has_events || is_kept(*number) {
                hashes.insert(*number, (&hash.0, has_events))?;
            }
        }
        let dense_before = top.map_or(0, |(number, _)| number.saturating_sub(DENSE));
        hashes.retain_in(dense_before..dense, |number, (_, has_events)| {
            has_events || is_kept(number)
        })?;
        let mut events = write.open_table(EVENTS)?;
        for placed in &batch.events {
            let event = &placed.event;
            let game = placed.game.map_or(0, |game| u64::from(game) + 1);
            events.insert(
                (&event.contract.0, game, placed.block, event.place),
                (event.index, &event.topic, event.data.as_slice()),
            )?;
        }
        let mut fees = write.open_table(FEES)?;
        for (block, index, fee) in &batch.fees {
            fees.insert((*block, *index), fee)?;
        }
        let mut ranges = write.open_table(RANGES)?;
        for (contract, covered) in &batch.covered {
            let mut all = ranges_of(&ranges, contract)?;
            all.extend(covered);
            ranges.insert(&contract.0, all.encode().as_slice())?;
        }
        new_top = top_of(&hashes, u32::MAX)?;
    }
    write.commit()?;
    Ok(Some(new_top))
}

fn top_of(
    hashes: &impl ReadableTable<u32, (&'static [u8; 32], bool)>,
    last: u32,
) -> Result<Option<Block>, Trouble> {
    match hashes.range(..=last)?.next_back() {
        Some(entry) => {
            let (number, value) = entry?;
            Ok(Some((number.value(), H256(*value.value().0))))
        }
        None => Ok(None),
    }
}

fn ranges_of(
    ranges: &impl ReadableTable<&'static [u8; 20], &'static [u8]>,
    contract: &Address,
) -> Result<Ranges, Trouble> {
    match ranges.get(&contract.0)? {
        Some(found) => Ranges::decode_all(&mut found.value()).map_err(malformed),
        None => Ok(Ranges::default()),
    }
}
