// What the page shows of wallets: which one is connected, what it is about to sign, how far that is.

import { byId, el, find, makeSheet, setText, show } from '../dom/elements.js';
import { guest, onGuest, showAskingBy } from '../guest/account.js';
import { loadStyle, once } from '../late.js';
import { amountText, exactAmount, isSome, short } from '../state/text.js';
import { dispatch } from '../store.js';
import { reason } from '../transport.js';
import { session } from './session.js';

/** @import { OpenAccount } from '../state/types.d.ts' */
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
		? showLine(
				`Sign in ${wallet.name}, once a day: a key in this page may play for you. It can move no tokens.`,
			)
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
	const name = account?.name ?? (account ? short(account.address) : '');
	const isOpen = account && wallet;
	const [text, rest] = guestAddress
		? ['Guest', ` · ${short(guestAddress)}`]
		: ['Connect', ' wallet'];
	setText(opener, isOpen ? name : text);
	// A narrow screen has no room for the rest.
	opener.append(el('span', {}, isOpen ? funds : rest));
	opener.title = account ? `${wallet?.name}: ${account.address}` : guestAddress;
	opener.classList.toggle('primary', !account && !guestAddress);
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

/** Why no block is known to have a transaction. @param {string} wallet @returns {Record<Slow, string>} */
const slowly = (wallet) => ({
	silent: `sent, but ${wallet} does not tell what became of it. Look whether it is unlocked and has its network.`,
	pending: `no block has it yet. If it takes too long, speed it up or cancel it in ${wallet}.`,
	unknown: `no block has it, and the node of ${wallet} does not know it, so it may have been dropped. If ${wallet} still shows it, speed it up or cancel it there. If not, stop waiting and try again: both have the same number, so that only one of them can happen.`,
	overtaken: `no block has it, the node of ${wallet} does not know it, and another transaction of this account is in a block. If ${wallet} still shows it, wait for it or cancel it there. If not, stop waiting, and look at the board before you try again.`,
	untold:
		'sent, but this host does not tell what became of it. Look at the board; you need not wait.',
});

/** Tells why no block has a transaction yet, and what the player can do. @param {string} what @param {Stage} stage */
function showSlow(what, { slow = 'silent', stop }) {
	const text = `${what}: ${slowly(session.wallet?.name ?? 'the wallet')[slow]}`;
	const mayStop = slow !== 'silent' && slow !== 'pending';
	showLine(text, false, mayStop ? stopButton(stop) : undefined);
}

/** @param {(() => void) | undefined} stop */
function stopButton(stop) {
	const button = el('button', { class: 'button small' }, 'Stop waiting');
	button.addEventListener('click', () => stop?.());
	return button;
}

/** Tells that the move that is answered may still be replaced. @param {string} what @param {Stage} stage */
function showSettling(what, { why, stop }) {
	const because = why ? ` That can’t be seen at the moment: ${why}` : '';
	showLine(
		`${what}: there is a stake, so the opponent’s move has to lie safely in the chain first…${because}`,
		false,
		why ? stopButton(stop) : undefined,
	);
}

/** What a transaction costs, in words. @param {Stage} stage */
function costs({ prepared, payment = 0n }) {
	const { chain } = session;
	if (!prepared || !chain) return [];
	/** @type {[string, string][]} */
	const parts = [];
	if (payment > 0n) parts.push(['Stake', exactAmount(String(payment), chain)]);
	parts.push(['Fee', `about ${amountText(prepared.fee, chain)}`]);
	if (isSome(prepared.deposit)) {
		const back = prepared.deposit.startsWith('-');
		const amount = amountText(prepared.deposit.replace('-', ''), chain);
		const [held, returned] = chain.returnsDeposits
			? ['returned with the storage', amount]
			: ['returned if you remove the storage', `up to ${amount}: what you paid of it yourself`];
		parts.push(back ? ['Deposit back', returned] : ['Deposit', `${amount}, ${held}`]);
	}
	return parts;
}

/** Shows how far a transaction is. @param {Stage} stage */
export function showStage(stage) {
	const name = session.wallet?.name ?? 'the wallet';
	const what = stage.maps ? 'Make your account known to contracts, once' : stage.what;
	const sums = costs(stage).map(([label, text]) => `${label.toLowerCase()} ${text}`);
	switch (stage.step) {
		case 'settling':
			return showSettling(what, stage);
		case 'trying':
			return showLine(`${what}: asking the chain what it costs…`);
		case 'signing':
			return showLine(`Sign in ${name}: ${[what, ...sums].join(' · ')}`);
		case 'silent':
			return showLine(
				`${what}: ${name} has not answered. Open it, and sign or refuse there. What else is due does not wait for it.`,
			);
		case 'waiting':
			return showLine(`${what}: sent, waiting for its block…`);
		case 'slow':
			return showSlow(what, stage);
		case 'deep':
			return showLine(`${what}: in a block, ${stage.depth} of ${stage.wanted} blocks on top.`);
		default:
			return showLine(session.trouble, Boolean(session.trouble));
	}
}

/** What else the player has to agree to. @param {Stage} stage */
function warnings({ depositLimit = null, others = [], isUnknown = false }) {
	const { chain } = session;
	const limit = depositLimit !== null && chain && amountText(String(depositLimit), chain);
	const texts = others.map(
		({ what, nonce, hasFailed }) =>
			`What you signed before (“${what}”, number ${nonce}) ${hasFailed ? 'is in a block and did nothing, says this host. If that is not true' : 'is in no block, as far as this host tells. This one has another number, so'} both may happen. Look at the board before you sign.`,
	);
	if (isUnknown) {
		texts.push(
			'Nothing shows that this is the contract of the game: the host does not say who has deployed it, and no node of your own was asked. Another one could keep what you pay. Name a node where the wallet is chosen, or sign if you know the address.',
		);
	}
	if (limit)
		texts.push(
			`The host wants that up to ${limit} may be held as a deposit, which is much more than it says that the call takes.`,
		);
	return texts.map((text) => el('p', { class: 'wrong' }, text));
}

/** Asks whether the player agrees to a payment, or to what is odd. @param {Stage} stage @returns {Promise<boolean>} */
export function agree(stage) {
	const yes = el(
		'button',
		{ class: 'button primary', value: 'yes' },
		`Sign in ${session.wallet?.name}`,
	);
	const no = el('button', { class: 'button', value: '' }, 'Not now');
	const facts = costs(stage).flatMap(([label, text]) => [el('dt', {}, label), el('dd', {}, text)]);
	agreement.replaceChildren(
		el('h2', { id: 'agreement-title' }, stage.what),
		el(
			'dl',
			{ class: 'facts' },
			...facts,
			el('dt', {}, 'Contract'),
			el('dd', {}, stage.prepared?.to ?? ''),
		),
		...warnings(stage),
		el(
			'p',
			{ class: 'quiet' },
			`The contract has been asked: it does not refuse.${stage.payment ? ' The stake is locked in it until the game ends.' : ''}`,
		),
		el('form', { method: 'dialog', class: 'row' }, yes, no),
	);
	agreement.returnValue = '';
	agreement.showModal();
	find(agreement, 'button').focus();
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
	const button = el('button', { class: 'button small danger' }, 'Use it all the same');
	if (accept) button.addEventListener('click', accept);
	trustLine.replaceChildren(el('p', {}, text), accept ? button : '');
}
