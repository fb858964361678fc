//! The connection to the chain, and another one when it is lost.

use std::any::Any;
use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use connect4_client::{Archive, Client, Contracts, Error, GameId, Lookup, Patience, Signer, Task};
use connect4_protocol::message::ContractKind;
use connect4_wire::words::now;
use tokio::sync::watch;

use crate::pulse::Pulse;

/// How often the chain is asked for its newest block, to see whether it answers.
const PING: Duration = Duration::from_secs(2);
/// How long it may take to answer.
const PONG: Duration = Duration::from_secs(3);
/// How long to wait before the next attempt to connect.
const RETRY: Duration = Duration::from_millis(500);
/// The same at most, while a node takes connections and is of no use: each asks it for a lot.
const MOST_RETRY: Duration = Duration::from_secs(8);

/// Whether the chain answers.
#[derive(Clone)]
pub enum Link {
    /// It answers at this connection, and this is the number of its best block.
    Up { at: Arc<Connected>, block: u32 },
    /// It does not answer since so many seconds after 1970: for this reason, of which pages are told
    /// so much.
    Down {
        why: String,
        told: String,
        since: u64,
    },
}

/// Opens the chain again when the connection was lost.
pub trait Connect: Send + Sync + 'static {
    /// Opens a new connection.
    ///
    /// # Errors
    ///
    /// The reason, in words for the operator of the server.
    fn connect(&self) -> impl Future<Output = Result<Connection, String>> + Send;

    /// What pages are told when this is why the chain is away: a public host does not tell where its node
    /// is, and what it says.
    fn told(&self, why: &str) -> String {
        why.into()
    }
}

/// A connection to a chain, and the chain itself if it runs in this process.
pub struct Connection {
    pub(crate) client: Client,
    own: Mutex<Option<Box<dyn Any + Send>>>,
    /// The index of past events, once it is open.
    archive: Mutex<Option<Arc<dyn Archive>>>,
}

impl Connection {
    /// A connection to a chain that runs elsewhere. Its requests fail once the chain is away: pages
    /// are told so, and it is opened again, as it may be elsewhere then.
    #[must_use]
    pub fn to(client: Client) -> Self {
        client.set_patience(Patience::Limited(Duration::ZERO));
        Self {
            client,
            own: Mutex::new(None),
            archive: Mutex::new(None),
        }
    }

    /// The same connection to a chain that runs in this process until `own` is dropped.
    #[must_use]
    pub fn with_own(mut self, own: impl Any + Send) -> Self {
        self.own = Mutex::new(Some(Box::new(own)));
        self
    }

    /// Has games of the past looked up in an archive first.
    pub(crate) fn set_archive(&self, archive: Arc<dyn Archive>) {
        if let Ok(mut known) = self.archive.lock() {
            *known = Some(archive);
        }
    }

    fn archive(&self) -> Option<Arc<dyn Archive>> {
        self.archive.lock().ok()?.clone()
    }

    fn is_own(&self) -> bool {
        self.own.lock().is_ok_and(|own| own.is_some())
    }

    /// Closes a chain that runs in this process, even if tasks still hold the connection.
    pub(crate) fn close(&self) {
        if let Ok(mut own) = self.own.lock() {
            *own = None;
        }
    }
}

/// A connection to a chain, and the contracts there.
pub struct Connected {
    pub connection: Connection,
    contract: Found,
    variants: Found,
}

/// A contract that may be found or deployed later.
#[derive(Default)]
struct Found(Mutex<Option<Contracts>>);

impl Found {
    fn get(&self) -> Option<Contracts> {
        self.0.lock().ok().and_then(|found| found.clone())
    }

    fn set(&self, contract: Contracts) {
        if let Ok(mut found) = self.0.lock() {
            *found = Some(contract);
        }
    }

    /// Opens the contract if it is not known, and may be there. It is deployed for the first game,
    /// unless a certain contract is wanted. One that is known and not whole is opened again: what belongs to it is
    /// deployed after it.
    async fn look(
        &self,
        may_deploy: bool,
        is_whole: impl Fn(&Contracts) -> bool,
        open: impl Future<Output = Result<Contracts, Error>>,
    ) -> Result<(), Error> {
        let known = self.get();
        if known
            .as_ref()
            .is_some_and(|known| !may_deploy || is_whole(known))
        {
            return Ok(());
        }
        match open.await {
            Ok(contract) => self.set(contract),
            Err(Error::NoContract(_)) if may_deploy => {}
            // What is there goes on without what is not.
            Err(_) if known.is_some() => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }
}

impl Connected {
    fn new(connection: Connection) -> Arc<Self> {
        Arc::new(Self {
            connection,
            contract: Found::default(),
            variants: Found::default(),
        })
    }

    /// The contract of the games; none if it is not deployed yet.
    pub fn contract(&self) -> Option<Contracts> {
        self.with_archive(self.contract.get()?)
    }

    /// The contract of the variants; none if it is not deployed yet.
    pub fn variants(&self) -> Option<Contracts> {
        self.with_archive(self.variants.get()?)
    }

    /// The contracts that are deployed, to be used together; none if neither is yet.
    pub fn contracts(&self) -> Option<Contracts> {
        match (self.contract(), self.variants()) {
            (Some(contract), Some(variants)) => Some(contract.with_variants(&variants)),
            (contract, variants) => contract.or(variants),
        }
    }

    /// The contract of a game; none if it is not deployed yet.
    pub fn contract_of(&self, game: GameId) -> Option<Contracts> {
        match game {
            GameId::Variant(_) => self.variants(),
            GameId::Classic(_) => self.contract(),
        }
    }

    fn with_archive(&self, contract: Contracts) -> Option<Contracts> {
        Some(match self.connection.archive() {
            Some(archive) => contract.with_archive(archive),
            None => contract,
        })
    }

    pub fn set_contract(&self, contract: Contracts) {
        self.contract.set(contract);
    }

    pub fn set_variants(&self, variants: Contracts) {
        self.variants.set(variants);
    }

    /// Opens the contracts, and tells the number of the best block.
    async fn open(
        self: &Arc<Self>,
        lookup: &Lookup,
        signer: Option<&Signer>,
    ) -> Result<Link, Error> {
        self.look(lookup, signer).await?;
        let block = self.connection.client.height().await?;
        let at = Arc::clone(self);
        Ok(Link::Up { at, block })
    }

    /// Opens the contracts that were deployed meanwhile.
    async fn look(&self, lookup: &Lookup, signer: Option<&Signer>) -> Result<(), Error> {
        let client = &self.connection.client;
        let has_stakes = |known: &Contracts| {
            lookup.code.stakes.is_none() || known.address_of(ContractKind::Stakes).is_some()
        };
        self.contract
            .look(lookup.may_deploy(), has_stakes, lookup.open(client, signer))
            .await?;
        self.variants
            .look(
                lookup.may_deploy_variants(),
                |_| true,
                lookup.open_variants(client, signer),
            )
            .await
    }
}

/// Handle to the chain, which may be unreachable.
#[derive(Clone)]
pub struct Chain {
    links: watch::Receiver<Link>,
    pulse: Arc<Pulse>,
    place: Arc<str>,
}

impl Chain {
    /// Follows the chain from now on: at this connection, or at one that is opened once the chain
    /// answers, and at new ones when it is lost.
    ///
    /// # Errors
    ///
    /// Why the first connection is of no use, unless `waits`: then another one is opened later.
    pub async fn follow(
        connection: Option<Connection>,
        connect: impl Connect,
        place: String,
        lookup: Lookup,
        signer: Option<Signer>,
        waits: bool,
    ) -> Result<Self, Error> {
        let mut first = connection.map(Connected::new);
        let down = |why: String| Link::Down {
            told: connect.told(&why),
            why,
            since: now(),
        };
        let link = match &first {
            Some(there) => match there.open(&lookup, signer.as_ref()).await {
                Ok(link) => link,
                Err(error) if waits => {
                    first = None;
                    down(lost(&error))
                }
                Err(error) => return Err(error),
            },
            None => down("it has not answered yet".into()),
        };
        let (told, links) = watch::channel(link);
        let pulse = Arc::new(Pulse::default());
        let supervisor = Supervisor {
            connect,
            lookup,
            signer,
            told,
            pulse: Arc::clone(&pulse),
        };
        tokio::spawn(supervisor.run(first));
        Ok(Self {
            links,
            pulse,
            place: place.into(),
        })
    }

    /// When it has answered.
    pub fn pulse(&self) -> &Pulse {
        &self.pulse
    }

    /// Where it is, in words.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// What tells the contract of a game on this chain from others; none if it is not there.
    pub fn id(&self, game: GameId) -> Option<String> {
        let at = self.connected().ok()?;
        let contract = at.contract_of(game)?.address();
        let genesis = at.connection.client.genesis();
        Some(format!("{genesis:?}/{contract}"))
    }

    /// What becomes of the connection.
    pub fn links(&self) -> watch::Receiver<Link> {
        self.links.clone()
    }

    /// The connection, or what pages are told of why there is none.
    pub fn connected(&self) -> Result<Arc<Connected>, String> {
        match &*self.links.borrow() {
            Link::Up { at, .. } => Ok(Arc::clone(at)),
            Link::Down { told, .. } => Err(told.clone()),
        }
    }

    /// Does some work; none if the chain goes away meanwhile.
    pub async fn unless_gone<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        let mut links = self.links();
        let gone = links.wait_for(|link| matches!(link, Link::Down { .. }));
        tokio::select! {
            done = work => Some(done),
            _ = gone => None,
        }
    }
}

/// Closes the chain when the program is told to stop: the tasks that hold it may outlive that.
pub struct Closing(pub Chain);

impl Drop for Closing {
    fn drop(&mut self) {
        if let Ok(at) = self.0.connected() {
            at.connection.close();
        }
    }
}

/// How a connection was lost, in a few words.
fn lost(error: &Error) -> String {
    match error {
        Error::Gone { .. } => "the connection to its node was lost".into(),
        Error::Timeout { after, .. } => format!("it did not answer for {} s", after.as_secs()),
        error => error.to_string(),
    }
}

/// Keeps the chain connected, and tells whether it is.
struct Supervisor<C> {
    connect: C,
    lookup: Lookup,
    signer: Option<Signer>,
    told: watch::Sender<Link>,
    pulse: Arc<Pulse>,
}

impl<C: Connect> Supervisor<C> {
    /// Runs as long as anybody holds the chain.
    async fn run(self, first: Option<Arc<Connected>>) {
        let mut connected = first;
        let mut pause = RETRY;
        while !self.told.is_closed() {
            let opened = match connected.take() {
                Some(connected) => Ok(connected),
                None => self.connect.connect().await.map(Connected::new),
            };
            let why = match opened {
                Ok(there) => {
                    let Err(error) = self.follow(&there).await;
                    let why = lost(&error);
                    let was_up = matches!(&*self.told.borrow(), Link::Up { .. });
                    pause = if was_up {
                        RETRY
                    } else {
                        MOST_RETRY.min(pause * 2)
                    };
                    // A chain in this process cannot be away, only slow.
                    connected = there.connection.is_own().then_some(there);
                    why
                }
                Err(why) => {
                    pause = RETRY;
                    why
                }
            };
            self.tell_away(why);
            tokio::time::sleep(pause).await;
        }
    }

    /// Tells that the chain is away, once: again only if the reason is another one.
    fn tell_away(&self, why: String) {
        self.told.send_if_modified(|link| {
            let since = match link {
                Link::Down { why: before, .. } if *before == why => return false,
                Link::Down { since, .. } => *since,
                Link::Up { .. } => {
                    self.pulse.lost();
                    now()
                }
            };
            *link = Link::Down {
                told: self.connect.told(&why),
                why,
                since,
            };
            true
        });
    }

    /// Tells the number of each new block until the connection is lost.
    async fn follow(&self, there: &Arc<Connected>) -> Result<Infallible, Error> {
        let client = &there.connection.client;
        let mut heads = client.heads().await?;
        let mut ping = tokio::time::interval(PING);
        ping.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                block = heads.next() => {
                    let block = block?;
                    there.look(&self.lookup, self.signer.as_ref()).await?;
                    self.told.send_replace(Link::Up { at: Arc::clone(there), block });
                }
                _ = ping.tick() => {
                    let asked = tokio::time::timeout(PONG, client.height());
                    let began = Instant::now();
                    asked.await.map_err(|_| Error::Timeout {
                        task: Task::ReadHeight,
                        after: PONG,
                    })??;
                    self.pulse.answered(began);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Nowhere;

    impl Connect for Nowhere {
        async fn connect(&self) -> Result<Connection, String> {
            Err("nobody is there".into())
        }
    }

    #[test]
    fn a_chain_that_stays_away_is_told_once_for_each_reason() {
        let first = Link::Down {
            why: "it was lost".into(),
            told: "it was lost".into(),
            since: 7,
        };
        let (told, mut links) = watch::channel(first);
        let supervisor = Supervisor {
            connect: Nowhere,
            lookup: Lookup {
                code: connect4_client::Code {
                    games: &[],
                    variants: &[],
                    signed_records: None,
                    stakes: None,
                },
                contract: None,
                variants: None,
                deployer: None,
            },
            signer: None,
            told,
            pulse: Arc::default(),
        };
        supervisor.tell_away("it was lost".into());
        assert!(!links.has_changed().unwrap());
        supervisor.tell_away("nobody is there".into());
        assert!(links.has_changed().unwrap());
        let now = links.borrow_and_update().clone();
        assert!(
            matches!(&now, Link::Down { why, since: 7, .. } if why == "nobody is there"),
            "since the first"
        );
        supervisor.tell_away("nobody is there".into());
        assert!(!links.has_changed().unwrap());
    }
}
