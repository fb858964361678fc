//! The output of the program: words, or JSON of one object a line.

mod notes;
mod progress;

use std::io::{self, IsTerminal, Write};
use std::pin::pin;

use connect4_client::{Outage, Outages, Token};
use connect4_protocol::GameName;
use connect4_rules::variant::Colour;
use connect4_wire as wire;
use serde::Serialize;

use crate::failure::Failure;
use crate::json;
use crate::live::{self, Bins};
use crate::people::{self, View, Words};
use crate::said::Said;
use crate::words::remark;
use notes::Notes;
pub use progress::Progress;

/// Where everything goes that commands and games say.
pub struct Output {
    out: Box<dyn Write>,
    form: Form,
    token: Token,
    outages: Option<Outages>,
}

/// A token whose amounts are plain numbers: before a chain is reached.
pub fn no_token() -> Token {
    Token {
        symbol: "UNIT".into(),
        decimals: 0,
        ratio: 1,
        returns_deposits: true,
    }
}

enum Form {
    /// One JSON object a line.
    Json,
    Words {
        /// Whether standard input and output are a terminal at which games are drawn in place.
        is_terminal: bool,
        /// What the next board is printed with.
        notes: Notes,
        /// The question whose answer is read now, if one is.
        question: Option<String>,
    },
}

impl Output {
    /// Words on standard output, `plain` if lines are printed at a terminal, too.
    pub fn words(plain: bool) -> Self {
        let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
        // As in an editor: it takes no escape sequences.
        let is_dumb = std::env::var_os("TERM").is_some_and(|name| name == "dumb");
        Self::new(
            Box::new(io::stdout()),
            Form::Words {
                is_terminal: is_terminal && !plain && !is_dumb,
                notes: Notes::default(),
                question: None,
            },
        )
    }

    /// JSON on standard output.
    pub fn json() -> Self {
        Self::new(Box::new(io::stdout()), Form::Json)
    }

    fn new(out: Box<dyn Write>, form: Form) -> Self {
        Self {
            out,
            form,
            token: no_token(),
            outages: None,
        }
    }

    pub fn say(&mut self, said: Said<'_>) -> Result<(), Failure> {
        if let Form::Json = self.form {
            return match json::line(&said, &self.token) {
                Some(line) => self.object(&line),
                None => Ok(()),
            };
        }
        if let Some(words) = people::words(&said, &self.token) {
            self.put(words)?;
        }
        for text in people::remarks(&said) {
            remark(text);
        }
        Ok(())
    }

    /// Says on standard error that the command failed. It is lost if nobody reads that.
    pub fn failed(&self, failure: &Failure) {
        match self.form {
            Form::Json => {
                let failed = wire::JsonLine::from(wire::Failed {
                    error: failure.to_string(),
                    status: failure.status(),
                });
                if let Ok(failed) = serde_json::to_string(&failed) {
                    remark(failed);
                }
            }
            Form::Words { .. } => remark(format!("error: {failure}")),
        }
    }

    /// Sets the token in which amounts are given.
    pub fn use_token(&mut self, token: &Token) {
        self.token = token.clone();
    }

    pub const fn token(&self) -> &Token {
        &self.token
    }

    /// Has [`Self::wait_for`] say when the node is unreachable.
    pub fn use_outages(&mut self, outages: Outages) {
        self.outages = Some(outages);
    }

    /// Waits for some work on the chain, and says meanwhile when its node is unreachable and when it is
    /// reachable again. The work waits for it by itself.
    pub async fn wait_for<T>(&mut self, work: impl Future<Output = T>) -> Result<T, Failure> {
        let mut work = pin!(work);
        loop {
            let outages = self.outages.as_mut();
            let news = async {
                match outages {
                    Some(outages) => outages.next().await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                biased;
                outage = news => match &outage {
                    Outage::Began { url } => self.say(Said::Away { url })?,
                    Outage::Ended { url, lasted } => self.say(Said::Back {
                        url,
                        lasted: *lasted,
                    })?,
                },
                done = &mut work => return Ok(done),
            }
        }
    }

    /// Display of what is under way, as long as what is returned lives.
    #[must_use]
    pub fn progress(&self) -> Progress {
        match self.form {
            Form::Json => Progress::hidden(),
            Form::Words { .. } => Progress::default(),
        }
    }

    /// Whether people sit at both ends, so that lines can be typed at any time and the board is drawn
    /// again in place.
    pub const fn is_terminal(&self) -> bool {
        matches!(
            self.form,
            Form::Words {
                is_terminal: true,
                ..
            }
        )
    }

    /// Whether moves are shown one after the other, with a pause after each.
    pub fn is_animated(&self) -> bool {
        matches!(self.form, Form::Words { .. }) && io::stdout().is_terminal()
    }

    /// Draws the board as it stands.
    pub fn draw(&mut self, view: &View) -> Result<(), Failure> {
        if self.show(view, live::Shown::forget_said)? {
            return Ok(());
        }
        let Form::Words { notes, .. } = &self.form else {
            return Ok(());
        };
        let text = view.text(notes.text().as_deref());
        self.line("")?;
        self.line(&text)
    }

    /// Draws the board again where it is drawn in place: time has passed.
    pub fn refresh(&mut self, view: &View) -> Result<(), Failure> {
        self.show(view, |_| {}).map(|_| ())
    }

    /// Returns whether the board is drawn in place.
    fn show(&self, view: &View, before: impl FnOnce(&mut live::Shown)) -> Result<bool, Failure> {
        let Form::Words { notes, .. } = &self.form else {
            return Ok(false);
        };
        let shown = live::change(|shown| {
            let mut details = view.players();
            details.extend(view.details(notes.text().as_deref()));
            before(shown);
            shown.show(&view.board(), &details.join("\n"));
        });
        Ok(shown?)
    }

    /// The next board is printed with no notes.
    pub fn clear_note(&mut self) {
        if let Form::Words { notes, .. } = &mut self.form {
            notes.set(None);
        }
    }

    /// A player is to move, in this turn of the game, from 1, and sees the notes.
    pub fn ask(&mut self, game: GameName, turn: u16, colour: Colour) -> Result<(), Failure> {
        if let Form::Words { notes, .. } = &mut self.form {
            notes.see();
        }
        self.say(Said::Ask { game, turn, colour })
    }

    /// Asks a question, behind which the answer is typed.
    pub fn question(&mut self, text: &str) -> Result<(), Failure> {
        self.ask_for(text, None)
    }

    /// Asks a question that is answered by one of these bins, or otherwise.
    pub fn ask_bin(&mut self, text: &str, bins: Bins) -> Result<(), Failure> {
        self.ask_for(text, Some(bins))
    }

    fn ask_for(&mut self, text: &str, bins: Option<Bins>) -> Result<(), Failure> {
        let Form::Words { question, .. } = &mut self.form else {
            return Ok(());
        };
        *question = Some(text.into());
        match live::change(|shown| shown.ask(text, bins))? {
            true => Ok(()),
            false => self.prompt(text),
        }
    }

    /// This answer was read. A terminal has shown by itself what was typed.
    pub fn answered(&mut self, answer: &str) -> Result<(), Failure> {
        match self.is_terminal() {
            true => self.end_question().map(|_| ()),
            false => self.interrupt_by(&answer.trim().escape_debug().to_string()),
        }
    }

    /// No answer is read any more, as something has happened.
    pub fn interrupted(&mut self) -> Result<(), Failure> {
        self.interrupt_by("")
    }

    /// Ends the line of a question by this text.
    fn interrupt_by(&mut self, text: &str) -> Result<(), Failure> {
        match self.end_question()? || matches!(self.form, Form::Json) {
            true => Ok(()),
            false => self.line(text),
        }
    }

    /// Returns whether the question was drawn in place.
    fn end_question(&mut self) -> Result<bool, Failure> {
        if let Form::Words { question, .. } = &mut self.form {
            *question = None;
        }
        Ok(live::change(live::Shown::ask_nothing)?)
    }

    /// A line was typed while an opponent is to move; `makes_sense` if it was an action. `help` says
    /// what can be typed.
    pub fn typed_ahead(
        &mut self,
        line: &str,
        makes_sense: bool,
        help: &str,
    ) -> Result<(), Failure> {
        if matches!(self.form, Form::Json) || makes_sense || line.trim().is_empty() {
            return Ok(());
        }
        self.line_below(&format!("it is not your turn; {help}"))
    }

    /// Prints words where they belong.
    fn put(&mut self, words: Words) -> Result<(), Failure> {
        let Form::Words {
            is_terminal, notes, ..
        } = &mut self.form
        else {
            return Ok(());
        };
        match words {
            Words::Lines(text) => self.line(&text),
            Words::Below(text) => self.line_below(&text),
            Words::Aside(text) => self.interject(&text),
            Words::Heading(text) => {
                notes.set(None);
                match live::begin_anew(&text)? {
                    true => Ok(()),
                    false => self.line(&text),
                }
            }
            Words::Board(text) => {
                let shown = live::change(|shown| {
                    shown.forget_what_is_answered();
                    shown.show(&text, "");
                });
                match shown? {
                    true => Ok(()),
                    false => self.line(&text),
                }
            }
            Words::Note(text) => {
                notes.set(Some(text));
                Ok(())
            }
            Words::NextNote(text) => {
                match is_terminal {
                    true => notes.add(text),
                    // Each board is printed below the last one.
                    false => notes.set(Some(text)),
                }
                Ok(())
            }
        }
    }

    /// Prints a line at any time: above the question that is open, and clear of what is under way.
    fn interject(&mut self, text: &str) -> Result<(), Failure> {
        if live::change(|shown| shown.say(text))? {
            return Ok(());
        }
        Progress::aside(|| {
            let Form::Words { question, .. } = &mut self.form else {
                return Ok(());
            };
            let question = question.clone();
            if question.is_some() {
                self.line("")?;
            }
            self.line(text)?;
            question.map_or(Ok(()), |question| self.prompt(&question))
        })
    }

    fn line(&mut self, text: &str) -> Result<(), Failure> {
        if live::line(text)? {
            return Ok(());
        }
        writeln!(self.out, "{text}")?;
        Ok(self.out.flush()?)
    }

    /// Prints lines that the next board takes the place of where it is drawn in place.
    fn line_below(&mut self, text: &str) -> Result<(), Failure> {
        match live::change(|shown| shown.say(text))? {
            true => Ok(()),
            false => self.line(text),
        }
    }

    fn prompt(&mut self, text: &str) -> Result<(), Failure> {
        write!(self.out, "{text}")?;
        Ok(self.out.flush()?)
    }

    fn object(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        serde_json::to_writer(&mut self.out, value).map_err(io::Error::from)?;
        writeln!(self.out)?;
        Ok(self.out.flush()?)
    }
}
