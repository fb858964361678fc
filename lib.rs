#![cfg_attr(not(feature = "std"), no_std, no_main)]
//! Connect Four on chain.

#[ink::contract]
mod connect4 {
    use connect4_rules::{Cell, Cells, Dropped, Error, Game, Player, ShapeSpec};
    use ink::prelude::vec::Vec;
    use ink::storage::Mapping;

    #[ink(storage)]
    pub struct Connect4 {
        count: u32,
        games: Mapping<u32, Record>,
    }

    #[derive(codec::Encode, codec::Decode)]
    #[cfg_attr(feature = "std", derive(scale_info::TypeInfo))]
    pub struct Record(Game);

    #[cfg(feature = "std")]
    impl ink::storage::traits::StorageLayout for Record {
        fn layout(key: &ink::primitives::Key) -> ink::metadata::layout::Layout {
            ink::metadata::layout::Layout::Leaf(
                ink::metadata::layout::LeafLayout::from_key::<Game>((*key).into()),
            )
        }
    }

    #[ink(event)]
    pub struct GameStarted {
        #[ink(topic)]
        game: u32,
        #[ink(topic)]
        player_one: Address,
        #[ink(topic)]
        player_two: Address,
        shape: ShapeSpec,
    }

    #[ink(event)]
    pub struct DiscDropped {
        #[ink(topic)]
        game: u32,
        #[ink(topic)]
        player: Address,
        bin: u8,
        row: u8,
        turn: u8,
    }

    #[ink(event)]
    pub struct GameEnded {
        #[ink(topic)]
        game: u32,
        #[ink(topic)]
        winner: Option<Address>,
        winning_cells: Cells,
    }

    impl Connect4 {
        #[ink(constructor)]
        #[allow(clippy::new_without_default)]
        pub fn new() -> Self {
            Self {
                count: 0,
                games: Mapping::new(),
            }
        }

        #[ink(message)]
        pub fn start_game(
            &mut self,
            player_one: Address,
            player_two: Address,
            shape: ShapeSpec,
        ) -> Result<u32, Error> {
            let record = Game::start(player_one.0, player_two.0, shape)?;
            let game = self.count;
            self.count = game.checked_add(1).expect("u32");
            self.games.insert(game, &Record(record));
            self.env().emit_event(GameStarted {
                game,
                player_one,
                player_two,
                shape,
            });
            Ok(game)
        }

        #[ink(message)]
        pub fn drop_disc(&mut self, game: u32, bin: u8) -> Result<Dropped, Error> {
            let mut record = self.record(game)?;
            let player = self.env().caller();
            let turn = record.turns();
            let dropped = record.drop(player.0, bin)?;
            self.games.insert(game, &Record(record));
            self.env().emit_event(DiscDropped {
                game,
                player,
                bin,
                row: dropped.row,
                turn,
            });
            if let Some(outcome) = dropped.outcome {
                self.env().emit_event(GameEnded {
                    game,
                    winner: outcome.winner().map(|_| player),
                    winning_cells: record.winning_cells(),
                });
            }
            end(Ok(dropped))
        }

        #[ink(message)]
        pub fn game(&self, game: u32) -> Result<Game, Error> {
            self.record(game)
        }

        #[ink(message)]
        pub fn board(&self, game: u32) -> Result<Vec<Vec<Player>>, Error> {
            let record = self.record(game)?;
            let board = record.board();
            let shape = board.shape();
            Ok((0..shape.bins())
                .map(|bin| {
                    (0..shape.capacity())
                        .map_while(|row| board.disc(Cell { bin, row }))
                        .collect()
                })
                .collect())
        }

        #[ink(message)]
        pub fn winner(&self, game: u32) -> Result<Option<Address>, Error> {
            let record = self.record(game)?;
            Ok(record
                .winner()
                .map(|player| record.account_of(player).into()))
        }

        #[ink(message)]
        pub fn winning_cells(&self, game: u32) -> Result<Vec<Cell>, Error> {
            let record = self.record(game)?;
            Ok(record.winning_cells().iter(record.shape()).collect())
        }

        #[ink(message)]
        pub fn game_count(&self) -> u32 {
            self.count
        }

        fn record(&self, game: u32) -> Result<Game, Error> {
            self.games
                .get(game)
                .map(|record| record.0)
                .ok_or(Error::NoSuchGame)
        }
    }

    fn end<T: codec::Encode>(answer: Result<T, Error>) -> Result<T, Error> {
        #[cfg(not(feature = "std"))]
        ink::env::return_value(
            ink::env::ReturnFlags::empty(),
            &ink::MessageResult::<Result<T, Error>>::Ok(answer),
        );
        #[cfg(feature = "std")]
        answer
    }
}
