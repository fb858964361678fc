//! What the records of signed games have told.

use std::ops::RangeInclusive;

use connect4_protocol::message::ContractKind;
use connect4_protocol::signed::RecordsEvent;
use connect4_protocol::signed::event::GameRecorded;

use crate::contracts::deployed::Contracts;
use crate::error::Error;
use crate::history::blocks::{Emitters, ReadBlocks};

/// Blocks that are read at once.
const AT_ONCE: u32 = 512;

impl Contracts {
    /// The signed games that the contract of their records has told of in these blocks of the best branch, in order; none
    /// if it is not there. Blocks whose events the node has discarded are left out.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached.
    pub async fn recorded_ends(
        &self,
        blocks: RangeInclusive<u32>,
    ) -> Result<Vec<GameRecorded>, Error> {
        let Some(address) = self.address_of(ContractKind::SignedRecords) else {
            return Ok(Vec::new());
        };
        let client = self.client();
        let emitters = Emitters {
            contracts: vec![address],
            ..Emitters::default()
        };
        let mut found = Vec::new();
        let mut after = match blocks.start().checked_sub(1) {
            Some(before) => client.block_at(before).await?,
            None => None,
        };
        while after.is_none_or(|after| after.number < *blocks.end()) {
            let read = client.blocks_after(&emitters, after, AT_ONCE).await?;
            let ReadBlocks::Read(read) = read else {
                break;
            };
            let events = read.blocks.iter().flat_map(|block| {
                let is_wanted = blocks.contains(&block.block.number);
                block.events.iter().filter(move |_| is_wanted)
            });
            let genesis = client.genesis().0;
            found.extend(events.filter_map(|event| match event.of_signed_records()? {
                RecordsEvent::GameRecorded(event) if event.genesis == genesis => Some(event),
                RecordsEvent::GameRecorded(_) | RecordsEvent::WitnessContradicted(_) => None,
            }));
            if read.last.is_none() {
                break;
            }
            after = read.last;
        }
        Ok(found)
    }
}
