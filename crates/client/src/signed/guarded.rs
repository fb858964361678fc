//! What guards of games with a stake keep on the disk.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use codec::DecodeAll as _;
use connect4_protocol::signed::{Domain, GameNumber, Native, Terms};
use connect4_seat::Journal;

use crate::durable;

/// The first bytes of a file: what it is, and the version of its layout.
const MAGIC: &[u8; 8] = b"c4guard\x01";
/// How the name of a file ends.
const ENDS: &str = "held";

/// The folder with what guards hold. Each game has a file, which is replaced as a whole and is there until the game is over.
#[derive(Clone, Debug)]
pub struct GuardedGames {
    folder: PathBuf,
}

impl GuardedGames {
    /// The one in the folder of a program's data.
    #[must_use]
    pub fn in_folder(folder: &Path) -> Self {
        Self {
            folder: folder.join("guarded"),
        }
    }

    /// The terms of the games in this place. Files that are none of such a game are passed over.
    #[must_use]
    pub fn terms(&self, domain: &Domain) -> Vec<Terms> {
        let files = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let named = files.filter_map(|file| {
            let path = file.path();
            let (terms, _) = Self::read_file(&path)?;
            (path == self.file_of(terms.number(domain, &Native))).then_some(terms)
        });
        named.collect()
    }

    /// What is held of a game; none if nothing is, or the file is not as it was written.
    #[must_use]
    pub fn held(&self, game: GameNumber) -> Option<Journal> {
        Self::read_file(&self.file_of(game)).map(|(_, journal)| journal)
    }

    /// Replaces what is held of a game. It is on disk when this returns.
    ///
    /// # Errors
    ///
    /// If the system refuses to write.
    pub fn keep(&self, game: GameNumber, terms: &Terms, journal: &Journal) -> io::Result<()> {
        durable::make_folder(&self.folder)?;
        durable::replace_sealed(&self.file_of(game), MAGIC, &(terms, journal))
    }

    /// Keeps nothing of a game any more.
    ///
    /// # Errors
    ///
    /// If the system refuses to delete the file.
    pub fn forget(&self, game: GameNumber) -> io::Result<()> {
        match fs::remove_file(self.file_of(game)) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            removed => removed,
        }
    }

    fn file_of(&self, game: GameNumber) -> PathBuf {
        self.folder.join(format!("{game}.{ENDS}"))
    }

    fn read_file(path: &Path) -> Option<(Terms, Journal)> {
        let (magic, content) = durable::read_sealed(path).ok()??;
        (magic == *MAGIC)
            .then(|| <(Terms, Journal)>::decode_all(&mut &content[..]).ok())
            .flatten()
    }
}
