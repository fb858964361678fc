//! What accounts are owed on the contract of the matches.
//!
//! An account is owed its credit, and its shares of games that have ended and are not settled. The
//! credit belongs to the account, not to a game: it outlives the storage of the games that it is
//! from.

use connect4_protocol::{Address, Game, GameId, payout};
use connect4_rules::ByPlayer;

use crate::contracts::deployed::Contracts;
use crate::error::Error;

/// What an account is owed, in the unit in which a contract sees amounts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owed {
    /// The account.
    pub account: Address,
    /// Amount that the contract of the matches has credited to the account.
    pub credit: u128,
    /// Games that have ended and wait to be settled, each with the share of the account.
    pub unsettled: Vec<(GameId, u128)>,
}

impl Owed {
    /// All that the account is owed: what a withdrawal pays, which settles these games.
    #[must_use]
    pub fn total(&self) -> u128 {
        let shares = self.unsettled.iter().map(|(_, share)| *share);
        shares.fold(self.credit, u128::saturating_add)
    }

    /// Numbers of the games that a withdrawal has to settle.
    #[must_use]
    pub fn games(&self) -> Vec<u32> {
        self.unsettled.iter().map(|(id, _)| id.number()).collect()
    }
}

/// What some accounts are owed, counted while games are looked at.
#[derive(Clone, Debug)]
pub struct Owing<'a> {
    contract: &'a Contracts,
    accounts: Vec<Owed>,
}

impl<'a> Owing<'a> {
    /// Begins to count what these accounts are owed.
    pub fn new(contract: &'a Contracts, accounts: impl IntoIterator<Item = Address>) -> Self {
        let owed = |account| Owed {
            account,
            credit: 0,
            unsettled: Vec::new(),
        };
        Self {
            contract,
            accounts: accounts.into_iter().map(owed).collect(),
        }
    }

    /// Counts the shares of a game, if it has ended, waits to be settled, and one of the accounts
    /// plays it. Returns whether there were any.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached or its answer is not understood.
    pub async fn count(&mut self, id: GameId, game: &Game) -> Result<bool, Error> {
        let plays = |owed: &Owed| game.player_of(&owed.account).is_some();
        if !game.is_over() || !self.accounts.iter().any(plays) {
            return Ok(false);
        }
        let shares = self.contract.shares_of(id, game).await?;
        let mut any = false;
        for owed in &mut self.accounts {
            if let Some(player) = game.player_of(&owed.account)
                && shares[player] > 0
            {
                owed.unsettled.push((id, shares[player]));
                any = true;
            }
        }
        Ok(any)
    }

    /// Reads the credits, and returns what is owed to those accounts to which anything is.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached or its answer is not understood.
    pub async fn read(mut self) -> Result<Vec<Owed>, Error> {
        for owed in &mut self.accounts {
            owed.credit = self.contract.credit_of(owed.account).await?;
        }
        self.accounts.retain(|owed| owed.total() > 0);
        Ok(self.accounts)
    }
}

impl Contracts {
    /// Games that one withdrawal settles, at most, by this project's programs: a block has room for
    /// them.
    pub const MOST_SETTLED: usize = 20;

    /// What each player of a game is owed once the game is settled: nothing while it goes on, after it
    /// was settled, and if its storage was freed meanwhile, as it was settled then.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached or its answer is not understood.
    pub async fn shares_of(&self, id: GameId, game: &Game) -> Result<ByPlayer<u128>, Error> {
        if !game.is_over() {
            return Ok(ByPlayer::from_fn(|_| 0));
        }
        let pot = match self.match_of(id).await {
            Ok(of_match) => of_match.pot(),
            Err(Error::Refused { .. }) => 0,
            Err(error) => return Err(error),
        };
        Ok(payout(pot, game.winner()))
    }
}
