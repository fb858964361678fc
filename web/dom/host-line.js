// Which host the page uses, if that is not the one that serves it, and the way back from one of a link.

import { chosenHost, host, keepHost, leaveHost } from '../hosts.js';
import { byId, el, setText, show } from './elements.js';

const line = el('p', {
	id: 'used-host',
	class: 'quiet',
	role: 'region',
	'aria-label': 'Host in use',
	hidden: '',
});
byId('chain').after(line);

/** @param {string} text @param {() => void} does */
function button(text, does) {
	const made = el('button', { class: 'button small' }, text);
	made.addEventListener('click', does);
	return made;
}

/** What is shown. */
let shown = '';

/** Shows it, whatever the host says or does not say of itself. */
export function renderHost() {
	const used = host();
	const chosen = chosenHost();
	const now = `${used} ${chosen?.isKept}`;
	if (now === shown) return;
	shown = now;
	show(line, used);
	if (!used) return;
	const name = new URL(used).host;
	if (chosen?.host !== used) return setText(line, `Host: ${name}`);
	const why = chosen.isKept ? 'which you have chosen' : 'which a link has named';
	const back = button('Use the page’s own', leaveHost);
	const stay = button('Always use it', () => {
		keepHost();
		renderHost();
	});
	line.replaceChildren(
		`Host: ${name}, ${why} in place of those of this page. `,
		...(chosen.isKept ? [back] : [back, ' ', stay]),
	);
}
