//! Standings, page by page or whole.

use std::collections::{BTreeMap, BTreeSet};

use connect4_client::{Address, Event, Gap};
use connect4_protocol::signed::RecordsEvent;
use connect4_protocol::topic;
use connect4_protocol::variants::event::TableClosed;
use sqlx::AnyConnection;

use crate::database::Index;
use crate::end_rows;
use crate::ends::folded;
use crate::error::Error;
use crate::event_rows;
use crate::game::Told;
use crate::league::League;
use crate::ratings::{self, reason_name, standing};
use crate::slot::Slot;
use crate::sql::{self, Value};
use crate::standings::{self, Reason, Recorded, Standing, Standings};
use crate::writer;

#[derive(Clone, Debug, PartialEq)]
pub struct StandingsPage {
    /// Number of accounts of the league.
    pub accounts: u64,
    /// Number of accounts before the page.
    pub before: u64,
    /// The accounts, the highest rating first.
    pub rows: Vec<Standing>,
}

impl Index {
    /// The standings of a league, behind so many accounts.
    ///
    /// # Errors
    ///
    /// If the database cannot be read.
    pub async fn standings(
        &self,
        league: League,
        before: u64,
        most: u32,
    ) -> Result<StandingsPage, Error> {
        let mut reader = self.reader().await?;
        let count = "SELECT count(*) AS n FROM accounts WHERE league = $1";
        let counted = sql::rows(&mut reader, count, vec![league.into()]).await?;
        let counted = counted.first().map(|row| sql::small(row, "n"));
        let query = "SELECT * FROM accounts WHERE league = $1
                     ORDER BY rating DESC, wins DESC, account LIMIT $2 OFFSET $3";
        let offset = i64::try_from(before).unwrap_or(i64::MAX);
        let values = vec![Value::from(league), most.into(), offset.into()];
        let rows = sql::rows(&mut reader, query, values).await?;
        Ok(StandingsPage {
            accounts: counted.transpose()?.unwrap_or(0),
            before,
            rows: rows.iter().map(standing).collect::<Result<_, _>>()?,
        })
    }

    /// Pools in which there are signed games of the witnesses whose games are rated, ascending, so many at most.
    ///
    /// # Errors
    ///
    /// If the database cannot be read.
    pub async fn witnessed_pools(&self, most: u32) -> Result<Vec<u16>, Error> {
        end_rows::pools(&mut *self.reader().await?, most).await
    }

    /// Keys of the witnesses whose signed games are rated.
    ///
    /// # Errors
    ///
    /// If the database cannot be read.
    pub async fn witnesses(&self) -> Result<BTreeSet<Address>, Error> {
        ratings::witnesses(&mut *self.reader().await?).await
    }

    /// The standings of all leagues, from the games that started in a block or later, and those of which
    /// there are records alone.
    ///
    /// # Errors
    ///
    /// If the database cannot be read.
    pub async fn leagues(
        &self,
        from: u32,
        recorded: &Recorded,
    ) -> Result<BTreeMap<League, Standings>, Error> {
        let mut reader = self.reader().await?;
        if from > self.options().from || !recorded.is_empty() {
            // Ratings follow from the games before, so all are counted again.
            let games = event_rows::events_from(&mut reader, from).await?;
            let contradictions = end_rows::contradictions(&mut reader, &games).await?;
            let fold = |slot, events: &[Told]| folded(slot, events, &contradictions);
            let mut endings = standings::endings(games, fold, recorded);
            let counted = ratings::witnesses(&mut reader).await?;
            endings.retain(|ending| ending.is_counted(&counted));
            return Ok(standings::count(endings));
        }
        let witnessed = end_rows::pools(&mut reader, u32::MAX).await?;
        let witnessed = witnessed.into_iter().map(League::Witnessed);
        let mut leagues = BTreeMap::new();
        for league in League::OF_VARIANTS.into_iter().chain(witnessed) {
            let query = "SELECT * FROM accounts WHERE league = $1
                         ORDER BY rating DESC, wins DESC, account";
            let rows = sql::rows(&mut reader, query, vec![league.into()]).await?;
            let mut standings = Standings {
                rows: rows.iter().map(standing).collect::<Result<_, _>>()?,
                ..Standings::default()
            };
            standings.unrated.aborted = aborted(&mut reader, league).await?;
            for reason in Reason::ALL {
                let games = unrated(&mut reader, league, reason).await?;
                standings.unrated.add(reason, games);
            }
            leagues.insert(league, standings);
        }
        Ok(leagues)
    }

    /// Numbers of the variants whose starts are known, or which never start.
    ///
    /// # Errors
    ///
    /// If the database cannot be read.
    pub async fn known_variants(&self) -> Result<BTreeSet<u32>, Error> {
        let mut reader = self.reader().await?;
        let query = "SELECT number FROM games WHERE line = $1
                     UNION SELECT game AS number FROM events WHERE topic = $2 AND line = $1";
        let closed = topic(TableClosed::DECLARATION).to_vec();
        let values = vec![Slot::OF_VARIANTS.into(), closed.into()];
        let rows = sql::rows(&mut reader, query, values).await?;
        rows.iter().map(|row| sql::small(row, "number")).collect()
    }

    /// The blocks from one on in which events of any of these contracts are missing.
    ///
    /// # Errors
    ///
    /// If the chain or the database cannot be reached.
    pub async fn gaps(&self, contracts: &[Address], from: u32) -> Result<Vec<Gap>, Error> {
        let client = &self.subject().client;
        let mut reader = self.reader().await?;
        let mut gaps = Vec::new();
        for mut gap in writer::gaps(&mut reader).await? {
            if gap.last < from {
                continue;
            }
            // A contract that is younger had no events there.
            let behind = gap.last.saturating_add(1);
            if !client.were_there(contracts, behind).await? {
                continue;
            }
            if gap.first < from {
                gap.first = from;
                let first = client.block_at(from).await?;
                gap.since = match first {
                    Some(first) => client.block_seconds(first).await,
                    None => None,
                };
            }
            gaps.push(gap);
        }
        Ok(gaps)
    }

    /// Number of events that this program does not know, and skips: those of later versions of the
    /// contracts.
    ///
    /// # Errors
    ///
    /// If the database cannot be read.
    pub async fn skipped_events(&self) -> Result<u64, Error> {
        let mut reader = self.reader().await?;
        let query = "SELECT topic, data FROM events WHERE line IS NULL";
        let mut skipped = 0;
        for row in sql::rows(&mut reader, query, vec![]).await? {
            let (topic, data) = (sql::bytes(&row, "topic")?, sql::bytes(&row, "data")?);
            let is_known = matches!(Event::decode(&topic, &data), Ok(Some(_)))
                || matches!(RecordsEvent::decode(&topic, &data), Ok(Some(_)));
            skipped += u64::from(!is_known);
        }
        Ok(skipped)
    }
}

/// Number of games of a league that ended without a result.
async fn aborted(reader: &mut AnyConnection, league: League) -> Result<u32, Error> {
    let of_league = match league {
        League::Two => {
            "kind = 'variant' AND seat = 1 AND NOT EXISTS (SELECT 1 FROM seats third
             WHERE third.line = seats.line AND third.number = seats.number AND third.seat = 2)"
        }
        League::More => "kind = 'variant' AND seat = 2",
        League::Witnessed(pool) => return end_rows::uncounted(reader, pool).await,
    };
    let query = format!("SELECT count(*) AS n FROM seats WHERE result = 'aborted' AND {of_league}");
    let rows = sql::rows(reader, &query, vec![]).await?;
    rows.first().map_or(Ok(0), |row| sql::small(row, "n"))
}

/// Number of games of a league that are not rated for a reason.
async fn unrated(reader: &mut AnyConnection, league: League, reason: Reason) -> Result<u32, Error> {
    let query = "SELECT count(*) AS n FROM
                   (SELECT DISTINCT line, number FROM ratings WHERE league = $1 AND unrated = $2) games";
    let values = vec![Value::from(league), reason_name(reason).into()];
    let rows = sql::rows(reader, query, values).await?;
    rows.first().map_or(Ok(0), |row| sql::small(row, "n"))
}
