// Boards as texts of the index: rows from the top, with a slash between them.

import { texts } from '../../words/page.js';
import { COLOURS } from '../seats.js';

/** @import { Colour } from '../../wire.d.ts' */

/** @type {Record<string, Colour>} */
const LETTERS = { r: 'red', b: 'blue', g: 'green', y: 'yellow' };

/**
 * The discs of a board, with the number of its bins and rows. Places count from 0, rows from the top.
 * @param {string} position
 */
export function discsOf(position) {
	const rows = position.split('/');
	const discs = rows.flatMap((row, y) =>
		[...row].flatMap((letter, x) => {
			const colour = LETTERS[letter];
			return colour ? [{ x, y, colour }] : [];
		}),
	);
	return { bins: rows[0]?.length ?? 0, rows: rows.length, discs };
}

/** The discs of a board in words, for who does not see it. @param {string} position */
export function boardText(position) {
	const { discs } = discsOf(position);
	const counts = COLOURS.flatMap((colour) => {
		const count = discs.filter((disc) => disc.colour === colour).length;
		return count ? [`${count} ${colour}`] : [];
	});
	return counts.length ? texts.boardWith(counts) : texts.emptyBoard;
}
