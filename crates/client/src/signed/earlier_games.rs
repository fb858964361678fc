//! What earlier versions of this program kept of games that this one neither plays nor records: it names them, and writes
//! those that had not ended as text.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use codec::Decode as _;
use connect4_protocol::Address;
use connect4_protocol::signed::{GameNumber, Moves};
use connect4_record::{EarlierTerms, Record};

use super::keyring_error::{KeyringError, failed};

/// The file in which an earlier version kept a game.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EarlierGame {
    /// Number of the game, from the name of the file.
    pub number: GameNumber,
    /// The file.
    pub path: PathBuf,
}

/// The games that earlier versions kept beside the session keys of a folder, a file each.
#[derive(Clone, Debug)]
pub struct EarlierGames {
    folder: PathBuf,
}

impl EarlierGames {
    /// Folder and end of the name of a file of a game that goes on.
    const OPEN: [&str; 2] = ["open", "terms"];
    /// The same of a game that was played and not recorded.
    const PLAYED: [&str; 2] = ["played", "game"];
    /// The same of a game that was recorded, or in which too little was signed for that.
    const OTHERS: [[&str; 2]; 2] = [["recorded", "game"], ["unsigned", "game"]];

    pub(super) fn in_folder(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
        }
    }

    /// The games that had not ended, in the order of their numbers.
    ///
    /// # Errors
    ///
    /// [`KeyringError::Io`] if the folder can't be read.
    pub fn open(&self) -> Result<Vec<EarlierGame>, KeyringError> {
        self.games(Self::OPEN)
    }

    /// The games that were played and never recorded, in the order of their numbers.
    ///
    /// # Errors
    ///
    /// [`KeyringError::Io`] if the folder can't be read.
    pub fn played(&self) -> Result<Vec<EarlierGame>, KeyringError> {
        self.games(Self::PLAYED)
    }

    /// A game that had not ended, as far as both players had signed it; none if it is not there, or no key here has its
    /// moves. Nothing that they signed is checked.
    ///
    /// # Errors
    ///
    /// 1. [`KeyringError::Io`] if a file can't be read,
    /// 2. [`KeyringError::Damaged`] if one was changed or cut off.
    pub fn open_game(&self, number: GameNumber) -> Result<Option<Record>, KeyringError> {
        let games = self.open()?;
        let Some(EarlierGame { path, .. }) = games.iter().find(|game| game.number == number) else {
            return Ok(None);
        };
        let bytes = fs::read(path).map_err(|error| failed(path, error))?;
        let damaged = || KeyringError::Damaged(path.clone());
        let kept = <(u64, Address, String, EarlierTerms)>::decode(&mut &*bytes);
        let (chain, contract, _, terms) = kept.map_err(|_| damaged())?;
        let Some(moves) = self.moves((chain, contract, number))? else {
            return Ok(None);
        };
        let record = Record::of_earlier(number, chain, contract, &terms, &moves);
        record.map(Some).map_err(|_| damaged())
    }

    /// The most moves that a key of this machine has of a game: a guest's is in the folder, those of accounts have folders of
    /// their own beside it. Keys that can't be read are passed over.
    fn moves(&self, game: (u64, Address, GameNumber)) -> Result<Option<Moves>, KeyringError> {
        let mut keys = files(&self.folder, "key")?;
        let accounts = self.folder.with_file_name("accounts");
        for account in fs::read_dir(accounts).into_iter().flatten().flatten() {
            keys.extend(files(&account.path(), "key")?);
        }
        let kept = keys
            .iter()
            .filter_map(|key| super::key_file::moves(key, game).ok()?);
        Ok(kept.max_by_key(Moves::turns))
    }

    /// The file of the game with this number; none if no earlier version kept one.
    #[must_use]
    pub fn file_of(&self, number: GameNumber) -> Option<PathBuf> {
        let kinds = [Self::OPEN, Self::PLAYED].into_iter().chain(Self::OTHERS);
        let mut paths =
            kinds.map(|[folder, ends]| self.folder.join(folder).join(format!("{number}.{ends}")));
        paths.find(|path| path.exists())
    }

    fn games(&self, [folder, ends]: [&str; 2]) -> Result<Vec<EarlierGame>, KeyringError> {
        let files = files(&self.folder.join(folder), ends)?.into_iter();
        let games = files.filter_map(|path| {
            let number = path.file_stem()?.to_str()?.parse().ok()?;
            Some(EarlierGame { number, path })
        });
        let mut games: Vec<_> = games.collect();
        games.sort();
        Ok(games)
    }
}

/// The files of a folder whose names end so, in no order; none if there is no such folder.
fn files(folder: &Path, ends: &str) -> Result<Vec<PathBuf>, KeyringError> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(|error| failed(folder, error))?,
    };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let files = paths.filter(|path| path.extension().is_some_and(|extension| extension == ends));
    Ok(files.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_of_earlier_versions_are_named_by_their_files() {
        let folder = tempfile::tempdir().unwrap();
        let games = EarlierGames::in_folder(folder.path());
        assert_eq!(
            (games.open().unwrap(), games.played().unwrap()),
            (vec![], vec![])
        );
        let number = |byte| GameNumber([byte; 32]);
        let file = |folder_of: &str, name: String| {
            let folder = folder.path().join(folder_of);
            fs::create_dir_all(&folder).unwrap();
            let path = folder.join(name);
            fs::write(&path, "whatever is in it").unwrap();
            path
        };
        let game = |byte, path: &Path| EarlierGame {
            number: number(byte),
            path: path.to_owned(),
        };
        let two = file("open", format!("{}.terms", number(2)));
        let one = file("open", format!("{}.terms", number(1)));
        file("open", format!("{}.game", number(9)));
        file("open", "junk.terms".into());
        let three = file("played", format!("{}.game", number(3)));
        let four = file("recorded", format!("{}.game", number(4)));
        assert_eq!(games.open().unwrap(), [game(1, &one), game(2, &two)]);
        assert_eq!(games.played().unwrap(), [game(3, &three)]);
        for (byte, path) in [(1, Some(one)), (3, Some(three)), (4, Some(four)), (9, None)] {
            assert_eq!(games.file_of(number(byte)), path);
        }
    }
}
