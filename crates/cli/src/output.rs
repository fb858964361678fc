//! The output of the program: words, or JSON of one object a line.

mod notes;
mod progress;
mod region;

use std::io::{self, IsTerminal, Write};
use std::pin::pin;

use connect4_client::{Outage, Outages, Token};
use connect4_protocol::GameName;
use connect4_rules::variant::Colour;
use connect4_wire as wire;
use serde::Serialize;

use crate::failure::Failure;
use crate::json;
use crate::people::{self, View, Words};
use crate::said::Said;
use crate::words::remark;
use notes::Notes;
pub use progress::Progress;
use region::Region;

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
        /// Where the board of a game that is played is drawn again in place; none if standard input or
        /// output is not a terminal.
        region: Option<Region>,
        /// What the next board is printed with.
        notes: Notes,
        /// The question whose answer is read now, if one is.
        question: Option<String>,
    },
}

impl Output {
    /// Words on standard output.
    pub fn words() -> Self {
        let terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
        Self::words_on(Box::new(io::stdout()), terminal.then(Region::new))
    }

    fn words_on(out: Box<dyn Write>, region: Option<Region>) -> Self {
        Self::new(
            out,
            Form::Words {
                region,
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

    /// Display of what is under way.
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
                region: Some(_),
                ..
            }
        )
    }

    /// Whether moves are shown one after the other, with a pause after each.
    pub fn is_animated(&self) -> bool {
        matches!(self.form, Form::Words { .. }) && io::stdout().is_terminal()
    }

    /// Draws the board as it stands.
    pub fn draw(&mut self, view: &View<'_>) -> Result<(), Failure> {
        let Form::Words { region, notes, .. } = &mut self.form else {
            return Ok(());
        };
        let text = view.text(notes.text().as_deref(), &self.token);
        match region {
            Some(region) => region.clear()?,
            None => self.line("")?,
        }
        self.line_below(&text)
    }

    /// The next board is printed with no notes.
    pub fn clear_note(&mut self) {
        if let Form::Words { notes, .. } = &mut self.form {
            notes.set(None);
        }
    }

    /// Says now what was to be said with the next board.
    pub fn tell_note(&mut self) -> Result<(), Failure> {
        let Form::Words { notes, .. } = &mut self.form else {
            return Ok(());
        };
        match notes.text() {
            Some(text) => {
                notes.set(None);
                self.line(&text)
            }
            None => Ok(()),
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
        let Form::Words { question, .. } = &mut self.form else {
            return Ok(());
        };
        *question = Some(text.into());
        self.prompt(text)
    }

    /// This answer to a question was read.
    pub fn answered(&mut self, asked: &str, answer: &str) -> Result<(), Failure> {
        let Form::Words {
            region, question, ..
        } = &mut self.form
        else {
            return Ok(());
        };
        *question = None;
        match region {
            // The terminal itself has shown what was typed.
            Some(region) => {
                region.grow(&format!("{asked}{answer}"));
                Ok(())
            }
            None => self.line(&answer.trim().escape_debug().to_string()),
        }
    }

    /// No answer is read any more, as something has happened.
    pub fn interrupted(&mut self) -> Result<(), Failure> {
        let Form::Words {
            region, question, ..
        } = &mut self.form
        else {
            return Ok(());
        };
        *question = None;
        if let Some(region) = region {
            region.break_line();
        }
        self.line("")
    }

    /// A line was typed while an opponent is to move; `makes_sense` if it was an action. `help` says
    /// what can be typed.
    pub fn typed_ahead(
        &mut self,
        line: &str,
        makes_sense: bool,
        help: &str,
    ) -> Result<(), Failure> {
        let Form::Words { region, .. } = &mut self.form else {
            return Ok(());
        };
        if let Some(region) = region {
            region.grow(line);
        }
        if makes_sense || line.trim().is_empty() {
            return Ok(());
        }
        self.line_below(&format!("it is not your turn; {help}"))
    }

    /// Prints words where they belong.
    fn put(&mut self, words: Words) -> Result<(), Failure> {
        let Form::Words { region, notes, .. } = &mut self.form else {
            return Ok(());
        };
        match words {
            Words::Lines(text) => self.line(&text),
            Words::Below(text) => self.line_below(&text),
            Words::Aside(text) => self.interject(&text),
            Words::Heading(text) => {
                notes.set(None);
                let spaced = region.is_some();
                if let Some(region) = region {
                    region.leave();
                }
                self.line(&text)?;
                if spaced { self.line("") } else { Ok(()) }
            }
            Words::Note(text) => {
                notes.set(Some(text));
                Ok(())
            }
            Words::NextNote(text) => {
                match region {
                    Some(_) => notes.add(text),
                    // Each board is printed below the last one.
                    None => notes.set(Some(text)),
                }
                Ok(())
            }
        }
    }

    /// Prints a line at any time: above the question that is open, and clear of what is under way.
    fn interject(&mut self, text: &str) -> Result<(), Failure> {
        Progress::aside(|| {
            let Form::Words {
                region, question, ..
            } = &mut self.form
            else {
                return Ok(());
            };
            let question = question.clone();
            if question.is_some() {
                if let Some(region) = region {
                    region.break_line();
                }
                self.line("")?;
            }
            self.line_below(text)?;
            question.map_or(Ok(()), |question| self.prompt(&question))
        })
    }

    fn line(&mut self, text: &str) -> Result<(), Failure> {
        writeln!(self.out, "{text}")?;
        Ok(self.out.flush()?)
    }

    /// Prints lines that the next board takes the place of at a terminal.
    fn line_below(&mut self, text: &str) -> Result<(), Failure> {
        if let Form::Words {
            region: Some(region),
            ..
        } = &mut self.form
        {
            region.grow(text);
        }
        self.line(text)
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
