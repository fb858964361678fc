//! What the honest player never suffers in a game with a stake.

use connect4_protocol::End;
use connect4_protocol::signed::{ChainGame, Evidence, Moves, SignedEnd, StakedGame, last_mover};
use connect4_rules::{Board, Cell, Player as Side};
use connect4_seat::{Call, Command, Journal, Record, Refund, Sight};

use super::check::{Violation, text, told};
use super::staked::{State, UNTIL, World};
use super::state::insert;
use crate::staked_world::Stakes;

impl World {
    fn view(state: &State) -> Option<ChainGame> {
        let sight = state.known.newest.as_ref()?;
        Some(sight.game.filter(|game| game.paid_by.is_none())?.game)
    }

    pub fn winner_of(&self, evidence: &Evidence) -> Option<Side> {
        self.subject.game_of(evidence).ok()?.winner()
    }

    /// The honest player's record has changed: it never holds less than before, and signs nothing that it should not.
    pub fn check_record(
        &self,
        state: &mut State,
        before: &Record,
        command: Option<Command>,
    ) -> Result<(), Violation> {
        let record = state.known.record.clone();
        let Record {
            terms,
            refund,
            journal,
            ..
        } = &record;
        if let Some(lost) = before.journal.pieces().find(|piece| !journal.covers(piece)) {
            return Err(format!("{} was thrown away", told(lost)));
        }
        if before.terms.is_some() && before.terms != *terms {
            return Err("it pays for other terms".into());
        }
        if terms.is_some_and(|terms| terms != self.terms) {
            return Err("it pays for terms that are not those of the offer".into());
        }
        // Who pays second has seen the first payment in a final block.
        let has_paid = |sight: &Sight| sight.game.and_then(|game| game.paid_by) == Some(self.cheat);
        let is_second = self.honest == Side::One && before.terms.is_none() && terms.is_some();
        if is_second && !state.known.last_final.as_ref().is_some_and(has_paid) {
            return Err("it pays before the taker has".into());
        }
        let held = &before.journal;
        let (position, was) = (journal.position.moves, held.position.moves);
        let mut has_signed = false;
        let is_own = last_mover(position.len()) == Some(self.honest);
        if position != was && is_own && *position.before_last() == *was && command.is_some() {
            has_signed = true;
            self.learn_position(state, position)?;
        } else if position != was && is_own && !state.positions.contains(&position) {
            return Err(format!(
                "it takes {} for a position that it has signed",
                text(&position)
            ));
        }
        if let Some(resigned) = journal.resignations.get(self.honest)
            && held.resignations.get(self.honest).is_none()
        {
            has_signed = true;
            insert(&mut state.endings, resigned);
            if command != Some(Command::Resign) {
                self.check_concession(state, held, resigned)?;
            }
        }
        for draw in journal
            .draws
            .iter()
            .filter(|draw| !held.draws.contains(draw))
        {
            if command == Some(Command::AcceptDraw) {
                has_signed = true;
                insert(&mut state.endings, draw);
            }
        }
        if let Some(offered) = journal.offered.filter(|_| journal.offered != held.offered) {
            has_signed = true;
            insert(&mut state.offers, &offered);
        }
        if !has_signed {
            return Ok(());
        }
        if state
            .last_final()
            .game
            .is_none_or(|game| game.paid_by.is_some())
        {
            return Err("it signs before a final block has the game".into());
        }
        if *refund == Refund::Seen && position != was {
            return Err("it signs a move in a game that was paid back".into());
        }
        Ok(())
    }

    /// It signs one move for each turn, and none but what it has sent to the chain.
    fn learn_position(&self, state: &mut State, moves: Moves) -> Result<(), Violation> {
        let other = |signed: &&Moves| signed.turns() == moves.turns() && **signed != moves;
        if let Some(other) = state.positions.iter().find(other) {
            return Err(format!(
                "it has signed {} and {}",
                text(other),
                text(&moves)
            ));
        }
        if let (Some(dropped), Some((bin, before))) =
            (state.known.record.journal.dropped, moves.split_last())
            && usize::from(dropped.turns) == before.len()
            && dropped.bin != *bin
        {
            return Err(format!(
                "it has signed {}, and another disc is sent",
                text(&moves)
            ));
        }
        insert(&mut state.positions, &moves);
        Ok(())
    }

    /// A transaction of the honest player.
    pub fn check_call(&self, state: &State, call: &Call) -> Result<(), Violation> {
        let record = &state.known.record;
        match call {
            Call::Fund { terms, payment } => {
                if record.terms != Some(*terms) || *payment > terms.stake {
                    return Err("it pays for what its disk does not have".into());
                }
                if state.now > UNTIL {
                    return Err("it pays after the last second of the offer".into());
                }
                if record.refund != Refund::None || state.was_refunded {
                    return Err("it pays again after a refund".into());
                }
                Ok(())
            }
            Call::Refund if record.refund == Refund::None => {
                Err("a refund is not on its disk".into())
            }
            Call::Drop { board, bin } => self.check_disc(state, (*board, *bin)),
            _ => Ok(()),
        }
    }

    /// A disc on the chain is no other than what is signed for that turn.
    fn check_disc(&self, state: &State, (board, bin): (Board, u8)) -> Result<(), Violation> {
        let sent = state.sent.iter().chain(&state.late);
        let other = sent.filter_map(|sent| match sent {
            Call::Drop { board: on, bin } if *on == board => Some(*bin),
            _ => None,
        });
        if let Some(other) = other.into_iter().find(|other| *other != bin) {
            return Err(format!("it drops {bin}, and {other} may still land"));
        }
        let Some(dropped) = state.known.record.journal.dropped else {
            return Err("it has not kept what it sends to the chain".into());
        };
        let mut signed = state.positions.iter();
        let signed = signed.find(|signed| signed.turns() == dropped.turns.saturating_add(1));
        let is_same = |signed: &Moves| {
            let replayed = self.subject.replay(signed.before_last());
            let board = replayed.map(|game| *game.board());
            signed.last() == Some(&dropped.bin) && board == Ok(dropped.before)
        };
        match signed {
            Some(signed) if !is_same(signed) => Err(format!(
                "it has signed {} and sends another disc",
                text(signed)
            )),
            _ => Ok(()),
        }
    }

    /// A transaction of the honest player has got into a block: a disc on the board for which it was sent.
    pub fn check_landed(before: &State, call: &Call) -> Result<(), Violation> {
        let Call::Drop { board, bin } = call else {
            return Ok(());
        };
        match before.game().map(|game| game.game.game.board()) == Some(board) {
            true => Ok(()),
            false => Err(format!("its disc in {bin} lands on another board")),
        }
    }

    /// It has agreed to a line by itself, with what it held before.
    fn check_concession(
        &self,
        state: &State,
        held: &Journal,
        resigned: &Evidence,
    ) -> Result<(), Violation> {
        let line = self.evidence(None, &resigned.moves);
        let turns = line.moves.turns();
        let says = |what: &str| Err(format!("it has agreed to {} {what}", text(&line.moves)));
        if self.winner_of(&line) != Some(self.cheat) {
            return says("which is no line");
        }
        if held.position != line && held.position.moves.turns() >= turns {
            return says("and held more");
        }
        if held.resignations.get(self.cheat).is_some() {
            return says("and held a resignation");
        }
        let view = Self::view(state);
        // The chain takes no line after a draw.
        let is_taken =
            |draw: &Evidence| view.is_some_and(|chain| chain.advanced_by(draw, state.now).is_ok());
        if held.draws.iter().any(is_taken) {
            return says("and held a draw that the chain takes");
        }
        let is_past = |chain: &ChainGame| {
            chain.game.turns() > turns
                || (chain.game.turns() == turns && chain.game.winner() != Some(self.cheat))
        };
        match view.is_some_and(|chain| is_past(&chain)) {
            true => says("which the chain does not take"),
            false => Ok(()),
        }
    }

    /// The chain has come to this. What was offered until a second is not accepted after it.
    pub fn with_chain(&self, state: &State, chain: Stakes) -> Result<State, Violation> {
        let mut next = state.clone();
        next.chain = chain;
        let end = |stakes: &Stakes| {
            let game = stakes.game?.game;
            game.is_final()
                .then(|| (game.game.end(), game.game.turns()))
        };
        let (was, is) = (end(&state.chain), end(&next.chain));
        if let (None, Some((Some(End::Agreement), turns))) = (was, is) {
            let draws = state.endings.iter().filter_map(|ending| match ending.end {
                Some(SignedEnd::Draw { until }) => Some((ending.moves.turns(), until)),
                _ => None,
            });
            let offers = state
                .offers
                .iter()
                .map(|offer| (offer.moves.turns(), offer.until));
            let last = draws.chain(offers).filter(|(moves, _)| *moves == turns);
            if last.map(|(_, until)| until).max() < Some(state.now) {
                return Err("a draw was accepted after its last second".into());
            }
        }
        Ok(next)
    }

    /// Notes what the honest player holds.
    pub fn hold(&self, state: &mut State) {
        let Journal {
            position, dropped, ..
        } = &state.known.record.journal;
        let turns = position.moves.turns();
        let is_past = state
            .begun()
            .is_some_and(|StakedGame { game, .. }| game.game.turns() > turns || game.is_final())
            || state.is_late();
        let has_moved_on = dropped.is_some_and(|dropped| {
            let board = self.subject.game_of(position).map(|game| *game.board());
            dropped.turns > turns || (dropped.turns == turns && Ok(dropped.before) != board)
        });
        if !is_past && !has_moved_on {
            state.held.position = position.moves;
        }
    }

    /// Whether it holds what wins, by what it sees.
    pub fn is_winning(&self, state: &State) -> bool {
        let Journal {
            position,
            resignations,
            ..
        } = &state.known.record.journal;
        let Some(view) = Self::view(state) else {
            return false;
        };
        let has_line = (self.winner_of(position) == Some(self.honest)
            && view.advanced_by(position, state.now).is_ok())
            || (view.game.winner() == Some(self.honest) && state.left.forks == 0);
        resignations.get(self.honest).is_none()
            && (has_line || resignations.get(self.cheat).is_some())
    }

    /// Whether it holds a draw in its time that it has accepted.
    pub fn is_drawn(&self, state: &State) -> bool {
        let journal = &state.known.record.journal;
        let Some(view) = Self::view(state) else {
            return false;
        };
        journal.resignations.get(self.honest).is_none()
            && journal
                .draws
                .iter()
                .filter(|draw| state.endings.contains(draw))
                .any(|draw| view.advanced_by(draw, state.now).is_ok())
    }

    /// The game has ended for good: not worse for the honest player than by anything that it held.
    pub fn check_final(&self, state: &State) -> Result<(), Violation> {
        let Some(StakedGame {
            game: ChainGame { game, .. },
            ..
        }) = state.game()
        else {
            return Ok(());
        };
        // Both stakes are what the players are owed, and nothing else was paid.
        let owed = *state.chain.owed.get(self.honest) as i128;
        let gain = owed - state.chain.spent.get(self.honest);
        let stake = i128::try_from(self.terms.stake).expect("a small stake");
        let share = match game.winner() {
            Some(winner) if winner == self.honest => stake,
            Some(_) => -stake,
            None => 0,
        };
        if gain != share {
            return Err(format!("it has got {gain} in place of {share}"));
        }
        if self.is_guarded {
            return self.check_guarded(state, game);
        }
        let (held, journal) = (&state.held, &state.known.record.journal);
        let end = game.end().expect("it is over");
        let may_agree = !state.offers.is_empty() || held.has_accepted;
        let is_lost = game.winner() == Some(self.cheat);
        let conceded = journal.resignations.get(self.honest);
        match game.winner() {
            Some(winner) if winner == self.honest => Ok(()),
            _ if held.has_resigned => Ok(()),
            None if end == End::Agreement && may_agree => Ok(()),
            _ if held.must_win => Err("the cheat had resigned, or it had made a line".into()),
            _ if is_lost && held.must_not_lose => Err("a draw was agreed".into()),
            _ if game.turns() < journal.position.moves.turns()
                && self.winner_of(&journal.position) == Some(self.cheat) =>
            {
                Ok(())
            }
            _ if end == End::Timeout => Err("it lost on time".into()),
            _ if end == End::Agreement => Err("it has agreed to no draw".into()),
            None if end == End::Abort && held.position.turns() > 1 => {
                Err("aborted after both had moved".into())
            }
            _ if end == End::Resignation && conceded.is_none() => Err("it has not resigned".into()),
            _ if conceded.is_some_and(|agreed| agreed.moves == held.position) => Ok(()),
            _ if !self.is_part(game, &held.position) => {
                Err(format!("it held {}", text(&held.position)))
            }
            _ => Ok(()),
        }
    }

    pub fn is_part(&self, game: &connect4_protocol::Game, moves: &[u8]) -> bool {
        let Ok(held) = self.subject.replay(moves) else {
            return false;
        };
        game.shape().iter_bins().all(|bin| {
            (0..held.board().height(bin)).all(|row| {
                let cell = Cell { bin, row };
                game.position().disc(cell) == held.position().disc(cell)
            })
        })
    }

    /// The player has lost by its own word, or by a line that both have signed and its program says so.
    pub fn has_given_up(&self, state: &State) -> bool {
        let journal = &state.known.record.journal;
        journal.resignations.get(self.honest).is_some()
            || (self.winner_of(&journal.position) == Some(self.cheat) && state.known.due.is_none())
    }
}
