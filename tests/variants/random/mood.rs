//! Which step comes next: random, but most often one that leads on.

use connect4_protocol::Address;
use connect4_protocol::variants::Game;
use connect4_rules::variant::{Move, Outcome, Powers, VariantSpec};
use connect4_rules::{Bin, Cell, ShapeSpec};
use connect4_testing::dice::Dice;
use connect4_testing::{Account, PEOPLE, address, who};

use crate::call::Call;
use crate::model::Model;

/// Shapes by bins, capacity and line, the largest board among them. On the first, games are short; on
/// the second, boards become full.
const SHAPES: [(u8, u8, u8); 5] = [(5, 4, 3), (5, 4, 5), (6, 4, 4), (7, 6, 4), (16, 7, 4)];
const BAD_SHAPES: [(u8, u8, u8); 4] = [(4, 4, 4), (5, 3, 4), (7, 6, 2), (25, 5, 4)];
/// A second more than after which a game is abandoned.
const LONG: u64 = Game::ABANDONED_AFTER as u64 + 1;

/// A step of a sequence: time goes by, in seconds, or somebody makes a call.
#[derive(Clone, Debug)]
pub enum Step {
    Wait(u64),
    Call(Account, Call),
}

/// How the people of a sequence play.
pub struct Mood {
    pub steps: u64,
    /// From this number of games and tables at once on, new ones are made less often.
    games: usize,
    shapes: Vec<(u8, u8, u8)>,
    /// Whether nobody leaves, and no time runs out.
    patient: bool,
}

impl Mood {
    pub fn new(dice: &mut Dice) -> Self {
        let shape = dice.one_of(&SHAPES);
        match dice.below(5) {
            // Until the board is full.
            0 => Self {
                steps: 60,
                games: 1,
                shapes: vec![SHAPES[1]],
                patient: true,
            },
            1 => Self {
                steps: 50,
                games: 2,
                shapes: vec![SHAPES[0]],
                patient: false,
            },
            _ => Self {
                steps: 70,
                games: 4,
                shapes: vec![SHAPES[0], shape],
                patient: false,
            },
        }
    }

    /// The next step, most often a sensible one.
    pub fn step(&self, dice: &mut Dice, model: &Model) -> Step {
        let steps = self.possible(dice, model);
        dice.by_weight(steps)
    }

    /// Steps, each with its weight.
    fn possible(&self, dice: &mut Dice, model: &Model) -> Vec<(u64, Step)> {
        let mut steps = vec![(2, Step::Wait(dice.below(8)))];
        let mut may = |weight, who, call| steps.push((weight, Step::Call(who, call)));
        let going_on = model.games.values().filter(|game| !game.is_over()).count();
        let eager = if going_on < self.games { 8 } else { 1 };
        let someone = dice.one_of(&PEOPLE);
        let variant = self.some_terms(dice);
        let players = some_players(dice, variant.players);
        may(eager, someone, Call::Start(players, variant));
        let players = match dice.once_in(2) {
            true => vec![],
            false => some_players(dice, variant.players),
        };
        let mut opener = players.first().copied().unwrap_or(someone);
        if dice.once_in(8) {
            opener = someone;
        }
        let limit = match dice.below(8) {
            0..3 => None,
            3 => Some(dice.one_of(&[Game::MIN_LIMIT - 1, Game::MAX_LIMIT + 1])),
            4 => Some(Game::MAX_LIMIT),
            _ => Some(dice.one_of(&[10, 30, 60])),
        };
        may(2 * eager, opener, Call::Open(players, variant, limit));
        may(1, someone, some_call(dice, model.count, None));

        let mut waits = Vec::new();
        for (&number, game) in model.games.iter().rev().take(6) {
            let seats: Vec<Account> = game.seats().filter_map(|(of, _)| of.map(who)).collect();
            let player = dice.one_of(&seats);
            let anyone = dice.one_of(&PEOPLE);
            may(1, player, some_call(dice, number, Some(game)));
            may(1, anyone, some_call(dice, number, Some(game)));
            let opener = who(game.payer());
            if game.is_over() {
                may(2, opener, Call::Free(number));
                may(1, player, Call::Leave(number));
                may(1, player, Call::Move(number, Move::Swap));
            } else if !game.has_started() {
                let mut kept = game.seats().filter(|(_, joined)| !joined);
                let invited = kept.find_map(|(account, _)| account).map(who);
                may(6, invited.unwrap_or(anyone), Call::Join(number));
                may(1, player, Call::Leave(number));
                may(1, opener, Call::Leave(number));
                may(1, anyone, Call::Join(number));
                may(1, opener, Call::Free(number));
            } else if let Some(colour) = game.to_move() {
                let mover = who(game.account_of(colour));
                may(30, mover, Call::Move(number, some_legal(dice, game)));
                may(8, mover, Call::Move(number, some_move(dice, game)));
                may(2, player, Call::Move(number, some_legal(dice, game)));
                let abandoned = model.now >= game.since() + LONG;
                may(if abandoned { 40 } else { 1 }, opener, Call::Free(number));
                let mut seats = game.seats().filter_map(|(account, _)| account);
                let left = |account: &Address| {
                    let colour = game.colour_of(*account);
                    colour.is_some_and(|colour| game.position().has_left(colour))
                };
                if let Some(left) = seats.find(left) {
                    may(2, who(left), some_call(dice, number, Some(game)));
                }
                may(u64::from(!self.patient), player, Call::Leave(number));
                if let Some(deadline) = game.deadline() {
                    let late = model.now > deadline;
                    may(if late { 20 } else { 1 }, anyone, Call::RemoveLate(number));
                    let left = deadline.saturating_sub(model.now);
                    waits.extend([left, left + 1].map(|wait| (1, Step::Wait(wait))));
                }
            }
        }
        if !self.patient {
            steps.extend(waits);
            if dice.once_in(4) {
                steps.push((2, Step::Wait(LONG)));
            }
        }
        steps
    }

    /// Terms, now and then out of bounds.
    fn some_terms(&self, dice: &mut Dice) -> VariantSpec {
        let (bins, capacity, line) = match dice.once_in(12) {
            true => dice.one_of(&BAD_SHAPES),
            false => dice.one_of(&self.shapes),
        };
        let players = dice.one_of(&[2, 2, 3, 4]);
        let mut power = || dice.one_of(&[0, 0, 1, 2]);
        let mut powers = Powers {
            take: power(),
            clear: power(),
            float: power(),
        };
        let pie_rule = players == 2 && dice.once_in(2) || dice.once_in(20);
        let mut variant = VariantSpec {
            shape: ShapeSpec {
                bins,
                capacity,
                line,
            },
            players,
            pop_out: !dice.once_in(3),
            pie_rule,
            powers,
        };
        match dice.below(20) {
            0 => variant.players = dice.one_of(&[0, 1, 5]),
            1 => {
                powers.float = 10;
                variant.powers = powers;
            }
            _ => {}
        }
        variant
    }
}

/// As many people as this, now and then one too few, or one of them twice.
fn some_players(dice: &mut Dice, count: u8) -> Vec<Account> {
    let mut people = PEOPLE.to_vec();
    while people.len() > usize::from(count) {
        people.remove(dice.below(people.len() as u64) as usize);
    }
    for last in (1..people.len()).rev() {
        people.swap(last, dice.below(last as u64 + 1) as usize);
    }
    match (dice.below(20), people.as_mut_slice()) {
        (0, _) => drop(people.pop()),
        (1, [first, second, ..]) => *second = *first,
        _ => {}
    }
    people
}

/// A legal move; rare kinds as often as drops, now and then one with which an opponent wins.
fn some_legal(dice: &mut Dice, game: &Game) -> Move {
    let moves: Vec<Move> = game.position().legal_moves().collect();
    if dice.once_in(2) {
        let blunder = moves.iter().find(|&&action| {
            let outcome = { *game.position() }.play(action);
            let winner = outcome.ok().flatten().and_then(Outcome::winner);
            winner.is_some() && winner != game.to_move()
        });
        if let Some(&blunder) = blunder {
            return blunder;
        }
    }
    let kind = core::mem::discriminant(&dice.one_of(&moves));
    let any = dice.one_of(&moves);
    let mut kinds: Vec<_> = moves.iter().map(core::mem::discriminant).collect();
    kinds.dedup();
    let kind = if dice.once_in(2) {
        dice.one_of(&kinds)
    } else {
        kind
    };
    let of_kind = |action: &&Move| core::mem::discriminant(*action) == kind;
    let of_kind: Vec<Move> = moves.iter().filter(of_kind).copied().collect();
    if dice.once_in(2) {
        dice.one_of(&of_kind)
    } else {
        any
    }
}

/// A move, legal or not.
fn some_move(dice: &mut Dice, game: &Game) -> Move {
    let shape = game.position().shape();
    let bin = Bin::new(dice.below(u64::from(shape.bins()) + 1) as u8);
    // Most often a low row, where discs lie.
    let row = match dice.below(4) {
        0 => dice.below(u64::from(shape.capacity()) + 1) as u8,
        height => height as u8 - 1,
    };
    let mut cell = Cell { bin, row };
    let occupied: Vec<Cell> = game.position().occupied().iter(shape).collect();
    if !occupied.is_empty() && dice.once_in(2) {
        cell = dice.one_of(&occupied);
    }
    dice.one_of(&[
        Move::Drop(bin),
        Move::Pop(bin),
        Move::Take(cell),
        Move::Clear(row),
        Move::Float(cell),
        Move::Swap,
    ])
}

/// A call about a game, sensible or not.
fn some_call(dice: &mut Dice, number: u32, game: Option<&Game>) -> Call {
    let action = match game {
        Some(game) => some_move(dice, game),
        None => Move::Swap,
    };
    dice.one_of(&[
        Call::Join(number),
        Call::Leave(number),
        Call::Move(number, action),
        Call::RemoveLate(number),
        Call::Free(number),
    ])
}

pub fn plays(game: &Game, account: Account) -> bool {
    game.colour_of(address(account)).is_some()
}
