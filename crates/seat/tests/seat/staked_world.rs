//! The contract of the stakes with one game, as it runs there.

use codec::{Decode, Encode};
use connect4_protocol::signed::{
    Chain, Crypto, Domain, GameNumber, StakedGame, StakesError, Terms,
};
use connect4_protocol::{Address, Error};
use connect4_rules::{Bin, ByPlayer, Player as Side};
use connect4_seat::{Call, Sight};

use crate::world::account;

pub const DOMAIN: Domain = Domain {
    chain: Chain {
        id: 420_420_421,
        genesis: [7; 32],
    },
    stakes: Some(Address([0xcc; 20])),
};

/// What the contract has stored of a game, and what the accounts of its players are owed.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Stakes {
    pub game: Option<StakedGame>,
    pub owed: ByPlayer<u128>,
    /// What each account has paid, less what it was paid.
    pub spent: ByPlayer<i128>,
}

impl Stakes {
    pub const fn new() -> Self {
        Self {
            game: None,
            owed: ByPlayer { one: 0, two: 0 },
            spent: ByPlayer { one: 0, two: 0 },
        }
    }

    /// What a block with this time shows a player who looks for this number.
    pub fn sight(&self, side: Side, number: Option<GameNumber>, time: u64) -> Sight {
        Sight {
            time,
            number,
            game: self.game.filter(|_| number.is_some()),
            owed: *self.owed.get(side),
        }
    }

    /// A transaction gets into a block. One that is refused changes nothing.
    pub fn call(
        &mut self,
        by: Side,
        number: GameNumber,
        call: &Call,
        now: u64,
        crypto: &impl Crypto,
    ) -> Result<(), StakesError> {
        let mut next = self.clone();
        next.take(by, number, call, now, crypto)?;
        *self = next;
        Ok(())
    }

    fn take(
        &mut self,
        by: Side,
        number: GameNumber,
        call: &Call,
        now: u64,
        crypto: &impl Crypto,
    ) -> Result<(), StakesError> {
        let caller = account(by);
        match call {
            Call::Fund { terms, payment } => {
                return self.fund(by, terms, *payment, now);
            }
            Call::Withdraw => {
                let owed = std::mem::take(&mut self.owed[by]);
                if owed == 0 {
                    return Err(Error::NothingToWithdraw.into());
                }
                self.spent[by] -= owed as i128;
                return Ok(());
            }
            _ => {}
        }
        let game = self.game.as_mut().ok_or(Error::NoSuchGame)?;
        match call {
            Call::Refund => {
                self.spent[by] -= game.refund(caller)? as i128;
                self.game = None;
                return Ok(());
            }
            Call::Free => {
                game.free(caller, now)?;
                self.game = None;
                return Ok(());
            }
            Call::Advance { evidence, press } => {
                game.advance(number, evidence, &DOMAIN, crypto, now)?;
                if *press {
                    game.press(caller, now)?;
                }
            }
            Call::Press => _ = game.press(caller, now)?,
            Call::Drop { board, bin } => _ = game.drop(caller, board, Bin::new(*bin), now)?,
            Call::Claim => game.claim_timeout(now)?,
            Call::Fund { .. } | Call::Withdraw => {}
        }
        self.pay_out();
        Ok(())
    }

    fn fund(
        &mut self,
        by: Side,
        terms: &Terms,
        payment: u128,
        now: u64,
    ) -> Result<(), StakesError> {
        let (game, _) = StakedGame::fund(self.game, terms, account(by), now)?;
        self.owed[by] = game.owed_after(self.owed[by], payment)?;
        self.spent[by] += payment as i128;
        self.game = Some(game);
        Ok(())
    }

    /// Credits both stakes if the game has just ended for good.
    pub fn pay_out(&mut self) {
        let shares = self.game.and_then(|game| game.shares());
        for side in Side::ALL {
            self.owed[side] += shares.map_or(0, |shares| *shares.get(side));
        }
    }
}
