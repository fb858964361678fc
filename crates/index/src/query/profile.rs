//! What an account has played.

use connect4_client::Address;
use connect4_protocol::GameName;
use connect4_rules::ShapeSpec;
use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use crate::database::Index;
use crate::error::Error;
use crate::league::{Kind, League};
use crate::query::history::HistoryPage;
use crate::ratings::standing;
use crate::rows::{self, GameRow};
use crate::slot::Slot;
use crate::sql::{self, Value};
use crate::standings::Standing;

/// Most points of a rating that are read: the newest ones.
const MOST_POINTS: u32 = 1_000;
/// Most leagues in which standings are read.
const MOST_LEAGUES: u32 = 12;
/// Most open games and opponents that are read.
const MOST: u32 = 100;

/// Numbers of games by their results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

impl Tally {
    /// The columns by which [`Tally::read`] counts the rows of seats.
    const COLUMNS: &str = "
        count(CASE WHEN seats.result = 'won' THEN 1 END) AS wins,
        count(CASE WHEN seats.result = 'drawn' THEN 1 END) AS draws,
        count(CASE WHEN seats.result = 'lost' THEN 1 END) AS losses";

    fn read(row: &AnyRow) -> Result<Self, Error> {
        Ok(Self {
            wins: sql::small(row, "wins")?,
            draws: sql::small(row, "draws")?,
            losses: sql::small(row, "losses")?,
        })
    }

    #[must_use]
    pub const fn games(&self) -> u64 {
        self.wins
            .saturating_add(self.draws)
            .saturating_add(self.losses)
    }
}

/// Results on a board, in a kind of games, with a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    pub kind: Kind,
    pub board: ShapeSpec,
    /// Seat, and so the colour, from 0.
    pub seat: u32,
    /// The results that count.
    pub tally: Tally,
}

/// A rating after a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    pub game: GameName,
    /// Time of the block in which it ended in seconds since 1970, or of its end by the word of its witness; none if
    /// it is not known.
    pub time: Option<u64>,
    pub rating: f64,
}

/// Results against an opponent in games of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Series {
    pub opponent: Address,
    /// The results that count, of the account.
    pub tally: Tally,
}

/// What an account has played.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    pub account: Address,
    /// Number of games that it has started, with those that go on.
    pub games: u64,
    /// Its standings, each with its rank, from 1; without leagues in which it has finished no game. Of the
    /// pools of signed games those in which it has played most.
    pub standings: Vec<(League, Standing, u64)>,
    pub lines: Vec<Line>,
    /// Its rating after each of its last rated signed games, in their order, of the pool in which it has played most.
    pub points: Vec<Point>,
    /// Its games that go on, those with the newest moves first, with their boards.
    pub open: Vec<GameRow>,
    /// The opponents that it has played most.
    pub series: Vec<Series>,
}

impl Index {
    /// What an account has played.
    ///
    /// # Errors
    ///
    /// If the database cannot be read.
    pub async fn profile(&self, account: Address) -> Result<Profile, Error> {
        let mut reader = self.reader().await?;
        let reader = &mut *reader;
        let name = || Value::from(account);
        let count = "SELECT count(*) AS n FROM seats WHERE account = $1";
        let counted = sql::rows(reader, count, vec![name()]).await?;
        let games = counted.first().map(|row| sql::small(row, "n"));
        let query = format!(
            "SELECT kind, board, seat, {} FROM seats WHERE account = $1 AND counts = 1
             GROUP BY kind, board, seat ORDER BY kind, board, seat",
            Tally::COLUMNS
        );
        let lines = sql::rows(reader, &query, vec![name()]).await?;
        let line = |row: &AnyRow| {
            Ok::<_, Error>(Line {
                kind: sql::parsed(row, "kind")?,
                board: sql::parsed(row, "board")?,
                seat: sql::small(row, "seat")?,
                tally: Tally::read(row)?,
            })
        };
        let query = format!(
            "SELECT games.* FROM seats
             JOIN games ON games.line = seats.line AND games.number = seats.number
             WHERE seats.account = $1 AND seats.is_open = 1
             ORDER BY coalesce(games.moved_time, 0) DESC, games.line DESC, games.number DESC
             LIMIT {MOST}"
        );
        let open = sql::rows(reader, &query, vec![name()]).await?;
        let mut open = open
            .iter()
            .map(GameRow::read)
            .collect::<Result<Vec<_>, _>>()?;
        rows::place(reader, &mut open).await?;
        let standings = standings_of(reader, account).await?;
        let of_pools = standings
            .iter()
            .filter(|(league, ..)| matches!(league, League::Witnessed(_)));
        let most_played = of_pools
            .max_by_key(|(league, standing, _)| (standing.rated, std::cmp::Reverse(*league)))
            .map(|(league, ..)| *league);
        Ok(Profile {
            account,
            games: games.transpose()?.unwrap_or(0),
            points: match most_played {
                Some(league) => points(reader, account, league).await?,
                None => Vec::new(),
            },
            standings,
            lines: lines.iter().map(line).collect::<Result<_, _>>()?,
            open,
            series: series(reader, account, None).await?,
        })
    }

    /// The results of an account against another one in games of two, and their last games.
    ///
    /// # Errors
    ///
    /// If the database cannot be read.
    pub async fn against(
        &self,
        account: Address,
        opponent: Address,
        most: u32,
    ) -> Result<(Series, HistoryPage), Error> {
        let mut reader = self.reader().await?;
        let found = series(&mut reader, account, Some(opponent)).await?;
        let series = found.into_iter().next().unwrap_or(Series {
            opponent,
            tally: Tally::default(),
        });
        // SQLite joins in this order then: it would look for the opponent's seats one by one, or read all
        // games of the account.
        let query = "SELECT games.* FROM seats CROSS JOIN seats others CROSS JOIN games
             WHERE seats.account = $1 AND others.account = $2
               AND others.started_block = seats.started_block
               AND others.line = seats.line AND others.number = seats.number
               AND games.line = seats.line AND games.number = seats.number
             ORDER BY seats.started_block DESC, seats.line DESC, seats.number DESC LIMIT $3";
        let values = vec![Value::from(account), opponent.into(), most.into()];
        let rows = sql::rows(&mut reader, query, values).await?;
        let games = rows.iter().map(GameRow::read);
        let page = HistoryPage {
            games: games.collect::<Result<_, _>>()?,
            next: None,
        };
        Ok((series, page))
    }
}

/// The leagues in which an account has played most come first among its pools, of which there are many.
async fn standings_of(
    reader: &mut AnyConnection,
    account: Address,
) -> Result<Vec<(League, Standing, u64)>, Error> {
    let query = format!(
        "SELECT * FROM accounts WHERE account = $1
         ORDER BY CASE WHEN league LIKE 'witnessed%' THEN 1 ELSE 0 END,
           rated DESC, wins + draws + losses DESC, league LIMIT {MOST_LEAGUES}"
    );
    let mut standings = Vec::new();
    for row in sql::rows(reader, &query, vec![account.into()]).await? {
        let league: League = sql::parsed(&row, "league")?;
        let standing = standing(&row)?;
        let before = "SELECT count(*) AS n FROM accounts WHERE league = $1 AND rating > $2";
        let values = vec![Value::from(league), standing.rating.into()];
        let rows = sql::rows(reader, before, values).await?;
        let before = rows.first().map(|row| sql::small::<u64>(row, "n"));
        let rank = before.transpose()?.unwrap_or(0).saturating_add(1);
        standings.push((league, standing, rank));
    }
    standings.sort_by_key(|(league, ..)| *league);
    Ok(standings)
}

async fn points(
    reader: &mut AnyConnection,
    account: Address,
    league: League,
) -> Result<Vec<Point>, Error> {
    // A short game changes its loser's rating, so it is asked what the rating is, not whether the game
    // is rated.
    let query = format!(
        "SELECT ratings.line, ratings.number, games.digest, ratings.time, ratings.rating FROM ratings
         LEFT JOIN games ON games.line = ratings.line AND games.number = ratings.number
         WHERE ratings.league = $1 AND ratings.account = $2
         ORDER BY ratings.block DESC, ratings.place DESC LIMIT {MOST_POINTS}"
    );
    let values = vec![league.into(), account.into()];
    let rows = sql::rows(reader, &query, values).await?;
    let mut points: Vec<Point> = Vec::new();
    for row in rows.iter().rev() {
        let point = Point {
            game: Slot::read(row)?.name(row)?,
            time: sql::maybe_small(row, "time")?,
            rating: sql::real(row, "rating")?,
        };
        let before = points.last().map(|point| point.rating);
        if before != Some(point.rating) {
            points.push(point);
        }
    }
    Ok(points)
}

/// Results against one opponent, or those that were played most.
async fn series(
    reader: &mut AnyConnection,
    account: Address,
    opponent: Option<Address>,
) -> Result<Vec<Series>, Error> {
    let only = match opponent {
        Some(_) => "AND others.account = $2",
        None => "",
    };
    // A game of two has no third seat.
    let query = format!(
        "SELECT others.account, {}, count(*) AS n FROM seats
         JOIN seats others ON others.line = seats.line AND others.number = seats.number
           AND others.seat = 1 - seats.seat
         WHERE seats.account = $1 {only} AND seats.counts = 1 AND seats.seat < 2
           AND (seats.kind <> 'variant' OR NOT EXISTS (SELECT 1 FROM seats third
             WHERE third.line = seats.line AND third.number = seats.number AND third.seat = 2))
         GROUP BY others.account ORDER BY n DESC, others.account LIMIT {MOST}",
        Tally::COLUMNS
    );
    let accounts = [Some(account), opponent].into_iter().flatten();
    let values = accounts.map(Value::from);
    let rows = sql::rows(reader, &query, values.collect()).await?;
    let series = rows.iter().map(|row| {
        Ok(Series {
            opponent: sql::parsed(row, "account")?,
            tally: Tally::read(row)?,
        })
    });
    series.collect()
}
