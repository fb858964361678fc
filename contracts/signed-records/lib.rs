//! Records of signed games of Connect Four without a stake.
//!
//! # Overview
//!
//! Two players have signed the [terms](connect4_protocol::signed::Terms) of a game, and its moves. Nobody needs this
//! contract to play. Whoever cares brings games here:
//!
//! - [`record`](SignedRecords::record) puts the ends of any number of games on the chain by one call. It judges each by
//!   [`Finished::judge`](connect4_protocol::signed::Finished::judge), stores nothing, and emits who played, the terms,
//!   the moves and the end.
//! - [`contradict`](SignedRecords::contradict) shows that a witness has signed statements about one game that cannot be
//!   true. From that block on nobody has to believe that witness, and of that game nothing that it has said before.
//!
//! It has no storage and no owner, and is told nothing when it is deployed, so that anybody can deploy it. It does not
//! know the first block of its chain, by which games are signed for one chain: each call names it, and each event tells
//! it. Who reads the events compares it, as chains can share a number.
//!
//! A game can be recorded more than once: it has one number, by which whoever counts games counts it once.
//!
//! # Answers
//!
//! An `Err` reverts the call: it changes nothing and emits nothing. Payments are refused by the machine.

#![cfg_attr(not(feature = "std"), no_std, no_main)]

mod arguments;
mod messages;

pub use self::signed_records::SignedRecords;

#[ink::contract]
mod signed_records {
    use connect4_contract::Earlier;
    use connect4_protocol::signed::{
        Contradiction, Digest, Group, RecordedEnd, RecordsError, Terms, Testimony,
        message::{Contradict, Record},
    };
    #[cfg(doc)]
    use connect4_protocol::signed::{
        Finished, Refused,
        event::{GameRecorded, WitnessContradicted},
    };
    use ink::prelude::vec::Vec;

    use crate::arguments::ByItself;

    /// Storage of the contract: none.
    #[ink(storage)]
    #[derive(Default)]
    pub struct SignedRecords {}

    impl SignedRecords {
        /// Deploys the contract.
        #[ink(constructor)]
        pub fn new() -> Self {
            Self {}
        }

        /// Records ends of games, which have their witness and their tournament in common. Anyone may call it. Returns
        /// how many they are.
        ///
        /// A game that is not valid refuses the whole call. Whether one is depends on its bytes alone, so who sends
        /// them can check each before.
        ///
        /// # Events
        ///
        /// [`GameRecorded`] for each game, in order.
        ///
        /// # Errors
        ///
        /// The first that applies to the first game with one:
        ///
        /// 1. [`RecordsError::Unreadable`] if its bytes are no game,
        /// 2. [`RecordsError::Game`] with [`Refused::OtherForm`] if its terms are not in the form that they have, or with
        ///    what [`Finished::judge`] says of it,
        /// 3. [`RecordsError::LongList`] if it is one too many for the list of the witness;
        ///
        /// and then [`RecordsError::BadList`].
        #[ink(message)]
        pub fn record(
            &self,
            group: Earlier<Group>,
            games: ByItself<Record, Vec<RecordedEnd>>,
        ) -> Result<u32, RecordsError> {
            _ = (group, games);
            unreachable!("the call has ended")
        }

        /// Shows that the witness of these terms has signed two statements about their game, on the chain with this first
        /// block, that contradict each other, or one that the terms refute, which is given twice; returns how. Anyone may
        /// call it. Who has signed the terms is not looked at: no witness makes a statement about a game that it has not
        /// opened.
        ///
        /// # Events
        ///
        /// [`WitnessContradicted`].
        ///
        /// # Errors
        ///
        /// The first that applies:
        ///
        /// 1. [`RecordsError::Unreadable`] if the bytes of the first block or of the terms are none,
        /// 2. [`RecordsError::Terms`] with [`Refused::OtherForm`] if the terms are not in the form that they have, or with
        ///    [`Refused::NoWitness`] if they name no witness,
        /// 3. of each statement [`RecordsError::Unreadable`] if its bytes are none, [`RecordsError::LongList`] if its list
        ///    is longer than the call, [`RecordsError::NotSaid`] if the witness has not signed it,
        /// 4. [`RecordsError::NoContradiction`] if both can be true.
        #[ink(message)]
        pub fn contradict(
            &self,
            genesis: Earlier<Digest>,
            terms: Earlier<Terms>,
            one: Earlier<Testimony>,
            other: ByItself<Contradict, Testimony>,
        ) -> Result<Contradiction, RecordsError> {
            _ = (genesis, terms, one, other);
            unreachable!("the call has ended")
        }
    }
}
