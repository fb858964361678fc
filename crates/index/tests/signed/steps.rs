//! An index that follows the chain in steps and through forks, beside one that is built at once.

use connect4_client::Address;
use connect4_protocol::End;
use connect4_protocol::fast::{FIRST, Piece, Results};
use connect4_rules::Player;
use connect4_testing::dice::Dice;

use crate::common::{World, assert_equal, dump, standings};
use crate::play::{BORN, Emissions, Play, at};
use crate::{PEOPLE, column};

/// Evidence at random, followed in steps and through forks, beside an index that is built at once.
#[tokio::test]
async fn steps_and_forks_make_the_rows_that_are_made_at_once() {
    let world = World::new().await;
    let folder = tempfile::tempdir().unwrap();
    let (mut steps, url) = at(&world, &folder, "steps.db").await;
    let mut dice = Dice(11);
    let mut blocks: Vec<(u64, Emissions)> = Vec::new();
    let mut started: Vec<(u32, usize)> = Vec::new();
    let plays: Vec<Play> = (0..12)
        .map(|nonce| {
            let players = [PEOPLE[nonce % 3], PEOPLE[(nonce + 1 + nonce / 3 % 2) % 3]];
            let time = BORN + 40 * (nonce as u64 * 7 % 12);
            let mut play = Play::new(steps.fast, nonce as u8 + 1, players, time);
            play.terms.pool = [0, 4][nonce % 2];
            play
        })
        .collect();
    let moves = column();
    for step in 0..260 {
        let which = dice.below(plays.len() as u64) as usize;
        let play = &plays[which];
        let long = 2 + dice.below(6) as usize;
        let piece = |end, winner| play.record(&moves[..long], end, winner);
        let time = BORN + 3600 * blocks.len() as u64;
        let emitted = match dice.below(6) {
            0 if long < 7 => {
                let winner = dice.one_of(&Player::ALL);
                piece(Some(End::Resignation), Some(winner))
            }
            1 if long < 7 => piece(Some(End::Agreement), None),
            2 if started.iter().all(|(_, of)| *of != which) => {
                let game = FIRST + blocks.len() as u32;
                started.push((game, which));
                play.start(game)
            }
            3 if !started.is_empty() => {
                let (game, which) = dice.one_of(&started);
                match dice.once_in(3) {
                    true => plays[which].end(game, End::Timeout, Player::Two),
                    false => plays[which].advance(game, &moves[..long]),
                }
            }
            _ if long == 7 => piece(Some(End::Line), Some(Player::One)),
            _ => piece(None, None),
        };
        blocks.push((time, emitted));
        if dice.once_in(3) {
            let next = steps.next as usize - 1;
            steps.add(blocks[next..].to_vec()).await;
        }
        if dice.once_in(6) && steps.next > 8 {
            let next = steps.next as usize - 1;
            steps.add(blocks[next..].to_vec()).await;
            let last = steps.next - 2 - dice.below(6) as u32;
            steps.retract(last).await;
            blocks.truncate(last as usize);
            started.retain(|(game, _)| game - FIRST < last);
        }
        if step % 20 == 19 {
            let next = steps.next as usize - 1;
            steps.add(blocks[next..].to_vec()).await;
            let (mut once, at_once) = at(&world, &folder, &format!("once-{step}.db")).await;
            once.add(blocks.clone()).await;
            assert_equal(&dump(&url).await, &dump(&at_once).await, &format!("{step}"));
            let counted = standings(&once.index).await;
            let rows = dump(&at_once).await.into_iter();
            let mut rows: Vec<String> = rows.filter(|row| row.starts_with("accounts: ")).collect();
            rows.sort();
            assert_eq!(rows, counted);
        }
    }
    // Each game has the result of all that is on the chain about it.
    for play in &plays {
        let game = steps.index.game(play.number).await.unwrap();
        let expected = result(&blocks, play);
        let found = game.and_then(|game| game.ended_how);
        assert_eq!(found, expected.end.map(|end| end.to_string()));
    }
}

/// The result of a game by all events.
fn result(blocks: &[(u64, Emissions)], play: &Play) -> Piece {
    let mut results = Results::default();
    let mut dispute: Option<(u32, Piece)> = None;
    let player_of = |winner: Address| {
        Player::ALL
            .into_iter()
            .find(|player| play.account(*player) == winner)
    };
    for (topic, data, _) in blocks.iter().flat_map(|(_, emitted)| emitted) {
        use connect4_client::Event;
        match Event::decode(topic, data).unwrap().unwrap() {
            Event::GameRecorded(event) if event.number == play.number => {
                results.add(&Piece {
                    moves: event.moves,
                    end: event.end,
                    winner: event.winner.and_then(player_of),
                });
            }
            Event::StartedByTerms(event) if event.number == play.number => {
                dispute = Some((event.game, Piece::START));
            }
            Event::Advanced(event) => {
                if let Some((game, piece)) = &mut dispute
                    && *game == event.game
                {
                    piece.moves = event.moves;
                }
            }
            Event::GameEnded(event) => {
                if let Some((game, piece)) = &mut dispute
                    && *game == event.game
                {
                    piece.end = Some(event.end);
                    piece.winner = event.winner.and_then(player_of);
                }
            }
            _ => {}
        }
    }
    if let Some((_, piece)) = dispute {
        results.add(&piece);
    }
    results.result()
}
