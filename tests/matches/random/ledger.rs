//! Whose the money is, by the events alone: what a page that reads no state can tell.

use std::collections::{BTreeMap, HashMap};
use std::mem::take;

use connect4_chain::Report;
use connect4_protocol::{Address, Event};
use connect4_testing::local::RATIO;
use connect4_testing::{Account, PEOPLE, address};

use crate::model::Model;
use crate::world::World;

/// Credits and balance of the contract of the matches, and what everybody has paid and got, added up
/// from all events since it was deployed: the contracts', and the chain's of fees and deposits.
#[derive(Default)]
pub struct Ledger {
    credits: BTreeMap<Address, u128>,
    /// Balance of the contract.
    held: u128,
    /// By how much each account has more than in the beginning.
    purses: BTreeMap<Address, i128>,
    /// Players and stake of each game.
    games: HashMap<u32, ([Address; 2], u128)>,
    /// Credits of the same call that no event has explained yet.
    unexplained: Vec<(Address, u128)>,
}

impl Ledger {
    /// Adds the events of a transaction. A report has fee and deposit from the chain's events; who
    /// signs pays them, and all stakes.
    pub fn read(&mut self, signer: Account, report: &Report, events: Vec<Event>) {
        let signer = address(signer);
        let costs = report.fee as i128 + report.deposit;
        self.pay(signer, -costs * RATIO as i128);
        for event in events {
            let held = self.held;
            self.enter(event);
            if let Some(stake) = self.held.checked_sub(held) {
                self.pay(signer, -(stake as i128));
            }
        }
        assert!(self.unexplained.is_empty(), "{:?}", self.unexplained);
    }

    fn enter(&mut self, event: Event) {
        match event {
            Event::GameStarted(started) => {
                let players = [started.player_one, started.player_two];
                self.games.insert(started.game, (players, 0));
            }
            Event::ChallengeMade(made) => self.held += made.terms.stake,
            // The stake of who accepts; that of the other is there.
            Event::MatchStarted(started) => {
                self.held += started.stake;
                let (_, stake) = self.games.get_mut(&started.game).expect("it has started");
                *stake = started.stake;
            }
            Event::RematchOffered(offered) => self.held += self.games[&offered.game].1,
            Event::Credited(credited) => {
                assert!(credited.amount > 0, "{credited:?}");
                *self.credits.entry(credited.account).or_default() += credited.amount;
                self.unexplained.push((credited.account, credited.amount));
            }
            Event::ChallengeWithdrawn(back) => self.explain(&[(back.challenger, back.stake)]),
            Event::RematchDeclined(back) => self.explain(&[(back.offered_by, back.stake)]),
            Event::Settled(shares) => {
                let ([one, two], stake) = self.games[&shares.game];
                assert_eq!(shares.one + shares.two, 2 * stake, "{shares:?}");
                self.explain(&[(one, shares.one), (two, shares.two)]);
            }
            Event::Withdrawn(paid) => {
                let owed = self.credits.remove(&paid.account);
                assert_eq!(owed, Some(paid.amount), "all that was owed");
                self.held -= paid.amount;
                self.pay(paid.receiver, paid.amount as i128);
            }
            Event::DiscDropped(_)
            | Event::GameEnded(_)
            | Event::DrawOffered(_)
            | Event::DrawDeclined(_)
            | Event::GameFreed(_) => {}
            other => unreachable!("no game is a fast one or a variant: {other:?}"),
        }
    }

    fn pay(&mut self, who: Address, amount: i128) {
        *self.purses.entry(who).or_default() += amount;
    }

    /// By how much an account has more than in the beginning.
    pub fn gain(&self, of: Account) -> i128 {
        self.purses.get(&address(of)).copied().unwrap_or_default()
    }

    /// The credits since the last event that explained some are those that this event is about.
    fn explain(&mut self, credits: &[(Address, u128)]) {
        let expected = credits.iter().copied().filter(|(_, amount)| *amount > 0);
        let expected: Vec<_> = expected.collect();
        assert_eq!(take(&mut self.unexplained), expected);
    }

    fn credit(&self, of: Address) -> u128 {
        self.credits.get(&of).copied().unwrap_or_default()
    }

    /// Asserts that the model says the same.
    pub fn compare(&self, model: &Model) {
        for person in PEOPLE {
            let owed = self.credit(address(person));
            assert_eq!(owed, model.credit(person), "owed to {person} by the events");
        }
        assert_eq!(self.held, model.funds(), "balance by the events");
    }

    /// Asserts that the contract has what the events say, and owes it to the same accounts.
    pub fn compare_state(&self, world: &World) {
        for person in PEOPLE {
            let owed = self.credit(address(person));
            assert_eq!(owed, world.credit_of(address(person)), "owed to {person}");
        }
        assert_eq!(self.held, world.balance(world.matches));
    }
}
