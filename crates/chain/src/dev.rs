//! The development accounts, whose keys are public, and signing transactions.

use codec::Encode;
use sp_core::{Pair as _, sr25519::Pair};
use sp_keyring::Sr25519Keyring;
use sp_runtime::generic::Era;

use crate::runtime::{
    self, AccountId, Balance, BalancesConfig, Hash, Nonce, ReviveConfig, RuntimeCall,
    RuntimeGenesisConfig, Signature, UncheckedExtrinsic, currency::UNITS,
};

/// The balance of each development account in block 0, in the smallest unit.
pub const ENDOWMENT: Balance = 1_000_000 * UNITS;

pub fn pair(of: Sr25519Keyring) -> Pair {
    of.pair()
}

pub fn account_of(pair: &Pair) -> AccountId {
    AccountId::from(pair.public())
}

/// Signs a call for the chain with this genesis block. The transaction does not expire. The tip,
/// in the smallest unit, puts it before those with a lower one.
pub fn sign(
    signer: &Pair,
    call: RuntimeCall,
    nonce: Nonce,
    tip: Balance,
    genesis: Hash,
) -> UncheckedExtrinsic {
    sign_from(signer, call, nonce, tip, genesis, (Era::Immortal, genesis))
}

/// As [`sign`], for an era and the hash of the block with which it begins. On a branch without that
/// block the signature is a bad one.
pub fn sign_from(
    signer: &Pair,
    call: RuntimeCall,
    nonce: Nonce,
    tip: Balance,
    genesis: Hash,
    (era, birth): (Era, Hash),
) -> UncheckedExtrinsic {
    let extensions = runtime::extensions(nonce, era, tip);
    // The signature covers values that are not part of the transaction, one for each extension:
    // the runtime's two versions, the genesis block, and the block at which the transaction's
    // validity begins, which is the genesis block if it does not expire.
    let versions = (
        runtime::VERSION.spec_version,
        runtime::VERSION.transaction_version,
    );
    let implicit = (
        (),
        versions.0,
        versions.1,
        genesis,
        birth,
        (),
        (),
        (),
        (),
        (),
    );
    let payload = (&call, &extensions, implicit).encode();
    // The format of transactions signs the hash of a payload longer than 256 bytes.
    let signature = if payload.len() > 256 {
        signer.sign(&sp_core::hashing::blake2_256(&payload))
    } else {
        signer.sign(&payload)
    };
    sp_runtime::generic::UncheckedExtrinsic::new_signed(
        call,
        account_of(signer).into(),
        Signature::Sr25519(signature),
        extensions,
    )
    .into()
}

/// The state of block 0: the development accounts own [`ENDOWMENT`] each and are known to
/// contracts.
pub fn genesis() -> RuntimeGenesisConfig {
    let accounts: Vec<AccountId> = Sr25519Keyring::well_known()
        .map(|key| key.to_account_id())
        .collect();
    RuntimeGenesisConfig {
        balances: BalancesConfig {
            balances: accounts
                .iter()
                .map(|account| (account.clone(), ENDOWMENT))
                .collect(),
            ..Default::default()
        },
        revive: ReviveConfig {
            mapped_accounts: accounts,
            ..Default::default()
        },
        ..Default::default()
    }
}
