// Which host the page uses, if that is not the one that serves it, and the way back from one of a link.

import { byId, el, setText, show } from '../dom/elements.js';
import { chosenHost, host, keepHost, leaveHost } from '../hosts.js';

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

/** Shows it. */
export function renderHost() {
	const used = host();
	show(line, used);
	if (!used) return;
	const chosen = chosenHost();
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
