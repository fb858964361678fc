// All games of a player, page by page, by result and by kind.

import { el } from '../dom/elements.js';
import { personLink, personText } from '../state/people/words.js';
import { texts } from '../words/people.js';
import { gameRow, lagNote } from './parts.js';

/** @import { GamesPage, Person } from '../wire.d.ts' */

/** Filters of the history by their names in addresses; the empty one keeps all games. */
const FILTERS = {
	result: {
		label: texts.results,
		all: texts.allResults,
		values: {
			won: texts.won,
			drawn: texts.drawn,
			lost: texts.lost,
			aborted: texts.noResult,
			open: texts.underWay,
		},
	},
	kind: {
		label: texts.kinds,
		all: texts.allKinds,
		values: {
			classic: texts.classic,
			variant: texts.variants,
			signed: texts.offChain,
		},
	},
};

/**
 * The query of the history that the query of an address stands for.
 * @param {string} account @param {URLSearchParams} query
 */
export function historyQuery(account, query) {
	const asked = new URLSearchParams({ account });
	for (const name of [...Object.keys(FILTERS), 'before']) {
		const value = query.get(name);
		if (value) asked.set(name, value);
	}
	return asked;
}

/**
 * @param {GamesPage} page @param {Person} account
 * @param {URLSearchParams} query of the address
 * @param {number} now in seconds since 1970
 * @returns {Node[]}
 */
export function gamesView({ games, next, index }, account, query, now) {
	/** The address with something else in its query. @param {Record<string, string>} changes */
	const path = (changes) => {
		const asked = historyQuery('', query);
		for (const [name, value] of Object.entries({ account: '', ...changes })) {
			if (value) asked.set(name, value);
			else asked.delete(name);
		}
		return `${personLink(account)}/games${asked.size ? `?${asked}` : ''}`;
	};
	const tabs = Object.entries(FILTERS).map(([name, { label, all, values }]) => {
		const chosen = query.get(name) ?? '';
		return el(
			'nav',
			{ class: 'tabs', 'aria-label': label },
			...Object.entries({ '': all, ...values }).map(([value, text]) =>
				el(
					'a',
					{
						href: path({ [name]: value, before: '' }),
						'aria-current': value === chosen ? 'page' : null,
					},
					text,
				),
			),
		);
	});
	const isFiltered = Object.keys(FILTERS).some((name) => query.get(name));
	const noneAtAll = isFiltered ? texts.noSuchGame : texts.noGame;
	// So many games are looked at for a page.
	const none = next ? texts.noneFits : noneAtAll;
	return [
		el(
			'header',
			{ class: 'person-head' },
			el('h1', {}, texts.gamesOf(personText(account))),
			el(
				'p',
				{ class: 'quiet' },
				texts.newestFirst,
				' · ',
				el(
					'a',
					{ href: personLink(account), title: account.address, class: 'person' },
					texts.profileOf(personText(account)),
				),
			),
		),
		...lagNote(index),
		el('div', { class: 'filters' }, ...tabs),
		el(
			'section',
			{ class: 'card', id: 'all-games', 'aria-label': texts.games },
			games.length
				? el(
						'ul',
						{ class: 'games' },
						...games.map((game) => gameRow(game, { viewer: account, now })),
					)
				: el('p', { class: 'quiet' }, none),
			...pages(query.has('before') ? path({ before: '' }) : null, next && path({ before: next })),
		),
	];
}

/** Links to the first page and to the next one. @param {string | null} newest @param {string | null} older */
function pages(newest, older) {
	const links = [
		...(newest ? [el('a', { class: 'button small', href: newest }, texts.newestGames)] : []),
		...(older ? [el('a', { class: 'button small', href: older }, texts.olderGames)] : []),
	];
	return links.length ? [el('nav', { class: 'pages', 'aria-label': texts.pages }, ...links)] : [];
}
