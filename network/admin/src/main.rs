//! What the holder of the sudo key and the validators of a network do by hand: name validators,
//! become one, upgrade the runtime.

use std::{error::Error, fs, path::PathBuf, process::ExitCode, str::FromStr};

use clap::{Parser, Subcommand};
use serde_json::Value as Json;
use subxt::{
    OnlineClient, PolkadotConfig,
    backend::{legacy::LegacyRpcMethods, rpc::RpcClient},
    blocks::ExtrinsicEvents,
    config::DefaultExtrinsicParamsBuilder,
    dynamic::{self, Value},
    ext::subxt_rpcs::rpc_params,
    tx::{DynamicPayload, TxStatus},
    utils::AccountId32,
};
use subxt_signer::{SecretUri, sr25519::Keypair};

type Result<T, E = Box<dyn Error>> = std::result::Result<T, E>;

/// Name the validators of a network, become one, upgrade its runtime.
#[derive(Parser)]
struct Cli {
    /// The node, as ws://host:port.
    #[arg(long, global = true, default_value = "ws://127.0.0.1:9944")]
    url: String,
    /// File with the secret of the account that signs: a phrase, or 0x and 64 hexadecimal digits.
    #[arg(long, global = true, value_name = "FILE", conflicts_with = "account")]
    secret_file: Option<PathBuf>,
    /// Development account that signs.
    #[arg(long, global = true, value_name = "NAME", value_parser = ["alice", "bob", "charlie", "dave", "eve", "ferdie"])]
    account: Option<String>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Show the runtime's version, the latest blocks, and the validators.
    Status,
    /// Name the validators, all of them, as the holder of the sudo key. They begin after one to
    /// two sessions.
    Validators {
        /// Their accounts. Each has said its keys by `join`.
        #[arg(required = true)]
        accounts: Vec<AccountId32>,
    },
    /// Make new session keys on the node, which has to be one's own, and say them for one's
    /// account. The holder of the sudo key can name it then.
    Join,
    /// Upgrade the runtime, as the holder of the sudo key.
    Upgrade {
        /// The runtime, compressed by `connect4-node pack-runtime`.
        runtime: PathBuf,
    },
}

#[tokio::main]
async fn main() -> ExitCode {
    match run(Cli::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(cli: Cli) -> Result<()> {
    let rpc = RpcClient::from_insecure_url(&cli.url)
        .await
        .map_err(|error| format!("{}: {error}", cli.url))?;
    let api = OnlineClient::<PolkadotConfig>::from_rpc_client(rpc.clone()).await?;
    let methods = LegacyRpcMethods::<PolkadotConfig>::new(rpc.clone());
    match &cli.command {
        Command::Status => status(&api, &methods).await,
        Command::Validators { accounts } => {
            let accounts = accounts.iter().map(Value::from_bytes);
            let call = dynamic::tx(
                "Validators",
                "set_validators",
                vec![Value::unnamed_composite(accounts)],
            );
            let call = dynamic::tx("Sudo", "sudo", vec![call.into_value()]);
            as_root(&api, &methods, &signer(&cli)?, call).await
        }
        Command::Join => join(&api, rpc, &signer(&cli)?).await,
        Command::Upgrade { runtime } => {
            let code =
                fs::read(runtime).map_err(|error| format!("{}: {error}", runtime.display()))?;
            let code = dynamic::tx("System", "set_code", vec![Value::from_bytes(code)]);
            // By its weight the call would not fit into a block. It takes a moment in truth.
            let none = [("ref_time", Value::u128(0)), ("proof_size", Value::u128(0))];
            let args = vec![code.into_value(), Value::named_composite(none)];
            let call = dynamic::tx("Sudo", "sudo_unchecked_weight", args);
            as_root(&api, &methods, &signer(&cli)?, call).await
        }
    }
}

/// The account that the command line names.
fn signer(cli: &Cli) -> Result<Keypair> {
    let secret = match (&cli.secret_file, &cli.account) {
        (Some(file), _) => {
            fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?
        }
        (None, Some(name)) => {
            let (first, rest) = name.split_at(1);
            format!("//{}{rest}", first.to_uppercase())
        }
        (None, None) => return Err("who signs? --secret-file FILE, or --account NAME".into()),
    };
    // Nothing of the secret is printed.
    let uri = SecretUri::from_str(secret.trim()).map_err(|_| "this is no secret")?;
    Keypair::from_uri(&uri).map_err(|_| "this is no secret".into())
}

async fn status(
    api: &OnlineClient<PolkadotConfig>,
    rpc: &LegacyRpcMethods<PolkadotConfig>,
) -> Result<()> {
    let number = |header: Option<<PolkadotConfig as subxt::Config>::Header>| {
        header.map_or(0, |header| header.number)
    };
    let last = rpc.chain_get_finalized_head().await?;
    println!("runtime     {}", api.runtime_version().spec_version);
    println!("best block  {}", number(rpc.chain_get_header(None).await?));
    println!(
        "final block {}",
        number(rpc.chain_get_header(Some(last)).await?)
    );
    println!("validators");
    // Of the best block: the final one stands still if validators are missing.
    let best = rpc.chain_get_block_hash(None).await?.ok_or("no block")?;
    let query = dynamic::storage("Session", "Validators", Vec::<Value>::new());
    let validators = api.storage().at(best).fetch(&query).await?;
    for validator in validators
        .map(|value| value.as_type::<Vec<[u8; 32]>>())
        .transpose()?
        .into_iter()
        .flatten()
    {
        println!("  {}", AccountId32(validator));
    }
    Ok(())
}

async fn join(api: &OnlineClient<PolkadotConfig>, rpc: RpcClient, signer: &Keypair) -> Result<()> {
    // The keys, and a proof that who has them wants this account to use them.
    let owner = signer.public_key().0;
    let owner = format!("0x{}", hex::encode(owner));
    let made: Json = rpc
        .request("author_rotateKeysWithOwner", rpc_params![owner])
        .await?;
    let field = |name| {
        let text = made[name].as_str().unwrap_or_default();
        hex::decode(text.trim_start_matches("0x"))
    };
    let (keys, proof) = (field("keys")?, field("proof")?);
    let (aura, grandpa) = keys
        .split_at_checked(32)
        .ok_or("the node says no session keys")?;
    let pair = Value::named_composite([
        ("aura", Value::from_bytes(aura)),
        ("grandpa", Value::from_bytes(grandpa)),
    ]);
    let call = dynamic::tx("Session", "set_keys", vec![pair, Value::from_bytes(proof)]);
    send(api, &LegacyRpcMethods::new(rpc), signer, &call).await?;
    println!("session keys 0x{}", hex::encode(keys));
    Ok(())
}

/// Sends a call of the sudo pallet, and looks at what the call in it said.
async fn as_root(
    api: &OnlineClient<PolkadotConfig>,
    rpc: &LegacyRpcMethods<PolkadotConfig>,
    signer: &Keypair,
    call: DynamicPayload,
) -> Result<()> {
    let events = send(api, rpc, signer, &call).await?;
    for event in events.iter() {
        let event = event?;
        if (event.pallet_name(), event.variant_name()) == ("Sudo", "Sudid") {
            let fields = event.field_values()?;
            let text = fields.to_string();
            if text.contains("Err") {
                return Err(format!("the chain refused: {text}").into());
            }
        }
    }
    Ok(())
}

/// Sends a transaction, and waits until it is in a block and has succeeded. It does not wait until
/// the block is final: where validators are missing, it would wait for ever.
async fn send(
    api: &OnlineClient<PolkadotConfig>,
    rpc: &LegacyRpcMethods<PolkadotConfig>,
    signer: &Keypair,
    call: &DynamicPayload,
) -> Result<ExtrinsicEvents<PolkadotConfig>> {
    // With those of its transactions that are in no block yet, or in one that is not final.
    let nonce = rpc
        .system_account_next_index(&signer.public_key().to_account_id())
        .await?;
    let params = DefaultExtrinsicParamsBuilder::new().nonce(nonce).build();
    let mut progress = api
        .tx()
        .sign_and_submit_then_watch(call, signer, params)
        .await?;
    while let Some(status) = progress.next().await {
        match status? {
            TxStatus::InBestBlock(block) | TxStatus::InFinalizedBlock(block) => {
                let events = block.wait_for_success().await?;
                println!("block {}", block.block_hash());
                return Ok(events);
            }
            TxStatus::Error { message }
            | TxStatus::Invalid { message }
            | TxStatus::Dropped { message } => return Err(message.into()),
            _ => {}
        }
    }
    Err("the node ended the connection".into())
}
