//! A fast game as both players and watchers see it.

use alloc::vec::Vec;

use connect4_protocol::fast::{Domain, Evidence, FastGame};
use connect4_protocol::{Address, ClockSpec, Error, Game};
use connect4_seat::{Journal, Subject, signed_by_both};
use connect4_wire::Position;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::moves;
use crate::output;
use crate::values::{ClassicNumber, Hex, Scale};

/// A fast game, and what is on the chain of it.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Table {
    /// Number of the game.
    pub game: ClassicNumber,
    /// EIP-155 number of the chain.
    pub chain_id: u64,
    /// The contract of the fast games.
    pub contract: Address,
    /// The contract's answer to `read_fast`.
    pub chain: Hex,
    /// Time of the newest block, in seconds since 1970.
    pub now: u64,
    /// Time of this machine, in seconds since 1970; none if it does not matter. Nothing is held back by it:
    /// it says only what is probably late by now.
    #[serde(default)]
    #[cfg_attr(test, ts(optional = nullable))]
    pub machine: Option<u64>,
    /// By how many seconds this machine was ahead of the newest block when that was seen first; behind if
    /// it is less than 0. None if it is not known: then as far as it is ahead now.
    #[serde(default)]
    #[cfg_attr(test, ts(optional = nullable))]
    pub ahead: Option<i64>,
    /// The game's clock, which limits the time for a first move; none if it has none, or is not known.
    #[serde(default)]
    #[cfg_attr(test, ts(optional = nullable))]
    pub clock: Option<ClockSpec>,
}

impl Table {
    /// By how many seconds this machine is ahead of the chain, as far as it is known.
    pub(super) fn ahead(&self) -> i64 {
        let machine = self.machine.unwrap_or(self.now);
        let ahead = || i64::try_from(i128::from(machine) - i128::from(self.now));
        self.ahead.unwrap_or_else(|| ahead().unwrap_or(i64::MAX))
    }

    /// The game, and what is on the chain of it.
    pub(super) fn read(&self) -> Result<(Subject, FastGame), Failure> {
        let chain = output::read::<Result<FastGame, Error>>(&self.chain)??;
        let domain = Domain::new(self.chain_id, self.contract);
        let subject = Subject::new(self.game.0, domain, chain).with_clock(self.clock);
        Ok((subject, chain))
    }
}

/// How a fast game stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TableState {
    /// The latest position, on the chain or off it.
    pub position: Position,
    /// Bins into which a disc can be dropped, from 0 at the left; none after the end.
    pub bins: Vec<u8>,
    /// Bins of all moves; none if the position is the chain's, and was not signed by both.
    pub moves: Option<Vec<u8>>,
    /// Number of the first moves that both players have signed.
    pub signed: u8,
    /// Number of moves on the chain.
    pub on_chain: u8,
    /// Whether the game has ended for good on the chain.
    pub settled: bool,
    /// Last second at which the line on the chain can be contested, since 1970; none if there is no such
    /// line.
    pub contest: Option<u64>,
    /// Last second at which the player to move on the chain can be sure that it may move, since 1970; none
    /// if no clock runs.
    pub deadline: Option<u64>,
    /// The position or the end that both have signed, for other programs.
    #[cfg_attr(test, ts(as = "Hex"))]
    pub evidence: Scale<Evidence>,
}

impl TableState {
    pub(super) fn new(
        subject: &Subject,
        chain: &FastGame,
        latest: &Game,
        evidence: &Evidence,
        journal: &Journal,
    ) -> Self {
        let signed = [evidence.moves, journal.position.moves];
        let moves = signed.into_iter().find(|moves| {
            let replayed = subject.replay(moves);
            replayed.is_ok_and(|game| game.board() == latest.board())
        });
        Self {
            position: Position::of_game(latest),
            bins: match latest.is_over() {
                true => Vec::new(),
                false => moves::legal(&latest.position()),
            },
            moves: moves.map(|moves| moves.to_vec()),
            signed: signed_by_both(subject.number(), evidence),
            on_chain: chain.game.moves(),
            settled: chain.is_final(),
            contest: chain.contest,
            deadline: match chain.contest {
                Some(_) => None,
                None => subject.deadline(chain),
            },
            evidence: Scale(*evidence),
        }
    }
}
