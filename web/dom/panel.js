// The panel around the board of a classic game: status, players, clocks.

import { stakeText, timeText } from '../state/challenges.js';
import { clockLeft, clockText } from '../state/clock.js';
import { COLOURS, computerOf, seats } from '../state/seats.js';
import { note, status } from '../state/status.js';
import { isSome, shapeText } from '../state/text.js';
import { renderActions } from './actions.js';
import { byId, find, setText, show } from './elements.js';
import { renderExtras } from './extras.js';
import { mirror } from './mirror.js';
import { renderMoves } from './moves.js';
import { setPerson } from './person.js';
import { renderReplay, renderStage } from './stage.js';

/** @import { Colour, Shown } from '../state/types.d.ts' */

const LOW = 15; // seconds from which a clock is marked

mirror(find(byId('players'), '[data-colour]'), 'colour');

/** @param {Shown} state @param {number} now in milliseconds */
export function renderPanel(state, now) {
	renderStatus(state);
	renderPlayers(state, now);
	renderActions(state, now);
	renderMoves(state, ({ bin, row }) => ({ text: `bin ${bin + 1}`, title: `Row ${row + 1}` }));
	renderReplay(state);
	renderExtras(state);
}

/** @param {Shown} state */
function renderStatus(state) {
	const { view } = state;
	const what = view.game === null ? 'Line' : `Game ${view.game}`;
	renderStage({
		status: status(state),
		which: `${what} · ${shapeText(view.shape)}`,
		note: state.error ? '' : note(state),
		back: state.at !== null && !view.over && view.game !== null && !state.error,
	});
}

/** @param {Colour} colour */
const playerCard = (colour) => find(byId('players'), `[data-colour="${colour}"]`);

/**
 * The clocks alone, which run between two messages.
 * @param {Shown} state @param {number} now in milliseconds
 */
export function renderClocks(state, now) {
	for (const colour of COLOURS) {
		const clock = find(playerCard(colour), '.clock');
		const left = clockLeft(state, colour, now);
		show(clock, left !== null);
		if (left === null) continue;
		setText(clock, clockText(left));
		clock.classList.toggle('low', left < LOW);
	}
}

/** What is at stake while it is played for, with the clock. @param {Shown} state */
function renderStake({ view, hello }) {
	const staked = hello && view.game !== null && !view.over && isSome(view.match.stake);
	show(byId('stake'), staked);
	if (!staked) return;
	const { stake, prize, clock } = view.match;
	const time = clock ? ` · ${timeText(clock)}` : '';
	setText(byId('stake'), `At stake: ${stakeText(stake, prize, hello)}${time}`);
}

/** @param {Shown} state @param {number} now */
function renderPlayers(state, now) {
	const { view, hello } = state;
	show(byId('players'), view.game !== null);
	if (view.game === null) return;
	const mine = seats(state);
	const { score } = view.match;
	for (const colour of COLOURS) {
		const card = playerCard(colour);
		setPerson(find(card, '.name'), hello, view[colour]);
		const computer = computerOf(view, colour);
		let kind = String(colour);
		if (computer) kind = `computer (${computer.level})`;
		else if (mine.includes(colour)) kind = mine.length === 1 ? 'you' : 'here';
		setText(find(card, '.kind'), kind);
		setText(find(card, '.score'), String(score[colour]));
		card.classList.toggle('turn', !view.over && view.to_move === colour);
	}
	renderStake(state);
	show(byId('draws'), score.draws);
	setText(byId('draws'), `${score.draws} ${score.draws === 1 ? 'draw' : 'draws'}`);
	renderClocks(state, now);
}
