//! Where a database is.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::Error;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    Sqlite,
    Postgres,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Url {
    /// The file of a SQLite database.
    Sqlite(PathBuf),
    /// A PostgreSQL database by its URL.
    Postgres(String),
    /// A SQLite database in memory, by a name that no other one of this process has.
    Memory(String),
}

impl Url {
    /// Reads a URL: `sqlite:` and a path, or `postgres://…` as libpq takes it.
    ///
    /// # Errors
    ///
    /// [`Error::Url`] if it is neither, [`Error::NoPostgres`] if the crate's feature `postgres` is off.
    pub fn read(url: &str) -> Result<Self, Error> {
        if let Some(path) = url.strip_prefix("sqlite:") {
            let path = path.strip_prefix("//").unwrap_or(path);
            if !path.is_empty() && !path.starts_with(':') {
                return Ok(Self::Sqlite(path.into()));
            }
        }
        if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            return match cfg!(feature = "postgres") {
                true => Ok(Self::Postgres(url.into())),
                false => Err(Error::NoPostgres),
            };
        }
        Err(Error::Url(kind_of(url).into()))
    }

    /// A new database in memory.
    pub fn memory() -> Self {
        static MADE: AtomicU64 = AtomicU64::new(0);
        Self::Memory(format!("connect4-{}", MADE.fetch_add(1, Ordering::Relaxed)))
    }

    pub const fn backend(&self) -> Backend {
        match self {
            Self::Sqlite(_) | Self::Memory(_) => Backend::Sqlite,
            Self::Postgres(_) => Backend::Postgres,
        }
    }
}

/// The kind of a URL, which is shown and logged: the rest of it may have a password.
fn kind_of(url: &str) -> &str {
    url.split_once(':').map_or("", |(kind, _)| kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_names_a_file_or_a_server() {
        let read = |url| Url::read(url).map_err(|error| error.to_string());
        assert_eq!(read("sqlite:a/b.db"), Ok(Url::Sqlite("a/b.db".into())));
        assert_eq!(read("sqlite:///a/b.db"), Ok(Url::Sqlite("/a/b.db".into())));
        let server = "postgresql://me@host/name";
        assert_eq!(read(server), Ok(Url::Postgres(server.into())));
        for wrong in ["", "sqlite:", "sqlite::memory:", "mysql://host", "/a/b.db"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        let shown = read("mysql://me:secret@host/name").unwrap_err();
        assert!(!shown.contains("secret"), "{shown}");
    }
}
