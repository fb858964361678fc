// Puzzles: which there are, which is that of a day, what was solved, and what a drop in one of them leads to.

import { texts } from '../words/puzzles.js';

/** @import { Puzzle, PuzzleAsked, PuzzleGoal, PuzzlesSolved } from './types.d.ts'
 * @import { Hint, HintedBin, Reviewed } from '../wire.d.ts' */

/** In the browser's storage: what was solved. */
export const SOLVED = 'puzzles';
/** The highest grade. */
export const GRADES = 5;

const DAY = 24 * 60 * 60 * 1_000; // milliseconds
/** As in `crates/opponent/src/puzzle.rs`: the grades from Monday to Sunday, and the step from day to day. */
const WEEK = [2, 2, 3, 3, 4, 4, 5];
const STRIDE = 7_919;

/** @type {PuzzlesSolved} */
export const nothing = { edition: '', numbers: [], last: null, streak: 0, best: 0 };

/**
 * The puzzles of a file, whose form `crates/opponent/src/puzzle.rs` describes.
 * @param {string} text
 * @returns {{ edition: string, puzzles: Puzzle[] }}
 */
export function read(text) {
	const [first = '', ...lines] = text.trim().split('\n');
	/** @type {Puzzle[]} */
	const puzzles = [];
	let grade = 0;
	/** @type {PuzzleGoal} */
	let goal = 'win';
	for (const line of lines) {
		const heading = /^(\d) (win|hold) \d+$/.exec(line);
		if (heading) {
			grade = Number(heading[1]);
			goal = heading[2] === 'win' ? 'win' : 'hold';
		} else {
			const answer = Number(line.slice(-1)) - 1;
			puzzles.push({ number: puzzles.length + 1, grade, goal, moves: line.slice(0, -1), answer });
		}
	}
	return { edition: first.split(' ').at(-1) ?? '', puzzles };
}

/** The day in UTC, counted from 1 January 1970. @param {number} now in milliseconds */
export const dayOf = (now) => Math.floor(now / DAY);

/** A day as in `2026-11-24`. @param {number} day */
export const dayText = (day) => new Date(day * DAY).toISOString().slice(0, 10);

/** The puzzle of a day, the same for everybody. @param {Puzzle[]} puzzles @param {number} day */
export function ofDay(puzzles, day) {
	// The first day was a Thursday.
	const grade = WEEK[(day + 3) % 7];
	const graded = puzzles.filter((puzzle) => puzzle.grade === grade);
	return graded[(day * STRIDE) % graded.length] ?? null;
}

/**
 * What was solved of the puzzles of this edition: others have other numbers.
 * @param {PuzzlesSolved} solved @param {string} edition
 */
export const ofEdition = (solved, edition) =>
	solved.edition === edition ? solved : { ...solved, edition, numbers: [] };

/** @param {Puzzle[]} puzzles @param {PuzzlesSolved} solved @param {number} grade */
export function nextOf(puzzles, { numbers }, grade) {
	const graded = puzzles.filter((puzzle) => puzzle.grade === grade);
	return graded.find(({ number }) => !numbers.includes(number)) ?? graded[0] ?? null;
}

/**
 * What is solved once a puzzle is; it is that of a day if there is one.
 * @param {PuzzlesSolved} solved @param {number} number @param {number | null} day
 * @returns {PuzzlesSolved}
 */
export function solve(solved, number, day) {
	const numbers = solved.numbers.includes(number) ? solved.numbers : [...solved.numbers, number];
	if (day === null || (solved.last ?? -1) >= day) return { ...solved, numbers };
	const streak = solved.last === day - 1 ? solved.streak + 1 : 1;
	return { ...solved, numbers, last: day, streak, best: Math.max(streak, solved.best) };
}

/** Days in succession up to this one or the one before. @param {PuzzlesSolved} solved @param {number} today */
export const streakOf = ({ last, streak }, today) => ((last ?? -2) >= today - 1 ? streak : 0);

/** Whether a drop of this worth keeps the goal in reach. @param {PuzzleGoal} goal @param {HintedBin['worth']} worth */
export function isKept(goal, worth) {
	if (worth === 'draw') return goal === 'hold';
	return 'wins_in' in worth;
}

/** Whether no drop can miss the goal any more; a win is played until there is a line. @param {PuzzleGoal} goal @param {Hint} hint */
export const isClear = (goal, { bins }) =>
	goal === 'hold' && bins.every(({ worth }) => isKept(goal, worth));

/**
 * The bins of a hint: at first two, of which one is right, then that one alone.
 * @param {Hint} hint @param {number} turns @param {number} count of the hint, from 1
 */
export function hinted({ bins, best_bins: [best = 0] }, turns, count) {
	const others = bins.map(({ bin }) => bin).filter((bin) => bin !== best);
	const other = others[turns % Math.max(1, others.length)];
	return count > 1 || other === undefined ? [best] : [best, other].sort((a, b) => a - b);
}

/** What is to be done, in words. @param {PuzzleGoal} goal @param {string} colour */
export const goalText = (goal, colour) =>
	goal === 'win' ? texts.toWin(colour) : texts.toHold(colour);

/**
 * What a wrong drop leads to, in words.
 * @param {number} bin @param {HintedBin['worth']} worth @param {number[]} line the moves after it
 */
export function wrongText(bin, worth, line) {
	const replies = line.map((reply) => reply + 1);
	return worth === 'draw' ? texts.onlyDraw(bin + 1, replies) : texts.loses(bin + 1, replies);
}

/**
 * The goal that a move of a game gave away; null if it gave away neither a win nor a draw.
 * @param {Pick<Reviewed, 'best' | 'made'>} reviewed
 * @returns {PuzzleGoal | null}
 */
export function givenAway({ best, made }) {
	const isKnown = best === 'draw' || 'wins_in' in best;
	/** @type {PuzzleGoal} */
	const goal = best === 'draw' ? 'hold' : 'win';
	return isKnown && !isKept(goal, made) ? goal : null;
}

/**
 * What the query of an address names.
 * @param {string} search
 * @returns {PuzzleAsked}
 */
export function askedIn(search) {
	const query = new URLSearchParams(search);
	for (const kind of /** @type {const} */ (['grade', 'number'])) {
		const value = query.get(kind) ?? '';
		if (/^\d{1,6}$/.test(value)) return { kind, value: Number(value) };
	}
	for (const kind of /** @type {const} */ (['game', 'openings'])) {
		const moves = query.get(kind);
		if (moves !== null && /^[1-7]{0,42}$/.test(moves)) {
			return { kind, moves, colour: query.get('colour') };
		}
	}
	const account = query.get('mistakes');
	return account === null ? { kind: 'daily' } : { kind: 'mistakes', account: account || null };
}
