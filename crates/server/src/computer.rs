//! Computers that play seats by themselves, each with the account of its seat.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use connect4_client::{Error, Signer};
use connect4_opponent::{Level, Opponent};
use connect4_rules::Player;
use tokio::task::AbortHandle;

use crate::App;
use crate::room::Seen;
use crate::view;

/// More do not play at once: each thinks on a processor.
const MOST: usize = 32;
/// When to try again what failed, and when to look whether a move was lost.
const RETRY: Duration = Duration::from_secs(3);
const PATIENCE: Duration = Duration::from_secs(20);
/// For how long it waits for the other player; then it has to be woken.
const WAITS: u32 = 30;

/// In the data folder: which seats are computers', so that they play on when the program is started
/// again.
const FILE: &str = "serve.computers.json";
/// Of so many games at most; the oldest are forgotten.
const MOST_KEPT: usize = 1000;

/// Who plays by itself, by game and seat.
#[derive(Default)]
pub struct Computers {
    seats: Mutex<HashMap<(u32, Player), Seat>>,
    kept: Mutex<Kept>,
    file: Option<PathBuf>,
}

/// The levels of a chain's games by seats' colours, by games, by chains.
type Kept = BTreeMap<String, BTreeMap<u32, BTreeMap<String, String>>>;

struct Seat {
    level: Level,
    /// Why it does not move.
    error: Option<String>,
    signer: Signer,
    playing: AbortHandle,
}

impl Computers {
    /// Those of this folder; none if it was not written or can't be read.
    pub fn kept_in(folder: &Path) -> Self {
        let file = folder.join(FILE);
        let kept = fs::read(&file).ok();
        let kept = kept.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        Self {
            kept: Mutex::new(kept.unwrap_or_default()),
            file: Some(file),
            ..Self::default()
        }
    }

    /// Keeps that a computer has a seat, or that none has.
    fn keep(&self, app: &App, game: u32, player: Player, level: Option<Level>) {
        let (Some(chain), Ok(mut kept)) = (app.chain.id(), self.kept.lock()) else {
            return;
        };
        let games = kept.entry(chain).or_default();
        let seats = games.entry(game).or_default();
        let changed = match level {
            Some(level) => {
                let name = level.name().to_owned();
                seats.insert(player.colour().into(), name.clone()) != Some(name)
            }
            None => seats.remove(player.colour()).is_some(),
        };
        if seats.is_empty() {
            games.remove(&game);
        }
        while games.len() > MOST_KEPT {
            games.pop_first();
        }
        if let (true, Some(file)) = (changed, &self.file) {
            // If it can't be written they play all the same, as long as the program runs.
            let written = serde_json::to_vec(&*kept).map_err(std::io::Error::other);
            let fresh = file.with_extension("new");
            let _ = written
                .and_then(|bytes| fs::write(&fresh, bytes))
                .and_then(|()| fs::rename(&fresh, file));
        }
    }

    /// The level of the computer that had a seat when the program ended.
    fn kept(&self, app: &App, game: u32, player: Player) -> Option<Level> {
        let kept = self.kept.lock().ok()?;
        let seats = kept.get(&app.chain.id()?)?.get(&game)?;
        seats.get(player.colour())?.parse().ok()
    }

    /// The computers at a game, red's seat first.
    pub fn seated(&self, game: u32) -> [Option<view::Computer>; 2] {
        let of = |player| {
            let seats = self.seats.lock().ok()?;
            let seat = seats.get(&(game, player))?;
            Some(view::Computer {
                level: seat.level.name(),
                error: seat.error.clone(),
            })
        };
        [of(Player::One), of(Player::Two)]
    }

    /// The level of the computer at a seat.
    pub fn level(&self, game: u32, player: Player) -> Option<Level> {
        let seats = self.seats.lock().ok()?;
        seats.get(&(game, player)).map(|seat| seat.level)
    }

    /// Lets a computer play a seat until the game has ended; false if too many play.
    pub fn sit(&self, app: &Arc<App>, game: u32, player: Player, level: Level, of: Signer) -> bool {
        let Ok(mut seats) = self.seats.lock() else {
            return false;
        };
        let playing = seats
            .iter()
            .filter(|(at, seat)| **at != (game, player) && !seat.playing.is_finished())
            .count();
        if playing >= MOST {
            return false;
        }
        let task = tokio::spawn(play(Arc::clone(app), game, player, level, of.clone()));
        let seat = Seat {
            level,
            error: None,
            signer: of,
            playing: task.abort_handle(),
        };
        if let Some(before) = seats.insert((game, player), seat) {
            before.playing.abort();
        }
        drop(seats);
        self.keep(app, game, player, Some(level));
        app.rooms.look_again(game);
        true
    }

    /// Lets those go on that have stopped waiting for the other player of this game, or that played
    /// it when the program ended.
    pub async fn wake(&self, app: &Arc<App>, game: u32) {
        for player in Player::ALL {
            let known = self.seats.lock().ok().and_then(|seats| {
                let seat = seats.get(&(game, player))?;
                Some((seat.level, seat.signer.clone(), seat.playing.is_finished()))
            });
            match known {
                Some((level, signer, true)) => {
                    self.sit(app, game, player, level, signer);
                }
                Some(_) => {}
                None => {
                    if let Some(level) = self.kept(app, game, player)
                        && let Ok(at) = app.chain.connected()
                        && let Some(contract) = at.contract()
                        && let Ok(Some(found)) = contract.game(game).await
                        && let Some(signer) = app.signer(found.account_of(player))
                    {
                        self.sit(app, game, player, level, signer.clone());
                    }
                }
            }
        }
    }

    /// The seat is a person's again.
    pub fn leave(&self, app: &App, game: u32, player: Player) {
        if let Ok(mut seats) = self.seats.lock()
            && let Some(seat) = seats.remove(&(game, player))
        {
            seat.playing.abort();
        }
        self.keep(app, game, player, None);
        app.rooms.look_again(game);
    }

    fn fail(&self, app: &App, game: u32, player: Player, error: Option<String>) {
        if let Ok(mut seats) = self.seats.lock()
            && let Some(seat) = seats.get_mut(&(game, player))
            && seat.error != error
        {
            seat.error = error;
        } else {
            return;
        }
        app.rooms.look_again(game);
    }
}

/// Plays a seat until the game has ended.
async fn play(app: Arc<App>, number: u32, player: Player, level: Level, signer: Signer) {
    let mut opponent = Opponent::new(level, rand::random());
    let Some(mut seen) = app.rooms.game(number) else {
        let why = "too many games are followed at once".to_owned();
        return app.computers.fail(&app, number, player, Some(why));
    };
    let mut waited = 0;
    while waited < WAITS {
        let now = seen.borrow_and_update().clone();
        match now {
            Seen::Game(view) if view.over => return,
            Seen::Missing(_) => return,
            Seen::Game(view) if view.to_move == Some(player.colour()) => {
                let moved = move_once(&app, number, player, &signer, opponent).await;
                let error;
                (opponent, error) = moved;
                let failed = error.is_some();
                app.computers.fail(&app, number, player, error);
                if failed {
                    tokio::time::sleep(RETRY).await;
                    continue;
                }
            }
            _ => {}
        }
        // Should what was told be lost, the game is looked at again.
        match tokio::time::timeout(PATIENCE, seen.changed()).await {
            Ok(Ok(())) => waited = 0,
            Ok(Err(_)) => return,
            Err(_) => waited += 1,
        }
    }
}

/// Thinks and drops a disc; returns why not, if it did not.
async fn move_once(
    app: &App,
    number: u32,
    player: Player,
    signer: &Signer,
    mut opponent: Opponent,
) -> (Opponent, Option<String>) {
    let contract = match app.chain.connected() {
        Ok(at) => at.contract(),
        Err(why) => return (opponent, Some(why)),
    };
    let Some(contract) = contract else {
        return (opponent, None);
    };
    let game = match contract.game(number).await {
        Ok(Some(game)) if game.to_move() == Some(player) => game,
        Ok(_) => return (opponent, None),
        Err(error) => return (opponent, Some(error.to_string())),
    };
    let level = opponent.level();
    let thinking = tokio::task::spawn_blocking(move || {
        let bin = opponent.choose(&game.position());
        (opponent, bin)
    });
    let (opponent, bin) = match thinking.await {
        Ok((opponent, Some(bin))) => (opponent, bin),
        Ok((opponent, None)) => return (opponent, None),
        Err(error) => {
            let again = Opponent::new(level, rand::random());
            return (again, Some(format!("it failed while it thought: {error}")));
        }
    };
    let dropped = contract.drop_disc(signer, number, bin);
    let error = match app.chain.unless_gone(dropped).await {
        // If refused, the game went on while it thought: it looks again.
        Some(Ok(_) | Err(Error::Refused { .. })) => None,
        Some(Err(error)) => Some(error.to_string()),
        None => Some("the chain is away".into()),
    };
    (opponent, error)
}
