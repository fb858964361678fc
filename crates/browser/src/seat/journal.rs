//! Journals as a page keeps them: with a checksum, and bound to their game.

use alloc::vec::Vec;

use codec::{DecodeAll as _, Encode as _};
use connect4_protocol::Address;
use connect4_rules::{Player, ShapeSpec};
use connect4_seat::{FirstJournal, Journal, SecondJournal, Subject};
use sp_crypto_hashing::blake2_256;

use crate::failure::Failure;
use crate::values::Hex;

/// The first bytes of a journal: what it is, and the version of its layout.
const MAGIC: &[u8; 8] = b"c4page\0\x03";
/// The same of the second layout, which has a [`SecondJournal`].
const SECOND_MAGIC: &[u8; 8] = b"c4page\0\x02";
/// The same of the first layout, which has a [`FirstJournal`].
const FIRST_MAGIC: &[u8; 8] = b"c4page\0\x01";
/// Bytes of the checksum at the end, and of the hash of the game.
const HASH: usize = 32;

/// A journal for the disk: the beginning, a hash of what does not change in the game, the journal, a
/// checksum.
pub(super) fn seal(journal: &Journal, subject: &Subject, key: Address) -> Hex {
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(&game(subject, key));
    journal.encode_to(&mut bytes);
    let checksum = blake2_256(&bytes);
    bytes.extend_from_slice(&checksum);
    Hex(bytes)
}

/// The journal for the disk, if it is not there as it is now. None is begun before something is in it.
pub(super) fn changed(
    kept: Option<&Hex>,
    journal: &Journal,
    subject: &Subject,
    key: Address,
) -> Option<Hex> {
    if kept.is_none() && *journal == Journal::default() {
        return None;
    }
    let sealed = seal(journal, subject, key);
    (kept != Some(&sealed)).then_some(sealed)
}

/// A journal from the disk.
pub(super) struct Unsealed {
    pub journal: Journal,
    /// Whether a module that judges as this one has sealed it. Another one has not judged it as this one
    /// does.
    pub is_judged: bool,
}

/// The journal from the disk; an empty one if there is none.
///
/// # Errors
///
/// 1. `DamagedBook` if it was changed or cut off,
/// 2. `OtherGame` if it is of another game, or the host tells of other players, keys or another board
///    than when the first entry was made.
pub(super) fn unseal(
    sealed: Option<&Hex>,
    subject: &Subject,
    key: Address,
) -> Result<Unsealed, Failure> {
    let Some(Hex(sealed)) = sealed else {
        return Ok(Unsealed {
            journal: Journal::default(),
            is_judged: true,
        });
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
        .and_then(|(content, _)| content.split_first_chunk())
        .and_then(|(magic, content)| Some((magic, content.split_at_checked(HASH)?)));
    let (magic, (of, mut journal)) = content.ok_or_else(damaged)?;
    if ![MAGIC, SECOND_MAGIC, FIRST_MAGIC].contains(&magic) {
        return Err(damaged());
    }
    let unsealed = match magic {
        MAGIC => Journal::decode_all(&mut journal)
            .ok()
            .map(|journal| Unsealed {
                journal,
                is_judged: true,
            }),
        SECOND_MAGIC => {
            let second = SecondJournal::decode_all(&mut journal).ok();
            second.map(|second| Unsealed {
                journal: second.into(),
                is_judged: true,
            })
        }
        FIRST_MAGIC => {
            let first = FirstJournal::decode_all(&mut journal).ok();
            first.map(|first| Unsealed {
                journal: first.into(),
                is_judged: false,
            })
        }
        _ => None,
    };
    let unsealed = unsealed.ok_or_else(damaged)?;
    // An empty one binds to nothing. What a host shows first may be false.
    if *of != game(subject, key) && unsealed.journal != Journal::default() {
        return Err(Failure::new(
            "OtherGame",
            "the host tells of other players, session keys or another board than when this game began",
        ));
    }
    Ok(unsealed)
}

/// Hash of what does not change in a game.
fn game(subject: &Subject, key: Address) -> [u8; HASH] {
    let domain = subject.domain();
    let keys = subject.keys();
    let shape = ShapeSpec::from(subject.shape());
    let mut bytes = Vec::new();
    (domain.chain_id, domain.contract).encode_to(&mut bytes);
    match subject.number().on_chain() {
        Some(number) => number.encode_to(&mut bytes),
        None => subject.number().encode_to(&mut bytes),
    }
    for player in Player::ALL {
        (subject.account_of(player), keys.get(player)).encode_to(&mut bytes);
    }
    (shape, key).encode_to(&mut bytes);
    blake2_256(&bytes)
}
