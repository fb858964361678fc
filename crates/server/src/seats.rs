//! Which seats computers play.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::{fs, io};

use connect4_client::{GameId, Signer, durable};
use connect4_opponent::Level;
use connect4_rules::variant::Colour;
use connect4_wire as wire;
use tokio::task::AbortHandle;

/// Computers that play at the same time, at most: each thinks on a processor.
const MOST: usize = 32;

/// In the data folder: the seats that computers play, so that they play on when the program is
/// started again.
const FILE: &str = "serve.computers.json";
/// Games of a chain in that file, at most; the oldest are forgotten.
const MOST_KEPT: usize = 1000;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    pub game: GameId,
    /// The colour with which the place began: those of two players may be exchanged.
    pub began: Colour,
}

impl Place {
    /// The number of the game in its contract.
    const fn number(self) -> u32 {
        self.game.number()
    }
}

/// The seats that computers play.
#[derive(Default)]
pub struct Seats {
    taken: Mutex<HashMap<Place, Seat>>,
    kept: Mutex<Kept>,
    file: Option<PathBuf>,
}

/// Levels by the colours with which seats began, by games, by contracts.
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

    /// The computer at a seat, for the page; none if a person plays there.
    pub fn computer(&self, place: Place) -> Option<wire::Computer> {
        self.look(place, |seat| wire::Computer {
            level: wire::Level(seat.level),
            error: seat.error.clone(),
        })
    }

    /// What `read` gives of a seat; none if no computer plays it.
    pub fn look<T>(&self, place: Place, read: impl FnOnce(&Seat) -> T) -> Option<T> {
        let taken = self.taken.lock().ok()?;
        taken.get(&place).map(read)
    }

    /// Takes a seat for the computer that `start` starts, instead of the one that has it. False,
    /// and nothing is started, if too many computers play.
    pub fn take(
        &self,
        place: Place,
        level: Level,
        signer: Signer,
        start: impl FnOnce() -> AbortHandle,
    ) -> bool {
        let Ok(mut taken) = self.taken.lock() else {
            return false;
        };
        let others = taken
            .iter()
            .filter(|(at, seat)| **at != place && !seat.playing.is_finished())
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
        if let Some(before) = taken.insert(place, seat) {
            before.playing.abort();
        }
        true
    }

    /// Stops the computer at a seat.
    pub fn leave(&self, place: Place) {
        if let Ok(mut taken) = self.taken.lock()
            && let Some(seat) = taken.remove(&place)
        {
            seat.playing.abort();
        }
    }

    /// Says why the computer at a seat does not move; none if it does. Returns whether that is new.
    pub fn set_error(&self, place: Place, error: Option<String>) -> bool {
        match self.taken.lock() {
            Ok(mut taken) => match taken.get_mut(&place) {
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
    pub fn kept(&self, contract: &str, place: Place) -> Option<Level> {
        let kept = self.kept.lock().ok()?;
        let seats = kept.get(contract)?.get(&place.number())?;
        seats.get(&place.began).map(|level| level.0)
    }

    /// Keeps that a computer has a seat, or that none has.
    pub fn keep(&self, contract: String, place: Place, level: Option<Level>) {
        let Ok(mut kept) = self.kept.lock() else {
            return;
        };
        let games = kept.entry(contract).or_default();
        let seats = games.entry(place.number()).or_default();
        let seat = place.began;
        let level = level.map(wire::Level);
        let changed = match level {
            Some(level) => seats.insert(seat, level) != Some(level),
            None => seats.remove(&seat).is_some(),
        };
        if seats.is_empty() {
            games.remove(&place.number());
        }
        while games.len() > MOST_KEPT {
            games.pop_first();
        }
        if let (true, Some(file)) = (changed, &self.file) {
            // If it cannot be written they still play, as long as the program runs.
            let written = serde_json::to_vec(&*kept).map_err(io::Error::other);
            let _ = written.and_then(|bytes| durable::replace(file, &bytes));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seats_of_a_folder_are_those_that_were_kept() {
        let place = |game, began| Place { game, began };
        let (five, six) = (GameId::Classic(5), GameId::Classic(6));
        let folder = tempfile::tempdir().unwrap();
        let seats = Seats::kept_in(folder.path());
        let blue = place(five, Colour::Blue);
        seats.keep("contract".into(), blue, Some(Level::Hard));
        seats.keep(
            "contract".into(),
            place(six, Colour::Red),
            Some(Level::Easy),
        );
        seats.keep("contract".into(), place(six, Colour::Red), None);
        let fourth = place(GameId::Variant(5), Colour::Yellow);
        seats.keep("variants".into(), fourth, Some(Level::Medium));
        let again = Seats::kept_in(folder.path());
        assert_eq!(again.kept("contract", blue), Some(Level::Hard));
        assert_eq!(again.kept("contract", place(five, Colour::Red)), None);
        assert_eq!(
            again.kept("contract", place(six, Colour::Red)),
            None,
            "left"
        );
        assert_eq!(again.kept("other", blue), None);
        assert_eq!(again.kept("variants", fourth), Some(Level::Medium));
        let written = fs::read_to_string(folder.path().join(FILE)).unwrap();
        assert_eq!(
            written,
            r#"{"contract":{"5":{"blue":"hard"}},"variants":{"5":{"yellow":"medium"}}}"#
        );
    }
}
