// Starts the page, and wires its parts: input leads to events, events change the state, and every
// change of the state is shown.

import { ahead, HOST, TERMS } from './ahead.js';
import {
	choose,
	followPremove,
	openLine,
	playByTerms,
	send,
	startGame,
	startHere,
} from './commands.js';
import { makeBoard } from './dom/board.js';
import { byId, find } from './dom/elements.js';
import { askForHost, renderHost } from './dom/host-line.js';
import { watchForms } from './dom/new-game.js';
import { renderClocks } from './dom/players.js';
import { renderGame, renderScreen } from './dom/screen.js';
import { watchInput } from './input.js';
import { late, once } from './late.js';
import { arrive, keepAddress, takeVariantsBy } from './navigation.js';
import { choosePlayer, showsSigned, wantSigned } from './player.js';
import * as program from './program/main.js';
import { showSettings } from './settings.js';
import { play } from './sound.js';
import { loadWordsBy } from './state/account-name.js';
import { LOW, lateOne, shortOfTime } from './state/clock.js';
import { hasLobby } from './state/hello.js';
import { INVITE, offerOf } from './state/invite.js';
import { isGame, isVariantGame, mayHint } from './state/seats.js';
import { reason } from './state/text.js';
import { recall } from './storage.js';
import { current, dispatch, subscribe } from './store.js';
import { texts } from './words/page.js';

/** @import { State, View } from './state/types.d.ts' */
/** @import { Table } from './dom/types.d.ts' */

const FRAME = 700; // milliseconds between two moves that are played back
const CLOCK = 100; // milliseconds between two looks at a running clock, which shows tenths

const table = makeBoard(byId('table'), {
	choose,
	aim: (bin) => dispatch({ type: 'aim', bin }),
	leave: (...gone) => late.variants?.leave(...gone),
	landed: () => play('land'),
});

const VARIANT_STYLE = 'style/variant.css';
const loadVariants = once(async () => {
	late.variants = await import('./variant/main.js');
}, VARIANT_STYLE);
const loadLobby = once(() => import('./terms/view.js'), 'style/terms.css');
const loadTerms = once(() => import('./terms/panel.js'), 'style/terms.css');
const loadInvite = once(() => import('./guest/invite.js'), 'style/invite.css');
const loadPeople = once(
	() => import('./people/main.js'),
	VARIANT_STYLE,
	'style/people.css',
	'style/small-board.css',
);

/** What is seldom opened. */
const more = ['#more', '#keys'].map((id) => find(document, id, HTMLDetailsElement));
for (const part of more) part.addEventListener('toggle', () => showMore());

/** Loads what shows variants once there is one in the lobby. @param {State} before */
function showVariants({ games: before }) {
	const { games } = current();
	if (!games || games === before || late.variants) return;
	const isNeeded = games.tables.length || games.games.some(({ game }) => isVariantGame(game));
	if (isNeeded) openVariants().catch(() => {});
}

async function openVariants() {
	await loadVariants();
	renderScreen(current(), current(), table);
}

/**
 * Shows a part of the page that is loaded with the first view that needs it.
 * @param {() => Promise<{ render: (state: State, table: Table) => void }>} load
 * @param {(view: View) => unknown} isNeeded
 */
function showLate(load, isNeeded) {
	const loading = once(load);
	let isTold = false;
	/** @param {unknown} failure */
	const told = (failure) => {
		if (!isTold) dispatch({ type: 'refuse', text: reason(failure) });
		isTold = true;
		return null;
	};
	/** @type {Awaited<ReturnType<typeof load>> | null} */
	let part = null;
	return async () => {
		const { view } = current();
		if (!part && !(view && isNeeded(view))) return;
		part ??= await loading().catch(told);
		part?.render(current(), table);
	};
}

const showTerms = showLate(loadTerms, (view) => isGame(view) && view.byTerms);
const showReview = showLate(
	() => import('./review/main.js'),
	() => current().review,
);
const showMore = showLate(
	() => import('./more/main.js'),
	() => more.some(({ open }) => open),
);
const showHints = showLate(() => import('./hints/main.js'), mayHint);
/** Whether the lobby of the relay is shown, or something is sought there. */
let isLobby = false;
/** Shows who waits in the lobby of a relay. */
async function showSeeks() {
	const { route, hello, seek } = current();
	const isNow = Boolean(
		seek || (route.page === 'lobby' && hello && hasLobby(hello) && showsSigned()),
	);
	if (!isNow && !isLobby) return;
	isLobby = true;
	(await loadLobby().catch(() => null))?.render(current());
}

/** Whether the invitation of the address was looked for. */
let isTaken = false;
/** Shows the invitation of the address, or that of this tab, once it is known where the host has its relay. */
async function showInvite() {
	if (isTaken || !current().hello?.signing) return;
	isTaken = true;
	const stands = recall(INVITE, null, 'sessionStorage');
	if (!stands && !offerOf(location.hash)) return;
	wantSigned();
	await (await loadInvite()).take();
}

const loadOwnKeys = once(() => import('./dom/own-keys.js'));
/** Whether this browser has had keys since the page was loaded. */
let hadKeys = false;
/** Shows what is known of the keys of this browser, and how to forget them. */
async function showOwnKeys() {
	hadKeys ||= program.hasKeys();
	if (hadKeys) (await loadOwnKeys().catch(() => null))?.renderOwnKeys(current());
}

const loadRecords = once(() => import('./records/main.js'), 'style/records.css');
/** Shows the games of a file. @param {File | undefined} file */
function openFile(file) {
	if (!file) return;
	const opening = loadRecords().then((records) => records.openFile(file));
	send(
		'act',
		opening.then(() => null),
	);
}

/** Saves a game that a page of version 0.2 has kept. @param {MouseEvent} event */
function saveEarlier({ target }) {
	const game = /** @type {HTMLElement} */ (target).dataset.earlier;
	if (!game) return;
	const saving = loadRecords().then(() => import('./records/earlier.js'));
	send(
		'act',
		saving.then((records) => records.saveEarlier(game)),
	);
}

const loadOffer = once(() => import('./guest/offer.js'), 'style/guest.css');
/** Offers the phrase of a guest after a game. */
async function showOffer() {
	const { view } = current();
	if (!view || !isGame(view) || !view.over || !view.byTerms) return;
	const { here, guests } = view.byTerms;
	if (here.some((colour) => guests.includes(colour))) (await loadOffer()).offer(view.game);
}

const loadPuzzles = once(() => import('./puzzles/main.js'), 'style/puzzles.css');
/** @type {Awaited<ReturnType<typeof loadPuzzles>> | null} */
let puzzles = null;
async function showPuzzles() {
	if (!puzzles && current().route.page !== 'puzzles') return;
	try {
		puzzles ??= await loadPuzzles();
		puzzles.render(current());
	} catch (failure) {
		dispatch({ type: 'missing', error: reason(failure) });
	}
}

async function showPeople() {
	if (current().route.page !== 'people') return;
	try {
		(await loadPeople()).render(current());
	} catch (failure) {
		dispatch({ type: 'missing', error: reason(failure) });
	}
}

/** @param {State} before */
function playSounds(before) {
	const { error, view } = current();
	if (error && error !== before.error) play('refuse');
	if (view?.winner && before.view?.game === view.game && !before.view.winner) play('win');
}

let frames = 0;
function runFilm() {
	const { film } = current();
	if (film === Boolean(frames)) return;
	clearInterval(frames);
	frames = film ? setInterval(() => dispatch({ type: 'frame' }), FRAME) : 0;
}

/** Who was told of little time, and in which game. @type {string | null} */
let wasShort = null;
/** The player whose time was over at the last look. @type {string | null} */
let wasLate = null;
function runClocks() {
	const { view, ...state } = current();
	if (document.body.dataset.state !== 'game' || !view) return;
	const now = Date.now();
	const shown = { ...state, view };
	renderClocks(shown, now);
	const isShort = shortOfTime(shown, now);
	if (isShort && isShort !== wasShort) {
		play('low');
		dispatch({ type: 'say', text: texts.littleTime(LOW) });
		wasShort = isShort;
	}
	// Once a player's time is over, others can do something about it.
	const isLate = lateOne(shown, now);
	if (isLate !== wasLate) renderGame(shown, table, now);
	wasLate = isLate;
}

subscribe((before) => renderScreen(current(), before, table));
subscribe(playSounds);
subscribe(keepAddress);
subscribe(renderHost);
subscribe(showOwnKeys);
subscribe(showVariants);
subscribe(showTerms);
subscribe(showSeeks);
subscribe(() => showInvite().catch(() => {}));
subscribe(() => showOffer().catch(() => {}));
subscribe(showReview);
subscribe(showMore);
subscribe(showHints);
subscribe(showPeople);
subscribe(showPuzzles);
subscribe(runFilm);
subscribe(followPremove);

setInterval(runClocks, CLOCK);

watchInput(table);
watchForms({
	start: startGame,
	here: startHere,
	play: playByTerms,
	invite: async (wish) => (await loadInvite()).invite(wish),
	line: openLine,
	signed: wantSigned,
	variants: openVariants,
});
byId('going-on').addEventListener('click', saveEarlier);
addEventListener('popstate', arrive);
addEventListener('hashchange', () => {
	isTaken = false;
	if (/^#(key|play|offer)=/.test(location.hash)) arrive();
});

/** @type {HTMLInputElement} */ (byId('games-file')).addEventListener('change', ({ target }) => {
	const field = /** @type {HTMLInputElement} */ (target);
	openFile(field.files?.[0]);
	// The same file can be chosen again.
	field.value = '';
});
addEventListener('dragover', (event) => {
	if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
});
addEventListener('drop', (event) => {
	const file = event.dataTransfer?.files[0];
	if (!file) return;
	event.preventDefault();
	openFile(file);
});

function showNames() {
	import('./names.js').then(
		() => {
			const { hello } = current();
			if (hello) dispatch({ type: 'hello', hello });
		},
		// With the next name it is tried again.
		() => loadWordsBy(showNames),
	);
}
loadWordsBy(showNames);

showSettings();
const loadHost = once(() => import('./host/main.js'));
choosePlayer({
	program,
	async host() {
		ahead(HOST);
		const host = await loadHost();
		if (current().route.page === 'lobby') {
			// What a game with others needs, while the lobby is put together.
			ahead(TERMS);
		}
		return host;
	},
	here: once(() => import('./here/main.js')),
	terms: once(() => import('./terms/main.js')),
});
takeVariantsBy(loadVariants);
askForHost(arrive);
arrive();
