//! What a sponsor pays for, and for whom how often.

use std::collections::HashMap;

use connect4_protocol::Address;
use connect4_protocol::signed::feed::Origin;
use connect4_rules::{ByPlayer, Player};

/// Seconds for which a payment counts: a day.
pub const DAY: u64 = 24 * 60 * 60;
/// Seconds in which a [part](Limits::pace) of the budget may be spent: an hour.
pub const HOUR: u64 = 60 * 60;

/// Where a player is connected, as a relay says in one of its runs.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, codec::Encode, codec::Decode,
)]
pub struct At {
    /// The relay, by its place in the list of the state.
    pub relay: u16,
    pub run: u64,
    /// What it says of the address.
    pub origin: Origin,
}

/// For whom a game is paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, codec::Encode, codec::Decode)]
pub struct Payees {
    pub players: ByPlayer<Address>,
    /// From where they play.
    pub from: ByPlayer<At>,
    /// Whether each of them gains by the record: of a win the winner, of a draw both. A game counts for those alone, so
    /// that nobody who has had much keeps the wins of others from the chain.
    pub gain: ByPlayer<bool>,
}

impl Payees {
    /// The relay that has shown the game.
    pub const fn relay(&self) -> u16 {
        self.from.one.relay
    }

    /// What counts for the part of the relay alone, as nothing was recorded.
    pub fn of_relay_alone(&self) -> Self {
        let nobody = At {
            relay: self.relay(),
            run: 0,
            origin: Origin([0; 8]),
        };
        Self {
            players: ByPlayer {
                one: Address::ZERO,
                two: Address::ZERO,
            },
            from: ByPlayer {
                one: nobody,
                two: nobody,
            },
            gain: ByPlayer::default(),
        }
    }

    fn gaining(&self) -> impl Iterator<Item = Player> {
        let players = Player::ALL.into_iter();
        players.filter(|player| *self.gain.get(*player))
    }

    /// Each account that gains, before its opponent.
    fn pairs(&self) -> impl Iterator<Item = [Address; 2]> {
        let of = |player| *self.players.get(player);
        self.gaining()
            .map(move |player| [of(player), of(player.opponent())])
    }

    fn accounts(&self) -> impl Iterator<Item = Address> {
        self.gaining().map(|player| *self.players.get(player))
    }

    /// From where those play who gain, each place once.
    pub fn places(&self) -> impl Iterator<Item = At> {
        let mut places: Vec<At> = self.gaining().map(|of| *self.from.get(of)).collect();
        places.dedup();
        places.into_iter()
    }
}

/// What is paid at most, and for whom how often in 24 hours.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Fees and deposits in 24 hours, in the token's smallest unit.
    pub budget: u128,
    /// Into how many parts the budget is divided, of which one may be spent in an hour: so that a crowd cannot
    /// take all of it before others come.
    pub pace: u32,
    /// Number of relays, each of which has the same part of the budget.
    pub relays: u32,
    /// Games of one account against another by which it gains.
    pub of_pair: u32,
    /// Games by which one account gains.
    pub of_account: u32,
    /// Games from one address, as the relay says.
    pub of_address: u32,
    /// Moves of a game, at least.
    pub moves: u8,
}

/// How often each was paid for in 24 hours, and each relay in one.
#[derive(Clone, Debug, Default)]
pub struct Counted {
    /// By the account that has gained, before its opponent.
    pairs: HashMap<[Address; 2], u32>,
    accounts: HashMap<Address, u32>,
    places: HashMap<At, u32>,
    relays: HashMap<u16, u32>,
}

/// Why a game is not paid for now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// These two have had their games.
    Pair,
    /// One of the accounts has had its games.
    Account,
    /// One of the addresses has had its games.
    Address,
}

impl Counted {
    /// Counts a game of this hour.
    pub fn add(&mut self, payees: &Payees) {
        self.add_earlier(payees);
        *self.relays.entry(payees.relay()).or_default() += 1;
    }

    /// Counts a game of an earlier hour.
    pub fn add_earlier(&mut self, payees: &Payees) {
        for pair in payees.pairs() {
            *self.pairs.entry(pair).or_default() += 1;
        }
        for account in payees.accounts() {
            *self.accounts.entry(account).or_default() += 1;
        }
        for place in payees.places() {
            *self.places.entry(place).or_default() += 1;
        }
    }

    /// Whether one more game is within the limits.
    pub fn allows(&self, limits: &Limits, payees: &Payees) -> Result<(), Over> {
        let counted = |count: Option<&u32>| count.copied().unwrap_or(0);
        let mut pairs = payees.pairs();
        if pairs.any(|pair| counted(self.pairs.get(&pair)) >= limits.of_pair) {
            return Err(Over::Pair);
        }
        let mut accounts = payees.accounts();
        if accounts.any(|account| counted(self.accounts.get(&account)) >= limits.of_account) {
            return Err(Over::Account);
        }
        if payees
            .places()
            .any(|place| counted(self.places.get(&place)) >= limits.of_address)
        {
            return Err(Over::Address);
        }
        Ok(())
    }

    /// How much the relay and the players of a game have had: those who had least come first. The relay counts first,
    /// as it alone says who its players are: it could make them up, each of whom has had nothing. It counts for the hour,
    /// or a relay that shows nothing for long would have the hours after that to itself.
    pub fn had(&self, payees: &Payees) -> (u32, u32, u32) {
        let most = |counts: &mut dyn Iterator<Item = u32>| counts.max().unwrap_or(0);
        let of = |count: Option<&u32>| count.copied().unwrap_or(0);
        (
            of(self.relays.get(&payees.relay())),
            most(&mut payees.places().map(|place| of(self.places.get(&place)))),
            most(
                &mut payees
                    .accounts()
                    .map(|account| of(self.accounts.get(&account))),
            ),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits {
        budget: 1000,
        pace: 4,
        relays: 1,
        of_pair: 2,
        of_account: 3,
        of_address: 4,
        moves: 5,
    };

    fn payees(accounts: [u8; 2], origins: [u8; 2]) -> Payees {
        let [one, two] = accounts.map(|byte| Address([byte; 20]));
        let at = |byte| At {
            relay: 0,
            run: 7,
            origin: Origin([byte; 8]),
        };
        Payees {
            players: ByPlayer { one, two },
            from: ByPlayer {
                one: at(origins[0]),
                two: at(origins[1]),
            },
            gain: ByPlayer::from_fn(|_| true),
        }
    }

    /// Somebody who plays much, and is paid for it, loses at last.
    #[test]
    fn what_the_loser_has_had_keeps_no_win_of_another_from_the_chain() {
        let won_by = |player: Player, accounts, origins| Payees {
            gain: ByPlayer::from_fn(|of| of == player),
            ..payees(accounts, origins)
        };
        let mut counted = Counted::default();
        for _ in 0..9 {
            counted.add(&won_by(Player::One, [1, 2], [1, 2]));
        }
        let again = won_by(Player::One, [1, 2], [1, 2]);
        assert_eq!(counted.allows(&LIMITS, &again), Err(Over::Pair));
        let lost = won_by(Player::Two, [1, 2], [1, 2]);
        assert_eq!(counted.allows(&LIMITS, &lost), Ok(()));
        assert_eq!(counted.had(&lost).1, 0);
    }

    #[test]
    fn each_pair_account_and_address_has_its_games() {
        let mut counted = Counted::default();
        for accounts in [[1, 2], [2, 1]] {
            let game = payees(accounts, [1, 2]);
            assert_eq!(counted.allows(&LIMITS, &game), Ok(()));
            counted.add(&game);
        }
        let again = payees([1, 2], [8, 9]);
        assert_eq!(counted.allows(&LIMITS, &again), Err(Over::Pair));
        let third = payees([1, 3], [1, 1]);
        assert_eq!(counted.allows(&LIMITS, &third), Ok(()));
        counted.add(&third);
        let fourth = payees([4, 1], [8, 9]);
        assert_eq!(counted.allows(&LIMITS, &fourth), Err(Over::Account));
        // Accounts are free, addresses are not.
        counted.add(&payees([5, 6], [1, 1]));
        let others = payees([7, 8], [9, 1]);
        assert_eq!(counted.allows(&LIMITS, &others), Err(Over::Address));
        let elsewhere = payees([7, 8], [9, 10]);
        assert_eq!(counted.allows(&LIMITS, &elsewhere), Ok(()));
        assert!(counted.had(&elsewhere) < counted.had(&others));
    }
}
