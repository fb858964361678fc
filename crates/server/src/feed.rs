//! Which games the chain has changed: its events are read once for all rooms of a public host.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use connect4_client::Error;
use tokio::sync::watch;
use tokio::task::AbortHandle;

use crate::link::{Chain, Connected, Link};
use crate::room::Rooms;

/// When to follow the events again after that has failed although the chain answers.
const RETRY: Duration = Duration::from_secs(1);

/// The task that tells rooms which games have changed. It ends when this is dropped.
pub struct Feed(AbortHandle);

impl Feed {
    pub fn of(chain: &Chain, rooms: Rooms) -> Self {
        Self(tokio::spawn(run(chain.links(), rooms)).abort_handle())
    }
}

impl Drop for Feed {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn run(mut links: watch::Receiver<Link>, rooms: Rooms) {
    loop {
        let at = match &*links.borrow_and_update() {
            Link::Up { at, .. } => Some(Arc::clone(at)),
            Link::Down { .. } => None,
        };
        let Some(at) = at else {
            match links.changed().await {
                Ok(()) => continue,
                Err(_) => return,
            }
        };
        tokio::select! {
            biased;
            () = left(&mut links, &at) => {}
            failed = follow(&at, &rooms) => {
                let Err(_) = failed;
                tokio::time::sleep(RETRY).await;
            }
        }
    }
}

/// Waits until there is another connection, or none, or a contract was found that was not there.
async fn left(links: &mut watch::Receiver<Link>, at: &Arc<Connected>) {
    let had = contracts(at);
    let is_left = |link: &Link| match link {
        Link::Up { at: now, .. } => !Arc::ptr_eq(now, at) || contracts(now) != had,
        Link::Down { .. } => true,
    };
    // Nobody tells of links any more when the server ends.
    if links.wait_for(is_left).await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// Which contracts are known.
fn contracts(at: &Connected) -> (bool, bool) {
    (at.contract().is_some(), at.variants().is_some())
}

/// Tells rooms of events until that fails.
async fn follow(at: &Connected, rooms: &Rooms) -> Result<Infallible, Error> {
    let watch = match &at.contracts() {
        Some(all) => Some(all.watch_best().await?),
        None => None,
    };
    // Something may have happened that was not followed.
    rooms.all_changed();
    let Some(mut watch) = watch else {
        return std::future::pending().await;
    };
    loop {
        rooms.changed_by(&watch.next().await?.at().event);
    }
}
