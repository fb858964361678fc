//! What commands say about variants.

use connect4_client::{Address, Deployment, Occurrence, Variants};
use connect4_protocol::variants::Game;
use connect4_rules::variant::{Colour, Move, Position};

use super::{Printed, Sent};

/// A game of a variant or a table, and where it is.
#[derive(Clone, Copy, Debug)]
pub struct VariantAt<'a> {
    pub contract: Address,
    pub number: u32,
    pub game: &'a Game,
}

impl<'a> VariantAt<'a> {
    /// A game of this contract.
    pub fn of(contract: &Variants, number: u32, game: &'a Game) -> Self {
        Self {
            contract: contract.address(),
            number,
            game,
        }
    }
}

/// A game that was started, or a table that was opened.
#[derive(Debug)]
pub struct VariantOpened<'a> {
    pub at: VariantAt<'a>,
    /// How the contract was deployed before; none if it was there.
    pub deployment: Option<&'a Deployment>,
    pub sent: Sent<'a>,
}

/// A move of a variant.
#[derive(Debug)]
pub struct VariantMoved<'a> {
    /// Of a swap, the colour before it.
    pub colour: Colour,
    pub action: Move,
    pub before: &'a Position,
    pub after: VariantAt<'a>,
    /// None if another program sent it.
    pub sent: Option<Sent<'a>>,
}

/// A player who left a table or a game.
#[derive(Debug)]
pub struct VariantLeft<'a> {
    pub account: Address,
    /// None at a table.
    pub colour: Option<Colour>,
    /// Whether the player was removed for being late.
    pub late: bool,
    pub after: VariantAt<'a>,
    /// None if another program sent it.
    pub sent: Option<Sent<'a>>,
}

/// Printer of what happened in variants. As in [`Report`](super::Report), a method whose default does
/// nothing says something that machines do not need.
pub trait VariantReport {
    /// A game was started.
    fn variant_started(&mut self, started: &VariantOpened<'_>) -> Printed;

    /// A table was opened, which others join by a command with the options `reach`.
    fn table_opened(&mut self, opened: &VariantOpened<'_>, reach: &str) -> Printed;

    /// An account joined a table, which may have started the game.
    fn joined(&mut self, account: Address, at: &VariantAt<'_>, sent: Option<Sent<'_>>) -> Printed;

    /// A player left.
    fn left(&mut self, left: &VariantLeft<'_>) -> Printed;

    /// A table was closed, as its opener left it.
    fn table_closed(&mut self, number: u32, sent: Sent<'_>) -> Printed;

    /// A move was made by a command.
    fn variant_moved(&mut self, moved: &VariantMoved<'_>) -> Printed;

    /// A game has ended: by this transaction; none if it was told already.
    fn variant_ended(&mut self, at: &VariantAt<'_>, sent: Option<Sent<'_>>) -> Printed;

    /// The storage of a game was freed.
    fn variant_freed(&mut self, number: u32, sent: Sent<'_>) -> Printed;

    /// A game or table as it stands.
    fn variant_shown(&mut self, at: &VariantAt<'_>) -> Printed;

    /// An entry of the list of games; none if its storage was freed or its table closed.
    fn variant_listed(&mut self, contract: Address, number: u32, game: Option<&Game>) -> Printed;

    /// The list of variants begins.
    fn variants_follow(&mut self) -> Printed {
        Ok(())
    }

    /// There are no open tables.
    fn no_tables(&mut self) -> Printed {
        Ok(())
    }

    /// A game or table is followed from now on, from this state.
    fn watching_variant(&mut self, at: &VariantAt<'_>) -> Printed;

    /// An event, of this game as far as it is known. `before` is the position before a move.
    fn variant_event(
        &mut self,
        at: &Occurrence,
        game: Option<&Game>,
        before: Option<&Position>,
    ) -> Printed;

    /// The chain took back an event that was told, as its block was replaced.
    fn variant_event_taken_back(&mut self, at: &Occurrence, game: Option<&Game>) -> Printed;

    /// The board after the last event.
    fn variant_board(&mut self, _position: &Position) -> Printed {
        Ok(())
    }

    /// A player is to move in the game that is followed.
    fn variant_to_move(&mut self, _colour: Colour) -> Printed {
        Ok(())
    }

    /// All moves of a game were shown again.
    fn variant_replayed(&mut self, _game: &Game, _moves: &[Move]) -> Printed {
        Ok(())
    }
}
