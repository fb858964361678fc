//! The page, carried by the program.

use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

/// The files of the page, by path within `web/`.
macro_rules! files {
    ($($path:literal),* $(,)?) => {
        const FILES: &[(&str, &[u8])] = &[
            $(($path, include_bytes!(concat!("../../../../web/", $path)))),*
        ];
    };
}

files! {
    "api.js",
    "clipboard.js",
    "commands.js",
    "dom/actions.js",
    "dom/board.js",
    "dom/elements.js",
    "dom/extras.js",
    "dom/frame.js",
    "dom/lobby.js",
    "dom/mirror.js",
    "dom/moves.js",
    "dom/new-game.js",
    "dom/panel.js",
    "dom/screen.js",
    "icon.svg",
    "index.html",
    "input.js",
    "main.js",
    "navigation.js",
    "review.js",
    "settings.js",
    "sound.js",
    "state/actions.js",
    "state/announce.js",
    "state/challenges.js",
    "state/clock.js",
    "state/connection.js",
    "state/drop.js",
    "state/keys.js",
    "state/position.js",
    "state/reduce.js",
    "state/review.js",
    "state/route.js",
    "state/seats.js",
    "state/status.js",
    "state/text.js",
    "storage.js",
    "store.js",
    "style/base.css",
    "style/board.css",
    "style/controls.css",
    "style/game.css",
    "style/lobby.css",
    "theme.js",
}

/// Media type of a file, by the ending of its name.
fn media_type(path: &str) -> &'static str {
    match path.rsplit_once('.') {
        Some((_, "html")) => "text/html; charset=utf-8",
        Some((_, "css")) => "text/css; charset=utf-8",
        Some((_, "js")) => "text/javascript; charset=utf-8",
        Some((_, "svg")) => "image/svg+xml",
        _ => "application/octet-stream",
    }
}

/// The page. Its code shows what the address names.
pub async fn index() -> Response {
    answer("index.html")
}

/// A file of the page.
pub async fn file(Path(path): Path<String>) -> Response {
    answer(&path)
}

/// The page for an unknown address, which says so.
pub async fn nothing() -> Response {
    let mut response = answer("index.html");
    *response.status_mut() = StatusCode::NOT_FOUND;
    response
}

fn answer(path: &str) -> Response {
    let Some((_, bytes)) = FILES.iter().find(|(found, _)| *found == path) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let headers = [
        (header::CONTENT_TYPE, media_type(path)),
        // The program may have been replaced by the next visit, and its page with it.
        (header::CACHE_CONTROL, "no-cache"),
    ];
    (headers, *bytes).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a file is for development only: a test, a type declaration, a tool's settings.
    fn is_for_development(path: &str) -> bool {
        [".mjs", ".d.ts", ".json"]
            .iter()
            .any(|end| path.ends_with(end))
    }

    #[test]
    fn every_file_of_the_page_is_carried() {
        let web = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web");
        let mut there = Vec::new();
        for folder in ["", "dom/", "state/", "style/"] {
            for entry in std::fs::read_dir(format!("{web}/{folder}")).unwrap() {
                let entry = entry.unwrap();
                let path = format!("{folder}{}", entry.file_name().to_str().unwrap());
                if entry.file_type().unwrap().is_file() && !is_for_development(&path) {
                    there.push(path);
                }
            }
        }
        let mut carried: Vec<&str> = FILES.iter().map(|(path, _)| *path).collect();
        there.sort();
        carried.sort_unstable();
        assert_eq!(carried, there);
    }

    #[test]
    fn the_page_asks_for_nothing_that_is_not_carried() {
        for (path, bytes) in FILES {
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
                // Types are imported in comments.
                if is_for_development(&asked) {
                    continue;
                }
                assert!(
                    FILES.iter().any(|(found, _)| *found == asked),
                    "{path} asks for {asked}"
                );
            }
        }
    }
}
