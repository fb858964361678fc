// What a dishonest host makes of the truth, by a generator that gives the same for the same seed.

import { reviveCall } from '../fakes.mjs';
import { deployedBy } from './truth.mjs';

/** Random numbers that are the same for the same seed (mulberry32). */
export class Dice {
	#state = 0;

	/** Begins anew from a text. */
	from(text) {
		for (const letter of text)
			this.#state = Math.imul(this.#state ^ letter.charCodeAt(0), 0x01000193);
		this.roll();
		return this;
	}

	/** A number below 1. */
	roll() {
		this.#state = (this.#state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	}

	below(count) {
		return Math.floor(this.roll() * count);
	}

	one(of) {
		return of[this.below(of.length)];
	}
}

/** Characters of a text that is not said again elsewhere. */
const MUCH = 10_000;

const isObject = (value) => typeof value === 'object' && value !== null;

/** All places in a value: where it is, and its name there. */
function places(value, all = []) {
	for (const name of Object.keys(value)) {
		all.push({ within: value, name });
		if (isObject(value[name])) places(value[name], all);
	}
	return all;
}

/** A host that lies so often. */
export class Liar {
	/** Lies that were told, the newest last. */
	told = [];
	/** Whether it says the same of its chain each time, which is not true. */
	insists = false;
	/** Whether it lies at all. */
	lies = true;
	/** What it has a wallet of another kind sign. */
	mapping = () => null;
	/** What was said before, by the name of its field. */
	#said = new Map();
	/** Paths by which transactions are looked for that are said to be in no block. */
	#lost = new Set();
	/** Whole answers. */
	#answers = [];
	/** How often it was asked what. */
	#asked = new Map();
	#dice = new Dice();

	constructor(seed, rate) {
		this.seed = seed;
		this.rate = rate;
	}

	below = (count) => this.#dice.below(count);
	one = (of) => this.#dice.one(of);

	/** Whether it lies now. What it says does not hang on what else is asked meanwhile. */
	#lies(about) {
		const what = about.replace(/0x[0-9a-f]+.*/, '');
		const count = this.#asked.get(what) ?? 0;
		this.#asked.set(what, count + 1);
		this.#dice = new Dice().from(`${this.seed} ${what} ${count}`);
		const isLie = this.#dice.roll() < this.rate;
		return this.lies && (isLie || (this.insists && what.startsWith('/api/hello')));
	}

	/** What is said in place of the truth. */
	async of(about, truth) {
		if (truth instanceof Error || !isObject(truth)) return truth;
		const isLie = this.#lies(about);
		if (this.#lost.has(about.split('?')[0]) && this.lies) return this.#search(about, truth);
		const before = this.#answers.length ? structuredClone(this.one(this.#answers)) : truth;
		this.#remember(truth);
		if (!isLie) return truth;
		const kind = this.below(24);
		if (kind === 0) return this.#tell(about, 'an answer to something else', before);
		if (kind === 1) return this.#tell(about, 'a refusal', new Error('the contract refuses'));
		if (truth.unsigned && kind < 14) return this.#unsigned(about, truth);
		if (truth.gas && kind < 8) {
			const unsigned = this.mapping();
			return this.#tell(about, 'a mapping, and a call', { ...truth, unsigned });
		}
		if ('last_final' in truth && kind < 8) return this.#search(about, truth);
		if (truth.signing && this.insists) this.#dice = new Dice().from(`${this.seed} chain`);
		if (truth.signing && (kind < 8 || this.insists)) return this.#hello(about, truth);
		if (truth.type && kind < 4) return this.#event(about, truth);
		const lie = structuredClone(truth);
		const what = Array.from({ length: 1 + this.below(3) }, () => this.#change(lie));
		return this.#tell(about, what.join('; '), lie);
	}

	#tell(about, what, lie) {
		this.told.push(`${about}: ${what}`);
		return lie;
	}

	#remember(truth) {
		if (this.#answers.length < 200) this.#answers.push(structuredClone(truth));
		for (const { within, name } of places(truth)) {
			const known = this.#said.get(name) ?? [];
			const isLong = within[name]?.length > MUCH;
			if (known.length < 50 && !isLong)
				this.#said.set(name, [...known, structuredClone(within[name])]);
		}
	}

	/** Changes something in a value; says what. */
	#change(value) {
		const all = places(value);
		if (!all.length) return 'nothing';
		const { within, name } = this.one(all);
		const was = JSON.stringify(within[name]);
		switch (this.below(9)) {
			case 0:
				if (Array.isArray(within)) within.splice(Number(name), 1);
				else delete within[name];
				return `without ${name}`;
			case 1:
				if (!Array.isArray(within)) within[`${name}s`] = within[name];
				else within.push(structuredClone(within[name]));
				return `${name} twice`;
			case 2:
				within[name] = this.one([null, true, false, 0, -1, 1e21, '', '0', 'f0', [], {}, [[]]]);
				break;
			case 3: {
				const known = this.#said.get(name) ?? [];
				const others = [...this.#said.values()].flat();
				within[name] = structuredClone(this.one(known.length && this.below(2) ? known : others));
				break;
			}
			case 4: {
				// Two fields of the same object change places.
				const other = this.one(Object.keys(within));
				[within[name], within[other]] = [within[other], within[name]];
				return `${name} and ${other} swapped`;
			}
			default:
				within[name] = this.#like(within[name]);
		}
		return `${name} ${JSON.stringify(within[name])} in place of ${was}`.slice(0, 400);
	}

	/** Another value of the same type. */
	#like(value) {
		if (typeof value === 'boolean') return !value;
		if (typeof value === 'number') {
			return this.one([value + 1, value - 1, -value, value * 10, 0, 2 ** 31, 1e15, value + 0.5]);
		}
		if (typeof value !== 'string') return value;
		if (/^0x[0-9a-f]+$/i.test(value)) {
			const at = 2 + this.below(value.length - 2);
			const other = value.slice(0, at) + this.below(16).toString(16) + value.slice(at + 1);
			return this.one([
				other,
				other,
				other,
				`${value}00`,
				`0x00${value.slice(2)}`,
				value.toUpperCase(),
				value.slice(0, -2),
				value.slice(2),
				'0x',
			]);
		}
		if (/^-?\d+$/.test(value)) {
			const amount = BigInt(value);
			const others = [amount + 1n, amount - 1n, amount * 10n, amount * 10n ** 6n, 0n, -amount];
			return this.one([
				...others.map(String),
				`0x${amount}`,
				` ${value}`,
				`0${value}`,
				'1e9',
				'1.5',
			]);
		}
		return this.one([`${value} `, value.toUpperCase(), 'x', `${value}0`]);
	}

	/** A transaction that is another one, and well formed. */
	#unsigned(about, truth) {
		const lie = structuredClone(truth);
		const { payload } = lie.unsigned;
		const read = readCall(payload.method);
		const thief = `0x${'66'.repeat(20)}`;
		const more = (amount) =>
			this.one([amount + 1n, amount * 2n, amount * 1000n, amount + 10n ** 10n, 0n]);
		const bytes = read.input.slice(0, 10 + 2 * this.below(read.input.length / 2 - 4));
		const calls = [
			{ contract: thief },
			{ value: more(read.value) },
			{ time: more(read.time) },
			{ proof: more(read.proof) },
			{ deposit: more(read.deposit) },
			{ index: this.one(['3c00', '3c02', '3c08', '0603', '3d01', '3c07']) },
			{ input: this.#like(read.input) },
			{ input: bytes },
			{ input: `${bytes}${'00'.repeat(8)}` },
		];
		// One thing is false, or two.
		const which = this.below(10);
		const call = which < 5 || which === 9 ? this.one(calls) : {};
		const method = reviveCall({ ...read, ...call });
		lie.unsigned.tail = lie.unsigned.tail.replace(payload.method.slice(2), method.slice(2));
		payload.method = method;
		const block = Number(payload.blockNumber);
		const other = this.one([
			() => {
				payload.nonce = this.one(['0x00000008', '0x00000006', '0x00000009', '0x7']);
			},
			() => {
				payload.era = this.one(['0x00', '0x0000', '0x', 'f502', '0xf502', '0xa502', '0x6503']);
			},
			() => {
				payload.blockNumber = `0x${(block + this.one([-64, 64, -1, 1, 128])).toString(16).padStart(8, '0')}`;
			},
			() => {
				payload.blockHash = `0x${'77'.repeat(32)}`;
			},
			() => {
				payload.genesisHash = `0x${'02'.repeat(32)}`;
			},
			() => {
				payload.specVersion = '0x00000002';
			},
			() => {
				const names = payload.signedExtensions;
				const [moved] = names.splice(this.below(names.length), 1);
				names.splice(this.below(names.length), 0, moved);
			},
			() => {
				payload.tip = `0x${'00'.repeat(15)}01`;
			},
			() => {
				Object.assign(payload, { assetId: '0x01', withSignedTransaction: true, mode: 2 });
			},
			() => {
				payload.metadataHash = this.one([null, '0x', `0x${'04'.repeat(31)}`, 7]);
			},
			() => {
				lie.fee = this.one(['0', '1', String(10n ** 15n)]);
				lie.deposit = this.one(['0', '-5', String(10n ** 15n)]);
			},
			() => {
				const maps = this.one(['0x3c07', '0x3c06', '0x0707']);
				lie.unsigned.maps = true;
				lie.unsigned.tail = lie.unsigned.tail.replace(method.slice(2), maps.slice(2));
				payload.method = maps;
			},
			() => {
				lie.to = call.contract ?? lie.to;
			},
			() => {
				if (call.value !== undefined) lie.payment = String(call.value);
			},
		]);
		if (which >= 5) other();
		const changed = { ...call, ...lie, payload };
		return this.#tell(about, `a transaction: ${JSON.stringify(changed, plain)}`, lie);
	}

	/** Where a transaction is not, from now on. */
	#search(about, { found, best }) {
		this.#lost.add(about.split('?')[0]);
		const failed = { ...found, failure: 'the contract refused', events: [] };
		const isFailed = found && this.below(3) === 0;
		const lie = {
			found: isFailed ? failed : null,
			next: best + 100,
			best: best + 99,
			last_final: best,
		};
		return this.#tell(about, isFailed ? 'it failed' : 'no block has it', lie);
	}

	/** What else changes the page, by the names of its events. */
	#event(about, truth) {
		const hello = structuredClone(this.#answers.find((one) => one.signing)) ?? {};
		Object.assign(hello.chain ?? {}, { decimals: this.one([0, 9, 18]) });
		const type = this.one(['hello', 'plays', 'view', 'route', 'sending', 'settle', 'invite']);
		return this.#tell(about, `an event ${type}`, { ...truth, type, hello, view: truth });
	}

	/** Another chain, token or contracts, which fit together. */
	async #hello(about, truth) {
		const lie = structuredClone(truth);
		const evil = `0x${'e0'.repeat(20)}`;
		const decimals = this.one([8, 9, 12, 18]);
		const changes = {
			units: () => {
				lie.chain.decimals = decimals;
				lie.signing.ratio = String(10n ** BigInt(18 - decimals));
			},
			'units that do not fit': () => {
				lie.chain.decimals = decimals;
			},
			contracts: async () => Object.assign(lie.signing, await deployedBy(evil), { deployer: evil }),
			'unknown contracts': async () =>
				Object.assign(lie.signing, await deployedBy(evil), { deployer: null }),
			'a contract': () => {
				lie.signing[this.one(['games', 'variants', 'stakes'])] = evil;
			},
			'a chain': () => {
				lie.signing.chain_id = this.one([1, null, 420420422]);
			},
			'a first block': () => {
				lie.signing.genesis = `0x${'02'.repeat(32)}`;
			},
			'a chain with another first block': () => {
				Object.assign(lie.signing, { genesis: `0x${'02'.repeat(32)}`, chain_id: 420420422 });
			},
			'units, as a program': () => {
				Object.assign(lie, { public: false, host: true });
				changes.units();
			},
		};
		const name = this.one(Object.keys(changes));
		await changes[name]();
		return this.#tell(about, `other ${name} (${decimals})`, lie);
	}
}

const plain = (_, value) => (typeof value === 'bigint' ? String(value) : value);

/** The fields of `Revive.call`. */
export function readCall(method) {
	let at = 2;
	const take = (bytes) => {
		if (at + 2 * bytes > method.length) throw new Error('it is cut off');
		at += 2 * bytes;
		return method.slice(at - 2 * bytes, at);
	};
	const little = (hex) => BigInt(`0x${hex.match(/../g).reverse().join('') || '0'}`);
	const compact = () => {
		const first = Number(`0x${take(1)}`);
		const kind = first & 3;
		if (kind === 3) return little(take((first >> 2) + 4));
		at -= 2;
		return little(take(2 ** kind)) >> 2n;
	};
	const index = take(2);
	const contract = `0x${take(20)}`;
	const [value, time, proof, deposit] = [compact(), compact(), compact(), compact()];
	const length = Number(compact());
	const input = `0x${take(length)}`;
	if (at !== method.length) throw new Error('there is more behind it');
	return { index, contract, value, time, proof, deposit, input };
}
