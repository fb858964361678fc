//! Which version of the runtime a block has after it, from a few blocks that were looked at.

use std::collections::BTreeMap;

/// How far below a block the first look goes, so that those in between need none.
const REACH: u32 = 4096;

/// What is known of the versions. They only rise, from block to block, so that all blocks between
/// two with the same version have it, too.
#[derive(Debug, Default)]
pub(crate) struct Versions {
    /// Version of the runtime after a block, by the block's number.
    known: BTreeMap<u32, u32>,
    /// The highest block whose state the node had dropped.
    dropped: Option<u32>,
}

impl Versions {
    /// The version after a block, if it is known. `current`: that after the best block.
    pub(crate) fn after(&self, block: u32, current: u32) -> Option<u32> {
        let (_, below) = self.known.range(..=block).next_back()?;
        let above = self.known.range(block..).next();
        let above = above.map_or(current, |(_, version)| *version);
        (*below == above).then_some(*below)
    }

    /// The block to look at, to learn the version after a block. `best`: number of the best one.
    pub(crate) fn wanted(&self, block: u32, best: u32) -> u32 {
        let below = self.known.range(..=block).next_back();
        let above = self.known.range(block..).next();
        match (below, above) {
            (Some((below, _)), Some((above, _))) => below + (above - below) / 2,
            (Some(_), None) => best.max(block),
            (None, _) => match self.dropped {
                None => block.saturating_sub(REACH),
                Some(dropped) if dropped < block => dropped + (block - dropped).div_ceil(2),
                Some(_) => block,
            },
        }
    }

    /// Notes the version after a block.
    pub(crate) fn learn(&mut self, block: u32, version: u32) {
        self.known.insert(block, version);
    }

    /// Notes that the node has dropped the state after a block.
    pub(crate) fn dropped(&mut self, block: u32) {
        self.dropped = self.dropped.max(Some(block));
    }

    /// Forgets everything: blocks may have been replaced.
    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chain: the first block after which each version is there, and the first block with a state.
    struct Chain {
        upgrades: &'static [(u32, u32)],
        first: u32,
        best: u32,
    }

    impl Chain {
        fn version(&self, block: u32) -> u32 {
            let before = self.upgrades.iter().rev();
            before.clone().find(|(from, _)| *from <= block).unwrap().1
        }

        /// The version after a block, and how many blocks were looked at.
        fn look_up(&self, versions: &mut Versions, block: u32) -> (u32, u32) {
            let mut looks = 0;
            loop {
                if let Some(version) = versions.after(block, self.version(self.best)) {
                    return (version, looks);
                }
                let wanted = versions.wanted(block, self.best);
                looks += 1;
                if wanted < self.first {
                    versions.dropped(wanted);
                } else {
                    versions.learn(wanted, self.version(wanted));
                }
            }
        }

        fn looks(&self, blocks: impl Iterator<Item = u32>) -> u32 {
            let mut versions = Versions::default();
            blocks
                .map(|block| {
                    let (version, looks) = self.look_up(&mut versions, block);
                    assert_eq!(version, self.version(block), "block {block}");
                    looks
                })
                .sum()
        }
    }

    #[test]
    fn without_an_upgrade_one_look_is_enough_for_all_later_blocks() {
        let chain = Chain {
            upgrades: &[(0, 7)],
            first: 0,
            best: 1_000_000,
        };
        assert_eq!(chain.looks(10_000..=1_000_000), 1);
        assert!(chain.looks((10_000..=1_000_000).rev()) <= 250);
    }

    #[test]
    fn an_upgrade_is_found_by_few_looks() {
        let chain = Chain {
            upgrades: &[(0, 1), (123_456, 2), (500_000, 5), (500_001, 6)],
            first: 0,
            best: 1_000_000,
        };
        assert!(chain.looks(1..=1_000_000) < 250);
    }

    #[test]
    fn states_that_were_dropped_are_not_asked_for_again() {
        let chain = Chain {
            upgrades: &[(0, 1), (999_900, 2)],
            first: 999_745,
            best: 1_000_000,
        };
        assert!(chain.looks(999_745..=1_000_000) < 40);
        assert!(chain.looks((999_745..=1_000_000).rev()) < 40);
    }
}
