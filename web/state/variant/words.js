// Moves and terms of variants in words.

import { shapeText } from '../text.js';

/** @import { Powers, VariantTerms, ViewedMove } from './types.d.ts' */

const NUMBERS = [
	'no',
	'one',
	'two',
	'three',
	'four',
	'five',
	'six',
	'seven',
	'eight',
	'nine',
	'ten',
];

/** @param {number} count */
const discs = (count) => `${NUMBERS[count] ?? count} ${count === 1 ? 'disc' : 'discs'}`;

/** What a move is, for a list: cells as in the notation, bin and row. @param {ViewedMove} move */
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

/** What a move did, as a part of a sentence whose subject is the player. @param {ViewedMove} move */
export function moveWords(move) {
	const { change } = move;
	const falls = change.fallen.length;
	const down = falls ? `; ${discs(falls)} ${falls === 1 ? 'comes' : 'come'} down` : '';
	switch (move.kind) {
		case 'drop':
			return `drops into bin ${move.bin + 1}, row ${(change.added[0]?.row ?? 0) + 1}`;
		case 'pop':
			return `pops a disc out of bin ${move.bin + 1}${down}`;
		case 'take': {
			const whose = change.removed[0]?.colour;
			return `takes the ${whose} disc in bin ${move.bin + 1}, row ${move.row + 1}${down}`;
		}
		case 'clear':
			return `clears row ${move.row + 1} of ${discs(change.removed.length)}${down}`;
		case 'float':
			return `floats a disc in bin ${move.bin + 1}, row ${move.row + 1}`;
		case 'swap':
			return 'swaps: the two players exchange colours';
	}
}

/** Powers and how often each, as in `1 take, 2 float`. @param {Powers} powers */
const powersText = (powers) =>
	POWERS.filter((power) => powers[power])
		.map((power) => `${powers[power]} ${power}`)
		.join(', ');

/** @type {(keyof Powers)[]} */
export const POWERS = ['take', 'clear', 'float'];

/** The terms of a game in short. @param {VariantTerms} terms */
export function termsText({ shape, players, pop_out: popOut, pie_rule: pieRule, powers, limit }) {
	const parts = [
		shapeText(shape),
		`${players} players`,
		popOut && 'pop out',
		pieRule && 'pie rule',
		powersText(powers),
		limit && `${durationText(limit)} a move`,
	];
	return parts.filter(Boolean).join(' · ');
}

/** @param {number} seconds */
export function durationText(seconds) {
	for (const [length, unit] of /** @type {[number, string][]} */ (UNITS)) {
		if (seconds % length === 0) return `${seconds / length} ${unit}`;
	}
	return `${seconds} s`;
}

const UNITS = [
	[86_400, 'd'],
	[3_600, 'h'],
	[60, 'min'],
];
