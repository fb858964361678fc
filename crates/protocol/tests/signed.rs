//! Signed games: what is signed, by test vectors for other implementations, and what an end is.
//!
//! The vectors are `signed-vectors.json` beside this crate's manifest. `CONNECT4_WRITE_VECTORS=1` writes them anew;
//! without it, a value that differs fails the test.
use codec::{Decode as _, Encode as _};
use connect4_protocol::signed::wire::{Telling, Told};
use connect4_protocol::signed::{
    Acceptance, AccountSignature, Chain, Contradiction, Digest, Domain, Ended, Ending, Ends,
    Finished, GameNumber, Kind, Moves, Native, Outcome, Party, Presence, Receipt, Refused,
    SessionKey, Signature, SignedSession, SignedTerms, Statement, Terms, Witnessed, WitnessedEnd,
};
use connect4_protocol::{Address, ClockSpec, End};
use connect4_rules::{ByPlayer, Player, Shape, ShapeSpec};
use serde_json::{Value, json};

use crate::common::signers::{by_wallet, key, substrate_account};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/signed-vectors.json");
const CHAIN: Chain = Chain {
    id: 420_420_420,
    genesis: [0x9e; 32],
};
const WITHOUT_STAKE: Domain = Domain::without_stake(CHAIN);
const STAKES: Address = Address([0xcc; 20]);
/// When the terms were made, in seconds, and when the games ended, in milliseconds.
const TIME: u64 = 1_800_000_000;
const AT: u64 = (TIME + 90) * 1_000;
/// The earliest moment at which a game can begin, from [`AT`].
const EARLIEST: i64 = -(90 + 600) * 1_000;
/// Player one makes a column.
const COLUMN: [u8; 7] = [3, 4, 3, 4, 3, 4, 3];
const SMALL: ShapeSpec = ShapeSpec {
    bins: 6,
    capacity: 4,
    line: 4,
};

/// Keys by their first byte: 1 and 2 are those of the players, 3 an account of Ethereum, 5 a witness.
fn witness() -> SessionKey {
    key(5)
}

fn number_of(player: Player) -> u8 {
    match player {
        Player::One => 1,
        Player::Two => 2,
    }
}

/// Terms of two guests in a room of a witness, without a stake.
fn terms() -> Terms {
    Terms {
        players: ByPlayer::from_fn(|player| Party::Guest(key(number_of(player)).address())),
        shape: Shape::STANDARD.into(),
        pie_rule: true,
        clock: Some(ClockSpec {
            bank: 180,
            increment: 2,
        }),
        witness: Some(witness().address()),
        stake: 0,
        pool: 2,
        programs: ByPlayer {
            one: false,
            two: true,
        },
        event: None,
        previous: None,
        time: TIME,
        nonce: 9,
    }
}

/// The same without a witness.
fn unwitnessed() -> Terms {
    Terms {
        witness: None,
        ..terms()
    }
}

/// Terms of an account of Ethereum and one of Substrate, in a tournament, after another game.
fn accounts() -> Terms {
    Terms {
        players: ByPlayer {
            one: Party::new(key(3).address(), key(1).address()),
            two: Party::new(substrate_account(), key(2).address()),
        },
        event: Some([0xee; 32]),
        previous: Some(terms().number(&WITHOUT_STAKE, &Native)),
        ..terms()
    }
}

/// Terms of the same two for a stake.
fn staked() -> Terms {
    Terms {
        clock: Some(ClockSpec {
            bank: 600,
            increment: 5,
        }),
        witness: None,
        stake: 1_000_000_000_000_000_000,
        event: None,
        ..accounts()
    }
}

/// What both accounts sign about their keys.
fn sessions(terms: &Terms, until: u64) -> ByPlayer<Option<SignedSession>> {
    let digest = |player: Player| {
        let party = terms.players.get(player);
        let session = connect4_protocol::signed::Session {
            account: party.account(),
            key: party.key(),
            until,
        };
        WITHOUT_STAKE.digest(&Native, &hash_of(&session))
    };
    ByPlayer {
        one: AccountSignature::Ethereum(key(3).sign(&digest(Player::One))),
        two: by_wallet(&digest(Player::Two)),
    }
    .map(|signature| Some(SignedSession { until, signature }))
}

/// Hash of a session's struct, as any library of EIP-712 makes it.
fn hash_of(session: &connect4_protocol::signed::Session) -> Digest {
    let word = |bytes: &[u8]| {
        let mut word = [0; 32];
        word[32 - bytes.len()..].copy_from_slice(bytes);
        word
    };
    let of_type = keccak256(b"Session(address account,address key,uint64 until)");
    let words = [
        of_type,
        word(&session.account.0),
        word(&session.key.0),
        word(&session.until.to_be_bytes()),
    ];
    keccak256(words.as_flattened())
}

fn keccak256(bytes: &[u8]) -> Digest {
    use connect4_protocol::signed::Crypto as _;
    Native.keccak256(bytes)
}

/// A finished game in which all have signed what they have to.
fn finished(terms: Terms, moves: &[u8], ending: Ending) -> Finished {
    let mut finished = Finished {
        terms,
        sessions: ByPlayer::default(),
        moves: Moves::from_bins(moves).expect("few moves"),
        ending,
        signatures: ByPlayer::default(),
        witnessed: None,
    };
    let game = terms.number(&WITHOUT_STAKE, &Native);
    let unsigned = finished;
    finished.signatures = ByPlayer::from_fn(|player| {
        let statement = unsigned.statement_of(player, game);
        key(number_of(player)).sign(&statement.digest(&WITHOUT_STAKE, &Native))
    });
    if terms.witness.is_some() {
        finished.witnessed = Some(Witnessed {
            at: AT,
            signature: ended_by(&witness(), &finished, ending.witnessed()),
        });
    }
    finished
}

/// What somebody signs as a witness of this end.
fn ended_by(signer: &SessionKey, finished: &Finished, end: WitnessedEnd) -> Signature {
    let ended = Ended {
        game: finished.terms.number(&WITHOUT_STAKE, &Native),
        moves: &finished.moves,
        end,
        at: AT,
    };
    signer.sign(&ended.digest(&WITHOUT_STAKE, &Native))
}

fn judge(finished: &Finished) -> Result<(End, Option<Player>, Option<u64>), Refused> {
    let Outcome {
        number,
        end,
        winner,
        at,
    } = finished.judge(CHAIN, &Native)?;
    assert_eq!(number, finished.terms.number(&WITHOUT_STAKE, &Native));
    Ok((end, winner, at))
}

#[test]
fn a_witness_tells_how_a_game_ended() {
    let one = Some(Player::One);
    let two = Some(Player::Two);
    let at = Some(AT);
    let judged = |moves, ending| judge(&finished(terms(), moves, ending));
    assert_eq!(judged(&COLUMN, Ending::Board), Ok((End::Line, one, at)));
    let open = &COLUMN[..4];
    let resigned = Ending::Resignation(Player::One);
    assert_eq!(judged(open, resigned), Ok((End::Resignation, two, at)));
    assert_eq!(judged(open, Ending::Draw), Ok((End::Agreement, None, at)));
    let lapsed = Ending::Lapse(Player::One);
    assert_eq!(judged(open, lapsed), Ok((End::Timeout, two, at)));
    let small = Terms {
        shape: SMALL,
        ..terms()
    };
    let drawn = finished(small, &crate::common::DRAWN, Ending::Board);
    assert_eq!(judge(&drawn), Ok((End::FullBoard, None, at)));
}

#[test]
fn without_a_witness_both_players_tell_it() {
    let one = Some(Player::One);
    let judged = |moves, ending| judge(&finished(unwitnessed(), moves, ending));
    // The loser agrees to a line by resigning at it.
    let agreed = Ending::Resignation(Player::Two);
    assert_eq!(judged(&COLUMN, agreed), Ok((End::Line, one, None)));
    assert_eq!(
        judged(&COLUMN[..4], agreed),
        Ok((End::Resignation, one, None))
    );
    assert_eq!(
        judged(&COLUMN[..4], Ending::Draw),
        Ok((End::Agreement, None, None))
    );
    let small = Terms {
        shape: SMALL,
        ..unwitnessed()
    };
    let drawn = finished(small, &crate::common::DRAWN, Ending::Board);
    assert_eq!(judge(&drawn), Ok((End::FullBoard, None, None)));
}

#[test]
fn a_swap_is_a_move_where_the_terms_have_the_pie_rule() {
    let swapped = [3, Moves::SWAP, 2, 3, 2, 3, 2, 3];
    let game = finished(terms(), &swapped, Ending::Board);
    assert_eq!(judge(&game), Ok((End::Line, Some(Player::Two), Some(AT))));
    let without = Terms {
        pie_rule: false,
        ..terms()
    };
    let game = finished(without, &swapped, Ending::Board);
    assert_eq!(judge(&game), Err(Refused::IllegalMove));
}

#[test]
fn accounts_play_by_keys_that_they_have_named() {
    let mut game = finished(accounts(), &COLUMN, Ending::Board);
    assert_eq!(
        judge(&game),
        Err(Refused::BadSession(Player::One)),
        "no session"
    );
    game.sessions = sessions(&accounts(), TIME);
    assert_eq!(judge(&game), Ok((End::Line, Some(Player::One), Some(AT))));
    game.sessions = sessions(&accounts(), TIME - 1);
    assert_eq!(
        judge(&game),
        Err(Refused::BadSession(Player::One)),
        "over by the time of the terms"
    );
    game.sessions = sessions(&accounts(), TIME);
    game.sessions[Player::Two] = game.sessions[Player::One];
    assert_eq!(
        judge(&game),
        Err(Refused::BadSession(Player::Two)),
        "the session of another"
    );
}

/// Each refusal of an end by a name, with a game that is refused for it.
fn refusals() -> Vec<(&'static str, Refused, Finished)> {
    let open = &COLUMN[..4];
    let by = |terms: Terms, moves: &[u8], ending| finished(terms, moves, ending);
    let with = |change: &dyn Fn(&mut Terms)| {
        let mut terms = terms();
        change(&mut terms);
        by(terms, &COLUMN, Ending::Board)
    };
    let guest = terms().players.one;
    let change = |change: &dyn Fn(&mut Finished)| {
        let mut game = by(terms(), &COLUMN, Ending::Board);
        change(&mut game);
        game
    };
    let both = |one, two| ByPlayer { one, two };
    vec![
        (
            "a board without room for its line",
            Refused::BadShape,
            with(&|terms| terms.shape.line = 9),
        ),
        (
            "both are the same guest",
            Refused::SamePlayer,
            with(&|terms| terms.players = both(guest, guest)),
        ),
        (
            "both sign by the same key",
            Refused::BadKey,
            with(&|terms| {
                terms.players.two = Party::new(Address([9; 20]), guest.key());
            }),
        ),
        (
            "one signs by no key",
            Refused::BadKey,
            with(&|terms| {
                terms.players.two = Party::new(Address([9; 20]), Address::ZERO);
            }),
        ),
        (
            "a witness at the zero address",
            Refused::OtherForm,
            with(&|terms| terms.witness = Some(Address::ZERO)),
        ),
        (
            "a player as the witness",
            Refused::PartialWitness,
            with(&|terms| terms.witness = Some(terms.players.two.key())),
        ),
        (
            "a bank of a year",
            Refused::BadClock,
            with(&|terms| {
                terms.clock = Some(ClockSpec {
                    bank: 365 * 24 * 60 * 60,
                    increment: 0,
                });
            }),
        ),
        (
            "a stake of which two can't be counted",
            Refused::StakeTooLarge,
            with(&|terms| terms.stake = u128::MAX),
        ),
        (
            "a stake without a clock",
            Refused::StakeNeedsClock,
            with(&|terms| (terms.stake, terms.clock) = (1, None)),
        ),
        (
            "a stake with a clock of three minutes",
            Refused::ShortClock,
            with(&|terms| terms.stake = 1),
        ),
        (
            "a stake with a witness",
            Refused::WitnessedStake,
            with(&|terms| {
                terms.stake = 1;
                terms.clock = staked().clock;
            }),
        ),
        (
            "a stake, of which the contract tells",
            Refused::Staked,
            by(staked(), &COLUMN, Ending::Board),
        ),
        (
            "one has signed nothing",
            Refused::TooShort,
            by(terms(), &COLUMN[..1], Ending::Resignation(Player::One)),
        ),
        (
            "a bin that the board has not",
            Refused::IllegalMove,
            by(terms(), &[3, 7], Ending::Draw),
        ),
        (
            "a move after a line",
            Refused::IllegalMove,
            by(terms(), &[&COLUMN[..], &[4]].concat(), Ending::Board),
        ),
        (
            "a resignation at one's own line",
            Refused::EndedBefore,
            by(terms(), &COLUMN, Ending::Resignation(Player::One)),
        ),
        (
            "an agreement to a line that a witness tells",
            Refused::EndedBefore,
            by(terms(), &COLUMN, Ending::Resignation(Player::Two)),
        ),
        (
            "a draw at a line",
            Refused::EndedBefore,
            by(unwitnessed(), &COLUMN, Ending::Draw),
        ),
        (
            "a game that goes on",
            Refused::NotOver,
            by(terms(), open, Ending::Board),
        ),
        (
            "a lapse without a witness",
            Refused::NoWitness,
            by(unwitnessed(), open, Ending::Lapse(Player::One)),
        ),
        (
            "a witness that the terms do not name",
            Refused::NoWitness,
            {
                let mut game = by(unwitnessed(), open, Ending::Draw);
                let signature = ended_by(&witness(), &game, WitnessedEnd::Draw);
                game.witnessed = Some(Witnessed { at: AT, signature });
                game
            },
        ),
        (
            "an end without the word of the witness",
            Refused::Unwitnessed,
            change(&|game| game.witnessed = None),
        ),
        ("a lapse without a clock", Refused::NoClock, {
            let unclocked = Terms {
                clock: None,
                ..terms()
            };
            by(unclocked, open, Ending::Lapse(Player::One))
        }),
        (
            "a lapse of the player who waits",
            Refused::NotToMove,
            by(terms(), open, Ending::Lapse(Player::Two)),
        ),
        (
            "a line to which the loser has not agreed",
            Refused::Unagreed,
            by(unwitnessed(), &COLUMN, Ending::Board),
        ),
        (
            "the signatures are swapped",
            Refused::BadSignature(Player::One),
            change(&|game| game.signatures = game.signatures.swapped()),
        ),
        (
            "the last move is another one than was signed",
            Refused::BadSignature(Player::One),
            change(&|game| {
                game.terms.pool = 3;
            }),
        ),
        (
            "an account that has named no key",
            Refused::BadSession(Player::One),
            by(accounts(), &COLUMN, Ending::Board),
        ),
        (
            "a guest that has named a key",
            Refused::BadSession(Player::One),
            change(&|game| game.sessions = sessions_without_chance()),
        ),
        ("an end of before the terms", Refused::BadWitness, {
            let later = Terms {
                time: TIME + 3_600,
                ..terms()
            };
            by(later, &COLUMN, Ending::Board)
        }),
        (
            "another witness",
            Refused::BadWitness,
            change(&|game| {
                let signature = ended_by(&key(6), game, WitnessedEnd::Board);
                game.witnessed = Some(Witnessed { at: AT, signature });
            }),
        ),
        (
            "a witness that has told another time",
            Refused::BadWitness,
            change(&|game| {
                let signature = ended_by(&witness(), game, WitnessedEnd::Board);
                let at = AT + 1;
                game.witnessed = Some(Witnessed { at, signature });
            }),
        ),
        (
            "a witness that has told another end",
            Refused::BadWitness,
            change(&|game| {
                let signature = ended_by(&witness(), game, WitnessedEnd::Void);
                game.witnessed = Some(Witnessed { at: AT, signature });
            }),
        ),
    ]
}

#[test]
fn what_is_no_end_is_refused_for_its_reason() {
    for (name, refused, game) in refusals() {
        assert_eq!(judge(&game), Err(refused), "{name}");
    }
}

/// What the witness has told of the game of [`terms`], in which One has moved at second 0.
fn told(moves: &[u8], at: i64, what: Telling) -> Told {
    let mut told = Told {
        moves: Moves::from_bins(moves).expect("few moves"),
        signatures: ByPlayer::default(),
        at: AT.saturating_add_signed(at),
        what,
        witness: Signature::NONE,
    };
    let game = terms().number(&WITHOUT_STAKE, &Native);
    told.witness = witness().sign(&told.digest(game, &WITHOUT_STAKE, &Native));
    told
}

fn receipt(moves: &[u8], at: i64, one: u64, two: u64) -> Told {
    let left = ByPlayer { one, two };
    told(moves, at, Telling::Receipt { left })
}

fn end(moves: &[u8], at: i64, end: WitnessedEnd) -> Told {
    told(moves, at, Telling::Ended(end))
}

/// Pairs of statements of a witness by a name, with how they contradict each other.
fn contradictions() -> Vec<(&'static str, Option<Contradiction>, Told, Told)> {
    let lapse = WitnessedEnd::Lapse(Player::One);
    let resigned = WitnessedEnd::Resignation(Player::One);
    let first = receipt(&[3, 4], 5_000, 180_000, 180_000);
    let at_three = |at, one, two| receipt(&[3, 4, 3], at, one, two);
    let at_four = |at, one, two| receipt(&[3, 4, 3, 4], at, one, two);
    vec![
        ("the same receipt twice", None, first, first),
        (
            "a move by which time goes down and the increment is added",
            None,
            first,
            at_three(25_000, 162_000, 180_000),
        ),
        (
            "a move at once",
            None,
            first,
            at_three(5_000, 182_000, 180_000),
        ),
        (
            "a receipt and one of two moves later",
            None,
            first,
            at_four(35_000, 162_000, 172_000),
        ),
        (
            "an end after the last receipt",
            None,
            first,
            end(&[3, 4], 6_000, resigned),
        ),
        (
            "an end after moves whose receipts are not shown",
            None,
            first,
            end(&[3, 4, 3, 4], 6_000, resigned),
        ),
        (
            "a lapse when the time was over",
            None,
            first,
            end(&[3, 4], 185_000, lapse),
        ),
        (
            "two moves for one turn",
            Some(Contradiction::Forked),
            at_three(25_000, 162_000, 180_000),
            receipt(&[3, 4, 2], 25_000, 162_000, 180_000),
        ),
        (
            "an end of another game than the receipt has",
            Some(Contradiction::Forked),
            first,
            end(&[3, 3, 3], 25_000, resigned),
        ),
        (
            "two ends by which another one loses",
            Some(Contradiction::TwoEnds),
            end(&[3, 4], 25_000, resigned),
            end(&[3, 4], 25_000, WitnessedEnd::Resignation(Player::Two)),
        ),
        (
            "two ends at two times",
            Some(Contradiction::TwoEnds),
            end(&[3, 4], 25_000, resigned),
            end(&[3, 4], 25_001, resigned),
        ),
        (
            "two ends after different moves",
            Some(Contradiction::TwoEnds),
            end(&[3, 4], 25_000, resigned),
            end(&[3, 4, 3], 25_000, resigned),
        ),
        (
            "a move after the end",
            Some(Contradiction::EndBehindReceipt),
            end(&[3, 4], 25_000, resigned),
            at_three(25_000, 162_000, 180_000),
        ),
        (
            "a move that was taken twice",
            Some(Contradiction::TwoReceipts),
            first,
            receipt(&[3, 4], 5_001, 180_000, 180_000),
        ),
        (
            "a move after which two times are left",
            Some(Contradiction::TwoReceipts),
            first,
            receipt(&[3, 4], 5_000, 180_000, 179_000),
        ),
        (
            "a move before the one before it",
            Some(Contradiction::TimeWentBack),
            first,
            at_three(4_999, 182_000, 180_000),
        ),
        (
            "an end before the last move",
            Some(Contradiction::TimeWentBack),
            first,
            end(&[3, 4], 4_999, resigned),
        ),
        (
            "more time taken than has passed",
            Some(Contradiction::TimeTaken),
            first,
            at_three(25_000, 159_999, 180_000),
        ),
        (
            "time taken of the player who waits",
            Some(Contradiction::TimeTaken),
            first,
            at_three(6_000, 182_000, 178_999),
        ),
        (
            "time given for nothing",
            Some(Contradiction::TimeGiven),
            first,
            at_three(5_000, 182_001, 180_000),
        ),
        (
            "an increment for the player who waits",
            Some(Contradiction::TimeGiven),
            first,
            at_three(5_000, 182_000, 182_000),
        ),
        (
            "a lapse with a moment left",
            Some(Contradiction::EarlyLapse),
            first,
            end(&[3, 4], 184_999, lapse),
        ),
        (
            "a lapse behind an old receipt, before its time could be over",
            Some(Contradiction::EarlyLapse),
            first,
            end(&[3, 4, 3, 4], 184_999, lapse),
        ),
        (
            "more time taken of both than has passed",
            Some(Contradiction::TimeTaken),
            first,
            at_four(25_000, 172_000, 171_999),
        ),
        (
            "an increment that is kept back",
            Some(Contradiction::TimeTaken),
            first,
            at_three(5_000, 181_999, 180_000),
        ),
        (
            "time taken of one who had not to move, while time has passed",
            Some(Contradiction::TimeTaken),
            first,
            at_three(25_000, 182_000, 179_999),
        ),
        (
            "a lapse before the increments of moves since then are used",
            Some(Contradiction::EarlyLapse),
            first,
            end(&[3, 4, 3, 4], 186_999, lapse),
        ),
        alone(
            "a void game before both have moved",
            None,
            end(&[3], 0, WitnessedEnd::Void),
        ),
        alone(
            "a lapse as early as there can be one",
            None,
            end(&[3, 4], EARLIEST + 180_000, lapse),
        ),
        alone(
            "the first receipt",
            None,
            receipt(&[3], EARLIEST, 180_000, 180_000),
        ),
        impossible(
            "a void game of two moves",
            end(&[3, 4], 0, WitnessedEnd::Void),
        ),
        impossible(
            "an end on the board without a line",
            end(&[3, 4], 0, WitnessedEnd::Board),
        ),
        impossible("a resignation behind a line", end(&COLUMN, 0, resigned)),
        impossible(
            "a draw before both have moved",
            end(&[3], 0, WitnessedEnd::Draw),
        ),
        impossible(
            "a lapse of the player who waits",
            end(&[3, 4], 900_000, WitnessedEnd::Lapse(Player::Two)),
        ),
        impossible("a move into no bin", receipt(&[3, 9], 0, 180_000, 180_000)),
        impossible("an end after such a move", end(&[3, 9], 0, resigned)),
        impossible("a receipt for no move", receipt(&[], 0, 180_000, 180_000)),
        impossible(
            "a lapse before the bank can be over",
            end(&[3, 4], EARLIEST + 179_999, lapse),
        ),
        impossible(
            "an end of before the terms",
            end(&[3, 4], EARLIEST - 1, resigned),
        ),
        impossible(
            "a receipt of before the terms",
            receipt(&[3], EARLIEST - 1, 180_000, 180_000),
        ),
        impossible(
            "more left than the bank",
            receipt(&[3], 0, 180_001, 180_000),
        ),
        impossible(
            "a bank from which a first move is taken",
            receipt(&[3], 0, 179_000, 180_000),
        ),
    ]
}

/// A statement with which nothing else is shown.
fn alone(
    name: &'static str,
    contradiction: Option<Contradiction>,
    told: Told,
) -> (&'static str, Option<Contradiction>, Told, Told) {
    (name, contradiction, told, told)
}

fn impossible(name: &'static str, told: Told) -> (&'static str, Option<Contradiction>, Told, Told) {
    alone(name, Some(Contradiction::Impossible), told)
}

#[test]
fn statements_that_cannot_both_be_true_contradict_each_other() {
    let game = terms().number(&WITHOUT_STAKE, &Native);
    for (name, contradiction, one, other) in contradictions() {
        for (one, other) in [(one, other), (other, one)] {
            assert_eq!(
                one.contradicts(&other, &terms(), game),
                contradiction,
                "{name}"
            );
        }
        let [said, there] = [game, GameNumber([7; 32])].map(|game| one.said(game, &one.moves));
        let of_another = Contradiction::between(&terms(), &said, &there);
        assert_eq!(of_another, None, "of another game");
        assert!(one.is_by(witness().address(), game, &WITHOUT_STAKE, &Native));
        assert!(!one.is_by(key(6).address(), game, &WITHOUT_STAKE, &Native));
    }
}

#[test]
fn in_a_game_without_a_clock_no_time_is_given() {
    let terms = Terms {
        clock: None,
        ..terms()
    };
    let game = terms.number(&WITHOUT_STAKE, &Native);
    let [one, other] =
        [(&[3][..], 0), (&[3, 4], 2_000)].map(|(moves, two)| receipt(moves, 0, 0, two));
    let contradiction = one.contradicts(&other, &terms, game);
    assert_eq!(contradiction, Some(Contradiction::TimeGiven));
}

#[test]
fn terms_without_both_signatures_open_no_room() {
    let agreed = |terms: Terms| SignedTerms {
        terms,
        sessions: ByPlayer::default(),
        signatures: {
            let number = terms.number(&WITHOUT_STAKE, &Native);
            ByPlayer::from_fn(|player| key(number_of(player)).sign(&number.0))
        },
    };
    let check = |signed: &SignedTerms| signed.check(CHAIN, &Native);
    assert_eq!(check(&agreed(terms())), Ok(()));
    assert_eq!(check(&agreed(staked())), Err(Refused::Staked));
    let mut other = agreed(terms());
    other.terms.nonce += 1;
    assert_eq!(check(&other), Err(Refused::BadSignature(Player::One)));
    let mut half = agreed(terms());
    half.signatures.two = half.signatures.one;
    assert_eq!(check(&half), Err(Refused::BadSignature(Player::Two)));
    let mut by_accounts = agreed(accounts());
    assert_eq!(check(&by_accounts), Err(Refused::BadSession(Player::One)));
    by_accounts.sessions = sessions(&accounts(), TIME);
    assert_eq!(check(&by_accounts), Ok(()));
}

#[test]
fn the_first_reason_is_told() {
    // All reasons of a game at once, taken away one after the other.
    let mut game = finished(staked(), &COLUMN[..1], Ending::Lapse(Player::One));
    game.terms.stake = u128::MAX;
    game.terms.shape.line = 9;
    let told = |game: &Finished| judge(game).expect_err("it is no end");
    assert_eq!(told(&game), Refused::BadShape);
    game.terms.shape = Shape::STANDARD.into();
    assert_eq!(told(&game), Refused::StakeTooLarge);
    game.terms.stake = 1;
    assert_eq!(told(&game), Refused::Staked);
    game.terms.stake = 0;
    assert_eq!(told(&game), Refused::TooShort);
    game.moves = Moves::from_bins(&[3, 9]).expect("few moves");
    assert_eq!(told(&game), Refused::IllegalMove);
    game.moves = Moves::from_bins(&COLUMN[..4]).expect("few moves");
    assert_eq!(told(&game), Refused::NoWitness);
    game.terms.witness = Some(key(1).address());
    assert_eq!(told(&game), Refused::PartialWitness);
    game.terms.witness = Some(witness().address());
    assert_eq!(told(&game), Refused::Unwitnessed);
    game.witnessed = finished(terms(), &COLUMN, Ending::Board).witnessed;
    game.terms.clock = None;
    assert_eq!(told(&game), Refused::NoClock);
    game.terms.clock = terms().clock;
    game.ending = Ending::Lapse(Player::Two);
    assert_eq!(told(&game), Refused::NotToMove);
    game.ending = Ending::Lapse(Player::One);
    assert_eq!(told(&game), Refused::BadSignature(Player::One));
    let signed = finished(game.terms, &game.moves, game.ending);
    game.signatures = signed.signatures;
    assert_eq!(told(&game), Refused::BadSession(Player::One));
    game.sessions = sessions(&game.terms, TIME);
    assert_eq!(told(&game), Refused::BadWitness);
    game.witnessed = signed.witnessed;
    assert_eq!(
        judge(&game),
        Ok((End::Timeout, Some(Player::Two), Some(AT)))
    );
}

#[test]
fn terms_have_one_form() {
    for terms in [terms(), unwitnessed(), accounts(), staked()] {
        let bytes = terms.encode();
        assert_eq!(bytes.len(), Terms::LEN);
        assert_eq!(Terms::decode(&mut &bytes[..]), Ok(terms));
    }
    let bytes = Terms {
        clock: None,
        ..terms()
    }
    .to_bytes();
    // Flags, and an increment without a bank.
    for (place, value) in [(83, 2), (130, 2), (131, 255), (91, 1)] {
        let mut other = bytes;
        assert!(other[place] <= 1, "{place}");
        other[place] = value;
        assert_eq!(Terms::from_bytes(&other), None, "{place}");
    }
}

#[test]
fn a_game_is_one_of_one_chain() {
    let number = |id, genesis| {
        let chain = Chain { id, genesis };
        terms().number(&Domain::without_stake(chain), &Native)
    };
    let here = number(CHAIN.id, CHAIN.genesis);
    assert_ne!(here, number(CHAIN.id + 1, CHAIN.genesis));
    // Local chains share a number.
    assert_ne!(here, number(CHAIN.id, [7; 32]));
    let game = finished(terms(), &COLUMN, Ending::Board);
    let there = Chain {
        genesis: [7; 32],
        ..CHAIN
    };
    let judged = game.judge(there, &Native);
    assert_eq!(judged, Err(Refused::BadSignature(Player::One)));
}

#[test]
fn each_byte_of_the_terms_is_in_the_number_of_the_game() {
    let mut numbers = std::collections::HashSet::new();
    let bytes = staked().to_bytes();
    let domain = staked().domain(CHAIN, STAKES);
    for place in 0..Terms::LEN {
        let mut other = bytes;
        other[place] ^= 1;
        if let Some(terms) = Terms::from_bytes(&other) {
            assert!(numbers.insert(terms.number(&domain, &Native)), "{place}");
        }
    }
    assert!(numbers.insert(staked().number(&domain, &Native)));
    assert!(numbers.insert(staked().number(&WITHOUT_STAKE, &Native)));
    assert_eq!(numbers.len(), Terms::LEN + 2);
}

fn hex_of(bytes: impl AsRef<[u8]>) -> String {
    format!("0x{}", hex::encode(bytes))
}

fn domain_of(domain: &Domain) -> Value {
    let mut value = json!({
        "name": "Connect Four",
        "version": "3",
        "chainId": domain.chain.id,
        "salt": hex_of(domain.chain.genesis),
    });
    if let Some(stakes) = domain.stakes {
        value["verifyingContract"] = json!(hex_of(stakes.0));
    }
    value
}

/// The struct of terms, as libraries of EIP-712 take it.
fn message_of(terms: &Terms) -> Value {
    let ByPlayer { one, two } = &terms.players;
    let clock = terms.clock.unwrap_or(ClockSpec {
        bank: 0,
        increment: 0,
    });
    json!({
        "accountOne": hex_of(one.account().0),
        "accountTwo": hex_of(two.account().0),
        "keyOne": hex_of(one.key().0),
        "keyTwo": hex_of(two.key().0),
        "bins": terms.shape.bins,
        "capacity": terms.shape.capacity,
        "line": terms.shape.line,
        "pieRule": terms.pie_rule,
        "bank": clock.bank,
        "increment": clock.increment,
        "witness": hex_of(terms.witness.unwrap_or(Address::ZERO).0),
        "stake": terms.stake.to_string(),
        "pool": terms.pool,
        "programOne": terms.programs.one,
        "programTwo": terms.programs.two,
        "event": hex_of(terms.event.unwrap_or_default()),
        "previous": hex_of(terms.previous.unwrap_or_default().0),
        "time": terms.time,
        "nonce": terms.nonce,
    })
}

fn signed(by: &SessionKey, name: &str, message: Value, domain: &Domain, digest: Digest) -> Value {
    json!({
        "type": name,
        "domain": domain_of(domain),
        "message": message,
        "digest": hex_of(digest),
        "by": hex_of(by.address().0),
        "signature": by.sign(&digest).to_string(),
    })
}

fn types() -> Value {
    let of = |fields: &str| {
        let fields = fields.split(',').map(|field| {
            let (of_type, name) = field.split_once(' ').expect("a type and a name");
            json!({ "name": name, "type": of_type })
        });
        Value::from_iter(fields)
    };
    json!({
        "Terms": of(
            "address accountOne,address accountTwo,address keyOne,address keyTwo,uint8 bins,uint8 capacity,\
             uint8 line,bool pieRule,uint32 bank,uint32 increment,address witness,uint128 stake,uint16 pool,\
             bool programOne,bool programTwo,bytes32 event,bytes32 previous,uint64 time,uint32 nonce"
        ),
        "Position": of("bytes32 game,bytes moves"),
        "Resignation": of("bytes32 game,bytes moves"),
        "Draw": of("bytes32 game,bytes moves,uint64 until"),
        "Receipt": of("bytes32 game,bytes moves,uint64 at,uint64 leftOne,uint64 leftTwo"),
        "Ended": of("bytes32 game,bytes moves,uint8 end,uint64 at"),
        "Ends": of("Ended[] ended"),
        "Presence": of("bytes32 game,bytes32 nonce"),
        "Acceptance": of("bytes32 game"),
        "Session": of("address account,address key,uint64 until"),
    })
}

fn statements() -> Vec<Value> {
    let stakes = staked().domain(CHAIN, STAKES);
    let game = terms().number(&WITHOUT_STAKE, &Native);
    let for_stake = staked().number(&stakes, &Native);
    let until = TIME + 60;
    let statement = |domain: &Domain, game: GameNumber, kind, moves: &[u8], by| {
        let message = json!({ "game": hex_of(game.0), "moves": hex_of(moves) });
        let (name, message) = match kind {
            Kind::Position => ("Position", message),
            Kind::Resignation => ("Resignation", message),
            Kind::Draw { until } => {
                let mut message = message;
                message["until"] = json!(until.to_string());
                ("Draw", message)
            }
        };
        let digest = Statement { game, kind, moves }.digest(domain, &Native);
        signed(&key(by), name, message, domain, digest)
    };
    let terms_signed = |terms: &Terms, domain: &Domain| {
        let number = terms.number(domain, &Native);
        signed(&key(1), "Terms", message_of(terms), domain, number.0)
    };
    let receipt = Receipt {
        game,
        moves: &COLUMN[..2],
        at: AT,
        left: ByPlayer {
            one: 179_000,
            two: 181_500,
        },
    };
    let mut all = vec![
        terms_signed(&terms(), &WITHOUT_STAKE),
        terms_signed(&accounts(), &WITHOUT_STAKE),
        terms_signed(&staked(), &stakes),
        statement(&WITHOUT_STAKE, game, Kind::Position, &COLUMN[..1], 1),
        statement(&WITHOUT_STAKE, game, Kind::Position, &[3, Moves::SWAP], 2),
        statement(&WITHOUT_STAKE, game, Kind::Resignation, &COLUMN[..3], 2),
        statement(
            &WITHOUT_STAKE,
            game,
            Kind::Draw {
                until: Kind::FOR_GOOD,
            },
            &COLUMN[..4],
            1,
        ),
        statement(&stakes, for_stake, Kind::Draw { until }, &COLUMN[..4], 1),
        signed(
            &witness(),
            "Receipt",
            json!({
                "game": hex_of(game.0),
                "moves": hex_of(receipt.moves),
                "at": receipt.at,
                "leftOne": receipt.left.one,
                "leftTwo": receipt.left.two,
            }),
            &WITHOUT_STAKE,
            receipt.digest(&WITHOUT_STAKE, &Native),
        ),
    ];
    let (mut list, mut hashes) = (Vec::new(), Vec::new());
    for end in WitnessedEnd::ALL {
        let moves: &[u8] = match end {
            WitnessedEnd::Void => &[],
            _ => &COLUMN,
        };
        let ended = Ended {
            game,
            moves,
            end,
            at: AT,
        };
        let message = json!({
            "game": hex_of(game.0),
            "moves": hex_of(moves),
            "end": end.code(),
            "at": AT,
        });
        let digest = ended.digest(&WITHOUT_STAKE, &Native);
        list.push(message.clone());
        hashes.push(ended.hash(&Native));
        all.push(signed(&witness(), "Ended", message, &WITHOUT_STAKE, digest));
    }
    let message = json!({ "ended": list });
    let digest = Ends { hashes: &hashes }.digest(&WITHOUT_STAKE, &Native);
    all.push(signed(&witness(), "Ends", message, &WITHOUT_STAKE, digest));
    let nonce = [7; 32];
    let message = json!({ "game": hex_of(game.0), "nonce": hex_of(nonce) });
    let digest = Presence { game, nonce }.digest(&WITHOUT_STAKE, &Native);
    all.push(signed(&key(1), "Presence", message, &WITHOUT_STAKE, digest));
    let message = json!({ "game": hex_of(game.0) });
    let with_stake = Domain {
        stakes: Some(Address([8; 20])),
        ..WITHOUT_STAKE
    };
    let digest = Acceptance { game }.digest(&with_stake, &Native);
    all.push(signed(&key(1), "Acceptance", message, &with_stake, digest));
    let party = accounts().players.one;
    let session = connect4_protocol::signed::Session {
        account: party.account(),
        key: party.key(),
        until: TIME,
    };
    let message = json!({
        "account": hex_of(session.account.0),
        "key": hex_of(session.key.0),
        "until": session.until,
    });
    let digest = WITHOUT_STAKE.digest(&Native, &hash_of(&session));
    all.push(signed(&key(3), "Session", message, &WITHOUT_STAKE, digest));
    all
}

fn vectors() -> Value {
    let of_terms = |name: &str, terms: &Terms, domain: &Domain| {
        json!({
            "name": name,
            "message": message_of(terms),
            "bytes": hex_of(terms.to_bytes()),
            "game": terms.number(domain, &Native).to_string(),
        })
    };
    let stakes = staked().domain(CHAIN, STAKES);
    let mut of_accounts = finished(accounts(), &COLUMN, Ending::Board);
    of_accounts.sessions = sessions_without_chance();
    let small = |terms: Terms| Terms {
        shape: SMALL,
        ..terms
    };
    let open = &COLUMN[..4];
    let resigned = Ending::Resignation(Player::Two);
    let ends = [
        (
            "a line, witnessed",
            finished(terms(), &COLUMN, Ending::Board),
        ),
        ("a line between accounts", of_accounts),
        (
            "a full board, witnessed",
            finished(small(terms()), &crate::common::DRAWN, Ending::Board),
        ),
        (
            "a resignation, witnessed",
            finished(terms(), open, resigned),
        ),
        ("a draw, witnessed", finished(terms(), open, Ending::Draw)),
        (
            "a lapse, witnessed",
            finished(terms(), open, Ending::Lapse(Player::One)),
        ),
        (
            "a line to which the loser agrees",
            finished(unwitnessed(), &COLUMN, resigned),
        ),
        (
            "a full board",
            finished(small(unwitnessed()), &crate::common::DRAWN, Ending::Board),
        ),
        ("a resignation", finished(unwitnessed(), open, resigned)),
        ("a draw", finished(unwitnessed(), open, Ending::Draw)),
    ];
    let refused = refusals().into_iter().map(|(name, _, game)| (name, game));
    let finished = ends.into_iter().chain(refused).map(|(name, game)| {
        let result = match judge(&game) {
            Ok((end, winner, at)) => json!({
                "end": format!("{end:?}"),
                "winner": winner.map(number_of),
                "at": at,
            }),
            Err(refused) => {
                json!({ "refused": format!("{refused:?}"), "why": refused.to_string() })
            }
        };
        json!({ "name": name, "scale": hex_of(game.encode()), "result": result })
    });
    let contradictions = contradictions().into_iter();
    let contradictions = contradictions.map(|(name, contradiction, one, other)| {
        json!({
            "name": name,
            "one": hex_of(one.encode()),
            "other": hex_of(other.encode()),
            "contradiction": contradiction.map(|contradiction| format!("{contradiction:?}")),
            "why": contradiction.map(|contradiction| contradiction.to_string()),
        })
    });
    let keys = [1, 2, 3, 5].map(|byte| {
        json!({
            "secret": hex_of(key(byte).secret()),
            "address": hex_of(key(byte).address().0),
        })
    });
    json!({
        "types": types(),
        "keys": keys,
        "statements": statements(),
        "terms": [
            of_terms("two guests, witnessed", &terms(), &WITHOUT_STAKE),
            of_terms("two guests, without a witness", &unwitnessed(), &WITHOUT_STAKE),
            of_terms("two accounts in a tournament", &accounts(), &WITHOUT_STAKE),
            of_terms("two accounts for a stake", &staked(), &stakes),
        ],
        "finished": Value::from_iter(finished),
        "contradictions": Value::from_iter(contradictions),
    })
}

/// Sessions whose signatures are the same each time: those of sr25519 have chance in them, so that player two's is kept
/// as it was made once.
fn sessions_without_chance() -> ByPlayer<Option<SignedSession>> {
    let mut made = sessions(&accounts(), TIME);
    let kept = std::fs::read_to_string(FILE).ok().and_then(|text| {
        let vectors: Value = serde_json::from_str(&text).ok()?;
        let scale = vectors["finished"][1]["scale"].as_str()?;
        let bytes = hex::decode(scale.trim_start_matches("0x")).ok()?;
        Finished::decode(&mut &bytes[..]).ok()
    });
    if let Some(kept) = kept
        && kept.terms == accounts()
    {
        made[Player::Two] = kept.sessions[Player::Two];
    }
    made
}

#[test]
fn the_vectors_are_those_of_the_file() {
    let made = format!("{:#}\n", vectors());
    if std::env::var_os("CONNECT4_WRITE_VECTORS").is_some() {
        std::fs::write(FILE, made).expect("the file is written");
        return;
    }
    let committed = std::fs::read_to_string(FILE).unwrap_or_default();
    assert!(
        made == committed,
        "signed-vectors.json is not what the code makes"
    );
}
