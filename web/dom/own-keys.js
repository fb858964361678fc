// The keys of a program that this browser has, in the lobby: they open its accounts, and can be forgotten here.

import { forgetKeys, hasKeys } from '../program/main.js';
import { texts } from '../words/own-keys.js';
import { actButton, byId, el, show } from './elements.js';

/** @import { State } from '../state/types.d.ts' */

const line = el('p', { id: 'own-keys', class: 'quiet', hidden: '' });
byId('new').after(line);
/** Whether the player was asked. */
let isAsked = false;

/** @param {boolean} asks */
function draw(asks) {
	isAsked = asks;
	const forget = () => {
		forgetKeys();
		location.reload();
	};
	if (!asks) {
		const opens = actButton(texts.forget, () => draw(true));
		return line.replaceChildren(texts.hasKeys, ' ', opens);
	}
	const keeps = actButton(texts.keep, () => draw(false));
	const forgets = actButton(texts.forgetNow, forget, 'danger');
	line.replaceChildren(texts.without, ' ', forgets, ' ', keeps);
	keeps.focus();
}

/** Shows it where a program has accounts. @param {State} state */
export function renderOwnKeys({ hello, route }) {
	const isShown = route.page === 'lobby' && hello !== null && !hello.public && hasKeys();
	if (isShown && line.hidden) draw(isAsked);
	show(line, isShown);
}
