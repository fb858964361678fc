//! Blocks and state on disk, in one crash-safe file.
//!
//! Every block's state is kept: trie nodes are added and never removed, so that a game can be
//! watched again from the events of its first block. One write transaction a block, on disk when
//! it returns: what was acknowledged survives a `kill -9`.

use std::path::{Path, PathBuf};

use codec::{Decode, Encode};
use redb::{Database, ReadableDatabase, ReadableTable, TableDefinition};
use sp_runtime::OpaqueExtrinsic;
use sp_state_machine::{BackendTransaction, DBValue, TrieBackendStorage};
use sp_trie::prefixed_key;

use crate::runtime::{BlockNumber, Hash, Header};
use sp_runtime::traits::{BlakeTwo256, Header as _};

const BLOCKS: TableDefinition<u32, &[u8]> = TableDefinition::new("blocks");
const NUMBERS: TableDefinition<&[u8; 32], u32> = TableDefinition::new("numbers");
const NODES: TableDefinition<&[u8], &[u8]> = TableDefinition::new("nodes");
const META: TableDefinition<&str, &[u8]> = TableDefinition::new("meta");

/// How the tables are laid out. A file of another format is refused.
const FORMAT: u32 = 1;
const FORMAT_KEY: &str = "format";
/// The database's file in the chain's folder.
const FILE: &str = "chain.redb";
/// Pages kept in memory, in bytes. The trie cache stands before it.
const CACHE_BYTES: usize = 64 << 20;

/// Where a chain is kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Storage {
    /// In memory: gone when the chain is closed.
    #[default]
    Temporary,
    /// In this folder, made if it is missing.
    Folder(PathBuf),
}

/// Why a chain could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another chain has the folder open.
    #[error(
        "the chain in {} is in use by another process: reach that one with --url, name another \
         folder, or stop it first", .0.display()
    )]
    InUse(PathBuf),
    /// The folder can't be made or its file can't be opened.
    #[error("the chain's folder {} cannot be opened: {}; check that it may be written", .0.display(), .1)]
    Folder(PathBuf, String),
    /// The file is not one of this chain's, or of another version.
    #[error(
        "{} is not a chain that this version can read ({}): name another folder, or move it away",
        .0.display(), .1
    )]
    Format(PathBuf, String),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The store failed: the disk is full, or the file is damaged.
#[derive(Debug, thiserror::Error)]
#[error("the chain's store failed: {0}")]
pub struct StoreError(String);

impl StoreError {
    pub(crate) fn other(error: impl std::fmt::Display) -> Self {
        Self(error.to_string())
    }
}

impl<E: Into<redb::Error>> From<E> for StoreError {
    fn from(error: E) -> Self {
        Self(error.into().to_string())
    }
}

/// A block as it is stored. SCALE: header, then extrinsics.
#[derive(Clone, Debug, Encode, Decode)]
pub struct StoredBlock {
    /// The header.
    pub header: Header,
    /// The transactions, the inherent first.
    pub extrinsics: Vec<OpaqueExtrinsic>,
}

/// The open store.
pub struct Store {
    db: Database,
}

impl Store {
    /// Opens or makes the store.
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
                std::fs::create_dir_all(folder)
                    .map_err(|error| OpenError::Folder(folder.clone(), error.to_string()))?;
                let path = folder.join(FILE);
                let db = builder.create(&path).map_err(|error| match error {
                    redb::DatabaseError::DatabaseAlreadyOpen => OpenError::InUse(folder.clone()),
                    redb::DatabaseError::UpgradeRequired(version) => {
                        OpenError::Format(path.clone(), format!("file format {version}"))
                    }
                    redb::DatabaseError::Storage(redb::StorageError::Corrupted(why)) => {
                        OpenError::Format(path.clone(), why)
                    }
                    redb::DatabaseError::Storage(redb::StorageError::Io(error))
                        if error.kind() == std::io::ErrorKind::InvalidData =>
                    {
                        OpenError::Format(path.clone(), error.to_string())
                    }
                    other => OpenError::Folder(folder.clone(), other.to_string()),
                })?;
                (db, path)
            }
        };
        let write = db.begin_write().map_err(StoreError::from)?;
        {
            write.open_table(BLOCKS).map_err(StoreError::from)?;
            write.open_table(NUMBERS).map_err(StoreError::from)?;
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
                    return Err(OpenError::Format(path, format!("chain format {found}")));
                }
            }
        }
        write.commit().map_err(StoreError::from)?;
        Ok(Self { db })
    }

    /// The last block and its number, if there is any.
    pub fn last(&self) -> Result<Option<StoredBlock>, StoreError> {
        let blocks = self.db.begin_read()?.open_table(BLOCKS)?;
        Ok(blocks
            .last()?
            .and_then(|(_, block)| StoredBlock::decode(&mut block.value()).ok()))
    }

    /// The block of this number.
    pub fn block(&self, number: BlockNumber) -> Result<Option<StoredBlock>, StoreError> {
        let blocks = self.db.begin_read()?.open_table(BLOCKS)?;
        Ok(blocks
            .get(number)?
            .and_then(|block| StoredBlock::decode(&mut block.value()).ok()))
    }

    /// The header of the block of this number; its transactions are not read.
    pub fn header(&self, number: BlockNumber) -> Result<Option<Header>, StoreError> {
        let blocks = self.db.begin_read()?.open_table(BLOCKS)?;
        Ok(blocks
            .get(number)?
            .and_then(|block| Header::decode(&mut block.value()).ok()))
    }

    /// The number of the block of this hash.
    pub fn number(&self, hash: &Hash) -> Result<Option<BlockNumber>, StoreError> {
        let numbers = self.db.begin_read()?.open_table(NUMBERS)?;
        Ok(numbers
            .get(hash.as_fixed_bytes())?
            .map(|number| number.value()))
    }

    /// Adds a block and the trie nodes it made; on disk when this returns.
    pub fn append(
        &self,
        hash: Hash,
        block: &StoredBlock,
        mut nodes: BackendTransaction<BlakeTwo256>,
    ) -> Result<(), StoreError> {
        let write = self.db.begin_write()?;
        {
            let mut table = write.open_table(NODES)?;
            // In the order of their keys: neighbours share pages.
            let mut added: Vec<_> = nodes
                .drain()
                .into_iter()
                .filter(|(_, (_, count))| *count > 0)
                .collect();
            added.sort_unstable_by(|a, b| a.0.cmp(&b.0));
            for (key, (node, _)) in added {
                table.insert(key.as_slice(), node.as_slice())?;
            }
            let number = *block.header.number();
            write
                .open_table(BLOCKS)?
                .insert(number, block.encode().as_slice())?;
            write
                .open_table(NUMBERS)?
                .insert(hash.as_fixed_bytes(), number)?;
        }
        write.commit()?;
        Ok(())
    }

    /// A view of the trie nodes as they are now.
    pub fn nodes(&self) -> Result<Nodes, StoreError> {
        Ok(Nodes(self.db.begin_read()?.open_table(NODES)?))
    }
}

/// The trie nodes of every block so far.
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
