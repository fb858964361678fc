//! What the page does for a player.

use alloc::string::String;

use connect4_protocol::Address;
use connect4_protocol::signed::{GameNumber, message as m, wire};
use connect4_seat::{Call, Output};
use serde::Serialize;

use super::staked;
use crate::called::Called;
use crate::values::{Hex, Units};

/// What the page does for a player, in this order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum PlayerOutput {
    /// Sends a message to the opponent, by which they agree on the game.
    Send(Hex),
    /// Has the player's account call the contract of the stakes.
    Call(PlayerCall),
    /// Opens the room at this path of the relay.
    Enter(String),
    /// Sends a frame to the room.
    Say(Hex),
    /// Leaves the room: the end is on the disk.
    Leave,
}

/// A call of the contract of the stakes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PlayerCall {
    #[serde(flatten)]
    pub called: Called,
    /// What is paid with the call, in the unit that contracts see.
    pub payment: Units,
}

/// What is read from the contract of the stakes in each block.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PlayerReads {
    /// Number of the game that is read.
    #[cfg_attr(test, ts(type = "string"))]
    pub number: GameNumber,
    pub game: Called,
    pub owed: Called,
}

impl PlayerReads {
    pub(super) fn new(game: GameNumber, account: Address) -> Self {
        Self {
            number: game,
            game: Called::new(&m::ReadStaked { game }),
            owed: Called::new(&m::CreditOf { account }),
        }
    }
}

impl PlayerOutput {
    /// What a player wants done in its game. `witness` is that of the terms.
    pub(super) fn new(output: Output, game: GameNumber, witness: Option<Address>) -> Self {
        use codec::Encode as _;

        match output {
            Output::Send(message) => match staked::said(&message) {
                Some(said) => Self::Say(Hex::of(&said)),
                None => Self::Send(Hex(message.encode())),
            },
            Output::Call(call) => Self::Call(PlayerCall::new(&call, game)),
            Output::Enter => Self::Enter(wire::path(witness.unwrap_or(Address::ZERO), game)),
            Output::Say(said) => Self::Say(Hex(said.encode())),
            Output::Leave => Self::Leave,
        }
    }
}

impl PlayerCall {
    fn new(call: &Call, game: GameNumber) -> Self {
        let called = match *call {
            Call::Fund { terms, .. } => Called::new(&m::Fund { terms }),
            Call::Refund => Called::new(&m::Refund { game }),
            Call::Advance { evidence, press } => Called::new(&m::Advance {
                game,
                press,
                evidence,
            }),
            Call::Press => Called::new(&m::Press { game }),
            Call::Drop { board, bin } => Called::new(&m::Drop { game, board, bin }),
            Call::Claim => Called::new(&m::ClaimTimeout { game }),
            Call::Withdraw => Called::new(&m::Withdraw {}),
            Call::Free => Called::new(&m::Free { game }),
        };
        let payment = match call {
            Call::Fund { payment, .. } => *payment,
            _ => 0,
        };
        Self {
            called,
            payment: Units(payment),
        }
    }
}
