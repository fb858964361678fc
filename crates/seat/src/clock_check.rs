//! Whether a witness takes more off a player's clock than the player has used.

use connect4_protocol::ClockSpec;
use connect4_rules::Player as Side;

/// By how much the trips of two messages over one line may differ, in milliseconds.
const VARIES: u64 = 100;
/// Round trips of which the lowest counts, as the witness counts those of a line.
const TRIPS: usize = 5;
/// The first moves, one of each player, cost nothing.
const FREE: usize = 2;

/// When a receipt came, by the player's clock, which has to run evenly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Came {
    /// In milliseconds.
    pub at: u64,
    /// When this player has said something last, in milliseconds; none if nothing was said.
    pub said: Option<u64>,
}

/// Compares what a witness takes off a player's clock with what the player has used, by a clock of the player's own, which
/// has to run evenly.
///
/// A move can cost the time from the receipt of the opponent's move until the own move is said, and one round trip. What a
/// witness takes off beyond that, the time for which the program was held up, and 100 ms, is reported. A witness that leaves
/// the time of the line to nobody, or has each receipt late from the first one on, takes a round trip a move unnoticed.
#[derive(Clone, Debug, Default)]
pub struct ClockCheck {
    /// Number of moves that the newest receipt has.
    turns: usize,
    /// When that came, and for how long the program was held up before, if nothing was lost before it.
    heard: Option<(u64, u64)>,
    /// For how long the program was held up at a time since then, at most.
    held_up: u64,
    /// Whether the connection has brought a receipt: the first one may have waited there.
    is_live: bool,
    trips: [Option<u64>; TRIPS],
}

impl ClockCheck {
    /// The program was held up for so many milliseconds: by so much what it measures can be wrong.
    pub fn hold_up(&mut self, time: u64) {
        self.held_up = self.held_up.max(time);
    }

    /// The connection is lost: a receipt may have waited that comes next.
    pub const fn lost(&mut self) {
        self.heard = None;
        self.is_live = false;
    }

    /// Hears a receipt for one move more. `left` has what it and those before leave to the player who moved, in
    /// milliseconds.
    ///
    /// Returns by how many milliseconds the witness has taken more for a move of this player than the player has used, if
    /// that is more than lines vary; none if not, if the move is the opponent's, or if it is not known.
    pub fn hear(
        &mut self,
        side: Side,
        clock: ClockSpec,
        left: &[Option<u64>],
        came: Came,
    ) -> Option<u64> {
        let (turns, before) = (left.len(), self.heard.take());
        let is_next = turns == self.turns.saturating_add(1);
        let was_live = core::mem::replace(&mut self.is_live, true);
        let held_up = core::mem::take(&mut self.held_up);
        self.turns = turns;
        self.heard = Some((came.at, held_up)).filter(|_| was_live || turns == 1);
        let is_own = (turns % 2 == 1) == (side == Side::One);
        let before = before.filter(|_| is_own && is_next);
        let (said, (heard, held_up_before)) = came.said.zip(before)?;
        self.trips.rotate_right(1);
        self.trips[0] = came.at.checked_sub(said);
        let trip = self.trips.iter().flatten().min()?;
        let spent = clock.spent(left).last().flatten();
        let spent = spent.filter(|_| turns > FREE)?;
        let used = said.checked_sub(heard)?.saturating_add(*trip);
        let more = spent.checked_sub(used)?;
        let varies = VARIES
            .saturating_add(held_up)
            .saturating_add(held_up_before);
        Some(more).filter(|more| *more > varies)
    }
}
