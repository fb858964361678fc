//! Games by signed terms on disk: those that go on, and those that were played.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use codec::{Decode, DecodeAll as _, Encode};
use connect4_protocol::Address;
use connect4_protocol::fast::{
    Domain, GameNumber, GameTerms, Native, PlayedGame, RecordedGame, SignedTerms,
};
use connect4_record::Record as TextRecord;
use connect4_rules::Player;

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

impl OpenGame {
    /// Number of the game.
    #[must_use]
    pub fn number(&self) -> GameNumber {
        self.terms.terms.number(&self.domain, &Native)
    }
}

/// A game that was played, for the chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeptGame {
    /// Contract and chain for which it is signed.
    pub domain: Domain,
    /// What both have signed.
    pub game: RecordedGame,
}

/// The first bytes of the file of a game that was played: what it is, and the version of its layout.
const PLAYED: &[u8; 8] = b"c4game\0\x02";
/// How the name of such a file ends.
const PLAYED_ENDS: &str = "game";

impl KeptGame {
    /// Reads the file of a game that was played.
    ///
    /// # Errors
    ///
    /// [`KeyringError::Io`], then [`KeyringError::Damaged`] if it is no such file.
    pub fn read(path: &Path) -> Result<Self, KeyringError> {
        let bytes = fs::read(path).map_err(|error| failed(path, error))?;
        let content = bytes.strip_prefix(PLAYED);
        let read = content.and_then(|mut content| <(_, _, _)>::decode_all(&mut content).ok());
        let (chain_id, contract, game) =
            read.ok_or_else(|| KeyringError::Damaged(path.to_owned()))?;
        Ok(Self {
            domain: Domain::new(chain_id, contract),
            game,
        })
    }

    /// The game with its terms; none if what is signed makes no game.
    #[must_use]
    pub fn played(&self) -> Option<PlayedGame> {
        let record = TextRecord::of_recorded(&self.game, &self.domain, &Native);
        record.ok()?.played()
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = PLAYED.to_vec();
        (self.domain.chain_id, self.domain.contract, self.game).encode_to(&mut bytes);
        bytes
    }
}

/// What is in the file of a game that goes on.
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
    /// Games that ended before both players had signed something: nobody can put them on a chain. They are remembered,
    /// so that their terms are not taken again.
    unsigned: PathBuf,
    recorded: PathBuf,
}

impl GamesByTerms {
    pub(super) fn in_folder(folder: &Path) -> Self {
        Self {
            open: folder.join("open"),
            played: folder.join("played"),
            unsigned: folder.join("unsigned"),
            recorded: folder.join("recorded"),
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
    /// on. Returns the file; none if what is signed makes no game, as where a player resigned before the other one had
    /// signed anything. Such a game is only remembered.
    ///
    /// # Errors
    ///
    /// [`KeyringError::Io`].
    pub fn keep_played(
        &self,
        number: GameNumber,
        domain: Domain,
        played: &PlayedGame,
    ) -> Result<Option<PathBuf>, KeyringError> {
        let name = format!("{number}.{PLAYED_ENDS}");
        let game = RecordedGame::of(played)
            .ok_or_else(|| failed(&self.played.join(&name), ErrorKind::InvalidInput.into()))?;
        let is_valid = played.check(&domain, &Native).is_ok();
        let folder = match is_valid {
            true => &self.played,
            false => &self.unsigned,
        };
        let path = write(folder, &name, &KeptGame { domain, game }.bytes())?;
        self.forget_open(number)?;
        Ok(is_valid.then_some(path))
    }

    /// The files of games that were played and not [recorded](Self::set_recorded), in the order of their names.
    ///
    /// # Errors
    ///
    /// [`KeyringError::Io`] if the folder can't be read.
    pub fn played(&self) -> Result<Vec<PathBuf>, KeyringError> {
        files(&self.played)
    }

    /// The files of all games that were played, [recorded](Self::set_recorded) or not.
    ///
    /// # Errors
    ///
    /// [`KeyringError::Io`] if a folder can't be read.
    pub fn ended(&self) -> Result<Vec<PathBuf>, KeyringError> {
        let mut games = files(&self.played)?;
        games.extend(files(&self.recorded)?);
        Ok(games)
    }

    /// The file of a game that was played, wherever it is kept.
    #[must_use]
    pub fn file_of(&self, number: GameNumber) -> PathBuf {
        self.played.join(format!("{number}.{PLAYED_ENDS}"))
    }

    /// Whether the game of such a file was recorded from here.
    #[must_use]
    pub fn is_recorded(&self, number: GameNumber) -> bool {
        self.recorded
            .join(format!("{number}.{PLAYED_ENDS}"))
            .exists()
    }

    /// Whether the game ended here before both players had signed something.
    #[must_use]
    pub fn is_unsigned(&self, number: GameNumber) -> bool {
        self.unsigned
            .join(format!("{number}.{PLAYED_ENDS}"))
            .exists()
    }

    /// Moves the file of a game that is on the chain now to those that were recorded.
    ///
    /// # Errors
    ///
    /// [`KeyringError::Io`].
    pub fn set_recorded(&self, number: GameNumber) -> Result<(), KeyringError> {
        durable::make_folder(&self.recorded).map_err(|error| failed(&self.recorded, error))?;
        let path = self.file_of(number);
        let to = self.recorded.join(format!("{number}.{PLAYED_ENDS}"));
        match fs::rename(&path, to) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(failed(&path, error)),
            _ => Ok(()),
        }
    }

    /// The game of a session key that goes on and was begun last; none if all have ended. Files that can't be read are left out.
    ///
    /// # Errors
    ///
    /// [`KeyringError::Io`] if the folder can't be read.
    pub fn latest_open(&self, key: Address) -> Result<Option<OpenGame>, KeyringError> {
        self.open(key).map(|mut games| games.pop())
    }

    /// The games of a session key that go on, in the order of their terms' times. Files that can't be read are left
    /// out.
    ///
    /// # Errors
    ///
    /// [`KeyringError::Io`] if the folder can't be read.
    pub fn open(&self, key: Address) -> Result<Vec<OpenGame>, KeyringError> {
        let entries = match fs::read_dir(&self.open) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
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
        let is_ours = |game: &OpenGame| is_of_key(&game.terms.terms, key);
        let mut games: Vec<_> = games.filter(is_ours).collect();
        games.sort_by_key(|game| game.terms.terms.time);
        Ok(games)
    }

    /// Forgets a game that goes on, which nobody can bring to a chain any more, or in which nothing was signed.
    ///
    /// # Errors
    ///
    /// [`KeyringError::Io`].
    pub fn forget_open(&self, number: GameNumber) -> Result<(), KeyringError> {
        let open = self.open.join(format!("{number}.terms"));
        match fs::remove_file(&open) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(failed(&open, error)),
            _ => Ok(()),
        }
    }
}

/// Whether a player of the game has this session key.
fn is_of_key(terms: &GameTerms, key: Address) -> bool {
    let mut players = Player::ALL.iter();
    players.any(|player| terms.players.get(*player).key() == key)
}

/// The files of games in a folder, in the order of their names.
fn files(folder: &Path) -> Result<Vec<PathBuf>, KeyringError> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(|error| failed(folder, error))?,
    };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let is_game = |path: &PathBuf| path.extension().is_some_and(|end| end == PLAYED_ENDS);
    let mut games: Vec<_> = paths.filter(is_game).collect();
    games.sort();
    Ok(games)
}

fn write(folder: &Path, name: &str, bytes: &[u8]) -> Result<PathBuf, KeyringError> {
    durable::make_folder(folder).map_err(|error| failed(folder, error))?;
    let path = folder.join(name);
    durable::replace(&path, bytes).map_err(|error| failed(&path, error))?;
    Ok(path)
}
