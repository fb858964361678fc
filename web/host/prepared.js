// What a host has prepared for a wallet of a Polkadot SDK chain, compared with what the player wants. What the
// wallet signs is put together here, of parts that were looked at.

import { texts } from '../words/host.js';
import { needContract } from './contracts.js';
import { WalletError } from './ethereum.js';
import { isPallet } from './pallet.js';
import { MORTALITY } from './public-chains.js';
import { session } from './session.js';
import { AskError, ask } from './wasm.js';

/** @import { AnsweredBlock, Payload, Prepared, Unsigned } from '../wire.d.ts' */
/** @import { Called } from '../ask.d.ts' */

/** The extension by which the chain refuses what was signed for other metadata than its own. */
const METADATA = 'CheckMetadataHash';
/** A limit of the deposit needs the player's word from so many times the fee on, beyond twice the deposit. */
const MUCH = 40n;

/** Why what the host has prepared is not signed. @param {string} what */
export const differs = (what) => new WalletError(texts.differs(what), 'failed');

/**
 * Compares what the host prepared with what the player wanted.
 * @param {Prepared} told @param {Called} call @param {bigint} payment
 * @param {AnsweredBlock | null} [answers] the block of the move that is answered
 * @returns {Promise<{ prepared: Prepared, depositLimit: bigint | null }>} what is signed, without anything that
 * the page does not know; and the most that may be held as a deposit, if that is much more than is shown
 * @throws {WalletError} if it is something else
 */
export async function checkPrepared(told, call, payment, answers = null) {
	const wanted = needContract(call.contract).toLowerCase();
	if (told.to.toLowerCase() !== wanted) throw differs(texts.differsContract);
	const prepared = { ...told, to: wanted };
	if (BigInt(prepared.payment) !== payment) throw differs(texts.differsPayment);
	const { unsigned } = prepared;
	// A wallet of Ethereum puts its transaction together itself, whatever else it is shown as.
	const isEthereum = session.wallet?.kind === 'ethereum';
	if (isEthereum === Boolean(unsigned)) throw differs(texts.differsKind);
	if (!unsigned) return { prepared: await withGas(prepared), depositLimit: null };
	const payload = await checkPayload(unsigned);
	if (answers && !isBasedOn(payload, answers)) {
		throw differs(texts.differsBranch);
	}
	const clean = { ...prepared, unsigned: { ...unsigned, payload } };
	const { genesisHash: genesis, method, signedExtensions: extensions, mode } = payload;
	const asked = { genesis, method, extensions, metadata_hash: mode === 1 };
	const does = await ask({ substrate_call: asked }).catch(unreadable);
	if (!(await isPallet(payload))) throw differs(texts.differsPart);
	if (unsigned.maps !== 'map_account' in does) throw differs(texts.differsCall);
	if (!('contract' in does)) return { prepared: clean, depositLimit: null };
	const { contract, value, input, is_moderate: isModerate, deposit_limit } = does.contract;
	if (contract.toLowerCase() !== wanted) throw differs(texts.differsContract);
	if (BigInt(value) !== payment) throw differs(texts.differsPayment);
	if (input !== call.input) throw differs(texts.differsCall);
	if (!isModerate) throw differs(texts.differsMore);
	const limit = BigInt(deposit_limit);
	return { prepared: clean, depositLimit: limit > expected(prepared) ? limit : null };
}

/** What is prepared for a wallet of Ethereum, which estimates the gas itself if the host's can't be compared. @param {Prepared} prepared */
async function withGas(prepared) {
	if (prepared.gas === null) return prepared;
	const price = await session.wallet?.node?.('eth_gasPrice', []).catch(() => null);
	if (!price) return { ...prepared, gas: null };
	const shown = (BigInt(prepared.fee) + positive(prepared.deposit)) * (session.chain?.ratio ?? 1n);
	const gas = BigInt(prepared.gas);
	if (gas < 0n || gas * BigInt(price) > 2n * shown) throw differs(texts.differsGas);
	return prepared;
}

/** @param {string} amount which is negative if it is given back */
const positive = (amount) => (BigInt(amount) > 0n ? BigInt(amount) : 0n);

/** What was prepared is not what the module reads. @param {unknown} error @returns {never} */
function unreadable(error) {
	if (!(error instanceof AskError)) throw error;
	if (error.name === 'OtherForm') throw differs(texts.differsForm);
	if (error.name === 'BadRequest') throw differs(texts.differsCall);
	throw error;
}

/** The most that a limit of the deposit is without being told. @param {Prepared} prepared */
function expected({ deposit, fee }) {
	return MUCH * BigInt(fee) + 2n * positive(deposit);
}

/** What is signed, of parts that the page knows. @param {Unsigned} unsigned @returns {Promise<Payload>} */
async function checkPayload({ payload, head, tail }) {
	const { address, blockHash, blockNumber, era, genesisHash, method, nonce } = payload;
	const { signedExtensions, specVersion, transactionVersion } = payload;
	const mine = session.account?.id ?? '';
	if (address !== mine && !(await isSame(address))) throw differs(texts.differsAccount);
	if (BigInt(payload.tip) !== 0n) throw differs(texts.differsTip);
	if (genesisHash !== session.chain?.genesis) throw differs(texts.differsChain);
	const bytes = [blockHash, genesisHash, method, head, tail].every((hex) =>
		/^0x([0-9a-f]{2})+$/.test(hex),
	);
	const numbers = [blockNumber, nonce, specVersion, transactionVersion];
	const isKnown =
		bytes &&
		numbers.every((hex) => /^0x[0-9a-f]+$/.test(hex)) &&
		signedExtensions.every((name) => typeof name === 'string');
	if (!isKnown) throw differs(texts.differsBytes);
	// Else the host could keep what was signed, and pass it on when it likes.
	if (phaseOf(era) !== Number(blockNumber) % MORTALITY) {
		throw differs(texts.differsEra);
	}
	if (!tail.endsWith(method.slice(2))) throw differs(texts.differsShown);
	const metadataHash =
		payload.mode === 1 && signedExtensions.includes(METADATA) ? payload.metadataHash : null;
	if (metadataHash !== null && !/^0x[0-9a-f]{64}$/.test(metadataHash ?? '')) {
		throw differs(texts.differsMetadata);
	}
	return {
		// As the wallet writes it.
		address: mine,
		blockHash,
		blockNumber,
		era,
		genesisHash,
		method,
		mode: metadataHash === null ? 0 : 1,
		metadataHash,
		nonce,
		signedExtensions: [...signedExtensions],
		specVersion,
		tip: `0x${'00'.repeat(16)}`,
		transactionVersion,
		version: 4,
	};
}

/**
 * Whether what is signed is based on a block, so that it is void on a branch without it. On an old one it is
 * not, as it would be valid for too short a time: then it is a later one.
 * @param {Payload} payload @param {AnsweredBlock} on
 */
const isBasedOn = ({ blockNumber, blockHash }, { block, hash }) =>
	Number(blockNumber) === block ? blockHash === hash.toLowerCase() : Number(blockNumber) > block;

/**
 * The phase of an era of 64 blocks: two bytes, of which the four low bits are the period and the others the
 * phase. Null for any other period, and for transactions that are valid for ever.
 * @param {string} era
 */
function phaseOf(era) {
	const [, high, low] = /^0x([0-9a-f])5([0-9a-f]{2})$/.exec(era) ?? [];
	if (high === undefined || low === undefined) return null;
	const phase = Number.parseInt(high, 16) + Number.parseInt(low, 16) * 16;
	return phase < MORTALITY ? phase : null;
}

/** Whether an account in SS58 is the one that plays, as wallets may write it otherwise. @param {string} address */
async function isSame(address) {
	const [mine, theirs] = await Promise.all(
		[session.account?.id ?? '', address].map((one) => ask({ account: one })),
	);
	return mine?.account === theirs?.account;
}
