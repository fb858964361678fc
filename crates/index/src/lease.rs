//! The right to write: one host has it at a time.
//!
//! In PostgreSQL it is an advisory lock that the writing connection holds, so it is gone when the
//! connection is, and nothing can be written without it. Beside a SQLite file it is a lock on another
//! file, which the system releases when a program ends.

use connect4_client::FileLock;
use sqlx::{AnyConnection, Connection as _};

use crate::database::{Index, lock_of};
use crate::error::Error;
use crate::sql;
use crate::url::Url;

/// First half of the number of the advisory lock; the second one is that of the schema.
const LOCK: i64 = 40_404;

/// The connection that writes, with the right to it.
pub struct Lease {
    pub connection: AnyConnection,
    lock: Lock,
}

/// What keeps others from writing.
enum Lock {
    /// Nothing has to: nobody else has a database in memory.
    None,
    /// A lock on a file beside the database, while it is open.
    File { _lock: FileLock },
    /// An advisory lock, which the connection holds.
    Advisory,
}

impl Lease {
    /// Takes the right to write; none if another host has it.
    pub async fn take(index: &Index) -> Result<Option<Self>, Error> {
        match index.url() {
            Url::Sqlite(path) => {
                let Some(lock) = lock_of(path)? else {
                    return Ok(None);
                };
                Ok(Some(Self {
                    connection: index.connect().await?,
                    lock: Lock::File { _lock: lock },
                }))
            }
            Url::Memory(_) => Ok(Some(Self {
                connection: index.connect().await?,
                lock: Lock::None,
            })),
            Url::Postgres(_) => {
                let mut connection = index.connect().await?;
                // A host whose machine is gone is noticed after half a minute, not after hours.
                for setting in [
                    "SET tcp_keepalives_idle = 10",
                    "SET tcp_keepalives_interval = 5",
                    "SET tcp_keepalives_count = 4",
                    "SET idle_in_transaction_session_timeout = '60s'",
                ] {
                    sql::run(&mut connection, setting, vec![]).await?;
                }
                let query = format!(
                    "SELECT CASE WHEN pg_try_advisory_lock({LOCK}, hashtext(current_schema()))
                     THEN 1 ELSE 0 END AS has"
                );
                let rows = sql::rows(&mut connection, &query, vec![]).await?;
                let has = rows.first().map(|row| sql::small::<i64>(row, "has"));
                if has.transpose()? != Some(1) {
                    connection.close().await?;
                    return Ok(None);
                }
                Ok(Some(Self {
                    connection,
                    lock: Lock::Advisory,
                }))
            }
        }
    }

    /// Gives the right back. A lease that is only dropped gives it back once the server has noticed that
    /// the connection is gone.
    pub async fn release(mut self) -> Result<(), Error> {
        if matches!(self.lock, Lock::Advisory) {
            let query = format!(
                "SELECT CASE WHEN pg_advisory_unlock({LOCK}, hashtext(current_schema()))
                 THEN 1 ELSE 0 END AS had"
            );
            sql::rows(&mut self.connection, &query, vec![]).await?;
        }
        self.connection.close().await?;
        Ok(())
    }
}
