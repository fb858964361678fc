//! What terms of games say: players and rules.

use connect4_protocol::signed::{Party, Terms};
use connect4_protocol::{Address, ClockSpec};
use serde::{Deserialize, Serialize};

/// By which rules a game is played, beside its board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TermsRules {
    /// Whether player two may swap in place of its first move.
    pub pie_rule: bool,
    /// Number of the pool; 0 for none in particular.
    pub pool: u16,
    /// Clock, in seconds; none for a game without one.
    pub clock: Option<ClockSpec>,
}

impl TermsRules {
    /// Terms of a game by these rules, in which all else is none.
    pub(crate) fn on(self, shape: connect4_rules::Shape) -> Terms {
        let Self {
            pie_rule,
            pool,
            clock,
        } = self;
        Terms {
            pie_rule,
            pool,
            clock,
            ..Terms::on(shape)
        }
    }
}

impl From<&Terms> for TermsRules {
    fn from(terms: &Terms) -> Self {
        Self {
            pie_rule: terms.pie_rule,
            pool: terms.pool,
            clock: terms.clock,
        }
    }
}

/// A player of terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TermsPlayer {
    /// The account.
    pub account: Address,
    /// Address of the key that signs.
    pub key: Address,
    /// Whether it is a guest.
    pub guest: bool,
    /// Whether a program plays, as the player says.
    pub program: bool,
}

impl TermsPlayer {
    pub(crate) const fn new(party: &Party, is_program: bool) -> Self {
        Self {
            account: party.account(),
            key: party.key(),
            guest: matches!(party, Party::Guest(_)),
            program: is_program,
        }
    }
}
