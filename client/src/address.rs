//! Addresses of contracts and of accounts as a contract sees them.

use std::fmt;
use std::str::FromStr;

use codec::{Decode, Encode};
use sp_crypto_hashing::keccak_256;
use subxt::utils::AccountId32;

/// An address of 20 bytes: a contract's, or an account's as contracts see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Encode, Decode)]
pub struct Address(pub [u8; 20]);

/// What an account that stands for a bare 20-byte address ends with.
const ETHEREUM_SUFFIX: [u8; 12] = [0xEE; 12];

impl Address {
    /// The address of an account, as pallet-revive's `AccountId32Mapper` maps it: the last 20 bytes
    /// of the Keccak-256 hash of its 32, or the first 20 if it was made from an address.
    #[must_use]
    pub fn of_account(account: &AccountId32) -> Self {
        let mut address = [0; 20];
        if is_ethereum(account) {
            address.copy_from_slice(&account.0[..20]);
        } else {
            address.copy_from_slice(&keccak_256(&account.0)[12..]);
        }
        Self(address)
    }

    /// The account that stands for this address if nobody mapped another one to it.
    #[must_use]
    pub fn fallback_account(&self) -> AccountId32 {
        let mut account = [0xEE; 32];
        account[..20].copy_from_slice(&self.0);
        AccountId32(account)
    }

    /// Where a contract comes to lie that `deployer` instantiates from `code` with the constructor's
    /// input `data` and this salt (CREATE2).
    #[must_use]
    pub fn create2(deployer: Self, code: &[u8], data: &[u8], salt: &[u8; 32]) -> Self {
        let init_code = keccak_256(&[code, data].concat());
        let hash = keccak_256(&[&[0xff], &deployer.0[..], salt, &init_code].concat());
        let mut address = [0; 20];
        address.copy_from_slice(&hash[12..]);
        Self(address)
    }
}

/// Whether an account stands for a bare 20-byte address. Such an account needs no mapping.
#[must_use]
pub fn is_ethereum(account: &AccountId32) -> bool {
    account.0[20..] == ETHEREUM_SUFFIX
}

/// `0x` and 40 digits.
impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x{}", hex::encode(self.0))
    }
}

/// Text that is no address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no address: an address is 0x and 40 hexadecimal digits")]
pub struct AddressError(String);

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        let mut address = [0; 20];
        text.strip_prefix("0x")
            .and_then(|digits| hex::decode_to_slice(digits, &mut address).ok())
            .map(|()| Self(address))
            .ok_or_else(|| AddressError(text.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn create2_is_the_chains() {
        // The case of pallet-revive's own test.
        assert_eq!(
            Address::create2(
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
            Address::of_account(&alice).to_string(),
            "0x9621dde636de098b43efb0fa9b61facfe328f99d"
        );
        let address = Address([7; 20]);
        let fallback = address.fallback_account();
        assert!(is_ethereum(&fallback) && !is_ethereum(&alice));
        assert_eq!(Address::of_account(&fallback), address);
    }

    #[test]
    fn addresses_read_back() {
        let address = Address([0xab; 20]);
        assert_eq!(address.to_string().parse(), Ok(address));
        for bad in [
            "",
            "0x",
            "0xab",
            &address.to_string()[2..],
            &format!("{address}00"),
        ] {
            assert!(bad.parse::<Address>().is_err(), "{bad}");
        }
    }
}
