//! A pallet that the second version of the runtime has more than the first. It tells by an event
//! what the upgrade has changed in the state.

pub use pallet::*;

#[frame_support::pallet]
pub mod pallet {
    #[pallet::pallet]
    pub struct Pallet<T>(_);

    #[pallet::config]
    pub trait Config: frame_system::Config<RuntimeEvent: From<Event<Self>>> {}

    #[pallet::event]
    #[pallet::generate_deposit(pub fn deposit_event)]
    pub enum Event<T: Config> {
        /// The first block of this version of the runtime has changed the state for it.
        Upgraded {
            /// How many accounts had deposits that name a pallet by its index.
            accounts: u32,
        },
    }
}
