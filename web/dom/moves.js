// The list of moves.

import { shownAt } from '../state/position.js';
import { isVariant } from '../state/seats.js';
import { amountText, exactAmount, short } from '../state/text.js';
import { moveSentence, moveText, termsText } from '../state/words.js';
import { capital } from '../words/forms.js';
import { texts } from '../words/page.js';
import { byId, centre, disc, el, find, setData, setText, show } from './elements.js';

/** @import { Shown, View } from '../state/types.d.ts'
 * @import { Hello, Move } from '../wire.d.ts' */

/** What is shown. @type {{ view: View | null, json: string[] }} */
const listed = { view: null, json: [] };

/** @param {Shown} state */
export function renderMoves(state) {
	const { view } = state;
	const list = byId('moves');
	const isNew = listed.view !== view;
	if (isNew) {
		listMoves(state, list);
		renderNotation(view);
	}
	markCurrent(list, shownAt(state) - 1, isNew);
	listed.view = view;
}

/** @param {Shown} state @param {HTMLElement} list */
function listMoves({ view, hello }, list) {
	// Moves are only ever added, unless it is another game.
	const json = view.moves.map((move) => JSON.stringify(move));
	if (!listed.json.every((move, turn) => move === json[turn])) list.replaceChildren();
	for (const [turn, move] of view.moves.entries()) {
		if (list.children[turn]) continue;
		// Signed moves come to the chain together, by a transaction that is shown once, at the last of them.
		const isPaid = view.moves[turn + 1]?.transaction?.hash !== move.transaction?.hash;
		list.append(moveItem(move, turn, isPaid ? hello : null));
	}
	listed.json = json;
	const nothing = isVariant(view) ? termsText(view.terms) : texts.noneYet;
	const none = view.moves_missing ?? (view.moves.length ? '' : nothing);
	show(byId('moves-none'), none);
	setText(byId('moves-none'), capital(none));
	show(list, view.moves.length);
}

/** @param {View} view */
function renderNotation({ notation }) {
	setText(byId('notation'), notation);
	show(find(document, '.notation'), notation);
	setData(byId('copy-notation'), 'link', notation);
}

/** @param {HTMLElement} list @param {number} turn @param {boolean} isNew */
function markCurrent(list, turn, isNew) {
	const before = list.querySelector('[aria-current]');
	const item = /** @type {HTMLElement | undefined} */ (list.children[turn]);
	if (before === (item ?? null) && !isNew) return;
	before?.removeAttribute('aria-current');
	if (!item) return;
	item.setAttribute('aria-current', 'true');
	centre(list, item);
}

/**
 * @param {Move} move @param {number} turn from 0 @param {Hello | null} hello null if its transaction is not shown
 */
function moveItem(move, turn, hello) {
	const { player, transaction } = move;
	const show = el(
		'button',
		{
			class: 'move',
			'data-do': 'position',
			'data-position': turn + 1,
			title: texts.showPosition(moveSentence(move)),
		},
		el('span', { class: 'number' }, String(turn + 1)),
		disc(player),
		el('span', { class: 'unseen' }, player),
		el('span', {}, moveText(move)),
		el('b', { class: 'mark' }),
	);
	return el(
		'li',
		{ 'data-turn': turn, 'data-transaction': transaction?.hash ?? '' },
		show,
		el('span', { class: 'said' }),
		...onChain(move, hello),
	);
}

/**
 * The block, fee and transaction of a move; nothing for a move that is on no chain.
 * @param {Move} move @param {Hello | null} hello
 */
function onChain({ transaction }, hello) {
	if (!transaction || !hello) return [];
	const { block, fee, hash } = transaction;
	const title = texts.fee(exactAmount(fee, hello.chain));
	const text = `${texts.block(block)} · ${amountText(fee, hello.chain)}`;
	const copy = {
		class: 'hash',
		'data-do': 'copy',
		'data-link': hash,
		title: hash,
		'aria-label': texts.copyTransaction(short(hash)),
	};
	const button = el('button', copy, `${hash.slice(0, 6)}…`);
	return [el('span', { class: 'told' }, el('span', { title }, text), button)];
}
