//! What players of a variant see.

use connect4_rules::variant::Colour;

use super::view::{Greeting, View};
use crate::machines::Machines;
use crate::people::People;
use crate::report::{
    Printed, TakenBack, VariantAt, VariantLeft, VariantMoved, VariantOpened, VariantReport,
};
use crate::words::{self, coloured, dim, name};

/// The part of a screen at which variants are played. A method whose default does nothing says
/// something that machines do not need.
pub trait VariantScreen: VariantReport {
    /// A game was started that is played from now on.
    fn variant_opened(&mut self, _opened: &VariantOpened<'_>) -> Printed {
        Ok(())
    }

    /// A game or table is played from now on.
    fn greet_variant(&mut self, greeting: &Greeting<'_>) -> Printed;

    /// The board as it stands.
    fn draw_variant(&mut self, _view: &View<'_>) -> Printed {
        Ok(())
    }

    /// A player is to move, in this turn of the game, from 1.
    fn ask_variant(&mut self, _turn: u16, _colour: Colour) -> Printed {
        Ok(())
    }

    /// An answer of a player is refused.
    fn move_refused(&mut self, colour: Colour, reason: &str) -> Printed;

    /// The contract refused what a player wanted, which the next board tells.
    fn action_refused(&mut self, colour: Colour, reason: &str) -> Printed;

    /// A move was made.
    fn variant_played(&mut self, moved: &VariantMoved<'_>) -> Printed;

    /// A player left, or was removed.
    fn player_left(&mut self, left: &VariantLeft<'_>) -> Printed;

    /// The chain took back the last moves, which the next board shows.
    fn variant_taken_back(&mut self, taken: &TakenBack<VariantAt<'_>>) -> Printed;

    /// A table waits for players.
    fn waiting_for_players(&mut self, _standing: &str) -> Printed {
        Ok(())
    }
}

impl VariantScreen for People {
    fn variant_opened(&mut self, opened: &VariantOpened<'_>) -> Printed {
        self.deployment("the contract of the variants", opened.deployment)?;
        let game = connect4_client::GameId::Variant(opened.at.number);
        self.transaction(&format!("started game {game}"), opened.sent)
    }

    fn greet_variant(&mut self, greeting: &Greeting<'_>) -> Printed {
        if let Some(region) = self.region() {
            region.leave();
        }
        self.set_note(None);
        self.line(greeting.heading())?;
        self.variant_players(greeting.at.game)?;
        for text in greeting.details() {
            self.line(text)?;
        }
        if self.has_region() {
            self.line("")?;
        }
        Ok(())
    }

    fn draw_variant(&mut self, view: &View<'_>) -> Printed {
        let text = view.text(self.latest_note().as_deref());
        match self.region() {
            Some(region) => region.clear()?,
            None => self.line("")?,
        }
        self.line_in_region(&text)
    }

    fn ask_variant(&mut self, turn: u16, colour: Colour) -> Printed {
        self.notes_are_seen();
        let name = coloured(colour, format!("{} {colour}", colour.disc()), true);
        self.line_in_region(&format!("turn: {turn}, player: {name}"))
    }

    fn move_refused(&mut self, _colour: Colour, reason: &str) -> Printed {
        self.line_in_region(reason)
    }

    fn action_refused(&mut self, _colour: Colour, reason: &str) -> Printed {
        self.set_note(Some(reason.into()));
        Ok(())
    }

    fn variant_played(&mut self, moved: &VariantMoved<'_>) -> Printed {
        let name = coloured(moved.colour, moved.colour, false);
        let mut text = words::variant::deed(&name, moved.action, Some(moved.before));
        if let Some(sent) = moved.sent {
            text.push_str(&format!(": {}", self.dim_cost(sent)));
            if let Some(mapped) = sent.mapped {
                let cost = dim(words::transaction(mapped, self.token()));
                text = format!("made the account known to contracts: {cost}\n{text}");
            }
        }
        self.add_note(text);
        Ok(())
    }

    fn player_left(&mut self, left: &VariantLeft<'_>) -> Printed {
        let player = match left.colour {
            Some(colour) => coloured(colour, colour, false),
            None => name(left.account),
        };
        let mut text = match left.late {
            true => format!("{player} was late and is removed"),
            false => format!("{player} leaves the game"),
        };
        if let Some(sent) = left.sent {
            text.push_str(&format!(": {}", self.dim_cost(sent)));
        }
        self.add_note(text);
        Ok(())
    }

    fn variant_taken_back(&mut self, taken: &TakenBack<VariantAt<'_>>) -> Printed {
        self.set_note(Some(taken.text.clone()));
        Ok(())
    }

    fn waiting_for_players(&mut self, standing: &str) -> Printed {
        self.line(format!(
            "{standing}; Ctrl-C leaves the program, not the table"
        ))
    }
}

impl VariantScreen for Machines {
    fn greet_variant(&mut self, greeting: &Greeting<'_>) -> Printed {
        self.variant(&greeting.at)
    }

    fn move_refused(&mut self, colour: Colour, reason: &str) -> Printed {
        self.refused_move(colour, reason)
    }

    fn action_refused(&mut self, colour: Colour, reason: &str) -> Printed {
        self.refused_move(colour, reason)
    }

    fn variant_played(&mut self, moved: &VariantMoved<'_>) -> Printed {
        self.variant_moved(moved)
    }

    fn player_left(&mut self, left: &VariantLeft<'_>) -> Printed {
        self.left(left)
    }

    fn variant_taken_back(&mut self, taken: &TakenBack<VariantAt<'_>>) -> Printed {
        self.moves_taken_back(taken)
    }
}
