//! A position of a variant.

#[cfg(feature = "scale")]
mod record;

use core::fmt;

use super::{ByColour, Colour, Move, MoveError, Outcome, Powers, Variant};
use crate::cell::bit;
use crate::{self as classic, Bin, Cell, Cells, Play, Player, Shape};

/// A position of a variant: the discs, whose turn it is, the powers that are left, who has left.
///
/// # Examples
///
/// ```
/// use connect4_rules::variant::{Colour, Move, Outcome, Position, Powers, Variant, VariantSpec};
/// use connect4_rules::{Bin, Cell, Shape};
///
/// let variant = Variant::try_from(VariantSpec {
///     players: 3,
///     powers: Powers { take: 1, ..Powers::NONE },
///     ..VariantSpec::classic(Shape::STANDARD)
/// })?;
/// let mut position = Position::new(variant);
/// assert_eq!(position.play(Move::Drop(Bin::new(3)))?, None);
/// assert_eq!(position.play(Move::Take(Cell::new(3, 0)))?, None);
/// assert_eq!(position.powers(Colour::Blue).take, 0);
/// assert_eq!(position.to_move(), Some(Colour::Green));
/// assert_eq!(position.height(Bin::new(3)), 0);
///
/// // Two of three leave.
/// assert_eq!(position.leave(Colour::Red)?, None);
/// assert_eq!(position.leave(Colour::Green)?, Some(Outcome::LastLeft(Colour::Blue)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "scale", derive(codec::MaxEncodedLen, scale_info::TypeInfo))]
pub struct Position {
    variant: Variant,
    discs: ByColour<Cells>,
    powers: ByColour<Powers>,
    has_left: ByColour<bool>,
    turns: u8,
    /// After the end, the player whose turn it would be.
    next: Colour,
    over: Over,
    /// Counts only if `over` has a winner. Apart from it, so that the encoding has one length.
    winner: Colour,
}

/// Whether a game has ended and how, in one byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "scale",
    derive(
        codec::Encode,
        codec::Decode,
        codec::MaxEncodedLen,
        scale_info::TypeInfo
    )
)]
enum Over {
    No,
    Line,
    LastLeft,
    NoMove,
    TurnLimit,
}

impl Position {
    /// After this many turns without a line the game is a draw: with pop out it could go on for
    /// ever.
    pub const MAX_TURNS: u8 = 250;

    /// The start of a game: an empty board, red to move.
    #[must_use]
    pub fn new(variant: Variant) -> Self {
        Self {
            variant,
            discs: ByColour::default(),
            powers: ByColour([variant.powers(); 4]),
            has_left: ByColour::default(),
            turns: 0,
            next: Colour::Red,
            over: Over::No,
            winner: Colour::Red,
        }
    }

    /// The terms of the game.
    #[must_use]
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// The shape of the board.
    #[must_use]
    pub const fn shape(&self) -> Shape {
        self.variant.shape()
    }

    /// How many turns have been taken, 0 to [`Self::MAX_TURNS`].
    #[must_use]
    pub const fn turns(&self) -> u8 {
        self.turns
    }

    /// The player to move; none after the end.
    #[must_use]
    pub fn to_move(&self) -> Option<Colour> {
        (self.over == Over::No).then_some(self.next)
    }

    /// How the game ended; none while it goes on.
    #[must_use]
    pub const fn outcome(&self) -> Option<Outcome> {
        Some(match self.over {
            Over::No => return None,
            Over::Line => Outcome::Line(self.winner),
            Over::LastLeft => Outcome::LastLeft(self.winner),
            Over::NoMove => Outcome::NoMove,
            Over::TurnLimit => Outcome::TurnLimit,
        })
    }

    /// How often a player may still use each power.
    #[must_use]
    pub fn powers(&self, colour: Colour) -> Powers {
        self.powers[colour]
    }

    /// Whether a player has left the game.
    #[must_use]
    pub fn has_left(&self, colour: Colour) -> bool {
        self.has_left[colour]
    }

    /// The cells where a player's discs lie.
    #[must_use]
    pub fn discs(&self, colour: Colour) -> Cells {
        self.discs[colour]
    }

    /// The cells where discs lie.
    #[must_use]
    pub fn occupied(&self) -> Cells {
        self.discs.0.into_iter().collect()
    }

    /// Whose disc lies in a cell; none if it is empty or the board has no such cell.
    #[must_use]
    pub fn disc(&self, cell: Cell) -> Option<Colour> {
        Colour::ALL
            .into_iter()
            .find(|&colour| self.discs[colour].contains(self.shape(), cell))
    }

    /// The top of a bin: one above its highest disc, from 0 at the bottom; 0 if it is empty or the
    /// board has no such bin. A drop into the bin lands there, unless it is the capacity.
    #[must_use]
    pub fn height(&self, bin: Bin) -> u8 {
        let in_bin = self.occupied().bits() & bin_bits(self.shape(), bin);
        let bottom = bin.index().wrapping_mul(self.shape().stride());
        // The highest bit of the bin counts from the bin's bottom; 128 is the length of the board.
        // Neither difference wraps unless the bin is empty or not there.
        match 128_u32.wrapping_sub(in_bin.leading_zeros()) as u8 {
            0 => 0,
            above => above.wrapping_sub(bottom),
        }
    }

    /// The cells where a drop would land: the top of each bin that is not full.
    #[must_use]
    pub fn drop_cells(&self) -> Cells {
        let shape = self.shape();
        let bottom = Cells::row(shape, 0).bits();
        // In each bin the sum carries from the bottom through all that is set to the bit after it.
        // That of a full bin is no cell.
        let tops = self.up_to_top().bits().wrapping_add(bottom);
        Cells::from_bits(tops) & Cells::all(shape)
    }

    /// The cells where a disc could float: those above the tops of the bins.
    #[must_use]
    pub fn float_cells(&self) -> Cells {
        Cells::all(self.shape()) - self.up_to_top() - self.drop_cells()
    }

    /// The cells below the tops of the bins: the discs, and the gaps under floating ones.
    fn up_to_top(&self) -> Cells {
        let shape = self.shape();
        let mut below = self.occupied().bits();
        // Where a cell takes over what is set in the one above it: everywhere but in the top row,
        // above which the next bin begins.
        let top_row = Cells::row(shape, shape.capacity().wrapping_sub(1));
        let mut open = (Cells::all(shape) - top_row).bits();
        // In plain form: `below |= open & (below >> 1)` as often as a bin has cells, 24 at most.
        for shift in [1, 2, 4, 8, 16] {
            below |= open & (below >> shift);
            open &= open >> shift;
        }
        Cells::from_bits(below)
    }

    /// The cells of every line of a player: of all runs of [`Shape::line`] or more discs.
    #[must_use]
    pub fn lines(&self, colour: Colour) -> Cells {
        self.discs[colour].lines(self.shape())
    }

    /// The cells of every line of the winner; empty without a winner, and without a line.
    #[must_use]
    pub fn winning_cells(&self) -> Cells {
        match self.over {
            Over::Line => self.lines(self.winner),
            _ => Cells::EMPTY,
        }
    }

    /// The next player in turn order who has not left; the same one if all others have.
    #[must_use]
    pub fn player_after(&self, colour: Colour) -> Colour {
        let [red, blue, green, yellow] = Colour::ALL;
        let order = match colour {
            Colour::Red => [blue, green, yellow],
            Colour::Blue => [green, yellow, red],
            Colour::Green => [yellow, red, blue],
            Colour::Yellow => [red, blue, green],
        };
        let mut order = order.into_iter();
        order.find(|&other| self.plays(other)).unwrap_or(colour)
    }

    /// The legal moves: drops, pops, takes, clears, floats, the swap; each kind by bin and row.
    #[must_use]
    pub fn legal_moves(&self) -> LegalMoves {
        let shape = self.shape();
        let mut moves = LegalMoves {
            shape,
            drops: Cells::EMPTY,
            pops: Cells::EMPTY,
            takes: Cells::EMPTY,
            clears: Cells::EMPTY,
            floats: Cells::EMPTY,
            swap: false,
        };
        let Some(mover) = self.to_move() else {
            return moves;
        };
        let own = self.discs[mover];
        let occupied = self.occupied();
        let powers = self.powers[mover];
        moves.drops = self.drop_cells();
        if self.variant.pop_out() {
            moves.pops = own & Cells::row(shape, 0);
        }
        if powers.take > 0 {
            moves.takes = occupied - own;
        }
        if powers.clear > 0 {
            moves.clears = shape
                .iter_rows()
                .filter(|&row| !(occupied & Cells::row(shape, row)).is_empty())
                .map(|row| Cells::of(shape, Cell::new(0, row)))
                .collect();
        }
        if powers.float > 0 {
            moves.floats = self.float_cells();
        }
        moves.swap = self.variant.pie_rule() && self.turns == 1;
        moves
    }

    /// Checks whether the player to move can make a move.
    ///
    /// # Errors
    ///
    /// The first [`MoveError`] that applies, in the order of its variants.
    pub fn check(&self, action: Move) -> Result<(), MoveError> {
        let Some(mover) = self.to_move() else {
            return Err(MoveError::GameOver);
        };
        if !self.is_in_variant(action) {
            return Err(MoveError::NotInVariant);
        }
        if let Some(power) = action.power()
            && self.powers[mover].of(power) == 0
        {
            return Err(MoveError::NoPowerLeft);
        }
        let shape = self.shape();
        let (bin, row) = match action {
            Move::Swap if self.turns == 1 => return Ok(()),
            Move::Swap => return Err(MoveError::NoSwapNow),
            Move::Drop(bin) | Move::Pop(bin) => (Some(bin), None),
            Move::Take(cell) | Move::Float(cell) => (Some(cell.bin), Some(cell.row)),
            Move::Clear(row) => (None, Some(row)),
        };
        if bin.is_some_and(|bin| bin.index() >= shape.bins()) {
            return Err(MoveError::NoSuchBin);
        }
        if row.is_some_and(|row| row >= shape.capacity()) {
            return Err(MoveError::NoSuchRow);
        }
        match action {
            Move::Drop(bin) if self.height(bin) >= shape.capacity() => Err(MoveError::BinFull),
            Move::Pop(bin) if !self.discs[mover].contains(shape, Cell { bin, row: 0 }) => {
                Err(MoveError::NotYourDisc)
            }
            Move::Take(cell) if !self.occupied().contains(shape, cell) => Err(MoveError::NoDisc),
            Move::Take(cell) if self.discs[mover].contains(shape, cell) => Err(MoveError::OwnDisc),
            Move::Clear(row) if (self.occupied() & Cells::row(shape, row)).is_empty() => {
                Err(MoveError::RowEmpty)
            }
            Move::Float(cell) if cell.row <= self.height(cell.bin) => Err(MoveError::NotAboveTop),
            _ => Ok(()),
        }
    }

    /// Makes a move of the player to move, and returns how the game ended if it did.
    ///
    /// # Errors
    ///
    /// Those of [`check`](Self::check); the position is unchanged.
    pub fn play(&mut self, action: Move) -> Result<Option<Outcome>, MoveError> {
        self.check(action)?;
        let mover = self.next;
        let shape = self.shape();
        if let Some(power) = action.power() {
            // Not 0, as the move was checked.
            let left = self.powers[mover].of_mut(power);
            *left = left.wrapping_sub(1);
        }
        match action {
            Move::Drop(bin) => {
                let row = self.height(bin);
                self.discs[mover].insert(shape, Cell { bin, row });
            }
            Move::Float(cell) => {
                self.discs[mover].insert(shape, cell);
            }
            Move::Pop(bin) => self.take_out(Cell { bin, row: 0 }),
            Move::Take(cell) => self.take_out(cell),
            Move::Clear(row) => {
                let cleared = self.occupied() & Cells::row(shape, row);
                cleared.iter(shape).for_each(|cell| self.take_out(cell));
            }
            // What is left of the powers belongs to the players, not to their colours.
            Move::Swap => self.powers.0.swap(0, 1),
        }
        // At most 250, see below.
        self.turns = self.turns.wrapping_add(1);
        let taken_out = matches!(action, Move::Pop(_) | Move::Take(_) | Move::Clear(_));
        self.end_turn(mover, taken_out);
        // After a swap the second colour moves, now played by who began.
        if action == Move::Swap {
            self.next = mover;
        }
        Ok(self.outcome())
    }

    /// Has a player leave the game, whoever is to move, and returns how the game ended if it did.
    /// The discs stay; a line of who has left does not count.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies, and leaves the position unchanged:
    ///
    /// 1. [`LeaveError::GameOver`] if the game has ended,
    /// 2. [`LeaveError::NotPlaying`] if the player does not play, or has left before.
    pub fn leave(&mut self, colour: Colour) -> Result<Option<Outcome>, LeaveError> {
        if self.over != Over::No {
            return Err(LeaveError::GameOver);
        }
        if !self.plays(colour) {
            return Err(LeaveError::NotPlaying);
        }
        self.has_left[colour] = true;
        // Of two or more, one is still there.
        let last = self.player_after(colour);
        if self.player_after(last) == last {
            self.finish(Over::LastLeft, last);
        } else if self.next == colour {
            self.pass_to(last);
        }
        Ok(self.outcome())
    }

    /// Whether a player of the variant has not left.
    fn plays(&self, colour: Colour) -> bool {
        colour.index() < usize::from(self.variant.players()) && !self.has_left[colour]
    }

    /// Ends the turn of a player: by a line, or with the next player to move. Before the turn nobody
    /// had a line, so only where discs were taken out can one of another player be there.
    fn end_turn(&mut self, mover: Colour, taken_out: bool) {
        let mut candidate = mover;
        loop {
            if !self.lines(candidate).is_empty() {
                return self.finish(Over::Line, candidate);
            }
            candidate = self.player_after(candidate);
            if candidate == mover || !taken_out {
                break;
            }
        }
        self.pass_to(self.player_after(mover));
        if self.over == Over::No && self.turns == Self::MAX_TURNS {
            self.over = Over::TurnLimit;
        }
    }

    /// Makes it a player's turn: a draw if the player has no legal move.
    fn pass_to(&mut self, next: Colour) {
        self.next = next;
        if !self.has_move(next) {
            self.over = Over::NoMove;
        }
    }

    fn finish(&mut self, over: Over, winner: Colour) {
        self.over = over;
        self.winner = winner;
    }

    /// Whether a player has a legal move.
    ///
    /// In plain form: `legal_moves` has one. Where a bin has room for a drop there is one; where
    /// none has, no disc can float either, and a swap is of a board with one disc.
    fn has_move(&self, colour: Colour) -> bool {
        let shape = self.shape();
        let occupied = self.occupied();
        let own = self.discs[colour];
        let powers = self.powers[colour];
        let top_row = Cells::row(shape, shape.capacity().wrapping_sub(1));
        occupied & top_row != top_row
            || powers.clear > 0
            || (powers.take > 0 && !(occupied - own).is_empty())
            || (self.variant.pop_out() && !(own & Cells::row(shape, 0)).is_empty())
    }

    fn is_in_variant(&self, action: Move) -> bool {
        match (action, action.power()) {
            (Move::Pop(_), _) => self.variant.pop_out(),
            (Move::Swap, _) => self.variant.pie_rule(),
            (_, Some(power)) => self.variant.powers().of(power) > 0,
            (_, None) => true,
        }
    }

    /// Takes the disc out of a cell of the board; what is above it in the bin comes down by one row.
    fn take_out(&mut self, cell: Cell) {
        let shape = self.shape();
        let Some(bit) = bit(shape, cell) else {
            return;
        };
        // The bits of the bin above the cell. A set bit has no borrow.
        let upto = bit | bit.wrapping_sub(1);
        let above = bin_bits(shape, cell.bin) & !upto;
        for discs in &mut self.discs.0 {
            let bits = discs.bits();
            *discs = Cells::from_bits((bits & !above & !bit) | ((bits & above) >> 1));
        }
    }
}

impl Play for Position {
    type Move = Move;
    type Outcome = Outcome;

    fn legal_moves(&self) -> impl Iterator<Item = Move> {
        self.legal_moves()
    }

    fn play(&mut self, action: Move) -> Result<Option<Outcome>, MoveError> {
        self.play(action)
    }
}

/// The classic game as a variant.
impl From<classic::Position> for Position {
    fn from(classic: classic::Position) -> Self {
        let mut position = Self::new(Variant::classic(classic.shape()));
        for player in Player::ALL {
            position.discs[player.into()] = classic.board().discs(player);
        }
        position.turns = classic.plies();
        position.next = classic.to_move().into();
        match classic.outcome() {
            None => {}
            Some(classic::Outcome::Draw) => position.over = Over::NoMove,
            Some(classic::Outcome::Won(player)) => {
                position.next = player.into();
                position.finish(Over::Line, player.into());
            }
        }
        position
    }
}

/// The bits of a bin; none if the board has no such bin.
fn bin_bits(shape: Shape, bin: Bin) -> u128 {
    if bin.index() >= shape.bins() {
        return 0;
    }
    // A bin is at most 24 bits, and begins below bit 128: neither shift nor difference wraps.
    let bottom = bin.index().wrapping_mul(shape.stride());
    let column = 1_u128
        .wrapping_shl(u32::from(shape.capacity()))
        .wrapping_sub(1);
    column.wrapping_shl(u32::from(bottom))
}

/// The legal moves of a position; see [`Position::legal_moves`].
#[derive(Clone, Debug)]
pub struct LegalMoves {
    shape: Shape,
    // What is left of each kind. Of a bin that can be popped there is the lowest cell, and of a row
    // that can be cleared the first.
    drops: Cells,
    pops: Cells,
    takes: Cells,
    clears: Cells,
    floats: Cells,
    swap: bool,
}

impl Iterator for LegalMoves {
    type Item = Move;

    fn next(&mut self) -> Option<Move> {
        let shape = self.shape;
        if let Some(cell) = self.drops.take_first(shape) {
            return Some(Move::Drop(cell.bin));
        }
        if let Some(cell) = self.pops.take_first(shape) {
            return Some(Move::Pop(cell.bin));
        }
        if let Some(cell) = self.takes.take_first(shape) {
            return Some(Move::Take(cell));
        }
        if let Some(cell) = self.clears.take_first(shape) {
            return Some(Move::Clear(cell.row));
        }
        if let Some(cell) = self.floats.take_first(shape) {
            return Some(Move::Float(cell));
        }
        core::mem::take(&mut self.swap).then_some(Move::Swap)
    }
}

/// Why a player can't leave: the first of these that applies, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LeaveError {
    /// The game has ended.
    GameOver,
    /// The player does not play, or has left before.
    NotPlaying,
}

impl fmt::Display for LeaveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::GameOver => "the game has ended",
            Self::NotPlaying => "this player does not play, or has left",
        })
    }
}

impl core::error::Error for LeaveError {}
