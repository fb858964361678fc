//! Players that are contracts and misuse payments; see `tests/reentrant`.

use connect4_protocol::signed::message::{CreditOf, Fund, Refund, Resign, Withdraw, WithdrawTo};
use connect4_protocol::signed::{StakedGame, StakesError};
use connect4_protocol::{Address, Error};
use connect4_testing::Account::{Alice, Bob, Eve, Ferdie};
use connect4_testing::contracts::REENTRANT;
use connect4_testing::local::RATIO;
use connect4_testing::{ContractCall, Input, Refusal, address, answer};

use crate::world::{Play, STAKE, World, common};

/// How the player takes payments.
#[derive(Clone, Copy)]
enum Payments {
    AsTheyCome,
    /// After a call; not at all if the call fails.
    Insisting,
    /// After a call, whether the call fails or not.
    Trying,
    NotAtAll,
}

/// The player, which takes orders from Eve.
struct Robber {
    world: World,
    address: Address,
}

impl Robber {
    fn new() -> Self {
        let world = World::new();
        world.local.upload(Ferdie, REENTRANT);
        let (address, _) = world.local.instantiate(Ferdie, REENTRANT, vec![]);
        Self { world, address }
    }

    /// A game of Alice against the player.
    fn play(&self, nonce: u32) -> Play {
        self.world.play_at([address(Alice), self.address], nonce)
    }

    /// The same, for which both have paid.
    fn begun(&self, nonce: u32) -> Play {
        let play = self.play(nonce);
        let terms = play.terms;
        self.does(Fund { terms }, STAKE).expect("the player pays");
        self.world.fund(Alice, STAKE, &play).expect("Alice pays");
        play
    }

    /// A game that the player has won.
    fn won(&self, nonce: u32) -> Play {
        let play = self.begun(nonce);
        self.world.resign(Alice, &play).expect("Alice plays it");
        play
    }

    /// Eve's call of the player with this order; see `tests/reentrant`.
    fn order(&self, paid: u128, order: Vec<u8>) -> ContractCall {
        ContractCall {
            caller: Eve,
            contract: self.address,
            value: paid / RATIO,
            data: order,
        }
    }

    /// Makes the player call the contract of the stakes.
    fn does(&self, input: impl Into<Input>, paid: u128) -> Result<Vec<u8>, Refusal<StakesError>> {
        let order = [&[1], &self.world.stakes.0[..], &input.into().data].concat();
        let done = self.world.try_and_send_or(&self.order(paid, order));
        done.map(|done| done.output)
    }

    #[track_caller]
    fn is_refused(&self, input: impl Into<Input>, error: Error) {
        let refused = self.does(input, 0);
        assert_eq!(refused, Err(Refusal::Because(common(error))));
    }

    /// Sets how the player takes payments, and which call it makes first if it makes one.
    fn takes_payments(&self, how: Payments, first: impl Into<Input>) {
        let data = first.into().data;
        let order = [&[0, how as u8], &self.world.stakes.0[..], &data].concat();
        let done = self.world.try_and_send(&self.order(0, order));
        done.expect("the player does as told");
    }

    /// Number of calls that the player has made for payments, and of those that succeeded.
    fn calls(&self) -> [u8; 2] {
        let calls = self.world.local.dry_run(&self.order(0, vec![2])).output();
        calls.expect("an answer").try_into().expect("two numbers")
    }

    fn has(&self) -> u128 {
        self.world.balance(self.address) / STAKE
    }

    fn owed(&self) -> u128 {
        let account = self.address;
        self.world.query(CreditOf { account }).expect("a query") / STAKE
    }

    /// Asserts what the contract holds, and what the player has and is owed, in stakes.
    #[track_caller]
    fn holds(&self, held: u128, has: u128, owed: u128) {
        let now = self.world.balance(self.world.stakes) / STAKE;
        assert_eq!([now, self.has(), self.owed()], [held, has, owed]);
    }

    fn stored(&self, play: &Play) -> Result<StakedGame, StakesError> {
        self.world.stored(play)
    }
}

#[test]
fn a_contract_plays_like_any_other_account() {
    let robber = Robber::new();
    let play = robber.won(1);
    robber.holds(2, 0, 2);
    let paid = robber.does(Withdraw {}, 0).expect("it is owed");
    assert_eq!(answer::<Result<u128, Error>>(&paid), Ok(2 * STAKE));
    robber.holds(0, 2, 0);
    robber.is_refused(Withdraw {}, Error::NothingToWithdraw);
    let game = play.number();
    robber.is_refused(Resign { game }, Error::GameOver);

    // What it gets back is its own.
    let play = robber.play(2);
    let terms = play.terms;
    robber.does(Fund { terms }, STAKE).expect("it pays");
    assert_eq!(
        robber.stored(&play).map(|game| game.game.game.payer()),
        Ok(robber.address)
    );
    let refused = robber.world.refund(Eve, &play).err();
    assert_eq!(
        refused,
        Some(common(Error::NotPayer)),
        "who signed is nobody"
    );
    let game = play.number();
    robber.does(Refund { game }, 0).expect("it has paid");
    robber.holds(0, 3, 0);
}

/// Not even for calls that anybody may make at other times.
#[test]
fn the_contract_takes_no_call_while_it_pays() {
    let robber = Robber::new();
    let running = robber.begun(1).number();
    let unpaid = robber.play(2);
    let terms = unpaid.terms;
    robber.does(Fund { terms }, STAKE).expect("it pays");
    let game = unpaid.number();
    let other = robber.play(3).terms;
    let mut tried = 0;
    let calls: [Input; 5] = [
        Withdraw {}.into(),
        Refund { game }.into(),
        Resign { game: running }.into(),
        Fund { terms: other }.into(),
        CreditOf {
            account: robber.address,
        }
        .into(),
    ];
    for (call, nonce) in calls.iter().zip(10..) {
        robber.takes_payments(Payments::Trying, call.clone());
        // So that there is something to pay.
        robber.won(nonce);
        robber.does(Withdraw {}, 0).expect("it is owed");
        tried += 1;
        assert_eq!(robber.calls(), [tried, 0], "{} in a withdrawal", call.name);
        robber.holds(3, 2 * u128::from(tried), 0);
    }
    // Nor while a stake is paid back.
    for (call, number) in calls.iter().zip(1..) {
        let has = robber.has();
        robber.takes_payments(Payments::Trying, call.clone());
        robber.does(Refund { game }, 0).expect("it has paid");
        assert_eq!(
            robber.calls(),
            [tried + number, 0],
            "{} in a refund",
            call.name
        );
        robber.holds(2, has + 1, 0);
        robber.does(Fund { terms }, STAKE).expect("it pays again");
        robber.holds(3, has + 1, 0);
    }
}

#[test]
fn a_player_that_refuses_payments_keeps_what_it_has() {
    for how in [Payments::Insisting, Payments::NotAtAll] {
        let robber = Robber::new();
        robber.takes_payments(how, Withdraw {});
        let unpaid = robber.play(1);
        let (terms, game) = (unpaid.terms, unpaid.number());
        robber.does(Fund { terms }, STAKE).expect("it pays");
        robber.is_refused(Refund { game }, Error::TransferFailed);
        assert!(robber.stored(&unpaid).is_ok(), "it is as it was");
        robber.won(2);
        robber.is_refused(Withdraw {}, Error::TransferFailed);
        robber.holds(3, 0, 2);

        // It can have what it is owed paid to an account that takes payments.
        let receiver = address(Bob);
        let before = robber.world.balance(receiver);
        robber
            .does(WithdrawTo { receiver }, 0)
            .expect("Bob takes it");
        assert_eq!(robber.world.balance(receiver), before + 2 * STAKE);
        robber.holds(1, 0, 0);
        // Or it takes payments again.
        robber.takes_payments(Payments::AsTheyCome, Withdraw {});
        robber.does(Refund { game }, 0).expect("it has paid");
        robber.holds(0, 1, 0);
    }
}

#[test]
fn a_player_that_refuses_payments_does_not_block_the_opponent() {
    let robber = Robber::new();
    robber.takes_payments(Payments::NotAtAll, Withdraw {});
    let play = robber.begun(1);
    let game = play.number();
    robber.does(Resign { game }, 0).expect("it plays");
    assert_eq!(robber.world.sends(Alice, 0, Withdraw {}), 2 * STAKE);
    let play = robber.begun(2);
    robber
        .world
        .brings(Alice, &play, true, play.position(&[3, 4, 3]))
        .expect("Alice waits");
    robber.world.wait(301);
    robber
        .world
        .claim(Alice, &play)
        .expect("the player is late");
    assert_eq!(robber.world.sends(Alice, 0, Withdraw {}), 2 * STAKE);
    robber.holds(0, 0, 0);
}
