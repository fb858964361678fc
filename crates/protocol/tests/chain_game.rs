//! What a contract makes of positions that both players have signed, what they call on the chain, and how clocks and
//! lines that can be contested follow.
use connect4_protocol::signed::{
    Banks, Chain, ChainGame, Domain, Evidence, GameNumber, Native, Party, SessionKey, Signature,
    SignedEnd, StakedGame, StakesError, Terms,
};
use connect4_protocol::{Address, ClockSpec, End, Error};
use connect4_rules::{Bin, ByPlayer, Player, Shape};

use crate::common::signers::{Signers, key};
use crate::common::{ALICE, BOB, CHARLIE, DRAWN};

pub const NOW: u64 = 1_800_000_000;
/// A minute each, and five seconds a move.
const CLOCK: ClockSpec = ClockSpec {
    bank: 60,
    increment: 5,
};
const DOMAIN: Domain = Domain {
    chain: Chain {
        id: 420_420_421,
        genesis: [9; 32],
    },
    stakes: Some(Address([0xcc; 20])),
};
/// Alice's line in bin 3.
const COLUMN: [u8; 7] = [3, 4, 3, 4, 3, 4, 3];

fn keys() -> ByPlayer<SessionKey> {
    ByPlayer {
        one: key(1),
        two: key(2),
    }
}

/// Terms of Alice against Bob.
fn terms(shape: Shape) -> Terms {
    let ByPlayer { one, two } = keys().map(|key| key.address());
    Terms {
        players: ByPlayer {
            one: Party::new(ALICE, one),
            two: Party::new(BOB, two),
        },
        clock: Some(ClockSpec {
            bank: 300,
            increment: 5,
        }),
        stake: 1,
        time: NOW,
        ..Terms::on(shape)
    }
}

fn number() -> GameNumber {
    terms(Shape::STANDARD).number(&DOMAIN, &Native)
}

/// A game for which both have paid, Bob first, with this clock in place of that of the terms.
pub fn started(shape: Shape, clock: Option<ClockSpec>) -> ChainGame {
    let terms = terms(shape);
    let (paid, _) = StakedGame::fund(None, &terms, BOB, NOW).expect("pays");
    let (begun, _) = StakedGame::fund(Some(paid), &terms, ALICE, NOW).expect("pays");
    ChainGame {
        stopped: clock.map(|ClockSpec { bank, increment }| Banks {
            left: ByPlayer {
                one: bank,
                two: bank,
            },
            increment,
        }),
        ..begun.game
    }
}

/// A game of Alice against Bob, with a minute each.
fn game() -> ChainGame {
    started(Shape::STANDARD, Some(CLOCK))
}

/// What two honest players hold after these moves, and this end.
fn evidence(bins: &[u8], end: Option<SignedEnd>) -> Evidence {
    let (keys, game, domain) = (keys(), number(), DOMAIN);
    Signers { keys, game, domain }.evidence(bins, end)
}

/// Brings evidence to the contract. Returns whether the moves changed.
fn bring(game: &mut ChainGame, evidence: &Evidence, now: u64) -> Result<bool, Error> {
    let mut staked = StakedGame {
        stake: 1,
        clock: CLOCK,
        time: NOW,
        paid_by: None,
        game: *game,
    };
    let before = *game;
    let result = staked.advance(number(), evidence, &DOMAIN, &Native, now);
    let result = result.map_err(|error| match error {
        StakesError::Common(error) => error,
        error => panic!("{error}"),
    });
    *game = staked.game;
    if result.is_err() {
        assert_eq!(*game, before, "what is refused changes nothing");
    }
    if result != Err(Error::BadSignature) {
        let tried = before.advanced_by(evidence, now);
        assert_eq!(tried.is_ok(), result.is_ok(), "a trial says the same");
        assert_eq!(tried.unwrap_or(before), *game, "and leads to the same");
    }
    result
}

/// As [`bring`], of what two honest players hold.
fn advance(
    game: &mut ChainGame,
    bins: &[u8],
    end: Option<SignedEnd>,
    now: u64,
) -> Result<bool, Error> {
    bring(game, &evidence(bins, end), now)
}

fn after(bins: &[u8]) -> ChainGame {
    let mut game = game();
    advance(&mut game, bins, None, NOW).expect("signed");
    game
}

#[test]
fn a_game_of_any_length_is_settled_by_its_last_position() {
    let mut game = game();
    let column = [3, 4, 3, 4, 3, 4, 3];
    let agreed = Some(SignedEnd::Resignation(Player::Two));
    bring(&mut game, &evidence(&column, agreed), NOW).expect("both have signed");
    assert!(game.is_final());
    assert_eq!(game.game.end(), Some(End::Line));
    assert_eq!(game.game.winner(), Some(Player::One));
    assert_eq!(game.game.turns(), 7);
}

#[test]
fn each_position_replaces_those_with_fewer_moves() {
    let mut game = game();
    bring(&mut game, &evidence(&[3, 4, 3], None), NOW).expect("news");
    for old in [&[3, 4, 3][..], &[3, 4], &[]] {
        assert_eq!(
            bring(&mut game, &evidence(old, None), NOW),
            Err(Error::NotNewer)
        );
    }
    // Alice signed another third move, too. It helps nobody.
    assert_eq!(
        bring(&mut game, &evidence(&[3, 4, 0], None), NOW),
        Err(Error::NotNewer)
    );
    // Bob may choose the one that he answers.
    bring(&mut game, &evidence(&[3, 4, 0, 0], None), NOW).expect("news");
    assert_eq!(game.game.turns(), 4);
}

#[test]
fn a_line_can_be_contested_by_more_moves_unless_the_loser_agrees() {
    let mut game = game();
    let back = evidence(&[0, 0, 1, 1, 2, 2, 3], None);
    bring(&mut game, &back, NOW).expect("both have signed");
    // The loser's bank is a minute; five are the least.
    let until = NOW + u64::from(ChainGame::CONTEST);
    assert_eq!((game.contest, game.game.is_over()), (Some(until), true));
    // What the players had long played instead.
    let mut contested = game;
    let later = evidence(&[0, 0, 1, 1, 2, 2, 6, 5], None);
    bring(&mut contested, &later, until).expect("the last second");
    assert_eq!((contested.contest, contested.game.turns()), (None, 8));
    let mut late = game;
    assert_eq!(bring(&mut late, &later, until + 1), Err(Error::OutOfTime));

    assert_eq!(game.claim_timeout(None, until), Err(Error::TimeLeft));
    assert_eq!(game.claim_timeout(None, until + 1), Ok(()));
    assert!(game.is_final());
}

#[test]
fn both_players_have_to_have_signed() {
    let signed = evidence(&[3, 4, 3], None);
    for player in Player::ALL {
        let mut missing = signed;
        missing.signatures[player] = Signature::NONE;
        assert_eq!(bring(&mut game(), &missing, NOW), Err(Error::BadSignature));
    }
    // Nobody signs the start, but who ends the game at it does.
    let until = NOW + 60;
    for by in Player::ALL {
        for (ending, both) in [
            (SignedEnd::Resignation(by), false),
            (SignedEnd::Draw { until }, true),
        ] {
            let ended = evidence(&[], Some(ending));
            for missing in Player::ALL {
                let mut unsigned = ended;
                unsigned.signatures[missing] = Signature::NONE;
                let result = match both || missing == by {
                    true => Err(Error::BadSignature),
                    false => Ok(false),
                };
                assert_eq!(bring(&mut game(), &unsigned, NOW), result, "{ending:?}");
            }
        }
    }
    // The first move is supported by who made it.
    let first = evidence(&[3], None);
    assert_eq!(first.signatures.two, Signature::NONE);
    bring(&mut game(), &first, NOW).expect("player one has signed");
}

#[test]
fn illegal_moves_are_refused_though_both_have_signed() {
    for (bins, error) in [
        (&[3, 3, 3, 3, 3, 3, 3][..], Error::BinFull),
        (&[3, 7], Error::NoSuchBin),
        (&[3, 4, 3, 4, 3, 4, 3, 0], Error::GameOver),
    ] {
        assert_eq!(bring(&mut game(), &evidence(bins, None), NOW), Err(error));
    }
}

#[test]
fn the_clock_stands_still_until_it_is_pressed() {
    let mut game = game();
    bring(&mut game, &evidence(&[3], None), NOW).expect("news");
    assert_eq!(game.deadline(), None);
    assert_eq!(game.press(BOB, NOW), Err(Error::YourTurn));
    assert_eq!(game.press(CHARLIE, NOW), Err(Error::NotAPlayer));
    let later = NOW + 1_000_000;
    assert_eq!(game.press(ALICE, later), Ok(later + 60));
    assert_eq!(game.press(ALICE, later), Err(Error::ClockRuns));

    // The answer costs Bob the time that it took, as a move on the chain does, and stops the clock.
    let mut answered = game;
    bring(&mut answered, &evidence(&[3, 4], None), later + 20).expect("in time");
    assert_eq!(answered.clock, None);
    let banks = answered.stopped.expect("it stands");
    assert_eq!(banks.left, ByPlayer { one: 60, two: 45 });

    // After a disc on the chain the opponent's clock runs.
    let mut moved = game;
    moved.drop(BOB, Bin::new(4), later + 20).expect("in time");
    assert_eq!(moved.deadline(), Some(later + 20 + 60));

    // After the deadline neither helps.
    let late = later + 61;
    assert_eq!(
        bring(&mut game, &evidence(&[3, 4], None), late),
        Err(Error::OutOfTime)
    );
    assert_eq!(game.drop(BOB, Bin::new(4), late), Err(Error::OutOfTime));
}

#[test]
fn a_resignation_stands_for_good() {
    let resigned = evidence(&[3, 4], Some(SignedEnd::Resignation(Player::One)));
    let mut game = game();
    bring(&mut game, &evidence(&[3, 4, 3], None), NOW).expect("news");
    bring(&mut game, &resigned, NOW + 1_000_000).expect("at any time");
    assert_eq!(game.game.end(), Some(End::Resignation));
    assert_eq!(game.game.winner(), Some(Player::Two));
    assert_eq!(game.game.turns(), 3, "the chain knew of a move more");
}

#[test]
fn an_old_offer_of_a_draw_is_worth_nothing() {
    let until = NOW + 60;
    let draw = evidence(&[3, 4], Some(SignedEnd::Draw { until }));
    let mut in_time = game();
    bring(&mut in_time, &draw, until).expect("in its time");
    assert_eq!(in_time.game.end(), Some(End::Agreement));
    assert_eq!(in_time.game.turns(), 2, "the draw brings its moves along");

    assert_eq!(bring(&mut game(), &draw, until + 1), Err(Error::NoOffer));
    let mut played_on = game();
    bring(&mut played_on, &evidence(&[3, 4, 3], None), NOW).expect("news");
    assert_eq!(bring(&mut played_on, &draw, NOW), Err(Error::NotNewer));
}

/// Contract, players, relays and pages judge evidence by the same function, whatever the chain knows.
#[test]
fn evidence_is_valid_or_not_whatever_the_chain_knows() {
    let start = game();
    let column = [3, 4, 3, 4, 3, 4, 3];
    let resigned = |by| Some(SignedEnd::Resignation(by));
    let judge = |evidence: &Evidence| start.made_by(evidence);
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
    let draw = evidence(&column, Some(SignedEnd::Draw { until: NOW }));
    assert_eq!(judge(&draw), Err(Error::GameOver));
    let full = evidence(&[7], resigned(Player::One));
    assert_eq!(judge(&full), Err(Error::NoSuchBin));

    // So it is on the chain, also where the chain knows more moves than the evidence has.
    let mut later = game();
    bring(&mut later, &evidence(&[3, 4, 3, 4, 3, 4, 0, 0], None), NOW).expect("signed");
    for bad in [poison, full] {
        let refused = bring(&mut later, &bad, NOW);
        assert_eq!(refused.err(), judge(&bad).err());
        assert_eq!(start.advanced_by(&bad, NOW).err(), judge(&bad).err());
    }
}

/// A draw takes the place of a line with as many other moves, which is an event of its own.
#[test]
fn a_draw_in_place_of_a_line_changes_the_moves() {
    let mut game = game();
    let line = evidence(&[3, 4, 3, 4, 3, 4, 3], None);
    assert_eq!(bring(&mut game, &line, NOW), Ok(true));
    let other = [3, 4, 3, 4, 3, 4, 0];
    let draw = evidence(&other, Some(SignedEnd::Draw { until: NOW + 60 }));
    assert_eq!(bring(&mut game, &draw, NOW), Ok(true));
    assert_eq!(
        (game.game.end(), game.contest),
        (Some(End::Agreement), None)
    );
    assert_eq!(game.game, game.made_by(&draw).expect("legal"));

    let mut resigned = self::game();
    bring(&mut resigned, &line, NOW).expect("signed");
    let early = evidence(&[3], Some(SignedEnd::Resignation(Player::One)));
    assert_eq!(
        bring(&mut resigned, &early, NOW),
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
    assert_eq!(bring(&mut game(), &high, NOW), Ok(true));
}

#[test]
fn an_end_takes_the_place_of_a_position_and_of_no_end() {
    let until = NOW;
    let resigned = |len| evidence(&COLUMN[..len], Some(SignedEnd::Resignation(Player::One)));
    let drawn = |len| evidence(&COLUMN[..len], Some(SignedEnd::Draw { until }));
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
fn a_game_starts_with_a_clock_that_stands() {
    let started = game();
    let left = ByPlayer { one: 60, two: 60 };
    let increment = 5;
    assert_eq!(started.stopped, Some(Banks { left, increment }));
    assert_eq!((started.clock, started.contest), (None, None));
    assert!(!started.is_final());
    assert_eq!(started.game.payer(), BOB);
    assert_eq!(self::started(Shape::STANDARD, None).stopped, None);
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
    let agreed = Some(SignedEnd::Resignation(Player::Two));
    assert_eq!(advance(&mut game, &COLUMN, agreed, NOW), Ok(false));
    assert!(game.is_final());
    assert_eq!(game.game.end(), Some(End::Line));
    let over = advance(
        &mut game,
        &[3],
        Some(SignedEnd::Resignation(Player::One)),
        NOW,
    );
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
    let mut without = started(Shape::STANDARD, None);
    assert_eq!(without.press(BOB, NOW), Err(Error::NoClock));
}

#[test]
fn the_last_second_of_a_clock_counts() {
    let mut pressed = after(&[3]);
    let last = pressed.press(ALICE, NOW).expect("Bob is to move");
    let agreed = Some(CLOCK);
    let mut in_time = pressed;
    assert_eq!(advance(&mut in_time, &[3, 4], None, last), Ok(true));
    // All of Bob's minute, and what a move adds to it.
    let left = ByPlayer { one: 60, two: 5 };
    assert_eq!(in_time.stopped.expect("it stands").left, left);
    assert_eq!(pressed.claim_timeout(agreed, last), Err(Error::TimeLeft));
    let mut late = pressed;
    assert_eq!(
        advance(&mut late, &[3, 4], None, last + 1),
        Err(Error::OutOfTime)
    );
    let draw = Some(SignedEnd::Draw { until: last + 9 });
    assert_eq!(
        advance(&mut late, &[3, 4], draw, last + 1),
        Err(Error::OutOfTime)
    );
    assert_eq!(late, pressed);
    // Before both have moved it is aborted.
    assert_eq!(late.claim_timeout(agreed, last + 1), Ok(()));
    assert_eq!((late.game.end(), late.is_final()), (Some(End::Abort), true));
    // A resignation stands also after the time.
    let resigned = Some(SignedEnd::Resignation(Player::One));
    assert_eq!(advance(&mut pressed, &[3, 4], resigned, last + 1), Ok(true));
    assert_eq!(pressed.game.winner(), Some(Player::Two));
}

#[test]
fn without_a_clock_there_is_nothing_to_claim() {
    let mut game = after(&[3, 4]);
    let none = game.claim_timeout(None, NOW + 1_000_000);
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
    let clock = game.clock.expect("it runs");
    assert_eq!(clock.deadline(), NOW + 160);
    assert_eq!(clock.waiting(), 65);
    assert_eq!((game.stopped, game.contest), (None, None));
}

/// The turn comes first, then the time, then the bin.
#[test]
fn a_disc_after_the_deadline_is_refused() {
    let mut game = after(&[3]);
    let last = game.press(ALICE, NOW).expect("Bob is to move");
    let pressed = game;
    let mut late = |caller, bin| game.drop(caller, Bin::new(bin), last + 1);
    assert_eq!(late(CHARLIE, 7), Err(Error::NotAPlayer));
    assert_eq!(late(ALICE, 7), Err(Error::NotYourTurn));
    assert_eq!(late(BOB, 7), Err(Error::OutOfTime));
    assert_eq!(late(BOB, 4), Err(Error::OutOfTime));
    assert_eq!(game, pressed);
    game.drop(BOB, Bin::new(4), last).expect("in time");
}

/// By what is left when the line is made: the loser has at least five minutes, and more if its bank has.
#[test]
fn a_line_on_the_chain_can_be_contested_for_as_long_as_the_losers_bank() {
    for (bank, contest) in [(60, 300), (300, 300), (301, 301), (900, 900)] {
        let increment = 5;
        let clock = Some(ClockSpec { bank, increment });
        let mut game = started(Shape::STANDARD, clock);
        advance(&mut game, &COLUMN[..6], None, NOW).expect("signed");
        game.drop(ALICE, Bin::new(3), NOW + 7).expect("its turn");
        assert_eq!(game.contest, Some(NOW + 7 + contest), "a bank of {bank} s");
        let left = ByPlayer {
            one: bank + increment,
            two: bank,
        };
        assert_eq!(game.stopped, Some(Banks { left, increment }));
        assert_eq!(game.clock, None);
    }
    // A clock that ran has less left.
    let bank = 900;
    let increment = 5;
    let clock = Some(ClockSpec { bank, increment });
    let mut game = started(Shape::STANDARD, clock);
    advance(&mut game, &COLUMN[..5], None, NOW).expect("signed");
    game.press(ALICE, NOW).expect("Bob is to move");
    advance(&mut game, &COLUMN, None, NOW + 200).expect("signed");
    assert_eq!(game.contest, Some(NOW + 200 + 705));
}

#[test]
fn a_full_board_is_final_at_once() {
    // Its terms are of another board, and so of another number.
    let mut game = started(Shape::CLASSROOM, Some(CLOCK));
    assert_eq!(advance(&mut game, &DRAWN, None, NOW), Ok(true));
    assert!(game.is_final());
    assert_eq!(
        (game.game.end(), game.contest),
        (Some(End::FullBoard), None)
    );
    let resigned = Some(SignedEnd::Resignation(Player::One));
    assert_eq!(
        advance(&mut game, &DRAWN[..3], resigned, NOW),
        Err(Error::GameOver)
    );
}

#[test]
fn a_draw_in_its_time_ends_the_position_that_the_chain_knows() {
    let draw = Some(SignedEnd::Draw { until: NOW });
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
    let resigned = Some(SignedEnd::Resignation(Player::Two));
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
    let resigned = Some(SignedEnd::Resignation(Player::One));
    advance(&mut pressed, &[3, 4], resigned, u64::MAX).expect("at any time");
    assert!(pressed.is_final());
}
