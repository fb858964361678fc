// What the page says of a server that it does not reach or understand: only what it knows, by what serves it and what
// it has tried. The words for that are here alone.

/** @import { Hello, Reach } from './types.d.ts' */

/** What is known before anything was asked. @type {Reach} */
export const NOTHING_TRIED = {
	names: [],
	isNamed: false,
	isKept: false,
	isLocal: false,
	isOffline: false,
	isGivenUp: false,
};

/** Hosts that need no network. @param {string} hostname as in a URL */
export const isLoopback = (hostname) => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

/**
 * What was asked: a program behind `serve`, which its players run themselves, a public host, or what has not said
 * what it is. Hosts alone are named by a page or keep theirs in the browser.
 * @param {Reach} reach @param {Hello | null} hello
 */
function kindOf({ isNamed, isKept }, hello) {
	if (hello) return hello.public ? 'host' : 'program';
	return isNamed || isKept ? 'host' : 'unknown';
}

/** What was asked last, as the subject of a sentence. @param {Reach} reach @param {Hello | null} hello */
function subject(reach, hello) {
	const name = reach.names.at(-1) ?? '';
	switch (kindOf(reach, hello)) {
		case 'program':
			return 'The program that serves this page';
		case 'host':
			return name ? `The host ${name}` : 'The host';
		default:
			return name ? `The server of this page, ${name},` : 'The server of this page';
	}
}

/** @param {Reach} reach @param {Hello | null} hello */
function noAnswer(reach, hello) {
	const { names } = reach;
	return names.length > 1
		? `None of the hosts ${names.join(', ')} answers`
		: `${subject(reach, hello)} does not answer`;
}

/**
 * Whether the lack of a network may be why there is no answer. A browser that says that there is one knows of the
 * device's link alone, and may say so of a page that it has kept without having looked.
 * @param {Reach} reach @param {Hello | null} hello
 */
const lacksNetwork = (reach, hello) =>
	reach.isOffline && !(reach.isLocal && kindOf(reach, hello) === 'program');

/** What was asked for did not reach a server. @param {Reach} reach @param {Hello | null} hello */
export function unreached(reach, hello) {
	const what = noAnswer(reach, hello);
	if (lacksNetwork(reach, hello)) {
		return `${what}, and this device has no network: try again when it has.`;
	}
	switch (kindOf(reach, hello)) {
		case 'program':
			return `${what}: check that it is running, then try again.`;
		case 'host':
			return `${what}. If no other site opens either, this device has no network that reaches it; else try again later.`;
		default:
			return `${what}: check that it is running and that this device has a network, then try again.`;
	}
}

/** @param {Reach} reach @param {Hello | null} hello @param {number} patience in milliseconds */
export const late = (reach, hello, patience) =>
	`${subject(reach, hello)} has not answered for ${patience / 1000} seconds. The answer may still come: wait a little, or reload the page.`;

/** A proxy has answered in place of a server. @param {Reach} reach @param {Hello | null} hello @param {number} status */
export const behindProxy = (reach, hello, status) =>
	`${subject(reach, hello)} is not reached by the proxy before it (${status}): try again.`;

/** @param {Reach} reach @param {Hello | null} hello @param {number} status */
export const failed = (reach, hello, status) =>
	`${subject(reach, hello)} has answered with an error (${status}): try again.`;

/** @param {Reach} reach @param {Hello | null} hello */
export const unreadable = (reach, hello) =>
	`${subject(reach, hello)} has answered what can’t be read: reload the page, or use another host.`;

/** @param {Reach} reach @param {Hello | null} hello */
export const tooLong = (reach, hello) =>
	`${subject(reach, hello)} has sent more than this page reads: load the page again, or use another host.`;

/** What a server says of itself is not understood. @param {Reach} reach */
export const unknownHello = (reach) =>
	`What ${subject(reach, null).replace('The', 'the')} says of itself can’t be read, as it may be of another version than this page: reload the page, or use another host.`;

/** The same in two words. @param {Reach} reach @param {Hello | null} hello */
export const lostBriefly = (reach, hello) =>
	({ program: 'program offline', host: 'host offline', unknown: 'server offline' })[
		kindOf(reach, hello)
	];

/** The socket to the server has broken. @param {Reach} reach @param {Hello | null} hello */
export function lost(reach, hello) {
	if (reach.isGivenUp) return tooLong(reach, hello);
	const network = lacksNetwork(reach, hello) ? ', and this device has no network' : '';
	// The files of the page are there all the same.
	const works =
		reach.isKept || reach.isNamed
			? ' Games at this screen and against the computer, puzzles and records work without it.'
			: '';
	return `${noAnswer(reach, hello)}${network}. Trying again.${works}`;
}
