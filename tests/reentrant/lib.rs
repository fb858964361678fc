#![cfg_attr(not(feature = "std"), no_std, no_main)]
//! A player that is a contract. It forwards calls, and during a payment it makes a call that was
//! set before. The tests check with it that payments of the stakes can't be misused.
//!
//! An ink! contract has no message for a payment without data, so that it could not be paid at
//! all: this contract is written without ink!'s messages. The first byte of a call is an order:
//!
//! | bytes | order |
//! |---|---|
//! | none | a payment |
//! | 0, mode, contract, data | sets the mode of later payments: 0 takes them; 1 calls the contract with the data first, and fails if that fails; 2 calls it first, and takes the payment even if that fails; 3 refuses them |
//! | 1, contract, data | calls the contract with the payment of this call, and answers as it does |
//! | 2 | answers the number of calls made for payments, and of those that succeeded |
//! | 3 | makes the call of mode 1, or fails |

#[cfg(target_arch = "riscv64")]
mod contract {
    use pallet_revive_uapi::{CallFlags, HostFn, HostFnImpl as api, ReturnFlags, StorageFlags};

    /// Mode of payments, number of calls made for payments, number of those that succeeded.
    const STATE: [u8; 1] = [0];
    /// Call that is made for a payment: the contract, then the data.
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
                // A refused reentrant call ends its caller, too, so that the caller can't note it.
                // Therefore a second call of this contract tries, which may end.
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
        // Nothing is stored before the first order.
        let _ = api::get_storage(StorageFlags::empty(), &STATE, &mut &mut state[..]);
        state
    }

    fn store(key: &[u8; 1], value: &[u8]) {
        api::set_storage(StorageFlags::empty(), key, value);
    }

    fn call_to(contract: &[u8; 20], value: &[u8; 32], data: &[u8]) -> bool {
        // No limits of weight and deposit.
        let (weight, deposit) = (u64::MAX, [u8::MAX; 32]);
        let flags = CallFlags::ALLOW_REENTRY;
        api::call(flags, contract, weight, weight, &deposit, value, data, None).is_ok()
    }
}
