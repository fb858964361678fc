//! Why a node does not take a transaction.

use subxt::error::RpcError;
use subxt::ext::subxt_rpcs;

use crate::failure::answer_text;

/// Why a node does not take a transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// Another transaction with this nonce is in the pool or in a block.
    Overtaken,
    /// The block at which it is anchored is later than the one that the node's pool validates it on:
    /// a node that has just started catches up. Holds the node's text.
    Early(String),
    /// The account cannot pay the fee. Holds the node's text.
    Unpaid(String),
    /// The chain does not know the hash of its own metadata, which was signed.
    Unhashed,
    /// Another reason. Holds the node's text.
    Other(String),
}

impl Refusal {
    /// The refusal that an error of `author_submitExtrinsic` tells; none if it tells none.
    ///
    /// Nodes answer with the error codes of the Polkadot SDK. All kinds of invalid transactions
    /// share one code there: the fixed text in its data is all that tells them apart.
    pub(crate) fn of(error: &subxt::Error) -> Option<Self> {
        /// "Invalid transaction", "unknown transaction validity", "temporarily banned", "already imported", "priority is too low".
        const INVALID: i32 = 1010;
        const UNKNOWN: i32 = 1011;
        const BANNED: i32 = 1012;
        const IMPORTED: i32 = 1013;
        const TOO_LOW: i32 = 1014;
        let subxt::Error::Rpc(RpcError::ClientError(subxt_rpcs::Error::User(answer))) = error
        else {
            return None;
        };
        let text = answer_text(answer);
        Some(match answer.code {
            INVALID if text.contains("outdated") || text.contains("Stale") => Self::Overtaken,
            BANNED | IMPORTED | TOO_LOW => Self::Overtaken,
            // "Transaction has an ancient birth block": it is said of a later block as well.
            INVALID if text.contains("ancient birth") => Self::Early(text),
            // "Inability to pay some fees", or the words of another chain for it.
            INVALID
                if text.contains("Payment") || (text.contains("pay") && text.contains("fee")) =>
            {
                Self::Unpaid(text)
            }
            // "CannotLookup", or "Could not lookup information required to validate the transaction".
            UNKNOWN if text.to_lowercase().contains("lookup") => Self::Unhashed,
            _ => Self::Other(text),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_transaction_is_told_by_its_code() {
        let refusal = |code, data: &str| {
            let data = serde_json::value::to_raw_value(data).unwrap();
            let error = subxt::Error::from(subxt_rpcs::Error::User(subxt_rpcs::UserError {
                code,
                message: "Invalid Transaction".into(),
                data: Some(data),
            }));
            Refusal::of(&error)
        };
        let outdated = refusal(1010, "Transaction is outdated");
        assert_eq!(outdated, Some(Refusal::Overtaken));
        assert_eq!(refusal(1014, ""), Some(Refusal::Overtaken));
        let text = "Inability to pay some fees (e.g. account balance too low)";
        assert!(matches!(refusal(1010, text), Some(Refusal::Unpaid(_))));
        let early = refusal(1010, "Transaction has an ancient birth block");
        assert!(matches!(early, Some(Refusal::Early(_))));
        for text in [
            "Could not lookup information required to validate the transaction",
            "CannotLookup",
        ] {
            assert_eq!(refusal(1011, text), Some(Refusal::Unhashed));
        }
        let signature = refusal(1010, "Transaction has a bad signature");
        assert!(matches!(signature, Some(Refusal::Other(_))));
        assert_eq!(Refusal::of(&subxt::Error::Other("else".into())), None);
    }
}
