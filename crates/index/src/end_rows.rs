//! Rows and ratings of signed games without a stake, by the records of such games.
//!
//! Their ratings follow from their first records in the order of the chain, as those of games that began there. What was
//! counted before is counted again in two cases alone: a counted witness has contradicted itself about one of these
//! games, or other witnesses are counted.

use std::collections::{BTreeMap, BTreeSet};

use connect4_client::Address;
use connect4_protocol::signed::{GameNumber, RecordsEvent};
use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use crate::ends::{Ends, Heard, event_of, folded};
use crate::error::Error;
use crate::event_rows;
use crate::game::{Folded, Told};
use crate::league::League;
use crate::numbers::Numbers;
use crate::ratings::{self, Rated};
use crate::slot::Slot;
use crate::sql::{self, Value, row};
use crate::subject::Subject;
use crate::uncounted::Contradiction;

/// Games that are counted again at once.
const AT_ONCE: u32 = 500;

/// From which block on the games of pools have to be counted again, by the number of the pool.
pub type Again = BTreeMap<u16, u32>;

fn mark(again: &mut Again, pool: u16, block: u32) {
    let first = again.entry(pool).or_insert(block);
    *first = block.min(*first);
}

/// Finds the games of which events of the records tell: their slots, where an event matters. Keeps where witnesses have
/// contradicted themselves, and says what has to be counted again for it.
pub async fn place(
    connection: &mut AnyConnection,
    subject: &Subject,
    told: &mut [(Told, Option<Slot>)],
) -> Result<Again, Error> {
    let mut again = Again::new();
    let events = told.iter().enumerate().filter_map(|(place, (told, _))| {
        let event = event_of(told, subject.genesis())?;
        Some((place, event))
    });
    let events: Vec<(usize, RecordsEvent)> = events.collect();
    if events.is_empty() {
        return Ok(again);
    }
    let numbers: BTreeSet<GameNumber> = events.iter().map(|(_, event)| number_of(event)).collect();
    let mut slots = Numbers::read(connection, &numbers).await?;
    let known = slots.slots();
    let mut games: BTreeMap<GameNumber, Ends> = BTreeMap::new();
    for (slot, events) in event_rows::events_of(connection, &known).await? {
        if let Some(game) = Ends::of(slot, &events) {
            games.insert(game.record().game, game);
        }
    }
    let mut refuted: BTreeSet<GameNumber> = of_games(connection, &numbers)
        .await?
        .iter()
        .map(|it| it.game)
        .collect();
    let mut found: Vec<Contradiction> = Vec::new();
    for (place, event) in events {
        let Some((told, slot)) = told.get_mut(place) else {
            continue;
        };
        let game = number_of(&event);
        let at = (told.block, told.event.place);
        let witness = match &event {
            RecordsEvent::GameRecorded(event) => event.terms.witness,
            RecordsEvent::WitnessContradicted(event) => Some(event.witness),
        };
        let heard = match (games.get_mut(&game), event) {
            (Some(ends), event) => {
                let heard = ends.add(told, event);
                *slot = (heard != Heard::Nothing).then_some(ends.slot());
                heard
            }
            (None, RecordsEvent::GameRecorded(record)) => {
                let new = slots.add(game);
                *slot = Some(new);
                games.insert(game, Ends::new(new, told, record));
                Heard::News
            }
            // It may be recorded later, and does not count then.
            (None, RecordsEvent::WitnessContradicted(_)) => Heard::Contradiction,
        };
        if heard == Heard::Contradiction
            && let Some(witness) = witness
            && refuted.insert(game)
        {
            found.push(Contradiction { witness, game, at });
        }
    }
    for Contradiction { game, .. } in &found {
        if let Some(ends) = games.get(game)
            && known.contains(&ends.slot())
            && is_rated(connection, ends).await?
        {
            let (block, _) = ends.at();
            mark(&mut again, ends.pool(), block);
        }
    }
    let rows = found
        .into_iter()
        .map(|Contradiction { witness, game, at }| {
            let (block, place) = at;
            row! { witness: witness, block: block, place: place, game: game }
        });
    sql::insert(connection, "contradictions", rows.collect()).await?;
    Ok(again)
}

const fn number_of(event: &RecordsEvent) -> GameNumber {
    match event {
        RecordsEvent::GameRecorded(event) => event.game,
        RecordsEvent::WitnessContradicted(event) => event.game,
    }
}

/// The slot of a game by its number; none if no end of it was recorded.
pub async fn slot_of(
    connection: &mut AnyConnection,
    number: GameNumber,
) -> Result<Option<Slot>, Error> {
    let query = "SELECT line, number FROM games WHERE digest = $1";
    let rows = sql::rows(connection, query, vec![number.into()]).await?;
    rows.first().map(Slot::read).transpose()
}

/// Whether a game has changed ratings.
async fn is_rated(connection: &mut AnyConnection, ends: &Ends) -> Result<bool, Error> {
    let query = "SELECT 1 FROM ratings WHERE league = $1 AND account = $2
                   AND block = $3 AND place = $4";
    let (block, place) = ends.at();
    let values = vec![
        League::Witnessed(ends.pool()).into(),
        ends.record().player_one.into(),
        block.into(),
        place.into(),
    ];
    Ok(!sql::rows(connection, query, values).await?.is_empty())
}

fn contradiction(row: &AnyRow) -> Result<Contradiction, Error> {
    Ok(Contradiction {
        witness: sql::parsed(row, "witness")?,
        game: sql::parsed(row, "game")?,
        at: (sql::small(row, "block")?, sql::small(row, "place")?),
    })
}

/// The contradictions about these games.
async fn of_games(
    connection: &mut AnyConnection,
    numbers: &BTreeSet<GameNumber>,
) -> Result<Vec<Contradiction>, Error> {
    let names: Vec<Value> = numbers.iter().map(|game| (*game).into()).collect();
    let rows = sql::rows_among(connection, &[], &names, |list| {
        format!("SELECT * FROM contradictions WHERE game IN ({list})")
    });
    rows.await?.iter().map(contradiction).collect()
}

/// The contradictions on which it depends whether the games that have these events count: those about the games, and the
/// first one of each witness.
pub async fn contradictions(
    connection: &mut AnyConnection,
    events: &BTreeMap<Slot, Vec<Told>>,
) -> Result<Vec<Contradiction>, Error> {
    let (mut numbers, mut witnesses) = (BTreeSet::new(), BTreeSet::new());
    for (_, events) in events.iter().filter(|(slot, _)| slot.is_of_ends()) {
        for told in events {
            if let Some(RecordsEvent::GameRecorded(record)) = told.event.of_signed_records() {
                numbers.insert(record.game);
                witnesses.extend(record.terms.witness);
            }
        }
    }
    let mut found = of_games(connection, &numbers).await?;
    let names: Vec<Value> = witnesses.iter().map(|key| (*key).into()).collect();
    let rows = sql::rows_among(connection, &[], &names, |list| {
        format!(
            "SELECT * FROM contradictions WHERE witness IN ({list}) AND NOT EXISTS
               (SELECT 1 FROM contradictions earlier WHERE earlier.witness = contradictions.witness
                AND (earlier.block, earlier.place) < (contradictions.block, contradictions.place))"
        )
    });
    for row in rows.await? {
        found.push(contradiction(&row)?);
    }
    Ok(found)
}

/// Forgets the contradictions behind a block, and returns the games that they are about.
pub async fn undo(
    connection: &mut AnyConnection,
    last: u32,
) -> Result<BTreeSet<GameNumber>, Error> {
    let query = "SELECT game FROM contradictions WHERE block > $1";
    let rows = sql::rows(connection, query, vec![last.into()]).await?;
    let games = rows.iter().map(|row| sql::parsed(row, "game"));
    let games = games.collect::<Result<_, _>>()?;
    let statement = "DELETE FROM contradictions WHERE block > $1";
    sql::run(connection, statement, vec![last.into()]).await?;
    Ok(games)
}

/// What has to be counted again as contradictions about some games are forgotten, which were refolded without them.
pub fn forgotten(games: &BTreeSet<GameNumber>, refolded: &[Folded]) -> Again {
    let mut again = Again::new();
    for folded in refolded {
        if let Some(ending) = folded.ending()
            && let (League::Witnessed(pool), Some((block, _))) = (ending.league, ending.at)
            && folded
                .number()
                .is_some_and(|number| games.contains(&number))
        {
            mark(&mut again, pool, block);
        }
    }
    again
}

/// Sets whose games are rated, and counts again what follows from that.
pub async fn set_witnesses(
    connection: &mut AnyConnection,
    wanted: &BTreeSet<Address>,
) -> Result<(), Error> {
    let known = ratings::witnesses(connection).await?;
    let changed = known.symmetric_difference(wanted);
    let changed: Vec<Value> = changed.map(|key| (*key).into()).collect();
    if changed.is_empty() {
        return Ok(());
    }
    let mut again = Again::new();
    let of_ends = [Slot::OF_ENDS.into()];
    let rows = sql::rows_among(connection, &of_ends, &changed, |list| {
        format!(
            "SELECT pool, min(ended_block) AS block FROM games
             WHERE line = $1 AND witness IN ({list}) GROUP BY pool"
        )
    });
    for row in rows.await? {
        let block = sql::small(&row, "block")?;
        mark(&mut again, sql::small(&row, "pool")?, block);
    }
    sql::run(connection, "DELETE FROM witnesses", vec![]).await?;
    let rows = wanted.iter().map(|key| row! { witness: *key });
    sql::insert(connection, "witnesses", rows.collect()).await?;
    count_again(connection, again).await
}

/// Counts games again, as they are in the tables.
pub async fn count_again(connection: &mut AnyConnection, again: Again) -> Result<(), Error> {
    if again.is_empty() {
        return Ok(());
    }
    let counted = ratings::witnesses(connection).await?;
    for (pool, from) in again {
        let league = League::Witnessed(pool);
        ratings::undo(connection, Some(league), from).await?;
        let query = format!(
            "SELECT line, number FROM games
             WHERE line = $1 AND pool = $2 AND ended_block >= $3 AND number > $4
             ORDER BY number LIMIT {AT_ONCE}"
        );
        let mut behind = -1_i64;
        loop {
            let values = vec![
                Slot::OF_ENDS.into(),
                u32::from(pool).into(),
                from.into(),
                behind.into(),
            ];
            let rows = sql::rows(connection, &query, values).await?;
            let slots: Vec<Slot> = rows.iter().map(Slot::read).collect::<Result<_, _>>()?;
            let Some(last) = slots.last() else {
                break;
            };
            behind = last.number.into();
            let events = event_rows::events_of(connection, &slots).await?;
            let contradictions = contradictions(connection, &events).await?;
            let endings = events
                .iter()
                .filter_map(|(slot, events)| folded(*slot, events, &contradictions)?.ending());
            let mut endings: Vec<_> = endings
                .filter(|ending| ending.is_counted(&counted))
                .collect();
            endings.sort_by_key(|ending| ending.at);
            let rated: Vec<Rated<'_>> = endings.iter().filter_map(Rated::of).collect();
            ratings::add_to(connection, league, &rated).await?;
        }
    }
    Ok(())
}

/// Pools with games of counted witnesses, ascending, so many at most.
pub async fn pools(connection: &mut AnyConnection, most: u32) -> Result<Vec<u16>, Error> {
    let counted = ratings::witnesses(connection).await?;
    let mut found: Vec<u16> = Vec::new();
    while found.len() < usize::try_from(most).unwrap_or(usize::MAX) && !counted.is_empty() {
        let behind = found.last().map_or(-1, |last| i64::from(*last));
        let query = "SELECT pool FROM games WHERE line = $1 AND pool > $2
                       AND witness IN (SELECT witness FROM witnesses) ORDER BY pool LIMIT 1";
        let rows = sql::rows(connection, query, vec![Slot::OF_ENDS.into(), behind.into()]).await?;
        let Some(row) = rows.first() else {
            break;
        };
        found.push(sql::small(row, "pool")?);
    }
    Ok(found)
}

/// Number of games of a pool that a counted witness has ended, and that count for nothing.
pub async fn uncounted(connection: &mut AnyConnection, pool: u16) -> Result<u32, Error> {
    let query = "SELECT count(*) AS n FROM games WHERE line = $1 AND pool = $2
                   AND uncounted IS NOT NULL AND witness IN (SELECT witness FROM witnesses)";
    let rows = sql::rows(
        connection,
        query,
        vec![Slot::OF_ENDS.into(), u32::from(pool).into()],
    )
    .await?;
    rows.first().map_or(Ok(0), |row| sql::small(row, "n"))
}
