import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';

import './page-fakes.mjs';

import { useContracts } from './contracts.js';
import { matchFor, moved, started } from './fakes.mjs';
import { settled } from './final.js';
import { asked, clear, host } from './page-fakes.mjs';
import { connect, leave, session } from './session.js';
import { safely } from './stake.js';
import { ask } from './wasm.js';

const GAME = '3';
const MOVE = { hash: `0x${'ab'.repeat(32)}`, block: 5 };
const FOUND = { transaction: MOVE, failure: null, events: [] };

/** What the wallet's node answers to a call, by the block; an error if it can't. @type {(at: string, data: string) => string} */
let node = () => started();
/** Selector of the message that reads the terms. */
const terms = (await ask({ read: { match_of: { game: GAME } } })).input.slice(0, 10);
/** The newest block by that node. */
let best = '0x9';
/** The blocks in which it was asked. @type {string[]} */
let blocks = [];

/** @param {boolean} hasNode */
async function purse(hasNode) {
	await connect(
		/** @type {any} */ ({
			kind: hasNode ? 'ethereum' : 'substrate',
			id: 'purse.example',
			name: 'Purse',
			connect: async () => [{ id: `0x${'0a'.repeat(20)}`, name: null }],
			listen: () => {},
			leave: () => {},
			isOn: async () => true,
			node: hasNode
				? async (/** @type {string} */ method, /** @type {any[]} */ ...[[of, at]]) => {
						if (method === 'eth_blockNumber') return best;
						blocks.push(at);
						return node(at, of.data);
					}
				: null,
		}),
		{ silently: true },
	);
}

/** Timers that wait. @type {(() => void)[]} */
let timers = [];
const { setTimeout } = globalThis;

beforeEach(() => {
	leave();
	clear();
	asked.length = 0;
	blocks = [];
	timers = [];
	session.chain = /** @type {any} */ ({ name: 'Here', chainId: 7, ratio: 1n, confirmations: 1 });
	useContracts({ games: `0x${'cc'.repeat(20)}`, matches: `0x${'dd'.repeat(20)}` });
	Object.assign(globalThis, { setTimeout: (/** @type {() => void} */ act) => timers.push(act) });
});
afterEach(() => Object.assign(globalThis, { setTimeout }));

/** Waits until moves are settled. @param {Partial<import('./final.js').Answered>} answers @param {boolean} onlyFinal */
function waiting(answers, onlyFinal) {
	const stop = new AbortController();
	/** @type {string[]} */
	const waits = [];
	const state = { isDone: false, error: '', waits, stop: () => stop.abort() };
	settled(
		{ game: GAME, turns: 0, transaction: MOVE, base: null, ...answers },
		onlyFinal,
		(why) => waits.push(why),
		stop.signal,
	).then(
		() => {
			state.isDone = true;
		},
		(error) => {
			state.error = error.message;
		},
	);
	return state;
}

/** Lets the chain be looked at. */
async function look() {
	for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
	for (const act of timers.splice(0)) act();
	for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** @param {number} best @param {number} last_final @param {any} [found] */
const blocksAre = (best, last_final, found = FOUND) => {
	host['/api/transactions/'] = () => ({ found, next: best + 1, best, last_final });
};

test('a move is answered from Ethereum when host and wallet’s node have it as final', async () => {
	await purse(true);
	blocksAre(9, 4);
	const state = waiting({}, true);
	await look();
	assert.deepEqual([state.isDone, blocks], [false, []]);
	blocksAre(9, 9);
	node = () => {
		throw new Error('execution reverted');
	};
	await look();
	await look();
	assert.equal(state.isDone, false, 'the game itself is not final by the node');
	node = () => started();
	await look();
	assert.equal(state.isDone, true);
	assert.ok(blocks.every((at) => at === 'finalized'));
});

test('a host that names no transaction of the last move, and no end of it, has it waited for', async () => {
	await purse(true);
	blocksAre(9, 8, null);
	const state = waiting({ transaction: null }, true);
	await look();
	assert.equal(state.isDone, false, 'what was the newest block has to be final');
	assert.match(asked.at(-1)?.path ?? '', /^\/api\/transactions\/0x0{64}\?from=4294967295$/);
	blocksAre(10, 9, null);
	await look();
	assert.equal(state.isDone, true);
});

test('a node that does not answer what is final is asked again, unless it knows no such block', async () => {
	await purse(true);
	blocksAre(9, 9);
	for (const trouble of ['rate limit exceeded', 'Internal error', 'finalized block not found']) {
		node = () => {
			throw new Error(trouble);
		};
		const state = waiting({}, true);
		for (let looks = 0; looks < 20; looks += 1) await look();
		assert.equal(state.isDone, false, trouble);
		assert.match(state.waits.at(-1) ?? '', new RegExp(trouble), 'it is told why');
		node = () => {
			throw new Error('unknown block tag');
		};
		await look();
		await look();
		assert.equal(state.isDone, true);
	}
});

test('fewer moves than are answered are not enough, and waiting can be given up', async () => {
	await purse(true);
	blocksAre(9, 9);
	node = () => started();
	const state = waiting({ turns: 1 }, true);
	for (let looks = 0; looks < 3; looks += 1) await look();
	assert.equal(state.isDone, false);
	state.stop();
	await look();
	assert.match(state.error, /You stopped waiting: nothing was signed/);
});

test('a move that was taken back is not answered', async () => {
	await purse(false);
	blocksAre(9, 9, null);
	const state = waiting({}, false);
	await look();
	assert.match(state.error, /the move that you answer is not on the chain any more/i);
});

test('a wallet whose transactions name a block answers what lies deep, also if the host names no transaction', async () => {
	await purse(false);
	blocksAre(9, 0, null);
	const state = waiting({ transaction: null }, false);
	await look();
	assert.equal(state.isDone, false);
	blocksAre(10, 0, null);
	await look();
	assert.equal(state.isDone, true);
});

test('what lies deep has to be there by the node as well, in a block as deep', async () => {
	await purse(true);
	blocksAre(9, 0);
	const state = waiting({}, false);
	await look();
	assert.deepEqual([state.isDone, blocks], [true, ['0x8']]);
});

test('how deep a move lies is told by the own node, and is one block at least', async () => {
	await purse(true);
	session.chain = /** @type {any} */ ({ ...session.chain, confirmations: 0 });
	best = '0x5';
	// In the newest block the node has the move, in the one before it has not.
	node = (at) => {
		if (Number(at) < 5) throw new Error('execution reverted');
		return started();
	};
	blocksAre(500, 4);
	const state = waiting({}, false);
	for (let looks = 0; looks < 3; looks += 1) await look();
	assert.equal(state.isDone, false);
	best = '0x6';
	await look();
	await look();
	assert.deepEqual([state.isDone, blocks.at(-1)], [true, '0x5']);
});

test('whether there is a stake, and what is answered, is read from the chain', async () => {
	await purse(true);
	/** @param {number} stake @param {string} game */
	const chain = (stake, game) => {
		node = (_, data) => (data.startsWith(terms) ? matchFor(stake) : game);
	};
	chain(5, moved());
	assert.deepEqual(await safely(GAME), {
		depth: 1,
		isStaked: true,
		answers: { game: GAME, turns: 1, transaction: null, base: null },
	});
	chain(5, started());
	const first = { depth: 1, isStaked: true, answers: null };
	assert.deepEqual(await safely(GAME), first, 'the first move answers none');
	session.chain = /** @type {any} */ ({ ...session.chain, confirmations: 0 });
	assert.equal((await safely(GAME)).depth, 1, 'one block at least, whatever the host says');
	chain(0, moved());
	assert.deepEqual(await safely(GAME), {
		answers: { game: GAME, turns: 1, transaction: null, base: null },
	});
	node = () => {
		throw new Error('the network is away');
	};
	await assert.rejects(safely(GAME), /the network is away/);
});
