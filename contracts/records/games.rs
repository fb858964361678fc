//! The games of a call, which are recorded while they are read.

#[cfg(feature = "std")]
use connect4_protocol::fast::RecordedGame;

/// The list of games of a call. To read it is to do what the call is for, and to end it.
///
/// ink! reads the root cell after the arguments of a message and before the message, whether it is of use or
/// not: 10,372 bytes of proof, a third of what a call with one game takes. And what ink! reads of the
/// arguments goes through a buffer of 16,384 bytes, some 60 games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Games;

impl codec::Decode for Games {
    fn decode<I: codec::Input>(_: &mut I) -> Result<Self, codec::Error> {
        #[cfg(target_arch = "riscv64")]
        let _ended = connect4_contract::end(crate::messages::record());
        Ok(Self)
    }
}

impl codec::Encode for Games {}

#[cfg(feature = "std")]
impl scale_info::TypeInfo for Games {
    type Identity = [RecordedGame];

    fn type_info() -> scale_info::Type {
        <[RecordedGame]>::type_info()
    }
}
