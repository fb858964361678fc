//! A signed game as the chain knows it.

use codec::{Decode as _, Encode as _};
use connect4_rules::variant::VariantSpec;
use connect4_rules::{Bin, ByPlayer, Dropped, Player};

use super::{Evidence, Kind, SignedEnd, Terms};
use crate::game::TwoEnd;
use crate::{Address, Clock, ClockSpec, Error, Game};

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

/// A signed game: what the chain knows of it, which can be less than what the players have signed.
///
/// Its clock stands still, also while the players move, until the player who waits starts it by
/// [`press`](Self::press) or somebody drops a disc on the chain. So a position on the chain that the
/// players have long left costs neither of them time.
///
/// A line ends the game at once only if the loser has agreed to it, by resigning at it. Else it can be
/// *contested* for a while, by a position with more moves: a player who has missed a win could go back to
/// it by signing another move for the same turn, or dropping another disc on the chain, when the chain
/// does not know yet that the game has gone on. A full board is final, as its last cell leaves no choice.
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
pub struct ChainGame {
    /// The game.
    pub game: Game,
    /// Address of each player's session key.
    pub keys: ByPlayer<Address>,
    /// Clock that stands still; none if it runs, or the game has none.
    pub stopped: Option<Banks>,
    /// Clock that runs; none if it stands still, or the game has none. One that ran when the board was full stays.
    pub clock: Option<Clock>,
    /// Last second at which the line that has ended the game can be contested, since 1970; none if the game goes
    /// on, or its end is final.
    pub contest: Option<u64>,
    /// Whether player two's first move can be a [swap](super::Moves::SWAP).
    pub pie_rule: bool,
}

impl ChainGame {
    /// The least time in which an end can be contested, in seconds: five minutes, as long as the least
    /// bank for a stake. A loser of a line who has more time left has that, and after a draw a player who has.
    pub const CONTEST: u32 = 5 * 60;
    /// Longest time for the first move of a player, in seconds: one day.
    pub const FIRST_MOVE: u32 = 24 * 60 * 60;

    /// The game of these terms at its start; its clock stands. `payer` pays for its storage.
    ///
    /// # Errors
    ///
    /// Those of [`Game::start`], which terms that were checked do not have.
    pub(super) fn start(terms: &Terms, payer: Address) -> Result<Self, Error> {
        let ByPlayer { one, two } = terms.players.map(|party| party.account());
        let game = Game::start(one, two, terms.shape)?.paid_by(payer);
        let stopped = terms.clock.map(|ClockSpec { bank, increment }| Banks {
            left: ByPlayer {
                one: bank,
                two: bank,
            },
            increment,
        });
        Ok(Self {
            game,
            keys: terms.players.map(|party| party.key()),
            stopped,
            clock: None,
            contest: None,
            pie_rule: terms.pie_rule,
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

    /// Whether the game has ended for good.
    #[must_use]
    pub const fn is_final(&self) -> bool {
        self.game.is_over() && self.contest.is_none()
    }

    /// The last second at which the player to move may move, in seconds since 1970; none if no clock runs, and
    /// after the end.
    #[must_use]
    pub const fn deadline(&self) -> Option<u64> {
        match self.clock {
            Some(clock) if !self.game.is_over() => Some(clock.deadline()),
            _ => None,
        }
    }

    /// The last second before the timeout of the player to move can be claimed, in seconds since 1970; none if no
    /// clock runs, and after the end. `agreed` is the clock of the terms.
    ///
    /// It is the [deadline](Self::deadline) of the move, except for the first move of each player, which has
    /// [`Self::FIRST_MOVE`] however long the bank: no opponent who never begins locks a stake for long.
    /// A late first move counts if nobody has claimed by then.
    #[must_use]
    pub fn claim_deadline(&self, agreed: Option<ClockSpec>) -> Option<u64> {
        let deadline = self.deadline()?;
        let agreed = agreed.filter(|_| self.game.moves() < 2);
        // Before its first move a player has the whole bank.
        let beyond = agreed.map_or(0, |clock| clock.bank.saturating_sub(Self::FIRST_MOVE));
        Some(deadline.saturating_sub(u64::from(beyond)))
    }

    /// The game at the position after these moves from the empty board. A move is the
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

    /// Whether the player to move can make a [swap](super::Moves::SWAP) in a game by the same rules.
    #[must_use]
    pub const fn may_swap(&self, game: &Game) -> bool {
        self.is_swap(Bin::new(super::Moves::SWAP), game)
    }

    /// The board and its rules.
    #[must_use]
    pub fn rules(&self) -> VariantSpec {
        VariantSpec::of_two(self.game.shape().into(), self.pie_rule)
    }

    /// Makes a move of the player to move: a drop, or a [swap](super::Moves::SWAP).
    ///
    /// # Errors
    ///
    /// [`Error::GameOver`], [`Error::NoSuchBin`] or [`Error::BinFull`] if it is not legal.
    pub fn make(&self, bin: Bin, game: &mut Game) -> Result<(), Error> {
        game.make(bin, self.pie_rule)
    }

    /// The game that evidence makes by itself, whatever the chain knows: the judgement by which contract, player,
    /// guard, relay and page decide alike whether evidence is valid, once its [signatures are checked](Evidence::check).
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchBin`], [`Error::BinFull`] or [`Error::GameOver`] if a move is not legal, and the
    /// last also for an ending at moves that have ended the game. A resignation by the loser of a line is
    /// none of these: it is the agreement to that line.
    pub fn made_by(&self, evidence: &Evidence) -> Result<Game, Error> {
        let mut game = self.replay(evidence.moves.iter_bins())?;
        match evidence.end {
            None => {}
            Some(SignedEnd::Resignation(by)) if game.winner() == Some(by.opponent()) => {}
            Some(SignedEnd::Resignation(by)) => {
                game.end_by(TwoEnd::Resignation, Some(by.opponent()))?
            }
            Some(SignedEnd::Draw { .. }) => game.end_by(TwoEnd::Agreement, None)?,
        }
        Ok(game)
    }

    /// The game after evidence was brought to the contract at `now`, whose signatures were checked before: a trial of
    /// what bringing it would do.
    ///
    /// A resignation or a draw with more moves than the chain knows takes these moves along. Moves that complete a line
    /// or fill the board end the game by themselves. A line is final if the loser has resigned at it; else it can be
    /// [contested](Self::contest). If the game goes on, its clock stops: the time since it was started counts against
    /// the player who was to move, who gets the increment, as for a move on the chain.
    ///
    /// # Errors
    ///
    /// Those of [`StakedGame::advance`](super::StakedGame::advance), but for the first and signatures.
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
        if !evidence.is_news_after(self.game.moves()) {
            return Err(Error::NotNewer);
        }
        let is_late = self.is_late(now) || self.contest.is_some_and(|last| now > last);
        match evidence.end {
            Some(SignedEnd::Resignation(_)) => Ok(()),
            _ if is_late => Err(Error::OutOfTime),
            // Nobody could tell in what time one without a last second was accepted.
            Some(SignedEnd::Draw { until }) if now > until || until == Kind::FOR_GOOD => {
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
        let is_draw = matches!(evidence.end, Some(SignedEnd::Draw { .. }));
        // Both have signed all moves of a draw: it takes the place of a line with as many.
        let replaces =
            evidence.moves.turns() > self.game.moves() || (is_draw && self.contest.is_some());
        if replaces {
            self.stop(now);
            self.game = made;
            self.contest = None;
            if evidence.end.is_none() && made.winner().is_some() {
                self.open_contest(now);
            }
        }
        match evidence.end {
            _ if replaces => {}
            Some(SignedEnd::Resignation(by)) if self.game.winner() == Some(by.opponent()) => {
                self.contest = None;
            }
            // Also of a player who has made a line since.
            Some(SignedEnd::Resignation(by)) => self.give_up(by)?,
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

    /// Ends the game at `now` because the player to move is late; or makes an end final that nobody has contested in
    /// time. If both players have moved, the opponent wins; otherwise the game is aborted. `agreed` is the clock of the
    /// terms.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. [`Error::GameOver`] if the game has ended for good,
    /// 2. [`Error::NoClock`] if no clock runs,
    /// 3. [`Error::TimeLeft`] if `now` is not after [`Self::claim_deadline`], or a line can be contested.
    pub fn claim_timeout(&mut self, agreed: Option<ClockSpec>, now: u64) -> Result<(), Error> {
        match self.contest {
            None => {
                let late = self.game.to_move().ok_or(Error::GameOver)?;
                if now <= self.claim_deadline(agreed).ok_or(Error::NoClock)? {
                    return Err(Error::TimeLeft);
                }
                match self.game.moves() < 2 {
                    true => self.game.end_by(TwoEnd::Abort, None),
                    false => self.game.end_by(TwoEnd::Timeout, Some(late.opponent())),
                }
            }
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
    /// 5. [`Error::NoClock`] if the game has none.
    pub fn press(&mut self, caller: Address, now: u64) -> Result<u64, Error> {
        let to_move = self.game.to_move().ok_or(Error::GameOver)?;
        let player = self.game.player_of(&caller).ok_or(Error::NotAPlayer)?;
        if player == to_move {
            return Err(Error::YourTurn);
        }
        if self.clock.is_some() {
            return Err(Error::ClockRuns);
        }
        self.run(to_move, now).ok_or(Error::NoClock)
    }

    /// Drops a disc on the chain, as [`Game::drop`] does, or [swaps](super::Moves::SWAP): then the disc lies where it
    /// lay. Then the clock of the opponent runs, or a line can be [contested](Self::contest).
    ///
    /// # Errors
    ///
    /// As [`Game::drop`], with [`Error::OutOfTime`] behind [`Error::NotYourTurn`] if the time of the caller has run out.
    pub fn drop(&mut self, caller: Address, bin: Bin, now: u64) -> Result<Dropped, Error> {
        let mut moved = *self;
        if let Some(to_move) = moved.game.to_move() {
            moved.run(to_move, now);
        }
        let player = moved.game.mover(&caller)?;
        if moved.is_late(now) {
            return Err(Error::OutOfTime);
        }
        let dropped = match moved.is_swap(bin, &moved.game) {
            true => {
                moved.game.swap();
                let (row, outcome) = (0, None);
                Dropped { row, outcome }
            }
            false => moved.game.drop_of(player, bin)?,
        };
        if let Some(clock) = &mut moved.clock {
            clock.press(now);
        }
        if let (Some(clock), Some(winner)) = (moved.clock, moved.game.winner()) {
            moved.stop_at(clock, winner, now);
        }
        if moved.game.winner().is_some() {
            moved.open_contest(now);
        }
        *self = moved;
        Ok(dropped)
    }

    /// Whether the time of the player to move has run out.
    fn is_late(&self, now: u64) -> bool {
        self.clock.is_some_and(|clock| clock.has_run_out(now))
    }

    /// Opens the time in which the line that has ended the game can be contested.
    fn open_contest(&mut self, now: u64) {
        let left = match (self.stopped, self.game.winner()) {
            (Some(Banks { left, .. }), Some(winner)) => *left.get(winner.opponent()),
            _ => 0,
        };
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
        self.clock = Some(clock);
        Some(clock.deadline())
    }

    /// Stops the clock, if it runs, after a move of the player to move. The game is still at the
    /// position before.
    fn stop(&mut self, now: u64) {
        let (Some(mut clock), Some(moved)) = (self.clock, self.game.to_move()) else {
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
        self.clock = None;
    }
}

/// As the contract of the stakes stores it: each part at a fixed place.
impl ChainGame {
    /// Bytes of the record.
    pub(crate) const LEN: usize = 179;

    /// The record of the game.
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
        // No block is of the second 0, and no deadline.
        put(&self.contest.unwrap_or(0).to_le_bytes());
        put(&self.clock.map_or(0, Clock::deadline).to_le_bytes());
        put(&self.clock.map_or(0, Clock::waiting).to_le_bytes());
        put(&self.clock.map_or(0, Clock::increment).to_le_bytes());
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
        let (deadline, bytes) = bytes.split_first_chunk()?;
        let (waiting, bytes) = bytes.split_first_chunk()?;
        let (gained, bytes) = bytes.split_first_chunk()?;
        let (one, bytes) = bytes.split_first_chunk()?;
        let (two, bytes) = bytes.split_first_chunk()?;
        let (increment, bytes) = bytes.split_first_chunk()?;
        let ([is_stopped, pie_rule, _, _], bytes) = bytes.split_first_chunk()?;
        let (key_one, bytes) = bytes.split_first_chunk()?;
        let (key_two, mut bytes) = bytes.split_first_chunk()?;
        let [contest, deadline] = [contest, deadline].map(|bytes| u64::from_le_bytes(*bytes));
        let clock = Clock {
            deadline,
            waiting: u32::from_le_bytes(*waiting),
            increment: u32::from_le_bytes(*gained),
        };
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
            clock: (deadline != 0).then_some(clock),
            contest: (contest != 0).then_some(contest),
            pie_rule: *pie_rule != 0,
        })
    }
}
