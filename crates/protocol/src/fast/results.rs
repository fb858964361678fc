//! The result of a game by signed terms, from all that is on the chain about it.

use connect4_rules::{ByPlayer, Player};

use super::{Evidence, Moves};
use crate::{End, Game};

/// A piece of what is on the chain about a game by signed terms: a game that was recorded, or the game as a
/// dispute has left it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// All moves.
    pub moves: Moves,
    /// How the game ended; none if it goes on.
    pub end: Option<End>,
    /// The winner; none before the end, after a draw and after an abort.
    pub winner: Option<Player>,
}

/// How much a piece that is no resignation is worth, in this order.
///
/// What counts first is how many moves both have signed: of a position, or an end on the board, all but the
/// last; of a timeout, all, as the late player had to answer them; of a draw, one more than all: who has agreed
/// to it could sign the next move alone. Only a move of both after it shows that they have gone on.
/// At as many, a position in which the game goes on is worth the least: the late player could sign one more
/// move alone after the timeout.
type Weight = (u8, u8);

impl Piece {
    /// What a dispute that starts knows.
    pub const START: Self = Self {
        moves: Moves::new(),
        end: None,
        winner: None,
    };

    /// What evidence makes of a game.
    #[must_use]
    pub const fn of(evidence: &Evidence, made: &Game) -> Self {
        Self {
            moves: evidence.moves,
            end: made.end(),
            winner: made.winner(),
        }
    }

    fn weight(&self) -> Weight {
        let moves = self.moves.turns();
        let before_last = moves.saturating_sub(1);
        match self.end {
            None => (before_last, 0),
            Some(End::Timeout | End::Abort) => (moves, 1),
            Some(End::Agreement) => (moves.saturating_add(1), 2),
            Some(_) => (before_last, 3),
        }
    }

    /// The player who gave up.
    fn resigned(&self) -> Option<Player> {
        match self.end {
            Some(End::Resignation) => self.winner.map(Player::opponent),
            _ => None,
        }
    }
}

/// All that is on the chain about a game by signed terms, as far as its result depends on it. What came first
/// makes no difference.
///
/// 1. A resignation stands against who signed it. If both have resigned nobody has won: a draw.
/// 2. Else the moves that both have signed decide: more outrank fewer. At as many, an end on the board
///    outranks a timeout, and that a position in which the game goes on. A draw that was agreed on stands
///    until both have moved after it; against a position in which the game goes on, for a move longer.
/// 3. The longest piece of all that have the result is shown.
///
/// So who has lost gains nothing by bringing an early resignation of its own, an old draw, or a timeout at an
/// old position before the real end comes; and who has gone back to a missed win gains nothing where the
/// other one brings the position to which both had gone on.
///
/// # Examples
///
/// ```
/// use connect4_protocol::End;
/// use connect4_protocol::fast::{Moves, Piece, Results};
/// use connect4_rules::Player;
///
/// let piece = |moves: &[u8], end, winner| Piece {
///     moves: Moves::from_bins(moves).unwrap(),
///     end: Some(end),
///     winner,
/// };
/// let early = piece(&[3, 3, 2, 2], End::Timeout, Some(Player::Two));
/// let line = piece(&[3, 3, 2, 2, 1, 1, 0], End::Line, Some(Player::One));
///
/// let mut results = Results::default();
/// results.add(&early);
/// assert_eq!(results.result(), early);
/// results.add(&line);
/// assert_eq!(results.result(), line);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Results {
    /// The heaviest piece that is no resignation.
    heaviest: Option<Piece>,
    /// The longest resignation of each player.
    resigned: ByPlayer<Option<Piece>>,
    /// The longest piece that each player has won by.
    won: ByPlayer<Option<Piece>>,
}

impl Results {
    /// Takes another piece.
    pub fn add(&mut self, piece: &Piece) {
        match piece.resigned() {
            Some(by) => put(&mut self.resigned[by], piece, longer),
            None => put(&mut self.heaviest, piece, heavier),
        }
        if let Some(winner) = piece.winner {
            put(&mut self.won[winner], piece, longer);
        }
    }

    /// The result, with the moves that are shown of it; [`Piece::START`] without any piece.
    #[must_use]
    pub fn result(&self) -> Piece {
        let heaviest = self.heaviest.unwrap_or(Piece::START);
        let winner = match (&self.resigned.one, &self.resigned.two) {
            (Some(one), Some(two)) => {
                let shown = if longer(one, two) { one } else { two };
                return Piece {
                    moves: shown.moves,
                    end: Some(End::Agreement),
                    winner: None,
                };
            }
            (Some(_), None) => Some(Player::Two),
            (None, Some(_)) => Some(Player::One),
            (None, None) => heaviest.winner,
        };
        match winner {
            Some(winner) => self.won.get(winner).unwrap_or(heaviest),
            None => heaviest,
        }
    }
}

fn put(place: &mut Option<Piece>, piece: &Piece, is_better: impl Fn(&Piece, &Piece) -> bool) {
    if place.is_none_or(|held| is_better(piece, &held)) {
        *place = Some(*piece);
    }
}

/// Whether a piece has more weight than another one. Of two with as much, which only who has signed a turn
/// twice can make, a draw outranks a win; the rest is for an order that does not depend on what came first.
fn heavier(piece: &Piece, other: &Piece) -> bool {
    let rank = |piece: &Piece| (piece.weight(), piece.winner.is_none(), tie(piece));
    let (own, others) = (rank(piece), rank(other));
    (own, &*piece.moves) > (others, &*other.moves)
}

/// Whether a piece with the same winner has more moves than another one.
fn longer(piece: &Piece, other: &Piece) -> bool {
    let rank = |piece: &Piece| (piece.moves.turns(), piece.weight(), tie(piece));
    let (own, others) = (rank(piece), rank(other));
    (own, &*piece.moves) > (others, &*other.moves)
}

fn tie(piece: &Piece) -> (Option<u8>, Option<u8>) {
    (
        piece.end.map(|end| end as u8),
        piece.winner.map(|winner| winner as u8),
    )
}
