//! The page, carried by the program.

use axum::extract::Path;
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::files::{FILES, File, INDEX, KEEPER, KEEPER_OF_ALL};

/// Media type of a file, by the ending of its name.
fn media_type(path: &str) -> &'static str {
    match path.rsplit_once('.') {
        Some((_, "html")) => "text/html; charset=utf-8",
        Some((_, "css")) => "text/css; charset=utf-8",
        Some((_, "js")) => "text/javascript; charset=utf-8",
        Some((_, "txt")) => "text/plain; charset=utf-8",
        Some((_, "svg")) => "image/svg+xml",
        Some((_, "png")) => "image/png",
        Some((_, "webmanifest")) => "application/manifest+json",
        // Browsers compile it while it comes in if it is called so.
        Some((_, "wasm")) => "application/wasm",
        _ => "application/octet-stream",
    }
}

/// The page. Its code shows what the address names.
pub async fn index(headers: HeaderMap) -> Response {
    answer(named(INDEX), &headers)
}

/// A file of the page, by its address below `/page/`.
pub async fn file(Path(address): Path<String>, headers: HeaderMap) -> Response {
    answer(at(&address), &headers)
}

/// What keeps the files of the page in a browser. It is at the root, as it keeps all below it.
pub async fn keeper(headers: HeaderMap) -> Response {
    let (text, tag) = &*KEEPER_OF_ALL;
    let said = [
        (header::CONTENT_TYPE, media_type(KEEPER)),
        (header::CACHE_CONTROL, "no-cache"),
        (header::ETAG, tag),
    ];
    match has(&headers, tag) {
        true => (StatusCode::NOT_MODIFIED, said).into_response(),
        false => (said, text.as_str()).into_response(),
    }
}

/// The page for an unknown address, which says so.
pub async fn nothing(mut headers: HeaderMap) -> Response {
    headers.remove(header::IF_NONE_MATCH);
    let mut response = answer(named(INDEX), &headers);
    *response.status_mut() = StatusCode::NOT_FOUND;
    response
}

fn named(path: &str) -> Option<&'static File> {
    FILES.iter().find(|file| file.path == path)
}

/// The file at an address below `/page/`; none if it is one of another version.
fn at(address: &str) -> Option<&'static File> {
    let pages = |file: &&File| ![INDEX, KEEPER].contains(&file.path);
    let mut files = FILES.iter().filter(pages);
    files.find(|file| file.address == address)
}

/// How long what is at an address is the same: what has its version there is for ever. Of all else a browser asks whether
/// what it has is still the same: the program may have been replaced by the next visit, and its page with it.
fn caching(file: &File) -> &'static str {
    match file.is_run() {
        true => "public, max-age=31536000, immutable",
        false => "no-cache",
    }
}

fn answer(file: Option<&File>, asked: &HeaderMap) -> Response {
    let Some(file) = file else {
        // A host of that version may answer the next time.
        return (StatusCode::NOT_FOUND, [(header::CACHE_CONTROL, "no-store")]).into_response();
    };
    let (encoding, form) = if accepts(asked, "br") {
        (Some("br"), &file.brotli)
    } else if accepts(asked, "deflate") {
        (Some("deflate"), &file.deflate)
    } else {
        (None, &file.plain)
    };
    let headers = [
        (header::CONTENT_TYPE, media_type(file.path)),
        (header::CACHE_CONTROL, caching(file)),
        (header::ETAG, form.tag),
        (header::VARY, "accept-encoding"),
    ];
    if has(asked, form.tag) {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    let encoding = encoding.map(|encoding| [(header::CONTENT_ENCODING, encoding)]);
    (headers, encoding, form.bytes).into_response()
}

fn items(asked: &HeaderMap, name: HeaderName) -> impl Iterator<Item = &str> {
    let values = asked.get_all(name).into_iter();
    let texts = values.filter_map(|value| value.to_str().ok());
    texts.flat_map(|text| text.split(',')).map(str::trim)
}

/// Whether a browser has these bytes of a file already.
pub fn has(asked: &HeaderMap, tag: &str) -> bool {
    // A proxy that changes a file on the way makes its tag a weak one.
    items(asked, header::IF_NONE_MATCH)
        .map(|item| item.trim_start_matches("W/"))
        .any(|item| item == tag || item == "*")
}

/// Whether a browser takes files in an encoding. One that says nothing gets them as they are.
fn accepts(asked: &HeaderMap, encoding: &str) -> bool {
    items(asked, header::ACCEPT_ENCODING).any(|item| {
        let (name, quality) = item.split_once(';').unwrap_or((item, ""));
        let quality = quality.trim().strip_prefix("q=");
        let is_refused = quality.is_some_and(|quality| quality.parse() == Ok(0.0));
        name.trim().eq_ignore_ascii_case(encoding) && !is_refused
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::files::{Form, VERSION};

    /// Whether a file is for development only: a test, a type declaration, a tool's settings.
    fn is_for_development(path: &str) -> bool {
        [".mjs", ".d.ts", ".json"]
            .iter()
            .any(|end| path.ends_with(end))
    }

    fn asking(accept: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(header::ACCEPT_ENCODING, accept.parse().unwrap())])
    }

    #[test]
    fn files_go_out_as_small_as_the_browser_takes_them() {
        for (accept, expected) in [
            ("gzip, deflate, br, zstd", Some("br")),
            ("deflate, BR;q=0.5", Some("br")),
            ("gzip, deflate", Some("deflate")),
            ("Deflate;q=0.5, br;q=0", Some("deflate")),
            ("", None),
            ("gzip, zstd", None),
            ("br;q=0, deflate; q=0.00, gzip", None),
        ] {
            let response = answer(named("main.js"), &asking(accept));
            let encoding = response.headers().get(header::CONTENT_ENCODING);
            assert_eq!(
                encoding.map(|value| value.to_str().unwrap()),
                expected,
                "{accept}"
            );
            assert_eq!(response.headers()[header::VARY], "accept-encoding");
        }
        let plain = answer(named("main.js"), &HeaderMap::new());
        assert!(!plain.headers().contains_key(header::CONTENT_ENCODING));
    }

    #[test]
    fn a_browser_that_has_a_file_does_not_get_it_again() {
        let encodings = ["br", "deflate", ""];
        let tags = encodings.map(|accept| {
            let response = answer(named("main.js"), &asking(accept));
            response.headers()[header::ETAG].clone()
        });
        for (at, accept) in encodings.into_iter().enumerate() {
            for (other, tag) in tags.iter().enumerate() {
                // What another browser has is not the same, in a cache that both use.
                let expected = match other == at {
                    true => StatusCode::NOT_MODIFIED,
                    false => StatusCode::OK,
                };
                let weak = format!("\"other\", W/{}", tag.to_str().unwrap());
                for known in [tag.clone(), weak.parse().unwrap()] {
                    let mut asked = asking(accept);
                    asked.insert(header::IF_NONE_MATCH, known);
                    let response = answer(named("main.js"), &asked);
                    assert_eq!(response.status(), expected, "{accept} {tag:?}");
                    assert_eq!(response.headers()[header::ETAG], tags[at]);
                    assert_eq!(response.headers()[header::VARY], "accept-encoding");
                }
            }
        }
        let page = answer(named(INDEX), &asking("br"));
        assert_ne!(page.headers()[header::ETAG], tags[0]);
    }

    #[test]
    fn scripts_and_styles_go_out_without_indentation_types_and_lines_of_comments() {
        let is_text = |file: &&File| file.path.ends_with(".js") || file.path.ends_with(".css");
        for file in FILES.iter().filter(is_text) {
            let text = std::str::from_utf8(file.plain.bytes).unwrap();
            let left = text.lines().find(|line| {
                line.trim() != *line || line.starts_with("//") || line.contains("/**")
            });
            assert_eq!(left, None, "{}", file.path);
        }
    }

    /// Bytes of all files, in one form.
    fn weight(form: fn(&File) -> &Form) -> usize {
        FILES.iter().map(|file| form(file).bytes.len()).sum()
    }

    #[test]
    fn compression_saves_more_than_half() {
        let plain = weight(|file| &file.plain);
        let deflate = weight(|file| &file.deflate);
        let brotli = weight(|file| &file.brotli);
        assert!(deflate * 2 < plain, "{deflate} of {plain} bytes");
        assert!(brotli * 100 < deflate * 88, "{brotli} of {deflate} bytes");
    }

    /// Adds a file, and those that it names as it is loaded: what index.html has, and what modules import.
    fn load(path: &str, loaded: &mut BTreeSet<String>) {
        if !loaded.insert(path.to_owned()) {
            return;
        }
        let file = FILES.iter().find(|file| file.path == path).unwrap();
        let named: &[&str] = match path.rsplit_once('.') {
            Some((_, "html")) => &["=\"/page/"],
            Some((_, "js")) => &["from '", "import '"],
            _ => return,
        };
        let version = format!("{VERSION}/");
        let text = std::str::from_utf8(file.plain.bytes).unwrap();
        let folder = path.rfind('/').map_or("", |slash| &path[..=slash]);
        for rest in named.iter().flat_map(|before| text.split(before).skip(1)) {
            let end = rest.find(['"', '\'']).unwrap();
            let asked = &rest[..end];
            let asked = asked.strip_prefix(&version).unwrap_or(asked);
            load(&resolve(folder, asked), loaded);
        }
    }

    /// What a visitor of a public host loads who plays as a guest. Icons are for those who install it.
    fn first_visit() -> BTreeSet<String> {
        let mut loaded = BTreeSet::new();
        for path in [
            "index.html",
            "host/main.js",
            "player/player.wasm",
            "here/main.js",
            "terms/main.js",
            "terms/panel.js",
            "terms/view.js",
            "style/terms.css",
        ] {
            load(path, &mut loaded);
        }
        loaded.retain(|path| !path.ends_with(".png"));
        loaded
    }

    #[test]
    fn a_first_visit_weighs_less_than_300_kilobytes() {
        let files = first_visit();
        let brotli = weight_where(|path| files.contains(path));
        assert!(brotli < 300_000, "{brotli} bytes");
        for late in ["puzzles/main.js", "people/main.js", "variant/main.js"] {
            assert!(!files.contains(late), "{late}");
        }
    }

    /// Bytes of some files over the wire.
    fn weight_where(is_meant: impl Fn(&str) -> bool) -> usize {
        let meant = FILES.iter().filter(|file| is_meant(file.path));
        meant.map(|file| file.brotli.bytes.len()).sum()
    }

    #[test]
    fn what_is_loaded_when_it_is_first_used_has_limits() {
        let first = first_visit();
        let book = weight_where(|path| path == "computer/book.bin");
        assert!(book < 360_000, "{book} bytes");
        let computer = weight_where(|path| path.starts_with("computer/")) - book;
        assert!(computer < 120_000, "{computer} bytes");
        let chain = weight_where(|path| path == "host/page.wasm");
        assert!(!first.contains("host/page.wasm"));
        assert!(chain < 130_000, "{chain} bytes");
        let is_player = |path: &str| path.starts_with("player/") || path == "words/player.js";
        let player = weight_where(is_player);
        assert!(player < 165_000, "{player} bytes");
        let record = weight_where(|path| path.ends_with("record.wasm"));
        assert!(record < 102_000, "{record} bytes");
        let puzzles = weight_where(|path| path.ends_with(".txt"));
        assert!(puzzles < 20_000, "{puzzles} bytes");
        let other = weight_where(|path| {
            let has_own = path.starts_with("computer/")
                || is_player(path)
                || [".wasm", ".txt", ".png"]
                    .iter()
                    .any(|end| path.ends_with(end));
            !has_own && !first.contains(path)
        });
        assert!(other < 60_000, "{other} bytes");
    }

    #[test]
    fn the_page_and_its_folders_are_carried() {
        for path in [
            "index.html",
            "main.js",
            "state/reduce.js",
            "style/base.css",
            "host/page.wasm",
            "computer/computer.wasm",
            "app.webmanifest",
            KEEPER,
        ] {
            assert!(FILES.iter().any(|file| file.path == path), "{path}");
        }
        assert!(!FILES.iter().any(|file| is_for_development(file.path)));
    }

    /// A relative path within `web/`, as seen from a folder there.
    fn resolve(folder: &str, path: &str) -> String {
        let mut parts: Vec<&str> = folder.split_terminator('/').collect();
        for part in path.split('/') {
            match part {
                "." => {}
                ".." => {
                    parts.pop();
                }
                name => parts.push(name),
            }
        }
        parts.join("/")
    }

    #[test]
    fn a_browser_keeps_all_files_but_the_keeper_itself() {
        let (text, _) = &*KEEPER_OF_ALL;
        for file in FILES {
            let address = match file.path {
                INDEX => "/".to_owned(),
                _ => format!("/page/{}", file.address),
            };
            let kept = format!("['{address}','{}']", file.integrity());
            assert_eq!(text.contains(&kept), file.path != KEEPER, "{kept}");
        }
        assert!(text.contains(&format!("const VERSION = '{VERSION}';")));
    }

    #[test]
    fn what_the_page_runs_is_at_an_address_with_its_version_for_ever() {
        let kept = |address: &str| {
            let response = answer(at(address), &HeaderMap::new());
            let caching = response.headers()[header::CACHE_CONTROL].to_str().unwrap();
            (response.status(), caching.to_owned())
        };
        for file in FILES {
            let (status, caching) = kept(file.address);
            let expected = match file.path {
                INDEX | KEEPER => (StatusCode::NOT_FOUND, "no-store"),
                _ if file.is_run() => (StatusCode::OK, "public, max-age=31536000, immutable"),
                _ => (StatusCode::OK, "no-cache"),
            };
            assert_eq!((status, &*caching), expected, "{}", file.path);
            let other = format!("0123456789abcdef/{}", file.path);
            assert_eq!(kept(&other).0, StatusCode::NOT_FOUND);
            if file.is_run() {
                assert_eq!(kept(file.path).0, StatusCode::NOT_FOUND, "{}", file.path);
            }
        }
        let index = answer(named(INDEX), &HeaderMap::new());
        assert_eq!(index.headers()[header::CACHE_CONTROL], "no-cache");
    }

    #[test]
    fn the_page_asks_for_nothing_that_is_not_carried() {
        for File { path, plain, .. } in FILES {
            let Ok(text) = std::str::from_utf8(plain.bytes) else {
                let types = ["application/octet-stream", "application/wasm", "image/png"];
                assert!(types.contains(&media_type(path)));
                continue;
            };
            let until_quote = |rest: &str| -> String {
                let end = rest.find(['"', '\'']).unwrap_or(rest.len());
                rest[..end].to_owned()
            };
            let folder = path.rfind('/').map_or("", |slash| &path[..=slash]);
            let absolute = text.split("/page/").skip(1).map(until_quote);
            let absolute = absolute.map(|address| {
                let version = format!("{VERSION}/");
                address
                    .strip_prefix(&version)
                    .unwrap_or(&address)
                    .to_owned()
            });
            // The folder itself is no file.
            let absolute = absolute.filter(|file| !file.is_empty());
            // Styles that are loaded with a part of the page.
            let styles = text.split("'style/").skip(1);
            let styles = styles.map(|rest| format!("style/{}", until_quote(rest)));
            // Modules are asked for as `from './x.js'` and `import('./x.js')`.
            let relative = ["from '", "import('"].iter().flat_map(|before| {
                let asked = text.split(before).skip(1).map(until_quote);
                asked.map(|file| resolve(folder, &file))
            });
            for asked in absolute.chain(relative).chain(styles) {
                // Types are imported in comments.
                if is_for_development(&asked) {
                    continue;
                }
                assert!(
                    FILES.iter().any(|file| file.path == asked),
                    "{path} asks for {asked}"
                );
            }
        }
    }
}
