// Games that go on, as small boards that move.

import { el } from '../dom/elements.js';
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
import { gameLink, lagNote, playersOf, smallBoard } from './parts.js';

/** @import { GamesNow, IndexedGame, Token } from '../state/types.d.ts' */

/**
 * @param {GamesNow} said @param {{ now: number, token: Token }} seen
 * @returns {Node[]}
 */
export function liveView({ games, index }, seen) {
	return [
		el('h1', {}, 'Live games'),
		...lagNote(index),
		games.length
			? el('ul', { class: 'live' }, ...games.map((game) => liveGame(game, seen)))
			: el('p', { class: 'quiet' }, 'Nobody plays at the moment.'),
	];
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
