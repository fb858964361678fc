//! Which step comes next: random, but most often one that leads on.

use connect4_protocol::{Challenge, ClockSpec};
use connect4_rules::{Bin, Outcome, ShapeSpec};
use connect4_testing::dice::Dice;
use connect4_testing::local::TOKEN;
use connect4_testing::{Account, PEOPLE, address};

use crate::call::Call;
use crate::model::{Game, Model};

/// A step of a sequence: time goes by, in seconds, or somebody makes a call.
#[derive(Clone, Debug)]
pub enum Step {
    Wait(u64),
    Call(Account, Call),
}

/// How the people of a sequence play.
pub struct Mood {
    pub steps: u64,
    shapes: Vec<ShapeSpec>,
    people: Vec<Account>,
    /// From this number of games at once on, new ones are started less often.
    games: usize,
    /// Whether only bare games are started.
    bare: bool,
    /// Whether nobody resigns or lets time run out on purpose.
    patient: bool,
    /// Once in so many times a call is spoilt.
    nonsense: u64,
}

impl Mood {
    pub fn new(dice: &mut Dice) -> Self {
        let shape = |bins, capacity, line| ShapeSpec {
            bins,
            capacity,
            line,
        };
        let quick = shape(5, 4, 3);
        match dice.below(6) {
            // Only a line over all bins wins, so that the board becomes full.
            0 => Self {
                steps: 45 + dice.below(15),
                shapes: vec![shape(5, 4, 5)],
                people: PEOPLE[..2].to_vec(),
                games: 1,
                bare: dice.once_in(3),
                patient: true,
                nonsense: 12,
            },
            // Two players, game after game.
            1 => Self {
                steps: 40 + dice.below(20),
                shapes: vec![quick],
                people: PEOPLE[..2].to_vec(),
                games: 1,
                bare: dice.once_in(4),
                patient: false,
                nonsense: 10,
            },
            // All people, and several games at once.
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

    /// The next step, most often a sensible one.
    pub fn step(&self, dice: &mut Dice, model: &Model) -> Step {
        let steps = self.sensible(dice, model);
        match dice.by_weight(steps) {
            Step::Call(who, call) if dice.once_in(self.nonsense) => spoilt(dice, model, who, call),
            step => step,
        }
    }

    /// Sensible steps, each with its weight.
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
            let paid = dice.one_of(&[0, 0, 1, 1, 2, 3, 7]) * TOKEN;
            let clock = some_clock(dice, paid > 0);
            let challenge = Call::Challenge {
                to: (!dice.once_in(3)).then_some(other),
                first: dice.once_in(2),
                shape,
                clock,
                expires: some_expiry(dice, model.now),
                paid,
            };
            may(3 * eager, someone, challenge);
        }
        for (&number, open) in &model.challenges {
            let taker = match open.to {
                Some(to) => to,
                None => another(dice, &self.people, open.by),
            };
            may(5 * eager, taker, accept(model, number, open.stake));
            let old = if open.has_expired(model.now) { 3 } else { 1 };
            may(old, taker, Call::Decline(number));
            may(old, open.by, Call::Cancel(number));
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
                    may(1, game.seats[by], Call::DeclineDraw(number));
                }
            }
            if let Some(patience) = game.patience() {
                if model.now > patience {
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
                accept(model, challenge, 0),
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
        // Up to a last second, and past it.
        let moves = under_way.iter().filter_map(|game| game.deadline());
        let claims = under_way.iter().filter_map(|game| game.patience());
        let challenges = model.challenges.values().filter_map(|open| open.expires);
        for last in moves.chain(claims).chain(challenges) {
            if let Some(left) = last.checked_sub(model.now) {
                steps.push((1, Step::Wait(left)));
                steps.push((1, Step::Wait(left + 1)));
            }
        }
        steps
    }

    /// Some games that have ended, perhaps one of them twice.
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

/// The number of one that exists, or the next number.
fn some_number(dice: &mut Dice, count: u32) -> u32 {
    dice.below(u64::from(count) + 1) as u32
}

/// Accepts the challenge of a number; if there is none, what was seen under another one.
fn accept(model: &Model, number: u32, paid: u128) -> Call {
    let open = model.challenges.get(&number);
    match open.or_else(|| model.challenges.values().next()) {
        Some(open) => Call::AcceptSeen(number, paid, open.shown()),
        None => Call::Accept(number, paid),
    }
}

/// A clock, for a stake or not, or none where that is possible.
fn some_clock(dice: &mut Dice, staked: bool) -> Option<ClockSpec> {
    const DAY: u32 = 86_400;
    let bank = if staked {
        dice.one_of(&[300, 300, 300, 600, DAY, DAY + 5, ClockSpec::MAX_BANK])
    } else {
        dice.one_of(&[1, 10, 30, 30, 60, 60, 300, ClockSpec::MAX_BANK])
    };
    let increment = dice.one_of(&[0, 0, 1, 5, 10, ClockSpec::MAX_INCREMENT]);
    (staked || !dice.once_in(4)).then_some(ClockSpec { bank, increment })
}

/// The last second of a challenge; most have none.
fn some_expiry(dice: &mut Dice, now: u64) -> Option<u64> {
    let seconds = dice.one_of(&[0, 1, 10, 10, 100, 100_000]);
    dice.once_in(3).then_some(now + seconds)
}

/// A bin with room, now and then one that wins.
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

/// A call about a game, sensible or not.
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

/// The challenge as it would be if one of its fields were another.
fn altered(dice: &mut Dice, mut seen: Challenge) -> Challenge {
    match dice.below(8) {
        0 => seen.challenger = address(dice.one_of(&PEOPLE)),
        1 => seen.opponent = Some(address(dice.one_of(&PEOPLE))),
        2 => seen.opponent = None,
        3 => seen.challenger_first = !seen.challenger_first,
        4 => seen.expires = seen.expires.xor(Some(0)),
        5 => seen.terms.shape.line += 1,
        6 => seen.terms.clock = some_clock(dice, false),
        _ => seen.terms.stake += 1,
    }
    seen
}

/// The call with something wrong in it, or made by somebody else; now and then it is right.
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
            // Most often the fullest bin, else one beyond the last.
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
            expires,
            paid,
            ..
        } => {
            for _ in 0..=dice.below(2) {
                match dice.below(6) {
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
                    3 => {
                        let bank = dice.one_of(&[1, 60, 299]);
                        let increment = dice.one_of(&[0, 5, 300]);
                        (*clock, *paid) = (Some(ClockSpec { bank, increment }), half);
                    }
                    4 => *expires = Some(dice.one_of(&[0, model.now - 1, model.now - 5])),
                    _ => (*clock, *paid) = (None, half),
                }
            }
        }
        Call::Accept(number, _) => *number = some_number(dice, model.made),
        Call::AcceptSeen(number, paid, seen) => match dice.below(5) {
            0 => *number = some_number(dice, model.made),
            1 => *seen = altered(dice, *seen),
            2 => {
                *paid += half;
                *seen = altered(dice, *seen);
            }
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
