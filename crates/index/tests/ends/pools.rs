//! Ratings of signed games: which pool a game counts in, and who is a program.

use std::collections::BTreeMap;

use connect4_index::{League, Recorded};
use connect4_protocol::signed::{Party, Terms};
use connect4_rules::{ByPlayer, ShapeSpec};
use connect4_testing::keys::session_key;
use connect4_testing::signed::SignedPlay;

use crate::ends::table::{DAY, Table, witness};

/// Accounts of three guests, by the numbers of their keys.
const PEOPLE: [u64; 3] = [1, 2, 3];

/// A game of two of them, whose terms are changed.
fn play(
    table: &Table,
    [one, two]: [u64; 2],
    nonce: u32,
    change: impl FnOnce(&mut Terms),
) -> SignedPlay {
    let keys = ByPlayer {
        one: session_key(one),
        two: session_key(two),
    };
    let mut terms = Terms {
        players: ByPlayer::from_fn(|player| Party::Guest(keys.get(player).address())),
        ..table.play(0, nonce, Some(&witness(0))).signed.terms
    };
    change(&mut terms);
    SignedPlay::on(table.chain(), terms, keys)
}

/// Two who sign what they like: on a small board the player who begins wins in no time, and a program plays for a
/// person.
#[tokio::test]
async fn a_pool_rates_the_games_that_are_its_own_alone() {
    let table = Table::new().await;
    let by = witness(0);
    let [one, two, _] = PEOPLE;
    let people = ByPlayer::default();
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
    let mut plays = Vec::new();
    for (nonce, (pool, (bins, capacity), pie_rule, programs, (counted, is_rated))) in
        (1..).zip(played)
    {
        // A day each: no two play more than five rated games in one.
        let at = table.now() - 20 * DAY + u64::from(nonce) * DAY;
        let play = play(&table, [one, two], nonce, |terms| {
            terms.shape = ShapeSpec {
                bins,
                capacity,
                line: 4,
            };
            (terms.pool, terms.pie_rule, terms.programs) = (pool, pie_rule, programs);
            terms.time = at;
        });
        table.record(&[table.won(&play, &by, at)], &by).await;
        plays.push((play, counted));
        let (wins, rated) = expected.entry(counted).or_default();
        *wins += 1;
        *rated += u32::from(is_rated);
    }
    table.check().await;
    for (nonce, (play, counted)) in (1..).zip(&plays) {
        let game = table.game(play).await.unwrap();
        assert_eq!(game.by_terms.unwrap().pool, *counted, "game {nonce}");
    }
    let pools: Vec<u16> = expected.keys().copied().collect();
    assert_eq!(table.index.witnessed_pools(10).await.unwrap(), pools);
    for (pool, (wins, rated)) in expected {
        let page = table.index.standings(League::Witnessed(pool), 0, 9).await;
        let rows = page.unwrap().rows;
        let one = session_key(one).address();
        let best = rows.iter().find(|row| row.account == one).unwrap();
        assert_eq!((best.wins, best.rated), (wins, rated), "pool {pool}");
    }
}

/// An account is a program in a pool if it has said so in a game that counts there.
#[tokio::test]
async fn accounts_that_have_signed_that_they_are_programs_are_marked() {
    let table = Table::new().await;
    let by = witness(0);
    let [one, two, three] = PEOPLE;
    let [nobody, second] = [false, true].map(|two| ByPlayer { one: false, two });
    let record = async |nonce, players, pool, programs| {
        let play = play(&table, players, nonce, |terms| {
            (terms.pool, terms.programs) = (pool, programs);
        });
        let won = table.won(&play, &by, table.now());
        table.record(&[won], &by).await;
        table.check().await;
        table.game(&play).await.unwrap().started_block
    };
    let marked = async |pool| {
        let page = table.index.standings(League::Witnessed(pool), 0, 9).await;
        let rows = page.unwrap().rows.into_iter();
        let programs = rows.filter(|row| row.program).map(|row| row.account);
        programs.collect::<Vec<_>>()
    };
    let program = session_key(two).address();
    record(1, [one, two], 7, nobody).await;
    assert_eq!(marked(7).await, []);
    let said = record(2, [one, two], 0, second).await;
    assert_eq!(marked(0).await, [program]);
    assert_eq!(marked(7).await, []);
    // A later game in which the same account has not said so.
    record(3, [two, three], 0, nobody).await;
    assert_eq!(marked(0).await, [program]);

    let profile = table.index.profile(program).await.unwrap();
    let by_pool = profile.standings.iter();
    let by_pool: Vec<_> = by_pool
        .map(|(league, standing, _)| (*league, standing.program))
        .collect();
    assert_eq!(
        by_pool,
        [(League::Witnessed(0), true), (League::Witnessed(7), false)]
    );
    // Of the accounts as they are kept, and counted anew from a block on.
    for (from, programs) in [
        (0, vec![program]),
        (said, vec![program]),
        (said + 1, vec![]),
    ] {
        let leagues = table.index.leagues(from, &Recorded::default()).await;
        let leagues = leagues.unwrap();
        let rows = leagues[&League::Witnessed(0)].rows.iter();
        let found = rows.filter(|row| row.program).map(|row| row.account);
        assert_eq!(found.collect::<Vec<_>>(), programs, "from block {from}");
    }
    // The chain has forked: the game in which it was said is gone.
    let depth = table.world.chain.best().1.number - said + 1;
    let retracted = connect4_chain::Retracted::Drop;
    table.world.chain.reorganise(depth, retracted).unwrap();
    record(4, [two, three], 0, nobody).await;
    assert_eq!(marked(0).await, []);
}
