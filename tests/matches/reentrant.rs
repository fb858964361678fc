//! A player that is a contract, and does not take its money as others do; see `tests/reentrant`.

use codec::Encode;
use connect4_protocol::{ClockSpec, End, Error};
use connect4_rules::ShapeSpec;
use sp_core::H160;
use sp_keyring::Sr25519Keyring::{Alice, Bob, Eve};

use crate::{
    model::Call::{self, *},
    world::*,
};

const REENTRANT: &[u8] = include_bytes!("../../artifacts/reentrant.polkavm");

const STAKE: u128 = 5 * TOKEN;
/// Three in a row win.
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
        bank: 60,
        increment: 5,
    }),
    paid: STAKE,
};

/// How the player takes payments.
#[derive(Clone, Copy)]
enum Payments {
    AsTheyCome,
    /// After a call, and not at all if that fails.
    Insisting,
    /// After a call, whether that fails or not.
    Trying,
    NotAtAll,
}

/// The player, whom Eve tells what to do, and who has won a match against Alice.
struct Robber {
    world: World,
    address: H160,
    game: u32,
}

impl Robber {
    fn new() -> Self {
        let world = World::new();
        world.upload(REENTRANT);
        let address = world.instantiate(REENTRANT, vec![]);
        let mut robber = Self {
            world,
            address,
            game: 0,
        };
        robber.game = robber.wins_a_match();
        robber
    }

    /// Alice challenges anyone, and it accepts.
    fn starts_a_match(&self) -> u32 {
        let made = self.world.does(Alice, CHALLENGE).number();
        let game = self.does(Accept(made, STAKE)).unwrap();
        plain::<Result<u32, Error>>(&game).unwrap()
    }

    /// It does, and wins by three in a bin.
    fn wins_a_match(&self) -> u32 {
        let game = self.starts_a_match();
        for bin in [0, 2, 3] {
            self.world.does(Alice, Drop(game, bin));
            self.does(Drop(game, 1)).unwrap();
        }
        let played = self.world.game(game).unwrap();
        assert_eq!(played.end(), Some(End::Line));
        assert_eq!(
            played.account_of(played.winner().unwrap()),
            connect4_protocol::Address(self.address.0)
        );
        game
    }

    fn tell(&self, paid: u128, data: Vec<u8>) -> Answer {
        let answer = self.world.ask(Eve, self.address, paid, data.clone());
        let report = self.world.send(Eve, self.address, paid, data);
        assert_eq!(report.outcome.is_ok(), answer.is_ok(), "{report:?}");
        answer
    }

    /// It does this, if it is not refused.
    fn does(&self, call: Call) -> Answer {
        let contract = self.world.contract_of(&call);
        let paid = call.paid();
        let data = call.data();
        self.tell(paid, [&[1], &contract.0[..], &data].concat())
    }

    fn withdraws(&self, game: u32) -> Answer {
        self.does(Withdraw(vec![game]))
    }

    fn takes_payments(&self, how: Payments, after: &Call) {
        let contract = self.world.contract_of(after);
        let data = [&[0, how as u8], &contract.0[..], &after.data()].concat();
        self.tell(0, data).unwrap();
    }

    /// How often it has called when it was paid, and how many of these came through.
    fn calls(&self) -> [u8; 2] {
        let calls = self.world.ask(Eve, self.address, 0, vec![2]).unwrap();
        calls.try_into().unwrap()
    }

    fn has(&self) -> u128 {
        self.world.balance(self.address)
    }

    fn owed(&self) -> u128 {
        self.world.credit_of(self.address)
    }

    /// The contract has this, and no more.
    fn contract_has(&self, amount: u128) {
        assert_eq!(self.world.balance(self.world.matches), amount);
    }
}

#[test]
fn a_contract_plays_as_anybody_does() {
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
    // It may challenge, too, and give up.
    let made = plain::<Result<u32, Error>>(&robber.does(CHALLENGE).unwrap()).unwrap();
    let game = robber.world.does(Alice, Accept(made, STAKE)).number();
    robber.does(Resign(game)).unwrap();
    assert_eq!(robber.world.credit_of(address(Alice)), 2 * STAKE);
    robber.contract_has(2 * STAKE);
}

#[test]
fn who_enters_again_while_it_is_paid_is_paid_once() {
    let robber = Robber::new();
    // There is more to be had than it asks for, and than it is owed.
    let another = robber.wins_a_match();
    robber.world.does(Alice, CHALLENGE);
    robber.contract_has(5 * STAKE);

    robber.takes_payments(Payments::Trying, &Withdraw(vec![]));
    robber.withdraws(robber.game).unwrap();
    assert_eq!(robber.calls(), [1, 0], "it did try");
    assert_eq!((robber.has(), robber.owed()), (2 * STAKE, 0));
    robber.contract_has(3 * STAKE);

    robber.takes_payments(Payments::Trying, &Withdraw(vec![another]));
    robber.withdraws(another).unwrap();
    assert_eq!(robber.calls(), [2, 0]);
    assert_eq!((robber.has(), robber.owed()), (4 * STAKE, 0));
    robber.contract_has(STAKE);
}

/// Not even for what anybody may at any other time.
#[test]
fn nobody_enters_while_somebody_is_paid() {
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
        // To have something to be paid.
        robber.withdraws(robber.wins_a_match()).unwrap();
        assert_eq!(robber.calls(), [tried, 0], "it {call}");
    }
    assert!(!robber.world.match_of(won).unwrap().settled);
    assert!(!robber.world.game(running).unwrap().is_over());

    // The games hold no money: there it may move.
    robber.world.does(Alice, Drop(running, 0));
    robber.takes_payments(Payments::Trying, &Drop(running, 4));
    robber.withdraws(won).unwrap();
    assert_eq!(robber.calls(), [5, 1]);
    assert_eq!(robber.world.game(running).unwrap().turns(), 2);
    robber.contract_has(4 * STAKE);
}

#[test]
fn who_does_not_take_its_money_keeps_what_it_is_owed() {
    for how in [Payments::Insisting, Payments::NotAtAll] {
        let robber = Robber::new();
        robber.takes_payments(how, &Withdraw(vec![]));
        assert_eq!(
            robber.withdraws(robber.game),
            Err(Refusal::Because(Error::TransferFailed))
        );
        // All of it was undone: the game is as it was.
        assert!(!robber.world.match_of(robber.game).unwrap().settled);
        assert_eq!((robber.has(), robber.owed()), (0, 0));
        robber.world.does(Alice, Settle(robber.game));
        assert_eq!(
            robber.withdraws(robber.game),
            Err(Refusal::Because(Error::TransferFailed))
        );
        assert_eq!((robber.has(), robber.owed()), (0, 2 * STAKE));
        robber.contract_has(2 * STAKE);

        // It may have it paid to somebody else; one who does take it.
        let trustee = || robber.world.balance(address(Bob));
        let before = trustee();
        let another = robber.wins_a_match();
        robber.does(WithdrawTo(vec![another], Bob)).unwrap();
        assert_eq!(trustee() - before, 4 * STAKE);
        robber.contract_has(0);
        robber.world.does(Alice, Settle(robber.wins_a_match()));

        // Until it does.
        robber.takes_payments(Payments::AsTheyCome, &Withdraw(vec![]));
        robber.withdraws(robber.game).unwrap();
        assert_eq!((robber.has(), robber.owed()), (2 * STAKE, 0));
        robber.contract_has(0);
    }
}

#[test]
fn who_does_not_take_its_money_holds_up_nobody_elses() {
    let robber = Robber::new();
    robber.takes_payments(Payments::NotAtAll, &Withdraw(vec![]));
    let paid = |games| -> u128 { robber.world.does(Alice, Withdraw(games)).returned() };

    // A draw.
    let game = robber.starts_a_match();
    robber.does(OfferDraw(game)).unwrap();
    robber.world.does(Alice, AcceptDraw(game));
    assert_eq!(paid(vec![robber.game, game]), STAKE);

    // It gives up.
    let game = robber.starts_a_match();
    robber.does(Resign(game)).unwrap();
    assert_eq!(paid(vec![]), 2 * STAKE);

    // It does not move.
    let game = robber.starts_a_match();
    robber.world.does(Alice, Drop(game, 0));
    robber.world.wait(61);
    robber.world.does(Alice, ClaimTimeout(game));
    assert_eq!(paid(vec![]), STAKE);

    // It declines, and takes back.
    robber.does(OfferRematch(game, STAKE)).unwrap();
    robber.world.does(Alice, DeclineRematch(game));
    robber.world.does(Alice, OfferRematch(game, STAKE));
    robber.does(DeclineRematch(game)).unwrap();
    assert_eq!(paid(vec![]), STAKE);

    // What is left is its own: of a win, a draw, an abort and an offer.
    assert_eq!(robber.owed(), 5 * STAKE);
    robber.contract_has(5 * STAKE);
    robber.takes_payments(Payments::AsTheyCome, &Withdraw(vec![]));
    robber.withdraws(robber.game).unwrap();
    assert_eq!(robber.has(), 5 * STAKE);
    robber.contract_has(0);
}
