//! Accounts: the signer's, and others by name.

use std::fmt;
use std::str::FromStr;

use connect4_protocol::Address;
use subxt::utils::AccountId32;
use subxt_signer::{SecretUri, eth, sr25519::Keypair};

use crate::accounts::address::{fallback_account, of_account, of_ethereum_key};

/// Names of the development accounts of a Polkadot SDK chain. Their secrets are public: on a public
/// chain they are worth nothing.
pub const DEVELOPMENT: [&str; 6] = ["alice", "bob", "charlie", "dave", "eve", "ferdie"];

/// What a secret of an account may begin with, to say that it is one of Ethereum.
const ETHEREUM: &str = "ethereum:";
/// The same for one of a Polkadot SDK chain.
const SR25519: &str = "sr25519:";

/// Signer of transactions: an sr25519 key pair, or one of Ethereum.
#[derive(Clone)]
pub struct Signer {
    pair: Pair,
    name: Option<&'static str>,
}

/// Key pair of an account.
#[derive(Clone)]
pub(crate) enum Pair {
    /// The usual one on Polkadot SDK chains.
    Sr25519(Keypair),
    /// One of Ethereum.
    Ethereum(eth::Keypair),
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
            pair: Pair::Sr25519(pair),
            name: Some(name),
        })
    }

    /// The signer with a secret: a phrase of words, which may be followed by derivations as `//hard`
    /// and `/soft`; or `sr25519:` or `ethereum:`, and a phrase or `0x` and 64 hexadecimal digits. A
    /// phrase of Ethereum is that of a wallet, whose first account is meant, or the one with the
    /// number after `/`, from 0.
    ///
    /// 64 digits alone are either kind of secret, and each would be another account: so the kind has
    /// to be said. A phrase alone is one of the Polkadot SDK.
    ///
    /// # Errors
    ///
    /// [`SecretError::Ambiguous`] if the kind has to be said, else [`SecretError::Unreadable`] if the
    /// text is no secret. Neither repeats it.
    pub fn from_secret(secret: &str) -> Result<Self, SecretError> {
        let secret = secret.trim();
        if let Some(secret) = secret.strip_prefix(ETHEREUM) {
            return ethereum(secret.trim()).map(|pair| Self { pair, name: None });
        }
        if let Some(secret) = secret.strip_prefix(SR25519) {
            return Self::from_suri(secret.trim());
        }
        if let Some(signer) = Self::development(secret) {
            return Ok(signer);
        }
        let first = secret.split('/').next().unwrap_or_default();
        if secret_key(first).is_some() {
            return Err(SecretError::Ambiguous);
        }
        Self::from_suri(secret)
    }

    /// The signer with a secret as the Polkadot SDK writes it.
    fn from_suri(secret: &str) -> Result<Self, SecretError> {
        if secret.is_empty() {
            return Err(SecretError::Unreadable);
        }
        let uri = SecretUri::from_str(secret).map_err(|_| SecretError::Unreadable)?;
        let pair = Keypair::from_uri(&uri).map_err(|_| SecretError::Unreadable)?;
        Ok(Self {
            pair: Pair::Sr25519(pair),
            name: None,
        })
    }

    /// The account, of 32 bytes. For a key of Ethereum it is the one that stands for its address.
    #[must_use]
    pub fn account(&self) -> AccountId32 {
        match &self.pair {
            Pair::Sr25519(pair) => pair.public_key().to_account_id(),
            Pair::Ethereum(pair) => fallback_account(of_ethereum_key(pair)),
        }
    }

    /// The address by which contracts know the account.
    #[must_use]
    pub fn address(&self) -> Address {
        of_account(&self.account())
    }

    /// Whether the key is one of Ethereum: its transactions are valid on every branch of the chain.
    #[must_use]
    pub const fn is_ethereum(&self) -> bool {
        matches!(self.pair, Pair::Ethereum(_))
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
            None if self.is_ethereum() => Named::Address(self.address()),
            None => Named::Account(self.account()),
        }
    }

    pub(crate) const fn pair(&self) -> &Pair {
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

/// The key pair of Ethereum with a secret: a phrase of words, perhaps with the account's number after
/// a slash, or 64 hexadecimal digits.
fn ethereum(secret: &str) -> Result<Pair, SecretError> {
    let pair = match secret_key(secret) {
        Some(key) => eth::Keypair::from_secret_key(key),
        None => {
            let (words, number) = secret.split_once('/').unwrap_or((secret, "0"));
            let phrase = words.trim().parse().map_err(|_| SecretError::Unreadable)?;
            let number: u16 = number.trim().parse().map_err(|_| SecretError::Unreadable)?;
            let path = eth::DerivationPath::eth(0, number.into());
            eth::Keypair::from_phrase(&phrase, None, path)
        }
    };
    pair.map(Pair::Ethereum)
        .map_err(|_| SecretError::Unreadable)
}

/// A secret of 64 hexadecimal digits, with or without `0x`.
fn secret_key(text: &str) -> Option<[u8; 32]> {
    let mut key = [0; 32];
    let digits = text.strip_prefix("0x").unwrap_or(text);
    hex::decode_to_slice(digits, &mut key).ok()?;
    Some(key)
}

/// Returned if a text does not tell a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SecretError {
    /// Returned if the text is no secret.
    #[error(
        "this is not a secret key: give a phrase of 12 to 24 words, optionally with derivations \
         such as //1; or sr25519: or ethereum: followed by a phrase, or by 0x and 64 hexadecimal \
         digits"
    )]
    Unreadable,
    /// Returned if the text is the secret of two different accounts.
    #[error(
        "64 hexadecimal digits are the secret of one account for an Ethereum wallet and of another \
         account for a Polkadot wallet: put ethereum: or sr25519: before them"
    )]
    Ambiguous,
}

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

    /// The account, of 32 bytes. For an address it is the one that stands for it.
    #[must_use]
    pub fn account(&self) -> AccountId32 {
        match self {
            Self::Development(name) => {
                let signer = Signer::development(name);
                signer.map_or_else(
                    || fallback_account(Address::ZERO),
                    |signer| signer.account(),
                )
            }
            Self::Account(account) => account.clone(),
            Self::Address(address) => fallback_account(*address),
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
    "`{0}` is not an account: use alice, bob, charlie, dave, eve or ferdie, an account such as 5F… \
     or 0x and 64 digits, or an address such as 0x and 40 digits"
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
    fn secrets_of_ethereum_are_told_apart() {
        // Accounts and secret of the development nodes of Hardhat and Foundry.
        const PHRASE: &str = "test test test test test test test test test test test junk";
        const KEY: &str = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";
        let signer = |secret: &str| Signer::from_secret(secret).unwrap();
        let first = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"
            .parse()
            .unwrap();
        let second = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8"
            .parse()
            .unwrap();
        for secret in [KEY, PHRASE, &format!("{PHRASE}/0")] {
            let signer = signer(&format!("ethereum:{secret}"));
            assert_eq!((signer.address(), signer.is_ethereum()), (first, true));
            assert_eq!(signer.named(), Named::Address(first));
            assert_eq!(signer.account(), fallback_account(first));
        }
        assert_eq!(signer(&format!("ethereum: {PHRASE}/1 ")).address(), second);

        // The same digits are another account on a chain of the Polkadot SDK.
        assert!(!signer(&format!("sr25519:{KEY}")).is_ethereum());
        for secret in [KEY, &KEY[2..], &format!("{KEY}//hard")] {
            let error = Signer::from_secret(secret).unwrap_err();
            assert_eq!(error, SecretError::Ambiguous);
        }
        assert!(!signer(PHRASE).is_ethereum());
    }

    #[test]
    fn a_bad_secret_is_not_repeated() {
        let secrets = ["", "  ", "hunter2", "0x1234", "legal winner thank year"];
        let of_ethereum = ["ethereum:0x12", "ethereum:hunter2/x"];
        for secret in secrets.into_iter().chain(of_ethereum) {
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
