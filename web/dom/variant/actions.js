// The buttons of a variant for what is no move: join and leave, remove who is late, play again,
// invitations, computers.

import { within } from '../../hosts.js';
import { accountOf, nameOf } from '../../state/seats.js';
import { capital } from '../../state/text.js';
import { remover } from '../../state/variant/clock.js';
import {
	accountAt,
	canPlayAgain,
	computerOf,
	held,
	isGame,
	isOut,
	mine,
	tableActions,
} from '../../state/variant/seats.js';
import { disc, el, show } from '../elements.js';
import { actions, more, partButton } from './parts.js';

/** @import { Address } from '../../state/types.d.ts' */
/** @import { PlayingVariant, ShownVariant, StoredVariant, VariantColour } from '../../state/variant/types.d.ts' */

const content = el('div', { class: 'more' });
more.append(content);

/** What each part shows, as markup. @type {WeakMap<HTMLElement, string>} */
const filled = new WeakMap();

/** @param {HTMLElement} part @param {Node[]} children */
function fill(part, children) {
	// Replaced only when something changes: a button keeps the focus.
	const now = children.map((child) => /** @type {HTMLElement} */ (child).outerHTML).join();
	if (filled.get(part) === now) return;
	filled.set(part, now);
	part.replaceChildren(...children);
}

/** @param {ShownVariant} state @param {number} now in milliseconds */
export function renderActions(state, now) {
	const { variant: view } = state;
	const parts = isGame(view) ? gameParts({ ...state, variant: view }, now) : [];
	fill(actions, parts);
	show(actions, parts.length);
	renderMore(state);
}

/** @param {PlayingVariant} state @param {number} now */
function gameParts(state, now) {
	const { variant: view, hello, pending, asking } = state;
	if (!view.started) {
		return [row(...tableButtons(state, view)), ...computerJoins(state), ...invitations(state)];
	}
	const seats = mine(state);
	const busy = pending ? '' : null;
	const buttons = [];
	const late = remover(state, now);
	if (late && view.to_move) {
		const attributes = { class: 'primary', 'data-account': late, disabled: busy };
		buttons.push(partButton('remove_late', `Remove ${view.to_move}, who is late`, attributes));
	}
	if (canPlayAgain(state)) {
		buttons.push(partButton('again', 'Play again', { class: 'primary', disabled: busy }));
	}
	const leaver = view.to_move && seats.includes(view.to_move) ? view.to_move : seats[0];
	if (!view.over && leaver && !asking) {
		const whose = seats.length > 1 ? ` as ${leaver}` : '';
		buttons.push(partButton('ask-leave', `Leave the game${whose}`, { disabled: busy }));
	}
	const confirm =
		asking && leaver ? [confirmation(leaver, accountAt(view, leaver) ?? '', busy)] : [];
	const parts = buttons.length ? [row(...buttons)] : [];
	return [...parts, ...confirm, ...(hello ? invitations(state) : [])];
}

/** @param {Node[]} children */
const row = (...children) => el('div', { class: 'row' }, ...children);

/** @param {VariantColour} colour @param {Address} account @param {string | null} busy */
const confirmation = (colour, account, busy) =>
	el(
		'div',
		{ class: 'row confirm', role: 'group', 'aria-label': 'Leave the game' },
		el('span', {}, `Leave for good as ${colour}? The discs stay.`),
		partButton('leave', 'Leave', { class: 'danger', 'data-account': account, disabled: busy }),
		partButton('ask-not', 'Keep playing'),
	);

/**
 * The buttons with which the accounts of this browser join or leave a table.
 * @param {Pick<PlayingVariant, 'hello' | 'pending'>} state
 * @param {Pick<StoredVariant, 'game' | 'seats' | 'named' | 'started' | 'payer'>} table
 */
export function tableButtons({ hello, pending }, table) {
	const { join, leave } = tableActions(hello, table);
	const busy = pending ? '' : null;
	/** @param {string} act @param {string} words @param {Address} account @param {string} [kind] */
	const button = (act, words, account, kind = '') =>
		partButton(act, `${words} ${nameOf(hello, account)}`, {
			class: `small ${kind}`,
			'data-game': table.game,
			'data-account': account,
			disabled: busy,
		});
	const [first] = join;
	const others = join.slice(1, 4);
	return [
		...(first ? [button('join', 'Join as', first, 'primary')] : []),
		...others.map((account) => button('join', 'Join as', account)),
		...leave.map((account) =>
			button('leave', account === table.payer ? 'Close the table of' : 'Leave as', account),
		),
	];
}

/**
 * A computer that sits down at a table, with an account of this browser.
 * @param {PlayingVariant} state
 */
function computerJoins({ hello, variant: view, pending }) {
	const account = tableActions(hello, view).join.at(-1);
	if (!account) return [];
	const attributes = { class: 'small', 'data-account': account, disabled: pending ? '' : null };
	return [
		el(
			'div',
			{ class: 'row give' },
			partButton('join-computer', `Add a computer as ${nameOf(hello, account)}`, attributes),
			levelSelect(hello?.variant.levels ?? [], 'Level of the computer'),
		),
	];
}

/** @param {string[]} levels @param {string} label */
const levelSelect = (levels, label) =>
	el(
		'select',
		{ 'aria-label': label },
		...levels.map((level) =>
			el('option', { value: level, selected: level === 'medium' ? '' : null }, level),
		),
	);

/** Names of this machine, which lead nowhere from another one. */
const LOCAL = /^(localhost|127\..*|\[::1\])$/;

/**
 * Links for the seats that somebody else plays, for whose accounts this browser has the keys.
 * @param {PlayingVariant} state
 */
function invitations(state) {
	const { variant: view, hello, plays } = state;
	const chosen = plays[view.game];
	if (view.over || !chosen) return [];
	const others = held(state).filter((colour) => {
		const account = accountAt(view, colour) ?? '';
		return !chosen.includes(account) && !computerOf(view, colour) && !isOut(view, colour);
	});
	if (!others.length) return [];
	const links = others.map((colour) => {
		const key = accountOf(hello, accountAt(view, colour))?.key ?? '';
		const url = `${location.origin}${within(`/game/${view.game}`)}#play=${key}`;
		return el(
			'li',
			{},
			disc(colour),
			el('span', {}, colour),
			el(
				'button',
				{ type: 'button', class: 'button small', 'data-do': 'copy', 'data-link': url },
				`Copy invite link for ${colour}`,
			),
		);
	});
	const local = LOCAL.test(location.hostname)
		? ' They work on this machine only: for others, start the program with --addr 0.0.0.0 and open this page by the machine’s address.'
		: '';
	return [
		el(
			'div',
			{ class: 'invitations' },
			el('p', {}, `Send each player the link to a seat; whoever has it can play there.${local}`),
			el('ul', {}, ...links),
		),
	];
}

/** @param {ShownVariant} state */
function renderMore(state) {
	const { variant: view } = state;
	const open = isGame(view) && view.started && !view.over ? held(state) : [];
	show(more, open.length);
	const parts = [seatsHere(state, open), ...open.map((colour) => computerRow(state, colour))];
	fill(content, parts);
}

/** @param {ShownVariant} state @param {VariantColour[]} open */
function seatsHere(state, open) {
	const played = mine(state);
	const boxes = open
		.filter((colour) => !computerOf(state.variant, colour))
		.map((colour) =>
			el(
				'label',
				{},
				el('input', {
					type: 'checkbox',
					name: 'here',
					value: colour,
					checked: played.includes(colour) ? '' : null,
				}),
				disc(colour),
				colour,
			),
		);
	return el('fieldset', { class: 'field here' }, el('legend', {}, 'I play'), ...boxes);
}

/** @param {ShownVariant} state @param {VariantColour} colour */
function computerRow({ variant: view, hello }, colour) {
	const levels = hello?.variant.levels ?? [];
	if (computerOf(view, colour)) {
		const attributes = { class: 'small', 'data-seat': colour };
		return el('div', {}, partButton('person', `Take ${colour}’s seat back`, attributes));
	}
	return el(
		'div',
		{ class: 'row give' },
		partButton('computer', `Let a computer play ${colour}`, {
			class: 'small',
			'data-seat': colour,
		}),
		levelSelect(levels, `Level for ${colour}`),
	);
}

/** The players who have left, by the turn after which they did. @param {PlayingVariant['variant']} view */
export function departuresText({ departures }) {
	/** @type {Map<number, string>} */
	const texts = new Map();
	for (const { player, late, turns } of departures) {
		const text = `${capital(player)} ${late ? 'was late and is out' : 'left'}.`;
		texts.set(turns, [texts.get(turns), text].filter(Boolean).join(' '));
	}
	return texts;
}

/** The colours that are to be played here, by the boxes that are checked. */
export function checkedSeats() {
	const boxes = /** @type {NodeListOf<HTMLInputElement>} */ (
		more.querySelectorAll('[name=here]:checked')
	);
	return [...boxes].map(({ value }) => /** @type {VariantColour} */ (value));
}
