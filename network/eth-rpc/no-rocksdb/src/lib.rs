//! RocksDB as the SDK's client library sees it, without RocksDB: there is no value of [`Database`],
//! and [`Database::open`] says so.
//!
//! The items are those of kvdb-rocksdb 0.21 that sc-client-db 0.55 and sp-database 10 use.

use std::collections::HashMap;
use std::io;
use std::path::Path;

use kvdb::{DBKeyValue, DBTransaction, DBValue, KeyValueDB};

/// How a database would be opened.
#[derive(Default)]
pub struct DatabaseConfig {
    /// Whether it is made if it is not there.
    pub create_if_missing: bool,
    /// The memory for each column, in MiB.
    pub memory_budget: HashMap<u32, usize>,
}

impl DatabaseConfig {
    /// The usual values, whatever the number of columns.
    #[must_use]
    pub fn with_columns(_columns: u32) -> Self {
        Self::default()
    }
}

/// A database, of which there is none.
pub enum Database {}

impl Database {
    /// Opens nothing.
    ///
    /// # Errors
    ///
    /// Always.
    pub fn open<P: AsRef<Path>>(_: &DatabaseConfig, path: P) -> io::Result<Self> {
        let path = path.as_ref().display();
        Err(io::Error::new(
            io::ErrorKind::Unsupported,
            format!("{path}: this program is built without RocksDB"),
        ))
    }

    /// See [`KeyValueDB::transaction`].
    pub fn transaction(&self) -> DBTransaction {
        match *self {}
    }

    /// See [`KeyValueDB::write`].
    pub fn write(&self, _: DBTransaction) -> io::Result<()> {
        match *self {}
    }

    /// See [`KeyValueDB::get`].
    pub fn get(&self, _: u32, _: &[u8]) -> io::Result<Option<DBValue>> {
        match *self {}
    }

    /// See [`KeyValueDB::iter`].
    pub fn iter(&self, _: u32) -> impl Iterator<Item = io::Result<DBKeyValue>> + '_ {
        match *self {}
        #[expect(unreachable_code, reason = "it tells the type")]
        std::iter::empty()
    }

    pub fn add_column(&mut self) -> io::Result<()> {
        match *self {}
    }

    /// Frees the space of deleted values in a column.
    pub fn force_compact(&self, _: u32) -> io::Result<()> {
        match *self {}
    }
}

impl KeyValueDB for Database {
    fn get(&self, _: u32, _: &[u8]) -> io::Result<Option<DBValue>> {
        match *self {}
    }

    fn get_by_prefix(&self, _: u32, _: &[u8]) -> io::Result<Option<DBValue>> {
        match *self {}
    }

    fn write(&self, _: DBTransaction) -> io::Result<()> {
        match *self {}
    }

    fn iter<'a>(&'a self, _: u32) -> Box<dyn Iterator<Item = io::Result<DBKeyValue>> + 'a> {
        match *self {}
    }

    fn iter_with_prefix<'a>(
        &'a self,
        _: u32,
        _: &'a [u8],
    ) -> Box<dyn Iterator<Item = io::Result<DBKeyValue>> + 'a> {
        match *self {}
    }
}
