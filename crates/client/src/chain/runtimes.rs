//! The versions of the chain's runtime: the one that executes the next transaction, and those that
//! made the blocks of the past.
//!
//! subxt follows upgrades once their block is final. Transactions are executed on the best block, and
//! finality may stall: so the version and the metadata of the best block are used here as soon as the
//! node tells them, and undone with the upgrade's block. What a block holds is decoded by the
//! metadata of the runtime that made it, which is the one in the state after its parent.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use codec::{Decode, Encode};
use subxt::backend::legacy::{LegacyBackend, LegacyRpcMethods};
use subxt::client::RuntimeVersion;
use subxt::ext::subxt_rpcs;
use subxt::metadata::Metadata;
use subxt::utils::H256;
use subxt::{OnlineClient, PolkadotConfig};

use crate::chain::versions::Versions;

/// Versions of the metadata's format that are understood, the best one first.
const FORMATS: [u32; 2] = [16, 15];

type Api = OnlineClient<PolkadotConfig>;

/// The runtimes of a chain.
pub(crate) struct Runtimes {
    /// With the runtime of the best block.
    current: Api,
    backend: Arc<LegacyBackend<PolkadotConfig>>,
    rpc: LegacyRpcMethods<PolkadotConfig>,
    /// By the version of the runtime.
    apis: Mutex<HashMap<u32, Api>>,
    /// Locked while a version is looked up, so that many blocks at once need no more requests.
    versions: tokio::sync::Mutex<Versions>,
}

impl Runtimes {
    /// `current` is given the runtime of the best block.
    pub(crate) async fn new(
        current: Api,
        backend: Arc<LegacyBackend<PolkadotConfig>>,
        rpc: LegacyRpcMethods<PolkadotConfig>,
    ) -> Result<Self, subxt::Error> {
        let runtimes = Self {
            current,
            backend,
            rpc,
            apis: Mutex::default(),
            versions: tokio::sync::Mutex::default(),
        };
        runtimes.refresh().await?;
        Ok(runtimes)
    }

    /// Uses the runtime of the best block from now on.
    pub(crate) async fn refresh(&self) -> Result<(), subxt::Error> {
        let best = self.rpc.chain_get_block_hash(None).await?;
        let version = self.rpc.state_get_runtime_version(best).await?;
        let version = RuntimeVersion {
            spec_version: version.spec_version,
            transaction_version: version.transaction_version,
        };
        let before = self.current.runtime_version();
        let api = self.api(version, best).await?;
        self.current.set_metadata(api.metadata());
        self.current.set_runtime_version(version);
        if version.spec_version < before.spec_version {
            // The block of an upgrade was replaced.
            self.versions.lock().await.forget();
        }
        Ok(())
    }

    /// Looks at the runtime of the best block, and at those of the past, again.
    pub(crate) async fn doubt(&self) -> Result<(), subxt::Error> {
        self.versions.lock().await.forget();
        self.refresh().await
    }

    /// Follows the runtime of the best block until the node is lost for good.
    pub(crate) async fn follow(&self) {
        while let Ok(mut versions) = self.rpc.state_subscribe_runtime_version().await {
            while let Some(version) = versions.next().await {
                match version {
                    Ok(version)
                        if version.spec_version == self.current.runtime_version().spec_version => {}
                    Ok(_) => {
                        // If it fails, a transaction that is refused looks again.
                        let _ = self.refresh().await;
                    }
                    Err(subxt_rpcs::Error::DisconnectedWillReconnect(_)) => {}
                    Err(_) => break,
                }
            }
        }
    }

    /// The API with the runtime of this version, which is in the state after block `at`.
    async fn api(&self, version: RuntimeVersion, at: Option<H256>) -> Result<Api, subxt::Error> {
        let spec = version.spec_version;
        let known = || self.apis.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(api) = known().get(&spec) {
            return Ok(api.clone());
        }
        let metadata = self.metadata(at).await?;
        let genesis = self.current.genesis_hash();
        let backend = Arc::clone(&self.backend);
        let api = Api::from_backend_with(genesis, version, metadata, backend)?;
        known().insert(spec, api.clone());
        Ok(api)
    }

    async fn metadata(&self, at: Option<H256>) -> Result<Metadata, subxt::Error> {
        const FUNCTION: &str = "Metadata_metadata_at_version";
        for format in FORMATS {
            let answer = self
                .rpc
                .state_call(FUNCTION, Some(&format.encode()), at)
                .await;
            if let Ok(answer) = answer
                && let Some(metadata) = Option::<Vec<u8>>::decode(&mut &answer[..])?
            {
                return Ok(Metadata::decode(&mut &metadata[..])?);
            }
        }
        let metadata = self.rpc.state_get_metadata(at).await?.to_frame_metadata()?;
        Ok(metadata.try_into()?)
    }

    /// The version of the runtime after a block; none if the node has dropped its state.
    async fn version(&self, block: H256) -> Result<Option<RuntimeVersion>, subxt::Error> {
        match self.rpc.state_get_runtime_version(Some(block)).await {
            Ok(version) => Ok(Some(RuntimeVersion {
                spec_version: version.spec_version,
                transaction_version: version.transaction_version,
            })),
            Err(subxt_rpcs::Error::User(_)) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    async fn hash(&self, number: u32) -> Result<Option<H256>, subxt::Error> {
        let number = subxt_rpcs::methods::legacy::NumberOrHex::Number(number.into());
        Ok(self.rpc.chain_get_block_hash(Some(number)).await?)
    }

    /// The API with the runtime that is in the state after the block with this number; none if the
    /// node has dropped the state.
    async fn after(&self, number: u32) -> Result<Option<Api>, subxt::Error> {
        let mut versions = self.versions.lock().await;
        let mut best = None;
        loop {
            let current = self.current.runtime_version().spec_version;
            let known = versions.after(number, current);
            if let Some(spec) = known {
                let apis = self.apis.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(api) = apis.get(&spec) {
                    return Ok(Some(api.clone()));
                }
            }
            let height = match best {
                Some(height) => height,
                None => {
                    let header = self.rpc.chain_get_header(None).await?;
                    *best.insert(header.map_or(number, |header| header.number))
                }
            };
            // A version whose metadata is not there yet is looked at where it is needed.
            let wanted = match known {
                Some(_) => number,
                None => versions.wanted(number, height),
            };
            let Some(hash) = self.hash(wanted).await? else {
                return Ok(None);
            };
            let Some(version) = self.version(hash).await? else {
                if wanted == number {
                    return Ok(None);
                }
                versions.dropped(wanted);
                continue;
            };
            versions.learn(wanted, version.spec_version);
            let is_wanted = wanted == number;
            // Fetches the metadata while a block with that version is at hand.
            let api = self.api(version, Some(hash)).await?;
            if is_wanted {
                return Ok(Some(api));
            }
        }
    }

    /// The API with the runtime that made a block.
    pub(crate) async fn that_made(&self, number: u32) -> Result<Api, subxt::Error> {
        if let Some(api) = self.after(number.saturating_sub(1)).await? {
            return Ok(api);
        }
        // The first block with a state: only if the runtime was upgraded in it, this is another one.
        let api = self.after(number).await?;
        Ok(api.unwrap_or_else(|| self.current.clone()))
    }
}
