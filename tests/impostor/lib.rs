#![cfg_attr(not(feature = "std"), no_std, no_main)]
//! A contract that emits any event, and makes room for other code at its address. The tests check with it
//! that an event counts only if the contract had the right code when it emitted it.
//!
//! The address of a contract that a contract deploys without a salt follows from the deployer and its nonce,
//! and a deployer that ends and is deployed again begins with the same nonce: so it can deploy two contracts
//! at one address, one after the other, within one block.
//!
//! It is written without ink!'s messages, to be small. The first byte of a call is an order:
//!
//! | bytes | order |
//! |---|---|
//! | 0, topic, data | emits an event |
//! | 1 | ends: the contract is removed at the end of the transaction |
//! | 2, hash, data | deploys uploaded code by its hash, without a salt; data of the constructor |

#[cfg(target_arch = "riscv64")]
mod contract {
    use pallet_revive_uapi::{CallFlags, HostFn, HostFnImpl as api};

    /// Address of the chain's own contract that removes its caller.
    const SYSTEM: [u8; 20] = {
        let mut address = [0; 20];
        address[18] = 0x09;
        address
    };
    /// Selector of `terminate(address)` in it.
    const TERMINATE: [u8; 4] = [0xed, 0xb4, 0x55, 0x29];

    #[ink::polkavm_export(abi = ink::polkavm_derive::default_abi)]
    pub extern "C" fn deploy() {}

    #[ink::polkavm_export(abi = ink::polkavm_derive::default_abi)]
    pub extern "C" fn call() {
        let mut input = [0; 1024];
        let length = usize::try_from(api::call_data_size()).unwrap();
        let input = &mut input[..length];
        api::call_data_copy(input, 0);
        match input {
            [0, rest @ ..] => {
                let (topic, data) = rest.split_first_chunk().unwrap();
                api::deposit_event(&[*topic], data);
            }
            [1] => end(),
            [2, code @ ..] => {
                let (weight, deposit) = (u64::MAX, [u8::MAX; 32]);
                let made =
                    api::instantiate(weight, weight, &deposit, &[0; 32], code, None, None, None);
                assert!(made.is_ok());
            }
            _ => panic!(),
        }
    }

    fn end() {
        let mut data = [0; 36];
        data[..4].copy_from_slice(&TERMINATE);
        let mut beneficiary = [0; 20];
        api::caller(&mut beneficiary);
        data[16..].copy_from_slice(&beneficiary);
        let (weight, deposit) = (u64::MAX, [u8::MAX; 32]);
        let flags = CallFlags::empty();
        let ended = api::call(
            flags, &SYSTEM, weight, weight, &deposit, &[0; 32], &data, None,
        );
        assert!(ended.is_ok());
    }
}
