//! Terms and moves, as the address of a line has them.

use alloc::format;
use alloc::string::{String, ToString as _};

use connect4_rules::ShapeSpec;
use connect4_rules::variant::{Powers, Variant, VariantSpec};

use super::line::Line;

/// Why an address has no line, in words that show one.
const NO_LINE: &str = "the address of a line has its board and moves, such as /line?bins=7&capacity=6&line=4&moves=44";

/// What the query of a line's address has: terms, and moves as text. A host and the page read it by this.
#[derive(Clone, Debug)]
pub struct TermsAndMoves {
    /// The terms.
    pub terms: Variant,
    /// The moves as text, with bins from 1: in the notation of classic games if the terms are those of a
    /// classic game, in that of variants otherwise.
    pub moves: String,
}

impl TermsAndMoves {
    /// Reads the names and values of a query. Board and moves have to be there; without more it is a classic game.
    /// Of values with the same name the first one counts, and other names count nothing.
    ///
    /// # Errors
    ///
    /// What is missing, what is no value, or why no game has such terms.
    pub fn from_query(query: &[(String, String)]) -> Result<Self, String> {
        let named = |name: &str| {
            let found = query.iter().find(|(other, _)| other == name);
            found.map(|(_, value)| value.as_str())
        };
        let board = |name: &str| match named(name) {
            None | Some("") => Err(NO_LINE.into()),
            Some(value) => number(name, value),
        };
        let rule = |name: &str| named(name).map_or(Ok(false), |value| yes_or_no(name, value));
        let times = |name: &str| named(name).map_or(Ok(0), |value| number(name, value));
        let spec = VariantSpec {
            shape: ShapeSpec {
                bins: board("bins")?,
                capacity: board("capacity")?,
                line: board("line")?,
            },
            players: named("players").map_or(Ok(2), |value| number("players", value))?,
            pop_out: rule("pop_out")?,
            pie_rule: rule("pie_rule")?,
            powers: Powers {
                take: times("take")?,
                clear: times("clear")?,
                float: times("float")?,
            },
        };
        Ok(Self {
            moves: named("moves").ok_or(NO_LINE)?.into(),
            terms: Variant::try_from(spec).map_err(|error| error.to_string())?,
        })
    }

    /// The position that the moves lead to.
    ///
    /// # Errors
    ///
    /// The first move that is none, or that the rules refuse; or that there are more drops than cells.
    pub fn line(&self) -> Result<Line, String> {
        let cells = self.terms.shape().cells();
        // A character more than cells is enough for the rules to name the move that is too many.
        if self.terms.is_classic() && self.moves.len() > usize::from(cells) + 1 {
            return Err(format!(
                "the board has {cells} cells: there are no more moves than that"
            ));
        }
        Line::new(self.terms, &self.moves)
    }
}

fn number(name: &str, value: &str) -> Result<u8, String> {
    let parsed = value.parse();
    parsed.map_err(|_| format!("`{name}` is a number from 0 to 255, and not `{value}`"))
}

fn yes_or_no(name: &str, value: &str) -> Result<bool, String> {
    let parsed = value.parse();
    parsed.map_err(|_| format!("`{name}` is `true` or `false`, and not `{value}`"))
}
