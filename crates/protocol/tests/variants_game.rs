//! Tables and games of variants: how they fill, start, go on and end; each refusal, and which comes
//! first.

use codec::{Decode, Encode, MaxEncodedLen};
use connect4_protocol::variants::{Departure, Game};
use connect4_protocol::{Address, End, Error};
use connect4_rules::variant::{Colour, Move, Powers, VariantSpec};
use connect4_rules::{Bin, Cell, Cells, Shape};

use crate::common::{ALICE, BOB, CHARLIE};

const DAVE: Address = Address([0xd; 20]);
const STRANGER: Address = Address([0xe; 20]);

fn terms(players: u8) -> VariantSpec {
    VariantSpec {
        players,
        ..VariantSpec::classic(Shape::STANDARD)
    }
}

fn pie_rule() -> VariantSpec {
    VariantSpec {
        pie_rule: true,
        powers: Powers {
            float: 1,
            ..Powers::NONE
        },
        ..terms(2)
    }
}

/// A game without a time limit, paid for by Alice at second 1,000.
fn started(players: &[Address], terms: VariantSpec) -> Game {
    Game::start(players, terms, ALICE, 1_000).expect("a game")
}

fn of_three() -> Game {
    started(&[ALICE, BOB, CHARLIE], terms(3))
}

/// Alice's open table for three with a minute a move, opened at second 1,000.
fn open_table() -> Game {
    Game::open(ALICE, &[], terms(3), Some(60), 1_000).expect("a table")
}

/// A game of three with a minute a move, which began at second 1,030.
fn timed() -> Game {
    let mut game = open_table();
    joins(&mut game, BOB, 1_010);
    joins(&mut game, CHARLIE, 1_030);
    game
}

fn joins(game: &mut Game, account: Address, now: u64) -> u8 {
    reads_back(game);
    let seat = game.join(account, now).expect("a free seat");
    reads_back(game);
    seat
}

/// A move that has to be taken; prints the board.
fn plays(game: &mut Game, account: Address, action: &str, now: u64) -> Option<End> {
    let colour = game.colour_of(account);
    assert_eq!(game.to_move(), colour);
    let action = action.parse().expect("a move");
    let end = game.play(account, action, now).expect("a legal move");
    let end = end.map(End::from);
    println!(
        "{} plays {action}:\n{}\n",
        colour.expect("a player"),
        game.position()
    );
    assert_eq!(game.end(), end);
    assert_eq!(game.is_over(), end.is_some());
    reads_back(game);
    end
}

/// A call that has to be refused, and leave the game as it was.
#[track_caller]
fn refused<T: std::fmt::Debug>(
    game: &Game,
    call: impl FnOnce(&mut Game) -> Result<T, Error>,
    error: Error,
) {
    let mut after = *game;
    assert_eq!(call(&mut after).expect_err("a refusal"), error);
    assert_eq!(after, *game);
}

/// The record has the same length through its whole life.
fn reads_back(game: &Game) {
    let bytes = game.encode();
    assert_eq!(bytes.len(), Game::max_encoded_len());
    assert_eq!(Game::decode(&mut bytes.as_slice()), Ok(*game));
}

fn drop(bin: u8) -> Move {
    Move::Drop(Bin::new(bin))
}

fn seats(game: &Game) -> Vec<(Option<Address>, bool)> {
    game.seats().collect()
}

#[test]
fn a_game_that_is_started_directly() {
    let game = of_three();
    assert!(game.has_started() && game.is_named() && !game.is_over() && !game.is_swapped());
    assert_eq!(game.to_move(), Some(Colour::Red));
    assert_eq!(game.payer(), ALICE);
    assert_eq!(game.since(), 1_000);
    assert_eq!((game.limit(), game.deadline()), (None, None));
    assert_eq!((game.end(), game.winner()), (None, None));
    assert_eq!(game.winning_cells(), Cells::EMPTY);
    assert_eq!(game.variant().players(), 3);
    let [red, blue, green, yellow] = Colour::ALL.map(|colour| game.account_of(colour));
    assert_eq!(
        [red, blue, green, yellow],
        [ALICE, BOB, CHARLIE, Address::ZERO]
    );
    assert_eq!(game.colour_of(CHARLIE), Some(Colour::Green));
    assert_eq!(game.colour_of(STRANGER), None);
    assert_eq!(
        game.colour_of(Address::ZERO),
        None,
        "nobody's seat is no seat of nobody"
    );
    let all = [ALICE, BOB, CHARLIE].map(|account| (Some(account), true));
    assert_eq!(seats(&game), all);
    reads_back(&game);
    // Who pays need not play.
    let paid = Game::start(&[ALICE, BOB], terms(2), STRANGER, 5).expect("a game");
    assert_eq!(paid.payer(), STRANGER);
}

#[test]
fn a_start_is_refused_in_order() {
    let mut small = VariantSpec {
        pie_rule: true,
        ..terms(3)
    };
    small.shape.bins = 4;
    let start = |players: &[Address], terms| Game::start(players, terms, ALICE, 0);
    assert_eq!(start(&[ALICE, ALICE], small), Err(Error::BadShape), "first");
    let pie = VariantSpec {
        pie_rule: true,
        ..terms(3)
    };
    assert_eq!(start(&[ALICE, ALICE], pie), Err(Error::BadVariant));
    assert_eq!(start(&[ALICE; 5], terms(5)), Err(Error::BadVariant));
    for players in [&[ALICE, ALICE][..], &[ALICE, BOB, CHARLIE, DAVE], &[]] {
        assert_eq!(start(players, terms(3)), Err(Error::WrongPlayers));
    }
    for players in [
        [ALICE, ALICE, BOB],
        [ALICE, BOB, ALICE],
        [BOB, ALICE, ALICE],
    ] {
        assert_eq!(start(&players, terms(3)), Err(Error::SamePlayer));
    }
}

#[test]
fn a_table_for_anyone_fills_and_starts() {
    let mut game = open_table();
    assert!(!game.has_started() && !game.is_named());
    assert_eq!(
        seats(&game),
        [(Some(ALICE), true), (None, false), (None, false)]
    );
    assert_eq!((game.to_move(), game.deadline()), (None, None));
    assert_eq!((game.limit(), game.since()), (Some(60), 1_000));
    refused(
        &game,
        |game| game.play(ALICE, drop(3), 1_000),
        Error::NotStarted,
    );
    refused(&game, |game| game.remove_late(9_000), Error::NotStarted);

    assert_eq!(joins(&mut game, BOB, 1_010), 1);
    assert!(!game.has_started());
    assert_eq!(game.since(), 1_000, "the time runs from the start");
    assert_eq!(joins(&mut game, CHARLIE, 1_030), 2);
    assert!(game.has_started());
    assert_eq!(game.to_move(), Some(Colour::Red));
    assert_eq!(game.deadline(), Some(1_090));
    refused(
        &game,
        |game| game.join(STRANGER, 1_031),
        Error::AlreadyStarted,
    );
    refused(&game, |game| game.join(BOB, 1_031), Error::AlreadyStarted);
}

#[test]
fn a_table_for_named_players_keeps_their_seats() {
    let named = [CHARLIE, ALICE, BOB];
    let mut game = Game::open(ALICE, &named, terms(3), None, 1_000).expect("a table");
    assert!(game.is_named());
    let kept = [
        (Some(CHARLIE), false),
        (Some(ALICE), true),
        (Some(BOB), false),
    ];
    assert_eq!(seats(&game), kept);
    refused(&game, |game| game.join(STRANGER, 1_010), Error::NotInvited);
    refused(&game, |game| game.join(ALICE, 1_010), Error::AlreadyJoined);
    assert_eq!(joins(&mut game, BOB, 1_010), 2);
    assert_eq!(joins(&mut game, CHARLIE, 1_020), 0);
    assert!(game.has_started());
    assert_eq!(game.account_of(Colour::Red), CHARLIE);
    assert_eq!((game.limit(), game.deadline()), (None, None));
}

#[test]
fn an_opening_is_refused_in_order() {
    let open = |players: &[Address], terms, limit| Game::open(ALICE, players, terms, limit, 0);
    let mut small = terms(5);
    small.shape.capacity = 1;
    assert_eq!(open(&[BOB], small, Some(1)), Err(Error::BadShape), "first");
    assert_eq!(open(&[BOB], terms(5), Some(1)), Err(Error::BadVariant));
    assert_eq!(open(&[], terms(1), Some(1)), Err(Error::BadVariant));
    assert_eq!(
        open(&[BOB, BOB], terms(3), Some(1)),
        Err(Error::WrongPlayers)
    );
    assert_eq!(
        open(&[BOB, CHARLIE], terms(2), Some(1)),
        Err(Error::WrongPlayers)
    );
    assert_eq!(
        open(&[ALICE, BOB, BOB], terms(3), Some(1)),
        Err(Error::SamePlayer)
    );
    for limit in [0, 9, Game::MAX_LIMIT + 1, u32::MAX] {
        assert_eq!(
            open(&[ALICE, BOB], terms(2), Some(limit)),
            Err(Error::BadLimit)
        );
        assert_eq!(open(&[], terms(2), Some(limit)), Err(Error::BadLimit));
    }
    for limit in [Game::MIN_LIMIT, Game::MAX_LIMIT] {
        assert_eq!(
            open(&[], terms(2), Some(limit)).map(|game| game.limit()),
            Ok(Some(limit))
        );
    }
}

#[test]
fn a_seat_that_is_left_is_free_again() {
    let mut game = open_table();
    joins(&mut game, BOB, 1_010);
    refused(&game, |game| game.join(BOB, 1_011), Error::AlreadyJoined);
    assert_eq!(game.leave(BOB, 1_012), Ok(Departure::SeatFreed));
    assert_eq!(seats(&game)[1], (None, false));
    refused(&game, |game| game.leave(BOB, 1_013), Error::NotAPlayer);
    assert_eq!(joins(&mut game, CHARLIE, 1_014), 1);
    assert_eq!(joins(&mut game, BOB, 1_015), 2);

    // A named seat stays kept.
    let mut game = Game::open(ALICE, &[ALICE, BOB, CHARLIE], terms(3), None, 0).expect("a table");
    refused(&game, |game| game.leave(BOB, 1), Error::NotAPlayer);
    joins(&mut game, BOB, 1);
    assert_eq!(game.leave(BOB, 2), Ok(Departure::SeatFreed));
    assert_eq!(seats(&game)[1], (Some(BOB), false));
    joins(&mut game, BOB, 3);
    joins(&mut game, CHARLIE, 4);
    assert!(game.has_started());
}

#[test]
fn the_opener_closes_the_table() {
    let mut game = open_table();
    joins(&mut game, BOB, 1_010);
    refused(&game, |game| game.leave(STRANGER, 1_011), Error::NotAPlayer);
    refused(
        &game,
        |game| game.leave(Address::ZERO, 1_011),
        Error::NotAPlayer,
    );
    assert_eq!(game.leave(ALICE, 1_011), Ok(Departure::TableClosed));
    // Once it has started, the opener leaves it as the others do.
    let mut game = timed();
    assert_eq!(game.leave(ALICE, 1_040), Ok(Departure::OutOfGame));
    assert!(!game.is_over());
}

#[test]
fn a_game_is_won_by_a_line() {
    let mut game = of_three();
    for _ in 0..3 {
        assert_eq!(plays(&mut game, ALICE, "1", 1_001), None);
        plays(&mut game, BOB, "2", 1_001);
        plays(&mut game, CHARLIE, "3", 1_001);
    }
    assert_eq!(plays(&mut game, ALICE, "1", 1_002), Some(End::Line));
    assert_eq!(game.winner(), Some(ALICE));
    let line = [0, 1, 2, 3].map(|row| Cell::new(0, row));
    assert!(game.winning_cells().iter(Shape::STANDARD).eq(line));
    assert_eq!(game.to_move(), None);

    // Everything is refused after the end, whoever calls.
    for account in [ALICE, BOB, STRANGER] {
        refused(
            &game,
            |game| game.play(account, drop(9), 2_000),
            Error::GameOver,
        );
        refused(&game, |game| game.leave(account, 2_000), Error::GameOver);
        refused(
            &game,
            |game| game.join(account, 2_000),
            Error::AlreadyStarted,
        );
    }
    refused(&game, |game| game.remove_late(2_000), Error::GameOver);
}

#[test]
fn a_move_is_refused_in_order() {
    let mut game = timed();
    plays(&mut game, ALICE, "1", 1_040);
    game.leave(CHARLIE, 1_045).expect("a player");
    // Not a player, has left, not in turn, too late; then the move itself.
    let play = |account, action: Move, now| move |game: &mut Game| game.play(account, action, now);
    refused(&game, play(STRANGER, drop(9), 9_000), Error::NotAPlayer);
    refused(&game, play(CHARLIE, drop(9), 9_000), Error::HasLeft);
    refused(&game, play(ALICE, drop(9), 9_000), Error::NotYourTurn);
    refused(&game, play(BOB, drop(9), 1_101), Error::OutOfTime);
    refused(&game, play(BOB, drop(9), 1_100), Error::NoSuchBin);
    refused(&game, play(BOB, Move::Swap, 1_100), Error::NotInVariant);
    plays(&mut game, BOB, "1", 1_100);
    assert_eq!(game.to_move(), Some(Colour::Red), "Charlie has left");
}

#[test]
fn every_refusal_of_a_move_is_an_error() {
    let all = VariantSpec {
        pop_out: true,
        pie_rule: true,
        powers: Powers {
            take: 1,
            clear: 1,
            float: 1,
        },
        ..terms(2)
    };
    let mut game = started(&[ALICE, BOB], all);
    for (account, action) in [(ALICE, "f1.3"), (BOB, "2"), (ALICE, "1"), (BOB, "1")] {
        plays(&mut game, account, action, 1_001);
    }
    for (action, error) in [
        ("f2.3", Error::NoPowerLeft),
        ("s", Error::NoSwapNow),
        ("8", Error::NoSuchBin),
        ("r7", Error::NoSuchRow),
        ("p2", Error::NotYourDisc),
        ("t3.1", Error::NoDisc),
        ("t1.3", Error::OwnDisc),
        ("r2", Error::RowEmpty),
    ] {
        let action = action.parse().expect("a move");
        refused(&game, |game| game.play(ALICE, action, 1_001), error);
    }
    plays(&mut game, ALICE, "1", 1_001);
    let low = "f1.2".parse().expect("a move");
    refused(&game, |game| game.play(BOB, low, 1_001), Error::NotAboveTop);
    refused(&game, |game| game.play(BOB, drop(0), 1_001), Error::BinFull);
    let classic = started(&[ALICE, BOB], terms(2));
    let take = "t1.1".parse().expect("a move");
    refused(
        &classic,
        |game| game.play(ALICE, take, 0),
        Error::NotInVariant,
    );
}

#[test]
fn each_move_has_the_whole_limit() {
    let mut game = timed();
    assert_eq!(game.deadline(), Some(1_090));
    plays(&mut game, ALICE, "1", 1_090);
    assert_eq!((game.since(), game.deadline()), (1_090, Some(1_150)));
    refused(&game, |game| game.remove_late(1_150), Error::TimeLeft);
    // Bob is late, and Charlie's time begins when he is removed.
    assert_eq!(game.remove_late(1_200), Ok(BOB));
    reads_back(&game);
    assert!(game.position().has_left(Colour::Blue));
    assert_eq!(game.to_move(), Some(Colour::Green));
    assert_eq!(game.deadline(), Some(1_260));
    assert_eq!(game.remove_late(1_261), Ok(CHARLIE));
    assert_eq!(game.end(), Some(End::LastLeft));
    assert_eq!((game.winner(), game.deadline()), (Some(ALICE), None));
    refused(&game, |game| game.remove_late(9_000), Error::GameOver);
}

#[test]
fn nobody_is_late_without_a_limit() {
    let mut game = of_three();
    refused(&game, |game| game.remove_late(u64::MAX), Error::NoLimit);
    plays(&mut game, ALICE, "1", u64::MAX);
    assert_eq!(game.deadline(), None);
}

#[test]
fn who_leaves_in_turn_passes_the_turn_on() {
    let mut game = timed();
    plays(&mut game, ALICE, "1", 1_040);
    // Charlie leaves while Bob is to move: Bob's time goes on.
    assert_eq!(game.leave(CHARLIE, 1_050), Ok(Departure::OutOfGame));
    reads_back(&game);
    assert_eq!(game.deadline(), Some(1_100));
    refused(&game, |game| game.leave(CHARLIE, 1_051), Error::HasLeft);
    refused(&game, |game| game.leave(STRANGER, 1_051), Error::NotAPlayer);
    // Bob leaves in turn, and Alice is the last one.
    assert_eq!(game.leave(BOB, 1_060), Ok(Departure::OutOfGame));
    assert_eq!(
        (game.end(), game.winner()),
        (Some(End::LastLeft), Some(ALICE))
    );
    assert_eq!(game.winning_cells(), Cells::EMPTY);

    let mut game = timed();
    game.leave(ALICE, 1_040).expect("a player");
    assert_eq!(game.to_move(), Some(Colour::Blue));
    assert_eq!(game.deadline(), Some(1_100), "a time of its own");
}

#[test]
fn a_swap_exchanges_the_accounts_colours() {
    let mut game = started(&[ALICE, BOB], pie_rule());
    plays(&mut game, ALICE, "f4.3", 1_001);
    assert_eq!(game.to_move(), Some(Colour::Blue));
    let before = game;
    assert_eq!(game.play(BOB, Move::Swap, 1_002), Ok(None));
    reads_back(&game);
    assert!(game.is_swapped() && !before.is_swapped());
    assert_eq!(
        (game.colour_of(ALICE), game.colour_of(BOB)),
        (Some(Colour::Blue), Some(Colour::Red))
    );
    assert_eq!(game.account_of(Colour::Red), BOB);
    // Blue is to move again, who is Alice now; her float is used up and Bob's is not.
    assert_eq!(game.to_move(), Some(Colour::Blue));
    refused(
        &game,
        |game| game.play(BOB, drop(0), 1_003),
        Error::NotYourTurn,
    );
    let float = Move::Float(Cell::new(0, 4));
    refused(
        &game,
        |game| game.play(ALICE, float, 1_003),
        Error::NoPowerLeft,
    );
    plays(&mut game, ALICE, "1", 1_003);
    plays(&mut game, BOB, "f1.5", 1_004);
    // The seats stay: Alice's is the first.
    assert_eq!(seats(&game), [(Some(ALICE), true), (Some(BOB), true)]);
    assert_eq!(
        (game.seat_at(Colour::Red), game.seat_at(Colour::Blue)),
        (1, 0)
    );
    // Bob, who is red now, has lost by leaving.
    game.leave(BOB, 1_005).expect("a player");
    assert_eq!(game.winner(), Some(ALICE));
}

#[test]
fn a_swapped_game_is_won_by_the_account_with_the_line() {
    let mut game = started(&[ALICE, BOB], pie_rule());
    plays(&mut game, ALICE, "1", 1_001);
    game.play(BOB, Move::Swap, 1_001).expect("a swap");
    for _ in 0..2 {
        plays(&mut game, ALICE, "2", 1_002);
        plays(&mut game, BOB, "1", 1_002);
    }
    plays(&mut game, ALICE, "2", 1_002);
    // Red's line, of Alice's first disc and Bob's.
    assert_eq!(plays(&mut game, BOB, "1", 1_002), Some(End::Line));
    assert_eq!(game.winner(), Some(BOB));
}

#[test]
fn a_game_that_ended_is_freed_by_its_payer() {
    let mut game = started(&[ALICE, BOB], terms(2));
    refused(&game, |game| game.free(BOB, 1_001), Error::NotPayer);
    refused(&game, |game| game.free(ALICE, 1_001), Error::GameNotOver);
    game.leave(BOB, 1_001).expect("a player");
    refused(&game, |game| game.free(BOB, 1_001), Error::NotPayer);
    let ended = game;
    assert_eq!(game.free(ALICE, 1_001), Ok(()));
    assert_eq!(game, ended, "it is not abandoned");
}

#[test]
fn a_table_is_closed_and_not_freed() {
    let game = open_table();
    refused(&game, |game| game.free(BOB, u64::MAX), Error::NotPayer);
    refused(&game, |game| game.free(ALICE, u64::MAX), Error::NotStarted);
}

#[test]
fn a_game_without_moves_for_30_days_is_abandoned() {
    let mut game = of_three();
    plays(&mut game, ALICE, "1", 2_000);
    let last = 2_000 + u64::from(Game::ABANDONED_AFTER);
    refused(&game, |game| game.free(BOB, last + 1), Error::NotPayer);
    refused(&game, |game| game.free(ALICE, last), Error::GameNotOver);
    assert_eq!(game.free(ALICE, last + 1), Ok(()));
    reads_back(&game);
    assert_eq!((game.end(), game.winner()), (Some(End::Abandoned), None));
    assert_eq!((game.to_move(), game.deadline()), (None, None));
    refused(
        &game,
        |game| game.play(BOB, drop(0), last + 2),
        Error::GameOver,
    );
    refused(&game, |game| game.leave(BOB, last + 2), Error::GameOver);

    let mut replayed = of_three();
    replayed.abandon();
    assert_eq!(replayed.end(), Some(End::Abandoned));
    assert_eq!(replayed.limited(Some(60)).limit(), Some(60));
    assert_eq!(replayed.limited(None).limit(), None);
}

#[test]
fn a_game_is_drawn_after_250_turns() {
    let pop_out = VariantSpec {
        pop_out: true,
        ..terms(2)
    };
    let mut game = started(&[ALICE, BOB], pop_out);
    let mut end = None;
    for turn in 0..250 {
        let account = [ALICE, BOB][turn % 2];
        let action = ["1", "2", "p1", "p2"][turn % 4].parse().expect("a move");
        assert_eq!(end, None);
        end = game.play(account, action, 1_000).expect("a legal move");
    }
    assert_eq!(end.map(End::from), Some(End::TurnLimit));
    assert_eq!(game.winner(), None);
    reads_back(&game);
}

#[test]
fn a_record_is_laid_out_as_documented() {
    let mut game = Game::open(BOB, &[], terms(2), Some(60), 1_000).expect("a table");
    joins(&mut game, CHARLIE, 1_030);
    plays(&mut game, BOB, "2", 1_040);
    let mut expected = [[0xb; 20], [0xc; 20], [0; 20], [0; 20]].concat();
    // Joined; for anyone; started.
    expected.extend([1, 1, 0, 0, 0, 1]);
    // The terms: shape, players, pop out, pie rule, powers.
    expected.extend([7, 6, 4, 2, 0, 0, 0, 0, 0]);
    // Red has a disc.
    expected.extend((1_u128 << 7).to_le_bytes());
    expected.extend([0; 3 * 16]);
    // No powers; nobody has left; one turn; blue is to move; not over; no winner.
    expected.extend([0; 3 * 4 + 4]);
    expected.extend([1, 1, 0, 0]);
    // Not swapped. Bob pays. The limit, and when the turn began.
    expected.extend([0]);
    expected.extend([0xb; 20]);
    expected.extend(60_u32.to_le_bytes());
    expected.extend(1_040_u64.to_le_bytes());
    assert_eq!(game.encode(), expected);
    assert_eq!(Game::max_encoded_len(), 212);
}
