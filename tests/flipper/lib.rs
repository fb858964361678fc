#![cfg_attr(not(feature = "std"), no_std, no_main)]
//! A single bit that can be read and flipped: the cost table compares the games with the least
//! that a message of an ink! contract costs.

#[ink::contract]
mod flipper {
    /// One bit.
    #[ink(storage)]
    #[derive(Default)]
    pub struct Flipper {
        value: bool,
    }

    impl Flipper {
        /// A bit that is off.
        #[ink(constructor)]
        pub fn new() -> Self {
            Self::default()
        }

        /// Turns the bit over: one read and one write of storage.
        #[ink(message)]
        pub fn flip(&mut self) {
            self.value = !self.value;
        }

        /// The bit: one read of storage.
        #[ink(message)]
        pub fn get(&self) -> bool {
            self.value
        }
    }
}
