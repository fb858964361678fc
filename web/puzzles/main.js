// Puzzles, the positions of one's games in which a win or a draw was given away, and openings to walk through.
// Loaded when the first of them is looked at. The computer of this page judges and replies, so no host is needed.

import { keepApp } from '../app.js';
import { hintFor } from '../computer/mind.js';
import { makeBoard } from '../dom/board.js';
import { byId, disc, el, entitle, setData, setText, show } from '../dom/elements.js';
import { focus } from '../input.js';
import { navigate } from '../navigation.js';
import {
	askedIn,
	dayOf,
	goalText,
	hinted,
	isClear,
	isKept,
	nextOf,
	nothing,
	ofDay,
	ofEdition,
	SOLVED,
	solve,
	wrongText,
} from '../state/puzzles.js';
import { title } from '../state/status.js';
import { reason } from '../state/text.js';
import { changeKept } from '../storage.js';
import { current, dispatch } from '../store.js';
import { capital } from '../words/forms.js';
import { texts } from '../words/puzzles.js';
import { boardOf, lineOf, replyTo, SHAPE, wrongLine } from './line.js';
import { answersList, sideOf } from './side.js';
import { contents, mistakesIn, mistakesOf } from './sources.js';

/** @import { PuzzleTask, State } from '../state/types.d.ts'
 * @import { Cell, Line as ViewedLine } from '../wire.d.ts' */

const PAUSE = 450; // milliseconds between two discs, so that they fall one after the other

const page = byId('page-puzzles');
const heading = el('h1', { class: 'puzzle-status' });
const note = el('p', { class: 'quiet puzzle-note' });
const place = el('div', { class: 'puzzle-table' });
const hint = el('button', { class: 'button', 'aria-keyshortcuts': 'H' }, texts.hint);
const again = el('button', { class: 'button primary' }, texts.tryAgain);
const back = el('button', { class: 'button', 'aria-keyshortcuts': 'Backspace' }, texts.moveBack);
const onward = el('button', { class: 'button primary' }, texts.next);
const buttons = el('div', { class: 'row' }, hint, again, back, onward);
const answers = el('div', { class: 'puzzle-answers' });
const side = el('div', { class: 'puzzle-side' });
page.replaceChildren(
	el(
		'section',
		{ class: 'puzzle-stage', 'aria-label': texts.puzzle },
		heading,
		note,
		place,
		buttons,
		answers,
	),
	side,
);

const table = makeBoard(place, {
	choose: (/** @type {Cell} */ { bin }) => drop(bin),
	aim(bin) {
		aim = bin;
		draw();
	},
	leave: (element) => element.remove(),
	landed() {},
});

/** The address that is shown; null while another screen is. @type {State['route'] | null} */
let shown = null;
/** Whether the next position gets the focus, as a button has led to it. */
let isLed = false;
/** Counts what is shown, so that what was left is not gone on with. */
let visit = 0;
/** @type {PuzzleTask[]} */
let tasks = [];
/** Which of them is played. */
let at = 0;
/** @type {'wait' | 'play' | 'wrong' | 'solved' | 'walk' | 'none'} */
let phase = 'wait';
/** The moves up to the position of the task, or of the walk. */
let moves = '';
/** @type {ViewedLine | null} */
let line = null;
/** @type {number | null} */
let aim = null;
let hints = 0;
let clean = true;

/** @param {State} state */
export function render({ route }) {
	const now = route.page === 'puzzles' ? route : null;
	if (now === shown) return;
	shown = now;
	visit += 1;
	if (now?.page !== 'puzzles') {
		table.render(null);
		line = null;
		return;
	}
	entitle(title(texts.puzzles));
	open(now.of).catch((failure) => fail(failure));
}

/** @param {unknown} failure */
function fail(failure) {
	phase = 'none';
	say(texts.cannotShow, capital(reason(failure)));
}

/** @param {string} head @param {string} [text] */
function say(head, text = '') {
	const colour = phase === 'play' && line?.to_move;
	heading.replaceChildren(...(colour ? [disc(colour)] : []), el('span', {}, head));
	setText(note, text);
	dispatch({ type: 'say', text: `${head}. ${text}` });
	draw();
}

/** Opens what the query of an address names. @param {string} search */
async function open(search) {
	const mine = visit;
	const isLeft = () => mine !== visit;
	phase = 'wait';
	tasks = [];
	line = null;
	setText(heading, texts.loading);
	setText(note, '');
	answers.replaceChildren();
	draw();
	const { puzzles, solved } = await contents();
	if (isLeft()) return;
	const asked = askedIn(search);
	side.replaceChildren(...sideOf(puzzles, solved, asked, Date.now()));
	if (asked.kind === 'openings') return walk(asked.moves);
	if (asked.kind === 'mistakes' || asked.kind === 'game') {
		setText(heading, texts.looking);
		const progress = (/** @type {string} */ text) => !isLeft() && setText(note, text);
		const found =
			asked.kind === 'game'
				? await mistakesIn(
						[{ moves: asked.moves, colours: asked.colour, name: texts.thisGame }],
						progress,
						isLeft,
					)
				: await mistakesOf(asked.account, progress, isLeft);
		if (isLeft()) return;
		tasks = found;
		at = 0;
		if (!tasks.length) {
			phase = 'none';
			return say(texts.noMistakes, texts.noMistakesHelp);
		}
		return begin();
	}
	const today = dayOf(Date.now());
	const puzzle =
		asked.kind === 'daily'
			? ofDay(puzzles, today)
			: asked.kind === 'grade'
				? nextOf(puzzles, solved, asked.value)
				: (puzzles[asked.value - 1] ?? null);
	if (!puzzle) {
		phase = 'none';
		return say(texts.noPuzzle);
	}
	const day = asked.kind === 'daily' ? today : null;
	tasks = [{ ...puzzle, day, name: texts.puzzleOf(puzzle.number, puzzle.grade) }];
	at = 0;
	return begin();
}

/** Begins the task. */
async function begin() {
	const task = tasks[at];
	if (!task) return;
	clean = true;
	await start(task, task.moves);
	if (isLed) enter();
	isLed = false;
}

/** Shows a position of the task, in which it is the player's turn. @param {PuzzleTask} task @param {string} from */
async function start(task, from) {
	const mine = visit;
	const next = await lineOf(from);
	if (mine !== visit) return;
	moves = from;
	line = next;
	phase = 'play';
	hints = 0;
	const name = tasks.length > 1 ? texts.taskOf(task.name, at + 1, tasks.length) : task.name;
	say(
		goalText(task.goal, String(line.to_move)),
		task.goal === 'hold' ? texts.othersLose(name) : texts.task(name),
	);
}

/** Shows the position after these moves. @param {string} to */
async function present(to) {
	const mine = visit;
	const next = await lineOf(to);
	if (mine !== visit) return false;
	line = next;
	draw();
	return true;
}

const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE));

/** A disc of the player. @param {number} bin */
async function drop(bin) {
	const refused = line?.refusals.drop[bin];
	if (refused && (phase === 'play' || phase === 'walk')) {
		table.shake(bin);
		return dispatch({ type: 'say', text: `${capital(refused)}.` });
	}
	if (phase === 'walk') return walkTo(`${moves}${bin + 1}`);
	const task = tasks[at];
	if (phase !== 'play' || !task || !line) return;
	keepApp();
	phase = 'wait';
	const mine = visit;
	try {
		const after = `${moves}${bin + 1}`;
		const judged = hintFor({ shape: SHAPE, moves });
		await present(after);
		setText(note, texts.thinking);
		const worth = (await judged).bins.find((hint) => hint.bin === bin)?.worth;
		if (mine !== visit || worth === undefined) return;
		await (isKept(task.goal, worth) ? reply(task, after) : refute(bin, worth, after));
	} catch (failure) {
		if (mine === visit) fail(failure);
	}
}

/** The opponent's reply to a right drop. @param {PuzzleTask} task @param {string} after */
async function reply(task, after) {
	const mine = visit;
	if (line?.over) return solved(task);
	const [bin] = await Promise.all([replyTo(after), pause()]);
	if (mine !== visit) return;
	const next = bin === null ? after : `${after}${bin + 1}`;
	await present(next);
	const isOver = line?.over;
	const clear =
		!isOver &&
		task.goal === 'hold' &&
		isClear(task.goal, await hintFor({ shape: SHAPE, moves: next }));
	if (mine !== visit) return;
	if (isOver || clear) return solved(task);
	await start(task, next);
	say(heading.textContent ?? '', texts.rightReply((bin ?? 0) + 1));
}

/**
 * Shows what a wrong drop leads to.
 * @param {number} bin @param {import('../wire.d.ts').Worth} worth @param {string} after
 */
async function refute(bin, worth, after) {
	const mine = visit;
	clean = false;
	const replies = await wrongLine(after);
	phase = 'wrong';
	say(texts.notBin(bin + 1), wrongText(bin, worth, replies));
	again.focus();
	let to = after;
	for (const next of replies) {
		await pause();
		to += String(next + 1);
		if (mine !== visit || phase !== 'wrong') return;
		await present(to);
	}
}

/** @param {PuzzleTask} task */
async function solved(task) {
	phase = 'solved';
	if (task.number) {
		const { number, day = null } = task;
		const { edition } = await contents();
		changeKept(SOLVED, nothing, (before) => solve(ofEdition(before, edition), number, day));
	}
	const { puzzles, solved: now } = await contents();
	side.replaceChildren(
		...sideOf(puzzles, now, askedIn(shown?.page === 'puzzles' ? shown.of : ''), Date.now()),
	);
	say(clean ? texts.solvedAtOnce : texts.solved, task.name);
	onward.focus();
}

/** Lets the player try again. */
function tryAgain() {
	const task = tasks[at];
	if (phase === 'wrong' && task) start(task, moves).then(enter, fail);
}

/** The next puzzle. */
function goOn() {
	const task = tasks[at];
	if (phase !== 'solved' || !task) return;
	isLed = true;
	if (!tasks[at + 1]) {
		navigate(task.number ? `/puzzles?grade=${task.grade}` : '/puzzles');
		return;
	}
	visit += 1;
	at += 1;
	begin().catch(fail);
}

/** Tells bins of which one is right. */
async function giveHint() {
	const task = tasks[at];
	if (phase !== 'play' || !task) return;
	const mine = visit;
	clean = false;
	hints += 1;
	const count = hints;
	const isThere = () => mine === visit && phase === 'play';
	const known = await hintFor({ shape: SHAPE, moves }, isThere);
	if (!isThere()) return;
	const bins = hinted(known, moves.length, count).map((bin) => bin + 1);
	say(heading.textContent ?? '', texts.itIsBin(bins));
}

/** Walks through openings from here. @param {string} from */
async function walk(from) {
	phase = 'walk';
	await walkTo(from);
}

/** @param {string} to */
async function walkTo(to) {
	const mine = visit;
	moves = to;
	if (!(await present(to))) return;
	history.replaceState(null, '', `${location.pathname}?openings=${to}`);
	const head = to ? texts.movesSoFar(to) : texts.openings;
	answers.replaceChildren(el('p', { class: 'quiet' }, texts.thinking));
	say(head, line?.standing ?? '');
	// Two positions that are searched by turns begin each search anew, and none ends.
	const isThere = () => mine === visit && moves === to;
	const known = await hintFor({ shape: SHAPE, moves: to }, isThere);
	if (!isThere()) return;
	const list = answersList(known, drop);
	answers.replaceChildren(...list);
	say(head, `${capital(known.evaluation.words)}.`);
}

function draw() {
	const isPlayed = phase === 'play' || phase === 'walk';
	if (line) table.render(boardOf(line, isPlayed ? aim : null, isPlayed));
	setData(page, 'phase', phase);
	show(hint, phase === 'play');
	show(again, phase === 'wrong');
	show(back, phase === 'walk' && moves);
	show(onward, phase === 'solved');
	setText(onward, tasks[at + 1] ? texts.nextPosition : texts.anotherPuzzle);
	show(answers, phase === 'walk');
}

/** The focus is on the board, where the player goes on. */
const enter = () => table.focusOn({ bin: 3, row: 0 });

hint.addEventListener('click', giveHint);
again.addEventListener('click', tryAgain);
onward.addEventListener('click', goOn);
const goBack = () => phase === 'walk' && moves && walkTo(moves.slice(0, -1));
back.addEventListener('click', goBack);

document.addEventListener('keydown', (event) => {
	const { key, ctrlKey, altKey, metaKey, repeat } = event;
	if (current().route.page !== 'puzzles' || ctrlKey || altKey || metaKey || repeat) return;
	if (focus(document.activeElement) === 'field') return;
	const cell = table.focused();
	const digit = /^(?:Digit|Numpad)([1-7])$/.exec(event.code)?.[1];
	if (digit) drop(Number(digit) - 1);
	else if (cell && key.startsWith('Arrow')) table.walk(key);
	else if (cell && (key === 'Enter' || key === ' ')) drop(cell.bin);
	else if (key === 'h' || key === 'H') giveHint();
	else if (key === 'Backspace') goBack();
	else return;
	event.preventDefault();
});

render(current());
