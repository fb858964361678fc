// Moves and terms in words.

import { shapeText } from './text.js';

/** @import { Move, Powers, Terms } from './types.d.ts' */

const NUMBERS = 'no one two three four five six seven eight nine ten'.split(' ');

/** @param {number} count */
const discs = (count) => `${NUMBERS[count] ?? count} ${count === 1 ? 'disc' : 'discs'}`;

/** What a move is, for a list: cells as in the notation, bin and row. @param {Move} move */
export function moveText(move) {
	switch (move.kind) {
		case 'drop':
			return `bin ${move.bin + 1}`;
		case 'pop':
			return `pops bin ${move.bin + 1}`;
		case 'take':
			return `takes ${move.bin + 1}.${move.row + 1}`;
		case 'clear':
			return `clears row ${move.row + 1}`;
		case 'float':
			return `floats ${move.bin + 1}.${move.row + 1}`;
		case 'swap':
			return 'swaps colours';
	}
}

/** What a move did, behind the player who made it. @param {Move} move */
export function moveWords(move) {
	const { removed = [], fallen = [] } = move;
	const falls = fallen.length;
	const down = falls ? `; ${discs(falls)} ${falls === 1 ? 'comes' : 'come'} down` : '';
	switch (move.kind) {
		case 'drop':
			return `: bin ${move.bin + 1}, row ${move.row + 1}`;
		case 'pop':
			return ` pops a disc out of bin ${move.bin + 1}${down}`;
		case 'take':
			return ` takes the ${removed[0]?.colour} disc in bin ${move.bin + 1}, row ${move.row + 1}${down}`;
		case 'clear':
			return ` clears row ${move.row + 1} of ${discs(removed.length)}${down}`;
		case 'float':
			return ` floats a disc in bin ${move.bin + 1}, row ${move.row + 1}`;
		case 'swap':
			return ' swaps: the two players exchange colours';
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
		players > 2 && `${players} players`,
		popOut && 'pop out',
		pieRule && 'pie rule',
		powersText(powers),
		limit && `${durationText(limit)} a move`,
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
