// The open tables of the lobby.

import { termsText } from '../../state/words.js';
import { texts } from '../../words/variant.js';
import { byId, el, refill, show } from '../elements.js';
import { listedPlayers } from '../lobby.js';
import { tableButtons } from './table.js';

/** @import { State } from '../../state/types.d.ts'
 * @import { ListedGame } from '../../wire.d.ts' */

const list = el('ul', {});
const card = el(
	'section',
	{ id: 'tables', class: 'card', 'aria-labelledby': 'tables-title', hidden: '' },
	el('h2', { id: 'tables-title' }, texts.openTables),
	list,
);
byId('games').closest('.card')?.before(card);

/** @param {State} state */
export function renderTables(state) {
	const tables = state.games?.tables ?? [];
	show(card, tables.length);
	refill(
		list,
		tables.map((table) => item(state, table)),
	);
}

/** @param {State} state @param {ListedGame} table */
function item(state, table) {
	const { game, players, terms } = table;
	const there = players.filter(({ joined }) => joined).length;
	return el(
		'li',
		{ 'data-game': game },
		el(
			'a',
			{ href: `/game/${game}` },
			...texts.table(game, there, players.length, (text) => el('b', {}, text)),
		),
		...(state.hello ? [listedPlayers(state.hello, table)] : []),
		el('span', { class: 'quiet' }, terms ? termsText(terms) : ''),
		// What a wallet signs for is looked at before, with what a node has of it.
		...(state.hello?.public ? [] : [el('span', { class: 'row' }, ...tableButtons(state, table))]),
	);
}
