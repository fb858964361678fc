//! Events of the contracts.

use connect4_client::Occurrence;
use connect4_protocol::event::{DiscDropped, GameEnded, GameFreed, GameStarted};
use connect4_protocol::variants::event::{
    MoveMade, PlayerJoined, PlayerLeft, TableClosed, TableOpened, VariantEnded, VariantFreed,
    VariantStarted,
};
use connect4_protocol::{Address, AnyGame, End, GameId};
use connect4_rules::variant::Colour;
use connect4_rules::{Cell, ShapeSpec};
use serde::Serialize;

use crate::MoveAsked;
use crate::Terms;
use crate::play::Hash;

/// An event, and where it is on the chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Event {
    /// What happened.
    #[serde(flatten)]
    pub happened: Happened,
    /// Number of the game; left out of an event that is about none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "declarations", ts(optional))]
    pub game: Option<GameId>,
    /// Number of the block.
    pub block: u32,
    /// Hash of the block.
    pub block_hash: Hash,
    /// Place of its transaction in the block, from 0.
    pub index: u32,
}

/// What happened. Players are told by colour, if their game is known; those of variants by account as
/// well.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Happened {
    /// The block of an event that was printed before was replaced. The block and the index are those of
    /// that event.
    TakenBack {
        /// Name of the event.
        what: String,
    },
    /// A game started.
    Started {
        /// Account of player one.
        red: Address,
        /// Account of player two.
        blue: Address,
        /// Shape of the board.
        shape: ShapeSpec,
    },
    /// A disc was dropped.
    Dropped {
        /// The player who dropped it.
        player: Option<Colour>,
        /// Bin, from 0 at the left.
        bin: u8,
        /// Row in which it lies, from 0 at the bottom.
        row: u8,
        /// Turn of the game, from 0.
        turn: u8,
    },
    /// A game ended.
    Ended {
        /// The winner; none after a draw.
        winner: Option<Colour>,
        /// How it ended.
        end: End,
        /// The cells of every line that the last disc completed; none if the game is not known.
        winning_cells: Option<Vec<Cell>>,
    },
    /// The storage of a game was freed.
    Freed {
        /// Account that got the deposit back.
        payer: Address,
    },
    /// A table was opened.
    TableOpened {
        /// Account that opened it, which has joined.
        opener: Address,
        /// The only accounts that may join, in turn order; empty if anyone may.
        players: Vec<Address>,
        /// Terms of the game.
        terms: Terms,
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
        player: Option<Colour>,
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
        terms: Terms,
        /// Last second at which the first player may move, since 1970; none without a limit.
        deadline: Option<u64>,
    },
    /// A player moved.
    Moved {
        /// Account that moved.
        account: Address,
        /// The player; of a swap, the colour before it.
        player: Option<Colour>,
        /// The move.
        #[serde(flatten)]
        r#move: MoveAsked,
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
        winner: Option<Colour>,
        /// How it ended.
        end: End,
        /// The cells of every line of the winner; none if the game is not known.
        winning_cells: Option<Vec<Cell>>,
    },
    /// The storage of a game was freed.
    VariantFreed {
        /// Account that got the deposit back.
        payer: Address,
    },
}

/// The name of what happened, which is written once, where it is declared.
fn name_of(happened: &Happened) -> String {
    let name = serde_json::to_value(happened)
        .ok()
        .and_then(|happened| happened.get("event")?.as_str().map(str::to_owned));
    name.unwrap_or_default()
}

impl Event {
    /// That the block of this event was replaced.
    #[must_use]
    pub fn taken_back(self) -> Self {
        let what = name_of(&self.happened);
        Self {
            happened: Happened::TakenBack { what },
            ..self
        }
    }

    /// An event, and the game whose players it names, if that is known.
    #[must_use]
    pub fn new(at: &Occurrence, game: Option<&AnyGame>) -> Self {
        Self {
            happened: Happened::new(&at.event, game),
            game: at.event.game(),
            block: at.block,
            block_hash: at.block_hash.into(),
            index: at.index,
        }
    }
}

impl Happened {
    fn new(event: &connect4_client::Event, game: Option<&AnyGame>) -> Self {
        use connect4_client::Event;

        let two = game.and_then(AnyGame::two);
        let colour = |account: Address| {
            two.and_then(|game| game.player_of(&account))
                .map(Colour::from)
        };
        let of_variant = |account| {
            let game = game.and_then(AnyGame::variant);
            let game = game.filter(|game| game.has_started())?;
            game.colour_of(account)
        };
        match event {
            Event::GameStarted(GameStarted {
                player_one,
                player_two,
                shape,
                ..
            }) => Self::Started {
                red: *player_one,
                blue: *player_two,
                shape: *shape,
            },
            Event::DiscDropped(DiscDropped {
                player,
                bin,
                row,
                turn,
                ..
            }) => Self::Dropped {
                player: colour(*player),
                bin: *bin,
                row: *row,
                turn: *turn,
            },
            Event::GameEnded(GameEnded {
                winner,
                end,
                winning_cells,
                ..
            }) => Self::Ended {
                winner: winner.and_then(colour),
                end: *end,
                winning_cells: two.map(|game| winning_cells.iter(game.shape()).collect()),
            },
            Event::GameFreed(GameFreed { payer, .. }) => Self::Freed { payer: *payer },
            Event::TableOpened(TableOpened {
                opener,
                players,
                variant,
                limit,
                ..
            }) => Self::TableOpened {
                opener: *opener,
                players: players.clone(),
                terms: Terms::new(*variant, *limit),
            },
            Event::PlayerJoined(PlayerJoined { player, seat, .. }) => Self::Joined {
                account: *player,
                seat: *seat,
            },
            Event::PlayerLeft(PlayerLeft {
                player,
                late,
                deadline,
                ..
            }) => Self::Left {
                account: *player,
                player: of_variant(*player),
                late: *late,
                deadline: *deadline,
            },
            Event::TableClosed(TableClosed { opener, .. }) => Self::TableClosed { opener: *opener },
            Event::VariantStarted(VariantStarted {
                players,
                variant,
                limit,
                deadline,
                ..
            }) => Self::VariantStarted {
                players: players.clone(),
                terms: Terms::new(*variant, *limit),
                deadline: *deadline,
            },
            Event::MoveMade(MoveMade {
                player,
                action,
                turn,
                deadline,
                ..
            }) => Self::Moved {
                account: *player,
                player: match turn {
                    // A later swap has exchanged the colours of these two.
                    0 => Some(Colour::Red),
                    1 => Some(Colour::Blue),
                    _ => of_variant(*player),
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
                account: *winner,
                winner: winner.and_then(of_variant),
                end: (*end).into(),
                winning_cells: game
                    .and_then(AnyGame::variant)
                    .map(|game| winning_cells.iter(game.variant().shape()).collect()),
            },
            Event::VariantFreed(VariantFreed { payer, .. }) => Self::VariantFreed { payer: *payer },
        }
    }
}
