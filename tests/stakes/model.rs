//! The rules of games with a stake a second time: as plainly as a person would tell them, with lists of moves, and
//! written without a look at the contract. From the rules of the board it takes legal drops and lines.

use std::collections::BTreeMap;

use connect4_protocol::signed::{SignedEnd, StakedGame, StakesError, Terms};
use connect4_protocol::{End, Error};
use connect4_rules::{Bin, Dropped, Outcome, Player, Position, Shape};
use connect4_testing::{Account, address};

use crate::world::common;

const DAY: u64 = 24 * 60 * 60;

/// A call; games by their places among the plays.
#[derive(Clone, Debug)]
pub enum Call {
    Fund(usize, u128),
    Refund(usize),
    Drop {
        game: usize,
        /// The moves that have made the board which it names.
        on: Vec<u8>,
        bin: u8,
    },
    Advance {
        game: usize,
        press: bool,
        moves: Vec<u8>,
        end: Option<SignedEnd>,
        /// Whether a signature that is needed is missing.
        is_forged: bool,
    },
    Press(usize),
    Resign(usize),
    Claim(usize),
    Withdraw,
    WithdrawTo(Account),
    Free(usize),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    Nothing,
    Amount(u128),
    Deadline(u64),
    Dropped(Dropped),
}

/// A game that somebody has paid for.
#[derive(Clone, Debug)]
pub struct Game {
    pub terms: Terms,
    pub first: Account,
    /// Whether the second has paid, too.
    pub begun: bool,
    pub moves: Vec<u8>,
    pub over: Option<(End, Option<Player>)>,
    left: [u64; 2],
    /// Last second of the player to move, while its clock runs.
    pub deadline: Option<u64>,
    /// Last second at which a line can be contested.
    pub contest: Option<u64>,
}

#[derive(Clone, Debug, Default)]
pub struct Model {
    pub now: u64,
    pub games: BTreeMap<usize, Game>,
    pub owed: BTreeMap<Account, u128>,
}

pub const fn to_move(moves: usize) -> Player {
    if moves.is_multiple_of(2) {
        Player::One
    } else {
        Player::Two
    }
}

/// The position after these moves, if all are legal.
pub fn position(terms: &Terms, moves: &[u8]) -> Result<Position, Error> {
    let shape = Shape::try_from(terms.shape).expect("a shape");
    let mut position = Position::new(shape);
    for bin in moves {
        position.drop(Bin::new(*bin)).map_err(Error::from)?;
    }
    Ok(position)
}

impl Game {
    pub const fn is_final(&self) -> bool {
        self.over.is_some() && self.contest.is_none()
    }

    fn player(&self, who: Account) -> Result<Player, Error> {
        let mut players = Player::ALL.into_iter();
        let plays = |player: &Player| self.terms.players.get(*player).account() == address(who);
        players.find(plays).ok_or(Error::NotAPlayer)
    }

    fn is_late(&self, now: u64) -> bool {
        self.deadline.is_some_and(|last| now > last)
    }

    /// The clock of the player who has made the next move stops.
    fn stop(&mut self, now: u64) {
        if let Some(last) = self.deadline.take() {
            let increment = self.terms.clock.expect("it has a clock").increment;
            let mover = to_move(self.moves.len()) as usize;
            self.left[mover] = last.saturating_sub(now) + u64::from(increment);
        }
    }

    fn come_to(&mut self, moves: &[u8], now: u64) -> Result<(), Error> {
        self.moves = moves.to_vec();
        self.contest = None;
        self.over = match position(&self.terms, moves)?.outcome() {
            None => None,
            Some(Outcome::Draw) => Some((End::FullBoard, None)),
            Some(Outcome::Won(winner)) => {
                let time = self.left[winner.opponent() as usize].max(300);
                self.contest = Some(now + time);
                Some((End::Line, Some(winner)))
            }
        };
        Ok(())
    }

    fn press(&mut self, who: Account, now: u64) -> Result<u64, Error> {
        if self.over.is_some() {
            return Err(Error::GameOver);
        }
        let next = to_move(self.moves.len());
        if self.player(who)? == next {
            return Err(Error::YourTurn);
        }
        if self.deadline.is_some() {
            return Err(Error::ClockRuns);
        }
        let last = now + self.left[next as usize];
        self.deadline = Some(last);
        Ok(last)
    }

    fn drop(&mut self, who: Account, bin: u8, now: u64) -> Result<Dropped, Error> {
        if self.over.is_some() {
            return Err(Error::GameOver);
        }
        let player = self.player(who)?;
        if player != to_move(self.moves.len()) {
            return Err(Error::NotYourTurn);
        }
        if self.is_late(now) {
            return Err(Error::OutOfTime);
        }
        let mut before = position(&self.terms, &self.moves)?;
        let dropped = before.drop(Bin::new(bin)).map_err(Error::from)?;
        // Who drops on the chain has its clock started there, and stopped.
        self.deadline = self.deadline.or(Some(now + self.left[player as usize]));
        self.stop(now);
        let moves = [&self.moves[..], &[bin]].concat();
        self.come_to(&moves, now)?;
        if self.over.is_none() {
            self.deadline = Some(now + self.left[player.opponent() as usize]);
        }
        Ok(dropped)
    }

    fn advance(
        &mut self,
        moves: &[u8],
        end: Option<SignedEnd>,
        is_forged: bool,
        now: u64,
    ) -> Result<(), Error> {
        if self.is_final() {
            return Err(Error::GameOver);
        }
        let is_news = match end {
            None => moves.len() > self.moves.len(),
            Some(SignedEnd::Draw { .. }) => moves.len() >= self.moves.len(),
            Some(SignedEnd::Resignation(_)) => true,
        };
        if !is_news {
            return Err(Error::NotNewer);
        }
        let is_late = self.is_late(now) || self.contest.is_some_and(|last| now > last);
        if is_late && !matches!(end, Some(SignedEnd::Resignation(_))) {
            return Err(Error::OutOfTime);
        }
        if let Some(SignedEnd::Draw { until }) = end
            && (now > until || until == u64::MAX)
        {
            return Err(Error::NoOffer);
        }
        if is_forged {
            return Err(Error::BadSignature);
        }
        match (position(&self.terms, moves)?.outcome(), end) {
            (Some(Outcome::Won(winner)), Some(SignedEnd::Resignation(by))) if winner != by => {}
            (Some(_), Some(_)) => return Err(Error::GameOver),
            _ => {}
        }
        let is_draw = matches!(end, Some(SignedEnd::Draw { .. }));
        if moves.len() > self.moves.len() || (is_draw && self.contest.is_some()) {
            self.stop(now);
            self.come_to(moves, now)?;
        }
        match end {
            None => {}
            Some(SignedEnd::Draw { .. }) => self.over = Some((End::Agreement, None)),
            Some(SignedEnd::Resignation(by)) => self.resign(by),
        }
        Ok(())
    }

    /// A line of the opponent is final by it; else the opponent wins, whatever is on the board.
    fn resign(&mut self, by: Player) {
        if !matches!(self.over, Some((_, Some(winner))) if winner != by) {
            self.over = Some((End::Resignation, Some(by.opponent())));
        }
        self.contest = None;
    }

    fn claim(&mut self, now: u64) -> Result<(), Error> {
        if self.is_final() {
            return Err(Error::GameOver);
        }
        let last = self.contest.or(self.deadline).ok_or(Error::NoClock)?;
        if now <= last {
            return Err(Error::TimeLeft);
        }
        if self.contest.take().is_none() {
            let winner = to_move(self.moves.len()).opponent();
            self.over = match self.moves.len() {
                0 | 1 => Some((End::Abort, None)),
                _ => Some((End::Timeout, Some(winner))),
            };
        }
        Ok(())
    }
}

impl Model {
    /// What the contract has to hold.
    pub fn funds(&self) -> u128 {
        let held = self.games.values().map(|game| match game {
            game if game.is_final() => 0,
            game if game.begun => 2 * game.terms.stake,
            game => game.terms.stake,
        });
        held.sum::<u128>() + self.owed.values().sum::<u128>()
    }

    pub fn owed(&self, who: Account) -> u128 {
        self.owed.get(&who).copied().unwrap_or_default()
    }

    fn owe(&mut self, who: Account, amount: u128) {
        self.owed.insert(who, amount);
        self.owed.retain(|_, amount| *amount > 0);
    }

    /// Makes a call, or changes nothing if it is refused. `terms` are those of all plays.
    pub fn call(
        &mut self,
        who: Account,
        call: &Call,
        terms: &[Terms],
    ) -> Result<Answer, StakesError> {
        let before = self.clone();
        let answer = self.take(who, call, terms);
        if answer.is_err() {
            *self = before;
        }
        answer
    }

    fn take(&mut self, who: Account, call: &Call, terms: &[Terms]) -> Result<Answer, StakesError> {
        let now = self.now;
        match *call {
            Call::Fund(number, paid) => self.fund(who, number, paid, &terms[number]),
            Call::Refund(number) => {
                let game = self.games.get(&number).ok_or(Error::NoSuchGame)?;
                if game.begun {
                    return Err(StakesError::Begun);
                }
                if game.first != who {
                    return Err(Error::NotPayer.into());
                }
                let stake = game.terms.stake;
                self.games.remove(&number);
                Ok(Answer::Amount(stake))
            }
            Call::Withdraw | Call::WithdrawTo(_) => match self.owed.remove(&who) {
                None => Err(Error::NothingToWithdraw.into()),
                Some(amount) => Ok(Answer::Amount(amount)),
            },
            Call::Free(number) => {
                let game = self.games.get(&number).ok_or(Error::NoSuchGame)?;
                let error = match game {
                    game if !game.is_final() => Error::GameNotOver,
                    game if game.first != who => Error::NotPayer,
                    game if now <= game.terms.time + DAY => Error::TermsStand,
                    _ => {
                        self.games.remove(&number);
                        return Ok(Answer::Nothing);
                    }
                };
                Err(common(error))
            }
            Call::Drop { game, ref on, bin } => self.in_game(game, |game| {
                if *on != game.moves {
                    return Err(StakesError::OtherBoard);
                }
                Ok(Answer::Dropped(game.drop(who, bin, now)?))
            }),
            Call::Press(number) => {
                self.in_game(number, |game| Ok(Answer::Deadline(game.press(who, now)?)))
            }
            Call::Claim(number) => self.in_game(number, |game| {
                game.claim(now)?;
                Ok(Answer::Nothing)
            }),
            Call::Resign(number) => self.in_game(number, |game| {
                if game.is_final() {
                    return Err(common(Error::GameOver));
                }
                let by = game.player(who)?;
                game.resign(by);
                Ok(Answer::Nothing)
            }),
            Call::Advance {
                game,
                press,
                ref moves,
                end,
                is_forged,
            } => self.in_game(game, |game| {
                game.advance(moves, end, is_forged, now)?;
                if press {
                    game.press(who, now)?;
                }
                Ok(Answer::Nothing)
            }),
        }
    }

    /// Does something in a game that has begun. If it ends by it, both stakes are owed to the winner, or each to its
    /// player.
    fn in_game(
        &mut self,
        number: usize,
        does: impl FnOnce(&mut Game) -> Result<Answer, StakesError>,
    ) -> Result<Answer, StakesError> {
        let game = self.games.get_mut(&number).ok_or(Error::NoSuchGame)?;
        if !game.begun {
            return Err(StakesError::NotBegun);
        }
        let answer = does(game)?;
        if let Some((_, winner)) = game.over.filter(|_| game.is_final()) {
            let stake = game.terms.stake;
            for player in Player::ALL {
                let account = game.terms.players.get(player).account();
                let account = connect4_testing::who(account);
                let share = match winner {
                    None => stake,
                    Some(winner) if winner == player => 2 * stake,
                    Some(_) => 0,
                };
                let owed = self.owed.get(&account).copied().unwrap_or_default();
                self.owed.insert(account, owed + share);
            }
            self.owed.retain(|_, amount| *amount > 0);
        }
        Ok(answer)
    }

    fn fund(
        &mut self,
        who: Account,
        number: usize,
        paid: u128,
        terms: &Terms,
    ) -> Result<Answer, StakesError> {
        terms.check().map_err(StakesError::Terms)?;
        if terms.stake == 0 {
            return Err(StakesError::NoStake);
        }
        if terms.time > self.now + 600 || self.now > terms.time + DAY {
            return Err(Error::TermsExpired.into());
        }
        let accounts = [terms.players.one, terms.players.two].map(|party| party.account());
        if !accounts.contains(&address(who)) {
            return Err(Error::NotAPlayer.into());
        }
        let stored = self.games.get(&number);
        if stored.is_some_and(|game| game.begun) {
            return Err(StakesError::Begun);
        }
        if stored.is_some_and(|game| game.first == who) {
            return Err(StakesError::AlreadyPaid);
        }
        let has = self.owed(who) + paid;
        let left = has
            .checked_sub(terms.stake)
            .ok_or(StakesError::StakeUnpaid)?;
        self.owe(who, left);
        let bank = u64::from(terms.clock.expect("it has a clock").bank);
        let game = self.games.entry(number).or_insert_with(|| Game {
            terms: *terms,
            first: who,
            begun: false,
            moves: Vec::new(),
            over: None,
            left: [bank; 2],
            deadline: None,
            contest: None,
        });
        game.begun = game.first != who;
        Ok(Answer::Nothing)
    }
}

/// Checks that the contract knows the same game.
pub fn agree(stored: &StakedGame, game: &Game) {
    let shown = &stored.game.game;
    let paid_by = (!game.begun).then(|| game.player(game.first).expect("it has paid"));
    let terms = &game.terms;
    assert_eq!(
        (
            stored.stake,
            Some(stored.clock),
            stored.time,
            stored.paid_by
        ),
        (terms.stake, terms.clock, terms.time, paid_by)
    );
    assert_eq!(shown.payer(), address(game.first));
    let board = position(terms, &game.moves).expect("they are legal");
    assert_eq!(shown.position(), board);
    assert_eq!(shown.end().map(|end| (end, shown.winner())), game.over);
    assert_eq!(stored.game.contest, game.contest);
    if !game.is_final() {
        assert_eq!(stored.game.deadline(), game.deadline);
        if game.deadline.is_none() {
            let left = stored.game.stopped.expect("it stands").left;
            assert_eq!([left.one, left.two].map(u64::from), game.left);
        }
    }
}
