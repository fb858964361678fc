//! Variants of Connect Four on chain: games of two to four accounts with power-ups, pop out and the
//! pie rule, and the tables at which they come together.
//!
//! # Overview
//!
//! Anyone [starts](Variants::start_game) a game between two to four accounts, or
//! [opens](Variants::open_table) a table at which those who [join](Variants::join) it agree to play:
//! anyone, or accounts that the opener names. The game starts when the last seat is taken. Until
//! then a player can [leave](Variants::leave) the table, which the opener closes by leaving.
//!
//! The players [move](Variants::make_move) in turn order until one has a line, nobody can
//! move or [`Position::MAX_TURNS`](connect4_rules::variant::Position::MAX_TURNS) turns were taken. A
//! player who [leaves](Variants::leave) the game is out of it. If its table gave a time limit, anyone
//! may [remove](Variants::remove_late) the player to move after the deadline; a game started without
//! a table has none, as its players were not asked. The last player left has won.
//!
//! Games are numbered from 0, a table with the number of its game. Players are in turn order: red,
//! blue, green, yellow. The contract holds no funds.
//!
//! The rules of the board are in [`connect4_rules::variant`], the rules between accounts in
//! [`connect4_protocol::variants`]. This contract reads the caller, applies them, stores the game
//! and emits the events. It is apart from the contract of the classic games so that their moves
//! do not pay for its code.
//!
//! # Storage deposit
//!
//! The storage of a game has one size from the opening of the table on. So all of its deposit is
//! paid by the signer who opens the table or starts the game, and comes back to the signer of the
//! call that removes the game: to the opener who [leaves](Variants::leave) a table, or to the payer
//! who [frees](Variants::free) a game that has ended, or in which nobody has moved for 30 days.
//! Nobody else can remove one. The events remain.
//!
//! # Answers
//!
//! Everything counts from 0: games, seats, turns, bins from the left, rows from the bottom. Times
//! are in seconds since 1970, by the chain's timestamps. A message about one game answers
//! `Result<_, Error>`. An `Err` reverts the call: it changes nothing and emits nothing. Queries of a
//! game that does not exist or was removed answer `Err`, too.
//!
//! # Events
//!
//! The events are the types of [`connect4_protocol::variants::event`], which documents their
//! encoding and their topics. A game can be replayed from its events alone: `VariantStarted` has the
//! players and the terms, each `MoveMade` and `PlayerLeft` one step.
//!
//! # Cost
//!
//! A storage access costs about 10.3 kB of `proof_size`, a byte of code one byte, on every call.
//! Therefore:
//!
//! - A move makes three accesses: it reads the root cell (as ink! does before any message), reads
//!   the game's record and writes it back. The root cell is written only if it has changed; see
//!   [`connect4_contract::end`].
//! - The open tables are linked in their records. A page of them costs the same however many tables
//!   were closed, and a table is taken from the list by changing its two neighbours.

#![cfg_attr(not(feature = "std"), no_std, no_main)]

mod messages;

pub use self::variants::Variants;

#[ink::contract]
mod variants {
    use codec::{Compact, Decode, Encode};
    use connect4_contract::{Bytes, Encoded, end};
    // For the documentation alone; what the messages do is in `messages`.
    #[cfg(doc)]
    use connect4_protocol::variants::event::{
        MoveMade, PlayerJoined, PlayerLeft, TableClosed, TableOpened, VariantEnded, VariantFreed,
        VariantStarted,
    };
    use connect4_protocol::{
        self as protocol, Error,
        variants::{End, Game, Page},
    };
    use connect4_rules::{
        Cell,
        variant::{Colour, Move, VariantSpec},
    };
    use ink::{prelude::vec::Vec, storage::Mapping};

    use crate::messages;

    /// Storage of the contract: its root cell, and a record for each game.
    #[ink(storage)]
    pub struct Variants {
        /// How many games and tables were numbered, and the number of the next one.
        pub(crate) count: u32,
        /// Newest open table.
        pub(crate) newest: Link,
        /// Games and tables by their numbers, each a storage item of 220 bytes.
        pub(crate) games: Mapping<u32, Record>,
    }

    /// Game or table as it is stored. An open table has links to its neighbours in the list of open
    /// tables.
    #[derive(Clone, Debug, Encode, Decode)]
    #[cfg_attr(feature = "std", derive(scale_info::TypeInfo))]
    pub struct Record {
        pub(crate) game: Game,
        pub(crate) older: Link,
        pub(crate) newer: Link,
    }

    /// Number of an open table, or [`Link::NONE`]. Unlike an `Option`, it has one length, so that no
    /// call that links tables changes a storage deposit.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
    #[cfg_attr(
        feature = "std",
        derive(scale_info::TypeInfo, ink::storage::traits::StorageLayout)
    )]
    pub struct Link(pub(crate) u32);

    impl Link {
        /// No table: the last number, which no table has.
        pub(crate) const NONE: Self = Self(u32::MAX);

        pub(crate) fn number(self) -> Option<u32> {
            (self != Self::NONE).then_some(self.0)
        }
    }

    impl Variants {
        /// Deploys the contract without games and tables.
        #[ink(constructor)]
        #[allow(clippy::new_without_default)] // A contract is instantiated, not defaulted.
        pub fn new() -> Self {
            Self {
                count: 0,
                newest: Link::NONE,
                games: Mapping::new(),
            }
        }

        /// Starts a game without a time limit between two to four accounts, in turn order, and
        /// returns its number. The caller need not be one of the players, who are not asked.
        ///
        /// # Events
        ///
        /// [`VariantStarted`].
        ///
        /// # Errors
        ///
        /// The first that applies:
        ///
        /// 1. [`Error::BadShape`] if the shape is out of bounds,
        /// 2. [`Error::BadVariant`] if other terms are: 2 to 4 players, each power at most 9 times,
        ///    the pie rule for two players only,
        /// 3. [`Error::WrongPlayers`] if there are not as many accounts as players in the terms,
        /// 4. [`Error::SamePlayer`] if two of them are the same.
        #[ink(message)]
        pub fn start_game(
            &mut self,
            players: Vec<protocol::Address>,
            variant: VariantSpec,
        ) -> Result<u32, Error> {
            end(messages::start_game(self, &players, variant))
        }

        /// Opens a table and returns the number of its game. The caller joins it and, if no
        /// players are named, moves first. If players are named, in turn order, only they may
        /// join; the caller has to be one of them.
        ///
        /// # Events
        ///
        /// [`TableOpened`].
        ///
        /// # Errors
        ///
        /// The first that applies:
        ///
        /// 1. [`Error::BadShape`] if the shape is out of bounds,
        /// 2. [`Error::BadVariant`] if other terms are: 2 to 4 players, each power at most 9 times,
        ///    the pie rule for two players only,
        /// 3. [`Error::WrongPlayers`] if players are named, but not as many as in the terms, or not
        ///    the caller,
        /// 4. [`Error::SamePlayer`] if two of them are the same,
        /// 5. [`Error::BadLimit`] if the time for a move is not 10 seconds to 30 days.
        #[ink(message)]
        pub fn open_table(
            &mut self,
            players: Vec<protocol::Address>,
            variant: VariantSpec,
            limit: Option<u32>,
        ) -> Result<u32, Error> {
            end(messages::open_table(self, players, variant, limit))
        }

        /// Joins a table and returns the caller's seat: the place in the turn order, from 0. If
        /// players are named, each has a seat; else it is the first one that is free. The game starts
        /// when the last player joins.
        ///
        /// # Events
        ///
        /// [`PlayerJoined`], then [`VariantStarted`] if that filled the table.
        ///
        /// # Errors
        ///
        /// The first that applies:
        ///
        /// 1. [`Error::NoSuchGame`] if there is no table or game with this number,
        /// 2. [`Error::AlreadyStarted`] if the game has started,
        /// 3. [`Error::AlreadyJoined`] if the caller has joined,
        /// 4. [`Error::NotInvited`] if the table is for other players.
        #[ink(message)]
        pub fn join(&mut self, game: u32) -> Result<u8, Error> {
            end(messages::join(self, game))
        }

        /// Leaves a table or a game. Leaving a table frees the seat; if the opener does, the
        /// table is closed and removed. Who leaves a game is out of it, but the discs stay; the
        /// last player left has won.
        ///
        /// # Events
        ///
        /// [`TableClosed`] if the opener leaves a table; else [`PlayerLeft`], then [`VariantEnded`] if
        /// that ended the game.
        ///
        /// # Errors
        ///
        /// The first that applies:
        ///
        /// 1. [`Error::NoSuchGame`] if there is no table or game with this number,
        /// 2. [`Error::GameOver`] if the game has ended,
        /// 3. [`Error::NotAPlayer`] if the caller has not joined the table, or does not play the game,
        /// 4. [`Error::HasLeft`] if the caller has left the game before.
        #[ink(message)]
        pub fn leave(&mut self, game: u32) -> Result<(), Error> {
            end(messages::leave(self, game))
        }

        /// Makes a move of the caller. Returns how the game ended if the move ended it.
        ///
        /// # Events
        ///
        /// [`MoveMade`], then [`VariantEnded`] if the move ended the game.
        ///
        /// # Errors
        ///
        /// The first that applies:
        ///
        /// 1. [`Error::NoSuchGame`] if there is no table or game with this number,
        /// 2. [`Error::NotStarted`] if the table still waits for players,
        /// 3. [`Error::GameOver`] if the game has ended,
        /// 4. [`Error::NotAPlayer`] if the caller does not play this game,
        /// 5. [`Error::HasLeft`] if the caller has left it,
        /// 6. [`Error::NotYourTurn`] if another player is to move,
        /// 7. [`Error::OutOfTime`] if the game has a time limit and the deadline has passed,
        /// 8. [`Error::NotInVariant`] if the terms have no such moves,
        /// 9. [`Error::NoPowerLeft`] if the caller has used the power up,
        /// 10. [`Error::NoSwapNow`] for a swap that is not the second player's first move,
        /// 11. [`Error::NoSuchBin`], [`Error::NoSuchRow`] if the board has no such bin or row,
        /// 12. [`Error::BinFull`] for a drop into a full bin,
        /// 13. [`Error::NotYourDisc`] for a pop of a bin without a disc of the caller at its bottom,
        /// 14. [`Error::NoDisc`] for taking from an empty cell,
        /// 15. [`Error::OwnDisc`] for taking the caller's own disc,
        /// 16. [`Error::RowEmpty`] for clearing an empty row,
        /// 17. [`Error::NotAboveTop`] for floating in a cell that is not above the top of its bin.
        #[ink(message)]
        pub fn make_move(&mut self, game: u32, action: Move) -> Result<Option<End>, Error> {
            end(messages::make_move(self, game, action))
        }

        /// Removes the player to move, who is late, from the game. Anyone may call it. The discs
        /// of the player stay; the last player left has won. Returns how the game ended if that
        /// ended it.
        ///
        /// # Events
        ///
        /// [`PlayerLeft`], then [`VariantEnded`] if that ended the game.
        ///
        /// # Errors
        ///
        /// The first that applies:
        ///
        /// 1. [`Error::NoSuchGame`] if there is no table or game with this number,
        /// 2. [`Error::NotStarted`] if the table still waits for players,
        /// 3. [`Error::GameOver`] if the game has ended,
        /// 4. [`Error::NoLimit`] if the game has no time limit,
        /// 5. [`Error::TimeLeft`] if the deadline has not passed; at the deadline it has not.
        #[ink(message)]
        pub fn remove_late(&mut self, game: u32) -> Result<Option<End>, Error> {
            end(messages::remove_late(self, game))
        }

        /// Frees the storage of a game that has ended, or in which nobody has moved for 30 days. The
        /// deposit goes to the caller, who paid it. The events of the game remain.
        ///
        /// # Events
        ///
        /// [`VariantEnded`] if the game had not ended, which is abandoned so, then [`VariantFreed`].
        ///
        /// # Errors
        ///
        /// The first that applies:
        ///
        /// 1. [`Error::NoSuchGame`] if there is no table or game with this number,
        /// 2. [`Error::NotPayer`] if another account started the game or opened its table,
        /// 3. [`Error::NotStarted`] if the table still waits for players; its opener
        ///    [leaves](Self::leave) it instead,
        /// 4. [`Error::GameNotOver`] if the game goes on, and its last turn began at most 30 days ago.
        #[ink(message)]
        pub fn free(&mut self, game: u32) -> Result<(), Error> {
            end(messages::free(self, game))
        }

        /// Everything about a game or table.
        ///
        /// # Errors
        ///
        /// [`Error::NoSuchGame`] if there is no table or game with this number.
        #[ink(message)]
        pub fn game(&self, game: u32) -> Result<Game, Error> {
            end(self.record(game).map(|record| record.game))
        }

        /// The cells of a game: bin by bin from the left, each from its bottom up to its highest
        /// disc. A cell under a floating disc may be empty.
        ///
        /// # Errors
        ///
        /// [`Error::NoSuchGame`] if there is no table or game with this number.
        #[ink(message)]
        pub fn board(&self, game: u32) -> Result<Encoded<Vec<Vec<Option<Colour>>>>, Error> {
            end(self.record(game).map(|record| {
                let position = record.game.position();
                let mut bytes = Bytes::new();
                bytes.list(position.shape().iter_bins(), |bytes, bin| {
                    bytes.list(0..position.height(bin), |bytes, row| {
                        position.disc(Cell { bin, row }).encode_to(bytes);
                    });
                });
                Encoded::new(bytes)
            }))
        }

        /// Winner of a game; none while it goes on, after a draw and of a table.
        ///
        /// # Errors
        ///
        /// [`Error::NoSuchGame`] if there is no table or game with this number.
        #[ink(message)]
        pub fn winner(&self, game: u32) -> Result<Option<protocol::Address>, Error> {
            end(self.record(game).map(|record| record.game.winner()))
        }

        /// The cells of every line of the winner, by bin and then by row; empty if the game has
        /// no winner, or the winner no line.
        ///
        /// # Errors
        ///
        /// [`Error::NoSuchGame`] if there is no table or game with this number.
        #[ink(message)]
        pub fn winning_cells(&self, game: u32) -> Result<Encoded<Vec<Cell>>, Error> {
            end(self.record(game).map(|record| {
                let cells = record.game.winning_cells();
                let mut bytes = Bytes::new();
                // They may be more than `list` takes.
                Compact(u32::from(cells.len())).encode_to(&mut bytes);
                for cell in cells.iter(record.game.position().shape()) {
                    cell.encode_to(&mut bytes);
                }
                Encoded::new(bytes)
            }))
        }

        /// How many games and tables were numbered. The number of the last one is one less.
        #[ink(message)]
        pub fn game_count(&self) -> u32 {
            self.count
        }

        /// A page of the tables that wait for players, the newest first. It begins at the table with
        /// the number `from`, or at the newest, and has at most `limit` tables; a limit below 1
        /// counts as 1, one above [`Page::MAX_LEN`] as that.
        ///
        /// # Errors
        ///
        /// [`Error::NoSuchGame`] if no open table has the number `from`. It may have filled up or
        /// been closed since the previous page was read: begin again at the newest.
        #[ink(message)]
        pub fn open_tables(&self, from: Option<u32>, limit: u8) -> Result<Page, Error> {
            let mut page = Page {
                tables: Vec::new(),
                next: from.or(self.newest.number()),
            };
            for _ in 0..limit.clamp(1, Page::MAX_LEN) {
                let Some(number) = page.next else {
                    break;
                };
                let record = self.record(number)?;
                if record.game.has_started() {
                    return Err(Error::NoSuchGame);
                }
                page.tables.push((number, record.game));
                page.next = record.older.number();
            }
            Ok(page)
        }

        pub(crate) fn caller(&self) -> protocol::Address {
            self.env().caller().into()
        }

        /// Reads the record with this number. Not inlined: most messages share it.
        #[inline(never)]
        pub(crate) fn record(&self, game: u32) -> Result<Record, Error> {
            self.games.get(game).ok_or(Error::NoSuchGame)
        }
    }

    #[cfg(feature = "std")]
    impl ink::storage::traits::StorageLayout for Record {
        fn layout(key: &ink::primitives::Key) -> ink::metadata::layout::Layout {
            use ink::metadata::layout::{Layout, LayoutKey, LeafLayout};
            Layout::Leaf(LeafLayout::from_key::<Self>(LayoutKey::from(*key)))
        }
    }
}
