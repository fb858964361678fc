//! `bot`: a level of the computer plays at a relay, with an account of its own.

use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use connect4_client::signed::{LockedKey, SignedPlayer, Sought};
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
/// Records of games that have ended which are kept.
const KEPT: usize = 1_000;
/// After how many games the oldest are forgotten.
const FORGETS: u32 = 256;

/// Plays until the program is told to stop, or the games are played that were asked for.
pub async fn bot(global: &Global, args: &Bot, out: &mut Output) -> Result<(), Failure> {
    let sought = args.sought()?;
    let name = args.name();
    let relay = relay_of(global, args.relay.clone())?;
    let who = Identified::bot(global, &name)?;
    let at_once = usize::from(args.games);
    let (stop, stops) = watch::channel(false);
    let (news, heard) = mpsc::channel(AHEAD);
    let mind = Mind::begin(args.level)?;
    let seeker = who.seeker(&relay);
    let patience = Duration::from_secs(args.patience.into());
    let table = Table::new(mind, seeker, at_once, patience, news, stops);
    // Before anybody can know that it runs.
    let stopped = Box::pin(stopped::stopped());
    out.say(Said::Bot(&BotNews::Ready(BotReady {
        account: who.address(),
        name,
        level: args.level,
        relay,
        sought: sought.terms,
    })))?;
    let running = Running {
        key: who.key,
        table: Arc::new(table),
        games: JoinSet::new(),
        unfinished: Vec::new(),
        ended: 0,
        stopped,
    };
    running.run(sought, args, heard, stop, out).await
}

/// The games of a bot.
struct Running {
    /// Nobody else plays by it meanwhile.
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
        sought: Sought,
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
            sought,
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
                Some((player, place)) = pairs.recv() => {
                    match Playing::of(&self.table, player, Some(place)) {
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
        let key = self.key.key().address();
        let mut open = self.table.games().open_of(key, now()).map_err(failed)?;
        // In the others nobody but the bot has signed more than the terms.
        open.retain(|(_, kept)| kept.has_opponent_moved(key));
        let surplus = open.len().saturating_sub(ROOMS);
        if surplus > 0 {
            let text = format!(
                "{surplus} older games are not resumed: the relay has {ROOMS} rooms for an account"
            );
            self.trouble(&text, out)?;
        }
        for (name, _) in open.into_iter().skip(surplus) {
            let around = self.table.seeker.around(None, 0);
            let place = Arc::clone(&self.table.places).try_acquire_owned().ok();
            let resumed = SignedPlayer::resume(around, name);
            let resumed = resumed.map_err(|error| Failure::Other(error.to_string()));
            match resumed.and_then(|player| Playing::of(&self.table, player, place)) {
                Ok(playing) => self.play(playing, true, out)?,
                Err(failure) => self.trouble(&failure.to_string(), out)?,
            }
        }
        Ok(())
    }

    /// Keeps the records of the newest games.
    fn forget_oldest(&self) -> Result<(), Failure> {
        let (games, key) = (self.table.games(), self.key.key().address());
        games.forget_ended(key, KEPT, now()).map_err(failed)
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
