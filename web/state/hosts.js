// Which hosts a page uses: one that a link names comes first, but only on a page that names hosts itself, as
// one that a host serves uses that host.

/** Origin of a host, as `https://games.example`; null if there is none. @param {string | null} url */
const origin = (url) => {
	try {
		return new URL(url ?? '').origin;
	} catch {
		return null;
	}
};

/**
 * @param {string} named in the page's head, with spaces between
 * @param {string | null} linked by the address, now or before in this tab
 * @param {string | null} kept by the player for good
 * @returns {{ hosts: string[], chosen: { host: string, isKept: boolean } | null }} `hosts` are those that are
 * used, the first one first; empty text is the host that serves the page. `chosen` is the one that is not the
 * page's own
 */
export function chooseHosts(named, linked, kept) {
	/** @param {(string | null)[]} urls @returns {string[]} */
	const known = (urls) => urls.map(origin).filter((host) => host !== null);
	const own = known(named.split(/\s+/));
	if (!own.length) return { hosts: [''], chosen: null };
	const [host] = known([linked, kept]);
	if (!host || own.includes(host)) {
		return { hosts: [...new Set(host ? [host, ...own] : own)], chosen: null };
	}
	return { hosts: [host, ...own], chosen: { host, isKept: origin(kept) === host } };
}
