//! Relays for the tests.

use std::net::SocketAddr;

use connect4_protocol::Address;
use connect4_relay::{Counts, Limits, Proxies, ProxyHeader, Rate, Relay, Witness, serve};
use tokio::net::TcpSocket;
use tokio::runtime::{Builder, Runtime};

/// Limits that no test meets by accident.
pub fn wide() -> Limits {
    let rate = Rate {
        burst: 1_000_000,
        per_second: 1_000_000,
    };
    Limits {
        messages: rate,
        lists_of_address: rate,
        ..Limits::default()
    }
}

/// Addresses that a relay behind a proxy does not count.
pub const UNCOUNTED: &str = "198.51.100.0/24";

/// A relay that runs until it is dropped, as a program of its own would: then nothing of it is left.
pub struct Server {
    pub addr: SocketAddr,
    relay: Relay,
    runtime: Option<Runtime>,
}

impl Server {
    pub fn start(limits: Limits) -> Self {
        let socket = TcpSocket::new_v4().expect("a socket");
        Self::on(socket, limits, Proxies::default())
    }

    /// A relay that keeps the order of signed games.
    pub fn witnessed(limits: Limits, witness: Witness) -> Self {
        let relay = || Relay::witnessed(limits, witness);
        let socket = TcpSocket::new_v4().expect("a socket");
        Self::serving(socket, relay, Proxies::default())
    }

    /// A relay behind a proxy on this machine, which does not count a network: see [`UNCOUNTED`].
    pub fn behind_a_proxy(limits: Limits) -> Self {
        let socket = TcpSocket::new_v4().expect("a socket");
        Self::on(socket, limits, proxies())
    }

    /// The same, which keeps the order of signed games.
    pub fn witnessed_behind_a_proxy(limits: Limits, witness: Witness) -> Self {
        let relay = || Relay::witnessed(limits, witness);
        let socket = TcpSocket::new_v4().expect("a socket");
        Self::serving(socket, relay, proxies())
    }

    /// A relay whose sockets take few frames that nobody reads.
    pub fn narrow(limits: Limits) -> Self {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.set_send_buffer_size(1).expect("the smallest");
        Self::on(socket, limits, Proxies::default())
    }

    /// The same, which keeps the order of signed games.
    pub fn narrow_witnessed(limits: Limits, witness: Witness) -> Self {
        let relay = || Relay::witnessed(limits, witness);
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.set_send_buffer_size(1).expect("the smallest");
        Self::serving(socket, relay, Proxies::default())
    }

    fn on(socket: TcpSocket, limits: Limits, proxies: Proxies) -> Self {
        let relay = || Relay::new(limits);
        Self::serving(socket, relay, proxies)
    }

    fn serving(socket: TcpSocket, relay: impl FnOnce() -> Relay, proxies: Proxies) -> Self {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("a runtime");
        socket
            .bind(([127, 0, 0, 1], 0).into())
            .expect("a port is free");
        let (listener, relay) = {
            let _inside = runtime.enter();
            (socket.listen(64).expect("it listens"), relay())
        };
        let addr = listener.local_addr().expect("it listens");
        let serving = relay.clone();
        runtime.spawn(async move { serve(listener, serving, proxies).await });
        Self {
            addr,
            relay,
            runtime: Some(runtime),
        }
    }

    /// The key of the witness once it is another one than this.
    pub async fn witness_after(&self, before: Address) -> Address {
        loop {
            match self.relay.witness() {
                Some(key) if key != before => return key,
                _ => tokio::task::yield_now().await,
            }
        }
    }

    /// A relay that becomes a witness later.
    pub fn awaiting_witness(limits: Limits) -> Self {
        let relay = || Relay::awaiting_witness(limits);
        let socket = TcpSocket::new_v4().expect("a socket");
        Self::serving(socket, relay, Proxies::default())
    }

    pub fn begin_witness(&self, witness: Witness) {
        let _inside = self.runtime.as_ref().expect("it runs").enter();
        self.relay.begin_witness(witness);
    }

    /// The keys of the witness, the present one first.
    pub fn witnesses(&self) -> Vec<Address> {
        self.relay.witnesses()
    }

    /// Has it close its sockets, and take no more.
    pub fn stop(&self) {
        self.relay.stop().stop();
    }

    pub fn counts(&self) -> Counts {
        self.relay.counts()
    }
}

/// A proxy on this machine, which does not count a network.
fn proxies() -> Proxies {
    let network = |text: &str| vec![text.parse().expect("a network")];
    Proxies::new(network("127.0.0.1"), ProxyHeader::XForwardedFor).not_counting(network(UNCOUNTED))
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
