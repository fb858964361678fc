// What the views of players and games share: names, lists of games, notes.

import { el, icon, portrait } from '../dom/elements.js';
import {
	ago,
	boardName,
	gamePath,
	inLine,
	isProgram,
	isSwapped,
	kindName,
	lagText,
	personLink,
	personText,
	resultFor,
	standing,
} from '../state/people/words.js';
import { COLOURS } from '../state/seats.js';
import { number } from '../words/forms.js';
import { texts } from '../words/people.js';

/** @import { Attributes } from '../dom/types.d.ts' */
/** @import { IndexedGame, IndexLag, Person, Tally } from '../wire.d.ts' */

/** A disc in the colour of a seat. @param {number} seat @param {boolean} [swapped] whether the first two have exchanged colours */
export const seatDisc = (seat, swapped = false) =>
	icon(`disc-${COLOURS[swapped && seat < 2 ? 1 - seat : seat] ?? 'red'}`, 'mini');

/** A link to a player. @param {Person} person @param {Attributes} [attributes] */
export const playerLink = (person, attributes = {}) =>
	el(
		'a',
		{ href: personLink(person), title: person.address, class: 'person', ...attributes },
		portrait(person.address),
		personText(person),
	);

/** What tells an account from others of a list with its name, behind the name: nothing if there are none. @param {string} digits */
export const digitsMark = (digits) =>
	digits ? [el('span', { class: 'quiet' }, ` ${digits}`)] : [];

/** What stands behind the name of a player: nothing unless they say to be a program. @param {boolean | undefined} isIt */
export const programMark = (isIt) =>
	isIt ? [el('span', { class: 'quiet' }, ` ${texts.aProgram}`)] : [];

/**
 * A player at a seat of a game.
 * @param {Person} player @param {number} seat
 * @param {{ moves: boolean, swapped: boolean, program: boolean | undefined }} is @param {Node[]} more
 */
export const seated = (player, seat, { moves, swapped, program }, ...more) =>
	el(
		'span',
		{ class: moves ? 'who turn' : 'who' },
		seatDisc(seat, swapped),
		playerLink(player),
		...programMark(program),
		...more,
	);

/** A link to a game. @param {Pick<IndexedGame, 'game'>} at */
export const gameLink = (at) =>
	el(
		'a',
		{ href: gamePath(at), class: 'id', title: isDigest(at) ? at.game : null },
		`#${short(at)}`,
	);

/** Whether a game is named by the digest of its terms. @param {Pick<IndexedGame, 'game'>} at */
const isDigest = ({ game }) => game.startsWith('0x');

/** The name of a game, of a digest only the beginning. @param {Pick<IndexedGame, 'game'>} at */
const short = (at) => (isDigest(at) ? `${at.game.slice(0, 8)}…` : at.game);

/**
 * The players of a game by their seats, with who is to move marked.
 * @param {IndexedGame} game @param {string | null} [left] time that the player to move has left
 */
export const playersOf = (game, left = null) =>
	game.players.map((player, seat) => {
		const moves = game.to_move === seat;
		const time = moves && left ? [el('span', { class: 'left', title: texts.timeLeft }, left)] : [];
		const is = { moves, swapped: isSwapped(game), program: isProgram(game, seat) };
		return seated(player, seat, is, ...time);
	});

/**
 * A row of a list of games.
 * @param {IndexedGame} game @param {{ viewer: Person | null, now: number }} seen
 */
export function gameRow(game, { viewer, now }) {
	const result = viewer && resultFor(game, viewer);
	const facts = [
		boardName(game.shape),
		texts.moves(game.plies),
		game.kind === 'classic' ? null : kindName(game.kind),
		ago(game.ended ?? game.moved, now),
	];
	return el(
		'li',
		{ class: 'game', 'data-result': result },
		gameLink(game),
		el('span', { class: 'pair' }, ...playersOf(game)),
		el('span', { class: 'standing' }, standing(game, viewer)),
		el('span', { class: 'facts' }, inLine(facts)),
	);
}

/**
 * Wins, draws and losses as a bar, with the numbers beside it.
 * @param {Tally} tally
 */
export function tallyBar({ wins, draws, losses }) {
	/** @param {number} count @param {string} kind */
	const part = (count, kind) => {
		if (!count) return [];
		const bar = el('span', { class: kind });
		// Set here, as the page allows no styles in attributes.
		bar.style.flexGrow = String(count);
		return [bar];
	};
	return el(
		'span',
		{ class: 'tally' },
		el(
			'span',
			{ class: 'bar', 'aria-hidden': 'true' },
			...part(wins, 'won'),
			...part(draws, 'drawn'),
			...part(losses, 'lost'),
		),
		el(
			'span',
			{ class: 'sums' },
			el('span', { class: 'unseen' }, texts.tally(wins, draws, losses)),
			el('span', { 'aria-hidden': 'true' }, [wins, draws, losses].map(number).join(' – ')),
		),
	);
}

/** What is missing or late. @param {IndexLag} lag */
export function lagNote(lag) {
	const text = lagText(lag);
	return text ? [el('p', { class: 'lag', role: 'status' }, text)] : [];
}

/**
 * A card with a heading.
 * @param {string} id @param {string} title @param {(Node | string)[]} children
 */
export const card = (id, title, ...children) =>
	el(
		'section',
		{ class: 'card', id, 'aria-labelledby': `${id}-title` },
		el('h2', { id: `${id}-title` }, title),
		...children,
	);
