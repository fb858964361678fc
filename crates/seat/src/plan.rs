//! What has to be done on the chain, found by trying what is held through the contract's own functions.

use connect4_protocol::signed::{ChainGame, Evidence, SignedEnd};
use connect4_protocol::{End, Game};
use connect4_rules::Player;

use crate::journal::Journal;
use crate::subject::Subject;

/// How long the loser of a line is waited for, in seconds: an honest program agrees to it by itself, which
/// spares a transaction and the time in which the line could be contested.
const AGREEMENT: u32 = 3;
/// How long the player who is to bring an end is waited for, in seconds, so that not both pay for it.
const SETTLEMENT: u32 = 10;
/// How long before a draw lapses, or the time of a player has run out, nobody is waited for, in seconds.
const SOON: u64 = 30;

/// What has to be done on the chain for a player. Each is one transaction, which loses nothing if
/// somebody else was faster: then it is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::large_enum_variant,
    reason = "few live at a time, and copies are simple"
)]
pub enum Duty {
    /// A position or an end that both have signed has to be brought. Anyone may.
    Advance(Evidence),
    /// The time of the opponent has run out, or that to contest a line, which has to be claimed. Anyone
    /// may.
    Claim,
}

/// Time by which trials are made, in seconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Times {
    /// That of the newest block; 0 if it is not known. Evidence is held back by no other.
    pub chain: u64,
    /// The later of that and the machine's: a claim that comes too early is refused for free.
    pub guess: u64,
}

impl Times {
    /// What bringing evidence that is held would make of the game on the chain; none if it would be refused.
    /// Where the time of no block is known a draw is tried by the machine's: one that has lapsed would else
    /// be tried again and again in place of what can be brought. No draw is agreed on while that time is
    /// wrong by more than a minute or two.
    pub fn after(self, chain: &ChainGame, evidence: &Evidence) -> Option<ChainGame> {
        let at = match (self.chain, evidence.end) {
            (0, Some(SignedEnd::Draw { .. })) => self.guess,
            (chain, _) => chain,
        };
        chain.advanced_by(evidence, at).ok()
    }
}

/// How good a game on the chain is for a player, from bad to good. A game that has ended is compared by
/// its end, one that goes on by whether something else has to be brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Standing {
    /// Also by a line of the opponent that can still be contested.
    Lost,
    /// A clock runs in a position that the players have left.
    Threatened,
    Aborted,
    GoesOn,
    Drawn,
    /// A line of the player, which can still be contested.
    Line,
    Won,
}

impl Standing {
    fn of(player: Player, known: &ChainGame) -> Self {
        let game = &known.game;
        match (game.winner(), game.end()) {
            (_, None) => Self::GoesOn,
            (Some(winner), _) if known.contest.is_some() && winner == player => Self::Line,
            (Some(winner), _) if winner == player => Self::Won,
            (Some(_), _) => Self::Lost,
            (None, Some(End::Abort)) => Self::Aborted,
            (None, _) => Self::Drawn,
        }
    }
}

/// What has to be done on the chain for this player; none if nothing.
pub(crate) fn of_player(
    player: Player,
    subject: &Subject,
    journal: &Journal,
    chain: &ChainGame,
    times: Times,
) -> Option<Duty> {
    if chain.is_final() {
        return None;
    }
    let trials = journal.pieces().filter_map(|piece| {
        let after = times.after(chain, piece)?;
        Some((Duty::Advance(*piece), Standing::of(player, &after)))
    });
    let now = match Standing::of(player, chain) {
        // A position that the players have left must not run against either of them, and a player who
        // never begins keeps no stake.
        Standing::GoesOn if chain.clock.is_some() => Standing::Threatened,
        now => now,
    };
    // A claim that may come too early is made only where there is nothing to bring.
    let claims = [times.chain, times.guess].map(|at| claim(player, subject, chain, at));
    let [surely, perhaps] = claims;
    let surely = surely.map(|after| (Duty::Claim, after));
    // Of several that are as good, the first.
    let best = trials
        .chain(surely)
        .reduce(|best, next| match next.1 > best.1 {
            true => next,
            false => best,
        });
    let found = best
        .filter(|(_, best)| *best > now)
        .or_else(|| to_move_on(player, subject, journal, chain, times));
    match journal.resignations.get(player) {
        None => match found.or(perhaps.map(|best| (Duty::Claim, best)))? {
            (Duty::Advance(piece), _) => {
                let piece = with_moves(player, journal, chain, piece, times);
                Some(Duty::Advance(piece))
            }
            (Duty::Claim, best) => (best > now).then_some(Duty::Claim),
        },
        // A player who has resigned has lost, unless the opponent has resigned, too. It ends the game as
        // it has said, and not by a clock.
        Some(own) => match found {
            Some((duty, Standing::Won)) if duty != Duty::Claim || chain.contest.is_some() => {
                Some(duty)
            }
            _ => chain.clock.map(|_| Duty::Advance(*own)),
        },
    }
}

/// The position to bring so that the player can move at all: it has moved on the chain from another position
/// of this turn, so it signs no move, and the chain does not know the position yet.
fn to_move_on(
    player: Player,
    subject: &Subject,
    journal: &Journal,
    chain: &ChainGame,
    times: Times,
) -> Option<(Duty, Standing)> {
    let position = &journal.position;
    let held = subject.game_of(position).ok()?;
    if held.to_move() != Some(player) || !journal.has_moved_on(&held) {
        return None;
    }
    let after = times.after(chain, position)?;
    Some((Duty::Advance(*position), Standing::of(player, &after)))
}

/// What becomes of a timeout that somebody claims at this time; none if nobody can. A player who is late
/// itself has nothing to claim: a late first move still counts.
fn claim(player: Player, subject: &Subject, chain: &ChainGame, at: u64) -> Option<Standing> {
    let mut claimed = *chain;
    let can_claim = chain.game.to_move() != Some(player)
        && claimed.claim_timeout(Some(subject.clock), at).is_ok();
    can_claim.then(|| Standing::of(player, &claimed))
}

/// The evidence to bring before the opponent's resignation, so that the chain has all moves of the game: a
/// loser could else have it end after none of them. Only while no time runs and nothing else can end the
/// game first.
fn with_moves(
    player: Player,
    journal: &Journal,
    chain: &ChainGame,
    piece: Evidence,
    times: Times,
) -> Evidence {
    let position = &journal.position;
    let is_resigned = piece.end == Some(SignedEnd::Resignation(player.opponent()));
    let is_calm = chain.contest.is_none() && chain.clock.is_none();
    let stands = |until: u64| until >= times.chain;
    let can_draw = journal.offered.is_some_and(|offer| stands(offer.until))
        || journal
            .draws
            .iter()
            .any(|draw| times.after(chain, draw).is_some());
    if !is_resigned || !is_calm || can_draw {
        return piece;
    }
    let is_longer = position.moves.turns() > piece.moves.turns();
    let cells = chain.game.board().shape().cells();
    match times.after(chain, position) {
        Some(after)
            if is_longer
                // The opponent's next move could fill the board, which ends the game for good.
                && u16::from(after.game.turns()) + 1 < u16::from(cells)
                && Standing::of(player, &after) >= Standing::GoesOn =>
        {
            *position
        }
        _ => piece,
    }
}

/// What a bystander has to do on the chain so that neither player loses by a position that the players
/// have left, and an end that they have signed is known there; none if nothing.
pub(crate) fn of_guard(journal: &Journal, chain: &ChainGame, times: Times) -> Option<Duty> {
    if chain.is_final() {
        return None;
    }
    let runs = chain.contest.is_some() || chain.clock.is_some();
    let mut trials = journal.pieces().filter_map(|piece| {
        let after = times.after(chain, piece)?;
        (runs || after.game.is_over()).then_some(Duty::Advance(*piece))
    });
    let can_claim = chain.contest.is_some_and(|last| times.guess > last);
    trials.next().or_else(|| can_claim.then_some(Duty::Claim))
}

/// For how many seconds somebody else may be waited for who would do it as well, or make it unnecessary.
pub(crate) fn patience(
    player: Player,
    subject: &Subject,
    journal: &Journal,
    chain: &ChainGame,
    times: Times,
    duty: &Duty,
) -> u32 {
    let Duty::Advance(evidence) = duty else {
        return 0;
    };
    let made = subject.game_of(evidence);
    if let Some(deadline) = subject.deadline(chain) {
        // The opponent's clock runs, although it has answered: its own program stops that, at its cost. Before
        // both have moved on the chain it risks nothing: a game in which it is late is aborted.
        let is_theirs =
            claim(player, subject, chain, deadline.saturating_add(1)) == Some(Standing::Won);
        let goes_on = made.is_ok_and(|game| !game.is_over() && !journal.has_moved_on(&game));
        let is_soon = deadline.saturating_sub(times.guess) <= SOON;
        return if is_theirs && goes_on && !is_soon {
            u32::MAX
        } else {
            0
        };
    }
    // The opponent could accept it instead, and the chain takes no line after a draw.
    let has_offered = journal.offered.is_some_and(|own| own.until >= times.chain);
    match (evidence.end, made.as_ref().map(Game::end)) {
        (None | Some(SignedEnd::Resignation(_)), _) if has_offered => 0,
        (None, Ok(Some(End::Line))) => AGREEMENT,
        // The player who has made the last move brings it.
        (None, Ok(Some(_))) if made.is_ok_and(|game| game.last_mover() != Some(player)) => {
            SETTLEMENT
        }
        // The player who has accepted brings it.
        (Some(SignedEnd::Draw { until }), _) if until.saturating_sub(times.guess) > SOON => {
            let own = journal.offered.as_ref();
            let is_own =
                own.is_some_and(|offer| offer.until == until && *offer.moves == *evidence.moves);
            if is_own { SETTLEMENT } else { 0 }
        }
        _ => 0,
    }
}
