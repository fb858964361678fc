//! What a page has to know before anything else.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use connect4_client::{DEVELOPMENT, Signer};
use connect4_opponent::Level;
use connect4_protocol::variants;
use connect4_rules::variant::Variant;
use connect4_rules::{Shape, ShapeSpec};
use connect4_wire::{
    self as wire, Account, ChainFacts, Hello, OpenAccount, ShapeBounds, TermsBounds,
};

use crate::app::App;
use crate::extract::presented;
use crate::link::Connected;

/// Says what the server is, and which accounts the keys of the request open.
pub async fn hello(State(app): State<Arc<App>>, headers: HeaderMap) -> Json<Hello> {
    let keys = presented(&app, &headers);
    let at = app.chain.connected().ok();
    let contract = at.as_ref().and_then(|at| at.contract());
    let variants = at.as_ref().and_then(|at| at.variants());
    let mut known = vec![app.keys.host()];
    let mut asked = Vec::new();
    for signer in app.signers.iter() {
        let key = app.keys.of(signer.address());
        if app.keys.open(&keys, signer.address()) {
            let (at, signer) = (at.clone(), signer.clone());
            let key = key.clone();
            asked.push(tokio::spawn(async move { account(at, &signer, key).await }));
        }
        known.push(key);
    }
    let mut accounts = Vec::new();
    for account in asked {
        accounts.extend(account.await.ok().flatten());
    }
    let client = at.as_ref().map(|at| &at.connection.client);
    let names = DEVELOPMENT
        .into_iter()
        .filter_map(Signer::development)
        .filter_map(|signer| Some((signer.address().to_string(), signer.development_name()?)))
        .collect();
    Json(Hello {
        api: wire::API,
        token: app.guard.token().to_owned(),
        version: env!("CARGO_PKG_VERSION"),
        host: app.keys.are_host(&keys),
        unknown_keys: keys.unknown(&known),
        chain: ChainFacts {
            name: client.map(|client| client.chain().to_owned()),
            place: app.chain.place().to_owned(),
            contract: contract.map(|contract| contract.address()),
            variants: variants.map(|variants| variants.address()),
            symbol: client.map(|client| client.token().symbol.clone()),
            decimals: client.map(|client| client.token().decimals),
        },
        public: app.public.is_some(),
        signing: super::host::facts(&app),
        witness: app.signed_rooms.witness(),
        witnesses: app.counted_witnesses(),
        index: app.indexing.is_some(),
        accounts,
        names,
        levels: Level::ALL.map(wire::Level).to_vec(),
        shape: bounds(),
        terms: terms_bounds(),
    })
}

/// An account as its owner sees it; none if nobody will play with it: a development account on a
/// chain where it has nothing.
async fn account(at: Option<Arc<Connected>>, signer: &Signer, key: String) -> Option<OpenAccount> {
    let balance = match at {
        Some(at) => match at.connection.client.balance(&signer.account()).await {
            Ok(0) if signer.development_name().is_some() => return None,
            Ok(balance) => Some(balance),
            Err(_) => None,
        },
        None => None,
    };
    Some(OpenAccount {
        account: Account::new(signer, balance),
        key,
        ethereum: signer.is_ethereum(),
    })
}

fn bounds() -> ShapeBounds {
    ShapeBounds {
        standard: Shape::STANDARD.into(),
        least: ShapeSpec {
            bins: Shape::MIN_BINS,
            capacity: Shape::MIN_CAPACITY,
            line: Shape::MIN_LINE,
        },
        most: ShapeSpec {
            bins: Shape::MAX_BITS / (Shape::MIN_CAPACITY + 1),
            capacity: Shape::MAX_BITS / Shape::MIN_BINS - 1,
            line: Shape::MAX_LINE,
        },
    }
}

fn terms_bounds() -> TermsBounds {
    TermsBounds {
        least_players: Variant::MIN_PLAYERS,
        most_players: Variant::MAX_PLAYERS,
        most_power: Variant::MAX_POWER,
        least_limit: variants::Game::MIN_LIMIT,
        most_limit: variants::Game::MAX_LIMIT,
    }
}
