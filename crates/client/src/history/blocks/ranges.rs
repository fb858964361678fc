//! Sets of blocks, as ranges of their numbers.

/// A set of blocks: ranges of numbers, both ends included. They ascend, and neighbours are one range.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
}
