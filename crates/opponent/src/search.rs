//! A tree search for boards that nobody has solved.

use connect4_rules::{Bin, Outcome, Player, Position};
use rand::Rng as _;
use rand_chacha::ChaCha8Rng;

use crate::budget::{Budget, Meter};

/// Weight of moves that were seldom tried: the constant of UCB1 for values from 0 to 1 (P. Auer et
/// al., Finite-time Analysis of the Multiarmed Bandit Problem, 2002).
pub(crate) const CURIOSITY: f64 = std::f64::consts::SQRT_2;
/// Number of games after which the value of a move counts half.
pub(crate) const DOUBT: f64 = 10.0;
/// Monte Carlo tree search. It plays the game to its end again and again: within the tree by the
/// results of the games before, beyond it at random (L. Kocsis and C. Szepesvári, Bandit based
/// Monte-Carlo Planning, 2006). Results that are certain are kept as such (M. Winands et al.,
/// Monte-Carlo Tree Search Solver, 2008), so that it neither misses a line within the tree nor
/// gives one away. Of the game it uses only which drops are legal and how it ends.
pub struct Search<'a> {
    budget: Budget,
    dice: &'a mut ChaCha8Rng,
    nodes: Vec<Node>,
}

struct Node {
    /// Bin of the drop that led here.
    bin: Bin,
    /// Its children are the nodes `first..first + count`, once `count` is not 0.
    first: usize,
    count: usize,
    visits: u32,
    /// Sum of the results of its visits for the player whose drop led here: 1 for a win, 0.5 for a
    /// draw.
    value: f64,
    proven: Option<Proof>,
}

/// Certain result of a position, for the player who dropped the last disc.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Proof {
    Win,
    Loss,
    Draw,
}

impl Proof {
    const fn value(self) -> f64 {
        match self {
            Self::Win => 1.0,
            Self::Draw => 0.5,
            Self::Loss => 0.0,
        }
    }
}

impl Node {
    const fn new(bin: Bin) -> Self {
        Self {
            bin,
            first: 0,
            count: 0,
            visits: 0,
            value: 0.0,
            proven: None,
        }
    }
}

impl<'a> Search<'a> {
    /// A search with these random numbers.
    pub const fn new(budget: Budget, dice: &'a mut ChaCha8Rng) -> Self {
        Self {
            budget,
            dice,
            nodes: Vec::new(),
        }
    }

    /// Value of each legal bin for the player to move, from -1, a sure loss, to 1, a sure win, in
    /// ascending order of bins. Empty if the game is over.
    pub fn values(mut self, position: &Position) -> Vec<(Bin, f64)> {
        if position.outcome().is_some() {
            return Vec::new();
        }
        self.nodes.push(Node::new(Bin::new(0)));
        self.grow(0, position);
        let mut meter = Meter::new(self.budget);
        while self.nodes[0].proven.is_none() && meter.goes_on(self.nodes.len()) {
            self.visit(0, *position);
        }
        self.children(0)
            .map(|child| {
                let node = &self.nodes[child];
                let value = match (node.proven, node.visits) {
                    (Some(proof), _) => proof.value() * 2.0 - 1.0,
                    (None, 0) => 0.0,
                    // Few games tell little: the value stays nearer to 0, and is never as far from
                    // it as a certain result.
                    (None, visits) => {
                        let visits = f64::from(visits);
                        (node.value / visits * 2.0 - 1.0) * visits / (visits + DOUBT)
                    }
                };
                (node.bin, value)
            })
            .collect()
    }

    fn children(&self, node: usize) -> std::ops::Range<usize> {
        let Node { first, count, .. } = self.nodes[node];
        first..first + count
    }

    /// Adds a child for each legal bin to a node.
    fn grow(&mut self, node: usize, position: &Position) {
        let first = self.nodes.len();
        self.nodes.extend(position.legal_bins().map(Node::new));
        self.nodes[node].first = first;
        self.nodes[node].count = self.nodes.len() - first;
    }

    /// Plays one game through a node that has children, and returns its result for the player to
    /// move there.
    fn visit(&mut self, node: usize, mut position: Position) -> f64 {
        let child = self.choose(node);
        let us = position.to_move();
        let dropped = position
            .drop(self.nodes[child].bin)
            .expect("children are legal");
        let value = if let Some(outcome) = dropped.outcome {
            let proof = match outcome {
                Outcome::Won(_) => Proof::Win,
                Outcome::Draw => Proof::Draw,
            };
            self.nodes[child].proven = Some(proof);
            proof.value()
        } else if self.nodes[child].count > 0 {
            1.0 - self.visit(child, position)
        } else if self.nodes[child].visits > 0 {
            self.grow(child, &position);
            1.0 - self.visit(child, position)
        } else {
            self.play_out(position, us)
        };
        let child = &mut self.nodes[child];
        child.visits += 1;
        child.value += value;
        self.prove(node);
        value
    }

    /// The most promising child whose result is not certain.
    fn choose(&mut self, node: usize) -> usize {
        let visits = f64::from(self.nodes[node].visits.max(1)).ln();
        let mut best = (f64::MIN, self.nodes[node].first);
        for child in self.children(node) {
            let Node {
                visits: tried,
                value,
                proven,
                ..
            } = self.nodes[child];
            let promise = match (proven, tried) {
                (Some(_), _) => continue,
                // Children without visits come first, in random order.
                (None, 0) => 1e6 + self.dice.random::<f64>(),
                (None, tried) => {
                    let tried = f64::from(tried);
                    value / tried + CURIOSITY * (visits / tried).sqrt()
                }
            };
            if promise > best.0 {
                best = (promise, child);
            }
        }
        self.nodes[node].visits += u32::from(node == 0);
        best.1
    }

    /// Makes the result of a node certain if its children tell it: a child that wins makes it a loss.
    /// If all children are certain and none wins, it is a draw if one of them is, else a win.
    fn prove(&mut self, node: usize) {
        let mut draw = false;
        let mut open = false;
        for child in self.children(node) {
            match self.nodes[child].proven {
                Some(Proof::Win) => {
                    self.nodes[node].proven = Some(Proof::Loss);
                    return;
                }
                Some(Proof::Draw) => draw = true,
                Some(Proof::Loss) => {}
                None => open = true,
            }
        }
        if !open {
            self.nodes[node].proven = Some(if draw { Proof::Draw } else { Proof::Win });
        }
    }

    /// Plays at random to the end, but completes a line wherever one can be; returns the result for
    /// `us`.
    fn play_out(&mut self, mut position: Position, us: Player) -> f64 {
        loop {
            let bins: Vec<Bin> = position.legal_bins().collect();
            let mut next = position;
            let bin = bins[self.dice.random_range(0..bins.len())];
            let mut dropped = next.drop(bin).expect("legal");
            if dropped.outcome.is_none() {
                for &other in &bins {
                    let mut tried = position;
                    let result = tried.drop(other).expect("legal");
                    if matches!(result.outcome, Some(Outcome::Won(_))) {
                        dropped = result;
                        break;
                    }
                }
            }
            match dropped.outcome {
                Some(Outcome::Won(player)) if player == us => return 1.0,
                Some(Outcome::Won(_)) => return 0.0,
                Some(Outcome::Draw) => return 0.5,
                None => position = next,
            }
        }
    }
}
