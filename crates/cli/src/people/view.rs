//! A game as it is drawn. Nothing here prints or changes anything.

use connect4_protocol::{AnyGame, Clock};
use connect4_rules::Player;
use connect4_rules::variant::Colour;

use crate::game::{Numbering, Position};
use crate::words::{self, variant};

/// A game as it is drawn.
#[derive(Clone, Debug)]
pub struct View {
    pub game: AnyGame,
    /// Colours that are asked at this terminal.
    pub here: Vec<Colour>,
    /// Seconds since 1970.
    pub now: u64,
    /// Clock that runs for a signed game on the chain.
    pub clock: Option<Clock>,
    /// How the bins of a game of discs are numbered.
    pub numbering: Numbering,
    /// Of a signed game what is awaited, and who is there.
    pub signed: Option<String>,
}

/// The board of a position, with the numbers of its bins.
pub fn board(numbering: Numbering, position: &Position) -> String {
    match (position, numbering) {
        (Position::Classic(position), Numbering::One) => words::board_from_one(position),
        (Position::Classic(position), Numbering::Zero) => words::board(position),
        (Position::Variant(position), _) => variant::board(position),
    }
}

impl View {
    /// The board; the players with the powers that are left, the time that the player to move has; and a
    /// note about what happened last.
    pub fn text(&self, note: Option<&str>) -> String {
        let mut lines = vec![self.board()];
        lines.extend(self.details(note));
        lines.join("\n")
    }

    /// The board, with the numbers of its bins.
    pub fn board(&self) -> String {
        board(self.numbering, &(&self.game).into())
    }

    /// What belongs to the board, a line or more each.
    pub fn details(&self, note: Option<&str>) -> Vec<String> {
        let mut lines = Vec::new();
        if let AnyGame::Variant(game) = &self.game
            && variant::has_roster(game.variant())
        {
            lines.extend(variant::roster(game));
        }
        lines.extend(words::time_left(&self.game, self.clock, self.now));
        lines.extend(self.signed.clone());
        lines.extend(note.map(str::to_owned));
        lines
    }

    /// The two players, a line each: those of more are said with their powers.
    pub fn players(&self) -> Vec<String> {
        let AnyGame::Two(game) = &self.game else {
            return Vec::new();
        };
        let line = |side: Player| {
            let colour = game.colour_of(side);
            let account = game.account_of(side);
            let mark = variant::mark(game.to_move() == Some(side));
            let you = match self.here.contains(&colour.into()) {
                true => ", you",
                false => "",
            };
            format!(
                "{mark} {} {}{you}",
                variant::badge(colour.into()),
                words::name(account)
            )
        };
        Player::ALL.into_iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{self, STARTED};

    fn text(view: &View, note: Option<&str>) -> String {
        console::set_colors_enabled(false);
        view.text(note)
    }

    #[test]
    fn a_board_is_drawn_with_a_note() {
        let view = View {
            game: samples::game("61").into(),
            here: vec![Colour::Red],
            now: STARTED,
            clock: None,
            numbering: Numbering::Zero,
            signed: None,
        };
        let expected = "\
+---+---+---+---+---+---+
|   |   |   |   |   |   |
+---+---+---+---+---+---+
|   |   |   |   |   |   |
+---+---+---+---+---+---+
|   |   |   |   |   |   |
+---+---+---+---+---+---+
| ⬟ |   |   |   |   | ● |
+---+---+---+---+---+---+
  0   1   2   3   4   5
blue into bin 0, row 0";
        assert_eq!(text(&view, Some("blue into bin 0, row 0")), expected);
        let over = View {
            game: samples::game("6151413").into(),
            ..view
        };
        let text = text(&over, None);
        assert!(text.contains("| ⬟ |   | ◎ | ◎ | ◎ | ◎ |"), "{text}");
        assert!(text.ends_with("  0   1   2   3   4   5"), "{text}");
    }

    #[test]
    fn a_board_is_drawn_with_numbers_from_one_players_and_powers() {
        let game = samples::variant("123t2.1f3.4");
        let view = View {
            game: game.into(),
            here: Vec::new(),
            now: STARTED + 30,
            clock: None,
            numbering: Numbering::Zero,
            signed: None,
        };
        let expected = "   +---+---+---+---+---+---+
 4 |   |   | ⬟ |   |   |   |
   +---+---+---+---+---+---+
 3 |   |   |   |   |   |   |
   +---+---+---+---+---+---+
 2 |   |   |   |   |   |   |
   +---+---+---+---+---+---+
 1 | ● |   | ▲ |   |   |   |
   +---+---+---+---+---+---+
     1   2   3   4   5   6
  ● red     alice    1 clear, 1 float
  ⬟ blue    bob      1 take, 1 clear
▸ ▲ green   charlie  1 take, 1 clear, 1 float
time left: green 30 s
blue floats a disc in bin 3, row 4";
        let note = "blue floats a disc in bin 3, row 4";
        assert_eq!(text(&view, Some(note)), expected);
    }
}
