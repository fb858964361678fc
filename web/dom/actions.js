// The buttons for what a player can do apart from drops, the result of a review, and invite links.

import { within } from '../hosts.js';
import { actions } from '../state/actions.js';
import { reviewSummary } from '../state/review.js';
import { accountOf, addressOf, computerOf, held, seats, who } from '../state/seats.js';
import { amountText, capital, isSome } from '../state/text.js';
import { button, byId, disc, el, find, input, link, setData, setText, show } from './elements.js';

/** @import { Actions, Amount, Shown } from '../state/types.d.ts' */

/** @param {Shown} state @param {number} now in milliseconds */
export function renderActions(state, now) {
	const can = actions(state, now);
	renderButtons(state, can);
	renderNextGame(state);
	renderResign(state, can);
	const buttons = /** @type {HTMLElement[]} */ ([...byId('main-actions').children]);
	show(
		byId('main-actions'),
		buttons.some(({ hidden }) => !hidden),
	);
	renderReview(state);
	renderInvite(state);
}

/** @param {Shown} state */
const playsBoth = (state) => seats(state).length === 2;

/** @param {Shown} state @param {Actions} can */
function renderButtons(state, can) {
	const { view } = state;
	/** @param {string} id @param {unknown} seat @param {string} text */
	const act = (id, seat, text = '') => {
		show(button(id), seat);
		setData(button(id), 'seat', String(seat));
		if (text) setText(button(id), text);
		button(id).disabled = can.busy;
	};
	/** @param {Amount} amount */
	const text = (amount) => (state.hello ? amountText(amount, state.hello.chain) : '');
	/** @param {string} words @param {string | null} seat */
	const side = (words, seat) => (playsBoth(state) && seat ? `${words} for ${seat}` : words);
	const owed = view.game !== null && can.withdraw ? view.owed[can.withdraw] : '0';
	act('next', can.next);
	act('decline-rematch', can.declineRematch);
	act('review', can.review);
	button('review').disabled = Boolean(state.review?.running);
	act('accept-draw', can.accept, side('Accept draw', can.accept));
	act('decline-draw', can.accept, 'Decline draw');
	act('claim', can.claim);
	act('withdraw', can.withdraw, `Withdraw ${text(owed)}`);
	act('offer-draw', can.offer, 'Offer draw');
	act('resign', state.asking ? null : can.resign, side('Resign', can.resign));
}

/** @param {Shown} state */
function renderNextGame({ view, hello }) {
	const { stake, next } = view.game === null ? { stake: '0', next: null } : view.match;
	const pays = hello && isSome(stake) && `each pays ${amountText(stake, hello.chain)}`;
	const terms = [view.winner && 'the loser begins', pays].filter(Boolean).join(', ');
	setText(find(byId('next'), 'small'), terms);
	show(link('next-game'), next !== null && view.over);
	if (next !== null) link('next-game').href = within(`/game/${next}`);
}

/** @param {Shown} state @param {Actions} can */
function renderResign(state, can) {
	show(byId('confirm'), state.asking && can.resign);
	const side = playsBoth(state) ? ` for ${can.resign}` : '';
	setText(byId('confirm-text'), `Give up the game${side}?`);
	setData(button('resign-yes'), 'seat', can.resign ?? '');
	button('resign-yes').disabled = can.busy;
}

/** @param {Shown} state */
function renderReview(state) {
	const summary = reviewSummary(state);
	const result = byId('review-result');
	show(result, summary);
	if (!summary) return;
	const progress = find(result, '.progress');
	show(progress, summary.progress);
	setText(progress, summary.progress && `Reviewing: ${summary.progress}`);
	const lines = summary.lines.map(({ colour, text }) => el('li', {}, disc(colour), text));
	find(result, 'ul').replaceChildren(...lines);
	setText(find(result, '.wrong'), capital(state.review?.error ?? ''));
}

/** Names of this machine, which lead nowhere from another one. */
const LOCAL = /^(localhost|127\..*|\[::1\])$/;
const LOCAL_ONLY =
	'It works on this machine only: for others, start the program with --addr 0.0.0.0 and open ' +
	'this page by the machine’s address.';

/**
 * The invite link of a seat for which this browser has the key, and which somebody else plays.
 * @param {Shown} state
 */
function renderInvite(state) {
	const { view, hello } = state;
	const mine = seats(state);
	const free = held(state).find((colour) => !mine.includes(colour) && !computerOf(view, colour));
	show(byId('invite'), free && !view.over);
	const account = free && accountOf(hello, addressOf(view, free));
	if (!free || !account) return;
	const url = `${location.origin}${within(`/game/${view.game}`)}#play=${account.key}`;
	// The link takes less room once the game is under way.
	byId('invite').classList.toggle('brief', view.turns > 1);
	const text =
		`Send this link to the person who plays ${free}. ` +
		`Anyone who has it can play for ${who(state, free)}.`;
	setText(byId('invite-text'), LOCAL.test(location.hostname) ? `${text} ${LOCAL_ONLY}` : text);
	input('invite-field').value = url;
	setData(byId('invite-link'), 'link', url);
	if (!byId('invite-link').dataset.done) {
		setText(byId('invite-link'), `Copy invite link for ${free}`);
	}
}
