//! A way to a chain on which requests are counted, and can be refused or answered with lies, or the answers changed.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use futures_util::{SinkExt as _, StreamExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::tungstenite::Message;

/// A way to a chain on which requests are counted, until the runtime ends.
#[derive(Clone)]
pub struct Counting {
    addr: SocketAddr,
    /// By their methods.
    asked: Arc<Mutex<HashMap<String, usize>>>,
    refuses: Arc<AtomicBool>,
    /// Answers in JSON to requests that are not passed on, by their methods.
    lies: Arc<Mutex<HashMap<String, String>>>,
    twist: Arc<Mutex<Option<Arc<Twist>>>>,
}

/// What becomes of the chain's answer to a request, which is given first; none if it stays. Both are JSON.
pub type Twist = dyn Fn(&str, &str) -> Option<String> + Send + Sync;

impl std::fmt::Debug for Counting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Counting")
            .field("addr", &self.addr)
            .finish_non_exhaustive()
    }
}

impl Counting {
    /// A way to the chain whose RPC is at this address, such as `127.0.0.1:9944`.
    pub async fn before(chain: String) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0))
            .await
            .expect("a port is free");
        let this = Self {
            addr: listener.local_addr().expect("it listens"),
            asked: Arc::default(),
            refuses: Arc::default(),
            lies: Arc::default(),
            twist: Arc::default(),
        };
        let passes = this.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (counting, chain) = (passes.clone(), chain.clone());
                tokio::spawn(async move { counting.pass(stream, &chain).await });
            }
        });
        this
    }

    #[must_use]
    pub fn url(&self) -> String {
        format!("ws://{}", self.addr)
    }

    #[must_use]
    pub fn asked(&self, method: &str) -> usize {
        let asked = self.asked.lock().expect("no panic");
        asked.get(method).copied().unwrap_or_default()
    }

    #[must_use]
    pub fn submissions(&self) -> usize {
        let asked = self.asked.lock().expect("no panic");
        let sent = asked
            .iter()
            .filter(|(method, _)| method.starts_with("author_submit"));
        sent.map(|(_, times)| times).sum()
    }

    #[must_use]
    pub fn requests(&self) -> usize {
        self.asked.lock().expect("no panic").values().sum()
    }

    /// Whether what is read of the state of the chain is answered with an error from now on, as by a node
    /// that was asked for too much.
    pub fn refuse(&self, refuses: bool) {
        self.refuses.store(refuses, Ordering::Relaxed);
    }

    /// Answers a method from now on by what it is given, as a node that lies: `"result":` or `"error":`, and its value
    /// in JSON.
    pub fn lie(&self, method: &str, answer: impl Into<String>) {
        let mut lies = self.lies.lock().expect("no panic");
        lies.insert(method.to_owned(), answer.into());
    }

    /// Changes the chain's answers from now on, as a node does that lies now and then.
    pub fn twist(&self, twist: impl Fn(&str, &str) -> Option<String> + Send + Sync + 'static) {
        *self.twist.lock().expect("no panic") = Some(Arc::new(twist));
    }

    /// The answer as it is passed on, if the request is still known.
    fn twisted(&self, requests: &mut HashMap<String, String>, answer: &str) -> Option<String> {
        let request = requests.remove(id_in(answer)?)?;
        let twist = self.twist.lock().expect("no panic").clone()?;
        twist(&request, answer)
    }

    /// What a request is answered with that is not passed on; none if it is passed on.
    fn own_answer(&self, request: &str) -> Option<String> {
        let (_, method) = request.split_once("\"method\":\"")?;
        let (method, _) = method.split_once('"')?;
        let lie = self.lies.lock().expect("no panic").get(method).cloned();
        let answer = lie.or_else(|| {
            let reads = method.starts_with("state_") && !method.starts_with("state_subscribe");
            let error = r#""error":{"code":-32005,"message":"too many requests"}"#;
            (reads && self.refuses.load(Ordering::Relaxed)).then(|| error.into())
        })?;
        let id = id_in(request)?;
        Some(format!(r#"{{"jsonrpc":"2.0","id":{id},{answer}}}"#))
    }

    /// Passes messages on until one of the two sides closes.
    async fn pass(&self, client: TcpStream, chain: &str) -> Option<()> {
        let mut client = tokio_tungstenite::accept_async(client).await.ok()?;
        let upstream = TcpStream::connect(chain).await.ok()?;
        let url = format!("ws://{chain}");
        let (mut chain, _) = tokio_tungstenite::client_async(url, upstream).await.ok()?;
        let mut requests = HashMap::new();
        loop {
            tokio::select! {
                frame = client.next() => {
                    let frame = frame?.ok()?;
                    if let Message::Text(request) = &frame {
                        self.count(request);
                        if let Some(answer) = self.own_answer(request) {
                            client.send(Message::Text(answer.into())).await.ok()?;
                            continue;
                        }
                        if let Some(id) = id_in(request) {
                            requests.insert(id.to_owned(), request.to_string());
                        }
                    }
                    chain.send(frame).await.ok()?;
                }
                frame = chain.next() => {
                    let frame = frame?.ok()?;
                    let twisted = match &frame {
                        Message::Text(answer) => self.twisted(&mut requests, answer),
                        _ => None,
                    };
                    let frame = twisted.map_or(frame, |answer| Message::Text(answer.into()));
                    client.send(frame).await.ok()?;
                }
            }
        }
    }

    /// Counts a request by its method, which is a name without quotes.
    fn count(&self, request: &str) {
        for part in request.split("\"method\":\"").skip(1) {
            let method = part.split('"').next().unwrap_or_default();
            let mut asked = self.asked.lock().expect("no panic");
            *asked.entry(method.to_owned()).or_default() += 1;
        }
    }
}

/// The number of a request or answer; none if it has none, as a notice.
fn id_in(message: &str) -> Option<&str> {
    let (_, id) = message.split_once("\"id\":")?;
    id.split([',', '}']).next()
}
