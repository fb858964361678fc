//! Challenges.

use connect4_client::Token;
use connect4_protocol::{Address, ClockSpec, Terms};
use connect4_rules::ShapeSpec;
use serde::Serialize;

use super::warnings::Warning;
use super::words::prize;
use crate::play::Amount;

/// A challenge to a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Challenge {
    /// Number of the challenge.
    pub challenge: u32,
    /// Account that made it.
    pub challenger: Address,
    /// Account that is challenged; none if anyone may accept.
    pub opponent: Option<Address>,
    /// Whether the challenger moves first.
    pub challenger_first: bool,
    /// Shape of the board.
    pub shape: ShapeSpec,
    /// The clock; none if the game has none.
    pub clock: Option<ClockSpec>,
    /// Amount that each of the two pays in.
    pub stake: Amount,
    /// Last second at which it can be accepted, since 1970; none if it stays open.
    pub expires: Option<u64>,
}

impl Challenge {
    /// A challenge with its number.
    #[must_use]
    pub fn new(challenge: u32, open: &connect4_protocol::Challenge, token: &Token) -> Self {
        let connect4_protocol::Challenge {
            challenger,
            opponent,
            challenger_first,
            terms:
                Terms {
                    shape,
                    clock,
                    stake,
                },
            expires,
        } = *open;
        Self {
            challenge,
            challenger,
            opponent,
            challenger_first,
            shape,
            clock,
            stake: Amount::of_contract(stake, token),
            expires,
        }
    }
}

/// A challenge that can be accepted, with what a player should know before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct OpenChallenge {
    /// The challenge.
    #[serde(flatten)]
    pub challenge: Challenge,
    /// Amount that the winner gets.
    pub prize: Amount,
    /// What is known about its terms, in words.
    pub warnings: Vec<String>,
}

/// Some of the open challenges.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct OpenChallenges {
    /// The challenges, the newest first.
    pub challenges: Vec<OpenChallenge>,
    /// Number of the newest of those that are older; none if there is none.
    pub older_challenges: Option<u32>,
}

impl OpenChallenge {
    /// An open challenge, about which this is known.
    #[must_use]
    pub fn new(
        number: u32,
        open: &connect4_protocol::Challenge,
        token: &Token,
        warnings: &[Warning],
    ) -> Self {
        Self {
            challenge: Challenge::new(number, open, token),
            prize: Amount::of_contract(prize(open.terms.stake), token),
            warnings: warnings.iter().map(Warning::to_string).collect(),
        }
    }
}
