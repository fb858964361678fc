//! Results and ratings of accounts, from events.

mod classic;
mod rating;
mod variants;

pub use classic::standings;
pub use rating::Standing;
pub use variants::{VariantStandings, variant_standings};
