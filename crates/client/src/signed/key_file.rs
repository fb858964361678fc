//! The file of a session key: its secret, and the phrase of a guest.

use std::fmt;
use std::path::Path;

use codec::{DecodeAll as _, Encode, Output};
use connect4_protocol::Address;
use connect4_protocol::signed::{GameNumber, Moves};
use connect4_seat::Journal;

use super::keyring_error::{KeyringError, failed};
use crate::durable;

/// The first bytes of a file: what it is, and the version of its layout.
const MAGIC: &[u8; 8] = b"c4fast\0\x05";
/// The same of the fourth layout, which is the same for keys that are here. Those before had keys of another kind.
const FOURTH_MAGIC: &[u8; 8] = b"c4fast\0\x04";

/// The fields in the order of a file. Programs kept what was signed in a game there, by its chain, contract and number,
/// and what was agreed on with a key for one game, which no key that is here has.
type Fields = (
    [u8; 32],
    Vec<((u64, Address, GameNumber), Journal)>,
    Option<()>,
    Option<String>,
);

/// What is in a file.
#[derive(Clone)]
pub(super) struct Record {
    pub secret: [u8; 32],
    /// The phrase of the guest who plays by this key; none if the key is an account's.
    pub phrase: Option<String>,
}

impl Encode for Record {
    fn encode_to<T: Output + ?Sized>(&self, to: &mut T) {
        let fields: Fields = (self.secret, Vec::new(), None, self.phrase.clone());
        fields.encode_to(to);
    }
}

/// Without the secret.
impl fmt::Debug for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Record").finish_non_exhaustive()
    }
}

/// What is in the file.
pub(super) fn read(path: &Path) -> Result<Record, KeyringError> {
    let (secret, _, _, phrase) = fields(path)?;
    Ok(Record { secret, phrase })
}

/// The moves that both players had signed in this game; none if an earlier version kept nothing of it there.
pub(super) fn moves(
    path: &Path,
    game: (u64, Address, GameNumber),
) -> Result<Option<Moves>, KeyringError> {
    let (_, games, _, _) = fields(path)?;
    let found = games.iter().find(|(of, _)| *of == game);
    Ok(found.map(|(_, journal)| journal.position.moves))
}

fn fields(path: &Path) -> Result<Fields, KeyringError> {
    let sealed = durable::read_sealed(path).map_err(|error| failed(path, error))?;
    let record = sealed.and_then(|(magic, record)| match &magic {
        MAGIC | FOURTH_MAGIC => Fields::decode_all(&mut &record[..]).ok(),
        _ => None,
    });
    record.ok_or_else(|| KeyringError::Damaged(path.to_owned()))
}

/// Replaces the file as a whole: after a crash at any moment it is the old one or the new one. The new
/// one is on disk when this returns.
pub(super) fn write(path: &Path, record: &Record) -> Result<(), KeyringError> {
    durable::replace_sealed(path, MAGIC, record).map_err(|error| failed(path, error))
}
