//! What all signatures share: the digest of EIP-712, bound to one contract on one chain.

use core::fmt;

use crate::Address;

/// A keccak-256 hash.
pub type Digest = [u8; 32];

/// Signature with a secp256k1 key: `r`, `s` and `v`, as Ethereum writes it. `v` is 27 or 28.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    codec::Encode,
    codec::Decode,
    codec::MaxEncodedLen,
    scale_info::TypeInfo,
)]
pub struct Signature(pub [u8; 65]);

impl Signature {
    /// No signature: zeros, from which no key is recovered.
    pub const NONE: Self = Self([0; 65]);
}

impl Default for Signature {
    fn default() -> Self {
        Self::NONE
    }
}

/// `0x` and 130 hexadecimal digits.
impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("0x")?;
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// What statements need of cryptography. A contract has it from the chain, a program from a library.
pub trait Crypto {
    /// Keccak-256 of the bytes.
    fn keccak256(&self, bytes: &[u8]) -> Digest;

    /// Ethereum address of the key with which the digest was signed; none if the signature is none.
    fn recover(&self, digest: &Digest, signature: &Signature) -> Option<Address>;

    /// [`Domain::separator`], which a contract that checks many signatures for one domain computes once.
    fn separator(&self, domain: &Domain) -> Digest
    where
        Self: Sized,
    {
        domain.separator(self)
    }
}

/// Key that signs statements, with the cryptography by which its own and other signatures are checked.
pub trait Signing: Crypto {
    /// The Ethereum address of the key.
    fn address(&self) -> Address;

    /// Signs a digest.
    fn sign(&self, digest: &Digest) -> Signature;
}

/// What the statements of a contract look like: the version of the domain of EIP-712.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum StatementVersion {
    /// `1`, of contracts up to [version](crate::VERSION) 4: statements have `uint32 game`, so that all
    /// games begin on the chain.
    One,
    /// `2`: statements have `uint256 game`, for games by [signed terms](super::GameTerms) as well.
    #[default]
    Two,
}

impl StatementVersion {
    /// Whether it is the first one. A contract is not of this program if its statements are: it has no code
    /// for them.
    pub(super) const fn is_first(self) -> bool {
        cfg!(not(target_arch = "riscv64")) && matches!(self, Self::One)
    }
}

/// Contract and chain for which statements are made: the domain of EIP-712, with the name
/// `Connect Four`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Domain {
    /// EIP-155 number of the chain.
    pub chain_id: u64,
    /// Contract of the fast games, which takes the statements.
    pub contract: Address,
    /// What the statements of that contract look like.
    pub version: StatementVersion,
}

/// Hash of a text at compile time.
pub(crate) const fn hash_of(text: &str) -> Digest {
    keccak_const::Keccak256::new()
        .update(text.as_bytes())
        .finalize()
}

const DOMAIN_TYPE: Digest =
    hash_of("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
const NAME: Digest = hash_of("Connect Four");
const VERSION_ONE: Digest = hash_of("1");
const VERSION_TWO: Digest = hash_of("2");

impl Domain {
    /// That of a contract of the newest version.
    #[must_use]
    pub const fn new(chain_id: u64, contract: Address) -> Self {
        Self {
            chain_id,
            contract,
            version: StatementVersion::Two,
        }
    }

    /// Hash of the domain, which is in each digest.
    #[must_use]
    pub fn separator(&self, crypto: &impl Crypto) -> Digest {
        let version = match self.version.is_first() {
            true => VERSION_ONE,
            false => VERSION_TWO,
        };
        crypto.keccak256(
            [
                DOMAIN_TYPE,
                NAME,
                version,
                word(self.chain_id),
                address(&self.contract),
            ]
            .as_flattened(),
        )
    }

    /// Digest of a struct of this domain, which is what is signed.
    #[must_use]
    pub fn digest(&self, crypto: &impl Crypto, hash_struct: &Digest) -> Digest {
        let separator = crypto.separator(self);
        let mut bytes = [0; 66];
        let (prefix, rest) = bytes.split_at_mut(2);
        let (domain, message) = rest.split_at_mut(32);
        prefix.copy_from_slice(&[0x19, 0x01]);
        domain.copy_from_slice(&separator);
        message.copy_from_slice(hash_struct);
        crypto.keccak256(&bytes)
    }
}

/// A number as EIP-712 encodes it.
#[inline(never)]
pub(crate) fn word(number: u64) -> Digest {
    let mut word = [0; 32];
    let (_, low) = word.split_at_mut(24);
    low.copy_from_slice(&number.to_be_bytes());
    word
}

/// An address as EIP-712 encodes it.
#[inline(never)]
pub(crate) fn address(address: &Address) -> Digest {
    let mut word = [0; 32];
    let (_, low) = word.split_at_mut(12);
    low.copy_from_slice(&address.0);
    word
}
