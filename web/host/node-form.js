// Where the player names a node by which the page checks the host: a part of the wallets' sheet.

import { el, setText, show } from '../dom/elements.js';
import { ownNode } from './chain.js';
import { canName, forgetNode, namedNode, nameNode, onNode } from './node.js';

const state = el('span');
const summary = el('summary', {}, 'This host is checked by ', state);
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
const use = /** @type {HTMLButtonElement} */ (el('button', { class: 'button' }, 'Use it'));
const form = el(
	'form',
	{ class: 'row', novalidate: '' },
	el('label', { class: 'field' }, 'Address of a node', field),
	use,
);
const named = el('p', { class: 'row' });
const complaint = el('p', { class: 'wrong', role: 'alert' });
const about = el(
	'p',
	{ class: 'quiet', id: 'node-about' },
	'The page compares each board with the chain by this node, before you sign and while you watch. Take your own, or one of somebody else than this host; it has to speak Ethereum’s JSON-RPC, and learns which games you look at. Its address stays in this browser.',
);

/** Stays in the document while the sheet around it changes, so that nothing that is typed is lost. */
export const nodePart = /** @type {HTMLDetailsElement} */ (
	el('details', { id: 'own-node' }, summary, el('div', {}, named, form, complaint, about))
);

form.addEventListener('submit', async (event) => {
	event.preventDefault();
	setText(complaint, '');
	use.disabled = true;
	setText(use, 'Asking…');
	try {
		await nameNode(field.value);
		field.value = '';
		summary.focus();
	} catch (error) {
		setText(complaint, error instanceof Error ? error.message : String(error));
		field.focus();
	} finally {
		use.disabled = false;
		setText(use, 'Use it');
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
	const forget = el('button', { class: 'button small' }, 'Remove');
	forget.addEventListener('click', () => {
		forgetNode();
		field.focus();
	});
	named.replaceChildren(el('code', {}, node.url.replace(/\/$/, '')), forget);
	setText(complaint, node.why);
}

function stateOf() {
	const node = namedNode();
	if (node?.state === 'asked') return `the node ${node.name}, which is being asked`;
	return ownNode() ?? 'no node';
}

/** Opens it for who wants to name another node, and puts the cursor there. */
export function openNode() {
	nodePart.open = true;
	(namedNode() ? named.querySelector('button') : field)?.focus();
}

onNode(renderNode);
