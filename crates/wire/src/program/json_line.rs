//! Lines of `--json`.

use serde::Serialize;

use super::account::DevelopmentAccount;
use super::event::Event;
use super::game::Game;
use super::puzzle::PuzzleReport;
use super::report::{Deployed, Dropped, Failed, Incomplete, Report, Standing, Started, Unrated};
use crate::play::Verdict;

/// The lines of `--json`, for the program's help. A test makes it of the types:
/// `CONNECT4_WRITE_WIRE=1 cargo test --package connect4-wire --all-features --test json_help` writes it
/// again.
pub const JSON_HELP: &str = include_str!("json.txt");
/// The same lines as a JSON Schema, which that test makes of the same types.
pub const JSON_SCHEMA: &str = include_str!("json-schema.json");

/// Declares the lines, each of which is made of its value.
macro_rules! lines {
    ($($(#[doc = $doc:literal])+ $name:ident($inner:ident),)+) => {
        /// A line that the program prints with `--json`.
        #[derive(Clone, Debug, PartialEq, Serialize)]
        #[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
        #[serde(untagged)]
        pub enum JsonLine {
            $($(#[doc = $doc])+ $name(Box<$inner>),)+
        }

        $(impl From<$inner> for JsonLine {
            fn from(value: $inner) -> Self {
                Self::$name(Box::new(value))
            }
        })+

        #[cfg(feature = "declarations")]
        impl JsonLine {
            /// The types of lines, and which commands print them.
            pub const DOCS: &[(&str, &[&str])] =
                &[$((stringify!($inner), &[$($doc),+])),+];
        }
    };
}

lines! {
    /// Most commands
    Report(Report),
    /// `watch`, `replay`
    Event(Event),
    /// `list`, `tables`, `show`, and the first line of `watch --game`
    Game(Game),
    /// `deploy`
    Deployed(Deployed),
    /// `start`
    Started(Started),
    /// `drop`, and `move` in a classic game
    Dropped(Dropped),
    /// `review`
    Verdict(Verdict),
    /// `puzzle`
    Puzzle(PuzzleReport),
    /// `standings`
    Standing(Standing),
    /// `standings`, if some of these games are not rated
    Unrated(Unrated),
    /// `standings`, if events are missing
    Incomplete(Incomplete),
    /// `accounts`
    Account(DevelopmentAccount),
    /// Every command that fails, on standard error
    Failed(Failed),
}
