//! Where the contracts are that an account has deployed. pallet-revive makes addresses as Ethereum does, so
//! they show whose code is there without anybody being asked.

use alloc::vec::Vec;

use connect4_protocol::Address;
use serde::{Deserialize, Serialize};
use sp_crypto_hashing::keccak_256;

use crate::failure::Failure;
use crate::sponge::Sponge;
use crate::values::Hex;

/// Salt of the addresses of the matches and the stakes, as the program deploys them.
const SALT: [u8; 32] = *b"connect4/contract/salt/fixed/v01";
/// Number of the games among the contracts that the matches have deployed, from 1.
const GAMES: u8 = 1;

/// Who has deployed the contracts of the matches and the stakes, and what.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Deployment {
    /// Address of the account.
    pub deployer: Address,
    /// Keccak-256 hash of the code and the input of the constructor, which names the code of the contracts that
    /// the matches deploy.
    pub init_code: Hex,
    /// The same of the stakes, begun: the state of Keccak-256 after the last whole block of their code and the
    /// selector of their constructor, 200 bytes, then the bytes after that block. The chain's first block follows.
    pub stakes: Hex,
    /// Hash of the chain's first block.
    pub genesis: Hex,
}

/// Addresses of the contracts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Deployed {
    /// Contract of the matches.
    pub matches: Address,
    /// Contract of the games.
    pub games: Address,
    /// Contract of the stakes, whose games are signed for this chain and no other one.
    pub stakes: Address,
}

pub(crate) fn of(asked: Deployment) -> Result<Deployed, Failure> {
    let place = |init_code: [u8; 32]| {
        let parts = [&[0xff], &asked.deployer.0[..], &SALT, &init_code];
        of_bytes(&parts)
    };
    let matches = place(asked.init_code.exactly()?);
    let genesis: [u8; 32] = asked.genesis.exactly()?;
    let (begun, rest) = Sponge::resume(&asked.stakes.0)
        .ok_or_else(|| Failure::request("200 bytes at least are expected"))?;
    let stakes = begun.hash(&[rest, &genesis[..]].concat());
    Ok(Deployed {
        matches,
        games: created(matches, GAMES),
        stakes: place(stakes),
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
