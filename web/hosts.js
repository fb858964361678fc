// Where requests go: to the program that serves the page, or to the hosts that it was told to use. A
// page that was taken from elsewhere names hosts in its head; a link to it may name another one for this tab,
// as `?host=https://…`, which is asked nothing before the player has agreed to it.

import { chooseHosts } from './state/hosts.js';
import { ownPath } from './state/route.js';
import { keep, recall } from './storage.js';

/** In the browser's storage: of this tab the host of a link, once the player has agreed; for good the one that the player has chosen. */
const HOST = 'host';

const named = document.querySelector('meta[name="connect4-hosts"]')?.getAttribute('content') ?? '';
/** @param {string | null} linked */
const choose = (linked) =>
	chooseHosts(named, {
		linked,
		agreed: recall(HOST, '', 'sessionStorage'),
		kept: recall(HOST, ''),
	});

let { hosts, chosen, asked } = choose(new URLSearchParams(location.search).get('host'));
let at = 0;

/** Origin of the host that is used now; empty for that of the page. */
export const host = () => hosts[at] ?? '';

/** How many hosts there are to choose from. */
export const hostCount = () => hosts.length;

/** The host that a link or the player has named in place of the page's own; null if there is none. */
export const chosenHost = () => chosen;

/** The host that the address names, while the player has not said whether to use it; null if there is none. */
export const askedHost = () => asked;

/** Uses the host of the address in this tab, or does not. @param {boolean} isAgreed */
export function answerLink(isAgreed) {
	if (isAgreed) keep(HOST, asked, 'sessionStorage');
	({ hosts, chosen, asked } = choose(null));
	const url = new URL(location.href);
	url.searchParams.delete('host');
	history.replaceState(history.state, '', url);
}

/**
 * Where it is kept what the host says of itself: of one that a link has named for as long as the tab is open.
 * @returns {{ name: string, area: 'localStorage' | 'sessionStorage' }}
 */
export const saidPlace = () => ({
	name: chosen ? `hello-${chosen.host}` : 'hello',
	area: isOfLink() ? 'sessionStorage' : 'localStorage',
});

/** Whether the host that is used, or the next one may be, is one that a link has named. */
export const isOfLink = () => chosen !== null && !chosen.isKept;

/** Uses the host of a link from now on, also without it. */
export function keepHost() {
	if (!chosen) return;
	keep(HOST, chosen.host);
	chosen.isKept = true;
}

/** Uses the page's own hosts again. */
export function leaveHost() {
	keep(HOST, '', 'sessionStorage');
	keep(HOST, '');
	location.assign(ownPath(location.pathname));
}

/** Uses the next host, unless another one than `failed` is used already. @param {string} failed */
export function nextHost(failed) {
	if (host() === failed) at = (at + 1) % Math.max(1, hosts.length);
}

/** Where a WebSocket is at the host. @param {string} path */
export const socketAt = (path) => (host() || location.origin).replace(/^http/, 'ws') + path;
