//! Where the contracts are that an account has deployed. pallet-revive makes addresses as Ethereum does, so
//! they show whose code is there without anybody being asked.

use connect4_protocol::Address;
use serde::{Deserialize, Serialize};
use sp_crypto_hashing::keccak_256;

use crate::failure::Failure;
use crate::sponge::Sponge;
use crate::values::Hex;

/// Salt of the addresses, as the program deploys the contracts.
const SALT: [u8; 32] = *b"connect4/contract/salt/fixed/v01";

/// Who has deployed the contracts that wallets call, and what.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Deployment {
    /// Address of the account.
    pub deployer: Address,
    /// Keccak-256 hash of the code of the games and the input of their constructor.
    pub games: Hex,
    /// The same of the variants.
    pub variants: Hex,
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
    /// Contract of the games.
    pub games: Address,
    /// Contract of the variants.
    pub variants: Address,
    /// Contract of the stakes, whose games are signed for this chain and no other one.
    pub stakes: Address,
}

pub(crate) fn of(asked: Deployment) -> Result<Deployed, Failure> {
    let place = |init_code: [u8; 32]| {
        let parts = [&[0xff], &asked.deployer.0[..], &SALT, &init_code];
        Address::of_hash(&keccak_256(&parts.concat()))
    };
    let games = place(asked.games.exactly()?);
    let variants = place(asked.variants.exactly()?);
    let genesis: [u8; 32] = asked.genesis.exactly()?;
    let (begun, rest) = Sponge::resume(&asked.stakes.0)
        .ok_or_else(|| Failure::request("200 bytes at least are expected"))?;
    let stakes = begun.hash(&[rest, &genesis[..]].concat());
    Ok(Deployed {
        games,
        variants,
        stakes: place(stakes),
    })
}
