//! Rows and ratings of games by signed terms.
//!
//! The ratings of a pool are those of its games in the order of their terms, which both players have signed:
//! whatever comes first to the chain, they are the same in the end. A record of a game between others counts
//! all later games of its pool again; no record is of terms that are older than 30 days, so these are few.

use std::collections::{BTreeMap, BTreeSet};

use connect4_client::{Address, GameId};
use connect4_protocol::fast::{GameNumber, PackedTerms};
use sqlx::AnyConnection;

use crate::error::Error;
use crate::game::{Folded, Told};
use crate::league::League;
use crate::numbers::Numbers;
use crate::ratings::{self, Counting, Place, Rated};
use crate::signed::{COLUMNS, Counted, Signed};
use crate::slot::Slot;
use crate::sql::{self, Value};
use crate::standings::{Ratings, Standings, Unrated};

/// Games that are counted again by one statement.
const AT_ONCE: u32 = 2_000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum About {
    /// A game that began on the chain, as far as the event tells.
    Chain(Slot),
    /// A game by signed terms.
    Terms {
        number: GameNumber,
        terms: PackedTerms,
        /// Contract of the fast games.
        contract: Address,
        /// The game on the chain that a dispute has started.
        dispute: Option<Slot>,
    },
}

/// Leaves out each start by terms that does not follow, in its transaction, on the start of the same game in the
/// contract of the fast games. That contract starts no number twice: so no game that is known already becomes one by
/// terms, and none by those of two. The code of the records emits no such event: this is a second check besides that
/// of the code.
pub fn check_starts(told: &[Told], abouts: &mut [Option<About>]) {
    let mut starts: BTreeMap<Slot, (u32, u32, Address)> = BTreeMap::new();
    for (told, about) in told.iter().zip(abouts) {
        let at = |contract| (told.block, told.event.index, contract);
        match about {
            Some(About::Chain(slot)) if told.is_start() => {
                starts.insert(*slot, at(told.event.contract));
            }
            Some(About::Terms {
                dispute: Some(slot),
                contract,
                ..
            }) if starts.remove(slot) != Some(at(*contract)) => *about = None,
            _ => {}
        }
    }
}

/// Slots of the games that events are about: of one that was disputed, that of its terms.
pub async fn slots(
    connection: &mut AnyConnection,
    abouts: &[Option<About>],
) -> Result<Vec<Option<Slot>>, Error> {
    let digests = abouts.iter().flatten().filter_map(|about| match about {
        About::Terms { number, .. } => Some(*number),
        About::Chain(_) => None,
    });
    let mut numbers = Numbers::read(connection, Slot::BY_TERMS, &digests.clone().collect()).await?;
    for number in digests {
        numbers.add(number);
    }
    let on_chain = abouts.iter().flatten().filter_map(|about| match about {
        About::Chain(slot) if matches!(slot.on_chain(), Some(GameId::Fast(_))) => Some(*slot),
        _ => None,
    });
    let mut by_dispute = disputed(connection, on_chain.collect()).await?;
    for about in abouts.iter().flatten() {
        if let About::Terms {
            number,
            dispute: Some(dispute),
            ..
        } = about
            && let Some(slot) = numbers.get(*number)
        {
            by_dispute.insert(*dispute, slot);
        }
    }
    let slot = |about: &About| match about {
        About::Chain(slot) => by_dispute.get(slot).copied().or(Some(*slot)),
        About::Terms { number, .. } => numbers.get(*number),
    };
    let slots = abouts.iter().map(|about| about.as_ref().and_then(slot));
    Ok(slots.collect())
}

/// The slots of the terms of games on the chain that these have started.
pub async fn disputed(
    connection: &mut AnyConnection,
    slots: BTreeSet<Slot>,
) -> Result<BTreeMap<Slot, Slot>, Error> {
    let numbers: Vec<Value> = slots.iter().map(|slot| slot.number.into()).collect();
    let rows = sql::rows_among(connection, &[], &numbers, |list| {
        format!("SELECT line, number, dispute FROM games WHERE dispute IN ({list})")
    });
    let mut found = BTreeMap::new();
    for row in rows.await? {
        let slot = Slot::read(&row)?;
        let game = GameId::of_two(sql::small(&row, "dispute")?);
        found.insert(Slot::new(game), slot);
    }
    Ok(found)
}

/// The slot of a game by its number; none if it is not known.
pub async fn slot_of(
    connection: &mut AnyConnection,
    number: GameNumber,
) -> Result<Option<Slot>, Error> {
    let query = "SELECT line, number FROM games WHERE digest = $1 ORDER BY line DESC";
    let rows = sql::rows(connection, query, vec![number.to_string().into()]).await?;
    rows.first().map(Slot::read).transpose()
}

#[derive(Debug)]
pub struct Change {
    before: Option<Counted>,
    after: Option<Counted>,
}

/// Adds events to games by signed terms, and returns what has become of these; with whether each event
/// matters for its game.
pub async fn add(
    connection: &mut AnyConnection,
    told: &[(Told, Option<Slot>)],
    abouts: &[Option<About>],
) -> Result<(Vec<Change>, Vec<bool>), Error> {
    let slots = told.iter().filter_map(|(_, slot)| *slot);
    let slots: BTreeSet<Slot> = slots.filter(|slot| slot.is_by_terms()).collect();
    let mut matters = vec![true; told.len()];
    if slots.is_empty() {
        return Ok((Vec::new(), matters));
    }
    let mut games = read(connection, &slots).await?;
    let before: BTreeMap<Slot, Option<Counted>> = games
        .iter()
        .map(|(slot, game)| (*slot, game.counted()))
        .collect();
    let mut first: BTreeMap<Slot, &Told> = BTreeMap::new();
    for ((told, slot), about) in told.iter().zip(abouts) {
        let Some(slot) = slot.filter(|slot| slot.is_by_terms()) else {
            continue;
        };
        first.entry(slot).or_insert(told);
        if let Some(About::Terms {
            number,
            terms,
            contract,
            ..
        }) = about
            && !games.contains_key(&slot)
            && let Some(game) = Signed::new(slot, *number, *contract, *terms, first[&slot])
        {
            games.insert(slot, game);
        }
    }
    let mut changed = BTreeSet::new();
    for ((told, slot), matters) in told.iter().zip(&mut matters) {
        if let Some(slot) = slot
            && let Some(game) = games.get_mut(slot)
        {
            let has_changed = game.add(told);
            if has_changed {
                changed.insert(*slot);
            }
            // What a dispute is made of is read again as the history of its game.
            *matters = has_changed || !told.is_record();
        }
    }
    games.retain(|slot, _| changed.contains(slot));
    let changes = games.iter().map(|(slot, game)| Change {
        before: before.get(slot).cloned().flatten(),
        after: game.counted(),
    });
    let changes = changes.collect();
    write(connection, &changed, games.into_values().collect()).await?;
    Ok((changes, matters))
}

/// Reads games anew from the events that are left of them.
pub async fn refold(
    connection: &mut AnyConnection,
    mut events: BTreeMap<Slot, Vec<Told>>,
    slots: &BTreeSet<Slot>,
) -> Result<Vec<Change>, Error> {
    let before = read(connection, slots).await?;
    let mut games = BTreeMap::new();
    for slot in slots {
        let left = events.remove(slot).unwrap_or_default();
        if let Some(game) = Signed::of(*slot, &left) {
            games.insert(*slot, game);
        }
    }
    let counted = |game: &Signed| game.counted();
    let changes = slots.iter().map(|slot| Change {
        before: before.get(slot).and_then(counted),
        after: games.get(slot).and_then(counted),
    });
    let changes = changes.collect();
    write(connection, slots, games.into_values().collect()).await?;
    Ok(changes)
}

async fn read(
    connection: &mut AnyConnection,
    slots: &BTreeSet<Slot>,
) -> Result<BTreeMap<Slot, Signed>, Error> {
    let slots: Vec<_> = slots.iter().map(Slot::parts).collect();
    let rows = sql::rows_of_games(connection, &slots, |list| {
        format!("SELECT * FROM signed WHERE line = $1 AND number IN ({list})")
    });
    let mut games = BTreeMap::new();
    for row in rows.await? {
        let game = Signed::read(&row)?;
        games.insert(game.slot, game);
    }
    Ok(games)
}

async fn write(
    connection: &mut AnyConnection,
    slots: &BTreeSet<Slot>,
    games: Vec<Signed>,
) -> Result<(), Error> {
    let slots: Vec<_> = slots.iter().map(Slot::parts).collect();
    for table in ["games", "seats", "signed"] {
        let delete =
            |list: &str| format!("DELETE FROM {table} WHERE line = $1 AND number IN ({list})");
        sql::run_of_games(connection, &slots, delete).await?;
    }
    let rows = games.iter().map(Signed::row).collect();
    sql::insert(connection, "signed", &COLUMNS, rows).await?;
    let folded: Vec<Folded> = games.iter().map(Signed::folded).collect();
    Folded::insert(connection, &folded).await
}

/// Time of the newest block with events, in seconds since 1970; 0 before the first one. It follows from the
/// chain alone, in however many steps it was read.
pub async fn now(connection: &mut AnyConnection) -> Result<u64, Error> {
    let query = "SELECT time FROM blocks WHERE has_events = 1 AND time IS NOT NULL
                 ORDER BY number DESC LIMIT 1";
    let rows = sql::rows(connection, query, vec![]).await?;
    rows.first().map_or(Ok(0), |row| sql::small(row, "time"))
}

/// Counts the ratings anew of the pools in which games have changed, as the time has gone on (or back) from
/// `before` to `now`.
pub async fn count(
    connection: &mut AnyConnection,
    changes: Vec<Change>,
    before: u64,
    now: u64,
) -> Result<(), Error> {
    let mut pools: BTreeMap<u16, Place> = BTreeMap::new();
    let mut mark = |pool, time, digest| {
        let place = Place::of_terms(time, digest);
        let first = pools.entry(pool).or_insert_with(|| place.clone());
        if place < *first {
            *first = place;
        }
    };
    for change in changes {
        let was = change.before.filter(|counted| counted.from <= before);
        let is = change.after.filter(|counted| counted.from <= now);
        let finished = |counted: &Option<Counted>| counted.as_ref().map(|of| of.finished.clone());
        if finished(&was) != finished(&is)
            && let Some(Counted {
                pool, time, digest, ..
            }) = was.or(is)
        {
            mark(pool, time, digest);
        }
    }
    let waited = "SELECT pool, time, digest FROM signed
                  WHERE counts_from > 0 AND counts_from > $1 AND counts_from <= $2";
    let values = vec![Some(before.min(now)).into(), Some(before.max(now)).into()];
    for row in sql::rows(connection, waited, values).await? {
        let (pool, time) = (sql::small(&row, "pool")?, sql::small(&row, "time")?);
        mark(pool, time, sql::text(&row, "digest")?);
    }
    for (pool, from) in pools {
        count_from(connection, pool, from, now).await?;
    }
    Ok(())
}

async fn count_from(
    connection: &mut AnyConnection,
    pool: u16,
    from: Place,
    now: u64,
) -> Result<(), Error> {
    let league = League::Signed(pool);
    ratings::undo_from(connection, league, &from).await?;
    let mut counting = Counting::behind(connection, league, &from).await?;
    let mut next = Some((from, ">="));
    while let Some((from, behind)) = next {
        let query = format!(
            "SELECT * FROM signed WHERE pool = $1 AND result IS NOT NULL
               AND (time, digest) {behind} ($2, $3) AND counts_from <= $4
             ORDER BY time, digest LIMIT {AT_ONCE}"
        );
        let values = vec![
            u32::from(pool).into(),
            Some(from.block).into(),
            from.digest.into(),
            Some(now).into(),
        ];
        let rows = sql::rows(connection, &query, values).await?;
        let mut games = Vec::new();
        for row in &rows {
            games.extend(Counted::read(row)?);
        }
        let rated = games.iter().map(|game| Rated {
            slot: game.slot,
            at: Place::of_terms(game.time, game.digest.clone()),
            time: Some(game.time),
            finished: &game.finished,
        });
        let rated: Vec<Rated<'_>> = rated.collect();
        next = rated.last().map(|last| (last.at.clone(), ">"));
        counting.add(connection, &rated).await?;
    }
    counting.end(connection).await
}

/// The standings of each pool, counted from the games that the chain told of in a block or later.
pub async fn standings(
    connection: &mut AnyConnection,
    from: u32,
) -> Result<BTreeMap<League, Standings>, Error> {
    let now = now(connection).await?;
    let query = format!(
        "SELECT signed.* FROM signed JOIN games
           ON games.line = signed.line AND games.number = signed.number
         WHERE games.started_block >= $1 AND games.ended_block IS NOT NULL
           AND (signed.result IS NULL OR signed.counts_from <= $2)
           AND (signed.time, signed.digest) > ($3, $4)
         ORDER BY signed.time, signed.digest LIMIT {AT_ONCE}"
    );
    let mut pools: BTreeMap<League, (Ratings, Unrated)> = BTreeMap::new();
    let mut behind = (0_u64, String::new());
    loop {
        let (time, digest) = behind;
        let values = vec![
            from.into(),
            Some(now).into(),
            Some(time).into(),
            digest.into(),
        ];
        let rows = sql::rows(connection, &query, values).await?;
        let Some(last) = rows.last() else {
            break;
        };
        behind = (sql::small(last, "time")?, sql::text(last, "digest")?);
        for row in &rows {
            let league = League::Signed(sql::small(row, "pool")?);
            let (ratings, unrated) = pools.entry(league).or_default();
            match Counted::read(row)? {
                Some(game) => {
                    if let Some(reason) = ratings.count(&game.finished, Some(game.time)) {
                        unrated.add(reason, 1);
                    }
                }
                None => unrated.aborted = unrated.aborted.saturating_add(1),
            }
        }
    }
    let standings = pools
        .into_iter()
        .map(|(league, (ratings, unrated))| (league, Standings::of(ratings, unrated)));
    Ok(standings.collect())
}

/// Number of games of a pool that ended without a result.
pub async fn aborted(connection: &mut AnyConnection, pool: u16) -> Result<u32, Error> {
    let query = "SELECT count(*) AS n FROM games
                 WHERE pool = $1 AND ended_block IS NOT NULL AND EXISTS
                   (SELECT 1 FROM signed WHERE signed.line = games.line
                    AND signed.number = games.number AND signed.result IS NULL)";
    let rows = sql::rows(connection, query, vec![u32::from(pool).into()]).await?;
    rows.first().map_or(Ok(0), |row| sql::small(row, "n"))
}

/// The pools in which accounts have a standing, by their numbers, so many at most.
pub async fn pools(connection: &mut AnyConnection, most: u32) -> Result<Vec<u16>, Error> {
    // Each step looks for the first pool behind the one before, by an index.
    let mut found: Vec<u16> = Vec::new();
    while found.len() < usize::try_from(most).unwrap_or(usize::MAX) {
        let behind = found.last().map_or(-1, |last| i64::from(*last));
        let query = "SELECT pool FROM signed WHERE result IS NOT NULL AND pool > $1
                     ORDER BY pool LIMIT 1";
        let rows = sql::rows(connection, query, vec![Value::from(behind)]).await?;
        let Some(row) = rows.first() else {
            break;
        };
        found.push(sql::small(row, "pool")?);
    }
    Ok(found)
}
