// The lists of the lobby for variants: open tables, and games.

import { within } from '../../hosts.js';
import { nameOf } from '../../state/seats.js';
import { termsText } from '../../state/variant/words.js';
import { byId, disc, el, refill, setText, show } from '../elements.js';
import { tableButtons } from './actions.js';

/** @import { Hello, Lists, State } from '../../state/types.d.ts' */
/** @import { ListedVariant, StoredVariant, VariantSeat } from '../../state/variant/types.d.ts' */

const tables = el('ul', {});
const games = el('ul', { class: 'games' });
const count = el('span', { class: 'quiet' });
const tablesCard = card('tables', 'Open tables', tables);
const gamesCard = card('variants', 'Games of variants ', games);
gamesCard.querySelector('h2')?.append(count);

const classic = /** @type {HTMLElement} */ (byId('games').closest('.card'));
classic.before(tablesCard);
classic.after(gamesCard);

/** @param {string} id @param {string} title @param {HTMLElement} list */
function card(id, title, list) {
	const heading = `${id}-title`;
	return el(
		'section',
		{ id, class: 'card', 'aria-labelledby': heading, hidden: '' },
		el('h2', { id: heading }, title),
		list,
	);
}

/** @type {Pick<State, 'hello' | 'games' | 'pending'> | null} */
let shown = null;

/** @param {State} state */
export function renderVariantLobby({ hello, games: lists, pending }) {
	if (!hello || !lists) return;
	const isSame =
		shown?.hello === hello && shown.games === lists && Boolean(shown.pending) === Boolean(pending);
	if (isSame) return;
	shown = { hello, games: lists, pending };
	show(tablesCard, lists.tables.length);
	refill(
		tables,
		lists.tables.map((table) => tableItem(hello, pending, table)),
	);
	renderGames(hello, lists);
}

/** @param {Hello} hello @param {Lists} lists */
function renderGames(hello, { variants, tables, variant_count: all }) {
	show(gamesCard, variants.length);
	const isPart = all > variants.length + tables.length;
	setText(count, isPart ? `the newest ${variants.length}` : '');
	refill(
		games,
		variants.map((game) => gameItem(hello, game)),
	);
}

/** @param {Hello} hello @param {State['pending']} pending @param {StoredVariant} table */
function tableItem(hello, pending, table) {
	const { game, seats, terms } = table;
	const there = seats.filter(({ joined }) => joined).length;
	return el(
		'li',
		{ 'data-game': game },
		el(
			'a',
			{ href: within(`/game/${game}`) },
			el('b', {}, `Table ${game}`),
			` ${there} of ${seats.length} are here`,
		),
		el('span', { class: 'seats' }, ...seats.map((seat) => seatItem(hello, seat))),
		el('span', { class: 'quiet' }, termsText(terms)),
		el('span', { class: 'row' }, ...tableButtons({ hello, pending }, table)),
	);
}

/** @param {Hello} hello @param {VariantSeat} seat @param {boolean} [turn] */
function seatItem(hello, { colour, account, joined }, turn = false) {
	const name = account ? nameOf(hello, account) : 'free';
	const classes = ['who', turn && 'turn', !joined && 'waiting'].filter(Boolean).join(' ');
	const text = joined ? name : account ? `for ${name}` : name;
	return el('span', { class: classes, title: account }, disc(colour), el('span', {}, text));
}

/** @param {Hello} hello @param {ListedVariant} listed */
function gameItem(hello, listed) {
	const parts = listed.freed
		? [el('span', { class: 'seats quiet' }, 'freed')]
		: stored(hello, listed);
	const isPast = listed.freed || listed.over;
	return el(
		'li',
		{},
		el(
			'a',
			{ href: within(`/game/${listed.game}`), class: isPast ? 'over' : null },
			el('span', { class: 'id' }, `#${listed.game}`),
			...parts,
			el('span', { class: 'standing' }, listed.standing),
		),
	);
}

/** @param {Hello} hello @param {StoredVariant} game */
const stored = (hello, { seats, terms, to_move: mover }) => [
	el(
		'span',
		{ class: 'seats' },
		...seats.map((seat) => seatItem(hello, seat, seat.colour === mover)),
	),
	el('span', { class: 'shape' }, termsText(terms)),
];
