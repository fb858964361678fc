//! Matches of Connect Four between two accounts that do not trust each other: challenges,
//! stakes, clocks, every way a game can end, rematches, payouts.
//!
//! # Overview
//!
//! This contract deploys the contract of the games, `connect4`, and is its referee.
//! Players drop their discs there, where a move costs the least, and come here for
//! whatever is rare:
//!
//! 1. Somebody [challenges](Matches::challenge) a player or anyone and pays the stake
//!    in; the other [accepts](Matches::accept) and pays the same, and the game starts.
//! 2. It ends on the board, or by [resignation](Matches::resign), by
//!    [agreement](Matches::accept_draw), or when somebody
//!    [claims](Matches::claim_timeout) that time has run out.
//! 3. The winner [withdraws](Matches::withdraw) both stakes, or each its own.
//! 4. Either offers a [rematch](Matches::offer_rematch), in which the loser begins.
//!
//! Bare games, which were started at the contract of the games itself, can be resigned,
//! drawn by agreement, followed by a rematch and freed here, too.
//!
//! What is allowed is all in the crate `connect4_rules`: `Game`, `Challenge` and `Match`.
//! Here is who asks, what is kept, what is paid, and what is told to the world.
//!
//! # Funds
//!
//! At all times the balance is the stakes of open challenges, those paid in with offers of
//! a rematch, both stakes of every game that is not settled, and the credits; and what
//! somebody may have sent without a call, which is lost to them. Nothing is
//! ever paid to anybody but by their own [`withdraw`](Matches::withdraw): what a player is
//! owed is credited first. So no receiver can hold up anybody else, and one that fails
//! keeps its credit. The credit is gone before the payment leaves, and the contract can't
//! be entered again until it has arrived.
//!
//! # Answers
//!
//! An `Err` reverts the call: it changes nothing, emits nothing, and what was paid with it
//! comes back. Amounts are in the smallest unit that a contract sees; times in seconds,
//! since 1970 by the chain's timestamps.

#![cfg_attr(not(feature = "std"), no_std, no_main)]

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
    };
    use connect4_rules::{ByPlayer, ShapeSpec};
    use ink::{
        H256, U256,
        env::{
            ContractEnv, DefaultEnvironment,
            call::{
                ExecutionInput, FromAddr, Selector, build_call, build_create,
                utils::{ArgumentList, EncodeArgsWith},
            },
        },
        prelude::vec::Vec,
        storage::Mapping,
    };

    /// The matches.
    #[ink(storage)]
    pub struct Matches {
        /// The contract of the games.
        games: Address,
        /// How many challenges were made, which is the number of the next.
        made: u32,
        /// The newest open one.
        newest: Option<u32>,
        /// The open ones, each by its number.
        challenges: Mapping<u32, Stored<Open>>,
        /// What goes beside a game, by the game's number; nothing for many bare games.
        matches: Mapping<u32, Stored<Match>>,
        /// What an account is owed.
        credits: Mapping<Address, u128>,
    }

    /// What is stored of an open challenge: with links to its neighbours, so that they can
    /// be listed page by page however many were closed between them.
    #[derive(Clone, Copy, Debug, Encode, Decode)]
    #[cfg_attr(feature = "std", derive(scale_info::TypeInfo))]
    pub struct Open {
        challenge: Challenge,
        older: Option<u32>,
        newer: Option<u32>,
    }

    /// A storage item.
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
        /// Deploys a contract of the games, whose code has this hash and was uploaded before.
        ///
        /// # Panics
        ///
        /// If there is no such code, or it has no constructor `with_referee`.
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
                games: games.0,
                made: 0,
                newest: None,
                challenges: Mapping::new(),
                matches: Mapping::new(),
                credits: Mapping::new(),
            }
        }

        /// Challenges a player, or anyone, for what is paid with the call, and returns the
        /// challenge's number.
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
            // Deposits for this many would lock more than there is of any token.
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

        /// Accepts a challenge, with its stake paid with the call; returns the game's number.
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
        /// 3. [`Error::NotChallenged`] if it is to somebody else,
        /// 4. [`Error::WrongStake`] if what was paid is not the stake.
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

        /// Declines a challenge to the caller; the challenger is credited the stake. (The deposit
        /// for the challenge's storage goes to who signs, as pallet-revive has it; the credit's
        /// takes as much.)
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
        /// 2. [`Error::NotChallenger`] if it is somebody else's.
        #[ink(message)]
        pub fn cancel(&mut self, challenge: u32) -> Result<(), Error> {
            let open = self.open(challenge)?;
            open.challenge.cancel(self.caller())?;
            self.withdraw_challenge(challenge, &open)
        }

        /// Gives a game up: the other player wins, whoever is to move. The stakes are settled.
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
            let mut played = self.games().game(game)?;
            played.resign(self.caller())?;
            self.finish(game, &played, self.match_beside(game))
        }

        /// Ends a game in which the time of who is to move has run out; anyone may. If both
        /// players have moved the other one wins; else the game is aborted and both get their
        /// stakes back. The stakes are settled.
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
        /// 4. [`Error::TimeLeft`] if the deadline is not over: at the deadline it is not.
        #[ink(message)]
        pub fn claim_timeout(&mut self, game: u32) -> Result<(), Error> {
            let mut played = self.games().game(game)?;
            played.claim_timeout(self.env().block_timestamp())?;
            self.finish(game, &played, self.match_beside(game))
        }

        /// Offers a draw, which lapses when the other player moves; if the other player offers
        /// one already, accepts it.
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
        /// 4. [`Error::AlreadyOffered`] if the caller's own offer stands.
        #[ink(message)]
        pub fn offer_draw(&mut self, game: u32) -> Result<(), Error> {
            let mut played = self.games().game(game)?;
            let mut beside = self.match_beside(game);
            let by = self.caller();
            if beside.offer_draw(&mut played, by)? {
                return self.finish(game, &played, beside);
            }
            self.put_beside(game, &beside);
            self.env().emit_event(DrawOffered { game, by });
            Ok(())
        }

        /// Accepts the other player's offer of a draw; the game ends, and the stakes are
        /// settled.
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
        /// 4. [`Error::NoOffer`] if the other player offers none, or has made one that the
        ///    caller has moved after.
        #[ink(message)]
        pub fn accept_draw(&mut self, game: u32) -> Result<(), Error> {
            let mut played = self.games().game(game)?;
            let mut beside = self.match_beside(game);
            beside.accept_draw(&mut played, self.caller())?;
            self.finish(game, &played, beside)
        }

        /// Declines the other player's offer of a draw.
        ///
        /// # Events
        ///
        /// [`DrawDeclined`].
        ///
        /// # Errors
        ///
        /// As [`accept_draw`](Self::accept_draw).
        #[ink(message)]
        pub fn decline_draw(&mut self, game: u32) -> Result<(), Error> {
            let played = self.games().game(game)?;
            let mut beside = self.match_beside(game);
            let by = self.caller();
            beside.decline_draw(&played, by)?;
            self.put_beside(game, &beside);
            self.env().emit_event(DrawDeclined { game, by });
            Ok(())
        }

        /// Offers a rematch on the same terms, with its stake paid with the call; if the other
        /// player offers one already, accepts it, and returns the new game's number.
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
        /// 6. [`Error::WrongStake`] if what was paid is not the stake.
        #[ink(message, payable)]
        pub fn offer_rematch(&mut self, game: u32) -> Result<Option<u32>, Error> {
            let played = self.games().game(game)?;
            let mut beside = self.match_beside(game);
            let by = self.caller();
            if beside.offer_rematch(&played, by, self.paid())? {
                return self.rematch(game, &played, beside).map(Some);
            }
            self.put_beside(game, &beside);
            self.env().emit_event(RematchOffered { game, by });
            Ok(None)
        }

        /// Accepts the other player's offer of a rematch, with its stake paid with the call, and
        /// returns the new game's number. The loser begins; after a draw, who moved second;
        /// after an abort, who was to begin before.
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
        /// 5. [`Error::NoOffer`] if the other player offers none,
        /// 6. [`Error::WrongStake`] if what was paid is not the stake.
        #[ink(message, payable)]
        pub fn accept_rematch(&mut self, game: u32) -> Result<u32, Error> {
            let played = self.games().game(game)?;
            let mut beside = self.match_beside(game);
            beside.accept_rematch(&played, self.caller(), self.paid())?;
            self.rematch(game, &played, beside)
        }

        /// Declines the other player's offer of a rematch, or takes back the caller's own; who
        /// made it is credited the stake.
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
            let played = self.games().game(game)?;
            let mut beside = self.match_beside(game);
            let by = self.caller();
            let offered_by = beside.decline_rematch(&played, by)?;
            self.put_beside(game, &beside);
            self.credit(played.account_of(offered_by), beside.stake)?;
            self.env().emit_event(RematchDeclined { game, by });
            Ok(())
        }

        /// Credits the stakes of a game that ended on the board; anyone may. Those of a game
        /// that ended otherwise are settled already.
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
            let played = self.games().game(game)?;
            let mut beside = self.match_beside(game);
            self.share_out(game, &played, &mut beside)?;
            self.put_beside(game, &beside);
            Ok(())
        }

        /// Settles these games, those left out that need no settling; then pays the caller all
        /// that it is owed, and returns how much that was.
        ///
        /// A contract is paid by a call without input, which one of ink! 6.0.0-beta.1 can't
        /// take: such a player is paid by [`withdraw_to`](Self::withdraw_to).
        ///
        /// # Events
        ///
        /// [`Settled`] for each game that was, then [`Withdrawn`].
        ///
        /// # Errors
        ///
        /// The first that applies:
        ///
        /// 1. [`Error::NoSuchGame`] or [`Error::GameNotOver`] of the first game that has one,
        /// 2. [`Error::NothingToWithdraw`] if nothing is owed to the caller,
        /// 3. [`Error::TransferFailed`] if the receiver does not take it: it stays owed.
        #[ink(message)]
        pub fn withdraw(&mut self, games: Vec<u32>) -> Result<u128, Error> {
            self.pay(games, self.env().caller())
        }

        /// As [`withdraw`](Self::withdraw), but pays to another account what the caller is owed.
        ///
        /// # Events
        ///
        /// As there.
        ///
        /// # Errors
        ///
        /// As there.
        #[ink(message)]
        pub fn withdraw_to(&mut self, games: Vec<u32>, receiver: Address) -> Result<u128, Error> {
            self.pay(games, receiver)
        }

        /// Frees the storage of a game that has ended; the deposit goes to the caller, who has
        /// paid it. What is not settled is, and an offer of a rematch is taken back.
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
        /// 3. [`Error::NotPayer`] if somebody else started the game or accepted the challenge
        ///    or rematch that did.
        #[ink(message)]
        pub fn free(&mut self, game: u32) -> Result<(), Error> {
            let played = self.games().game(game)?;
            if !played.is_over() {
                return Err(Error::GameNotOver);
            }
            let payer = self.caller();
            if played.payer() != payer {
                return Err(Error::NotPayer);
            }
            let mut beside = self.match_beside(game);
            match self.share_out(game, &played, &mut beside) {
                Ok(()) | Err(Error::NothingToSettle) => {}
                Err(error) => return Err(error),
            }
            if let Some(player) = beside.rematch {
                self.credit(played.account_of(player), beside.stake)?;
            }
            self.matches.remove(game);
            self.games().remove(game)?;
            self.env().emit_event(GameFreed { game, payer });
            Ok(())
        }

        /// The contract of the games, where discs are dropped.
        #[ink(message)]
        pub fn games_contract(&self) -> Address {
            self.games
        }

        /// How many challenges were made; the last one's number is one less.
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

        /// A page of the open challenges, the newest first: from the one with this number on,
        /// else from the newest, as many as `limit`, which is taken as 1 to 50.
        ///
        /// # Errors
        ///
        /// [`Error::NoSuchChallenge`] if no challenge with this number is open. It may have
        /// been closed since the page before; begin anew.
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

        /// What goes beside a game: its stakes, its offers, its place in a series.
        ///
        /// # Errors
        ///
        /// [`Error::NoSuchGame`] if there is no game with this number.
        #[ink(message)]
        pub fn match_of(&self, game: u32) -> Result<Match, Error> {
            self.games().game(game)?;
            Ok(self.match_beside(game))
        }

        /// What an account is owed and may withdraw.
        #[ink(message)]
        pub fn credit_of(&self, account: Address) -> u128 {
            self.credits.get(account).unwrap_or_default()
        }

        fn caller(&self) -> protocol::Address {
            self.env().caller().into()
        }

        fn games(&self) -> Games {
            Games(self.games)
        }

        /// What was paid with the call. More than a `u128` counts is no stake of any terms.
        fn paid(&self) -> u128 {
            u128::try_from(self.env().transferred_value()).unwrap_or(u128::MAX)
        }

        fn open(&self, challenge: u32) -> Result<Open, Error> {
            match self.challenges.get(challenge) {
                Some(Stored(open)) => Ok(open),
                None => Err(Error::NoSuchChallenge),
            }
        }

        /// Changes what an open challenge says of its neighbours.
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

        fn match_beside(&self, game: u32) -> Match {
            match self.matches.get(game) {
                Some(Stored(beside)) => beside,
                None => Match::default(),
            }
        }

        /// Stores what goes beside a game; of a bare one that nothing is offered in, nothing.
        fn put_beside(&mut self, game: u32, beside: &Match) {
            if *beside == Match::default() {
                self.matches.remove(game);
            } else {
                self.matches.insert(game, &Stored(*beside));
            }
        }

        /// Starts the game of a match, which is agreed and paid for; the caller pays for the
        /// storage.
        fn start(
            &mut self,
            players: ByPlayer<protocol::Address>,
            shape: ShapeSpec,
            started: &Match,
            challenge: Option<u32>,
        ) -> Result<u32, Error> {
            let mut game = Game::start(players.one, players.two, shape)?.paid_by(self.caller());
            if let Some(clock) = started.clock {
                game = game.timed(clock, self.env().block_timestamp());
            }
            let game = self.games().start_match(game)?;
            self.put_beside(game, started);
            self.env().emit_event(MatchStarted {
                game,
                challenge,
                previous: started.previous,
                clock: started.clock,
                stake: started.stake,
            });
            Ok(game)
        }

        /// Has a game ended as `played` has, and its stakes shared out.
        fn finish(&mut self, game: u32, played: &Game, mut beside: Match) -> Result<(), Error> {
            self.games().end_match(game, *played)?;
            match self.share_out(game, played, &mut beside) {
                Ok(()) | Err(Error::NothingToSettle) => {}
                Err(error) => return Err(error),
            }
            self.put_beside(game, &beside);
            Ok(())
        }

        /// Credits the stakes of a game that has ended.
        fn share_out(&mut self, game: u32, played: &Game, beside: &mut Match) -> Result<(), Error> {
            let ByPlayer { one, two } = beside.settle(played)?;
            self.credit(played.player_one(), one)?;
            self.credit(played.player_two(), two)?;
            self.env().emit_event(Settled { game, one, two });
            Ok(())
        }

        /// Pays to this account what the caller is owed.
        #[inline(never)]
        fn pay(&mut self, games: Vec<u32>, receiver: Address) -> Result<u128, Error> {
            for game in games {
                match self.settle(game) {
                    Ok(()) | Err(Error::NothingToSettle) => {}
                    Err(error) => return Err(error),
                }
            }
            let account = self.env().caller();
            // Gone before the payment leaves. An error brings it back.
            let amount = self.credits.take(account).unwrap_or_default();
            if amount == 0 {
                return Err(Error::NothingToWithdraw);
            }
            self.env().emit_event(Withdrawn {
                account: account.into(),
                amount,
            });
            // Without leave to enter this contract again, which ink! does not give.
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

        /// Starts the rematch of a game, which is agreed and paid for.
        fn rematch(&mut self, game: u32, played: &Game, mut beside: Match) -> Result<u32, Error> {
            let (started, players) = beside.rematch_of(played, game);
            let next = self.start(players, played.shape().into(), &started, None)?;
            beside.next = Some(next);
            self.put_beside(game, &beside);
            Ok(next)
        }
    }

    /// The contract of the games, as its referee calls it.
    struct Games(Address);

    impl ContractEnv for Games {
        type Env = DefaultEnvironment;
    }

    // ink! asks for it, for tests off chain that instantiate one contract from another.
    impl ink::env::ContractReverseReference for Games {
        type Type = Matches;
    }

    impl FromAddr for Games {
        fn from_addr(address: Address) -> Self {
            Self(address)
        }
    }

    impl Games {
        fn start_match(&self, started: Game) -> Result<u32, Error> {
            let selector = Selector::new(ink::selector_bytes!("start_match"));
            self.call(ExecutionInput::new(selector).push_arg(started))
        }

        fn game(&self, game: u32) -> Result<Game, Error> {
            let selector = Selector::new(ink::selector_bytes!("game"));
            self.call(ExecutionInput::new(selector).push_arg(game))
        }

        fn end_match(&self, game: u32, ended: Game) -> Result<(), Error> {
            let selector = Selector::new(ink::selector_bytes!("end_match"));
            let input = ExecutionInput::new(selector).push_arg(game).push_arg(ended);
            self.call(input)
        }

        fn remove(&self, game: u32) -> Result<(), Error> {
            let selector = Selector::new(ink::selector_bytes!("remove"));
            self.call(ExecutionInput::new(selector).push_arg(game))
        }

        /// Calls it, and answers as it does. If it does not answer, as when there is no weight
        /// left, the whole call is undone.
        fn call<Head, Rest, T>(
            &self,
            input: ExecutionInput<ArgumentList<Head, Rest, ink::abi::Ink>, ink::abi::Ink>,
        ) -> Result<T, Error>
        where
            ArgumentList<Head, Rest, ink::abi::Ink>: EncodeArgsWith<ink::abi::Ink>,
            T: Decode,
        {
            build_call::<DefaultEnvironment>()
                .call(self.0)
                .exec_input(input)
                .returns::<Result<T, Error>>()
                .invoke()
        }
    }
}
