//! Division of the stakes.

use connect4_rules::{ByPlayer, Player};

/// The share of each player in a pot: all of it for the winner; without one a half for each, of
/// an odd pot the larger half for player two.
///
/// # Examples
///
/// ```
/// use connect4_protocol::payout;
/// use connect4_rules::{ByPlayer, Player};
///
/// assert_eq!(payout(200, Some(Player::Two)), ByPlayer { one: 0, two: 200 });
/// assert_eq!(payout(200, None), ByPlayer { one: 100, two: 100 });
/// ```
#[must_use]
pub const fn payout(pot: u128, winner: Option<Player>) -> ByPlayer<u128> {
    match winner {
        Some(Player::One) => ByPlayer { one: pot, two: 0 },
        Some(Player::Two) => ByPlayer { one: 0, two: pot },
        None => ByPlayer {
            one: pot / 2,
            two: pot - pot / 2,
        },
    }
}
