// Which hosts a page uses: one that a link names comes first once the player has agreed to it, but only on a page that
// names hosts itself, as one that a host serves uses that host.

/** Origin of a host, as `https://games.example`; null if it is none that a page can ask. @param {string | null} url */
const originOf = (url) => {
	try {
		const { protocol, origin } = new URL(url ?? '');
		return /^https?:$/.test(protocol) ? origin : null;
	} catch {
		return null;
	}
};

/**
 * @param {string} named in the page's head, with spaces between
 * @param {{ linked?: string | null, agreed?: string | null, kept?: string | null }} by `linked` is named by the
 * address, `agreed` was before in this tab, and the player has agreed to it; `kept` is the player's choice for good
 * @returns {{ hosts: string[], chosen: { host: string, isKept: boolean } | null, asked: string | null }} `hosts` are
 * those that are used, the first one first; empty text is the host that serves the page. `chosen` is the one that
 * is not the page's own. `asked` is named by the address, and the player has not agreed to it
 */
export function chooseHosts(named, { linked = null, agreed = null, kept = null }) {
	/** @param {(string | null)[]} urls @returns {string[]} */
	const known = (urls) => urls.map(originOf).filter((host) => host !== null);
	const own = known(named.split(/\s+/));
	if (!own.length) return { hosts: [''], chosen: null, asked: null };
	const link = originOf(linked);
	const isKnown = link !== null && [...own, ...known([agreed, kept])].includes(link);
	const [host] = known([isKnown ? link : null, agreed, kept]);
	const asked = isKnown ? null : link;
	if (!host || own.includes(host)) {
		return { hosts: [...new Set(host ? [host, ...own] : own)], chosen: null, asked };
	}
	return { hosts: [host, ...own], chosen: { host, isKept: originOf(kept) === host }, asked };
}
