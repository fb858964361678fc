// The players of a game: who they are, and which of them are played in this browser.

import { capital } from '../words/forms.js';
import { texts } from '../words/page.js';
import { accountName } from './account-name.js';

/** @import { State, View, ViewedGame } from './types.d.ts'
 * @import { Address, Colour, GameId, Hello, Terms } from '../wire.d.ts' */

/** In the order of play. @type {Colour[]} */
export const COLOURS = ['red', 'blue', 'green', 'yellow'];

/** The opponent in a game of two. @param {Colour} colour @returns {Colour} */
export const other = (colour) => (colour === 'red' ? 'blue' : 'red');

/** The name of an account. @param {Hello | null} hello @param {Address} address */
export const nameOf = (hello, address) => hello?.names[address] ?? accountName(address);

/**
 * The account at an address, if this browser has a key for it.
 * @param {Hello | null} hello @param {Address | null | undefined} address
 */
export const accountOf = (hello, address) =>
	hello?.accounts.find((account) => account.address === address);

/** Whether it is a game or its table, and no line. @param {View} view @returns {view is ViewedGame} */
export const isGame = (view) => view.game !== null;

/** Whether a game is played in this page alone, on no chain, by its number. @param {GameId | null | undefined} game */
export const isHere = (game) => game?.startsWith('h') ?? false;

/** Whether a game began by signed terms, by its number. @param {GameId | null | undefined} game */
export const isByTerms = (game) => game?.startsWith('0x') ?? false;

/** Whether this browser has a game without the host. @param {GameId | null | undefined} game */
export const isOwn = (game) => isHere(game) || isByTerms(game);

/** Whether it is a game of a variant of a chain, by its number. @param {GameId | null | undefined} game */
export const isVariantGame = (game) => game?.startsWith('v') ?? false;

/** Whether terms have more than the board, so that they are those of no plain game. @param {Terms} terms */
export const hasRules = ({ players, pop_out: popOut, pie_rule: pieRule, powers }) =>
	players > 2 || popOut || pieRule || Object.values(powers).some(Boolean);

/** Whether it is a game of a variant, or a line on such terms. @param {View} view */
export const isVariant = ({ game, terms }) =>
	game && !isHere(game) ? isVariantGame(game) : hasRules(terms);

/** @param {View} view @param {Colour} colour */
const playerOf = (view, colour) => view.players.find((player) => player.colour === colour);

/** The account of a player; none in a line and while nobody has the seat. @param {View} view @param {Colour} colour */
export const addressOf = (view, colour) => playerOf(view, colour)?.account ?? null;

/** The computer that plays a colour, if one does. @param {View} view @param {Colour} colour */
export const computerOf = (view, colour) => playerOf(view, colour)?.computer ?? null;

/** Whether hints spoil nothing: no two people play against each other. @param {View} view */
export function mayHint(view) {
	if (isVariant(view)) return false;
	if (!isGame(view) || view.over || isHere(view.game)) return true;
	return view.players.some(({ computer }) => computer);
}

/** The colours of a game by terms that are played here; null of other games. @param {View} view */
const byTerms = (view) => (isGame(view) ? (view.byTerms?.here ?? null) : null);

/** The players for whose accounts this browser has keys. @param {State} state */
const heldPlayers = ({ hello, view }) =>
	view?.players.filter(
		({ account, colour }) =>
			isHere(view.game) ||
			(byTerms(view) ?? []).includes(colour) ||
			(account && accountOf(hello, account)),
	) ?? [];

/** Their colours. @param {State} state */
export const held = (state) => heldPlayers(state).map(({ colour }) => colour);

/**
 * The colours that are played in this browser: those it has keys for, without those of computers, of players
 * who are out, and of those that it leaves to somebody else.
 * @param {State} state
 */
export function seats(state) {
	const { view, plays } = state;
	if (!view || !isGame(view)) return [];
	const chosen = plays[view.game];
	return heldPlayers(state)
		.filter(
			({ colour, account, computer, out }) =>
				!computer &&
				!out &&
				(view.byTerms?.here.includes(colour) ?? true) &&
				(chosen?.includes(account ?? '') ?? true),
		)
		.map(({ colour }) => colour);
}

/** Who plays a colour, as within a sentence. @param {State} state @param {Colour} colour */
export function who({ hello, view }, colour) {
	const { account = null, computer = null } = (view && playerOf(view, colour)) ?? {};
	if (!computer) return account ? nameOf(hello, account) : colour;
	return view && view.players.length > 2 ? texts.computerAs(colour) : texts.computer;
}

/** Who plays a colour, as at the start of a sentence. @param {State} state @param {Colour} colour */
export const whoFirst = (state, colour) => {
	const name = who(state, colour);
	// Names are left as they are.
	return state.view && computerOf(state.view, colour) ? capital(name) : name;
};
