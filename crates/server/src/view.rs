//! What is seen of a game.

use connect4_client::{Event, Occurrence, Token, Transaction, development_name};
use connect4_protocol::event::DiscDropped;
use connect4_protocol::{End, Game, Match, Score};
use connect4_rules::{Bin, Outcome, Player, Position, Shape, ShapeSpec, notation};
use serde::Serialize;
use serde_json::{Value, json};

use crate::json as spell;
use crate::words;

/// A game, as the page shows it. The page knows no rules: whatever it needs is here.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct View {
    /// None: it is not on the chain.
    pub game: Option<u32>,
    shape: Value,
    players: Option<Players>,
    /// By bins from the left, each from the bottom.
    board: Vec<Vec<&'static str>>,
    /// By bins, why a disc can't be dropped there now.
    refusals: Vec<Option<String>>,
    pub to_move: Option<&'static str>,
    turns: u8,
    pub over: bool,
    standing: String,
    end: Value,
    winner: Option<&'static str>,
    winning: Value,
    moves: Vec<Move>,
    /// Why there are no moves.
    moves_missing: Option<String>,
    notation: String,
    /// Results of the series by this game's seats, with this game.
    score: Value,
    previous: Option<u32>,
    pub next: Option<u32>,
    rematch: Option<&'static str>,
    draw_offer: Option<&'static str>,
    clock: Option<ClockView>,
    /// What each player has paid in, and pays for a next game; none if nothing.
    pub stake: Option<String>,
    /// What each player may withdraw.
    owed: Owed,
    freed: bool,
}

/// Amounts that players are owed; none if nothing.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Owed {
    pub red: Option<String>,
    pub blue: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Players {
    red: Seated,
    blue: Seated,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Seated {
    address: String,
    name: Option<&'static str>,
    /// The level of the computer that plays here.
    computer: Option<&'static str>,
    /// Why it does not move.
    error: Option<String>,
}

/// A move, and where it is on the chain.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Move {
    player: &'static str,
    pub bin: u8,
    row: u8,
    block: Option<u32>,
    transaction: Option<String>,
    fee: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct ClockView {
    deadline: u64,
    left: TimeLeft,
    now: u64,
}

/// Seconds that each player had left at a moment.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct TimeLeft {
    red: u64,
    blue: u64,
}

/// A computer at a seat.
#[derive(Clone, Debug, PartialEq)]
pub struct Computer {
    pub level: &'static str,
    pub error: Option<String>,
}

impl Move {
    /// The move that an event tells of, and its transaction.
    pub fn of(at: &Occurrence, sent: &Transaction, token: &Token) -> Option<Self> {
        let Event::DiscDropped(DiscDropped { bin, row, turn, .. }) = at.event else {
            return None;
        };
        let player = if turn % 2 == 0 {
            Player::One
        } else {
            Player::Two
        };
        Some(Self {
            player: player.colour(),
            bin,
            row,
            block: Some(sent.block),
            transaction: Some(format!("{:?}", sent.hash)),
            fee: Some(token.amount(sent.fee)),
        })
    }
}

/// The moves that led to a game, or why they are not known.
pub type Moves<'a> = Result<&'a [Move], &'a str>;

impl View {
    /// A game of the chain.
    pub fn of(
        number: u32,
        game: &Game,
        beside: &Match,
        moves: Moves,
        [red, blue]: [Option<Computer>; 2],
        (stake, owed): (Option<String>, Owed),
    ) -> Self {
        let seated = |player, computer: Option<Computer>| {
            let address = game.account_of(player);
            let (level, error) = match computer {
                Some(computer) => (Some(computer.level), computer.error),
                None => (None, None),
            };
            Seated {
                address: address.to_string(),
                name: development_name(address),
                computer: level,
                error,
            }
        };
        let score = beside.score.and(game.outcome());
        Self {
            game: Some(number),
            players: Some(Players {
                red: seated(Player::One, red),
                blue: seated(Player::Two, blue),
            }),
            over: game.is_over(),
            to_move: game.to_move().map(Player::colour),
            standing: words::standing(game),
            end: spell::json_end(game.end()),
            winner: game.winner().map(Player::colour),
            winning: spell::json_cells(game.winning_cells(), game.shape()),
            refusals: refusals(&game.position(), game.is_over()),
            score: spell::json_score(score),
            previous: beside.previous,
            next: beside.next,
            rematch: beside.rematch.map(Player::colour),
            draw_offer: beside.draw_offer(game).map(Player::colour),
            clock: clock(game),
            stake,
            owed,
            ..Self::bare(&game.position(), moves)
        }
    }

    /// The same game, whose storage was freed.
    pub fn freed(mut self) -> Self {
        self.freed = true;
        self
    }

    /// A position that moves led to, on no chain.
    pub fn of_line(shape: Shape, text: &str) -> Result<Self, notation::NotationError> {
        let position = Position::from_moves(shape, text)?;
        let mut before = Position::new(shape);
        let mut moves = Vec::new();
        for bin in notation::parse(text).flatten() {
            let player = before.to_move();
            if let Ok(dropped) = before.drop(bin) {
                moves.push(Move {
                    player: player.colour(),
                    bin: bin.index(),
                    row: dropped.row,
                    block: None,
                    transaction: None,
                    fee: None,
                });
            }
        }
        Ok(Self::bare(&position, Ok(&moves)))
    }

    fn bare(position: &Position, moves: Moves) -> Self {
        let shape = position.shape();
        let outcome = position.outcome();
        let to_move = outcome.is_none().then(|| position.to_move());
        let bins = moves.unwrap_or_default().iter().map(|at| Bin::new(at.bin));
        Self {
            game: None,
            shape: spell::json_shape(shape.into()),
            players: None,
            board: spell::board_of_bins(position.board()),
            refusals: refusals(position, false),
            to_move: to_move.map(Player::colour),
            turns: position.plies(),
            over: outcome.is_some(),
            standing: match (outcome, to_move) {
                (Some(outcome), _) => outcome.to_string(),
                (None, Some(player)) => format!("{player} to move"),
                (None, None) => String::new(),
            },
            end: spell::json_end(outcome.map(|outcome| match outcome {
                Outcome::Won(_) => End::Line,
                Outcome::Draw => End::FullBoard,
            })),
            winner: outcome.and_then(Outcome::winner).map(Player::colour),
            winning: spell::json_cells(position.winning_cells(), shape),
            moves: moves.unwrap_or_default().to_vec(),
            moves_missing: moves.err().map(str::to_owned),
            notation: notation::write(bins).to_string(),
            score: spell::json_score(Score::default()),
            previous: None,
            next: None,
            rematch: None,
            draw_offer: None,
            clock: None,
            stake: None,
            owed: Owed::default(),
            freed: false,
        }
    }
}

fn refusals(position: &Position, over: bool) -> Vec<Option<String>> {
    (0..position.shape().bins())
        .map(|bin| {
            let mut tried = *position;
            match tried.drop(Bin::new(bin)) {
                Err(error) => Some(error.to_string()),
                // It may have been given up, say.
                Ok(_) if over => Some(connect4_rules::DropError::GameOver.to_string()),
                Ok(_) => None,
            }
        })
        .collect()
}

fn clock(game: &Game) -> Option<ClockView> {
    let (clock, to_move) = (game.clock()?, game.to_move()?);
    let now = words::now();
    let running = clock.deadline().saturating_sub(now);
    let waiting = clock.waiting().into();
    let (red, blue) = match to_move {
        Player::One => (running, waiting),
        Player::Two => (waiting, running),
    };
    Some(ClockView {
        deadline: clock.deadline(),
        left: TimeLeft { red, blue },
        now,
    })
}

/// A game in a list.
pub fn summary(number: u32, game: Option<&Game>) -> Value {
    let Some(game) = game else {
        return json!({
            "game": number,
            "freed": true,
            "standing": "its storage was freed",
        });
    };
    let player = |player| spell::json_who(game.account_of(player));
    json!({
        "game": number,
        "shape": spell::json_shape(ShapeSpec::from(game.shape())),
        "red": player(Player::One),
        "blue": player(Player::Two),
        "turns": game.turns(),
        "over": game.is_over(),
        "standing": words::standing(game),
        "winner": game.winner().map(Player::colour),
        "to_move": game.to_move().map(Player::colour),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    use connect4_client::Address;

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

    fn seen(game: &Game, beside: &Match) -> Value {
        json!(View::of(
            7,
            game,
            beside,
            Ok(&[]),
            [None, None],
            (None, Owed::default())
        ))
    }

    #[test]
    fn moves_as_text_tell_where_each_disc_lies_and_how_it_ended() {
        let view = json!(View::of_line(Shape::CLASSROOM, "6151413").unwrap());
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
            json!({
                "player": "blue", "bin": 0, "row": 1,
                "block": null, "transaction": null, "fee": null,
            })
        );
        assert_eq!(view["winning"].as_array().unwrap().len(), 4);
        assert_eq!(view["to_move"], Value::Null);
        let error = View::of_line(Shape::CLASSROOM, "11111").unwrap_err();
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
        assert_eq!(view["winning"], json!([]));
        assert_eq!(view["refusals"], json!(vec!["the game has ended"; 6]));
    }

    #[test]
    fn the_score_is_that_of_the_series_with_this_game() {
        let beside = Match {
            score: Score {
                one: 2,
                two: 1,
                draws: 3,
            },
            previous: Some(6),
            ..Match::default()
        };
        let going_on = seen(&game("12"), &beside);
        assert_eq!(
            going_on["score"],
            json!({ "red": 2, "blue": 1, "draws": 3 })
        );
        let won = seen(&game("6151413"), &beside);
        assert_eq!(won["score"], json!({ "red": 3, "blue": 1, "draws": 3 }));
        assert_eq!(won["previous"], 6);
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
        let left = &view["clock"]["left"];
        assert_eq!(left["red"], 305, "the increment comes with the move");
        let blue = left["blue"].as_u64().unwrap();
        assert!((290..=300).contains(&blue), "it runs: {blue}");
    }
}
