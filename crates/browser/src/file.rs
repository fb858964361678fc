//! Files in which the program keeps games by signed terms.

/// What such a file begins with: what it is, and the version of its layout.
pub const FILE: &[u8; 8] = b"c4game\0\x02";
