//! A signed game without a stake that is watched in the page.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use connect4_protocol::Address;
use connect4_protocol::signed::wire::{self, FromWitness};
use connect4_protocol::signed::{GameNumber, Native};
use connect4_rules::Player as Side;
use connect4_seat::Watcher;
use serde::{Deserialize, Serialize};

use super::shown::{AgreedTerms, PlayedBoard, Seen};
use crate::relay::{Present, Refusal};
use crate::values::Hex;

/// The game that is watched.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ToWatch {
    /// Number of the game.
    #[cfg_attr(test, ts(type = "string"))]
    pub number: GameNumber,
    /// Key of its witness.
    pub witness: Address,
}

/// What a watcher sees after a frame of the room.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RoomSeen {
    /// The game; none before the room has told it.
    pub game: Option<WatchedGame>,
    /// Who is in the room, if the frame has said that.
    pub present: Option<Present>,
    /// Time of the witness, if the frame has said that, in milliseconds since 1970.
    pub time: Option<u64>,
    /// Why the room tells nothing, if the frame has said that.
    pub refusal: Option<Refusal>,
    /// Why the frame is not believed; none if it is.
    pub wrong: Option<String>,
}

/// A signed game as it stands for a watcher.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct WatchedGame {
    pub terms: AgreedTerms,
    pub game: PlayedBoard,
    /// Last second at which the player to move can do that, since 1970, by the time of the witness; none if no time runs.
    pub until: Option<u64>,
    /// Whether the witness has ended it.
    pub is_over: bool,
    /// Whether the witness has contradicted itself, so that the game counts nowhere.
    pub is_contradicted: bool,
}

/// A game that is watched.
#[derive(Debug)]
pub(super) struct Watched {
    watcher: Watcher<Native>,
    /// What was left after each move to the player who made it, as far as it was seen.
    times: Vec<Option<u64>>,
}

impl Watched {
    /// The game, and the path of its room.
    pub(super) fn begin(asked: &ToWatch) -> (Self, String) {
        let ToWatch { number, witness } = *asked;
        let watched = Self {
            watcher: Watcher::new(number, witness, Native),
            times: Vec::new(),
        };
        (watched, wire::path(witness, number))
    }

    /// Takes a frame of the room.
    pub(super) fn hear(&mut self, frame: &Hex) -> RoomSeen {
        let said = wire::read::<FromWitness>(&frame.0);
        let heard = match &said {
            Some(said) => self.watcher.hear(said).map_err(|error| error.to_string()),
            None => Err("this is no message of a game".into()),
        };
        if let Some(room) = self.watcher.room() {
            room.note_left(&mut self.times);
        }
        let mut seen = RoomSeen {
            game: self.see(),
            present: None,
            time: None,
            refusal: None,
            wrong: heard.err(),
        };
        match said {
            Some(FromWitness::Present(present)) => seen.present = Some(present.into()),
            Some(FromWitness::Welcome { time, .. }) => seen.time = Some(time),
            Some(FromWitness::Refused(refusal)) => seen.refusal = Some(refusal.into()),
            _ => {}
        }
        seen
    }

    fn see(&self) -> Option<WatchedGame> {
        let watcher = &self.watcher;
        let (room, game) = watcher.room().zip(watcher.game())?;
        let terms = &room.agreed.terms;
        let offered = |side: &Side| watcher.agreed().get(*side).is_some();
        let seen = Seen {
            side: None,
            draw: Side::ALL.into_iter().find(offered),
            left: room.left().map(|(left, _)| left),
            times: &self.times,
        };
        Some(WatchedGame {
            terms: terms.into(),
            game: PlayedBoard::new(&game, terms, &room.moves(), &seen),
            until: game.to_move().and_then(|mover| room.until(mover)),
            is_over: room.end.is_some(),
            is_contradicted: room.contradiction.is_some(),
        })
    }
}
