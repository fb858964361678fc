//! Dispatch errors of the chain, by the names that its metadata has for them.

use subxt::dynamic::DecodedValue;
use subxt::metadata::Metadata;

use crate::chain::value;

/// A dispatch error: how the chain says that a call failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DispatchError {
    /// Name of the error, as `Revive::OutOfGas`.
    pub(crate) name: String,
    /// Explanation by the metadata; may be empty.
    pub(crate) docs: String,
}

impl DispatchError {
    const fn new(name: String) -> Self {
        Self {
            name,
            docs: String::new(),
        }
    }

    /// A dispatch error within a dynamically decoded value, such as the result of a dry run.
    pub(crate) fn of_value(error: &DecodedValue, metadata: &Metadata) -> Self {
        let Some((name, values)) = value::variant(error) else {
            return Self::new(error.to_string());
        };
        let inner = values.first().copied();
        if name == "Module" {
            let index = |name| value::first_byte(value::field(inner?, name)?);
            if let (Some(pallet), Some(error)) = (index("index"), index("error"))
                && let Some(pallet) = metadata.pallet_by_index(pallet)
                && let Some(error) = pallet.error_variant_by_index(error)
            {
                return Self {
                    name: format!("{}::{}", pallet.name(), error.name),
                    docs: error.docs.join(" "),
                };
            }
        }
        Self::new(match inner.and_then(value::variant) {
            Some((inner, _)) => format!("{name}::{inner}"),
            None => name.to_owned(),
        })
    }
}

impl From<&subxt::error::DispatchError> for DispatchError {
    fn from(error: &subxt::error::DispatchError) -> Self {
        use subxt::error::DispatchError as Theirs;
        match error {
            Theirs::Module(module) => match module.details() {
                Ok(details) => Self {
                    name: format!("{}::{}", details.pallet.name(), details.variant.name),
                    docs: details.variant.docs.join(" "),
                },
                Err(_) => Self::new(module.to_string()),
            },
            Theirs::Token(token) => Self {
                name: format!("Token::{token:?}"),
                docs: token.to_string(),
            },
            other => Self::new(format!("{other:?}")),
        }
    }
}
