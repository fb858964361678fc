//! What everybody knows of a fast game from the chain.

use connect4_protocol::fast::wire::Offer;
use connect4_protocol::fast::{
    Crypto, Digest, Domain, Ending, Evidence, FastGame, GameNumber, GameTerms, Kind, Moves, Native,
    Signature, SignedTerms, Signing, Statement,
};
use connect4_protocol::signed::{self, StakedGame};
use connect4_protocol::{Address, ClockSpec, Error, Game, Match};
use connect4_rules::{Bin, ByPlayer, Player, Shape};

/// What does not change in a fast game: its number, contract and chain, its players, their session
/// keys, its clock, and the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subject {
    number: GameNumber,
    domain: Domain,
    /// Where a game with a stake is signed: its statements are of another version of the domain.
    stakes: Option<signed::Domain>,
    game: FastGame,
    clock: Option<ClockSpec>,
}

impl Subject {
    /// The game with this number, of which the chain knows any position. One by signed terms has the number
    /// of its terms, whichever it has on the chain.
    #[must_use]
    pub fn new(number: impl Into<GameNumber>, domain: Domain, game: FastGame) -> Self {
        Self {
            number: game.number(number),
            domain,
            stakes: None,
            game,
            clock: None,
        }
    }

    /// The game with a stake that these terms make, if both have paid.
    ///
    /// # Errors
    ///
    /// As [`StakedGame::fund`].
    pub fn staked(
        terms: &signed::Terms,
        domain: signed::Domain,
        crypto: &impl Crypto,
    ) -> Result<Self, signed::StakesError> {
        let first = terms.players.one.account();
        let (StakedGame { game, clock, .. }, _) = StakedGame::fund(None, terms, first, terms.time)?;
        let contract = domain.stakes.unwrap_or(Address::ZERO);
        Ok(Self {
            number: terms.number(&domain, crypto),
            domain: Domain::new(domain.chain.id, contract),
            stakes: Some(domain),
            game,
            clock: Some(clock),
        })
    }

    /// The game that these terms make, with their clock, if both players have signed them.
    ///
    /// # Errors
    ///
    /// As [`SignedTerms::start`].
    pub fn by_terms(terms: &SignedTerms, domain: Domain) -> Result<Self, Error> {
        let game = terms.start(Address::ZERO, &domain, &Native)?;
        Ok(Self::new(0, domain, game).with_clock(terms.terms.clock))
    }

    /// As [`Self::by_terms`], for terms whose signatures were checked before.
    ///
    /// # Errors
    ///
    /// As [`GameTerms::start`].
    pub fn by_checked_terms(terms: &GameTerms, domain: Domain) -> Result<Self, Error> {
        let game = terms.start(terms.number(&domain, &Native), Address::ZERO)?;
        Ok(Self::new(0, domain, game).with_clock(terms.clock))
    }

    /// The game as it was when this was made: by terms, at its start.
    #[must_use]
    pub const fn start(&self) -> &FastGame {
        &self.game
    }

    /// The same game with its clock, by which the time for a first move is limited.
    #[must_use]
    pub const fn with_clock(mut self, clock: Option<ClockSpec>) -> Self {
        self.clock = clock;
        self
    }

    /// Whether this is a state of the same game: its players, their session keys, the board, and whether it has the
    /// pie rule; if it began by signed terms, by these.
    #[must_use]
    pub fn is_of(&self, game: &FastGame) -> bool {
        let other = Self {
            game: *game,
            ..*self
        };
        let accounts = |subject: &Self| Player::ALL.map(|player| subject.account_of(player));
        accounts(&other) == accounts(self)
            && other.keys() == self.keys()
            && other.shape() == self.shape()
            && game.by_terms == self.game.by_terms
            && game.pie_rule == self.game.pie_rule
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

    /// Whether player two's first move can be a [swap](Moves::SWAP).
    #[must_use]
    pub const fn has_pie_rule(&self) -> bool {
        self.game.pie_rule
    }

    /// The match state of the game as far as its clock is concerned.
    pub(crate) fn timing(&self) -> Match {
        Match {
            clock: self.clock,
            ..Match::default()
        }
    }

    /// The last second at which the player to move on the chain can be sure that nobody has claimed its
    /// timeout, or at which a line there can be contested; none if no such time runs.
    #[must_use]
    pub fn deadline(&self, chain: &FastGame) -> Option<u64> {
        chain
            .contest
            .or_else(|| self.timing().claim_deadline(&chain.game))
    }

    /// The game after these moves from the empty board, by their bins. It has no clock.
    ///
    /// # Errors
    ///
    /// [`Error::GameOver`], [`Error::NoSuchBin`] or [`Error::BinFull`] if a move is not legal.
    pub fn replay(&self, bins: &[u8]) -> Result<Game, Error> {
        self.game.replay(bins.iter().copied().map(Bin::new))
    }

    /// Whether the game began by signed terms, so that its moves are signed also on the chain.
    #[must_use]
    pub const fn is_by_terms(&self) -> bool {
        self.game.by_terms.is_some()
    }

    /// Makes a move of the player to move: a drop, or a [swap](Moves::SWAP).
    ///
    /// # Errors
    ///
    /// As [`FastGame::make`].
    pub fn make(&self, bin: Bin, game: &mut Game) -> Result<(), Error> {
        self.game.make(bin, game)
    }

    /// Moves that lead to this game on the chain: the first of these, or one other than these after the first.
    /// None if they don't lead there.
    pub(crate) fn moves_to(&self, chain: &Game, known: &[u8]) -> Option<Moves> {
        let is_here = |game: &Game| game.moves() == chain.moves() && game.board() == chain.board();
        let turns = usize::from(chain.moves());
        let is_first = |bins: &&[u8]| self.replay(bins).is_ok_and(|game| is_here(&game));
        if let Some(first) = known.get(..turns).filter(is_first) {
            return Moves::from_bins(first);
        }
        let before = known.get(..turns.checked_sub(1)?)?;
        let game = self.replay(before).ok()?;
        let swap = Bin::new(Moves::SWAP);
        let next = self.shape().iter_bins().chain([swap]).find(|bin| {
            let mut after = game;
            self.make(*bin, &mut after).is_ok() && is_here(&after)
        })?;
        let mut moves = Moves::from_bins(before)?;
        moves.push(next).then_some(moves)
    }

    /// Whether a position is signed by the player who made the last move of it.
    pub(crate) fn is_by_mover(&self, evidence: &Evidence, crypto: &impl Crypto) -> bool {
        let Ok(Some(mover)) = self.game_of(evidence).map(|game| game.last_mover()) else {
            return false;
        };
        let statement = evidence.statement_of(mover, self.number);
        let digest = statement.and_then(|statement| self.digest(statement, crypto));
        let signer =
            digest.and_then(|digest| crypto.recover(&digest, evidence.signatures.get(mover)));
        signer == Some(*self.game.keys.get(mover))
    }

    /// As [`FastGame::made_by`], for evidence whose signatures were checked before.
    ///
    /// # Errors
    ///
    /// As [`FastGame::made_by`].
    pub fn game_of(&self, evidence: &Evidence) -> Result<Game, Error> {
        self.game.made_by(evidence)
    }

    /// As [`FastGame::judge`].
    ///
    /// # Errors
    ///
    /// As [`FastGame::judge`].
    ///
    /// Of a game with a stake also [`Error::NoOffer`] for what its contract never takes: a signed press, and a draw
    /// without a last second.
    pub fn judge(&self, evidence: &Evidence, crypto: &impl Crypto) -> Result<Game, Error> {
        match &self.stakes {
            None => self.game.judge(self.number, evidence, &self.domain, crypto),
            Some(domain) => {
                let brought = as_staked(evidence).ok_or(Error::NoOffer)?;
                brought.check(self.number, &self.keys(), domain, crypto)?;
                self.game.made_by(evidence)
            }
        }
    }

    /// Checks that a draw is offered by the player who is said to.
    ///
    /// # Errors
    ///
    /// [`Error::BadSignature`] if it is not signed by that player's key; [`Error::NoOffer`] as [`Self::judge`].
    pub(crate) fn check_offer(&self, offer: &Offer, crypto: &impl Crypto) -> Result<(), Error> {
        let statement = offer.statement(self.number);
        let digest = self.digest(statement, crypto).ok_or(Error::NoOffer)?;
        match crypto.recover(&digest, &offer.signature) == Some(*self.keys().get(offer.by)) {
            true => Ok(()),
            false => Err(Error::BadSignature),
        }
    }

    /// What is signed; none of what no contract of this game's kind takes.
    fn digest(&self, statement: Statement<'_>, crypto: &impl Crypto) -> Option<Digest> {
        let Some(domain) = &self.stakes else {
            return Some(statement.digest(&self.domain, crypto));
        };
        let Statement { game, kind, moves } = statement;
        let kind = match kind {
            Kind::Position => signed::Kind::Position,
            Kind::Resignation => signed::Kind::Resignation,
            Kind::Draw { until } if until != signed::Kind::FOR_GOOD => signed::Kind::Draw { until },
            Kind::Draw { .. } | Kind::Press { .. } => return None,
        };
        let statement = signed::Statement { game, kind, moves };
        Some(statement.digest(domain, crypto))
    }

    /// Signs a statement about these moves of the game; [`Signature::NONE`] if no contract of this game's kind takes
    /// such a statement.
    #[must_use]
    pub fn sign(&self, key: &impl Signing, kind: Kind, moves: &[u8]) -> Signature {
        let statement = Statement {
            game: self.number,
            kind,
            moves,
        };
        match self.digest(statement, key) {
            Some(digest) => key.sign(&digest),
            None => Signature::NONE,
        }
    }
}

/// Evidence as the contract of the stakes takes it; none of what it never takes.
#[must_use]
pub fn as_staked(evidence: &Evidence) -> Option<signed::Evidence> {
    Some(signed::Evidence {
        end: match evidence.ending {
            None => None,
            Some(Ending::Resignation(by)) => Some(signed::SignedEnd::Resignation(by)),
            Some(Ending::Draw { until }) if until != Ending::FOR_GOOD => {
                Some(signed::SignedEnd::Draw { until })
            }
            Some(Ending::Draw { .. } | Ending::Press { .. }) => return None,
        },
        signatures: evidence.signatures,
        moves: evidence.moves,
    })
}

/// Number of the moves in evidence of a game that both players have signed. The last move is signed by
/// who made it alone, until the answer.
#[must_use]
pub fn signed_by_both(number: impl Into<GameNumber> + Copy, evidence: &Evidence) -> u8 {
    let signed = |player| {
        let statement = evidence.statement_of(player, number);
        statement.map_or(0, |statement| statement.moves.len())
    };
    let [one, two] = Player::ALL.map(signed);
    u8::try_from(one.min(two)).unwrap_or(u8::MAX)
}
