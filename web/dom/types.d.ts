// Types of the page's parts. For the type check alone.

import type { Disc, MakeChallenge, StartGame } from '../state/types.d.ts';
import type { makeBoard } from './board.js';
import type { buildFrame } from './frame.js';

/** Attributes of an element; those that are null or undefined are left out. */
export type Attributes = Record<string, string | number | null | undefined>;

/** The board, and how it is drawn. */
export type Table = ReturnType<typeof makeBoard>;

/** The parts of a board that stay while discs come and go. */
export type Frame = ReturnType<typeof buildFrame>;

/** What to do with what happens on a board. */
export type BoardHandlers = {
	/** A bin was clicked or tapped. */
	drop: (bin: number) => void;
	/** The bin under the mouse or the focus changed. */
	aim: (bin: number | null) => void;
	/** A disc reached its cell. */
	landed: (disc: Disc) => void;
};

/** What to do with a form that was sent. */
export type FormHandlers = {
	/** Starts a game, in which this browser plays some of the accounts. */
	start: (body: StartGame, accounts: string[]) => void;
	challenge: (body: MakeChallenge) => void;
	/** Opens a line; fails if its moves are not legal. */
	line: (query: string) => Promise<void>;
};
