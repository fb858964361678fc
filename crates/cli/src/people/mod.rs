//! Text for people.

mod event;
mod notes;
mod region;
mod report;
mod variant;

use std::io::{self, IsTerminal, Write};

use connect4_client::{Deployment, Outages, Token, Transaction};
use connect4_protocol::Game;
use connect4_protocol::message::ContractKind;
use connect4_rules::Player;
use connect4_wire::warnings::Warning;

use crate::report::{Printed, Progress, Sent, unknown_token};
use crate::words;
use notes::Notes;
use region::Region;

/// Prints text for people.
pub struct People {
    out: Box<dyn Write>,
    token: Token,
    /// Where the board of a game that is played is drawn again in place; none if standard input or
    /// output is no terminal.
    region: Option<Region>,
    /// What the next board is printed with.
    notes: Notes,
    /// The question whose answer is read now, if one is.
    question: Option<String>,
    outages: Option<Outages>,
}

impl People {
    /// A printer on standard output.
    pub fn new() -> Self {
        let terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
        Self {
            region: terminal.then(Region::new),
            ..Self::on(Box::new(io::stdout()))
        }
    }

    /// A printer that draws nothing in place.
    pub fn on(out: Box<dyn Write>) -> Self {
        Self {
            out,
            token: unknown_token(),
            region: None,
            notes: Notes::default(),
            question: None,
            outages: None,
        }
    }

    /// Prints a line.
    pub fn line(&mut self, text: impl std::fmt::Display) -> Printed {
        writeln!(self.out, "{text}")?;
        self.out.flush()
    }

    /// Prints text without a line break.
    pub fn prompt(&mut self, text: &str) -> Printed {
        write!(self.out, "{text}")?;
        self.out.flush()
    }

    /// Prints lines that the next board takes the place of on a terminal.
    pub fn line_in_region(&mut self, text: &str) -> Printed {
        if let Some(region) = &mut self.region {
            region.grow(text);
        }
        self.line(text)
    }

    /// Prints a question, behind which the answer is typed.
    pub fn open_question(&mut self, question: &str) -> Printed {
        self.question = Some(question.into());
        self.prompt(question)
    }

    /// No answer is read any more.
    pub fn close_question(&mut self) {
        self.question = None;
    }

    /// Prints a line at any time: above the question that is open, and clear of what is under way.
    fn interject(&mut self, text: &str) -> Printed {
        Progress::aside(|| {
            let question = self.question.clone();
            if question.is_some() {
                if let Some(region) = &mut self.region {
                    region.break_line();
                }
                self.line("")?;
            }
            self.line_in_region(text)?;
            question.map_or(Ok(()), |question| self.prompt(&question))
        })
    }

    /// The region in which the board is drawn again, if there is one.
    pub const fn region(&mut self) -> Option<&mut Region> {
        self.region.as_mut()
    }

    /// Whether the board is drawn again in place.
    pub const fn has_region(&self) -> bool {
        self.region.is_some()
    }

    /// Sets what the next board is printed with.
    pub fn set_note(&mut self, note: Option<String>) {
        self.notes.set(note);
    }

    /// What the next board is printed with.
    pub fn latest_note(&self) -> Option<String> {
        self.notes.text()
    }

    /// Adds to what the next board is printed with, if that board takes the place of the last one:
    /// else each is printed below the other.
    pub fn add_note(&mut self, note: String) {
        match self.region {
            Some(_) => self.notes.add(note),
            None => self.notes.set(Some(note)),
        }
    }

    /// A player is asked, and has seen the notes.
    pub const fn notes_are_seen(&mut self) {
        self.notes.see();
    }

    /// The chain's token.
    pub const fn token(&self) -> &Token {
        &self.token
    }

    /// Where a transaction is and what it cost.
    pub fn cost(&self, sent: Sent<'_>) -> String {
        words::cost(sent.transaction, sent.deposit, &self.token)
    }

    /// The same as text that is less important.
    pub fn dim_cost(&self, sent: Sent<'_>) -> String {
        words::dim(self.cost(sent))
    }

    /// Prints that an account was made known to contracts, if it was.
    fn mapped(&mut self, transaction: Option<&Transaction>) -> Printed {
        match transaction {
            Some(transaction) => {
                let cost = words::transaction(transaction, &self.token);
                self.line(format!("made the account known to contracts\n  {cost}"))
            }
            None => Ok(()),
        }
    }

    /// Prints how a contract was deployed, if it was.
    pub fn deployment(&mut self, what: &str, deployment: Option<&Deployment>) -> Printed {
        let Some(deployment) = deployment else {
            return Ok(());
        };
        let Some(receipt) = &deployment.receipt else {
            return Ok(());
        };
        self.mapped(receipt.mapped.as_ref())?;
        for (kind, uploaded) in &deployment.uploaded {
            let what = match kind {
                ContractKind::Fast => "fast games",
                kind => &kind.to_string(),
            };
            self.line(format!("uploaded the code of the {what}"))?;
            self.line(words::dim(format!("  {}", self.cost(uploaded.into()))))?;
        }
        self.line(format!("deployed {what} at {}", receipt.value))?;
        self.line(words::dim(format!("  {}", self.cost(receipt.into()))))
    }

    /// Prints what is known about the terms of a challenge.
    pub fn warnings(&mut self, warnings: &[Warning]) -> Printed {
        for warning in warnings {
            self.line(format!("  note: {warning}"))?;
        }
        Ok(())
    }

    /// Prints what a transaction did.
    pub fn transaction(&mut self, text: &str, sent: Sent<'_>) -> Printed {
        self.mapped(sent.mapped)?;
        self.line(text)?;
        self.line(words::dim(format!("  {}", self.cost(sent))))
    }

    /// Prints who plays a game.
    pub fn players(&mut self, game: &Game) -> Printed {
        for player in Player::ALL {
            let name = words::coloured(player, format!("{} {player}", player.disc()), false);
            let account = words::who(game.account_of(player));
            self.line(format!("{name}: {account}"))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use connect4_protocol::Match;
    use connect4_rules::Bin;

    use super::*;
    use crate::play::{Greeting, Note, Screen};
    use crate::report::{Deed, GameAt, Moved, Report as _};
    use crate::samples::{Output, challenge, game, receipt, signer};

    fn people() -> (People, Output) {
        console::set_colors_enabled(false);
        let output = Output::default();
        (People::on(Box::new(output.clone())), output)
    }

    #[test]
    fn lists_are_one_game_or_challenge_a_line() {
        let (mut people, output) = people();
        let contract = signer("alice").address();
        people.listed(contract, 7, Some(&game("61"))).unwrap();
        people.listed(contract, 8, None).unwrap();
        assert_eq!(
            output.take(),
            "    7  6x4, line 4     alice - bob  turns 2, red to move\n    \
             8  ended, its storage freed\n"
        );
        people.open_challenge(3, &challenge(), &[]).unwrap();
        let text = output.take();
        let terms = "6x4, line 4; the challenger begins; 5:00 min for all moves and 5 s more with \
                     each; stake 10 UNIT each\n";
        assert!(text.starts_with("    3  alice (0x"), "{text}");
        assert!(text.ends_with(terms), "{text}");
    }

    #[test]
    fn a_transaction_is_told_with_what_it_cost() {
        let (mut people, output) = people();
        let receipt = receipt(());
        people.done(Deed::Freed(7), (&receipt).into()).unwrap();
        let text = output.take();
        assert!(text.starts_with("freed the storage of game 7\n  block 3, transaction 0xabab"));
        assert!(
            text.ends_with("abab, fee 7 UNIT, deposit 2 UNIT\n"),
            "{text}"
        );
    }

    #[test]
    fn the_last_move_is_told_with_the_next_board_of_the_same_game() {
        let (mut people, output) = people();
        let game = game("6");
        let at = GameAt {
            contract: signer("alice").address(),
            number: 7,
            game: &game,
        };
        let moved = Moved {
            player: Player::One,
            bin: Bin::new(5),
            row: 0,
            after: at,
            sent: None,
        };
        people.moved(&moved).unwrap();
        assert_eq!(output.take(), "");
        assert_eq!(
            people.latest_note().as_deref(),
            Some("red into bin 5, row 0")
        );
        people.note(&Note::OutOfTime).unwrap();
        assert_eq!(
            people.latest_note().as_deref(),
            Some("your time has run out")
        );
        let greeting = Greeting {
            at,
            of_match: &Match::default(),
            place: "a chain in memory".into(),
            seat: crate::args::Seat::Both,
            invitation: None,
            computer: None,
        };
        people.greet(&greeting).unwrap();
        assert_eq!(people.latest_note(), None);
    }
}
