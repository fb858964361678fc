//! Every call of the contract that changes something, with its text for the story of a test.

use std::fmt;

use connect4_protocol::variants::message::{
    FreeVariant, Join, Leave, MakeMove, OpenTable, RemoveLate, StartVariant,
};
use connect4_rules::variant::{Move, VariantSpec};
use connect4_testing::world::{self, Variants};
use connect4_testing::{Account, Input, address};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Call {
    Start(Vec<Account>, VariantSpec),
    Open(Vec<Account>, VariantSpec, Option<u32>),
    Join(u32),
    Leave(u32),
    Move(u32, Move),
    RemoveLate(u32),
    Free(u32),
}

impl world::Call<Variants> for Call {
    fn input(&self, _: &connect4_testing::World<Variants>) -> Input {
        let addresses = |players: &[Account]| players.iter().map(|&who| address(who)).collect();
        match *self {
            Self::Start(ref players, variant) => StartVariant {
                players: addresses(players),
                variant,
            }
            .into(),
            Self::Open(ref players, variant, limit) => OpenTable {
                players: addresses(players),
                variant,
                limit,
            }
            .into(),
            Self::Join(game) => Join { game }.into(),
            Self::Leave(game) => Leave { game }.into(),
            Self::Move(game, action) => MakeMove { game, action }.into(),
            Self::RemoveLate(game) => RemoveLate { game }.into(),
            Self::Free(game) => FreeVariant { game }.into(),
        }
    }
}

impl Call {
    /// The game or table that the call is about; none if it makes a new one.
    pub const fn game(&self) -> Option<u32> {
        match *self {
            Self::Start(..) | Self::Open(..) => None,
            Self::Join(game)
            | Self::Leave(game)
            | Self::Move(game, _)
            | Self::RemoveLate(game)
            | Self::Free(game) => Some(game),
        }
    }
}

/// `joins table 3`.
impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start(players, variant) => {
                write!(f, "starts a game of {}: {variant}", names(players))
            }
            Self::Open(players, variant, limit) => {
                write!(f, "opens a table for {}: {variant}", names(players))?;
                limit.map_or(Ok(()), |limit| write!(f, ", {limit} s a move"))
            }
            Self::Join(game) => write!(f, "joins table {game}"),
            Self::Leave(game) => write!(f, "leaves {game}"),
            Self::Move(game, action) => write!(f, "plays {action:?} in game {game}"),
            Self::RemoveLate(game) => write!(f, "removes who is late in game {game}"),
            Self::Free(game) => write!(f, "frees game {game}"),
        }
    }
}

fn names(players: &[Account]) -> String {
    let names: Vec<String> = players.iter().map(Account::to_string).collect();
    if names.is_empty() {
        "anyone".into()
    } else {
        names.join(", ")
    }
}
