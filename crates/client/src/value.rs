//! Reading what the chain's metadata describes, by names instead of by types fixed here.

use subxt::dynamic::{DecodedValue, Value};
use subxt::ext::scale_value::{Composite, Primitive, ValueDef};
use subxt::metadata::Metadata;

/// The field of this name.
pub(crate) fn field<'a>(value: &'a DecodedValue, name: &str) -> Option<&'a DecodedValue> {
    let composite = match &value.value {
        ValueDef::Composite(composite) => composite,
        ValueDef::Variant(variant) => &variant.values,
        _ => return None,
    };
    in_composite(composite, name)
}

/// The field of this name.
pub(crate) fn in_composite<'a>(
    composite: &'a Composite<u32>,
    name: &str,
) -> Option<&'a DecodedValue> {
    match composite {
        Composite::Named(fields) => fields
            .iter()
            .find(|(found, _)| found == name)
            .map(|(_, value)| value),
        Composite::Unnamed(_) => None,
    }
}

/// The first field of this name at any depth.
pub(crate) fn find<'a>(value: &'a DecodedValue, name: &str) -> Option<&'a DecodedValue> {
    if let Some(found) = field(value, name) {
        return Some(found);
    }
    match &value.value {
        ValueDef::Composite(composite) => composite.values().find_map(|value| find(value, name)),
        ValueDef::Variant(variant) => variant.values.values().find_map(|value| find(value, name)),
        _ => None,
    }
}

/// The name of the variant, and what it holds.
pub(crate) fn variant(value: &DecodedValue) -> Option<(&str, Vec<&DecodedValue>)> {
    match &value.value {
        ValueDef::Variant(variant) => {
            Some((variant.name.as_str(), variant.values.values().collect()))
        }
        _ => None,
    }
}

/// A number, whatever newtypes it is in.
pub(crate) fn number(value: &DecodedValue) -> Option<u128> {
    match &value.value {
        ValueDef::Primitive(Primitive::U128(number)) => Some(*number),
        ValueDef::Composite(composite) if composite.len() == 1 => {
            composite.values().next().and_then(number)
        }
        _ => None,
    }
}

/// Bytes, whatever newtypes they are in.
pub(crate) fn bytes(value: &DecodedValue) -> Option<Vec<u8>> {
    let mut found = Vec::new();
    collect(value, &mut found).then_some(found)
}

fn collect(value: &DecodedValue, found: &mut Vec<u8>) -> bool {
    match &value.value {
        ValueDef::Primitive(Primitive::U128(number)) => match u8::try_from(*number) {
            Ok(byte) => {
                found.push(byte);
                true
            }
            Err(_) => false,
        },
        ValueDef::Composite(composite) => composite.values().all(|value| collect(value, found)),
        _ => false,
    }
}

/// `None` of an option.
pub(crate) fn none() -> Value {
    Value::unnamed_variant("None", [])
}

/// `Some` of an option.
pub(crate) fn some(value: Value) -> Value {
    Value::unnamed_variant("Some", [value])
}

/// A dispatch error by the chain's names: `Pallet::Error` and what the chain says about it.
pub(crate) fn dispatch_error(value: &DecodedValue, metadata: &Metadata) -> (String, String) {
    let Some((name, values)) = variant(value) else {
        return (value.to_string(), String::new());
    };
    if name == "Module" {
        let inner = values.first().copied();
        let index = |name| inner.and_then(|inner| field(inner, name)).map(first_byte);
        if let (Some(Some(pallet)), Some(Some(error))) = (index("index"), index("error"))
            && let Some(pallet) = metadata.pallet_by_index(pallet)
            && let Some(error) = pallet.error_variant_by_index(error)
        {
            return (
                format!("{}::{}", pallet.name(), error.name),
                error.docs.join(" "),
            );
        }
    }
    let inner = values.first().and_then(|value| variant(value));
    match inner {
        Some((inner, _)) => (format!("{name}::{inner}"), String::new()),
        None => (name.to_owned(), String::new()),
    }
}

/// A single byte, or the first of several.
fn first_byte(value: &DecodedValue) -> Option<u8> {
    bytes(value)?.first().copied()
}
