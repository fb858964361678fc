// What the page says of a server that it does not reach or understand: only what it knows, by what serves it and what
// it has tried.

import { texts } from '../words/page.js';

/** @import { Reach } from './types.d.ts'
 * @import { Hello } from '../wire.d.ts' */

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
			return texts.theProgram;
		case 'host':
			return name ? texts.hostNamed(name) : texts.theHost;
		default:
			return name ? texts.serverNamed(name) : texts.theServer;
	}
}

/** @param {Reach} reach @param {Hello | null} hello */
function noAnswer(reach, hello) {
	const { names } = reach;
	return names.length > 1 ? texts.noHostAnswers(names) : texts.noAnswer(subject(reach, hello));
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
	if (lacksNetwork(reach, hello)) return texts.noAnswerNoNetwork(what);
	switch (kindOf(reach, hello)) {
		case 'program':
			return texts.checkProgram(what);
		case 'host':
			return texts.checkNetwork(what);
		default:
			return texts.checkBoth(what);
	}
}

/** @param {Reach} reach @param {Hello | null} hello @param {number} patience in milliseconds */
export const late = (reach, hello, patience) => texts.late(subject(reach, hello), patience / 1000);

/** A proxy has answered in place of a server. @param {Reach} reach @param {Hello | null} hello @param {number} status */
export const behindProxy = (reach, hello, status) =>
	texts.behindProxy(subject(reach, hello), status);

/** @param {Reach} reach @param {Hello | null} hello @param {number} status */
export const failed = (reach, hello, status) => texts.failed(subject(reach, hello), status);

/** @param {Reach} reach @param {Hello | null} hello */
export const unreadable = (reach, hello) => texts.unreadable(subject(reach, hello));

/** @param {Reach} reach @param {Hello | null} hello */
export const tooLong = (reach, hello) => texts.tooLong(subject(reach, hello));

/** What a server says of itself is not understood. @param {Reach} reach */
export const unknownHello = (reach) => texts.unknownHello(subject(reach, null));

/** The same in two words. @param {Reach} reach @param {Hello | null} hello */
export const lostBriefly = (reach, hello) =>
	({ program: texts.programOffline, host: texts.hostOffline, unknown: texts.serverOffline })[
		kindOf(reach, hello)
	];

/** The socket to the server has broken. @param {Reach} reach @param {Hello | null} hello */
export function lost(reach, hello) {
	if (reach.isGivenUp) return tooLong(reach, hello);
	const what = noAnswer(reach, hello);
	const text = lacksNetwork(reach, hello) ? texts.lostNoNetwork(what) : texts.lost(what);
	// The files of the page are there all the same.
	return reach.isKept || reach.isNamed ? `${text} ${texts.stillWorks}` : text;
}
