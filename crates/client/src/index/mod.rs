//! The index: the contracts' events of past blocks, kept on disk.
//!
//! Events are in the states of blocks, a request each, and most nodes discard the states of all but
//! the newest blocks. So what was read is kept, in one file for each chain, named by the chain's
//! genesis hash. It knows for each contract the blocks whose events it has, and hashes of blocks:
//! before it is used, its newest block is compared with the chain's, and what a fork has retracted is
//! undone. Blocks that are not final yet are kept, too.
//!
//! | file | |
//! |---|---|
//! | `place` | where the file is |
//! | `ranges` | sets of blocks |
//! | `store`, `kept` | the file, shared by several programs |
//! | `source` | contracts whose events are indexed |
//! | `read`, `subject`, `scan` | what is missing is found and read from the chain |
//! | `view` | what is known then |
//! | `blocks` | blocks one after the other, for those who keep events in a database of their own |

pub(crate) mod blocks;
mod kept;
pub(crate) mod place;
mod ranges;
mod read;
mod scan;
mod source;
mod store;
mod subject;
mod view;

use std::sync::Arc;

use connect4_protocol::Address;
use subxt::utils::H256;

use crate::chronicle::{Chronicle, Part};
use crate::client::Client;
use crate::deployed::Deployed;
use crate::error::Error;
use crate::failure::unexpected;
use crate::gap::Gap;
use crate::occurrence::Occurrence;
use crate::past::Past;
use crate::task::Task;
use place::Index;
pub(crate) use ranges::Ranges;
use read::Read;
pub use source::OnReading;
pub(crate) use source::Source;
use store::{Store, Want};
use view::View;

/// The history of a game is looked up in the index if no more blocks than this have to be read
/// before. Beyond that, its blocks are searched on the chain, which takes some hundred requests.
const NEAR: u32 = 1024;

/// The index is kept up if no more blocks than this are missing. A node that discards states has far
/// fewer.
const KEPT_UP: u32 = 16_384;

impl Index {
    fn store(&self, genesis: H256) -> Store {
        Store::new(&self.folder, genesis)
    }
}

impl Deployed {
    /// The contracts' events from a block on, as far as they are known. `on` is told how far the
    /// reading is.
    pub(crate) async fn past(&self, from: u32, on: OnReading<'_>) -> Result<Past, Error> {
        let client = self.client();
        let view = client.read_past(&[Source::of(self)], from, on).await?;
        client.past_in(&view, self.addresses(), from).await
    }
}

impl Client {
    /// Reads the newest blocks, unless there is no index or very many blocks are missing.
    pub(crate) async fn keep_index_up(&self, sources: &[Source<'_>]) -> Result<(), Error> {
        if self.index.is_some() && !sources.is_empty() {
            Read::new(self, sources, Want::Nothing, 0, Some(KEPT_UP), &|_| {})
                .run()
                .await?;
        }
        Ok(())
    }

    /// Reads the events of these contracts from a block on: those that the index has from there, the
    /// others from the chain.
    pub(crate) async fn read_past(
        &self,
        sources: &[Source<'_>],
        from: u32,
        on: OnReading<'_>,
    ) -> Result<View, Error> {
        let read = Read::new(self, sources, Want::All, from, None, on);
        // Without a limit the reading always comes to its end.
        read.run()
            .await?
            .ok_or_else(|| unexpected(&Task::ReadEvents, "it has too many blocks"))
    }

    /// The gaps between the blocks that a view has, with their times.
    pub(crate) async fn gaps(&self, missing: &Ranges) -> Result<Vec<Gap>, Error> {
        let mut gaps = Vec::new();
        for (first, last) in missing.iter() {
            let time = async |block: u32| {
                let hash = self.block_hash(&Task::ReadEvents, block).await?;
                Ok::<_, Error>(match hash {
                    Some(hash) => self.time_of(block, hash).await,
                    None => None,
                })
            };
            gaps.push(Gap {
                first,
                last,
                // The chain's first block has no time.
                since: time(first.max(1)).await?,
                until: time(last).await?,
            });
        }
        Ok(gaps)
    }

    /// The events of some contracts from a view.
    pub(crate) async fn past_in(
        &self,
        view: &View,
        contracts: &[Address],
        from: u32,
    ) -> Result<Past, Error> {
        Ok(Past {
            best: view.best(),
            events: view.occurrences(self, contracts, from),
            gaps: self.gaps(&view.missing(contracts, from)).await?,
        })
    }
}

/// What the index has of a game.
pub(crate) enum Indexed {
    /// The events of its play, from its start on.
    All(Vec<Occurrence>),
    /// Its start, or something behind it, is in blocks that cannot be read.
    Lost(Gap),
    /// It is not known: the chain has to be asked.
    Unknown,
}

/// The events of play of a game, if there is an index that has them or is soon up to date.
pub(crate) async fn of_game<C: Chronicle>(contracts: &C, number: u32) -> Result<Indexed, Error> {
    let client = contracts.deployed().client();
    if client.index.is_none() {
        return Ok(Indexed::Unknown);
    }
    let source = [Source::of(contracts.deployed())];
    let addresses = contracts.deployed().addresses();
    let read = Read::new(client, &source, Want::Game(number), 0, Some(NEAR), &|_| {});
    let Some(view) = read.run().await? else {
        return Ok(Indexed::Unknown);
    };
    let events: Vec<Occurrence> = view.occurrences(client, addresses, 0);
    let of_play = |at: &Occurrence| C::part(&at.event, number);
    let missing = view.missing(addresses, 0);
    let start = events
        .iter()
        .position(|at| of_play(at) == Some(Part::Start));
    let Some(start) = start else {
        return lost(client, &missing, 0, u32::MAX).await;
    };
    let play: Vec<_> = events
        .into_iter()
        .skip(start)
        .filter(|at| of_play(at).is_some())
        .collect();
    let has_ended = play.last().and_then(of_play) == Some(Part::End);
    let began = play.first().map_or(0, |at| at.block);
    let ended = match play.last() {
        Some(last) if has_ended => last.block,
        _ => u32::MAX,
    };
    Ok(match lost(client, &missing, began, ended).await? {
        Indexed::Unknown => Indexed::All(play),
        lost => lost,
    })
}

/// The newest gap among the blocks from `first` to `last`; nothing if there is none.
async fn lost(client: &Client, missing: &Ranges, first: u32, last: u32) -> Result<Indexed, Error> {
    let gap = missing
        .iter()
        .rfind(|(start, end)| *end >= first && *start <= last);
    let Some((start, end)) = gap else {
        return Ok(Indexed::Unknown);
    };
    let gap = client.gaps(&Ranges::of(start, end)).await?;
    Ok(gap
        .into_iter()
        .next()
        .map_or(Indexed::Unknown, Indexed::Lost))
}

impl Client {
    /// Fees of transactions that the index knows, by block, its hash, and index.
    pub(crate) async fn indexed_fees(&self, of: Vec<(u32, H256, u32)>) -> Vec<Option<u128>> {
        let count = of.len();
        let found = match &self.index {
            Some(index) => {
                let (store, notice) = (index.store(self.genesis()), Arc::clone(&index.notice));
                let work = move || store.with(&*notice, |database| store::fees(database, &of));
                tokio::task::spawn_blocking(work).await
            }
            None => return vec![None; count],
        };
        match found {
            Ok(Ok(fees)) => fees,
            _ => vec![None; count],
        }
    }
}
