//! Values by player.

use connect4_rules::{ByPlayer, Player};

#[test]
fn each_player_has_its_value() {
    let mut plies = ByPlayer { one: 4, two: 3 };
    assert_eq!((plies[Player::One], plies[Player::Two]), (4, 3));
    plies[Player::Two] += 1;
    *plies.get_mut(Player::One) += 2;
    assert_eq!(plies, ByPlayer { one: 6, two: 4 });
    assert_eq!(plies.get(Player::Two), &4);
}

#[test]
fn values_are_made_changed_and_exchanged() {
    let names = ByPlayer::from_fn(Player::colour);
    assert_eq!((names.one, names.two), ("red", "blue"));
    assert_eq!(names.swapped().one, "blue");
    assert_eq!(names.map(str::len), ByPlayer { one: 3, two: 4 });
}

#[test]
fn values_are_walked_with_their_players() {
    let names = ByPlayer::from_fn(Player::colour);
    let walked: Vec<_> = names.iter().collect();
    assert_eq!(walked, [(Player::One, &"red"), (Player::Two, &"blue")]);
    assert!((&names).into_iter().eq(names.iter()));
    assert!(names.into_iter().map(|(player, _)| player).eq(Player::ALL));
}

#[test]
fn a_player_is_found_by_its_value() {
    let names = ByPlayer::from_fn(Player::colour);
    assert_eq!(names.find(|name| name.starts_with('b')), Some(Player::Two));
    assert_eq!(
        names.find(|name| name.len() > 2),
        Some(Player::One),
        "first"
    );
    assert_eq!(names.find(|name| name.is_empty()), None);
}
