//! Lists of moves, and how they are encoded.

use codec::{Decode, Encode, MaxEncodedLen};
use connect4_protocol::Address;
use connect4_protocol::signed::{Ending, Moves, RecordedEnd, RecordedPlayer, Signature};
use connect4_rules::{Bin, ByPlayer, Player};
use scale_info::TypeInfo;

#[test]
fn moves_are_encoded_as_a_list_of_bytes() {
    for len in [0, 1, 2, 41, 62, 63, 64, 65, 126, 127] {
        let bins: Vec<u8> = (0..len).map(|turn| turn % 7).collect();
        let moves = Moves::from_bins(&bins).expect("few moves");
        assert_eq!(moves.encode(), bins.encode(), "{len} moves");
        assert!(moves.size_hint() >= moves.encode().len());
        assert_eq!(Moves::decode(&mut &*bins.encode()), Ok(moves));
        assert_eq!(moves.turns(), len);
        assert_eq!(*moves, *bins);
        assert!(moves.iter_bins().map(Bin::index).eq(bins.iter().copied()));
        assert_eq!(format!("{moves:?}"), format!("{bins:?}"));
    }
    assert_eq!(
        Moves::max_encoded_len(),
        vec![0_u8; Moves::MAX].encode().len()
    );
    assert_eq!(Moves::type_info(), <[u8]>::type_info());
}

#[test]
fn more_moves_than_any_board_has_cells_are_none() {
    assert_eq!(Moves::from_bins(&[0; Moves::MAX + 1]), None);
    assert_eq!(Moves::from_bins(&[0; 300]), None);
    for len in [Moves::MAX + 1, 255, 256, 16_383, 16_384] {
        let encoded = vec![0_u8; len].encode();
        assert!(Moves::decode(&mut &*encoded).is_err(), "{len} moves");
    }
    // Shorter than it says, and empty.
    assert!(Moves::decode(&mut &[8, 1][..]).is_err());
    assert!(Moves::decode(&mut &[][..]).is_err());
    // A length in more bytes than it needs.
    assert!(Moves::decode(&mut &[1, 0][..]).is_err());
}

#[test]
fn moves_are_added_until_there_is_no_room() {
    let mut moves = Moves::default();
    assert_eq!((moves.turns(), moves.before_last()), (0, &[][..]));
    for turn in 0..Moves::MAX {
        assert!(moves.push(Bin::new(3)), "move {turn}");
    }
    assert!(!moves.push(Bin::new(3)));
    assert_eq!(usize::from(moves.turns()), Moves::MAX);
    assert_eq!(moves.before_last().len(), Moves::MAX - 1);
    assert_ne!(moves, Moves::new());
}

/// A game of these moves that is recorded; nobody has signed it.
fn recorded(bins: &[u8]) -> RecordedEnd {
    RecordedEnd {
        players: ByPlayer::from_fn(|_| RecordedPlayer::Guest(Address::ZERO)),
        terms: [0; RecordedEnd::TERMS],
        previous: None,
        ending: Ending::Resignation(Player::Two),
        signatures: ByPlayer::default(),
        at: None,
        witness: None,
        moves: Moves::from_bins(bins).expect("few moves"),
    }
}

/// What is written of the moves of a recorded game.
fn packed(bins: &[u8]) -> Vec<u8> {
    let before = recorded(&[]).encode().len() - 1;
    recorded(bins).encode().split_off(before)
}

#[test]
fn moves_of_a_recorded_game_take_half_a_byte_each() {
    const SWAP: u8 = Moves::SWAP;
    assert_eq!(packed(&[]), [0]);
    assert_eq!(packed(&[3]), [4, 0xe3]);
    assert_eq!(packed(&[3, SWAP, 13]), [8, 0xf3, 0xed]);
    assert_eq!(packed(&[SWAP, SWAP]), [4, 0xff]);
    assert_eq!(packed(&[1; 42]), [&[4 * 21][..], &[0x11; 21]].concat());
    // Of wide boards, and of games that are none.
    assert_eq!(packed(&[14]), [8, 0xee, 14]);
    assert_eq!(packed(&[0, 24, SWAP]), [16, 0xee, 0, 24, SWAP]);
    assert_eq!(packed(&[254, 3]), [12, 0xee, 254, 3]);
}

#[test]
fn a_recorded_game_is_read_as_it_was_written() {
    for highest in [1, 7, 14, 15, 16, 25, 255] {
        for len in (0..=Moves::MAX).map(|len| len as u8) {
            let bins: Vec<u8> = (0..len)
                .map(|turn| match turn {
                    1 => Moves::SWAP,
                    turn => turn.wrapping_mul(7) % highest,
                })
                .collect();
            let game = recorded(&bins);
            let bytes = game.encode();
            assert_eq!(RecordedEnd::decode(&mut &*bytes), Ok(game), "{bins:?}");
            assert!(RecordedEnd::decode(&mut &bytes[..bytes.len() - 1]).is_err());
        }
    }
}

#[test]
fn a_recorded_game_has_no_more_moves_than_any_other() {
    let before = recorded(&[]).encode();
    let with = |list: Vec<u8>| {
        let bytes = [&before[..before.len() - 1], &list.encode()].concat();
        RecordedEnd::decode(&mut &*bytes)
    };
    assert!(with(vec![0x11; 63]).is_ok());
    assert!(with(vec![0x11; 64]).is_err());
    for len in [1, 127] {
        let apart = [&[0xee][..], &vec![1; len]].concat();
        assert!(with(apart).is_ok());
    }
    for len in [128, 255, 16_384] {
        let apart = [&[0xee][..], &vec![1; len]].concat();
        assert!(with(apart).is_err());
    }
}

#[test]
fn a_signature_is_written_as_ethereum_writes_it() {
    let mut signature = Signature::default();
    assert_eq!(signature, Signature::NONE);
    signature.0[0] = 0xab;
    signature.0[64] = 27;
    let text = format!("0xab{}1b", "00".repeat(63));
    assert_eq!(signature.to_string(), text);
    assert_eq!(format!("{signature:?}"), text);
}
