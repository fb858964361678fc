//! Markdown of the cost table.

use std::fmt::Write as _;

use connect4_chain::runtime::currency::{DECIMALS, UNITS};

use crate::later::MARK;
use crate::measure::Cost;

/// Head of a table with a [`row`] for each call.
pub const HEAD: &str = "| | proof_size (bytes) | ref_time (ps) | deposit (DOT) | fee (DOT) | by 0.20.2 |\n\
                        |---|---:|---:|---:|---:|---:|\n";

/// Adds the row of a call.
pub fn row(table: &mut String, name: &str, cost: Cost) {
    let fee = if cost.fee == 0 {
        "–".into()
    } else {
        tokens(cost.fee as i128)
    };
    writeln!(
        table,
        "| {name} | {} | {} | {} | {fee} | {} |",
        grouped(cost.weight.proof_size()),
        grouped(cost.weight.ref_time()),
        tokens(cost.deposit),
        later(cost),
    )
    .unwrap();
}

/// The proof that a call takes on the later pallet.
pub fn later(cost: Cost) -> String {
    cost.later.map_or_else(|| MARK.into(), grouped)
}

/// The digits in groups of three, with a comma between groups.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// An amount in the chain's smallest unit as tokens, without zeros at the end.
pub fn tokens(amount: i128) -> String {
    if amount == 0 {
        return "0".into();
    }
    let one = UNITS as i128;
    let sign = if amount < 0 { "-" } else { "" };
    let (whole, part) = (amount.abs() / one, amount.abs() % one);
    let part = format!("{part:0width$}", width = DECIMALS as usize);
    format!("{sign}{whole}.{}", part.trim_end_matches('0'))
        .trim_end_matches('.')
        .into()
}

#[test]
fn numbers_are_grouped_by_commas_and_tokens_have_no_zeros_at_the_end() {
    assert_eq!(
        [0, 999, 1_000, 20_839_414_848].map(grouped),
        ["0", "999", "1,000", "20,839,414,848"]
    );
    let half = UNITS as i128 / 2;
    assert_eq!(
        [0, half, -half, 4 * half, 1].map(tokens),
        ["0", "0.5", "-0.5", "2", "0.0000000001"]
    );
}
