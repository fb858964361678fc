//! A game with a stake, from the offer to the payment: the real [`Player`] against a cheat, on a real `StakedGame`.
//!
//! A block can be replaced by others until it is final; that it has the game is a demand on what is signed.

use std::cell::{OnceCell, RefCell};
use std::collections::HashSet;

use codec::{Decode, Encode};
use connect4_protocol::signed::staked_room::Offer;
use connect4_protocol::signed::{
    Evidence, GameNumber, Moves, Party, Signing as _, StakedGame, Terms, last_mover,
};
use connect4_protocol::{Address, ClockSpec};
use connect4_rules::{Bin, Player as Side};
use connect4_seat::{
    Call, Command, GameOffer, Input, Known, Message, Output, Player, Progress, Record, Refund,
    Shelf, Subject, Taker,
};

use super::cheating;
use super::check::{Violation, text, told};
use super::key::ModelKey;
use super::state::{Held, Left, SHAPE, START, insert};
use super::steps::Steps;
use crate::staked_world::{DOMAIN, Stakes};
use crate::world::account;

/// Blocks that can be replaced at once.
const DEPTH: usize = 2;
const STAKE: u128 = 1_000;
/// Last second of the offer.
pub const UNTIL: u64 = START + 3_600;

#[derive(Clone, Debug, Encode, Decode)]
pub struct State {
    pub chain: Stakes,
    pub now: u64,
    /// What the last blocks had, as many as can be replaced, and before them the last final one. The newest is the last.
    pub blocks: Vec<Stakes>,
    /// What the honest player's program knows. Its record is the disk.
    pub known: Known,
    /// Its transactions that are sent and get into the next block, and those that are late, and get into any later one.
    pub sent: Vec<Call>,
    pub late: Vec<Call>,
    /// When it acted last it saw the true chain, and had nothing to do in time.
    pub is_idle: bool,
    /// Until when it waits with what is due.
    pub waits: Option<u64>,

    /// Positions that the honest player has signed, its resignations and the draws that it has accepted, its offers.
    pub positions: Vec<Moves>,
    pub endings: Vec<Evidence>,
    pub offers: Vec<Offer>,
    /// Positions and resignations that the cheat has signed.
    pub signed: Vec<Moves>,
    pub resigned: Vec<Moves>,
    /// Whether a block has shown that the honest player's payment was paid back.
    pub was_refunded: bool,
    /// Whether the cheat has told of terms.
    pub is_taken: bool,
    /// What the honest player has sent, the newest last, where somebody else than the cheat may get it.
    pub mail: Vec<Message>,

    pub left: Left,
    pub held: Held,
}

/// What does not change in a search.
pub struct World {
    pub honest: Side,
    pub cheat: Side,
    pub offer: GameOffer,
    pub terms: Terms,
    pub number: GameNumber,
    pub subject: Subject,
    /// Moves that both have signed at the start.
    pub base: Vec<u8>,
    /// The search is about the payments, and ends with the first moves.
    pub is_funding: bool,
    /// It goes on with the moves all the same.
    pub has_moves: bool,
    /// Whether moves are made on the chain, too, as if there were no relay.
    pub has_no_relay: bool,
    /// Whether the honest player's program does not run, and a guard answers in its place.
    pub is_guarded: bool,
    /// Whether what the honest player sends is kept.
    pub has_mail: bool,
    /// Evidence that the cheat has made up, which is the same in each state.
    pub made_up: OnceCell<Vec<Evidence>>,
    /// That of it which a program takes.
    pub taken: OnceCell<Vec<Evidence>>,
    /// Games and times for which all of it was refused.
    pub refused: RefCell<HashSet<u128>>,
}

/// The disk, which notes what was kept in one step.
#[derive(Debug, Default)]
pub struct Disk(Option<Record>);

impl Disk {
    /// What was kept in this step; none if nothing.
    pub fn kept(&mut self) -> Option<Record> {
        self.0.take()
    }
}

impl Shelf for Disk {
    type Error = core::convert::Infallible;

    fn keep(&mut self, record: &Record) -> Result<(), Self::Error> {
        self.0 = Some(record.clone());
        Ok(())
    }

    fn may_have(&self, _: &Record) -> bool {
        true
    }

    fn has_key(&self, _: Address) -> bool {
        true
    }

    fn has_other(&self, _: GameNumber) -> bool {
        false
    }

    fn has_taken(&self, _: &GameOffer, _: Address) -> bool {
        false
    }

    fn is_held(&self) -> bool {
        true
    }
}

type Program = Player<Disk, ModelKey>;

fn party(side: Side) -> Party {
    Party::new(account(side), ModelKey(side).address())
}

impl State {
    pub fn game(&self) -> Option<&StakedGame> {
        self.chain.game.as_ref()
    }

    /// The game, if both have paid.
    pub fn begun(&self) -> Option<&StakedGame> {
        self.game().filter(|game| game.paid_by.is_none())
    }

    /// What the last final block has.
    pub fn last_final(&self) -> &Stakes {
        self.blocks.first().unwrap_or(&self.chain)
    }

    pub fn is_final(&self) -> bool {
        let is_same = |block: &Stakes| {
            let end = |stakes: &Stakes| stakes.game.filter(|game| game.game.is_final());
            end(block).map(|game| game.game.game) == end(&self.chain).map(|game| game.game.game)
        };
        self.game().is_some_and(|game| game.game.is_final())
            && (self.left.forks == 0 || self.blocks.iter().all(is_same))
    }

    /// The chain takes resignations, and nothing else.
    pub fn is_late(&self) -> bool {
        self.begun().is_some_and(|StakedGame { game, .. }| {
            let clock = game.clock;
            clock.is_some_and(|clock| clock.has_run_out(self.now))
                || game.contest.is_some_and(|last| self.now > last)
        })
    }

    /// A transaction of the honest player is not in a block any more, or is late. Where the cheat can claim, as somebody's
    /// time is over, it may be the first the second time: what the player holds came too late to be sure.
    pub fn lose_transaction(&mut self) {
        if self.is_late() {
            self.held.lose();
        }
    }

    /// Where the cheat can claim, what is due was sent a moment ago and has not landed: so it [was lost](Self::lose_transaction).
    /// The player does not see that, and sends it again after a while. Nothing is demanded until then, but of a player
    /// that has not sent it.
    fn has_lost(&self) -> bool {
        let (due, sent) = (&self.known.due, &self.known.sent);
        let due = due.as_ref().map(|(call, _)| call);
        let sent = sent.as_ref().map(|(call, ..)| call);
        self.is_late() && self.sent.is_empty() && due.is_some() && due == sent
    }

    /// The honest player sends a message. Of each kind the newest is kept, and those before where a relay may bring them.
    fn post(&mut self, message: Message) {
        let kind = std::mem::discriminant(&message);
        let has_tricks = self.left.tricks > 0;
        self.mail.retain(|sent| {
            *sent != message && (has_tricks || std::mem::discriminant(sent) != kind)
        });
        self.mail.push(message);
    }

    pub fn is_waiting(&self) -> bool {
        let view = self.known.newest.as_ref().and_then(|sight| sight.game);
        self.is_idle && view == self.chain.game && self.sent.is_empty()
    }

    pub fn at(&self, now: u64, is_free: bool) -> Option<Self> {
        let mut next = self.clone();
        next.now = now;
        if !is_free {
            next.left.jumps = self.left.jumps.checked_sub(1)?;
        }
        // As much time is more than blocks that can be replaced.
        next.blocks.clear();
        Some(next)
    }
}

impl World {
    pub fn new(honest: Side, base: &[u8]) -> Self {
        Self::with_rule(honest, base, base.contains(&Moves::SWAP))
    }

    /// With or without the pie rule.
    pub fn with_rule(honest: Side, base: &[u8], pie_rule: bool) -> Self {
        let offering = Side::One;
        let offer = GameOffer {
            player: Some(offering),
            relay: None,
            ..GameOffer::new(
                DOMAIN,
                party(offering),
                Terms {
                    pie_rule,
                    clock: Some(ClockSpec {
                        bank: 300,
                        increment: 5,
                    }),
                    stake: STAKE,
                    nonce: 1,
                    ..Terms::on(SHAPE)
                },
                UNTIL,
            )
        };
        let terms = offer.complete(&Self::taker());
        let key = ModelKey(honest);
        Self {
            honest,
            cheat: honest.opponent(),
            number: terms.number(&DOMAIN, &key),
            subject: Subject::staked(&terms, DOMAIN, &key).expect("terms"),
            offer,
            terms,
            base: base.to_vec(),
            is_funding: false,
            has_moves: false,
            has_no_relay: false,
            is_guarded: false,
            has_mail: false,
            made_up: OnceCell::new(),
            taken: OnceCell::new(),
            refused: RefCell::default(),
        }
    }

    pub fn taker() -> Taker {
        Taker {
            party: party(Side::Two),
            session: None,
            player: Side::Two,
            is_program: false,
            time: START,
            nonce: 0,
        }
    }

    pub fn funding(honest: Side) -> Self {
        Self {
            is_funding: true,
            ..Self::new(honest, &[])
        }
    }

    /// Both have paid and signed all moves, and the chain knows none of them; or nobody has paid.
    pub fn state(&self, left: Left) -> State {
        let disk = Disk::default();
        let key = ModelKey(self.honest);
        let offer = self.offer.clone();
        let made: Program = match self.honest {
            Side::One => Player::offer(DOMAIN, key, disk, offer, START).expect("offered"),
            Side::Two => {
                let taken = Player::take(DOMAIN, key, disk, (offer, &Self::taker()), START);
                taken.expect("taken").0
            }
        };
        let mut chain = Stakes::new();
        let mut known = made.known().clone();
        let position = self.evidence(None, &self.base);
        if !self.is_funding {
            for side in [Side::Two, Side::One] {
                let call = Call::Fund {
                    terms: self.terms,
                    payment: STAKE,
                };
                let paid = chain.call(side, self.number, &call, START, &key);
                paid.expect("it is paid");
            }
            known.record.terms = Some(self.terms);
            known.record.journal.position = position;
            known.record.progress = Progress::Begun;
        }
        let number = made.number();
        let number = number.or((!self.is_funding).then_some(self.number));
        // As a look has it: a final block is older than the newest one.
        known.newest = Some(chain.sight(self.honest, number, START - 1));
        known.last_final = known.newest.clone();
        let mut state = State {
            now: START,
            blocks: match left.forks {
                0 => Vec::new(),
                _ => vec![chain.clone()],
            },
            chain,
            known,
            sent: Vec::new(),
            late: Vec::new(),
            is_idle: false,
            waits: None,
            positions: Vec::new(),
            endings: Vec::new(),
            offers: Vec::new(),
            signed: Vec::new(),
            resigned: Vec::new(),
            was_refunded: false,
            is_taken: self.honest == Side::Two,
            mail: Vec::new(),
            left,
            held: Held {
                position: position.moves,
                acted_winning: false,
                acted_drawn: false,
                must_win: false,
                must_not_lose: false,
                has_resigned: false,
                has_accepted: false,
            },
        };
        let len = self.base.len();
        for turns in len.saturating_sub(5)..=len {
            let moves = Moves::from_bins(&self.base[..turns]).expect("few moves");
            match last_mover(moves.len()) {
                Some(mover) if mover == self.honest => insert(&mut state.positions, &moves),
                Some(_) => insert(&mut state.signed, &moves),
                None => {}
            }
        }
        state
    }

    pub fn bins(&self) -> impl Iterator<Item = Bin> {
        cheating::bins(&self.subject)
    }

    /// What both have signed.
    pub fn evidence(
        &self,
        end: Option<connect4_protocol::signed::SignedEnd>,
        moves: &[u8],
    ) -> Evidence {
        cheating::evidence(&self.subject, end, moves)
    }

    pub fn program(&self, state: &State) -> Program {
        let key = ModelKey(self.honest);
        Player::with_known(DOMAIN, key, Disk::default(), state.known.clone())
    }

    /// The honest player's program takes something. Returns whether it was refused.
    pub fn run(&self, state: &mut State, input: Input) -> Result<bool, Violation> {
        let (before, had) = (state.known.record.clone(), state.known.sent.clone());
        let command = match &input {
            Input::Command(command) => Some(*command),
            _ => None,
        };
        let mut program = self.program(state);
        let outputs = program.step(input);
        let kept = program.shelf().kept();
        if kept.as_ref().unwrap_or(&before) != program.record() {
            return Err("it relies on what is not on its disk".into());
        }
        state.known = program.known().clone();
        self.check_record(state, &before, command)?;
        let Ok(outputs) = outputs else {
            return Ok(true);
        };
        let is_sent = |call: &Call| outputs.iter().any(|out| *out == Output::Call(call.clone()));
        if let Some((call, ..)) = state
            .known
            .sent
            .as_ref()
            .filter(|sent| Some(*sent) != had.as_ref())
            && !is_sent(call)
        {
            return Err("it notes as sent what it has not sent".into());
        }
        for output in outputs {
            match output {
                Output::Call(call) => {
                    self.check_call(state, &call)?;
                    state.sent.push(call);
                }
                Output::Send(message) if self.has_mail => state.post(message),
                _ => {}
            }
        }
        Ok(false)
    }

    /// A block is made: what the honest player has sent gets into it, after whatever the cheat did. It may be late; what
    /// was late before may get into it, before or after that.
    fn blocks(&self, state: &State) -> Vec<(String, Result<State, Violation>)> {
        let State { sent, late, .. } = state;
        let with = |says: &str, landing: &[Call], late: &[Call]| {
            let mut next = state.clone();
            next.late = late.to_vec();
            (says.to_owned(), self.block(next, landing))
        };
        let mut blocks = vec![with("a block", sent, late)];
        for place in 0..late.len() {
            let mut rest = late.clone();
            let one = [rest.remove(place)];
            let says = format!("a block, with {} that was late", says_call(&one[0]));
            blocks.push(with(&says, &[&one[..], sent].concat(), &rest));
            if !sent.is_empty() {
                let says = format!("{says}, at its end");
                blocks.push(with(&says, &[sent, &one[..]].concat(), &rest));
            }
        }
        if let Some(left) = state.left.late.checked_sub(1) {
            for place in 0..sent.len() {
                let mut rest = sent.clone();
                let one = [rest.remove(place)];
                let says = format!("a block, without {} which is late", says_call(&one[0]));
                let (says, next) = with(&says, &rest, &[&late[..], &one[..]].concat());
                let next = next.map(|mut next| {
                    next.left.late = left;
                    next.lose_transaction();
                    next
                });
                blocks.push((says, next));
            }
        }
        blocks
    }

    fn block(&self, mut next: State, landing: &[Call]) -> Result<State, Violation> {
        let is_late = next.game().is_some_and(|game| game.game.is_final());
        next.held.must_win |= next.held.acted_winning && !is_late;
        next.held.must_not_lose |= next.held.acted_drawn && !is_late;
        next.held.acted_winning = false;
        next.held.acted_drawn = false;
        next.is_idle = false;
        next.waits = None;
        next.sent.clear();
        for call in landing {
            self.land(&mut next, call)?;
        }
        if next.left.forks > 0 {
            next.blocks.push(next.chain.clone());
            if next.blocks.len() > DEPTH + 1 {
                next.blocks.remove(0);
            }
        }
        Ok(next)
    }

    fn land(&self, next: &mut State, call: &Call) -> Result<(), Violation> {
        let (now, key) = (next.now, ModelKey(self.honest));
        let mut chain = next.chain.clone();
        if chain
            .call(self.honest, self.number, call, now, &key)
            .is_ok()
        {
            Self::check_landed(next, call)?;
            next.was_refunded |= *call == Call::Refund;
            *next = self.with_chain(next, chain)?;
        }
        Ok(())
    }

    /// A block is made. Then the honest player's program looks at the chain, and acts.
    pub fn tick(&self, state: &State, steps: &mut Steps<State>) {
        for (number, (says, next)) in self.blocks(state).into_iter().enumerate() {
            let next = match next {
                Ok(next) if !next.is_final() => next,
                next => {
                    steps.push(|| says, next);
                    continue;
                }
            };
            if self.is_guarded {
                self.guard_looks(next, &says, steps);
                continue;
            }
            self.look(&next, &says, None, steps);
            let left = next.left.lies.checked_sub(1);
            if let Some(left) = left.filter(|_| number == 0) {
                let mut next = next;
                next.left.lies = left;
                for (view, what) in self.lies(&next) {
                    if view != next.chain {
                        self.look(&next, &says, Some((view, &what)), steps);
                    }
                }
            }
        }
    }

    /// What a node may show: an old block, or a disc of the cheat that nobody has dropped.
    fn lies(&self, state: &State) -> Vec<(Stakes, String)> {
        let old = state.blocks.iter().rev().skip(1);
        let mut shown: Vec<_> = old
            .map(|old| (old.clone(), String::from("an old block")))
            .collect();
        let nothing = Stakes {
            game: None,
            ..state.chain.clone()
        };
        shown.push((nothing, "no game".into()));
        let made = self.subject.game_of(&state.known.record.journal.position);
        if let (Some(game), Ok(made)) = (state.begun(), made) {
            for bin in self.bins() {
                let mut fake = *game;
                fake.game.contest = None;
                fake.game.game = made;
                let dropped = fake.game.drop(account(self.cheat), bin, state.now);
                if dropped.is_ok() {
                    let fake = Stakes {
                        game: Some(fake),
                        ..state.chain.clone()
                    };
                    shown.push((fake, format!("a disc in {} that is not there", bin.index())));
                }
            }
        }
        shown
    }

    /// The honest player looks at the chain, or at what a node shows instead, and acts.
    fn look(
        &self,
        state: &State,
        block: &str,
        lie: Option<(Stakes, &str)>,
        steps: &mut Steps<State>,
    ) {
        let is_true = lie.is_none();
        let says = |did: &str| match &lie {
            Some((_, what)) => format!("{block}; the node shows {what}; honest: {did}"),
            None => format!("{block}; honest: {did}"),
        };
        let shown = lie.as_ref().map_or(&state.chain, |(view, _)| view);
        let mut state = state.clone();
        let seen = [(shown.clone(), false), (state.last_final().clone(), true)];
        let now = state.now;
        let done = self.run(&mut state, Input::Time(now)).and_then(|_| {
            for (stakes, is_final) in seen {
                // The newest block is not older than what is final.
                let time = if is_final { state.now - 1 } else { state.now };
                let number = self.program(&state).number();
                let sight = stakes.sight(self.honest, number, time);
                self.run(&mut state, Input::Block { sight, is_final })?;
            }
            Ok(())
        });
        if let Err(violation) = done {
            return steps.push(|| says("looks"), Err(violation));
        }
        self.hold(&mut state);
        let mut moves = match state.sent.is_empty() {
            true => self.moves(&state),
            false => Vec::new(),
        };
        if state.sent.is_empty() {
            moves.push((Command::Press, "presses".into()));
        }
        let left = state.left;
        if left.accepts > 0 {
            moves.push((Command::AcceptDraw, "accepts a draw".into()));
        }
        if left.offers > 0 {
            moves.push((Command::OfferDraw, "offers a draw".into()));
        }
        if left.resigns > 0 {
            moves.push((Command::Resign, "resigns".into()));
        }
        let mut waits = vec![None];
        let refund = Some((Command::Refund, String::from("asks for the stake back")));
        if self.is_funding && state.known.record.refund == Refund::None && left.resigns > 0 {
            waits.push(refund);
        }
        for choice in moves.into_iter().map(Some).chain(waits) {
            let mut next = state.clone();
            let mut did = String::from("waits");
            if let Some((command, does)) = choice {
                let journal = next.known.record.clone();
                match self.run(&mut next, Input::Command(command)) {
                    Ok(true) => continue,
                    Ok(false) => {}
                    Err(violation) => {
                        steps.push(|| says(&does), Err(violation));
                        continue;
                    }
                }
                if next.known.record == journal && next.sent == state.sent {
                    continue;
                }
                did = does;
                match command {
                    Command::AcceptDraw => {
                        next.left.accepts -= 1;
                        next.held.has_accepted = true;
                    }
                    Command::OfferDraw => next.left.offers -= 1,
                    Command::Resign => {
                        next.left.resigns -= 1;
                        next.held.has_resigned = true;
                    }
                    Command::Refund => next.left.resigns -= 1,
                    _ => {}
                }
            }
            self.finish(&mut next, is_true);
            let calls = match steps.is_told {
                true => self.calls_text(&next),
                false => String::new(),
            };
            steps.push(|| says(&format!("{did}{calls}")), Ok(next));
        }
    }

    /// The moves that the honest player can try: by signatures, and on the chain where there is no relay, or where that
    /// knows what the cheat has not signed.
    fn moves(&self, state: &State) -> Vec<(Command, String)> {
        let mut program = self.program(state);
        let to_move = program.latest().and_then(|game| game.to_move());
        if to_move != Some(self.honest) {
            return Vec::new();
        }
        let on_chain = self.has_no_relay || program.shown().is_on_chain;
        let mut moves = Vec::new();
        for bin in self.bins() {
            moves.push((Command::Move(bin), format!("moves {}", bin.index())));
            if on_chain {
                let says = format!("moves {} on the chain", bin.index());
                moves.push((Command::MoveOnChain(bin), says));
            }
        }
        moves
    }

    fn calls_text(&self, state: &State) -> String {
        let says = state
            .sent
            .iter()
            .map(|call| format!(" [{}]", says_call(call)));
        says.collect()
    }

    /// Notes what the honest player held when it acted, and whether it waits.
    fn finish(&self, state: &mut State, is_true: bool) {
        let view = state.known.newest.as_ref().and_then(|sight| sight.game);
        let is_over = view.is_none_or(|game| game.game.is_final());
        if is_true && !is_over {
            state.held.acted_winning = self.is_winning(state) && !state.has_lost();
            state.held.acted_drawn = self.is_drawn(state);
        }
        let due = state.known.due.clone();
        state.waits = None;
        if !state.sent.is_empty() {
            return;
        }
        if let Some((call, since)) = &due {
            // It was sent a moment ago, or the opponent is waited for.
            let was_sent = state.known.sent.as_ref().filter(|(sent, ..)| sent == call);
            let deadline = view.and_then(|game| self.subject.deadline(&game.game));
            let patient = deadline.map_or(since + 30, |last| last.saturating_sub(30));
            let until = was_sent.map_or(patient, |(_, _, at)| at + 12);
            state.waits = Some(until.max(state.now + 1));
            state.is_idle = is_true;
            return;
        }
        let running = view.and_then(|game| self.subject.deadline(&game.game));
        let must_move = running.is_some() && self.can_move(state);
        state.is_idle = is_true && !must_move;
    }

    /// Whether the program takes any move of its player.
    fn can_move(&self, state: &State) -> bool {
        self.moves(state).into_iter().any(|(command, _)| {
            let moved = self.program(state).step(Input::Command(command));
            moved.is_ok()
        })
    }

    pub fn restarts(&self, state: &State, steps: &mut Steps<State>) {
        let Some(left) = state.left.restarts.checked_sub(1) else {
            return;
        };
        let mut next = state.clone();
        next.left.restarts = left;
        next.sent.clear();
        next.is_idle = false;
        next.waits = None;
        if !state.sent.is_empty() {
            next.lose_transaction();
        }
        let (key, record) = (ModelKey(self.honest), state.known.record.clone());
        let again = Player::resume(DOMAIN, key, Disk::default(), record);
        let next = match again {
            Ok(again) => {
                next.known = again.known().clone();
                Ok(next)
            }
            Err(error) => Err(format!("it does not start again: {error:?}")),
        };
        steps.push(|| "the honest program is restarted".into(), next);
    }

    /// The cheat tells of the terms, or sends evidence. None if that changes nothing.
    pub fn send(&self, state: &State, message: Message) -> Option<Result<State, Violation>> {
        if self.is_guarded {
            return self.guard_receives(state, &message);
        }
        let mut next = state.clone();
        next.is_idle = false;
        next.waits = None;
        let had = state.known.record.clone();
        let known = (state.known.candidate, state.known.draw);
        if let Err(violation) = self.run(&mut next, Input::Message(message)) {
            return Some(Err(violation));
        }
        let is_same = next.known.record == had
            && (next.known.candidate, next.known.draw) == known
            && next.mail == state.mail;
        (!is_same).then_some(Ok(next))
    }

    pub fn says(evidence: &Evidence) -> String {
        told(evidence)
    }
}

pub fn says_call(call: &Call) -> String {
    match call {
        Call::Advance { evidence, press } => {
            let moves = text(&evidence.moves);
            format!("brings {moves}, {:?}, press {press}", evidence.end)
        }
        Call::Drop { bin, .. } => format!("drops {bin}"),
        call => format!("{call:?}"),
    }
}
