//! What accounts are owed, and how they are paid.

use connect4_contract::{account, emit_with, pay};
use connect4_protocol::signed::event::{Credited, Withdrawn};
use connect4_protocol::{Address, Error};
use ink::storage::Mapping;
use ink::storage::traits::StorageKey;

/// Amounts that accounts are owed.
pub type Credits<Key> = Mapping<Address, u128, Key>;

/// Adds to what an account is owed.
///
/// # Errors
///
/// [`Error::StakeTooLarge`] if that is more than a `u128`.
#[inline(never)]
pub fn credit<Key: StorageKey>(
    credits: &mut Credits<Key>,
    to: Address,
    amount: u128,
) -> Result<(), Error> {
    if amount == 0 {
        return Ok(());
    }
    let owed = credits.get(to).unwrap_or_default();
    let owed = owed.checked_add(amount).ok_or(Error::StakeTooLarge)?;
    credits.insert(to, &owed);
    let event = Credited {
        account: to,
        amount,
    };
    emit_with(event, &[account(Some(to))]);
    Ok(())
}

/// Pays what an account was owed, which is taken from its credit before. Returns the amount.
///
/// # Errors
///
/// Returns the first of these that applies:
///
/// 1. [`Error::NothingToWithdraw`] if it is nothing,
/// 2. [`Error::TransferFailed`] if the receiver does not take the payment.
#[inline(never)]
pub fn pay_owed(owner: Address, receiver: Address, amount: u128) -> Result<u128, Error> {
    if amount == 0 {
        return Err(Error::NothingToWithdraw);
    }
    let event = Withdrawn {
        account: owner,
        receiver,
        amount,
    };
    emit_with(event, &[owner, receiver].map(Some).map(account));
    if pay(receiver, amount) {
        Ok(amount)
    } else {
        Err(Error::TransferFailed)
    }
}
