//! Games by signed terms: who has agreed to what, and what can be recorded.
#![cfg(feature = "sign")]

mod common;

use connect4_protocol::fast::{
    AccountCrypto as _, AccountSignature, Domain, Ending, FIRST, GameNumber, GameTerms, Kind,
    Moves, Native, Party, PlayedGame, RecordedGame, Signature, SignedSession, SignedTerms,
    Statement, StatementVersion, wrapped,
};
use connect4_protocol::{Address, ClockSpec, End, Error};
use connect4_rules::{ByPlayer, Player, Shape};

use common::fast::Signers;
use common::terms::{
    COLUMN, DOMAIN, NOW, SWAP, accounts, by_wallet, check, evidence, guests, key, keys, played,
    session_of, sessions, signed, start, substrate, substrate_account,
};

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
