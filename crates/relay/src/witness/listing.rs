//! A socket on which a witness signs lists of ends.

use std::collections::VecDeque;
use std::sync::Arc;

use axum::body::Bytes;
use codec::Encode as _;
use connect4_protocol::fast::wire::Refusal;
use connect4_protocol::signed::listing::{Asked, FromListing, read};

use super::keeper::Keeper;
use crate::counters::Counters;
use crate::talk::Talk;

/// A socket on which a witness signs lists of ends.
pub struct ListingVisit {
    keeper: Arc<Keeper>,
    ready: VecDeque<Bytes>,
}

impl ListingVisit {
    pub const fn new(keeper: Arc<Keeper>) -> Self {
        Self {
            keeper,
            ready: VecDeque::new(),
        }
    }
}

impl Talk for ListingVisit {
    fn next_frame(&mut self) -> Option<Bytes> {
        self.ready.pop_front()
    }

    fn is_out(&self) -> Option<Refusal> {
        None
    }

    fn has_to_join(&self) -> bool {
        false
    }

    async fn changed(&mut self) {
        std::future::pending::<()>().await;
    }

    fn hear(&mut self, frame: &[u8], _: u64, _: &Counters) -> Result<(), Refusal> {
        let asked: Asked = read(frame).ok_or(Refusal::BadMessage)?;
        let answer = match self.keeper.list(asked.games()) {
            Ok(signature) => FromListing::Signed(signature),
            Err(game) => FromListing::Lacks(game),
        };
        self.ready.push_back(answer.encode().into());
        Ok(())
    }
}
