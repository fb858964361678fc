// What tests of the page need: games as the contract has them, the module of the page, locks that tabs share.

import { readFile } from 'node:fs/promises';

import { ask, provide } from './wasm.js';

export { Database } from './database-fakes.mjs';

provide(await readFile(new URL('../../artifacts/page.wasm', import.meta.url)));

export const CHAIN_ID = 420420421;
const ACCOUNTS = [`0x${'0a'.repeat(20)}`, `0x${'0b'.repeat(20)}`];

/** Secrets of session keys. */
export const SECRETS = [`0x${'11'.repeat(32)}`, `0x${'22'.repeat(32)}`];
export const KEYS = await Promise.all(
	SECRETS.map(async (session) => (await ask({ session })).address),
);

/** @param {number | bigint} value @param {number} bytes */
const little = (value, bytes) =>
	Array.from({ length: bytes }, (_, index) =>
		Number((BigInt(value) >> BigInt(8 * index)) & 0xffn)
			.toString(16)
			.padStart(2, '0'),
	).join('');
/** @param {string} hex */
const bare = (hex) => hex.slice(2);

/**
 * What `read_game` answers for a game on the standard board that has just begun.
 * @param {string[]} accounts
 */
export const started = (accounts = ACCOUNTS) =>
	[
		'0x0000', // ink!'s result, and the contract's
		...accounts.map(bare),
		'00'.repeat(32), // no discs
		'070604', // 7 bins of 6, lines of 4
		'02000200', // nobody has moved, turns, no winner, not over
		bare(accounts[0]),
	].join('');

/** The same with one disc of red in the first bin. @param {string[]} [accounts] */
export const moved = (accounts) =>
	started(accounts)
		.replace(`${'00'.repeat(32)}070604`, `01${'00'.repeat(31)}070604`)
		.replace('02000200', '00010200');

/** The position of a game of two on the standard board with pop out and a disc to take, at its start or with one disc of red in the first bin. @param {boolean} isMoved */
const position = (isMoved) =>
	[
		'070604020100010000', // the terms
		`${isMoved ? '01' : '00'}${'00'.repeat(63)}`, // discs of four players
		'010000'.repeat(4), // powers that are left
		'00000000', // nobody has left
		isMoved ? '01010000' : '00000000', // to move, turns, no end
	].join('');

/** What `read_variant` answers for a game of a variant. @param {string[]} accounts @param {string} state @param {boolean} isMoved */
const variant = (accounts, state, isMoved) =>
	[
		'0x0000', // ink!'s result, and the contract's
		...[...accounts.map(bare), ...Array(4 - accounts.length).fill('00'.repeat(20))],
		state,
		position(isMoved),
		'00', // no colours were exchanged
		bare(accounts[0]),
		'3c000000', // a minute for each move
		'e803000000000000', // since the second 1,000
	].join('');

/** Red has moved in a game of a variant. @param {string[]} accounts */
export const variantMoved = (accounts) => variant(accounts, '010100000001', true);

/** A table at which a seat is free. @param {string} opener */
export const table = (opener) => variant([opener], '010000000000', false);

/** A number in SCALE's compact form. @param {bigint} number */
function compact(number) {
	if (number < 64n) return little(number << 2n, 1);
	if (number < 1n << 14n) return little((number << 2n) | 1n, 2);
	if (number < 1n << 30n) return little((number << 2n) | 2n, 4);
	const bytes = Math.ceil(number.toString(16).length / 2);
	return little(3n | (BigInt(bytes - 4) << 2n), 1) + little(number, bytes);
}

/**
 * `Revive.call`, the extrinsic by which a contract is called.
 * @param {{
 *   index?: string, contract: string, value?: bigint, time?: bigint, proof?: bigint, deposit?: bigint,
 *   input: string,
 * }} call
 */
export const reviveCall = ({
	index = '3c01',
	contract,
	value = 0n,
	time = 500_000_000n,
	proof = 40_000n,
	deposit = 1_000n,
	input,
}) =>
	`0x${index}${contract.slice(2)}${[value, time, proof, deposit].map(compact).join('')}${compact(BigInt(input.length / 2 - 1))}${input.slice(2)}`;

/** Locks that the tabs of one browser share. */
export class Locks {
	/** @type {Map<string, Promise<unknown>>} */
	held = new Map();

	/** @param {string} name @param {any} options @param {any} [act] */
	async request(name, options, act = options) {
		const { ifAvailable = false, signal = null } = typeof options === 'object' ? options : {};
		if (this.held.has(name)) {
			if (ifAvailable) return act(null);
			while (this.held.has(name)) await this.held.get(name);
			if (signal?.aborted) throw signal.reason;
		}
		const done = Promise.resolve(act({ name }));
		const settled = done.catch(() => {});
		this.held.set(name, settled);
		await settled;
		this.held.delete(name);
		return done;
	}
}

/** A frame as a browser gives it to the page; it is read at once, so that no test depends on a thread. @param {Uint8Array} bytes */
export const framed = (bytes) =>
	Object.assign(new Blob([Uint8Array.from(bytes)]), {
		arrayBuffer: async () => Uint8Array.from(bytes).buffer,
	});

/** Resolves once `is` is true. @param {() => boolean} is @param {string} what */
export async function until(is, what) {
	for (let turn = 0; turn < 2_000; turn += 1) {
		if (is()) return;
		await new Promise((resolve) => setTimeout(resolve, 1));
	}
	throw new Error(`it does not come to this: ${what}`);
}
