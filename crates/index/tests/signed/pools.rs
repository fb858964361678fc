//! Ratings of games by signed terms: which pool a game counts in, who is a program, what is recorded late.

use std::collections::BTreeMap;

use connect4_index::{League, Profile};
use connect4_protocol::End;
use connect4_rules::{ByPlayer, Player, ShapeSpec};
use connect4_testing::dice::Dice;

use crate::common::{World, assert_equal};
use crate::play::{BORN, Chain, DAY, Emissions, Play, at, fast};
use crate::{PEOPLE, column, told};

/// Two who sign what they like: on a small board who begins wins in no time, and a program plays for a person.
#[tokio::test]
async fn a_pool_rates_the_games_that_are_its_own_alone() {
    let world = World::new().await;
    let folder = tempfile::tempdir().unwrap();
    let (mut chain, _) = at(&world, &folder, "pools.db").await;
    let [one, two, _] = PEOPLE;
    let people = ByPlayer {
        one: false,
        two: false,
    };
    let programs = ByPlayer {
        one: false,
        two: true,
    };
    let played = [
        // Pool, bins, capacity, pie rule, programs; pool in which it counts, and whether it is rated there.
        (1, (7, 6), false, people, (1, true)),
        (1, (5, 4), false, people, (0, false)),
        (1, (7, 6), true, people, (0, true)),
        (1, (7, 6), false, programs, (0, true)),
        (2, (7, 6), true, people, (2, true)),
        (2, (7, 6), false, people, (0, true)),
        (3, (9, 7), true, people, (3, true)),
        (3, (8, 9), true, people, (3, true)),
        (3, (9, 9), true, people, (3, true)),
        (3, (9, 9), true, programs, (0, false)),
        (3, (7, 6), true, people, (0, true)),
        (4, (7, 6), true, programs, (4, true)),
        (4, (7, 6), true, people, (0, true)),
        (0, (9, 9), true, programs, (0, false)),
        // A pool without a name, of those who agree on it.
        (7, (7, 6), false, programs, (7, true)),
        (u16::MAX, (5, 4), true, people, (u16::MAX, false)),
    ];
    let mut expected = BTreeMap::<u16, (u32, u32)>::new();
    for (nonce, (pool, (bins, capacity), pie_rule, programs, (counted, is_rated))) in
        (1..).zip(played)
    {
        // A day each: no two play more than five rated games in one.
        let time = BORN + u64::from(nonce) * DAY;
        let mut play = Play::new(chain.fast, nonce, [one, two], time);
        play.terms.shape = ShapeSpec {
            bins,
            capacity,
            line: 4,
        };
        (play.terms.pool, play.terms.pie_rule, play.terms.programs) = (pool, pie_rule, programs);
        let recorded = play.record(&column(), Some(End::Line), Some(Player::One));
        chain.add(vec![(time, recorded)]).await;
        let game = chain.index.game(play.number).await.unwrap().unwrap();
        assert_eq!(game.by_terms.unwrap().pool, counted, "game {nonce}");
        let (wins, rated) = expected.entry(counted).or_default();
        *wins += 1;
        *rated += u32::from(is_rated);
    }
    let pools: Vec<u16> = expected.keys().copied().collect();
    let mut known = chain.index.pools(10).await.unwrap();
    known.sort_unstable();
    assert_eq!(known, pools);
    for (pool, (wins, rated)) in expected {
        let page = chain.index.standings(League::Signed(pool), 0, 9).await;
        let rows = page.unwrap().rows;
        let best = rows.iter().find(|row| row.account == one).unwrap();
        assert_eq!((best.wins, best.rated), (wins, rated), "pool {pool}");
    }
}

/// An account is a program in a pool if it has said so in a game that counts there.
#[tokio::test]
async fn accounts_that_have_signed_that_they_are_programs_are_marked() {
    let world = World::new().await;
    let folder = tempfile::tempdir().unwrap();
    let (mut chain, _) = at(&world, &folder, "programs.db").await;
    let [one, two, three] = PEOPLE;
    let [nobody, second] = [false, true].map(|two| ByPlayer { one: false, two });
    let fast = chain.fast;
    let game = |nonce, players, time, pool, programs| {
        let mut play = Play::new(fast, nonce, players, time);
        (play.terms.pool, play.terms.programs) = (pool, programs);
        let recorded = play.record(&column(), Some(End::Line), Some(Player::One));
        vec![(BORN + DAY * u64::from(nonce), recorded)]
    };
    let marked = async |chain: &Chain, pool| {
        let page = chain.index.standings(League::Signed(pool), 0, 9).await;
        let rows = page.unwrap().rows.into_iter();
        let programs = rows.filter(|row| row.program).map(|row| row.account);
        programs.collect::<Vec<_>>()
    };
    chain.add(game(1, [one, two], BORN, 7, nobody)).await;
    assert_eq!(marked(&chain, 7).await, []);
    chain.add(game(2, [one, two], BORN, 0, second)).await;
    assert_eq!(marked(&chain, 0).await, [two]);
    assert_eq!(marked(&chain, 7).await, []);
    // Games before and after it in which the same account has not said so.
    chain.add(game(3, [two, three], BORN - 9, 0, nobody)).await;
    chain.add(game(4, [two, three], BORN + 9, 0, nobody)).await;
    assert_eq!(marked(&chain, 0).await, [two]);

    let profile = chain.index.profile(two).await.unwrap();
    let by_pool = profile.standings.iter();
    let by_pool: Vec<_> = by_pool
        .map(|(league, standing, _)| (*league, standing.program))
        .collect();
    assert_eq!(
        by_pool,
        [(League::Signed(0), true), (League::Signed(7), false)]
    );
    // Of the accounts as they are kept, and counted anew from a block on.
    let recorded = connect4_index::Recorded::default();
    for (from, programs) in [(0, vec![two]), (2, vec![two]), (3, vec![])] {
        let leagues = chain.index.leagues(from, &recorded).await.unwrap();
        let rows = leagues[&League::Signed(0)].rows.iter();
        let found = rows.filter(|row| row.program).map(|row| row.account);
        assert_eq!(found.collect::<Vec<_>>(), programs, "from block {from}");
    }
    // The chain has forked: the game in which it was said is gone.
    chain.retract(1).await;
    chain.add(game(3, [two, three], BORN - 9, 0, nobody)).await;
    assert_eq!(marked(&chain, 0).await, []);
}

/// Two who play more games in a day than are rated, and some others. Their games are recorded weeks later, in any order.
#[tokio::test]
async fn games_that_are_recorded_late_count_as_if_they_were_not() {
    let world = World::new().await;
    let folder = tempfile::tempdir().unwrap();
    let [one, two, three] = PEOPLE;
    let pairs = [
        [one, two],
        [two, one],
        [one, two],
        [three, one],
        [two, three],
    ];
    let moves = column();
    let recorded: Vec<Emissions> = (0..50)
        .map(|nonce| {
            let players = pairs[nonce % pairs.len()];
            // Two games each have the same time.
            let time = BORN + (nonce / 2) as u64 * 4 * 3600;
            let play = Play::new(fast(&world), nonce as u8 + 1, players, time);
            match nonce % 7 {
                0 => play.record(&moves[..3], Some(End::Resignation), Some(Player::Two)),
                1 => play.record(&moves[..6], Some(End::Agreement), None),
                2 => play.record(&moves[..6], None, None),
                _ => play.record(&moves, Some(End::Line), Some(Player::One)),
            }
        })
        .collect();
    let mut expected: Option<(Vec<String>, Vec<Profile>)> = None;
    let mut dice = Dice(8);
    for order in 0..8 {
        let (mut chain, url) = at(&world, &folder, &format!("late-{order}.db")).await;
        let mut left = recorded.clone();
        let mut blocks = Vec::new();
        while !left.is_empty() {
            let next = match order {
                0 => 0,
                1 => left.len() - 1,
                _ => dice.below(left.len() as u64) as usize,
            };
            let time = BORN + 20 * DAY + 60 * blocks.len() as u64;
            blocks.push((time, left.remove(next)));
        }
        match order % 3 {
            0 => chain.add(blocks).await,
            1 => {
                for block in blocks {
                    chain.add(vec![block]).await;
                }
            }
            _ => {
                // The last ones come again after a fork, in another order.
                chain.add(blocks.clone()).await;
                chain.retract(30).await;
                blocks[30..].reverse();
                chain.add(blocks[30..].to_vec()).await;
            }
        }
        let mut profiles = Vec::new();
        for account in PEOPLE {
            profiles.push(chain.index.profile(account).await.unwrap());
        }
        let now = (told(&url).await, profiles);
        let (rows, profiles) = expected.get_or_insert_with(|| now.clone());
        assert_equal(&now.0, rows, &format!("order {order}"));
        assert_eq!(now.1, *profiles, "order {order}");
    }
    let (rows, _) = expected.unwrap();
    for reason in ["unrated=frequent", "unrated=short"] {
        assert!(rows.iter().any(|row| row.contains(reason)), "{reason}");
    }
}
