import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { beforeEach, describe, test } from 'node:test';

import './page-fakes.mjs';

import { useContracts } from './contracts.js';
import { reviveCall } from './fakes.mjs';
import { asked, clear, host } from './page-fakes.mjs';
import { checkPrepared } from './prepared.js';
import { send, showTo } from './send.js';
import { connect, leave, session } from './session.js';
import { findSubstrate } from './substrate.js';

const GAMES = `0x${'bb'.repeat(20)}`;
const GENESIS = `0x${'01'.repeat(32)}`;
const ALICE = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
const CALL = { contract: 'games', message: 'resign', input: '0x01020304' };
const HASH = `0x${'ab'.repeat(32)}`;
/** Names of what is signed with a call, in their order. */
const EXTENSIONS = [
	'CheckNonZeroSender',
	'CheckSpecVersion',
	'CheckTxVersion',
	'CheckGenesis',
	'CheckMortality',
	'CheckNonce',
	'CheckWeight',
	'ChargeTransactionPayment',
];

/** `Revive.call` of the page's message. @param {Partial<Parameters<typeof reviveCall>[0]>} [change] */
const method = (change) => reviveCall({ contract: GAMES, input: CALL.input, ...change });

/**
 * What an honest host prepares, with a change.
 * @param {{ call?: string, maps?: boolean, payload?: object, fee?: string, deposit?: string }} [change]
 * @returns {any}
 */
function prepared({ call = method(), maps = false, payload, ...rest } = {}) {
	return {
		to: GAMES,
		payment: '0',
		fee: '1000',
		deposit: '0',
		balance: '100000',
		gas: null,
		...rest,
		unsigned: {
			maps,
			head: '0x8400',
			tail: `0x00${call.slice(2)}`,
			payload: {
				address: ALICE,
				blockHash: `0x${'02'.repeat(32)}`,
				// Phase 37 of 64.
				blockNumber: '0x00000065',
				era: '0x5502',
				genesisHash: GENESIS,
				method: call,
				mode: 0,
				metadataHash: null,
				nonce: '0x00000007',
				signedExtensions: EXTENSIONS,
				specVersion: '0x00000001',
				tip: `0x${'00'.repeat(16)}`,
				transactionVersion: '0x00000001',
				version: 4,
				...payload,
			},
		},
	};
}

/** What the wallet was asked to sign. @type {any[]} */
let signed = [];
/** What the player was asked to agree to. @type {import('./send.js').Stage[]} */
let agreements = [];
/** Whether the player agrees. */
let agrees = true;
showTo({
	show: () => {},
	agreed: async (stage) => {
		agreements.push(stage);
		return agrees;
	},
});

beforeEach(async () => {
	leave();
	clear();
	asked.length = 0;
	signed = [];
	agreements = [];
	agrees = true;
	session.chain = /** @type {any} */ ({
		genesis: GENESIS,
		chainId: 7,
		ratio: 1n,
	});
	useContracts({ games: GAMES }, { prove: async () => 'proven' });
	const accounts = { get: async () => [{ address: ALICE }] };
	const signer = {
		signPayload: async (/** @type {object} */ payload) => {
			signed.push(payload);
			return { signature: '0x01' };
		},
	};
	Object.assign(globalThis.window, {
		injectedWeb3: { talisman: { enable: async () => ({ accounts, signer }) } },
	});
	/** @type {import('./types.d.ts').Wallet[]} */
	const found = [];
	findSubstrate((wallet) => found.push(wallet));
	await connect(/** @type {import('./types.d.ts').Wallet} */ (found[0]));
	host['/api/submit'] = () => ({ hash: HASH, after: 100 });
});

/** @param {Parameters<typeof prepared>[0]} [change] */
const check = (change) => checkPrepared(prepared(change), CALL, 0n);

describe('what a Polkadot wallet signs', () => {
	test('is a call of contracts by its number, too, and no other call of its shape', async () => {
		await check();
		for (const index of ['3c00', '3c02', '3c06']) {
			await assert.rejects(check({ call: method({ index }) }), /another call/);
		}
		await check({ call: '0x3c07', maps: true });
		for (const call of ['0x3c06', '0x0603', '0x3c08']) {
			await assert.rejects(check({ call, maps: true }), /another call/);
		}
		await assert.rejects(check({ call: method(), maps: true }), /another call/);
		await assert.rejects(check({ call: '0x3c07' }), /another call/);
	});

	test('takes no more than a call of the game does, and a high deposit is asked about', async () => {
		assert.equal((await check()).depositLimit, null);
		await assert.rejects(check({ call: method({ time: 10n ** 12n }) }), /more than the call takes/);
		await assert.rejects(
			check({ call: method({ proof: 5_000_000n }) }),
			/more than the call takes/,
		);
		const high = method({ deposit: 50_000n });
		assert.equal((await check({ call: high })).depositLimit, 50_000n);
		assert.equal((await check({ call: high, deposit: '10000' })).depositLimit, null);
		assert.equal((await check({ call: high, deposit: '-10000' })).depositLimit, 50_000n);
		host['/api/prepare'] = () => prepared({ call: high });
		agrees = false;
		await assert.rejects(send('Resign', CALL), /Nothing was paid or signed/);
		assert.deepEqual([agreements[0]?.depositLimit, signed], [50_000n, []]);
	});

	test('is valid for 64 blocks, of which the block is the first', async () => {
		const eras = [
			'0x00',
			'0x0000',
			'0x',
			'0x0001',
			'0xf502',
			'0x4502',
			'0x5503',
			'0x550200',
			'0x5512',
		];
		for (const era of eras) {
			await assert.rejects(check({ payload: { era } }), /valid for ever/, era);
		}
		await check({ payload: { era: '0x0500', blockNumber: '0x40' } });
		await check({ payload: { era: '0xf503', blockNumber: '0x7f' } });
	});

	test('is based on the block of the move that it answers, or on a later one if that is old', async () => {
		const block_hash = `0x${'02'.repeat(32)}`;
		const on = (/** @type {number} */ block, hash = block_hash) =>
			checkPrepared(prepared(), CALL, 0n, { block, hash });
		await on(101);
		await on(40, `0x${'03'.repeat(32)}`);
		await assert.rejects(on(101, `0x${'03'.repeat(32)}`), /without the move that you answer/);
		await assert.rejects(on(102), /without the move that you answer/);
		host['/api/prepare'] = () => prepared();
		host['/api/transactions/'] = landed;
		const answers = { block: 101, hash: block_hash };
		await send('Drop a disc', CALL, { answers });
		const { body } = asked.find(({ path }) => path === '/api/prepare') ?? {};
		assert.deepEqual(body.answers, answers);
		await assert.rejects(
			send('Drop a disc', CALL, { answers: { ...answers, block: 102 } }),
			/without the move that you answer/,
		);
		assert.equal(signed.length, 1);
	});

	test('makes the account known to contracts once', async () => {
		host['/api/prepare'] = () => prepared({ call: '0x3c07', maps: true });
		host['/api/transactions/'] = landed;
		await assert.rejects(send('Resign', CALL), /again what you have signed/);
		assert.equal(signed.length, 1);
	});

	test('makes the account known before a stake is agreed to, and is not shown as the payment', async () => {
		// Of this contract nothing is known, so that the player is asked about it, too.
		const to = `0x${'dd'.repeat(20)}`;
		useContracts({ games: to });
		session.chain = /** @type {any} */ ({ ...session.chain, symbol: 'DOT', decimals: 2 });
		host['/api/transactions/'] = landed;
		const call = method({ contract: to, value: 500n });
		host['/api/prepare'] = () => ({
			...(signed.length ? prepared({ call }) : prepared({ call: '0x3c07', maps: true })),
			payment: '500',
			to,
		});
		/** @type {[string, string][]} */
		const facts = [['Opponent', 'Bob']];
		await send('Pay', CALL, { payment: 500n, facts });
		assert.deepEqual(
			signed.map((payload) => payload.method),
			['0x3c07', call],
		);
		assert.deepEqual(
			agreements.map(({ maps, payment, isUnknown, facts }) => [maps, payment, isUnknown, facts]),
			[[false, 500n, true, facts]],
		);
	});

	test('is agreed to where there are facts, also if nothing is paid', async () => {
		host['/api/prepare'] = () => prepared();
		agrees = false;
		const facts = /** @type {[string, string][]} */ ([['Stake', '1 DOT']]);
		await assert.rejects(send('Pay', CALL, { facts }), /Nothing was paid or signed/);
		assert.deepEqual([signed.length, agreements.length], [0, 1]);
	});

	test('is for the contract that was agreed on, whatever the host names meanwhile', async () => {
		host['/api/prepare'] = () => prepared();
		const to = `0x${'cc'.repeat(20)}`;
		await assert.rejects(send('Pay', CALL, { to }), /another contract/);
		assert.deepEqual([signed.length, agreements.length], [0, 0]);
	});

	test('begins with its era and its number, whatever the host calls its extensions', async () => {
		const names = EXTENSIONS;
		const of = (/** @type {string[]} */ ...signedExtensions) =>
			check({ payload: { signedExtensions } });
		await of(...names);
		await of('AuthorizeCall', ...names, 'CheckMetadataHash', 'StorageWeightReclaim');
		// By these the era would be read as a number, and the transaction be valid for ever.
		await assert.rejects(of('CheckMetadataHash', ...names), /in another form/);
		await assert.rejects(of(...names, 'CheckNonce'), /in another form/);
		await assert.rejects(of('ChargeAssetTxPayment', ...names), /in another form/);
		// A wallet would sign no tip, and other bytes than the chain reads.
		const tip = 'ChargeTransactionPayment';
		const renamed = (/** @type {string} */ to) => names.map((name) => (name === tip ? to : name));
		await of(...renamed('ChargeAssetTxPayment'));
		await assert.rejects(of(...renamed(`${tip}0`)), /in another form/);
		await assert.rejects(of(...names, 'ChargeAssetTxPayment'), /in another form/);
		for (const left of names.slice(0, 6)) {
			const others = names.filter((name) => name !== left);
			if (left === 'CheckNonZeroSender') {
				await of(...others);
				continue;
			}
			await assert.rejects(of(...others), /in another form/, left);
			await assert.rejects(of(...others, left), /in another form/, left);
		}
	});

	test('names the account as the wallet does', async () => {
		const onPolkadot = '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5';
		const { prepared: clean } = await check({ payload: { address: onPolkadot } });
		assert.equal(clean.unsigned?.payload.address, ALICE);
		const bob = '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty';
		await assert.rejects(check({ payload: { address: bob } }), /another account/);
	});

	test('has the hash of the metadata where the chain compares it', async () => {
		const metadataHash = `0x${'03'.repeat(32)}`;
		const signedExtensions = [...EXTENSIONS, 'CheckMetadataHash'];
		const hashed = { metadataHash, mode: 1, signedExtensions };
		const { prepared: clean } = await check({ payload: hashed });
		assert.deepEqual(clean.unsigned?.payload, prepared({ payload: hashed }).unsigned.payload);
		for (const bad of ['0x03', `0x${'03'.repeat(33)}`, undefined, 3]) {
			const payload = { ...hashed, metadataHash: bad };
			await assert.rejects(check({ payload }), /nothing was signed/, String(bad));
		}
		const unasked = await check({ payload: { ...hashed, mode: 0 } });
		assert.equal(unasked.prepared.unsigned?.payload.metadataHash, null);
	});

	test('has nothing in it that the page has not put there', async () => {
		const extra = { assetId: '0x01', metadataHash: `0x${'03'.repeat(32)}`, mode: 1, version: 5 };
		const { prepared: clean } = await check({
			payload: { ...extra, withSignedTransaction: true },
		});
		assert.deepEqual(clean.unsigned?.payload, prepared().unsigned.payload);
		const bad = [
			{ method: `${method()}0` },
			{ blockHash: '0x0' },
			{ nonce: 7 },
			{ specVersion: '1' },
			{ signedExtensions: [{}] },
		];
		for (const payload of bad) {
			await assert.rejects(check({ payload }), /nothing was signed/);
		}
	});
});

/** A host of which no block has the transaction in its time. */
const lost = () => ({ found: null, next: 200, best: 200, last_final: 199 });
const landed = () => ({
	found: { transaction: { block: 101, hash: HASH }, failure: null, events: [] },
	next: 102,
	best: 102,
	last_final: 102,
});

describe('a signature of which it is not known what became of it', () => {
	test('is remembered, and one with another number is signed only if the player agrees to both', async () => {
		host['/api/prepare'] = () => prepared();
		host['/api/transactions/'] = lost;
		await assert.rejects(send('Resign in game 1', CALL), /look at the board, then try again/);
		assert.equal(signed.length, 1);
		// With the same number only one of the two can happen.
		await assert.rejects(send('Resign in game 1', CALL), /look at the board/);
		assert.deepEqual([signed.length, agreements], [2, []]);

		host['/api/prepare'] = () => prepared({ payload: { nonce: '0x00000008' } });
		agrees = false;
		await assert.rejects(send('Resign in game 1', CALL), /Nothing was paid or signed/);
		assert.equal(signed.length, 2);
		const [{ others = [] } = {}] = agreements;
		assert.deepEqual(
			others.map(({ what, nonce }) => [what, nonce]),
			[['Resign in game 1', 7]],
		);
	});

	test('is remembered also if the host never answered', async () => {
		host['/api/prepare'] = () => prepared();
		host['/api/submit'] = () => new Error('it is away');
		host['/api/transactions/'] = lost;
		await assert.rejects(send('Resign', CALL), /it is away/);
		host['/api/prepare'] = () => prepared({ payload: { nonce: '0x00000008' } });
		agrees = false;
		await assert.rejects(send('Resign', CALL), /Nothing was paid or signed/);
		assert.equal(agreements[0]?.others?.length, 1);
	});

	test('is forgotten once it is in a block, and the player is told if that is found later', async () => {
		host['/api/prepare'] = () => prepared();
		host['/api/transactions/'] = landed;
		await send('Resign', CALL);
		host['/api/prepare'] = () => prepared({ payload: { nonce: '0x00000008' } });
		host['/api/transactions/'] = lost;
		await assert.rejects(send('Resign', CALL), /look at the board/);
		host['/api/prepare'] = () => prepared({ payload: { nonce: '0x00000009' } });
		host['/api/transactions/'] = landed;
		// The player thinks that it has not happened.
		await assert.rejects(send('Resign', CALL), /is in a block after all.*nothing was signed now/);
		assert.equal(signed.length, 2);
		await send('Resign', CALL);
		assert.deepEqual(agreements, []);
	});

	test('is remembered also if the host says that it is in a block and did nothing', async () => {
		host['/api/prepare'] = () => prepared();
		const { found, ...blocks } = landed();
		host['/api/transactions/'] = () => ({ found: { ...found, failure: 'no' }, ...blocks });
		await assert.rejects(send('Resign', CALL), /The chain did not do it/);
		host['/api/transactions/'] = landed;
		host['/api/prepare'] = () => prepared({ payload: { nonce: '0x00000008' } });
		agrees = false;
		await assert.rejects(send('Resign', CALL), /Nothing was paid or signed/);
		assert.deepEqual(
			agreements[0]?.others?.map(({ hasFailed }) => hasFailed),
			[true],
		);
		agrees = true;
		await send('Resign', CALL);
		// One with a higher number is in a block now.
		host['/api/prepare'] = () => prepared({ payload: { nonce: '0x00000009' } });
		await send('Resign', CALL);
		assert.deepEqual([agreements.length, signed.length], [2, 3]);
	});

	test('is not one of what the player refused to sign', async () => {
		host['/api/prepare'] = () => prepared({ call: method({ index: '3c02' }) });
		await assert.rejects(send('Resign', CALL), /another call/);
		host['/api/prepare'] = () => prepared({ payload: { nonce: '0x00000008' } });
		host['/api/transactions/'] = landed;
		await send('Resign', CALL);
		assert.deepEqual(agreements, []);
	});
});

test('a call of another pallet than before is not signed, unless the runtime is another one', async () => {
	host['/api/prepare'] = () => prepared();
	host['/api/transactions/'] = landed;
	await send('Resign', CALL);
	const other = { call: method({ index: '1a01' }) };
	await assert.rejects(check(other), /another part of the chain/);
	await assert.rejects(check({ call: '0x1a07', maps: true }), /another part of the chain/);
	// What a host says of one runtime changes nothing of another one.
	const next = { specVersion: '0x00000002', nonce: '0x00000008' };
	host['/api/prepare'] = () => prepared({ ...other, payload: next });
	await send('Resign', CALL);
	await assert.rejects(check(other), /another part of the chain/);
	await check();
});

test('a contract of which nothing shows that it is that of the game is signed for with the player’s word', async () => {
	host['/api/prepare'] = () => prepared();
	host['/api/transactions/'] = landed;
	host['/api/prepare'] = () => prepared();
	useContracts({ games: GAMES });
	agrees = false;
	await assert.rejects(send('Resign', CALL), /Nothing was paid or signed/);
	assert.deepEqual([agreements.at(-1)?.isUnknown, signed], [true, []]);
	agrees = true;
	await send('Resign', CALL);
	host['/api/prepare'] = () => prepared({ payload: { nonce: '0x00000008' } });
	await send('Resign', CALL);
	assert.equal(agreements.length, 2, 'it is asked once');
});

test('a wallet of Ethereum signs what the page has put together, whatever else the host prepares', async () => {
	const address = `0x${'0a'.repeat(20)}`;
	let sends = 0;
	leave();
	await connect(
		/** @type {any} */ ({
			kind: 'ethereum',
			id: 'purse.example',
			name: 'Purse',
			connect: async () => [{ id: address, name: null }],
			listen: () => {},
			leave: () => {},
			isOn: async () => true,
			useChain: async () => {},
			node: null,
			send: async () => {
				sends += 1;
				return { hash: HASH };
			},
			follow: async () => ({ hash: HASH, block: 9, failed: false }),
		}),
	);
	// What maps an account is shown as that, and not as the stake that the wallet would pay.
	for (const maps of [true, false]) {
		const call = maps ? '0x3c07' : method({ value: 500n });
		const more = prepared({ call, maps, payload: { address } });
		host['/api/prepare'] = () => ({ ...more, payment: '500', gas: null });
		await assert.rejects(send('Pay', CALL, { payment: 500n }), /another kind of transaction/);
	}
	assert.deepEqual([sends, agreements], [0, []]);
});

test('a wallet of Ethereum is given no more gas than the fee that is shown comes to', async () => {
	/** @type {string | null} */
	let price = '0x64';
	session.wallet = /** @type {any} */ ({
		kind: 'ethereum',
		node: async () => price,
		leave: () => {},
	});
	const { unsigned: _, ...known } = prepared({ fee: '900', deposit: '100' });
	const gasOf = async (/** @type {string} */ gas) =>
		(await checkPrepared({ ...known, gas, unsigned: null }, CALL, 0n)).prepared.gas;
	assert.equal(await gasOf('10'), '10');
	assert.equal(await gasOf('20'), '20');
	await assert.rejects(gasOf('21'), /more gas than the fee/);
	await assert.rejects(gasOf('-1'), /more gas than the fee/);
	// What can't be compared is left to the wallet.
	price = null;
	assert.equal(await gasOf('21'), null);
});

describe('a stake that a Polkadot wallet has signed', () => {
	const STAKE = { payment: 500n };
	const stakes = (/** @type {string} */ nonce) => {
		host['/api/prepare'] = ({ payment }) => ({
			...prepared({ call: method({ value: BigInt(payment) }), payload: { nonce } }),
			payment,
		});
	};
	/** No block has it, and its time is not over. */
	const pending = () => ({ found: null, next: 110, best: 109, last_final: 100 });

	test('is the only one while a block may take it, unless only one of two can happen', async () => {
		session.chain = /** @type {any} */ ({ ...session.chain, symbol: 'DOT', decimals: 2 });
		host['/api/submit'] = () => new Error('it is away');
		host['/api/transactions/'] = pending;
		stakes('0x00000007');
		await assert.rejects(send('Pay the first stake', CALL, STAKE), /it is away/);
		stakes('0x00000008');
		await assert.rejects(
			send('Pay the second stake', CALL, STAKE),
			/“Pay the first stake” \(5 DOT\) may still be paid.*or until its time is over/,
		);
		assert.equal(signed.length, 1);
		// With the same number only one of the two can happen.
		stakes('0x00000007');
		await assert.rejects(send('Pay the first stake', CALL, STAKE), /it is away/);
		assert.equal(signed.length, 2);
		// By the host's word alone: the player is asked, who may know it from elsewhere.
		host['/api/transactions/'] = lost;
		stakes('0x00000008');
		agrees = false;
		await assert.rejects(send('Pay the second stake', CALL, STAKE), /Nothing was paid or signed/);
		assert.equal(agreements.at(-1)?.others?.length, 1);
	});

	test('counts again if a fork has taken it back, until its block is final', async () => {
		session.chain = /** @type {any} */ ({ ...session.chain, symbol: 'DOT', decimals: 2 });
		host['/api/transactions/'] = () => ({ ...landed(), last_final: 100 });
		stakes('0x00000007');
		await send('Pay the first stake', CALL, STAKE);
		// A fork takes back both.
		stakes('0x00000008');
		await send('Resign', CALL);
		stakes('0x00000009');
		host['/api/transactions/'] = pending;
		await assert.rejects(
			send('Pay the second stake', CALL, STAKE),
			/“Pay the first stake”.*may still be paid/,
		);
		host['/api/transactions/'] = landed;
		await send('Pay the second stake', CALL, STAKE);
		assert.deepEqual([signed.length, agreements.flatMap(({ others }) => others)], [3, []]);
	});

	test('is in a final block when a node of the player’s own has its number there', async () => {
		const code = readFileSync('artifacts/connect4.polkavm').toString('hex');
		session.chain = /** @type {any} */ ({ ...session.chain, symbol: 'DOT', decimals: 2 });
		let [latest, finalized] = ['0x8', '0x7'];
		const node = async (/** @type {string} */ method, /** @type {any[]} */ [, at]) => {
			if (method === 'eth_getCode') return `0x${code}`;
			return at === 'finalized' ? finalized : latest;
		};
		session.wallet = /** @type {any} */ ({ ...session.wallet, node });
		host['/api/transactions/'] = landed;
		stakes('0x00000007');
		await send('Pay the first stake', CALL, STAKE);
		stakes('0x00000008');
		await send('Pay the second stake', CALL, STAKE);
		// A fork takes back both, whatever the host says.
		latest = '0x7';
		stakes('0x00000009');
		await assert.rejects(
			send('Pay the third stake', CALL, STAKE),
			/“Pay the first stake”.*may still be paid/,
		);
		[latest, finalized] = ['0x9', '0x9'];
		await send('Pay the third stake', CALL, STAKE);
		assert.equal(signed.length, 3);
	});
});
