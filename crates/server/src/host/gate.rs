//! Which requests a public host takes.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use connect4_relay::{Addresses, Guest, Visitor};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::limits::HostLimits;
use super::metrics::{Limit, Metrics};
use crate::refusal::Refusal;

/// What a request makes the host do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cost {
    /// It answers with a file that it carries.
    File,
    /// It answers with what it has.
    Little,
    /// It asks the chain or the index.
    Much,
}

/// What a request to this route costs. A route that is not named here is taken for a dear one.
fn cost(route: &str) -> Cost {
    match route {
        NOTHING
        | "/"
        | "/game/{number}"
        | "/line"
        | "/live"
        | "/players"
        | "/player/{account}"
        | "/player/{account}/games"
        | "/puzzles"
        | "/page/{*path}"
        | "/sw.js" => Cost::File,
        "/health" => Cost::Little,
        "/api/line" => Cost::Little,
        // What has to be read or drawn for them is counted when it is.
        "/game/{number}/picture.svg"
        | "/game/{number}/picture.png"
        | "/game/{number}/picture.gif"
        | "/line/picture.svg"
        | "/line/picture.png"
        | "/embed/game/{number}" => Cost::Little,
        // They are limited as sockets.
        "/api/live" => Cost::Little,
        _ => Cost::Much,
    }
}

/// What is asked for and is not there.
const NOTHING: &str = "none";

pub struct Gate {
    files: Addresses,
    requests: Addresses,
    dear: Addresses,
    all_dear: Arc<Semaphore>,
    sockets: Addresses,
    answer: Duration,
    metrics: Arc<Metrics>,
}

/// A place for one socket, as long as it is held.
pub struct Place {
    _of_all: OwnedSemaphorePermit,
    of_address: Option<Guest>,
}

impl Place {
    /// Has the address that floods the socket wait before it opens another one.
    pub fn flooded(&self) {
        if let Some(guest) = &self.of_address {
            guest.put_out(Instant::now());
        }
    }
}

impl Gate {
    pub fn new(limits: &HostLimits, metrics: Arc<Metrics>) -> Self {
        Self {
            files: Addresses::new(limits.files),
            requests: Addresses::new(limits.requests),
            dear: Addresses::new(limits.dear),
            all_dear: Arc::new(Semaphore::new(limits.dear_at_once)),
            sockets: Addresses::new(limits.of_address),
            answer: limits.answer,
            metrics,
        }
    }

    /// A place for one more request of this address; or which limit it is beyond.
    fn enter(&self, from: Visitor, cost: Cost) -> Result<impl Send + use<>, Limit> {
        let now = Instant::now();
        let of_its_kind = match cost {
            Cost::File => &self.files,
            Cost::Little | Cost::Much => &self.requests,
        };
        let guest = of_its_kind.enter(from, now).ok_or(Limit::Requests)?;
        let dear = match cost {
            Cost::File | Cost::Little => None,
            Cost::Much => {
                let of_address = self.dear.enter(from, now).ok_or(Limit::Dear)?;
                let of_all = Arc::clone(&self.all_dear).try_acquire_owned();
                Some((of_address, of_all.map_err(|_| Limit::AllDear)?))
            }
        };
        Ok((guest, dear))
    }

    /// A place for one more socket of this address.
    pub fn socket(&self, from: Visitor, sockets: &Arc<Semaphore>) -> Result<Place, Refusal> {
        let now = Instant::now();
        let entered = self.sockets.enter(from, now).ok_or(Limit::Sockets);
        let place = entered.and_then(|guest| {
            let of_all = Arc::clone(sockets).try_acquire_owned();
            Ok(Place {
                _of_all: of_all.map_err(|_| Limit::AllSockets)?,
                of_address: Some(guest),
            })
        });
        place.map_err(|limit| self.refuse(limit))
    }

    pub fn opens_a_room(&self, from: Visitor) -> Result<(), Refusal> {
        let entered = self.dear.enter(from, Instant::now());
        entered.map(drop).ok_or_else(|| self.refuse(Limit::Dear))
    }

    /// Counts something that is done for this address, and costs as much as so many dear requests.
    pub fn spend(&self, from: Visitor, requests: u32) -> Result<(), Refusal> {
        match self.dear.spend(from, requests, Instant::now()) {
            true => Ok(()),
            false => Err(self.refuse(Limit::Dear)),
        }
    }

    /// What is told of a limit, which is counted.
    pub fn refuse(&self, limit: Limit) -> Refusal {
        self.metrics.limited(limit);
        match limit {
            Limit::Requests | Limit::Dear => {
                Refusal::too_many("too many requests from your address: wait a little")
            }
            Limit::Sockets => Refusal::too_many("too many pages are open at your address"),
            Limit::AllDear | Limit::AllSockets | Limit::Rooms | Limit::Time => {
                Refusal::busy("this host has too much to do: try again later, or use another one")
            }
        }
    }
}

impl From<OwnedSemaphorePermit> for Place {
    fn from(of_all: OwnedSemaphorePermit) -> Self {
        Self {
            _of_all: of_all,
            of_address: None,
        }
    }
}

/// Lets a request in or refuses it, and counts its answer.
pub async fn pass(State(gate): State<Arc<Gate>>, request: Request, next: Next) -> Response {
    let began = Instant::now();
    let matched = request.extensions().get::<MatchedPath>().cloned();
    let route = matched.as_ref().map_or(NOTHING, MatchedPath::as_str);
    let from = request.extensions().get::<Visitor>().copied();
    // The server of these routes adds it.
    let nowhere = Visitor::Counted(IpAddr::from([0; 4]));
    let from = from.unwrap_or(nowhere);
    let response = match gate.enter(from, cost(route)) {
        Ok(place) => {
            let answer = tokio::time::timeout(gate.answer, next.run(request)).await;
            drop(place);
            answer.unwrap_or_else(|_| gate.refuse(Limit::Time).into_response())
        }
        Err(limit) => gate.refuse(limit).into_response(),
    };
    let mut response = response;
    if response.status() == StatusCode::TOO_MANY_REQUESTS {
        let soon = HeaderValue::from_static("1");
        response.headers_mut().insert(header::RETRY_AFTER, soon);
    }
    let status = response.status().as_u16();
    gate.metrics.answered(route, status, began.elapsed());
    response
}
