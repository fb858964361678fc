// What variants draw with, beside the symbols of index.html: the discs of green and yellow, and icons.

import { svg } from '../elements.js';

/** The shapes of discs: whole, and smaller for the hollow ones that win. */
const SHAPES = {
	green: { whole: 'M50 13L82 68.5H18z', hollow: 'M50 19L76.8 65.5H23.2z', middle: [50, 51] },
	yellow: { whole: 'M24 24H76V76H24z', hollow: 'M29 29H71V71H29z', middle: [50, 50] },
};

/** @type {Record<string, string>} */
const ICONS = {
	'i-take': 'M12 4a8 8 0 100 16a8 8 0 100-16M9 9l6 6M15 9l-6 6',
	'i-clear': 'M3 12h18M7 8l-4 4 4 4M17 8l4 4-4 4',
	'i-float': 'M12 9a5.5 5.5 0 100 11a5.5 5.5 0 100-11M8.5 5.5L12 2.5l3.5 3',
	'i-pop': 'M12 4a5.5 5.5 0 100 11a5.5 5.5 0 100-11M8.5 18.5l3.5 3 3.5-3',
	'i-swap': 'M4 8h14l-3.5-3.5M20 16H6l3.5 3.5',
};

/** Adds them to the page, once. */
export function addSymbols() {
	const place = document.querySelector('.symbols');
	if (!place || document.getElementById('disc-green')) return;
	for (const [colour, shape] of Object.entries(SHAPES)) {
		place.append(fill(colour), ...discs(colour, shape));
	}
	for (const [id, d] of Object.entries(ICONS)) {
		place.append(svg('symbol', { id, viewBox: '0 0 24 24' }, svg('path', { d })));
	}
}

/** @param {string} colour */
const fill = (colour) =>
	svg(
		'linearGradient',
		{ id: `${colour}-fill`, x1: 0, y1: 0, x2: 0, y2: 1 },
		svg('stop', { class: `${colour}-high`, offset: 0 }),
		svg('stop', { class: `${colour}-low`, offset: 1 }),
	);

/** @param {string} colour @param {{ whole: string, hollow: string, middle: number[] }} shape */
function discs(colour, { whole, hollow, middle: [cx, cy] }) {
	const viewBox = '0 0 100 100';
	const disc = () => svg('path', { class: colour, 'stroke-width': 6, d: whole });
	return [
		svg('symbol', { id: `disc-${colour}`, viewBox }, disc()),
		svg(
			'symbol',
			{ id: `last-${colour}`, viewBox },
			disc(),
			svg('circle', { class: `dot on-${colour}`, cx, cy, r: 7 }),
		),
		svg(
			'symbol',
			{ id: `win-${colour}`, viewBox },
			svg('path', { class: `hollow of-${colour}`, 'stroke-width': 14, d: hollow }),
		),
	];
}
