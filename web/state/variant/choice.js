// What a player can pick for a turn, the targets that the program names for it, and the move that a
// target stands for.

import { away } from '../connection.js';
import { isGame, mine, who } from './seats.js';

/** @import { Cell, Picked } from '../types.d.ts' */
/** @import { Choice, Plan, ShownVariant, VariantMove } from './types.d.ts' */

/** @type {{ kind: Choice['kind'], label: string, does: string, prompt: string }[]} */
export const KINDS = [
	{
		kind: 'take',
		label: 'Take',
		does: 'Takes an opponent’s disc out; those above it come down',
		prompt: 'Choose the disc to take.',
	},
	{
		kind: 'clear',
		label: 'Clear a row',
		does: 'Takes every disc out of a row; those above come down',
		prompt: 'Choose the row to clear.',
	},
	{
		kind: 'float',
		label: 'Float',
		does: 'Puts your disc into an empty cell above a bin’s discs, where it stays',
		prompt: 'Choose the cell in which your disc is to float.',
	},
	{
		kind: 'pop',
		label: 'Pop out',
		does: 'Takes your own disc out of the bottom of a bin; those above come down',
		prompt: 'Choose the bin to pop.',
	},
	{ kind: 'swap', label: 'Swap colours', does: 'The two players exchange colours', prompt: '' },
];

/** What to do once a kind of move is picked. @param {Picked} picked */
export const prompt = ({ kind, bin }) =>
	`${bin === null ? KINDS.find((known) => known.kind === kind)?.prompt : `Bin ${bin + 1}: choose the row.`} Escape cancels.`;

/** Whether somebody in this browser may move now. @param {ShownVariant} state */
export function mayMove(state) {
	const { variant: view, at, pending } = state;
	if (view.over || !view.to_move || at !== null || pending || away(state)) return false;
	return mine(state).includes(view.to_move);
}

/**
 * The kinds of moves, apart from drops, that the terms have.
 * @param {ShownVariant} state
 * @returns {Choice[]}
 */
export function choices(state) {
	const { variant: view, picked } = state;
	const { terms, targets, obstacles } = view;
	const may = mayMove(state);
	// Who plays one seat sees what is left there, also while others are to move.
	const seats = mine(state);
	const owner = seats.length === 1 ? seats[0] : view.to_move;
	const left = view.players.find(({ colour }) => colour === owner)?.powers;
	/** @param {Choice['kind']} kind */
	const isIn = (kind) => {
		if (kind === 'pop') return terms.pop_out;
		return kind === 'swap' ? targets.swap : terms.powers[kind] > 0;
	};
	return KINDS.filter(({ kind }) => isIn(kind)).map(({ kind, label, does }) => {
		const why = obstacles[kind];
		const some = kind === 'swap' ? targets.swap : targets[kind].length > 0;
		return {
			kind,
			label,
			left: kind === 'pop' || kind === 'swap' ? null : (left?.[kind] ?? 0),
			can: may && some,
			title: may && why ? `${does}. Not now: ${why}` : does,
			picked: picked?.kind === kind,
		};
	});
}

/**
 * The cells that are possible targets of what is picked, as in `3 0`, each with what would be done
 * there, in words.
 * @param {ShownVariant} state
 */
export function targetCells(state) {
	const { picked } = state;
	if (!picked || !mayMove(state)) return new Map();
	const words = WORDS[picked.kind];
	return new Map(targets(state, picked).map(({ bin, row }) => [`${bin} ${row}`, words]));
}

/** @param {ShownVariant} state @param {Picked} picked @returns {Cell[]} */
function targets({ variant: { targets, terms } }, { kind, bin: named }) {
	if (kind === 'pop') return targets.pop.map((bin) => ({ bin, row: 0 }));
	if (kind === 'clear') {
		const bins = Array.from({ length: terms.shape.bins }, (_, bin) => bin);
		return targets.clear.flatMap((row) => bins.map((bin) => ({ bin, row })));
	}
	return targets[kind].filter(({ bin }) => named === null || bin === named);
}

/** @type {Record<Picked['kind'], string>} */
const WORDS = {
	pop: 'pop it out',
	take: 'take it',
	clear: 'clear the row',
	float: 'float a disc here',
};

/**
 * The move that a cell stands for.
 * @param {Picked | null} picked @param {Cell} cell
 * @returns {VariantMove}
 */
export function moveAt(picked, { bin, row }) {
	if (!picked) return { kind: 'drop', bin };
	const { kind } = picked;
	if (kind === 'pop') return { kind, bin };
	return kind === 'clear' ? { kind, row } : { kind, bin, row };
}

/**
 * What a number, from 1, stands for: a move, or the bin of a cell whose row comes next.
 * @param {Picked | null} picked @param {number} number
 * @returns {{ move: VariantMove } | { picked: Picked }}
 */
export function numbered(picked, number) {
	const index = number - 1;
	if (picked && (picked.kind === 'take' || picked.kind === 'float')) {
		if (picked.bin === null) return { picked: { ...picked, bin: index } };
		return { move: moveAt(picked, { bin: picked.bin, row: index }) };
	}
	return { move: moveAt(picked, { bin: index, row: index }) };
}

/**
 * What to do with a move. Whether it is legal is for the program to say: what it has not named as a
 * target is sent as well, and refused with the reason.
 * @param {ShownVariant} state @param {VariantMove} move
 * @returns {Plan}
 */
export function plan(state, move) {
	const { variant: view, at } = state;
	if (state.pending) return {};
	/** @param {string} error */
	const soft = (error) => ({ error, soft: true });
	const { bins, capacity } = view.terms.shape;
	if ('bin' in move && move.bin >= bins) {
		return soft(`There is no bin ${move.bin + 1}: this board has ${bins}.`);
	}
	if ('row' in move && move.row >= capacity) {
		return soft(`There is no row ${move.row + 1}: this board has ${capacity}.`);
	}
	if (!isGame(view)) return soft('This is a line of moves, not a game: start a game to play.');
	if (at !== null) {
		return soft(`This is the position after move ${at}: go back to the game to play.`);
	}
	if (!view.started) return soft('The game starts when all seats are taken.');
	if (view.over || !view.to_move) return soft('The game is over.');
	if (away(state)) {
		const what = state.link === 'lost' ? 'program' : 'chain';
		return soft(`No move can be made until the ${what} is back.`);
	}
	const seats = mine(state);
	if (!seats.length) return soft('This browser only watches: to play, open an invite link.');
	if (!seats.includes(view.to_move)) {
		return soft(`It is ${view.to_move}’s turn: wait for ${who(state, view.to_move)}.`);
	}
	const reason = move.kind === 'drop' && view.obstacles.drop[move.bin];
	if (reason) {
		const { bin } = /** @type {{ bin: number }} */ (move);
		return { error: `Bin ${bin + 1}: ${reason.replace(/\.$/, '')}. Choose another.`, bin };
	}
	return { send: move };
}
