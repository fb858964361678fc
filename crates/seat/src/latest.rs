//! How a game stands by what is held and what the chain knows.

use connect4_protocol::Game;
use connect4_protocol::fast::{Ending, Evidence, FastGame};
use connect4_rules::Player;

use crate::journal::{Journal, is_for_good};
use crate::plan::Times;
use crate::subject::Subject;

/// What others are told of a journal: the resignation of its player, or else another one, or else a draw that
/// the chain probably takes, or else the longest position.
pub(crate) fn told<'a>(
    journal: &'a Journal,
    player: Option<Player>,
    chain: &FastGame,
    times: Times,
) -> &'a Evidence {
    let own = player.and_then(|player| journal.resignations.get(player).as_ref());
    let draws = journal
        .draws
        .iter()
        .filter(|draw| stands(draw, journal, player));
    let draw = draws
        .rev()
        .find(|draw| chain.advanced_by(draw, times.guess).is_ok());
    let [one, two] = Player::ALL.map(|player| journal.resignations.get(player).as_ref());
    own.or(one).or(two).or(draw).unwrap_or(&journal.position)
}

/// Whether a draw is an end for this player. One for good after which both have moved on is none. It is none either
/// for the player who has accepted it and has then moved on alone: the opponent can still make its move, and win.
fn stands(draw: &Evidence, journal: &Journal, player: Option<Player>) -> bool {
    let turns = journal.position.moves.turns();
    let last_mover = match turns % 2 {
        1 => Player::One,
        _ => Player::Two,
    };
    let has_moved_on = draw.moves.turns() < turns && player == Some(last_mover);
    !(journal.has_outlived(draw) || is_for_good(draw) && has_moved_on)
}

/// Whether the end of a game is signed by the player who has lost, so that nothing can take its place; `told` is
/// what others are [told]. A draw is, if it is for good and neither player has signed a move after it.
pub(crate) fn is_agreed(latest: &Game, told: &Evidence, journal: &Journal) -> bool {
    let is_signed = match told.ending {
        Some(Ending::Resignation(_)) => true,
        Some(Ending::Draw { .. }) => {
            is_for_good(told) && told.moves.turns() >= journal.position.moves.turns()
        }
        Some(Ending::Press { .. }) => false,
        None => latest.winner().is_none(),
    };
    latest.is_over() && is_signed
}

/// Whether the chain knows moves that the player's journal does not, or as many, and the player can only
/// move there: it has moved there from another position than the one that it holds, or what it holds has
/// ended by another move of the turn after which the chain goes on.
pub(crate) fn is_on_chain(subject: &Subject, journal: &Journal, chain: &FastGame) -> bool {
    let (known, turns) = (&chain.game, journal.position.moves.turns());
    let can_only_move_there = |held: &Game| {
        let has_gone_on = held.is_over() && !known.is_over();
        has_gone_on || journal.has_moved_on(held)
    };
    known.moves() > turns
        || known.moves() == turns
            && subject
                .game_of(&journal.position)
                .is_ok_and(|held| can_only_move_there(&held))
}

/// A game that has ended, with the moves of the position that is held: a player may resign at fewer moves
/// than both have signed.
fn with_moves(ended: Game, held: Option<Game>) -> Game {
    let longer = held.filter(|held| held.moves() > ended.moves() && ended.winner().is_some());
    match (longer, ended.end()) {
        (Some(held), _) if held.winner() == ended.winner() => held,
        (Some(mut held), Some(end)) => {
            held.reopen();
            match held.finish(end, ended.winner()) {
                Ok(()) => held,
                Err(_) => ended,
            }
        }
        _ => ended,
    }
}

/// The game as it stands by what is held and what the chain knows, for this player; of two players who have
/// resigned, the other one has lost, and player one for a bystander.
pub(crate) fn latest(
    subject: &Subject,
    journal: &Journal,
    chain: &FastGame,
    times: Times,
    player: Option<Player>,
) -> Game {
    if chain.is_final() {
        return chain.game;
    }
    let first = player.map_or(Player::One, Player::opponent);
    let [theirs, ours] = [first, first.opponent()].map(|by| journal.resignations.get(by).as_ref());
    let draws = journal
        .draws
        .iter()
        .filter(|draw| stands(draw, journal, player));
    let mut ends = theirs.into_iter().chain(ours).chain(draws);
    let ended = ends.find_map(|end| chain.advanced_by(end, times.guess).ok());
    // What is held was judged when it came.
    let held = subject.game_of(&journal.position);
    if let Some(FastGame { game: ended, .. }) = ended {
        return with_moves(ended, held.ok());
    }
    match held {
        Ok(held)
            // By colours a swap leaves the board as it is.
            if (held.moves(), held.board()) != (chain.game.moves(), chain.game.board())
                && !is_on_chain(subject, journal, chain) =>
        {
            held
        }
        _ => chain.game,
    }
}
