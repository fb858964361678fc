//! Results and ratings, however they came about.

use std::collections::BTreeMap;

use connect4_client::Address;

use crate::finished::GameResult;

const FIRST_RATING: f64 = 1500.0;
/// Most by which one game changes a rating. The FIDE Rating Regulations (B022, 8.3.3) have 40 for new
/// players; most servers take 32.
const MOST_CHANGE: f64 = 32.0;

#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    pub account: Address,
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
    /// Number of games that have changed the rating.
    pub rated: u32,
    /// Elo rating; 1500 before the first game.
    pub rating: f64,
    /// Whether the account has said in the terms of any of these games that it is a program.
    pub program: bool,
}

impl Standing {
    /// The standing of an account before its first game.
    #[must_use]
    pub const fn new(account: Address) -> Self {
        Self {
            account,
            wins: 0,
            draws: 0,
            losses: 0,
            rated: 0,
            rating: FIRST_RATING,
            program: false,
        }
    }
}

/// Results and ratings of the accounts that have finished a game.
#[derive(Clone, Debug, Default)]
pub(super) struct Table(BTreeMap<Address, Standing>);

impl Table {
    /// Counts a game of two or more players. If it does not count in full, only who lost it has a
    /// result. Ratings change if it is rated, those of players who have a result.
    pub(super) fn count(
        &mut self,
        players: &[(Address, GameResult)],
        in_full: bool,
        is_rated: bool,
    ) {
        let before: Vec<f64> = players
            .iter()
            .map(|(account, _)| self.of(*account).rating)
            .collect();
        // Each game is as many duels as a player has opponents, and the mean of them counts.
        let opponents = players.len().saturating_sub(1).max(1) as f64;
        for ((account, result), own) in players.iter().zip(&before) {
            let others = players.iter().zip(&before);
            let others = others.filter(|((other, _), _)| other != account);
            let change: f64 = others
                .filter_map(|((_, other), rating)| {
                    let expected = 1.0 / (1.0 + 10_f64.powf((rating - own) / 400.0));
                    Some(MOST_CHANGE * (result.score_against(*other)? - expected) / opponents)
                })
                .sum();
            let standing = self.of(*account);
            match result {
                GameResult::Won => standing.wins += u32::from(in_full),
                GameResult::Drawn => standing.draws += u32::from(in_full),
                GameResult::Lost => standing.losses += 1,
            }
            if is_rated && (in_full || *result == GameResult::Lost) {
                standing.rated += 1;
                standing.rating += change;
            }
        }
    }

    pub(super) fn mark_programs(&mut self, accounts: &[Address]) {
        for account in accounts {
            self.of(*account).program = true;
        }
    }

    fn of(&mut self, account: Address) -> &mut Standing {
        self.0
            .entry(account)
            .or_insert_with(|| Standing::new(account))
    }

    pub(super) fn set(&mut self, standing: Standing) {
        self.0.insert(standing.account, standing);
    }

    /// The standing of an account; none before its first game.
    pub(super) fn get(&self, account: &Address) -> Option<&Standing> {
        self.0.get(account)
    }

    /// The standings, the highest rating first.
    pub(super) fn sorted(self) -> Vec<Standing> {
        let mut table: Vec<Standing> = self.0.into_values().collect();
        table.sort_by(|a, b| {
            b.rating
                .total_cmp(&a.rating)
                .then(b.wins.cmp(&a.wins))
                .then(a.account.cmp(&b.account))
        });
        table
    }
}
