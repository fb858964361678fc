//! What a player is told.

use connect4_protocol::signed::staked_room::ToStakedRoom;
use connect4_protocol::signed::wire::{self, FromWitness};
use connect4_protocol::signed::{GameNumber, Moves, StakesError, message as m};
use connect4_protocol::{Error, Message, decode_all};
use connect4_rules::Bin;
use connect4_seat::{Came, Command, Input, Sight};
use serde::Deserialize;

use crate::failure::Failure;
use crate::output;
use crate::relay::Present;
use crate::values::Hex;

/// What a player is told.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum PlayerInput {
    /// A message of the opponent.
    Message(Hex),
    /// A frame from the room: that of the witness, or that of a game with a stake.
    Room(RoomFrame),
    /// The connection to the room is lost.
    Closed,
    /// From now on messages may come to the opponent.
    Connected,
    Block(BlockSeen),
    /// The data of an event of the contract of the stakes in a final block: somebody may have paid. The game is looked at
    /// before that is believed.
    Event(Hex),
    /// The machine's clock, in seconds since 1970.
    Time(u64),
    Command(PlayerCommand),
}

/// A frame from the room.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RoomFrame {
    pub frame: Hex,
    /// When it came, in milliseconds of a clock of the page that runs evenly.
    pub at: u64,
    /// When something was said in the room last, by the same clock; none if nothing was.
    pub said: Option<u64>,
    /// For how many milliseconds at a time the page was held up at most since the frame before.
    pub held_up: u64,
}

/// What a block shows.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BlockSeen {
    /// In seconds since 1970.
    pub time: u64,
    /// Whether the block can't be replaced any more.
    pub is_final: bool,
    /// Number of the game that was read.
    #[cfg_attr(test, ts(type = "string"))]
    pub number: GameNumber,
    /// Answer of the contract to what is read of the game; none if a node says only that the contract refuses, which it
    /// does of a game that it does not have.
    pub game: Option<Hex>,
    /// Answer of the contract to what is read of the account.
    pub owed: Hex,
}

/// What the person wants.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum PlayerCommand {
    /// Drops a disc into this bin, from 0 at the left.
    Move(u8),
    /// Takes the first disc over, by the pie rule.
    Swap,
    /// Drops a disc by a transaction, also on top of a disc that the opponent has not signed: of that the person is asked.
    MoveOnChain(u8),
    SwapOnChain,
    /// Starts the opponent's clock.
    Press,
    Resign,
    OfferDraw,
    AcceptDraw,
    DeclineDraw,
    /// Has the end brought to the chain.
    Settle,
    Refund,
    Withdraw,
    Free,
}

/// What a frame of the room says besides.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Besides {
    pub present: Option<Present>,
    /// Time of the witness, in milliseconds since 1970.
    pub time: Option<u64>,
    /// When the frame came, and when something was said last.
    pub came: Option<Came>,
    /// For how many milliseconds the page was held up before it.
    pub held_up: u64,
    /// What is said first, as the room of a game with a stake is entered.
    pub enters: Option<ToStakedRoom>,
}

impl PlayerInput {
    /// The input of the player; none if it is none that anybody understands.
    ///
    /// # Errors
    ///
    /// `BadAnswer` if what is said to be an answer of the contract is none.
    pub(super) fn read(self) -> Result<(Option<Input>, Besides), Failure> {
        let mut besides = Besides::default();
        let input = match self {
            Self::Message(Hex(bytes)) => decode_all(&bytes).ok().map(Input::Message),
            Self::Room(RoomFrame {
                frame,
                at,
                said: last,
                held_up,
            }) => {
                let said = wire::read(&frame.0);
                besides.came = Some(Came { at, said: last });
                besides.held_up = held_up;
                match said {
                    Some(FromWitness::Present(present)) => besides.present = Some(present.into()),
                    Some(FromWitness::Welcome { time, .. }) => besides.time = Some(time),
                    _ => {}
                }
                said.map(Input::Room)
            }
            Self::Closed => Some(Input::Closed),
            Self::Connected => Some(Input::Connected),
            Self::Block(block) => Some(Input::Block {
                is_final: block.is_final,
                sight: block.read()?,
            }),
            // What it is to a player its offer says.
            Self::Event(_) => None,
            Self::Time(time) => Some(Input::Time(time)),
            Self::Command(command) => Some(Input::Command(command.into())),
        };
        Ok((input, besides))
    }
}

impl BlockSeen {
    fn read(&self) -> Result<Sight, Failure> {
        let read = output::read::<<m::ReadStaked as Message>::Answer>;
        let missing = Err(StakesError::Common(Error::NoSuchGame));
        let game = match self.game.as_ref().map_or(Ok(missing), read)? {
            Ok(game) => Some(game),
            Err(StakesError::Common(Error::NoSuchGame)) => None,
            Err(error) => return Err(Failure::answer(alloc::format!("{error}"))),
        };
        let owed = output::read::<<m::CreditOf as Message>::Answer>(&self.owed)?;
        Ok(Sight {
            time: self.time,
            number: Some(self.number),
            game,
            owed: owed.map_err(|error| Failure::answer(alloc::format!("{error}")))?,
        })
    }
}

impl From<PlayerCommand> for Command {
    fn from(command: PlayerCommand) -> Self {
        const SWAP: Bin = Bin::new(Moves::SWAP);
        match command {
            PlayerCommand::Move(bin) => Self::Move(Bin::new(bin)),
            PlayerCommand::Swap => Self::Move(SWAP),
            PlayerCommand::MoveOnChain(bin) => Self::MoveOnChain(Bin::new(bin)),
            PlayerCommand::SwapOnChain => Self::MoveOnChain(SWAP),
            PlayerCommand::Press => Self::Press,
            PlayerCommand::Resign => Self::Resign,
            PlayerCommand::OfferDraw => Self::OfferDraw,
            PlayerCommand::AcceptDraw => Self::AcceptDraw,
            PlayerCommand::DeclineDraw => Self::DeclineDraw,
            PlayerCommand::Settle => Self::Settle,
            PlayerCommand::Refund => Self::Refund,
            PlayerCommand::Withdraw => Self::Withdraw,
            PlayerCommand::Free => Self::Free,
        }
    }
}
