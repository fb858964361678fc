//! Reading the index.

pub mod history;
pub mod profile;
pub mod search;
pub mod standings;
