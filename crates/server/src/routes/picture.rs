//! Pictures of games, and boards for other people's pages.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use connect4_picture::{Theme, escape};
use connect4_protocol::GameName;
use connect4_relay::Visitor;
use connect4_rules::variant::Variant;
use connect4_wire::Live;
use serde::Deserialize;
use sp_crypto_hashing::blake2_128;

use super::page::has;
use crate::app::App;
use crate::extract::{Queried, QueriedLine, game_name};
use crate::host::Limit;
use crate::pictures::{Format, Picture, Subject, Wanted};
use crate::portrait::Portrait;
use crate::refusal::Refusal;

/// What a picture may do: nothing.
const OF_PICTURES: &str =
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";
/// What a board in another page may do: open the game's own page in a new tab. Whatever the page around it
/// allows, it has no script, no storage and no origin, and cannot lead that page elsewhere.
const OF_BOARDS: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; \
                         frame-ancestors *; sandbox allow-popups allow-popups-to-escape-sandbox";
/// Seconds after which a board in another page is loaded again while its game goes on, and after a failure.
const AGAIN: &str = "10";
const AFTER_FAILURE: &str = "60";

#[derive(Deserialize)]
pub struct Asked {
    /// After so many moves; none: now.
    #[serde(rename = "move")]
    moves: Option<usize>,
    theme: Option<AskedTheme>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum AskedTheme {
    Light,
    Dark,
}

impl Asked {
    fn theme(&self) -> Option<Theme> {
        self.theme.map(|theme| match theme {
            AskedTheme::Light => Theme::Light,
            AskedTheme::Dark => Theme::Dark,
        })
    }
}

/// A request for a picture, or for a page that may have one: of the game that the path names, else of the line
/// of moves that the query has.
pub struct Asking {
    app: Arc<App>,
    of: Of,
    asked: Asked,
    from: Visitor,
}

enum Of {
    Game(GameName),
    Line {
        terms: Variant,
        moves: String,
        /// As the page spells it, without the question mark.
        query: String,
    },
}

impl FromRequestParts<Arc<App>> for Asking {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Refusal> {
        let named = Option::<Path<String>>::from_request_parts(parts, app).await;
        let of = match named.map_err(Refusal::input)? {
            Some(Path(game)) => Of::Game(game_name(&game)?),
            None => {
                let QueriedLine(line) = QueriedLine::from_request_parts(parts, app).await?;
                Of::Line {
                    terms: line.terms,
                    moves: line.moves,
                    query: parts.uri.query().unwrap_or_default().to_owned(),
                }
            }
        };
        let Queried(asked) = Queried::from_request_parts(parts, app).await?;
        let from = Extension::<Visitor>::from_request_parts(parts, app).await;
        let Extension(from) = from.map_err(Refusal::input)?;
        Ok(Self {
            app: Arc::clone(app),
            of,
            asked,
            from,
        })
    }
}

/// Reads a game: one on the chain as those see it who watch it, a signed one from the relay of this server or
/// from the index. What they have to be asked for counts for who asks.
async fn read(app: &App, game: GameName, from: Visitor) -> Result<Portrait, Refusal> {
    let id = match game {
        GameName::Chain(id) => id,
        GameName::Terms(number) => {
            let shown = app.signed_rooms.shown(number);
            let shown = shown.as_ref().and_then(Portrait::of_shown);
            if let Some(portrait) = shown.clone().filter(|portrait| portrait.over) {
                return Ok(portrait);
            }
            if let Some(gate) = &app.gate {
                gate.opens_a_room(from)?;
            }
            let index = app.indexing.as_ref().and_then(|indexing| indexing.index());
            let row = match index {
                Some(index) => index.game(game).await?,
                None if shown.is_none() && app.elsewhere.is_none() => {
                    return Err(Refusal::no_index());
                }
                None => None,
            };
            // Its end may be on the chain alone.
            let known = row.as_ref().and_then(Portrait::of_row).or(shown);
            let portrait = match (known, &app.elsewhere) {
                (None, Some(elsewhere)) => {
                    let shown = elsewhere.shown(number).await?;
                    shown.as_ref().and_then(Portrait::of_shown)
                }
                (known, _) => known,
            };
            return portrait.ok_or_else(Refusal::no_moves);
        }
    };
    // Without a chain nothing would be seen.
    app.connected()?;
    app.may_look_at(id, from)?;
    let is_watched = app.rooms.is_open(id);
    let seen = app.rooms.game(id).ok_or_else(|| match &app.gate {
        Some(gate) => gate.refuse(Limit::Rooms),
        None => Refusal::busy("too many games are looked at: try again later"),
    });
    let mut seen = seen?;
    let told = seen.wait_for(Option::is_some).await;
    let told = told.map_err(|_| Refusal::lost())?.clone();
    let portrait = match told.as_ref().map(|told| &*told.live) {
        Some(Live::Game(view)) => Portrait::of_view(view),
        Some(Live::Missing { error }) => return Err(Refusal::missing(error)),
        _ => return Err(Refusal::gone(id)),
    };
    if !is_watched && !portrait.over {
        app.pictures.follow(seen);
    }
    Ok(portrait)
}

impl Asking {
    /// The game as it is now.
    pub async fn portrait(&self) -> Result<Arc<Portrait>, Refusal> {
        let pictures = &self.app.pictures;
        match &self.of {
            Of::Game(game) => {
                let read = read(&self.app, *game, self.from);
                pictures.portrait(*game, read).await
            }
            Of::Line { terms, moves, .. } => {
                let portrait = Portrait::of_line(*terms, moves);
                portrait.map(Arc::new).map_err(Refusal::input)
            }
        }
    }

    /// The picture of a game, and whether it still changes.
    async fn draw(&self, format: Format) -> Result<(Picture, bool), Refusal> {
        let portrait = self.portrait().await?;
        let (of, may_change) = match &self.of {
            Of::Game(game) => (
                Subject::Game(*game),
                !portrait.over && self.asked.moves.is_none(),
            ),
            Of::Line { terms, moves, .. } => {
                let line = format!("{terms:?} {moves}");
                (Subject::Line(blake2_128(line.as_bytes())), false)
            }
        };
        let wanted = Wanted {
            of,
            moves: self.asked.moves.filter(|_| format != Format::Gif),
            format,
            theme: self.asked.theme(),
        };
        let gate = self.app.gate.as_deref();
        let pictures = &self.app.pictures;
        let picture = pictures.picture(gate, portrait, wanted, self.from);
        Ok((picture.await?, may_change))
    }

    async fn answer(self, format: Format, asked: &HeaderMap) -> Result<Response, Refusal> {
        let (Picture { bytes, tag }, may_change) = self.draw(format).await?;
        let media = match format {
            Format::Svg => "image/svg+xml",
            Format::Png => "image/png",
            Format::Gif => "image/gif",
        };
        let keep = match may_change {
            true => "no-cache",
            // Not for ever: with other contracts the address is that of another game.
            false => "public, max-age=3600",
        };
        let is_known = has(asked, &tag);
        let tag = HeaderValue::try_from(tag).map_err(Refusal::input)?;
        let headers = [
            (header::CONTENT_TYPE, HeaderValue::from_static(media)),
            (header::CACHE_CONTROL, HeaderValue::from_static(keep)),
            (header::ETAG, tag),
            (
                header::CONTENT_SECURITY_POLICY,
                HeaderValue::from_static(OF_PICTURES),
            ),
        ];
        Ok(match is_known {
            true => (StatusCode::NOT_MODIFIED, headers).into_response(),
            false => (headers, bytes).into_response(),
        })
    }

    /// Where the page is, below the name of this server.
    pub fn path(&self) -> String {
        match &self.of {
            Of::Game(game) => format!("/game/{game}"),
            Of::Line { .. } => "/line".into(),
        }
    }

    /// What follows the path of a page or a picture, to name the same move.
    pub fn query(&self) -> String {
        match (&self.of, self.asked.moves) {
            (Of::Line { query, .. }, _) => format!("?{query}"),
            (Of::Game(_), Some(moves)) => format!("?move={moves}"),
            (Of::Game(_), None) => String::new(),
        }
    }

    pub const fn app(&self) -> &Arc<App> {
        &self.app
    }
}

pub async fn svg(asking: Asking, headers: HeaderMap) -> Result<Response, Refusal> {
    asking.answer(Format::Svg, &headers).await
}

/// The position as PNG, in the size that previews of links take.
pub async fn png(asking: Asking, headers: HeaderMap) -> Result<Response, Refusal> {
    asking.answer(Format::Png, &headers).await
}

/// The moves of a game as an animated GIF. Lines have none: anybody can make up any number of them.
pub async fn gif(asking: Asking, headers: HeaderMap) -> Result<Response, Refusal> {
    asking.answer(Format::Gif, &headers).await
}

/// The board for pages of others, without a script: the browser asks for it again by itself.
pub async fn board(asking: Result<Asking, Refusal>) -> Response {
    let shown = match asking {
        Ok(asking) => shown(&asking).await,
        Err(refusal) => Err(refusal),
    };
    let (status, again, title, body) = match shown {
        Ok(Shown { body, title, again }) => (StatusCode::OK, again, title, body),
        Err(refusal) => {
            let (status, error) = refusal.into_words();
            let again = (status != StatusCode::NOT_FOUND && !status.is_client_error())
                || status == StatusCode::TOO_MANY_REQUESTS;
            let body = format!("<body>\n<p>{}</p>\n", escape(&error));
            (
                status,
                again.then_some(AFTER_FAILURE),
                "Connect Four".into(),
                body,
            )
        }
    };
    let page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n\
         <style>body{{margin:0}}.g{{background:currentColor}}p{{margin:1rem;font:1rem system-ui,sans-serif}}\
         svg{{display:block;width:100%;height:100vh}}</style>\n</head>\n{body}</body>\n</html>\n",
        escape(&title),
    );
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, OF_BOARDS),
    ];
    // A header, as a page without scripts may not ask for it by an element.
    let again = again.map(|seconds| [(header::REFRESH, seconds)]);
    (status, headers, again, page).into_response()
}

/// What a board in another page shows.
struct Shown {
    body: String,
    title: String,
    /// After how many seconds it is loaded again.
    again: Option<&'static str>,
}

async fn shown(asking: &Asking) -> Result<Shown, Refusal> {
    let portrait = asking.portrait().await?;
    let (Picture { bytes, .. }, may_change) = asking.draw(Format::Svg).await?;
    // The ground of the picture goes on around it.
    let body = format!(
        "<body class=\"g\">\n<a href=\"{}{}\" target=\"_blank\" rel=\"noopener noreferrer\">{}</a>\n",
        escape(&asking.path()),
        escape(&asking.query()),
        String::from_utf8_lossy(&bytes),
    );
    Ok(Shown {
        body,
        title: portrait.title(),
        again: may_change.then_some(AGAIN),
    })
}
