//! Tricks with signatures that are valid: at the last moment, or of another game.

use connect4_protocol::Error;
use connect4_protocol::fast::{Ending, GameTerms, Native};
use connect4_rules::Player;
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
