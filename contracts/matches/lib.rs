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

mod games;

pub use self::matches::Matches;

#[ink::contract]
mod matches {
    use codec::{Decode, Encode};
    use connect4_protocol::{
        self as protocol, Challenge, ClockSpec, Error, Game, Match, Page, Terms,
        event::{
            ChallengeMade, ChallengeWithdrawn, DrawDeclined, DrawOffered, GameFreed, MatchStarted,
            RematchDeclined, RematchOffered, Settled, Withdrawn,
        },
        message::{EndMatch, ReadGame, Remove, StartMatch},
    };
    use connect4_rules::{ByPlayer, ShapeSpec};
    use ink::{
        H256, U256,
        env::call::{ExecutionInput, Selector, build_create},
        prelude::vec::Vec,
        storage::Mapping,
    };

    use crate::games::Games;

    /// Storage of the contract.
    #[ink(storage)]
    pub struct Matches {
        /// Contract of the games.
        games: Address,
        /// Number of challenges made, and the number of the next one.
        made: u32,
        /// Newest open challenge; none if none is open.
        newest: Option<u32>,
        /// Open challenges by their numbers.
        challenges: Mapping<u32, Stored<Open>>,
        /// Match states by the numbers of their games. A bare game has an entry only while a draw
        /// or rematch is offered in it, and once it has had a rematch.
        matches: Mapping<u32, Stored<Match>>,
        /// Amounts that accounts are owed.
        credits: Mapping<Address, u128>,
    }

    /// Open challenge as it is stored. The links to its neighbours make a page of the list cost
    /// the same however many challenges between them were closed.
    #[derive(Clone, Copy, Debug, Encode, Decode)]
    #[cfg_attr(feature = "std", derive(scale_info::TypeInfo))]
    pub struct Open {
        challenge: Challenge,
        older: Option<u32>,
        newer: Option<u32>,
    }

    /// Storage item with the value `T`.
    #[derive(Encode, Decode)]
    #[cfg_attr(feature = "std", derive(scale_info::TypeInfo))]
    pub struct Stored<T>(T);

    #[cfg(feature = "std")]
    impl<T: scale_info::TypeInfo + 'static> ink::storage::traits::StorageLayout for Stored<T> {
        fn layout(key: &ink::primitives::Key) -> ink::metadata::layout::Layout {
            use ink::metadata::layout::{Layout, LayoutKey, LeafLayout};
            Layout::Leaf(LeafLayout::from_key::<T>(LayoutKey::from(*key)))
        }
    }

    impl Matches {
        /// Deploys this contract, and by it the contract of the games from uploaded code with
        /// this hash.
        ///
        /// # Panics
        ///
        /// If no such code was uploaded, or it has no constructor `with_referee`.
        #[ink(constructor)]
        pub fn new(games_code: H256) -> Self {
            let input = ExecutionInput::new(Selector::new(ink::selector_bytes!("with_referee")));
            let games = build_create::<Games>()
                .code_hash(games_code)
                .endowment(U256::zero())
                .exec_input(input)
                .salt_bytes(None)
                .returns::<Games>()
                .instantiate();
            Self {
                games: games.address(),
                made: 0,
                newest: None,
                challenges: Mapping::new(),
                matches: Mapping::new(),
                credits: Mapping::new(),
            }
        }

        /// Challenges a player, or anyone, and returns the challenge's number. The payment of the
        /// call is the stake.
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
        /// 5. [`Error::StakeNeedsClock`] if there is a stake and no clock.
        #[ink(message, payable)]
        pub fn challenge(
            &mut self,
            opponent: Option<Address>,
            challenger_first: bool,
            shape: ShapeSpec,
            clock: Option<ClockSpec>,
        ) -> Result<u32, Error> {
            let challenger = self.caller();
            let terms = Terms {
                shape,
                clock,
                stake: self.paid(),
            };
            let opponent = opponent.map(protocol::Address::from);
            let challenge = Challenge::new(challenger, opponent, challenger_first, terms)?;
            let number = self.made;
            // The fees for this many challenges exceed what any account has.
            self.made = number.checked_add(1).expect("fewer than 2^32 challenges");
            let older = self.newest.replace(number);
            self.link(older, |older| older.newer = Some(number));
            let open = Open {
                challenge,
                older,
                newer: None,
            };
            self.challenges.insert(number, &Stored(open));
            self.env().emit_event(ChallengeMade {
                challenge: number,
                challenger,
                opponent,
                challenger_first,
                terms,
            });
            Ok(number)
        }

        /// Accepts a challenge, whose stake is the payment of the call; returns the game's number.
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
        /// 2. [`Error::SamePlayer`] if it is the caller's own,
        /// 3. [`Error::NotChallenged`] if it is to another account,
        /// 4. [`Error::WrongStake`] if the payment is not the stake.
        #[ink(message, payable)]
        pub fn accept(&mut self, challenge: u32) -> Result<u32, Error> {
            let open = self.open(challenge)?;
            let players = open.challenge.accept(self.caller(), self.paid())?;
            self.close(challenge, &open);
            let Terms {
                shape,
                clock,
                stake,
            } = open.challenge.terms;
            let started = Match {
                stake,
                clock,
                ..Match::default()
            };
            self.start(players, shape, &started, Some(challenge))
        }

        /// Declines a challenge to the caller; the challenger is credited the stake. (pallet-revive
        /// gives the storage deposit of the challenge to the signer of the call, who pays about
        /// the same for the storage of the credit.)
        ///
        /// # Events
        ///
        /// [`ChallengeWithdrawn`].
        ///
        /// # Errors
        ///
        /// The first that applies:
        ///
        /// 1. [`Error::NoSuchChallenge`] if no challenge with this number is open,
        /// 2. [`Error::NotChallenged`] if it is not to the caller by name.
        #[ink(message)]
        pub fn decline(&mut self, challenge: u32) -> Result<(), Error> {
            let open = self.open(challenge)?;
            open.challenge.decline(self.caller())?;
            self.withdraw_challenge(challenge, &open)
        }

        /// Cancels a challenge of the caller, who is credited the stake.
        ///
        /// # Events
        ///
        /// [`ChallengeWithdrawn`].
        ///
        /// # Errors
        ///
        /// The first that applies:
        ///
        /// 1. [`Error::NoSuchChallenge`] if no challenge with this number is open,
        /// 2. [`Error::NotChallenger`] if it is another account's.
        #[ink(message)]
        pub fn cancel(&mut self, challenge: u32) -> Result<(), Error> {
            let open = self.open(challenge)?;
            open.challenge.cancel(self.caller())?;
            self.withdraw_challenge(challenge, &open)
        }

        /// Gives a game up: the opponent wins, whoever is to move. The stakes are settled.
        ///
        /// # Events
        ///
        /// `GameEnded` of the contract of the games; [`Settled`] if there are stakes.
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
            let mut played = self.games().call(&ReadGame { game })?;
            played.resign(self.caller())?;
            self.finish(game, &played, self.match_state(game))
        }

        /// Ends a game in which the time of the player to move has run out. Anyone may call it. If
        /// both players have moved, the opponent wins; else the game is aborted and both get
        /// their stakes back. The stakes are settled.
        ///
        /// # Events
        ///
        /// `GameEnded` of the contract of the games; [`Settled`] if there are stakes.
        ///
        /// # Errors
        ///
        /// The first that applies:
        ///
        /// 1. [`Error::NoSuchGame`] if there is no game with this number,
        /// 2. [`Error::GameOver`] if the game has ended,
        /// 3. [`Error::NoClock`] if it has no clock,
        /// 4. [`Error::TimeLeft`] if the deadline has not passed; at the deadline it has not.
        #[ink(message)]
        pub fn claim_timeout(&mut self, game: u32) -> Result<(), Error> {
            let mut played = self.games().call(&ReadGame { game })?;
            played.claim_timeout(self.now())?;
            self.finish(game, &played, self.match_state(game))
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
            let mut played = self.games().call(&ReadGame { game })?;
            let mut state = self.match_state(game);
            let by = self.caller();
            if state.offer_draw(&mut played, by, self.now())? {
                return self.finish(game, &played, state);
            }
            self.store_match(game, &state);
            self.env().emit_event(DrawOffered { game, by });
            Ok(())
        }

        /// Accepts the opponent's offer of a draw: the game ends, and the stakes are settled.
        ///
        /// # Events
        ///
        /// `GameEnded` of the contract of the games; [`Settled`] if there are stakes.
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
            let mut played = self.games().call(&ReadGame { game })?;
            let mut state = self.match_state(game);
            state.accept_draw(&mut played, self.caller(), self.now())?;
            self.finish(game, &played, state)
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
            let played = self.games().call(&ReadGame { game })?;
            let mut state = self.match_state(game);
            let by = self.caller();
            state.decline_draw(&played, by, self.now())?;
            self.store_match(game, &state);
            self.env().emit_event(DrawDeclined { game, by });
            Ok(())
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
            let played = self.games().call(&ReadGame { game })?;
            let mut state = self.match_state(game);
            let by = self.caller();
            if state.offer_rematch(&played, by, self.paid())? {
                return self.rematch(game, &played, state).map(Some);
            }
            self.store_match(game, &state);
            self.env().emit_event(RematchOffered { game, by });
            Ok(None)
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
            let played = self.games().call(&ReadGame { game })?;
            let mut state = self.match_state(game);
            state.accept_rematch(&played, self.caller(), self.paid())?;
            self.rematch(game, &played, state)
        }

        /// Declines the opponent's offer of a rematch, or takes back the caller's own. The player
        /// who made the offer is credited the stake.
        ///
        /// # Events
        ///
        /// [`RematchDeclined`].
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
            let played = self.games().call(&ReadGame { game })?;
            let mut state = self.match_state(game);
            let by = self.caller();
            let offered_by = state.decline_rematch(&played, by)?;
            self.store_match(game, &state);
            self.credit(played.account_of(offered_by), state.stake)?;
            self.env().emit_event(RematchDeclined { game, by });
            Ok(())
        }

        /// Credits the stakes of a game that ended on the board. Anyone may call it. The stakes of
        /// a game that ended otherwise are settled already.
        ///
        /// # Events
        ///
        /// [`Settled`].
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
            let played = self.games().call(&ReadGame { game })?;
            let mut state = self.match_state(game);
            self.share_out(game, &played, &mut state)?;
            self.store_match(game, &state);
            Ok(())
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
        /// [`Settled`] for each game that this call settles, then [`Withdrawn`].
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
        pub fn withdraw(&mut self, games: Vec<u32>) -> Result<u128, Error> {
            self.pay(games, self.env().caller())
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
        pub fn withdraw_to(&mut self, games: Vec<u32>, receiver: Address) -> Result<u128, Error> {
            if receiver == Address::zero() {
                return Err(Error::NoReceiver);
            }
            self.pay(games, receiver)
        }

        /// Frees the storage of a game that has ended. The deposit goes to the caller, who paid
        /// it. Unsettled stakes are settled, and an offer of a rematch is taken back.
        ///
        /// # Events
        ///
        /// [`Settled`] if there were stakes to settle, then [`GameFreed`].
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
            let played = self.games().call(&ReadGame { game })?;
            if !played.is_over() {
                return Err(Error::GameNotOver);
            }
            let payer = self.caller();
            if played.payer() != payer {
                return Err(Error::NotPayer);
            }
            let mut state = self.match_state(game);
            settled(self.share_out(game, &played, &mut state))?;
            if let Some(player) = state.rematch {
                self.credit(played.account_of(player), state.stake)?;
            }
            self.matches.remove(game);
            self.games().call(&Remove { game })?;
            self.env().emit_event(GameFreed { game, payer });
            Ok(())
        }

        /// Address of the contract of the games, where discs are dropped.
        #[ink(message)]
        pub fn games_contract(&self) -> Address {
            self.games
        }

        /// Number of challenges made. The number of the last one is one less.
        #[ink(message)]
        pub fn challenge_count(&self) -> u32 {
            self.made
        }

        /// An open challenge.
        ///
        /// # Errors
        ///
        /// [`Error::NoSuchChallenge`] if no challenge with this number is open.
        #[ink(message)]
        pub fn open_challenge(&self, challenge: u32) -> Result<Challenge, Error> {
            self.open(challenge).map(|open| open.challenge)
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
        pub fn open_challenges(&self, from: Option<u32>, limit: u8) -> Result<Page, Error> {
            let mut page = Page {
                challenges: Vec::new(),
                next: from.or(self.newest),
            };
            for _ in 0..limit.clamp(1, Page::MAX_LEN) {
                let Some(number) = page.next else {
                    break;
                };
                let open = self.open(number)?;
                page.challenges.push((number, open.challenge));
                page.next = open.older;
            }
            Ok(page)
        }

        /// Match state of a game: its stakes, its offers, its place in a series.
        ///
        /// # Errors
        ///
        /// [`Error::NoSuchGame`] if there is no game with this number.
        #[ink(message)]
        pub fn match_of(&self, game: u32) -> Result<Match, Error> {
            self.games().call(&ReadGame { game })?;
            Ok(self.match_state(game))
        }

        /// Amount that an account is owed and may withdraw.
        #[ink(message)]
        pub fn credit_of(&self, account: Address) -> u128 {
            self.credits.get(account).unwrap_or_default()
        }

        fn caller(&self) -> protocol::Address {
            self.env().caller().into()
        }

        /// Timestamp of the block, in seconds since 1970.
        fn now(&self) -> u64 {
            self.env().block_timestamp()
        }

        fn games(&self) -> Games {
            Games::at(self.games)
        }

        /// Payment of the call. One that exceeds a `u128` is taken as the largest, which no terms
        /// allow as a stake.
        fn paid(&self) -> u128 {
            u128::try_from(self.env().transferred_value()).unwrap_or(u128::MAX)
        }

        fn open(&self, challenge: u32) -> Result<Open, Error> {
            match self.challenges.get(challenge) {
                Some(Stored(open)) => Ok(open),
                None => Err(Error::NoSuchChallenge),
            }
        }

        /// Changes the links of an open challenge.
        fn link(&mut self, challenge: Option<u32>, change: impl FnOnce(&mut Open)) {
            let Some(number) = challenge else {
                return;
            };
            if let Some(Stored(mut open)) = self.challenges.get(number) {
                change(&mut open);
                self.challenges.insert(number, &Stored(open));
            }
        }

        fn close(&mut self, challenge: u32, open: &Open) {
            self.challenges.remove(challenge);
            self.link(open.older, |older| older.newer = open.newer);
            self.link(open.newer, |newer| newer.older = open.older);
            if open.newer.is_none() {
                self.newest = open.older;
            }
        }

        fn withdraw_challenge(&mut self, challenge: u32, open: &Open) -> Result<(), Error> {
            self.close(challenge, open);
            self.credit(open.challenge.challenger, open.challenge.terms.stake)?;
            let by = self.caller();
            self.env().emit_event(ChallengeWithdrawn { challenge, by });
            Ok(())
        }

        fn match_state(&self, game: u32) -> Match {
            match self.matches.get(game) {
                Some(Stored(state)) => state,
                None => Match::default(),
            }
        }

        /// Stores the match state of a game. The default, that of a bare game, takes no storage.
        fn store_match(&mut self, game: u32, state: &Match) {
            if *state == Match::default() {
                self.matches.remove(game);
            } else {
                self.matches.insert(game, &Stored(*state));
            }
        }

        /// Starts the game of a match that both have agreed to and paid for. The caller pays for
        /// the storage.
        fn start(
            &mut self,
            players: ByPlayer<protocol::Address>,
            shape: ShapeSpec,
            started: &Match,
            challenge: Option<u32>,
        ) -> Result<u32, Error> {
            let mut game = Game::start(players.one, players.two, shape)?.paid_by(self.caller());
            if let Some(clock) = started.clock {
                game = game.timed(clock, self.now());
            }
            let game = self.games().call(&StartMatch { started: game })?;
            self.store_match(game, started);
            self.env().emit_event(MatchStarted {
                game,
                challenge,
                previous: started.previous,
                clock: started.clock,
                stake: started.stake,
            });
            Ok(game)
        }

        /// Stores a game that has ended, and credits its stakes.
        fn finish(&mut self, game: u32, played: &Game, mut state: Match) -> Result<(), Error> {
            self.games().call(&EndMatch {
                game,
                ended: *played,
            })?;
            settled(self.share_out(game, played, &mut state))?;
            self.store_match(game, &state);
            Ok(())
        }

        /// Credits the stakes of a game that has ended.
        fn share_out(&mut self, game: u32, played: &Game, state: &mut Match) -> Result<(), Error> {
            let ByPlayer { one, two } = state.settle(played)?;
            self.credit(played.player_one(), one)?;
            self.credit(played.player_two(), two)?;
            self.env().emit_event(Settled { game, one, two });
            Ok(())
        }

        /// Pays the receiver the amount that the caller is owed.
        #[inline(never)]
        fn pay(&mut self, games: Vec<u32>, receiver: Address) -> Result<u128, Error> {
            for game in games {
                match self.settle(game) {
                    Err(Error::NoSuchGame) => {}
                    result => settled(result)?,
                }
            }
            let account = self.env().caller();
            // Removed before the payment leaves. An error below reverts this.
            let amount = self.credits.take(account).unwrap_or_default();
            if amount == 0 {
                return Err(Error::NothingToWithdraw);
            }
            self.env().emit_event(Withdrawn {
                account: account.into(),
                amount,
            });
            // ink! transfers without the flag that allows re-entering this contract.
            self.env()
                .transfer(receiver, U256::from(amount))
                .map_err(|_| Error::TransferFailed)?;
            Ok(amount)
        }

        fn credit(&mut self, account: protocol::Address, amount: u128) -> Result<(), Error> {
            if amount == 0 {
                return Ok(());
            }
            let account = Address::from(account);
            let credit = self.credit_of(account);
            let credit = credit.checked_add(amount).ok_or(Error::StakeTooLarge)?;
            self.credits.insert(account, &credit);
            Ok(())
        }

        /// Starts the rematch of a game that both have agreed to and paid for.
        fn rematch(&mut self, game: u32, played: &Game, mut state: Match) -> Result<u32, Error> {
            let (started, players) = state.rematch_of(played, game);
            let next = self.start(players, played.shape().into(), &started, None)?;
            state.next = Some(next);
            self.store_match(game, &state);
            Ok(next)
        }
    }
    /// Takes a game without unsettled stakes for a settled one.
    fn settled(result: Result<(), Error>) -> Result<(), Error> {
        match result {
            Err(Error::NothingToSettle) => Ok(()),
            result => result,
        }
    }
}
