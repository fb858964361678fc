//! One game of a bot, and its rematches.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use connect4_client::fast::{
    KeyringError, LockedKey, OpenGame, RelayState, SeatError, TermsEvent, TermsPlayer,
};
use connect4_protocol::fast::SignedTerms;
use connect4_protocol::{Address, Error as Refusal, Game};
use connect4_rules::variant::Move;
use connect4_rules::{Bin, Player};
use tokio::sync::{OwnedSemaphorePermit, oneshot, watch};
use tokio::time::{Instant, timeout_at};

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
/// How long the end of a game is waited for: the opponent has it, and has agreed.
const GRACE: Duration = Duration::from_secs(5);
/// The same while the relay is away: the opponent has not got the last move.
const RETURN: Duration = Duration::from_secs(60);
/// How long a rematch can be proposed after the end, and then be agreed on.
const REMATCH: [Duration; 2] = [Duration::from_secs(10), Duration::from_secs(30)];
/// Pause before something is tried again that did not work.
const AGAIN: Duration = Duration::from_secs(1);

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
    player: TermsPlayer,
    open: OpenGame,
    key: LockedKey,
    stop: watch::Receiver<bool>,
    /// Its place among the games that are played at the same time; none while it waits for a silent opponent.
    place: Option<OwnedSemaphorePermit>,
    /// Its number among those that wait.
    ticket: Option<u64>,
    /// Since when nothing has happened.
    quiet_since: Instant,
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
    /// Whether there is no move, as the opponent can still complete the draw that was accepted.
    is_held: bool,
}

impl Drop for Playing {
    fn drop(&mut self) {
        if let Some(ticket) = self.ticket {
            self.table.wait_no_more(ticket);
        }
    }
}

impl Playing {
    /// Begins a game, whose terms were signed just now.
    pub fn begin(
        table: &Arc<Table>,
        open: OpenGame,
        key: &LockedKey,
        place: Option<OwnedSemaphorePermit>,
    ) -> Result<Self, Failure> {
        let failed = |error: SeatError<KeyringError>| Failure::Other(error.to_string());
        let player = TermsPlayer::begin(&open, key.once_more()).map_err(failed)?;
        let kept = table.games.keep_open(player.number(), &open);
        kept.map_err(|error| Failure::Other(error.to_string()))?;
        Ok(Self::of(table, player, open, key, place))
    }

    /// Resumes a game that was begun before.
    pub fn resume(
        table: &Arc<Table>,
        open: OpenGame,
        key: &LockedKey,
        place: Option<OwnedSemaphorePermit>,
    ) -> Result<Self, SeatError<KeyringError>> {
        let player = TermsPlayer::resume(&open, key.once_more())?;
        Ok(Self::of(table, player, open, key, place))
    }

    fn of(
        table: &Arc<Table>,
        player: TermsPlayer,
        open: OpenGame,
        key: &LockedKey,
        place: Option<OwnedSemaphorePermit>,
    ) -> Self {
        Self {
            player,
            open,
            key: key.once_more(),
            stop: table.stop.clone(),
            ticket: place.is_none().then(|| table.wait()),
            place,
            quiet_since: Instant::now(),
            has_met: false,
            alone_since: None,
            turn: Turn::default(),
            trouble: None,
            table: Arc::clone(table),
        }
    }

    pub fn told(&self) -> BotGame {
        let seat = self.player.player();
        let terms = &self.player.terms().terms;
        BotGame {
            number: self.player.number(),
            opponent: terms.players.get(seat.opponent()).account(),
            is_program: *terms.programs.get(seat.opponent()),
            seat,
            game: self.player.latest(),
        }
    }

    /// Plays it, and its rematches. Returns it if it is not over.
    pub async fn play(mut self) -> Option<BotGame> {
        loop {
            match self.until_end().await {
                Left::Unfinished => return Some(self.told()),
                Left::NotBegun => {
                    self.forget().await;
                    return None;
                }
                Left::Over => self.end().await,
            }
            let terms = self.rematch().await?;
            let open = OpenGame {
                terms,
                ..self.open.clone()
            };
            let place = self.place.take();
            match Self::begin(&self.table, open, &self.key, place) {
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
            let latest = self.player.latest();
            if latest.is_over() {
                return Left::Over;
            }
            self.think(&latest);
            // What the relay says and the time that passes are heard while the thread thinks.
            let left = tokio::select! {
                biased;
                () = stopped(&mut self.stop) => {
                    self.hand_over().await;
                    Some(Left::Unfinished)
                }
                verdict = from(&mut self.turn.verdict_to_come) => {
                    self.judged(verdict).await
                }
                chosen = from(&mut self.turn.move_to_come) => self.chose(chosen.flatten()).await,
                () = until(self.turn.at), if self.is_ready() => self.make().await,
                event = self.player.next() => self.hear(event).await,
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

    /// Has the thread think about what is to be decided now.
    fn think(&mut self, latest: &Game) {
        let is_turn = latest.to_move() == Some(self.player.player());
        if self.turn.moves != latest.moves() || !is_turn {
            self.turn = Turn {
                moves: latest.moves(),
                ..Turn::default()
            };
        }
        if !is_turn {
            return;
        }
        let turn = &mut self.turn;
        if self.player.offer().is_some() && !turn.has_judged {
            turn.has_judged = true;
            turn.verdict_to_come = Some(self.table.mind.accepts(latest.position()));
        }
        if turn.at.is_none() {
            turn.at = Some(Instant::now() + PACE);
            let pie_rule = self.player.terms().terms.pie_rule;
            turn.move_to_come = Some(self.table.mind.choose(*latest, pie_rule));
        }
    }

    async fn judged(&mut self, verdict: Option<bool>) -> Option<Left> {
        match verdict {
            Some(true) => match self.player.accept_draw() {
                Ok(()) => {}
                // It does not stand any more.
                Err(SeatError::Refused(_)) => {}
                Err(error) => self.complain(error.to_string()).await,
            },
            Some(false) | None => {
                self.player.decline_draw();
            }
        }
        None
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
        let made = match self.turn.chosen? {
            Move::Drop(bin) => self.player.drop(bin),
            Move::Swap => self.player.swap(),
            // None of them is legal in such a game.
            Move::Pop(_) | Move::Take(_) | Move::Clear(_) | Move::Float(_) => {
                Err(Refusal::NoSuchBin.into())
            }
        };
        match made {
            Ok(()) => self.moved(),
            // The opponent can still complete the draw that was accepted: until it lapses there is no move.
            Err(SeatError::Refused(Refusal::AlreadyOffered)) => {
                self.turn.is_held = true;
                self.make_again(AGAIN);
            }
            // This one was signed before the program was killed.
            Err(SeatError::Bound(bin)) => self.turn.chosen = Some(Move::Drop(Bin::new(bin))),
            Err(error @ SeatError::Keep(_)) => {
                self.make_again(AGAIN);
                self.complain(error.to_string()).await;
            }
            Err(error) => {
                self.complain(error.to_string()).await;
                return Some(Left::Unfinished);
            }
        }
        None
    }

    fn make_again(&mut self, after: Duration) {
        self.turn.at = Some(Instant::now() + after);
    }

    async fn hear(&mut self, event: TermsEvent) -> Option<Left> {
        self.look();
        match event {
            TermsEvent::Changed => self.moved(),
            TermsEvent::Tick => return self.wait().await,
            TermsEvent::NotTaken(error) => self.complain(error.to_string()).await,
            // What they change is looked at with the next turn of the loop.
            TermsEvent::Offered
            | TermsEvent::Relay
            | TermsEvent::Rematch
            | TermsEvent::Chain(_) => {}
        }
        None
    }

    /// Something has happened: the opponent is back, if it was silent.
    fn moved(&mut self) {
        self.quiet_since = Instant::now();
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

    /// Looks whether the opponent has come.
    fn look(&mut self) {
        match self.player.relay() {
            RelayState::Connected { opponent: true } => {
                self.alone_since = None;
                if !self.has_met {
                    self.has_met = true;
                    self.table.wary().agreed(self.opponents_key());
                }
            }
            RelayState::Connected { opponent: false } => {
                self.alone_since.get_or_insert_with(Instant::now);
            }
            _ => self.alone_since = None,
        }
    }

    fn has_opponent_moved(&self) -> bool {
        let before = match self.player.player().opponent() {
            Player::One => 0,
            Player::Two => 1,
        };
        self.player.latest().moves() > before
    }

    fn opponents_key(&self) -> Address {
        let players = &self.player.terms().terms.players;
        players.get(self.player.player().opponent()).key()
    }

    /// Forgets a game that has not begun, and answers its opponent's seeks less often.
    async fn forget(&mut self) {
        self.table
            .wary()
            .failed(self.opponents_key(), Instant::now());
        let forgotten = self.table.games.forget_open(self.player.number());
        if let Err(error) = forgotten {
            self.complain(error.to_string()).await;
        }
        self.table.say(BotNews::NotBegun(self.told())).await;
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
        let is_there = *self.player.relay() == (RelayState::Connected { opponent: true });
        let patience = if is_there {
            away.saturating_mul(THINKING)
        } else {
            away
        };
        let is_theirs = self.player.latest().to_move() != Some(self.player.player());
        // One who makes an offer again and again that was accepted is waited for as well.
        let waits = is_theirs || !is_there || self.turn.is_held;
        if self.quiet_since.elapsed() > patience && waits {
            self.place = None;
            self.ticket = Some(self.table.wait());
            self.table.say(BotNews::Waits(self.told())).await;
        }
        None
    }

    /// Says what does not work, once.
    async fn complain(&mut self, text: String) {
        if self.trouble.as_ref() != Some(&text) {
            let said = format!("game {}: {text}", self.player.number());
            self.table.say(BotNews::Trouble(said)).await;
            self.trouble = Some(text);
        }
    }

    /// Waits for what happens next, for a while.
    async fn next_until(&mut self, until: Instant) -> Option<TermsEvent> {
        timeout_at(until, self.player.next()).await.ok()
    }

    /// Waits until the opponent can have the last move, before the program ends.
    async fn hand_over(&mut self) {
        let until = Instant::now() + GRACE;
        let is_connected =
            |player: &TermsPlayer| matches!(player.relay(), RelayState::Connected { .. });
        while is_connected(&self.player)
            && self.player.latest().moves() > 0
            && !self.player.is_told()
        {
            if self.next_until(until).await.is_none() {
                break;
            }
        }
    }

    /// Waits until the opponent can have the end and has agreed, and keeps what both have signed.
    async fn end(&mut self) {
        let begun = Instant::now();
        while !(self.player.is_told() && self.player.is_agreed()) {
            let is_connected = matches!(self.player.relay(), RelayState::Connected { .. });
            let until = begun + if is_connected { GRACE } else { RETURN };
            let is_over = Instant::now() >= until;
            if is_over || *self.stop.borrow() || self.next_until(until).await.is_none() {
                break;
            }
        }
        let (number, domain) = (self.player.number(), self.open.domain);
        let kept = self
            .table
            .games
            .keep_played(number, domain, &self.player.played());
        if let Err(error) = kept {
            self.complain(error.to_string()).await;
        }
        self.table.say(BotNews::Ended(self.told())).await;
    }

    /// Waits whether the opponent wants a rematch, and agrees to one. Returns its terms.
    async fn rematch(&mut self) -> Option<SignedTerms> {
        // A rematch takes the place of this game.
        self.place.as_ref()?;
        let [to_propose, to_agree] = REMATCH;
        let mut until = Instant::now() + to_propose;
        let mut has_agreed = false;
        loop {
            if let Some(terms) = self.player.next_terms() {
                return Some(*terms);
            }
            if self.table.is_last.load(Ordering::Relaxed) && !has_agreed {
                return None;
            }
            if self.player.is_rematch_proposed() && !has_agreed {
                has_agreed = self.player.propose_rematch().is_ok();
                until = Instant::now() + to_agree;
            }
            let is_alone = *self.player.relay() == (RelayState::Connected { opponent: false });
            if is_alone && !has_agreed {
                return None;
            }
            tokio::select! {
                biased;
                () = stopped(&mut self.stop) => return None,
                event = timeout_at(until, self.player.next()) => {
                    event.ok()?;
                }
            }
        }
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
