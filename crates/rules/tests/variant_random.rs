//! Random games of all terms, compared with the rules written out plainly after every move.
//!
//! `CONNECT4_SEQUENCES` is the number of games, `CONNECT4_SEED` the seed of the first.

use std::collections::{BTreeMap, BTreeSet};
use std::mem::discriminant;

use connect4_rules::variant::{
    Colour, LeaveError, Move, Outcome, Position, Power, Powers, Variant, VariantSpec,
};
use connect4_rules::{Bin, Cell, Shape, ShapeSpec, notation};

use crate::common::dice::Dice;
use crate::common::plain::Plain;

fn number(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(
        text.parse()
            .unwrap_or_else(|_| panic!("{name} is a number")),
    )
}

/// The seeds of the games, and whether they are the usual ones.
fn seeds(usual: u64) -> (std::ops::Range<u64>, bool) {
    let (seed, games) = (number("CONNECT4_SEED"), number("CONNECT4_SEQUENCES"));
    let first = seed.unwrap_or(1);
    let seeds = first..first.saturating_add(games.unwrap_or(usual));
    (seeds, seed.is_none() && games.is_none())
}

/// Small boards in half of the games: on them games end in every way.
fn shape(dice: &mut Dice) -> Shape {
    loop {
        let (bins, capacity) = match dice.below(8) {
            0..4 => (5 + dice.below(3), 4 + dice.below(3)),
            4 => dice.of(&[(25, 4), (5, 24), (16, 7), (9, 13), (21, 5)]),
            _ => {
                let bins = 5 + dice.below(21);
                (bins, 4 + dice.below(128 / bins - 4))
            }
        };
        let line = dice.of(&[3, 4, 4, 5, 5, 6]);
        if let Ok(shape) = Shape::new(bins as u8, capacity as u8, line) {
            return shape;
        }
    }
}

fn terms(dice: &mut Dice) -> VariantSpec {
    let players = dice.of(&[2, 2, 3, 4]);
    let mut power = || match dice.once_in(3) {
        true => 0,
        false => dice.below(4) as u8,
    };
    let powers = Powers {
        take: power(),
        clear: power(),
        float: power(),
    };
    VariantSpec {
        shape: shape(dice).into(),
        players,
        pop_out: dice.once_in(2),
        pie_rule: players == 2 && dice.once_in(2),
        powers: if dice.once_in(4) {
            Powers::NONE
        } else {
            powers
        },
    }
}

/// One of the moves: first a kind, then a move of it, or floats and takes would be most of a game.
fn chosen(moves: &[Move], dice: &mut Dice) -> Move {
    let mut kinds = Vec::new();
    for action in moves {
        if !kinds.contains(&discriminant(action)) {
            kinds.push(discriminant(action));
        }
    }
    let kind = dice.of(&kinds);
    let of_kind: Vec<Move> = moves
        .iter()
        .copied()
        .filter(|action| discriminant(action) == kind)
        .collect();
    dice.of(&of_kind)
}

/// How often something happened.
type Seen = BTreeMap<String, u32>;

fn compare(position: &Position, plain: &Plain, seen: &mut Seen) {
    let shape = position.shape();
    for cell in shape.iter_cells() {
        let disc = plain.cells[usize::from(cell.bin.index())][usize::from(cell.row)];
        assert_eq!(position.disc(cell), disc, "{cell}\n{position}");
    }
    for (bin, cells) in shape.iter_bins().zip(&plain.cells) {
        let top = cells
            .iter()
            .rposition(Option::is_some)
            .map_or(0, |row| row + 1);
        assert_eq!(usize::from(position.height(bin)), top, "{bin}\n{position}");
    }
    for seat in 0..usize::from(plain.terms.players) {
        let colour = Colour::ALL[seat];
        for power in Power::ALL {
            let left = position.powers(colour).of(power);
            assert_eq!(left, plain.left_of(seat, power), "{power} of {colour}");
        }
        assert_eq!(position.has_left(colour), plain.is_gone(seat), "{colour}");
        let lines = position.lines(colour);
        assert!(lines.iter(shape).eq(plain.lines(seat)), "{position}");
        let completing = position.discs(colour).completing(shape);
        assert!(
            completing.iter(shape).eq(plain.completing(seat)),
            "{position}"
        );
    }
    let (drops, floats) = plain.free_cells();
    assert!(position.drop_cells().iter(shape).eq(drops), "{position}");
    assert!(position.float_cells().iter(shape).eq(floats), "{position}");
    assert_eq!(u32::from(position.turns()), plain.turns);
    assert_eq!(position.to_move(), plain.to_move());
    assert_eq!(position.outcome(), plain.end, "\n{position}");
    let winning = position.winning_cells();
    assert!(winning.iter(shape).eq(plain.winning()), "{position}");
    assert!(position.legal_moves().eq(plain.legal()), "{position}");
    for action in plain.conceivable() {
        let refused = plain.check(action);
        assert_eq!(position.check(action), refused, "{action}\n{position}");
        if let Err(error) = refused {
            *seen.entry(format!("{error:?}")).or_default() += 1;
            let mut after = *position;
            assert_eq!(after.play(action), refused.map(|()| None));
            assert_eq!(
                after, *position,
                "{action} changed a position that refused it"
            );
        }
    }
}

/// What a move is said to do to the discs leads from one board to the next.
fn follow(before: &Position, action: Move, after: &Position) {
    let change = before.change(action).expect("a legal move");
    let shape = before.shape();
    let mut discs = BTreeMap::new();
    for cell in before.occupied().iter(shape) {
        if !change.removed.contains(shape, cell) {
            let falls = u8::from(change.fallen.contains(shape, cell));
            let row = cell.row - falls;
            discs.insert(Cell { row, ..cell }, before.disc(cell));
        }
    }
    if let Some(cell) = change.added {
        assert_eq!(
            discs.insert(cell, before.to_move()),
            None,
            "{action}\n{before}"
        );
    }
    let cells = after.occupied().iter(shape);
    let expected: BTreeMap<_, _> = cells.map(|cell| (cell, after.disc(cell))).collect();
    assert_eq!(discs, expected, "{action}\n{before}");
}

fn play(seed: u64, seen: &mut Seen) {
    let mut dice = Dice(seed);
    let terms = terms(&mut dice);
    let variant = Variant::try_from(terms).expect("within bounds");
    let mut position = Position::new(variant);
    let mut plain = Plain::new(terms);
    // Some games have nobody who leaves.
    let patience = dice.of(&[15, 60, usize::MAX]);
    let mut moves = Vec::new();
    let mut somebody_left = false;
    compare(&position, &plain, seen);
    while plain.end.is_none() {
        if dice.once_in(patience) {
            let colour = dice.of(&Colour::ALL);
            let left = position.leave(colour);
            match plain.leave(colour) {
                true => assert_eq!(left, Ok(plain.end)),
                false => assert_eq!(left, Err(LeaveError::NotPlaying)),
            }
            somebody_left |= left.is_ok();
            let what = if left.is_ok() {
                "left"
            } else {
                "could not leave"
            };
            *seen.entry(what.to_owned()).or_default() += 1;
        } else {
            let action = chosen(&plain.legal(), &mut dice);
            let before = position;
            assert_eq!(
                position.play(action),
                plain.play(action),
                "{action}\n{position}"
            );
            follow(&before, action, &position);
            moves.push(action);
            let kind = format!("{action:?}");
            let kind = kind.split('(').next().unwrap_or_default();
            *seen.entry(kind.to_owned()).or_default() += 1;
        }
        compare(&position, &plain, seen);
    }
    let end = match plain.end.expect("the end") {
        Outcome::Line(winner) if position.lines(winner).is_empty() => unreachable!(),
        Outcome::Line(_) => "line",
        Outcome::LastLeft(_) => "last left",
        Outcome::NoMove => "no move",
        Outcome::TurnLimit => "turn limit",
    };
    *seen.entry(end.to_owned()).or_default() += 1;
    for colour in Colour::ALL {
        assert_eq!(position.leave(colour), Err(LeaveError::GameOver));
        assert!(!plain.leave(colour));
    }
    // The moves as text lead to the same position, unless somebody left between them.
    let text = notation::write(moves.iter().copied()).to_string();
    let read: Result<Vec<Move>, _> = notation::parse(&text).collect();
    assert_eq!(read.as_ref(), Ok(&moves), "{text}");
    if !somebody_left {
        assert_eq!(Position::from_moves(variant, &text), Ok(position), "{text}");
    }
}

#[test]
fn a_game_is_played_as_the_plain_rules_play_it() {
    let (seeds, usual) = seeds(600);
    let mut seen = Seen::new();
    for seed in seeds {
        // Printed if the game fails.
        println!("CONNECT4_SEED={seed} CONNECT4_SEQUENCES=1");
        play(seed, &mut seen);
    }
    println!("{seen:#?}");
    if usual {
        let happens = [
            "Drop",
            "Pop",
            "Take",
            "Clear",
            "Float",
            "Swap",
            "left",
            "could not leave",
            "line",
            "last left",
            "no move",
            "turn limit",
            "GameOver",
            "NotInVariant",
            "NoPowerLeft",
            "NoSwapNow",
            "NoSuchBin",
            "NoSuchRow",
            "BinFull",
            "NotYourDisc",
            "NoDisc",
            "OwnDisc",
            "RowEmpty",
            "NotAboveTop",
        ];
        for what in happens {
            assert!(
                seen.get(what).is_some_and(|&times| times > 4),
                "{what}: {seen:#?}"
            );
        }
    }
}

/// The classic type is another implementation: it has to agree where the terms are classic.
#[test]
fn a_classic_variant_is_the_classic_game() {
    let (seeds, usual) = seeds(2_000);
    let mut ends = BTreeSet::new();
    for seed in seeds {
        let mut dice = Dice(seed);
        let shape = shape(&mut dice);
        let mut classic = connect4_rules::Position::new(shape);
        let mut position = Position::new(Variant::classic(shape));
        assert!(position.variant().is_classic());
        while let Some(to_move) = position.to_move() {
            assert_eq!(to_move, classic.to_move().into());
            let drops = position.legal_moves();
            assert!(drops.eq(classic.legal_bins().map(Move::Drop)), "{position}");
            let bin = Bin::new(dice.below(usize::from(shape.bins()) + 2) as u8);
            let dropped = classic.drop(bin);
            let played = position.play(Move::Drop(bin));
            assert_eq!(played.is_ok(), dropped.is_ok(), "{bin}\n{position}");
            assert_eq!(position.to_string(), classic.to_string());
            assert_eq!(position.winning_cells(), classic.winning_cells());
            assert_eq!(position.turns(), classic.plies());
            assert_eq!(Position::from(classic), position);
        }
        let outcome = match classic.outcome().expect("the end") {
            connect4_rules::Outcome::Won(player) => Outcome::Line(player.into()),
            connect4_rules::Outcome::Draw => Outcome::NoMove,
        };
        assert_eq!(position.outcome(), Some(outcome));
        ends.insert(outcome.to_string());
    }
    assert!(!usual || ends.len() == 3, "{ends:?}");
}

/// Which terms are refused, from the table in the documentation.
#[test]
fn terms_are_refused_exactly_out_of_bounds() {
    let mut dice = Dice(1);
    let mut taken = 0;
    for _ in 0..20_000 {
        let spec = VariantSpec {
            shape: ShapeSpec {
                bins: 4 + dice.below(8) as u8,
                capacity: 3 + dice.below(8) as u8,
                line: 2 + dice.below(6) as u8,
            },
            players: 1 + dice.below(5) as u8,
            pop_out: dice.once_in(2),
            pie_rule: dice.once_in(2),
            powers: Powers {
                take: dice.below(11) as u8,
                clear: dice.below(11) as u8,
                float: dice.below(11) as u8,
            },
        };
        let fits = Shape::try_from(spec.shape).is_ok()
            && (2..=4).contains(&spec.players)
            && (spec.players == 2 || !spec.pie_rule)
            && Power::ALL.iter().all(|&power| spec.powers.of(power) <= 9);
        let variant = Variant::try_from(spec);
        assert_eq!(variant.is_ok(), fits, "{spec}");
        assert_eq!(spec.to_string().parse(), Ok(spec));
        if let Ok(variant) = variant {
            assert_eq!(VariantSpec::from(variant), spec);
            assert_eq!(variant.to_string(), spec.to_string());
            taken += 1;
        }
    }
    assert!((1_000..19_000).contains(&taken), "{taken}");
}

/// Cells and bins far off any board are refused as well, and read as text.
#[test]
fn moves_far_off_the_board_are_refused() {
    let spec = VariantSpec {
        pop_out: true,
        powers: Powers {
            take: 1,
            clear: 1,
            float: 1,
        },
        ..VariantSpec::classic(Shape::STANDARD)
    };
    let position = Position::new(spec.try_into().expect("within bounds"));
    for number in [6, 7, 8, 127, 128, 254, 255] {
        for action in [
            Move::Drop(Bin::new(number)),
            Move::Pop(Bin::new(number)),
            Move::Take(Cell::new(number, number)),
            Move::Take(Cell::new(0, number)),
            Move::Clear(number),
            Move::Float(Cell::new(number, 5)),
            Move::Float(Cell::new(5, number)),
        ] {
            let fine = matches!(action, Move::Drop(bin) if bin.index() == 6)
                || action == Move::Float(Cell::new(6, 5));
            assert_eq!(position.check(action).is_ok(), fine, "{action}");
        }
    }
}
