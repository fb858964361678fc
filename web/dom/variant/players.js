// The cards of a variant's players: who plays, what powers are left, and how much time.

import { clockText } from '../../state/clock.js';
import { nameOf } from '../../state/seats.js';
import { isLate, timeLeft } from '../../state/variant/clock.js';
import { powersLeft } from '../../state/variant/position.js';
import { accountAt, computerOf, isGame, isOut, mine } from '../../state/variant/seats.js';
import { POWERS } from '../../state/variant/words.js';
import { disc, el } from '../elements.js';
import { players, powerIcon } from './parts.js';

/** @import { Powers, ShownVariant, VariantColour } from '../../state/variant/types.d.ts' */

const LOW = 15; // seconds from which a clock is marked

let shown = '';

/** @param {ShownVariant} state */
export function renderPlayers(state) {
	const cards = powersLeft(state).map(({ colour, powers }) => card(state, colour, powers));
	// Written only when they change, so that a screen reader keeps its place.
	const now = cards.map(({ outerHTML }) => outerHTML).join();
	if (now === shown) return;
	shown = now;
	players.replaceChildren(...cards);
}

/** The time of the player to move, which runs between two messages. @param {ShownVariant} state @param {number} now */
export function renderTime(state, now) {
	const left = timeLeft(state, now);
	const clock = players.querySelector('.turn .clock');
	if (!(clock instanceof HTMLElement)) return;
	clock.hidden = left === null;
	clock.textContent = left === null ? '' : isLate(left) ? 'late' : clockText(left);
	clock.classList.toggle('low', left !== null && left < LOW);
}

/** @param {ShownVariant} state @param {VariantColour} colour @param {Powers} powers */
function card(state, colour, powers) {
	const { variant: view, hello } = state;
	const turn = !view.over && view.to_move === colour;
	const out = isOut(view, colour);
	const account = accountAt(view, colour);
	const name = account ? nameOf(hello, account) : isGame(view) ? 'free' : colour;
	const won = view.over && view.winner === colour;
	const classes = ['player', turn && 'turn', out && 'out', won && 'winner'].filter(Boolean);
	return el(
		'div',
		{ class: classes.join(' '), 'data-colour': colour },
		disc(colour),
		el('span', { class: 'name', title: account }, name),
		el('span', { class: 'kind' }, kind(state, colour)),
		hasPowers(state) ? chips(powers) : '',
		el('span', { class: 'clock', role: 'timer', hidden: '' }),
	);
}

/** @param {ShownVariant} state */
const hasPowers = ({ variant: { terms } }) => POWERS.some((power) => terms.powers[power]);

/** @param {ShownVariant} state @param {VariantColour} colour */
function kind(state, colour) {
	const { variant: view } = state;
	if (!isGame(view)) return '';
	if (isOut(view, colour)) return `${colour}, has left`;
	const computer = computerOf(view, colour);
	if (computer) return `${colour}, computer (${computer.level})`;
	if (isGame(view) && !view.started) {
		const seat = view.seats.find((known) => known.colour === colour);
		return `${colour}, ${seat?.joined ? 'is here' : seat?.account ? 'not here yet' : 'waits for a player'}`;
	}
	const seats = mine(state);
	if (!seats.includes(colour)) return colour;
	return `${colour}, ${seats.length === 1 ? 'you' : 'here'}`;
}

/** What is left of the powers. @param {Powers} powers */
function chips(powers) {
	const words = POWERS.map((power) => `${powers[power]} ${power}`).join(', ');
	return el(
		'span',
		{ class: 'powers', role: 'img', 'aria-label': `left: ${words}`, title: `Left: ${words}` },
		...POWERS.map((power) =>
			el(
				'span',
				{ class: powers[power] ? 'chip' : 'chip used', 'data-power': power },
				powerIcon(power),
				String(powers[power]),
			),
		),
	);
}
