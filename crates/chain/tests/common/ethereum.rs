//! Wallets of Ethereum on a served chain.

use connect4_chain::{
    Chain,
    runtime::{AccountId, RuntimeCall, currency::UNITS},
};
use jsonrpsee::ws_client::WsClient;
use pallet_revive::evm::{Account as Key, GenericTransaction};
use serde_json::{Value, json};
use sp_core::{H160, U256, keccak_256};
use sp_keyring::Sr25519Keyring::Alice;

use super::served::ask;

/// A token in the unit of Ethereum.
pub const TOKEN: u128 = 1_000_000_000_000_000_000;
pub const PRICE: u64 = 1_000_000_000;
/// More gas than the tests' transactions take.
pub const GAS: u64 = 2_000_000_000;

pub struct Wallet {
    key: Key,
}

impl Wallet {
    /// The wallet of this number, with 1,000 tokens that alice sends in a transaction. It waits until
    /// the transaction is in a block.
    pub async fn funded(chain: &Chain, number: u8) -> Self {
        let wallet = Self::empty(number);
        let call = wallet.payment(1_000 * UNITS);
        let chain = chain.clone();
        let paying = tokio::task::spawn_blocking(move || {
            let (_, mut statuses) = chain.submit_and_watch(signed(&chain, call)).unwrap();
            chain.seal().unwrap();
            while !matches!(
                statuses.blocking_recv(),
                Some(connect4_chain::TxStatus::InBlock(..))
            ) {}
        });
        paying.await.unwrap();
        wallet
    }

    /// The wallet of this number, which owns nothing.
    pub fn empty(number: u8) -> Self {
        Self {
            key: Key::from_secret_key([number; 32]),
        }
    }

    pub fn address(&self) -> H160 {
        self.key.address()
    }

    fn payment(&self, value: u128) -> RuntimeCall {
        let account: AccountId = self.key.substrate_account();
        let dest = account.into();
        RuntimeCall::Balances(pallet_balances::Call::transfer_keep_alive { dest, value })
    }

    /// A transaction to sign, with enough gas.
    pub fn transaction(&self, nonce: u32) -> GenericTransaction {
        GenericTransaction {
            chain_id: Some(420_420_420.into()),
            from: Some(self.address()),
            gas: Some(GAS.into()),
            max_fee_per_gas: Some(PRICE.into()),
            max_priority_fee_per_gas: Some(U256::zero()),
            nonce: Some(nonce.into()),
            r#type: Some(2.into()),
            ..Default::default()
        }
    }

    pub fn pay(&self, nonce: u32, to: H160, value: u128) -> Vec<u8> {
        self.sign(GenericTransaction {
            to: Some(to),
            value: Some(value.into()),
            ..self.transaction(nonce)
        })
    }

    pub fn sign(&self, transaction: GenericTransaction) -> Vec<u8> {
        let unsigned = transaction.try_into_unsigned().unwrap();
        self.key.sign_transaction(unsigned).signed_payload()
    }
}

fn signed(chain: &Chain, call: RuntimeCall) -> Vec<u8> {
    codec::Encode::encode(&chain.sign(&Alice.pair(), call).unwrap())
}

pub fn hex_of(bytes: &[u8]) -> Value {
    json!(format!("0x{}", hex::encode(bytes)))
}

pub fn hash_of(transaction: &[u8]) -> Value {
    hex_of(&keccak_256(transaction))
}

pub async fn send(client: &WsClient, transaction: &[u8]) -> Value {
    let sent = ask(
        client,
        "eth_sendRawTransaction",
        json!([hex_of(transaction)]),
    )
    .await;
    let sent = sent.unwrap();
    assert_eq!(sent, hash_of(transaction));
    sent
}

/// The answer to a request that is not refused.
pub async fn get(client: &WsClient, method: &str, params: Value) -> Value {
    ask(client, method, params).await.unwrap()
}

/// The receipt of a transaction, or null.
pub async fn receipt(client: &WsClient, hash: &Value) -> Value {
    get(client, "eth_getTransactionReceipt", json!([hash])).await
}
