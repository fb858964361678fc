//! The history of a game from an archive of past events.

use std::time::Duration;

use connect4_protocol::{Address, GameId};
use subxt::utils::H256;

use crate::chain::block_ref::BlockRef;
use crate::chain::client::Client;
use crate::chain::gap::Gap;
use crate::contracts::deployed::Contracts;
use crate::contracts::occurrence::Occurrence;
use crate::error::Error;
use crate::history::archive::{ArchivedGame, NEAR};
use crate::history::blocks::{Emitters, ReadBlocks, TASK};
use crate::history::part::Part;

/// An archive that does not answer for so long is done without: it may be a database that is away, and
/// what is asked for is on the chain, too.
const PATIENCE: Duration = Duration::from_millis(500);

/// The history of a game in an archive.
pub(crate) enum Archived {
    /// The events of its play, from its start on.
    All(Vec<Occurrence>),
    /// Its start, or something behind it, is in blocks that cannot be read.
    Lost(Gap),
    /// It is not known: the chain has to be asked.
    Unknown,
}

/// The events of play of a game, if there is an archive that has them or is soon up to date.
pub(crate) async fn of_game(contracts: &Contracts, game: GameId) -> Result<Archived, Error> {
    let client = contracts.client();
    let Some(archive) = &client.archive else {
        return Ok(Archived::Unknown);
    };
    let kept = in_time(archive.game(contracts.emitters(), game)).await;
    let Some(mut kept) = kept.flatten() else {
        return Ok(Archived::Unknown);
    };
    if !client.complete(&mut kept, contracts.emitters()).await? {
        return Ok(Archived::Unknown);
    }
    let known = kept.events.into_iter().filter_map(|(block, emitted)| {
        let event = client.shared.skipped.known(emitted.decode())?;
        Some(Occurrence {
            event,
            block: block.number,
            block_hash: block.hash,
            index: emitted.index,
        })
    });
    let of_play = |at: &Occurrence| Part::of(&at.event, game);
    let play = known.filter(|at| of_play(at).is_some());
    let play: Vec<_> = play
        .skip_while(|at| of_play(at) != Some(Part::Start))
        .collect();
    let began = play.first().map_or(0, |at| at.block);
    let ended = match play.last() {
        Some(last) if of_play(last) == Some(Part::End) => last.block,
        _ => u32::MAX,
    };
    let mut gaps = kept.gaps.into_iter().rev();
    Ok(
        match gaps.find(|gap| gap.last >= began && gap.first <= ended) {
            Some(gap) => Archived::Lost(gap),
            None if play.is_empty() => Archived::Unknown,
            None => Archived::All(play),
        },
    )
}

impl Client {
    /// Adds what happened since an archive was filled. Returns whether it is of the best branch and has
    /// all of it now: not if it is far behind.
    async fn complete(
        &self,
        kept: &mut ArchivedGame,
        contracts: &[Address],
    ) -> Result<bool, Error> {
        let emitters = Emitters {
            contracts: contracts.to_vec(),
            signed_records: Vec::new(),
        };
        let mut left = NEAR;
        loop {
            let best = self.best_block_for(TASK).await?;
            if kept.last == best {
                return Ok(true);
            }
            if best.number.saturating_sub(kept.last.number) > left {
                return Ok(false);
            }
            let read = self.blocks_after(&emitters, Some(kept.last), left).await?;
            let ReadBlocks::Read(read) = read else {
                return Ok(false);
            };
            let Some(last) = read.last else {
                return Ok(true);
            };
            left = left.saturating_sub(last.number - kept.last.number);
            for block in read.blocks {
                let events = block.events.into_iter();
                kept.events.extend(events.map(|event| (block.block, event)));
            }
            kept.gaps.extend(read.gaps);
            kept.last = last;
        }
    }

    /// Fees of transactions that an archive has, by block, its hash, and index. It is not asked about
    /// blocks that were read a moment ago, as their events have the fees: so a move that is watched does
    /// not wait for an archive that is away.
    pub(crate) async fn archived_fees(&self, of: &[(u32, H256, u32)]) -> Vec<Option<u128>> {
        let mut fees = vec![None; of.len()];
        let asked = of.iter().zip(&mut fees);
        let asked = asked.filter(|((_, hash, _), _)| !self.shared.recent.has(*hash));
        let (asked, answers): (Vec<_>, Vec<_>) = asked
            .map(|(&(number, hash, index), fee)| ((BlockRef { number, hash }, index), fee))
            .unzip();
        if let Some(archive) = self.archive.as_ref().filter(|_| !asked.is_empty()) {
            let known = in_time(archive.fees(&asked)).await.unwrap_or_default();
            for (answer, fee) in answers.into_iter().zip(known) {
                *answer = fee;
            }
        }
        fees
    }
}

/// What an archive answers; none if it does not in time.
async fn in_time<T>(answer: impl Future<Output = T>) -> Option<T> {
    tokio::time::timeout(PATIENCE, answer).await.ok()
}
