// The guest of this browser, in the sheet of accounts: its profile, its phrase, and how to leave it.

import { el } from '../dom/elements.js';
import { copyText } from '../input.js';
import { navigate } from '../navigation.js';
import { BY_TERMS, openByTerms } from '../state/here.js';
import { capital, short } from '../state/text.js';
import { recall } from '../storage.js';
import { forget, guest, onGuest, restore } from './account.js';

/** @import { Player } from '../host/journal.js' */

const PATH = 'm/44’/60’/0’/0/0';

/** What is shown of a guest, and how another one is restored. */
export const guestPart = el('section', {
	id: 'guest',
	'aria-labelledby': 'guest-title',
	hidden: '',
});
export const restorePart = el('details', { id: 'restore' });

/** The guest that is shown; null if there is none. @type {Player | null} */
let shown = null;
/** What is open in the part: the phrase, or the question whether to forget it. @type {'' | 'phrase' | 'forget'} */
let open = '';
/** Closes the sheet. */
let close = () => {};

/** @param {() => void} closes */
export function renderGuest(closes) {
	close = closes;
	open = '';
	return show();
}

onGuest(() => show());

async function show() {
	shown = await guest().catch(() => null);
	draw();
}

function draw() {
	guestPart.hidden = !shown;
	guestPart.replaceChildren(...(shown ? about(shown) : []));
	restorePart.replaceChildren(...restoring());
}

/** @param {string} text @param {() => unknown} act @param {string} [kind] @param {string} [id] */
function button(text, act, kind = '', id) {
	const made = el(
		'button',
		{ class: `button small ${kind}`, type: 'button', id: id ?? null },
		text,
	);
	made.addEventListener('click', act);
	return made;
}

/** Opens a part, and leads the focus there. @param {typeof open} part @param {string} focus */
function openPart(part, focus) {
	open = part;
	draw();
	document.getElementById(focus)?.focus();
}

/** @param {Player} player */
function about(player) {
	const { account, phrase = '' } = player;
	const profile = el(
		'a',
		{ class: 'profile', href: `/player/${account}`, title: account },
		short(account),
	);
	profile.addEventListener('click', (event) => {
		event.preventDefault();
		close();
		navigate(`/player/${account}`);
	});
	return [
		el('h2', { id: 'guest-title' }, 'You play as a guest'),
		el('dl', { class: 'facts' }, el('dt', {}, 'Account'), el('dd', {}, profile)),
		el(
			'p',
			{ class: 'quiet' },
			'This browser has made its key, and keeps it. It is no place for money: whoever serves this page could read it.',
		),
		...{ phrase: words(phrase), forget: asks(player), '': actions() }[open],
	];
}

const actions = () => [
	el(
		'div',
		{ class: 'row' },
		button('Show its phrase', () => openPart('phrase', 'phrase-close'), '', 'phrase-open'),
		button('Forget it …', () => openPart('forget', 'forget-no'), '', 'forget-open'),
	),
];

/** @param {string} phrase */
function words(phrase) {
	const copy = button('Copy', async () => {
		const done = await copyText(phrase);
		copy.textContent = done ? 'Copied' : 'Copy it by hand';
	});
	return [
		el(
			'ol',
			{ class: 'words', 'aria-label': 'Phrase' },
			...phrase.split(' ').map((word) => el('li', {}, word)),
		),
		el(
			'p',
			{ class: 'quiet' },
			`These words are the account: whoever has them plays as you. Write them down. They restore it in another browser, in the program, and in wallets of Ethereum, at the path ${PATH}.`,
		),
		el(
			'div',
			{ class: 'row' },
			copy,
			button('Hide', () => openPart('', 'phrase-open'), '', 'phrase-close'),
		),
	];
}

/** The games of a player that go on in this browser. @param {Player} player */
const goingOn = ({ books }) =>
	openByTerms(recall(BY_TERMS, {})).filter(({ game }) =>
		Object.keys(books).some((name) => name.endsWith(`/${game}`)),
	);

/** @param {Player} player */
const asks = (player) => [
	el(
		'p',
		{ class: 'wrong', role: 'alert' },
		'Without its phrase nobody can play as this guest again.',
		lost(goingOn(player).length),
	),
	el(
		'div',
		{ class: 'row' },
		button('Forget it', () => forget(), 'danger'),
		button('Keep it', () => openPart('', 'forget-open'), '', 'forget-no'),
	),
];

/** What is lost with a guest who plays so many games. @param {number} games */
function lost(games) {
	if (!games) return '';
	const which = games === 1 ? 'A game that goes on here is' : `${games} games that go on here are`;
	return ` ${which} lost: you can make no move there any more, also if you restore the guest.`;
}

/** Plays as a guest of another device. */
function restoring() {
	const field = /** @type {HTMLTextAreaElement} */ (
		el('textarea', {
			id: 'restore-words',
			rows: '3',
			autocomplete: 'off',
			autocapitalize: 'none',
			spellcheck: 'false',
			'aria-describedby': 'restore-wrong',
		})
	);
	const wrong = el('p', { id: 'restore-wrong', class: 'wrong', role: 'alert' });
	const note = shown
		? el(
				'p',
				{ class: 'quiet' },
				'It takes the place of the present guest, whose phrase you should have then.',
			)
		: '';
	const form = el(
		'form',
		{ novalidate: '' },
		el('label', { class: 'field' }, 'Its phrase, of 12 words', field),
		wrong,
		note,
		el('div', { class: 'row' }, el('button', { class: 'button small', type: 'submit' }, 'Restore')),
	);
	form.addEventListener('submit', async (event) => {
		event.preventDefault();
		try {
			await restore(field.value);
			restorePart.removeAttribute('open');
		} catch (error) {
			wrong.textContent = `${capital(error instanceof Error ? error.message : String(error))}.`;
			field.setAttribute('aria-invalid', 'true');
			field.focus();
		}
	});
	return [el('summary', {}, 'Restore a guest by its phrase'), form];
}
