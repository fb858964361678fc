//! A player that is a contract and misuses payments; see `tests/reentrant`.

use codec::Encode;
use connect4_chain::runtime::Balance;
use connect4_protocol::{Address, ClockSpec, End, Error};
use connect4_rules::ShapeSpec;
use connect4_testing::Account::{Alice, Bob, Eve, Ferdie};
use connect4_testing::contracts::REENTRANT;
use connect4_testing::local::TOKEN;
use connect4_testing::world::Call as _;
use connect4_testing::{ContractCall, Refusal, address, answer};

use crate::call::Call::{self, *};
use crate::world::World;

/// Bytes that a call returned, or why there are none.
type Output = Result<Vec<u8>, Refusal>;

const STAKE: u128 = 5 * TOKEN;
/// Three in a line win: short games.
const QUICK: ShapeSpec = ShapeSpec {
    bins: 5,
    capacity: 4,
    line: 3,
};
const CHALLENGE: Call = Challenge {
    to: None,
    first: true,
    shape: QUICK,
    clock: Some(ClockSpec {
        bank: 300,
        increment: 5,
    }),
    expires: None,
    paid: STAKE,
};

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

/// The player, which takes orders from Eve and has won a match against Alice.
struct Robber {
    world: World,
    address: Address,
    game: u32,
}

impl Robber {
    fn new() -> Self {
        let world = World::new();
        world.local.upload(Ferdie, REENTRANT);
        let (address, _) = world.local.instantiate(Ferdie, REENTRANT, vec![]);
        let mut robber = Self {
            world,
            address,
            game: 0,
        };
        robber.game = robber.wins_a_match();
        robber
    }

    /// Alice challenges anyone, and the player accepts.
    fn starts_a_match(&self) -> u32 {
        let made = self.world.does(Alice, CHALLENGE).number();
        let game = self.does(Accept(made, STAKE)).unwrap();
        answer::<Result<u32, Error>>(&game).unwrap()
    }

    /// The same; the player wins with a column of three.
    fn wins_a_match(&self) -> u32 {
        let game = self.starts_a_match();
        for bin in [0, 2, 3] {
            self.world.does(Alice, Drop(game, bin));
            self.does(Drop(game, 1)).unwrap();
        }
        let played = self.world.game(game).unwrap();
        assert_eq!(played.end(), Some(End::Line));
        assert_eq!(played.account_of(played.winner().unwrap()), self.address);
        game
    }

    /// Eve's call of the player with this order; see `tests/reentrant`.
    fn order(&self, paid: Balance, order: Vec<u8>) -> ContractCall {
        ContractCall {
            caller: Eve,
            contract: self.address,
            value: paid,
            data: order,
        }
    }

    /// Makes the player call a contract.
    fn does(&self, call: Call) -> Output {
        let ContractCall {
            contract,
            value,
            data,
            ..
        } = self.world.call(Eve, call.input(&self.world), call.paid());
        let order = [&[1], &contract.0[..], &data].concat();
        let done = self.world.try_and_send(&self.order(value, order));
        done.map(|done| done.output)
    }

    fn withdraws(&self, game: u32) -> Output {
        self.does(Withdraw(vec![game]))
    }

    /// Sets how the player takes payments, and which call it makes first if it makes one.
    fn takes_payments(&self, how: Payments, first: &Call) {
        let ContractCall { contract, data, .. } = self.world.call(Eve, first.input(&self.world), 0);
        let order = [&[0, how as u8], &contract.0[..], &data].concat();
        self.world
            .try_and_send(&self.order(0, order))
            .expect("the player does as told");
    }

    /// Number of calls that the player has made for payments, and of those that succeeded.
    fn calls(&self) -> [u8; 2] {
        let calls = self.world.local.dry_run(&self.order(0, vec![2])).output();
        calls.unwrap().try_into().unwrap()
    }

    fn has(&self) -> u128 {
        self.world.balance(self.address)
    }

    fn owed(&self) -> u128 {
        self.world.credit_of(self.address)
    }

    /// Asserts the balance of the contract of the matches, as contracts count.
    fn contract_has(&self, amount: u128) {
        assert_eq!(self.world.balance(self.world.matches), amount);
    }
}

#[test]
fn a_contract_plays_like_any_other_account() {
    let robber = Robber::new();
    robber.contract_has(2 * STAKE);
    assert_eq!(robber.has(), 0);
    assert_eq!(
        robber.withdraws(robber.game),
        Ok(Ok::<_, ()>(Ok::<_, Error>(2 * STAKE)).encode())
    );
    assert_eq!(robber.has(), 2 * STAKE);
    robber.contract_has(0);
    assert_eq!(
        robber.withdraws(robber.game),
        Err(Refusal::Because(Error::NothingToWithdraw))
    );
    // The player challenges, too, and resigns.
    let made = answer::<Result<u32, Error>>(&robber.does(CHALLENGE).unwrap()).unwrap();
    let game = robber.world.does(Alice, Accept(made, STAKE)).number();
    robber.does(Resign(game)).unwrap();
    assert_eq!(robber.world.credit_of(address(Alice)), 2 * STAKE);
    robber.contract_has(2 * STAKE);
}

#[test]
fn a_player_that_withdraws_again_while_it_is_paid_is_paid_once() {
    let robber = Robber::new();
    // The contract has more than the player asks for and is owed.
    let another = robber.wins_a_match();
    robber.world.does(Alice, CHALLENGE);
    robber.contract_has(5 * STAKE);

    robber.takes_payments(Payments::Trying, &Withdraw(vec![]));
    robber.withdraws(robber.game).unwrap();
    assert_eq!(robber.calls(), [1, 0], "the player has tried");
    assert_eq!((robber.has(), robber.owed()), (2 * STAKE, 0));
    robber.contract_has(3 * STAKE);

    robber.takes_payments(Payments::Trying, &Withdraw(vec![another]));
    robber.withdraws(another).unwrap();
    assert_eq!(robber.calls(), [2, 0]);
    assert_eq!((robber.has(), robber.owed()), (4 * STAKE, 0));
    robber.contract_has(STAKE);
}

/// Not even for calls that anybody may make at other times.
#[test]
fn the_matches_take_no_call_during_a_payment() {
    let robber = Robber::new();
    let [won, running] = [robber.wins_a_match(), robber.starts_a_match()];
    let calls = [
        Withdraw(vec![won]),
        Settle(won),
        Resign(running),
        OfferDraw(running),
    ];
    for (call, tried) in calls.iter().zip(1..) {
        robber.takes_payments(Payments::Trying, call);
        // So that there is something to pay.
        robber.withdraws(robber.wins_a_match()).unwrap();
        assert_eq!(robber.calls(), [tried, 0], "it {call}");
    }
    assert!(!robber.world.match_of(won).unwrap().settled);
    assert!(!robber.world.game(running).unwrap().is_over());

    // The contract of the games holds no money, so that a move is allowed.
    robber.world.does(Alice, Drop(running, 0));
    robber.takes_payments(Payments::Trying, &Drop(running, 4));
    robber.withdraws(won).unwrap();
    assert_eq!(robber.calls(), [5, 1]);
    assert_eq!(robber.world.game(running).unwrap().turns(), 2);
    robber.contract_has(4 * STAKE);
}

#[test]
fn a_player_that_refuses_payments_keeps_its_credit() {
    for how in [Payments::Insisting, Payments::NotAtAll] {
        let robber = Robber::new();
        robber.takes_payments(how, &Withdraw(vec![]));
        assert_eq!(
            robber.withdraws(robber.game),
            Err(Refusal::Because(Error::TransferFailed))
        );
        // The whole call was undone, and the game is not settled.
        assert!(!robber.world.match_of(robber.game).unwrap().settled);
        assert_eq!((robber.has(), robber.owed()), (0, 0));
        robber.world.does(Alice, Settle(robber.game));
        assert_eq!(
            robber.withdraws(robber.game),
            Err(Refusal::Because(Error::TransferFailed))
        );
        assert_eq!((robber.has(), robber.owed()), (0, 2 * STAKE));
        robber.contract_has(2 * STAKE);

        // The player can have its credit paid to an account that takes payments.
        let trustee = || robber.world.balance(address(Bob));
        let before = trustee();
        let another = robber.wins_a_match();
        robber.does(WithdrawTo(vec![another], Bob)).unwrap();
        assert_eq!(trustee() - before, 4 * STAKE);
        robber.contract_has(0);
        robber.world.does(Alice, Settle(robber.wins_a_match()));

        // Or it takes payments again.
        robber.takes_payments(Payments::AsTheyCome, &Withdraw(vec![]));
        robber.withdraws(robber.game).unwrap();
        assert_eq!((robber.has(), robber.owed()), (2 * STAKE, 0));
        robber.contract_has(0);
    }
}

#[test]
fn a_player_that_refuses_payments_does_not_block_the_opponent() {
    let robber = Robber::new();
    robber.takes_payments(Payments::NotAtAll, &Withdraw(vec![]));
    let paid = |games| -> u128 { robber.world.does(Alice, Withdraw(games)).returned() };

    // A draw by agreement.
    let game = robber.starts_a_match();
    robber.does(OfferDraw(game)).unwrap();
    robber.world.does(Alice, AcceptDraw(game));
    assert_eq!(paid(vec![robber.game, game]), STAKE);

    // The player resigns.
    let game = robber.starts_a_match();
    robber.does(Resign(game)).unwrap();
    assert_eq!(paid(vec![]), 2 * STAKE);

    // The player does not move.
    let game = robber.starts_a_match();
    robber.world.does(Alice, Drop(game, 0));
    robber.world.wait(301);
    robber.world.does(Alice, ClaimTimeout(game));
    assert_eq!(paid(vec![]), STAKE);

    // Its offer of a rematch is declined, and it declines that of Alice.
    robber.does(OfferRematch(game, STAKE)).unwrap();
    robber.world.does(Alice, DeclineRematch(game));
    robber.world.does(Alice, OfferRematch(game, STAKE));
    robber.does(DeclineRematch(game)).unwrap();
    assert_eq!(paid(vec![]), STAKE);

    // The rest is owed to the player: of a win, a draw, an abort and an offer.
    assert_eq!(robber.owed(), 5 * STAKE);
    robber.contract_has(5 * STAKE);
    robber.takes_payments(Payments::AsTheyCome, &Withdraw(vec![]));
    robber.withdraws(robber.game).unwrap();
    assert_eq!(robber.has(), 5 * STAKE);
    robber.contract_has(0);
}
