// A phrase as it is shown, and what to know of where it is kept.

import { actButton, el } from '../dom/elements.js';
import { copyText } from '../input.js';
import { texts } from '../words/guest.js';
import { phraseIsKnown } from './phrases.js';

/** @import { Player } from '../host/journal.js' */

const PATH = 'm/44’/60’/0’/0/0';

/**
 * Shows the phrase of a guest.
 * @param {Player} player @param {Element} close the button that hides it
 */
export function wordsOf({ account, phrase = '' }, close) {
	phraseIsKnown(account);
	const copy = actButton(texts.copy, async () => {
		const done = await copyText(phrase);
		copy.textContent = done ? texts.copied : texts.copyByHand;
	});
	return [
		el(
			'ol',
			{ class: 'words', 'aria-label': texts.phrase },
			...phrase.split(' ').map((word) => el('li', {}, word)),
		),
		el('p', { class: 'quiet' }, texts.phraseHelp(PATH)),
		el('div', { class: 'row' }, copy, close),
	];
}

/** Whether this browser may delete what it keeps for the page; false if it says nothing about it. */
export const mayForget = async () =>
	(await globalThis.navigator?.storage?.persisted?.().catch(() => null)) === false;

/** What a guest should know of that. */
export const FORGETS = texts.forgets;
