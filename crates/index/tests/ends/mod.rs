//! Signed games without a stake: recorded by the real contract, and what of them counts.

mod pools;
mod table;

use codec::Encode as _;
use connect4_client::Address;
use connect4_index::{Filter, Kind, League, Uncounted};
use connect4_protocol::signed::SessionKey;
use connect4_protocol::signed::event::{GameRecorded, WitnessContradicted};
use connect4_protocol::signed::message::Record;
use connect4_protocol::signed::{Chain, Ending, Group, Moves, RecordedEnd, Terms};
use connect4_protocol::{End, GameName, topic};
use connect4_rules::Player;
use connect4_testing::Account;
use connect4_testing::contracts::SIGNED_RECORDS;
use connect4_testing::games;
use connect4_testing::impostor::Impostor;
use connect4_testing::message::data;
use connect4_testing::signed::{SignedPlay, list_of};

use table::{DAY, LEAGUE, Table, column, witness};

#[tokio::test]
async fn a_recorded_end_is_a_past_game_a_result_and_a_rating() {
    let table = Table::new().await;
    let by = witness(0);
    let first = table.play(1, 1, Some(&by));
    let terms = Terms {
        event: Some([7; 32]),
        previous: Some(first.number),
        ..table.play(1, 2, Some(&by)).signed.terms
    };
    let play = SignedPlay::on(table.chain(), terms, first.keys.clone());
    let at = table.now() + 3;
    table.record(&[table.won(&first, &by, at - 2)], &by).await;
    table.record(&[table.won(&play, &by, at)], &by).await;
    table.check().await;
    let game = table.game(&play).await.unwrap();
    assert_eq!(game.game, GameName::Terms(play.number));
    assert_eq!((game.kind, game.plies), (Kind::Signed, 7));
    assert_eq!(game.moves, games::SHORT);
    assert_eq!(game.ended_how, Some(End::Line.to_string()));
    assert_eq!(game.winner, Some(play.keys.one.address()));
    assert_eq!(
        (game.started_time, game.ended_time),
        (Some(table.now()), Some(at))
    );
    let by_terms = game.by_terms.unwrap();
    assert_eq!(by_terms.witness, Some(by.address()));
    assert_eq!(by_terms.event.map(|event| event.0), Some([7; 32]));
    assert_eq!(by_terms.previous, Some(first.number));
    assert_eq!((by_terms.pool, by_terms.at), (1, Some(1000 * at)));
    assert_eq!(by_terms.recorded_by, Some(table.world.people[3].address()));
    assert_eq!(by_terms.uncounted, None);

    let one = play.keys.one.address();
    let profile = table.index.profile(one).await.unwrap();
    assert_eq!((profile.games, profile.open.len()), (2, 0));
    assert_eq!(table.standing(&play).await, Some((2, 2, 1531)));
    let points: Vec<_> = profile.points.iter().map(|of| of.game).collect();
    assert_eq!(points, [first.number.into(), play.number.into()]);
    for league in League::OF_VARIANTS {
        let page = table.index.standings(league, 0, 9).await.unwrap();
        assert_eq!(page.accounts, 0, "{league}");
    }
    assert_eq!(profile.series[0].tally.wins, 2);
    assert_eq!(profile.lines[0].tally.wins, 2);
    let found = table.index.accounts_beginning(&one.to_string(), 1).await;
    assert_eq!(found.unwrap()[0].games, 2);
    let filter = Filter {
        kind: Some(Kind::Signed),
        ..Filter::default()
    };
    let history = table.index.history(filter, None, 9).await.unwrap().games;
    assert_eq!(history[0].game, game.game);
    assert_eq!(table.index.live(9).await.unwrap(), []);
    assert_eq!(table.index.skipped_events().await.unwrap(), 0);
    assert_eq!(table.index.witnessed_pools(9).await.unwrap(), [1]);
    // The same record again changes nothing.
    table.record(&[table.won(&play, &by, at)], &by).await;
    table.check().await;
    assert_eq!(table.standing(&play).await, Some((2, 2, 1531)));
}

#[tokio::test]
async fn games_are_rated_by_the_witnesses_that_the_host_counts() {
    let table = Table::new().await;
    let (own, other) = (witness(0), witness(1));
    let plays = [1, 2, 3].map(|nonce| {
        let by = if nonce == 2 { &other } else { &own };
        (table.play(1, nonce, Some(by)), by)
    });
    for (play, by) in &plays {
        table.record(&[table.won(play, by, table.now())], by).await;
    }
    table.check().await;
    let (play, _) = &plays[1];
    // It is a win, and changes no rating.
    assert_eq!(table.uncounted(play).await, None);
    assert_eq!(table.standing(play).await, Some((2, 2, 1531)));
    let profile = table.index.profile(play.keys.one.address()).await.unwrap();
    assert_eq!(profile.lines[0].tally.wins, 3);
    for (keys, rated) in [
        (vec![own.clone(), other.clone()], 3),
        (vec![other.clone()], 1),
        (vec![own.clone()], 2),
    ] {
        let keys = keys.iter().map(SessionKey::address).collect();
        table.index.count_witnesses(keys);
        table.check().await;
        assert_eq!(table.standing(play).await.unwrap().1, rated);
    }
    table.index.count_witnesses([].into());
    table.check().await;
    assert_eq!(table.standing(play).await, None);
}

/// The genesis of the terms is another chain's, whose number is the same, or the contract is none of the records.
#[tokio::test]
async fn what_others_tell_or_was_signed_for_another_chain_is_no_game() {
    let mut table = Table::new().await;
    let by = witness(0);
    let elsewhere = Chain {
        genesis: [7; 32],
        ..table.chain()
    };
    let other = table.play_on(elsewhere, 1, 1, Some(&by));
    let won = table.won(&other, &by, table.now());
    table.record_on(elsewhere, &[won], &by).await;
    // Made up, by other code at an address that gets that of the records in the same block.
    let forged = table.play(1, 2, Some(&by));
    let terms = forged.signed.terms;
    let recorded = GameRecorded {
        game: forged.number,
        player_one: terms.players.one.account(),
        player_two: terms.players.two.account(),
        genesis: table.chain().genesis,
        terms,
        moves: table.won(&forged, &by, 0).moves,
        end: End::Line,
        winner: Some(terms.players.one.account()),
        at: Some(1000 * table.now()),
    };
    let honest = table.play(2, 3, Some(&by));
    table
        .record(&[table.won(&honest, &by, table.now())], &by)
        .await;
    let contradicted = WitnessContradicted {
        game: honest.number,
        witness: by.address(),
        genesis: table.chain().genesis,
        how: connect4_protocol::signed::Contradiction::TwoEnds,
    };
    let events = vec![
        (topic(GameRecorded::DECLARATION), recorded.encode()),
        (
            topic(WitnessContradicted::DECLARATION),
            contradicted.encode(),
        ),
    ];
    let chain = table.world.chain.clone();
    let forging = move || {
        let impostor = Impostor::new(&chain, Account::Ferdie);
        let address = impostor.address;
        let _ = impostor.act(events, SIGNED_RECORDS, &data("new", ()));
        address
    };
    let impostor = tokio::task::spawn_blocking(forging).await.unwrap();
    table.check().await;
    for play in [&other, &forged] {
        assert_eq!(table.game(play).await, None);
    }
    assert_eq!(table.uncounted(&honest).await, None);
    assert_eq!(table.standing(&honest).await, Some((1, 1, 1516)));
    // Nor if it is named as the contract of the variants, whose code nobody is asked for.
    table.name_variants(impostor).await;
    assert_eq!(table.game(&forged).await, None);
    assert_eq!(table.uncounted(&honest).await, None);
}

#[tokio::test]
async fn nothing_of_a_witness_counts_that_is_recorded_after_it_has_contradicted_itself() {
    let table = Table::new().await;
    let (by, honest) = (witness(0), witness(1));
    let keys = [&by, &honest].map(SessionKey::address);
    table.index.count_witnesses(keys.into());
    let game = |nonce| table.play(1, nonce, Some(&by));
    let (before, about, after) = (game(1), game(2), game(3));
    let others = table.play(1, 4, Some(&honest));
    let at = table.now();
    table.record(&[table.won(&about, &by, at)], &by).await;
    table.record(&[table.won(&before, &by, at)], &by).await;
    table.check().await;
    assert_eq!(table.standing(&before).await, Some((2, 2, 1531)));
    table.contradict(&about, &by).await;
    table.record(&[table.won(&after, &by, at)], &by).await;
    table
        .record(&[table.won(&others, &honest, at)], &honest)
        .await;
    table.check().await;
    let contradicted = Some(Uncounted::Contradicted);
    assert_eq!(table.uncounted(&before).await, None);
    assert_eq!(table.uncounted(&about).await, contradicted);
    assert_eq!(table.uncounted(&after).await, contradicted);
    assert_eq!(table.uncounted(&others).await, None);
    assert_eq!(table.standing(&before).await, Some((2, 2, 1531)));
    // Once more, and about a game that was never recorded: nothing changes.
    table.contradict(&about, &by).await;
    let never = game(5);
    table.contradict(&never, &by).await;
    table.record(&[table.won(&never, &by, at)], &by).await;
    table.check().await;
    assert_eq!(table.uncounted(&never).await, contradicted);
    assert_eq!(table.standing(&before).await, Some((2, 2, 1531)));
}

/// Two ends that differ prove by themselves that the witness is dishonest.
#[tokio::test]
async fn two_records_that_differ_are_a_contradiction() {
    let table = Table::new().await;
    let by = witness(0);
    let [about, before, after] = [1, 2, 3].map(|nonce| table.play(1, nonce, Some(&by)));
    let at = table.now();
    table
        .record(
            &[table.won(&about, &by, at), table.won(&before, &by, at)],
            &by,
        )
        .await;
    table.check().await;
    assert_eq!(table.standing(&about).await, Some((2, 2, 1531)));
    table.record(&[table.won(&about, &by, at + 1)], &by).await;
    table.record(&[table.won(&after, &by, at)], &by).await;
    table.check().await;
    assert_eq!(table.uncounted(&about).await, Some(Uncounted::Contradicted));
    assert_eq!(table.uncounted(&after).await, Some(Uncounted::Contradicted));
    assert_eq!(table.uncounted(&before).await, None);
    assert_eq!(table.standing(&about).await, Some((1, 1, 1516)));
}

/// A fork takes a contradiction back, and the game counts where it did.
#[tokio::test]
async fn a_contradiction_that_a_fork_has_taken_back_is_none() {
    let table = Table::new().await;
    let by = witness(0);
    let [about, later] = [1, 2].map(|nonce| table.play(1, nonce, Some(&by)));
    let at = table.now();
    table.record(&[table.won(&about, &by, at)], &by).await;
    table.record(&[table.won(&later, &by, at)], &by).await;
    table.contradict(&about, &by).await;
    table.check().await;
    assert_eq!(table.standing(&later).await, Some((1, 1, 1516)));
    let retracted = connect4_chain::Retracted::Drop;
    table.world.chain.reorganise(1, retracted).unwrap();
    table.check().await;
    assert_eq!(table.uncounted(&about).await, None);
    assert_eq!(table.standing(&later).await, Some((2, 2, 1531)));
}

#[tokio::test]
async fn an_end_that_is_far_from_the_time_of_its_block_counts_for_nothing() {
    let table = Table::new().await;
    let by = witness(0);
    let at = table.now();
    let month = 31 * DAY;
    // The chain's clock goes on while games are recorded, by less than a minute.
    let cases = [
        (at + 11 * 60, false),
        (at + 9 * 60, true),
        (at - month - 1, false),
        (at - month + 60, true),
    ];
    let mut plays = Vec::new();
    for (nonce, (at, counts)) in (0..).zip(cases) {
        let play = table.play(u64::from(nonce), nonce, Some(&by));
        let play = table.dated(&play, at);
        table.record(&[table.won(&play, &by, at)], &by).await;
        plays.push((play, counts));
    }
    table.check().await;
    for (play, counts) in plays {
        let why = (!counts).then_some(Uncounted::OtherTime);
        assert_eq!(table.uncounted(&play).await, why);
        let standing = counts.then_some((1, 1, 1516));
        assert_eq!(table.standing(&play).await, standing);
    }
}

/// In whichever order they are recorded: who records the last game of a day first gains nothing.
#[tokio::test]
async fn five_games_of_a_pair_are_rated_in_a_day() {
    let table = Table::new().await;
    let by = witness(0);
    let now = table.now();
    let mut rated = Vec::new();
    for (pair, is_backwards) in [(1, false), (2, true)] {
        // Six within a day, and one a day after the first of them.
        let mut times: Vec<u64> = (0..6).map(|hour| now - DAY + 3600 * hour).collect();
        times.push(now);
        if is_backwards {
            times.reverse();
        }
        for (nonce, at) in (0..).zip(times) {
            let play = table.dated(&table.play(pair, nonce, Some(&by)), at);
            table.record(&[table.won(&play, &by, at)], &by).await;
        }
        table.check().await;
        let (wins, count, _) = table.standing(&table.play(pair, 0, None)).await.unwrap();
        assert_eq!(wins, 7);
        rated.push(count);
    }
    assert_eq!(rated, [6, 6]);
    let none = connect4_index::Recorded::default();
    let leagues = table.index.leagues(0, &none).await.unwrap();
    assert_eq!(leagues[&LEAGUE].unrated.frequent, 2);
}

/// By when they ended: terms can be signed of any day, and rooms of days ago kept for one hour.
#[tokio::test]
async fn games_of_a_pair_are_counted_in_a_day_by_their_ends_and_not_by_their_terms() {
    let table = Table::new().await;
    let by = witness(0);
    let now = table.now();
    for nonce in 0..6 {
        let days_ago = now - DAY * u64::from(6 - nonce);
        let play = table.dated(&table.play(1, nonce, Some(&by)), days_ago);
        let at = now - 3600 + 600 * u64::from(nonce);
        table.record(&[table.won(&play, &by, at)], &by).await;
    }
    table.check().await;
    let (wins, rated, _) = table.standing(&table.play(1, 0, None)).await.unwrap();
    assert_eq!((wins, rated), (6, 5));
}

#[tokio::test]
async fn a_game_without_a_clock_is_shown_and_nobodys_win() {
    let table = Table::new().await;
    let by = witness(0);
    let timed = table.play(1, 1, Some(&by));
    let terms = Terms {
        clock: None,
        ..timed.signed.terms
    };
    let play = SignedPlay::on(timed.chain, terms, timed.keys.clone());
    table
        .record(&[table.won(&play, &by, table.now())], &by)
        .await;
    table.check().await;
    assert_eq!(table.uncounted(&play).await, Some(Uncounted::NoClock));
    assert_eq!(table.standing(&play).await, None);
}

#[tokio::test]
async fn a_game_without_a_witness_is_shown_and_nobodys_win() {
    let table = Table::new().await;
    let by = witness(0);
    let play = table.play(1, 1, None);
    let resigned = |moves: usize| {
        let ending = Ending::Resignation(Player::Two);
        play.finished(&column()[..moves], ending, &by, 0)
    };
    table.record(&[resigned(4)], &by).await;
    table.check().await;
    table.record(&[resigned(3)], &by).await;
    table.record(&[resigned(5)], &by).await;
    table.check().await;
    let game = table.game(&play).await.unwrap();
    // Of several ends the one with most moves is shown.
    assert_eq!((game.plies, game.winner), (5, Some(game.players[0])));
    assert_eq!(table.uncounted(&play).await, Some(Uncounted::NoWitness));
    assert_eq!(table.standing(&play).await, None);
    let profile = table.index.profile(game.players[0]).await.unwrap();
    assert_eq!((profile.games, profile.lines), (1, vec![]));
}

#[tokio::test]
async fn the_swap_is_a_move_and_no_disc() {
    let table = Table::new().await;
    let by = witness(0);
    let usual = table.play(1, 1, Some(&by));
    let terms = Terms {
        pie_rule: true,
        pool: 2,
        ..usual.signed.terms
    };
    let play = SignedPlay::on(usual.chain, terms, usual.keys.clone());
    let ending = Ending::Resignation(Player::Two);
    let at = 1000 * table.now();
    let ended = play.finished(&[3, Moves::SWAP, 2], ending, &by, at);
    table.record(&[ended], &by).await;
    table.check().await;
    let game = table.game(&play).await.unwrap();
    assert_eq!((game.plies, game.moves.as_str()), (3, "4s3"));
    let position = game.position.as_deref().unwrap();
    assert!(position.ends_with("/..br..."), "{position}");
    assert_eq!((game.to_move, game.deadline), (None, None));
    assert_eq!(table.index.live(9).await.unwrap(), []);
}

/// The records that anybody has deployed count, by their code.
#[tokio::test]
async fn records_of_signed_games_count_by_their_code() {
    let table = Table::new().await;
    let by = witness(0);
    let bob = &table.world.people[1];
    let deployed = table
        .world
        .client
        .deploy(bob, crate::common::CODE)
        .await
        .unwrap();
    let kind = connect4_protocol::message::ContractKind::SignedRecords;
    let own = table.world.contract.address_of(kind);
    let others: Option<Address> = deployed.signed_records;
    assert!(own.is_some() && others.is_some() && own != others);
    let play = table.play(1, 1, Some(&by));
    let won = [table.won(&play, &by, table.now())];
    let group = Group {
        genesis: table.chain().genesis,
        witness: Some(by.address()),
        event: None,
        list: Some(list_of(&won, table.chain(), &by).1),
    };
    let games = vec![RecordedEnd::of(&won[0], true).unwrap()];
    let contract = table.world.contract.with_signed_records(others);
    contract.send(bob, Record { group, games }).await.unwrap();
    table.check().await;
    let game = table.game(&play).await.unwrap();
    assert_eq!(Some(game.contract), others);
    assert_eq!(table.standing(&play).await, Some((1, 1, 1516)));
}
