//! Encodings of the values that the contracts store, take and answer: their bytes and sizes.

use codec::{Decode, Encode, MaxEncodedLen};
use connect4_protocol::{Address, Clock, End, Error, Game};
use connect4_rules::{Bin, Shape};

fn reads_back<T: Encode + Decode + MaxEncodedLen + PartialEq + std::fmt::Debug>(value: T) {
    let bytes = value.encode();
    println!("{value:?}: {} bytes", bytes.len());
    assert!(bytes.len() <= T::max_encoded_len());
    assert_eq!(T::decode(&mut bytes.as_slice()), Ok(value));
}

#[test]
fn sizes() {
    assert_eq!(Error::max_encoded_len(), 1);
    assert_eq!(End::max_encoded_len(), 1);
    assert_eq!(Clock::max_encoded_len(), 16);
    assert_eq!(Game::max_encoded_len(), 99);
    let game = Game::start(Address([1; 20]), Address([2; 20]), Shape::STANDARD.into()).unwrap();
    assert_eq!((game.encoded_size(), game.size_hint()), (99, 99));
}

#[test]
fn errors_are_their_numbers() {
    for (number, error) in (0..).zip(Error::ALL) {
        assert_eq!(error as u8, number);
        assert_eq!(error.encode(), [number]);
        reads_back(error);
    }
    let after = u8::try_from(Error::ALL.len()).unwrap();
    assert!(Error::decode(&mut [after].as_slice()).is_err());
}

#[test]
fn ends_read_back_as_text() {
    for end in End::ALL {
        assert_eq!(end.to_string().parse(), Ok(end));
    }
    let texts = End::ALL.map(|end| end.to_string());
    assert_eq!(
        texts,
        [
            "by a line",
            "on a full board",
            "by resignation",
            "by agreement",
            "on time",
            "aborted",
            "as the last player left",
            "without a legal move",
            "after 250 turns",
            "abandoned"
        ]
    );
    let error = "by luck".parse::<End>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "expected an end of a game, such as \"by a line\""
    );
}

#[test]
fn ends_are_their_numbers() {
    let of_two = &End::ALL[..6];
    for (number, &end) in (0..).zip(of_two) {
        assert_eq!(end as u8, number);
        assert_eq!(end.encode(), [number]);
        reads_back(end);
    }
    // Those of variants have another encoding.
    assert!(End::decode(&mut [6].as_slice()).is_err());
}

#[test]
fn a_game_reads_back_after_every_turn() {
    let (one, two) = (Address([1; 20]), Address([2; 20]));
    let mut game = Game::start(one, two, Shape::STANDARD.into()).unwrap();
    reads_back(game);
    for bin in [0, 1, 0, 1, 0, 1, 0] {
        let caller = game.account_of(game.to_move().unwrap());
        game.drop(caller, Bin::new(bin)).unwrap();
        println!("{}", game.position());
        reads_back(game);
    }
    assert!(game.is_over());
}

#[test]
fn a_record_is_laid_out_as_documented() {
    let mut game = Game::start(Address([1; 20]), Address([2; 20]), Shape::STANDARD.into()).unwrap();
    game.drop(Address([1; 20]), Bin::new(1)).unwrap();
    let mut expected = [[1; 20], [2; 20]].concat();
    expected.extend((1_u128 << 7).to_le_bytes());
    expected.extend([0; 16]);
    expected.extend([7, 6, 4]);
    // Moved last: player one. One turn. Won by nobody. Not over.
    expected.extend([0, 1, 2, 0]);
    // Player one pays.
    expected.extend([1; 20]);
    assert_eq!(game.encode(), expected);
}
