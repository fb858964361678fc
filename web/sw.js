// Keeps the files of this page, so that it opens and plays without a network. The page itself comes from the network
// first: a host that has been renewed is seen at once. What has its version in its address is taken from what is kept.
// Of what is no file it keeps nothing.
//
// The program names the files with their hashes, and the version of all of them.

const VERSION = '';
/** The address and the hash of each. @type {string[][]} */
const FILES = [];

/** The names of what this page keeps begin so: other pages of this origin keep things, too. */
const OURS = 'connect4-';
const CACHE = OURS + VERSION;
/** The page itself, whatever the address. */
const PAGE = '/';
const PATIENCE = 3_000; // milliseconds for the network, if what is asked for is kept

/** What the types of a page do not know of a service worker. @type {any} */
const worker = self;

/** The caches of this page, the oldest first. */
const kept = async () => (await caches.keys()).filter((name) => name.startsWith(OURS));

/** All files of this version are kept, or none: those of two versions do not fit together. */
async function keep() {
	const wasThere = await caches.has(CACHE);
	const cache = await caches.open(CACHE);
	try {
		// The browser asks whether those that it has are still the same.
		const asked = FILES.map(
			([path = '', integrity]) => new Request(path, { cache: 'no-cache', integrity }),
		);
		await cache.addAll(asked);
	} catch (failure) {
		if (!wasThere) await caches.delete(CACHE);
		throw failure;
	}
	await worker.skipWaiting();
}

/** Forgets what no tab needs: a tab of the version before may still ask for a part of its own. */
async function tidy() {
	const others = (await kept()).filter((name) => name !== CACHE);
	await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
	await worker.clients.claim();
}

/** What is kept of a file that has its version in its address. @param {string} path */
async function keptFile(path) {
	for (const cacheName of await kept()) {
		const found = await caches.match(path, { cacheName });
		if (found) return found;
	}
	return undefined;
}

/**
 * What the network has; in place of nothing, of an error of a proxy, or of a long wait what is kept.
 * @param {Request} request @param {string} path of what is kept
 */
async function newest(request, path) {
	const stored = caches.match(path, { cacheName: CACHE });
	const fromNetwork = fetch(request);
	// It may fail after something else was answered.
	fromNetwork.catch(() => {});
	const late = new Promise((resolve) => setTimeout(resolve, PATIENCE));
	try {
		const found = /** @type {Response | undefined} */ (await Promise.race([fromNetwork, late]));
		if (found && found.status < 500) return found;
	} catch {
		// There is no network.
	}
	return (await stored) ?? fromNetwork;
}

worker.addEventListener('install', (/** @type {any} */ event) => event.waitUntil(keep()));
worker.addEventListener('activate', (/** @type {any} */ event) => event.waitUntil(tidy()));
worker.addEventListener('fetch', (/** @type {any} */ event) => {
	const { request } = event;
	const { origin, pathname } = new URL(request.url);
	if (request.method !== 'GET' || origin !== location.origin) return;
	if (request.mode === 'navigate') event.respondWith(newest(request, PAGE));
	else if (/^\/page\/[\da-f]{16}\//.test(pathname)) {
		event.respondWith(keptFile(pathname).then((found) => found ?? fetch(request)));
	} else if (pathname.startsWith('/page/')) event.respondWith(newest(request, pathname));
});
