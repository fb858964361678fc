//! What is known of a chain without its node. What the node reports is compared with it before anything is signed.
//!
//! A call begins with the number of its pallet. By a false number a signature would make a call of another pallet:
//! one that transfers all that the account has, for example. So the number that a node reports counts only if it is
//! known: of a public chain by its first block; of a runtime of this project by its name and its version, which is
//! signed by keys of Substrate and so can't be false for them; of any other chain by what its user has trusted before.

use std::fs;
use std::path::PathBuf;

use connect4_protocol::public_chains::{Deposits, HUB_DEPOSITS, PUBLIC_CHAINS, PublicChain};
use serde_json::{Value, json};
use subxt::utils::H256;

use crate::chain::said::{MOST_OF_NAME, said};
use crate::durable;

/// File with the chains that the user trusts: a list in JSON.
const FILE: &str = "trusted-chains.json";

/// Why nothing is signed: the node reports something else than is known of its chain, or asks for more than a call
/// may take.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Doubt {
    /// Returned if nothing is known of the chain.
    #[error(
        "this program does not know the chain with the first block {genesis:?}, whose runtime is {runtime} by the \
         node's word, with contracts in its pallet {pallet}. If the node lies, what is signed can do anything with \
         the account"
    )]
    UnknownChain {
        /// Hash of the chain's first block.
        genesis: H256,
        /// Name and version of the runtime.
        runtime: String,
        /// Number of pallet-revive.
        pallet: u8,
    },
    /// Returned if the node reports another value than is known.
    #[error("the node reports {what} {reported}, and on this chain it is {known}")]
    Differs {
        /// The value.
        what: &'static str,
        /// As the node reports it.
        reported: String,
        /// As it is known.
        known: String,
    },
    /// Returned if the chain compared the hash of its metadata before, and the node reports that it does not.
    #[error(
        "the node reports that the chain does not compare the hash of its metadata any more, by which false metadata \
         are found out"
    )]
    NoMetadataHash,
    /// Returned if the metadata have no place that signing needs, or one of another kind.
    #[error("the node's metadata can't be signed for: {0}")]
    Unsignable(String),
    /// Returned if a call would be allowed to take more than any call of the contracts takes.
    #[error("the node asks for {asked} of {what}, and a call like this takes {most} at most")]
    TooMuch {
        /// What would be taken.
        what: &'static str,
        /// Amount that the node asks for.
        asked: u128,
        /// Amount that such a call takes at most.
        most: u128,
    },
    /// Returned if a transaction that is to be signed is none that this program has prepared.
    #[error(
        "it is no call of the contracts of games and stakes by this account, as this program prepares it for the chain \
         as it is now"
    )]
    NotPrepared,
    /// Returned if the file of the trusted chains can't be read or written.
    #[error("the chains that are trusted can't be kept in {}: {reason}", .file.display())]
    Unkept {
        /// The file.
        file: PathBuf,
        /// Text of the system's error.
        reason: String,
    },
}

/// What signatures rely on that is the same as long as a chain lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Facts {
    /// Number of pallet-revive.
    pub(crate) pallet: u8,
    /// Number of the chain by EIP-155; none if it takes no transactions of Ethereum.
    pub(crate) chain_id: Option<u64>,
    /// Highest deposits for storage, in the token's smallest unit.
    pub(crate) deposits: Deposits,
    /// How amounts are read and shown: by other units another one would be signed.
    pub(crate) units: Units,
}

/// The units of a chain's token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Units {
    /// Decimals of the token.
    pub(crate) decimals: u32,
    /// Units of contracts in one smallest unit.
    pub(crate) ratio: u128,
}

impl Units {
    /// Those of a chain on which contracts count with 18 decimals, as all that are known do.
    const fn of(decimals: u32) -> Self {
        Self {
            decimals,
            ratio: 10_u128.pow(18 - decimals),
        }
    }
}

/// Prices of transactions, in the token's smallest unit, without tips and while blocks are not crowded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Prices {
    /// Of a billion picoseconds of time.
    gigapicosecond: u128,
    /// Of a byte of proof.
    proof_byte: u128,
    /// Of a byte of the transaction.
    byte: u128,
}

impl Prices {
    /// Least fee of a transaction. The dearer of time and proof counts, as in pallet-revive's `BlockRatioFee`.
    pub(crate) fn fee(&self, ref_time: u64, proof_size: u64, length: usize) -> u128 {
        let time = u128::from(ref_time).saturating_mul(self.gigapicosecond) / 1_000_000_000;
        let proof = u128::from(proof_size).saturating_mul(self.proof_byte);
        let length = u128::try_from(length).unwrap_or(u128::MAX);
        time.max(proof)
            .saturating_add(length.saturating_mul(self.byte))
    }
}

/// A chain or a runtime that is known to everybody.
struct Known {
    facts: Facts,
    prices: Option<Prices>,
    /// Whether signatures name the hash of its metadata.
    has_metadata_hash: bool,
}

/// Prices of Polkadot Hub as the runtimes of this project have them, see COSTS.md.
const HUB_PRICES: Prices = Prices {
    gigapicosecond: 4_600_000,
    proof_byte: 880,
    byte: 50_000,
};

/// A public chain, by the hash of its first block.
fn public(genesis: H256) -> Option<Known> {
    let known = PublicChain::of(&genesis.0)?;
    // The first one is Polkadot Hub.
    let prices = (known == &PUBLIC_CHAINS[0]).then_some(HUB_PRICES);
    Some(Known {
        facts: Facts {
            pallet: known.pallet,
            chain_id: Some(known.chain.chain_id),
            deposits: known.deposits,
            units: Units::of(known.decimals),
        },
        prices,
        has_metadata_hash: known.has_metadata_hash,
    })
}

/// The runtime of `network/` that pays deposits in another asset, for tests.
const PAYS_DEPOSITS_IN_AN_ASSET: (&str, u32) = ("connect4-network", 7);

/// Whether it is known of a runtime that a deposit comes back whole to who signs the call that removes its storage.
pub(crate) fn returns_deposits_whole(runtime: &Runtime) -> bool {
    own(runtime).is_some() && (runtime.name.as_str(), runtime.version) != PAYS_DEPOSITS_IN_AN_ASSET
}

/// A runtime of this project, by its name and version.
fn own(runtime: &Runtime) -> Option<Known> {
    let (pallet, has_metadata_hash) = match (runtime.name.as_str(), runtime.version) {
        ("connect4-local", 1) | ("connect4-network", 1 | 2) => (4, false),
        ("connect4-local", 2) => (60, false),
        ("connect4-network", 3) => (14, false),
        ("connect4-network", 4 | 5 | 7) => (4, true),
        ("connect4-network", 6) => (14, true),
        _ => return None,
    };
    Some(Known {
        facts: Facts {
            pallet,
            chain_id: Some(420_420_420),
            deposits: HUB_DEPOSITS,
            units: Units::of(10),
        },
        prices: Some(HUB_PRICES),
        has_metadata_hash,
    })
}

/// A runtime as its node reports it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Runtime {
    pub(crate) name: String,
    pub(crate) version: u32,
}

/// What a node reports of its chain.
pub(crate) struct Reported {
    pub(crate) genesis: H256,
    pub(crate) runtime: Runtime,
    pub(crate) facts: Facts,
    /// Whether transactions have the extension that compares the hash of the metadata.
    pub(crate) has_metadata_hash: bool,
}

/// What a signature may rely on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Trusted {
    pub(crate) facts: Facts,
    /// Prices; none if they are not known.
    pub(crate) prices: Option<Prices>,
    /// Whether the hash of the metadata is signed.
    pub(crate) metadata_hash: bool,
}

/// Which chains the user trusts besides those that are known to everybody.
#[derive(Clone, Debug, Default)]
pub struct Trust {
    /// Folder in which trusted chains are kept; none if none is kept.
    pub folder: Option<PathBuf>,
    /// Whether a chain of which nothing is known is trusted and kept from now on, and what a node reports of a kept
    /// one replaces what was known.
    pub new_chains: bool,
    /// Whether transactions are signed without the hash of the metadata, for a chain whose runtime was built
    /// without that hash.
    pub without_metadata_hash: bool,
}

/// A chain that the user trusts, as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Kept {
    genesis: H256,
    runtime: String,
    facts: Facts,
    metadata_hash: bool,
}

impl Trust {
    /// What a signature may rely on, of what a node reports.
    ///
    /// # Errors
    ///
    /// [`Doubt::Differs`] and [`Doubt::NoMetadataHash`] if that is not as it is known, [`Doubt::UnknownChain`] if
    /// nothing is known, [`Doubt::Unkept`] if what is known can't be read, or what is trusted from now on not kept.
    pub(crate) fn check(&self, reported: &Reported) -> Result<Trusted, Doubt> {
        let metadata_hash = reported.has_metadata_hash && !self.without_metadata_hash;
        // The hubs were built with their hash; a runtime of this project may have been built without.
        let trusted = |known: &Known, is_needed: bool| {
            compare(reported, known.facts)?;
            let is_wanted = is_needed || !self.without_metadata_hash;
            if known.has_metadata_hash && is_wanted && !reported.has_metadata_hash {
                return Err(Doubt::NoMetadataHash);
            }
            Ok(Trusted {
                facts: known.facts,
                prices: known.prices,
                metadata_hash: metadata_hash || (known.has_metadata_hash && is_needed),
            })
        };
        if let Some(known) = public(reported.genesis) {
            return trusted(&known, true);
        }
        // What was trusted before comes first: else a node could give its chain the name of a runtime of this
        // project.
        let mut all = self.read()?;
        let kept = all.iter().find(|kept| kept.genesis == reported.genesis);
        let own = own(&reported.runtime);
        match (kept, own) {
            (None, Some(own)) => return trusted(&own, false),
            (Some(kept), _) => {
                let is_same = compare(reported, kept.facts).and_then(|()| {
                    let dropped = kept.metadata_hash && !metadata_hash;
                    let renamed = kept.runtime != reported.runtime.name;
                    match (dropped, renamed) {
                        (true, _) if !self.without_metadata_hash => Err(Doubt::NoMetadataHash),
                        (_, true) => Err(Doubt::Differs {
                            what: "the runtime",
                            reported: said(&reported.runtime.name, MOST_OF_NAME),
                            known: kept.runtime.clone(),
                        }),
                        _ => Ok(()),
                    }
                });
                match is_same {
                    Ok(()) => {
                        return Ok(Trusted {
                            facts: kept.facts,
                            prices: None,
                            metadata_hash,
                        });
                    }
                    Err(doubt) if !self.new_chains => return Err(doubt),
                    Err(_) => {}
                }
            }
            (None, None) if !self.new_chains => {
                let Runtime { name, version } = &reported.runtime;
                return Err(Doubt::UnknownChain {
                    genesis: reported.genesis,
                    runtime: format!("{} {version}", said(name, MOST_OF_NAME)),
                    pallet: reported.facts.pallet,
                });
            }
            (None, None) => {}
        }
        all.retain(|kept| kept.genesis != reported.genesis);
        all.push(Kept {
            genesis: reported.genesis,
            runtime: said(&reported.runtime.name, MOST_OF_NAME),
            facts: reported.facts,
            metadata_hash,
        });
        self.write(&all)?;
        Ok(Trusted {
            facts: reported.facts,
            prices: None,
            metadata_hash,
        })
    }

    fn file(&self) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(FILE))
    }

    fn read(&self) -> Result<Vec<Kept>, Doubt> {
        let Some(file) = self.file() else {
            return Ok(Vec::new());
        };
        let unkept = |reason: String| Doubt::Unkept {
            file: file.clone(),
            reason,
        };
        let text = match fs::read(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(unkept(error.to_string())),
        };
        let all: Vec<Value> =
            serde_json::from_slice(&text).map_err(|error| unkept(error.to_string()))?;
        all.iter()
            .map(|kept| Kept::read(kept).ok_or_else(|| unkept(format!("{kept} is no chain"))))
            .collect()
    }

    fn write(&self, all: &[Kept]) -> Result<(), Doubt> {
        let Some(file) = self.file() else {
            return Ok(());
        };
        let all: Vec<Value> = all.iter().map(Kept::to_json).collect();
        let text = format!("{:#}\n", Value::from(all));
        let written = match file.parent() {
            Some(folder) => durable::make_folder(folder),
            None => Ok(()),
        };
        written
            .and_then(|()| durable::replace(&file, text.as_bytes()))
            .map_err(|error| Doubt::Unkept {
                file,
                reason: error.to_string(),
            })
    }
}

/// Compares what a node reports with what is known. Lower deposits are no harm.
fn compare(reported: &Reported, known: Facts) -> Result<(), Doubt> {
    let differs = |what, reported: String, known: String| {
        Err(Doubt::Differs {
            what,
            reported,
            known,
        })
    };
    let Facts {
        pallet,
        chain_id,
        deposits,
        units,
    } = reported.facts;
    if pallet != known.pallet {
        return differs(
            "the contracts in pallet",
            pallet.to_string(),
            known.pallet.to_string(),
        );
    }
    if chain_id != known.chain_id {
        let number = |id: Option<u64>| id.map_or_else(|| "none".into(), |id| id.to_string());
        return differs("the chain id", number(chain_id), number(known.chain_id));
    }
    if units != known.units {
        let told = |units: Units| {
            format!(
                "{}, with {} units of contracts",
                units.decimals, units.ratio
            )
        };
        return differs("the token's decimals", told(units), told(known.units));
    }
    let amounts = [
        ("an item's deposit", deposits.item, known.deposits.item),
        (
            "the deposit of a contract's item",
            deposits.child_item,
            known.deposits.child_item,
        ),
        ("a byte's deposit", deposits.byte, known.deposits.byte),
    ];
    match amounts.into_iter().find(|(_, told, known)| told > known) {
        Some((what, told, known)) => differs(what, told.to_string(), format!("{known} at most")),
        None => Ok(()),
    }
}

impl Kept {
    fn to_json(&self) -> Value {
        let Facts {
            pallet,
            chain_id,
            deposits,
            units,
        } = self.facts;
        json!({
            "genesis": format!("{:?}", self.genesis),
            "runtime": self.runtime,
            "pallet": pallet,
            "chain_id": chain_id,
            "deposit_item": deposits.item.to_string(),
            "deposit_child_item": deposits.child_item.to_string(),
            "deposit_byte": deposits.byte.to_string(),
            "decimals": units.decimals,
            "ratio": units.ratio.to_string(),
            "metadata_hash": self.metadata_hash,
        })
    }

    fn read(value: &Value) -> Option<Self> {
        let amount = |name| value.get(name)?.as_str()?.parse().ok();
        let mut genesis = [0; 32];
        let digits = value.get("genesis")?.as_str()?.strip_prefix("0x")?;
        hex::decode_to_slice(digits, &mut genesis).ok()?;
        Some(Self {
            genesis: H256(genesis),
            runtime: value.get("runtime")?.as_str()?.into(),
            facts: Facts {
                pallet: value.get("pallet")?.as_u64()?.try_into().ok()?,
                chain_id: match value.get("chain_id")? {
                    Value::Null => None,
                    id => Some(id.as_u64()?),
                },
                deposits: Deposits {
                    item: amount("deposit_item")?,
                    child_item: amount("deposit_child_item")?,
                    byte: amount("deposit_byte")?,
                },
                units: Units {
                    decimals: value.get("decimals")?.as_u64()?.try_into().ok()?,
                    ratio: amount("ratio")?,
                },
            },
            metadata_hash: value.get("metadata_hash")?.as_bool()?,
        })
    }
}
