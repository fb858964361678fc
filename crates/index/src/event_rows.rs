//! The events of games, as they are kept.

use std::collections::BTreeMap;

use connect4_client::Emitted;
use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use crate::error::Error;
use crate::game::Told;
use crate::slot::Slot;
use crate::sql;

/// The events of games, by game and in order.
pub async fn events_of(
    connection: &mut AnyConnection,
    games: impl IntoIterator<Item = &Slot>,
) -> Result<BTreeMap<Slot, Vec<Told>>, Error> {
    let games: Vec<_> = games.into_iter().map(Slot::parts).collect();
    let rows = sql::rows_of_games(connection, &games, |list| {
        format!(
            "{EVENTS} WHERE events.line = $1 AND events.game IN ({list})
             ORDER BY events.game, events.block, events.place"
        )
    });
    by_game(rows.await?)
}

const EVENTS: &str =
    "SELECT events.block, events.place, events.transaction_index, events.payer, events.contract,
        events.line, events.game, events.topic, events.data, blocks.hash, blocks.time
     FROM events JOIN blocks ON blocks.number = events.block";

/// The events of all games from a block on, by game and in order.
pub async fn events_from(
    connection: &mut AnyConnection,
    first: u32,
) -> Result<BTreeMap<Slot, Vec<Told>>, Error> {
    let query = format!(
        "{EVENTS} WHERE events.block >= $1 AND events.game IS NOT NULL
         ORDER BY events.block, events.place"
    );
    by_game(sql::rows(connection, &query, vec![first.into()]).await?)
}

fn by_game(rows: Vec<AnyRow>) -> Result<BTreeMap<Slot, Vec<Told>>, Error> {
    let mut found: BTreeMap<Slot, Vec<Told>> = BTreeMap::new();
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
    Ok(found)
}
