//! Why the index is of no use.

use connect4_client::H256;

/// Why the index could not be opened, filled or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    #[error(
        "the index is no database of a known kind ({0:?}): its URL has to begin with sqlite: or \
         postgres: (postgres://user@host/name)"
    )]
    Url(String),
    #[error(
        "this program was built without PostgreSQL: take one from a package, or build it with --features postgres"
    )]
    NoPostgres,
    #[error("the database's URL cannot be read: {0}")]
    BadUrl(String),
    /// Returned if the file of a SQLite database, or its folder, cannot be made or opened.
    #[error("the index at {path} cannot be opened: {reason}")]
    File { path: String, reason: String },
    #[error(
        "the database has an index of format {found}, this program's is {ours}: give this program a \
         database of its own, or delete that index (it is built again from the chain)"
    )]
    Format { found: String, ours: u32 },
    #[error(
        "the database has the index of another chain (its first block is {found}; that of this chain is {ours:?})"
    )]
    OtherChain { found: String, ours: H256 },
    #[error("the database has the index of other contracts: {found}; this host's are {ours}")]
    OtherContracts { found: String, ours: String },
    #[error("the database of the index is damaged: {0}")]
    Damaged(String),
    #[error("the database of the index is full: {0}")]
    Full(String),
    #[error("the database of the index cannot be reached: {0}")]
    Unreachable(String),
    #[error("the database of the index refused a statement: {0}")]
    Refused(String),
    /// Returned if a row is not what this program writes.
    #[error("the index has a row that cannot be read: {0}")]
    Row(String),
    #[error(transparent)]
    Chain(#[from] connect4_client::Error),
}

/// SQLite's result codes, of which the lower byte tells the kind.
mod sqlite {
    pub const CORRUPT: i64 = 11;
    pub const FULL: i64 = 13;
    pub const CANNOT_OPEN: i64 = 14;
    pub const IO: i64 = 10;
    pub const NOT_A_DATABASE: i64 = 26;
}

/// SQLSTATE classes of PostgreSQL.
mod postgres {
    pub const DISK_FULL: &str = "53100";
    pub const OPERATOR: &str = "57P";
    pub const CONNECTION: &str = "08";
    pub const DATA_CORRUPTED: &str = "XX001";
    pub const INDEX_CORRUPTED: &str = "XX002";
}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        use sqlx::Error as Sqlx;
        let text = error.to_string();
        match &error {
            Sqlx::Io(_)
            | Sqlx::Tls(_)
            | Sqlx::PoolTimedOut
            | Sqlx::PoolClosed
            | Sqlx::WorkerCrashed => Self::Unreachable(text),
            Sqlx::Configuration(_) => Self::BadUrl(text),
            Sqlx::ColumnDecode { .. } | Sqlx::Decode(_) | Sqlx::RowNotFound => Self::Row(text),
            Sqlx::Database(refusal) => match refusal.code() {
                Some(code) => Self::of_code(&code, text),
                None => Self::Refused(text),
            },
            _ => Self::Refused(text),
        }
    }
}

impl Error {
    /// The error for a code of SQLite or PostgreSQL. PostgreSQL's have five characters, SQLite's are
    /// numbers with fewer digits.
    fn of_code(code: &str, text: String) -> Self {
        if code.len() < 5
            && let Ok(number) = code.parse::<i64>()
        {
            return match number & 0xff {
                sqlite::CORRUPT | sqlite::NOT_A_DATABASE => Self::Damaged(text),
                sqlite::FULL => Self::Full(text),
                sqlite::CANNOT_OPEN | sqlite::IO => Self::Unreachable(text),
                _ => Self::Refused(text),
            };
        }
        if code == postgres::DISK_FULL {
            Self::Full(text)
        } else if [postgres::DATA_CORRUPTED, postgres::INDEX_CORRUPTED].contains(&code) {
            Self::Damaged(text)
        } else if code.starts_with(postgres::OPERATOR) || code.starts_with(postgres::CONNECTION) {
            Self::Unreachable(text)
        } else {
            Self::Refused(text)
        }
    }
}
