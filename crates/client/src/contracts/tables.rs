//! Open tables of variants.

use connect4_protocol::Error as Refusal;
use connect4_protocol::variants::message::OpenTables;
use connect4_protocol::variants::{Game, Page};

use crate::contracts::deployed::Contracts;
use crate::contracts::newest::Newest;
use crate::error::Error;

impl Contracts {
    /// The newest open tables, at most so many, each with its number, the newest first.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached or its answer is not understood.
    pub async fn open_tables(&self, most: usize) -> Result<Vec<(u32, Game)>, Error> {
        let mut found = Newest::new(None, most);
        while let Some(from) = found.next {
            let message = OpenTables {
                from,
                limit: Page::MAX_LEN,
            };
            found.add(match self.agreed(&message, None).await {
                // The table at which this page begins has filled up or was closed since the page before.
                Err(Error::Refused {
                    error: Refusal::NoSuchGame | Refusal::AlreadyStarted,
                    ..
                }) if from.is_some() => None,
                page => Some(page.map(|page| (page.tables, page.next))?),
            });
        }
        Ok(found.all)
    }
}
