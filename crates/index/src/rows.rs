//! Games as they are read.

use connect4_client::{Address, replay_variant};
use connect4_protocol::{ClockSpec, GameName};
use connect4_rules::variant::{Colour, VariantSpec};
use connect4_rules::{Bin, Cell, Player, Position, Shape, ShapeSpec};
use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use crate::error::Error;
use crate::event_rows;
use crate::game::{ByTerms, occurrences, read_programs};
use crate::league::Kind;
use crate::slot::Slot;
use crate::sql;
use crate::uncounted::read_uncounted;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seat {
    pub account: Address,
    /// Place in the turn order, from 0.
    pub seat: usize,
}

/// A game that has started.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRow {
    pub game: GameName,
    pub kind: Kind,
    pub contract: Address,
    pub board: ShapeSpec,
    /// Terms of a game of a variant; none for others.
    pub variant: Option<VariantSpec>,
    /// The players in turn order.
    pub players: Vec<Address>,
    pub clock: Option<ClockSpec>,
    /// Seconds for each move of a variant; none if there is no limit.
    pub limit: Option<u32>,
    /// Number of the block in which it started.
    pub started_block: u32,
    /// Time of that block in seconds since 1970; none if it is not known.
    pub started_time: Option<u64>,
    /// Time of the last move, or of the start, in seconds since 1970; none if it is not known.
    pub moved_time: Option<u64>,
    /// Number of moves on the chain.
    pub plies: u32,
    /// The moves as solvers write them, bins from 1.
    pub moves: String,
    /// Last second at which the player to move may move; none if there is none.
    pub deadline: Option<u64>,
    /// Seat of the player to move; none if the game has ended.
    pub to_move: Option<usize>,
    /// Number of the block in which it ended; none if it goes on.
    pub ended_block: Option<u32>,
    /// Time of that block in seconds since 1970, or of the end by the word of its witness; none if it is not known.
    pub ended_time: Option<u64>,
    /// How it ended, as the ends are written; none if it goes on.
    pub ended_how: Option<String>,
    pub winner: Option<Address>,
    /// Whether its storage was freed.
    pub freed: bool,
    /// The board: rows from the top, each by its bins from the left, with a slash between them. A dot
    /// is an empty cell, discs are `r`, `b`, `g` and `y`. None if it was not asked for, or if the
    /// moves are not known.
    pub position: Option<String>,
    /// Cell of the last disc; none if that is not known.
    pub last: Option<Cell>,
    /// What a signed game has besides; none of others. It started when its terms were made, at the block in which the
    /// chain first told of it.
    pub by_terms: Option<ByTerms>,
    /// Where its rows are.
    pub(crate) slot: Slot,
}

impl GameRow {
    /// The board and the rules of a game of two.
    #[must_use]
    pub fn rules(&self) -> VariantSpec {
        let may_swap = self.by_terms.is_some_and(|by_terms| by_terms.pie_rule);
        VariantSpec::of_two(self.board, may_swap)
    }
}

impl GameRow {
    /// The game of a row of `games`, without its board.
    pub(crate) fn read(row: &AnyRow) -> Result<Self, Error> {
        let slot = Slot::read(row)?;
        let game = slot.name(row)?;
        let players = sql::text(row, "players")?;
        let players = players.split(',').map(|player| {
            let account = player.parse::<Address>();
            account.map_err(|_| Error::Row(format!("{player:?} is no account")))
        });
        let bank: Option<u32> = sql::maybe_small(row, "clock_bank")?;
        let increment: Option<u32> = sql::maybe_small(row, "clock_increment")?;
        Ok(Self {
            game,
            kind: Kind::of(game),
            contract: sql::parsed(row, "contract")?,
            board: sql::parsed(row, "board")?,
            variant: sql::maybe_parsed(row, "variant")?,
            players: players.collect::<Result<_, _>>()?,
            clock: bank
                .zip(increment)
                .map(|(bank, increment)| ClockSpec { bank, increment }),
            limit: sql::maybe_small(row, "move_limit")?,
            started_block: sql::small(row, "started_block")?,
            started_time: sql::maybe_small(row, "started_time")?,
            moved_time: sql::maybe_small(row, "moved_time")?,
            plies: sql::small(row, "plies")?,
            moves: sql::text(row, "moves")?,
            deadline: sql::maybe_small(row, "deadline")?,
            to_move: sql::maybe_small(row, "to_move")?,
            ended_block: sql::maybe_small(row, "ended_block")?,
            ended_time: sql::maybe_small(row, "ended_time")?,
            ended_how: sql::maybe_text(row, "ended_how")?,
            winner: sql::maybe_parsed(row, "winner")?,
            freed: sql::flag(row, "freed")?,
            position: None,
            last: None,
            by_terms: by_terms(row)?,
            slot,
        })
    }

    /// The seat of an account; none if it does not play.
    #[must_use]
    pub fn seat_of(&self, account: &Address) -> Option<Seat> {
        let seat = self.players.iter().position(|player| player == account)?;
        Some(Seat {
            account: *account,
            seat,
        })
    }

    /// Sets the board of a game of two from its moves.
    fn place(&mut self) -> Option<()> {
        let shape = Shape::try_from(self.board).ok()?;
        // Who exchanges the colours drops no disc: those of the board go on by turns.
        let discs = self.moves.replace(SWAP, "");
        let position = Position::from_moves(shape, &discs).ok()?;
        let letter = |cell| match position.board().disc(cell) {
            Some(Player::One) => 'r',
            Some(Player::Two) => 'b',
            None => '.',
        };
        self.position = Some(drawn(shape, letter));
        let bin = discs.chars().last().and_then(Bin::from_char)?;
        let row = position.height(bin).checked_sub(1)?;
        self.last = Some(Cell { bin, row });
        Some(())
    }
}

/// A swap, as moves are written.
const SWAP: char = 's';

fn by_terms(row: &AnyRow) -> Result<Option<ByTerms>, Error> {
    let Some(pool) = sql::maybe_small(row, "pool")? else {
        return Ok(None);
    };
    Ok(Some(ByTerms {
        pool,
        pie_rule: sql::flag(row, "pie_rule")?,
        programs: read_programs(row)?,
        recorded_by: sql::maybe_parsed(row, "recorded_by")?,
        witness: sql::maybe_parsed(row, "witness")?,
        event: sql::maybe_parsed(row, "event")?,
        previous: sql::maybe_parsed(row, "follows")?,
        at: sql::maybe_small(row, "at")?,
        uncounted: read_uncounted(sql::maybe_text(row, "uncounted")?)?,
    }))
}

/// A board as a text, by the letters of its cells.
fn drawn(shape: Shape, letter: impl Fn(Cell) -> char) -> String {
    let row = |row: u8| -> String {
        let cells = shape.iter_bins().map(|bin| letter(Cell { bin, row }));
        cells.collect()
    };
    let rows: Vec<String> = shape.iter_rows().rev().map(row).collect();
    rows.join("/")
}

/// Sets the boards of games.
pub async fn place(connection: &mut AnyConnection, games: &mut [GameRow]) -> Result<(), Error> {
    let variants = games.iter().filter(|game| game.kind == Kind::Variant);
    let events = event_rows::events_of(connection, variants.map(|game| &game.slot)).await?;
    for game in games {
        if game.kind != Kind::Variant {
            // A game that no board has, of a later version, is shown without one.
            let _ = game.place();
            continue;
        }
        let told = events.get(&game.slot).map_or(&[][..], Vec::as_slice);
        if let Ok((replayed, _)) = replay_variant(&occurrences(told)) {
            let position = replayed.position();
            let letter = |cell| match position.disc(cell) {
                Some(Colour::Red) => 'r',
                Some(Colour::Blue) => 'b',
                Some(Colour::Green) => 'g',
                Some(Colour::Yellow) => 'y',
                None => '.',
            };
            game.position = Some(drawn(position.shape(), letter));
        }
    }
    Ok(())
}
