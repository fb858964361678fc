//! Random boards and games for property tests.

use connect4_rules::Shape;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// The same values in every run, and no files of failures.
pub fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 256,
        rng_seed: RngSeed::Fixed(4),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Every shape within bounds.
pub fn shapes() -> impl Strategy<Value = Shape> {
    (5_u8..=25, 4_u8..=24, 3_u8..=6).prop_filter_map("out of bounds", |(bins, capacity, line)| {
        // A capacity too large is cut down, or hardly any wide board would be drawn.
        let capacity = capacity.min(128 / bins - 1);
        Shape::new(bins, capacity, line).ok()
    })
}

/// Drops into bins that mostly exist.
pub fn games() -> impl Strategy<Value = (Shape, Vec<u8>)> {
    shapes().prop_flat_map(|shape| {
        // Games in few bins are won soon. The bin after the last is refused.
        let bins = prop_oneof![4 => 0..=shape.bins(), 1 => 0..5_u8];
        (Just(shape), prop::collection::vec(bins, 0..160))
    })
}
