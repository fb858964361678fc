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
    error::{BlockError, ReorganiseError, UpgradeError},
    finality::Retracted,
    make,
    runtime::Hash,
    shared::Shared,
};

enum Wake {
    Ready,
    Seal(mpsc::Sender<Result<Hash, BlockError>>),
    Upgrade(mpsc::Sender<Result<Hash, UpgradeError>>),
    Stall(mpsc::Sender<Result<(), BlockError>>),
    Resume(mpsc::Sender<Result<(), BlockError>>),
    Reorganise(u32, Retracted, mpsc::Sender<Result<Hash, ReorganiseError>>),
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

    /// Sends the thread an order and waits for its answer.
    fn ask<T, E: From<BlockError>>(
        &self,
        order: impl FnOnce(mpsc::Sender<Result<T, E>>) -> Wake,
    ) -> Result<T, E> {
        let (done, answer) = mpsc::channel();
        self.wake
            .send(order(done))
            .map_err(|_| BlockError::Stopped)?;
        answer.recv().map_err(|_| BlockError::Stopped)?
    }

    /// Makes a block at once and returns its hash.
    ///
    /// # Errors
    /// Returned if the block could not be made, and if the author was stopped.
    pub fn seal(&self) -> Result<Hash, BlockError> {
        self.ask(Wake::Seal)
    }

    /// Makes a block at whose end the chain is upgraded, and without a block time the next one, too.
    /// Returns the hash of the first.
    ///
    /// # Errors
    /// Returned if there is no newer version of the runtime, if a block can't be made, and if the
    /// author was stopped.
    pub fn upgrade(&self) -> Result<Hash, UpgradeError> {
        self.ask(Wake::Upgrade)
    }

    /// Lets no block become final.
    ///
    /// # Errors
    /// Returned if the author was stopped.
    pub fn stall_finality(&self) -> Result<(), BlockError> {
        self.ask(Wake::Stall)
    }

    /// Lets blocks become final again, at once those that would be by now.
    ///
    /// # Errors
    /// Returned if the store fails, and if the author was stopped.
    pub fn resume_finality(&self) -> Result<(), BlockError> {
        self.ask(Wake::Resume)
    }

    /// Replaces the last `depth` blocks by a longer branch. Returns the hash of the best block
    /// afterwards.
    ///
    /// # Errors
    /// Returned if one of the blocks is final, if a block can't be made, and if the author was
    /// stopped.
    pub fn reorganise(&self, depth: u32, back: Retracted) -> Result<Hash, ReorganiseError> {
        self.ask(|done| Wake::Reorganise(depth, back, done))
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
                make_all(shared);
            }
            Ok(Wake::Seal(done)) => {
                // An error means that the caller went away.
                let _ = done.send(make::block(shared));
            }
            Ok(Wake::Upgrade(done)) => {
                let mut made = make::upgrade(shared);
                // The new version changes the state in its first block, and with no block time that
                // might not come for long.
                if made.is_ok()
                    && block_time.is_none()
                    && let Err(error) = make::block(shared)
                {
                    made = Err(error.into());
                }
                let _ = done.send(made);
            }
            Ok(Wake::Stall(done)) => {
                shared.stall(true);
                let _ = done.send(Ok(()));
            }
            Ok(Wake::Resume(done)) => {
                shared.stall(false);
                let _ = done.send(make::finalize(shared));
            }
            Ok(Wake::Reorganise(depth, back, done)) => {
                let mut made = make::branch(shared, depth, back);
                // The author alone moves the head. What came back is in a block when this answers.
                if made.is_ok() && block_time.is_none() {
                    make_all(shared);
                    made = Ok(shared.head().hash);
                }
                let _ = done.send(made);
            }
        }
    }
}

/// Makes a block, or halts the chain if that fails. Tells whether it made one.
fn make_block_or_halt(shared: &Shared) -> bool {
    match make::block(shared) {
        Ok(_) => true,
        Err(error) => {
            shared.halt(error);
            false
        }
    }
}

/// Makes blocks as long as transactions are ready.
fn make_all(shared: &Shared) {
    while shared.pool().has_ready() && make_block_or_halt(shared) {}
}
