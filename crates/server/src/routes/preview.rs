//! The page of a game, or of a line of moves, for who makes a preview of a link to it, such as a chat or a forum.
//!
//! They run no script, so the page itself names the game and its picture. A browser gets the file of the page as
//! it is, without a look at the chain: the page's code shows what the address names.

use std::net::IpAddr;

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use connect4_picture::{SIZE, escape};

use super::page as file;
use super::picture::Asking;
use crate::files::FILES;
use crate::host::is_origin;
use crate::portrait::Portrait;
use crate::refusal::Refusal;

/// What a browser says of a request for a page.
const MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");
/// The title of the page's file, in the place of which the game's is put.
const TITLE: &str = "<title>Connect Four</title>";
/// What an answer depends on, besides its encoding.
const VARY: &str = "sec-fetch-mode, user-agent";

/// The page of a game, or of a line of moves.
pub async fn page(asking: Result<Asking, Refusal>, headers: HeaderMap) -> Response {
    let mut response = match (is_preview(&headers), asking) {
        (true, Ok(asking)) => match named(&asking, &headers).await {
            Some(html) => {
                let media = [(header::CONTENT_TYPE, "text/html; charset=utf-8")];
                (media, html).into_response()
            }
            None => file::index(headers).await,
        },
        _ => file::index(headers).await,
    };
    let headers = response.headers_mut();
    headers.append(header::VARY, HeaderValue::from_static(VARY));
    response
}

/// Whether this is no browser in which somebody opens the page. Some programs that make previews are built on
/// one, and name themselves.
fn is_preview(headers: &HeaderMap) -> bool {
    let text = |name| {
        headers
            .get(name)
            .and_then(|value: &HeaderValue| value.to_str().ok())
    };
    let agent = text(header::USER_AGENT).unwrap_or_default().to_lowercase();
    text(MODE) != Some("navigate") || agent.contains("bot") || agent.contains("facebookexternalhit")
}

/// The page with the game's title and picture; none if the game can't be shown now.
async fn named(asking: &Asking, headers: &HeaderMap) -> Option<String> {
    let origin = origin(asking, headers)?;
    let portrait = asking.portrait().await.ok()?;
    let index = FILES.iter().find(|file| file.path == "index.html")?;
    let index = std::str::from_utf8(index.plain.bytes).ok()?;
    let url = format!("{origin}{}", asking.path());
    index
        .contains(TITLE)
        .then(|| index.replacen(TITLE, &tags(&portrait, &url, &asking.query()), 1))
}

/// What names a game in the head of its page.
fn tags(portrait: &Portrait, url: &str, query: &str) -> String {
    let title = escape(&portrait.title());
    let (url, query) = (escape(url), escape(query));
    let (width, height) = SIZE;
    format!(
        "<title>{title} · Connect Four</title>\n\
         <meta name=\"description\" content=\"{title}\">\n\
         <meta property=\"og:type\" content=\"website\">\n\
         <meta property=\"og:site_name\" content=\"Connect Four\">\n\
         <meta property=\"og:title\" content=\"{title}\">\n\
         <meta property=\"og:url\" content=\"{url}{query}\">\n\
         <meta property=\"og:image\" content=\"{url}/picture.png{query}\">\n\
         <meta property=\"og:image:type\" content=\"image/png\">\n\
         <meta property=\"og:image:width\" content=\"{width}\">\n\
         <meta property=\"og:image:height\" content=\"{height}\">\n\
         <meta property=\"og:image:alt\" content=\"The board: {title}\">\n\
         <meta name=\"twitter:card\" content=\"summary_large_image\">"
    )
}

/// What the addresses of this server begin with: as its operator says, else as the request does. Only who has
/// asked gets that answer, and it is kept nowhere.
fn origin(asking: &Asking, headers: &HeaderMap) -> Option<String> {
    let public = asking.app().public.as_ref();
    if let Some(url) = public.and_then(|public| public.url.clone()) {
        return Some(url);
    }
    let host = headers.get(header::HOST)?.to_str().ok()?;
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    let is_local = name == "localhost" || name.trim_matches(['[', ']']).parse::<IpAddr>().is_ok();
    let scheme = match is_local {
        true => "http",
        false => "https",
    };
    let url = format!("{scheme}://{host}");
    is_origin(&url).then_some(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_opens_the_page_is_told_from_who_makes_a_preview() {
        let asks = |mode: Option<&'static str>, agent: &'static str| {
            let agent = (header::USER_AGENT, HeaderValue::from_static(agent));
            let mode = mode.map(|mode| (MODE, HeaderValue::from_static(mode)));
            is_preview(&HeaderMap::from_iter(mode.into_iter().chain([agent])))
        };
        let browser = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36";
        assert!(!asks(Some("navigate"), browser));
        assert!(asks(None, browser));
        assert!(asks(Some("no-cors"), browser));
        assert!(asks(
            Some("navigate"),
            "facebookexternalhit/1.1 Facebot Twitterbot/1.0"
        ));
        assert!(asks(None, "TelegramBot (like TwitterBot)"));
    }
}
