//! Signed positions, complete enough to convince a contract.

use connect4_rules::{ByPlayer, Player};

use super::statement::last_mover;
use super::{Crypto, Domain, GameNumber, Kind, Moves, Signature, Statement};
use crate::{Address, Error};

/// How a fast game ends by signatures, and not on the board; or how it is taken to the chain.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    codec::Encode,
    codec::Decode,
    codec::MaxEncodedLen,
    scale_info::TypeInfo,
)]
pub enum Ending {
    /// This player resigned.
    #[codec(index = 0)]
    Resignation(Player),
    /// Both players agreed on a draw.
    #[codec(index = 1)]
    Draw {
        /// Last second at which the contract takes it, since 1970 by the chain's timestamps.
        /// [`Ending::FOR_GOOD`] is none.
        until: u64,
    },
    /// The player who made the last move starts the clock of the opponent on the chain. It ends nothing.
    #[codec(index = 2)]
    Press {
        /// Last second at which the contract takes it, since 1970 by the chain's timestamps.
        until: u64,
    },
}

impl Ending {
    /// What stands for the last second of a draw that has none. In a game by signed terms that is not
    /// disputed on the chain a draw counts only with it: nobody there could tell in what time another one was
    /// accepted. The player who accepts an offer signs it first, the one who has offered after that.
    pub const FOR_GOOD: u64 = u64::MAX;
}

/// Position that both players have signed, and with an [`Ending`] how they ended the game at it.
///
/// It is what players send each other, what a relay keeps, and what the contract takes: whoever holds
/// it needs nothing else to convince all others.
///
/// | ending | who made the last move signs | the other signs |
/// |---|---|---|
/// | none | the position after all moves | the position before the last move |
/// | resignation | the resignation at all moves if it is the one who resigns, else the position after all moves | the same; who does not resign and did not move last, the position before the last move |
/// | draw | the draw at all moves | the draw at all moves |
/// | press | the press at all moves | the position before the last move |
///
/// Where a player would sign an empty list of moves as a position, nothing is signed and
/// [`Signature::NONE`] stands.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    codec::Encode,
    codec::Decode,
    codec::MaxEncodedLen,
    scale_info::TypeInfo,
)]
pub struct Evidence {
    /// How the game ended; none if it goes on, or ended on the board.
    pub ending: Option<Ending>,
    /// Signature of each player.
    pub signatures: ByPlayer<Signature>,
    /// All moves of the game so far.
    pub moves: Moves,
}

impl Evidence {
    /// The start of a game, which nobody has signed.
    #[must_use]
    pub const fn start() -> Self {
        Self {
            ending: None,
            signatures: ByPlayer {
                one: Signature::NONE,
                two: Signature::NONE,
            },
            moves: Moves::new(),
        }
    }

    /// What a player has to have signed; none if nothing.
    #[must_use]
    pub fn statement_of(
        &self,
        player: Player,
        game: impl Into<GameNumber>,
    ) -> Option<Statement<'_>> {
        let all = &*self.moves;
        let is_last = last_mover(all.len()) == Some(player);
        let (kind, moves) = match self.ending {
            Some(Ending::Draw { until }) => (Kind::Draw { until }, all),
            Some(Ending::Resignation(by)) if by == player => (Kind::Resignation, all),
            Some(Ending::Press { until }) if is_last => (Kind::Press { until }, all),
            _ if is_last => (Kind::Position, all),
            _ => (Kind::Position, self.moves.before_last()),
        };
        let signed = kind != Kind::Position || !moves.is_empty();
        signed.then(|| Statement {
            game: game.into(),
            kind,
            moves,
        })
    }

    /// Checks both signatures. Whether the moves are legal is [`FastGame::replay`]'s to check.
    ///
    /// [`FastGame::replay`]: super::FastGame::replay
    ///
    /// # Errors
    ///
    /// [`Error::BadSignature`] if one of them is missing, or not by the player's session key on what
    /// the player has to have signed.
    pub fn check(
        &self,
        game: impl Into<GameNumber>,
        keys: &ByPlayer<Address>,
        domain: &Domain,
        crypto: &impl Crypto,
    ) -> Result<(), Error> {
        self.check_but(None, game.into(), keys, domain, crypto)
    }

    /// As [`Self::check`], but for the signature of a player.
    pub(super) fn check_but(
        &self,
        needless: Option<Player>,
        game: GameNumber,
        keys: &ByPlayer<Address>,
        domain: &Domain,
        crypto: &impl Crypto,
    ) -> Result<(), Error> {
        for player in Player::ALL {
            if needless == Some(player) {
                continue;
            }
            if let Some(statement) = self.statement_of(player, game) {
                let digest = statement.digest(domain, crypto);
                let signer = crypto.recover(&digest, self.signatures.get(player));
                if signer != Some(*keys.get(player)) {
                    return Err(Error::BadSignature);
                }
            }
        }
        Ok(())
    }

    /// Whether it says more than a position after so many moves: a position with more moves; a draw
    /// at no fewer moves, or one for good at no fewer than both have signed; a resignation at any.
    #[must_use]
    pub const fn is_news_after(&self, moves: u8) -> bool {
        let own = self.moves.turns();
        match self.ending {
            Some(Ending::Resignation(_)) => true,
            Some(Ending::Draw {
                until: Ending::FOR_GOOD,
            }) => own.saturating_add(1) >= moves,
            Some(Ending::Draw { .. }) => own >= moves,
            None | Some(Ending::Press { .. }) => own > moves,
        }
    }

    /// Whether it takes the place of another of the same game. Of two that say as much, the one that
    /// was there first stays: a player who signs two moves for one turn gains nothing by it.
    #[must_use]
    pub const fn replaces(&self, other: &Self) -> bool {
        other.ending.is_none() && self.is_news_after(other.moves.turns())
    }
}
