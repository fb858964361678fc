//! Statements that both kinds of databases take.

use std::collections::BTreeMap;

use connect4_client::Address;
use connect4_protocol::signed::GameNumber;
use sqlx::any::{AnyArguments, AnyRow};
use sqlx::query::Query;
use sqlx::{Any, AnyConnection, Row as _};

use crate::error::Error;
use crate::league::League;

/// Most values of one statement, below the limits of SQLite (32,766) and PostgreSQL (65,535): SQLite looks for
/// the name of each among those before, so that 8,000 took ten times as long for a row as 300.
const MOST_VALUES: usize = 300;

/// A row that is written: its columns with their values, each told here alone, see [`row!`].
pub type Row = Vec<(&'static str, Value)>;

/// A [`Row`] of columns and what their values are made from.
macro_rules! row {
    ($($column:ident: $value:expr),+ $(,)?) => {
        vec![$((stringify!($column), $crate::sql::Value::from($value))),+]
    };
}
pub(crate) use row;

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Number(Option<i64>),
    Real(f64),
    Text(Option<String>),
    Bytes(Vec<u8>),
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Number(Some(number))
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Self::Number(Some(number.into()))
    }
}

impl From<Option<u32>> for Value {
    fn from(number: Option<u32>) -> Self {
        Self::Number(number.map(i64::from))
    }
}

/// Times are below 2^63.
impl From<Option<u64>> for Value {
    fn from(number: Option<u64>) -> Self {
        Self::Number(number.and_then(|number| i64::try_from(number).ok()))
    }
}

impl From<bool> for Value {
    fn from(is_so: bool) -> Self {
        Self::Number(Some(is_so.into()))
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Real(number)
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(Some(text))
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(Some(text.into()))
    }
}

impl From<Option<String>> for Value {
    fn from(text: Option<String>) -> Self {
        Self::Text(text)
    }
}

/// Addresses, numbers of signed games and leagues are texts.
macro_rules! texts {
    ($($what:ty),+) => {$(
        impl From<$what> for Value {
            fn from(what: $what) -> Self {
                what.to_string().into()
            }
        }

        impl From<Option<$what>> for Value {
            fn from(what: Option<$what>) -> Self {
                what.map(|what| what.to_string()).into()
            }
        }
    )+};
}
texts!(Address, GameNumber, League);

impl From<Vec<u8>> for Value {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Bytes(bytes)
    }
}

/// Numbers of 128 bits are texts: neither database has such numbers for all of its clients.
impl From<Option<u128>> for Value {
    fn from(number: Option<u128>) -> Self {
        Self::Text(number.map(|number| number.to_string()))
    }
}

fn bind<'q>(
    query: Query<'q, Any, AnyArguments<'q>>,
    values: impl IntoIterator<Item = Value>,
) -> Query<'q, Any, AnyArguments<'q>> {
    values.into_iter().fold(query, |query, value| match value {
        Value::Number(number) => query.bind(number),
        Value::Real(number) => query.bind(number),
        Value::Text(text) => query.bind(text),
        Value::Bytes(bytes) => query.bind(bytes),
    })
}

/// Runs a statement with these values for `$1`, `$2` and so on.
pub async fn run(
    connection: &mut AnyConnection,
    statement: &str,
    values: Vec<Value>,
) -> Result<(), Error> {
    bind(sqlx::query(statement), values)
        .execute(connection)
        .await?;
    Ok(())
}

/// The rows of a query with these values for `$1`, `$2` and so on.
pub async fn rows(
    connection: &mut AnyConnection,
    statement: &str,
    values: Vec<Value>,
) -> Result<Vec<AnyRow>, Error> {
    Ok(bind(sqlx::query(statement), values)
        .fetch_all(connection)
        .await?)
}

/// Adds rows to a table, many by one statement. All of them have the columns of the first one.
pub async fn insert(
    connection: &mut AnyConnection,
    table: &str,
    rows: Vec<Row>,
) -> Result<(), Error> {
    let Some(first) = rows.first() else {
        return Ok(());
    };
    let columns: Vec<&str> = first.iter().map(|(column, _)| *column).collect();
    let most = (MOST_VALUES / columns.len().max(1)).max(1);
    let mut rows = rows.into_iter().peekable();
    while rows.peek().is_some() {
        let chunk: Vec<Row> = rows.by_ref().take(most).collect();
        let places = places(chunk.len(), columns.len());
        let columns = columns.join(", ");
        let statement = format!("INSERT INTO {table} ({columns}) VALUES {places}");
        // Statements of full chunks come again, the last one of a batch has any number of rows.
        let is_full = chunk.len() == most;
        let query = sqlx::query(&statement).persistent(is_full);
        let values = chunk.into_iter().flatten().map(|(_, value)| value);
        bind(query, values).execute(&mut *connection).await?;
    }
    Ok(())
}

/// `($1, $2), ($3, $4)` for two rows of two values.
fn places(rows: usize, values: usize) -> String {
    let row = |row: usize| {
        let places = (1..=values).map(|value| format!("${}", row * values + value));
        format!("({})", places.collect::<Vec<_>>().join(", "))
    };
    (0..rows).map(row).collect::<Vec<_>>().join(", ")
}

/// Most values of a list in one statement.
const MOST_OF_A_LIST: usize = 500;

/// Statements with their values.
type Statements = Vec<(String, Vec<Value>)>;

/// Statements about the rows that have one of these values, as many of them in each as a list takes. `statement` makes one
/// around the list; before its values come the `first` ones, from `$1` on.
fn among(first: &[Value], values: &[Value], statement: impl Fn(&str) -> String) -> Statements {
    let of = |some: &[Value]| {
        let places = (first.len() + 1..=first.len() + some.len()).map(|place| format!("${place}"));
        let list = places.collect::<Vec<_>>().join(", ");
        (statement(&list), [first, some].concat())
    };
    values.chunks(MOST_OF_A_LIST).map(of).collect()
}

/// The same about games, by numbering and number: the numbering is `$1`.
fn of_games(games: &[(i64, u32)], statement: impl Fn(&str) -> String) -> Statements {
    let mut lines: BTreeMap<i64, Vec<Value>> = BTreeMap::new();
    for (line, number) in games {
        lines.entry(*line).or_default().push((*number).into());
    }
    let lines = lines.iter();
    let of = |(line, numbers): (&i64, &Vec<Value>)| among(&[(*line).into()], numbers, &statement);
    lines.flat_map(of).collect()
}

async fn all_rows(
    connection: &mut AnyConnection,
    statements: Statements,
) -> Result<Vec<AnyRow>, Error> {
    let mut found = Vec::new();
    for (statement, values) in statements {
        found.extend(rows(connection, &statement, values).await?);
    }
    Ok(found)
}

async fn run_all(connection: &mut AnyConnection, statements: Statements) -> Result<(), Error> {
    for (statement, values) in statements {
        run(connection, &statement, values).await?;
    }
    Ok(())
}

/// The rows with one of these values: `statement` makes a query around a list of them, whose other values, from `$1` on,
/// are the `first` ones. Of many values there are several queries.
pub async fn rows_among(
    connection: &mut AnyConnection,
    first: &[Value],
    values: &[Value],
    statement: impl Fn(&str) -> String,
) -> Result<Vec<AnyRow>, Error> {
    let statements = among(first, values, statement);
    all_rows(connection, statements).await
}

/// Runs a statement about the rows with one of these values, as [`rows_among`] asks for them.
pub async fn run_among(
    connection: &mut AnyConnection,
    first: &[Value],
    values: &[Value],
    statement: impl Fn(&str) -> String,
) -> Result<(), Error> {
    let statements = among(first, values, statement);
    run_all(connection, statements).await
}

/// The rows of games, which are given by numbering and number: the numbering is `$1` of the query, and `statement` makes
/// one around a list of the numbers.
pub async fn rows_of_games(
    connection: &mut AnyConnection,
    games: &[(i64, u32)],
    statement: impl Fn(&str) -> String,
) -> Result<Vec<AnyRow>, Error> {
    let statements = of_games(games, statement);
    all_rows(connection, statements).await
}

/// Runs a statement about games, as [`rows_of_games`] asks for them.
pub async fn run_of_games(
    connection: &mut AnyConnection,
    games: &[(i64, u32)],
    statement: impl Fn(&str) -> String,
) -> Result<(), Error> {
    let statements = of_games(games, statement);
    run_all(connection, statements).await
}

pub fn number(row: &AnyRow, column: &str) -> Result<i64, Error> {
    Ok(row.try_get::<i64, _>(column)?)
}

pub fn maybe(row: &AnyRow, column: &str) -> Result<Option<i64>, Error> {
    Ok(row.try_get::<Option<i64>, _>(column)?)
}

/// A number of a row that is none of another kind, such as that of a block.
pub fn small<T: TryFrom<i64>>(row: &AnyRow, column: &str) -> Result<T, Error> {
    let number = number(row, column)?;
    T::try_from(number).map_err(|_| Error::Row(format!("{column} is {number}")))
}

/// The same, or none.
pub fn maybe_small<T: TryFrom<i64>>(row: &AnyRow, column: &str) -> Result<Option<T>, Error> {
    let Some(number) = maybe(row, column)? else {
        return Ok(None);
    };
    let small = T::try_from(number);
    small
        .map(Some)
        .map_err(|_| Error::Row(format!("{column} is {number}")))
}

/// A number of a row that is 0 or 1.
pub fn flag(row: &AnyRow, column: &str) -> Result<bool, Error> {
    Ok(number(row, column)? != 0)
}

pub fn real(row: &AnyRow, column: &str) -> Result<f64, Error> {
    Ok(row.try_get::<f64, _>(column)?)
}

pub fn text(row: &AnyRow, column: &str) -> Result<String, Error> {
    Ok(row.try_get::<String, _>(column)?)
}

pub fn maybe_text(row: &AnyRow, column: &str) -> Result<Option<String>, Error> {
    Ok(row.try_get::<Option<String>, _>(column)?)
}

pub fn bytes(row: &AnyRow, column: &str) -> Result<Vec<u8>, Error> {
    Ok(row.try_get::<Vec<u8>, _>(column)?)
}

/// What a text of a row stands for.
pub fn parsed<T: std::str::FromStr>(row: &AnyRow, column: &str) -> Result<T, Error> {
    let text = text(row, column)?;
    let parsed = text.parse();
    parsed.map_err(|_| Error::Row(format!("{column} is {text:?}")))
}

/// The same, or none.
pub fn maybe_parsed<T: std::str::FromStr>(row: &AnyRow, column: &str) -> Result<Option<T>, Error> {
    let Some(text) = maybe_text(row, column)? else {
        return Ok(None);
    };
    let parsed = text.parse();
    parsed
        .map(Some)
        .map_err(|_| Error::Row(format!("{column} is {text:?}")))
}
