// The buttons for what a player can do apart from moves, and invite links.

import { actions } from '../state/actions.js';
import { isLoopback } from '../state/reach.js';
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
import { texts } from '../words/page.js';
import { button, byId, el, find, link, refill, setData, setText, show } from './elements.js';

/** @import { Actions, Playing, Shown, View } from '../state/types.d.ts'
 * @import { Colour } from '../wire.d.ts' */

/** @param {Shown} state */
export function renderActions(state) {
	const { view } = state;
	const can = actions(state);
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
	const isOne = seats(state).length < 2;
	act('next', can.next);
	act('review', can.review);
	button('review').disabled = Boolean(state.review?.running);
	act('free', can.free);
	act('accept-draw', can.accept);
	act('decline-draw', can.accept);
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
function renderNextGame({ view }) {
	const byTerms = isGame(view) ? view.byTerms : null;
	// In the next game of a variant on the chain the turn order moves on.
	const isTurned = view.players.length === 2 && (isHere(view.game) || !isVariant(view));
	const each = byTerms?.stake?.each;
	const exchanged = each ? texts.seatsExchangedFor(each) : texts.seatsExchanged;
	const begins = byTerms ? exchanged : texts.loserBegins;
	const again = isVariant(view) ? texts.playAgain : texts.nextGame;
	setText(find(byId('next'), 'span'), byTerms ? texts.rematch : again);
	setText(find(byId('next'), 'small'), isTurned && (byTerms || view.winner) ? begins : '');
	const next = (isGame(view) && view.series?.next) || null;
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
		isLoopback(location.hostname) ? `${whose} ${texts.localOnly}` : whose,
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
