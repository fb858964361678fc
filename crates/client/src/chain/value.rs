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

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(value: Value) -> DecodedValue {
        value.map_context(|()| 0)
    }

    #[test]
    fn numbers_and_bytes_are_read_through_structures() {
        let balance = Value::named_composite([("amount", Value::u128(7))]);
        let wrapped = decoded(Value::unnamed_composite([balance]));
        assert_eq!(number(&wrapped), Some(7));
        assert_eq!(find(&wrapped, "amount").and_then(number), Some(7));
        assert_eq!(field(&wrapped, "amount"), None, "it is deeper");
        let two = decoded(Value::unnamed_composite([Value::u128(1), Value::u128(2)]));
        assert_eq!(number(&two), None, "which of them?");
        assert_eq!(bytes(&two), Some(vec![1, 2]));
        let large = decoded(Value::unnamed_composite([Value::u128(256)]));
        assert_eq!(bytes(&large), None, "no byte");
    }

    #[test]
    fn a_variant_has_a_name_and_values() {
        let charge = decoded(Value::unnamed_variant("Charge", [Value::u128(5)]));
        let (name, values) = variant(&charge).unwrap();
        assert_eq!((name, values.len()), ("Charge", 1));
        assert_eq!(number(values[0]), Some(5));
        assert_eq!(variant(&decoded(Value::u128(5))), None);
        assert_eq!(variant(&decoded(none())).unwrap().0, "None");
        assert_eq!(first_byte(&decoded(some(Value::u128(1)))), None);
    }
}
