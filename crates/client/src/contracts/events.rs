//! The contracts' events among those of a transaction or a block.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use connect4_protocol::signed::RecordsEvent;
use connect4_protocol::signed::event::{GameRecorded, WitnessContradicted};
use connect4_protocol::{Address, Event, topic};
use subxt::PolkadotConfig;
use subxt::blocks::ExtrinsicEvents;
use subxt::events::{EventDetails, Phase};
use subxt::utils::H256;

use crate::chain::block_ref::BlockRef;
use crate::chain::client::Client;
use crate::chain::submit::paid_in;
use crate::chain::value;
use crate::contracts::deployed::Contracts;
use crate::contracts::emitted::Emitted;
use crate::error::Error;
use crate::failure::unexpected;
use crate::task::Task;

impl Emitted {
    /// The event; none if it is none that is known.
    ///
    /// # Errors
    ///
    /// If the data are not the encoding of the event.
    pub fn decode(&self) -> Result<Option<Event>, codec::Error> {
        Event::decode(&self.topic, &self.data)
    }

    /// The event, if it is one of the records of signed games.
    #[must_use]
    pub fn of_signed_records(&self) -> Option<RecordsEvent> {
        RecordsEvent::decode(&self.topic, &self.data).ok()?
    }
}

/// Topics of the events of the records of signed games.
static OF_SIGNED_RECORDS: LazyLock<[[u8; 32]; 2]> = LazyLock::new(|| {
    [
        topic(GameRecorded::DECLARATION),
        topic(WitnessContradicted::DECLARATION),
    ]
});

/// What a block tells of some contracts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Emissions {
    /// The contracts' events, in order.
    pub(crate) events: Vec<Emitted>,
    /// Fees of the block's transactions by their index, in the token's smallest unit.
    pub(crate) fees: BTreeMap<u32, u128>,
    /// The accounts that have paid them.
    pub(crate) payers: BTreeMap<u32, Address>,
}

impl Client {
    /// What a block tells of these contracts, from its events as they are stored; with those of records
    /// of signed games, whichever contract they are of. A block without
    /// any of them is not decoded.
    pub(crate) async fn emissions(
        &self,
        task: &Task,
        number: u32,
        bytes: Vec<u8>,
        contracts: &[Address],
    ) -> Result<Emissions, Error> {
        let mut found = Emissions::default();
        let names = |contract: &Address| bytes.windows(20).any(|part| part == contract.0);
        let tells = |topic: &[u8; 32]| bytes.windows(32).any(|part| part == topic);
        if !contracts.iter().any(names) && !OF_SIGNED_RECORDS.iter().any(tells) {
            return Ok(found);
        }
        let (events, _) = self.decoded_events(task, number, bytes).await?;
        for event in events.iter() {
            let event = event.map_err(|error| self.failed(task, error))?;
            let Phase::ApplyExtrinsic(index) = event.phase() else {
                continue;
            };
            if let Some((fee, payer)) = paid_in(task, &event)? {
                found.fees.insert(index, fee);
                found.payers.extend(payer.map(|payer| (index, payer)));
            } else if let Some(event) = emitted(task, &event, index)?
                && (contracts.contains(&event.contract) || OF_SIGNED_RECORDS.contains(&event.topic))
            {
                found.events.push(event);
            }
        }
        Ok(found)
    }

    /// What a contract has emitted in a block, in order.
    ///
    /// # Errors
    ///
    /// [`Error::NoState`] if the node has discarded the block's events; else if the chain cannot be reached.
    pub(crate) async fn emitted_in(
        &self,
        task: &Task,
        BlockRef { number, hash }: BlockRef,
        contract: Address,
    ) -> Result<Vec<Emitted>, Error> {
        let bytes = self.known_event_bytes(task, number, hash).await?;
        let told = self.emissions(task, number, bytes, &[contract]).await?;
        let mut events = told.events;
        events.retain(|event| event.contract == contract);
        Ok(events)
    }
}

impl Contracts {
    /// The contracts' events of a transaction, in order.
    pub(crate) fn events_of(
        &self,
        task: &Task,
        events: &ExtrinsicEvents<PolkadotConfig>,
    ) -> Result<Vec<Event>, Error> {
        let mut found = Vec::new();
        for event in events.iter() {
            let event = event.map_err(|error| self.client().failed(task, error))?;
            if let Some(event) = emitted(task, &event, events.extrinsic_index())?
                && self.emitters().contains(&event.contract)
            {
                found.extend(self.client().shared.skipped.known(event.decode()));
            }
        }
        Ok(found)
    }

    /// The contracts' events of a block, in order, each with the index of its transaction in the
    /// block, from 0.
    pub(crate) async fn events_in(
        &self,
        task: &Task,
        number: u32,
        block: H256,
    ) -> Result<Vec<(Event, u32)>, Error> {
        let client = self.client();
        let bytes = client.known_event_bytes(task, number, block).await?;
        let emitted = client.emissions(task, number, bytes, self.emitters());
        let mut emitted = emitted.await?.events;
        emitted.retain(|event| self.emitters().contains(&event.contract));
        let skipped = &client.shared.skipped;
        let known = |emitted: Emitted| Some((skipped.known(emitted.decode())?, emitted.index));
        Ok(emitted.into_iter().filter_map(known).collect())
    }
}

/// The event, if a contract emitted it in the transaction with this index.
fn emitted(
    task: &Task,
    event: &EventDetails<PolkadotConfig>,
    index: u32,
) -> Result<Option<Emitted>, Error> {
    if (event.pallet_name(), event.variant_name()) != ("Revive", "ContractEmitted") {
        return Ok(None);
    }
    let fields = event
        .field_values()
        .map_err(|error| unexpected(task, error))?;
    let lacks = |name| unexpected(task, format_args!("its contract event has no {name}"));
    let bytes = |name: &str| value::in_composite(&fields, name).and_then(value::bytes);
    let contract = bytes("contract").and_then(|bytes| bytes.try_into().ok());
    let contract = Address(contract.ok_or_else(|| lacks("contract"))?);
    // The topics follow each other: the first 32 bytes are the first topic.
    let topics = bytes("topics").ok_or_else(|| lacks("topics"))?;
    Ok(Some(Emitted {
        contract,
        index,
        place: event.index(),
        topic: topics.first_chunk().copied().unwrap_or_default(),
        data: bytes("data").ok_or_else(|| lacks("data"))?,
    }))
}
