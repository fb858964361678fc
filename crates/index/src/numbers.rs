//! Numbers of the signed games whose ends were recorded.

use std::collections::{BTreeMap, BTreeSet};

use connect4_protocol::signed::GameNumber;
use sqlx::AnyConnection;

use crate::error::Error;
use crate::slot::Slot;
use crate::sql::{self, Value};

/// The slots of games that have the digest of their terms for a name: they are counted in the order in which the chain
/// first tells of them.
#[derive(Debug)]
pub struct Numbers {
    slots: BTreeMap<GameNumber, Slot>,
    /// The next number.
    next: u32,
}

impl Numbers {
    /// The slots of those of these games that are in the table.
    pub async fn read(
        connection: &mut AnyConnection,
        games: &BTreeSet<GameNumber>,
    ) -> Result<Self, Error> {
        if games.is_empty() {
            let slots = BTreeMap::new();
            return Ok(Self { slots, next: 0 });
        }
        let digests: Vec<Value> = games.iter().map(|game| (*game).into()).collect();
        let rows = sql::rows_among(connection, &[], &digests, |list| {
            format!("SELECT line, number, digest FROM games WHERE digest IN ({list})")
        });
        let slots = rows.await?;
        let slots = slots
            .iter()
            .map(|row| Ok((sql::parsed(row, "digest")?, Slot::read(row)?)));
        let slots = slots.collect::<Result<_, Error>>()?;
        let query = "SELECT number FROM games WHERE line = $1 ORDER BY number DESC LIMIT 1";
        let rows = sql::rows(connection, query, vec![Slot::OF_ENDS.into()]).await?;
        let last = rows.first().map(|row| sql::small::<u32>(row, "number"));
        let next = last.transpose()?.map_or(0, |last| last.saturating_add(1));
        Ok(Self { slots, next })
    }

    /// The slot of one of the games, which has the next number if it has none yet.
    pub fn add(&mut self, game: GameNumber) -> Slot {
        *self.slots.entry(game).or_insert_with(|| {
            let number = self.next;
            self.next = number.saturating_add(1);
            Slot {
                line: Slot::OF_ENDS,
                number,
            }
        })
    }

    /// The slots of the games, ascending.
    pub fn slots(&self) -> BTreeSet<Slot> {
        self.slots.values().copied().collect()
    }
}
