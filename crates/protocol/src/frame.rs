//! Frames of sockets, of which each is one message.

use codec::{Decode, DecodeAll as _};

/// The message in a frame; none if the frame has more than so many bytes, or is not one message of this type.
pub fn read<M: Decode>(frame: &[u8], most: usize) -> Option<M> {
    if frame.len() > most {
        return None;
    }
    M::decode_all(&mut &*frame).ok()
}
