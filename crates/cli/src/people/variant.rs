//! Text about variants, for people.

use connect4_client::{Address, GameId, Occurrence};
use connect4_protocol::AnyGame;
use connect4_protocol::variants::Game;
use connect4_rules::notation;
use connect4_rules::variant::{Colour, Move, Position};
use connect4_wire::words::{now, variant_standing};

use super::{People, event};
use crate::report::{
    Printed, Sent, VariantAt, VariantLeft, VariantMoved, VariantOpened, VariantReport,
};
use crate::words::{coloured, variant, who};

impl People {
    /// Prints who plays a game, or sits at a table.
    pub fn variant_players(&mut self, game: &Game) -> Printed {
        for (colour, (account, joined)) in game.variant().colours().zip(variant::seats(game)) {
            let account = match account {
                None => "free".into(),
                Some(account) if joined => who(account),
                Some(account) => format!("{} has not joined yet", who(account)),
            };
            self.line(format!("{}: {account}", variant::badge(colour)))?;
        }
        Ok(())
    }

    fn opened(&mut self, what: &str, opened: &VariantOpened<'_>) -> Printed {
        let VariantAt { number, game, .. } = opened.at;
        self.deployment("the contract of the variants", opened.deployment)?;
        let terms = variant::terms(game.variant().into(), game.limit());
        let game = GameId::Variant(number);
        self.transaction(&format!("{what} {game}: {terms}"), opened.sent)
    }
}

fn name(colour: Colour) -> String {
    coloured(colour, colour, false)
}

impl VariantReport for People {
    fn variant_started(&mut self, started: &VariantOpened<'_>) -> Printed {
        self.opened("started game", started)?;
        self.variant_players(started.at.game)
    }

    fn table_opened(&mut self, opened: &VariantOpened<'_>, reach: &str) -> Printed {
        self.opened("opened table", opened)?;
        self.variant_players(opened.at.game)?;
        let game = GameId::Variant(opened.at.number);
        self.line(format!(
            "others join it by\n  connect4 join --game {game} --play --account <NAME>{reach}"
        ))
    }

    fn joined(&mut self, account: Address, at: &VariantAt<'_>, sent: Option<Sent<'_>>) -> Printed {
        let game = GameId::Variant(at.number);
        let text = format!("{} joins table {game}", who(account));
        match sent {
            Some(sent) => self.transaction(&text, sent)?,
            None => self.line(text)?,
        }
        self.line(variant_standing(at.game))
    }

    fn left(&mut self, left: &VariantLeft<'_>) -> Printed {
        let VariantAt { number, game, .. } = left.after;
        let player = match left.colour {
            Some(colour) => name(colour),
            None => who(left.account),
        };
        let what = match game.has_started() {
            true => "game",
            false => "table",
        };
        let id = GameId::Variant(number);
        let text = match left.late {
            true => format!("{player} was late and is removed from game {id}"),
            false => format!("{player} leaves {what} {id}"),
        };
        match left.sent {
            Some(sent) => self.transaction(&text, sent)?,
            None => self.line(text)?,
        }
        match game.is_over() {
            true => Ok(()),
            false => self.line(variant_standing(game)),
        }
    }

    fn table_closed(&mut self, number: u32, sent: Sent<'_>) -> Printed {
        let game = GameId::Variant(number);
        self.transaction(&format!("closed table {game}"), sent)
    }

    fn variant_moved(&mut self, moved: &VariantMoved<'_>) -> Printed {
        let game = moved.after.game;
        self.line(variant::board(game.position()))?;
        let deed = variant::deed(&name(moved.colour), moved.action, Some(moved.before));
        match moved.sent {
            Some(sent) => self.transaction(&deed, sent)?,
            None => self.line(deed)?,
        }
        self.line(variant_standing(game))
    }

    fn variant_ended(&mut self, at: &VariantAt<'_>, sent: Option<Sent<'_>>) -> Printed {
        let text = variant_standing(at.game);
        let winner = at.game.winner().and_then(|won| at.game.colour_of(won));
        match (sent, winner) {
            (Some(sent), _) => {
                let game = GameId::Variant(at.number);
                self.transaction(&format!("game {game} ended: {text}"), sent)
            }
            (None, Some(colour)) => self.line(coloured(colour, text, true)),
            (None, None) => self.line(text),
        }
    }

    fn variant_freed(&mut self, number: u32, sent: Sent<'_>) -> Printed {
        let game = GameId::Variant(number);
        self.transaction(&format!("freed the storage of game {game}"), sent)
    }

    fn variant_shown(&mut self, at: &VariantAt<'_>) -> Printed {
        let VariantAt {
            contract,
            number,
            game,
        } = *at;
        let what = match game.has_started() {
            true => "game",
            false => "table",
        };
        self.line(format!(
            "{what} {} of the contract {contract}: {}",
            GameId::Variant(number),
            variant::terms(game.variant().into(), game.limit())
        ))?;
        self.variant_players(game)?;
        if !game.has_started() {
            return self.line(variant_standing(game));
        }
        self.line(variant::board(game.position()))?;
        if variant::has_roster(game.variant()) {
            self.line(variant::roster(game).join("\n"))?;
        }
        self.line(format!("turns taken: {}", game.position().turns()))?;
        if let Some(left) = variant::time_left(game, now()) {
            self.line(left)?;
        }
        self.line(variant_standing(game))
    }

    fn variant_listed(&mut self, _contract: Address, number: u32, game: Option<&Game>) -> Printed {
        let id = GameId::Variant(number).to_string();
        match game {
            None => self.line(format!("{id:>5}  over, its storage freed")),
            Some(game) => {
                let turns = match game.has_started() {
                    true => format!("turns {}, ", game.position().turns()),
                    false => String::new(),
                };
                self.line(format!(
                    "{id:>5}  {}  {}  {turns}{}",
                    variant::terms(game.variant().into(), game.limit()),
                    variant::accounts(game),
                    variant_standing(game)
                ))
            }
        }
    }

    fn variants_follow(&mut self) -> Printed {
        self.line("variants:")
    }

    fn no_tables(&mut self) -> Printed {
        self.line("no open tables")
    }

    fn watching_variant(&mut self, at: &VariantAt<'_>) -> Printed {
        let game = at.game;
        self.line(format!(
            "game {}: {}",
            GameId::Variant(at.number),
            variant::terms(game.variant().into(), game.limit())
        ))?;
        self.variant_players(game)?;
        if game.has_started() {
            self.line(variant::board(game.position()))?;
        }
        if game.is_over() {
            self.line(variant_standing(game))?;
        }
        Ok(())
    }

    fn variant_event(
        &mut self,
        at: &Occurrence,
        game: Option<&Game>,
        before: Option<&Position>,
    ) -> Printed {
        let game = game.map(|game| AnyGame::Variant(*game));
        self.line(event::text(at, game.as_ref(), before, &self.token))
    }

    fn variant_event_taken_back(&mut self, at: &Occurrence, game: Option<&Game>) -> Printed {
        let game = game.map(|game| AnyGame::Variant(*game));
        let event = event::text(at, game.as_ref(), None, &self.token);
        self.line(crate::words::event_taken_back(&event, at.block))
    }

    fn variant_board(&mut self, position: &Position) -> Printed {
        self.line(variant::board(position))
    }

    fn variant_to_move(&mut self, colour: Colour) -> Printed {
        self.line(format!("{colour} to move"))
    }

    fn variant_replayed(&mut self, game: &Game, moves: &[Move]) -> Printed {
        self.line(variant_standing(game))?;
        if moves.is_empty() {
            return Ok(());
        }
        let moves = notation::write(moves.iter().copied());
        self.line(format!("moves, bins and rows from 1: {moves}"))
    }
}
