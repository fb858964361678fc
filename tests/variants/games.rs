//! Games by examples: every kind of move, every end, time, clean-up.

use connect4_protocol::variants::event::{
    MoveMade, PlayerLeft, VariantEnded, VariantFreed, VariantStarted,
};
use connect4_protocol::variants::message::{ReadVariantWinner, ReadVariantWinningCells};
use connect4_protocol::variants::{End, Game};
use connect4_protocol::{Error, Event};
use connect4_rules::variant::{Colour, Move, Powers, VariantSpec};
use connect4_rules::{Bin, Cell, Cells, Shape, ShapeSpec};
use connect4_testing::Account::{Alice, Bob, Charlie, Dave, Eve};
use connect4_testing::{Account, address};

use crate::call::Call::*;
use crate::world::World;

/// Three in a line win: short games.
pub const QUICK: ShapeSpec = ShapeSpec {
    bins: 5,
    capacity: 4,
    line: 3,
};
/// Terms of a short game of two.
pub const TWO: VariantSpec = VariantSpec {
    shape: QUICK,
    players: 2,
    pop_out: false,
    pie_rule: false,
    powers: Powers::NONE,
};
/// Terms of a short game of three.
pub const THREE: VariantSpec = VariantSpec { players: 3, ..TWO };
/// Terms of a game of four with one of each power.
pub const FOUR: VariantSpec = VariantSpec {
    players: 4,
    pop_out: true,
    powers: Powers {
        take: 1,
        clear: 1,
        float: 1,
    },
    ..TWO
};

/// A drop into a bin, which counts from 1 as in the notation.
pub const fn drop(bin: u8) -> Move {
    Move::Drop(Bin::new(bin - 1))
}

impl World {
    /// Opens a table for these players, of whom the first is the opener, and has all of them join.
    pub fn gather(&self, players: &[Account], variant: VariantSpec, limit: Option<u32>) -> u32 {
        let opened = self.does(players[0], Open(players.to_vec(), variant, limit));
        let game = opened.number();
        for &player in &players[1..] {
            self.does(player, Join(game));
        }
        game
    }
}

#[test]
fn four_play_to_a_win() {
    let world = World::new();
    let players = [Alice, Bob, Charlie, Dave];
    let started = world.does(Eve, Start(players.to_vec(), FOUR));
    let game = started.number();
    let event = VariantStarted {
        game,
        players: players.map(address).to_vec(),
        variant: FOUR,
        limit: None,
        deadline: None,
    };
    assert_eq!(started.events, [event.into()]);
    assert_eq!(
        world.play(game, &["1", "2", "3", "4", "1", "2", "3", "4"]),
        None
    );
    assert_eq!(world.query(ReadVariantWinner { game }), Ok(None));

    let won = world.does(Alice, Move(game, drop(1)));
    assert_eq!(won.returned::<Option<End>>(), Some(End::Line));
    let line = [0, 1, 2].map(|row| Cell::new(0, row));
    let shape = Shape::try_from(QUICK).unwrap();
    let winning_cells: Cells = line
        .map(|cell| Cells::of(shape, cell))
        .into_iter()
        .collect();
    let made = MoveMade {
        game,
        player: address(Alice),
        action: drop(1),
        turn: 8,
        deadline: None,
    };
    let ended = VariantEnded {
        game,
        winner: Some(address(Alice)),
        end: End::Line,
        winning_cells,
    };
    assert_eq!(won.events, [made.into(), ended.into()]);
    let winner = world.query(ReadVariantWinner { game });
    assert_eq!(winner, Ok(Some(address(Alice))));
    let cells = world.query(ReadVariantWinningCells { game });
    assert_eq!(cells, Ok(line.to_vec()));
    assert_eq!(world.refuses(Bob, Move(game, drop(2))), Error::GameOver);
}

#[test]
fn each_power_is_used_once() {
    let world = World::new();
    let game = world.starts(&[Alice, Bob, Charlie, Dave], FOUR);
    let [red, _, green, yellow] = Colour::ALL.map(Some);
    // Red drops; blue takes that disc; green floats one above the empty bin; yellow drops under it.
    world.play(game, &["1", "t1.1", "f2.4", "3"]);
    let empty = || vec![];
    let floating = vec![None, None, None, green];
    let board = [empty(), floating, vec![yellow], empty(), empty()];
    assert_eq!(world.board(game), Ok(board.to_vec()));
    assert_eq!(
        world.refuses(Alice, Move(game, drop(2))),
        Error::BinFull,
        "the top is above the floating disc"
    );
    // Red drops onto yellow's, blue beside it; green clears the bottom row: all come down, and in
    // bin 2, which has none there, the floating disc stays.
    world.play(game, &["3", "1", "r1"]);
    let board = [
        empty(),
        vec![None, None, None, green],
        vec![red],
        empty(),
        empty(),
    ];
    assert_eq!(world.board(game), Ok(board.to_vec()));
    // Yellow drops, red pops its own disc.
    world.play(game, &["5", "p3"]);
    assert_eq!(world.board(game).unwrap()[2], []);
    // What is used up is refused.
    world.play(game, &["1"]);
    assert_eq!(
        world.refuses(Charlie, Move(game, Move::Clear(0))),
        Error::NoPowerLeft
    );
    let float = Move::Float(Cell::new(0, 3));
    assert_eq!(
        world.refuses(Charlie, Move(game, float)),
        Error::NoPowerLeft
    );
    let take = Move::Take(Cell::new(0, 0));
    let taken = world.does(Charlie, Move(game, take));
    assert_eq!(taken.returned::<Option<End>>(), None);
    let position = *world.game(game).unwrap().position();
    assert_eq!(position.powers(Colour::Green), Powers::NONE);
    assert_eq!(position.powers(Colour::Blue).take, 0);
    assert_eq!(position.powers(Colour::Blue).clear, 1);
}

#[test]
fn a_pop_that_uncovers_an_opponents_line_loses() {
    let world = World::new();
    let terms = VariantSpec {
        pop_out: true,
        ..TWO
    };
    let game = world.starts(&[Alice, Bob], terms);
    // Red's discs in bins 1 and 2 lie a row below the one on blue's in bin 3.
    world.play(game, &["1", "3", "2", "5", "3", "5", "4", "4"]);
    // Blue takes its own disc out from under red's, which comes down into red's row.
    assert_eq!(world.play(game, &["5"]), None);
    assert_eq!(world.to_move(game), Bob);
    let popped = world.does(Bob, Move(game, Move::Pop(Bin::new(2))));
    assert_eq!(popped.returned::<Option<End>>(), Some(End::Line));
    assert_eq!(world.winner(game), Some(Alice));
}

#[test]
fn the_second_player_swaps_colours_by_the_pie_rule() {
    let world = World::new();
    let terms = VariantSpec {
        pie_rule: true,
        ..TWO
    };
    let game = world.starts(&[Alice, Bob], terms);
    assert_eq!(
        world.refuses(Alice, Move(game, Move::Swap)),
        Error::NoSwapNow
    );
    world.play(game, &["3"]);
    let swapped = world.does(Bob, Move(game, Move::Swap));
    let event = MoveMade {
        game,
        player: address(Bob),
        action: Move::Swap,
        turn: 1,
        deadline: None,
    };
    assert_eq!(swapped.events, [event.into()]);
    let stored = world.game(game).unwrap();
    assert_eq!(stored.account_of(Colour::Red), address(Bob));
    assert_eq!(world.to_move(game), Alice, "who now plays blue");
    assert_eq!(
        world.refuses(Alice, Move(game, Move::Swap)),
        Error::NoSwapNow
    );
    // Bob's red disc from before the swap is one of his line.
    assert_eq!(world.play(game, &["1", "3", "1", "3"]), Some(End::Line));
    assert_eq!(world.winner(game), Some(Bob));
}

#[test]
fn a_full_board_without_a_line_is_a_draw() {
    let world = World::new();
    let terms = VariantSpec {
        shape: ShapeSpec { line: 5, ..QUICK },
        ..TWO
    };
    let game = world.starts(&[Alice, Bob], terms);
    let column = |bin| [bin; 4];
    let all: Vec<&str> = ["1", "2", "3", "4", "5"]
        .into_iter()
        .flat_map(column)
        .collect();
    let (last, before) = all.split_last().unwrap();
    // Red has the odd rows of every bin, which would be lines of five: one bin begins with blue.
    let moves: Vec<&str> = ["5"].iter().chain(before).copied().collect();
    assert_eq!(moves.len(), 20, "{last}");
    assert_eq!(world.play(game, &moves), Some(End::NoMove));
    assert_eq!(world.winner(game), None);
}

#[test]
fn a_game_ends_in_a_draw_after_250_turns() {
    let world = World::new();
    let terms = VariantSpec {
        pop_out: true,
        ..TWO
    };
    let game = world.starts(&[Alice, Bob], terms);
    let round = ["1", "2", "p1", "p2"];
    let moves: Vec<&str> = round.into_iter().cycle().take(250).collect();
    let (last, before) = moves.split_last().unwrap();
    assert_eq!(world.play(game, before), None);
    assert_eq!(world.play(game, &[last]), Some(End::TurnLimit));
    assert_eq!(world.winner(game), None);
}

#[test]
fn anyone_removes_a_player_who_is_late() {
    let world = World::new();
    let game = world.gather(&[Alice, Bob, Charlie], THREE, Some(60));
    let moved = world.does(Alice, Move(game, drop(1)));
    let deadline = world.local.now() + 60;
    let Some(Event::MoveMade(event)) = moved.events.first() else {
        panic!("{:?}", moved.events);
    };
    assert_eq!(event.deadline, Some(deadline));
    world.wait(60);
    assert_eq!(world.refuses(Eve, RemoveLate(game)), Error::TimeLeft);
    world.wait(1);
    assert_eq!(world.refuses(Bob, Move(game, drop(1))), Error::OutOfTime);
    let removed = world.does(Eve, RemoveLate(game));
    let left = PlayerLeft {
        game,
        player: address(Bob),
        late: true,
        deadline: Some(world.local.now() + 60),
    };
    assert_eq!(removed.events, [left.into()], "the game goes on");
    assert_eq!(removed.returned::<Option<End>>(), None);
    assert_eq!(world.refuses(Bob, Move(game, drop(1))), Error::HasLeft);
    world.does(Charlie, Move(game, drop(2)));
    assert_eq!(world.to_move(game), Alice, "Bob is passed over");
    world.wait(61);
    let removed = world.does(Eve, RemoveLate(game));
    let left = PlayerLeft {
        game,
        player: address(Alice),
        late: true,
        deadline: None,
    };
    let ended = VariantEnded {
        game,
        winner: Some(address(Charlie)),
        end: End::LastLeft,
        winning_cells: Cells::EMPTY,
    };
    assert_eq!(removed.events, [left.into(), ended.into()]);
}

#[test]
fn who_leaves_a_game_of_two_has_lost_it() {
    let world = World::new();
    let game = world.starts(&[Alice, Bob], TWO);
    let left = world.does(Alice, Leave(game));
    assert_eq!(left.events.len(), 2, "left and ended");
    assert_eq!(world.winner(game), Some(Bob));
    assert_eq!(world.refuses(Bob, Leave(game)), Error::GameOver);
}

#[test]
fn the_payer_frees_a_game_that_has_ended() {
    let world = World::new();
    // Eve pays for a game of others.
    let started = world.does(Eve, Start(vec![Alice, Bob], TWO));
    let game = started.number();
    world.play(game, &["1", "2", "1", "2", "1"]);
    assert_eq!(world.refuses(Alice, Free(game)), Error::NotPayer);
    let freed = world.does(Eve, Free(game));
    let payer = address(Eve);
    assert_eq!(freed.events, [VariantFreed { game, payer }.into()]);
    assert!((freed.report.deposit + started.report.deposit).abs() <= 1);
    assert_eq!(world.game(game), Err(Error::NoSuchGame));
}

#[test]
fn a_game_without_a_move_for_30_days_is_abandoned() {
    let world = World::new();
    let game = world.starts(&[Alice, Bob], TWO);
    world.play(game, &["1"]);
    world.wait(u64::from(Game::ABANDONED_AFTER));
    assert_eq!(world.refuses(Alice, Free(game)), Error::GameNotOver);
    world.wait(1);
    let freed = world.does(Alice, Free(game));
    let ended = VariantEnded {
        game,
        winner: None,
        end: End::Abandoned,
        winning_cells: Cells::EMPTY,
    };
    let payer = address(Alice);
    assert_eq!(
        freed.events,
        [ended.into(), VariantFreed { game, payer }.into()]
    );
    assert!(freed.report.deposit < 0);
}
