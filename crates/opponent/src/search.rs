//! A tree search for boards that nobody has solved.

use std::time::{Duration, Instant};

use connect4_rules::{Bin, Outcome, Player, Position};
use rand::Rng as _;
use rand_chacha::ChaCha8Rng;

/// How much a search may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// So many games played to their end.
    Playouts(u32),
    /// So long, but at most as many positions as fit in 64 MB.
    Time(Duration),
}

/// The most positions that are kept.
const MOST_NODES: usize = 500_000;
/// How much is made of what was tried seldom: the constant of UCB1, as P. Auer et al. have it in
/// Finite-time Analysis of the Multiarmed Bandit Problem (2002), for values from 0 to 1.
const CURIOSITY: f64 = std::f64::consts::SQRT_2;
/// After how many games a half is made of what they say.
const DOUBT: f64 = 10.0;
/// How often the time is looked at.
const LOOK: u32 = 64;

/// Monte Carlo tree search: plays the game to its end again and again, at random where nothing is
/// known and by what came of it where something is (L. Kocsis and C. Szepesvári, Bandit based
/// Monte-Carlo Planning, 2006). Wins and losses that are certain are kept as such (M. Winands et
/// al., Monte-Carlo Tree Search Solver, 2008), so that it neither misses a line nor gives one away
/// that lies within the tree. It needs nothing of the game but what is legal and how it ends.
pub struct Search<'a> {
    budget: Budget,
    dice: &'a mut ChaCha8Rng,
    nodes: Vec<Node>,
}

struct Node {
    /// Where the disc was dropped that led here.
    bin: Bin,
    /// Its children are `first..first + count`, once it has any.
    first: usize,
    count: usize,
    visits: u32,
    /// What came of them for who dropped the disc that led here: 1 a win, 0.5 a draw.
    value: f64,
    proven: Option<Proof>,
}

/// What a position certainly is for who dropped the last disc.
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
    /// A search that throws these dice.
    pub const fn new(budget: Budget, dice: &'a mut ChaCha8Rng) -> Self {
        Self {
            budget,
            dice,
            nodes: Vec::new(),
        }
    }

    /// What each legal bin seems to be worth to who is to move: from 1, a sure win, to -1, a sure
    /// loss. Empty if the game is over.
    pub fn values(mut self, position: &Position) -> Vec<(Bin, f64)> {
        if position.outcome().is_some() {
            return Vec::new();
        }
        self.nodes.push(Node::new(Bin::new(0)));
        self.grow(0, position);
        let begun = Instant::now();
        let mut playouts: u32 = 0;
        while self.nodes[0].proven.is_none() {
            let goes_on = match self.budget {
                Budget::Playouts(most) => playouts < most,
                Budget::Time(time) => {
                    self.nodes.len() < MOST_NODES
                        && (!playouts.is_multiple_of(LOOK) || begun.elapsed() < time)
                }
            };
            if !goes_on {
                break;
            }
            self.visit(0, *position);
            playouts += 1;
        }
        self.children(0)
            .map(|child| {
                let node = &self.nodes[child];
                let value = match (node.proven, node.visits) {
                    (Some(proof), _) => proof.value() * 2.0 - 1.0,
                    (None, 0) => 0.0,
                    // The less was tried, the less is made of it; never as much as of what is
                    // certain.
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

    /// Gives a node a child for each legal bin.
    fn grow(&mut self, node: usize, position: &Position) {
        let first = self.nodes.len();
        self.nodes.extend(position.legal_bins().map(Node::new));
        self.nodes[node].first = first;
        self.nodes[node].count = self.nodes.len() - first;
    }

    /// Plays one game through a node that has children; returns what came of it for who is to move
    /// there.
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

    /// The child to try next: one that is not certain and promises the most.
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
                // Those that were not tried come first, in any order.
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

    /// A win of one child is a loss for who led here; if all are certain, so is this.
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

    /// Plays at random to the end, but takes a line where there is one; what came of it for `us`.
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
