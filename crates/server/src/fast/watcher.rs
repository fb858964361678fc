//! A fast game of which no seat is played here: its room at the relay is watched.

use std::sync::Arc;

use connect4_client::fast::{FromRoom, Guard, RelayLink, Subject};
use connect4_protocol::fast::FastGame;
use tokio::sync::{Notify, watch};
use tokio::task::AbortHandle;

use super::state::State;

/// A watcher, which ends when this is dropped.
pub struct Watcher {
    state: watch::Receiver<State>,
    task: AbortHandle,
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Watcher {
    /// Watches the room of a game at the relay with this URL. `again` is told whenever there is
    /// something new to see.
    pub fn of(
        relay: &str,
        subject: Subject,
        chain: FastGame,
        now: u64,
        again: Arc<Notify>,
    ) -> Self {
        let link = RelayLink::open(relay, &subject, None);
        let guard = Guard::new(subject, chain, now);
        let connecting = Some("it is being connected".into());
        let (known, state) = watch::channel(State::of_watcher(&guard, connecting));
        let task = tokio::spawn(follow(link, guard, known, again));
        Self {
            state,
            task: task.abort_handle(),
        }
    }

    pub fn state(&self) -> State {
        self.state.borrow().clone()
    }
}

async fn follow(
    mut link: RelayLink,
    mut guard: Guard,
    known: watch::Sender<State>,
    again: Arc<Notify>,
) {
    loop {
        let mut state = known.borrow().clone();
        match link.next().await {
            FromRoom::Position(evidence) => {
                // A relay may say anything: what is not signed by both changes nothing.
                if guard.receive(&evidence).is_err() {
                    continue;
                }
                state = State::of_watcher(&guard, None);
            }
            FromRoom::Connected | FromRoom::Present(_) => state.relay_missing = None,
            FromRoom::Lost(why) => state.relay_missing = Some(why),
            FromRoom::Offer(_) => continue,
        }
        if known.send_replace(state.clone()) != state {
            again.notify_one();
        }
    }
}
