//! Chains that everybody knows: by what they are called, and what is signed there.

/// Deposits for storage, in the token's smallest unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deposits {
    /// Of an item at the top of the storage.
    pub item: u128,
    /// Of an item in a contract.
    pub child_item: u128,
    /// Of a byte.
    pub byte: u128,
}

/// A public chain, by what it is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedChain {
    /// Hash of its first block.
    pub genesis: [u8; 32],
    /// Number of the chain by EIP-155. Networks for tests share one.
    pub chain_id: u64,
    /// Its name, for people.
    pub name: &'static str,
    /// Symbol of its token.
    pub symbol: &'static str,
}

const POLKADOT_HUB: NamedChain = NamedChain {
    genesis: hash("68d56f15f85d3136970ec16946040bc1752654e906147f7e43e9d539d7c3de2f"),
    chain_id: 420_420_419,
    name: "Polkadot Hub",
    symbol: "DOT",
};
const KUSAMA_HUB: NamedChain = NamedChain {
    genesis: hash("48239ef607d7928874027a43a67689209727dfb3d3dc5e5b03a39bdc2eda771a"),
    chain_id: 420_420_418,
    name: "Kusama Hub",
    symbol: "KSM",
};
const WESTEND_HUB: NamedChain = NamedChain {
    genesis: hash("67f9723393ef76214df0118c34bbbd3dbebc8ed46a10973a8c969d48fe7598c9"),
    chain_id: 420_420_421,
    name: "Westend Hub",
    symbol: "WND",
};
const PASEO_HUB: NamedChain = NamedChain {
    genesis: hash("d6eec26135305a8ad257a20d003357284c8aa03d0bdb2b357ab0a22371e11ef2"),
    chain_id: 420_420_417,
    name: "Paseo Hub",
    symbol: "PAS",
};
const PASEO_NEXT_HUB: NamedChain = NamedChain {
    genesis: hash("173cea9df45656cf612c8b8ece56e04e9a693c69cfaac47d3628dae735067af8"),
    chain_id: 420_420_417,
    name: "Paseo Next Hub",
    symbol: "PAS",
};

/// Public chains whose names no other chain may have where a person reads them. The page has the same list, made of
/// this one.
pub const NAMED_CHAINS: [NamedChain; 5] = [
    POLKADOT_HUB,
    KUSAMA_HUB,
    WESTEND_HUB,
    PASEO_HUB,
    PASEO_NEXT_HUB,
];

/// What is the same about a public chain as long as it lives, and its highest deposits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicChain {
    /// Which chain it is.
    pub chain: NamedChain,
    /// Number of pallet-revive.
    pub pallet: u8,
    /// Decimals of the token: by them an amount that a person types is the amount that is signed.
    pub decimals: u32,
    /// Deposits for storage.
    pub deposits: Deposits,
    /// Whether it is known that its runtimes compare the hash of their metadata with the signed one.
    pub has_metadata_hash: bool,
}

impl PublicChain {
    /// The public chain with this first block; none if it is not known.
    #[must_use]
    pub fn of(genesis: &[u8; 32]) -> Option<&'static Self> {
        PUBLIC_CHAINS
            .iter()
            .find(|known| known.chain.genesis == *genesis)
    }
}

/// Deposits of Polkadot Hub since version 2.3 of its runtime.
pub const HUB_DEPOSITS: Deposits = Deposits {
    item: 2_000_000_000,
    child_item: 20_000_000,
    byte: 100_000,
};

/// Those of the [named](NAMED_CHAINS) chains for which the program signs: the hubs of Polkadot, Kusama and Paseo Next, by
/// their metadata in the npm packages `@parity/product-sdk-descriptors` 0.4.0 and `@galacticcouncil/descriptors` 2.6.0.
pub const PUBLIC_CHAINS: [PublicChain; 3] = [
    PublicChain {
        chain: POLKADOT_HUB,
        pallet: 90,
        decimals: 10,
        deposits: HUB_DEPOSITS,
        has_metadata_hash: true,
    },
    PublicChain {
        chain: KUSAMA_HUB,
        pallet: 60,
        decimals: 12,
        deposits: Deposits {
            item: 6_666_666_660,
            child_item: 666_666_666,
            byte: 333_333,
        },
        has_metadata_hash: true,
    },
    PublicChain {
        chain: PASEO_NEXT_HUB,
        pallet: 100,
        decimals: 10,
        deposits: HUB_DEPOSITS,
        has_metadata_hash: false,
    },
];

/// A hash from its 64 digits.
const fn hash(digits: &str) -> [u8; 32] {
    const fn digit(of: u8) -> u8 {
        match of {
            b'0'..=b'9' => of - b'0',
            b'a'..=b'f' => of - b'a' + 10,
            _ => panic!("no digit"),
        }
    }
    let digits = digits.as_bytes();
    assert!(digits.len() == 64);
    let mut bytes = [0; 32];
    let mut at = 0;
    while at < 32 {
        bytes[at] = (digit(digits[2 * at]) << 4) | digit(digits[2 * at + 1]);
        at += 1;
    }
    bytes
}
