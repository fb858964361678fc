//! Events of the contract of the variants.

use connect4_client::Occurrence;
use connect4_protocol::variants;
use connect4_protocol::variants::event::{
    MoveMade, PlayerJoined, PlayerLeft, TableClosed, TableOpened, VariantEnded, VariantFreed,
    VariantStarted,
};
use connect4_rules::variant::Colour;
use serde::Serialize;

use super::super::event::name_of;
use super::super::text::{Hash, VariantId};
use super::game::VariantEnd;
use super::moves::VariantMove;
use super::terms::{VariantColour, VariantTerms};
use crate::{Address, Cell};

/// An event of a variant, and where it is on the chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct VariantEvent {
    /// What happened.
    #[serde(flatten)]
    pub happened: VariantHappened,
    /// Number of the game or table.
    pub game: VariantId,
    /// Number of the block.
    pub block: u32,
    /// Hash of the block.
    pub block_hash: Hash,
    /// Place of its transaction in the block, from 0.
    pub index: u32,
}

/// What happened in a game of a variant, or at its table. Players are told by colour as well, if
/// their game is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum VariantHappened {
    /// The chain took back an event that was told, as its block was replaced. Which one, the block
    /// and the place of the transaction tell.
    TakenBack {
        /// Name of the event.
        what: String,
    },
    /// A table was opened.
    TableOpened {
        /// Account that opened it, which has joined.
        opener: Address,
        /// The only accounts that may join, in turn order; empty if anyone may.
        players: Vec<Address>,
        /// Terms of the game.
        terms: VariantTerms,
    },
    /// A player joined a table.
    Joined {
        /// Account that joined.
        account: Address,
        /// Seat of the player, from 0 in turn order.
        seat: u8,
    },
    /// A player left a table or a game, or was removed for being late.
    Left {
        /// Account that left.
        account: Address,
        /// The player; none at a table.
        player: Option<VariantColour>,
        /// Whether the player was removed for being late.
        late: bool,
        /// Last second at which the player who is now to move may move, since 1970; none without a
        /// limit, before the start and after the end.
        deadline: Option<u64>,
    },
    /// A table was closed before the start.
    TableClosed {
        /// Account that opened it.
        opener: Address,
    },
    /// A game started.
    VariantStarted {
        /// Its players in turn order: red, blue, green, yellow.
        players: Vec<Address>,
        /// Terms of the game.
        terms: VariantTerms,
        /// Last second at which the first player may move, since 1970; none without a limit.
        deadline: Option<u64>,
    },
    /// A player moved.
    Moved {
        /// Account that moved.
        account: Address,
        /// The player; of a swap, the colour before it.
        player: Option<VariantColour>,
        /// The move.
        #[serde(flatten)]
        r#move: VariantMove,
        /// The move as text.
        text: String,
        /// Turn of the game, from 0.
        turn: u8,
        /// Last second at which the next player may move, since 1970; none without a limit and
        /// after the end.
        deadline: Option<u64>,
    },
    /// A game ended.
    VariantEnded {
        /// Account of the winner; none after a draw, and if the game was abandoned.
        account: Option<Address>,
        /// The winner.
        winner: Option<VariantColour>,
        /// How it ended.
        end: VariantEnd,
        /// The cells of every line of the winner; none if the game is not known.
        winning_cells: Option<Vec<Cell>>,
    },
    /// The storage of a game was freed.
    VariantFreed {
        /// Account that got the deposit back.
        payer: Address,
    },
}

impl VariantEvent {
    /// That the chain took back this event.
    #[must_use]
    pub fn taken_back(self) -> Self {
        let what = name_of(&self.happened);
        Self {
            happened: VariantHappened::TakenBack { what },
            ..self
        }
    }

    /// An event, and the game or table that it is about, if that is known.
    #[must_use]
    pub fn new(at: &Occurrence<variants::Event>, game: Option<&variants::Game>) -> Self {
        Self {
            happened: VariantHappened::new(&at.event, game),
            game: VariantId::new(at.event.game()),
            block: at.block,
            block_hash: at.block_hash.into(),
            index: at.index,
        }
    }
}

impl VariantHappened {
    fn new(event: &variants::Event, game: Option<&variants::Game>) -> Self {
        use variants::Event;

        let colour = |account| {
            let game = game.filter(|game| game.has_started())?;
            game.colour_of(account).map(VariantColour::from)
        };
        match event {
            Event::TableOpened(TableOpened {
                opener,
                players,
                variant,
                limit,
                ..
            }) => Self::TableOpened {
                opener: (*opener).into(),
                players: addresses(players),
                terms: VariantTerms::new(*variant, *limit),
            },
            Event::PlayerJoined(PlayerJoined { player, seat, .. }) => Self::Joined {
                account: (*player).into(),
                seat: *seat,
            },
            Event::PlayerLeft(PlayerLeft {
                player,
                late,
                deadline,
                ..
            }) => Self::Left {
                account: (*player).into(),
                player: colour(*player),
                late: *late,
                deadline: *deadline,
            },
            Event::TableClosed(TableClosed { opener, .. }) => Self::TableClosed {
                opener: (*opener).into(),
            },
            Event::VariantStarted(VariantStarted {
                players,
                variant,
                limit,
                deadline,
                ..
            }) => Self::VariantStarted {
                players: addresses(players),
                terms: VariantTerms::new(*variant, *limit),
                deadline: *deadline,
            },
            Event::MoveMade(MoveMade {
                player,
                action,
                turn,
                deadline,
                ..
            }) => Self::Moved {
                account: (*player).into(),
                player: match turn {
                    // A later swap has exchanged the colours of these two.
                    0 => Some(Colour::Red.into()),
                    1 => Some(Colour::Blue.into()),
                    _ => colour(*player),
                },
                r#move: (*action).into(),
                text: action.to_string(),
                turn: *turn,
                deadline: *deadline,
            },
            Event::VariantEnded(VariantEnded {
                winner,
                end,
                winning_cells,
                ..
            }) => Self::VariantEnded {
                account: winner.map(Address::from),
                winner: winner.and_then(colour),
                end: (*end).into(),
                winning_cells: game.map(|game| Cell::all(*winning_cells, game.variant().shape())),
            },
            Event::VariantFreed(VariantFreed { payer, .. }) => Self::VariantFreed {
                payer: (*payer).into(),
            },
        }
    }
}

fn addresses(accounts: &[connect4_client::Address]) -> Vec<Address> {
    accounts.iter().copied().map(Address::from).collect()
}
