// Types of the state of a variant. For the type check alone.

export type {
	Departure,
	ListedVariant,
	OpenTable,
	Powers,
	StartVariant,
	StoredVariant,
	VariantAct,
	VariantColour,
	VariantId,
	VariantMove,
	VariantSeat,
	VariantTerms,
	ViewedMove,
	ViewedVariant,
	ViewedVariantLine,
} from '../../wire.d.ts';

import type {
	Level,
	OpenTable,
	StartVariant,
	VariantColour,
	VariantMove,
	VariantTerms,
	ViewedVariant,
} from '../../wire.d.ts';
import type { Picked, State, VariantView } from '../types.d.ts';

/** A state with a variant to show. */
export type ShownVariant = State & { variant: VariantView };

/** A state with a game of a variant to show, or with its table. */
export type PlayingVariant = State & { variant: ViewedVariant };

/** A disc of a variant in its cell. The key tells it from others, wherever it comes to lie. */
export type Placed = { key: string; bin: number; row: number; player: VariantColour };

/** A kind of move that a player can pick. */
export type Choice = {
	kind: Picked['kind'] | 'swap';
	/** What it is called. */
	label: string;
	/** How often the player may still use it; null for as often as there is a target. */
	left: number | null;
	/** Whether it can be picked now. */
	can: boolean;
	/** What it does, or why it cannot be picked. */
	title: string;
	picked: boolean;
};

/** What to do with a move: send it, or show an error. */
export type Plan = { send?: VariantMove; error?: string; bin?: number; soft?: boolean };

/** What a key press means in a variant. */
export type VariantMeans =
	| { do: 'nothing' | 'choose here' | 'enter' | 'cancel' | 'dismiss' | 'again' }
	| { do: 'digit'; number: number }
	| { do: 'pick'; kind: Choice['kind'] }
	| { do: 'step'; by: number }
	| { do: 'walk'; key: string };

/** Who plays a seat of a new game. */
export type NewSeat = {
	/** Name or address. */
	account: string;
	by: 'here' | 'link' | Level;
};

/** What the form for a new variant says. */
export type NewVariant = {
	terms: VariantTerms;
	seats: NewSeat[];
	/** The account that opens a table; null to start at once. */
	opener: string | null;
	/** Names or addresses of the others who may join the table, in turn order; empty for anyone. */
	invited: string[];
};

/** The request that a form stands for. */
export type Requests = {
	start?: StartVariant;
	table?: OpenTable;
	/** The accounts that this browser plays. */
	plays: string[];
};

/** What this browser can do for an account at a table. */
export type TableActions = { join: string[]; leave: string[] };
