// The page's address, and the connection that belongs to it: to the lobby or to one game.

import { askedHost, saidPlace } from './hosts.js';
import { addKey, check, games, hello, read, termsGames } from './player.js';
import { follows } from './state/actions.js';
import { readHello } from './state/hello.js';
import { address, routeOf, screen } from './state/route.js';
import { hasRules, isByTerms, isHere, isOwn, isVariant } from './state/seats.js';
import { reason } from './state/text.js';
import { keep, recall } from './storage.js';
import { current, dispatch } from './store.js';
import { listen } from './transport.js';

/** @import { State } from './state/types.d.ts'
 * @import { GameId, Hello, Live } from './wire.d.ts' */

const GREET_AGAIN = 1_000; // milliseconds
const SELDOM = 10_000; // milliseconds before a server is asked again for what it lacks

let stopSocket = () => {};
let greeting = 0;
let isGreeting = false;
/** Whether a key has come since the server was asked who plays here. */
let hasNewKey = false;
/** Loads what variants have besides. @type {() => Promise<unknown>} */
let loadVariants = async () => {};

/** @param {typeof loadVariants} load */
export function takeVariantsBy(load) {
	loadVariants = load;
}

/** @param {string} path */
export function navigate(path) {
	if (new URL(path, location.origin).origin !== location.origin) return;
	history.pushState(null, '', path);
	arrive();
	scrollTo(0, 0);
}

/** @param {GameId} game */
export const openGame = (game) => navigate(`/game/${game}`);

/** Shows what the address names. */
export function arrive() {
	// Nothing is asked, kept or shown before it is known by which host.
	if (askedHost() !== null) return;
	takeSecret();
	const route = routeOf(location.pathname, location.search);
	stopSocket();
	dispatch({ type: 'route', route });
	if (isHere(route.game)) {
		stopSocket = watchOwn(games(), /** @type {GameId} */ (route.game));
		return;
	}
	const byTerms = isByTerms(route.game)
		? watchOwn(termsGames(), /** @type {GameId} */ (route.game))
		: null;
	const stopHost = listen(
		route.game !== undefined && !byTerms ? `/api/live?game=${route.game}` : '/api/live',
		{
			message: takeInTurn,
			up() {
				dispatch({ type: 'link', up: true });
				// The first time it was asked at once.
				if (!isGreeting) greet();
			},
			down(reach) {
				dispatch({ type: 'link', up: false, reach });
				if (!current().hello) lookBack();
			},
		},
	);
	stopSocket = () => {
		stopHost();
		byTerms?.();
	};
	if (!current().hello || (hasNewKey && !isGreeting)) greet();
	if (route.page === 'line') showLine(route.query);
}

/**
 * Watches a game that this page has by itself.
 * @param {Promise<Pick<import('./player.js').Here, 'watch'>>} loading @param {GameId} game
 * @returns {() => void} stops it
 */
function watchOwn(loading, game) {
	let over = false;
	let stop = () => {
		over = true;
	};
	loading.then(
		(here) => {
			if (!over) stop = here.watch(game, take);
		},
		(failure) => {
			if (!over) dispatch({ type: 'missing', error: reason(failure) });
		},
	);
	return () => stop();
}

/** Makes the address that of the position shown. */
export function keepAddress() {
	const state = current();
	const at = screen(state);
	if (['loading', 'lobby', 'people', 'puzzles', 'missing'].includes(at)) return;
	const shown = address(state);
	if (shown !== location.pathname + location.search) history.replaceState(null, '', shown);
}

/** The address without what browsers do not send. */
export function withoutFragment() {
	const url = new URL(location.href);
	url.hash = '';
	return url;
}

// The secret of a link is kept and taken out of the address, since addresses are copied and remembered.
function takeSecret() {
	const secret = new URLSearchParams(location.hash.slice(1));
	const seat = secret.get('play');
	const key = secret.get('key') ?? seat;
	if (!key) return;
	addKey(key);
	hasNewKey = true;
	history.replaceState(null, '', withoutFragment());
	const { game } = routeOf(location.pathname);
	if (seat && game !== undefined) dispatch({ type: 'invite', game, key: seat });
}

/** Without a host: shows what a public one said last, so that games of this page can be played. */
function lookBack() {
	const { name, area } = saidPlace();
	const said = recall(name, /** @type {Hello | null} */ (null), area);
	const hello = readHello(said);
	if (hello) dispatch({ type: 'hello', hello });
}

/** When the server was asked last for what it lacked, by the clock of the page. */
let askedAt = Number.NEGATIVE_INFINITY;
/** Asks the server again what it lacks, but not in every block. */
function greetAgain() {
	const now = performance.now();
	if (now - askedAt < SELDOM) return;
	askedAt = now;
	greet();
}

async function greet() {
	clearTimeout(greeting);
	isGreeting = true;
	hasNewKey = false;
	try {
		const said = await hello();
		const { name, area } = saidPlace();
		if (said.public && said.signing) keep(name, { ...said, accounts: [] }, area);
		dispatch({ type: 'hello', hello: said });
	} catch (failure) {
		dispatch({ type: 'unread', why: reason(failure) });
		greeting = setTimeout(() => {
			if (current().link === 'open') greet();
		}, GREET_AGAIN);
	} finally {
		isGreeting = false;
		if (hasNewKey) greet();
	}
}

/** What a server has told, of which each is taken after the one before. */
let before = Promise.resolve();
/** @param {Live} said by the server */
function takeInTurn(said) {
	before = before.then(() => takeTold(said)).catch(() => {});
}

/** @param {Live} said by the server, which has no word in games of this page and of its signed terms */
async function takeTold(said) {
	const { route } = current();
	if (said.type === 'missing' && isOwn(route.game)) return;
	if (said.type !== 'game') return take(said);
	const { type: _, ...told } = said;
	if (typeof told.game !== 'string' || isOwn(told.game) || told.game !== route.game) return;
	const view = await read(told).catch(reason);
	if (current().route !== route) return;
	if (typeof view === 'string') return dispatch({ type: 'missing', error: view });
	await take({ type: 'game', ...view });
	if (current().view?.game === view.game) check(view);
}

/** @param {Live} said */
async function take(said) {
	if (said.type === 'game') {
		const { type: _, ...view } = said;
		// A swap is picked as in variants.
		if ((isVariant(view) || hasRules(view.terms)) && !(await isReady())) return;
		const before = current().view;
		dispatch({ type: 'view', view, now: Date.now() });
		const next = follows(before, current());
		if (next !== null) openGame(next);
	} else if (['chain', 'missing', 'games'].includes(said.type)) {
		// Nothing else that changes the page is a host's to say here.
		dispatch(said);
		if (said.type === 'chain' && said.up && lacks(current()) && !isGreeting) greetAgain();
	}
}

/** Whether the server has not said all of its chain that there may be now: it was away, or a program had no contracts. @param {State} state */
const lacks = ({ hello, route }) =>
	hello !== null &&
	(!hello.signing || (!hello.public && route.page === 'lobby' && !hello.signing.stakes));

/** Whether all is there that shows a variant; if not, it is told. */
async function isReady() {
	try {
		await loadVariants();
		return true;
	} catch (failure) {
		dispatch({ type: 'missing', error: reason(failure) });
		return false;
	}
}

/** What a line of moves leads to. @param {string} query of its address */
export const lineOf = async (query) => (await import('./computer/lines.js')).lineOf(query);

/** @param {string} query */
async function showLine(query) {
	const isShown = () => current().route.query === query;
	try {
		const view = await lineOf(query);
		if (isVariant(view) && !(await isReady())) return;
		if (isShown()) dispatch({ type: 'view', view, now: Date.now() });
	} catch (failure) {
		if (isShown()) dispatch({ type: 'missing', error: reason(failure) });
	}
}
