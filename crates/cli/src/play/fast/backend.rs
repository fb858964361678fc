//! A fast game as a backend of the play at a terminal.

use connect4_client::fast::PlayerEvent;
use connect4_client::{Token, development_name};
use connect4_protocol::{AnyGame, GameName};
use connect4_rules::variant::Colour;

use super::table::Table;
use super::{act, news, rematch, settle, view};
use crate::failure::Failure;
use crate::farewell::Farewell;
use crate::game::Numbering;
use crate::lookup;
use crate::output::Output;
use crate::people::View;
use crate::play::grammar::{Grammar, Input};
use crate::play::turn::{Backend, Typed};
use crate::play::{Next, Playable};
use crate::said::{Greeting, Said};
use crate::session::Session;
use crate::words::PIE_RULE;

impl Backend for Table {
    type Change = Box<PlayerEvent>;
    const READS_AHEAD: bool = true;

    fn id(&self) -> GameName {
        self.player.id().into()
    }

    fn game(&self) -> AnyGame {
        self.shown.into()
    }

    fn grammar(&self) -> Grammar {
        Grammar::Fast
    }

    fn tell_news(&mut self, out: &mut Output) -> Result<(), Failure> {
        news::tell_moves(self, out)?;
        out.say(Said::FastState(self.state()))
    }

    fn view(&self) -> View<'_> {
        View {
            game: self.shown.into(),
            of_match: Some(self.player.of_match()),
            here: vec![self.colour_of(self.player.player())],
            now: self.player.now(),
            numbering: Numbering::Zero,
            fast: Some(view::text(&self.player, &self.shown)),
        }
    }

    fn is_here(&self, colour: Colour) -> bool {
        self.colour_of(self.player.player()) == colour
    }

    fn deadline(&self, _colour: Colour) -> Option<u64> {
        // The player's program watches the chain's clock by itself.
        None
    }

    async fn next(&mut self) -> Result<Self::Change, Failure> {
        Ok(self.player.next().await.into())
    }

    async fn take_over(&mut self, change: Self::Change, out: &mut Output) -> Result<bool, Failure> {
        news::tell(self, out, *change)
    }

    async fn act(&mut self, input: Input, out: &mut Output) -> Result<(), Failure> {
        act::act(self, out, input).await
    }

    async fn time_is_up(&mut self, _colour: Colour, _out: &mut Output) -> Result<(), Failure> {
        Ok(())
    }
}

impl Playable for Table {
    async fn open(&mut self, _out: &mut Output) -> Result<(), Failure> {
        Ok(())
    }

    fn greeting(&self, session: &Session) -> Greeting<'_> {
        let game = &self.player.latest();
        let ours = self.player.player();
        let theirs = ours.opponent();
        let joins = game.turns() == 0 && !game.is_over();
        let invitation = joins.then(|| {
            let secret = match development_name(game.account_of(theirs)) {
                Some(_) => String::new(),
                None => format!(" --{theirs}-secret-file <FILE>"),
            };
            let id = self.player.id();
            let reach = lookup::reach(session, &self.contract);
            let relay = &self.at.option;
            let command =
                format!("connect4 play --game {id} --seat {theirs}{relay}{reach}{secret}");
            (theirs.into(), command)
        });
        Greeting {
            at: self.at(game),
            of_match: Some(self.player.of_match()),
            place: match self.player.has_pie_rule() {
                true => format!("{}\n{PIE_RULE}", session.whereabouts()),
                false => session.whereabouts(),
            },
            people: vec![self.colour_of(ours)],
            invitations: invitation.into_iter().collect(),
            computers: Vec::new(),
        }
    }

    fn how_to_resume(&self, session: &Session, token: &Token) -> Option<String> {
        let mut text = self.command_to_resume(session);
        if let Some(risk) = self.risk(token) {
            text.push('\n');
            text.push_str(&risk);
        }
        Some(text)
    }

    async fn end(
        &mut self,
        _session: &Session,
        out: &mut Output,
        typed: &mut Typed,
    ) -> Result<bool, Failure> {
        settle::settle(self, out, typed).await
    }

    fn has_rematches(&self) -> bool {
        self.player.is_over_on_chain()
    }

    async fn rematch(
        self,
        _session: &Session,
        out: &mut Output,
        typed: &mut Typed,
        _farewell: &Farewell,
    ) -> Result<Next<Self>, Failure> {
        let next = rematch::rematch(&self, out, typed).await?;
        Ok(next.map_or(Next::Nothing, Next::Game))
    }
}
