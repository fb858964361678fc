// Where requests go: to the program that serves the page, or to the hosts that it was told to use. A
// page that was taken from elsewhere names hosts in its head, or in its address as `?host=https://…`.

import { keep, recall } from './storage.js';

const named = document.querySelector('meta[name="connect4-hosts"]')?.getAttribute('content') ?? '';
const asked = new URLSearchParams(location.search).get('host');
if (asked !== null) keep('host', asked);

/** Origin of a host, as `https://games.example`; empty for that of the page. @param {string} url */
const origin = (url) => {
	try {
		return new URL(url).origin;
	} catch {
		return null;
	}
};

const own = named ? [] : [''];
const candidates = [asked ?? recall('host', ''), ...named.split(/\s+/)].map(origin);
/** @type {string[]} */
const hosts = [...new Set([...candidates.filter((host) => host !== null), ...own])];
let at = 0;

/** Origin of the host that is used now; empty for that of the page. */
export const host = () => hosts[at] ?? '';

/** How many hosts there are to choose from. */
export const hostCount = () => hosts.length;

/** Uses the next host, unless another one than `failed` is used already. @param {string} failed */
export function nextHost(failed) {
	if (host() === failed) at = (at + 1) % Math.max(1, hosts.length);
}

/** The host's origin for WebSockets. @param {string} [of] */
export const socketHost = (of = host()) => (of || location.origin).replace(/^http/, 'ws');
