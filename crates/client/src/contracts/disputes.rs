//! The dispute of a game by signed terms, as the contract of the fast games has noted it.

use connect4_protocol::GameId;
use connect4_protocol::fast::GameNumber;
use connect4_protocol::message::ContractKind;
use subxt::dynamic::{DecodedValue, Value};

use crate::chain::value;
use crate::contracts::deployed::Contracts;
use crate::error::Error;
use crate::task::Task;

impl Contracts {
    /// The game on the chain that terms with this number have started; none if they have not, or its storage was
    /// freed.
    ///
    /// # Errors
    ///
    /// If there are no fast games, the chain cannot be reached, or its answer is not understood.
    pub async fn dispute_of(&self, number: GameNumber) -> Result<Option<GameId>, Error> {
        let task = Task::Message("looking for the dispute of a game by signed terms".into());
        let fast = self.need(&task, ContractKind::Fast)?;
        // The contract keeps the number on the chain below the number of the terms.
        let argument = |name: &str| match name {
            "address" => Some(Value::from_bytes(fast.0)),
            "key" => Some(Value::from_bytes(number.0)),
            _ => None,
        };
        let client = self.client();
        let answer = client
            .runtime_api(&task, "get_storage", None, argument)
            .await?;
        let noted = inside(&answer, "Ok").and_then(|noted| inside(noted, "Some"));
        let noted: Option<[u8; 32]> = noted
            .and_then(value::bytes)
            .and_then(|bytes| bytes.try_into().ok());
        Ok(noted
            .and_then(|noted| GameNumber(noted).on_chain())
            .map(GameId::of_two))
    }
}

/// What is in a variant with this name.
fn inside<'a>(answer: &'a DecodedValue, name: &str) -> Option<&'a DecodedValue> {
    match value::variant(answer) {
        Some((found, values)) if found == name => values.first().copied(),
        _ => None,
    }
}
