//! Connect Four on chain: many games between two accounts each, in one contract.
//!
//! # Overview
//!
//! Anyone starts a game between two different accounts, on a board of any shape
//! that the rules allow. The two then drop discs in turns, player one first, until
//! one has a line or the board is full. Games are numbered from 0 and never change
//! after their end. The contract holds no funds.
//!
//! The rules of the board are all in the crate `connect4_rules`, and those of a game between
//! two accounts in `connect4_protocol`. This contract is who may ask, storage and events.
//!
//! # The referee
//!
//! Whatever is rare is in another contract, `connect4-matches`, as every byte of code
//! is paid for on every move: challenges, stakes, resignations, draws by agreement, time
//! that runs out. It deploys this one by [`with_referee`](Connect4::with_referee), and
//! it alone may then start games with a clock, end games otherwise than by a move, and
//! remove the ended ones; this contract takes from it what it is given, and says so by the
//! same events. Deployed by [`new`](Connect4::new) there is no referee, and nobody can take
//! back, stop or delete anything.
//!
//! # Answers
//!
//! Everything counts from 0: games, turns, bins from the left, rows from the bottom.
//! What concerns one game answers `Result<_, Error>`. An `Err` reverts the call: it
//! changes nothing and emits nothing. That goes for the queries of a game which does
//! not exist, too: `Ok(None)` of [`winner`](Connect4::winner) means that there is a
//! game and nobody has won it, which an `Option` of an `Option` would not tell apart.
//!
//! # Events
//!
//! A game can be replayed from its events alone: its [`GameStarted`](connect4_protocol::event::GameStarted) has the
//! players and the shape, its [`DiscDropped`](connect4_protocol::event::DiscDropped)s the bins in order.
//!
//! The events are the types of [`connect4_protocol::event`], which documents their
//! encoding and their topics.
//!
//! # Cost
//!
//! A storage access costs some 10.3 kB of `proof_size`, a byte of code one byte, on
//! every call. Therefore:
//!
//! - A drop reads the contract's root cell (ink! does so before any message), reads
//!   the game's record and writes it back: three accesses, the same for the first
//!   game and the hundred thousandth. It does not write the root cell; see `end`.
//! - Starting a game reads and writes the root cell, which counts the games, and
//!   writes the new record: three, too. A query reads both and writes neither.
//! - Answers and events are written into one kind of plain buffer, `Bytes`, and not
//!   by ink!'s encoders and a heap: that takes 4 kB off the code.

#![cfg_attr(not(feature = "std"), no_std, no_main)]

pub use self::connect4::{Connect4, Encoded, Record};

#[ink::contract]
mod connect4 {
    use codec::{Decode, Encode};
    use connect4_protocol::{
        self as protocol, End, Error, Game,
        event::{DiscDropped, GameEnded, GameStarted},
    };
    use connect4_rules::{Bin, Cell, Dropped, Player, ShapeSpec};
    use core::marker::PhantomData;
    use ink::{
        prelude::{boxed::Box, vec::Vec},
        storage::Mapping,
    };

    /// The games.
    #[ink(storage)]
    pub struct Connect4 {
        /// How many there are, which is the number of the next.
        count: u32,
        /// The contract that may do what no player may by itself; the zero address if there
        /// is none. (An `Option` takes 300 bytes more of code.)
        referee: Address,
        /// Each by its number: one storage item of 115 bytes.
        games: Mapping<u32, Record>,
    }

    /// A game as it is stored: the board with its shape, the two players, the last
    /// mover, the turns taken, the winner, whether and how it is over, who pays for it,
    /// and the clock.
    #[derive(Clone, Debug, Encode, Decode)]
    #[cfg_attr(feature = "std", derive(scale_info::TypeInfo))]
    pub struct Record(Game);

    impl Connect4 {
        /// No games yet, and no referee.
        #[ink(constructor)]
        #[allow(clippy::new_without_default)] // A contract is instantiated, not defaulted.
        pub fn new() -> Self {
            Self {
                count: 0,
                referee: Address::zero(),
                games: Mapping::new(),
            }
        }

        /// No games yet, and the caller is the referee.
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

        /// Stores a game as it starts a match, and returns its number: for the referee.
        /// (Boxed, a game that is taken in is moved about in 500 bytes less of code.)
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

        /// Stores a game as it has ended otherwise than by a move: for the referee.
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

        /// Removes a game, whose storage deposit goes to who signed the transaction: for the
        /// referee. Its events remain.
        ///
        /// # Errors
        ///
        /// [`Error::NotReferee`] if the caller is not the referee.
        #[ink(message)]
        pub fn remove(&mut self, game: u32) -> Result<(), Error> {
            end(self.only_referee().map(|()| self.games.remove(game)))
        }

        /// Drops a disc of the caller into a bin, and returns the row in which it came to
        /// lie, and how the game ended if it did.
        ///
        /// # Events
        ///
        /// [`DiscDropped`], then [`GameEnded`] if it was the last.
        ///
        /// # Errors
        ///
        /// The first that applies:
        ///
        /// 1. [`Error::NoSuchGame`] if there is no game with this number,
        /// 2. [`Error::GameOver`] if the game has ended,
        /// 3. [`Error::NotAPlayer`] if the caller does not play this game,
        /// 4. [`Error::NotYourTurn`] if the other player is to move,
        /// 5. [`Error::OutOfTime`] if the game has a clock and the deadline is over,
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

        /// Who won a game; none while it goes on, after a draw, and if it was aborted.
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

        /// The cells of every line of the winner of a game, by bin and in it by row; empty
        /// while nobody has won.
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

        /// How many games were started; the last one's number is one less.
        #[ink(message)]
        pub fn game_count(&self) -> u32 {
            self.count
        }

        /// The contract that may do what no player may by itself; the zero address, which no
        /// contract has, if there is none.
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

        /// Stores a new game and says so.
        fn add(&mut self, record: &Record) -> u32 {
            let game = self.count;
            // Deposits for this many games would lock more than there is of any token.
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
                player_one,
                Some(player_two),
            );
            game
        }

        /// The game with this number. Not inline, as the messages but two share it.
        #[inline(never)]
        fn record(&self, game: u32) -> Result<Game, Error> {
            match self.games.get(game) {
                Some(Record(game)) => Ok(game),
                None => Err(Error::NoSuchGame),
            }
        }

        /// See [`Self::drop_disc`].
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
            emit(event, game, player, None);
            self.store(game, &Record(record));
            Ok(dropped)
        }

        /// Stores a game after a change, and says so if it has ended.
        fn store(&mut self, game: u32, record: &Record) {
            self.games.insert(game, record);
            if let Some(end) = record.0.end() {
                ended(game, &record.0, end);
            }
        }
    }

    /// Says that a game has ended.
    fn ended(game: u32, record: &Game, end: End) {
        let winner = record.winner().map(|winner| record.account_of(winner));
        let winning_cells = record.winning_cells();
        let event = GameEnded {
            game,
            winner,
            end,
            winning_cells,
        };
        emit(event, game, winner.unwrap_or_default(), None);
    }

    /// The time of the block, in seconds since 1970. ink! reads it as a number of any type,
    /// with more code.
    fn now() -> u64 {
        #[cfg(target_arch = "riscv64")]
        {
            use pallet_revive_uapi::{HostFn, HostFnImpl};
            let mut now = [0; 32];
            HostFnImpl::now(&mut now);
            let [a, b, c, d, e, f, g, h, ..] = now;
            u64::from_le_bytes([a, b, c, d, e, f, g, h])
        }
        #[cfg(not(target_arch = "riscv64"))]
        ink::env::block_timestamp::<ink::env::DefaultEnvironment>()
    }

    /// Ends the call with an answer, without writing the root cell back: ink! writes
    /// it after every message that may change it and returns, and that is a storage
    /// access. A drop leaves it as it is, and the queries share this code.
    ///
    /// Off chain a call can't be ended, and a write costs nothing: returns the answer.
    fn end<T: Encode>(answer: Result<T, Error>) -> Result<T, Error> {
        #[cfg(target_arch = "riscv64")]
        {
            use pallet_revive_uapi::{HostFn, HostFnImpl, ReturnFlags};
            let flags = match answer {
                Ok(_) => ReturnFlags::empty(),
                Err(_) => ReturnFlags::REVERT,
            };
            let mut bytes = Bytes::new();
            // As ink! answers: a zero, for that there is such a message, then what it
            // says. (An `ink::MessageResult::Ok` of it takes 250 bytes more of code.)
            bytes.len = 1;
            answer.encode_to(&mut bytes);
            HostFnImpl::return_value(flags, bytes.as_slice())
        }
        #[cfg(not(target_arch = "riscv64"))]
        answer
    }

    /// Emits an event whose topics are the game and one or two accounts, just as ink!
    /// does, but with the one buffer and loop-free code for the topics, where ink! has
    /// an encoder for each type and a hash for long ones: 1.6 kB of code less.
    fn emit<E: ink::env::Event + Encode>(
        event: E,
        game: u32,
        account: protocol::Address,
        another: Option<protocol::Address>,
    ) {
        #[cfg(target_arch = "riscv64")]
        {
            let mut bytes = Bytes::new();
            event.encode_to(&mut bytes);
            let signature = E::SIGNATURE_TOPIC.expect("no event is anonymous");
            deposit(&signature, game, account, another, bytes.as_slice());
        }
        #[cfg(not(target_arch = "riscv64"))]
        {
            let _ = (game, account, another);
            ink::env::emit_event(event);
        }
    }

    /// Emits an event with these topics, each filled up with zeros to 32 bytes.
    #[cfg(target_arch = "riscv64")]
    fn deposit(
        signature: &[u8; 32],
        game: u32,
        account: protocol::Address,
        another: Option<protocol::Address>,
        data: &[u8],
    ) {
        use pallet_revive_uapi::{HostFn, HostFnImpl};
        let mut topics = [[0; 32]; 4];
        topics[0] = *signature;
        topics[1][..4].copy_from_slice(&game.to_le_bytes());
        topics[2][..20].copy_from_slice(&account.0);
        let topics = match another {
            Some(another) => {
                topics[3][..20].copy_from_slice(&another.0);
                &topics[..]
            }
            None => &topics[..3],
        };
        HostFnImpl::deposit_event(topics, data);
    }

    /// What is encoded, on the stack: at most the largest answer, a full board.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Bytes {
        bytes: [u8; Self::CAPACITY],
        len: usize,
    }

    impl Bytes {
        /// A full board takes a byte for each cell and each bin, which is at most 128,
        /// one for how many bins there are, and two for that all went well. Rounded up to 8.
        const CAPACITY: usize = 136;

        const fn new() -> Self {
            Self {
                bytes: [0; Self::CAPACITY],
                len: 0,
            }
        }

        fn as_slice(&self) -> &[u8] {
            &self.bytes[..self.len]
        }

        /// Encodes a list of at most 63 items: its length in one byte, as SCALE has it,
        /// then each of them.
        fn list<T>(
            &mut self,
            items: impl Iterator<Item = T>,
            mut encode: impl FnMut(&mut Self, T),
        ) {
            let start = self.len;
            codec::Output::push_byte(self, 0);
            let mut len: u8 = 0;
            for item in items {
                encode(self, item);
                len = len.wrapping_add(1);
            }
            self.bytes[start] = len.wrapping_mul(4);
        }
    }

    impl codec::Output for Bytes {
        fn write(&mut self, bytes: &[u8]) {
            // Both are at most the capacity, or slicing panics.
            let end = self.len.wrapping_add(bytes.len());
            self.bytes[self.len..end].copy_from_slice(bytes);
            self.len = end;
        }
    }

    /// A `T` that is encoded already: encodes as it, and is one to the metadata.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Encoded<T> {
        bytes: Bytes,
        of: PhantomData<T>,
    }

    impl<T> Encoded<T> {
        const fn new(bytes: Bytes) -> Self {
            Self {
                bytes,
                of: PhantomData,
            }
        }
    }

    impl<T: Decode> Encoded<T> {
        /// The `T` itself.
        ///
        /// # Panics
        ///
        /// If the contract has encoded something else.
        pub fn get(&self) -> T {
            T::decode(&mut self.bytes.as_slice()).expect("the contract encodes what it says")
        }
    }

    impl<T> Encode for Encoded<T> {
        fn encode_to<O: codec::Output + ?Sized>(&self, dest: &mut O) {
            dest.write(self.bytes.as_slice());
        }
    }

    impl<T: Decode + Encode> Decode for Encoded<T> {
        fn decode<I: codec::Input>(input: &mut I) -> Result<Self, codec::Error> {
            let mut bytes = Bytes::new();
            T::decode(input)?.encode_to(&mut bytes);
            Ok(Self::new(bytes))
        }
    }

    #[cfg(feature = "std")]
    impl<T: scale_info::TypeInfo + 'static> scale_info::TypeInfo for Encoded<T> {
        type Identity = T::Identity;

        fn type_info() -> scale_info::Type {
            T::type_info()
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
