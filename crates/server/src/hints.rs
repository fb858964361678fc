//! Hints and reviews: what the moves of a position are worth, worked out one position at a time, and kept
//! for those who ask again.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use connect4_opponent::{Outlook, Reviewer};
use connect4_relay::Visitor;
use connect4_rules::Position;

use crate::refusal::Refusal;
use crate::turns::Turns;

/// Positions of which it is kept, at most: some 2 MB.
const MOST_KEPT: usize = 4096;

/// What hints and reviews are worked out with.
#[derive(Default)]
pub struct Hints {
    /// One at a time: it takes a processor.
    turns: Turns,
    kept: Mutex<Kept>,
    /// Lent to who has the turn: what it knows of one position makes the next one of the game quick.
    reviewer: Arc<Mutex<Reviewer>>,
}

/// Outlooks by their positions, and the positions in the order in which they came.
#[derive(Default)]
struct Kept {
    outlooks: HashMap<Position, Option<Outlook>>,
    order: VecDeque<Position>,
}

impl Hints {
    /// The outlook of a position, for a visitor; none if the game is over there.
    pub async fn outlook(
        &self,
        position: Position,
        visitor: Visitor,
    ) -> Result<Option<Outlook>, Refusal> {
        if let Some(outlook) = self.kept(&position) {
            return Ok(outlook);
        }
        let turn = self.turns.take(visitor).await.ok_or_else(|| {
            Refusal::busy("too many hints and reviews are being worked out: try again")
        })?;
        // Somebody else may have asked for the same meanwhile.
        if let Some(outlook) = self.kept(&position) {
            return Ok(outlook);
        }
        let reviewer = Arc::clone(&self.reviewer);
        let working = tokio::task::spawn_blocking(move || {
            // A look ahead that panicked has left a table that is whole, if not full.
            let mut reviewer = reviewer.lock().unwrap_or_else(PoisonError::into_inner);
            let outlook = reviewer.look_ahead(&position);
            // Kept until here although who asked may be gone: the processor is taken until now.
            drop(turn);
            outlook
        });
        let failed = |_| Refusal::busy("it could not be worked out: try again");
        let outlook = working.await.map_err(failed)?;
        self.keep(position, &outlook);
        Ok(outlook)
    }

    fn kept(&self, position: &Position) -> Option<Option<Outlook>> {
        self.kept.lock().ok()?.outlooks.get(position).cloned()
    }

    fn keep(&self, position: Position, outlook: &Option<Outlook>) {
        let Ok(mut kept) = self.kept.lock() else {
            return;
        };
        if kept.outlooks.insert(position, outlook.clone()).is_none() {
            kept.order.push_back(position);
        }
        while kept.order.len() > MOST_KEPT {
            if let Some(oldest) = kept.order.pop_front() {
                kept.outlooks.remove(&oldest);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::net::IpAddr;

    use connect4_rules::Shape;

    use super::*;
    use crate::turns::MOST_WAITING;

    fn at(text: &str) -> Visitor {
        text.parse::<IpAddr>().unwrap().into()
    }

    fn after(moves: &str) -> Position {
        Position::from_moves(Shape::CLASSROOM, moves).unwrap()
    }

    #[tokio::test]
    async fn a_known_position_needs_no_turn() {
        let hints = Hints::default();
        let _turn = hints.turns.take(at("192.0.2.1")).await;
        let position = after("12");
        hints.keep(position, &None);
        let outlook = hints.outlook(position, at("192.0.2.2")).await;
        assert_eq!(outlook.unwrap(), None);
    }

    #[test]
    fn the_oldest_position_is_forgotten() {
        let hints = Hints::default();
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
        for position in &positions[..MOST_KEPT] {
            hints.keep(*position, &None);
        }
        // What was kept before is not kept twice.
        hints.keep(positions[1], &None);
        assert!(hints.kept(&positions[0]).is_some());
        hints.keep(positions[MOST_KEPT], &None);
        assert!(hints.kept(&positions[0]).is_none());
        assert!(hints.kept(&positions[1]).is_some());
        assert!(hints.kept(&positions[MOST_KEPT]).is_some());
    }

    #[tokio::test]
    async fn who_fills_the_queue_from_some_addresses_keeps_no_hint_from_another() {
        let hints = Arc::new(Hints::default());
        let turn = hints.turns.take(at("203.0.113.1")).await.expect("the turn");
        let ask = |moves, visitor| {
            let hints = Arc::clone(&hints);
            tokio::spawn(async move { hints.outlook(after(moves), at(visitor)).await })
        };
        let strangers = ["192.0.2.1", "192.0.2.2", "192.0.2.3"];
        let crowd: Vec<_> = strangers
            .iter()
            .flat_map(|stranger| (0..40).map(|_| ask("1", *stranger)))
            .collect();
        while hints.turns.waiting() < MOST_WAITING {
            tokio::task::yield_now().await;
        }
        let asking = ask("123", "198.51.100.1");
        // It is asked before this goes on, as all run on one thread.
        tokio::task::yield_now().await;
        drop(turn);
        let outlook = asking.await.unwrap().unwrap().expect("the game goes on");
        assert_eq!(outlook.bins.len(), 6);
        // Those who found a place are answered as well.
        let mut answered = 0;
        for one in crowd {
            answered += usize::from(one.await.unwrap().is_ok());
        }
        assert_eq!(answered, MOST_WAITING - 1);
    }
}
