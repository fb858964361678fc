//! Where the contracts are that an account has deployed. pallet-revive makes addresses as Ethereum does, so
//! they show whose code is there without anybody being asked.

use alloc::vec::Vec;

use connect4_protocol::Address;
use serde::{Deserialize, Serialize};
use sp_crypto_hashing::keccak_256;

use crate::failure::Failure;
use crate::values::Hex;

/// Salt of the addresses of the matches and the records, as the program deploys them.
const SALT: [u8; 32] = *b"connect4/contract/salt/fixed/v01";
/// Number of the games among the contracts that the matches have deployed, from 1.
const GAMES: u8 = 1;

/// Who has deployed the contracts of the matches and the records, and what.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Deployment {
    /// Address of the account.
    pub deployer: Address,
    /// Keccak-256 hash of the code and the input of the constructor, which names the code of the contracts that
    /// the matches deploy.
    pub init_code: Hex,
    /// The same of the records.
    pub records_init_code: Hex,
}

/// Addresses of the contracts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Deployed {
    /// Contract of the matches.
    pub matches: Address,
    /// Contract of the games.
    pub games: Address,
    /// Contract of the records.
    pub records: Address,
}

pub(crate) fn of(asked: Deployment) -> Result<Deployed, Failure> {
    let place = |init_code: &Hex| {
        let init_code: [u8; 32] = init_code.exactly()?;
        let parts = [&[0xff], &asked.deployer.0[..], &SALT, &init_code];
        Ok::<_, Failure>(of_bytes(&parts))
    };
    let matches = place(&asked.init_code)?;
    Ok(Deployed {
        matches,
        games: created(matches, GAMES),
        records: place(&asked.records_init_code)?,
    })
}

/// Address of a contract that another one has deployed without a salt (CREATE), by its number from 1 on to
/// 127: the hash of a list in RLP of the address and the number.
fn created(by: Address, number: u8) -> Address {
    const LIST: u8 = 0xc0 + 1 + 20 + 1;
    const ADDRESS: u8 = 0x80 + 20;
    of_bytes(&[&[LIST, ADDRESS], &by.0[..], &[number]])
}

fn of_bytes(parts: &[&[u8]]) -> Address {
    let bytes: Vec<u8> = parts.concat();
    Address::of_hash(&keccak_256(&bytes))
}
