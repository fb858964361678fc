//! What is known of the past.

use connect4_protocol::Address;

use super::ranges::Ranges;
use super::store::Placed;
use crate::client::Client;
use crate::occurrence::Occurrence;
use crate::seen::BlockRef;

/// The events of some contracts, as far as they are known.
pub(crate) struct View {
    pub(super) contracts: Vec<Address>,
    /// The blocks whose events are known, for each contract.
    pub(super) ranges: Vec<Ranges>,
    pub(super) events: Vec<Placed>,
    pub(super) best: BlockRef,
}

impl View {
    /// The best block.
    pub(crate) const fn best(&self) -> BlockRef {
        self.best
    }

    /// The blocks from `from` on whose events are missing for any of these contracts.
    pub(crate) fn missing(&self, contracts: &[Address], from: u32) -> Ranges {
        let mut missing = Ranges::default();
        for (contract, ranges) in self.contracts.iter().zip(&self.ranges) {
            if contracts.contains(contract) {
                missing.extend(&ranges.missing(from, self.best.number));
            }
        }
        missing
    }

    /// The events of these contracts from `from` on, in order. Those that are not known are counted by
    /// the client.
    pub(crate) fn occurrences(
        &self,
        client: &Client,
        contracts: &[Address],
        from: u32,
    ) -> Vec<Occurrence> {
        let mut found = Vec::new();
        for placed in &self.events {
            if placed.block < from || !contracts.contains(&placed.event.contract) {
                continue;
            }
            let event = client.shared.skipped.known(placed.event.decode());
            found.extend(event.map(|event| Occurrence {
                event,
                block: placed.block,
                block_hash: placed.block_hash,
                index: placed.event.index,
            }));
        }
        found
    }

    /// Adds blocks of a contract whose events are all known.
    pub(super) fn cover(&mut self, contract: &Address, blocks: &Ranges) {
        for (ours, ranges) in self.contracts.iter().zip(&mut self.ranges) {
            if ours == contract {
                ranges.extend(blocks);
            }
        }
    }
}
