import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';

import './page-fakes.mjs';

import { asked, clear, host } from './page-fakes.mjs';
import './fakes.mjs';

import { useContracts } from './contracts.js';
import { checkOn, forgetNode, lookForNode, nameNode } from './node.js';
import { CHAINS } from './public-chains.js';
import { send, showTo } from './send.js';
import { connect, leave, session } from './session.js';

const GAMES = `0x${'bb'.repeat(20)}`;
const CODE = `0x${readFileSync('artifacts/connect4.polkavm').toString('hex')}`;
const ACCOUNT = `0x${'0a'.repeat(20)}`;
const HASH = `0x${'ab'.repeat(32)}`;
/** A call of the page. */
const CALL = { contract: 'games', message: 'resign', input: '0x01020304' };

/** @type {import('./types.d.ts').Chain} */
const CHAIN = {
	name: 'Here',
	symbol: 'DOT',
	decimals: 10,
	genesis: `0x${'01'.repeat(32)}`,
	chainId: 7,
	rpc: null,
	relay: null,
	ratio: 100_000_000n,
};

/** What a host prepares for a wallet of Ethereum. */
const PREPARED = {
	to: GAMES,
	payment: '0',
	fee: '1',
	deposit: '0',
	balance: '100',
	gas: '5',
	unsigned: null,
};

/**
 * Connects a wallet of Ethereum, which is on another chain until it is asked to switch.
 * @param {{
 *   code?: string, domain?: string | null, hasNode?: boolean, estimates?: ((call: any) => string | Error) | null,
 *   signs?: () => Promise<unknown>,
 * }} [options]
 * `domain` is what the contract of the stakes answers to its node, null if that goes away before; `estimates` is how much
 * gas its node says that a call takes, which else knows nothing of gas; `signs` is done once its owner has signed
 */
async function purse({
	code = CODE,
	domain = '0x',
	hasNode = true,
	estimates = null,
	signs = async () => {},
} = {}) {
	/** @type {string[]} */
	const did = [];
	let isHere = false;
	/** @type {import('./types.d.ts').Wallet} */
	const wallet = {
		kind: 'ethereum',
		id: 'purse.example',
		name: 'Purse',
		icon: null,
		connect: async () => [{ id: ACCOUNT, name: null }],
		listen: () => {},
		leave: () => {},
		useChain: async () => {
			did.push('useChain');
			isHere = true;
		},
		isOn: async () => isHere,
		send: async ({ prepared }) => {
			did.push('send');
			sent.push(prepared);
			await signs();
			return { hash: HASH };
		},
		fateOf: async () => fate,
		hasGivenNode: () => isGiven,
		follow: async (sent) => ({ hash: sent.hash, block: 9, failed: false, found: LANDED }),
		node: hasNode
			? async (method, params) => {
					assert.ok(isHere, 'the node of another chain is not asked');
					did.push(method);
					if (estimates && method === 'eth_estimateGas') {
						const gas = estimates(params[0]);
						if (gas instanceof Error) throw gas;
						return gas;
					}
					if (estimates && method === 'eth_gasPrice') return '0x5f5e100';
					if (estimates && method === 'eth_getBalance') return '0x2540be400';
					if (domain === null) wallet.node = null;
					if (method === 'eth_getCode') return code;
					if (method === 'eth_call') return domain;
					throw new Error('the network is away');
				}
			: null,
	};
	await connect(wallet, { silently: true });
	return did;
}

/** Whether the wallet has its node from a host. */
let isGiven = false;

/** What the wallet was given to sign. @type {import('../wire.d.ts').Prepared[]} */
const sent = [];

/** What becomes of what the wallet has signed. @type {import('./types.d.ts').Fate} */
let fate = 'in block';

/** @type {any} */
const LANDED = { transaction: { hash: HASH, block: 9 }, failure: null, events: [] };

beforeEach(() => {
	leave();
	fate = 'in block';
	isGiven = false;
	forgetNode();
	checkOn(null);
	clear();
	asked.length = 0;
	sent.length = 0;
	session.chain = CHAIN;
	useContracts({ games: GAMES });
	host['/api/prepare'] = () => PREPARED;
});

describe('a wallet that is on another chain', () => {
	test('is put on the chain first, and its node is asked for the code before it signs', async () => {
		const did = await purse();
		assert.match(session.trouble, /Purse is on another chain/);
		assert.equal(await send('Resign', CALL), LANDED);
		assert.deepEqual(did, ['useChain', 'eth_getCode', 'eth_gasPrice', 'send']);
		assert.equal(session.trouble, '');
	});

	test('signs nothing for a contract of the host’s own', async () => {
		// What was asked once is not asked again: another address.
		useContracts({ games: `0x${'66'.repeat(20)}` });
		const did = await purse({ code: `${CODE}00` });
		await assert.rejects(send('Resign', CALL), /has other code.*nothing was signed/);
		assert.deepEqual(did, ['useChain', 'eth_getCode']);
	});
});

describe('a call that the host does not try', () => {
	const refused = () => new Error('the contract has refused it');
	/** What its node was asked. @type {any[]} */
	const calls = [];
	/** @param {any} call */
	const estimates = (call) => {
		calls.push(call);
		return '0x1f';
	};
	beforeEach(() => calls.splice(0));

	test('is tried by the wallet’s own node, and signed', async () => {
		// A host that lies, and one that does not know what it is asked.
		for (const answer of [refused, () => 404]) {
			host['/api/prepare'] = answer;
			await purse({ estimates });
			assert.equal(await send('Resign', CALL), LANDED);
			leave();
		}
		const call = { from: ACCOUNT, to: GAMES, value: '0x0', data: CALL.input };
		assert.deepEqual(calls, [call, call]);
		// 31 units of gas at a price of 100,000,000, which is one unit of the token.
		const own = { ...PREPARED, fee: '31', gas: '31' };
		assert.deepEqual(sent, [own, own]);
	});

	test('is not signed if its node refuses it, too, and the host’s words are told', async () => {
		host['/api/prepare'] = refused;
		const did = await purse({ estimates: () => new Error('execution reverted') });
		await assert.rejects(send('Resign', CALL), /the contract has refused it/);
		assert.ok(!did.includes('send'));
	});

	test('is not signed by a wallet without a node', async () => {
		host['/api/prepare'] = refused;
		useContracts({ games: GAMES }, { prove: async () => 'proven' });
		const did = await purse({ hasNode: false });
		await assert.rejects(send('Resign', CALL), /the contract has refused it/);
		assert.ok(!did.includes('send'));
	});
});

test('a node that a host has named to the wallet shows nothing of the host’s contract', async () => {
	/** @type {(boolean | undefined)[]} */
	const asked = [];
	showTo({
		show: () => {},
		agreed: async ({ isUnknown }) => {
			asked.push(isUnknown);
			return false;
		},
	});
	useContracts({ games: `0x${'67'.repeat(20)}` });
	host['/api/prepare'] = () => ({ ...PREPARED, to: `0x${'67'.repeat(20)}` });
	isGiven = true;
	const did = await purse();
	await assert.rejects(send('Resign', CALL), /Nothing was paid or signed/);
	assert.deepEqual(asked, [true]);
	assert.ok(!did.includes('send'));
	// One of its own has the code.
	isGiven = false;
	assert.equal(await send('Resign', CALL), LANDED);
});

test('a contract that was accepted on one chain is not on another', async () => {
	const to = `0x${'68'.repeat(20)}`;
	let questions = 0;
	showTo({
		show: () => {},
		agreed: async () => {
			questions += 1;
			return true;
		},
	});
	useContracts({ games: to }, { prove: async () => 'unknown' });
	host['/api/prepare'] = () => ({ ...PREPARED, to });
	isGiven = true;
	const sends = async () => {
		await purse();
		assert.equal(await send('Resign', CALL), LANDED);
		leave();
		return questions;
	};
	assert.deepEqual([await sends(), await sends()], [1, 1]);
	// A host of another chain names a contract of its own at the same address.
	session.chain = { ...CHAIN, genesis: `0x${'06'.repeat(32)}` };
	assert.equal(await sends(), 2);
});

describe('a stake is paid', () => {
	const STAKES = `0x${'55'.repeat(20)}`;
	const code = `0x${readFileSync('artifacts/connect4_stakes.polkavm').toString('hex')}`;
	const FUND = { contract: 'stakes', message: 'fund', input: '0x01020304' };
	const pay = () => send('Pay the stake', FUND, { payment: 5n, to: STAKES });
	/** What a contract of the stakes says of itself. @param {{ id?: number, genesis?: string, stakes?: string }} [of] */
	const domainOf = ({ id = 7, genesis = CHAIN.genesis, stakes = STAKES } = {}) =>
		`0x0000${id.toString(16).padStart(2, '0')}${'00'.repeat(7)}${genesis.slice(2)}01${stakes.slice(2)}`;
	/** What the player was asked about. @type {(boolean | undefined)[]} */
	const unknown = [];
	beforeEach(() => {
		unknown.length = 0;
		showTo({
			show: () => {},
			agreed: async ({ isUnknown }) => {
				unknown.push(isUnknown);
				return true;
			},
		});
		useContracts({ stakes: STAKES }, { prove: async () => 'proven' });
		host['/api/prepare'] = ({ payment }) => ({ ...PREPARED, to: STAKES, payment });
	});

	test('to no contract but that of this chain, as a node of the player’s choice has it', async () => {
		for (const domain of [
			domainOf({ id: 8 }),
			domainOf({ genesis: `0x${'02'.repeat(32)}` }),
			domainOf({ stakes: GAMES }),
		]) {
			const did = await purse({ code, domain });
			await assert.rejects(pay(), /another chain for games with a stake.*nothing was signed/);
			assert.ok(!did.includes('send'));
			leave();
		}
		const did = await purse({ code, domain: domainOf() });
		assert.equal(await pay(), LANDED);
		assert.ok(did.includes('send'));
		assert.deepEqual(unknown, [false]);
	});

	test('to no contract whose chain its node does not tell', async () => {
		session.chain = { ...CHAIN, genesis: `0x${'05'.repeat(32)}` };
		const did = await purse({ code, domain: null });
		await assert.rejects(pay(), /did not answer: nothing was signed/);
		assert.ok(!did.includes('send'));
	});

	test('to nothing that the host puts in the place of what was looked at', async () => {
		/** What a host that greets anew names. @type {[() => void, RegExp][]} */
		const swaps = [
			[() => (session.chain = { ...CHAIN, genesis: `0x${'09'.repeat(32)}` }), /another chain/],
			[() => (session.chain = { ...CHAIN, chainId: 8 }), /another chain/],
			[() => useContracts({ stakes: GAMES }, { prove: async () => 'proven' }), /another contract/],
		];
		for (const [swap, why] of swaps) {
			const begin = async () => {
				leave();
				session.chain = CHAIN;
				useContracts({ stakes: STAKES }, { prove: async () => 'proven' });
				return purse({ code, domain: domainOf() });
			};
			// While the call is tried.
			let did = await begin();
			host['/api/prepare'] = ({ payment }) => {
				swap();
				return { ...PREPARED, to: STAKES, payment };
			};
			await assert.rejects(pay(), why);
			assert.ok(!did.includes('send'));
			// While the player is asked.
			did = await begin();
			host['/api/prepare'] = ({ payment }) => ({ ...PREPARED, to: STAKES, payment });
			showTo({
				show: () => {},
				agreed: async () => {
					swap();
					return true;
				},
			});
			await assert.rejects(pay(), why);
			assert.ok(!did.includes('send'));
			showTo({ show: () => {}, agreed: async () => true });
		}
	});

	test('to no contract of which the host does not say who has deployed it, whatever code it has', async () => {
		useContracts({ stakes: STAKES }, { prove: async () => 'unknown' });
		const did = await purse({ code, domain: domainOf() });
		await assert.rejects(pay(), /does not say who has deployed.*nothing was signed/);
		assert.ok(!did.includes('send'));
	});

	test('to no contract that is elsewhere than the code and the chain say', async () => {
		useContracts({ stakes: STAKES }, { prove: async () => 'wrong' });
		session.chain = { ...CHAIN, genesis: `0x${'04'.repeat(32)}` };
		const did = await purse({ hasNode: false });
		await assert.rejects(pay(), /not where it says that they were deployed/);
		assert.ok(!did.includes('send'));
	});

	test('without a node where the address proves the contract and the wallet the number of the chain', async () => {
		useContracts({ stakes: STAKES }, { prove: async () => 'proven' });
		session.chain = { ...CHAIN, genesis: `0x${'03'.repeat(32)}` };
		const did = await purse({ hasNode: false });
		assert.equal(await pay(), LANDED);
		assert.ok(did.includes('send'));
		assert.deepEqual(unknown, [false]);
	});

	test('for no other number than that of a chain that the page knows', async () => {
		const [known] = CHAINS;
		useContracts({ stakes: STAKES }, { prove: async () => 'proven' });
		session.chain = { ...CHAIN, genesis: known?.genesis ?? '', chainId: 7 };
		const did = await purse({ hasNode: false });
		await assert.rejects(pay(), /another chain for games with a stake.*nothing was signed/);
		assert.ok(!did.includes('send'));
	});
});

test('nothing is signed by the host’s word while the node that was named does not fit', async (t) => {
	let id = '0x7';
	const server = createServer(async (request, answer) => {
		let text = '';
		for await (const part of request) text += part;
		const { id: of, method } = JSON.parse(text);
		const result = method === 'eth_chainId' ? id : CODE;
		answer.end(JSON.stringify({ jsonrpc: '2.0', id: of, result }));
	});
	await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)));
	t.after(() => {
		server.closeAllConnections();
		server.close();
	});
	const { port } = /** @type {any} */ (server.address());
	const on = { name: 'Here', chainId: 7, contracts: { games: GAMES } };
	checkOn(on);
	await nameNode(`http://127.0.0.1:${port}`);
	checkOn(null);
	id = '0x8';
	checkOn(on);
	await lookForNode();
	const did = await purse();
	await assert.rejects(send('Resign', CALL), /one of another chain.*Nothing was signed.*remove/);
	assert.deepEqual(did, []);
	forgetNode();
	await send('Resign', CALL);
	assert.ok(did.includes('send'));
});

test('nothing is signed before the player has accepted what a host says of a chain', async () => {
	const why = 'This host names another contract than this browser has used.';
	useContracts({}, { why });
	const did = await purse();
	await assert.rejects(send('Resign', CALL), /names another contract than this browser has used/);
	assert.deepEqual(did, []);
	assert.deepEqual(asked, []);
});

describe('a wallet that does not answer', () => {
	const LONG = 30_000;
	/** The wallet's answers to what it is asked, in order. @type {((_?: unknown) => void)[]} */
	let answers = [];
	/** What is shown, in order. @type {string[]} */
	let steps = [];

	beforeEach(async () => {
		answers = [];
		steps = [];
		showTo({
			show: ({ step, what }) => steps.push(`${what}: ${step}`),
			agreed: async () => true,
		});
		await purse({ signs: () => new Promise((resolve) => answers.push(resolve)) });
		mock.timers.enable({ apis: ['setTimeout'] });
	});
	afterEach(() => mock.timers.reset());

	/** Resolves once the wallet was asked so often. @param {number} times */
	const isAsked = async (times) => {
		for (let turn = 0; answers.length < times; turn += 1) {
			assert.ok(turn < 2_000, `the wallet is asked ${times} times`);
			await new Promise((resolve) => setImmediate(resolve));
		}
	};

	test('holds up nothing else for longer than a while, and is named', async () => {
		const first = send('Bring the moves of a game', CALL);
		await isAsked(1);
		const second = send('Bring the moves of another game', CALL);
		mock.timers.tick(LONG - 1);
		await new Promise((resolve) => setImmediate(resolve));
		assert.equal(answers.length, 1, 'one signature after the other');
		assert.ok(!steps.includes('Bring the moves of a game: silent'));
		mock.timers.tick(1);
		await isAsked(2);
		assert.ok(steps.includes('Bring the moves of a game: silent'));
		answers[1]?.();
		assert.equal(await second, LANDED);
		// What it has not answered is still said.
		assert.equal(steps.at(-1), 'Bring the moves of a game: silent');
		answers[0]?.();
		assert.equal(await first, LANDED);
		assert.equal(steps.at(-1), 'Bring the moves of a game: done');
	});

	test('is asked for no second stake while the first may still be paid', async () => {
		host['/api/prepare'] = ({ payment }) => ({ ...PREPARED, payment, balance: '100' });
		const first = send('Pay the first stake', CALL, { payment: 5n });
		await isAsked(1);
		const again = send('Pay the second stake', CALL, { payment: 5n });
		mock.timers.tick(LONG);
		await assert.rejects(again, /“Pay the first stake” may still be paid.*Nothing more was signed/);
		assert.equal(answers.length, 1);
		const other = send('Bring the moves', CALL);
		await isAsked(2);
		answers[1]?.();
		await other;
		answers[0]?.();
		await first;
		const last = send('Pay the second stake', CALL, { payment: 5n });
		await isAsked(3);
		answers[2]?.();
		assert.equal(await last, LANDED);
	});

	test('is asked after the player, who is asked one thing at a time', async () => {
		/** @type {((agrees: boolean) => void)[]} */
		const questions = [];
		showTo({ show: () => {}, agreed: () => new Promise((resolve) => questions.push(resolve)) });
		useContracts({ games: `0x${'77'.repeat(20)}` });
		await purse({ hasNode: false, signs: () => new Promise((resolve) => answers.push(resolve)) });
		host['/api/prepare'] = () => ({ ...PREPARED, to: `0x${'77'.repeat(20)}` });
		const first = send('Resign', CALL);
		const second = send('Bring the moves', CALL);
		for (const count of [1, 1]) {
			for (let turn = 0; turn < 100; turn += 1) {
				await new Promise((resolve) => setImmediate(resolve));
			}
			assert.equal(questions.length, count);
			mock.timers.tick(LONG);
		}
		questions[0]?.(false);
		await assert.rejects(first, /Nothing was paid or signed/);
		while (questions.length < 2) await new Promise((resolve) => setImmediate(resolve));
		assert.equal(answers.length, 0);
		questions[1]?.(true);
		await isAsked(1);
		answers[0]?.();
		assert.equal(await second, LANDED);
	});

	test('is said of a call that is due, so that it can be asked for again', async () => {
		/** @type {string[]} */
		const said = [];
		send('Bring the moves', CALL, { unanswered: (why) => said.push(why) });
		await isAsked(1);
		mock.timers.tick(LONG);
		assert.deepEqual(said.length, 1);
		assert.match(said[0] ?? '', /^Purse has not answered/);
		const again = send('Bring the moves', CALL);
		await isAsked(2);
		answers[1]?.();
		await again;
		answers[0]?.();
	});
});
