//! The page, carried by the program.

use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

/// The files of the page, by path within `web/`.
macro_rules! files {
    ($($name:literal: $kind:literal),* $(,)?) => {
        const FILES: &[(&str, &str, &[u8])] = &[
            $(($name, $kind, include_bytes!(concat!("../../../web/", $name)))),*
        ];
    };
}

files! {
    "index.html": "text/html; charset=utf-8",
    "style.css": "text/css; charset=utf-8",
    "icon.svg": "image/svg+xml",
    "api.js": "text/javascript; charset=utf-8",
    "board.js": "text/javascript; charset=utf-8",
    "dom.js": "text/javascript; charset=utf-8",
    "lobby.js": "text/javascript; charset=utf-8",
    "main.js": "text/javascript; charset=utf-8",
    "panel.js": "text/javascript; charset=utf-8",
    "sound.js": "text/javascript; charset=utf-8",
    "state/actions.js": "text/javascript; charset=utf-8",
    "state/announce.js": "text/javascript; charset=utf-8",
    "state/challenges.js": "text/javascript; charset=utf-8",
    "state/clock.js": "text/javascript; charset=utf-8",
    "state/connection.js": "text/javascript; charset=utf-8",
    "state/drop.js": "text/javascript; charset=utf-8",
    "state/keys.js": "text/javascript; charset=utf-8",
    "state/position.js": "text/javascript; charset=utf-8",
    "state/reduce.js": "text/javascript; charset=utf-8",
    "state/review.js": "text/javascript; charset=utf-8",
    "state/route.js": "text/javascript; charset=utf-8",
    "state/seats.js": "text/javascript; charset=utf-8",
    "state/status.js": "text/javascript; charset=utf-8",
    "state/text.js": "text/javascript; charset=utf-8",
    "store.js": "text/javascript; charset=utf-8",
    "theme.js": "text/javascript; charset=utf-8",
}

/// The page, whatever of it the address names.
pub async fn index() -> Response {
    answer("index.html")
}

/// A file of the page.
pub async fn file(Path(path): Path<String>) -> Response {
    answer(&path)
}

/// What is nowhere: the page says so.
pub async fn nothing() -> Response {
    let mut response = answer("index.html");
    *response.status_mut() = StatusCode::NOT_FOUND;
    response
}

fn answer(name: &str) -> Response {
    match FILES.iter().find(|(found, _, _)| *found == name) {
        // The program may be another one at the next visit.
        Some((_, kind, bytes)) => (
            [
                (header::CONTENT_TYPE, *kind),
                (header::CACHE_CONTROL, "no-cache"),
            ],
            *bytes,
        )
            .into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files by which the page is developed, and which it does without.
    fn is_for_development(path: &str) -> bool {
        path.ends_with(".mjs") || path.ends_with(".d.ts") || path.ends_with(".json")
    }

    #[test]
    fn every_file_of_the_page_is_carried() {
        let web = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web");
        let mut there = Vec::new();
        for folder in ["", "state/"] {
            for entry in std::fs::read_dir(format!("{web}/{folder}")).unwrap() {
                let entry = entry.unwrap();
                let path = format!("{folder}{}", entry.file_name().to_str().unwrap());
                if entry.file_type().unwrap().is_file() && !is_for_development(&path) {
                    there.push(path);
                }
            }
        }
        let mut carried: Vec<&str> = FILES.iter().map(|(path, _, _)| *path).collect();
        there.sort();
        carried.sort_unstable();
        assert_eq!(carried, there);
    }

    #[test]
    fn the_page_asks_for_nothing_that_is_not_carried() {
        for (path, _, bytes) in FILES {
            let text = std::str::from_utf8(bytes).unwrap();
            let until_quote = |rest: &str| -> String {
                let end = rest.find(['"', '\'']).unwrap_or(rest.len());
                rest[..end].to_owned()
            };
            let folder = path.rfind('/').map_or("", |slash| &path[..=slash]);
            let absolute = text.split("/page/").skip(1).map(until_quote);
            let relative = text.split("from './").skip(1).map(until_quote);
            let relative = relative.map(|file| format!("{folder}{file}"));
            let above = text.split("from '../").skip(1).map(until_quote);
            for asked in absolute.chain(relative).chain(above) {
                assert!(
                    FILES.iter().any(|(found, _, _)| *found == asked),
                    "{path} asks for {asked}"
                );
            }
        }
    }
}
