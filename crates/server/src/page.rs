//! The page as files of its own, which any web server can serve.
//!
//! A host can serve another page than this one, which signs something else than it shows. So the page can
//! be taken from another place than the host that it uses: from this program, whose files can be compared
//! by their hashes. `index.html` names the hash of each script, style and module of WebAssembly, so its own
//! hash stands for all of them. Browsers compare scripts by the import map from Chrome 127, Firefox 138 and
//! Safari 18 on; what older ones load is not compared. Of a service worker no browser compares a hash, and it would
//! answer for the whole page: such a page has none.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use sp_crypto_hashing::sha2_256;

use crate::files::{FILES, INDEX, KEEPER};

/// List of all files with their hashes, in the format of `sha256sum`.
const SUMS: &str = "SHA256SUMS";
/// Where the page names the hosts that it uses.
const HOSTS: &str = r#"<meta name="connect4-hosts" content="">"#;
/// Where the page lets its modules and what they may do be named.
const HEAD: &str = r#"<meta charset="utf-8">"#;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// How many files, without the list of hashes.
    pub files: usize,
    /// SHA-256 of `index.html`, in hexadecimal digits.
    pub sha256: String,
}

#[derive(Debug, thiserror::Error)]
#[error("{} can't be written: {error}", .path.display())]
pub struct WriteError {
    path: PathBuf,
    error: io::Error,
}

/// Writes the page with these hosts, as `https://games.example`, into a folder. Without hosts it uses
/// the server that it is loaded from.
///
/// # Errors
///
/// If a file can't be written.
pub fn write_page(folder: &Path, hosts: &[String]) -> Result<Written, WriteError> {
    let files = page(hosts);
    let mut sums = String::new();
    for (path, bytes) in &files {
        write(&folder.join(path), bytes)?;
        sums.push_str(&format!("{}  {path}\n", hex::encode(sha2_256(bytes))));
    }
    write(&folder.join(SUMS), sums.as_bytes())?;
    Ok(Written {
        files: files.len(),
        sha256: files
            .get(INDEX)
            .map(|index| hex::encode(sha2_256(index)))
            .unwrap_or_default(),
    })
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(path, bytes))
        .map_err(|error| WriteError {
            path: path.to_owned(),
            error,
        })
}

fn page(hosts: &[String]) -> BTreeMap<String, Vec<u8>> {
    let mut files: BTreeMap<String, Vec<u8>> = FILES
        .iter()
        .filter(|file| ![INDEX, KEEPER].contains(&file.path))
        .map(|file| (format!("page/{}", file.address), file.plain.bytes.to_vec()))
        .collect();
    let index = FILES.iter().find(|file| file.path == INDEX);
    let index = index.map(|index| with_hashes(&String::from_utf8_lossy(index.plain.bytes), hosts));
    let index = index.unwrap_or_default().into_bytes();
    // What web servers show for an address that names no file, such as that of a game.
    files.insert("404.html".into(), index.clone());
    files.insert(INDEX.into(), index);
    files
}

/// The page with the hashes of what it loads, and the hosts that it uses.
fn with_hashes(index: &str, hosts: &[String]) -> String {
    // Browsers compare modules by it; the page does so for the others, which it loads itself.
    let loaded: BTreeMap<String, String> = FILES
        .iter()
        .filter(|file| file.is_run())
        .map(|file| (format!("/page/{}", file.address), file.integrity()))
        .collect();
    // A map of texts has always an encoding.
    let map = serde_json::json!({ "integrity": loaded }).to_string();
    let map_hash = BASE64_STANDARD.encode(sha2_256(map.as_bytes()));
    let policy = format!(
        "default-src 'self'; script-src 'self' 'wasm-unsafe-eval' 'sha256-{map_hash}'; worker-src 'self' blob:; \
         connect-src *; img-src 'self' data:; base-uri 'none'; form-action 'none'"
    );
    let head = format!(
        "{HEAD}\n<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <script type=\"importmap\">{map}</script>"
    );
    let named = HOSTS.replace("\"\"", &format!("\"{}\"", hosts.join(" ")));
    let mut page = index.replace(HEAD, &head).replace(HOSTS, &named);
    for file in FILES {
        for attribute in ["href", "src"] {
            let asked = format!("{attribute}=\"/page/{}\"", file.address);
            let hash = file.integrity();
            page = page.replace(&asked, &format!("{asked} integrity=\"{hash}\""));
        }
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::VERSION;

    #[test]
    fn the_page_is_written_with_the_hashes_of_all_its_files() {
        let folder = tempfile::tempdir().unwrap();
        let hosts = ["https://games.example".to_owned()];
        let written = write_page(folder.path(), &hosts).unwrap();
        let sums = fs::read_to_string(folder.path().join(SUMS)).unwrap();
        assert_eq!(sums.lines().count(), written.files);
        for line in sums.lines() {
            let (hash, path) = line.split_once("  ").unwrap();
            let bytes = fs::read(folder.path().join(path)).unwrap();
            assert_eq!(hex::encode(sha2_256(&bytes)), hash, "{path}");
        }
        let index = fs::read_to_string(folder.path().join(INDEX)).unwrap();
        assert!(index.contains(r#"<meta name="connect4-hosts" content="https://games.example">"#));
        assert!(index.contains("http-equiv=\"Content-Security-Policy\""));
        for file in FILES.iter().filter(|file| file.path != INDEX) {
            let named = index.contains(&format!("\"/page/{}\":\"sha256-", file.address));
            assert_eq!(named, file.is_run(), "{}", file.path);
        }
        for path in ["host/page.wasm", "computer/computer.wasm"] {
            assert!(index.contains(&format!("\"/page/{VERSION}/{path}\":\"sha256-")));
        }
        assert!(
            !sums.contains(KEEPER),
            "no hash of index.html could cover it"
        );
        let again = write_page(folder.path(), &hosts).unwrap();
        assert_eq!(again, written, "the same files have the same hashes");
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let taken = folder.path().join("taken");
        fs::write(&taken, "").unwrap();
        let error = write_page(&taken, &[]).unwrap_err();
        assert!(error.to_string().contains("taken"), "{error}");
    }
}
