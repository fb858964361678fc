//! The store: blocks and states on disk, in one crash-safe file.
//!
//! Every block's state is kept, as trie nodes are added and never removed. So a game can be
//! replayed from the events of its blocks at any time. A block is stored by one write transaction,
//! which is on disk when it returns: a block that was announced survives a `kill -9`.
//!
//! Blocks of the best branch are found by number and by hash, all others by hash alone.
//!
//! redb's quick repair is left off: it makes each block's transaction 4 ms slower, in place of 4 to 8 ms,
//! and writes up to half as much more, on the machine that it was measured
//! on. It saves time only when a node that was killed is started again: of 0.9 s with 20,000 blocks (0.5 GB),
//! and of 4.3 s with 100,000 (2.2 GB), 0.2 and 0.6 s remain.

use std::path::{Path, PathBuf};

use codec::{Decode, Encode};
use redb::{Database, ReadableDatabase, ReadableTable, TableDefinition, WriteTransaction};
use sp_runtime::{
    OpaqueExtrinsic,
    traits::{BlakeTwo256, Header as _},
};
use sp_state_machine::{BackendTransaction, DBValue, TrieBackendStorage};
use sp_trie::prefixed_key;

use crate::{
    error::{OpenError, StoreError},
    runtime::{BlockNumber, Hash, Header},
};

/// Block number to SCALE-encoded block, of the best branch.
const BLOCKS: TableDefinition<u32, &[u8]> = TableDefinition::new("blocks");
/// Block hash to block number, of the best branch.
const NUMBERS: TableDefinition<&[u8; 32], u32> = TableDefinition::new("numbers");
/// Block hash to SCALE-encoded [`SideBlock`], of all other branches.
const SIDE: TableDefinition<&[u8; 32], &[u8]> = TableDefinition::new("side");
/// Prefixed hash of a trie node to the node.
const NODES: TableDefinition<&[u8], &[u8]> = TableDefinition::new("nodes");
/// [`FORMAT_KEY`] to [`FORMAT`] and [`FINALIZED_KEY`] to a block number, SCALE-encoded.
const META: TableDefinition<&str, &[u8]> = TableDefinition::new("meta");

/// The version of the tables' layout. A file with another is refused.
const FORMAT: u32 = 1;
const FORMAT_KEY: &str = "format";
/// The number of the last final block. Without it, the best block is final.
const FINALIZED_KEY: &str = "finalized";
const FILE: &str = "chain.redb";
/// How much of the file is kept in memory, in bytes. Most reads of the state don't get here, as
/// the cache of the tries answers them.
const CACHE_BYTES: usize = 64 << 20;

/// Where a chain is kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Storage {
    /// In memory. It is gone when the chain stops.
    #[default]
    Temporary,
    /// In this folder, which is made if it is missing.
    Folder(PathBuf),
}

impl<E: Into<redb::Error>> From<E> for StoreError {
    fn from(error: E) -> Self {
        Self::new(error.into())
    }
}

/// A block as it is stored, SCALE-encoded in the order of these fields.
#[derive(Clone, Debug, Encode, Decode)]
pub struct StoredBlock {
    pub header: Header,
    /// The SCALE-encoded transactions. The first one, unsigned, sets the block's time.
    pub extrinsics: Vec<OpaqueExtrinsic>,
}

/// A block that is not on the best branch: the header, and the transactions until a final block
/// rules it out.
type SideBlock = (Header, Option<Vec<OpaqueExtrinsic>>);

/// What changes with a block in addition to it.
#[derive(Clone, Debug)]
pub struct Finalized<'a> {
    /// The number of the last final block.
    pub number: BlockNumber,
    /// Blocks of other branches that it rules out. Their transactions are forgotten.
    pub pruned: &'a [Hash],
}

pub struct Store {
    db: Database,
}

impl Store {
    /// Opens the store, and makes it if it is missing.
    ///
    /// # Errors
    /// Returned if another store has the folder open, if the folder can't be made or written, if
    /// its file has another format, and if the database fails.
    pub fn open(storage: &Storage) -> Result<Self, OpenError> {
        let mut builder = Database::builder();
        builder.set_cache_size(CACHE_BYTES);
        let (db, path) = match storage {
            Storage::Temporary => (
                builder
                    .create_with_backend(redb::backends::InMemoryBackend::new())
                    .map_err(StoreError::from)?,
                Path::new("memory").to_path_buf(),
            ),
            Storage::Folder(folder) => {
                std::fs::create_dir_all(folder).map_err(|error| OpenError::Folder {
                    folder: folder.clone(),
                    reason: error.to_string(),
                })?;
                let path = folder.join(FILE);
                let db = builder.create(&path).map_err(|error| match error {
                    redb::DatabaseError::DatabaseAlreadyOpen => OpenError::InUse(folder.clone()),
                    redb::DatabaseError::UpgradeRequired(version) => OpenError::Format {
                        file: path.clone(),
                        found: format!("file format {version}"),
                    },
                    redb::DatabaseError::Storage(redb::StorageError::Corrupted(why)) => {
                        OpenError::Format {
                            file: path.clone(),
                            found: why,
                        }
                    }
                    redb::DatabaseError::Storage(redb::StorageError::Io(error))
                        if error.kind() == std::io::ErrorKind::InvalidData =>
                    {
                        OpenError::Format {
                            file: path.clone(),
                            found: error.to_string(),
                        }
                    }
                    other => OpenError::Folder {
                        folder: folder.clone(),
                        reason: other.to_string(),
                    },
                })?;
                (db, path)
            }
        };
        let write = db.begin_write().map_err(StoreError::from)?;
        {
            write.open_table(BLOCKS).map_err(StoreError::from)?;
            write.open_table(NUMBERS).map_err(StoreError::from)?;
            write.open_table(SIDE).map_err(StoreError::from)?;
            write.open_table(NODES).map_err(StoreError::from)?;
            let mut meta = write.open_table(META).map_err(StoreError::from)?;
            let found = meta
                .get(FORMAT_KEY)
                .map_err(StoreError::from)?
                .map(|value| value.value().to_vec());
            match found {
                None => {
                    meta.insert(FORMAT_KEY, FORMAT.encode().as_slice())
                        .map_err(StoreError::from)?;
                }
                Some(found) if found == FORMAT.encode() => {}
                Some(found) => {
                    let found = u32::decode(&mut &found[..]).unwrap_or_default();
                    return Err(OpenError::Format {
                        file: path,
                        found: format!("chain format {found}"),
                    });
                }
            }
        }
        write.commit().map_err(StoreError::from)?;
        Ok(Self { db })
    }

    /// The block with the highest number.
    pub fn last(&self) -> Result<Option<StoredBlock>, StoreError> {
        let blocks = self.db.begin_read()?.open_table(BLOCKS)?;
        Ok(blocks
            .last()?
            .and_then(|(_, block)| StoredBlock::decode(&mut block.value()).ok()))
    }

    /// The header of the best branch's block of this number; its transactions are not read.
    pub fn header(&self, number: BlockNumber) -> Result<Option<Header>, StoreError> {
        let blocks = self.db.begin_read()?.open_table(BLOCKS)?;
        Ok(blocks
            .get(number)?
            .and_then(|block| Header::decode(&mut block.value()).ok()))
    }

    /// The header of the block of this hash, on any branch.
    pub fn header_of(&self, hash: &Hash) -> Result<Option<Header>, StoreError> {
        let read = self.db.begin_read()?;
        let hash = hash.as_fixed_bytes();
        if let Some(number) = read.open_table(NUMBERS)?.get(hash)? {
            let block = read.open_table(BLOCKS)?.get(number.value())?;
            return Ok(block.and_then(|block| Header::decode(&mut block.value()).ok()));
        }
        let block = read.open_table(SIDE)?.get(hash)?;
        Ok(block.and_then(|block| Header::decode(&mut block.value()).ok()))
    }

    /// The block of this hash, on any branch. There is none, either, if a final block rules it out.
    pub fn block_of(&self, hash: &Hash) -> Result<Option<StoredBlock>, StoreError> {
        let read = self.db.begin_read()?;
        let hash = hash.as_fixed_bytes();
        if let Some(number) = read.open_table(NUMBERS)?.get(hash)? {
            let block = read.open_table(BLOCKS)?.get(number.value())?;
            return Ok(block.and_then(|block| StoredBlock::decode(&mut block.value()).ok()));
        }
        let block = read.open_table(SIDE)?.get(hash)?;
        let side = block.and_then(|block| SideBlock::decode(&mut block.value()).ok());
        Ok(side.and_then(|(header, extrinsics)| {
            extrinsics.map(|extrinsics| StoredBlock { header, extrinsics })
        }))
    }

    /// The headers of the blocks on other branches than the best one that no final block rules out,
    /// those with lower numbers first.
    pub fn side(&self) -> Result<Vec<Header>, StoreError> {
        let side = self.db.begin_read()?.open_table(SIDE)?;
        let mut headers = Vec::new();
        for entry in side.iter()? {
            if let Ok((header, Some(_))) = SideBlock::decode(&mut entry?.1.value()) {
                headers.push(header);
            }
        }
        headers.sort_by_key(|header| header.number);
        Ok(headers)
    }

    /// The number of the last final block. `None`: the best block is final.
    pub fn finalized(&self) -> Result<Option<BlockNumber>, StoreError> {
        let meta = self.db.begin_read()?.open_table(META)?;
        Ok(meta
            .get(FINALIZED_KEY)?
            .and_then(|number| BlockNumber::decode(&mut number.value()).ok()))
    }

    /// Makes blocks final. That is on disk when this returns.
    pub fn finalize(&self, finalized: &Finalized) -> Result<(), StoreError> {
        let write = self.db.begin_write()?;
        note_finalized(&write, finalized)?;
        write.commit()?;
        Ok(())
    }

    /// Adds a block to the best branch, with the trie nodes that it made. They are on disk when
    /// this returns.
    pub fn append(
        &self,
        hash: Hash,
        block: &StoredBlock,
        nodes: BackendTransaction<BlakeTwo256>,
        finalized: &Finalized,
    ) -> Result<(), StoreError> {
        let write = self.db.begin_write()?;
        add_nodes(&write, nodes)?;
        let number = *block.header.number();
        write
            .open_table(BLOCKS)?
            .insert(number, block.encode().as_slice())?;
        write
            .open_table(NUMBERS)?
            .insert(hash.as_fixed_bytes(), number)?;
        note_finalized(&write, finalized)?;
        write.commit()?;
        Ok(())
    }

    /// Adds a block to another branch than the best one, with the trie nodes that it made. They are
    /// on disk when this returns.
    pub fn append_side(
        &self,
        hash: Hash,
        block: &StoredBlock,
        nodes: BackendTransaction<BlakeTwo256>,
    ) -> Result<(), StoreError> {
        let write = self.db.begin_write()?;
        add_nodes(&write, nodes)?;
        let block = (&block.header, Some(&block.extrinsics)).encode();
        write
            .open_table(SIDE)?
            .insert(hash.as_fixed_bytes(), block.as_slice())?;
        write.commit()?;
        Ok(())
    }

    /// Puts the blocks of another branch in the place of the best branch's blocks from the same
    /// number on. `branch` has their hashes, the oldest first. Returns the blocks that were
    /// retracted, the oldest first. The change is on disk when this returns.
    pub fn switch(
        &self,
        branch: &[Hash],
        finalized: &Finalized,
    ) -> Result<Vec<StoredBlock>, StoreError> {
        let write = self.db.begin_write()?;
        let mut retracted = Vec::new();
        {
            let mut blocks = write.open_table(BLOCKS)?;
            let mut numbers = write.open_table(NUMBERS)?;
            let mut side = write.open_table(SIDE)?;
            let mut enacted = Vec::new();
            for hash in branch {
                let block = side.remove(hash.as_fixed_bytes())?;
                let block = block.and_then(|block| SideBlock::decode(&mut block.value()).ok());
                let Some((header, Some(extrinsics))) = block else {
                    return Err(StoreError::new("a branch lacks a block"));
                };
                enacted.push((hash, StoredBlock { header, extrinsics }));
            }
            let first = enacted.first().map(|(_, block)| block.header.number);
            for entry in blocks.extract_from_if(first.unwrap_or(u32::MAX).., |_, _| true)? {
                let block = StoredBlock::decode(&mut entry?.1.value()).map_err(StoreError::new)?;
                retracted.push(block);
            }
            for block in &retracted {
                let hash = block.header.hash();
                numbers.remove(hash.as_fixed_bytes())?;
                let block = (&block.header, Some(&block.extrinsics)).encode();
                side.insert(hash.as_fixed_bytes(), block.as_slice())?;
            }
            for (hash, block) in enacted {
                blocks.insert(block.header.number, block.encode().as_slice())?;
                numbers.insert(hash.as_fixed_bytes(), block.header.number)?;
            }
        }
        note_finalized(&write, finalized)?;
        write.commit()?;
        Ok(retracted)
    }

    pub fn nodes(&self) -> Result<Nodes, StoreError> {
        Ok(Nodes(self.db.begin_read()?.open_table(NODES)?))
    }
}

fn add_nodes(
    write: &WriteTransaction,
    mut nodes: BackendTransaction<BlakeTwo256>,
) -> Result<(), StoreError> {
    let mut table = write.open_table(NODES)?;
    // Sorted by key, as neighbours share the pages that are written.
    let mut added: Vec<_> = nodes
        .drain()
        .into_iter()
        .filter(|(_, (_, count))| *count > 0)
        .collect();
    added.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    for (key, (node, _)) in added {
        table.insert(key.as_slice(), node.as_slice())?;
    }
    Ok(())
}

/// Notes which block is the last final one, and forgets the transactions of those that it rules
/// out. A chain whose blocks are final at once has no note of it: the best block is the last one.
fn note_finalized(write: &WriteTransaction, finalized: &Finalized) -> Result<(), StoreError> {
    let is_best = {
        let blocks = write.open_table(BLOCKS)?;
        let best = blocks.last()?.map(|(number, _)| number.value());
        best == Some(finalized.number)
    };
    let mut meta = write.open_table(META)?;
    if !is_best {
        let number = finalized.number.encode();
        meta.insert(FINALIZED_KEY, number.as_slice())?;
    } else if meta.get(FINALIZED_KEY)?.is_some() {
        meta.remove(FINALIZED_KEY)?;
    }
    if !finalized.pruned.is_empty() {
        let mut side = write.open_table(SIDE)?;
        for hash in finalized.pruned {
            let hash = hash.as_fixed_bytes();
            let header = side
                .get(hash)?
                .and_then(|block| Header::decode(&mut block.value()).ok());
            if let Some(header) = header {
                let block = (header, None::<Vec<OpaqueExtrinsic>>).encode();
                side.insert(hash, block.as_slice())?;
            }
        }
    }
    Ok(())
}

/// The trie nodes of all blocks up to the one of the snapshot.
pub struct Nodes(redb::ReadOnlyTable<&'static [u8], &'static [u8]>);

impl TrieBackendStorage<BlakeTwo256> for Nodes {
    fn get(&self, key: &Hash, prefix: (&[u8], Option<u8>)) -> Result<Option<DBValue>, String> {
        let key = prefixed_key::<BlakeTwo256>(key, prefix);
        match self.0.get(key.as_slice()) {
            Ok(node) => Ok(node.map(|node| node.value().to_vec())),
            Err(error) => Err(error.to_string()),
        }
    }
}
