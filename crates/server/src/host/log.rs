//! What the operator of a host is told as it happens: a line a thing, on standard error.
//!
//! The entries are a closed list, so that nothing else gets into a log: no account, no address of a
//! visitor, no content of a request.

use std::collections::BTreeMap;
use std::fmt;
use std::io::Write as _;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use connect4_client::{Address, utc};
use serde::Serialize;
use tokio::task::AbortHandle;

use super::metrics::Limit;
use crate::app::App;
use crate::link::Link;

/// What limits refused, and which routes failed, is told once in this time.
const PAUSE: Duration = Duration::from_secs(60);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    Text,
    /// An object of JSON a line.
    Json,
}

/// Something that an operator wants to know.
#[derive(Serialize)]
#[serde(rename_all = "snake_case", tag = "event")]
pub enum Entry {
    /// The host listens.
    Started {
        version: &'static str,
        listen: SocketAddr,
        metrics: Option<SocketAddr>,
    },
    /// The chain answers.
    ChainFound {
        chain: String,
        /// The contract of the games; none if it is not deployed.
        contract: Option<String>,
        block: u32,
    },
    /// The relay is the witness of signed games by this key, and a damaged log was put there.
    Witness { key: String, aside: Option<PathBuf> },
    /// The chain does not answer.
    ChainLost { why: String },
    /// A limit has refused something, so often in the last minute.
    Limited { limit: &'static str, times: u64 },
    /// Answers were errors of the host or its chain, so often in the last minute.
    Failed {
        route: String,
        status: u16,
        times: u64,
    },
    /// The host was told to end.
    Stopping,
    /// The host ends.
    Stopped,
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Started {
                version,
                listen,
                metrics,
            } => {
                write!(f, "connect4 {version} listens on {listen}")?;
                match metrics {
                    Some(metrics) => write!(f, ", metrics on {metrics}"),
                    None => Ok(()),
                }
            }
            Self::ChainFound {
                chain,
                contract,
                block,
            } => match contract {
                Some(contract) => write!(
                    f,
                    "chain found: {chain} at block {block}, contract {contract}"
                ),
                None => write!(
                    f,
                    "chain found: {chain} at block {block}, where the contract is not deployed"
                ),
            },
            Self::Witness { key, aside } => {
                write!(f, "witness {key} of signed games")?;
                match aside {
                    Some(aside) => write!(
                        f,
                        "; its log was damaged, and is now {}: games of the key before have no result",
                        aside.display()
                    ),
                    None => Ok(()),
                }
            }
            Self::ChainLost { why } => write!(f, "chain lost: {why}"),
            Self::Limited { limit, times } => {
                write!(f, "limit {limit} refused {times} in a minute")
            }
            Self::Failed {
                route,
                status,
                times,
            } => write!(f, "{route} answered {status} {times} times in a minute"),
            Self::Stopping => f.write_str("told to stop: pages are told to connect again"),
            Self::Stopped => f.write_str("stopped"),
        }
    }
}

#[derive(Serialize)]
struct Line<'a> {
    time: String,
    #[serde(flatten)]
    entry: &'a Entry,
}

impl LogFormat {
    pub fn tell(self, entry: &Entry) {
        let line = self.line(entry, SystemTime::now());
        // There is nobody to tell that standard error is closed.
        let _ = writeln!(std::io::stderr().lock(), "{line}");
    }

    fn line(self, entry: &Entry, at: SystemTime) -> String {
        let since = at.duration_since(UNIX_EPOCH).unwrap_or_default();
        let time = utc(since.as_secs());
        match self {
            Self::Text => format!("{time} {entry}"),
            Self::Json => serde_json::to_string(&Line { time, entry }).unwrap_or_default(),
        }
    }
}

/// The task that tells what becomes of the chain, and what was refused. It ends when this is dropped.
pub struct Logging(AbortHandle);

impl Logging {
    pub fn of(app: Arc<App>, format: LogFormat) -> Self {
        let chain = tell_of_chain(Arc::clone(&app), format);
        let counts = tell_of_counts(app, format);
        let both = async {
            tokio::join!(chain, counts);
        };
        Self(tokio::spawn(both).abort_handle())
    }
}

impl Drop for Logging {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn tell_of_chain(app: Arc<App>, format: LogFormat) {
    let mut links = app.chain.links();
    let mut was_up = None;
    loop {
        let link = links.borrow_and_update().clone();
        match link {
            Link::Up { at, block } if was_up != Some(true) => {
                was_up = Some(true);
                let contract = at
                    .contract()
                    .map(|found| Address::to_string(&found.address()));
                format.tell(&Entry::ChainFound {
                    chain: at.connection.client.chain().to_owned(),
                    contract,
                    block,
                });
            }
            Link::Up { .. } => {}
            // Again with each other reason.
            Link::Down { why, .. } => {
                was_up = Some(false);
                format.tell(&Entry::ChainLost { why });
            }
        }
        if links.changed().await.is_err() {
            return;
        }
    }
}

async fn tell_of_counts(app: Arc<App>, format: LogFormat) {
    let mut limited: BTreeMap<Limit, u64> = app.metrics.refused().collect();
    let mut failed = app.metrics.failures();
    loop {
        tokio::time::sleep(PAUSE).await;
        for (limit, count) in app.metrics.refused() {
            let before = limited.insert(limit, count).unwrap_or_default();
            if count > before {
                format.tell(&Entry::Limited {
                    limit: limit.label(),
                    times: count - before,
                });
            }
        }
        let now = app.metrics.failures();
        for ((route, status), count) in &now {
            let before = failed.get(&(route.clone(), *status)).copied();
            let times = count - before.unwrap_or_default();
            if times > 0 {
                format.tell(&Entry::Failed {
                    route: route.clone(),
                    status: *status,
                    times,
                });
            }
        }
        failed = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_words_or_json() {
        let at = UNIX_EPOCH + Duration::from_secs(1_795_384_687);
        let lost = Entry::ChainLost {
            why: "it was \"closed\"\nby its node".into(),
        };
        assert_eq!(
            LogFormat::Json.line(&lost, at),
            r#"{"time":"2026-11-22T21:58:07Z","event":"chain_lost","why":"it was \"closed\"\nby its node"}"#
        );
        let limited = Entry::Limited {
            limit: "sockets",
            times: 7,
        };
        assert_eq!(
            LogFormat::Text.line(&limited, at),
            "2026-11-22T21:58:07Z limit sockets refused 7 in a minute"
        );
    }
}
