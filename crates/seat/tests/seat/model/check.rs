//! What the honest player never suffers.

use connect4_protocol::fast::{Ending, Evidence, FastGame, Moves};
use connect4_protocol::{End, Game};
use connect4_rules::{Cell, Player};
use connect4_seat::Journal;

use super::state::{State, World, insert};

pub type Violation = String;

impl World {
    /// Takes the journal that the honest player has now, which never holds less than before.
    pub fn take_journal(&self, state: &mut State, journal: &Journal) -> Result<(), Violation> {
        if let Some(lost) = state.journal.pieces().find(|piece| !journal.covers(piece)) {
            return Err(format!("{} was thrown away", told(lost)));
        }
        state.journal = journal.clone();
        self.hold(state);
        Ok(())
    }

    /// Notes what the honest player holds.
    pub fn hold(&self, state: &mut State) {
        let Journal {
            position, dropped, ..
        } = &state.journal;
        let turns = position.moves.turns();
        let is_past = state.chain.game.turns() > turns || state.chain.is_final() || state.is_late();
        let has_moved_on = dropped.is_some_and(|dropped| {
            let board = self.subject.game_of(position).map(|game| *game.board());
            dropped.turns > turns || (dropped.turns == turns && Ok(dropped.before) != board)
        });
        // What comes later than its own disc on the chain, at the same turn, is of no use.
        if !is_past && !has_moved_on {
            state.held.position = position.moves;
        }
    }

    /// The honest player has signed a move. It signs one for each turn, and none but what it has sent to
    /// the chain.
    pub fn learn_position(&self, state: &mut State, moves: Moves) -> Result<(), Violation> {
        let other = |signed: &&Moves| signed.turns() == moves.turns() && **signed != moves;
        if let Some(other) = state.positions.iter().find(other) {
            return Err(format!(
                "it has signed {} and {}",
                text(other),
                text(&moves)
            ));
        }
        let made = moves.split_last();
        if let (Some(dropped), Some((bin, before))) = (state.journal.dropped, made)
            && usize::from(dropped.turns) == before.len()
            && dropped.bin != *bin
        {
            return Err(format!(
                "it has signed {} and sent {} to the chain",
                text(&moves),
                dropped.bin
            ));
        }
        insert(&mut state.positions, &moves);
        Ok(())
    }

    /// The honest player sends a disc to the chain, which is no other than what it has signed for that turn.
    pub fn check_disc(&self, state: &State) -> Result<(), Violation> {
        let Some(dropped) = state.journal.dropped else {
            return Err("it has not kept what it sends to the chain".into());
        };
        let signed = state
            .positions
            .iter()
            .find(|signed| signed.turns() == dropped.turns + 1);
        let is_same = |signed: &Moves| {
            let board = self
                .subject
                .replay(signed.before_last())
                .map(|game| *game.board());
            signed.last() == Some(&dropped.bin) && board == Ok(dropped.before)
        };
        match signed {
            Some(signed) if !is_same(signed) => Err(format!(
                "it has signed {} and sends another disc of that turn",
                text(signed)
            )),
            _ => Ok(()),
        }
    }

    /// The honest player's program has agreed to a line by itself, with what it held before.
    pub fn check_concession(&self, state: &State, before: &Journal) -> Result<(), Violation> {
        let Some(resigned) = state.journal.resignations.get(self.honest) else {
            return Err("it has agreed to a line that it does not hold".into());
        };
        let line = self.evidence(None, &resigned.moves);
        let turns = line.moves.turns();
        let made = self.subject.game_of(&line);
        if made.map(|game| game.winner()) != Ok(Some(self.cheat)) {
            return Err(format!("it has resigned at {}", text(&line.moves)));
        }
        if before.position != line && before.position.moves.turns() >= turns {
            let position = text(&before.position.moves);
            return Err(format!(
                "it has agreed to {} and held {position}",
                text(&line.moves)
            ));
        }
        if before.resignations.get(self.cheat).is_some() {
            return Err("it has agreed to a line, and held a resignation".into());
        }
        let is_in_time = |draw: &Evidence| {
            draw.moves.turns() >= turns
                && matches!(draw.ending, Some(Ending::Draw { until }) if until >= state.now)
        };
        if before.draws.iter().any(is_in_time) {
            return Err("it has agreed to a line, and held a draw".into());
        }
        // By what it has seen: two statements of the cheat may be on their way.
        let chain = &state.view.game;
        let is_past =
            chain.turns() > turns || (chain.turns() == turns && chain.winner() != Some(self.cheat));
        if is_past {
            return Err("it has agreed to a line that the chain does not take".into());
        }
        Ok(())
    }

    /// The game has ended for good: not worse for the honest player than by anything that it held.
    pub fn check_end(&self, state: &State) -> Result<(), Violation> {
        let FastGame { game, .. } = &state.chain;
        let held = &state.held;
        let end = game.end().expect("it is over");
        let may_agree = !state.offers.is_empty() || held.has_accepted;
        let is_lost = game.winner() == Some(self.cheat);
        let conceded = state.journal.resignations.get(self.honest);
        match game.winner() {
            Some(winner) if winner == self.honest => Ok(()),
            _ if held.has_resigned => Ok(()),
            None if end == End::Agreement && self.has_outlived(state, game.moves()) => {
                Err("both had moved on after the draw".into())
            }
            None if end == End::Agreement && may_agree => Ok(()),
            _ if held.must_win => Err("the cheat had resigned, or it had made a line".into()),
            _ if is_lost && held.must_not_lose => Err("a draw was agreed".into()),
            // By a line of the cheat that it holds, and that the chain would have taken.
            _ if game.turns() < state.journal.position.moves.turns()
                && self.winner_of(&state.journal.position) == Some(self.cheat) =>
            {
                Ok(())
            }
            _ if end == End::Timeout => Err("it lost on time".into()),
            _ if end == End::Agreement => Err("it has agreed to no draw".into()),
            None if end == End::Abort && held.position.turns() > 1 => {
                Err("aborted after both had moved".into())
            }
            _ if end == End::Resignation && conceded.is_none() => Err("it has not resigned".into()),
            // The chain may have another line of the same turn.
            _ if conceded.is_some_and(|agreed| agreed.moves == held.position) => Ok(()),
            _ if !self.is_part(game, &held.position) => {
                Err(format!("it held {}", text(&held.position)))
            }
            _ => Ok(()),
        }
    }

    /// Whether the honest player holds that both have moved on after a draw at so many moves, in a game by
    /// signed terms: in others a draw stands until its last second.
    pub fn has_outlived(&self, state: &State, moves: u8) -> bool {
        self.is_by_terms() && state.journal.position.moves.turns() > moves.saturating_add(1)
    }

    /// Whether a game has gone on from these moves.
    pub fn is_part(&self, game: &Game, moves: &[u8]) -> bool {
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

    /// Whether the player has lost by its own word, or by a line that both have signed and its program says
    /// so: then the cheat has to bring it, and nothing is left to wait for.
    pub fn has_given_up(&self, state: &State) -> bool {
        state.journal.resignations.get(self.honest).is_some()
            || (self.winner_of(&state.journal.position) == Some(self.cheat)
                && self.seat(state).is_lost())
    }

    /// Who has won a game on the board.
    pub fn winner_of(&self, evidence: &Evidence) -> Option<Player> {
        self.subject.game_of(evidence).ok()?.winner()
    }
}

/// Moves as a person reads them.
pub fn text(moves: &[u8]) -> String {
    let bins: String = moves.iter().map(u8::to_string).collect();
    format!("'{bins}'")
}

/// Evidence as a person reads it.
pub fn told(evidence: &Evidence) -> String {
    let moves = text(&evidence.moves);
    match evidence.ending {
        None => moves,
        Some(Ending::Resignation(by)) => format!("the resignation of {by} at {moves}"),
        Some(Ending::Draw { until }) => {
            format!("a draw at {moves} until {}", super::clock(until))
        }
        Some(Ending::Press { until }) => {
            format!("a press at {moves} until {}", super::clock(until))
        }
    }
}
