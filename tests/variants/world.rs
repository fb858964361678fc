//! The contract on a local chain, and what it answers.

use connect4_protocol::Error;
use connect4_protocol::variants::message::{OpenTables, ReadVariant, ReadVariantBoard};
use connect4_protocol::variants::{End, Game, Page};
use connect4_rules::variant::{Colour, Move, VariantSpec};
use connect4_testing::world::Variants;
use connect4_testing::{Account, who};

use crate::call::Call;

connect4_testing::world!(Variants);

impl World {
    pub fn starts(&self, players: &[Account], variant: VariantSpec) -> u32 {
        let call = Call::Start(players.to_vec(), variant);
        self.does(players[0], call).number()
    }

    /// Makes these moves, written in the notation of variants, each by the player to move. Prints the
    /// board after each, and returns how the game ended.
    #[track_caller]
    pub fn play(&self, game: u32, moves: &[&str]) -> Option<End> {
        let mut end = None;
        for text in moves {
            let action: Move = text.parse().expect("a move");
            end = self
                .does(self.to_move(game), Call::Move(game, action))
                .returned();
            println!("{}", self.game(game).unwrap().position());
        }
        end
    }

    pub fn to_move(&self, game: u32) -> Account {
        let game = self.game(game).unwrap();
        who(game.account_of(game.to_move().expect("the game goes on")))
    }

    pub fn game(&self, game: u32) -> Result<Game, Error> {
        self.query(ReadVariant { game })
    }

    pub fn board(&self, game: u32) -> Result<Vec<Vec<Option<Colour>>>, Error> {
        self.query(ReadVariantBoard { game })
    }

    pub fn open_tables(&self, from: Option<u32>, limit: u8) -> Result<Page, Error> {
        self.query(OpenTables { from, limit })
    }

    /// Numbers of the open tables, the newest first.
    pub fn tables(&self) -> Vec<u32> {
        let page = self.open_tables(None, Page::MAX_LEN).unwrap();
        assert_eq!(page.next, None);
        page.tables.into_iter().map(|(number, _)| number).collect()
    }

    pub fn winner(&self, game: u32) -> Option<Account> {
        self.game(game).unwrap().winner().map(who)
    }
}
