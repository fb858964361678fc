//! Sets of blocks, as ranges of their numbers.

use codec::{Decode, Encode};

/// A set of blocks: ranges of numbers, both ends included. They ascend, and neighbours are one range.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub(crate) struct Ranges(Vec<(u32, u32)>);

impl Ranges {
    /// The set of these blocks alone; empty if `first` is behind `last`.
    pub(crate) fn of(first: u32, last: u32) -> Self {
        let mut ranges = Self::default();
        ranges.add(first, last);
        ranges
    }

    /// The ranges, ascending.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = (u32, u32)> {
        self.0.iter().copied()
    }

    /// Number of blocks.
    pub(crate) fn count(&self) -> u32 {
        self.iter().fold(0_u32, |count, (first, last)| {
            count.saturating_add((last - first).saturating_add(1))
        })
    }

    pub(crate) fn contains(&self, block: u32) -> bool {
        self.iter()
            .any(|(first, last)| (first..=last).contains(&block))
    }

    /// Adds blocks; none if `first` is behind `last`.
    pub(crate) fn add(&mut self, mut first: u32, mut last: u32) {
        if first > last {
            return;
        }
        // Ranges that overlap the new one or touch it become one with it.
        self.0.retain(|&(start, end)| {
            let apart = end.saturating_add(1) < first || last.saturating_add(1) < start;
            if !apart {
                first = first.min(start);
                last = last.max(end);
            }
            apart
        });
        let place = self.0.partition_point(|(start, _)| *start < first);
        self.0.insert(place, (first, last));
    }

    /// Adds all blocks of another set.
    pub(crate) fn extend(&mut self, other: &Self) {
        for (first, last) in other.iter() {
            self.add(first, last);
        }
    }

    /// Removes the blocks behind `last`.
    pub(crate) fn truncate(&mut self, last: u32) {
        self.0.retain(|(first, _)| *first <= last);
        if let Some((_, end)) = self.0.last_mut() {
            *end = last.min(*end);
        }
    }

    /// The blocks from `first` to `last` that are not in the set.
    pub(crate) fn missing(&self, first: u32, last: u32) -> Self {
        let mut missing = Self::default();
        let mut next = first;
        for (start, end) in self.iter() {
            if start > last {
                break;
            }
            if start > next {
                missing.add(next, start - 1);
            }
            let Some(behind) = end.checked_add(1) else {
                return missing;
            };
            next = next.max(behind);
        }
        missing.add(next, last);
        missing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranges(of: &[(u32, u32)]) -> Ranges {
        let mut ranges = Ranges::default();
        for (first, last) in of {
            ranges.add(*first, *last);
        }
        ranges
    }

    #[test]
    fn neighbours_and_overlaps_are_one_range() {
        assert_eq!(ranges(&[(5, 7), (8, 9), (1, 3)]).0, [(1, 3), (5, 9)]);
        assert_eq!(ranges(&[(5, 7), (1, 2), (2, 6)]).0, [(1, 7)]);
        assert_eq!(ranges(&[(5, 7), (9, 9), (0, u32::MAX)]).0, [(0, u32::MAX)]);
        assert_eq!(ranges(&[(5, 4)]).0, []);
    }

    #[test]
    fn what_is_missing_lies_between() {
        let set = ranges(&[(2, 3), (6, 9)]);
        assert_eq!(set.missing(0, 12).0, [(0, 1), (4, 5), (10, 12)]);
        assert_eq!(set.missing(3, 8).0, [(4, 5)]);
        assert_eq!(set.missing(7, 9).0, []);
        assert_eq!(set.missing(20, 21).0, [(20, 21)]);
        assert_eq!(ranges(&[(0, u32::MAX)]).missing(3, u32::MAX).0, []);
    }

    #[test]
    fn what_is_behind_a_block_is_removed() {
        let mut set = ranges(&[(2, 3), (6, 9)]);
        set.truncate(7);
        assert_eq!(set.0, [(2, 3), (6, 7)]);
        set.truncate(5);
        assert_eq!(set.0, [(2, 3)]);
        set.truncate(1);
        assert_eq!(set.0, []);
    }

    #[test]
    fn blocks_are_counted() {
        let set = ranges(&[(2, 3), (6, 9)]);
        assert_eq!(set.count(), 6);
        assert!(set.contains(6) && !set.contains(5));
    }
}
