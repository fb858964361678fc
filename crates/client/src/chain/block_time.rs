//! How far blocks are apart on a chain.

use std::sync::PoisonError;
use std::time::Duration;

use codec::Decode as _;

use crate::chain::client::Client;

impl Client {
    /// The time between two blocks that the chain aims at, by what its runtime says: the slot of Aura,
    /// else the expected time of Babe. None if the runtime says nothing, as on a local chain that makes
    /// a block for each transaction, or if the chain cannot be reached.
    pub async fn block_time(&self) -> Option<Duration> {
        let kept = || {
            let kept = &self.shared.block_time;
            kept.lock().unwrap_or_else(PoisonError::into_inner)
        };
        let version = self.spec_version();
        let known = *kept();
        if let Some((of, time)) = known
            && of == version
        {
            return Some(time);
        }
        let slot = self
            .shared
            .rpc
            .state_call("AuraApi_slot_duration", None, None);
        let millis = match slot.await {
            Ok(answer) => u64::decode(&mut &*answer).ok()?,
            Err(_) => {
                let metadata = self.api().metadata();
                let babe = metadata.pallet_by_name("Babe")?;
                let expected = babe.constant_by_name("ExpectedBlockTime")?;
                u64::decode(&mut expected.value()).ok()?
            }
        };
        let time = (millis > 0).then(|| Duration::from_millis(millis))?;
        *kept() = Some((version, time));
        Some(time)
    }
}
