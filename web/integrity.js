// Hashes of what the page loads by itself. `connect4 page` writes them into index.html for all files; a page
// that a host serves has none, as the host could serve other ones.

/** @param {Pick<Document, 'querySelector'>} page @returns {Record<string, string>} */
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
 * @param {string} path below the root, as `/page/style/host.css`
 * @param {Pick<Document, 'querySelector'>} [page]
 */
export const integrityOf = (path, page = document) => hashes(page)[path] ?? '';
