//! Connect Four on chain: many games between two accounts each, in one contract.
//!
//! # Overview
//!
//! Anyone starts a game between two different accounts, on a board of any shape
//! that the rules allow. The two then drop discs in turns, player one first, until
//! one has a line or the board is full. Games are numbered from 0. The contract holds no funds.
//!
//! The rules of the board are in the crate `connect4_rules`, the rules of a game between
//! two accounts in `connect4_protocol`. This contract reads the caller, applies them, stores
//! the game and emits the events.
//!
//! # The end
//!
//! A game ends with a line, on a full board, or when a player resigns. Nobody else can end it, take it back or change it,
//! not even who has deployed the contract. There is no clock: who plays for a stake or against time plays a signed game
//! (`docs/signed-games.md`).
//!
//! The account that starts a game pays the deposit for its storage, some 100 bytes, and gets it back by
//! [`free`](Connect4::free) once the game has ended. A game that its players never end keeps its deposit: so who pays for
//! a game of others relies on them.
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
    use connect4_contract::{Bytes, Encoded, caller, emit, end};
    use connect4_protocol::{
        Error, Game,
        event::{DiscDropped, GameEnded, GameFreed, GameStarted},
    };
    use connect4_rules::{Bin, Cell, Dropped, Player, ShapeSpec};
    use ink::{prelude::vec::Vec, storage::Mapping};

    /// Storage of the contract: its root cell, and a record for each game.
    #[ink(storage)]
    #[derive(Default)]
    pub struct Connect4 {
        /// Number of games started, and the number of the next one.
        count: u32,
        /// Games by their numbers, each a storage item of 99 bytes.
        games: Mapping<u32, Record>,
    }

    /// Game as it is stored: board with its shape, the two players, last mover, turns taken,
    /// winner, whether and how it has ended, payer of the storage.
    #[derive(Clone, Debug, Encode, Decode)]
    #[cfg_attr(feature = "std", derive(scale_info::TypeInfo))]
    pub struct Record(Game);

    impl Connect4 {
        /// Deploys the contract without games.
        #[ink(constructor)]
        pub fn new() -> Self {
            Self::default()
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
            let started = Game::start(player_one.into(), player_two.into(), shape)?;
            let game = self.count;
            // The fees for this many games exceed what any account has.
            self.count = game.checked_add(1).expect("fewer than 2^32 games");
            self.games.insert(game, &Record(started.paid_by(caller())));
            let event = GameStarted::of(game, &started);
            let players = [event.player_one, event.player_two];
            emit(event, game, &players);
            Ok(game)
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
        /// 5. [`Error::NoSuchBin`] if the board has no such bin,
        /// 6. [`Error::BinFull`] if the bin is full.
        #[ink(message)]
        pub fn drop_disc(&mut self, game: u32, bin: u8) -> Result<Dropped, Error> {
            end(self.drop(game, bin))
        }

        /// Gives a game up for the caller, who need not be to move: the opponent wins.
        ///
        /// # Events
        ///
        /// [`GameEnded`].
        ///
        /// # Errors
        ///
        /// The first that applies:
        ///
        /// 1. [`Error::NoSuchGame`] if there is no game with this number,
        /// 2. [`Error::GameOver`] if the game has ended,
        /// 3. [`Error::NotAPlayer`] if the caller does not play this game.
        #[ink(message)]
        pub fn resign(&mut self, game: u32) -> Result<(), Error> {
            end(self.record(game).and_then(|mut played| {
                played.resign(caller())?;
                self.store(game, &played);
                Ok(())
            }))
        }

        /// Frees the storage of a game that has ended, for the account that started it, which gets the deposit back. The
        /// game can't be read any more; its events remain.
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
        /// 2. [`Error::GameNotOver`] if the game has not ended,
        /// 3. [`Error::NotPayer`] if another account has started it.
        #[ink(message)]
        pub fn free(&mut self, game: u32) -> Result<(), Error> {
            end(self.record(game).and_then(|ended| {
                let payer = caller();
                ended.free(payer)?;
                self.games.remove(game);
                emit(GameFreed { game, payer }, game, &[payer]);
                Ok(())
            }))
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

        /// Winner of a game; none while it goes on and after a draw.
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

        /// The cells of every line of the winner, by bin and then by row; empty if the game has not
        /// ended with a line.
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
            let mut played = self.record(game)?;
            let player = caller();
            let turn = played.turns();
            let dropped = played.drop(player, Bin::new(bin))?;
            let row = dropped.row;
            let event = DiscDropped {
                game,
                player,
                bin,
                row,
                turn,
            };
            emit(event, game, &[player]);
            self.store(game, &played);
            Ok(dropped)
        }

        /// Stores a changed game, and emits its end if it has ended.
        fn store(&mut self, game: u32, changed: &Game) {
            self.games.insert(game, &Record(*changed));
            if let Some(event) = GameEnded::of(game, changed) {
                let winner = event.winner.unwrap_or_default();
                emit(event, game, &[winner]);
            }
        }
    }

    #[cfg(feature = "std")]
    impl ink::storage::traits::StorageLayout for Record {
        fn layout(key: &ink::primitives::Key) -> ink::metadata::layout::Layout {
            use ink::metadata::layout::{Layout, LayoutKey, LeafLayout};
            Layout::Leaf(LeafLayout::from_key::<Game>(LayoutKey::from(*key)))
        }
    }
}
