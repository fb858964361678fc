//! Results and ratings of accounts, game after game in the order of their ends.

use std::collections::{BTreeMap, BTreeSet};

use connect4_client::Address;
use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use crate::error::Error;
use crate::finished::Finished;
use crate::game::Ending;
use crate::league::League;
use crate::slot::Slot;
use crate::sql::{self, Row, Value, row};
use crate::standings::{DAY, MOST_OF_A_PAIR, Ratings, Reason, Standing};

pub const fn reason_name(reason: Reason) -> &'static str {
    match reason {
        Reason::OtherBoard => "other board",
        Reason::Frequent => "frequent",
        Reason::Short => "short",
    }
}

/// A game that has ended with a result.
pub struct Rated<'a> {
    pub slot: Slot,
    /// Block and place at which it counts, by which the games of a league are in order.
    pub at: (u32, u32),
    /// Time by which the games of a pair are counted.
    pub time: Option<u64>,
    pub finished: &'a Finished,
}

impl<'a> Rated<'a> {
    /// None: it ended without a result.
    pub fn of(ending: &'a Ending) -> Option<Self> {
        Some(Self {
            slot: ending.slot,
            at: ending.at?,
            time: ending.time,
            finished: ending.finished.as_ref()?,
        })
    }

    /// The row of a player after it.
    fn row(&self, league: League, reason: Option<Reason>, standing: &Standing) -> Row {
        let (block, place) = self.at;
        let mut row = row! {
            block: block,
            place: place,
            time: self.time,
            line: self.slot.line,
            number: self.slot.number,
            unrated: reason.map(|reason| reason_name(reason).to_owned()),
        };
        row.extend(standing_row(league, standing));
        row
    }

    /// The row of two of its players.
    fn pair_row(&self, league: League, (one, two): (Address, Address)) -> Row {
        let (block, place) = self.at;
        row! {
            league: league,
            one: one,
            two: two,
            block: block,
            place: place,
            time: self.time,
        }
    }
}

/// The witnesses whose games are rated.
pub async fn witnesses(connection: &mut AnyConnection) -> Result<BTreeSet<Address>, Error> {
    let query = "SELECT witness FROM witnesses";
    let rows = sql::rows(connection, query, vec![]).await?;
    rows.iter().map(|row| sql::parsed(row, "witness")).collect()
}

/// Counts games that have ended, behind all that were counted before.
pub async fn add(connection: &mut AnyConnection, mut endings: Vec<Ending>) -> Result<(), Error> {
    endings.sort_by_key(|ending| ending.at);
    if endings.iter().any(|ending| ending.witness.is_some()) {
        let counted = witnesses(connection).await?;
        endings.retain(|ending| ending.is_counted(&counted));
    }
    let leagues: BTreeSet<League> = endings.iter().map(|ending| ending.league).collect();
    for league in leagues {
        let of_league = endings.iter().filter(|ending| ending.league == league);
        let of_league: Vec<Rated<'_>> = of_league.filter_map(Rated::of).collect();
        if !of_league.is_empty() {
            add_to(connection, league, &of_league).await?;
        }
    }
    Ok(())
}

/// Counts games of a league, in their order, behind all of it that were counted before.
pub async fn add_to(
    connection: &mut AnyConnection,
    league: League,
    games: &[Rated<'_>],
) -> Result<(), Error> {
    let mut ratings = Ratings::default();
    let on_standard = games.iter().filter(|game| game.finished.is_standard);
    let pairs: BTreeSet<_> = on_standard.flat_map(|game| game.finished.pairs()).collect();
    let times = games.iter().filter_map(|game| game.time);
    let between = times.clone().min().zip(times.max());
    for pair in pairs {
        let times = near_of_pair(connection, league, pair, between).await?;
        ratings.resume_pair(pair, times);
    }
    let players = games.iter().flat_map(|game| &game.finished.players);
    let accounts: BTreeSet<Address> = players.map(|(account, _)| *account).collect();
    for standing in standings(connection, league, &accounts).await? {
        ratings.resume(standing);
    }
    let (mut rows, mut pair_rows) = (Vec::new(), Vec::new());
    for game in games {
        let reason = ratings.count(game.finished, game.time);
        for (account, _) in &game.finished.players {
            rows.push(game.row(league, reason, &ratings.of(*account)));
        }
        if matches!(reason, None | Some(Reason::Short)) {
            let pairs = game.finished.pairs();
            pair_rows.extend(pairs.map(|pair| game.pair_row(league, pair)));
        }
    }
    sql::insert(connection, "ratings", rows).await?;
    sql::insert(connection, "pairs", pair_rows).await?;
    let now = accounts.iter().map(|account| ratings.of(*account));
    let now = now.collect();
    set_accounts(connection, league, &accounts, now).await
}

/// The standings of those of some accounts that have finished a game.
async fn standings(
    connection: &mut AnyConnection,
    league: League,
    accounts: &BTreeSet<Address>,
) -> Result<Vec<Standing>, Error> {
    let accounts: Vec<Value> = accounts.iter().map(|it| (*it).into()).collect();
    let league = [league.into()];
    let rows = sql::rows_among(connection, &league, &accounts, |list| {
        format!("SELECT * FROM accounts WHERE league = $1 AND account IN ({list})")
    });
    rows.await?.iter().map(standing).collect()
}

/// The row of an account, which [`standing`] reads.
fn standing_row(league: League, standing: &Standing) -> Row {
    row! {
        league: league,
        account: standing.account,
        wins: standing.wins,
        draws: standing.draws,
        losses: standing.losses,
        rated: standing.rated,
        rating: standing.rating,
        program: standing.program,
    }
}

pub fn standing(row: &AnyRow) -> Result<Standing, Error> {
    Ok(Standing {
        account: sql::parsed(row, "account")?,
        wins: sql::small(row, "wins")?,
        draws: sql::small(row, "draws")?,
        losses: sql::small(row, "losses")?,
        rated: sql::small(row, "rated")?,
        rating: sql::real(row, "rating")?,
        program: sql::flag(row, "program")?,
    })
}

/// When the games of a pair ended that count among its rated ones and may be near others, which ended between two times;
/// none of these if it is not known when any of them ended.
async fn near_of_pair(
    connection: &mut AnyConnection,
    league: League,
    (one, two): (Address, Address),
    between: Option<(u64, u64)>,
) -> Result<Vec<Option<u64>>, Error> {
    let pair = || vec![league.into(), one.into(), two.into()];
    let unknown = format!(
        "SELECT time FROM pairs WHERE league = $1 AND one = $2 AND two = $3 AND time IS NULL
         LIMIT {MOST_OF_A_PAIR}"
    );
    let mut rows = sql::rows(connection, &unknown, pair()).await?;
    if let Some((first, last)) = between {
        let near = "SELECT time FROM pairs WHERE league = $1 AND one = $2 AND two = $3
                    AND time > $4 AND time < $5 ORDER BY time";
        let mut values = pair();
        // Times are not negative.
        let earliest = first
            .checked_sub(DAY)
            .map_or(-1, |first| first.cast_signed());
        values.push(earliest.into());
        values.push(Some(last.saturating_add(DAY)).into());
        rows.extend(sql::rows(connection, near, values).await?);
    }
    let times = rows.iter().map(|row| sql::maybe_small(row, "time"));
    times.collect()
}

/// Sets what some accounts' standings are now.
async fn set_accounts(
    connection: &mut AnyConnection,
    league: League,
    accounts: &BTreeSet<Address>,
    now: Vec<Standing>,
) -> Result<(), Error> {
    let names: Vec<Value> = accounts.iter().map(|it| (*it).into()).collect();
    let of_league = [league.into()];
    let delete = sql::run_among(connection, &of_league, &names, |list| {
        format!("DELETE FROM accounts WHERE league = $1 AND account IN ({list})")
    });
    delete.await?;
    let rows = now.iter().map(|standing| standing_row(league, standing));
    sql::insert(connection, "accounts", rows.collect()).await
}

/// Accounts with games that count from a block on, each as often as it has some.
pub const ACCOUNTS_FROM: &str = "SELECT league, account FROM ratings WHERE block >= $1";

/// Undoes the games of a league that count from a block on; without a league, those of all.
pub async fn undo(
    connection: &mut AnyConnection,
    league: Option<League>,
    from: u32,
) -> Result<(), Error> {
    let of_league = league.map_or("", |_| " AND league = $2");
    let mut values = vec![from.into()];
    values.extend(league.map(Value::from));
    let query = format!("{ACCOUNTS_FROM}{of_league}");
    let mut changed: BTreeMap<League, BTreeSet<Address>> = BTreeMap::new();
    for row in sql::rows(connection, &query, values.clone()).await? {
        let league = sql::parsed(&row, "league")?;
        let account = sql::parsed(&row, "account")?;
        changed.entry(league).or_default().insert(account);
    }
    for table in ["ratings", "pairs"] {
        let statement = format!("DELETE FROM {table} WHERE block >= $1{of_league}");
        sql::run(connection, &statement, values.clone()).await?;
    }
    for (league, accounts) in changed {
        set_back(connection, league, &accounts).await?;
    }
    Ok(())
}

/// Sets the standings of accounts to those after the last games that are still counted.
async fn set_back(
    connection: &mut AnyConnection,
    league: League,
    accounts: &BTreeSet<Address>,
) -> Result<(), Error> {
    let mut left = Vec::new();
    for account in accounts {
        let query = "SELECT * FROM ratings WHERE league = $1 AND account = $2
                     ORDER BY block DESC, place DESC LIMIT 1";
        let values = vec![league.into(), (*account).into()];
        if let Some(row) = sql::rows(connection, query, values).await?.first() {
            left.push(standing(row)?);
        }
    }
    set_accounts(connection, league, accounts, left).await
}
