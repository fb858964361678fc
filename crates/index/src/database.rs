//! Opening the database.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use connect4_client::{Address, FileLock, H256};
use sqlx::any::AnyPoolOptions;
use sqlx::pool::PoolConnection;
use sqlx::{Any, AnyConnection, AnyPool, Connection as _, Executor as _};
use tokio::sync::watch;

use crate::error::Error;
use crate::schema::{self, FORMAT};
use crate::sql::{self, Value};
use crate::status::Status;
use crate::subject::Subject;
use crate::url::{Backend, Url};

const READERS: u32 = 8;
/// How long a reader waits for a connection.
const PATIENCE: Duration = Duration::from_secs(5);
/// What a SQLite connection is set to: readers go on while something is written, and after a loss of
/// power the file is whole, without what was written last.
const PRAGMAS: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; \
                       PRAGMA busy_timeout = 5000; PRAGMA cache_size = -32000;";

/// Is told in words what a user should know, such as that a damaged file was renamed.
pub type Notice = Arc<dyn Fn(String) + Send + Sync>;

#[derive(Clone)]
pub struct Options {
    /// Is told what an operator should know: that a file was put aside, that the database cannot be
    /// reached.
    pub notice: Notice,
    /// Size to which a SQLite file may grow, in pages of 4,096 bytes. None: as far as the disk has
    /// room.
    pub most_pages: Option<u32>,
    /// Games that are looked at for a page of a history, at most: so a filter that few games fit costs no
    /// more in a long history than in a short one.
    pub looks_at: u32,
    /// The first block that is read. 0: from where the contracts begin.
    pub from: u32,
    /// Keys of the witnesses whose signed games are rated, when this program writes; none: those for which the database
    /// was written last, of a new one nobody's.
    pub witnesses: Option<BTreeSet<Address>>,
}

impl Default for Options {
    /// Nobody is told, the file may fill the disk, and a page is made of 5,000 games.
    fn default() -> Self {
        Self {
            notice: Arc::new(|_| {}),
            most_pages: None,
            looks_at: 5000,
            from: 0,
            witnesses: None,
        }
    }
}

/// An open index. Cheap to clone; clones share it.
#[derive(Clone)]
pub struct Index {
    shared: Arc<Shared>,
}

struct Shared {
    url: Url,
    subject: Subject,
    options: Options,
    pool: RwLock<AnyPool>,
    status: watch::Sender<Status>,
    /// As [`Options::witnesses`], which may change meanwhile.
    witnesses: RwLock<Option<BTreeSet<Address>>>,
    /// A database in memory lasts as long as it has a connection.
    _anchor: Mutex<Option<AnyConnection>>,
}

impl std::fmt::Debug for Index {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Index").finish_non_exhaustive()
    }
}

impl Index {
    /// Opens the index of some contracts, and makes it if it is not there. The URL is `sqlite:` and
    /// the path of a file, or that of a PostgreSQL database.
    ///
    /// A SQLite file that is damaged or of another format is renamed to `.unreadable`, and the index
    /// built anew. A PostgreSQL database has a schema for each format, chain and set of contracts, so that
    /// programs of several versions may share it.
    ///
    /// # Errors
    ///
    /// [`Error::Url`] and [`Error::BadUrl`], then [`Error::File`] and [`Error::Unreachable`], then
    /// [`Error::Format`], [`Error::OtherChain`] and [`Error::OtherContracts`].
    pub async fn open(url: &str, subject: Subject, options: Options) -> Result<Self, Error> {
        Self::open_at(Url::read(url)?, subject, options).await
    }

    /// Opens the index of some contracts in a folder, a SQLite file for each format, chain and set of
    /// contracts: programs of several versions share the folder.
    ///
    /// # Errors
    ///
    /// As [`Index::open`].
    pub async fn in_folder(
        folder: &Path,
        subject: Subject,
        options: Options,
    ) -> Result<Self, Error> {
        let file = folder.join(format!("index-{FORMAT}-{}.db", subject.id()));
        Self::open_at(Url::Sqlite(file), subject, options).await
    }

    /// An empty index in memory, which is gone when it is dropped.
    ///
    /// # Errors
    ///
    /// [`Error::Unreachable`] if there is no memory for it.
    pub async fn in_memory(subject: Subject, options: Options) -> Result<Self, Error> {
        Self::open_at(Url::memory(), subject, options).await
    }

    async fn open_at(url: Url, subject: Subject, options: Options) -> Result<Self, Error> {
        sqlx::any::install_default_drivers();
        let (pool, anchor) = match open_pool(&url, &subject, &options).await {
            Err(Error::Damaged(why)) => aside_and_open(&url, &subject, &options, &why).await?,
            Err(error @ Error::Format { .. }) if matches!(url, Url::Sqlite(_)) => {
                aside_and_open(&url, &subject, &options, &error.to_string()).await?
            }
            opened => opened?,
        };
        let witnesses = RwLock::new(options.witnesses.clone());
        Ok(Self {
            shared: Arc::new(Shared {
                url,
                witnesses,
                subject,
                options,
                pool: RwLock::new(pool),
                status: watch::channel(Status::default()).0,
                _anchor: Mutex::new(anchor),
            }),
        })
    }

    /// Checks that a URL names a database of a known kind, without opening it.
    ///
    /// # Errors
    ///
    /// [`Error::Url`] if it does not.
    pub fn check_url(url: &str) -> Result<(), Error> {
        Url::read(url).map(drop)
    }

    /// Puts a damaged file aside and opens a new one. Of PostgreSQL nothing is done: the error is
    /// returned.
    pub(crate) async fn put_aside(&self, why: &str) -> Result<(), Error> {
        let Shared {
            url,
            subject,
            options,
            ..
        } = &*self.shared;
        self.pool().close().await;
        self.set_pool(aside_and_open(url, subject, options, why).await?.0);
        Ok(())
    }

    /// Opens the database again: another program may have put a damaged file aside.
    pub(crate) async fn reopen(&self) -> Result<(), Error> {
        let Shared {
            url,
            subject,
            options,
            ..
        } = &*self.shared;
        let (pool, _) = open_pool(url, subject, options).await?;
        self.pool().close().await;
        self.set_pool(pool);
        Ok(())
    }

    fn pool(&self) -> AnyPool {
        let pool = self.shared.pool.read();
        pool.unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set_pool(&self, new: AnyPool) {
        let pool = self.shared.pool.write();
        *pool.unwrap_or_else(PoisonError::into_inner) = new;
    }

    pub(crate) async fn reader(&self) -> Result<PoolConnection<Any>, Error> {
        Ok(self.pool().acquire().await?)
    }

    /// A connection of one's own.
    pub(crate) async fn connect(&self) -> Result<AnyConnection, Error> {
        let Shared {
            url,
            options,
            subject,
            ..
        } = &*self.shared;
        let mut connection = AnyConnection::connect(&address(url)).await?;
        prepare(&mut connection, url.backend(), subject, options.most_pages).await?;
        Ok(connection)
    }

    pub(crate) fn url(&self) -> &Url {
        &self.shared.url
    }

    pub(crate) fn subject(&self) -> &Subject {
        &self.shared.subject
    }

    pub(crate) fn options(&self) -> &Options {
        &self.shared.options
    }

    pub(crate) fn notice(&self, text: String) {
        (self.options().notice)(text);
    }

    pub(crate) fn status_sender(&self) -> &watch::Sender<Status> {
        &self.shared.status
    }

    /// Sets whose signed games are rated once this program writes next, as [`Options::witnesses`].
    pub fn count_witnesses(&self, keys: BTreeSet<Address>) {
        let witnesses = self.shared.witnesses.write();
        *witnesses.unwrap_or_else(PoisonError::into_inner) = Some(keys);
    }

    pub(crate) fn wanted_witnesses(&self) -> Option<BTreeSet<Address>> {
        let witnesses = self.shared.witnesses.read();
        witnesses.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How far the index is, as it was when the chain was last asked.
    #[must_use]
    pub fn status(&self) -> Status {
        self.status_sender().borrow().clone()
    }

    #[must_use]
    pub fn watch(&self) -> watch::Receiver<Status> {
        self.status_sender().subscribe()
    }

    /// Closes the database. Reading it afterwards is refused.
    pub async fn close(&self) {
        self.pool().close().await;
    }
}

/// The URL as the library takes it.
fn address(url: &Url) -> String {
    match url {
        Url::Sqlite(path) => {
            let path = path.to_string_lossy();
            let path = path.replace('%', "%25").replace('?', "%3F");
            format!("sqlite://{}?mode=rwc", path.replace('#', "%23"))
        }
        Url::Postgres(url) => url.clone(),
        // Its connections share it by a name with this beginning.
        Url::Memory(name) => format!("sqlite:file:{name}?mode=memory"),
    }
}

async fn prepare(
    connection: &mut AnyConnection,
    backend: Backend,
    subject: &Subject,
    most_pages: Option<u32>,
) -> Result<(), Error> {
    connection.execute(&*settings(backend, subject)).await?;
    if backend == Backend::Sqlite
        && let Some(most) = most_pages
    {
        let pragma = format!("PRAGMA max_page_count = {most}");
        connection.execute(pragma.as_str()).await?;
    }
    Ok(())
}

/// What each connection is set to.
fn settings(backend: Backend, subject: &Subject) -> String {
    match backend {
        Backend::Sqlite => PRAGMAS.into(),
        Backend::Postgres => format!("SET search_path TO {}", schema_of(subject)),
    }
}

/// Name of the schema of PostgreSQL that has the tables.
fn schema_of(subject: &Subject) -> String {
    format!("connect4_{FORMAT}_{}", subject.id())
}

/// Opens a database that reads, and a connection to it if it lasts as long as that.
async fn open_pool(
    url: &Url,
    subject: &Subject,
    options: &Options,
) -> Result<(AnyPool, Option<AnyConnection>), Error> {
    let kind = url.backend();
    if let Url::Sqlite(path) = url
        && let Some(folder) = path.parent()
        && !folder.as_os_str().is_empty()
    {
        std::fs::create_dir_all(folder).map_err(|error| file_error(path, &error))?;
    }
    // The errors of a connection of its own tell more than those of a pool.
    let mut first = match AnyConnection::connect(&address(url)).await {
        Ok(first) => first,
        Err(error) => {
            return Err(match (Error::from(error), url) {
                (Error::Unreachable(reason), Url::Sqlite(path)) => Error::File {
                    path: path.display().to_string(),
                    reason,
                },
                (error, _) => error,
            });
        }
    };
    prepare(&mut first, kind, subject, options.most_pages).await?;
    check(&mut first, kind, subject).await?;
    let anchor = match url {
        Url::Memory(_) => Some(first),
        Url::Sqlite(_) | Url::Postgres(_) => {
            first.close().await?;
            None
        }
    };
    let settings: Arc<str> = settings(kind, subject).into();
    let pool = AnyPoolOptions::new()
        .max_connections(READERS)
        .acquire_timeout(PATIENCE)
        .after_connect(move |connection, _| {
            let settings = Arc::clone(&settings);
            Box::pin(async move {
                connection.execute(&*settings).await?;
                Ok(())
            })
        });
    Ok((pool.connect_lazy(&address(url))?, anchor))
}

fn file_error(path: &Path, error: &std::io::Error) -> Error {
    Error::File {
        path: path.display().to_string(),
        reason: error.to_string(),
    }
}

/// The right to write a SQLite file; none if another program has it.
pub fn lock_of(path: &Path) -> Result<Option<FileLock>, Error> {
    let path = path.with_extension("lock");
    FileLock::take(&path).map_err(|error| file_error(&path, &error))
}

/// Renames a SQLite file, and opens a new one.
async fn aside_and_open(
    url: &Url,
    subject: &Subject,
    options: &Options,
    why: &str,
) -> Result<(AnyPool, Option<AnyConnection>), Error> {
    let Url::Sqlite(path) = url else {
        return Err(Error::Damaged(why.into()));
    };
    // Not under a program that writes it.
    let Some(_lease) = lock_of(path)? else {
        return Err(Error::File {
            path: path.display().to_string(),
            reason: format!("another program writes it, and this one cannot read it ({why})"),
        });
    };
    let aside = path.with_extension("unreadable");
    std::fs::rename(path, &aside).map_err(|error| file_error(path, &error))?;
    for journal in ["-wal", "-shm"] {
        let mut name = path.clone().into_os_string();
        name.push(journal);
        match std::fs::remove_file(&name) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(file_error(Path::new(&name), &error));
            }
            _ => {}
        }
    }
    (options.notice)(format!(
        "the index could not be read ({why}): it was renamed to {} and is built anew",
        aside.display()
    ));
    open_pool(url, subject, options).await
}

/// Checks that the tables are those of this program and this chain; makes them if there are none.
async fn check(
    connection: &mut AnyConnection,
    backend: Backend,
    subject: &Subject,
) -> Result<(), Error> {
    if !has_tables(connection, backend).await? {
        match create(connection, backend, subject).await {
            // Another host made them meanwhile.
            Err(_) if has_tables(connection, backend).await? => {}
            made => made?,
        }
    }
    let format = meta(connection, "format").await?;
    let format = format.unwrap_or_else(|| "unknown".into());
    if format != FORMAT.to_string() {
        return Err(Error::Format {
            found: format,
            ours: FORMAT,
        });
    }
    let genesis = meta(connection, "genesis").await?.unwrap_or_default();
    if genesis != hash_text(subject.genesis()) {
        return Err(Error::OtherChain {
            found: genesis,
            ours: subject.genesis(),
        });
    }
    let contracts = meta(connection, "contracts").await?.unwrap_or_default();
    if contracts != subject.names() {
        return Err(Error::OtherContracts {
            found: contracts,
            ours: subject.names(),
        });
    }
    Ok(())
}

async fn has_tables(connection: &mut AnyConnection, backend: Backend) -> Result<bool, Error> {
    let query = match backend {
        Backend::Sqlite => "SELECT count(*) AS n FROM sqlite_master WHERE name = 'meta'",
        Backend::Postgres => {
            "SELECT count(*) AS n FROM pg_tables
             WHERE schemaname = current_schema() AND tablename = 'meta'"
        }
    };
    let rows = sql::rows(connection, query, vec![]).await?;
    let count = rows.first().map(|row| sql::number(row, "n"));
    Ok(count.transpose()?.unwrap_or(0) > 0)
}

async fn create(
    connection: &mut AnyConnection,
    backend: Backend,
    subject: &Subject,
) -> Result<(), Error> {
    let mut transaction = connection.begin().await?;
    if backend == Backend::Postgres {
        let statement = format!("CREATE SCHEMA IF NOT EXISTS {}", schema_of(subject));
        sql::run(&mut transaction, &statement, vec![]).await?;
    }
    for statement in schema::statements(backend) {
        sql::run(&mut transaction, &statement, vec![]).await?;
    }
    for (name, value) in [
        ("format", FORMAT.to_string()),
        ("genesis", hash_text(subject.genesis())),
        ("contracts", subject.names()),
    ] {
        let values = vec![Value::from(name), value.into()];
        sql::run(&mut transaction, "INSERT INTO meta VALUES ($1, $2)", values).await?;
    }
    transaction.commit().await?;
    Ok(())
}

async fn meta(connection: &mut AnyConnection, name: &str) -> Result<Option<String>, Error> {
    let query = "SELECT value FROM meta WHERE name = $1";
    let rows = sql::rows(connection, query, vec![name.into()]).await;
    match rows {
        Ok(rows) => rows.first().map(|row| sql::text(row, "value")).transpose(),
        // A table of that name that is not this program's.
        Err(Error::Refused(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

pub fn hash_text(hash: H256) -> String {
    format!("0x{}", hex::encode(hash))
}
