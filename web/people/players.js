// The standings, page by page.

import { el } from '../dom/elements.js';
import { apart } from '../state/apart.js';
import {
	FIRST_LEAGUE,
	games,
	isWitnessed,
	leagueName,
	leagueOf,
	OF_PEOPLE,
	ON_CHAIN,
	personText,
} from '../state/people/words.js';
import { number } from '../words/forms.js';
import { texts } from '../words/people.js';
import { digitsMark, lagNote, playerLink, programMark, tallyBar } from './parts.js';

/** @import { StandingsPage } from '../wire.d.ts' */

/**
 * @param {StandingsPage} page @param {string} league
 * @returns {Node[]}
 */
export function playersView({ accounts, before, witnessed, rows, index }, league) {
	const path = (/** @type {string} */ of, /** @type {number} */ from) => {
		const query = new URLSearchParams();
		if (of !== FIRST_LEAGUE) query.set('league', of);
		if (from) query.set('before', String(from));
		return `/players${query.size ? `?${query}` : ''}`;
	};
	const next = before + rows.length;
	const digits = apart(
		rows,
		({ account }) => account.address,
		({ account }) => personText(account),
	);
	const size = Math.max(rows.length, 50);
	const names = new Set([...OF_PEOPLE, ...witnessed.map(leagueOf), ...ON_CHAIN, league]);
	const tabs = [...names].map((name) =>
		el(
			'a',
			{ href: path(name, 0), 'aria-current': name === league ? 'page' : null },
			leagueName(name),
		),
	);
	const isLarge = league === leagueOf(3);
	const heads = [texts.place, texts.player, texts.rating, texts.wonDrawnLost, texts.games];
	return [
		el('h1', {}, texts.players),
		el('nav', { class: 'tabs', 'aria-label': texts.kinds }, ...tabs),
		...lagNote(index),
		el(
			'section',
			{ class: 'card', 'aria-label': texts.standings },
			...(rows.length
				? [
						el(
							'table',
							{ class: 'standings' },
							el(
								'thead',
								{},
								el('tr', {}, ...heads.map((head) => el('th', { scope: 'col' }, head))),
							),
							el(
								'tbody',
								{},
								...rows.map((row) =>
									el(
										'tr',
										{ 'data-rank': row.rank },
										el('td', { class: 'rank' }, number(row.rank)),
										el(
											'td',
											{ class: 'player-cell' },
											playerLink(row.account),
											...digitsMark(digits(row)),
											...programMark(row.program),
										),
										el('td', { class: 'rating-cell' }, String(row.rating)),
										el('td', { class: 'tally-cell' }, tallyBar(row)),
										el('td', { class: 'games-cell' }, number(games(row))),
									),
								),
							),
						),
					]
				: [el('p', { class: 'quiet' }, texts.nobodyRated)]),
			el(
				'p',
				{ class: 'pages' },
				...(before
					? [
							el(
								'a',
								{ class: 'button small', href: path(league, Math.max(0, before - size)) },
								texts.before,
							),
						]
					: []),
				el('span', { class: 'quiet' }, texts.playersCount(accounts)),
				...(next < accounts
					? [el('a', { class: 'button small', href: path(league, next) }, texts.next)]
					: []),
			),
		),
		el(
			'p',
			{ class: 'quiet' },
			isLarge ? texts.ratingsOfPool : texts.ratingsOfStandard,
			...(isWitnessed(league) ? [' ', texts.ratingsOffChain] : []),
		),
	];
}
