//! What the page shows: values of the wire format, made of games and positions.

use connect4_client::{Address, Contracts, GameId};
use connect4_protocol::{AnyGame, Game, variants};
use connect4_rules::variant::{self, MoveError};
use connect4_wire::{self as wire, ListedGame, Shown, View, words};

use crate::past::Past;

/// A game as it was found on the chain.
pub struct Found<'a> {
    pub id: GameId,
    pub contract: Address,
    /// What was played, or why that is not known.
    pub past: Result<Past, &'a str>,
    /// Whether its storage was freed.
    pub freed: bool,
}

impl<'a> Found<'a> {
    /// A game that the contract has.
    pub fn on_chain(contract: &Contracts, id: GameId, past: Result<Past, &'a str>) -> Self {
        Self {
            id,
            contract: contract.address(),
            past,
            freed: false,
        }
    }
}

impl Found<'_> {
    pub fn of_two(self, game: &Game) -> View {
        let halted = game.is_over().then(|| MoveError::GameOver.to_string());
        view(
            wire::Game::classic(self.id, self.contract, game),
            &game.position().into(),
            halted.as_deref(),
            words::standing(game),
            self.past,
            self.freed,
        )
    }

    pub fn of_variant(self, game: &variants::Game) -> View {
        let halted = match (game.has_started(), game.to_move()) {
            (_, Some(_)) => None,
            (true, None) => Some(MoveError::GameOver.to_string()),
            (false, None) => Some("the game has not started: it waits for players".into()),
        };
        view(
            wire::Game::variant(self.id, self.contract, game),
            game.position(),
            halted.as_deref(),
            words::variant_standing(game),
            self.past,
            self.freed,
        )
    }
}

/// A game or a table in which nobody is to move for the reason `halted`, if nobody is.
fn view(
    mut game: wire::Game,
    position: &variant::Position,
    halted: Option<&str>,
    standing: String,
    past: Result<Past, &str>,
    freed: bool,
) -> View {
    let missing = past.as_ref().err().map(|why| (*why).to_owned());
    let past = past.unwrap_or_default();
    // The history does not tell who had paid for it.
    if freed {
        game.payer = None;
    }
    View {
        game,
        departures: past.departures,
        freed,
        last_block: past.last_block,
        shown: Shown {
            moves_missing: missing,
            ..Shown::new(position, halted, standing, past.moves)
        },
    }
}

/// A game or a table in a list; none if its storage was freed or its table closed.
pub fn listed(id: GameId, contract: Address, game: Option<&AnyGame>) -> ListedGame {
    match game {
        Some(AnyGame::Two(game)) => ListedGame::stored(
            &wire::Game::classic(id, contract, game),
            words::standing(game),
        ),
        Some(AnyGame::Variant(game)) => ListedGame::stored(
            &wire::Game::variant(id, contract, game),
            words::variant_standing(game),
        ),
        None => {
            let or_closed = match id.is_variant() {
                true => ", or its table closed",
                false => "",
            };
            ListedGame::freed(id.into(), format!("its storage was freed{or_closed}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use connect4_rules::variant::Variant;
    use connect4_rules::{Bin, Shape, notation};
    use connect4_wire::Line;
    use serde_json::{Value, json};

    use super::*;

    const ALICE: Address = Address([1; 20]);
    const BOB: Address = Address([2; 20]);

    fn game(moves: &str) -> Game {
        let mut game = Game::start(ALICE, BOB, Shape::CLASSROOM.into()).unwrap();
        for bin in notation::parse::<Bin>(moves) {
            let mover = game.account_of(game.to_move().unwrap());
            game.drop(mover, bin.unwrap()).unwrap();
        }
        game
    }

    fn seen(game: &Game) -> Value {
        let found = Found {
            id: GameId::Classic(7),
            contract: Address([7; 20]),
            past: Ok(Past::default()),
            freed: false,
        };
        json!(found.of_two(game))
    }

    #[test]
    fn moves_as_text_tell_where_each_disc_lies_and_how_it_ended() {
        let classroom = Variant::classic(Shape::CLASSROOM);
        let view = json!(Line::new(classroom, "6151413").unwrap());
        assert_eq!(view["winner"], "red");
        assert_eq!(view["end"], "line");
        assert_eq!(
            view["board"],
            json!([
                ["blue", "blue", "blue"],
                [],
                ["red"],
                ["red"],
                ["red"],
                ["red"]
            ])
        );
        assert_eq!(
            view["moves"][3],
            json!({ "kind": "drop", "player": "blue", "bin": 0, "row": 1, "transaction": null })
        );
        assert_eq!(view["winning_cells"].as_array().unwrap().len(), 4);
        assert_eq!(view["to_move"], Value::Null);
        let error = Line::new(classroom, "11111").unwrap_err();
        assert_eq!(error, "move 5, '1': the bin is full");
    }

    #[test]
    fn each_bin_says_why_no_disc_can_be_dropped_there() {
        let view = seen(&game("1111"));
        assert_eq!(view["refusals"]["drop"][0], "the bin is full");
        assert_eq!(view["refusals"]["drop"][1], Value::Null);
        assert_eq!(view["targets"]["drop"], json!([null, 0, 0, 0, 0, 0]));
        assert_eq!(view["to_move"], "red");
    }

    #[test]
    fn a_game_that_was_given_up_takes_no_more_discs_and_marks_none() {
        let mut game = game("12");
        game.resign(ALICE).unwrap();
        let view = seen(&game);
        assert_eq!(view["end"], "resignation");
        assert_eq!(view["winner"], "blue");
        assert_eq!(view["winning_cells"], json!([]));
        assert_eq!(
            view["refusals"],
            json!({ "drop": vec!["the game has ended"; 6] })
        );
    }

    #[test]
    fn a_game_of_a_list_has_its_board_while_it_goes_on() {
        let board_of = |game: Game| {
            let id = GameId::Classic(7);
            listed(id, Address([7; 20]), Some(&AnyGame::Two(game))).position
        };
        let board = board_of(game("1126"));
        assert_eq!(board.as_deref(), Some("....../....../b...../rr...b"));
        assert_eq!(board_of(game("6151413")), None, "it has ended");
    }
}
