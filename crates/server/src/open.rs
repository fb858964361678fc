//! What a public host tells browsers of every answer: pages from anywhere may use it.
//!
//! A request has nothing that another page's author lacks: no key, no cookie, no token. So there is
//! nothing to steal or to misuse, and a page that was taken from elsewhere can use any host.

use axum::extract::Request;
use axum::http::{HeaderName, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::guard::{RESOURCE_POLICY, allow};

/// What the page may do: use another host, and check this one by a node that the player names.
const POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; \
                      connect-src *; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/// Answers what a browser asks before a request of another site's page, and tells each answer's reader
/// what it may do.
pub async fn open(request: Request, next: Next) -> Response {
    let mut response = match *request.method() {
        Method::OPTIONS => StatusCode::NO_CONTENT.into_response(),
        _ => next.run(request).await,
    };
    allow(
        &mut response,
        [
            (header::CONTENT_SECURITY_POLICY, POLICY),
            (RESOURCE_POLICY, "cross-origin"),
            // A page that has opened this one by script can't lead its tab elsewhere later. Wallets open windows.
            (
                HeaderName::from_static("cross-origin-opener-policy"),
                "same-origin-allow-popups",
            ),
            (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
            (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, POST"),
            (header::ACCESS_CONTROL_ALLOW_HEADERS, "content-type"),
            (header::ACCESS_CONTROL_MAX_AGE, "86400"),
        ],
    );
    response
}
