// Games by signed terms: two people agree on them at a relay, and no chain knows of them.

import { capital } from '../words/forms.js';
import { texts } from '../words/terms.js';
import { chainNote, chainOf, ON_NO_CHAIN, whereText } from './by-terms-chain.js';
import { movesOf } from './moves-of.js';
import { other } from './seats.js';
import { shapeText } from './text.js';
import { durationText } from './words.js';

/** @import { TermsState, Wish } from '../ask.d.ts' */
/** @import { ByTerms, Seek, TermsOnChain, TermsShown, ViewedGame } from './types.d.ts'
 * @import { Colour, GameId, Score } from '../wire.d.ts' */

/** Nobody's contract: what the terms name has not been asked for anything. */
const NOWHERE = `0x${'0'.repeat(40)}`;

/** @type {('red' | 'blue')[]} */
const PAIR = ['red', 'blue'];

/** @param {string} end */
const refused = (end) => (end ? texts.gameEnded : texts.binFull);

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

/**
 * The score before the rematch of a game that is shown: by the seats, which are exchanged.
 * @param {ViewedGame} view
 */
export function nextScore({ match, swapped }) {
	const score = match?.score ?? NO_SCORE;
	// After a swap the board has the colours of the next game.
	return swapped ? score : turned(score);
}

/** No games of a series. @type {Score} */
export const NO_SCORE = { red: 0, blue: 0, draws: 0 };

/**
 * The game as the page shows every game.
 * @param {GameId} game @param {TermsShown & { state: TermsState }} shown
 * @param {{ score: Score, previous: GameId | null }} series before this game
 * @param {TermsOnChain} [onChain]
 * @returns {ViewedGame & { byTerms: ByTerms }}
 */
export function viewOf(game, shown, { score, previous }, onChain = ON_NO_CHAIN) {
	const { state, next } = shown;
	const { bins, moves, players, notation, draw_offer, rematch_offer, signed, agreed } = state;
	const { position, pie_rule } = state;
	const { swapped } = position;
	/**
	 * The colour of a seat on the board, or the seat of a colour.
	 * @template {Colour | null} Of
	 * @param {Of} colour @returns {Of}
	 */
	const shownAs = (colour) => /** @type {Of} */ (swapped && colour ? other(colour) : colour);
	const rows = position.board.map(({ length }) => length);
	return {
		...position,
		terms: { ...position.terms, pie_rule },
		game,
		contract: NOWHERE,
		players: PAIR.map((colour) => ({
			colour,
			account: players[shownAs(colour)].account,
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
			swap: pie_rule && !position.over && moves?.length === 1,
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
			draw_offer: shownAs(draw_offer),
			rematch_offer: shownAs(rematch_offer),
			previous,
			next,
			score: scored(swapped ? turned(score) : score, position),
		},
		byTerms: {
			here: shown.role === 'player' && state.player ? [shownAs(state.player)] : [],
			guests: PAIR.filter((colour) => players[shownAs(colour)].guest),
			programs: PAIR.filter((colour) => players[shownAs(colour)].program),
			role: shown.role,
			relay: shown.relay,
			opponent: shown.opponent,
			watchers: shown.watchers,
			note: shown.trouble,
			terms: agreedOn(state).join(' · '),
			signed,
			agreed,
			chain: chainOf(state, onChain, shown.role, shownAs),
		},
	};
}

/** What is agreed on besides who begins, in words. @param {Pick<Wish, 'shape' | 'pie_rule' | 'clock' | 'pool'>} wish */
export const wishText = ({ shape, ...rest }) => [shapeText(shape), ...agreedOn(rest)].join(' · ');

/** Who begins a game that somebody else seeks. @type {Record<Wish['side'], string>} */
export const BEGINS = {
	random: texts.eitherBegins,
	first: texts.youMoveSecond,
	second: texts.youBegin,
};

/** What is asked before a friend's game with a clock. @param {Wish} wish */
export const askText = (wish) => texts.friendWants(wishText(wish), BEGINS[wish.side]);

/** Names of pools, by their numbers. */
const POOLS = ['open', 'standard', 'pie', 'large', 'programs'];

/** The name of a pool, or its number if it has none. @param {number} pool */
export const poolName = (pool) => POOLS[pool] ?? String(pool);

/** The same without the board, each in words. @param {Pick<Wish, 'pie_rule' | 'clock' | 'pool'>} wish @returns {string[]} */
export function agreedOn({ pie_rule: pieRule, clock, pool }) {
	const { bank = 0, increment = 0 } = clock ?? {};
	return [
		...(pieRule ? [texts.pie] : []),
		...(clock
			? [
					increment
						? texts.clockMore(durationText(bank), durationText(increment))
						: texts.clock(durationText(bank)),
				]
			: []),
		...(pool ? [texts.pool(poolName(pool))] : []),
	];
}

/**
 * What goes between the players, in a game that goes on; empty if all is well.
 * @param {ByTerms} of
 */
export function tableNote({ role, relay, opponent, note, here, chain }) {
	if (note) return note;
	if (role === 'elsewhere') {
		return texts.otherTab;
	}
	const onChain = chainNote(chain);
	if (onChain) return onChain;
	if (relay) {
		return texts.relayAway(relay);
	}
	if (here.length && opponent === false) {
		return texts.opponentAway;
	}
	return '';
}

/** What kind of game it is, in one sentence. @param {ViewedGame} view @param {ByTerms} of */
export function termsText({ over, moves }, { agreed, watchers, signed, terms, chain }) {
	const by = terms && `${capital(terms)}. `;
	const seen = watchers ? ` ${texts.watch(watchers)}` : '';
	if (chain.found) return `${by}${chain.found}`;
	const where = whereText(chain);
	if (!over) return `${by}${texts.bothSign} ${where || texts.onNoChain}${seen}`;
	if (!moves.length) return `${by}${texts.endedAtOnce}`;
	const end = agreed ? texts.bothSigned : endText(signed, moves.length);
	return `${by}${end} ${where || texts.recordedNowhere}${seen}`;
}

/** @param {number} signed @param {number} count */
const endText = (signed, count) => (signed < count ? texts.moveUnsigned : texts.resultUnsigned);

/** What the page says of a game that is sought. @param {Seek} seek */
export function seekText({ phase, note, invite }) {
	switch (phase) {
		case 'connecting':
			return texts.connecting;
		case 'waiting':
			return invite ? texts.waitingForFriend : texts.waitingForAnyone;
		case 'looking':
			return texts.lookingForInvite;
		case 'pairing':
			return texts.agreeing;
		case 'paired':
			return texts.opponentHere;
		case 'away':
			return texts.lobbyAway(note);
		default:
			return note;
	}
}
