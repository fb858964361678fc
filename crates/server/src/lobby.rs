//! The lobby, read whenever it may have changed: the newest games and the open tables.

use std::collections::HashMap;
use std::sync::Arc;

use connect4_client::{Contracts, Error, GameId};
use connect4_protocol::AnyGame;
use connect4_protocol::message::ContractKind;
use connect4_wire::{ListedGame, Lists, Live};

use crate::link::Connected;
use crate::view;

/// Games of each kind in the lobby, at most.
const GAMES: u32 = 50;
/// Open tables in the lobby, at most.
const TABLES: usize = 20;

/// What was read of the lobby on one connection.
#[derive(Default)]
pub struct Lobby {
    /// The games that have ended, which change no more.
    ended: HashMap<GameId, ListedGame>,
}

impl Lobby {
    /// What there is to see.
    pub async fn look(&mut self, at: &Connected) -> Result<Arc<Live>, Error> {
        let mut lists = Lists::default();
        if let Some(contract) = at.contract() {
            lists.counts.classic = contract.game_count(ContractKind::Games).await?;
            for id in newest(lists.counts.classic).map(GameId::Classic) {
                lists.games.push(self.game(&contract, id).await?);
            }
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
        }
        Ok(listed)
    }
}

/// The numbers of the newest of so many games, the newest first.
fn newest(count: u32) -> impl Iterator<Item = u32> {
    (count.saturating_sub(GAMES)..count).rev()
}
