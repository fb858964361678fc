// What the index tells, as words for people.

import { texts } from '../../words/people.js';
import { accountName } from '../account-name.js';
import { poolName } from '../by-terms.js';

/** @import { AccountProfile, IndexedGame, IndexLag, Person, ResultsOf, Shape, Tally } from '../../wire.d.ts' */

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Blocks by which an index may be behind before the page says so: a new one is always on its way. */
const USUAL = 2;

/** @param {Person} person */
export const personText = ({ name, address }) => name ?? accountName(address);

/** @param {Person} person */
export const personLink = ({ name, address }) => `/player/${name ?? address}`;

/** The address of a game. @param {Pick<IndexedGame, 'game'>} at */
export const gamePath = ({ game }) => `/game/${game}`;

/** A time in its largest unit. @param {number} seconds */
function late(seconds) {
	if (seconds < MINUTE) return texts.seconds(Math.floor(seconds));
	if (seconds < HOUR) return texts.minutes(Math.floor(seconds / MINUTE));
	if (seconds < DAY) return texts.hours(Math.floor(seconds / HOUR));
	return texts.days(Math.floor(seconds / DAY));
}

/**
 * How long ago something was.
 * @param {number | null} time in seconds since 1970 @param {number} now the same
 */
export function ago(time, now) {
	if (time === null) return '';
	const seconds = Math.max(0, Math.floor(now - time));
	if (seconds < 10) return texts.justNow;
	return texts.ago(late(seconds));
}

/**
 * How long somebody has to move.
 * @param {number | null} deadline in seconds since 1970 @param {number} now the same
 */
export function leftText(deadline, now) {
	if (deadline === null) return '';
	const seconds = Math.floor(deadline - now);
	if (seconds < 0) return texts.outOfTime;
	if (seconds >= DAY) return texts.days(Math.floor(seconds / DAY));
	if (seconds >= HOUR) return texts.hours(Math.floor(seconds / HOUR));
	const rest = String(seconds % MINUTE).padStart(2, '0');
	return `${Math.floor(seconds / MINUTE)}:${rest}`;
}

/** What is missing in the index or late, in words; none if nothing is. @param {IndexLag} lag */
export function lagText({ block, behind, seconds, missing, trouble }) {
	const said = [];
	if (trouble) said.push(texts.notKeptUp(trouble));
	if (block === null) said.push(texts.nothingRead);
	else if (behind !== null && behind > USUAL) {
		said.push(seconds ? texts.behindBy(behind, late(seconds)) : texts.behind(behind));
	}
	for (const { first, last } of missing) {
		said.push(texts.blocksMissing(first, last));
	}
	return said.length ? said.join(' ') : null;
}

/** How a game stands, in words. @param {IndexedGame} game @param {Person | null} [viewer] */
export function standing(game, viewer = null) {
	const { how, winner, players, to_move } = game;
	const name = (/** @type {number | null} */ seat) => {
		const person = seat === null ? undefined : players[seat];
		return person ? personText(person) : texts.nobody;
	};
	if (how === null) return to_move === null ? texts.goesOn : texts.isToMove(name(to_move));
	if (winner === null) return how === 'aborted' || how === 'abandoned' ? how : texts.drawnHow(how);
	if (!viewer) return texts.playerWon(name(winner), how);
	return players[winner]?.address === viewer.address ? texts.wonHow(how) : texts.lostHow(how);
}

/** The result of a game for a player: won, drawn, lost, or none. @param {IndexedGame} game @param {Person} of */
export function resultFor({ how, winner, players }, of) {
	if (how === null || how === 'aborted' || how === 'abandoned') return null;
	if (winner === null) return 'drawn';
	return players[winner]?.address === of.address ? 'won' : 'lost';
}

/** @param {Shape} shape */
export const boardName = ({ bins, capacity, line }) =>
	line === 4 ? `${bins} × ${capacity}` : texts.board(`${bins} × ${capacity}`, line);

/** @type {Record<string, string>} */
const LEAGUES = {
	two: texts.leagueTwo,
	more: texts.leagueMore,
};

/** Leagues of games that began on the chain. */
export const ON_CHAIN = Object.keys(LEAGUES);

/** The league of a pool of signed games that a witness has ended. @param {number} pool */
export const leagueOf = (pool) => (pool ? `witnessed-${poolName(pool)}` : 'witnessed');

/** Pools with a name, by their leagues. @type {Record<string, string>} */
const POOLS = {
	witnessed: texts.poolAny,
	'witnessed-standard': texts.poolStandard,
	'witnessed-pie': texts.poolPie,
	'witnessed-large': texts.poolLarge,
	'witnessed-programs': texts.poolPrograms,
};

/** The league that is shown unless another is asked for: that of games that are sought by default. */
export const FIRST_LEAGUE = 'witnessed-standard';

/** Leagues of games that people seek. */
export const OF_PEOPLE = [FIRST_LEAGUE, 'witnessed-pie', 'witnessed-large'];

/** Whether a witness has ended the games of a league. @param {string} league */
export const isWitnessed = (league) => league.startsWith('witnessed');

/** Games that are rated together, in words. @param {string} league */
export function leagueName(league) {
	const known = LEAGUES[league];
	if (known !== undefined) return known;
	return texts.witnessedPool(POOLS[league] ?? texts.pool(league.slice('witnessed-'.length)));
}

/** A kind of games, in words. @param {string} kind */
export const kindName = (kind) => (kind === 'signed' ? texts.begunOffChain : kind);

/** Whether who plays at a seat of a game has said to be a program. @param {IndexedGame} game @param {number} seat */
export const isProgram = ({ signed }, seat) => Boolean(signed?.programs[seat]);

/**
 * Whether an account has said to be a program: in a game that counts, or in one of those that a profile shows.
 * @param {Pick<AccountProfile, 'account' | 'standings' | 'open' | 'last'>} profile
 */
export const isOfProgram = ({ account, standings, open, last }) =>
	standings.some(({ program }) => program) ||
	[...open, ...last].some((game) =>
		game.players.some(({ address }, seat) => address === account.address && isProgram(game, seat)),
	);

/**
 * What is said of a game in a line, which breaks between facts alone.
 * @param {(string | null | false | undefined)[]} facts
 */
export const inLine = (facts) =>
	facts.flatMap((fact) => (fact ? fact.replaceAll(' ', '\u00a0') : [])).join(' · ');

/** Whether the players of a game have exchanged their colours: then the first one has the blue discs. @param {Pick<IndexedGame, 'kind' | 'moves'>} game */
export const isSwapped = ({ kind, moves }) => kind !== 'variant' && moves[1] === 's';

/** The number of games that have ended. @param {Tally} tally */
export const games = ({ wins, draws, losses }) => wins + draws + losses;

/**
 * Results added up by what a row of them has, such as its colour, the most games first.
 * @param {ResultsOf[]} rows @param {(row: ResultsOf) => string} key
 */
export function summed(rows, key) {
	/** @type {Map<string, Tally>} */
	const sums = new Map();
	for (const row of rows) {
		const sum = sums.get(key(row)) ?? { wins: 0, draws: 0, losses: 0 };
		sums.set(key(row), {
			wins: sum.wins + row.results.wins,
			draws: sum.draws + row.results.draws,
			losses: sum.losses + row.results.losses,
		});
	}
	return [...sums].sort(([, one], [, other]) => games(other) - games(one));
}
