//! Games of variants and their tables: reading them, and what is shown of them.

mod lobby;
mod options;
mod record;
mod view;
mod watched;

pub use lobby::VariantLobby;
pub use view::line;
pub use watched::WatchedVariant;
