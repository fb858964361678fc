//! Errors: their numbers, what they say, and those of the rules among them.

use connect4_protocol::Error;
use connect4_rules::{DropError, ShapeError};

#[test]
fn errors_keep_their_numbers_and_say_what_to_do() {
    let errors = [
        Error::NoSuchGame,
        Error::NotAPlayer,
        Error::NotYourTurn,
        Error::NoSuchBin,
        Error::BinFull,
        Error::GameOver,
        Error::SamePlayer,
        Error::BadShape,
    ];
    for (number, error) in errors.into_iter().enumerate() {
        println!("{number}: {error}");
        assert_eq!(error as usize, number);
        assert!(error.to_string().len() > 20);
    }
}

/// `record.rs` has the encoding of all.
#[test]
fn errors_of_signed_games_and_variants_follow() {
    let some = [
        (Error::OutOfTime, 8),
        (Error::NotPayer, 17),
        (Error::NotAboveTop, 35),
        (Error::TermsStand, 43),
    ];
    for (error, number) in some {
        assert_eq!(error as usize, number, "{error:?}");
    }
    assert_eq!(Error::ALL.len(), 44);
}

#[test]
fn every_error_says_something_else() {
    let mut texts = Error::ALL.map(|error| error.to_string());
    texts.sort();
    assert!(texts.windows(2).all(|pair| pair[0] != pair[1]));
    assert!(texts.iter().all(|text| text.len() > 20), "{texts:#?}");
}

#[test]
fn refusals_of_the_rules_are_errors() {
    assert_eq!(Error::from(DropError::GameOver), Error::GameOver);
    assert_eq!(Error::from(DropError::NoSuchBin), Error::NoSuchBin);
    assert_eq!(Error::from(DropError::BinFull), Error::BinFull);
    assert_eq!(Error::from(ShapeError::TooLarge), Error::BadShape);
}
