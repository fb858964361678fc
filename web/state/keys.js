// What key presses mean, and where the arrow keys lead on the board.

import { actions } from './actions.js';
import { board } from './position.js';
import { isSome } from './text.js';

/** @import { Cell, Focus, KeyPress, Means, Shape, Shown, State } from './types.d.ts' */

/**
 * What a key press means; null if it is not for the page.
 * @param {State} state @param {KeyPress} event @param {Focus} where
 * @returns {Means | null}
 */
export function keyMeans(state, event, where) {
	const { code, key, repeat } = event;
	const { view } = state;
	if (event.ctrlKey || event.altKey || event.metaKey || where === 'field' || !view) return null;
	/** @param {Means} means @returns {Means} */
	const once = (means) => (repeat ? { do: 'nothing' } : means);
	// The key's place counts, not its letter: French and Czech keyboards need Shift for digits.
	const digit = /^(?:Digit|Numpad)([1-9])$/.exec(code);
	if (digit) return once({ do: 'drop', bin: Number(digit[1]) - 1 });
	if (key === 'Escape') return state.error && { do: 'dismiss' };
	if (key === 'Enter' && (where === 'page' || where === 'grid') && mayGoOn({ ...state, view })) {
		return once({ do: 'next' });
	}
	if (where === 'grid') {
		if (/^(Arrow|Home$|End$|Page)/.test(key)) return { do: 'walk', key };
		return key === 'Enter' || key === ' ' ? once({ do: 'drop here' }) : null;
	}
	if (where === 'range') return null;
	const by = key === 'ArrowLeft' ? -1 : key === 'ArrowRight' ? 1 : 0;
	if (by && (view.over || state.at !== null || view.game === null)) return { do: 'step', by };
	return where === 'page' && key.startsWith('Arrow') ? { do: 'enter' } : null;
}

/** Whether a key alone starts the next game: it never pays a stake. @param {Shown} state */
const mayGoOn = ({ view, ...state }) =>
	view.game !== null && !isSome(view.match.stake) && Boolean(actions({ ...state, view }).next);

/**
 * The cell to which a key leads.
 * @param {Pick<Shape, 'bins' | 'capacity'>} shape @param {Cell} from @param {string} key
 * @returns {Cell}
 */
export function walk({ bins, capacity }, { bin, row }, key) {
	/** @param {number} toBin @param {number} toRow */
	const to = (toBin, toRow) => ({
		bin: Math.min(bins - 1, Math.max(0, toBin)),
		row: Math.min(capacity - 1, Math.max(0, toRow)),
	});
	switch (key) {
		case 'ArrowLeft':
			return to(bin - 1, row);
		case 'ArrowRight':
			return to(bin + 1, row);
		case 'ArrowUp':
			return to(bin, row + 1);
		case 'ArrowDown':
			return to(bin, row - 1);
		case 'Home':
			return to(0, row);
		case 'End':
			return to(bins - 1, row);
		case 'PageUp':
			return to(bin, capacity - 1);
		case 'PageDown':
			return to(bin, 0);
		default:
			return { bin, row };
	}
}

/**
 * Where walking begins: in the middle bin, on top of its discs.
 * @param {Shown} state
 * @returns {Cell}
 */
export function entrance(state) {
	const { bins, capacity } = state.view.shape;
	const bin = Math.floor(bins / 2);
	const discs = board(state).discs.filter((disc) => disc.bin === bin).length;
	return { bin, row: Math.min(discs, capacity - 1) };
}
