//! Random people at both contracts and at the model, side by side.

use std::{collections::HashMap, fmt::Write as _};

use connect4_protocol::{ClockSpec, End, Error, Game as Record};
use connect4_rules::{Bin, Cells, Outcome, Player, ShapeSpec};
use sp_core::H160;

use crate::{
    model::{Answer, Call, Game, Model, Timer, tokens},
    world::*,
};

/// Who is about.
const PEOPLE: [Account; 5] = [
    Account::Alice,
    Account::Bob,
    Account::Charlie,
    Account::Dave,
    Account::Eve,
];

/// What each message may refuse, as it is documented, where anybody can come to it: two stakes
/// that a `u128` does not count nobody has, and people take what they are paid.
const REFUSALS: [(&str, &[Error]); 21] = {
    use Error::*;
    [
        ("start_game", &[SamePlayer, BadShape]),
        (
            "drop_disc",
            &[
                NoSuchGame,
                GameOver,
                NotAPlayer,
                NotYourTurn,
                OutOfTime,
                NoSuchBin,
                BinFull,
            ],
        ),
        (
            "challenge",
            &[SamePlayer, BadShape, BadClock, StakeNeedsClock],
        ),
        (
            "accept",
            &[NoSuchChallenge, SamePlayer, NotChallenged, WrongStake],
        ),
        ("decline", &[NoSuchChallenge, NotChallenged]),
        ("cancel", &[NoSuchChallenge, NotChallenger]),
        ("resign", &[NoSuchGame, GameOver, NotAPlayer]),
        ("claim_timeout", &[NoSuchGame, GameOver, NoClock, TimeLeft]),
        (
            "offer_draw",
            &[NoSuchGame, GameOver, NotAPlayer, AlreadyOffered],
        ),
        ("accept_draw", &[NoSuchGame, GameOver, NotAPlayer, NoOffer]),
        ("decline_draw", &[NoSuchGame, GameOver, NotAPlayer, NoOffer]),
        (
            "offer_rematch",
            &[
                NoSuchGame,
                GameNotOver,
                NotAPlayer,
                RematchStarted,
                AlreadyOffered,
                WrongStake,
            ],
        ),
        (
            "accept_rematch",
            &[
                NoSuchGame,
                GameNotOver,
                NotAPlayer,
                RematchStarted,
                NoOffer,
                WrongStake,
            ],
        ),
        (
            "decline_rematch",
            &[NoSuchGame, GameNotOver, NotAPlayer, RematchStarted, NoOffer],
        ),
        ("settle", &[NoSuchGame, GameNotOver, NothingToSettle]),
        ("withdraw", &[NoSuchGame, GameNotOver, NothingToWithdraw]),
        ("withdraw_to", &[NoSuchGame, GameNotOver, NothingToWithdraw]),
        ("free", &[NoSuchGame, GameNotOver, NotPayer]),
        ("start_match", &[NotReferee]),
        ("end_match", &[NotReferee]),
        ("remove", &[NotReferee]),
    ]
};

fn player(seat: usize) -> Player {
    Player::ALL[seat]
}

/// What has to have happened in the usual run.
const SIGHTS: [&str; 16] = [
    "a game ended by a line",
    "a game ended on a full board",
    "a game ended by resignation",
    "a game ended by agreement",
    "a game ended on time",
    "a game ended aborted",
    "a move at the deadline",
    "a claim a second after the deadline",
    "a claim by a stranger",
    "a draw was accepted that was offered before a move",
    "a move ended an offer of a draw",
    "a rematch of a rematch",
    "a freed game was not settled",
    "a freed game had an offer of a rematch",
    "a freed game had had its rematch",
    "a payment for several games at once",
];

/// The same numbers everywhere and for ever (SplitMix64).
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Less than `bound`.
    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// Once in so many times.
    fn once_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    fn one_of<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize].clone()
    }
}

/// What somebody does, or that nobody does anything.
#[derive(Clone, Debug)]
enum Step {
    Wait(u64),
    Call(Account, Call),
}

/// How often what happened.
#[derive(Default)]
struct Seen {
    answers: HashMap<(&'static str, Result<(), Error>), u32>,
    sights: HashMap<&'static str, u32>,
    steps: u32,
    sent: u32,
}

impl Seen {
    fn saw(&mut self, sight: &'static str) {
        assert!(SIGHTS.contains(&sight), "{sight}");
        *self.sights.entry(sight).or_default() += 1;
    }

    fn add(&mut self, other: Self) {
        for (answer, times) in other.answers {
            *self.answers.entry(answer).or_default() += times;
        }
        for (sight, times) in other.sights {
            *self.sights.entry(sight).or_default() += times;
        }
        self.steps += other.steps;
        self.sent += other.sent;
    }

    fn times(&self, message: &'static str, answer: Result<(), Error>) -> u32 {
        let times = self.answers.get(&(message, answer));
        times.copied().unwrap_or_default()
    }
}

/// How a sequence goes.
struct Mood {
    steps: u64,
    shapes: Vec<ShapeSpec>,
    people: Vec<Account>,
    /// How many games at once are enough.
    games: usize,
    /// Bare games alone.
    bare: bool,
    /// Nobody gives up or lets time run out on purpose.
    patient: bool,
    /// Once in so many times a call is not one that makes sense.
    nonsense: u64,
}

impl Mood {
    fn new(dice: &mut Dice) -> Self {
        let shape = |bins, capacity, line| ShapeSpec {
            bins,
            capacity,
            line,
        };
        let quick = shape(5, 4, 3);
        match dice.below(6) {
            // Only a whole row wins: the board becomes full.
            0 => Self {
                steps: 45 + dice.below(15),
                shapes: vec![shape(5, 4, 5)],
                people: PEOPLE[..2].to_vec(),
                games: 1,
                bare: dice.once_in(3),
                patient: true,
                nonsense: 12,
            },
            // Two who play on and on.
            1 => Self {
                steps: 40 + dice.below(20),
                shapes: vec![quick],
                people: PEOPLE[..2].to_vec(),
                games: 1,
                bare: dice.once_in(4),
                patient: false,
                nonsense: 10,
            },
            // A crowd.
            2 => Self {
                steps: 30 + dice.below(30),
                shapes: vec![quick, shape(7, 6, 4), shape(25, 4, 6), shape(6, 4, 4)],
                people: PEOPLE.to_vec(),
                games: 4,
                bare: false,
                patient: false,
                nonsense: 4,
            },
            _ => Self {
                steps: 20 + dice.below(30),
                shapes: vec![quick],
                people: PEOPLE[..3].to_vec(),
                games: 2,
                bare: dice.once_in(8),
                patient: false,
                nonsense: 5,
            },
        }
    }

    /// Some step, most often one that leads somewhere.
    fn step(&self, dice: &mut Dice, model: &Model) -> Step {
        let mut steps = self.sensible(dice, model);
        let all: u64 = steps.iter().map(|(weight, _)| weight).sum();
        let mut at = dice.below(all);
        let chosen = steps.iter().position(|(weight, _)| {
            let here = at < *weight;
            at = at.wrapping_sub(*weight);
            here
        });
        let (_, step) = steps.swap_remove(chosen.expect("less than all"));
        match step {
            Step::Call(who, call) if dice.once_in(self.nonsense) => spoilt(dice, model, who, call),
            step => step,
        }
    }

    /// Steps that make sense, each with how likely it is.
    fn sensible(&self, dice: &mut Dice, model: &Model) -> Vec<(u64, Step)> {
        let someone = dice.one_of(&self.people);
        let most = if self.patient { 3 } else { 20 };
        let mut steps = vec![(3, Step::Wait(dice.below(most)))];
        let mut may = |weight, who, call| steps.push((weight, Step::Call(who, call)));

        let under_way: Vec<&Game> = model.games.values().filter(|g| g.over.is_none()).collect();
        let eager = if under_way.len() < self.games { 4 } else { 1 };
        let shape = dice.one_of(&self.shapes);
        let other = another(dice, &self.people, someone);
        if dice.once_in(3) {
            let stranger = dice.one_of(&PEOPLE);
            let starter = dice.one_of(&[someone, other, stranger]);
            let start = Call::StartGame(someone, other, shape);
            may(if self.bare { 10 } else { eager }, starter, start);
        }
        if !self.bare && model.challenges.len() < 4 {
            let clock = some_clock(dice);
            let paid = match clock {
                Some(_) => dice.one_of(&[0, 1, 1, 2, 3, 7]) * TOKEN,
                None => 0,
            };
            let challenge = Call::Challenge {
                to: (!dice.once_in(3)).then_some(other),
                first: dice.once_in(2),
                shape,
                clock,
                paid,
            };
            may(3 * eager, someone, challenge);
        }
        for (&number, open) in &model.challenges {
            let taker = match open.to {
                Some(to) => to,
                None => another(dice, &self.people, open.by),
            };
            may(5 * eager, taker, Call::Accept(number, open.stake));
            may(1, taker, Call::Decline(number));
            may(1, open.by, Call::Cancel(number));
            may(1, dice.one_of(&PEOPLE), Call::Cancel(number));
        }
        for (&number, game) in model.games.iter().rev().take(5) {
            let [one, two] = game.seats;
            let seat = dice.below(2) as usize;
            let (either, its_other) = (game.seats[seat], game.seats[1 - seat]);
            may(
                1,
                dice.one_of(&game.seats),
                some_call(dice, number, game.stake),
            );
            may(1, dice.one_of(&PEOPLE), some_call(dice, number, game.stake));
            if game.over.is_some() {
                if game.next.is_none() {
                    may(6, either, Call::OfferRematch(number, game.stake));
                }
                if let Some(offered_by) = game.rematch {
                    let answers = game.seats[1 - offered_by];
                    may(20, answers, Call::AcceptRematch(number, game.stake));
                    may(5, answers, Call::OfferRematch(number, game.stake));
                    may(2, either, Call::DeclineRematch(number));
                }
                if game.pot() > 0 {
                    may(3, someone, Call::Settle(number));
                    may(3, either, Call::Withdraw(self.some_games(dice, model)));
                }
                may(1, game.payer, Call::Free(number));
                continue;
            }
            may(30, game.seats[game.to_move()], {
                Call::Drop(number, some_bin(dice, game))
            });
            may(u64::from(!self.patient), either, Call::Resign(number));
            match game.draw {
                None => may(3, either, Call::OfferDraw(number)),
                Some(by) => {
                    let answers = game.seats[1 - by];
                    may(5, answers, Call::AcceptDraw(number));
                    may(2, answers, Call::DeclineDraw(number));
                    may(2, answers, Call::OfferDraw(number));
                    may(1, game.seats[by], Call::OfferDraw(number));
                }
            }
            if let Some(deadline) = game.deadline() {
                if model.now > deadline {
                    may(15, its_other, Call::ClaimTimeout(number));
                    may(5, dice.one_of(&PEOPLE), Call::ClaimTimeout(number));
                } else {
                    may(1, its_other, Call::ClaimTimeout(number));
                }
            } else {
                may(1, one.min(two), Call::ClaimTimeout(number));
            }
        }
        for &who in model.credits.keys() {
            may(3, who, Call::Withdraw(self.some_games(dice, model)));
            may(1, who, {
                Call::WithdrawTo(self.some_games(dice, model), dice.one_of(&PEOPLE))
            });
        }
        may(1, someone, Call::Withdraw(self.some_games(dice, model)));
        may(1, someone, {
            Call::WithdrawTo(self.some_games(dice, model), dice.one_of(&PEOPLE))
        });
        may(2, someone, {
            let challenge = some_number(dice, model.made);
            let game = some_number(dice, model.started);
            let about_a_game = some_call(dice, game, 0);
            dice.one_of(&[
                Call::Accept(challenge, 0),
                Call::Decline(challenge),
                Call::Cancel(challenge),
                about_a_game,
            ])
        });
        may(1, someone, {
            let game = some_number(dice, model.started);
            dice.one_of(&[Call::StartMatch, Call::EndMatch(game), Call::Remove(game)])
        });
        if self.patient {
            return steps;
        }
        // To a deadline, and past it.
        for game in under_way {
            if let Some(left) = game.deadline().and_then(|at| at.checked_sub(model.now)) {
                steps.push((1, Step::Wait(left)));
                steps.push((1, Step::Wait(left + 1)));
            }
        }
        steps
    }

    /// Some that have ended, perhaps one of them twice.
    fn some_games(&self, dice: &mut Dice, model: &Model) -> Vec<u32> {
        let mut games: Vec<u32> = model
            .games
            .iter()
            .filter(|(_, game)| {
                let keen = if game.pot() > 0 { 3 } else { 1 };
                game.over.is_some() && dice.below(4) < keen
            })
            .map(|(&number, _)| number)
            .collect();
        if let (Some(&first), true) = (games.first(), dice.once_in(4)) {
            games.push(first);
        }
        games
    }
}

fn another(dice: &mut Dice, people: &[Account], than: Account) -> Account {
    let others: Vec<Account> = people.iter().copied().filter(|who| *who != than).collect();
    dice.one_of(&others)
}

/// One that there is, or the next that will be.
fn some_number(dice: &mut Dice, count: u32) -> u32 {
    dice.below(u64::from(count) + 1) as u32
}

fn some_clock(dice: &mut Dice) -> Option<ClockSpec> {
    let bank = dice.one_of(&[1, 10, 30, 30, 60, 60, 300, ClockSpec::MAX_BANK]);
    let increment = dice.one_of(&[0, 0, 1, 5, 10, ClockSpec::MAX_INCREMENT]);
    (!dice.once_in(6)).then_some(ClockSpec { bank, increment })
}

/// One that has room, now and then one that wins.
fn some_bin(dice: &mut Dice, game: &Game) -> u8 {
    let bins: Vec<Bin> = game.position.legal_bins().collect();
    let wins = bins.iter().find(|&&bin| {
        let outcome = game.position.clone().drop(bin).map(|did| did.outcome);
        matches!(outcome, Ok(Some(Outcome::Won(_))))
    });
    match wins {
        Some(bin) if dice.once_in(2) => bin.index(),
        _ => dice.one_of(&bins).index(),
    }
}

/// Something about a game, whether it makes sense or not.
fn some_call(dice: &mut Dice, game: u32, stake: u128) -> Call {
    let bin = dice.below(6) as u8;
    dice.one_of(&[
        Call::Drop(game, bin),
        Call::Resign(game),
        Call::ClaimTimeout(game),
        Call::OfferDraw(game),
        Call::AcceptDraw(game),
        Call::DeclineDraw(game),
        Call::OfferRematch(game, stake),
        Call::AcceptRematch(game, stake),
        Call::DeclineRematch(game),
        Call::Settle(game),
        Call::Withdraw(vec![game]),
        Call::Free(game),
    ])
}

/// A call with something wrong with it, as a rule.
fn spoilt(dice: &mut Dice, model: &Model, who: Account, mut call: Call) -> Step {
    let anyone = dice.one_of(&PEOPLE);
    if dice.once_in(3) {
        return Step::Call(anyone, call);
    }
    let half = TOKEN / 2;
    let bad_shape = dice.one_of(&[(4, 4, 4), (5, 3, 4), (7, 6, 2), (5, 4, 6), (25, 5, 4)]);
    let bad_shape = ShapeSpec {
        bins: bad_shape.0,
        capacity: bad_shape.1,
        line: bad_shape.2,
    };
    let another_number = some_number(dice, model.started);
    match &mut call {
        Call::StartGame(one, two, shape) => match dice.below(3) {
            0 => *shape = bad_shape,
            1 => *one = *two,
            _ => (*one, *two, *shape) = (who, who, bad_shape),
        },
        Call::Drop(game, bin) => match dice.below(3) {
            0 => *game = another_number,
            // Full, most often, or beyond the last.
            _ => {
                let game = model.games.get(game);
                let position = game.map(|game| game.position);
                let tallest = position.and_then(|position| {
                    let bins = position.shape().iter_bins();
                    let tallest = bins.max_by_key(|&bin| position.height(bin));
                    tallest.map(Bin::index)
                });
                let last = position.map(|position| position.shape().bins());
                *bin = dice.one_of(&[tallest, tallest, last]).unwrap_or(255);
            }
        },
        Call::Challenge {
            to,
            shape,
            clock,
            paid,
            ..
        } => {
            for _ in 0..=dice.below(2) {
                match dice.below(4) {
                    0 => *to = Some(who),
                    1 => *shape = bad_shape,
                    2 => {
                        let (bank, increment) = dice.one_of(&[
                            (0, 5),
                            (ClockSpec::MAX_BANK + 1, 0),
                            (60, ClockSpec::MAX_INCREMENT + 1),
                        ]);
                        *clock = Some(ClockSpec { bank, increment });
                    }
                    _ => (*clock, *paid) = (None, half),
                }
            }
        }
        Call::Accept(number, paid) => match dice.below(3) {
            0 => *number = some_number(dice, model.made),
            _ => *paid = dice.one_of(&[0, half, *paid + half, 2 * *paid]),
        },
        Call::OfferRematch(number, paid) | Call::AcceptRematch(number, paid) => {
            match dice.below(3) {
                0 => *number = another_number,
                _ => *paid = dice.one_of(&[0, half, *paid + half, 2 * *paid]),
            }
        }
        Call::Decline(number) | Call::Cancel(number) => *number = some_number(dice, model.made),
        Call::Withdraw(games) | Call::WithdrawTo(games, _) => games.push(another_number),
        Call::Resign(number)
        | Call::ClaimTimeout(number)
        | Call::OfferDraw(number)
        | Call::AcceptDraw(number)
        | Call::DeclineDraw(number)
        | Call::DeclineRematch(number)
        | Call::Settle(number)
        | Call::Free(number) => {
            *number = another_number;
        }
        Call::StartMatch | Call::EndMatch(_) | Call::Remove(_) => {}
    }
    Step::Call(who, call)
}

/// The contracts and the model of them, which have to say the same.
struct Table<'a> {
    world: &'a World,
    model: Model,
    seen: Seen,
    seed: u64,
    begun: u64,
    story: String,
}

/// Tells how it came to that.
impl Drop for Table<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!(
                "\nWhat happened ({SEED}={} {SEQUENCES}=1 plays it again):\n{}",
                self.seed, self.story
            );
        }
    }
}

impl<'a> Table<'a> {
    fn new(world: &'a World, seed: u64) -> Self {
        let model = Model {
            now: world.now(),
            ..Model::default()
        };
        Self {
            world,
            model,
            seen: Seen::default(),
            seed,
            begun: world.now(),
            story: String::new(),
        }
    }

    fn wait(&mut self, seconds: u64) {
        self.world.wait(seconds);
        self.model.now += seconds;
        writeln!(self.story, "      {seconds} s go by").unwrap();
    }

    /// Somebody asks both for something; what is refused is sent, too, if `anyway`.
    fn call(&mut self, who: Account, call: &Call, anyway: bool) -> Result<Answer, Error> {
        self.seen.steps += 1;
        let at = self.model.now - self.begun;
        write!(self.story, "{at:>5} {who} {call}").unwrap();
        let before = self.model.clone();
        let expected = self.model.call(who, call);
        match &expected {
            Ok(Answer::Nothing) => writeln!(self.story),
            Ok(answer) => writeln!(self.story, ": {answer:?}"),
            Err(error) => writeln!(self.story, ": refused, {error:?}"),
        }
        .unwrap();

        let (contract, paid, data) = (self.world.contract_of(call), call.paid(), call.data());
        let answer = self.world.ask(who, contract, paid, data.clone());
        let data_expected = expected.as_ref().map(Answer::data);
        assert_eq!(
            answer,
            data_expected.map_err(|error| Refusal::Because(*error)),
            "the contract answers what the model does: {expected:?}"
        );
        let told = expected.as_ref().map(|_| ()).map_err(|error| *error);
        *self.seen.answers.entry((call.name(), told)).or_default() += 1;
        if expected.is_ok() || anyway {
            self.send(who, contract, call, data, &expected);
            self.compare_touched(&before, who, call, &expected);
        }
        if let Ok(answer) = &expected {
            self.look_at(&before, who, call, answer);
        }
        expected
    }

    /// Sends a call, and sees that the signer's money moves as it has to, and nobody else's.
    fn send(
        &mut self,
        who: Account,
        contract: H160,
        call: &Call,
        data: Vec<u8>,
        expected: &Result<Answer, Error>,
    ) {
        let paid = call.paid();
        self.seen.sent += 1;
        let balances = || PEOPLE.map(|who| self.world.balance(address(who)) as i128);
        let before = balances();
        let report = self.world.send(who, contract, paid, data);
        assert_eq!(report.outcome.is_ok(), expected.is_ok(), "{report:?}");
        if expected.is_err() {
            let told = report.contract_events().count();
            assert_eq!(told, 0, "who refuses says nothing to the world");
        }
        let paid = if expected.is_ok() { paid } else { 0 };
        let got = match expected {
            Ok(Answer::Amount(amount)) => *amount,
            _ => 0,
        };
        let costs = (report.fee as i128 + report.deposit) * RATIO as i128;
        for ((person, before), after) in PEOPLE.into_iter().zip(before).zip(balances()) {
            let receiver = match *call {
                Call::WithdrawTo(_, to) => to,
                _ => who,
            };
            let mut change = 0;
            if person == who {
                change -= paid as i128 + costs;
            }
            if person == receiver {
                change += got as i128;
            }
            assert_eq!(after - before, change, "what {person} has");
        }
    }

    /// What the call could have changed is now with the contracts as it is with the model.
    fn compare_touched(
        &self,
        before: &Model,
        who: Account,
        call: &Call,
        answer: &Result<Answer, Error>,
    ) {
        self.compare_funds();
        let mut games: Vec<u32> = match call {
            Call::Drop(game, _)
            | Call::Resign(game)
            | Call::ClaimTimeout(game)
            | Call::OfferDraw(game)
            | Call::AcceptDraw(game)
            | Call::DeclineDraw(game)
            | Call::OfferRematch(game, _)
            | Call::AcceptRematch(game, _)
            | Call::DeclineRematch(game)
            | Call::Settle(game)
            | Call::Free(game)
            | Call::EndMatch(game)
            | Call::Remove(game) => vec![*game],
            Call::Withdraw(games) | Call::WithdrawTo(games, _) => games.clone(),
            _ => vec![],
        };
        if before.started != self.model.started {
            games.push(before.started);
            let count = self
                .world
                .ask(who, self.world.games, 0, message("game_count", ()));
            assert_eq!(plain::<u32>(&count.unwrap()), self.model.started, "games");
        }
        for game in games {
            match call {
                // What the matches keep it can't have changed; but an offer may have lapsed.
                Call::Drop(..) if before.games.get(&game).is_some_and(|g| g.draw.is_none()) => {
                    self.compare_record(game, &self.world.game(game));
                }
                _ => self.compare_game(game),
            }
        }
        let of_challenge = match call {
            Call::Challenge { .. } => Some(before.made),
            Call::Accept(number, _) | Call::Decline(number) | Call::Cancel(number) => Some(*number),
            _ => None,
        };
        if let Some(number) = of_challenge {
            let count: u32 = self.world.ask_matches("challenge_count", ());
            assert_eq!(count, self.model.made, "challenges");
            assert_eq!(
                self.world.open_challenge(number),
                self.open_challenge(number),
                "challenge {number}"
            );
            self.compare_challenges(50);
        }
        for person in PEOPLE {
            if person == who && answer.is_ok() || before.credit(person) != self.model.credit(person)
            {
                self.compare_credit(person);
            }
        }
    }

    fn compare_all(&self, limit: u8) {
        self.compare_funds();
        // One more than there are.
        for game in 0..=self.model.started {
            self.compare_game(game);
        }
        for challenge in 0..=self.model.made {
            assert_eq!(
                self.world.open_challenge(challenge),
                self.open_challenge(challenge),
                "challenge {challenge}"
            );
        }
        self.compare_challenges(limit);
        for person in PEOPLE {
            self.compare_credit(person);
        }
    }

    fn compare_funds(&self) {
        assert_eq!(
            tokens(self.world.balance(self.world.matches)),
            tokens(self.model.funds()),
            "what the contract has"
        );
        assert_eq!(self.world.balance(self.world.games), 0);
    }

    fn compare_credit(&self, person: Account) {
        let credit = self.world.credit_of(address(person));
        assert_eq!(credit, self.model.credit(person), "what {person} is owed");
    }

    fn open_challenge(&self, number: u32) -> Result<connect4_protocol::Challenge, Error> {
        let open = self.model.challenges.get(&number);
        let open = open.ok_or(Error::NoSuchChallenge)?;
        Ok(connect4_protocol::Challenge {
            challenger: key(open.by),
            opponent: open.to.map(key),
            challenger_first: open.first,
            terms: connect4_protocol::Terms {
                shape: open.shape,
                clock: open.clock,
                stake: open.stake,
            },
        })
    }

    /// Reads all the pages.
    fn compare_challenges(&self, limit: u8) {
        let mut listed = Vec::new();
        let mut from = None;
        loop {
            let page = self.world.open_challenges(from, limit).unwrap();
            assert!(page.challenges.len() <= usize::from(limit.clamp(1, 50)));
            listed.extend(page.challenges);
            from = page.next;
            if from.is_none() {
                break;
            }
        }
        let open = self.model.challenges.keys().rev();
        let open = open.map(|&number| (number, self.open_challenge(number).unwrap()));
        assert_eq!(listed, open.collect::<Vec<_>>(), "the newest first");
    }

    fn compare_game(&self, number: u32) {
        let stored = self.world.game(number);
        self.compare_record(number, &stored);
        self.compare_match(number, &stored);
    }

    fn compare_record(&self, number: u32, stored: &Result<Record, Error>) {
        let Some(game) = self.model.games.get(&number) else {
            assert_eq!(*stored, Err(Error::NoSuchGame), "game {number}");
            return;
        };
        let stored = stored.unwrap();

        let told = (
            [stored.player_one(), stored.player_two()],
            stored.payer(),
            stored.position(),
            stored.turns(),
            stored.last_mover(),
        );
        let moved_last = match game.position.plies() {
            0 => None,
            _ => Some(game.position.to_move().opponent()),
        };
        let known = (
            game.seats.map(key),
            key(game.payer),
            game.position,
            game.position.plies(),
            moved_last,
        );
        assert_eq!(told, known, "game {number}");

        let lines = match game.over {
            Some((End::Line, _)) => game.position.winning_cells(),
            _ => Cells::EMPTY,
        };
        let told = (
            stored.is_over(),
            stored.end(),
            stored.winner(),
            stored.winning_cells(),
        );
        let known = (
            game.over.is_some(),
            game.over.map(|(end, _)| end),
            game.over.and_then(|(_, winner)| winner).map(player),
            lines,
        );
        assert_eq!(told, known, "how game {number} ended");

        let clock = stored
            .clock()
            .map(|clock| (clock.deadline(), clock.waiting(), clock.increment()));
        let known = game.timer.as_ref().zip(game.clock).map(|(timer, clock)| {
            let waiting = timer.banks[1 - timer.running];
            let waiting = u32::try_from(waiting).unwrap();
            (Timer::deadline(timer), waiting, clock.increment)
        });
        assert_eq!(clock, known, "the clock of game {number}");
        assert_eq!(stored.deadline(), game.deadline(), "game {number}");
    }

    fn compare_match(&self, number: u32, stored: &Result<Record, Error>) {
        let beside = self.world.match_of(number);
        let Some(game) = self.model.games.get(&number) else {
            assert_eq!(beside, Err(Error::NoSuchGame), "match {number}");
            return;
        };
        let beside = beside.unwrap();
        let known = connect4_protocol::Match {
            stake: game.stake,
            settled: game.paid_out,
            clock: game.clock,
            previous: game.previous,
            next: game.next,
            score: game.score(),
            rematch: game.rematch.map(player),
            // Offers that lapsed may still be stored. Those that stand are looked at below.
            draw: beside.draw,
        };
        assert_eq!(beside, known, "what goes beside game {number}");
        assert_eq!(beside.draw_offer(&stored.unwrap()), game.draw.map(player));
        assert_eq!(beside.pot(), game.pot());
    }

    /// Takes note of what does not happen often.
    fn look_at(&mut self, before: &Model, who: Account, call: &Call, answer: &Answer) {
        let seen = &mut self.seen;
        for (number, game) in &self.model.games {
            let was_over = before
                .games
                .get(number)
                .is_some_and(|game| game.over.is_some());
            if let (Some((end, _)), false) = (game.over, was_over) {
                seen.saw(match end {
                    End::Line => "a game ended by a line",
                    End::FullBoard => "a game ended on a full board",
                    End::Resignation => "a game ended by resignation",
                    End::Agreement => "a game ended by agreement",
                    End::Timeout => "a game ended on time",
                    End::Abort => "a game ended aborted",
                });
            }
        }
        match call {
            Call::Drop(game, _) => {
                let was = &before.games[game];
                if was.deadline() == Some(before.now) {
                    seen.saw("a move at the deadline");
                }
                if was.draw == Some(1 - was.to_move()) {
                    seen.saw("a move ended an offer of a draw");
                }
            }
            Call::ClaimTimeout(game) => {
                let was = &before.games[game];
                if was.deadline() == Some(before.now - 1) {
                    seen.saw("a claim a second after the deadline");
                }
                if was.seat(who).is_none() {
                    seen.saw("a claim by a stranger");
                }
            }
            Call::AcceptDraw(game) if before.games[game].outlived > 0 => {
                seen.saw("a draw was accepted that was offered before a move");
            }
            Call::AcceptRematch(..) | Call::OfferRematch(..) => {
                let started = match answer {
                    Answer::Number(number) | Answer::MaybeNumber(Some(number)) => *number,
                    _ => return,
                };
                if self.model.games[&started].series.len() > 1 {
                    seen.saw("a rematch of a rematch");
                }
            }
            Call::Withdraw(games) | Call::WithdrawTo(games, _) => {
                let settled = games.iter().filter(|game| {
                    before.games[game].pot() > 0 && self.model.games[game].pot() == 0
                });
                if settled.count() > 1 {
                    seen.saw("a payment for several games at once");
                }
            }
            Call::Free(game) => {
                let was = &before.games[game];
                if was.pot() > 0 {
                    seen.saw("a freed game was not settled");
                }
                if was.rematch.is_some() {
                    seen.saw("a freed game had an offer of a rematch");
                }
                if was.next.is_some() {
                    seen.saw("a freed game had had its rematch");
                }
            }
            _ => {}
        }
    }

    /// Ends all that goes on, and everybody takes what is theirs.
    fn clear(&mut self, dice: &mut Dice) {
        writeln!(self.story, "      Closing time.").unwrap();
        let must = |table: &mut Self, who, call| {
            table.call(who, &call, false).unwrap();
        };
        for (number, game) in self.model.games.clone() {
            if game.over.is_some() {
                continue;
            }
            match game.deadline() {
                None => must(self, game.seats[0], Call::Resign(number)),
                Some(deadline) => {
                    self.wait((deadline + 1).saturating_sub(self.model.now));
                    must(self, Account::Eve, Call::ClaimTimeout(number));
                }
            }
        }
        for (number, open) in self.model.challenges.clone() {
            match open.to {
                Some(to) if dice.once_in(2) => must(self, to, Call::Decline(number)),
                _ => must(self, open.by, Call::Cancel(number)),
            }
        }
        let mut waiting = Vec::new();
        for (number, game) in self.model.games.clone() {
            if game.rematch.is_some() {
                must(self, dice.one_of(&game.seats), Call::DeclineRematch(number));
            }
            if game.pot() > 0 {
                match dice.below(3) {
                    0 => must(self, Account::Eve, Call::Settle(number)),
                    1 => must(self, game.payer, Call::Free(number)),
                    _ => waiting.push(number),
                }
            }
        }
        for who in PEOPLE {
            let could_get = |number: &u32| match self.model.games[number].over {
                Some((_, Some(winner))) => self.model.games[number].seats[winner] == who,
                _ => self.model.games[number].seats.contains(&who),
            };
            if self.model.credit(who) > 0 || waiting.iter().any(could_get) {
                must(self, who, Call::Withdraw(std::mem::take(&mut waiting)));
            }
        }
        assert_eq!(self.model.funds(), 0, "it is all paid out");
        self.compare_funds();
        for (number, game) in self.model.games.clone() {
            must(self, game.payer, Call::Free(number));
        }
        self.compare_all(0);
    }
}

const SEED: &str = "CONNECT4_SEED";
const SEQUENCES: &str = "CONNECT4_SEQUENCES";

fn number(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(
        text.parse()
            .unwrap_or_else(|_| panic!("{name} is a number")),
    )
}

/// Plays a sequence on contracts of its own.
fn play(world: &mut World, seed: u64) -> Seen {
    world.deploy_anew();
    let mut dice = Dice(seed);
    let mood = Mood::new(&mut dice);
    let mut table = Table::new(world, seed);
    for _ in 0..mood.steps {
        match mood.step(&mut dice, &table.model) {
            Step::Wait(seconds) => table.wait(seconds),
            Step::Call(who, call) => {
                // What they are refused they find out by themselves.
                let _ = table.call(who, &call, dice.once_in(10));
            }
        }
    }
    table.compare_all(1 + dice.below(4) as u8);
    table.clear(&mut dice);
    std::mem::take(&mut table.seen)
}

/// `CONNECT4_SEQUENCES` says how many, `CONNECT4_SEED` which is the first.
#[test]
fn whoever_asks_whatever_both_contracts_do_as_the_model() {
    let (seed, sequences) = (number(SEED), number(SEQUENCES));
    let usual = seed.is_none() && sequences.is_none();
    let (first, sequences) = (seed.unwrap_or(1), sequences.unwrap_or(500));
    let begun = std::time::Instant::now();
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
    let mut seen = Seen::default();
    std::thread::scope(|scope| {
        let players: Vec<_> = (0..threads)
            .map(|thread| {
                scope.spawn(move || {
                    let mut world = World::new();
                    let mut seen = Seen::default();
                    for sequence in (thread..sequences).step_by(threads as usize) {
                        seen.add(play(&mut world, first.wrapping_add(sequence)));
                    }
                    seen
                })
            })
            .collect();
        for player in players {
            match player.join() {
                Ok(its) => seen.add(its),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    println!(
        "{sequences} sequences, {} calls, {} of them sent, {:.1} s",
        seen.steps,
        seen.sent,
        begun.elapsed().as_secs_f64()
    );
    let mut missed = Vec::new();
    for (message, refusals) in REFUSALS {
        let taken = seen.times(message, Ok(()));
        print!("{message}: {taken} taken");
        // Those of the referee alone.
        if taken == 0 && refusals != [Error::NotReferee] {
            missed.push(message.to_owned());
        }
        for &error in refusals {
            let times = seen.times(message, Err(error));
            print!(", {times} {error:?}");
            if times == 0 {
                missed.push(format!("{message}: {error:?}"));
            }
        }
        println!();
    }
    for sight in SIGHTS {
        let times = seen.sights.get(sight).copied().unwrap_or_default();
        println!("{sight}: {times}");
        if times == 0 {
            missed.push(sight.into());
        }
    }
    for (message, answer) in seen.answers.keys() {
        if let Err(error) = answer {
            let (_, refusals) = REFUSALS.iter().find(|(name, _)| name == message).unwrap();
            assert!(
                refusals.contains(error),
                "{message} is not to say {error:?}"
            );
        }
    }
    if usual {
        assert!(missed.is_empty(), "none of these happened: {missed:#?}");
    }
}
