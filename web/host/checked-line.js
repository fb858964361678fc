// Under the board: by what it is checked, and the way to change that.

import { byId, el, setText, show, svg } from '../dom/elements.js';
import { isGame, isOwn } from '../state/seats.js';
import { current, subscribe } from '../store.js';
import { texts } from '../words/host.js';
import { givenNode, ownNode } from './chain.js';
import { checkedBy } from './checked.js';
import { canName, namedNode, onNode } from './node.js';
import { onSession } from './session.js';
import { onVerdict, verdictOn } from './verify.js';
import { openWallets } from './view.js';

/** A tick, in a shield if the board is checked. */
const mark = svg(
	'svg',
	{ class: 'shield', viewBox: '0 0 24 24', 'aria-hidden': 'true' },
	svg('path', { d: 'M12 2.5 20 5.5v6c0 5-3.4 8.6-8 10-4.6-1.4-8-5-8-10v-6Z' }),
	svg('path', { class: 'tick', d: 'm8.3 12 2.6 2.6 4.8-5' }),
	svg('path', { class: 'bang', d: 'M12 7.5v5.5m0 3.2v.1' }),
);
const words = el('span');
const change = el('button', { class: 'link' });
const line = el('p', { id: 'checked', hidden: '' }, mark, el('span', {}, words, ' ', change));
/** For screen readers: what changes by itself, and not each move. */
const aloud = el('p', { class: 'unseen', role: 'status' });
byId('stage').append(line, aloud);

change.addEventListener('click', () => openWallets(true));

/** What is said of the game that is shown; null if it is on no chain, or there is none. */
function shown() {
	const { view, hello } = current();
	// A program is the player's own.
	if (!hello?.public || !view || !isGame(view) || isOwn(view.game)) return null;
	const verdict = verdictOn(view.game);
	const known = { own: ownNode(), given: givenNode(), named: namedNode(), mayName: canName() };
	return checkedBy({ view, verdict, ...known });
}

function render() {
	const said = shown();
	show(line, said);
	if (!said) return;
	line.dataset.kind = said.kind;
	setText(words, said.text);
	setText(change, said.change ?? '');
	show(change, said.change);
}

let before = '';
/** Says aloud that a node went away, or is back. */
function announce() {
	const node = namedNode();
	const now = node ? node.state : '';
	if (node && before === 'there' && now === 'away') {
		setText(aloud, texts.nodeAway(node.name));
	} else if (node && before === 'away' && now === 'there') {
		setText(aloud, texts.nodeBack(node.name));
	}
	before = now;
}

subscribe(render);
onNode(() => {
	announce();
	render();
});
onSession(render);
onVerdict(render);
