//! A relay as a server of its own.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{ConnectInfo, Request};
use axum::routing::get;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

use crate::addresses::Addresses;
use crate::limits::Limits;
use crate::rate::Rate;
use crate::relay::Relay;
use crate::router::router;
use crate::source::Source;
use crate::throttled::Throttled;

/// Connections at the same time that have not opened a socket yet. Others wait at the listener.
const HANDSHAKES: usize = 1024;
/// Bytes of the head of a request, at most.
const HEAD: u32 = 16 * 1024;
/// Bytes that are read for each message that may come: more than the longest has with its frame.
const MESSAGE: u32 = 512;
/// Time to wait when the system has no place for another connection.
const PAUSE: Duration = Duration::from_millis(100);

/// Serves the rooms of a relay, and its counts at `/metrics`, for ever. Connections that ask for nothing
/// are closed.
pub async fn serve<S: Source>(listener: TcpListener, relay: Relay<S>) -> ! {
    let counting = relay.clone();
    let routes =
        router(relay.clone()).route("/metrics", get(async move || counting.counts().to_string()));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(relay.limits().handshake)
        .max_buf_size(HEAD as usize);
    // One address cannot take all of them. How often it comes is counted when it asks for a room.
    let arriving = Addresses::default();
    let arrivals = Limits {
        openings_of_address: Rate {
            burst: u32::MAX,
            per_second: u32::MAX,
        },
        ..*relay.limits()
    };
    let handshakes = Arc::new(Semaphore::new(HANDSHAKES));
    loop {
        // It is never closed.
        let permit = Arc::clone(&handshakes).acquire_owned().await;
        let (stream, from) = accept(&listener).await;
        let Some(guest) = arriving.enter(from.ip(), &arrivals, Instant::now()) else {
            relay.counters().turned_away.add();
            continue;
        };
        let service = TowerToHyperService::new(routes.clone());
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(ConnectInfo(from));
            service.call(request)
        });
        let stream = Throttled::new(stream, bytes(relay.limits().messages));
        let connection = http
            .serve_connection(TokioIo::new(stream), service)
            .with_upgrades();
        tokio::spawn(async move {
            // Who sends no request, or a wrong one, is closed.
            let _ = connection.await;
            drop((permit, guest));
        });
    }
}

/// How much is read of a connection on which messages come at this rate.
fn bytes(messages: Rate) -> Rate {
    Rate {
        burst: messages.burst.saturating_mul(MESSAGE).saturating_add(HEAD),
        per_second: messages.per_second.saturating_mul(MESSAGE),
    }
}

async fn accept(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    loop {
        match listener.accept().await {
            Ok((stream, from)) => {
                // A move is a small message, which should not wait to be sent with the next one. If
                // the system refuses the option, moves are only slower.
                let _ = stream.set_nodelay(true);
                return (stream, from);
            }
            // The connection is gone before it was accepted.
            Err(error) if is_of_connection(&error) => {}
            // Too many open files, mostly.
            Err(_) => tokio::time::sleep(PAUSE).await,
        }
    }
}

fn is_of_connection(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionRefused
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
    )
}
