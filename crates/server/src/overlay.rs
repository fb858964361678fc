//! A fast game as it is shown: what is on the chain, and what its players have signed since.

use connect4_client::GameId;
use connect4_protocol::fast::FastGame;
use connect4_protocol::{DrawOffer, Game, Match};
use connect4_rules::Player;
use connect4_rules::variant::Colour;
use connect4_wire as wire;

use crate::fast::{Known, State};
use crate::past::Past;

/// A fast game as it stands, on the chain or by what its players have signed on top of that.
pub struct Overlay {
    pub game: Game,
    /// Its match state, with offers that were signed.
    pub state: Match,
    /// All moves, if they are not those of the chain.
    signed: Option<Vec<u8>>,
}

impl Overlay {
    pub fn of(chain: &FastGame, state: &Match, known: &Known) -> Self {
        let shown = known.shown(chain);
        let game = shown.map_or(chain.game, |shown| shown.latest);
        let offer = known.states().find_map(|state| state.draw_offer);
        Self {
            game,
            state: Match {
                draw: offer.map(|by| DrawOffer {
                    by,
                    turns: game.turns_of(by.opponent()),
                }),
                ..*state
            },
            signed: shown.and_then(|shown| shown.moves.map(|moves| moves.to_vec())),
        }
    }

    /// The past, by that of the chain.
    pub fn past(&self, mut chain: Past) -> Past {
        if let Some(signed) = &self.signed {
            chain.put(signed, None);
        }
        chain
    }

    pub fn view(&self, id: GameId, chain: &FastGame, known: &Known) -> wire::Fast {
        let states: Vec<&State> = known.states().collect();
        let newest = known.newest();
        let here = Player::ALL
            .into_iter()
            .filter(|player| chain.is_final() || known.seats.get(*player).is_some());
        // By the colours on the board.
        let shown_as = |player| Colour::from(self.game.colour_of(player));
        wire::Fast {
            on_chain: chain.game.moves(),
            signed: newest.map_or(0, |newest| newest.signed_by_both(id)),
            settled: chain.is_final(),
            here: here.map(shown_as).collect(),
            deadline: states.iter().find_map(|state| state.deadline),
            contested: chain.contest.is_some(),
            press: states.iter().find_map(|state| state.press).map(shown_as),
            relay_missing: newest.and_then(|newest| newest.relay_missing.clone()),
            opponent: states.iter().find_map(|state| state.opponent),
        }
    }
}
