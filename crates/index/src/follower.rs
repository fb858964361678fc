//! Following the chain.

use std::time::{Duration, Instant};

use connect4_client::{BlockRef, Blocks, Heads, ReadBlocks};
use tokio::task::JoinHandle;

use crate::batch::Batch;
use crate::database::Index;
use crate::error::Error;
use crate::lease::Lease;
use crate::status::{Missing, Status, Trouble};
use crate::{sql, writer};

/// How long a host that does not write waits until it looks again, and one that is up to date for a
/// block that no node has told of.
const PAUSE: Duration = Duration::from_secs(2);
/// How long one batch may take to be read and written. A database that does not answer for so long is
/// taken for gone, so that another host may write.
const PATIENCE: Duration = Duration::from_secs(120);

/// A task that fills an index while it lives.
#[derive(Debug)]
pub struct Follower(JoinHandle<()>);

impl Drop for Follower {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// What a step has done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// There is more to do.
    More,
    /// The index has all that the node has.
    Done,
}

impl Index {
    /// Fills the index from now on, in a task of its own, as long as the follower lives. If another
    /// host writes the same index, this one waits for its turn.
    #[must_use]
    pub fn follow(&self) -> Follower {
        let index = self.clone();
        Follower(tokio::spawn(async move { index.run().await }))
    }

    /// Fills the index up to the best block. Returns whether it did: another host may be writing.
    ///
    /// # Errors
    ///
    /// If the chain or the database cannot be reached, or the database is full or damaged.
    pub async fn catch_up(&self) -> Result<bool, Error> {
        let Some(mut lease) = Lease::take(self).await? else {
            return Ok(false);
        };
        self.forget_gaps(&mut lease).await?;
        let most = Batch::within(PATIENCE).blocks();
        while self.step(&mut lease, most).await? == Step::More {}
        Ok(true)
    }

    /// Adds blocks behind the newest one, as if the chain had told them: for measurements. Returns
    /// whether it did: another host may be writing.
    ///
    /// # Errors
    ///
    /// If the database cannot be reached, is full or damaged.
    pub async fn add(&self, read: &Blocks) -> Result<bool, Error> {
        let Some(mut lease) = Lease::take(self).await? else {
            return Ok(false);
        };
        writer::append(&mut lease.connection, self.subject(), read).await?;
        Ok(true)
    }

    /// Undoes the blocks behind one, as if the chain had retracted them: for measurements. Returns
    /// whether it did: another host may be writing.
    ///
    /// # Errors
    ///
    /// If the database cannot be reached, is full or damaged.
    pub async fn retract(&self, last: u32) -> Result<bool, Error> {
        let Some(mut lease) = Lease::take(self).await? else {
            return Ok(false);
        };
        writer::undo(&mut lease.connection, last).await?;
        Ok(true)
    }

    async fn run(&self) {
        let mut heads: Option<Heads> = None;
        let mut lease: Option<Lease> = None;
        let mut batch = Batch::within(PATIENCE);
        loop {
            let began = Instant::now();
            let turn = self.turn(&mut lease, batch.blocks());
            let turn = tokio::time::timeout(batch.patience(), turn).await;
            let turn = turn.unwrap_or_else(|_| {
                let asked = batch.blocks();
                batch.timed_out();
                Err(Error::Unreachable(format!(
                    "{asked} blocks were not read and written in {} seconds",
                    batch.patience().as_secs()
                )))
            });
            match turn {
                Ok(Step::More) => {
                    batch.ended(began.elapsed());
                    self.trouble(None);
                    continue;
                }
                Ok(Step::Done) => self.trouble(None),
                Err(error) => {
                    // The connection may be gone, and with it the right to write.
                    let had_lease = lease.take().is_some();
                    self.trouble(Some(&error));
                    self.mend(&error, had_lease).await;
                    tokio::time::sleep(PAUSE).await;
                    continue;
                }
            }
            if heads.is_none() {
                heads = self.subject().client.heads().await.ok();
            }
            match &mut heads {
                Some(open) => {
                    if let Ok(Err(_)) = tokio::time::timeout(PAUSE, open.next()).await {
                        heads = None;
                        tokio::time::sleep(PAUSE).await;
                    }
                }
                None => tokio::time::sleep(PAUSE).await,
            }
        }
    }

    /// Writes one batch of so many blocks, or looks how far the host is that writes.
    async fn turn(&self, lease: &mut Option<Lease>, most: u32) -> Result<Step, Error> {
        let lease = match lease {
            Some(lease) => lease,
            None => {
                let Some(mut taken) = Lease::take(self).await? else {
                    return self.look().await;
                };
                self.forget_gaps(&mut taken).await?;
                lease.insert(taken)
            }
        };
        self.step(lease, most).await
    }

    /// Says what hinders the filling, once; none: nothing does.
    fn trouble(&self, error: Option<&Error>) {
        let trouble = error.map(Trouble::from);
        let is_new = self.status_sender().send_if_modified(|status| {
            let is_new = status.trouble != trouble;
            status.trouble.clone_from(&trouble);
            if trouble.is_some() {
                status.writes = false;
            }
            is_new
        });
        if is_new {
            match trouble {
                Some(trouble) => self.notice(format!("the index is not filled: {trouble}")),
                None => self.notice("the index is filled".into()),
            }
        }
    }

    /// Does what helps against an error: a damaged file is put aside.
    async fn mend(&self, error: &Error, had_lease: bool) {
        if let Error::Damaged(why) = error {
            let mended = match had_lease {
                true => self.put_aside(why).await,
                false => self.reopen().await,
            };
            if let Err(error) = mended {
                self.notice(format!("the index is not filled: {error}"));
            }
        }
    }

    /// Reads the next blocks, so many at most, and writes them, or undoes those that were retracted.
    async fn step(&self, lease: &mut Lease, most: u32) -> Result<Step, Error> {
        let client = &self.subject().client;
        let connection = &mut lease.connection;
        let top = writer::top(connection).await?;
        let contracts = self.subject().contracts();
        match client.blocks_after(&contracts, top, most).await? {
            ReadBlocks::Read(read) => {
                writer::append(connection, self.subject(), &read).await?;
                let block = read.last.or(top);
                self.tell(connection, block, read.best, read.finalized, true)
                    .await?;
                Ok(match block {
                    Some(block) if block.number < read.best.number => Step::More,
                    _ => Step::Done,
                })
            }
            ReadBlocks::Behind { best, finalized } => {
                self.tell(connection, top, best, finalized, true).await?;
                // It lacks blocks that were read from another node, has left their branch, or is of a
                // chain that was begun anew.
                let Some(known) = writer::below(connection, best.number).await? else {
                    return Ok(Step::Done);
                };
                if client.last_canonical(&[known]).await?.is_some() {
                    return Ok(Step::Done);
                }
                let tail = writer::tail(connection).await?;
                let common = client.last_canonical(&tail).await?;
                self.go_back(lease, common).await
            }
            ReadBlocks::Retracted => {
                let tail = writer::tail(connection).await?;
                let common = client.last_canonical(&tail).await?;
                if common.is_some() && common == top {
                    // The branch changed while it was read: it is read again.
                    return Ok(Step::More);
                }
                self.go_back(lease, common).await
            }
        }
    }

    /// Undoes the blocks behind the last one that is still on the chain; all if a final one is not: it
    /// is a chain that was begun anew.
    async fn go_back(&self, lease: &mut Lease, common: Option<BlockRef>) -> Result<Step, Error> {
        match common {
            Some(common) => writer::undo(&mut lease.connection, common.number).await?,
            None => {
                self.notice("the chain was begun anew: the index is built again".into());
                writer::clear(&mut lease.connection).await?;
            }
        }
        Ok(Step::More)
    }

    /// Begins anew if the node has blocks whose events are missing.
    async fn forget_gaps(&self, lease: &mut Lease) -> Result<(), Error> {
        let missing = missing(&mut lease.connection).await?;
        let Some(gap) = missing.first() else {
            return Ok(());
        };
        // The state of the first block is kept by nodes that have discarded those behind it.
        if self.subject().client.has_events(gap.first.max(1)).await? {
            self.notice(format!(
                "the node has the events of blocks {} to {}, which are missing in the index: it is \
                 built anew",
                gap.first, gap.last
            ));
            writer::clear(&mut lease.connection).await?;
        }
        Ok(())
    }

    /// Looks how far the host is that writes.
    async fn look(&self) -> Result<Step, Error> {
        let client = &self.subject().client;
        let best = client.best_block().await?;
        let finalized = client.final_block().await?;
        let mut reader = self.reader().await?;
        let top = writer::top(&mut reader).await?;
        self.tell(&mut reader, top, best, finalized.number, false)
            .await?;
        Ok(Step::Done)
    }

    /// Tells how far the index is.
    async fn tell(
        &self,
        connection: &mut sqlx::AnyConnection,
        block: Option<BlockRef>,
        best: BlockRef,
        finalized: u32,
        writes: bool,
    ) -> Result<(), Error> {
        let client = &self.subject().client;
        let before = self.status();
        let best_time = match before.best {
            Some(known) if known == best => before.best_time,
            _ => client.block_seconds(best).await,
        };
        let time = match block {
            None => None,
            Some(block) if block == best => best_time,
            Some(block) if before.block == Some(block) => before.time,
            Some(block) => client.block_seconds(block).await,
        };
        let missing = missing(connection).await?;
        self.status_sender().send_modify(|status| {
            *status = Status {
                block,
                time,
                best: Some(best),
                best_time,
                finalized: Some(finalized),
                missing,
                writes,
                trouble: status.trouble.take(),
            };
        });
        Ok(())
    }
}

/// The blocks whose events are missing, ascending.
async fn missing(connection: &mut sqlx::AnyConnection) -> Result<Vec<Missing>, Error> {
    let rows = sql::rows(connection, "SELECT * FROM gaps ORDER BY first", vec![]).await?;
    let gap = |row: &sqlx::any::AnyRow| {
        Ok(Missing {
            first: sql::small(row, "first")?,
            last: sql::small(row, "last")?,
            since: sql::maybe_small(row, "since")?,
            until: sql::maybe_small(row, "until")?,
        })
    };
    rows.iter().map(gap).collect()
}
