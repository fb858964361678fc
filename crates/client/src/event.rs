//! Contract events among the events of a block.

use connect4_protocol::{Address, Event};
use subxt::PolkadotConfig;
use subxt::events::EventDetails;

use crate::value;

/// The event, if it is one of these contracts'.
pub(crate) fn of(
    event: &EventDetails<PolkadotConfig>,
    contracts: &[Address],
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
    // The first 32 bytes of all topics are the first topic.
    let topics = bytes("topics")?;
    let topic = topics.get(..32).unwrap_or_default();
    Event::decode(topic, &bytes("data")?).map_err(|error| error.to_string())
}
