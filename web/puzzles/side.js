// What is beside the board of a puzzle: the daily one, the streak, the grades, and the other sources.

import { el } from '../dom/elements.js';
import { dayOf, dayText, GRADES, ofDay, streakOf } from '../state/puzzles.js';
import { current } from '../store.js';
import { capital } from '../words/forms.js';
import { texts } from '../words/puzzles.js';

/** @import { Puzzle, PuzzleAsked, PuzzlesSolved } from '../state/types.d.ts'
 * @import { Hint } from '../wire.d.ts' */

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
	const grades = Array.from({ length: GRADES }, (_, index) => {
		const grade = index + 1;
		const graded = puzzles.filter((puzzle) => puzzle.grade === grade);
		const done = graded.filter(({ number }) => solved.numbers.includes(number)).length;
		const isHere = asked.kind === 'grade' && asked.value === grade;
		const name = texts.grade(grade, NAMES[grade]);
		return entry(`/puzzles?grade=${grade}`, name, isHere, texts.of(done, graded.length));
	});
	const account = current().hello?.accounts?.[0]?.address;
	return [
		el(
			'section',
			{ class: 'card', 'aria-labelledby': 'puzzles-title' },
			el('h2', { id: 'puzzles-title' }, texts.puzzles),
			el(
				'ul',
				{ class: 'puzzle-links' },
				entry(
					'/puzzles',
					texts.ofTheDay,
					asked.kind === 'daily',
					isDone ? texts.dayDone(dayText(today)) : dayText(today),
				),
				...grades,
			),
			...(solved.best ? [el('p', { class: 'streak' }, texts.streak(streak, solved.best))] : []),
		),
		el(
			'section',
			{ class: 'card', 'aria-labelledby': 'puzzles-more' },
			el('h2', { id: 'puzzles-more' }, texts.practice),
			el(
				'ul',
				{ class: 'puzzle-links' },
				entry(
					'/puzzles?mistakes',
					texts.mistakesHere,
					asked.kind === 'mistakes' && !asked.account,
					texts.mistakesHereHelp,
				),
				...(account
					? [
							entry(
								`/puzzles?mistakes=${account}`,
								texts.mistakesOnChain,
								asked.kind === 'mistakes' && asked.account === account,
								texts.mistakesOnChainHelp,
							),
						]
					: []),
				entry('/puzzles?openings=', texts.openings, asked.kind === 'openings', texts.openingsHelp),
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
			el('b', {}, texts.bin(bin + 1)),
			el('span', {}, capital(words)),
			...(isBest ? [el('small', {}, texts.best)] : []),
		);
		button.addEventListener('click', () => drop(bin));
		return el('li', {}, button);
	});
	return items.length ? [el('ul', { 'aria-label': texts.answers }, ...items)] : [];
}
