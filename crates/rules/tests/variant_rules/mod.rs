//! The rules of the variants, one at a time, each on a board that is printed.

mod ends;

use connect4_rules::variant::{
    Colour, Move, MoveError, Outcome, Position, Powers, Variant, VariantSpec,
};
use connect4_rules::{Cell, Shape};

use crate::common::cells;

const RED: Option<Outcome> = Some(Outcome::Line(Colour::Red));
const BLUE: Option<Outcome> = Some(Outcome::Line(Colour::Blue));

const ONE_OF_EACH: Powers = Powers {
    take: 1,
    clear: 1,
    float: 1,
};

fn classic() -> VariantSpec {
    VariantSpec::classic(Shape::STANDARD)
}

fn pop_out() -> VariantSpec {
    VariantSpec {
        pop_out: true,
        ..classic()
    }
}

fn pie_rule() -> VariantSpec {
    VariantSpec {
        pie_rule: true,
        ..classic()
    }
}

fn powers() -> VariantSpec {
    VariantSpec {
        powers: ONE_OF_EACH,
        ..classic()
    }
}

fn players(players: u8, spec: VariantSpec) -> VariantSpec {
    VariantSpec { players, ..spec }
}

fn new(spec: VariantSpec) -> Position {
    Position::new(Variant::try_from(spec).expect("terms within bounds"))
}

/// Makes moves that all have to be taken; all but the last leave the game open.
fn play(position: &mut Position, moves: &str) -> Option<Outcome> {
    let mut outcome = None;
    for text in moves.split(' ') {
        let mover = position.to_move().expect("the game goes on");
        let action: Move = text.parse().expect("a move");
        outcome = position
            .play(action)
            .unwrap_or_else(|error| panic!("{mover} plays {action}: {error}\n{position}"));
        println!("{mover} plays {action}:\n{position}\n");
    }
    outcome
}

fn played(spec: VariantSpec, moves: &str) -> Position {
    let mut position = new(spec);
    play(&mut position, moves);
    position
}

/// A move that has to be refused, and leave the position as it was.
fn refused(position: &Position, action: &str) -> MoveError {
    let mut after = *position;
    let error = after.play(action.parse().expect("a move"));
    assert_eq!(after, *position);
    error.expect_err("a refusal")
}

/// The board in short: a line for each row from the top, red `R`, blue `B`, green `G`, yellow `Y`.
/// Empty rows at the top are left out.
fn short(position: &Position) -> String {
    let shape = position.shape();
    let row = |row| {
        let letter = |bin| match position.disc(Cell { bin, row }) {
            None => '.',
            Some(Colour::Red) => 'R',
            Some(Colour::Blue) => 'B',
            Some(Colour::Green) => 'G',
            Some(Colour::Yellow) => 'Y',
        };
        shape.iter_bins().map(letter).collect::<String>()
    };
    let rows = shape.iter_rows().rev().map(row);
    let used = rows.skip_while(|row| row.chars().all(|cell| cell == '.'));
    used.collect::<Vec<_>>().join("\n")
}

fn winning(position: &Position) -> Vec<Cell> {
    position.winning_cells().iter(position.shape()).collect()
}

#[test]
fn players_move_in_turn_order() {
    let mut position = new(players(4, classic()));
    let mut order = Vec::new();
    for _ in 0..5 {
        order.extend(position.to_move());
        play(&mut position, "1");
    }
    let [red, blue, green, yellow] = Colour::ALL;
    assert_eq!(order, [red, blue, green, yellow, red]);
    assert_eq!(
        short(&position).replace('\n', ""),
        "R......Y......G......B......R......"
    );
    assert_eq!(position.turns(), 5);
    assert_eq!(position.player_after(yellow), red);
    assert!(position.variant().colours().eq(Colour::ALL));
}

#[test]
fn a_pop_brings_down_what_is_above() {
    let mut position = played(pop_out(), "1 1 1 2");
    assert_eq!(short(&position), "R......\nB......\nRB.....");
    play(&mut position, "p1");
    assert_eq!(short(&position), "R......\nBB.....");
    // The disc at the bottom is now blue's, who is to move.
    play(&mut position, "p1");
    assert_eq!(short(&position), "RB.....");
}

#[test]
fn a_full_bin_has_room_after_a_pop() {
    let mut position = played(pop_out(), "1 1 1 1 1 1");
    assert_eq!(refused(&position, "1"), MoveError::BinFull);
    play(&mut position, "p1 1");
    assert_eq!(short(&position).lines().next(), Some("B......"));
}

#[test]
fn a_take_brings_down_what_is_above() {
    let mut position = played(powers(), "1 1 1");
    play(&mut position, "t1.1");
    assert_eq!(short(&position), "R......\nB......");
    assert_eq!(position.powers(Colour::Blue).take, 0);
    assert_eq!(
        position.powers(Colour::Red).take,
        1,
        "each player has powers of its own"
    );
}

#[test]
fn a_clear_takes_discs_of_everybody_out() {
    let mut position = played(players(3, powers()), "1 2 3 1 2 3 4");
    assert_eq!(short(&position), "RBG....\nRBGR...");
    play(&mut position, "r1");
    assert_eq!(short(&position), "RBG....");
    assert_eq!(position.to_move(), Some(Colour::Green));
}

#[test]
fn a_clear_needs_no_disc_in_every_bin() {
    let mut position = played(powers(), "1 1 2");
    play(&mut position, "r2");
    assert_eq!(short(&position), "RR.....");
}

#[test]
fn a_floating_disc_stays_and_drops_land_above_it() {
    let mut position = played(powers(), "f1.3");
    assert_eq!(short(&position), "R......\n.......\n.......");
    assert_eq!(position.height(connect4_rules::Bin::new(0)), 3);
    // The cells under it stay empty.
    play(&mut position, "1");
    assert_eq!(short(&position), "B......\nR......\n.......\n.......");
    assert_eq!(
        position.drop_cells().iter(Shape::STANDARD).next(),
        Some(Cell::new(0, 4))
    );
    assert!(
        position
            .float_cells()
            .contains(Shape::STANDARD, Cell::new(0, 5))
    );
    assert_eq!(refused(&position, "t1.1"), MoveError::NoDisc);
}

#[test]
fn what_comes_down_keeps_its_gaps() {
    let mut position = played(powers(), "1 f1.4");
    assert_eq!(short(&position), "B......\n.......\n.......\nR......");
    play(&mut position, "2 t2.1 3 r1");
    assert_eq!(
        short(&position),
        "B......\n.......\n.......",
        "one row down, and still two above the bottom"
    );
}

#[test]
fn only_bins_that_lost_a_disc_come_down() {
    let mut position = played(powers(), "1 1 1 f2.3");
    assert_eq!(short(&position), "RB.....\nB......\nR......");
    play(&mut position, "r2");
    assert_eq!(short(&position), ".B.....\nR......\nR......");
}

#[test]
fn a_floating_disc_completes_a_line() {
    let mut position = played(powers(), "1 1 2 2 3 3 7");
    assert_eq!(position.outcome(), None);
    assert_eq!(play(&mut position, "f4.2"), BLUE);
    assert_eq!(winning(&position), cells(&[(0, 1), (1, 1), (2, 1), (3, 1)]));
    assert_eq!(position.to_string().matches('⬠').count(), 4);
}

#[test]
fn a_pop_completes_a_line() {
    let mut position = played(pop_out(), "4 4 4 1 1 2 2 6 3 7 3 6");
    assert_eq!(short(&position), "...R...\nRRRB.B.\nBBRR.BB");
    assert_eq!(play(&mut position, "p4"), RED);
    assert_eq!(winning(&position), cells(&[(0, 1), (1, 1), (2, 1), (3, 1)]));
}

#[test]
fn a_take_completes_a_line() {
    let mut position = played(powers(), "1 4 4 7 2 7 3 6");
    assert_eq!(short(&position), "...R..B\nRRRB.BB");
    assert_eq!(play(&mut position, "t4.1"), RED);
    assert_eq!(winning(&position), cells(&[(0, 0), (1, 0), (2, 0), (3, 0)]));
}

#[test]
fn a_clear_completes_a_line() {
    let mut position = played(powers(), "1 7 1 1 1 7 1 6");
    assert_eq!(play(&mut position, "r3"), RED);
    assert_eq!(winning(&position), cells(&[(0, 0), (0, 1), (0, 2), (0, 3)]));
}

/// Three in a row win on a standard board.
fn in_three(spec: VariantSpec) -> VariantSpec {
    let mut spec = spec;
    spec.shape.line = 3;
    spec
}

#[test]
fn the_movers_line_comes_first() {
    let mut position = played(in_three(pop_out()), "3 3 3 1 1 2 2 5");
    assert_eq!(short(&position), "..R....\nRRB....\nBBR.B..");
    // The pop completes a line of each player.
    assert_eq!(play(&mut position, "p3"), RED);
    assert_eq!(short(&position), "RRR....\nBBB.B..");
    assert_eq!(winning(&position), cells(&[(0, 1), (1, 1), (2, 1)]));
}

#[test]
fn who_uncovers_the_line_of_another_player_loses() {
    let mut position = played(in_three(pop_out()), "3 3 5 1 5 2");
    assert_eq!(short(&position), "..B.R..\nBBR.R..");
    assert_eq!(play(&mut position, "p3"), BLUE);
    assert_eq!(
        position.outcome().and_then(Outcome::winner),
        Some(Colour::Blue)
    );
}

#[test]
fn a_clear_can_complete_the_line_of_another_player() {
    // Blue's disc divides red's tower, and blue clears its row.
    let mut position = played(powers(), "1 7 1 1 1 7 1");
    assert_eq!(play(&mut position, "r3"), RED);
}

#[test]
fn a_take_can_complete_the_line_of_another_player() {
    // Red takes green's disc, and blue's comes down into blue's row.
    let mut position = played(in_three(players(3, powers())), "7 1 3 6 3 5 7 2 5");
    assert_eq!(short(&position), "..B.G.R\nBBG.GRR");
    assert_eq!(play(&mut position, "t3.1"), BLUE);
}

/// Blue can pop bin 3, which completes lines of green and of red.
fn two_lines_under_blue() -> Position {
    let position = played(in_three(players(3, pop_out())), "7 3 3 3 6 1 1 7 2 2");
    assert_eq!(short(&position), "..R....\nRRG...B\nGGB..BR");
    position
}

#[test]
fn of_two_others_the_next_in_turn_order_wins() {
    let mut position = two_lines_under_blue();
    let outcome = play(&mut position, "p3");
    assert_eq!(
        outcome,
        Some(Outcome::Line(Colour::Green)),
        "green is next after blue"
    );
    assert_eq!(winning(&position), cells(&[(0, 0), (1, 0), (2, 0)]));
}

#[test]
fn a_line_of_a_player_who_left_does_not_count() {
    let mut position = two_lines_under_blue();
    assert_eq!(position.leave(Colour::Green), Ok(None));
    assert_eq!(play(&mut position, "p3"), RED);
}
