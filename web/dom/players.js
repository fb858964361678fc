// The players: their names, and the cards that say who plays, how much time is left, and the results of the series.

import { clockLeft, clockShown, isLate, LOW } from '../state/clock.js';
import { COLOURS, isGame, isHere, isVariant, nameOf, seats } from '../state/seats.js';
import { capital, number } from '../words/forms.js';
import { texts } from '../words/page.js';
import { byId, el, find, icon, portrait, setText, show } from './elements.js';

/** @import { Shown, ViewedGame } from '../state/types.d.ts'
 * @import { Address, Colour, Hello, Player } from '../wire.d.ts' */

/** @type {Map<Colour, HTMLElement>} */
const cards = new Map();

/** The card of a colour, once it is shown. @param {Colour} colour */
export function cardOf(colour) {
	let card = cards.get(colour);
	if (!card) {
		card = el(
			'div',
			{ class: 'player', 'data-colour': colour },
			icon(`disc-${colour}`, 'token'),
			el('span', { class: 'name' }),
			el('span', { class: 'kind' }),
			el('span', { class: 'clock', role: 'timer' }),
			el('span', { class: 'score', title: texts.gamesWon }),
		);
		cards.set(colour, card);
		byId('draws').before(card);
	}
	return card;
}

/** @param {Shown} state @param {number} now in milliseconds */
export function renderPlayers(state, now) {
	const { view } = state;
	// A line has players only where they have powers.
	show(byId('players'), isGame(view) || isVariant(view));
	const shown = COLOURS.flatMap((colour) => {
		const player = view.players.find((known) => known.colour === colour);
		if (player) renderCard(state, player);
		return player ? colour : [];
	});
	for (const [colour, card] of cards) show(card, shown.includes(colour));
	const draws = (isGame(view) && view.series?.score.draws) || 0;
	show(byId('draws'), draws);
	setText(byId('draws'), texts.draws(draws));
	renderClocks(state, now);
}

/** @param {Shown} state @param {Player} player */
function renderCard(state, player) {
	const { view, hello } = state;
	const { colour, account, out } = player;
	const card = cardOf(colour);
	const name = find(card, '.name');
	if (account) setPerson(name, hello, account);
	else {
		name.title = '';
		setText(name, isGame(view) ? nameHere(state, player) : colour);
	}
	setText(find(card, '.kind'), kind(state, player));
	const score = isGame(view) && hasSeries(view) && view.series?.score;
	show(find(card, '.score'), score);
	if (score) setText(find(card, '.score'), number(score[/** @type {'red' | 'blue'} */ (colour)]));
	card.classList.toggle('turn', !view.over && view.to_move === colour);
	card.classList.toggle('out', out);
}

/** Whether a series is told: at a game of this page once one was won. @param {ViewedGame} view */
const hasSeries = ({ game, series }) =>
	!isHere(game) || Object.values(series?.score ?? {}).some((count) => count > 0);

/** The name of a player without an account. @param {Shown} state @param {Player} player */
function nameHere(state, { colour, computer }) {
	if (!isHere(state.view.game)) return texts.free;
	if (computer) return capital(computer.level);
	return seats(state).length === 1 ? texts.you : capital(colour);
}

/** What a player is, besides the name. @param {Shown} state @param {Player} player */
function kind(state, { colour, account, joined, out, computer }) {
	const { view } = state;
	if (!isGame(view)) return '';
	if (out) return texts.hasLeft(colour);
	if (computer && isHere(view.game)) return texts.isComputer(colour);
	if (computer) return texts.computerLevel(colour, computer.level);
	if (!view.started && !view.byTerms) {
		if (joined) return texts.isHere(colour);
		return account ? texts.notHere(colour) : texts.noPlayer(colour);
	}
	const mine = seats(state);
	if (isHere(view.game)) return mine.length === 1 ? colour : texts.here;
	/** @type {string[]} */
	const kinds = [colour];
	if (view.byTerms?.guests.includes(colour)) kinds.push(texts.guest);
	if (view.byTerms?.programs.includes(colour)) kinds.push(texts.program);
	if (mine.includes(colour)) kinds.push(mine.length === 1 ? texts.thisYou : texts.here);
	return kinds.join(', ');
}

/**
 * The clocks alone, which run between two messages.
 * @param {Shown} state @param {number} now in milliseconds
 */
export function renderClocks(state, now) {
	for (const { colour } of state.view.players) {
		const clock = find(cardOf(colour), '.clock');
		const left = clockLeft(state, colour, now);
		show(clock, left !== null);
		if (left === null) continue;
		const isOver = isVariant(state.view) && isLate(left);
		setText(clock, isOver ? texts.isLate : clockShown(state, colour, left));
		clock.classList.toggle('low', left <= LOW);
	}
}

/** @param {Hello | null} hello @param {Address} address @param {boolean} [isAwaited] whether a seat is kept for them */
export function personName(hello, address, isAwaited = false) {
	const name = nameOf(hello, address);
	const text = isAwaited ? texts.seatFor(name) : name;
	const parts = [portrait(address), text];
	if (!hello?.index) return el('span', {}, ...parts);
	return el('a', { class: 'profile', href: `/player/${address}` }, ...parts);
}

/**
 * Writes a name, only when it changes, so that a link keeps the focus.
 * @param {HTMLElement} place @param {Hello | null} hello @param {Address} address
 */
export function setPerson(place, hello, address) {
	const name = personName(hello, address);
	if (place.title === address && place.innerHTML === name.outerHTML) return;
	place.title = address;
	place.classList.toggle('two-words', !hello?.names[address]);
	place.replaceChildren(name);
}
