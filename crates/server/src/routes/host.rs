//! What a server does for wallets: it tries their transactions, passes them on, and looks for them. It needs no key for
//! that, and a public host has none; a program signs for the owner's page by its own accounts, as a wallet does.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::{Extension, Json};
use connect4_client::{
    BlockRef, Error, H256, Named, Prepared, Signing, Unsigned, signed_extrinsic,
};
use connect4_protocol::message::ContractKind;
use connect4_protocol::signed::{AccountSignature, Domain, Signature};
use connect4_relay::Visitor;
use connect4_wire::host::{
    AskEvents, FinalEvents, Holder, KeyNamed, Landed, Look, Looked, LookedAt, NameKey, OfAccount,
    Payload, Prepare, SearchFrom, Searched, Sign, Submit, Submitted,
};
use connect4_wire::words::now;
use connect4_wire::{AccountId, Amount, Event, host};

use crate::app::App;
use crate::extract::{Asked, Queried, Sent};
use crate::refusal::Refusal;

/// What the account is called that signs for the page.
const THE_SIGNER: &str = "the account that signs";
/// The most seconds for which the page has a session key named.
const MOST_NAMED: u64 = 7 * 86_400;

/// What a page has to know to sign games, and to have a wallet sign.
pub fn facts(app: &App) -> Option<host::Signing> {
    let at = app.chain.connected().ok()?;
    let client = &at.connection.client;
    let contract = at.contract();
    let contracts = at.contracts();
    let address_of = |kind| contracts.as_ref()?.address_of(kind);
    Some(host::Signing {
        genesis: client.genesis().into(),
        chain_id: client.chain_id(),
        wallet_rpc: app
            .public
            .as_ref()
            .and_then(|public| public.wallet_rpc.clone()),
        relay: app.relay.clone(),
        games: address_of(ContractKind::Games),
        variants: address_of(ContractKind::Variants),
        stakes: address_of(ContractKind::Stakes),
        deployer: contract
            .as_ref()
            .and_then(|found| app.lookup.deployer_of(found.address())),
        ratio: Amount(client.token().ratio),
        returns_deposits: client.token().returns_deposits,
    })
}

/// The contracts, of which one at least has to be deployed.
fn deployed(app: &App) -> Result<connect4_client::Contracts, Refusal> {
    app.connected()?.contracts().ok_or_else(|| {
        Refusal::refused(
            "the contract is not deployed on this chain: whoever runs this host has to deploy it first",
        )
    })
}

/// Tries a call of an account, and says what its wallet has to sign.
pub async fn prepare(
    State(app): State<Arc<App>>,
    Sent(asked): Sent<Prepare>,
) -> Result<Json<host::Prepared>, Refusal> {
    let contract = deployed(&app)?;
    let account = account(&asked.account)?;
    let data = digits(&asked.data)?;
    let ratio = contract.client().token().ratio;
    let payment = asked.payment.0.checked_mul(ratio);
    let payment = payment.ok_or_else(|| Refusal::input("nobody has that much to pay"))?;
    let kind = asked.contract.into();
    let answers = asked.answers.map(|answered| BlockRef {
        number: answered.block,
        hash: answered.hash.into(),
    });
    let prepared = app
        .while_there(contract.prepare(&account, kind, &data, payment, answers))
        .await?;
    Ok(Json(told(prepared)))
}

fn told(prepared: Prepared) -> host::Prepared {
    let (gas, unsigned) = match prepared.signing {
        Signing::Ethereum { gas } => (Some(Amount(gas)), None),
        Signing::Call(unsigned) => (None, Some(unsigned_of(*unsigned, false))),
        Signing::Map(unsigned) => (None, Some(unsigned_of(*unsigned, true))),
    };
    host::Prepared {
        to: prepared.to,
        payment: Amount(prepared.payment),
        fee: Amount(prepared.fee),
        deposit: prepared.deposit.into(),
        balance: Amount(prepared.balance),
        gas,
        unsigned,
    }
}

fn unsigned_of(unsigned: Unsigned, maps: bool) -> host::Unsigned {
    let payload = unsigned.payload;
    let number = |number: u64| format!("0x{number:08x}");
    host::Unsigned {
        maps,
        head: hex(&unsigned.head),
        tail: hex(&unsigned.tail),
        payload: Payload {
            address: AccountId(payload.account),
            block_hash: payload.block.hash.into(),
            block_number: number(payload.block.number.into()),
            era: hex(&payload.era),
            genesis_hash: payload.genesis.into(),
            method: hex(&payload.method),
            mode: payload.metadata_hash.is_some().into(),
            metadata_hash: payload.metadata_hash.map(|hash| hex(&hash)),
            nonce: number(payload.nonce),
            signed_extensions: payload.extensions,
            spec_version: number(payload.spec_version.into()),
            tip: "0x00000000000000000000000000000000".into(),
            transaction_version: number(payload.transaction_version.into()),
            version: 4,
        },
    }
}

/// Signs for an account of the program what it has prepared.
pub async fn sign(
    State(app): State<Arc<App>>,
    Asked { keys, asked }: Asked<Sign>,
) -> Result<Json<host::Signature>, Refusal> {
    let payload = payload_of(asked.payload)?;
    let account = Named::Account(payload.account.clone()).address();
    let signer = app.signer_for(&keys, account, THE_SIGNER)?;
    let signature = deployed(&app)?.sign(signer, &payload)?;
    Ok(Json(host::Signature {
        signature: hex(&signature),
    }))
}

/// Names a session key for an account of the program.
pub async fn name_key(
    State(app): State<Arc<App>>,
    Asked { keys, asked }: Asked<NameKey>,
) -> Result<Json<KeyNamed>, Refusal> {
    let signer = app.signer_for(&keys, asked.account, THE_SIGNER)?;
    if asked.until > now().saturating_add(MOST_NAMED) {
        return Err(Refusal::input("a key is named for a week at most"));
    }
    let chain = app.connected()?.connection.client.signing_chain()?;
    let domain = Domain::without_stake(chain);
    let session = signer.sign_session(asked.key, asked.until, &domain);
    Ok(Json(match session.signature {
        AccountSignature::Ethereum(Signature(bytes)) => KeyNamed::Ethereum(hex(&bytes)),
        AccountSignature::Sr25519 { signature, .. } => {
            KeyNamed::Sr25519(AccountId(signer.account()), hex(&signature))
        }
    }))
}

/// What is signed, of its parts. Those that are always the same are not looked at: another value is refused with the
/// bytes that the program has not prepared.
fn payload_of(told: Payload) -> Result<connect4_client::Payload, Refusal> {
    let number = |text: &str| {
        let digits = text.strip_prefix("0x").unwrap_or(text);
        u64::from_str_radix(digits, 16)
            .map_err(|_| Refusal::input("numbers are spelled as 0x and hexadecimal digits"))
    };
    let short = |text: &str| {
        u32::try_from(number(text)?).map_err(|_| Refusal::input("a number is too large"))
    };
    let metadata_hash = told.metadata_hash.as_deref().map(hash).transpose()?;
    Ok(connect4_client::Payload {
        account: told.address.0,
        block: BlockRef {
            number: short(&told.block_number)?,
            hash: told.block_hash.into(),
        },
        era: digits(&told.era)?,
        genesis: told.genesis_hash.into(),
        method: digits(&told.method)?,
        nonce: number(&told.nonce)?,
        spec_version: short(&told.spec_version)?,
        transaction_version: short(&told.transaction_version)?,
        extensions: told.signed_extensions,
        metadata_hash: metadata_hash.map(|hash| hash.0),
    })
}

pub async fn submit(
    State(app): State<Arc<App>>,
    Sent(asked): Sent<Submit>,
) -> Result<Json<Submitted>, Refusal> {
    let at = app.connected()?;
    let client = &at.connection.client;
    let [head, signature, tail] =
        [&asked.head, &asked.signature, &asked.tail].map(|part| digits(part));
    let extrinsic = signed_extrinsic(&head?, &signature?, &tail?);
    let passing = async {
        let after = client.height().await?;
        let hash = client.pass_on(&extrinsic).await?;
        Ok::<_, Error>(Submitted {
            hash: hash.into(),
            after,
        })
    };
    app.while_there(passing).await.map(Json)
}

/// Whether an old block may be read for somebody, and why not: each counts as a request.
fn may_read(app: &App, visitor: Visitor, refusal: &mut Option<Refusal>) -> impl FnMut() -> bool {
    move || {
        let spent = app.gate.as_ref().map(|gate| gate.spend(visitor, 1));
        *refusal = spent.and_then(Result::err);
        refusal.is_none()
    }
}

/// Fails by a refusal if no block was read for it; else the answer says which one is the next.
fn need_read(refusal: Option<Refusal>, from: u32, next: u32) -> Result<(), Refusal> {
    refusal.filter(|_| next == from).map_or(Ok(()), Err)
}

pub async fn search(
    State(app): State<Arc<App>>,
    Path(hash): Path<String>,
    Extension(visitor): Extension<Visitor>,
    Queried(asked): Queried<SearchFrom>,
) -> Result<Json<Searched>, Refusal> {
    let hash = self::hash(&hash)?;
    let contract = deployed(&app)?;
    let mut refusal = None;
    let may_read = may_read(&app, visitor, &mut refusal);
    let search = contract.search_while(hash, asked.from, may_read);
    let found = app.while_there(search).await?;
    need_read(refusal, asked.from, found.next)?;
    let landed = found.found.map(|landed| {
        let (failure, events) = match landed.outcome {
            Ok(events) => (None, events),
            Err(why) => (Some(why), Vec::new()),
        };
        let events = events.into_iter().map(|event| {
            let at = connect4_client::Occurrence {
                event,
                block: landed.transaction.block,
                block_hash: landed.transaction.block_hash,
                index: landed.transaction.index,
            };
            Event::new(&at, None)
        });
        Landed {
            transaction: (&landed.transaction).into(),
            failure,
            events: events.collect(),
        }
    });
    Ok(Json(Searched {
        found: landed,
        next: found.next,
        best: found.best,
        last_final: found.last_final,
    }))
}

/// Asks a contract in the newest block, and in the newest final one.
pub async fn look(
    State(app): State<Arc<App>>,
    Sent(asked): Sent<Look>,
) -> Result<Json<Looked>, Refusal> {
    let contract = deployed(&app)?;
    if asked.data.len() > Look::MOST {
        return Err(Refusal::input(format!(
            "a look asks {} messages at most",
            Look::MOST
        )));
    }
    let inputs = asked.data.iter().map(|data| digits(data));
    let inputs = inputs.collect::<Result<Vec<_>, _>>()?;
    let looked = contract.look(asked.contract.into(), &inputs);
    let connect4_client::Looked { newest, last_final } = app.while_there(looked).await?;
    Ok(Json(Looked {
        newest: seen_at(newest),
        last_final: seen_at(last_final),
    }))
}

fn seen_at(at: connect4_client::LookedAt) -> LookedAt {
    LookedAt {
        block: at.block.number,
        hash: at.block.hash.into(),
        time: at.time,
        data: at.answers.iter().map(|answer| hex(answer)).collect(),
    }
}

/// Says what a contract has emitted in final blocks.
pub async fn events(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
    Sent(asked): Sent<AskEvents>,
) -> Result<Json<FinalEvents>, Refusal> {
    let contract = deployed(&app)?;
    let mut refusal = None;
    let may_read = may_read(&app, visitor, &mut refusal);
    let found = contract.emitted_while(asked.contract.into(), asked.from, may_read);
    let (events, next) = app.while_there(found).await?;
    need_read(refusal, asked.from, next)?;
    Ok(Json(FinalEvents {
        events: events.iter().map(|event| hex(&event.data)).collect(),
        next,
    }))
}

/// Says what an account has.
pub async fn holder(
    State(app): State<Arc<App>>,
    Queried(asked): Queried<OfAccount>,
) -> Result<Json<Holder>, Refusal> {
    let account = account(&asked.account)?;
    let at = app.connected()?;
    let client = &at.connection.client;
    let asking = async {
        let balance = client.balance(&account.account()).await?;
        Ok::<_, Error>(Holder {
            address: account.address(),
            account: AccountId(account.account()),
            balance: Amount(balance),
        })
    };
    app.while_there(asking).await.map(Json)
}

fn account(text: &str) -> Result<Named, Refusal> {
    text.parse::<Named>().map_err(Refusal::input)
}

fn hash(text: &str) -> Result<H256, Refusal> {
    digits(text)?.try_into().map(H256).map_err(|_| {
        Refusal::input("a block or a transaction is named by its hash: 0x and 64 digits")
    })
}

/// The bytes that `0x` and hexadecimal digits spell.
fn digits(text: &str) -> Result<Vec<u8>, Refusal> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    ::hex::decode(digits)
        .map_err(|_| Refusal::input("bytes are spelled as 0x and hexadecimal digits, two for each"))
}

fn hex(bytes: &[u8]) -> String {
    format!("0x{}", ::hex::encode(bytes))
}
