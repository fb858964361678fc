//! Connecting to a chain.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use subxt::backend::legacy::{LegacyBackend, LegacyRpcMethods};
use subxt::backend::rpc::RpcClient;
use subxt::ext::subxt_rpcs::methods::legacy::SystemProperties;
use subxt::{OnlineClient, PolkadotConfig};

use crate::chain::client::{Client, PALLET, Shared};
use crate::chain::form::returns_deposits;
use crate::chain::line::{Line, Route};
use crate::chain::recent::Recent;
use crate::chain::runtime_api::{API, Function};
use crate::chain::runtimes::Runtimes;
use crate::chain::said::{MOST_OF_NAME, MOST_OF_SYMBOL, said};
use crate::chain::search;
use crate::chain::token::Token;
use crate::chain::value;
use crate::contracts::skipped::Skipped;
use crate::error::Error;
use crate::failure::innermost;

/// How long connecting may take, with the first requests.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(20);
/// Number of decimals of a token in the unit of contracts, on chains that do not say it.
const CONTRACT_DECIMALS: u32 = 18;
/// Most decimals of a token: one token of more would not be a `u128`.
const MOST_DECIMALS: u32 = 38;

impl Client {
    /// Connects to a node by its WebSocket URL, `ws://host:port` or `wss://host`.
    ///
    /// # Errors
    ///
    /// [`Error::Connect`] if no chain answers there, then [`Error::NotRevive`] if the chain runs no
    /// contracts.
    pub async fn connect(url: &str) -> Result<Self, Error> {
        let failed = |reason: String| Error::Connect {
            url: url.into(),
            reason,
        };
        if !url.starts_with("ws://") && !url.starts_with("wss://") {
            return Err(failed(
                "the address has to start with ws:// or wss://".into(),
            ));
        }
        Self::connect_by(url.to_owned()).await
    }

    /// Connects to a node by a route, which may lead elsewhere when the connection is made again.
    ///
    /// # Errors
    ///
    /// Those of [`Client::connect`].
    pub async fn connect_by(route: impl Route) -> Result<Self, Error> {
        let url = route.url().await.map_err(|reason| Error::Connect {
            url: "the chain".into(),
            reason,
        })?;
        let failed = |reason: String| Error::Connect {
            url: url.clone(),
            reason,
        };
        let connecting = async {
            let line = Line::open(route).await?;
            let rpc = RpcClient::new(line.clone());
            let described = async {
                let backend = Arc::new(LegacyBackend::builder().build(rpc.clone()));
                let rpc = LegacyRpcMethods::<PolkadotConfig>::new(rpc);
                let runtimes = Runtimes::of(backend, rpc.clone()).await?;
                let properties = rpc.system_properties().await?;
                let chain = rpc.system_chain().await?;
                Ok::<_, subxt::Error>((runtimes, rpc, properties, chain))
            };
            let described = described.await.map_err(|error| innermost(&error))?;
            Ok((line, described))
        };
        let (line, (runtimes, rpc, properties, chain)) =
            tokio::time::timeout(CONNECT_TIMEOUT, connecting)
                .await
                .map_err(|_| {
                    failed(format!(
                        "no response in {} seconds",
                        CONNECT_TIMEOUT.as_secs()
                    ))
                })?
                .map_err(failed)?;
        let api = runtimes.current();
        check_revive(&api, &url)?;
        let token = token(&api, &properties);
        // The chain may upgrade its runtime during a game.
        let runtimes = Arc::new(runtimes);
        let followed = Arc::clone(&runtimes);
        let updater = tokio::spawn(async move { followed.follow().await }).abort_handle();
        Ok(Self::new(Shared {
            url,
            line,
            api,
            runtimes,
            skipped: Skipped::default(),
            recent: Recent::new(16),
            // Blocks that were replaced or have grown old take places, too.
            bodies: Recent::new(2 * search::KEPT),
            block_time: Mutex::default(),
            rpc,
            token,
            chain: Some(said(&chain, MOST_OF_NAME))
                .filter(|name| !name.is_empty())
                .unwrap_or_else(|| "a chain without a name".into()),
            submitting: tokio::sync::Mutex::new(()),
            updater,
        }))
    }
}

/// Checks that the chain's runtime has what running contracts takes.
fn check_revive(api: &OnlineClient<PolkadotConfig>, url: &str) -> Result<(), Error> {
    let metadata = api.metadata();
    let missing = |missing: &str| Error::NotRevive {
        url: url.into(),
        missing: missing.into(),
    };
    let pallet = metadata
        .pallet_by_name(PALLET)
        .ok_or_else(|| missing("pallet-revive"))?;
    for call in ["call", "instantiate_with_code"] {
        if pallet.call_variant_by_name(call).is_none() {
            return Err(missing(&format!("call {PALLET}.{call}")));
        }
    }
    let api = metadata
        .runtime_api_trait_by_name(API)
        .ok_or_else(|| missing(API))?;
    for method in ["call", "instantiate"] {
        if Function::find(&api, metadata.types(), method).is_none() {
            return Err(missing(&format!("runtime API {API}_{method}")));
        }
    }
    Ok(())
}

/// The chain's token, by its properties and the pallet's constants.
fn token(api: &OnlineClient<PolkadotConfig>, properties: &SystemProperties) -> Token {
    let decimals = property(properties, "tokenDecimals")
        .and_then(|decimals| decimals.as_u64())
        .and_then(|decimals| u32::try_from(decimals).ok())
        .filter(|decimals| *decimals <= MOST_DECIMALS)
        .unwrap_or(0);
    let symbol = property(properties, "tokenSymbol")
        .and_then(|symbol| symbol.as_str())
        .map(|symbol| said(symbol, MOST_OF_SYMBOL))
        .filter(|symbol| !symbol.is_empty())
        .unwrap_or_else(|| "UNIT".into());
    let ratio = subxt::dynamic::constant(PALLET, "NativeToEthRatio");
    let ratio = api
        .constants()
        .at(&ratio)
        .ok()
        .and_then(|ratio| value::decoded(&ratio).ok())
        .and_then(|ratio| value::number(&ratio))
        .filter(|ratio| *ratio > 0)
        .or_else(|| 10_u128.checked_pow(CONTRACT_DECIMALS.saturating_sub(decimals)))
        .unwrap_or(1);
    Token {
        symbol,
        decimals,
        ratio,
        returns_deposits: returns_deposits(&api.metadata()),
    }
}

/// The value of a property; the first one on chains that have a list of values.
fn property<'a>(properties: &'a SystemProperties, name: &str) -> Option<&'a serde_json::Value> {
    let property = properties.get(name)?;
    match property.as_array() {
        Some(values) => values.first(),
        None => Some(property),
    }
}
