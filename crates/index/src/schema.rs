//! Tables of the index, and the format of all of it.
//!
//! All but `witnesses`, and what it is said of below, follows from the chain. Events of a game that its result does not
//! depend on have no game.
//!
//! Numbers of 128 bits are decimal text, addresses and hashes are hexadecimal text, times are seconds
//! since 1970. Nothing tells when or in how many steps it was written.
//!
//! | table | a row for each | follows from |
//! |---|---|---|
//! | `blocks` | block with events, the newest final block, block above it | the chain |
//! | `gaps` | stretch of blocks whose events the node did not have | the chain |
//! | `events` | event of the contracts | the chain |
//! | `games` | game that has started | the events of the game |
//! | `seats` | player of a game | the events of the game |
//! | `contradictions` | game about which a witness has contradicted itself, where the chain first tells it | the chain |
//! | `ratings` | player of a game that has ended with a result, unless it is a plain one | games in the order of their ends; signed games that a witness has ended in the order of their records, if the witness is in `witnesses` |
//! | `pairs` | two players of a game that counts among their rated ones | the same |
//! | `accounts` | account that has such a game | its last row of `ratings` |
//! | `witnesses` | witness whose games are rated | the choice of the host that writes |

use crate::url::Backend;

/// The format: what the tables are and what is in them. Another one is another number.
pub const FORMAT: u32 = 11;

/// Tables that are emptied when the index is built anew, each with the columns of its key.
pub const TABLES: [(&str, &str); 9] = [
    ("blocks", "number"),
    ("gaps", "first"),
    ("events", "block, place"),
    ("games", "line, number"),
    ("seats", "line, number, seat"),
    ("contradictions", "witness, block, place"),
    ("ratings", "league, account, block, place"),
    ("pairs", "league, one, two, block, place"),
    ("accounts", "league, account"),
];

/// Statements that make the tables. `{text}` is a text that is compared byte by byte, `{bytes}` is
/// bytes.
const STATEMENTS: &[&str] = &[
    "CREATE TABLE meta (name {text} PRIMARY KEY, value {text} NOT NULL)",
    "CREATE TABLE blocks (
        number BIGINT PRIMARY KEY,
        hash {text} NOT NULL,
        time BIGINT,
        has_events BIGINT NOT NULL,
        is_final BIGINT NOT NULL)",
    "CREATE INDEX blocks_empty ON blocks (number) WHERE has_events = 0",
    "CREATE INDEX blocks_not_final ON blocks (number) WHERE is_final = 0",
    "CREATE TABLE gaps (
        first BIGINT PRIMARY KEY,
        last BIGINT NOT NULL,
        since BIGINT,
        until BIGINT)",
    "CREATE TABLE events (
        block BIGINT NOT NULL,
        place BIGINT NOT NULL,
        transaction_index BIGINT NOT NULL,
        fee {text},
        payer {text},
        contract {text} NOT NULL,
        line BIGINT,
        game BIGINT,
        topic {bytes} NOT NULL,
        data {bytes} NOT NULL,
        PRIMARY KEY (block, place))",
    "CREATE INDEX events_of_game ON events (line, game, block, place)",
    "CREATE TABLE games (
        line BIGINT NOT NULL,
        number BIGINT NOT NULL,
        shown {text} NOT NULL,
        kind {text} NOT NULL,
        contract {text} NOT NULL,
        board {text} NOT NULL,
        variant {text},
        players {text} NOT NULL,
        clock_bank BIGINT,
        clock_increment BIGINT,
        move_limit BIGINT,
        started_block BIGINT NOT NULL,
        started_time BIGINT,
        moved_time BIGINT,
        plies BIGINT NOT NULL,
        moves {text} NOT NULL,
        deadline BIGINT,
        to_move BIGINT,
        ended_block BIGINT,
        ended_time BIGINT,
        ended_how {text},
        winner {text},
        freed BIGINT NOT NULL,
        digest {text},
        pool BIGINT,
        pie_rule BIGINT,
        programs BIGINT,
        recorded_by {text},
        witness {text},
        event {text},
        follows {text},
        at BIGINT,
        uncounted {text},
        PRIMARY KEY (line, number))",
    "CREATE INDEX games_by_start ON games (started_block, line, number)",
    "CREATE INDEX games_open ON games (coalesce(moved_time, 0), line, number)
        WHERE ended_block IS NULL",
    "CREATE INDEX games_by_digest ON games (digest) WHERE digest IS NOT NULL",
    "CREATE INDEX games_by_pool ON games (line, pool, number) WHERE pool IS NOT NULL",
    "CREATE INDEX games_by_witness ON games (witness, pool) WHERE witness IS NOT NULL",
    "CREATE TABLE seats (
        line BIGINT NOT NULL,
        number BIGINT NOT NULL,
        seat BIGINT NOT NULL,
        account {text} NOT NULL,
        kind {text} NOT NULL,
        board {text} NOT NULL,
        started_block BIGINT NOT NULL,
        is_open BIGINT NOT NULL,
        result {text},
        counts BIGINT NOT NULL,
        PRIMARY KEY (line, number, seat))",
    "CREATE INDEX seats_of_account ON seats (account, started_block, line, number)",
    "CREATE INDEX seats_open ON seats (account, line, number) WHERE is_open = 1",
    "CREATE TABLE contradictions (
        witness {text} NOT NULL,
        block BIGINT NOT NULL,
        place BIGINT NOT NULL,
        game {text} NOT NULL,
        PRIMARY KEY (witness, block, place))",
    "CREATE INDEX contradictions_by_game ON contradictions (game)",
    "CREATE INDEX contradictions_by_block ON contradictions (block)",
    "CREATE TABLE witnesses (witness {text} PRIMARY KEY)",
    "CREATE TABLE ratings (
        league {text} NOT NULL,
        account {text} NOT NULL,
        block BIGINT NOT NULL,
        place BIGINT NOT NULL,
        time BIGINT,
        line BIGINT NOT NULL,
        number BIGINT NOT NULL,
        unrated {text},
        wins BIGINT NOT NULL,
        draws BIGINT NOT NULL,
        losses BIGINT NOT NULL,
        rated BIGINT NOT NULL,
        rating DOUBLE PRECISION NOT NULL,
        program BIGINT NOT NULL,
        PRIMARY KEY (league, account, block, place))",
    "CREATE INDEX ratings_by_block ON ratings (block)",
    "CREATE TABLE pairs (
        league {text} NOT NULL,
        one {text} NOT NULL,
        two {text} NOT NULL,
        block BIGINT NOT NULL,
        place BIGINT NOT NULL,
        time BIGINT,
        PRIMARY KEY (league, one, two, block, place))",
    "CREATE INDEX pairs_by_time ON pairs (league, one, two, time)",
    "CREATE INDEX pairs_by_block ON pairs (block)",
    "CREATE TABLE accounts (
        league {text} NOT NULL,
        account {text} NOT NULL,
        wins BIGINT NOT NULL,
        draws BIGINT NOT NULL,
        losses BIGINT NOT NULL,
        rated BIGINT NOT NULL,
        rating DOUBLE PRECISION NOT NULL,
        program BIGINT NOT NULL,
        PRIMARY KEY (league, account))",
    "CREATE INDEX accounts_of_account ON accounts (account, league)",
    "CREATE INDEX accounts_by_rating ON accounts (league, rating DESC, wins DESC, account)",
];

/// The statements that make the tables in a database of this kind.
pub fn statements(backend: Backend) -> impl Iterator<Item = String> {
    let (text, bytes) = match backend {
        Backend::Sqlite => ("TEXT", "BLOB"),
        // A database may have another order of texts than that of their bytes.
        Backend::Postgres => ("TEXT COLLATE \"C\"", "BYTEA"),
    };
    STATEMENTS
        .iter()
        .map(move |statement| statement.replace("{text}", text).replace("{bytes}", bytes))
}

#[cfg(test)]
mod tests {
    use sqlx::{AnyConnection, Connection as _, Row as _};

    use super::*;
    use crate::sql;
    use crate::{ratings, writer};

    /// A fork of a few blocks has to be undone as fast in a long chain as in a short one.
    #[tokio::test]
    async fn sqlite_finds_what_a_fork_has_changed_by_the_numbers_of_blocks() {
        sqlx::any::install_default_drivers();
        let mut connection = AnyConnection::connect("sqlite::memory:").await.unwrap();
        for statement in statements(Backend::Sqlite) {
            sql::run(&mut connection, &statement, vec![]).await.unwrap();
        }
        for (query, wanted) in [
            (writer::GAMES_BEHIND, "SEARCH events"),
            (ratings::ACCOUNTS_FROM, "SEARCH ratings"),
        ] {
            let explained = format!("EXPLAIN QUERY PLAN {query}");
            let rows = sql::rows(&mut connection, &explained, vec![7_u32.into()]);
            for row in rows.await.unwrap() {
                let step: String = row.get("detail");
                assert!(
                    step.starts_with(wanted) && step.contains("(block>?)"),
                    "{step}"
                );
            }
        }
    }
}
