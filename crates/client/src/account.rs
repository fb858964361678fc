//! Accounts: the signer's, and others by name.

use std::fmt;
use std::str::FromStr;

use connect4_protocol::Address;
use subxt::utils::AccountId32;
use subxt_signer::{SecretUri, sr25519::Keypair};

use crate::address::of_account;

/// Names of the development accounts of a Polkadot SDK chain. Their secrets are public: on a public
/// chain they are worth nothing.
pub const DEVELOPMENT: [&str; 6] = ["alice", "bob", "charlie", "dave", "eve", "ferdie"];

/// Signer of transactions: an sr25519 key pair.
#[derive(Clone)]
pub struct Signer {
    pair: Keypair,
    name: Option<&'static str>,
}

impl Signer {
    /// The signer of a development account: by its name in any case, with or without `//` before it.
    /// None if no development account has the name.
    #[must_use]
    pub fn development(name: &str) -> Option<Self> {
        use subxt_signer::sr25519::dev;
        let plain = name.strip_prefix("//").unwrap_or(name).to_lowercase();
        let name = *DEVELOPMENT.iter().find(|&&known| known == plain)?;
        let pair = match name {
            "alice" => dev::alice(),
            "bob" => dev::bob(),
            "charlie" => dev::charlie(),
            "dave" => dev::dave(),
            "eve" => dev::eve(),
            _ => dev::ferdie(),
        };
        Some(Self {
            pair,
            name: Some(name),
        })
    }

    /// The signer with a secret: a phrase of words, or `0x` and 64 hexadecimal digits. Either may be
    /// followed by derivations as `//hard` and `/soft`.
    ///
    /// # Errors
    ///
    /// [`SecretError`] if the text is neither. The error does not repeat it.
    pub fn from_secret(secret: &str) -> Result<Self, SecretError> {
        let secret = secret.trim();
        if secret.is_empty() {
            return Err(SecretError);
        }
        if let Some(signer) = Self::development(secret) {
            return Ok(signer);
        }
        let uri = SecretUri::from_str(secret).map_err(|_| SecretError)?;
        let pair = Keypair::from_uri(&uri).map_err(|_| SecretError)?;
        Ok(Self { pair, name: None })
    }

    /// The account, of 32 bytes.
    #[must_use]
    pub fn account(&self) -> AccountId32 {
        self.pair.public_key().to_account_id()
    }

    /// The address by which contracts know the account.
    #[must_use]
    pub fn address(&self) -> Address {
        of_account(&self.account())
    }

    /// Name of the development account; none if it is another account.
    #[must_use]
    pub const fn development_name(&self) -> Option<&'static str> {
        self.name
    }

    /// The account without its secret.
    #[must_use]
    pub fn named(&self) -> Named {
        match self.name {
            Some(name) => Named::Development(name),
            None => Named::Account(self.account()),
        }
    }

    pub(crate) const fn pair(&self) -> &Keypair {
        &self.pair
    }
}

/// Name of the development account, else the account; never the secret.
impl fmt::Display for Signer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.named().fmt(f)
    }
}

impl fmt::Debug for Signer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Signer({self})")
    }
}

/// Returned if a text is no secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "this is no secret key: one is a phrase of 12 to 24 words, or 0x and 64 hexadecimal digits, \
     each with derivations such as //1 if wanted"
)]
pub struct SecretError;

/// An account that is named without its secret. [`str::parse`] reads each of its spellings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Named {
    /// A development account, by its name.
    Development(&'static str),
    /// An account of 32 bytes.
    Account(AccountId32),
    /// An address of 20 bytes.
    Address(Address),
}

impl Named {
    /// The address by which contracts know the account.
    #[must_use]
    pub fn address(&self) -> Address {
        match self {
            Self::Development(name) => {
                Signer::development(name).map_or(Address::ZERO, |signer| signer.address())
            }
            Self::Account(account) => of_account(account),
            Self::Address(address) => *address,
        }
    }
}

/// The name of the development account, the account as SS58, or `0x` and 40 hexadecimal digits.
impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Development(name) => f.write_str(name),
            Self::Account(account) => account.fmt(f),
            Self::Address(address) => address.fmt(f),
        }
    }
}

/// Returned if a text names no account.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` names no account: use alice, bob, charlie, dave, eve or ferdie, an account as 5F… or \
     0x and 64 digits, or an address as 0x and 40 digits"
)]
pub struct NameError(String);

impl FromStr for Named {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        if let Some(name) = Signer::development(text).and_then(|signer| signer.name) {
            return Ok(Self::Development(name));
        }
        if let Ok(address) = text.parse() {
            return Ok(Self::Address(address));
        }
        let mut account = [0; 32];
        if let Some(digits) = text.strip_prefix("0x") {
            if hex::decode_to_slice(digits, &mut account).is_ok() {
                return Ok(Self::Account(AccountId32(account)));
            }
        } else if let Ok(account) = text.parse() {
            return Ok(Self::Account(account));
        }
        Err(NameError(text.into()))
    }
}

/// Name of the development account with this address; none if no development account has it.
#[must_use]
pub fn development_name(address: Address) -> Option<&'static str> {
    DEVELOPMENT
        .into_iter()
        .find(|name| Signer::development(name).is_some_and(|signer| signer.address() == address))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALICE: &str = "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY";

    #[test]
    fn development_accounts_go_by_any_spelling() {
        for name in ["alice", "Alice", "ALICE", "//Alice"] {
            let signer = Signer::development(name).unwrap();
            assert_eq!(signer.account().to_string(), ALICE);
            assert_eq!(signer.to_string(), "alice");
            assert_eq!(name.parse(), Ok(Named::Development("alice")));
        }
        assert!(Signer::development("mallory").is_none());
        let bob = Signer::development("bob").unwrap();
        assert_eq!(development_name(bob.address()), Some("bob"));
    }

    #[test]
    fn an_account_goes_by_its_account_key_or_address() {
        let alice = Signer::development("alice").unwrap();
        let key = format!("0x{}", hex::encode(alice.account().0));
        for text in [ALICE, &key, &alice.address().to_string()] {
            assert_eq!(text.parse::<Named>().unwrap().address(), alice.address());
            let named: Named = text.parse().unwrap();
            assert_eq!(named.to_string().parse(), Ok(named));
        }
        for text in ["", "0x", "0x12", "5Grw", "mallory"] {
            assert!(text.parse::<Named>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_bad_secret_is_not_repeated() {
        for secret in ["", "  ", "hunter2", "0x1234", "legal winner thank year"] {
            let error = Signer::from_secret(secret).unwrap_err();
            assert!(secret.trim().is_empty() || !error.to_string().contains(secret));
        }
        let phrase = "bottom drive obey lake curtain smoke basket hold race lonely fit walk//Alice";
        assert_eq!(
            Signer::from_secret(phrase).unwrap().account().to_string(),
            ALICE
        );
    }
}
