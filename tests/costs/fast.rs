//! The rows of the contract of the fast games, and fast play beside play on the chain.

use std::fmt::Write as _;

use connect4_chain::runtime::Runtime;
use connect4_chain::runtime::currency::UNITS;
use connect4_protocol::fast::{Domain, Ending};
use connect4_protocol::message::{
    Accept, AcceptFastRematch, Advance, ClaimFastTimeout, DropFast, FreeFast, MakeChallenge,
    OfferFastRematch, OpenChallenge, Press, ReadFast, ResignFast, Withdraw, WithdrawFast,
};
use connect4_protocol::{Address, Challenge, ClockSpec, Error, Pace};
use connect4_rules::{ByPlayer, Player, Shape};
use connect4_testing::Account::{Alice, Bob, Charlie};
use connect4_testing::contracts::FAST;
use connect4_testing::fast::{Table, session_key};
use connect4_testing::{address, games};
use sp_core::Get;

use crate::measure::{Contracts, Cost, query, send};
use crate::records::{self, Players};
use crate::text::{grouped, later, row, tokens};

/// Largest code, in bytes.
const MOST_CODE: usize = 31_500;
/// Largest proof size of the transaction that settles a game for a stake, credits included.
const MOST_SETTLED: u64 = 110_000;

/// The signature of the loser, player two, without which a line can be contested for a while.
const LOST: Option<Ending> = Some(Ending::Resignation(Player::Two));

const CLOCK: ClockSpec = ClockSpec {
    bank: 300,
    increment: 5,
};

/// Games by their numbers of drops. The first two are won by who moved first, the third is a draw.
const GAMES: [(&str, &str); 3] = [
    ("7 drops", games::SHORT),
    ("21 drops", "734642161743722652674"),
    ("42 drops", games::DRAW),
];

fn bins(moves: &str) -> Vec<u8> {
    games::bins(moves).collect()
}

/// The players of a fast game, whose keys are the same in each.
fn table(contracts: &Contracts, game: u32) -> Table {
    Table {
        game,
        keys: keys(),
        domain: Domain::new(
            <Runtime as pallet_revive::Config>::ChainId::get(),
            contracts.fast(),
        ),
    }
}

fn keys() -> ByPlayer<connect4_protocol::fast::SessionKey> {
    ByPlayer {
        one: session_key(1),
        two: session_key(2),
    }
}

/// A challenge of Alice to Bob, in the chain's smallest unit, to a fast game or not.
fn challenge(contracts: &Contracts, stake: u128, pace: Pace) -> (u32, Cost) {
    let offer = MakeChallenge {
        opponent: Some(address(Bob)),
        challenger_first: true,
        shape: Shape::STANDARD.into(),
        clock: Some(CLOCK),
        expires: Some(contracts.local.now() + 24 * 60 * 60),
        pace,
    };
    contracts.pay(Alice, stake, offer)
}

fn accept(contracts: &Contracts, challenge: u32, stake: u128, key: Option<Address>) -> (u32, Cost) {
    let look = contracts.call(Bob, OpenChallenge { challenge });
    let seen: Result<Challenge, Error> = contracts.local.dry_run(&look).answer();
    let seen = seen.expect("it is open");
    let accept = Accept {
        challenge,
        key,
        seen,
    };
    contracts.pay(Bob, stake, accept)
}

/// A fast game for a stake, and what its challenge and acceptance cost.
fn staked(contracts: &Contracts) -> (Table, Cost, Cost) {
    let ByPlayer { one, two } = keys().map(|key| key.address());
    let (number, challenged) = challenge(contracts, UNITS, Pace::Fast(one));
    let (game, accepted) = accept(contracts, number, UNITS, Some(two));
    (table(contracts, game), challenged, accepted)
}

/// Brings a position to the chain, or an end.
fn advance(
    contracts: &Contracts,
    table: &Table,
    moves: &[u8],
    ending: Option<Ending>,
    press: bool,
) -> Cost {
    let message = Advance {
        game: table.game,
        press,
        evidence: table.signed(moves, ending),
    };
    let (_, cost) = contracts.pay::<_, (), _>(Alice, 0, message);
    cost
}

/// Adds the rows of the contract of the fast games.
pub fn rows(rows: &mut String) {
    let (contracts, ..) = Contracts::all();
    let (game, challenged, accepted) = staked(&contracts);
    row(rows, "challenge to a fast game, for a stake", challenged);
    row(rows, "accept it", accepted);
    let press = contracts.call(Bob, Press { game: game.game });
    let (_, cost) = send(&contracts.local, &press);
    row(rows, "press the clock", cost);
    let first = DropFast {
        game: game.game,
        bin: 3,
    };
    let (_, cost) = contracts.pay(Alice, 0, first);
    row(rows, "drop on the chain", cost);
    let moves = bins(games::SHORT);
    let cost = advance(&contracts, &game, &moves[..3], None, true);
    row(rows, "advance by 3 moves and press", cost);
    let settled = advance(&contracts, &game, &moves, LOST, false);
    row(
        rows,
        "advance to a line, to which the loser agrees",
        settled,
    );
    let (_, cost) = contracts.pay(Alice, 0, WithdrawFast {});
    row(rows, "withdraw", cost);
    let (one, two) = (session_key(3).address(), session_key(4).address());
    let offer = OfferFastRematch {
        game: game.game,
        key: one,
    };
    let (_, cost) = contracts.pay(Alice, UNITS, offer);
    row(rows, "offer a rematch", cost);
    let again = AcceptFastRematch {
        game: game.game,
        key: two,
    };
    let (_, cost) = contracts.pay(Bob, UNITS, again);
    row(rows, "accept a rematch", cost);
    let (_, cost) = contracts.pay(Bob, 0, FreeFast { game: game.game });
    row(rows, "free a game's storage", cost);

    let (game, ..) = staked(&contracts);
    let contested = advance(&contracts, &game, &moves, None, false);
    row(
        rows,
        "advance to a line, to which the loser does not",
        contested,
    );
    contracts.local.wait(301);
    let game = game.game;
    let (_, cost) = contracts.pay(Charlie, 0, ClaimFastTimeout { game });
    row(rows, "claim it after that time", cost);

    let (game, ..) = staked(&contracts);
    let until = contracts.local.now() + 60;
    let draw = Some(Ending::Draw { until });
    let drawn = advance(&contracts, &game, &moves[..6], draw, false);
    row(rows, "end by a signed draw", drawn);
    let (game, ..) = staked(&contracts);
    let resigned = advance(&contracts, &game, &moves[..6], LOST, false);
    row(rows, "end by a signed resignation", resigned);
    let (game, ..) = staked(&contracts);
    let (_, cost) = contracts.pay(Alice, 0, ResignFast { game: game.game });
    row(rows, "resign on the chain", cost);
    let (game, ..) = staked(&contracts);
    advance(&contracts, &game, &moves[..3], None, true);
    contracts.local.wait(301);
    let late = ClaimFastTimeout { game: game.game };
    let (_, cost) = contracts.pay(Charlie, 0, late);
    row(rows, "claim a timeout", cost);
    let game = game.game;
    let (_, cost) = query(
        &contracts.local,
        &contracts.call(Charlie, ReadFast { game }),
    );
    row(rows, "query `fast_game`", cost);

    let (game, ..) = staked(&contracts);
    let longest = advance(&contracts, &game, &bins(games::DRAW), None, false);
    for settled in [settled, drawn, resigned, longest] {
        let proof_size = settled.weight.proof_size();
        assert!(
            proof_size <= MOST_SETTLED,
            "a settlement takes {proof_size} of {MOST_SETTLED} bytes"
        );
    }
    assert!(FAST.len() <= MOST_CODE, "{} of {MOST_CODE}", FAST.len());
}

/// Transactions and what they cost together.
struct Whole {
    transactions: usize,
    cost: Cost,
}

impl Whole {
    fn of(costs: &[Cost]) -> Self {
        Self {
            transactions: costs.len(),
            cost: costs.iter().copied().sum(),
        }
    }
}

/// Adds the table that compares whole games.
pub fn compared(rows: &mut String) {
    rows.push_str(
        "\n## A whole game, on the chain and fast\n\n\
         From the start to the end, and with a stake to the payment of the winner, or of both after a \
         draw. A game by signed terms is recorded, if anybody wants it on the chain, and takes no transaction else.\n\n\
         | | transactions | proof_size (bytes) | fee (DOT) | by 0.20.2 |\n|---|---:|---:|---:|---:|\n",
    );
    for (name, moves) in GAMES {
        let (contracts, ..) = Contracts::all();
        let (game, start) = contracts.start(Shape::STANDARD);
        let (drops, outcome) = contracts.play(game, moves);
        assert!(outcome.is_some(), "{name} end the game");
        let on_chain = Whole::of(&[&[start][..], &drops].concat());
        let ending = LOST.filter(|_| moves != games::DRAW);
        let guests = Whole::of(&[records::single(moves, Players::Guests)]);
        let wallets = Whole::of(&[records::single(moves, Players::Wallets)]);

        let (number, challenged) = challenge(&contracts, UNITS, Pace::Classic);
        let (game, accepted) = accept(&contracts, number, UNITS, None);
        let (drops, outcome) = contracts.play(game, moves);
        let paid: &[_] = match outcome.and_then(|outcome| outcome.winner()) {
            Some(Player::One) => &[Alice],
            Some(Player::Two) => &[Bob],
            None => &[Alice, Bob],
        };
        let mut costs = [&[challenged, accepted][..], &drops].concat();
        for who in paid {
            let games = vec![game];
            costs.push(contracts.pay(*who, 0, Withdraw { games }).1);
        }
        let staked_on_chain = Whole::of(&costs);
        let (table, challenged, accepted) = staked(&contracts);
        let mut costs = vec![challenged, accepted];
        costs.push(advance(&contracts, &table, &bins(moves), ending, false));
        for who in paid {
            costs.push(contracts.pay(*who, 0, WithdrawFast {}).1);
        }
        let staked_fast = Whole::of(&costs);
        for (how, whole) in [
            ("on the chain", on_chain),
            ("by signed terms, two guests", guests),
            ("by signed terms, two wallets", wallets),
            ("for a stake, on the chain", staked_on_chain),
            ("for a stake, fast", staked_fast),
        ] {
            writeln!(
                rows,
                "| {name}, {how} | {} | {} | {} | {} |",
                whole.transactions,
                grouped(whole.cost.weight.proof_size()),
                tokens(whole.cost.fee as i128),
                later(whole.cost),
            )
            .unwrap();
        }
    }
}
