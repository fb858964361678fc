//! What ends a game by signed terms for its player, and how often a rematch is signed.

use connect4_protocol::fast::wire::ToRelay;
use connect4_protocol::fast::{
    Ending, Evidence, Native, Piece, Rematch, Results, SignedTerms, Signing as _,
};
use connect4_protocol::{End, Error};
use connect4_rules::{ByPlayer, Player};
use connect4_seat::{Duty, Journal, SeatError, TermsSeat};

use crate::terms::{Chain, NOW};
use crate::world::{DOMAIN, Disk, Key, key};

const FOR_GOOD: Option<Ending> = Some(Ending::Draw {
    until: Ending::FOR_GOOD,
});
const FOR_A_MINUTE: Option<Ending> = Some(Ending::Draw { until: NOW + 60 });

fn signed_terms(chain: &Chain) -> SignedTerms {
    let digest = chain.terms.digest(&DOMAIN, &Native);
    SignedTerms {
        terms: chain.terms,
        sessions: ByPlayer::default(),
        signatures: ByPlayer::from_fn(|player| key(player).sign(&digest)),
    }
}

fn seat(chain: &Chain, player: Player, position: Evidence) -> TermsSeat<Disk, Key> {
    let journal = Journal {
        position,
        ..Journal::default()
    };
    let disk = Disk::default();
    TermsSeat::new(
        signed_terms(chain),
        chain.subject,
        key(player),
        journal,
        disk,
        NOW,
    )
    .expect("its key")
}

/// The opponent signs the draw that was offered for a minute, and moves on when that is over.
#[test]
fn a_draw_for_a_minute_is_no_end() {
    let chain = Chain::on(connect4_rules::Shape::STANDARD, 7);
    let mut one = seat(&chain, Player::One, chain.signed(&[3], None));
    one.offer_draw().expect("after its move");
    let accepted = one.hear_position(&chain.signed(&[3], FOR_A_MINUTE));
    assert_eq!(accepted, Err(SeatError::Refused(Error::NoOffer)));
    assert!(!one.seat().latest().is_over());
    // As it was kept by another program.
    one.seat_mut()
        .receive(&chain.signed(&[3], FOR_A_MINUTE))
        .expect("signed");
    assert!(!one.is_agreed());
    one.hear_position(&chain.signed(&[3], FOR_GOOD))
        .expect("signed");
    assert!(one.is_agreed());
}

/// The opponent withholds the draw until the player who has accepted it has moved on, and then moves on as well.
#[test]
fn a_draw_that_comes_after_the_next_move_is_no_end() {
    let chain = Chain::on(connect4_rules::Shape::STANDARD, 7);
    let position = chain.signed(&[3, 4], None);
    let mut two = seat(&chain, Player::Two, position);
    two.hear_position(&chain.signed(&[3], FOR_GOOD))
        .expect("signed");
    assert_eq!(two.seat().latest().to_move(), Some(Player::One));
    assert!(!two.is_agreed());
    assert_eq!(two.seat().evidence(), &position);
    // The opponent's own move takes nothing from the draw, but the player is not told that all is settled.
    let mut one = seat(&chain, Player::One, position);
    one.hear_position(&chain.signed(&[3], FOR_GOOD))
        .expect("signed");
    assert!(one.seat().latest().is_over());
    assert!(!one.is_agreed());
}

/// The opponent ends a dispute by a draw that both have long outlived.
#[test]
fn an_outlived_draw_is_answered_by_the_position() {
    let mut chain = Chain::on(connect4_rules::Shape::STANDARD, 7);
    let position = chain.signed(&[3, 4, 3, 4], None);
    let draw = chain.signed(&[3], FOR_GOOD);
    let mut two = seat(&chain, Player::Two, position);
    two.hear_position(&draw).expect("signed");
    let seat = two.seat_mut();
    chain.advance(&chain.signed(&[3], None)).expect("signed");
    seat.see(chain.game, chain.now);
    assert_ne!(seat.duty(), Some(Duty::Advance(draw)), "it is no end");
    assert_eq!(seat.to_record(&Results::default()), None);
    chain.advance(&draw).expect("nobody has shown the position");
    seat.see(chain.game, chain.now);
    assert_eq!(seat.duty(), Some(Duty::Advance(position)), "in time");
    let mut results = Results::default();
    results.add(&Piece {
        moves: draw.moves,
        end: Some(End::Agreement),
        winner: None,
    });
    assert_eq!(seat.to_record(&results), Some(position));
    let made = chain.subject.game_of(&position).expect("legal");
    results.add(&Piece::of(&position, &made));
    assert_eq!(results.result().end, None);
    assert_eq!(seat.to_record(&results), None);
}

/// Each that is signed is a game, which stands in the history of the player.
#[test]
fn one_wish_signs_one_rematch_in_place_of_the_own() {
    let chain = Chain::on(connect4_rules::Shape::STANDARD, 7);
    let terms = signed_terms(&chain);
    let mut one = seat(&chain, Player::One, chain.signed(&[3], None));
    one.resign().expect("it goes on");
    one.propose_rematch(NOW + 1, 1).expect("it is over");
    let proposed = |nonce| {
        let mut rematch = Rematch {
            time: NOW + 2,
            nonce,
            signatures: ByPlayer::default(),
        };
        let digest = rematch.terms(&terms.terms).digest(&DOMAIN, &Native);
        rematch.signatures[Player::Two] = Some(key(Player::Two).sign(&digest));
        rematch
    };
    let heard = one.hear_rematch(&proposed(2), NOW + 2).expect("signed");
    assert!(matches!(heard.send, Some(ToRelay::Rematch(_))));
    let heard = one.hear_rematch(&proposed(3), NOW + 2).expect("signed");
    assert_eq!((heard.send, heard.news), (None, None));
    // Later the player is asked again.
    let mut late = proposed(4);
    late.time = NOW + 1_000;
    let digest = late.terms(&terms.terms).digest(&DOMAIN, &Native);
    late.signatures[Player::Two] = Some(key(Player::Two).sign(&digest));
    let heard = one.hear_rematch(&late, NOW + 1_000).expect("signed");
    assert_eq!(heard.send, None);
    assert!(one.is_rematch_proposed());
}

/// The relay and the opponent are one: whatever the opponent signs, what is no legal move of its own is not taken.
#[test]
fn no_illegal_move_is_taken_though_the_opponent_has_signed_it() {
    let chain = Chain::on(connect4_rules::Shape::STANDARD, 7);
    let held = chain.signed(&[0, 0, 0, 0, 0, 0, 1], None);
    let mut one = seat(&chain, Player::One, held);
    let by_opponent = |bins: &[u8], ending| {
        let mut forged = chain.signed(bins, ending);
        let unsigned = forged;
        if let Some(of) = unsigned.statement_of(Player::One, chain.subject.number()) {
            forged.signatures[Player::One] = chain.sign(Player::Two, of.kind, of.moves);
        }
        forged
    };
    let bad_signature = Error::BadSignature;
    let resigned = Some(Ending::Resignation(Player::One));
    let signed_by_both = |bins: &[u8]| chain.signed(bins, None);
    for (lie, error) in [
        // A full bin, bins that are not there, a swap where it is too late.
        (signed_by_both(&[0, 0, 0, 0, 0, 0, 1, 0]), Error::BinFull),
        (signed_by_both(&[0, 0, 0, 0, 0, 0, 1, 7]), Error::NoSuchBin),
        (
            signed_by_both(&[0, 0, 0, 0, 0, 0, 1, 254]),
            Error::NoSuchBin,
        ),
        (
            signed_by_both(&[0, 0, 0, 0, 0, 0, 1, 255]),
            Error::NoSuchBin,
        ),
        // Two moves in succession, another move in the place of the player's own, and ends without the player.
        (
            by_opponent(&[0, 0, 0, 0, 0, 0, 1, 1, 2], None),
            bad_signature,
        ),
        (by_opponent(&[0, 0, 0, 0, 0, 0, 2, 1], None), bad_signature),
        (by_opponent(&[0, 0, 0, 0, 0, 0, 1], resigned), bad_signature),
        (by_opponent(&[0, 0, 0, 0, 0, 0, 1], FOR_GOOD), bad_signature),
    ] {
        assert_eq!(one.hear_position(&lie), Err(error.into()), "{lie:?}");
        assert_eq!(one.seat().evidence(), &held);
    }
    // It goes on, and ends for who has won.
    let legal = chain.signed(&[0, 0, 0, 0, 0, 0, 1, 2], None);
    one.hear_position(&legal).expect("a legal move");
    assert_eq!(one.seat().evidence(), &legal);
    let won = chain.signed(&[3, 0, 3, 0, 3, 0, 3], None);
    let mut one = seat(&chain, Player::One, won);
    let after = chain.signed(&[3, 0, 3, 0, 3, 0, 3, 0], None);
    assert_eq!(one.hear_position(&after), Err(Error::GameOver.into()));
    assert_eq!(one.seat().latest().winner(), Some(Player::One));
}
