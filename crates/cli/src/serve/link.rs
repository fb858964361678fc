//! The connection to the chain, and to it again when it was away.

use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use connect4_client::{Contract, Error, Signer};
use tokio::sync::watch;

use crate::args::Global;
use crate::failure::Failure;
use crate::session::{Place, Session};

/// How often the chain is asked whether it is there, and how long it may take to answer.
const PING: Duration = Duration::from_secs(2);
const PONG: Duration = Duration::from_secs(3);
/// How long to wait before the next attempt to reach it.
const RETRY: Duration = Duration::from_millis(500);

/// Whether the chain is there.
#[derive(Clone)]
pub enum Link {
    /// It is, and this is its best block.
    Up { at: Arc<Connected>, block: u32 },
    /// It is not.
    Down { why: String },
}

/// A connection to a chain.
pub struct Connected {
    pub session: Session,
    contract: Mutex<Option<Contract>>,
}

impl Connected {
    fn new(session: Session) -> Arc<Self> {
        Arc::new(Self {
            session,
            contract: Mutex::default(),
        })
    }

    /// The contract; none if it is not deployed yet.
    pub fn contract(&self) -> Option<Contract> {
        self.contract.lock().ok().and_then(|found| found.clone())
    }

    /// From now on this is the contract.
    pub fn set_contract(&self, contract: &Contract) {
        if let Ok(mut found) = self.contract.lock() {
            *found = Some(contract.clone());
        }
    }

    /// Looks whether the contract is there by now.
    async fn look(&self, global: &Global, signer: Option<&Signer>) -> Result<(), Error> {
        if self.contract().is_some() {
            return Ok(());
        }
        match self.session.contract(global, signer).await {
            Ok(contract) => self.set_contract(&contract),
            // Who starts the first game deploys it, unless they want a certain one.
            Err(Error::NoContract(_)) if global.contract.is_none() => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }
}

/// The chain, wherever it is and whether or not.
#[derive(Clone)]
pub struct Chain {
    links: watch::Receiver<Link>,
    place: Arc<str>,
}

impl Chain {
    /// Follows the chain from now on, on this connection and on others when it is lost.
    pub async fn follow(
        global: &Global,
        memory: bool,
        session: Session,
        signer: Option<&Signer>,
    ) -> Result<Self, Failure> {
        let place = session.whereabouts();
        let first = Connected::new(session);
        first.look(global, signer).await?;
        let block = first.session.client.height().await?;
        let (told, links) = watch::channel(Link::Up {
            at: Arc::clone(&first),
            block,
        });
        let supervisor = Supervisor {
            global: super::quiet(global),
            memory,
            signer: signer.cloned(),
            told,
        };
        tokio::spawn(supervisor.run(first));
        Ok(Self {
            links,
            place: place.into(),
        })
    }

    /// Where it is, in words.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// What tells the contract on this chain from others; none if it is not there.
    pub fn id(&self) -> Option<String> {
        let at = self.connected().ok()?;
        let contract = at.contract()?;
        let genesis = at.session.client.genesis();
        Some(format!("{genesis:?}/{}", contract.address()))
    }

    /// What becomes of the connection.
    pub fn links(&self) -> watch::Receiver<Link> {
        self.links.clone()
    }

    /// The connection, or why there is none.
    pub fn connected(&self) -> Result<Arc<Connected>, String> {
        match &*self.links.borrow() {
            Link::Up { at, .. } => Ok(Arc::clone(at)),
            Link::Down { why } => Err(why.clone()),
        }
    }

    /// Does something unless the chain goes away meanwhile.
    pub async fn unless_gone<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        let mut links = self.links();
        let gone = links.wait_for(|link| matches!(link, Link::Down { .. }));
        tokio::select! {
            done = work => Some(done),
            _ = gone => None,
        }
    }
}

/// How a connection was lost, in a few words.
fn lost(error: &Error) -> String {
    match error {
        Error::Gone { url, .. } => format!("the connection to {url} was lost"),
        Error::Timeout { after, .. } => format!("it did not answer for {} s", after.as_secs()),
        error => error.to_string(),
    }
}

struct Supervisor {
    global: Global,
    memory: bool,
    signer: Option<Signer>,
    told: watch::Sender<Link>,
}

impl Supervisor {
    /// Goes on as long as anybody listens.
    async fn run(self, first: Arc<Connected>) {
        let mut connected = Some(first);
        while !self.told.is_closed() {
            let opened = match connected.take() {
                Some(connected) => Ok(connected),
                None => Session::open(&self.global, self.memory)
                    .await
                    .map(Connected::new),
            };
            let why = match opened {
                Ok(there) => {
                    let Err(error) = self.follow(&there).await;
                    let why = lost(&error);
                    // A chain in this process is not away: at most it was slow.
                    connected = there.session.is_own().then_some(there);
                    why
                }
                Err(failure) => self.unreached(&failure),
            };
            self.told.send_replace(Link::Down { why });
            tokio::time::sleep(RETRY).await;
        }
    }

    /// Why it could not be reached, for who looks at a page and not at a terminal.
    fn unreached(&self, failure: &Failure) -> String {
        match Place::of(&self.global, self.memory) {
            Ok(Place::Url(url)) => {
                let reason = failure.to_string();
                let reason = reason.split(". ").next().unwrap_or_default();
                // Each layer of the connection says what it was doing; the last one, what was wrong.
                let reason = reason.rsplit(": ").next().unwrap_or_default();
                format!("nothing answers at {url}: {reason}; see that its node runs")
            }
            _ => failure.to_string(),
        }
    }

    /// Tells of its blocks until it is gone.
    async fn follow(&self, there: &Arc<Connected>) -> Result<Infallible, Error> {
        let client = &there.session.client;
        let mut heads = client.heads().await?;
        let mut ping = tokio::time::interval(PING);
        ping.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                block = heads.next() => {
                    let block = block?;
                    there.look(&self.global, self.signer.as_ref()).await?;
                    self.told.send_replace(Link::Up { at: Arc::clone(there), block });
                }
                _ = ping.tick() => {
                    let asked = tokio::time::timeout(PONG, client.height());
                    asked.await.map_err(|_| Error::Timeout {
                        what: "asking for the newest block".into(),
                        after: PONG,
                    })??;
                }
            }
        }
    }
}
