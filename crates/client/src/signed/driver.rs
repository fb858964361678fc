//! The task around a player: it gives the machine what happens, and does what the machine says.

use std::collections::VecDeque;
use std::time::Duration;

use codec::Encode;
use connect4_protocol::signed::staked_room::{self, FromStakedRoom, ToStakedRoom};
use connect4_protocol::signed::wire::{self, FromWitness, ToWitness};
use connect4_protocol::signed::{GameNumber, Moves, Native, Presence, SessionKey, StakesError};
use connect4_rules::Player as Side;
use connect4_seat::{
    Call, Input, Message, Output, Player, PlayerError, SeatError, Stage, WrongClock,
};
use tokio::sync::{Notify, mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::{Interval, MissedTickBehavior, interval};

use super::KeyringError;
use super::around::Around;
use super::ask::Ask;
use super::carrier::Carrier;
use super::chain::{ChainWatch, FromChain, Sought, guarded};
use super::clocks::machine;
use super::duty::was_done;
use super::records::RecordShelf;
use super::room::{FromRoom, RoomLink, RoomState, RoomWords};
use super::view::{NewestBlock, View};
use crate::accounts::account::Signer;
use crate::chain::block_ref::BlockRef;
use crate::contracts::receipt::Receipt;
use crate::contracts::stakes::Stakes;
use crate::error::Error;
use crate::task::Task;

/// How often the time is looked at.
const TICK: Duration = Duration::from_secs(1);
/// After how many of them the opponent's program is told again what it may have missed.
const TELL_AGAIN: u32 = 10;

/// What has happened, beside what is shown.
#[derive(Debug)]
pub enum News {
    /// A transaction was made.
    Sent(Call, Box<Receipt<()>>),
    /// A transaction was not made, or may have been made all the same where the error says so. What has to be done is
    /// tried again; what a person has asked for is not.
    NotSent(Call, Error),
    /// The chain could not be read, for this reason. It is tried again.
    NotSeen(Error),
    /// What has come was not taken, for this reason.
    NotTaken(PlayerError<KeyringError>),
}

/// What has come of a transaction, and the number that it was signed with last.
type Tried = (Result<Receipt<()>, Error>, Option<u64>);

/// A transaction that is to be made.
struct Wanted {
    call: Call,
    /// The newest block when it was decided on.
    seen: Option<BlockRef>,
    /// Whether the person has asked for it.
    is_asked: bool,
}

/// Transactions of one kind, of which one is made after the other.
#[derive(Default)]
struct Lane {
    waiting: VecDeque<Wanted>,
    /// The one that is being made.
    sending: Option<(Wanted, JoinHandle<Tried>)>,
}

/// Transactions that a clock asks for, and all others: those never wait for these.
#[derive(Default)]
struct Lanes {
    urgent: Lane,
    other: Lane,
}

impl Lanes {
    const fn of(&mut self, call: &Call) -> &mut Lane {
        match call {
            Call::Advance { .. } | Call::Press | Call::Drop { .. } | Call::Claim => {
                &mut self.urgent
            }
            Call::Fund { .. } | Call::Refund | Call::Withdraw | Call::Free => &mut self.other,
        }
    }

    /// Waits until a transaction was made, or was not.
    async fn finished(&mut self) -> (Wanted, Option<Tried>) {
        tokio::select! {
            biased;
            done = self.urgent.finished() => done,
            done = self.other.finished() => done,
        }
    }
}

impl Lane {
    /// A call that waits or is being made is not made twice. What the program has to do comes before what the person
    /// wants.
    fn queue(&mut self, wanted: Wanted) {
        let is_same = |other: &Wanted| other.call == wanted.call;
        let is_being_made = self.sending.as_ref().is_some_and(|(sent, _)| is_same(sent));
        if is_being_made || self.waiting.iter().any(is_same) {
            return;
        }
        match wanted.is_asked {
            true => self.waiting.push_back(wanted),
            false => {
                let asked = self.waiting.iter().position(|other| other.is_asked);
                let at = asked.unwrap_or(self.waiting.len());
                self.waiting.insert(at, wanted);
            }
        }
    }

    /// Waits for the transaction that is being made, and leaves its place; without what has come of it if its task is
    /// gone.
    async fn finished(&mut self) -> (Wanted, Option<Tried>) {
        let tried = match &mut self.sending {
            Some((_, task)) => task.await.ok(),
            None => std::future::pending().await,
        };
        match self.sending.take() {
            Some((wanted, _)) => (wanted, tried),
            None => std::future::pending().await,
        }
    }
}

pub(super) struct Driver {
    player: Player<RecordShelf, SessionKey>,
    stakes: Option<(Stakes, Signer)>,
    relay: Option<String>,
    carrier: Option<Carrier>,
    room: Option<RoomLink<ToWitness, FromWitness>>,
    /// The room of a game with a stake.
    staked: Option<RoomLink<ToStakedRoom, FromStakedRoom>>,
    /// The game whose room was entered last of those with a stake.
    met: Option<GameNumber>,
    /// The key that plays; none if it is not on the disk any more.
    key: Option<SessionKey>,
    state: RoomState,
    /// By how many seconds the clock of the witness is ahead.
    ahead: i64,
    chain: Option<ChainWatch>,
    /// The newest block that was shown to the player.
    newest: Option<BlockRef>,
    /// When that one was shown, and its time.
    seen: Option<NewestBlock>,
    lanes: Lanes,
    /// The disc of which is not known whether it is made, and the number of its transaction: it is sent again with the
    /// same one, so that it is made once.
    disc: Option<(Call, u64)>,
    /// What could not be seen or was not taken last, in words: it is told once.
    told: Option<String>,
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
            games,
            stakes,
            carrier,
            ahead,
            ..
        } = around;
        let stakes = stakes.filter(|_| offer.terms.stake > 0);
        let key = games.keyring().key(player.shelf().name().key()).ok();
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
            ahead,
            block: None,
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
            staked: None,
            met: None,
            key,
            state: RoomState::None,
            ahead,
            chain,
            newest: None,
            seen: None,
            lanes: Lanes::default(),
            disc: None,
            told: None,
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
        self.put(first, false);
        loop {
            self.begin_calls();
            // The relay and the opponent come last: whatever they send, the chain and the time are looked at.
            tokio::select! {
                biased;
                ask = self.asked.recv() => match ask {
                    Some(ask) => self.answer(ask),
                    None => return,
                },
                (wanted, tried) = self.lanes.finished() => self.take_tried(wanted, tried),
                seen = shown(&mut self.chain) => self.see(seen),
                _ = self.tick.tick() => self.pass_time(),
                heard = heard(&mut self.room) => self.hear(heard),
                heard = heard(&mut self.staked) => self.hear_opponent(heard),
                told = told(&mut self.carrier) => {
                    let input = told.map_or(Input::Connected, Input::Message);
                    self.take(input);
                }
            }
            // The chain is asked for the game as the player knows it now, and its opponent is met in its room.
            self.seek();
            if self.player.number() != self.met {
                self.meet();
            }
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
        let is_asked = matches!(input, Input::Command(_));
        let outputs = self.player.step(input)?;
        self.put(outputs, is_asked);
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
            Err(error) => self.tell_once(error.to_string(), News::NotTaken(error)),
        }
    }

    fn tell(&self, news: News) {
        // A program that does not read it has no use for it.
        let _ = self.news.try_send(news);
    }

    /// Tells what would be told again and again, unless it was told last. Half of the places are left for what has come
    /// of transactions.
    fn tell_once(&mut self, text: String, news: News) {
        let is_new = self.told.as_ref() != Some(&text);
        if is_new && self.news.capacity() > self.news.max_capacity() / 2 {
            self.tell(news);
            self.told = Some(text);
        }
    }

    fn put(&mut self, outputs: impl IntoIterator<Item = Output>, is_asked: bool) {
        for output in outputs {
            match output {
                Output::Send(message) => {
                    self.say_to_opponent(&message);
                    if let Some(carrier) = &self.carrier {
                        // It is told again.
                        let _ = carrier.to_opponent.try_send(message);
                    }
                }
                Output::Call(call) => {
                    let seen = self.newest;
                    self.lanes.of(&call).queue(Wanted {
                        call,
                        seen,
                        is_asked,
                    });
                }
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

    /// Begins to make the next transactions. They continue if nobody waits for them.
    fn begin_calls(&mut self) {
        let Some((stakes, signer)) = self.stakes.clone() else {
            return;
        };
        for is_urgent in [true, false] {
            let lane = match is_urgent {
                true => &mut self.lanes.urgent,
                false => &mut self.lanes.other,
            };
            if lane.sending.is_some() {
                continue;
            }
            let Some((wanted, game)) = next_of(lane, &mut self.player) else {
                continue;
            };
            let mut number = match &self.disc {
                Some((disc, number)) if *disc == wanted.call => Some(*number),
                _ => None,
            };
            let (stakes, signer) = (stakes.clone(), signer.clone());
            let (call, seen) = (wanted.call.clone(), wanted.seen);
            let task = tokio::spawn(async move {
                let sent = stakes.send(&signer, game, &call, seen, &mut number);
                let sent = guarded(&Task::FollowChain, sent).await;
                (sent, number)
            });
            lane.sending = Some((wanted, task));
        }
    }

    fn take_tried(&mut self, wanted: Wanted, tried: Option<Tried>) {
        let Wanted { call, is_asked, .. } = wanted;
        let (tried, number) = tried.unwrap_or_else(|| {
            let gone = Error::Unexpected {
                task: Task::FollowChain,
                reason: "the task that was sending is gone".into(),
            };
            (Err(gone), None)
        });
        if let Call::Drop { .. } = call {
            self.disc = match (&tried, number) {
                // Its number is another transaction's: it is not made any more.
                (Ok(_) | Err(Error::Overtaken { .. }), _) => None,
                (Err(_), number) => number.map(|number| (call.clone(), number)),
            };
        }
        match tried {
            Ok(receipt) => self.tell(News::Sent(call, Box::new(receipt))),
            Err(error) if is_done(&error) && !is_asked => {}
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
                self.told = None;
                if !is_final {
                    self.newest = Some(block);
                    self.seen = Some(NewestBlock {
                        time: sight.time,
                        seen: machine(),
                    });
                }
                self.take(Input::Block { sight, is_final });
            }
            FromChain::Taken(terms) => self.take(Input::Paid(terms)),
            FromChain::NotSeen(error) => self.tell_once(error.to_string(), News::NotSeen(error)),
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
        let is_turn = self.ticks.is_multiple_of(TELL_AGAIN);
        if is_turn && self.staked.is_none() {
            self.meet();
        }
        if is_turn && (self.carrier.is_some() || self.staked.is_some()) {
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
            let path = wire::path(witness, number);
            self.room = Some(RoomLink::open(relay, path, wire::MAX_LEN));
            self.state = RoomState::Entering;
        }
    }

    /// Enters the room of a game with a stake, as far as its terms are known.
    fn meet(&mut self) {
        let (Some(_), Some(relay)) = (&self.stakes, &self.relay) else {
            return;
        };
        self.met = self.player.number();
        self.staked = self.met.map(|number| {
            let path = staked_room::path(number);
            RoomLink::open(relay, path, staked_room::MAX_LEN)
        });
        self.state = match self.staked {
            Some(_) => RoomState::Entering,
            None => RoomState::None,
        };
    }

    /// Says it in the room of a game with a stake. What is not heard is told again.
    fn say_to_opponent(&self, message: &Message) {
        let Some(room) = &self.staked else {
            return;
        };
        match message {
            Message::Evidence(evidence) => room.say(ToStakedRoom::Position(*evidence)),
            Message::Draw(offer) => room.say(ToStakedRoom::Offer(*offer)),
            // The room is opened by the terms, and a payment is seen on the chain.
            Message::Taken(_)
            | Message::Terms(_)
            | Message::Tossed(_)
            | Message::Decided { .. }
            | Message::Accepted(_) => {}
        }
    }

    /// What the room of a game with a stake says. It passes on what the opponent has said, which is checked.
    fn hear_opponent(&mut self, heard: Option<FromRoom<FromStakedRoom>>) {
        let side = self.player.side();
        match heard {
            Some(FromRoom::Said(message)) => match *message {
                FromStakedRoom::Welcome { nonce } => self.enter_staked(nonce),
                FromStakedRoom::Present(present) => {
                    let opponent = side.map(Side::opponent);
                    let is_there = |side: Side| *present.players.get(side);
                    self.state = RoomState::Entered {
                        opponent: opponent.is_some_and(is_there),
                    };
                }
                FromStakedRoom::Position { by, evidence } if Some(by) != side => {
                    self.take(Input::Message(Message::Evidence(evidence)));
                }
                FromStakedRoom::Offer { by, offer } if Some(by) != side => {
                    self.take(Input::Message(Message::Draw(offer)));
                }
                FromStakedRoom::Position { .. }
                | FromStakedRoom::Offer { .. }
                | FromStakedRoom::Refused(_) => {}
            },
            Some(FromRoom::Closed(why)) => self.state = RoomState::Lost(why),
            // The room has refused: it is entered again after a while.
            None => self.staked = None,
        }
    }

    fn enter_staked(&mut self, nonce: [u8; 32]) {
        let stakes = self.stakes.as_ref().map(|(stakes, _)| stakes.domain());
        let terms = self.player.terms().copied();
        let own = self.player.number().zip(self.player.side());
        let (Some(domain), Some(terms), Some((game, side))) = (stakes, terms, own) else {
            return;
        };
        let presence = Presence { game, nonce }.digest(&domain, &Native);
        let signature = self.key.as_ref().map(|key| key.sign(&presence));
        if let Some(room) = &self.staked {
            room.say(ToStakedRoom::Enter {
                domain,
                terms,
                player: signature.map(|signature| (side, signature)),
            });
        }
        self.take(Input::Connected);
    }

    fn hear(&mut self, heard: Option<FromRoom<FromWitness>>) {
        match heard {
            Some(FromRoom::Said(message)) => match *message {
                FromWitness::Welcome { time, .. } => self.welcome(time / 1_000, *message),
                FromWitness::Present(present) => {
                    let opponent = self.player.side().map(Side::opponent);
                    let is_there = |side: Side| *present.players.get(side);
                    self.state = RoomState::Entered {
                        opponent: opponent.is_some_and(is_there),
                    };
                    self.take(Input::Room(*message));
                }
                _ => self.take(Input::Room(*message)),
            },
            Some(FromRoom::Closed(why)) => {
                self.state = RoomState::Lost(why);
                self.take(Input::Closed);
            }
            // The room has refused: the player asks for it again after a while.
            None => self.room = None,
        }
    }

    /// The room says for which chain its games are signed, and what time it is there. A relay that anybody can name is
    /// believed neither another chain nor a time that is far from this machine's.
    fn welcome(&mut self, time: u64, message: FromWitness) {
        let machine = machine();
        let refused = match WrongClock::shown_by(time, machine) {
            Some(wrong) => Some(wrong.to_string()),
            None => {
                let seconds = i64::try_from(time).unwrap_or(i64::MAX);
                self.ahead = seconds.saturating_sub_unsigned(machine);
                match self.step(Input::Room(message)) {
                    Err(error @ PlayerError::OtherPlace) => Some(error.to_string()),
                    Err(error) => {
                        self.tell_once(error.to_string(), News::NotTaken(error));
                        None
                    }
                    Ok(()) => None,
                }
            }
        };
        match refused {
            None => self.state = RoomState::Entered { opponent: false },
            // The player asks for it again after a while.
            Some(why) => {
                self.room = None;
                self.state = RoomState::Lost(why);
                self.take(Input::Closed);
            }
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
            block: self.seen,
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
pub(super) fn is_done(error: &Error) -> bool {
    let is_paid = matches!(
        error,
        Error::StakesRefused {
            error: StakesError::Begun | StakesError::AlreadyPaid,
            ..
        }
    );
    is_paid || was_done(error)
}

/// The next transaction of a lane that is still to be made, and the game.
fn next_of(
    lane: &mut Lane,
    player: &mut Player<RecordShelf, SessionKey>,
) -> Option<(Wanted, GameNumber)> {
    loop {
        let wanted = lane.waiting.pop_front()?;
        let due = player.known().due.as_ref().map(|(due, _)| due);
        let call = match (&wanted.call, due) {
            // What is paid depends on what the account is owed now.
            (Call::Fund { .. }, Some(due @ Call::Fund { .. })) => due.clone(),
            (Call::Refund, Some(Call::Refund)) => Call::Refund,
            // It was decided on before the person, or a block, has said otherwise.
            (Call::Fund { .. } | Call::Refund, _) => continue,
            (call, _) => call.clone(),
        };
        // An account is paid what it is owed of all games.
        let game = match call {
            Call::Withdraw => player.number().unwrap_or(GameNumber([0; 32])),
            _ => match player.number() {
                Some(game) => game,
                None => continue,
            },
        };
        return Some((Wanted { call, ..wanted }, game));
    }
}

async fn shown(chain: &mut Option<ChainWatch>) -> FromChain {
    match chain {
        Some(chain) => match chain.next().await {
            Some(seen) => seen,
            // Its task ends with the driver alone.
            None => std::future::pending().await,
        },
        None => std::future::pending().await,
    }
}

pub(super) async fn heard<T, F>(room: &mut Option<RoomLink<T, F>>) -> Option<FromRoom<F>>
where
    T: Encode + Send + Sync + 'static,
    F: RoomWords,
{
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

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(call: Call, is_asked: bool) -> Wanted {
        Wanted {
            call,
            seen: None,
            is_asked,
        }
    }

    #[tokio::test]
    async fn what_the_clock_asks_for_waits_for_nothing_else() {
        let mut lanes = Lanes::default();
        // A transaction that never comes to an end.
        let hangs = tokio::spawn(std::future::pending::<Tried>());
        lanes.of(&Call::Withdraw).sending = Some((wanted(Call::Withdraw, true), hangs));
        let lane = lanes.of(&Call::Claim);
        assert!(lane.sending.is_none());
        lane.queue(wanted(Call::Press, true));
        lane.queue(wanted(Call::Claim, false));
        lane.queue(wanted(Call::Claim, false));
        let order: Vec<Call> = lane
            .waiting
            .iter()
            .map(|wanted| wanted.call.clone())
            .collect();
        assert_eq!(order, [Call::Claim, Call::Press]);
    }

    #[tokio::test]
    async fn a_task_that_is_gone_leaves_its_place() {
        let mut lanes = Lanes::default();
        let dies = tokio::spawn(async { panic!("as a decoder could") });
        lanes.urgent.sending = Some((wanted(Call::Claim, false), dies));
        let (gone, tried) = lanes.finished().await;
        assert_eq!(gone.call, Call::Claim);
        assert!(tried.is_none());
        assert!(lanes.urgent.sending.is_none());
    }
}
