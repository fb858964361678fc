//! The index, filled while the page is served.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use connect4_client::{Contracts, Lookup};
use connect4_index::{Follower, Index, Notice, Options, Subject};
use tokio::sync::watch;
use tokio::task::AbortHandle;

use crate::link::{Chain, Connected, Link};

/// How long it takes until an index that could not be opened is tried again.
const AGAIN: Duration = Duration::from_secs(10);

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IndexPlace {
    /// In a file in this folder, one for each format, each chain and each set of contracts.
    Folder(PathBuf),
    /// In this database: `sqlite:` and the path of a file, or the URL of a PostgreSQL database.
    Url(String),
}

impl IndexPlace {
    /// A database by its URL.
    ///
    /// # Errors
    ///
    /// If the URL names no database of a known kind.
    pub fn at(url: &str) -> Result<Self, connect4_index::Error> {
        Index::check_url(url)?;
        Ok(Self::Url(url.into()))
    }
}

/// The task that opens the index once there is a contract, and fills it. It ends when this is dropped.
pub struct Indexing {
    opened: watch::Receiver<Option<Index>>,
    task: AbortHandle,
}

impl Indexing {
    pub async fn of(chain: &Chain, lookup: Lookup, place: IndexPlace, notice: Notice) -> Self {
        let links = chain.links();
        let link = links.borrow().clone();
        let (told, opened) = watch::channel(without_games(&link).await);
        let running = Running {
            lookup,
            place,
            notice,
            told,
        };
        let task = tokio::spawn(running.run(links)).abort_handle();
        Self { opened, task }
    }

    /// The index, which may not be open yet.
    pub fn index(&self) -> Option<Index> {
        self.opened.borrow().clone()
    }
}

impl Drop for Indexing {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// An empty index of a chain that has no contract yet, and so no games; none of any other.
async fn without_games(link: &Link) -> Option<Index> {
    match link {
        Link::Up { at, .. } if at.contract().is_none() && at.variants().is_none() => {
            let subject = Subject::of(&at.connection.client, None, None);
            Index::in_memory(subject, Options::default()).await.ok()
        }
        Link::Up { .. } | Link::Down { .. } => None,
    }
}

struct Running {
    lookup: Lookup,
    place: IndexPlace,
    notice: Notice,
    told: watch::Sender<Option<Index>>,
}

impl Running {
    async fn run(self, mut links: watch::Receiver<Link>) {
        // The connection by which the index is filled now, and whether it has the games of two.
        let mut filled: Option<(Arc<Connected>, bool, Follower)> = None;
        // Said once, however often it is tried.
        let mut said = String::new();
        loop {
            let link = links.borrow_and_update().clone();
            if self.told.borrow().is_none()
                && let Some(empty) = without_games(&link).await
            {
                self.told.send_replace(Some(empty));
            }
            if let Link::Up { at, .. } = link {
                let contract = at.contract();
                let is_filled = filled.as_ref().is_some_and(|(by, of_two, _)| {
                    Arc::ptr_eq(by, &at) && *of_two == contract.is_some()
                });
                if !is_filled && (contract.is_some() || at.variants().is_some()) {
                    // One writes at a time: the one before has to end first.
                    drop(filled.take());
                    match self.open(&at, contract.as_ref()).await {
                        Ok(index) => {
                            let follower = index.follow();
                            at.connection.set_archive(Arc::new(index.clone()));
                            self.told.send_replace(Some(index));
                            filled = Some((at, contract.is_some(), follower));
                        }
                        Err(error) => {
                            let text = format!("there is no index: {error}");
                            if text != said {
                                (self.notice)(text.clone());
                                said = text;
                            }
                            tokio::time::sleep(AGAIN).await;
                            continue;
                        }
                    }
                }
            }
            if links.changed().await.is_err() {
                return;
            }
        }
    }

    async fn open(
        &self,
        at: &Connected,
        contract: Option<&Contracts>,
    ) -> Result<Index, connect4_index::Error> {
        let client = &at.connection.client;
        let variants = at.variants().map(|variants| variants.address());
        let variants = variants.or_else(|| self.lookup.variants_place());
        let subject = Subject::of(client, contract, variants);
        let options = Options {
            notice: Arc::clone(&self.notice),
            ..Options::default()
        };
        match &self.place {
            IndexPlace::Folder(folder) => Index::in_folder(folder, subject, options).await,
            IndexPlace::Url(url) => Index::open(url, subject, options).await,
        }
    }
}
