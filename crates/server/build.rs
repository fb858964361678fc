//! Lists the files of the page, and compresses each once, so that the program does not do it for
//! every visitor.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use miniz_oxide::deflate::compress_to_vec_zlib;

/// Endings of the files that a browser asks for. Others are for development: tests, types, settings.
const ENDINGS: [&str; 4] = ["css", "html", "js", "svg"];
/// The highest level of compression.
const BEST: u8 = 10;

fn main() -> io::Result<()> {
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web");
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?);
    println!("cargo:rerun-if-changed=build.rs");
    let mut files = Vec::new();
    find(&web, "", &mut files)?;
    files.sort();
    let mut list = String::from("&[\n");
    for (index, path) in files.iter().enumerate() {
        let plain = web.join(path).canonicalize()?;
        let compressed = out.join(format!("{index}.zlib"));
        fs::write(&compressed, compress_to_vec_zlib(&fs::read(&plain)?, BEST))?;
        writeln!(
            list,
            "    File {{ path: {path:?}, plain: include_bytes!({plain:?}), compressed: include_bytes!({compressed:?}) }},",
        )
        .map_err(io::Error::other)?;
    }
    list.push_str("]\n");
    fs::write(out.join("page.rs"), list)
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
