//! What players at a terminal see.

use connect4_client::{Deployment, Signer, Token};
use connect4_protocol::Match;
use connect4_rules::Player;
use connect4_rules::variant::Colour;
use connect4_wire as wire;

use super::variant::VariantScreen;
use super::view::{Greeting, Note, View};
use crate::machines::{self, Machines};
use crate::people::People;
use crate::report::{FastState, GameAt, Moved, Printed, Report, Sent, TakenBack};
use crate::words::{coloured, dim, transaction};

/// The question after a game for this stake.
fn another(stake: u128, token: &Token) -> String {
    let price = match stake {
        0 => String::new(),
        stake => format!(" for {} each", token.contract_amount(stake)),
    };
    format!("rematch{price}, in which the loser begins? [y/N] ")
}

/// A [`Report`] at which games are played. A method whose default does nothing says something that
/// machines do not need.
pub trait Screen: Report + VariantScreen {
    /// Whether people sit at both ends, so that lines can be typed at any time and the board is
    /// drawn again in place.
    fn is_terminal(&self) -> bool {
        false
    }

    /// A bound of the board was raised to the least one.
    fn raised(&mut self, what: &str) -> Printed;

    /// A game was started, and the contract deployed before if it was not there.
    fn opened(
        &mut self,
        _deployment: Option<&Deployment>,
        _number: u32,
        _sent: Sent<'_>,
    ) -> Printed {
        Ok(())
    }

    /// A game is played from now on.
    fn greet(&mut self, greeting: &Greeting<'_>) -> Printed;

    /// The board as it stands.
    fn draw(&mut self, _view: &View<'_>) -> Printed {
        Ok(())
    }

    /// A player is to drop a disc, which is this one of the game, from 1.
    fn ask(&mut self, _disc: u16, _player: Player) -> Printed {
        Ok(())
    }

    /// An answer to this question is read.
    fn question(&mut self, _question: &str) -> Printed {
        Ok(())
    }

    /// This answer to a question was read.
    fn answered(&mut self, _question: &str, _answer: &str) -> Printed {
        Ok(())
    }

    /// No answer is read any more.
    fn interrupted(&mut self) -> Printed {
        Ok(())
    }

    /// An answer of a player makes no sense.
    fn invalid(&mut self, player: Player, reason: &str) -> Printed;

    /// The contract refused what a player wanted. Nothing was changed.
    fn refused(&mut self, player: Player, reason: &str) -> Printed;

    /// A move was not made because the game had changed; the board shows how.
    fn overtaken(&mut self, _reason: &str) {}

    /// Something is said with the next board.
    fn note(&mut self, note: &Note<'_>) -> Printed;

    /// A text is said with the next board.
    fn say(&mut self, text: String) -> Printed;

    /// A text is said now.
    fn notice(&mut self, text: &str) -> Printed;

    /// What is to be said with the next board is said now.
    fn tell_note(&mut self) -> Printed {
        Ok(())
    }

    /// Of a fast game what is signed, what the chain knows, and whether the relay is there.
    fn fast_state(&mut self, _state: &FastState) -> Printed {
        Ok(())
    }

    /// The token in which amounts are given.
    fn token(&self) -> Token;

    /// Nothing is said with the next board.
    fn clear_note(&mut self) {}

    /// A disc was dropped.
    fn moved(&mut self, moved: &Moved<'_>) -> Printed;

    /// The chain took back the last discs, which the next board shows.
    fn taken_back(&mut self, taken: &TakenBack<GameAt<'_>>) -> Printed;

    /// A player elsewhere is to move. These words can be typed meanwhile at a terminal.
    fn waiting(&mut self, _player: Colour, _words: &str) -> Printed {
        Ok(())
    }

    /// A line was typed while an opponent is to move; `makes_sense` if it was an action. `help` says
    /// what can be typed.
    fn typed_ahead(&mut self, _line: &str, _makes_sense: bool, _help: &str) -> Printed {
        Ok(())
    }

    /// An answer to whether there is to be a rematch is read: for the same stake. A player may offer
    /// one already.
    fn ask_for_rematch(&mut self, _of_match: &Match) -> Printed {
        Ok(())
    }

    /// The offers changed before an answer was read.
    fn offers_changed(&mut self) -> Printed {
        Ok(())
    }

    /// This answer to whether there is to be a rematch was read.
    fn answered_rematch(&mut self, _answer: &str) -> Printed {
        Ok(())
    }

    /// A signer has offered or accepted a rematch.
    fn wants_rematch(&mut self, _signer: &Signer, _sent: Sent<'_>) -> Printed {
        Ok(())
    }

    /// The opponent has declined the rematch.
    fn rematch_declined(&mut self) -> Printed {
        Ok(())
    }
}

impl Screen for People {
    fn is_terminal(&self) -> bool {
        self.has_region()
    }

    fn raised(&mut self, what: &str) -> Printed {
        self.line(what)
    }

    fn opened(&mut self, deployment: Option<&Deployment>, number: u32, sent: Sent<'_>) -> Printed {
        self.deployment("the contract", deployment)?;
        if let Some(mapped) = sent.mapped {
            let cost = transaction(mapped, self.token());
            self.line("made the account known to contracts")?;
            self.line(dim(format!("  {cost}")))?;
        }
        self.line(format!("started game {number}"))?;
        let cost = self.cost(sent);
        self.line(dim(format!("  {cost}")))
    }

    fn greet(&mut self, greeting: &Greeting<'_>) -> Printed {
        if let Some(region) = self.region() {
            region.leave();
        }
        self.set_note(None);
        self.line(greeting.heading())?;
        self.players(greeting.at.game)?;
        for text in greeting.details(self.token()) {
            self.line(text)?;
        }
        if self.has_region() {
            self.line("")?;
        }
        Ok(())
    }

    fn draw(&mut self, view: &View<'_>) -> Printed {
        let text = view.text(self.latest_note().as_deref(), self.token());
        match self.region() {
            Some(region) => region.clear()?,
            None => self.line("")?,
        }
        self.line_in_region(&text)
    }

    fn ask(&mut self, disc: u16, player: Player) -> Printed {
        let name = coloured(player, player, true);
        self.line_in_region(&format!("add shape: {disc}, player: {name}"))
    }

    fn question(&mut self, question: &str) -> Printed {
        self.open_question(question)
    }

    fn answered(&mut self, question: &str, answer: &str) -> Printed {
        self.close_question();
        match self.region() {
            // The terminal itself has shown what was typed.
            Some(region) => {
                region.grow(&format!("{question}{answer}"));
                Ok(())
            }
            None => self.line(answer.trim().escape_debug()),
        }
    }

    fn interrupted(&mut self) -> Printed {
        self.close_question();
        if let Some(region) = self.region() {
            region.break_line();
        }
        self.line("")
    }

    fn invalid(&mut self, _player: Player, reason: &str) -> Printed {
        self.line_in_region(reason)
    }

    fn refused(&mut self, _player: Player, reason: &str) -> Printed {
        self.set_note(Some(reason.into()));
        Ok(())
    }

    fn overtaken(&mut self, reason: &str) {
        self.set_note(Some(reason.into()));
    }

    fn note(&mut self, note: &Note<'_>) -> Printed {
        let text = note.text(self.token());
        self.say(text)
    }

    fn say(&mut self, text: String) -> Printed {
        self.set_note(Some(text));
        Ok(())
    }

    fn notice(&mut self, text: &str) -> Printed {
        self.line(text)
    }

    fn tell_note(&mut self) -> Printed {
        match self.latest_note() {
            Some(note) => {
                self.set_note(None);
                self.line(note)
            }
            None => Ok(()),
        }
    }

    fn token(&self) -> Token {
        Self::token(self).clone()
    }

    fn clear_note(&mut self) {
        self.set_note(None);
    }

    fn moved(&mut self, moved: &Moved<'_>) -> Printed {
        let Moved {
            player,
            bin,
            row,
            sent,
            ..
        } = *moved;
        let name = coloured(player, player, false);
        let mut text = format!("{name} into bin {bin}, row {row}");
        if let Some(sent) = sent {
            text.push_str(&format!(": {}", self.dim_cost(sent)));
            if let Some(mapped) = sent.mapped {
                let cost = dim(transaction(mapped, self.token()));
                text = format!("made the account known to contracts: {cost}\n{text}");
            }
        }
        self.set_note(Some(text));
        Ok(())
    }

    fn taken_back(&mut self, taken: &TakenBack<GameAt<'_>>) -> Printed {
        self.say(taken.text.clone())
    }

    fn waiting(&mut self, player: Colour, words: &str) -> Printed {
        let name = coloured(player, player, true);
        let words = match self.is_terminal() {
            true => format!("; {words}; Ctrl-C leaves"),
            false => "; Ctrl-C leaves".into(),
        };
        self.line_in_region(&format!("waiting for {name} to move{words}"))
    }

    fn typed_ahead(&mut self, line: &str, makes_sense: bool, help: &str) -> Printed {
        if let Some(region) = self.region() {
            region.grow(line);
        }
        if makes_sense || line.trim().is_empty() {
            return Ok(());
        }
        self.line_in_region(&format!("it is not your turn; {help}"))
    }

    fn ask_for_rematch(&mut self, of_match: &Match) -> Printed {
        if let Some(by) = of_match.rematch {
            self.line(format!("{by} offers a rematch"))?;
        }
        let question = another(of_match.stake, self.token());
        self.open_question(&question)
    }

    fn offers_changed(&mut self) -> Printed {
        self.close_question();
        self.line("")
    }

    fn answered_rematch(&mut self, answer: &str) -> Printed {
        self.close_question();
        match self.is_terminal() {
            true => Ok(()),
            false => self.line(answer.trim().escape_debug()),
        }
    }

    fn wants_rematch(&mut self, signer: &Signer, sent: Sent<'_>) -> Printed {
        let cost = self.dim_cost(sent);
        self.line(format!("{signer} wants a rematch: {cost}"))
    }

    fn rematch_declined(&mut self) -> Printed {
        self.line("the opponent declined the rematch")
    }
}

impl Screen for Machines {
    fn raised(&mut self, what: &str) -> Printed {
        self.print(&wire::Report::Raised { what: what.into() })
    }

    fn greet(&mut self, greeting: &Greeting<'_>) -> Printed {
        self.print(&wire::Report::Game {
            game: machines::game(&greeting.at).into(),
        })
    }

    fn invalid(&mut self, player: Player, reason: &str) -> Printed {
        self.print(&wire::Report::Refused {
            player: player.into(),
            reason: reason.into(),
        })
    }

    fn refused(&mut self, player: Player, reason: &str) -> Printed {
        self.invalid(player, reason)
    }

    fn note(&mut self, note: &Note<'_>) -> Printed {
        let text = note.text(self.token());
        self.say(text)
    }

    fn say(&mut self, text: String) -> Printed {
        self.print(&wire::Report::Note { text })
    }

    fn notice(&mut self, text: &str) -> Printed {
        self.say(text.into())
    }

    fn fast_state(&mut self, state: &FastState) -> Printed {
        self.print(&wire::Report::Fast {
            signed: state.signed,
            on_chain: state.on_chain,
            relay: state.relay,
            opponent: state.opponent,
        })
    }

    fn token(&self) -> Token {
        Self::token(self).clone()
    }

    fn moved(&mut self, moved: &Moved<'_>) -> Printed {
        self.print(&wire::Report::Dropped {
            player: moved.player.into(),
            bin: moved.bin.index(),
            row: moved.row,
            game: machines::game(&moved.after).into(),
            transaction: moved.sent.map(machines::receipt),
        })
    }

    fn taken_back(&mut self, taken: &TakenBack<GameAt<'_>>) -> Printed {
        self.print(&wire::Report::TakenBack {
            count: taken.count,
            game: machines::game(&taken.after).into(),
        })
    }
}
