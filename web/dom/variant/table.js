// Who comes and goes: the buttons of a table, that by which a player who is late is removed, and who has left.

import { isGame, isHere, isVariant, nameOf } from '../../state/seats.js';
import { remover, tableActions } from '../../state/variant/table.js';
import { texts } from '../../words/variant.js';
import { byId, el, find, levelSelect, refill, setText, show } from '../elements.js';

/** @import { Playing, Shown, State, ViewedGame } from '../../state/types.d.ts'
 * @import { Address, ListedGame } from '../../wire.d.ts' */

const part = el('div', { id: 'table-actions' });
byId('main-actions').before(part);

/** @param {Shown} state @param {number} now in milliseconds */
export function renderTable(state, now) {
	const { view } = state;
	const game = isGame(view) && isVariant(view) && !isHere(view.game) ? view : null;
	const rows = game ? rowsOf({ ...state, view: game }, now) : [];
	show(part, rows.length);
	refill(part, rows);
	if (game) renderDepartures(game);
}

/** Says in the list of moves after which of them players have left. @param {ViewedGame} view */
function renderDepartures({ departures }) {
	for (const [turn, item] of [...byId('moves').children].entries()) {
		const gone = departures
			.filter(({ turns }) => turns === turn + 1)
			.map(({ player, late }) => (late ? texts.lateAndOut(player) : texts.left(player)));
		setText(find(item, '.said'), gone.join(' '));
	}
}

/** @param {Playing} state @param {number} now */
function rowsOf(state, now) {
	const { view, pending } = state;
	if (!view.started) {
		const buttons = tableButtons(state, view);
		// Computers play with accounts of a program.
		const joins = state.hello?.public ? [] : computerJoins(state);
		return [...(buttons.length ? [row(...buttons)] : []), ...joins];
	}
	const account = remover(state, now);
	if (!account || !view.to_move) return [];
	const attributes = { class: 'button primary', 'data-do': 'remove-late', 'data-account': account };
	const text = texts.removeLate(view.to_move);
	return [row(el('button', { ...attributes, disabled: pending ? '' : null }, text))];
}

/** @param {Node[]} children */
const row = (...children) => el('div', { class: 'row' }, ...children);

/**
 * The buttons with which the accounts of this browser join or leave a table.
 * @param {Pick<State, 'hello' | 'pending'>} state
 * @param {Pick<ListedGame, 'game' | 'players' | 'named' | 'started' | 'payer'>} table
 */
export function tableButtons({ hello, pending }, table) {
	const { join, leave } = tableActions(hello, table);
	/** @param {string} what @param {(account: string) => string} text @param {Address} account @param {string} [kind] */
	const button = (what, text, account, kind = '') =>
		el(
			'button',
			{
				class: `button small ${kind}`,
				'data-do': what,
				'data-game': table.game,
				'data-account': account,
				disabled: pending ? '' : null,
			},
			text(nameOf(hello, account)),
		);
	const [first] = join;
	const others = join.slice(1, 4);
	return [
		...(first ? [button('join', texts.joinAs, first, 'primary')] : []),
		...others.map((account) => button('join', texts.joinAs, account)),
		...leave.map((account) =>
			button('leave', account === table.payer ? texts.closeTable : texts.leaveAs, account),
		),
	];
}

/**
 * A computer that sits down at a table, with an account of this browser.
 * @param {Playing} state
 */
function computerJoins({ hello, view, pending }) {
	const account = tableActions(hello, view).join.at(-1);
	if (!account) return [];
	const attributes = {
		class: 'button small',
		'data-do': 'join-computer',
		'data-account': account,
		disabled: pending ? '' : null,
	};
	return [
		el(
			'div',
			{ class: 'row give' },
			el('button', attributes, texts.addComputer(nameOf(hello, account))),
			levelSelect(hello?.levels ?? [], { 'aria-label': texts.levelOfComputer }),
		),
	];
}
