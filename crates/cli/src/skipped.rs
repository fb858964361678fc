//! Telling about events of the contracts that were left out.

use connect4_client::Client;

use crate::words::{remark, skipped};

/// How many events were told to be left out.
#[derive(Default)]
pub struct Skipped(u64);

impl Skipped {
    /// Tells how many events were left out over a connection, if that is more than was told.
    pub fn tell(&mut self, client: &Client) {
        let count = client.skipped_events();
        if count > self.0 {
            self.0 = count;
            remark(skipped(count));
        }
    }
}
