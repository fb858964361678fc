//! The index of a program that asks and ends: opened for a question, in a folder that such programs and
//! servers share.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use connect4_client::{
    Address, Archive, ArchivedGame, BlockRef, Client, Contracts, Error as ChainError, GameId,
    Lookup, NEAR, Reading,
};
use futures_util::future::BoxFuture;

use crate::database::{Index, Options};
use crate::error::Error;
use crate::follower::OnReading;
use crate::subject::Subject;
use crate::writer;

/// How long another program that writes the index may read nothing new before this one reads by itself.
const PATIENCE: Duration = Duration::from_secs(5);
/// How often it is looked at meanwhile: at first, and once it takes longer than `SOON`.
const PAUSE: Duration = Duration::from_millis(20);
const LONG_PAUSE: Duration = Duration::from_millis(250);
const SOON: Duration = Duration::from_secs(1);

/// Blocks by which an index and the node may still differ then: a node behind the same address as another
/// one can be that far behind it.
const APART: u32 = 16;

/// The index of some contracts in a folder, which is opened for each question.
pub struct Past {
    /// The folder; none: nothing is kept.
    pub folder: Option<PathBuf>,
    pub lookup: Lookup,
    pub client: Client,
    /// The contract of the games of two, if it is known.
    pub contract: Option<Contracts>,
    /// The contract of the variants, if its address is known.
    pub variants: Option<Address>,
    /// How it is opened, and who is told of a damaged file.
    pub options: Options,
    /// What was found of the contracts: empty at first.
    pub subject: OnceLock<Subject>,
}

impl Past {
    /// The contracts, which are looked up if they are not known.
    async fn subject(&self) -> Result<Subject, ChainError> {
        if let Some(known) = self.subject.get() {
            return Ok(known.clone());
        }
        let contract = match &self.contract {
            Some(contract) => Some(contract.clone()),
            None => match self.lookup.open(&self.client, None).await {
                Ok(contract) => Some(contract),
                Err(ChainError::NoContract(_)) => None,
                Err(error) => return Err(error),
            },
        };
        let variants = self.variants.or_else(|| self.lookup.variants_place());
        let subject = Subject::of(&self.client, contract.as_ref(), variants);
        // A contract that is not there can still come.
        if contract.is_some() {
            self.subject.get_or_init(|| subject.clone());
        }
        Ok(subject)
    }

    /// The index in the folder.
    async fn kept(&self, folder: &Path, subject: Subject) -> Result<Index, Error> {
        Index::in_folder(folder, subject, self.options.clone()).await
    }

    /// The index with all of the chain from a block on; without a folder that is of use, one in memory.
    /// `on` is told how far the reading is.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached.
    pub async fn read(&self, from: u32, on: OnReading<'_>) -> Result<Index, Error> {
        let subject = self.subject().await?;
        if let Some(folder) = &self.folder
            && let Ok(index) = self.kept(folder, subject.clone()).await
        {
            match self.bring_up(&index, from, on).await {
                Ok(true) => return Ok(index),
                Err(Error::Chain(error)) => return Err(error.into()),
                // On a node that discards states, only the file has what is in it.
                Err(Error::Full(why)) if self.is_used_as_it_is(&index, &why).await? => {
                    return Ok(index);
                }
                Ok(false) | Err(_) => index.close().await,
            }
        }
        let options = Options {
            from,
            most_pages: None,
            ..self.options.clone()
        };
        let index = Index::in_memory(subject, options).await?;
        index.catch_up_telling(on).await?;
        Ok(index)
    }

    /// Asks the index with all of the chain from a block on. A file that turns out to be damaged is renamed
    /// and built anew, and asked once more.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached, or the database cannot be read.
    pub async fn ask<T>(
        &self,
        from: u32,
        on: OnReading<'_>,
        question: impl AsyncFn(&Index) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut index = self.read(from, on).await?;
        let mut answer = question(&index).await;
        if let Err(Error::Damaged(why)) = &answer {
            index.put_aside(why).await?;
            index.close().await;
            index = self.read(from, on).await?;
            answer = question(&index).await;
        }
        index.close().await;
        answer
    }

    /// Brings an index up to date, or waits for the program that does. Returns whether it is: not if
    /// more blocks have to be read for it than there are from `from` on.
    async fn bring_up(&self, index: &Index, from: u32, on: OnReading<'_>) -> Result<bool, Error> {
        if from > 0 {
            let best = self.client.best_block().await?.number;
            if index.blocks_behind().await? > best.saturating_add(1).saturating_sub(from) {
                return Ok(false);
            }
        }
        let began = Instant::now();
        let (mut known, mut first, mut since) = (None, None, began);
        while since.elapsed() < PATIENCE {
            let is_written = match index.catch_up_telling(on).await {
                Err(Error::Damaged(why)) => {
                    index.put_aside(&why).await?;
                    continue;
                }
                caught_up => caught_up?,
            };
            let Some(top) = index.newest_block().await? else {
                if is_written {
                    return Ok(true);
                }
                tokio::time::sleep(PAUSE).await;
                continue;
            };
            let best = self.client.best_block().await?;
            if top == best || is_written && self.is_of_this_chain(top).await? {
                return Ok(true);
            }
            if is_written && top.number.abs_diff(best.number) > APART {
                return Ok(false);
            }
            let is_late = began.elapsed() >= PATIENCE;
            if is_late && self.is_near(index, top, best).await? {
                return Ok(true);
            }
            if Some(top) != known {
                (known, since) = (Some(top), Instant::now());
                let first = *first.get_or_insert(top.number);
                if top.number < best.number {
                    on(Reading {
                        block: top.number,
                        last: best.number,
                        read: top.number.saturating_sub(first),
                        of: best.number.saturating_sub(first),
                    });
                }
            }
            let is_soon = began.elapsed() < SOON;
            tokio::time::sleep(if is_soon { PAUSE } else { LONG_PAUSE }).await;
        }
        match index.newest_block().await? {
            Some(top) => {
                self.is_near(index, top, self.client.best_block().await?)
                    .await
            }
            None => Ok(false),
        }
    }

    /// Whether a block is of the chain as the node has it: not if the chain was begun anew, has forked,
    /// or if the node is behind another one.
    async fn is_of_this_chain(&self, block: BlockRef) -> Result<bool, Error> {
        Ok(self.client.last_canonical(&[block]).await?.is_some())
    }

    /// Whether an index is of use without the newest blocks, or with some that the node lacks as yet:
    /// what it has is true up to its own newest block.
    async fn is_near(&self, index: &Index, top: BlockRef, best: BlockRef) -> Result<bool, Error> {
        if top.number.abs_diff(best.number) > APART {
            return Ok(false);
        }
        match writer::below(&mut *index.reader().await?, best.number).await? {
            Some(common) => self.is_of_this_chain(common).await,
            None => Ok(false),
        }
    }

    /// Whether an index that has no room is used up to its newest block, which is then told.
    async fn is_used_as_it_is(&self, index: &Index, why: &str) -> Result<bool, Error> {
        let Ok(Some(top)) = index.newest_block().await else {
            return Ok(false);
        };
        let is_used = self.is_of_this_chain(top).await?;
        if is_used {
            let best = self.client.best_block().await?.number;
            index.notice(format!(
                "the index has no room for what is new ({why}): it ends at block {} of {best}, and is \
                 filled once there is room",
                top.number
            ));
        }
        Ok(is_used)
    }

    async fn game_of(
        &self,
        contracts: &[Address],
        game: GameId,
    ) -> Result<Option<ArchivedGame>, Error> {
        let Some(folder) = &self.folder else {
            return Ok(None);
        };
        let index = self.kept(folder, self.subject().await?).await?;
        let found = match self.bring_near(&index).await? {
            true => index.archived(contracts, game).await,
            false => Ok(None),
        };
        index.close().await;
        found
    }

    /// Brings an index up to date if few blocks are missing, without filling gaps. Returns whether few
    /// are.
    async fn bring_near(&self, index: &Index) -> Result<bool, Error> {
        if index.blocks_behind().await? > NEAR {
            return Ok(false);
        }
        // Another program may be writing: what is there is of use all the same.
        if let Err(Error::Damaged(why)) = index.read_on().await {
            index.put_aside(&why).await?;
            if index.blocks_behind().await? > NEAR {
                return Ok(false);
            }
            index.read_on().await?;
        }
        Ok(true)
    }

    async fn fees_of(&self, of: &[(BlockRef, u32)]) -> Result<Vec<Option<u128>>, Error> {
        let Some(folder) = &self.folder else {
            return Ok(Vec::new());
        };
        let index = self.kept(folder, self.subject().await?).await?;
        let fees = index.fees(of).await;
        index.close().await;
        Ok(fees)
    }
}

impl Archive for Past {
    fn game<'a>(
        &'a self,
        contracts: &'a [Address],
        game: GameId,
    ) -> BoxFuture<'a, Option<ArchivedGame>> {
        Box::pin(async move { self.game_of(contracts, game).await.ok().flatten() })
    }

    fn fees<'a>(&'a self, of: &'a [(BlockRef, u32)]) -> BoxFuture<'a, Vec<Option<u128>>> {
        Box::pin(async move { self.fees_of(of).await.unwrap_or_default() })
    }
}
