//! What the page shows: values of the wire format, made of games and positions.

use connect4_client::{Address, Event, Occurrence, Token, Transaction};
use connect4_protocol::event::{Advanced, DiscDropped};
use connect4_protocol::{Game, Match};
use connect4_rules::{Bin, ByPlayer, DropError, Player, Position, Shape, notation};
use connect4_wire::words;
use connect4_wire::{
    self as wire, Amount, FreedGame, GameWithMatch, ListedGame, Shown, Sides, StoredGame,
    ViewedGame, ViewedLine,
};

/// The moves that led to a position, or why they are not known.
pub type Moves<'a> = Result<&'a [wire::Move], &'a str>;

/// A game as it was found on the chain.
pub struct Found<'a> {
    pub number: u32,
    /// The contract through which it is played.
    pub contract: Address,
    pub token: &'a Token,
    pub game: &'a Game,
    pub state: &'a Match,
    pub moves: Moves<'a>,
    /// Whether its storage was freed.
    pub freed: bool,
}

impl Found<'_> {
    /// The game with the computers at its seats, and what each player may withdraw.
    pub fn view(&self, seats: ByPlayer<wire::Seat>, owed: ByPlayer<Amount>) -> ViewedGame {
        let game = self.game;
        ViewedGame {
            game: GameWithMatch {
                game: wire::Game::new(self.number, self.contract, game),
                r#match: wire::Match::new(game, self.state, self.token),
            },
            shown: shown(
                &game.position(),
                game.is_over(),
                words::standing(game),
                self.moves,
            ),
            seats: seats.into(),
            left: left(game),
            owed: owed.into(),
            freed: self.freed,
            fast: None,
        }
    }
}

/// Adds the moves that an event tells to those before, with its transaction. Signed moves take the
/// place of all moves before; those that were known have the transactions that they had.
pub fn add_moves(moves: &mut Vec<wire::Move>, at: &Occurrence, sent: &Transaction) {
    match &at.event {
        Event::DiscDropped(DiscDropped { bin, row, turn, .. }) => moves.push(wire::Move {
            player: Player::ALL[usize::from(turn % 2)].into(),
            bin: *bin,
            row: *row,
            transaction: Some(sent.into()),
        }),
        Event::Advanced(Advanced { moves: all, .. }) => {
            put_moves(moves, all, Some(sent.into()));
        }
        _ => {}
    }
}

/// Puts these moves in the place of those before, of which the first that are the same stay. The others
/// have this transaction.
pub fn put_moves(moves: &mut Vec<wire::Move>, all: &[u8], sent: Option<wire::Transaction>) {
    let same = moves
        .iter()
        .zip(all)
        .take_while(|(at, bin)| at.bin == **bin);
    let known = same.count();
    moves.truncate(known);
    for (turn, bin) in all.iter().enumerate().skip(known) {
        let in_bin = moves.iter().filter(|at| at.bin == *bin).count();
        moves.push(wire::Move {
            player: Player::ALL[turn % 2].into(),
            bin: *bin,
            // No bin holds more discs than fit.
            row: u8::try_from(in_bin).unwrap_or(u8::MAX),
            transaction: sent,
        });
    }
}

/// The position that moves as text lead to, on no chain.
///
/// # Errors
///
/// The first move that the rules refuse.
pub fn line(shape: Shape, text: &str) -> Result<ViewedLine, notation::NotationError> {
    let position = Position::from_moves(shape, text)?;
    let mut before = Position::new(shape);
    let mut moves = Vec::new();
    for bin in notation::parse(text).flatten() {
        let player = before.to_move();
        if let Ok(dropped) = before.drop(bin) {
            moves.push(wire::Move {
                player: player.into(),
                bin: bin.index(),
                row: dropped.row,
                transaction: None,
            });
        }
    }
    let standing = match position.outcome() {
        Some(outcome) => outcome.to_string(),
        None => format!("{} to move", position.to_move()),
    };
    Ok(ViewedLine {
        game: (),
        position: wire::Position::new(&position),
        shown: shown(&position, false, standing, Ok(&moves)),
    })
}

/// A game of the lobby; none if its storage was freed.
pub fn listed(number: u32, contract: Address, game: Option<&Game>) -> ListedGame {
    match game {
        Some(game) => ListedGame::Stored(Box::new(StoredGame {
            game: wire::Game::new(number, contract, game),
            standing: words::standing(game),
            freed: false,
        })),
        None => ListedGame::Freed(FreedGame {
            game: number.into(),
            standing: "its storage was freed".into(),
            freed: true,
        }),
    }
}

fn shown(position: &Position, over: bool, standing: String, moves: Moves) -> Shown {
    let known = moves.unwrap_or_default();
    let bins = known.iter().map(|at| Bin::new(at.bin));
    Shown {
        refusals: refusals(position, over),
        standing,
        moves: known.to_vec(),
        moves_missing: moves.err().map(str::to_owned),
        notation: notation::write(bins).to_string(),
    }
}

/// For each bin, why no disc can be dropped there now.
fn refusals(position: &Position, over: bool) -> Vec<Option<String>> {
    let refusal = |bin| {
        let mut tried = *position;
        match tried.drop(bin) {
            Err(error) => Some(error),
            // A game may have ended otherwise than on the board.
            Ok(_) if over => Some(DropError::GameOver),
            Ok(_) => None,
        }
    };
    let bins = position.shape().iter_bins();
    bins.map(|bin| refusal(bin).map(|error| error.to_string()))
        .collect()
}

/// Seconds that each player has left, by this machine's clock; none without a clock or after the
/// end.
fn left(game: &Game) -> Option<Sides<u64>> {
    let (clock, to_move) = (game.clock()?, game.to_move()?);
    let running = clock.deadline().saturating_sub(words::now());
    let mut left = ByPlayer::from_fn(|_| clock.waiting().into());
    left[to_move] = running;
    Some(left.into())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    const ALICE: Address = Address([1; 20]);
    const BOB: Address = Address([2; 20]);

    fn game(moves: &str) -> Game {
        let mut game = Game::start(ALICE, BOB, Shape::CLASSROOM.into()).unwrap();
        for bin in notation::parse(moves) {
            let mover = game.account_of(game.to_move().unwrap());
            game.drop(mover, bin.unwrap(), 0).unwrap();
        }
        game
    }

    fn seen(game: &Game, state: &Match) -> Value {
        let found = Found {
            number: 7,
            contract: Address([7; 20]),
            token: &Token {
                symbol: "DOT".into(),
                decimals: 10,
                ratio: 1,
            },
            game,
            state,
            moves: Ok(&[]),
            freed: false,
        };
        let nothing = ByPlayer::from_fn(|_| Amount(0));
        json!(found.view(ByPlayer::default(), nothing))
    }

    #[test]
    fn moves_as_text_tell_where_each_disc_lies_and_how_it_ended() {
        let view = json!(line(Shape::CLASSROOM, "6151413").unwrap());
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
            json!({ "player": "blue", "bin": 0, "row": 1, "transaction": null })
        );
        assert_eq!(view["winning_cells"].as_array().unwrap().len(), 4);
        assert_eq!(view["to_move"], Value::Null);
        let error = line(Shape::CLASSROOM, "11111").unwrap_err();
        assert_eq!(error.to_string(), "move 5, '1': the bin is full");
    }

    #[test]
    fn each_bin_says_why_no_disc_can_be_dropped_there() {
        let view = seen(&game("1111"), &Match::default());
        assert_eq!(view["refusals"][0], "the bin is full");
        assert_eq!(view["refusals"][1], Value::Null);
        assert_eq!(view["to_move"], "red");
    }

    #[test]
    fn a_game_that_was_given_up_takes_no_more_discs_and_marks_none() {
        let mut game = game("12");
        game.resign(ALICE).unwrap();
        let view = seen(&game, &Match::default());
        assert_eq!(view["end"], "resignation");
        assert_eq!(view["winner"], "blue");
        assert_eq!(view["winning_cells"], json!([]));
        assert_eq!(view["refusals"], json!(vec!["the game has ended"; 6]));
    }

    #[test]
    fn the_score_is_that_of_the_series_with_this_game() {
        let state = Match {
            score: connect4_protocol::Score {
                one: 2,
                two: 1,
                draws: 3,
            },
            previous: Some(6),
            ..Match::default()
        };
        let in_progress = seen(&game("12"), &state);
        assert_eq!(
            in_progress["match"]["score"],
            json!({ "red": 2, "blue": 1, "draws": 3 })
        );
        let won = seen(&game("6151413"), &state);
        assert_eq!(
            won["match"]["score"],
            json!({ "red": 3, "blue": 1, "draws": 3 })
        );
        assert_eq!(won["match"]["previous"], 6);
    }

    #[test]
    fn a_clock_tells_what_each_player_has_left() {
        let now = words::now();
        let spec = connect4_protocol::ClockSpec {
            bank: 300,
            increment: 5,
        };
        let mut game = game("").timed(spec, now);
        game.drop(ALICE, Bin::new(0), now).unwrap();
        let view = seen(&game, &Match::default());
        let left = &view["left"];
        assert_eq!(left["red"], 305, "the increment comes with the move");
        let blue = left["blue"].as_u64().unwrap();
        assert!((290..=300).contains(&blue), "it runs: {blue}");
    }
}
