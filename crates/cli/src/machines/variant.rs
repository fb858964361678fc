//! JSON about variants.

use connect4_client::{Address, Occurrence};
use connect4_protocol::AnyGame;
use connect4_protocol::variants::Game;
use connect4_rules::variant::{Colour, Position};
use connect4_wire as wire;

use super::{Machines, receipt};
use crate::report::{
    Printed, Sent, TakenBack, VariantAt, VariantLeft, VariantMoved, VariantOpened, VariantReport,
};

/// A game or table as JSON.
fn game(at: &VariantAt<'_>) -> wire::VariantGame {
    wire::VariantGame::new(at.number, at.contract, at.game)
}

impl Machines {
    /// Prints that an answer of a player was refused.
    pub fn refused_move(&mut self, colour: Colour, reason: &str) -> Printed {
        self.print(&wire::VariantReport::MoveRefused {
            player: colour.into(),
            reason: reason.into(),
        })
    }

    /// Prints a game that is played from now on.
    pub fn variant(&mut self, at: &VariantAt<'_>) -> Printed {
        self.print(&wire::VariantReport::Variant {
            game: game(at).into(),
        })
    }

    /// Prints that the chain took back moves of the game that is played.
    pub fn moves_taken_back(&mut self, taken: &TakenBack<VariantAt<'_>>) -> Printed {
        self.print(&wire::VariantReport::VariantTakenBack {
            count: taken.count,
            game: game(&taken.after).into(),
        })
    }
}

impl VariantReport for Machines {
    fn variant_started(&mut self, started: &VariantOpened<'_>) -> Printed {
        self.print(&wire::VariantReport::VariantStarted {
            game: game(&started.at).into(),
            transaction: Some(receipt(started.sent)),
        })
    }

    fn table_opened(&mut self, opened: &VariantOpened<'_>, _reach: &str) -> Printed {
        self.print(&wire::VariantReport::TableOpened {
            game: game(&opened.at).into(),
            transaction: receipt(opened.sent),
        })
    }

    fn joined(&mut self, account: Address, at: &VariantAt<'_>, sent: Option<Sent<'_>>) -> Printed {
        let mut seats = at.game.seats();
        let seat = seats.position(|(joined, _)| joined == Some(account));
        self.print(&wire::VariantReport::Joined {
            account: account.into(),
            // One of at most four.
            seat: seat.map_or(0, |seat| seat as u8),
            game: game(at).into(),
            transaction: sent.map(receipt),
        })
    }

    fn left(&mut self, left: &VariantLeft<'_>) -> Printed {
        self.print(&wire::VariantReport::Left {
            account: left.account.into(),
            late: left.late,
            game: game(&left.after).into(),
            transaction: left.sent.map(receipt),
        })
    }

    fn table_closed(&mut self, number: u32, sent: Sent<'_>) -> Printed {
        self.print(&wire::VariantReport::TableClosed {
            game: wire::VariantId::new(number),
            transaction: Some(receipt(sent)),
        })
    }

    fn variant_moved(&mut self, moved: &VariantMoved<'_>) -> Printed {
        let change = wire::BoardChange::new(moved.before, moved.action).unwrap_or_default();
        self.print(&wire::VariantReport::Moved {
            player: moved.colour.into(),
            r#move: moved.action.into(),
            text: moved.action.to_string(),
            change,
            game: game(&moved.after).into(),
            transaction: moved.sent.map(receipt),
        })
    }

    fn variant_ended(&mut self, at: &VariantAt<'_>, sent: Option<Sent<'_>>) -> Printed {
        let game = game(at);
        self.print(&wire::VariantReport::VariantEnded {
            winner: game.position.winner,
            game: game.into(),
            transaction: sent.map(receipt),
        })
    }

    fn variant_freed(&mut self, number: u32, sent: Sent<'_>) -> Printed {
        self.print(&wire::VariantReport::VariantFreed {
            game: wire::VariantId::new(number),
            transaction: receipt(sent),
        })
    }

    fn variant_shown(&mut self, at: &VariantAt<'_>) -> Printed {
        self.print(&game(at))
    }

    fn variant_listed(&mut self, contract: Address, number: u32, listed: Option<&Game>) -> Printed {
        match listed {
            Some(listed) => self.print(&wire::VariantGame::new(number, contract, listed)),
            None => Ok(()),
        }
    }

    fn watching_variant(&mut self, at: &VariantAt<'_>) -> Printed {
        self.print(&game(at))
    }

    fn variant_event(
        &mut self,
        at: &Occurrence,
        of_game: Option<&Game>,
        _before: Option<&Position>,
    ) -> Printed {
        let of_game = of_game.map(|game| AnyGame::Variant(*game));
        self.print(&wire::Event::new(at, of_game.as_ref(), &self.token))
    }

    fn variant_event_taken_back(&mut self, at: &Occurrence, of_game: Option<&Game>) -> Printed {
        let of_game = of_game.map(|game| AnyGame::Variant(*game));
        self.print(&wire::Event::new(at, of_game.as_ref(), &self.token).taken_back())
    }
}
