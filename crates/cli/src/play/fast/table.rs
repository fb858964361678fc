//! A fast game, and who plays it at this terminal.

use std::time::Instant;

use connect4_client::fast::{FastPlayer, Keyring, PlayError, RelayState, SeatError};
use connect4_client::{Contracts, Signer, Token};
use connect4_protocol::Game;
use connect4_rules::Player;
use connect4_rules::variant::Colour;

use crate::failure::Failure;
use crate::game::GameAt;
use crate::lookup;
use crate::said::FastState;
use crate::session::Session;
use crate::words::coloured;

/// Where a player's keys are, and the relay.
#[derive(Clone, Debug)]
pub struct Whereabouts {
    pub keyring: Keyring,
    /// URL of the relay; none if there is none.
    pub relay: Option<String>,
    /// Option by which the same relay is named, with a space in front.
    pub option: String,
}

/// A fast game that is played at this terminal.
pub struct Table {
    pub contract: Contracts,
    pub player: FastPlayer,
    /// Option that names the file with the player's secret, with a space in front.
    pub secret: String,
    pub at: Whereabouts,
    /// Whether the player's clock ran on the chain when the game was shown last.
    pub runs: bool,
    /// The game as it was shown last.
    pub shown: Game,
    /// Since when the opponent is to move, or has been heard of last.
    pub silent_since: Instant,
    /// Whether the player was told that the opponent is silent.
    pub said_silent: bool,
    /// What did not work last, as it was said; none if the game has changed since.
    pub trouble: Option<String>,
}

impl Table {
    pub fn new(contract: Contracts, player: FastPlayer, at: Whereabouts) -> Self {
        let secret = match player.signer().development_name() {
            Some(_) => String::new(),
            None => format!(" --{}-secret-file <FILE>", player.player()),
        };
        Self {
            shown: player.latest(),
            contract,
            player,
            secret,
            at,
            runs: false,
            silent_since: Instant::now(),
            said_silent: false,
            trouble: None,
        }
    }

    /// What is signed, what is on the chain, and who is there.
    pub fn state(&self) -> FastState {
        let relay = self.player.relay();
        FastState {
            signed: self.player.evidence().moves.turns(),
            on_chain: self.player.chain().game.moves(),
            relay: matches!(relay, RelayState::Connected { .. }),
            opponent: *relay == RelayState::Connected { opponent: true },
        }
    }

    /// The account of the player.
    pub const fn signer(&self) -> &Signer {
        self.player.signer()
    }

    /// The colour of a player on the board.
    pub fn colour_of(&self, player: Player) -> Colour {
        self.shown.colour_of(player).into()
    }

    /// The opponent's colour, in words.
    pub fn name_of_opponent(&self) -> String {
        let colour = self.colour_of(self.player.player().opponent());
        coloured(colour, colour, false)
    }

    /// Whether the player is to move.
    pub fn is_ours(&self) -> bool {
        self.shown.to_move() == Some(self.player.player())
    }

    /// The game as a report takes it.
    pub fn at(&self, game: &Game) -> GameAt {
        GameAt::of(&self.contract, self.player.id(), *game)
    }

    /// What the player can lose while no program of its own runs, in words; none if that is nothing.
    pub fn risk(&self, token: &Token) -> Option<String> {
        let stake = self.player.of_match().stake;
        let ours = self.player.player();
        // Only a position with more moves could contest a line there, and it has none of these.
        let has_won = self.player.chain().game.winner() == Some(ours);
        if stake == 0 || self.player.is_done() || has_won {
            return None;
        }
        let theirs = self.colour_of(ours.opponent());
        let stake = token.contract_amount(stake);
        Some(format!(
            "your stake of {stake} is at risk while this program does not run: {theirs} can start \
             your clock on the chain, also in an older position, and win on time. `connect4 guard` \
             answers in your place"
        ))
    }

    /// How to resume the game, in words.
    pub fn command_to_resume(&self, session: &Session) -> String {
        let id = self.player.id();
        let reach = lookup::reach(session, &self.contract);
        let (seat, relay, secret) = (self.player.player(), &self.at.option, &self.secret);
        format!(
            "game {id} is not settled, and all signatures are stored; resume it by\n  connect4 \
             play --game {id} --seat {seat}{relay}{reach}{secret}"
        )
    }
}

impl From<PlayError> for Failure {
    fn from(error: PlayError) -> Self {
        match error {
            PlayError::Chain(error) => error.into(),
            PlayError::Seat(SeatError::Refused(error)) => Self::Refused(error.to_string()),
            error => Self::Other(error.to_string()),
        }
    }
}
