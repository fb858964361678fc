//! A tree search for any number of players.

use alloc::vec::Vec;
use core::cmp::Ordering;
use core::ops::Range;

use connect4_rules::variant::{ByColour, Colour, Move, Outcome, Position};
use connect4_rules::{self as classic, Bin};
use rand::Rng as _;
use rand_chacha::ChaCha8Rng;

use crate::budget::{Budget, Clock, Meter};
use crate::order::Order;
use crate::playout::play_out;

/// Weight of moves that were seldom tried: the constant of UCB1 for values from 0 to 1 (P. Auer et
/// al., Finite-time Analysis of the Multiarmed Bandit Problem, 2002).
const CURIOSITY: f64 = core::f64::consts::SQRT_2;
/// Number of games after which the value of a move counts half.
const DOUBT: f64 = 10.0;

/// Monte Carlo tree search. It plays the game to its end again and again: within the tree by the
/// results of the games before, beyond it mostly at random (L. Kocsis and C. Szepesvári, Bandit
/// based Monte-Carlo Planning, 2006).
///
/// - **Each player plays for itself.** A game that was played to its end has a reward for every
///   player, and each node keeps the sums of all of them; the player to move there follows its own
///   (UCT in this form converges to max^n: N. Sturtevant, An Analysis of UCT in Multi-Player Games,
///   2008). The alternative, to take all others for one opponent (paranoid search), is better against
///   opponents who do play together, but sees in the threat of one of them a danger that the next
///   has no interest in averting. With two players both are the same.
/// - **Results that are certain** are kept as such where all players agree on them (after M. Winands
///   et al., Monte-Carlo Tree Search Solver, 2008, and J. Nijssen and M. Winands, Enhancements for
///   Multi-Player Monte-Carlo Tree Search, 2011): a player to move who has a move that wins, wins; if
///   every move has the same result, so has the node. If all moves lose, but to different players,
///   it is open who wins, and the node counts as not known.
/// - **Not all moves are tried.** Takes and floats are often 50 moves or more. A node's moves are put
///   in order by what they do to the lines, and only the first are tried, more of them the more often
///   the node is visited (progressive unpruning: G. Chaslot et al., Progressive Strategies for
///   Monte-Carlo Tree Search, 2008). A move that ends the game is recognised in any place.
///
/// Beyond the tree, games are played at random, but a player who can complete a line does, and else
/// stops the line of the next one (decisive moves: F. Teytaud and O. Teytaud, On the Huge Benefit of
/// Decisive Moves in Monte-Carlo Tree Search Algorithms, 2010).
pub struct Search<'a> {
    budget: Budget,
    clock: Clock,
    dice: &'a mut ChaCha8Rng,
    nodes: Vec<Node>,
    /// Reward of each player for a draw.
    draw: ByColour<f32>,
}

/// A move that a search has tried.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    pub action: Move,
    /// Its value for who makes it: from -1, a sure loss, to 1, a sure win; 0 is a draw, and what the
    /// start of a game is worth between equals.
    pub value: f64,
    /// How many games were played with it.
    pub visits: u32,
}

impl Candidate {
    /// Whether the move is sure to win.
    #[must_use]
    pub fn wins(&self) -> bool {
        self.value >= 1.0
    }

    /// Whether the move is sure to lose, as far as the search saw.
    #[must_use]
    pub fn loses(&self) -> bool {
        self.value <= -1.0
    }
}

struct Node {
    /// The move that led here.
    action: Move,
    /// Its children are the nodes `first..first + count`, the most promising first, once `count` is
    /// not 0.
    first: u32,
    count: u32,
    visits: u32,
    /// Sums of the rewards of its visits, by the colours before the move that led here.
    rewards: ByColour<f32>,
    /// Certain result, by the colours before the move that led here.
    known: Option<Known>,
}

/// Certain result of a position.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    Won(Colour),
    Draw,
}

impl From<Outcome> for Known {
    fn from(outcome: Outcome) -> Self {
        outcome.winner().map_or(Self::Draw, Self::Won)
    }
}

/// What red and blue get, for who moved: a swap exchanges the colours of the two players, and what
/// comes after it is told by the new ones.
fn before<T>(action: Move, mut after: ByColour<T>) -> ByColour<T> {
    if action == Move::Swap {
        after.0.swap(0, 1);
    }
    after
}

impl Known {
    /// The result of the position after a move, by the colours before it; see [`before`].
    fn before(self, action: Move) -> Self {
        match (self, action) {
            (Self::Won(Colour::Red), Move::Swap) => Self::Won(Colour::Blue),
            (Self::Won(Colour::Blue), Move::Swap) => Self::Won(Colour::Red),
            _ => self,
        }
    }
}

impl Node {
    fn new(action: Move, known: Option<Known>) -> Self {
        Self {
            action,
            first: 0,
            count: 0,
            visits: 0,
            rewards: ByColour::default(),
            known,
        }
    }

    fn children(&self) -> Range<usize> {
        self.first as usize..self.first as usize + self.count as usize
    }
}

impl<'a> Search<'a> {
    /// A search with these random numbers, whose time this clock tells.
    pub fn new(budget: Budget, clock: Clock, dice: &'a mut ChaCha8Rng) -> Self {
        Self {
            budget,
            clock,
            dice,
            nodes: Vec::new(),
            draw: ByColour::default(),
        }
    }

    /// Value of each legal bin of the classic game for the player to move, as a [`Candidate`] has it,
    /// in ascending order of bins; 0 for one that was not tried. Empty if the game is over.
    pub fn values(self, position: &classic::Position) -> Vec<(Bin, f64)> {
        let candidates = self.candidates(&(*position).into());
        let value = |bin| {
            let mut candidates = candidates.iter();
            let found = candidates.find(|candidate| candidate.action == Move::Drop(bin));
            (bin, found.map_or(0.0, |candidate| candidate.value))
        };
        position.legal_bins().map(value).collect()
    }

    /// The moves that were tried, and all those that end the game; all legal moves if none was
    /// tried. Empty if the game is over.
    pub fn candidates(mut self, position: &Position) -> Vec<Candidate> {
        let Some(mover) = position.to_move() else {
            return Vec::new();
        };
        let variant = position.variant();
        let here = variant
            .colours()
            .filter(|&colour| !position.has_left(colour));
        // A draw is as good as the start of the game between equals.
        let share = 1.0 / here.clone().count() as f32;
        here.for_each(|colour| self.draw[colour] = share);

        // The move that led to the root does not count, but is none that exchanges colours.
        self.nodes.push(Node::new(Move::Drop(Bin::new(0)), None));
        self.grow(0, position, mover);
        let mut meter = Meter::new(self.budget, self.clock);
        while self.nodes[0].known.is_none() && meter.goes_on(self.nodes.len()) {
            self.visit(0, *position);
        }

        let share = f64::from(share);
        let children = &self.nodes[self.nodes[0].children()];
        let none_was_tried = children
            .iter()
            .all(|node| node.visits == 0 && node.known.is_none());
        children
            .iter()
            .filter(|node| none_was_tried || node.visits > 0 || node.known.is_some())
            .map(|node| {
                let visits = f64::from(node.visits);
                let value = match node.known {
                    Some(Known::Won(winner)) if winner == mover => 1.0,
                    Some(Known::Won(_)) => -1.0,
                    Some(Known::Draw) => 0.0,
                    None if node.visits == 0 => 0.0,
                    None => {
                        let above = f64::from(node.rewards[mover]) / visits - share;
                        let most = if above > 0.0 { 1.0 - share } else { share };
                        // Few games tell little: the value stays nearer to 0, and is never as far
                        // from it as a certain result.
                        above / most * visits / (visits + DOUBT)
                    }
                };
                Candidate {
                    action: node.action,
                    value,
                    visits: node.visits,
                }
            })
            .collect()
    }

    /// Adds a child for each legal move to a node, the most promising first, and makes the node's
    /// result certain if one of them wins.
    fn grow(&mut self, node: usize, position: &Position, mover: Colour) {
        let order = Order::new(position, mover);
        let mut children: Vec<(f32, Node)> = position
            .legal_moves()
            .filter_map(|action| {
                let mut after = *position;
                let known = after.play(action).ok()?.map(Known::from);
                let promise = match known {
                    Some(Known::Won(winner)) if winner == mover => f32::INFINITY,
                    Some(Known::Won(_)) => f32::NEG_INFINITY,
                    Some(Known::Draw) => 0.0,
                    None => order.promise(action, &after) + self.dice.random::<f32>() * 0.1,
                };
                Some((promise, Node::new(action, known)))
            })
            .collect();
        children.sort_by(|(a, _), (b, _)| b.partial_cmp(a).unwrap_or(Ordering::Equal));
        self.nodes[node].first = self.nodes.len() as u32;
        self.nodes[node].count = children.len() as u32;
        self.nodes
            .extend(children.into_iter().map(|(_, child)| child));
        self.prove(node, mover);
    }

    /// Plays one game through a node that has children, and returns the rewards.
    fn visit(&mut self, node: usize, mut position: Position) -> ByColour<f32> {
        // A node with children is not the end of the game.
        let Some(mover) = position.to_move() else {
            return self.draw;
        };
        let child = self.choose(node, mover);
        let rewards = match self.nodes[child].known {
            Some(known) => self.rewards(known),
            None => {
                // Children are legal.
                let action = self.nodes[child].action;
                let _ = position.play(action);
                before(action, self.descend(child, position))
            }
        };
        let Node {
            visits,
            rewards: sums,
            known,
            ..
        } = &mut self.nodes[child];
        *visits += 1;
        for (sum, reward) in sums.0.iter_mut().zip(rewards.0) {
            *sum += reward;
        }
        if known.is_some() {
            self.prove(node, mover);
        }
        rewards
    }

    /// Plays one game from a node whose result is not known.
    fn descend(&mut self, node: usize, position: Position) -> ByColour<f32> {
        let Node { count, visits, .. } = self.nodes[node];
        if count == 0 && visits == 0 {
            let outcome = play_out(position, self.dice);
            return outcome.map_or(self.draw, |outcome| self.rewards(outcome.into()));
        }
        if count == 0
            && let Some(mover) = position.to_move()
        {
            self.grow(node, &position, mover);
            let Node { action, known, .. } = self.nodes[node];
            if let Some(known) = known {
                return self.rewards(known.before(action));
            }
        }
        self.visit(node, position)
    }

    fn rewards(&self, known: Known) -> ByColour<f32> {
        match known {
            Known::Draw => self.draw,
            Known::Won(winner) => {
                let mut rewards = ByColour::default();
                rewards[winner] = 1.0;
                rewards
            }
        }
    }

    /// The child to visit: the most promising one for the player to move among those that are tried
    /// and not certain. If all of them are certain, any: it loses, but to whom is open.
    fn choose(&mut self, node: usize, mover: Colour) -> usize {
        self.nodes[node].visits += u32::from(node == 0);
        let visits = f64::from(self.nodes[node].visits.max(1));
        let (all, log) = (self.nodes[node].children(), libm::log(visits));
        let mut tried = 0;
        let mut best = None;
        for child in all.clone() {
            let Node {
                visits: games,
                ref rewards,
                known,
                ..
            } = self.nodes[child];
            if known.is_some() {
                continue;
            }
            tried += 1;
            // In the order of their promise, each is tried once before any is tried again.
            if games == 0 {
                return match best {
                    Some((_, best)) if f64::from(tried) > width(visits) => best,
                    _ => child,
                };
            }
            let games = f64::from(games);
            let value = f64::from(rewards[mover]) / games + CURIOSITY * libm::sqrt(log / games);
            if best.is_none_or(|(other, _)| value > other) {
                best = Some((value, child));
            }
        }
        match best {
            Some((_, child)) => child,
            None => all.start + self.dice.random_range(0..all.len()),
        }
    }

    /// Makes the result of a node certain if its children tell it.
    fn prove(&mut self, node: usize, mover: Colour) {
        let action = self.nodes[node].action;
        self.nodes[node].known = self
            .known_by_children(node, mover)
            .map(|known| known.before(action));
    }

    /// The certain result of a node, by the colours that are played there.
    fn known_by_children(&self, node: usize, mover: Colour) -> Option<Known> {
        let mut certain = true;
        let mut draw = false;
        let mut winner = None;
        let mut same_winner = true;
        for child in &self.nodes[self.nodes[node].children()] {
            match child.known {
                Some(Known::Won(colour)) if colour == mover => return child.known,
                Some(Known::Won(colour)) => {
                    same_winner &= winner.is_none_or(|other| other == colour);
                    winner = Some(colour);
                }
                Some(Known::Draw) => draw = true,
                None => certain = false,
            }
        }
        if certain && draw {
            Some(Known::Draw)
        } else if certain && same_winner {
            winner.map(Known::Won)
        } else {
            None
        }
    }
}

/// How many moves of a node are tried after so many visits.
fn width(visits: f64) -> f64 {
    6.0 + libm::sqrt(visits)
}
