//! Every error, in the order in which the messages document them.

use connect4_protocol::Error;
use connect4_protocol::variants::Game;
use connect4_rules::variant::{Move, Powers, VariantSpec};
use connect4_rules::{Bin, Cell, ShapeSpec};
use connect4_testing::Account::{Alice, Bob, Charlie, Dave, Eve};

use crate::call::Call::*;
use crate::games::{FOUR, QUICK, THREE, TWO, drop};
use crate::world::World;

/// When several errors apply, a message returns the one that its documentation lists first. In each
/// case the errors below it in the documentation apply as well, where they can.
#[test]
fn the_error_documented_first_is_returned() {
    let world = World::new();
    let none = 99;
    let bad_shape = VariantSpec {
        shape: ShapeSpec { bins: 4, ..QUICK },
        players: 1,
        ..TWO
    };
    let bad_players = VariantSpec { players: 5, ..TWO };
    let bad_pie = VariantSpec {
        pie_rule: true,
        ..THREE
    };
    let bad_powers = VariantSpec {
        powers: Powers {
            take: 10,
            ..Powers::NONE
        },
        ..TWO
    };
    let never = Some(Game::MAX_LIMIT + 1);
    let at_once = Some(Game::MIN_LIMIT - 1);
    let twice = || vec![Alice, Alice, Bob];

    let table = world.does(Alice, Open(vec![], TWO, None)).number();
    let named = world
        .does(Alice, Open(vec![Alice, Bob], TWO, None))
        .number();
    let running = world.starts(&[Alice, Bob, Charlie], THREE);
    let limited = world.gather(&[Alice, Bob], TWO, Some(60));
    let over = world.starts(&[Alice, Bob], TWO);
    world.does(Alice, Leave(over));
    let left = world.starts(&[Alice, Bob, Charlie], THREE);
    world.does(Charlie, Leave(left));

    use Error::*;
    let cases = [
        (Eve, Start(twice(), bad_shape), BadShape),
        (Eve, Start(twice(), bad_players), BadVariant),
        (Eve, Start(twice(), bad_pie), BadVariant),
        (Eve, Start(twice(), bad_powers), BadVariant),
        (Eve, Start(twice(), TWO), WrongPlayers),
        (Eve, Start(vec![], TWO), WrongPlayers),
        (Eve, Start(twice(), THREE), SamePlayer),
        (Eve, Open(twice(), bad_shape, never), BadShape),
        (Eve, Open(twice(), bad_players, never), BadVariant),
        (Eve, Open(twice(), TWO, never), WrongPlayers),
        (Eve, Open(vec![Alice, Bob], TWO, never), WrongPlayers),
        (Alice, Open(twice(), THREE, never), SamePlayer),
        (Alice, Open(vec![], TWO, never), BadLimit),
        (Alice, Open(vec![Alice, Bob], TWO, at_once), BadLimit),
        (Eve, Join(none), NoSuchGame),
        (Alice, Join(running), AlreadyStarted),
        (Eve, Join(over), AlreadyStarted),
        (Alice, Join(named), AlreadyJoined),
        (Eve, Join(named), NotInvited),
        (Eve, Leave(none), NoSuchGame),
        (Eve, Leave(over), GameOver),
        (Eve, Leave(running), NotAPlayer),
        (Bob, Leave(table), NotAPlayer),
        (Bob, Leave(named), NotAPlayer),
        (Charlie, Leave(left), HasLeft),
        (Eve, Move(none, Move::Swap), NoSuchGame),
        (Eve, Move(table, Move::Swap), NotStarted),
        (Eve, Move(over, Move::Swap), GameOver),
        (Eve, Move(running, Move::Swap), NotAPlayer),
        (Charlie, Move(left, Move::Swap), HasLeft),
        (Bob, Move(left, Move::Swap), NotYourTurn),
        (Eve, RemoveLate(none), NoSuchGame),
        (Eve, RemoveLate(table), NotStarted),
        (Eve, RemoveLate(over), GameOver),
        (Eve, RemoveLate(running), NoLimit),
        (Eve, RemoveLate(limited), TimeLeft),
        (Eve, Free(none), NoSuchGame),
        (Eve, Free(table), NotPayer),
        (Alice, Free(table), NotStarted),
        (Alice, Free(running), GameNotOver),
    ];
    for (who, call, error) in cases {
        assert_eq!(world.refuses(who, call.clone()), error, "{call}");
    }
    world.wait(61);
    let late = world.refuses(Alice, Move(limited, Move::Swap));
    assert_eq!(late, OutOfTime, "before what is wrong with the move");
}

/// Each kind of move is refused for its own reasons, in their order, and nothing is changed.
#[test]
fn each_illegal_move_is_refused_with_its_reason() {
    use Error::*;
    let world = World::new();
    let plain = world.starts(&[Alice, Bob], TWO);
    let cell = Cell::new;
    let beyond = cell(9, 9);
    for action in [
        Move::Pop(beyond.bin),
        Move::Take(beyond),
        Move::Clear(9),
        Move::Float(beyond),
        Move::Swap,
    ] {
        let refused = world.refuses(Alice, Move(plain, action));
        assert_eq!(refused, NotInVariant, "{action:?}");
    }
    let pie = VariantSpec {
        pie_rule: true,
        ..TWO
    };
    let pie = world.starts(&[Alice, Bob], pie);
    assert_eq!(world.refuses(Alice, Move(pie, Move::Swap)), NoSwapNow);
    world.play(pie, &["1", "2"]);
    assert_eq!(world.refuses(Alice, Move(pie, Move::Swap)), NoSwapNow);

    let game = world.starts(&[Alice, Bob, Charlie, Dave], FOUR);
    // Bin 1 is full, bin 2 has a disc of red, bin 3 one of blue; Alice, red, is to move.
    world.play(game, &["1", "1", "1", "1", "2", "3", "4", "5"]);
    let before = world.game(game);
    let cases = [
        (drop(6), NoSuchBin),
        (Move::Pop(Bin::new(5)), NoSuchBin),
        (Move::Take(cell(5, 9)), NoSuchBin),
        (Move::Float(cell(5, 9)), NoSuchBin),
        (Move::Take(cell(0, 4)), NoSuchRow),
        (Move::Clear(4), NoSuchRow),
        (Move::Float(cell(1, 4)), NoSuchRow),
        (drop(1), BinFull),
        (Move::Pop(Bin::new(2)), NotYourDisc),
        (Move::Take(cell(1, 1)), NoDisc),
        (Move::Take(cell(1, 0)), OwnDisc),
        (Move::Float(cell(1, 1)), NotAboveTop),
        (Move::Float(cell(1, 0)), NotAboveTop),
    ];
    for (action, error) in cases {
        let refused = world.refuses(Alice, Move(game, action));
        assert_eq!(refused, error, "{action:?}");
    }
    assert_eq!(world.game(game), before);
    // An empty bin has no disc to pop, an empty row none to clear.
    let empty = world.starts(&[Alice, Bob, Charlie, Dave], FOUR);
    let pop = Move::Pop(Bin::new(0));
    assert_eq!(world.refuses(Alice, Move(empty, pop)), NotYourDisc);
    assert_eq!(world.refuses(Alice, Move(empty, Move::Clear(0))), RowEmpty);
    world.play(empty, &["1", "t1.1", "1", "2"]);
    world.play(empty, &["f3.4", "r1"]);
    let float = Move::Float(cell(4, 3));
    world.play(empty, &["1", "2"]);
    assert_eq!(world.refuses(Alice, Move(empty, float)), NoPowerLeft);
    let take = Move::Take(beyond);
    world.play(empty, &["5"]);
    let refused = world.refuses(Bob, Move(empty, take));
    assert_eq!(refused, NoPowerLeft, "before what is wrong with the cell");
}
