//! The contracts' events among those of a transaction or a block.

use connect4_protocol::{Address, Event};
use subxt::PolkadotConfig;
use subxt::blocks::ExtrinsicEvents;
use subxt::events::{EventDetails, Phase};
use subxt::utils::H256;

use crate::contract::Contract;
use crate::error::Error;
use crate::failure::unexpected;
use crate::task::Task;
use crate::value;

impl Contract {
    /// The contracts' events of a transaction, in order.
    pub(crate) fn events_of(
        &self,
        task: &Task,
        events: &ExtrinsicEvents<PolkadotConfig>,
    ) -> Result<Vec<Event>, Error> {
        let mut found = Vec::new();
        for event in events.iter() {
            let event = event.map_err(|error| self.client().failed(task, error))?;
            found.extend(self.decode(task, &event)?);
        }
        Ok(found)
    }

    /// The contracts' events of a block, in order, each with the index of its transaction in the
    /// block, from 0.
    pub(crate) async fn events_in(
        &self,
        task: &Task,
        block: H256,
    ) -> Result<Vec<(Event, u32)>, Error> {
        let failed = |error| self.client().failed(task, error);
        let events = self.client().api().events().at(block).await;
        let mut found = Vec::new();
        for event in events.map_err(failed)?.iter() {
            let event = event.map_err(failed)?;
            if let Phase::ApplyExtrinsic(index) = event.phase()
                && let Some(event) = self.decode(task, &event)?
            {
                found.push((event, index));
            }
        }
        Ok(found)
    }

    fn decode(
        &self,
        task: &Task,
        event: &EventDetails<PolkadotConfig>,
    ) -> Result<Option<Event>, Error> {
        decode(event, [self.games_address(), self.address()])
            .map_err(|reason| unexpected(task, reason))
    }
}

/// The event, if one of these contracts emitted it and it is known.
fn decode(
    event: &EventDetails<PolkadotConfig>,
    contracts: [Address; 2],
) -> Result<Option<Event>, String> {
    if (event.pallet_name(), event.variant_name()) != ("Revive", "ContractEmitted") {
        return Ok(None);
    }
    let fields = event.field_values().map_err(|error| error.to_string())?;
    let bytes = |name: &str| {
        value::in_composite(&fields, name)
            .and_then(value::bytes)
            .ok_or_else(|| format!("its contract event has no {name}"))
    };
    let contract = bytes("contract")?;
    if !contracts.iter().any(|ours| contract == ours.0) {
        return Ok(None);
    }
    // The topics follow each other: the first 32 bytes are the first topic.
    let topics = bytes("topics")?;
    let topic = topics.get(..32).unwrap_or_default();
    Event::decode(topic, &bytes("data")?).map_err(|error| error.to_string())
}
