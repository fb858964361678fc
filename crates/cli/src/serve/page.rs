//! The page, carried by the program.

use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

/// The files of the page, by name.
macro_rules! files {
    ($($name:literal: $kind:literal),* $(,)?) => {
        const FILES: &[(&str, &str, &[u8])] = &[
            $(($name, $kind, include_bytes!(concat!("../../../../web/", $name)))),*
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
    "state.js": "text/javascript; charset=utf-8",
    "store.js": "text/javascript; charset=utf-8",
    "theme.js": "text/javascript; charset=utf-8",
}

/// The page, whatever of it the address names.
pub async fn index() -> Response {
    answer("index.html")
}

/// A file of the page.
pub async fn file(Path(name): Path<String>) -> Response {
    answer(&name)
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

    #[test]
    fn every_file_of_the_page_is_carried() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web");
        let mut there: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .filter(|name| !name.ends_with(".test.mjs"))
            .collect();
        let mut carried: Vec<&str> = FILES.iter().map(|(name, _, _)| *name).collect();
        there.sort();
        carried.sort_unstable();
        assert_eq!(carried, there);
    }

    #[test]
    fn the_page_asks_for_nothing_that_is_not_carried() {
        for (name, _, bytes) in FILES {
            let text = std::str::from_utf8(bytes).unwrap();
            let asked = text
                .split("/page/")
                .skip(1)
                .map(|rest| rest.split(['"', '\'']).next().unwrap_or_default())
                .chain(
                    text.split("from './")
                        .skip(1)
                        .map(|rest| rest.split('\'').next().unwrap_or_default()),
                );
            for file in asked {
                assert!(
                    FILES.iter().any(|(found, _, _)| *found == file),
                    "{name} asks for {file}"
                );
            }
        }
    }
}
