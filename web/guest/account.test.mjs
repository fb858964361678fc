import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { beforeEach, describe, test } from 'node:test';

import '../host/page-fakes.mjs';

import { CHAIN_ID, Database, KEYS, SECRETS } from '../host/fakes.mjs';
import { session } from '../host/session.js';
import { ask } from '../host/wasm.js';
import { openModule, provide } from '../player/module.js';

provide(await readFile(new URL('../../artifacts/player.wasm', import.meta.url)));

const WORDS = 'test test test test test test test test test test test junk';
/** @type {import('../ask.d.ts').SignedPlace} */
const PLACE = { chain_id: CHAIN_ID, genesis: `0x${'ab'.repeat(32)}`, stakes: null };
const ADDRESS = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';

let pages = 0;
/** A page of a browser with this disk. @param {Database} disk @returns {Promise<typeof import('./account.js')>} */
const page = async (disk) => {
	/** @type {any} */ (globalThis).indexedDB = disk;
	pages += 1;
	const loaded = await import(`./account.js?page=${pages}`);
	// From now on it has this disk.
	await loaded.guest();
	return loaded;
};

/** What an account has signed about a session key, as the module judges it. */
const isNamed = async (
	/** @type {import('./account.js').Identity} */ { account, key, session: signed },
) => {
	assert.match(signed ?? '', /^0x[0-9a-f]{16}00/);
	assert.notEqual(account, key);
};

beforeEach(() => {
	Object.assign(session, {
		wallet: null,
		account: null,
		chain: { name: 'test', chainId: CHAIN_ID, genesis: PLACE.genesis },
	});
});

describe('a guest', () => {
	test('is made when it is needed, is its own key, and is the same after the page was loaded again', async () => {
		const disk = new Database();
		const first = await page(disk);
		assert.equal(await first.guest(), null);
		const [one, same] = await Promise.all([first.identity(PLACE), first.identity(PLACE)]);
		assert.deepEqual(one, same);
		assert.deepEqual([one.key, one.session], [one.account, null]);
		assert.deepEqual(await (await page(disk)).identity(PLACE), one);
		const { phrase = '' } = (await first.guest()) ?? {};
		assert.equal(phrase.split(' ').length, 12);
		assert.equal((await openModule())({ guest: { words: phrase } }).address, one.account);
		assert.notEqual((await (await page(new Database())).identity(PLACE)).account, one.account);
	});

	test('is made once by two pages at the same time', async () => {
		const disk = new Database();
		const [first, second] = [await page(disk), await page(disk)];
		const [one, other] = await Promise.all([first.identity(PLACE), second.identity(PLACE)]);
		assert.deepEqual(one, other);
	});

	test('is the one that another tab has restored, of which a page is told', async () => {
		const disk = new Database();
		const [here, there] = [await page(disk), await page(disk)];
		await here.identity(PLACE);
		let changes = 0;
		there.onGuest(() => {
			changes += 1;
		});
		await here.restore(WORDS);
		assert.equal(changes, 1);
		const [one, other] = await Promise.all([here.identity(PLACE), there.identity(PLACE)]);
		assert.deepEqual([one.account, one.key], [ADDRESS, other.key]);
	});

	test('that is restored plays by a key of this device, which it names by itself', async () => {
		const [here, there] = [await page(new Database()), await page(new Database())];
		assert.equal(await here.restore(` ${WORDS.toUpperCase()} `), ADDRESS);
		const one = await here.identity(PLACE);
		assert.equal(one.account, ADDRESS);
		await isNamed(one);
		const again = await here.identity(PLACE);
		assert.deepEqual([again.key, again.secret], [one.key, one.secret]);
		await there.restore(WORDS);
		const other = await there.identity(PLACE);
		assert.equal(other.account, ADDRESS);
		assert.notEqual(other.key, one.key);
	});

	test('takes the place of the one before, and a guest that is there already is not restored', async () => {
		const disk = new Database();
		const here = await page(disk);
		let changes = 0;
		here.onGuest(() => {
			changes += 1;
		});
		const before = await here.identity(PLACE);
		const { phrase = '' } = (await here.guest()) ?? {};
		await here.restore(phrase);
		assert.deepEqual(await here.identity(PLACE), before);
		await here.restore(WORDS);
		assert.equal((await here.identity(PLACE)).account, ADDRESS);
		assert.equal(changes, 2);
		await assert.rejects(here.restore('test test'), /12 words/);
		assert.equal((await here.identity(PLACE)).account, ADDRESS);
	});

	test('stays in the browser when another one plays, until it is forgotten', async () => {
		const disk = new Database();
		const here = await page(disk);
		let changes = 0;
		here.onGuest(() => {
			changes += 1;
		});
		const first = await here.identity(PLACE);
		await here.restore(WORDS);
		const accounts = async () => (await here.guests()).map(({ account }) => account);
		assert.deepEqual((await accounts()).sort(), [ADDRESS, first.account].sort());
		// It plays again with its own key, and what it has signed.
		const [back] = (await here.guests()).filter(({ account }) => account === first.account);
		assert.ok(back);
		await here.playAs(back);
		assert.deepEqual(await here.identity(PLACE), first);
		// Nor is it restored anew by its phrase.
		const { key } = (await here.guests()).find(({ account }) => account === ADDRESS) ?? {};
		await here.restore(WORDS);
		assert.deepEqual([(await here.guest())?.key, (await here.guests()).length], [key, 2]);
		await here.forget(back);
		assert.deepEqual(await accounts(), [ADDRESS]);
		assert.equal((await here.guest())?.account, ADDRESS);
		await here.forget();
		assert.deepEqual([await here.guest(), await here.guests()], [null, []]);
		assert.equal(disk.records.size, 0);
		assert.equal(changes, 6);
	});

	test('has a phrase that was shown, or typed in, or not', async () => {
		const here = await page(new Database());
		const { account } = await here.identity(PLACE);
		const { isPhraseKnown, phraseIsKnown, wasOffered } = await import('./phrases.js');
		assert.equal(isPhraseKnown(account), false);
		assert.deepEqual([wasOffered(account), wasOffered(account)], [false, true]);
		assert.equal(isPhraseKnown(account), false);
		phraseIsKnown(account);
		assert.equal(isPhraseKnown(account), true);
		await here.restore(WORDS);
		assert.deepEqual([isPhraseKnown(ADDRESS), wasOffered(ADDRESS)], [true, true]);
	});

	test('that is forgotten leaves nothing behind', async () => {
		const disk = new Database();
		const here = await page(disk);
		const { account } = await here.identity(PLACE);
		await here.forget();
		assert.equal(disk.records.size, 0);
		assert.notEqual((await here.identity(PLACE)).account, account);
	});
});

describe('an account of a wallet', () => {
	const now = () => Math.floor(Date.now() / 1000);
	/** A wallet whose account has the first of the keys. */
	const wallet = () => {
		const asked = /** @type {any[]} */ ([]);
		return {
			name: 'Wallet',
			asked,
			by: SECRETS[0],
			sign: async (/** @type {any} */ { toSign }) => {
				asked.push(JSON.parse(toSign.typed));
				const { account, key, until } = asked.at(-1).message;
				const named = { account, key, until, place: PLACE };
				const by = { secret: SECRETS[0] ?? '' };
				const signed = await ask({ signed_session: { named, by } });
				// The session is its end, then which kind of signature it is.
				return { ethereum: `0x${signed.slice(2 + 16 + 2)}` };
			},
		};
	};
	const connect = (/** @type {any} */ to, id = KEYS[0]) =>
		Object.assign(session, { wallet: to, account: { id, name: null } });

	test('names a session key once a day, and is asked once by two who want to know', async () => {
		const disk = new Database();
		const here = await page(disk);
		const of = wallet();
		connect(of);
		const shown = /** @type {unknown[]} */ ([]);
		here.showAskingBy((to) => shown.push(to));
		const [one, same] = await Promise.all([here.identity(PLACE), here.identity(PLACE)]);
		assert.deepEqual(one, same);
		assert.equal(one.account, KEYS[0]);
		await isNamed(one);
		assert.deepEqual(shown, [of, null]);
		assert.equal(of.asked.length, 1);
		const [{ domain, message, primaryType }] = of.asked;
		assert.deepEqual(domain, {
			name: 'Connect Four',
			version: '3',
			chainId: CHAIN_ID,
			salt: PLACE.genesis,
		});
		assert.deepEqual([primaryType, message.key], ['Session', one.key]);
		assert.ok(Math.abs(message.until - now() - 86_400) < 60);
		assert.deepEqual(await (await page(disk)).identity(PLACE), one);
		assert.equal(of.asked.length, 1);
	});

	test('names another key after a day, and the one before stays for its games', async (t) => {
		const disk = new Database();
		const here = await page(disk);
		const of = wallet();
		connect(of);
		const one = await here.identity(PLACE);
		const realNow = Date.now();
		t.mock.method(Date, 'now', () => realNow + 23.5 * 3_600_000);
		const other = await here.identity(PLACE);
		assert.notEqual(other.key, one.key);
		assert.equal(of.asked.length, 2);
		assert.ok(disk.records.has(one.key));
		assert.equal((await here.identity(PLACE)).key, other.key);
	});

	test('that refuses, or signs by another key, does not play, and nothing is kept', async () => {
		const disk = new Database();
		const here = await page(disk);
		const of = wallet();
		connect({ ...of, sign: () => Promise.reject(new Error('You refused')) });
		await assert.rejects(here.identity(PLACE), /You refused/);
		connect(of, KEYS[1]);
		const liar = { ...of, sign: async () => ({ ethereum: `0x${'11'.repeat(64)}1b` }) };
		connect(liar, KEYS[1]);
		await assert.rejects(here.identity(PLACE), /not signed by the key of the account/);
		assert.equal(disk.records.size, 0);
		assert.equal(await here.guest(), null);
	});

	test('of Substrate signs the digest as bytes, with its public key', async () => {
		const { digest } = await ask({
			session_to_sign: {
				account: ADDRESS,
				key: KEYS[0] ?? '',
				until: 1,
				place: PLACE,
			},
		});
		assert.match(digest, /^0x[0-9a-f]{64}$/);
		const named = {
			account: ADDRESS,
			key: KEYS[0] ?? '',
			until: 1,
			place: PLACE,
		};
		const alice = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
		/** @type {import('../ask.d.ts').NamedBy} */
		const by = { sr25519: [alice, `0x${'00'.repeat(64)}`] };
		await assert.rejects(ask({ signed_session: { named, by } }), /sr25519 key/);
	});
});
