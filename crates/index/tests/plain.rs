//! Plain games: in lists and profiles, and not rated.

use connect4_client::Action;
use connect4_index::{Filter, Index, Kind, League, Options, Outcome, Recorded};
use connect4_protocol::{End, Game};
use connect4_rules::Shape;

use crate::common::World;

#[tokio::test]
async fn a_plain_game_is_in_lists_and_profiles_and_changes_no_rating() {
    let world = World::new().await;
    let [alice, bob] = [&world.people[0], &world.people[1]];
    let [one, two] = [alice.address(), bob.address()];
    let shape = Shape::STANDARD.into();
    let started = world.contract.start_game(alice, one, two, shape).await;
    let won = started.unwrap().value;
    for bin in [0, 1, 0, 1, 0, 1, 0] {
        world.drop(won, bin).await;
    }
    let started = world.contract.start_game(alice, two, one, shape).await;
    let given_up = started.unwrap().value;
    // Before a line is possible: a loss for player one, and nothing for the other.
    let resign = world.contract.perform(bob, given_up, Action::Resign);
    resign.await.unwrap();
    let started = world.contract.start_game(alice, one, two, shape).await;
    let open = started.unwrap().value;
    world.drop(open, 3).await;

    let index = Index::in_memory(world.subject(), Options::default()).await;
    let index = index.unwrap();
    assert!(index.catch_up().await.unwrap());
    let profile = index.profile(one).await.unwrap();
    assert_eq!((profile.games, profile.open.len()), (3, 1));
    assert_eq!(profile.open[0].game, open.into());
    let results: Vec<_> = profile.lines.iter().map(|of| (of.kind, of.tally)).collect();
    assert_eq!(results.len(), 1, "{results:?}");
    assert_eq!((results[0].0, results[0].1.wins), (Kind::Classic, 1));
    assert_eq!(profile.series[0].tally.wins, 1);
    let other = index.profile(two).await.unwrap();
    assert_eq!(other.series[0].tally.losses, 2);
    for profile in [&profile, &other] {
        assert_eq!(
            (&profile.standings[..], &profile.points[..]),
            (&[][..], &[][..])
        );
    }
    for league in [League::Two, League::More, League::Witnessed(0)] {
        let page = index.standings(league, 0, 9).await.unwrap();
        assert_eq!(page.accounts, 0, "{league}");
    }
    for from in [0, 1] {
        let leagues = index.leagues(from, &Recorded::default()).await.unwrap();
        let is_empty = leagues
            .values()
            .all(|of| of.rows.is_empty() && of.unrated.sum() == 0);
        assert!(is_empty, "{leagues:?}");
    }

    let of_kind = Filter {
        kind: Some(Kind::Classic),
        ..Filter::default()
    };
    let all = index.history(of_kind, None, 9).await.unwrap().games;
    let all: Vec<_> = all.iter().map(|of| of.game).collect();
    assert_eq!(all, [open.into(), given_up.into(), won.into()]);
    let lost = Filter {
        account: Some(two),
        outcome: Some(Outcome::Lost),
        ..Filter::default()
    };
    assert_eq!(index.history(lost, None, 9).await.unwrap().games.len(), 2);
    let game = index.game(given_up).await.unwrap().unwrap();
    assert_eq!(game.ended_how, Some(End::Resignation.to_string()));
    assert_eq!((game.winner, game.freed), (Some(one), false));

    let free = world.contract.perform(alice, won, Action::Free);
    free.await.unwrap();
    assert!(index.catch_up().await.unwrap());
    assert_eq!(world.contract.game::<Game>(won).await.unwrap(), None);
    let game = index.game(won).await.unwrap().unwrap();
    assert_eq!((game.winner, game.freed, game.plies), (Some(one), true, 7));
}
