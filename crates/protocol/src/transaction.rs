//! Transactions for pallet-revive, written and read by this program and not by a node's metadata.
//!
//! A node reports its chain's metadata: the numbers of pallets and calls, the types of their fields, and the
//! extensions of transactions. A false report makes a signature mean something else than its signer was shown. So
//! calls are written here, as bytes. A signature begins with the call, which any chain reads from the first byte on:
//! if the pallet's number is right, the chain reads the call that is written here, whatever else was reported.
//!
//! Behind the call stands what the extensions of transactions sign: first one part of each, then the other. What is
//! written there besides era and number of the transaction is zeros (no tip, no other asset, no hash of metadata),
//! so that no chain reads a tip from it, in whichever order it has the extensions that come later.

use alloc::vec::Vec;
use core::fmt;

use codec::{Compact, Decode, DecodeAll as _, Encode};

use crate::Address;

/// For how many blocks a signed transaction is valid, from the block on at which it is anchored.
pub const MORTALITY: u32 = 64;
/// Time that a call may take at most, in picoseconds. The dearest call of the contracts takes a tenth.
pub const MOST_REF_TIME: u64 = 100_000_000_000;
/// Bytes of proof that a call may take at most. The dearest call of the contracts takes a tenth.
pub const MOST_PROOF_SIZE: u64 = 3_000_000;
/// Address to which a transaction of Ethereum is sent that carries a call of a pallet, as pallet-revive defines
/// it: `modlpy/paddr`, then zeros.
pub const PALLETS: Address = Address(*b"modlpy/paddr\0\0\0\0\0\0\0\0");

/// Names and numbers of the calls in pallet-revive 0.10 to 0.20.2.
pub const CALLS: [(&str, u8); 3] = [
    ("call", 1),
    ("instantiate_with_code", 3),
    ("map_account", 7),
];

/// What a call may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Time, in picoseconds.
    pub ref_time: u64,
    /// Proof, in bytes.
    pub proof_size: u64,
    /// Deposit for storage, in the token's smallest unit.
    pub deposit: u128,
}

impl Limits {
    /// What it may take more of than a call of the contracts may: time first, then proof; none if it may not.
    #[must_use]
    pub const fn excess(&self) -> Option<Excess> {
        if self.ref_time > MOST_REF_TIME {
            Some(Excess {
                what: "time",
                asked: self.ref_time,
                most: MOST_REF_TIME,
            })
        } else if self.proof_size > MOST_PROOF_SIZE {
            Some(Excess {
                what: "proof",
                asked: self.proof_size,
                most: MOST_PROOF_SIZE,
            })
        } else {
            None
        }
    }
}

/// More than a call of the contracts may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Excess {
    /// What is taken: `time`, in picoseconds, or `proof`, in bytes.
    pub what: &'static str,
    /// How much is asked for.
    pub asked: u64,
    /// The most that a call takes.
    pub most: u64,
}

/// A call of pallet-revive, with the fields of 0.10 to 0.20.2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PalletCall {
    /// `call`: a message to a contract.
    Call {
        /// The contract.
        contract: Address,
        /// Payment, in the token's smallest unit.
        value: u128,
        /// What it may take.
        limits: Limits,
        /// Input of the contract.
        input: Vec<u8>,
    },
    /// `instantiate_with_code`: uploads code and makes a contract of it.
    InstantiateWithCode {
        /// What it may take.
        limits: Limits,
        /// The code.
        code: Vec<u8>,
        /// Input of the constructor.
        input: Vec<u8>,
        /// Salt of the contract's address.
        salt: [u8; 32],
    },
    /// `map_account`: maps the signer's account to its address.
    MapAccount,
}

/// The fields of `call`, in order.
#[derive(Decode)]
struct CallFields {
    contract: [u8; 20],
    value: Compact<u128>,
    ref_time: Compact<u64>,
    proof_size: Compact<u64>,
    deposit: Compact<u128>,
    input: Vec<u8>,
}

impl PalletCall {
    /// Number of the call in the pallet.
    #[must_use]
    pub const fn number(&self) -> u8 {
        let at = match self {
            Self::Call { .. } => 0,
            Self::InstantiateWithCode { .. } => 1,
            Self::MapAccount => 2,
        };
        CALLS[at].1
    }

    /// What the call may take; none if it has no limits.
    #[must_use]
    pub const fn limits(&self) -> Option<Limits> {
        match self {
            Self::Call { limits, .. } | Self::InstantiateWithCode { limits, .. } => Some(*limits),
            Self::MapAccount => None,
        }
    }

    /// The call as bytes, on a chain on which pallet-revive has this number.
    #[must_use]
    pub fn encode(&self, pallet: u8) -> Vec<u8> {
        let mut bytes = Vec::from([pallet, self.number()]);
        let weight = |limits: &Limits| (Compact(limits.ref_time), Compact(limits.proof_size));
        match self {
            Self::Call {
                contract,
                value,
                limits,
                input,
            } => {
                let deposit = Compact(limits.deposit);
                (contract.0, Compact(*value), weight(limits), deposit, input).encode_to(&mut bytes);
            }
            Self::InstantiateWithCode {
                limits,
                code,
                input,
                salt,
            } => {
                let (nothing, deposit) = (Compact(0_u128), Compact(limits.deposit));
                (nothing, weight(limits), deposit, code, input, Some(salt)).encode_to(&mut bytes);
            }
            Self::MapAccount => {}
        }
        bytes
    }

    /// Reads a call of a contract or one that maps an account, with the number of its pallet; none if the bytes
    /// are none, or have more behind it.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Option<(u8, Self)> {
        let (&[pallet, number], fields) = bytes.split_first_chunk()?;
        let call = match fields {
            [] => Self::MapAccount,
            mut fields => {
                let read = CallFields::decode_all(&mut fields).ok()?;
                Self::Call {
                    contract: Address(read.contract),
                    value: read.value.0,
                    limits: Limits {
                        ref_time: read.ref_time.0,
                        proof_size: read.proof_size.0,
                        deposit: read.deposit.0,
                    },
                    input: read.input,
                }
            }
        };
        (call.number() == number).then_some((pallet, call))
    }
}

/// What an extension of transactions adds to what is signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extension {
    /// Nothing.
    Nothing,
    SpecVersion,
    TransactionVersion,
    Genesis,
    Mortality,
    Nonce,
    /// A tip.
    Tip,
    /// A tip, and the asset in which the fee is paid.
    TipInAsset,
    MetadataHash,
}

impl Extension {
    /// The extension with this name; none if it is not known.
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "AuthorizeCall"
            | "CheckNonZeroSender"
            | "CheckWeight"
            | "EthSetOrigin"
            | "PrevalidateAttests"
            | "StorageWeightReclaim"
            | "WeightReclaim" => Self::Nothing,
            "CheckSpecVersion" => Self::SpecVersion,
            "CheckTxVersion" => Self::TransactionVersion,
            "CheckGenesis" => Self::Genesis,
            "CheckMortality" => Self::Mortality,
            "CheckNonce" => Self::Nonce,
            "ChargeTransactionPayment" => Self::Tip,
            "ChargeAssetTxPayment" => Self::TipInAsset,
            "CheckMetadataHash" => Self::MetadataHash,
            _ => return None,
        })
    }
}

/// Extensions that sign something and come first on every chain, in this order.
const FIRST: [Extension; 5] = [
    Extension::SpecVersion,
    Extension::TransactionVersion,
    Extension::Genesis,
    Extension::Mortality,
    Extension::Nonce,
];

/// Why the extensions of a chain's transactions are not signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExtensionsError<'a> {
    /// An extension is not known, and may add something to what is signed.
    Unknown(&'a str),
    /// An extension comes twice.
    Twice(&'a str),
    /// They do not begin as on every chain: versions, genesis, era, number.
    Order,
    /// Not just one of them pays the fee. In the place of one that it does not know a wallet signs nothing.
    Payment,
}

impl fmt::Display for ExtensionsError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(name) => write!(f, "its transactions have an unknown extension, {name}"),
            Self::Twice(name) => write!(f, "its transactions have the extension {name} twice"),
            Self::Order => {
                f.write_str("the extensions of its transactions are not in the order of all chains")
            }
            Self::Payment => {
                f.write_str("not just one of the extensions of its transactions pays the fee")
            }
        }
    }
}

/// The extensions of a chain's transactions, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extensions(Vec<Extension>);

impl Extensions {
    /// The extensions with these names. An unknown one is taken for one that adds nothing if it comes late and is said
    /// to add nothing.
    ///
    /// # Errors
    ///
    /// The first that is unknown and adds something, or comes twice; then [`ExtensionsError::Order`], then
    /// [`ExtensionsError::Payment`].
    pub fn named<'a>(
        names: impl IntoIterator<Item = &'a str>,
        adds_nothing: impl Fn(&str) -> bool,
    ) -> Result<Self, ExtensionsError<'a>> {
        fn signed(all: &[Extension]) -> impl Iterator<Item = &Extension> {
            all.iter().filter(|one| **one != Extension::Nothing)
        }
        let (mut seen, mut extensions) = (Vec::new(), Vec::new());
        for name in names {
            if seen.contains(&name) {
                return Err(ExtensionsError::Twice(name));
            }
            seen.push(name);
            match Extension::named(name) {
                Some(extension) => extensions.push(extension),
                None if signed(&extensions).count() >= FIRST.len() && adds_nothing(name) => {
                    extensions.push(Extension::Nothing);
                }
                None => return Err(ExtensionsError::Unknown(name)),
            }
        }
        if !signed(&extensions).take(FIRST.len()).eq(&FIRST) {
            return Err(ExtensionsError::Order);
        }
        let payments = [Extension::Tip, Extension::TipInAsset];
        let paying = extensions.iter().filter(|one| payments.contains(one));
        match paying.count() {
            1 => Ok(Self(extensions)),
            _ => Err(ExtensionsError::Payment),
        }
    }

    /// Whether the chain compares the hash of its metadata with the signed one.
    #[must_use]
    pub fn has_metadata_hash(&self) -> bool {
        self.0.contains(&Extension::MetadataHash)
    }

    /// What stands in the transaction, between signature and call.
    #[must_use]
    pub fn explicit(&self, signed: &Signed) -> Vec<u8> {
        let mut bytes = Vec::new();
        for extension in &self.0 {
            match extension {
                Extension::Mortality => bytes.extend(signed.era()),
                Extension::Nonce => Compact(signed.nonce).encode_to(&mut bytes),
                Extension::Tip => bytes.push(0),
                Extension::TipInAsset => bytes.extend([0, 0]),
                Extension::MetadataHash => bytes.push(u8::from(signed.metadata_hash.is_some())),
                _ => {}
            }
        }
        bytes
    }

    /// What is signed besides, and is not in the transaction.
    #[must_use]
    pub fn implicit(&self, signed: &Signed) -> Vec<u8> {
        let mut bytes = Vec::new();
        for extension in &self.0 {
            match extension {
                Extension::SpecVersion => signed.spec_version.encode_to(&mut bytes),
                Extension::TransactionVersion => signed.transaction_version.encode_to(&mut bytes),
                Extension::Genesis => bytes.extend(signed.genesis),
                Extension::Mortality => bytes.extend(signed.anchor_hash),
                Extension::MetadataHash => signed.metadata_hash.encode_to(&mut bytes),
                _ => {}
            }
        }
        bytes
    }
}

/// What is signed with a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signed {
    /// Version of the runtime.
    pub spec_version: u32,
    /// Version of the format of transactions.
    pub transaction_version: u32,
    /// Hash of the chain's first block.
    pub genesis: [u8; 32],
    /// Number of the block at which the transaction is anchored.
    pub anchor: u32,
    /// Its hash.
    pub anchor_hash: [u8; 32],
    /// Number of the account's transactions before.
    pub nonce: u64,
    /// Hash of the metadata by which the transaction was made (RFC 78); none if the chain compares none.
    pub metadata_hash: Option<[u8; 32]>,
}

impl Signed {
    /// The era: valid for [`MORTALITY`] blocks from the anchor on.
    ///
    /// The four low bits are the logarithm of the period less one, the others the anchor's number within a period.
    #[must_use]
    pub const fn era(&self) -> [u8; 2] {
        let phase = (self.anchor % MORTALITY) as u16;
        ((MORTALITY.trailing_zeros() as u16 - 1) | (phase << 4)).to_le_bytes()
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    const HUB: [&str; 13] = [
        "AuthorizeCall",
        "CheckNonZeroSender",
        "CheckSpecVersion",
        "CheckTxVersion",
        "CheckGenesis",
        "CheckMortality",
        "CheckNonce",
        "CheckWeight",
        "ChargeAssetTxPayment",
        "PrevalidateAttests",
        "CheckMetadataHash",
        "EthSetOrigin",
        "StorageWeightReclaim",
    ];

    fn signed() -> Signed {
        Signed {
            spec_version: 2_003_001,
            transaction_version: 15,
            genesis: [1; 32],
            anchor: 1_000,
            anchor_hash: [2; 32],
            nonce: 70,
            metadata_hash: None,
        }
    }

    #[test]
    fn a_call_is_written_as_it_is_read() {
        let call = PalletCall::Call {
            contract: Address([9; 20]),
            value: 1 << 70,
            limits: Limits {
                ref_time: 1_000_000,
                proof_size: 70_000,
                deposit: 5,
            },
            input: vec![1, 2, 3],
        };
        let bytes = call.encode(90);
        assert_eq!(bytes[..3], [90, 1, 9]);
        assert_eq!(PalletCall::read(&bytes), Some((90, call)));
        assert_eq!(
            PalletCall::read(&[&bytes[..], &[0]].concat()),
            None,
            "more behind it"
        );
        assert_eq!(
            PalletCall::read(&[&[90, 4], &bytes[2..]].concat()),
            None,
            "another call"
        );
        assert_eq!(
            PalletCall::read(&[90, 7]),
            Some((90, PalletCall::MapAccount))
        );
        for none in [&[][..], &[90], &[90, 1], &bytes[..bytes.len() - 1]] {
            assert_eq!(PalletCall::read(none), None);
        }
    }

    #[test]
    fn extensions_of_polkadot_hub_add_era_number_and_zeros() {
        let hub = Extensions::named(HUB, |_| false).unwrap();
        assert!(hub.has_metadata_hash());
        // Block 1,000 is the 40th of its 64; number 70; no tip, in no asset, no hash.
        assert_eq!(hub.explicit(&signed()), [0x85, 0x02, 0x19, 0x01, 0, 0, 0]);
        let implicit = hub.implicit(&signed());
        assert_eq!(implicit.len(), 4 + 4 + 32 + 32 + 1);
        assert_eq!(implicit[..8], [0x39, 0x90, 0x1e, 0, 15, 0, 0, 0]);
        let with_hash = Signed {
            metadata_hash: Some([3; 32]),
            ..signed()
        };
        assert_eq!(hub.explicit(&with_hash)[6], 1);
        assert_eq!(
            hub.implicit(&with_hash)[72..],
            [&[1][..], &[3; 32]].concat()
        );
    }

    #[test]
    fn extensions_that_could_move_what_is_signed_are_refused() {
        let named = |names: &[&'static str], adds_nothing: bool| {
            Extensions::named(names.iter().copied(), |_| adds_nothing).map(|_| ())
        };
        let mut exchanged = HUB;
        exchanged.swap(5, 6);
        assert_eq!(named(&exchanged, true), Err(ExtensionsError::Order));
        assert_eq!(
            named(&HUB[..6], true),
            Err(ExtensionsError::Order),
            "no number"
        );
        assert_eq!(named(&[], true), Err(ExtensionsError::Order));
        assert_eq!(
            named(&HUB[..8], true),
            Err(ExtensionsError::Payment),
            "no fee"
        );
        let paid_twice = [&HUB[..], &["ChargeTransactionPayment"]].concat();
        assert_eq!(named(&paid_twice, true), Err(ExtensionsError::Payment));
        let twice = [&HUB[..], &HUB[8..9]].concat();
        assert_eq!(
            named(&twice, true),
            Err(ExtensionsError::Twice("ChargeAssetTxPayment"))
        );
        let late = [&HUB[..], &["AsPgas"]].concat();
        assert_eq!(named(&late, false), Err(ExtensionsError::Unknown("AsPgas")));
        assert_eq!(named(&late, true), Ok(()));
        let early = [&["AsPgas"], &HUB[..]].concat();
        assert_eq!(named(&early, true), Err(ExtensionsError::Unknown("AsPgas")));
    }
}
