//! Reading values that the chain's metadata describes, by the names of their fields, so that chains
//! with other versions of the pallet are understood too.

use std::marker::PhantomData;

use subxt::dynamic::{DecodedValue, DecodedValueThunk, Value};
use subxt::ext::scale_decode::visitor::{TypeIdFor, Unexpected, Visitor, types};
use subxt::ext::scale_decode::{Error as DecodeError, IntoVisitor, TypeResolver};
use subxt::ext::scale_value::{Composite, Primitive, ValueDef};

/// How deep values are in each other, at most: those of the pallet have a tenth.
const DEEPEST: u8 = 100;

/// A value from its bytes, both of which are the node's.
///
/// # Errors
///
/// If the bytes are none of its type, or say of a list that it has more entries than there are bytes: there would be
/// no memory for it.
pub(crate) fn decoded(value: &DecodedValueThunk) -> Result<DecodedValue, DecodeError> {
    value.as_type::<Skipped>()?;
    value.to_value()
}

/// A value that was read past.
struct Skipped;

/// Reads past a value, without memory for what it holds.
struct Skip<R> {
    /// How much deeper it may go.
    left: u8,
    resolver: PhantomData<R>,
}

impl IntoVisitor for Skipped {
    type AnyVisitor<R: TypeResolver> = Skip<R>;

    fn into_visitor<R: TypeResolver>() -> Skip<R> {
        Skip {
            left: DEEPEST,
            resolver: PhantomData,
        }
    }
}

impl<R> Skip<R> {
    fn deeper(&self) -> Result<Self, DecodeError> {
        match self.left.checked_sub(1) {
            Some(left) => Ok(Self {
                left,
                resolver: PhantomData,
            }),
            None => Err(DecodeError::custom_str("values too deep in each other")),
        }
    }
}

impl<R: TypeResolver> Skip<R> {
    /// Reads past one after the other, as long as there is a next one.
    fn each(
        self,
        mut next: impl FnMut(Self) -> Option<Result<Skipped, DecodeError>>,
    ) -> Result<Skipped, DecodeError> {
        while let Some(item) = next(self.deeper()?) {
            item?;
        }
        Ok(Skipped)
    }
}

fn fits(entries: usize, bytes: &[u8]) -> Result<(), DecodeError> {
    match entries > bytes.len() {
        true => Err(DecodeError::custom_str("more entries than bytes")),
        false => Ok(()),
    }
}

impl<R: TypeResolver> Visitor for Skip<R> {
    type Value<'scale, 'resolver> = Skipped;
    type Error = DecodeError;
    type TypeResolver = R;

    fn visit_unexpected<'scale, 'resolver>(
        self,
        _: Unexpected,
    ) -> Result<Self::Value<'scale, 'resolver>, DecodeError> {
        Ok(Skipped)
    }

    fn visit_sequence<'scale, 'resolver>(
        self,
        value: &mut types::Sequence<'scale, 'resolver, R>,
        _: TypeIdFor<Self>,
    ) -> Result<Self::Value<'scale, 'resolver>, DecodeError> {
        fits(value.remaining(), value.bytes_from_undecoded())?;
        self.each(|skip| value.decode_item(skip))
    }

    fn visit_composite<'scale, 'resolver>(
        self,
        value: &mut types::Composite<'scale, 'resolver, R>,
        _: TypeIdFor<Self>,
    ) -> Result<Self::Value<'scale, 'resolver>, DecodeError> {
        self.each(|skip| value.decode_item(skip))
    }

    fn visit_tuple<'scale, 'resolver>(
        self,
        value: &mut types::Tuple<'scale, 'resolver, R>,
        _: TypeIdFor<Self>,
    ) -> Result<Self::Value<'scale, 'resolver>, DecodeError> {
        self.each(|skip| value.decode_item(skip))
    }

    fn visit_array<'scale, 'resolver>(
        self,
        value: &mut types::Array<'scale, 'resolver, R>,
        _: TypeIdFor<Self>,
    ) -> Result<Self::Value<'scale, 'resolver>, DecodeError> {
        fits(value.remaining(), value.bytes_from_undecoded())?;
        self.each(|skip| value.decode_item(skip))
    }

    fn visit_variant<'scale, 'resolver>(
        self,
        value: &mut types::Variant<'scale, 'resolver, R>,
        _: TypeIdFor<Self>,
    ) -> Result<Self::Value<'scale, 'resolver>, DecodeError> {
        self.each(|skip| value.fields().decode_item(skip))
    }
}

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
