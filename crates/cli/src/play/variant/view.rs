//! What a table of a variant shows, as text. Nothing here prints or changes anything.

use connect4_client::GameId;
use connect4_opponent::Level;
use connect4_protocol::variants::Game;
use connect4_rules::variant::Colour;

use crate::report::VariantAt;
use crate::words::variant;

/// A game as it is drawn.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    pub game: &'a Game,
    /// Seconds since 1970.
    pub now: u64,
}

impl View<'_> {
    /// The board, the players with the powers that are left, the time, and a note about what
    /// happened last.
    pub fn text(&self, note: Option<&str>) -> String {
        let mut lines = vec![variant::board(self.game.position())];
        if variant::has_roster(self.game.variant()) {
            lines.extend(variant::roster(self.game));
        }
        lines.extend(variant::time_left(self.game, self.now));
        lines.extend(note.map(str::to_owned));
        lines.join("\n")
    }
}

/// What is said when a game is opened.
#[derive(Debug)]
pub struct Greeting<'a> {
    pub at: VariantAt<'a>,
    /// The chain, in words.
    pub place: String,
    /// Colours that people play here; empty if they play all.
    pub people: Vec<Colour>,
    /// The commands by which others play from elsewhere, by colour.
    pub invitations: Vec<(Colour, String)>,
    /// The colours that computers play.
    pub computers: Vec<(Colour, Level)>,
}

impl Greeting<'_> {
    /// The first line, and the contract's.
    pub fn heading(&self) -> String {
        let VariantAt {
            contract,
            number,
            game,
        } = self.at;
        let id = GameId::Variant(number);
        let what = match game.has_started() {
            true => "game",
            false => "table",
        };
        format!(
            "Connect Four {}{}: {what} {id} on {}\ncontract: {contract}",
            game.variant(),
            variant::limit(game.limit()),
            self.place
        )
    }

    /// The lines below the players: who plays where.
    pub fn details(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if !self.people.is_empty() {
            let people: Vec<&str> = self.people.iter().map(|colour| colour.name()).collect();
            lines.push(format!("you play {}", people.join(" and ")));
        }
        for (colour, level) in &self.computers {
            lines.push(format!("the computer plays {colour}: {level}"));
        }
        for (colour, command) in &self.invitations {
            lines.push(format!("{colour} joins with\n  {command}"));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn a_board_is_drawn_with_numbers_from_one_players_and_powers() {
        console::set_colors_enabled(false);
        let game = samples::variant("123t2.1f3.4");
        let view = View {
            game: &game,
            now: samples::STARTED + 30,
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
        assert_eq!(view.text(Some(note)), expected);
    }
}
