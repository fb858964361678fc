//! Plain games by examples: every error, who ends and frees a game, whose the deposit is, and payments.

mod random;

use connect4_chain::runtime::AccountId;
use connect4_protocol::message::{DropDisc, Free, GameCount, ReadGame, Resign, StartGame};
use connect4_protocol::{Address, End, Error, Game, Message};
use connect4_rules::{Player, ShapeSpec};
use connect4_testing::Account::{Alice, Bob, Charlie, Eve, Ferdie};
use connect4_testing::contracts::REENTRANT;
use connect4_testing::local::RATIO;
use connect4_testing::world::Games;
use connect4_testing::{Account, ContractCall, Done, Input, Limits, Refusal, address};

use crate::games::QUICK;

/// What is paid where nothing should be, as contracts count.
const PAID: u128 = 1_000 * RATIO;
const TEN_YEARS: u64 = 10 * 365 * 24 * 60 * 60;

connect4_testing::world!(Games);

/// The message that starts a short game of Alice, who moves first, and Bob.
fn start(shape: ShapeSpec) -> StartGame {
    StartGame {
        player_one: address(Alice),
        player_two: address(Bob),
        shape,
    }
}

impl World {
    /// Sends a message that may not be refused.
    #[track_caller]
    fn done(&self, who: Account, message: impl Into<Input>) -> Done {
        let input = message.into();
        let name = input.name;
        self.try_and_send(&self.call(who, input, 0))
            .unwrap_or_else(|why| panic!("{who} {name}: {why:?}"))
    }

    /// Sends a message that must be refused with an error.
    #[track_caller]
    fn error(&self, who: Account, message: impl Into<Input>) -> Error {
        let input = message.into();
        let name = input.name;
        match self.try_and_send(&self.call(who, input, 0)) {
            Err(Refusal::Because(error)) => error,
            other => panic!("{who} {name}: {other:?}"),
        }
    }

    /// Starts a game of Alice and Bob; its number, and the deposit that `payer` pays.
    fn starts(&self, payer: Account) -> (u32, i128) {
        let started = self.done(payer, start(QUICK));
        (started.number(), started.report.deposit)
    }

    /// Plays these drops in turns, Alice first.
    #[track_caller]
    fn play(&self, game: u32, bins: &[u8]) {
        for (turn, &bin) in bins.iter().enumerate() {
            self.done([Alice, Bob][turn % 2], DropDisc { game, bin });
        }
    }

    fn game(&self, game: u32) -> Result<Game, Error> {
        self.query(ReadGame { game })
    }

    /// The call of a contract that has `contract` make it; see `tests/reentrant`.
    fn forwarded<M: Message>(&self, contract: Address, message: M) -> ContractCall {
        let input = Input::from(message);
        ContractCall {
            caller: Eve,
            contract,
            value: 0,
            data: [&[1], &self.games.0[..], &input.data].concat(),
        }
    }
}

/// Asserts that a deposit came back, but for what the pallet rounds off.
#[track_caller]
fn came_back(freed: &Done, deposit: i128) {
    let freed = freed.report.deposit;
    assert!((freed + deposit).abs() <= 1, "{freed} of {deposit}");
}

/// When several errors apply, a message returns the one that its documentation lists first. In each
/// case the errors below it in the documentation apply as well, where they can.
#[test]
fn the_error_documented_first_is_returned() {
    let world = World::new();
    let none = 99;
    let beyond = 9;
    let bad = ShapeSpec { bins: 4, ..QUICK };
    let alone = StartGame {
        player_two: address(Alice),
        ..start(bad)
    };
    // Alice is to move, and bin 0 is full.
    let (running, _) = world.starts(Alice);
    world.play(running, &[0; 4]);
    let (over, _) = world.starts(Alice);
    world.play(over, &[0; 4]);
    world.done(Bob, Resign { game: over });
    let drop = |game, bin| Input::from(DropDisc { game, bin });
    let resign = |game| Input::from(Resign { game });
    let free = |game| Input::from(Free { game });

    use Error::*;
    let cases = [
        (Eve, alone.into(), SamePlayer),
        (Eve, start(bad).into(), BadShape),
        // In this order: the end, a stranger, the turn, the bin.
        (Eve, drop(none, beyond), NoSuchGame),
        (Eve, drop(over, beyond), GameOver),
        (Bob, drop(over, 0), GameOver),
        (Alice, drop(over, 0), GameOver),
        (Eve, drop(running, beyond), NotAPlayer),
        (Eve, drop(running, 0), NotAPlayer),
        (Bob, drop(running, beyond), NotYourTurn),
        (Bob, drop(running, 0), NotYourTurn),
        (Alice, drop(running, beyond), NoSuchBin),
        (Alice, drop(running, 0), BinFull),
        (Eve, resign(none), NoSuchGame),
        (Eve, resign(over), GameOver),
        (Bob, resign(over), GameOver),
        (Eve, resign(running), NotAPlayer),
        (Eve, free(none), NoSuchGame),
        (Eve, free(running), GameNotOver),
        (Alice, free(running), GameNotOver),
        (Eve, free(over), NotPayer),
        (Bob, free(over), NotPayer),
    ];
    for (who, input, error) in cases {
        let name = input.name;
        assert_eq!(world.error(who, input), error, "{who} {name}");
    }
}

#[test]
fn a_player_resigns_in_either_turn() {
    let world = World::new();
    for (who, winner) in [(Alice, Player::Two), (Bob, Player::One)] {
        // Alice is to move.
        let (game, _) = world.starts(Charlie);
        world.done(who, Resign { game });
        let ended = world.game(game).expect("it is kept");
        let end = (ended.end(), ended.winner());
        assert_eq!(end, (Some(End::Resignation), Some(winner)));
    }
}

#[test]
fn the_payer_frees_a_game_and_gets_the_whole_deposit_back() {
    let world = World::new();
    let (game, deposit) = world.starts(Alice);
    assert!(deposit > 0);
    let line = [0, 1, 0, 1, 0];
    world.play(game, &line);
    assert_eq!(world.error(Bob, Free { game }), Error::NotPayer);
    came_back(&world.done(Alice, Free { game }), deposit);
    assert_eq!(world.game(game), Err(Error::NoSuchGame));
    assert_eq!(world.error(Alice, Free { game }), Error::NoSuchGame);
    let bin = 0;
    assert_eq!(world.error(Bob, DropDisc { game, bin }), Error::NoSuchGame);
    assert_eq!(world.query(GameCount {}), 1);
    let (next, _) = world.starts(Alice);
    assert_eq!(next, game + 1, "numbers are not used again");
}

#[test]
fn a_payer_who_plays_frees_a_stalled_game_by_giving_it_up() {
    let world = World::new();
    let (game, deposit) = world.starts(Alice);
    world.play(game, &[3]);
    world.wait(TEN_YEARS);
    for who in [Alice, Bob, Eve] {
        assert_eq!(world.error(who, Free { game }), Error::GameNotOver);
    }
    world.done(Alice, Resign { game });
    came_back(&world.done(Alice, Free { game }), deposit);
}

#[test]
fn a_payer_who_does_not_play_waits_until_a_player_ends_the_game() {
    let world = World::new();
    let (game, deposit) = world.starts(Charlie);
    world.wait(TEN_YEARS);
    assert_eq!(world.error(Charlie, Resign { game }), Error::NotAPlayer);
    world.done(Bob, Resign { game });
    assert_eq!(world.error(Alice, Free { game }), Error::NotPayer);
    came_back(&world.done(Charlie, Free { game }), deposit);
}

#[test]
fn a_payer_that_is_a_contract_has_to_free_the_game_itself() {
    let world = World::new();
    world.local.upload(Ferdie, REENTRANT);
    let (payer, _) = world.local.instantiate(Ferdie, REENTRANT, vec![]);
    let forwards = |call| world.try_and_send(&call).expect("it forwards the call");
    let started = forwards(world.forwarded(payer, start(QUICK)));
    let game = started.number();
    let deposit = started.report.deposit;
    assert!(deposit > 0, "the signer pays it, {deposit}");
    world.done(Alice, Resign { game });
    assert_eq!(world.error(Eve, Free { game }), Error::NotPayer);
    // A contract without such a call leaves it there for ever. The deposit goes to the signer.
    came_back(&forwards(world.forwarded(payer, Free { game })), deposit);
}

/// Ferdie has deployed the contract.
#[test]
fn the_deployer_can_do_what_any_stranger_can() {
    let world = World::new();
    let (running, _) = world.starts(Alice);
    let (over, _) = world.starts(Alice);
    world.done(Alice, Resign { game: over });
    let held = [running, over].map(|game| world.game(game));
    let bin = 0;
    for who in [Eve, Ferdie] {
        use Error::*;
        let cases: [(Input, Error); 6] = [
            (DropDisc { game: running, bin }.into(), NotAPlayer),
            (Resign { game: running }.into(), NotAPlayer),
            (Free { game: running }.into(), GameNotOver),
            (DropDisc { game: over, bin }.into(), GameOver),
            (Resign { game: over }.into(), GameOver),
            (Free { game: over }.into(), NotPayer),
        ];
        for (input, expected) in cases {
            let name = input.name;
            assert_eq!(world.error(who, input), expected, "{who} {name}");
        }
    }
    assert_eq!([running, over].map(|game| world.game(game)), held);
}

#[test]
fn the_contract_takes_no_payment() {
    let world = World::new();
    let (game, _) = world.starts(Alice);
    let bin = 0;
    let bare = ContractCall {
        caller: Alice,
        contract: world.games,
        value: PAID / RATIO,
        // As a wallet transfers.
        data: Vec::new(),
    };
    let held = world.balance(world.games);
    for call in [
        bare,
        world.call(Alice, start(QUICK), PAID),
        world.call(Alice, DropDisc { game, bin }, PAID),
        world.call(Alice, Resign { game }, PAID),
        world.call(Alice, Free { game }, PAID),
    ] {
        let before = world.balance(address(Alice));
        assert_eq!(world.local.dry_run(&call).output(), Err(Refusal::Trapped));
        let report = world.local.send(&call, Limits::AMPLE);
        assert!(report.outcome.is_err(), "{report:?}");
        let after = world.balance(address(Alice));
        assert_eq!(before - after, report.fee * RATIO, "the payment came back");
    }
    assert_eq!(world.balance(world.games), held);
    assert_eq!(world.game(game).map(|game| game.turns()), Ok(0));
    assert_eq!(world.query(GameCount {}), 1);

    // Nobody can stop a transfer without a call. It changes nothing, and nobody gets it.
    let mut account = [0xEE; 32];
    account[..20].copy_from_slice(&world.games.0);
    let sent = world.local.submit(
        Eve,
        pallet_balances::Call::transfer_keep_alive {
            dest: AccountId::from(account).into(),
            value: PAID / RATIO,
        },
    );
    assert_eq!(sent.outcome, Ok(()));
    world.done(Bob, Resign { game });
    world.done(Alice, Free { game });
    assert_eq!(world.balance(world.games), held + PAID);
}
