//! The well-known development accounts, and signing.

use codec::Encode;
use sp_core::{Pair as _, sr25519::Pair};
use sp_keyring::Sr25519Keyring;
use sp_runtime::generic::Era;

use crate::runtime::{
    self, AccountId, Balance, BalancesConfig, Hash, Nonce, ReviveConfig, RuntimeCall,
    RuntimeGenesisConfig, Signature, UncheckedExtrinsic, currency::UNITS,
};

/// What each development account owns at the start.
pub const ENDOWMENT: Balance = 1_000_000 * UNITS;

/// The key pair of a development account.
pub fn pair(of: Sr25519Keyring) -> Pair {
    of.pair()
}

/// The account that a key pair signs for.
pub fn account_of(pair: &Pair) -> AccountId {
    AccountId::from(pair.public())
}

/// A call with its signature, valid for ever on the chain of this genesis block. The tip, in the
/// smallest unit, buys it a place before others.
pub fn sign(
    signer: &Pair,
    call: RuntimeCall,
    nonce: Nonce,
    tip: Balance,
    genesis: Hash,
) -> UncheckedExtrinsic {
    let extensions = runtime::extensions(nonce, Era::Immortal, tip);
    // What each extension signs without sending it: the two versions, and the genesis block once
    // for itself and once as the start of an endless era.
    let versions = (
        runtime::VERSION.spec_version,
        runtime::VERSION.transaction_version,
    );
    let implicit = (
        (),
        versions.0,
        versions.1,
        genesis,
        genesis,
        (),
        (),
        (),
        (),
        (),
    );
    let payload = (&call, &extensions, implicit).encode();
    // Long payloads are signed by their hash.
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
