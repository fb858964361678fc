//! Signed games of Connect Four with a stake, which this contract holds.
//!
//! # Overview
//!
//! Two accounts agree on the [terms](connect4_protocol::signed::Terms) of a game, and sign its moves and send them to
//! each other, as in any [signed game](connect4_protocol::signed). The digest of the terms is the number of the game.
//!
//! 1. Each player [pays](Stakes::fund) the stake of the terms. Both transactions together are the agreement: nobody has
//!    signed the terms, and the second payment begins the game. Until then the first player can have the stake
//!    [back](Stakes::refund).
//! 2. [`advance`](Stakes::advance) brings a position that both have signed, or a signed end: by anyone, at any time. If
//!    it ends the game, both stakes are credited.
//! 3. [`press`](Stakes::press) starts the clock of an opponent who is silent. The answer is a later position, or a disc
//!    that is [dropped](Stakes::drop_disc) here.
//! 4. [`claim_timeout`](Stakes::claim_timeout) ends the game of a player who has not answered in time.
//! 5. A line is final when the loser has agreed, or has had time to contest it by a later position.
//! 6. The winner [withdraws](Stakes::withdraw_to) both stakes, or leaves them to pay for the next game with them; after
//!    a draw or an abort each player has its own.
//! 7. A day after the terms [`free`](Stakes::free) returns the deposit.
//!
//! The rules of all this are in the crate `connect4_protocol`: `StakedGame`, `Evidence` and `ChainGame`. This contract
//! reads the caller, the payment and the time, applies them, stores the result, credits amounts and emits the events,
//! which are the types of [`connect4_protocol::signed::event`].
//!
//! # Funds
//!
//! The balance of this contract is always the sum of the stakes that were paid for games which have not begun, both
//! stakes of every game that goes on, and what accounts are owed; plus any amount that was sent without a call, which is
//! lost to its sender. Except for a refund, payments are credited first, and paid when the owner asks. During a payment
//! this contract can't be called.
//!
//! # Deposits
//!
//! The transaction that stores something pays its deposit, and the one that removes it gets it: the first to pay a
//! stake pays for the game, and gets that back by a refund or by `free`; the transaction that ends a game pays for what
//! accounts are owed by it, and the one that withdraws or spends all of that gets it.
//!
//! # Storage
//!
//! There is no root cell to read. What differs from chain to chain, the hash of its first block, is told to the
//! constructor and never changes; [`domain`](Stakes::domain) shows it, so that a program compares it with its chain
//! before it pays.
//!
//! # Answers
//!
//! An `Err` reverts the call: it changes nothing, emits nothing, and the payment of the call comes back. Amounts are in
//! the smallest unit that a contract sees. Times are in seconds since 1970, by the chain's timestamps. Bytes that are no
//! arguments, and payments where none are taken, are refused by the machine.

#![cfg_attr(not(feature = "std"), no_std, no_main)]

mod funds;
mod messages;
mod records;

pub use self::stakes::Stakes;

#[ink::contract]
mod stakes {
    use connect4_contract::{caller, records::Item, set_immutable};
    // For the documentation alone; what the messages do is in `messages`.
    use connect4_protocol::{
        self as protocol,
        signed::{
            Domain, Evidence, GameNumber, StakedGame, StakesError, Terms,
            message::{Advance, ClaimTimeout, Drop, Free, Fund, Press, Refund, Resign, WithdrawTo},
        },
    };
    #[cfg(doc)]
    use connect4_protocol::{
        Error,
        signed::{
            ChainGame, Moves,
            event::{
                Advanced, Credited, DeadlineSet, DiscDropped, Funded, GameEnded, GameFreed,
                Refunded, Withdrawn,
            },
        },
    };
    use connect4_rules::{Board, Dropped};
    use ink::storage::Mapping;

    use crate::{messages, records::Staked};

    type Earlier<T> = connect4_contract::Earlier<T>;
    type Last<M, T> = connect4_contract::Last<Stakes, M, T>;

    /// Storage of the contract, which has no fields in the root cell.
    #[ink(storage)]
    #[derive(Default)]
    pub struct Stakes {
        /// Games by their numbers.
        pub(crate) games: Mapping<GameNumber, Item<Staked, { StakedGame::LEN }>>,
        /// Amounts that accounts are owed.
        pub(crate) credits: Mapping<protocol::Address, u128>,
    }

    impl Stakes {
        /// Deploys the contract on the chain with this first block.
        #[ink(constructor)]
        pub fn new(genesis: [u8; 32]) -> Self {
            set_immutable(&genesis);
            Self::default()
        }

        /// Pays the stake of the caller in the game of these terms. The payment of the call is added to what the caller
        /// is owed, and the stake taken from the sum; what remains is owed. The first payment stores the game, the
        /// second begins it.
        ///
        /// # Events
        ///
        /// [`Funded`].
        ///
        /// # Errors
        ///
        /// The first that applies:
        ///
        /// 1. the errors of [`StakedGame::fund`],
        /// 2. the errors of [`StakedGame::owed_after`].
        #[ink(message, payable)]
        pub fn fund(&mut self, terms: Last<Fund, Terms>) -> Result<(), StakesError> {
            terms.answer()
        }

        /// Pays the stake back to the caller, while the other player has not paid, and returns the amount. The game is
        /// gone; the same terms can be paid for again.
        ///
        /// # Events
        ///
        /// [`Refunded`].
        ///
        /// # Errors
        ///
        /// The first that applies:
        ///
        /// 1. [`Error::NoSuchGame`] if there is no game with this number,
        /// 2. the errors of [`StakedGame::refund`],
        /// 3. [`Error::TransferFailed`] if the caller does not take the payment.
        #[ink(message)]
        pub fn refund(&mut self, game: Last<Refund, GameNumber>) -> Result<u128, StakesError> {
            game.answer()
        }

        /// Drops a disc of the caller into a bin of this board, on the chain, or takes player one's disc over, by the
        /// bin [`Moves::SWAP`]: when the opponent is silent, or no relay is there. It is for this board alone: a
        /// transaction that comes late, or twice, is never the move of another turn. The clock of the opponent runs from
        /// then on. Returns the row in which it came to lie, and the outcome if there is one. A line can be
        /// [contested](ChainGame::contest); a full board ends the game.
        ///
        /// # Events
        ///
        /// [`DiscDropped`]; if it made a line, [`DeadlineSet`] with the last second to contest it; if it filled the
        /// board, [`Credited`] for each share and [`GameEnded`].
        ///
        /// # Errors
        ///
        /// The first that applies:
        ///
        /// 1. [`Error::NoSuchGame`] if there is no game with this number,
        /// 2. the errors of [`StakedGame::drop`].
        #[ink(message)]
        pub fn drop_disc(
            &mut self,
            game: Earlier<GameNumber>,
            board: Earlier<Board>,
            bin: Last<Drop, u8>,
        ) -> Result<Dropped, StakesError> {
            _ = (game, board);
            bin.answer()
        }

        /// Brings a position that both players have signed to the chain, or a signed end: a resignation, or a draw in
        /// its time. Anyone may call it. It stops the clock; if `press`, the caller then starts it for who is to move,
        /// as by [`press`](Self::press). A line that the loser has not agreed to can be
        /// [contested](ChainGame::contest).
        ///
        /// # Events
        ///
        /// [`Advanced`] if its moves take the place of those that the chain knew; [`DeadlineSet`] if pressed, or if a
        /// line can be contested; if the game has ended, [`Credited`] for each share and [`GameEnded`].
        ///
        /// # Errors
        ///
        /// The first that applies:
        ///
        /// 1. [`Error::NoSuchGame`] if there is no game with this number,
        /// 2. the errors of [`StakedGame::advance`],
        /// 3. if `press`, the errors of [`StakedGame::press`].
        #[ink(message)]
        pub fn advance(
            &mut self,
            game: Earlier<GameNumber>,
            press: Earlier<bool>,
            evidence: Last<Advance, Evidence>,
        ) -> Result<(), StakesError> {
            _ = (game, press);
            evidence.answer()
        }

        /// Starts the clock of the player to move, for the caller who waits. Returns the last second at which the
        /// opponent may answer, by [`advance`](Self::advance) or by [`drop_disc`](Self::drop_disc).
        ///
        /// # Events
        ///
        /// [`DeadlineSet`].
        ///
        /// # Errors
        ///
        /// The first that applies:
        ///
        /// 1. [`Error::NoSuchGame`] if there is no game with this number,
        /// 2. the errors of [`StakedGame::press`].
        #[ink(message)]
        pub fn press(&mut self, game: Last<Press, GameNumber>) -> Result<u64, StakesError> {
            game.answer()
        }

        /// Gives a game up: the opponent wins, whoever is to move. A line of the opponent becomes final.
        ///
        /// # Events
        ///
        /// [`Credited`] for each share, then [`GameEnded`].
        ///
        /// # Errors
        ///
        /// The first that applies:
        ///
        /// 1. [`Error::NoSuchGame`] if there is no game with this number,
        /// 2. the errors of [`StakedGame::resign`].
        #[ink(message)]
        pub fn resign(&mut self, game: Last<Resign, GameNumber>) -> Result<(), StakesError> {
            game.answer()
        }

        /// Ends a game in which the time of the player to move has run out, or that to contest a line, which becomes
        /// final. Anyone may call it. If both players have moved, as far as the chain knows, the opponent wins; else the
        /// game is aborted and both get their stakes back. The first move of each player has a day at most, however long
        /// the bank.
        ///
        /// # Events
        ///
        /// [`Credited`] for each share, then [`GameEnded`].
        ///
        /// # Errors
        ///
        /// The first that applies:
        ///
        /// 1. [`Error::NoSuchGame`] if there is no game with this number,
        /// 2. the errors of [`StakedGame::claim_timeout`].
        #[ink(message)]
        pub fn claim_timeout(
            &mut self,
            game: Last<ClaimTimeout, GameNumber>,
        ) -> Result<(), StakesError> {
            game.answer()
        }

        /// Pays the caller all that it is owed, and returns the amount. It reads the root cell, which
        /// [`withdraw_to`](Self::withdraw_to) does not.
        ///
        /// # Events
        ///
        /// [`Withdrawn`].
        ///
        /// # Errors
        ///
        /// The first that applies:
        ///
        /// 1. [`Error::NothingToWithdraw`] if that is nothing,
        /// 2. [`Error::TransferFailed`] if the caller does not take the payment.
        #[ink(message)]
        pub fn withdraw(&mut self) -> Result<u128, StakesError> {
            messages::end(messages::withdraw_to(caller()))
        }

        /// As [`withdraw`](Self::withdraw), but pays to another account.
        ///
        /// # Errors
        ///
        /// 1. [`Error::NoReceiver`] if that is the zero address,
        /// 2. those of [`withdraw`](Self::withdraw).
        #[ink(message)]
        pub fn withdraw_to(
            &mut self,
            receiver: Last<WithdrawTo, protocol::Address>,
        ) -> Result<u128, StakesError> {
            receiver.answer()
        }

        /// Frees the storage of a game that has ended, when its terms can't be paid for any more; the deposit goes to
        /// the caller, who has paid first. The events remain.
        ///
        /// # Events
        ///
        /// [`GameFreed`].
        ///
        /// # Errors
        ///
        /// The first that applies:
        ///
        /// 1. [`Error::NoSuchGame`] if there is no game with this number,
        /// 2. the errors of [`StakedGame::free`].
        #[ink(message)]
        pub fn free(&mut self, game: Last<Free, GameNumber>) -> Result<(), StakesError> {
            game.answer()
        }

        /// Everything about a game, as far as the chain knows it.
        ///
        /// # Errors
        ///
        /// [`Error::NoSuchGame`] if there is no game with this number.
        #[ink(message)]
        pub fn game(&self, game: GameNumber) -> Result<StakedGame, StakesError> {
            messages::end(messages::game(game))
        }

        /// Amount that an account is owed, and may withdraw.
        #[ink(message)]
        pub fn credit_of(&self, account: protocol::Address) -> Result<u128, StakesError> {
            messages::end(Ok(messages::credit_of(account)))
        }

        /// Where the games of this contract are signed: the chain, as the constructor was told it, and the contract.
        #[ink(message)]
        pub fn domain(&self) -> Result<Domain, StakesError> {
            messages::end(Ok(messages::domain()))
        }
    }
}
