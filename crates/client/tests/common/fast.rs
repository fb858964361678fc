//! Fast games on a local chain.

#![allow(dead_code, reason = "not every test uses all of it")]

use connect4_client::{Contract, Offer, Signer};
use connect4_protocol::fast::{Domain, Ending, Evidence, Moves, Native, SessionKey};
use connect4_rules::{ByPlayer, Player};

use super::offer;

/// The session key with this number.
pub fn session_key(number: u8) -> SessionKey {
    SessionKey::from_secret(&[number; 32]).expect("a secret")
}

/// A fast game with the session keys of its players.
pub struct FastTable {
    pub number: u32,
    pub keys: ByPlayer<SessionKey>,
    pub domain: Domain,
}

impl FastTable {
    /// Starts a fast game on the classroom board, with a clock of ten minutes and for so many tokens;
    /// `one` has made the challenge and moves first.
    pub async fn start(contract: &Contract, one: &Signer, two: &Signer, tokens: u128) -> Self {
        let keys = ByPlayer {
            one: session_key(1),
            two: session_key(2),
        };
        let offer = Offer {
            opponent: Some(two.address()),
            key: Some(keys.one.address()),
            ..offer(contract.client(), tokens)
        };
        let challenge = contract.challenge(one, offer).await.unwrap().value;
        let key = Some(keys.two.address());
        let number = contract.accept(two, challenge, key).await.unwrap().value;
        Self {
            number,
            keys,
            domain: contract.domain().unwrap(),
        }
    }

    /// The position after these moves, signed by both.
    pub fn position(&self, moves: &[u8]) -> Evidence {
        self.signed(None, moves)
    }

    /// An end at these moves, signed by both.
    pub fn end(&self, ending: Ending, moves: &[u8]) -> Evidence {
        self.signed(Some(ending), moves)
    }

    fn signed(&self, ending: Option<Ending>, moves: &[u8]) -> Evidence {
        let mut evidence = Evidence {
            ending,
            moves: Moves::from_bins(moves).unwrap(),
            ..Evidence::start()
        };
        for player in Player::ALL {
            let statement = evidence.statement_of(player, self.number);
            let digest = statement.map(|statement| statement.digest(&self.domain, &Native));
            if let Some(digest) = digest {
                evidence.signatures[player] = self.keys.get(player).sign(&digest);
            }
        }
        evidence
    }
}
