//! How many blocks are read and written at once.

use std::time::Duration;

/// Number of blocks that are written at once, at most.
const MOST: u32 = 512;

/// Number of blocks of the next batch: half as many after one that took too long, twice as many after
/// one that was quick.
///
/// Nothing of a batch is kept that did not end in time. With a fixed number, an index that reads from a
/// slow node, or from one that limits requests, would read the same blocks for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Batch {
    blocks: u32,
    patience: Duration,
}

impl Batch {
    /// As many blocks as are allowed, each batch of which may take so long.
    pub const fn within(patience: Duration) -> Self {
        Self {
            blocks: MOST,
            patience,
        }
    }

    /// The same, with fewer blocks in the first batch.
    pub const fn beginning_with(self, blocks: u32) -> Self {
        Self { blocks, ..self }
    }

    /// Number of blocks, 1 at least.
    pub const fn blocks(self) -> u32 {
        self.blocks
    }

    pub const fn patience(self) -> Duration {
        self.patience
    }

    /// Halves it: a batch did not end in time.
    pub fn timed_out(&mut self) {
        self.blocks = (self.blocks / 2).max(1);
    }

    /// Doubles it if the batch, which ended, took less than a quarter of the time: twice as many blocks
    /// then need half of it, so a node of an even speed is not asked for too many again and again.
    pub fn ended(&mut self, took: Duration) {
        if took < self.patience / 4 {
            self.blocks = self.blocks.saturating_mul(2).min(MOST);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENCE: Duration = Duration::from_secs(120);

    /// Reads so many blocks from a node that reads one in `a_block`. Returns the sizes of the batches
    /// that ended, and how many did not; none if it goes on for ever.
    fn read(blocks: u32, a_block: Duration) -> Option<(Vec<u32>, usize)> {
        let mut batch = Batch::within(PATIENCE);
        let (mut ended, mut timed_out, mut left) = (Vec::new(), 0, blocks);
        while left > 0 {
            let now = batch.blocks().min(left);
            let takes = a_block * now;
            if takes <= batch.patience() {
                ended.push(now);
                left -= now;
                batch.ended(takes);
            } else {
                timed_out += 1;
                if timed_out > 100 {
                    return None;
                }
                batch.timed_out();
            }
        }
        Some((ended, timed_out))
    }

    #[test]
    fn a_quick_node_is_read_in_full_batches() {
        let read = read(2048, Duration::from_millis(1));
        assert_eq!(read, Some((vec![MOST; 4], 0)));
    }

    #[test]
    fn a_slow_node_is_read_to_the_end_and_few_batches_are_lost() {
        // 512 blocks would take 512 seconds, and 128 of them 128.
        let (ended, timed_out) = read(640, Duration::from_secs(1)).unwrap();
        assert_eq!((ended, timed_out), (vec![64; 10], 3));
        let (ended, timed_out) = read(3, Duration::from_secs(119)).unwrap();
        assert_eq!((ended, timed_out), (vec![1; 3], 9));
    }

    #[test]
    fn there_is_always_a_block_to_read() {
        let mut batch = Batch::within(PATIENCE);
        for _ in 0..100 {
            batch.timed_out();
        }
        assert_eq!(batch.blocks(), 1);
    }

    #[test]
    fn a_node_that_is_quick_again_is_read_in_full_batches_again() {
        let mut batch = Batch::within(PATIENCE);
        for _ in 0..9 {
            batch.timed_out();
        }
        batch.ended(Duration::from_secs(31));
        assert_eq!(batch.blocks(), 1, "not quick enough for two");
        let sizes: Vec<u32> = (0..10)
            .map(|_| {
                batch.ended(Duration::from_secs(1));
                batch.blocks()
            })
            .collect();
        assert_eq!(sizes, [2, 4, 8, 16, 32, 64, 128, 256, 512, 512]);
    }
}
