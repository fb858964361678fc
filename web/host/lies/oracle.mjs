// What may be signed: that which a player has chosen, by what the page has shown. It is worked out here without
// the checks of the page.

import { ask } from '../wasm.js';
import { readCall } from './liar.mjs';
import { CHAIN_ID, CONTRACTS, deployedBy, FUND, GENESIS, RATIO } from './truth.mjs';

const EVIL = await deployedBy(`0x${'e0'.repeat(20)}`);
const KINDS = ['games', 'variants', 'stakes'];
const MOST_TIME = 100_000_000_000n;
const MOST_PROOF = 3_000_000n;
/** What has something signed with a call, in the order of the chain. */
const SIGNED_WITH = {
	CheckSpecVersion: 'version of the runtime',
	CheckTxVersion: 'version of transactions',
	CheckGenesis: 'first block',
	CheckMortality: 'era, and the hash of its block',
	CheckNonce: 'number',
	ChargeTransactionPayment: 'tip',
};
const KNOWN_FIELDS = [
	'address',
	'blockHash',
	'blockNumber',
	'era',
	'genesisHash',
	'metadataHash',
	'method',
	'mode',
	'nonce',
	'signedExtensions',
	'specVersion',
	'tip',
	'transactionVersion',
	'version',
];

/** What a player's choice comes to: the call that may be signed. */
export async function callOf({ does, values }) {
	if (does === FUND.message) return FUND;
	return ask({ call: { [does]: values } });
}

/** Looks at all that is signed in a visit. */
export class Oracle {
	/** What is wrong. */
	faults = [];
	/** How much was signed. */
	count = 0;
	/** What the player wants now. */
	choice = null;
	/** What of that was signed. */
	signed = [];
	/** What the page says that it does, and the dialog to which the player has agreed since the choice. */
	agreement = null;
	/** Signatures of which it is not known what became of them. */
	open = [];
	/** The block of the move that the page has said that it answers. */
	base = null;

	constructor(of) {
		Object.assign(this, of);
	}

	chooses(choice) {
		this.choice = choice;
		this.signed = [];
		this.agreement = null;
	}

	/** The page has said that it is done. */
	isDone() {
		this.open = [];
		this.choice = null;
	}

	/** The page passes on what was signed last. */
	async passesOn(signed) {
		const last = this.open.at(-1);
		if (last) ({ hash: last.hash } = await ask({ extrinsic: signed }));
	}

	/** The host has said that a transaction is in a block, and did what it should: nobody signs it again. */
	isTold(path, { found }) {
		if (!found || found.failure) return;
		this.open = this.open.filter(({ hash }) => !hash || !path.includes(hash));
	}

	#fault(text, of) {
		const choice = JSON.stringify(this.choice, (_, value) =>
			typeof value === 'bigint' ? String(value) : value,
		);
		this.faults.push(`${text}\n  chosen: ${choice}\n  signed: ${JSON.stringify(of)}`);
	}

	async look(asked) {
		this.count += 1;
		const { ethereum, substrate } = asked;
		try {
			await (ethereum ? this.#ethereum(ethereum) : this.#substrate(substrate));
		} catch (error) {
			this.#fault(`it can't be read: ${error}`, ethereum ?? substrate);
		}
	}

	/** What guards money is on disk when the wallet is asked. */
	#guards(to, isKept, fault) {
		const isPinned = this.pins().some((pin) => KINDS.some((kind) => pin[kind] === to));
		if (to && !isPinned) fault('a contract that is not on disk');
		if (
			!this.kept().some(({ account, hash, ...one }) => account === this.id && !hash && isKept(one))
		) {
			fault('a signature of which the disk knows nothing');
		}
	}

	async #ethereum(transaction) {
		const fault = (text) => this.#fault(text, transaction);
		const { from, to, chainId, value, data, gas } = transaction;
		if (BigInt(value) > 0n) this.#guards(to, ({ stake, ethereum }) => stake && ethereum, fault);
		if (from !== this.address) fault('another account');
		if (Number(chainId) !== CHAIN_ID) fault('another chain');
		const fields = ['from', 'to', 'chainId', 'data', 'value', 'gas'];
		if (Object.keys(transaction).some((name) => !fields.includes(name))) fault('a field more');
		await this.#call({ to, amount: BigInt(value), input: data }, fault);
		if (this.shown().maps) fault('a call that is shown as something else');
		// The gas that it may take is money, too.
		if (gas === undefined || this.isGiven) return;
		const { prepared } = this.shown();
		const most = 2n * (BigInt(prepared.fee) + positive(prepared.deposit)) * RATIO;
		if (BigInt(gas) * 1_000n * RATIO > most + 1_000_000n * RATIO) {
			fault('more gas than the fee that is shown');
		}
	}

	async #substrate(payload) {
		const fault = (text) => this.#fault(text, payload);
		const { era, blockNumber, blockHash, nonce, tip, method, genesisHash, mode, version } = payload;
		if (Object.keys(payload).sort().join() !== KNOWN_FIELDS.join()) fault('other fields');
		if (payload.address !== this.id) fault('another account');
		if (version !== 4 || BigInt(tip) !== 0n) fault('another format, or a tip');
		const isHashed = payload.signedExtensions.includes('CheckMetadataHash') && mode === 1;
		const hash = isHashed ? /^0x[0-9a-f]{64}$/.test(payload.metadataHash) : mode === 0;
		if (!hash || isHashed === (payload.metadataHash === null))
			fault('another hash of the metadata');
		const pin = this.pins().find(({ genesis }) => genesis === genesisHash);
		const isKnown = genesisHash === GENESIS;
		if (!pin || (this.isReturning && !isKnown && pin.chainId === CHAIN_ID)) fault('another chain');
		// Two bytes: the period's exponent less one, and the phase above it.
		const bytes =
			/^0x(..)(..)$/
				.exec(era)
				?.slice(1)
				.map((byte) => Number.parseInt(byte, 16)) ?? [];
		const mortal = (bytes[0] ?? 0) + 256 * (bytes[1] ?? 0);
		if (bytes.length !== 2 || mortal % 16 !== 5) fault('valid for another time than 64 blocks');
		if (mortal >> 4 !== Number(blockNumber) % 64) fault('valid from another block');
		// As wallets sign what each of these has, one after the other.
		const signs = payload.signedExtensions.filter((name) => name in SIGNED_WITH);
		if (signs.join() !== Object.keys(SIGNED_WITH).join())
			fault('other bytes than those of its fields');
		const { base } = this;
		const block = Number(blockNumber);
		const isBased =
			!base || block > base.block || (block === base.block && blockHash === base.hash);
		if (!isBased) fault('a branch without the move that is answered');
		const [, pallet, call] = /^0x(..)(..)/.exec(method) ?? [];
		const isSameRuntime = Number(payload.specVersion) === 1;
		if (this.isReturning && isKnown && isSameRuntime && pallet !== '3c') fault('another pallet');
		const { maps, prepared, depositLimit } = this.shown();
		const contract = call === '01' ? readCall(method).contract : null;
		this.#guards(contract, (one) => !one.ethereum && one.nonce === Number(nonce), fault);
		if (call === '07') {
			if (method.length !== 6 || !maps) fault('a mapping that is not shown');
			if (this.signed.includes('a mapping')) fault('a mapping again');
			this.signed.push('a mapping');
		} else {
			if (call !== '01' || maps) fault('another call of the pallet');
			const read = readCall(method);
			const ratio = BigInt(pin?.ratio ?? 1);
			await this.#call({ to: read.contract, amount: read.value * ratio, input: read.input }, fault);
			if (read.time > MOST_TIME || read.proof > MOST_PROOF) fault('too high a limit of weight');
			const limit = 40n * BigInt(prepared.fee) + 2n * positive(prepared.deposit);
			if (read.deposit > limit && depositLimit !== read.deposit) fault('too high a deposit');
		}
		if (call !== '01') return;
		const number = Number(nonce);
		// What was not passed on never left the page.
		const isBeside = (one) =>
			one.hash &&
			one.number !== number &&
			one.genesis === genesisHash &&
			one.choice !== this.choice;
		if (this.open.some(isBeside)) fault('a second signature beside one that may still happen');
		this.open.push({ number, genesis: genesisHash, choice: this.choice });
	}

	/** A call of a contract, the same for both kinds of wallets. */
	async #call({ to, amount, input }, fault) {
		const { choice } = this;
		const isOwn = (kind) => to === CONTRACTS[kind] || (!this.isReturning && to === EVIL[kind]);
		if (!choice) return fault('something that was not chosen');
		const meant = await callOf(choice);
		if (input !== meant.input) return fault('another call, or other arguments');
		if (!isOwn(meant.contract)) fault('another contract');
		if (amount !== choice.payment) fault('another amount');
		if (choice.payment > 0n) {
			const { stake, contract } = this.agreement ?? {};
			if (stake !== choice.stake) fault(`another stake than was agreed to (${stake})`);
			if (contract !== to) fault(`another contract than was agreed to (${contract})`);
		}
		if (this.signed.includes(input)) fault('the same once more');
		this.signed.push(input);
	}
}

const positive = (amount) => (BigInt(amount) > 0n ? BigInt(amount) : 0n);
