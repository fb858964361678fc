//! A general transaction: of format 5, with version 1 of the extensions, as the runtime of Polkadot Hub takes it and no
//! wallet makes it yet.

use codec::{Compact, Encode as _};
use serde_json::json;
use sp_crypto_hashing::blake2_256;
use subxt_signer::sr25519::Keypair;

use crate::rpc::Rpc;

/// Format 5, general.
const GENERAL: u8 = 0x45;
/// The version of the extensions, of which the first one carries the signature.
const EXTENSIONS: u8 = 1;
/// `System.remark`, without a text.
const REMARK: [u8; 3] = [0, 0, 0];

/// Sends a remark of an account, which does nothing. The hash of the transaction; nothing if the node does not take
/// it.
pub fn remark(rpc: Rpc, signer: &Keypair) -> Option<String> {
    let account = signer.public_key().to_account_id();
    let nonce = rpc.ask("system_accountNextIndex", json!([account.to_string()]))?;
    let version = rpc.ask("state_getRuntimeVersion", json!([]))?;
    let number = |name: &str| u32::try_from(version[name].as_u64()?).ok();
    let genesis = hex::decode(rpc.hash(0)?.trim_start_matches("0x")).ok()?;
    // Valid for ever, without a tip and without the hash of the metadata.
    let explicit = [&[0][..], &Compact(nonce.as_u64()?).encode(), &[0, 0]].concat();
    let implicit = [
        &number("specVersion")?.encode()[..],
        &number("transactionVersion")?.encode(),
        &genesis,
        &genesis,
        &[0],
    ]
    .concat();
    let signed = [&[EXTENSIONS][..], &REMARK, &explicit, &implicit].concat();
    let signature = signer.sign(&blake2_256(&signed)).0;
    let body = [
        &[GENERAL, EXTENSIONS, 1, 1][..],
        &signature,
        &account.0,
        &explicit,
        &REMARK,
    ]
    .concat();
    let extrinsic = body.encode();
    let sent = rpc.answer(
        "author_submitExtrinsic",
        json!([format!("0x{}", hex::encode(&extrinsic))]),
    )?;
    assert_eq!(sent["error"], json!(null), "the node takes it");
    Some(format!("0x{}", hex::encode(blake2_256(&extrinsic))))
}
