//! The terms of a match a second time: as plainly as a person would tell them, and written without
//! a look at the contracts.
//!
//! From the rules it takes legal drops and lines; from the protocol, types alone.

use std::collections::BTreeMap;

use connect4_protocol::{ClockSpec, End, Error, Score};
use connect4_rules::{Bin, DropError, Outcome, Player, Position, Shape, ShapeSpec};
use connect4_testing::Account;

use crate::call::{Answer, Call};

/// Seat of a player: 0 moves first, 1 second.
type Seat = usize;

/// An open challenge.
#[derive(Clone, Debug)]
pub struct Challenge {
    pub by: Account,
    pub to: Option<Account>,
    pub first: bool,
    pub shape: ShapeSpec,
    pub clock: Option<ClockSpec>,
    pub stake: u128,
}

/// The banks of the two players, in seconds; one of them runs.
#[derive(Clone, Debug)]
pub struct Timer {
    pub banks: [u64; 2],
    pub running: Seat,
    /// Second at which the running bank started to run.
    pub since: u64,
}

impl Timer {
    /// Last second at which the player to move may move.
    pub fn deadline(&self) -> u64 {
        self.since + self.banks[self.running]
    }
}

/// A game, and its match.
#[derive(Clone, Debug)]
pub struct Game {
    pub seats: [Account; 2],
    pub payer: Account,
    pub position: Position,
    /// How it ended, and the winner's seat; none while it goes on.
    pub over: Option<(End, Option<Seat>)>,
    pub clock: Option<ClockSpec>,
    pub timer: Option<Timer>,
    pub stake: u128,
    pub paid_out: bool,
    /// Seat of the player who offers a draw; see `standing_draw`.
    pub draw: Option<Seat>,
    /// How many moves of that player the offer has outlived.
    pub outlived: u32,
    /// Seat of the player who offers a rematch.
    pub rematch: Option<Seat>,
    pub previous: Option<u32>,
    pub next: Option<u32>,
    /// Winner of each earlier game of its series, aborted games left out.
    pub series: Vec<Option<Account>>,
}

impl Game {
    /// Whether the player in a seat is to move, and has not moved in time.
    fn is_late(&self, seat: Seat, now: u64) -> bool {
        self.to_move() == seat && self.deadline().is_some_and(|deadline| now > deadline)
    }

    /// Seat of the player whose offer of a draw stands: it lapses when who could accept it is late.
    pub fn standing_draw(&self, now: u64) -> Option<Seat> {
        self.draw.filter(|by| !self.is_late(1 - by, now))
    }

    /// Seat of an account, if it plays.
    pub fn seat(&self, who: Account) -> Option<Seat> {
        self.seats.iter().position(|seat| *seat == who)
    }

    /// Seat of the player to move, or who would be if the game had not ended.
    pub fn to_move(&self) -> Seat {
        match self.position.to_move() {
            Player::One => 0,
            Player::Two => 1,
        }
    }

    pub fn deadline(&self) -> Option<u64> {
        match self.over {
            None => self.timer.as_ref().map(Timer::deadline),
            Some(_) => None,
        }
    }

    /// The stakes that the contract keeps until the game is settled.
    pub fn pot(&self) -> u128 {
        if self.paid_out { 0 } else { 2 * self.stake }
    }

    pub fn score(&self) -> Score {
        let wins = |of: Option<Account>| {
            let count = self.series.iter().filter(|won| **won == of).count();
            u16::try_from(count).unwrap()
        };
        Score {
            one: wins(Some(self.seats[0])),
            two: wins(Some(self.seats[1])),
            draws: wins(None),
        }
    }
}

/// The state of both contracts, and all payments so far.
#[derive(Clone, Debug, Default)]
pub struct Model {
    pub now: u64,
    /// How many challenges were made.
    pub made: u32,
    pub challenges: BTreeMap<u32, Challenge>,
    /// How many games were started.
    pub started: u32,
    pub games: BTreeMap<u32, Game>,
    /// Amount that each account is owed.
    pub credits: BTreeMap<Account, u128>,
    /// Amount that each account has been paid in all.
    pub received: BTreeMap<Account, u128>,
}

impl Model {
    /// Balance that the contract of the matches has to have.
    pub fn funds(&self) -> u128 {
        let challenges: u128 = self.challenges.values().map(|open| open.stake).sum();
        let games = self.games.values();
        let pots: u128 = games.clone().map(Game::pot).sum();
        let rematches: u128 = games
            .filter(|game| game.rematch.is_some())
            .map(|game| game.stake)
            .sum();
        challenges + pots + rematches + self.credits.values().sum::<u128>()
    }

    pub fn credit(&self, who: Account) -> u128 {
        self.credits.get(&who).copied().unwrap_or_default()
    }

    /// Makes a call, or changes nothing if it is refused.
    pub fn call(&mut self, who: Account, call: &Call) -> Result<Answer, Error> {
        let before = self.clone();
        let answer = self.take(who, call);
        if answer.is_err() {
            *self = before;
        }
        answer
    }

    fn take(&mut self, who: Account, call: &Call) -> Result<Answer, Error> {
        match *call {
            Call::StartGame(one, two, shape) => {
                if one == two {
                    return Err(Error::SamePlayer);
                }
                let shape = Shape::try_from(shape).map_err(|_| Error::BadShape)?;
                Ok(Answer::Number(self.start([one, two], who, shape)))
            }
            Call::Drop(number, bin) => {
                let now = self.now;
                let game = self.game(number)?;
                let seat = player_of_running(game, who)?;
                if seat != game.to_move() {
                    return Err(Error::NotYourTurn);
                }
                if game.deadline().is_some_and(|deadline| now > deadline) {
                    return Err(Error::OutOfTime);
                }
                let dropped = match game.position.drop(Bin::new(bin)) {
                    Ok(dropped) => dropped,
                    Err(DropError::NoSuchBin) => return Err(Error::NoSuchBin),
                    Err(DropError::BinFull) => return Err(Error::BinFull),
                    Err(DropError::GameOver) => unreachable!("the game is not over"),
                };
                match dropped.outcome {
                    Some(Outcome::Won(_)) => game.over = Some((End::Line, Some(seat))),
                    Some(Outcome::Draw) => game.over = Some((End::FullBoard, None)),
                    None => {}
                }
                if let (Some(timer), Some(clock)) = (&mut game.timer, game.clock) {
                    timer.banks[seat] -= now - timer.since;
                    timer.banks[seat] += u64::from(clock.increment);
                    timer.running = 1 - seat;
                    timer.since = now;
                }
                // A move declines the opponent's offer.
                if game.draw == Some(1 - seat) || game.over.is_some() {
                    game.draw = None;
                } else if game.draw == Some(seat) {
                    game.outlived += 1;
                }
                Ok(Answer::Dropped(dropped))
            }
            Call::Challenge {
                to,
                first,
                shape,
                clock,
                paid,
            } => {
                if to == Some(who) {
                    return Err(Error::SamePlayer);
                }
                if Shape::try_from(shape).is_err() {
                    return Err(Error::BadShape);
                }
                const DAY: u32 = 86_400;
                if let Some(ClockSpec { bank, increment }) = clock
                    && (bank == 0 || bank > 30 * DAY || increment > DAY)
                {
                    return Err(Error::BadClock);
                }
                if paid > 0 && clock.is_none() {
                    return Err(Error::StakeNeedsClock);
                }
                let open = Challenge {
                    by: who,
                    to,
                    first,
                    shape,
                    clock,
                    stake: paid,
                };
                self.challenges.insert(self.made, open);
                self.made += 1;
                Ok(Answer::Number(self.made - 1))
            }
            Call::Accept(number, paid) => {
                let open = self.challenge(number)?;
                if open.by == who {
                    return Err(Error::SamePlayer);
                }
                if open.to.is_some_and(|to| to != who) {
                    return Err(Error::NotChallenged);
                }
                if paid != open.stake {
                    return Err(Error::WrongStake);
                }
                self.challenges.remove(&number);
                let seats = if open.first {
                    [open.by, who]
                } else {
                    [who, open.by]
                };
                let shape =
                    Shape::try_from(open.shape).expect("checked when the challenge was made");
                let started = self.start(seats, who, shape);
                self.begin(started, open.clock, open.stake);
                Ok(Answer::Number(started))
            }
            Call::Decline(number) => {
                let open = self.challenge(number)?;
                if open.to != Some(who) {
                    return Err(Error::NotChallenged);
                }
                self.challenges.remove(&number);
                self.owe(open.by, open.stake);
                Ok(Answer::Nothing)
            }
            Call::Cancel(number) => {
                let open = self.challenge(number)?;
                if open.by != who {
                    return Err(Error::NotChallenger);
                }
                self.challenges.remove(&number);
                self.owe(open.by, open.stake);
                Ok(Answer::Nothing)
            }
            Call::Resign(number) => {
                let seat = player_of_running(self.game(number)?, who)?;
                self.end(number, End::Resignation, Some(1 - seat));
                Ok(Answer::Nothing)
            }
            Call::ClaimTimeout(number) => {
                let now = self.now;
                let game = self.game(number)?;
                if game.over.is_some() {
                    return Err(Error::GameOver);
                }
                let deadline = game.deadline().ok_or(Error::NoClock)?;
                if now <= deadline {
                    return Err(Error::TimeLeft);
                }
                let late = game.to_move();
                if game.position.plies() < 2 {
                    self.end(number, End::Abort, None);
                } else {
                    self.end(number, End::Timeout, Some(1 - late));
                }
                Ok(Answer::Nothing)
            }
            Call::OfferDraw(number) => {
                let now = self.now;
                let game = self.game(number)?;
                let seat = player_of_running(game, who)?;
                if game.standing_draw(now) == Some(seat) {
                    return Err(Error::AlreadyOffered);
                }
                if game.standing_draw(now).is_some() {
                    self.end(number, End::Agreement, None);
                } else if game.is_late(1 - seat, now) {
                    return Err(Error::OutOfTime);
                } else {
                    game.draw = Some(seat);
                    game.outlived = 0;
                }
                Ok(Answer::Nothing)
            }
            Call::AcceptDraw(number) => {
                let now = self.now;
                let game = self.game(number)?;
                let seat = player_of_running(game, who)?;
                if game.standing_draw(now) != Some(1 - seat) {
                    return Err(Error::NoOffer);
                }
                self.end(number, End::Agreement, None);
                Ok(Answer::Nothing)
            }
            Call::DeclineDraw(number) => {
                let now = self.now;
                let game = self.game(number)?;
                player_of_running(game, who)?;
                if game.standing_draw(now).is_none() {
                    return Err(Error::NoOffer);
                }
                game.draw = None;
                Ok(Answer::Nothing)
            }
            Call::OfferRematch(number, paid) => {
                let game = self.game(number)?;
                let seat = player_before_rematch(game, who)?;
                if game.rematch == Some(seat) {
                    return Err(Error::AlreadyOffered);
                }
                if paid != game.stake {
                    return Err(Error::WrongStake);
                }
                if game.rematch.is_some() {
                    return Ok(Answer::MaybeNumber(Some(self.play_again(number, who))));
                }
                game.rematch = Some(seat);
                Ok(Answer::MaybeNumber(None))
            }
            Call::AcceptRematch(number, paid) => {
                let game = self.game(number)?;
                let seat = player_before_rematch(game, who)?;
                if game.rematch != Some(1 - seat) {
                    return Err(Error::NoOffer);
                }
                if paid != game.stake {
                    return Err(Error::WrongStake);
                }
                Ok(Answer::Number(self.play_again(number, who)))
            }
            Call::DeclineRematch(number) => {
                let game = self.game(number)?;
                player_before_rematch(game, who)?;
                let offered_by = game.rematch.take().ok_or(Error::NoOffer)?;
                let (offered_by, stake) = (game.seats[offered_by], game.stake);
                self.owe(offered_by, stake);
                Ok(Answer::Nothing)
            }
            Call::Settle(number) => {
                let game = self.game(number)?;
                if game.over.is_none() {
                    return Err(Error::GameNotOver);
                }
                if game.pot() == 0 {
                    return Err(Error::NothingToSettle);
                }
                self.share_out(number);
                Ok(Answer::Nothing)
            }
            Call::Withdraw(ref games) => self.withdraw(who, who, games),
            Call::WithdrawTo(ref games, to) => self.withdraw(who, to, games),
            Call::Free(number) => {
                let game = self.game(number)?;
                if game.over.is_none() {
                    return Err(Error::GameNotOver);
                }
                if game.payer != who {
                    return Err(Error::NotPayer);
                }
                self.share_out(number);
                let game = self.games.remove(&number).expect("found above");
                if let Some(offered_by) = game.rematch {
                    self.owe(game.seats[offered_by], game.stake);
                }
                Ok(Answer::Nothing)
            }
            Call::StartMatch | Call::EndMatch(_) | Call::Remove(_) => Err(Error::NotReferee),
        }
    }

    fn game(&mut self, number: u32) -> Result<&mut Game, Error> {
        self.games.get_mut(&number).ok_or(Error::NoSuchGame)
    }

    fn challenge(&self, number: u32) -> Result<Challenge, Error> {
        let open = self.challenges.get(&number).cloned();
        open.ok_or(Error::NoSuchChallenge)
    }

    fn owe(&mut self, who: Account, amount: u128) {
        if amount > 0 {
            *self.credits.entry(who).or_default() += amount;
        }
    }

    fn start(&mut self, seats: [Account; 2], payer: Account, shape: Shape) -> u32 {
        let game = Game {
            seats,
            payer,
            position: Position::new(shape),
            over: None,
            clock: None,
            timer: None,
            stake: 0,
            paid_out: false,
            draw: None,
            outlived: 0,
            rematch: None,
            previous: None,
            next: None,
            series: Vec::new(),
        };
        self.games.insert(self.started, game);
        self.started += 1;
        self.started - 1
    }

    /// Makes a match of a game that has just started.
    fn begin(&mut self, number: u32, clock: Option<ClockSpec>, stake: u128) {
        let since = self.now;
        let game = self.games.get_mut(&number).expect("just started");
        game.stake = stake;
        game.clock = clock;
        game.timer = clock.map(|clock| Timer {
            banks: [u64::from(clock.bank); 2],
            running: 0,
            since,
        });
    }

    fn end(&mut self, number: u32, end: End, winner: Option<Seat>) {
        let game = self.games.get_mut(&number).expect("the game goes on");
        game.over = Some((end, winner));
        game.draw = None;
        self.share_out(number);
    }

    fn withdraw(&mut self, who: Account, to: Account, games: &[u32]) -> Result<Answer, Error> {
        for &number in games {
            match self.games.get(&number) {
                // The stakes of a game that was freed are credited.
                None => continue,
                Some(game) if game.over.is_none() => return Err(Error::GameNotOver),
                Some(_) => self.share_out(number),
            }
        }
        let amount = self.credits.remove(&who).ok_or(Error::NothingToWithdraw)?;
        *self.received.entry(to).or_default() += amount;
        Ok(Answer::Amount(amount))
    }

    /// Credits the stakes of a game that has ended, unless that was done before.
    fn share_out(&mut self, number: u32) {
        let game = self.games.get_mut(&number).expect("the game has ended");
        let (_, winner) = game.over.expect("the game has ended");
        let (seats, pot) = (game.seats, game.pot());
        if pot == 0 {
            return;
        }
        game.paid_out = true;
        match winner {
            Some(winner) => self.owe(seats[winner], pot),
            None => seats
                .map(|seat| self.owe(seat, pot / 2))
                .into_iter()
                .collect(),
        }
    }

    fn play_again(&mut self, number: u32, payer: Account) -> u32 {
        let game = self.games.get_mut(&number).expect("the game has ended");
        game.rematch = None;
        let (end, winner) = game.over.expect("the game has ended");
        let [one, two] = game.seats;
        let seats = match (end, winner) {
            // The loser moves first.
            (_, Some(0)) => [two, one],
            (_, Some(_)) => [one, two],
            // An aborted game was not played: the seats stay.
            (End::Abort, None) => [one, two],
            // After a draw, the player who moved second moves first.
            (_, None) => [two, one],
        };
        let (shape, clock, stake) = (game.position.shape(), game.clock, game.stake);
        let mut series = game.series.clone();
        if end != End::Abort {
            series.push(winner.map(|winner| game.seats[winner]));
        }
        let next = self.start(seats, payer, shape);
        self.begin(next, clock, stake);
        let started = self.games.get_mut(&next).expect("just started");
        started.previous = Some(number);
        started.series = series;
        self.games.get_mut(&number).expect("found above").next = Some(next);
        next
    }
}

/// Seat of a player of a game that goes on.
fn player_of_running(game: &Game, who: Account) -> Result<Seat, Error> {
    if game.over.is_some() {
        return Err(Error::GameOver);
    }
    game.seat(who).ok_or(Error::NotAPlayer)
}

/// Seat of a player of a game that has ended and has no rematch yet.
fn player_before_rematch(game: &Game, who: Account) -> Result<Seat, Error> {
    if game.over.is_none() {
        return Err(Error::GameNotOver);
    }
    let seat = game.seat(who).ok_or(Error::NotAPlayer)?;
    if game.next.is_some() {
        return Err(Error::RematchStarted);
    }
    Ok(seat)
}
