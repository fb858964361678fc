//! Signatures that were checked before.

use connect4_protocol::Address;
use connect4_protocol::fast::{Crypto, Digest, Domain, Evidence, GameNumber, Native, Signature};
use connect4_rules::{ByPlayer, Player};

/// Cryptography that knows the signatures of a position which has been checked. After each move one of
/// two signatures is new, and to check one takes a fifth of a millisecond.
pub struct Remembering<C = Native> {
    known: ByPlayer<Option<(Digest, Signature, Address)>>,
    crypto: C,
}

impl<C: Crypto> Remembering<C> {
    /// Knows the signatures of `held`, a position of this game that was checked by these keys.
    pub fn new(
        held: &Evidence,
        game: GameNumber,
        keys: &ByPlayer<Address>,
        domain: &Domain,
        crypto: C,
    ) -> Self {
        let known = ByPlayer::from_fn(|player| {
            let statement = held.statement_of(player, game)?;
            let digest = statement.digest(domain, &crypto);
            Some((digest, *held.signatures.get(player), *keys.get(player)))
        });
        Self { known, crypto }
    }
}

impl<C: Crypto> Crypto for Remembering<C> {
    fn keccak256(&self, bytes: &[u8]) -> Digest {
        self.crypto.keccak256(bytes)
    }

    fn recover(&self, digest: &Digest, signature: &Signature) -> Option<Address> {
        let known = Player::ALL.into_iter().find_map(|player| {
            let (signed, by, address) = (*self.known.get(player))?;
            (signed == *digest && by == *signature).then_some(address)
        });
        known.or_else(|| self.crypto.recover(digest, signature))
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use connect4_protocol::Error;
    use connect4_protocol::fast::{Ending, FIRST};
    use connect4_testing::fast::FastPlay;

    use super::*;

    /// Counts how often a key is recovered.
    struct Counting<'a>(&'a Cell<usize>);

    impl Crypto for Counting<'_> {
        fn keccak256(&self, bytes: &[u8]) -> Digest {
            Native.keccak256(bytes)
        }

        fn recover(&self, digest: &Digest, signature: &Signature) -> Option<Address> {
            self.0.set(self.0.get() + 1);
            Native.recover(digest, signature)
        }
    }

    /// Checks a position when another one is held. Returns how many keys were recovered, too.
    fn check(held: &Evidence, next: &Evidence) -> (Result<(), Error>, usize) {
        let play = FastPlay::new(FIRST);
        let (keys, domain) = (&play.game.keys, &play.domain);
        let count = Cell::new(0);
        let crypto = Remembering::new(held, FIRST.into(), keys, domain, Counting(&count));
        let result = next.check(FIRST, keys, domain, &crypto);
        (result, count.get())
    }

    #[test]
    fn signatures_that_are_known_are_not_checked_again() {
        let play = FastPlay::new(FIRST);
        let position = |bins| play.evidence(bins, None);
        let held = position(&[3, 4, 3]);
        let next = position(&[3, 4, 3, 4]);
        assert_eq!(check(&held, &next), (Ok(()), 1), "the answer alone");
        assert_eq!(check(&Evidence::start(), &next), (Ok(()), 2));
        assert_eq!(check(&held, &position(&[3, 4, 3, 4, 3])), (Ok(()), 2));
        assert_eq!(check(&next, &next), (Ok(()), 0));
        let resigned = Some(Ending::Resignation(Player::Two));
        let resigned = play.evidence(&[3, 4, 3], resigned);
        assert_eq!(check(&held, &resigned), (Ok(()), 1));
    }

    #[test]
    fn what_is_known_supports_nothing_else() {
        let play = FastPlay::new(FIRST);
        let position = |bins| play.evidence(bins, None);
        let (held, next) = (position(&[3, 4, 3]), position(&[3, 4, 3, 4]));
        // The same statement with another signature.
        let mut other = next;
        other.signatures.one.0[0] ^= 1;
        assert_eq!(check(&held, &other).0, Err(Error::BadSignature));
        // The same signature on another statement.
        let mut other = position(&[3, 4, 0, 4]);
        other.signatures.one = held.signatures.one;
        assert_eq!(check(&held, &other).0, Err(Error::BadSignature));
        // The signature of one player in the place of the other's.
        let mut other = next;
        other.signatures.two = held.signatures.one;
        assert_eq!(check(&held, &other).0, Err(Error::BadSignature));
        let mut other = next;
        other.signatures.two = Signature::NONE;
        assert_eq!(check(&held, &other).0, Err(Error::BadSignature));
    }
}
