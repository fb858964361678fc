//! Open tables of variants.

use connect4_protocol::Error as Refusal;
use connect4_protocol::variants::message::OpenTables;
use connect4_protocol::variants::{Game, Page};

use crate::contracts::deployed::Contracts;
use crate::error::Error;

impl Contracts {
    /// The newest open tables, at most so many, each with its number, the newest first.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached or its answer is not understood.
    pub async fn open_tables(&self, most: usize) -> Result<Vec<(u32, Game)>, Error> {
        let mut tables: Vec<(u32, Game)> = Vec::new();
        let mut from = None;
        while tables.len() < most {
            let message = OpenTables {
                from,
                limit: Page::MAX_LEN,
            };
            let page = match self.agreed(&message, None).await {
                // The table at which this page begins has filled up or was closed since the page before: it is
                // looked for from the newest one on.
                Err(Error::Refused {
                    error: Refusal::NoSuchGame | Refusal::AlreadyStarted,
                    ..
                }) if from.is_some() => {
                    from = None;
                    continue;
                }
                page => page?,
            };
            let oldest = tables.last().map(|(number, _)| *number);
            let is_older = |number: u32| oldest.is_none_or(|oldest| number < oldest);
            tables.extend(
                page.tables
                    .into_iter()
                    .filter(|(number, _)| is_older(*number)),
            );
            from = page.next;
            if from.is_none() {
                break;
            }
        }
        tables.truncate(most);
        Ok(tables)
    }
}
