//! Each refusal by its name, and which comes first: each test goes from the call for which all reasons apply to the one
//! for which none does.

use connect4_protocol::signed::message::{
    Advance, ClaimTimeout, Drop, Free, Press, ReadStaked, Refund, Resign, WithdrawTo,
};
use connect4_protocol::signed::{
    Chain, Domain, Evidence, GameNumber, Kind, Refused, Signature, SignedEnd, StakesError,
    Statement,
};
use connect4_protocol::{Address, Error};
use connect4_rules::{ByPlayer, Player};
use connect4_testing::Account::{self, Alice, Bob, Charlie, Eve};
use connect4_testing::local::RATIO;
use connect4_testing::world::Stakes;
use connect4_testing::{ContractCall, Input, Refusal, data, games};

use crate::world::{Play, STAKE, World, common};

fn line() -> Vec<u8> {
    games::bins(games::SHORT).collect()
}

#[track_caller]
fn refused<T: std::fmt::Debug>(result: Result<T, StakesError>, by: impl Into<StakesError>) {
    assert_eq!(result.err(), Some(by.into()));
}

#[test]
fn fund() {
    let world = World::new();
    let good = world.play(1);
    let mut play = good.clone();
    let fund = |who: Account, play: &Play| world.fund(who, 0, play);
    // All that is wrong with it, mended from the first on.
    play.terms.shape.line = 9;
    play.terms.stake = 0;
    play.terms.time = world.now() + 601;
    let terms = StakesError::Terms;
    refused(fund(Eve, &play), terms(Refused::BadShape));
    play.terms.shape = good.terms.shape;
    refused(fund(Eve, &play), StakesError::NoStake);
    play.terms.stake = STAKE;
    refused(fund(Eve, &play), Error::TermsExpired);
    play.terms.time = world.now() - 24 * 60 * 60 - 1;
    refused(fund(Eve, &play), Error::TermsExpired);
    play.terms.time = good.terms.time;
    refused(fund(Eve, &play), Error::NotAPlayer);
    refused(fund(Alice, &play), StakesError::StakeUnpaid);
    refused(
        world.fund(Alice, STAKE - RATIO, &play),
        StakesError::StakeUnpaid,
    );
    world.fund(Alice, STAKE, &play).expect("it is mended");
    refused(fund(Alice, &play), StakesError::AlreadyPaid);
    world.fund(Bob, STAKE, &play).expect("Bob pays");
    refused(fund(Alice, &play), StakesError::Begun);
    refused(fund(Eve, &play), Error::NotAPlayer);
    world.holds(2, 0, 0);
}

/// The first to pay checks all that the second one would be refused for.
#[test]
fn fund_by_terms_of_which_there_is_no_game() {
    let world = World::new();
    let good = world.play(1);
    let one = good.terms.players.one;
    let refuses = |why: Refused, change: &dyn Fn(&mut Play)| {
        let mut play = good.clone();
        change(&mut play);
        refused(world.fund(Alice, STAKE, &play), StakesError::Terms(why));
    };
    refuses(Refused::SamePlayer, &|play| {
        play.terms.players.two =
            connect4_protocol::signed::Party::new(one.account(), Address([7; 20]));
    });
    refuses(Refused::BadKey, &|play| {
        let two = play.terms.players.two.account();
        play.terms.players.two = connect4_protocol::signed::Party::new(two, one.key());
    });
    refuses(Refused::PartialWitness, &|play| {
        play.terms.witness = Some(one.key());
    });
    refuses(Refused::BadClock, &|play| {
        play.terms.clock = Some(connect4_protocol::ClockSpec {
            bank: 300,
            increment: 86_401,
        });
    });
    refuses(Refused::StakeTooLarge, &|play| {
        play.terms.stake = u128::MAX / 2 + 1;
    });
    refuses(Refused::StakeNeedsClock, &|play| play.terms.clock = None);
    refuses(Refused::ShortClock, &|play| {
        play.terms.clock = Some(connect4_protocol::ClockSpec {
            bank: 299,
            increment: 0,
        });
    });
    refuses(Refused::WitnessedStake, &|play| {
        play.terms.witness = Some(Address([7; 20]));
    });
    world.holds(0, 0, 0);
}

/// A flag that is neither 0 nor 1 is refused before the terms are there.
#[test]
fn fund_by_terms_in_another_form() {
    let world = World::new();
    let play = world.play(1);
    let mut bytes = play.terms.to_bytes();
    bytes[83] = 2;
    let call = ContractCall {
        caller: Alice,
        contract: world.stakes,
        value: STAKE / RATIO,
        data: data("fund", bytes),
    };
    let done = world.try_and_send_or::<StakesError>(&call);
    assert!(matches!(done, Err(Refusal::Trapped)));
    world.holds(0, 0, 0);
}

#[test]
fn refund() {
    let world = World::new();
    let play = world.play(1);
    refused(world.refund(Eve, &play), Error::NoSuchGame);
    world.fund(Alice, STAKE, &play).expect("Alice pays");
    refused(world.refund(Eve, &play), Error::NotPayer);
    refused(world.refund(Bob, &play), Error::NotPayer);
    world.fund(Bob, STAKE, &play).expect("Bob pays");
    refused(world.refund(Eve, &play), StakesError::Begun);
    refused(world.refund(Alice, &play), StakesError::Begun);
    world.holds(2, 0, 0);
}

/// While one has not paid there is a game, and nothing can be done in it.
#[test]
fn whatever_needs_a_game_that_has_begun() {
    let world = World::new();
    let play = world.play(1);
    let bring = || world.advance(Eve, &play, play.agreed(&line()));
    let all = |because: StakesError| {
        refused(bring(), because);
        refused(world.press(Eve, &play), because);
        refused(world.drop(Eve, &play, 99), because);
        refused(world.resign(Eve, &play), because);
        refused(world.claim(Eve, &play), because);
    };
    all(common(Error::NoSuchGame));
    refused(world.free(Eve, &play), Error::NoSuchGame);
    world.fund(Alice, STAKE, &play).expect("Alice pays");
    all(StakesError::NotBegun);
    refused(world.free(Alice, &play), Error::GameNotOver);
    world.holds(1, 0, 0);
}

#[test]
fn advance() {
    let world = World::new();
    let play = world.begun(1);
    let forged = |bins: &[u8], end| {
        let mut evidence = play.evidence(bins, end);
        evidence.signatures.two = Signature::NONE;
        evidence
    };
    let advance = |evidence: Evidence| world.advance(Eve, &play, evidence);
    advance(play.position(&[3, 4])).expect("news");
    world.press(Bob, &play).expect("Bob waits");
    world.wait(301);
    let over = world.now() - 1;
    let draw = |until| Some(SignedEnd::Draw { until });
    refused(advance(forged(&[3], draw(over))), Error::NotNewer);
    refused(advance(forged(&[3, 4, 9], draw(over))), Error::OutOfTime);
    // A resignation is taken however late.
    let lost = Some(SignedEnd::Resignation(Player::One));
    refused(advance(forged(&[3, 4, 9], lost)), Error::BadSignature);
    refused(advance(play.evidence(&[3, 4, 9], lost)), Error::NoSuchBin);

    let play = world.begun(2);
    let advance = |evidence: Evidence| world.advance(Eve, &play, evidence);
    let forged = |bins: &[u8], end| Evidence {
        signatures: ByPlayer::default(),
        ..play.evidence(bins, end)
    };
    refused(advance(forged(&[3, 9], draw(over))), Error::NoOffer);
    let soon = world.now() + 60;
    refused(advance(forged(&[3, 9], draw(soon))), Error::BadSignature);
    refused(
        advance(play.evidence(&[3, 9], draw(soon))),
        Error::NoSuchBin,
    );
    let column = [3, 3, 3, 3, 3, 3, 3];
    refused(advance(play.position(&column)), Error::BinFull);
    let beyond = [&line()[..], &[4]].concat();
    refused(advance(play.position(&beyond)), Error::GameOver);
    refused(advance(play.evidence(&line(), draw(soon))), Error::GameOver);
    refused(
        world.brings(Eve, &play, true, play.position(&[3])),
        Error::NotAPlayer,
    );
    advance(play.agreed(&line())).expect("both have signed");
    refused(advance(play.agreed(&line())), Error::GameOver);
    world.holds(4, 2, 0);
}

/// Each changes one thing of a position that the contract takes.
#[test]
fn what_was_signed_for_something_else() {
    let world = World::new();
    let [play, other] = [1, 2].map(|nonce| world.begun(nonce));
    let bins = [3, 4, 3, 4];
    let statement = |game: GameNumber| Statement {
        game,
        kind: Kind::Position,
        moves: &bins,
    };
    let with = |statement: &Statement, domain: Domain| {
        let mut evidence = play.position(&bins);
        let signer = Play {
            domain,
            ..play.clone()
        };
        evidence.signatures.two = signer.sign(Player::Two, statement);
        evidence
    };
    let own = statement(play.number());
    let Domain { chain, stakes } = play.domain;
    let no_contract = Domain::without_stake(chain);
    let domains = [
        no_contract,
        Domain {
            stakes: Some(Address([7; 20])),
            chain,
        },
        Domain {
            stakes,
            chain: Chain {
                id: chain.id + 1,
                ..chain
            },
        },
        Domain {
            stakes,
            chain: Chain {
                genesis: [7; 32],
                ..chain
            },
        },
    ];
    for domain in domains {
        let foreign = world.advance(Eve, &play, with(&own, domain));
        refused(foreign, Error::BadSignature);
    }
    for foreign in [
        statement(other.number()),
        Statement {
            kind: Kind::Resignation,
            ..own
        },
        Statement {
            kind: Kind::Draw { until: 1 },
            ..own
        },
        Statement {
            moves: &bins[..3],
            ..own
        },
    ] {
        let foreign = world.advance(Eve, &play, with(&foreign, play.domain));
        refused(foreign, Error::BadSignature);
    }
    let mut swapped = play.position(&bins);
    swapped.signatures = swapped.signatures.swapped();
    refused(world.advance(Eve, &play, swapped), Error::BadSignature);
    let mut draw = play.evidence(
        &bins,
        Some(SignedEnd::Draw {
            until: u64::MAX - 1,
        }),
    );
    draw.end = Some(SignedEnd::Draw {
        until: u64::MAX - 2,
    });
    refused(world.advance(Eve, &play, draw), Error::BadSignature);
    let same = with(&own, play.domain);
    world.advance(Eve, &play, same).expect("it is what it was");
}

#[test]
fn press_drop_resign_claim_and_free() {
    let world = World::new();
    let play = world.begun(1);
    refused(world.press(Eve, &play), Error::NotAPlayer);
    refused(world.press(Alice, &play), Error::YourTurn);
    refused(world.claim(Eve, &play), Error::NoClock);
    world.press(Bob, &play).expect("Bob waits");
    refused(world.press(Bob, &play), Error::ClockRuns);
    refused(world.claim(Eve, &play), Error::TimeLeft);
    refused(world.drop(Eve, &play, 9), Error::NotAPlayer);
    refused(world.drop(Bob, &play, 9), Error::NotYourTurn);
    refused(world.drop(Alice, &play, 9), Error::NoSuchBin);
    for who in [Alice, Bob, Alice, Bob, Alice, Bob] {
        world.drop(who, &play, 3).expect("there is room");
    }
    refused(world.drop(Alice, &play, 3), Error::BinFull);
    world.wait(1_000);
    refused(world.drop(Alice, &play, 9), Error::OutOfTime);
    refused(world.resign(Eve, &play), Error::NotAPlayer);
    refused(world.free(Eve, &play), Error::GameNotOver);
    world.resign(Bob, &play).expect("Bob plays it");
    refused(world.press(Eve, &play), Error::GameOver);
    refused(world.drop(Eve, &play, 9), Error::GameOver);
    refused(world.resign(Eve, &play), Error::GameOver);
    refused(world.claim(Eve, &play), Error::GameOver);
    refused(world.free(Eve, &play), Error::NotPayer);
    refused(world.free(Bob, &play), Error::NotPayer);
    refused(world.free(Alice, &play), Error::TermsStand);
    world.wait(24 * 60 * 60);
    world.free(Alice, &play).expect("she has paid first");
    refused(world.free(Alice, &play), Error::NoSuchGame);
}

/// A transaction that was meant for one turn is never the move of another.
#[test]
fn a_disc_for_another_board() {
    let world = World::new();
    let play = world.begun(1);
    let empty = world.board(&play);
    world.drop(Alice, &play, 3).expect("her turn");
    let late = |who, bin| world.drop_on(&empty, who, &play, bin);
    refused(late(Alice, 4), StakesError::OtherBoard);
    world.drop(Bob, &play, 3).expect("his turn");
    // The same once more, and another for the same turn: it would be her turn.
    for (who, bin) in [(Alice, 3), (Alice, 4), (Eve, 9)] {
        refused(late(who, bin), StakesError::OtherBoard);
    }
    world.drop(Alice, &play, 4).expect("for this turn");
}

#[test]
fn withdraw_to_nobody() {
    let world = World::new();
    let receiver = Address::ZERO;
    let nobody = world.does_it(Charlie, 0, WithdrawTo { receiver });
    refused(nobody, Error::NoReceiver);
}

/// A payment with another message is refused, and comes back.
#[test]
fn a_payment_that_nothing_is_paid_with() {
    let world = World::new();
    let play = world.begun(1);
    let game = play.number();
    let evidence = play.position(&[3]);
    let receiver = world.stakes;
    let inputs: [Input; 10] = [
        Refund { game }.into(),
        Drop {
            game,
            board: world.board(&play),
            bin: 3,
        }
        .into(),
        Advance {
            game,
            press: false,
            evidence,
        }
        .into(),
        Press { game }.into(),
        Resign { game }.into(),
        ClaimTimeout { game }.into(),
        WithdrawTo { receiver }.into(),
        connect4_protocol::signed::message::Withdraw {}.into(),
        Free { game }.into(),
        ReadStaked { game }.into(),
    ];
    for input in inputs {
        let call = connect4_testing::World::<Stakes>::call(&world, Alice, input, STAKE);
        let done = world.try_and_send_or::<StakesError>(&call);
        assert!(matches!(done, Err(Refusal::Trapped)), "{done:?}");
        world.holds(2, 0, 0);
    }
}
