//! Standings, page by page.

use connect4_client::Standing;

use crate::database::Index;
use crate::error::Error;
use crate::league::League;
use crate::ratings::standing;
use crate::sql::{self, Value};

/// A page of the standings.
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
        let counted = sql::rows(&mut reader, count, vec![league.name().into()]).await?;
        let counted = counted.first().map(|row| sql::small(row, "n"));
        let query = "SELECT * FROM accounts WHERE league = $1
                     ORDER BY rating DESC, wins DESC, account LIMIT $2 OFFSET $3";
        let offset = i64::try_from(before).unwrap_or(i64::MAX);
        let values = vec![Value::from(league.name()), most.into(), offset.into()];
        let rows = sql::rows(&mut reader, query, values).await?;
        Ok(StandingsPage {
            accounts: counted.transpose()?.unwrap_or(0),
            before,
            rows: rows.iter().map(standing).collect::<Result<_, _>>()?,
        })
    }
}
