//! Lists the files of the page, with the modules of WebAssembly that were built for it, and compresses
//! each once, so that the program does not do it for every visitor. Scripts and styles go out without
//! their indentation and without comments, types among them, and scripts without the spaces and line breaks
//! that their code does not need, and the keys of texts are short.
//!
//! What the page runs has the version of all files in its address, so that files of two versions are never mixed,
//! whoever answers and whatever is kept. Icons and the manifest, which others than the page ask for, have none.
//!
//! Crates that embed files (`rust-embed`, `memory-serve`) take a folder as it is. This list is made of
//! files that are changed here, and `connect4 page` writes the same bytes with their hashes: what such a
//! crate would add is the choice of the encoding, a page of code in `routes/page.rs`.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use brotli::BrotliCompress;
use brotli::enc::BrotliEncoderParams;
use miniz_oxide::deflate::compress_to_vec_zlib;

#[path = "src/compact.rs"]
mod compact;

/// Endings of the files that a browser asks for. Others are for development: tests, types, settings.
const ENDINGS: [&str; 6] = ["css", "html", "js", "png", "svg", "webmanifest"];
const INDEX: &str = "index.html";
/// The folder of the tables of texts.
const TEXTS: &str = "words/";
/// What keeps the files of the page in a browser. The program has it name them all.
const KEEPER: &str = "sw.js";
/// Endings of the files that have their version in their address.
const VERSIONED: [&str; 5] = ["bin", "css", "js", "txt", "wasm"];
/// The built modules, made by `scripts/build-page`, the puzzles, and the book of the computer, beside the code that loads
/// them.
const MODULES: [(&str, &str); 6] = [
    ("computer/book.bin", "../opponent/src/book.bin"),
    ("computer/computer.wasm", "../../artifacts/computer.wasm"),
    ("host/page.wasm", "../../artifacts/page.wasm"),
    ("player/player.wasm", "../../artifacts/player.wasm"),
    ("records/record.wasm", "../../artifacts/record.wasm"),
    ("puzzles/puzzles.txt", "../opponent/src/puzzles.txt"),
];
/// The highest level of compression to the zlib format; Brotli's is its default.
const BEST: u8 = 10;

fn main() -> io::Result<()> {
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web");
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?);
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=src/compact.rs");
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
    files.sort();
    let mut scripts = HashMap::new();
    for (path, plain) in &files {
        if path.ends_with(".js") && path != KEEPER {
            scripts.insert(path.clone(), fs::read_to_string(plain)?);
        }
    }
    let mut read = Vec::new();
    let mut all = DefaultHasher::new();
    for (path, plain) in files {
        let mut bytes = fs::read(plain)?;
        if let Some(source) = scripts.get(&path) {
            let source = match table_of(&path, source).and_then(|table| scripts.get(&table)) {
                Some(table) => {
                    let keys = compact::short_keys(table).unwrap_or_default();
                    compact::with_short_keys(source, &keys)?
                }
                None => source.clone(),
            };
            bytes = compact::script(&source)?.into_bytes();
        } else if path.ends_with(".css") {
            bytes = compact::style(&text(bytes)?)?.into_bytes();
        } else if path == KEEPER {
            // The program finds lines of it, which it completes.
            bytes = compact::without_comments(&text(bytes)?)?.into_bytes();
        }
        (&path, &bytes).hash(&mut all);
        read.push((path, bytes));
    }
    let all = format!("{:016x}", all.finish());
    println!("cargo:rustc-env=CONNECT4_PAGE_VERSION={all}");
    let mut list = String::from("&[\n");
    for (index, (path, mut bytes)) in read.into_iter().enumerate() {
        if path == INDEX {
            bytes = versioned(bytes, &all)?;
        }
        let address = address(&path, &all);
        let deflated = compress_to_vec_zlib(&bytes, BEST);
        let mut brotli = Vec::new();
        BrotliCompress(&mut &*bytes, &mut brotli, &BrotliEncoderParams::default())?;
        let mut hasher = DefaultHasher::new();
        hasher.write(&bytes);
        let version = format!("{:016x}", hasher.finish());
        write!(list, "    File {{ path: {path:?}, address: {address:?}, ")
            .map_err(io::Error::other)?;
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

fn text(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes).map_err(io::Error::other)
}

/// The table of texts that a script is or imports.
fn table_of(path: &str, source: &str) -> Option<String> {
    if path.starts_with(TEXTS) {
        return Some(path.to_owned());
    }
    let (_, rest) = source.split_once("import { texts } from '")?;
    let (from, _) = rest.split_once('\'')?;
    let (_, name) = from.rsplit_once('/')?;
    Some(format!("{TEXTS}{name}"))
}

/// Where a file is below `/page/`.
fn address(path: &str, version: &str) -> String {
    let (_, ending) = path.rsplit_once('.').unwrap_or_default();
    match path != KEEPER && VERSIONED.contains(&ending) {
        true => format!("{version}/{path}"),
        false => path.into(),
    }
}

/// The page, which names what it loads by its version.
fn versioned(index: Vec<u8>, version: &str) -> io::Result<Vec<u8>> {
    let text = text(index)?;
    let mut parts = text.split("=\"/page/");
    let mut whole = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (path, rest) = part.split_once('"').unwrap_or((part, ""));
        write!(whole, "=\"/page/{}\"{rest}", address(path, version)).map_err(io::Error::other)?;
    }
    Ok(whole.into_bytes())
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
