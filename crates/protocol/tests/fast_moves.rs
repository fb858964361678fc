//! Fast play: lists of moves, and how they are encoded.

use codec::{Decode, Encode, MaxEncodedLen};
use connect4_protocol::fast::{Moves, Signature};
use connect4_rules::Bin;
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
