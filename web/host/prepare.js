// Has a call tried before a wallet is asked for it: by the host, and where that does not, by a node of the player's
// choice. Else a host could keep a player from a move or from a payout by doing nothing.

import { Failure, tell } from '../transport.js';
import { addressOf } from './account.js';
import { askOwn } from './chain.js';
import { needContract } from './contracts.js';
import { quantity } from './hex.js';
import { session } from './session.js';

/** @import { AnsweredBlock, Prepared } from '../wire.d.ts' */

/** A call that an account is about to make. @typedef {{ account: string | undefined, contract: string, data: string, payment: string, answers?: AnsweredBlock | null }} Tried */

/**
 * What is to be signed for a call, and what it costs.
 * @param {Tried} asked @returns {Promise<Prepared>}
 * @throws {Failure} what the host says against it, unless a node has tried the call and has nothing against it
 */
export async function prepare(asked) {
	try {
		return await tell('/api/prepare', asked, { isIdempotent: true });
	} catch (failure) {
		const own = await tryByNode(asked).catch((refusal) => {
			// The words of a host are the better ones, if it has any.
			throw failure instanceof Failure && failure.kind === 'away' ? refusal : failure;
		});
		if (!own) throw failure;
		return own;
	}
}

/**
 * The same by a node of the player's choice. A node of Ethereum tells the deposit as a part of the fee.
 * @param {Tried} asked
 * @returns {Promise<Prepared | null>} null if there is no such node, or if the wallet signs what no node of Ethereum prepares
 */
async function tryByNode({ contract, data, payment }) {
	const { account, chain, wallet } = session;
	if (wallet?.kind !== 'ethereum' || !account || !chain) return null;
	const from = await addressOf(account);
	const to = needContract(contract);
	const value = quantity(BigInt(payment) * chain.ratio);
	const gas = await askOwn('eth_estimateGas', [{ from, to, value, data }]);
	const price = await askOwn('eth_gasPrice', []);
	const owned = await askOwn('eth_getBalance', [from, 'latest']);
	if (!gas || !price || !owned) return null;
	const fee = BigInt(gas.answer) * BigInt(price.answer);
	return {
		to,
		payment,
		fee: String((fee + chain.ratio - 1n) / chain.ratio),
		deposit: '0',
		balance: String(BigInt(owned.answer) / chain.ratio),
		gas: String(BigInt(gas.answer)),
		unsigned: null,
	};
}
