// A chain with a game, an honest host of it, and the wallet's own node: what a page is told before it is changed on
// the way. The shapes are those of a real host.

import { readFileSync } from 'node:fs';

import * as fixtures from '../../state/fixtures.mjs';
import { variant as variantView } from '../../state/variant/fixtures.mjs';
import { CHAIN_ID, moved, reviveCall, table, variantMoved } from '../fakes.mjs';
import { INIT_CODES } from '../init-code.js';
import { ask } from '../wasm.js';

export { CHAIN_ID };
export const GENESIS = `0x${'01'.repeat(32)}`;
export const GAME = '5';
/** A game of a variant in which red has moved, and a table at which a seat is free. */
export const VARIANT = 'v2';
export const TABLE = 'v3';
/** Their terms. */
export const TERMS = {
	shape: { bins: 7, capacity: 6, line: 4 },
	players: 2,
	pop_out: true,
	pie_rule: false,
	powers: { take: 1, clear: 0, float: 0 },
	limit: 60,
};
/** The units of contracts in the token's smallest unit. */
export const RATIO = 10n ** 8n;
export const OPPONENT = `0x${'0b'.repeat(20)}`;
/** The block in which the newest move is. */
const MOVE = { block: 90, hash: `0x${'9a'.repeat(32)}` };
/** That block. */
const LAST = { block: 90, hash: `0x${'90'.repeat(32)}` };
const BEST = 101;
/** What is signed with a call, in the order of the chain. */
export const EXTENSIONS = [
	'CheckNonZeroSender',
	'CheckSpecVersion',
	'CheckTxVersion',
	'CheckGenesis',
	'CheckMortality',
	'CheckNonce',
	'CheckWeight',
	'ChargeTransactionPayment',
	'CheckMetadataHash',
	'EthSetOrigin',
	'WeightReclaim',
];
/** Hash of the chain's metadata. */
const METADATA_HASH = `0x${'3e'.repeat(32)}`;

const DEPLOYER = `0x${'d0'.repeat(20)}`;
/** Addresses of the contracts that an account has deployed. */
export const deployedBy = (deployer) =>
	ask({ deployed: { deployer, ...INIT_CODES, genesis: GENESIS } });
export const CONTRACTS = await deployedBy(DEPLOYER);
const CODES = Object.fromEntries(
	Object.entries({
		games: 'connect4',
		variants: 'connect4_variants',
		stakes: 'connect4_stakes',
	}).map(([kind, name]) => [
		CONTRACTS[kind],
		`0x${readFileSync(new URL(`../../../artifacts/${name}.polkavm`, import.meta.url)).toString('hex')}`,
	]),
);

const number = (of) => `0x${of.toString(16).padStart(8, '0')}`;
const selectorOf = async (request) => (await ask(request)).input.slice(0, 10);
const account = OPPONENT;
const SELECTORS = {
	read_game: await selectorOf({ read: { read_game: { game: GAME } } }),
	make_move: await selectorOf({
		call: { make_move: { game: VARIANT, action: { kind: 'drop', bin: 0 } } },
	}),
	join: await selectorOf({ call: { join: { game: TABLE } } }),
	open_table: await selectorOf({
		call: { open_table: { players: [], variant: TERMS, limit: null } },
	}),
	read_domain: await selectorOf({ read: { read_domain: {} } }),
	start_game: await selectorOf({
		call: {
			start_game: {
				player_one: account,
				player_two: account,
				shape: { bins: 7, capacity: 6, line: 4 },
			},
		},
	}),
	drop_disc: await selectorOf({ call: { drop_disc: { game: GAME, bin: 0 } } }),
};

/** A call of the contract of the stakes, as the module of a signed game makes it. */
export const FUND = { contract: 'stakes', message: 'fund', input: `0x5afe5afe${'07'.repeat(200)}` };
/** For what chain the contract of the stakes takes signatures. */
const DOMAIN = [
	'0x0000', // ink!'s result, and the contract's
	CHAIN_ID.toString(16).match(/../g).reverse().join('').padEnd(16, '0'),
	GENESIS.slice(2),
	`01${CONTRACTS.stakes.slice(2)}`,
].join('');

/** What the world is for a player. */
export function truthFor({ id, address, isEthereum }) {
	const players = [OPPONENT, address];
	/** What is in a block, by its hash: the input of the call. */
	const included = new Map();
	let nonce = 7;

	/** What a contract answers. Games of variants are read by the same message as plain ones, of another contract. */
	function read({ to, data }) {
		switch (data.slice(0, 10)) {
			case SELECTORS.read_game:
				if (to.toLowerCase() !== CONTRACTS.variants) return moved(players);
				return data.endsWith(`0${VARIANT[1]}000000`) ? variantMoved(players) : table(OPPONENT);
			case SELECTORS.read_domain:
				return DOMAIN;
			default:
				return '0x';
		}
	}

	function prepared({ contract, data, payment, answers }) {
		const to = CONTRACTS[contract];
		const known = { to, payment, fee: '61000000', deposit: '20000000', balance: '900000000000' };
		if (isEthereum) return { ...known, gas: '81000', unsigned: null };
		const method = reviveCall({
			contract: to,
			value: BigInt(payment),
			time: 1_900_000_000n,
			proof: 60_000n,
			deposit: 50_000_000n,
			input: data,
		});
		return { ...known, gas: null, unsigned: unsigned(method, answers) };
	}

	/** What a wallet of a Polkadot SDK chain signs. */
	function unsigned(method, answers = null, maps = false) {
		const base = answers ?? { block: BEST - 8, hash: `0x${'93'.repeat(32)}` };
		const phase = base.block % 64;
		const payload = {
			address: id,
			blockHash: base.hash,
			blockNumber: number(base.block),
			era: `0x${(phase % 16).toString(16)}5${(phase >> 4).toString(16).padStart(2, '0')}`,
			genesisHash: GENESIS,
			method,
			mode: 1,
			metadataHash: METADATA_HASH,
			nonce: number(nonce),
			signedExtensions: [...EXTENSIONS],
			specVersion: number(1),
			tip: `0x${'00'.repeat(16)}`,
			transactionVersion: number(1),
			version: 4,
		};
		const tail = `0x${'00'.repeat(4)}${method.slice(2)}`;
		return { maps, payload, head: '0x8400', tail };
	}

	/** What contracts tell of a call. */
	function eventsOf(data = '') {
		const calls = (/** @type {keyof typeof SELECTORS} */ message) =>
			data.includes(SELECTORS[message].slice(2));
		if (calls('start_game')) return [{ event: 'started', game: '6' }];
		if (calls('drop_disc')) return [{ event: 'dropped', row: 0 }];
		if (calls('open_table')) return [{ event: 'table_opened', game: 'v4' }];
		if (calls('join')) return [{ event: 'joined' }];
		if (calls('make_move')) return [{ event: 'moved' }];
		return [];
	}

	function searched(hash) {
		const data = included.get(hash);
		const transaction = { hash, block: BEST, block_hash: GENESIS, index: 1, fee: '1' };
		const known =
			hash === MOVE.hash ? { ...transaction, ...MOVE, block_hash: LAST.hash } : transaction;
		const isThere = data !== undefined || hash === MOVE.hash;
		const found = isThere ? { transaction: known, failure: null, events: eventsOf(data) } : null;
		return { found, next: BEST + 1, best: BEST, last_final: BEST };
	}

	/** What a wallet has passed on by itself. */
	function include(hash, data) {
		included.set(hash, data);
	}

	const host = {
		'/api/hello': () => ({
			...fixtures.hello().hello,
			names: {},
			public: true,
			signing: {
				genesis: GENESIS,
				chain_id: CHAIN_ID,
				wallet_rpc: 'https://rpc.example',
				relay: null,
				...CONTRACTS,
				deployer: DEPLOYER,
				ratio: String(RATIO),
				returns_deposits: true,
			},
		}),
		'/api/holder': () => ({ address, account: id, balance: '900000000000' }),
		'/api/prepare': prepared,
		'/api/submit': async (signed) => {
			const { hash } = await ask({ extrinsic: signed });
			include(hash, signed.tail);
			nonce += 1;
			return { hash, after: BEST - 1 };
		},
		'/api/transactions/': (_, path) => searched(path.split('/').at(-1).split('?')[0]),
	};

	const view = (game, accounts, moves, more) => {
		const last_block = moves ? LAST : null;
		const contract = CONTRACTS.games;
		const known = { game, contract, accounts, payer: accounts[0], last_block };
		const of = fixtures.game(moves, { ...known, ...more });
		return { type: 'game', ...of, moves: of.moves.map(inBlock) };
	};
	const inBlock = (move) => ({ ...move, transaction: { fee: '1', ...move.transaction, ...MOVE } });

	/** A game of a variant, as it stands in the contract. @param {(string | null)[]} accounts */
	const viewOfVariant = (game, accounts, more) => {
		const known = variantView([], {
			contract: CONTRACTS.variants,
			game,
			payer: accounts[0],
			named: false,
			terms: TERMS,
			...more,
		});
		const { powers } = TERMS;
		const seats = accounts.map((account, seat) => {
			const of = known.players[seat];
			return { ...of, account, powers, joined: account !== null, left: null };
		});
		return { type: 'game', ...known, players: seats };
	};
	const variants = {
		[VARIANT]: () =>
			viewOfVariant(VARIANT, players, {
				board: [['red'], [], [], [], [], [], []],
				turns: 1,
				to_move: 'blue',
				deadline: 1_060,
				last_block: LAST,
				moves: [
					inBlock({
						...{ player: 'red', kind: 'drop', bin: 0, row: 0 },
						powers: [TERMS.powers, TERMS.powers],
					}),
				],
			}),
		[TABLE]: () =>
			viewOfVariant(TABLE, [OPPONENT, null], {
				board: [[], [], [], [], [], [], []],
				started: false,
				to_move: null,
			}),
	};
	return {
		/** What the host answers. */
		async answer(path, body) {
			const found = Object.keys(host).find((beginning) => path.startsWith(beginning));
			if (!found) return new Error('there is nothing here');
			return structuredClone(await host[found](body, path));
		},
		/** What the host tells through its sockets. */
		frames: {
			lists: () => ({
				type: 'games',
				games: [],
				counts: { classic: 6, variant: 0 },
				tables: [],
			}),
			game: (game) => variants[game]?.() ?? view(GAME, players, '1', {}),
		},
		/** What the wallet's own node answers. */
		node(method, params = []) {
			const [of] = params;
			switch (method) {
				case 'eth_chainId':
					return `0x${CHAIN_ID.toString(16)}`;
				case 'eth_getCode':
					return CODES[of.toLowerCase()] ?? '0x';
				case 'eth_call':
					return read(of);
				case 'eth_getBlockByNumber':
					return { number: `0x${BEST.toString(16)}` };
				case 'eth_blockNumber':
					return `0x${BEST.toString(16)}`;
				case 'eth_getTransactionCount':
					return '0x7';
				case 'eth_gasPrice':
					return `0x${(1_000n * RATIO).toString(16)}`;
				case 'eth_getTransactionReceipt':
					return included.has(of) ? { blockNumber: '0x65', status: '0x1' } : null;
				case 'eth_getTransactionByHash':
					return included.has(of) ? { nonce: '0x7' } : null;
				default:
					return null;
			}
		},
		include,
		/** What would make an account known to contracts, for the account of this player. */
		mapping: () => unsigned('0x3c07', null, true),
	};
}
