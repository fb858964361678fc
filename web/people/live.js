// Games that go on, as small boards that move.

import { el } from '../dom/elements.js';
import { smallBoard } from '../dom/small-board.js';
import { agreedOn } from '../state/by-terms.js';
import {
	ago,
	boardName,
	gamePath,
	inLine,
	kindName,
	leftText,
	standing,
} from '../state/people/words.js';
import { texts } from '../words/people.js';
import { gameLink, lagNote, playersOf, seated } from './parts.js';

/** @import { GameInRoom, GamesNow, IndexedGame } from '../wire.d.ts' */

/**
 * @param {GamesNow} said @param {number} now in seconds since 1970
 * @returns {Node[]}
 */
export function liveView({ games, in_rooms: inRooms, index }, now) {
	return [
		el('h1', {}, texts.live),
		...lagNote(index),
		games.length || inRooms.length
			? el(
					'ul',
					{ class: 'live' },
					...inRooms.map((game) => roomGame(game, now)),
					...games.map((game) => liveGame(game, now)),
				)
			: el('p', { class: 'quiet' }, texts.nobodyPlays),
	];
}

/** A game by signed terms, which its room shows move by move. @param {GameInRoom} of @param {number} now */
function roomGame(of, now) {
	const { game, players, programs, shape, plies, position, since, swapped, ...agreed } = of;
	const facts = [
		...(position ? [] : [boardName(shape)]),
		...agreedOn(agreed),
		texts.moves(plies),
		texts.since(ago(since, now)),
	];
	return el(
		'li',
		{ class: 'live-game', 'data-game': game, 'data-plies': plies },
		watchLink(of),
		el(
			'div',
			{ class: 'sides' },
			...players.map((player, seat) =>
				seated(player, seat, { moves: of.to_move === seat, swapped, program: programs[seat] }),
			),
		),
		el('p', { class: 'facts' }, gameLink(of), ` ${inLine(facts)}`),
	);
}

/** A board that leads to its game; where it is not known, words do. @param {Pick<IndexedGame, 'game' | 'position' | 'last'>} of */
const watchLink = ({ game, position, last }) =>
	el(
		'a',
		{
			href: gamePath({ game }),
			class: position ? 'watch' : 'button small',
			'aria-label': texts.watchGame(game),
		},
		position ? smallBoard(position, last) : texts.watch,
	);

/** @param {IndexedGame} game @param {number} now */
function liveGame(game, now) {
	const left = leftText(game.deadline, now);
	const facts = [
		game.kind === 'classic' ? null : kindName(game.kind),
		game.position && game.kind === 'classic' ? null : boardName(game.shape),
		texts.moves(game.plies),
		ago(game.moved, now),
	];
	return el(
		'li',
		{ class: 'live-game', 'data-game': game.game, 'data-plies': game.plies },
		watchLink(game),
		el('div', { class: 'sides' }, ...playersOf(game, left)),
		el('p', { class: 'facts' }, gameLink(game), ` ${standing(game)} · ${inLine(facts)}`),
	);
}
