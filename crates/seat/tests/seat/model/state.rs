//! What the states of all searches have in common.

use codec::{Decode, Encode};
use connect4_protocol::signed::Moves;
use connect4_rules::Shape;

/// How much the world may do besides ordinary moves. Each is counted down.
#[derive(Clone, Copy, Debug, Encode, Decode)]
pub struct Left {
    /// Statements of the cheat besides one move for each turn: a second move, a resignation, an offer.
    pub statements: u8,
    /// Restarts of the honest player's program.
    pub restarts: u8,
    /// Replacements of the last block or the last two.
    pub forks: u8,
    /// Looks at a chain that is not the true one.
    pub lies: u8,
    /// Jumps of the time past a deadline.
    pub jumps: u8,
    /// Offers, acceptances and resignations of the honest player, of each so many.
    pub offers: u8,
    pub accepts: u8,
    pub resigns: u8,
    /// Messages that a relay keeps and passes on later, and times that it forgets what it has shown.
    pub tricks: u8,
    /// Transactions of the honest player in a game with a stake that miss the next block, and get into any later one.
    pub late: u8,
}

/// What the honest player has held, as far as the end of the game is measured by it. It only grows, but for
/// what it held when it acted last.
#[derive(Clone, Debug, Encode, Decode)]
pub struct Held {
    /// The longest position that it could go on from when it held it.
    pub position: Moves,
    /// What it held when it acted last, by a true view of a game that was not final: the opponent's
    /// resignation or an own line that it had signed, and a draw in its time.
    pub acted_winning: bool,
    pub acted_drawn: bool,
    /// The same, if the game was still not final when its transaction came.
    pub must_win: bool,
    pub must_not_lose: bool,
    /// It has given the game up by its own decision.
    pub has_resigned: bool,
    pub has_accepted: bool,
}

impl Held {
    /// Nothing that it has acted upon has to win any more.
    pub const fn lose(&mut self) {
        self.acted_winning = false;
        self.must_win = false;
    }
}

/// Adds to a list whose order has no meaning.
pub fn insert<T: Encode + Clone>(list: &mut Vec<T>, item: &T) {
    if let Err(place) = list.binary_search_by_key(&item.encode(), Encode::encode) {
        list.insert(place, item.clone());
    }
}

/// Time when a search begins.
pub const START: u64 = 1_800_000_000;
/// The smallest board.
pub const SHAPE: Shape = match Shape::new(5, 4, 3) {
    Ok(shape) => shape,
    Err(_) => panic!("the smallest board"),
};
