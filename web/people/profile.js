// The profile of a player: rating, results, games that go on, series against others.

import { el, portrait, svg } from '../dom/elements.js';
import { smallBoard } from '../dom/small-board.js';
import { plot, plotText } from '../state/people/plot.js';
import {
	ago,
	boardName,
	games,
	isOfProgram,
	isWitnessed,
	kindName,
	leagueName,
	personLink,
	personText,
	summed,
} from '../state/people/words.js';
import { capital, number } from '../words/forms.js';
import { texts } from '../words/people.js';
import {
	card,
	gameLink,
	gameRow,
	lagNote,
	playerLink,
	programMark,
	seatDisc,
	tallyBar,
} from './parts.js';

/** @import { AccountAgainst, AccountProfile, IndexedGame, Person, Ranked, RatingPoint, ResultsOf } from '../wire.d.ts' */

const BOX = { width: 640, height: 220, left: 44, right: 14, top: 14, bottom: 14 };
/** Points that a table lists at first; more make a page long. */
const ROWS = 200;

/**
 * @param {AccountProfile} profile @param {AccountAgainst | null} against
 * @param {number} now in seconds since 1970
 * @returns {Node[]}
 */
export function profileView(profile, against, now) {
	const { account, games: count, standings, points, open, last, series } = profile;
	const rated = mostPlayed(standings);
	const viewer = account;
	const rest = last.filter(({ how }) => how !== null);
	return [
		el(
			'header',
			{ class: 'person-head' },
			el(
				'h1',
				{},
				portrait(account.address),
				capital(personText(account)),
				...programMark(isOfProgram(profile)),
			),
			el('p', { class: 'address' }, account.address),
		),
		...lagNote(profile.index),
		figures(profile, rated),
		el(
			'div',
			{ class: 'people-grid' },
			el(
				'div',
				{ class: 'column' },
				card(
					'rating',
					rated ? texts.ratingOf(leagueName(rated.league).toLowerCase()) : texts.rating,
					...ratingPlot(points, now),
				),
				card('results', texts.results, ...resultsOf(profile)),
				...(standings.length > 1 ? [card('leagues', texts.byKindOfGame, leagues(standings))] : []),
				card('series-here', texts.againstOthers, ...seriesList(series, profile)),
			),
			el(
				'div',
				{ class: 'column' },
				...(open.length
					? [card('open-here', texts.gamesUnderWay, openGames(open, account.address))]
					: []),
				...(against ? [againstCard(against, now)] : []),
				card(
					'last-games',
					texts.lastGames,
					rest.length
						? el('ul', { class: 'games' }, ...rest.map((game) => gameRow(game, { viewer, now })))
						: el('p', { class: 'quiet' }, texts.noEndedGame),
					...(count ? [allGames(account, count)] : []),
				),
			),
		),
	];
}

/**
 * The pool of signed games in which a player has played most, as the host chooses the points of it.
 * @param {Ranked[]} standings
 */
const mostPlayed = (standings) =>
	standings
		.filter(({ league }) => isWitnessed(league))
		.reduce(
			(/** @type {Ranked | null} */ most, of) => (most && most.rated >= of.rated ? most : of),
			null,
		);

/** The way to all games of an account. @param {Person} account @param {number} count */
const allGames = (account, count) =>
	el(
		'p',
		{ class: 'pages' },
		el(
			'a',
			{ class: 'button small', href: `${personLink(account)}/games` },
			count === 1 ? texts.onlyGame : texts.allGames(count),
		),
	);

/** @param {AccountProfile} profile @param {Ranked | null} rated */
function figures({ games: count, results, open }, rated) {
	const sum = results.reduce(
		(all, { results: { wins, draws, losses } }) => ({
			wins: all.wins + wins,
			draws: all.draws + draws,
			losses: all.losses + losses,
		}),
		{ wins: 0, draws: 0, losses: 0 },
	);
	const ended = games(sum);
	/** @param {string} name @param {string} value @param {string} [more] */
	const figure = (name, value, more = '') =>
		el(
			'div',
			{ class: 'figure' },
			el('dt', {}, name),
			el('dd', {}, el('b', {}, value), ...(more ? [' ', el('small', {}, more)] : [])),
		);
	return el(
		'dl',
		{ class: 'figures' },
		figure(
			texts.rating,
			rated ? String(rated.rating) : '–',
			rated ? texts.placeOf(rated.rank) : texts.noRated,
		),
		figure(texts.games, number(count), open.length ? texts.underWayCount(open.length) : ''),
		figure(
			texts.won,
			ended ? texts.percent(Math.round((100 * sum.wins) / ended)) : '–',
			ended ? texts.of(sum.wins, ended) : '',
		),
		figure(texts.drawn, number(sum.draws)),
		figure(texts.lost, number(sum.losses)),
	);
}

/** @param {RatingPoint[]} points @param {number} now @returns {Node[]} */
function ratingPlot(points, now) {
	if (!points.length) {
		return [el('p', { class: 'quiet' }, texts.noRatedHelp)];
	}
	const { line, area, lines, last } = plot(points, BOX);
	const right = BOX.width - BOX.right;
	const title = svg('title', { id: 'plot-title' });
	title.append(texts.ratingOverTime);
	const text = svg('desc', { id: 'plot-text' });
	text.append(plotText(points));
	const drawn = svg(
		'svg',
		{
			class: 'plot',
			viewBox: `0 0 ${BOX.width} ${BOX.height}`,
			role: 'img',
			'aria-labelledby': 'plot-title plot-text',
		},
		title,
		text,
		...lines.flatMap(({ rating, y }) => {
			const label = svg('text', { x: BOX.left - 8, y: y + 4 });
			label.append(String(rating));
			return [svg('line', { x1: BOX.left, x2: right, y1: y, y2: y }), label];
		}),
		svg('path', { class: 'area', d: area }),
		svg('path', { class: 'line', d: line }),
		...(last ? [svg('circle', { cx: last.x, cy: last.y, r: 4.5 })] : []),
	);
	const rows = [...points].reverse().slice(0, ROWS);
	return [
		drawn,
		el(
			'details',
			{},
			el('summary', {}, texts.asTable),
			el(
				'div',
				{
					class: 'scroll-table',
					tabindex: 0,
					role: 'group',
					'aria-label': texts.ratingAfterEach,
				},
				el(
					'table',
					{},
					el(
						'thead',
						{},
						el(
							'tr',
							{},
							el('th', { scope: 'col' }, texts.game),
							el('th', { scope: 'col' }, texts.ended),
							el('th', { scope: 'col' }, texts.rating),
						),
					),
					el(
						'tbody',
						{},
						...rows.map(({ game, time, rating }) =>
							el(
								'tr',
								{},
								el('td', {}, gameLink({ game })),
								el('td', {}, ago(time, now) || texts.notKnown),
								el('td', {}, String(rating)),
							),
						),
					),
				),
			),
		),
	];
}

/** @param {AccountProfile} profile @returns {Node[]} */
function resultsOf({ results }) {
	if (!results.length) return [el('p', { class: 'quiet' }, texts.noEndedGame)];
	/** @param {string} name @param {(row: ResultsOf) => string} key @param {(key: string) => (Node | string)[]} label */
	const table = (name, key, label) =>
		el(
			'table',
			{ class: 'results' },
			el('caption', {}, name),
			el(
				'tbody',
				{},
				...summed(results, key).map(([of, tally]) =>
					el('tr', {}, el('th', { scope: 'row' }, ...label(of)), el('td', {}, tallyBar(tally))),
				),
			),
		);
	const names = ['red', 'blue', 'green', 'yellow'];
	const tables = [
		table(
			texts.byColour,
			({ seat }) => String(seat),
			(seat) => [seatDisc(Number(seat)), ` ${capital(names[Number(seat)] ?? '')}`],
		),
		table(
			texts.byBoard,
			({ shape }) => boardName(shape),
			(board) => [board],
		),
	];
	if (new Set(results.map(({ kind }) => kind)).size > 1) {
		tables.push(
			table(
				texts.byKind,
				({ kind }) => kind,
				(kind) => [capital(kindName(kind))],
			),
		);
	}
	return tables;
}

/** @param {Ranked[]} standings */
const leagues = (standings) =>
	el(
		'table',
		{ class: 'results' },
		el('caption', { class: 'unseen' }, texts.ratings),
		el(
			'tbody',
			{},
			...standings.map(({ league, rating, rank, program }) =>
				el(
					'tr',
					{},
					el('th', { scope: 'row' }, leagueName(league)),
					el(
						'td',
						{},
						el('b', {}, String(rating)),
						` ${texts.placeOf(rank)}`,
						...programMark(program),
					),
				),
			),
		),
	);

/** @param {IndexedGame[]} open @param {string} address */
const openGames = (open, address) =>
	el(
		'ul',
		{ class: 'open-games' },
		...open.map((game) => {
			const others = game.players.filter((player) => player.address !== address);
			const isTurn = game.to_move !== null && game.players[game.to_move]?.address === address;
			const turn = isTurn ? texts.toMove : texts.waits;
			return el(
				'li',
				{ 'data-turn': String(isTurn) },
				...(game.position ? [smallBoard(game.position, game.last)] : []),
				el(
					'span',
					{ class: 'about' },
					gameLink(game),
					el(
						'span',
						{ class: 'pair' },
						...texts.againstPlayers(others.map((other) => playerLink(other))),
					),
					el('span', { class: 'turn-note' }, turn),
				),
			);
		}),
	);

/**
 * @param {AccountProfile['series']} series @param {AccountProfile} profile
 * @returns {Node[]}
 */
function seriesList(series, { account }) {
	if (!series.length) return [el('p', { class: 'quiet' }, texts.noGameOfTwo)];
	const path = `/player/${account.name ?? account.address}`;
	return [
		el(
			'ul',
			{ class: 'series' },
			...series.map(({ opponent, results }) => {
				const name = personText(opponent);
				return el(
					'li',
					{},
					playerLink(opponent),
					tallyBar(results),
					el(
						'a',
						{
							href: `${path}?against=${opponent.name ?? opponent.address}#against`,
							'aria-label': texts.gamesAgainst(name),
							class: 'button small',
						},
						texts.games,
					),
				);
			}),
		),
	];
}

/** @param {AccountAgainst} against @param {number} now */
function againstCard({ account, series, games: list }, now) {
	return card(
		'against',
		texts.against(personText(series.opponent)),
		tallyBar(series.results),
		el('p', { class: 'quiet' }, texts.gamesNewest(list.length)),
		el('ul', { class: 'games' }, ...list.map((game) => gameRow(game, { viewer: account, now }))),
	);
}
