//! A fast game as the contract stores it.

#[cfg(feature = "signed")]
use codec::{Decode as _, Encode as _};
use connect4_rules::{Bin, ByPlayer, Dropped, Player, ShapeSpec};

use super::statement::last_mover;
use super::terms::check_time;
use super::{ByTerms, Crypto, Domain, Ending, Evidence, GameNumber, GameTerms, Signature};
use crate::game::TwoEnd;
use crate::{Address, Clock, ClockSpec, Error, Game, Match};

/// Number of the first fast game. The contract of the games numbers its own from 0, the contract of
/// the matches numbers fast games from here.
pub const FIRST: u32 = 1 << 31;

/// Game that both players have agreed to, as the contract of the matches hands it on.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    codec::Encode,
    codec::Decode,
    codec::MaxEncodedLen,
    scale_info::TypeInfo,
)]
pub struct Agreed {
    /// Accounts of the players.
    pub players: ByPlayer<Address>,
    /// Address of each player's session key.
    pub keys: ByPlayer<Address>,
    /// Account that pays for the storage of the game.
    pub payer: Address,
    /// Shape of the board.
    pub shape: ShapeSpec,
    /// Clock; none if the game has none.
    pub clock: Option<ClockSpec>,
    /// Whether player two's first move can be a [swap](super::Moves::SWAP).
    pub pie_rule: bool,
}

/// Time that the players have left while no clock runs.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    codec::Encode,
    codec::Decode,
    codec::MaxEncodedLen,
    scale_info::TypeInfo,
)]
pub struct Banks {
    /// Time that each player has left, in seconds.
    pub left: ByPlayer<u32>,
    /// Time that a move on the chain adds to the bank of the player who made it, in seconds.
    pub increment: u32,
}

/// A fast game: what the chain knows of it, which can be less than what the players have signed.
///
/// Its clock stands still, also while the players move, until the player who waits starts it by
/// [`press`](Self::press) or somebody drops a disc on the chain. So a position on the chain that the
/// players have long left costs neither of them time.
///
/// A line ends the game at once only if the loser has agreed to it, by resigning at it. Else it can be
/// *contested* for a while, by a position with more moves: a player who has missed a win could go back to
/// it by signing another move for the same turn, or dropping another disc on the chain, when the chain
/// does not know yet that the game has gone on. A full board is final, as its last cell leaves no choice.
/// In a game by signed terms a draw can be contested, too, by a position in which both have moved after it:
/// who had offered it could have held its acceptance back, and gone on.
///
/// A call that is refused leaves the game unchanged.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    codec::Encode,
    codec::Decode,
    codec::MaxEncodedLen,
    scale_info::TypeInfo,
)]
pub struct FastGame {
    /// The game. It has a clock only while that runs.
    pub game: Game,
    /// Address of each player's session key.
    pub keys: ByPlayer<Address>,
    /// Clock that stands still; none if it runs, or the game has none.
    pub stopped: Option<Banks>,
    /// Last second at which the line or the draw that has ended the game can be contested, since 1970; none
    /// if the game goes on, or its end is final.
    pub contest: Option<u64>,
    /// The terms by which it began; none if it began on the chain.
    pub by_terms: Option<ByTerms>,
    /// Whether player two's first move can be a [swap](super::Moves::SWAP).
    pub pie_rule: bool,
}

impl FastGame {
    /// The least time in which an end can be contested, in seconds: five minutes, as long as the least
    /// bank for a stake. A loser of a line who has more time left has that, and after a draw a player who has.
    pub const CONTEST: u32 = 5 * 60;

    /// A new game; its clock stands.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. the errors of [`Game::start`],
    /// 2. [`Error::BadKey`] if both players name the same key, or one the zero address.
    pub fn start(agreed: &Agreed) -> Result<Self, Error> {
        let Agreed {
            players,
            keys,
            payer,
            shape,
            clock,
            pie_rule,
        } = *agreed;
        let game = Game::start(players.one, players.two, shape)?.paid_by(payer);
        if keys.one == keys.two || keys.one == Address::ZERO || keys.two == Address::ZERO {
            return Err(Error::BadKey);
        }
        let stopped = clock.map(|ClockSpec { bank, increment }| Banks {
            left: ByPlayer {
                one: bank,
                two: bank,
            },
            increment,
        });
        Ok(Self {
            game,
            keys,
            stopped,
            contest: None,
            by_terms: None,
            pie_rule,
        })
    }

    /// Accounts of the players.
    #[must_use]
    pub const fn players(&self) -> ByPlayer<Address> {
        ByPlayer {
            one: self.game.player_one(),
            two: self.game.player_two(),
        }
    }

    /// Number of the game in statements, if it has this one on the chain.
    #[must_use]
    pub fn number(&self, on_chain: impl Into<GameNumber>) -> GameNumber {
        match &self.by_terms {
            Some(ByTerms { number, .. }) => *number,
            None => on_chain.into(),
        }
    }

    /// Whether it has ended by a draw that can be contested.
    fn is_drawn(&self) -> bool {
        self.contest.is_some() && self.game.winner().is_none()
    }

    /// Whether the game has ended for good.
    #[must_use]
    pub const fn is_final(&self) -> bool {
        self.game.is_over() && self.contest.is_none()
    }

    /// The game at the position after these moves from the empty board, without a clock. A move is the
    /// number of a bin, or a [swap](super::Moves::SWAP).
    ///
    /// # Errors
    ///
    /// [`Error::GameOver`], [`Error::NoSuchBin`] or [`Error::BinFull`] if a move is not legal.
    pub fn replay<I>(&self, moves: I) -> Result<Game, Error>
    where
        I: IntoIterator<Item = Bin>,
        I::IntoIter: Clone,
    {
        let moves = moves.into_iter();
        if let Some(replayed) = self.replay_quickly(moves.clone()) {
            return Ok(replayed);
        }
        let mut replayed = self.game.restarted();
        for bin in moves {
            self.make(bin, &mut replayed)?;
        }
        Ok(replayed)
    }

    /// As [`Self::replay`], but looks for lines before and after the last move alone, as none goes away:
    /// that takes most of the time. None if a move is not legal.
    fn replay_quickly(&self, moves: impl Iterator<Item = Bin>) -> Option<Game> {
        let mut replayed = self.game.restarted();
        let mut last = None;
        for bin in moves {
            if let Some(before) = last.replace(bin) {
                if !self.is_swap(before, &replayed) {
                    replayed.place(before)?;
                } else {
                    replayed.swap();
                }
            }
        }
        if replayed.has_lines() {
            return None;
        }
        if let Some(last) = last {
            self.make(last, &mut replayed).ok()?;
        }
        Some(replayed)
    }

    const fn is_swap(&self, bin: Bin, game: &Game) -> bool {
        self.pie_rule && game.is_swap(bin)
    }

    /// Makes a move of the player to move in a game without a clock: a drop, or a [swap](super::Moves::SWAP).
    ///
    /// # Errors
    ///
    /// [`Error::GameOver`], [`Error::NoSuchBin`] or [`Error::BinFull`] if it is not legal.
    pub fn make(&self, bin: Bin, game: &mut Game) -> Result<(), Error> {
        game.make(bin, self.pie_rule)
    }

    /// The game that evidence makes by itself, whatever the chain knows: the judgement by which contract,
    /// player, guard, relay and page decide alike whether evidence is valid. It has no clock.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. [`Error::BadSignature`] if a signature is not by the player's session key, on this game of
    ///    this contract and chain,
    /// 2. as [`Self::made_by`].
    pub fn judge(
        &self,
        number: impl Into<GameNumber>,
        evidence: &Evidence,
        domain: &Domain,
        crypto: &impl Crypto,
    ) -> Result<Game, Error> {
        evidence.check(self.number(number), &self.keys, domain, crypto)?;
        self.made_by(evidence)
    }

    /// As [`Self::judge`], for evidence whose signatures were checked before.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchBin`], [`Error::BinFull`] or [`Error::GameOver`] if a move is not legal, and the
    /// last also for an ending at moves that have ended the game. A resignation by the loser of a line is
    /// none of these: it is the agreement to that line.
    pub fn made_by(&self, evidence: &Evidence) -> Result<Game, Error> {
        let mut game = self.replay(evidence.moves.iter_bins())?;
        match evidence.ending {
            None => {}
            Some(Ending::Press { .. }) if game.is_over() => return Err(Error::GameOver),
            Some(Ending::Press { .. }) => {}
            Some(Ending::Resignation(by)) if game.winner() == Some(by.opponent()) => {}
            Some(Ending::Resignation(by)) => {
                game.end_by(TwoEnd::Resignation, Some(by.opponent()))?
            }
            Some(Ending::Draw { .. }) => game.end_by(TwoEnd::Agreement, None)?,
        }
        Ok(game)
    }

    /// Takes a signed position, a signed end or a signed press from anyone at `now`. If the game goes on, its
    /// clock stops, or starts by the press: the time since it was started counts against who was to move, who gets the increment, as
    /// for a move on the chain. Returns whether the moves took the place of those that the chain knew.
    ///
    /// A resignation or a draw with more moves than the chain knows takes these moves along. Moves that
    /// complete a line or fill the board end the game by themselves. A line is final if the loser has
    /// resigned at it; else it can be [contested](Self::contest). So can a draw in a game by signed terms,
    /// which counts at its own moves.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. [`Error::GameOver`] if the game has ended for good,
    /// 2. [`Error::NoClock`] if it is a press in a game without a clock,
    /// 3. [`Error::NotNewer`] if it says no more than the chain knows,
    /// 4. [`Error::OutOfTime`] if the time of the player to move has run out, or that to contest an end,
    ///    except for a resignation,
    /// 5. [`Error::NoOffer`] if it is a draw or a press whose time is over,
    /// 6. as [`Self::judge`]; but in a game by signed terms a move at the position that the chain knows, and a
    ///    press there, need no signature of the player who did not make it ([`Signature::NONE`] stands),
    /// 7. [`Error::TermsExpired`] if it is a press, or a line to which the loser has not agreed, and the terms
    ///    are older than [`GameTerms::ANSWERED`].
    pub fn advance(
        &mut self,
        number: impl Into<GameNumber>,
        evidence: &Evidence,
        domain: &Domain,
        crypto: &impl Crypto,
        now: u64,
    ) -> Result<bool, Error> {
        self.admit(evidence, now)?;
        let number = self.number(number);
        let needless = self.needless(evidence);
        evidence.check_but(needless, number, &self.keys, domain, crypto)?;
        let made = self.made_by(evidence)?;
        self.enter(evidence, made, now)
    }

    /// The player whose signature evidence can do without here: in a game by signed terms the chain knows the
    /// moves before the last, or all of them, so that nobody has to have signed them once more. Who is
    /// attacked on the chain may hold no signature on the last move there, and could not answer.
    #[must_use]
    pub fn needless(&self, evidence: &Evidence) -> Option<Player> {
        self.by_terms.as_ref()?;
        let (last, _) = evidence.moves.split_last()?;
        let other = last_mover(evidence.moves.len())?.opponent();
        let is_move = matches!(evidence.ending, None | Some(Ending::Press { .. }));
        if !is_move || *evidence.signatures.get(other) != Signature::NONE {
            return None;
        }
        let made = self.replay(evidence.moves.iter_bins()).ok()?;
        let mut here = self.game;
        here.set_clock(Clock::NONE);
        if here.moves() != made.moves() {
            self.make(Bin::new(*last), &mut here).ok()?;
        }
        let is_here = here.moves() == made.moves() && here.board() == made.board();
        is_here.then_some(other)
    }

    /// The game after [`Self::advance`], for evidence that was [judged](Self::judge) before: a trial of
    /// what bringing it would do.
    ///
    /// # Errors
    ///
    /// As [`Self::advance`], but for signatures.
    pub fn advanced_by(&self, evidence: &Evidence, now: u64) -> Result<Self, Error> {
        self.admit(evidence, now)?;
        let made = self.made_by(evidence)?;
        let mut after = *self;
        after.enter(evidence, made, now)?;
        Ok(after)
    }

    /// Whether evidence that is valid can change the game at `now`.
    pub(crate) fn admit(&self, evidence: &Evidence, now: u64) -> Result<(), Error> {
        if self.is_final() {
            return Err(Error::GameOver);
        }
        let moves = self.game.moves();
        let is_press = matches!(evidence.ending, Some(Ending::Press { .. }));
        if is_press && self.stopped.is_none() && self.game.clock().is_none() {
            return Err(Error::NoClock);
        }
        // A clock that stands can be started where the game is.
        let starts_clock = is_press && self.stopped.is_some() && evidence.moves.turns() == moves;
        let is_news = match evidence.ending {
            Some(Ending::Resignation(_)) => true,
            // Both have moved after the draw, or have agreed on another one.
            Some(Ending::Draw { .. }) if self.is_drawn() => evidence.moves.turns() > moves,
            _ if self.is_drawn() => evidence.moves.turns() > moves.saturating_add(1),
            _ => evidence.is_news_after(moves),
        };
        if !is_news && !starts_clock {
            return Err(Error::NotNewer);
        }
        let is_late = self.game.is_late(now) || self.contest.is_some_and(|last| now > last);
        match evidence.ending {
            Some(Ending::Resignation(_)) => Ok(()),
            _ if is_late => Err(Error::OutOfTime),
            Some(Ending::Draw { until } | Ending::Press { until }) if now > until => {
                Err(Error::NoOffer)
            }
            _ => Ok(()),
        }
    }

    /// Takes evidence that was admitted and judged. Returns whether the moves changed.
    pub(crate) fn enter(
        &mut self,
        evidence: &Evidence,
        made: Game,
        now: u64,
    ) -> Result<bool, Error> {
        let is_draw = matches!(evidence.ending, Some(Ending::Draw { .. }));
        let is_by_terms = self.by_terms.is_some();
        // Both have signed all moves of a draw: it takes the place of a line with as many.
        let replaces = evidence.moves.turns() > self.game.moves()
            || (is_draw && (is_by_terms || self.contest.is_some()));
        let is_line = evidence.ending.is_none() && made.winner().is_some();
        if is_line || matches!(evidence.ending, Some(Ending::Press { .. })) {
            self.can_be_answered(now)?;
        }
        if replaces {
            self.stop(now);
            self.game = made;
            self.contest = None;
            if is_line || (is_draw && is_by_terms) {
                self.open_contest(now);
            }
        }
        match evidence.ending {
            Some(Ending::Press { .. }) => {
                if made.board() != self.game.board() {
                    return Err(Error::NotNewer);
                }
                if let Some(to_move) = self.game.to_move() {
                    self.run(to_move, now);
                }
            }
            _ if replaces => {}
            Some(Ending::Resignation(by)) if self.game.winner() == Some(by.opponent()) => {
                self.contest = None;
            }
            // Also of a player who has made a line since.
            Some(Ending::Resignation(by)) => self.give_up(by)?,
            _ => self.game.end_by(TwoEnd::Agreement, None)?,
        }
        Ok(replaces)
    }

    /// Gives the game up for `caller`, in whose turn or not; the opponent wins. A line of the opponent
    /// becomes final by it.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. [`Error::GameOver`] if the game has ended for good,
    /// 2. [`Error::NotAPlayer`] if the caller does not play it.
    pub fn resign(&mut self, caller: Address) -> Result<(), Error> {
        if self.is_final() {
            return Err(Error::GameOver);
        }
        let by = self.game.player_of(&caller).ok_or(Error::NotAPlayer)?;
        if self.game.winner() == Some(by.opponent()) {
            self.contest = None;
            return Ok(());
        }
        self.give_up(by)
    }

    /// Ends the game at `now` because the player to move is late, as [`Match::claim_timeout`] does; or
    /// makes an end final that nobody has contested in time. `state` is that of the game's match.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. [`Error::GameOver`] if the game has ended for good,
    /// 2. [`Error::NoClock`] if no clock runs,
    /// 3. [`Error::TimeLeft`] if `now` is not after the deadline.
    pub fn claim_timeout(&mut self, state: &Match, now: u64) -> Result<(), Error> {
        match self.contest {
            None => state.claim_timeout(&mut self.game, now),
            Some(last) if now <= last => Err(Error::TimeLeft),
            Some(_) => {
                self.contest = None;
                Ok(())
            }
        }
    }

    /// Starts the clock of the player to move at `now` for `caller`, who waits. Returns the deadline.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. [`Error::GameOver`] if the game has ended,
    /// 2. [`Error::NotAPlayer`] if the caller does not play it,
    /// 3. [`Error::YourTurn`] if the caller is to move itself, as far as the chain knows,
    /// 4. [`Error::ClockRuns`] if the clock runs,
    /// 5. [`Error::TermsExpired`] if the game is one by signed terms that are older than
    ///    [`GameTerms::ANSWERED`],
    /// 6. [`Error::NoClock`] if the game has none.
    pub fn press(&mut self, caller: Address, now: u64) -> Result<u64, Error> {
        let to_move = self.game.to_move().ok_or(Error::GameOver)?;
        let player = self.game.player_of(&caller).ok_or(Error::NotAPlayer)?;
        if player == to_move {
            return Err(Error::YourTurn);
        }
        if self.game.clock().is_some() {
            return Err(Error::ClockRuns);
        }
        self.can_be_answered(now)?;
        self.run(to_move, now).ok_or(Error::NoClock)
    }

    /// Whether a game by signed terms takes what its opponent has to answer: later, nobody could record the
    /// answer any more.
    fn can_be_answered(&self, now: u64) -> Result<(), Error> {
        match &self.by_terms {
            Some(terms) => check_time(terms.time, GameTerms::ANSWERED, now),
            None => Ok(()),
        }
    }

    /// Drops a disc on the chain, as [`Game::drop`] does, or [swaps](super::Moves::SWAP): then the disc lies where it
    /// lay. Then the clock of the opponent runs, or a line can be [contested](Self::contest).
    ///
    /// # Errors
    ///
    /// [`Error::BySignature`] if it began by signed terms; then as [`Game::drop`].
    pub fn drop(&mut self, caller: Address, bin: Bin, now: u64) -> Result<Dropped, Error> {
        if self.by_terms.is_some() {
            return Err(Error::BySignature);
        }
        let mut moved = *self;
        if let Some(to_move) = moved.game.to_move() {
            moved.run(to_move, now);
        }
        let dropped = match moved.is_swap(bin, &moved.game) {
            true => moved.game.swap_of(caller, now)?,
            false => moved.game.drop(caller, bin, now)?,
        };
        if let (Some(clock), Some(winner)) = (moved.game.clock(), moved.game.winner()) {
            moved.stop_at(clock, winner, now);
        }
        if moved.game.winner().is_some() {
            moved.open_contest(now);
        }
        *self = moved;
        Ok(dropped)
    }

    /// Opens the time in which the line or the draw that has ended the game can be contested.
    fn open_contest(&mut self, now: u64) {
        let left = self
            .stopped
            .map_or(0, |Banks { left, .. }| match self.game.winner() {
                Some(winner) => *left.get(winner.opponent()),
                None => left.one.max(left.two),
            });
        self.contest = Some(now.saturating_add(u64::from(left.max(Self::CONTEST))));
    }

    /// Ends the game as lost for a player, whatever is on the board.
    fn give_up(&mut self, by: Player) -> Result<(), Error> {
        self.contest = None;
        self.game.reopen();
        self.game.end_by(TwoEnd::Resignation, Some(by.opponent()))
    }

    /// Starts the clock of the player to move. Returns the deadline; none if there is no clock that
    /// stands.
    fn run(&mut self, to_move: Player, now: u64) -> Option<u64> {
        let Banks { left, increment } = self.stopped.take()?;
        let clock = Clock::resume(
            *left.get(to_move),
            *left.get(to_move.opponent()),
            increment,
            now,
        );
        self.game.set_clock(clock);
        Some(clock.deadline())
    }

    /// Stops the clock, if it runs, after a move of the player to move. The game is still at the
    /// position before.
    fn stop(&mut self, now: u64) {
        let (Some(mut clock), Some(moved)) = (self.game.clock(), self.game.to_move()) else {
            return;
        };
        clock.press(now);
        self.stop_at(clock, moved, now);
    }

    /// Stops a clock that runs from `now` on, after this player has moved.
    fn stop_at(&mut self, clock: Clock, moved: Player, now: u64) {
        let opponent = u32::try_from(clock.deadline().saturating_sub(now)).unwrap_or(u32::MAX);
        let mut left = ByPlayer {
            one: opponent,
            two: opponent,
        };
        left[moved] = clock.waiting();
        self.stopped = Some(Banks {
            left,
            increment: clock.increment(),
        });
        self.game.set_clock(Clock::NONE);
    }
}

/// As the contract of the stakes stores it: each part at a fixed place.
#[cfg(feature = "signed")]
impl FastGame {
    /// Bytes of the record.
    pub(crate) const LEN: usize = 189;

    /// The record of a game that began without signed terms.
    pub(crate) fn to_bytes(self) -> [u8; Self::LEN] {
        let is_stopped = self.stopped.is_some();
        let Banks { left, increment } = self.stopped.unwrap_or(Banks {
            left: ByPlayer { one: 0, two: 0 },
            increment: 0,
        });
        let mut bytes = [0; Self::LEN];
        let mut rest = &mut bytes[..];
        let mut put = |part: &[u8]| {
            let (place, after) = core::mem::take(&mut rest).split_at_mut(part.len());
            place.copy_from_slice(part);
            rest = after;
        };
        // No block is of the second 0.
        put(&self.contest.unwrap_or(0).to_le_bytes());
        put(&left.one.to_le_bytes());
        put(&left.two.to_le_bytes());
        put(&increment.to_le_bytes());
        put(&[is_stopped.into(), self.pie_rule.into(), 0, 0]);
        put(&self.keys.one.0);
        put(&self.keys.two.0);
        self.game.using_encoded(put);
        bytes
    }

    /// The game of a record; none if [`Self::to_bytes`] has not made it.
    pub(crate) fn from_bytes(bytes: &[u8; Self::LEN]) -> Option<Self> {
        let (contest, bytes) = bytes.split_first_chunk()?;
        let (one, bytes) = bytes.split_first_chunk()?;
        let (two, bytes) = bytes.split_first_chunk()?;
        let (increment, bytes) = bytes.split_first_chunk()?;
        let ([is_stopped, pie_rule, _, _], bytes) = bytes.split_first_chunk()?;
        let (key_one, bytes) = bytes.split_first_chunk()?;
        let (key_two, mut bytes) = bytes.split_first_chunk()?;
        let contest = u64::from_le_bytes(*contest);
        let banks = Banks {
            left: ByPlayer {
                one: u32::from_le_bytes(*one),
                two: u32::from_le_bytes(*two),
            },
            increment: u32::from_le_bytes(*increment),
        };
        Some(Self {
            game: Game::decode(&mut bytes).ok()?,
            keys: ByPlayer {
                one: Address(*key_one),
                two: Address(*key_two),
            },
            stopped: (*is_stopped != 0).then_some(banks),
            contest: (contest != 0).then_some(contest),
            by_terms: None,
            pie_rule: *pie_rule != 0,
        })
    }
}
