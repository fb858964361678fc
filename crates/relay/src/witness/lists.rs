//! Lists of ends that a witness signs, one at a time, and the last ones.

use std::collections::VecDeque;

use connect4_protocol::Address;
use connect4_protocol::signed::Signature;
use connect4_protocol::signed::listing::{Asked, FromListing};
use connect4_protocol::signed::relay::Refusal;
use tokio::sync::Mutex;
use tokio::task::spawn_blocking;

use crate::counters::Counter;

/// Lists that are kept, as somebody who records games asks again for the same ones.
const KEPT: usize = 16;

/// The lists that a witness has signed last.
#[derive(Default)]
pub struct Lists {
    /// Held while a list is signed: all who ask have one processor at most.
    last: Mutex<VecDeque<(Address, Asked, Signature)>>,
    signed: Counter,
}

impl Lists {
    /// Lists that were signed, each counted once while it is kept.
    pub fn signed(&self) -> u64 {
        self.signed.get()
    }
}

impl Lists {
    /// The answer to a request for a list that is to be signed by this key, which `sign` does on a thread that may take its
    /// time.
    ///
    /// # Errors
    ///
    /// As `sign`, and [`Refusal::Full`] if the thread ends before it has answered.
    pub async fn answer(
        &self,
        key: Address,
        asked: Asked,
        sign: impl FnOnce(&Asked) -> Result<FromListing, Refusal> + Send + 'static,
    ) -> Result<FromListing, Refusal> {
        let mut last = self.last.lock().await;
        let mut kept = last.iter();
        if let Some((.., signature)) = kept.find(|(by, games, _)| *by == key && *games == asked) {
            return Ok(FromListing::Signed(*signature));
        }
        let games = asked.clone();
        let signed = spawn_blocking(move || sign(&games));
        let answer = signed.await.map_err(|_| Refusal::Full)??;
        if let FromListing::Signed(signature) = answer {
            self.signed.add();
            last.truncate(KEPT - 1);
            last.push_front((key, asked, signature));
        }
        Ok(answer)
    }
}
