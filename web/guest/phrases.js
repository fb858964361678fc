// Of which guests the phrase was shown in this browser, or typed in: the others can be played here alone.

import { changeKept, recall } from '../storage.js';

/** In the browser's storage: accounts, the newest last. */
const SHOWN = 'phrases';
/** In the browser's storage: accounts to which the phrase was offered after a game. */
const OFFERED = 'phrases-offered';
const MOST = 100;
/** @type {string[]} */
const NONE = [];

/** @param {string} name @param {string} account */
const add = (name, account) =>
	changeKept(name, NONE, (all) => [...all.filter((one) => one !== account), account].slice(-MOST));

/** @param {string} account */
export const isPhraseKnown = (account) => recall(SHOWN, NONE).includes(account);

/** @param {string} account */
export const phraseIsKnown = (account) => add(SHOWN, account);

/** Whether the phrase was offered before; from now on it was. @param {string} account */
export function wasOffered(account) {
	if (isPhraseKnown(account) || recall(OFFERED, NONE).includes(account)) return true;
	add(OFFERED, account);
	return false;
}
