// Types of the page's parts. For the type check alone.

import type {
	Cell,
	Clock,
	Disc,
	Hello,
	MakeChallenge,
	Review,
	Shape,
	StartGame,
} from '../state/types.d.ts';
import type { NewVariant, VariantColour, VariantTerms } from '../state/variant/types.d.ts';
import type { Transaction } from '../wire.d.ts';
import type { makeBoard } from './board.js';
import type { buildFrame } from './frame.js';

/** Attributes of an element; those that are null or undefined are left out. */
export type Attributes = Record<string, string | number | null | undefined>;

/** The board, and how it is drawn. */
export type Table = ReturnType<typeof makeBoard>;

/** The parts of a board that stay while discs come and go. */
export type Frame = ReturnType<typeof buildFrame>;

/** What the list shows of a move. */
export type ListedMove = { player: VariantColour; transaction: Transaction | null };

/** What the list of moves shows. */
export type Moves<Move = ListedMove> = {
	view: { moves: Move[]; moves_missing: string | null; notation: string };
	review: Review | null;
	hello: Hello | null;
	at: number | null;
};

/** A move in words, and more of it for those who point at it. */
export type MoveText<Move> = (move: Move) => { text: string; title: string };

/** A disc that is drawn. */
export type Drawn = { element: SVGElement; disc: Disc };

/** What to do with what happens on a board. */
export type BoardHandlers = {
	/** A cell was clicked or tapped. */
	choose: (cell: Cell) => void;
	/** The bin under the mouse or the focus changed. */
	aim: (bin: number | null) => void;
	/** A disc reached its cell. */
	landed: (disc: Disc) => void;
};

/** What to do with the forms for variants. */
export type VariantHandlers = {
	start: (form: NewVariant) => void;
	/** Opens a line; fails if its moves are not legal. */
	line: (terms: VariantTerms, moves: string) => Promise<void>;
};

/** What to do with a form that was sent. */
export type FormHandlers = {
	/** Starts a game, in which this browser plays some of the accounts. */
	start: (body: StartGame, accounts: string[]) => void;
	challenge: (body: MakeChallenge) => void;
	/** Opens a line; fails if its moves are not legal. */
	line: (query: string) => Promise<void>;
	/** Makes the form for a variant ready. */
	variants: () => Promise<void>;
	/** What is known about terms for a stake, in words. */
	warnings: (shape: Shape, clock: Clock) => Promise<string[]>;
};
