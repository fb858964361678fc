//! Adding blocks, and undoing those that a fork has retracted.
//!
//! Of the blocks without events only those are kept that may still be retracted, and the newest final
//! one: so the index does not grow with an idle chain. Which these are follows from the chain alone.

use std::collections::{BTreeMap, BTreeSet};

use connect4_client::{Address, BlockRef, Blocks, Emitted, Gap};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Connection as _};

use crate::database::hash_text;
use crate::end_rows::{self, Again};
use crate::ends::folded;
use crate::error::Error;
use crate::event_rows;
use crate::game::{Ending, Folded, Told};
use crate::ratings;
use crate::schema::TABLES;
use crate::slot::Slot;
use crate::sql::{self, Row, Value, row};
use crate::subject::Subject;

/// The newest block that was read; none before the first one.
pub async fn top(connection: &mut AnyConnection) -> Result<Option<BlockRef>, Error> {
    let query = "SELECT number, hash FROM blocks ORDER BY number DESC LIMIT 1";
    let rows = sql::rows(connection, query, vec![]).await?;
    rows.first().map(block).transpose()
}

/// The blocks that a fork can have retracted, ascending, behind the newest final one that is known.
pub async fn tail(connection: &mut AnyConnection) -> Result<Vec<BlockRef>, Error> {
    let query = "SELECT number, hash FROM blocks WHERE number >=
                   (SELECT coalesce(max(number), 0) FROM blocks WHERE is_final = 1)
                 ORDER BY number";
    let rows = sql::rows(connection, query, vec![]).await?;
    rows.iter().map(block).collect()
}

/// The newest block that is known up to a number; none if there is none.
pub async fn below(connection: &mut AnyConnection, number: u32) -> Result<Option<BlockRef>, Error> {
    let query = "SELECT number, hash FROM blocks WHERE number <= $1 ORDER BY number DESC LIMIT 1";
    let rows = sql::rows(connection, query, vec![number.into()]).await?;
    rows.first().map(block).transpose()
}

fn block(row: &AnyRow) -> Result<BlockRef, Error> {
    Ok(BlockRef {
        number: sql::small(row, "number")?,
        hash: sql::parsed(row, "hash")?,
    })
}

/// Adds blocks behind the newest one, or tells that more of the blocks are final.
pub async fn append(
    connection: &mut AnyConnection,
    subject: &Subject,
    read: &Blocks,
) -> Result<(), Error> {
    let mut transaction = connection.begin().await?;
    let newest = match read.last {
        Some(last) => Some(last.number),
        None => top(&mut transaction).await?.map(|top| top.number),
    };
    let Some(newest) = newest else {
        return Ok(());
    };
    add_blocks(&mut transaction, read, read.finalized.min(newest)).await?;
    add_gaps(&mut transaction, read).await?;
    let (told, again) = add_events(&mut transaction, subject, read).await?;
    end_rows::count_again(&mut transaction, again).await?;
    let endings = add_games(&mut transaction, &told).await?;
    ratings::add(&mut transaction, endings).await?;
    transaction.commit().await?;
    Ok(())
}

/// The row of a block, where blocks up to `finalized` are final.
fn block_row(block: BlockRef, time: Option<u64>, has_events: bool, finalized: u32) -> Row {
    row! {
        number: block.number,
        hash: hash_text(block.hash),
        time: time,
        has_events: has_events,
        is_final: block.number <= finalized,
    }
}

/// Adds the rows of blocks. Up to `settled` all are final and those without events are not kept,
/// except for that one.
async fn add_blocks(
    connection: &mut AnyConnection,
    read: &Blocks,
    settled: u32,
) -> Result<(), Error> {
    let row = |block: BlockRef, time: Option<u64>, has_events: bool| {
        block_row(block, time, has_events, read.finalized)
    };
    let kept = read
        .blocks
        .iter()
        .filter(|block| !block.events.is_empty() || block.block.number >= settled);
    let mut rows: Vec<Row> = kept
        .map(|block| row(block.block, block.time, !block.events.is_empty()))
        .collect();
    // The last one is known even if its events are missing: the reading goes on behind it.
    if let Some(last) = read.last
        && read.blocks.last().map(|block| block.block) != Some(last)
    {
        rows.push(row(last, None, false));
    }
    sql::insert(connection, "blocks", rows).await?;
    sql::run(
        connection,
        "UPDATE blocks SET is_final = 1 WHERE is_final = 0 AND number <= $1",
        vec![read.finalized.into()],
    )
    .await?;
    sql::run(
        connection,
        "DELETE FROM blocks WHERE has_events = 0 AND number < $1",
        vec![settled.into()],
    )
    .await
}

async fn add_gaps(connection: &mut AnyConnection, read: &Blocks) -> Result<(), Error> {
    for gap in &read.gaps {
        // Stretches that touch are one, in however many steps they were read.
        let before = gap.first.checked_sub(1);
        let touching = "SELECT first, since FROM gaps WHERE last = $1";
        let found = sql::rows(connection, touching, vec![before.into()]).await?;
        let (first, since): (u32, Option<u64>) = match found.first() {
            Some(row) => (sql::small(row, "first")?, sql::maybe_small(row, "since")?),
            None => (gap.first, gap.since),
        };
        sql::run(
            connection,
            "DELETE FROM gaps WHERE first = $1",
            vec![first.into()],
        )
        .await?;
        let row = row! { first: first, last: gap.last, since: since, until: gap.until };
        sql::insert(connection, "gaps", vec![row]).await?;
    }
    Ok(())
}

/// Adds the events of blocks, and returns them with their games, and what has to be counted again.
async fn add_events(
    connection: &mut AnyConnection,
    subject: &Subject,
    read: &Blocks,
) -> Result<(Vec<(Told, Option<Slot>)>, Again), Error> {
    let mut told = Vec::new();
    for block in &read.blocks {
        told.extend(block.events.iter().map(|event| {
            let of_block = Told {
                block: block.block.number,
                hash: block.block.hash,
                time: block.time,
                payer: block.payers.get(&event.index).copied(),
                event: event.clone(),
            };
            (of_block, subject.about(event))
        }));
    }
    let again = end_rows::place(connection, subject, &mut told).await?;
    let fees = read.blocks.iter().flat_map(|block| {
        let fee = |event: &Emitted| block.fees.get(&event.index).copied();
        block.events.iter().map(fee)
    });
    let rows = told.iter().zip(fees).map(|((told, slot), fee)| {
        row! {
            block: told.block,
            place: told.event.place,
            transaction_index: told.event.index,
            fee: fee,
            payer: told.payer,
            contract: told.event.contract,
            line: Value::Number(slot.map(|slot| slot.line)),
            game: slot.map(|slot| slot.number),
            topic: told.event.topic.to_vec(),
            data: told.event.data.clone(),
        }
    });
    sql::insert(connection, "events", rows.collect()).await?;
    Ok((told, again))
}

/// Writes the games anew of which events tell, and returns those that these events end.
async fn add_games(
    connection: &mut AnyConnection,
    told: &[(Told, Option<Slot>)],
) -> Result<Vec<Ending>, Error> {
    let mut of_games: BTreeMap<Slot, Vec<Told>> = BTreeMap::new();
    for (told, game) in told {
        if let Some(game) = game {
            of_games.entry(*game).or_default().push(told.clone());
        }
    }
    let first = told.first().map_or(u32::MAX, |(told, _)| told.block);
    let (mut games, mut earlier) = (Vec::new(), BTreeSet::new());
    for (game, events) in of_games {
        // A further record of a signed game looks like the first one.
        let begins = match game.is_of_ends() {
            true => None,
            false => Folded::of(game, &events),
        };
        match begins {
            Some(folded) => games.push(folded),
            // It may have started before, and have a row and further events.
            None => {
                earlier.insert(game);
            }
        }
    }
    games.extend(refold(connection, &earlier).await?);
    Folded::insert(connection, &games).await?;
    let endings = games.iter().filter_map(Folded::ending);
    let is_new = |ending: &Ending| ending.at.is_some_and(|(block, _)| block >= first);
    Ok(endings.filter(is_new).collect())
}

/// Removes the rows of games, and reads these from all of their events.
async fn refold(
    connection: &mut AnyConnection,
    games: &BTreeSet<Slot>,
) -> Result<Vec<Folded>, Error> {
    let slots: Vec<_> = games.iter().map(Slot::parts).collect();
    for table in ["games", "seats"] {
        let delete =
            |list: &str| format!("DELETE FROM {table} WHERE line = $1 AND number IN ({list})");
        sql::run_of_games(connection, &slots, delete).await?;
    }
    let events = event_rows::events_of(connection, games).await?;
    let contradictions = end_rows::contradictions(connection, &events).await?;
    let folded = events
        .iter()
        .filter_map(|(game, events)| folded(*game, events, &contradictions));
    Ok(folded.collect())
}

/// The blocks whose events are missing, ascending.
pub async fn gaps(connection: &mut AnyConnection) -> Result<Vec<Gap>, Error> {
    let rows = sql::rows(connection, "SELECT * FROM gaps ORDER BY first", vec![]).await?;
    let gap = |row: &AnyRow| {
        Ok(Gap {
            first: sql::small(row, "first")?,
            last: sql::small(row, "last")?,
            since: sql::maybe_small(row, "since")?,
            until: sql::maybe_small(row, "until")?,
        })
    };
    rows.iter().map(gap).collect()
}

/// Games with events behind a block, each as often as it has some: for distinct ones SQLite reads the
/// events of all games, in the order of these.
pub const GAMES_BEHIND: &str =
    "SELECT line, game FROM events WHERE block > $1 AND game IS NOT NULL";

pub async fn undo(connection: &mut AnyConnection, last: u32) -> Result<(), Error> {
    let mut transaction = connection.begin().await?;
    undo_in(&mut transaction, last).await?;
    transaction.commit().await?;
    Ok(())
}

/// Undoes all blocks behind a block without events, so that they are read again from there.
pub async fn read_again(
    connection: &mut AnyConnection,
    behind: BlockRef,
    finalized: u32,
) -> Result<(), Error> {
    let mut transaction = connection.begin().await?;
    undo_in(&mut transaction, behind.number).await?;
    if top(&mut transaction).await?.map(|top| top.number) < Some(behind.number) {
        let row = block_row(behind, None, false, finalized);
        sql::insert(&mut transaction, "blocks", vec![row]).await?;
    }
    transaction.commit().await?;
    Ok(())
}

/// Sets whose signed games are rated.
pub async fn set_witnesses(
    connection: &mut AnyConnection,
    wanted: &BTreeSet<Address>,
) -> Result<(), Error> {
    let mut transaction = connection.begin().await?;
    end_rows::set_witnesses(&mut transaction, wanted).await?;
    transaction.commit().await?;
    Ok(())
}

async fn undo_in(transaction: &mut AnyConnection, last: u32) -> Result<(), Error> {
    let mut games = BTreeSet::new();
    for row in sql::rows(transaction, GAMES_BEHIND, vec![last.into()]).await? {
        games.insert(Slot {
            line: sql::number(&row, "line")?,
            number: sql::small(&row, "game")?,
        });
    }
    for statement in [
        "DELETE FROM events WHERE block > $1",
        "DELETE FROM blocks WHERE number > $1",
        "DELETE FROM gaps WHERE first > $1",
        "UPDATE gaps SET last = $1, until = NULL WHERE last > $1",
    ] {
        sql::run(transaction, statement, vec![last.into()]).await?;
    }
    let refuted = end_rows::undo(transaction, last).await?;
    let left = refold(transaction, &games).await?;
    Folded::insert(transaction, &left).await?;
    ratings::undo(transaction, None, last.saturating_add(1)).await?;
    let again = end_rows::forgotten(&refuted, &left);
    end_rows::count_again(transaction, again).await
}

/// Removes all: the index is built anew.
pub async fn clear(connection: &mut AnyConnection) -> Result<(), Error> {
    let mut transaction = connection.begin().await?;
    for (table, _) in TABLES {
        sql::run(&mut transaction, &format!("DELETE FROM {table}"), vec![]).await?;
    }
    transaction.commit().await?;
    Ok(())
}
