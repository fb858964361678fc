// What is in “More” below the moves: the seats that are played here, computers, the series, and where the game is;
// and in “Keys” what they do. Loaded when one of them is opened.

import { playSeats, send } from '../commands.js';
import {
	byId,
	disc,
	el,
	find,
	input,
	levelSelect,
	refill,
	setData,
	setText,
	show,
} from '../dom/elements.js';
import { host } from '../hosts.js';
import { confirmMoves, confirms } from '../settings.js';
import { LEVELS } from '../state/here.js';
import { shownGame } from '../state/records.js';
import { computerOf, held, isGame, isHere, seats } from '../state/seats.js';
import { short } from '../state/text.js';
import { current } from '../store.js';
import { texts } from '../words/more.js';

/** @import { Shown, State } from '../state/types.d.ts'
 * @import { Colour } from '../wire.d.ts' */

/** Keys, and what they do. @type {[string, string][]} */
const KEYS = [
	['1 … 9', texts.keyDrop],
	['← → ↑ ↓', texts.keyWalk],
	['Home End PgUp PgDn', texts.keyEdges],
	['Enter Space', texts.keyHere],
	['Enter', texts.keyNext],
	['M', texts.keySound],
];
find(byId('keys'), 'dl').prepend(
	...KEYS.flatMap(([keys, text]) => [
		el(
			'dt',
			{},
			...keys.split(' ').flatMap((key) => [key === '…' ? key : el('kbd', {}, key), ' ']),
		),
		el('dd', {}, text),
	]),
);

const here = el('fieldset', { id: 'seats-here', class: 'row' });
const computers = el('div', { class: 'more' });
const picture = el('a', { target: '_blank', rel: 'noopener' }, texts.picture);
const film = el('a', { download: '' }, texts.film);
const embed = el(
	'button',
	{ type: 'button', class: 'button small', 'data-do': 'copy', title: texts.embed },
	el('span', {}, texts.copyEmbed),
);
const share = el('p', { id: 'share', class: 'row' }, picture, film, embed);
const confirming = el(
	'label',
	{ class: 'check whole' },
	el('input', { id: 'confirm-moves', type: 'checkbox', checked: confirms() ? '' : null }),
	el('span', {}, el('b', {}, texts.confirm), el('small', {}, texts.confirmHelp)),
);
const save = el(
	'button',
	{ id: 'save-game', type: 'button', class: 'button small', title: texts.asText },
	texts.save,
);
const previous = el('a', {}, texts.previous);
const series = el('p', {}, previous);
const place = el('p', { id: 'place', class: 'quiet' });
find(byId('more'), '.more').append(here, computers, confirming, share, save, series, place);

// It is for fingers.
show(confirming, navigator.maxTouchPoints > 0);
confirming.addEventListener('change', () => confirmMoves(input('confirm-moves').checked));

here.addEventListener('change', () => {
	/** @type {NodeListOf<HTMLInputElement>} */
	const boxes = here.querySelectorAll(':checked');
	playSeats([...boxes].map(({ value }) => /** @type {Colour} */ (value)));
});

save.addEventListener('click', () => {
	const { view } = current();
	const shown = view && shownGame(view);
	if (!view || !shown) return;
	const saving = import('../records/main.js').then((records) => records.saveShown(shown));
	send(
		'act',
		saving.then(() => null),
	);
});

/** @param {State} state */
export function render({ view, ...state }) {
	if (!view) return;
	const game = isGame(view) ? view : null;
	const shown = { ...state, view };
	// Beside the games of a page, a public host has no seats to give away.
	const hasSeats = game?.started && !game.over && (isHere(game.game) || !state.hello?.public);
	renderSeats(shown, hasSeats ? held(shown) : []);
	const before = game?.series?.previous ?? null;
	// Whether a game by signed terms was recorded is not known here.
	show(share, !isHere(view.game) && !state.route.game?.startsWith('0x'));
	renderShare(host() || location.origin, shown);
	show(save, shownGame(view));
	show(series, before !== null);
	previous.setAttribute('href', `/game/${before}`);
	show(place, game && !isHere(game.game));
	renderPlace(state.hello);
}

/**
 * Pictures of the game or the line, and the board for other people's pages.
 * @param {string} at the host @param {Shown} state
 */
function renderShare(at, { route, hello, at: move }) {
	const line = route.page === 'line' ? `?${route.query}` : '';
	const after = move === null ? '' : `${line ? '&' : '?'}move=${move}`;
	const where = line ? '/line' : `/game/${route.game}`;
	picture.setAttribute('href', `${at}${where}/picture.svg${line}${after}`);
	show(film, !line);
	film.setAttribute('href', `${at}/game/${route.game}/picture.gif`);
	show(embed, hello?.public && !line);
	const rights = 'allow-popups allow-popups-to-escape-sandbox';
	setData(
		embed,
		'link',
		`<iframe src="${at}/embed/game/${route.game}${after}" title="Connect Four" width="480" height="560" sandbox="${rights}" loading="lazy" style="border:0"></iframe>`,
	);
}

/**
 * The seats that can be played here, and those that a computer can play.
 * @param {Shown} state @param {Colour[]} open
 */
function renderSeats(state, open) {
	const { view, hello } = state;
	show(here, open.length > 1 && !isHere(view.game));
	show(computers, open.length);
	const played = seats(state);
	const persons = open.filter((colour) => !computerOf(view, colour));
	refill(
		here,
		[el('legend', { class: 'quiet' }, texts.iPlay)].concat(
			persons.map((colour) => seatBox(colour, played.includes(colour))),
		),
	);
	refill(
		computers,
		open.map((colour) => computerRow(colour, computerOf(view, colour), hello)),
	);
}

/** @param {Colour} colour @param {boolean} isPlayed */
const seatBox = (colour, isPlayed) =>
	el(
		'label',
		{ class: 'row' },
		el('input', { type: 'checkbox', value: colour, checked: isPlayed ? '' : null }),
		disc(colour),
		colour,
	);

/** @param {Colour} colour @param {unknown} computer that plays @param {State['hello']} hello */
function computerRow(colour, computer, hello) {
	/** @param {string} what @param {string} text */
	const button = (what, text) =>
		el('button', { class: 'button small', 'data-do': what, 'data-seat': colour }, text);
	if (computer) return el('div', {}, button('person', texts.takeSeat(colour)));
	return el(
		'div',
		{ class: 'row give' },
		button('computer', texts.giveComputer(colour)),
		levelSelect(hello?.levels ?? LEVELS, { 'aria-label': texts.levelFor(colour) }),
	);
}

/** @param {State['hello']} hello */
function renderPlace(hello) {
	if (!hello) return;
	const { name, place: where, contract } = hello.chain;
	const parts = [name, where, contract && texts.contract(short(contract))];
	setText(place, parts.filter(Boolean).join(' · '));
	place.title = contract ?? '';
}
