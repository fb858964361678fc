//! Games by signed terms on disk: those that go on, and those that were played.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use codec::{Decode, DecodeAll as _, Encode};
use connect4_protocol::Address;
use connect4_protocol::fast::{Domain, GameNumber, PlayedGame, RecordedGame, SignedTerms};

use super::keyring_error::{KeyringError, failed};
use crate::durable;

/// A game that goes on: all that is needed to resume it, besides the key with its journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenGame {
    /// The terms.
    pub terms: SignedTerms,
    /// Contract and chain for which they are signed.
    pub domain: Domain,
    /// URL of the relay.
    pub relay: String,
}

/// What is in the file.
#[derive(Encode, Decode)]
struct Record {
    chain_id: u64,
    contract: Address,
    relay: String,
    terms: SignedTerms,
}

/// The games by signed terms that were begun on this machine, a file each.
#[derive(Clone, Debug)]
pub struct GamesByTerms {
    open: PathBuf,
    played: PathBuf,
}

impl GamesByTerms {
    pub(super) fn in_folder(folder: &Path) -> Self {
        Self {
            open: folder.join("open"),
            played: folder.join("played"),
        }
    }

    /// Keeps a game that goes on.
    ///
    /// # Errors
    ///
    /// [`KeyringError::Io`].
    pub fn keep_open(&self, number: GameNumber, game: &OpenGame) -> Result<(), KeyringError> {
        let record = Record {
            chain_id: game.domain.chain_id,
            contract: game.domain.contract,
            relay: game.relay.clone(),
            terms: game.terms,
        };
        write(&self.open, &format!("{number}.terms"), &record.encode()).map(drop)
    }

    /// Keeps a game that has ended, with all that is needed to put it on a chain, in place of the one that went
    /// on. Returns the file.
    ///
    /// # Errors
    ///
    /// [`KeyringError::Io`].
    pub fn keep_played(
        &self,
        number: GameNumber,
        played: &PlayedGame,
    ) -> Result<PathBuf, KeyringError> {
        let name = format!("{number}.game");
        let recorded = RecordedGame::of(played)
            .ok_or_else(|| failed(&self.played.join(&name), ErrorKind::InvalidInput.into()))?;
        let path = write(&self.played, &name, &recorded.encode())?;
        let open = self.open.join(format!("{number}.terms"));
        match fs::remove_file(&open) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(failed(&open, error)),
            _ => Ok(path),
        }
    }

    /// The game that goes on and was begun last; none if all have ended. Files that can't be read are left out.
    ///
    /// # Errors
    ///
    /// [`KeyringError::Io`] if the folder can't be read.
    pub fn latest_open(&self) -> Result<Option<OpenGame>, KeyringError> {
        let entries = match fs::read_dir(&self.open) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            entries => entries.map_err(|error| failed(&self.open, error))?,
        };
        let games = entries.filter_map(|entry| {
            let bytes = fs::read(entry.ok()?.path()).ok()?;
            let record = Record::decode_all(&mut &*bytes).ok()?;
            Some(OpenGame {
                terms: record.terms,
                domain: Domain::new(record.chain_id, record.contract),
                relay: record.relay,
            })
        });
        Ok(games.max_by_key(|game| game.terms.terms.time))
    }
}

fn write(folder: &Path, name: &str, bytes: &[u8]) -> Result<PathBuf, KeyringError> {
    durable::make_folder(folder).map_err(|error| failed(folder, error))?;
    let path = folder.join(name);
    durable::replace(&path, bytes).map_err(|error| failed(&path, error))?;
    Ok(path)
}
