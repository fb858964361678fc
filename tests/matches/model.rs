//! The terms of a match, written down a second time: as plainly as a person would tell them, and
//! without a look at how the contracts do it.
//!
//! Of the rules it takes what a legal drop and a line on the board are, and the words.

use std::{collections::BTreeMap, fmt};

use codec::Encode;
use connect4_protocol::{ClockSpec, End, Error, Score};
use connect4_rules::{Bin, DropError, Dropped, Outcome, Player, Position, Shape, ShapeSpec};

use crate::world::{Account, TOKEN, message};

/// All that somebody can ask of the two contracts. Payments are as a contract counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Call {
    StartGame(Account, Account, ShapeSpec),
    Drop(u32, u8),
    Challenge {
        to: Option<Account>,
        first: bool,
        shape: ShapeSpec,
        clock: Option<ClockSpec>,
        paid: u128,
    },
    Accept(u32, u128),
    Decline(u32),
    Cancel(u32),
    Resign(u32),
    ClaimTimeout(u32),
    OfferDraw(u32),
    AcceptDraw(u32),
    DeclineDraw(u32),
    OfferRematch(u32, u128),
    AcceptRematch(u32, u128),
    DeclineRematch(u32),
    Settle(u32),
    Withdraw(Vec<u32>),
    /// For somebody else to have.
    WithdrawTo(Vec<u32>, Account),
    Free(u32),
    /// This and the two after it only the referee may.
    StartMatch,
    EndMatch(u32),
    Remove(u32),
}

impl Call {
    pub fn name(&self) -> &'static str {
        match self {
            Self::StartGame(..) => "start_game",
            Self::Drop(..) => "drop_disc",
            Self::Challenge { .. } => "challenge",
            Self::Accept(..) => "accept",
            Self::Decline(_) => "decline",
            Self::Cancel(_) => "cancel",
            Self::Resign(_) => "resign",
            Self::ClaimTimeout(_) => "claim_timeout",
            Self::OfferDraw(_) => "offer_draw",
            Self::AcceptDraw(_) => "accept_draw",
            Self::DeclineDraw(_) => "decline_draw",
            Self::OfferRematch(..) => "offer_rematch",
            Self::AcceptRematch(..) => "accept_rematch",
            Self::DeclineRematch(_) => "decline_rematch",
            Self::Settle(_) => "settle",
            Self::Withdraw(_) => "withdraw",
            Self::WithdrawTo(..) => "withdraw_to",
            Self::Free(_) => "free",
            Self::StartMatch => "start_match",
            Self::EndMatch(_) => "end_match",
            Self::Remove(_) => "remove",
        }
    }

    /// Whether it is asked of the contract of the games.
    pub fn is_of_games(&self) -> bool {
        matches!(
            self,
            Self::StartGame(..)
                | Self::Drop(..)
                | Self::StartMatch
                | Self::EndMatch(_)
                | Self::Remove(_)
        )
    }

    pub fn paid(&self) -> u128 {
        match *self {
            Self::Challenge { paid, .. }
            | Self::Accept(_, paid)
            | Self::OfferRematch(_, paid)
            | Self::AcceptRematch(_, paid) => paid,
            _ => 0,
        }
    }

    pub fn data(&self) -> Vec<u8> {
        use crate::world::{address, key};
        let name = self.name();
        match self {
            Self::StartGame(one, two, shape) => {
                message(name, (address(*one), address(*two), shape))
            }
            Self::Drop(game, bin) => message(name, (game, bin)),
            Self::Challenge {
                to,
                first,
                shape,
                clock,
                ..
            } => message(name, (to.map(address), first, shape, clock)),
            Self::Accept(number, _)
            | Self::Decline(number)
            | Self::Cancel(number)
            | Self::Resign(number)
            | Self::ClaimTimeout(number)
            | Self::OfferDraw(number)
            | Self::AcceptDraw(number)
            | Self::DeclineDraw(number)
            | Self::OfferRematch(number, _)
            | Self::AcceptRematch(number, _)
            | Self::DeclineRematch(number)
            | Self::Settle(number)
            | Self::Free(number)
            | Self::Remove(number) => message(name, number),
            Self::Withdraw(games) => message(name, games),
            Self::WithdrawTo(games, to) => message(name, (games, key(*to))),
            // Somebody would like to have won.
            Self::StartMatch | Self::EndMatch(_) => {
                let (alice, bob) = (key(Account::Alice), key(Account::Bob));
                let mut record =
                    connect4_protocol::Game::start(alice, bob, Shape::STANDARD.into()).unwrap();
                record.resign(bob).unwrap();
                match self {
                    Self::EndMatch(game) => message(name, (game, record)),
                    _ => message(name, record),
                }
            }
        }
    }
}

/// `accepts challenge 3, paying 5`.
impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whom = |to: &Option<Account>| to.map_or("anyone".into(), |to| to.to_string());
        match self {
            Self::StartGame(one, two, shape) => {
                write!(
                    f,
                    "starts a bare game of {one} and {two} on {}",
                    short(shape)
                )
            }
            Self::Drop(game, bin) => write!(f, "drops into bin {bin} of game {game}"),
            Self::Challenge {
                to,
                first,
                shape,
                clock,
                ..
            } => {
                let who = if *first { "challenger" } else { "opponent" };
                write!(
                    f,
                    "challenges {} on {}, {who} first, ",
                    whom(to),
                    short(shape)
                )?;
                match clock {
                    Some(clock) => write!(f, "{clock}"),
                    None => f.write_str("no clock"),
                }
            }
            Self::Accept(number, _) => write!(f, "accepts challenge {number}"),
            Self::Decline(number) => write!(f, "declines challenge {number}"),
            Self::Cancel(number) => write!(f, "cancels challenge {number}"),
            Self::Resign(game) => write!(f, "resigns game {game}"),
            Self::ClaimTimeout(game) => write!(f, "claims that time has run out in game {game}"),
            Self::OfferDraw(game) => write!(f, "offers a draw in game {game}"),
            Self::AcceptDraw(game) => write!(f, "accepts a draw in game {game}"),
            Self::DeclineDraw(game) => write!(f, "declines a draw in game {game}"),
            Self::OfferRematch(game, _) => write!(f, "offers a rematch of game {game}"),
            Self::AcceptRematch(game, _) => write!(f, "accepts a rematch of game {game}"),
            Self::DeclineRematch(game) => write!(f, "declines a rematch of game {game}"),
            Self::Settle(game) => write!(f, "settles game {game}"),
            Self::Withdraw(games) => write!(f, "withdraws, settling {games:?}"),
            Self::WithdrawTo(games, to) => write!(f, "withdraws for {to}, settling {games:?}"),
            Self::Free(game) => write!(f, "frees game {game}"),
            Self::StartMatch => f.write_str("starts a game that is won, as the referee may"),
            Self::EndMatch(game) => write!(f, "ends game {game}, as the referee may"),
            Self::Remove(game) => write!(f, "removes game {game}, as the referee may"),
        }?;
        match self.paid() {
            0 => Ok(()),
            paid => write!(f, ", paying {}", tokens(paid)),
        }
    }
}

fn short(shape: &ShapeSpec) -> String {
    format!("{}x{} line {}", shape.bins, shape.capacity, shape.line)
}

/// Whole tokens; what people pay here is nothing else.
pub fn tokens(amount: u128) -> String {
    match amount % TOKEN {
        0 => (amount / TOKEN).to_string(),
        _ => format!("{amount} of the smallest unit"),
    }
}

/// What a call that was not refused returned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    Nothing,
    Number(u32),
    MaybeNumber(Option<u32>),
    Amount(u128),
    Dropped(Dropped),
}

impl Answer {
    /// As a contract writes it.
    pub fn data(&self) -> Vec<u8> {
        match self {
            Self::Nothing => encoded(()),
            Self::Number(number) => encoded(number),
            Self::MaybeNumber(number) => encoded(number),
            Self::Amount(amount) => encoded(amount),
            Self::Dropped(dropped) => encoded(dropped),
        }
    }
}

fn encoded(answer: impl Encode) -> Vec<u8> {
    Ok::<Result<_, ()>, ()>(Ok(answer)).encode()
}

/// Of the two who play a game, 0 has the first move.
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

/// Two banks of seconds, of which one runs.
#[derive(Clone, Debug)]
pub struct Timer {
    pub banks: [u64; 2],
    pub running: Seat,
    /// When it began to run.
    pub since: u64,
}

impl Timer {
    /// The last second of who is to move.
    pub fn deadline(&self) -> u64 {
        self.since + self.banks[self.running]
    }
}

#[derive(Clone, Debug)]
pub struct Game {
    pub seats: [Account; 2],
    pub payer: Account,
    pub position: Position,
    /// How it ended, and who won.
    pub over: Option<(End, Option<Seat>)>,
    pub clock: Option<ClockSpec>,
    pub timer: Option<Timer>,
    pub stake: u128,
    pub paid_out: bool,
    /// Who offers a draw that stands.
    pub draw: Option<Seat>,
    /// How many moves that offer has outlived.
    pub outlived: u32,
    /// Who offers a rematch.
    pub rematch: Option<Seat>,
    pub previous: Option<u32>,
    pub next: Option<u32>,
    /// Who won each of the games before it in its series; an aborted one is none of them.
    pub series: Vec<Option<Account>>,
}

impl Game {
    /// Which seat somebody has.
    pub fn seat(&self, who: Account) -> Option<Seat> {
        self.seats.iter().position(|seat| *seat == who)
    }

    /// Whose turn it is, or would be.
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

    /// What the contract keeps of the stakes, while they are in play.
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

/// Both contracts, and what people have got from them.
#[derive(Clone, Debug, Default)]
pub struct Model {
    pub now: u64,
    /// How many challenges were made.
    pub made: u32,
    pub challenges: BTreeMap<u32, Challenge>,
    /// How many games were started.
    pub started: u32,
    pub games: BTreeMap<u32, Game>,
    /// What people are owed.
    pub credits: BTreeMap<Account, u128>,
    /// What people have been paid in all.
    pub received: BTreeMap<Account, u128>,
}

impl Model {
    /// All the money that the contract of the matches has to have.
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

    /// Does what somebody asks for, all of it or nothing.
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
                    Err(DropError::GameOver) => unreachable!("it would be over"),
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
                // Who moves has thought about the other one's offer, and plays on.
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
                let shape = Shape::try_from(open.shape).expect("looked at before");
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
                let game = self.game(number)?;
                let seat = player_of_running(game, who)?;
                if game.draw == Some(seat) {
                    return Err(Error::AlreadyOffered);
                }
                if game.draw.is_some() {
                    self.end(number, End::Agreement, None);
                } else {
                    game.draw = Some(seat);
                    game.outlived = 0;
                }
                Ok(Answer::Nothing)
            }
            Call::AcceptDraw(number) => {
                let game = self.game(number)?;
                let seat = player_of_running(game, who)?;
                if game.draw != Some(1 - seat) {
                    return Err(Error::NoOffer);
                }
                self.end(number, End::Agreement, None);
                Ok(Answer::Nothing)
            }
            Call::DeclineDraw(number) => {
                let game = self.game(number)?;
                let seat = player_of_running(game, who)?;
                if game.draw != Some(1 - seat) {
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
                let game = self.games.remove(&number).expect("seen above");
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
        let game = self.games.get_mut(&number).expect("it goes on");
        game.over = Some((end, winner));
        game.draw = None;
        self.share_out(number);
    }

    fn withdraw(&mut self, who: Account, to: Account, games: &[u32]) -> Result<Answer, Error> {
        for &number in games {
            if self.game(number)?.over.is_none() {
                return Err(Error::GameNotOver);
            }
            self.share_out(number);
        }
        let amount = self.credits.remove(&who).ok_or(Error::NothingToWithdraw)?;
        *self.received.entry(to).or_default() += amount;
        Ok(Answer::Amount(amount))
    }

    /// What is still in play of a game that has ended goes to who it belongs to.
    fn share_out(&mut self, number: u32) {
        let game = self.games.get_mut(&number).expect("it has ended");
        let (_, winner) = game.over.expect("it has ended");
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
        let game = self.games.get_mut(&number).expect("it has ended");
        game.rematch = None;
        let (end, winner) = game.over.expect("it has ended");
        let [one, two] = game.seats;
        let seats = match (end, winner) {
            // The loser begins.
            (_, Some(0)) => [two, one],
            (_, Some(_)) => [one, two],
            // It was never played.
            (End::Abort, None) => [one, two],
            // A draw: who moved second begins.
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
        self.games.get_mut(&number).expect("as before").next = Some(next);
        next
    }
}

/// Which seat somebody has in a game that goes on.
fn player_of_running(game: &Game, who: Account) -> Result<Seat, Error> {
    if game.over.is_some() {
        return Err(Error::GameOver);
    }
    game.seat(who).ok_or(Error::NotAPlayer)
}

/// Which seat somebody has in a game that has ended and was not played again.
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
