//! The rows of the contract of the variants.

use std::fmt::Write as _;

use connect4_protocol::message::DropDisc;
use connect4_protocol::variants::message::{
    FreeVariant, Join, Leave, MakeMove, OpenTable, OpenTables, ReadVariant, ReadVariantBoard,
    RemoveLate, StartVariant, VariantCount,
};
use connect4_protocol::variants::{End, Game};
use connect4_protocol::{Error, Message};
use connect4_rules::variant::{Move, Powers, VariantSpec};
use connect4_rules::{Shape, ShapeSpec};
use connect4_testing::Account::{Alice, Bob, Charlie, Dave, Eve};
use connect4_testing::contracts::VARIANTS;
use connect4_testing::{Account, address};

use crate::measure::{Contracts, Cost};
use crate::text::{grouped, row};

/// Largest proof size of a move of a variant, and largest code, in bytes.
const MOST_PROOF_SIZE: u64 = 55_500;
const MOST_CODE: usize = 24_500;

const PLAYERS: [Account; 4] = [Alice, Bob, Charlie, Dave];

/// Terms of a game of four with everything on the largest board.
const FOUR: VariantSpec = VariantSpec {
    shape: ShapeSpec {
        bins: 8,
        capacity: 15,
        line: 4,
    },
    players: 4,
    pop_out: true,
    pie_rule: false,
    powers: Powers {
        take: 9,
        clear: 9,
        float: 9,
    },
};

/// The calls of the table, in turn order where they are moves.
struct Played {
    contracts: Contracts,
    moves: Vec<Cost>,
}

impl Played {
    fn call<M, T>(&self, who: Account, message: M) -> (T, Cost)
    where
        M: Message<Answer = Result<T, Error>>,
        T: codec::Decode,
    {
        self.contracts.pay(who, 0, message)
    }

    /// Makes a move, in the notation of variants, of the player to move.
    fn plays(&mut self, game: u32, text: &str) -> (Option<End>, Cost) {
        let stored: Game = self.call(Eve, ReadVariant { game }).0;
        let to_move = stored.to_move().expect("the game goes on");
        let mover = stored.account_of(to_move);
        let mover = PLAYERS.into_iter().find(|&who| address(who) == mover);
        let action: Move = text.parse().expect("a move");
        let (end, cost) = self.call(mover.unwrap(), MakeMove { game, action });
        self.moves.push(cost);
        (end, cost)
    }
}

fn open(players: Vec<Account>, variant: VariantSpec) -> OpenTable {
    OpenTable {
        players: players.into_iter().map(address).collect(),
        variant,
        limit: Some(60),
    }
}

pub fn rows(table: &mut String) {
    let (contracts, deployment) = Contracts::variants();
    row(table, "deploy the code and the contract", deployment);
    let moves = Vec::new();
    let mut played = Played { contracts, moves };
    let two = VariantSpec {
        pie_rule: true,
        ..VariantSpec::classic(Shape::STANDARD)
    };
    let start = |players: &[Account], variant| StartVariant {
        players: players.iter().map(|&who| address(who)).collect(),
        variant,
    };
    let (pie, cost) = played.call(Alice, start(&PLAYERS[..2], two));
    row(table, "start a game of two", cost);
    let (game, cost) = played.call(Alice, start(&PLAYERS, FOUR));
    row(table, "start a game of four", cost);
    let (first, cost) = played.call::<_, u32>(Alice, open(vec![], FOUR));
    row(table, "open a table, the only one", cost);
    let (second, cost) = played.call::<_, u32>(Alice, open(vec![], FOUR));
    row(table, "open a table among others", cost);
    let _: (u32, _) = played.call(Alice, open(PLAYERS.to_vec(), FOUR));
    let (_, cost) = played.call(Bob, Join { game: second });
    row(table, "join a table", cost);
    let (_, cost) = played.call(Bob, Leave { game: second });
    row(table, "leave a table", cost);
    for who in [Bob, Charlie] {
        played.call(who, Join { game: second });
    }
    let (_, cost) = played.call(Dave, Join { game: second });
    row(
        table,
        "join a table that is full with it, between two others",
        cost,
    );
    let (_, cost) = played.call(Alice, Leave { game: first });
    row(table, "close a table", cost);

    // Each kind of move after the first drop.
    let (_, cost) = played.plays(game, "1");
    row(table, "first drop", cost);
    for (name, text) in [
        ("drop", "2"),
        ("float", "f3.9"),
        ("take", "t2.1"),
        ("pop", "p1"),
        ("clear", "r1"),
    ] {
        if name == "clear" {
            played.plays(game, "5");
            played.plays(game, "6");
        }
        let (end, cost) = played.plays(game, text);
        assert_eq!(end, None, "{name}");
        row(table, name, cost);
    }
    played.plays(pie, "4");
    let (_, cost) = played.plays(pie, "s");
    row(table, "swap, in a game of two", cost);
    for text in ["1", "2", "3", "4", "1", "2", "3", "4", "1", "2", "3", "4"] {
        assert_eq!(played.plays(second, text).0, None);
    }
    let (end, cost) = played.plays(second, "1");
    assert_eq!(end, Some(End::Line));
    row(table, "winning move of a variant", cost);
    let action = "1".parse().unwrap();
    let refused = MakeMove {
        game: second,
        action,
    };
    let (answer, cost) = played.contracts.send(Bob, refused);
    assert_eq!(answer, Err(Error::GameOver));
    row(table, "refused move (the game has ended)", cost);

    let (_, cost) = played.call(Dave, Leave { game });
    row(table, "leave a game", cost);
    let (late, _) = played.call::<_, u32>(Alice, open(vec![], two));
    played.call(Bob, Join { game: late });
    played.contracts.local.wait(61);
    let (end, cost) = played.call(Eve, RemoveLate { game: late });
    assert_eq!(end, Some(End::LastLeft));
    row(table, "remove a late player, which ends the game", cost);
    let (_, cost) = played.call(Alice, FreeVariant { game: late });
    row(table, "free a game's storage", cost);
    super::query_row(table, &played.contracts, ReadVariant { game });
    super::query_row(table, &played.contracts, ReadVariantBoard { game });
    super::query_row(table, &played.contracts, VariantCount {});
    let limit = 10;
    for _ in 0..limit {
        played.call::<_, u32>(Alice, open(vec![], FOUR));
    }
    let page = OpenTables { from: None, limit };
    super::query_row(table, &played.contracts, page);
    compared(table, &played.moves);
}

/// Compares a move with a plain one, and holds all moves against the bound.
fn compared(table: &mut String, moves: &[Cost]) {
    let sizes = moves.iter().map(|cost| cost.weight.proof_size());
    let largest = sizes.max().expect("moves were made");
    assert!(
        largest <= MOST_PROOF_SIZE,
        "a move takes {largest} of {MOST_PROOF_SIZE} bytes"
    );
    assert!(
        VARIANTS.len() <= MOST_CODE,
        "{} bytes of {MOST_CODE}",
        VARIANTS.len()
    );
    let (contracts, _) = Contracts::games();
    let (game, _) = contracts.start(Shape::STANDARD);
    let (_, plain) =
        contracts.pay::<_, connect4_rules::Dropped, _>(Alice, 0, DropDisc { game, bin: 3 });
    let plain = plain.weight.proof_size();
    let more = largest as f64 / plain as f64 * 100.0 - 100.0;
    write!(
        table,
        "\nEvery kind of move takes the same proof of {} bytes, {more:+.1} % against the {} of a \
         plain one: the difference is code.\n",
        grouped(largest),
        grouped(plain),
    )
    .unwrap();
    assert!(
        moves.iter().all(|cost| cost.weight.proof_size() == largest),
        "every move takes the same proof"
    );
}
