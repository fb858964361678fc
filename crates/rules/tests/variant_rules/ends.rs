//! How games of variants end, who leaves them, and what is refused.

use connect4_rules::variant::{
    Colour, LeaveError, Move, MoveError, Outcome, Position, Power, Variant, VariantError,
    VariantSpec,
};
use connect4_rules::{Cell, Cells, Shape, ShapeError};

use super::{BLUE, classic, new, pie_rule, play, played, players, pop_out, powers, refused, short};

#[test]
fn a_full_board_is_a_draw() {
    let drops = "1 2 1 3 1 1 4 2 3 2 2 3 4 4 6 4 6 6 5 5 5 6 5 3";
    let classroom = VariantSpec::classic(Shape::CLASSROOM);
    let position = played(classroom, drops);
    assert_eq!(position.outcome(), Some(Outcome::NoMove));
    assert_eq!(position.outcome().and_then(Outcome::winner), None);
    assert_eq!(position.winning_cells(), Cells::EMPTY);
    assert_eq!(position.legal_moves().count(), 0);

    // Not if the next player has a disc to pop or to take, or a row to clear.
    let pop_out = VariantSpec {
        pop_out: true,
        ..classroom
    };
    let position = played(pop_out, drops);
    assert_eq!(position.outcome(), None);
    let pops: Vec<String> = position.legal_moves().map(|pop| pop.to_string()).collect();
    assert_eq!(pops, ["p1", "p4", "p5", "p6"]);
    for (power, moves) in [(Power::Take, 12), (Power::Clear, 4)] {
        let mut spec = classroom;
        *spec.powers.of_mut(power) = 1;
        let position = played(spec, drops);
        assert_eq!(position.outcome(), None);
        assert_eq!(position.legal_moves().count(), moves);
    }
    // No cell is left to float in.
    let mut float = classroom;
    float.powers.float = 1;
    assert_eq!(played(float, drops).outcome(), Some(Outcome::NoMove));
}

#[test]
fn a_game_of_250_turns_is_a_draw() {
    let mut position = new(pop_out());
    for _ in 0..62 {
        play(&mut position, "1 2 p1 p2");
    }
    assert_eq!(play(&mut position, "1"), None);
    assert_eq!(position.turns(), 249);
    assert_eq!(play(&mut position, "2"), Some(Outcome::TurnLimit));
    assert_eq!(position.turns(), Position::MAX_TURNS);
    assert_eq!(position.to_move(), None);
    assert_eq!(refused(&position, "1"), MoveError::GameOver);
}

#[test]
fn a_line_in_the_250th_turn_wins() {
    let mut position = new(pop_out());
    for _ in 0..60 {
        play(&mut position, "1 2 p1 p2");
    }
    assert_eq!(play(&mut position, "1 2 3 7 5 7 3 7 5 7"), BLUE);
    assert_eq!(position.turns(), Position::MAX_TURNS);
}

#[test]
fn who_leaves_a_game_of_two_has_lost() {
    for (leaver, winner) in [(Colour::Red, Colour::Blue), (Colour::Blue, Colour::Red)] {
        let mut position = played(classic(), "4 4 4");
        let outcome = Outcome::LastLeft(winner);
        assert_eq!(position.leave(leaver), Ok(Some(outcome)));
        assert_eq!(position.outcome(), Some(outcome));
        assert_eq!(outcome.winner(), Some(winner));
        assert_eq!(position.winning_cells(), Cells::EMPTY);
        assert_eq!(refused(&position, "4"), MoveError::GameOver);
        assert_eq!(position.leave(winner), Err(LeaveError::GameOver));
    }
}

#[test]
fn a_game_of_more_goes_on_without_who_left() {
    let [red, blue, green, yellow] = Colour::ALL;
    let mut position = played(players(4, classic()), "1 2 3");
    // Yellow is to move and leaves: the turn passes to red.
    assert_eq!(position.leave(yellow), Ok(None));
    assert_eq!(position.to_move(), Some(red));
    assert!(position.has_left(yellow) && !position.has_left(red));
    // Green leaves while red is to move, and the discs stay.
    assert_eq!(position.leave(green), Ok(None));
    assert_eq!(position.to_move(), Some(red));
    play(&mut position, "1 2 1");
    assert_eq!(short(&position), "R......\nRB.....\nRBG....");
    assert_eq!(position.to_move(), Some(blue));
    assert_eq!(position.leave(green), Err(LeaveError::NotPlaying));
    assert_eq!(position.leave(red), Ok(Some(Outcome::LastLeft(blue))));
}

#[test]
fn who_does_not_play_cannot_leave() {
    let mut position = new(players(3, classic()));
    assert_eq!(position.leave(Colour::Yellow), Err(LeaveError::NotPlaying));
    assert_eq!(position, new(players(3, classic())));
    assert_eq!(
        LeaveError::NotPlaying.to_string(),
        "this player does not play, or has left"
    );
    assert_eq!(LeaveError::GameOver.to_string(), "the game has ended");
}

#[test]
fn a_swap_exchanges_the_colours_and_leaves_the_board() {
    let mut position = played(pie_rule(), "4");
    assert!(position.legal_moves().any(|action| action == Move::Swap));
    play(&mut position, "s");
    assert_eq!(short(&position), "...R...");
    assert_eq!(
        position.to_move(),
        Some(Colour::Blue),
        "now played by who began"
    );
    assert_eq!(position.turns(), 2);
    play(&mut position, "4");
    assert_eq!(position.to_move(), Some(Colour::Red));
}

#[test]
fn powers_belong_to_players_and_not_to_their_colours() {
    let spec = VariantSpec {
        pie_rule: true,
        ..powers()
    };
    let mut position = played(spec, "f4.3");
    assert_eq!(position.powers(Colour::Red).float, 0);
    play(&mut position, "s");
    assert_eq!(position.powers(Colour::Red).float, 1);
    assert_eq!(position.powers(Colour::Blue).float, 0);
    assert_eq!(refused(&position, "f4.5"), MoveError::NoPowerLeft);
}

#[test]
fn refuses_moves_after_the_end() {
    let position = played(classic(), "1 2 1 2 1 2 1");
    for action in ["2", "9", "p1", "t1.1", "r1", "f1.1", "s"] {
        assert_eq!(
            refused(&position, action),
            MoveError::GameOver,
            "first of all"
        );
    }
}

#[test]
fn refuses_moves_that_the_terms_do_not_have() {
    for action in ["p1", "p9", "t1.1", "r1", "f9.9", "s"] {
        assert_eq!(refused(&new(classic()), action), MoveError::NotInVariant);
    }
}

#[test]
fn refuses_a_power_that_is_used_up() {
    let position = played(powers(), "f1.3 7 2 7");
    assert_eq!(
        refused(&position, "f9.9"),
        MoveError::NoPowerLeft,
        "before the cell"
    );
    let position = played(powers(), "1 t1.1 1 7");
    assert_eq!(
        position.check(Move::Take(Cell::new(6, 0))),
        Ok(()),
        "red has its own"
    );
    let position = played(powers(), "1 t1.1 1");
    assert_eq!(refused(&position, "t1.1"), MoveError::NoPowerLeft);
    let position = played(powers(), "1 r1 1");
    assert_eq!(refused(&position, "r1"), MoveError::NoPowerLeft);
}

#[test]
fn refuses_a_swap_that_is_not_the_second_players_first_move() {
    for moves in ["", "4 4", "4 s", "4 4 4", "4 s 4"] {
        let mut position = new(pie_rule());
        if !moves.is_empty() {
            play(&mut position, moves);
        }
        assert_eq!(
            refused(&position, "s"),
            MoveError::NoSwapNow,
            "after {moves:?}"
        );
    }
}

#[test]
fn refuses_bins_and_rows_that_do_not_exist() {
    let spec = VariantSpec {
        pop_out: true,
        ..powers()
    };
    let position = played(spec, "1");
    for action in ["8", "p8", "t8.1", "f8.1", "t8.7", "(255)"] {
        assert_eq!(refused(&position, action), MoveError::NoSuchBin);
    }
    for action in ["t1.7", "f1.7", "r7", "r(255)"] {
        assert_eq!(refused(&position, action), MoveError::NoSuchRow);
    }
}

#[test]
fn refuses_a_drop_into_a_full_bin() {
    let position = played(classic(), "1 1 1 1 1 1");
    assert_eq!(refused(&position, "1"), MoveError::BinFull);
    // So is a bin with a disc that floats at its top.
    let position = played(powers(), "f1.6");
    assert_eq!(refused(&position, "1"), MoveError::BinFull);
}

#[test]
fn refuses_a_pop_of_a_disc_that_is_not_the_movers() {
    let position = played(pop_out(), "1 2 1");
    assert_eq!(refused(&position, "p1"), MoveError::NotYourDisc, "red's");
    assert_eq!(refused(&position, "p3"), MoveError::NotYourDisc, "nobody's");
    assert_eq!(position.check("p2".parse().expect("a move")), Ok(()));
}

#[test]
fn refuses_to_take_what_is_no_opponents_disc() {
    let position = played(powers(), "1 2");
    assert_eq!(refused(&position, "t3.1"), MoveError::NoDisc);
    assert_eq!(refused(&position, "t1.2"), MoveError::NoDisc);
    assert_eq!(refused(&position, "t1.1"), MoveError::OwnDisc);
}

#[test]
fn refuses_to_clear_an_empty_row() {
    let position = played(powers(), "1 2");
    assert_eq!(refused(&position, "r2"), MoveError::RowEmpty);
}

#[test]
fn refuses_to_float_where_a_drop_lands_or_below() {
    let position = played(powers(), "1 f2.4");
    assert_eq!(
        refused(&position, "f1.1"),
        MoveError::NotAboveTop,
        "a disc is there"
    );
    assert_eq!(
        refused(&position, "f1.2"),
        MoveError::NotAboveTop,
        "a drop lands there"
    );
    assert_eq!(position.check("f1.3".parse().expect("a move")), Ok(()));
    assert_eq!(
        refused(&position, "f2.2"),
        MoveError::NotAboveTop,
        "under a floating disc"
    );
}

#[test]
fn every_refusal_says_something_else() {
    use MoveError::*;
    let errors = [
        GameOver,
        NotInVariant,
        NoPowerLeft,
        NoSwapNow,
        NoSuchBin,
        NoSuchRow,
        BinFull,
        NotYourDisc,
        NoDisc,
        OwnDisc,
        RowEmpty,
        NotAboveTop,
    ];
    let mut texts = errors.map(|error| error.to_string());
    texts.sort();
    assert!(
        texts.windows(2).all(|pair| pair[0] != pair[1]),
        "{texts:#?}"
    );
    assert_eq!(
        MoveError::NotAboveTop.to_string(),
        "a disc floats only above the top of its bin"
    );
}

#[test]
fn terms_out_of_bounds_are_named() {
    let refused = |spec: VariantSpec| Variant::try_from(spec).expect_err("out of bounds");
    let mut narrow = players(5, pie_rule());
    narrow.shape.bins = 4;
    narrow.powers.take = 10;
    let error = refused(narrow);
    assert_eq!(error, VariantError::Shape(ShapeError::TooFewBins), "first");
    assert_eq!(error.to_string(), "a board needs at least 5 bins");
    for number in [0, 1, 5, 255] {
        let error = refused(players(number, pie_rule()));
        assert_eq!(error, VariantError::PlayersOutOfBounds);
        assert_eq!(error.to_string(), "a game needs 2 to 4 players");
    }
    let error = refused(players(3, pie_rule()));
    assert_eq!(error, VariantError::PieRuleNeedsTwo);
    assert_eq!(error.to_string(), "the pie rule is for two players");
    for power in Power::ALL {
        let mut spec = classic();
        *spec.powers.of_mut(power) = 9;
        assert!(Variant::try_from(spec).is_ok());
        *spec.powers.of_mut(power) = 10;
        assert_eq!(refused(spec), VariantError::TooManyPowers);
        assert_eq!(
            refused(spec).to_string(),
            "a power can be used at most 9 times"
        );
    }
}
