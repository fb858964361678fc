//! One player's place in a game with a stake.

mod draws;

use connect4_protocol::signed::staked_room::Offer;
use connect4_protocol::signed::{ChainGame, Evidence, Kind, Moves, SessionKey, SignedEnd, Signing};
use connect4_protocol::{Error, Game};
use connect4_rules::{Bin, Player};

use crate::acts::{Moved, Press, Received};
use crate::journal::{Dropped, Journal};
use crate::keep::{Keep, SeatError};
use crate::latest::{is_on_chain, latest, told};
use crate::plan::{self, Duty, Times};
use crate::subject::Subject;

/// For how long an offer of a draw stands, in seconds.
pub const OFFER_STANDS: u64 = 60;

/// One player's place in a game with a stake: what it holds, what it has signed, and what the chain knows.
///
/// It does no input and output, but for [`Keep`]: its owner hands it what is [received](Self::receive)
/// from the opponent and [seen](Self::see) on the chain, sends what it signs, and does its
/// [duty](Self::duty).
#[derive(Debug)]
pub struct Seat<K, S = SessionKey> {
    subject: Subject,
    player: Player,
    key: S,
    keep: K,
    journal: Journal,
    chain: ChainGame,
    /// The game in the last final block, and the time of that; none where blocks are not told apart.
    last_final: Option<(ChainGame, u64)>,
    times: Times,
    /// Time of the machine as it was told last, in seconds since 1970.
    machine: u64,
    /// The opponent's offer of a draw at the latest position.
    offer: Option<Offer>,
    /// Whether the player has declined it.
    has_declined: bool,
}

impl<K: Keep, S: Signing> Seat<K, S> {
    /// The seat of the player with this session key, with what was kept in its journal, which is
    /// [judged](Journal::judged) again. `chain` is the game as the chain knows it, at the time `now` of
    /// its newest block.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. [`Error::BadKey`] if no player of the game has named the key,
    /// 2. as [`Journal::judged`], if the journal is of another game.
    pub fn new(
        subject: Subject,
        key: S,
        journal: Journal,
        keep: K,
        chain: ChainGame,
        now: u64,
    ) -> Result<Self, Error> {
        subject
            .player_with_key(key.address())
            .ok_or(Error::BadKey)?;
        let journal = journal.judged(&subject, &key)?;
        Self::resume(subject, key, journal, keep, chain, now)
    }

    /// As [`Self::new`], with a journal that another seat of this program has judged: for programs that
    /// make the seat anew for each step.
    ///
    /// # Errors
    ///
    /// [`Error::BadKey`] if no player of the game has named the key.
    pub fn resume(
        subject: Subject,
        key: S,
        journal: Journal,
        keep: K,
        chain: ChainGame,
        now: u64,
    ) -> Result<Self, Error> {
        let player = subject.player_with_key(key.address());
        Ok(Self {
            player: player.ok_or(Error::BadKey)?,
            subject,
            key,
            keep,
            journal,
            chain,
            last_final: None,
            times: Times {
                chain: now,
                guess: now,
            },
            machine: now,
            offer: None,
            has_declined: false,
        })
    }

    #[must_use]
    pub const fn subject(&self) -> &Subject {
        &self.subject
    }

    #[must_use]
    pub const fn player(&self) -> Player {
        self.player
    }

    #[must_use]
    pub const fn key(&self) -> &S {
        &self.key
    }

    /// Where the journal is kept.
    pub const fn keeper(&mut self) -> &mut K {
        &mut self.keep
    }

    /// What has to outlive the program.
    #[must_use]
    pub const fn journal(&self) -> &Journal {
        &self.journal
    }

    /// The game as the chain knows it.
    #[must_use]
    pub const fn chain(&self) -> &ChainGame {
        &self.chain
    }

    /// The probable time of the chain, in seconds since 1970: that of the newest block that was seen, or
    /// of the machine if that is later.
    #[must_use]
    pub const fn now(&self) -> u64 {
        self.times.guess
    }

    /// The last second of the chain's time at which the player to move there has to have answered, or at
    /// which a line there can be contested; none if no such time runs.
    #[must_use]
    pub fn deadline(&self) -> Option<u64> {
        self.subject.deadline(&self.chain)
    }

    /// What the opponent and watchers are told: the own resignation, or else the opponent's, or else a draw
    /// that the chain probably takes, or else the longest position.
    #[must_use]
    pub fn evidence(&self) -> &Evidence {
        told(&self.journal, Some(self.player), &self.chain, self.times)
    }

    /// The game as it stands, on the chain or off it.
    #[must_use]
    pub fn latest(&self) -> Game {
        let player = Some(self.player);
        latest(
            &self.subject,
            &self.journal,
            &self.chain,
            self.times,
            player,
        )
    }

    /// Whether nothing of what was signed in this game is known, so that no move is signed in it any more:
    /// what the disk had of it was not valid.
    #[must_use]
    pub fn has_forgotten(&self) -> bool {
        self.journal.has_forgotten()
    }

    /// Whether the game goes on on the chain, which knows moves that the opponent has not signed.
    #[must_use]
    pub fn is_on_chain(&self) -> bool {
        is_on_chain(&self.subject, &self.journal, &self.chain)
    }

    /// The opponent's offer of a draw, if it can be accepted.
    #[must_use]
    pub fn offer(&self) -> Option<&Offer> {
        let offer = self.offer.as_ref().filter(|_| !self.has_declined);
        offer.filter(|offer| self.stands(offer))
    }

    /// This player's offer of a draw, as long as it stands. The opponent may accept it until its time
    /// is over, even if the game goes on.
    #[must_use]
    pub fn offered(&self) -> Option<&Offer> {
        let offered = self.journal.offered.as_ref();
        offered.filter(|offer| self.stands(offer))
    }

    /// The opponent's latest offer of a draw, which may not stand any more.
    #[must_use]
    pub const fn latest_offer(&self) -> Option<&Offer> {
        self.offer.as_ref()
    }

    /// Whether the player has declined the [latest offer](Self::latest_offer).
    #[must_use]
    pub const fn has_declined(&self) -> bool {
        self.has_declined
    }

    /// Takes up the opponent's offer that another seat of the same player has told, which checked it: for
    /// programs that make the seat anew for each step. It is not in the journal, as nothing is lost with
    /// it.
    #[must_use]
    pub const fn with_offer(mut self, offer: Option<Offer>) -> Self {
        self.offer = offer;
        self
    }

    /// Takes up whether the player has declined that offer.
    #[must_use]
    pub const fn with_declined(mut self, has_declined: bool) -> Self {
        self.has_declined = has_declined;
        self
    }

    /// Takes up the game in the last final block, with its time: the seat [concedes](Self::concede) nothing that this one
    /// does not bear out.
    #[must_use]
    pub const fn with_last_final(mut self, last_final: Option<(ChainGame, u64)>) -> Self {
        self.last_final = last_final;
        self
    }

    fn stands(&self, offer: &Offer) -> bool {
        let longest = self.times.guess.saturating_add(2 * OFFER_STANDS);
        (self.times.guess..=longest).contains(&offer.until)
            && offer.moves == self.journal.position.moves
            && !self.is_on_chain()
            // A player who offers at its own turn could still make a winning move, which has more moves
            // than the draw.
            && self.latest().to_move() == Some(offer.by.opponent())
    }

    /// The game as the chain knows it has changed, or time has gone on there: `now` is that of its newest
    /// block.
    pub const fn see(&mut self, chain: ChainGame, now: u64) {
        self.chain = chain;
        self.times.chain = now;
        if now > self.times.guess {
            self.times.guess = now;
        }
    }

    /// The machine's clock shows this time, in seconds since 1970. It keeps no evidence back.
    pub const fn pass_time(&mut self, machine: u64) {
        self.machine = machine;
        self.times.guess = if machine > self.times.chain {
            machine
        } else {
            self.times.chain
        };
    }

    /// Takes what somebody sent as signed by both players. What is taken is kept before this returns.
    ///
    /// # Errors
    ///
    /// [`SeatError::Refused`] if it is not signed by both, or not legal; [`SeatError::Keep`].
    pub fn receive(&mut self, evidence: &Evidence) -> Result<Received, SeatError<K::Error>> {
        let received = self.journal.receive(&self.subject, evidence, &self.key)?;
        match received {
            Some(journal) => {
                self.keep(journal)?;
                self.concede()?;
                Ok(Received::News)
            }
            None if self.evidence().replaces(evidence) => Ok(Received::Behind),
            None => Ok(Received::Known),
        }
    }

    /// Takes an offer of a draw. It is news once in a turn: one of the same turn that stands for longer takes its place
    /// without a word, unless it was declined.
    ///
    /// # Errors
    ///
    /// [`SeatError::Refused`]: [`Error::BadSignature`] if it is not signed by who offers,
    /// [`Error::NoOffer`] if it can't be accepted.
    pub fn receive_offer(&mut self, offer: &Offer) -> Result<Received, SeatError<K::Error>> {
        if offer.by == self.player || self.offer.as_ref() == Some(offer) {
            return Ok(Received::Known);
        }
        if !self.stands(offer) {
            return Err(Error::NoOffer.into());
        }
        self.subject.check_offer(offer, &self.key)?;
        let is_news = self.offer.is_none_or(|known| known.moves != offer.moves);
        if self
            .offer
            .is_some_and(|known| !is_news && known.until > offer.until)
        {
            return Ok(Received::Known);
        }
        self.has_declined &= !is_news;
        self.offer = Some(*offer);
        Ok(if is_news {
            Received::News
        } else {
            Received::Known
        })
    }

    /// Drops a disc of this player, or [swaps](Self::swap).
    ///
    /// # Errors
    ///
    /// [`SeatError::Refused`]: as [`Game::drop`]; [`SeatError::Bound`], [`SeatError::OnChainAlone`],
    /// [`SeatError::Keep`].
    pub fn drop(&mut self, bin: Bin) -> Result<Moved, SeatError<K::Error>> {
        self.make(bin, self.is_on_chain())
    }

    /// As [`Self::drop`], but by the player's account on the chain: where there is no relay, and where no move may be
    /// signed.
    ///
    /// # Errors
    ///
    /// As [`Self::drop`]; [`SeatError::NotOnChain`] in a turn of this player, if it holds another position than the chain
    /// has.
    pub fn drop_on_chain(&mut self, bin: Bin) -> Result<Moved, SeatError<K::Error>> {
        let is_own_turn = self.latest().to_move() == Some(self.player);
        match is_own_turn && !self.is_at(&self.chain.game) {
            true => Err(SeatError::NotOnChain),
            false => self.make(bin, true),
        }
    }

    /// Whether the game stands at the same position as another one.
    fn is_at(&self, game: &Game) -> bool {
        let latest = self.latest();
        (latest.moves(), latest.board()) == (game.moves(), game.board())
    }

    /// What the chain says, at the time of the newest block, to a disc that this player drops there.
    pub(crate) fn try_on_chain(&self, bin: Bin) -> Result<(), Error> {
        let (mut chain, account) = (self.chain, self.subject.account_of(self.player));
        chain.drop(account, bin, self.times.chain).map(|_| ())
    }

    /// Whether a disc that was [dropped on the chain](Self::drop_on_chain) has not landed, and can land now: the game
    /// stands there, on the chain and off it, and the chain takes it.
    pub(crate) fn can_land(&self, dropped: &Dropped) -> bool {
        let game = &self.chain.game;
        (game.board(), game.moves()) == (&dropped.before, dropped.turns)
            && self.latest().to_move() == Some(self.player)
            && self.is_at(game)
            && self.try_on_chain(Bin::new(dropped.bin)).is_ok()
    }

    fn make(&mut self, bin: Bin, on_chain: bool) -> Result<Moved, SeatError<K::Error>> {
        let mut after = self.latest();
        let before = *after.board();
        let turns = after.moves();
        match after.to_move() {
            None => return Err(Error::GameOver.into()),
            Some(player) if player != self.player => return Err(Error::NotYourTurn.into()),
            Some(_) => {}
        }
        // Whether it is late is for the chain to say.
        self.subject.make(bin, &mut after)?;
        let dropped = Dropped {
            before,
            turns,
            bin: bin.index(),
        };
        let bound = self.journal.dropped.filter(|bound| bound.turns >= turns);
        let mut journal = self.journal.clone();
        if on_chain {
            // Of two moves on the chain the chain takes one, nobody knows which: none of these turns is
            // signed any more.
            journal.dropped = Some(match bound {
                Some(other) if other != dropped => other.with(dropped),
                _ => dropped,
            });
            self.keep(journal)?;
            return Ok(Moved::OnChain(bin));
        }
        match bound {
            Some(bound) if bound.turns > turns => return Err(SeatError::OnChainAlone),
            Some(bound) if bound != dropped => return Err(SeatError::Bound(bound.bin)),
            _ => {}
        }
        let position = &mut journal.position;
        position.moves.push(bin);
        position.signatures[self.player] =
            self.subject
                .sign(&self.key, Kind::Position, &position.moves);
        let evidence = *position;
        if let Err(error) = self.keep.keep(&journal) {
            if self.keep.may_have(&journal) {
                // A guard may have read it there, and have passed it on.
                self.journal.dropped = Some(dropped);
            }
            return Err(SeatError::Keep(error));
        }
        self.journal = journal;
        self.offer = None;
        Ok(Moved::Signed(evidence))
    }

    /// Takes player one's disc over in place of a move, by the pie rule: player two's first move.
    ///
    /// # Errors
    ///
    /// As [`Self::drop`]; [`Error::NoSuchBin`] if it is another move, or the game has no pie rule.
    pub fn swap(&mut self) -> Result<Moved, SeatError<K::Error>> {
        self.drop(Bin::new(Moves::SWAP))
    }

    #[must_use]
    pub fn may_swap(&self) -> bool {
        let latest = self.latest();
        self.subject.may_swap(&latest) && latest.to_move() == Some(self.player)
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
        let mut journal = self.journal.clone();
        let mut resigned = journal.position;
        resigned.end = Some(SignedEnd::Resignation(self.player));
        resigned.signatures[self.player] =
            self.subject
                .sign(&self.key, Kind::Resignation, &resigned.moves);
        journal.put(resigned);
        self.keep(journal)?;
        Ok(resigned)
    }

    /// Agrees to a line of the opponent, so that it is final at once. Only to one that the opponent's key
    /// has signed, and only if nothing that is held, and no move that this player could still sign, can
    /// contest it: a win that the opponent has missed, and goes back to, is a line, too. The newest block and
    /// the [last final one](Self::with_last_final) both have to bear that out. Returns whether there was one to agree to.
    /// [`Self::receive`] does so by itself.
    ///
    /// # Errors
    ///
    /// [`SeatError::Keep`].
    pub fn concede(&mut self) -> Result<bool, SeatError<K::Error>> {
        let line = self.journal.position;
        let opponent = self.player.opponent();
        let Journal {
            resignations,
            draws,
            dropped,
            ..
        } = &self.journal;
        let is_ended = Player::ALL.map(|player| resignations.get(player).is_some());
        // What is held was judged when it came.
        let is_lost = self.subject.game_of(&line).map(|game| game.winner()) == Ok(Some(opponent));
        let has_dropped = dropped.is_some_and(|dropped| dropped.turns >= line.moves.turns());
        let newest = Some((self.chain, self.times));
        let last_final = self.last_final.map(|(chain, time)| {
            let guess = self.times.guess.max(time);
            (chain, Times { chain: time, guess })
        });
        let can_contest = |(chain, times): (ChainGame, Times)| {
            let would_take = |draw| times.after(&chain, draw).is_some();
            let can_draw = draws
                .iter()
                .any(|draw| draw.moves.turns() >= line.moves.turns() || would_take(draw));
            let is_known =
                chain.game.moves() == line.moves.turns() && chain.game.winner() == Some(opponent);
            let takes = |at| chain.advanced_by(&line, at).is_ok();
            // The chain can't have it take the place of what it knows, or the opponent is late.
            let is_past = chain.is_final()
                || !is_known && [times.chain, times.guess].into_iter().any(|at| !takes(at));
            can_draw || is_past
        };
        let is_contested = newest.into_iter().chain(last_final).any(can_contest);
        if !is_lost || is_ended.contains(&true) || has_dropped || is_contested {
            return Ok(false);
        }
        self.sign_resignation()?;
        Ok(true)
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
        let position = &self.journal.position;
        let is_news = position.is_news_after(self.chain.game.moves());
        match (self.chain.clock, self.chain.stopped) {
            (None, None) => Err(Error::NoClock),
            (Some(_), _) if !is_news => Err(Error::ClockRuns),
            _ if is_news => Ok(Press::With(*position)),
            _ => Ok(Press::Alone),
        }
    }

    /// What has to be done on the chain now, if anything. It is found by trying all that is held through
    /// the contract's own functions.
    #[must_use]
    pub fn duty(&self) -> Option<Duty> {
        let Self {
            player,
            subject,
            journal,
            chain,
            times,
            ..
        } = self;
        plan::of_player(*player, subject, journal, chain, *times)
    }

    /// For how many seconds, since a duty is there, the opponent may be waited for, who would do it as well
    /// or make it unnecessary: so that not both pay for it. It can change while the duty stays.
    #[must_use]
    pub fn patience(&self, duty: &Duty) -> u32 {
        let Self {
            player,
            subject,
            journal,
            chain,
            times,
            ..
        } = self;
        plan::patience(*player, subject, journal, chain, *times, duty)
    }

    /// How the game has ended by signatures, to be brought to the chain; none if it goes on or the chain
    /// knows it.
    #[must_use]
    pub fn settlement(&self) -> Option<Evidence> {
        if let Some(Duty::Advance(evidence)) = self.duty()
            && self
                .subject
                .game_of(&evidence)
                .is_ok_and(|game| game.is_over())
        {
            return Some(evidence);
        }
        // A player who has lost has no duty to say so.
        let evidence = self.evidence();
        let after = self.times.after(&self.chain, evidence)?;
        after.game.is_over().then_some(*evidence)
    }

    /// Whether this player has lost by what it has signed or what the chain knows, so that it loses
    /// nothing if its program ends.
    #[must_use]
    pub fn is_lost(&self) -> bool {
        self.latest().winner() == Some(self.player.opponent()) && self.duty().is_none()
    }

    /// Whether this player has lost by what was signed, and not by what only a node shows.
    #[must_use]
    pub fn has_lost(&self) -> bool {
        let opponent = Some(self.player.opponent());
        let by_line = self
            .subject
            .game_of(&self.journal.position)
            .map(|game| game.winner());
        let signed =
            self.journal.resignations.get(self.player).is_some() || by_line == Ok(opponent);
        self.is_lost() && signed
    }

    fn keep(&mut self, journal: Journal) -> Result<(), SeatError<K::Error>> {
        self.keep.keep(&journal).map_err(SeatError::Keep)?;
        self.journal = journal;
        Ok(())
    }
}
