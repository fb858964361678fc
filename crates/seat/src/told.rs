//! What the witness of a game without a stake has told: the game that it makes, and whether the players have signed it.

use connect4_protocol::Game;
use connect4_protocol::signed::wire::{Act, Spoken, Telling, Told};
use connect4_protocol::signed::{
    AccountCrypto, Crypto, Domain, Moves, Refused, SignedTerms, last_mover,
};
use connect4_rules::{ByPlayer, Player as Side};

use crate::record::Room;

/// Why nothing is believed that a witness tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotTold {
    /// What is said to be the end is none.
    #[error("{0}")]
    Refused(#[from] Refused),
    #[error("the room says what its witness or the players have not signed")]
    NotSigned,
}

/// Whether the witness of these terms has said it.
pub(crate) fn is_by_witness(
    told: &Told,
    agreed: &SignedTerms,
    domain: &Domain,
    crypto: &impl Crypto,
) -> bool {
    let game = agreed.terms.number(domain, crypto);
    let is_by = |witness| told.is_by(witness, game, domain, crypto);
    agreed.terms.witness.is_some_and(is_by)
}

/// Checks that the players have signed what the witness says. It is nothing that the terms refute: that is a
/// contradiction.
pub(crate) fn check(
    told: &Told,
    agreed: &SignedTerms,
    domain: &Domain,
    crypto: &impl AccountCrypto,
) -> Result<(), NotTold> {
    if let Some(finished) = told.finished(agreed) {
        finished.judge(domain.chain, crypto)?;
        return Ok(());
    }
    // A receipt, or a game that is void: each player has signed its last move.
    let mut moved = Side::ALL
        .into_iter()
        .filter_map(|side| spoken_in(told, side));
    match moved.all(|spoken| is_signed(&spoken, agreed, domain, crypto)) {
        true => Ok(()),
        false => Err(NotTold::NotSigned),
    }
}

/// Whether the player has signed what it says in a game by these terms.
pub(crate) fn is_signed(
    spoken: &Spoken,
    agreed: &SignedTerms,
    domain: &Domain,
    crypto: &impl Crypto,
) -> bool {
    let terms = &agreed.terms;
    let keys: ByPlayer<_> = terms.players.map(|party| party.key());
    spoken.is_signed(terms.number(domain, crypto), &keys, domain, crypto)
}

/// The last move of a player in what a witness has told; none if it has made none.
pub(crate) fn spoken_in(told: &Told, by: Side) -> Option<Spoken> {
    let moves = match last_mover(told.moves.len()) == Some(by) {
        true => told.moves,
        false => Moves::from_bins(told.moves.before_last())?,
    };
    (!moves.is_empty() && last_mover(moves.len()) == Some(by)).then_some(Spoken {
        by,
        act: Act::Move,
        moves,
        signature: *told.signatures.get(by),
    })
}

impl Room {
    /// What was left to each player when the witness took the last move, and when that was, in milliseconds; none before
    /// the first move.
    pub fn left(&self) -> Option<(ByPlayer<u64>, u64)> {
        match self.receipt {
            Some(Told {
                what: Telling::Receipt { left },
                at,
                ..
            }) => Some((left, at)),
            _ => None,
        }
    }

    /// Last second at which this player can move, by the time of the witness; none if no time runs. Before both have moved
    /// there is no bank to lose.
    pub fn until(&self, mover: Side) -> Option<u64> {
        let has_clock = self.agreed.terms.clock.is_some() && self.moves().len() > 1;
        let (left, at) = self.left().filter(|_| has_clock)?;
        Some(at.saturating_add(*left.get(mover)) / 1_000)
    }

    /// The game as its witness has told it; none if its moves are none by the terms.
    pub(crate) fn game(&self) -> Option<Game> {
        let terms = &self.agreed.terms;
        match self.end.or(self.receipt) {
            Some(told) => told.game(terms),
            None => terms.play(&Moves::new()).ok(),
        }
    }
}
