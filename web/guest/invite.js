// Invitations: the link by which a friend plays, also as a QR code, and what a friend sees who has opened one.

import { byId, el, factItems, svg } from '../dom/elements.js';
import { onSession, session } from '../host/session.js';
import { ask } from '../host/wasm.js';
import { chosenHost } from '../hosts.js';
import { copyText } from '../input.js';
import { withoutFragment } from '../navigation.js';
import { fragmentOf, INVITE, offerOf } from '../state/invite.js';
import { inviteText, mayPayUnasked } from '../state/invite-text.js';
import { isLoopback } from '../state/reach.js';
import { keep, recall } from '../storage.js';
import { current, subscribe } from '../store.js';
import { agree, join, invite as offer, payUnasked, withdraw } from '../terms/main.js';
import { texts } from '../words/invite.js';
import { texts as page } from '../words/page.js';

/** @import { Wish } from '../state/types.d.ts' */

const LONG = 4_000; // milliseconds after which a friend who looks for the seek is told why it may not be there

/** `offer` is null until it is known. @typedef {{ offer: string | null, wish: Partial<Wish> | null }} Invitation */

/**
 * The invitation that is shown. `mine` is whether it is this player's, else a friend's; `since` is when it was looked
 * for, in milliseconds.
 * @type {Invitation & { mine: boolean, since: number } | null}
 */
let shown = null;

const title = el('h2', { id: 'invitation-title', tabindex: '-1' });
const about = el('p', { id: 'invitation-text', role: 'status' });
const facts = el('dl', { id: 'invitation-facts', class: 'facts', hidden: '' });
const link = /** @type {HTMLInputElement} */ (
	el('input', { id: 'invitation-link', readonly: '', 'aria-label': texts.linkForFriend })
);
const copy = el(
	'button',
	{ id: 'invitation-copy', class: 'button primary', type: 'button' },
	texts.copyLink,
);
const share = el(
	'button',
	{ id: 'invitation-share', class: 'button', type: 'button' },
	texts.share,
);
const code = el('div', { id: 'invitation-code' });
const again = el(
	'button',
	{ id: 'invitation-again', class: 'button primary', type: 'button' },
	texts.tryAgain,
);
const play = el(
	'button',
	{ id: 'invitation-play', class: 'button primary', type: 'button' },
	texts.play,
);
const pay = el(
	'button',
	{ id: 'invitation-pay', class: 'button primary', type: 'button' },
	texts.payUnasked,
);
const stop = el('button', { id: 'invitation-stop', class: 'button', type: 'button' });
const passing = el(
	'div',
	{ class: 'passing' },
	link,
	el('div', { class: 'row' }, copy, share),
	code,
);
const card = el(
	'section',
	{ id: 'invitation', class: 'card', 'aria-labelledby': 'invitation-title' },
	title,
	passing,
	about,
	facts,
	el('div', { class: 'row' }, again, play, pay, stop),
);

link.addEventListener('focus', () => link.select());
copy.addEventListener('click', async () => {
	if (await copyText(link.value)) copy.dataset.done = 'true';
	else link.focus();
});
share.hidden = !navigator.share;
share.addEventListener('click', () => {
	// A friend's device shows the text above the link. Who changes their mind has not failed.
	navigator.share({ text: texts.shareTitle, url: link.value }).catch(() => {});
});
again.addEventListener('click', () => {
	if (!shown) return;
	shown = { ...shown, since: Date.now() };
	start();
});
play.addEventListener('click', () => {
	if (shown) shown = { ...shown, since: Date.now() };
	setTimeout(render, LONG);
	agree().catch(() => {});
});
pay.addEventListener('click', () => payUnasked().catch(() => {}));
stop.addEventListener('click', async () => {
	end();
	await withdraw().catch(() => {});
});
subscribe(render);

let hadAccount = Boolean(session.account);
// A wallet that was used last is connected a moment after the page is loaded; who connects one then has done what is asked.
onSession(() => {
	const isNew = !hadAccount && session.account !== null;
	hadAccount = session.account !== null;
	if (isNew && current().seek?.phase === 'failed') start();
});

/** Invites a friend to a game. @param {Partial<Wish>} wish */
export const invite = (wish) => stand({ offer: null, wish });

/** Takes the invitation of the address, or the one that stood before this tab was loaded again. */
export async function take() {
	const asked = offerOf(location.hash);
	if (asked) return accept(asked);
	const stood = recall(INVITE, /** @type {Invitation | null} */ (null), 'sessionStorage');
	if (stood && !shown) await stand(stood);
}

/** @param {Invitation} invitation */
async function stand(invitation) {
	open({ ...invitation, mine: true });
	await start();
}

/** Shows the link of the own offer, and keeps it for as long as the tab is there. @param {string} of */
function showLink(of) {
	const named = chosenHost();
	const query = named ? `?host=${encodeURIComponent(named.host)}` : '';
	const url = `${location.origin}/${query}${fragmentOf(of)}`;
	if (link.value === url) return;
	link.value = url;
	draw(url).catch(() => {});
}

/** @param {string} of */
async function accept(of) {
	if (shown?.offer === of) return;
	open({ offer: of, wish: null, mine: false });
	await start();
}

/** Makes the offer, or looks for the friend who has made it. What goes wrong is shown. */
function start() {
	if (!shown) return;
	const { mine, wish, offer: of } = shown;
	const starting = mine ? offer(wish, of) : join(of ?? '');
	return starting.catch(() => {});
}

/** @param {Invitation & { mine: boolean }} invitation */
function open(invitation) {
	const { mine } = invitation;
	shown = { ...invitation, since: Date.now() };
	title.textContent = mine ? texts.inviteFriend : texts.invitedBy;
	stop.textContent = mine ? texts.withdraw : texts.notNow;
	link.value = '';
	code.replaceChildren();
	delete copy.dataset.done;
	byId('new').before(card);
	render();
	title.focus();
	if (!mine) setTimeout(render, LONG);
}

/** Nobody is invited any more. */
function end() {
	shown = null;
	card.remove();
	keep(INVITE, null, 'sessionStorage');
	if (offerOf(location.hash)) history.replaceState(history.state, '', withoutFragment());
}

function render() {
	if (!shown) return;
	const { hello, seek: sought, route } = current();
	// The game has begun.
	if (route.page === 'game' && !sought) return end();
	const isLong = Date.now() - shown.since >= LONG;
	const known = sought?.invite ?? null;
	if (shown.mine && known && known !== shown.offer) {
		shown = { ...shown, offer: known };
		keep(INVITE, { offer: known, wish: shown.wish }, 'sessionStorage');
	}
	const mine = known === (shown.offer ?? '') ? sought : null;
	passing.hidden = !(shown.mine && shown.offer) && mine?.phase !== 'own';
	if (shown.offer && !passing.hidden) showLink(shown.offer);
	const said = inviteText(shown.mine, mine, isLong);
	const isHereAlone = !passing.hidden && hello?.public === false && isLoopback(location.hostname);
	const text = isHereAlone ? `${said} ${page.localOnly}` : said;
	if (about.textContent !== text) about.textContent = text;
	const asked = mine?.facts ?? [];
	facts.hidden = !asked.length;
	facts.replaceChildren(...factItems(asked));
	// It can be sent from here as well.
	if (mine?.phase === 'own') title.textContent = texts.yours;
	else if (!shown.mine && mine?.staked) title.textContent = texts.forStake;
	again.hidden = mine?.phase !== 'failed';
	play.hidden = mine?.phase !== 'asking';
	pay.hidden = shown.mine || !isLong || !mayPayUnasked(mine);
}

/** Draws a link as a QR code: dark on light in any theme, as cameras read it. @param {string} text */
async function draw(text) {
	code.replaceChildren();
	const { size, path } = await ask({ qr: text });
	const quiet = 4; // modules around it
	const whole = size + 2 * quiet;
	code.replaceChildren(
		svg(
			'svg',
			{
				viewBox: `${-quiet} ${-quiet} ${whole} ${whole}`,
				role: 'img',
				'aria-label': texts.linkAsCode,
				'shape-rendering': 'crispEdges',
			},
			svg('path', { d: path }),
		),
	);
}
