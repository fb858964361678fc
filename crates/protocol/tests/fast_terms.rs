//! Games by signed terms: who has agreed to what, and what can be recorded.
#![cfg(feature = "sign")]

mod common;

use connect4_protocol::fast::{
    AccountCrypto, AccountSignature, Crypto, Digest, Domain, Ending, Evidence, FIRST, FastGame,
    GameNumber, GameTerms, Kind, Moves, Native, Party, PlayedGame, RecordedGame, Session,
    SessionKey, Signature, SignedSession, SignedTerms, Statement, StatementVersion, wrapped,
};
use connect4_protocol::{Address, ClockSpec, End, Error};
use connect4_rules::{ByPlayer, Player, Shape};

use common::fast::Signers;

const NOW: u64 = 1_800_000_000;
const DOMAIN: Domain = Domain::new(420_420_420, Address([0xcc; 20]));
const COLUMN: [u8; 7] = [3, 4, 3, 4, 3, 4, 3];
const SWAP: u8 = Moves::SWAP;

fn key(byte: u8) -> SessionKey {
    SessionKey::from_secret(&[byte; 32]).expect("a key")
}

fn keys() -> ByPlayer<SessionKey> {
    ByPlayer {
        one: key(1),
        two: key(2),
    }
}

fn guests() -> GameTerms {
    GameTerms {
        players: keys().map(|key| Party::Guest(key.address())),
        shape: Shape::STANDARD.into(),
        pie_rule: true,
        pool: 7,
        programs: ByPlayer {
            one: false,
            two: true,
        },
        clock: Some(ClockSpec {
            bank: 180,
            increment: 2,
        }),
        time: NOW,
        nonce: 9,
    }
}

/// Player one is an account of Ethereum with a session key, player two one of Substrate.
fn accounts() -> GameTerms {
    let players = ByPlayer {
        one: Party::Account {
            account: key(3).address(),
            key: key(1).address(),
        },
        two: Party::Account {
            account: substrate_account(),
            key: key(2).address(),
        },
    };
    GameTerms {
        players,
        ..guests()
    }
}

fn substrate() -> schnorrkel::Keypair {
    let mode = schnorrkel::ExpansionMode::Ed25519;
    let secret = schnorrkel::MiniSecretKey::from_bytes(&[4; 32]).expect("32 bytes");
    secret.expand_to_keypair(mode)
}

fn substrate_account() -> Address {
    Address::of_hash(&Native.keccak256(&substrate().public.to_bytes()))
}

fn session_of(party: Party, until: u64) -> Digest {
    let session = Session {
        account: party.account(),
        key: party.key(),
        until,
    };
    session.digest(&DOMAIN, &Native)
}

fn by_wallet(digest: &Digest) -> AccountSignature {
    let pair = substrate();
    let context = schnorrkel::signing_context(b"substrate");
    AccountSignature::Sr25519 {
        public_key: pair.public.to_bytes(),
        signature: pair.sign(context.bytes(&wrapped(digest))).to_bytes(),
    }
}

/// What both accounts sign about their session keys.
fn sessions(terms: &GameTerms, until: u64) -> ByPlayer<Option<SignedSession>> {
    let one = key(3).sign(&session_of(terms.players.one, until));
    let two = by_wallet(&session_of(terms.players.two, until));
    ByPlayer {
        one: AccountSignature::Ethereum(one),
        two,
    }
    .map(|signature| Some(SignedSession { until, signature }))
}

fn signed(terms: GameTerms, sessions: ByPlayer<Option<SignedSession>>) -> SignedTerms {
    let digest = terms.digest(&DOMAIN, &Native);
    SignedTerms {
        terms,
        sessions,
        signatures: keys().map(|key| key.sign(&digest)),
    }
}

fn start(signed: &SignedTerms) -> Result<FastGame, Error> {
    signed.start(Address([9; 20]), &DOMAIN, &Native)
}

fn evidence(terms: &GameTerms, moves: &[u8], ending: Option<Ending>) -> Evidence {
    let signers = Signers {
        keys: keys(),
        game: terms.number(&DOMAIN, &Native),
        domain: DOMAIN,
    };
    signers.evidence(moves, ending)
}

fn played(moves: &[u8], ending: Option<Ending>) -> PlayedGame {
    PlayedGame {
        terms: guests(),
        sessions: ByPlayer::default(),
        evidence: evidence(&guests(), moves, ending),
    }
}

fn check(played: &PlayedGame) -> Result<(Option<End>, Option<Player>), Error> {
    let (number, game) = played.check(&DOMAIN, &Native)?;
    assert_eq!(number, played.terms.number(&DOMAIN, &Native));
    Ok((game.end(), game.winner()))
}

type Change = fn(&mut GameTerms);

#[test]
fn the_number_names_all_that_matters() {
    let number = |terms: &GameTerms| terms.number(&DOMAIN, &Native);
    let changes: [Change; 18] = [
        |it| it.players.one = Party::Guest(Address([9; 20])),
        |it| it.players.two = Party::Guest(Address([9; 20])),
        |it| {
            it.players.one = Party::Account {
                account: it.players.one.account(),
                key: Address([9; 20]),
            }
        },
        |it| {
            it.players.two = Party::Account {
                account: Address([9; 20]),
                key: it.players.two.key(),
            }
        },
        |it| it.players = it.players.swapped(),
        |it| it.shape.bins = 8,
        |it| it.shape.capacity = 7,
        |it| it.shape.line = 5,
        |it| it.pie_rule = false,
        |it| it.pool = 8,
        |it| it.programs.one = true,
        |it| it.programs = it.programs.swapped(),
        |it| it.clock = None,
        |it| it.clock.as_mut().expect("a clock").bank += 1,
        |it| it.clock.as_mut().expect("a clock").increment += 1,
        |it| it.time += 1,
        |it| it.nonce += 1,
        |it| it.programs.two = false,
    ];
    let mut numbers = vec![number(&guests())];
    for change in changes {
        let mut terms = guests();
        change(&mut terms);
        numbers.push(number(&terms));
    }
    for elsewhere in [
        Domain::new(1, DOMAIN.contract),
        Domain::new(DOMAIN.chain_id, Address([9; 20])),
    ] {
        numbers.push(guests().number(&elsewhere, &Native));
    }
    numbers.sort_unstable();
    let count = numbers.len();
    numbers.dedup();
    assert_eq!(numbers.len(), count);
}

#[test]
fn terms_that_both_have_signed_make_a_game() {
    let game = start(&signed(guests(), ByPlayer::default())).expect("two guests");
    let number = guests().number(&DOMAIN, &Native);
    assert_eq!(game.number(FIRST + 3), number);
    assert_eq!(game.game.player_one(), key(1).address());
    assert_eq!(game.keys.two, key(2).address());
    assert_eq!(game.stopped.map(|banks| banks.left.one), Some(180));
    let game = start(&signed(accounts(), sessions(&accounts(), NOW))).expect("two accounts");
    assert_eq!(game.game.player_two(), substrate_account());
    assert_eq!(game.keys.two, key(2).address());
}

#[test]
fn forged_terms_make_none() {
    let refused = |forged: &SignedTerms, error| assert_eq!(start(forged), Err(error));
    let good = signed(guests(), ByPlayer::default());
    for player in Player::ALL {
        let mut forged = good;
        forged.signatures[player] = Signature::NONE;
        refused(&forged, Error::BadSignature);
        forged.signatures[player] = key(5).sign(&guests().digest(&DOMAIN, &Native));
        refused(&forged, Error::BadSignature);
        // By its key, on other terms.
        let mut other = guests();
        other.nonce += 1;
        let signer = keys();
        forged.signatures[player] = signer.get(player).sign(&other.digest(&DOMAIN, &Native));
        refused(&forged, Error::BadSignature);
    }
    let mut forged = good;
    forged.signatures = forged.signatures.swapped();
    refused(&forged, Error::BadSignature);
    let elsewhere = Domain::new(1, DOMAIN.contract);
    let started = good.start(Address::ZERO, &elsewhere, &Native);
    assert_eq!(started, Err(Error::BadSignature));
}

#[test]
fn an_account_plays_by_a_key_that_it_has_named_for_the_time() {
    let refused =
        |sessions| assert_eq!(start(&signed(accounts(), sessions)), Err(Error::BadSession));
    let good = sessions(&accounts(), NOW);
    refused(ByPlayer::default());
    refused(sessions(&accounts(), NOW - 1));
    for player in Player::ALL {
        let mut bad = good;
        bad[player] = None;
        refused(bad);
        bad[player] = *good.get(player.opponent());
        refused(bad);
        // Another time than was signed.
        bad[player] = good.get(player).map(|signed| SignedSession {
            until: signed.until + 1,
            ..signed
        });
        refused(bad);
    }
    // The session key names itself.
    let mut bad = good;
    let until = NOW;
    let own = key(1).sign(&session_of(accounts().players.one, until));
    bad.one = Some(SignedSession {
        until,
        signature: AccountSignature::Ethereum(own),
    });
    refused(bad);
    // Bytes that no wallet has wrapped.
    let unwrapped = {
        let digest = session_of(accounts().players.two, until);
        let context = schnorrkel::signing_context(b"substrate");
        AccountSignature::Sr25519 {
            public_key: substrate().public.to_bytes(),
            signature: substrate().sign(context.bytes(&digest)).to_bytes(),
        }
    };
    let mut bad = good;
    bad.two = Some(SignedSession {
        until,
        signature: unwrapped,
    });
    refused(bad);
    // A key of the other player's account, or of another one.
    let mut other = accounts();
    other.players.one = Party::Account {
        account: key(5).address(),
        key: key(1).address(),
    };
    assert_eq!(start(&signed(other, good)), Err(Error::BadSession));
}

#[test]
fn an_account_is_no_guest_by_saying_so() {
    let mut terms = accounts();
    // The signatures are by the session key, which is not the account.
    terms.players.one = Party::Guest(key(3).address());
    let refused = start(&signed(terms, sessions(&accounts(), NOW)));
    assert_eq!(refused, Err(Error::BadSignature));
}

#[test]
fn terms_out_of_bounds_make_no_game() {
    let changes: [(Change, Error); 5] = [
        (|it| it.shape.line = 7, Error::BadShape),
        (
            |it| it.clock.as_mut().expect("a clock").bank = 0,
            Error::BadClock,
        ),
        (
            |it| it.clock.as_mut().expect("a clock").increment = ClockSpec::MAX_INCREMENT + 1,
            Error::BadClock,
        ),
        (|it| it.players.two = it.players.one, Error::SamePlayer),
        (
            |it| {
                it.players.two = Party::Account {
                    account: Address([9; 20]),
                    key: it.players.one.key(),
                }
            },
            Error::BadKey,
        ),
    ];
    for (change, error) in changes {
        let mut terms = guests();
        change(&mut terms);
        assert_eq!(start(&signed(terms, ByPlayer::default())), Err(error));
    }
}

#[test]
fn terms_start_a_game_on_the_chain_for_a_day() {
    let at = |now| guests().check_time(GameTerms::STARTS, now);
    let (day, hour) = (u64::from(GameTerms::STARTS), u64::from(GameTerms::AHEAD));
    for now in [NOW - hour, NOW, NOW + day] {
        assert_eq!(at(now), Ok(()));
    }
    for now in [NOW - hour - 1, NOW + day + 1, 0, u64::MAX] {
        assert_eq!(at(now), Err(Error::TermsExpired));
    }
    let last = GameTerms {
        time: u64::MAX,
        ..guests()
    };
    let starts = |now| last.check_time(GameTerms::STARTS, now);
    assert_eq!(starts(NOW), Err(Error::TermsExpired));
    assert_eq!(starts(u64::MAX), Ok(()));
}

#[test]
fn what_is_recorded_has_room_for_terms_until_2106() {
    let at = |time| {
        let terms = GameTerms { time, ..guests() };
        let evidence = evidence(&terms, &COLUMN, None);
        RecordedGame::of(&PlayedGame {
            terms,
            sessions: ByPlayer::default(),
            evidence,
        })
    };
    for time in [NOW, u64::from(u32::MAX)] {
        let recorded = at(time).expect("there is room");
        let (terms, ..) = recorded.check(&DOMAIN, &Native, time).expect("valid");
        assert_eq!(terms.terms(), Some(GameTerms { time, ..guests() }));
    }
    assert_eq!(at(u64::from(u32::MAX) + 1), None);
}

#[test]
fn what_both_have_signed_at_the_end_is_recorded() {
    let for_good = Some(Ending::Draw {
        until: Ending::FOR_GOOD,
    });
    let resigned = |player| Some(Ending::Resignation(player));
    let (one, two) = (Some(Player::One), Some(Player::Two));
    let cases = [
        (&COLUMN[..], None, Some(End::Line), one),
        (&COLUMN[..], resigned(Player::Two), Some(End::Line), one),
        (
            &COLUMN[..4],
            resigned(Player::One),
            Some(End::Resignation),
            two,
        ),
        (
            &COLUMN[..4],
            resigned(Player::Two),
            Some(End::Resignation),
            one,
        ),
        (&COLUMN[..4], for_good, Some(End::Agreement), None),
        // It answers a line to which somebody has gone back.
        (&COLUMN[..4], None, None, None),
    ];
    for (moves, ending, end, winner) in cases {
        assert_eq!(
            check(&played(moves, ending)),
            Ok((end, winner)),
            "{moves:?} {ending:?}"
        );
    }
    let accounts = PlayedGame {
        terms: accounts(),
        sessions: sessions(&accounts(), NOW),
        evidence: evidence(&accounts(), &COLUMN, None),
    };
    assert_eq!(check(&accounts), Ok((Some(End::Line), one)));
}

#[test]
fn what_one_of_them_has_not_agreed_to_is_not_recorded() {
    let refused = |played: &PlayedGame, error| assert_eq!(check(played), Err(error));
    // One has signed nothing: it may not know of the game.
    refused(&played(&[], None), Error::BadSignature);
    refused(&played(&COLUMN[..1], None), Error::BadSignature);
    let resigned = Some(Ending::Resignation(Player::One));
    refused(&played(&[], resigned), Error::BadSignature);
    refused(&played(&COLUMN[..1], resigned), Error::BadSignature);
    // Who answers the first move by its resignation, or both by a draw, have signed that they know of it.
    let answered = played(&COLUMN[..1], Some(Ending::Resignation(Player::Two)));
    let won = Ok((Some(End::Resignation), Some(Player::One)));
    assert_eq!(check(&answered), won);
    let for_good = Some(Ending::Draw {
        until: Ending::FOR_GOOD,
    });
    let drawn = Ok((Some(End::Agreement), None));
    for moves in [&[], &COLUMN[..1]] {
        assert_eq!(check(&played(moves, for_good)), drawn);
    }
    // Nothing on the chain tells when a draw with a last second was accepted.
    let until = NOW;
    refused(
        &played(&COLUMN[..4], Some(Ending::Draw { until })),
        Error::NoOffer,
    );
    refused(
        &played(&COLUMN[..4], Some(Ending::Press { until })),
        Error::NoOffer,
    );
    let good = played(&COLUMN, None);
    for player in Player::ALL {
        let mut forged = good;
        forged.evidence.signatures[player] = Signature::NONE;
        refused(&forged, Error::BadSignature);
    }
    // Another game's terms.
    let mut forged = good;
    forged.terms.nonce += 1;
    refused(&forged, Error::BadSignature);
    let mut forged = good;
    forged.terms.players = accounts().players;
    forged.sessions = sessions(&accounts(), NOW);
    refused(&forged, Error::BadSignature);
    // A game of the chain has another number.
    let mut forged = good;
    forged.evidence = Signers {
        keys: keys(),
        game: GameNumber::from(FIRST),
        domain: DOMAIN,
    }
    .evidence(&COLUMN, None);
    refused(&forged, Error::BadSignature);
    refused(&played(&[3, 7], None), Error::NoSuchBin);
    refused(&played(&[3, 4, 3, 4, 3, 4, 3, 4], None), Error::GameOver);
    let terms = accounts();
    let no_session = PlayedGame {
        evidence: evidence(&terms, &COLUMN, None),
        terms,
        sessions: ByPlayer::default(),
    };
    refused(&no_session, Error::BadSession);
}

#[test]
fn a_swap_gives_the_first_disc_to_who_moves_second() {
    // The disc of the swap is at the bottom of bin 3; player two completes the line on row 0.
    let moves = [3, SWAP, 3, 2, 3, 4, 3, 5];
    let (_, game) = played(&moves, None).check(&DOMAIN, &Native).expect("legal");
    assert_eq!(game.winner(), Some(Player::Two));
    assert!(game.is_swapped());
    let moves = Moves::from_bins(&moves).expect("few moves");
    let text: String = moves
        .iter_moves()
        .map(|action| action.to_string())
        .collect();
    assert_eq!(text, "4s434546");
    assert_eq!((game.turns(), game.moves()), (7, 8));
    // By colours the disc stays red, and player two is red.
    let position = game.position();
    let plain = connect4_rules::Position::from_moves(Shape::STANDARD, "4434546").expect("legal");
    assert_eq!(position, plain);

    let (_, game) = played(&[3, SWAP], None)
        .check(&DOMAIN, &Native)
        .expect("legal");
    assert_eq!(game.to_move(), Some(Player::One));
    let (_, game) = played(&[3, SWAP, 3], None)
        .check(&DOMAIN, &Native)
        .expect("legal");
    assert_eq!(game.to_move(), Some(Player::Two));

    for moves in [
        &[SWAP, 3][..],
        &[3, 3, SWAP],
        &[3, SWAP, SWAP],
        &[3, SWAP, 3, SWAP],
    ] {
        assert_eq!(
            check(&played(moves, None)),
            Err(Error::NoSuchBin),
            "{moves:?}"
        );
    }
    let terms = GameTerms {
        pie_rule: false,
        ..guests()
    };
    let no_pie_rule = PlayedGame {
        evidence: evidence(&terms, &[3, SWAP], None),
        terms,
        sessions: ByPlayer::default(),
    };
    assert_eq!(check(&no_pie_rule), Err(Error::NoSuchBin));
}

/// Every board with a swap is full after one move more than it has cells.
#[test]
fn a_full_board_after_a_swap_is_a_draw() {
    let draw = "773536213355643211576164565614277172224443";
    let mut moves: Vec<u8> = draw.bytes().map(|digit| digit - b'1').collect();
    let position = connect4_rules::Position::from_moves(Shape::STANDARD, draw);
    assert!(
        position.is_ok_and(|position| position.outcome().is_some()),
        "an example is legal"
    );
    moves.insert(1, SWAP);
    let (_, game) = played(&moves, None).check(&DOMAIN, &Native).expect("legal");
    assert_eq!(game.end(), Some(End::FullBoard));
    assert_eq!((game.turns(), game.moves()), (42, 43));
    moves.pop();
    let (_, game) = played(&moves, None).check(&DOMAIN, &Native).expect("legal");
    assert_eq!(game.end(), None);
}

/// The game of a dispute at its start.
fn dispute() -> FastGame {
    start(&signed(guests(), ByPlayer::default())).expect("two guests")
}

fn bring(
    game: &mut FastGame,
    moves: &[u8],
    ending: Option<Ending>,
    now: u64,
) -> Result<bool, Error> {
    game.advance(
        FIRST,
        &evidence(&guests(), moves, ending),
        &DOMAIN,
        &Native,
        now,
    )
}

#[test]
fn a_signed_press_starts_the_clock_whoever_brings_it() {
    let until = NOW + 60;
    let press = Some(Ending::Press { until });
    let mut game = dispute();
    assert_eq!(bring(&mut game, &COLUMN[..3], press, NOW), Ok(true));
    assert_eq!(game.game.deadline(), Some(NOW + 180));
    assert_eq!(
        bring(&mut game, &COLUMN[..3], press, NOW),
        Err(Error::NotNewer)
    );
    // The answer stops it.
    assert_eq!(bring(&mut game, &COLUMN[..4], None, NOW + 10), Ok(true));
    assert_eq!(game.game.deadline(), None);
    let press_of_two = Some(Ending::Press { until });
    assert_eq!(
        bring(&mut game, &COLUMN[..4], press_of_two, NOW + 11),
        Ok(false)
    );
    assert_eq!(game.game.deadline(), Some(NOW + 11 + 180));
    // An old press does not count for a later position, nor after its time.
    assert_eq!(
        bring(&mut game, &COLUMN[..3], press, NOW + 12),
        Err(Error::NotNewer)
    );
    assert_eq!(
        bring(&mut game, &COLUMN[..5], press, until + 1),
        Err(Error::NoOffer)
    );
    // At a line there is no clock to start.
    assert_eq!(
        bring(&mut game, &COLUMN, press, NOW + 20),
        Err(Error::GameOver)
    );
}

#[test]
fn a_press_at_another_position_with_as_many_moves_is_refused() {
    let until = NOW + 60;
    let press = Some(Ending::Press { until });
    let mut game = dispute();
    bring(&mut game, &[3, 4, 3], None, NOW).expect("signed");
    let before = game;
    assert_eq!(
        bring(&mut game, &[3, 4, 4], press, NOW),
        Err(Error::NotNewer)
    );
    assert_eq!(game, before);
}

/// Who attacks need not show its signature to the other player, who has to be able to answer all the same.
#[test]
fn a_move_at_the_position_of_the_chain_needs_its_own_signature_alone() {
    let until = NOW + 60;
    let press = Some(Ending::Press { until });
    let alone = |moves: &[u8], ending| {
        let mut alone = evidence(&guests(), moves, ending);
        let other = match moves.len() % 2 {
            1 => Player::Two,
            _ => Player::One,
        };
        alone.signatures[other] = Signature::NONE;
        alone
    };
    let advance = |game: &mut FastGame, evidence: &Evidence| {
        game.advance(FIRST, evidence, &DOMAIN, &Native, NOW)
    };
    let mut game = dispute();
    bring(&mut game, &COLUMN[..3], press, NOW).expect("signed");
    // Of more moves than one, or at another position, both signatures are needed.
    for bad in [
        alone(&COLUMN[..5], None),
        alone(&[3, 4, 4, 4], None),
        alone(&COLUMN[..4], Some(Ending::Draw { until })),
        alone(&COLUMN[..4], Some(Ending::Resignation(Player::Two))),
    ] {
        assert_eq!(
            advance(&mut game, &bad),
            Err(Error::BadSignature),
            "{bad:?}"
        );
    }
    let mut unsigned = alone(&COLUMN[..4], None);
    unsigned.signatures.two = Signature::NONE;
    assert_eq!(advance(&mut game, &unsigned), Err(Error::BadSignature));
    let answer = alone(&COLUMN[..4], None);
    assert_eq!(
        game.judge(FIRST, &answer, &DOMAIN, &Native),
        Err(Error::BadSignature)
    );
    assert_eq!(advance(&mut game, &answer), Ok(true));
    assert_eq!(advance(&mut game, &alone(&COLUMN[..4], press)), Ok(false));
    assert_eq!(advance(&mut game, &alone(&COLUMN[..5], press)), Ok(true));
    assert_eq!(advance(&mut game, &alone(&COLUMN[..6], None)), Ok(true));
    assert_eq!(advance(&mut game, &alone(&COLUMN, None)), Ok(true));
    assert_eq!(
        (game.game.winner(), game.is_final()),
        (Some(Player::One), false)
    );
    assert_eq!(
        advance(&mut game, &alone(&[3, 4, 3, 4, 3, 4, 3, 4], None)),
        Err(Error::BadSignature)
    );
    // The swap, too.
    let mut game = dispute();
    bring(&mut game, &[3], None, NOW).expect("signed");
    assert_eq!(advance(&mut game, &alone(&[3, SWAP], None)), Ok(true));
    assert_eq!(game.game.to_move(), Some(Player::One));
}

#[test]
fn in_a_game_that_began_on_the_chain_each_move_needs_both_signatures() {
    let agreed = connect4_protocol::fast::Agreed {
        players: keys().map(|key| key.address()),
        keys: keys().map(|key| key.address()),
        payer: Address([2; 20]),
        shape: Shape::STANDARD.into(),
        clock: None,
    };
    let mut game = FastGame::start(&agreed).expect("two keys");
    let signers = Signers {
        keys: keys(),
        game: FIRST.into(),
        domain: DOMAIN,
    };
    let mut second = signers.evidence(&[3, 4], None);
    game.advance(FIRST, &signers.evidence(&[3], None), &DOMAIN, &Native, NOW)
        .expect("signed");
    second.signatures.one = Signature::NONE;
    let refused = game.advance(FIRST, &second, &DOMAIN, &Native, NOW);
    assert_eq!(refused, Err(Error::BadSignature));
    // And there is no swap.
    let swap = signers.evidence(&[3, SWAP], None);
    let refused = game.advance(FIRST, &swap, &DOMAIN, &Native, NOW);
    assert_eq!(refused, Err(Error::NoSuchBin));
}

#[test]
fn a_press_needs_a_clock() {
    let terms = GameTerms {
        clock: None,
        ..guests()
    };
    let mut game = start(&signed(terms, ByPlayer::default())).expect("two guests");
    let press = evidence(&terms, &COLUMN[..3], Some(Ending::Press { until: NOW }));
    let before = game;
    let refused = game.advance(FIRST, &press, &DOMAIN, &Native, NOW);
    assert_eq!((refused, game), (Err(Error::NoClock), before));
}

#[test]
fn a_draw_for_good_counts_in_a_dispute_at_what_both_have_signed() {
    let for_good = Some(Ending::Draw {
        until: Ending::FOR_GOOD,
    });
    let in_time = Some(Ending::Draw { until: NOW + 60 });
    // One has moved on after both had agreed.
    let known = |moves: &[u8]| {
        let mut game = dispute();
        bring(&mut game, moves, None, NOW).expect("signed");
        game
    };
    assert_eq!(
        bring(&mut known(&COLUMN[..5]), &COLUMN[..4], in_time, NOW),
        Err(Error::NotNewer)
    );
    let mut game = known(&COLUMN[..5]);
    assert_eq!(bring(&mut game, &COLUMN[..4], for_good, NOW), Ok(false));
    assert_eq!(game.game.end(), Some(End::Agreement));
    // Also by a line.
    let mut game = known(&COLUMN);
    assert_eq!(bring(&mut game, &COLUMN[..6], for_good, NOW), Ok(true));
    assert_eq!(
        (game.game.end(), game.is_final()),
        (Some(End::Agreement), true)
    );
    assert_eq!(
        bring(&mut known(&COLUMN[..6]), &COLUMN[..4], for_good, NOW),
        Err(Error::NotNewer)
    );
}

#[test]
fn no_disc_is_dropped_on_the_chain() {
    let mut game = dispute();
    let dropped = game.drop(key(1).address(), connect4_rules::Bin::new(3), NOW);
    assert_eq!(dropped, Err(Error::BySignature));
}

#[test]
fn a_game_of_the_chain_is_read_as_contracts_of_an_earlier_version_answer_it() {
    use codec::{DecodeAll as _, Encode as _};
    let agreed = connect4_protocol::fast::Agreed {
        players: ByPlayer {
            one: Address([1; 20]),
            two: Address([2; 20]),
        },
        keys: keys().map(|key| key.address()),
        payer: Address([2; 20]),
        shape: Shape::STANDARD.into(),
        clock: None,
    };
    let game = FastGame::start(&agreed).expect("two keys");
    let bytes = Ok::<_, Error>(game).encode();
    let read = |bytes: &[u8]| Result::<FastGame, Error>::decode_all(&mut &*bytes);
    assert_eq!(read(&bytes), Ok(Ok(game)));
    assert_eq!(
        read(&bytes[..bytes.len() - 1]),
        Ok(Ok(game)),
        "without terms"
    );
    assert!(read(&bytes[..bytes.len() - 2]).is_err());
    let by_terms = dispute();
    assert_eq!(read(&Ok::<_, Error>(by_terms).encode()), Ok(Ok(by_terms)));
}

#[test]
fn the_statements_of_two_versions_are_never_the_same() {
    let earlier = Domain {
        version: StatementVersion::One,
        ..DOMAIN
    };
    for kind in [Kind::Position, Kind::Resignation, Kind::Draw { until: 1 }] {
        let statement = Statement {
            game: FIRST.into(),
            kind,
            moves: &[3],
        };
        let digests = [DOMAIN, earlier].map(|domain| statement.digest(&domain, &Native));
        assert_ne!(digests[0], digests[1]);
    }
}

/// An sr25519 signature of the usual library, as wallets have it.
#[test]
fn a_signature_of_substrate_is_checked_off_the_chain() {
    let digest = [7; 32];
    let AccountSignature::Sr25519 {
        public_key,
        signature,
    } = by_wallet(&digest)
    else {
        panic!("it is one")
    };
    let is_by = |key: &[u8; 32], bytes: &[u8]| Native.verify_sr25519(key, bytes, &signature);
    assert!(is_by(&public_key, &wrapped(&digest)));
    assert!(!is_by(&public_key, &digest));
    assert!(!is_by(&[0xff; 32], &wrapped(&digest)), "no key");
    assert!(!Native.verify_sr25519(&public_key, &wrapped(&digest), &[0xff; 64]));
}
