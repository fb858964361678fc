// What a program or host says of itself: a fixed list of fields, each of limited length. The page keeps it, so that a host
// that says more could fill the browser's storage.

/** @import { Hello } from '../wire.d.ts' */

/** The version of the requests and answers that this page knows. */
const API = 3;

/** What a field can't be. */
class Unreadable extends Error {}

/**
 * Reads a field.
 * @template Field
 * @typedef {(value: any) => Field} Read
 */

/** A value, if it is one of its kind. @param {boolean} is @param {any} value */
export function only(is, value) {
	if (!is) throw new Unreadable();
	return value;
}

/** @param {number} most @returns {Read<string>} */
export const text = (most) => (value) =>
	only(typeof value === 'string' && value.length <= most, value);
/** @type {Read<number>} */
export const number = (value) => only(Number.isFinite(value), value);
/** @type {Read<boolean>} */
export const flag = (value) => only(typeof value === 'boolean', value);

/** What is left out is null, as in what earlier hosts say. @template Field @param {Read<Field>} read @returns {Read<Field | null>} */
export const maybe = (read) => (value) =>
	value === null || value === undefined ? null : read(value);

/** @template Field @param {number} most @param {Read<Field>} read @returns {Read<Field[]>} */
export const list = (most, read) => (values) =>
	only(Array.isArray(values) && values.length <= most, values).map(read);

/**
 * @template {Record<string, Read<any>>} Fields
 * @param {Fields} fields
 * @returns {Read<{ [Name in keyof Fields]: ReturnType<Fields[Name]> }>}
 */
export const record = (fields) => (value) => {
	only(typeof value === 'object' && value !== null, value);
	const read = Object.entries(fields).map(([name, of]) => [name, of(value[name])]);
	return Object.fromEntries(read);
};

/** @template Field @param {number} most @param {number} longest @param {Read<Field>} read @returns {Read<Record<string, Field>>} */
const map = (most, longest, read) => (value) => {
	const entries = Object.entries(only(typeof value === 'object' && value !== null, value));
	only(entries.length <= most, entries);
	return Object.fromEntries(entries.map(([name, of]) => [text(longest)(name), read(of)]));
};

/** An address, a hash or an account in digits. */
export const digits = text(100);
/** An amount in decimal digits. */
export const amount = text(50);
const name = text(100);
const url = text(500);
const shape = record({ bins: number, capacity: number, line: number });

const fields = record({
	api: number,
	token: text(200),
	version: name,
	host: flag,
	unknown_keys: list(1_000, text(200)),
	chain: record({
		name: maybe(name),
		place: text(1_000),
		contract: maybe(digits),
		variants: maybe(digits),
		symbol: maybe(name),
		decimals: maybe(number),
	}),
	public: flag,
	signing: maybe(
		record({
			genesis: digits,
			chain_id: maybe(number),
			wallet_rpc: maybe(url),
			relay: maybe(url),
			games: maybe(digits),
			variants: maybe(digits),
			stakes: maybe(digits),
			deployer: maybe(digits),
			ratio: amount,
			returns_deposits: maybe(flag),
		}),
	),
	witness: maybe(digits),
	// Earlier hosts count none.
	witnesses: (values) => list(200, digits)(values ?? []),
	index: flag,
	accounts: list(
		1_000,
		record({
			key: text(200),
			name: maybe(name),
			account: digits,
			address: digits,
			balance: maybe(amount),
			ethereum: flag,
		}),
	),
	names: map(1_000, 100, name),
	levels: list(100, name),
	shape: record({ standard: shape, least: shape, most: shape }),
	terms: record({
		least_players: number,
		most_players: number,
		most_power: number,
		least_limit: number,
		most_limit: number,
	}),
});

/**
 * What the page knows of it; null if it lacks what the page shows, or is of a version with other requests.
 * @param {any} said
 * @returns {Hello | null}
 */
export function readHello(said) {
	if (said?.api !== API) return null;
	try {
		return /** @type {any} */ (fields(said));
	} catch (error) {
		if (error instanceof Unreadable) return null;
		throw error;
	}
}

/** Whether a server has a lobby in which games by signed terms are found. @param {Hello} hello */
export const hasLobby = ({ signing }) => Boolean(signing && signing.chain_id !== null);
