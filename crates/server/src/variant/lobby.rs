//! Variants in the lobby: the newest games, and the open tables.

use std::collections::HashMap;

use connect4_client::{Error, Variants};
use connect4_wire::{ListedVariant, StoredVariant};

use super::view;

/// Games in the lobby, at most.
const GAMES: u32 = 50;
/// Open tables in the lobby, at most.
const TABLES: usize = 20;

/// What was read of the lobby on one connection.
#[derive(Default)]
pub struct VariantLobby {
    /// The games that have ended, which change no more.
    ended: HashMap<u32, ListedVariant>,
}

/// What there is to see.
#[derive(Default)]
pub struct Listed {
    /// How many games and tables were numbered.
    pub count: u32,
    pub games: Vec<ListedVariant>,
    pub tables: Vec<StoredVariant>,
}

impl VariantLobby {
    /// What there is to see in a contract.
    pub async fn look(&mut self, variants: &Variants) -> Result<Listed, Error> {
        let count = variants.game_count().await?;
        let open = variants.newest_tables(TABLES).await?;
        Ok(Listed {
            count,
            games: self.newest(variants, count).await?,
            tables: open
                .iter()
                .map(|(number, game)| view::stored(*number, variants.address(), game))
                .collect(),
        })
    }

    async fn newest(
        &mut self,
        variants: &Variants,
        count: u32,
    ) -> Result<Vec<ListedVariant>, Error> {
        let mut games = Vec::new();
        for number in (count.saturating_sub(GAMES)..count).rev() {
            if let Some(known) = self.ended.get(&number) {
                games.push(known.clone());
                continue;
            }
            let game = variants.game(number).await?;
            if game.is_some_and(|game| !game.has_started()) {
                continue;
            }
            let listed = view::listed(number, variants.address(), game.as_ref());
            if game.is_none_or(|game| game.is_over()) {
                self.ended.insert(number, listed.clone());
            }
            games.push(listed);
        }
        Ok(games)
    }
}
