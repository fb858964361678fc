//! What has to be done on the chain.

use connect4_protocol::fast::{Evidence, FastGame};

use crate::book::Book;

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

/// What has to be done on the chain at `now` so that nobody loses by a position that the players have
/// left: no clock may run in it, and no line that can still be contested may end the game.
pub(crate) fn answer(book: &Book, chain: &FastGame, now: u64) -> Option<Duty> {
    let evidence = book.evidence(chain, now);
    let last = match chain.contest {
        Some(last) => Some(last),
        None => chain.game.deadline(),
    };
    let in_time = last.is_some_and(|last| now <= last);
    (in_time && !chain.is_final() && evidence.is_news_after(chain.game.turns()))
        .then_some(Duty::Advance(*evidence))
}

/// What has to be done once a line can't be contested any more: it is final if somebody says so.
pub(crate) fn finish(chain: &FastGame, now: u64) -> Option<Duty> {
    chain
        .contest
        .is_some_and(|last| now > last)
        .then_some(Duty::Claim)
}
