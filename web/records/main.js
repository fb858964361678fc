// Games as text: a file that is opened here shows its games and what proves them, and a game is saved as one. Loaded
// when either is asked for. The module of WebAssembly that reads, checks and writes records is loaded with it.

import { el } from '../dom/elements.js';
import { toHex } from '../host/hex.js';
import { AskError, compiled, exchange } from '../host/wasm.js';
import { within } from '../hosts.js';
import { navigate } from '../navigation.js';
import { linePath, MOST_BYTES, ofTerms, proofText, titleText } from '../state/records.js';
import { capital } from '../state/text.js';
import { reason } from '../transport.js';

/** @import { GameShown, RecordAnswers, RecordRequests, WrittenGame } from '../ask.d.ts' */

/** What a file begins with in which the program keeps a game. */
const KEPT = 'c4game';

/** @type {Promise<WebAssembly.Module> | null} */
let loading = null;

/**
 * Asks the module, by an object with one field whose name is that of the request.
 * @template {keyof RecordRequests} Name
 * @param {{ [Key in Name]: RecordRequests[Key] }} request
 * @returns {Promise<RecordAnswers[Name]>}
 */
async function ask(request) {
	loading ??= compiled(new URL('./record.wasm', import.meta.url));
	loading.catch(() => {
		loading = null;
	});
	const { exports } = await WebAssembly.instantiate(await loading, {});
	const text = exchange(/** @type {any} */ (exports), JSON.stringify(request));
	const { ok, error } = JSON.parse(text);
	if (error) throw new AskError(error);
	return ok;
}

const title = el('h2', { id: 'records-title', tabindex: '-1' });
const wrong = el('p', { class: 'wrong', role: 'alert' });
const list = el('ul', {});
const close = el('button', { class: 'button small', type: 'button' }, 'Close');
const sheet = /** @type {HTMLDialogElement} */ (
	el('dialog', { id: 'records', 'aria-labelledby': 'records-title' }, title, wrong, list, close)
);
document.body.append(sheet);
close.addEventListener('click', () => sheet.close());

/** The text of a file: of one in which the program keeps a game, that of the game. @param {File} file */
async function textOf(file) {
	if (file.size > MOST_BYTES)
		throw new Error('the file is larger than 4 MB: split it between two games');
	const bytes = new Uint8Array(await file.arrayBuffer());
	if (KEPT === String.fromCharCode(...bytes.slice(0, KEPT.length))) {
		return ask({ signed: toHex(bytes) });
	}
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
	} catch {
		throw new Error('it is no text');
	}
}

/** Shows the games of a file. @param {File} file */
export async function openFile(file) {
	title.textContent = file.name;
	try {
		const { games, error } = await ask({ read: await textOf(file) });
		list.replaceChildren(...games.map(item));
		wrong.textContent = capital(error ?? '');
	} catch (failure) {
		list.replaceChildren();
		wrong.textContent = capital(reason(failure));
	}
	if (!sheet.open) sheet.showModal();
	title.focus();
}

/** @param {WrittenGame} game */
function item(game) {
	const path = linePath(game);
	const open = el('button', { class: 'button small', type: 'button' }, 'Show the moves');
	open.addEventListener('click', () => {
		sheet.close();
		if (path) navigate(within(path));
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
function save(text, name) {
	const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
	el('a', { href: url, download: name }).click();
	URL.revokeObjectURL(url);
}

/** Saves a game by signed terms, from the file in which the program keeps it. @param {string} file @param {string} game */
export async function saveSigned(file, game) {
	save(await ask({ signed: file }), `connect4-${game.slice(2, 10)}.txt`);
}

/** Saves a game that is shown. @param {GameShown} shown */
export async function saveShown(shown) {
	save(await ask({ shown }), `connect4-${shown.game ?? 'game'}.txt`);
}
