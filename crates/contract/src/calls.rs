//! Calls to the chain.

use codec::Encode;
use connect4_protocol::{Address, Error};

#[cfg(target_arch = "riscv64")]
use crate::Bytes;

/// Timestamp of the block, in seconds since 1970. Read directly from the chain, as ink!'s own
/// function is generic over the number's type and takes more code.
#[must_use]
#[inline]
pub fn now() -> u64 {
    #[cfg(target_arch = "riscv64")]
    {
        use pallet_revive_uapi::{HostFn, HostFnImpl};
        let mut now = [0; 32];
        HostFnImpl::now(&mut now);
        let [a, b, c, d, e, f, g, h, ..] = now;
        u64::from_le_bytes([a, b, c, d, e, f, g, h])
    }
    #[cfg(not(target_arch = "riscv64"))]
    ink::env::block_timestamp::<ink::env::DefaultEnvironment>()
}

/// Ends the call with an answer, without writing the root cell back. ink! writes the root cell after
/// every `&mut self` message that returns, changed or not, which is a storage access. Queries use
/// this function as well, to share its code. An answer longer than [`Bytes`](crate::Bytes) reverts
/// the call.
///
/// Off chain a call can't be ended early, and a write costs nothing: returns the answer.
///
/// # Errors
///
/// Off chain those of the answer. On chain an error ends the call, too, and reverts it.
#[inline]
pub fn end<T: Encode>(answer: Result<T, Error>) -> Result<T, Error> {
    #[cfg(target_arch = "riscv64")]
    {
        use pallet_revive_uapi::{HostFn, HostFnImpl, ReturnFlags};
        let flags = match answer {
            Ok(_) => ReturnFlags::empty(),
            Err(_) => ReturnFlags::REVERT,
        };
        let mut bytes = Bytes::new();
        // The encoding of ink!'s `MessageResult::Ok`: a zero, then the answer. (Encoding a
        // `MessageResult` takes 250 bytes more code.)
        bytes.skip_one();
        answer.encode_to(&mut bytes);
        HostFnImpl::return_value(flags, bytes.as_slice())
    }
    #[cfg(not(target_arch = "riscv64"))]
    answer
}

/// Emits an event whose topics are the game and up to two accounts, with the bytes that ink! would
/// emit. The code is 1.6 kB smaller than ink!'s, which has an encoder for each type of topic and a
/// hash for long ones. An event longer than [`Bytes`](crate::Bytes) reverts the call.
#[inline]
pub fn emit<E: ink::env::Event + Encode>(event: E, game: u32, accounts: &[Address]) {
    #[cfg(target_arch = "riscv64")]
    {
        let mut bytes = Bytes::new();
        event.encode_to(&mut bytes);
        let signature = E::SIGNATURE_TOPIC.expect("no event is anonymous");
        deposit(&signature, game, accounts, bytes.as_slice());
    }
    #[cfg(not(target_arch = "riscv64"))]
    {
        let _ = (game, accounts);
        ink::env::emit_event(event);
    }
}

/// Emits an event with these topics, each padded with zeros to 32 bytes.
#[cfg(target_arch = "riscv64")]
#[inline]
fn deposit(signature: &[u8; 32], game: u32, accounts: &[Address], data: &[u8]) {
    use pallet_revive_uapi::{HostFn, HostFnImpl};
    let mut topics = [[0; 32]; 4];
    topics[0] = *signature;
    topics[1][..4].copy_from_slice(&game.to_le_bytes());
    let (first, of_accounts) = topics.split_at_mut(2);
    for (topic, account) in of_accounts.iter_mut().zip(accounts) {
        topic[..20].copy_from_slice(&account.0);
    }
    let count = first.len().wrapping_add(accounts.len());
    HostFnImpl::deposit_event(&topics[..count], data);
}
