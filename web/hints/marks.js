// The marks above the bins: what a drop there leads to.

import { el } from '../dom/elements.js';
import { marks } from '../state/hints.js';
import { texts } from '../words/hints.js';

/** @import { Table } from '../dom/types.d.ts' */
/** @import { HintMark, Hints, Shown } from '../state/types.d.ts' */

const list = el('ul', { class: 'hints', 'aria-label': texts.hints });
/** The marks that are drawn, as text. */
let drawn = '';

/** @param {Hints} hints @param {Shown | null} state null for no board @param {Table} table */
export function renderMarks(hints, state, table) {
	const found = state ? marks(hints, state) : [];
	const place = table.frame()?.box.querySelector('.aim');
	if (!place || !found.length) list.remove();
	else if (list.parentElement !== place) place.append(list);
	const now = JSON.stringify(found);
	if (now === drawn) return;
	drawn = now;
	list.replaceChildren(...found.map(item));
}

/** @param {HintMark} mark */
function item({ bin, best, text, kind, word, sign, number }) {
	const pill = el(
		'span',
		{ class: 'pill', 'aria-hidden': 'true' },
		el('span', { class: 'sign' }, sign),
		el('span', { class: 'word' }, word),
		el('span', { class: 'in' }, word && number && 'in'),
		el('span', { class: 'count' }, number),
		el('span', { class: 'percent' }, kind === 'chance' ? '%' : ''),
	);
	const about = { 'data-kind': kind, 'data-best': String(best), title: text };
	const mark = el('li', about, pill, el('span', { class: 'unseen' }, text));
	mark.style.setProperty('--bin', String(bin));
	return mark;
}
