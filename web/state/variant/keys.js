// What key presses mean in a variant. The letters are those of the notation.

import { choices } from './choice.js';
import { canPlayAgain, isGame } from './seats.js';

/** @import { Focus, KeyPress } from '../types.d.ts' */
/** @import { Choice, ShownVariant, VariantMeans } from './types.d.ts' */

/** @type {Record<string, Choice['kind']>} */
const LETTERS = { t: 'take', r: 'clear', f: 'float', p: 'pop', s: 'swap' };

/**
 * What a key press means; null if it is not for the board.
 * @param {ShownVariant} state @param {KeyPress} event @param {Focus} where
 * @returns {VariantMeans | null}
 */
export function variantKeyMeans(state, event, where) {
	const { code, key, repeat } = event;
	const { variant: view } = state;
	if (event.ctrlKey || event.altKey || event.metaKey || where === 'field') return null;
	/** @param {VariantMeans} means @returns {VariantMeans} */
	const once = (means) => (repeat ? { do: 'nothing' } : means);
	const digit = /^(?:Digit|Numpad)([1-9])$/.exec(code);
	if (digit) return once({ do: 'digit', number: Number(digit[1]) });
	if (key === 'Escape') {
		if (state.error) return { do: 'dismiss' };
		return state.picked ? { do: 'cancel' } : null;
	}
	const kind = LETTERS[key.toLowerCase()];
	if (kind && choices(state).some((choice) => choice.kind === kind)) {
		return once({ do: 'pick', kind });
	}
	if (key === 'Enter' && (where === 'page' || where === 'grid') && isGame(view)) {
		if (canPlayAgain({ ...state, variant: view })) return once({ do: 'again' });
	}
	if (where === 'grid') {
		if (/^(Arrow|Home$|End$|Page)/.test(key)) return { do: 'walk', key };
		return key === 'Enter' || key === ' ' ? once({ do: 'choose here' }) : null;
	}
	if (where === 'range') return null;
	const by = key === 'ArrowLeft' ? -1 : key === 'ArrowRight' ? 1 : 0;
	if (by && (view.over || state.at !== null || !isGame(view))) return { do: 'step', by };
	return where === 'page' && key.startsWith('Arrow') ? { do: 'enter' } : null;
}
