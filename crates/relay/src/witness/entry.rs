//! Entries of a witness's log.

use std::fmt;

use codec::{Decode, Encode};
use connect4_protocol::signed::{
    Chain, Digest, GameNumber, Moves, Signature, SignedTerms, WitnessedEnd,
};
use connect4_rules::{ByPlayer, Player};

/// A moment of a witness, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct Moment {
    /// Since 1970. It never goes back.
    pub at: u64,
    /// The time that counts for players, from the start of the log on: without that in which the witness was away,
    /// stood still, or could not write.
    pub fair: u64,
}

/// An entry of the log. All that a witness signs can be made of them.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
#[expect(
    clippy::large_enum_variant,
    reason = "few of the larger ones are held at a time"
)]
pub enum Entry {
    /// The key, by which the log begins.
    #[codec(index = 0)]
    Key(Key),
    /// A game has begun.
    #[codec(index = 1)]
    Opened { terms: SignedTerms, time: Moment },
    /// A move was taken.
    #[codec(index = 2)]
    Moved {
        game: GameNumber,
        bin: u8,
        /// Of the player who made it, on the position after it.
        signature: Signature,
        /// What is left to each player, in milliseconds.
        left: ByPlayer<u64>,
        time: Moment,
    },
    /// A game has ended. What is needed of it from now on is in here.
    #[codec(index = 3)]
    Ended {
        game: GameNumber,
        moves: Moves,
        end: WitnessedEnd,
        /// What each player has signed last.
        signatures: ByPlayer<Signature>,
        time: Moment,
    },
    /// The witness was there, and clocks ran.
    #[codec(index = 4)]
    Alive(Moment),
    /// The witness was started: the clocks of all games stand.
    #[codec(index = 5)]
    Started(Moment),
    /// A player is back since the last start, or has had the time for it: its clock does not stand any more.
    #[codec(index = 6)]
    Back {
        game: GameNumber,
        player: Player,
        time: Moment,
    },
}

/// The key of a witness, and of which chain its games are.
#[derive(Clone, PartialEq, Eq, Encode, Decode)]
pub struct Key {
    pub secret: [u8; 32],
    pub chain_id: u64,
    pub genesis: Digest,
    pub made: Moment,
}

/// Without the secret.
impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Key")
            .field("chain_id", &self.chain_id)
            .field("made", &self.made)
            .finish_non_exhaustive()
    }
}

impl Key {
    pub const fn chain(&self) -> Chain {
        Chain {
            id: self.chain_id,
            genesis: self.genesis,
        }
    }
}

impl Entry {
    /// When it was written.
    pub const fn time(&self) -> Moment {
        match self {
            Self::Key(key) => key.made,
            Self::Opened { time, .. }
            | Self::Moved { time, .. }
            | Self::Ended { time, .. }
            | Self::Back { time, .. }
            | Self::Alive(time)
            | Self::Started(time) => *time,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_secret_is_in_nothing_that_is_printed() {
        let key = Key {
            secret: [0xab; 32],
            chain_id: 1,
            genesis: [1; 32],
            made: Moment::default(),
        };
        let printed = format!("{:?} {key:#?}", Entry::Key(key.clone()));
        assert!(printed.contains("chain_id"));
        for secret in ["171", "ab", "AB"] {
            assert!(!printed.contains(secret), "{printed}");
        }
    }
}
