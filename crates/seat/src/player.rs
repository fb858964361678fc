//! A signed game as one player plays it, from the offer to the payment or to the next game.

mod funding;
mod room;
mod shown;

use alloc::boxed::Box;
use alloc::vec::Vec;

use codec::{Decode, Encode};
use connect4_protocol::signed::Evidence;
use connect4_protocol::signed::relay::Refusal;
use connect4_protocol::signed::staked_room::Offer;
use connect4_protocol::signed::wire::{FromWitness, Spoken, ToWitness};
use connect4_protocol::signed::{
    self, AccountCrypto, Contradiction, Crypto, Domain, GameNumber, Signature, SignedTerms,
    Signing, StakedGame, Terms,
};
use connect4_protocol::{Error, Game};
use connect4_rules::{Bin, Board, ByPlayer, Player as Side};

pub use self::shown::{Awaited, Shown, Stage, What, Who};
use crate::acts::{Moved, Press, Received};
use crate::game_offer::GameOffer;
use crate::journal::{Dropped, Journal};
use crate::keep::SeatError;
use crate::plan::Duty;
use crate::record::{Page, Record, Room, Shelf};
use crate::seat::{OFFER_STANDS, Seat};
use crate::subject::Subject;

/// After how many seconds a transaction is sent again that has changed nothing.
const AGAIN: u64 = 12;
/// How many discs that were sent to the chain are remembered, at most: those of some dozens of turns.
const MOST_DROPPED: usize = 64;

/// What a player is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// The opponent has said something, by a relay or otherwise.
    Message(Message),
    /// The room of a game without a stake says something. It begins with a welcome.
    Room(FromWitness),
    /// The connection to the room is lost.
    Closed,
    /// From now on messages may come to the opponent, who may have missed those before.
    Connected,
    /// A block shows the game. One that is older than the last final block is not looked at: a program whose node is
    /// another one from now on resumes the player from its record.
    Block {
        sight: Sight,
        /// Whether the block can't be replaced any more.
        is_final: bool,
    },
    /// A block shows that somebody has paid for these terms, to which the own offer was completed.
    Paid(Terms),
    /// The machine's clock, in seconds since 1970.
    Time(u64),
    Command(Command),
}

/// What a block shows.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Sight {
    /// Time of the block, in seconds since 1970.
    pub time: u64,
    /// [Number](Player::number) of the game that was looked for; none while nobody has taken the offer.
    pub number: Option<GameNumber>,
    /// The game with this number; none if there is none.
    pub game: Option<StakedGame>,
    /// What the player's account is owed.
    pub owed: u128,
}

impl Sight {
    /// The game, if both have paid for it.
    fn begun(&self) -> Option<&StakedGame> {
        let game = self.game.as_ref();
        game.filter(|game| game.paid_by.is_none())
    }
}

/// What the two programs tell each other. The opponent is believed nothing that its key has not signed.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Message {
    /// An offer was completed to these terms, for a stake. Nobody has paid for them yet.
    Taken(Terms),
    /// The taker has signed these terms of a game without a stake, or both have.
    Terms(SignedTerms),
    /// The taker has signed these terms of a game without a stake, for both colours.
    Tossed(Box<[SignedTerms; 2]>),
    /// Which of them both have signed, by the coin with this secret.
    Decided {
        terms: SignedTerms,
        secret: [u8; 32],
    },
    /// What both have signed.
    Evidence(Evidence),
    /// An offer of a draw.
    Draw(Offer),
    /// The signature of the player who offers a game for a stake on [`Acceptance`](connect4_protocol::signed::Acceptance) of
    /// the terms that were [taken](Self::Taken).
    Accepted(Signature),
}

impl Message {
    /// Whether the player who offers has accepted who has completed the offer to these terms.
    #[must_use]
    pub fn accepts(&self, offer: &GameOffer, terms: &Terms, crypto: &impl Crypto) -> bool {
        let Self::Accepted(signature) = self else {
            return false;
        };
        let by = crypto.recover(&offer.acceptance(terms, crypto), signature);
        by == Some(offer.party().key())
    }
}

/// What the person wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Makes a move by a signature.
    Move(Bin),
    /// Makes a move by a transaction, as there is no relay, or as the opponent has not signed the position before. Of
    /// that position a person is asked: a host could have made it up.
    MoveOnChain(Bin),
    /// Starts the clock of an opponent who is silent.
    Press,
    Resign,
    OfferDraw,
    AcceptDraw,
    DeclineDraw,
    /// Has the end of the game brought to the chain, also by a player who has lost.
    Settle,
    /// Has the stake paid back, as the opponent does not pay. While nobody has taken the own offer: calls it off.
    Refund,
    /// Has all paid that the account is owed.
    Withdraw,
    /// Has the storage of the game freed.
    Free,
}

/// Transaction by the player's account.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Call {
    /// Pays the stake: `payment` with the transaction, the rest from what the account is owed.
    Fund {
        terms: Terms,
        payment: u128,
    },
    Refund,
    Advance {
        evidence: signed::Evidence,
        press: bool,
    },
    Press,
    /// A disc into a bin of this board. In a game that stands at another one the contract refuses it.
    Drop {
        board: Board,
        bin: u8,
    },
    Claim,
    Withdraw,
    Free,
}

impl Call {
    /// What a seat or a guard has to do in a game with a stake.
    #[must_use]
    pub const fn of(duty: &Duty) -> Self {
        match duty {
            Duty::Claim => Self::Claim,
            Duty::Advance(evidence) => Self::Advance {
                evidence: *evidence,
                press: false,
            },
        }
    }
}

/// What is to be done for a player, in this order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    Send(Message),
    Call(Call),
    /// The room of the game is to be entered.
    Enter,
    /// To the room.
    Say(ToWitness),
    /// The room can be left: the end is on the disk.
    Leave,
}

/// Why a player does not do what is wanted. Nothing has changed, but where [`Keep`](Self::Keep) says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayerError<E> {
    /// As the contract, or the rules of what is signed, would say.
    #[error("{0}")]
    Seat(#[from] SeatError<E>),
    #[error("{0}")]
    Stakes(#[from] signed::StakesError),
    /// The record can't be kept. What it would have had may be on the disk all the same: if that is a move, no other one
    /// of its turn is signed. What a room has told is heard again with the next step.
    #[error("{0}")]
    Keep(E),
    #[error("the offer is for another chain, or for another contract")]
    OtherPlace,
    #[error("a game without a stake needs a witness")]
    NoWitness,
    #[error("the key that the offer names is not on this disk")]
    NoKey,
    #[error("the offer has ended")]
    OfferOver,
    #[error("these terms are not those of the offer")]
    OtherTerms,
    #[error("another program on this disk plays this game")]
    OtherRecord,
    #[error("the block shows another game")]
    OtherGame,
    #[error("the game has not begun in a final block; wait")]
    NotBegun,
    /// The terms, or what is said to be the end, are not valid.
    #[error("{0}")]
    Refused(#[from] signed::Refused),
    #[error("the game has no stake, and is not on the chain")]
    NoStake,
    #[error("the room says what its witness or the opponent has not signed")]
    NotSigned,
    /// Both statements are kept; the same one twice if it contradicts the terms.
    #[error("the witness contradicts itself, or the terms: {0}")]
    Contradicted(Contradiction),
    #[error("the move is on its way to the chain; wait")]
    OnItsWay,
    #[error("the witness has not taken the last move yet; wait")]
    NoReceipt,
    #[error("the game has not ended")]
    NotOver,
    #[error(
        "the opponent has not signed the position that the chain shows: a move on top of it is made on the \
         chain"
    )]
    OnChain,
}

/// What a player knows beside its key and its disk. All but the record is lost without harm.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Known {
    pub record: Record,
    /// Terms to which somebody is said to have completed the offer.
    pub candidate: Option<Terms>,
    /// Other such terms, which are looked for if a block shows that the candidate has not paid.
    pub waiting: Vec<Terms>,
    /// Terms for which a block has shown a payment: other terms don't push them out.
    pub paid: Vec<Terms>,
    /// Time of the newest block when another one was looked for last.
    pub turned_at: u64,
    /// The newest block.
    pub newest: Option<Sight>,
    /// The newest final block.
    pub last_final: Option<Sight>,
    /// The machine's clock.
    pub machine: u64,
    /// By how many seconds the machine's clock was ahead of the newest block when that came.
    pub ahead: i64,
    /// The opponent's offer of a draw, and whether it was declined.
    pub draw: Option<Offer>,
    pub has_declined: bool,
    /// Whether the room is entered, and when that was asked for.
    pub is_in_room: bool,
    pub entered_at: u64,
    /// The newest move may be on the disk, which has said that it is not.
    pub is_unkept: bool,
    /// Draws to which each player has agreed, in a game without a stake.
    pub agreed: ByPlayer<Option<Spoken>>,
    /// What the room refused last, until it tells something of the game again, and when.
    pub refusal: Option<Refusal>,
    pub refused_at: u64,
    /// What the room has told and the disk has refused.
    pub unheard: Vec<FromWitness>,
    /// What has to be done by a transaction, and since when.
    pub due: Option<(Call, u64)>,
    /// The transaction that was sent last for that, the game as it was then, and when. With a disc no game, as that names
    /// its board.
    pub sent: Option<(Call, Option<StakedGame>, u64)>,
}

/// One player's part in a signed game, from the offer to the payment, or to the next game: a state machine without input
/// and output.
///
/// It is [told](Self::step) messages, blocks, the time and what the person wants, and answers with messages and
/// transactions; what has to outlive the program is on its [`Shelf`] before it answers. What is signed, taken and
/// brought to the chain once a game with a stake has begun is decided by a [`Seat`]. A game without a stake is played in
/// the room of its witness: no move is answered before its receipt, and nothing but the witness ends it.
#[derive(Clone, Debug)]
pub struct Player<K, S> {
    domain: Domain,
    key: S,
    shelf: K,
    known: Known,
}

impl<K: Shelf, S: Signing + AccountCrypto + Clone> Player<K, S> {
    /// The player whose program was ended and has this record on its disk.
    ///
    /// # Errors
    ///
    /// [`PlayerError::OtherPlace`]; [`PlayerError::OtherRecord`]; [`PlayerError::Stakes`] if no game can be played by the terms;
    /// [`PlayerError::Seat`] if the journal is of another game.
    pub fn resume(
        domain: Domain,
        key: S,
        shelf: K,
        mut record: Record,
    ) -> Result<Self, PlayerError<K::Error>> {
        if record.offer.domain != domain {
            return Err(PlayerError::OtherPlace);
        }
        if !shelf.is_held() {
            return Err(PlayerError::OtherRecord);
        }
        if record.offer.terms.stake == 0 {
            return Self::resume_in_room(domain, key, shelf, record);
        }
        if let Some(terms) = &record.terms {
            let subject = Subject::staked(terms, domain, &key)?;
            let judged = record.journal.judged(&subject, &key);
            record.journal = judged.map_err(SeatError::Refused)?;
        }
        Ok(Self::with_known(domain, key, shelf, Known::new(record)))
    }

    /// The same player with what it knew, for programs that make it anew for each step.
    pub const fn with_known(domain: Domain, key: S, shelf: K, known: Known) -> Self {
        Self {
            domain,
            key,
            shelf,
            known,
        }
    }

    #[must_use]
    pub const fn known(&self) -> &Known {
        &self.known
    }

    #[must_use]
    pub const fn record(&self) -> &Record {
        &self.known.record
    }

    #[must_use]
    pub const fn journal(&self) -> &Journal {
        &self.known.record.journal
    }

    /// Where the record is kept.
    pub const fn shelf(&mut self) -> &mut K {
        &mut self.shelf
    }

    /// The terms of the game; none while nobody has taken the offer.
    #[must_use]
    pub fn terms(&self) -> Option<&Terms> {
        let known = &self.known;
        known.record.terms.as_ref().or(known.candidate.as_ref())
    }

    /// Number of the game, under which blocks are looked at; none while nobody has taken the offer.
    #[must_use]
    pub fn number(&self) -> Option<GameNumber> {
        let terms = self.terms()?;
        Some(terms.number(&self.domain, &self.key))
    }

    /// Which player of the terms this is.
    #[must_use]
    pub fn side(&self) -> Option<Side> {
        let terms = self.terms()?;
        let is_own = |side: &Side| terms.players.get(*side).key() == self.key.address();
        Side::ALL.into_iter().find(is_own)
    }

    /// The probable time of the chain.
    fn now(&self) -> u64 {
        let newest = self.known.newest.as_ref().map_or(0, |sight| sight.time);
        self.known.machine.max(newest)
    }

    const fn has_stake(&self) -> bool {
        self.known.record.offer.terms.stake > 0
    }

    fn newest_game(&self) -> Option<&StakedGame> {
        self.known.newest.as_ref()?.game.as_ref()
    }

    /// Whether a final block has the game, begun: before, nothing is signed.
    fn is_sure(&self) -> bool {
        let has_begun = |sight: &Option<Sight>| sight.as_ref().and_then(Sight::begun).is_some();
        self.known.record.terms.is_some()
            && has_begun(&self.known.last_final)
            && has_begun(&self.known.newest)
    }

    /// Takes what has come, and says what is to be done.
    ///
    /// # Errors
    ///
    /// Any of [`PlayerError`]. What was refused has changed nothing; transactions that are due are sent all the same
    /// at the next step.
    pub fn step(&mut self, input: Input) -> Result<Vec<Output>, PlayerError<K::Error>> {
        let mut out = Vec::new();
        if !self.shelf.is_held() {
            return Err(PlayerError::OtherRecord);
        }
        match input {
            Input::Message(message) => self.receive(message, &mut out)?,
            Input::Room(message) => self.hear(message, &mut out)?,
            Input::Closed => self.known.is_in_room = false,
            Input::Connected => self.tell_all(&mut out)?,
            Input::Block { sight, is_final } => self.see(sight, is_final, &mut out)?,
            Input::Paid(terms) => self.consider(terms, true)?,
            Input::Time(machine) => self.known.machine = machine,
            Input::Command(command) => self.command(command, &mut out)?,
        }
        if self.has_stake() {
            self.give_up_waiting()?;
            self.pursue(&mut out)?;
        } else {
            self.tend(&mut out);
        }
        Ok(out)
    }

    fn receive(
        &mut self,
        message: Message,
        out: &mut Vec<Output>,
    ) -> Result<(), PlayerError<K::Error>> {
        match message {
            Message::Terms(terms) => self.agree(&terms, out),
            Message::Tossed(tossed) => self.toss(&tossed, out),
            Message::Decided { terms, secret } => self.decided(&terms, &secret),
            Message::Taken(terms) => {
                self.consider(terms, false)?;
                let acceptance = self.known.record.offer.acceptance(&terms, &self.key);
                let signature = self.key.sign(&acceptance);
                out.push(Output::Send(Message::Accepted(signature)));
                Ok(())
            }
            // A taker looks at it before it takes the offer.
            Message::Accepted(_) => Ok(()),
            // The opponent tells it again once both see the game.
            Message::Evidence(_) | Message::Draw(_) if !self.is_sure() => Ok(()),
            Message::Evidence(evidence) => {
                let (received, has_conceded, told) = self.with_seat(|seat| {
                    let side = seat.player();
                    let had = seat.journal().resignations.get(side).is_some();
                    let received = seat.receive(&evidence)?;
                    let has = seat.journal().resignations.get(side).is_some();
                    Ok((received, has && !had, *seat.evidence()))
                })?;
                if received == Received::Behind || has_conceded {
                    out.push(Output::Send(Message::Evidence(told)));
                }
                Ok(())
            }
            Message::Draw(offer) => {
                self.with_seat(|seat| seat.receive_offer(&offer))?;
                Ok(())
            }
        }
    }

    /// Tells the opponent all that is held, as far as it matters to it.
    fn tell_all(&mut self, out: &mut Vec<Output>) -> Result<(), PlayerError<K::Error>> {
        let Record { room, tossed, .. } = &self.known.record;
        if let (Some(tossed), None) = (tossed, room) {
            out.push(Output::Send(Message::Tossed(Box::new(*tossed))));
        } else if let Some(room) = room {
            let agreed = self.tell_agreed(room.agreed);
            out.push(Output::Send(agreed));
        } else if self.is_sure() {
            let (evidence, offered) =
                self.with_seat(|seat| Ok((*seat.evidence(), seat.offered().copied())))?;
            out.push(Output::Send(Message::Evidence(evidence)));
            out.extend(offered.map(|offer| Output::Send(Message::Draw(offer))));
        } else if let Some(terms) = self.known.record.terms.filter(|terms| self.is_taker(terms)) {
            out.push(Output::Send(Message::Taken(terms)));
        }
        Ok(())
    }

    fn see(
        &mut self,
        sight: Sight,
        is_final: bool,
        out: &mut Vec<Output>,
    ) -> Result<(), PlayerError<K::Error>> {
        if !self.has_stake() {
            return Err(PlayerError::NoStake);
        }
        // What was looked for before somebody else took the offer.
        if sight.number != self.number() {
            return Err(PlayerError::OtherGame);
        }
        if let (Some(game), Some(terms)) = (&sight.game, self.terms()) {
            let subject = Subject::staked(terms, self.domain, &self.key)?;
            if !subject.is_of(&game.game) || game.stake != terms.stake {
                return Err(PlayerError::OtherGame);
            }
        }
        let was_sure = self.is_sure();
        let known = &mut self.known;
        let is_old = |last: &Sight| sight.time < last.time;
        if known.last_final.as_ref().is_some_and(is_old) {
            return Ok(());
        }
        let is_newest = |newest: &Sight| newest.time <= sight.time;
        if !is_final || known.newest.as_ref().is_none_or(is_newest) {
            known.ahead = match known.machine {
                // Its clock was not told yet.
                0 => 0,
                machine => ahead_of(machine, sight.time),
            };
            known.newest = Some(sight.clone());
        }
        if is_final {
            known.last_final = Some(sight);
        }
        // A disk that is full keeps no transaction back. What it does not have is noted with the next block.
        self.note_progress().ok();
        self.note_refund()?;
        self.fund_second()?;
        self.look_for_next();
        if self.is_sure() {
            let told = self.with_seat(|seat| {
                let had = *seat.evidence();
                seat.concede()?;
                let has = *seat.evidence();
                // What was told while the opponent did not listen.
                Ok((!was_sure || has != had).then_some(has))
            })?;
            let told = told.map(|told| Output::Send(Message::Evidence(told)));
            out.extend(told);
        }
        Ok(())
    }

    fn command(
        &mut self,
        command: Command,
        out: &mut Vec<Output>,
    ) -> Result<(), PlayerError<K::Error>> {
        if !self.has_stake() {
            return self.command_in_room(command, out);
        }
        match command {
            Command::Refund => return self.ask_refund(),
            Command::Withdraw => {
                out.push(Output::Call(Call::Withdraw));
                return Ok(());
            }
            Command::Free => {
                out.push(Output::Call(Call::Free));
                return Ok(());
            }
            _ => {}
        }
        if !self.is_sure() {
            return Err(PlayerError::NotBegun);
        }
        let is_move = matches!(command, Command::Move(_));
        if is_move && self.with_seat(|seat| Ok(seat.is_on_chain()))? {
            return Err(PlayerError::OnChain);
        }
        if let Command::MoveOnChain(bin) = command {
            return self.move_on_chain(bin);
        }
        if command == Command::OfferDraw {
            self.check_clock()?;
        }
        let ahead = self.known.ahead;
        let done = self.with_seat(|seat| {
            let brings = |evidence, press| Output::Call(Call::Advance { evidence, press });
            Ok(Some(match command {
                Command::Move(bin) => match seat.drop(bin)? {
                    Moved::Signed(evidence) => Output::Send(Message::Evidence(evidence)),
                    // It was refused before.
                    Moved::OnChain(_) => return Ok(None),
                },
                Command::Press => match seat.press()? {
                    Press::With(position) => brings(position, true),
                    Press::Alone => Output::Call(Call::Press),
                },
                Command::Resign => Output::Send(Message::Evidence(seat.resign()?)),
                Command::OfferDraw => Output::Send(Message::Draw(seat.offer_draw_now(ahead)?)),
                Command::AcceptDraw => Output::Send(Message::Evidence(seat.accept_draw()?)),
                Command::DeclineDraw => {
                    seat.decline_draw();
                    return Ok(None);
                }
                Command::Settle => match seat.settlement() {
                    Some(evidence) => brings(evidence, false),
                    None => return Ok(None),
                },
                Command::MoveOnChain(_) | Command::Refund | Command::Withdraw | Command::Free => {
                    return Ok(None);
                }
            }))
        })?;
        out.extend(done);
        Ok(())
    }

    /// Keeps a move that is made on the chain. From then on it is [due](Self::due) there until it has landed. Of one
    /// position only one is sent, which may land late.
    fn move_on_chain(&mut self, bin: Bin) -> Result<(), PlayerError<K::Error>> {
        let sent = self.known.record.dropped.clone();
        let dropped = self.with_seat(|seat| {
            let game = &seat.chain().game;
            let dropped = Dropped {
                before: *game.board(),
                turns: game.moves(),
                bin: bin.index(),
            };
            let is_here = |other: &&Dropped| {
                (other.before, other.turns) == (dropped.before, dropped.turns)
                    && other.bin != dropped.bin
            };
            let mut others = seat.journal().dropped.iter().chain(&sent);
            match (others.find(is_here), seat.try_on_chain(bin)) {
                (Some(other), _) => Err(SeatError::Bound(other.bin)),
                (None, Err(Error::OutOfTime)) => Err(Error::OutOfTime.into()),
                (None, _) => Ok(dropped),
            }
        })?;
        if sent.contains(&dropped) {
            return Err(PlayerError::OnItsWay);
        }
        // It is written together with the journal, and only if the move can be made.
        let list = &mut self.known.record.dropped;
        if list.len() == MOST_DROPPED {
            list.remove(0);
        }
        list.push(dropped);
        if let Err(error) = self.with_seat(|seat| seat.drop_on_chain(bin)) {
            self.known.record.dropped = sent;
            return Err(error);
        }
        Ok(())
    }

    /// An offer of a draw ends by the time of the chain, as far as the machine's clock shows it: that may have been set
    /// since the newest block was seen.
    fn check_clock(&self) -> Result<(), PlayerError<K::Error>> {
        let Known { machine, ahead, .. } = self.known;
        let newest = self.known.newest.as_ref().map_or(0, |sight| sight.time);
        let passed = machine.saturating_sub_signed(ahead).abs_diff(newest);
        match passed > OFFER_STANDS {
            true => Err(SeatError::ClocksDiffer(ahead_of(machine, newest)).into()),
            false => Ok(()),
        }
    }

    /// The seat in the game as the newest block has it, in which nothing is signed that is not kept.
    fn with_seat<T>(
        &mut self,
        act: impl FnOnce(&mut Seat<Page<'_, K>, S>) -> Result<T, SeatError<K::Error>>,
    ) -> Result<T, PlayerError<K::Error>> {
        let mut seat = seat(&self.domain, &self.key, &mut self.shelf, &self.known)?
            .ok_or(PlayerError::NotBegun)?;
        let done = act(&mut seat);
        let (draw, has_declined) = (seat.latest_offer().copied(), seat.has_declined());
        let journal = seat.journal().clone();
        let known = &mut self.known;
        known.record.journal = journal;
        (known.draw, known.has_declined) = (draw, has_declined);
        Ok(done?)
    }

    /// Sends the transaction that is due, unless somebody else is waited for who would do it as well.
    fn pursue(&mut self, out: &mut Vec<Output>) -> Result<(), PlayerError<K::Error>> {
        let now = self.now();
        let Some((call, patience)) = self.due()? else {
            self.known.due = None;
            return Ok(());
        };
        // A clock that was ahead once keeps nothing back.
        let since = match &self.known.due {
            Some((due, since)) if *due == call => now.min(*since),
            _ => now,
        };
        self.known.due = Some((call.clone(), since));
        // A disc is for one board, whatever else has changed in the game.
        let game = match &call {
            Call::Drop { .. } => None,
            _ => self.newest_game().copied(),
        };
        let was_sent = match &self.known.sent {
            Some((sent, on, at)) => *sent == call && *on == game && is_recent(*at, now),
            None => false,
        };
        // The person has something else sent in this step.
        let is_busy = out.iter().any(|output| matches!(output, Output::Call(_)));
        if was_sent || is_busy || now < since.saturating_add(patience.into()) {
            return Ok(());
        }
        self.known.sent = Some((call.clone(), game, now));
        out.push(Output::Call(call));
        Ok(())
    }

    /// The transaction that has to be sent now, and for how many seconds the opponent may be waited for. A disc that was
    /// sent on the board that is there is sent until it has landed, as the player can make no other move there.
    fn due(&mut self) -> Result<Option<(Call, u32)>, PlayerError<K::Error>> {
        if !self.is_sure() {
            return Ok(self.payment_due().map(|call| (call, 0)));
        }
        self.with_seat(|seat| {
            if let Some(duty) = seat.duty() {
                let patience = seat.patience(&duty);
                return Ok(Some((Call::of(&duty), patience)));
            }
            let sent = &seat.keeper().record.dropped;
            let disc = sent.iter().find(|dropped| seat.can_land(dropped));
            Ok(disc.map(|&Dropped { before, bin, .. }| (Call::Drop { board: before, bin }, 0)))
        })
    }

    /// The game as it stands by what is held and what the newest block has; none before it has begun.
    pub fn latest(&mut self) -> Option<Game> {
        if !self.has_stake() {
            return self.known.record.room.as_ref().and_then(Room::game);
        }
        let latest = self.with_seat(|seat| Ok(seat.latest())).ok();
        latest.or_else(|| self.ended())
    }

    fn keep(&mut self, record: Record) -> Result<(), PlayerError<K::Error>> {
        self.shelf.keep(&record).map_err(PlayerError::Keep)?;
        self.known.record = record;
        Ok(())
    }
}

impl Known {
    /// What a player knows that has just read its record.
    #[must_use]
    pub const fn new(record: Record) -> Self {
        Self {
            record,
            candidate: None,
            waiting: Vec::new(),
            paid: Vec::new(),
            turned_at: 0,
            newest: None,
            last_final: None,
            machine: 0,
            ahead: 0,
            draw: None,
            has_declined: false,
            is_in_room: false,
            entered_at: 0,
            is_unkept: false,
            agreed: ByPlayer {
                one: None,
                two: None,
            },
            refusal: None,
            refused_at: 0,
            unheard: Vec::new(),
            due: None,
            sent: None,
        }
    }
}

/// Whether what was sent at one time is not to be sent again at another. A clock that was set back keeps nothing back.
fn is_recent(at: u64, now: u64) -> bool {
    (at..at.saturating_add(AGAIN)).contains(&now)
}

/// By how many seconds the machine's clock is ahead of a block.
fn ahead_of(machine: u64, block: u64) -> i64 {
    let seconds = |time: u64| i64::try_from(time).unwrap_or(i64::MAX);
    seconds(machine).saturating_sub(seconds(block))
}

/// The seat of a player; none before both have paid.
#[expect(clippy::type_complexity, reason = "it is named here alone")]
fn seat<'a, K: Shelf, S: Signing + AccountCrypto + Clone>(
    domain: &Domain,
    key: &S,
    shelf: &'a mut K,
    known: &'a Known,
) -> Result<Option<Seat<Page<'a, K>, S>>, PlayerError<K::Error>> {
    let (Some(terms), Some(newest)) = (&known.record.terms, &known.newest) else {
        return Ok(None);
    };
    let Some(game) = newest.begun() else {
        return Ok(None);
    };
    let last_final = known.last_final.as_ref();
    let last_final = last_final.and_then(|sight| Some((sight.begun()?.game, sight.time)));
    let subject = Subject::staked(terms, *domain, key)?;
    let page = Page {
        shelf,
        record: &known.record,
    };
    let journal = known.record.journal.clone();
    let (key, time) = (key.clone(), newest.time);
    let seat = Seat::resume(subject, key, journal, page, game.game, time);
    let mut seat = seat
        .map_err(SeatError::Refused)?
        .with_offer(known.draw)
        .with_declined(known.has_declined)
        .with_last_final(last_final);
    seat.pass_time(known.machine);
    Ok(Some(seat))
}
