//! The chain spec: a network's name, its first validators, and its first state with the runtime.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    str::FromStr,
};

use polkadot_sdk::{sc_cli, sc_service, sp_core, sp_keyring, sp_maybe_compressed_blob, sp_runtime};
use sc_service::{ChainType, GenericChainSpec};
use serde_json::json;
use sp_core::{ed25519, sr25519};
use sp_keyring::{Ed25519Keyring, Sr25519Keyring};
use sp_maybe_compressed_blob::{CODE_BLOB_BOMB_LIMIT, compress_strongly};
use sp_runtime::AccountId32;

pub type Spec = GenericChainSpec;

/// How many decimals the token has.
pub const DECIMALS: u8 = 10;
/// The token's symbol.
pub const SYMBOL: &str = "DOT";
/// The prefix of accounts as text, as the runtime has it: they begin with a 5.
pub const PREFIX: u16 = 42;

/// What an account has that was endowed in the genesis block, in the smallest unit: a million
/// tokens, as on the local chain.
const ENDOWMENT: u64 = 1_000_000 * 10_u64.pow(DECIMALS as u32);

/// What pallet-revive fills an address of Ethereum up with to the account that stands for it.
const FILL: u8 = 0xee;

/// The development accounts of which nodes have `--alice` and so on, in that order.
const DEVELOPERS: [(Sr25519Keyring, Ed25519Keyring); 6] = [
    (Sr25519Keyring::Alice, Ed25519Keyring::Alice),
    (Sr25519Keyring::Bob, Ed25519Keyring::Bob),
    (Sr25519Keyring::Charlie, Ed25519Keyring::Charlie),
    (Sr25519Keyring::Dave, Ed25519Keyring::Dave),
    (Sr25519Keyring::Eve, Ed25519Keyring::Eve),
    (Sr25519Keyring::Ferdie, Ed25519Keyring::Ferdie),
];

/// Write the chain spec of a new network to standard output. All its nodes need the same file.
#[derive(clap::Args)]
pub struct NewSpec {
    /// The runtime, as `scripts/network` and README.md build it.
    #[arg(long, value_name = "FILE")]
    runtime: PathBuf,
    /// A validator: its account, and its session keys, as `new-keys` prints them. Once for each.
    #[arg(long = "validator", value_name = "ACCOUNT:KEYS")]
    validators: Vec<Validator>,
    /// So many validators with the keys of `--alice`, `--bob`, `--charlie`, `--dave`, `--eve` and
    /// `--ferdie`, alice as the holder of the sudo key, and tokens for the development accounts, too.
    /// Everybody knows their secrets: for development only.
    #[arg(
        long,
        value_name = "N",
        value_parser = clap::value_parser!(u8).range(1..=6),
        conflicts_with_all = ["validators", "sudo"],
        required_unless_present = "validators",
    )]
    dev: Option<u8>,
    /// The account that may name validators and upgrade the runtime.
    #[arg(long, value_name = "ACCOUNT", required_unless_present = "dev")]
    sudo: Option<AccountId32>,
    /// An account, or an address of Ethereum, that has a million tokens from the beginning. Once for
    /// each.
    #[arg(long = "endow", value_name = "ACCOUNT", value_parser = account)]
    endowed: Vec<AccountId32>,
    /// The duration of a slot, in milliseconds: how often there is a block. It never changes.
    #[arg(long, value_name = "MS", default_value_t = 6_000, value_parser = clap::value_parser!(u64).range(1..))]
    slot: u64,
    /// The network's name.
    #[arg(long, default_value = "Connect Four")]
    name: String,
    /// The name of its folders on disk.
    #[arg(long, default_value = "connect4")]
    id: String,
}

/// A validator's account and its public session keys.
#[derive(Clone)]
struct Validator {
    account: AccountId32,
    aura: sr25519::Public,
    grandpa: ed25519::Public,
}

/// Reads an account, or an address of Ethereum as the account that stands for it.
fn account(text: &str) -> Result<AccountId32, String> {
    let address = sp_core::bytes::from_hex(text).ok();
    match address.as_deref().map(<[u8; 20]>::try_from) {
        Some(Ok(address)) => {
            let mut account = [FILL; 32];
            account[..20].copy_from_slice(&address);
            Ok(account.into())
        }
        _ => text
            .parse()
            .map_err(|error| format!("{error}; neither an account nor an address of Ethereum")),
    }
}

/// Whether an account stands for an address of Ethereum. Such accounts need no mapping.
fn is_of_ethereum(account: &AccountId32) -> bool {
    let bytes: &[u8; 32] = account.as_ref();
    bytes.ends_with(&[FILL; 12])
}

impl FromStr for Validator {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (account, keys) = text.split_once(':').ok_or("no colon")?;
        let account = account
            .parse()
            .map_err(|error| format!("{account} is no account: {error}"))?;
        let keys: Vec<u8> = sp_core::bytes::from_hex(keys)
            .map_err(|error| format!("{keys} is not hexadecimal: {error}"))?;
        let halves = keys.split_first_chunk::<32>();
        let (aura, grandpa) = halves.ok_or("session keys have 64 bytes")?;
        let grandpa: [u8; 32] = grandpa
            .try_into()
            .map_err(|_| "session keys have 64 bytes")?;
        Ok(Self {
            account,
            aura: sr25519::Public::from_raw(*aura),
            grandpa: ed25519::Public::from_raw(grandpa),
        })
    }
}

impl NewSpec {
    pub fn run(&self) -> sc_cli::Result<()> {
        let (validators, sudo, endowed) = self.people();
        let keys: Vec<_> = validators
            .iter()
            .map(
                |Validator {
                     account,
                     aura,
                     grandpa,
                 }| {
                    json!([account, account, { "aura": aura, "grandpa": grandpa }])
                },
            )
            .collect();
        let balances: Vec<_> = endowed
            .iter()
            .map(|account| json!([account, ENDOWMENT]))
            .collect();
        let mapped = endowed.iter().filter(|account| !is_of_ethereum(account));
        let patch = json!({
            "balances": { "balances": balances },
            "revive": { "mappedAccounts": mapped.collect::<Vec<_>>() },
            "session": { "keys": keys },
            "sudo": { "key": sudo },
            "validators": { "slotDuration": self.slot },
        });
        let properties =
            json!({ "ss58Format": PREFIX, "tokenDecimals": DECIMALS, "tokenSymbol": SYMBOL });
        let properties = properties.as_object().cloned();
        let kind = match self.dev {
            Some(_) => ChainType::Local,
            None => ChainType::Live,
        };
        let code = packed(&self.runtime)?;
        let spec = Spec::builder(&code, None)
            .with_name(&self.name)
            .with_id(&self.id)
            .with_chain_type(kind)
            .with_properties(properties.unwrap_or_default())
            .with_genesis_config_patch(patch)
            .build();
        // Raw: the state itself, so that every node has the same genesis block.
        let spec = spec.as_json(true).map_err(sc_cli::Error::Input)?;
        std::io::stdout().write_all(spec.as_bytes())?;
        Ok(())
    }

    /// The validators, the holder of the sudo key, and who has tokens from the beginning.
    fn people(&self) -> (Vec<Validator>, Option<AccountId32>, Vec<AccountId32>) {
        let mut endowed = self.endowed.clone();
        let mut endow = |accounts: Vec<AccountId32>| {
            for account in accounts {
                if !endowed.contains(&account) {
                    endowed.push(account);
                }
            }
        };
        let Some(dev) = self.dev else {
            // Whoever signs must own something.
            let signers = self.validators.iter().map(|validator| &validator.account);
            endow(signers.chain(&self.sudo).cloned().collect());
            return (self.validators.clone(), self.sudo.clone(), endowed);
        };
        let developers = Sr25519Keyring::well_known().map(|key| key.to_account_id());
        endow(developers.collect());
        let validators = DEVELOPERS[..usize::from(dev)]
            .iter()
            .map(|(sr25519, ed25519)| Validator {
                account: sr25519.to_account_id(),
                aura: sr25519.public(),
                grandpa: ed25519.public(),
            })
            .collect();
        let alice = Sr25519Keyring::Alice.to_account_id();
        (validators, Some(alice), endowed)
    }
}

/// Compress a runtime, so that it fits into a transaction that upgrades a network to it.
#[derive(clap::Args)]
pub struct PackRuntime {
    /// The runtime, as it was built.
    runtime: PathBuf,
    /// The file to write.
    packed: PathBuf,
}

impl PackRuntime {
    pub fn run(&self) -> sc_cli::Result<()> {
        Ok(fs::write(&self.packed, packed(&self.runtime)?)?)
    }
}

/// The runtime in a file, compressed as nodes take it.
fn packed(runtime: &Path) -> sc_cli::Result<Vec<u8>> {
    let code = fs::read(runtime)
        .map_err(|error| sc_cli::Error::Input(format!("{}: {error}", runtime.display())))?;
    // It may be compressed already.
    sp_maybe_compressed_blob::decompress(&code, CODE_BLOB_BOMB_LIMIT)
        .ok()
        .and_then(|code| compress_strongly(&code, CODE_BLOB_BOMB_LIMIT))
        .ok_or_else(|| sc_cli::Error::Input("the runtime is too large".to_owned()))
}
