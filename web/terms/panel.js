// What a game by signed terms shows besides its board. Loaded with the first such game.

import { byId, el, setText, show } from '../dom/elements.js';
import { tableNote, termsText } from '../state/by-terms.js';
import { isGame } from '../state/seats.js';

/** @import { State } from '../state/types.d.ts' */

const text = el('p', { id: 'terms-text', class: 'quiet' });
const note = el('p', { id: 'terms-note', class: 'quiet', role: 'status' });
const part = el('div', { id: 'terms' }, note, text);
byId('main-actions').after(part);

/** @param {State} state */
export function render({ view }) {
	const byTerms = view && isGame(view) ? view.byTerms : null;
	show(part, byTerms);
	if (!view || !isGame(view) || !byTerms) return;
	setText(text, termsText(view, byTerms));
	const said = tableNote(byTerms);
	setText(note, said);
	show(note, said);
}
