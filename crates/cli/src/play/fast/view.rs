//! What is signed, what is on the chain, and whether the relay is there, in words.

use connect4_client::fast::{FastPlayer, RelayState};
use connect4_protocol::Game;
use connect4_rules::Player;

use crate::play::grammar::may_swap;
use crate::words::{coloured, minutes};

/// The lines below the board.
pub fn text(player: &FastPlayer, game: &Game) -> String {
    let mut lines = vec![moves(player, game)];
    if !game.is_over() {
        lines.extend(clock(player, game));
        lines.extend(offers(player, game));
    }
    lines.push(relay(player, game));
    lines.join("\n")
}

/// A player by the colour that it has on the board.
fn name(player: Player, game: &Game) -> String {
    let colour = game.colour_of(player);
    coloured(colour, colour, false)
}

fn moves(player: &FastPlayer, game: &Game) -> String {
    let chain = player.chain().game;
    let signed = player.evidence().moves.turns();
    if player.is_settled() {
        return "the end is on the chain".into();
    }
    if player.chain().is_final() {
        return "the end is on the chain, in a block that is not final yet".into();
    }
    if let (true, Some(last)) = (game.is_over(), player.chain().contest) {
        let left = minutes(last.saturating_sub(player.now()));
        return match game.winner() {
            Some(_) => {
                format!("the end is on the chain; it is final when the loser agrees, or in {left}")
            }
            None => format!(
                "the draw is on the chain; it is final in {left}, unless moves of both after it come there"
            ),
        };
    }
    if game.is_over() {
        return "both players have signed the end; it is not on the chain yet".into();
    }
    let count = |count: u8| match count {
        1 => "1 move".to_owned(),
        count => format!("{count} moves"),
    };
    match (signed, chain.moves()) {
        (signed, known) if player.is_on_chain() => format!(
            "on the chain: {}; the game continues there, {signed} of them are signed by both",
            count(known)
        ),
        (0, _) => "signed by both: nothing yet".into(),
        (signed, known) if signed == known => {
            format!("signed by both: {}; on the chain: all", count(signed))
        }
        (signed, known) => {
            format!("signed by both: {}; on the chain: {known}", count(signed))
        }
    }
}

/// The time by which this player has to act on the chain, and the clock where it stands or runs though
/// the players have moved on.
fn clock(player: &FastPlayer, game: &Game) -> Vec<String> {
    let mut lines = Vec::new();
    lines.extend(deadline(player, game));
    lines.extend(times(player, game));
    lines
}

/// What this player has to do in time, as the seat knows it from the chain.
fn deadline(player: &FastPlayer, game: &Game) -> Option<String> {
    let (ours, chain) = (player.player(), player.chain());
    let left = minutes(player.deadline()?.saturating_sub(player.now()));
    if game.to_move() != Some(ours) {
        return None;
    }
    if chain.contest.is_some() {
        let end = chain.game.winner().map_or_else(
            || "the draw".to_owned(),
            |winner| format!("{}'s line", name(winner, game)),
        );
        return Some(format!(
            "contest {end} on the chain: make another move within {left}"
        ));
    }
    let is_ours = chain.game.to_move() == Some(ours);
    is_ours.then(|| format!("answer before the chain's clock runs out: {left}"))
}

fn times(player: &FastPlayer, game: &Game) -> Option<String> {
    let chain = player.chain();
    if let Some(banks) = chain.stopped {
        let left = |colour| minutes((*banks.left.get(game.colour_of(colour))).into());
        let [red, blue] = Player::ALL.map(left);
        return Some(format!("time: red {red}, blue {blue}; no clock runs"));
    }
    // Of the same position the board tells the times.
    if game.clock().is_some() {
        return None;
    }
    let (deadline, to_move) = (chain.game.deadline()?, chain.game.to_move()?);
    let left = minutes(deadline.saturating_sub(player.now()));
    let name = name(to_move, game);
    Some(format!("on the chain {name}'s time runs: {left} left"))
}

fn offers(player: &FastPlayer, game: &Game) -> Option<String> {
    let theirs = name(player.player().opponent(), game);
    if player.may_swap() {
        return Some(may_swap(&theirs));
    }
    let left = |until: u64| until.saturating_sub(player.now());
    if let Some(offer) = player.offer() {
        let name = name(offer.by, game);
        return Some(format!(
            "{name} offers a draw for {} s more: accept, decline, or play on",
            left(offer.until)
        ));
    }
    let offer = player.offered()?;
    Some(format!(
        "your offer of a draw stands for {} s more, whatever {theirs} does",
        left(offer.until)
    ))
}

fn relay(player: &FastPlayer, game: &Game) -> String {
    let name = name(player.player().opponent(), game);
    match player.relay() {
        RelayState::None => "no relay: each move is made on the chain".into(),
        RelayState::Connecting => "relay: connecting".into(),
        RelayState::Connected { opponent: true } => format!("relay: {name} is connected"),
        RelayState::Connected { opponent: false } => format!("relay: {name} is not connected"),
        RelayState::Lost(why) => {
            format!("relay: not reachable, {why}; type `press` to continue on the chain")
        }
    }
}
