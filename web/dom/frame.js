// The parts of a board that stay while discs come and go.

import { texts } from '../words/page.js';
import { el, icon, svg } from './elements.js';

/** @import { Shape } from '../wire.d.ts' */

const UNIT = 100; // a cell, in the units of the drawing
const HOLE = 41; // the radius of a hole
const EDGE = 14; // how far the front goes beyond the outer cells
const DENSE = 14; // bins or rows from which their numbers are smaller

/** @param {Shape} shape */
export function buildFrame({ bins, capacity }) {
	const { grid, cells } = buildGrid(bins, capacity);
	const column = el('div', { class: 'column-light', hidden: '' });
	const pile = el('div', { class: 'pile', 'aria-hidden': 'true' });
	const ghost = icon('disc-red', 'ghost');
	const holes = el('div', { class: 'holes' });
	const body = el('div', { class: 'body' }, holes, column, pile, front(bins, capacity), grid);
	const rows = numbers(capacity).reverse();
	const box = el(
		'div',
		{ class: 'frame' },
		el('div', { class: 'aim' }, ghost),
		el('div', { class: 'rows', 'aria-hidden': 'true' }, ...rows),
		body,
		el('div', { class: 'numbers', 'aria-hidden': 'true' }, ...numbers(bins)),
	);
	box.style.setProperty('--bins', String(bins));
	box.style.setProperty('--rows', String(capacity));
	if (bins > DENSE || capacity > DENSE) box.classList.add('dense');
	return { bins, capacity, box, grid, cells, column, pile, ghost };
}

/** @param {number} bins @param {number} capacity */
function buildGrid(bins, capacity) {
	const label = texts.boardOf(bins, capacity);
	const grid = el('div', { id: 'board', role: 'grid', 'aria-label': label });
	/** By bin and row, as in '3 0'. @type {Map<string, HTMLElement>} */
	const cells = new Map();
	for (let row = capacity - 1; row >= 0; row -= 1) {
		const line = el('div', { role: 'row' });
		for (let bin = 0; bin < bins; bin += 1) {
			const place = { 'data-bin': bin, 'data-row': row };
			const cell = el('div', { role: 'gridcell', tabindex: '-1', ...place });
			cells.set(`${bin} ${row}`, cell);
			line.append(cell);
		}
		grid.append(line);
	}
	return { grid, cells };
}

/** @param {number} count */
const numbers = (count) =>
	Array.from({ length: count }, (_, index) => el('span', {}, String(index + 1)));

/**
 * The front of the board: a rectangle with a hole for each cell.
 * @param {number} bins @param {number} capacity
 */
function front(bins, capacity) {
	const width = bins * UNIT + 2 * EDGE;
	const height = capacity * UNIT + 2 * EDGE;
	let d = `M0 0H${width}V${height}H0z`;
	for (let bin = 0; bin < bins; bin += 1) {
		for (let row = 0; row < capacity; row += 1) {
			const [x, y] = [EDGE + bin * UNIT + UNIT / 2 - HOLE, EDGE + row * UNIT + UNIT / 2];
			d += `M${x} ${y}a${HOLE} ${HOLE} 0 1 0 ${2 * HOLE} 0a${HOLE} ${HOLE} 0 1 0 ${-2 * HOLE} 0z`;
		}
	}
	return svg(
		'svg',
		{ class: 'front', viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true' },
		svg('path', { d, 'fill-rule': 'evenodd' }),
	);
}
