// Moves and terms in words.

import { texts } from '../words/page.js';
import { shapeText } from './text.js';

/** @import { Move, Powers, Terms } from '../wire.d.ts' */

/** What a move is, for a list: cells as in the notation, bin and row. @param {Move} move */
export function moveText(move) {
	switch (move.kind) {
		case 'drop':
			return texts.bin(move.bin + 1);
		case 'pop':
			return texts.pops(move.bin + 1);
		case 'take':
			return texts.takes(move.bin + 1, move.row + 1);
		case 'clear':
			return texts.clears(move.row + 1);
		case 'float':
			return texts.floats(move.bin + 1, move.row + 1);
		case 'swap':
			return texts.swaps;
	}
}

/** What a move did. @param {Move} move @param {string} [by] who made it, if it is to be said */
export function moveSentence(move, by = '') {
	const { removed = [], fallen = [] } = move;
	const falls = fallen.length;
	switch (move.kind) {
		case 'drop':
			return texts.dropped(by, move.bin + 1, move.row + 1);
		case 'pop':
			return texts.popped(by, move.bin + 1, falls);
		case 'take':
			return texts.taken(by, removed[0]?.colour, move.bin + 1, move.row + 1, falls);
		case 'clear':
			return texts.cleared(by, move.row + 1, removed.length, falls);
		case 'float':
			return texts.floated(by, move.bin + 1, move.row + 1);
		case 'swap':
			return texts.swapped(by);
	}
}

/** @type {(keyof Powers)[]} */
export const POWERS = ['take', 'clear', 'float'];

/** Powers and how often each, as in `1 take, 2 float`. @param {Powers} powers */
const powersText = (powers) =>
	POWERS.filter((power) => powers[power])
		.map((power) => `${powers[power]} ${power}`)
		.join(', ');

/** The terms of a game in short. @param {Terms} terms */
export function termsText({ shape, players, pop_out: popOut, pie_rule: pieRule, powers, limit }) {
	const parts = [
		shapeText(shape),
		players > 2 && texts.players(players),
		popOut && texts.popOut,
		pieRule && texts.pie,
		powersText(powers),
		limit && texts.perMove(durationText(limit)),
	];
	return parts.filter(Boolean).join(' · ');
}

/** @type {[number, string][]} */
const UNITS = [
	[86_400, 'd'],
	[3_600, 'h'],
	[60, 'min'],
];

/** @param {number} seconds */
export function durationText(seconds) {
	const [length, unit] = UNITS.find(([length]) => seconds % length === 0) ?? [1, 's'];
	return `${seconds / length} ${unit}`;
}
