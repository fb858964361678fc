//! Signed games without a stake, whose order a witness keeps.

use connect4_protocol::fast::Native;
use connect4_protocol::fast::SessionKey;
use connect4_protocol::signed::wire::{Act, Spoken, Telling, ToWitness, Told};
use connect4_protocol::signed::{
    Chain, Domain, GameNumber, Moves, Outcome, Party, Presence, Refused, Signature, SignedTerms,
    Terms,
};
use connect4_protocol::{Address, ClockSpec};
use connect4_rules::{ByPlayer, Player, Shape};

use crate::fast::session_key;

/// The chain of these games.
pub const CHAIN: Chain = Chain {
    id: 420_420_421,
    genesis: [0x9e; 32],
};
pub const DOMAIN: Domain = Domain::without_stake(CHAIN);

/// A signed game of two guests, with the keys of both.
#[derive(Clone, Debug)]
pub struct SignedPlay {
    pub signed: SignedTerms,
    pub number: GameNumber,
    pub keys: ByPlayer<SessionKey>,
}

impl SignedPlay {
    /// A game on the standard board whose terms are made at this time, in seconds since 1970, with keys of its own for
    /// each number.
    pub fn new(number: u64, witness: Address, clock: Option<ClockSpec>, time: u64) -> Self {
        let keys = ByPlayer {
            one: session_key(2 * number),
            two: session_key(2 * number + 1),
        };
        let terms = Terms {
            players: ByPlayer::from_fn(|player| Party::Guest(keys.get(player).address())),
            clock,
            witness: Some(witness),
            time,
            nonce: 7,
            ..Terms::on(Shape::STANDARD)
        };
        Self::of(terms, keys)
    }

    pub fn of(terms: Terms, keys: ByPlayer<SessionKey>) -> Self {
        let number = terms.number(&DOMAIN, &Native);
        let signatures = ByPlayer::from_fn(|player| keys.get(player).sign(&number.0));
        Self {
            signed: SignedTerms {
                terms,
                sessions: ByPlayer::default(),
                signatures,
            },
            number,
            keys,
        }
    }

    pub fn join(&self, player: Player, nonce: [u8; 32]) -> ToWitness {
        let presence = Presence {
            game: self.number,
            nonce,
        };
        let digest = presence.digest(&DOMAIN, &Native);
        ToWitness::Join {
            player,
            signature: self.keys.get(player).sign(&digest),
        }
    }

    /// What a player says about these moves, from 0 at the left.
    pub fn spoken(&self, by: Player, act: Act, bins: &[u8]) -> Spoken {
        let mut spoken = Spoken {
            by,
            act,
            moves: Moves::from_bins(bins).expect("few moves"),
            signature: Signature::NONE,
        };
        let digest = spoken.statement(self.number).digest(&DOMAIN, &Native);
        spoken.signature = self.keys.get(by).sign(&digest);
        spoken
    }

    /// The last of these moves, by the player whose turn it is.
    pub fn made(&self, bins: &[u8]) -> Spoken {
        let by = match bins.len() % 2 {
            1 => Player::One,
            _ => Player::Two,
        };
        self.spoken(by, Act::Move, bins)
    }

    /// The judgement of the end that the witness has told.
    ///
    /// # Errors
    ///
    /// As [`Finished::judge`](connect4_protocol::signed::Finished::judge).
    pub fn judge(&self, told: &Told) -> Result<Outcome, Refused> {
        assert!(matches!(told.what, Telling::Ended(_)), "{told:?}");
        let finished = told.finished(&self.signed).ok_or(Refused::TooShort)?;
        finished.judge(CHAIN, &Native)
    }
}
