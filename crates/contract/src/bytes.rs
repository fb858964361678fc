//! Values in encoded form.

use core::marker::PhantomData;

use codec::{Decode, Encode};

/// Length of the longest answer, rounded up: the board of a variant takes two
/// bytes for each disc, one for each other cell and each bin, one for the number of bins, and two for
/// the `Ok`s.
pub(crate) const CAPACITY: usize = 256;

/// Buffer on the stack for encoded answers and events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bytes<const LEN: usize = CAPACITY> {
    bytes: [u8; LEN],
    len: usize,
}

impl<const LEN: usize> Bytes<LEN> {
    /// An empty buffer.
    #[must_use]
    #[inline]
    pub const fn new() -> Self {
        Self {
            bytes: [0; LEN],
            len: 0,
        }
    }

    /// What was written.
    #[must_use]
    #[inline]
    pub fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// Makes the first byte a zero.
    #[cfg(target_arch = "riscv64")]
    #[inline]
    pub(crate) const fn skip_one(&mut self) {
        self.len = 1;
    }

    /// Encodes a list of at most 63 items: its length, which SCALE encodes in one byte, then the
    /// items.
    #[inline]
    pub fn list<T>(
        &mut self,
        items: impl Iterator<Item = T>,
        mut encode: impl FnMut(&mut Self, T),
    ) {
        let start = self.len;
        codec::Output::push_byte(self, 0);
        let mut len: u8 = 0;
        for item in items {
            encode(self, item);
            len = len.wrapping_add(1);
        }
        self.bytes[start] = len.wrapping_mul(4);
    }
}

impl<const LEN: usize> Default for Bytes<LEN> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const LEN: usize> codec::Output for Bytes<LEN> {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        // Neither exceeds the capacity: slicing would panic, which reverts the call.
        let end = self.len.wrapping_add(bytes.len());
        self.bytes[self.len..end].copy_from_slice(bytes);
        self.len = end;
    }
}

/// `T` in encoded form. Its encoding and its type in the metadata are those of `T`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Encoded<T, const LEN: usize = CAPACITY> {
    bytes: Bytes<LEN>,
    of: PhantomData<T>,
}

impl<T, const LEN: usize> Encoded<T, LEN> {
    /// The `T` with this encoding, which is not checked.
    #[must_use]
    #[inline]
    pub const fn new(bytes: Bytes<LEN>) -> Self {
        Self {
            bytes,
            of: PhantomData,
        }
    }
}

impl<T: Decode, const LEN: usize> Encoded<T, LEN> {
    /// Decodes the `T`.
    ///
    /// # Panics
    ///
    /// If the bytes are not the encoding of a `T`, which would be a bug of the contract.
    #[must_use]
    pub fn get(&self) -> T {
        T::decode(&mut self.bytes.as_slice()).expect("the contract encodes what it says")
    }
}

impl<T, const LEN: usize> Encode for Encoded<T, LEN> {
    #[inline]
    fn encode_to<O: codec::Output + ?Sized>(&self, dest: &mut O) {
        dest.write(self.bytes.as_slice());
    }
}

impl<T: Decode + Encode, const LEN: usize> Decode for Encoded<T, LEN> {
    fn decode<I: codec::Input>(input: &mut I) -> Result<Self, codec::Error> {
        let mut bytes = Bytes::new();
        T::decode(input)?.encode_to(&mut bytes);
        Ok(Self::new(bytes))
    }
}

#[cfg(feature = "std")]
impl<T: scale_info::TypeInfo + 'static, const LEN: usize> scale_info::TypeInfo for Encoded<T, LEN> {
    type Identity = T::Identity;

    fn type_info() -> scale_info::Type {
        T::type_info()
    }
}
