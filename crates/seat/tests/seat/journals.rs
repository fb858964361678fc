//! What a journal takes, what is read back from one, and what a seat says of it.

use connect4_protocol::signed::relay::Refusal;
use connect4_protocol::signed::{ChainGame, Evidence, Kind, Native, SignedEnd};
use connect4_protocol::{Address, Error, Game};
use connect4_rules::{Bin, Player, Shape};
use connect4_seat::{Duty, Journal, Moved, SeatError, signed_by_both, why_refused};

use crate::staked_world::DOMAIN;
use crate::world::{Chain, Disk, account, forge, key, number, play, seat, signed, started};

const MOVES: [u8; 6] = [3, 4, 3, 4, 0, 0];

fn drawn(moves: &[u8], until: u64) -> Evidence {
    let mut evidence = signed(Player::One, moves, None);
    evidence.end = Some(SignedEnd::Draw { until });
    for player in Player::ALL {
        evidence.signatures[player] = forge(player, Kind::Draw { until }, moves);
    }
    evidence
}

fn resigned(moves: &[u8]) -> Evidence {
    signed(
        Player::One,
        moves,
        Some(SignedEnd::Resignation(Player::One)),
    )
}

fn receive(journal: &mut Journal, evidence: &Evidence) -> bool {
    let subject = Chain::new(Shape::STANDARD).subject();
    let received = journal.receive(&subject, evidence, &Native).expect("valid");
    let is_news = received.is_some();
    *journal = received.unwrap_or_else(|| journal.clone());
    assert!(journal.covers(evidence), "it is held, or more than it");
    is_news
}

#[test]
fn the_longest_of_each_kind_is_held() {
    let mut journal = Journal::default();
    let position = |len| signed(Player::One, &MOVES[..len], None);
    assert!(journal.pieces().next().is_none());
    assert!(receive(&mut journal, &position(3)));
    assert!(!receive(&mut journal, &position(3)));
    assert!(!receive(&mut journal, &position(2)));
    assert!(receive(&mut journal, &resigned(&MOVES[..2])));
    assert!(!receive(&mut journal, &resigned(&MOVES[..2])));
    assert!(!receive(&mut journal, &resigned(&[])));
    assert!(receive(&mut journal, &resigned(&MOVES[..4])));
    assert!(receive(&mut journal, &position(6)));
    assert_eq!(journal.position, position(6));
    assert_eq!(journal.resignations.one, Some(resigned(&MOVES[..4])));
    assert_eq!(journal.resignations.two, None);
    assert_eq!(journal.pieces().count(), 2);
}

#[test]
fn a_draw_is_held_as_long_as_no_other_one_can_be_brought_wherever_it_can() {
    let mut journal = Journal::default();
    assert!(receive(&mut journal, &drawn(&MOVES[..2], 100)));
    assert!(!receive(&mut journal, &drawn(&MOVES[..2], 100)));
    assert!(!receive(&mut journal, &drawn(&MOVES[..2], 99)));
    assert!(!receive(&mut journal, &drawn(&MOVES[..1], 100)));
    assert!(
        receive(&mut journal, &drawn(&MOVES[..1], 101)),
        "for longer"
    );
    assert!(
        receive(&mut journal, &drawn(&MOVES[..3], 50)),
        "at more moves"
    );
    assert_eq!(journal.draws.len(), 3);
    // In place of all of these.
    assert!(receive(&mut journal, &drawn(&MOVES[..3], 101)));
    assert_eq!(journal.draws, [drawn(&MOVES[..3], 101)]);
}

#[test]
fn a_journal_has_room_for_a_few_draws() {
    let mut journal = Journal::default();
    // Each of them is for a longer time, and at fewer moves.
    let all: Vec<u8> = (0..18).map(|turn| turn % 6).collect();
    for (len, until) in (2..=17).rev().zip(100..) {
        assert!(receive(&mut journal, &drawn(&all[..len], until)), "{len}");
    }
    assert_eq!(journal.draws.len(), 16);
    assert!(!receive(&mut journal, &drawn(&all[..1], 200)), "it is full");
    let longest = drawn(&all, 300);
    assert!(journal.covers(&longest));
}

#[test]
fn what_is_read_back_is_judged_again() {
    let subject = Chain::new(Shape::STANDARD).subject();
    let mut forged = resigned(&MOVES[..2]);
    forged.signatures.one = forged.signatures.two;
    let mut no_draw = drawn(&MOVES[..2], 100);
    no_draw.signatures.two = no_draw.signatures.one;
    let by_two = signed(
        Player::Two,
        &MOVES[..3],
        Some(SignedEnd::Resignation(Player::Two)),
    );
    let mut journal = Journal {
        position: signed(Player::One, &MOVES, None),
        draws: vec![no_draw, drawn(&MOVES[..1], 100)],
        ..Journal::default()
    };
    journal.resignations.one = Some(forged);
    journal.resignations.two = Some(by_two);
    let judged = journal.clone().judged(&subject, &Native).expect("signed");
    assert_eq!(judged.position, journal.position);
    assert_eq!(judged.draws, [drawn(&MOVES[..1], 100)]);
    assert_eq!(judged.resignations.one, None);
    assert_eq!(judged.resignations.two, Some(by_two));
    assert_eq!(judged.dropped, None, "the position is held");
    journal.position.signatures.one = journal.position.signatures.two;
    let refused = journal.judged(&subject, &Native);
    assert_eq!(refused, Err(Error::BadSignature));
    let empty = Journal::default();
    assert_eq!(empty.clone().judged(&subject, &Native), Ok(empty));
}

/// A position was in the place of the resignation once, and the opponent may hold a move of any turn.
#[test]
fn without_the_position_that_a_resignation_has_replaced_nothing_is_signed() {
    let mut chain = Chain::new(Shape::STANDARD);
    let mut poison = resigned(&MOVES);
    poison.signatures.one = poison.signatures.two;
    let mut kept = Journal::default();
    kept.resignations.one = Some(poison);
    let disk = Disk::default();
    disk.journal.replace(kept);
    let mut honest = seat(Player::One, &disk, &chain);
    assert!(honest.has_forgotten());
    assert_eq!(honest.drop(Bin::new(3)), Ok(Moved::OnChain(Bin::new(3))));
    chain.drop(Player::One, Bin::new(3)).expect("its turn");
    chain.drop(Player::Two, Bin::new(4)).expect("its turn");
    honest.see(chain.game, chain.now);
    assert_eq!(honest.drop(Bin::new(3)), Ok(Moved::OnChain(Bin::new(3))));
    // What the opponent kept of it comes back.
    honest
        .receive(&signed(Player::Two, &MOVES[..4], None))
        .expect("signed by both");
    assert_eq!(honest.drop(Bin::new(5)), Err(SeatError::OnChainAlone));
    assert!(honest.has_forgotten(), "also once it has moved there");
}

/// After two discs of one turn that were sent to the chain, of which it takes one, neither turn is signed.
#[test]
fn none_of_two_discs_on_the_chain_is_signed_off_it() {
    let mut chain = Chain::new(Shape::STANDARD);
    let disk = Disk::default();
    let mut honest = seat(Player::Two, &disk, &chain);
    play(&mut honest, &mut chain, &MOVES[..4]);
    let position = honest.journal().position;
    chain.advance(&position, None).expect("signed");
    let mut one = chain.game;
    one.drop(account(Player::One), Bin::new(6), chain.now)
        .expect("its turn");
    let mut other = chain.game;
    other
        .drop(account(Player::One), Bin::new(5), chain.now)
        .expect("its turn");
    // The same disc once more is the same one.
    for _ in 0..2 {
        honest.see(one, chain.now);
        assert_eq!(honest.drop(Bin::new(1)), Ok(Moved::OnChain(Bin::new(1))));
        let dropped = honest.journal().dropped.expect("it is kept");
        assert_eq!((dropped.turns, dropped.bin), (5, 1));
    }
    // Two of them mark the turn after, which is the opponent's, and so does a third.
    for bin in [2, 3] {
        honest.see(other, chain.now);
        assert_eq!(
            honest.drop(Bin::new(bin)),
            Ok(Moved::OnChain(Bin::new(bin)))
        );
        assert_eq!(honest.journal().dropped.expect("it is kept").turns, 6);
    }
    // Nothing of that turn is signed, whatever the opponent signs.
    honest.see(chain.game, chain.now);
    let signed_one = signed(Player::One, &[3, 4, 3, 4, 6], None);
    honest.receive(&signed_one).expect("signed");
    for bin in 0..7 {
        let moved = honest.drop(Bin::new(bin));
        assert!(!matches!(moved, Ok(Moved::Signed(_))), "{bin}: {moved:?}");
    }
    // It can move on the chain alone.
    chain.advance(&signed_one, None).expect("signed");
    honest.see(chain.game, chain.now);
    assert!(honest.is_on_chain());
    assert_eq!(honest.drop(Bin::new(1)), Ok(Moved::OnChain(Bin::new(1))));
    // The next turn is a new one.
    let later = signed(Player::One, &[3, 4, 3, 4, 6, 1, 6], None);
    honest.receive(&later).expect("signed");
    assert!(matches!(honest.drop(Bin::new(1)), Ok(Moved::Signed(_))));
}

#[test]
fn a_move_that_was_made_on_the_chain_is_the_only_one_of_its_turn() {
    let mut chain = Chain::new(Shape::STANDARD);
    let disk = Disk::default();
    let mut honest = seat(Player::Two, &disk, &chain);
    play(&mut honest, &mut chain, &MOVES[..4]);
    chain
        .advance(&honest.journal().position, None)
        .expect("signed");
    chain.drop(Player::One, Bin::new(0)).expect("its turn");
    honest.see(chain.game, chain.now);
    assert_eq!(honest.drop(Bin::new(1)), Ok(Moved::OnChain(Bin::new(1))));
    // The opponent signs its disc, too.
    let later = signed(Player::One, &MOVES[..5], None);
    honest.receive(&later).expect("signed");
    assert_eq!(honest.drop(Bin::new(2)), Err(SeatError::Bound(1)));
    assert!(!honest.has_forgotten());
    assert!(matches!(honest.drop(Bin::new(1)), Ok(Moved::Signed(_))));
    // At a later turn the disc binds to nothing, also where the chain knows the position.
    let last = signed(Player::One, &[3, 4, 3, 4, 0, 1, 6], None);
    honest.receive(&last).expect("signed");
    chain.advance(&last, None).expect("signed");
    honest.see(chain.game, chain.now);
    assert!(!honest.is_on_chain());
    assert!(matches!(honest.drop(Bin::new(2)), Ok(Moved::Signed(_))));
}

/// Its disc on the chain is gone with its block, and the opponent signs another move before it: then the
/// player can move on the chain alone, which has to know that move.
#[test]
fn after_a_disc_that_is_gone_the_other_position_is_brought() {
    let mut chain = Chain::new(Shape::STANDARD);
    let disk = Disk::default();
    let mut honest = seat(Player::Two, &disk, &chain);
    play(&mut honest, &mut chain, &MOVES[..4]);
    let position = honest.journal().position;
    chain.advance(&position, None).expect("signed");
    let before = chain.game;
    chain.drop(Player::One, Bin::new(6)).expect("its turn");
    honest.see(chain.game, chain.now);
    assert_eq!(honest.drop(Bin::new(1)), Ok(Moved::OnChain(Bin::new(1))));
    let start = Chain::new(Shape::STANDARD).game;
    honest.see(start, chain.now);
    assert_eq!(honest.duty(), None, "it is the opponent's turn");
    chain.game = before;
    honest.see(chain.game, chain.now);
    let other = signed(Player::One, &MOVES[..5], None);
    honest.receive(&other).expect("signed");
    assert!(!honest.is_on_chain(), "the chain does not know it");
    assert_eq!(honest.drop(Bin::new(2)), Err(SeatError::Bound(1)));
    assert_eq!(honest.duty(), Some(Duty::Advance(other)));
    // Nobody is waited for, though the opponent's clock runs: it does not know that it is to be brought.
    let mut pressed = chain.game;
    pressed
        .press(account(Player::Two), chain.now)
        .expect("it waits");
    honest.see(pressed, chain.now);
    assert_eq!(honest.duty(), Some(Duty::Advance(other)));
    assert_eq!(honest.patience(&Duty::Advance(other)), 0);
    honest.see(chain.game, chain.now);
    chain.advance(&other, None).expect("signed");
    honest.see(chain.game, chain.now);
    assert!(honest.is_on_chain());
    assert_eq!(honest.duty(), None);
    assert_eq!(honest.drop(Bin::new(2)), Ok(Moved::OnChain(Bin::new(2))));
}

#[test]
fn a_last_move_is_signed_by_its_player_alone() {
    for (moves, both) in [
        (&[][..], 0),
        (&MOVES[..1], 0),
        (&MOVES[..2], 1),
        (&MOVES, 5),
    ] {
        let evidence = signed(Player::One, moves, None);
        assert_eq!(signed_by_both(number(), &evidence), both);
    }
    assert_eq!(signed_by_both(number(), &drawn(&MOVES, 100)), 6);
}

#[test]
fn a_subject_is_what_the_terms_say() {
    let chain = Chain::new(Shape::CLASSROOM);
    let subject = chain.subject();
    assert_eq!((subject.number(), subject.domain()), (number(), DOMAIN));
    assert_eq!(subject.shape(), Shape::CLASSROOM);
    for player in Player::ALL {
        use connect4_protocol::signed::Signing as _;
        let address = key(player).address();
        assert_eq!(*subject.keys().get(player), address);
        assert_eq!(subject.player_with_key(address), Some(player));
        assert_eq!(subject.account_of(player), account(player));
    }
    assert_eq!(subject.player_with_key(Address([9; 20])), None);
    assert_eq!(subject.deadline(&chain.game), None);
}

/// A node that shows another game for this number is not believed.
#[test]
fn a_state_of_another_game_is_none_of_this_one() {
    let chain = Chain::new(Shape::CLASSROOM);
    let subject = chain.subject();
    let mut later = chain.game;
    later
        .drop(account(Player::One), Bin::new(0), chain.now)
        .expect("its turn");
    assert!(subject.is_of(&later));
    let mut other_key = chain.game;
    other_key.keys.two = Address([9; 20]);
    let swapped = Game::start(
        account(Player::Two),
        account(Player::One),
        Shape::CLASSROOM.into(),
    );
    let other_players = ChainGame {
        game: swapped.expect("two players"),
        ..chain.game
    };
    let other_board = started(Shape::STANDARD, None);
    for other in [other_key, other_players, other_board] {
        assert!(!subject.is_of(&other));
    }
}

#[test]
fn each_refusal_of_a_relay_has_words_of_its_own() {
    let refusals = [
        Refusal::NoSuchGame,
        Refusal::ChainUnreachable,
        Refusal::Full,
        Refusal::BadMessage,
        Refusal::TooMany,
        Refusal::Invalid(Error::BadSignature),
        Refusal::OtherPosition,
        Refusal::Replaced,
    ];
    let mut said: Vec<_> = refusals.into_iter().map(why_refused).collect();
    assert!(said[5].contains(&Error::BadSignature.to_string()));
    assert!(said.iter().all(|words| words.len() > "it refuses".len()));
    said.sort_unstable();
    said.dedup();
    assert_eq!(said.len(), refusals.len());
}
