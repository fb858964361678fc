//! Deployment of the contract of the games where there is no chain, as in tests of the metadata.

use ink::{
    Address, H256, U256,
    env::{
        ContractEnv, ContractReverseReference, DefaultEnvironment,
        call::{ExecutionInput, FromAddr, Selector, build_create},
    },
};

/// Contract of the games.
struct Games(Address);

/// Deploys it from uploaded code with this hash.
pub fn deploy(code: H256, constructor: [u8; 4]) -> Address {
    let games = build_create::<Games>()
        .code_hash(code)
        .endowment(U256::zero())
        .exec_input(ExecutionInput::new(Selector::new(constructor)))
        .salt_bytes(None)
        .returns::<Games>()
        .instantiate();
    games.0
}

impl ContractEnv for Games {
    type Env = DefaultEnvironment;
}

impl ContractReverseReference for Games {
    type Type = crate::Matches;
}

impl FromAddr for Games {
    fn from_addr(address: Address) -> Self {
        Self(address)
    }
}
