//! Games by signed terms.

use connect4_protocol::Address;
use connect4_protocol::fast::wire::{ToRelay, presence};
use connect4_protocol::fast::{
    Domain, Ending, Evidence, GameNumber, GameTerms, Kind, Native, Party, SessionKey, Signature,
    SignedTerms, Statement,
};
use connect4_rules::{ByPlayer, Player, Shape};

use crate::fast::{session_key, signed};

/// Contract and chain of these games.
pub const DOMAIN: Domain = Domain::new(420_420_421, Address([0xcc; 20]));

/// A game of two guests by signed terms, with the keys of both.
#[derive(Clone, Debug)]
pub struct TermsPlay {
    pub signed: SignedTerms,
    pub number: GameNumber,
    pub keys: ByPlayer<SessionKey>,
}

impl TermsPlay {
    /// A game on the standard board whose terms are made now, with keys of its own for each number.
    pub fn new(number: u64, now: u64) -> Self {
        let keys = ByPlayer {
            one: session_key(2 * number),
            two: session_key(2 * number + 1),
        };
        let terms = GameTerms {
            players: ByPlayer::from_fn(|player| Party::Guest(keys.get(player).address())),
            shape: Shape::STANDARD.into(),
            pie_rule: false,
            pool: 0,
            programs: ByPlayer::default(),
            clock: None,
            time: now,
            nonce: 7,
        };
        Self::of(&terms, keys)
    }

    pub fn of(terms: &GameTerms, keys: ByPlayer<SessionKey>) -> Self {
        let number = terms.number(&DOMAIN, &Native);
        let signed = SignedTerms {
            terms: *terms,
            sessions: ByPlayer::default(),
            signatures: ByPlayer::from_fn(|player| keys.get(player).sign(&number.0)),
        };
        Self {
            signed,
            number,
            keys,
        }
    }

    /// What both players hold after these moves, from 0 at the left, and this ending.
    pub fn evidence(&self, bins: &[u8], ending: Option<Ending>) -> Evidence {
        signed(self.number, &self.keys, &DOMAIN, bins, ending)
    }

    pub fn position(&self, bins: &[u8]) -> ToRelay {
        ToRelay::Position(self.evidence(bins, None))
    }

    pub fn sign(&self, by: Player, statement: &Statement<'_>) -> Signature {
        self.keys.get(by).sign(&statement.digest(&DOMAIN, &Native))
    }

    /// The signature of a player on a draw for good after these moves.
    pub fn draw(&self, by: Player, bins: &[u8]) -> Signature {
        let statement = Statement {
            game: self.number,
            kind: Kind::Draw {
                until: Ending::FOR_GOOD,
            },
            moves: bins,
        };
        self.sign(by, &statement)
    }

    pub fn join(&self, player: Player, nonce: [u8; 32]) -> ToRelay {
        let digest = presence(self.number, nonce, &DOMAIN, &Native);
        ToRelay::Join {
            player,
            signature: self.keys.get(player).sign(&digest),
        }
    }
}
