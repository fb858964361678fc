// The board: holes at the back, discs, the front with its round holes, and on top an invisible grid
// of cells for keyboard, mouse and touch.

import { walk } from '../state/keys.js';
import { texts } from '../words/page.js';
import { centre, el, icon, setData, setIcon, show } from './elements.js';
import { buildFrame } from './frame.js';

/** @import { Board, Disc } from '../state/types.d.ts'
 * @import { Cell } from '../wire.d.ts' */
/** @import { BoardHandlers, Drawn, Frame } from './types.d.ts' */

const MOST_FALLING = 2; // more new discs at once are a jump to another position, and do not fall
const BETWEEN = 280; // milliseconds between two discs that fall
const FALL = 350; // milliseconds of a fall through six cells
const WAIT = 160; // milliseconds until what stood on discs that are taken out comes down, once these are seen to go
const SWING = [0, -5, 5, -3, 3, 0]; // percent of a disc to the side, one after the other

/**
 * Makes a board that is drawn within an element.
 * @param {HTMLElement} place @param {BoardHandlers} on
 */
export function makeBoard(place, on) {
	const calm = window.matchMedia('(prefers-reduced-motion: reduce)');
	/** @type {{ board: Board, frame: Frame } | null} */
	let drawn = null;
	/** The discs that are drawn, by their keys. @type {Map<string, Drawn>} */
	let discs = new Map();
	/** The cell that Tab reaches. @type {HTMLElement | null} */
	let roving = null;
	/** The bin under the mouse. @type {number | null} */
	let hovered = null;
	/** Whether a finger has pressed last: older browsers do not say so of a click. */
	let isTouched = false;

	/** @param {Board} board */
	function build(board) {
		const frame = buildFrame(board.shape);
		const { box, grid } = frame;
		box.addEventListener('pointermove', (event) => {
			if (event.pointerType !== 'touch') hover(frame, cellUnder(frame, event)?.bin ?? null);
		});
		box.addEventListener('pointerdown', ({ pointerType }) => {
			isTouched = pointerType === 'touch';
		});
		box.addEventListener('pointerleave', () => hover(frame, null));
		// The mouse does not take the focus, so that digits and arrow keys go on working.
		box.addEventListener('mousedown', (event) => {
			event.preventDefault();
			if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
		});
		box.addEventListener('click', (event) => {
			const isButton = event.target instanceof Element && event.target.closest('button');
			const cell = isButton ? null : cellUnder(frame, event);
			if (cell) on.choose(cell, isTouched);
		});
		grid.addEventListener('focusin', ({ target }) => {
			const cell = /** @type {HTMLElement} */ (target);
			rove(cell);
			if (hovered === null) on.aim(Number(cell.dataset.bin));
		});
		grid.addEventListener('focusout', () => on.aim(hovered));
		place.replaceChildren(el('div', { class: 'scroll' }, box));
		discs = new Map();
		roving = null;
		const middle = frame.cells.get(name({ bin: Math.floor(board.shape.bins / 2), row: 0 }));
		if (middle) rove(middle);
		return frame;
	}

	/** @param {Frame} frame @param {number | null} bin */
	function hover({ grid }, bin) {
		hovered = bin;
		const cell = document.activeElement;
		const isInside = cell instanceof HTMLElement && grid.contains(cell);
		on.aim(bin ?? (isInside ? Number(cell.dataset.bin) : null));
	}

	/** @param {HTMLElement} cell */
	function rove(cell) {
		if (roving === cell) return;
		roving?.setAttribute('tabindex', '-1');
		cell.setAttribute('tabindex', '0');
		roving = cell;
	}

	/** @param {Board | null} board null for none */
	function render(board) {
		if (!board) {
			if (drawn) place.replaceChildren();
			drawn = null;
			return;
		}
		const before = drawn && isSame(drawn.board, board) ? drawn : null;
		drawn = { board, frame: before?.frame ?? build(board) };
		renderDiscs(board, drawn.frame, before !== null && board.turns >= before.board.turns);
		renderCells(board, drawn.frame);
		renderGhost(board, drawn.frame);
	}

	/** @param {Board} board @param {Frame} frame @param {boolean} mayMove */
	function renderDiscs(board, frame, mayMove) {
		const wanted = new Set(board.discs.map(({ key }) => key));
		const gone = [...discs].filter(([key]) => !wanted.has(key));
		const fresh = board.discs.filter(({ key }) => !discs.has(key));
		const moving = mayMove && fresh.length <= MOST_FALLING;
		for (const [key, { element }] of gone) {
			if (moving && board.leaving) on.leave(element, board.leaving, calm.matches);
			else element.remove();
			discs.delete(key);
		}
		const wait = moving && gone.length ? WAIT : 0;
		for (const disc of board.discs) {
			const there = discs.get(disc.key);
			if (!there || isAt(there.disc, disc)) continue;
			const rows = there.disc.row - disc.row;
			setCell(there.element, disc);
			if (moving) fall(there.element, disc, rows, wait);
		}
		for (const [index, disc] of fresh.entries()) {
			const element = put(disc, frame);
			discs.set(disc.key, { element, disc });
			if (moving) fall(element, disc, board.shape.capacity - disc.row + 0.1, index * BETWEEN);
			if (disc === fresh.at(-1)) centre(frame.box.parentElement ?? place, element);
		}
		for (const disc of board.discs) {
			const element = discs.get(disc.key)?.element;
			if (!element) continue;
			discs.set(disc.key, { element, disc });
			const symbol = disc.winning ? 'win' : disc.last ? 'last' : 'disc';
			setIcon(element, `${symbol}-${disc.player}`);
			element.classList.toggle('winning', disc.winning);
			element.classList.toggle('target', Boolean(board.targets.has(name(disc))));
		}
		frame.box.classList.toggle(
			'won',
			board.discs.some(({ winning }) => winning),
		);
		frame.box.classList.toggle('may', board.may);
	}

	/**
	 * Lets a disc fall from above, with a small bounce.
	 * @param {SVGElement} element @param {Disc} disc
	 * @param {number} rows how deep it falls @param {number} delay in milliseconds
	 */
	function fall(element, disc, rows, delay) {
		const down = FALL * Math.sqrt(rows / 6);
		if (calm.matches) {
			const fade = [{ opacity: 0 }, { opacity: 1 }];
			element.animate(fade, { duration: 160, delay, fill: 'backwards' });
			setTimeout(() => on.landed(disc), delay);
			return;
		}
		element.animate(...bounce(rows, down, delay));
		setTimeout(() => on.landed(disc), delay + down);
	}

	/** Shakes the discs of a bin that takes no more. @param {number} bin */
	function shake(bin) {
		if (calm.matches) return;
		const swing = SWING.map((x) => ({ transform: `translateX(${x}%)` }));
		for (const { element, disc } of discs.values()) {
			if (disc.bin === bin) element.animate(swing, { duration: 320 });
		}
	}

	/** @param {Cell} cell */
	const focusOn = (cell) => drawn?.frame.cells.get(name(cell))?.focus();

	/** The cell that has the focus. @returns {Cell | null} */
	function focused() {
		const cell = document.activeElement;
		if (!(cell instanceof HTMLElement) || !drawn?.frame.grid.contains(cell)) return null;
		return cell.dataset.bin
			? { bin: Number(cell.dataset.bin), row: Number(cell.dataset.row) }
			: null;
	}

	return {
		render,
		/** The parts of the board that is drawn. */
		frame: () => drawn?.frame ?? null,
		shake,
		focusOn,
		focused,
		/** Moves the focus from cell to cell. @param {string} key */
		walk(key) {
			const from = focused();
			if (drawn && from) focusOn(walk(drawn.board.shape, from, key));
		},
	};
}

/** @param {Cell} cell */
const name = ({ bin, row }) => `${bin} ${row}`;

/** @param {Board} a @param {Board} b */
const isSame = (a, b) =>
	a.game === b.game && a.shape.bins === b.shape.bins && a.shape.capacity === b.shape.capacity;

/** @param {Cell} a @param {Cell} b */
const isAt = (a, b) => a.bin === b.bin && a.row === b.row;

/** @param {Frame} frame @param {MouseEvent} event @returns {Cell | null} */
function cellUnder({ grid, bins, capacity }, { clientX, clientY }) {
	const { left, bottom, width, height } = grid.getBoundingClientRect();
	const bin = Math.floor(((clientX - left) / width) * bins);
	const row = Math.floor(((bottom - clientY) / height) * capacity);
	if (bin < 0 || bin >= bins) return null;
	return { bin, row: Math.min(capacity - 1, Math.max(0, row)) };
}

/** @param {Disc} disc @param {Frame} frame */
function put(disc, { pile }) {
	const element = icon(`disc-${disc.player}`, 'disc');
	setCell(element, disc);
	pile.append(element);
	return element;
}

/** @param {SVGElement} element @param {Cell} cell */
function setCell(element, { bin, row }) {
	element.style.setProperty('--bin', String(bin));
	element.style.setProperty('--row', String(row));
}

/**
 * The frames and the timing of a fall through some rows.
 * @param {number} rows @param {number} down milliseconds until the disc lands @param {number} delay
 * @returns {[Keyframe[], KeyframeAnimationOptions]}
 */
function bounce(rows, down, delay) {
	const height = Math.min(0.22, 0.05 * rows);
	const up = FALL * Math.sqrt(height / 6) * 1.25;
	const whole = down + 2 * up;
	/** @param {number} cells */
	const at = (cells) => `translateY(${-100 * cells}%)`;
	const faster = 'cubic-bezier(.333, 0, .667, .333)';
	const slower = 'cubic-bezier(.333, .667, .667, 1)';
	const frames = [
		{ transform: at(rows), easing: faster },
		{ transform: at(0), offset: down / whole, easing: slower },
		{ transform: at(height), offset: (down + up) / whole, easing: faster },
		{ transform: at(0) },
	];
	return [frames, { duration: whole, delay, fill: 'backwards' }];
}

/** @param {Board} board @param {Frame} frame */
function renderCells(board, { grid, cells }) {
	const discs = new Map(board.discs.map((disc) => [name(disc), disc]));
	for (const [where, cell] of cells) {
		const disc = discs.get(where);
		const colour = disc?.player ?? '';
		const winning = String(Boolean(disc?.winning));
		const target = board.targets.get(where) ?? '';
		const now = `${colour} ${winning} ${target}`;
		if (cell.dataset.now === now) continue;
		Object.assign(cell.dataset, { now, disc: colour, winning, target });
		const player = disc?.player ?? texts.empty;
		const what = disc?.winning ? texts.winning(player) : player;
		const [bin, row] = [Number(cell.dataset.bin) + 1, Number(cell.dataset.row) + 1];
		const label = target ? texts.cellToUse(bin, row, what, target) : texts.cell(bin, row, what);
		cell.setAttribute('aria-label', label);
	}
	setData(grid, 'game', board.game ?? '');
	setData(grid, 'turns', String(board.turns));
	setData(grid, 'at', String(board.at));
}

/** @param {Board} board @param {Frame} frame */
function renderGhost({ ghost: aim }, { box, ghost, column }) {
	ghost.classList.toggle('seen', Boolean(aim));
	ghost.classList.toggle('pulsing', Boolean(aim?.pulsing));
	ghost.classList.toggle('refused', Boolean(aim?.refused));
	ghost.classList.toggle('waits', Boolean(aim?.waits));
	if (aim) {
		setIcon(ghost, `disc-${aim.player}`);
		box.style.setProperty('--aim', String(aim.bin));
	}
	show(column, aim && !aim.refused);
}
