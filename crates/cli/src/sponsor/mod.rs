//! A sponsor: it follows relays, and records signed games that have ended on the chain within a budget.
//!
//! | file | job |
//! |---|---|
//! | [`clock`] | the time by which payments count |
//! | [`limits`] | what is paid for, and for whom how often |
//! | [`queue`] | ended games that wait |
//! | [`state`] | what was paid and what is on its way, on disk |
//! | [`follow`] | one relay |
//! | [`lists`] | relays that have not sent all of their games yet |
//! | [`pay`] | transactions, each of which is on disk before it is sent |

pub mod clock;
pub mod follow;
pub mod limits;
pub mod lists;
pub mod pay;
pub mod queue;
pub mod state;
