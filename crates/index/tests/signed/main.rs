//! Games by signed terms: recorded, disputed, or both, in every order.

#[path = "../common/mod.rs"]
mod common;
mod forged;
mod play;
mod pools;
mod steps;

use connect4_client::{Address, GameId};
use connect4_index::{Kind, League, Outcome};
use connect4_protocol::fast::{FIRST, Moves};
use connect4_protocol::message::{ContractKind, Record};
use connect4_protocol::{End, GameName};
use connect4_rules::Player;
use connect4_testing::games;

use common::{World, assert_equal, dump};
use play::{BORN, Chain, DAY, Emissions, Play, at, fast};

/// The rows that do not depend on when the chain was told of a game.
async fn told(url: &str) -> Vec<String> {
    let late = [
        "block=",
        "place=",
        "started_block=",
        "moved_time=",
        "ended_block=",
        "ended_time=",
        "recorded_by=",
        "number=",
        "counts_from=",
        "state=",
    ];
    let mut rows: Vec<String> = dump(url)
        .await
        .into_iter()
        .filter(|row| {
            [
                "games: ",
                "seats: ",
                "signed: ",
                "ratings: ",
                "pairs: ",
                "accounts: ",
            ]
            .iter()
            .any(|table| row.starts_with(table))
        })
        .map(|row| {
            let row = row.split(" state=").next().unwrap();
            let kept = row
                .split(' ')
                .filter(|field| !late.iter().any(|name| field.starts_with(name)));
            kept.collect::<Vec<_>>().join(" ")
        })
        .collect();
    rows.sort();
    rows
}

const PEOPLE: [Address; 3] = [Address([1; 20]), Address([2; 20]), Address([3; 20])];

/// Evidence in parts whose order is that of the chain where it has one: those with a number are one dispute.
fn orders(parts: &[(Emissions, bool)]) -> Vec<Vec<usize>> {
    let mut orders: Vec<Vec<usize>> = vec![vec![]];
    for part in 0..parts.len() {
        orders = orders
            .into_iter()
            .flat_map(|order| {
                (0..=order.len()).map(move |place| {
                    let mut order = order.clone();
                    order.insert(place, part);
                    order
                })
            })
            .collect();
    }
    orders.retain(|order| {
        let dispute: Vec<_> = order.iter().filter(|part| parts[**part].1).collect();
        dispute.is_sorted()
    });
    orders
}

/// Seven drops, the last of which completes a column of player one.
fn column() -> Vec<u8> {
    games::bins(games::SHORT).collect()
}

/// Adds the parts in every order, between other games of the same players, and expects the same rows and this
/// result.
async fn every_order(
    name: &str,
    parts: impl Fn(&Play) -> Vec<(Emissions, bool)>,
    expected: (&str, Option<Player>),
) {
    let world = World::new().await;
    let folder = tempfile::tempdir().unwrap();
    let [one, two, three] = PEOPLE;
    let play = Play::new(fast(&world), 9, [one, two], BORN);
    let others = [
        Play::new(fast(&world), 1, [two, three], BORN - 9),
        Play::new(fast(&world), 2, [three, one], BORN + 5),
        Play::new(fast(&world), 3, [two, one], BORN + 9),
    ];
    let parts = parts(&play);
    let mut rows: Option<Vec<String>> = None;
    for (number, order) in orders(&parts).into_iter().enumerate() {
        let (mut chain, url) = at(&world, &folder, &format!("{name}-{number}.db")).await;
        let mut blocks = Vec::new();
        for (place, part) in order.iter().enumerate() {
            let time = BORN + 60 * place as u64;
            blocks.push((time, parts[*part].0.clone()));
            if let Some(other) = others.get(place) {
                let won = Some(Player::One);
                blocks.push((time + 30, other.record(&column(), Some(End::Line), won)));
            }
        }
        blocks.push((BORN + 3 * DAY, vec![]));
        let last = Play::new(fast(&world), 4, [three, two], BORN + 3 * DAY);
        blocks.push((BORN + 3 * DAY, last.record(&[3, 3], None, None)));
        match number % 2 {
            0 => chain.add(blocks).await,
            _ => {
                for block in blocks {
                    chain.add(vec![block]).await;
                }
            }
        }
        let game = chain.index.game(play.number).await.unwrap().unwrap();
        let winner = expected.1.map(|winner| play.account(winner));
        assert_eq!(
            (game.ended_how.as_deref(), game.winner),
            (Some(expected.0), winner),
            "{order:?}"
        );
        let now = told(&url).await;
        let first = rows.get_or_insert_with(|| now.clone());
        assert_equal(&now, first, &format!("{order:?}"));
    }
    assert!(
        rows.unwrap()
            .iter()
            .any(|row| row.starts_with("ratings: league=signed-programs"))
    );
}

/// The loser records a resignation at the start of what was a longer game, and lets time run out in a
/// dispute about it; the winner records the end, twice.
#[tokio::test]
async fn who_has_lost_gains_nothing_by_coming_first() {
    let moves = column();
    let line = Some(End::Line);
    every_order(
        "lost",
        |play| {
            vec![
                (play.record(&moves, line, Some(Player::One)), false),
                (play.record(&moves[..4], None, None), false),
                (play.record(&moves, line, Some(Player::One)), false),
                (play.start(FIRST), true),
                (play.advance(FIRST, &moves[..4]), true),
                (play.end(FIRST, End::Timeout, Player::Two), true),
            ]
        },
        ("by a line", Some(Player::One)),
    )
    .await;
}

#[tokio::test]
async fn a_resignation_stands_against_who_signed_it() {
    let moves = column();
    every_order(
        "resigned",
        |play| {
            let resigned = Some(End::Resignation);
            vec![
                (play.record(&moves[..6], resigned, Some(Player::Two)), false),
                (play.record(&moves[..2], resigned, Some(Player::Two)), false),
                (
                    play.record(&moves, Some(End::Line), Some(Player::One)),
                    false,
                ),
                (play.record(&moves[..5], Some(End::Agreement), None), false),
            ]
        },
        ("by resignation", Some(Player::Two)),
    )
    .await;
}

/// A timeout that nobody answers.
#[tokio::test]
async fn a_timeout_counts_if_nothing_longer_is_recorded() {
    let moves = column();
    every_order(
        "timeout",
        |play| {
            vec![
                (play.record(&moves[..3], None, None), false),
                (play.start(FIRST), true),
                (play.advance(FIRST, &moves[..5]), true),
                (play.end(FIRST, End::Timeout, Player::Two), true),
                (play.record(&moves[..3], Some(End::Agreement), None), false),
            ]
        },
        ("on time", Some(Player::Two)),
    )
    .await;
}

#[tokio::test]
async fn a_timeout_changes_no_rating_for_a_day() {
    let world = World::new().await;
    let folder = tempfile::tempdir().unwrap();
    let (mut chain, _) = at(&world, &folder, "day.db").await;
    let [one, two, three] = PEOPLE;
    let play = Play::new(chain.fast, 9, [one, two], BORN);
    let moves = column();
    chain
        .add(vec![
            (BORN, play.start(FIRST)),
            (BORN + 6, play.advance(FIRST, &moves[..4])),
            (BORN + 12, play.end(FIRST, End::Timeout, Player::Two)),
        ])
        .await;
    let league = League::Signed(4);
    let ranked = async |chain: &Chain| chain.index.standings(league, 0, 9).await.unwrap().accounts;
    let game = chain.index.game(play.number).await.unwrap().unwrap();
    assert_eq!(game.ended_how.as_deref(), Some("on time"));
    assert_eq!(ranked(&chain).await, 0);
    let other =
        |nonce| Play::new(fast(&world), nonce, [three, two], BORN).record(&[1, 2], None, None);
    chain.add(vec![(BORN + 11 + DAY, other(1))]).await;
    assert_eq!(ranked(&chain).await, 0);
    chain.add(vec![(BORN + 12 + DAY, other(2))]).await;
    assert_eq!(ranked(&chain).await, 2);
    // The chain has forked: it is earlier again.
    chain.retract(4).await;
    assert_eq!(ranked(&chain).await, 0);
    chain.add(vec![(BORN + 12 + DAY, other(2))]).await;
    assert_eq!(ranked(&chain).await, 2);
    // What both had signed takes its place, whenever it comes.
    let line = play.record(&moves, Some(End::Line), Some(Player::One));
    chain.add(vec![(BORN + 9 * DAY, line)]).await;
    let rows = chain.index.standings(league, 0, 9).await.unwrap().rows;
    assert_eq!((rows[0].account, rows[0].wins, rows[0].losses), (one, 1, 0));
    assert_eq!((rows[1].account, rows[1].wins, rows[1].losses), (two, 0, 1));
}

#[tokio::test]
async fn a_game_is_one_by_its_number_and_by_its_digest() {
    let world = World::new().await;
    let folder = tempfile::tempdir().unwrap();
    let (mut chain, _) = at(&world, &folder, "one.db").await;
    let [one, two, _] = PEOPLE;
    let play = Play::new(chain.fast, 9, [one, two], BORN);
    let moves = column();
    let line = Some(End::Line);
    chain
        .add(vec![
            (BORN, play.record(&moves[..2], None, None)),
            (BORN + 6, play.start(FIRST + 1)),
            (BORN + 12, play.advance(FIRST + 1, &moves)),
            (BORN + 18, play.end(FIRST + 1, End::Line, Player::One)),
            (BORN + 24, play.record(&moves, line, Some(Player::One))),
            (BORN + 30, play.record(&moves, line, Some(Player::One))),
        ])
        .await;
    let index = &chain.index;
    let by_digest = index.game(play.number).await.unwrap().unwrap();
    let by_number = index.game(GameId::Fast(1)).await.unwrap().unwrap();
    assert_eq!(by_digest, by_number);
    assert_eq!(by_digest.game, GameName::Terms(play.number));
    assert_eq!(by_digest.kind, Kind::Signed);
    assert_eq!(
        (by_digest.plies, by_digest.moves.as_str()),
        (7, games::SHORT)
    );
    let by_terms = by_digest.by_terms.unwrap();
    assert_eq!(by_terms.dispute, Some(GameId::Fast(1)));
    assert_eq!((by_terms.pool, by_terms.programs), (4, [false, true]));
    assert_eq!(by_terms.recorded_by, Some(Address([1; 20])));
    assert_eq!(by_digest.started_time, Some(BORN));

    let profile = index.profile(one).await.unwrap();
    assert_eq!(profile.games, 1);
    let standings = &profile.standings[..];
    let [(League::Signed(4), standing, 1)] = standings else {
        panic!("{standings:?}")
    };
    assert_eq!((standing.wins, standing.rated), (1, 1));
    assert_eq!(profile.signed_points.len(), 1);
    assert_eq!(profile.signed_points[0].game, by_digest.game);
    assert_eq!(profile.points, []);
    for league in League::ON_CHAIN {
        let page = index.standings(league, 0, 9).await.unwrap();
        assert_eq!(page.accounts, 0, "{league}");
    }
    assert_eq!(index.pools(10).await.unwrap(), [4]);
    let leagues = index
        .leagues(0, &connect4_index::Recorded::default())
        .await
        .unwrap();
    assert_eq!(leagues[&League::Signed(4)].rows.len(), 2);
    assert_eq!(leagues[&League::Classic].rows, []);
}

#[tokio::test]
async fn the_swap_is_a_move_and_no_disc() {
    let world = World::new().await;
    let folder = tempfile::tempdir().unwrap();
    let (mut chain, _) = at(&world, &folder, "swap.db").await;
    let [one, two, _] = PEOPLE;
    let play = Play::new(chain.fast, 9, [one, two], BORN);
    let moves = [3, Moves::SWAP, 2];
    chain
        .add(vec![(BORN, play.record(&moves, None, None))])
        .await;
    let game = chain.index.game(play.number).await.unwrap().unwrap();
    assert_eq!((game.plies, game.moves.as_str()), (3, "4s3"));
    // Anybody can record positions, of games that ended long ago, too: they are not under way.
    assert_eq!(game.to_move, None);
    assert_eq!(chain.index.live(9).await.unwrap(), []);
    assert_eq!(chain.index.profile(one).await.unwrap().open, []);
    chain.add(vec![(BORN + 6, play.start(FIRST))]).await;
    let [game] = &chain.index.live(9).await.unwrap()[..] else {
        panic!("a dispute goes on")
    };
    assert_eq!(game.to_move, Some(1));
    assert_eq!(chain.index.profile(one).await.unwrap().open.len(), 1);
    let position = game.position.as_deref().unwrap();
    assert!(position.ends_with("/..br..."), "{position}");
}

/// Records of a contract of fast games that is not known, and games whose terms are of another version.
#[tokio::test]
async fn what_was_signed_for_others_does_not_count() {
    let world = World::new().await;
    let folder = tempfile::tempdir().unwrap();
    let (mut chain, _) = at(&world, &folder, "others.db").await;
    let [one, two, _] = PEOPLE;
    let other = Play::new(Address([0xaa; 20]), 9, [one, two], BORN);
    let recorded = other.record(&column(), Some(End::Line), Some(Player::One));
    chain.add(vec![(BORN, recorded)]).await;
    assert_eq!(chain.index.game(other.number).await.unwrap(), None);
    assert_eq!(chain.index.profile(one).await.unwrap().games, 0);
    assert_eq!(chain.index.skipped_events().await.unwrap(), 0);
}

/// The contract of the fast games knows the records by their code, and so does the index: those that anybody
/// has deployed count, and what another contract emits does not.
#[tokio::test]
async fn records_count_by_their_code() {
    let world = World::new().await;
    let bob = &world.people[1];
    let deployed = world.client.deploy(bob, common::CODE).await.unwrap();
    assert_ne!(
        deployed.records,
        world.contract.address_of(ContractKind::Records)
    );
    let others = world.contract.with_records(deployed.records);
    let play = world.terms(1, world.born);
    let games = vec![play.recorded(&column(), None)];
    let fast = play.domain.contract;
    let record = Record { fast, games };
    others.send(bob, record.clone()).await.unwrap();
    others.send(bob, record).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("index.db");
    let index = world.built(&format!("sqlite:{}", file.display())).await;
    let game = index.game(play.number()).await.unwrap().unwrap();
    assert_eq!(game.ended_how.as_deref(), Some("by a line"));
    assert_eq!(game.by_terms.unwrap().recorded_by, Some(bob.address()));
    let ended = index.history(
        connect4_index::Filter {
            outcome: Some(Outcome::Won),
            kind: Some(Kind::Signed),
            ..Default::default()
        },
        None,
        9,
    );
    assert_eq!(ended.await.unwrap().games.len(), 1);
    // By another code of the records it is an event of somebody.
    let emitters = |code| connect4_client::Emitters {
        contracts: vec![fast],
        records: vec![(fast, code)],
        signed_records: Vec::new(),
    };
    let read = async |emitters: connect4_client::Emitters| {
        let read = world.client.blocks_after(&emitters, None, 512).await;
        let connect4_client::ReadBlocks::Read(read) = read.unwrap() else {
            panic!("there are no forks")
        };
        let events = read.blocks.into_iter().flat_map(|block| block.events);
        events.filter(|event| event.fast().is_some()).count()
    };
    assert_eq!(
        read(emitters(world.contract.records_code().unwrap())).await,
        2
    );
    assert_eq!(read(emitters([0; 32])).await, 0);
}
