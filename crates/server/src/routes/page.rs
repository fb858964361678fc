//! The page, carried by the program.

use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::files::FILES;

/// Media type of a file, by the ending of its name.
fn media_type(path: &str) -> &'static str {
    match path.rsplit_once('.') {
        Some((_, "html")) => "text/html; charset=utf-8",
        Some((_, "css")) => "text/css; charset=utf-8",
        Some((_, "js")) => "text/javascript; charset=utf-8",
        Some((_, "svg")) => "image/svg+xml",
        // Browsers compile it while it comes in if it is called so.
        Some((_, "wasm")) => "application/wasm",
        _ => "application/octet-stream",
    }
}

/// The page. Its code shows what the address names.
pub async fn index(headers: HeaderMap) -> Response {
    answer("index.html", &headers)
}

/// A file of the page.
pub async fn file(Path(path): Path<String>, headers: HeaderMap) -> Response {
    answer(&path, &headers)
}

/// The page for an unknown address, which says so.
pub async fn nothing(mut headers: HeaderMap) -> Response {
    headers.remove(header::IF_NONE_MATCH);
    let mut response = answer("index.html", &headers);
    *response.status_mut() = StatusCode::NOT_FOUND;
    response
}

fn answer(path: &str, asked: &HeaderMap) -> Response {
    let Some(file) = FILES.iter().find(|file| file.path == path) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let headers = [
        (header::CONTENT_TYPE, media_type(path)),
        // The program may have been replaced by the next visit, and its page with it: a browser asks
        // whether what it has is still the same.
        (header::CACHE_CONTROL, "no-cache"),
        (header::ETAG, file.tag),
        (header::VARY, "accept-encoding"),
    ];
    if has(asked, file.tag) {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    if takes_deflate(asked) {
        let encoding = [(header::CONTENT_ENCODING, "deflate")];
        (headers, encoding, file.compressed).into_response()
    } else {
        (headers, file.plain).into_response()
    }
}

/// Whether a browser has this version of a file already.
fn has(asked: &HeaderMap, tag: &str) -> bool {
    let values = asked.get_all(header::IF_NONE_MATCH);
    let mut tags = values
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        // A proxy that compresses a file makes its tag a weak one.
        .map(|tag| tag.trim().trim_start_matches("W/"));
    tags.any(|asked| asked == tag || asked == "*")
}

/// Whether a browser takes files in the zlib format. One that says nothing gets them as they are.
fn takes_deflate(asked: &HeaderMap) -> bool {
    let values = asked.get_all(header::ACCEPT_ENCODING);
    let mut codings = values
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','));
    codings.any(|coding| {
        let (name, quality) = coding.split_once(';').unwrap_or((coding, ""));
        let refused = quality
            .trim()
            .strip_prefix("q=")
            .is_some_and(|quality| quality.trim_end_matches('0') == "0." || quality == "0");
        name.trim().eq_ignore_ascii_case("deflate") && !refused
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::File;

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
    fn files_go_out_compressed_to_whoever_takes_them_so() {
        for accept in ["deflate", "gzip, deflate, br, zstd", "Deflate;q=0.5"] {
            assert!(takes_deflate(&asking(accept)), "{accept}");
            let response = answer("main.js", &asking(accept));
            assert_eq!(response.headers()[header::CONTENT_ENCODING], "deflate");
        }
        for accept in ["", "gzip, br", "deflate;q=0", "deflate; q=0.0, gzip"] {
            assert!(!takes_deflate(&asking(accept)), "{accept}");
            let response = answer("main.js", &asking(accept));
            assert!(!response.headers().contains_key(header::CONTENT_ENCODING));
        }
        assert!(!takes_deflate(&HeaderMap::new()));
    }

    #[test]
    fn a_browser_that_has_a_file_does_not_get_it_again() {
        let tag = answer("main.js", &HeaderMap::new()).headers()[header::ETAG].clone();
        let weak = format!("\"other\", W/{}", tag.to_str().unwrap());
        for (known, status) in [
            (tag.clone(), StatusCode::NOT_MODIFIED),
            (weak.parse().unwrap(), StatusCode::NOT_MODIFIED),
            ("\"other\"".parse().unwrap(), StatusCode::OK),
        ] {
            let asked = HeaderMap::from_iter([(header::IF_NONE_MATCH, known)]);
            let response = answer("main.js", &asked);
            assert_eq!(response.status(), status);
            assert_eq!(response.headers()[header::ETAG], tag);
        }
        let other = answer("index.html", &HeaderMap::new());
        assert_ne!(other.headers()[header::ETAG], tag);
    }

    #[test]
    fn scripts_and_styles_go_out_without_lines_of_comments() {
        let is_text = |file: &&File| file.path.ends_with(".js") || file.path.ends_with(".css");
        for file in FILES.iter().filter(is_text) {
            let text = std::str::from_utf8(file.plain).unwrap();
            let comment = text.lines().find(|line| {
                let line = line.trim();
                line.starts_with("//") || line == "/**"
            });
            assert_eq!(comment, None, "{}", file.path);
        }
    }

    #[test]
    fn compression_saves_more_than_half() {
        let plain: usize = FILES.iter().map(|file| file.plain.len()).sum();
        let compressed: usize = FILES.iter().map(|file| file.compressed.len()).sum();
        assert!(compressed * 2 < plain, "{compressed} of {plain} bytes");
    }

    #[test]
    fn the_page_with_its_module_weighs_less_than_300_kilobytes() {
        let compressed: usize = FILES.iter().map(|file| file.compressed.len()).sum();
        assert!(compressed < 300_000, "{compressed} bytes");
    }

    #[test]
    fn the_page_and_its_folders_are_carried() {
        for path in [
            "index.html",
            "main.js",
            "state/reduce.js",
            "style/base.css",
            "host/page.wasm",
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
    fn the_page_asks_for_nothing_that_is_not_carried() {
        for File { path, plain, .. } in FILES {
            let Ok(text) = std::str::from_utf8(plain) else {
                assert_eq!(media_type(path), "application/wasm");
                continue;
            };
            let until_quote = |rest: &str| -> String {
                let end = rest.find(['"', '\'']).unwrap_or(rest.len());
                rest[..end].to_owned()
            };
            let folder = path.rfind('/').map_or("", |slash| &path[..=slash]);
            let absolute = text.split("/page/").skip(1).map(until_quote);
            // Modules are asked for as `from './x.js'` and `import('./x.js')`.
            let relative = ["from '", "import('"].iter().flat_map(|before| {
                let asked = text.split(before).skip(1).map(until_quote);
                asked.map(|file| resolve(folder, &file))
            });
            for asked in absolute.chain(relative) {
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
