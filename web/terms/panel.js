// What a game by signed terms shows besides its board. Loaded with the first such game.

import { byId, el, setText, show } from '../dom/elements.js';
import { tableNote, termsText } from '../state/by-terms.js';

/** @import { State } from '../state/types.d.ts' */

const text = el('p', { id: 'terms-text', class: 'quiet' });
const note = el('p', { id: 'terms-note', class: 'quiet', role: 'status' });
const part = el('div', { id: 'terms' }, note, text);
byId('main-actions').after(part);

/** @param {State} state */
export function render({ view }) {
	const byTerms = view && view.game !== null ? view.byTerms : null;
	show(part, byTerms);
	if (!view || view.game === null || !byTerms) return;
	setText(text, termsText(view, byTerms));
	const said = tableNote(byTerms);
	setText(note, said);
	show(note, said);
}
