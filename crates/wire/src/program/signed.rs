//! Signed games, as a host tells of them.

use connect4_index as index;
use connect4_protocol::signed::Moves;
use connect4_protocol::signed::feed::LiveGame;
use connect4_protocol::{Address, ClockSpec, Game};
use connect4_rules::{Cell, Player, ShapeSpec};
use serde::Serialize;

use super::person::Person;
use super::small_board::board_text;
use crate::Position;

/// What a signed game has besides. It started when its terms were made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct BySignedTerms {
    /// Number of the pool whose ratings it counts for; 0 for none in particular.
    pub pool: u16,
    /// Whether player two's first move could be a swap.
    pub pie_rule: bool,
    /// Whether a program plays, by seat, as each player says of itself.
    pub programs: [bool; 2],
    /// Who has paid for the first record; null if that is not known.
    pub recorded_by: Option<Person>,
    /// Key of the witness that has ended it; null if there is none.
    pub witness: Option<Address>,
    /// Digest of the rules of its tournament; null if it belongs to none.
    pub event: Option<String>,
    /// Number of the game before it in a series, as its terms say; null if there is none.
    pub previous: Option<String>,
    /// Why it counts for nothing: `no witness`, `no clock`, `contradicted` as its witness has
    /// contradicted itself, or `other time` as its end is far from the block of its record; null if it counts.
    pub uncounted: Option<&'static str>,
}

impl From<index::ByTerms> for BySignedTerms {
    fn from(by_terms: index::ByTerms) -> Self {
        Self {
            pool: by_terms.pool,
            pie_rule: by_terms.pie_rule,
            programs: by_terms.programs,
            recorded_by: by_terms.recorded_by.map(Person::from),
            witness: by_terms.witness,
            event: by_terms.event.map(|event| format!("{event:?}")),
            previous: by_terms.previous.map(|game| game.to_string()),
            uncounted: by_terms.uncounted.map(index::Uncounted::name),
        }
    }
}

/// A signed game that is played in a room of the host's relay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct GameInRoom {
    /// Its number: `0x` and 64 digits, by which its room is found.
    pub game: String,
    /// The players; the first one makes the first move.
    pub players: [Person; 2],
    /// Whether a program plays, by seat, as each player says of itself.
    pub programs: [bool; 2],
    /// The board.
    pub shape: ShapeSpec,
    /// Whether player two's first move can be a swap.
    pub pie_rule: bool,
    /// Number of the pool whose ratings it counts for; 0 for none in particular.
    pub pool: u16,
    /// Clock; null if it has none.
    pub clock: Option<ClockSpec>,
    /// Number of moves so far.
    pub plies: u32,
    /// Seat of the player to move, from 0; null if that is not known.
    pub to_move: Option<u32>,
    /// The board, as that of a game of the index; null if it is not known.
    pub position: Option<String>,
    /// Cell of the last disc; null before the first one, and if it is not known.
    pub last: Option<Cell>,
    /// Whether the players have exchanged their colours: then the first one has the blue discs.
    pub swapped: bool,
    /// When its room was opened, in seconds since 1970 by the relay's clock.
    pub since: u64,
}

impl From<&LiveGame> for GameInRoom {
    fn from(game: &LiveGame) -> Self {
        Self {
            game: game.number.to_string(),
            players: Player::ALL.map(|player| (*game.players.get(player)).into()),
            programs: Player::ALL.map(|player| *game.programs.get(player)),
            shape: game.shape,
            pie_rule: game.pie_rule,
            pool: game.pool,
            clock: game.clock,
            plies: game.moves.into(),
            to_move: None,
            position: None,
            last: None,
            swapped: false,
            since: game.since,
        }
    }
}

impl GameInRoom {
    /// The same with its board, as its room shows the game after these moves.
    #[must_use]
    pub fn at(self, game: &Game, moves: &Moves) -> Self {
        let shown = game.position();
        let drops = moves.iter_bins().filter(|bin| bin.index() != Moves::SWAP);
        let last = drops.last().and_then(|bin| {
            let row = shown.height(bin).checked_sub(1)?;
            Some(Cell { bin, row })
        });
        Self {
            plies: game.moves().into(),
            to_move: game.to_move().map(|player| (player == Player::Two).into()),
            position: Some(board_text(&Position::of_game(game))),
            last,
            swapped: game.is_swapped(),
            ..self
        }
    }
}
