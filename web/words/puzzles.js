// Texts of puzzles, mistakes and openings.

import { capital, counted, either, number } from './forms.js';

export const texts = {
	taskOf: (/** @type {string} */ task, /** @type {number} */ at, /** @type {number} */ of) =>
		`${task} (${at} of ${of})`,
	task: (/** @type {string} */ task) => `${task}.`,
	othersLose: (/** @type {string} */ task) => `${task}: every other bin loses.`,
	itIsBin: (/** @type {number[]} */ bins) => `It is bin ${either(bins)}.`,
	rightReply: (/** @type {number} */ bin) => `Right; the reply is bin ${bin}. Go on.`,
	grade: (/** @type {number} */ grade, /** @type {string | undefined} */ name) =>
		`Grade ${grade}, ${name}`,
	of: (/** @type {number} */ done, /** @type {number} */ all) =>
		`${number(done)} of ${number(all)}`,
	dayDone: (/** @type {string} */ day) => `${day}, solved`,
	streak: (/** @type {number} */ days, /** @type {number} */ best) =>
		`Streak: ${counted(days, 'day')}. Longest: ${counted(best, 'day')}.`,
	toWin: (/** @type {string} */ colour) => capital(`${colour} moves and wins`),
	toHold: (/** @type {string} */ colour) => capital(`${colour} moves and holds a draw`),
	onlyDraw: (/** @type {number} */ bin, /** @type {number[]} */ replies) =>
		replies.length
			? `Bin ${bin} is only a draw to ${replies.join(', ')}.`
			: `Bin ${bin} is only a draw.`,
	loses: (/** @type {number} */ bin, /** @type {number[]} */ replies) =>
		replies.length ? `Bin ${bin} loses to ${replies.join(', ')}.` : `Bin ${bin} loses.`,
	playedGame: (/** @type {string} */ game) => `game ${game}`,
	bin: (/** @type {number} */ bin) => `Bin ${bin}`,
	best: 'best',
	hint: 'Hint',
	tryAgain: 'Try again',
	moveBack: 'One move back',
	next: 'Next',
	puzzle: 'Puzzle',
	movesSoFar: (/** @type {string} */ moves) => `Moves ${moves}`,
	puzzles: 'Puzzles',
	cannotShow: 'It cannot be shown',
	loading: 'Loading',
	looking: 'Looking for mistakes',
	thisGame: 'this game',
	noMistakes: 'No mistakes found',
	noMistakesHelp: 'In none of these games on the standard board was a win or a draw given away.',
	noPuzzle: 'There is no such puzzle',
	puzzleOf: (/** @type {number} */ number, /** @type {number} */ grade) =>
		`Puzzle ${number}, grade ${grade}`,
	thinking: 'Thinking',
	notBin: (/** @type {number} */ bin) => `Not bin ${bin}`,
	solvedAtOnce: 'Solved at the first try',
	solved: 'Solved',
	openings: 'Openings',
	nextPosition: 'Next position',
	anotherPuzzle: 'Another puzzle',
	ofTheDay: 'Puzzle of the day',
	practice: 'Practice',
	mistakesHere: 'My mistakes in this page',
	mistakesHereHelp: 'games kept in this browser',
	mistakesOnChain: 'My mistakes on the chain',
	mistakesOnChainHelp: 'the newest games of your account',
	openingsHelp: 'what each answer is worth',
	answers: 'Answers',
	gameAt: (/** @type {number} */ game, /** @type {number} */ count) => `Game ${game} of ${count}`,
	moveAt: (/** @type {number} */ move, /** @type {string} */ name) => `Move ${move} of ${name}`,
	gameHere: (/** @type {string} */ id) => `game ${id} in this page`,
};
