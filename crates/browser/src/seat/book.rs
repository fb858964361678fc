//! Books as a page keeps them: with a checksum, and bound to their game.

use alloc::vec::Vec;

use codec::{DecodeAll as _, Encode as _};
use connect4_protocol::Address;
use connect4_rules::{Player, ShapeSpec};
use connect4_seat::{Book, Subject};
use sp_crypto_hashing::blake2_256;

use crate::failure::Failure;
use crate::values::Hex;

/// The first bytes of a book: what it is, and the version of its layout.
const MAGIC: &[u8; 8] = b"c4page\0\x01";
/// Bytes of the checksum at the end, and of the hash of the game.
const HASH: usize = 32;

/// A book for the disk: the beginning, a hash of what does not change in the game, the book, a checksum.
pub(super) fn seal(book: &Book, subject: &Subject, key: Address) -> Hex {
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(&game(subject, key));
    book.encode_to(&mut bytes);
    let checksum = blake2_256(&bytes);
    bytes.extend_from_slice(&checksum);
    Hex(bytes)
}

/// The book from the disk; an empty one if there is none.
///
/// # Errors
///
/// 1. `DamagedBook` if it was changed or cut off,
/// 2. `OtherGame` if it is of another game, or the host tells of other players, keys or another board
///    than when the book was begun.
pub(super) fn unseal(
    sealed: Option<&Hex>,
    subject: &Subject,
    key: Address,
) -> Result<Book, Failure> {
    let Some(Hex(sealed)) = sealed else {
        return Ok(Book::default());
    };
    let damaged = || {
        Failure::new(
            "DamagedBook",
            "what was kept of this game is damaged: what was signed in it is not known, so nothing is \
             signed any more; the game can go on by moves on the chain",
        )
    };
    let content = sealed
        .split_at_checked(sealed.len().saturating_sub(HASH))
        .filter(|(content, checksum)| blake2_256(content) == *checksum)
        .and_then(|(content, _)| content.strip_prefix(MAGIC))
        .and_then(|content| content.split_at_checked(HASH));
    let (of, mut book) = content.ok_or_else(damaged)?;
    if *of != game(subject, key) {
        return Err(Failure::new(
            "OtherGame",
            "the host tells of other players, session keys or another board than when this game began",
        ));
    }
    Book::decode_all(&mut book).map_err(|_| damaged())
}

/// Hash of what does not change in a game.
fn game(subject: &Subject, key: Address) -> [u8; HASH] {
    let domain = subject.domain();
    let keys = subject.keys();
    let shape = ShapeSpec::from(subject.shape());
    let mut bytes = Vec::new();
    (domain.chain_id, domain.contract, subject.number()).encode_to(&mut bytes);
    for player in Player::ALL {
        (subject.account_of(player), keys.get(player)).encode_to(&mut bytes);
    }
    (shape, key).encode_to(&mut bytes);
    blake2_256(&bytes)
}
