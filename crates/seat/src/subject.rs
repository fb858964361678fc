//! What everybody knows of a fast game from the chain.

use connect4_protocol::fast::{
    Domain, Ending, Evidence, FastGame, Kind, Native, SessionKey, Signature, Statement,
};
use connect4_protocol::{Address, End, Error, Game};
use connect4_rules::{Bin, ByPlayer, Player, Shape};

/// What does not change in a fast game: its number, contract and chain, its players, their session
/// keys, and the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subject {
    number: u32,
    domain: Domain,
    game: FastGame,
}

impl Subject {
    /// The game with this number, of which the chain knows any position.
    #[must_use]
    pub const fn new(number: u32, domain: Domain, game: FastGame) -> Self {
        Self {
            number,
            domain,
            game,
        }
    }

    /// Number of the game.
    #[must_use]
    pub const fn number(&self) -> u32 {
        self.number
    }

    /// Contract and chain for which statements are made.
    #[must_use]
    pub const fn domain(&self) -> Domain {
        self.domain
    }

    /// Addresses of the session keys.
    #[must_use]
    pub const fn keys(&self) -> ByPlayer<Address> {
        self.game.keys
    }

    /// The player whose session key has this address.
    #[must_use]
    pub fn player_with_key(&self, key: Address) -> Option<Player> {
        Player::ALL
            .into_iter()
            .find(|player| *self.game.keys.get(*player) == key)
    }

    /// The account of a player.
    #[must_use]
    pub const fn account_of(&self, player: Player) -> Address {
        self.game.game.account_of(player)
    }

    /// Shape of the board.
    #[must_use]
    pub const fn shape(&self) -> Shape {
        self.game.game.shape()
    }

    /// The game after these moves from the empty board, by their bins. It has no clock.
    ///
    /// # Errors
    ///
    /// [`Error::GameOver`], [`Error::NoSuchBin`] or [`Error::BinFull`] if a move is not legal.
    pub fn replay(&self, bins: &[u8]) -> Result<Game, Error> {
        self.game.replay(bins.iter().copied().map(Bin::new))
    }

    /// The game as evidence says that it stands, whose signatures are not looked at.
    ///
    /// # Errors
    ///
    /// As [`Self::replay`].
    pub fn game_of(&self, evidence: &Evidence) -> Result<Game, Error> {
        let mut game = self.replay(&evidence.moves)?;
        if !game.is_over() {
            match evidence.ending {
                Some(Ending::Resignation(by)) => {
                    game.finish(End::Resignation, Some(by.opponent()))?;
                }
                Some(Ending::Draw { .. }) => game.finish(End::Agreement, None)?,
                None => {}
            }
        }
        Ok(game)
    }

    /// The game as evidence says that it stands, if both players have signed so.
    ///
    /// # Errors
    ///
    /// 1. [`Error::BadSignature`] if a signature is missing or not by the player's session key,
    /// 2. as [`Self::replay`].
    pub fn check(&self, evidence: &Evidence) -> Result<Game, Error> {
        evidence.check(self.number, &self.game.keys, &self.domain, &Native)?;
        self.game_of(evidence)
    }

    /// Signs a statement about these moves of the game.
    #[must_use]
    pub fn sign(&self, key: &SessionKey, kind: Kind, moves: &[u8]) -> Signature {
        let statement = Statement {
            game: self.number,
            kind,
            moves,
        };
        key.sign(&statement.digest(&self.domain, &Native))
    }
}

/// Number of the moves in evidence of a game that both players have signed. The last move is signed by
/// who made it alone, until the answer.
#[must_use]
pub fn signed_by_both(number: u32, evidence: &Evidence) -> u8 {
    let signed = |player| {
        let statement = evidence.statement_of(player, number);
        statement.map_or(0, |statement| statement.moves.len())
    };
    let [one, two] = Player::ALL.map(signed);
    u8::try_from(one.min(two)).unwrap_or(u8::MAX)
}
