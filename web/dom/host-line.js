// Which host the page uses, if that is not the one that serves it: whether to use one that a link names, and the way
// back from it.

import { answerLink, askedHost, chosenHost, host, keepHost, leaveHost } from '../hosts.js';
import { texts } from '../words/page.js';
import { actButton, byId, el, setText, show } from './elements.js';

const line = el('p', {
	id: 'used-host',
	class: 'quiet',
	role: 'region',
	'aria-label': texts.hostInUse,
	hidden: '',
});
byId('chain').after(line);

/** Asks whether to use the host of a link, if there is one. @param {() => void} answered */
export function askForHost(answered) {
	const asked = askedHost();
	if (asked === null) return;
	const name = new URL(asked).host;
	const title = el('h1', { id: 'link-host-title', tabindex: '-1' }, texts.useHost(name));
	const buttons = el('div', { class: 'row' });
	const question = el(
		'section',
		{ id: 'link-host', class: 'message', 'aria-labelledby': title.id },
		title,
		el('p', {}, texts.hostAsked(name)),
		buttons,
	);
	/** @param {boolean} isAgreed */
	const answer = (isAgreed) => () => {
		question.remove();
		show(byId('page-loading'), true);
		answerLink(isAgreed);
		answered();
	};
	buttons.append(
		actButton(texts.stayWith(new URL(host()).host), answer(false)),
		actButton(texts.useInTab(name), answer(true)),
	);
	show(byId('page-loading'), false);
	byId('page-loading').before(question);
	title.focus();
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
	if (chosen?.host !== used) return setText(line, texts.hostIs(name));
	const back = actButton(texts.useOwnHost, leaveHost);
	const stay = actButton(texts.keepHost, () => {
		keepHost();
		renderHost();
	});
	line.replaceChildren(
		chosen.isKept ? texts.hostChosen(name) : texts.hostLinked(name),
		...(chosen.isKept ? [' ', back] : [' ', back, ' ', stay]),
	);
}
