//! One game of a bot, and its rematches.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use connect4_client::signed::{
    Awaited, Command, How, Lobby, LobbyNews, News, PlayerError, RoomState, SignedError,
    SignedPlayer, Sought, Stage, View, What, Who, pair,
};
use connect4_protocol::signed::{GameNumber, Moves, Terms};
use connect4_protocol::{Address, Game};
use connect4_rules::variant::Move;
use connect4_rules::{Bin, Player};
use connect4_wire::words::now;
use tokio::sync::{OwnedSemaphorePermit, oneshot, watch};
use tokio::time::{Instant, Interval, MissedTickBehavior, interval, timeout, timeout_at};

use super::table::{Table, stopped, until};
use crate::failure::Failure;
use crate::said::{BotGame, BotNews};

/// How long a move takes at least: people see one after the other, and a relay takes so many messages.
const PACE: Duration = Duration::from_millis(150);
/// How many times longer than one who is away an opponent may think who is there.
const THINKING: u32 = 3;
/// How long an opponent who has signed nothing but the terms may need to enter the room, at most. Programs enter it at
/// once.
const ENTRY: Duration = Duration::from_secs(20);
/// How long a rematch can be offered after the end, and then be agreed on.
const REMATCH: [Duration; 2] = [Duration::from_secs(10), Duration::from_secs(30)];
/// For how long an offer of a rematch stands, in seconds.
const STANDS: u64 = 60;
/// Pause before something is tried again that did not work.
const AGAIN: Duration = Duration::from_secs(1);
/// How often it is looked how long the opponent has been silent.
const TICK: Duration = Duration::from_secs(1);

/// How a game was left.
enum Left {
    Over,
    /// It goes on, without the bot.
    Unfinished,
    /// The opponent has agreed to it, and nothing else.
    NotBegun,
}

/// A game that a bot plays.
pub struct Playing {
    table: Arc<Table>,
    player: SignedPlayer,
    follow: watch::Receiver<View>,
    terms: Terms,
    number: GameNumber,
    side: Player,
    /// As it is known now.
    game: Game,
    stop: watch::Receiver<bool>,
    tick: Interval,
    /// Its place among the games that are played at the same time; none while it waits for a silent opponent.
    place: Option<OwnedSemaphorePermit>,
    /// Its number among those that wait.
    ticket: Option<u64>,
    /// How many moves were made when something happened last, and since when nothing has.
    quiet_since: (u8, Instant),
    /// Whether the opponent was in the room.
    has_met: bool,
    /// Since when the bot is in the room without the opponent; none while it is not.
    alone_since: Option<Instant>,
    turn: Turn,
    /// What did not work last, as it was said.
    trouble: Option<String>,
}

/// What is thought about and decided in one turn of the bot.
#[derive(Default)]
struct Turn {
    /// How many moves were made before it.
    moves: u8,
    move_to_come: Option<oneshot::Receiver<Option<Move>>>,
    chosen: Option<Move>,
    /// When the move is made, at the earliest.
    at: Option<Instant>,
    verdict_to_come: Option<oneshot::Receiver<bool>>,
    has_judged: bool,
}

impl Drop for Playing {
    fn drop(&mut self) {
        if let Some(ticket) = self.ticket {
            self.table.wait_no_more(ticket);
        }
    }
}

impl Playing {
    /// Plays a game whose terms both have signed.
    pub fn of(
        table: &Arc<Table>,
        player: SignedPlayer,
        place: Option<OwnedSemaphorePermit>,
    ) -> Result<Self, Failure> {
        let kept = table.games().peek(player.name());
        let kept = kept.map_err(|error| Failure::Other(error.to_string()))?;
        let shown = player.view().shown;
        let (Some(terms), Some(number), Some(side), Some(game)) =
            (kept.record.terms, shown.number, shown.side, shown.game)
        else {
            return Err(Failure::Other("the game has not begun".into()));
        };
        let mut tick = interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Ok(Self {
            follow: player.follow(),
            player,
            terms,
            number,
            side,
            game,
            stop: table.stop.clone(),
            tick,
            ticket: place.is_none().then(|| table.wait()),
            place,
            quiet_since: (0, Instant::now()),
            has_met: false,
            alone_since: None,
            turn: Turn::default(),
            trouble: None,
            table: Arc::clone(table),
        })
    }

    pub fn told(&self) -> BotGame {
        let opponent = self.side.opponent();
        BotGame {
            number: self.number,
            opponent: self.terms.players.get(opponent).account(),
            is_program: *self.terms.programs.get(opponent),
            seat: self.side,
            game: self.game,
        }
    }

    /// Plays it, and its rematches. Returns it if it is not over.
    pub async fn play(mut self) -> Option<BotGame> {
        loop {
            match self.until_end().await {
                Left::Unfinished => return Some(self.told()),
                Left::NotBegun => {
                    self.table.seeker.wary.failed(self.opponents_key());
                    self.table.say(BotNews::NotBegun(self.told())).await;
                    return None;
                }
                Left::Over => self.table.say(BotNews::Ended(self.told())).await,
            }
            let player = self.rematch().await?;
            let place = self.place.take();
            match Self::of(&self.table, player, place) {
                Ok(next) => self = next,
                Err(failure) => {
                    self.table.say(BotNews::Trouble(failure.to_string())).await;
                    return None;
                }
            }
            self.table.say(BotNews::Began(self.told())).await;
        }
    }

    async fn until_end(&mut self) -> Left {
        loop {
            let view = self.follow.borrow_and_update().clone();
            self.game = view.shown.game.unwrap_or(self.game);
            match view.shown.stage {
                // A void game has no end.
                Stage::Over if view.finished.is_some() => return Left::Over,
                Stage::Over | Stage::NoGame | Stage::NoResult => return Left::NotBegun,
                _ => {}
            }
            self.look(&view);
            self.think(&view);
            // What the relay says and the time that passes are heard while the thread thinks.
            let left = tokio::select! {
                biased;
                () = stopped(&mut self.stop) => Some(Left::Unfinished),
                verdict = from(&mut self.turn.verdict_to_come) => {
                    self.judged(verdict).await;
                    None
                }
                chosen = from(&mut self.turn.move_to_come) => self.chose(chosen.flatten()).await,
                () = until(self.turn.at), if self.is_ready() => self.make().await,
                changed = self.follow.changed() => match changed {
                    Ok(()) => None,
                    Err(_) => Some(self.lost().await),
                },
                news = self.player.next() => match news {
                    Ok(News::NotTaken(error)) => {
                        self.complain(error.to_string()).await;
                        None
                    }
                    // There is no stake.
                    Ok(News::Sent(..) | News::NotSent(..) | News::NotSeen(_)) => None,
                    Err(_) => Some(self.lost().await),
                },
                _ = self.tick.tick() => self.wait().await,
            };
            if let Some(left) = left {
                return left;
            }
        }
    }

    /// Whether the move is chosen, and no draw is judged.
    const fn is_ready(&self) -> bool {
        self.turn.chosen.is_some() && self.turn.verdict_to_come.is_none()
    }

    async fn lost(&mut self) -> Left {
        self.complain(SignedError::Ended.to_string()).await;
        Left::Unfinished
    }

    /// Has the thread think about what is to be decided now.
    fn think(&mut self, view: &View) {
        let game = self.game;
        let is_turn = matches!(
            view.shown.awaited,
            Some(Awaited {
                of: Who::You,
                what: What::Move,
                ..
            })
        );
        if self.turn.moves != game.moves() || !is_turn {
            self.turn = Turn {
                moves: game.moves(),
                ..Turn::default()
            };
        }
        if !is_turn {
            return;
        }
        let turn = &mut self.turn;
        if view.shown.draw.is_some() && !turn.has_judged {
            turn.has_judged = true;
            turn.verdict_to_come = Some(self.table.mind.accepts(game.position()));
        }
        if turn.at.is_none() {
            turn.at = Some(Instant::now() + PACE);
            turn.move_to_come = Some(self.table.mind.choose(game, self.terms.rules()));
        }
    }

    async fn judged(&mut self, verdict: Option<bool>) {
        let command = match verdict {
            Some(true) => Command::AcceptDraw,
            Some(false) | None => Command::DeclineDraw,
        };
        // Another error says that the offer does not stand any more.
        if let Err(SignedError::Player(error @ PlayerError::Keep(_))) =
            self.player.command(command).await
        {
            self.complain(error.to_string()).await;
        }
    }

    async fn chose(&mut self, chosen: Option<Move>) -> Option<Left> {
        self.turn.chosen = chosen;
        if chosen.is_none() {
            self.complain("the computer sees no move".into()).await;
            return Some(Left::Unfinished);
        }
        None
    }

    /// Makes the move that was chosen.
    async fn make(&mut self) -> Option<Left> {
        let bin = match self.turn.chosen? {
            Move::Drop(bin) => bin,
            Move::Swap => Bin::new(Moves::SWAP),
            // None of them is legal in such a game.
            Move::Pop(_) | Move::Take(_) | Move::Clear(_) | Move::Float(_) => {
                self.complain("the computer sees no move".into()).await;
                return Some(Left::Unfinished);
            }
        };
        match self.player.command(Command::Move(bin)).await {
            Ok(()) => {}
            Err(SignedError::Player(error @ PlayerError::Keep(_))) => {
                self.turn.at = Some(Instant::now() + AGAIN);
                self.complain(error.to_string()).await;
            }
            // The game has changed since it was looked at: how it stands comes as news.
            Err(SignedError::Player(_)) => self.turn.at = Some(Instant::now() + AGAIN),
            Err(error) => {
                self.complain(error.to_string()).await;
                return Some(Left::Unfinished);
            }
        }
        None
    }

    /// Looks whether the opponent has come, or has moved.
    fn look(&mut self, view: &View) {
        let moves = self.game.moves();
        if moves != self.quiet_since.0 {
            self.quiet_since = (moves, Instant::now());
            self.play_on();
        }
        match view.room {
            RoomState::Entered { opponent: true } => {
                self.alone_since = None;
                if !self.has_met {
                    self.has_met = true;
                    self.table.seeker.wary.agreed(self.opponents_key());
                }
            }
            RoomState::Entered { opponent: false } => {
                self.alone_since.get_or_insert_with(Instant::now);
            }
            _ => self.alone_since = None,
        }
    }

    /// The opponent is back, if it was silent.
    fn play_on(&mut self) {
        let Some(ticket) = self.ticket.take() else {
            return;
        };
        self.table.wait_no_more(ticket);
        self.place = Arc::clone(&self.table.places).try_acquire_owned().ok();
        if self.place.is_none() {
            // It plays on beside the others, as the last of those that have to go.
            self.ticket = Some(self.table.wait());
        }
    }

    fn has_opponent_moved(&self) -> bool {
        let before = match self.side.opponent() {
            Player::One => 0,
            Player::Two => 1,
        };
        self.game.moves() > before
    }

    fn opponents_key(&self) -> Address {
        self.terms.players.get(self.side.opponent()).key()
    }

    /// Makes place for another game if the opponent is silent; leaves the game if too many wait.
    async fn wait(&mut self) -> Option<Left> {
        let away = self.table.patience;
        let to_enter = away.saturating_mul(THINKING).min(ENTRY);
        let is_late = |since: Instant| since.elapsed() > to_enter;
        if !self.has_met && !self.has_opponent_moved() && self.alone_since.is_some_and(is_late) {
            return Some(Left::NotBegun);
        }
        if let Some(ticket) = self.ticket {
            if self.table.is_surplus(ticket) {
                self.table.say(BotNews::Left(self.told())).await;
                return Some(Left::Unfinished);
            }
            return None;
        }
        let is_there = matches!(
            self.follow.borrow().room,
            RoomState::Entered { opponent: true }
        );
        let patience = if is_there {
            away.saturating_mul(THINKING)
        } else {
            away
        };
        let is_theirs = self.game.to_move() != Some(self.side);
        if self.quiet_since.1.elapsed() > patience && (is_theirs || !is_there) {
            self.place = None;
            self.ticket = Some(self.table.wait());
            self.table.say(BotNews::Waits(self.told())).await;
        }
        None
    }

    /// Says what does not work, once.
    async fn complain(&mut self, text: String) {
        if self.trouble.as_ref() != Some(&text) {
            let said = format!("game {}: {text}", self.number);
            self.table.say(BotNews::Trouble(said)).await;
            self.trouble = Some(text);
        }
    }

    /// Waits whether the opponent wants a rematch, and agrees to one.
    async fn rematch(&mut self) -> Option<SignedPlayer> {
        // A rematch takes the place of this game.
        self.place.as_ref()?;
        if self.table.is_last.load(Ordering::Relaxed) {
            return None;
        }
        let mut stop = self.stop.clone();
        tokio::select! {
            biased;
            () = stopped(&mut stop) => None,
            next = self.offered_rematch() => next,
        }
    }

    async fn offered_rematch(&self) -> Option<SignedPlayer> {
        let [to_offer, to_agree] = REMATCH;
        let (number, side) = (self.number, self.side);
        let seeker = &self.table.seeker;
        let offer = self
            .player
            .rematch(now().saturating_add(STANDS))
            .await
            .ok()?;
        let mut lobby = Lobby::enter(&seeker.relay).await.ok()?;
        lobby.look(How::invites_of(number)[side.opponent()]);
        let until = Instant::now() + to_offer;
        while !matches!(
            timeout_at(until, lobby.next()).await.ok()?.ok()?,
            LobbyNews::Invited(_)
        ) {}
        let (sought, how) = (Sought::from(&offer), How::Rematch(number, side));
        let paired = pair(&mut lobby, seeker, sought, how);
        timeout(to_agree, paired).await.ok()?.ok()
    }
}

/// What the thread has thought; waits for ever if it is asked nothing. None if it has ended.
async fn from<T>(thought: &mut Option<oneshot::Receiver<T>>) -> Option<T> {
    match thought {
        Some(receiver) => {
            let answer = receiver.await.ok();
            *thought = None;
            answer
        }
        None => std::future::pending().await,
    }
}
