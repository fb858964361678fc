//! The log by which a relay is the witness of signed games.

use std::path::PathBuf;

use connect4_client::{Address, Client};
use connect4_index::Notice;
use connect4_protocol::signed;
use connect4_relay::Witness;

use crate::error::Error;
use crate::host::{Entry, LogFormat};
use crate::link::{Chain, Link};

/// Where the log of a witness is. It is opened once the chain has answered, as a witness signs for a chain.
#[derive(Clone, Debug)]
pub enum WitnessFolder {
    /// This folder, of a witness of one chain.
    Of(PathBuf),
    /// In this folder, one for each chain: its name has the number of the chain and the hash of its first block, both of
    /// which the log is bound to.
    In(PathBuf),
}

/// The log of a witness.
#[derive(Clone)]
pub struct WitnessLog {
    pub folder: WitnessFolder,
    /// Whether a server whose log cannot be used does not start. One that serves already goes on without a witness: it has
    /// visitors who need none.
    pub is_required: bool,
    /// Who is told that the log cannot be used.
    pub unusable: Notice,
}

/// What a witness begins with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witnessed {
    /// The key by which it signs.
    pub key: Address,
    /// Where a damaged log was put. Then the key is a new one.
    pub aside: Option<PathBuf>,
}

impl From<&Witness> for Witnessed {
    fn from(witness: &Witness) -> Self {
        Self {
            key: witness.key(),
            aside: witness.aside().map(Into::into),
        }
    }
}

impl WitnessFolder {
    /// The witness of signed games of the chain of this client.
    ///
    /// # Errors
    ///
    /// [`Error::Unnumbered`], [`Error::Witness`].
    pub(crate) fn open(&self, client: &Client) -> Result<Witness, Error> {
        let genesis = client.genesis();
        let id = client.chain_id().ok_or(Error::Unnumbered)?;
        let folder = match self {
            Self::Of(folder) => folder.clone(),
            Self::In(folder) => folder.join(format!("{id}-{genesis:?}")),
        };
        let genesis = genesis.0;
        let opened = Witness::open(&folder, signed::Chain { id, genesis });
        opened.map_err(|error| Error::Witness { folder, error })
    }
}

impl WitnessLog {
    /// The witness of signed games of the chain of this client; none if the log cannot be used, and somebody is told.
    ///
    /// # Errors
    ///
    /// As [`WitnessFolder::open`], if the log is required.
    pub(crate) fn open(&self, client: &Client) -> Result<Option<Witness>, Error> {
        match self.folder.open(client) {
            Err(error) if self.is_required => Err(error),
            opened => Ok(self.or_told(opened)),
        }
    }

    fn or_told(&self, opened: Result<Witness, Error>) -> Option<Witness> {
        opened
            .inspect_err(|error| (self.unusable)(format!("not a witness of signed games: {error}")))
            .ok()
    }

    /// The witness of signed games once the chain answers; none if the log cannot be used, and somebody is told.
    pub(crate) async fn open_later(self, chain: Chain) -> Option<Witness> {
        let mut links = chain.links();
        let is_up = |link: &Link| matches!(link, Link::Up { .. });
        let client = links
            .wait_for(is_up)
            .await
            .ok()
            .and_then(|link| match &*link {
                Link::Up { at, .. } => Some(at.connection.client.clone()),
                Link::Down { .. } => None,
            });
        let client = client?;
        // A long log takes a while.
        let opened = tokio::task::spawn_blocking(move || self.or_told(self.folder.open(&client)));
        opened.await.ok().flatten()
    }
}

/// Tells the operator of a host that it is a witness.
pub fn tell(witnessed: &Witnessed, log: Option<LogFormat>) {
    if let Some(log) = log {
        let Witnessed { key, aside } = witnessed;
        log.tell(&Entry::Witness {
            key: key.to_string(),
            aside: aside.clone(),
        });
    }
}
