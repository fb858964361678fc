//! The index as the client's archive of past events.

use std::collections::BTreeMap;

use connect4_client::{Address, Archive, ArchivedGame, BlockRef, GameId, H256};
use futures_util::future::BoxFuture;

use crate::database::Index;
use crate::error::Error;
use crate::event_rows;
use crate::sql::{self, Value};
use crate::writer;

/// How often a game is read again because blocks were added or undone meanwhile.
const ATTEMPTS: u32 = 4;

impl Archive for Index {
    fn game<'a>(
        &'a self,
        contracts: &'a [Address],
        game: GameId,
    ) -> BoxFuture<'a, Option<ArchivedGame>> {
        Box::pin(async move { self.archived(contracts, game).await.ok().flatten() })
    }

    fn fees<'a>(&'a self, of: &'a [(BlockRef, u32)]) -> BoxFuture<'a, Vec<Option<u128>>> {
        Box::pin(async move {
            let known = self.fees_in(of).await.unwrap_or_default();
            let fee = |(block, index): &(BlockRef, u32)| known.get(&(block.hash, *index)).copied();
            of.iter().map(fee).collect()
        })
    }
}

impl Index {
    /// What the index has of a game of these contracts; none if it is of others.
    pub(crate) async fn archived(
        &self,
        contracts: &[Address],
        game: GameId,
    ) -> Result<Option<ArchivedGame>, Error> {
        let Some(game) = self.subject().game_in(contracts, game) else {
            return Ok(None);
        };
        let mut reader = self.reader().await?;
        let mut last = writer::top(&mut reader).await?;
        for _ in 0..ATTEMPTS {
            let events = event_rows::events_of(&mut reader, [&game])
                .await?
                .remove(&game);
            let gaps = writer::gaps(&mut reader).await?;
            let now = writer::top(&mut reader).await?;
            match last {
                Some(last) if now == Some(last) => {
                    let events = events.into_iter().flatten();
                    return Ok(Some(ArchivedGame {
                        last,
                        events: events.map(|told| (told.in_block(), told.event)).collect(),
                        gaps,
                    }));
                }
                _ => last = now,
            }
        }
        Ok(None)
    }

    /// The fees that are known of transactions, by the hash of the block and the index there.
    async fn fees_in(&self, of: &[(BlockRef, u32)]) -> Result<BTreeMap<(H256, u32), u128>, Error> {
        let mut reader = self.reader().await?;
        let mut fees = BTreeMap::new();
        let blocks: Vec<Value> = of.iter().map(|(block, _)| block.number.into()).collect();
        let rows = sql::rows_among(&mut reader, &[], &blocks, |list| {
            format!(
                "SELECT DISTINCT blocks.hash, events.transaction_index, events.fee
                 FROM events JOIN blocks ON blocks.number = events.block
                 WHERE events.fee IS NOT NULL AND events.block IN ({list})"
            )
        });
        for row in rows.await? {
            let place = (
                sql::parsed(&row, "hash")?,
                sql::small(&row, "transaction_index")?,
            );
            fees.insert(place, sql::parsed(&row, "fee")?);
        }
        Ok(fees)
    }
}
