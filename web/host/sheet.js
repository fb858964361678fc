// The sheet of wallets: which ones there are, what is known of the one that is connected, the guests of this browser,
// and the node by which the host is checked. Loaded when it is first opened.

import { el, makeSheet, show } from '../dom/elements.js';
import { guestPart, renderGuest, restorePart } from '../guest/sheet.js';
import { amountText, reason, short } from '../state/text.js';
import { current } from '../store.js';
import { texts } from '../words/wallet.js';
import { keepsNote } from './journal.js';
import { nodePart, openNode, renderNode } from './node-form.js';
import { choose, connect, leave, session } from './session.js';

/** @import { OpenAccount } from '../wire.d.ts' */
/** @import { Wallet } from './types.d.ts' */

const dialog = makeSheet('wallets');
/** What changes in it, above and below the part for a node. */
const top = el('div', { class: 'part' });
const bottom = el('div', { class: 'part' });
/** The guest of this browser, who plays where no wallet is connected. */
const ofGuest = el('div', { class: 'part' }, guestPart);
const restoring = el('div', { class: 'part' }, restorePart);
dialog.append(ofGuest, top, restoring, nodePart, bottom);

/** The account that plays. @type {OpenAccount | null} */
let shown = null;
/** Why connecting failed. */
let complaint = '';

/** Opens the sheet. @param {OpenAccount | null} account @param {boolean} forNode at the part for a node */
export function openSheet(account, forNode) {
	shown = account;
	renderDialog();
	if (!dialog.open) dialog.showModal();
	if (forNode) openNode();
	renderGuest(() => dialog.close()).catch(() => {});
}

/** Shows what has changed, if the sheet is open. @param {OpenAccount | null} account */
export function renderSheet(account) {
	shown = account;
	if (dialog.open) renderDialog();
}

function renderDialog() {
	const { wallet, accounts, account, wallets, trouble } = session;
	const close = el('button', { class: 'button' }, texts.close);
	close.addEventListener('click', () => dialog.close());
	const title = el(
		'h2',
		{ id: 'wallets-title' },
		wallet ? wallet.name : isOfProgram() ? texts.useProgram : texts.connect,
	);
	const wrong = el('p', { class: 'wrong', role: 'alert' }, complaint || trouble);
	show(ofGuest, !wallet);
	show(restoring, !wallet);
	renderNode();
	if (!wallet) {
		top.replaceChildren(
			title,
			el('p', { class: 'quiet' }, isOfProgram() ? texts.programHelp : texts.walletHelp),
			wallets.length ? el('ul', {}, ...wallets.map(walletItem)) : noWallets(),
			wrong,
		);
		bottom.replaceChildren(isOfProgram() ? '' : trust(), el('div', { class: 'row' }, close));
		return;
	}
	const select = /** @type {HTMLSelectElement} */ (
		el(
			'select',
			{ 'aria-label': texts.account },
			...accounts.map(({ id, name }) =>
				el(
					'option',
					{ value: id, selected: id === account?.id ? '' : null },
					name ? `${name} · ${short(id)}` : short(id),
				),
			),
		)
	);
	select.addEventListener('change', () => {
		choose(accounts.find(({ id }) => id === select.value) ?? null);
	});
	const leaves = wallet.isProgram ? texts.beGuest : texts.disconnect;
	const out = el('button', { class: 'button' }, leaves);
	out.addEventListener('click', () => {
		leave();
		dialog.close();
	});
	const { chain } = session;
	const funds = shown?.balance && chain ? amountText(shown.balance, chain) : '…';
	top.replaceChildren(
		title,
		accounts.length > 1 ? el('label', { class: 'field' }, texts.account, select) : '',
		el(
			'dl',
			{ class: 'facts' },
			el('dt', {}, texts.account),
			el('dd', {}, account?.id ?? ''),
			el('dt', {}, texts.asContracts),
			el('dd', {}, shown?.address ?? ''),
			el('dt', {}, texts.balance),
			el('dd', {}, funds),
		),
		wrong,
	);
	const note = keepsNote();
	const kept = note ? el('p', { class: 'quiet' }, note) : '';
	bottom.replaceChildren(
		kept,
		wallet.isProgram ? '' : trust(),
		el('div', { class: 'row' }, out, close),
	);
}

/** @param {Wallet} wallet */
function walletItem(wallet) {
	const picture = wallet.icon
		? el('img', { src: wallet.icon, alt: '', width: 24, height: 24 })
		: '';
	const kind = wallet.isProgram
		? texts.itsAccounts
		: wallet.kind === 'ethereum'
			? texts.ethereum
			: texts.polkadot;
	const button = el(
		'button',
		{ class: 'button wide', 'data-wallet': wallet.id },
		picture,
		el('span', {}, wallet.name),
		el('small', { class: 'quiet' }, kind),
	);
	button.addEventListener('click', async () => {
		complaint = '';
		try {
			await connect(wallet);
			dialog.close();
		} catch (error) {
			complaint = reason(error);
			renderDialog();
		}
	});
	return el('li', {}, button);
}

const noWallets = () => el('p', {}, isOfProgram() ? texts.noOwner : texts.noWallet);

/** Whether the page is that of a program, which signs by itself. */
const isOfProgram = () => current().hello?.public === false;

/** What the player trusts, and how not to have to. */
const trust = () =>
	el('p', { class: 'quiet trust' }, ...texts.trust(el('code', {}, 'connect4 page')));
