//! Evidence that both players of a fast game have signed.

use connect4_protocol::fast::{Domain, Ending, Evidence, GameNumber, Moves, Native, SessionKey};
use connect4_rules::{ByPlayer, Player};

/// Who signs, and for which game of which contract.
pub struct Signers {
    pub keys: ByPlayer<SessionKey>,
    pub game: GameNumber,
    pub domain: Domain,
}

impl Signers {
    /// What two honest players hold after these moves, and this ending.
    pub fn evidence(&self, bins: &[u8], ending: Option<Ending>) -> Evidence {
        let mut evidence = Evidence {
            ending,
            moves: Moves::from_bins(bins).expect("few moves"),
            ..Evidence::start()
        };
        let unsigned = evidence;
        for player in Player::ALL {
            if let Some(statement) = unsigned.statement_of(player, self.game) {
                let digest = statement.digest(&self.domain, &Native);
                evidence.signatures[player] = self.keys.get(player).sign(&digest);
            }
        }
        evidence
    }
}
