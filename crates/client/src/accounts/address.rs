//! Addresses of accounts and of contracts, as pallet-revive makes them.

use connect4_protocol::Address;
use sp_crypto_hashing::keccak_256;
use subxt::utils::AccountId32;
use subxt_signer::eth;

/// Last bytes of an account that stands for a bare 20-byte address.
const ETHEREUM_SUFFIX: [u8; 12] = [0xEE; 12];

/// Address of an account, as pallet-revive's `AccountId32Mapper` maps it: the last 20 bytes of the
/// account's Keccak-256 hash, or its first 20 bytes if it stands for a bare address.
#[must_use]
pub fn of_account(account: &AccountId32) -> Address {
    if !is_ethereum(account) {
        return Address::of_hash(&keccak_256(&account.0));
    }
    let mut address = [0; 20];
    address.copy_from_slice(&account.0[..20]);
    Address(address)
}

/// Address of the account of an Ethereum key, as wallets show it.
pub(crate) fn of_ethereum_key(pair: &eth::Keypair) -> Address {
    // The first byte tells that the key is not compressed.
    Address::of_hash(&keccak_256(&pair.public_key().0[1..]))
}

/// The account that stands for a bare address, unless another account is mapped to it.
#[must_use]
pub fn fallback_account(address: Address) -> AccountId32 {
    let mut account = [0xEE; 32];
    account[..20].copy_from_slice(&address.0);
    AccountId32(account)
}

/// Address of the contract that `deployer` instantiates from `code`, with the constructor's input
/// `data` and a salt (CREATE2).
#[must_use]
pub fn create2(deployer: Address, code: &[u8], data: &[u8], salt: &[u8; 32]) -> Address {
    let init_code = keccak_256(&[code, data].concat());
    Address::of_hash(&keccak_256(
        &[&[0xff], &deployer.0[..], salt, &init_code].concat(),
    ))
}

/// Whether an account stands for a bare 20-byte address. Such an account needs no mapping.
#[must_use]
pub fn is_ethereum(account: &AccountId32) -> bool {
    account.0[20..] == ETHEREUM_SUFFIX
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn create2_gives_the_chains_address() {
        // From pallet-revive's own test.
        assert_eq!(
            create2(
                Address([1; 20]),
                &hex::decode("600060005560016000").unwrap(),
                &[0x55],
                &hex::decode("1234567890123456789012345678901234567890123456789012345678901234")
                    .unwrap()
                    .try_into()
                    .unwrap(),
            ),
            "0x7f31e795e5836a19a8f919ab5a9de9a197ecd2b6"
                .parse()
                .unwrap()
        );
    }

    #[test]
    fn accounts_are_mapped_as_the_chain_maps_them() {
        let alice: AccountId32 = "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"
            .parse()
            .unwrap();
        assert_eq!(
            of_account(&alice).to_string(),
            "0x9621dde636de098b43efb0fa9b61facfe328f99d"
        );
        let address = Address([7; 20]);
        let fallback = fallback_account(address);
        assert!(is_ethereum(&fallback) && !is_ethereum(&alice));
        assert_eq!(of_account(&fallback), address);
    }
}
