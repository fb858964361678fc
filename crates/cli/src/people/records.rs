//! What is said of signed games that are recorded, and of games as text.

use connect4_client::Token;
use connect4_protocol::End;
use connect4_protocol::signed::GameNumber;
use connect4_record::Proof;

use super::text::Text;
use crate::said::{Evaluated, Looked, Sponsored, Verified};
use crate::words::{join, who};

pub fn games(count: u64) -> String {
    match count {
        1 => "1 game".into(),
        count => format!("{count} games"),
    }
}

pub fn cost(count: usize, transactions: usize, fee: u128, deposit: i128, token: &Token) -> String {
    let sent = match transactions {
        1 => String::new(),
        count => format!(" in {count} transactions"),
    };
    let (games, fee) = (games(count as u64), token.amount(fee));
    join(
        format!("recording {games}{sent} costs {fee} at most"),
        token.deposit(deposit),
    )
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

/// The moves and the score come first, as solvers print them.
pub fn evaluated(moves: &str, evaluated: &Evaluated) -> String {
    let moves = match moves {
        "" => "-",
        moves => moves,
    };
    match evaluated {
        Evaluated::Open(found) => {
            // As in the moves, bins count from 1.
            let bins = found
                .best_bins
                .iter()
                .map(|bin| (bin.index() + 1).to_string());
            let bins = bins.collect::<Vec<_>>().join(" ");
            let (score, left) = (found.score, found.discs_left);
            format!("{moves} {score} best {bins}, discs to the end: {left}")
        }
        Evaluated::Over(outcome) => format!("{moves} {outcome}"),
    }
}

pub fn verified(text: &mut Text<'_>, verified: &Verified<'_>) {
    let record = verified.record;
    let game = match record.name() {
        Some(game) => format!("game {game}"),
        None => "a game of no chain".into(),
    };
    let end = match record.end {
        Some(end) => format!("{} {end}", record.result()),
        None => "no end".into(),
    };
    let file = verified.file.display();
    text.line(format!("{file}, line {}: {game}: {end}", verified.line));
    let keys = verified.keys();
    for (seat, account) in record.players.iter().enumerate() {
        let signed = match keys.get(seat).copied().flatten() {
            Some(key) if key == *account => ", has signed it".into(),
            Some(key) => format!(", has signed it by the key {key}"),
            None => String::new(),
        };
        text.line(format!("  player {}: {}{signed}", seat + 1, who(*account)));
    }
    if let Ok(Proof::Ended { witness, .. }) = &verified.proof {
        text.line(match witness {
            None => "  no witness: both players have signed how it ended".into(),
            Some(witness) if record.end == Some(End::Timeout) => format!(
                "  witness: {witness}, has signed how and when it ended; that the time was over, it alone says"
            ),
            Some(witness) => format!("  witness: {witness}, has signed how and when it ended"),
        });
    }
    if let Some(pool) = verified.pool() {
        text.line(format!("  pool: {pool}"));
    }
    match &verified.looked {
        Some(Looked::There { started, ended }) => text.line(match ended {
            Some(ended) if ended != started => format!(
                "  on the chain: from block {} to block {}",
                started.number, ended.number
            ),
            _ => format!("  on the chain: in block {}", started.number),
        }),
        Some(Looked::NotThere | Looked::Differs(_)) | None => {}
    }
    let facts = verified.facts();
    for (by, names) in [
        ("signed", facts.signed),
        ("signed by the witness", facts.witnessed),
        ("told by the chain alone", facts.on_chain),
        ("only said by the file, and not proven", facts.unproven),
    ] {
        if !names.is_empty() {
            text.line(format!("  {by}: {}", names.join(", ")));
        }
    }
    text.line(match verified.why_not() {
        None => "  proven".into(),
        Some(why) => format!("  not proven: {why}"),
    });
}
