//! Transactions of a sponsor, each of which is on disk before it is sent.

use std::collections::HashMap;
use std::time::Duration;

use connect4_client::{Contracts, Error, KeptCall, Landed, Signer};
use tokio::time::sleep;

use super::queue::Waiting;
use super::state::{Sending, State};
use crate::calls::{List, record_call};

/// Pause before the chain is asked again for a transaction.
const AGAIN: Duration = Duration::from_millis(500);

pub struct Payer {
    pub contract: Contracts,
    pub signer: Signer,
}

/// What became of a transaction.
#[derive(Debug)]
pub enum Settled {
    /// It is in a final block.
    Landed(Box<Landed>),
    /// It can be in no block any more.
    Void,
    /// The node does not know any more what is in the blocks that could have it.
    Unknown,
}

impl Payer {
    /// Signs the record of these games, which fit into one call, of as many of the first as cost no more than `allowed`;
    /// none if not even one does. `urls` are those of the relays, which are asked for a signature on a list of ends.
    pub async fn sign(
        &self,
        games: &mut Vec<Waiting>,
        urls: &HashMap<u16, String>,
        allowed: u128,
    ) -> Result<Option<(KeptCall, List)>, Error> {
        while !games.is_empty() {
            let (kept, list) = self.keep(games, urls).await?;
            if kept.most <= allowed {
                return Ok(Some((kept, list)));
            }
            // Nearly as many as there is money for; what a call costs by itself makes it a few too many.
            let count = games.len() as u128;
            let fit = count * allowed / kept.most.max(1);
            games.truncate(usize::try_from(fit).unwrap_or(0).min(games.len() - 1));
        }
        Ok(None)
    }

    async fn keep(
        &self,
        games: &[Waiting],
        urls: &HashMap<u16, String>,
    ) -> Result<(KeptCall, List), Error> {
        let mut relays = Vec::new();
        for url in games
            .iter()
            .filter_map(|game| urls.get(&game.payees.relay()))
        {
            if !relays.contains(&url.as_str()) {
                relays.push(url.as_str());
            }
        }
        let games: Vec<_> = games
            .iter()
            .map(|waiting| waiting.checked.finished)
            .collect();
        let (message, list) = record_call(&self.contract, &games, &relays).await?;
        let kept = self.contract.keep(&self.signer, &message).await?;
        Ok((kept, list))
    }

    /// Sends the transaction that is kept until it is in a final block, or can be in none.
    pub async fn settle(&self, state: &mut State) -> Result<Option<Settled>, Error> {
        loop {
            let Some(Sending {
                extrinsic,
                from,
                until,
                ..
            }) = state.sending().cloned()
            else {
                return Ok(None);
            };
            let hash = state.sending().map(Sending::hash).unwrap_or_default();
            let search = match self.contract.search(hash, from).await {
                Ok(search) => search,
                // The states of old blocks may be gone.
                Err(error) => {
                    let last_final = self.contract.client().final_height().await?;
                    if last_final > until.saturating_add(1) {
                        return Ok(Some(Settled::Unknown));
                    }
                    return Err(error);
                }
            };
            match search.found {
                Some(landed) if landed.transaction.block <= search.last_final => {
                    return Ok(Some(Settled::Landed(Box::new(landed))));
                }
                // It is final soon, or its block is replaced.
                Some(_) => {}
                None => {
                    let next = search.next.min(search.last_final.saturating_add(1));
                    state.searched(next);
                    if next > until {
                        return Ok(Some(Settled::Void));
                    }
                    if next > search.last_final {
                        // The node may have it already, or refuse it for now: blocks tell what becomes of it.
                        let _ = self.contract.client().pass_on(&extrinsic).await;
                    } else {
                        continue;
                    }
                }
            }
            sleep(AGAIN).await;
        }
    }
}
