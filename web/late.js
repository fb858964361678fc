// Parts of the page that are loaded with the first view that needs them, so that no other waits for them.

import { texts } from './words/page.js';

/** @import { Variants } from './dom/types.d.ts' */

/** What variants have besides, once it was loaded. @type {{ variants: Variants | null }} */
export const late = { variants: null };

/**
 * Hashes of what the page loads by itself. `connect4 page` writes them into index.html for all files; a page that
 * a host serves has none, as the host could serve other ones.
 * @param {Pick<Document, 'querySelector'>} page @returns {Record<string, string>}
 */
function hashes(page) {
	try {
		const map = page.querySelector('script[type="importmap"]')?.textContent;
		return JSON.parse(map ?? '{}').integrity ?? {};
	} catch {
		return {};
	}
}

/**
 * The hash that a file has to have; empty if index.html names none.
 * @param {string} path below the root, as '/page/0123456789abcdef/style/host.css'
 * @param {Pick<Document, 'querySelector'>} [page]
 */
export const integrityOf = (path, page = document) => hashes(page)[path] ?? '';

/** A file with the hash that index.html names. @param {URL} url @throws if the server does not send it */
export async function loaded(url) {
	const answer = await fetch(url, { integrity: integrityOf(url.pathname) });
	if (!answer.ok) throw new Error(texts.serverError(answer.status));
	return answer;
}

/** Styles that are loaded, or on their way. @type {Map<string, Promise<void>>} */
const styles = new Map();

/** Loads a style once; one that did not come is asked for again. @param {string} file within this folder, as 'style/host.css' */
export function loadStyle(file) {
	const asked = styles.get(file) ?? addStyle(file);
	styles.set(file, asked);
	asked.catch(() => styles.delete(file));
	return asked;
}

/** @param {string} file @returns {Promise<void>} */
function addStyle(file) {
	const link = document.createElement('link');
	const { href, pathname } = new URL(file, import.meta.url);
	link.rel = 'stylesheet';
	link.integrity = integrityOf(pathname);
	link.href = href;
	const loaded = new Promise((resolve, reject) => {
		link.onload = () => resolve(undefined);
		link.onerror = () => reject(new Error(texts.notLoaded(file)));
	});
	document.head.append(link);
	return loaded;
}

/**
 * Loads a part once, with its styles; one that did not come is asked for again.
 * @template Part
 * @param {() => Promise<Part>} load @param {string[]} styles
 */
export function once(load, ...styles) {
	/** @type {Promise<Part> | null} */
	let asked = null;
	return () => {
		asked ??= Promise.all([load(), ...styles.map(loadStyle)]).then(
			([part]) => part,
			() => {
				asked = null;
				// The files of another version are at other addresses, and those of this one may be gone with it.
				throw new Error(texts.partGone);
			},
		);
		return asked;
	};
}
