//! Calls to the contract of the games, whose referee the matches are.

use connect4_protocol::Message;
use ink::{
    Address,
    env::{
        ContractEnv, ContractReverseReference, DefaultEnvironment,
        call::{ExecutionInput, FromAddr, Selector, build_call},
    },
};

/// Contract of the games.
pub struct Games(Address);

impl Games {
    /// The contract of the games at this address.
    pub const fn at(address: Address) -> Self {
        Self(address)
    }

    /// Its address.
    pub const fn address(&self) -> Address {
        self.0
    }

    /// Calls a message, and returns its answer.
    ///
    /// # Panics
    ///
    /// If the contract does not answer, as when no weight is left. That reverts the whole call.
    pub fn call<M: Message>(&self, message: &M) -> M::Answer {
        let input = ExecutionInput::new(Selector::new(M::SELECTOR)).push_arg(message);
        build_call::<DefaultEnvironment>()
            .call(self.0)
            .exec_input(input)
            .returns::<M::Answer>()
            .invoke()
    }
}

impl ContractEnv for Games {
    type Env = DefaultEnvironment;
}

// Asked for by ink!, for tests off chain that instantiate one contract from another.
impl ContractReverseReference for Games {
    type Type = crate::Matches;
}

impl FromAddr for Games {
    fn from_addr(address: Address) -> Self {
        Self(address)
    }
}
