//! The block author: a thread that makes blocks from the transactions in the pool.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, RecvTimeoutError},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use crate::{
    builder::{self, Built},
    error::{BlockError, Panicked},
    execute,
    pool::TxStatus,
    runtime::Hash,
    shared::{NewBlock, Shared},
    state::{self, Overlay},
    store::StoredBlock,
};

/// How many transactions are tried for one block at most. The block's weight usually ends it
/// sooner.
const MAX_CANDIDATES: usize = 1024;

enum Wake {
    Ready,
    Seal(mpsc::Sender<Result<Hash, BlockError>>),
    Stop,
}

/// The block author's thread. It is stopped when this is dropped.
pub struct Author {
    wake: mpsc::Sender<Wake>,
    /// Whether a [`Wake::Ready`] is on its way: one is enough for any number of transactions.
    notified: Arc<AtomicBool>,
    block_time: Option<Duration>,
    thread: Option<JoinHandle<()>>,
}

impl Author {
    /// Starts the thread. It makes a block every `block_time`, or, with `None`, whenever it is
    /// notified.
    pub fn start(shared: Arc<Shared>, block_time: Option<Duration>) -> io::Result<Self> {
        let (wake, woken) = mpsc::channel();
        let notified = Arc::new(AtomicBool::new(false));
        let thread = thread::Builder::new().name("author".into()).spawn({
            let notified = notified.clone();
            move || run(&shared, block_time, &woken, &notified)
        })?;
        Ok(Self {
            wake,
            notified,
            block_time,
            thread: Some(thread),
        })
    }

    pub fn block_time(&self) -> Option<Duration> {
        self.block_time
    }

    /// Tells the author that the pool has transactions for a block.
    ///
    /// # Errors
    /// Returned if the author was stopped.
    pub fn notify(&self) -> Result<(), BlockError> {
        if self.block_time.is_some() || self.notified.swap(true, Ordering::AcqRel) {
            return Ok(());
        }
        self.wake.send(Wake::Ready).map_err(|_| BlockError::Stopped)
    }

    /// Makes a block at once and returns its hash.
    ///
    /// # Errors
    /// Returned if the block could not be made, and if the author was stopped.
    pub fn seal(&self) -> Result<Hash, BlockError> {
        let (done, made) = mpsc::channel();
        self.wake
            .send(Wake::Seal(done))
            .map_err(|_| BlockError::Stopped)?;
        made.recv().map_err(|_| BlockError::Stopped)?
    }
}

impl Drop for Author {
    fn drop(&mut self) {
        // An error here and below means that the thread panicked, which it has reported itself.
        let _ = self.wake.send(Wake::Stop);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn run(
    shared: &Shared,
    block_time: Option<Duration>,
    woken: &mpsc::Receiver<Wake>,
    notified: &AtomicBool,
) {
    let mut next = block_time.map(|period| (Instant::now() + period, period));
    loop {
        let wake = match next {
            None => woken.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some((at, _)) => woken.recv_timeout(at.saturating_duration_since(Instant::now())),
        };
        match wake {
            Err(RecvTimeoutError::Disconnected) | Ok(Wake::Stop) => return,
            Err(RecvTimeoutError::Timeout) => {
                // A late block is not made up for by more than one early block.
                next = next.map(|(at, period)| (at.max(Instant::now() - period) + period, period));
                make_block_or_halt(shared);
            }
            Ok(Wake::Ready) => {
                notified.store(false, Ordering::Release);
                while shared.pool().has_ready() && make_block_or_halt(shared) {}
            }
            Ok(Wake::Seal(done)) => {
                // An error means that the caller went away.
                let _ = done.send(make_block(shared));
            }
        }
    }
}

/// Makes a block, or halts the chain if that fails. Tells whether it made one.
fn make_block_or_halt(shared: &Shared) -> bool {
    match make_block(shared) {
        Ok(_) => true,
        Err(error) => {
            shared.halt(error);
            false
        }
    }
}

/// Makes a block of the transactions that are ready, stores it, and tells everyone. Returns its
/// hash.
///
/// # Errors
/// Returned if the store fails, and if the runtime panics outside of any transaction. A
/// transaction on which it panics is dropped.
pub fn make_block(shared: &Shared) -> Result<Hash, BlockError> {
    let head = shared.head();
    let clock = shared.clock.now();
    let mut candidates = shared.pool().candidates(MAX_CANDIDATES);
    let backend = shared.state(&head.header, true)?;
    let (overlay, built) = loop {
        let mut overlay = Overlay::default();
        let mut tried = 0;
        match execute::run(&backend, &mut overlay, || {
            builder::build(&head, clock, &candidates, &mut tried)
        }) {
            Ok(built) => break (overlay, built),
            Err(Panicked(message)) => {
                let Some(culprit) = tried.checked_sub(1) else {
                    return Err(Panicked(message).into());
                };
                log::error!("a transaction made the runtime panic: {message}");
                let (hash, _) = candidates.remove(culprit);
                shared.pool().remove(&hash, TxStatus::Invalid);
            }
        }
    };
    let changes = state::close(overlay, &backend)?;
    let Built {
        header,
        extrinsics,
        included,
        invalid,
    } = built;
    let written = changes.main_storage_changes.into_iter().map(|(key, _)| key);
    let written = Arc::new(written.collect());
    let hash = header.hash();
    let block = StoredBlock { header, extrinsics };
    shared.store.append(hash, &block, changes.transaction)?;
    let block = NewBlock {
        hash,
        header: block.header,
        written,
    };
    shared.advance(block, included, invalid);
    Ok(hash)
}
