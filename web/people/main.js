// Players, standings and games that go on. Loaded when the first of them is looked at.

import '../names.js';

import { byId, el, entitle, setData } from '../dom/elements.js';
import { addSymbols } from '../dom/variant/symbols.js';
import { navigate } from '../navigation.js';
import { FIRST_LEAGUE, personText } from '../state/people/words.js';
import { title } from '../state/status.js';
import { reason } from '../state/text.js';
import { current, dispatch } from '../store.js';
import { Failure, get } from '../transport.js';
import { capital } from '../words/forms.js';
import { texts } from '../words/people.js';
import { gamesView, historyQuery } from './games.js';
import { liveView } from './live.js';
import { playersView } from './players.js';
import { profileView } from './profile.js';
import { search } from './search.js';

/** @import { PeopleRoute, State } from '../state/types.d.ts'
 * @import { IndexLag, Person } from '../wire.d.ts' */

const LEAST_PAUSE = 1_000; // milliseconds between two questions, however many blocks come
const ROOMS_PAUSE = 3_000; // milliseconds between two questions about games in rooms
const MOST_PAUSE = 16_000; // milliseconds between two questions about the same block

const content = el('div', { class: 'people-content' });
const page = byId('page-people');
page.replaceChildren(search(navigate), content);
addSymbols();

/** What is shown: route and block. */
let shown = '';
let askedAt = 0;
let later = 0;
/** The link that led to what is asked for, as it had the focus. @type {string | null} */
let ledBy = null;

/** Shows what the address names, and asks again when the chain has a new block. @param {State} state */
export function render(state) {
	const { route, hello, chain } = state;
	if (route.page !== 'people' || !hello) return;
	const place = `${route.view}/${route.of}`;
	const now = `${place} ${chain?.block}`;
	if (now === shown) return;
	const isNew = page.dataset.place !== place;
	if (isNew) {
		setData(page, 'place', place);
		ledBy = focusedPlace() ?? ledBy;
		content.replaceChildren(el('p', { class: 'spin', role: 'img', 'aria-label': texts.loading }));
	}
	clearTimeout(later);
	const wait = isNew ? 0 : Math.max(0, askedAt + LEAST_PAUSE - Date.now());
	shown = now;
	later = setTimeout(() => ask(route, place), wait);
}

/**
 * @param {PeopleRoute} route @param {string} place
 * @param {number} [pause] milliseconds until it is asked again if the index has not got the block yet
 */
async function ask(route, place, pause = LEAST_PAUSE) {
	askedAt = Date.now();
	const isShown = () => page.dataset.place === place && current().route.page === 'people';
	try {
		const { nodes, index } = await VIEWS[route.view](route.of);
		if (!isShown()) return;
		present(nodes);
		// A move in a room makes no block.
		if (route.view === 'live') {
			clearTimeout(later);
			later = setTimeout(() => ask(route, place), ROOMS_PAUSE);
			return;
		}
		// The index reads a block after the page has heard of it, and there may be no other block for long.
		const block = current().chain?.block ?? null;
		if (block === null || (index.block ?? -1) >= block) return;
		clearTimeout(later);
		later = setTimeout(() => ask(route, place, Math.min(2 * pause, MOST_PAUSE)), pause);
	} catch (failure) {
		if (!isShown()) return;
		// What was shown stays while the program is away.
		const isAway = failure instanceof Failure && failure.kind === 'away';
		if (!isAway || content.querySelector('.spin')) {
			dispatch({ type: 'missing', error: reason(failure) });
		}
	}
}

/** @param {Node[]} nodes */
function present(nodes) {
	const focused = focusedPlace() ?? ledBy;
	const isNew = ledBy !== null;
	ledBy = null;
	const open = [...content.querySelectorAll('details')].map((details) => details.open);
	const before = new Map(
		[...content.querySelectorAll('[data-plies]')].map((game) => [
			game.getAttribute('data-game'),
			game.getAttribute('data-plies'),
		]),
	);
	content.replaceChildren(...nodes);
	for (const [index, details] of [...content.querySelectorAll('details')].entries()) {
		details.open = open[index] ?? false;
	}
	for (const game of content.querySelectorAll('[data-plies]')) {
		const plies = before.get(game.getAttribute('data-game'));
		if (plies !== undefined && plies !== game.getAttribute('data-plies')) {
			game.classList.add('moved');
		}
	}
	// What had the focus was replaced by its like.
	if (focused) {
		const like = [...content.querySelectorAll('a, summary')].find(
			(element) => place(element) === focused,
		);
		// Where a link of the page has led elsewhere, it is read from its heading on.
		const heading = isNew ? content.querySelector('h1') : null;
		if (!like) heading?.setAttribute('tabindex', '-1');
		const next = like ?? heading;
		const isFree = !document.activeElement || document.activeElement === document.body;
		if (isFree && next instanceof HTMLElement) next.focus({ preventScroll: true });
	}
}

/** What has the focus among what is shown, if anything has. */
function focusedPlace() {
	const active = document.activeElement;
	return active instanceof HTMLElement && content.contains(active) ? place(active) : null;
}

/** What tells a link from others. @param {Element} element */
const place = (element) => `${element.getAttribute('href')} ${element.textContent}`;

/** The time now; the clock of the chain may be ahead of this machine's. @param {number | null} [chain] */
const timeNow = (chain = null) => Math.max(Date.now() / 1000, chain ?? 0);

/** Who accounts are: asked for once for each text that names one. @type {Map<string, Person>} */
const persons = new Map();

/** @param {string} text @returns {Promise<Person>} */
async function personAt(text) {
	const known = persons.get(text);
	if (known) return known;
	const { account } = await get(`/api/accounts/${encodeURIComponent(text)}`);
	persons.set(text, account);
	return account;
}

/** @type {Record<PeopleRoute['view'], (of: string) => Promise<{ nodes: Node[], index: IndexLag }>>} */
const VIEWS = {
	async player(of) {
		const [account = '', query = ''] = of.split('?');
		const opponent = new URLSearchParams(query).get('against');
		const path = `/api/accounts/${encodeURIComponent(account)}`;
		const [profile, against] = await Promise.all([
			get(path),
			opponent ? get(`${path}/against/${encodeURIComponent(opponent)}`) : null,
		]);
		entitle(title(capital(personText(profile.account))));
		return { nodes: profileView(profile, against, timeNow()), index: profile.index };
	},
	async games(of) {
		const [account = '', search = ''] = of.split('?');
		const query = new URLSearchParams(search);
		const [person, page] = await Promise.all([
			personAt(account),
			get(`/api/history?${historyQuery(account, query)}`),
		]);
		entitle(title(texts.gamesOf(personText(person))));
		return { nodes: gamesView(page, person, query, timeNow()), index: page.index };
	},
	async players(of) {
		const query = new URLSearchParams(of);
		const league = query.get('league') ?? FIRST_LEAGUE;
		const asked = new URLSearchParams({ league, before: query.get('before') ?? '0' });
		const page = await get(`/api/standings?${asked}`);
		entitle(title(texts.players));
		return { nodes: playersView(page, league), index: page.index };
	},
	async live() {
		const said = await get('/api/now');
		entitle(title(texts.live));
		return { nodes: liveView(said, timeNow(said.time)), index: said.index };
	},
};
