//! Records as they are stored: each of one length, whose parts lie at fixed places.
//!
//! SCALE gives an `Option` one length or another, and derived code a branch for each, which every call would
//! pay for. What is stored is read by the contract that stored it alone; messages and events are in
//! SCALE.

use codec::{Decode, Encode, EncodeLike, Error, Input};

/// Bytes of a record. The alignment makes the parts aligned too: on the contract's machine an
/// unaligned number is moved byte by byte. `inline(never)` below keeps the alignment known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(16))]
pub struct Record<const LEN: usize>(
    /// The bytes.
    pub [u8; LEN],
);

/// Value that is stored as a record of `LEN` bytes.
pub trait Stored<const LEN: usize>: Sized {
    /// The record of the value.
    fn record(&self) -> Record<LEN>;

    /// The value of a record that [`Self::record`] made. None for no other reason than that the
    /// compiler does not see that its parts add up to the length.
    fn value(record: &Record<LEN>) -> Option<Self>;
}

/// Storage item with the record of a `T`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item<T, const LEN: usize>(
    /// The value.
    pub T,
);

impl<T: Stored<LEN>, const LEN: usize> Encode for Item<T, LEN> {
    fn using_encoded<R, F: FnOnce(&[u8]) -> R>(&self, f: F) -> R {
        f(&self.0.record().0)
    }
}

impl<T: Stored<LEN>, const LEN: usize> EncodeLike for Item<T, LEN> {}

impl<T: Stored<LEN>, const LEN: usize> Decode for Item<T, LEN> {
    fn decode<I: Input>(input: &mut I) -> Result<Self, Error> {
        let mut record = Record([0; LEN]);
        input.read(&mut record.0)?;
        T::value(&record)
            .map(Self)
            .ok_or_else(|| "no record".into())
    }
}

#[cfg(feature = "std")]
impl<T: 'static, const LEN: usize> scale_info::TypeInfo for Item<T, LEN> {
    type Identity = [u8; LEN];

    fn type_info() -> scale_info::Type {
        <[u8; LEN]>::type_info()
    }
}

#[cfg(feature = "std")]
impl<T, const LEN: usize> ink::storage::traits::StorageLayout for Item<T, LEN> {
    fn layout(key: &ink::primitives::Key) -> ink::metadata::layout::Layout {
        use ink::metadata::layout::{Layout, LayoutKey, LeafLayout};
        Layout::Leaf(LeafLayout::from_key::<[u8; LEN]>(LayoutKey::from(*key)))
    }
}
