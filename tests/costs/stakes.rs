//! The rows of the contract of the stakes, and whole games with a stake beside each other.

use std::fmt::Write as _;

use connect4_chain::runtime::Runtime;
use connect4_chain::runtime::currency::UNITS;
use connect4_protocol::ClockSpec;
use connect4_protocol::message::ContractKind;
use connect4_protocol::signed::message::{
    Advance, ClaimTimeout, Drop, Free, Fund, Press, ReadStaked, Refund, Resign, Withdraw,
    WithdrawTo,
};
use connect4_protocol::signed::{
    Chain, Domain, Evidence, GameNumber, Moves, Native, Party, SessionKey, SignedEnd, Terms,
};
use connect4_rules::{Board, ByPlayer, Player, Shape};
use connect4_testing::Account::{self, Alice, Bob, Charlie};
use connect4_testing::contracts::STAKES;
use connect4_testing::keys::session_key;
use connect4_testing::local::RATIO;
use connect4_testing::{address, games};
use sp_core::Get;

use crate::measure::{Contracts, Cost, query};
use crate::text::{grouped, later, row, tokens};

/// Largest code, in bytes.
const MOST_CODE: usize = 31_500;
/// Largest proof of a whole game: of the first, whose winner withdraws; of one that both pay for with what they are
/// owed.
const MOST_FIRST: u64 = 270_000;
const MOST_NEXT: u64 = 230_000;

/// The signature of the loser, player two, without which a line can be contested for a while.
const LOST: Option<SignedEnd> = Some(SignedEnd::Resignation(Player::Two));

/// A game of Alice and Bob for a stake of one token.
struct Play<'a> {
    contracts: &'a Contracts,
    terms: Terms,
    keys: ByPlayer<SessionKey>,
    domain: Domain,
}

impl<'a> Play<'a> {
    fn new(contracts: &'a Contracts, nonce: u32) -> Self {
        let keys = ByPlayer {
            one: session_key(1),
            two: session_key(2),
        };
        Self {
            contracts,
            terms: Terms {
                players: ByPlayer {
                    one: Party::new(address(Alice), keys.one.address()),
                    two: Party::new(address(Bob), keys.two.address()),
                },
                clock: Some(ClockSpec {
                    bank: 300,
                    increment: 5,
                }),
                stake: UNITS * RATIO,
                time: contracts.local.now(),
                nonce,
                ..Terms::on(Shape::STANDARD)
            },
            keys,
            domain: Domain {
                chain: Chain {
                    id: <Runtime as pallet_revive::Config>::ChainId::get(),
                    genesis: contracts.local.chain.genesis_hash().0,
                },
                stakes: Some(contracts.address(ContractKind::Stakes)),
            },
        }
    }

    fn number(&self) -> GameNumber {
        self.terms.number(&self.domain, &Native)
    }

    fn fund(&self, who: Account, paid: u128) -> Cost {
        let terms = self.terms;
        let ((), cost) = self.contracts.pay(who, paid, Fund { terms });
        cost
    }

    /// The same game after both have paid.
    fn begun(self) -> Self {
        self.fund(Alice, UNITS);
        self.fund(Bob, UNITS);
        self
    }

    /// Brings a position to the chain, or an end.
    fn advance(&self, moves: &[u8], end: Option<SignedEnd>, press: bool) -> Cost {
        let mut evidence = Evidence {
            end,
            signatures: ByPlayer::default(),
            moves: Moves::from_bins(moves).expect("few moves"),
        };
        let unsigned = evidence;
        for player in Player::ALL {
            if let Some(statement) = unsigned.statement_of(player, self.number()) {
                let digest = statement.digest(&self.domain, &Native);
                evidence.signatures[player] = self.keys.get(player).sign(&digest);
            }
        }
        let message = Advance {
            game: self.number(),
            press,
            evidence,
        };
        let ((), cost) = self.contracts.pay(Alice, 0, message);
        cost
    }

    fn drop(&self, who: Account, bin: u8) -> Cost {
        let board = Board::new(Shape::STANDARD);
        let game = self.number();
        self.contracts.pay(who, 0, Drop { game, board, bin }).1
    }
}

fn withdraw_to(contracts: &Contracts, who: Account) -> Cost {
    let receiver = address(who);
    contracts.pay(who, 0, WithdrawTo { receiver }).1
}

/// Adds the rows of the contract of the stakes.
pub fn rows(rows: &mut String) {
    let (contracts, deployment) = Contracts::stakes();
    row(
        rows,
        "deploy the code and the contract of the stakes",
        deployment,
    );
    let play = Play::new(&contracts, 1);
    let game = play.number();
    row(rows, "pay a stake, first", play.fund(Alice, UNITS));
    let (_, cost) = contracts.pay(Alice, 0, Refund { game });
    row(rows, "have it back", cost);
    play.fund(Alice, UNITS);
    row(rows, "pay a stake, second", play.fund(Bob, UNITS));
    let (_, cost) = contracts.pay(Bob, 0, Press { game });
    row(rows, "press the clock", cost);
    row(rows, "drop on the chain", play.drop(Alice, 3));
    let moves: Vec<u8> = games::bins(games::SHORT).collect();
    let cost = play.advance(&moves[..3], None, true);
    row(rows, "advance by 3 moves and press", cost);
    let cost = play.advance(&moves, LOST, false);
    row(rows, "advance to a line, to which the loser agrees", cost);
    let next = Play::new(&contracts, 2);
    let cost = next.fund(Alice, 0);
    row(rows, "pay a stake with half of what is owed", cost);
    row(
        rows,
        "withdraw, by `withdraw_to`",
        withdraw_to(&contracts, Alice),
    );
    next.fund(Bob, UNITS);
    let cost = next.advance(&moves, None, false);
    row(rows, "advance to a line, to which the loser does not", cost);
    contracts.local.wait(301);
    let game = next.number();
    let (_, cost) = contracts.pay(Charlie, 0, ClaimTimeout { game });
    row(rows, "claim it after that time", cost);
    let (_, cost) = contracts.pay(Alice, 0, Withdraw {});
    row(rows, "withdraw, by `withdraw`", cost);
    let drawn = Play::new(&contracts, 3).begun();
    let until = contracts.local.now() + 60;
    let draw = Some(SignedEnd::Draw { until });
    let cost = drawn.advance(&moves[..6], draw, false);
    row(rows, "end by a signed draw", cost);
    let next = Play::new(&contracts, 4);
    let cost = next.fund(Bob, 0);
    row(rows, "pay a stake with all that is owed", cost);
    next.fund(Alice, 0);
    let game = next.number();
    let (_, cost) = contracts.pay(Alice, 0, Resign { game });
    row(rows, "resign on the chain", cost);
    let late = Play::new(&contracts, 5).begun();
    late.advance(&moves[..3], None, true);
    contracts.local.wait(301);
    let game = late.number();
    let (_, cost) = contracts.pay(Charlie, 0, ClaimTimeout { game });
    row(rows, "claim a timeout", cost);
    contracts.local.wait(24 * 60 * 60);
    let (_, cost) = contracts.pay(Alice, 0, Free { game });
    row(rows, "free a game's storage, a day after the terms", cost);
    let game = next.number();
    let read = contracts.call(Charlie, ReadStaked { game });
    let (_, cost) = query(&contracts.local, &read);
    row(rows, "query `game`", cost);
    assert!(STAKES.len() <= MOST_CODE, "{} of {MOST_CODE}", STAKES.len());
}

/// Adds the table of whole games.
pub fn compared(rows: &mut String) {
    rows.push_str(
        "\nA whole game of 42 drops, from the first payment to the last. It is the same for a game of any length. A \
         stake is paid by the call, or with what the player is owed from games before.\n\n\
         | | transactions | proof_size (bytes) | fee (DOT) | by 0.20.2 |\n|---|---:|---:|---:|---:|\n",
    );
    let moves: Vec<u8> = games::bins(games::DRAW).take(41).collect();
    let mut add = |name: &str, costs: &[Cost], most: u64| {
        let whole: Cost = costs.iter().copied().sum();
        let proof_size = whole.weight.proof_size();
        assert!(proof_size <= most, "{name}: {proof_size} of {most} bytes");
        writeln!(
            rows,
            "| {name} | {} | {} | {} | {} |",
            costs.len(),
            grouped(proof_size),
            tokens(whole.fee as i128),
            later(whole),
        )
        .unwrap();
    };
    let (contracts, _) = Contracts::stakes();
    let end = |play: &Play| play.advance(&moves, LOST, false);
    let play = Play::new(&contracts, 1);
    let first = [
        play.fund(Alice, UNITS),
        play.fund(Bob, UNITS),
        end(&play),
        withdraw_to(&contracts, Alice),
    ];
    add("the first, and its winner withdraws", &first, MOST_FIRST);
    let play = Play::new(&contracts, 2);
    let kept = [play.fund(Alice, UNITS), play.fund(Bob, UNITS), end(&play)];
    add("the first, and its winner plays on", &kept, MOST_NEXT);
    let play = Play::new(&contracts, 3);
    let next = [play.fund(Alice, 0), play.fund(Bob, UNITS), end(&play)];
    add(
        "one that a player pays for with what it is owed",
        &next,
        MOST_NEXT,
    );
    // Both are owed a stake by a draw.
    let drawn = Play::new(&contracts, 4).begun();
    let until = contracts.local.now() + 60;
    drawn.advance(&moves, Some(SignedEnd::Draw { until }), false);
    let play = Play::new(&contracts, 5);
    let both = [play.fund(Bob, 0), play.fund(Alice, 0), end(&play)];
    add(
        "one that both pay for with what they are owed, one of them with all of it",
        &both,
        MOST_NEXT,
    );
}
