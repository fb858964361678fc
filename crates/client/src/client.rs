//! A connection to a chain with pallet-revive.

use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use subxt::backend::StreamOfResults;
use subxt::backend::legacy::{LegacyBackend, LegacyRpcMethods};
use subxt::backend::rpc::RpcClient;
use subxt::backend::rpc::reconnecting_rpc_client::{
    FixedInterval, RpcClient as ReconnectingRpcClient,
};
use subxt::blocks::{Block, ExtrinsicEvents};
use subxt::config::DefaultExtrinsicParamsBuilder;
use subxt::dynamic::{DecodedValue, Value};
use subxt::error::{DispatchError, RpcError};
use subxt::events::EventDetails;
use subxt::ext::scale_value::Composite;
use subxt::ext::subxt_rpcs;
use subxt::tx::TxStatus;
use subxt::utils::{AccountId32, H256};
use subxt::{OnlineClient, PolkadotConfig};

use crate::abi;
use crate::address::is_ethereum;
use crate::error::Error;
use crate::value;
use crate::{Address, Signer};

/// The pallet that runs contracts.
const PALLET: &str = "Revive";
/// Its runtime API.
const API: &str = "ReviveApi";
/// How long one may take to connect, and a single request to be answered.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(20);
/// How often a lost connection is tried again, and how long apart.
const RECONNECTS: usize = 10;
const RECONNECT_INTERVAL: Duration = Duration::from_millis(700);
/// How long a transaction may take to get where it is awaited.
const TRANSACTION_TIMEOUT: Duration = Duration::from_secs(180);
/// For how many blocks a transaction may be included after it was signed.
const MORTALITY: u64 = 64;
/// How often a transaction is signed again because others of the account overtook it.
const NONCE_ATTEMPTS: u32 = 8;
/// By what part a limit exceeds what the dry run used: the state may change in between. What is not
/// used is given back.
const MARGIN_DIVISOR: u64 = 4;
/// The salt of the contract's address. Fixed, so that deployer and code alone tell where it is.
const SALT: [u8; 32] = *b"connect4/contract/salt/fixed/v01";

/// When a transaction counts as done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wait {
    /// Once it is in the best block: after a block, but the chain may still take it back.
    #[default]
    Best,
    /// Once the block is final.
    Finalized,
}

/// The chain's token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// How it is called, as `DOT`.
    pub symbol: String,
    /// How many decimals it has: one token is ten to the power of this many of the smallest unit.
    pub decimals: u32,
}

impl Token {
    /// An amount, given in the smallest unit, in tokens: `0.0123 DOT`.
    #[must_use]
    pub fn amount(&self, amount: u128) -> String {
        let unit = 10_u128.saturating_pow(self.decimals);
        let whole = amount / unit;
        let rest = format!("{:0width$}", amount % unit, width = self.decimals as usize);
        let rest = rest.trim_end_matches('0');
        if rest.is_empty() || self.decimals == 0 {
            format!("{whole} {}", self.symbol)
        } else {
            format!("{whole}.{rest} {}", self.symbol)
        }
    }

    /// An amount in the smallest unit, read from tokens: `0.0123`, with or without the symbol.
    ///
    /// # Errors
    ///
    /// [`AmountError`] if it is no such number, has more decimals than the token, or is too large.
    pub fn parse(&self, text: &str) -> Result<u128, AmountError> {
        let error = || AmountError {
            text: text.into(),
            decimals: self.decimals,
        };
        let number = text.trim();
        let number = number
            .strip_suffix(&self.symbol)
            .unwrap_or(number)
            .trim_end();
        let (whole, rest) = number.split_once('.').unwrap_or((number, ""));
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let width = self.decimals as usize;
        if (whole.is_empty() && rest.is_empty())
            || !digits(whole)
            || !digits(rest)
            || rest.len() > width
        {
            return Err(error());
        }
        format!("{whole}{rest:0<width$}")
            .parse()
            .map_err(|_| error())
    }
}

/// Text that is no amount of the token.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is no amount: give tokens as 2 or 0.5, with at most {decimals} decimals")]
pub struct AmountError {
    text: String,
    decimals: u32,
}

/// The code of the two contracts, which are deployed together.
#[derive(Clone, Copy, Debug)]
pub struct Code<'a> {
    /// Of the contract of the games.
    pub games: &'a [u8],
    /// Of the contract of the matches, which deploys that.
    pub matches: &'a [u8],
}

impl Code<'_> {
    /// The input of the constructor: which games it is to deploy.
    fn constructor(&self) -> Vec<u8> {
        abi::constructor("new", sp_crypto_hashing::keccak_256(self.games))
    }
}

/// Where a transaction came to be, and what it cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transaction {
    /// The number of its block.
    pub block: u32,
    /// The hash of its block.
    pub block_hash: H256,
    /// Its own hash.
    pub hash: H256,
    /// Which transaction of the block it is, from 0.
    pub index: u32,
    /// The fee that was paid, in the smallest unit.
    pub fee: u128,
}

/// A transaction that did what it was for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt<T> {
    /// The transaction.
    pub transaction: Transaction,
    /// The deposit for storage that the dry run just before it told, in the smallest unit: it is
    /// held, not spent. Negative if one was given back.
    pub deposit: i128,
    /// What it returned.
    pub value: T,
    /// The transaction before it that made the account known to contracts, if that was needed. Its
    /// own deposit and fee come on top.
    pub mapped: Option<Transaction>,
}

impl<T> Receipt<T> {
    /// The same receipt with another value.
    #[must_use]
    pub fn map<U>(self, map: impl FnOnce(T) -> U) -> Receipt<U> {
        Receipt {
            transaction: self.transaction,
            deposit: self.deposit,
            value: map(self.value),
            mapped: self.mapped,
        }
    }

    /// The same receipt without what it returned.
    #[must_use]
    pub fn bare(self) -> Receipt<()> {
        self.map(|_| ())
    }
}

/// A call of a contract.
#[derive(Clone, Copy)]
pub(crate) struct Call<'a> {
    pub(crate) contract: Address,
    /// What is paid with it, in the chain's smallest unit.
    pub(crate) value: u128,
    pub(crate) input: &'a [u8],
}

/// What a call would do.
#[derive(Clone, Debug)]
pub(crate) struct DryRun {
    /// What it returned, and whether it reverted, or the error by name and explanation.
    pub(crate) result: Result<Returned, (String, String)>,
    ref_time: u64,
    proof_size: u64,
    deposit: i128,
    deposit_limit: u128,
}

/// What a contract returned.
#[derive(Clone, Debug)]
pub(crate) struct Returned {
    pub(crate) reverted: bool,
    pub(crate) data: Vec<u8>,
}

pub(crate) struct Included {
    pub(crate) transaction: Transaction,
    pub(crate) events: ExtrinsicEvents<PolkadotConfig>,
}

/// A connection to a chain. Cheap to clone; clones share the connection.
#[derive(Clone)]
pub struct Client {
    shared: Arc<Shared>,
    wait: Wait,
}

struct Shared {
    url: String,
    api: OnlineClient<PolkadotConfig>,
    rpc: LegacyRpcMethods<PolkadotConfig>,
    token: Token,
    ratio: u128,
    chain: String,
    // One transaction at a time from reading the nonce to being in the pool.
    submitting: tokio::sync::Mutex<()>,
    updater: tokio::task::AbortHandle,
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.updater.abort();
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("url", &self.shared.url)
            .field("wait", &self.wait)
            .finish_non_exhaustive()
    }
}

impl Client {
    /// Connects to a node by its WebSocket address, `ws://host:port` or `wss://host`.
    ///
    /// # Errors
    ///
    /// [`Error::Connect`] if no chain answers there, [`Error::NotRevive`] if it runs no contracts.
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
        let connecting = async {
            // The reconnecting client would try a wrong address again and again: ask once first.
            let first = RpcClient::from_insecure_url(url).await?;
            drop(first);
            let rpc = ReconnectingRpcClient::builder()
                .retry_policy(FixedInterval::new(RECONNECT_INTERVAL).take(RECONNECTS))
                .build(url)
                .await
                .map_err(|error| subxt_rpcs::Error::Client(Box::new(error)))?;
            let rpc = RpcClient::new(rpc);
            let backend = LegacyBackend::builder().build(rpc.clone());
            let api = OnlineClient::<PolkadotConfig>::from_backend(Arc::new(backend)).await?;
            let rpc = LegacyRpcMethods::<PolkadotConfig>::new(rpc);
            let properties = rpc.system_properties().await?;
            let chain = rpc.system_chain().await?;
            Ok::<_, subxt::Error>((api, rpc, properties, chain))
        };
        let (api, rpc, properties, chain) = tokio::time::timeout(CONNECT_TIMEOUT, connecting)
            .await
            .map_err(|_| {
                failed(format!(
                    "no answer in {} seconds",
                    CONNECT_TIMEOUT.as_secs()
                ))
            })?
            .map_err(|error| failed(innermost(&error)))?;

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
        let api_trait = metadata
            .runtime_api_trait_by_name(API)
            .ok_or_else(|| missing(API))?;
        for method in ["call", "instantiate"] {
            if api_trait.method_by_name(method).is_none() {
                return Err(missing(&format!("runtime API {API}_{method}")));
            }
        }
        let ratio = subxt::dynamic::constant(PALLET, "NativeToEthRatio");
        let ratio = api
            .constants()
            .at(&ratio)
            .ok()
            .and_then(|ratio| ratio.to_value().ok())
            .and_then(|ratio| value::number(&ratio))
            .filter(|ratio| *ratio > 0);
        let decimals = first(&properties, "tokenDecimals")
            .and_then(|decimals| decimals.as_u64())
            .and_then(|decimals| u32::try_from(decimals).ok())
            .unwrap_or(0);
        // Contracts count in units of which 10^18 make a token, if the chain does not say.
        let ratio = ratio
            .or_else(|| 10_u128.checked_pow(18_u32.saturating_sub(decimals)))
            .unwrap_or(1);
        // The chain may change its runtime while a game goes on.
        let updater = api.updater();
        let updater = tokio::spawn(async move {
            let _ = updater.perform_runtime_updates().await;
        })
        .abort_handle();
        Ok(Self {
            shared: Arc::new(Shared {
                url: url.into(),
                api,
                rpc,
                token: Token {
                    // Both are a value on some chains and a list of values on others.
                    symbol: first(&properties, "tokenSymbol")
                        .and_then(|symbol| symbol.as_str().map(str::to_owned))
                        .unwrap_or_else(|| "UNIT".into()),
                    decimals,
                },
                ratio,
                chain,
                submitting: tokio::sync::Mutex::new(()),
                updater,
            }),
            wait: Wait::Best,
        })
    }

    /// The same connection, whose transactions are awaited that long.
    #[must_use]
    pub fn waiting(mut self, wait: Wait) -> Self {
        self.wait = wait;
        self
    }

    /// The address it is connected to.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.shared.url
    }

    /// What the chain calls itself.
    #[must_use]
    pub fn chain(&self) -> &str {
        &self.shared.chain
    }

    /// The chain's token.
    #[must_use]
    pub fn token(&self) -> &Token {
        &self.shared.token
    }

    /// The hash of the chain's first block, by which chains are told apart.
    #[must_use]
    pub fn genesis(&self) -> H256 {
        self.shared.api.genesis_hash()
    }

    pub(crate) fn api(&self) -> &OnlineClient<PolkadotConfig> {
        &self.shared.api
    }

    /// What an account can spend, in the smallest unit; 0 if it does not exist.
    ///
    /// # Errors
    ///
    /// If the chain can't be reached or its answer is not understood.
    pub async fn balance(&self, account: &AccountId32) -> Result<u128, Error> {
        let what = "reading a balance";
        let key = vec![Value::from_bytes(account.0)];
        let info = self.storage(what, "System", "Account", key).await?;
        Ok(info
            .as_ref()
            .and_then(|info| value::find(info, "free"))
            .and_then(value::number)
            .unwrap_or(0))
    }

    /// Whether contracts know the account by its address. One that is not mapped can't call any.
    ///
    /// # Errors
    ///
    /// If the chain can't be reached or its answer is not understood.
    pub async fn is_mapped(&self, account: &AccountId32) -> Result<bool, Error> {
        let entry = "OriginalAccount";
        if is_ethereum(account) || !self.has_storage(entry) {
            return Ok(true);
        }
        let key = vec![Value::from_bytes(crate::address::of_account(account).0)];
        let what = "looking up an account";
        Ok(self.storage(what, PALLET, entry, key).await?.is_some())
    }

    /// Maps the signer's account to its address, which takes a transaction and a deposit, if it is
    /// not mapped yet.
    ///
    /// # Errors
    ///
    /// If the account can't pay for it or the chain can't be reached.
    pub async fn ensure_mapped(&self, signer: &Signer) -> Result<Option<Transaction>, Error> {
        if self.is_mapped(&signer.account()).await? {
            return Ok(None);
        }
        let what = format!("making the account {signer} known to contracts");
        let none = Composite::named(Vec::<(String, Value)>::new());
        match self.submit(&what, signer, "map_account", none).await {
            Ok(included) => Ok(Some(included.transaction)),
            // Somebody else with the same key was faster.
            Err(Error::Failed { name, .. }) if name.ends_with("::AccountAlreadyMapped") => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The Keccak-256 hash of the code of the contract at an address; none if there is no contract.
    ///
    /// # Errors
    ///
    /// If the chain can't be reached or its answer is not understood.
    pub async fn code_hash(&self, address: Address) -> Result<Option<[u8; 32]>, Error> {
        let what = "looking for a contract";
        let entry = ["AccountInfoOf", "ContractInfoOf"]
            .into_iter()
            .find(|entry| self.has_storage(entry))
            .ok_or_else(|| Error::NotRevive {
                url: self.url().into(),
                missing: "storage of contracts that is known here".into(),
            })?;
        let key = vec![Value::from_bytes(address.0)];
        let info = self.storage(what, PALLET, entry, key).await?;
        Ok(info
            .as_ref()
            .and_then(|info| value::find(info, "code_hash"))
            .and_then(value::bytes)
            .and_then(|hash| hash.try_into().ok()))
    }

    /// How many of the units in which a contract sees amounts make one of the chain's smallest.
    #[must_use]
    pub fn ratio(&self) -> u128 {
        self.shared.ratio
    }

    /// Where `deployer`'s contract of the matches is, or would be.
    #[must_use]
    pub fn contract_address(deployer: Address, code: Code<'_>) -> Address {
        crate::address::create2(deployer, code.matches, &code.constructor(), &SALT)
    }

    /// Deploys the contract of the matches, and through it that of the games, unless the signer did
    /// so before: then finds it again.
    ///
    /// # Errors
    ///
    /// If the account can't pay for it, the chain refuses the code or can't be reached.
    pub async fn deploy(&self, signer: &Signer, code: Code<'_>) -> Result<Deployment, Error> {
        let what = "deploying the contract";
        let address = Self::contract_address(signer.address(), code);
        let there = |uploaded| Deployment {
            address,
            uploaded,
            receipt: None,
        };
        if self.code_hash(address).await?.is_some() {
            return Ok(there(None));
        }
        let mapped = self.ensure_mapped(signer).await?;
        let uploaded = self.upload(signer, code.games).await?;
        let origin = signer.account();
        let data = code.constructor();
        let answer = self
            .runtime_api(what, "instantiate", None, |name| match name {
                "origin" => Some(Value::from_bytes(origin.0)),
                "value" => Some(Value::u128(0)),
                "code" => Some(Value::unnamed_variant(
                    "Upload",
                    [Value::from_bytes(code.matches)],
                )),
                "data" | "input_data" => Some(Value::from_bytes(&data)),
                "salt" => Some(value::some(Value::from_bytes(SALT))),
                _ => None,
            })
            .await?;
        let run = self.read_dry_run(what, &answer)?;
        match &run.result {
            Ok(returned) if !returned.reverted => {}
            // Another program deployed it meanwhile.
            _ if self.code_hash(address).await?.is_some() => return Ok(there(uploaded)),
            Ok(_) => {
                return Err(Error::Unexpected {
                    what: what.into(),
                    reason: "its constructor refused".into(),
                });
            }
            Err(error) => return Err(self.explain(what, signer, error.clone()).await),
        }
        let fields = self.limits(
            "instantiate_with_code",
            &run,
            vec![
                ("value", Value::u128(0)),
                ("code", Value::from_bytes(code.matches)),
                ("data", Value::from_bytes(&data)),
                ("salt", value::some(Value::from_bytes(SALT))),
            ],
        );
        let included = self
            .submit(what, signer, "instantiate_with_code", fields)
            .await?;
        if self.code_hash(address).await?.is_none() {
            return Err(Error::NoContract(address));
        }
        Ok(Deployment {
            address,
            uploaded,
            receipt: Some(Receipt {
                transaction: included.transaction,
                deposit: run.deposit,
                value: address,
                mapped,
            }),
        })
    }

    /// Uploads code, unless the chain has it.
    async fn upload(&self, signer: &Signer, code: &[u8]) -> Result<Option<Receipt<()>>, Error> {
        let what = "uploading the code of the games";
        let hash = sp_crypto_hashing::keccak_256(code);
        // To upload it again would do no harm.
        let known = "CodeInfoOf";
        let key = vec![Value::from_bytes(hash)];
        if self.has_storage(known) && self.storage(what, PALLET, known, key).await?.is_some() {
            return Ok(None);
        }
        let origin = signer.account();
        let answer = self
            .runtime_api(what, "upload_code", None, |name| match name {
                "origin" => Some(Value::from_bytes(origin.0)),
                "code" => Some(Value::from_bytes(code)),
                _ => None,
            })
            .await?;
        let deposit = match value::variant(&answer) {
            Some(("Ok", _)) => value::find(&answer, "deposit")
                .and_then(value::number)
                .ok_or_else(|| self.unexpected(what, "the dry run has no deposit"))?,
            Some(("Err", values)) => {
                let error = values
                    .first()
                    .ok_or_else(|| self.unexpected(what, "the dry run has no result"))?;
                let error = value::dispatch_error(error, &self.api().metadata());
                return Err(self.explain(what, signer, error).await);
            }
            _ => return Err(self.unexpected(what, "the dry run has no result")),
        };
        let fields = Composite::named([
            ("code", Value::from_bytes(code)),
            ("storage_deposit_limit", Value::u128(deposit)),
        ]);
        let included = self.submit(what, signer, "upload_code", fields).await?;
        Ok(Some(Receipt {
            transaction: included.transaction,
            deposit: i128::try_from(deposit).unwrap_or(i128::MAX),
            value: (),
            mapped: None,
        }))
    }

    /// The hash of the best block.
    pub(crate) async fn best(&self, what: &str) -> Result<H256, Error> {
        self.retry(what, || async {
            Ok(self.shared.rpc.chain_get_block_hash(None).await?)
        })
        .await?
        .ok_or_else(|| self.unexpected(what, "it names no best block"))
    }

    /// The hash of a block by its number, counted from 0; none if there is no such block.
    pub(crate) async fn block_hash(&self, what: &str, number: u32) -> Result<Option<H256>, Error> {
        self.retry(what, || async {
            let number = subxt_rpcs::methods::legacy::NumberOrHex::Number(number.into());
            Ok(self.shared.rpc.chain_get_block_hash(Some(number)).await?)
        })
        .await
    }

    /// The number of a block.
    pub(crate) async fn block_number(&self, what: &str, hash: H256) -> Result<u32, Error> {
        self.retry(what, || async {
            Ok(self.shared.rpc.chain_get_header(Some(hash)).await?)
        })
        .await?
        .map(|header| header.number)
        .ok_or_else(|| self.unexpected(what, "it does not know its own block"))
    }

    /// The number of the best block.
    ///
    /// # Errors
    ///
    /// If the chain can't be reached.
    pub async fn height(&self) -> Result<u32, Error> {
        let what = "asking for the newest block";
        let best = self.best(what).await?;
        self.block_number(what, best).await
    }

    /// What a call would do after a block; the best one if none is named.
    pub(crate) async fn dry_run(
        &self,
        what: &str,
        origin: &AccountId32,
        call: Call<'_>,
        at: Option<H256>,
    ) -> Result<DryRun, Error> {
        let answer = self
            .runtime_api(what, "call", at, |name| match name {
                "origin" => Some(Value::from_bytes(origin.0)),
                "dest" => Some(Value::from_bytes(call.contract.0)),
                "value" => Some(Value::u128(call.value)),
                "input_data" | "data" => Some(Value::from_bytes(call.input)),
                _ => None,
            })
            .await?;
        self.read_dry_run(what, &answer)
    }

    /// Signs and sends a call to a contract within the limits of its dry run.
    pub(crate) async fn call(
        &self,
        what: &str,
        signer: &Signer,
        call: Call<'_>,
        run: &DryRun,
    ) -> Result<Included, Error> {
        let fields = self.limits(
            "call",
            run,
            vec![
                ("dest", Value::from_bytes(call.contract.0)),
                ("value", Value::u128(call.value)),
                ("data", Value::from_bytes(call.input)),
            ],
        );
        self.submit(what, signer, "call", fields).await
    }

    /// The deposit that a dry run told.
    pub(crate) const fn deposit(run: &DryRun) -> i128 {
        run.deposit
    }

    /// A call of a runtime API method by the names of its arguments. What is not named is an option
    /// left out.
    async fn runtime_api(
        &self,
        what: &str,
        method: &str,
        at: Option<H256>,
        argument: impl Fn(&str) -> Option<Value>,
    ) -> Result<DecodedValue, Error> {
        let metadata = self.api().metadata();
        let arguments: Vec<Value> = metadata
            .runtime_api_trait_by_name(API)
            .and_then(|api| api.method_by_name(method))
            .ok_or_else(|| Error::NotRevive {
                url: self.url().into(),
                missing: format!("runtime API {API}_{method}"),
            })?
            .inputs()
            .map(|input| argument(&input.name).unwrap_or_else(value::none))
            .collect();
        let at = match at {
            Some(at) => at,
            None => self.best(what).await?,
        };
        let call = subxt::dynamic::runtime_api_call(API, method, arguments);
        let answer = self
            .api()
            .runtime_api()
            .at(at)
            .call(call)
            .await
            .map_err(|error| self.failed(what, error))?;
        answer
            .to_value()
            .map_err(|error| self.unexpected(what, error))
    }

    fn read_dry_run(&self, what: &str, answer: &DecodedValue) -> Result<DryRun, Error> {
        let lacks = |name: &str| self.unexpected(what, format!("the dry run has no {name}"));
        let one_of = |names: &[&str]| names.iter().find_map(|name| value::field(answer, name));
        let weight =
            one_of(&["weight_required", "gas_required"]).ok_or_else(|| lacks("weight_required"))?;
        let part = |name: &str| {
            value::field(weight, name)
                .and_then(value::number)
                .and_then(|number| u64::try_from(number).ok())
                .ok_or_else(|| lacks(name))
        };
        let (ref_time, proof_size) = (part("ref_time")?, part("proof_size")?);
        let deposit_of = |value: &DecodedValue| {
            let (name, values) = value::variant(value)?;
            let amount = i128::try_from(value::number(values.first()?)?).ok()?;
            Some(if name == "Refund" { -amount } else { amount })
        };
        let deposit = one_of(&["storage_deposit"])
            .and_then(deposit_of)
            .ok_or_else(|| lacks("storage_deposit"))?;
        let most = one_of(&["max_storage_deposit"])
            .and_then(deposit_of)
            .unwrap_or(deposit)
            .max(deposit);
        let result = one_of(&["result"]).ok_or_else(|| lacks("result"))?;
        let result = match value::variant(result) {
            Some(("Ok", values)) => {
                let returned = values.first().ok_or_else(|| lacks("result"))?;
                Ok(Returned {
                    reverted: value::find(returned, "flags")
                        .and_then(value::number)
                        .ok_or_else(|| lacks("flags"))?
                        & 1
                        == 1,
                    data: value::find(returned, "data")
                        .and_then(value::bytes)
                        .ok_or_else(|| lacks("data"))?,
                })
            }
            Some(("Err", values)) => {
                let error = values.first().ok_or_else(|| lacks("result"))?;
                Err(value::dispatch_error(error, &self.api().metadata()))
            }
            _ => return Err(lacks("result")),
        };
        Ok(DryRun {
            result,
            ref_time,
            proof_size,
            deposit,
            deposit_limit: u128::try_from(most).unwrap_or(0),
        })
    }

    /// The fields of a call, with limits somewhat above what the dry run took, by the names that
    /// this chain has for them.
    fn limits(
        &self,
        call: &str,
        run: &DryRun,
        mut fields: Vec<(&'static str, Value)>,
    ) -> Composite<()> {
        let more = |part: u64| part.saturating_add(part / MARGIN_DIVISOR);
        let weight = Value::named_composite([
            ("ref_time", Value::u128(more(run.ref_time).into())),
            ("proof_size", Value::u128(more(run.proof_size).into())),
        ]);
        // Where one contract calls another, the pallet tells up to an eighth less than it asks for
        // when what is given back is not counted yet. A limit is not held: twice is on the safe side.
        let deposit = run.deposit_limit.saturating_mul(2);
        let metadata = self.api().metadata();
        let has = |name: &str| {
            metadata
                .pallet_by_name(PALLET)
                .and_then(|pallet| pallet.call_variant_by_name(call))
                .is_some_and(|call| {
                    call.fields
                        .iter()
                        .any(|field| field.name.as_deref() == Some(name))
                })
        };
        let weight_field = if has("gas_limit") {
            "gas_limit"
        } else {
            "weight_limit"
        };
        fields.push((weight_field, weight));
        fields.push(("storage_deposit_limit", Value::u128(deposit)));
        Composite::named(fields)
    }

    fn has_storage(&self, entry: &str) -> bool {
        self.api()
            .metadata()
            .pallet_by_name(PALLET)
            .and_then(|pallet| pallet.storage())
            .is_some_and(|storage| storage.entry_by_name(entry).is_some())
    }

    async fn storage(
        &self,
        what: &str,
        pallet: &str,
        entry: &str,
        keys: Vec<Value>,
    ) -> Result<Option<DecodedValue>, Error> {
        let at = self.best(what).await?;
        let address = subxt::dynamic::storage(pallet, entry, keys);
        self.api()
            .storage()
            .at(at)
            .fetch(&address)
            .await
            .map_err(|error| self.failed(what, error))?
            .map(|found| found.to_value())
            .transpose()
            .map_err(|error| self.unexpected(what, error))
    }

    /// Signs a call of the pallet, sends it and waits until it is in a block.
    async fn submit(
        &self,
        what: &str,
        signer: &Signer,
        call: &str,
        fields: Composite<()>,
    ) -> Result<Included, Error> {
        let call = subxt::dynamic::tx(PALLET, call, fields);
        let mut progress = self.send(what, signer, &call).await?;
        let waiting = async {
            loop {
                let status = match progress.next().await {
                    Some(Ok(status)) => status,
                    Some(Err(error)) => return Err(self.failed(what, error)),
                    None => return Err(self.gone(what, "the node stopped reporting")),
                };
                match status {
                    TxStatus::InFinalizedBlock(block) => return Ok(block),
                    TxStatus::InBestBlock(block) if self.wait == Wait::Best => return Ok(block),
                    TxStatus::Error { message }
                    | TxStatus::Invalid { message }
                    | TxStatus::Dropped { message } => {
                        return Err(Error::Rejected {
                            what: what.into(),
                            reason: message,
                        });
                    }
                    _ => {}
                }
            }
        };
        let block = tokio::time::timeout(TRANSACTION_TIMEOUT, waiting)
            .await
            .map_err(|_| Error::Timeout {
                what: what.into(),
                after: TRANSACTION_TIMEOUT,
            })??;
        let events = block
            .fetch_events()
            .await
            .map_err(|error| self.failed(what, error))?;
        let mut fee = 0;
        for event in events.iter() {
            let event = event.map_err(|error| self.unexpected(what, error))?;
            if (event.pallet_name(), event.variant_name()) == ("System", "ExtrinsicFailed") {
                let error = DispatchError::decode_from(event.field_bytes(), self.api().metadata())
                    .map_err(|error| self.unexpected(what, error))?;
                return Err(self.explain(what, signer, name_of(&error)).await);
            }
            fee = self.fee_of(what, &event)?.unwrap_or(fee);
        }
        let block_hash = block.block_hash();
        Ok(Included {
            transaction: Transaction {
                block: self.block_number(what, block_hash).await?,
                block_hash,
                hash: block.extrinsic_hash(),
                index: events.extrinsic_index(),
                fee,
            },
            events,
        })
    }

    /// A transaction that has been in a block for a while, by its place there: its index counts from
    /// 0.
    ///
    /// # Errors
    ///
    /// If the chain can't be reached, has dropped the block, or there is no such transaction in it.
    pub async fn transaction(
        &self,
        block: u32,
        block_hash: H256,
        index: u32,
    ) -> Result<Transaction, Error> {
        let what = format!("looking up transaction {index} of block {block}");
        let failed = |error| self.failed(&what, error);
        let of_block = self.api().blocks().at(block_hash).await.map_err(failed)?;
        let extrinsics = of_block.extrinsics().await.map_err(failed)?;
        let extrinsic = usize::try_from(index)
            .ok()
            .and_then(|index| extrinsics.iter().nth(index))
            .ok_or_else(|| self.unexpected(&what, "the block has no such transaction"))?;
        let mut fee = 0;
        for event in extrinsic.events().await.map_err(failed)?.iter() {
            let event = event.map_err(|error| self.unexpected(&what, error))?;
            fee = self.fee_of(&what, &event)?.unwrap_or(fee);
        }
        Ok(Transaction {
            block,
            block_hash,
            hash: extrinsic.hash(),
            index,
            fee,
        })
    }

    /// The fee that a transaction paid, if this event tells it.
    fn fee_of(
        &self,
        what: &str,
        event: &EventDetails<PolkadotConfig>,
    ) -> Result<Option<u128>, Error> {
        if (event.pallet_name(), event.variant_name())
            != ("TransactionPayment", "TransactionFeePaid")
        {
            return Ok(None);
        }
        let fields = event
            .field_values()
            .map_err(|error| self.unexpected(what, error))?;
        Ok(value::in_composite(&fields, "actual_fee").and_then(value::number))
    }

    /// Follows the best blocks from now on.
    ///
    /// # Errors
    ///
    /// If the chain can't be reached.
    pub async fn heads(&self) -> Result<Heads, Error> {
        let blocks = self
            .api()
            .blocks()
            .subscribe_best()
            .await
            .map_err(|error| self.failed(HEADS, error))?;
        Ok(Heads {
            client: self.clone(),
            blocks,
        })
    }

    /// Signs and sends, again with the next nonce if another transaction of the account was faster.
    async fn send(
        &self,
        what: &str,
        signer: &Signer,
        call: &subxt::tx::DynamicPayload,
    ) -> Result<subxt::tx::TxProgress<PolkadotConfig, OnlineClient<PolkadotConfig>>, Error> {
        let account = signer.account();
        let _one_at_a_time = self.shared.submitting.lock().await;
        let mut attempt = 0;
        loop {
            attempt += 1;
            let nonce = self
                .retry(what, || async {
                    Ok(self.shared.rpc.system_account_next_index(&account).await?)
                })
                .await?;
            let from = self
                .retry(what, || async {
                    Ok(self.shared.rpc.chain_get_finalized_head().await?)
                })
                .await?;
            let number = self.block_number(what, from).await?;
            let parameters = DefaultExtrinsicParamsBuilder::<PolkadotConfig>::new()
                .nonce(nonce)
                .mortal_from_unchecked(MORTALITY, number.into(), from)
                .build();
            let transaction = self
                .api()
                .tx()
                .create_partial_offline(call, parameters)
                .map_err(|error| self.unexpected(what, error))?
                .sign(signer.pair());
            let error = match transaction.submit_and_watch().await {
                Ok(progress) => return Ok(progress),
                Err(error) => error,
            };
            match refusal_of(&error) {
                Some(Refusal::Overtaken) if attempt < NONCE_ATTEMPTS => {
                    tokio::time::sleep(Duration::from_millis(50) * attempt).await;
                }
                Some(Refusal::Unpaid(reason)) => {
                    return Err(self.no_funds(what, signer, reason).await);
                }
                Some(Refusal::Overtaken) => {
                    return Err(Error::Rejected {
                        what: what.into(),
                        reason: format!(
                            "other transactions of the account {signer} were faster, \
                             {NONCE_ATTEMPTS} times in a row"
                        ),
                    });
                }
                Some(Refusal::Other(reason)) => {
                    return Err(Error::Rejected {
                        what: what.into(),
                        reason,
                    });
                }
                None => return Err(self.failed(what, error)),
            }
        }
    }

    /// The error for a dispatch error of the chain.
    pub(crate) async fn explain(
        &self,
        what: &str,
        signer: &Signer,
        (name, docs): (String, String),
    ) -> Error {
        const UNPAID: [&str; 5] = [
            "::StorageDepositNotEnoughFunds",
            "::TransferFailed",
            "::InsufficientBalance",
            "Token::FundsUnavailable",
            "Token::CannotCreateHold",
        ];
        if UNPAID.iter().any(|end| name.ends_with(end)) {
            return self.no_funds(what, signer, name).await;
        }
        Error::Failed {
            what: what.into(),
            name,
            docs,
        }
    }

    async fn no_funds(&self, what: &str, signer: &Signer, reason: String) -> Error {
        let balance = match self.balance(&signer.account()).await {
            Ok(balance) => self.token().amount(balance),
            Err(_) => "an unknown balance".into(),
        };
        Error::NoFunds {
            what: what.into(),
            account: signer.to_string(),
            balance,
            reason,
        }
    }

    /// Tries again while a lost connection is being made again.
    async fn retry<T, F>(&self, what: &str, request: impl Fn() -> F) -> Result<T, Error>
    where
        F: Future<Output = Result<T, subxt::Error>>,
    {
        let mut attempt = 0;
        loop {
            attempt += 1;
            match request().await {
                Err(error) if error.is_disconnected_will_reconnect() && attempt <= RECONNECTS => {}
                result => return result.map_err(|error| self.failed(what, error)),
            }
        }
    }

    /// The error for one of subxt's.
    pub(crate) fn failed(&self, what: &str, error: subxt::Error) -> Error {
        match &error {
            subxt::Error::Runtime(error) => {
                let (name, docs) = name_of(error);
                Error::Failed {
                    what: what.into(),
                    name,
                    docs,
                }
            }
            subxt::Error::Rpc(RpcError::ClientError(subxt_rpcs::Error::User(answer))) => {
                self.unexpected(what, answer_of(answer))
            }
            subxt::Error::Rpc(RpcError::ClientError(subxt_rpcs::Error::Client(_))) => self.gone(
                what,
                format!("it was tried {RECONNECTS} times to make it again"),
            ),
            subxt::Error::Rpc(_) | subxt::Error::Io(_) => self.gone(what, innermost(&error)),
            _ => self.unexpected(what, innermost(&error)),
        }
    }

    pub(crate) fn gone(&self, what: &str, reason: impl fmt::Display) -> Error {
        Error::Gone {
            what: what.into(),
            url: self.url().into(),
            reason: reason.to_string(),
        }
    }

    pub(crate) fn unexpected(&self, what: &str, reason: impl fmt::Display) -> Error {
        Error::Unexpected {
            what: what.into(),
            reason: reason.to_string(),
        }
    }
}

/// What following the best blocks is called.
const HEADS: &str = "following the chain";

/// The best blocks as they come.
pub struct Heads {
    client: Client,
    blocks: StreamOfResults<Block<PolkadotConfig, OnlineClient<PolkadotConfig>>>,
}

impl Heads {
    /// The number of the best block, at first of the one there is, then whenever there is another
    /// one; waits for it.
    ///
    /// # Errors
    ///
    /// If the connection was lost, even if it is being made again: what happened meanwhile may be
    /// missing.
    pub async fn next(&mut self) -> Result<u32, Error> {
        match self.blocks.next().await {
            Some(Ok(block)) => Ok(block.number()),
            Some(Err(error)) => Err(self.client.failed(HEADS, error)),
            None => Err(self.client.gone(HEADS, "the node stopped reporting")),
        }
    }
}

/// Where the contract is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deployment {
    /// The address of the contract of the matches, which knows that of the games.
    pub address: Address,
    /// How the code of the games was uploaded before; none if it was there already.
    pub uploaded: Option<Receipt<()>>,
    /// How it was deployed; none if it was there already.
    pub receipt: Option<Receipt<Address>>,
}

/// Why a node did not take a transaction.
enum Refusal {
    /// Another one with this nonce is in the pool or in a block.
    Overtaken,
    /// The account can't pay the fee.
    Unpaid(String),
    /// Something else.
    Other(String),
}

/// The standard error codes of `author_submitExtrinsic`.
fn refusal_of(error: &subxt::Error) -> Option<Refusal> {
    /// "Invalid transaction", "temporarily banned", "already imported", "priority is too low".
    const INVALID: i32 = 1010;
    const BANNED: i32 = 1012;
    const IMPORTED: i32 = 1013;
    const TOO_LOW: i32 = 1014;
    let subxt::Error::Rpc(RpcError::ClientError(subxt_rpcs::Error::User(answer))) = error else {
        return None;
    };
    let text = answer_of(answer);
    Some(match answer.code {
        INVALID if text.contains("outdated") || text.contains("Stale") => Refusal::Overtaken,
        BANNED | IMPORTED | TOO_LOW => Refusal::Overtaken,
        // "Inability to pay some fees", or a chain's own words for it.
        INVALID if text.contains("Payment") || (text.contains("pay") && text.contains("fee")) => {
            Refusal::Unpaid(text)
        }
        _ => Refusal::Other(text),
    })
}

fn answer_of(answer: &subxt_rpcs::UserError) -> String {
    let data = answer
        .data
        .as_ref()
        .map(|data| data.get().trim_matches('"'));
    match data {
        Some(data) if !data.is_empty() => format!("{}: {data}", answer.message),
        _ => answer.message.clone(),
    }
}

/// What went wrong in the first place, without the layers around it.
fn innermost(error: &dyn std::error::Error) -> String {
    let mut innermost = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    // Some layers keep what went wrong in their text alone.
    let (outer, inner) = (error.to_string(), innermost.to_string());
    if outer.contains(&inner) { inner } else { outer }
}

fn name_of(error: &DispatchError) -> (String, String) {
    match error {
        DispatchError::Module(module) => match module.details() {
            Ok(details) => (
                format!("{}::{}", details.pallet.name(), details.variant.name),
                details.variant.docs.join(" "),
            ),
            Err(_) => (module.to_string(), String::new()),
        },
        DispatchError::Token(token) => (format!("Token::{token:?}"), token.to_string()),
        other => (format!("{other:?}"), String::new()),
    }
}

/// The value of a property, or the first of its values.
fn first<'a>(
    properties: &'a subxt_rpcs::methods::legacy::SystemProperties,
    name: &str,
) -> Option<&'a serde_json::Value> {
    let property = properties.get(name)?;
    match property.as_array() {
        Some(values) => values.first(),
        None => Some(property),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_written_in_tokens() {
        let dot = Token {
            symbol: "DOT".into(),
            decimals: 10,
        };
        for (amount, text) in [
            (0, "0 DOT"),
            (1, "0.0000000001 DOT"),
            (10_000_000_000, "1 DOT"),
            (12_345_000_000, "1.2345 DOT"),
            (u128::MAX, "34028236692093846346337460743.1768211455 DOT"),
        ] {
            assert_eq!(dot.amount(amount), text);
        }
        let whole = Token {
            symbol: "UNIT".into(),
            decimals: 0,
        };
        assert_eq!(whole.amount(10), "10 UNIT");
    }

    #[test]
    fn a_refused_transaction_is_told_by_its_code() {
        let error = |code, data: &str| {
            let data = serde_json::value::to_raw_value(data).unwrap();
            subxt::Error::from(subxt_rpcs::Error::User(subxt_rpcs::UserError {
                code,
                message: "Invalid Transaction".into(),
                data: Some(data),
            }))
        };
        let refusal = |code, data| refusal_of(&error(code, data));
        assert!(matches!(
            refusal(1010, "Transaction is outdated"),
            Some(Refusal::Overtaken)
        ));
        assert!(matches!(refusal(1014, ""), Some(Refusal::Overtaken)));
        assert!(matches!(
            refusal(
                1010,
                "Inability to pay some fees (e.g. account balance too low)"
            ),
            Some(Refusal::Unpaid(_))
        ));
        assert!(matches!(
            refusal(1010, "Transaction has a bad signature"),
            Some(Refusal::Other(_))
        ));
        assert!(refusal_of(&subxt::Error::Other("else".into())).is_none());
    }
}
