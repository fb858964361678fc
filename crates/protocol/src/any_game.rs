//! A game of any kind.

use connect4_rules::Player;
use connect4_rules::variant::Colour;

use crate::{Address, Game, variants};

/// A game of any kind, as its contract has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(
    clippy::large_enum_variant,
    reason = "a game of a variant is a few hundred bytes, and few are held at a time"
)]
pub enum AnyGame {
    /// A game between two accounts.
    Two(Game),
    /// A game of a variant, or a table.
    Variant(variants::Game),
}

impl AnyGame {
    /// The game between two accounts; none if it is one of a variant.
    #[must_use]
    pub const fn two(&self) -> Option<&Game> {
        match self {
            Self::Two(game) => Some(game),
            Self::Variant(_) => None,
        }
    }

    /// The game of a variant; none if it is one between two accounts.
    #[must_use]
    pub const fn variant(&self) -> Option<&variants::Game> {
        match self {
            Self::Variant(game) => Some(game),
            Self::Two(_) => None,
        }
    }

    /// Whether all players have joined. A game between two accounts has its players from the start; a
    /// table waits for them.
    #[must_use]
    pub fn has_started(&self) -> bool {
        match self {
            Self::Two(_) => true,
            Self::Variant(game) => game.has_started(),
        }
    }

    /// Whether the game has ended.
    #[must_use]
    pub fn is_over(&self) -> bool {
        match self {
            Self::Two(game) => game.is_over(),
            Self::Variant(game) => game.is_over(),
        }
    }

    /// The colour to move; none before the start and after the end.
    #[must_use]
    pub fn to_move(&self) -> Option<Colour> {
        match self {
            Self::Two(game) => game.to_move().map(|player| game.colour_of(player).into()),
            Self::Variant(game) => game.to_move(),
        }
    }

    /// The colour that has won; none before the end and after a draw.
    #[must_use]
    pub fn winner(&self) -> Option<Colour> {
        match self {
            Self::Two(game) => game.winner().map(|player| game.colour_of(player).into()),
            Self::Variant(game) => game.winner().and_then(|winner| game.colour_of(winner)),
        }
    }

    /// Number of turns that were taken.
    #[must_use]
    pub const fn turns(&self) -> u8 {
        match self {
            Self::Two(game) => game.turns(),
            Self::Variant(game) => game.position().turns(),
        }
    }

    /// The last second at which the player to move may move, since 1970; none without a limit,
    /// before the start and after the end.
    #[must_use]
    pub fn deadline(&self) -> Option<u64> {
        match self {
            Self::Two(_) => None,
            Self::Variant(game) => game.deadline(),
        }
    }

    /// The colours that are played, in turn order.
    pub fn colours(&self) -> impl Iterator<Item = Colour> + use<> {
        let players = match self {
            Self::Two(_) => Player::ALL.len(),
            Self::Variant(game) => usize::from(game.variant().players()),
        };
        Colour::ALL.into_iter().take(players)
    }

    /// The account that plays a colour; zero if nobody plays it.
    #[must_use]
    pub fn account_of(&self, colour: Colour) -> Address {
        match self {
            Self::Two(game) => match colour.player() {
                Some(player) => game.account_of(game.colour_of(player)),
                None => Address::ZERO,
            },
            Self::Variant(game) => game.account_of(colour),
        }
    }

    /// The colour that an account plays; none if it does not play this game.
    #[must_use]
    pub fn colour_of(&self, account: Address) -> Option<Colour> {
        match self {
            Self::Two(game) => {
                let player = game.player_of(&account);
                player.map(|player| game.colour_of(player).into())
            }
            Self::Variant(game) => game.colour_of(account),
        }
    }

    /// Whether a player has left the game, or was removed for being late.
    #[must_use]
    pub fn has_left(&self, colour: Colour) -> bool {
        match self {
            Self::Two(_) => false,
            Self::Variant(game) => game.position().has_left(colour),
        }
    }
}

impl From<Game> for AnyGame {
    fn from(game: Game) -> Self {
        Self::Two(game)
    }
}

impl From<variants::Game> for AnyGame {
    fn from(game: variants::Game) -> Self {
        Self::Variant(game)
    }
}
