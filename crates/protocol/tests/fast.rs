//! Fast play: positions that both players sign, and what a contract makes of them.
#![cfg(feature = "sign")]

mod common;

use connect4_protocol::fast::{
    Agreed, Domain, Ending, Evidence, FIRST, FastGame, Native, SessionKey, Signature,
};
use connect4_protocol::{Address, End, Error, Match};
use connect4_rules::{Bin, ByPlayer, Player, Shape};

use common::fast::Signers;
use common::{ALICE, BOB, CHARLIE, CLOCK};

const NOW: u64 = 1_800_000_000;
const GAME: u32 = FIRST + 3;
const DOMAIN: Domain = Domain::new(420_420_421, Address([0xcc; 20]));

fn key(byte: u8) -> SessionKey {
    SessionKey::from_secret(&[byte; 32]).expect("a key")
}

fn keys() -> ByPlayer<SessionKey> {
    ByPlayer {
        one: key(1),
        two: key(2),
    }
}

/// A fast game of Alice against Bob, with a minute each.
fn game() -> FastGame {
    let agreed = Agreed {
        players: ByPlayer {
            one: ALICE,
            two: BOB,
        },
        keys: keys().map(|key| key.address()),
        payer: BOB,
        shape: Shape::STANDARD.into(),
        clock: Some(CLOCK),
        pie_rule: false,
    };
    FastGame::start(&agreed).expect("two different keys")
}

/// What two honest players hold after these moves, and this ending.
fn evidence(bins: &[u8], ending: Option<Ending>) -> Evidence {
    let (keys, game, domain) = (keys(), GAME.into(), DOMAIN);
    Signers { keys, game, domain }.evidence(bins, ending)
}

/// Whether the moves changed.
fn advance(game: &mut FastGame, evidence: &Evidence, now: u64) -> Result<bool, Error> {
    let before = *game;
    let result = game.advance(GAME, evidence, &DOMAIN, &Native, now);
    if result.is_err() {
        assert_eq!(*game, before, "a refused position changes nothing");
    }
    result
}

#[test]
fn a_game_of_any_length_is_settled_by_its_last_position() {
    let mut game = game();
    let column = [3, 4, 3, 4, 3, 4, 3];
    let agreed = Some(Ending::Resignation(Player::Two));
    advance(&mut game, &evidence(&column, agreed), NOW).expect("both have signed");
    assert!(game.is_final());
    assert_eq!(game.game.end(), Some(End::Line));
    assert_eq!(game.game.winner(), Some(Player::One));
    assert_eq!(game.game.turns(), 7);
}

#[test]
fn each_position_replaces_those_with_fewer_moves() {
    let mut game = game();
    advance(&mut game, &evidence(&[3, 4, 3], None), NOW).expect("news");
    for old in [&[3, 4, 3][..], &[3, 4], &[]] {
        assert_eq!(
            advance(&mut game, &evidence(old, None), NOW),
            Err(Error::NotNewer)
        );
    }
    // Alice signed another third move, too. It helps nobody.
    assert_eq!(
        advance(&mut game, &evidence(&[3, 4, 0], None), NOW),
        Err(Error::NotNewer)
    );
    // Bob may choose the one that he answers.
    advance(&mut game, &evidence(&[3, 4, 0, 0], None), NOW).expect("news");
    assert_eq!(game.game.turns(), 4);
}

#[test]
fn a_line_can_be_contested_by_more_moves_unless_the_loser_agrees() {
    let mut game = game();
    let back = evidence(&[0, 0, 1, 1, 2, 2, 3], None);
    advance(&mut game, &back, NOW).expect("both have signed");
    // The loser's bank is a minute; five are the least.
    let until = NOW + u64::from(FastGame::CONTEST);
    assert_eq!((game.contest, game.game.is_over()), (Some(until), true));
    // What the players had long played instead.
    let mut contested = game;
    let later = evidence(&[0, 0, 1, 1, 2, 2, 6, 5], None);
    advance(&mut contested, &later, until).expect("the last second");
    assert_eq!((contested.contest, contested.game.turns()), (None, 8));
    let mut late = game;
    assert_eq!(advance(&mut late, &later, until + 1), Err(Error::OutOfTime));

    let state = Match::default();
    assert_eq!(game.claim_timeout(&state, until), Err(Error::TimeLeft));
    assert_eq!(game.claim_timeout(&state, until + 1), Ok(()));
    assert!(game.is_final());
}

#[test]
fn both_players_have_to_have_signed() {
    let signed = evidence(&[3, 4, 3], None);
    for player in Player::ALL {
        let mut missing = signed;
        missing.signatures[player] = Signature::NONE;
        assert_eq!(
            advance(&mut game(), &missing, NOW),
            Err(Error::BadSignature)
        );
    }
    // Nobody signs the start, but who ends the game at it does.
    let until = NOW + 60;
    for by in Player::ALL {
        for (ending, both) in [
            (Ending::Resignation(by), false),
            (Ending::Draw { until }, true),
        ] {
            let ended = evidence(&[], Some(ending));
            for missing in Player::ALL {
                let mut unsigned = ended;
                unsigned.signatures[missing] = Signature::NONE;
                let result = match both || missing == by {
                    true => Err(Error::BadSignature),
                    false => Ok(false),
                };
                assert_eq!(advance(&mut game(), &unsigned, NOW), result, "{ending:?}");
            }
        }
    }
    // The first move is supported by who made it.
    let first = evidence(&[3], None);
    assert_eq!(first.signatures.two, Signature::NONE);
    advance(&mut game(), &first, NOW).expect("player one has signed");
}

#[test]
fn illegal_moves_are_refused_though_both_have_signed() {
    for (bins, error) in [
        (&[3, 3, 3, 3, 3, 3, 3][..], Error::BinFull),
        (&[3, 7], Error::NoSuchBin),
        (&[3, 4, 3, 4, 3, 4, 3, 0], Error::GameOver),
    ] {
        assert_eq!(advance(&mut game(), &evidence(bins, None), NOW), Err(error));
    }
}

#[test]
fn the_clock_stands_still_until_it_is_pressed() {
    let mut game = game();
    advance(&mut game, &evidence(&[3], None), NOW).expect("news");
    assert_eq!(game.game.deadline(), None);
    assert_eq!(game.press(BOB, NOW), Err(Error::YourTurn));
    assert_eq!(game.press(CHARLIE, NOW), Err(Error::NotAPlayer));
    let later = NOW + 1_000_000;
    assert_eq!(game.press(ALICE, later), Ok(later + 60));
    assert_eq!(game.press(ALICE, later), Err(Error::ClockRuns));

    // The answer costs Bob the time that it took, as a move on the chain does, and stops the clock.
    let mut answered = game;
    advance(&mut answered, &evidence(&[3, 4], None), later + 20).expect("in time");
    assert_eq!(answered.game.clock(), None);
    let banks = answered.stopped.expect("it stands");
    assert_eq!(banks.left, ByPlayer { one: 60, two: 45 });

    // After a disc on the chain the opponent's clock runs.
    let mut moved = game;
    moved.drop(BOB, Bin::new(4), later + 20).expect("in time");
    assert_eq!(moved.game.deadline(), Some(later + 20 + 60));

    // After the deadline neither helps.
    let late = later + 61;
    assert_eq!(
        advance(&mut game, &evidence(&[3, 4], None), late),
        Err(Error::OutOfTime)
    );
    assert_eq!(game.drop(BOB, Bin::new(4), late), Err(Error::OutOfTime));
}

#[test]
fn a_resignation_stands_for_good() {
    let resigned = evidence(&[3, 4], Some(Ending::Resignation(Player::One)));
    let mut game = game();
    advance(&mut game, &evidence(&[3, 4, 3], None), NOW).expect("news");
    advance(&mut game, &resigned, NOW + 1_000_000).expect("at any time");
    assert_eq!(game.game.end(), Some(End::Resignation));
    assert_eq!(game.game.winner(), Some(Player::Two));
    assert_eq!(game.game.turns(), 3, "the chain knew of a move more");
}

#[test]
fn an_old_offer_of_a_draw_is_worth_nothing() {
    let until = NOW + 60;
    let draw = evidence(&[3, 4], Some(Ending::Draw { until }));
    let mut in_time = game();
    advance(&mut in_time, &draw, until).expect("in its time");
    assert_eq!(in_time.game.end(), Some(End::Agreement));
    assert_eq!(in_time.game.turns(), 2, "the draw brings its moves along");

    assert_eq!(advance(&mut game(), &draw, until + 1), Err(Error::NoOffer));
    let mut played_on = game();
    advance(&mut played_on, &evidence(&[3, 4, 3], None), NOW).expect("news");
    assert_eq!(advance(&mut played_on, &draw, NOW), Err(Error::NotNewer));
}

/// Contract, players, relays and pages judge evidence by the same function, whatever the chain knows.
#[test]
fn evidence_is_valid_or_not_whatever_the_chain_knows() {
    let start = game();
    let column = [3, 4, 3, 4, 3, 4, 3];
    let resigned = |by| Some(Ending::Resignation(by));
    let judge = |evidence: &Evidence| start.judge(GAME, evidence, &DOMAIN, &Native);
    let won = judge(&evidence(&column, None)).expect("a line");
    assert_eq!(
        (won.end(), won.winner()),
        (Some(End::Line), Some(Player::One))
    );
    let agreed = judge(&evidence(&column, resigned(Player::Two)));
    assert_eq!(agreed, Ok(won), "the loser agrees to it");
    let poison = evidence(&column, resigned(Player::One));
    assert_eq!(
        judge(&poison),
        Err(Error::GameOver),
        "the winner has not lost"
    );
    let draw = evidence(&column, Some(Ending::Draw { until: NOW }));
    assert_eq!(judge(&draw), Err(Error::GameOver));
    let full = evidence(&[7], resigned(Player::One));
    assert_eq!(judge(&full), Err(Error::NoSuchBin));

    // So it is on the chain, also where the chain knows more moves than the evidence has.
    let mut later = game();
    advance(&mut later, &evidence(&[3, 4, 3, 4, 3, 4, 0, 0], None), NOW).expect("signed");
    for bad in [poison, full] {
        let refused = advance(&mut later, &bad, NOW);
        assert_eq!(refused.err(), judge(&bad).err());
        assert_eq!(start.advanced_by(&bad, NOW).err(), judge(&bad).err());
    }
}

/// A draw takes the place of a line with as many other moves, which is an event of its own.
#[test]
fn a_draw_in_place_of_a_line_changes_the_moves() {
    let mut game = game();
    let line = evidence(&[3, 4, 3, 4, 3, 4, 3], None);
    assert_eq!(advance(&mut game, &line, NOW), Ok(true));
    let other = [3, 4, 3, 4, 3, 4, 0];
    let draw = evidence(&other, Some(Ending::Draw { until: NOW + 60 }));
    assert_eq!(advance(&mut game, &draw, NOW), Ok(true));
    assert_eq!(
        (game.game.end(), game.contest),
        (Some(End::Agreement), None)
    );
    assert_eq!(game.game, game.made_by(&draw).expect("legal"));

    let mut resigned = self::game();
    advance(&mut resigned, &line, NOW).expect("signed");
    let early = evidence(&[3], Some(Ending::Resignation(Player::One)));
    assert_eq!(
        advance(&mut resigned, &early, NOW),
        Ok(false),
        "the moves stay"
    );
    assert_eq!(resigned.game.winner(), Some(Player::Two));
}

/// Of each signature there is a second one, with the other `s`. The chain's precompile takes both.
#[test]
fn signatures_with_a_high_s_count_as_on_the_chain() {
    // The order of secp256k1.
    let order: [u8; 32] = [
        0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
        0xfe, 0xba, 0xae, 0xdc, 0xe6, 0xaf, 0x48, 0xa0, 0x3b, 0xbf, 0xd2, 0x5e, 0x8c, 0xd0, 0x36,
        0x41, 0x41,
    ];
    let mut high = evidence(&[3, 4], None);
    for signature in [&mut high.signatures.one, &mut high.signatures.two] {
        let mut borrow = 0_i16;
        for at in (0..32).rev() {
            let difference = i16::from(order[at]) - i16::from(signature.0[32 + at]) - borrow;
            borrow = i16::from(difference < 0);
            signature.0[32 + at] = difference.rem_euclid(256) as u8;
        }
        signature.0[64] = 27 + 28 - signature.0[64];
    }
    assert_ne!(high, evidence(&[3, 4], None));
    assert_eq!(advance(&mut game(), &high, NOW), Ok(true));
}
