//! A game without a stake: the real [`Player`] in the room of a witness, which is honest, or in league with the opponent.
//!
//! An honest witness takes what comes to it in some order, and tells it; messages come later, or are lost with the
//! connection. A dishonest one tells the honest player anything that it can sign, with any signature that the opponent
//! has or can make: what the honest player signs it has at once.

use std::collections::HashSet;

use codec::{Decode, Encode};
use connect4_protocol::signed::relay::Refusal;
use connect4_protocol::signed::wire::{Act, FromWitness, Spoken, Telling, ToWitness, Told};
use connect4_protocol::signed::{
    Chain, Domain, GameNumber, Moves, Party, Signature, SignedTerms, Signing as _, Terms,
    WitnessedEnd, last_mover,
};
use connect4_protocol::{Address, ClockSpec};
use connect4_rules::{Bin, ByPlayer, Player as Side};
use connect4_seat::{
    Command, GameOffer, Input, Known, Output, Player, Progress, Record, Refund, Room, Stage,
};

use super::check::{Violation, text};
use super::key::{ModelKey, signed_by};
use super::search::{Searched, identity};
use super::staked::Disk;
use super::state::{Left, SHAPE, START, insert};
use super::steps::Steps;

const CHAIN: Chain = Chain {
    id: 420_420_421,
    genesis: [7; 32],
};
const DOMAIN: Domain = Domain::without_stake(CHAIN);
const WITNESS: Address = Address([9; 20]);
const BANK: u64 = 60_000;
/// Rounds after which a game has ended that nobody disturbs.
const PATIENCE: usize = 60;

#[derive(Clone, Debug, Encode, Decode)]
pub struct State {
    /// What the honest player's program knows. Its record is the disk.
    known: Known,
    /// What it has said that has not come to the witness, and what it has not been told yet.
    to_witness: Vec<ToWitness>,
    to_player: Vec<FromWitness>,
    /// What an honest witness has told last, what the players offer there, and how the game has ended.
    receipt: Option<Told>,
    offers: ByPlayer<Option<Spoken>>,
    end: Option<Told>,
    /// Whether its log takes nothing.
    is_full: bool,
    /// Milliseconds since 1970.
    at: u64,
    /// What the honest player was told and has taken.
    taken: Vec<Told>,
    /// All that the honest player has signed about moves of the game.
    positions: Vec<Moves>,
    resigned: Vec<Moves>,
    drawn: Vec<Moves>,
    /// What the person wants.
    wants_end: bool,
    wants_draw: Vec<Moves>,
    left: Left,
}

/// What does not change in a search.
pub struct World {
    honest: Side,
    cheat: Side,
    terms: Terms,
    number: GameNumber,
    agreed: SignedTerms,
    offer: GameOffer,
    base: Vec<u8>,
    is_dishonest: bool,
}

type Program = Player<Disk, ModelKey>;

fn party(side: Side) -> Party {
    Party::Guest(ModelKey(side).address())
}

fn moves(bins: &[u8]) -> Moves {
    Moves::from_bins(bins).expect("few moves")
}

impl World {
    pub fn new(honest: Side, base: &[u8], is_dishonest: bool) -> Self {
        let offer = GameOffer {
            player: Some(Side::One),
            relay: None,
            ..GameOffer::new(
                DOMAIN,
                party(Side::One),
                Terms {
                    pie_rule: base.contains(&Moves::SWAP),
                    clock: Some(ClockSpec {
                        bank: 60,
                        increment: 0,
                    }),
                    witness: Some(WITNESS),
                    nonce: 1,
                    ..Terms::on(SHAPE)
                },
                START + 60,
            )
        };
        let terms = offer.complete(&connect4_seat::Taker {
            party: party(Side::Two),
            session: None,
            player: Side::Two,
            is_program: false,
            time: START,
            nonce: 0,
        });
        let number = terms.number(&DOMAIN, &ModelKey(honest));
        Self {
            honest,
            cheat: honest.opponent(),
            terms,
            number,
            agreed: SignedTerms {
                terms,
                sessions: ByPlayer::default(),
                signatures: ByPlayer::from_fn(|side| ModelKey(side).sign(&number.0)),
            },
            offer,
            base: base.to_vec(),
            is_dishonest,
        }
    }

    pub fn state(&self, left: Left) -> State {
        let room = Room {
            agreed: self.agreed,
            moved: None,
            has_resigned: false,
            receipt: None,
            end: None,
            contradiction: None,
        };
        let record = Record {
            offer: self.offer.clone(),
            terms: Some(self.terms),
            refund: Refund::None,
            progress: Progress::None,
            journal: Default::default(),
            dropped: Vec::new(),
            tossed: None,
            room: Some(room),
        };
        let mut known = Known::new(record);
        known.machine = START;
        let mut state = State {
            known,
            to_witness: Vec::new(),
            to_player: Vec::new(),
            receipt: None,
            offers: ByPlayer::default(),
            end: None,
            is_full: false,
            at: START * 1_000,
            taken: Vec::new(),
            positions: Vec::new(),
            resigned: Vec::new(),
            drawn: Vec::new(),
            wants_end: false,
            wants_draw: Vec::new(),
            left,
        };
        for turns in self.base.len().saturating_sub(5)..=self.base.len() {
            if last_mover(turns) == Some(self.honest) {
                insert(&mut state.positions, &moves(&self.base[..turns]));
            }
        }
        self.enter(&mut state).expect("it enters");
        if !self.base.is_empty() {
            let receipt = self.told(&self.base, self.receipt(), state.at, self.honest);
            state.receipt = Some(receipt);
            self.run(&mut state, Input::Room(FromWitness::Told(receipt)))
                .expect("as it was");
        }
        state.to_witness.clear();
        state
    }

    fn enter(&self, state: &mut State) -> Result<(), Violation> {
        let welcome = FromWitness::Welcome {
            nonce: [1; 32],
            chain_id: CHAIN.id,
            genesis: CHAIN.genesis,
            time: state.at,
        };
        self.run(state, Input::Room(welcome))
    }

    const fn receipt(&self) -> Telling {
        Telling::Receipt {
            left: ByPlayer {
                one: BANK,
                two: BANK,
            },
        }
    }

    fn bins(&self) -> impl Iterator<Item = Bin> {
        let swap = self.terms.pie_rule.then_some(Bin::new(Moves::SWAP));
        SHAPE.iter_bins().chain(swap)
    }

    /// What the witness signs, with what each player has signed; what the honest player would have signed is by this
    /// player's key.
    fn told(&self, bins: &[u8], what: Telling, at: u64, signer: Side) -> Told {
        let mut told = Told {
            moves: moves(bins),
            signatures: ByPlayer::default(),
            at,
            what,
            witness: Signature::NONE,
        };
        for side in Side::ALL {
            let (act, own) = Self::statement(&told, side);
            let key = match side == self.honest {
                true => signer,
                false => side,
            };
            told.signatures[side] = self.spoken(key, side, act, &own).signature;
        }
        let digest = told.digest(self.number, &DOMAIN, &ModelKey(self.honest));
        Told {
            witness: signed_by(WITNESS, &digest),
            ..told
        }
    }

    /// What a player has to have signed.
    fn statement(told: &Told, side: Side) -> (Act, Moves) {
        let all = told.moves;
        match told.what {
            Telling::Ended(WitnessedEnd::Resignation(by)) if by == side => (Act::Resign, all),
            Telling::Ended(WitnessedEnd::Draw) => (Act::Draw, all),
            _ if last_mover(all.len()) == Some(side) => (Act::Move, all),
            _ => (Act::Move, moves(all.before_last())),
        }
    }

    fn spoken(&self, key: Side, by: Side, act: Act, bins: &[u8]) -> Spoken {
        let unsigned = Spoken {
            by,
            act,
            moves: moves(bins),
            signature: Signature::NONE,
        };
        let key = ModelKey(key);
        let digest = unsigned.statement(self.number).digest(&DOMAIN, &key);
        Spoken {
            signature: key.sign(&digest),
            ..unsigned
        }
    }

    fn program(&self, state: &State) -> Program {
        let key = ModelKey(self.honest);
        Player::with_known(DOMAIN, key, Disk::default(), state.known.clone())
    }

    fn room<'a>(&self, state: &'a State) -> &'a Room {
        state
            .known
            .record
            .room
            .as_ref()
            .expect("its terms are signed")
    }

    /// The honest player's program takes something.
    fn run(&self, state: &mut State, input: Input) -> Result<(), Violation> {
        let before = state.known.record.clone();
        let mut program = self.program(state);
        let outputs = program.step(input.clone());
        let kept = program.shelf().kept();
        if kept.as_ref().unwrap_or(&before) != program.record() {
            return Err("it relies on what is not on its disk".into());
        }
        let shown = program.shown();
        state.known = program.known().clone();
        if (shown.stage == Stage::Over) != self.room(state).end.is_some() {
            return Err("it says that the game is over without its witness".into());
        }
        if let Input::Room(FromWitness::Told(told)) = input {
            self.check_told(state, &told, outputs.is_ok())?;
        }
        for output in outputs.unwrap_or_default() {
            match output {
                Output::Say(said) => {
                    if let ToWitness::Spoken(spoken) = said {
                        self.check_spoken(state, &spoken)?;
                    }
                    if !self.is_dishonest {
                        state.to_witness.push(said);
                    }
                }
                Output::Enter => {
                    state.to_witness.clear();
                    state.to_player.clear();
                    self.enter(state)?;
                }
                Output::Leave => state.known.is_in_room = false,
                Output::Send(_) => {}
                Output::Call(_) => return Err("it brings something to the chain".into()),
            }
        }
        Ok(())
    }

    /// What the honest player says: one move for each turn, on top of what the witness has told, and else what the
    /// person wants.
    fn check_spoken(&self, state: &mut State, spoken: &Spoken) -> Result<(), Violation> {
        let moves = spoken.moves;
        match spoken.act {
            Act::Move => {
                let is_other =
                    |signed: &&Moves| signed.turns() == moves.turns() && **signed != moves;
                if let Some(other) = state.positions.iter().find(is_other) {
                    let (other, moves) = (text(other), text(&moves));
                    return Err(format!("it has signed {other} and {moves}"));
                }
                let before = moves.before_last();
                let has_receipt = state.taken.iter().any(|told| *told.moves == *before);
                if !before.is_empty() && !has_receipt {
                    return Err(format!("{} has no receipt", text(before)));
                }
                insert(&mut state.positions, &moves);
            }
            Act::Resign if !state.wants_end => return Err("it resigns by itself".into()),
            Act::Resign => insert(&mut state.resigned, &moves),
            Act::Draw if !state.wants_draw.contains(&moves) => {
                return Err("it agrees to a draw by itself".into());
            }
            Act::Draw => insert(&mut state.drawn, &moves),
        }
        Ok(())
    }

    /// What the honest player was told by its witness, and what it makes of that.
    fn check_told(&self, state: &mut State, told: &Told, is_ok: bool) -> Result<(), Violation> {
        let room = self.room(state);
        let is_taken = [room.receipt, room.end].contains(&Some(*told));
        if let Some((one, other)) = &room.contradiction
            && one.contradicts(other, &self.terms, self.number).is_none()
        {
            return Err("what it takes for a contradiction is none".into());
        }
        // Whatever ends the game otherwise than by all receipts is a contradiction to the newest. Of the others only that
        // is kept, so that an old receipt may come in two forms.
        let is_end = matches!(told.what, Telling::Ended(_));
        let newest = state.taken.iter().max_by_key(|taken| taken.moves.len());
        let differs = |held: &&Told| {
            let is_behind = is_end && !told.moves.starts_with(&held.moves);
            is_behind || held.contradicts(told, &self.terms, self.number).is_some()
        };
        let mut held = state
            .taken
            .iter()
            .filter(|held| is_end || Some(*held) == newest);
        if let Some(held) = held.find(differs) {
            let (held, told) = (says(held), says(told));
            return match room.contradiction.is_some() && !is_taken {
                true => Ok(()),
                false => Err(format!("{told} after {held} proves nothing")),
            };
        }
        if !is_taken || !is_ok {
            return Ok(());
        }
        // What the honest player has not signed is no part of it.
        let (act, own) = Self::statement(told, self.honest);
        let list = match act {
            Act::Move => &state.positions,
            Act::Resign => &state.resigned,
            Act::Draw => &state.drawn,
        };
        let is_void = told.what == Telling::Ended(WitnessedEnd::Void);
        let is_first = act == Act::Move && own.is_empty();
        let is_old = act == Act::Move && self.base.starts_with(&own);
        if !is_void && !is_first && !is_old && !list.contains(&own) {
            return Err(format!("it takes {}, and has not signed that", says(told)));
        }
        if is_void && told.moves.len() > 1 {
            return Err("a game that both have played is void".into());
        }
        // By the model's own count: what a receipt leaves to a player has to pass after it.
        if let Telling::Ended(WitnessedEnd::Lapse(late)) = told.what {
            let had_time = |taken: &&Told| match taken.what {
                Telling::Receipt { left } => told.at < taken.at.saturating_add(*left.get(late)),
                Telling::Ended(_) => false,
            };
            if let Some(receipt) = state.taken.iter().find(had_time) {
                let (told, receipt) = (says(told), says(receipt));
                return Err(format!("it takes {told} after {receipt}"));
            }
        }
        insert(&mut state.taken, told);
        Ok(())
    }

    /// The person's wishes.
    fn wishes(&self, state: &State, steps: &mut Steps<State>) {
        let left = state.left;
        let mut wishes: Vec<Command> = self.bins().map(Command::Move).collect();
        if left.resigns > 0 && !state.wants_end {
            wishes.push(Command::Resign);
        }
        if left.offers > 0 {
            wishes.push(Command::OfferDraw);
        }
        if left.accepts > 0 {
            wishes.push(Command::AcceptDraw);
        }
        for command in wishes {
            if self.program(state).step(Input::Command(command)).is_err() {
                continue;
            }
            let mut next = state.clone();
            let newest = self.room(state).moves();
            match command {
                Command::Resign => {
                    next.left.resigns -= 1;
                    next.wants_end = true;
                }
                Command::OfferDraw => {
                    next.left.offers -= 1;
                    insert(&mut next.wants_draw, &newest);
                }
                Command::AcceptDraw => {
                    next.left.accepts -= 1;
                    insert(&mut next.wants_draw, &newest);
                }
                _ => {}
            }
            let run = self.run(&mut next, Input::Command(command));
            let is_new =
                next.known.record != state.known.record || next.known.agreed != state.known.agreed;
            if run.is_err() || is_new {
                steps.push(|| format!("honest: {command:?}"), run.map(|()| next));
            }
        }
    }

    /// The connection is lost with all that is on its way, or the program is ended and started again.
    fn losses(&self, state: &State, steps: &mut Steps<State>) {
        let Some(left) = state.left.restarts.checked_sub(1) else {
            return;
        };
        for is_restart in [false, true] {
            let mut next = state.clone();
            next.left.restarts = left;
            next.to_witness.clear();
            next.to_player.clear();
            let key = ModelKey(self.honest);
            let record = state.known.record.clone();
            let run = match is_restart {
                false => self.run(&mut next, Input::Closed),
                true => match Player::resume(DOMAIN, key, Disk::default(), record) {
                    Ok(again) => {
                        next.known = again.known().clone();
                        next.known.machine = state.known.machine;
                        Ok(())
                    }
                    Err(error) => Err(format!("it does not start again: {error:?}")),
                },
            };
            let says = match is_restart {
                true => "the honest program is restarted",
                false => "the connection is lost",
            };
            steps.push(|| says.into(), run.map(|()| next));
        }
    }

    /// Time passes for the program, which asks for the room.
    fn ask(&self, state: &State) -> Result<State, Violation> {
        let mut next = state.clone();
        let now = state.known.machine + 12;
        self.run(&mut next, Input::Time(now))?;
        Ok(next)
    }

    fn newest(state: &State) -> Moves {
        state.receipt.map(|told| told.moves).unwrap_or_default()
    }

    /// An honest witness takes what a player says.
    fn take(&self, state: &mut State, spoken: &Spoken) {
        let newest = Self::newest(state);
        if state.is_full {
            let refused = FromWitness::Refused(Refusal::LogFull);
            return state.to_player.push(refused);
        }
        if state.end.is_some() {
            return self.refuse(state, spoken);
        }
        match spoken.act {
            Act::Move => {
                if spoken.moves == newest {
                    return;
                }
                let is_next = *spoken.moves.before_last() == *newest;
                let Some(game) = is_next
                    .then(|| self.terms.play(&spoken.moves).ok())
                    .flatten()
                else {
                    return self.refuse(state, spoken);
                };
                let told = self.told(&spoken.moves, self.receipt(), state.at, self.honest);
                state.receipt = Some(told);
                state.offers = ByPlayer::default();
                state.to_player.push(FromWitness::Told(told));
                if game.is_over() {
                    self.end(state, WitnessedEnd::Board);
                }
            }
            _ if spoken.moves != newest => self.refuse(state, spoken),
            Act::Resign => self.end(state, WitnessedEnd::Resignation(spoken.by)),
            Act::Draw => {
                state.offers[spoken.by] = Some(*spoken);
                match state.offers.get(spoken.by.opponent()) {
                    Some(_) => self.end(state, WitnessedEnd::Draw),
                    None => state.to_player.push(FromWitness::Offer(*spoken)),
                }
            }
        }
    }

    fn refuse(&self, state: &mut State, spoken: &Spoken) {
        if spoken.by == self.honest {
            state
                .to_player
                .push(FromWitness::Refused(Refusal::OtherPosition));
            let told = state.end.or(state.receipt);
            state.to_player.extend(told.map(FromWitness::Told));
        }
    }

    fn end(&self, state: &mut State, end: WitnessedEnd) {
        let newest = Self::newest(state);
        let end = match newest.len() < 2 {
            true => WitnessedEnd::Void,
            false => end,
        };
        let told = self.told(&newest, Telling::Ended(end), state.at, self.honest);
        state.end = Some(told);
        state.to_player.push(FromWitness::Told(told));
    }

    /// The first message of the honest player comes to the witness.
    fn witness_hears(&self, state: &State) -> Option<State> {
        let mut next = state.clone();
        if next.to_witness.is_empty() {
            return None;
        }
        match next.to_witness.remove(0) {
            ToWitness::Spoken(spoken) => self.take(&mut next, &spoken),
            ToWitness::Join { .. } => {
                let told = next.end.or(next.receipt);
                next.to_player.extend(told.map(FromWitness::Told));
                let offer = *next.offers.get(self.cheat);
                next.to_player.extend(offer.map(FromWitness::Offer));
            }
            ToWitness::Terms(_) | ToWitness::Held(_) => {}
        }
        Some(next)
    }

    fn player_hears(&self, state: &State) -> Option<Result<State, Violation>> {
        let mut next = state.clone();
        if !next.known.is_in_room {
            next.to_player.clear();
        }
        if next.to_player.is_empty() {
            return None;
        }
        let said = next.to_player.remove(0);
        Some(self.run(&mut next, Input::Room(said)).map(|()| next))
    }

    /// The log of an honest witness takes more, and the newest position is told once more, or the terms.
    fn takes_more(&self, state: &State) -> State {
        let mut next = state.clone();
        next.is_full = false;
        let told = next.end.or(next.receipt).map(FromWitness::Told);
        next.to_player
            .push(told.unwrap_or(FromWitness::Terms(self.agreed)));
        next
    }

    fn lapse(&self, state: &State) -> Option<State> {
        let late = self.terms.play(&Self::newest(state)).ok()?.to_move()?;
        let mut next = state.clone();
        next.at += BANK + 1;
        self.end(&mut next, WitnessedEnd::Lapse(late));
        Some(next)
    }

    /// What happens at an honest witness.
    fn honest_steps(&self, state: &State, steps: &mut Steps<State>) {
        if let Some(next) = self.witness_hears(state) {
            steps.push(|| "the witness hears the honest player".into(), Ok(next));
        }
        if let Some(next) = self.player_hears(state) {
            let says = || format!("the honest player hears {}", heard(&state.to_player[0]));
            steps.push(says, next);
        }
        if !state.known.is_in_room && self.room(state).end.is_none() {
            steps.push(
                || "the honest player asks for the room".into(),
                self.ask(state),
            );
        }
        if state.is_full {
            let next = Ok(self.takes_more(state));
            return steps.push(|| "the log of the witness takes more".into(), next);
        }
        if let Some(left) = state.left.tricks.checked_sub(1) {
            let mut next = state.clone();
            (next.left.tricks, next.is_full) = (left, true);
            steps.push(|| "the log of the witness is full".into(), Ok(next));
        }
        if state.end.is_some() {
            return;
        }
        let newest = Self::newest(state);
        let Ok(game) = self.terms.play(&newest) else {
            return;
        };
        let mut said = Vec::new();
        if game.to_move() == Some(self.cheat) {
            for bin in self.bins() {
                let mut after = newest;
                after.push(bin);
                if self.terms.play(&after).is_ok() {
                    said.push((self.spoken(self.cheat, self.cheat, Act::Move, &after), 0));
                }
            }
        }
        for act in [Act::Resign, Act::Draw] {
            said.push((self.spoken(self.cheat, self.cheat, act, &newest), 1));
        }
        for (spoken, cost) in said {
            let Some(left) = state.left.statements.checked_sub(cost) else {
                continue;
            };
            if spoken.act == Act::Draw && state.offers.get(self.cheat).is_some() {
                continue;
            }
            let mut next = state.clone();
            next.left.statements = left;
            self.take(&mut next, &spoken);
            let says = || {
                format!(
                    "the witness takes {:?} of the opponent at {}",
                    spoken.act,
                    text(&spoken.moves)
                )
            };
            steps.push(says, Ok(next));
        }
        if let Some(left) = state.left.jumps.checked_sub(1)
            && let Some(mut next) = self.lapse(state)
        {
            next.left.jumps = left;
            steps.push(|| "time lapses".into(), Ok(next));
        }
    }

    /// All that a dishonest witness and the opponent can say.
    fn lies(&self, state: &State) -> Vec<Told> {
        let mut lists: Vec<Vec<u8>> = Vec::new();
        let from = state.positions.iter().map(|moves| moves.to_vec());
        let bases = (self.base.len().saturating_sub(3)..=self.base.len())
            .map(|turns| self.base[..turns].to_vec());
        for list in from.chain(bases) {
            // Also with a move of the honest player's that it has not made.
            let mut next = vec![list];
            for _ in 0..2 {
                let mut longer = Vec::new();
                for list in next {
                    for bin in self.bins() {
                        let mut after = list.clone();
                        after.push(bin.index());
                        if self.terms.play(&moves(&after)).is_ok() {
                            longer.push(after);
                        }
                    }
                    lists.push(list);
                }
                next = longer;
            }
            lists.extend(next);
        }
        lists.sort_unstable();
        lists.dedup();
        let mut lies = Vec::new();
        for bins in &lists {
            let at = START * 1_000 + bins.len() as u64 * 1_000;
            let spent = ByPlayer {
                one: BANK / 2,
                two: BANK,
            };
            let mut says = vec![
                (self.receipt(), at),
                (self.receipt(), at + BANK),
                (Telling::Receipt { left: spent }, at + BANK / 2),
            ];
            for end in WitnessedEnd::ALL {
                says.push((Telling::Ended(end), at));
                says.push((Telling::Ended(end), at + 2 * BANK));
            }
            for (what, at) in says {
                let told = self.told(bins, what, at, self.honest);
                let (act, own) = Self::statement(&told, self.honest);
                let is_signed = match act {
                    Act::Move => {
                        own.is_empty()
                            || self.base.starts_with(&own)
                            || state.positions.contains(&own)
                    }
                    Act::Resign => state.resigned.contains(&own),
                    Act::Draw => state.drawn.contains(&own),
                };
                lies.push(match is_signed {
                    true => told,
                    // A signature of the honest player's that there is not.
                    false => self.told(bins, what, at, self.cheat),
                });
            }
        }
        lies
    }

    fn dishonest_steps(&self, state: &State, steps: &mut Steps<State>) {
        if !state.known.is_in_room {
            if self.room(state).end.is_none() {
                steps.push(
                    || "the honest player asks for the room".into(),
                    self.ask(state),
                );
            }
            return;
        }
        for told in self.lies(state) {
            let mut next = state.clone();
            let run = self.run(&mut next, Input::Room(FromWitness::Told(told)));
            if run.is_err() || next.known != state.known {
                steps.push(
                    || format!("the witness says {}", says(&told)),
                    run.map(|()| next),
                );
            }
        }
        if let Some(left) = state.left.statements.checked_sub(1) {
            let newest = self.room(state).moves();
            let mut next = state.clone();
            next.left.statements = left;
            let offer = self.spoken(self.cheat, self.cheat, Act::Draw, &newest);
            let run = self.run(&mut next, Input::Room(FromWitness::Offer(offer)));
            if run.is_err() || next.known != state.known {
                steps.push(|| "the opponent offers a draw".into(), run.map(|()| next));
            }
        }
    }
}

fn says(told: &Told) -> String {
    let moves = text(&told.moves);
    let after = i128::from(told.at) - i128::from(START * 1_000);
    match told.what {
        Telling::Receipt { left } => format!("receipt for {moves}, {after} ms, left {left:?}"),
        Telling::Ended(end) => format!("{end:?} at {moves}, {after} ms"),
    }
}

fn heard(said: &FromWitness) -> String {
    match said {
        FromWitness::Told(told) => says(told),
        FromWitness::Offer(_) => "an offer of a draw".into(),
        FromWitness::Refused(refusal) => format!("{refusal:?}"),
        _ => "of the room".into(),
    }
}

impl Searched for World {
    type State = State;

    fn steps(&self, state: &State, steps: &mut Steps<State>) -> usize {
        self.wishes(state, steps);
        self.losses(state, steps);
        match self.is_dishonest {
            true => self.dishonest_steps(state, steps),
            false => self.honest_steps(state, steps),
        }
        // Silence may begin after each.
        steps.list.len()
    }

    fn is_over(&self, state: &State) -> bool {
        let room = self.room(state);
        room.end.is_some() || room.contradiction.is_some()
    }

    /// The honest player has what its honest witness has told, and others judge it alike.
    fn check_end(&self, state: &State) -> Result<(), Violation> {
        let room = self.room(state);
        let Some(end) = room.end else {
            return match self.is_dishonest {
                true => Ok(()),
                false => Err("its witness is honest".into()),
            };
        };
        if !self.is_dishonest && state.end != Some(end) {
            return Err("it has another end than its witness has told".into());
        }
        if let Some(finished) = end.finished(&self.agreed) {
            let judged = finished.judge(CHAIN, &ModelKey(self.honest));
            judged.map_err(|refused| format!("others refuse its end: {refused}"))?;
        }
        Ok(())
    }

    /// The opponent is silent, and the honest player moves, asks and waits.
    fn outlast(
        &self,
        state: &State,
        settled: &mut HashSet<u128>,
        mut path: Option<&mut Vec<String>>,
    ) -> Result<(), Violation> {
        if self.is_dishonest {
            return Ok(());
        }
        let mut tell = |step: &str| {
            if let Some(path) = &mut path {
                path.push(step.to_owned());
            }
        };
        tell("the opponent is silent from here on");
        let mut state = state.clone();
        let mut passed = Vec::new();
        loop {
            let (id, _) = identity(&state);
            if self.is_over(&state) {
                self.check_end(&state)?;
                break;
            }
            if settled.contains(&id) {
                break;
            }
            if passed.len() == PATIENCE {
                return Err("the game does not end".into());
            }
            passed.push(id);
            if state.is_full {
                tell("the log of the witness takes more");
                state = self.takes_more(&state);
            } else if let Some(next) = self.witness_hears(&state) {
                state = next;
            } else if let Some(next) = self.player_hears(&state) {
                state = next?;
            } else if !state.known.is_in_room {
                tell("the honest player asks for the room");
                state = self.ask(&state)?;
            } else {
                let mut steps = Steps::new(true);
                self.wishes(&state, &mut steps);
                let first = steps.list.into_iter().next();
                let room = self.room(&state);
                let moved = room.moved.map_or(0, |moved| moved.moves.len());
                match first.filter(|(says, _)| says.contains("Move")) {
                    Some((says, next)) => {
                        tell(&says);
                        state = next?;
                    }
                    None if state.wants_end && state.end.is_none() => {
                        return Err("it has given up, and its witness does not hear of that".into());
                    }
                    None if moved > Self::newest(&state).len() => {
                        return Err("it has moved, and its witness does not hear of that".into());
                    }
                    None => match self.lapse(&state).filter(|_| state.end.is_none()) {
                        Some(next) => {
                            tell("time lapses");
                            state = next;
                        }
                        None => return Err("it does not hear of the end".into()),
                    },
                }
            }
        }
        settled.extend(passed);
        Ok(())
    }
}
