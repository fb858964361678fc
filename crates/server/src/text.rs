//! Messages of sockets, as texts that are made once for all who are told.

use std::sync::Arc;

use axum::extract::ws::Utf8Bytes;
use connect4_wire::{Chain, Live};
use serde::Serialize;
use tokio::sync::watch;

use crate::link::Link;

/// A value of the wire format as a text, of which clones share the bytes. Serializing one cannot fail:
/// the keys of its maps are strings.
pub fn text(value: &impl Serialize) -> Option<Utf8Bytes> {
    let text = serde_json::to_string(value).ok()?;
    Some(text.into())
}

/// What is told to everybody who watches the same, with the text of it.
#[derive(Clone)]
pub struct Told {
    pub live: Arc<Live>,
    pub text: Utf8Bytes,
}

impl Told {
    pub fn of(live: Arc<Live>) -> Option<Self> {
        let text = text(&*live)?;
        Some(Self { live, text })
    }
}

/// What all pages are told of the connection to the chain, from now on.
pub fn of_links(mut links: watch::Receiver<Link>) -> watch::Receiver<Option<Utf8Bytes>> {
    let now = text(&of_link(&links.borrow_and_update()));
    let (told, texts) = watch::channel(now);
    tokio::spawn(async move {
        while links.changed().await.is_ok() {
            told.send_replace(text(&of_link(&links.borrow_and_update())));
        }
    });
    texts
}

fn of_link(link: &Link) -> Live {
    Live::Chain(match link {
        Link::Up { block, .. } => Chain {
            up: true,
            block: Some(*block),
            why: None,
            since: None,
        },
        Link::Down { told, since, .. } => Chain {
            up: false,
            block: None,
            why: Some(told.clone()),
            since: Some(*since),
        },
    })
}
