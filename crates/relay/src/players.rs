//! Who the players of a signed game are.

use connect4_protocol::Address;
use connect4_protocol::signed::{
    Crypto as _, Domain, GameNumber, Native, Presence, Signature, Terms,
};
use connect4_rules::{ByPlayer, Player};

/// What a room has to know of its game to tell the players from others.
pub struct Players {
    pub number: GameNumber,
    pub keys: ByPlayer<Address>,
    pub domain: Domain,
}

impl Players {
    /// The players of the game with this number by these terms.
    pub fn of(number: GameNumber, terms: &Terms, domain: Domain) -> Self {
        Self {
            number,
            keys: terms.players.map(|party| party.key()),
            domain,
        }
    }

    /// Whether a signature shows that somebody is this player.
    pub fn has(&self, player: Player, signature: &Signature, nonce: [u8; 32]) -> bool {
        let presence = Presence {
            game: self.number,
            nonce,
        };
        let digest = presence.digest(&self.domain, &Native);
        Native.recover(&digest, signature) == Some(*self.keys.get(player))
    }
}
