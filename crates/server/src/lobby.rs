//! The lobby, read whenever it may have changed: the newest games, the open challenges and tables.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use connect4_client::{Address, Contract, Error, Owing};
use connect4_protocol::{Challenge, Game, GameId};
use connect4_wire::warnings::warnings;
use connect4_wire::{ListedGame, Live, OpenChallenge, OpenChallenges, Owed};

use crate::link::Connected;
use crate::variant::VariantLobby;
use crate::view;

/// Games of each kind in the lobby, at most.
const GAMES: u32 = 50;
/// Open challenges that are told at a time, at most.
const CHALLENGES: usize = 20;

/// What was read of the lobby on one connection.
#[derive(Default)]
pub struct Lobby {
    /// The games that have ended, which change no more.
    ended: HashMap<u32, ListedGame>,
    /// Those of them that may wait to be settled.
    unsettled: BTreeMap<u32, Game>,
    variants: VariantLobby,
    /// The time between two blocks, once it was asked for.
    block_time: Option<Option<Duration>>,
}

impl Lobby {
    /// What there is to see, and what these accounts are owed.
    pub async fn look(&mut self, at: &Connected, accounts: &[Address]) -> Result<Arc<Live>, Error> {
        let ((count, fast_count), games, open, owed) = match at.contract() {
            Some(contract) => {
                // Before the games: a challenge that is not open any more has its game in the list.
                let open = self.open_challenges(&contract).await?;
                let count = contract.game_count().await?;
                let fast = contract.fast_game_count().await?;
                let mut games = self.newest(&contract, GameId::Fast, fast).await?;
                games.extend(self.newest(&contract, GameId::Classic, count).await?);
                let owed = self.owed(&contract, accounts).await?;
                ((count, fast), games, open, owed)
            }
            None => Default::default(),
        };
        let variants = match at.variants() {
            Some(variants) => self.variants.look(&variants).await?,
            None => Default::default(),
        };
        Ok(Arc::new(Live::Games {
            count,
            fast_count,
            games,
            challenges: open.challenges,
            older_challenges: open.older_challenges,
            owed,
            variant_count: variants.count,
            variants: variants.games,
            tables: variants.tables,
        }))
    }

    /// The newest games of a kind.
    async fn newest(
        &mut self,
        contract: &Contract,
        kind: fn(u32) -> GameId,
        count: u32,
    ) -> Result<Vec<ListedGame>, Error> {
        let mut games = Vec::new();
        for number in (count.saturating_sub(GAMES)..count).rev() {
            let number = kind(number).number();
            if let Some(known) = self.ended.get(&number) {
                games.push(known.clone());
                continue;
            }
            let game = contract.game(number).await?;
            let listed = view::listed(number, contract.address(), game.as_ref());
            if game.is_none_or(|game| game.is_over()) {
                self.ended.insert(number, listed.clone());
                self.unsettled.extend(game.map(|game| (number, game)));
            }
            games.push(listed);
        }
        Ok(games)
    }

    async fn open_challenges(&mut self, contract: &Contract) -> Result<OpenChallenges, Error> {
        if !contract.has_matches() {
            return Ok(OpenChallenges::default());
        }
        let open = contract.open_challenges(CHALLENGES + 1).await?;
        if self.block_time.is_none() && !open.is_empty() {
            self.block_time = Some(contract.client().block_time().await);
        }
        Ok(listed(contract, &open, self.block_time.flatten()))
    }

    /// What accounts are owed: their credits, and what the games that are listed bring when they are
    /// settled.
    async fn owed(
        &mut self,
        contract: &Contract,
        accounts: &[Address],
    ) -> Result<Vec<Owed>, Error> {
        let mut owing = Owing::new(contract, accounts.iter().copied());
        let mut left = BTreeMap::new();
        for (number, game) in &self.unsettled {
            if owing.count(*number, game).await? {
                left.insert(*number, *game);
            }
        }
        self.unsettled = left;
        let token = contract.client().token();
        let owed = owing.read().await?;
        Ok(owed.iter().map(|owed| Owed::new(owed, token)).collect())
    }
}

/// Open challenges whose numbers are `newest` or below, as many as the lobby lists.
pub async fn older_challenges(contract: &Contract, newest: u32) -> Result<OpenChallenges, Error> {
    let open = contract
        .open_challenges_from(Some(newest), CHALLENGES + 1)
        .await?;
    let block_time = contract.client().block_time().await;
    Ok(listed(contract, &open, block_time))
}

/// What the lobby lists of these challenges.
fn listed(
    contract: &Contract,
    open: &[(u32, Challenge)],
    block_time: Option<Duration>,
) -> OpenChallenges {
    let token = contract.client().token();
    let shown = |(number, open): &(u32, Challenge)| {
        let warnings = warnings(&open.terms, block_time);
        OpenChallenge::new(*number, open, token, &warnings)
    };
    OpenChallenges {
        challenges: open.iter().take(CHALLENGES).map(shown).collect(),
        older_challenges: open.get(CHALLENGES).map(|(number, _)| *number),
    }
}
