//! What is said of games by signed terms that are recorded.

use connect4_client::Token;
use connect4_protocol::fast::GameNumber;

use crate::said::Sponsored;
use crate::words::who;

fn games(count: u64) -> String {
    match count {
        1 => "1 game".into(),
        count => format!("{count} games"),
    }
}

pub fn cost(count: usize, transactions: usize, fee: u128, deposit: i128, token: &Token) -> String {
    let deposit = match deposit {
        0 => String::new(),
        held if held > 0 => format!(", deposit {}", token.amount(held.unsigned_abs())),
        back => format!(", deposit back {}", token.amount(back.unsigned_abs())),
    };
    let sent = match transactions {
        1 => String::new(),
        count => format!(" in {count} transactions"),
    };
    let (games, fee) = (games(count as u64), token.amount(fee));
    format!("recording {games}{sent} costs {fee} at most{deposit}")
}

pub fn recorded(numbers: &[GameNumber]) -> String {
    match numbers {
        [number] => format!("recorded game {number}"),
        numbers => format!("recorded {}", games(numbers.len() as u64)),
    }
}

pub fn sponsored(sponsored: &Sponsored, token: &Token) -> String {
    let Sponsored {
        account,
        budget,
        spent,
        spent_in_all,
        games: count,
        sending,
        waiting,
    } = *sponsored;
    let under_way = match sending {
        0 => String::new(),
        sending => format!(", {sending} under way"),
    };
    format!(
        "{} has spent {} of {} in 24 hours, and {} for {} in all; {waiting} waiting{under_way}",
        who(account),
        token.amount(spent),
        token.amount(budget),
        token.amount(spent_in_all),
        games(count),
    )
}
