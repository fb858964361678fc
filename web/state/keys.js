// What key presses mean, and where the arrow keys lead on the board.

import { actions } from './actions.js';

/** @import { Focus, KeyPress, Means, MoveKind, State, View } from './types.d.ts'
 * @import { Cell, Shape } from '../wire.d.ts' */

/** The letters are those of the notation. @type {Record<string, MoveKind>} */
const LETTERS = { t: 'take', r: 'clear', f: 'float', p: 'pop', s: 'swap' };

/** Whether the terms have a kind of move, apart from drops. @param {View} view @param {MoveKind} kind */
export function hasMove({ terms, targets }, kind) {
	if (kind === 'pop') return terms.pop_out;
	return kind === 'swap' ? targets.swap : terms.powers[kind] > 0;
}

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
	if (digit) return once({ do: 'number', number: Number(digit[1]) });
	if (key === 'Escape') {
		if (state.error) return { do: 'dismiss' };
		const isChosen = state.picked || state.premove !== null || state.tapped !== null;
		return isChosen ? { do: 'cancel' } : null;
	}
	if (key === 'm' || key === 'M') return once({ do: 'sound' });
	const kind = LETTERS[key.toLowerCase()];
	if (kind && hasMove(view, kind)) return once({ do: 'pick', kind });
	if (
		key === 'Enter' &&
		(where === 'page' || where === 'grid') &&
		actions({ ...state, view }).next
	) {
		return once({ do: 'next' });
	}
	if (where === 'grid') {
		if (/^(Arrow|Home$|End$|Page)/.test(key)) return { do: 'walk', key };
		return key === 'Enter' || key === ' ' ? once({ do: 'choose here' }) : null;
	}
	if (where === 'range') return null;
	const by = key === 'ArrowLeft' ? -1 : key === 'ArrowRight' ? 1 : 0;
	if (by && (view.over || state.at !== null || view.game === null)) return { do: 'step', by };
	return where === 'page' && key.startsWith('Arrow') ? { do: 'enter' } : null;
}

/** By how many bins and rows a key leads, as far as the board goes. @type {Record<string, [number, number]>} */
const STEPS = {
	ArrowLeft: [-1, 0],
	ArrowRight: [1, 0],
	ArrowUp: [0, 1],
	ArrowDown: [0, -1],
	Home: [-Infinity, 0],
	End: [Infinity, 0],
	PageUp: [0, Infinity],
	PageDown: [0, -Infinity],
};

/**
 * The cell to which a key leads.
 * @param {Pick<Shape, 'bins' | 'capacity'>} shape @param {Cell} from @param {string} key
 * @returns {Cell}
 */
export function walk({ bins, capacity }, { bin, row }, key) {
	const [across, up] = STEPS[key] ?? [0, 0];
	return {
		bin: Math.min(bins - 1, Math.max(0, bin + across)),
		row: Math.min(capacity - 1, Math.max(0, row + up)),
	};
}
