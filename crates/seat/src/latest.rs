//! How a game stands by what is held and what the chain knows.

use connect4_protocol::Game;
use connect4_protocol::signed::{ChainGame, Evidence};
use connect4_rules::Player;

use crate::journal::Journal;
use crate::plan::Times;
use crate::subject::Subject;

/// What others are told of a journal: the resignation of its player, or else another one, or else a draw that
/// the chain probably takes, or else the longest position.
pub(crate) fn told<'a>(
    journal: &'a Journal,
    player: Option<Player>,
    chain: &ChainGame,
    times: Times,
) -> &'a Evidence {
    let own = player.and_then(|player| journal.resignations.get(player).as_ref());
    let draws = journal.draws.iter();
    let draw = draws
        .rev()
        .find(|draw| chain.advanced_by(draw, times.guess).is_ok());
    let [one, two] = Player::ALL.map(|player| journal.resignations.get(player).as_ref());
    own.or(one).or(two).or(draw).unwrap_or(&journal.position)
}

/// Whether the chain knows moves that the player's journal does not, or as many, and the player can only
/// move there: it has moved there from another position than the one that it holds, or what it holds has
/// ended by another move of the turn after which the chain goes on.
pub(crate) fn is_on_chain(subject: &Subject, journal: &Journal, chain: &ChainGame) -> bool {
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
    chain: &ChainGame,
    times: Times,
    player: Option<Player>,
) -> Game {
    if chain.is_final() {
        return chain.game;
    }
    let first = player.map_or(Player::One, Player::opponent);
    let [theirs, ours] = [first, first.opponent()].map(|by| journal.resignations.get(by).as_ref());
    let mut ends = theirs.into_iter().chain(ours).chain(&journal.draws);
    let ended = ends.find_map(|end| chain.advanced_by(end, times.guess).ok());
    // What is held was judged when it came.
    let held = subject.game_of(&journal.position);
    if let Some(ChainGame { game: ended, .. }) = ended {
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
