//! Reading values that the chain's metadata describes, by the names of their fields, so that chains
//! with other versions of the pallet are understood too.

use subxt::dynamic::{DecodedValue, Value};
use subxt::ext::scale_value::{Composite, Primitive, ValueDef};

/// The field of this name.
pub(crate) fn field<'a>(value: &'a DecodedValue, name: &str) -> Option<&'a DecodedValue> {
    let composite = match &value.value {
        ValueDef::Composite(composite) => composite,
        ValueDef::Variant(variant) => &variant.values,
        _ => return None,
    };
    in_composite(composite, name)
}

/// The field of this name, among fields that are not wrapped in a value.
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

/// Name and values of a variant; none if the value is something else.
pub(crate) fn variant(value: &DecodedValue) -> Option<(&str, Vec<&DecodedValue>)> {
    match &value.value {
        ValueDef::Variant(variant) => {
            Some((variant.name.as_str(), variant.values.values().collect()))
        }
        _ => None,
    }
}

/// A number, also within structures of a single field.
pub(crate) fn number(value: &DecodedValue) -> Option<u128> {
    match &value.value {
        ValueDef::Primitive(Primitive::U128(number)) => Some(*number),
        ValueDef::Composite(composite) if composite.len() == 1 => {
            composite.values().next().and_then(number)
        }
        _ => None,
    }
}

/// Bytes, also within nested structures and lists.
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

/// A single byte, or the first of several.
pub(crate) fn first_byte(value: &DecodedValue) -> Option<u8> {
    bytes(value)?.first().copied()
}
