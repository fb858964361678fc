// What the page shows of wallets: which one is connected, what it is about to sign, how far that is.

import { actButton, byId, el, factItems, find, makeSheet, setText, show } from '../dom/elements.js';
import { guest, onGuest, showAskingBy } from '../guest/account.js';
import { loadStyle, once } from '../late.js';
import '../names.js';
import { accountName } from '../state/account-name.js';
import { amountText, exactAmount, isSome, reason } from '../state/text.js';
import { dispatch } from '../store.js';
import { texts } from '../words/host.js';
import { session } from './session.js';

/** @import { OpenAccount } from '../wire.d.ts' */
/** @import { Stage } from './send.js' */
/** @import { Slow } from './types.d.ts' */

loadStyle('style/host.css').catch(() => {});

const opener = /** @type {HTMLButtonElement} */ (
	el('button', { id: 'wallet-open', class: 'button small', 'aria-haspopup': 'dialog' })
);
byId('wallet').append(opener);
show(byId('wallet'), true);

const loadSheet = once(() => import('./sheet.js'), 'style/guest.css');
/** The sheet of wallets, once it was opened. @type {Awaited<ReturnType<typeof loadSheet>> | null} */
let sheet = null;
const agreement = makeSheet('agreement');
const stageLine = el('p', { id: 'signing', role: 'status', hidden: '' });
const trustLine = el('div', { id: 'trust', role: 'alert', hidden: '' });
byId('chain').after(trustLine);
document.body.append(stageLine);

opener.addEventListener('click', () => openWallets());

/** Opens the sheet of wallets. @param {boolean} [forNode] at the part for a node */
export async function openWallets(forNode = false) {
	try {
		sheet ??= await loadSheet();
		sheet.openSheet(shown, forNode);
	} catch (failure) {
		dispatch({ type: 'refuse', text: reason(failure) });
	}
}

/** Address of the guest of this browser; empty if there is none. */
let guestAddress = '';
async function lookAtGuest() {
	const found = await guest().catch(() => null);
	guestAddress = found?.account ?? '';
	renderWallet(shown);
}
onGuest(lookAtGuest);
showAskingBy((wallet) =>
	wallet
		? showLine(texts.signKeyIn(wallet.name))
		: showLine(session.trouble, Boolean(session.trouble)),
);

/** @type {OpenAccount | null} */
let shown = null;

lookAtGuest();

/** @param {OpenAccount | null} account */
export function renderWallet(account) {
	shown = account;
	const { wallet } = session;
	const { chain } = session;
	const funds = account?.balance && chain ? ` · ${amountText(account.balance, chain)}` : '';
	const name = account?.name ?? (account ? accountName(account.address) : '');
	const isOpen = account && wallet;
	const isGuest = guestAddress || !session.takesWallets;
	// A narrow screen has no room for it.
	const rest = (/** @type {string} */ text) => el('span', {}, text);
	const guest = [texts.guest, rest(guestAddress && ` · ${accountName(guestAddress)}`)];
	opener.replaceChildren(...(isOpen ? [name, rest(funds)] : isGuest ? guest : texts.connect(rest)));
	opener.title = account ? `${wallet?.name}: ${account.address}` : guestAddress;
	opener.classList.toggle('primary', !account && !isGuest);
	opener.dataset.trouble = String(Boolean(session.trouble));
	sheet?.renderSheet(account);
	if (session.trouble) showLine(session.trouble, true);
	else if (stageLine.dataset.trouble === 'true') show(stageLine, false);
}

/** @param {string} text @param {boolean} [trouble] @param {HTMLElement} [act] what can be done */
function showLine(text, trouble = false, act) {
	stageLine.dataset.trouble = String(trouble);
	setText(stageLine, text);
	if (act) stageLine.append(act);
	show(stageLine, text);
}

/** Why no block is known to have a transaction. @type {Record<Slow, (what: string, wallet: string) => string>} */
const SLOW = {
	silent: texts.sentSilent,
	pending: texts.slow,
	unknown: texts.dropped,
	overtaken: texts.overtaken,
	untold: texts.untold,
};

/** Tells why no block has a transaction yet, and what the player can do. @param {string} what @param {Stage} stage */
function showSlow(what, { slow = 'silent', stop }) {
	const text = SLOW[slow](what, session.wallet?.name ?? texts.wallet);
	const mayStop = slow !== 'silent' && slow !== 'pending';
	showLine(text, false, mayStop ? stopButton(stop) : undefined);
}

/** @param {(() => void) | undefined} stop */
function stopButton(stop) {
	return actButton(texts.stopWaiting, () => stop?.());
}

/** What a transaction does, in words. @param {Stage} stage */
const whatOf = ({ what, maps }) => (maps ? texts.makeKnown : what);

/** What a transaction costs, in words. @param {Stage} stage */
function costs({ prepared, payment = 0n }) {
	const { chain } = session;
	if (!prepared || !chain) return [];
	/** @type {[string, string][]} */
	const parts = [];
	if (payment > 0n) parts.push([texts.payment, exactAmount(String(payment), chain)]);
	parts.push([texts.fee, texts.about(amountText(prepared.fee, chain))]);
	if (isSome(prepared.deposit)) {
		const back = prepared.deposit.startsWith('-');
		const amount = amountText(prepared.deposit.replace('-', ''), chain);
		const [held, returned] = chain.returnsDeposits
			? [texts.depositHeld(amount), amount]
			: [texts.depositHeldYours(amount), texts.depositPaid(amount)];
		parts.push(back ? [texts.depositBack, returned] : [texts.deposit, held]);
	}
	return parts;
}

/** Shows how far a transaction is. @param {Stage} stage */
export function showStage(stage) {
	const name = session.wallet?.name ?? texts.wallet;
	const what = whatOf(stage);
	const sums = costs(stage).map(([label, text]) => `${label.toLowerCase()} ${text}`);
	switch (stage.step) {
		case 'trying':
			return showLine(texts.trying(what));
		case 'signing':
			return showLine(texts.signing(name, [what, ...sums].join(' · ')));
		case 'silent':
			return showLine(texts.silent(what, name));
		case 'waiting':
			return showLine(texts.waiting(what));
		case 'slow':
			return showSlow(what, stage);
		default:
			return showLine(session.trouble, Boolean(session.trouble));
	}
}

/** What else the player has to agree to. @param {Stage} stage */
function warnings({ depositLimit = null, others = [], isUnknown = false }) {
	const { chain } = session;
	const limit = depositLimit !== null && chain && amountText(String(depositLimit), chain);
	const said = others.map(({ what, nonce, hasFailed }) =>
		hasFailed ? texts.signedInVain(what, nonce) : texts.signedOpen(what, nonce),
	);
	if (isUnknown) {
		said.push(texts.contractUnknown);
	}
	if (limit) said.push(texts.depositMuch(limit));
	return said.map((text) => el('p', { class: 'wrong' }, text));
}

/** Asks whether the player agrees to a payment, or to what is odd. @param {Stage} stage @returns {Promise<boolean>} */
export function agree(stage) {
	const yes = el(
		'button',
		{ class: 'button primary', value: 'yes' },
		texts.signIn(session.wallet?.name),
	);
	const no = el('button', { class: 'button', value: '' }, texts.notNow);
	const { facts = [], maps, payment, prepared } = stage;
	/** @type {[string, string][]} */
	const contract = maps ? [] : [[texts.contract, prepared?.to ?? '']];
	const said = payment ? `${texts.contractAgrees} ${texts.stakeLocked}` : texts.contractAgrees;
	agreement.replaceChildren(
		el('h2', { id: 'agreement-title' }, whatOf(stage)),
		el('dl', { class: 'facts' }, ...factItems([...facts, ...costs(stage), ...contract])),
		...warnings(stage),
		maps ? '' : el('p', { class: 'quiet' }, said),
		el('form', { method: 'dialog', class: 'row' }, yes, no),
	);
	agreement.returnValue = '';
	agreement.showModal();
	// What is agreed to is read from its beginning.
	find(agreement, 'button').focus({ preventScroll: true });
	return new Promise((resolve) => {
		agreement.addEventListener('close', () => resolve(agreement.returnValue === 'yes'), {
			once: true,
		});
	});
}

/** Says why the host is not believed. @param {{ text: string, accept: (() => void) | null } | null} asked */
export function showTrust(asked) {
	show(trustLine, asked);
	if (!asked) return trustLine.replaceChildren();
	const { text, accept } = asked;
	const button = el('button', { class: 'button small danger' }, texts.useAllTheSame);
	if (accept) button.addEventListener('click', accept);
	trustLine.replaceChildren(el('p', {}, text), accept ? button : '');
}
