//! Records as a page keeps them: with the key that has signed what is in them, and a checksum.

use alloc::vec::Vec;

use codec::{DecodeAll as _, Encode as _};
use connect4_protocol::Address;
use connect4_protocol::signed::{Crypto as _, Digest, Native};
use connect4_seat::{GameOffer, Record};

use crate::failure::Failure;

/// The first bytes of a record: what it is, and the version of its layout.
const MAGIC: &[u8; 8] = b"c4play\0\x01";
/// Bytes of the checksum at the end.
const HASH: usize = 32;

/// The name under which the record of a game is kept. A player has one for each offer, however often it takes it.
pub(super) fn name(offer: &GameOffer, key: Address) -> Digest {
    Native.keccak256(&("Connect Four record", offer, key).encode())
}

pub(super) fn seal(record: &Record, key: Address) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    (key, record).encode_to(&mut bytes);
    let checksum = Native.keccak256(&bytes);
    bytes.extend_from_slice(&checksum);
    bytes
}

/// The record of the player with this key.
///
/// # Errors
///
/// `DamagedRecord` if it was changed or cut off, or is that of another key.
pub(super) fn unseal(sealed: &[u8], key: Address) -> Result<Record, Failure> {
    let content = sealed
        .split_last_chunk::<HASH>()
        .filter(|(content, checksum)| Native.keccak256(content) == **checksum)
        .and_then(|(content, _)| content.strip_prefix(MAGIC));
    let read = content.and_then(|mut content| <(Address, Record)>::decode_all(&mut content).ok());
    read.filter(|(by, _)| *by == key)
        .map(|(_, record)| record)
        .ok_or_else(|| {
            Failure::new(
                "DamagedRecord",
                "what was kept of this game is damaged: what was signed in it is not known, so nothing is \
                 signed any more",
            )
        })
}
