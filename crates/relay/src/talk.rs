//! What a socket and the relay tell each other, wherever the socket is.

use std::time::Duration;

use axum::body::Bytes;
use connect4_protocol::signed::relay::Refusal;

use crate::counters::Counters;

/// Where a socket is: in a room, or in the lobby.
pub trait Talk {
    /// The next frame to send; none if the socket has everything.
    fn next_frame(&mut self) -> Option<Bytes>;

    /// Why the socket has to leave; none while it may stay.
    fn is_out(&self) -> Option<Refusal>;

    /// Whether it may stay only for the time of a handshake.
    fn has_to_join(&self) -> bool;

    /// Waits until there may be another frame. Nothing is lost if it is dropped.
    fn changed(&mut self) -> impl Future<Output = ()> + Send;

    /// Whether the time of its line is asked for.
    fn is_timed(&self) -> bool {
        false
    }

    /// The other side has answered a ping after so long.
    fn round_trip(&mut self, _: Duration) {}

    /// Takes a frame, at this time in seconds since 1970.
    fn hear(&mut self, frame: &[u8], now: u64, counters: &Counters) -> Result<(), Refusal>;
}
