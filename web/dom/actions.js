// The buttons for what a player can do apart from drops, the result of a review, and invite links.

import { actions } from '../state/actions.js';
import { reviewSummary } from '../state/review.js';
import { accountOf, held, seats, who } from '../state/seats.js';
import { amountText, capital } from '../state/text.js';
import { button, byId, disc, el, find, input, link, setData, setText, show } from './elements.js';

/** @import { Actions, Shown } from '../state/types.d.ts' */

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
	/** @param {string} words @param {string | null} seat */
	const side = (words, seat) => (playsBoth(state) && seat ? `${words} for ${seat}` : words);
	const owed = can.withdraw && view.owed[can.withdraw];
	act('next', can.next);
	act('decline-rematch', can.declineRematch);
	act('review', can.review);
	button('review').disabled = Boolean(state.review?.running);
	act('accept-draw', can.accept, side('Accept draw', can.accept));
	act('decline-draw', can.accept, 'Decline draw');
	act('claim', can.claim);
	act('withdraw', can.withdraw, owed ? `Withdraw ${amountText(owed)}` : '');
	act('offer-draw', can.offer, 'Offer draw');
	act('resign', state.asking ? null : can.resign, side('Resign', can.resign));
}

/** @param {Shown} state */
function renderNextGame({ view }) {
	const terms = [
		view.winner && 'the loser begins',
		view.stake && `each pays ${amountText(view.stake)}`,
	];
	setText(find(byId('next'), 'small'), terms.filter(Boolean).join(', '));
	show(link('next-game'), view.next !== null && view.over);
	if (view.next !== null) link('next-game').href = `/game/${view.next}`;
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
	const free = held(state).find(
		(colour) => !mine.includes(colour) && !view.players?.[colour].computer,
	);
	show(byId('invite'), free && !view.over);
	const account = free && accountOf(hello, view.players?.[free].address);
	if (!free || !account) return;
	const url = `${location.origin}/game/${view.game}#play=${account.key}`;
	// The link takes less room once the game is under way.
	byId('invite').classList.toggle('brief', view.turns > 1);
	const text =
		`Send this link to the person who plays ${free}. ` +
		`Anyone who has it can play for ${who(view, free)}.`;
	setText(byId('invite-text'), LOCAL.test(location.hostname) ? `${text} ${LOCAL_ONLY}` : text);
	input('invite-field').value = url;
	setData(byId('invite-link'), 'link', url);
	if (!byId('invite-link').dataset.done) {
		setText(byId('invite-link'), `Copy invite link for ${free}`);
	}
}
