//! What comes from the room of a game at a relay.

use codec::Encode as _;
use connect4_protocol::fast::wire::{self, FromRelay, ToRelay};
use serde::Serialize;

use crate::failure::Failure;
use crate::relay::{Present, Refusal};
use crate::values::Hex;

/// What a frame of the relay has said.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FromRoom {
    /// What came of a position or an offer; none of other frames.
    pub heard: Option<Heard>,
    /// Why a position or an offer was not taken; none if it was.
    pub bad: Option<Failure>,
    /// Who is in the room, as the relay says; none if the frame is about something else.
    pub present: Option<Present>,
    /// What the relay refuses; none if the frame is no refusal.
    pub refused: Option<Refusal>,
}

/// What came of a position or an offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Heard {
    /// It was taken: the game has changed.
    News,
    /// It was known.
    Known,
    /// The sender knows less, and is told.
    Behind,
    /// It is not signed by the players, or not legal: nobody is told of it.
    Bad,
}

impl From<connect4_seat::Received> for Heard {
    fn from(heard: connect4_seat::Received) -> Self {
        match heard {
            connect4_seat::Received::News => Self::News,
            connect4_seat::Received::Known => Self::Known,
            connect4_seat::Received::Behind => Self::Behind,
        }
    }
}

impl FromRoom {
    pub(super) fn heard(heard: Result<connect4_seat::Received, Failure>) -> Self {
        match heard {
            Ok(heard) => Self {
                heard: Some(heard.into()),
                ..Self::default()
            },
            Err(failure) => Self {
                heard: Some(Heard::Bad),
                bad: Some(failure),
                ..Self::default()
            },
        }
    }

    /// What is neither a position nor an offer, and what nobody understands.
    pub(super) fn told(message: Option<FromRelay>) -> Self {
        match message {
            Some(FromRelay::Present(present)) => Self {
                present: Some(present.into()),
                ..Self::default()
            },
            Some(FromRelay::Refused(refusal)) => Self {
                refused: Some(refusal.into()),
                ..Self::default()
            },
            Some(_) => Self::default(),
            None => Self {
                refused: Some(Refusal {
                    text: "it says what nobody understands".into(),
                    closes: true,
                }),
                ..Self::default()
            },
        }
    }
}

pub(super) fn read(Hex(frame): &Hex) -> Option<FromRelay> {
    wire::read(frame)
}

pub(super) fn frame(message: &ToRelay) -> Hex {
    Hex(message.encode())
}
