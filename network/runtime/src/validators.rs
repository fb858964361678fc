//! Who validates, and how long a slot is.
//!
//! The root origin, which here is the holder of the sudo key, names the validators. The session
//! pallet takes them over at the end of the session, and they begin a session later. The slot
//! duration is set in the genesis block: a change would renumber the slots of a running chain.

use polkadot_sdk::{pallet_session, sp_staking};
use sp_staking::SessionIndex;

pub use pallet::*;

#[polkadot_sdk::frame_support::pallet]
pub mod pallet {
    use alloc::vec::Vec;

    use polkadot_sdk::{
        frame_support::{
            pallet_prelude::*,
            traits::{BuildGenesisConfig, ConstU64},
        },
        frame_system::pallet_prelude::*,
        pallet_session,
    };

    /// A public network's usual slot duration, in milliseconds.
    pub const DEFAULT_SLOT_DURATION: u64 = 6_000;

    #[pallet::pallet]
    #[pallet::without_storage_info]
    pub struct Pallet<T>(_);

    #[pallet::config]
    #[pallet::disable_frame_system_supertrait_check]
    pub trait Config: polkadot_sdk::frame_system::Config + pallet_session::Config {
        /// The most validators there may be.
        #[pallet::constant]
        type MaxValidators: Get<u32>;
    }

    /// The validators that were named since the last session ended.
    #[pallet::storage]
    pub type Named<T: Config> = StorageValue<_, Vec<T::ValidatorId>>;

    /// The duration of a slot, in milliseconds.
    #[pallet::storage]
    pub type SlotDuration<T: Config> =
        StorageValue<_, u64, ValueQuery, ConstU64<DEFAULT_SLOT_DURATION>>;

    #[pallet::genesis_config]
    pub struct GenesisConfig<T: Config> {
        /// The duration of a slot, in milliseconds.
        pub slot_duration: u64,
        #[serde(skip)]
        pub _config: PhantomData<T>,
    }

    impl<T: Config> Default for GenesisConfig<T> {
        fn default() -> Self {
            Self {
                slot_duration: DEFAULT_SLOT_DURATION,
                _config: PhantomData,
            }
        }
    }

    #[pallet::genesis_build]
    impl<T: Config> BuildGenesisConfig for GenesisConfig<T> {
        fn build(&self) {
            assert!(self.slot_duration > 0, "a slot lasts at least 1 ms");
            SlotDuration::<T>::put(self.slot_duration);
        }
    }

    #[pallet::event]
    #[pallet::generate_deposit(pub(super) fn deposit_event)]
    pub enum Event<T: Config> {
        /// Validators were named. They begin after the session that follows this one.
        Named {
            /// All of them.
            validators: Vec<T::ValidatorId>,
        },
    }

    #[pallet::error]
    pub enum Error<T> {
        /// A network needs at least one validator.
        NoValidators,
        /// There are more validators than [`Config::MaxValidators`].
        TooManyValidators,
        /// An account is named twice.
        Twice,
        /// An account has not set its session keys.
        NoKeys,
    }

    #[pallet::call]
    impl<T: Config> Pallet<T> {
        /// Names the validators, all of them. They replace the present ones, and the ones that
        /// were named before in the same session.
        ///
        /// Each must have set its session keys: a validator without keys makes no blocks.
        #[pallet::call_index(0)]
        #[pallet::weight(
            T::DbWeight::get().reads_writes(validators.len() as u64, 1)
        )]
        pub fn set_validators(
            origin: OriginFor<T>,
            validators: Vec<T::ValidatorId>,
        ) -> DispatchResult {
            ensure_root(origin)?;
            ensure!(!validators.is_empty(), Error::<T>::NoValidators);
            ensure!(
                validators.len() <= T::MaxValidators::get() as usize,
                Error::<T>::TooManyValidators
            );
            for (index, validator) in validators.iter().enumerate() {
                ensure!(!validators[..index].contains(validator), Error::<T>::Twice);
                ensure!(
                    pallet_session::NextKeys::<T>::contains_key(validator),
                    Error::<T>::NoKeys
                );
            }
            Named::<T>::put(&validators);
            Self::deposit_event(Event::Named { validators });
            Ok(())
        }
    }
}

impl<T: Config> pallet_session::SessionManager<T::ValidatorId> for Pallet<T> {
    fn new_session(_: SessionIndex) -> Option<alloc::vec::Vec<T::ValidatorId>> {
        // Nothing, unless somebody named validators: a list that is the same as before would count
        // as a change, and GRANDPA would start a new set in every session.
        Named::<T>::take()
    }

    fn start_session(_: SessionIndex) {}

    fn end_session(_: SessionIndex) {}
}
