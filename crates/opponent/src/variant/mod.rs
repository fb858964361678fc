//! Opponents for the [variants](connect4_rules::variant): two to four players, moves of every kind.
//!
//! The [`Opponent`] here takes the same [`Level`](crate::Level)s. No variant is solved, so
//! [`Level::Perfect`](crate::Level::Perfect) plays as well as a second a move allows, as it does in
//! the classic game on boards other than the standard one.
//!
//! # The search
//!
//! A [`Search`] is a Monte Carlo tree search, as that of the classic game (see
//! [`crate::Search`]), with three differences.
//!
//! - **Each player plays for itself.** A game that was played to its end has a reward for every
//!   player, and each node keeps the sums of all of them; who is to move there follows its own (UCT
//!   in this form converges to max^n: N. Sturtevant, An Analysis of UCT in Multi-Player Games, 2008).
//!   The alternative, to take all others for one opponent (paranoid search), is better against
//!   opponents who do play together, but sees in the threat of one of them a danger that the next
//!   has no interest in averting. With two players both are the same.
//! - **Results that are certain** are kept as such where all players agree on them (after M. Winands
//!   et al., Monte-Carlo Tree Search Solver, 2008, and J. Nijssen and M. Winands, Enhancements for
//!   Multi-Player Monte-Carlo Tree Search, 2011): a player to move who has a move that wins, wins; if
//!   every move has the same result, so has the node. If all moves lose, but to different players,
//!   it is open who wins, and the node counts as not known.
//! - **Not all moves are tried.** Takes and floats are often 50 moves or more. A node's moves are put
//!   in order by what they do to the lines, and only the first are tried, more of them the more often
//!   the node is visited (progressive unpruning: G. Chaslot et al., Progressive Strategies for
//!   Monte-Carlo Tree Search, 2008). A move that ends the game is recognised in any place.
//!
//! Beyond the tree, games are played at random, but a player who can complete a line does, and else
//! stops the line of the next one (decisive moves: F. Teytaud and O. Teytaud, On the Huge Benefit of
//! Decisive Moves in Monte-Carlo Tree Search Algorithms, 2010).

mod opponent;
mod order;
mod playout;
mod search;

pub use opponent::Opponent;
pub use search::{Candidate, Search};
