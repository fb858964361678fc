//! Session keys that accounts name for a time: what is signed about them, and by whom.

use alloc::format;
use alloc::string::{String, ToString as _};

use connect4_protocol::Address;
use connect4_protocol::signed::{AccountSignature, Native, Session, Signature, SignedSession};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::account;
use crate::failure::Failure;
use crate::place::SignedPlace;
use crate::session_key;
use crate::values::Hex;

/// A session key that an account names, for signed games of a chain without a stake.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NamedKey {
    /// The account.
    pub account: Address,
    /// Address of the session key.
    pub key: Address,
    /// Last second of the time of terms for which it is, since 1970.
    pub until: u64,
    /// Where the games are signed.
    pub place: SignedPlace,
}

impl NamedKey {
    fn digest(&self) -> Result<[u8; 32], Failure> {
        let session = Session {
            account: self.account,
            key: self.key,
            until: self.until,
        };
        let domain = self.place.domain()?;
        Ok(domain.digest(&Native, &session.hash(&Native)))
    }
}

/// What a wallet signs about a session key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SessionToSign {
    /// Typed data of EIP-712, as wallets of Ethereum take it: JSON.
    pub typed: String,
    /// The digest, which wallets of Substrate wrap and sign as bytes.
    pub digest: Hex,
}

pub(crate) fn to_sign(named: NamedKey) -> Result<SessionToSign, Failure> {
    let field = |name: &str, kind: &str| json!({ "name": name, "type": kind });
    let typed = json!({
        "types": {
            "EIP712Domain": [
                field("name", "string"),
                field("version", "string"),
                field("chainId", "uint256"),
                field("salt", "bytes32"),
            ],
            "Session": [
                field("account", "address"),
                field("key", "address"),
                field("until", "uint64"),
            ],
        },
        "primaryType": "Session",
        "domain": {
            "name": "Connect Four",
            "version": "3",
            "chainId": named.place.chain_id,
            "salt": named.place.genesis,
        },
        "message": {
            "account": named.account,
            "key": named.key,
            "until": named.until,
        },
    });
    Ok(SessionToSign {
        typed: typed.to_string(),
        digest: Hex(named.digest()?.into()),
    })
}

/// Who has signed, and what.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum NamedBy {
    /// The secret of the account's own key, which signs now.
    Secret(Hex),
    /// The signature of a wallet of Ethereum.
    Ethereum(Hex),
    /// The account of a wallet of Substrate in SS58, and its signature on the wrapped digest.
    Sr25519(String, Hex),
}

/// A session key, and what was signed about it.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SignedKey {
    /// The key.
    pub named: NamedKey,
    /// What was signed.
    pub by: NamedBy,
}

/// The SCALE encoding of a signed session.
pub(crate) fn signed(SignedKey { named, by }: SignedKey) -> Result<Hex, Failure> {
    let digest = named.digest()?;
    let signature = match by {
        NamedBy::Secret(secret) => {
            AccountSignature::Ethereum(session_key::of(&secret)?.sign(&digest))
        }
        NamedBy::Ethereum(signature) => {
            let mut bytes: [u8; 65] = signature.exactly()?;
            // Some wallets count from 0.
            if let [.., v @ (0 | 1)] = &mut bytes {
                *v += 27;
            }
            AccountSignature::Ethereum(Signature(bytes))
        }
        NamedBy::Sr25519(account, signature) => AccountSignature::Sr25519 {
            public_key: account::of(account)?.account.exactly()?,
            signature: signature.exactly()?,
        },
    };
    if signature.signer(&digest, &Native) != Some(named.account) {
        let of = match signature {
            AccountSignature::Ethereum(_) => "the key of the account",
            AccountSignature::Sr25519 { .. } => "an sr25519 key of the account",
        };
        let text = format!("this was not signed by {of}: choose another account");
        return Err(Failure::new("BadSession", text));
    }
    Ok(Hex::of(&SignedSession {
        until: named.until,
        signature,
    }))
}
