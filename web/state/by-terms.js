// Signed games: without a stake the relay is their witness, and no chain is asked for anything; with one a contract holds it.

import { capital } from '../words/forms.js';
import { texts } from '../words/terms.js';
import { accountName } from './account-name.js';
import { STANDARD } from './classic.js';
import { clockText, USUAL_CLOCK } from './clock.js';
import { stakeNote, stakeText, waitsFor } from './staked.js';
import { shapeText } from './text.js';
import { durationText } from './words.js';

/** @import { PlayedBoard, PlayerShown, TermsRules, WatchedGame } from '../ask.d.ts' */
/** @import { ByTerms, ListedSeek, Score, Seek, State, TableSeen, ViewedGame, Wish } from './types.d.ts'
 * @import { Colour, GameId } from '../wire.d.ts' */

/** Nobody's contract: the game is at none. */
const NOWHERE = `0x${'0'.repeat(40)}`;

/**
 * The standard board in its pool, each player as likely to begin, with the usual clock.
 * @type {Wish}
 */
export const USUAL = {
	shape: STANDARD,
	pie_rule: false,
	pool: 1,
	clock: USUAL_CLOCK,
	side: 'random',
};

/** @param {boolean} over */
const refused = (over) => (over ? texts.gameEnded : texts.binFull);

/**
 * The results of a series with those of a game that has ended.
 * @param {Score} score @param {{ over: boolean, winner: Colour | null, end: string | null }} position
 */
function scored(score, { over, winner, end }) {
	if (!over || end === 'abort') return score;
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
export function nextScore({ series, swapped }) {
	const score = series?.score ?? NO_SCORE;
	// After a swap the board has the colours of the next game.
	return swapped ? score : turned(score);
}

/** No games of a series. @type {Score} */
export const NO_SCORE = { red: 0, blue: 0, draws: 0 };

/**
 * What a player's module shows of a game that has begun, as a watcher's does; null before that.
 * @param {PlayerShown} shown @returns {WatchedGame | null}
 */
export function seenBy({ game, terms, awaited, stage, is_contradicted: contradicted }) {
	if (!game || !terms) return null;
	const isOver = stage === 'over';
	// A move contests a line that the opponent has brought, too.
	const isTurn = awaited?.what === 'move' || awaited?.what === 'contest';
	const until = isTurn ? awaited.until : null;
	return { game, terms, until, is_over: isOver, is_contradicted: contradicted };
}

/**
 * The seconds that are left to a player.
 * @param {WatchedGame} seen @param {PlayedBoard['seats'][number]} seat @param {number} now of the witness, in milliseconds
 */
function leftTo({ terms, game, until }, { colour, left }, now) {
	const { clock } = terms.rules;
	if (!clock) return null;
	if (until !== null && game.position.to_move === colour) return until - now / 1000;
	// On the chain a clock is pressed, and shown then.
	if (terms.witness === null) return null;
	return (left ?? clock.bank * 1000) / 1000;
}

/**
 * The game as the page shows every game.
 * @param {GameId} game @param {WatchedGame} seen @param {TableSeen} table
 * @param {number} [time] of this machine, in milliseconds
 * @returns {ViewedGame & { byTerms: ByTerms }}
 */
export function viewOf(game, seen, table, time = Date.now()) {
	const { terms, until } = seen;
	const { position, bins, may_swap: maySwap, seats, moves, notation, you } = seen.game;
	const { draw_offer: drawOffer } = seen.game;
	const { series, next, rematch } = table;
	const rows = position.board.map(({ length }) => length);
	/** @param {'guest' | 'program'} what */
	const are = (what) => seats.filter(({ player }) => player[what]).map(({ colour }) => colour);
	const now = time + table.ahead;
	const waits = waitsFor(table.stake);
	return {
		...position,
		to_move: waits ? null : position.to_move,
		game,
		contract: NOWHERE,
		players: seats.map((seat) => ({
			colour: seat.colour,
			account: seat.player.account,
			name: null,
			joined: true,
			out: false,
			powers: { take: 0, clear: 0, float: 0 },
			left: leftTo(seen, seat, now),
			computer: null,
		})),
		started: !waits,
		named: true,
		payer: null,
		deadline: null,
		departures: [],
		freed: false,
		last_block: null,
		targets: {
			drop: rows.map((row, bin) => (bins.includes(bin) ? row : null)),
			pop: [],
			take: [],
			clear: [],
			float: [],
			swap: maySwap,
		},
		refusals: {
			drop: rows.map((_, bin) => (bins.includes(bin) ? null : refused(position.over))),
		},
		standing: '',
		moves: moves.map((move) => ({ ...move, transaction: null })),
		moves_missing: null,
		notation: notation ?? '',
		series: {
			drawOffer,
			rematchOffer: rematch,
			previous: series.previous,
			next,
			score: scored(position.swapped ? turned(series.score) : series.score, position),
		},
		byTerms: {
			here: you && table.role === 'player' ? [you] : [],
			guests: are('guest'),
			programs: are('program'),
			role: table.role,
			stage: table.stage,
			relay: table.relay,
			opponent: table.opponent,
			watchers: table.watchers,
			note: table.note,
			taken: table.taken,
			stake: table.stake,
			waits,
			spent: seen.game.spent,
			runs: until === null ? null : position.to_move,
			isContradicted: seen.is_contradicted,
			isOver: seen.is_over,
			terms: agreedOn(terms.rules).join(' · '),
			hasClock: terms.rules.clock !== null,
			found: '',
		},
	};
}

/** What is agreed on besides who begins, in words. @param {Omit<Wish, 'side' | 'stake'>} wish */
export const wishText = ({ shape, ...rest }) => [shapeText(shape), ...agreedOn(rest)].join(' · ');

/** Who begins a game that somebody else seeks. @type {Record<Wish['side'], string>} */
export const BEGINS = {
	random: texts.eitherBegins,
	first: texts.youMoveSecond,
	second: texts.youBegin,
};

/** What is asked before a friend's game, or one with a stake. @param {Wish} wish @param {boolean} [isStaked] */
export function askText(wish, isStaked = false) {
	const [terms, begins] = [wishText(wish), BEGINS[wish.side]];
	if (isStaked) return `${texts.opponentWants(terms, begins)} ${texts.stakedTime}`;
	const wants = texts.friendWants(terms, begins);
	return wish.clock ? `${wants} ${texts.timeLoses}` : wants;
}

/** Names of pools, by their numbers. */
const POOLS = ['open', 'standard', 'pie', 'large', 'programs'];

/** The name of a pool, or its number if it has none. @param {number} pool */
export const poolName = (pool) => POOLS[pool] ?? String(pool);

/** The same without the board, each in words. @param {TermsRules} rules @returns {string[]} */
export function agreedOn({ pie_rule: pieRule, clock, pool }) {
	const rule = pieRule ? [texts.pie] : [];
	// Such a game counts in no pool.
	if (!clock) return [...rule, texts.noClock];
	const bank = durationText(clock.bank);
	const { increment } = clock;
	return [
		...rule,
		increment ? texts.clockMore(bank, durationText(increment)) : texts.clock(bank),
		...(pool ? [texts.pool(poolName(pool))] : []),
	];
}

/**
 * What goes between the players, in a game that goes on; empty if all is well.
 * @param {ByTerms} of
 */
export function tableNote(of) {
	const {
		role,
		relay,
		opponent,
		note,
		taken,
		here,
		stage,
		isContradicted,
		hasClock,
		stake,
		waits,
	} = of;
	if (isContradicted) return texts.contradicted;
	if (note) return note;
	if (role === 'elsewhere') return texts.otherTab;
	if (stake) {
		const said = stakeNote(stake, opponent === false);
		const away = stage === 'playing' && !waits && relay ? texts.relayAway(relay) : '';
		return [said, away].filter(Boolean).join(' ');
	}
	if (stage === 'no_result') return texts.noResult;
	if (stage === 'over') return '';
	if (relay) return texts.relayAway(relay);
	if (stage === 'ending') return texts.endIsAwaited;
	if (here.length && opponent === false) {
		return hasClock ? texts.opponentAwayTimed : texts.opponentAway;
	}
	return taken === null ? '' : texts.unfair(taken / 1000);
}

/** What kind of game it is, in one sentence. @param {ViewedGame} view @param {ByTerms} of */
export function termsText({ moves, end }, { isOver, watchers, terms, found, hasClock, stake }) {
	const by = terms && `${capital(terms)}. `;
	if (stake) return `${by}${stakeText(stake)}`;
	if (found) return `${by}${found}`;
	const seen = watchers ? ` ${texts.watch(watchers)}` : '';
	if (!isOver) {
		const first = hasClock && moves.length < 2 ? ` ${texts.firstMoves}` : '';
		return `${by}${texts.bothSign}${first}${seen}`;
	}
	return `${by}${end === 'abort' ? texts.isVoid : texts.witnessed}${seen}`;
}

/** Milliseconds after which something else than a person is offered to a player who waits. */
const LONG = 60_000;

/**
 * What is said besides to a player who waits for anybody: for how long, how many wait and play, and after a minute what
 * else can be played; null if nobody waits so.
 * @param {Pick<State, 'seek' | 'seeks' | 'counts'>} state @param {number} now in milliseconds of the browser's clock
 */
export function searchOf({ seek, seeks, counts }, now) {
	if (seek?.phase !== 'waiting' || seek.since === null) return null;
	const waited = Math.max(0, Math.floor((now - seek.since) / 1000));
	const text = [texts.waited(clockText(waited)), ...(counts ? [texts.counts(counts)] : [])].join(
		' · ',
	);
	// For a stake neither a program nor the computer plays.
	if (seek.staked || now - seek.since < LONG) return { text, late: '', program: null };
	const isRated = (/** @type {ListedSeek} */ { program, rated, wish }) =>
		program && rated && wish.clock && poolName(wish.pool) === 'programs';
	const program = seeks?.find(isRated) ?? null;
	const late = program
		? texts.programHere(accountName(program.account), wishText(program.wish))
		: texts.noProgram;
	return { text, late, program };
}

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
		case 'unpaid':
			return texts.unpaid;
		case 'paired':
			return texts.opponentHere;
		case 'away':
			return texts.lobbyAway(note);
		default:
			return note;
	}
}
