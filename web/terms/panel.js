// What a game by signed terms shows besides its board. Loaded with the first such game.

import { send } from '../commands.js';
import { byId, el, newButton, setText, show } from '../dom/elements.js';
import { termsGames } from '../player.js';
import { tableNote, termsText } from '../state/by-terms.js';
import { isGame } from '../state/seats.js';
import { stakeActions } from '../state/staked.js';
import { current } from '../store.js';
import { texts } from '../words/stakes.js';

/** @import { StakeAct } from '../state/staked.js' */
/** @import { State } from '../state/types.d.ts' */

const text = el('p', { id: 'terms-text', class: 'quiet' });
const note = el('p', { id: 'terms-note', class: 'quiet', role: 'status' });
const acts = el('div', { id: 'stake-acts', class: 'row', hidden: '' });
const part = el('div', { id: 'terms' }, note, acts, text);
byId('main-actions').after(part);

/** The buttons for what is done on the chain. */
const buttons = /** @type {const} */ ([
	'now',
	'press',
	'settle',
	'withdraw',
	'refund',
	'cancel',
]).map((what) => {
	const button = newButton(`stake-${what}`, '');
	button.addEventListener('click', () => actOnChain(what));
	acts.append(button);
	return { what, button };
});

/** What the buttons say. @type {Record<StakeAct, (owed: string) => string>} */
const WORDS = {
	now: () => texts.now,
	press: () => texts.press,
	settle: () => texts.settle,
	withdraw: (owed) => texts.withdraw(owed),
	refund: () => texts.refund,
	cancel: () => texts.cancel,
};

/** @param {StakeAct} what */
async function actOnChain(what) {
	const { view } = current();
	if (!view || !isGame(view)) return;
	const { game } = view;
	await send(
		'act',
		termsGames().then((games) => games.actOnChain(game, what)),
	);
}

/** @param {State} state */
export function render({ view, pending }) {
	const byTerms = view && isGame(view) ? view.byTerms : null;
	show(part, byTerms);
	if (!view || !isGame(view) || !byTerms) return;
	setText(text, termsText(view, byTerms));
	const said = tableNote(byTerms);
	setText(note, said);
	show(note, said);
	const { stake } = byTerms;
	note.classList.toggle('wrong', Boolean(stake?.trouble));
	const can = stake && byTerms.role === 'player' ? stakeActions(stake) : null;
	show(acts, can && Object.values(can).some(Boolean));
	if (!can || !stake) return;
	for (const { what, button } of buttons) {
		show(button, can[what]);
		setText(button, WORDS[what](stake.owed));
		button.disabled = Boolean(pending);
	}
}
