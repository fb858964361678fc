//! Results and ratings of accounts, from events.

mod classic;
mod rating;
mod variants;

pub use classic::{standings, standings_with};
pub use rating::Standing;
pub use variants::{VariantStandings, variant_standings, variant_standings_with};
