#![cfg_attr(not(feature = "std"), no_std, no_main)]
//! A player that is a contract: it forwards what it is told to, and when it is paid it does as it
//! was told before. By that the tests see whether payments of the matches can be misused.
//!
//! An ink! contract has no message for a payment without data, so it could not be paid at all:
//! this is written without ink!'s messages. A call begins with what to do:
//!
//! | bytes | what |
//! |---|---|
//! | none | it is paid |
//! | 0, how, contract, data | from now on it takes payments so: 0 as they come; 1 after it has called the contract with the data, or not at all if that fails; 2 the same, but whether that fails or not; 3 not at all |
//! | 1, contract, data | calls the contract with what is paid, and answers what it does |
//! | 2 | answers how often it has called for a payment, and how many of those came through |
//! | 3 | calls as for a payment, or fails |

#[cfg(target_arch = "riscv64")]
mod contract {
    use pallet_revive_uapi::{CallFlags, HostFn, HostFnImpl as api, ReturnFlags, StorageFlags};

    /// How it takes payments, how often it has called for one, how many came through.
    const STATE: [u8; 1] = [0];
    /// What it calls for a payment: the contract, then the data.
    const CALLED: [u8; 1] = [1];

    #[ink::polkavm_export(abi = ink::polkavm_derive::default_abi)]
    pub extern "C" fn deploy() {}

    #[ink::polkavm_export(abi = ink::polkavm_derive::default_abi)]
    pub extern "C" fn call() {
        let mut input = [0; 512];
        let length = usize::try_from(api::call_data_size()).unwrap();
        let input = &mut input[..length];
        api::call_data_copy(input, 0);
        match input {
            [] => paid(),
            [0, how, called @ ..] => {
                let [_, tried, came_through] = state();
                store(&STATE, &[*how, tried, came_through]);
                store(&CALLED, called);
            }
            [1, rest @ ..] => forward(rest),
            [2] => api::return_value(ReturnFlags::empty(), &state()[1..]),
            [3] => insist(),
            _ => panic!(),
        }
    }

    fn paid() {
        let [how, tried, came_through] = state();
        match how {
            0 => {}
            1 => insist(),
            2 => {
                // To be refused entry is nothing that a caller can handle: it ends there. So
                // another call of this contract tries, which may end.
                let mut own = [0; 20];
                api::address(&mut own);
                let through = call_to(&own, &[0; 32], &[3]);
                store(&STATE, &[how, tried + 1, came_through + u8::from(through)]);
            }
            _ => api::return_value(ReturnFlags::REVERT, &[]),
        }
    }

    fn insist() {
        let mut called = [0; 512];
        let mut called = &mut called[..];
        api::get_storage(StorageFlags::empty(), &CALLED, &mut called).unwrap();
        let (contract, data) = called.split_first_chunk().unwrap();
        assert!(call_to(contract, &[0; 32], data));
    }

    fn forward(input: &[u8]) {
        let (contract, data) = input.split_first_chunk().unwrap();
        let mut value = [0; 32];
        api::value_transferred(&mut value);
        let taken = call_to(contract, &value, data);
        let mut output = [0; 256];
        let mut output = &mut output[..];
        api::return_data_copy(&mut output, 0);
        let flags = if taken {
            ReturnFlags::empty()
        } else {
            ReturnFlags::REVERT
        };
        api::return_value(flags, output)
    }

    fn state() -> [u8; 3] {
        let mut state = [0; 3];
        // Nothing is there before the first time.
        let _ = api::get_storage(StorageFlags::empty(), &STATE, &mut &mut state[..]);
        state
    }

    fn store(key: &[u8; 1], value: &[u8]) {
        api::set_storage(StorageFlags::empty(), key, value);
    }

    fn call_to(contract: &[u8; 20], value: &[u8; 32], data: &[u8]) -> bool {
        // All the weight and the deposit that there are.
        let (weight, deposit) = (u64::MAX, [u8::MAX; 32]);
        let flags = CallFlags::ALLOW_REENTRY;
        api::call(flags, contract, weight, weight, &deposit, value, data, None).is_ok()
    }
}
