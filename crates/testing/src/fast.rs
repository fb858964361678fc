//! Fast games, whose players sign.

use connect4_protocol::Address;
use connect4_protocol::fast::wire::{Offer, ToRelay, presence};
use connect4_protocol::fast::{
    Agreed, Domain, Ending, Evidence, FastGame, Kind, Moves, Native, SessionKey, Signature,
    Statement,
};
use connect4_rules::{ByPlayer, Player, Shape};

/// A fast game with the keys of both players.
#[derive(Clone, Debug)]
pub struct FastPlay {
    /// Number of the game.
    pub number: u32,
    /// The game as the chain has it.
    pub game: FastGame,
    /// Contract and chain.
    pub domain: Domain,
    /// The players' session keys.
    pub keys: ByPlayer<SessionKey>,
}

impl FastPlay {
    /// A game on the standard board that has just begun, with keys of its own for each number.
    pub fn new(number: u32) -> Self {
        let keys = ByPlayer::from_fn(|player| {
            let mut secret = match player {
                Player::One => [0x11; 32],
                Player::Two => [0x22; 32],
            };
            secret[..4].copy_from_slice(&number.to_le_bytes());
            SessionKey::from_secret(&secret).expect("a key")
        });
        let agreed = Agreed {
            players: ByPlayer {
                one: Address([0xa; 20]),
                two: Address([0xb; 20]),
            },
            keys: ByPlayer::from_fn(|player| keys.get(player).address()),
            payer: Address([0xb; 20]),
            shape: Shape::STANDARD.into(),
            clock: None,
        };
        Self {
            number,
            game: FastGame::start(&agreed).expect("two keys"),
            domain: Domain::new(420_420_421, Address([0xcc; 20])),
            keys,
        }
    }

    /// What two honest players hold after these moves, and this ending.
    pub fn evidence(&self, bins: &[u8], ending: Option<Ending>) -> Evidence {
        self.table().signed(bins, ending)
    }

    /// What two honest players hold after moves of which the last completes a line: the loser has
    /// resigned at them.
    pub fn agreed(&self, bins: &[u8]) -> Evidence {
        self.table().agreed(bins)
    }

    fn table(&self) -> Table {
        Table {
            game: self.number,
            keys: self.keys.clone(),
            domain: self.domain,
        }
    }

    /// The position after these moves.
    pub fn position(&self, bins: &[u8]) -> ToRelay {
        ToRelay::Position(self.evidence(bins, None))
    }

    /// An offer of a draw.
    pub fn offer(&self, by: Player, until: u64, bins: &[u8]) -> Offer {
        let mut offer = Offer {
            by,
            until,
            moves: Moves::from_bins(bins).expect("few moves"),
            signature: Signature::NONE,
        };
        let digest = offer.statement(self.number).digest(&self.domain, &Native);
        offer.signature = self.keys.get(by).sign(&digest);
        offer
    }

    /// What a player joins with.
    pub fn join(&self, player: Player, nonce: [u8; 32]) -> ToRelay {
        let digest = presence(self.number, nonce, &self.domain, &Native);
        ToRelay::Join {
            player,
            signature: self.keys.get(player).sign(&digest),
        }
    }
}

/// A session key; each number has another. Everybody knows their secrets.
pub fn session_key(number: u64) -> SessionKey {
    let mut secret = [0x5e; 32];
    secret[..8].copy_from_slice(&number.to_le_bytes());
    SessionKey::from_secret(&secret).expect("a key")
}

/// A fast game, and the session keys of both players.
#[derive(Clone, Debug)]
pub struct Table {
    /// Number of the game.
    pub game: u32,
    /// Session key of each player.
    pub keys: ByPlayer<SessionKey>,
    /// What statements are signed for.
    pub domain: Domain,
}

impl Table {
    /// Signature of a player on a statement about this game.
    pub fn sign(&self, by: Player, kind: Kind, moves: &[u8]) -> Signature {
        let statement = Statement {
            game: self.game.into(),
            kind,
            moves,
        };
        let digest = statement.digest(&self.domain, &Native);
        self.keys.get(by).sign(&digest)
    }

    /// What both players hold after these moves, from 0 at the left, and this ending.
    pub fn signed(&self, bins: &[u8], ending: Option<Ending>) -> Evidence {
        let mut evidence = Evidence {
            ending,
            moves: Moves::from_bins(bins).expect("few moves"),
            ..Evidence::start()
        };
        let unsigned = evidence;
        for player in Player::ALL {
            if let Some(Statement { kind, moves, .. }) = unsigned.statement_of(player, self.game) {
                evidence.signatures[player] = self.sign(player, kind, moves);
            }
        }
        evidence
    }

    /// What both hold after moves of which the last completes a line: the loser has resigned at them, so
    /// that the line is final at once.
    pub fn agreed(&self, bins: &[u8]) -> Evidence {
        let loser = if bins.len().is_multiple_of(2) {
            Player::One
        } else {
            Player::Two
        };
        self.signed(bins, Some(Ending::Resignation(loser)))
    }

    /// [`Self::signed`] of a position in which the game goes on, or ended on the board.
    pub fn position(&self, bins: &[u8]) -> Evidence {
        self.signed(bins, None)
    }
}
