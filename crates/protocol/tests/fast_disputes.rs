//! Disputes of games by signed terms on the chain.
#![cfg(feature = "sign")]

mod common;

use connect4_protocol::fast::{Ending, Evidence, FIRST, FastGame, GameTerms, Native, Signature};
use connect4_protocol::{Address, End, Error};
use connect4_rules::{ByPlayer, Player, Shape};

use common::fast::Signers;
use common::terms::{COLUMN, DOMAIN, NOW, SWAP, evidence, guests, key, keys, signed, start};

/// The game of a dispute at its start.
fn dispute() -> FastGame {
    start(&signed(guests(), ByPlayer::default())).expect("two guests")
}

fn bring(
    game: &mut FastGame,
    moves: &[u8],
    ending: Option<Ending>,
    now: u64,
) -> Result<bool, Error> {
    game.advance(
        FIRST,
        &evidence(&guests(), moves, ending),
        &DOMAIN,
        &Native,
        now,
    )
}

#[test]
fn a_signed_press_starts_the_clock_whoever_brings_it() {
    let until = NOW + 60;
    let press = Some(Ending::Press { until });
    let mut game = dispute();
    assert_eq!(bring(&mut game, &COLUMN[..3], press, NOW), Ok(true));
    assert_eq!(game.game.deadline(), Some(NOW + 180));
    assert_eq!(
        bring(&mut game, &COLUMN[..3], press, NOW),
        Err(Error::NotNewer)
    );
    // The answer stops it.
    assert_eq!(bring(&mut game, &COLUMN[..4], None, NOW + 10), Ok(true));
    assert_eq!(game.game.deadline(), None);
    let press_of_two = Some(Ending::Press { until });
    assert_eq!(
        bring(&mut game, &COLUMN[..4], press_of_two, NOW + 11),
        Ok(false)
    );
    assert_eq!(game.game.deadline(), Some(NOW + 11 + 180));
    // An old press does not count for a later position, nor after its time.
    assert_eq!(
        bring(&mut game, &COLUMN[..3], press, NOW + 12),
        Err(Error::NotNewer)
    );
    assert_eq!(
        bring(&mut game, &COLUMN[..5], press, until + 1),
        Err(Error::NoOffer)
    );
    // At a line there is no clock to start.
    assert_eq!(
        bring(&mut game, &COLUMN, press, NOW + 20),
        Err(Error::GameOver)
    );
}

#[test]
fn a_press_at_another_position_with_as_many_moves_is_refused() {
    let until = NOW + 60;
    let press = Some(Ending::Press { until });
    let mut game = dispute();
    bring(&mut game, &[3, 4, 3], None, NOW).expect("signed");
    let before = game;
    assert_eq!(
        bring(&mut game, &[3, 4, 4], press, NOW),
        Err(Error::NotNewer)
    );
    assert_eq!(game, before);
}

/// Who attacks need not show its signature to the other player, who has to be able to answer all the same.
#[test]
fn a_move_at_the_position_of_the_chain_needs_its_own_signature_alone() {
    let until = NOW + 60;
    let press = Some(Ending::Press { until });
    let alone = |moves: &[u8], ending| {
        let mut alone = evidence(&guests(), moves, ending);
        let other = match moves.len() % 2 {
            1 => Player::Two,
            _ => Player::One,
        };
        alone.signatures[other] = Signature::NONE;
        alone
    };
    let advance = |game: &mut FastGame, evidence: &Evidence| {
        game.advance(FIRST, evidence, &DOMAIN, &Native, NOW)
    };
    let mut game = dispute();
    bring(&mut game, &COLUMN[..3], press, NOW).expect("signed");
    // Of more moves than one, or at another position, both signatures are needed.
    for bad in [
        alone(&COLUMN[..5], None),
        alone(&[3, 4, 4, 4], None),
        alone(&COLUMN[..4], Some(Ending::Draw { until })),
        alone(&COLUMN[..4], Some(Ending::Resignation(Player::Two))),
    ] {
        assert_eq!(
            advance(&mut game, &bad),
            Err(Error::BadSignature),
            "{bad:?}"
        );
    }
    let mut unsigned = alone(&COLUMN[..4], None);
    unsigned.signatures.two = Signature::NONE;
    assert_eq!(advance(&mut game, &unsigned), Err(Error::BadSignature));
    let answer = alone(&COLUMN[..4], None);
    assert_eq!(
        game.judge(FIRST, &answer, &DOMAIN, &Native),
        Err(Error::BadSignature)
    );
    assert_eq!(advance(&mut game, &answer), Ok(true));
    assert_eq!(advance(&mut game, &alone(&COLUMN[..4], press)), Ok(false));
    assert_eq!(advance(&mut game, &alone(&COLUMN[..5], press)), Ok(true));
    assert_eq!(advance(&mut game, &alone(&COLUMN[..6], None)), Ok(true));
    assert_eq!(advance(&mut game, &alone(&COLUMN, None)), Ok(true));
    assert_eq!(
        (game.game.winner(), game.is_final()),
        (Some(Player::One), false)
    );
    assert_eq!(
        advance(&mut game, &alone(&[3, 4, 3, 4, 3, 4, 3, 4], None)),
        Err(Error::BadSignature)
    );
    // The swap, too.
    let mut game = dispute();
    bring(&mut game, &[3], None, NOW).expect("signed");
    assert_eq!(advance(&mut game, &alone(&[3, SWAP], None)), Ok(true));
    assert_eq!(game.game.to_move(), Some(Player::One));
}

#[test]
fn in_a_game_that_began_on_the_chain_each_move_needs_both_signatures() {
    let agreed = connect4_protocol::fast::Agreed {
        players: keys().map(|key| key.address()),
        keys: keys().map(|key| key.address()),
        payer: Address([2; 20]),
        shape: Shape::STANDARD.into(),
        clock: None,
        pie_rule: false,
    };
    let mut game = FastGame::start(&agreed).expect("two keys");
    let signers = Signers {
        keys: keys(),
        game: FIRST.into(),
        domain: DOMAIN,
    };
    let mut second = signers.evidence(&[3, 4], None);
    game.advance(FIRST, &signers.evidence(&[3], None), &DOMAIN, &Native, NOW)
        .expect("signed");
    second.signatures.one = Signature::NONE;
    let refused = game.advance(FIRST, &second, &DOMAIN, &Native, NOW);
    assert_eq!(refused, Err(Error::BadSignature));
    // And there is no swap.
    let swap = signers.evidence(&[3, SWAP], None);
    let refused = game.advance(FIRST, &swap, &DOMAIN, &Native, NOW);
    assert_eq!(refused, Err(Error::NoSuchBin));
}

#[test]
fn a_press_needs_a_clock() {
    let terms = GameTerms {
        clock: None,
        ..guests()
    };
    let mut game = start(&signed(terms, ByPlayer::default())).expect("two guests");
    let press = evidence(&terms, &COLUMN[..3], Some(Ending::Press { until: NOW }));
    let before = game;
    let refused = game.advance(FIRST, &press, &DOMAIN, &Native, NOW);
    assert_eq!((refused, game), (Err(Error::NoClock), before));
}

#[test]
fn a_draw_for_good_counts_in_a_dispute_at_what_both_have_signed() {
    let for_good = Some(Ending::Draw {
        until: Ending::FOR_GOOD,
    });
    let in_time = Some(Ending::Draw { until: NOW + 60 });
    // One has moved on after both had agreed.
    let known = |moves: &[u8]| {
        let mut game = dispute();
        bring(&mut game, moves, None, NOW).expect("signed");
        game
    };
    assert_eq!(
        bring(&mut known(&COLUMN[..5]), &COLUMN[..4], in_time, NOW),
        Err(Error::NotNewer)
    );
    let mut game = known(&COLUMN[..5]);
    assert_eq!(bring(&mut game, &COLUMN[..4], for_good, NOW), Ok(true));
    assert_eq!(game.game.end(), Some(End::Agreement));
    assert_eq!(game.game.moves(), 4, "the move after it does not count");
    // Also by a line.
    let mut game = known(&COLUMN);
    assert_eq!(bring(&mut game, &COLUMN[..6], for_good, NOW), Ok(true));
    assert_eq!(game.game.end(), Some(End::Agreement));
    assert_eq!(
        bring(&mut known(&COLUMN[..6]), &COLUMN[..4], for_good, NOW),
        Err(Error::NotNewer)
    );
}

#[test]
fn a_draw_whose_acceptance_was_held_back_is_contested_by_moves_of_both_after_it() {
    let for_good = Some(Ending::Draw {
        until: Ending::FOR_GOOD,
    });
    // Who had offered it goes on, keeps the acceptance, and brings it once it is about to lose.
    let mut game = dispute();
    assert_eq!(bring(&mut game, &COLUMN[..2], for_good, NOW), Ok(true));
    assert_eq!(
        (game.game.end(), game.contest),
        (Some(End::Agreement), Some(NOW + 300))
    );
    // One move could be of the player alone who had accepted.
    for (moves, ending) in [(3, None), (2, for_good), (1, for_good)] {
        let brought = bring(&mut game, &COLUMN[..moves], ending, NOW + 1);
        assert_eq!(brought, Err(Error::NotNewer), "{moves}");
    }
    let mut contested = game;
    let brought = bring(&mut contested, &COLUMN[..4], None, NOW + 300);
    assert_eq!((brought, contested.contest), (Ok(true), None));
    assert_eq!((contested.game.end(), contested.game.moves()), (None, 4));
    // A later draw takes its place, and so does giving up.
    let mut later = game;
    assert_eq!(bring(&mut later, &COLUMN[..3], for_good, NOW + 1), Ok(true));
    assert_eq!(later.contest, Some(NOW + 301));
    let mut resigned = game;
    let by_one = Some(Ending::Resignation(Player::One));
    assert_eq!(
        bring(&mut resigned, &COLUMN[..2], by_one, NOW + 1),
        Ok(false)
    );
    assert_eq!(
        (resigned.game.winner(), resigned.is_final()),
        (Some(Player::Two), true)
    );
    // Whom nobody contests in time has a draw.
    assert_eq!(
        bring(&mut game, &COLUMN[..4], None, NOW + 301),
        Err(Error::OutOfTime)
    );
    let state = connect4_protocol::Match::default();
    assert_eq!(game.claim_timeout(&state, NOW + 300), Err(Error::TimeLeft));
    assert_eq!(game.claim_timeout(&state, NOW + 301), Ok(()));
    assert_eq!(
        (game.game.end(), game.is_final()),
        (Some(End::Agreement), true)
    );
}

#[test]
fn no_disc_is_dropped_on_the_chain() {
    let mut game = dispute();
    let dropped = game.drop(key(1).address(), connect4_rules::Bin::new(3), NOW);
    assert_eq!(dropped, Err(Error::BySignature));
}
