// Games by signed terms of an earlier version of this page: no relay knows them any more, and they can be saved.

import { actButton, byId, el } from '../dom/elements.js';
import { openJournal } from '../host/journal.js';
import { BY_TERMS } from '../state/here.js';
import { recall } from '../storage.js';
import { texts } from '../words/terms.js';

/** @import { KeptByTerms } from '../state/types.d.ts'
 * @import { GameId } from '../wire.d.ts' */

const part = el('section', {
	id: 'old-games',
	class: 'card',
	'aria-labelledby': 'old-games-title',
});

/** The games that did not end, the newest first. @returns {Promise<[GameId, KeptByTerms][]>} */
async function games() {
	const listed = recall(BY_TERMS, /** @type {Record<GameId, KeptByTerms>} */ ({}));
	const journal = await openJournal().catch(() => null);
	// Those that the list had no room for.
	const begun = (await journal?.begun().catch(() => [])) ?? [];
	journal?.close();
	const all = { ...Object.fromEntries(begun.map(({ game, ...of }) => [game, of])), ...listed };
	return Object.entries(all)
		.filter(([, { over }]) => !over)
		.reverse();
}

/** Saves what was signed in a game: its terms, and its book. @param {GameId} game @param {KeptByTerms} of */
async function save(game, of) {
	const { key = '', chain_id: chain, contract } = of;
	const journal = await openJournal();
	const book = await journal.bookOf(key, `terms/${chain}/${contract}/${game}`).catch(() => null);
	journal.close();
	const text = JSON.stringify({ game, ...of, book }, null, '\t');
	const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
	el('a', { href: url, download: `connect4-${game.slice(0, 10)}.json` }).click();
	URL.revokeObjectURL(url);
}

/** Lists the games in the lobby. */
export async function showOldGames() {
	const all = await games();
	if (!all.length) return part.remove();
	part.replaceChildren(
		el('h2', { id: 'old-games-title' }, texts.oldGames),
		el('p', { class: 'quiet' }, texts.oldGamesHelp),
		el(
			'ul',
			{},
			...all.map(([game, of]) =>
				el(
					'li',
					{ 'data-game': game },
					el('span', {}, texts.oldGame(of.opponent, of.turns)),
					actButton(texts.saveOld, () => save(game, of)),
				),
			),
		),
	);
	byId('seeks').after(part);
}
