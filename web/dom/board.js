// The board: holes at the back, discs, the front with its round holes, and on top an invisible grid
// of cells for keyboard, mouse and touch.

import { walk } from '../state/keys.js';
import { el, icon, setData, setIcon, show } from './elements.js';
import { buildFrame } from './frame.js';

/** @import { Board, Cell, Disc } from '../state/types.d.ts' */
/** @import { BoardHandlers, Frame } from './types.d.ts' */

const MOST_FALLING = 2; // more new discs at once are a jump to another position, and do not fall
const BETWEEN = 280; // milliseconds between two discs that fall
const FALL = 350; // milliseconds of a fall through six cells
const SWING = [0, -5, 5, -3, 3, 0]; // percent of a disc to the side, one after the other

/**
 * Makes a board that is drawn within an element.
 * @param {HTMLElement} place @param {BoardHandlers} on
 */
export function makeBoard(place, on) {
	const calm = window.matchMedia('(prefers-reduced-motion: reduce)');
	/** @type {{ board: Board, frame: Frame } | null} */
	let drawn = null;
	/** The elements of the discs, by cell. @type {Map<string, SVGElement>} */
	let discs = new Map();
	/** The cell that Tab reaches. @type {HTMLElement | null} */
	let roving = null;
	/** The bin under the mouse. @type {number | null} */
	let hovered = null;

	/** @param {Board} board */
	function build(board) {
		const frame = buildFrame(board.shape);
		const { box, grid } = frame;
		box.addEventListener('pointermove', (event) => {
			if (event.pointerType !== 'touch') hover(frame, binUnder(frame, event));
		});
		box.addEventListener('pointerleave', () => hover(frame, null));
		// The mouse does not take the focus, so that digits and arrow keys go on working.
		box.addEventListener('mousedown', (event) => {
			event.preventDefault();
			if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
		});
		box.addEventListener('click', (event) => {
			const bin = binUnder(frame, event);
			if (bin !== null) on.drop(bin);
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
		const frame = drawn && isSame(drawn.board, board) ? drawn.frame : null;
		drawn = { board, frame: frame ?? build(board) };
		renderDiscs(board, drawn.frame, frame !== null);
		renderCells(board, drawn.frame);
		renderGhost(board, drawn.frame);
	}

	/** @param {Board} board @param {Frame} frame @param {boolean} mayFall */
	function renderDiscs(board, frame, mayFall) {
		const wanted = new Set(board.discs.map(name));
		for (const [where, element] of discs) {
			if (wanted.has(where)) continue;
			element.remove();
			discs.delete(where);
		}
		const fresh = board.discs.filter((disc) => !discs.has(name(disc)));
		const falling = mayFall && fresh.length <= MOST_FALLING;
		for (const [index, disc] of fresh.entries()) {
			const element = put(disc, frame);
			discs.set(name(disc), element);
			if (falling) fall(element, disc, board.shape.capacity - disc.row, index * BETWEEN);
		}
		const newest = fresh.at(-1);
		if (newest) scrollTo(newest, board, frame);
		for (const disc of board.discs) {
			const element = discs.get(name(disc));
			if (!element) continue;
			const symbol = disc.winning ? 'win' : disc.last ? 'last' : 'disc';
			setIcon(element, `${symbol}-${disc.player}`);
			element.classList.toggle('winning', disc.winning);
		}
		frame.box.classList.toggle(
			'won',
			board.discs.some(({ winning }) => winning),
		);
		frame.box.classList.toggle('may', board.may);
	}

	/**
	 * Lets a disc fall from above the board, with a small bounce.
	 * @param {SVGElement} element @param {Disc} disc
	 * @param {number} rows how deep it falls @param {number} delay in milliseconds
	 */
	function fall(element, disc, rows, delay) {
		if (calm.matches) {
			const fade = [{ opacity: 0 }, { opacity: 1 }];
			element.animate(fade, { duration: 160, delay, fill: 'backwards' });
			setTimeout(() => on.landed(disc), delay);
			return;
		}
		const down = FALL * Math.sqrt(rows / 6);
		const height = Math.min(0.22, 0.05 * rows);
		const up = FALL * Math.sqrt(height / 6) * 1.25;
		const whole = down + 2 * up;
		/** @param {number} cells */
		const at = (cells) => `translateY(${-100 * cells}%)`;
		const faster = 'cubic-bezier(.333, 0, .667, .333)';
		const slower = 'cubic-bezier(.333, .667, .667, 1)';
		const frames = [
			{ transform: at(rows + 0.1), easing: faster },
			{ transform: at(0), offset: down / whole, easing: slower },
			{ transform: at(height), offset: (down + up) / whole, easing: faster },
			{ transform: at(0) },
		];
		element.animate(frames, { duration: whole, delay, fill: 'backwards' });
		setTimeout(() => on.landed(disc), delay + down);
	}

	/** Shakes the discs of a bin that takes no more. @param {number} bin */
	function shake(bin) {
		if (calm.matches) return;
		const swing = SWING.map((x) => ({ transform: `translateX(${x}%)` }));
		for (const [where, element] of discs) {
			if (where.startsWith(`${bin} `)) element.animate(swing, { duration: 320 });
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

/** @param {Frame} frame @param {MouseEvent} event */
function binUnder({ grid, bins }, { clientX }) {
	const { left, width } = grid.getBoundingClientRect();
	const bin = Math.floor(((clientX - left) / width) * bins);
	return bin >= 0 && bin < bins ? bin : null;
}

/** @param {Disc} disc @param {Frame} frame */
function put(disc, { pile }) {
	const element = icon(`disc-${disc.player}`, 'disc');
	element.style.setProperty('--bin', String(disc.bin));
	element.style.setProperty('--row', String(disc.row));
	pile.append(element);
	return element;
}

/**
 * Scrolls a board that is wider than the window to its newest disc.
 * @param {Disc} disc @param {Board} board @param {Frame} frame
 */
function scrollTo({ bin }, { shape }, { box }) {
	const view = box.parentElement;
	if (!view) return;
	view.scrollLeft = ((bin + 0.5) / shape.bins) * view.scrollWidth - view.clientWidth / 2;
}

/** @param {Board} board @param {Frame} frame */
function renderCells(board, { grid, cells }) {
	const discs = new Map(board.discs.map((disc) => [name(disc), disc]));
	for (const [where, cell] of cells) {
		const disc = discs.get(where);
		const colour = disc?.player ?? '';
		const winning = String(Boolean(disc?.winning));
		if (cell.dataset.disc === colour && cell.dataset.winning === winning) continue;
		cell.dataset.disc = colour;
		cell.dataset.winning = winning;
		const what = disc ? `${disc.player}${disc.winning ? ', winning' : ''}` : 'empty';
		const [bin, row] = [Number(cell.dataset.bin) + 1, Number(cell.dataset.row) + 1];
		cell.setAttribute('aria-label', `bin ${bin}, row ${row}: ${what}`);
	}
	setData(grid, 'game', String(board.game ?? ''));
	setData(grid, 'turns', String(board.turns));
	setData(grid, 'at', String(board.at));
}

/** @param {Board} board @param {Frame} frame */
function renderGhost({ ghost: aim }, { box, ghost, column }) {
	ghost.classList.toggle('seen', Boolean(aim));
	ghost.classList.toggle('pulsing', Boolean(aim?.pulsing));
	ghost.classList.toggle('refused', Boolean(aim?.refused));
	if (aim) {
		setIcon(ghost, `disc-${aim.player}`);
		box.style.setProperty('--aim', String(aim.bin));
	}
	show(column, aim && !aim.refused);
}
