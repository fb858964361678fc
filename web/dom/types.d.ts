// Types of the page's parts. For the type check alone.

import type { Disc, StartHere, Wish } from '../state/types.d.ts';
import type { Cell, Move, StartGame } from '../wire.d.ts';
import type { makeBoard } from './board.js';
import type { buildFrame } from './frame.js';

/** Attributes of an element; those that are null or undefined are left out. */
export type Attributes = Record<string, string | number | null | undefined>;

/** What variants have beyond other games. */
export type Variants = typeof import('../variant/main.js');

/** The board, and how it is drawn. */
export type Table = ReturnType<typeof makeBoard>;

/** The parts of a board that stay while discs come and go. */
export type Frame = ReturnType<typeof buildFrame>;

/** A disc that is drawn. */
export type Drawn = { element: SVGElement; disc: Disc };

/** What to do with what happens on a board. */
export type BoardHandlers = {
	/** A cell was clicked or tapped. */
	choose: (cell: Cell, byTouch: boolean) => void;
	/** The bin under the mouse or the focus changed. */
	aim: (bin: number | null) => void;
	/** A disc goes that a move takes out: it is to be removed. */
	leave: (element: SVGElement, how: Move['kind'], calm: boolean) => void;
	/** A disc reached its cell. */
	landed: (disc: Disc) => void;
};

/** What to do with a form that was sent. */
export type FormHandlers = {
	/** Starts a game, in which this browser plays some of the accounts. */
	start: (body: StartGame, accounts: string[]) => void;
	/** Starts a game of this page. */
	here: (asked: StartHere) => void;
	/** Seeks an opponent in the lobby of a relay. */
	play: (wish: Wish) => void;
	/** Makes a link by which a friend joins. */
	invite: (wish: Wish) => void;
	/** Opens a line; fails if its moves are not legal. */
	line: (query: string) => Promise<void>;
	/** Has loaded what signed games need. */
	signed: () => void;
	/** Makes the form for a variant ready. */
	variants: () => Promise<unknown>;
};
