//! Numbers of move sequences of variants, from an implementation written from the rules alone.

use connect4_rules::variant::{Outcome, Position, Powers, VariantSpec};
use connect4_rules::{Shape, perft};

/// How many sequences of exactly `depth` moves there are, and how many of them end in a win.
fn count(position: &Position, depth: u8) -> (u64, u64) {
    if depth == 0 {
        let won = position.outcome().and_then(Outcome::winner).is_some();
        return (1, won.into());
    }
    position
        .legal_moves()
        .map(|action| {
            let mut after = *position;
            after.play(action).unwrap();
            count(&after, depth - 1)
        })
        .fold((0, 0), |sum, more| (sum.0 + more.0, sum.1 + more.1))
}

fn shape(bins: u8, capacity: u8, line: u8) -> VariantSpec {
    VariantSpec::classic(Shape::new(bins, capacity, line).unwrap())
}

const ONE_OF_EACH: Powers = Powers {
    take: 1,
    clear: 1,
    float: 1,
};

/// A number of sequences with its ply, and of those that end in a win there if that is known.
type Row = (u8, u64, Option<u64>);

fn check(spec: VariantSpec, rows: &[Row]) {
    let start = Position::new(spec.try_into().unwrap());
    for &(ply, sequences, wins) in rows {
        assert_eq!(perft(&start, ply), sequences, "{spec}, ply {ply}");
        if let Some(wins) = wins {
            assert_eq!(count(&start, ply), (sequences, wins), "{spec}, ply {ply}");
        }
    }
}

/// The number of sequences after each ply from the first on.
fn plies(counts: &[u64]) -> Vec<Row> {
    (1..)
        .zip(counts)
        .map(|(ply, &count)| (ply, count, None))
        .collect()
}

#[test]
fn pop_out() {
    let pop_out = |spec| VariantSpec {
        pop_out: true,
        ..spec
    };
    check(
        pop_out(shape(7, 6, 4)),
        &plies(&[7, 49, 392, 3087, 26_320, 220_626]),
    );
    check(
        pop_out(shape(6, 4, 4)),
        &plies(&[6, 36, 252, 1728, 12_888, 94_080]),
    );
    let small = pop_out(shape(5, 4, 3));
    check(small, &plies(&[5, 25, 150, 875]));
    check(
        small,
        &[
            (5, 5575, Some(388)),
            (6, 32_289, Some(1962)),
            (7, 199_627, Some(18_170)),
        ],
    );
}

#[test]
fn more_players() {
    let players = |players, spec| VariantSpec { players, ..spec };
    let three = players(3, shape(5, 4, 3));
    check(three, &plies(&[5, 25, 125, 625, 3120, 15_500]));
    check(
        three,
        &[(7, 76_300, Some(4034)), (8, 350_378, Some(14_148))],
    );
    check(
        players(4, shape(9, 7, 4)),
        &plies(&[9, 81, 729, 6561, 59_049]),
    );
}

#[test]
fn powers() {
    let powers = |take, clear, float, spec| VariantSpec {
        powers: Powers { take, clear, float },
        ..spec
    };
    check(
        powers(1, 0, 0, shape(6, 4, 4)),
        &plies(&[6, 42, 288, 2196, 16_410]),
    );
    check(powers(1, 0, 0, shape(5, 4, 3)), &[(6, 47_492, Some(746))]);
    check(
        powers(0, 1, 0, shape(6, 4, 4)),
        &plies(&[6, 42, 294, 2094, 15_390, 113_118]),
    );
    check(
        powers(0, 1, 0, shape(5, 4, 3)),
        &[(7, 262_316, Some(17_389))],
    );
    let float = powers(0, 0, 1, shape(5, 4, 3));
    check(float, &plies(&[20, 350, 2700, 20_305]));
    check(float, &[(6, 724_212, Some(16_850))]);
    let each = powers(1, 1, 1, shape(5, 4, 3));
    check(each, &plies(&[20, 390, 4020, 48_650]));
    check(each, &[(5, 480_040, Some(3212))]);
}

#[test]
fn pie_rule() {
    let pie = VariantSpec {
        pie_rule: true,
        ..shape(7, 6, 4)
    };
    check(pie, &plies(&[7, 56, 392, 2744, 19_208]));
}

#[test]
fn all_together() {
    let spec = VariantSpec {
        players: 3,
        pop_out: true,
        powers: ONE_OF_EACH,
        ..shape(5, 4, 3)
    };
    check(spec, &plies(&[20, 390, 7420, 83_850]));
}
