//! Addresses of accounts and session keys.

use alloc::string::String;
use alloc::vec::Vec;

use connect4_protocol::Address;
use serde::Serialize;
use sp_crypto_hashing::{blake2_512, keccak_256};

use crate::failure::Failure;
use crate::session_key;
use crate::values::Hex;

/// Last bytes of an account that stands for a bare 20-byte address.
const ETHEREUM_SUFFIX: [u8; 12] = [0xEE; 12];
/// What SS58 hashes before an account.
const SS58_PREFIX: &[u8] = b"SS58PRE";
/// Bytes of the hash at the end of an account of 32 bytes.
const SS58_CHECKSUM: usize = 2;

/// An account, as contracts know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AccountOf {
    /// Its address.
    pub address: Address,
    /// The account of 32 bytes; that of an address ends with twelve bytes `ee`.
    pub account: Hex,
    /// Whether the account stands for the address of an Ethereum key. Any other has to be mapped.
    pub is_ethereum: bool,
    /// Number of the network in SS58; none if the account was given otherwise.
    pub network: Option<u16>,
}

/// A session key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SessionOf {
    /// Its address.
    pub address: Address,
}

pub(crate) fn of(text: String) -> Result<AccountOf, Failure> {
    let (account, network) = match text.parse::<Hex>() {
        Ok(bytes) if bytes.0.len() == 20 => {
            let mut account = bytes.0;
            account.extend_from_slice(&ETHEREUM_SUFFIX);
            (Hex(account).exactly()?, None)
        }
        Ok(bytes) => (bytes.exactly()?, None),
        Err(_) => {
            let (account, network) = from_ss58(&text).ok_or_else(|| {
                Failure::request("this is neither an address nor an account in SS58")
            })?;
            (account, Some(network))
        }
    };
    let (address, suffix) = account.split_at(20);
    let is_ethereum = suffix == ETHEREUM_SUFFIX;
    let address = match is_ethereum {
        true => Address(Hex(address.into()).exactly()?),
        false => Address::of_hash(&keccak_256(&account)),
    };
    Ok(AccountOf {
        address,
        account: Hex(account.into()),
        is_ethereum,
        network,
    })
}

/// The account in SS58, and the number of its network.
fn from_ss58(text: &str) -> Option<([u8; 32], u16)> {
    let bytes: Vec<u8> = bs58::decode(text).into_vec().ok()?;
    let (network, prefix) = match *bytes.first()? {
        simple @ 0..64 => (simple.into(), 1),
        // Six bits of the first byte and all of the second are turned round, with two bits of the
        // first at the top.
        first @ 64..128 => {
            let second = *bytes.get(1)?;
            let low = first.wrapping_shl(2) | second.wrapping_shr(6);
            (u16::from_le_bytes([low, second & 0b11_1111]), 2)
        }
        _ => return None,
    };
    let (content, checksum) = bytes.split_at_checked(bytes.len().checked_sub(SS58_CHECKSUM)?)?;
    let hash = blake2_512(&[SS58_PREFIX, content].concat());
    let account = content.get(prefix..)?.try_into().ok()?;
    hash.starts_with(checksum).then_some((account, network))
}

pub(crate) fn session(secret: Hex) -> Result<SessionOf, Failure> {
    let address = session_key::of(&secret)?.address();
    Ok(SessionOf { address })
}
