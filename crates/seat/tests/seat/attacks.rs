//! Attacks on what a seat signs and believes, each by an example.

use connect4_protocol::signed::staked_room::Offer;
use connect4_protocol::signed::{ChainGame, Kind};
use connect4_rules::{Bin, Player, Shape};
use connect4_seat::{Duty, Moved, OFFER_STANDS, Seat};

use crate::world::{Chain, Disk, TestSeat, account, drop, forge, key, play, press, seat, signed};

fn new(honest: Player) -> (Chain, Disk, TestSeat) {
    let chain = Chain::new(Shape::CLASSROOM);
    let disk = Disk::default();
    let seat = seat(honest, &disk, &chain);
    (chain, disk, seat)
}

const WON: [u8; 7] = [5, 0, 4, 0, 3, 0, 2];

/// The cheat's time has run out on the chain: the honest player has won, and claims. Then the cheat sends
/// a line for that turn, which the contract would refuse. The program agrees to it by itself, which the
/// contract takes at any time.
#[test]
fn a_line_that_is_too_late_for_the_chain_is_not_agreed_to() {
    let (mut chain, _, mut honest) = new(Player::Two);
    play(&mut honest, &mut chain, &WON[..6]);
    let pressed = honest.press().expect("one is to move");
    press(&mut chain, Player::Two, &pressed).expect("it waits");
    chain.now = chain.game.deadline().expect("runs") + 1;
    honest.see(chain.game, chain.now);
    assert_eq!(honest.duty(), Some(Duty::Claim), "it has won on time");
    let late = signed(Player::One, &WON, None);
    assert!(chain.advance(&late, None).is_err(), "the chain refuses it");
    honest.receive(&late).expect("signed");
    // The cheat is faster with what the honest program tells it.
    if let Some(agreed) = honest.journal().resignations[Player::Two] {
        chain.advance(&agreed, None).expect("it stands for good");
    }
    assert_ne!(
        chain.game.game.winner(),
        Some(Player::One),
        "the stake of a game that was won on time is taken"
    );
}

/// A disc that was sent to the chain is forgotten when another one is sent there, and then another
/// move is signed for its turn. Here the first one is there, and wins; the node shows another branch for a
/// while. The signature contests the line.
#[test]
fn what_was_sent_to_the_chain_binds_after_another_disc_there() {
    // Blue wins by its fourth move, after red's 3; red goes back to 4 instead.
    let (mut chain, disk, mut honest) = new(Player::Two);
    let moves = [5, 0, 5, 0, 4, 0];
    play(&mut honest, &mut chain, &moves);
    let position = honest.journal().position;
    chain.advance(&position, None).expect("signed");
    let before = chain.game;
    // The cheat drops on the chain, and the honest player answers there, by its line.
    chain.drop(Player::One, Bin::new(1)).expect("its turn");
    honest.see(chain.game, chain.now);
    drop(&mut honest, &mut chain, 0).expect("it wins");
    assert_eq!(chain.game.game.winner(), Some(Player::Two));
    // The node shows another branch. What is sent there stays with the node.
    let mut shown = before;
    shown
        .drop(account(Player::One), Bin::new(0), chain.now)
        .expect("its turn");
    honest.see(shown, chain.now);
    assert!(matches!(honest.drop(Bin::new(3)), Ok(Moved::OnChain(_))));
    // It shows the block before, and the cheat signs that other move.
    honest.see(before, chain.now);
    let other = signed(Player::One, &[5, 0, 5, 0, 4, 0, 0], None);
    honest.receive(&other).expect("signed");
    if let Ok(Moved::Signed(mut evidence)) = honest.drop(Bin::new(3)) {
        // The truth: a line that the honest player has made, and that can be contested.
        evidence.moves.push(Bin::new(1));
        evidence.signatures[Player::One] = forge(Player::One, Kind::Position, &evidence.moves);
        chain.advance(&evidence, None).expect("it has more moves");
    }
    assert_eq!(
        chain.game.game.winner(),
        Some(Player::Two),
        "a line on the chain was contested by what its owner has signed: {:?}",
        disk.journal.borrow().dropped
    );
}

/// A draw that both have signed, and that the chain would take now, is given away for a line that the
/// opponent signs after it.
#[test]
fn a_draw_that_the_chain_would_take_is_not_given_away() {
    let (mut chain, _, mut honest) = new(Player::Two);
    play(&mut honest, &mut chain, &WON[..6]);
    let offer: Offer = honest
        .offer_draw(chain.now + OFFER_STANDS)
        .expect("after its move");
    let until = offer.until;
    let draw = offer.accepted(forge(Player::One, Kind::Draw { until }, &offer.moves));
    honest.receive(&draw).expect("signed by both");
    assert_eq!(honest.duty(), Some(Duty::Advance(draw)));
    honest
        .receive(&signed(Player::One, &WON, None))
        .expect("signed");
    assert_eq!(honest.duty(), Some(Duty::Advance(draw)), "it still can");
}

/// Whatever bytes a node answers, nothing panics.
#[test]
fn no_bytes_of_a_node_make_a_seat_panic() {
    use codec::{Decode as _, Encode as _};
    let (chain, _, mut honest) = new(Player::Two);
    let mut chain = chain;
    play(&mut honest, &mut chain, &WON[..6]);
    let bytes = chain.game.encode();
    let mut random = 1_u64;
    let mut next = || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random
    };
    let mut seen = 0;
    for _ in 0..3_000 {
        let mut bytes = bytes.clone();
        for _ in 0..=next() % 4 {
            let at = usize::try_from(next()).unwrap_or(0) % bytes.len();
            bytes[at] = match next() % 3 {
                0 => 0xff,
                1 => u8::try_from(next() % 8).unwrap(),
                _ => u8::try_from(next() % 256).unwrap(),
            };
        }
        let Ok(shown) = ChainGame::decode(&mut &*bytes) else {
            continue;
        };
        seen += 1;
        let disk = Disk::default();
        disk.journal.replace(honest.journal().clone());
        // With the game of the node, as at the beginning, and with another one.
        let now = [0, chain.now, u64::MAX][usize::try_from(next() % 3).unwrap()];
        let begun = Seat::resume(
            chain.subject(),
            key(Player::Two),
            disk.journal.borrow().clone(),
            disk.clone(),
            shown,
            now,
        );
        let other = seat(Player::Two, &disk, &chain);
        for mut seat in begun.into_iter().chain([other]) {
            seat.see(shown, now);
            seat.pass_time([0, u64::MAX][usize::try_from(next() % 2).unwrap()]);
            let duty = seat.duty();
            let _ = duty.map(|duty| seat.patience(&duty));
            let _ = (
                seat.latest(),
                seat.deadline(),
                seat.settlement(),
                seat.is_lost(),
            );
            let _ = (
                seat.press(),
                seat.offer_draw(u64::MAX),
                seat.offered().copied(),
            );
            let _ = seat.concede();
            let _ = seat.drop(Bin::new(u8::try_from(next() % 9).unwrap()));
            let _ = (seat.resign(), seat.latest(), seat.duty());
        }
    }
    assert!(seen > 100);
}

/// A node shows a line of the opponent that nobody has signed, for half a minute. The program believes that
/// it has lost, and ends (`settle` of the CLI, after `GRACE`); then older positions run against it.
#[test]
fn nobody_has_lost_by_the_word_of_a_node() {
    let (chain, _, mut honest) = new(Player::Two);
    let mut chain = chain;
    play(&mut honest, &mut chain, &WON[..6]);
    let mut shown = chain.game;
    shown.game = honest.latest();
    shown
        .drop(account(Player::One), Bin::new(2), chain.now)
        .expect("its turn");
    assert!(shown.contest.is_some(), "not even final");
    honest.see(shown, chain.now);
    assert_eq!(honest.journal().resignations[Player::Two], None);
    assert!(honest.is_lost(), "as the node shows it");
    assert!(!honest.has_lost(), "its program does not end");
}
