//! The task around a player: it gives the machine what happens, and does what the machine says.

use std::collections::VecDeque;
use std::time::Duration;

use connect4_protocol::fast::SessionKey;
use connect4_protocol::signed::wire::FromWitness;
use connect4_protocol::signed::{Moves, StakesError};
use connect4_rules::Player as Side;
use connect4_seat::{Call, Input, Message, Output, Player, PlayerError, SeatError, Stage};
use tokio::sync::{Notify, mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::{Interval, MissedTickBehavior, interval};

use super::carrier::Carrier;
use super::chain::{ChainWatch, FromChain, Sought};
use super::player::{Around, Ask, View};
use super::records::RecordShelf;
use super::room::{FromRoom, RoomLink, RoomState};
use crate::accounts::account::Signer;
use crate::chain::block_ref::BlockRef;
use crate::contracts::receipt::Receipt;
use crate::contracts::stakes::Stakes;
use crate::error::Error;
use crate::fast::KeyringError;
use crate::fast::clocks::machine;
use crate::fast::duty::was_done;

/// How often the time is looked at.
const TICK: Duration = Duration::from_secs(1);
/// After how many of them the opponent's program is told again what it may have missed.
const TELL_AGAIN: u32 = 10;

/// What has happened, beside what is shown.
#[derive(Debug)]
pub enum News {
    /// A transaction was made.
    Sent(Call, Box<Receipt<()>>),
    /// A transaction was not made, for this reason. What has to be done is tried again.
    NotSent(Call, Error),
    /// The chain could not be read, for this reason. It is tried again.
    NotSeen(Error),
    /// What has come was not taken, for this reason.
    NotTaken(PlayerError<KeyringError>),
}

/// A transaction that was tried.
type Tried = (Call, Result<Receipt<()>, Error>);

pub(super) struct Driver {
    player: Player<RecordShelf, SessionKey>,
    stakes: Option<(Stakes, Signer)>,
    relay: Option<String>,
    carrier: Option<Carrier>,
    room: Option<RoomLink>,
    state: RoomState,
    /// By how many seconds the clock of the witness is ahead.
    ahead: i64,
    chain: Option<ChainWatch>,
    /// The newest block that was shown to the player.
    newest: Option<BlockRef>,
    /// Transactions that are to be made, each with the newest block when it was decided on.
    calls: VecDeque<(Call, Option<BlockRef>)>,
    /// The one that is being made.
    sending: Option<(Call, JoinHandle<Tried>)>,
    asked: mpsc::Receiver<Ask>,
    news: mpsc::Sender<News>,
    view: watch::Sender<View>,
    tick: Interval,
    ticks: u32,
}

impl Driver {
    pub(super) fn new(
        around: Around,
        mut player: Player<RecordShelf, SessionKey>,
        asked: mpsc::Receiver<Ask>,
        news: mpsc::Sender<News>,
    ) -> (Self, watch::Receiver<View>) {
        let offer = &player.record().offer;
        let relay = around.relay(offer);
        let Around {
            stakes, carrier, ..
        } = around;
        let stakes = stakes.filter(|_| offer.terms.stake > 0);
        let since = player.shelf().since();
        let sought = sought(&player);
        let chain = stakes
            .as_ref()
            .map(|(stakes, signer)| ChainWatch::open(stakes, signer.address(), sought, since));
        let view = View {
            shown: player.shown(),
            moves: moves_of(&player),
            room: RoomState::None,
            finished: None,
            ahead: 0,
        };
        let (view, seen) = watch::channel(view);
        let mut tick = interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let driver = Self {
            player,
            stakes,
            relay,
            carrier,
            room: None,
            state: RoomState::None,
            ahead: 0,
            chain,
            newest: None,
            calls: VecDeque::new(),
            sending: None,
            asked,
            news,
            view,
            tick,
            ticks: 0,
        };
        (driver, seen)
    }

    /// Plays until nobody holds the player any more.
    pub(super) async fn run(mut self, first: Option<Output>) {
        self.put(first);
        loop {
            self.begin_call();
            // The relay and the opponent come last: whatever they send, the chain and the time are looked at.
            tokio::select! {
                biased;
                ask = self.asked.recv() => match ask {
                    Some(ask) => self.answer(ask),
                    None => return,
                },
                tried = finished(&mut self.sending) => self.take_tried(tried),
                seen = shown(&mut self.chain) => self.see(seen),
                _ = self.tick.tick() => self.pass_time(),
                heard = heard(&mut self.room) => self.hear(heard),
                told = told(&mut self.carrier) => {
                    let input = told.map_or(Input::Connected, Input::Message);
                    self.take(input);
                }
            }
            // The chain is asked for the game as the player knows it now.
            self.seek();
            self.show();
        }
    }

    fn answer(&mut self, ask: Ask) {
        match ask {
            Ask::Command(command, answer) => {
                let done = self.step(Input::Command(command));
                // A program looks at it after the answer.
                self.show();
                // It may have left.
                let _ = answer.send(done);
            }
            Ask::Tell(message, answer) => {
                let done = self.step(Input::Message(*message));
                self.show();
                let _ = answer.send(done);
            }
            Ask::Rematch {
                until,
                nonce,
                answer,
            } => {
                let _ = answer.send(self.player.rematch(until, nonce));
            }
            Ask::IsRematch(offer, answer) => {
                let _ = answer.send(self.player.is_rematch(&offer));
            }
        }
    }

    fn step(&mut self, input: Input) -> Result<(), PlayerError<KeyringError>> {
        let was_agreed = self.is_agreed();
        let outputs = self.player.step(input)?;
        self.put(outputs);
        if !was_agreed && self.is_agreed() && !self.player.known().is_in_room {
            // There was no room for terms that one player had signed.
            self.room = None;
            self.enter();
        }
        Ok(())
    }

    fn is_agreed(&self) -> bool {
        let room = self.player.record().room.as_ref();
        room.is_some_and(|room| room.is_agreed())
    }

    /// Takes what nobody here has asked for.
    fn take(&mut self, input: Input) {
        match self.step(input) {
            Ok(()) => {}
            // Anyone may say anything.
            Err(PlayerError::Seat(SeatError::Refused(_)) | PlayerError::Refused(_)) => {}
            Err(error) => self.tell(News::NotTaken(error)),
        }
    }

    fn tell(&self, news: News) {
        // A program that does not read it has no use for it.
        let _ = self.news.try_send(news);
    }

    fn put(&mut self, outputs: impl IntoIterator<Item = Output>) {
        for output in outputs {
            match output {
                Output::Send(message) => {
                    if let Some(carrier) = &self.carrier {
                        // It is told again.
                        let _ = carrier.to_opponent.try_send(message);
                    }
                }
                Output::Call(call) => self.queue(call),
                Output::Enter => self.enter(),
                Output::Say(message) => {
                    if let Some(room) = &self.room {
                        room.say(message);
                    }
                }
                Output::Leave => {
                    self.room = None;
                    self.state = RoomState::None;
                }
            }
        }
    }

    /// A call that waits or is being made is not made twice.
    fn queue(&mut self, call: Call) {
        let is_being_made = self.sending.as_ref().is_some_and(|(sent, _)| *sent == call);
        let waits = self.calls.iter().any(|(waiting, ..)| *waiting == call);
        if !is_being_made && !waits {
            self.calls.push_back((call, self.newest));
        }
    }

    /// Begins to make the next transaction. It continues if nobody waits for it.
    fn begin_call(&mut self) {
        if self.sending.is_some() {
            return;
        }
        let (Some((stakes, signer)), Some(number)) = (&self.stakes, self.player.number()) else {
            return;
        };
        let Some((call, seen)) = self.calls.pop_front() else {
            return;
        };
        let (stakes, signer, sent) = (stakes.clone(), signer.clone(), call.clone());
        let task = tokio::spawn(async move {
            let sent = stakes.send(&signer, number, &call, seen).await;
            (call, sent)
        });
        self.sending = Some((sent, task));
    }

    fn take_tried(&mut self, (call, tried): Tried) {
        self.sending = None;
        match tried {
            Ok(receipt) => self.tell(News::Sent(call, Box::new(receipt))),
            Err(error) if is_done(&error) => {}
            Err(error) => self.tell(News::NotSent(call, error)),
        }
    }

    fn see(&mut self, seen: FromChain) {
        match seen {
            FromChain::Block {
                sight,
                block,
                is_final,
            } => {
                // It was looked at before somebody else took the offer.
                if sight.number != self.player.number() {
                    return;
                }
                if !is_final {
                    self.newest = Some(block);
                }
                self.take(Input::Block { sight, is_final });
            }
            FromChain::Taken(terms) => self.take(Input::Message(Message::Taken(terms))),
            FromChain::NotSeen(error) => self.tell(News::NotSeen(error)),
        }
    }

    fn seek(&self) {
        if let Some(chain) = &self.chain {
            chain.seek(sought(&self.player));
        }
    }

    fn pass_time(&mut self) {
        let time = machine().saturating_add_signed(self.ahead);
        self.take(Input::Time(time));
        self.ticks = self.ticks.wrapping_add(1);
        if self.ticks.is_multiple_of(TELL_AGAIN) && self.carrier.is_some() {
            let is_over = self.view.borrow().shown.stage == Stage::Over;
            if !is_over || self.stakes.is_some() {
                self.take(Input::Connected);
            }
        }
    }

    fn enter(&mut self) {
        let Some(number) = self.player.number() else {
            return;
        };
        let witness = self.player.terms().and_then(|terms| terms.witness);
        if let (None, Some(relay), Some(witness)) = (&self.room, &self.relay, witness) {
            self.room = Some(RoomLink::open(relay, witness, number));
            self.state = RoomState::Entering;
        }
    }

    fn hear(&mut self, heard: Option<FromRoom>) {
        match heard {
            Some(FromRoom::Said(message)) => {
                match *message {
                    FromWitness::Welcome { time, .. } => {
                        let seconds = i64::try_from(time / 1_000).unwrap_or(i64::MAX);
                        self.ahead = seconds.saturating_sub_unsigned(machine());
                        self.state = RoomState::Entered { opponent: false };
                    }
                    FromWitness::Present(present) => {
                        let opponent = self.player.side().map(Side::opponent);
                        let is_there = |side: Side| *present.players.get(side);
                        self.state = RoomState::Entered {
                            opponent: opponent.is_some_and(is_there),
                        };
                    }
                    _ => {}
                }
                self.take(Input::Room(*message));
            }
            Some(FromRoom::Closed(why)) => {
                self.state = RoomState::Lost(why);
                self.take(Input::Closed);
            }
            // The room has refused: the player asks for it again after a while.
            None => self.room = None,
        }
    }

    fn show(&mut self) {
        let shown = self.player.shown();
        let moves = moves_of(&self.player);
        let room = self.player.record().room.as_ref();
        let finished = room.and_then(|room| room.end?.finished(&room.agreed));
        let view = View {
            shown,
            moves,
            room: self.state.clone(),
            finished: finished.map(Box::new),
            ahead: self.ahead,
        };
        self.view.send_if_modified(|now| {
            let is_other = *now != view;
            if is_other {
                *now = view;
            }
            is_other
        });
    }
}

/// What is looked for on the chain.
fn sought(player: &Player<RecordShelf, SessionKey>) -> Sought {
    let record = player.record();
    let is_open = record.terms.is_none();
    Sought {
        game: player.number(),
        offer: is_open.then(|| record.offer.clone()),
    }
}

/// All moves that are known: those that the witness has told, or those that both have signed.
fn moves_of(player: &Player<RecordShelf, SessionKey>) -> Moves {
    match &player.record().room {
        Some(room) => room.moves(),
        None => player.journal().position.moves,
    }
}

/// Whether somebody else was faster, or time has gone on otherwise on the chain than it seemed.
fn is_done(error: &Error) -> bool {
    let is_paid = matches!(
        error,
        Error::StakesRefused {
            error: StakesError::Begun | StakesError::AlreadyPaid,
            ..
        }
    );
    is_paid || was_done(error)
}

async fn finished(sending: &mut Option<(Call, JoinHandle<Tried>)>) -> Tried {
    let tried = match sending {
        Some((_, task)) => task.await,
        None => std::future::pending().await,
    };
    match tried {
        Ok(tried) => tried,
        // The task neither panics nor is cancelled, but with the program.
        Err(_) => std::future::pending().await,
    }
}

async fn shown(chain: &mut Option<ChainWatch>) -> FromChain {
    match chain {
        Some(chain) => chain.next().await,
        None => std::future::pending().await,
    }
}

async fn heard(room: &mut Option<RoomLink>) -> Option<FromRoom> {
    match room {
        Some(room) => room.next().await,
        None => std::future::pending().await,
    }
}

/// What the opponent has told; none if it may listen now who did not before.
async fn told(carrier: &mut Option<Carrier>) -> Option<Message> {
    let Some(carrier) = carrier else {
        return std::future::pending().await;
    };
    let connected: &Notify = &carrier.connected;
    tokio::select! {
        () = connected.notified() => None,
        message = carrier.from_opponent.recv() => match message {
            Some(message) => Some(message),
            None => std::future::pending().await,
        },
    }
}
