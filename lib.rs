//! Connect Four on chain: many games between two accounts each, in one contract.
//!
//! # Overview
//!
//! Anyone starts a game between two different accounts, on a board of any shape
//! that the rules allow. The two then drop discs in turns, player one first, until
//! one has a line or the board is full. Games are numbered from 0 and never change
//! after their end. The contract holds no funds.
//!
//! The rules of the board are in the crate `connect4_rules`, the rules of a game between
//! two accounts in `connect4_protocol`. This contract reads the caller, applies them, stores
//! the game and emits the events.
//!
//! # The referee
//!
//! Every byte of code is paid for on every move. So challenges, stakes, resignations, draws
//! by agreement and timeouts are in another contract, `connect4-matches`. It deploys this one
//! by [`with_referee`](Connect4::with_referee) and is its referee: the only account that may
//! start games with a clock, end a game otherwise than by a move, and remove a game that has
//! ended. This contract stores the games that the referee gives it unchecked, and emits the
//! same events for them. A contract deployed by [`new`](Connect4::new) has no referee: nobody
//! can end, take back or delete a game.
//!
//! # Answers
//!
//! Everything counts from 0: games, turns, bins from the left, rows from the bottom.
//! A message about one game answers `Result<_, Error>`. An `Err` reverts the call: it
//! changes nothing and emits nothing. Queries of a game that does not exist answer `Err`, too:
//! `Ok(None)` of [`winner`](Connect4::winner) means that the game exists and nobody has won it.
//!
//! # Events
//!
//! The events are the types of [`connect4_protocol::event`], which documents their
//! encoding and their topics. A game can be replayed from its events alone: `GameStarted` has
//! the players and the shape, each `DiscDropped` the bin of a turn.
//!
//! # Cost
//!
//! A storage access costs about 10.3 kB of `proof_size`, a byte of code one byte, on
//! every call. Therefore:
//!
//! - A drop makes three accesses, for the first game as for the hundred thousandth: it reads
//!   the contract's root cell (as ink! does before any message), reads the game's record and
//!   writes it back. It does not write the root cell; see `end`.
//! - Starting a game makes three, too: it reads and writes the root cell, which counts the
//!   games, and writes the new record. A query reads both and writes neither.
//! - Answers and events are encoded into one plain buffer, `Bytes`, and not by ink!'s encoders
//!   on a heap: the code is 4 kB smaller.

#![cfg_attr(not(feature = "std"), no_std, no_main)]
// Not in the manifest, where they would hold for the end-to-end tests, too.
#![warn(clippy::arithmetic_side_effects, clippy::unwrap_used)]

pub use self::connect4::{Connect4, Record};

#[ink::contract]
mod connect4 {
    use codec::{Decode, Encode};
    use connect4_contract::{Bytes, Encoded, emit, end, now};
    use connect4_protocol::{
        self as protocol, End, Error, Game,
        event::{DiscDropped, GameEnded, GameStarted},
    };
    use connect4_rules::{Bin, Cell, Dropped, Player, ShapeSpec};
    use ink::{
        prelude::{boxed::Box, vec::Vec},
        storage::Mapping,
    };

    /// Storage of the contract: its root cell, and a record for each game.
    #[ink(storage)]
    pub struct Connect4 {
        /// Number of games started, and the number of the next one.
        count: u32,
        /// Referee, or the zero address if there is none. (An `Option` takes 300 bytes more
        /// code.)
        referee: Address,
        /// Games by their numbers, each a storage item of 115 bytes.
        games: Mapping<u32, Record>,
    }

    /// Game as it is stored: board with its shape, the two players, last mover, turns taken,
    /// winner, whether and how it has ended, payer of the storage, clock.
    #[derive(Clone, Debug, Encode, Decode)]
    #[cfg_attr(feature = "std", derive(scale_info::TypeInfo))]
    pub struct Record(Game);

    impl Connect4 {
        /// Deploys the contract without games and without a referee.
        #[ink(constructor)]
        #[allow(clippy::new_without_default)] // A contract is instantiated, not defaulted.
        pub fn new() -> Self {
            Self {
                count: 0,
                referee: Address::zero(),
                games: Mapping::new(),
            }
        }

        /// Deploys the contract without games. The caller is the referee.
        #[ink(constructor)]
        pub fn with_referee() -> Self {
            Self {
                count: 0,
                referee: Self::env().caller(),
                games: Mapping::new(),
            }
        }

        /// Starts a game on an empty board and returns its number. The caller need not
        /// be one of the players.
        ///
        /// # Events
        ///
        /// [`GameStarted`].
        ///
        /// # Errors
        ///
        /// The first that applies:
        ///
        /// 1. [`Error::SamePlayer`] if both players are the same account,
        /// 2. [`Error::BadShape`] if the shape is out of bounds: at least 5 bins, a
        ///    capacity of at least 4, a line of 3 to 6 that is no longer than the longer
        ///    side, and `bins * (capacity + 1)` at most 128.
        #[ink(message)]
        pub fn start_game(
            &mut self,
            player_one: Address,
            player_two: Address,
            shape: ShapeSpec,
        ) -> Result<u32, Error> {
            let game = Game::start(player_one.into(), player_two.into(), shape)?;
            Ok(self.add(&Record(game.paid_by(self.env().caller().into()))))
        }

        /// Stores a new game of a match, and returns its number. For the referee.
        /// (Taking the game boxed saves 500 bytes of code that moves it.)
        ///
        /// # Events
        ///
        /// [`GameStarted`].
        ///
        /// # Errors
        ///
        /// [`Error::NotReferee`] if the caller is not the referee.
        #[ink(message)]
        pub fn start_match(&mut self, started: Box<Record>) -> Result<u32, Error> {
            self.only_referee()?;
            Ok(self.add(&started))
        }

        /// Stores a game that has ended otherwise than by a move. For the referee.
        ///
        /// # Events
        ///
        /// [`GameEnded`].
        ///
        /// # Errors
        ///
        /// [`Error::NotReferee`] if the caller is not the referee.
        #[ink(message)]
        pub fn end_match(&mut self, game: u32, ended: Box<Record>) -> Result<(), Error> {
            end(self.only_referee().map(|()| self.store(game, &ended)))
        }

        /// Removes a game; its storage deposit goes to the signer of the transaction, its events
        /// remain. For the referee.
        ///
        /// # Errors
        ///
        /// [`Error::NotReferee`] if the caller is not the referee.
        #[ink(message)]
        pub fn remove(&mut self, game: u32) -> Result<(), Error> {
            end(self.only_referee().map(|()| self.games.remove(game)))
        }

        /// Drops a disc of the caller into a bin. Returns the row in which it came to lie, and
        /// the outcome if the drop ended the game.
        ///
        /// # Events
        ///
        /// [`DiscDropped`], then [`GameEnded`] if the drop ended the game.
        ///
        /// # Errors
        ///
        /// The first that applies:
        ///
        /// 1. [`Error::NoSuchGame`] if there is no game with this number,
        /// 2. [`Error::GameOver`] if the game has ended,
        /// 3. [`Error::NotAPlayer`] if the caller does not play this game,
        /// 4. [`Error::NotYourTurn`] if the opponent is to move,
        /// 5. [`Error::OutOfTime`] if the game has a clock and the deadline has passed,
        /// 6. [`Error::NoSuchBin`] if the board has no such bin,
        /// 7. [`Error::BinFull`] if the bin is full.
        #[ink(message)]
        pub fn drop_disc(&mut self, game: u32, bin: u8) -> Result<Dropped, Error> {
            end(self.drop(game, bin))
        }

        /// Everything about a game.
        ///
        /// # Errors
        ///
        /// [`Error::NoSuchGame`] if there is no game with this number.
        #[ink(message)]
        pub fn game(&self, game: u32) -> Result<Game, Error> {
            end(self.record(game))
        }

        /// The discs of a game: bin by bin from the left, each from its bottom.
        ///
        /// # Errors
        ///
        /// [`Error::NoSuchGame`] if there is no game with this number.
        #[ink(message)]
        pub fn board(&self, game: u32) -> Result<Encoded<Vec<Vec<Player>>>, Error> {
            end(self.record(game).map(|game| {
                let board = game.board();
                let mut bytes = Bytes::new();
                bytes.list(board.shape().iter_bins(), |bytes, bin| {
                    bytes.list(board.stack(bin), |bytes, disc| disc.encode_to(bytes));
                });
                Encoded::new(bytes)
            }))
        }

        /// Winner of a game; none while it goes on, after a draw and after an abort.
        ///
        /// # Errors
        ///
        /// [`Error::NoSuchGame`] if there is no game with this number.
        #[ink(message)]
        pub fn winner(&self, game: u32) -> Result<Option<Address>, Error> {
            end(self.record(game).map(|game| {
                let winner = game.winner()?;
                Some(game.account_of(winner).into())
            }))
        }

        /// The cells of every line of the winner, by bin and then by row; empty if the game has
        /// no winner.
        ///
        /// # Errors
        ///
        /// [`Error::NoSuchGame`] if there is no game with this number.
        #[ink(message)]
        pub fn winning_cells(&self, game: u32) -> Result<Encoded<Vec<Cell>>, Error> {
            end(self.record(game).map(|game| {
                let mut bytes = Bytes::new();
                let cells = game.winning_cells().iter(game.shape());
                bytes.list(cells, |bytes, cell| cell.encode_to(bytes));
                Encoded::new(bytes)
            }))
        }

        /// Number of games started. The number of the last one is one less.
        #[ink(message)]
        pub fn game_count(&self) -> u32 {
            self.count
        }

        /// Address of the referee; the zero address if there is none.
        #[ink(message)]
        pub fn referee(&self) -> Result<Address, Error> {
            end(Ok(self.referee))
        }

        fn only_referee(&self) -> Result<(), Error> {
            if self.referee == self.env().caller() {
                Ok(())
            } else {
                Err(Error::NotReferee)
            }
        }

        /// Stores a new game and emits its start. This event and that of the end are made here: by
        /// `GameStarted::of` and `GameEnded::of` the contract is 66 bytes longer.
        fn add(&mut self, record: &Record) -> u32 {
            let game = self.count;
            // The fees for this many games exceed what any account has.
            self.count = game.checked_add(1).expect("fewer than 2^32 games");
            let player_one = record.0.player_one();
            let player_two = record.0.player_two();
            let shape = record.0.shape().into();
            self.games.insert(game, record);
            emit(
                GameStarted {
                    game,
                    player_one,
                    player_two,
                    shape,
                },
                game,
                &[player_one, player_two],
            );
            game
        }

        /// Reads the game with this number. Not inlined: most messages share it.
        #[inline(never)]
        fn record(&self, game: u32) -> Result<Game, Error> {
            match self.games.get(game) {
                Some(Record(game)) => Ok(game),
                None => Err(Error::NoSuchGame),
            }
        }

        /// [`Self::drop_disc`], except for the answer.
        fn drop(&mut self, game: u32, bin: u8) -> Result<Dropped, Error> {
            let mut record = self.record(game)?;
            let player = protocol::Address::from(self.env().caller());
            let turn = record.turns();
            let dropped = record.drop(player, Bin::new(bin), now())?;
            let event = DiscDropped {
                game,
                player,
                bin,
                row: dropped.row,
                turn,
                deadline: record.deadline(),
            };
            emit(event, game, &[player]);
            self.store(game, &Record(record));
            Ok(dropped)
        }

        /// Stores a changed game, and emits its end if it has ended.
        fn store(&mut self, game: u32, record: &Record) {
            self.games.insert(game, record);
            if let Some(end) = record.0.end() {
                ended(game, &record.0, end);
            }
        }
    }

    /// Emits the end of a game.
    fn ended(game: u32, record: &Game, end: End) {
        let winner = record.winner().map(|winner| record.account_of(winner));
        let winning_cells = record.winning_cells();
        let event = GameEnded {
            game,
            winner,
            end,
            winning_cells,
        };
        emit(event, game, &[winner.unwrap_or_default()]);
    }

    #[cfg(feature = "std")]
    impl ink::storage::traits::StorageLayout for Record {
        fn layout(key: &ink::primitives::Key) -> ink::metadata::layout::Layout {
            use ink::metadata::layout::{Layout, LayoutKey, LeafLayout};
            Layout::Leaf(LeafLayout::from_key::<Game>(LayoutKey::from(*key)))
        }
    }
}
