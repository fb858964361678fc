//! The phrase of a guest: the words by which its account is carried to another device, program or wallet.

use core::fmt;
use core::str::FromStr;

use bip32::{ChildNumber, XPrv};
use bip39::Mnemonic;
use connect4_protocol::signed::SessionKey;

/// The words of BIP-39 from which a guest's key is derived at [`Phrase::PATH`], as wallets of Ethereum derive that of
/// their first account: so the account has the same address in all of them.
#[derive(Clone, PartialEq, Eq)]
pub struct Phrase {
    words: Mnemonic,
    key: [u8; 32],
}

impl Phrase {
    /// The path of BIP-32 at which the key is.
    pub const PATH: &str = "m/44'/60'/0'/0/0";
    /// The same path, with whether each step is hardened.
    const STEPS: [(u32, bool); 5] = [(44, true), (60, true), (0, true), (0, false), (0, false)];

    /// The phrase of 12 words for these random bytes; none with a probability of 2^-120, as then there is no key.
    #[must_use]
    pub fn from_random(bytes: &[u8; 16]) -> Option<Self> {
        Self::of(Mnemonic::from_entropy(bytes).ok()?)
    }

    fn of(words: Mnemonic) -> Option<Self> {
        let root = XPrv::new(words.to_seed_normalized("")).ok()?;
        let key = Self::STEPS
            .into_iter()
            .try_fold(root, |key, (index, is_hardened)| {
                let step = ChildNumber::new(index, is_hardened).ok()?;
                key.derive_child(step).ok()
            })?;
        let key = key.to_bytes();
        SessionKey::from_secret(&key)?;
        Some(Self { words, key })
    }

    /// The key of the account.
    ///
    /// # Panics
    ///
    /// Never: a phrase without a key is not made.
    #[must_use]
    pub fn key(&self) -> SessionKey {
        SessionKey::from_secret(&self.key).expect("looked at when the phrase was made")
    }
}

/// The words, with a space between two.
impl fmt::Display for Phrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.words.fmt(f)
    }
}

/// Without the words.
impl fmt::Debug for Phrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Phrase({})", self.key().address())
    }
}

/// Why a text is no phrase. None of them repeats a word of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PhraseError {
    #[error("a phrase has 12 words, or 15, 18, 21 or 24: this one has {0}")]
    Count(usize),
    #[error("word {0} is not in the English list of words of BIP-39")]
    Word(usize),
    #[error("these words are no phrase: one is wrong, or two are exchanged")]
    Checksum,
}

/// Reads the words, whatever stands between them, in capitals or not.
impl FromStr for Phrase {
    type Err = PhraseError;

    fn from_str(text: &str) -> Result<Self, PhraseError> {
        let words = text.to_ascii_lowercase();
        let words = Mnemonic::parse_in_normalized(bip39::Language::English, &words);
        let words = words.map_err(|error| match error {
            bip39::Error::BadWordCount(count) => PhraseError::Count(count),
            bip39::Error::UnknownWord(index) => PhraseError::Word(index.saturating_add(1)),
            _ => PhraseError::Checksum,
        })?;
        Self::of(words).ok_or(PhraseError::Checksum)
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString as _;

    use super::*;

    /// Accounts of wallets: tests/ecosystem has ethers derive the same.
    const KNOWN: [(&str, &str); 3] = [
        (
            "test test test test test test test test test test test junk",
            "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
        ),
        (
            "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about",
            "0x9858effd232b4033e47d90003d41ec34ecaeda94",
        ),
        (
            "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon \
             abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon \
             abandon art",
            "0xf278cf59f82edcf871d630f28ecc8056f25c1cdb",
        ),
    ];

    #[test]
    fn a_phrase_is_the_account_that_wallets_make_of_it() {
        for (words, address) in KNOWN {
            let phrase: Phrase = words.parse().unwrap();
            assert_eq!(phrase.key().address(), address.parse().unwrap());
            assert_eq!(phrase.to_string(), words);
            let loose = words.to_uppercase().replace(' ', " \n\t");
            assert_eq!(loose.parse(), Ok(phrase));
        }
    }

    #[test]
    fn random_bytes_are_a_phrase_of_twelve_words() {
        let phrase = Phrase::from_random(&[0; 16]).unwrap();
        assert_eq!(phrase, KNOWN[1].0.parse().unwrap());
        for byte in 0..=u8::MAX {
            let phrase = Phrase::from_random(&[byte; 16]).unwrap();
            let words = phrase.to_string();
            assert_eq!(words.split(' ').count(), 12);
            assert_eq!(words.parse(), Ok(phrase));
        }
    }

    #[test]
    fn what_is_no_phrase_is_refused_without_its_words() {
        let [(words, _), ..] = KNOWN;
        let short = words.replace(" junk", "");
        let exchanged = words.replace("test junk", "junk test");
        let unknown = words.replacen("test", "tset", 2);
        for (text, expected) in [
            ("", PhraseError::Count(0)),
            (&*short, PhraseError::Count(11)),
            (&exchanged, PhraseError::Checksum),
            (&unknown, PhraseError::Word(1)),
        ] {
            let error = text.parse::<Phrase>().unwrap_err();
            assert_eq!(error, expected, "{text}");
            assert!(!error.to_string().contains("tset"));
        }
        let phrase: Phrase = words.parse().unwrap();
        assert!(!alloc::format!("{phrase:?}").contains("junk"));
    }
}
