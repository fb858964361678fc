//! Events that look like those of records, by a contract that had other code when it emitted them.

use connect4_client::{Address, GameId};
use connect4_index::{Index, Kind, League};
use connect4_protocol::End;
use connect4_protocol::event::StartedByTerms;
use connect4_protocol::fast::{Ending, FIRST, PackedTerms};
use connect4_protocol::message::Record;
use connect4_rules::Player;
use connect4_testing::Account;
use connect4_testing::contracts::{RECORDS, code_hash};
use connect4_testing::dice::Dice;
use connect4_testing::impostor::{self, recorded};

use crate::column;
use crate::common::{World, standings};
use crate::play::{BORN, DAY, Play, at, of};

/// Emits events at an address at which the code of the records is at the end of the block, by other code.
async fn forge(world: &World, events: Vec<([u8; 32], Vec<u8>)>) -> Address {
    let chain = world.chain.clone();
    let forging = move || impostor::forge(&chain, Account::Ferdie, events);
    let address = tokio::task::spawn_blocking(forging).await.unwrap();
    assert_eq!(
        world.client.code_hash(address).await.unwrap(),
        Some(code_hash(RECORDS))
    );
    address
}

async fn built(world: &World, folder: &tempfile::TempDir) -> Index {
    let file = folder.path().join("index.db");
    world.built(&format!("sqlite:{}", file.display())).await
}

#[tokio::test]
async fn nobody_makes_up_games_at_an_address_that_gets_the_code_of_the_records() {
    let world = World::new().await;
    let folder = tempfile::tempdir().unwrap();
    let made_up = [world.terms(0, world.born), world.terms(1, world.born)];
    let forged = made_up
        .iter()
        .map(|play| recorded(play, &column(), End::Line, Player::One));
    let address = forge(&world, forged.collect()).await;
    let index = built(&world, &folder).await;
    for play in &made_up {
        assert_eq!(index.game(play.number()).await.unwrap(), None);
        assert_eq!(index.events_by_terms(play.number()).await.unwrap(), []);
    }
    assert_eq!(standings(&index).await, Vec::<String>::new());
    // The contract that is there now is one of records like all others.
    let others = world.contract.with_records(Some(address));
    let played = world.terms(2, world.born);
    let record = Record {
        fast: played.domain.contract,
        games: vec![played.recorded(&column(), None)],
    };
    others.send(&world.people[1], record).await.unwrap();
    assert!(index.catch_up().await.unwrap());
    let game = index.game(played.number()).await.unwrap().unwrap();
    assert_eq!(game.ended_how.as_deref(), Some("by a line"));
}

#[tokio::test]
async fn nobody_takes_a_recorded_win_away_by_a_made_up_resignation() {
    let world = World::new().await;
    let folder = tempfile::tempdir().unwrap();
    let play = world.terms(0, world.born);
    let record = Record {
        fast: play.domain.contract,
        games: vec![play.recorded(&column(), None)],
    };
    world.contract.send(&world.people[2], record).await.unwrap();
    let forged = recorded(&play, &column()[..4], End::Resignation, Player::Two);
    forge(&world, vec![forged]).await;
    let index = built(&world, &folder).await;
    let game = index.game(play.number()).await.unwrap().unwrap();
    assert_eq!(
        (game.ended_how.as_deref(), game.winner),
        (Some("by a line"), Some(game.players[0]))
    );
    let rows = index.profile(game.players[0]).await.unwrap().standings;
    let [(League::Signed(_), standing, 1)] = &rows[..] else {
        panic!("{rows:?}")
    };
    assert_eq!((standing.wins, standing.losses), (1, 0));
    // What is signed does say it: the winner may resign, and then has lost.
    let resigned = Record {
        fast: play.domain.contract,
        games: vec![play.recorded(&column()[..4], Some(Ending::Resignation(Player::One)))],
    };
    world
        .contract
        .send(&world.people[2], resigned)
        .await
        .unwrap();
    assert!(index.catch_up().await.unwrap());
    let game = index.game(play.number()).await.unwrap().unwrap();
    assert_eq!(game.winner, Some(game.players[1]));
}

#[tokio::test]
async fn nobody_takes_a_game_for_a_stake_out_of_the_ratings_by_terms_with_its_number() {
    let world = World::new().await;
    let folder = tempfile::tempdir().unwrap();
    let [alice, bob] = [&world.people[0], &world.people[1]];
    let play = world.begin_fast([alice, bob], &mut Dice(7)).await;
    assert_eq!(play.id(), GameId::Fast(0));
    let terms = world.terms(2, world.born);
    let event = StartedByTerms {
        game: play.id().number(),
        number: terms.number(),
        fast: terms.domain.contract,
        terms: PackedTerms::from(&terms.terms),
    };
    let (topic, data, _) = of(StartedByTerms::DECLARATION, &event, true);
    forge(&world, vec![(topic, data)]).await;
    world.end_fast(&play, bob).await;
    let index = built(&world, &folder).await;
    assert_eq!(index.game(terms.number()).await.unwrap(), None);
    let game = index.game(play.id()).await.unwrap().unwrap();
    assert_eq!(game.kind, Kind::Fast);
    assert_eq!(game.winner, Some(alice.address()));
    let rated = standings(&index).await;
    assert_eq!(rated.len(), 2, "{rated:?}");
}

/// A start by terms counts beside the start of its game alone, even if a contract of the records tells it.
#[tokio::test]
async fn terms_take_no_number_of_a_game_that_they_have_not_started() {
    let world = World::new().await;
    let folder = tempfile::tempdir().unwrap();
    let (mut chain, _) = at(&world, &folder, "numbers.db").await;
    let [one, two, three] = crate::PEOPLE;
    let terms = Play::new(chain.fast, 9, [one, two], BORN);
    let other = Play::new(chain.fast, 8, [two, three], BORN);
    let on_chain = |game| terms.start(game)[..3].to_vec();
    let by_terms = |play: &Play, game| play.start(game)[3..].to_vec();
    let moves = column();
    chain
        .add(vec![
            // A game that began by a challenge, in an earlier block of the same reading.
            (BORN, on_chain(FIRST)),
            (BORN + 6, by_terms(&terms, FIRST)),
            (BORN + 12, terms.advance(FIRST, &moves)),
        ])
        .await;
    // The number of one that nobody has started yet, then that of one that other terms have started.
    chain
        .add(vec![(BORN + 18, by_terms(&terms, FIRST + 1))])
        .await;
    chain.add(vec![(BORN + 24, other.start(FIRST + 1))]).await;
    let twice = [terms.start(FIRST + 2), by_terms(&other, FIRST + 2)].concat();
    chain.add(vec![(BORN + 30, twice)]).await;
    chain
        .add(vec![(BORN + DAY, terms.end(FIRST, End::Line, Player::One))])
        .await;
    let kind = async |number| {
        let game = chain.index.game(GameId::Fast(number)).await.unwrap();
        game.map(|game| (game.kind, game.game))
    };
    assert_eq!(kind(0).await, Some((Kind::Fast, GameId::Fast(0).into())));
    assert_eq!(kind(1).await, Some((Kind::Signed, other.number.into())));
    assert_eq!(kind(2).await, Some((Kind::Signed, terms.number.into())));
    let game = chain.index.game(terms.number).await.unwrap().unwrap();
    assert_eq!(game.by_terms.unwrap().dispute, Some(GameId::Fast(2)));
    assert_eq!(game.ended_block, None);
}
