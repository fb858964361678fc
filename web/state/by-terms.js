// Games by signed terms: two people agree on them at a relay, and no chain knows of them.

import { COLOURS } from './seats.js';

/** @import { TermsState } from '../ask.d.ts' */
/** @import { ByTerms, Colour, GameId, Score, Seek, TermsShown, ViewedGame } from './types.d.ts' */

/** Nobody's contract: what the terms name has not been asked for anything. */
const NOWHERE = `0x${'0'.repeat(40)}`;

/** @param {string} end */
const refused = (end) => (end ? 'the game has ended' : 'the bin is full');

/**
 * The results of a series with those of a game that has ended.
 * @param {Score} score @param {{ over: boolean, winner: Colour | null }} position
 */
function scored(score, { over, winner }) {
	if (!over) return score;
	if (winner !== 'red' && winner !== 'blue') return { ...score, draws: score.draws + 1 };
	return { ...score, [winner]: score[winner] + 1 };
}

/**
 * The score before the rematch, in which the seats are exchanged.
 * @param {Score} score with the game before
 * @returns {Score}
 */
export const turned = ({ red, blue, draws }) => ({ red: blue, blue: red, draws });

/** No games of a series. @type {Score} */
export const NO_SCORE = { red: 0, blue: 0, draws: 0 };

/**
 * The game as the page shows every game.
 * @param {GameId} game @param {TermsShown & { state: TermsState }} shown
 * @param {{ score: Score, previous: GameId | null }} series before this game
 * @returns {ViewedGame & { byTerms: ByTerms }}
 */
export function viewOf(game, shown, { score, previous }) {
	const { state, next } = shown;
	const { bins, moves, players, notation, draw_offer, rematch_offer, signed, agreed } = state;
	const { position } = state;
	const rows = position.board.map(({ length }) => length);
	return {
		...position,
		game,
		contract: NOWHERE,
		players: /** @type {const} */ (['red', 'blue']).map((colour) => ({
			colour,
			account: players[colour].account,
			name: null,
			joined: true,
			out: false,
			powers: { take: 0, clear: 0, float: 0 },
			left: null,
			computer: null,
			owed: null,
		})),
		started: true,
		named: true,
		payer: null,
		deadline: null,
		clock: null,
		departures: [],
		freed: false,
		last_block: null,
		fast: null,
		targets: {
			drop: rows.map((row, bin) => (bins.includes(bin) ? row : null)),
			pop: [],
			take: [],
			clear: [],
			float: [],
			swap: false,
		},
		refusals: {
			drop: rows.map((_, bin) => (bins.includes(bin) ? null : refused(position.end ?? ''))),
		},
		standing: '',
		moves: movesOf(moves ?? []),
		moves_missing: null,
		notation,
		match: {
			clock: null,
			stake: '0',
			prize: '0',
			settled: true,
			draw_offer,
			rematch_offer,
			previous,
			next,
			score: scored(score, position),
		},
		byTerms: {
			here: shown.role === 'player' && state.player ? [state.player] : [],
			guests: COLOURS.filter((colour) => colour in players && guestOf(state, colour)),
			programs: COLOURS.filter((colour) => colour in players && programOf(state, colour)),
			role: shown.role,
			relay: shown.relay,
			opponent: shown.opponent,
			watchers: shown.watchers,
			note: shown.trouble,
			signed,
			agreed,
		},
	};
}

/** @param {TermsState} state @param {Colour} colour */
const guestOf = ({ players }, colour) => players[/** @type {'red' | 'blue'} */ (colour)].guest;

/** @param {TermsState} state @param {Colour} colour */
const programOf = ({ players }, colour) => players[/** @type {'red' | 'blue'} */ (colour)].program;

/** @param {number[]} bins of the moves @returns {ViewedGame['moves']} */
const movesOf = (bins) =>
	bins.map((bin, turn) => ({
		kind: 'drop',
		player: turn % 2 ? 'blue' : 'red',
		bin,
		row: bins.slice(0, turn).filter((before) => before === bin).length,
		transaction: null,
	}));

/**
 * What goes between the players, in a game that goes on; empty if all is well.
 * @param {ByTerms} of
 */
export function tableNote({ role, relay, opponent, note, here }) {
	if (note) return note;
	if (role === 'elsewhere') {
		return 'This game is played in another tab of this browser: close it to go on here.';
	}
	if (relay) {
		return `The relay is not there: ${relay}. Trying again; what you play is sent once it is back.`;
	}
	if (here.length && opponent === false) {
		return 'Your opponent is not connected. What you play waits at the relay for a quarter of an hour; this page may be closed meanwhile, and the game goes on at this address.';
	}
	return '';
}

/** What kind of game it is, in one sentence. @param {ViewedGame} view @param {ByTerms} of */
export function termsText({ over, moves }, { agreed, watchers, signed }) {
	const seen = watchers ? ` ${watchers} ${watchers === 1 ? 'watches' : 'watch'}.` : '';
	if (!over) return `Both players sign each move. No chain has this game.${seen}`;
	if (!moves.length) return 'The game ended before the first move. No chain has it.';
	const end = agreed ? 'Both players have signed this result.' : endText(signed, moves.length);
	return `${end} It is on no chain, unless somebody records it there.${seen}`;
}

/** @param {number} signed @param {number} count */
const endText = (signed, count) =>
	signed < count
		? 'The opponent has not signed the last move yet.'
		: 'The opponent has not agreed to the result yet.';

/** What the page says of a game that is sought. @param {Seek} seek */
export function seekText({ phase, note, invite }) {
	switch (phase) {
		case 'connecting':
			return 'Connecting to the lobby…';
		case 'waiting':
			return invite ? 'Waiting for your friend…' : 'Waiting for an opponent…';
		case 'looking':
			return 'Looking for the invite…';
		case 'pairing':
			return 'An opponent is there: agreeing on the game…';
		case 'paired':
			return 'Your opponent is here.';
		case 'away':
			return `The lobby cannot be reached: ${note}. Trying again…`;
		default:
			return note;
	}
}
