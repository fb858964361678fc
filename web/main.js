// Starts the page, and wires its parts: input leads to events, events change the state, and every
// change of the state is shown.

import {
	answerChallenge,
	consider,
	drop,
	makeChallenge,
	openLine,
	showOlder,
	startGame,
	withdraw,
} from './commands.js';
import { renderActions } from './dom/actions.js';
import { makeBoard } from './dom/board.js';
import { button, byId } from './dom/elements.js';
import { renderHost } from './dom/host-line.js';
import { watchLobby } from './dom/lobby.js';
import { watchForms } from './dom/new-game.js';
import { renderClocks } from './dom/panel.js';
import { renderScreen } from './dom/screen.js';
import { watchInput } from './input.js';
import { arrive, goOn, keepAddress, takeVariantsBy } from './navigation.js';
import { loadPeople } from './people.js';
import { choosePlayer } from './player.js';
import * as program from './program/main.js';
import { showSettings } from './settings.js';
import { play } from './sound.js';
import { actions } from './state/actions.js';
import { screen } from './state/route.js';
import { mayHint } from './state/seats.js';
import { current, dispatch, subscribe } from './store.js';
import { reason } from './transport.js';
import { loadedVariants, loadVariants } from './variants.js';

/** @import { State, View } from './state/types.d.ts' */
/** @import { Table } from './dom/types.d.ts' */

const FRAME = 700; // milliseconds between two moves that are played back
const CLOCK = 250; // milliseconds between two looks at a running clock

const table = makeBoard(byId('table'), {
	choose(cell) {
		if (current().variant) loadedVariants()?.choose(cell);
		else drop(cell.bin);
	},
	aim: (bin) => dispatch({ type: 'aim', bin }),
	landed: () => play('land'),
});

/** Loads what shows variants once there is one in the lobby. @param {State} before */
async function showVariants({ games: before }) {
	const { games } = current();
	if (!games || games === before || loadedVariants()) return;
	if (games.variants.length + games.tables.length) openVariants();
}

async function openVariants() {
	const { renderLobby } = await loadVariants();
	renderLobby(screen(current()), current());
}

/**
 * Shows a part of the page that is loaded with the first view that needs it.
 * @param {() => Promise<{ render: (state: State, table: Table) => void }>} load
 * @param {(view: View) => unknown} isNeeded
 */
function showLate(load, isNeeded) {
	/** @type {Awaited<ReturnType<typeof load>> | null} */
	let part = null;
	return async () => {
		const { view } = current();
		if (!part && !(view && isNeeded(view))) return;
		part ??= await load().catch(() => null);
		part?.render(current(), table);
	};
}

const showFast = showLate(
	() => import('./fast/main.js'),
	(view) => view.game !== null && view.fast,
);
const showHints = showLate(() => import('./hints/main.js'), mayHint);
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
	const { error, view, variant } = current();
	if (error && error !== before.error) play('refuse');
	if (view?.winner && before.view?.game === view.game && !before.view.winner) play('win');
	const earlier = before.variant;
	if (variant?.winner && earlier?.game === variant.game && !earlier.winner) play('win');
}

let frames = 0;
function runFilm() {
	const { film } = current();
	if (film === Boolean(frames)) return;
	clearInterval(frames);
	frames = film ? setInterval(() => dispatch({ type: 'frame' }), FRAME) : 0;
}

function runClocks() {
	const state = current();
	const { view, variant } = state;
	if (variant) loadedVariants()?.renderClocks({ ...state, variant }, Date.now());
	if (document.body.dataset.state !== 'game' || !view || view.game === null || !view.left) return;
	const now = Date.now();
	const shown = { ...state, view };
	renderClocks(shown, now);
	// Once an opponent's time is over, it can be claimed.
	if (actions(shown, now).claim && button('claim').hidden) renderActions(shown, now);
}

subscribe((before) => renderScreen(current(), before, table));
subscribe(playSounds);
subscribe(keepAddress);
subscribe(renderHost);
subscribe(showVariants);
subscribe(showFast);
subscribe(showHints);
subscribe(showPeople);
subscribe(runFilm);
// The last one, as the others are told of the game that it opens.
subscribe(goOn);
setInterval(runClocks, CLOCK);

watchInput(table);
watchForms({
	start: startGame,
	challenge: makeChallenge,
	line: openLine,
	variants: openVariants,
	warnings: async (shape, clock) => (await import('./warnings.js')).warningsAbout(shape, clock),
});
watchLobby(answerChallenge, consider, showOlder, withdraw);
addEventListener('popstate', arrive);
addEventListener('hashchange', () => /^#(key|play)=/.test(location.hash) && arrive());

showSettings();
choosePlayer({ program, host: () => import('./host/main.js') });
takeVariantsBy(loadVariants);
arrive();
