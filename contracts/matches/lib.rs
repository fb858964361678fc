//! Matches of Connect Four between two accounts that do not trust each other: challenges,
//! stakes, clocks, every way a game can end, rematches, payouts.
//!
//! # Overview
//!
//! This contract deploys the contract of the games, `connect4`, and is its referee.
//! Players drop their discs there, where a move costs the least, and call this contract for
//! the rare steps of a match:
//!
//! 1. A player [challenges](Matches::challenge) another, or anyone, and pays the stake in. The
//!    opponent [accepts](Matches::accept), pays the same, and the game starts.
//! 2. The game ends on the board, by [resignation](Matches::resign), by
//!    [agreement](Matches::accept_draw), or by a [claim](Matches::claim_timeout) that the time
//!    of the player to move has run out.
//! 3. The winner [withdraws](Matches::withdraw) both stakes; after a draw or an abort each
//!    player withdraws its own.
//! 4. Either player offers a [rematch](Matches::offer_rematch), in which the loser begins.
//!
//! Bare games, which were started at the contract of the games itself, can be resigned,
//! drawn by agreement, followed by a rematch and freed here, too.
//!
//! The rules of all this are in the crate `connect4_protocol`: `Game`, `Challenge` and `Match`.
//! This contract reads the caller and the payment, applies them, stores the result, credits
//! amounts and emits the events, which are the types of [`connect4_protocol::event`].
//!
//! # Funds
//!
//! The balance of this contract is always the sum of the stakes of open challenges, the stakes
//! paid in with offers of a rematch, both stakes of every game that is not settled, and the
//! credits; plus any amount that was sent without a call, which is lost to its sender.
//!
//! An amount that a player is owed is credited first, and paid only when that player calls
//! [`withdraw`](Matches::withdraw). So no receiver can block anybody else, and a receiver that
//! does not take a payment keeps its credit. The credit is removed before the payment leaves,
//! and the contract can't be re-entered until the payment has arrived.
//!
//! # Answers
//!
//! An `Err` reverts the call: it changes nothing, emits nothing, and the payment of the call
//! comes back. Amounts are in the smallest unit that a contract sees. Times are in seconds
//! since 1970, by the chain's timestamps.

#![cfg_attr(not(feature = "std"), no_std, no_main)]

#[cfg(not(target_arch = "riscv64"))]
mod games;
mod messages;
mod records;

pub use self::matches::Matches;

#[ink::contract]
mod matches {
    use connect4_contract::{Encoded, Numbers, Unread, caller, end, records::Item};
    // For the documentation alone; what the messages do is in `messages`.
    #[cfg(doc)]
    use connect4_protocol::event::{
        ChallengeMade, ChallengeWithdrawn, Credited, DrawDeclined, DrawOffered, GameFreed,
        MatchStarted, RematchDeclined, RematchOffered, Settled, Withdrawn,
    };
    use connect4_protocol::{self as protocol, Challenge, ClockSpec, Error, Match, Page};
    use connect4_rules::ShapeSpec;
    use ink::{H256, storage::Mapping};

    use crate::{
        messages,
        records::{Open, Root},
    };

    /// Length of the longest page of challenges, rounded up.
    pub(crate) const PAGE: usize = 1088;

    /// Storage of the contract.
    #[ink(storage)]
    pub struct Matches {
        /// What every call reads.
        pub(crate) root: Root,
        /// Open challenges by their numbers.
        pub(crate) challenges: Mapping<u32, Item<Open, 84>>,
        /// Match states by the numbers of their games. A bare game has an entry only while a draw
        /// or rematch is offered in it, and once it has had a rematch.
        pub(crate) matches: Mapping<u32, Item<Match, 42>>,
        /// Amounts that accounts are owed.
        pub(crate) credits: Mapping<protocol::Address, u128>,
    }

    impl Matches {
        /// Deploys this contract, and by it the contract of the games from uploaded code with this hash.
        ///
        /// # Panics
        ///
        /// If no such code was uploaded, or it has no constructor `with_referee`.
        #[ink(constructor)]
        pub fn new(games_code: H256) -> Self {
            const CONSTRUCTOR: [u8; 4] = ink::selector_bytes!("with_referee");
            #[cfg(target_arch = "riscv64")]
            let games = connect4_contract::deploy(&games_code.0, CONSTRUCTOR);
            #[cfg(not(target_arch = "riscv64"))]
            let games = crate::games::deploy(games_code, CONSTRUCTOR);
            Self {
                root: Root {
                    made: 0,
                    newest: None,
                    games: games.into(),
                },
                challenges: Mapping::new(),
                matches: Mapping::new(),
                credits: Mapping::new(),
            }
        }

        /// Challenges a player, or anyone, and returns the challenge's number. The payment of the
        /// call is the stake. After the second `expires` nobody can accept it; its storage and its
        /// stake remain until it is [cancelled](Self::cancel) or [declined](Self::decline).
        ///
        /// # Events
        ///
        /// [`ChallengeMade`].
        ///
        /// # Errors
        ///
        /// The first that applies:
        ///
        /// 1. [`Error::SamePlayer`] if the opponent is the caller,
        /// 2. [`Error::BadShape`] if the shape is out of bounds,
        /// 3. [`Error::BadClock`] if the clock is out of bounds,
        /// 4. [`Error::StakeTooLarge`] if two stakes are more than a `u128` counts,
        /// 5. [`Error::StakeNeedsClock`] if there is a stake and no clock,
        /// 6. [`Error::ShortClock`] if there is a stake and a bank below
        ///    [`Terms::MIN_STAKED_BANK`](protocol::Terms::MIN_STAKED_BANK),
        /// 7. [`Error::ChallengeExpired`] if `expires` is over.
        #[ink(message, payable)]
        pub fn challenge(
            &mut self,
            opponent: Option<protocol::Address>,
            challenger_first: bool,
            shape: ShapeSpec,
            clock: Option<ClockSpec>,
            expires: Option<u64>,
        ) -> Result<u32, Error> {
            end(messages::challenge(
                self,
                opponent,
                challenger_first,
                shape,
                clock,
                expires,
            ))
        }

        /// Accepts a challenge, whose stake is the payment of the call; returns the game's number.
        /// The caller gives the challenge that it has seen: on a branch of the chain on which the number is that of
        /// another, the call is refused.
        ///
        /// # Events
        ///
        /// `GameStarted` of the contract of the games, then [`MatchStarted`].
        ///
        /// # Errors
        ///
        /// The first that applies:
        ///
        /// 1. [`Error::NoSuchChallenge`] if no challenge with this number is open,
        /// 2. [`Error::OtherTerms`] if it is not the one that was seen,
        /// 3. [`Error::SamePlayer`] if it is the caller's own,
        /// 4. [`Error::NotChallenged`] if it is to another account,
        /// 5. [`Error::ChallengeExpired`] if it has expired,
        /// 6. [`Error::WrongStake`] if the payment is not the stake.
        #[ink(message, payable)]
        pub fn accept(&mut self, challenge: u32, seen: Unread<Challenge>) -> Result<u32, Error> {
            end(messages::accept(self, challenge, &seen))
        }

        /// Declines a challenge to the caller; the challenger is credited the stake. (pallet-revive
        /// gives the storage deposit of the challenge to the signer of the call, who pays about
        /// the same for the storage of the credit.)
        ///
        /// # Events
        ///
        /// [`Credited`] if there is a stake, then [`ChallengeWithdrawn`].
        ///
        /// # Errors
        ///
        /// The first that applies:
        ///
        /// 1. [`Error::NoSuchChallenge`] if no challenge with this number is open,
        /// 2. [`Error::NotChallenged`] if it is not to the caller by name.
        #[ink(message)]
        pub fn decline(&mut self, challenge: u32) -> Result<(), Error> {
            end(messages::decline(self, challenge))
        }

        /// Cancels a challenge of the caller, who is credited the stake.
        ///
        /// # Events
        ///
        /// [`Credited`] if there is a stake, then [`ChallengeWithdrawn`].
        ///
        /// # Errors
        ///
        /// The first that applies:
        ///
        /// 1. [`Error::NoSuchChallenge`] if no challenge with this number is open,
        /// 2. [`Error::NotChallenger`] if it is another account's.
        #[ink(message)]
        pub fn cancel(&mut self, challenge: u32) -> Result<(), Error> {
            end(messages::cancel(self, challenge))
        }

        /// Gives a game up: the opponent wins, whoever is to move. The stakes are settled.
        ///
        /// # Events
        ///
        /// `GameEnded` of the contract of the games; if there are stakes, [`Credited`] for each share
        /// and [`Settled`].
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

        /// Ends a game in which the time of the player to move has run out. Anyone may call it. If
        /// both players have moved, the opponent wins; else the game is aborted and both get
        /// their stakes back. The stakes are settled. The first move of each player has a day at
        /// most, however long the bank: [`Match::claim_deadline`].
        ///
        /// # Events
        ///
        /// `GameEnded` of the contract of the games; if there are stakes, [`Credited`] for each share
        /// and [`Settled`].
        ///
        /// # Errors
        ///
        /// The first that applies:
        ///
        /// 1. [`Error::NoSuchGame`] if there is no game with this number,
        /// 2. [`Error::GameOver`] if the game has ended,
        /// 3. [`Error::NoClock`] if it has no clock,
        /// 4. [`Error::TimeLeft`] if that deadline has not passed; at the deadline it has not.
        #[ink(message)]
        pub fn claim_timeout(&mut self, game: u32) -> Result<(), Error> {
            end(messages::claim_timeout(self, game))
        }

        /// Offers a draw, which lapses when the opponent moves, and at the opponent's deadline. If the
        /// opponent offers one already, accepts it.
        ///
        /// # Events
        ///
        /// [`DrawOffered`], or those of [`accept_draw`](Self::accept_draw).
        ///
        /// # Errors
        ///
        /// The first that applies:
        ///
        /// 1. [`Error::NoSuchGame`] if there is no game with this number,
        /// 2. [`Error::GameOver`] if the game has ended,
        /// 3. [`Error::NotAPlayer`] if the caller does not play it,
        /// 4. [`Error::AlreadyOffered`] if the caller's own offer stands,
        /// 5. [`Error::OutOfTime`] if the opponent is to move and late.
        #[ink(message)]
        pub fn offer_draw(&mut self, game: u32) -> Result<(), Error> {
            end(messages::offer_draw(self, game))
        }

        /// Accepts the opponent's offer of a draw: the game ends, and the stakes are settled.
        ///
        /// # Events
        ///
        /// `GameEnded` of the contract of the games; if there are stakes, [`Credited`] for each share
        /// and [`Settled`].
        ///
        /// # Errors
        ///
        /// The first that applies:
        ///
        /// 1. [`Error::NoSuchGame`] if there is no game with this number,
        /// 2. [`Error::GameOver`] if the game has ended,
        /// 3. [`Error::NotAPlayer`] if the caller does not play it,
        /// 4. [`Error::NoOffer`] if the opponent offers none, or it has lapsed: the caller has moved
        ///    since, or is late.
        #[ink(message)]
        pub fn accept_draw(&mut self, game: u32) -> Result<(), Error> {
            end(messages::accept_draw(self, game))
        }

        /// Declines the opponent's offer of a draw, or takes back the caller's own.
        ///
        /// # Events
        ///
        /// [`DrawDeclined`].
        ///
        /// # Errors
        ///
        /// The first that applies:
        ///
        /// 1. [`Error::NoSuchGame`] if there is no game with this number,
        /// 2. [`Error::GameOver`] if the game has ended,
        /// 3. [`Error::NotAPlayer`] if the caller does not play it,
        /// 4. [`Error::NoOffer`] if nobody offers a draw, or the offer has lapsed.
        #[ink(message)]
        pub fn decline_draw(&mut self, game: u32) -> Result<(), Error> {
            end(messages::decline_draw(self, game))
        }

        /// Offers a rematch on the same terms, whose stake is the payment of the call. If the
        /// opponent offers one already, accepts it, and returns the new game's number.
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
        /// 2. [`Error::GameNotOver`] if the game goes on,
        /// 3. [`Error::NotAPlayer`] if the caller does not play it,
        /// 4. [`Error::RematchStarted`] if it has had its rematch,
        /// 5. [`Error::AlreadyOffered`] if the caller's own offer stands,
        /// 6. [`Error::WrongStake`] if the payment is not the stake.
        #[ink(message, payable)]
        pub fn offer_rematch(&mut self, game: u32) -> Result<Option<u32>, Error> {
            end(messages::offer_rematch(self, game))
        }

        /// Accepts the opponent's offer of a rematch, whose stake is the payment of the call, and
        /// returns the new game's number. The loser begins; after a draw, the player who moved
        /// second; after an abort, the seats stay.
        ///
        /// # Events
        ///
        /// `GameStarted` of the contract of the games, then [`MatchStarted`].
        ///
        /// # Errors
        ///
        /// The first that applies:
        ///
        /// 1. [`Error::NoSuchGame`] if there is no game with this number,
        /// 2. [`Error::GameNotOver`] if the game goes on,
        /// 3. [`Error::NotAPlayer`] if the caller does not play it,
        /// 4. [`Error::RematchStarted`] if it has had its rematch,
        /// 5. [`Error::NoOffer`] if the opponent offers none,
        /// 6. [`Error::WrongStake`] if the payment is not the stake.
        #[ink(message, payable)]
        pub fn accept_rematch(&mut self, game: u32) -> Result<u32, Error> {
            end(messages::accept_rematch(self, game))
        }

        /// Declines the opponent's offer of a rematch, or takes back the caller's own. The player
        /// who made the offer is credited the stake.
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
        /// 2. [`Error::GameNotOver`] if the game goes on,
        /// 3. [`Error::NotAPlayer`] if the caller does not play it,
        /// 4. [`Error::RematchStarted`] if it has had its rematch,
        /// 5. [`Error::NoOffer`] if nobody offers one.
        #[ink(message)]
        pub fn decline_rematch(&mut self, game: u32) -> Result<(), Error> {
            end(messages::decline_rematch(self, game))
        }

        /// Credits the stakes of a game that ended on the board. Anyone may call it. The stakes of
        /// a game that ended otherwise are settled already.
        ///
        /// # Events
        ///
        /// [`Credited`] for each share, then [`Settled`].
        ///
        /// # Errors
        ///
        /// The first that applies:
        ///
        /// 1. [`Error::NoSuchGame`] if there is no game with this number,
        /// 2. [`Error::GameNotOver`] if the game goes on,
        /// 3. [`Error::NothingToSettle`] if there are no stakes, or they are settled.
        #[ink(message)]
        pub fn settle(&mut self, game: u32) -> Result<(), Error> {
            end(messages::settle(self, game, None))
        }

        /// Settles those of these games that have unsettled stakes, then pays the caller all that
        /// it is owed, and returns the amount. Games whose storage was freed are skipped: their
        /// stakes were credited before.
        ///
        /// A contract is paid by a call without input, which a contract of ink! 6.0.0-beta.1
        /// can't take: such a player uses [`withdraw_to`](Self::withdraw_to).
        ///
        /// # Events
        ///
        /// [`Credited`] and [`Settled`] for each game that this call settles, then [`Withdrawn`].
        ///
        /// # Errors
        ///
        /// The first that applies:
        ///
        /// 1. [`Error::GameNotOver`] if one of the games goes on,
        /// 2. [`Error::NothingToWithdraw`] if nothing is owed to the caller,
        /// 3. [`Error::TransferFailed`] if the receiver does not take the payment: the amount
        ///    stays owed.
        #[ink(message)]
        pub fn withdraw(&mut self, games: Numbers) -> Result<u128, Error> {
            end(messages::withdraw_to(self, &games, caller()))
        }

        /// As [`withdraw`](Self::withdraw), but pays the amount to another account.
        ///
        /// # Events
        ///
        /// Those of [`withdraw`](Self::withdraw).
        ///
        /// # Errors
        ///
        /// [`Error::NoReceiver`] if the receiver is the zero address, which nobody has; then those of
        /// [`withdraw`](Self::withdraw), in the same order.
        #[ink(message)]
        pub fn withdraw_to(
            &mut self,
            games: Numbers,
            receiver: protocol::Address,
        ) -> Result<u128, Error> {
            end(messages::withdraw_to(self, &games, receiver))
        }

        /// Frees the storage of a game that has ended. The deposit goes to the caller, who paid
        /// it. Unsettled stakes are settled, and an offer of a rematch is taken back.
        ///
        /// # Events
        ///
        /// [`Credited`] and [`Settled`] if there were stakes to settle; [`Credited`] and
        /// [`RematchDeclined`] if the offer of a rematch had to be taken back; then [`GameFreed`].
        ///
        /// # Errors
        ///
        /// The first that applies:
        ///
        /// 1. [`Error::NoSuchGame`] if there is no game with this number,
        /// 2. [`Error::GameNotOver`] if the game goes on,
        /// 3. [`Error::NotPayer`] if another account started the game, or accepted the challenge
        ///    or the rematch that started it.
        #[ink(message)]
        pub fn free(&mut self, game: u32) -> Result<(), Error> {
            end(messages::free(self, game))
        }

        /// Address of the contract of the games, where discs are dropped.
        #[ink(message)]
        pub fn games_contract(&self) -> protocol::Address {
            self.root.games
        }

        /// Number of challenges made. The number of the last one is one less.
        #[ink(message)]
        pub fn challenge_count(&self) -> u32 {
            self.root.made
        }

        /// An open challenge.
        ///
        /// # Errors
        ///
        /// [`Error::NoSuchChallenge`] if no challenge with this number is open.
        #[ink(message)]
        pub fn open_challenge(&self, challenge: u32) -> Result<Challenge, Error> {
            end(self.open(challenge).map(|open| open.challenge))
        }

        /// A page of the open challenges, the newest first. It begins at the challenge with the
        /// number `from`, or at the newest, and has at most `limit` challenges; a limit below 1
        /// counts as 1, one above [`Page::MAX_LEN`] as that.
        ///
        /// # Errors
        ///
        /// [`Error::NoSuchChallenge`] if no challenge with the number `from` is open. It may have
        /// been closed since the previous page was read: begin again at the newest.
        #[ink(message)]
        pub fn open_challenges(
            &self,
            from: Option<u32>,
            limit: u8,
        ) -> Result<Encoded<Page, PAGE>, Error> {
            messages::open_challenges(self, from, limit)
        }

        /// Match state of a game: its stakes, its offers, its place in a series.
        ///
        /// # Errors
        ///
        /// [`Error::NoSuchGame`] if there is no game with this number.
        #[ink(message)]
        pub fn match_of(&self, game: u32) -> Result<Match, Error> {
            end(self.played(game).map(|_| self.match_state(game)))
        }

        /// Amount that an account is owed and may withdraw.
        #[ink(message)]
        pub fn credit_of(&self, account: protocol::Address) -> u128 {
            self.credit_of_account(account)
        }

        /// Version of the contract.
        #[ink(message)]
        pub fn version(&self) -> Result<u32, Error> {
            end(Ok(protocol::VERSION))
        }
    }
}
