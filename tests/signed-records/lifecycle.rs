//! What is recorded of a game, by examples.

use connect4_protocol::End;
use connect4_protocol::signed::event::GameRecorded;
use connect4_protocol::signed::{Ending, Moves, RecordsError, Refused, Terms};
use connect4_rules::{Player, Shape};
use connect4_testing::games;

use crate::world::{World, line, packed, witness};

#[test]
fn a_record_tells_who_played_on_which_terms_and_how_it_ended() {
    let world = World::new();
    let play = world.guests(1);
    let game = world.ended(&play, &line(), Ending::Board);
    let terms = play.signed.terms;
    let recorded = world.record(&[game]).expect("it is an end");
    let expected = GameRecorded {
        game: play.number,
        player_one: terms.players.one.account(),
        player_two: terms.players.two.account(),
        genesis: world.chain().genesis,
        terms,
        moves: game.moves,
        end: End::Line,
        winner: Some(terms.players.one.account()),
        at: Some(world.at()),
    };
    assert_eq!(recorded, [expected]);
}

#[test]
fn accounts_of_both_kinds_play_by_keys_that_they_have_named() {
    let world = World::new();
    let play = world.wallets(1);
    let game = world.ended(&play, &line(), Ending::Resignation(Player::One));
    // The loser can't resign at a line of its own.
    let refused = RecordsError::Game {
        place: 0,
        refused: Refused::EndedBefore,
    };
    assert_eq!(world.record(&[game]), Err(refused));
    let game = world.ended(&play, &line()[..4], Ending::Resignation(Player::One));
    let recorded = world.record(&[game]).expect("it is an end");
    let terms = play.signed.terms;
    assert_eq!(recorded[0].winner, Some(terms.players.two.account()));
    assert_eq!(recorded[0].end, End::Resignation);
    assert_ne!(terms.players.one.account(), terms.players.one.key());
}

#[test]
fn each_end_is_told_by_its_name() {
    let world = World::new();
    let open = &line()[..4];
    let full: Vec<u8> = games::bins(games::DRAW).collect();
    let swapped = [3, Moves::SWAP, 2, 3, 2, 3, 2, 3];
    let one = Some(Player::One);
    let two = Some(Player::Two);
    let ends: [(&[u8], Ending, End, Option<Player>); 6] = [
        (&line(), Ending::Board, End::Line, one),
        (&swapped, Ending::Board, End::Line, two),
        (&full, Ending::Board, End::FullBoard, None),
        (open, Ending::Draw, End::Agreement, None),
        (
            open,
            Ending::Resignation(Player::One),
            End::Resignation,
            two,
        ),
        (open, Ending::Lapse(Player::One), End::Timeout, two),
    ];
    let plays: Vec<_> = (0..ends.len() as u64)
        .map(|number| world.guests(number))
        .collect();
    let games: Vec<_> = plays
        .iter()
        .zip(ends)
        .map(|(play, (bins, ending, ..))| world.ended(play, bins, ending))
        .collect();
    let recorded = world.record(&games).expect("they are ends");
    for ((play, recorded), (_, _, end, winner)) in plays.iter().zip(recorded).zip(ends) {
        let winner = winner.map(|winner| play.signed.terms.players.get(winner).account());
        assert_eq!((recorded.game, recorded.end), (play.number, end));
        assert_eq!(recorded.winner, winner, "{end:?}");
    }
}

/// Nobody has to be believed for it: both have signed the end, and no time is told.
#[test]
fn without_a_witness_both_players_tell_the_end() {
    let world = World::new();
    let terms = Terms {
        witness: None,
        ..world.terms()
    };
    let play = world.of_guests(terms, 1);
    let unagreed = world.ended(&play, &line(), Ending::Board);
    let refused = RecordsError::Game {
        place: 0,
        refused: Refused::Unagreed,
    };
    assert_eq!(world.record(&[unagreed]), Err(refused));
    let agreed = world.ended(&play, &line(), Ending::Resignation(Player::Two));
    let recorded = world.record(&[agreed]).expect("both have signed it");
    assert_eq!((recorded[0].end, recorded[0].at), (End::Line, None));
}

/// A call has up to 64 ends by one signature of their witness, and more bytes than ink! reads.
#[test]
fn one_signature_of_a_witness_is_for_all_games_of_a_call() {
    let world = World::new();
    let games: Vec<_> = (0..65)
        .map(|number| world.ended(&world.guests(number), &line(), Ending::Board))
        .collect();
    let recorded = world.record_listed(&games[..64]).expect("they are ends");
    assert_eq!(recorded.len(), 64);
    let numbers: Vec<_> = recorded.iter().map(|recorded| recorded.game).collect();
    let played: Vec<_> = (0..64).map(|number| world.guests(number).number).collect();
    assert_eq!(numbers, played);
    assert_eq!(world.record_listed(&games), Err(RecordsError::LongList));
    assert_eq!(world.record(&games).expect("each is signed").len(), 65);
}

/// Some ends of a call are in the list of the witness, others are signed by themselves.
#[test]
fn a_call_mixes_both() {
    let world = World::new();
    let games = [1, 2, 3].map(|number| world.ended(&world.guests(number), &line(), Ending::Board));
    let (_, list) =
        connect4_testing::signed::list_of(&[games[0], games[2]], world.chain(), &witness());
    let group = connect4_protocol::signed::Group {
        list: Some(list),
        ..world.group(&games[0].terms)
    };
    let sent = vec![
        packed(&games[0], true),
        packed(&games[1], false),
        packed(&games[2], true),
    ];
    assert_eq!(world.send(group, sent).expect("they are ends").len(), 3);
}

/// Tournament and series are in the event; so are boards of other shapes.
#[test]
fn all_terms_are_told() {
    let world = World::new();
    let before = world.guests(1).number;
    let terms = Terms {
        shape: Shape::new(14, 8, 5).expect("a shape").into(),
        event: Some([0xee; 32]),
        previous: Some(before),
        programs: connect4_rules::ByPlayer {
            one: false,
            two: true,
        },
        nonce: u32::MAX,
        ..world.terms()
    };
    let play = world.of_guests(terms, 2);
    let game = world.ended(&play, &[13, 0, 13], Ending::Resignation(Player::Two));
    let recorded = world.record(&[game]).expect("it is an end");
    assert_eq!(recorded[0].terms, play.signed.terms);
    assert_eq!(recorded[0].game, play.number);
}

/// Whoever counts games counts numbers.
#[test]
fn a_game_can_be_recorded_again() {
    let world = World::new();
    let game = world.ended(&world.guests(1), &line(), Ending::Board);
    let recorded = world.record(&[game, game]).expect("it is an end");
    assert_eq!(recorded[0], recorded[1]);
}
