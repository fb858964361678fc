// Where the player names a node by which the page checks the host: a part of the wallets' sheet.

import { actButton, el, setText, show } from '../dom/elements.js';
import { reason } from '../state/text.js';
import { texts } from '../words/wallet.js';
import { ownNode } from './chain.js';
import { canName, forgetNode, namedNode, nameNode, onNode } from './node.js';

const state = el('span');
const summary = el('summary', {}, ...texts.checkedBy(state));
const field = /** @type {HTMLInputElement} */ (
	el('input', {
		type: 'url',
		name: 'node',
		inputmode: 'url',
		autocomplete: 'off',
		autocapitalize: 'none',
		spellcheck: 'false',
		placeholder: 'https://rpc.example',
		'aria-describedby': 'node-about',
	})
);
const use = /** @type {HTMLButtonElement} */ (el('button', { class: 'button' }, texts.useIt));
const form = el(
	'form',
	{ class: 'row', novalidate: '' },
	el('label', { class: 'field' }, texts.nodeAddress, field),
	use,
);
const named = el('p', { class: 'row' });
const complaint = el('p', { class: 'wrong', role: 'alert' });
const about = el('p', { class: 'quiet', id: 'node-about' }, texts.nodeHelp);

/** Stays in the document while the sheet around it changes, so that nothing that is typed is lost. */
export const nodePart = /** @type {HTMLDetailsElement} */ (
	el('details', { id: 'own-node' }, summary, el('div', {}, named, form, complaint, about))
);

form.addEventListener('submit', async (event) => {
	event.preventDefault();
	setText(complaint, '');
	use.disabled = true;
	setText(use, texts.asking);
	try {
		await nameNode(field.value);
		field.value = '';
		summary.focus();
	} catch (error) {
		setText(complaint, reason(error));
		field.focus();
	} finally {
		use.disabled = false;
		setText(use, texts.useIt);
	}
});

/** Shows which node is used. */
export function renderNode() {
	const node = namedNode();
	show(nodePart, canName());
	setText(state, stateOf());
	show(named, node);
	show(form, !node);
	if (!node) return named.replaceChildren();
	const forget = actButton(texts.remove, () => {
		forgetNode();
		field.focus();
	});
	named.replaceChildren(el('code', {}, node.url.replace(/\/$/, '')), forget);
	setText(complaint, node.why);
}

function stateOf() {
	const node = namedNode();
	if (node?.state === 'asked') return texts.nodeAsked(node.name);
	return ownNode() ?? texts.noNode;
}

/** Opens it for who wants to name another node, and puts the cursor there. */
export function openNode() {
	nodePart.open = true;
	(namedNode() ? named.querySelector('button') : field)?.focus();
}

onNode(renderNode);
