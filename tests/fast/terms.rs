//! Games by signed terms: recorded, and started for a dispute.

use connect4_chain::Report;
use connect4_protocol::event::{
    ClockPressed, GameEnded, GameRecorded, GameStarted, MatchStarted, SessionKeysNamed,
    StartedByTerms,
};
use connect4_protocol::fast::{
    Agreed, ByTerms, Ending, FIRST, GameTerms, Moves, PackedSigned, PackedTerms, Piece,
    RecordedGame, RecordedPlayer, Results, Signature, SignedTerms,
};
use connect4_protocol::message::{
    Advance, ClaimFastTimeout, DropFast, FreeFast, OfferFastRematch, Press, Record, ResignFast,
    StartByTerms, StartSigned,
};
use connect4_protocol::{Address, End, Error, Event};
use connect4_rules::{ByPlayer, Player, Shape};
use connect4_testing::Account::{Alice, Bob, Charlie, Eve};
use connect4_testing::fast::{TermsPlay, Wallet};
use connect4_testing::{address, games};

use crate::world::{World, session_key};

const SWAP: u8 = Moves::SWAP;

/// Seven drops, the last of which completes a column of player one.
fn line() -> Vec<u8> {
    games::bins(games::SHORT).collect()
}

fn guests(world: &World, nonce: u32) -> TermsPlay {
    TermsPlay::guests(world.domain(), world.now(), nonce)
}

/// Player one is an account of Ethereum, player two one of Substrate.
fn wallets(world: &World, nonce: u32) -> TermsPlay {
    let wallets = ByPlayer {
        one: Wallet::Ethereum(session_key(99)),
        two: Wallet::Substrate(Bob),
    };
    TermsPlay::new(world.domain(), world.now(), nonce, wallets)
}

fn record(world: &World, games: Vec<RecordedGame>) -> Result<Vec<GameRecorded>, Error> {
    let fast = world.fast;
    let count = u32::try_from(games.len()).expect("few");
    let (answer, report) = world.tries(Eve, 0, Record { fast, games })?;
    assert_eq!(answer, count);
    let events = world.events(&report).into_iter();
    Ok(events
        .map(|event| match event {
            Event::GameRecorded(event) => event,
            other => panic!("{other:?}"),
        })
        .collect())
}

fn start(world: &World, signed: &SignedTerms) -> Result<(u32, Report), Error> {
    let signed = PackedSigned::from(signed);
    let fast = world.fast;
    world.tries(Charlie, 0, StartSigned { fast, signed })
}

/// A dispute at its start.
fn disputed(world: &World, play: &TermsPlay) -> u32 {
    start(world, &play.signed_terms())
        .expect("both have signed")
        .0
}

fn bring(
    world: &World,
    game: u32,
    play: &TermsPlay,
    moves: &[u8],
    ending: Option<Ending>,
) -> Result<Report, Error> {
    let message = Advance {
        game,
        press: false,
        evidence: play.evidence(moves, ending),
    };
    world.tries(Charlie, 0, message).map(|((), report)| report)
}

#[test]
fn a_game_of_guests_is_recorded_by_anyone() {
    let world = World::new();
    let play = guests(&world, 1);
    let lost = Some(Ending::Resignation(Player::Two));
    let events = record(&world, vec![play.recorded(&line(), lost)]).expect("both have signed");
    let [one, two] = [play.terms.players.one, play.terms.players.two];
    let expected = GameRecorded {
        number: play.number(),
        player_one: one.account(),
        player_two: two.account(),
        fast: world.fast,
        terms: PackedTerms::from(&play.terms),
        moves: Moves::from_bins(&line()).expect("few moves"),
        end: Some(End::Line),
        winner: Some(one.key()),
    };
    assert_eq!(events, [expected]);
    assert_eq!(events[0].terms.terms(), Some(play.terms));
}

#[test]
fn a_game_of_wallets_of_both_kinds_is_recorded() {
    let world = World::new();
    let play = wallets(&world, 1);
    let swapped = [3, SWAP, 3, 2, 3, 4, 3, 5];
    let events = record(&world, vec![play.recorded(&swapped, None)]).expect("all have signed");
    let [
        GameRecorded {
            player_one,
            player_two,
            winner,
            ..
        },
    ] = &events[..]
    else {
        panic!("{events:?}")
    };
    assert_eq!(*player_one, session_key(99).address());
    assert_eq!(*player_two, address(Bob));
    assert_eq!(*winner, Some(address(Bob)));
}

#[test]
fn a_call_takes_more_games_than_the_buffer_of_ink_has_room_for() {
    let world = World::new();
    let draw: Vec<u8> = games::bins(games::DRAW).collect();
    let plays: Vec<_> = (0..100).map(|nonce| guests(&world, nonce)).collect();
    let games: Vec<_> = plays
        .iter()
        .map(|play| play.recorded(&draw, None))
        .collect();
    let bytes = codec::Encode::encode(&games).len();
    assert!(bytes > 16_384, "{bytes}");
    let events = record(&world, games).expect("all are signed");
    let numbers = events.iter().map(|event| event.number);
    assert!(numbers.eq(plays.iter().map(TermsPlay::number)));
    assert!(events.iter().all(|event| event.end == Some(End::FullBoard)));
}

#[test]
fn one_bad_game_among_thirty_refuses_all() {
    let world = World::new();
    let lost = Some(Ending::Resignation(Player::Two));
    let mut games: Vec<_> = (0..30)
        .map(|nonce| guests(&world, nonce).recorded(&line(), lost))
        .collect();
    games[17].evidence.signatures.two = Signature::NONE;
    assert_eq!(
        record(&world, games.clone()).err(),
        Some(Error::BadSignature)
    );
    games.remove(17);
    assert_eq!(
        record(&world, games).expect("the others are good").len(),
        29
    );
}

#[test]
fn a_forged_game_is_not_recorded() {
    let world = World::new();
    let refused = |forged: &RecordedGame, error| {
        assert_eq!(record(&world, vec![*forged]).err(), Some(error));
    };
    let play = wallets(&world, 1);
    let good = play.recorded(&line(), None);
    record(&world, vec![good]).expect("it is good");
    // An account that has not named the key.
    let mut forged = good;
    forged.players.one = RecordedPlayer::Guest(session_key(99).address());
    refused(&forged, Error::BadSignature);
    let mut forged = good;
    if let RecordedPlayer::Ethereum { account, .. } = &mut forged.players.one {
        *account = address(Alice);
    }
    refused(&forged, Error::BadSignature);
    // The session was for another time, or another key, or is not signed.
    let mut forged = good;
    if let RecordedPlayer::Ethereum { until, .. } = &mut forged.players.one {
        *until += 1;
    }
    refused(&forged, Error::BadSession);
    let mut forged = good;
    if let RecordedPlayer::Ethereum { signature, .. } = &mut forged.players.one {
        *signature = Signature::NONE;
    }
    refused(&forged, Error::BadSession);
    let mut forged = good;
    if let RecordedPlayer::Sr25519 { signature, .. } = &mut forged.players.two {
        signature[7] ^= 1;
    }
    refused(&forged, Error::BadSession);
    // Other terms, or another contract.
    let mut forged = good;
    forged.terms[3] ^= 1;
    refused(&forged, Error::BadSignature);
    let message = Record {
        fast: world.matches,
        games: vec![good],
    };
    assert_eq!(
        world.tries(Eve, 0, message).err(),
        Some(Error::BadSignature)
    );
    // Moves that nobody has signed, and one player alone.
    let mut forged = good;
    forged.evidence.moves = Moves::from_bins(&[3, 3, 3, 4, 3, 4, 3]).expect("few moves");
    refused(&forged, Error::BadSignature);
    refused(&play.recorded(&line()[..1], None), Error::BadSignature);
    // A draw whose time nobody can tell.
    let until = world.now() + 60;
    refused(
        &play.recorded(&line()[..4], Some(Ending::Draw { until })),
        Error::NoOffer,
    );
}

#[test]
fn what_is_cut_off_is_refused() {
    let world = World::new();
    let fast = world.fast;
    let good = guests(&world, 1).recorded(&line(), None);
    let input = connect4_testing::Input::from(Record {
        fast,
        games: vec![good],
    });
    for cut in [1, 40, 200] {
        let mut input = input.clone();
        let len = input.data.len() - cut;
        input.data.truncate(len);
        let done = world.try_and_send(&world.call(Eve, input, 0));
        assert!(done.is_err(), "{cut} bytes less");
    }
}

#[test]
fn games_are_recorded_for_thirty_days_and_not_before_they_are_played() {
    let world = World::new();
    let play = guests(&world, 1);
    let lost = Some(Ending::Resignation(Player::Two));
    let game = play.recorded(&line(), lost);
    let ahead = |seconds| {
        let play = TermsPlay::guests(world.domain(), world.now() + seconds, 2);
        record(&world, vec![play.recorded(&line(), None)]).map(|_| ())
    };
    assert_eq!(ahead(u64::from(GameTerms::AHEAD)), Ok(()));
    assert_eq!(
        ahead(u64::from(GameTerms::AHEAD) + 60),
        Err(Error::TermsExpired)
    );
    world.wait(u64::from(GameTerms::RECORDED) - 60);
    record(&world, vec![game]).expect("in time");
    world.wait(120);
    assert_eq!(record(&world, vec![game]).err(), Some(Error::TermsExpired));
}

#[test]
fn what_the_opponent_may_answer_is_taken_for_a_day_less() {
    let world = World::new();
    let play = guests(&world, 1);
    let lost = Some(Ending::Resignation(Player::Two));
    let (alone, agreed) = (play.recorded(&line(), None), play.recorded(&line(), lost));
    let dispute = guests(&world, 2);
    let game = disputed(&world, &dispute);
    let until = world.now() + u64::from(GameTerms::RECORDED);
    world.wait(u64::from(GameTerms::ANSWERED) - 60);
    record(&world, vec![alone]).expect("in time");
    world.wait(120);
    assert_eq!(record(&world, vec![alone]).err(), Some(Error::TermsExpired));
    record(&world, vec![agreed]).expect("the loser has signed the line");
    let line = line();
    for (moves, ending) in [
        (&line[..], None),
        (&line[..3], Some(Ending::Press { until })),
    ] {
        let late = bring(&world, game, &dispute, moves, ending);
        assert_eq!(late.err(), Some(Error::TermsExpired), "{moves:?}");
    }
    bring(&world, game, &dispute, &line[..3], None).expect("a position ends nothing");
    bring(&world, game, &dispute, &line, lost).expect("the loser has signed the line");
}

#[test]
fn a_game_on_a_board_too_wide_for_half_a_byte_is_recorded() {
    let world = World::new();
    for (nonce, bins) in [(1, 13), (2, 14), (3, 15), (4, 16), (5, 25)] {
        let mut play = guests(&world, nonce);
        play.terms.shape = Shape::new(bins, 4, 4).expect("a shape").into();
        let last = bins - 1;
        let moves = [last, SWAP, 0, last, 0, last, 0, last];
        let lost = Some(Ending::Resignation(Player::One));
        let events = record(&world, vec![play.recorded(&moves, lost)]).expect("both have signed");
        let event = events.first().expect("one");
        assert_eq!(*event.moves, moves, "{bins} bins");
        assert_eq!(event.winner, Some(event.player_two));
    }
}

#[test]
fn terms_start_a_game_by_anyone_and_once() {
    let world = World::new();
    let play = wallets(&world, 1);
    let (game, report) = start(&world, &play.signed_terms()).expect("both have signed");
    assert_eq!(game, FIRST);
    let [started, named, of_match, by_terms] = &world.events(&report)[..] else {
        panic!("{:?}", world.events(&report))
    };
    assert!(matches!(
        started,
        Event::GameStarted(GameStarted { player_one, player_two, .. })
            if *player_one == session_key(99).address() && *player_two == address(Bob)
    ));
    let keys = ByPlayer::from_fn(|player| play.keys.get(player).address());
    assert!(matches!(
        named,
        Event::SessionKeysNamed(SessionKeysNamed { one, two, .. })
            if *one == keys.one && *two == keys.two
    ));
    assert!(
        matches!(of_match, Event::MatchStarted(MatchStarted { clock, .. }) if *clock == play.terms.clock)
    );
    let expected = StartedByTerms {
        game,
        number: play.number(),
        fast: world.fast,
        terms: PackedTerms::from(&play.terms),
    };
    assert_eq!(*by_terms, Event::StartedByTerms(expected));

    let stored = world.fast_game(game);
    let by_terms = ByTerms {
        number: play.number(),
        time: play.terms.time,
    };
    assert_eq!((stored.by_terms, stored.pie_rule), (Some(by_terms), true));
    assert_eq!(stored.game.payer(), address(Charlie));
    assert_eq!(world.match_of(game).clock, play.terms.clock);

    let again = start(&world, &play.signed_terms()).err();
    assert_eq!(again, Some(Error::TermsUsed));
    // The same players on other terms.
    let mut other = play.clone();
    other.terms.nonce += 1;
    assert_eq!(disputed(&world, &other), FIRST + 1);
}

#[test]
fn forged_terms_start_no_game() {
    let world = World::new();
    let play = wallets(&world, 1);
    let refused = |signed: &SignedTerms, error| {
        assert_eq!(start(&world, signed).err(), Some(error));
    };
    let good = play.signed_terms();
    for player in Player::ALL {
        let mut forged = good;
        forged.signatures[player] = Signature::NONE;
        refused(&forged, Error::BadSignature);
        let mut forged = good;
        forged.sessions[player] = None;
        refused(&forged, Error::BadSession);
    }
    let mut forged = good;
    forged.terms.nonce += 1;
    refused(&forged, Error::BadSignature);
    let elsewhere = StartSigned {
        fast: world.matches,
        signed: PackedSigned::from(&good),
    };
    assert_eq!(
        world.tries(Eve, 0, elsewhere).err(),
        Some(Error::BadSignature)
    );
    let mut other = play.clone();
    other.terms.shape.line = 9;
    refused(&other.signed_terms(), Error::BadShape);

    // Nobody but a contract of the records, whose code is known, may say that terms are signed.
    let ByPlayer { one, two } = play.terms.players;
    let forged = StartByTerms {
        agreed: Agreed {
            players: ByPlayer {
                one: one.account(),
                two: two.account(),
            },
            keys: ByPlayer {
                one: one.key(),
                two: two.key(),
            },
            payer: address(Eve),
            shape: Shape::STANDARD.into(),
            clock: None,
            pie_rule: false,
        },
        by_terms: ByTerms {
            number: play.number(),
            time: play.terms.time,
        },
    };
    assert_eq!(world.tries(Eve, 0, forged).err(), Some(Error::NotReferee));
    start(&world, &good).expect("none of it has used the terms");
}

#[test]
fn a_contract_of_the_records_of_somebody_else_is_as_good() {
    let mut world = World::new();
    let (other, _) = world.local.instantiate(
        Eve,
        connect4_testing::contracts::RECORDS,
        connect4_testing::data("new", ()),
    );
    let own = std::mem::replace(&mut world.contracts.records, other);
    let play = guests(&world, 1);
    disputed(&world, &play);
    world.contracts.records = own;
    let again = start(&world, &play.signed_terms()).err();
    assert_eq!(again, Some(Error::TermsUsed));
}

#[test]
fn terms_start_a_game_for_a_day_and_it_is_freed_after_that() {
    let world = World::new();
    let (play, late) = (guests(&world, 1), guests(&world, 2));
    let day = u64::from(GameTerms::STARTS);
    world.wait(day - 600);
    let game = disputed(&world, &play);
    let lost = Some(Ending::Resignation(Player::Two));
    bring(&world, game, &play, &line(), lost).expect("both have signed");
    let free = || world.tries(Charlie, 0, FreeFast { game }).map(|_| ());
    assert_eq!(free(), Err(Error::TermsStand));
    world.wait(700);
    assert_eq!(
        start(&world, &late.signed_terms()).err(),
        Some(Error::TermsExpired)
    );
    assert_eq!(free(), Ok(()));
    assert_eq!(
        start(&world, &play.signed_terms()).err(),
        Some(Error::TermsExpired)
    );
}

#[test]
fn a_silent_guest_loses_on_a_clock_that_a_signature_starts() {
    let world = World::new();
    let play = guests(&world, 1);
    let game = disputed(&world, &play);
    let until = world.now() + 60;
    let press = Some(Ending::Press { until });
    let report = bring(&world, game, &play, &[3, 4, 3], press).expect("signed");
    let events = world.events(&report);
    let [
        Event::Advanced(_),
        Event::ClockPressed(ClockPressed { by, deadline, .. }),
    ] = &events[..]
    else {
        panic!("{events:?}")
    };
    assert_eq!(*by, play.terms.players.one.account());
    assert_eq!(Some(*deadline), world.fast_game(game).game.deadline());
    // The other one answers in time, by somebody who has tokens, without the signature on the move before.
    let mut answer = play.evidence(&[3, 4, 3, 4], None);
    answer.signatures.one = Signature::NONE;
    let answer = Advance {
        game,
        press: false,
        evidence: answer,
    };
    world
        .tries(Eve, 0, answer)
        .expect("it is at the position of the chain");
    bring(&world, game, &play, &[3, 4, 3, 4, 3], press).expect("signed");
    world.wait(400);
    let claimed = world
        .tries(Eve, 0, ClaimFastTimeout { game })
        .expect("it is late")
        .1;
    let events = world.events(&claimed);
    assert!(matches!(
        &events[..],
        [Event::GameEnded(GameEnded { end: End::Timeout, winner: Some(winner), .. })]
            if *winner == play.terms.players.one.account()
    ));
}

#[test]
fn nothing_is_moved_by_a_call_in_a_game_by_terms() {
    let world = World::new();
    let play = wallets(&world, 1);
    let game = disputed(&world, &play);
    let one = bring(&world, game, &play, &[3], None);
    one.expect("both have agreed to the terms");
    let dropped = world.tries(Bob, 0, DropFast { game, bin: 3 }).err();
    assert_eq!(dropped, Some(Error::BySignature));
    // An account may still press and resign by a call.
    bring(&world, game, &play, &[3, SWAP], None).expect("signed");
    world.tries(Bob, 0, Press { game }).expect("Bob waits");
    world
        .tries(Bob, 0, ResignFast { game })
        .expect("Bob plays it");
    let key = session_key(7).address();
    let offered = world.tries(Bob, 0, OfferFastRematch { game, key }).err();
    assert_eq!(offered, Some(Error::BySignature));
}

/// All that is on the chain about a game by its events, as an index reads it.
fn results(play: &TermsPlay, events: &[Event]) -> Piece {
    let mut results = Results::default();
    let mut known = Moves::new();
    let player_of = |account: &Address| {
        let ByPlayer { one, .. } = &play.terms.players;
        if *account == one.account() {
            Player::One
        } else {
            Player::Two
        }
    };
    for event in events {
        let (moves, end, winner) = match event {
            Event::GameRecorded(event) => (event.moves, event.end, event.winner),
            Event::Advanced(event) => {
                known = event.moves;
                (known, None, None)
            }
            Event::GameEnded(event) => (known, Some(event.end), event.winner),
            _ => continue,
        };
        results.add(&Piece {
            moves,
            end,
            winner: winner.map(|winner| player_of(&winner)),
        });
    }
    results.result()
}

/// Who has lost brings a timeout at an old position, while the other one is away, and an early resignation of
/// its own; then the game is recorded, twice.
#[test]
fn a_record_beside_a_dispute_is_the_result() {
    let world = World::new();
    let play = guests(&world, 1);
    let mut events = Vec::new();
    let game = disputed(&world, &play);
    let until = world.now() + 60;
    let press = Some(Ending::Press { until });
    let report = bring(&world, game, &play, &[3, 4, 3, 4], press).expect("signed");
    events.extend(world.events(&report));
    world.wait(400);
    let (_, report) = world
        .tries(Eve, 0, ClaimFastTimeout { game })
        .expect("late");
    events.extend(world.events(&report));
    let timeout = results(&play, &events);
    assert_eq!(
        (timeout.end, timeout.winner),
        (Some(End::Timeout), Some(Player::Two))
    );

    let lost = Some(Ending::Resignation(Player::Two));
    for recorded in [
        play.recorded(&[3, 4], lost),
        play.recorded(&line(), None),
        play.recorded(&line(), lost),
    ] {
        let recorded = record(&world, vec![recorded, recorded]).expect("signed");
        events.extend(recorded.into_iter().map(Event::from));
    }
    let found = results(&play, &events);
    assert_eq!(
        (found.end, found.winner),
        (Some(End::Line), Some(Player::One))
    );
    assert_eq!(*found.moves, *line());
    events.reverse();
    // The moves of the timeout come before it, whatever came first.
    events.retain(|event| !matches!(event, Event::GameEnded(_)));
    assert_eq!(results(&play, &events), found);
}
