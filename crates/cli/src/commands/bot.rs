//! `bot`: a level of the computer plays at a relay, with an account of its own.

use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use connect4_client::fast::{KeyringError, LockedKey, OpenGame, SeatError, Wish};
use connect4_protocol::fast::GameTerms;
use connect4_wire::words::now;
use tokio::sync::{mpsc, watch};
use tokio::task::{JoinError, JoinSet};

use super::guest::{Identified, failed};
use super::seek::relay_of;
use crate::args::{Bot, Global};
use crate::bot::game::Playing;
use crate::bot::mind::Mind;
use crate::bot::seeking::Seeking;
use crate::bot::table::{ROOMS, Table};
use crate::failure::Failure;
use crate::output::Output;
use crate::said::{BotGame, BotNews, BotReady, Said};
use crate::stopped;

/// What is said ahead of who prints it.
const AHEAD: usize = 64;
/// Files of games that were played which are kept: far more than are played while terms are fresh.
const KEPT: usize = 10_000;
/// After how many games the oldest are forgotten.
const FORGETS: u32 = 256;

/// Plays until the program is told to stop, or the games are played that were asked for.
pub async fn bot(global: &Global, args: &Bot, out: &mut Output) -> Result<(), Failure> {
    let wish = args.wish()?;
    let name = args.name();
    let relay = relay_of(global, args.relay.clone())?;
    let who = Identified::bot(global, &name)?;
    let at_once = usize::from(args.games);
    let (stop, stops) = watch::channel(false);
    let (news, heard) = mpsc::channel(AHEAD);
    let mind = Mind::begin(args.level)?;
    let games = who.games.clone();
    let patience = Duration::from_secs(args.patience.into());
    let table = Table::new(mind, games, relay.clone(), at_once, patience, news, stops);
    // Before anybody can know that it runs.
    let stopped = Box::pin(stopped::stopped());
    out.say(Said::Bot(&BotNews::Ready(BotReady {
        account: who.address(),
        name,
        level: args.level,
        relay,
        wish,
    })))?;
    let running = Running {
        key: who.key.once_more(),
        table: Arc::new(table),
        games: JoinSet::new(),
        unfinished: Vec::new(),
        ended: 0,
        stopped,
    };
    running.run(who, wish, args, heard, stop, out).await
}

/// The games of a bot.
struct Running {
    key: LockedKey,
    table: Arc<Table>,
    games: JoinSet<Option<BotGame>>,
    /// Games that were left.
    unfinished: Vec<BotGame>,
    /// How many tasks have ended.
    ended: u32,
    /// When the program is told to stop.
    stopped: Pin<Box<dyn Future<Output = u8> + Send>>,
}

impl Running {
    async fn run(
        mut self,
        who: Identified,
        wish: Wish,
        args: &Bot,
        mut heard: mpsc::Receiver<BotNews>,
        stop: watch::Sender<bool>,
        out: &mut Output,
    ) -> Result<(), Failure> {
        self.resume(out)?;
        self.forget_oldest()?;
        let at_once = usize::from(args.games);
        let (paired, mut pairs) = mpsc::channel(1);
        let seeking = Seeking {
            table: Arc::clone(&self.table),
            who,
            wish,
            count: args.count,
            paired,
        };
        let mut seeking = pin!(tokio::spawn(seeking.run()));
        let (mut has_sought, mut is_stopped) = (false, false);
        while !(has_sought && self.games.is_empty() && pairs.is_empty()) {
            tokio::select! {
                biased;
                Some(news) = heard.recv() => out.say(Said::Bot(&news))?,
                _ = &mut self.stopped, if !is_stopped => {
                    is_stopped = true;
                    stop.send_replace(true);
                }
                Some((open, place)) = pairs.recv() => {
                    let begun = Playing::begin(&self.table, open, &self.key, Some(place));
                    match begun {
                        Ok(playing) => self.play(playing, false, out)?,
                        Err(failure) => self.trouble(&failure.to_string(), out)?,
                    }
                }
                Some(ended) = self.games.join_next() => self.ended(ended, out)?,
                sought = &mut seeking, if !has_sought => {
                    has_sought = true;
                    match sought {
                        Ok(sought) => sought?,
                        Err(error) => return Err(panicked(&error)),
                    }
                }
            }
            // The games that were asked for are played. Those that wait for silent opponents are left.
            let are_played = self.table.places.available_permits() >= at_once;
            if has_sought && are_played && pairs.is_empty() {
                stop.send_replace(true);
            }
        }
        while let Ok(news) = heard.try_recv() {
            out.say(Said::Bot(&news))?;
        }
        self.unfinished.sort_by_key(|game| game.number.0);
        for game in self.unfinished {
            out.say(Said::Bot(&BotNews::Unfinished(game)))?;
        }
        Ok(())
    }

    /// Resumes the games that were begun before.
    fn resume(&mut self, out: &mut Output) -> Result<(), Failure> {
        let mut open = self
            .table
            .games
            .open(self.key.key().address())
            .map_err(failed)?;
        let is_old = |game: &OpenGame| {
            let lasts = game
                .terms
                .terms
                .time
                .saturating_add(u64::from(GameTerms::RECORDED));
            lasts < now()
        };
        let older = open.iter().filter(|game| is_old(game)).count();
        for game in open.drain(..older) {
            self.forget(&game)?;
        }
        let surplus = open.len().saturating_sub(ROOMS);
        if surplus > 0 {
            let text = format!(
                "{surplus} older games are not resumed: the relay has {ROOMS} rooms for an account"
            );
            self.trouble(&text, out)?;
        }
        for game in open.drain(surplus..) {
            let number = game
                .terms
                .terms
                .number(&game.domain, &connect4_protocol::fast::Native);
            let game = OpenGame {
                relay: self.table.relay.clone(),
                ..game
            };
            let place = Arc::clone(&self.table.places).try_acquire_owned().ok();
            match Playing::resume(&self.table, game.clone(), &self.key, place) {
                Ok(playing) => self.play(playing, true, out)?,
                // Nothing was signed in it.
                Err(SeatError::OnChainAlone) => self.forget(&game)?,
                Err(error) => self.trouble(&format!("game {number}: {error}"), out)?,
            }
        }
        Ok(())
    }

    /// Keeps the files of the newest games. Nobody can bring the terms of the others once more: they are too old.
    fn forget_oldest(&self) -> Result<(), Failure> {
        self.table.games.forget_oldest(KEPT).map_err(failed)
    }

    /// Forgets a game that can't be resumed.
    fn forget(&self, game: &OpenGame) -> Result<(), Failure> {
        let number = game
            .terms
            .terms
            .number(&game.domain, &connect4_protocol::fast::Native);
        let forgotten: Result<(), KeyringError> = self.table.games.forget_open(number);
        forgotten.map_err(failed)
    }

    fn play(
        &mut self,
        playing: Playing,
        is_resumed: bool,
        out: &mut Output,
    ) -> Result<(), Failure> {
        let told = playing.told();
        self.games.spawn(playing.play());
        out.say(Said::Bot(&match is_resumed {
            true => BotNews::Resumed(told),
            false => BotNews::Began(told),
        }))
    }

    fn ended(
        &mut self,
        ended: Result<Option<BotGame>, JoinError>,
        out: &mut Output,
    ) -> Result<(), Failure> {
        match ended {
            Ok(unfinished) => {
                self.ended = self.ended.wrapping_add(1);
                if self.ended.is_multiple_of(FORGETS) {
                    self.forget_oldest()?;
                }
                self.unfinished.extend(unfinished);
                // Those that are left are on disk.
                let surplus = self.unfinished.len().saturating_sub(ROOMS);
                self.unfinished.drain(..surplus);
                Ok(())
            }
            Err(error) => self.trouble(&panicked(&error).to_string(), out),
        }
    }

    fn trouble(&self, text: &str, out: &mut Output) -> Result<(), Failure> {
        out.say(Said::Bot(&BotNews::Trouble(text.into())))
    }
}

fn panicked(error: &JoinError) -> Failure {
    Failure::Other(format!("a part of the program has failed: {error}"))
}
