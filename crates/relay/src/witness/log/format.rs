//! Groups of entries, as they are written.

use std::io;

use codec::Encode as _;
use connect4_protocol::signed::{Crypto as _, Native};

use crate::witness::entry::{Entry, Key};

/// By what the file begins: the version of the format is the last byte.
pub const MARK: [u8; 8] = *b"c4witn\x00\x02";
pub const HEAD: usize = 20;
/// Bytes of a group's entries, at most. It is far more than the entries that wait for the log can have.
pub const MAX_GROUP: u64 = 64 << 20;

/// A group of these entries, and its checksum.
pub fn group(mark: [u8; 8], before: [u8; 8], entries: &[Entry]) -> io::Result<(Vec<u8>, [u8; 8])> {
    let mut bytes = vec![0; HEAD];
    for entry in entries {
        entry.encode_to(&mut bytes);
    }
    let len = u32::try_from(bytes.len() - HEAD).ok();
    let len = len.filter(|len| u64::from(*len) <= MAX_GROUP);
    let len = len.ok_or(io::ErrorKind::InvalidInput)?;
    let checksum = checksum(before, &bytes[HEAD..]);
    bytes[..8].copy_from_slice(&mark);
    bytes[8..12].copy_from_slice(&len.to_le_bytes());
    bytes[12..HEAD].copy_from_slice(&checksum);
    Ok((bytes, checksum))
}

pub fn checksum(before: [u8; 8], entries: &[u8]) -> [u8; 8] {
    let len = (entries.len() as u64).to_le_bytes();
    first_eight(&[&before, &len[..], entries].concat())
}

/// The mark of all groups but the first.
pub fn mark(key: &Key) -> [u8; 8] {
    first_eight(&[b"mark of the log", &key.secret[..]].concat())
}

fn first_eight(bytes: &[u8]) -> [u8; 8] {
    let hash = Native.keccak256(bytes);
    *hash.first_chunk().unwrap_or(&[0; 8])
}
