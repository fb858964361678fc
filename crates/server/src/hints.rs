//! Hints: worked out one at a time, and kept for those who ask again.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use connect4_opponent::Reviewer;
use connect4_rules::Position;
use connect4_wire::Hint;
use tokio::sync::Semaphore;

use crate::refusal::Refusal;

/// Requests that wait for their turn, at most.
const MOST_WAITING: usize = 16;
/// Positions whose hints are kept, at most: some 2 MB.
const MOST_KEPT: usize = 4096;

/// What hints are worked out with.
pub struct Hints {
    /// One at a time: it takes a processor. Reviews wait here, too.
    turn: Arc<Semaphore>,
    waiting: Semaphore,
    kept: Mutex<Kept>,
    /// Lent to who has the turn: what it knows of one position makes the next one of the game quick.
    reviewer: Arc<Mutex<Reviewer>>,
}

/// Hints by their positions, and the positions in the order in which they came.
#[derive(Default)]
struct Kept {
    hints: HashMap<Position, Hint>,
    order: VecDeque<Position>,
}

impl Hints {
    pub fn new(turn: Arc<Semaphore>) -> Self {
        Self {
            turn,
            waiting: Semaphore::new(MOST_WAITING),
            kept: Mutex::default(),
            reviewer: Arc::default(),
        }
    }

    /// The hint for a position.
    pub async fn of(&self, position: Position) -> Result<Hint, Refusal> {
        let busy = || Refusal::busy("too many hints are being worked out: try again");
        if let Some(hint) = self.kept(&position) {
            return Ok(hint);
        }
        let _waiting = self.waiting.try_acquire().map_err(|_| busy())?;
        let turn = Arc::clone(&self.turn).acquire_owned().await;
        let turn = turn.map_err(|_| busy())?;
        // Somebody else may have asked for the same meanwhile.
        if let Some(hint) = self.kept(&position) {
            return Ok(hint);
        }
        let reviewer = Arc::clone(&self.reviewer);
        let working = tokio::task::spawn_blocking(move || {
            // A look ahead that panicked has left a table that is whole, if not full.
            let mut reviewer = reviewer.lock().unwrap_or_else(PoisonError::into_inner);
            let outlook = reviewer.look_ahead(&position);
            // Kept until here although who asked may be gone: the processor is taken until now.
            drop(turn);
            Hint::new(&position, outlook.as_ref())
        });
        let failed = |_| Refusal::busy("the hint could not be worked out: try again");
        let hint = working.await.map_err(failed)?;
        self.keep(position, &hint);
        Ok(hint)
    }

    fn kept(&self, position: &Position) -> Option<Hint> {
        self.kept.lock().ok()?.hints.get(position).cloned()
    }

    fn keep(&self, position: Position, hint: &Hint) {
        let Ok(mut kept) = self.kept.lock() else {
            return;
        };
        if kept.hints.insert(position, hint.clone()).is_none() {
            kept.order.push_back(position);
        }
        while kept.order.len() > MOST_KEPT {
            if let Some(oldest) = kept.order.pop_front() {
                kept.hints.remove(&oldest);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use connect4_rules::Shape;

    use super::*;

    /// Hints whose turn never comes.
    fn without_a_turn() -> Hints {
        Hints::new(Arc::new(Semaphore::new(0)))
    }

    fn after(moves: &str) -> Position {
        Position::from_moves(Shape::CLASSROOM, moves).unwrap()
    }

    #[tokio::test]
    async fn a_known_position_needs_no_turn() {
        let hints = without_a_turn();
        let position = after("12");
        let hint = Hint::new(&position, None);
        hints.keep(position, &hint);
        assert_eq!(hints.of(position).await.unwrap(), hint);
    }

    #[test]
    fn the_oldest_position_is_forgotten() {
        let hints = without_a_turn();
        let mut positions = vec![after("")];
        let mut seen = HashSet::new();
        let mut next = 0;
        while positions.len() <= MOST_KEPT {
            let before = positions[next];
            next += 1;
            for bin in before.legal_bins() {
                let mut after = before;
                after.drop(bin).unwrap();
                if seen.insert(after) {
                    positions.push(after);
                }
            }
        }
        let hint = Hint::new(&positions[0], None);
        for position in &positions[..MOST_KEPT] {
            hints.keep(*position, &hint);
        }
        // What was kept before is not kept twice.
        hints.keep(positions[1], &hint);
        assert!(hints.kept(&positions[0]).is_some());
        hints.keep(positions[MOST_KEPT], &hint);
        assert!(hints.kept(&positions[0]).is_none());
        assert!(hints.kept(&positions[1]).is_some());
        assert!(hints.kept(&positions[MOST_KEPT]).is_some());
    }

    #[tokio::test]
    async fn no_more_wait_than_there_is_room_for() {
        let hints = Arc::new(without_a_turn());
        let ask = |hints: &Arc<Hints>| {
            let hints = Arc::clone(hints);
            tokio::spawn(async move { hints.of(after("1")).await })
        };
        let waiting: Vec<_> = (0..MOST_WAITING).map(|_| ask(&hints)).collect();
        while hints.waiting.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        assert!(hints.of(after("1")).await.is_err());
        // Once there is a turn, all of them are answered.
        hints.turn.add_permits(1);
        for one in waiting {
            assert_eq!(one.await.unwrap().unwrap().bins.len(), 6);
        }
    }
}
