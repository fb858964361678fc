//! Numbers of the games that began on no chain.

use std::collections::{BTreeMap, BTreeSet};

use connect4_protocol::fast::GameNumber;
use sqlx::AnyConnection;

use crate::error::Error;
use crate::slot::Slot;
use crate::sql::{self, Value};

/// The slots of games that have the digest of their terms for a name: a numbering counts them in the order in which the
/// chain first tells of them.
#[derive(Debug, Default)]
pub struct Numbers {
    slots: BTreeMap<(i64, GameNumber), Slot>,
    /// The next number of each numbering.
    next: BTreeMap<i64, u32>,
}

impl Numbers {
    /// The slots of those of these games that are in the table, each with its numbering.
    pub async fn read(
        connection: &mut AnyConnection,
        games: &BTreeSet<(i64, GameNumber)>,
    ) -> Result<Self, Error> {
        let mut numbers = Self::default();
        let digests = games.iter().map(|(_, game)| game.to_string().into());
        let digests: Vec<Value> = digests.collect();
        let rows = sql::rows_among(connection, &[], &digests, |list| {
            format!("SELECT line, number, digest FROM games WHERE digest IN ({list})")
        });
        for row in rows.await? {
            let slot = Slot::read(&row)?;
            let game = (slot.line, sql::parsed(&row, "digest")?);
            if games.contains(&game) {
                numbers.slots.insert(game, slot);
            }
        }
        let lines: BTreeSet<i64> = games.iter().map(|(line, _)| *line).collect();
        for line in lines {
            let query = "SELECT number FROM games WHERE line = $1 ORDER BY number DESC LIMIT 1";
            let rows = sql::rows(connection, query, vec![line.into()]).await?;
            let last = rows.first().map(|row| sql::small::<u32>(row, "number"));
            let next = last.transpose()?.map_or(0, |last| last.saturating_add(1));
            numbers.next.insert(line, next);
        }
        Ok(numbers)
    }

    pub fn get(&self, line: i64, game: GameNumber) -> Option<Slot> {
        self.slots.get(&(line, game)).copied()
    }

    /// The slot of one of the games, which has the next number if it has none yet.
    pub fn add(&mut self, line: i64, game: GameNumber) -> Slot {
        let next = self.next.entry(line).or_default();
        *self.slots.entry((line, game)).or_insert_with(|| {
            let number = *next;
            *next = number.saturating_add(1);
            Slot { line, number }
        })
    }

    /// The slots of the games, ascending.
    pub fn slots(&self) -> BTreeSet<Slot> {
        self.slots.values().copied().collect()
    }
}
