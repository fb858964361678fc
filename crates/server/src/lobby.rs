//! The lobby, read whenever it may have changed: the newest games, the open challenges and tables.

use std::collections::HashMap;
use std::sync::Arc;

use connect4_client::{Contract, Error};

use crate::link::Connected;
use crate::variant::VariantLobby;
use crate::view;
use crate::wire::{Challenge, ListedGame, Live};

/// Games in the lobby, at most.
const GAMES: u32 = 50;
/// Open challenges in the lobby, at most.
const CHALLENGES: usize = 20;

/// What was read of the lobby on one connection.
#[derive(Default)]
pub struct Lobby {
    /// The games that have ended, which change no more.
    ended: HashMap<u32, ListedGame>,
    variants: VariantLobby,
}

impl Lobby {
    /// What there is to see.
    pub async fn look(&mut self, at: &Connected) -> Result<Arc<Live>, Error> {
        let (count, games, challenges) = match at.contract() {
            Some(contract) => {
                let count = contract.game_count().await?;
                let games = self.newest(&contract, count).await?;
                (count, games, open_challenges(&contract).await?)
            }
            None => (0, Vec::new(), Vec::new()),
        };
        let variants = match at.variants() {
            Some(variants) => self.variants.look(&variants).await?,
            None => Default::default(),
        };
        Ok(Arc::new(Live::Games {
            count,
            games,
            challenges,
            variant_count: variants.count,
            variants: variants.games,
            tables: variants.tables,
        }))
    }

    async fn newest(&mut self, contract: &Contract, count: u32) -> Result<Vec<ListedGame>, Error> {
        let mut games = Vec::new();
        for number in (count.saturating_sub(GAMES)..count).rev() {
            if let Some(known) = self.ended.get(&number) {
                games.push(known.clone());
                continue;
            }
            let game = contract.game(number).await?;
            let listed = view::listed(number, contract.address(), game.as_ref());
            if game.is_none_or(|game| game.is_over()) {
                self.ended.insert(number, listed.clone());
            }
            games.push(listed);
        }
        Ok(games)
    }
}

async fn open_challenges(contract: &Contract) -> Result<Vec<Challenge>, Error> {
    if !contract.has_matches() {
        return Ok(Vec::new());
    }
    let token = contract.client().token();
    let open = contract.open_challenges(CHALLENGES).await?;
    Ok(open
        .iter()
        .map(|(number, challenge)| Challenge::new(*number, challenge, token))
        .collect())
}
