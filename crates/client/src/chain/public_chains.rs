//! What is signed and read on public chains, by their own metadata.
//!
//! The metadata are not in this repository: `scripts/public-metadata` fetches them, and `CONNECT4_PUBLIC_METADATA` names
//! their folder. Without it these tests look at nothing, and say so.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use connect4_protocol::Address;
use connect4_protocol::transaction::{Limits, PalletCall};
use connect4_testing::metadata::{self, Format16};
use subxt::PolkadotConfig;
use subxt::client::RuntimeVersion;
use subxt::config::DefaultExtrinsicParamsBuilder;
use subxt::dynamic::Value;
use subxt::ext::subxt_core::client::ClientState;
use subxt::ext::subxt_core::tx::create_v4_signed;
use subxt::utils::{AccountId32, H256, MultiSignature};

use crate::chain::block_ref::BlockRef;
use crate::chain::extrinsic::hash_of;
use crate::chain::form::{Form, SR25519, Written};
use crate::chain::known::{Doubt, Trust};
use crate::chain::runtimes::Described;
use crate::chain::token::Token;
use crate::contracts::prepare::signed_extrinsic;

/// A chain by its name, the hash of its first block, the number of the contracts' pallet, its token, and the hash of its
/// metadata as another implementation has it: `@polkadot-api/merkleize-metadata` 1.3.0 on npm.
type Public = (
    &'static str,
    &'static str,
    u8,
    (&'static str, u32),
    &'static str,
);

const CHAINS: [Public; 2] = [
    (
        "polkadot-2.3.1",
        "68d56f15f85d3136970ec16946040bc1752654e906147f7e43e9d539d7c3de2f",
        90,
        ("DOT", 10),
        "352899f15a77047e6d651d186a912d28430fc281e9c71ea90c03779ecf47c7e4",
    ),
    (
        "kusama",
        "48239ef607d7928874027a43a67689209727dfb3d3dc5e5b03a39bdc2eda771a",
        60,
        ("KSM", 12),
        "a3c4589a36b9333b76fb1718159b7b42f589a7cbf99d3f67636566358deceb4f",
    ),
];

fn read(name: &str) -> Option<Format16> {
    let Some(folder) = std::env::var_os("CONNECT4_PUBLIC_METADATA") else {
        println!("skipped: no metadata of public chains; scripts/public-metadata fetches them");
        return None;
    };
    let bytes = fs::read(PathBuf::from(folder).join(format!("{name}.scale")));
    Some(metadata::decode_16(
        &bytes.expect("the script has fetched it"),
    ))
}

fn genesis(digits: &str) -> H256 {
    let mut bytes = [0; 32];
    hex::decode_to_slice(digits, &mut bytes).unwrap();
    H256(bytes)
}

fn token((symbol, decimals): (&str, u32)) -> Token {
    Token {
        symbol: symbol.into(),
        decimals,
        ratio: 10_u128.pow(18 - decimals),
        returns_deposits: true,
    }
}

const DOT: (&str, u32) = ("DOT", 10);

/// The runtime as its node describes it in each of the formats: as it is, and with a second version of the
/// extensions that nobody can sign.
fn described(metadata: &Format16) -> [Arc<Described>; 3] {
    let mut second = metadata.clone();
    let account = metadata.types.types.iter().find(|one| {
        one.ty
            .path
            .segments
            .last()
            .is_some_and(|name| name == "AccountId32")
    });
    metadata::add_second_version(&mut second, account.expect("a type of accounts").id);
    [
        metadata::encode(metadata::as_format_15(&second)),
        metadata::encode_16(metadata.clone()),
        metadata::encode_16(second),
    ]
    .map(|bytes| Described::decode(bytes).unwrap())
}

const ANCHOR: BlockRef = BlockRef {
    number: 9_000_123,
    hash: H256([9; 32]),
};
const NONCE: u64 = 77;

fn call() -> PalletCall {
    PalletCall::Call {
        contract: Address([5; 20]),
        value: 12_345,
        limits: Limits {
            ref_time: 900_000_000,
            proof_size: 60_000,
            deposit: 80_000_000,
        },
        input: vec![3; 300],
    }
}

/// The same transaction as subxt writes it by the metadata: what is signed, and the extrinsic with this signature.
fn by_subxt(
    described: &Described,
    form: &Form,
    genesis: H256,
    account: &AccountId32,
    signature: [u8; 64],
) -> (Vec<u8>, Vec<u8>) {
    let state = ClientState::<PolkadotConfig> {
        genesis_hash: genesis,
        runtime_version: RuntimeVersion {
            spec_version: form.spec_version(),
            transaction_version: form.transaction_version(),
        },
        metadata: described.metadata.clone(),
    };
    let weight = Value::named_composite([
        ("ref_time", Value::u128(900_000_000)),
        ("proof_size", Value::u128(60_000)),
    ]);
    let fields = vec![
        ("dest", Value::from_bytes([5; 20])),
        ("value", Value::u128(12_345)),
        ("weight_limit", weight),
        ("storage_deposit_limit", Value::u128(80_000_000)),
        ("data", Value::from_bytes([3; 300])),
    ];
    let call = subxt::dynamic::tx("Revive", "call", fields);
    let params = DefaultExtrinsicParamsBuilder::<PolkadotConfig>::new()
        .nonce(NONCE)
        .mortal_from_unchecked(64, ANCHOR.number.into(), ANCHOR.hash)
        .build();
    let partial = create_v4_signed(&call, &state, params).unwrap();
    let signed = partial
        .sign_with_account_and_signature(account.clone(), &MultiSignature::Sr25519(signature));
    (partial.signer_payload(), signed.into_encoded())
}

#[test]
fn transactions_of_public_chains_are_written_as_their_metadata_have_them() {
    for (name, first, pallet, units, hash) in CHAINS {
        let Some(metadata) = read(name) else { return };
        let genesis = genesis(first);
        let account = AccountId32([7; 32]);
        for (format, described) in described(&metadata).into_iter().enumerate() {
            // Format 16 alone has no hash of the metadata, without which nothing is signed on chains that have it.
            let form = Form::of(&described, genesis, &token(units), &Trust::default());
            let form = match (format, form) {
                (0, form) => form.unwrap(),
                (_, Ok(form)) => form,
                (_, Err(doubt)) => {
                    assert!(doubt.to_string().contains("V15"), "{name}: {doubt}");
                    continue;
                }
            };
            assert_eq!(
                form.metadata_hash().map(hex::encode).as_deref(),
                Some(hash),
                "{name}"
            );
            let form = form.without_metadata_hash();
            let bytes = form.call(&call()).unwrap();
            assert_eq!(bytes[..2], [pallet, 1], "{name}");
            let written = form.write(bytes, NONCE, ANCHOR);
            // subxt reads the first version of the extensions in format 15 alone, so it is asked by that.
            if format == 0 {
                let signature = [8; 64];
                let (payload, extrinsic) =
                    by_subxt(&described, &form, genesis, &account, signature);
                assert_eq!(written.payload(), payload, "{name}");
                let signature = [&[SR25519][..], &signature].concat();
                let signed =
                    signed_extrinsic(&Written::head(&account), &signature, &written.tail());
                assert_eq!(signed, extrinsic, "{name}");
            }
        }
        // A node that says that another chain is this one is found out.
        let other = CHAINS
            .iter()
            .find(|(_, other, ..)| *other != first)
            .unwrap();
        let [described, ..] = self::described(&metadata);
        let doubt = Form::of(
            &described,
            self::genesis(other.1),
            &token(DOT),
            &Trust::default(),
        );
        assert!(
            matches!(doubt, Err(Doubt::Differs { .. })),
            "{name}: {doubt:?}"
        );
    }
}

/// Version 2.1 of Polkadot's runtime asked for ten times the deposit: prices of a node that shows old metadata.
#[test]
fn deposits_that_were_lowered_are_not_taken_again() {
    let Some(metadata) = read("polkadot-2.1.1") else {
        return;
    };
    let [described, ..] = described(&metadata);
    let doubt = Form::of(
        &described,
        genesis(CHAINS[0].1),
        &token(DOT),
        &Trust::default(),
    );
    let doubt = doubt.unwrap_err().to_string();
    assert!(
        doubt.contains("200000000, and on this chain it is 20000000 at most"),
        "{doubt}"
    );
}

/// A block with transactions of format 4, of format 5 with extensions that nobody knows, and of Ethereum.
#[test]
fn transactions_of_any_format_have_their_hashes() {
    use codec::Encode as _;
    for (name, _, pallet, ..) in CHAINS {
        let Some(metadata) = read(name) else { return };
        let [.., described] = described(&metadata);
        let ethereum = vec![2_u8, 0xf8, 1, 2, 3];
        let carried = |format: u8| ([format, pallet, 0], ethereum.clone()).encode().encode();
        // General transactions of format 5 begin with 0x45 and the version of the extensions.
        let general = [&[0x45, 1][..], &[6; 90]].concat().encode();
        let signed = [&[0x84, 0][..], &[6; 120]].concat().encode();
        let blake = |bytes: &[u8]| H256(sp_crypto_hashing::blake2_256(bytes));
        let hash = |bytes: &[u8]| hash_of(bytes, &described.metadata);
        for of_ethereum in [carried(4), carried(5)] {
            let known = H256(sp_crypto_hashing::keccak_256(&ethereum));
            assert_eq!(hash(&of_ethereum), known, "{name}");
        }
        for other in [signed, general, Vec::new(), vec![0], vec![8, 4, pallet]] {
            assert_eq!(hash(&other), blake(&other), "{name}");
        }
    }
}

/// What is in front of all else could be read as something else by a chain that does not have it.
#[test]
fn extensions_that_are_not_known_are_not_signed() {
    let Some(metadata) = read("paseo") else {
        return;
    };
    let trust = Trust {
        new_chains: true,
        ..Trust::default()
    };
    for described in described(&metadata) {
        let form = Form::of(&described, H256([1; 32]), &token(DOT), &trust);
        let doubt = form.unwrap_err().to_string();
        assert!(doubt.contains("an unknown extension, AsPgas"), "{doubt}");
    }
}
