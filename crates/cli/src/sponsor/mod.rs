//! A sponsor: it follows relays, and records games by signed terms on the chain within a budget.
//!
//! | file | job |
//! |---|---|
//! | [`limits`] | what is paid for, and for whom how often |
//! | [`queue`] | ended games that wait |
//! | [`state`] | what was paid and what is on its way, on disk |
//! | [`follow`] | one relay |
//! | [`pay`] | transactions, each of which is on disk before it is sent |

pub mod follow;
pub mod limits;
pub mod pay;
pub mod queue;
pub mod state;
