//! Transactions of Ethereum accounts.
//!
//! An account whose key is one of Ethereum signs a transaction of Ethereum, which is the payload of an
//! unsigned extrinsic, as Parity's eth-rpc sends it for a wallet. It goes to the address of the
//! runtime's pallets, and its data are the SCALE-encoded call: so such an account can do whatever
//! others can, with the same limits.
//!
//! A transaction of Ethereum names its chain and the account's nonce, but no block: it is valid on
//! every branch of the chain, whatever its sender saw.

use connect4_protocol::Address;
use connect4_protocol::transaction::PALLETS;
use rlp::RlpStream;
use sp_crypto_hashing::keccak_256;
use subxt::dynamic::{DecodedValue, Value};
use subxt::ext::scale_value::{Composite, Primitive, ValueDef};
use subxt::utils::H256;
use subxt_signer::eth::Keypair;

use crate::accounts::address::of_ethereum_key;
use crate::chain::client::{Client, PALLET};
use crate::chain::value;
use crate::error::Error;
use crate::failure::unexpected;
use crate::task::Task;

/// Name of the extrinsic that carries a transaction of Ethereum.
pub(crate) const EXTRINSIC: &str = "eth_transact";
/// Its number in the pallet, up to pallet-revive 0.20.2.
pub(crate) const ETH_TRANSACT: u8 = 0;
/// First byte of a transaction whose price is a limit (EIP-1559).
const TYPE: u8 = 2;
/// How often the base fee may be paid at most for a unit of gas: it may rise until the transaction is
/// included. The rest is not taken.
const PRICE_MARGIN: u128 = 2;

/// A transaction of Ethereum to the runtime's pallets, without a payment of its own.
struct Transaction<'a> {
    chain: u128,
    nonce: u64,
    /// Most that is paid for a unit of gas.
    price: u128,
    gas: u128,
    to: Address,
    data: &'a [u8],
}

impl Transaction<'_> {
    /// The transaction with its signature, as it is sent.
    fn signed(&self, pair: &Keypair) -> Vec<u8> {
        let signature = pair.sign(&self.encode(None)).0;
        self.encode(Some(&signature))
    }

    /// Without a signature: what is signed.
    fn encode(&self, signature: Option<&[u8; 65]>) -> Vec<u8> {
        let mut rlp = RlpStream::new_list(if signature.is_some() { 12 } else { 9 });
        rlp.append(&self.chain)
            .append(&self.nonce)
            // Priority fee: pallet-revive takes none.
            .append(&0_u8)
            .append(&self.price)
            .append(&self.gas)
            .append(&&self.to.0[..])
            .append(&0_u8)
            .append(&self.data)
            .begin_list(0);
        if let Some(signature) = signature {
            let number = |bytes: &[u8]| {
                let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
                bytes[zeros..].to_vec()
            };
            rlp.append(&signature[64])
                .append(&number(&signature[..32]))
                .append(&number(&signature[32..64]));
        }
        let mut encoded = vec![TYPE];
        encoded.extend_from_slice(&rlp.out());
        encoded
    }
}

/// Hash of a transaction of Ethereum, by which wallets know it.
pub(crate) fn hash_of(transaction: &[u8]) -> H256 {
    H256(keccak_256(transaction))
}

impl Client {
    /// Number of the chain by EIP-155; none if it takes no transactions of Ethereum.
    #[must_use]
    pub fn chain_id(&self) -> Option<u64> {
        self.ethereum_chain_id(&Task::FollowChain).ok()
    }

    /// Number of the chain by EIP-155, which signatures of Ethereum name.
    pub(crate) fn ethereum_chain_id(&self, task: &Task) -> Result<u64, Error> {
        let chain = subxt::dynamic::constant(PALLET, "ChainId");
        self.api()
            .constants()
            .at(&chain)
            .ok()
            .and_then(|chain| value::decoded(&chain).ok())
            .and_then(|chain| value::number(&chain))
            .and_then(|chain| chain.try_into().ok())
            .ok_or_else(|| unexpected(task, "it tells no chain id"))
    }

    /// A call of a pallet as a signed transaction of Ethereum, for the chain with this number by EIP-155.
    ///
    /// Gas and its price are as the node reports them. They take nothing that the call does not: the call has limits
    /// of its own, and the chain takes its own price, without a tip, for what was used.
    pub(crate) async fn ethereum_transaction(
        &self,
        task: &Task,
        pair: &Keypair,
        nonce: u64,
        chain: u64,
        data: &[u8],
    ) -> Result<Vec<u8>, Error> {
        let Gas { amount, price } = self
            .ethereum_gas(task, of_ethereum_key(pair), PALLETS, 0, data)
            .await?;
        let transaction = Transaction {
            chain: chain.into(),
            nonce,
            price: price.saturating_mul(PRICE_MARGIN),
            gas: amount,
            to: PALLETS,
            data,
        };
        Ok(transaction.signed(pair))
    }

    /// The gas that a transaction of Ethereum may take, by a dry run. `payment` is in the unit of
    /// contracts.
    pub(crate) async fn ethereum_gas(
        &self,
        task: &Task,
        from: Address,
        to: Address,
        payment: u128,
        data: &[u8],
    ) -> Result<Gas, Error> {
        let lacks = |what: &str| unexpected(task, format_args!("it tells no {what}"));
        let price = self.runtime_api(task, "gas_price", None, |_| None).await?;
        let price = price_of(&price).ok_or_else(|| lacks("price of gas"))?;
        let tried = self
            .runtime_api(task, EXTRINSIC, None, |name| match name {
                "tx" => Some(generic(from, to, payment, data)),
                "perform_balance_checks" => Some(Value::bool(true)),
                _ => None,
            })
            .await?;
        if let Some(("Err", values)) = value::variant(&tried) {
            let reason = values.first().map(ToString::to_string);
            return Err(Error::Rejected {
                task: task.clone(),
                reason: reason.unwrap_or_default(),
            });
        }
        let gas = value::find(&tried, "eth_gas")
            .and_then(wide_number)
            .ok_or_else(|| lacks("amount of gas"))?;
        Ok(Gas {
            // What is not used is given back.
            amount: gas.saturating_add(gas / 4),
            price,
        })
    }
}

/// Gas of a transaction of Ethereum.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gas {
    /// Units that it may take; the chain gives back what is left.
    pub(crate) amount: u128,
    /// Price of a unit now, in the unit of contracts.
    pub(crate) price: u128,
}

/// A transaction that is tried: the runtime fills in what is left out.
fn generic(from: Address, to: Address, payment: u128, data: &[u8]) -> Value {
    const LEFT_OUT: [&str; 9] = [
        "access_list",
        "chain_id",
        "gas",
        "gas_price",
        "max_fee_per_blob_gas",
        "max_fee_per_gas",
        "max_priority_fee_per_gas",
        "nonce",
        "type",
    ];
    let limbs = [payment & u128::from(u64::MAX), payment >> 64, 0, 0].map(Value::u128);
    let value = Value::unnamed_composite([Value::unnamed_composite(limbs)]);
    let empty = || Value::unnamed_composite([]);
    let input = Value::named_composite([
        ("input", value::some(Value::from_bytes(data))),
        ("data", value::none()),
    ]);
    let mut fields = vec![
        ("from", value::some(Value::from_bytes(from.0))),
        ("to", value::some(Value::from_bytes(to.0))),
        ("input", input),
        ("value", value::some(value)),
        ("authorization_list", empty()),
        ("blob_versioned_hashes", empty()),
        ("blobs", empty()),
        // As some versions of scale-info spell `type`.
        ("r#type", value::none()),
    ];
    fields.extend(LEFT_OUT.map(|name| (name, value::none())));
    Value::named_composite(fields)
}

/// The price of gas, which newer runtimes name.
fn price_of(answer: &DecodedValue) -> Option<u128> {
    wide_number(value::find(answer, "gas_price").unwrap_or(answer))
}

/// A number of 256 bits, as four of 64, if it fits in 128.
fn wide_number(value: &DecodedValue) -> Option<u128> {
    fn limbs(value: &DecodedValue, found: &mut Vec<u128>) -> Option<()> {
        match &value.value {
            ValueDef::Primitive(Primitive::U128(number)) => found.push(*number),
            ValueDef::Composite(Composite::Unnamed(values)) => {
                values.iter().try_for_each(|value| limbs(value, found))?;
            }
            _ => return None,
        }
        Some(())
    }
    let mut found = Vec::new();
    limbs(value, &mut found)?;
    match found[..] {
        [number] => Some(number),
        [low, high, 0, 0] => high.checked_mul(1 << 64)?.checked_add(low),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_256_bits_are_read_if_they_fit() {
        let number = |limbs: [u128; 4]| {
            let limbs = Value::unnamed_composite(limbs.map(Value::u128));
            wide_number(&Value::unnamed_composite([limbs]).map_context(|()| 0))
        };
        assert_eq!(number([7, 0, 0, 0]), Some(7));
        assert_eq!(number([7, 1, 0, 0]), Some((1 << 64) + 7));
        assert_eq!(number([7, 0, 1, 0]), None);
        let price = Value::unnamed_composite([5, 0, 0, 0].map(Value::u128));
        let named = Value::named_composite([("gas_price", price.clone())]);
        for price in [price, named] {
            assert_eq!(price_of(&price.map_context(|()| 0)), Some(5));
        }
        assert_eq!(wide_number(&Value::u128(7).map_context(|()| 0)), Some(7));
    }
}
