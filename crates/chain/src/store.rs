//! The store: blocks and states on disk, in one crash-safe file.
//!
//! Every block's state is kept, as trie nodes are added and never removed. So a game can be
//! replayed from the events of its blocks at any time. A block is stored by one write transaction,
//! which is on disk when it returns: a block that was announced survives a `kill -9`.

use std::path::{Path, PathBuf};

use codec::{Decode, Encode};
use redb::{Database, ReadableDatabase, ReadableTable, TableDefinition};
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

/// Block number to SCALE-encoded block.
const BLOCKS: TableDefinition<u32, &[u8]> = TableDefinition::new("blocks");
/// Block hash to block number.
const NUMBERS: TableDefinition<&[u8; 32], u32> = TableDefinition::new("numbers");
/// Prefixed hash of a trie node to the node.
const NODES: TableDefinition<&[u8], &[u8]> = TableDefinition::new("nodes");
/// [`FORMAT_KEY`] to [`FORMAT`], SCALE-encoded.
const META: TableDefinition<&str, &[u8]> = TableDefinition::new("meta");

/// The version of the tables' layout. A file with another is refused.
const FORMAT: u32 = 1;
const FORMAT_KEY: &str = "format";
/// The database's file in the chain's folder.
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
    /// The block's header.
    pub header: Header,
    /// The SCALE-encoded transactions. The first one, unsigned, sets the block's time.
    pub extrinsics: Vec<OpaqueExtrinsic>,
}

/// The open store.
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

    /// Adds a block and the trie nodes that it made. They are on disk when this returns.
    pub fn append(
        &self,
        hash: Hash,
        block: &StoredBlock,
        mut nodes: BackendTransaction<BlakeTwo256>,
    ) -> Result<(), StoreError> {
        let write = self.db.begin_write()?;
        {
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

    /// A snapshot of the trie nodes.
    pub fn nodes(&self) -> Result<Nodes, StoreError> {
        Ok(Nodes(self.db.begin_read()?.open_table(NODES)?))
    }
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
