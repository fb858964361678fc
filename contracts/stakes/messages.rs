//! What the messages do. A message ends the call with its answer, so that each is a function here.

use codec::Encode;
use connect4_contract::{
    Answers, Bytes, Chain as OnChain, account, caller, chain_id, emit_parts, emit_with, end_as,
    immutable, now, paid, pay, records::Item, this,
};
use connect4_protocol::{
    Address, Error,
    signed::{
        Chain, Domain, GameNumber, StakedGame, StakesError,
        event::{Advanced, DeadlineSet, DiscDropped, Funded, GameEnded, GameFreed, Refunded},
        message::{Advance, ClaimTimeout, Drop, Free, Fund, Press, Refund, Resign, WithdrawTo},
    },
};
use connect4_rules::{Bin, ByPlayer, Dropped};

use crate::{
    funds::{credit, pay_owed},
    records::Staked,
    stakes::Stakes,
};

/// Bytes of the longest event, rounded up.
const LONGEST: usize = 320;
/// Bytes of the longest answer, rounded up.
const ANSWER: usize = 256;

/// Ends the call of a message that is ink!'s own.
#[inline(never)]
pub fn end<T: Encode>(answer: Result<T, StakesError>) -> Result<T, StakesError> {
    end_as::<T, StakesError, ANSWER>(answer)
}

impl Answers<Fund> for Stakes {
    const IS_PAYABLE: bool = true;

    fn answer(Fund { terms }: Fund) -> Result<(), StakesError> {
        let number = terms.number(&domain(), &OnChain);
        let stored = self::game(number).ok();
        let (caller, paid) = (caller(), paid());
        let (game, by) = StakedGame::fund(stored, &terms, caller, now())?;
        // Else what it is owed stays what it was.
        if paid != game.stake {
            let owed = take_credit(caller);
            let left = game.owed_after(owed, paid)?;
            if left > 0 {
                Self::default().credits.insert(caller, &left);
            }
        }
        store(number, game);
        let ByPlayer { one, two } = game.game.players();
        let event = Funded {
            game: number,
            player_one: one,
            player_two: two,
            by,
            begins: game.paid_by.is_none(),
            paid,
            terms,
        };
        let mut bytes = Bytes::<LONGEST>::new();
        event.encode_to(&mut bytes);
        let [one, two] = [one, two].map(Some).map(account);
        emit_parts::<Funded, LONGEST>(&[bytes.as_slice()], &[number.0, one, two]);
        Ok(())
    }
}

impl Answers<Refund> for Stakes {
    fn answer(Refund { game }: Refund) -> Result<u128, StakesError> {
        let caller = caller();
        let amount = self::game(game)?.refund(caller)?;
        // Before the payment leaves. An error reverts this.
        remove(game);
        let event = Refunded {
            game,
            account: caller,
            amount,
        };
        emit_with(event, &[game.0, account(Some(caller))]);
        match pay(caller, amount) {
            true => Ok(amount),
            false => Err(Error::TransferFailed.into()),
        }
    }
}

impl Answers<Drop> for Stakes {
    fn answer(Drop { game, board, bin }: Drop) -> Result<Dropped, StakesError> {
        let mut staked = self::game(game)?;
        let player = caller();
        let turn = staked.game.game.turns();
        let dropped = staked.drop(player, &board, Bin::new(bin), now())?;
        let event = DiscDropped {
            game,
            player,
            bin,
            row: dropped.row,
            turn,
            deadline: staked.game.deadline(),
        };
        emit_with(event, &[game.0, account(Some(player))]);
        keep(game, staked)?;
        Ok(dropped)
    }
}

impl Answers<Advance> for Stakes {
    fn answer(message: Advance) -> Result<(), StakesError> {
        let Advance {
            game,
            press,
            evidence,
        } = message;
        let mut staked = self::game(game)?;
        if staked.advance(game, &evidence, &domain(), &OnChain, now())? {
            let moves = evidence.moves;
            emit_with(Advanced { game, moves }, &[game.0]);
        }
        if press {
            run_clock(game, &mut staked)?;
        }
        keep(game, staked)
    }
}

impl Answers<Press> for Stakes {
    fn answer(Press { game }: Press) -> Result<u64, StakesError> {
        let mut staked = self::game(game)?;
        let deadline = run_clock(game, &mut staked)?;
        store(game, staked);
        Ok(deadline)
    }
}

impl Answers<Resign> for Stakes {
    fn answer(Resign { game }: Resign) -> Result<(), StakesError> {
        let mut staked = self::game(game)?;
        staked.resign(caller())?;
        keep(game, staked)
    }
}

impl Answers<ClaimTimeout> for Stakes {
    fn answer(ClaimTimeout { game }: ClaimTimeout) -> Result<(), StakesError> {
        let mut staked = self::game(game)?;
        staked.claim_timeout(now())?;
        keep(game, staked)
    }
}

impl Answers<WithdrawTo> for Stakes {
    fn answer(WithdrawTo { receiver }: WithdrawTo) -> Result<u128, StakesError> {
        withdraw_to(receiver)
    }
}

impl Answers<Free> for Stakes {
    fn answer(Free { game }: Free) -> Result<(), StakesError> {
        let payer = caller();
        self::game(game)?.free(payer, now())?;
        remove(game);
        emit_with(GameFreed { game, payer }, &[game.0, account(Some(payer))]);
        Ok(())
    }
}

#[inline(never)]
pub fn withdraw_to(receiver: Address) -> Result<u128, StakesError> {
    if receiver == Address::ZERO {
        return Err(Error::NoReceiver.into());
    }
    // Taken before the payment leaves. An error reverts this.
    let owner = caller();
    let owed = take_credit(owner);
    Ok(pay_owed(owner, receiver, owed)?)
}

/// The game with a number.
#[inline(never)]
pub fn game(number: GameNumber) -> Result<StakedGame, StakesError> {
    match Stakes::default().games.get(number) {
        Some(Item(Staked(game))) => Ok(game),
        None => Err(Error::NoSuchGame.into()),
    }
}

/// Where the games of this contract are signed.
#[inline(never)]
pub fn domain() -> Domain {
    Domain {
        chain: Chain {
            id: chain_id(),
            genesis: immutable(),
        },
        stakes: Some(this()),
    }
}

/// Amount that an account is owed.
#[inline(never)]
pub fn credit_of(account: Address) -> u128 {
    Stakes::default().credits.get(account).unwrap_or_default()
}

/// The same, which the account is not owed any more.
#[inline(never)]
fn take_credit(account: Address) -> u128 {
    Stakes::default().credits.take(account).unwrap_or_default()
}

#[inline(never)]
fn remove(number: GameNumber) {
    Stakes::default().games.remove(number);
}

#[inline(never)]
fn store(number: GameNumber, game: StakedGame) {
    Stakes::default().games.insert(number, &Item(Staked(game)));
}

/// Stores a game after a change. The stakes of one that has ended are credited.
#[inline(never)]
fn keep(number: GameNumber, staked: StakedGame) -> Result<(), StakesError> {
    let known = &staked.game;
    if let Some(event) = GameEnded::of(number, &staked) {
        let winner = event.winner;
        if let Some(deadline) = known.contest {
            set_deadline(number, winner.unwrap_or_default(), deadline);
        } else if let Some(shares) = staked.shares() {
            let mut stakes = Stakes::default();
            let ByPlayer { one, two } = known.players();
            credit(&mut stakes.credits, one, shares.one)?;
            credit(&mut stakes.credits, two, shares.two)?;
            emit_with(event, &[number.0, account(winner)]);
        }
    }
    store(number, staked);
    Ok(())
}

/// Starts the clock of the player to move for the caller.
#[inline(never)]
fn run_clock(game: GameNumber, staked: &mut StakedGame) -> Result<u64, StakesError> {
    let by = caller();
    let deadline = staked.press(by, now())?;
    set_deadline(game, by, deadline);
    Ok(deadline)
}

/// Emits until when the opponent of a player has to answer.
#[inline(never)]
fn set_deadline(game: GameNumber, by: Address, deadline: u64) {
    let event = DeadlineSet { game, by, deadline };
    emit_with(event, &[game.0, account(Some(by))]);
}
