//! Fast games of Connect Four between two accounts that do not trust each other: their moves are
//! signed and sent from player to player, and this contract settles the game.
//!
//! # Overview
//!
//! The contract of the matches, `connect4-matches`, deploys this one. It starts a fast game when a
//! challenge to one is accepted, and hands both stakes on. A game without a stake is started here by
//! one transaction of anybody, by way of the contract of the records, when both players have signed its
//! terms: [`start_by_terms`](Fast::start_by_terms).
//!
//! Each player has named a session key for the game. What the players sign, and why nobody can be
//! cheated by it, is told by [`connect4_protocol::fast`]. On the chain:
//!
//! 1. [`advance`](Fast::advance) brings a position that both have signed to the chain, or a signed
//!    end: by anyone, at any time. If it ends the game, the stakes are settled.
//! 2. [`press`](Fast::press) starts the clock of an opponent who is silent. The answer is a later
//!    position, or a disc that is [dropped](Fast::drop_disc) here.
//! 3. [`claim_timeout`](Fast::claim_timeout) ends the game of a player who has not answered in time.
//! 4. A line is final when the loser has agreed, or has had time to contest it by a later position;
//!    then stakes are settled.
//! 5. The winner [withdraws](Fast::withdraw) both stakes; after a draw or an abort each player
//!    withdraws its own. Either player offers a [rematch](Fast::offer_rematch).
//!
//! The rules of all this are in the crate `connect4_protocol`: `FastGame`, `Evidence` and `Match`.
//! This contract reads the caller, the payment and the time, applies them, stores the result, credits
//! amounts and emits the events, which are the types of [`connect4_protocol::event`].
//!
//! Games are numbered from [`FIRST`](connect4_protocol::fast::FIRST), so that a number alone tells in
//! which contract its game is.
//!
//! # Funds
//!
//! The balance of this contract is always the sum of the stakes paid in with offers of a rematch, both
//! stakes of every game that goes on, and the credits; plus any amount that was sent without a call,
//! which is lost to its sender. Payments are as in the contract of the matches: credited first, paid
//! when the owner asks.
//!
//! # Answers
//!
//! An `Err` reverts the call: it changes nothing, emits nothing, and the payment of the call
//! comes back. Amounts are in the smallest unit that a contract sees. Times are in seconds
//! since 1970, by the chain's timestamps.

#![cfg_attr(not(feature = "std"), no_std, no_main)]

mod messages;
mod records;

pub use self::fast::Fast;

#[ink::contract]
mod fast {
    use connect4_contract::{caller, end, records::Item};
    // For the documentation alone; what the messages do is in `messages`.
    #[cfg(doc)]
    use connect4_protocol::event::{
        Advanced, ClockPressed, Credited, DiscDropped, GameEnded, GameFreed, GameStarted,
        MatchStarted, RematchDeclined, RematchOffered, SessionKeysNamed, Settled, Withdrawn,
    };
    #[cfg(doc)]
    use connect4_protocol::fast::Moves;
    use connect4_protocol::{
        self as protocol, Error, Match,
        fast::{Agreed, ByTerms, Evidence, FastGame},
    };
    use connect4_rules::Dropped;
    use ink::{prelude::boxed::Box, storage::Mapping};

    use crate::{
        messages,
        records::{Played, Root},
    };

    /// Storage of the contract.
    #[ink(storage)]
    pub struct Fast {
        /// What every call reads.
        pub(crate) root: Root,
        /// Games by their numbers, with their match states.
        pub(crate) games: Mapping<u32, Item<Played, 239>>,
        /// Amounts that accounts are owed.
        pub(crate) credits: Mapping<protocol::Address, u128>,
    }

    impl Fast {
        /// Deploys the contract without games. The caller, the contract of the matches, starts games
        /// for which challenges were accepted.
        #[ink(constructor)]
        pub fn with_referee() -> Self {
            Self {
                root: Root {
                    started: 0,
                    referee: caller(),
                },
                games: Mapping::new(),
                credits: Mapping::new(),
            }
        }

        /// Starts a game that both players have agreed to, and returns its number. The payment of the
        /// call is both stakes. For the contract of the matches.
        ///
        /// # Events
        ///
        /// [`GameStarted`], [`SessionKeysNamed`].
        ///
        /// # Errors
        ///
        /// The first that applies:
        ///
        /// 1. [`Error::NotReferee`] if the caller is not the contract of the matches,
        /// 2. the errors of [`FastGame::start`].
        #[ink(message, payable)]
        pub fn start(&mut self, agreed: Box<Agreed>) -> Result<u32, Error> {
            end(messages::start(self, &agreed))
        }

        /// Starts a game without a stake by terms that both players have signed, for a dispute; returns its
        /// number on the chain. In this game moves are signed, and not made by a call. For the contract of
        /// the records, which has checked the signatures: it is known by its code.
        ///
        /// # Events
        ///
        /// [`GameStarted`], [`SessionKeysNamed`], [`MatchStarted`].
        ///
        /// # Errors
        ///
        /// The first that applies:
        ///
        /// 1. [`Error::NotReferee`] if the caller is not a contract of the records,
        /// 2. [`Error::TermsUsed`] if the terms have started a game before,
        /// 3. the errors of [`FastGame::start`].
        #[ink(message)]
        pub fn start_by_terms(
            &mut self,
            agreed: Box<Agreed>,
            by_terms: Box<ByTerms>,
        ) -> Result<u32, Error> {
            end(messages::start_by_terms(self, &agreed, &by_terms))
        }

        /// Drops a disc of the caller into a bin, on the chain, or takes player one's disc over, by the bin
        /// [`Moves::SWAP`]: when the opponent is silent, or no
        /// relay is there. The clock of the opponent runs from then on. Returns the row in which it
        /// came to lie, and the outcome if there is one. A line can be
        /// [contested](FastGame::contest); a full board ends the game, and its stakes are settled.
        ///
        /// # Events
        ///
        /// [`DiscDropped`]; if it made a line, [`ClockPressed`] with the last second to contest it; if it
        /// filled the board, [`GameEnded`], and if there are stakes, [`Credited`] for each share and
        /// [`Settled`].
        ///
        /// # Errors
        ///
        /// The first that applies:
        ///
        /// 1. [`Error::NoSuchGame`] if there is no game with this number,
        /// 2. the errors of [`FastGame::drop`].
        #[ink(message)]
        pub fn drop_disc(&mut self, game: u32, bin: u8) -> Result<Dropped, Error> {
            end(messages::drop_disc(self, game, bin))
        }

        /// Brings a position that both players have signed to the chain, or a signed end: a resignation
        /// or a draw. Anyone may call it. It stops the clock; if `press`, the caller then starts it
        /// for who is to move, as by [`press`](Self::press), and a signed press starts it whoever calls. A line that the loser has not agreed to can
        /// be [contested](FastGame::contest). If the game has ended for good, the stakes are settled.
        ///
        /// # Events
        ///
        /// [`Advanced`] if its moves take the place of those that the chain knew; [`ClockPressed`] if
        /// pressed, or if a line can be contested; if the game has ended [`GameEnded`], and if there are stakes, [`Credited`] for each share and
        /// [`Settled`].
        ///
        /// # Errors
        ///
        /// The first that applies:
        ///
        /// 1. [`Error::NoSuchGame`] if there is no game with this number,
        /// 2. the errors of [`FastGame::advance`],
        /// 3. if `press`, the errors of [`FastGame::press`].
        #[ink(message)]
        pub fn advance(
            &mut self,
            game: u32,
            press: bool,
            evidence: Box<Evidence>,
        ) -> Result<(), Error> {
            end(messages::advance(self, game, press, &evidence))
        }

        /// Starts the clock of the player to move, for the caller who waits. Returns the last second at
        /// which the opponent may answer, by [`advance`](Self::advance) or by
        /// [`drop_disc`](Self::drop_disc).
        ///
        /// # Events
        ///
        /// [`ClockPressed`].
        ///
        /// # Errors
        ///
        /// The first that applies:
        ///
        /// 1. [`Error::NoSuchGame`] if there is no game with this number,
        /// 2. the errors of [`FastGame::press`].
        #[ink(message)]
        pub fn press(&mut self, game: u32) -> Result<u64, Error> {
            end(messages::press(self, game))
        }

        /// Gives a game up: the opponent wins, whoever is to move. A line of the opponent becomes final.
        /// The stakes are settled.
        ///
        /// # Events
        ///
        /// [`GameEnded`]; if there are stakes, [`Credited`] for each share and [`Settled`].
        ///
        /// # Errors
        ///
        /// The first that applies:
        ///
        /// 1. [`Error::NoSuchGame`] if there is no game with this number,
        /// 2. [`Error::GameOver`] if the game has ended,
        /// 3. [`Error::NotAPlayer`] if the caller does not play it.
        #[ink(message)]
        pub fn resign(&mut self, game: u32) -> Result<(), Error> {
            end(messages::resign(self, game))
        }

        /// Ends a game in which the time of the player to move has run out, or that to contest a line,
        /// which becomes final. Anyone may call it. If
        /// both players have moved, as far as the chain knows, the opponent wins; else the game is
        /// aborted and both get their stakes back. The stakes are settled. The first move of each
        /// player has a day at most, however long the bank: [`Match::claim_deadline`].
        ///
        /// # Events
        ///
        /// [`GameEnded`]; if there are stakes, [`Credited`] for each share and [`Settled`].
        ///
        /// # Errors
        ///
        /// The first that applies:
        ///
        /// 1. [`Error::NoSuchGame`] if there is no game with this number,
        /// 2. [`Error::GameOver`] if the game has ended,
        /// 3. [`Error::NoClock`] if no clock runs,
        /// 4. [`Error::TimeLeft`] if that deadline has not passed; at the deadline it has not.
        #[ink(message)]
        pub fn claim_timeout(&mut self, game: u32) -> Result<(), Error> {
            end(messages::claim_timeout(self, game))
        }

        /// Offers a rematch on the same terms, with a new session key of the caller. Its stake is the
        /// payment of the call. If the opponent offers one already, accepts it, and returns the new
        /// game's number.
        ///
        /// # Events
        ///
        /// [`RematchOffered`], or those of [`accept_rematch`](Self::accept_rematch).
        ///
        /// # Errors
        ///
        /// The first that applies:
        ///
        /// 1. [`Error::NoSuchGame`] if there is no game with this number,
        /// 2. [`Error::GameNotOver`] if it goes on, [`Error::BySignature`] if it began by signed terms,
        /// 3. the errors of [`Match::offer_rematch`],
        /// 4. [`Error::BadKey`] if it starts and both keys are the same, or one is the zero address.
        #[ink(message, payable)]
        pub fn offer_rematch(
            &mut self,
            game: u32,
            key: protocol::Address,
        ) -> Result<Option<u32>, Error> {
            end(messages::offer_rematch(self, game, key))
        }

        /// Accepts the opponent's offer of a rematch, with a new session key of the caller and the
        /// stake as the payment of the call; returns the new game's number. The loser begins; after a
        /// draw, the player who moved second; after an abort, the seats stay.
        ///
        /// # Events
        ///
        /// [`GameStarted`], [`SessionKeysNamed`], [`MatchStarted`].
        ///
        /// # Errors
        ///
        /// The first that applies:
        ///
        /// 1. [`Error::NoSuchGame`] if there is no game with this number,
        /// 2. [`Error::GameNotOver`] if it goes on, [`Error::BySignature`] if it began by signed terms,
        /// 3. the errors of [`Match::accept_rematch`],
        /// 4. [`Error::BadKey`] if both keys are the same, or one is the zero address.
        #[ink(message, payable)]
        pub fn accept_rematch(&mut self, game: u32, key: protocol::Address) -> Result<u32, Error> {
            end(messages::accept_rematch(self, game, key))
        }

        /// Declines the opponent's offer of a rematch, or takes back the caller's own. Who made it is
        /// credited its stake.
        ///
        /// # Events
        ///
        /// [`Credited`] if there is a stake, then [`RematchDeclined`].
        ///
        /// # Errors
        ///
        /// The first that applies:
        ///
        /// 1. [`Error::NoSuchGame`] if there is no game with this number,
        /// 2. the errors of [`Match::decline_rematch`].
        #[ink(message)]
        pub fn decline_rematch(&mut self, game: u32) -> Result<(), Error> {
            end(messages::decline_rematch(self, game))
        }

        /// Pays the caller all that it is owed by fast games, and returns the amount.
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
        pub fn withdraw(&mut self) -> Result<u128, Error> {
            end(messages::withdraw_to(self, caller()))
        }

        /// As [`withdraw`](Self::withdraw), but pays to another account.
        ///
        /// # Errors
        ///
        /// 1. [`Error::NoReceiver`] if that is the zero address,
        /// 2. those of [`withdraw`](Self::withdraw).
        #[ink(message)]
        pub fn withdraw_to(&mut self, receiver: protocol::Address) -> Result<u128, Error> {
            end(messages::withdraw_to(self, receiver))
        }

        /// Frees the storage of a game that has ended; the deposit goes to the caller, who paid it.
        /// The offer of a rematch is declined by it. The events remain.
        ///
        /// # Events
        ///
        /// Those of [`decline_rematch`](Self::decline_rematch) if a rematch is offered; then
        /// [`GameFreed`].
        ///
        /// # Errors
        ///
        /// The first that applies:
        ///
        /// 1. [`Error::NoSuchGame`] if there is no game with this number,
        /// 2. [`Error::GameNotOver`] if it goes on,
        /// 3. [`Error::NotPayer`] if the caller did not pay the deposit,
        /// 4. [`Error::TermsStand`] if it began by signed terms, and these could still start it again.
        #[ink(message)]
        pub fn free(&mut self, game: u32) -> Result<(), Error> {
            end(messages::free(self, game))
        }

        /// Everything about a game, as far as the chain knows it.
        ///
        /// # Errors
        ///
        /// [`Error::NoSuchGame`] if there is no game with this number.
        #[ink(message)]
        pub fn fast_game(&self, game: u32) -> Result<FastGame, Error> {
            end(self.played(game).map(|played| played.fast))
        }

        /// Stakes and place in a series of a game.
        ///
        /// # Errors
        ///
        /// [`Error::NoSuchGame`] if there is no game with this number.
        #[ink(message)]
        pub fn match_of(&self, game: u32) -> Result<Match, Error> {
            end(self.played(game).map(|played| played.state))
        }

        /// Amount that an account is owed by fast games, and may withdraw.
        #[ink(message)]
        pub fn credit_of(&self, account: protocol::Address) -> Result<u128, Error> {
            end(Ok(self.credits.get(account).unwrap_or_default()))
        }

        /// Number of fast games started.
        #[ink(message)]
        pub fn game_count(&self) -> Result<u32, Error> {
            end(Ok(self.root.started))
        }

        /// Address of the contract of the matches.
        #[ink(message)]
        pub fn referee(&self) -> Result<protocol::Address, Error> {
            end(Ok(self.root.referee))
        }
    }
}
