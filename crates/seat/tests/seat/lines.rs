//! What a seat makes of a line of either player: who agrees to it, who contests it, who claims it.

use connect4_protocol::Error;
use connect4_protocol::signed::{Evidence, Kind, Moves, SignedEnd};
use connect4_rules::{Bin, ByPlayer, Player};
use connect4_seat::{Duty, Moved, OFFER_STANDS};

use crate::duties::{MISSED, WON, accept, new, resigned};
use crate::world::{Chain, TestSeat, drop, forge, play, signed};

#[test]
fn a_line_waits_for_the_agreement_of_its_loser_and_an_end_for_who_brings_it() {
    let moves = [0, 1, 0, 1, 0, 1, 3, 1];
    let (mut chain, _, mut honest) = new(Player::Two);
    play(&mut honest, &mut chain, &moves);
    let line = honest.duty().expect("the winner brings it");
    assert_eq!(line, Duty::Advance(honest.journal().position));
    assert_eq!(honest.patience(&line), 3);
    assert_eq!(honest.patience(&Duty::Claim), 0);
    let old = signed(Player::One, &moves[..6], None);
    chain.advance(&old, Some(Player::Two)).expect("signed");
    honest.see(chain.game, chain.now);
    assert_eq!(honest.patience(&line), 0, "a clock runs");
    let agreed = resigned(Player::One, &moves);
    honest.receive(&agreed).expect("signed");
    assert_eq!(honest.duty(), Some(Duty::Advance(agreed)));
}

#[test]
fn a_line_that_nobody_has_contested_is_claimed() {
    let moves = [0, 1, 0, 1, 0, 1, 3, 1];
    let (mut chain, _, mut honest) = new(Player::Two);
    play(&mut honest, &mut chain, &moves);
    chain
        .advance(&honest.journal().position, None)
        .expect("signed");
    let last = chain.game.contest.expect("a line");
    honest.see(chain.game, last);
    assert_eq!((honest.deadline(), honest.duty()), (Some(last), None));
    honest.see(chain.game, last + 1);
    assert_eq!(honest.duty(), Some(Duty::Claim));
    assert!(!honest.is_on_chain(), "it does not go on");
    // By the loser it is not.
    let (_, _, mut loser) = new(Player::One);
    loser.see(chain.game, last + 1);
    assert_eq!(loser.duty(), None);
    assert!(loser.is_lost() && !loser.has_lost(), "a node says so");
    chain.now = last + 1;
    chain.claim().expect("in time");
    loser.see(chain.game, chain.now);
    assert!(loser.is_lost(), "it is final");
    assert_eq!(
        (loser.settlement(), loser.press()),
        (None, Err(Error::GameOver))
    );
}

/// The chain goes on after another move than the one by which the opponent has signed a line.
#[test]
fn a_line_that_the_chain_can_not_take_does_not_end_the_game_there() {
    let (mut chain, _, mut honest) = new(Player::Two);
    play(&mut honest, &mut chain, &WON[..6]);
    let other = signed(Player::One, &MISSED[..7], None);
    chain.advance(&other, None).expect("signed");
    honest.see(chain.game, chain.now);
    honest
        .receive(&signed(Player::One, &WON, None))
        .expect("signed");
    assert_eq!(honest.journal().resignations.two, None);
    assert!(honest.is_on_chain());
    assert_eq!(honest.latest(), chain.game.game);
    assert_eq!(honest.drop(Bin::new(1)), Ok(Moved::OnChain(Bin::new(1))));
}

/// What the loser agrees to by itself, and what keeps it from that.
#[test]
fn a_line_is_agreed_to_if_nothing_contests_it() {
    let lost = |prepare: &dyn Fn(&mut Chain, &mut TestSeat)| {
        let (mut chain, _, mut honest) = new(Player::Two);
        play(&mut honest, &mut chain, &WON[..6]);
        prepare(&mut chain, &mut honest);
        honest
            .receive(&signed(Player::One, &WON, None))
            .expect("signed");
        honest.journal().resignations.two.is_some()
    };
    assert!(lost(&|_, _| ()), "there is nothing");
    assert!(
        lost(&|chain, honest| {
            chain
                .advance(&signed(Player::One, &WON, None), None)
                .expect("signed");
            honest.see(chain.game, chain.now);
        }),
        "the chain knows it"
    );
    assert!(
        !lost(&|chain, honest| {
            chain
                .advance(&signed(Player::One, &WON, None), None)
                .expect("signed");
            chain.game.contest = None;
            honest.see(chain.game, chain.now);
        }),
        "the chain has it as final"
    );
    assert!(
        !lost(&|_, honest| {
            honest
                .receive(&resigned(Player::One, &WON[..3]))
                .expect("signed");
        }),
        "the opponent has resigned"
    );
    assert!(
        !lost(&|chain, honest| {
            let offered = honest
                .offer_draw(chain.now + OFFER_STANDS)
                .expect("after its move");
            honest.receive(&accept(&offered)).expect("signed");
        }),
        "a draw is there"
    );
    assert!(
        lost(&|chain, honest| {
            let until = chain.now + OFFER_STANDS;
            let offered = honest.offer_draw(until).expect("after its move");
            honest.receive(&accept(&offered)).expect("signed");
            honest.see(chain.game, until + 1);
        }),
        "it has lapsed"
    );
    assert!(
        !lost(&|chain, honest| {
            let moves = signed(Player::One, &MISSED[..7], None);
            let before = chain.game;
            chain.advance(&moves, None).expect("signed");
            honest.see(chain.game, chain.now);
            drop(honest, chain, 1).expect("on the chain");
            honest.see(before, chain.now);
        }),
        "it has dropped a disc after another move"
    );
    assert!(
        !lost(&|chain, honest| {
            let position = honest.journal().position;
            chain.advance(&position, Some(Player::Two)).expect("signed");
            let last = chain.game.deadline().expect("it runs");
            honest.see(chain.game, last);
            honest.pass_time(last + 1);
        }),
        "the opponent is probably late"
    );
    let draw = Evidence {
        end: Some(SignedEnd::Draw { until: 1 }),
        moves: Moves::from_bins(&MISSED[..7]).expect("few moves"),
        signatures: ByPlayer::from_fn(|by| forge(by, Kind::Draw { until: 1 }, &MISSED[..7])),
    };
    assert!(
        !lost(&|_, honest| {
            honest.receive(&draw).expect("signed");
        }),
        "a draw could take its place, if the node shows a wrong time"
    );
}

/// The player has lost by the line, though it has not agreed to it.
#[test]
fn a_line_that_is_final_is_lost() {
    let (mut chain, _, mut honest) = new(Player::Two);
    play(&mut honest, &mut chain, &WON[..6]);
    let line = signed(Player::One, &WON, None);
    chain.advance(&line, None).expect("signed");
    chain.now = chain.game.contest.expect("a line") + 1;
    chain.claim().expect("nobody has contested it");
    honest.see(chain.game, chain.now);
    assert!(honest.is_lost() && !honest.has_lost(), "a node says so");
    honest.receive(&line).expect("signed");
    assert_eq!(honest.journal().resignations.two, None);
    assert!(honest.has_lost());
}

/// An earlier line of the opponent is on the chain, where the time to contest it is over.
#[test]
fn a_line_that_came_too_late_is_not_agreed_to() {
    let (mut chain, _, mut honest) = new(Player::Two);
    play(&mut honest, &mut chain, &MISSED);
    let back = signed(Player::One, &WON, None);
    chain.advance(&back, None).expect("signed");
    honest.see(chain.game, chain.game.contest.expect("a line") + 1);
    let later = [5, 0, 4, 0, 3, 0, 1, 1, 2];
    let later = signed(Player::One, &later, None);
    honest.receive(&later).expect("signed");
    assert_eq!(honest.journal().resignations.two, None);
}

/// What was signed stands as it is.
#[test]
fn nobody_resigns_twice() {
    for player in Player::ALL {
        let (mut chain, _, mut honest) = new(player);
        let line = match player {
            Player::One => &[0, 5, 0, 4, 1, 3, 1, 2][..],
            Player::Two => &WON,
        };
        play(&mut honest, &mut chain, &line[..line.len() - 1]);
        let own = honest.resign().expect("it goes on");
        let line = signed(player.opponent(), line, None);
        honest.receive(&line).expect("signed");
        assert_eq!(*honest.journal().resignations.get(player), Some(own));
    }
}
