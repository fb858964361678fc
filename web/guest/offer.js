// After the first game of a guest: the phrase is offered once, as the key is in this browser alone.

import { actButton, byId, el } from '../dom/elements.js';
import { current, subscribe } from '../store.js';
import { texts } from '../words/guest.js';
import { guest } from './account.js';
import { wasOffered } from './phrases.js';
import { FORGETS, mayForget, wordsOf } from './words.js';

/** @import { Player } from '../host/journal.js' */

const title = el('h2', { id: 'offer-title', tabindex: '-1' }, texts.keepGuest);
const body = el('div', { class: 'part' });
const card = el(
	'section',
	{ id: 'offer', class: 'card', 'aria-labelledby': title.id },
	title,
	body,
);

/** The game after which it was offered. */
let after = '';
subscribe(() => {
	if (current().view?.game !== after) card.remove();
});

/** Offers the phrase of the guest who has played the game that is shown. @param {string} game */
export async function offer(game) {
	if (after === game) return;
	after = game;
	const player = await guest().catch(() => null);
	if (!player || wasOffered(player.account)) return;
	const forgets = await mayForget();
	if (current().view?.game !== game) return;
	ask(player, forgets);
	byId('record').before(card);
}

/** @param {Player} player @param {boolean} forgets */
function ask(player, forgets) {
	body.replaceChildren(
		el('p', { class: 'quiet' }, texts.keepWhy),
		forgets ? el('p', { class: 'wrong' }, FORGETS) : '',
		el(
			'div',
			{ class: 'row' },
			actButton(texts.showPhrase, () => show(player)),
			actButton(texts.notNow, () => card.remove()),
		),
	);
}

/** @param {Player} player */
function show(player) {
	body.replaceChildren(
		...wordsOf(
			player,
			actButton(texts.done, () => card.remove()),
		),
	);
	title.focus();
}
