//! The versions of the chain's runtime: the one that executes the next transaction, and those that
//! made the blocks of the past.
//!
//! subxt follows upgrades once their block is final. Transactions are executed on the best block, and
//! finality may stall: so the version and the metadata of the best block are used here as soon as the
//! node tells them, and undone with the upgrade's block. What a block holds is decoded by the
//! metadata of the runtime that made it, which is the one in the state after its parent.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use codec::{Decode, Encode};
use frame_metadata::RuntimeMetadataPrefixed;
use merkleized_metadata::{ExtraInfo, generate_metadata_digest};
use subxt::backend::legacy::{LegacyBackend, LegacyRpcMethods};
use subxt::client::RuntimeVersion;
use subxt::ext::subxt_rpcs;
use subxt::metadata::Metadata;
use subxt::utils::H256;
use subxt::{OnlineClient, PolkadotConfig};

use crate::chain::known::Runtime;
use crate::chain::token::Token;
use crate::chain::versions::Versions;

/// Versions of the metadata's format that are understood, the best one first. The hash of the metadata is that of
/// format 15. Format 16 lists several versions of the transactions' extensions, of which those of version 0 are signed
/// here, the only ones in format 15.
const FORMATS: [u32; 2] = [15, 16];

type Api = OnlineClient<PolkadotConfig>;

/// A runtime as the node describes it.
pub(crate) struct Described {
    pub(crate) metadata: Metadata,
    /// The metadata as the node has sent them; none in a format older than [`FORMATS`].
    bytes: Option<Vec<u8>>,
    /// Their hash, once it was asked for, and what of it they do not tell themselves.
    hash: OnceLock<Result<[u8; 32], String>>,
}

impl Described {
    fn new(metadata: Metadata, bytes: Option<Vec<u8>>) -> Arc<Self> {
        Arc::new(Self {
            metadata,
            bytes,
            hash: OnceLock::new(),
        })
    }

    /// Metadata in one of [`FORMATS`], as bytes.
    pub(crate) fn decode(bytes: Vec<u8>) -> Result<Arc<Self>, codec::Error> {
        let metadata = Metadata::decode(&mut &bytes[..])?;
        Ok(Self::new(metadata, Some(bytes)))
    }

    /// Hash of the metadata, by RFC 78 of the Polkadot fellowship. It covers all that a wallet shows of a transaction.
    ///
    /// # Errors
    ///
    /// In words, if the metadata have another format, or lack what the hash takes.
    pub(crate) fn hash(&self, runtime: &Runtime, token: &Token) -> Result<[u8; 32], String> {
        self.hash
            .get_or_init(|| self.digest(runtime, token))
            .clone()
    }

    fn digest(&self, runtime: &Runtime, token: &Token) -> Result<[u8; 32], String> {
        let bytes = self
            .bytes
            .as_ref()
            .ok_or("they have no hash in their format")?;
        let metadata = RuntimeMetadataPrefixed::decode(&mut &bytes[..]);
        let metadata = metadata.map_err(|error| error.to_string())?.1;
        let prefix = self
            .metadata
            .pallet_by_name("System")
            .and_then(|pallet| pallet.constant_by_name("SS58Prefix"))
            .and_then(|prefix| u16::decode(&mut prefix.value()).ok())
            .ok_or("they have no prefix of accounts")?;
        let extra = ExtraInfo {
            spec_version: runtime.version,
            spec_name: runtime.name.clone(),
            base58_prefix: prefix,
            decimals: u8::try_from(token.decimals).map_err(|error| error.to_string())?,
            token_symbol: token.symbol.clone(),
        };
        Ok(generate_metadata_digest(&metadata, extra)?.hash())
    }
}

/// The runtimes of a chain.
pub(crate) struct Runtimes {
    /// With the runtime of the best block.
    current: Api,
    backend: Arc<LegacyBackend<PolkadotConfig>>,
    rpc: LegacyRpcMethods<PolkadotConfig>,
    /// By the version of the runtime.
    apis: Mutex<HashMap<u32, (Api, Arc<Described>)>>,
    /// The metadata of the runtime of the best block.
    best: Mutex<Arc<Described>>,
    /// Locked while a version is looked up, so that many blocks at once need no more requests.
    versions: tokio::sync::Mutex<Versions>,
}

impl Runtimes {
    /// Asks a node for the runtime of the best block.
    pub(crate) async fn of(
        backend: Arc<LegacyBackend<PolkadotConfig>>,
        rpc: LegacyRpcMethods<PolkadotConfig>,
    ) -> Result<Self, subxt::Error> {
        let genesis = rpc.genesis_hash().await?;
        let best = rpc.chain_get_block_hash(None).await?;
        let version = version_of(&rpc, best).await?;
        let described = metadata_of(&rpc, best).await?;
        let (metadata, of_backend) = (described.metadata.clone(), Arc::clone(&backend));
        let current = Api::from_backend_with(genesis, version, metadata, of_backend)?;
        // Of its own, as the runtime of the current one is exchanged.
        let (metadata, of_backend) = (described.metadata.clone(), Arc::clone(&backend));
        let known = Api::from_backend_with(genesis, version, metadata, of_backend)?;
        Ok(Self {
            current,
            apis: Mutex::new(HashMap::from([(
                version.spec_version,
                (known, Arc::clone(&described)),
            )])),
            best: Mutex::new(described),
            backend,
            rpc,
            versions: tokio::sync::Mutex::default(),
        })
    }

    /// The API whose runtime is always that of the best block.
    pub(crate) fn current(&self) -> Api {
        self.current.clone()
    }

    /// Uses the runtime of the best block from now on.
    pub(crate) async fn refresh(&self) -> Result<(), subxt::Error> {
        let best = self.rpc.chain_get_block_hash(None).await?;
        let version = version_of(&self.rpc, best).await?;
        let before = self.current.runtime_version();
        let (api, described) = self.api(version, best).await?;
        *self.best.lock().unwrap_or_else(PoisonError::into_inner) = described;
        self.current.set_metadata(api.metadata());
        self.current.set_runtime_version(version);
        if version.spec_version < before.spec_version {
            // The block of an upgrade was replaced.
            self.versions.lock().await.forget();
        }
        Ok(())
    }

    /// The runtime of the best block.
    pub(crate) fn best(&self) -> Arc<Described> {
        Arc::clone(&self.best.lock().unwrap_or_else(PoisonError::into_inner))
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
    async fn api(
        &self,
        version: RuntimeVersion,
        at: Option<H256>,
    ) -> Result<(Api, Arc<Described>), subxt::Error> {
        let spec = version.spec_version;
        let known = || self.apis.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known().get(&spec) {
            return Ok(found.clone());
        }
        let described = metadata_of(&self.rpc, at).await?;
        let genesis = self.current.genesis_hash();
        let backend = Arc::clone(&self.backend);
        let api = Api::from_backend_with(genesis, version, described.metadata.clone(), backend)?;
        let found = (api, described);
        known().insert(spec, found.clone());
        Ok(found)
    }

    /// The version of the runtime after a block; none if the node has dropped its state.
    async fn version(&self, block: H256) -> Result<Option<RuntimeVersion>, subxt::Error> {
        match version_of(&self.rpc, Some(block)).await {
            Ok(version) => Ok(Some(version)),
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
                if let Some((api, _)) = apis.get(&spec) {
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
            let (api, _) = self.api(version, Some(hash)).await?;
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

/// The version of the runtime after a block; without one, of the best block.
async fn version_of(
    rpc: &LegacyRpcMethods<PolkadotConfig>,
    at: Option<H256>,
) -> Result<RuntimeVersion, subxt_rpcs::Error> {
    let version = rpc.state_get_runtime_version(at).await?;
    Ok(RuntimeVersion {
        spec_version: version.spec_version,
        transaction_version: version.transaction_version,
    })
}

/// The metadata of the runtime after a block, in the first of [`FORMATS`] that it has; else in the one of old nodes.
async fn metadata_of(
    rpc: &LegacyRpcMethods<PolkadotConfig>,
    at: Option<H256>,
) -> Result<Arc<Described>, subxt::Error> {
    const FUNCTION: &str = "Metadata_metadata_at_version";
    for format in FORMATS {
        let answer = rpc.state_call(FUNCTION, Some(&format.encode()), at).await;
        if let Ok(answer) = answer
            && let Some(metadata) = Option::<Vec<u8>>::decode(&mut &answer[..])?
        {
            return Ok(Described::decode(metadata)?);
        }
    }
    let metadata = rpc.state_get_metadata(at).await?.to_frame_metadata()?;
    Ok(Described::new(metadata.try_into()?, None))
}
