//! The thread in which a bot thinks, so that its seats are never kept waiting.

use std::sync::mpsc;
use std::thread;

use connect4_opponent::{Level, Opponent, Outlook, Reviewer, Worth};
use connect4_protocol::Game;
use connect4_rules::Position;
use connect4_rules::variant::{self, Move, Variant, VariantSpec};
use tokio::sync::oneshot;

use crate::failure::Failure;

/// Thinks of one thing after the other, for all games of a bot.
pub struct Mind(mpsc::Sender<Thought>);

/// What is thought of, and where the answer goes.
enum Thought {
    /// The move of the player to move.
    Move {
        game: Game,
        rules: VariantSpec,
        answer: oneshot::Sender<Option<Move>>,
    },
    /// Whether the player to move accepts a draw.
    Draw {
        position: Position,
        answer: oneshot::Sender<bool>,
    },
}

impl Mind {
    /// Begins to think at this level.
    pub fn begin(level: Level) -> Result<Self, Failure> {
        let (sender, thoughts) = mpsc::channel();
        let thread = thread::Builder::new().name("mind".into());
        let mut thinker = Thinker::new(level);
        let begun = thread.spawn(move || {
            for thought in thoughts {
                thinker.think(thought);
            }
        });
        begun.map_err(|error| Failure::Other(format!("cannot think: {error}")))?;
        Ok(Self(sender))
    }

    /// The move of the player to move in a game; none if it is over.
    pub fn choose(&self, game: Game, rules: VariantSpec) -> oneshot::Receiver<Option<Move>> {
        let (answer, chosen) = oneshot::channel();
        self.ask(Thought::Move {
            game,
            rules,
            answer,
        });
        chosen
    }

    /// Whether the player to move accepts a draw.
    pub fn accepts(&self, position: Position) -> oneshot::Receiver<bool> {
        let (answer, accepts) = oneshot::channel();
        self.ask(Thought::Draw { position, answer });
        accepts
    }

    fn ask(&self, thought: Thought) {
        // If the thread has ended the question is dropped, and who waits for its answer learns it.
        let _ = self.0.send(thought);
    }
}

struct Thinker {
    level: Level,
    opponent: Opponent,
}

impl Thinker {
    fn new(level: Level) -> Self {
        Self {
            level,
            opponent: Opponent::new(level, rand::random()),
        }
    }

    fn think(&mut self, thought: Thought) {
        match thought {
            // The game was left meanwhile.
            Thought::Move { answer, .. } if answer.is_closed() => {}
            Thought::Draw { answer, .. } if answer.is_closed() => {}
            Thought::Move {
                game,
                rules,
                answer,
            } => {
                let _ = answer.send(self.choose(&game, rules));
            }
            Thought::Draw { position, answer } => {
                let _ = answer.send(self.accepts(&position));
            }
        }
    }

    fn choose(&mut self, game: &Game, rules: VariantSpec) -> Option<Move> {
        let position = game.position();
        let terms = Variant::try_from(rules).ok()?;
        // A swap is possible once, as the second move, and the first move has to reckon with it.
        match !terms.is_classic() && game.moves() < 2 {
            true => self.opponent.choose(&on(terms, &position)?),
            false => self.opponent.choose(&position).map(Move::Drop),
        }
    }

    /// Whether it is not better off by playing on. While much of the board is free nothing is decided, as its
    /// opponent may go wrong; before both have moved a draw would make the game void.
    fn accepts(&mut self, position: &Position) -> bool {
        if position.plies() < 2 {
            return false;
        }
        if self.level == Level::Random {
            return rand::random();
        }
        let cells = position.shape().cells();
        let free = cells.saturating_sub(position.plies());
        if free > cells / 4 * 3 {
            return false;
        }
        let is_late = free <= cells / 4;
        match self.outlook(position).map(|outlook| outlook.worth) {
            Some(Worth::LosesIn(_)) => true,
            Some(Worth::Draw) => is_late,
            Some(Worth::About(chance)) => chance < if is_late { 0.5 } else { 0.35 },
            Some(Worth::WinsIn(_)) | None => false,
        }
    }

    /// What a position is worth, by the solver that chooses the moves: it takes 34 MB.
    fn outlook(&mut self, position: &Position) -> Option<Outlook> {
        let next = Opponent::new(self.level, rand::random());
        let solver = std::mem::replace(&mut self.opponent, next).into_solver();
        let mut reviewer = Reviewer::with_solver(solver);
        let outlook = reviewer.look_ahead(position);
        let next = Opponent::new(self.level, rand::random());
        self.opponent = next.with_solver(reviewer.into_solver());
        outlook
    }
}

/// The same position of a game on these terms; none if it has more than one disc.
fn on(terms: Variant, position: &Position) -> Option<variant::Position> {
    let mut there = variant::Position::new(terms);
    let shape = position.shape();
    let discs = shape
        .iter_bins()
        .filter(|bin| position.board().height(*bin) > 0);
    for bin in discs {
        there.play(Move::Drop(bin)).ok()?;
    }
    (u16::from(there.turns()) == u16::from(position.plies())).then_some(there)
}

#[cfg(test)]
mod tests {
    use connect4_protocol::Address;
    use connect4_rules::{Bin, Shape};

    use super::*;

    const ONE: Address = Address([1; 20]);
    const TWO: Address = Address([2; 20]);

    fn rules(may_swap: bool) -> VariantSpec {
        VariantSpec::of_two(Shape::STANDARD.into(), may_swap)
    }

    fn game(moves: &[u8]) -> Game {
        let mut game = Game::start(ONE, TWO, Shape::STANDARD.into()).unwrap();
        for (turn, bin) in moves.iter().enumerate() {
            let caller = [ONE, TWO][turn % 2];
            game.drop(caller, Bin::new(*bin)).unwrap();
        }
        game
    }

    #[test]
    fn the_best_level_opens_so_that_a_swap_gains_nothing_and_swaps_what_wins() {
        let mut thinker = Thinker::new(Level::Perfect);
        for _ in 0..8 {
            let first = thinker.choose(&game(&[]), rules(true)).unwrap();
            let fair = [2, 4].map(|bin| Move::Drop(Bin::new(bin)));
            assert!(fair.contains(&first), "{first}");
        }
        assert_eq!(thinker.choose(&game(&[3]), rules(true)), Some(Move::Swap));
        for bin in [0, 1, 2, 4, 5, 6] {
            let kept = thinker.choose(&game(&[bin]), rules(true));
            assert_ne!(kept, Some(Move::Swap), "{bin}");
        }
        // Without the rule it takes the middle, and later nobody swaps.
        let middle = Some(Move::Drop(Bin::new(3)));
        assert_eq!(thinker.choose(&game(&[]), rules(false)), middle);
        assert_eq!(thinker.choose(&game(&[3]), rules(false)), middle);
    }

    #[test]
    fn every_level_makes_legal_moves_from_the_first_to_the_last() {
        for level in Level::ALL {
            let mut thinker = Thinker::new(level);
            for opening in [&[][..], &[0], &[3], &[3, 3, 3, 3]] {
                let game = game(opening);
                let made = thinker.choose(&game, rules(true)).unwrap();
                let is_legal = match made {
                    Move::Swap => game.moves() == 1,
                    Move::Drop(bin) => game.position().legal_bins().any(|legal| legal == bin),
                    _ => false,
                };
                assert!(is_legal, "{level}: {made} after {opening:?}");
            }
        }
    }

    #[test]
    fn a_draw_is_accepted_by_who_loses_and_by_nobody_who_wins() {
        // Red has three in the bottom row, between two free cells.
        let moves = [0, 0, 0, 0, 0, 0, 6, 6, 6, 6, 3, 3, 4, 4, 2];
        let lost = game(&moves).position();
        let mut thinker = Thinker::new(Level::Hard);
        assert!(thinker.accepts(&lost), "{lost}");
        let won = game(&moves[..14]).position();
        assert!(!thinker.accepts(&won), "{won}");
        let early = game(&[3, 3]).position();
        assert!(!thinker.accepts(&early));
    }

    #[test]
    fn no_draw_is_accepted_before_both_have_moved() {
        let mut thinker = Thinker::new(Level::Random);
        let mut accepts = |moves: &[u8]| {
            let position = game(moves).position();
            (0..64).any(|_| thinker.accepts(&position))
        };
        assert!(!accepts(&[3]));
        assert!(accepts(&[3, 3]));
    }
}
