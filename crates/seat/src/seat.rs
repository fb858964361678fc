//! One player's place in a fast game.

use connect4_protocol::fast::wire::Offer;
use connect4_protocol::fast::{Ending, Evidence, FastGame, Kind, SessionKey};
use connect4_protocol::{Error, Game};
use connect4_rules::{Bin, Player};

use crate::book::{Book, Dropped};
use crate::duty::{self, Duty};
use crate::subject::Subject;

/// How long before an agreement lapses both players bring it, in seconds.
const SOON: u64 = 30;
/// For how long an offer of a draw stands, in seconds.
pub const OFFER_STANDS: u64 = 60;

/// Where a [`Seat`] keeps its [`Book`].
pub trait Keep {
    /// Why it can't be kept.
    type Error;

    /// Keeps the book in place of the one before. When this returns, it outlives a crash.
    ///
    /// # Errors
    ///
    /// If it can't be kept. Then it may be the old one or the new one.
    fn keep(&mut self, book: &Book) -> Result<(), Self::Error>;
}

/// Why a seat does not do what its player wants. Nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SeatError<E> {
    /// The rules don't allow it, as the contract would say.
    #[error("{0}")]
    Refused(#[from] Error),
    /// What would be signed can't be kept.
    #[error("{0}")]
    Keep(E),
    /// The player has sent another move of this turn to the chain before.
    #[error("this move was made before, on the chain: bin {0}")]
    Bound(u8),
}

/// A move that was made, and what to do with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::large_enum_variant,
    reason = "few live at a time, and copies are simple"
)]
pub enum Moved {
    /// It was signed, and is to be sent to the opponent.
    Signed(Evidence),
    /// It is to be made on the chain by the player's account, as the opponent has not signed the
    /// position before.
    OnChain(Bin),
}

/// What was heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard {
    /// It was taken: the game has changed.
    News,
    /// It was known.
    Known,
    /// The sender knows less than this seat, which should tell it what it holds.
    Behind,
}

/// How the opponent's clock is started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::large_enum_variant,
    reason = "few live at a time, and copies are simple"
)]
pub enum Press {
    /// Together with a position that the chain does not know.
    With(Evidence),
    /// The chain knows the latest position.
    Alone,
}

/// One player's place in a fast game: what it holds, what it has signed, and what the chain knows.
///
/// It does no input and output, but for [`Keep`]: whoever owns it tells it what is [heard](Self::hear)
/// from the opponent and [seen](Self::see) on the chain, sends what it signs, and does its
/// [duty](Self::duty).
#[derive(Debug)]
pub struct Seat<K> {
    subject: Subject,
    player: Player,
    key: SessionKey,
    keep: K,
    book: Book,
    chain: FastGame,
    now: u64,
    /// The opponent's offer of a draw at the latest position.
    offer: Option<Offer>,
    /// This player's own.
    offered: Option<Offer>,
}

impl<K: Keep> Seat<K> {
    /// The seat of the player with this session key, with what was kept in its book. `chain` is the
    /// game as the chain knows it, at the time `now` of its newest block.
    ///
    /// # Errors
    ///
    /// [`Error::BadKey`] if no player of the game has named the key.
    pub fn new(
        subject: Subject,
        key: SessionKey,
        book: Book,
        keep: K,
        chain: FastGame,
        now: u64,
    ) -> Result<Self, Error> {
        let player = subject.player_with_key(key.address());
        Ok(Self {
            player: player.ok_or(Error::BadKey)?,
            subject,
            key,
            keep,
            book,
            chain,
            now,
            offer: None,
            offered: None,
        })
    }

    /// The game.
    #[must_use]
    pub const fn subject(&self) -> &Subject {
        &self.subject
    }

    /// The player who sits here.
    #[must_use]
    pub const fn player(&self) -> Player {
        self.player
    }

    /// The session key.
    #[must_use]
    pub const fn key(&self) -> &SessionKey {
        &self.key
    }

    /// What has to outlive the program.
    #[must_use]
    pub const fn book(&self) -> &Book {
        &self.book
    }

    /// The game as the chain knows it.
    #[must_use]
    pub const fn chain(&self) -> &FastGame {
        &self.chain
    }

    /// Time of the newest block that was seen, in seconds since 1970.
    #[must_use]
    pub const fn now(&self) -> u64 {
        self.now
    }

    /// The latest position, or the end, that both players have signed.
    #[must_use]
    pub fn evidence(&self) -> &Evidence {
        self.book.evidence(&self.chain, self.now)
    }

    /// The game as it stands, on the chain or off it.
    #[must_use]
    pub fn latest(&self) -> Game {
        // What is in the book was checked when it came.
        let latest = self.book.latest(&self.subject, &self.chain, self.now);
        latest.unwrap_or(self.chain.game)
    }

    /// Whether the chain knows of moves that the opponent has not signed. Then the game goes on there.
    #[must_use]
    pub const fn is_on_chain(&self) -> bool {
        self.chain.game.turns() > self.book.held.moves.turns()
    }

    /// The opponent's offer of a draw, if it can be accepted.
    #[must_use]
    pub fn offer(&self) -> Option<&Offer> {
        self.offer.as_ref().filter(|offer| self.stands(offer))
    }

    /// This player's offer of a draw, as long as it stands. The opponent may accept it until its time
    /// is over, even if the game goes on.
    #[must_use]
    pub fn offered(&self) -> Option<&Offer> {
        self.offered.as_ref().filter(|offer| self.stands(offer))
    }

    /// Takes up offers that another seat of the same player has told, which checked them: for programs
    /// that make the seat anew for each step. They are not in the book, as nothing is lost with them.
    #[must_use]
    pub const fn with_offers(mut self, offer: Option<Offer>, offered: Option<Offer>) -> Self {
        self.offer = offer;
        self.offered = offered;
        self
    }

    fn stands(&self, offer: &Offer) -> bool {
        offer.until >= self.now
            && offer.moves == self.book.held.moves
            && !self.is_on_chain()
            && !self.latest().is_over()
    }

    /// The game as the chain knows it has changed, or time has gone on there.
    pub const fn see(&mut self, chain: FastGame, now: u64) {
        self.chain = chain;
        self.now = now;
    }

    /// Takes what somebody sent as signed by both players. What is taken is kept before this returns.
    ///
    /// # Errors
    ///
    /// [`SeatError::Refused`] if it is not signed by both, or not legal; [`SeatError::Keep`].
    pub fn hear(&mut self, evidence: &Evidence) -> Result<Heard, SeatError<K::Error>> {
        let heard = self
            .book
            .hear(&self.subject, &self.chain, self.now, evidence)?;
        match heard {
            Some(book) => {
                self.keep(book)?;
                self.concede()?;
                Ok(Heard::News)
            }
            None if self.evidence().replaces(evidence) => Ok(Heard::Behind),
            None => Ok(Heard::Known),
        }
    }

    /// Takes an offer of a draw.
    ///
    /// # Errors
    ///
    /// [`SeatError::Refused`]: [`Error::BadSignature`] if it is not signed by who offers,
    /// [`Error::NoOffer`] if it can't be accepted.
    pub fn hear_offer(&mut self, offer: &Offer) -> Result<Heard, SeatError<K::Error>> {
        if offer.by == self.player || self.offer.as_ref() == Some(offer) {
            return Ok(Heard::Known);
        }
        if !self.stands(offer) {
            return Err(Error::NoOffer.into());
        }
        let (number, keys) = (self.subject.number(), self.subject.keys());
        let crypto = connect4_protocol::fast::Native;
        offer.check(number, &keys, &self.subject.domain(), &crypto)?;
        self.offer = Some(*offer);
        Ok(Heard::News)
    }

    /// Drops a disc of this player.
    ///
    /// # Errors
    ///
    /// [`SeatError::Refused`]: as [`Game::drop`]; [`SeatError::Bound`], [`SeatError::Keep`].
    pub fn drop(&mut self, bin: Bin) -> Result<Moved, SeatError<K::Error>> {
        let mut after = self.latest();
        let account = after.account_of(self.player);
        let before = *after.board();
        let turns = after.turns();
        after.drop(account, bin, self.now)?;
        let dropped = Dropped {
            before,
            turns,
            bin: bin.index(),
        };
        let bound = self.book.dropped.filter(|bound| bound.turns >= turns);
        let mut book = self.book.clone();
        if self.is_on_chain() {
            // Of two moves on the chain the chain takes one.
            book.dropped = Some(dropped);
            self.keep(book)?;
            return Ok(Moved::OnChain(bin));
        }
        if let Some(bound) = bound.filter(|bound| *bound != dropped) {
            return Err(SeatError::Bound(bound.bin));
        }
        let held = &mut book.held;
        held.moves.push(bin);
        held.signatures[self.player] = self.subject.sign(&self.key, Kind::Position, &held.moves);
        let evidence = *held;
        self.keep(book)?;
        self.offer = None;
        Ok(Moved::Signed(evidence))
    }

    /// Gives the game up. It stands for good, and is to be sent to the opponent.
    ///
    /// # Errors
    ///
    /// [`SeatError::Refused`]: [`Error::GameOver`]; [`SeatError::Keep`].
    pub fn resign(&mut self) -> Result<Evidence, SeatError<K::Error>> {
        if self.latest().is_over() {
            return Err(Error::GameOver.into());
        }
        self.sign_resignation()
    }

    fn sign_resignation(&mut self) -> Result<Evidence, SeatError<K::Error>> {
        let mut book = self.book.clone();
        let held = &mut book.held;
        held.ending = Some(Ending::Resignation(self.player));
        held.signatures[self.player] = self.subject.sign(&self.key, Kind::Resignation, &held.moves);
        let evidence = *held;
        self.keep(book)?;
        Ok(evidence)
    }

    /// Agrees to a line of the opponent, so that it is final at once: one that both have signed, or one
    /// on the chain that can't be contested with what this player holds. Returns whether there was one
    /// to agree to. [`Self::hear`] does so by itself.
    ///
    /// # Errors
    ///
    /// [`SeatError::Keep`].
    pub fn concede(&mut self) -> Result<bool, SeatError<K::Error>> {
        let held = &self.book.held;
        if held.ending.is_some() || self.chain.is_final() {
            return Ok(false);
        }
        let theirs = Some(self.player.opponent());
        // What is in the book was checked when it came.
        let signed = self.subject.replay(&held.moves);
        let signed = signed.is_ok_and(|game| game.winner() == theirs);
        let dropped = self.chain.game.winner() == theirs && self.is_on_chain();
        if signed || dropped {
            self.sign_resignation()?;
        }
        Ok(signed || dropped)
    }

    /// Offers a draw at the latest position, which the opponent may accept until this second of the
    /// chain's time. The offer is to be sent.
    ///
    /// # Errors
    ///
    /// [`SeatError::Refused`]: [`Error::GameOver`]; [`Error::AlreadyOffered`] if one stands;
    /// [`Error::NoOffer`] if the game is on the chain, where draws can't be offered.
    pub fn offer_draw(&mut self, until: u64) -> Result<Offer, SeatError<K::Error>> {
        if self.latest().is_over() {
            return Err(Error::GameOver.into());
        }
        if self.offered().is_some() {
            return Err(Error::AlreadyOffered.into());
        }
        if self.is_on_chain() {
            return Err(Error::NoOffer.into());
        }
        let moves = self.book.held.moves;
        let signature = self.subject.sign(&self.key, Kind::Draw { until }, &moves);
        let offer = Offer {
            by: self.player,
            until,
            moves,
            signature,
        };
        self.offered = Some(offer);
        Ok(offer)
    }

    /// Accepts the opponent's offer of a draw. The draw is to be sent.
    ///
    /// # Errors
    ///
    /// [`SeatError::Refused`]: [`Error::NoOffer`] if there is none; [`SeatError::Keep`].
    pub fn accept_draw(&mut self) -> Result<Evidence, SeatError<K::Error>> {
        let offer = *self.offer().ok_or(Error::NoOffer)?;
        let kind = Kind::Draw { until: offer.until };
        let draw = offer.accepted(self.subject.sign(&self.key, kind, &offer.moves));
        let mut book = self.book.clone();
        book.draw = Some(draw);
        self.keep(book)?;
        Ok(draw)
    }

    /// Declines the opponent's offer of a draw. Returns whether there was one.
    pub fn decline_draw(&mut self) -> bool {
        let stood = self.offer().is_some();
        self.offer = None;
        stood
    }

    /// How to start the opponent's clock on the chain.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. [`Error::GameOver`],
    /// 2. [`Error::YourTurn`] if this player is to move,
    /// 3. [`Error::ClockRuns`] if the clock runs in this position,
    /// 4. [`Error::NoClock`] if the game has none.
    pub fn press(&self) -> Result<Press, Error> {
        let latest = self.latest();
        let to_move = latest.to_move().ok_or(Error::GameOver)?;
        if to_move == self.player {
            return Err(Error::YourTurn);
        }
        let held = &self.book.held;
        let is_news = held.is_news_after(self.chain.game.turns());
        match (self.chain.game.clock(), self.chain.stopped) {
            (None, None) => Err(Error::NoClock),
            (Some(_), _) if !is_news => Err(Error::ClockRuns),
            _ if is_news => Ok(Press::With(*held)),
            _ => Ok(Press::Alone),
        }
    }

    /// What has to be done on the chain now, if anything.
    #[must_use]
    pub fn duty(&self) -> Option<Duty> {
        if self.chain.is_final() {
            return None;
        }
        let chain = &self.chain.game;
        // The loser of a line agrees to it by a signature, and leaves it to the winner to tell.
        let is_lost = chain.winner() == Some(self.player.opponent())
            && matches!(self.book.held.ending, Some(Ending::Resignation(_)));
        if let Some(answer) = duty::answer(&self.book, &self.chain, self.now)
            && !is_lost
        {
            return Some(answer);
        }
        if self.settles() && self.can_settle() {
            return Some(Duty::Advance(*self.evidence()));
        }
        if chain.winner() == Some(self.player) {
            return duty::finish(&self.chain, self.now);
        }
        let is_late = chain.deadline().is_some_and(|deadline| self.now > deadline);
        (is_late && chain.to_move() == Some(self.player.opponent())).then_some(Duty::Claim)
    }

    /// Whether the game has ended by signatures, and the chain does not know it yet.
    #[must_use]
    pub fn can_settle(&self) -> bool {
        let evidence = self.evidence();
        let is_resigned = matches!(evidence.ending, Some(Ending::Resignation(_)));
        let last = match self.chain.contest {
            Some(last) => Some(last),
            None => self.chain.game.deadline(),
        };
        let in_time = last.is_none_or(|last| self.now <= last);
        !self.chain.is_final()
            && evidence.is_news_after(self.chain.game.turns())
            && (is_resigned || in_time)
            && self.latest().is_over()
    }

    /// Whether it is this player who tells the chain of the end, so that the two don't both pay for it:
    /// the winner; after a draw the player who made the last move, and either player once an agreement
    /// is about to lapse.
    #[must_use]
    pub fn settles(&self) -> bool {
        let latest = self.latest();
        if !latest.is_over() {
            return false;
        }
        let lapses = match self.evidence().ending {
            Some(Ending::Draw { until }) => until.saturating_sub(self.now) < SOON,
            _ => false,
        };
        let settler = latest.winner().or(latest.last_mover());
        lapses || settler.unwrap_or(Player::One) == self.player
    }

    /// Whether a duty is to tell of a line to which the opponent has not agreed yet. An honest opponent's
    /// program does so at once, which spares a transaction and the time in which the line could be
    /// contested: so it is worth a short wait.
    #[must_use]
    pub fn may_be_agreed(&self, duty: &Duty) -> bool {
        let Duty::Advance(evidence) = duty else {
            return false;
        };
        let is_urgent = self.chain.game.deadline().is_some();
        let ends = self.subject.game_of(evidence);
        !is_urgent && evidence.ending.is_none() && ends.is_ok_and(|game| game.winner().is_some())
    }

    fn keep(&mut self, book: Book) -> Result<(), SeatError<K::Error>> {
        self.keep.keep(&book).map_err(SeatError::Keep)?;
        self.book = book;
        Ok(())
    }
}
