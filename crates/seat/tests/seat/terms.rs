//! Games by signed terms: what is signed in them alone.

use connect4_protocol::fast::wire::Offer;
use connect4_protocol::fast::{
    Ending, Evidence, FastGame, GameTerms, Kind, Moves, Native, Party, Piece, Results, Signature,
    Signing as _,
};
use connect4_protocol::{Address, ClockSpec, End, Error, Match};
use connect4_rules::{Bin, ByPlayer, Player, Shape};
use connect4_seat::{Duty, Journal, Moved, Received, Seat, SeatError, Subject};

use crate::world::{BANK, DOMAIN, Disk, TestSeat, key};

pub const NOW: u64 = 1_800_000_000;
const SWAP: u8 = Moves::SWAP;

/// The dispute of a game of two guests, as the chain has it.
pub struct Chain {
    pub terms: GameTerms,
    pub subject: Subject,
    pub game: FastGame,
    pub now: u64,
}

impl Chain {
    fn new() -> Self {
        Self::of(7)
    }

    fn of(nonce: u32) -> Self {
        Self::on(Shape::STANDARD, nonce)
    }

    pub fn on(shape: Shape, nonce: u32) -> Self {
        let terms = GameTerms {
            players: ByPlayer::from_fn(|player| Party::Guest(key(player).address())),
            shape: shape.into(),
            pie_rule: true,
            pool: 0,
            programs: ByPlayer::default(),
            clock: Some(ClockSpec {
                bank: BANK,
                increment: 5,
            }),
            time: NOW,
            nonce,
        };
        let number = terms.number(&DOMAIN, &Native);
        let game = terms.start(number, Address::ZERO).expect("two guests");
        Self {
            terms,
            subject: Subject::new(0, DOMAIN, game).with_clock(terms.clock),
            game,
            now: NOW,
        }
    }

    pub fn seat(&self, player: Player, disk: &Disk) -> TestSeat {
        let journal = disk.journal.borrow().clone();
        let (subject, disk) = (self.subject, disk.clone());
        Seat::new(subject, key(player), journal, disk, self.game, self.now).expect("its key")
    }

    pub fn advance(&mut self, evidence: &Evidence) -> Result<bool, Error> {
        let number = self.subject.number();
        self.game
            .advance(number, evidence, &DOMAIN, &Native, self.now)
    }

    pub fn claim(&mut self) -> Result<(), Error> {
        self.game.claim_timeout(&Match::default(), self.now)
    }

    pub fn sign(&self, by: Player, kind: Kind, moves: &[u8]) -> Signature {
        self.subject.sign(&key(by), kind, moves)
    }

    /// What both have signed, with an ending.
    pub fn signed(&self, bins: &[u8], ending: Option<Ending>) -> Evidence {
        let mut evidence = Evidence {
            ending,
            moves: moves(bins),
            ..Evidence::start()
        };
        let unsigned = evidence;
        for player in Player::ALL {
            if let Some(statement) = unsigned.statement_of(player, self.subject.number()) {
                evidence.signatures[player] = self.sign(player, statement.kind, statement.moves);
            }
        }
        evidence
    }

    /// The same, signed by the player who made the last move alone.
    pub fn alone(&self, bins: &[u8], ending: Option<Ending>) -> Evidence {
        let mut evidence = self.signed(bins, ending);
        let other = if bins.len().is_multiple_of(2) {
            Player::One
        } else {
            Player::Two
        };
        evidence.signatures[other] = Signature::NONE;
        evidence
    }
}

/// The next game of a series has the same players, keys and board.
#[test]
fn a_game_by_other_terms_of_the_same_players_is_not_this_one() {
    let (one, other) = (Chain::of(7), Chain::of(8));
    assert!(one.subject.is_of(&one.game));
    assert!(!one.subject.is_of(&other.game));
}

fn moves(bins: &[u8]) -> Moves {
    Moves::from_bins(bins).expect("few moves")
}

fn press() -> Option<Ending> {
    Some(Ending::Press { until: NOW + 1_000 })
}

fn drop(seat: &mut TestSeat, bin: u8) -> Evidence {
    match seat.drop(Bin::new(bin)) {
        Ok(Moved::Signed(evidence)) => evidence,
        other => panic!("{other:?}"),
    }
}

/// The seats of both players, without a dispute.
fn both(chain: &Chain) -> ByPlayer<TestSeat> {
    ByPlayer::from_fn(|player| chain.seat(player, &Disk::default()))
}

#[test]
fn a_swap_is_signed_as_the_second_move_alone() {
    let chain = Chain::new();
    let ByPlayer { mut one, mut two } = both(&chain);
    let no_bin = Err(SeatError::Refused(Error::NoSuchBin));
    assert_eq!(one.swap(), no_bin);
    let first = drop(&mut one, 3);
    two.receive(&first).expect("signed");
    let Ok(Moved::Signed(swapped)) = two.swap() else {
        panic!("it is the second move")
    };
    assert_eq!(*swapped.moves, [3, SWAP]);
    assert_eq!(one.receive(&swapped), Ok(Received::News));
    assert_eq!(one.latest().to_move(), Some(Player::One));
    let third = drop(&mut one, 3);
    two.receive(&third).expect("signed");
    assert_eq!(two.swap(), no_bin);
    assert_eq!(two.latest().moves(), 3);
    assert_eq!(two.latest().turns(), 2);
}

/// By colours the board after a swap is the one before, which the chain has: the player made the next move, too.
#[test]
fn after_a_swap_that_the_chain_has_not_the_other_player_moves() {
    let mut chain = Chain::new();
    let first = chain.signed(&[3], None);
    chain.advance(&first).expect("signed");
    let mut two = chain.seat(Player::Two, &Disk::default());
    two.receive(&first).expect("signed");
    assert!(matches!(two.swap(), Ok(Moved::Signed(_))));
    assert_eq!(two.latest().to_move(), Some(Player::One));
    let not_its_turn = Err(SeatError::Refused(Error::NotYourTurn));
    assert_eq!(two.drop(Bin::new(0)), not_its_turn);
}

/// The opponent brings its moves to the chain, each with a press, and shows them to nobody.
#[test]
fn what_the_chain_alone_knows_is_answered_there() {
    let mut chain = Chain::new();
    let disk = Disk::default();
    let mut honest = chain.seat(Player::Two, &disk);
    chain.advance(&chain.alone(&[3], press())).expect("signed");
    honest.see(chain.game, chain.now);
    assert!(honest.is_on_chain());
    let Ok(Moved::ForChain(answer)) = honest.swap() else {
        panic!("the chain alone knows the move before")
    };
    assert_eq!(answer, chain.alone(&[3, SWAP], None));
    // Its program is killed before it has sent it.
    let mut honest = chain.seat(Player::Two, &disk);
    assert_eq!(honest.duty(), Some(Duty::Advance(answer)));
    assert_eq!(honest.swap(), Ok(Moved::ForChain(answer)));
    let bound = honest.drop(Bin::new(4));
    assert_eq!(bound, Err(SeatError::Bound(SWAP)));
    assert_eq!(chain.advance(&answer), Ok(true));
    honest.see(chain.game, chain.now);
    assert_eq!(honest.duty(), None);

    // The next move comes by the chain as well, and the one after that by the relay.
    let next = chain.alone(&[3, SWAP, 4], press());
    chain.advance(&next).expect("signed");
    let mut honest = chain.seat(Player::Two, &disk);
    assert_eq!(honest.moves_on_chain(), Some(next.moves));
    let Ok(Moved::ForChain(answer)) = honest.drop(Bin::new(4)) else {
        panic!("the chain alone knows the move before")
    };
    assert_eq!(*answer.moves, [3, SWAP, 4, 4]);
    assert_eq!(chain.advance(&answer), Ok(true));
    honest.see(chain.game, chain.now);
    let shown = chain.signed(&[3, SWAP, 4, 4, 4], None);
    assert_eq!(honest.receive(&shown), Ok(Received::News));
    let answer = drop(&mut honest, 4);
    assert_eq!(answer, chain.signed(&[3, SWAP, 4, 4, 4, 4], None));
}

/// The chain shows another move of the opponent's at the same turn, after blocks were replaced or by a lie.
#[test]
fn a_turn_is_signed_once_whatever_the_chain_shows() {
    let chain = Chain::new();
    let mut honest = chain.seat(Player::Two, &Disk::default());
    let shown = |bin: u8| {
        let mut other = Chain::new();
        other
            .advance(&chain.alone(&[bin], press()))
            .expect("signed");
        other.game
    };
    honest.see(shown(3), NOW);
    let answered = honest.drop(Bin::new(0));
    assert!(matches!(answered, Ok(Moved::ForChain(_))));
    honest.see(shown(4), NOW);
    assert_eq!(honest.duty(), None, "it is no answer to that");
    let bound = Err(SeatError::Bound(0));
    assert_eq!(honest.drop(Bin::new(0)), bound);
    assert_eq!(honest.drop(Bin::new(1)), bound);
    let other = chain.signed(&[4], None);
    honest.receive(&other).expect("signed");
    assert_eq!(honest.drop(Bin::new(1)), bound);
    // The same move goes on as any other once the opponent shows the one before.
    let mut honest = chain.seat(Player::Two, &Disk::default());
    honest.see(shown(3), NOW);
    honest.drop(Bin::new(0)).expect("its turn");
    honest.receive(&chain.signed(&[3], None)).expect("signed");
    assert_eq!(honest.drop(Bin::new(1)), bound);
    assert_eq!(drop(&mut honest, 0), chain.signed(&[3, 0], None));
}

#[test]
fn a_press_is_signed_and_brought_by_anyone() {
    let mut chain = Chain::new();
    let ByPlayer { mut one, mut two } = both(&chain);
    let until = NOW + 60;
    assert_eq!(one.sign_press(until), Err(Error::YourTurn));
    let first = drop(&mut one, 3);
    two.receive(&first).expect("signed");
    let pressed = one.sign_press(until).expect("it waits");
    assert_eq!(pressed, chain.signed(&[3], Some(Ending::Press { until })));
    assert_eq!(chain.advance(&pressed), Ok(true));
    for seat in [&mut one, &mut two] {
        seat.see(chain.game, chain.now);
    }
    assert_eq!(one.sign_press(until), Err(Error::ClockRuns));
    // The answer stops the clock, and its player can press where the chain is already.
    let second = drop(&mut two, 3);
    assert_eq!(two.duty(), Some(Duty::Advance(second)));
    assert_eq!(chain.advance(&second), Ok(true));
    two.see(chain.game, chain.now);
    let pressed = two.sign_press(until).expect("it waits");
    assert_eq!(chain.advance(&pressed), Ok(false));
    assert!(chain.game.game.clock().is_some());
    chain.now += u64::from(BANK) + 1;
    assert_eq!(chain.claim(), Ok(()));
    assert_eq!(chain.game.game.winner(), Some(Player::Two));
}

#[test]
fn a_press_stands_where_the_chain_alone_has_the_moves() {
    let mut chain = Chain::new();
    let mut honest = chain.seat(Player::Two, &Disk::default());
    chain.advance(&chain.alone(&[3], press())).expect("signed");
    honest.see(chain.game, chain.now);
    let Ok(Moved::ForChain(answer)) = honest.drop(Bin::new(3)) else {
        panic!("the chain alone knows the move before")
    };
    chain.advance(&answer).expect("its turn");
    honest.see(chain.game, chain.now);
    let pressed = honest.sign_press(NOW + 60).expect("it waits");
    assert_eq!(pressed.signatures.one, Signature::NONE);
    assert_eq!(chain.advance(&pressed), Ok(false));
    chain.now += u64::from(BANK) + 1;
    honest.see(chain.game, chain.now);
    assert_eq!(honest.duty(), Some(Duty::Claim));
}

/// The opponent accepts when the offer is over, in another game, or after it has moved on: no draw comes of it.
#[test]
fn a_draw_for_good_is_signed_once_it_was_accepted_in_time() {
    let chain = Chain::new();
    let ByPlayer { mut one, mut two } = both(&chain);
    let first = drop(&mut one, 3);
    two.receive(&first).expect("signed");
    let half = |chain: &Chain, by, bins: &[u8]| Offer {
        by,
        until: Ending::FOR_GOOD,
        moves: moves(bins),
        signature: chain.sign(
            by,
            Kind::Draw {
                until: Ending::FOR_GOOD,
            },
            bins,
        ),
    };
    let accepted = half(&chain, Player::Two, &[3]);
    assert_eq!(
        one.complete_draw(&accepted),
        Ok(false),
        "nothing is offered"
    );
    // What is for good is no offer: whoever accepted it would be bound, and the other one not.
    let for_good = half(&chain, Player::One, &[3]);
    assert_eq!(
        two.receive_offer(&for_good),
        Err(SeatError::Refused(Error::NoOffer))
    );
    let offer = one.offer_draw(NOW + 60).expect("after its move");
    let elsewhere = half(&Chain::of(8), Player::Two, &[3]);
    assert_eq!(
        one.complete_draw(&elsewhere),
        Err(SeatError::Refused(Error::BadSignature))
    );
    let own = Offer {
        by: Player::Two,
        ..for_good
    };
    assert_eq!(
        one.complete_draw(&own),
        Err(SeatError::Refused(Error::BadSignature))
    );
    let mut late = chain.seat(Player::One, &Disk::default());
    drop(&mut late, 3);
    late.offer_draw(NOW + 60).expect("after its move");
    late.pass_time(NOW + 61);
    assert_eq!(late.complete_draw(&accepted), Ok(false));
    // In time.
    two.receive_offer(&offer).expect("signed");
    let answered = two.accept_draw_for_good().expect("it stands");
    assert_eq!(answered, accepted);
    assert!(two.journal().draws.is_empty(), "the other one signs last");
    assert_eq!(one.complete_draw(&answered), Ok(true));
    let draw = *one.evidence();
    let ending = Some(Ending::Draw {
        until: Ending::FOR_GOOD,
    });
    assert_eq!(draw, chain.signed(&[3], ending));
    assert_eq!(two.receive(&draw), Ok(Received::News));
    let over = Err(SeatError::Refused(Error::GameOver));
    assert_eq!(two.drop(Bin::new(4)), over);
}

/// The opponent completes a draw when the player who accepted it has moved on, and then moves on itself: the game
/// goes on, and a player who took it for drawn would lose on time.
#[test]
fn a_draw_that_both_have_outlived_is_no_end() {
    let chain = Chain::new();
    let ByPlayer { mut one, mut two } = both(&chain);
    let first = drop(&mut one, 3);
    two.receive(&first).expect("signed");
    let offer = one.offer_draw(NOW + 60).expect("after its move");
    two.receive_offer(&offer).expect("signed");
    two.accept_draw_for_good().expect("it stands");
    let accepted = Err(SeatError::Refused(Error::AlreadyOffered));
    assert_eq!(two.drop(Bin::new(4)), accepted);
    two.pass_time(NOW + 61);
    drop(&mut two, 4);
    let until = Ending::FOR_GOOD;
    let draw = chain.signed(&[3], Some(Ending::Draw { until }));
    assert_eq!(two.receive(&draw), Ok(Received::News));
    assert!(!two.latest().is_over(), "the opponent can still move on");
    two.receive(&chain.signed(&[3, 4, 3], None))
        .expect("signed");
    assert_eq!(two.latest().to_move(), Some(Player::Two));
    assert_eq!(*two.evidence().moves, [3, 4, 3]);
    drop(&mut two, 4);
}

/// A player who has moved on is not bound by an acceptance of its earlier offer.
#[test]
fn a_draw_for_good_is_not_signed_where_the_game_has_gone_on() {
    let chain = Chain::new();
    let ByPlayer { mut one, mut two } = both(&chain);
    let first = drop(&mut one, 3);
    two.receive(&first).expect("signed");
    let offer = one.offer_draw(NOW + 60).expect("after its move");
    two.receive_offer(&offer).expect("signed");
    let accepted = two.accept_draw_for_good().expect("it stands");
    // The relay brings the next move first: whoever accepts and moves, has moved.
    let moved = chain.signed(&[3, 3], None);
    one.receive(&moved).expect("signed");
    assert_eq!(one.complete_draw(&accepted), Ok(false));
    assert!(one.journal().draws.is_empty());
}

#[test]
fn what_is_worse_on_the_chain_than_what_is_held_is_answered_by_a_record() {
    let mut chain = Chain::new();
    let disk = Disk::default();
    let line = [3, 4, 3, 4, 3, 4, 3];
    disk.journal.replace(Journal {
        position: chain.signed(&line, None),
        ..Journal::default()
    });
    let none = Results::default();
    let winner = chain.seat(Player::One, &disk);
    assert_eq!(winner.to_record(&none), Some(chain.signed(&line, None)));
    let loser = chain.seat(Player::Two, &disk);
    assert_eq!(loser.to_record(&none), None);

    // While it was away, the loser has won on time where it had just moved.
    chain
        .advance(&chain.signed(&line[..4], press()))
        .expect("signed");
    chain.now += u64::from(BANK) + 1;
    chain.claim().expect("it is late");
    let winner = chain.seat(Player::One, &disk);
    assert_eq!(winner.duty(), None, "the dispute has ended");
    let piece = winner.piece_on_chain();
    let timeout = Piece {
        moves: moves(&line[..4]),
        end: Some(End::Timeout),
        winner: Some(Player::Two),
    };
    assert_eq!(piece, timeout);
    let mut results = Results::default();
    results.add(&piece);
    assert_eq!(winner.to_record(&results), Some(chain.signed(&line, None)));
    results.add(&Piece {
        moves: moves(&line),
        end: Some(End::Line),
        winner: Some(Player::One),
    });
    assert_eq!(winner.to_record(&results), None);

    // A longer position takes a win away to which the opponent has gone back, and a press is no record.
    let disk = Disk::default();
    let mut journal = Journal {
        position: chain.signed(&[3, 4, 3, 4, 3, 0, 4, 0], None),
        ..Journal::default()
    };
    journal
        .draws
        .push(chain.signed(&line[..6], Some(Ending::Draw { until: NOW + 60 })));
    disk.journal.replace(journal);
    let honest = chain.seat(Player::Two, &disk);
    let mut results = Results::default();
    results.add(&Piece {
        moves: moves(&line),
        end: Some(End::Line),
        winner: Some(Player::One),
    });
    let position = honest.journal().position;
    assert_eq!(honest.to_record(&results), Some(position));
}

/// The opponent presses at an old position when nobody can record the answer any more.
#[test]
fn what_has_to_be_answered_is_not_taken_at_the_last_moment() {
    let mut chain = Chain::new();
    let last = NOW + u64::from(GameTerms::ANSWERED);
    let far = Some(Ending::Press { until: u64::MAX });
    let line = chain.signed(&[3, 4, 3, 4, 3, 4, 3], None);
    chain.now = last;
    for evidence in [chain.signed(&[3, 4, 3, 4], far), line] {
        assert_eq!(Chain { ..chain }.advance(&evidence), Ok(true));
    }
    chain.now = last + 1;
    for evidence in [chain.signed(&[3, 4, 3, 4], far), line] {
        let expired = Chain { ..chain }.advance(&evidence);
        assert_eq!(expired, Err(Error::TermsExpired));
    }
    let lost = Some(Ending::Resignation(Player::Two));
    let agreed = chain.signed(&[3, 4, 3, 4, 3, 4, 3], lost);
    assert_eq!(Chain { ..chain }.advance(&agreed), Ok(true));
    assert_eq!(chain.advance(&chain.signed(&[3, 4], None)), Ok(true));
    let account = key(Player::Two).address();
    assert_eq!(
        chain.game.press(account, chain.now),
        Err(Error::TermsExpired)
    );
}
