//! What is shown of a game where there is no page: in pictures, in previews of links, in other people's pages.

use connect4_client::{Address, name_of};
use connect4_index::GameRow;
use connect4_picture::{Board, Scene, Theme, svg};
use connect4_protocol::End;
use connect4_relay::ShownGame;
use connect4_rules::variant::{Colour, Move, Position, Variant, VariantSpec};
use connect4_rules::{Player, Shape, notation};
use connect4_wire::{View, words};

/// A game as pictures show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Portrait {
    /// The players with their names, in the order of play.
    pub players: Vec<(Colour, String)>,
    /// How the game stands, with names in the place of colours.
    pub standing: String,
    pub over: bool,
    pub board: Board,
    /// The moves, with the terms; none if they are not known.
    line: Option<(Variant, Vec<Move>)>,
}

impl Portrait {
    /// A game, or the table at which it is to be played, as pages show it.
    pub fn of_view(view: &View) -> Self {
        let game = &view.game;
        let called = |player: &connect4_wire::Player| match (player.account, player.name) {
            (_, Some(name)) => name.to_owned(),
            (Some(account), None) => name_of(account),
            (None, None) => "open place".into(),
        };
        let players: Vec<_> = game
            .players
            .iter()
            .map(|player| (player.colour, called(player)))
            .collect();
        let moves = view.shown.moves.iter();
        let moves: Vec<Move> = moves.map(|at| at.played.made.into()).collect();
        let is_known = view.shown.moves_missing.is_none();
        let line = is_known.then(|| line(game.position.terms.spec, moves));
        let line = line.flatten();
        Self {
            standing: with_names(&view.shown.standing, &players),
            over: game.position.over,
            board: last(line.as_ref()).unwrap_or_else(|| Board::new(&game.position, None)),
            players,
            line,
        }
    }

    /// A game of the index; none if its moves are not known.
    pub fn of_row(row: &GameRow) -> Option<Self> {
        let moves = notation::parse::<Move>(&row.moves);
        let moves: Vec<Move> = moves.collect::<Result<_, _>>().ok()?;
        let terms = match row.variant {
            Some(terms) => terms,
            None => VariantSpec::classic(Shape::try_from(row.board).ok()?),
        };
        let line = line(terms, moves)?;
        let mut names: Vec<String> = row.players.iter().copied().map(name_of).collect();
        // After a swap the second player has the first colour.
        if line.1.get(1) == Some(&Move::Swap) && names.len() >= 2 {
            names.swap(0, 1);
        }
        let colours = [Colour::Red, Colour::Blue, Colour::Green, Colour::Yellow];
        let end = row.ended_how.as_deref().and_then(|how| how.parse().ok());
        Some(Self {
            players: colours.into_iter().zip(names).collect(),
            standing: standing(row.winner, end),
            over: row.ended_how.is_some(),
            board: last(Some(&line))?,
            line: Some(line),
        })
    }

    /// A signed game that a relay has; none if its terms are not those of a game.
    pub fn of_shown(shown: &ShownGame) -> Option<Self> {
        let ShownGame { terms, moves, game } = shown;
        let line = line(terms.rules(), moves.iter_moves().collect())?;
        let account = |player| game.account_of(player);
        // A colour leads to its player as a player to its colour.
        let of_colour = |colour: Player| (colour.into(), name_of(account(game.colour_of(colour))));
        Some(Self {
            players: Player::ALL.map(of_colour).into(),
            standing: match game.to_move() {
                Some(player) => format!("{} to move", name_of(account(player))),
                None => standing(game.winner().map(account), game.end()),
            },
            over: game.is_over(),
            board: last(Some(&line))?,
            line: Some(line),
        })
    }

    /// A line of moves on no chain; the first move that is none, or that the rules refuse.
    pub fn of_line(terms: Variant, text: &str) -> Result<Self, String> {
        let position = Position::from_moves(terms, text).map_err(|error| error.to_string())?;
        let moves = notation::parse::<Move>(text).flatten().collect();
        let line = (terms, moves);
        Ok(Self {
            players: Vec::new(),
            standing: words::position_standing(&position),
            over: position.outcome().is_some(),
            board: last(Some(&line)).ok_or("no moves")?,
            line: Some(line),
        })
    }

    /// The game in one line.
    pub fn title(&self) -> String {
        let names: Vec<&str> = self.players.iter().map(|(_, name)| &**name).collect();
        let moves = match self.moves() {
            Some(1) => ", 1 move".into(),
            Some(count) if count > 0 => format!(", {count} moves"),
            _ => String::new(),
        };
        match names.is_empty() {
            true => format!("{}{moves}", self.standing),
            false => format!("{}: {}{moves}", names.join(" vs "), self.standing),
        }
    }

    /// Number of moves; none if they are not known.
    fn moves(&self) -> Option<usize> {
        self.line.as_ref().map(|(_, moves)| moves.len())
    }

    /// The board after so many moves; none if there were fewer, or if they are not known.
    pub fn board_after(&self, moves: usize) -> Option<Board> {
        let (terms, all) = self.line.as_ref()?;
        let line = (*terms, all.get(..moves)?.to_vec());
        last(Some(&line))
    }

    /// The boards from the empty one on; none if the moves are not known.
    pub fn boards(&self) -> Option<Vec<Board>> {
        let (terms, moves) = self.line.as_ref()?;
        Board::of_game(*terms, moves.iter().copied()).ok()
    }

    pub fn svg(&self, board: &Board, theme: Option<Theme>) -> String {
        svg(Scene {
            board,
            players: &self.players,
            standing: match *board == self.board {
                true => &self.standing,
                false => "",
            },
            theme,
        })
    }
}

/// Moves with their terms, if the rules let them be made.
fn line(terms: VariantSpec, moves: Vec<Move>) -> Option<(Variant, Vec<Move>)> {
    // What is known of a game does not always say whether colours may be exchanged.
    let terms = VariantSpec {
        pie_rule: terms.pie_rule || moves.contains(&Move::Swap),
        ..terms
    };
    let terms = Variant::try_from(terms).ok()?;
    Board::of_game(terms, moves.iter().copied()).ok()?;
    Some((terms, moves))
}

fn last(line: Option<&(Variant, Vec<Move>)>) -> Option<Board> {
    let (terms, moves) = line?;
    let boards = Board::of_game(*terms, moves.iter().copied());
    boards.ok()?.pop()
}

/// How a game stands that was won by this account and ended so.
fn standing(winner: Option<Address>, end: Option<End>) -> String {
    match (winner, end) {
        (Some(winner), Some(End::Line)) => format!("{} won", name_of(winner)),
        (Some(winner), Some(end)) => format!("{} won {end}", name_of(winner)),
        (None, Some(end @ (End::Abort | End::Abandoned))) => end.to_string(),
        (None, Some(end)) => format!("a tie {end}"),
        (_, None) => "in progress".into(),
    }
}

/// How a game stands, with the names of those whose colours it names first.
fn with_names(standing: &str, players: &[(Colour, String)]) -> String {
    let named = players.iter().find_map(|(colour, name)| {
        let colour = match colour {
            Colour::Red => "red",
            Colour::Blue => "blue",
            Colour::Green => "green",
            Colour::Yellow => "yellow",
        };
        if let Some(rest) = standing.strip_prefix("winner: ") {
            let how = rest.strip_prefix(colour)?;
            return Some(format!("{name} won{how}"));
        }
        let rest = standing.strip_prefix(colour)?;
        rest.starts_with(' ').then(|| format!("{name}{rest}"))
    });
    named.unwrap_or_else(|| standing.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_take_the_place_of_colours() {
        let players = [
            (Colour::Red, "alice".to_owned()),
            (Colour::Blue, "0x41dc…1e01".to_owned()),
        ];
        for (standing, expected) in [
            ("red to move", "alice to move"),
            ("winner: blue", "0x41dc…1e01 won"),
            ("winner: red by resignation", "alice won by resignation"),
            ("winner: green", "winner: green"),
            ("a tie by agreement", "a tie by agreement"),
            ("reddish", "reddish"),
        ] {
            assert_eq!(with_names(standing, &players), expected);
        }
    }
}
