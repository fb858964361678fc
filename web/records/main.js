// Games as text: a file that is opened here shows its games and what proves them, and a game is saved as one. Loaded
// when either is asked for. The module of WebAssembly that reads, checks and writes records is loaded with it.

import { actButton, el } from '../dom/elements.js';
import { navigate } from '../navigation.js';
import {
	linePath,
	MOST_BYTES,
	MOST_SHOWN,
	ofTerms,
	proofText,
	titleText,
} from '../state/records.js';
import { reason } from '../state/text.js';
import { texts } from '../words/file.js';
import { capital } from '../words/forms.js';
import { ask } from './reader.js';

/** @import { GameShown, WrittenGame } from '../ask.d.ts' */

const title = el('h2', { id: 'records-title', tabindex: '-1' });
const wrong = el('p', { class: 'wrong', role: 'alert' });
const list = el('ul', {});
const more = actButton('', () => focusOn(showMore()), '', 'more-records');
more.hidden = true;
const close = actButton(texts.close, () => sheet.close());
const sheet = /** @type {HTMLDialogElement} */ (
	el(
		'dialog',
		{ id: 'records', 'aria-labelledby': 'records-title' },
		title,
		wrong,
		list,
		el('div', { class: 'row' }, more, close),
	)
);
document.body.append(sheet);

/** Games of the file that are not shown yet. @type {WrittenGame[]} */
let rest = [];
/** Ends the look into a file that is not wanted any more. */
let reading = new AbortController();
// It is told after it was closed: by then another file may be shown.
sheet.addEventListener('close', () => {
	if (!sheet.open) reading.abort(new Error(texts.closed));
});

/** Shows the next games of the file; the first of them. */
function showMore() {
	const now = rest.slice(0, MOST_SHOWN).map(item);
	rest = rest.slice(MOST_SHOWN);
	list.append(...now);
	more.hidden = !rest.length;
	more.textContent = texts.showMore(rest.length);
	return now[0];
}

/** Leads on from the button that may be gone now: to a game's button, or to a game without moves. @param {HTMLElement | undefined} game */
function focusOn(game) {
	if (game) game.tabIndex = -1;
	(game?.querySelector('button') ?? game)?.focus();
}

/** @param {WrittenGame[]} games @param {string} problem */
function show(games, problem) {
	list.replaceChildren();
	rest = games;
	showMore();
	wrong.textContent = problem;
}

/** @param {File} file */
async function textOf(file) {
	if (file.size > MOST_BYTES) throw new Error(texts.tooLarge);
	const bytes = new Uint8Array(await file.arrayBuffer());
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
	} catch {
		throw new Error(texts.noText);
	}
}

/** Shows the games of a file. @param {File} file */
export async function openFile(file) {
	reading.abort(new Error(texts.other));
	reading = new AbortController();
	const { signal } = reading;
	title.textContent = texts.reading(file.name);
	show([], '');
	if (!sheet.open) sheet.showModal();
	title.focus();
	try {
		const { games, error } = await ask({ read: await textOf(file) }, signal);
		if (!signal.aborted) show(games, capital(error ?? ''));
	} catch (failure) {
		if (!signal.aborted) show([], capital(reason(failure)));
	}
	if (!signal.aborted) title.textContent = file.name;
}

/** @param {WrittenGame} game */
function item(game) {
	const path = linePath(game);
	const open = actButton(texts.showMoves, () => {
		sheet.close();
		if (path) navigate(path);
	});
	return el(
		'li',
		{ 'data-proof': game.proof },
		el('strong', {}, titleText(game)),
		el('span', { class: 'quiet' }, ofTerms(game)),
		el('span', { class: 'proof' }, proofText(game)),
		...(path ? [open] : []),
	);
}

/** Saves a text. @param {string} text @param {string} name */
export function save(text, name) {
	const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
	el('a', { href: url, download: name }).click();
	URL.revokeObjectURL(url);
}

/** Saves a game that is shown. @param {GameShown} shown */
export async function saveShown(shown) {
	save(await ask({ shown }), `connect4-${shown.game ?? 'game'}.txt`);
}
