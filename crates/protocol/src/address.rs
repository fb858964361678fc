//! Addresses of contracts, and of accounts as contracts see them.

use core::fmt;
use core::str::FromStr;

/// An address of 20 bytes: a contract's, or an account's as contracts see it.
///
/// # Examples
///
/// ```
/// use connect4_protocol::Address;
///
/// let address = Address([0xab; 20]);
/// assert_eq!(address.to_string(), "0xabababababababababababababababababababab");
/// assert_eq!(address.to_string().parse(), Ok(address));
/// ```
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    codec::Encode,
    codec::Decode,
    codec::MaxEncodedLen,
)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS), ts(type = "string"))]
// On the contracts' machine an unaligned value is moved byte by byte. The stakes move many
// addresses; the contract of the games, whose records have them at odd places, grows by it.
#[cfg_attr(feature = "ink-stakes", repr(align(4)))]
pub struct Address(pub [u8; 20]);

impl Address {
    /// The zero address, which no account and no contract has.
    pub const ZERO: Self = Self([0; 20]);

    /// The last 20 bytes of a keccak-256 hash: of a public key, the address that Ethereum and
    /// pallet-revive give it.
    #[must_use]
    pub fn of_hash(hash: &[u8; 32]) -> Self {
        let mut address = Self::ZERO;
        let (_, last) = hash.split_at(12);
        address.0.copy_from_slice(last);
        address
    }
}

/// Metadata describe it as the `H160` of other contracts: UIs know that type by its path and show
/// it as hexadecimal digits.
impl scale_info::TypeInfo for Address {
    // The same entry in the metadata of a contract.
    #[cfg(feature = "in-contract")]
    type Identity = ink::Address;
    #[cfg(not(feature = "in-contract"))]
    type Identity = Self;

    fn type_info() -> scale_info::Type {
        scale_info::Type::builder()
            .path(scale_info::Path::from_segments_unchecked([
                "primitive_types",
                "H160",
            ]))
            .composite(
                scale_info::build::Fields::unnamed()
                    .field(|field| field.ty::<[u8; 20]>().type_name("[u8; 20]")),
            )
    }
}

#[cfg(feature = "in-contract")]
impl From<ink::Address> for Address {
    fn from(address: ink::Address) -> Self {
        Self(address.0)
    }
}

#[cfg(feature = "in-contract")]
impl From<Address> for ink::Address {
    fn from(address: Address) -> Self {
        Self(address.0)
    }
}

#[cfg(all(feature = "ink-stakes", feature = "std"))]
impl ink::storage::traits::StorageLayout for Address {
    fn layout(key: &ink::primitives::Key) -> ink::metadata::layout::Layout {
        ink::Address::layout(key)
    }
}

/// `0x` and 40 hexadecimal digits.
impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("0x")?;
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Returned if a text is not an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AddressError;

impl fmt::Display for AddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an address is 0x and 40 hexadecimal digits")
    }
}

impl core::error::Error for AddressError {}

/// Reads what `Display` writes; digits may be capital.
impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        let digits = text.strip_prefix("0x").ok_or(AddressError)?.as_bytes();
        if digits.len() != 40 {
            return Err(AddressError);
        }
        let mut address = [0_u8; 20];
        for (byte, pair) in address.iter_mut().zip(digits.chunks_exact(2)) {
            for &digit in pair {
                let digit = char::from(digit).to_digit(16).ok_or(AddressError)?;
                // Two hexadecimal digits: neither the shift nor the sum exceeds a byte.
                *byte = byte.wrapping_shl(4) | digit as u8;
            }
        }
        Ok(Self(address))
    }
}
