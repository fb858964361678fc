//! Tricks with signatures that are valid: at the last moment, or of another game.

use connect4_protocol::Error;
use connect4_protocol::fast::{Ending, GameTerms, Native, Rematch, SignedTerms};
use connect4_rules::{ByPlayer, Player};
use connect4_testing::fast::TermsPlay;

use crate::world::DOMAIN;

const NOW: u64 = 1_800_000_000;
const LINE: [u8; 7] = [3, 4, 3, 4, 3, 4, 3];

fn play() -> TermsPlay {
    TermsPlay::guests(DOMAIN, NOW, 7)
}

/// A player who goes back to a win that it has missed could not be answered on the last day.
#[test]
fn a_line_to_which_the_loser_has_not_agreed_is_recorded_a_day_before_the_last_answer() {
    let play = play();
    let record = |bins: &[u8], ending, after: u32| {
        let recorded = play.recorded(bins, ending);
        let checked = recorded.check(&DOMAIN, &Native, NOW + u64::from(after));
        checked.map(|_| ())
    };
    let lost = Some(Ending::Resignation(Player::Two));
    let for_good = Some(Ending::Draw {
        until: Ending::FOR_GOOD,
    });
    assert_eq!(record(&LINE, None, GameTerms::ANSWERED), Ok(()));
    let late = record(&LINE, None, GameTerms::ANSWERED + 1);
    assert_eq!(late, Err(Error::TermsExpired));
    let answers = [
        (&LINE[..], lost),
        (&LINE[..6], None),
        (&LINE[..6], for_good),
    ];
    for (bins, ending) in answers {
        assert_eq!(record(bins, ending, GameTerms::RECORDED), Ok(()));
        let late = record(bins, ending, GameTerms::RECORDED + 1);
        assert_eq!(late, Err(Error::TermsExpired));
    }
}

fn proposed(play: &TermsPlay, before: &SignedTerms, time: u64, nonce: u32) -> Rematch {
    let mut rematch = Rematch {
        time,
        nonce,
        signatures: ByPlayer::default(),
    };
    let digest = rematch.terms(&before.terms).digest(&DOMAIN, &Native);
    for player in Player::ALL {
        let key = before.terms.players.get(player).key();
        let mut keys = Player::ALL.map(|player| play.keys.get(player)).into_iter();
        let key = keys.find(|own| own.address() == key).expect("a player");
        rematch.signatures[player] = Some(key.sign(&digest));
    }
    rematch
}

/// With the time and nonce of the first game the rematch of a rematch has its terms: who begins it with an empty
/// journal signs each turn twice.
#[test]
fn a_rematch_is_later_than_the_game_before() {
    let play = play();
    let first = play.signed_terms();
    let second = proposed(&play, &first, NOW + 1, 1);
    assert_eq!(second.check(&first, &DOMAIN, &Native), Ok(()));
    let before = second.signed(&first).expect("both have signed");
    let again = proposed(&play, &before, NOW, 7);
    assert_eq!(again.terms(&before.terms), first.terms);
    let refused = again.check(&before, &DOMAIN, &Native);
    assert_eq!(refused, Err(Error::TermsExpired));
    let same = proposed(&play, &before, NOW + 1, 2);
    let refused = same.check(&before, &DOMAIN, &Native);
    assert_eq!(refused, Err(Error::TermsExpired));
    let later = proposed(&play, &before, NOW + 2, 7);
    assert_eq!(later.check(&before, &DOMAIN, &Native), Ok(()));
    // Signed for other seats, or for a rematch of another game.
    let mut seats = later;
    seats.signatures = later.signatures.swapped();
    let refused = seats.check(&before, &DOMAIN, &Native);
    assert_eq!(refused, Err(Error::BadSignature));
    let refused = later.check(&first, &DOMAIN, &Native);
    assert_eq!(refused, Err(Error::BadSignature));
}
