// The parts of the game's screen that variants have and the classic game has not, made once.

import { byId, el, find, icon } from '../elements.js';
import { addSymbols } from './symbols.js';

addSymbols();

/** The cards of the players. */
export const players = el('div', { id: 'variant-players', class: 'of-variant' });
/** The kinds of moves that can be picked. */
export const hand = el('div', {
	id: 'hand',
	class: 'of-variant',
	role: 'toolbar',
	'aria-label': 'Moves',
});
/** What players can do apart from moves. */
export const actions = el('section', {
	id: 'variant-actions',
	class: 'of-variant',
	'aria-label': 'Actions',
});
/** What is rarely needed: the seats that are played here, and the computers. */
export const more = el(
	'details',
	{ id: 'variant-more', class: 'of-variant' },
	el('summary', {}, 'More'),
);

byId('players').after(players);
find(byId('stage'), '.under').after(hand);
byId('actions').after(actions);
byId('more').after(more);
find(byId('keys'), 'dl').before(
	el(
		'dl',
		{ class: 'of-variant' },
		...['T', 'F'].flatMap((key) =>
			keyHelp([key], `${key === 'T' ? 'take' : 'float'}; then bin and row`),
		),
		...keyHelp(['R'], 'clear; then the row'),
		...keyHelp(['P'], 'pop out; then the bin'),
		...keyHelp(['S'], 'swap colours'),
		...keyHelp(['Esc'], 'cancel what is picked'),
	),
);

/** @param {string[]} keys @param {string} text */
function keyHelp(keys, text) {
	return [el('dt', {}, ...keys.map((key) => el('kbd', {}, key))), el('dd', {}, text)];
}

/**
 * A button of a part.
 * @param {string} act what it does, for `watchParts`
 * @param {string} text @param {Record<string, string | number | null>} attributes
 */
export const partButton = (act, text, { class: kind = '', ...attributes } = {}) =>
	/** @type {HTMLButtonElement} */ (
		el('button', { type: 'button', class: `button ${kind}`, 'data-act': act, ...attributes }, text)
	);

/** A small icon. @param {string} kind of a power */
export const powerIcon = (kind) => icon(`i-${kind}`);
