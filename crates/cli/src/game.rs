//! A game of any kind, and where it is.

use connect4_client::{Address, Contract, GameId, Variants};
use connect4_protocol::{self as protocol, AnyGame, variants};
use connect4_rules::variant::{self, Colour};
use connect4_rules::{self as rules, Player};

/// A game as its contract stores it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Game {
    /// A classic game, on the chain or a fast one.
    Classic(protocol::Game),
    /// A variant, or the table at which it is to be played.
    Variant(variants::Game),
}

impl From<protocol::Game> for Game {
    fn from(game: protocol::Game) -> Self {
        Self::Classic(game)
    }
}

impl From<variants::Game> for Game {
    fn from(game: variants::Game) -> Self {
        Self::Variant(game)
    }
}

impl From<Game> for AnyGame {
    fn from(game: Game) -> Self {
        match game {
            Game::Classic(game) => Self::Two(game),
            Game::Variant(game) => Self::Variant(game),
        }
    }
}

impl From<AnyGame> for Game {
    fn from(game: AnyGame) -> Self {
        match game {
            AnyGame::Two(game) => Self::Classic(game),
            AnyGame::Variant(game) => Self::Variant(game),
        }
    }
}

/// The player of the classic game who has this colour.
pub const fn player(colour: Colour) -> Option<Player> {
    match colour {
        Colour::Red => Some(Player::One),
        Colour::Blue => Some(Player::Two),
        Colour::Green | Colour::Yellow => None,
    }
}

impl Game {
    /// Whether all players are there: only a table waits for them.
    pub fn has_started(&self) -> bool {
        match self {
            Self::Classic(_) => true,
            Self::Variant(game) => game.has_started(),
        }
    }

    /// Whether the game has ended.
    pub fn is_over(&self) -> bool {
        match self {
            Self::Classic(game) => game.is_over(),
            Self::Variant(game) => game.is_over(),
        }
    }

    /// The colour to move; none before the start and after the end.
    pub fn to_move(self) -> Option<Colour> {
        match self {
            Self::Classic(game) => game.to_move().map(Colour::from),
            Self::Variant(game) => game.to_move(),
        }
    }

    /// The winner; none before the end and after a draw.
    pub fn winner(&self) -> Option<Colour> {
        match self {
            Self::Classic(game) => game.winner().map(Colour::from),
            Self::Variant(game) => game.winner().and_then(|won| game.colour_of(won)),
        }
    }

    /// The position.
    pub const fn position(&self) -> Position {
        match self {
            Self::Classic(game) => Position::Classic(game.position()),
            Self::Variant(game) => Position::Variant(*game.position()),
        }
    }

    /// Number of turns that were taken.
    pub const fn turns(&self) -> u8 {
        match self {
            Self::Classic(game) => game.turns(),
            Self::Variant(game) => game.position().turns(),
        }
    }

    /// The last second at which the player to move may move, since 1970; none without a clock.
    pub fn deadline(&self) -> Option<u64> {
        match self {
            Self::Classic(game) => game.deadline(),
            Self::Variant(game) => game.deadline(),
        }
    }

    /// The colours that are played, in turn order.
    pub fn colours(&self) -> impl Iterator<Item = Colour> + use<> {
        let players = match self {
            Self::Classic(_) => Player::ALL.len(),
            Self::Variant(game) => usize::from(game.variant().players()),
        };
        Colour::ALL.into_iter().take(players)
    }

    /// The account that plays a colour.
    pub fn account_of(&self, colour: Colour) -> Address {
        match self {
            Self::Classic(game) => match player(colour) {
                Some(player) => game.account_of(player),
                None => Address::ZERO,
            },
            Self::Variant(game) => game.account_of(colour),
        }
    }

    /// The colour that an account plays.
    pub fn colour_of(&self, account: Address) -> Option<Colour> {
        match self {
            Self::Classic(game) => game.player_of(&account).map(Colour::from),
            Self::Variant(game) => game.colour_of(account),
        }
    }

    /// Whether a player has left the game, or was removed.
    pub fn has_left(&self, colour: Colour) -> bool {
        match self {
            Self::Classic(_) => false,
            Self::Variant(game) => game.position().has_left(colour),
        }
    }
}

/// A position of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// Of a classic game.
    Classic(rules::Position),
    /// Of a variant.
    Variant(variant::Position),
}

impl From<rules::Position> for Position {
    fn from(position: rules::Position) -> Self {
        Self::Classic(position)
    }
}

impl From<variant::Position> for Position {
    fn from(position: variant::Position) -> Self {
        Self::Variant(position)
    }
}

/// A game, and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameAt {
    /// The contract through which it is played.
    pub contract: Address,
    /// The game as people name it.
    pub id: GameId,
    /// The game.
    pub game: Game,
}

impl GameAt {
    /// Number of the game in its contract.
    pub const fn number(&self) -> u32 {
        self.id.number()
    }

    /// A classic game of this contract.
    pub fn classic(contract: &Contract, number: u32, game: &protocol::Game) -> Self {
        Self {
            contract: contract.address(),
            id: GameId::of_two(number),
            game: (*game).into(),
        }
    }

    /// A variant or table of this contract.
    pub fn variant(contract: &Variants, number: u32, game: &variants::Game) -> Self {
        Self {
            contract: contract.address(),
            id: GameId::Variant(number),
            game: (*game).into(),
        }
    }
}
