//! The lobby, read whenever it may have changed: the newest games, the open challenges and tables.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use connect4_client::{Address, Contracts, Error, GameId, Owing};
use connect4_protocol::message::ContractKind;
use connect4_protocol::{AnyGame, Challenge, Game};
use connect4_wire::warnings::warnings_of;
use connect4_wire::{ListedGame, Lists, Live, OpenChallenge, OpenChallenges, Owed};

use crate::link::Connected;
use crate::view;

/// Games of each kind in the lobby, at most.
const GAMES: u32 = 50;
/// Open tables in the lobby, at most.
const TABLES: usize = 20;
/// Open challenges that are told at a time, at most.
const CHALLENGES: usize = 20;

/// What was read of the lobby on one connection.
#[derive(Default)]
pub struct Lobby {
    /// The games that have ended, which change no more.
    ended: HashMap<GameId, ListedGame>,
    /// Those of them that may wait to be settled.
    unsettled: BTreeMap<GameId, Game>,
    /// The time between two blocks, once it was asked for.
    block_time: Option<Option<Duration>>,
}

impl Lobby {
    /// What there is to see, and what these accounts are owed.
    pub async fn look(&mut self, at: &Connected, accounts: &[Address]) -> Result<Arc<Live>, Error> {
        let mut lists = Lists::default();
        if let Some(contract) = at.contract() {
            // Before the games: a challenge that is not open any more has its game in the list.
            let open = self.open_challenges(&contract).await?;
            lists.counts.classic = contract.game_count(ContractKind::Games).await?;
            let classic = lists.counts.classic;
            for id in newest(classic).map(GameId::Classic) {
                lists.games.push(self.game(&contract, id).await?);
            }
            lists.owed = self.owed(&contract, accounts).await?;
            lists.challenges = open.challenges;
            lists.older_challenges = open.older_challenges;
        }
        if let Some(variants) = at.variants() {
            let count = variants.game_count(ContractKind::Variants).await?;
            lists.counts.variant = count;
            for (number, game) in variants.open_tables(TABLES).await? {
                let (id, address) = (GameId::Variant(number), variants.address());
                lists
                    .tables
                    .push(view::listed(id, address, Some(&game.into())));
            }
            for id in newest(count).map(GameId::Variant) {
                let game = self.game(&variants, id).await?;
                // Open tables are listed above.
                lists.games.extend(Some(game).filter(|game| game.started));
            }
        }
        Ok(Arc::new(Live::Games(lists)))
    }

    /// A game or a table.
    async fn game(&mut self, contract: &Contracts, id: GameId) -> Result<ListedGame, Error> {
        if let Some(known) = self.ended.get(&id) {
            return Ok(known.clone());
        }
        let game = contract.game::<AnyGame>(id).await?;
        let listed = view::listed(id, contract.address(), game.as_ref());
        if listed.over {
            self.ended.insert(id, listed.clone());
            if let Some(AnyGame::Two(game)) = game {
                self.unsettled.insert(id, game);
            }
        }
        Ok(listed)
    }

    async fn open_challenges(&mut self, contract: &Contracts) -> Result<OpenChallenges, Error> {
        if !contract.has_matches() {
            return Ok(OpenChallenges::default());
        }
        let open = contract.open_challenges(None, CHALLENGES + 1).await?;
        if self.block_time.is_none() && !open.is_empty() {
            self.block_time = Some(contract.client().block_time().await);
        }
        Ok(listed(contract, &open, self.block_time.flatten()))
    }

    /// What accounts are owed: their credits, and what the games that are listed bring when they are
    /// settled.
    async fn owed(
        &mut self,
        contract: &Contracts,
        accounts: &[Address],
    ) -> Result<Vec<Owed>, Error> {
        let mut owing = Owing::new(contract, accounts.iter().copied());
        let mut left = BTreeMap::new();
        for (id, game) in &self.unsettled {
            if owing.count(*id, game).await? {
                left.insert(*id, *game);
            }
        }
        self.unsettled = left;
        let token = contract.client().token();
        let owed = owing.read().await?;
        Ok(owed.iter().map(|owed| Owed::new(owed, token)).collect())
    }
}

/// The numbers of the newest of so many games, the newest first.
fn newest(count: u32) -> impl Iterator<Item = u32> {
    (count.saturating_sub(GAMES)..count).rev()
}

/// Open challenges whose numbers are `newest` or below, as many as the lobby lists.
pub async fn older_challenges(contract: &Contracts, newest: u32) -> Result<OpenChallenges, Error> {
    let open = contract
        .open_challenges(Some(newest), CHALLENGES + 1)
        .await?;
    let block_time = contract.client().block_time().await;
    Ok(listed(contract, &open, block_time))
}

fn listed(
    contract: &Contracts,
    open: &[(u32, Challenge)],
    block_time: Option<Duration>,
) -> OpenChallenges {
    let token = contract.client().token();
    let shown = |(number, open): &(u32, Challenge)| {
        let warnings = warnings_of(open, block_time);
        OpenChallenge::new(*number, open, token, &warnings)
    };
    OpenChallenges {
        challenges: open.iter().take(CHALLENGES).map(shown).collect(),
        older_challenges: open.get(CHALLENGES).map(|(number, _)| *number),
    }
}
