//! Calls to the chain.

use codec::Encode;
#[cfg(not(target_arch = "riscv64"))]
use connect4_protocol::signed::Native;
use connect4_protocol::signed::{AccountCrypto, Crypto, Digest, Signature};
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
    end_as::<T, Error, { crate::bytes::CAPACITY }>(answer)
}

/// As [`end`], with an answer of at most `LEN` bytes and errors of any type.
///
/// # Errors
///
/// As [`end`].
#[inline]
pub fn end_as<T: Encode, E: Encode, const LEN: usize>(answer: Result<T, E>) -> Result<T, E> {
    #[cfg(target_arch = "riscv64")]
    {
        use pallet_revive_uapi::{HostFn, HostFnImpl, ReturnFlags};
        let flags = match answer {
            Ok(_) => ReturnFlags::empty(),
            Err(_) => ReturnFlags::REVERT,
        };
        let mut bytes = Bytes::<LEN>::new();
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
        let mut bytes: Bytes = Bytes::new();
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

/// Topic of an event.
pub type Topic = [u8; 32];

/// The topic that ink! makes of an account, and of none, which is that of the zero address.
#[must_use]
#[inline(never)]
pub fn account(account: Option<Address>) -> Topic {
    let mut topic = [0; 32];
    topic[..20].copy_from_slice(&account.unwrap_or_default().0);
    topic
}

/// Emits an event with these topics, at most three, with the bytes that ink! would emit. An event
/// longer than [`Bytes`](crate::Bytes) reverts the call.
#[inline]
pub fn emit_with<E: ink::env::Event + Encode>(event: E, topics: &[Topic]) {
    #[cfg(target_arch = "riscv64")]
    {
        let mut bytes: Bytes = Bytes::new();
        event.encode_to(&mut bytes);
        let signature = E::SIGNATURE_TOPIC.expect("no event is anonymous");
        deposit_with(&signature, topics, bytes.as_slice());
    }
    #[cfg(not(target_arch = "riscv64"))]
    {
        let _ = topics;
        ink::env::emit_event(event);
    }
}

/// As [`emit_with`], with the encoded fields of the event, which are never put together otherwise.
#[inline]
pub fn emit_parts<E: ink::env::Event, const LEN: usize>(parts: &[&[u8]], topics: &[Topic]) {
    #[cfg(target_arch = "riscv64")]
    {
        let mut bytes = Bytes::<LEN>::new();
        for part in parts {
            codec::Output::write(&mut bytes, part);
        }
        let signature = E::SIGNATURE_TOPIC.expect("no event is anonymous");
        deposit_with(&signature, topics, bytes.as_slice());
    }
    #[cfg(not(target_arch = "riscv64"))]
    {
        _ = (parts, topics);
    }
}

/// Emits an event with these topics behind its signature.
#[cfg(target_arch = "riscv64")]
#[inline(never)]
fn deposit_with(signature: &Topic, topics: &[Topic], data: &[u8]) {
    use pallet_revive_uapi::{HostFn, HostFnImpl};
    let mut all = [[0; 32]; 4];
    let count = topics.len().wrapping_add(1);
    all[0] = *signature;
    all[1..count].copy_from_slice(topics);
    HostFnImpl::deposit_event(&all[..count], data);
}

/// Stores 32 bytes that never change, for [`immutable`]; once, in a constructor.
#[inline]
pub fn set_immutable(bytes: &[u8; 32]) {
    #[cfg(target_arch = "riscv64")]
    {
        use pallet_revive_uapi::{HostFn, HostFnImpl};
        HostFnImpl::set_immutable_data(bytes);
    }
    #[cfg(not(target_arch = "riscv64"))]
    {
        // ink! has no function for it.
        _ = bytes;
    }
}

/// The bytes that never change. To read them takes a third of the proof of a storage item.
#[must_use]
#[inline]
pub fn immutable() -> [u8; 32] {
    #[cfg(target_arch = "riscv64")]
    {
        use pallet_revive_uapi::{HostFn, HostFnImpl};
        let mut bytes = [0; 32];
        HostFnImpl::get_immutable_data(&mut &mut bytes[..]);
        bytes
    }
    #[cfg(not(target_arch = "riscv64"))]
    [0; 32]
}

/// The data of the call, as an input of its own: longer than what ink! reads, and without a copy of it.
#[cfg(target_arch = "riscv64")]
#[derive(Debug)]
pub struct CallData {
    at: u32,
}

#[cfg(target_arch = "riscv64")]
impl CallData {
    /// The arguments of the message, behind its selector.
    #[must_use]
    pub const fn arguments() -> Self {
        Self { at: 4 }
    }

    /// Fills a buffer with what comes next, and leaves it there.
    #[must_use]
    pub fn peek<'a>(&self, into: &'a mut [u8]) -> &'a [u8] {
        use pallet_revive_uapi::{HostFn, HostFnImpl};
        HostFnImpl::call_data_copy(into, self.at);
        into
    }

    /// Goes on behind so many bytes.
    pub const fn skip(&mut self, bytes: usize) {
        self.at = self.at.wrapping_add(bytes as u32);
    }
}

/// Behind the end of the data there are zeros.
#[cfg(target_arch = "riscv64")]
impl codec::Input for CallData {
    fn remaining_len(&mut self) -> Result<Option<usize>, codec::Error> {
        Ok(None)
    }

    #[inline(never)]
    fn read(&mut self, into: &mut [u8]) -> Result<(), codec::Error> {
        use pallet_revive_uapi::{HostFn, HostFnImpl};
        HostFnImpl::call_data_copy(into, self.at);
        self.at = self.at.wrapping_add(into.len() as u32);
        Ok(())
    }
}

/// Account that calls.
#[must_use]
#[inline(never)]
pub fn caller() -> Address {
    #[cfg(target_arch = "riscv64")]
    {
        use pallet_revive_uapi::{HostFn, HostFnImpl};
        let mut caller = Address::default();
        HostFnImpl::caller(&mut caller.0);
        caller
    }
    #[cfg(not(target_arch = "riscv64"))]
    ink::env::caller().into()
}

/// Payment of the call. One that exceeds a `u128` is taken as the largest.
#[must_use]
#[inline]
pub fn paid() -> u128 {
    #[cfg(target_arch = "riscv64")]
    {
        use pallet_revive_uapi::{HostFn, HostFnImpl};
        let mut paid = [0; 32];
        HostFnImpl::value_transferred(&mut paid);
        let (low, high) = paid.split_at(16);
        if high.iter().any(|byte| *byte != 0) {
            return u128::MAX;
        }
        low.try_into().map_or(u128::MAX, u128::from_le_bytes)
    }
    #[cfg(not(target_arch = "riscv64"))]
    u128::try_from(ink::env::transferred_value()).unwrap_or(u128::MAX)
}

/// Pays an account; whether it took the payment. The receiver can't call the paying contract until
/// it has.
#[must_use]
#[inline]
pub fn pay(receiver: Address, amount: u128) -> bool {
    #[cfg(target_arch = "riscv64")]
    {
        call(&receiver.0, &value_of(amount), &[], &mut &mut [][..]).is_ok()
    }
    #[cfg(not(target_arch = "riscv64"))]
    {
        type Chain = ink::env::DefaultEnvironment;
        ink::env::transfer::<Chain>(receiver.into(), amount.into()).is_ok()
    }
}

/// An amount as the chain takes it.
#[cfg(target_arch = "riscv64")]
#[inline]
fn value_of(amount: u128) -> [u8; 32] {
    let mut value = [0; 32];
    value[..16].copy_from_slice(&amount.to_le_bytes());
    value
}

/// Address of this contract.
#[must_use]
#[inline]
pub fn this() -> Address {
    #[cfg(target_arch = "riscv64")]
    {
        use pallet_revive_uapi::{HostFn, HostFnImpl};
        let mut contract = Address::default();
        HostFnImpl::address(&mut contract.0);
        contract
    }
    #[cfg(not(target_arch = "riscv64"))]
    ink::env::address().into()
}

/// EIP-155 number of the chain.
#[must_use]
#[inline]
pub fn chain_id() -> u64 {
    #[cfg(target_arch = "riscv64")]
    {
        use pallet_revive_uapi::{HostFn, HostFnImpl};
        let mut id = [0; 32];
        HostFnImpl::chain_id(&mut id);
        let [a, b, c, d, e, f, g, h, ..] = id;
        u64::from_le_bytes([a, b, c, d, e, f, g, h])
    }
    #[cfg(not(target_arch = "riscv64"))]
    // ink! has no function for it.
    0
}

/// The chain's cryptography: keccak-256 by a host function, signatures by precompiled contracts.
///
/// ink!'s functions for signatures don't work on this chain: that of ECDSA gives the precompile its
/// input in another form, and that of sr25519 asks for a host function that is gone.
#[derive(Clone, Copy, Debug)]
pub struct Chain;

impl Crypto for Chain {
    #[inline(never)]
    fn keccak256(&self, bytes: &[u8]) -> Digest {
        #[cfg(target_arch = "riscv64")]
        {
            use pallet_revive_uapi::{HostFn, HostFnImpl};
            let mut hash = Digest::default();
            HostFnImpl::hash_keccak_256(bytes, &mut hash);
            hash
        }
        #[cfg(not(target_arch = "riscv64"))]
        Native.keccak256(bytes)
    }

    #[inline(never)]
    fn recover(&self, digest: &Digest, Signature(bytes): &Signature) -> Option<Address> {
        #[cfg(target_arch = "riscv64")]
        {
            // `ecrecover`: the digest, v as a number of 32 bytes, r, s.
            const ECRECOVER: [u8; 20] =
                [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
            let mut input = [0; 128];
            input[..32].copy_from_slice(digest);
            input[63] = bytes[64];
            input[64..].copy_from_slice(&bytes[..64]);
            let mut output = [0; 32];
            let mut output = output.as_mut_slice();
            call(&ECRECOVER, &[0; 32], &input, &mut output).ok()?;
            // Nothing, if it is no signature.
            let mut address = Address::default();
            address.0.copy_from_slice(output.get(12..32)?);
            Some(address)
        }
        #[cfg(not(target_arch = "riscv64"))]
        Native.recover(digest, &Signature(*bytes))
    }
}

impl AccountCrypto for Chain {
    fn verify_sr25519(&self, public_key: &[u8; 32], bytes: &[u8], signature: &[u8; 64]) -> bool {
        #[cfg(target_arch = "riscv64")]
        {
            const SYSTEM: [u8; 20] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 0];
            // `sr25519Verify(uint8[64],bytes,bytes32)`: each byte of the signature in a word of its
            // own, where the bytes are, the key, the length of the bytes, the bytes.
            const SELECTOR: [u8; 4] = [0x30, 0x7a, 0x57, 0x5d];
            const KEY: usize = 4 + 65 * 32;
            const LEN: usize = KEY + 4 * 32;
            let mut input = [0; LEN];
            input[..4].copy_from_slice(&SELECTOR);
            let (words, _) = input[4..].as_chunks_mut::<32>();
            for (word, byte) in words.iter_mut().zip(signature) {
                word[31] = *byte;
            }
            input[KEY - 2..KEY].copy_from_slice(&(66u16 * 32).to_be_bytes());
            input[KEY..KEY + 32].copy_from_slice(public_key);
            input[KEY + 63] = bytes.len() as u8;
            let (_, rest) = input.split_at_mut(KEY + 64);
            rest[..bytes.len()].copy_from_slice(bytes);
            let mut output = [0; 32];
            let mut output = output.as_mut_slice();
            call(&SYSTEM, &[0; 32], &input, &mut output).is_ok() && output.get(31) == Some(&1)
        }
        #[cfg(not(target_arch = "riscv64"))]
        Native.verify_sr25519(public_key, bytes, signature)
    }
}

/// Calls a contract with all the weight and all the deposit that is left.
#[cfg(target_arch = "riscv64")]
#[inline(never)]
fn call(
    callee: &[u8; 20],
    value: &[u8; 32],
    input: &[u8],
    output: &mut &mut [u8],
) -> Result<(), pallet_revive_uapi::ReturnErrorCode> {
    use pallet_revive_uapi::{CallFlags, HostFn, HostFnImpl};
    HostFnImpl::call(
        CallFlags::empty(),
        callee,
        u64::MAX,
        u64::MAX,
        &[u8::MAX; 32],
        value,
        input,
        Some(output),
    )
}
