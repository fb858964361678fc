// What a player can pick for a turn, the targets that the program names for it, and the move that a
// target stands for.

import { texts } from '../../words/variant.js';
import { hasMove } from '../keys.js';
import { mayMove } from '../plan.js';
import { seats } from '../seats.js';

/** @import { Choice, MoveKind, Picked, PickedKind, Shown, View } from '../types.d.ts'
 * @import { Cell, MoveAsked } from '../../wire.d.ts' */

/** @type {{ kind: MoveKind, label: string, does: string }[]} */
const KINDS = [
	{
		kind: 'take',
		label: texts.take,
		does: texts.takeDoes,
	},
	{
		kind: 'clear',
		label: texts.clear,
		does: texts.clearDoes,
	},
	{
		kind: 'float',
		label: texts.float,
		does: texts.floatDoes,
	},
	{
		kind: 'pop',
		label: texts.pop,
		does: texts.popDoes,
	},
	{ kind: 'swap', label: texts.swap, does: texts.swapDoes },
];

/** What is said of a kind and of its targets. @type {Record<PickedKind, { prompt: string, does: string }>} */
const PICKED = {
	take: { prompt: texts.chooseDisc, does: texts.takeIt },
	clear: { prompt: texts.chooseRow, does: texts.clearIt },
	float: { prompt: texts.chooseCell, does: texts.floatIt },
	pop: { prompt: texts.chooseBin, does: texts.popIt },
};

/** @param {MoveKind} kind */
export const labelOf = (kind) => KINDS.find((known) => known.kind === kind)?.label ?? kind;

/**
 * The kinds of moves, apart from drops, that the terms have.
 * @param {Shown} state
 * @returns {Choice[]}
 */
export function choices(state) {
	const { view, picked } = state;
	const { targets, refusals } = view;
	const may = mayMove(state);
	// The player of one seat sees what is left there, also while others are to move.
	const mine = seats(state);
	const owner = mine.length === 1 ? mine[0] : view.to_move;
	const left = view.players.find(({ colour }) => colour === owner)?.powers;
	return KINDS.filter(({ kind }) => hasMove(view, kind)).map(({ kind, label, does }) => {
		const why = refusals[kind];
		const some = kind === 'swap' ? targets.swap : targets[kind].length > 0;
		return {
			kind,
			label,
			left: kind === 'pop' || kind === 'swap' ? null : (left?.[kind] ?? 0),
			can: may && some,
			title: may && why ? texts.notNow(does, why) : does,
			picked: picked?.kind === kind,
		};
	});
}

/**
 * The powers that each player has left at the position shown, in the order of play.
 * @param {Shown} state
 */
export const powersAt = ({ view, at }) =>
	view.players.map(({ powers }, seat) =>
		at === null ? powers : (view.moves[at - 1]?.powers?.[seat] ?? view.terms.powers),
	);

/**
 * What is picked, once a kind of move is, and once the bin of its target is named.
 * @param {View} view @param {PickedKind} kind @param {number | null} bin
 * @returns {Picked}
 */
export function picking(view, kind, bin = null) {
	const { prompt, does } = PICKED[kind];
	const next = bin === null ? prompt : texts.chooseRowOf(bin + 1);
	return { kind, bin, prompt: next, targets: targets(view, kind, bin), does };
}

/** @param {View} view @param {PickedKind} kind @param {number | null} named @returns {Cell[]} */
function targets({ targets, terms }, kind, named) {
	if (kind === 'pop') return targets.pop.map((bin) => ({ bin, row: 0 }));
	if (kind === 'clear') {
		const bins = Array.from({ length: terms.shape.bins }, (_, bin) => bin);
		return targets.clear.flatMap((row) => bins.map((bin) => ({ bin, row })));
	}
	return targets[kind].filter(({ bin }) => named === null || bin === named);
}

/**
 * The move that a cell stands for.
 * @param {Picked | null} picked @param {Cell} cell
 * @returns {MoveAsked}
 */
export function moveAt(picked, { bin, row }) {
	if (!picked) return { kind: 'drop', bin };
	const { kind } = picked;
	if (kind === 'pop') return { kind, bin };
	return kind === 'clear' ? { kind, row } : { kind, bin, row };
}

/**
 * What a number, from 1, stands for once a kind is picked: a move, or the bin of a cell whose row comes next.
 * @param {View} view @param {Picked} picked @param {number} number
 * @returns {{ move: MoveAsked } | { picked: Picked }}
 */
export function numbered(view, picked, number) {
	const index = number - 1;
	const { kind, bin } = picked;
	const isCell = kind === 'take' || kind === 'float';
	if (isCell && bin === null) return { picked: picking(view, kind, index) };
	return { move: moveAt(picked, { bin: bin ?? index, row: index }) };
}
