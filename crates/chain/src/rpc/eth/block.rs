//! A block as Ethereum's clients see it: its transactions, with their receipts and logs.

use codec::{Decode, Encode};
use pallet_revive::{
    EthBlock, ReceiptGasInfo, create1,
    evm::{GenericTransaction, HashesOrTransactionInfos, Log, ReceiptInfo, TransactionSigned},
};
use serde_json::{Value, json};
use sp_core::{H160, H256, U256, keccak_256};

use super::error::{refused, unreadable};
use crate::{
    Chain, ReadError, execute,
    rpc::error::{RpcResult, internal},
    runtime::{Code, Header, Outcome},
    state::{self, Backend},
};

/// A block. Its state is read even if states of its age are not kept: see [`eth`](super).
pub struct Block {
    pub ethereum: EthBlock,
    header: Header,
    state: Backend,
}

pub struct Transaction {
    pub hash: H256,
    pub from: H160,
    pub signed: TransactionSigned,
}

impl Transaction {
    /// Reads a transaction as it is sent. `None`: it is none, or its signature is not valid.
    pub fn read(payload: &[u8]) -> Option<Self> {
        let signed = TransactionSigned::decode(payload).ok()?;
        Some(Self {
            hash: H256(keccak_256(payload)),
            from: signed.recover_eth_address().ok()?,
            signed,
        })
    }

    /// The transaction in the terms that all types of transactions share, with the price that it pays
    /// for a unit of gas.
    pub fn generic(&self, base_fee: U256) -> GenericTransaction {
        GenericTransaction::from_signed(self.signed.clone(), base_fee, Some(self.from))
    }

    /// The transaction in JSON, with its sender, but without a place in a block.
    pub fn waiting(&self) -> Value {
        let mut shown = json!(self.signed);
        shown["hash"] = json!(self.hash);
        shown["from"] = json!(self.from);
        for place in ["blockHash", "blockNumber", "transactionIndex"] {
            shown[place] = Value::Null;
        }
        // What is paid at most, as long as no block says what is paid.
        if let TransactionSigned::Transaction1559Signed(signed) = &self.signed {
            shown["gasPrice"] = json!(signed.transaction_1559_unsigned.max_fee_per_gas);
        }
        shown
    }
}

/// A transaction in a block.
pub struct Included {
    pub transaction: Transaction,
    pub receipt: ReceiptInfo,
}

impl Included {
    /// The transaction in JSON, with its place and the price that it paid.
    pub fn show(&self) -> Value {
        let receipt = &self.receipt;
        let mut shown = self.transaction.waiting();
        shown["blockHash"] = json!(receipt.block_hash);
        shown["blockNumber"] = json!(receipt.block_number);
        shown["transactionIndex"] = json!(receipt.transaction_index);
        shown["gasPrice"] = json!(receipt.effective_gas_price);
        shown
    }
}

/// Calls a function of pallet-revive's API on the state after a block.
fn ask<T: Decode>(chain: &Chain, state: &Backend, header: &Header, function: &str) -> RpcResult<T> {
    let answer = chain
        .call_on(state, header, function, &[])
        .map_err(unreadable)?;
    T::decode(&mut &answer[..]).map_err(|reason| {
        unreadable(ReadError::Undecodable {
            function: function.to_owned(),
            reason,
        })
    })
}

impl Block {
    pub fn read(chain: &Chain, header: &Header) -> RpcResult<Self> {
        let state = chain.pinned_state(header).map_err(internal)?;
        let ethereum = ask(chain, &state, header, "ReviveApi_eth_block")?;
        Ok(Self {
            ethereum,
            header: header.clone(),
            state,
        })
    }

    /// The hashes of its transactions.
    pub fn hashes(&self) -> &[H256] {
        match &self.ethereum.transactions {
            HashesOrTransactionInfos::Hashes(hashes) => hashes,
            // The runtime keeps the hashes alone.
            HashesOrTransactionInfos::TransactionInfos(_) => &[],
        }
    }

    /// The block in JSON, with its transactions or with their hashes.
    pub fn show(&self, chain: &Chain, full: bool) -> RpcResult<Value> {
        let mut shown = json!(self.ethereum);
        if full {
            let transactions = self.transactions(chain)?;
            shown["transactions"] = transactions.iter().map(Included::show).collect();
        }
        Ok(shown)
    }

    /// The block in JSON without what it contains, as subscribers are told of it.
    pub fn show_header(&self) -> Value {
        let mut shown = json!(self.ethereum);
        if let Some(fields) = shown.as_object_mut() {
            for part in ["transactions", "uncles", "withdrawals", "size"] {
                fields.remove(part);
            }
        }
        shown
    }

    pub fn transactions(&self, chain: &Chain) -> RpcResult<Vec<Included>> {
        if self.hashes().is_empty() {
            return Ok(Vec::new());
        }
        let stored = chain.block(&self.header.hash()).map_err(internal)?;
        let Some(stored) = stored else {
            return Ok(Vec::new());
        };
        let code = self.made_by(chain)?;
        let count = stored.extrinsics.len();
        let outcomes = execute::peek(&self.state, || code.outcomes(count))
            .map_err(|error| refused(error.to_string()))?;
        let gas: Vec<ReceiptGasInfo> = ask(
            chain,
            &self.state,
            &self.header,
            "ReviveApi_eth_receipt_data",
        )?;
        let mut receipts = Receipts::of(&self.ethereum);
        let mut included = Vec::new();
        for (extrinsic, outcome) in stored.extrinsics.iter().zip(outcomes) {
            let payload = code.ethereum_payload(&extrinsic.encode());
            let Some(transaction) = payload.and_then(|payload| Transaction::read(&payload)) else {
                continue;
            };
            // The block lists those that began to be executed.
            let place = self
                .hashes()
                .iter()
                .position(|hash| *hash == transaction.hash);
            let Some((place, gas)) = place.and_then(|at| Some((at, gas.get(at)?))) else {
                continue;
            };
            let receipt = receipts.next(&transaction, place, gas, outcome);
            included.push(Included {
                transaction,
                receipt,
            });
        }
        Ok(included)
    }

    fn made_by(&self, chain: &Chain) -> RpcResult<Code> {
        let parent = chain.header(&self.header.parent_hash).map_err(internal)?;
        let Some(parent) = parent else {
            return Ok(Code::First);
        };
        let state = chain.pinned_state(&parent).map_err(internal)?;
        state::code(&state).map_err(internal)
    }
}

/// Makes the receipts of a block, one transaction after the other.
struct Receipts<'a> {
    block: &'a EthBlock,
    gas_used: U256,
    logs: usize,
}

impl<'a> Receipts<'a> {
    fn of(block: &'a EthBlock) -> Self {
        Self {
            block,
            gas_used: U256::zero(),
            logs: 0,
        }
    }

    fn next(
        &mut self,
        transaction: &Transaction,
        place: usize,
        gas: &ReceiptGasInfo,
        outcome: Outcome,
    ) -> ReceiptInfo {
        let Transaction { hash, from, .. } = *transaction;
        let EthBlock {
            hash: block_hash,
            number: block_number,
            ..
        } = *self.block;
        let transaction_index = U256::from(place);
        let logs: Vec<Log> = outcome
            .emitted
            .into_iter()
            .zip(self.logs..)
            .map(|(emitted, at)| Log {
                address: emitted.contract,
                block_hash,
                block_number,
                data: Some(emitted.data.into()),
                log_index: U256::from(at),
                removed: false,
                topics: emitted.topics,
                transaction_hash: hash,
                transaction_index,
            })
            .collect();
        self.logs += logs.len();
        self.gas_used = self.gas_used.saturating_add(gas.gas_used);
        let generic = transaction.generic(self.block.base_fee_per_gas);
        let nonce = u64::try_from(generic.nonce.unwrap_or_default()).unwrap_or(u64::MAX);
        let contract = match generic.to {
            None => Some(create1(&from, nonce)),
            Some(_) => None,
        };
        let mut receipt = ReceiptInfo::new(
            block_hash,
            block_number,
            contract,
            from,
            logs,
            generic.to,
            gas.effective_gas_price,
            gas.gas_used,
            !outcome.has_failed,
            hash,
            transaction_index,
            generic.r#type.unwrap_or_default(),
        );
        receipt.cumulative_gas_used = self.gas_used;
        receipt
    }
}
