//! Refuses requests that pages of other sites send.
//!
//! A page of another site may make its visitor's browser send requests here. Three things keep it
//! from doing anything. It cannot read the answers, so it does not know the token that each change
//! needs. The browser tells in the header `Origin` where the page is from. And if the other site
//! makes a name of its own lead to this machine (DNS rebinding), that name is not one of ours.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::keys;
use crate::refusal::Refusal;

/// The header with the token that the page was given.
pub const TOKEN: &str = "x-connect4-token";

/// The names by which browsers may reach the server, and the token of this start.
pub struct Guard {
    names: Vec<String>,
    naming: &'static str,
    token: String,
}

impl Guard {
    /// `naming` says how the server is given another name, as in `start it with ...`.
    pub fn new(names: &[String], naming: &'static str) -> Self {
        Self {
            naming,
            names: names.iter().map(|name| name.to_lowercase()).collect(),
            token: keys::token(),
        }
    }

    pub fn token(&self) -> &str {
        &self.token
    }

    /// Whether a browser may reach the server by this host. Addresses in numbers are safe, as no
    /// name server is asked for them. So is `localhost`: only someone who controls this machine can
    /// make it lead elsewhere.
    fn is_ours(&self, host: &str) -> bool {
        let name = match host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
            _ => host,
        };
        let name = name.to_lowercase();
        let number = name
            .strip_prefix('[')
            .and_then(|name| name.strip_suffix(']'))
            .unwrap_or(&name);
        name == "localhost" || number.parse::<IpAddr>().is_ok() || self.names.contains(&name)
    }

    fn check(&self, method: &Method, headers: &HeaderMap) -> Result<(), Refusal> {
        let text = |name| {
            headers
                .get(name)
                .and_then(|value: &HeaderValue| value.to_str().ok())
        };
        let host = text(header::HOST).unwrap_or_default();
        if !self.is_ours(host) {
            return Err(Refusal::origin(format!(
                "this program does not go by the name `{host}`; if it should, {}",
                self.naming
            )));
        }
        let acts = *method != Method::GET && *method != Method::HEAD;
        let is_socket = headers.contains_key(header::UPGRADE);
        if acts || is_socket {
            // Programs other than browsers send none.
            let foreign = headers.get(header::ORIGIN).is_some_and(|origin| {
                let origin = origin.to_str().unwrap_or_default();
                let from = origin
                    .strip_prefix("http://")
                    .or_else(|| origin.strip_prefix("https://"));
                from != Some(host)
            });
            if foreign {
                return Err(Refusal::origin(
                    "a page of another site asked for this, and was refused".into(),
                ));
            }
        }
        if acts && text(header::HeaderName::from_static(TOKEN)) != Some(self.token()) {
            return Err(Refusal::token());
        }
        Ok(())
    }

    fn check_room(&self, method: &Method, headers: &HeaderMap) -> Result<(), Refusal> {
        // Browsers say where the page of a socket is from.
        match headers.contains_key(header::ORIGIN) {
            true => self.check(method, headers),
            false => Ok(()),
        }
    }
}

/// Lets a request for a room of the relay through or refuses it.
///
/// Other programs play there, which may reach this one by names that it does not know, and have nothing
/// to hide from each other. So they need no token, and only a browser is asked for the name: a page of
/// another site could reach a server that its author cannot.
pub async fn check_room(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    match guard.check_room(request.method(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    }
}

/// Lets a request through or refuses it, and tells the browser what this page may do.
pub async fn check(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let mut response = match guard.check(request.method(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    let policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; \
                  connect-src 'self' ws: wss:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
    allow(
        &mut response,
        [
            (header::CONTENT_SECURITY_POLICY, policy),
            (RESOURCE_POLICY, "same-origin"),
            (
                HeaderName::from_static("cross-origin-opener-policy"),
                "same-origin",
            ),
        ],
    );
    response
}

/// The header that says whose pages may load an answer.
pub const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// Tells the browser what it may do with an answer: by these headers, unless the answer has its own, and what
/// holds of all answers.
pub fn allow(response: &mut Response, told: impl IntoIterator<Item = (HeaderName, &'static str)>) {
    let always = [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    let is_answer = response.status() != StatusCode::SWITCHING_PROTOCOLS;
    let headers = response.headers_mut();
    for (name, value) in told {
        let own = headers.entry(name);
        own.or_insert(HeaderValue::from_static(value));
    }
    for (name, value) in always {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if is_answer && !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| {
                let name = header::HeaderName::from_static(name);
                (name, HeaderValue::from_str(value).unwrap())
            })
            .collect()
    }

    #[test]
    fn browsers_may_use_numbers_localhost_and_the_given_names() {
        let guard = Guard::new(&["Games.Example".into()], "name it");
        for ours in [
            "localhost",
            "localhost:4444",
            "127.0.0.1:4444",
            "192.168.1.7:80",
            "[::1]:4444",
            "games.example",
            "GAMES.example:8080",
        ] {
            assert!(guard.is_ours(ours), "{ours}");
        }
        for other in [
            "",
            "evil.example",
            "evil.example:4444",
            "127.0.0.1.evil.example",
            "localhost.evil",
            "games.example.evil:80",
            "localhost:4444@evil",
        ] {
            assert!(!guard.is_ours(other), "{other}");
        }
    }

    #[test]
    fn pages_of_other_sites_change_nothing() {
        let guard = Guard::new(&[], "name it");
        let token = guard.token().to_owned();
        let host = ("host", "127.0.0.1:4444");
        let ours = ("origin", "http://127.0.0.1:4444");
        let refused = |method: Method, pairs: &[(&'static str, &str)]| {
            guard.check(&method, &headers(pairs)).is_err()
        };
        assert!(!refused(Method::POST, &[host, ours, (TOKEN, &token)]));
        assert!(
            !refused(Method::POST, &[host, (TOKEN, &token)]),
            "not a browser"
        );
        assert!(refused(Method::POST, &[host, ours]), "no token");
        assert!(
            refused(Method::POST, &[host, ours, (TOKEN, "0")]),
            "an old token"
        );
        for foreign in [
            "http://evil.example",
            "http://127.0.0.1:5555",
            "http://localhost:4444",
            "null",
            "https://127.0.0.1:4444.evil.example",
            "",
        ] {
            let origin = ("origin", foreign);
            assert!(
                refused(Method::POST, &[host, origin, (TOKEN, &token)]),
                "{foreign}"
            );
            assert!(
                refused(Method::GET, &[host, origin, ("upgrade", "websocket")]),
                "{foreign}"
            );
        }
        // Reading is allowed, as the browser does not show the answer to the other page.
        assert!(!refused(
            Method::GET,
            &[host, ("origin", "http://evil.example")]
        ));
        assert!(
            refused(Method::GET, &[("host", "evil.example:4444")]),
            "rebound"
        );
    }

    #[test]
    fn rooms_are_for_programs_by_any_name_and_for_pages_of_our_own() {
        let guard = Guard::new(&[], "name it");
        let refused = |pairs: &[(&'static str, &str)]| {
            let mut pairs = pairs.to_vec();
            pairs.push(("upgrade", "websocket"));
            guard.check_room(&Method::GET, &headers(&pairs)).is_err()
        };
        let ours = ("origin", "http://127.0.0.1:4444");
        assert!(!refused(&[("host", "games.example")]), "a program");
        assert!(!refused(&[("host", "127.0.0.1:4444"), ours]), "our page");
        assert!(
            refused(&[
                ("host", "127.0.0.1:4444"),
                ("origin", "http://evil.example")
            ]),
            "a page of another site"
        );
        assert!(
            refused(&[
                ("host", "evil.example:4444"),
                ("origin", "http://evil.example:4444")
            ]),
            "rebound"
        );
    }
}
