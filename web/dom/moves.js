// The list of moves, with what the review says of each.

import { shownAt } from '../state/position.js';
import { reviewText } from '../state/review.js';
import { amountText, capital, exactAmount, short } from '../state/text.js';
import { byId, centre, disc, el, find, setData, setText, show } from './elements.js';

/** @import { Hello, Review, Reviewed } from '../state/types.d.ts' */
/** @import { ListedMove, Moves, MoveText } from './types.d.ts' */

/** What is shown. @type {{ view: Moves['view'] | null, review: Review | null, json: string[] }} */
const listed = { view: null, review: null, json: [] };

/**
 * @template {ListedMove} Move
 * @param {Moves<Move>} state @param {MoveText<Move>} textOf
 */
export function renderMoves(state, textOf) {
	const { view, review } = state;
	const list = byId('moves');
	const isNew = listed.view !== view;
	if (isNew) {
		listMoves(state, list, textOf);
		renderNotation(view);
	}
	if (isNew || listed.review !== review) {
		for (const [turn, item] of [...list.children].entries()) {
			renderMark(/** @type {HTMLElement} */ (item), review?.moves[turn]);
		}
	}
	markCurrent(list, shownAt(state) - 1, isNew);
	listed.view = view;
	listed.review = review;
}

/**
 * @template {ListedMove} Move
 * @param {Moves<Move>} state @param {HTMLElement} list @param {MoveText<Move>} textOf
 */
function listMoves({ view, hello }, list, textOf) {
	// Moves are only ever added, unless it is another game.
	const json = view.moves.map((move) => JSON.stringify(move));
	if (!listed.json.every((move, turn) => move === json[turn])) list.replaceChildren();
	for (const [turn, move] of view.moves.entries()) {
		if (list.children[turn]) continue;
		// Signed moves come to the chain together, by a transaction that is shown once, at the last of them.
		const isPaid = view.moves[turn + 1]?.transaction?.hash !== move.transaction?.hash;
		list.append(moveItem(move, turn, isPaid ? hello : null, textOf(move)));
	}
	listed.json = json;
	const none = view.moves_missing ?? (view.moves.length ? '' : 'None yet.');
	show(byId('moves-none'), none);
	setText(byId('moves-none'), capital(none));
	show(list, view.moves.length);
}

/** @param {Moves['view']} view */
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
 * @param {ListedMove} move @param {number} turn from 0 @param {Hello | null} hello null if its transaction is not
 * shown
 * @param {{ text: string, title: string }} words
 */
function moveItem(move, turn, hello, { text, title }) {
	const { player, transaction } = move;
	const show = el(
		'button',
		{
			class: 'move',
			'data-do': 'position',
			'data-position': turn + 1,
			title: `${title}. Show this position`,
		},
		el('span', { class: 'number' }, String(turn + 1)),
		disc(player),
		el('span', { class: 'unseen' }, player),
		el('span', {}, text),
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
 * @param {ListedMove} move @param {Hello | null} hello
 */
function onChain({ transaction }, hello) {
	if (!transaction || !hello) return [];
	const { block, fee, hash } = transaction;
	const title = `fee ${exactAmount(fee, hello.chain)}`;
	const text = `block ${block} · ${amountText(fee, hello.chain)}`;
	const copy = {
		class: 'hash',
		'data-do': 'copy',
		'data-link': hash,
		title: hash,
		'aria-label': `Copy transaction ${short(hash)}`,
	};
	const button = el('button', copy, `${hash.slice(0, 6)}…`);
	return [el('span', { class: 'told' }, el('span', { title }, text), button)];
}

/** @param {HTMLElement} item @param {Reviewed | undefined} reviewed */
function renderMark(item, reviewed) {
	if (reviewed) setData(item, 'mark', reviewed.mark);
	else delete item.dataset.mark;
	setText(find(item, '.mark'), reviewed?.mark ?? '');
	setText(find(item, '.said'), reviewed ? reviewText(reviewed) : '');
}
