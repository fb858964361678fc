//! Events of the contracts, for people.

use connect4_client::{Address, Event, GameId, Occurrence, Token};
use connect4_protocol::event::{
    Advanced, ChallengeMade, ChallengeWithdrawn, ClockPressed, Credited, DiscDropped, DrawDeclined,
    DrawOffered, GameEnded, GameFreed, GameStarted, MatchStarted, RematchDeclined, RematchOffered,
    SessionKeysNamed, Settled, Withdrawn,
};
use connect4_protocol::{End, Game};

use crate::words::{coloured, conditions, shape, who};

/// An event, in a line; of this game, as far as it is known.
pub fn text(at: &Occurrence, game: Option<&Game>, token: &Token) -> String {
    let of_game = match at.event.game() {
        Some(number) => format!("game {}", GameId::Classic(number)),
        None => String::new(),
    };
    let player = |account: Address| match game.and_then(|game| game.player_of(&account)) {
        Some(player) => coloured(player, player, false),
        None => who(account),
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
            "{of_game}: {} into bin {bin}, row {row} (block {})",
            player(*mover),
            at.block
        ),
        Event::GameEnded(GameEnded { winner, end, .. }) => {
            let how = match end {
                End::Line | End::FullBoard => String::new(),
                end => format!(" {end}"),
            };
            match (winner, end) {
                (Some(winner), _) => format!("{of_game} ended, winner: {}{how}", player(*winner)),
                (None, End::Abort) => {
                    format!("{of_game} aborted: time ran out before both had moved")
                }
                (None, _) => format!("{of_game} ended: a tie{how}"),
            }
        }
        Event::ChallengeMade(ChallengeMade {
            challenge,
            challenger,
            opponent,
            ..
        }) => format!(
            "challenge {challenge} made by {} to {}",
            who(*challenger),
            opponent.map_or_else(|| "anyone".into(), who)
        ),
        Event::ChallengeWithdrawn(ChallengeWithdrawn { challenge, by, .. }) => {
            format!("challenge {challenge} withdrawn by {}", who(*by))
        }
        Event::MatchStarted(MatchStarted {
            challenge,
            previous,
            clock,
            stake,
            ..
        }) => {
            let text = match (challenge, previous) {
                (Some(challenge), _) => format!("{of_game}: challenge {challenge} was accepted"),
                (None, Some(previous)) => {
                    let previous = GameId::Classic(*previous);
                    format!("{of_game} is the rematch of game {previous}")
                }
                (None, None) => format!("{of_game} is a match"),
            };
            text + &conditions(*clock, *stake, token)
        }
        Event::SessionKeysNamed(SessionKeysNamed { one, two, .. }) => {
            format!("{of_game} is a fast game, with the session keys {one} and {two}")
        }
        Event::Advanced(Advanced { moves, .. }) => format!(
            "{of_game}: {} signed moves are on the chain (block {})",
            moves.turns(),
            at.block
        ),
        Event::ClockPressed(ClockPressed { by, .. }) => {
            format!("{of_game}: {} starts the opponent's clock", player(*by))
        }
        Event::DrawOffered(DrawOffered { by, .. }) => {
            format!("{of_game}: {} offers a draw", player(*by))
        }
        Event::DrawDeclined(DrawDeclined { by, .. }) => {
            format!("{of_game}: {} declines the draw", player(*by))
        }
        Event::RematchOffered(RematchOffered { by, .. }) => {
            format!("{of_game}: {} offers a rematch", player(*by))
        }
        Event::RematchDeclined(RematchDeclined { by, .. }) => {
            format!("{of_game}: {} declined the rematch", player(*by))
        }
        Event::Settled(Settled { one, two, .. }) => format!(
            "{of_game} settled: red is owed {}, blue {}",
            token.contract_amount(*one),
            token.contract_amount(*two)
        ),
        Event::Credited(Credited { account, amount }) => format!(
            "{} is owed {} more",
            who(*account),
            token.contract_amount(*amount)
        ),
        Event::Withdrawn(Withdrawn {
            account,
            receiver,
            amount,
        }) => {
            let amount = token.contract_amount(*amount);
            if account == receiver {
                format!("{} was paid {amount}", who(*account))
            } else {
                format!("{} was paid {amount}, to {}", who(*account), who(*receiver))
            }
        }
        Event::GameFreed(GameFreed { payer, .. }) => {
            format!("{of_game}: its storage was freed by {}", who(*payer))
        }
    }
}
