//! Following the chain.

use std::time::{Duration, Instant};

use connect4_client::{BlockRef, Blocks, Heads, ReadBlocks, Reading};
use sqlx::AnyConnection;
use tokio::task::JoinHandle;

use crate::batch::Batch;
use crate::database::Index;
use crate::error::Error;
use crate::lease::Lease;
use crate::status::{Status, Trouble};
use crate::writer;

/// How long a host that does not write waits until it looks again, and one that is up to date for a
/// block that no node has told of.
const PAUSE: Duration = Duration::from_secs(2);
/// How long one batch may take to be read and written. A database that does not answer for so long is
/// taken for gone, so that another host may write.
const PATIENCE: Duration = Duration::from_secs(120);
/// How long one batch takes of those that bring an index up to date once: what was read is lost with an
/// interruption only since the last batch.
const STRIDE: Duration = Duration::from_secs(2);
/// Number of blocks of the first such batch: also a slow node soon has something to show.
const FIRST: u32 = 32;

/// What is told how far the reading is.
pub type OnReading<'a> = &'a (dyn Fn(Reading) + Sync);

/// A task that fills an index while it lives.
#[derive(Debug)]
pub struct Follower(JoinHandle<()>);

impl Drop for Follower {
    fn drop(&mut self) {
        self.0.abort();
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// So many blocks were read, and there is more to do.
    More(u32),
    /// So many blocks were read, and the index has all that the node has.
    Done(u32),
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
        self.catch_up_telling(&|_| {}).await
    }

    /// The same; `on` is told how far the reading is.
    ///
    /// # Errors
    ///
    /// As [`Index::catch_up`].
    pub async fn catch_up_telling(&self, on: OnReading<'_>) -> Result<bool, Error> {
        let Some(mut lease) = Lease::take(self).await? else {
            return Ok(false);
        };
        self.fill_gap(&mut lease).await?;
        self.fill(&mut lease, on).await?;
        lease.release().await?;
        Ok(true)
    }

    /// Reads on behind the newest block alone, up to the best one: gaps, for which much may have to be
    /// read again, stay. Returns whether it did: another host may be writing.
    pub(crate) async fn read_on(&self) -> Result<bool, Error> {
        let Some(mut lease) = Lease::take(self).await? else {
            return Ok(false);
        };
        self.fill(&mut lease, &|_| {}).await?;
        lease.release().await?;
        Ok(true)
    }

    async fn fill(&self, lease: &mut Lease, on: OnReading<'_>) -> Result<(), Error> {
        let mut batch = Batch::within(STRIDE).beginning_with(FIRST);
        let mut read = 0_u32;
        loop {
            let began = Instant::now();
            let step = self.step(lease, batch.blocks()).await?;
            let (Step::More(blocks) | Step::Done(blocks)) = step;
            read = read.saturating_add(blocks);
            if let Status {
                block: Some(block),
                best: Some(best),
                ..
            } = self.status()
                && blocks > 0
            {
                on(Reading {
                    block: block.number,
                    last: best.number,
                    read,
                    of: read.saturating_add(best.number.saturating_sub(block.number)),
                });
            }
            if matches!(step, Step::Done(_)) {
                return Ok(());
            }
            match began.elapsed() {
                took if took > STRIDE => batch.timed_out(),
                took => batch.ended(took),
            }
        }
    }

    /// The newest block that is in the index; none before the first one.
    ///
    /// # Errors
    ///
    /// If the database cannot be read.
    pub async fn newest_block(&self) -> Result<Option<BlockRef>, Error> {
        writer::top(&mut *self.reader().await?).await
    }

    /// The newest block that the index and the node both have: a node can be behind the one from which the
    /// index was read, or on another branch. Then it is the best block of the node.
    ///
    /// # Errors
    ///
    /// If the chain or the database cannot be reached.
    pub async fn newest_shared_block(&self) -> Result<BlockRef, Error> {
        let client = &self.subject().client;
        if let Some(top) = self.newest_block().await?
            && client.last_canonical(&[top]).await?.is_some()
        {
            return Ok(top);
        }
        Ok(client.best_block().await?)
    }

    /// Number of blocks that have to be read until the index has all of the chain.
    ///
    /// # Errors
    ///
    /// If the chain or the database cannot be reached.
    pub async fn blocks_behind(&self) -> Result<u32, Error> {
        let client = &self.subject().client;
        let next = match self.newest_block().await? {
            Some(top) => top.number.saturating_add(1),
            None => client.first_block_of(&self.subject().contracts()).await?,
        };
        let best = client.best_block().await?;
        Ok(best.number.saturating_add(1).saturating_sub(next))
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
        self.set_witnesses(&mut lease.connection).await?;
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
                Ok(Step::More(_)) => {
                    batch.ended(began.elapsed());
                    self.trouble(None);
                    continue;
                }
                Ok(Step::Done(_)) => self.trouble(None),
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
                self.fill_gap(&mut taken).await?;
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
        self.set_witnesses(connection).await?;
        let top = writer::top(connection).await?;
        let emitters = self.subject().emitters();
        let after = match (top, self.options().from.checked_sub(1)) {
            (None, Some(before)) => match client.block_at(before).await? {
                // There is nothing to read yet.
                None => return Ok(Step::Done(0)),
                before => before,
            },
            (top, _) => top,
        };
        match client.blocks_after(&emitters, after, most).await? {
            ReadBlocks::Read(read) => {
                writer::append(connection, self.subject(), &read).await?;
                let block = read.last.or(top);
                self.tell(connection, block, read.best, read.finalized, true)
                    .await?;
                let blocks = u32::try_from(read.blocks.len()).unwrap_or(u32::MAX);
                let gaps = read.gaps.iter().map(|gap| gap.last - gap.first + 1);
                let blocks = gaps.fold(blocks, u32::saturating_add);
                Ok(match block {
                    Some(block) if block.number < read.best.number => Step::More(blocks),
                    _ => Step::Done(blocks),
                })
            }
            ReadBlocks::Behind { best, finalized } => {
                self.tell(connection, top, best, finalized, true).await?;
                // It lacks blocks that were read from another node, has left their branch, or is of a
                // chain that was begun anew.
                let Some(known) = writer::below(connection, best.number).await? else {
                    return Ok(Step::Done(0));
                };
                if client.last_canonical(&[known]).await?.is_some() {
                    return Ok(Step::Done(0));
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
                    return Ok(Step::More(0));
                }
                self.go_back(lease, common).await
            }
        }
    }

    /// Has the games of those witnesses rated that are to be.
    async fn set_witnesses(&self, connection: &mut AnyConnection) -> Result<(), Error> {
        match self.wanted_witnesses() {
            Some(wanted) => writer::set_witnesses(connection, &wanted).await,
            None => Ok(()),
        }
    }

    /// Undoes the blocks behind the last one that is still on the chain; all if a final one is not: it
    /// is a chain that was begun anew.
    async fn go_back(&self, lease: &mut Lease, common: Option<BlockRef>) -> Result<Step, Error> {
        match common {
            Some(common) => {
                writer::undo(&mut lease.connection, common.number).await?;
            }
            None => {
                self.notice("the chain was begun anew: the index is built again".into());
                writer::clear(&mut lease.connection).await?;
            }
        }
        Ok(Step::More(0))
    }

    /// Reads again from the first gap on of which the node has events, at least of its end: it then has
    /// those of all later blocks, too.
    async fn fill_gap(&self, lease: &mut Lease) -> Result<(), Error> {
        let client = &self.subject().client;
        let Some(top) = writer::top(&mut lease.connection).await? else {
            return Ok(());
        };
        if client.last_canonical(&[top]).await?.is_none() {
            return Ok(()); // A fork is undone first.
        }
        for gap in writer::gaps(&mut lease.connection).await? {
            // The state of the first block is kept by nodes that have discarded those behind it.
            if !client.has_events(gap.last.max(1)).await? {
                continue;
            }
            self.notice(format!(
                "the node has events of blocks {} to {}, which are missing in the index: it is read \
                 again from there",
                gap.first, gap.last
            ));
            let before = match gap.first.checked_sub(1) {
                Some(before) => client.block_at(before).await?,
                None => None,
            };
            return match before {
                Some(before) => {
                    let finalized = client.final_block().await?.number;
                    let connection = &mut lease.connection;
                    writer::read_again(connection, before, finalized).await
                }
                None => writer::clear(&mut lease.connection).await,
            };
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
        Ok(Step::Done(0))
    }

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
        let missing = writer::gaps(connection).await?;
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
