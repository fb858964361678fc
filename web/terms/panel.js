// What a game by signed terms shows besides its board. Loaded with the first such game.

import { send } from '../commands.js';
import { byId, el, newButton, setText, show } from '../dom/elements.js';
import { termsGames } from '../player.js';
import { tableNote, termsText } from '../state/by-terms.js';
import { chainActions, stuckText, timeText } from '../state/by-terms-chain.js';
import { current } from '../store.js';
import { texts } from '../words/terms.js';

/** @import { State, ViewedGame } from '../state/types.d.ts' */
/** @import { ToChain } from '../player.js' */

const SECOND = 1_000; // milliseconds

const text = el('p', { id: 'terms-text', class: 'quiet' });
const note = el('p', { id: 'terms-note', class: 'quiet', role: 'status' });
/** Runs each second, so that it is no live region. */
const time = el('p', { id: 'terms-time', role: 'timer' });

const press = newButton('terms-press', texts.press, 'primary');
const settle = newButton('terms-settle', texts.signInWallet, 'primary');
const record = newButton('terms-record', texts.recordIt);
const save = newButton('terms-save', texts.save);
const saving = el(
	'p',
	{ class: 'quiet', id: 'terms-saving' },
	...texts.anybodyRecords(el('code', {}, 'connect4 record game.txt')),
);
const row = el('div', { class: 'row' }, press, settle, record, save);

const stuckWords = el('p', { class: 'quiet' });
const dispute = newButton('terms-dispute', texts.toChain);
const stuck = el(
	'details',
	{ id: 'terms-stuck' },
	el('summary', {}, texts.stuck),
	stuckWords,
	el('div', { class: 'row' }, dispute),
);
const part = el('div', { id: 'terms' }, note, time, text, row, saving, stuck);
byId('main-actions').after(part);

/** The game by terms that is shown. */
function shown() {
	const { view } = current();
	return view && view.game !== null && view.byTerms ? { view, byTerms: view.byTerms } : null;
}

/** Does something on the chain; without a wallet one is chosen first. @param {ToChain} what */
function toChain(what) {
	const game = shown()?.view.game;
	if (!game) return;
	if (!current().hello?.accounts.length) {
		document.getElementById('wallet-open')?.click();
		return;
	}
	send(
		'act',
		termsGames().then((of) => of.toChain(game, what)),
	);
}

dispute.addEventListener('click', () => toChain('dispute'));
press.addEventListener('click', () => toChain('press'));
settle.addEventListener('click', () => toChain('settle'));
record.addEventListener('click', () => toChain('record'));
save.addEventListener('click', () => {
	const of = shown();
	const file = of?.byTerms.chain.file;
	if (!of || !file) return;
	const saving = import('../records/main.js').then((records) =>
		records.saveSigned(file, of.view.game),
	);
	send(
		'act',
		saving.then(() => null),
	);
});
setInterval(renderTime, SECOND);

/** How much time is left on the chain. */
function renderTime() {
	const of = shown();
	const said = of ? timeText(of.byTerms, Date.now()) : '';
	setText(time, said);
	show(time, said);
}

/** @param {State} state */
export function render(state) {
	const of = shown();
	show(part, of);
	if (!of) return;
	const { view, byTerms } = of;
	setText(text, termsText(view, byTerms));
	const said = tableNote(byTerms);
	setText(note, said);
	show(note, said);
	renderTime();
	renderChain(state, view, byTerms);
}

/** @param {State} state @param {ViewedGame} view @param {NonNullable<ViewedGame['byTerms']>} byTerms */
function renderChain({ hello, pending }, view, byTerms) {
	const { chain } = byTerms;
	const now = Date.now();
	const can = chainActions(chain, now);
	const hasWallet = Boolean(hello?.accounts.length);
	show(press, can.press);
	show(settle, chain.due);
	// Without a wallet the file is what a player can use.
	show(record, can.record && hasWallet);
	show(save, can.record);
	show(saving, can.record && !hasWallet);
	show(row, can.press || chain.due || can.record);
	const words = stuckText(view, byTerms, now);
	show(stuck, words);
	setText(stuckWords, words);
	show(dispute, can.dispute);
	setText(dispute, hasWallet ? texts.toChain : texts.connectWallet);
	for (const one of [press, settle, record, dispute]) one.disabled = Boolean(pending);
}
