//! What does not change in a game with a stake.

use connect4_protocol::signed::staked_room::Offer;
use connect4_protocol::signed::{
    ChainGame, Crypto, Domain, Evidence, GameNumber, Kind, Signature, SignedEnd, Signing,
    StakedGame, StakesError, Statement, Terms,
};
use connect4_protocol::{Address, ClockSpec, Error, Game};
use connect4_rules::variant::VariantSpec;
use connect4_rules::{Bin, ByPlayer, Player, Shape};

/// What does not change in a game with a stake: its number, contract and chain, its players, their session keys, its
/// clock, and the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subject {
    number: GameNumber,
    domain: Domain,
    game: ChainGame,
    pub(crate) clock: ClockSpec,
}

impl Subject {
    /// The game with a stake that these terms make, if both have paid.
    ///
    /// # Errors
    ///
    /// As [`StakedGame::fund`].
    pub fn staked(
        terms: &Terms,
        domain: Domain,
        crypto: &impl Crypto,
    ) -> Result<Self, StakesError> {
        let first = terms.players.one.account();
        let (StakedGame { game, clock, .. }, _) = StakedGame::fund(None, terms, first, terms.time)?;
        Ok(Self {
            number: terms.number(&domain, crypto),
            domain,
            game,
            clock,
        })
    }

    /// The game at its start.
    #[must_use]
    pub const fn start(&self) -> &ChainGame {
        &self.game
    }

    /// Whether this is a state of the same game: its players, their session keys, the board, and whether it has the
    /// pie rule.
    #[must_use]
    pub fn is_of(&self, game: &ChainGame) -> bool {
        let other = Self {
            game: *game,
            ..*self
        };
        let accounts = |subject: &Self| Player::ALL.map(|player| subject.account_of(player));
        accounts(&other) == accounts(self)
            && other.keys() == self.keys()
            && other.rules() == self.rules()
    }

    /// Number of the game in statements.
    #[must_use]
    pub const fn number(&self) -> GameNumber {
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

    #[must_use]
    pub fn player_with_key(&self, key: Address) -> Option<Player> {
        Player::ALL
            .into_iter()
            .find(|player| *self.game.keys.get(*player) == key)
    }

    #[must_use]
    pub const fn account_of(&self, player: Player) -> Address {
        self.game.game.account_of(player)
    }

    #[must_use]
    pub const fn shape(&self) -> Shape {
        self.game.game.shape()
    }

    /// The board and its rules.
    #[must_use]
    pub fn rules(&self) -> VariantSpec {
        self.game.rules()
    }

    /// Whether the player to move can make a [swap](connect4_protocol::signed::Moves::SWAP) in this position of the game.
    #[must_use]
    pub const fn may_swap(&self, position: &Game) -> bool {
        self.game.may_swap(position)
    }

    /// The last second at which the player to move on the chain can be sure that nobody has claimed its
    /// timeout, or at which a line there can be contested; none if no such time runs.
    #[must_use]
    pub fn deadline(&self, chain: &ChainGame) -> Option<u64> {
        chain
            .contest
            .or_else(|| chain.claim_deadline(Some(self.clock)))
    }

    /// The game after these moves from the empty board, by their bins.
    ///
    /// # Errors
    ///
    /// [`Error::GameOver`], [`Error::NoSuchBin`] or [`Error::BinFull`] if a move is not legal.
    pub fn replay(&self, bins: &[u8]) -> Result<Game, Error> {
        self.game.replay(bins.iter().copied().map(Bin::new))
    }

    /// Makes a move of the player to move: a drop, or a [swap](connect4_protocol::signed::Moves::SWAP).
    ///
    /// # Errors
    ///
    /// As [`ChainGame::make`].
    pub fn make(&self, bin: Bin, game: &mut Game) -> Result<(), Error> {
        self.game.make(bin, game)
    }

    /// As [`ChainGame::made_by`], for evidence whose signatures were checked before.
    ///
    /// # Errors
    ///
    /// As [`ChainGame::made_by`].
    pub fn game_of(&self, evidence: &Evidence) -> Result<Game, Error> {
        self.game.made_by(evidence)
    }

    /// The game that evidence makes by itself, whatever the chain knows, as its contract judges it.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. [`Error::NoOffer`] for a draw without a last second, which the contract never takes,
    /// 2. [`Error::BadSignature`] if a signature is not by the player's session key, on this game,
    /// 3. as [`ChainGame::made_by`].
    pub fn judge(&self, evidence: &Evidence, crypto: &impl Crypto) -> Result<Game, Error> {
        let for_good = SignedEnd::Draw {
            until: Kind::FOR_GOOD,
        };
        if evidence.end == Some(for_good) {
            return Err(Error::NoOffer);
        }
        evidence.check(self.number, &self.keys(), &self.domain, crypto)?;
        self.game_of(evidence)
    }

    /// Checks that a draw is offered by the player who is said to.
    ///
    /// # Errors
    ///
    /// [`Error::NoOffer`] if it has no last second; [`Error::BadSignature`] if it is not signed by that player's key.
    pub(crate) fn check_offer(&self, offer: &Offer, crypto: &impl Crypto) -> Result<(), Error> {
        if offer.until == Kind::FOR_GOOD {
            return Err(Error::NoOffer);
        }
        offer.check(self.number, &self.keys(), &self.domain, crypto)
    }

    /// Signs a statement about these moves of the game.
    #[must_use]
    pub fn sign(&self, key: &impl Signing, kind: Kind, moves: &[u8]) -> Signature {
        let statement = Statement {
            game: self.number,
            kind,
            moves,
        };
        key.sign(&statement.digest(&self.domain, key))
    }
}

/// Number of the moves in evidence of a game that both players have signed. The last move is signed by
/// who made it alone, until the answer.
#[must_use]
pub fn signed_by_both(number: GameNumber, evidence: &Evidence) -> u8 {
    let signed = |player| {
        let statement = evidence.statement_of(player, number);
        statement.map_or(0, |statement| statement.moves.len())
    };
    let [one, two] = Player::ALL.map(signed);
    u8::try_from(one.min(two)).unwrap_or(u8::MAX)
}
