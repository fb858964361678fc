//! Evidence that both players of a game have signed.

use connect4_protocol::Address;
use connect4_protocol::signed::{
    AccountSignature, Crypto as _, Digest, Domain, Evidence, GameNumber, Moves, Native, SessionKey,
    SignedEnd, wrapped,
};
use connect4_rules::{ByPlayer, Player};

/// The players with their keys, and the game that they sign.
pub struct Signers {
    pub keys: ByPlayer<SessionKey>,
    pub game: GameNumber,
    pub domain: Domain,
}

impl Signers {
    /// What two honest players hold after these moves, and this end.
    pub fn evidence(&self, bins: &[u8], end: Option<SignedEnd>) -> Evidence {
        let mut evidence = Evidence {
            end,
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

pub fn key(byte: u8) -> SessionKey {
    SessionKey::from_secret(&[byte; 32]).expect("a key")
}

fn substrate() -> schnorrkel::Keypair {
    let mode = schnorrkel::ExpansionMode::Ed25519;
    let secret = schnorrkel::MiniSecretKey::from_bytes(&[4; 32]).expect("32 bytes");
    secret.expand_to_keypair(mode)
}

/// An account with an sr25519 key.
pub fn substrate_account() -> Address {
    Address::of_hash(&Native.keccak256(&substrate().public.to_bytes()))
}

/// What its wallet signs.
pub fn by_wallet(digest: &Digest) -> AccountSignature {
    let pair = substrate();
    let context = schnorrkel::signing_context(b"substrate");
    AccountSignature::Sr25519 {
        public_key: pair.public.to_bytes(),
        signature: pair.sign(context.bytes(&wrapped(digest))).to_bytes(),
    }
}
