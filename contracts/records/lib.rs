//! Records of Connect Four games that began by signed terms, without the chain.
//!
//! # Overview
//!
//! Two players have signed the [terms](connect4_protocol::fast::GameTerms) of a game, and its moves. Nobody
//! needs this contract to play. Whoever cares brings games here:
//!
//! - [`record`](Records::record) puts any number of games on the chain by one call. It checks the signatures
//!   of the accounts and session keys, replays the moves by the rules, stores nothing, and emits who played,
//!   the terms, the moves and the end.
//! - [`start_signed`](Records::start_signed) starts a game in the contract of the fast games, for a dispute
//!   with a player who is silent, or who does not agree to have lost.
//!
//! All is signed for a contract of fast games, which each call names. This one has no storage, owner or
//! address that matters: the contract of the fast games knows it by its code, so that anybody can deploy it.
//!
//! A game can be recorded more than once, and beside a dispute, each time as far as who brings it knows or
//! wants it. What counts is decided by all of it together, whatever came first:
//! [`Results`](connect4_protocol::fast::Results).

#![cfg_attr(not(feature = "std"), no_std, no_main)]

mod games;
mod messages;

pub use self::records::Records;

#[ink::contract]
mod records {
    use connect4_contract::end;
    use connect4_protocol::{self as protocol, Error, fast::PackedSigned};
    #[cfg(doc)]
    use connect4_protocol::{
        event::{GameRecorded, StartedByTerms},
        fast::RecordedGame,
    };
    use ink::prelude::boxed::Box;

    use crate::{games::Games, messages};

    /// Storage of the contract: none.
    #[ink(storage)]
    #[derive(Default)]
    pub struct Records {}

    impl Records {
        /// Deploys the contract.
        #[ink(constructor)]
        pub fn new() -> Self {
            Self {}
        }

        /// Records games by signed terms, for a contract of fast games. Anyone may call it. Returns how many
        /// they are.
        ///
        /// A game that is not valid refuses the whole call: whether one is depends on its bytes, and on a
        /// time that is known, so who sends them can check each before.
        ///
        /// # Events
        ///
        /// [`GameRecorded`] for each game, in order.
        ///
        /// # Errors
        ///
        /// Those of [`RecordedGame::check`] for the first game that is not valid.
        #[ink(message)]
        pub fn record(&self, fast: protocol::Address, games: Games) -> Result<u32, Error> {
            // On the chain the call has ended.
            _ = (fast, games);
            Ok(0)
        }

        /// Starts a game without a stake in a contract of fast games by terms that both players have signed,
        /// for a dispute; returns its number there. Anyone may call it, and pays for the storage.
        ///
        /// # Events
        ///
        /// Those of the contract of the fast games, then [`StartedByTerms`].
        ///
        /// # Errors
        ///
        /// The first that applies:
        ///
        /// 1. the errors of [`GameTerms::check_time`](protocol::fast::GameTerms::check_time) for a day,
        /// 2. the errors of [`PackedSigned::start`],
        /// 3. [`Error::TermsUsed`] if the terms have started a game before.
        #[ink(message)]
        pub fn start_signed(
            &self,
            fast: protocol::Address,
            signed: Box<PackedSigned>,
        ) -> Result<u32, Error> {
            end(messages::start_signed(fast, &signed))
        }
    }
}
