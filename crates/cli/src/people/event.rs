//! Events of the contracts of games and variants, in words.

use connect4_client::{Address, Event, Occurrence};
use connect4_protocol::event::{DiscDropped, GameEnded, GameFreed, GameStarted};
use connect4_protocol::variants::event::{
    MoveMade, PlayerJoined, PlayerLeft, TableClosed, TableOpened, VariantEnded, VariantFreed,
    VariantStarted,
};
use connect4_protocol::{AnyGame, End};
use connect4_rules::variant::{Colour, Position};

use crate::game::Numbering;
use crate::words::variant::terms as variant_terms;
use crate::words::{coloured, shape, variant, who};

/// An event, in a line; of this game, as far as it is known. `before` is the position before a move
/// of a variant.
pub fn text(at: &Occurrence, game: Option<&AnyGame>, before: Option<&Position>) -> String {
    let id = at.event.game().map(|id| id.to_string()).unwrap_or_default();
    let of_game = format!("game {id}");
    let player = |account: Address| match game {
        Some(AnyGame::Two(game)) => match game.player_of(&account) {
            Some(player) => coloured(player, player, false),
            None => who(account),
        },
        Some(AnyGame::Variant(game)) if game.has_started() => match game.colour_of(account) {
            Some(colour) => coloured(colour, colour, false),
            None => who(account),
        },
        _ => who(account),
    };
    let ended = |winner: Option<Address>, end: End| {
        let how = match end {
            End::Line | End::FullBoard => String::new(),
            end => format!(" {end}"),
        };
        match (winner, end) {
            (Some(winner), _) => format!("{of_game} ended, winner: {}{how}", player(winner)),
            (None, End::Abandoned) => format!("{of_game} was abandoned"),
            (None, _) => format!("{of_game} ended: a tie{how}"),
        }
    };
    let accounts = |accounts: &[Address]| {
        let names: Vec<String> = accounts.iter().copied().map(who).collect();
        names.join(", ")
    };
    match &at.event {
        Event::GameStarted(GameStarted {
            player_one,
            player_two,
            shape: board,
            ..
        }) => format!(
            "{of_game} started: {}; red: {}, blue: {}",
            shape(*board),
            who(*player_one),
            who(*player_two)
        ),
        Event::DiscDropped(DiscDropped {
            player: mover,
            bin,
            row,
            ..
        }) => format!(
            "{of_game}: {} into bin {}, row {} (block {})",
            player(*mover),
            Numbering::One.of(*bin),
            Numbering::One.of(*row),
            at.block
        ),
        Event::GameEnded(GameEnded { winner, end, .. }) => ended(*winner, *end),
        Event::GameFreed(GameFreed { payer, .. }) => {
            format!("{of_game}: its storage was freed by {}", who(*payer))
        }
        Event::TableOpened(TableOpened {
            opener,
            players,
            variant,
            limit,
            ..
        }) => {
            let whom = match players.is_empty() {
                true => "anyone".into(),
                false => accounts(players),
            };
            let terms = variant_terms(*variant, *limit);
            format!("table {id} opened by {} for {whom}: {terms}", who(*opener))
        }
        Event::PlayerJoined(PlayerJoined { player, .. }) => {
            format!("table {id}: {} joins", who(*player))
        }
        Event::PlayerLeft(PlayerLeft {
            player: account,
            late,
            ..
        }) => match late {
            true => format!("{of_game}: {} was late and is removed", player(*account)),
            false => format!("{of_game}: {} leaves", player(*account)),
        },
        Event::TableClosed(TableClosed { opener, .. }) => {
            format!("table {id} closed by {}", who(*opener))
        }
        Event::VariantStarted(VariantStarted {
            players,
            variant,
            limit,
            ..
        }) => {
            let seats = Colour::ALL.into_iter().zip(players);
            let seats: Vec<String> = seats
                .map(|(colour, account)| format!("{colour}: {}", who(*account)))
                .collect();
            let terms = variant_terms(*variant, *limit);
            format!("{of_game} started: {terms}; {}", seats.join(", "))
        }
        Event::MoveMade(MoveMade {
            player: account,
            action,
            ..
        }) => {
            let mover = match before.and_then(Position::to_move) {
                Some(colour) => coloured(colour, colour, false),
                None => player(*account),
            };
            let done = variant::done(&mover, *action, before);
            format!("{of_game}: {done} (block {})", at.block)
        }
        Event::VariantEnded(VariantEnded { winner, end, .. }) => ended(*winner, (*end).into()),
        Event::VariantFreed(VariantFreed { payer, .. }) => {
            format!("{of_game}: its storage was freed by {}", who(*payer))
        }
    }
}
