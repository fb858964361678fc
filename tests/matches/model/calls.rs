//! What each call does to the model, and when it is refused.

use connect4_protocol::{self as protocol, ClockSpec, End, Error};
use connect4_rules::{Bin, DropError, Outcome, Position, Shape};
use connect4_testing::Account;

use super::{Challenge, Game, Model, Seat, Timer};
use crate::call::{Answer, Call};

/// In seconds.
const DAY: u32 = 86_400;
/// Shortest bank of a game for a stake.
const SHORTEST: u32 = 300;

impl Model {
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
                expires,
                paid,
            } => {
                if to == Some(who) {
                    return Err(Error::SamePlayer);
                }
                if Shape::try_from(shape).is_err() {
                    return Err(Error::BadShape);
                }
                if let Some(ClockSpec { bank, increment }) = clock
                    && (bank == 0 || bank > 30 * DAY || increment > DAY)
                {
                    return Err(Error::BadClock);
                }
                if paid > 0 && clock.is_none() {
                    return Err(Error::StakeNeedsClock);
                }
                if paid > 0 && clock.is_some_and(|clock| clock.bank < SHORTEST) {
                    return Err(Error::ShortClock);
                }
                let open = Challenge {
                    by: who,
                    to,
                    first,
                    shape,
                    clock,
                    expires,
                    stake: paid,
                };
                if open.has_expired(self.now) {
                    return Err(Error::ChallengeExpired);
                }
                self.challenges.insert(self.made, open);
                self.made += 1;
                Ok(Answer::Number(self.made - 1))
            }
            Call::Accept(number, paid) => {
                let seen = self.challenge(number)?.shown();
                self.accept(who, number, paid, seen)
            }
            Call::AcceptSeen(number, paid, seen) => self.accept(who, number, paid, seen),
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
                if now <= game.patience().ok_or(Error::NoClock)? {
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

    fn accept(
        &mut self,
        who: Account,
        number: u32,
        paid: u128,
        seen: protocol::Challenge,
    ) -> Result<Answer, Error> {
        let open = self.challenge(number)?;
        if seen != open.shown() {
            return Err(Error::OtherTerms);
        }
        if open.by == who {
            return Err(Error::SamePlayer);
        }
        if open.to.is_some_and(|to| to != who) {
            return Err(Error::NotChallenged);
        }
        if open.has_expired(self.now) {
            return Err(Error::ChallengeExpired);
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
        let shape = Shape::try_from(open.shape).expect("checked when the challenge was made");
        let started = self.start(seats, who, shape);
        self.begin(started, open.clock, open.stake);
        Ok(Answer::Number(started))
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
