//! Connections of a server, with bounds on what each can make it spend.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::Request;
use axum::http::StatusCode;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

use crate::addresses::{Addresses, Allowed, Guest};
use crate::counters::Counter;
use crate::patient::Patient;
use crate::proxies::Proxies;
use crate::rate::Rate;
use crate::stop::Stop;
use crate::throttled::Throttled;

/// Bytes of the head of a request, at most.
pub const HEAD: u32 = 16 * 1024;
/// Time to wait when the system has no place for another connection.
const PAUSE: Duration = Duration::from_millis(100);
/// How long a proxy may keep a connection for its next request.
const KEPT_BY_PROXY: Duration = Duration::from_secs(180);

#[derive(Clone, Debug)]
pub struct Entrance {
    /// Time in which the head of a request has to come, and between two requests.
    pub head: Duration,
    /// Time for which a connection may take nothing of what is sent on it.
    pub stall: Duration,
    /// Connections at the same time, besides sockets. Others wait at the listener.
    pub connections: usize,
    /// Connections of one address at the same time, besides sockets.
    pub of_address: u32,
    /// How many bytes are read of a connection. Those of a proxy are counted once they are a socket:
    /// before that, many visitors may share them.
    pub bytes: Rate,
    /// The proxies, which have any number of connections, and whose header tells where a request is
    /// from.
    pub proxies: Proxies,
}

impl Entrance {
    /// Serves these routes until it has to stop and has answered the last request. Handlers find the
    /// [`Visitor`](crate::Visitor) of a request in its extensions. Counts the connections that are turned away.
    pub async fn serve(
        &self,
        listener: TcpListener,
        routes: Router,
        turned_away: &Counter,
        stop: &Stop,
    ) {
        let arriving = Addresses::new(Allowed {
            at_once: self.of_address,
            most: u32::MAX,
            // How often it comes is counted when it asks for something.
            rate: Rate {
                burst: u32::MAX,
                per_second: u32::MAX,
            },
        });
        let connections = u32::try_from(self.connections).unwrap_or(u32::MAX);
        let places = Arc::new(Semaphore::new(self.connections));
        let mut stopped = std::pin::pin!(stop.stopped());
        loop {
            let arrived = async {
                // It is never closed.
                let place = Arc::clone(&places).acquire_owned().await;
                (place, accept(&listener).await)
            };
            let (place, (stream, from)) = tokio::select! {
                biased;
                () = &mut stopped => break,
                arrived = arrived => arrived,
            };
            let guest = match self.proxies.contain(from.ip()) {
                true => None,
                false => match arriving.enter(self.proxies.count(from.ip()), Instant::now()) {
                    Some(guest) => Some(guest),
                    None => {
                        turned_away.add();
                        continue;
                    }
                },
            };
            let connection = Connection {
                entrance: self.clone(),
                stream,
                from,
                guest,
                routes: routes.clone(),
            };
            let stop = stop.clone();
            tokio::spawn(async move {
                connection.run(&stop).await;
                drop(place);
            });
        }
        drop(listener);
        let _ = places.acquire_many(connections).await;
    }
}

struct Connection {
    entrance: Entrance,
    stream: TcpStream,
    from: SocketAddr,
    /// What its address has open; none for a proxy.
    guest: Option<Guest>,
    routes: Router,
}

impl Connection {
    async fn run(self, stop: &Stop) {
        let Self {
            entrance,
            stream,
            from,
            guest,
            routes,
        } = self;
        let is_direct = guest.is_some();
        let is_counted = Arc::new(AtomicBool::new(is_direct));
        let stream = Patient::new(stream, entrance.stall);
        let stream = Throttled::new(stream, entrance.bytes, Arc::clone(&is_counted));
        let service = TowerToHyperService::new(routes);
        let proxies = entrance.proxies;
        let service = service_fn(move |mut request: Request<Incoming>| {
            let visitor = proxies.visitor(from.ip(), request.headers());
            request.extensions_mut().insert(visitor);
            let is_counted = Arc::clone(&is_counted);
            let answering = service.call(request);
            async move {
                let answer = answering.await;
                let is_socket = answer
                    .as_ref()
                    .is_ok_and(|answer| answer.status() == StatusCode::SWITCHING_PROTOCOLS);
                if is_socket {
                    is_counted.store(true, Ordering::Relaxed);
                }
                answer
            }
        });
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new())
            .header_read_timeout(match is_direct {
                true => entrance.head,
                false => entrance.head.max(KEPT_BY_PROXY),
            })
            .max_buf_size(HEAD as usize);
        let connection = http
            .serve_connection(TokioIo::new(stream), service)
            .with_upgrades();
        let mut connection = std::pin::pin!(connection);
        tokio::select! {
            // Who sends no request, or a wrong one, is closed.
            _ = connection.as_mut() => {}
            () = stop.stopped() => {
                connection.as_mut().graceful_shutdown();
                let _ = connection.await;
            }
        }
        drop(guest);
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
