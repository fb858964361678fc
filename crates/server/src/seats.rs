//! Which seats computers play.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::{fs, io};

use connect4_client::Signer;
use connect4_opponent::Level;
use connect4_rules::{ByPlayer, Player};
use tokio::task::AbortHandle;

use crate::wire::{self, Colour};

/// Computers that play at the same time, at most: each thinks on a processor.
const MOST: usize = 32;

/// In the data folder: the seats that computers play, so that they play on when the program is
/// started again.
const FILE: &str = "serve.computers.json";
/// Games of a chain in that file, at most; the oldest are forgotten.
const MOST_KEPT: usize = 1000;

/// The seats that computers play, by game and player.
#[derive(Default)]
pub struct Seats {
    taken: Mutex<HashMap<(u32, Player), Seat>>,
    kept: Mutex<Kept>,
    file: Option<PathBuf>,
}

/// Levels by seats, by games, by chains.
type Kept = BTreeMap<String, BTreeMap<u32, BTreeMap<Colour, wire::Level>>>;

/// A seat that a computer plays.
pub struct Seat {
    pub level: Level,
    pub signer: Signer,
    /// The task that plays. It ends with the game, and when the opponent does not move for long.
    pub playing: AbortHandle,
    /// Why the computer does not move.
    error: Option<String>,
}

impl Seats {
    /// The seats of this folder; none if the file was not written yet or cannot be read.
    pub fn kept_in(folder: &Path) -> Self {
        let file = folder.join(FILE);
        let kept = fs::read(&file).ok();
        let kept = kept.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        Self {
            kept: Mutex::new(kept.unwrap_or_default()),
            file: Some(file),
            ..Self::default()
        }
    }

    /// The computers at a game, for the page.
    pub fn of_game(&self, game: u32) -> ByPlayer<wire::Seat> {
        ByPlayer::from_fn(|player| wire::Seat {
            computer: self.look(game, player, |seat| wire::Computer {
                level: wire::Level(seat.level),
                error: seat.error.clone(),
            }),
        })
    }

    /// What `read` gives of a seat; none if no computer plays it.
    pub fn look<T>(&self, game: u32, player: Player, read: impl FnOnce(&Seat) -> T) -> Option<T> {
        let taken = self.taken.lock().ok()?;
        taken.get(&(game, player)).map(read)
    }

    /// Takes a seat for the computer that `start` starts, instead of the one that has it. False,
    /// and nothing is started, if too many computers play.
    pub fn take(
        &self,
        game: u32,
        player: Player,
        level: Level,
        signer: Signer,
        start: impl FnOnce() -> AbortHandle,
    ) -> bool {
        let Ok(mut taken) = self.taken.lock() else {
            return false;
        };
        let others = taken
            .iter()
            .filter(|(at, seat)| **at != (game, player) && !seat.playing.is_finished())
            .count();
        if others >= MOST {
            return false;
        }
        let seat = Seat {
            level,
            signer,
            playing: start(),
            error: None,
        };
        if let Some(before) = taken.insert((game, player), seat) {
            before.playing.abort();
        }
        true
    }

    /// Stops the computer at a seat.
    pub fn leave(&self, game: u32, player: Player) {
        if let Ok(mut taken) = self.taken.lock()
            && let Some(seat) = taken.remove(&(game, player))
        {
            seat.playing.abort();
        }
    }

    /// Says why the computer at a seat does not move; none if it does. Returns whether that is new.
    pub fn set_error(&self, game: u32, player: Player, error: Option<String>) -> bool {
        match self.taken.lock() {
            Ok(mut taken) => match taken.get_mut(&(game, player)) {
                Some(seat) if seat.error != error => {
                    seat.error = error;
                    true
                }
                _ => false,
            },
            Err(_) => false,
        }
    }

    /// The level of the computer that had a seat when the program ended.
    pub fn kept(&self, chain: &str, game: u32, player: Player) -> Option<Level> {
        let kept = self.kept.lock().ok()?;
        let seats = kept.get(chain)?.get(&game)?;
        seats.get(&player.into()).map(|level| level.0)
    }

    /// Keeps that a computer has a seat, or that none has.
    pub fn keep(&self, chain: String, game: u32, player: Player, level: Option<Level>) {
        let Ok(mut kept) = self.kept.lock() else {
            return;
        };
        let games = kept.entry(chain).or_default();
        let seats = games.entry(game).or_default();
        let seat = player.into();
        let level = level.map(wire::Level);
        let changed = match level {
            Some(level) => seats.insert(seat, level) != Some(level),
            None => seats.remove(&seat).is_some(),
        };
        if seats.is_empty() {
            games.remove(&game);
        }
        while games.len() > MOST_KEPT {
            games.pop_first();
        }
        if let (true, Some(file)) = (changed, &self.file) {
            // If it cannot be written they still play, as long as the program runs.
            let written = serde_json::to_vec(&*kept).map_err(io::Error::other);
            let fresh = file.with_extension("new");
            let _ = written
                .and_then(|bytes| fs::write(&fresh, bytes))
                .and_then(|()| fs::rename(&fresh, file));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seats_of_a_folder_are_those_that_were_kept() {
        let folder = tempfile::tempdir().unwrap();
        let seats = Seats::kept_in(folder.path());
        seats.keep("chain".into(), 5, Player::Two, Some(Level::Hard));
        seats.keep("chain".into(), 6, Player::One, Some(Level::Easy));
        seats.keep("chain".into(), 6, Player::One, None);
        let again = Seats::kept_in(folder.path());
        assert_eq!(again.kept("chain", 5, Player::Two), Some(Level::Hard));
        assert_eq!(again.kept("chain", 5, Player::One), None);
        assert_eq!(again.kept("chain", 6, Player::One), None, "left");
        assert_eq!(again.kept("other", 5, Player::Two), None);
        let written = fs::read_to_string(folder.path().join(FILE)).unwrap();
        assert_eq!(written, r#"{"chain":{"5":{"blue":"hard"}}}"#);
    }
}
