// Small boards of lists of games. Loaded with the first list that has one.

import { boardText, discsOf } from '../state/people/board.js';
import { svg } from './elements.js';

const CELL = 100;

/**
 * A small board.
 * @param {string} position @param {{ bin: number, row: number } | null} [last] the newest disc
 */
export function smallBoard(position, last = null) {
	const { bins, rows, discs } = discsOf(position);
	// One element for all holes: a list has many boards.
	const holes = Array.from({ length: bins * rows }, (_, index) => {
		const [x, y] = [index % bins, Math.floor(index / bins)];
		return `M${x * CELL + 10} ${(y + 0.5) * CELL}a40 40 0 1 0 80 0a40 40 0 1 0-80 0`;
	});
	const shown = discs.map(({ x, y, colour }) => {
		const isLast = last && x === last.bin && y === rows - 1 - last.row;
		const symbol = isLast && (colour === 'red' || colour === 'blue') ? 'last' : 'disc';
		return svg('use', {
			href: `#${symbol}-${colour}`,
			x: x * CELL,
			y: y * CELL,
			width: CELL,
			height: CELL,
			class: isLast ? 'newest' : null,
		});
	});
	return svg(
		'svg',
		{
			class: 'small-board',
			// With the line around the front.
			viewBox: `-17 -17 ${bins * CELL + 34} ${rows * CELL + 34}`,
			role: 'img',
			'aria-label': boardText(position),
		},
		svg('rect', {
			class: 'plate',
			x: -14,
			y: -14,
			width: bins * CELL + 28,
			height: rows * CELL + 28,
			rx: 60,
		}),
		svg('path', { class: 'hole', d: holes.join('') }),
		...shown,
	);
}
