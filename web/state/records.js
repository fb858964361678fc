// Records: games as text, in files.

import { capital } from '../words/forms.js';
import { texts } from '../words/records.js';
import { COLOURS, hasRules, isByTerms, isGame, isHere, other } from './seats.js';
import { short } from './text.js';
import { lineQuery } from './variant/form.js';
import { termsText } from './words.js';

/** @import { GameShown, WrittenGame } from '../ask.d.ts' */
/** @import { View } from './types.d.ts' */

/** Bytes of a file that is opened, at most. */
export const MOST_BYTES = 4_000_000;

/** Games of a file that are shown at once. */
export const MOST_SHOWN = 200;

/** What proves a game of a file, in words. @param {WrittenGame} game */
export function proofText({ proof, why }) {
	switch (proof) {
		case 'signed':
			return texts.provenSigned;
		case 'witnessed':
			return texts.provenWitnessed;
		case 'chain':
			return texts.provenChain;
		case 'nothing':
			return texts.provenNothing;
		case 'earlier':
			return texts.provenEarlier;
		default:
			return texts.notThis(why);
	}
}

/** A game of a file in a line. @param {WrittenGame} game */
export function titleText({ game, players, result, end }) {
	const name = game && (isByTerms(game) ? short(game) : texts.game(game));
	const accounts = players.map(short).join(' – ');
	return [name, accounts, `${result}${end ? ` ${end}` : ''}`].filter(Boolean).join(' · ');
}

/** Its terms. @param {WrittenGame} game */
export const ofTerms = ({ terms }) => capital(termsText(terms));

/**
 * Where the moves of a game are shown; null if players have left between them, as a line of moves has none.
 * @param {WrittenGame} game
 */
export function linePath({ terms, moves }) {
	if (moves === null) return null;
	if (hasRules(terms)) return `/line?${lineQuery(terms, moves)}`;
	const { bins, capacity, line } = terms.shape;
	return `/line?bins=${bins}&capacity=${capacity}&line=${line}&moves=${moves}`;
}

/**
 * A game that has ended, as the module takes it; null of others.
 * @param {View} view @returns {GameShown | null}
 */
export function shownGame(view) {
	if (!isGame(view) || !view.over || view.moves_missing) return null;
	const { game, contract, players, terms, notation, departures, end, winner, swapped } = view;
	/** The seat of a colour on the board. @param {typeof winner} colour */
	const seat = (colour) => {
		if (!colour) return null;
		return COLOURS.indexOf(swapped && players.length === 2 ? other(colour) : colour);
	};
	const isOnChain = !isHere(game);
	const accounts = COLOURS.map((colour) => {
		const at = players.find((player) => seat(player.colour) === COLOURS.indexOf(colour));
		return at?.account ?? null;
	}).slice(0, players.length);
	const isKnown = accounts.every((account) => account !== null);
	return {
		game: isOnChain ? game : null,
		contract: isOnChain && !isByTerms(game) ? contract : null,
		players: isOnChain && isKnown ? /** @type {string[]} */ (accounts) : [],
		terms,
		moves: notation,
		left: departures.map(({ player, turns }) => [seat(player) ?? 0, turns]),
		end,
		winner: seat(winner),
	};
}
