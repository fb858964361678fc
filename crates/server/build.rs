//! Lists the files of the page, with the modules of WebAssembly that were built for it, and compresses
//! each once, so that the program does not do it for every visitor. Scripts and styles go out without
//! their comments, a fifth of what a visitor would load; every line keeps its number.
//!
//! Crates that embed files (`rust-embed`, `memory-serve`) take a folder as it is. This list is made of
//! files that are changed here, and `connect4 page` writes the same bytes with their hashes: what such a
//! crate would add is the choice of the encoding, a page of code in `routes/page.rs`.

use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hasher as _};
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use brotli::BrotliCompress;
use brotli::enc::BrotliEncoderParams;
use miniz_oxide::deflate::compress_to_vec_zlib;

/// Endings of the files that a browser asks for. Others are for development: tests, types, settings.
const ENDINGS: [&str; 6] = ["css", "html", "js", "png", "svg", "webmanifest"];
/// What keeps the files of the page in a browser: it names them all, and changes with any of them.
const KEEPER: &str = "sw.js";
/// The built modules, made by `scripts/build-page`, and the puzzles, beside the code that loads them.
const MODULES: [(&str, &str); 4] = [
    ("computer/computer.wasm", "../../artifacts/computer.wasm"),
    ("host/page.wasm", "../../artifacts/page.wasm"),
    ("records/record.wasm", "../../artifacts/record.wasm"),
    ("puzzles/puzzles.txt", "../opponent/src/puzzles.txt"),
];
/// The highest level of compression to the zlib format; Brotli's is its default.
const BEST: u8 = 10;

fn main() -> io::Result<()> {
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web");
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?);
    println!("cargo:rerun-if-changed=build.rs");
    let mut files = Vec::new();
    find(&web, "", &mut files)?;
    let mut files: Vec<(String, PathBuf)> = files
        .into_iter()
        .map(|path| (path.clone(), web.join(path)))
        .collect();
    for (path, module) in MODULES {
        let module = Path::new(env!("CARGO_MANIFEST_DIR")).join(module);
        println!("cargo:rerun-if-changed={}", module.display());
        files.push((path.into(), module));
    }
    // The keeper last, as it names the others.
    files.sort_by_key(|(path, _)| (path == KEEPER, path.clone()));
    let mut all = DefaultHasher::new();
    let mut kept = String::new();
    let mut list = String::from("&[\n");
    for (index, (path, plain)) in files.iter().enumerate() {
        let mut bytes = fs::read(plain)?;
        if path.ends_with(".js") || path.ends_with(".css") {
            let text = String::from_utf8(bytes).map_err(io::Error::other)?;
            bytes = without_comments(&text).into_bytes();
        }
        if path == KEEPER {
            bytes = keeper(&bytes, all.finish(), &kept)?;
        } else if path != "index.html" {
            write!(kept, "'/page/{path}',").map_err(io::Error::other)?;
        }
        all.write(&bytes);
        let deflated = compress_to_vec_zlib(&bytes, BEST);
        let mut brotli = Vec::new();
        BrotliCompress(&mut &*bytes, &mut brotli, &BrotliEncoderParams::default())?;
        let mut hasher = DefaultHasher::new();
        hasher.write(&bytes);
        let version = format!("{:016x}", hasher.finish());
        write!(list, "    File {{ path: {path:?}, ").map_err(io::Error::other)?;
        for (name, bytes) in [("plain", bytes), ("deflate", deflated), ("brotli", brotli)] {
            let file = out.join(format!("{index}.{name}"));
            fs::write(&file, bytes)?;
            // Each has a tag of its own, as they are not the same bytes.
            let tag = format!("\"{version}-{name}\"");
            write!(
                list,
                "{name}: Form {{ bytes: include_bytes!({file:?}), tag: {tag:?} }}, "
            )
            .map_err(io::Error::other)?;
        }
        list.push_str("},\n");
    }
    list.push_str("]\n");
    fs::write(out.join("page.rs"), list)
}

/// The keeper of the files with their version and their paths.
fn keeper(bytes: &[u8], version: u64, paths: &str) -> io::Result<Vec<u8>> {
    let mut text = String::from_utf8(bytes.to_vec()).map_err(io::Error::other)?;
    for (before, after) in [
        (
            "const VERSION = '';",
            format!("const VERSION = '{version:016x}';"),
        ),
        ("const FILES = [];", format!("const FILES = [{paths}];")),
    ] {
        if !text.contains(before) {
            return Err(io::Error::other(format!("{KEEPER} has no line `{before}`")));
        }
        text = text.replace(before, &after);
    }
    Ok(text.into_bytes())
}

/// The same text with lines left empty that are comments alone. A comment beside code stays, so that
/// nothing within a string is taken for one.
fn without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut inside = false;
    for line in text.lines() {
        let trimmed = line.trim();
        let begins = !inside && trimmed.starts_with("/*");
        let end = trimmed.find("*/").map(|at| at + "*/".len());
        let is_comment = match (inside || begins, end) {
            (true, None) => true,
            (true, Some(end)) => inside || end == trimmed.len(),
            (false, _) => trimmed.starts_with("//"),
        };
        inside = (inside || begins) && end.is_none();
        if !is_comment {
            kept.push_str(line);
        }
        kept.push('\n');
    }
    kept
}

/// Adds the files of a folder of the page, and of the folders in it, by their paths within `web/`.
fn find(web: &Path, folder: &str, files: &mut Vec<String>) -> io::Result<()> {
    println!("cargo:rerun-if-changed={}", web.join(folder).display());
    for entry in fs::read_dir(web.join(folder))? {
        let entry = entry?;
        let name = entry.file_name();
        let Some(name) = name.to_str() else { continue };
        let path = format!("{folder}{name}");
        if entry.file_type()?.is_dir() {
            find(web, &format!("{path}/"), files)?;
        } else if ENDINGS
            .iter()
            .any(|ending| name.ends_with(&format!(".{ending}")))
        {
            files.push(path);
        }
    }
    Ok(())
}
