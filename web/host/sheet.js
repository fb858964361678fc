// The sheet of wallets: which ones there are, what is known of the one that is connected, the guests of this browser,
// and the node by which the host is checked. Loaded when it is first opened.

import { el, makeSheet, show } from '../dom/elements.js';
import { guestPart, renderGuest, restorePart } from '../guest/sheet.js';
import { amountText, short } from '../state/text.js';
import { keepsNote } from './journal.js';
import { nodePart, openNode, renderNode } from './node-form.js';
import { choose, connect, leave, session } from './session.js';

/** @import { OpenAccount } from '../state/types.d.ts' */
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
	const close = el('button', { class: 'button' }, 'Close');
	close.addEventListener('click', () => dialog.close());
	const title = el('h2', { id: 'wallets-title' }, wallet ? wallet.name : 'Connect a wallet');
	const wrong = el('p', { class: 'wrong', role: 'alert' }, complaint || trouble);
	show(ofGuest, !wallet);
	show(restoring, !wallet);
	renderNode();
	if (!wallet) {
		top.replaceChildren(
			title,
			el(
				'p',
				{ class: 'quiet' },
				'It signs what you do. The host never sees a key: it can neither take a stake nor make a move.',
			),
			wallets.length ? el('ul', {}, ...wallets.map(walletItem)) : noWallets(),
			wrong,
		);
		bottom.replaceChildren(trust(), el('div', { class: 'row' }, close));
		return;
	}
	const select = /** @type {HTMLSelectElement} */ (
		el(
			'select',
			{ 'aria-label': 'Account' },
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
	const out = el('button', { class: 'button' }, 'Disconnect');
	out.addEventListener('click', () => {
		leave();
		dialog.close();
	});
	const { chain } = session;
	const funds = shown?.balance && chain ? amountText(shown.balance, chain) : '…';
	top.replaceChildren(
		title,
		accounts.length > 1 ? el('label', { class: 'field' }, 'Account', select) : '',
		el(
			'dl',
			{ class: 'facts' },
			el('dt', {}, 'Account'),
			el('dd', {}, account?.id ?? ''),
			el('dt', {}, 'As contracts know it'),
			el('dd', {}, shown?.address ?? ''),
			el('dt', {}, 'Balance'),
			el('dd', {}, funds),
		),
		wrong,
	);
	const note = keepsNote();
	const kept = note ? el('p', { class: 'quiet' }, note) : '';
	bottom.replaceChildren(kept, trust(), el('div', { class: 'row' }, out, close));
}

/** @param {Wallet} wallet */
function walletItem(wallet) {
	const picture = wallet.icon
		? el('img', { src: wallet.icon, alt: '', width: 24, height: 24 })
		: '';
	const kind = wallet.kind === 'ethereum' ? 'Ethereum' : 'Polkadot';
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
			complaint = error instanceof Error ? error.message : String(error);
			renderDialog();
		}
	});
	return el('li', {}, button);
}

const noWallets = () =>
	el(
		'p',
		{},
		'No wallet is in this browser. Install one, such as MetaMask, Talisman, SubWallet or polkadot{.js}, then load the page again.',
	);

/** What the player trusts, and how not to have to. */
const trust = () =>
	el(
		'p',
		{ class: 'quiet trust' },
		'The server of this page could serve a changed one. The same page can come from another place: ',
		el('code', {}, 'connect4 page'),
		' writes it as files with their hashes, and it works with any host.',
	);
