// The buttons for what a player can do apart from moves, and invite links.

import { actions } from '../state/actions.js';
import {
	accountOf,
	addressOf,
	computerOf,
	held,
	isGame,
	isHere,
	isVariant,
	seats,
	who,
} from '../state/seats.js';
import { amountText, isSome } from '../state/text.js';
import { texts } from '../words/page.js';
import { button, byId, el, find, link, refill, setData, setText, show } from './elements.js';

/** @import { Actions, Playing, Shown, View } from '../state/types.d.ts'
 * @import { Amount, Colour } from '../wire.d.ts' */

/** @param {Shown} state @param {number} now in milliseconds */
export function renderActions(state, now) {
	const { view } = state;
	const can = actions(state, now);
	renderButtons(state, can);
	renderNextGame(state);
	renderResign(state, can);
	const buttons = /** @type {HTMLElement[]} */ ([...byId('main-actions').children]);
	show(
		byId('main-actions'),
		buttons.some(({ hidden }) => !hidden),
	);
	show(byId('invite'), isGame(view) && renderInvite({ ...state, view }));
}

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
	const isOne = seats(state).length < 2;
	const owed = view.players.find(({ colour }) => colour === can.withdraw)?.owed ?? '0';
	act('next', can.next);
	act('decline-rematch', can.declineRematch);
	act('review', can.review);
	button('review').disabled = Boolean(state.review?.running);
	act(
		'accept-draw',
		can.accept,
		isOne || !can.accept ? texts.acceptDraw : texts.acceptDrawFor(can.accept),
	);
	act('decline-draw', can.accept);
	act('claim', can.claim);
	act('withdraw', can.withdraw, texts.withdrawAmount(text(owed)));
	act('offer-draw', can.offer);
	act('resign', state.asking ? null : can.resign, resignText(view, isOne ? null : can.resign));
}

/** @param {View} view @param {Colour | null} colour of who resigns, if it is to be said */
function resignText(view, colour) {
	if (isVariant(view) && !isHere(view.game)) {
		return colour ? texts.leaveGameAs(colour) : texts.leaveGame;
	}
	return colour ? texts.resignFor(colour) : texts.resign;
}

/** @param {Shown} state */
function renderNextGame({ view, hello }) {
	const match = isGame(view) ? view.match : null;
	const pays =
		hello && match && isSome(match.stake) && texts.eachPays(amountText(match.stake, hello.chain));
	const isOfTwo = view.players.length === 2;
	const byTerms = isGame(view) && view.byTerms;
	const begins = byTerms ? texts.seatsExchanged : texts.loserBegins;
	const terms = [match && (byTerms || view.winner) && isOfTwo && begins, pays]
		.filter(Boolean)
		.join(', ');
	const again = isVariant(view) ? texts.playAgain : texts.nextGame;
	setText(find(byId('next'), 'span'), byTerms ? texts.rematch : again);
	setText(find(byId('next'), 'small'), terms);
	const next = match?.next ?? null;
	setText(link('next-game'), texts.nextGame);
	show(link('next-game'), next !== null && view.over);
	if (next !== null) link('next-game').href = `/game/${next}`;
}

/** @param {Shown} state @param {Actions} can */
function renderResign(state, can) {
	show(byId('confirm'), state.asking && can.resign);
	const giveUp = seats(state).length > 1 ? texts.giveUpFor(can.resign) : texts.giveUp;
	const leaves = isVariant(state.view) && !isHere(state.view.game);
	setText(byId('confirm-text'), leaves ? texts.leaveForGood(can.resign) : giveUp);
	setText(button('resign-yes'), leaves ? texts.leave : texts.resign);
	setData(button('resign-yes'), 'seat', can.resign ?? '');
	button('resign-yes').disabled = can.busy;
}

/** Names of this machine, which lead nowhere from another one. */
const LOCAL = /^(localhost|127\..*|\[::1\])$/;

/**
 * The invite links of the seats for which this browser has the keys, and which others play. Whether there are
 * any.
 * @param {Playing} state
 */
function renderInvite(state) {
	const { view, hello } = state;
	const mine = seats(state);
	const isFree = (/** @type {Colour} */ colour) =>
		!mine.includes(colour) &&
		!computerOf(view, colour) &&
		!view.players.some((player) => player.colour === colour && player.out);
	const free = view.over ? [] : held(state).filter(isFree);
	const [first] = free;
	if (!first) return false;
	// The links take less room once the game is under way.
	byId('invite').classList.toggle('brief', view.turns >= view.players.length);
	const whose = free.length > 1 ? texts.sendEach : texts.sendOne(first, who(state, first));
	setText(
		byId('invite-text'),
		LOCAL.test(location.hostname) ? `${whose} ${texts.localOnly}` : whose,
	);
	refill(
		find(byId('invite'), 'ul'),
		free.map((colour) => {
			const key = accountOf(hello, addressOf(view, colour))?.key ?? '';
			const url = `${location.origin}/game/${view.game}#play=${key}`;
			const copy = { class: 'button small', 'data-do': 'copy', 'data-link': url };
			return el(
				'li',
				{ class: 'row' },
				el('input', { readonly: '', value: url, 'aria-label': texts.inviteLink(colour) }),
				el('button', copy, texts.copyInvite(colour)),
			);
		}),
	);
	return true;
}
