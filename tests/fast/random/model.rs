//! What the contract has to do, written down a second time: with lists of moves, and with a list of
//! everything that was signed in place of signatures.

use std::collections::HashMap;

use connect4_protocol::fast::{Ending, Evidence, FastGame, Signature};
use connect4_protocol::{ClockSpec, End, Error};
use connect4_rules::{Bin, Outcome, Player, Position, Shape};

use super::bench::Deed;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Said {
    Position,
    Resignation,
    Draw(u64),
}

/// Everything that was signed about this game: by whom, what, after which moves.
pub type Signed = HashMap<(Player, Said, Vec<u8>), Signature>;

/// A fast game as the chain knows it.
#[derive(Clone, Debug)]
pub struct Model {
    pub moves: Vec<u8>,
    pub over: Option<(End, Option<Player>)>,
    /// Time left to each player, while no clock runs or until it was started.
    left: [u64; 2],
    /// Last second of the player to move, while its clock runs.
    pub deadline: Option<u64>,
    increment: u64,
    /// Last second at which a line can be contested.
    pub contest: Option<u64>,
}

pub const fn to_move(moves: usize) -> Player {
    if moves.is_multiple_of(2) {
        Player::One
    } else {
        Player::Two
    }
}

/// The position after these moves, if all are legal.
pub fn position(moves: &[u8]) -> Result<Position, Error> {
    let mut position = Position::new(Shape::STANDARD);
    for bin in moves {
        if position.outcome().is_some() {
            return Err(Error::GameOver);
        }
        position.drop(Bin::new(*bin)).map_err(Error::from)?;
    }
    Ok(position)
}

impl Model {
    pub fn new(clock: ClockSpec) -> Self {
        Self {
            moves: Vec::new(),
            over: None,
            left: [clock.bank.into(); 2],
            deadline: None,
            increment: clock.increment.into(),
            contest: None,
        }
    }

    /// Whether the game has ended for good.
    pub fn is_final(&self) -> bool {
        self.over.is_some() && self.contest.is_none()
    }

    fn late(&self, now: u64) -> bool {
        self.deadline.is_some_and(|deadline| now > deadline)
    }

    /// The player to move has moved; its clock stops.
    fn moved(&mut self, now: u64) {
        if let Some(deadline) = self.deadline.take() {
            self.left[to_move(self.moves.len()) as usize] = deadline - now + self.increment;
        }
    }

    /// What is on the board ends the game, or does not. A line can be contested for five minutes, or as
    /// long as the loser's bank.
    fn end_on_the_board(&mut self, now: u64) -> Result<(), Error> {
        self.contest = None;
        self.over = match position(&self.moves)?.outcome() {
            None => None,
            Some(Outcome::Won(winner)) => Some((End::Line, Some(winner))),
            Some(Outcome::Draw) => Some((End::FullBoard, None)),
        };
        if let Some((_, Some(winner))) = self.over {
            self.contest = Some(now + self.left[winner.opponent() as usize].max(300));
        }
        Ok(())
    }

    fn start_clock(&mut self, who: Player, now: u64) -> Result<(), Error> {
        if self.over.is_some() {
            return Err(Error::GameOver);
        }
        let next = to_move(self.moves.len());
        if who == next {
            return Err(Error::YourTurn);
        }
        if self.deadline.is_some() {
            return Err(Error::ClockRuns);
        }
        self.deadline = Some(now + self.left[next as usize]);
        Ok(())
    }

    /// What each player has to have signed.
    fn needed(evidence: &Evidence) -> Vec<(Player, Said, Vec<u8>)> {
        let all = evidence.moves.to_vec();
        let n = all.len();
        let mut needed = Vec::new();
        for player in Player::ALL {
            let moved_last = n > 0 && to_move(n - 1) == player;
            match evidence.ending {
                Some(Ending::Draw { until }) => {
                    needed.push((player, Said::Draw(until), all.clone()));
                }
                Some(Ending::Resignation(by)) if by == player => {
                    needed.push((player, Said::Resignation, all.clone()));
                }
                _ if moved_last => needed.push((player, Said::Position, all.clone())),
                _ if n > 1 => needed.push((player, Said::Position, all[..n - 1].to_vec())),
                _ => {}
            }
        }
        needed
    }

    fn advance(&mut self, evidence: &Evidence, signed: &Signed, now: u64) -> Result<(), Error> {
        if self.is_final() {
            return Err(Error::GameOver);
        }
        let (ours, theirs) = (self.moves.len(), evidence.moves.len());
        let news = match evidence.ending {
            None | Some(Ending::Press { .. }) => theirs > ours,
            Some(Ending::Draw { .. }) => theirs >= ours,
            Some(Ending::Resignation(_)) => true,
        };
        if !news {
            return Err(Error::NotNewer);
        }
        let resigned = matches!(evidence.ending, Some(Ending::Resignation(_)));
        let late = self.late(now) || self.contest.is_some_and(|last| now > last);
        if late && !resigned {
            return Err(Error::OutOfTime);
        }
        if matches!(evidence.ending, Some(Ending::Draw { until }) if now > until) {
            return Err(Error::NoOffer);
        }
        for statement in Self::needed(evidence) {
            if signed.get(&statement) != Some(evidence.signatures.get(statement.0)) {
                return Err(Error::BadSignature);
            }
        }
        // Whatever is known already, the moves have to be legal, and an ending has to be one.
        let after = position(&evidence.moves)?.outcome();
        match (evidence.ending, after) {
            (Some(Ending::Resignation(by)), Some(Outcome::Won(winner))) if winner != by => {}
            (Some(_), Some(_)) => return Err(Error::GameOver),
            _ => {}
        }
        let both_agreed = matches!(evidence.ending, Some(Ending::Draw { .. }));
        if theirs > ours || (self.contest.is_some() && both_agreed) {
            if self.late(now) {
                // It ends by the resignation.
                self.deadline = None;
            }
            self.moved(now);
            self.moves = evidence.moves.to_vec();
            self.end_on_the_board(now)?;
        }
        match (evidence.ending, self.over) {
            (None | Some(Ending::Press { .. }), _) => {}
            // At moves that end no game, and in place of any line that the chain knows.
            (Some(Ending::Draw { .. }), _) => self.over = Some((End::Agreement, None)),
            (Some(Ending::Resignation(by)), Some((_, Some(winner)))) if winner != by => {
                self.contest = None;
            }
            (Some(Ending::Resignation(by)), _) => {
                self.contest = None;
                self.over = Some((End::Resignation, Some(by.opponent())));
            }
        }
        Ok(())
    }

    fn does_here(
        &mut self,
        who: Player,
        deed: &Deed,
        signed: &Signed,
        now: u64,
    ) -> Result<(), Error> {
        match deed {
            Deed::Advance { press, evidence } => {
                self.advance(evidence, signed, now)?;
                if *press {
                    self.start_clock(who, now)?;
                }
                Ok(())
            }
            Deed::Press => self.start_clock(who, now),
            Deed::Drop(bin) => {
                if self.over.is_some() {
                    return Err(Error::GameOver);
                }
                if who != to_move(self.moves.len()) {
                    return Err(Error::NotYourTurn);
                }
                if self.late(now) {
                    return Err(Error::OutOfTime);
                }
                let after = [&self.moves[..], &[*bin]].concat();
                position(&after)?;
                if self.deadline.is_none() {
                    self.deadline = Some(now + self.left[who as usize]);
                }
                self.moved(now);
                self.moves = after;
                self.end_on_the_board(now)?;
                if self.over.is_none() {
                    self.start_clock(who, now)?;
                }
                Ok(())
            }
            Deed::Claim => {
                if let Some(last) = self.contest {
                    if now <= last {
                        return Err(Error::TimeLeft);
                    }
                    self.contest = None;
                    return Ok(());
                }
                if self.over.is_some() {
                    return Err(Error::GameOver);
                }
                let deadline = self.deadline.ok_or(Error::NoClock)?;
                if now <= deadline {
                    return Err(Error::TimeLeft);
                }
                let winner = to_move(self.moves.len()).opponent();
                self.over = Some(if self.moves.len() < 2 {
                    (End::Abort, None)
                } else {
                    (End::Timeout, Some(winner))
                });
                Ok(())
            }
            Deed::Resign => {
                if self.is_final() {
                    return Err(Error::GameOver);
                }
                self.contest = None;
                if !matches!(self.over, Some((_, Some(winner))) if winner != who) {
                    self.over = Some((End::Resignation, Some(who.opponent())));
                }
                Ok(())
            }
        }
    }

    /// Does it, or refuses it and changes nothing.
    pub fn does(
        &mut self,
        who: Player,
        deed: &Deed,
        signed: &Signed,
        now: u64,
    ) -> Result<(), Error> {
        let mut after = self.clone();
        after.does_here(who, deed, signed, now)?;
        *self = after;
        Ok(())
    }

    /// Checks that the contract knows the same.
    pub fn agrees_with(&self, fast: &FastGame) {
        let board = position(&self.moves).expect("legal");
        assert_eq!(fast.game.position(), board);
        assert_eq!(
            fast.game.end().map(|end| (end, fast.game.winner())),
            self.over
        );
        assert_eq!(fast.contest, self.contest);
        if self.is_final() {
            return;
        }
        assert_eq!(fast.game.deadline(), self.deadline);
        if self.deadline.is_none() {
            let banks = fast.stopped.expect("it stands");
            let left = [banks.left.one, banks.left.two].map(u64::from);
            assert_eq!(left, self.left);
        }
    }
}
