// The search for a player or a game.

import { el } from '../dom/elements.js';
import { gamePath, personLink, personText } from '../state/people/words.js';
import { reason, short } from '../state/text.js';
import { get } from '../transport.js';
import { texts } from '../words/people.js';

/** @import { SearchFound } from '../wire.d.ts' */

const PAUSE = 200; // milliseconds without a key before it is searched

const field = /** @type {HTMLInputElement} */ (
	el('input', {
		id: 'search-field',
		type: 'search',
		name: 'q',
		autocomplete: 'off',
		autocapitalize: 'none',
		spellcheck: 'false',
		placeholder: texts.searchField,
		'aria-label': texts.search,
		maxlength: 66,
	})
);
const list = el('ul', { id: 'search-found', 'aria-label': texts.found });
const says = el('p', { class: 'unseen', role: 'status' });
const form = el('form', { id: 'search', role: 'search' }, field, list, says);
list.hidden = true;

let timer = 0;
let asked = '';
/** Where Enter leads. */
let first = '';

/** The search, with what it opens. @param {(path: string) => void} open */
export function search(open) {
	const go = async () => {
		await look();
		const path = first;
		if (!path) return;
		close();
		open(path);
	};
	form.onsubmit = (event) => {
		event.preventDefault();
		go();
	};
	field.oninput = () => {
		clearTimeout(timer);
		timer = setTimeout(look, PAUSE);
	};
	form.onkeydown = (event) => {
		if (event.key === 'Escape') close();
	};
	list.onclick = () => close();
	return form;
}

function close() {
	field.value = '';
	asked = '';
	first = '';
	list.hidden = true;
	list.replaceChildren();
}

async function look() {
	clearTimeout(timer);
	const text = field.value.trim();
	if (text === asked) return;
	asked = text;
	if (!text) return close();
	try {
		const found = await get(`/api/search?q=${encodeURIComponent(text)}`);
		if (text === asked) present(found);
	} catch (failure) {
		if (text !== asked) return;
		first = '';
		list.replaceChildren(el('li', { class: 'wrong' }, reason(failure)));
		list.hidden = false;
	}
}

/** @param {SearchFound} found */
function present({ accounts, game }) {
	const entries = [
		...(game
			? [
					{
						href: gamePath(game),
						text: texts.gameOf(game.game),
						more: game.players.map(personText).join(' – '),
					},
				]
			: []),
		...accounts.map(({ account, games }) => ({
			href: personLink(account),
			text: personText(account),
			more: `${short(account.address)} · ${texts.gamesCount(games)}`,
		})),
	];
	first = entries[0]?.href ?? '';
	list.replaceChildren(
		...(entries.length
			? entries.map(({ href, text, more }) =>
					el('li', {}, el('a', { href }, el('b', {}, text), ' ', el('small', {}, more))),
				)
			: [el('li', { class: 'quiet' }, texts.nothingFound)]),
	);
	list.hidden = false;
	says.textContent = entries.length ? texts.foundCount(entries.length) : texts.nothingFound;
}
