//! What a cheat does: anything.

use connect4_protocol::fast::{Ending, Evidence, Moves};
use connect4_rules::{Outcome, Player};
use connect4_testing::dice::Dice;

use super::bench::{Bench, Deed, stranger};
use super::model::{Said, position, to_move};
use super::sequence::Statements;

/// A random call of the contract by a cheat in this seat.
pub fn deed(
    seat: Player,
    statements: &mut Statements,
    bench: &impl Bench,
    dice: &mut Dice,
) -> Deed {
    match dice.below(24) {
        0..3 => Deed::Press,
        3..6 => Deed::Drop(dice.below(8) as u8),
        6..10 => Deed::Claim,
        10 if dice.once_in(10) => Deed::Resign,
        _ => Deed::Advance {
            press: dice.once_in(2),
            evidence: Box::new(evidence(seat, statements, bench, dice)),
        },
    }
}

/// Evidence that a cheat in this seat makes of anything that the other has signed, and of anything
/// that it signs itself.
pub fn evidence(
    seat: Player,
    statements: &mut Statements,
    bench: &impl Bench,
    dice: &mut Dice,
) -> Evidence {
    let theirs: Vec<(Said, Vec<u8>)> = statements
        .log
        .iter()
        .filter(|(by, ..)| *by != seat)
        .map(|(_, said, moves)| (said.clone(), moves.clone()))
        .collect();
    let missed = theirs
        .iter()
        .find(|(said, moves)| *said == Said::Position && winning(seat, moves).is_some());
    let go_back = missed.filter(|_| dice.once_in(3)).cloned();
    let (said, mut moves) = if let Some(missed) = go_back {
        missed
    } else if theirs.is_empty() {
        (Said::Position, Vec::new())
    } else if dice.once_in(2) {
        theirs[theirs.len() - 1].clone()
    } else {
        dice.one_of(&theirs)
    };
    let mut ending = match said {
        Said::Position => None,
        Said::Resignation => Some(Ending::Resignation(seat.opponent())),
        Said::Draw(until) => Some(Ending::Draw { until }),
    };
    if ending.is_none() && to_move(moves.len()) == seat && dice.once_in(2) {
        // A move of its own after it, legal or not, whatever it signed for this turn before.
        // It may miss a win, and go back to it.
        let bin = winning(seat, &moves).filter(|_| dice.once_in(2));
        moves.push(bin.unwrap_or_else(|| dice.below(8) as u8));
    }
    if dice.once_in(40) {
        ending = Some(Ending::Resignation(seat));
    }
    let mut made = Evidence {
        ending,
        moves: Moves::from_bins(&moves).expect("no more than cells"),
        ..Evidence::start()
    };
    let unsigned = made;
    for player in Player::ALL {
        let Some(statement) = unsigned.statement_of(player, bench.number()) else {
            continue;
        };
        made.signatures[player] = if player == seat {
            statements.sign(bench, player, &statement)
        } else {
            // What the other never signed, the cheat can't have.
            statements.find(player, &statement).unwrap_or_else(stranger)
        };
    }
    if dice.once_in(12) {
        made.signatures[dice.one_of(&Player::ALL)] = stranger();
    }
    made
}

/// A move that wins at once; none if there is none, or it is not this player's turn.
fn winning(seat: Player, moves: &[u8]) -> Option<u8> {
    let wins = |bin: &u8| {
        let after = position(&[moves, &[*bin]].concat());
        after.is_ok_and(|after| after.outcome() == Some(Outcome::Won(seat)))
    };
    (0..7).find(wins)
}
