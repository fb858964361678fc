// What the lobby shows of a relay: who waits there for an opponent, and how far this player's own search is.

import { startHere } from '../commands.js';
import { byId, el, find, newButton, refill, setText, show } from '../dom/elements.js';
import { personName } from '../dom/players.js';
import { openGame } from '../navigation.js';
import { play } from '../sound.js';
import '../names.js';
import { accountName } from '../state/account-name.js';
import { apart } from '../state/apart.js';
import { BEGINS, searchOf, seekText, wishText } from '../state/by-terms.js';
import { classic, STANDARD } from '../state/classic.js';
import { hasLobby } from '../state/hello.js';
import { LEVELS } from '../state/here.js';
import { fragmentOf } from '../state/invite.js';
import { nameOf } from '../state/seats.js';
import { current, dispatch } from '../store.js';
import { texts } from '../words/terms.js';
import { kept } from './kept.js';
import { answer, follow, playProgram, watchSeeks, withdraw } from './seek.js';
import { recallBegun } from './tables.js';

/** @import { ListedSeek, Seek, State } from '../state/types.d.ts'
 * @import { Hello } from '../wire.d.ts' */

const SECOND = 1_000; // milliseconds
/** Seeks that are shown, at most. */
const MOST_SHOWN = 12;
/** The computer that keeps company. */
const COMPANY = LEVELS[2] ?? 'medium';

const words = el('span', { id: 'seek-text' });
const now = newButton('seek-open', texts.playNow, 'primary');
const company = newButton('seek-company', texts.playComputer);
const program = newButton('seek-program', texts.playProgram, 'primary');
const stop = newButton('seek-stop', texts.cancel);
// Its time changes each second, which is not announced.
const search = el('p', { id: 'seek-search', class: 'quiet' });
const late = el('p', { id: 'seek-late', role: 'status' });
const line = el(
	'div',
	{ id: 'seek', hidden: '' },
	el('div', {}, el('p', { role: 'status' }, words), search, late),
	el('span', { class: 'row' }, now, program, company, stop),
);
document.body.append(line);
recallBegun(kept(), follow).catch(() => {});

/** The search that is shown. @type {Seek | null} */
let shown = null;
/** The program that is offered in place of a person. @type {ListedSeek | null} */
let offered = null;
setInterval(() => shown && renderSearch(current()), SECOND);

now.addEventListener('click', () => {
	const game = shown?.game;
	dispatch({ type: 'seek', seek: null });
	if (game) openGame(game);
});
company.addEventListener('click', () =>
	startHere({
		terms: classic(STANDARD),
		seats: [null, COMPANY],
	}),
);
program.addEventListener('click', () => offered && playProgram(offered.id).catch(() => {}));
stop.addEventListener('click', () => withdraw());
byId('seeks').addEventListener('click', ({ target }) => {
	const { seek } = /** @type {Element} */ (target).closest('button')?.dataset ?? {};
	const found = current().seeks?.find(({ id }) => String(id) === seek);
	if (!found) return;
	// Nothing is paid before it is shown for what.
	if (found.stake) location.hash = fragmentOf(found.offer);
	else answer(found.id).catch(() => {});
});

/** @param {State} state */
export function render(state) {
	const { route, hello, seek, seeks } = state;
	renderSeek(state, seek);
	const isLobby = route.page === 'lobby' && Boolean(hello && hasLobby(hello));
	watchSeeks(isLobby);
	show(byId('seeks'), isLobby && seeks !== null);
	if (isLobby && hello && seeks) renderSeeks(hello, seeks, Boolean(seek && !isOver(seek)));
}

/** Whether nothing is sought any more. @param {Seek} seek */
const isOver = ({ phase }) => phase === 'failed' || phase === 'own';

/** @param {State} state @param {Seek | null} seek */
function renderSeek({ route }, seek) {
	if (seek?.phase === 'paired' && shown?.phase !== 'paired') play('win');
	shown = seek;
	renderSearch(current());
	// An invitation has a card in the lobby.
	show(line, seek && !(seek.invite !== null && route.page === 'lobby'));
	document.body.classList.toggle('seeks', Boolean(seek));
	if (!seek) return;
	line.dataset.phase = seek.phase;
	setText(words, seekText(seek));
	show(now, seek.phase === 'paired');
	const waits = seek.phase === 'waiting' || seek.phase === 'away';
	show(company, waits && !seek.invite && route.page !== 'game');
	setText(stop, isOver(seek) ? texts.close : seek.phase === 'paired' ? texts.notNow : texts.cancel);
}

/** How long has been waited, and what else can be played. @param {State} state */
function renderSearch(state) {
	const said = searchOf(state, Date.now());
	offered = said?.program ?? null;
	setText(search, said?.text ?? '');
	setText(late, said?.late ?? '');
	show(search, said);
	show(late, said?.late);
	show(program, offered && state.route.page !== 'game');
}

/** @param {Hello} hello @param {ListedSeek[]} seeks @param {boolean} isBusy */
function renderSeeks(hello, seeks, isBusy) {
	show(byId('no-seeks'), !seeks.length);
	const listed = seeks.slice(0, MOST_SHOWN);
	const digits = apart(
		listed,
		({ account }) => account,
		({ account }) => nameOf(hello, account),
	);
	refill(
		find(byId('seeks'), 'ul'),
		listed.map((seek) => item(hello, seek, digits(seek), isBusy)),
	);
}

/** @param {Hello} hello @param {ListedSeek} seek @param {string} digits what tells the account from others @param {boolean} isBusy */
function item(hello, { id, account, guest, program, wish, rated, stake }, digits, isBusy) {
	const mark = digits && ` ${digits}`;
	const name = guest
		? el('span', { title: account }, texts.guest(accountName(account)))
		: personName(hello, account);
	const facts = [
		...(program ? [texts.aProgram] : []),
		wishText(wish),
		BEGINS[wish.side],
		...(stake ? [texts.forStake(stake)] : []),
		...(rated || stake || !wish.clock ? [] : [texts.unrated]),
	];
	const attributes = {
		class: 'button small primary',
		'data-seek': id,
		'aria-label': guest
			? texts.playGuest(accountName(account) + mark)
			: texts.playAccount(accountName(account) + mark),
		disabled: isBusy ? '' : null,
	};
	return el(
		'li',
		{},
		el(
			'span',
			{},
			el('b', {}, name),
			el('span', { class: 'quiet' }, `${mark} · ${facts.join(' · ')}`),
		),
		el('button', attributes, texts.play),
	);
}
