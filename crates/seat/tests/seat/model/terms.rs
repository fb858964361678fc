//! What is different in games by signed terms: statements of the cheat alone, draws for good, and results, for
//! which both record what they have beside the dispute.

use connect4_protocol::End;
use connect4_protocol::fast::wire::Offer;
use connect4_protocol::fast::{Ending, Evidence, FastGame, Kind, Moves, Piece, Results, Signature};
use connect4_protocol::signed::last_mover;
use connect4_rules::Bin;

use super::check::{Violation, told};
use super::state::{State, World};
use super::steps::Steps;

impl World {
    /// The moves that the chain knows after evidence has made it so.
    pub fn known_after(&self, state: &State, chain: &FastGame, evidence: &Evidence) -> Moves {
        let game = &chain.game;
        let is_here = |moves: &Moves| {
            let made = self.subject.replay(moves);
            made.is_ok_and(|made| made.moves() == game.moves() && made.board() == game.board())
        };
        match self.is_by_terms() && is_here(&evidence.moves) {
            true => evidence.moves,
            false => state.known,
        }
    }

    /// Moves that the cheat signs on top of what the chain knows, and its presses.
    pub fn papers_by_terms(&self, state: &State, papers: &mut Vec<Evidence>) {
        let game = &state.chain.game;
        if game.to_move() == Some(self.cheat) {
            for bin in game.shape().iter_bins() {
                let mut moves = state.known;
                moves.push(bin);
                papers.push(self.without_honest(self.evidence(None, &moves)));
            }
        }
        // A move of the honest player that it has not made, and one on top of it.
        if let Some(bin) = game.position().legal_bins().next() {
            let mut moves = state.known;
            moves.push(bin);
            moves.push(bin);
            papers.push(self.without_honest(self.evidence(None, &moves)));
        }
        papers.retain(|paper| self.subject.game_of(paper).is_ok());
        let press = Some(Ending::Press {
            until: state.now + 60,
        });
        let pressed = |paper: &Evidence| {
            let is_own = last_mover(paper.moves.len()) == Some(self.cheat);
            (paper.ending.is_none() && is_own).then(|| {
                let pressed = self.evidence(press, &paper.moves);
                match paper.signatures.get(self.honest) == &Signature::NONE {
                    true => self.without_honest(pressed),
                    false => pressed,
                }
            })
        };
        let pressed: Vec<Evidence> = papers.iter().filter_map(pressed).collect();
        papers.extend(pressed);
    }

    fn without_honest(&self, mut evidence: Evidence) -> Evidence {
        evidence.signatures[self.honest] = Signature::NONE;
        evidence
    }

    /// The cheat accepts the honest player's offers for good, in time or not.
    pub fn acceptances(&self, state: &State, steps: &mut Steps) {
        if !self.is_by_terms() {
            return;
        }
        let until = Ending::FOR_GOOD;
        let offers = state.offers.iter().filter(|offer| offer.until != until);
        for offer in offers {
            let moves = offer.moves;
            let accepted = Offer {
                by: self.cheat,
                until,
                moves,
                signature: self.forge(Kind::Draw { until }, &moves),
            };
            let mut seat = self.seat(state);
            if seat.complete_draw(&accepted) != Ok(true) {
                continue;
            }
            let stands = offer.until >= seat.now() && moves == state.journal.position.moves;
            if !stands {
                let violation = "it has signed a draw for good after its offer".into();
                steps.push(|| "cheat: accepts for good".into(), Err(violation));
                continue;
            }
            let mut next = state.clone();
            next.is_idle = false;
            next.endings
                .push(self.evidence(Some(Ending::Draw { until }), &moves));
            let done = self.take_journal(&mut next, seat.journal());
            let next = done.map(|()| next);
            steps.push(|| "cheat: accepts for good, honest: signs".into(), next);
        }
    }

    /// The dispute has ended, and the cheat records anything that it has, or nothing; then the honest player's
    /// program what makes the result better. What comes first makes no difference.
    pub fn check_results(&self, state: &State) -> Result<(), Violation> {
        if !self.is_by_terms() {
            return Ok(());
        }
        let FastGame { game, .. } = &state.chain;
        let dispute = Piece {
            moves: state.known,
            end: game.end(),
            winner: game.winner(),
        };
        let can_be_recorded = |paper: &Evidence| {
            let is_whole = match paper.ending {
                None => true,
                Some(Ending::Resignation(by)) => by == self.honest,
                Some(Ending::Draw { until }) => until == Ending::FOR_GOOD,
                Some(Ending::Press { .. }) => false,
            };
            let is_signed = |player| *paper.signatures.get(player) != Signature::NONE;
            is_whole && is_signed(self.honest) && is_signed(self.cheat)
        };
        let papers = self.papers(state).into_iter().filter(can_be_recorded);
        for paper in papers.map(Some).chain([None]) {
            let mut results = Results::default();
            results.add(&dispute);
            if let Some(paper) = &paper
                && let Ok(made) = self.subject.game_of(paper)
            {
                results.add(&Piece::of(paper, &made));
            }
            self.answer(state, &mut results);
            let result = results.result();
            let recorded = |violation: Violation| {
                let paper = paper.as_ref().map_or_else(|| "nothing".into(), told);
                format!("the cheat records {paper}, the result is {result:?}: {violation}")
            };
            self.check_result(state, &dispute, &result)
                .map_err(recorded)?;
        }
        Ok(())
    }

    /// The honest player's program records what makes the result better; and moves on in its own game, if that is
    /// what makes it so.
    fn answer(&self, state: &State, results: &mut Results) {
        let seat = self.seat(state);
        if let Some(evidence) = seat.to_record(results)
            && let Ok(made) = self.subject.game_of(&evidence)
        {
            results.add(&Piece::of(&evidence, &made));
            return;
        }
        let held = self.subject.game_of(&state.journal.position);
        let is_to_move = held.is_ok_and(|game| game.to_move() == Some(self.honest));
        if !is_to_move || results.result().winner != Some(self.cheat) {
            return;
        }
        // In a game that goes on it answers what it holds. The program has not seen the dispute.
        let mut before = state.clone();
        before.view = self.start();
        for bin in self.start().game.shape().iter_bins() {
            let mut seat = self.seat(&before);
            if seat.drop(Bin::new(bin.index())).is_ok()
                && let Some(evidence) = seat.to_record(results)
                && let Ok(made) = self.subject.game_of(&evidence)
            {
                results.add(&Piece::of(&evidence, &made));
                return;
            }
        }
    }

    fn check_result(
        &self,
        state: &State,
        dispute: &Piece,
        result: &Piece,
    ) -> Result<(), Violation> {
        let held = &state.held;
        let may_agree = !state.offers.is_empty() || held.has_accepted;
        // A player who is late can still make a line by its next move: decision 29.
        let is_late_line = dispute.end == Some(End::Timeout)
            && result.end == Some(End::Line)
            && result.moves.turns() == dispute.moves.turns() + 1;
        let conceded = state.journal.resignations.get(self.honest).is_some();
        match result.winner {
            Some(winner) if winner == self.honest => Ok(()),
            _ if held.has_resigned || is_late_line => Ok(()),
            None if result.end == Some(End::Agreement)
                && self.has_outlived(state, result.moves.turns()) =>
            {
                Err("both had moved on after the draw".into())
            }
            None if result.end == Some(End::Agreement) && may_agree => Ok(()),
            _ if dispute.winner == Some(self.honest) => Err("it had won".into()),
            _ if held.must_win => Err("the cheat had resigned, or it had made a line".into()),
            None => Ok(()),
            Some(_) if held.must_not_lose => Err("a draw was agreed".into()),
            Some(_) if dispute.winner == Some(self.cheat) || conceded => Ok(()),
            Some(_) => Err("it has lost by a record alone".into()),
        }
    }
}
