//! Accounts by the beginning of their address.

use connect4_client::Address;

use crate::database::Index;
use crate::error::Error;
use crate::sql::{self, Value};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    pub account: Address,
    /// Number of games that it has started.
    pub games: u64,
}

impl Index {
    /// Accounts that have played and whose address has this beginning, by their addresses. It is
    /// hexadecimal, with or without `0x`.
    ///
    /// # Errors
    ///
    /// If the database cannot be read.
    pub async fn accounts_beginning(&self, with: &str, most: u32) -> Result<Vec<Found>, Error> {
        let digits = with.strip_prefix("0x").unwrap_or(with).to_ascii_lowercase();
        if digits.len() > 40 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Ok(Vec::new());
        }
        let mut reader = self.reader().await?;
        let query = "SELECT account, count(*) AS n FROM seats
                     WHERE account >= $1 AND account <= $2
                     GROUP BY account ORDER BY account LIMIT $3";
        let first = format!("0x{digits}");
        // Behind all digits.
        let last = format!("{first}g");
        let values = vec![Value::from(first), last.into(), most.into()];
        let rows = sql::rows(&mut reader, query, values).await?;
        let found = rows.iter().map(|row| {
            Ok(Found {
                account: sql::parsed(row, "account")?,
                games: sql::small(row, "n")?,
            })
        });
        found.collect()
    }
}
