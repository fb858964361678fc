// The evaluation: a bar between red and blue, and words.

import { disc, el, find, setText, show } from '../dom/elements.js';
import { scale } from '../state/hints.js';
import { texts } from '../words/hints.js';

/** @import { Hints, Shown } from '../state/types.d.ts' */

const bar = el('span', { class: 'bar', 'aria-hidden': 'true' }, el('i'));
const words = el('span', { class: 'words' });
const evaluation = el(
	'p',
	{ id: 'evaluation', hidden: '' },
	el('span', { class: 'unseen' }, texts.evaluationIs),
	disc('red'),
	bar,
	disc('blue'),
	words,
);
find(document, '.under').append(evaluation);

/** @param {Hints} hints @param {Shown | null} state null for no board */
export function renderScale(hints, state) {
	const shown = state && scale(hints, state);
	show(evaluation, shown);
	if (!shown) return;
	// While the next one is worked out, the bar stays where it was.
	if (shown.red !== null) bar.style.setProperty('--red-part', `${shown.red}%`);
	evaluation.classList.toggle('waits', shown.wait);
	evaluation.title = shown.why;
	setText(words, shown.words);
}
