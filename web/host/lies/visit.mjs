// A visit of the page: a browser, a wallet, a host that lies, and a player who tries to play.

import { Locks } from '../fakes.mjs';
import { ask } from '../wasm.js';
import { Database, Page, Storage } from './browser.mjs';
import { Dice, Liar } from './liar.mjs';
import { Oracle } from './oracle.mjs';
import {
	CHAIN_ID,
	CONTRACTS,
	FUND,
	GAME,
	GENESIS,
	RATIO,
	TABLE,
	TERMS,
	truthFor,
	VARIANT,
} from './truth.mjs';
import { ethereumWallet, substrateWallet } from './wallets.mjs';

const SHAPE = { bins: 7, capacity: 6, line: 4 };
/** A new game of two on that board. @param {string[]} accounts */
const classic = (...accounts) => {
	const powers = { take: 0, clear: 0, float: 0 };
	const rules = { players: 2, pop_out: false, pie_rule: false, powers, limit: null };
	const seats = accounts.map((account) => ({ account, level: null }));
	return { kind: 'classic', terms: { shape: SHAPE, ...rules }, seats };
};
const ALICE = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
const FRIEND = `0x${'0f'.repeat(20)}`;
/** Timers after which a host says the truth again, the player stops waiting, and the page is closed. */
const TRUTH = 60;
const STOP = 150;
const CLOSE = 400;

let visits = 0;

/** Lets what is under way go on, or so much more until something is there. */
async function rest(isThere = () => true) {
	for (let turn = 0; turn < 12 || (turn < 2_000 && !isThere()); turn += 1) {
		await new Promise(setImmediate);
	}
}

/**
 * Plays once.
 * @param {{ seed: number, rate?: number, plant?: object | null }} of `rate` is how often the host lies, `plant`
 * what stands in the page in place of something
 * @returns what was told and signed, and what of it is wrong
 */
export async function visit({ seed, rate, plant = null }) {
	visits += 1;
	const dice = new Dice().from(`${seed}`);
	const liar = new Liar(seed, rate ?? dice.one([0.05, 0.15, 0.3, 0.5]));
	const isEthereum = dice.roll() < 0.5;
	const isReturning = dice.roll() < 0.7;
	/** Whether the wallet has its node from the host. */
	const isGiven = isEthereum && dice.roll() < 0.3;
	// Of a chain that is seen first, all is believed that fits together.
	liar.insists = !isReturning && rate === undefined && dice.roll() < 0.5;
	const id = isEthereum ? `0x${'ac'.repeat(20)}` : ALICE;
	const { address } = await ask({ account: id });
	const truth = truthFor({ id, address, isEthereum });
	liar.mapping = truth.mapping;

	// A disk that is full at times, data that is deleted meanwhile. What a host can fill is evicted as well.
	const disk = new Dice().from(`disk ${seed}`);
	const isUnkind = rate === undefined && disk.roll() < 0.3;
	const often = isUnkind ? disk.one([0.02, 0.1, 0.5]) : 0;
	const storage = new Storage({ refuses: () => disk.roll() < often });
	const database = new Database({ refuses: () => disk.roll() < often });
	const guarded = (name) => database.records.get(`guard ${name}`)?.value;
	/** Whether it has what an earlier page has kept. */
	const isEarlier = !isUnkind && seed % 2 === 1;
	const keep = (name, value) => {
		if (isEarlier) storage.setItem(`connect4-${name}`, JSON.stringify(value));
		else database.records.set(`guard ${name}`, { key: `guard ${name}`, value });
	};
	if (isReturning) {
		const facts = { decimals: 10, symbol: 'DOT', ratio: String(RATIO), ...CONTRACTS };
		keep('chains', [{ genesis: GENESIS, chainId: CHAIN_ID, ...facts }]);
		// As earlier pages kept it, and as it is kept now.
		if (isEarlier) keep('pallets', { [GENESIS]: { version: 1, pallet: 0x3c } });
		else keep('pallets', { [`${GENESIS} 1`]: 0x3c });
	}
	if (isGiven) keep('given-nodes', { [`purse.example ${CHAIN_ID}`]: 'https://rpc.example' });

	/** What the page says of the transaction that is signed. */
	let stage = null;
	const oracle = new Oracle({
		id,
		address,
		isReturning,
		isGiven,
		shown: () => stage ?? {},
		pins: () => guarded('chains') ?? [],
		kept: () => guarded('signed') ?? [],
	});
	const page = new Page({
		dice,
		storage,
		database,
		locks: new Locks(),
		fetch: async (path, body) => {
			if (path === '/api/prepare') oracle.base = body.answers;
			if (path === '/api/submit') await oracle.passesOn(body);
			const said = await liar.of(path, await truth.answer(path, body));
			if (path.startsWith('/api/transactions/')) oracle.isTold(path, said);
			return said;
		},
		socket: (socket, url) => connect(socket, url),
	});

	function connect(socket, url) {
		const live = /\/api\/live(?:\?game=(.*))?$/.exec(url);
		setTimeout(async () => {
			socket.readyState = 1;
			if (!live) return;
			socket.onopen?.();
			await tell(socket, live[1]);
		});
	}

	async function tell(socket, game) {
		const frame = game === undefined ? 'lists' : 'game';
		const said = await liar.of(`a frame of ${frame}`, truth.frames[frame](game));
		try {
			socket.onmessage?.({ data: JSON.stringify(said) });
		} catch {
			// A browser writes it into its log.
		}
	}

	const signs = async (asked) => oracle.look(asked);
	const node = async (method, params) => {
		const said = truth.node(method, params);
		if (!isGiven) return said;
		return (await liar.of(`the node's ${method}`, { said })).said;
	};
	if (isEthereum) ethereumWallet({ page, address, truth, node, dice, signs });
	else substrateWallet({ page, id, signs });

	const query = new URLSearchParams({
		visit: String(visits),
		...(plant ? { plant: JSON.stringify(plant) } : {}),
	});
	const module = (path) => import(new URL(`../../${path}?${query}`, import.meta.url).href);
	const { choosePlayer, player } = await module('player.js');
	// Once all is loaded: how long that takes is nothing that happens in a visit.
	const host = await module('host/main.js');
	for (const late of [
		'host/read.js',
		'host/sheet.js',
		'host/open-stakes.js',
		'program/wallet.js',
	]) {
		await module(late);
	}
	const { current } = await module('store.js');
	choosePlayer({ program: await module('program/main.js'), host: async () => host });
	const { arrive } = await module('navigation.js');
	const { connect: connectWallet, session } = await module('host/session.js');
	const { send, showTo } = await module('host/send.js');
	const { amount, contractAmount, inContracts } = await module('host/amounts.js');
	const { contractOf } = await module('host/contracts.js');
	const { agree, showStage } = await module('host/view.js');
	/** What the player is asked about. */
	let question = null;
	showTo({
		show(now) {
			stage = now;
			showStage(now);
		},
		agreed(asked) {
			question = asked;
			return agree(asked);
		},
	});
	page.onDialog = (dialog) => {
		const facts = dialog.find('facts')?.children ?? [];
		const fact = (name) => facts[facts.findIndex((of) => of.textContent === name) + 1]?.textContent;
		const stake = fact('Stake')?.split(' ')[0];
		const contract = fact('Contract');
		// A player who knows the address of the stakes' contract does not need anything to show whose it is.
		const isKnown = question.isUnknown && contract === CONTRACTS.stakes;
		const isOdd = question.depositLimit !== null || question.others.length > 0;
		const isWrong = isKnown ? isOdd : dialog.find('wrong');
		const isPaid = stake === oracle.choice?.stake && fact('You pay now')?.split(' ')[0] === stake;
		const isMeant = !isWrong && oracle.choice && isPaid;
		if (isMeant) oracle.agreement = { stake, contract };
		queueMicrotask(() => dialog.close(isMeant ? 'yes' : ''));
	};

	/** Opens a page of it, and waits until it is there. */
	async function open(path) {
		location.pathname = path;
		arrive();
		const [, game] = path.split('/game/');
		// What was open before may still be shown.
		const isShown = () => current().view?.game === game || current().missing !== null;
		await rest(() => !game || isShown());
	}

	/** Does something, as long as the page has an answer to it. Whether it says that it is done. */
	async function act(does) {
		page.waits = 0;
		let end = null;
		does().then(
			() => {
				end = 'done';
			},
			(error) => {
				end = String(error?.message ?? error);
			},
		);
		while (end === null && page.waits < CLOSE) {
			await new Promise(setImmediate);
			if (page.waits > TRUTH) liar.lies = false;
			if (page.waits > STOP) page.elements.get('signing')?.find('button')?.emit('click');
			page.waits += 0.2;
		}
		liar.lies = true;
		return end;
	}

	const inGame = async (does, act, body, values = {}, game = GAME) => {
		await open(`/game/${game}`);
		return {
			does: () => player()[act](game, body),
			choice: { does, values: { game, ...values }, payment: 0n },
		};
	};

	/** What a player does, and what is meant by it. */
	const actions = {
		'start a game': async () => {
			await open('/');
			return {
				does: () => player().startGame(classic(address, FRIEND)),
				choice: {
					does: 'start_game',
					values: { player_one: address, player_two: FRIEND, shape: SHAPE },
					payment: 0n,
				},
			};
		},
		drop: () => inGame('drop_disc', 'move', { move: { kind: 'drop', bin: 3 } }, { bin: 3 }),
		'open a table': async () => {
			await open('/');
			const { limit, ...variant } = TERMS;
			const asked = { account: address, terms: TERMS, players: [address, FRIEND] };
			return {
				does: () => player().openTable(asked),
				choice: {
					does: 'open_table',
					values: { players: asked.players, variant, limit },
					payment: 0n,
				},
			};
		},
		'join a table': () => inGame('join', 'act', { act: 'join', account: address }, {}, TABLE),
		'take a disc': () => {
			const move = { kind: 'take', bin: 0, row: 0 };
			return inGame('make_move', 'move', { move }, { action: move }, VARIANT);
		},
		resign: () => inGame('resign', 'act', { act: 'resign', account: address }),
		'pay a stake': async () => {
			await open('/');
			return {
				// As for a signed game, of which the module makes the call.
				async does() {
					const units = inContracts(amount('0.5'));
					const payment = BigInt(units) / session.chain.ratio;
					const facts = [['Stake', contractAmount(units)]];
					await send('Pay the stake', FUND, {
						payment,
						facts,
						to: contractOf('stakes'),
						isLookedAt: true,
					});
				},
				choice: { does: FUND.message, payment: 5n * 10n ** 17n, stake: '0.5' },
			};
		},
	};
	const ends = {};
	try {
		await open('/');
		for (let tries = 0; tries < 20 && !session.account; tries += 1) {
			const [wallet] = session.wallets;
			if (wallet) await connectWallet(wallet).catch(() => {});
			else await open('/');
		}
		if (session.account) await play();
	} finally {
		page.close();
	}
	const told = liar.told;
	const lies = told.filter((text) => !text.startsWith('—')).length;
	return { told, lies, signed: oracle.count, faults: oracle.faults, ends };

	async function play() {
		const names = Object.keys(actions);
		for (const name of shuffled([...names, ...names, ...names])) {
			const tries = 1 + dice.below(2);
			for (let count = 0; count < tries; count += 1) {
				// Of what makes no sense nothing is chosen.
				const chosen = await actions[name]().catch(() => null);
				if (!chosen) continue;
				const { does, choice } = chosen;
				oracle.chooses(choice);
				const end = await act(does);
				ends[name] = end ?? 'nothing';
				liar.told.push(`— ${name}: ${ends[name]}`);
				if (disk.roll() < often) storage.kept.clear();
				// Nothing else can be done in a page that waits for ever.
				if (end === null) return;
				if (end === 'done' || end.startsWith('Done:')) {
					oracle.isDone();
					break;
				}
				if (/in a block after all/.test(end)) oracle.open = [];
				oracle.choice = null;
				if (oracle.faults.length) return;
			}
		}
	}

	function shuffled(all) {
		for (let at = all.length - 1; at > 0; at -= 1) {
			const other = dice.below(at + 1);
			[all[at], all[other]] = [all[other], all[at]];
		}
		return all;
	}
}
