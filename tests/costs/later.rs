//! The same calls on the pallet that public chains are about to have: pallet-revive 0.20.2, which prices a storage item
//! that was touched before less than one that was not.
//!
//! That pallet does not fit into one program with the one of the local chain. So the calls are written down here, tried by
//! `network/tests/tests/costs.rs`, and what they took is read from there: `scripts/test-network` does both. Without it
//! the figures stay those of the committed table, as long as the others of their row are the same.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs;

use connect4_protocol::Address;
use connect4_testing::{Account, ContractCall, Local};

/// Names the file to which the calls are written, one a line.
const WRITE: &str = "CONNECT4_WRITE_CALLS";
/// Names the file with the day of the measurement, and the proof that each call took, one a line.
const READ: &str = "CONNECT4_READ_CALLS";

/// Before the day of the measurement, in the table.
const MEASURED: &str = "measured on ";

#[derive(Default)]
struct Calls {
    written: Vec<String>,
    took: Vec<u64>,
}

thread_local! {
    static CALLS: RefCell<Calls> = RefCell::new(Calls {
        written: Vec::new(),
        took: read().into_iter().flat_map(|(_, took)| took).collect(),
    });
}

/// What was measured, if it is to be read: the day, and the proof of each call.
fn read() -> Option<(String, Vec<u64>)> {
    let text = fs::read_to_string(std::env::var_os(READ)?).expect("the file of the measurement");
    let mut lines = text.lines().map(str::to_owned);
    let day = lines.next().expect("a day");
    let took = lines.map(|line| line.parse().expect("a number")).collect();
    Some((day, took))
}

/// Writes a call down; the proof that it took on the later pallet, in bytes, if that is known.
fn note(local: &Local, caller: Account, what: String) -> Option<u64> {
    let caller = hex::encode(caller.to_account_id().as_ref() as &[u8]);
    let line = format!("{} {} {caller} {what}", local.number(), local.now());
    CALLS.with_borrow_mut(|calls| {
        let took = calls.took.get(calls.written.len()).copied();
        calls.written.push(line);
        took
    })
}

/// A deployment, which made a contract at this address.
pub fn deploy(
    local: &Local,
    caller: Account,
    code: &[u8],
    constructor: &[u8],
    made: Address,
) -> Option<u64> {
    let [code, constructor] = [code, constructor].map(hex::encode);
    note(local, caller, format!("deploy {code} {constructor} {made}"))
}

/// A call of a contract, as a transaction or as a query.
pub fn call(local: &Local, call: &ContractCall, is_sent: bool) -> Option<u64> {
    let how = if is_sent { "send" } else { "query" };
    let ContractCall {
        caller,
        contract,
        value,
        data,
    } = call;
    let data = hex::encode(data);
    note(local, *caller, format!("{how} {contract} {value} {data}"))
}

/// Fills in what is not measured now from the committed table, and writes the calls down if they are asked for. The
/// place of a figure is marked by [`MARK`].
pub fn complete(measured: &str, committed: &str) -> String {
    if let Some(file) = std::env::var_os(WRITE) {
        let calls = CALLS.with_borrow(|calls| calls.written.join("\n"));
        fs::write(file, calls).expect("there is room");
    }
    let day = read().map(|(day, _)| day).or_else(|| {
        let (_, after) = committed.split_once(MEASURED)?;
        Some(after.get(..10)?.to_owned())
    });
    let known: HashMap<&str, &str> = committed
        .lines()
        .filter_map(|line| line.trim_end_matches(" |").rsplit_once(" | "))
        .collect();
    let lines = measured.lines().map(|line| match line.split_once(MARK) {
        Some((rest, _)) => match known.get(rest.trim_end_matches(" | ")) {
            Some(figure) => format!("{rest}{figure} |"),
            None => line.to_owned(),
        },
        None => line.replace(DAY, day.as_deref().unwrap_or(MARK)),
    });
    lines.map(|line| line + "\n").collect()
}

/// Where a figure of the later pallet is missing.
pub const MARK: &str = "not measured";
/// Where the day of the measurement belongs.
pub const DAY: &str = "{day}";

#[test]
fn a_row_keeps_its_figure_until_its_others_change() {
    let committed = "measured on 2026-11-28\n| a | 1 | 7 |\n| b | 2 | 8 |\n";
    let now = format!("measured on {DAY}\n| a | 1 | {MARK} |\n| b | 3 | {MARK} |\n| c | 4 | 9 |\n");
    let complete = complete(&now, committed);
    let expected =
        format!("measured on 2026-11-28\n| a | 1 | 7 |\n| b | 3 | {MARK} |\n| c | 4 | 9 |\n");
    assert_eq!(complete, expected);
}
