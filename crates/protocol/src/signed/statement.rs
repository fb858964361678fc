//! What players and witnesses sign.

use connect4_rules::{ByPlayer, Player};

use super::crypto::{hash_of, word};
use super::{Crypto, Digest, Domain, GameNumber, Moves};
use crate::{End, Error, Game};

/// What a player says about the moves in a [`Statement`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// These are the moves of the game so far; the signer made the last of them.
    Position,
    /// The signer gives the game up at this position. Of the loser of a line: agrees to it.
    Resignation,
    /// The signer agrees to a draw at this position.
    Draw {
        /// Last second at which the contract of the stakes takes it, since 1970 by the chain's timestamps. Without a
        /// stake it is [`Kind::FOR_GOOD`].
        until: u64,
    },
}

impl Kind {
    /// What stands for the last second of a draw that has none.
    pub const FOR_GOOD: u64 = u64::MAX;
}

/// How a game with a stake ends by signatures, and not on the board.
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
pub enum SignedEnd {
    /// This player resigned. The loser of a line agrees to it this way.
    #[codec(index = 0)]
    Resignation(Player),
    /// Both players agreed on a draw.
    #[codec(index = 1)]
    Draw {
        /// Last second at which the contract takes it, since 1970 by the chain's timestamps.
        until: u64,
    },
}

/// What a player signs: a [`Kind`] about all moves of one game so far. Each kind is a struct of EIP-712:
///
/// ```text
/// Position(bytes32 game,bytes moves)
/// Resignation(bytes32 game,bytes moves)
/// Draw(bytes32 game,bytes moves,uint64 until)
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Statement<'a> {
    /// Number of the game.
    pub game: GameNumber,
    /// What is said.
    pub kind: Kind,
    /// Bins of all moves, from 0 at the left; 255 for a [swap](super::Moves::SWAP).
    pub moves: &'a [u8],
}

const POSITION: Digest = hash_of("Position(bytes32 game,bytes moves)");
const RESIGNATION: Digest = hash_of("Resignation(bytes32 game,bytes moves)");
const DRAW: Digest = hash_of("Draw(bytes32 game,bytes moves,uint64 until)");
const RECEIPT: Digest =
    hash_of("Receipt(bytes32 game,bytes moves,uint64 at,uint64 leftOne,uint64 leftTwo)");
const ENDED: Digest = hash_of("Ended(bytes32 game,bytes moves,uint8 end,uint64 at)");
const ENDS: Digest =
    hash_of("Ends(Ended[] ended)Ended(bytes32 game,bytes moves,uint8 end,uint64 at)");
const PRESENCE: Digest = hash_of("Presence(bytes32 game,bytes32 nonce)");
const ACCEPTANCE: Digest = hash_of("Acceptance(bytes32 game)");

impl<'a> Statement<'a> {
    /// What a player has to have signed for all to see that the game has come to these moves, and this end.
    pub(super) fn of_player(
        player: Player,
        game: GameNumber,
        moves: &'a Moves,
        end: Option<SignedEnd>,
    ) -> Self {
        let all = &**moves;
        let (kind, moves) = match end {
            Some(SignedEnd::Draw { until }) => (Kind::Draw { until }, all),
            Some(SignedEnd::Resignation(by)) if by == player => (Kind::Resignation, all),
            _ if last_mover(all.len()) == Some(player) => (Kind::Position, all),
            _ => (Kind::Position, moves.before_last()),
        };
        Self { game, kind, moves }
    }
}

impl Statement<'_> {
    /// The digest that is signed.
    #[must_use]
    pub fn digest(&self, domain: &Domain, crypto: &impl Crypto) -> Digest {
        let Self { game, kind, moves } = self;
        let moves = crypto.keccak256(moves);
        let hash = match kind {
            Kind::Position => crypto.keccak256([POSITION, game.0, moves].as_flattened()),
            Kind::Resignation => crypto.keccak256([RESIGNATION, game.0, moves].as_flattened()),
            Kind::Draw { until } => {
                crypto.keccak256([DRAW, game.0, moves, word(*until)].as_flattened())
            }
        };
        domain.digest(crypto, &hash)
    }
}

/// The player who makes the last of so many moves; none before the first.
#[must_use]
pub const fn last_mover(moves: usize) -> Option<Player> {
    match moves {
        0 => None,
        moves if moves % 2 == 1 => Some(Player::One),
        _ => Some(Player::Two),
    }
}

/// What a witness signs for each move: that it took these moves, when, and how much time each player has left. The
/// struct of EIP-712:
///
/// ```text
/// Receipt(bytes32 game,bytes moves,uint64 at,uint64 leftOne,uint64 leftTwo)
/// ```
///
/// Times are in milliseconds, the moment since 1970. In a game without a clock nobody has any left: 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Receipt<'a> {
    /// Number of the game.
    pub game: GameNumber,
    /// Bins of all moves, as in a [`Statement`].
    pub moves: &'a [u8],
    /// When the last of them was taken.
    pub at: u64,
    /// What is left to each player.
    pub left: ByPlayer<u64>,
}

impl Receipt<'_> {
    /// The digest that is signed.
    #[must_use]
    pub fn digest(&self, domain: &Domain, crypto: &impl Crypto) -> Digest {
        let words = [
            RECEIPT,
            self.game.0,
            crypto.keccak256(self.moves),
            word(self.at),
            word(self.left.one),
            word(self.left.two),
        ];
        domain.digest(crypto, &crypto.keccak256(words.as_flattened()))
    }
}

/// How a game has ended, as its witness says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WitnessedEnd {
    /// Before both had moved. The game counts for nothing, and is not recorded.
    Void,
    /// On the board, by a line or as it is full.
    Board,
    /// By a draw that both have signed.
    Draw,
    /// By the resignation of this player.
    Resignation(Player),
    /// As the time of this player lapsed.
    Lapse(Player),
}

impl WitnessedEnd {
    /// All of them, in the order of their [codes](Self::code).
    pub const ALL: [Self; 7] = [
        Self::Void,
        Self::Board,
        Self::Draw,
        Self::Resignation(Player::One),
        Self::Resignation(Player::Two),
        Self::Lapse(Player::One),
        Self::Lapse(Player::Two),
    ];

    /// Ends a game so, in which the moves are made.
    ///
    /// # Errors
    ///
    /// [`Error::GameOver`] if the moves have ended it, and it is not said to have ended on the board.
    pub fn finish(self, game: &mut Game) -> Result<(), Error> {
        match self {
            Self::Board => Ok(()),
            Self::Void => game.finish(End::Abort, None),
            Self::Draw => game.finish(End::Agreement, None),
            Self::Resignation(by) => game.finish(End::Resignation, Some(by.opponent())),
            Self::Lapse(of) => game.finish(End::Timeout, Some(of.opponent())),
        }
    }

    /// Its number in what is signed, from 0 in the order of [`Self::ALL`].
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Void => 0,
            Self::Board => 1,
            Self::Draw => 2,
            Self::Resignation(Player::One) => 3,
            Self::Resignation(Player::Two) => 4,
            Self::Lapse(Player::One) => 5,
            Self::Lapse(Player::Two) => 6,
        }
    }
}

/// What a witness signs once: how a game has ended. The struct of EIP-712:
///
/// ```text
/// Ended(bytes32 game,bytes moves,uint8 end,uint64 at)
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ended<'a> {
    /// Number of the game.
    pub game: GameNumber,
    /// Bins of all moves, as in a [`Statement`].
    pub moves: &'a [u8],
    /// How it ended.
    pub end: WitnessedEnd,
    /// When, in milliseconds since 1970.
    pub at: u64,
}

impl Ended<'_> {
    /// The digest that is signed.
    #[must_use]
    pub fn digest(&self, domain: &Domain, crypto: &impl Crypto) -> Digest {
        domain.digest(crypto, &self.hash(crypto))
    }

    /// Hash of the struct, as it stands in a list of [`Ends`].
    #[must_use]
    pub fn hash(&self, crypto: &impl Crypto) -> Digest {
        let words = [
            ENDED,
            self.game.0,
            crypto.keccak256(self.moves),
            word(self.end.code().into()),
            word(self.at),
        ];
        crypto.keccak256(words.as_flattened())
    }
}

/// What a witness signs about the ends of many games at once, so that they are recorded with one signature in place of
/// one each. It says of each game what its [`Ended`] says. The struct of EIP-712:
///
/// ```text
/// Ends(Ended[] ended)Ended(bytes32 game,bytes moves,uint8 end,uint64 at)
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ends<'a> {
    /// Hash of each [`Ended`], in order.
    pub hashes: &'a [Digest],
}

impl Ends<'_> {
    /// The most ends of a list.
    pub const MAX: usize = 64;

    /// The digest that is signed.
    #[must_use]
    pub fn digest(&self, domain: &Domain, crypto: &impl Crypto) -> Digest {
        let words = [ENDS, crypto.keccak256(self.hashes.as_flattened())];
        domain.digest(crypto, &crypto.keccak256(words.as_flattened()))
    }
}

/// What a player signs to take its seat in the room of a game. The struct of EIP-712:
///
/// ```text
/// Presence(bytes32 game,bytes32 nonce)
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Presence {
    /// Number of the game.
    pub game: GameNumber,
    /// What the relay has sent on this socket.
    pub nonce: [u8; 32],
}

impl Presence {
    /// The digest that is signed.
    #[must_use]
    pub fn digest(&self, domain: &Domain, crypto: &impl Crypto) -> Digest {
        let words = [PRESENCE, self.game.0, self.nonce];
        domain.digest(crypto, &crypto.keccak256(words.as_flattened()))
    }
}

/// What the player who offers a game for a stake signs to a taker, who pays first: by this a taker knows that not a relay
/// alone has accepted. The struct of EIP-712:
///
/// ```text
/// Acceptance(bytes32 game)
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Acceptance {
    /// Number of the game, which follows from the terms.
    pub game: GameNumber,
}

impl Acceptance {
    /// The digest that is signed.
    #[must_use]
    pub fn digest(&self, domain: &Domain, crypto: &impl Crypto) -> Digest {
        let words = [ACCEPTANCE, self.game.0];
        domain.digest(crypto, &crypto.keccak256(words.as_flattened()))
    }
}
