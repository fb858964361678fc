//! A node that makes blocks alone, for development. Each block is final at once.

use std::{
    future::Future,
    pin::Pin,
    str::FromStr,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use futures::StreamExt;
use polkadot_sdk::*;
use sc_basic_authorship::ProposerFactory;
use sc_consensus_aura::find_pre_digest;
use sc_consensus_manual_seal::{
    EngineCommand, InstantSealParams, ManualSealParams,
    consensus::aura::AuraConsensusDataProvider as Slots,
};
use sp_blockchain::HeaderBackend;
use sp_consensus_aura::{SlotDuration, sr25519::AuthoritySignature};
use sp_timestamp::{InherentDataProvider, Timestamp};

use crate::{
    declared::Block,
    parts::{Chooser, Client, Pool},
};

/// When a block is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seal {
    /// When there is a transaction.
    Instant,
    /// So often, with transactions or without.
    Every(Duration),
}

impl FromStr for Seal {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "instant" {
            return Ok(Self::Instant);
        }
        match text.parse() {
            Ok(0) | Err(_) => Err("say instant, or a number of milliseconds".to_owned()),
            Ok(millis) => Ok(Self::Every(Duration::from_millis(millis))),
        }
    }
}

/// What making blocks needs.
pub struct Parts {
    pub client: Arc<Client>,
    pub pool: Arc<Pool>,
    pub select_chain: Chooser,
    pub proposer: ProposerFactory<Pool, Client>,
    pub slot: SlotDuration,
}

/// Makes blocks for ever.
pub fn run(seal: Seal, parts: Parts) -> Pin<Box<dyn Future<Output = ()> + Send>> {
    let Parts {
        client,
        pool,
        select_chain,
        proposer: env,
        slot,
    } = parts;
    let slots = Slots::new_with_slot_duration(slot);
    let clock = Arc::new(Clock::new(&client, slot));
    let create_inherent_data_providers = move |_, ()| {
        let clock = clock.clone();
        async move { Ok(InherentDataProvider::new(clock.next())) }
    };
    match seal {
        Seal::Instant => Box::pin(sc_consensus_manual_seal::run_instant_seal_and_finalize(
            InstantSealParams {
                block_import: client.clone(),
                env,
                client,
                pool,
                select_chain,
                consensus_data_provider: Some(Box::new(slots)),
                create_inherent_data_providers,
            },
        )),
        Seal::Every(period) => {
            let commands = futures::stream::unfold((), move |()| async move {
                futures_timer::Delay::new(period).await;
                Some((
                    EngineCommand::SealNewBlock {
                        create_empty: true,
                        finalize: true,
                        parent_hash: None,
                        sender: None,
                    },
                    (),
                ))
            });
            Box::pin(sc_consensus_manual_seal::run_manual_seal(
                ManualSealParams {
                    block_import: client.clone(),
                    env,
                    client,
                    pool,
                    select_chain,
                    commands_stream: commands.boxed(),
                    consensus_data_provider: Some(Box::new(slots)),
                    create_inherent_data_providers,
                },
            ))
        }
    }
}

/// The time of blocks: the machine's, but each block is in a later slot than the one before.
struct Clock {
    /// The time of the latest block, in milliseconds since 1970.
    latest: AtomicU64,
    slot: u64,
}

impl Clock {
    /// Goes on from the latest block of the chain, whose time may be later than the machine's.
    fn new(client: &Client, slot: SlotDuration) -> Self {
        let slot = slot.as_millis();
        let latest = client
            .header(client.info().best_hash)
            .ok()
            .flatten()
            .and_then(|header| find_pre_digest::<Block, AuthoritySignature>(&header).ok())
            .map_or(0, |latest| *latest * slot);
        Self {
            latest: AtomicU64::new(latest),
            slot,
        }
    }

    fn next(&self) -> Timestamp {
        let now = Timestamp::current().as_millis();
        let time = now.max(self.latest.load(Ordering::Relaxed) + self.slot);
        self.latest.store(time, Ordering::Relaxed);
        Timestamp::new(time)
    }
}
