// The guests of this browser, in the sheet of accounts: profile, phrase, who of them plays, and how to leave one.

import { actButton, el, portrait } from '../dom/elements.js';
import { navigate } from '../navigation.js';
import '../names.js';
import { accountName } from '../state/account-name.js';
import { SIGNED } from '../state/here.js';
import { reason } from '../state/text.js';
import { recall } from '../storage.js';
import { capital } from '../words/forms.js';
import { texts } from '../words/wallet.js';
import { forget, guest, guests, onGuest, playAs, restore } from './account.js';
import { isPhraseKnown } from './phrases.js';
import { FORGETS, mayForget, wordsOf } from './words.js';

/** @import { Player } from '../host/journal.js' */
/** @import { KeptSigned } from '../state/types.d.ts'
 * @import { GameId } from '../wire.d.ts' */

/** What is shown of guests, and how another one is restored. */
export const guestPart = el('section', {
	id: 'guest',
	'aria-labelledby': 'guest-title',
	hidden: '',
});
export const restorePart = el('details', { id: 'restore' });

/** The guest who plays; null if there is none. @type {Player | null} */
let shown = null;
/** Those who do not. @type {Player[]} */
let others = [];
let forgets = false;
/** What is open of a guest: the phrase, or the question whether to forget it. @type {{ part: 'phrase' | 'forget', key: string } | null} */
let open = null;
/** Closes the sheet. */
let close = () => {};

/** @param {() => void} closes */
export function renderGuest(closes) {
	close = closes;
	open = null;
	return show();
}

onGuest(() => show());

async function show() {
	shown = await guest().catch(() => null);
	const all = await guests().catch(() => []);
	others = all.filter(({ key }) => key !== shown?.key);
	forgets = await mayForget();
	draw();
}

function draw() {
	guestPart.hidden = !shown && !others.length;
	guestPart.replaceChildren(...(shown ? about(shown) : []), ...listed());
	restorePart.replaceChildren(...restoring());
}

/** Opens a part, and leads the focus there. @param {typeof open} part @param {string} focus */
function openPart(part, focus) {
	open = part;
	draw();
	document.getElementById(focus)?.focus();
}

/** @param {string} account */
function profileOf(account) {
	const profile = el(
		'a',
		{ class: 'profile', href: `/player/${account}`, title: account },
		portrait(account),
		accountName(account),
	);
	profile.addEventListener('click', (event) => {
		event.preventDefault();
		close();
		navigate(`/player/${account}`);
	});
	return profile;
}

/** @param {Player} player */
function about(player) {
	return [
		el('h2', { id: 'guest-title' }, texts.youAreGuest),
		el(
			'dl',
			{ class: 'facts' },
			el('dt', {}, texts.account),
			el('dd', {}, profileOf(player.account)),
		),
		el('p', { class: 'quiet' }, texts.guestHelp),
		forgets ? el('p', { class: 'wrong' }, FORGETS) : '',
		...partOf(player),
	];
}

/** The guests of this browser who do not play. */
function listed() {
	if (!others.length) return [];
	return [
		el('h2', { id: shown ? 'guests-title' : 'guest-title' }, texts.otherGuests),
		el(
			'ul',
			{ class: 'guests' },
			...others.map((player) =>
				el(
					'li',
					{},
					profileOf(player.account),
					...partOf(player, [
						actButton(texts.playAsIt, () => {
							open = null;
							return playAs(player);
						}),
					]),
				),
			),
		),
	];
}

/** What can be done with a guest, or what is open of it. @param {Player} player @param {Element[]} [more] */
function partOf(player, more = []) {
	const { key } = player;
	// The one who plays is the first.
	const id = (/** @type {string} */ name) => (key === shown?.key ? name : `${name}-${key}`);
	if (open?.key !== key) {
		return [
			el(
				'div',
				{ class: 'row' },
				...more,
				actButton(
					texts.showPhrase,
					() => openPart({ part: 'phrase', key }, id('phrase-close')),
					'',
					id('phrase-open'),
				),
				actButton(
					texts.forget,
					() => openPart({ part: 'forget', key }, id('forget-no')),
					'',
					id('forget-open'),
				),
			),
		];
	}
	if (open.part === 'forget') return asks(player, id);
	const hide = actButton(
		texts.hide,
		() => openPart(null, id('phrase-open')),
		'',
		id('phrase-close'),
	);
	return wordsOf(player, hide);
}

/** The games of a player that go on in this browser. @param {Player} player */
const goingOn = (player) =>
	Object.values(recall(SIGNED, /** @type {Record<GameId, KeptSigned>} */ ({}))).filter(
		({ key, over }) => key === player.key && !over,
	);

/** @param {Player} player @param {(name: string) => string} id */
const asks = (player, id) => [
	el('p', { class: 'wrong', role: 'alert' }, texts.withoutPhrase, lost(goingOn(player).length)),
	el(
		'div',
		{ class: 'row' },
		actButton(texts.forgetNow, () => forget(player), 'danger'),
		actButton(texts.keep, () => openPart(null, id('forget-open')), '', id('forget-no')),
	),
];

/** What is lost with a guest who plays so many games. @param {number} games */
function lost(games) {
	return games ? ` ${texts.gamesLost(games)}` : '';
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
	const isKnown = !shown || isPhraseKnown(shown.account);
	const note = shown ? el('p', { class: 'quiet' }, texts.restoreHelp) : '';
	/** Whether the player was asked, and agrees to it. */
	let isAgreed = isKnown;
	const restores = el('button', { class: 'button small', type: 'submit' }, texts.restore);
	const form = el(
		'form',
		{ novalidate: '' },
		el('label', { class: 'field' }, texts.phraseField, field),
		wrong,
		note,
		el('div', { class: 'row' }, restores),
	);
	form.addEventListener('submit', async (event) => {
		event.preventDefault();
		if (!isAgreed) {
			isAgreed = true;
			wrong.textContent = texts.phraseNotShown;
			restores.textContent = texts.restoreAnyway;
			return;
		}
		try {
			await restore(field.value);
			restorePart.removeAttribute('open');
		} catch (error) {
			wrong.textContent = `${capital(reason(error))}.`;
			field.setAttribute('aria-invalid', 'true');
			field.focus();
		}
	});
	return [el('summary', {}, texts.restoreByPhrase), form];
}
