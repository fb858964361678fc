//! Seats of fast games are played on, also if nobody looks at the game.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use connect4_client::{Contracts, GameId};
use connect4_protocol::fast::Domain;
use tokio::sync::watch;
use tokio::task::AbortHandle;
use tokio::time::sleep;

use super::tables::{FastTables, Need};
use crate::link::{Chain, Link};

/// Games of kept keys that are looked at after each block, in turn: what a program asks its node for does not
/// grow with its past. The least bank for a stake lasts for many blocks.
const EACH_BLOCK: usize = 8;
/// Pause before a seat is tried again that is needed and could not be opened.
const AGAIN: Duration = Duration::from_secs(5);

/// The task that opens the seats that were lost with the connection to the chain, and after the start of the
/// program those in whose games something runs against a player. It ends when this is dropped.
pub struct Reopening(AbortHandle);

impl Reopening {
    pub fn of(chain: &Chain, tables: Arc<FastTables>) -> Self {
        Self(tokio::spawn(run(chain.links(), tables)).abort_handle())
    }
}

impl Drop for Reopening {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn run(mut links: watch::Receiver<Link>, tables: Arc<FastTables>) {
    let mut kept = None;
    loop {
        let link = links.borrow_and_update().clone();
        let mut is_needed = false;
        if let Link::Up { at, .. } = link
            && let Some(contract) = at.contract()
        {
            reopen(&contract, &tables).await;
            is_needed = defend(&contract, &tables, &mut kept).await;
        }
        let changed = async {
            tokio::select! {
                changed = links.changed() => changed,
                () = sleep(AGAIN), if is_needed => Ok(()),
            }
        };
        if changed.await.is_err() {
            return;
        }
    }
}

/// Opens the seats again that have ended before their games.
async fn reopen(contract: &Contracts, tables: &FastTables) {
    for id in tables.lost() {
        // What fails now is tried again after the next block.
        match contract.is_fast_settled(id).await {
            Ok(true) => tables.forget_lost(id),
            Ok(false) => {
                if let Ok(Some(chain)) = contract.game(id).await {
                    tables.seats(contract, id, &chain).await;
                }
            }
            Err(_) => {}
        }
    }
}

/// Games whose keys were kept before this program started, and whose seats it has not opened since.
struct Kept {
    domain: Domain,
    /// Those in which nothing runs against a player, as far as was seen.
    calm: VecDeque<GameId>,
    /// Those whose seat is needed and could not be opened, or that could not be read.
    needed: VecDeque<GameId>,
    /// How many of the calm ones are looked at next: all of them at first.
    next: usize,
}

impl Kept {
    fn of(tables: &FastTables, domain: Domain) -> Self {
        let calm = tables.kept(domain);
        Self {
            domain,
            next: calm.len(),
            calm,
            needed: VecDeque::new(),
        }
    }

    /// The games to look at now.
    fn turn(&mut self) -> Vec<GameId> {
        let next = std::mem::replace(&mut self.next, EACH_BLOCK);
        let needed = self.needed.drain(..EACH_BLOCK.min(self.needed.len()));
        let calm = self.calm.drain(..next.min(self.calm.len()));
        needed.chain(calm).collect()
    }
}

/// Opens the seats that are needed of the games whose keys were kept before this program started. Until then
/// they are free for another program. Returns whether one has to be tried again soon.
async fn defend(contract: &Contracts, tables: &FastTables, kept: &mut Option<Kept>) -> bool {
    let Ok(domain) = contract.domain() else {
        return false;
    };
    let kept = match kept {
        Some(kept) if kept.domain == domain => kept,
        _ => kept.insert(Kept::of(tables, domain)),
    };
    for id in kept.turn() {
        match tables.defend(contract, id).await {
            Ok(Need::Over) => {}
            Ok(Need::None) => kept.calm.push_back(id),
            Ok(Need::Open) | Err(_) => kept.needed.push_back(id),
        }
    }
    !kept.needed.is_empty()
}
