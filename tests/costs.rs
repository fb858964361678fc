//! What playing costs, held against `COSTS.md`.
//!
//! `scripts/costs` writes the table anew; without it, a figure that differs fails this test. The
//! figures are weights, sizes and deposits, which are the same on every machine.

use std::fmt::Write as _;
use std::time::Duration;

use codec::{Decode, Encode};
use connect4_chain::{
    Chain, Clock, Options, Report, dev,
    runtime::{
        Balance, Runtime, RuntimeCall, RuntimeEvent,
        currency::{DECIMALS, UNITS},
    },
};
use connect4_protocol::{ClockSpec, Error};
use connect4_rules::{Dropped, Outcome, Player, Shape, ShapeSpec, notation};
use frame_support::weights::Weight;
use pallet_revive::AddressMapper;
use sp_core::{H160, hashing::blake2_256};
use sp_keyring::Sr25519Keyring::{self as Account, Alice, Bob, Charlie};

const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../COSTS.md");
const CONNECT4: &[u8] = include_bytes!("../artifacts/connect4.polkavm");
const MATCHES: &[u8] = include_bytes!("../artifacts/connect4_matches.polkavm");
const FLIPPER: &[u8] = include_bytes!("../artifacts/flipper.polkavm");

/// The most a move may take, and the largest code that goes with it.
const MOST_PROOF_SIZE: u64 = 42_000;
const MOST_CODE: usize = 11_000;

/// What a move took before there were matches, and by how much more it may be now, in percent.
const MOVE_BEFORE: u64 = 38_200;
const START_BEFORE: u64 = 38_046;
const MOST_MORE: u64 = 15;
const MOST_MORE_STAKED: u64 = 25;

/// Red wins in a column with the seventh drop.
const SHORT_GAME: &str = "4343434";
/// The board is full, nobody has a line.
const DRAW: &str = "773536213355643211576164565614277172224443";

/// A message as ink! takes it: the start of its name's hash, then its arguments.
fn message(name: &str, arguments: impl Encode) -> Vec<u8> {
    let mut data = blake2_256(name.as_bytes())[..4].to_vec();
    arguments.encode_to(&mut data);
    data
}

fn address(of: Account) -> H160 {
    <Runtime as pallet_revive::Config>::AddressMapper::to_address(&of.to_account_id())
}

/// What one call costs.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Cost {
    weight: Weight,
    deposit: i128,
    fee: Balance,
    /// The limits to send it with: of the deposit, what it takes before some of it comes back.
    limit: Weight,
    deposit_limit: Balance,
}

impl std::ops::AddAssign for Cost {
    fn add_assign(&mut self, other: Self) {
        self.weight += other.weight;
        self.deposit += other.deposit;
        self.fee += other.fee;
    }
}

/// A contract on a chain of its own.
struct Deployed {
    chain: Chain,
    contract: H160,
    deployment: Cost,
}

impl Deployed {
    fn new(code: &[u8], constructor: Vec<u8>) -> Self {
        Self::on(Self::chain(), code, constructor)
    }

    fn chain() -> Chain {
        Chain::open(Options {
            clock: Clock::Manual(0),
            ..Options::default()
        })
        .unwrap()
    }

    /// A contract that deploys another one, whose code is uploaded before; and what that cost.
    fn after_upload(uploaded: &[u8], code: &[u8], constructor: Vec<u8>) -> (Self, Cost) {
        let chain = Self::chain();
        let call = RuntimeCall::Revive(pallet_revive::Call::upload_code {
            code: uploaded.to_vec(),
            storage_deposit_limit: 100 * UNITS,
        });
        let report = chain.submit(&Alice.pair(), call).unwrap();
        assert_eq!(report.outcome, Ok(()));
        let cost = Cost {
            weight: report.weight,
            deposit: report.deposit,
            fee: report.fee,
            ..Cost::default()
        };
        (Self::on(chain, code, constructor), cost)
    }

    fn on(chain: Chain, code: &[u8], constructor: Vec<u8>) -> Self {
        let call = RuntimeCall::Revive(pallet_revive::Call::instantiate_with_code {
            value: 0,
            weight_limit: Weight::from_parts(500_000_000_000, 5_000_000),
            storage_deposit_limit: 100 * UNITS,
            code: code.to_vec(),
            data: constructor,
            salt: None,
        });
        let report = chain.submit(&Alice.pair(), call).unwrap();
        assert_eq!(report.outcome, Ok(()));
        // The last: a constructor tells of what it has deployed before.
        let contract = report
            .events
            .iter()
            .rev()
            .find_map(|event| match event {
                RuntimeEvent::Revive(pallet_revive::Event::Instantiated { contract, .. }) => {
                    Some(*contract)
                }
                _ => None,
            })
            .expect("instantiated");
        // The contract is an account, and keeps what every account has to have.
        let endowed: Balance = report
            .events
            .iter()
            .filter_map(|event| match event {
                RuntimeEvent::Balances(pallet_balances::Event::Endowed {
                    free_balance, ..
                }) => Some(*free_balance),
                _ => None,
            })
            .sum();
        let deployment = Cost {
            weight: report.weight,
            deposit: report.deposit + endowed as i128,
            fee: report.fee,
            ..Cost::default()
        };
        Self {
            chain,
            contract,
            deployment,
        }
    }

    /// What a message would cost and return, and whether it would be refused.
    fn ask(&self, caller: Account, data: Vec<u8>) -> (Cost, Vec<u8>, bool) {
        self.ask_of(self.contract, caller, 0, data)
    }

    fn ask_of(
        &self,
        contract: H160,
        caller: Account,
        value: Balance,
        data: Vec<u8>,
    ) -> (Cost, Vec<u8>, bool) {
        let caller = caller.to_account_id();
        let answer = self
            .chain
            .call_contract(&caller, contract, value, data)
            .unwrap();
        let returned = answer.result.unwrap();
        let amount = |deposit| match deposit {
            pallet_revive::StorageDeposit::Charge(amount) => amount as i128,
            pallet_revive::StorageDeposit::Refund(amount) => -(amount as i128),
        };
        let deposit = amount(answer.storage_deposit);
        let most = amount(answer.max_storage_deposit);
        let refused = returned.did_revert();
        (
            Cost {
                weight: answer.weight_consumed,
                limit: answer.weight_required,
                deposit,
                // Where one contract calls another, some more than the pallet tells.
                deposit_limit: most.max(0) as Balance * 2,
                fee: 0,
            },
            returned.data,
            refused,
        )
    }

    /// Sends a message, and tells what it cost: the contract's weight, without the transaction's.
    fn send(&self, caller: Account, data: Vec<u8>) -> (Cost, Vec<u8>, Report) {
        self.send_to(self.contract, caller, 0, data)
    }

    fn send_to(
        &self,
        contract: H160,
        caller: Account,
        value: Balance,
        data: Vec<u8>,
    ) -> (Cost, Vec<u8>, Report) {
        let (mut cost, output, refused) = self.ask_of(contract, caller, value, data.clone());
        let call = RuntimeCall::Revive(pallet_revive::Call::call {
            dest: contract,
            value,
            weight_limit: cost.limit,
            storage_deposit_limit: cost.deposit_limit,
            data,
        });
        let report = self.chain.submit(&caller.pair(), call).unwrap();
        assert_eq!(report.outcome.is_err(), refused, "{:?}", report.outcome);
        if !refused {
            assert_eq!(report.deposit, cost.deposit, "as the dry run told");
        }
        cost.fee = report.fee;
        (cost, output, report)
    }
}

fn decode<T: Decode>(output: &[u8]) -> T {
    // ink! wraps every answer: `Ok` unless it did not understand the message.
    let answer: Result<T, u8> = Decode::decode(&mut &output[..]).unwrap();
    answer.expect("the message was understood")
}

struct Games(Deployed);

impl Games {
    fn new() -> Self {
        Self(Deployed::new(CONNECT4, message("new", ())))
    }

    fn start(&self, shape: Shape) -> (u32, Cost) {
        let players = (address(Alice), address(Bob), ShapeSpec::from(shape));
        let (cost, output, _) = self.0.send(Alice, message("start_game", players));
        (decode::<Result<u32, Error>>(&output).unwrap(), cost)
    }

    /// Plays these moves, red first; what each cost and how the last ended.
    fn play(&self, game: u32, moves: &str) -> (Vec<Cost>, Option<Outcome>) {
        let mut costs = Vec::new();
        let mut outcome = None;
        for (turn, bin) in notation::parse(moves).enumerate() {
            let mover = [Alice, Bob][turn % 2];
            let drop = message("drop_disc", (game, bin.unwrap().index()));
            let (cost, output, _) = self.0.send(mover, drop);
            let dropped = decode::<Result<Dropped, Error>>(&output).unwrap();
            outcome = dropped.outcome;
            costs.push(cost);
        }
        (costs, outcome)
    }
}

/// The contract of the matches, with that of the games.
struct Matches {
    deployed: Deployed,
    games: H160,
    upload: Cost,
}

impl Matches {
    fn new() -> Self {
        let (deployed, upload) = Deployed::after_upload(
            CONNECT4,
            MATCHES,
            message("new", sp_core::hashing::keccak_256(CONNECT4)),
        );
        let (_, output, _) = deployed.ask(Alice, message("games_contract", ()));
        let games = decode(&output);
        Self {
            deployed,
            games,
            upload,
        }
    }

    /// Sends a message that has to be agreed to.
    fn send<T: Decode>(
        &self,
        caller: Account,
        value: Balance,
        name: &str,
        arguments: impl Encode,
    ) -> (T, Cost) {
        let (matches, data) = (self.deployed.contract, message(name, arguments));
        let (cost, output, _) = self.deployed.send_to(matches, caller, value, data);
        let answer = decode::<Result<T, Error>>(&output);
        (
            answer.unwrap_or_else(|error| panic!("{name}: {error}")),
            cost,
        )
    }

    fn play(&self, game: u32, first: Account, moves: &str) -> Vec<Cost> {
        let second = if first == Alice { Bob } else { Alice };
        notation::parse(moves)
            .enumerate()
            .map(|(turn, bin)| {
                let mover = [first, second][turn % 2];
                let drop = message("drop_disc", (game, bin.unwrap().index()));
                let (cost, output, _) = self.deployed.send_to(self.games, mover, 0, drop);
                decode::<Result<Dropped, Error>>(&output).unwrap();
                cost
            })
            .collect()
    }
}

fn sum(costs: &[Cost]) -> Cost {
    let mut all = Cost::default();
    costs.iter().for_each(|cost| all += *cost);
    all
}

/// With spaces between thousands.
fn grouped(number: u64) -> String {
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

fn tokens(amount: i128) -> String {
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

fn row(table: &mut String, name: &str, cost: Cost) {
    let fee = if cost.fee == 0 {
        "–".into()
    } else {
        tokens(cost.fee as i128)
    };
    writeln!(
        table,
        "| {name} | {} | {} | {} | {fee} |",
        grouped(cost.weight.proof_size()),
        grouped(cost.weight.ref_time()),
        tokens(cost.deposit),
    )
    .unwrap();
}

const HEAD: &str = "| | proof_size (bytes) | ref_time (ps) | deposit (DOT) | fee (DOT) |\n\
                    |---|---:|---:|---:|---:|\n";

fn connect4_rows(table: &mut String) {
    let games = Games::new();
    let contract = &games.0;
    row(
        table,
        "deploy the code and the contract",
        contract.deployment,
    );
    let (first, start) = games.start(Shape::STANDARD);
    row(table, "start a game", start);
    let (short, outcome) = games.play(first, SHORT_GAME);
    assert_eq!(outcome, Some(Outcome::Won(Player::One)));
    row(table, "first move", short[0]);
    row(table, "later move", short[1]);
    row(table, "winning move", short[6]);

    let (second, start_again) = games.start(Shape::STANDARD);
    let (draw, outcome) = games.play(second, DRAW);
    assert_eq!(outcome, Some(Outcome::Draw));
    row(table, "move that fills the board", draw[41]);
    let (refused, output, _) = contract.send(Charlie, message("drop_disc", (second, 0_u8)));
    assert_eq!(
        decode::<Result<Dropped, Error>>(&output),
        Err(Error::GameOver)
    );
    row(table, "refused move (the game has ended)", refused);
    let (third, _) = games.start(Shape::STANDARD);
    let (refused, output, _) = contract.send(Charlie, message("drop_disc", (third, 0_u8)));
    assert_eq!(
        decode::<Result<Dropped, Error>>(&output),
        Err(Error::NotAPlayer)
    );
    row(table, "refused move (not a player)", refused);
    for query in ["game", "board", "winner", "winning_cells"] {
        let (cost, _, refused) = contract.ask(Charlie, message(query, first));
        assert!(!refused);
        row(table, &format!("query `{query}`"), cost);
    }
    let (cost, output, _) = contract.ask(Charlie, message("game_count", ()));
    assert_eq!(decode::<u32>(&output), 3);
    row(table, "query `game_count`", cost);
    let mut whole = sum(&short);
    whole += start;
    row(table, "a whole game of 7 drops", whole);
    let mut whole = sum(&draw);
    whole += start_again;
    row(table, "a whole draw of 42 drops", whole);

    let dearest = short
        .iter()
        .chain(&draw)
        .map(|cost| cost.weight.proof_size())
        .max()
        .unwrap();
    assert!(
        dearest <= MOST_PROOF_SIZE,
        "a move takes {dearest} of {MOST_PROOF_SIZE} bytes"
    );
    assert!(
        CONNECT4.len() <= MOST_CODE,
        "{} bytes of {MOST_CODE}",
        CONNECT4.len()
    );
    let moves_alike = |costs: &[Cost]| {
        let mut middle = costs[1..costs.len() - 1].iter();
        middle.all(|cost| cost.weight.proof_size() == costs[1].weight.proof_size())
    };
    assert!(
        moves_alike(&short) && moves_alike(&draw),
        "every move takes the same proof"
    );
}

fn matches_rows(table: &mut String) {
    let shape = ShapeSpec::from(Shape::STANDARD);
    let clock = Some(ClockSpec {
        bank: 300,
        increment: 5,
    });
    let matches = Matches::new();
    let contract = &matches.deployed;
    row(table, "upload the code of the games", matches.upload);
    row(
        table,
        "deploy the code and both contracts",
        contract.deployment,
    );
    let offer = (Some(address(Bob)), true, shape, clock);
    let (challenge, cost) = matches.send::<u32>(Alice, UNITS, "challenge", offer);
    row(table, "challenge, for a stake and with a clock", cost);
    let (game, cost) = matches.send::<u32>(Bob, UNITS, "accept", challenge);
    row(table, "accept", cost);
    let moves = matches.play(game, Alice, SHORT_GAME);
    row(table, "first move", moves[0]);
    row(table, "later move", moves[1]);
    row(table, "winning move", moves[6]);
    let (_, cost) = matches.send::<u128>(Alice, 0, "withdraw", vec![game]);
    row(table, "withdraw, with the game settled", cost);
    let (_, cost) = matches.send::<Option<u32>>(Bob, UNITS, "offer_rematch", game);
    row(table, "offer a rematch", cost);
    let (again, cost) = matches.send::<u32>(Alice, UNITS, "accept_rematch", game);
    row(table, "accept a rematch", cost);
    let (_, cost) = matches.send::<()>(Bob, 0, "offer_draw", again);
    row(table, "offer a draw", cost);
    let (_, cost) = matches.send::<()>(Alice, 0, "accept_draw", again);
    row(table, "accept a draw", cost);
    let (_, cost) = matches.send::<()>(Alice, 0, "free", again);
    row(table, "free a game's storage", cost);
    let (challenge, _) = matches.send::<u32>(Alice, UNITS, "challenge", offer);
    let (_, cost) = matches.send::<()>(Alice, 0, "cancel", challenge);
    row(table, "cancel a challenge", cost);
    let (challenge, _) = matches.send::<u32>(Alice, UNITS, "challenge", offer);
    let (_, cost) = matches.send::<()>(Bob, 0, "decline", challenge);
    row(table, "decline a challenge", cost);
    let (challenge, _) = matches.send::<u32>(Alice, UNITS, "challenge", offer);
    let (game, _) = matches.send::<u32>(Bob, UNITS, "accept", challenge);
    let (_, cost) = matches.send::<()>(Alice, 0, "resign", game);
    row(table, "resign", cost);
    let (challenge, _) = matches.send::<u32>(Alice, UNITS, "challenge", offer);
    let (game, _) = matches.send::<u32>(Bob, UNITS, "accept", challenge);
    matches.play(game, Alice, "11");
    contract.chain.advance_clock(Duration::from_secs(306));
    let (_, cost) = matches.send::<()>(Charlie, 0, "claim_timeout", game);
    row(table, "claim a timeout", cost);

    // A bare game, with the referee there.
    let players = message("start_game", (address(Alice), address(Bob), shape));
    let (start, output, _) = contract.send_to(matches.games, Alice, 0, players);
    let bare = decode::<Result<u32, Error>>(&output).unwrap();
    let plain = matches.play(bare, Alice, SHORT_GAME);

    let more = |now: u64, before: u64| now as f64 / before as f64 * 100.0 - 100.0;
    let compared = |table: &mut String, name: &str, before: u64, now: Cost| {
        let now = now.weight.proof_size();
        writeln!(
            table,
            "| {name} | {} | {} | {:+.1} % |",
            grouped(before),
            grouped(now),
            more(now, before)
        )
        .unwrap();
    };
    table.push_str(
        "\n## What matches made dearer\n\n\
         The proof_size of what was there before them. What is rare is in a contract of its own, so \
         that its code does not weigh on moves; a move reads and writes as many storage items as \
         before.\n\n\
         | | before | now | |\n|---|---:|---:|---:|\n",
    );
    compared(table, "start a bare game", START_BEFORE, start);
    compared(table, "move in a bare game", MOVE_BEFORE, plain[1]);
    compared(
        table,
        "move in a game for a stake, with a clock",
        MOVE_BEFORE,
        moves[1],
    );
    let at_most = |costs: &[Cost], percent: u64| {
        costs
            .iter()
            .all(|cost| cost.weight.proof_size() * 100 <= MOVE_BEFORE * (100 + percent))
    };
    assert!(at_most(&plain, MOST_MORE), "{plain:?}");
    assert!(at_most(&moves, MOST_MORE_STAKED), "{moves:?}");
}

fn flipper_rows(table: &mut String) {
    let flipper = Deployed::new(FLIPPER, message("new", false));
    row(
        table,
        "deploy the code and the contract",
        flipper.deployment,
    );
    let (flip, _, _) = flipper.send(Alice, message("flip", ()));
    row(table, "`flip`: one read, one write", flip);
    let (get, _, _) = flipper.ask(Alice, message("get", ()));
    row(table, "query `get`: one read", get);
}

fn table() -> String {
    let mut table = format!(
        "# What playing costs\n\n\
         Weights are what the contract takes, without the transaction around it; every byte of \
         its code counts once in each `proof_size`. The fee is all that the sender pays but the \
         deposit, which comes back when the storage is freed. Prices are Polkadot Hub's. A query \
         costs nothing: it is no transaction.\n\n\
         Written by `scripts/costs`, checked by `tests/costs.rs`.\n\n\
         ## Connect Four: {} bytes of code\n\n{HEAD}",
        grouped(CONNECT4.len() as u64),
    );
    connect4_rows(&mut table);
    write!(
        table,
        "\n## Matches: {} bytes of code\n\n\
         Both contracts together, in a game for a stake of 1 DOT with a clock. The stakes are left \
         out. Whoever ends a game pays the deposit for what the others are owed; it comes back to \
         who withdraws.\n\n{HEAD}",
        grouped(MATCHES.len() as u64),
    )
    .unwrap();
    matches_rows(&mut table);
    write!(
        table,
        "\n## The floor: ink!'s flipper, {} bytes of code\n\n\
         The least that any ink! contract takes, built the same way.\n\n{HEAD}",
        grouped(FLIPPER.len() as u64),
    )
    .unwrap();
    flipper_rows(&mut table);
    table
}

#[test]
fn playing_costs_what_the_table_says() {
    let measured = table();
    if std::env::var_os("CONNECT4_WRITE_COSTS").is_some() {
        std::fs::write(TABLE, measured).unwrap();
        return;
    }
    let committed = std::fs::read_to_string(TABLE).unwrap_or_default();
    let changed: Vec<String> = measured
        .lines()
        .zip(committed.lines().chain(std::iter::repeat("")))
        .filter(|(now, before)| now != before)
        .map(|(now, before)| format!("- {before}\n+ {now}"))
        .collect();
    assert!(
        measured == committed,
        "the costs changed; look at them and run scripts/costs:\n{}",
        changed.join("\n")
    );
}

/// Starts games until there are this many, then plays one; the weight and the deposit of each move.
/// Not the fee: a later nonce is longer by a byte or two.
fn a_game_among(many: u32) -> Vec<(Weight, i128)> {
    let games = Games::new();
    let chain = &games.0.chain;
    let players = (
        address(Alice),
        address(Bob),
        ShapeSpec::from(Shape::STANDARD),
    );
    let data = message("start_game", players);
    let (cost, _, _) = games.0.ask(Alice, data.clone());
    let first = chain.next_nonce(&Alice.to_account_id()).unwrap();
    for nonce in first..first + many - 1 {
        let call = RuntimeCall::Revive(pallet_revive::Call::call {
            dest: games.0.contract,
            value: 0,
            weight_limit: cost.limit,
            storage_deposit_limit: UNITS,
            data: data.clone(),
        });
        let signed = dev::sign(&Alice.pair(), call, nonce, 0, chain.genesis_hash());
        // A full pool says so; its blocks are under way.
        while chain.submit_encoded(signed.encode()).is_err() {
            std::thread::yield_now();
        }
    }
    while !chain.pending().is_empty() {
        std::thread::yield_now();
    }
    let (last, _) = games.start(Shape::STANDARD);
    assert_eq!(last, many - 1);
    let (costs, _) = games.play(last, SHORT_GAME);
    costs
        .into_iter()
        .map(|cost| (cost.weight, cost.deposit))
        .collect()
}

#[test]
fn a_move_costs_the_same_among_a_thousand_games() {
    assert_eq!(a_game_among(1), a_game_among(1_000));
}

/// Takes minutes unless optimised: `cargo test --release --package connect4-chain --test costs --
/// --ignored`.
#[test]
#[ignore = "a hundred thousand transactions"]
fn a_move_costs_the_same_among_a_hundred_thousand_games() {
    assert_eq!(a_game_among(1), a_game_among(100_000));
}
