//! A board as SVG, with its players.

use std::fmt::{self, Display, Formatter};

use connect4_rules::variant::Colour;

use crate::board::{Board, Disc, Mark};
use crate::drawing::{self, Painted};
use crate::ink::{Ink, Theme};
use crate::shape::Point;

/// Around everything.
const MARGIN: f32 = 24.0;
/// Height of a line of text.
const LINE: f32 = 64.0;
/// Least width, so that names have room above a narrow board.
const NARROWEST: f32 = 660.0;
/// Size of a disc beside a name, in cells.
const BESIDE: f32 = 0.42;
/// Characters of a name that are shown.
const NAME: usize = 17;
/// Characters of a line that tells how the game stands.
const STANDING: usize = 44;

/// A board with what is written around it.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    pub board: &'a Board,
    /// The players with their names, in the order of play.
    pub players: &'a [(Colour, String)],
    pub standing: &'a str,
    /// The colours; none: those that the reader prefers.
    pub theme: Option<Theme>,
}

/// A picture of a position. Texts in it are escaped: whatever names are, they are shown as they are.
#[must_use]
pub fn svg(scene: Scene<'_>) -> String {
    let (board_width, board_height) = drawing::size(scene.board);
    let inner = board_width.max(NARROWEST);
    let width = inner + 2.0 * MARGIN;
    // Two names in a line.
    let lines = scene.players.len().div_ceil(2);
    let header = (0..lines).fold(MARGIN, |height, _| height + LINE);
    let height = header + board_height + LINE + MARGIN / 2.0;
    let at = Point((width - board_width) / 2.0, header);
    let mut shapes = String::new();
    let mut put = |painted: Painted| shapes.push_str(&Drawn(&painted).to_string());
    for painted in drawing::front(scene.board) {
        put(painted.moved(at));
    }
    for cell in scene.board.cells() {
        for painted in drawing::cell(scene.board, cell) {
            put(painted.moved(at));
        }
    }
    let mut texts = String::new();
    let mut top = MARGIN;
    for pair in scene.players.chunks(2) {
        for (&(colour, ref name), left) in pair.iter().zip([MARGIN, MARGIN + inner / 2.0]) {
            let disc = drawing::disc(Disc {
                colour,
                mark: Mark::None,
            });
            let disc: String = disc.iter().map(|one| Drawn(one).to_string()).collect();
            texts.push_str(&format!(
                "<g transform=\"translate({left} {top})scale({BESIDE})\">{disc}</g>\
                 <text x=\"{}\" y=\"{}\">{}</text>\n",
                left + 54.0,
                top + 34.0,
                escape(&shortened(name)),
            ));
        }
        top += LINE;
    }
    let names: Vec<&str> = scene.players.iter().map(|(_, name)| &**name).collect();
    let title = match names.is_empty() {
        true => scene.standing.to_owned(),
        false => format!("{}: {}", names.join(" vs "), scene.standing),
    };
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\">\n<title>{}</title>\n<style>{}</style>\n\
         <rect class=\"g\" width=\"{width}\" height=\"{height}\"/>\n{shapes}{texts}\
         <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n</svg>\n",
        escape(&title),
        style(scene.theme),
        width / 2.0,
        header + board_height + 46.0,
        escape(&cut(scene.standing, STANDING)),
    )
}

/// A text as it is written in XML and HTML, also within quotes. Characters that XML has not become `\u{fffd}`.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            character if character.is_control() => escaped.push('\u{fffd}'),
            character => escaped.push(character),
        }
    }
    escaped
}

/// A name as pictures show it: of a long one, both ends.
fn shortened(name: &str) -> String {
    let count = name.chars().count();
    if count <= NAME {
        return name.to_owned();
    }
    let part = |skipped, taken| name.chars().skip(skipped).take(taken).collect::<String>();
    format!("{}…{}", part(0, 6), part(count - 4, 4))
}

/// A text of at most so many characters.
fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most.saturating_sub(1)).collect();
    format!("{kept}…")
}

/// Colours, and how shapes have them.
fn style(theme: Option<Theme>) -> String {
    let colours = |theme| {
        let rule = |ink: Ink| {
            let [red, green, blue] = ink.colour(theme);
            format!(".{}{{color:#{red:02x}{green:02x}{blue:02x}}}", ink.class())
        };
        Ink::ALL.map(rule).concat()
    };
    let mut style = String::from(
        "rect,circle,path,text{fill:currentColor}.s{stroke:currentColor;stroke-linejoin:round}.o{fill:none}\
         text{font:500 32px system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}",
    );
    style.push_str(&colours(theme.unwrap_or_default()));
    let text = |theme| {
        let [red, green, blue] = Ink::Text.colour(theme);
        format!("text{{color:#{red:02x}{green:02x}{blue:02x}}}")
    };
    style.push_str(&text(theme.unwrap_or_default()));
    if theme.is_none() {
        style.push_str(&format!(
            "@media(prefers-color-scheme:dark){{{}{}}}",
            colours(Theme::Dark),
            text(Theme::Dark)
        ));
    }
    style
}

/// A painted shape as an element.
struct Drawn<'a>(&'a Painted);

impl Display for Drawn<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Painted {
            shape,
            ink,
            opacity,
        } = self.0;
        let is_circle = shape.points.len() == 1;
        let class = ink.class();
        let width = match (shape.outline, is_circle) {
            (Some(width), _) => width,
            (None, true) => 0.0,
            (None, false) => 2.0 * shape.radius,
        };
        let more = match shape.outline {
            Some(_) => " s o",
            None if width > 0.0 => " s",
            None => "",
        };
        let [Point(x, y), ..] = shape.points[..] else {
            return Ok(());
        };
        match is_circle {
            true => write!(
                f,
                "<circle class=\"{class}{more}\" cx=\"{x}\" cy=\"{y}\" r=\"{}\"",
                shape.radius
            )?,
            false => {
                write!(f, "<path class=\"{class}{more}\" d=\"M")?;
                for (place, Point(x, y)) in shape.points.iter().enumerate() {
                    let space = if place > 0 { " " } else { "" };
                    write!(f, "{space}{x:.1} {y:.1}")?;
                }
                write!(f, "z\"")?;
            }
        }
        if width > 0.0 {
            write!(f, " stroke-width=\"{width}\"")?;
        }
        if *opacity < 1.0 {
            write!(f, " opacity=\"{opacity}\"")?;
        }
        writeln!(f, "/>")
    }
}
