// What is below the moves: links, the seats that are played here, and where the game is.

import { within } from '../hosts.js';
import { COLOURS, computerOf, held, seats } from '../state/seats.js';
import { short } from '../state/text.js';
import { byId, fillLevels, find, link, setData, setText, show } from './elements.js';
import { mirror } from './mirror.js';

/** @import { Shown } from '../state/types.d.ts' */

mirror(find(byId('more'), '[data-seat]'), 'seat');

/** @param {Shown} state */
export function renderExtras(state) {
	const { view } = state;
	const isGame = view.game !== null;
	show(byId('watch-link'), isGame);
	if (!isGame) return;
	setData(byId('watch-link'), 'link', location.origin + within(`/game/${view.game}`));
	renderSeatsHere(state);
	renderComputerSeats(state);
	const { previous } = view.match;
	show(byId('series'), previous !== null);
	show(byId('previous-game'), previous !== null);
	if (previous !== null) link('previous-game').href = within(`/game/${previous}`);
	renderPlace(state);
}

/** @param {Shown} state */
function renderSeatsHere(state) {
	const { view } = state;
	const mine = seats(state);
	const hasComputer = COLOURS.some((colour) => computerOf(view, colour));
	show(byId('seats-here'), held(state).length === 2 && !hasComputer && !view.over);
	const played = mine.length === 2 ? 'both' : mine[0];
	for (const radio of byId('seats-here').querySelectorAll('input')) {
		radio.checked = radio.value === played;
	}
}

/** @param {Shown} state */
function renderComputerSeats(state) {
	const { view, hello } = state;
	const open = held(state);
	for (const colour of COLOURS) {
		const seat = find(byId('more'), `[data-seat="${colour}"]`);
		const taken = computerOf(view, colour);
		show(seat, open.includes(colour) && !view.over);
		show(find(seat, '.give'), !taken);
		show(find(seat, '.take'), taken);
		fillLevels(find(seat, 'select', HTMLSelectElement), hello?.levels ?? []);
	}
}

/** @param {Shown} state */
function renderPlace({ hello }) {
	if (!hello) return;
	const { name, place, contract } = hello.chain;
	const parts = [name, place, contract && `contract ${short(contract)}`];
	setText(byId('place'), parts.filter(Boolean).join(' · '));
	byId('place').title = contract ?? '';
}
