//! How transactions of the chain are written: the little that is taken from its node's metadata, once it was compared
//! with what is known of the chain.

use codec::{Decode, Encode as _};
use connect4_protocol::public_chains::Deposits;
use connect4_protocol::transaction::{CALLS, Excess, Extensions, PalletCall, Signed};
use scale_info::{PortableRegistry, TypeDef};
use sp_crypto_hashing::blake2_256;
use subxt::metadata::Metadata;
use subxt::utils::{AccountId32, H256};

use crate::accounts::ethereum::{ETH_TRANSACT, EXTRINSIC};
use crate::chain::block_ref::BlockRef;
use crate::chain::client::{Client, PALLET};
use crate::chain::known::{
    Doubt, Facts, Reported, Runtime, Trust, Trusted, Units, returns_deposits_whole,
};
use crate::chain::runtimes::Described;
use crate::chain::token::Token;
use crate::error::Error;
use crate::task::Task;

/// Format 4 of transactions, signed.
const SIGNED: u8 = 0x84;
/// Format 4 of transactions, without a signature.
const BARE: u8 = 0x04;
/// Kind of a signature, in front of its bytes.
pub(crate) const SR25519: u8 = 1;
/// Kind of a signer's address: an account.
const ACCOUNT: u8 = 0;
/// Version of the transactions' extensions that transactions of format 4 have.
const EXTENSIONS: u8 = 0;
/// Bytes from which on a hash is signed in their place.
const MOST_SIGNED: usize = 256;
/// Items and bytes that a call of the contracts stores at most before it frees as much. The dearest stores 3 items.
const STORED_ITEMS: u128 = 16;
const STORED_BYTES: u128 = 4_096;
/// Items at the top of the storage that a deployment stores at most, with the contracts that it deploys and the margin of
/// its limit. The dearest stores 9.
const DEPLOYED_ITEMS: u128 = 32;

/// How transactions of the chain are written.
#[derive(Clone, Debug)]
pub(crate) struct Form {
    trusted: Trusted,
    spec_version: u32,
    transaction_version: u32,
    genesis: H256,
    names: Vec<String>,
    extensions: Extensions,
    metadata_hash: Option<[u8; 32]>,
}

/// A transaction without its signature: see [`Unsigned`](crate::Unsigned).
#[derive(Clone, Debug)]
pub(crate) struct Written {
    /// The call.
    pub(crate) call: Vec<u8>,
    /// For how many blocks the transaction is valid.
    pub(crate) era: [u8; 2],
    /// What stands in the transaction between signature and call.
    explicit: Vec<u8>,
    /// What is signed besides.
    implicit: Vec<u8>,
}

impl Written {
    /// What is signed, whole.
    pub(super) fn signed_bytes(&self) -> Vec<u8> {
        [&self.call[..], &self.explicit, &self.implicit].concat()
    }

    /// The bytes that are signed: what is signed, or its hash if it is long.
    pub(crate) fn payload(&self) -> Vec<u8> {
        let bytes = self.signed_bytes();
        match bytes.len() > MOST_SIGNED {
            true => blake2_256(&bytes).to_vec(),
            false => bytes,
        }
    }

    /// The bytes before the signature.
    pub(crate) fn head(account: &AccountId32) -> Vec<u8> {
        [&[SIGNED, ACCOUNT][..], &account.0].concat()
    }

    /// The bytes behind the signature.
    pub(crate) fn tail(&self) -> Vec<u8> {
        [&self.explicit[..], &self.call].concat()
    }
}

impl Form {
    /// How transactions are written for a runtime as its node describes it.
    ///
    /// # Errors
    ///
    /// Those of [`Trust::check`]; [`Doubt::Differs`] if calls have other numbers than in pallet-revive,
    /// [`Doubt::Unsignable`] if transactions have extensions that can't be signed.
    pub(crate) fn of(
        described: &Described,
        genesis: H256,
        token: &Token,
        trust: &Trust,
    ) -> Result<Self, Doubt> {
        let metadata = &described.metadata;
        let (reported, version, names) = reported(metadata, genesis, token)?;
        let trusted = trust.check(&reported)?;
        check_numbers(metadata)?;
        let types = metadata.types();
        let adds_nothing = |name: &str| {
            let mut all = metadata
                .extrinsic()
                .transaction_extensions_by_version(EXTENSIONS)
                .into_iter()
                .flatten();
            all.any(|extension| {
                extension.identifier() == name
                    && is_empty(types, extension.extra_ty())
                    && is_empty(types, extension.additional_ty())
            })
        };
        let extensions = Extensions::named(names.iter().map(String::as_str), adds_nothing)
            .map_err(|error| Doubt::Unsignable(error.to_string()))?;
        let metadata_hash = match trusted.metadata_hash {
            true => {
                let hash = described.hash(&reported.runtime, token);
                Some(hash.map_err(Doubt::Unsignable)?)
            }
            false => None,
        };
        Ok(Self {
            trusted,
            spec_version: version.spec_version,
            transaction_version: version.transaction_version,
            genesis: reported.genesis,
            names,
            extensions,
            metadata_hash,
        })
    }

    /// A call as bytes.
    ///
    /// # Errors
    ///
    /// [`Doubt::TooMuch`] if it would be allowed to take more than a call of the contracts takes.
    pub(crate) fn call(&self, call: &PalletCall) -> Result<Vec<u8>, Doubt> {
        if let Some(Excess { what, asked, most }) = call.limits().and_then(|limits| limits.excess())
        {
            return Err(Doubt::TooMuch {
                what,
                asked: asked.into(),
                most: most.into(),
            });
        }
        let deposit = match call {
            PalletCall::Call { limits, .. } | PalletCall::InstantiateWithCode { limits, .. } => {
                limits.deposit
            }
            PalletCall::MapAccount => 0,
        };
        match self.most_deposit(call) {
            most if deposit > most => Err(Doubt::TooMuch {
                what: "deposit",
                asked: deposit,
                most,
            }),
            _ => Ok(call.encode(self.trusted.facts.pallet)),
        }
    }

    /// The most that a call may hold as a deposit, in the token's smallest unit.
    pub(crate) fn most_deposit(&self, call: &PalletCall) -> u128 {
        let Deposits {
            item,
            child_item,
            byte,
        } = self.trusted.facts.deposits;
        let stored = child_item
            .saturating_mul(STORED_ITEMS)
            .saturating_add(byte.saturating_mul(STORED_BYTES));
        match call {
            PalletCall::MapAccount => 0,
            PalletCall::Call { .. } => stored,
            // The records of a contract and of its code stand at the top.
            PalletCall::InstantiateWithCode { code, .. } => {
                let length = u128::try_from(code.len()).unwrap_or(u128::MAX);
                stored
                    .saturating_add(item.saturating_mul(DEPLOYED_ITEMS))
                    .saturating_add(length.saturating_mul(byte))
            }
        }
    }

    /// Least fee of a transaction of so many bytes, in the token's smallest unit, if the prices are known.
    pub(crate) fn least_fee(&self, call: &PalletCall, length: usize) -> u128 {
        let (Some(prices), Some(limits)) = (self.trusted.prices, call.limits()) else {
            return 0;
        };
        prices.fee(limits.ref_time, limits.proof_size, length)
    }

    /// Hash of the chain's first block.
    pub(crate) const fn genesis(&self) -> H256 {
        self.genesis
    }

    /// A transaction with a call.
    pub(crate) fn write(&self, call: Vec<u8>, nonce: u64, anchor: BlockRef) -> Written {
        let signed = Signed {
            spec_version: self.spec_version,
            transaction_version: self.transaction_version,
            genesis: self.genesis.0,
            anchor: anchor.number,
            anchor_hash: anchor.hash.0,
            nonce,
            metadata_hash: self.metadata_hash,
        };
        Written {
            call,
            era: signed.era(),
            explicit: self.extensions.explicit(&signed),
            implicit: self.extensions.implicit(&signed),
        }
    }

    /// An extrinsic that carries a signed transaction of Ethereum.
    pub(crate) fn carry(&self, payload: &[u8]) -> Vec<u8> {
        let inner = (
            [BARE, self.trusted.facts.pallet, ETH_TRANSACT],
            payload.to_vec(),
        );
        inner.encode().encode()
    }

    pub(crate) const fn chain_id(&self) -> Option<u64> {
        self.trusted.facts.chain_id
    }

    pub(crate) const fn spec_version(&self) -> u32 {
        self.spec_version
    }

    pub(crate) const fn transaction_version(&self) -> u32 {
        self.transaction_version
    }

    /// The same without the hash of the metadata.
    #[cfg(test)]
    pub(super) const fn without_metadata_hash(mut self) -> Self {
        self.metadata_hash = None;
        self
    }

    /// Hash of the metadata that is signed; none if none is.
    pub(crate) const fn metadata_hash(&self) -> Option<[u8; 32]> {
        self.metadata_hash
    }

    /// Names of the extensions, in order.
    pub(crate) fn extension_names(&self) -> &[String] {
        &self.names
    }
}

/// What a runtime says of itself, in its constant `System.Version`.
#[derive(Decode)]
struct Version {
    spec_name: String,
    _impl_name: String,
    _authoring_version: u32,
    spec_version: u32,
    _impl_version: u32,
    _apis: Vec<([u8; 8], u32)>,
    transaction_version: u32,
}

impl Version {
    fn runtime(&self) -> Runtime {
        Runtime {
            name: self.spec_name.clone(),
            version: self.spec_version,
        }
    }
}

/// Whether a deposit comes back whole to who signs the call that removes its storage, as it does up to pallet-revive
/// 0.18. From 0.19 on a chain can have it that nobody gets back more than they have paid for a contract, which
/// metadata do not tell: then it counts as a chain that does, unless the runtime is one of this project.
pub(crate) fn returns_deposits(metadata: &Metadata) -> bool {
    let shares = metadata
        .pallet_by_name(PALLET)
        .and_then(|pallet| pallet.storage()?.entry_by_name("NativeDepositOf").map(drop));
    let runtime =
        constant::<Version>(metadata, "System", "Version").map(|version| version.runtime());
    shares.is_none() || runtime.is_some_and(|runtime| returns_deposits_whole(&runtime))
}

fn constant<T: Decode>(metadata: &Metadata, pallet: &str, name: &str) -> Option<T> {
    let constant = metadata.pallet_by_name(pallet)?.constant_by_name(name)?;
    T::decode(&mut constant.value()).ok()
}

/// Types that are looked at to find that one of them has no bytes, at most.
const MOST_TYPES: u32 = 64;

/// Whether a type has no bytes. One in which more than [`MOST_TYPES`] would have to be looked at counts as one that has.
fn is_empty(types: &PortableRegistry, id: u32) -> bool {
    fn of(types: &PortableRegistry, id: u32, left: &mut u32) -> bool {
        let Some(fewer) = left.checked_sub(1) else {
            return false;
        };
        *left = fewer;
        match types.resolve(id).map(|found| &found.type_def) {
            Some(TypeDef::Composite(inner)) => inner
                .fields
                .iter()
                .all(|field| of(types, field.ty.id, left)),
            Some(TypeDef::Tuple(inner)) => inner.fields.iter().all(|one| of(types, one.id, left)),
            Some(TypeDef::Array(inner)) => inner.len == 0,
            _ => false,
        }
    }
    of(types, id, &mut { MOST_TYPES })
}

/// What the metadata report that signatures rely on, and the names of the transactions' extensions.
fn reported(
    metadata: &Metadata,
    genesis: H256,
    token: &Token,
) -> Result<(Reported, Version, Vec<String>), Doubt> {
    let lacks = |what: &str| Doubt::Unsignable(format!("they have no {what}"));
    let version: Version =
        constant(metadata, "System", "Version").ok_or_else(|| lacks("version of the runtime"))?;
    let pallet = metadata
        .pallet_by_name(PALLET)
        .ok_or_else(|| lacks("pallet-revive"))?;
    let amount = |name| constant::<u128>(metadata, PALLET, name);
    let item = amount("DepositPerItem").ok_or_else(|| lacks("deposit for an item"))?;
    let deposits = Deposits {
        item,
        // Older chains have one price for items at the top and in contracts.
        child_item: amount("DepositPerChildTrieItem").unwrap_or(item),
        byte: amount("DepositPerByte").ok_or_else(|| lacks("deposit for a byte"))?,
    };
    let extensions = metadata.extrinsic();
    let names = extensions
        .transaction_extensions_by_version(EXTENSIONS)
        .ok_or_else(|| lacks("extensions of format 4"))?
        .map(|extension| extension.identifier().to_owned())
        .collect::<Vec<_>>();
    let reported = Reported {
        genesis,
        runtime: version.runtime(),
        facts: Facts {
            pallet: pallet.index(),
            chain_id: constant(metadata, PALLET, "ChainId"),
            deposits,
            units: Units {
                decimals: token.decimals,
                ratio: token.ratio,
            },
        },
        has_metadata_hash: names.iter().any(|name| name == "CheckMetadataHash"),
    };
    Ok((reported, version, names))
}

/// Checks that calls have the numbers in the pallet with which they are written.
fn check_numbers(metadata: &Metadata) -> Result<(), Doubt> {
    let pallet = metadata.pallet_by_name(PALLET);
    for (name, known) in CALLS.into_iter().chain([(EXTRINSIC, ETH_TRANSACT)]) {
        let found = pallet
            .as_ref()
            .and_then(|pallet| pallet.call_variant_by_name(name));
        if let Some(found) = found
            && found.index != known
        {
            return Err(Doubt::Differs {
                what: "a call of the contracts' pallet with number",
                reported: format!("{} ({name})", found.index),
                known: known.to_string(),
            });
        }
    }
    Ok(())
}

impl Client {
    /// How transactions of the chain are written, by the runtime of the best block.
    ///
    /// # Errors
    ///
    /// [`Error::Doubtful`] if the node reports something else than is known of the chain.
    pub(crate) fn form(&self, task: &Task) -> Result<Form, Error> {
        let described = self.shared.runtimes.best();
        let form = Form::of(&described, self.genesis(), self.token(), &self.trust);
        form.map_err(|doubt| Error::doubtful(task, doubt))
    }
}
