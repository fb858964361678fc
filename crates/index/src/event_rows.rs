//! The events of games, as they are kept.

use std::collections::BTreeMap;

use connect4_client::Emitted;
use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use crate::error::Error;
use crate::game::Told;
use crate::slot::Slot;
use crate::sql::{self, SomeGames};

/// The events of games, by game and in order.
pub async fn events_of(
    connection: &mut AnyConnection,
    games: impl IntoIterator<Item = &Slot>,
) -> Result<BTreeMap<Slot, Vec<Told>>, Error> {
    let mut found: BTreeMap<Slot, Vec<Told>> = BTreeMap::new();
    for some in sql::some_of(games.into_iter().map(Slot::parts)) {
        add_events_of(connection, some, &mut found).await?;
    }
    Ok(found)
}

const EVENTS: &str =
    "SELECT events.block, events.place, events.transaction_index, events.payer, events.contract,
        events.line, events.game, events.topic, events.data, blocks.hash, blocks.time
     FROM events JOIN blocks ON blocks.number = events.block";

async fn add_events_of(
    connection: &mut AnyConnection,
    SomeGames { list, values }: SomeGames,
    found: &mut BTreeMap<Slot, Vec<Told>>,
) -> Result<(), Error> {
    let query = format!(
        "{EVENTS} WHERE events.line = $1 AND events.game IN ({list})
         ORDER BY events.game, events.block, events.place"
    );
    add_rows(sql::rows(connection, &query, values).await?, found)
}

/// The events of all games on the chain from a block on, by game and in order.
pub async fn events_from(
    connection: &mut AnyConnection,
    first: u32,
) -> Result<BTreeMap<Slot, Vec<Told>>, Error> {
    let query = format!(
        "{EVENTS} WHERE events.block >= $1 AND events.game IS NOT NULL
         ORDER BY events.block, events.place"
    );
    let mut found = BTreeMap::new();
    add_rows(
        sql::rows(connection, &query, vec![first.into()]).await?,
        &mut found,
    )?;
    found.retain(|slot, _| !slot.is_by_terms());
    Ok(found)
}

fn add_rows(rows: Vec<AnyRow>, found: &mut BTreeMap<Slot, Vec<Told>>) -> Result<(), Error> {
    for row in rows {
        let topic = sql::bytes(&row, "topic")?;
        let told = Told {
            block: sql::small(&row, "block")?,
            hash: sql::parsed(&row, "hash")?,
            time: sql::maybe_small(&row, "time")?,
            payer: sql::maybe_parsed(&row, "payer")?,
            event: Emitted {
                contract: sql::parsed(&row, "contract")?,
                index: sql::small(&row, "transaction_index")?,
                place: sql::small(&row, "place")?,
                topic: topic
                    .try_into()
                    .map_err(|_| Error::Row("a topic has not 32 bytes".into()))?,
                data: sql::bytes(&row, "data")?,
            },
        };
        let game = Slot {
            line: sql::number(&row, "line")?,
            number: sql::small(&row, "game")?,
        };
        found.entry(game).or_default().push(told);
    }
    Ok(())
}
