//! Games, page by page, and those that go on.

use std::fmt;
use std::str::FromStr;

use connect4_client::Address;
use connect4_protocol::GameName;
use connect4_rules::ShapeSpec;
use sqlx::AnyConnection;

use crate::database::Index;
use crate::end_rows;
use crate::error::Error;
use crate::league::Kind;
use crate::rows::{self, GameRow};
use crate::slot::Slot;
use crate::sql::{self, Value};

/// Result of a game for one of its players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Won,
    Drawn,
    Lost,
    /// The game ended without a result.
    Aborted,
    Open,
}

impl Outcome {
    pub const ALL: [Self; 5] = [
        Self::Won,
        Self::Drawn,
        Self::Lost,
        Self::Aborted,
        Self::Open,
    ];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Won => "won",
            Self::Drawn => "drawn",
            Self::Lost => "lost",
            Self::Aborted => "aborted",
            Self::Open => "open",
        }
    }
}

impl FromStr for Outcome {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let named = Self::ALL.into_iter().find(|result| result.name() == text);
        named.ok_or(())
    }
}

/// Which games are wanted. None: all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// An account that plays.
    pub account: Option<Address>,
    pub board: Option<ShapeSpec>,
    pub kind: Option<Kind>,
    /// The result: that of the account; without one, of any of the players.
    pub outcome: Option<Outcome>,
}

/// A place among all games, by their starts: a page is behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    block: u32,
    game: Slot,
}

/// `120-12-3`: the block, the numbering and the number of the game in it.
impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}-{}", self.block, self.game.line, self.game.number)
    }
}

/// Reads what `Display` writes.
impl FromStr for Cursor {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (block, game) = text.split_once('-').ok_or(())?;
        let (line, number) = game.split_once('-').ok_or(())?;
        Ok(Self {
            block: block.parse().map_err(|_| ())?,
            game: Slot {
                line: line.parse().map_err(|_| ())?,
                number: number.parse().map_err(|_| ())?,
            },
        })
    }
}

/// A page of games, the newest first.
#[derive(Clone, Debug, PartialEq)]
pub struct HistoryPage {
    pub games: Vec<GameRow>,
    /// Behind which the next page is; none if this is the last one. There may be one although this one is
    /// not full: then older games were not looked at.
    pub next: Option<Cursor>,
}

#[derive(Default)]
struct Conditions {
    all: Vec<String>,
    values: Vec<Value>,
}

impl Conditions {
    /// Adds a condition, in which each `?` is one of these values.
    fn add(&mut self, condition: &str, values: impl IntoIterator<Item = Value>) {
        let mut text = condition.to_owned();
        for value in values {
            self.values.push(value);
            text = text.replacen('?', &format!("${}", self.values.len()), 1);
        }
        self.all.push(text);
    }

    fn text(&self) -> String {
        match self.all.is_empty() {
            true => String::new(),
            false => format!("WHERE {}", self.all.join(" AND ")),
        }
    }
}

/// The games behind a place, or the seats of an account there: the table, and the conditions with their
/// values.
fn behind_place(filter: Filter, behind: Option<Cursor>) -> (&'static str, Conditions) {
    let mut conditions = Conditions::default();
    let table = match filter.account {
        // The seats of an account are in the order of the starts of its games.
        Some(account) => {
            conditions.add("account = ?", [account.into()]);
            "seats"
        }
        None => "games",
    };
    if let Some(Cursor { block, game }) = behind {
        let at = [block.into(), game.line.into(), game.number.into()];
        conditions.add("(started_block, line, number) < (?, ?, ?)", at);
    }
    (table, conditions)
}

const ORDER: &str = "ORDER BY started_block DESC, line DESC, number DESC";

/// The query for a page among so many games, with one more than wanted, and its values.
fn select(filter: Filter, behind: Option<Cursor>, most: u32, among: u32) -> (String, Vec<Value>) {
    let (by, inner) = behind_place(filter, behind);
    let looked_at = format!(
        "(SELECT * FROM {by} {} {ORDER} LIMIT {among}) AS {by}",
        inner.text()
    );
    let mut conditions = Conditions {
        all: Vec::new(),
        values: inner.values,
    };
    let from = match by {
        "seats" => format!(
            "{looked_at} JOIN games ON games.line = seats.line AND games.number = seats.number"
        ),
        _ => looked_at,
    };
    if let Some(board) = filter.board {
        conditions.add(&format!("{by}.board = ?"), [board.to_string().into()]);
    }
    if let Some(kind) = filter.kind {
        conditions.add(&format!("{by}.kind = ?"), [kind.name().into()]);
    }
    match (filter.outcome, filter.account) {
        (Some(Outcome::Open), _) => conditions.add("games.ended_block IS NULL", []),
        (Some(outcome), Some(_)) => conditions.add("seats.result = ?", [outcome.name().into()]),
        (Some(outcome), None) => conditions.add(
            "EXISTS (SELECT 1 FROM seats WHERE seats.line = games.line
                     AND seats.number = games.number AND seats.result = ?)",
            [outcome.name().into()],
        ),
        (None, _) => {}
    }
    let wanted = conditions.text();
    let mut values = conditions.values;
    values.push(most.saturating_add(1).into());
    let query = format!(
        "SELECT games.* FROM {from} {wanted}
         ORDER BY {by}.started_block DESC, {by}.line DESC, {by}.number DESC LIMIT ${}",
        values.len()
    );
    (query, values)
}

/// The query for the last of so many games and the one behind it, and its values.
fn select_last(filter: Filter, behind: Option<Cursor>, among: u32) -> (String, Vec<Value>) {
    let (by, inner) = behind_place(filter, behind);
    let query = format!(
        "SELECT started_block, line, number FROM {by} {} {ORDER} LIMIT 2 OFFSET {}",
        inner.text(),
        among.saturating_sub(1)
    );
    (query, inner.values)
}

/// The last game that was looked at, if there are games behind it.
async fn last_looked_at(
    reader: &mut AnyConnection,
    filter: Filter,
    behind: Option<Cursor>,
    among: u32,
) -> Result<Option<Cursor>, Error> {
    let (query, values) = select_last(filter, behind, among);
    let rows = sql::rows(reader, &query, values).await?;
    let [last, _] = &rows[..] else {
        return Ok(None);
    };
    Ok(Some(Cursor {
        block: sql::small(last, "started_block")?,
        game: Slot::read(last)?,
    }))
}

impl Index {
    /// Games by their starts, the newest first, behind a place.
    ///
    /// # Errors
    ///
    /// If the database cannot be read.
    pub async fn history(
        &self,
        filter: Filter,
        behind: Option<Cursor>,
        most: u32,
    ) -> Result<HistoryPage, Error> {
        let among = self.options().looks_at.max(1);
        let (query, values) = select(filter, behind, most, among);
        let mut reader = self.reader().await?;
        let rows = sql::rows(&mut reader, &query, values).await?;
        let mut games = rows
            .iter()
            .map(GameRow::read)
            .collect::<Result<Vec<_>, _>>()?;
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let is_last = games.len() <= most;
        games.truncate(most);
        let next = match games.last().filter(|_| !is_last) {
            Some(game) => Some(Cursor {
                block: game.started_block,
                game: game.slot,
            }),
            None => last_looked_at(&mut reader, filter, behind, among).await?,
        };
        Ok(HistoryPage { games, next })
    }

    /// A game that has started, with its board; none if it is not known.
    ///
    /// # Errors
    ///
    /// If the database cannot be read.
    pub async fn game(&self, game: impl Into<GameName>) -> Result<Option<GameRow>, Error> {
        let mut reader = self.reader().await?;
        let slot = match game.into() {
            GameName::Chain(game) => Some(Slot::new(game)),
            GameName::Terms(number) => end_rows::slot_of(&mut reader, number).await?,
        };
        let Some(slot) = slot else {
            return Ok(None);
        };
        let query = "SELECT games.* FROM games WHERE line = $1 AND number = $2";
        let values = vec![Value::from(slot.line), slot.number.into()];
        let rows = sql::rows(&mut reader, query, values).await?;
        let Some(row) = rows.first() else {
            return Ok(None);
        };
        let mut game = [GameRow::read(row)?];
        rows::place(&mut reader, &mut game).await?;
        let [game] = game;
        Ok(Some(game))
    }

    /// Games that go on on the chain, with their boards; those with the newest moves first.
    ///
    /// # Errors
    ///
    /// If the database cannot be read.
    pub async fn live(&self, most: u32) -> Result<Vec<GameRow>, Error> {
        let mut reader = self.reader().await?;
        let query = "SELECT games.* FROM games WHERE ended_block IS NULL
             ORDER BY coalesce(moved_time, 0) DESC, line DESC, number DESC LIMIT $1";
        let rows = sql::rows(&mut reader, query, vec![most.into()]).await?;
        let mut games = rows
            .iter()
            .map(GameRow::read)
            .collect::<Result<Vec<_>, _>>()?;
        rows::place(&mut reader, &mut games).await?;
        Ok(games)
    }
}
