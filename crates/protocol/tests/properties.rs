//! Random games on random boards, as the contract stores them.

use codec::{Decode, Encode, MaxEncodedLen};
use connect4_protocol::{Address, Game};
use connect4_rules::{Bin, Player, Position, Shape};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// The same games in every run, and no files of failures.
fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 256,
        rng_seed: RngSeed::Fixed(4),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

fn shapes() -> impl Strategy<Value = Shape> {
    (5_u8..=25, 4_u8..=24, 3_u8..=6).prop_filter_map("out of bounds", |(bins, capacity, line)| {
        // A capacity too large is cut down, or hardly any wide board would be drawn.
        let capacity = capacity.min(128 / bins - 1);
        Shape::new(bins, capacity, line).ok()
    })
}

/// Drops into bins that mostly exist.
fn games() -> impl Strategy<Value = (Shape, Vec<u8>)> {
    shapes().prop_flat_map(|shape| {
        // Games in few bins are won soon. The bin after the last is refused.
        let bins = prop_oneof![4 => 0..=shape.bins(), 1 => 0..5_u8];
        (Just(shape), prop::collection::vec(bins, 0..160))
    })
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_stored_game_reads_back((shape, bins) in games()) {
        let mut game = Game::start(Address([1; 20]), Address([2; 20]), shape.into()).expect("a game");
        let mut position = Position::new(shape);
        for bin in bins {
            // The game accepts and refuses the same drops as the position.
            let caller = game.account_of(position.to_move());
            let taken = game.drop(caller, Bin::new(bin));
            prop_assert_eq!(taken, position.drop(Bin::new(bin)).map_err(Into::into));
            prop_assert_eq!(game.position(), position);
            prop_assert_eq!(game.outcome(), position.outcome());
            let bytes = game.encode();
            prop_assert!(bytes.len() <= Game::max_encoded_len());
            prop_assert_eq!(Game::decode(&mut bytes.as_slice()), Ok(game));
        }
    }

    #[test]
    fn no_bytes_make_a_stored_game_panic(
        bytes in prop::collection::vec(any::<u8>(), 72),
        rest in prop::collection::vec(0..2_u8, 4),
        payer in prop::collection::vec(any::<u8>(), 20),
        bin in any::<u8>(),
    ) {
        // Any boards and accounts, and other fields within bounds that do not agree with them.
        let bytes = [&bytes[..], &[7, 6, 4], &rest[..], &payer[..]].concat();
        let mut game = Game::decode(&mut bytes.as_slice()).expect("a game");
        for player in Player::ALL {
            let _ = game.drop(game.account_of(player), Bin::new(bin % 8));
        }
        let _ = game.position().to_string();
        let _ = game.winning_cells();
    }
}
