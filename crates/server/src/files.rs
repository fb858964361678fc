//! The files of the page, carried by the program.

use std::sync::LazyLock;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use sp_crypto_hashing::sha2_256;

pub struct File {
    /// Path within `web/`.
    pub path: &'static str,
    /// Where it is below `/page/`: the same path, behind [`VERSION`] if the page loads and runs it. The page itself and
    /// the keeper are elsewhere.
    pub address: &'static str,
    pub plain: Form,
    /// In the zlib format, which HTTP calls `deflate`.
    pub deflate: Form,
    /// In Brotli's format, which HTTP calls `br`. Browsers take it over TLS, and from this machine.
    pub brotli: Form,
}

/// What goes over the wire of a file.
pub struct Form {
    pub bytes: &'static [u8],
    /// What tells these bytes from others, as HTTP's `ETag` has it.
    pub tag: &'static str,
}

pub const INDEX: &str = "index.html";

/// What keeps the files of the page in a browser.
pub const KEEPER: &str = "sw.js";

/// What tells these files from those of other programs. It stands in the addresses of the files that the page runs.
pub const VERSION: &str = env!("CONNECT4_PAGE_VERSION");

impl File {
    /// Whether the page loads and runs it. Others than the page ask for icons and the manifest as well.
    pub fn is_run(&self) -> bool {
        self.address != self.path
    }

    /// Its hash, as browsers compare it.
    pub fn integrity(&self) -> String {
        let hash = BASE64_STANDARD.encode(sha2_256(self.plain.bytes));
        format!("sha256-{hash}")
    }
}

/// What keeps the files of the page in a browser, and its tag: it names them all with their hashes, and their version.
pub static KEEPER_OF_ALL: LazyLock<(String, String)> = LazyLock::new(|| {
    let files = FILES.iter().filter(|file| file.path != KEEPER);
    let named = files.map(|file| match file.path {
        INDEX => format!("['/','{}']", file.integrity()),
        _ => format!("['/page/{}','{}']", file.address, file.integrity()),
    });
    let named: Vec<String> = named.collect();
    let plain = FILES.iter().find(|file| file.path == KEEPER);
    let plain = plain.map_or_else(String::new, |file| {
        String::from_utf8_lossy(file.plain.bytes).into_owned()
    });
    let text = plain
        .replace(
            "const VERSION = '';",
            &format!("const VERSION = '{VERSION}';"),
        )
        .replace(
            "const FILES = [];",
            &format!("const FILES = [{}];", named.join(",")),
        );
    let tag = format!("\"{}\"", hex::encode(sha2_256(text.as_bytes())));
    (text, tag)
});

/// The files of the page, as the build script found them.
pub const FILES: &[File] = include!(concat!(env!("OUT_DIR"), "/page.rs"));
