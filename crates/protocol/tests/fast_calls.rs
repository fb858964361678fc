//! Fast play: what players call on the chain, and how clocks and lines that can be contested follow.
#![cfg(feature = "sign")]

mod common;

use connect4_protocol::fast::{
    Agreed, Banks, Domain, Ending, Evidence, FIRST, FastGame, Native, SessionKey,
};
use connect4_protocol::{Address, ClockSpec, End, Error, GameId, Match};
use connect4_rules::{Bin, ByPlayer, Player, Shape};

use common::fast::Signers;
use common::{ALICE, BOB, CHARLIE, CLOCK, DRAWN};

const NOW: u64 = 1_800_000_000;
const DOMAIN: Domain = Domain::new(420_420_421, Address([0xcc; 20]));
/// Alice's line in bin 3.
const COLUMN: [u8; 7] = [3, 4, 3, 4, 3, 4, 3];

fn signers() -> Signers {
    let key = |byte| SessionKey::from_secret(&[byte; 32]).expect("a key");
    Signers {
        keys: ByPlayer {
            one: key(1),
            two: key(2),
        },
        game: FIRST.into(),
        domain: DOMAIN,
    }
}

fn agreed(clock: Option<ClockSpec>) -> Agreed {
    Agreed {
        players: ByPlayer {
            one: ALICE,
            two: BOB,
        },
        keys: signers().keys.map(|key| key.address()),
        payer: CHARLIE,
        shape: Shape::STANDARD.into(),
        clock,
        pie_rule: false,
    }
}

fn game() -> FastGame {
    FastGame::start(&agreed(Some(CLOCK))).expect("two keys")
}

fn evidence(bins: &[u8], ending: Option<Ending>) -> Evidence {
    signers().evidence(bins, ending)
}

fn advance(
    game: &mut FastGame,
    bins: &[u8],
    ending: Option<Ending>,
    now: u64,
) -> Result<bool, Error> {
    let before = *game;
    let evidence = evidence(bins, ending);
    let result = game.advance(FIRST, &evidence, &DOMAIN, &Native, now);
    let tried = before.advanced_by(&evidence, now);
    assert_eq!(tried.is_ok(), result.is_ok(), "a trial says the same");
    assert_eq!(tried.unwrap_or(before), *game, "and leads to the same");
    result
}

fn after(bins: &[u8]) -> FastGame {
    let mut game = game();
    advance(&mut game, bins, None, NOW).expect("signed");
    game
}

#[test]
fn fast_games_are_numbered_from_the_first() {
    let is_fast = |number| GameId::of_two(number).is_fast();
    assert!(is_fast(FIRST));
    assert!(is_fast(u32::MAX));
    assert!(!is_fast(FIRST - 1));
    assert!(!is_fast(0));
}

#[test]
fn an_end_takes_the_place_of_a_position_and_of_no_end() {
    let until = NOW;
    let resigned = |len| evidence(&COLUMN[..len], Some(Ending::Resignation(Player::One)));
    let drawn = |len| evidence(&COLUMN[..len], Some(Ending::Draw { until }));
    let position = |len| evidence(&COLUMN[..len], None);
    for (one, other, replaces) in [
        (position(3), position(2), true),
        (position(3), position(3), false),
        (drawn(3), position(3), true),
        (drawn(2), position(3), false),
        (resigned(0), position(3), true),
        (position(3), drawn(2), false),
        (position(3), resigned(2), false),
        (resigned(3), resigned(2), false),
        (drawn(3), drawn(2), false),
    ] {
        assert_eq!(one.replaces(&other), replaces, "{one:?}, {other:?}");
    }
}

#[test]
fn a_game_starts_with_two_keys_and_a_clock_that_stands() {
    let started = game();
    let left = ByPlayer { one: 60, two: 60 };
    let increment = 5;
    assert_eq!(started.stopped, Some(Banks { left, increment }));
    assert_eq!((started.game.clock(), started.contest), (None, None));
    assert!(!started.is_final());
    assert_eq!(started.game.payer(), CHARLIE);

    let good = agreed(None);
    assert_eq!(FastGame::start(&good).expect("two keys").stopped, None);
    let same = ByPlayer {
        one: good.keys.one,
        two: good.keys.one,
    };
    let no_one = ByPlayer {
        one: Address::ZERO,
        ..good.keys
    };
    let no_two = ByPlayer {
        two: Address::ZERO,
        ..good.keys
    };
    for keys in [same, no_one, no_two] {
        let refused = FastGame::start(&Agreed { keys, ..good });
        assert_eq!(refused.err(), Some(Error::BadKey));
    }
}

#[test]
fn a_line_is_final_when_its_loser_resigns_on_the_chain_too() {
    let mut game = after(&COLUMN);
    assert!(
        game.game.is_over() && !game.is_final(),
        "it can be contested"
    );
    assert_eq!(game.resign(CHARLIE), Err(Error::NotAPlayer));
    let mut agreed = game;
    assert_eq!(agreed.resign(BOB), Ok(()));
    assert!(agreed.is_final());
    let end = (agreed.game.end(), agreed.game.winner());
    assert_eq!(end, (Some(End::Line), Some(Player::One)));
    assert_eq!(agreed.resign(BOB), Err(Error::GameOver));
    // The player who has made it may still give the game up.
    assert_eq!(game.resign(ALICE), Ok(()));
    assert!(game.is_final());
    let end = (game.game.end(), game.game.winner());
    assert_eq!(end, (Some(End::Resignation), Some(Player::Two)));
}

#[test]
fn a_signed_agreement_to_a_line_makes_it_final() {
    let mut game = after(&COLUMN);
    let agreed = Some(Ending::Resignation(Player::Two));
    assert_eq!(advance(&mut game, &COLUMN, agreed, NOW), Ok(false));
    assert!(game.is_final());
    assert_eq!(game.game.end(), Some(End::Line));
    let over = advance(&mut game, &[3], Some(Ending::Resignation(Player::One)), NOW);
    assert_eq!(over, Err(Error::GameOver));
}

#[test]
fn a_player_resigns_on_the_chain_in_either_turn() {
    for (caller, winner) in [(ALICE, Player::Two), (BOB, Player::One)] {
        let mut game = after(&[3]);
        assert_eq!(game.resign(caller), Ok(()));
        assert!(game.is_final());
        let end = (game.game.end(), game.game.winner());
        assert_eq!(end, (Some(End::Resignation), Some(winner)));
    }
}

#[test]
fn a_clock_is_pressed_once_by_the_player_who_waits() {
    let mut game = after(&[3]);
    assert_eq!(game.press(ALICE, NOW + 10), Ok(NOW + 70));
    assert_eq!(game.stopped, None);
    assert_eq!(game.press(ALICE, NOW + 10), Err(Error::ClockRuns));
    assert_eq!(after(&COLUMN).press(ALICE, NOW), Err(Error::GameOver));
    let mut without = FastGame::start(&agreed(None)).expect("two keys");
    assert_eq!(without.press(BOB, NOW), Err(Error::NoClock));
}

#[test]
fn the_last_second_of_a_clock_counts() {
    let mut pressed = after(&[3]);
    let last = pressed.press(ALICE, NOW).expect("Bob is to move");
    let state = Match {
        clock: Some(CLOCK),
        ..Match::default()
    };
    let mut in_time = pressed;
    assert_eq!(advance(&mut in_time, &[3, 4], None, last), Ok(true));
    // All of Bob's minute, and what a move adds to it.
    let left = ByPlayer { one: 60, two: 5 };
    assert_eq!(in_time.stopped.expect("it stands").left, left);
    assert_eq!(pressed.claim_timeout(&state, last), Err(Error::TimeLeft));
    let mut late = pressed;
    assert_eq!(
        advance(&mut late, &[3, 4], None, last + 1),
        Err(Error::OutOfTime)
    );
    let draw = Some(Ending::Draw { until: last + 9 });
    assert_eq!(
        advance(&mut late, &[3, 4], draw, last + 1),
        Err(Error::OutOfTime)
    );
    assert_eq!(late, pressed);
    // Before both have moved it is aborted.
    assert_eq!(late.claim_timeout(&state, last + 1), Ok(()));
    assert_eq!((late.game.end(), late.is_final()), (Some(End::Abort), true));
    // A resignation stands also after the time.
    let resigned = Some(Ending::Resignation(Player::One));
    assert_eq!(advance(&mut pressed, &[3, 4], resigned, last + 1), Ok(true));
    assert_eq!(pressed.game.winner(), Some(Player::Two));
}

#[test]
fn without_a_clock_there_is_nothing_to_claim() {
    let mut game = after(&[3, 4]);
    let none = game.claim_timeout(&Match::default(), NOW + 1_000_000);
    assert_eq!(none, Err(Error::NoClock));
}

#[test]
fn a_disc_on_the_chain_starts_the_clock_of_the_opponent() {
    let mut game = after(&[3]);
    assert_eq!(game.drop(ALICE, Bin::new(3), NOW), Err(Error::NotYourTurn));
    assert_eq!(game.drop(BOB, Bin::new(7), NOW), Err(Error::NoSuchBin));
    assert_eq!(game, after(&[3]), "what is refused changes nothing");
    game.drop(BOB, Bin::new(4), NOW + 100).expect("its turn");
    // Bob's clock stood until then, so the move has cost him nothing.
    let clock = game.game.clock().expect("it runs");
    assert_eq!(clock.deadline(), NOW + 160);
    assert_eq!(clock.waiting(), 65);
    assert_eq!((game.stopped, game.contest), (None, None));
}

/// By what is left when the line is made: the loser has at least five minutes, and more if its bank has.
#[test]
fn a_line_on_the_chain_can_be_contested_for_as_long_as_the_losers_bank() {
    for (bank, contest) in [(60, 300), (300, 300), (301, 301), (900, 900)] {
        let increment = 5;
        let clock = Some(ClockSpec { bank, increment });
        let mut game = FastGame::start(&agreed(clock)).expect("two keys");
        advance(&mut game, &COLUMN[..6], None, NOW).expect("signed");
        game.drop(ALICE, Bin::new(3), NOW + 7).expect("its turn");
        assert_eq!(game.contest, Some(NOW + 7 + contest), "a bank of {bank} s");
        let left = ByPlayer {
            one: bank + increment,
            two: bank,
        };
        assert_eq!(game.stopped, Some(Banks { left, increment }));
        assert_eq!(game.game.clock(), None);
    }
    // A clock that ran has less left.
    let bank = 900;
    let increment = 5;
    let clock = Some(ClockSpec { bank, increment });
    let mut game = FastGame::start(&agreed(clock)).expect("two keys");
    advance(&mut game, &COLUMN[..5], None, NOW).expect("signed");
    game.press(ALICE, NOW).expect("Bob is to move");
    advance(&mut game, &COLUMN, None, NOW + 200).expect("signed");
    assert_eq!(game.contest, Some(NOW + 200 + 705));
}

#[test]
fn a_full_board_is_final_at_once() {
    let mut started = agreed(Some(CLOCK));
    started.shape = Shape::CLASSROOM.into();
    let mut game = FastGame::start(&started).expect("two keys");
    assert_eq!(advance(&mut game, &DRAWN, None, NOW), Ok(true));
    assert!(game.is_final());
    assert_eq!(
        (game.game.end(), game.contest),
        (Some(End::FullBoard), None)
    );
    let resigned = Some(Ending::Resignation(Player::One));
    assert_eq!(
        advance(&mut game, &DRAWN[..3], resigned, NOW),
        Err(Error::GameOver)
    );
}

#[test]
fn a_draw_in_its_time_ends_the_position_that_the_chain_knows() {
    let draw = Some(Ending::Draw { until: NOW });
    let mut game = after(&[3, 4, 3]);
    assert_eq!(advance(&mut game, &[3, 4, 3], draw, NOW), Ok(false));
    let end = (game.game.end(), game.game.winner(), game.is_final());
    assert_eq!(end, (Some(End::Agreement), None, true));
}

#[test]
fn only_a_draw_takes_the_place_of_a_line_with_as_many_moves() {
    let other = [3, 4, 3, 4, 3, 4, 0];
    let mut game = after(&COLUMN);
    assert_eq!(advance(&mut game, &other, None, NOW), Err(Error::NotNewer));
    let resigned = Some(Ending::Resignation(Player::Two));
    // It is the agreement to the line that the chain knows.
    assert_eq!(advance(&mut game, &other, resigned, NOW), Ok(false));
    assert_eq!((game.game.end(), game.is_final()), (Some(End::Line), true));
}

/// A player may have nothing left, and a machine any time.
#[test]
fn no_time_is_too_large() {
    let mut game = after(&COLUMN[..6]);
    game.drop(ALICE, Bin::new(3), u64::MAX).expect("its turn");
    assert_eq!(game.contest, Some(u64::MAX));
    let mut pressed = after(&[3]);
    pressed.press(ALICE, NOW).expect("Bob is to move");
    let resigned = Some(Ending::Resignation(Player::One));
    advance(&mut pressed, &[3, 4], resigned, u64::MAX).expect("at any time");
    assert!(pressed.is_final());
}
