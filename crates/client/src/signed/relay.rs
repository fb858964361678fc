//! Connections to a relay.

use std::time::Duration;

use tokio::net::TcpStream;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

/// How long a connection may take to be made.
pub(crate) const CONNECT: Duration = Duration::from_secs(5);
/// Pause before a connection is made again, at first and at most.
pub(crate) const RETRY: [Duration; 2] = [Duration::from_millis(200), Duration::from_secs(5)];
/// How often the relay is asked whether it is there.
pub(crate) const PING: Duration = Duration::from_secs(10);
/// How long the relay may be silent, though it was asked, before the connection counts as lost.
pub(crate) const SILENCE: Duration = Duration::from_secs(25);

/// URL of the relay with this name: its own, or that of its page.
#[must_use]
pub fn rooms_at(named: &str) -> String {
    let url = named.trim_end_matches('/');
    match url.split_once("://") {
        Some(("http", rest)) => format!("ws://{rest}"),
        Some(("https", rest)) => format!("wss://{rest}"),
        Some(_) => url.to_owned(),
        None => format!("ws://{url}"),
    }
}

pub(crate) type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_relay_is_named_by_its_address_or_that_of_its_page() {
        for (named, url) in [
            ("ws://127.0.0.1:1/", "ws://127.0.0.1:1"),
            ("http://host:4444", "ws://host:4444"),
            ("https://host", "wss://host"),
            ("host:4444", "ws://host:4444"),
        ] {
            assert_eq!(rooms_at(named), url);
        }
    }
}
