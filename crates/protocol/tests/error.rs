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
fn errors_of_the_second_version_follow_those_of_the_first() {
    let newest = [
        (Error::NoReceiver, 45),
        (Error::ShortClock, 46),
        (Error::OtherTerms, 47),
        (Error::ChallengeExpired, 48),
    ];
    for (error, number) in newest {
        assert_eq!(error as usize, number, "{error:?}");
    }
}

#[test]
fn errors_of_earlier_signed_games_follow() {
    let newest = [
        (Error::BadKey, 49),
        (Error::BadSignature, 50),
        (Error::NotNewer, 51),
        (Error::YourTurn, 52),
        (Error::ClockRuns, 53),
    ];
    for (error, number) in newest {
        assert_eq!(error as usize, number, "{error:?}");
    }
}

#[test]
fn errors_of_signed_terms_follow() {
    let newest = [
        (Error::TermsExpired, 54),
        (Error::TermsUsed, 55),
        (Error::BySignature, 56),
        (Error::TermsStand, 57),
        (Error::BadSession, 58),
    ];
    for (error, number) in newest {
        assert_eq!(error as usize, number, "{error:?}");
    }
    assert_eq!(Error::ALL.len(), 59);
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
