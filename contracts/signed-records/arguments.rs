//! The last argument of a message, by which the contract reads all of them.

use core::marker::PhantomData;

/// The last argument of a message `M`, of the type `T`. To read it is to do what the message is for, and to end the call,
/// as with [`Last`](connect4_contract::Last). But what ink! reads of the arguments goes through a buffer of 16,384 bytes,
/// some 50 games, and is decoded to values on a heap; this is read from the call itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByItself<M, T>(PhantomData<(M, T)>);

#[cfg(target_arch = "riscv64")]
impl<M: crate::messages::Reads, T> codec::Decode for ByItself<M, T> {
    fn decode<I: codec::Input>(_: &mut I) -> Result<Self, codec::Error> {
        if connect4_contract::paid() != 0 {
            return Err("the message takes no payment".into());
        }
        let _ended = crate::messages::end(M::read());
        Err("the call has ended".into())
    }
}

/// No call is made off the chain.
#[cfg(not(target_arch = "riscv64"))]
impl<M, T> codec::Decode for ByItself<M, T> {
    fn decode<I: codec::Input>(_: &mut I) -> Result<Self, codec::Error> {
        Err("the contract runs on a chain alone".into())
    }
}

impl<M, T> codec::Encode for ByItself<M, T> {}

#[cfg(feature = "std")]
impl<M: 'static, T: scale_info::TypeInfo + 'static> scale_info::TypeInfo for ByItself<M, T> {
    type Identity = T::Identity;

    fn type_info() -> scale_info::Type {
        T::type_info()
    }
}
