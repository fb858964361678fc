//! What has to be done on the chain.

use connect4_protocol::fast::{Evidence, FastGame};

use super::book::Book;

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
    /// The time of the opponent has run out, which has to be claimed. Anyone may.
    Claim,
}

/// What has to be done on the chain at `now` so that nobody loses by a position that the players have
/// left: a clock must not run in it. Ends are not brought here.
pub(super) fn answer(book: &Book, chain: &FastGame, now: u64) -> Option<Duty> {
    let evidence = book.evidence(chain, now);
    let is_running = chain
        .game
        .deadline()
        .is_some_and(|deadline| now <= deadline);
    (is_running && !chain.game.is_over() && evidence.is_news_after(chain.game.turns()))
        .then_some(Duty::Advance(*evidence))
}
