// Two guests play a signed game without a stake, each by the module in a page of its own, at a real relay that is their
// witness: `CONNECT4_PROGRAM relay --witness-log`. Node.js 20 has WebSocket with `--experimental-websocket`.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { after, afterEach, before, describe, test } from 'node:test';

import { Database, KEYS, Locks, SECRETS } from '../host/fakes.mjs';
import { toHex } from '../host/hex.js';
import { beginGame, resumeGame } from './game.js';
import { openModule, provide } from './module.js';
import { openRecords } from './records.js';

provide(await readFile(new URL('../../artifacts/player.wasm', import.meta.url)));

const { CONNECT4_PROGRAM: PROGRAM = '' } = process.env;
const PATIENCE = 60_000; // milliseconds until something that does not come has failed
/** Drops of a game on a board with lines of three, which red wins. */
const LINE = [0, 1, 0, 1, 0];

/** @param {() => unknown} is @param {string} what */
async function until(is, what) {
	const last = Date.now() + PATIENCE;
	while (!is()) {
		if (Date.now() > last) assert.fail(`it does not come to this: ${what}`);
		await new Promise((resolve) => setTimeout(resolve, 5));
	}
}

/** @type {{ url: string, witness: string, place: any, stop: () => Promise<void> }} */
let relay;

before(async () => {
	const folder = await mkdtemp(path.join(tmpdir(), 'connect4-player-'));
	const child = spawn(PROGRAM, [
		...['relay', '--json', '--listen', '127.0.0.1:0', '--data', path.join(folder, 'chain')],
		...['--witness-log', path.join(folder, 'witness')],
	]);
	const ended = new Promise((resolve) => child.once('exit', resolve));
	let said = '';
	child.stderr.on('data', (text) => {
		said += text;
	});
	const line = await Promise.race([
		new Promise((resolve) => createInterface({ input: child.stdout }).once('line', resolve)),
		ended.then(() => assert.fail(`the relay does not start: ${said}`)),
	]);
	const { url, witness } = JSON.parse(/** @type {string} */ (line));
	relay = {
		url,
		witness,
		place: { ...(await chainOf(url, witness)), stakes: null },
		stop: async () => {
			child.kill();
			await ended;
			await rm(folder, { recursive: true, force: true, maxRetries: 10 });
		},
	};
});
after(() => relay.stop());

/** The chain for which games are signed at a relay, as it says in any room. @param {string} url @param {string} witness */
async function chainOf(url, witness) {
	const socket = new WebSocket(`${url}/signed/${witness}/0x${'ab'.repeat(32)}`);
	socket.binaryType = 'arraybuffer';
	const { data } = await new Promise((resolve, reject) => {
		socket.onmessage = resolve;
		socket.onerror = reject;
	});
	socket.close();
	// The kind of the message, a nonce, the chain's number, its first block.
	const number = new DataView(data).getBigUint64(33, true);
	return { chain_id: Number(number), genesis: toHex(new Uint8Array(data, 41, 32)) };
}

/** What was opened in a test. @type {any[]} */
const open = [];
afterEach(async () => {
	await Promise.all(open.splice(0).map((game) => game.close()));
});

const seconds = () => Math.floor(Date.now() / 1000);
let nonces = 0;
/** Another number each time. */
const nonce = () => {
	nonces += 1;
	return nonces;
};

/** A guest's browser, and how messages come from it to the other one. */
class Browser {
	disk = new Database();
	locks = new Locks();
	/** Sends messages, once it is known where to. @type {(message: string) => void} */
	send = () => {};
	/** @type {any} */
	game = null;

	/** @param {number} who */
	constructor(who) {
		this.by = KEYS[who] ?? '';
		this.secret = SECRETS[who] ?? '';
		this.disk.records.set(this.by, { key: this.by, secret: this.secret });
	}

	/** @param {object} around */
	async around(around) {
		const records = await openRecords(/** @type {any} */ (this.disk));
		return {
			records,
			locks: /** @type {any} */ (this.locks),
			send: (/** @type {string} */ message) => this.send(message),
			...around,
		};
	}

	/** @param {any} game @param {object} [around] */
	async begin(game, around) {
		const { by } = this;
		const place = relay.place;
		const made = await beginGame({ place, by, game, ...(await this.around(around ?? {})) });
		open.push(made);
		this.game = made;
		return made;
	}

	/** The page is gone without a word, and opened again. @param {object} [around] */
	async again(around = {}) {
		const { name } = this.game.standing;
		await this.game.close();
		this.game = resumeGame({ name, ...(await this.around(around)) });
		open.push(this.game);
	}

	/** @returns {any} */
	get shown() {
		return this.game.standing.shown;
	}

	/** The record of the game on the disk. */
	get record() {
		return this.disk.records.get(`game ${this.game.standing.name}`).record;
	}
}

/** The text of an offer. @param {Browser} browser @param {object} [how] */
async function offerOf({ secret }, how = {}) {
	const ask = await openModule();
	const common = { place: relay.place, secret, account: null, session: null, program: false };
	const game = { stake: '0', event: null, taker: null, witness: relay.witness };
	return ask({
		offer: {
			...common,
			...game,
			shape: { bins: 5, capacity: 4, line: 3 },
			rules: { pie_rule: false, pool: 0, clock: { bank: 300, increment: 5 } },
			colours: 'red',
			relay: relay.url,
			until: seconds() + 60,
			nonce: nonce(),
			...how,
		},
	});
}

/** @param {string} offer */
const take = (offer) => ({
	take: {
		...{ offer, account: null, session: null, program: false, colour: null },
		...{ time: seconds(), nonce: nonce() },
	},
});

/** Two browsers that have agreed on a game, and are in its room. The first one is red. @param {object[]} [around] */
async function begun(around = []) {
	const browsers = [new Browser(0), new Browser(1)];
	const [red, blue] = /** @type {[Browser, Browser]} */ (browsers);
	red.send = (message) => blue.game?.receive(message);
	blue.send = (message) => red.game?.receive(message);
	const offer = await offerOf(red);
	await red.begin({ offer }, around[0]);
	await blue.begin(take(offer), around[1]);
	await ready(red, blue);
	return { red, blue, browsers };
}

/** @param {Browser[]} browsers */
const ready = (...browsers) =>
	until(
		() =>
			browsers.every(
				({ game: { standing } }) =>
					standing.shown?.stage === 'playing' && standing.relay === null && standing.opponent,
			),
		'both are in the room',
	);

/** Once what is under way is kept: the board is seen before that. @param {Browser[]} browsers */
const rests = (browsers) =>
	Promise.all(browsers.map(({ game }) => game.isRematch('').catch(() => false)));

/** @param {Browser[]} browsers @param {number[]} bins @param {number} [from] */
async function play(browsers, bins, from = 0) {
	for (const [at, bin] of bins.entries()) {
		const turns = from + at;
		await browsers[turns % 2]?.game.act({ move: bin });
		await until(
			() => browsers.every(({ shown }) => shown.game?.position.turns === turns + 1),
			`move ${turns + 1} has its receipt`,
		);
	}
}

/** @param {Browser[]} browsers */
const over = (browsers) =>
	until(
		() => browsers.every(({ shown }) => shown.stage === 'over'),
		'the witness has ended the game',
	);

describe('a signed game of two guests', () => {
	test('is played to its end', async () => {
		const { red, browsers } = await begun();
		await play(browsers, LINE);
		await over(browsers);
		for (const { game, shown } of browsers) {
			assert.equal(shown.game.notation, '12121');
			assert.equal(shown.game.position.winner, 'red');
			assert.equal(shown.awaited, null);
			assert.equal(game.standing.trouble, '');
		}
		const next = await red.game.rematch({ until: seconds() + 60, nonce: nonce() });
		assert.equal(await browsers[1]?.game.isRematch(next), true);
		assert.deepEqual(new Set(red.disk.durabilities), new Set(['strict']));
	});

	test('goes on from its record in a page that is loaded again', async () => {
		const { blue, browsers } = await begun();
		await play(browsers, LINE.slice(0, 2));
		await blue.again();
		await ready(...browsers);
		assert.equal(blue.shown.side, 'blue');
		assert.equal(blue.shown.game.notation, '12');
		await play(browsers, LINE.slice(2), 2);
		await over(browsers);
	});

	test('says a move that was kept and not sent, and no other one', async () => {
		const { red, browsers } = await begun();
		const kept = red.record;
		const { records } = red.disk;
		// The page ends while the move is written, and before it is in the room.
		records.set = (...row) => {
			red.game.close();
			return Map.prototype.set.apply(records, row);
		};
		await assert.rejects(red.game.act({ move: 0 }));
		records.set = Map.prototype.set;
		assert.notEqual(red.record, kept);
		await red.again();
		await until(
			() => browsers.every(({ shown }) => shown?.game?.notation === '1'),
			'the move has come to the room',
		);
	});

	test('a disk that fails once keeps a move back', async () => {
		const { red, blue, browsers } = await begun();
		red.disk.isFull = true;
		const { record, shown } = red;
		await assert.rejects(red.game.act({ move: 3 }), /QuotaExceededError/);
		assert.equal(red.record, record);
		assert.deepEqual(red.shown, shown);
		red.disk.isFull = false;
		await play(browsers, LINE);
		await over(browsers);
		assert.equal(blue.shown.game.notation, '12121');
	});

	test('a disk that has written and says that it has not binds the player to the move', async () => {
		const { red, browsers } = await begun();
		red.disk.isWrong = true;
		await assert.rejects(red.game.act({ move: 0 }), /UnknownError/);
		await assert.rejects(red.game.act({ move: 3 }), { name: 'Bound' });
		assert.equal(red.shown.game.position.turns, 0);
		await play(browsers, LINE);
		await over(browsers);
	});

	test('receipts that a relay forges change nothing', async () => {
		/** What the player was told after a forgery. @type {string[]} */
		const troubles = [];
		/** @type {number[]} */
		const forged = [];
		/** A socket on which each receipt comes forged first. @param {string} url */
		const socket = (url) => {
			const real = new WebSocket(url);
			real.binaryType = 'arraybuffer';
			/** @type {any} */
			const lying = {
				...{ binaryType: '', onopen: null, onmessage: null, onclose: null, onerror: null },
				send: (/** @type {Uint8Array} */ frame) => real.send(frame),
				close: () => real.close(),
				get readyState() {
					return real.readyState;
				},
			};
			real.onopen = () => lying.onopen?.();
			real.onclose = () => lying.onclose?.();
			real.onerror = () => lying.onerror?.();
			real.onmessage = ({ data }) => {
				const frame = new Uint8Array(data);
				const isTold = frame[0] === 1;
				for (const at of isTold ? [2, frame.length - 100, frame.length - 1] : []) {
					// One bit of the moves, of the times, or of the signature.
					const lie = frame.with(at, (frame[at] ?? 0) ^ 1);
					forged.push(at);
					lying.onmessage?.({ data: new Blob([lie]) });
				}
				lying.onmessage?.({ data: new Blob([frame]) });
			};
			return lying;
		};
		const { browsers } = await begun([
			{
				socket,
				changed: (/** @type {any} */ { trouble }) => {
					if (trouble && trouble !== troubles.at(-1)) troubles.push(trouble);
				},
			},
		]);
		await play(browsers, LINE);
		await over(browsers);
		assert.ok(forged.length > 3 * LINE.length, `${forged.length}`);
		assert.match(troubles[0] ?? '', /has not signed|no message/);
		for (const { shown } of browsers) {
			assert.equal(shown.game.notation, '12121');
			assert.equal(shown.is_contradicted, false);
		}
	});

	test('a module that traps is replaced by one that goes on from the record', async (t) => {
		const { instantiate } = WebAssembly;
		let traps = false;
		t.after(() => {
			WebAssembly.instantiate = instantiate;
		});
		WebAssembly.instantiate = /** @type {any} */ (
			async (/** @type {any} */ module, /** @type {any} */ imports) => {
				const { exports } = /** @type {any} */ (await instantiate(module, imports));
				/** @param {any[]} asked */
				const ask = (...asked) => {
					if (!traps) return exports.ask(...asked);
					traps = false;
					throw new WebAssembly.RuntimeError('unreachable');
				};
				return { exports: { ...exports, ask } };
			}
		);
		const { red, browsers } = await begun();
		await play(browsers, [0, 1]);
		await rests(browsers);
		traps = true;
		await assert.rejects(red.game.act({ move: 0 }), { name: 'Trapped' });
		await ready(...browsers);
		assert.equal(red.shown.game.notation, '12');
		await play(browsers, LINE.slice(2), 2);
		await over(browsers);
	});

	test('is played in one tab', async () => {
		const { red, browsers } = await begun();
		const { name } = red.game.standing;
		const other = resumeGame({ name, ...(await red.around({})) });
		open.push(other);
		await until(() => other.standing.role === 'elsewhere', 'the other tab waits');
		await assert.rejects(other.act({ move: 0 }), /another tab/);
		await red.game.close();
		red.game = other;
		await ready(...browsers);
		await play(browsers, LINE);
		await over(browsers);
	});

	test('where tabs have no locks, the first one that writes plays', async () => {
		const { red, browsers } = await begun();
		const { name } = red.game.standing;
		// It is not in the room, from which the first one would have to go.
		const socket = () => ({ readyState: 0, close: () => {} });
		const other = resumeGame({ name, ...(await red.around({ locks: null, socket })) });
		open.push(other);
		await until(() => other.standing.role === 'player', 'the other tab has no lock');
		await play(browsers, [0]);
		await rests(browsers);
		const { record } = red;
		// Whatever the other tab makes of its older record, it is not written.
		await assert.rejects(other.act('resign'), /another tab/);
		assert.equal(other.standing.role, 'elsewhere');
		assert.equal(red.record, record);
		await play(browsers, LINE.slice(1), 1);
		await over(browsers);
	});

	test('an offer is taken once by a key, and no terms are signed twice', async () => {
		const [red, blue] = [new Browser(0), new Browser(1)];
		const offer = await offerOf(red);
		await red.begin({ offer });
		const taken = take(offer);
		await blue.begin(taken);
		await assert.rejects(blue.begin(taken), /another tab/);
		await blue.game.close();
		blue.locks = new Locks();
		await assert.rejects(blue.begin(taken), /another tab/);
	});
});

describe('records', () => {
	const place = { chain_id: 1, genesis: '0x00', stakes: null };

	test('are written in place of the one that was read', async () => {
		const disk = new Database();
		const records = await openRecords(/** @type {any} */ (disk));
		const game = { name: '0x01', by: KEYS[0] ?? '', place, record: '0x11' };
		await records.write(game, [null], []);
		const next = { ...game, record: '0x22' };
		await assert.rejects(records.write(next, [null, '0x33'], []), {
			name: 'Error',
			message: '0x01',
		});
		assert.equal((await records.read('0x01'))?.record, '0x11');
		await records.write(next, ['0x33', '0x11'], []);
		assert.equal((await records.read('0x01'))?.record, '0x22');
		assert.deepEqual(
			(await records.all()).map(({ name }) => name),
			['0x01'],
		);
		assert.equal(await records.read('0x02'), null);
	});

	test('have each number once', async () => {
		const disk = new Database();
		const records = await openRecords(/** @type {any} */ (disk));
		const game = { name: '0x01', by: KEYS[0] ?? '', place, record: '0x11' };
		await records.write(game, [null], ['0xaa', '0xbb']);
		await records.write({ ...game, record: '0x22' }, ['0x11'], ['0xbb']);
		const other = { ...game, name: '0x02' };
		await assert.rejects(records.write(other, [null], ['0xcc', '0xbb']), { games: ['0xbb'] });
		assert.equal(await records.read('0x02'), null);
		await records.write(other, [null], ['0xcc']);
		assert.equal((await records.read('0x02'))?.name, '0x02');
	});

	test('a key that is gone signs nothing', async () => {
		const records = await openRecords(/** @type {any} */ (new Database()));
		await assert.rejects(records.secret(KEYS[0] ?? ''), { kind: 'missing' });
	});
});
