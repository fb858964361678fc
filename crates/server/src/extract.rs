//! What handlers take out of requests.

use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use connect4_client::{Address, GameId, Named};
use connect4_protocol::GameName;
use connect4_rules::variant::{Variant, VariantSpec};
use connect4_wire as wire;
use serde::de::DeserializeOwned;

use crate::app::App;
use crate::keys::Presented;
use crate::refusal::Refusal;

/// The header that tells which keys the sender has.
const KEYS: &str = "x-connect4-keys";

/// What somebody asks for, and the keys that they present.
pub struct Asked<T> {
    pub keys: Presented,
    pub asked: T,
}

impl<T: DeserializeOwned> FromRequest<Arc<App>> for Asked<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Refusal> {
        let keys = presented(app, request.headers());
        let Sent(asked) = Sent::from_request(request, app).await?;
        Ok(Self { keys, asked })
    }
}

/// What somebody asks for who needs no key.
pub struct Sent<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Sent<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Self, Refusal> {
        let Json(asked) = Json::from_request(request, state)
            .await
            .map_err(|error: JsonRejection| Refusal::input(error.body_text()))?;
        Ok(Self(asked))
    }
}

pub struct Queried<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Queried<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let Query(query) = Query::from_request_parts(parts, state)
            .await
            .map_err(|error: QueryRejection| Refusal::input(error.body_text()))?;
        Ok(Self(query))
    }
}

pub struct QueriedLine(pub wire::TermsAndMoves);

impl<S: Send + Sync> FromRequestParts<S> for QueriedLine {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let Queried(query) =
            Queried::<Vec<(String, String)>>::from_request_parts(parts, state).await?;
        let line = wire::TermsAndMoves::from_query(&query);
        line.map(Self).map_err(Refusal::input)
    }
}

pub fn presented(app: &App, headers: &HeaderMap) -> Presented {
    let keys = headers.get(KEYS).and_then(|keys| keys.to_str().ok());
    app.keys.presented(keys.unwrap_or_default())
}

pub fn named(text: &str) -> Result<Address, Refusal> {
    text.parse::<Named>()
        .map(|named| named.address())
        .map_err(Refusal::input)
}

/// The game that a part of an address names: `3`, or `v3` for a variant.
pub struct OfGame(pub GameId);

impl<S: Send + Sync> FromRequestParts<S> for OfGame {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let Path(text): Path<String> = Path::from_request_parts(parts, state)
            .await
            .map_err(|error: PathRejection| Refusal::input(error.body_text()))?;
        game_id(&text).map(Self)
    }
}

pub fn game_id(text: &str) -> Result<GameId, Refusal> {
    text.parse().map_err(|_| {
        Refusal::input(format!(
            "there is no game `{text}`: games are called 0, 1 and so on, variants v0, v1"
        ))
    })
}

/// The game, on the chain or a signed one, that a text names.
pub fn game_name(text: &str) -> Result<GameName, Refusal> {
    text.parse()
        .map_err(|_| Refusal::missing(&format!("there is no game `{text}`")))
}

/// Terms that a game can have.
pub fn variant(asked: VariantSpec) -> Result<Variant, Refusal> {
    Variant::try_from(asked).map_err(Refusal::input)
}
