// Games that go on, as small boards that move.

import { el } from '../dom/elements.js';
import { agreedOn } from '../state/by-terms.js';
import {
	ago,
	boardName,
	counted,
	gamePath,
	kindName,
	leftText,
	standing,
} from '../state/people/words.js';
import { amountText } from '../state/text.js';
import {
	gameLink,
	lagNote,
	playerLink,
	playersOf,
	programMark,
	seatDisc,
	smallBoard,
} from './parts.js';

/** @import { GameInRoom, GamesNow, IndexedGame, Token } from '../state/types.d.ts' */

/**
 * @param {GamesNow} said @param {{ now: number, token: Token }} seen
 * @returns {Node[]}
 */
export function liveView({ games, in_rooms: inRooms, index }, seen) {
	return [
		el('h1', {}, 'Live games'),
		...lagNote(index),
		games.length || inRooms.length
			? el(
					'ul',
					{ class: 'live' },
					...inRooms.map((game) => roomGame(game, seen.now)),
					...games.map((game) => liveGame(game, seen)),
				)
			: el('p', { class: 'quiet' }, 'Nobody plays at the moment.'),
	];
}

/** A game by signed terms, which its room shows move by move. @param {GameInRoom} game @param {number} now */
function roomGame({ game, players, programs, shape, plies, since, ...agreed }, now) {
	const facts = [
		boardName(shape),
		...agreedOn(agreed),
		counted(plies, 'move'),
		`since ${ago(since, now)}`,
	];
	const at = { game, earlier: null };
	return el(
		'li',
		{ class: 'live-game', 'data-game': game, 'data-plies': plies },
		el(
			'div',
			{ class: 'sides' },
			...players.map((player, seat) =>
				el(
					'span',
					{ class: 'who' },
					seatDisc(seat),
					playerLink(player),
					...(programs[seat] ? [programMark()] : []),
				),
			),
		),
		el('p', { class: 'facts' }, gameLink(at), ` ${facts.join(' · ')}`),
		el(
			'a',
			{ class: 'button small', href: gamePath(at), 'aria-label': `Watch game ${game}` },
			'Watch',
		),
	);
}

/** @param {IndexedGame} game @param {{ now: number, token: Token }} seen */
function liveGame(game, { now, token }) {
	const left = leftText(game.deadline, now);
	const facts = [
		game.kind === 'classic' ? null : kindName(game.kind),
		game.position && game.kind === 'classic' ? null : boardName(game.shape),
		counted(game.plies, 'move'),
		game.stake ? `${amountText(game.stake, token)} each` : null,
		ago(game.moved, now),
	];
	return el(
		'li',
		{ class: 'live-game', 'data-game': game.game, 'data-plies': game.plies },
		el(
			'a',
			{ href: gamePath(game), class: 'watch', 'aria-label': `Watch game ${game.game}` },
			...(game.position ? [smallBoard(game.position, game.last)] : []),
		),
		el('div', { class: 'sides' }, ...playersOf(game, left)),
		el(
			'p',
			{ class: 'facts' },
			gameLink(game),
			` ${standing(game)} · ${facts.filter(Boolean).join(' · ')}`,
		),
	);
}
