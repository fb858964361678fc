//! The connection to a node, made again whenever it is lost.
//!
//! All requests of the client and of subxt go through a [`Line`]. While the node does not answer, a
//! request waits for it as long as the client's [`Patience`] lasts. A request that only asks is sent
//! again if its answer was lost. One that submits a transaction is not: its sender has to find
//! out what became of it.

use std::future::Future;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::StreamExt as _;
use jsonrpsee::core::client::{
    Client as WsClient, ClientT as _, Error as WsError, Subscription, SubscriptionClientT as _,
    SubscriptionKind,
};
use jsonrpsee::core::traits::ToRpcParams;
use jsonrpsee::types::SubscriptionId;
use jsonrpsee::ws_client::{PingConfig, WsClientBuilder};
use serde_json::value::RawValue;
use subxt::ext::subxt_rpcs;
use subxt::ext::subxt_rpcs::client::{RawRpcFuture, RawRpcSubscription, RpcClientT};
use tokio::sync::{Semaphore, watch};
use tokio::time::Instant;

use crate::failure::innermost;

/// The pause after the first attempt that failed. Each next one is longer by a quarter.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
/// The longest pause between two attempts.
const LONGEST_PAUSE: Duration = Duration::from_secs(2);
/// How long an attempt may take, with the question which chain it is.
const ATTEMPT: Duration = Duration::from_secs(10);
/// A node that has not answered for so long is away, even if the first attempt is still under way.
const NOTICE: Duration = Duration::from_secs(2);
/// How often the node is asked whether it is still there, and how long it may be silent.
/// A machine that lost its network or power closes no connection, and neither does a node that hangs.
const PING: Duration = Duration::from_secs(4);
const PONG: Duration = Duration::from_secs(12);
/// How long a node that is there may take for a request.
const REQUEST: Duration = Duration::from_secs(60);
/// Largest request or answer, in bytes.
const MAX_SIZE: u32 = 50 * 1024 * 1024;
/// Number of a chain's first block, by whose hash chains are told apart.
const FIRST_BLOCK: &str = "[0]";

/// How long a request waits for a node that does not answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    /// So long from the time when the node was lost. A connection that can be made again at once
    /// counts as kept, even if this is zero.
    Limited(Duration),
    /// As long as it takes.
    Endless,
}

impl Default for Patience {
    /// Half a minute: nodes start again within seconds, and who has typed a command waits for it.
    fn default() -> Self {
        Self::Limited(Duration::from_secs(30))
    }
}

/// The way to a node. It is asked before each attempt to connect, as a chain may have moved.
pub trait Route: Send + Sync + 'static {
    /// URL of the node now, `ws://host:port` or `wss://host`.
    ///
    /// # Errors
    ///
    /// The reason if the node is nowhere.
    fn url(&self) -> impl Future<Output = Result<String, String>> + Send;
}

/// A node that is always at the same URL.
impl Route for String {
    async fn url(&self) -> Result<String, String> {
        Ok(self.clone())
    }
}

/// Why a request was given up before the node has answered.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Lost {
    #[error("it has not responded for {} s", .after.as_secs())]
    Silent { after: Duration },
    #[error("another chain is there now")]
    OtherChain,
    #[error("it was closed")]
    Closed,
}

impl From<Lost> for subxt_rpcs::Error {
    fn from(lost: Lost) -> Self {
        Self::Client(Box::new(lost))
    }
}

/// What is known of a node.
#[derive(Clone)]
enum State {
    /// It answers, or its connection was lost just now.
    There(Arc<Node>),
    /// It does not answer since then.
    Away { since: Instant, url: String },
    /// Another chain is in its place.
    OtherChain,
}

/// A connection that is there.
struct Node {
    client: WsClient,
    url: String,
    genesis: String,
}

/// The connection to a node, made again whenever it is lost. Clones share it. It is closed when the
/// last one is dropped.
#[derive(Clone)]
pub(crate) struct Line {
    state: watch::Receiver<State>,
    patience: Arc<Mutex<Patience>>,
}

impl Line {
    /// Connects to a node.
    ///
    /// # Errors
    ///
    /// The text of the system's or the node's error, if the first attempt fails.
    pub(crate) async fn open(route: impl Route) -> Result<Self, String> {
        let node = Arc::new(connect(&route).await?);
        let (told, state) = watch::channel(State::There(Arc::clone(&node)));
        tokio::spawn(keep(route, node, told));
        Ok(Self {
            state,
            patience: Arc::default(),
        })
    }

    /// Sets how long requests wait for the node from now on.
    pub(crate) fn set_patience(&self, patience: Patience) {
        if let Ok(mut now) = self.patience.lock() {
            *now = patience;
        }
    }

    /// What becomes of the node from now on.
    pub(crate) fn outages(&self) -> Outages {
        Outages {
            state: self.state.clone(),
            since: None,
        }
    }

    /// Waits until the node has been there for so long without a break.
    pub(crate) async fn present_for(&self, time: Duration) {
        let mut state = self.state.clone();
        loop {
            let there = matches!(*state.borrow_and_update(), State::There(_));
            tokio::select! {
                changed = state.changed() => if changed.is_err() {
                    return;
                },
                () = tokio::time::sleep(time), if there => return,
            }
        }
    }

    /// The node, once it is there.
    async fn node(&self) -> Result<Arc<Node>, Lost> {
        let mut state = self.state.clone();
        loop {
            let now = state.borrow_and_update().clone();
            let since = match now {
                State::There(node) => return Ok(node),
                State::OtherChain => return Err(Lost::OtherChain),
                State::Away { since, .. } => since,
            };
            let patience = self
                .patience
                .lock()
                .map_or_else(|poisoned| *poisoned.into_inner(), |patience| *patience);
            let over = async {
                match patience {
                    Patience::Limited(limit) => tokio::time::sleep_until(since + limit).await,
                    Patience::Endless => std::future::pending().await,
                }
            };
            tokio::select! {
                changed = state.changed() => changed.map_err(|_| Lost::Closed)?,
                () = over => return Err(Lost::Silent { after: since.elapsed() }),
            }
        }
    }

    /// Waits until it is known that a connection was lost.
    async fn noticed(&self, lost: &Arc<Node>) -> Result<(), Lost> {
        let mut state = self.state.clone();
        let is_other = |now: &State| !matches!(now, State::There(node) if Arc::ptr_eq(node, lost));
        match state.wait_for(is_other).await {
            Ok(_) => Ok(()),
            Err(_) => Err(Lost::Closed),
        }
    }

    async fn request(
        &self,
        method: &str,
        params: Option<Box<RawValue>>,
    ) -> Result<Box<RawValue>, subxt_rpcs::Error> {
        loop {
            let node = self.node().await?;
            match node.client.request(method, Params(params.clone())).await {
                Err(WsError::RestartNeeded(_)) if only_asks(method) => self.noticed(&node).await?,
                result => return result.map_err(of_request),
            }
        }
    }

    async fn subscribe(
        &self,
        method: &str,
        params: Option<Box<RawValue>>,
        unsubscribe: &str,
    ) -> Result<RawRpcSubscription, subxt_rpcs::Error> {
        loop {
            let node = self.node().await?;
            let params = Params(params.clone());
            let subscribed = node.client.subscribe(method, params, unsubscribe).await;
            match subscribed {
                Err(WsError::RestartNeeded(_)) if only_asks(method) => self.noticed(&node).await?,
                Err(error) => return Err(of_request(error)),
                Ok(subscription) => return Ok(followed(node, subscription)),
            }
        }
    }
}

impl RpcClientT for Line {
    fn request_raw<'a>(
        &'a self,
        method: &'a str,
        params: Option<Box<RawValue>>,
    ) -> RawRpcFuture<'a, Box<RawValue>> {
        Box::pin(self.request(method, params))
    }

    fn subscribe_raw<'a>(
        &'a self,
        sub: &'a str,
        params: Option<Box<RawValue>>,
        unsub: &'a str,
    ) -> RawRpcFuture<'a, RawRpcSubscription> {
        Box::pin(self.subscribe(sub, params, unsub))
    }
}

/// Whether a request changes nothing, so that it can be sent again if its answer was lost.
fn only_asks(method: &str) -> bool {
    !method.starts_with("author_submit")
}

/// A subscription, which says at its end that its connection was lost: subxt subscribes again then.
/// A node that stops ends its subscriptions before it closes its connections.
fn followed(node: Arc<Node>, subscription: Subscription<Box<RawValue>>) -> RawRpcSubscription {
    let id = match subscription.kind() {
        SubscriptionKind::Subscription(SubscriptionId::Str(id)) => Some(id.clone().into_owned()),
        SubscriptionKind::Subscription(SubscriptionId::Num(id)) => Some(id.to_string()),
        _ => None,
    };
    let items = subscription.map(|item| item.map_err(subxt_rpcs::Error::Deserialization));
    let end = futures_util::stream::once(async move {
        // A reader of the subscription keeps the connection open.
        drop(node);
        Err(disconnected("the subscription has ended"))
    });
    RawRpcSubscription {
        stream: Box::pin(items.chain(end)),
        id,
    }
}

fn disconnected(reason: impl std::fmt::Display) -> subxt_rpcs::Error {
    subxt_rpcs::Error::DisconnectedWillReconnect(reason.to_string())
}

fn of_request(error: WsError) -> subxt_rpcs::Error {
    match error {
        WsError::RestartNeeded(reason) => disconnected(reason),
        error => error.into(),
    }
}

/// Parameters that are JSON already.
#[derive(Debug)]
struct Params(Option<Box<RawValue>>);

impl ToRpcParams for Params {
    fn to_rpc_params(self) -> Result<Option<Box<RawValue>>, serde_json::Error> {
        Ok(self.0)
    }
}

/// Connects to the node and asks for its chain.
async fn connect(route: &impl Route) -> Result<Node, String> {
    let connecting = async {
        let url = route.url().await?;
        let ping = PingConfig::new().ping_interval(PING).inactive_limit(PONG);
        let client = WsClientBuilder::new()
            .max_request_size(MAX_SIZE)
            .max_response_size(MAX_SIZE)
            .max_buffer_capacity_per_subscription(Semaphore::MAX_PERMITS)
            .request_timeout(REQUEST)
            .enable_ws_ping(ping)
            .build(&url)
            .await
            .map_err(|error| innermost(&error))?;
        let first = RawValue::from_string(FIRST_BLOCK.into()).ok();
        let genesis: Box<RawValue> = client
            .request("chain_getBlockHash", Params(first))
            .await
            .map_err(|error| innermost(&error))?;
        Ok(Node {
            client,
            url,
            genesis: genesis.get().into(),
        })
    };
    tokio::time::timeout(ATTEMPT, connecting)
        .await
        .unwrap_or_else(|_| Err(format!("no response in {} seconds", ATTEMPT.as_secs())))
}

/// Keeps a node connected as long as anybody uses the line.
async fn keep(route: impl Route, first: Arc<Node>, told: watch::Sender<State>) {
    let genesis = first.genesis.clone();
    let mut node = first;
    loop {
        tokio::select! {
            () = told.closed() => return,
            () = node.client.on_disconnect() => {}
        }
        let since = Instant::now();
        let found = tokio::select! {
            () = told.closed() => return,
            found = find(&route, since, &told) => found,
        };
        if found.genesis != genesis {
            told.send_replace(State::OtherChain);
            return;
        }
        node = Arc::new(found);
        told.send_replace(State::There(Arc::clone(&node)));
    }
}

/// Connects to the node, as often as it takes. Tells once that it is away: not if it is only the
/// connection that was lost, as nodes close those that idle.
async fn find(route: &impl Route, since: Instant, told: &watch::Sender<State>) -> Node {
    let tell = || {
        told.send_if_modified(|state| {
            if let State::There(node) = state {
                let url = node.url.clone();
                *state = State::Away { since, url };
                return true;
            }
            false
        });
    };
    let mut pause = FIRST_PAUSE;
    loop {
        let attempt = connect(route);
        tokio::pin!(attempt);
        let result = tokio::select! {
            result = &mut attempt => result,
            () = tokio::time::sleep_until(since + NOTICE) => {
                tell();
                attempt.await
            }
        };
        if let Ok(node) = result {
            return node;
        }
        tell();
        tokio::time::sleep(pause).await;
        pause = (pause * 5 / 4).min(LONGEST_PAUSE);
    }
}

/// A subscription to whether a node answers, by [`Client::outages`](crate::Client::outages).
pub struct Outages {
    state: watch::Receiver<State>,
    /// Since when the node is away, if that was told.
    since: Option<Instant>,
}

/// News of a node that did not answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outage {
    /// The node does not answer. It is tried again and again.
    Began {
        /// URL of the node.
        url: String,
    },
    /// The node answers again.
    Ended {
        /// URL of the node, which may have changed.
        url: String,
        /// How long it was away.
        lasted: Duration,
    },
}

impl Outages {
    /// Waits until the node is away, or is there again. One that was away for a moment is not told.
    /// If the wait is given up, nothing is lost.
    pub async fn next(&mut self) -> Outage {
        loop {
            let now = self.state.borrow_and_update().clone();
            match (now, self.since) {
                (State::Away { since, url }, None) => {
                    self.since = Some(since);
                    return Outage::Began { url };
                }
                (State::There(node), Some(since)) => {
                    self.since = None;
                    return Outage::Ended {
                        url: node.url.clone(),
                        lasted: since.elapsed(),
                    };
                }
                _ => {}
            }
            if self.state.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }
}
