//! Transactions in blocks, read from their bytes. The metadata give the numbers of pallets alone, so that a transaction
//! of a format or with extensions that are not known costs nothing but its own meaning.

use codec::{Compact, Decode as _};
use sp_crypto_hashing::blake2_256;
use subxt::metadata::Metadata;
use subxt::utils::H256;

use crate::accounts::ethereum;
use crate::chain::client::PALLET;

/// Formats of transactions without a signature: versions 4 and 5.
const BARE: [u8; 2] = [4, 5];
/// Number of `set` in the pallet Timestamp.
const SET_TIME: u8 = 0;

/// The fields of a transaction without a signature that makes this call; none of another one.
fn bare_call(mut extrinsic: &[u8], pallet: u8, call: u8) -> Option<&[u8]> {
    Compact::<u32>::decode(&mut extrinsic).ok()?;
    let (&[format, found, number], fields) = extrinsic.split_first_chunk()?;
    (BARE.contains(&format) && (found, number) == (pallet, call)).then_some(fields)
}

/// The hash of a transaction: that which a wallet shows, if it carries one of Ethereum.
pub(crate) fn hash_of(extrinsic: &[u8], metadata: &Metadata) -> H256 {
    let carried = metadata
        .pallet_by_name(PALLET)
        .and_then(|pallet| bare_call(extrinsic, pallet.index(), ethereum::ETH_TRANSACT))
        .and_then(|mut fields| Vec::<u8>::decode(&mut fields).ok());
    match carried {
        Some(payload) => ethereum::hash_of(&payload),
        None => H256(blake2_256(extrinsic)),
    }
}

/// The time that a transaction sets as that of its block, in milliseconds since 1970; none if it sets none.
pub(crate) fn time_of(extrinsic: &[u8], metadata: &Metadata) -> Option<u64> {
    let pallet = metadata.pallet_by_name("Timestamp")?;
    let mut fields = bare_call(extrinsic, pallet.index(), SET_TIME)?;
    Some(Compact::<u64>::decode(&mut fields).ok()?.0)
}
