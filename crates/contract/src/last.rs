//! Messages that run while their arguments are read.

use core::marker::PhantomData;

use codec::{Decode, Encode};
use connect4_protocol::Message;

/// Contract that answers a message.
pub trait Answers<M: Message> {
    /// Whether the message takes a payment.
    const IS_PAYABLE: bool = false;

    /// Does what the message is for.
    fn answer(message: M) -> M::Answer;
}

/// An argument of a message that its last one, [`Last`], reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Earlier<T>(PhantomData<T>);

/// The last argument of a message `M` of the contract `C`, of the type `T`. To read it is to read all arguments, to do
/// what the message is for, and to end the call.
///
/// ink! reads the root cell after the arguments of a message and before the message, whether it is of use or not: some
/// 10,300 bytes of proof. A contract with such messages pays for it in none of them. Where ink! refuses a payment, after
/// it has read the root cell, this does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Last<C, M, T> {
    message: M,
    of: PhantomData<(C, T)>,
}

impl<C: Answers<M>, M: Message, T> Last<C, M, T> {
    /// Off the chain, where a call can't be ended while its arguments are read: the answer.
    #[must_use]
    pub fn answer(self) -> M::Answer {
        C::answer(self.message)
    }
}

impl<T> Decode for Earlier<T> {
    fn decode<I: codec::Input>(_: &mut I) -> Result<Self, codec::Error> {
        Ok(Self(PhantomData))
    }
}

impl<T> Encode for Earlier<T> {}

impl<C, M, T, A, E> Decode for Last<C, M, T>
where
    C: Answers<M>,
    M: Message<Answer = Result<A, E>> + Decode,
    A: Encode,
    E: Encode,
{
    fn decode<I: codec::Input>(input: &mut I) -> Result<Self, codec::Error> {
        #[cfg(target_arch = "riscv64")]
        if !C::IS_PAYABLE && crate::paid() != 0 {
            return Err("the message takes no payment".into());
        }
        let message = M::decode(input)?;
        #[cfg(target_arch = "riscv64")]
        {
            let _ended = ended(C::answer(message));
            Err("the call has ended".into())
        }
        #[cfg(not(target_arch = "riscv64"))]
        Ok(Self {
            message,
            of: PhantomData,
        })
    }
}

/// Ends the call with an answer: one function for all messages with answers of a type.
#[cfg(target_arch = "riscv64")]
#[inline(never)]
fn ended<T: Encode, E: Encode>(answer: Result<T, E>) -> Result<T, E> {
    crate::end_as::<T, E, { crate::bytes::CAPACITY }>(answer)
}

impl<C, M: Encode, T> Encode for Last<C, M, T> {
    fn encode_to<O: codec::Output + ?Sized>(&self, dest: &mut O) {
        self.message.encode_to(dest);
    }
}

#[cfg(feature = "std")]
impl<T: scale_info::TypeInfo + 'static> scale_info::TypeInfo for Earlier<T> {
    type Identity = T::Identity;

    fn type_info() -> scale_info::Type {
        T::type_info()
    }
}

#[cfg(feature = "std")]
impl<C: 'static, M: 'static, T: scale_info::TypeInfo + 'static> scale_info::TypeInfo
    for Last<C, M, T>
{
    type Identity = T::Identity;

    fn type_info() -> scale_info::Type {
        T::type_info()
    }
}
