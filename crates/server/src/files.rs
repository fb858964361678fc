//! The files of the page, carried by the program.

/// A file of the page.
pub struct File {
    /// Path within `web/`.
    pub path: &'static str,
    pub plain: &'static [u8],
    /// The same in the zlib format, which HTTP calls `deflate`.
    pub compressed: &'static [u8],
    /// What tells this version from others, as HTTP's `ETag` has it.
    pub tag: &'static str,
}

/// The files of the page, as the build script found them.
pub const FILES: &[File] = include!(concat!(env!("OUT_DIR"), "/page.rs"));
