//! A node that lies about its chain, at random: whatever is signed for it, the true chain reads as the call that was
//! agreed to, or does not take.

use codec::{Decode, Encode};
use connect4_chain::runtime::{RuntimeCall, TxExtension, VERSION};
use connect4_chain::{Chain, Options};
use connect4_protocol::Address;
use connect4_protocol::transaction::{MOST_PROOF_SIZE, MOST_REF_TIME};
use connect4_testing::dice::Dice;
use connect4_testing::metadata::{self, Metadata};
use scale_info::{PortableRegistry, TypeDef, form::PortableForm};
use subxt::utils::H256;

use crate::chain::block_ref::BlockRef;
use crate::chain::dry_run::{Call, DryRun, Returned};
use crate::chain::form::Form;
use crate::chain::known::Trust;
use crate::chain::runtimes::Described;
use crate::chain::token::Token;

/// Lies in each run of the tests; another number by `CONNECT4_SEQUENCES`, from the seed `CONNECT4_SEED` on.
const LIES: u64 = 2_000;

const GENESIS: H256 = H256([7; 32]);
const ANCHOR: BlockRef = BlockRef {
    number: 1_000,
    hash: H256([9; 32]),
};
const CONTRACT: Address = Address([5; 20]);
const INPUT: [u8; 60] = [3; 60];
const PAYMENT: u128 = 10_000_000_000;
/// Limit of the deposit of a call of the contracts at the prices of this chain: less than a tenth of a token.
const MOST_DEPOSIT: u128 = 730_000_000;

fn honest() -> Metadata {
    let chain = Chain::open(Options::default()).unwrap();
    let best = chain.best().1;
    let answer = chain.call(&best, "Metadata_metadata_at_version", &15_u32.encode());
    let answer = Option::<Vec<u8>>::decode(&mut &answer.unwrap()[..]).unwrap();
    metadata::decode(&answer.unwrap()).unwrap()
}

fn described(metadata: Metadata) -> Option<std::sync::Arc<Described>> {
    Described::decode(metadata::encode(metadata)).ok()
}

fn token() -> Token {
    Token {
        symbol: "DOT".into(),
        decimals: 10,
        ratio: 100_000_000,
        returns_deposits: true,
    }
}

fn number(dice: &mut Dice, most: usize) -> usize {
    dice.below(u64::try_from(most).unwrap()) as usize
}

/// A type in the registry, to be changed.
fn type_of(types: &mut PortableRegistry, id: u32) -> &mut TypeDef<PortableForm> {
    &mut types.types[id as usize].ty.type_def
}

/// Changes one thing in the metadata.
fn lie(metadata: &mut Metadata, dice: &mut Dice) -> &'static str {
    let pallets = metadata.pallets.len();
    let revive = metadata
        .pallets
        .iter()
        .position(|pallet| pallet.name == "Revive")
        .unwrap_or(0);
    let extensions = &mut metadata.extrinsic.signed_extensions;
    let some_types = u64::try_from(metadata.types.types.len()).unwrap();
    match dice.below(14) {
        0 => {
            let other = number(dice, pallets);
            let index = metadata.pallets[other].index;
            metadata.pallets[other].index = metadata.pallets[revive].index;
            metadata.pallets[revive].index = index;
            "pallets exchanged"
        }
        1 => {
            metadata.pallets[revive].index = dice.below(256) as u8;
            "another index"
        }
        2 | 3 => {
            let calls = metadata.pallets[revive]
                .calls
                .as_ref()
                .map(|calls| calls.ty.id);
            if let Some(id) = calls
                && let TypeDef::Variant(calls) = type_of(&mut metadata.types, id)
            {
                let count = calls.variants.len();
                let (one, two) = (number(dice, count), number(dice, count));
                let index = calls.variants[one].index;
                calls.variants[one].index = calls.variants[two].index;
                calls.variants[two].index = index;
            }
            "calls exchanged"
        }
        4 => {
            let calls = metadata.pallets[revive]
                .calls
                .as_ref()
                .map(|calls| calls.ty.id);
            let ty = dice.below(some_types) as u32;
            if let Some(id) = calls
                && let TypeDef::Variant(calls) = type_of(&mut metadata.types, id)
            {
                for variant in &mut calls.variants {
                    let count = variant.fields.len();
                    if variant.name == "call" && count > 0 {
                        let at = number(dice, count);
                        variant.fields[at].ty.id = ty;
                        let other = number(dice, count);
                        variant.fields.swap(at, other);
                    }
                }
            }
            "types and order of fields"
        }
        5 => {
            let count = extensions.len();
            let (one, two) = (number(dice, count), number(dice, count));
            extensions.swap(one, two);
            "extensions exchanged"
        }
        6 => {
            let at = number(dice, extensions.len());
            if extensions.len() > 1 {
                extensions.remove(at);
            }
            "an extension left out"
        }
        7 => {
            let at = number(dice, extensions.len());
            let again = extensions[at].clone();
            let to = number(dice, extensions.len());
            extensions.insert(to, again);
            "an extension twice"
        }
        8 | 9 => {
            const NAMES: [&str; 6] = [
                "CheckMetadataHash",
                "ChargeAssetTxPayment",
                "ChargeTransactionPayment",
                "Anything",
                "CheckNonce",
                "CheckMortality",
            ];
            let at = number(dice, extensions.len());
            let mut more = extensions[at].clone();
            more.identifier = dice.one_of(&NAMES).into();
            more.ty.id = dice.below(some_types) as u32;
            match dice.once_in(2) {
                true => extensions[at] = more,
                false => extensions.insert(at, more),
            }
            "another extension"
        }
        10 => {
            let at = number(dice, extensions.len());
            extensions[at].ty.id = dice.below(some_types) as u32;
            "the type of an extension"
        }
        11 => {
            let count = metadata.pallets[revive].constants.len();
            let at = number(dice, count.max(1));
            if let Some(constant) = metadata.pallets[revive].constants.get_mut(at) {
                constant
                    .value
                    .iter_mut()
                    .for_each(|byte| *byte = dice.below(256) as u8);
            }
            "prices and numbers"
        }
        12 => {
            let names = [
                "connect4-local",
                "connect4-network",
                "statemint",
                "anything",
            ];
            let mut version = VERSION;
            version.spec_name = dice.one_of(&names).into();
            version.spec_version = dice.below(4) as u32;
            version.transaction_version = dice.below(3) as u32;
            for pallet in &mut metadata.pallets {
                for constant in &mut pallet.constants {
                    if constant.name == "Version" {
                        constant.value = version.encode();
                    }
                }
            }
            "the runtime"
        }
        _ => {
            let name = metadata.pallets[revive].name.clone();
            let other = number(dice, pallets);
            metadata.pallets[revive].name = metadata.pallets[other].name.clone();
            metadata.pallets[other].name = name;
            "names of pallets exchanged"
        }
    }
}

/// What the true chain reads in what was signed; none if it would not take the signature.
fn read(payload: &[u8]) -> Option<(RuntimeCall, TxExtension)> {
    let mut bytes = payload;
    let call = RuntimeCall::decode(&mut bytes).ok()?;
    let extension = TxExtension::decode(&mut bytes).ok()?;
    let versions = (VERSION.spec_version, VERSION.transaction_version).encode();
    let rest = [&versions[..], &GENESIS.0, &ANCHOR.hash.0].concat();
    (bytes == rest).then_some((call, extension))
}

/// A dry run with any numbers that a node may report.
fn any_run(dice: &mut Dice) -> DryRun {
    DryRun {
        result: Ok(Returned {
            reverted: false,
            data: Vec::new(),
        }),
        ref_time: dice.below(u64::MAX) >> dice.below(64),
        proof_size: dice.below(u64::MAX) >> dice.below(64),
        deposit: 0,
        highest_deposit: u128::from(dice.below(u64::MAX)) << 63 >> dice.below(127),
    }
}

#[test]
fn whatever_a_node_reports_nothing_else_is_signed_than_was_agreed_to() {
    let variable = |name: &str| std::env::var(name).ok()?.parse::<u64>().ok();
    let first = variable("CONNECT4_SEED").unwrap_or(0);
    let lies = variable("CONNECT4_SEQUENCES").unwrap_or(LIES);
    let honest = honest();
    let (mut signed, mut doubted, mut void) = (0, 0, 0);
    for seed in first..first + lies {
        let mut dice = Dice(seed);
        let mut metadata = honest.clone();
        let told: Vec<&str> = (0..dice.below(4))
            .map(|_| lie(&mut metadata, &mut dice))
            .collect();
        let told = format!("seed {seed}: {told:?}");
        let Some(described) = described(metadata) else {
            doubted += 1;
            continue;
        };
        let trust = Trust::default();
        let Ok(form) = Form::of(&described, GENESIS, &token(), &trust) else {
            doubted += 1;
            continue;
        };
        let run = match dice.once_in(2) {
            true => any_run(&mut dice),
            false => DryRun {
                ref_time: 500_000_000,
                proof_size: 60_000,
                highest_deposit: 60_000_000,
                ..any_run(&mut dice)
            },
        };
        let call = run.signed(
            Call {
                contract: CONTRACT,
                payment: PAYMENT,
                input: &INPUT,
            },
            &described.metadata,
        );
        let Ok(call) = form.call(&call) else {
            doubted += 1;
            continue;
        };
        let nonce = match dice.once_in(2) {
            true => dice.below(100),
            false => dice.below(u64::MAX),
        };
        let written = form.write(call, nonce, ANCHOR);
        let Some((call, extension)) = read(&written.signed_bytes()) else {
            void += 1;
            continue;
        };
        signed += 1;
        let RuntimeCall::Revive(pallet_revive::Call::call {
            dest,
            value,
            weight_limit,
            storage_deposit_limit,
            data,
        }) = call
        else {
            panic!("{told}: signed {call:?}")
        };
        assert_eq!(
            (dest.0, value, &data[..]),
            (CONTRACT.0, PAYMENT, &INPUT[..]),
            "{told}"
        );
        assert!(
            weight_limit.ref_time() <= MOST_REF_TIME,
            "{told}: {weight_limit:?}"
        );
        assert!(
            weight_limit.proof_size() <= MOST_PROOF_SIZE,
            "{told}: {weight_limit:?}"
        );
        assert!(
            storage_deposit_limit <= MOST_DEPOSIT,
            "{told}: {storage_deposit_limit}"
        );
        assert_eq!(extension.7.tip(), 0, "{told}");
        let era = extension.4.encode();
        assert_eq!(era, sp_era(ANCHOR.number), "{told}: an era of 64 blocks");
    }
    println!("{lies} lies: {signed} signed as agreed, {void} void, {doubted} not signed");
    assert!(
        signed > lies / 20 && doubted > lies / 4,
        "{signed}, {void}, {doubted}"
    );
}

/// The era of 64 blocks from a block on, as Substrate encodes it: the period's logarithm less one in four bits, and
/// the block's number within the period.
fn sp_era(block: u32) -> Vec<u8> {
    (5_u16 | ((block % 64) as u16) << 4).to_le_bytes().to_vec()
}
