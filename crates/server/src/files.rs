//! The files of the page, carried by the program.

/// A file of the page.
pub struct File {
    /// Path within `web/`.
    pub path: &'static str,
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

/// What keeps the files of the page in a browser.
pub const KEEPER: &str = "sw.js";

/// The files of the page, as the build script found them.
pub const FILES: &[File] = include!(concat!(env!("OUT_DIR"), "/page.rs"));
