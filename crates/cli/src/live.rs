//! The lower part of a terminal at which a game is played: the board, what was said since, what is asked and what is typed.
//! It is drawn again in place whenever something changes; what else is said is printed above it, and stays.
//!
//! The terminal is one for the whole program, and so is this. It hears single keys, and is given back as it was found when
//! [`Keys`] is dropped, the program is stopped, or panics.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use crossterm::terminal;
use tokio::sync::mpsc;

use crate::stopped;

/// Maximum length of an answer, in bytes.
const LONGEST: usize = 4096;
/// How many characters of it are shown, the last ones.
const LAST_SHOWN: usize = 200;
/// How often keys are looked for, and what is under way is drawn again.
const TICK: Duration = Duration::from_millis(120);
/// What shows that something is under way.
const SPINNER: [char; 10] = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
/// What can be pressed while a bin is asked for.
const HINT: &str = "← → choose a bin and Enter drops, or type a number or a word; ? helps";
/// Where a line is typed.
const PROMPT: &str = "> ";

/// How many answers are typed before they are read, at most.
const AHEAD: usize = 16;

static OPEN: Mutex<Option<Drawn>> = Mutex::new(None);

fn lock() -> MutexGuard<'static, Option<Drawn>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keys are heard as long as this lives.
pub struct Keys(());

impl Keys {
    /// Hears keys from now on, and returns the lines that they make; none if the terminal can't be had like that.
    pub fn hear() -> Option<(Self, mpsc::Receiver<io::Result<String>>)> {
        terminal::enable_raw_mode().ok()?;
        let (says, lines) = mpsc::channel(AHEAD);
        *lock() = Some(Drawn::default());
        give_back_in_panic();
        std::thread::spawn(move || listen(says));
        Some((Self(()), lines))
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        close();
    }
}

/// Ends the drawing in place: what is shown stays, and the terminal is as it was found.
pub fn close() {
    if let Some(mut drawn) = lock().take() {
        let _ = drawn.leave();
        let _ = terminal::disable_raw_mode();
    }
}

fn give_back_in_panic() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            // It is held by the one that panics if what is drawn is at fault.
            if let Ok(mut open) = OPEN.try_lock()
                && let Some(mut drawn) = open.take()
            {
                let _ = drawn.leave();
            }
            let _ = terminal::disable_raw_mode();
            before(panic);
        }));
    });
}

/// Does something with what is drawn in place. Returns whether anything is.
fn with(act: impl FnOnce(&mut Drawn) -> io::Result<()>) -> io::Result<bool> {
    match lock().as_mut() {
        Some(drawn) => act(drawn).map(|()| true),
        None => Ok(false),
    }
}

/// Changes what is shown, and draws it. Returns whether anything is drawn in place.
pub fn change(change: impl FnOnce(&mut Shown)) -> io::Result<bool> {
    with(|drawn| {
        change(&mut drawn.shown);
        drawn.draw()
    })
}

/// Prints lines above what is shown. Returns whether anything is drawn in place.
pub fn above(text: &str) -> io::Result<bool> {
    with(|drawn| drawn.above(text))
}

/// Leaves what is shown as it is, and prints lines below it; what comes next is drawn below them. Returns whether anything
/// is drawn in place.
pub fn begin_anew(text: &str) -> io::Result<bool> {
    with(|drawn| {
        drawn.leave()?;
        drawn.above(text)
    })
}

/// Prints lines below the board, if there is one. Returns whether anything is drawn in place.
pub fn line(text: &str) -> io::Result<bool> {
    with(|drawn| match drawn.shown.board.is_empty() {
        true => drawn.above(text),
        false => {
            drawn.shown.say(text);
            drawn.draw()
        }
    })
}

/// The thread that hears keys until nothing is drawn in place any more: also after the end of the input, as Ctrl-C is one.
fn listen(says: mpsc::Sender<io::Result<String>>) {
    let mut says = Some(says);
    loop {
        let heard = match event::poll(TICK) {
            Ok(true) => event::read().map(Some),
            Ok(false) => Ok(None),
            Err(error) => Err(error),
        };
        let mut open = lock();
        let Some(drawn) = open.as_mut() else {
            return;
        };
        // Time changes nothing but what is under way.
        let may_change = !matches!(heard, Ok(None)) || drawn.shown.under_way.is_some();
        let pressed = match heard {
            Ok(Some(Event::Key(key))) if key.kind != KeyEventKind::Release => {
                drawn.shown.press(key)
            }
            Ok(_) => Pressed::Nothing,
            Err(error) => {
                // Ctrl-C is a signal again.
                let _ = terminal::disable_raw_mode();
                drop(says.map(|says| says.try_send(Err(error))));
                return;
            }
        };
        if may_change && drawn.draw().is_err() {
            let _ = terminal::disable_raw_mode();
            return;
        }
        drop(open);
        match pressed {
            Pressed::Nothing => {}
            // More than that nobody types before it is read.
            Pressed::Line(line) => drop(says.as_ref().map(|says| says.try_send(Ok(line)))),
            Pressed::End => says = None,
            Pressed::Stop => stopped::stop(),
        }
    }
}

/// The bins of a board, of which one can be chosen by the arrow keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bins {
    pub count: u8,
    /// The number of the first one.
    pub first: u8,
}

/// What a key does.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Pressed {
    Nothing,
    /// The answer is typed.
    Line(String),
    /// No more is typed.
    End,
    /// The program is to be stopped.
    Stop,
}

#[derive(Debug)]
struct Question {
    text: String,
    /// The bins, if one of them is asked for.
    bins: Option<Bins>,
}

/// What is under way, and since when.
#[derive(Debug)]
struct UnderWay {
    what: String,
    since: Instant,
}

impl UnderWay {
    fn text(&self, now: Instant) -> String {
        let passed = now.saturating_duration_since(self.since);
        let at = passed.as_millis() / TICK.as_millis() % SPINNER.len() as u128;
        let spinner = SPINNER.get(at as usize).copied().unwrap_or(' ');
        format!("{spinner} {} ({} s)", self.what, passed.as_secs())
    }
}

/// What is shown.
#[derive(Debug, Default)]
pub struct Shown {
    /// The board, without what is below it; empty before a game.
    board: Vec<String>,
    /// The disc that was made last: its line of the board, and its column.
    last: Option<(usize, usize)>,
    /// The players, the clock and what else belongs to the board.
    details: Vec<String>,
    /// What was said since.
    said: Vec<String>,
    /// How much of it was said before the last question.
    said_before: usize,
    question: Option<Question>,
    under_way: Option<UnderWay>,
    typed: String,
    /// The bin that was chosen last, from 0.
    bin: Option<u8>,
}

impl Shown {
    /// Shows a board, and what belongs to it.
    pub fn show(&mut self, board: &str, details: &str) {
        let board: Vec<String> = framed(board);
        let (before, after) = (discs(&self.board), discs(&board));
        let mut new = after.difference(&before);
        match (new.next(), new.next()) {
            (Some((line, column, _)), None) if before.is_subset(&after) => {
                self.last = Some((*line, *column));
            }
            (None, _) if before == after => {}
            _ => self.last = None,
        }
        self.board = board;
        self.details = details.lines().map(str::to_owned).collect();
    }

    /// Forgets what was said about the board before.
    pub fn forget_said(&mut self) {
        self.said.clear();
    }

    /// Forgets of it what was said before the last question: the rest says what the answer has done.
    pub fn forget_what_is_answered(&mut self) {
        let answered = std::mem::take(&mut self.said_before).min(self.said.len());
        self.said.drain(..answered);
    }

    /// Says something below the board.
    pub fn say(&mut self, text: &str) {
        self.said.extend(text.lines().map(str::to_owned));
    }

    /// Asks a question; with bins one of them can be chosen.
    pub fn ask(&mut self, text: &str, bins: Option<Bins>) {
        self.said_before = self.said.len();
        self.question = Some(Question {
            text: text.to_owned(),
            bins,
        });
    }

    /// Asks nothing any more.
    pub fn ask_nothing(&mut self) {
        self.question = None;
        self.typed.clear();
    }

    /// Shows what is under way; nothing if that is none.
    pub fn wait_for(&mut self, what: Option<&str>) {
        let before = self.under_way.take();
        let since = before.map_or_else(Instant::now, |before| before.since);
        self.under_way = what.map(|what| UnderWay {
            what: what.to_owned(),
            since,
        });
    }

    fn bins(&self) -> Option<Bins> {
        self.question.as_ref().and_then(|question| question.bins)
    }

    /// The bin that is chosen, from 0: at first the one in the middle.
    fn chosen(&self, of: Bins) -> u8 {
        let known = self.bin.filter(|bin| *bin < of.count);
        known.unwrap_or(of.count / 2)
    }

    fn press(&mut self, key: KeyEvent) -> Pressed {
        let bins = self.bins();
        let (chosen, last) = bins.map_or((0, 0), |bins| {
            (self.chosen(bins), bins.count.saturating_sub(1))
        });
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        // Both are held for characters of some keyboards.
        if is_control && !key.modifiers.contains(KeyModifiers::ALT) {
            match key.code {
                KeyCode::Char('j' | 'm') => return self.enter(),
                KeyCode::Char('h') => self.erase(),
                KeyCode::Char('c') => return Pressed::Stop,
                KeyCode::Char('d') if self.typed.is_empty() => return Pressed::End,
                KeyCode::Char('u') => self.typed.clear(),
                _ => {}
            }
            return Pressed::Nothing;
        }
        match key.code {
            KeyCode::Enter => return self.enter(),
            KeyCode::Down | KeyCode::Char(' ') if bins.is_some() && self.typed.is_empty() => {
                return self.enter();
            }
            KeyCode::Char(character) => self.type_in(character),
            KeyCode::Backspace => self.erase(),
            KeyCode::Esc => self.typed.clear(),
            KeyCode::Left => self.choose(chosen.saturating_sub(1)),
            KeyCode::Right => self.choose(chosen.saturating_add(1).min(last)),
            KeyCode::Home => self.choose(0),
            KeyCode::End => self.choose(last),
            _ => {}
        }
        Pressed::Nothing
    }

    fn erase(&mut self) {
        self.typed.pop();
        self.choose_typed();
    }

    fn type_in(&mut self, character: char) {
        if !character.is_control() && self.typed.len() < LONGEST {
            self.typed.push(character);
            self.choose_typed();
        }
    }

    /// Chooses a bin by an arrow key.
    fn choose(&mut self, bin: u8) {
        if self.bins().is_some() {
            self.typed.clear();
            self.bin = Some(bin);
        }
    }

    /// Chooses the bin whose number is typed.
    fn choose_typed(&mut self) {
        if let (Some(bins), Ok(number)) = (self.bins(), self.typed.parse::<u8>())
            && let Some(bin) = number.checked_sub(bins.first)
            && bin < bins.count
        {
            self.bin = Some(bin);
        }
    }

    /// The number of the bin that is chosen.
    fn number(&self, of: Bins) -> u16 {
        u16::from(of.first) + u16::from(self.chosen(of))
    }

    fn enter(&mut self) -> Pressed {
        let typed = std::mem::take(&mut self.typed);
        // It is answered once, until it is asked again.
        match self.question.take() {
            Some(Question {
                bins: Some(bins), ..
            }) if typed.is_empty() => Pressed::Line(self.number(bins).to_string()),
            None if typed.is_empty() => Pressed::Nothing,
            _ => Pressed::Line(typed),
        }
    }

    fn lines(&self, now: Instant) -> Vec<String> {
        let mut lines = self.standing();
        match &self.question {
            Some(Question {
                text,
                bins: Some(bins),
            }) => {
                if let Some(column) = self.column(*bins) {
                    lines.insert(0, format!("{}▼", " ".repeat(column)));
                }
                if self.typed.is_empty() {
                    lines.push(console::style(HINT).dim().to_string());
                    // A number that is chosen by an arrow key is not typed yet.
                    let chosen = console::style(self.number(*bins)).dim();
                    lines.push(format!("{text}{chosen}"));
                } else {
                    lines.push(text.clone() + &self.typed_last());
                }
            }
            Some(Question { text, bins: None }) => lines.push(text.clone() + &self.typed_last()),
            None => {
                lines.extend(self.under_way.as_ref().map(|under_way| under_way.text(now)));
                if !self.typed.is_empty() {
                    lines.push(format!("{PROMPT}{}", self.typed_last()));
                }
            }
        }
        lines
    }

    /// What is typed, or the end of it if it is long.
    fn typed_last(&self) -> String {
        match self.typed.chars().count().checked_sub(LAST_SHOWN) {
            None | Some(0) => self.typed.clone(),
            Some(beyond) => std::iter::once('…')
                .chain(self.typed.chars().skip(beyond))
                .collect(),
        }
    }

    /// What stays when nothing is asked any more.
    fn standing(&self) -> Vec<String> {
        let mut lines = self.board.clone();
        if let Some((line, column)) = self.last
            && let Some(line) = lines.get_mut(line)
        {
            *line = embraced(line, column);
        }
        lines.extend(self.details.iter().cloned());
        lines.extend(self.said.iter().cloned());
        lines
    }

    /// The column of the bin that is chosen.
    fn column(&self, of: Bins) -> Option<usize> {
        let mut frame = self.board.first()?.chars();
        let edge = frame.position(|character| character == '╭')?;
        Some(edge + 2 + 4 * usize::from(self.chosen(of)))
    }
}

/// A board whose frame is drawn by lines.
fn framed(board: &str) -> Vec<String> {
    let is_rule = |line: &str| line.trim_start().starts_with('+');
    let rules = board.lines().filter(|line| is_rule(line)).count();
    let mut passed = 0;
    let line = |line: &str| {
        if !is_rule(line) {
            return match passed < rules {
                true => line.replace('|', "│"),
                false => line.to_owned(),
            };
        }
        passed += 1;
        let [left, cross, right] = match passed {
            1 => ["╭", "┬", "╮"],
            last if last == rules => ["╰", "┴", "╯"],
            _ => ["├", "┼", "┤"],
        };
        let cells: Vec<&str> = line.trim().trim_matches('+').split('+').collect();
        let indent = line.len() - line.trim_start().len();
        let line = cells.join(cross).replace('-', "─");
        format!("{}{left}{line}{right}", " ".repeat(indent))
    };
    board.lines().map(line).collect()
}

/// The discs of a board: the line, the column and what is drawn there.
fn discs(board: &[String]) -> BTreeSet<(usize, usize, char)> {
    let rows = board.iter().enumerate();
    rows.filter(|(_, line)| line.contains('│'))
        .flat_map(|(at, line)| {
            let plain = console::strip_ansi_codes(line).into_owned();
            let first = plain
                .find('│')
                .map_or(0, |byte| plain[..byte].chars().count());
            let cells: Vec<_> = plain.chars().enumerate().skip(first).collect();
            cells.into_iter().filter_map(move |(column, disc)| {
                let is_disc = disc != ' ' && disc != '│';
                is_disc.then_some((at, column, disc))
            })
        })
        .collect()
}

/// A line of a board whose disc in this column stands between parentheses.
fn embraced(line: &str, column: usize) -> String {
    let mut text = String::new();
    let mut at = 0;
    for (part, is_code) in console::AnsiCodeIterator::new(line) {
        if is_code {
            text.push_str(part);
            continue;
        }
        for character in part.chars() {
            text.push(match character {
                ' ' if at + 1 == column => '(',
                ' ' if at == column + 1 => ')',
                other => other,
            });
            at += 1;
        }
    }
    text
}

/// What is drawn on the terminal.
#[derive(Debug, Default)]
struct Drawn {
    shown: Shown,
    /// The lines as they were drawn last. The cursor is at the end of the last one.
    lines: Vec<String>,
}

impl Drawn {
    /// Draws what is shown, if it is other than before.
    fn draw(&mut self) -> io::Result<()> {
        let [width, height] = size();
        let lines = fitting(self.shown.lines(Instant::now()), [width, height]);
        if lines == self.lines {
            return Ok(());
        }
        // Nothing is removed before it is drawn over: a terminal would flicker, or keep the lines in its history.
        let drawn: Vec<String> = lines.iter().map(|line| over(line, width)).collect();
        let text = format!("{}{}{TO_END}", self.to_first(width), drawn.join("\r\n"));
        self.lines = lines;
        print(&text)
    }

    fn above(&mut self, said: &str) -> io::Result<()> {
        self.replace(said.lines())?;
        self.draw()
    }

    fn leave(&mut self) -> io::Result<()> {
        let standing = self.shown.standing();
        let bin = self.shown.bin;
        self.shown = Shown {
            bin,
            ..Shown::default()
        };
        self.replace(standing.iter().map(String::as_str))
    }

    /// Prints lines in the place of what is drawn, which stay.
    fn replace<'a>(&mut self, lines: impl Iterator<Item = &'a str>) -> io::Result<()> {
        let [width, _] = size();
        let drawn: String = lines.map(|line| over(line, width) + "\r\n").collect();
        let text = format!("{}{drawn}{TO_END}", self.to_first(width));
        self.lines.clear();
        print(&text)
    }

    /// What leads to the first of the lines that are drawn, on a terminal as wide as it is now.
    fn to_first(&self, width: usize) -> String {
        let heights = self.lines.iter().map(|line| height(line, width));
        match heights.sum::<usize>() {
            0 | 1 => "\r".into(),
            many => format!("\r\u{1b}[{}A", many - 1),
        }
    }
}

/// Removes all from the cursor on.
const TO_END: &str = "\u{1b}[J";
/// Removes the rest of a line.
const TO_LINE_END: &str = "\u{1b}[K";

/// A line that is drawn over another one. Behind a line that fills the terminal the cursor would be on its last character.
fn over(line: &str, width: usize) -> String {
    let columns = console::measure_text_width(line);
    match columns > 0 && columns.is_multiple_of(width) {
        true => format!("{TO_LINE_END}{line}"),
        false => format!("{line}{TO_LINE_END}"),
    }
}

/// Columns and lines of the terminal. One that does not know them says 0.
fn size() -> [usize; 2] {
    let known = terminal::size().ok();
    let (width, height) = known
        .filter(|size| size.0 > 0 && size.1 > 0)
        .unwrap_or((80, 24));
    [width.into(), height.into()]
}

/// As many of the last lines as a terminal has place for: it can't draw over others. What is asked and typed is there.
fn fitting(mut lines: Vec<String>, [width, height]: [usize; 2]) -> Vec<String> {
    let mut left = height;
    let fits = lines.iter().rev().take_while(|line| {
        let rest = left.checked_sub(self::height(line, width));
        left = rest.unwrap_or(0);
        rest.is_some()
    });
    let beyond = lines.len() - fits.count();
    lines.split_off(beyond)
}

fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// How many lines of a terminal this wide a line takes.
fn height(line: &str, width: usize) -> usize {
    console::measure_text_width(line).div_ceil(width).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BINS: Bins = Bins { count: 6, first: 0 };
    const EMPTY: &str = "\
+---+---+---+---+---+---+
|   |   |   |   |   |   |
+---+---+---+---+---+---+
|   |   |   |   |   |   |
+---+---+---+---+---+---+
  0   1   2   3   4   5";
    const ONE: &str = "\
+---+---+---+---+---+---+
|   |   |   |   |   |   |
+---+---+---+---+---+---+
|   |   | ● |   |   |   |
+---+---+---+---+---+---+
  0   1   2   3   4   5";

    fn key(code: KeyCode) -> KeyEvent {
        KeyEvent::new(code, KeyModifiers::NONE)
    }

    fn control(letter: char) -> KeyEvent {
        KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL)
    }

    fn asked() -> Shown {
        let mut shown = Shown::default();
        shown.show(EMPTY, "time left: red 5:00 min");
        shown.ask("Enter a bin index (starting from 0): ", Some(BINS));
        shown
    }

    /// As the terminal shows it, without colours.
    fn seen(shown: &Shown) -> String {
        let lines = shown.lines(Instant::now()).join("\n");
        console::strip_ansi_codes(&lines).into_owned()
    }

    fn typed(shown: &mut Shown, text: &str) -> Vec<Pressed> {
        let pressed = text.chars().map(|one| shown.press(key(KeyCode::Char(one))));
        pressed.collect()
    }

    #[test]
    fn a_board_is_framed_with_the_bin_that_is_chosen_and_what_is_asked() {
        let mut shown = asked();
        shown.say("add shape: 1, player: red");
        let expected = "              ▼
╭───┬───┬───┬───┬───┬───╮
│   │   │   │   │   │   │
├───┼───┼───┼───┼───┼───┤
│   │   │   │   │   │   │
╰───┴───┴───┴───┴───┴───╯
  0   1   2   3   4   5
time left: red 5:00 min
add shape: 1, player: red
← → choose a bin and Enter drops, or type a number or a word; ? helps
Enter a bin index (starting from 0): 3";
        assert_eq!(seen(&shown), expected);
    }

    #[test]
    fn arrows_choose_a_bin_and_enter_drops() {
        for (keys, number) in [
            (vec![KeyCode::Left], "2"),
            (vec![KeyCode::Right, KeyCode::Right, KeyCode::Right], "5"),
            (vec![KeyCode::Home, KeyCode::Left], "0"),
            (vec![KeyCode::End, KeyCode::Right], "5"),
            (vec![KeyCode::Char('1'), KeyCode::Right], "2"),
        ] {
            for enter in [KeyCode::Enter, KeyCode::Down, KeyCode::Char(' ')] {
                let mut shown = asked();
                for code in &keys {
                    assert_eq!(shown.press(key(*code)), Pressed::Nothing);
                }
                let line = Pressed::Line(number.into());
                assert_eq!(shown.press(key(enter)), line, "{keys:?}");
                // The next turn begins where this one was.
                shown.ask_nothing();
                shown.ask("again: ", Some(BINS));
                assert_eq!(shown.press(key(enter)), line, "{keys:?}");
            }
        }
    }

    #[test]
    fn a_number_that_is_typed_moves_the_mark_and_words_do_not() {
        let mut shown = asked();
        typed(&mut shown, "5");
        assert!(seen(&shown).starts_with(&format!("{}▼", " ".repeat(22))));
        assert_eq!(shown.press(key(KeyCode::Enter)), Pressed::Line("5".into()));
        // It is answered once.
        assert_eq!(shown.press(key(KeyCode::Enter)), Pressed::Nothing);
        let again =
            |shown: &mut Shown| shown.ask("Enter a bin index (starting from 0): ", Some(BINS));
        again(&mut shown);
        // There is no such bin: the game says so.
        typed(&mut shown, "9");
        assert!(seen(&shown).starts_with(&format!("{}▼", " ".repeat(22))));
        assert_eq!(shown.press(key(KeyCode::Enter)), Pressed::Line("9".into()));
        again(&mut shown);
        typed(&mut shown, "draws");
        shown.press(key(KeyCode::Backspace));
        assert!(seen(&shown).ends_with("(starting from 0): draw"));
        assert_eq!(
            shown.press(key(KeyCode::Enter)),
            Pressed::Line("draw".into())
        );
        again(&mut shown);
        // Letters beside others: a space is one of them.
        typed(&mut shown, "chain 4");
        assert_eq!(
            shown.press(key(KeyCode::Enter)),
            Pressed::Line("chain 4".into())
        );
    }

    #[test]
    fn control_keys_clear_end_and_stop() {
        let mut shown = asked();
        typed(&mut shown, "resign");
        assert_eq!(shown.press(control('d')), Pressed::Nothing);
        assert_eq!(shown.press(control('u')), Pressed::Nothing);
        assert!(seen(&shown).ends_with("(starting from 0): 3"));
        typed(&mut shown, "x");
        shown.press(key(KeyCode::Esc));
        assert_eq!(shown.press(control('d')), Pressed::End);
        assert_eq!(shown.press(control('c')), Pressed::Stop);
        typed(&mut shown, &"9".repeat(LONGEST + 10));
        assert_eq!(shown.typed.len(), LONGEST);
        assert!(seen(&shown).ends_with(&format!(": …{}", "9".repeat(LAST_SHOWN))));
        shown.press(control('u'));
        typed(&mut shown, "drax");
        shown.press(control('h'));
        shown.press(key(KeyCode::Char('w')));
        assert_eq!(shown.press(control('j')), Pressed::Line("draw".into()));
    }

    #[test]
    fn nothing_is_answered_by_enter_while_an_opponent_is_to_move() {
        let mut shown = asked();
        shown.ask_nothing();
        shown.wait_for(Some("waiting"));
        assert!(seen(&shown).ends_with("waiting (0 s)"));
        assert_eq!(shown.press(key(KeyCode::Enter)), Pressed::Nothing);
        typed(&mut shown, "draw");
        assert!(seen(&shown).ends_with("\n> draw"));
        assert_eq!(
            shown.press(key(KeyCode::Enter)),
            Pressed::Line("draw".into())
        );
        // To this one no answer is one, too.
        shown.ask("rematch? [y/N] ", None);
        assert_eq!(
            shown.press(key(KeyCode::Enter)),
            Pressed::Line(String::new())
        );
    }

    #[test]
    fn the_last_disc_stands_between_parentheses_until_the_next_one() {
        let mut shown = asked();
        shown.show(ONE, "");
        assert!(
            seen(&shown).contains("│   │   │(●)│   │   │   │"),
            "{}",
            seen(&shown)
        );
        // Time passes.
        shown.show(ONE, "");
        assert!(seen(&shown).contains("(●)"));
        let two = ONE.replacen("● |   ", "● | ⬟ ", 1);
        shown.show(&two, "");
        assert!(seen(&shown).contains("│   │   │ ● │(⬟)│   │   │"));
        // Two at once: another game is shown.
        shown.show(EMPTY, "");
        assert!(!seen(&shown).contains("│("), "{}", seen(&shown));
    }

    #[test]
    fn what_is_said_of_a_board_goes_with_it_and_what_is_asked_stays() {
        let mut shown = asked();
        shown.say("the bin is full");
        shown.show(EMPTY, "time left: red 4:59 min");
        assert!(seen(&shown).contains("4:59 min\nthe bin is full\n"));
        shown.forget_said();
        assert!(!seen(&shown).contains("full"));
        assert!(seen(&shown).ends_with("(starting from 0): 3"));
    }

    #[test]
    fn of_what_is_said_the_news_of_an_answer_stay_with_the_next_board() {
        let mut shown = asked();
        shown.say("a hint");
        shown.ask("bin: ", Some(BINS));
        shown.press(key(KeyCode::Enter));
        shown.say("bin 3 is right");
        shown.forget_what_is_answered();
        shown.show(ONE, "");
        assert_eq!(shown.said, ["bin 3 is right"]);
    }

    #[test]
    fn on_a_small_terminal_the_question_is_seen() {
        let lines: Vec<String> = ["0123456789", "board", "01234", "question"]
            .map(String::from)
            .into();
        let fits = |width, height| fitting(lines.clone(), [width, height]).len();
        assert_eq!([fits(80, 24), fits(80, 4), fits(80, 3)], [4, 4, 3]);
        // The first line takes two, and the last one as well.
        assert_eq!(
            [fits(5, 6), fits(5, 5), fits(5, 2), fits(5, 1)],
            [4, 3, 1, 0]
        );
    }
}
