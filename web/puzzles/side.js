// What is beside the board of a puzzle: the daily one, the streak, the grades, and the other sources.

import { el } from '../dom/elements.js';
import { dayOf, dayText, GRADES, ofDay, streakOf } from '../state/puzzles.js';
import { capital } from '../state/text.js';
import { current } from '../store.js';

/** @import { Hint, Puzzle, PuzzleAsked, PuzzlesSolved } from '../state/types.d.ts' */

const NAMES = ['', 'trivial', 'easy', 'medium', 'hard', 'hardest'];

/** @param {string} path @param {string} text @param {boolean} isHere @param {string} small */
const entry = (path, text, isHere, small) =>
	el(
		'li',
		{},
		el(
			'a',
			{ href: path, 'aria-current': isHere ? 'page' : null },
			el('b', {}, text),
			el('small', {}, small),
		),
	);

/**
 * @param {Puzzle[]} puzzles @param {PuzzlesSolved} solved
 * @param {PuzzleAsked} asked @param {number} now in milliseconds
 * @returns {Node[]}
 */
export function sideOf(puzzles, solved, asked, now) {
	const today = dayOf(now);
	const daily = ofDay(puzzles, today);
	const isDone = daily && solved.numbers.includes(daily.number);
	const streak = streakOf(solved, today);
	const days = (/** @type {number} */ count) => `${count} day${count === 1 ? '' : 's'}`;
	const grades = Array.from({ length: GRADES }, (_, index) => {
		const grade = index + 1;
		const graded = puzzles.filter((puzzle) => puzzle.grade === grade);
		const done = graded.filter(({ number }) => solved.numbers.includes(number)).length;
		const isHere = asked.kind === 'grade' && asked.value === grade;
		const name = `Grade ${grade}, ${NAMES[grade]}`;
		return entry(`/puzzles?grade=${grade}`, name, isHere, `${done} of ${graded.length}`);
	});
	const account = current().hello?.accounts?.[0]?.address;
	return [
		el(
			'section',
			{ class: 'card', 'aria-labelledby': 'puzzles-title' },
			el('h2', { id: 'puzzles-title' }, 'Puzzles'),
			el(
				'ul',
				{ class: 'puzzle-links' },
				entry(
					'/puzzles',
					'Puzzle of the day',
					asked.kind === 'daily',
					`${dayText(today)}${isDone ? ', solved' : ''}`,
				),
				...grades,
			),
			...(solved.best
				? [el('p', { class: 'streak' }, `Streak: ${days(streak)}. Longest: ${days(solved.best)}.`)]
				: []),
		),
		el(
			'section',
			{ class: 'card', 'aria-labelledby': 'puzzles-more' },
			el('h2', { id: 'puzzles-more' }, 'Practice'),
			el(
				'ul',
				{ class: 'puzzle-links' },
				entry(
					'/puzzles?mistakes',
					'My mistakes in this page',
					asked.kind === 'mistakes' && !asked.account,
					'games kept in this browser',
				),
				...(account
					? [
							entry(
								`/puzzles?mistakes=${account}`,
								'My mistakes on the chain',
								asked.kind === 'mistakes' && asked.account === account,
								'the newest games of your account',
							),
						]
					: []),
				entry(
					'/puzzles?openings=',
					'Openings',
					asked.kind === 'openings',
					'what each answer is worth',
				),
			),
		),
	];
}

/**
 * What each answer in a position is worth, as buttons that drop a disc there.
 * @param {Hint} hint @param {(bin: number) => void} drop
 * @returns {Node[]}
 */
export function answersList({ bins, best_bins: best }, drop) {
	const items = bins.map(({ bin, words }) => {
		const isBest = best.includes(bin);
		const button = el(
			'button',
			{ class: 'answer', 'data-best': String(isBest) },
			el('b', {}, `Bin ${bin + 1}`),
			el('span', {}, capital(words)),
			...(isBest ? [el('small', {}, 'best')] : []),
		);
		button.addEventListener('click', () => drop(bin));
		return el('li', {}, button);
	});
	return items.length ? [el('ul', { 'aria-label': 'Answers' }, ...items)] : [];
}
