//! The contracts' events among those of a transaction or a block.

use connect4_protocol::{Event, variants};
use subxt::PolkadotConfig;
use subxt::blocks::ExtrinsicEvents;
use subxt::events::{EventDetails, Phase};
use subxt::utils::H256;

use crate::deployed::Deployed;
use crate::error::Error;
use crate::failure::unexpected;
use crate::task::Task;
use crate::value;

/// An event of the contracts of games and matches, or of that of the variants.
pub trait ContractEvent: Sized {
    /// The event with this first topic and these data; none if the topic is that of no event.
    ///
    /// # Errors
    ///
    /// If the data are not the encoding of the event.
    fn decode(topic: &[u8], data: &[u8]) -> Result<Option<Self>, codec::Error>;
}

impl ContractEvent for Event {
    fn decode(topic: &[u8], data: &[u8]) -> Result<Option<Self>, codec::Error> {
        Self::decode(topic, data)
    }
}

impl ContractEvent for variants::Event {
    fn decode(topic: &[u8], data: &[u8]) -> Result<Option<Self>, codec::Error> {
        Self::decode(topic, data)
    }
}

impl Deployed {
    /// The contracts' events of a transaction, in order.
    pub(crate) fn events_of<E: ContractEvent>(
        &self,
        task: &Task,
        events: &ExtrinsicEvents<PolkadotConfig>,
    ) -> Result<Vec<E>, Error> {
        let mut found = Vec::new();
        for event in events.iter() {
            let event = event.map_err(|error| self.client().failed(task, error))?;
            found.extend(self.decode(task, &event)?);
        }
        Ok(found)
    }

    /// The contracts' events of a block, in order, each with the index of its transaction in the
    /// block, from 0.
    pub(crate) async fn events_in<E: ContractEvent>(
        &self,
        task: &Task,
        number: u32,
        block: H256,
    ) -> Result<Vec<(E, u32)>, Error> {
        let (events, _) = self.client().block_events(task, number, block).await?;
        let mut found = Vec::new();
        for event in events.iter() {
            let event = event.map_err(|error| self.client().failed(task, error))?;
            if let Phase::ApplyExtrinsic(index) = event.phase()
                && let Some(event) = self.decode(task, &event)?
            {
                found.push((event, index));
            }
        }
        Ok(found)
    }

    /// The event, if one of the contracts emitted it and it is known. One that is not is counted.
    fn decode<E: ContractEvent>(
        &self,
        task: &Task,
        event: &EventDetails<PolkadotConfig>,
    ) -> Result<Option<E>, Error> {
        if (event.pallet_name(), event.variant_name()) != ("Revive", "ContractEmitted") {
            return Ok(None);
        }
        let fields = event
            .field_values()
            .map_err(|error| unexpected(task, error))?;
        let bytes = |name: &str| {
            value::in_composite(&fields, name)
                .and_then(value::bytes)
                .ok_or_else(|| unexpected(task, format_args!("its contract event has no {name}")))
        };
        if !self.has(&bytes("contract")?) {
            return Ok(None);
        }
        // The topics follow each other: the first 32 bytes are the first topic.
        let topics = bytes("topics")?;
        let topic = topics.get(..32).unwrap_or_default();
        let decoded = E::decode(topic, &bytes("data")?);
        Ok(self.client().shared.skipped.known(decoded))
    }
}
